//! Arithmetic, conversions, comparisons, choices: where floats, integers and addresses come from, and what arithmetic on
//! bits makes of them.

use crate::support::{check_body, check_loosely};

#[test]
fn floating_point_arithmetic_is_of_floats() {
    check_body(
        "double %x, float %y, <2 x float> %v",
        "  %a = fadd double %x, 1.0\n  %b = fneg float %y\n  %c = fmul <2 x float> %v, %v",
        "%x: {[-1]:Float@double}\n%y: {[-1]:Float@float}\n%v: {[-1]:Float@float}\n%c: {[-1]:Float@float}",
    );
}

#[test]
fn every_format_of_floats_has_its_name() {
    check_body(
        "half %a, bfloat %b, x86_fp80 %c, fp128 %d",
        "  %h = fneg half %a\n  %i = fneg bfloat %b\n  %j = fneg x86_fp80 %c\n  %k = fneg fp128 %d",
        "%a: {[-1]:Float@half}\n%b: {[-1]:Float@bf16}\n%c: {[-1]:Float@fp80}\n%d: {[-1]:Float@fp128}",
    );
}

#[test]
fn conversions_are_of_numbers() {
    check_body(
        "i64 %n, double %x, float %y",
        "  %a = sitofp i64 %n to double
           %b = fptoui double %x to i32
           %c = fpext float %y to double
           %d = fptrunc double %c to half",
        "%n: {[-1]:Integer}
         %a: {[-1]:Float@double}
         %x: {[-1]:Float@double}
         %b: {[-1]:Integer}
         %y: {[-1]:Float@float}
         %c: {[-1]:Float@double}
         %d: {[-1]:Float@half}",
    );
}

#[test]
fn the_same_bits_have_the_same_type() {
    check_body(
        "i64 %bits",
        "  %x = bitcast i64 %bits to double\n  %y = fneg double %x",
        "%bits: {[-1]:Float@double}",
    );
    check_body("i64 %bits", "  %x = bitcast i64 %bits to double", "%bits: {}\n%x: {}");
    check_body(
        "ptr %p",
        "  %bits = ptrtoint ptr %p to i64\n  %q = inttoptr i64 %bits to ptr\n  %x = load i8, ptr %q\n  %y = sext i8 %x to i32",
        "%p: {[-1]:Pointer, [-1,0]:Integer}\n%bits: {[-1]:Pointer, [-1,0]:Integer}",
    );
    check_body("", "  %q = inttoptr i64 4096 to ptr", "%q: {[-1]:Anything}");
}

#[test]
fn parts_of_an_integer_keep_their_kind() {
    check_body(
        "i64 %x",
        "  %low = trunc i64 %x to i32\n  %y = bitcast i32 %low to float\n  %z = fneg float %y",
        "%x: {[0]:Float@float}\n%low: {[-1]:Float@float}",
    );
    check_body("i32 %x", "  %y = sext i32 %x to i64", "%x: {[-1]:Integer}\n%y: {[-1]:Integer}");
    check_body(
        "i32 %x",
        "  %y = zext i32 %x to i64\n  %z = sext i32 %x to i64",
        "%x: {[-1]:Integer}\n%y: {[-1]:Integer}",
    );
    // Nothing is known of what is widened with zeros: floats may be.
    check_body("i32 %x", "  %y = zext i32 %x to i64\n  %z = inttoptr i64 %y to ptr", "%x: {}\n%y: {}");
    // A truth value that nothing but arithmetic uses is a number.
    check_body("i1 %c", "  %y = zext i1 %c to i64\n  %z = add i64 %y, %y", "%y: {[-1]:Integer}");
    check_body("i1 %c", "  %y = zext i1 %c to i64\n  call void @use(i64 %y)", "%y: {[-1]:Anything}");
}

#[test]
fn small_integers_may_be_bytes_of_something_else() {
    check_body("i8 %x, i1 %c, i16 %wide", "", "%x: {}\n%c: {}\n%wide: {}");
}

#[test]
fn freezing_changes_nothing() {
    check_body("i64 %x", "  %y = freeze i64 %x\n  %z = sitofp i64 %y to double", "%x: {[-1]:Integer}");
}

#[test]
fn a_sum_that_is_an_integer_is_one_of_integers() {
    check_body(
        "i64 %x, i64 %y",
        "  %sum = add i64 %x, %y\n  %f = sitofp i64 %sum to double",
        "%x: {[-1]:Integer}\n%y: {[-1]:Integer}\n%sum: {[-1]:Integer}",
    );
    check_body("i64 %x, i64 %y", "  %sum = add i64 %x, %y", "%x: {}\n%y: {}\n%sum: {}");
    check_body(
        "i64 %x, i64 %y",
        "  %product = mul i64 %x, %y\n  %f = sitofp i64 %product to double",
        "%x: {[-1]:Integer}\n%y: {[-1]:Integer}",
    );
}

