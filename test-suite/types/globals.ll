; Variables, their initial contents, and constants of any size.
; RUN: %opt %loadEnzyme -passes=print-type-analysis -type-analysis-func=globals -disable-output %s | %FileCheck %s

; CHECK: globals - {} |{[-1]:Integer}:{} {[-1]:Pointer}:{}
; CHECK-NEXT: i64 %i: {[-1]:Integer}
; CHECK-NEXT: ptr %p: {[-1]:Pointer, [-1,0]:Float@double}
; CHECK-NEXT: entry
; CHECK-NEXT: %place = getelementptr inbounds double, ptr @table, i64 %i: {[-1]:Pointer, [-1,-1]:Float@double}
; CHECK-NEXT: %word = load i64, ptr %place, align 8: {[-1]:Float@double}
; CHECK-NEXT: %letter = load i8, ptr @names, align 1: {[-1]:Integer}
; CHECK-NEXT: store ptr %p, ptr @state, align 8: {}
; CHECK-NEXT: %q = load ptr, ptr @state, align 8: {[-1]:Pointer, [-1,0]:Float@double}
; CHECK-NEXT: store i64 %word, ptr %q, align 8: {}
; CHECK-NEXT: ret void: {}
; CHECK-NEXT: globals - {} |{[-1]:Integer}:{} {[-1]:Pointer, [-1,0]:Float@double}:{}
; CHECK-NEXT: i64 %i: {[-1]:Integer}
; CHECK-NEXT: ptr %p: {[-1]:Pointer, [-1,0]:Float@double}
; CHECK-NEXT: entry
; CHECK-NEXT: %place = getelementptr inbounds double, ptr @table, i64 %i: {[-1]:Pointer, [-1,-1]:Float@double}
; CHECK-NEXT: %word = load i64, ptr %place, align 8: {[-1]:Float@double}
; CHECK-NEXT: %letter = load i8, ptr @names, align 1: {[-1]:Integer}
; CHECK-NEXT: store ptr %p, ptr @state, align 8: {}
; CHECK-NEXT: %q = load ptr, ptr @state, align 8: {[-1]:Pointer, [-1,0]:Float@double}
; CHECK-NEXT: store i64 %word, ptr %q, align 8: {}
; CHECK-NEXT: ret void: {}

@table = internal constant [2 x double] [double 1.000000e+00, double 2.000000e+00]
@names = internal constant [4096 x i8] zeroinitializer
@state = global ptr null

define void @globals(i64 %i, ptr %p) {
entry:
  %place = getelementptr inbounds double, ptr @table, i64 %i
  %word = load i64, ptr %place, align 8
  %letter = load i8, ptr @names, align 1
  store ptr %p, ptr @state, align 8
  %q = load ptr, ptr @state, align 8
  store i64 %word, ptr %q, align 8
  ret void
}
