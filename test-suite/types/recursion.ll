; Functions that call each other learn from each other.
; RUN: %opt %loadEnzyme -passes=print-type-analysis -type-analysis-func=even -disable-output %s | %FileCheck %s

; CHECK: even - {} |{[-1]:Pointer}:{} {[-1]:Integer}:{}
; CHECK-NEXT: ptr %p: {[-1]:Pointer, [-1,0]:Float@double}
; CHECK-NEXT: i64 %n: {[-1]:Integer}
; CHECK-NEXT: entry
; CHECK-NEXT: %done = icmp eq i64 %n, 0: {[-1]:Integer}
; CHECK-NEXT: br i1 %done, label %exit, label %more: {}
; CHECK-NEXT: more
; CHECK-NEXT: %less = sub i64 %n, 1: {[-1]:Integer}
; CHECK-NEXT: call void @odd(ptr %p, i64 %less): {}
; CHECK-NEXT: br label %exit: {}
; CHECK-NEXT: exit
; CHECK-NEXT: ret void: {}
; CHECK-NEXT: even - {} |{[-1]:Pointer, [-1,0]:Float@double}:{} {[-1]:Integer}:{}
; CHECK-NEXT: ptr %p: {[-1]:Pointer, [-1,0]:Float@double}
; CHECK-NEXT: i64 %n: {[-1]:Integer}
; CHECK-NEXT: entry
; CHECK-NEXT: %done = icmp eq i64 %n, 0: {[-1]:Integer}
; CHECK-NEXT: br i1 %done, label %exit, label %more: {}
; CHECK-NEXT: more
; CHECK-NEXT: %less = sub i64 %n, 1: {[-1]:Integer}
; CHECK-NEXT: call void @odd(ptr %p, i64 %less): {}
; CHECK-NEXT: br label %exit: {}
; CHECK-NEXT: exit
; CHECK-NEXT: ret void: {}
; CHECK-NEXT: odd - {} |{[-1]:Pointer}:{} {[-1]:Integer}:{}
; CHECK-NEXT: ptr %p: {[-1]:Pointer, [-1,0]:Float@double}
; CHECK-NEXT: i64 %n: {[-1]:Integer}
; CHECK-NEXT: entry
; CHECK-NEXT: %x = load i64, ptr %p, align 8: {[-1]:Float@double}
; CHECK-NEXT: %d = bitcast i64 %x to double: {[-1]:Float@double}
; CHECK-NEXT: %y = fmul double %d, 2.000000e+00: {[-1]:Float@double}
; CHECK-NEXT: store double %y, ptr %p, align 8: {}
; CHECK-NEXT: call void @even(ptr %p, i64 %n): {}
; CHECK-NEXT: ret void: {}
; CHECK-NEXT: odd - {} |{[-1]:Pointer, [-1,0]:Float@double}:{} {[-1]:Integer}:{}
; CHECK-NEXT: ptr %p: {[-1]:Pointer, [-1,0]:Float@double}
; CHECK-NEXT: i64 %n: {[-1]:Integer}
; CHECK-NEXT: entry
; CHECK-NEXT: %x = load i64, ptr %p, align 8: {[-1]:Float@double}
; CHECK-NEXT: %d = bitcast i64 %x to double: {[-1]:Float@double}
; CHECK-NEXT: %y = fmul double %d, 2.000000e+00: {[-1]:Float@double}
; CHECK-NEXT: store double %y, ptr %p, align 8: {}
; CHECK-NEXT: call void @even(ptr %p, i64 %n): {}
; CHECK-NEXT: ret void: {}

define void @even(ptr %p, i64 %n) {
entry:
  %done = icmp eq i64 %n, 0
  br i1 %done, label %exit, label %more

more:
  %less = sub i64 %n, 1
  call void @odd(ptr %p, i64 %less)
  br label %exit

exit:
  ret void
}

define void @odd(ptr %p, i64 %n) {
entry:
  %x = load i64, ptr %p, align 8
  %d = bitcast i64 %x to double
  %y = fmul double %d, 2.000000e+00
  store double %y, ptr %p, align 8
  call void @even(ptr %p, i64 %n)
  ret void
}
