; Types move with memory that is copied, in both directions.
; RUN: %opt %loadEnzyme -passes=print-type-analysis -type-analysis-func=copies -disable-output %s | %FileCheck %s

; CHECK: copies - {[-1]:Float@double} |{[-1]:Pointer}:{} {[-1]:Pointer}:{}
; CHECK-NEXT: ptr %from: {[-1]:Pointer, [-1,0]:Float@double, [-1,8]:Pointer, [-1,8,0]:Float@double}
; CHECK-NEXT: ptr %to: {[-1]:Pointer, [-1,0]:Float@double}
; CHECK-NEXT: entry
; CHECK-NEXT: %local = alloca [24 x i8], align 8: {[-1]:Pointer, [-1,0]:Float@double, [-1,8]:Pointer, [-1,8,0]:Float@double}
; CHECK-NEXT: call void @llvm.memcpy.p0.p0.i64(ptr %local, ptr %from, i64 16, i1 false): {}
; CHECK-NEXT: %x = load double, ptr %local, align 8: {[-1]:Float@double}
; CHECK-NEXT: %sum = fadd double %x, 1.000000e+00: {[-1]:Float@double}
; CHECK-NEXT: %second = getelementptr inbounds i8, ptr %local, i64 8: {[-1]:Pointer, [-1,0]:Pointer, [-1,0,0]:Float@double}
; CHECK-NEXT: %p = load ptr, ptr %second, align 8: {[-1]:Pointer, [-1,0]:Float@double}
; CHECK-NEXT: store double %sum, ptr %p, align 8: {}
; CHECK-NEXT: call void @llvm.memmove.p0.p0.i64(ptr %to, ptr %local, i64 8, i1 false): {}
; CHECK-NEXT: ret double %sum: {}
; CHECK-NEXT: copies - {[-1]:Float@double} |{[-1]:Pointer, [-1,0]:Float@double, [-1,8]:Pointer, [-1,8,0]:Float@double}:{} {[-1]:Pointer, [-1,0]:Float@double}:{}
; CHECK-NEXT: ptr %from: {[-1]:Pointer, [-1,0]:Float@double, [-1,8]:Pointer, [-1,8,0]:Float@double}
; CHECK-NEXT: ptr %to: {[-1]:Pointer, [-1,0]:Float@double}
; CHECK-NEXT: entry
; CHECK-NEXT: %local = alloca [24 x i8], align 8: {[-1]:Pointer, [-1,0]:Float@double, [-1,8]:Pointer, [-1,8,0]:Float@double}
; CHECK-NEXT: call void @llvm.memcpy.p0.p0.i64(ptr %local, ptr %from, i64 16, i1 false): {}
; CHECK-NEXT: %x = load double, ptr %local, align 8: {[-1]:Float@double}
; CHECK-NEXT: %sum = fadd double %x, 1.000000e+00: {[-1]:Float@double}
; CHECK-NEXT: %second = getelementptr inbounds i8, ptr %local, i64 8: {[-1]:Pointer, [-1,0]:Pointer, [-1,0,0]:Float@double}
; CHECK-NEXT: %p = load ptr, ptr %second, align 8: {[-1]:Pointer, [-1,0]:Float@double}
; CHECK-NEXT: store double %sum, ptr %p, align 8: {}
; CHECK-NEXT: call void @llvm.memmove.p0.p0.i64(ptr %to, ptr %local, i64 8, i1 false): {}
; CHECK-NEXT: ret double %sum: {}

define double @copies(ptr %from, ptr %to) {
entry:
  %local = alloca [24 x i8], align 8
  call void @llvm.memcpy.p0.p0.i64(ptr %local, ptr %from, i64 16, i1 false)
  %x = load double, ptr %local, align 8
  %sum = fadd double %x, 1.000000e+00
  %second = getelementptr inbounds i8, ptr %local, i64 8
  %p = load ptr, ptr %second, align 8
  store double %sum, ptr %p, align 8
  call void @llvm.memmove.p0.p0.i64(ptr %to, ptr %local, i64 8, i1 false)
  ret double %sum
}

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
