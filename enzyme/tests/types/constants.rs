//! Constants, initialisers and addresses in globals.

use std::fmt::Write as _;

use crate::support::check;

/// A load of a type from a global of an initialiser.
fn load(ty: &str, global: &str) -> String {
    format!("@g = constant {global}\n\ndefine void @f() {{\n  %x = load {ty}, ptr @g\n  ret void\n}}\n")
}

#[test]
fn a_table_of_floats_holds_floats() {
    check(
        &load("i64", "[2 x double] [double 1.0, double 2.0]"),
        "@g: {[-1]:Pointer, [-1,-1]:Float@double}\n%x: {[-1]:Float@double}",
    );
    check(
        &load("i64", "[2 x double] zeroinitializer"),
        "@g: {[-1]:Pointer, [-1,-1]:Anything}\n%x: {[-1]:Anything}",
    );
    // A zero among floats is a float.
    check(&load("i128", "[2 x double] [double 0.0, double 2.0]"), "%x: {[-1]:Float@double}");
}

#[test]
fn integers_of_a_table_may_be_the_bits_of_floats() {
    check(&load("i64", "[2 x i64] [i64 1, i64 2]"), "%x: {[-1]:Anything}");
    check(&load("i8", "i8 5"), "@g: {[-1]:Pointer, [-1,-1]:Integer}");
}

#[test]
fn fields_of_a_structure_are_what_each_is() {
    check(
        &load(
            "i64",
            "{ double, ptr, i64 } { double 1.0, ptr @other, i64 7 }\n@other = constant [1 x float] [float 2.0]",
        ),
        "@g: {[-1]:Pointer, [-1,0]:Float@double, [-1,8]:Pointer, [-1,8,-1]:Float@float, [-1,16]:Anything, \
         [-1,17]:Anything, [-1,18]:Anything, [-1,19]:Anything, [-1,20]:Anything, [-1,21]:Anything, \
         [-1,22]:Anything, [-1,23]:Anything}",
    );
}

#[test]
fn what_may_be_written_to_is_known_by_its_uses_alone() {
    check(
        "@g = global [2 x double] [double 1.0, double 2.0]

define void @f() {
  %x = load i64, ptr @g
  ret void
}",
        "@g: {[-1]:Pointer}\n%x: {}",
    );
    check(
        "@g = global double 1.0

define void @f(double %y) {
  %z = fneg double %y
  store double %y, ptr @g
  %x = load i64, ptr @g
  ret void
}",
        "@g: {[-1]:Pointer, [-1,-1]:Float@double}\n%x: {[-1]:Float@double}",
    );
    check(
        "@g = external global double\n\ndefine void @f() {\n  %x = load i64, ptr @g\n  ret void\n}",
        "%x: {}",
    );
    check(
        "@g = global i8 0\n\ndefine void @f() {\n  %x = load i8, ptr @g\n  ret void\n}",
        "@g: {[-1]:Pointer, [-1,-1]:Integer}",
    );
}

#[test]
fn offsets_beyond_the_limit_are_not_told_apart() {
    // Structures of a double and a pointer, up to byte 500.
    let elements = vec!["{ double, ptr } { double 1.0, ptr null }"; 100].join(", ");
    let mut expected = String::from("@g: {[-1]:Pointer");
    for offset in (0..=496).step_by(16) {
        let _ = write!(expected, ", [-1,{offset}]:Float@double");
        if offset + 8 <= 500 {
            let _ = write!(expected, ", [-1,{0}]:Pointer, [-1,{0},-1]:Anything", offset + 8);
        }
    }
    check(&load("i64", &format!("[100 x {{ double, ptr }}] [{elements}]")), &format!("{expected}}}"));
}

#[test]
fn a_table_that_is_one_type_throughout_is_so_beyond_the_limit() {
    let elements = vec!["double 1.5"; 1000].join(", ");
    check(&load("i64", &format!("[1000 x double] [{elements}]")), "@g: {[-1]:Pointer, [-1,-1]:Float@double}");
}

