//! Functions without a body, and known library functions.

use enzyme::activity::{
    ActiveBecause, ArgumentActivity as A, ConstantBecause, Options, ResultActivity as R, UnknownFunctions,
    Verdict,
};

use crate::{WHOLE, analyse, analyse_with};

#[test]
fn an_unknown_function_may_do_anything_with_what_it_is_given() {
    let case = analyse(
        "declare double @mystery(double, ptr)
         define double @f(double %x, double %c) {
           %cell = alloca double
           %byte = alloca i8
           %fixed = alloca double
           %a = call double @mystery(double %x, ptr %cell)
           %b = load double, ptr %cell
           %d = call double @mystery(double %x, ptr %byte)
           store double %c, ptr %fixed
           %e = load double, ptr %fixed
           %ab = fadd double %a, %b
           %abd = fadd double %ab, %d
           %result = fadd double %abd, %e
           ret double %result
         }",
        &[A::Out, A::Const],
        R::Active,
    );
    case.expect_active(&["a", "cell", "b", "d", "result"]);
    // A byte holds no number, and nobody else knows of the third slot.
    case.expect_constant(&["byte", "fixed", "e"]);
}

#[test]
fn an_unknown_function_without_active_arguments_is_constant() {
    let case = analyse(
        "declare double @number(i32)
         declare ptr @table(ptr)
         declare ptr @source()
         define double @f(double %x, ptr %c) {
           %n = call double @number(i32 3)
           %t = call ptr @table(ptr %c)
           %s = call ptr @source()
           %v = load double, ptr %t
           %w = load double, ptr %s
           %nv = fadd double %n, %v
           %nvw = fadd double %nv, %w
           %result = fmul double %nvw, %x
           ret double %result
         }",
        &[A::Out, A::Const],
        R::Active,
    );
    case.expect_constant(&["n", "t", "v", "nv"]);
    // Nothing at all is known of what a function without arguments returns.
    case.expect_active(&["s", "w", "nvw"]);
}

#[test]
fn what_an_unknown_function_keeps_comes_back_from_later_calls() {
    let text = |attribute: &str| {
        format!(
            "declare void @keep(ptr {attribute})
             declare double @ask(i32)
             define double @f(double %x) {{
               %cell = alloca double
               store double %x, ptr %cell
               call void @keep(ptr %cell)
               %a = call double @ask(i32 0)
               ret double %a
             }}"
        )
    };
    analyse(&text(""), &[A::Out], R::Active).expect_active(&["a"]);
    let pure = text("readnone nocapture");
    analyse(&pure, &[A::Out], R::Active).expect_constant(&["a"]);
}

#[test]
fn attributes_bound_what_an_unknown_function_does() {
    let case = analyse(
        "declare void @reads(ptr readonly nocapture) memory(argmem: read)
         declare double @sum(ptr) memory(read)
         declare double @pure(double) memory(none)
         define double @f(double %x) {
           %cell = alloca double
           %other = alloca double
           store double %x, ptr %cell
           store double 1.0, ptr %other
           call void @reads(ptr %cell)
           %a = call double @sum(ptr %cell)
           %b = call double @sum(ptr %other)
           %c = call double @pure(double %x)
           %d = call double @pure(double %b)
           %ab = fadd double %a, %b
           %cd = fadd double %c, %d
           %result = fadd double %ab, %cd
           ret double %result
         }",
        &[A::Out],
        R::Active,
    );
    case.expect_active(&["cell", "a", "c", "result"]);
    case.expect_constant(&["other", "b", "d"]);
    let active: Vec<bool> = case.calls().iter().map(|call| call.is_active()).collect();
    assert_eq!(active, [false, true, false, true, false]);
}

#[test]
fn new_memory_from_an_unknown_function_is_told_from_other_memory() {
    let case = analyse(
        "declare noalias ptr @make()
         define double @f(double %x) {
           %box = call ptr @make()
           %idle = call ptr @make()
           %inside = load ptr, ptr %box
           store double %x, ptr %inside
           %again = load ptr, ptr %box
           %a = load double, ptr %again
           %rest = load ptr, ptr %idle
           %b = load double, ptr %rest
           %result = fadd double %a, %b
           ret double %result
         }",
        &[A::Out],
        R::Active,
    );
    case.expect_active(&["box", "inside", "again", "a", "result"]);
    case.expect_constant(&["idle", "rest", "b"]);
    assert!(!case.maker("box").is_active());
}

#[test]
fn library_functions_that_carry_nothing_are_constant() {
    let case = analyse(
        "declare i32 @printf(ptr, ...)
         declare i64 @time(ptr)
         declare double @strtod(ptr, ptr)
         define double @f(double %x, ptr %text) {
           %n = call i32 (ptr, ...) @printf(ptr %text, double %x)
           %t = call i64 @time(ptr null)
           %c = call double @strtod(ptr %text, ptr null)
           %result = fmul double %x, %c
           ret double %result
         }",
        &[A::Out, A::Const],
        R::Active,
    );
    case.expect_constant(&["n", "t", "c"]);
    assert!(case.calls().iter().all(|call| *call == Verdict::Constant(ConstantBecause::KnownFunction)));
}

#[test]
fn a_library_function_that_takes_no_floats_is_another_when_it_does() {
    let case = analyse(
        "declare double @times(double, double)
         declare i64 @wait(ptr)
         define double @f(double %x) {
           %w = call i64 @wait(ptr null)
           %r = call double @times(double %x, double 2.0)
           ret double %r
         }",
        &[A::Out],
        R::Active,
    );
    case.expect_active(&["r"]);
    let known = Verdict::Constant(ConstantBecause::KnownFunction);
    assert_eq!(case.calls(), [known, Verdict::Active(ActiveBecause::MovesNumber)]);
}

