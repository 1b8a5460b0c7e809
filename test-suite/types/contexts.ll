; A function is analysed once for each way in which it is called, and printed in the order of the module.
; RUN: %opt %loadEnzyme -passes=print-type-analysis -type-analysis-func=both -disable-output %s | %FileCheck %s

; CHECK: same - {} |{[-1]:Float@double}:{}
; CHECK-NEXT: i64 %x: {[-1]:Float@double}
; CHECK-EMPTY:
; CHECK-NEXT: ret i64 %x: {}
; CHECK-NEXT: same - {} |{[-1]:Pointer}:{}
; CHECK-NEXT: i64 %x: {[-1]:Pointer}
; CHECK-EMPTY:
; CHECK-NEXT: ret i64 %x: {}
; CHECK-NEXT: same - {[-1]:Float@double} |{[-1]:Float@double}:{}
; CHECK-NEXT: i64 %x: {[-1]:Float@double}
; CHECK-EMPTY:
; CHECK-NEXT: ret i64 %x: {}
; CHECK-NEXT: same - {[-1]:Pointer} |{[-1]:Pointer}:{}
; CHECK-NEXT: i64 %x: {[-1]:Pointer}
; CHECK-EMPTY:
; CHECK-NEXT: ret i64 %x: {}
; CHECK-NEXT: both - {} |{[-1]:Pointer}:{} {[-1]:Pointer}:{}
; CHECK-NEXT: ptr %p: {[-1]:Pointer, [-1,0]:Float@double}
; CHECK-NEXT: ptr %q: {[-1]:Pointer}
; CHECK-EMPTY:
; CHECK-NEXT: %number = load double, ptr %p, align 8: {[-1]:Float@double}
; CHECK-NEXT: %sum = fadd double %number, %number: {[-1]:Float@double}
; CHECK-NEXT: %bits = bitcast double %sum to i64: {[-1]:Float@double}
; CHECK-NEXT: %first = call i64 @same(i64 %bits): {[-1]:Float@double}
; CHECK-NEXT: %address = ptrtoint ptr %q to i64: {[-1]:Pointer}
; CHECK-NEXT: %second = call i64 @same(i64 %address): {[-1]:Pointer}
; CHECK-NEXT: ret void: {}
; CHECK-NEXT: both - {} |{[-1]:Pointer, [-1,0]:Float@double}:{} {[-1]:Pointer}:{}
; CHECK-NEXT: ptr %p: {[-1]:Pointer, [-1,0]:Float@double}
; CHECK-NEXT: ptr %q: {[-1]:Pointer}
; CHECK-EMPTY:
; CHECK-NEXT: %number = load double, ptr %p, align 8: {[-1]:Float@double}
; CHECK-NEXT: %sum = fadd double %number, %number: {[-1]:Float@double}
; CHECK-NEXT: %bits = bitcast double %sum to i64: {[-1]:Float@double}
; CHECK-NEXT: %first = call i64 @same(i64 %bits): {[-1]:Float@double}
; CHECK-NEXT: %address = ptrtoint ptr %q to i64: {[-1]:Pointer}
; CHECK-NEXT: %second = call i64 @same(i64 %address): {[-1]:Pointer}
; CHECK-NEXT: ret void: {}

define i64 @same(i64 %x) {
  ret i64 %x
}

define void @both(ptr %p, ptr %q) {
  %number = load double, ptr %p, align 8
  %sum = fadd double %number, %number
  %bits = bitcast double %sum to i64
  %first = call i64 @same(i64 %bits)
  %address = ptrtoint ptr %q to i64
  %second = call i64 @same(i64 %address)
  ret void
}

define void @unrelated(double %x) {
  ret void
}
