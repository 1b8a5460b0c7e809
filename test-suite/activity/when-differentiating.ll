; What is active in a function when it is differentiated, and options that change it.
; RUN: %opt %loadEnzyme %enzyme -enzyme-print-activity -disable-output %s 2>&1 | %FileCheck --check-prefix=ACTIVE %s
; RUN: %opt %loadEnzyme %enzyme -enzyme-print-activity -enzyme-globals-default-inactive -disable-output %s 2>&1 | %FileCheck --check-prefix=INACTIVE %s
; RUN: %opt %loadEnzyme %enzyme -enzyme-print-activity -enzyme-disable-activity-analysis -disable-output %s 2>&1 | %FileCheck --check-prefix=ALL %s

@factor = global double 2.0

; ACTIVE: ptr %p: icv:0
; ACTIVE: %y = load double, ptr @factor, align 8: icv:0 ici:0
; INACTIVE: ptr %p: icv:0
; INACTIVE: %y = load double, ptr @factor, align 8: icv:1 ici:1
; ALL: %square = fmul double %x, %x: icv:0 ici:0
; ACTIVE: %square = fmul double %x, %x: icv:1 ici:1
define double @scaled(ptr %p) {
entry:
  %x = load double, ptr %p, align 8
  %y = load double, ptr @factor, align 8
  %square = fmul double %x, %x
  %above = fcmp ogt double %square, 4.0
  br i1 %above, label %large, label %small

large:
  %product = fmul double %x, %y
  ret double %product

small:
  %sum = fadd double %x, %y
  ret double %sum
}

define double @derivative(ptr %p, ptr %q) {
  %d = call double (ptr, ...) @__enzyme_fwddiff(ptr @scaled, ptr %p, ptr %q)
  ret double %d
}

declare double @__enzyme_fwddiff(ptr, ...)
