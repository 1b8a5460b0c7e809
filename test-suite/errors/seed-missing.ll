; The adjoint of a result that is no scalar comes last. Here it is missing.

; RUN: %not %opt %loadEnzyme %enzyme -S %s 2>&1 | %FileCheck %s --implicit-check-not=PLEASE

declare double @__enzyme_autodiff(ptr, ...)

define <2 x double> @pair(double %x) {
  %first = insertelement <2 x double> poison, double %x, i32 0
  %both = insertelement <2 x double> %first, double %x, i32 1
  %square = fmul <2 x double> %both, %both
  ret <2 x double> %square
}

; CHECK: error: {{.*}}in the call of `__enzyme_autodiff`: the adjoint of the result (`<2 x double>`) is missing; it comes last
; CHECK-NEXT: note: `pair` has the type `<2 x double> (double)`
define double @missing(double %x) {
  %r = call double (ptr, ...) @__enzyme_autodiff(ptr @pair, double %x)
  ret double %r
}
