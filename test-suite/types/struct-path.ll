; Where an access says which member of which structure it is of, that says its type.
; RUN: %opt %loadEnzyme -passes=print-type-analysis -type-analysis-func=members -disable-output %s | %FileCheck %s

; CHECK: members - {} |{[-1]:Pointer}:{} {[-1]:Pointer}:{}
; CHECK-NEXT: ptr %s: {[-1]:Pointer, [-1,0]:Float@double, [-1,8]:Pointer, [-1,16]:Integer, [-1,17]:Integer, [-1,18]:Integer, [-1,19]:Integer}
; CHECK-NEXT: ptr %t: {[-1]:Pointer, [-1,0]:Float@double}
; CHECK-NEXT: entry
; CHECK-NEXT: %x = load i64, ptr %s, align 8, !tbaa {{.*}}: {[-1]:Float@double}
; CHECK-NEXT: %second = getelementptr inbounds i8, ptr %s, i64 8: {[-1]:Pointer, [-1,0]:Pointer, [-1,8]:Integer, [-1,9]:Integer, [-1,10]:Integer, [-1,11]:Integer}
; CHECK-NEXT: %p = load i64, ptr %second, align 8, !tbaa {{.*}}: {[-1]:Pointer}
; CHECK-NEXT: %third = getelementptr inbounds i8, ptr %s, i64 16: {[-1]:Pointer, [-1,0]:Integer, [-1,1]:Integer, [-1,2]:Integer, [-1,3]:Integer}
; CHECK-NEXT: %n = load i32, ptr %third, align 4, !tbaa {{.*}}: {[-1]:Integer}
; CHECK-NEXT: store i64 %x, ptr %t, align 8: {}
; CHECK-NEXT: ret void: {}
; CHECK-NEXT: members - {} |{[-1]:Pointer, [-1,0]:Float@double, [-1,8]:Pointer, [-1,16]:Integer, [-1,17]:Integer, [-1,18]:Integer, [-1,19]:Integer}:{} {[-1]:Pointer, [-1,0]:Float@double}:{}
; CHECK-NEXT: ptr %s: {[-1]:Pointer, [-1,0]:Float@double, [-1,8]:Pointer, [-1,16]:Integer, [-1,17]:Integer, [-1,18]:Integer, [-1,19]:Integer}
; CHECK-NEXT: ptr %t: {[-1]:Pointer, [-1,0]:Float@double}
; CHECK-NEXT: entry
; CHECK-NEXT: %x = load i64, ptr %s, align 8, !tbaa {{.*}}: {[-1]:Float@double}
; CHECK-NEXT: %second = getelementptr inbounds i8, ptr %s, i64 8: {[-1]:Pointer, [-1,0]:Pointer, [-1,8]:Integer, [-1,9]:Integer, [-1,10]:Integer, [-1,11]:Integer}
; CHECK-NEXT: %p = load i64, ptr %second, align 8, !tbaa {{.*}}: {[-1]:Pointer}
; CHECK-NEXT: %third = getelementptr inbounds i8, ptr %s, i64 16: {[-1]:Pointer, [-1,0]:Integer, [-1,1]:Integer, [-1,2]:Integer, [-1,3]:Integer}
; CHECK-NEXT: %n = load i32, ptr %third, align 4, !tbaa {{.*}}: {[-1]:Integer}
; CHECK-NEXT: store i64 %x, ptr %t, align 8: {}
; CHECK-NEXT: ret void: {}

define void @members(ptr %s, ptr %t) {
entry:
  %x = load i64, ptr %s, align 8, !tbaa !4
  %second = getelementptr inbounds i8, ptr %s, i64 8
  %p = load i64, ptr %second, align 8, !tbaa !6
  %third = getelementptr inbounds i8, ptr %s, i64 16
  %n = load i32, ptr %third, align 4, !tbaa !7
  store i64 %x, ptr %t, align 8
  ret void
}

!0 = !{!"Simple C/C++ TBAA"}
!1 = !{!"omnipotent char", !0, i64 0}
!2 = !{!"double", !1, i64 0}
!3 = !{!"any pointer", !1, i64 0}
!4 = !{!5, !2, i64 0}
!5 = !{!"record", !2, i64 0, !3, i64 8, !8, i64 16}
!6 = !{!5, !3, i64 8}
!7 = !{!5, !8, i64 16}
!8 = !{!"int", !1, i64 0}
