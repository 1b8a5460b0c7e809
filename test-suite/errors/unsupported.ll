; Instructions that take active values and are not supported: in forward mode.

; RUN: %opt -S %s -o %t.ll
; RUN: %not %clang -fpass-plugin=%plugin -O1 -c %t.ll -o %t.o 2>&1 | %FileCheck %s --implicit-check-not=PLEASE
; REQUIRES: clang

declare double @__enzyme_fwddiff(ptr, ...)
declare ptr @memccpy(ptr, ptr, i32, i64)

; CHECK: error: {{.*}}`va_arg` with active values is not supported
; CHECK-NEXT: note: in `next`
; CHECK-NEXT: help: mark what goes into it `enzyme_const`, or take it out of the function
define double @next(ptr %list, double %x) {
  %y = va_arg ptr %list, double
  %r = fmul double %x, %y
  ret double %r
}

; CHECK: error: {{.*}}integer arithmetic on the bits of an active floating-point number
; CHECK-NEXT: note: in `increment`
define double @increment(ptr %p, double %x) {
  store double %x, ptr %p
  %old = atomicrmw add ptr %p, i64 1 seq_cst
  %r = load double, ptr %p
  ret double %r
}

; CHECK: error: {{.*}}no derivative is known for `memccpy`
; CHECK-NEXT: note: in `until`
define double @until(ptr %p, double %x) {
  %q = getelementptr i8, ptr %p, i64 8
  store double %x, ptr %p
  %end = call ptr @memccpy(ptr %q, ptr %p, i32 3, i64 8)
  %r = load double, ptr %q
  ret double %r
}

define double @of_next(ptr %p, double %x) {
  %r = call double (ptr, ...) @__enzyme_fwddiff(ptr @next, ptr %p, ptr %p, double %x, double 1.0)
  ret double %r
}

define double @of_increment(ptr %p, double %x) {
  %r = call double (ptr, ...) @__enzyme_fwddiff(ptr @increment, ptr %p, ptr %p, double %x, double 1.0)
  ret double %r
}

define double @of_until(ptr %p, double %x) {
  %r = call double (ptr, ...) @__enzyme_fwddiff(ptr @until, ptr %p, ptr %p, double %x, double 1.0)
  ret double %r
}
