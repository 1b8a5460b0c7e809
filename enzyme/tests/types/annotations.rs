//! What programs say themselves: attributes, metadata, markers.

use crate::support::{check, check_body};

#[test]
fn attributes_of_parameters_and_results_say_types() {
    check(
        r#"define "enzyme_type"="{[-1]:Float@double}" i64 @f(i64 "enzyme_type"="{[-1]:Pointer}" %x, i64 %y) {
  ret i64 %y
}"#,
        "%x: {[-1]:Pointer}\n%y: {[-1]:Float@double}\nreturn: {[-1]:Float@double}",
    );
}

#[test]
fn attributes_of_calls_say_types() {
    check_body(
        "i64 %x",
        r#"  %y = call "enzyme_type"="{[-1]:Integer}" i64 @opaque(i64 "enzyme_type"="{[-1]:Float@double}" %x)"#,
        "%x: {[-1]:Float@double}\n%y: {[-1]:Integer}",
    );
    check(
        r#"define void @f(i64 %x) {
  %y = call i64 @opaque(i64 %x)
  ret void
}

declare "enzyme_type"="{[-1]:Integer}" i64 @opaque(i64 "enzyme_type"="{[-1]:Float@double}")"#,
        "%x: {[-1]:Float@double}\n%y: {[-1]:Integer}",
    );
}

#[test]
fn an_attribute_that_is_no_tree_says_nothing() {
    check_body(r#"i64 "enzyme_type"="double" %x"#, "", "%x: {}");
}

#[test]
fn metadata_says_the_type_of_a_result() {
    check(
        "define void @f(ptr %p, ptr %r) {
  %x = load i64, ptr %p, !enzyme_type !0
  %q = load ptr, ptr %r, !enzyme_type !1
  ret void
}

!0 = !{!\"Unknown\", i32 -1, !2}
!1 = !{!\"Unknown\", i32 -1, !{!\"Pointer\", i32 0, !2}}
!2 = !{!\"Integer\"}",
        "%x: {[-1]:Integer}\n%q: {[-1]:Pointer, [-1,0]:Integer}",
    );
}

#[test]
fn markers_say_what_memory_holds() {
    for (marker, kind) in [
        ("__enzyme_float", "Float@float"),
        ("__enzyme_double", "Float@double"),
        ("__enzyme_integer", "Integer"),
        ("__enzyme_pointer", "Pointer"),
    ] {
        check_body(
            "ptr %p",
            &format!("  call void @{marker}(ptr %p)"),
            &format!("%p: {{[-1]:Pointer, [-1,0]:{kind}}}"),
        );
    }
    check_body(
        "ptr %p",
        "  call void @__enzyme_double(ptr %p, i64 24)",
        "%p: {[-1]:Pointer, [-1,0]:Float@double, [-1,8]:Float@double, [-1,16]:Float@double}",
    );
    check_body(
        "ptr %p",
        "  call void @__enzyme_float(ptr %p, i64 -1)",
        "%p: {[-1]:Pointer, [-1,-1]:Float@float}",
    );
}

#[test]
fn a_marker_for_many_bytes_ends_at_the_limit() {
    let doubles: Vec<String> =
        (0..500).step_by(8).map(|offset| format!("[-1,{offset}]:Float@double")).collect();
    check_body(
        "ptr %p",
        "  call void @__enzyme_double(ptr %p, i64 1000000000)",
        &format!("%p: {{[-1]:Pointer, {}}}", doubles.join(", ")),
    );
}
