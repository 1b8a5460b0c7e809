; Derivatives pass through memory: into a local variable and out of it, but not through one that only holds constants.
; RUN: %opt %loadEnzyme -passes=print-activity-analysis -activity-analysis-func=f -disable-output %s | %FileCheck %s

; CHECK: double %x: icv:0
; CHECK-NEXT: ptr %out: icv:0
; CHECK-NEXT: entry
; CHECK-NEXT: %carries = alloca double, align 8: icv:0 ici:1
; CHECK-NEXT: %constant = alloca double, align 8: icv:1 ici:1
; CHECK-NEXT: %forgotten = alloca double, align 8: icv:1 ici:1
; CHECK-NEXT: store double %x, ptr %carries, align 8: icv:1 ici:0
; CHECK-NEXT: store double 2.000000e+00, ptr %constant, align 8: icv:1 ici:1
; CHECK-NEXT: store double %x, ptr %forgotten, align 8: icv:1 ici:1
; CHECK-NEXT: %y = load double, ptr %carries, align 8: icv:0 ici:0
; CHECK-NEXT: %two = load double, ptr %constant, align 8: icv:1 ici:1
; CHECK-NEXT: %z = fmul double %y, %two: icv:0 ici:0
; CHECK-NEXT: store double %two, ptr %out, align 8: icv:1 ici:1
; CHECK-NEXT: ret double %z: icv:1 ici:1

define double @f(double %x, ptr %out) {
entry:
  %carries = alloca double, align 8
  %constant = alloca double, align 8
  %forgotten = alloca double, align 8
  store double %x, ptr %carries, align 8
  store double 2.000000e+00, ptr %constant, align 8
  store double %x, ptr %forgotten, align 8
  %y = load double, ptr %carries, align 8
  %two = load double, ptr %constant, align 8
  %z = fmul double %y, %two
  store double %two, ptr %out, align 8
  ret double %z
}
