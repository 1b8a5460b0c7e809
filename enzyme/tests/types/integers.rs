//! Integers that stay integers: by their uses, here and where they are handed to.

use crate::support::{check, check_body};

#[test]
fn a_truth_value_that_nothing_but_arithmetic_uses_is_a_number() {
    check_body(
        "i1 %c, ptr %p",
        "  %n = zext i1 %c to i64\n  %q = getelementptr inbounds double, ptr %p, i64 %n",
        "%n: {[-1]:Integer}",
    );
    // It may be the address zero, or the float zero.
    check_body("i1 %c", "  %n = zext i1 %c to i64\n  %q = inttoptr i64 %n to ptr", "%n: {[-1]:Anything}");
    check_body("i1 %c", "  %n = zext i1 %c to i64\n  %x = bitcast i64 %n to double", "%n: {[-1]:Anything}");
}

const CALLER: &str = "define void @f(i1 %c, ptr %p) {
  %n = zext i1 %c to i64
  call void @g(i64 %n, ptr %p)
  ret void
}
";

#[test]
fn it_stays_one_where_it_is_handed_over_if_it_does_there() {
    check(
        &format!("{CALLER}\ndefine void @g(i64 %m, ptr %q) {{\n  %c = icmp eq i64 %m, 3\n  ret void\n}}"),
        "%n: {[-1]:Integer}\ng %m: {[-1]:Integer}",
    );
    check(
        &format!("{CALLER}\ndefine void @g(i64 %m, ptr %q) {{\n  store i64 %m, ptr %q\n  ret void\n}}"),
        "%n: {[-1]:Anything}\ng %m: {[-1]:Anything}",
    );
}

#[test]
fn it_stays_one_if_what_is_returned_does() {
    let text = |use_of_result: &str| {
        format!(
            "define void @f(i1 %c, ptr %p) {{
  %n = zext i1 %c to i64
  %r = call i64 @g(i64 %n)
  {use_of_result}
  ret void
}}

define i64 @g(i64 %m) {{
  ret i64 %m
}}"
        )
    };
    check(&text("%d = icmp eq i64 %r, 3"), "%n: {[-1]:Integer}");
    check(&text("store i64 %r, ptr %p"), "%n: {[-1]:Anything}");
}

#[test]
fn it_stays_one_through_functions_that_call_each_other() {
    check(
        "define void @f(i1 %c) {
  %n = zext i1 %c to i64
  call void @g(i64 %n, i1 %c)
  ret void
}

define void @g(i64 %m, i1 %c) {
entry:
  br i1 %c, label %again, label %exit
again:
  call void @h(i64 %m, i1 %c)
  br label %exit
exit:
  ret void
}

define void @h(i64 %k, i1 %c) {
  %sum = add i64 %k, 1
  call void @g(i64 %sum, i1 %c)
  ret void
}",
        "%n: {[-1]:Integer}",
    );
}

#[test]
fn a_store_that_is_said_to_be_of_an_integer_keeps_it_one() {
    let text = |name: &str| {
        format!(
            "define void @f(i1 %c, ptr %p) {{
  %n = zext i1 %c to i64
  store i64 %n, ptr %p, !tbaa !0
  ret void
}}

!0 = !{{!1, !1, i64 0}}
!1 = !{{!\"{name}\", !2, i64 0}}
!2 = !{{!\"omnipotent char\", !3, i64 0}}
!3 = !{{!\"Simple C/C++ TBAA\"}}"
        )
    };
    check(&text("long"), "%n: {[-1]:Integer}");
    check(&text("omnipotent char"), "%n: {[-1]:Anything}");
}
