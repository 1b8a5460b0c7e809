; The batched function takes an array for what differs between lanes, and calls the function for one lane after another.

; RUN: %opt %loadEnzyme -passes=enzyme -S %s | %FileCheck %s

define double @axpy(double %a, double %x, double %y) {
  %product = fmul double %a, %x
  %sum = fadd double %product, %y
  ret double %sum
}

define [2 x double] @twice(double %a, double %x0, double %x1, double %y0, double %y1) {
  %r = call [2 x double] (...) @__enzyme_batch(ptr @axpy, metadata !"enzyme_width", i64 2, metadata !"enzyme_scalar", double %a, metadata !"enzyme_vector", double %x0, double %x1, double %y0, double %y1)
  ret [2 x double] %r
}

declare [2 x double] @__enzyme_batch(...)

; CHECK: define internal [2 x double] @batch_axpy(double %0, [2 x double] %1, [2 x double] %2)
; CHECK: %[[x0:.+]] = extractvalue [2 x double] %1, 0
; CHECK: %[[y0:.+]] = extractvalue [2 x double] %2, 0
; CHECK: call double @axpy(double %0, double %[[x0]], double %[[y0]])
; CHECK: %[[x1:.+]] = extractvalue [2 x double] %1, 1
; CHECK: %[[y1:.+]] = extractvalue [2 x double] %2, 1
; CHECK: call double @axpy(double %0, double %[[x1]], double %[[y1]])
; CHECK: ret [2 x double]
; CHECK-NOT: __enzyme_batch
