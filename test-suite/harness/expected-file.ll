; `%%diff-expected` compares with a file beside the test, which `cargo xtask test --bless` writes.
; RUN: %opt -passes=instsimplify -S %s | %diff-expected
; RUN: echo "different" | env -u ENZYME_TEST_BLESS %not %diff-expected
; RUN: echo "a line about %s" | %diff-expected note

define i32 @zero(i32 %x) {
  %difference = sub i32 %x, %x
  ret i32 %difference
}
