//! Loads, stores, frame memory, addresses, atomics.

use crate::support::{check, check_body, check_loosely};

#[test]
fn a_load_tells_the_pointer_what_the_value_is_used_as() {
    check_body(
        "ptr %p",
        "  %x = load double, ptr %p\n  %y = fneg double %x",
        "%p: {[-1]:Pointer, [-1,0]:Float@double}\n%x: {[-1]:Float@double}",
    );
}

#[test]
fn a_load_alone_says_only_that_there_is_a_pointer() {
    // The bits of an integer may be moved as those of a double.
    check_body("ptr %p", "  %x = load double, ptr %p", "%p: {[-1]:Pointer}\n%x: {}");
    check_body("ptr %p", "  %x = load i64, ptr %p", "%p: {[-1]:Pointer}\n%x: {}");
}

#[test]
fn a_load_takes_what_the_memory_holds() {
    check_body(
        r#"ptr "enzyme_type"="{[-1]:Pointer, [-1,0]:Float@double, [-1,8]:Pointer, [-1,8,0]:Integer}" %p"#,
        "  %x = load i64, ptr %p
           %field = getelementptr inbounds i8, ptr %p, i64 8
           %y = load ptr, ptr %field
           %both = load i128, ptr %p",
        "%x: {[-1]:Float@double}
         %y: {[-1]:Pointer, [-1,0]:Integer}
         %both: {[0]:Float@double, [8]:Pointer, [8,0]:Integer}",
    );
}

#[test]
fn what_is_loaded_beyond_the_known_bytes_stays_unknown() {
    check_body(
        r#"ptr "enzyme_type"="{[-1]:Pointer, [-1,0]:Float@double}" %p"#,
        "  %field = getelementptr inbounds i8, ptr %p, i64 8\n  %x = load i64, ptr %field",
        "%field: {[-1]:Pointer}\n%x: {}",
    );
}

#[test]
fn a_store_tells_the_memory_and_the_memory_tells_the_value() {
    check_body(
        "ptr %p, double %x",
        "  %y = fneg double %x\n  store double %x, ptr %p",
        "%p: {[-1]:Pointer, [-1,0]:Float@double}",
    );
    check_body(
        r#"ptr "enzyme_type"="{[-1]:Pointer, [-1,-1]:Float@double}" %p, i64 %x"#,
        "  store i64 %x, ptr %p",
        "%x: {[-1]:Float@double}",
    );
    check_body("ptr %p, i64 %x", "  store i64 %x, ptr %p", "%p: {[-1]:Pointer}\n%x: {}");
}

#[test]
fn a_stored_zero_says_nothing_of_the_memory() {
    check_body("ptr %p", "  store i64 0, ptr %p", "%p: {[-1]:Pointer}");
    check_body("ptr %p", "  store double 0.0, ptr %p", "%p: {[-1]:Pointer}");
    check_body("ptr %p", "  store double 1.5, ptr %p", "%p: {[-1]:Pointer, [-1,0]:Float@double}");
    check_body("ptr %p", "  store i8 7, ptr %p", "%p: {[-1]:Pointer, [-1,0]:Integer}");
}

#[test]
fn each_byte_of_an_integer_in_memory_is_one() {
    check_body(
        "ptr %p, i32 %x",
        "  %y = sext i32 %x to i64\n  store i32 %x, ptr %p",
        "%p: {[-1]:Pointer, [-1,0]:Integer, [-1,1]:Integer, [-1,2]:Integer, [-1,3]:Integer}\n%x: {[-1]:Integer}",
    );
    check_body(
        "ptr %p",
        "  %x = load i32, ptr %p\n  %y = sext i32 %x to i64",
        "%p: {[-1]:Pointer, [-1,0]:Integer, [-1,1]:Integer, [-1,2]:Integer, [-1,3]:Integer}",
    );
}

#[test]
fn a_pointer_in_memory_carries_what_it_points_to() {
    check_body(
        "ptr %p",
        "  %q = load ptr, ptr %p\n  %x = load float, ptr %q\n  %y = fadd float %x, %x",
        "%p: {[-1]:Pointer, [-1,0]:Pointer, [-1,0,0]:Float@float}",
    );
}

#[test]
fn frame_memory_keeps_its_types() {
    check_body(
        "i64 %n",
        "  %one = alloca double
           %many = alloca i64, i64 %n
           store double 1.0, ptr %one
           %x = load i64, ptr %one
           %y = load i64, ptr %many",
        "%n: {[-1]:Integer}
         %one: {[-1]:Pointer, [-1,-1]:Float@double}
         %many: {[-1]:Pointer}
         %x: {[-1]:Float@double}
         %y: {}",
    );
}

