; What a derivative computes has the program's fast-math flags, or all of them if that is asked for.

; RUN: %opt %s %loadEnzyme %enzyme -S | %FileCheck %s --check-prefixes=CHECK,AS-WRITTEN
; RUN: %opt %s %loadEnzyme %enzyme -enzyme-fast-math -S | %FileCheck %s --check-prefixes=CHECK,FAST

declare double @__enzyme_fwddiff(...)

define double @f(double %x, double %y) {
  %product = fmul double %x, %y
  %sum = fadd nnan double %product, %y
  ret double %sum
}

define double @forward(double %x, double %dx, double %y, double %dy) {
  %d = call double (...) @__enzyme_fwddiff(ptr @f, double %x, double %dx, double %y, double %dy)
  ret double %d
}

; CHECK: define internal double @fwddiffef(
; AS-WRITTEN: fmul double %
; AS-WRITTEN: fadd nnan double %
; AS-WRITTEN-NOT: fast
; FAST: fmul fast double %
; FAST: fadd fast double %
