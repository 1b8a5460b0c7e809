; What a loop does is known for all its passes: elements of an array, and a pointer that moves on.
; RUN: %opt %loadEnzyme -passes=print-type-analysis -type-analysis-func=sum -disable-output %s | %FileCheck %s

; CHECK: sum - {[-1]:Float@double} |{[-1]:Pointer}:{} {[-1]:Integer}:{}
; CHECK-NEXT: ptr %p: {[-1]:Pointer, [-1,0]:Float@double}
; CHECK-NEXT: i64 %n: {[-1]:Integer}
; CHECK-NEXT: entry
; CHECK-NEXT: br label %loop: {}
; CHECK-NEXT: loop
; CHECK-NEXT: %i = phi i64 [ 0, %entry ], [ %next, %loop ]: {[-1]:Integer}
; CHECK-NEXT: %total = phi double [ 0.000000e+00, %entry ], [ %more, %loop ]: {[-1]:Float@double}
; CHECK-NEXT: %place = getelementptr inbounds double, ptr %p, i64 %i: {[-1]:Pointer, [-1,0]:Float@double}
; CHECK-NEXT: %x = load double, ptr %place, align 8, !tbaa {{.*}}: {[-1]:Float@double}
; CHECK-NEXT: %more = fadd double %total, %x: {[-1]:Float@double}
; CHECK-NEXT: %next = add nuw nsw i64 %i, 1: {[-1]:Integer}
; CHECK-NEXT: %done = icmp eq i64 %next, %n: {[-1]:Integer}
; CHECK-NEXT: br i1 %done, label %exit, label %loop: {}
; CHECK-NEXT: exit
; CHECK-NEXT: ret double %more: {}
; CHECK-NEXT: sum - {[-1]:Float@double} |{[-1]:Pointer, [-1,0]:Float@double}:{} {[-1]:Integer}:{}
; CHECK-NEXT: ptr %p: {[-1]:Pointer, [-1,0]:Float@double}
; CHECK-NEXT: i64 %n: {[-1]:Integer}
; CHECK-NEXT: entry
; CHECK-NEXT: br label %loop: {}
; CHECK-NEXT: loop
; CHECK-NEXT: %i = phi i64 [ 0, %entry ], [ %next, %loop ]: {[-1]:Integer}
; CHECK-NEXT: %total = phi double [ 0.000000e+00, %entry ], [ %more, %loop ]: {[-1]:Float@double}
; CHECK-NEXT: %place = getelementptr inbounds double, ptr %p, i64 %i: {[-1]:Pointer, [-1,0]:Float@double}
; CHECK-NEXT: %x = load double, ptr %place, align 8, !tbaa {{.*}}: {[-1]:Float@double}
; CHECK-NEXT: %more = fadd double %total, %x: {[-1]:Float@double}
; CHECK-NEXT: %next = add nuw nsw i64 %i, 1: {[-1]:Integer}
; CHECK-NEXT: %done = icmp eq i64 %next, %n: {[-1]:Integer}
; CHECK-NEXT: br i1 %done, label %exit, label %loop: {}
; CHECK-NEXT: exit
; CHECK-NEXT: ret double %more: {}

define double @sum(ptr %p, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %total = phi double [ 0.000000e+00, %entry ], [ %more, %loop ]
  %place = getelementptr inbounds double, ptr %p, i64 %i
  %x = load double, ptr %place, align 8, !tbaa !0
  %more = fadd double %total, %x
  %next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %loop

exit:
  ret double %more
}

!0 = !{!1, !1, i64 0}
!1 = !{!"double", !2, i64 0}
!2 = !{!"omnipotent char", !3, i64 0}
!3 = !{!"Simple C/C++ TBAA"}
