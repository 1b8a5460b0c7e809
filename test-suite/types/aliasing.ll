; Memory keeps its type, unless that is said not to be: then a use counts only where it is always reached.
; RUN: %opt %loadEnzyme -passes=print-type-analysis -type-analysis-func=either -disable-output %s | %FileCheck %s
; RUN: %opt %loadEnzyme -passes=print-type-analysis -type-analysis-func=either -enzyme-strict-aliasing=0 \
; RUN:   -disable-output %s | %FileCheck %s --check-prefix=LOOSE

; CHECK: either - {} |{[-1]:Pointer}:{} {[-1]:Integer}:{}
; CHECK-NEXT: ptr %p: {[-1]:Pointer, [-1,8]:Float@double}
; CHECK-NEXT: i1 %is.float: {[-1]:Integer}
; CHECK-NEXT: entry
; CHECK-NEXT: %place = getelementptr inbounds i8, ptr %p, i64 8: {[-1]:Pointer, [-1,0]:Float@double}
; CHECK-NEXT: br i1 %is.float, label %float, label %exit: {}
; CHECK-NEXT: float
; CHECK-NEXT: %x = load double, ptr %place, align 8: {[-1]:Float@double}
; CHECK-NEXT: %y = fadd double %x, 1.000000e+00: {[-1]:Float@double}
; CHECK-NEXT: store double %y, ptr %place, align 8: {}
; CHECK-NEXT: br label %exit: {}
; CHECK-NEXT: exit
; CHECK-NEXT: ret void: {}
; CHECK-NEXT: either - {} |{[-1]:Pointer, [-1,8]:Float@double}:{} {[-1]:Integer}:{}
; CHECK-NEXT: ptr %p: {[-1]:Pointer, [-1,8]:Float@double}
; CHECK-NEXT: i1 %is.float: {[-1]:Integer}
; CHECK-NEXT: entry
; CHECK-NEXT: %place = getelementptr inbounds i8, ptr %p, i64 8: {[-1]:Pointer, [-1,0]:Float@double}
; CHECK-NEXT: br i1 %is.float, label %float, label %exit: {}
; CHECK-NEXT: float
; CHECK-NEXT: %x = load double, ptr %place, align 8: {[-1]:Float@double}
; CHECK-NEXT: %y = fadd double %x, 1.000000e+00: {[-1]:Float@double}
; CHECK-NEXT: store double %y, ptr %place, align 8: {}
; CHECK-NEXT: br label %exit: {}
; CHECK-NEXT: exit
; CHECK-NEXT: ret void: {}

; LOOSE: either - {} |{[-1]:Pointer}:{} {[-1]:Integer}:{}
; LOOSE-NEXT: ptr %p: {[-1]:Pointer}
; LOOSE-NEXT: i1 %is.float: {[-1]:Integer}
; LOOSE-NEXT: entry
; LOOSE-NEXT: %place = getelementptr inbounds i8, ptr %p, i64 8: {[-1]:Pointer}
; LOOSE-NEXT: br i1 %is.float, label %float, label %exit: {}
; LOOSE-NEXT: float
; LOOSE-NEXT: %x = load double, ptr %place, align 8: {[-1]:Float@double}
; LOOSE-NEXT: %y = fadd double %x, 1.000000e+00: {[-1]:Float@double}
; LOOSE-NEXT: store double %y, ptr %place, align 8: {}
; LOOSE-NEXT: br label %exit: {}
; LOOSE-NEXT: exit
; LOOSE-NEXT: ret void: {}

define void @either(ptr %p, i1 %is.float) {
entry:
  %place = getelementptr inbounds i8, ptr %p, i64 8
  br i1 %is.float, label %float, label %exit

float:
  %x = load double, ptr %place, align 8
  %y = fadd double %x, 1.000000e+00
  store double %y, ptr %place, align 8
  br label %exit

exit:
  ret void
}
