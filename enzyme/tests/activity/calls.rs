//! Calls of functions with a body.

use enzyme::activity::{
    ActiveBecause, Analyser, ArgumentActivity as A, DeclaredTypes, ResultActivity as R, Verdict,
};
use std::rc::Rc;

use crate::{WHOLE, analyse, program};

#[test]
fn calls_do_what_their_callees_do() {
    let case = analyse(
        "define double @first(double %a, double %b) {
           ret double %a
         }
         define void @put(ptr %to, double %v) {
           store double %v, ptr %to
           ret void
         }
         define void @look(ptr %at) {
           %v = load double, ptr %at
           ret void
         }
         define double @f(double %x, double %c) {
           %cell = alloca double
           %other = alloca double
           call void @put(ptr %cell, double %x)
           call void @put(ptr %other, double %c)
           call void @look(ptr %cell)
           %a = load double, ptr %cell
           %b = load double, ptr %other
           %l = call double @first(double %a, double %c)
           %r = call double @first(double %c, double %a)
           %some = fadd double %l, %r
           %result = fadd double %some, %b
           ret double %result
         }",
        &[A::Out, A::Const],
        R::Active,
    );
    case.expect_active(&["cell", "a", "l", "some", "result"]);
    case.expect_constant(&["other", "b", "r"]);
    let active: Vec<bool> = case.calls().iter().map(|call| call.is_active()).collect();
    assert_eq!(active, [true, false, false, true, false]);
}

#[test]
fn what_a_callee_never_touches_is_constant() {
    let case = analyse(
        "define void @copy(ptr %from, ptr %idle, ptr %to) {
           %p = load ptr, ptr %from
           %v = load double, ptr %p
           %q = load ptr, ptr %to
           store double %v, ptr %q
           ret void
         }
         define double @f(ptr %x) {
           %a = alloca ptr
           %b = alloca ptr
           %c = alloca ptr
           %number = alloca double
           %result.cell = alloca double
           %v = load double, ptr %x
           store double %v, ptr %number
           store ptr %x, ptr %a
           store ptr %number, ptr %b
           store ptr %result.cell, ptr %c
           call void @copy(ptr %a, ptr %b, ptr %c)
           %result = load double, ptr %result.cell
           ret double %result
         }",
        &[A::Duplicated],
        R::Active,
    );
    case.expect_active(&["a", "c", "result.cell", "result"]);
    case.expect_constant(&["b", "number", "v"]);
    let active: Vec<bool> = case.stores().iter().map(|store| store.is_active()).collect();
    assert_eq!(active, [false, true, false, true]);
}

#[test]
fn an_address_derived_from_one_that_is_marked_constant_is_constant() {
    let case = analyse(
        "define i64 @f(ptr %x) {
           %marked = getelementptr i8, ptr %x, i64 8, !enzyme_inactive !0
           %derived = getelementptr i8, ptr %marked, i64 8
           %plain = getelementptr i8, ptr %x, i64 8
           %a = load i64, ptr %derived
           %b = load i64, ptr %plain
           %r = add i64 %a, %b
           ret i64 %r
         }
         !0 = !{}",
        &[A::Duplicated],
        R::Active,
    );
    case.expect_constant(&["marked", "derived", "a"]);
    case.expect_active(&["plain", "b", "r"]);
}

#[test]
fn a_callee_that_clears_active_memory_is_active() {
    let case = analyse(
        "define void @clear(ptr %at) {
           store double 0.0, ptr %at
           ret void
         }
         define double @f(double %x) {
           %cell = alloca double
           store double %x, ptr %cell
           call void @clear(ptr %cell)
           %result = load double, ptr %cell
           ret double %result
         }",
        &[A::Out],
        R::Active,
    );
    assert!(matches!(case.calls()[0], Verdict::Active(ActiveBecause::Overwrites(_))));
}

