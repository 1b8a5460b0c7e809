; Instructions that take active values and are not supported: in forward mode.

; RUN: %opt -S %s -o %t.ll
; RUN: %not %clang -fpass-plugin=%plugin -O1 -c %t.ll -o %t.o 2>&1 | %FileCheck %s --implicit-check-not=PLEASE
; REQUIRES: clang

declare double @__enzyme_fwddiff(ptr, ...)

; CHECK: error: {{.*}}an atomic read-modify-write with active values is not supported
; CHECK-NEXT: note: in `atomic`
; CHECK-NEXT: help: mark what goes into it `enzyme_const`, or take it out of the function
define double @atomic(ptr %p, double %x) {
  %old = atomicrmw fadd ptr %p, double %x seq_cst
  ret double %old
}

; CHECK: error: {{.*}}a compare-and-exchange with active values is not supported
; CHECK-NEXT: note: in `exchange`
define double @exchange(ptr %p, i64 %n) {
  %old = cmpxchg ptr %p, i64 0, i64 %n seq_cst seq_cst
  %r = load double, ptr %p
  ret double %r
}

define double @of_atomic(ptr %p, double %x) {
  %r = call double (ptr, ...) @__enzyme_fwddiff(ptr @atomic, ptr %p, ptr %p, double %x, double 1.0)
  ret double %r
}

define double @of_exchange(ptr %p, i64 %n) {
  %r = call double (ptr, ...) @__enzyme_fwddiff(ptr @exchange, ptr %p, ptr %p, i64 %n)
  ret double %r
}
