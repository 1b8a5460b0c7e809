; Integers that hold the bits of floats are floats: their signs are flipped, cleared and copied.
; RUN: %opt %loadEnzyme -passes=print-type-analysis -type-analysis-func=bits -disable-output %s | %FileCheck %s

; CHECK: bits - {[-1]:Integer} |{[-1]:Pointer}:{} {[-1]:Integer}:{}
; CHECK-NEXT: ptr %p: {[-1]:Pointer, [-1,0]:Float@double}
; CHECK-NEXT: i64 %n: {[-1]:Integer}
; CHECK-NEXT: entry
; CHECK-NEXT: %word = load i64, ptr %p, align 8: {[-1]:Float@double}
; CHECK-NEXT: %flipped = xor i64 %word, -9223372036854775808: {[-1]:Float@double}
; CHECK-NEXT: %cleared = and i64 %word, 9223372036854775807: {[-1]:Float@double}
; CHECK-NEXT: %x = bitcast i64 %word to double: {[-1]:Float@double}
; CHECK-NEXT: %y = fadd double %x, 1.000000e+00: {[-1]:Float@double}
; CHECK-NEXT: %number = and i64 %n, 255: {[-1]:Integer}
; CHECK-NEXT: %other = xor i64 %number, 3: {[-1]:Integer}
; CHECK-NEXT: ret i64 %other: {}
; CHECK-NEXT: bits - {[-1]:Integer} |{[-1]:Pointer, [-1,0]:Float@double}:{} {[-1]:Integer}:{}
; CHECK-NEXT: ptr %p: {[-1]:Pointer, [-1,0]:Float@double}
; CHECK-NEXT: i64 %n: {[-1]:Integer}
; CHECK-NEXT: entry
; CHECK-NEXT: %word = load i64, ptr %p, align 8: {[-1]:Float@double}
; CHECK-NEXT: %flipped = xor i64 %word, -9223372036854775808: {[-1]:Float@double}
; CHECK-NEXT: %cleared = and i64 %word, 9223372036854775807: {[-1]:Float@double}
; CHECK-NEXT: %x = bitcast i64 %word to double: {[-1]:Float@double}
; CHECK-NEXT: %y = fadd double %x, 1.000000e+00: {[-1]:Float@double}
; CHECK-NEXT: %number = and i64 %n, 255: {[-1]:Integer}
; CHECK-NEXT: %other = xor i64 %number, 3: {[-1]:Integer}
; CHECK-NEXT: ret i64 %other: {}

define i64 @bits(ptr %p, i64 %n) {
entry:
  %word = load i64, ptr %p, align 8
  %flipped = xor i64 %word, -9223372036854775808
  %cleared = and i64 %word, 9223372036854775807
  %x = bitcast i64 %word to double
  %y = fadd double %x, 1.000000e+00
  %number = and i64 %n, 255
  %other = xor i64 %number, 3
  ret i64 %other
}
