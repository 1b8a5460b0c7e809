; How far types are followed: offsets in an object, and pointers to pointers.
; RUN: %opt %loadEnzyme -passes=print-type-analysis -type-analysis-func=far -disable-output %s | %FileCheck %s
; RUN: %opt %loadEnzyme -passes=print-type-analysis -type-analysis-func=far -enzyme-max-type-offset=16 \
; RUN:   -disable-output %s | %FileCheck %s --check-prefix=NEAR
; RUN: %opt %loadEnzyme -passes=print-type-analysis -type-analysis-func=far -enzyme-max-type-depth=2 \
; RUN:   -disable-output %s | %FileCheck %s --check-prefix=SHALLOW

; CHECK: far - {} |{[-1]:Pointer}:{}
; CHECK-NEXT: ptr %p: {[-1]:Pointer, [-1,0]:Float@double, [-1,8]:Pointer, [-1,8,0]:Float@float, [-1,64]:Float@double}
; CHECK-NEXT: entry
; CHECK-NEXT: store double 1.000000e+00, ptr %p, align 8: {}
; CHECK-NEXT: %far = getelementptr inbounds i8, ptr %p, i64 64: {[-1]:Pointer, [-1,0]:Float@double}
; CHECK-NEXT: store double 2.000000e+00, ptr %far, align 8: {}
; CHECK-NEXT: %middle = getelementptr inbounds i8, ptr %p, i64 8: {[-1]:Pointer, [-1,0]:Pointer, [-1,0,0]:Float@float, [-1,56]:Float@double}
; CHECK-NEXT: %q = load ptr, ptr %middle, align 8: {[-1]:Pointer, [-1,0]:Float@float}
; CHECK-NEXT: store float 3.000000e+00, ptr %q, align 4: {}
; CHECK-NEXT: ret void: {}
; CHECK-NEXT: far - {} |{[-1]:Pointer, [-1,0]:Float@double, [-1,8]:Pointer, [-1,8,0]:Float@float, [-1,64]:Float@double}:{}
; CHECK-NEXT: ptr %p: {[-1]:Pointer, [-1,0]:Float@double, [-1,8]:Pointer, [-1,8,0]:Float@float, [-1,64]:Float@double}
; CHECK-NEXT: entry
; CHECK-NEXT: store double 1.000000e+00, ptr %p, align 8: {}
; CHECK-NEXT: %far = getelementptr inbounds i8, ptr %p, i64 64: {[-1]:Pointer, [-1,0]:Float@double}
; CHECK-NEXT: store double 2.000000e+00, ptr %far, align 8: {}
; CHECK-NEXT: %middle = getelementptr inbounds i8, ptr %p, i64 8: {[-1]:Pointer, [-1,0]:Pointer, [-1,0,0]:Float@float, [-1,56]:Float@double}
; CHECK-NEXT: %q = load ptr, ptr %middle, align 8: {[-1]:Pointer, [-1,0]:Float@float}
; CHECK-NEXT: store float 3.000000e+00, ptr %q, align 4: {}
; CHECK-NEXT: ret void: {}

