; The derivative as LLVM IR, by opt:
;
;     opt -load-pass-plugin=LLVMEnzymeRS-22.so -passes=enzyme -S square.ll

define double @square(double %x) {
  %r = fmul double %x, %x
  ret double %r
}

declare double @__enzyme_autodiff(ptr, double)

define double @slope(double %x) {
  %r = call double @__enzyme_autodiff(ptr @square, double %x)
  ret double %r
}

; RUN: %opt %loadEnzyme -passes=enzyme -S %s | %FileCheck %s
; RUN: %opt %loadEnzyme -passes="enzyme,default<O2>" -S %s | %FileCheck %s --check-prefix=OPTIMISED

; CHECK-LABEL: define double @slope(double %x)
; CHECK-NEXT: %[[SLOPE:.*]] = call double @diffesquare(double %x, double 1.000000e+00)
; CHECK-NEXT: ret double %[[SLOPE]]
; CHECK-LABEL: define internal double @diffesquare(

; OPTIMISED-LABEL: define {{.*}}double @slope(double %x)
; OPTIMISED-NOT: call
; OPTIMISED: ret double