#[test]
fn a_table_of_virtual_functions_is_one_of_pointers() {
    check(
        "@vtable = constant { [3 x ptr] } { [3 x ptr] [ptr null, ptr @first, ptr @second] }

define void @f() {
  %method = load ptr, ptr getelementptr inbounds ({ [3 x ptr] }, ptr @vtable, i32 0, i32 0, i32 2)
  ret void
}

declare void @first()
declare void @second()",
        "%method: {[-1]:Pointer}",
    );
}

#[test]
fn globals_that_lead_back_to_themselves_come_to_an_end() {
    check(
        "@list = constant { double, ptr } { double 1.0, ptr @list }

define void @f() {
  %x = load i64, ptr @list
  ret void
}",
        "%x: {[-1]:Float@double}",
    );
    check(
        "@a = constant { double, ptr } { double 1.0, ptr @b }
@b = constant { double, ptr } { double 2.0, ptr @a }

define void @f() {
  %x = load i64, ptr @a
  %y = load i64, ptr @b
  ret void
}",
        "%x: {[-1]:Float@double}\n%y: {[-1]:Float@double}",
    );
}

#[test]
fn a_constant_address_in_a_global_shares_what_is_known() {
    // What is stored at an offset is known of the global, and of every other address of the place.
    check(
        "@g = global { i64, double } zeroinitializer

define void @f(double %y, i32 %i) {
  %z = fneg double %y
  store double %y, ptr getelementptr inbounds ({ i64, double }, ptr @g, i32 0, i32 1)
  %x = load i64, ptr getelementptr inbounds (i8, ptr @g, i64 8)
  %p = getelementptr inbounds i8, ptr @g, i64 8
  %w = load i64, ptr %p
  %other = load i64, ptr @g
  ret void
}",
        "@g: {[-1]:Pointer, [-1,8]:Float@double}
         %x: {[-1]:Float@double}
         %w: {[-1]:Float@double}
         %other: {}",
    );
}

#[test]
fn a_function_is_a_pointer() {
    check(
        "define void @f(ptr %p) {
  store ptr @f, ptr %p
  ret void
}",
        "%p: {[-1]:Pointer, [-1,0]:Pointer}",
    );
}

#[test]
fn numbers_are_integers_where_they_are_too_small_for_bits_of_floats_and_addresses() {
    let stored = |value: &str| format!("define void @f(ptr %p) {{\n  store {value}, ptr %p\n  ret void\n}}");
    let integer = |bytes: usize| {
        let bytes: Vec<String> = (0..bytes).map(|offset| format!("[-1,{offset}]:Integer")).collect();
        format!("%p: {{[-1]:Pointer, {}}}", bytes.join(", "))
    };
    for value in ["i64 7", "i64 4096", "i64 -7"] {
        check(&stored(value), &integer(8));
    }
    // Such a number may be the bits of a float.
    for value in ["i64 0", "i64 -1", "i64 4607182418800017408"] {
        check(&stored(value), "%p: {[-1]:Pointer}");
    }
}

#[test]
fn a_table_knows_no_more_than_its_address_with_the_mark_that_says_so() {
    check(
        "@g = global double 1.0, !enzyme_ta_norecur !0

define void @f(double %y) {
  %z = fneg double %y
  store double %y, ptr @g
  ret void
}

!0 = !{}",
        "@g: {[-1]:Pointer}",
    );
}

#[test]
fn a_list_of_many_globals_does_not_exhaust_the_stack() {
    let count = 20_000;
    let mut text = String::new();
    for index in 0..count {
        let next = if index + 1 < count { format!("@g{}", index + 1) } else { "null".to_owned() };
        let _ = writeln!(text, "@g{index} = constant {{ double, ptr }} {{ double 1.0, ptr {next} }}");
    }
    text += "define void @f() {\n  %x = load i64, ptr @g0\n  ret void\n}\n";
    check(&text, "%x: {[-1]:Float@double}");
}

#[test]
fn what_is_taken_out_of_a_constant_is_a_constant() {
    // Inside of the structure the number may be half of something larger; by itself it is one.
    check(
        "define void @f() {
           %n = extractvalue { double, i64 } { double 0.5, i64 2 }, 1
           %x = extractvalue { double, i64 } { double 0.5, i64 2 }, 0
           ret void
         }
",
        "%n: {[-1]:Integer}\n%x: {[-1]:Float@double}",
    );
}