#[test]
fn an_address_plus_a_number_is_an_address() {
    check_body(
        "ptr %p, i64 %n",
        "  %x = load i8, ptr %p
           %a = ptrtoint ptr %p to i64
           %f = sitofp i64 %n to double
           %b = add i64 %a, %n
           %c = sub i64 %a, %n
           %d = mul i64 %a, %n",
        "%b: {[-1]:Pointer}\n%c: {[-1]:Pointer}\n%d: {[-1]:Pointer}",
    );
}

#[test]
fn the_distance_of_two_addresses_is_a_number() {
    check_body(
        "ptr %p, ptr %q",
        "  %x = load i8, ptr %p
           %y = load i8, ptr %q
           %a = ptrtoint ptr %p to i64
           %b = ptrtoint ptr %q to i64
           %distance = sub i64 %a, %b
           %sum = add i64 %a, %b",
        "%distance: {[-1]:Integer}\n%sum: {}",
    );
    // If one is an address, so is the other.
    check_body(
        "ptr %p, i64 %b",
        "  %x = load i8, ptr %p
           %a = ptrtoint ptr %p to i64
           %distance = sub i64 %a, %b
           %f = sitofp i64 %distance to double",
        "%b: {[-1]:Pointer}",
    );
    check_body(
        "i64 %a, i64 %b",
        "  %distance = sub i64 %a, %b\n  %f = sitofp i64 %distance to double",
        "%a: {}\n%b: {}",
    );
}

#[test]
fn what_is_left_of_an_address_after_subtraction_says_what_was_subtracted() {
    check_body(
        "i64 %a, i64 %b",
        "  %f = sitofp i64 %b to double
           %moved = sub i64 %a, %b
           %p = inttoptr i64 %moved to ptr
           %x = load i8, ptr %p",
        "%a: {[-1]:Pointer}",
    );
}

#[test]
fn rounding_an_address_leaves_an_address() {
    check_body(
        "ptr %p",
        "  %x = load double, ptr %p
           %y = fneg double %x
           %a = ptrtoint ptr %p to i64
           %rounded = and i64 %a, -16
           %low = and i64 %a, 15
           %rest = urem i64 %a, 64",
        "%rounded: {[-1]:Pointer, [-1,0]:Float@double}\n%low: {[-1]:Integer}\n%rest: {[-1]:Integer}",
    );
}

#[test]
fn division_and_shifts_of_integers_are_integers() {
    check_body(
        "i32 %n, i64 %x",
        "  %a = sext i32 %n to i64
           %b = udiv i64 %a, %a
           %c = shl i64 %a, 3
           %d = lshr i64 %a, %a
           %e = srem i64 %a, %a
           %f = ashr i64 %x, 3",
        "%b: {[-1]:Integer}\n%c: {[-1]:Integer}\n%d: {[-1]:Integer}\n%e: {[-1]:Integer}\n%f: {}",
    );
}

const BITS: &str = "  %y = fneg double %x\n  %bits = bitcast double %x to i64\n";

#[test]
fn flipping_the_sign_leaves_a_float() {
    let body = |operation: &str| format!("{BITS}  %made = {operation}");
    let float = "%made: {[-1]:Float@double}";
    check_body("double %x", &body("xor i64 %bits, -9223372036854775808"), float);
    check_body("double %x", &body("xor i64 -9223372036854775808, %bits"), float);
    // Another bit, or one more, makes something else.
    for mask in ["4611686018427387904", "-9223372036854775807", "1"] {
        check_body("double %x", &body(&format!("xor i64 %bits, {mask}")), "%made: {}");
    }
}

#[test]
fn the_absolute_value_leaves_a_float() {
    let body = |operation: &str| format!("{BITS}  %made = {operation}");
    check_body("double %x", &body("and i64 %bits, 9223372036854775807"), "%made: {[-1]:Float@double}");
    check_body("double %x", &body("or i64 %bits, -9223372036854775808"), "%made: {[-1]:Float@double}");
    check_body("double %x", &body("and i64 %bits, 4503599627370495"), "%made: {}");
    check_body("double %x", &body("and i64 %bits, 7"), "%made: {[-1]:Integer}");
}

#[test]
fn bits_of_the_exponent_may_be_set() {
    let body = |operation: &str| format!("{BITS}  %made = {operation}");
    check_body("double %x", &body("or i64 %bits, 4607182418800017408"), "%made: {[-1]:Float@double}");
    check_body("double %x", &body("or i64 %bits, 1"), "%made: {}");
}

