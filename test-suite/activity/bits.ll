; The bits of a float carry its derivative wherever they go as an integer; numbers made of them do not.
; RUN: %opt %loadEnzyme -passes=print-activity-analysis -activity-analysis-func=f -disable-output %s | %FileCheck %s

; CHECK: double %x: icv:0
; CHECK-NEXT: entry
; CHECK-NEXT: %bits = bitcast double %x to i64: icv:0 ici:0
; CHECK-NEXT: %flipped = xor i64 %bits, -9223372036854775808: icv:0 ici:0
; CHECK-NEXT: %negative = bitcast i64 %flipped to double: icv:0 ici:0
; CHECK-NEXT: %whole = fptosi double %x to i32: icv:1 ici:1
; CHECK-NEXT: %back = sitofp i32 %whole to double: icv:1 ici:1
; CHECK-NEXT: %sum = fadd double %negative, %back: icv:0 ici:0
; CHECK-NEXT: ret double %sum: icv:1 ici:1

define double @f(double %x) {
entry:
  %bits = bitcast double %x to i64
  %flipped = xor i64 %bits, -9223372036854775808
  %negative = bitcast i64 %flipped to double
  %whole = fptosi double %x to i32
  %back = sitofp i32 %whole to double
  %sum = fadd double %negative, %back
  ret double %sum
}
