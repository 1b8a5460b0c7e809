//! Phis, loops and switches.

use crate::support::{check, check_with, loose};

/// A function whose blocks `left` and `right` meet in `join`, and return there.
fn diamond(parameters: &str, left: &str, right: &str, join: &str) -> String {
    format!(
        "define void @f(i1 %c, {parameters}) {{
entry:
  br i1 %c, label %left, label %right
left:
  {left}
  br label %join
right:
  {right}
  br label %join
join:
  {join}
  ret void
}}"
    )
}

#[test]
fn a_phi_is_what_all_its_values_are() {
    let text = diamond(
        "double %x, double %y",
        "%a = fneg double %x",
        "%b = fneg double %y",
        "%z = phi double [ %x, %left ], [ %y, %right ]",
    );
    check(&text, "%z: {[-1]:Float@double}");
    let text = diamond(
        "double %x, double %y",
        "%a = fneg double %x",
        "",
        "%z = phi double [ %x, %left ], [ %y, %right ]",
    );
    check(&text, "%z: {}\n%y: {}");
}

#[test]
fn a_use_of_a_phi_is_one_of_its_values() {
    let text = diamond(
        "double %x, double %y",
        "",
        "",
        "%z = phi double [ %x, %left ], [ %y, %right ]\n  %w = fneg double %z",
    );
    check(&text, "%x: {[-1]:Float@double}\n%y: {[-1]:Float@double}");
    check_with(loose(), &Default::default(), &text, "%x: {}\n%y: {}\n%z: {[-1]:Float@double}");
}

#[test]
fn a_zero_is_whatever_the_other_way_brings() {
    let text =
        diamond("double %x", "%a = fneg double %x", "", "%z = phi double [ %x, %left ], [ 0.0, %right ]");
    check(&text, "%z: {[-1]:Float@double}");
}

#[test]
fn pointers_agree_on_what_both_point_to() {
    let text = diamond(
        r#"ptr "enzyme_type"="{[-1]:Pointer, [-1,0]:Float@double, [-1,8]:Integer}" %p,
           ptr "enzyme_type"="{[-1]:Pointer, [-1,0]:Float@double, [-1,8]:Pointer}" %q"#,
        "",
        "",
        "%r = phi ptr [ %p, %left ], [ %q, %right ]",
    );
    check(&text, "%r: {[-1]:Pointer, [-1,0]:Float@double}");
}

const COUNTED: &str = "define void @f(i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}";

#[test]
fn what_counts_from_zero_is_an_integer() {
    check(COUNTED, "%i: {[-1]:Integer}\n%next: {[-1]:Integer}\n%n: {[-1]:Integer}");
}

#[test]
fn a_pointer_that_walks_stays_a_pointer() {
    check(
        r#"define void @f(ptr "enzyme_type"="{[-1]:Pointer, [-1,-1]:Float@double}" %p, ptr %end) {
entry:
  br label %loop
loop:
  %q = phi ptr [ %p, %entry ], [ %next, %loop ]
  %x = load double, ptr %q
  %y = fneg double %x
  %next = getelementptr inbounds double, ptr %q, i64 1
  %more = icmp ne ptr %next, %end
  br i1 %more, label %loop, label %exit
exit:
  ret void
}"#,
        "%q: {[-1]:Pointer, [-1,0]:Float@double}\n%p: {[-1]:Pointer, [-1,-1]:Float@double}",
    );
}

#[test]
fn a_recurrence_of_an_unknown_start_stays_unknown() {
    check(
        "define void @f(i64 %start, i64 %step, i1 %c) {
entry:
  br label %loop
loop:
  %i = phi i64 [ %start, %entry ], [ %next, %loop ]
  %next = add i64 %i, %step
  br i1 %c, label %loop, label %exit
exit:
  ret void
}",
        "%i: {}\n%next: {}\n%start: {}\n%step: {}",
    );
}

#[test]
fn an_address_that_counts_up_by_a_number_is_an_address() {
    check(
        "define void @f(ptr %p, i32 %n, i1 %c) {
entry:
  %x = load i8, ptr %p
  %start = ptrtoint ptr %p to i64
  %step = sext i32 %n to i64
  br label %loop
loop:
  %i = phi i64 [ %start, %entry ], [ %next, %loop ]
  %next = add i64 %i, %step
  br i1 %c, label %loop, label %exit
exit:
  ret void
}",
        "%i: {[-1]:Pointer}\n%next: {[-1]:Pointer}",
    );
}

#[test]
fn integers_made_of_each_other_alone_are_integers() {
    check(
        "define void @f(i32 %n, i1 %c, i1 %d) {
entry:
  %start = sext i32 %n to i64
  br label %outer
outer:
  %a = phi i64 [ %start, %entry ], [ %e, %latch ]
  br label %inner
inner:
  %b = phi i64 [ %a, %outer ], [ %f, %inner ]
  %f = mul i64 %b, %a
  br i1 %c, label %inner, label %latch
latch:
  %e = xor i64 %f, %a
  br i1 %d, label %outer, label %exit
exit:
  ret void
}",
        "%a: {[-1]:Integer}\n%b: {[-1]:Integer}\n%e: {[-1]:Integer}",
    );
}

#[test]
fn floats_in_a_loop_are_floats() {
    check(
        "define double @f(double %x, i1 %c) {
entry:
  br label %loop
loop:
  %sum = phi double [ 0.0, %entry ], [ %next, %loop ]
  %next = fadd double %sum, %x
  br i1 %c, label %loop, label %exit
exit:
  ret double %next
}",
        "%sum: {[-1]:Float@double}\n%x: {[-1]:Float@double}\nreturn: {[-1]:Float@double}",
    );
}

#[test]
fn a_switch_is_on_an_integer() {
    check(
        "define void @f(i32 %n) {
entry:
  switch i32 %n, label %exit [ i32 1, label %exit ]
exit:
  ret void
}",
        "%n: {[-1]:Integer}",
    );
}

#[test]
fn a_switch_on_an_address_does_not_make_it_an_integer() {
    check(
        "define void @f(ptr %p) {
entry:
  %x = load double, ptr %p
  %a = ptrtoint ptr %p to i64
  switch i64 %a, label %exit [ i64 0, label %exit ]
exit:
  ret void
}",
        "%a: {[-1]:Pointer}\n%p: {[-1]:Pointer}\n%x: {}",
    );
}

#[test]
fn a_result_is_what_all_returns_agree_on() {
    let text = |other: &str| {
        format!(
            "define i64 @f(i32 %n, ptr %p, i1 %c) {{
entry:
  %x = sext i32 %n to i64
  %b = load i8, ptr %p
  %a = ptrtoint ptr %p to i64
  br i1 %c, label %left, label %right
left:
  ret i64 %x
right:
  ret i64 {other}
}}"
        )
    };
    check(&text("%x"), "return: {[-1]:Integer}");
    check(&text("7"), "return: {[-1]:Integer}");
    check(&text("%a"), "return: {}");
}
