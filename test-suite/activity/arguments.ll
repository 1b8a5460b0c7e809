; Arguments are active unless they are integers, or all are said to be constant; floats that are returned are asked for,
; other results only when they are said to come with a shadow.
; RUN: %opt %loadEnzyme -passes=print-activity-analysis -activity-analysis-func=f -disable-output %s | %FileCheck %s
; RUN: %opt %loadEnzyme -passes=print-activity-analysis -activity-analysis-func=f -activity-analysis-inactive-args \
; RUN:   -disable-output %s | %FileCheck %s --check-prefix=INACTIVE
; RUN: %opt %loadEnzyme -passes=print-activity-analysis -activity-analysis-func=g -disable-output %s \
; RUN:   | %FileCheck %s --check-prefix=RESULT
; RUN: %opt %loadEnzyme -passes=print-activity-analysis -activity-analysis-func=g -activity-analysis-duplicated-ret \
; RUN:   -disable-output %s | %FileCheck %s --check-prefix=DUPLICATED

; CHECK: double %x: icv:0
; CHECK-NEXT: i64 %n: icv:1
; CHECK-NEXT: entry
; CHECK-NEXT: %times = sitofp i64 %n to double: icv:1 ici:1
; CHECK-NEXT: %y = fmul double %x, %times: icv:0 ici:0
; CHECK-NEXT: %unused = fadd double %y, 1.000000e+00: icv:1 ici:1
; CHECK-NEXT: ret double %y: icv:1 ici:1

; INACTIVE: double %x: icv:1
; INACTIVE-NEXT: i64 %n: icv:1
; INACTIVE-NEXT: entry
; INACTIVE-NEXT: %times = sitofp i64 %n to double: icv:1 ici:1
; INACTIVE-NEXT: %y = fmul double %x, %times: icv:1 ici:1
; INACTIVE-NEXT: %unused = fadd double %y, 1.000000e+00: icv:1 ici:1
; INACTIVE-NEXT: ret double %y: icv:1 ici:1

; RESULT: double %x: icv:0
; RESULT-NEXT: entry
; RESULT-NEXT: %new = call ptr @malloc(i64 8): icv:1 ici:1
; RESULT-NEXT: store double %x, ptr %new, align 8: icv:1 ici:1
; RESULT-NEXT: ret ptr %new: icv:1 ici:1

; DUPLICATED: double %x: icv:0
; DUPLICATED-NEXT: entry
; DUPLICATED-NEXT: %new = call ptr @malloc(i64 8): icv:0 ici:1
; DUPLICATED-NEXT: store double %x, ptr %new, align 8: icv:1 ici:0
; DUPLICATED-NEXT: ret ptr %new: icv:1 ici:1

define double @f(double %x, i64 %n) {
entry:
  %times = sitofp i64 %n to double
  %y = fmul double %x, %times
  %unused = fadd double %y, 1.000000e+00
  ret double %y
}

define ptr @g(double %x) {
entry:
  %new = call ptr @malloc(i64 8)
  store double %x, ptr %new, align 8
  ret ptr %new
}

declare noalias ptr @malloc(i64)
