; Instructions that take active values and are not supported.

; RUN: %not %opt %loadEnzyme %enzyme -S %s 2>&1 | %FileCheck %s --implicit-check-not=PLEASE

declare double @__enzyme_fwddiff(ptr, ...)

; CHECK: error: {{.*}}an atomic {{.*}} with active values is not supported
; CHECK-NEXT: note: in `atomic`
; CHECK-NEXT: help: mark what goes into it `enzyme_const`, or take it out of the function
define double @atomic(ptr %p, double %x) {
  %old = atomicrmw fadd ptr %p, double %x seq_cst
  ret double %old
}

define double @of_atomic(ptr %p, double %x) {
  %r = call double (ptr, ...) @__enzyme_fwddiff(ptr @atomic, ptr %p, ptr %p, double %x, double 1.0)
  ret double %r
}
