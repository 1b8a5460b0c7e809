//! Errors of the parser: where they are, and what they say.

use enzyme::model::{Function, Module};

fn error_of(text: &str) -> String {
    match Module::parse(text) {
        Ok(module) => panic!("this must not parse:\n{module}"),
        Err(error) => error.to_string(),
    }
}

/// The error of a function body that starts in line 2.
fn error_in(body: &str) -> String {
    error_of(&format!("define double @f(double %x, ptr %p) {{\n{body}\n}}"))
}

#[test]
fn what_was_expected() {
    assert_eq!(error_of("define @f() {}"), "1:8: expected a type, found `@f`");
    assert_eq!(error_of("define void f() {}"), "1:8: expected the name of the function, as in `@f`");
    assert_eq!(error_of("define void @f() {}"), "1:19: expected a block, found `}`");
    assert_eq!(error_of("define void @f() {\n  ret void"), "1:18: the bracket is not closed");
    assert_eq!(
        error_of("void @f()"),
        "1:1: expected `define`, `declare`, a global, a type, attributes or metadata"
    );
    assert_eq!(error_of("@x = 5"), "1:6: expected `global`, `constant`, `alias` or `ifunc`, found `5`");
    assert_eq!(error_of("@x = global"), "1:12: expected a type, found the end of the text");
    assert_eq!(error_of("@x = global i32 \"a"), "1:17: the string has no end");
    assert_eq!(error_of("@x = global i32 ?"), "1:17: unexpected character `?`");
    assert_eq!(error_of("@x = global i32 1 }"), "1:19: the bracket was not opened");
    assert_eq!(error_in("  %y = fadd double %x 1.0"), "2:23: expected `,`, found `1.0`");
    assert_eq!(error_in("  %y = fancy double %x"), "2:8: expected an instruction, found `fancy`");
    assert_eq!(error_in("  %y = icmp lt i32 1, 2"), "2:13: expected a comparison, as in `eq`, found `lt`");
    assert_eq!(error_in("  ret double"), "3:1: expected a constant, found `}`");
    assert_eq!(
        error_in("  br label entry"),
        "2:12: expected the label of a block, as in `%entry`, found `entry`"
    );
    assert_eq!(
        error_in("  fence sometimes"),
        "2:9: expected a memory ordering, as in `seq_cst`, found `sometimes`"
    );
    assert_eq!(
        error_in("  ret double %x, align 8"),
        "2:18: expected metadata, as in `!tbaa !0`, found `align`"
    );
}

#[test]
fn columns_count_characters() {
    assert_eq!(error_of("; gruß\n@\"größe\" = global i33 ?"), "2:23: unexpected character `?`");
}

#[test]
fn names_that_mean_nothing() {
    assert_eq!(error_in("  ret double %y"), "2:14: `%y` is not defined");
    assert_eq!(error_in("  br label %end"), "2:12: there is no block `%end`");
    assert_eq!(error_in("  %y = load double, ptr @g\n  ret double %y"), "2:25: `@g` is not defined");
    assert_eq!(error_in("  %y = alloca %t\n  ret double %x"), "2:15: the type `%t` is not defined");
    assert_eq!(error_in("  ret double %x, !tbaa !3"), "2:24: `!3` is not defined");
}

#[test]
fn names_that_mean_two_things() {
    assert_eq!(
        error_in("  %y = fneg double %x\n  %y = fneg double %x\n  ret double %y"),
        "3:3: `%y` is defined a second time"
    );
    assert_eq!(
        error_in("a:\n  br label %a\na:\n  ret double %x"),
        "4:1: this block is defined a second time"
    );
    assert_eq!(error_of("@x = global i32 1\n@x = global i32 2"), "2:1: `@x` is defined a second time");
    assert_eq!(error_of("!0 = !{}\n!0 = !{}"), "2:1: `!0` is defined a second time");
    assert_eq!(error_of("%t = type {}\n%t = type {}"), "2:1: the type is defined a second time");
    assert_eq!(
        error_of("define void @f(i32 %a, i32 %a) {\n  ret void\n}"),
        "1:28: two parameters have the same name"
    );
}

#[test]
fn numbers_out_of_order() {
    assert_eq!(
        error_in("  %0 = fneg double %x\n  ret double %0"),
        "2:3: expected the number 1 or a greater one, found 0"
    );
}

