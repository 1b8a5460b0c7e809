; A value that a loop carries from pass to pass is active in all of them; its counter is not.
; RUN: %opt %loadEnzyme -passes=print-activity-analysis -activity-analysis-func=power -disable-output %s | %FileCheck %s

; CHECK: double %x: icv:0
; CHECK-NEXT: i64 %n: icv:1
; CHECK-NEXT: entry
; CHECK-NEXT: br label %loop: icv:1 ici:1
; CHECK-NEXT: loop
; CHECK-NEXT: %i = phi i64 [ 0, %entry ], [ %next, %loop ]: icv:1 ici:1
; CHECK-NEXT: %product = phi double [ 1.000000e+00, %entry ], [ %more, %loop ]: icv:0 ici:0
; CHECK-NEXT: %scale = phi double [ 1.000000e+00, %entry ], [ %half, %loop ]: icv:1 ici:1
; CHECK-NEXT: %scaled = fmul double %product, %scale: icv:0 ici:0
; CHECK-NEXT: %more = fmul double %scaled, %x: icv:0 ici:0
; CHECK-NEXT: %half = fmul double %scale, 5.000000e-01: icv:1 ici:1
; CHECK-NEXT: %next = add nuw nsw i64 %i, 1: icv:1 ici:1
; CHECK-NEXT: %done = icmp eq i64 %next, %n: icv:1 ici:1
; CHECK-NEXT: br i1 %done, label %exit, label %loop: icv:1 ici:1
; CHECK-NEXT: exit
; CHECK-NEXT: ret double %more: icv:1 ici:1

define double @power(double %x, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %product = phi double [ 1.000000e+00, %entry ], [ %more, %loop ]
  %scale = phi double [ 1.000000e+00, %entry ], [ %half, %loop ]
  %scaled = fmul double %product, %scale
  %more = fmul double %scaled, %x
  %half = fmul double %scale, 5.000000e-01
  %next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %loop

exit:
  ret double %more
}