; NEAR: far - {} |{[-1]:Pointer}:{}
; NEAR-NEXT: ptr %p: {[-1]:Pointer, [-1,0]:Float@double, [-1,8]:Pointer, [-1,8,0]:Float@float}
; NEAR-NEXT: entry
; NEAR-NEXT: store double 1.000000e+00, ptr %p, align 8: {}
; NEAR-NEXT: %far = getelementptr inbounds i8, ptr %p, i64 64: {[-1]:Pointer, [-1,0]:Float@double}
; NEAR-NEXT: store double 2.000000e+00, ptr %far, align 8: {}
; NEAR-NEXT: %middle = getelementptr inbounds i8, ptr %p, i64 8: {[-1]:Pointer, [-1,0]:Pointer, [-1,0,0]:Float@float}
; NEAR-NEXT: %q = load ptr, ptr %middle, align 8: {[-1]:Pointer, [-1,0]:Float@float}
; NEAR-NEXT: store float 3.000000e+00, ptr %q, align 4: {}
; NEAR-NEXT: ret void: {}
; NEAR-NEXT: far - {} |{[-1]:Pointer, [-1,0]:Float@double, [-1,8]:Pointer, [-1,8,0]:Float@float}:{}
; NEAR-NEXT: ptr %p: {[-1]:Pointer, [-1,0]:Float@double, [-1,8]:Pointer, [-1,8,0]:Float@float}
; NEAR-NEXT: entry
; NEAR-NEXT: store double 1.000000e+00, ptr %p, align 8: {}
; NEAR-NEXT: %far = getelementptr inbounds i8, ptr %p, i64 64: {[-1]:Pointer, [-1,0]:Float@double}
; NEAR-NEXT: store double 2.000000e+00, ptr %far, align 8: {}
; NEAR-NEXT: %middle = getelementptr inbounds i8, ptr %p, i64 8: {[-1]:Pointer, [-1,0]:Pointer, [-1,0,0]:Float@float}
; NEAR-NEXT: %q = load ptr, ptr %middle, align 8: {[-1]:Pointer, [-1,0]:Float@float}
; NEAR-NEXT: store float 3.000000e+00, ptr %q, align 4: {}
; NEAR-NEXT: ret void: {}

; SHALLOW: far - {} |{[-1]:Pointer}:{}
; SHALLOW-NEXT: ptr %p: {[-1]:Pointer, [-1,0]:Float@double, [-1,8]:Pointer, [-1,64]:Float@double}
; SHALLOW-NEXT: entry
; SHALLOW-NEXT: store double 1.000000e+00, ptr %p, align 8: {}
; SHALLOW-NEXT: %far = getelementptr inbounds i8, ptr %p, i64 64: {[-1]:Pointer, [-1,0]:Float@double}
; SHALLOW-NEXT: store double 2.000000e+00, ptr %far, align 8: {}
; SHALLOW-NEXT: %middle = getelementptr inbounds i8, ptr %p, i64 8: {[-1]:Pointer, [-1,0]:Pointer, [-1,56]:Float@double}
; SHALLOW-NEXT: %q = load ptr, ptr %middle, align 8: {[-1]:Pointer, [-1,0]:Float@float}
; SHALLOW-NEXT: store float 3.000000e+00, ptr %q, align 4: {}
; SHALLOW-NEXT: ret void: {}
; SHALLOW-NEXT: far - {} |{[-1]:Pointer, [-1,0]:Float@double, [-1,8]:Pointer, [-1,64]:Float@double}:{}
; SHALLOW-NEXT: ptr %p: {[-1]:Pointer, [-1,0]:Float@double, [-1,8]:Pointer, [-1,64]:Float@double}
; SHALLOW-NEXT: entry
; SHALLOW-NEXT: store double 1.000000e+00, ptr %p, align 8: {}
; SHALLOW-NEXT: %far = getelementptr inbounds i8, ptr %p, i64 64: {[-1]:Pointer, [-1,0]:Float@double}
; SHALLOW-NEXT: store double 2.000000e+00, ptr %far, align 8: {}
; SHALLOW-NEXT: %middle = getelementptr inbounds i8, ptr %p, i64 8: {[-1]:Pointer, [-1,0]:Pointer, [-1,56]:Float@double}
; SHALLOW-NEXT: %q = load ptr, ptr %middle, align 8: {[-1]:Pointer, [-1,0]:Float@float}
; SHALLOW-NEXT: store float 3.000000e+00, ptr %q, align 4: {}
; SHALLOW-NEXT: ret void: {}

define void @far(ptr %p) {
entry:
  store double 1.000000e+00, ptr %p, align 8
  %far = getelementptr inbounds i8, ptr %p, i64 64
  store double 2.000000e+00, ptr %far, align 8
  %middle = getelementptr inbounds i8, ptr %p, i64 8
  %q = load ptr, ptr %middle, align 8
  store float 3.000000e+00, ptr %q, align 4
  ret void
}