#[test]
fn a_function_of_the_user_with_the_name_of_a_library_function_is_the_users() {
    let case = analyse(
        "define double @time(double %t) {
           ret double %t
         }
         define double @f(double %x) {
           %r = call double @time(double %x)
           ret double %r
         }",
        &[A::Out],
        R::Active,
    );
    case.expect_active(&["r"]);
}

#[test]
fn addresses_of_functions_have_shadows_where_they_are_called() {
    let case = analyse(
        "define double @twice(double %v) {
           %r = fadd double %v, %v
           ret double %r
         }
         define double @f(double %x, double %c) {
           %slot = alloca ptr
           store ptr @twice, ptr %slot
           %g = load ptr, ptr %slot
           %r = call double %g(double %x)
           ret double %r
         }",
        &[A::Out, A::Const],
        R::Active,
    );
    case.expect_active(&["slot", "g", "r"]);
    assert!(case.stores()[0].is_active());
}

#[test]
fn unknown_functions_can_be_said_to_be_inactive() {
    let text = "declare double @mystery(double)
         define double @f(double %x) {
           %r = call double @mystery(double %x)
           ret double %r
         }";
    analyse(text, &[A::Out], R::Active).expect_active(&["r"]);
    let options = Options { unknown_functions: UnknownFunctions::AreInactive, ..WHOLE };
    analyse_with(text, options, &[A::Out], R::Active).expect_constant(&["r"]);
}

#[test]
fn assembler_and_exceptions_are_not_silently_inactive() {
    let case = analyse(
        r#"declare i32 @personality(...)
         declare void @risk(double)
         define double @f(double %x) personality ptr @personality {
         entry:
           %a = call double asm "addsd $1, $0", "=x,x"(double %x)
           invoke void @risk(double %x) to label %fine unwind label %bad
         fine:
           ret double %a
         bad:
           %caught = landingpad { ptr, i32 } cleanup
           %p = extractvalue { ptr, i32 } %caught, 0
           %v = load double, ptr %p
           ret double %v
         }"#,
        &[A::Out],
        R::Active,
    );
    case.expect_active(&["a", "caught", "p", "v"]);
    assert!(case.calls().iter().all(|call| call.is_active()));
}

#[test]
fn library_functions_move_what_the_one_table_says() {
    let case = analyse(
        "declare <2 x double> @llvm.masked.load.v2f64.p0(ptr, i32, <2 x i1>, <2 x double>)
         declare void @llvm.masked.store.v2f64.p0(<2 x double>, ptr, i32, <2 x i1>)
         declare i64 @fread(ptr, i64, i64, ptr)
         declare ptr @memccpy(ptr, ptr, i32, i64)
         define double @f(<2 x double> %x, <2 x double> %c, <2 x i1> %mask, ptr %file) {
           %cell = alloca <2 x double>
           %copy = alloca <2 x double>
           %text = alloca <2 x double>
           call void @llvm.masked.store.v2f64.p0(<2 x double> %x, ptr %cell, i32 8, <2 x i1> %mask)
           %end = call ptr @memccpy(ptr %copy, ptr %cell, i32 0, i64 16)
           %a = call <2 x double> @llvm.masked.load.v2f64.p0(ptr %copy, i32 8, <2 x i1> %mask, <2 x double> %c)
           %n = call i64 @fread(ptr %text, i64 8, i64 2, ptr %file)
           %b = load <2 x double>, ptr %text
           %r = extractelement <2 x double> %a, i64 0
           %s = extractelement <2 x double> %b, i64 0
           %result = fadd double %r, %s
           ret double %result
         }",
        &[A::Out, A::Const, A::Const, A::Const],
        R::Active,
    );
    case.expect_active(&["cell", "copy", "a", "r", "result"]);
    case.expect_constant(&["text", "b", "s"]);
    let active: Vec<bool> = case.calls().iter().map(|call| call.is_active()).collect();
    assert_eq!(active, [true, true, true, false]);
}

#[test]
fn reading_a_file_into_memory_with_a_shadow_overwrites_it() {
    let case = analyse(
        "declare i64 @fread(ptr, i64, i64, ptr)
         define void @f(ptr %x, ptr %file) {
           %n = call i64 @fread(ptr %x, i64 8, i64 1, ptr %file)
           %v = load double, ptr %x
           %w = fmul double %v, %v
           store double %w, ptr %x
           ret void
         }",
        &[A::Duplicated, A::Const],
        R::Constant,
    );
    assert!(matches!(case.calls()[0], Verdict::Active(ActiveBecause::Overwrites(_))), "{:?}", case.calls());
}

#[test]
fn what_can_only_be_returned_is_not_kept() {
    let case = analyse(
        "declare ptr @same(ptr captures(ret: address, provenance)) memory(none)
         declare double @ask(i32)
         define double @f(double %x) {
           %cell = alloca double
           %p = call ptr @same(ptr %cell)
           store double %x, ptr %p
           %a = load double, ptr %cell
           %b = call double @ask(i32 0)
           %result = fadd double %a, %b
           ret double %result
         }",
        &[A::Out],
        R::Active,
    );
    case.expect_active(&["cell", "p", "a"]);
    case.expect_constant(&["b"]);
}
