; What a user says of a parameter, a result or a load.
; RUN: %opt %loadEnzyme -passes=print-type-analysis -type-analysis-func=told -disable-output %s | %FileCheck %s

; CHECK: told - {} |{[-1]:Pointer}:{} {[-1]:Pointer}:{}
; CHECK-NEXT: ptr %name: {[-1]:Pointer, [-1,-1]:Integer}
; CHECK-NEXT: ptr %place: {[-1]:Pointer, [-1,0]:Float@double}
; CHECK-NEXT: entry
; CHECK-NEXT: %data = call ptr @open(ptr %name): {[-1]:Pointer, [-1,0]:Float@float}
; CHECK-NEXT: %x = load i64, ptr %place, align 8, !enzyme_type {{.*}}: {[-1]:Float@double}
; CHECK-NEXT: ret void: {}
; CHECK-NEXT: told - {} |{[-1]:Pointer, [-1,-1]:Integer}:{} {[-1]:Pointer, [-1,0]:Float@double}:{}
; CHECK-NEXT: ptr %name: {[-1]:Pointer, [-1,-1]:Integer}
; CHECK-NEXT: ptr %place: {[-1]:Pointer, [-1,0]:Float@double}
; CHECK-NEXT: entry
; CHECK-NEXT: %data = call ptr @open(ptr %name): {[-1]:Pointer, [-1,0]:Float@float}
; CHECK-NEXT: %x = load i64, ptr %place, align 8, !enzyme_type {{.*}}: {[-1]:Float@double}
; CHECK-NEXT: ret void: {}

declare "enzyme_type"="{[-1]:Pointer, [-1,0]:Float@float}" ptr @open(ptr "enzyme_type"="{[-1]:Pointer, [-1,-1]:Integer}")

define void @told(ptr %name, ptr %place) {
entry:
  %data = call ptr @open(ptr %name)
  %x = load i64, ptr %place, align 8, !enzyme_type !0
  ret void
}

!0 = !{!"Unknown", i32 -1, !1}
!1 = !{!"Float@double"}
