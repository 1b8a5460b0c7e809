; The derivative of an instruction carries the fast-math flags of that instruction, and no more.

; RUN: %opt %loadEnzyme %enzyme -S %s | %FileCheck %s

define double @fast(double %x, double %y) {
  %product = fmul fast double %x, %y
  ret double %product
}

define double @strict(double %x, double %y) {
  %product = fmul double %x, %y
  ret double %product
}

define double @some(double %x, double %y) {
  %product = fmul nnan contract double %x, %y
  ret double %product
}

declare double @__enzyme_fwddiff(ptr, ...)

define double @calls(double %x, double %y) {
  %a = call double (ptr, ...) @__enzyme_fwddiff(ptr @fast, double %x, double 1.0, double %y, double 2.0)
  %b = call double (ptr, ...) @__enzyme_fwddiff(ptr @strict, double %x, double 1.0, double %y, double 2.0)
  %c = call double (ptr, ...) @__enzyme_fwddiff(ptr @some, double %x, double 1.0, double %y, double 2.0)
  %ab = fadd double %a, %b
  %abc = fadd double %ab, %c
  ret double %abc
}

; CHECK-LABEL: define internal double @fwddiffefast(
; CHECK-NEXT: %[[BY_X:.*]] = fmul fast double
; CHECK-NEXT: %[[BY_Y:.*]] = fmul fast double
; CHECK-NEXT: %[[SUM:.*]] = fadd fast double %[[BY_X]], %[[BY_Y]]
; CHECK-NEXT: ret double %[[SUM]]

; CHECK-LABEL: define internal double @fwddiffestrict(
; CHECK-NEXT: %[[BY_X:.*]] = fmul double
; CHECK-NEXT: %[[BY_Y:.*]] = fmul double
; CHECK-NEXT: %[[SUM:.*]] = fadd double %[[BY_X]], %[[BY_Y]]
; CHECK-NEXT: ret double %[[SUM]]

; CHECK-LABEL: define internal double @fwddiffesome(
; CHECK-NEXT: %[[BY_X:.*]] = fmul nnan contract double
; CHECK-NEXT: %[[BY_Y:.*]] = fmul nnan contract double
; CHECK-NEXT: %[[SUM:.*]] = fadd nnan contract double %[[BY_X]], %[[BY_Y]]
; CHECK-NEXT: ret double %[[SUM]]