#[test]
fn a_sign_is_copied_from_another_float() {
    check_body(
        "double %x, i64 %other",
        &format!(
            "{BITS}  %sign = and i64 %other, -9223372036854775808
               %made = xor i64 %bits, %sign"
        ),
        "%made: {[-1]:Float@double}",
    );
}

#[test]
fn bit_tricks_of_vectors_take_each_lane() {
    let body = |mask: &str| {
        format!(
            "  %y = fneg <2 x float> %x
               %bits = bitcast <2 x float> %x to <2 x i32>
               %made = xor <2 x i32> %bits, {mask}"
        )
    };
    let float = "%made: {[-1]:Float@float}";
    check_body("<2 x float> %x", &body("<i32 -2147483648, i32 -2147483648>"), float);
    check_body("<2 x float> %x", &body("<i32 -2147483648, i32 0>"), float);
    check_body("<2 x float> %x", &body("<i32 -2147483648, i32 1>"), "%made: {}");
}

#[test]
fn bit_tricks_say_what_the_bits_were() {
    check_body(
        "i64 %bits",
        "  %flipped = xor i64 %bits, -9223372036854775808
           %x = bitcast i64 %flipped to double
           %y = fneg double %x",
        "%bits: {[-1]:Float@double}",
    );
    check_body(
        "i64 %bits, i64 %mask",
        "  %flipped = xor i64 %bits, %mask
           %x = bitcast i64 %flipped to double
           %y = fneg double %x",
        "%bits: {}\n%mask: {}",
    );
}

#[test]
fn compared_values_are_of_one_kind() {
    check_body(
        "i64 %a, ptr %p, ptr %q, i64 %other",
        "  %x = load i8, ptr %p
           %n = sext i32 7 to i64
           %c = icmp ult i64 %a, %n
           %d = icmp eq ptr %p, %q
           %e = icmp eq i64 %other, 0",
        "%a: {[-1]:Integer}\n%q: {[-1]:Pointer}\n%other: {}\n%c: {[-1]:Integer}",
    );
    check_body(
        "double %x, double %y",
        "  %z = fneg double %x\n  %c = fcmp olt double %x, %y",
        "%y: {[-1]:Float@double}\n%c: {[-1]:Integer}",
    );
}

#[test]
fn what_is_chosen_tells_both_choices() {
    check_body(
        "i1 %c, double %x, double %y",
        "  %z = select i1 %c, double %x, double %y\n  %w = fneg double %z",
        "%x: {[-1]:Float@double}\n%y: {[-1]:Float@double}",
    );
    check_loosely(
        "i1 %c, double %x, double %y",
        "  %z = select i1 %c, double %x, double %y\n  %w = fneg double %z",
        "%x: {}\n%y: {}\n%z: {[-1]:Float@double}",
    );
}

#[test]
fn a_choice_is_what_both_choices_are() {
    check_body(
        "i1 %c, double %x, double %y",
        "  %a = fneg double %x\n  %b = fneg double %y\n  %z = select i1 %c, double %x, double %y",
        "%z: {[-1]:Float@double}",
    );
    check_body(
        "i1 %c, double %x, double %y",
        "  %a = fneg double %x\n  %z = select i1 %c, double %x, double %y",
        "%z: {}\n%y: {}",
    );
}

#[test]
fn a_minimum_is_what_one_side_is_if_the_other_may_be_anything() {
    check_body(
        "i32 %n",
        "  %x = sext i32 %n to i64
           %c = icmp sgt i64 %x, 0
           %max = select i1 %c, i64 %x, i64 0",
        "%max: {[-1]:Integer}",
    );
    check_body(
        "double %x",
        "  %c = fcmp ogt double %x, 0.0\n  %y = fneg double %x\n  %max = select i1 %c, double %x, double 0.0",
        "%max: {[-1]:Float@double}",
    );
}

#[test]
fn what_is_chosen_among_integers_and_what_may_be_any_is_an_integer() {
    check_body(
        "i32 %n, i1 %c",
        "  %x = sext i32 %n to i64\n  %chosen = select i1 %c, i64 %x, i64 0",
        "%chosen: {[-1]:Integer}",
    );
    check_body("i1 %c", "  %sign = select i1 %c, i32 -1, i32 1", "%sign: {[-1]:Integer}");
    // All bits set may be no number at all, and of what is in memory nothing is known.
    check_body("i1 %c", "  %mask = select i1 %c, i32 -1, i32 0", "%mask: {[-1]:Anything}");
    check_body(
        "ptr %p, i1 %c",
        "  %read = load i32, ptr %p\n  %chosen = select i1 %c, i32 %read, i32 1",
        "%chosen: {}",
    );
}