#[test]
fn types_that_do_not_fit() {
    assert_eq!(error_in("  ret float 1.0"), "2:7: this is not the type that the function returns");
    assert_eq!(error_in("  ret void"), "2:7: the function returns a value, not `void`");
    assert_eq!(
        error_in("  %y = fadd float %x, 1.0\n  ret double %x"),
        "2:19: `%x` is `double`, but is used here as `float`"
    );
    assert_eq!(
        error_in("  br label %b\nb:\n  %z = fneg float %y\n  %y = fneg double %x\n  ret double %y"),
        "4:19: `%y` is `double`, but is used here as `float`"
    );
    assert_eq!(
        error_in("  %y = add double %x, %x\n  ret double %y"),
        "2:8: operand 0 must be an integer or a vector of integers"
    );
    assert_eq!(
        error_in("  %y = fneg ptr %p\n  ret double %x"),
        "2:8: operand 0 must be a float or a vector of floats"
    );
    assert_eq!(
        error_in("  %y = trunc i8 1 to i32\n  ret double %x"),
        "2:8: `trunc` cannot convert between these types"
    );
    assert_eq!(error_in("  store double %x, i64 3\n  ret double %x"), "2:3: operand 1 must be a pointer");
    assert_eq!(
        error_in("  %y = extractvalue { i32 } undef, 1\n  ret double %x"),
        "2:8: there is no member 1 at this place"
    );
    assert_eq!(
        error_in("  %y = call double (double, double) @g(double %x)\n  ret double %y"),
        "2:8: the callee takes 2 arguments, 1 are given"
    );
    assert_eq!(
        error_in("  %y = store double %x, ptr %p\n  ret double %x"),
        "2:3: an instruction without a result has no name"
    );
    assert_eq!(error_of("@x = global void undef"), "1:13: a value cannot have this type");
    assert_eq!(error_of("%t = type { %t }\n@x = global %t undef"), "1:13: the type `%t` contains itself");
}

#[test]
fn constants_that_do_not_fit() {
    assert_eq!(error_of("@x = global i8 256"), "1:16: `256` does not fit in `i8`");
    assert_eq!(error_of("@x = global i8 -129"), "1:16: `-129` does not fit in `i8`");
    assert_eq!(
        error_of("@x = global i128 340282366920938463463374607431768211456"),
        "1:18: `340282366920938463463374607431768211456` does not fit in `i128`"
    );
    assert_eq!(error_of("@x = global double 1"), "1:20: an integer needs an integer type");
    assert_eq!(error_of("@x = global i32 1.0"), "1:17: a floating-point number needs a floating-point type");
    assert_eq!(
        error_of("@x = global float 0.1"),
        "1:19: `0.1` is not exactly a `float`; the nearest is `0x3FB99999A0000000`"
    );
    assert_eq!(
        error_of("@x = global half 0xK1"),
        "1:18: `0xK` begins a `x86_fp80`, but a `half` is expected"
    );
    assert_eq!(error_of("@x = global i32 null"), "1:17: `null` needs a pointer type");
    assert_eq!(error_of("@x = global i32 true"), "1:17: `true` needs the type `i1`");
    assert_eq!(error_of("@x = global [2 x i32] [i32 1]"), "1:23: expected 2 elements, found 1");
    assert_eq!(
        error_of("@x = global [1 x i32] [i64 1]"),
        "1:23: element 0 has another type than the elements of the aggregate"
    );
    assert_eq!(error_of("@x = global { i32, i8 } { i32 1 }"), "1:25: expected 2 fields, found 1");
    assert_eq!(error_of("@x = global [2 x i8] c\"abc\""), "1:22: expected 2 bytes, found 3");
    assert_eq!(
        error_of("@x = global i32 ptrtoint (ptr null to i64)"),
        "1:17: the constant is not of the type before it"
    );
}

#[test]
fn blocks_without_an_end() {
    assert_eq!(
        error_in("  %y = fneg double %x\nb:\n  ret double %y"),
        "3:1: expected a terminator, as in `ret` or `br`, at the end of the block, found `b:`"
    );
}

#[test]
fn too_deep() {
    let text = format!("@x = global {}i8{} undef", "[1 x ".repeat(100_000), "]".repeat(100_000));
    assert!(error_of(&text).ends_with("nested more than 256 levels deep"));
}

#[test]
fn a_function_alone() {
    let parse = |text: &str| Function::parse(text).map_err(|error| error.to_string()).map(|_| ());
    assert_eq!(parse("@x = global i32 1"), Err("1:18: expected a function, as in `define …`".to_owned()));
    let two = "define void @f() {\n ret void\n}\ndefine void @g() {\n ret void\n}";
    assert_eq!(parse(two), Err("4:8: expected one function only".to_owned()));
}
