; What the operations say of their operands and results.
; RUN: %opt %loadEnzyme -passes=print-type-analysis -type-analysis-func=kinds -disable-output %s | %FileCheck %s

; CHECK: kinds - {[-1]:Float@double} |{[-1]:Pointer}:{} {[-1]:Integer}:{} {[-1]:Float@float}:{}
; CHECK-NEXT: ptr %p: {[-1]:Pointer, [-1,0]:Float@double}
; CHECK-NEXT: i64 %n: {[-1]:Integer}
; CHECK-NEXT: float %f: {[-1]:Float@float}
; CHECK-NEXT: entry
; CHECK-NEXT: %x = load double, ptr %p, align 8: {[-1]:Float@double}
; CHECK-NEXT: %wide = fpext float %f to double: {[-1]:Float@double}
; CHECK-NEXT: %sum = fadd double %x, %wide: {[-1]:Float@double}
; CHECK-NEXT: %product = fmul double %sum, 3.000000e+00: {[-1]:Float@double}
; CHECK-NEXT: %count = add i64 %n, 1: {[-1]:Integer}
; CHECK-NEXT: %is.large = icmp ugt i64 %count, 8: {[-1]:Integer}
; CHECK-NEXT: %chosen = select i1 %is.large, double %product, double 1.000000e+00: {[-1]:Float@double}
; CHECK-NEXT: ret double %chosen: {}
; CHECK-NEXT: kinds - {[-1]:Float@double} |{[-1]:Pointer, [-1,0]:Float@double}:{} {[-1]:Integer}:{} {[-1]:Float@float}:{}
; CHECK-NEXT: ptr %p: {[-1]:Pointer, [-1,0]:Float@double}
; CHECK-NEXT: i64 %n: {[-1]:Integer}
; CHECK-NEXT: float %f: {[-1]:Float@float}
; CHECK-NEXT: entry
; CHECK-NEXT: %x = load double, ptr %p, align 8: {[-1]:Float@double}
; CHECK-NEXT: %wide = fpext float %f to double: {[-1]:Float@double}
; CHECK-NEXT: %sum = fadd double %x, %wide: {[-1]:Float@double}
; CHECK-NEXT: %product = fmul double %sum, 3.000000e+00: {[-1]:Float@double}
; CHECK-NEXT: %count = add i64 %n, 1: {[-1]:Integer}
; CHECK-NEXT: %is.large = icmp ugt i64 %count, 8: {[-1]:Integer}
; CHECK-NEXT: %chosen = select i1 %is.large, double %product, double 1.000000e+00: {[-1]:Float@double}
; CHECK-NEXT: ret double %chosen: {}

define double @kinds(ptr %p, i64 %n, float %f) {
entry:
  %x = load double, ptr %p, align 8
  %wide = fpext float %f to double
  %sum = fadd double %x, %wide
  %product = fmul double %sum, 3.000000e+00
  %count = add i64 %n, 1
  %is.large = icmp ugt i64 %count, 8
  %chosen = select i1 %is.large, double %product, double 1.000000e+00
  ret double %chosen
}
