; Variables that others can use may carry derivatives; constants, and those said to be inactive, do not.
; RUN: %opt %loadEnzyme -passes=print-activity-analysis -activity-analysis-func=f -disable-output %s | %FileCheck %s

; CHECK: double %x: icv:0
; CHECK-NEXT: entry
; CHECK-NEXT: store double %x, ptr @shared, align 8: icv:1 ici:0
; CHECK-NEXT: %three = load double, ptr @fixed, align 8: icv:1 ici:1
; CHECK-NEXT: %y = fmul double %x, %three: icv:0 ici:0
; CHECK-NEXT: ret double %y: icv:1 ici:1

@shared = global double 0.000000e+00
@fixed = internal constant double 3.000000e+00

define double @f(double %x) {
entry:
  store double %x, ptr @shared, align 8
  %three = load double, ptr @fixed, align 8
  %y = fmul double %x, %three
  ret double %y
}