#[test]
fn a_constant_index_goes_to_one_field() {
    check_body(
        "ptr %p",
        "  %field = getelementptr inbounds { double, ptr }, ptr %p, i64 0, i32 1
           %q = load ptr, ptr %field
           %x = load float, ptr %q
           %y = fneg float %x",
        "%p: {[-1]:Pointer, [-1,8]:Pointer, [-1,8,0]:Float@float}
         %field: {[-1]:Pointer, [-1,0]:Pointer, [-1,0,0]:Float@float}",
    );
}

#[test]
fn an_unknown_index_keeps_what_holds_everywhere() {
    check_body(
        r#"ptr "enzyme_type"="{[-1]:Pointer, [-1,-1]:Float@double}" %p, i64 %i"#,
        "  %q = getelementptr inbounds double, ptr %p, i64 %i\n  %x = load i64, ptr %q",
        "%q: {[-1]:Pointer, [-1,-1]:Float@double}\n%x: {[-1]:Float@double}\n%i: {[-1]:Integer}",
    );
    check_body(
        r#"ptr "enzyme_type"="{[-1]:Pointer, [-1,0]:Float@double}" %p, i64 %i"#,
        "  %q = getelementptr inbounds double, ptr %p, i64 %i\n  %x = load i64, ptr %q",
        "%q: {[-1]:Pointer}\n%x: {}",
    );
    // Nor does it say where in the memory the value lies.
    check_body(
        "ptr %p, i64 %i",
        "  %q = getelementptr inbounds double, ptr %p, i64 %i\n  %x = load double, ptr %q\n  %y = fneg double %x",
        "%p: {[-1]:Pointer}\n%q: {[-1]:Pointer, [-1,0]:Float@double}",
    );
}

#[test]
fn an_index_that_a_loop_counts_goes_to_each_element() {
    check(
        "define void @f(ptr %p) {
         entry:
           br label %loop
         loop:
           %i = phi i64 [ 0, %entry ], [ %next, %loop ]
           %q = getelementptr inbounds double, ptr %p, i64 %i
           %x = load double, ptr %q
           %y = fneg double %x
           %next = add i64 %i, 1
           %done = icmp eq i64 %next, 3
           br i1 %done, label %exit, label %loop
         exit:
           ret void
         }",
        "%p: {[-1]:Pointer, [-1,0]:Float@double, [-1,8]:Float@double, [-1,16]:Float@double}
         %i: {[-1]:Integer}",
    );
}

#[test]
fn an_index_that_is_not_in_bounds_is_an_integer_only_if_it_is_known_to_be() {
    check_body(
        r#"ptr "enzyme_type"="{[-1]:Pointer, [-1,-1]:Float@double}" %p, i64 %i"#,
        "  %q = getelementptr double, ptr %p, i64 %i",
        "%i: {}\n%q: {}",
    );
    check_body(
        r#"ptr "enzyme_type"="{[-1]:Pointer, [-1,-1]:Float@double}" %p, i32 %i"#,
        "  %wide = sext i32 %i to i64\n  %q = getelementptr double, ptr %p, i64 %wide",
        "%q: {[-1]:Pointer, [-1,-1]:Float@double}",
    );
}

#[test]
fn numbers_are_written_as_offsets_from_null() {
    check_body("", "  %q = getelementptr i8, ptr null, i64 8", "%q: {[-1]:Integer}");
    check_body(
        "",
        "  %q = getelementptr inbounds i8, ptr null, i64 0",
        "%q: {[-1]:Pointer, [-1,-1]:Anything}",
    );
    check_body("", "  %q = getelementptr i8, ptr undef, i64 8", "%q: {[-1]:Anything}");
    check_body("i64 %i", "  %q = getelementptr i8, ptr null, i64 %i", "%q: {}");
}

#[test]
fn an_address_of_no_index_is_the_same_address() {
    check_body(
        "ptr %p",
        "  %x = load double, ptr %p\n  %y = fneg double %x\n  %q = getelementptr i8, ptr %p, i64 0",
        "%q: {[-1]:Pointer, [-1,0]:Float@double}",
    );
}

#[test]
fn an_address_computed_back_has_no_offsets() {
    check_body(
        r#"ptr "enzyme_type"="{[-1]:Pointer, [-1,0]:Float@double}" %p"#,
        "  %q = getelementptr inbounds i8, ptr %p, i64 -8",
        "%q: {[-1]:Pointer}",
    );
}

#[test]
fn an_atomic_update_of_floats_is_one_of_floats() {
    check_body(
        "ptr %p, double %x",
        "  %old = atomicrmw fadd ptr %p, double %x monotonic",
        "%p: {[-1]:Pointer, [-1,0]:Float@double}\n%x: {[-1]:Float@double}\n%old: {[-1]:Float@double}",
    );
}

