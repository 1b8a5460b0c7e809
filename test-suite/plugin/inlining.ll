; With -enzyme-always-inline nothing is left to call; with -enzyme-noalias the derivative says so of its pointers.

; RUN: %opt %loadEnzyme %enzyme -S %s | %FileCheck %s --check-prefix=CALLS
; RUN: %opt %loadEnzyme %enzyme -enzyme-always-inline -enzyme-noalias -S %s | %FileCheck %s --check-prefix=INLINED

; CALLS: define internal {{.*}}@fwddiffef(
; CALLS: call {{.*}}@fwddiffeleaf(
; INLINED: define internal double @fwddiffef(ptr {{.*}}noalias{{.*}} %x, ptr {{.*}}noalias
; INLINED-NOT: call

declare double @__enzyme_fwddiff(ptr, ...)

define double @leaf(ptr %x) noinline {
  %v = load double, ptr %x
  %y = fmul double %v, %v
  ret double %y
}

define double @f(ptr %x) {
  %y = call double @leaf(ptr %x)
  ret double %y
}

define double @df(ptr %x, ptr %dx) {
  %r = call double (ptr, ...) @__enzyme_fwddiff(ptr @f, ptr %x, ptr %dx)
  ret double %r
}
