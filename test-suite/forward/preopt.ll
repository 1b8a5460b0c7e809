; -enzyme-preopt=0: what is differentiated is the function as it stands, which another pass may have put in order with a
; purpose; a loop keeps what does not change in it.

; RUN: %opt %loadEnzyme %enzyme -S < %s | %FileCheck %s --check-prefix=CLEAN
; RUN: %opt %loadEnzyme %enzyme -enzyme-preopt=0 -S < %s | %FileCheck %s --check-prefix=AS-IT-STANDS

define double @repeated(double %x, i64 %n) {
entry:
  %place = alloca double
  store double 0.0, ptr %place
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %term = call double @llvm.sqrt.f64(double %x)
  %before = load double, ptr %place
  %after = fadd double %before, %term
  store double %after, ptr %place
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %done
done:
  %sum = load double, ptr %place
  ret double %sum
}

define double @tangent(double %x, i64 %n) {
  %t = call double (...) @__enzyme_fwddiff(ptr @repeated, double %x, double 1.0, i64 %n)
  ret double %t
}

; CLEAN-LABEL: define internal double @fwddifferepeated
; CLEAN: call {{.*}}double @llvm.sqrt.f64
; CLEAN: phi
; CLEAN-NOT: @llvm.sqrt.f64
; CLEAN: ret

; AS-IT-STANDS-LABEL: define internal double @fwddifferepeated
; AS-IT-STANDS-NOT: alloca
; AS-IT-STANDS: phi
; AS-IT-STANDS: call {{.*}}double @llvm.sqrt.f64
; AS-IT-STANDS: ret

declare double @llvm.sqrt.f64(double)
declare double @__enzyme_fwddiff(...)
