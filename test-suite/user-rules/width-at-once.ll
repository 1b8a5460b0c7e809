; A rule that takes the tangents of all directions as an array is called once.

; RUN: %opt %loadEnzyme %enzyme -S %s | %FileCheck %s

@__enzyme_register_derivative_f = global [2 x ptr] [ptr @f, ptr @rule]

declare double @f(double)
declare { double, [3 x double] } @rule(double, [3 x double])
declare [3 x double] @__enzyme_fwddiff(ptr, ...)

define double @twice(double %x) {
  %y = call double @f(double %x)
  %z = fmul double %y, 2.0
  ret double %z
}

; CHECK-LABEL: define {{.*}}[3 x double] @tangents(
define [3 x double] @tangents(double %x) {
  %r = call [3 x double] (ptr, ...) @__enzyme_fwddiff(ptr @twice, metadata !"enzyme_width", i64 3, double %x, double 1.0, double 2.0, double 3.0)
  ret [3 x double] %r
}

; CHECK: define internal {{.*}} @fwddiffe3f(
; CHECK: call { double, [3 x double] } @rule(double %{{.*}}, [3 x double] %{{.*}})
; CHECK-NOT: @rule(