#[test]
fn an_atomic_exchange_is_a_load_and_a_store() {
    check_body(
        "ptr %p, i64 %x",
        "  %old = atomicrmw xchg ptr %p, i64 %x monotonic
           %y = bitcast i64 %old to double
           %z = fneg double %y",
        "%p: {[-1]:Pointer, [-1,0]:Float@double}\n%x: {[-1]:Float@double}",
    );
    check_body("ptr %p, i64 %x", "  %old = atomicrmw xchg ptr %p, i64 %x monotonic", "%x: {}\n%old: {}");
}

#[test]
fn an_atomic_sum_of_integers_is_an_integer() {
    check_body(
        r#"ptr "enzyme_type"="{[-1]:Pointer, [-1,-1]:Integer}" %p"#,
        "  %old = atomicrmw add ptr %p, i64 1 monotonic",
        "%old: {[-1]:Integer}",
    );
    check_body(
        r#"ptr "enzyme_type"="{[-1]:Pointer, [-1,-1]:Float@double}" %p"#,
        "  %old = atomicrmw umax ptr %p, i64 1 monotonic",
        "%old: {[-1]:Float@double}",
    );
    check_body("ptr %p, i64 %x", "  %old = atomicrmw add ptr %p, i64 %x monotonic", "%old: {}\n%x: {}");
}

#[test]
fn an_exchange_after_comparison_has_one_type_of_memory() {
    check_body(
        "ptr %p, i64 %expected, i64 %new, double %x",
        "  %bits = bitcast double %x to i64
           %old = cmpxchg ptr %p, i64 %expected, i64 %bits monotonic monotonic
           %y = fneg double %x",
        "%p: {[-1]:Pointer, [-1,0]:Float@double}
         %expected: {[-1]:Float@double}
         %old: {[0]:Float@double, [8]:Integer}",
    );
    check_body(
        "ptr %p, i64 %expected, i64 %new",
        "  %old = cmpxchg ptr %p, i64 %expected, i64 %new monotonic monotonic",
        "%p: {[-1]:Pointer}\n%expected: {}\n%new: {}\n%old: {[8]:Integer}",
    );
}

const BRANCH: &str = "define void @f(ptr %p, i1 %c) {
entry:
  br i1 %c, label %float, label %exit
float:
  %x = load double, ptr %p
  %y = fneg double %x
  br label %exit
exit:
  ret void
}";

#[test]
fn a_use_on_one_way_says_what_memory_is_if_memory_keeps_its_types() {
    check(BRANCH, "%p: {[-1]:Pointer, [-1,0]:Float@double}");
}

#[test]
fn a_use_on_one_way_says_nothing_if_memory_may_change_its_types() {
    use crate::support::{check_with, loose};
    check_with(loose(), &Default::default(), BRANCH, "%p: {}\n%x: {[-1]:Float@double}");
    check_loosely(
        "ptr %p",
        "  %x = load double, ptr %p\n  %y = fneg double %x",
        "%p: {[-1]:Pointer, [-1,0]:Float@double}",
    );
}

#[test]
fn frame_memory_is_used_as_one_type_even_when_types_may_change() {
    use crate::support::{check_with, loose};
    let text = "define void @f(i1 %c) {
entry:
  %slot = alloca double
  br i1 %c, label %float, label %exit
float:
  store double 1.0, ptr %slot
  br label %exit
exit:
  ret void
}";
    check_with(loose(), &Default::default(), text, "%slot: {[-1]:Pointer, [-1,-1]:Float@double}");
}

#[test]
fn unreachable_blocks_say_nothing() {
    check(
        "define void @f(ptr %p, i1 %c) {
         entry:
           br i1 %c, label %trap, label %exit
         trap:
           %x = load double, ptr %p
           %y = fneg double %x
           unreachable
         exit:
           ret void
         }",
        "%p: {}\n%x: {}",
    );
}

#[test]
fn a_pointer_into_the_middle_of_a_float_does_not_point_to_one() {
    check_body(
        r#"ptr "enzyme_type"="{[-1]:Pointer, [-1,-1]:Float@double}" %p, i64 %i"#,
        "  %byte = getelementptr inbounds i8, ptr %p, i64 3
           %next = getelementptr inbounds i8, ptr %p, i64 8
           %somewhere = getelementptr inbounds i8, ptr %p, i64 %i",
        "%byte: {[-1]:Pointer}
         %next: {[-1]:Pointer, [-1,-1]:Float@double}
         %somewhere: {[-1]:Pointer, [-1,-1]:Float@double}",
    );
}
