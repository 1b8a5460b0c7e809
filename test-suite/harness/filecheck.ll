; FileCheck reads the expectations in the test itself.
; RUN: %opt -passes=instsimplify -S %s | %FileCheck %s

; CHECK-LABEL: define i32 @same(
; CHECK-NEXT:    ret i32 %x
define i32 @same(i32 %x) {
  %sum = add i32 %x, 0
  ret i32 %sum
}