#[test]
fn callees_may_return_what_they_were_given_or_new_memory() {
    let case = analyse(
        "declare ptr @malloc(i64)
         define ptr @same(ptr %p) {
           %inside = getelementptr double, ptr %p, i64 1
           ret ptr %inside
         }
         define ptr @new(double %v) {
           %cell = call ptr @malloc(i64 8)
           store double %v, ptr %cell
           ret ptr %cell
         }
         define ptr @follow(ptr %p) {
           %q = load ptr, ptr %p
           ret ptr %q
         }
         define double @f(double %x, ptr %data, double %c) {
           %p = call ptr @same(ptr %data)
           %q = call ptr @new(double %x)
           %r = call ptr @new(double %c)
           %s = call ptr @follow(ptr %data)
           %a = load double, ptr %p
           %b = load double, ptr %q
           %d = load double, ptr %r
           %e = load double, ptr %s
           %ab = fadd double %a, %b
           %abd = fadd double %ab, %d
           %result = fadd double %abd, %e
           ret double %result
         }",
        &[A::Out, A::Duplicated, A::Const],
        R::Active,
    );
    case.expect_active(&["p", "q", "s", "a", "b", "e", "result"]);
    case.expect_constant(&["r", "d"]);
    // Only the second call moves a number: into memory that it returns.
    let active: Vec<bool> = case.calls().iter().map(|call| call.is_active()).collect();
    assert_eq!(active, [false, true, false, false]);
}

#[test]
fn recursion_reaches_a_fixed_point() {
    let text = "define double @even(double %v, i64 %n, ptr %log) {
         entry:
           %done = icmp eq i64 %n, 0
           br i1 %done, label %end, label %more
         more:
           %less = sub i64 %n, 1
           %next = fmul double %v, 2.0
           %got = call double @odd(double %next, i64 %less, ptr %log)
           br label %end
         end:
           %result = phi double [ 1.0, %entry ], [ %got, %more ]
           ret double %result
         }
         define double @odd(double %v, i64 %n, ptr %log) {
         entry:
           %done = icmp eq i64 %n, 0
           br i1 %done, label %end, label %more
         more:
           %less = sub i64 %n, 1
           store double %v, ptr %log
           %got = call double @even(double %v, i64 %less, ptr %log)
           br label %end
         end:
           %result = phi double [ %v, %entry ], [ %got, %more ]
           ret double %result
         }
         define double @f(double %x, double %c, i64 %n) {
           %log = alloca double
           %quiet = alloca double
           %a = call double @even(double %x, i64 %n, ptr %log)
           %b = call double @even(double %c, i64 %n, ptr %quiet)
           %l = load double, ptr %log
           %q = load double, ptr %quiet
           %ab = fadd double %a, %b
           %lq = fadd double %l, %q
           %result = fadd double %ab, %lq
           ret double %result
         }";
    let case = analyse(text, &[A::Out, A::Const, A::Const], R::Active);
    case.expect_active(&["a", "log", "l", "ab", "lq", "result"]);
    case.expect_constant(&["b", "quiet", "q"]);
}

#[test]
fn answers_are_kept_for_each_way_of_calling() {
    let program = program(
        "define double @f(double %x, double %y) {
           %r = fmul double %x, %y
           ret double %r
         }",
    );
    let f = program.find("f").expect("there is an @f");
    let mut analyser = Analyser::new(&program, &DeclaredTypes, WHOLE);
    let first = analyser.activity(f, &[A::Out, A::Const], R::Active);
    let again = analyser.activity(f, &[A::Out, A::Const], R::Active);
    let other = analyser.activity(f, &[A::Const, A::Const], R::Active);
    assert!(Rc::ptr_eq(&first, &again));
    assert!(!Rc::ptr_eq(&first, &other));
}

#[test]
fn the_activities_of_a_call_follow_from_those_of_its_operands() {
    let case = analyse(
        "define double @g(ptr %p, double %v, double %c) {
           %l = load double, ptr %p
           %a = fmul double %l, %v
           %r = fmul double %a, %c
           ret double %r
         }
         define double @f(ptr %p, double %x) {
           %r = call double @g(ptr %p, double %x, double 2.0)
           ret double %r
         }",
        &[A::Duplicated, A::Out],
        R::Active,
    );
    let call = case.function().as_inst(case.value("r")).expect("a call");
    let expected = (vec![A::Duplicated, A::Duplicated, A::Const], R::Active);
    assert_eq!(case.activity.of_call(case.function(), call), expected);
}
