//! Activity through memory.

use enzyme::activity::{ActiveBecause, ArgumentActivity as A, ConstantBecause, ResultActivity as R, Verdict};

use crate::analyse;

#[test]
fn activity_goes_through_local_memory() {
    let case = analyse(
        "define double @f(double %x) {
           %slot = alloca double
           %other = alloca double
           store double %x, ptr %slot
           store double 3.0, ptr %other
           %a = load double, ptr %slot
           %b = load double, ptr %other
           %result = fmul double %a, %b
           ret double %result
         }",
        &[A::Out],
        R::Active,
    );
    case.expect_active(&["slot", "a", "result"]);
    case.expect_constant(&["other", "b"]);
    assert_eq!(
        case.stores(),
        [Verdict::Active(ActiveBecause::MovesNumber), Verdict::Constant(ConstantBecause::MovesNothing)]
    );
    // An allocation moves nothing, whatever will be in it.
    assert!(!case.maker("slot").is_active());
}

#[test]
fn memory_that_is_only_written_is_constant() {
    let case = analyse(
        "declare ptr @malloc(i64)
         declare void @free(ptr)
         define double @f(double %x) {
           %scratch = call ptr @malloc(i64 8)
           store double %x, ptr %scratch
           call void @free(ptr %scratch)
           ret double %x
         }",
        &[A::Out],
        R::Active,
    );
    case.expect_constant(&["scratch"]);
    assert!(case.stores().iter().chain(&case.calls()).all(|verdict| !verdict.is_active()));
}

#[test]
fn returned_memory_counts_when_it_is_asked_for() {
    let text = "declare ptr @malloc(i64)
         define ptr @f(double %x) {
           %cell = call ptr @malloc(i64 8)
           store double %x, ptr %cell
           ret ptr %cell
         }";
    let asked = analyse(text, &[A::Out], R::Duplicated);
    asked.expect_active(&["cell"]);
    assert!(asked.stores()[0].is_active());
    let not_asked = analyse(text, &[A::Out], R::Constant);
    not_asked.expect_constant(&["cell"]);
    assert!(!not_asked.stores()[0].is_active());
}

#[test]
fn what_is_stored_in_arguments_is_seen_by_the_caller() {
    let text = "define void @f(double %x, ptr %out) {
           %twice = fmul double %x, 2.0
           store double %twice, ptr %out
           ret void
         }";
    let case = analyse(text, &[A::Out, A::Duplicated], R::Constant);
    case.expect_active(&["twice", "out"]);
    // The memory behind a constant argument has no shadow, by the caller's word.
    let case = analyse(text, &[A::Out, A::Const], R::Constant);
    case.expect_constant(&["twice", "out"]);
    assert!(!case.stores()[0].is_active());
}

#[test]
fn addresses_of_active_memory_are_followed_through_memory() {
    let case = analyse(
        "define double @f(ptr %x) {
           %slot = alloca ptr
           %idle = alloca ptr
           store ptr %x, ptr %slot
           store ptr %x, ptr %idle
           %p = load ptr, ptr %slot
           %result = load double, ptr %p
           ret double %result
         }",
        &[A::Duplicated],
        R::Active,
    );
    case.expect_active(&["slot", "p", "result"]);
    assert!(matches!(case.stores()[0], Verdict::Active(ActiveBecause::MovesAddress(_))));
    // Nobody reads the second slot.
    case.expect_constant(&["idle"]);
    assert!(!case.stores()[1].is_active());
    // Reading an address moves no number.
    assert!(!case.maker("p").is_active());
}

#[test]
fn local_memory_that_the_caller_gets_hold_of_is_seen_by_it() {
    let case = analyse(
        "declare ptr @malloc(i64)
         define void @f(double %x, ptr %out) {
           %cell = call ptr @malloc(i64 8)
           store double %x, ptr %cell
           store ptr %cell, ptr %out
           ret void
         }",
        &[A::Out, A::Duplicated],
        R::Constant,
    );
    case.expect_active(&["cell"]);
    assert!(case.stores().iter().all(|store| store.is_active()));
}

#[test]
fn integers_that_hold_addresses_are_followed() {
    let case = analyse(
        "define double @f(double %x) {
           %cell = alloca double
           %number = ptrtoint ptr %cell to i64
           %wide = insertelement <2 x i64> zeroinitializer, i64 %number, i32 0
           %taken = extractelement <2 x i64> %wide, i32 0
           %aligned = and i64 %taken, -8
           %again = inttoptr i64 %aligned to ptr
           store double %x, ptr %again
           %result = load double, ptr %cell
           ret double %result
         }",
        &[A::Out],
        R::Active,
    );
    case.expect_active(&["cell", "number", "wide", "taken", "aligned", "again", "result"]);
    assert!(!case.maker("number").is_active(), "it moves an address, not a number");
}

#[test]
fn copies_move_what_is_there() {
    let case = analyse(
        "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
         declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
         define double @f(double %x) {
           %a = alloca double
           %b = alloca double
           %c = alloca double
           %d = alloca double
           call void @llvm.memset.p0.i64(ptr %a, i8 0, i64 8, i1 false)
           store double %x, ptr %a
           call void @llvm.memcpy.p0.p0.i64(ptr %b, ptr %a, i64 8, i1 false)
           store double 1.0, ptr %c
           call void @llvm.memcpy.p0.p0.i64(ptr %d, ptr %c, i64 8, i1 false)
           %u = load double, ptr %b
           %v = load double, ptr %d
           %result = fadd double %u, %v
           ret double %result
         }",
        &[A::Out],
        R::Active,
    );
    case.expect_active(&["a", "b", "u", "result"]);
    case.expect_constant(&["c", "d", "v"]);
    let active: Vec<bool> = case.calls().iter().map(|call| call.is_active()).collect();
    assert_eq!(active, [false, true, false]);
}

#[test]
fn atomic_updates_move_what_they_add() {
    let case = analyse(
        "define double @f(double %x, ptr %count) {
           %sum = alloca double
           store double 0.0, ptr %sum
           %old = atomicrmw fadd ptr %sum, double %x seq_cst
           %before = atomicrmw add ptr %count, i32 1 seq_cst
           %result = load double, ptr %sum
           ret double %result
         }",
        &[A::Out, A::Const],
        R::Active,
    );
    case.expect_active(&["sum", "result"]);
    case.expect_constant(&["before"]);
    assert!(case.maker("old").is_active());
    assert!(!case.maker("before").is_active());
}

#[test]
fn memory_that_an_allocation_puts_somewhere_is_followed() {
    let case = analyse(
        "declare i32 @posix_memalign(ptr, i64, i64)
         define double @f(double %x) {
           %slot = alloca ptr
           %code = call i32 @posix_memalign(ptr %slot, i64 8, i64 8)
           %cell = load ptr, ptr %slot
           store double %x, ptr %cell
           %result = load double, ptr %cell
           ret double %result
         }",
        &[A::Out],
        R::Active,
    );
    case.expect_active(&["slot", "cell", "result"]);
    case.expect_constant(&["code"]);
    assert!(matches!(case.maker("code"), Verdict::Active(ActiveBecause::MovesAddress(_))));
}

#[test]
fn many_regions_become_one_and_stay_sound() {
    let mut text = String::from("define double @f(double %x, i64 %n) {\nentry:\n");
    for index in 0..40 {
        text += &format!("  %s{index} = alloca double\n");
    }
    text += "  store double %x, ptr %s7\n";
    for index in 1..40 {
        let before = if index == 1 { "s0".to_owned() } else { format!("p{}", index - 1) };
        text += &format!("  %c{index} = icmp eq i64 %n, {index}\n");
        text += &format!("  %p{index} = select i1 %c{index}, ptr %s{index}, ptr %{before}\n");
    }
    text += "  %result = load double, ptr %p39\n  ret double %result\n}\n";
    let case = analyse(&text, &[A::Out, A::Const], R::Active);
    case.expect_active(&["s7", "p7", "p39", "result"]);
}

#[test]
fn memory_that_is_handed_out_has_a_shadow_whatever_is_in_it() {
    let returned = "declare ptr @malloc(i64)
         define ptr @f(i64 %n) {
           %cell = call ptr @malloc(i64 16)
           %inner = call ptr @malloc(i64 8)
           %scratch = call ptr @malloc(i64 8)
           store double 2.0, ptr %inner
           store double 3.0, ptr %scratch
           store ptr %inner, ptr %cell
           ret ptr %cell
         }";
    let asked = analyse(returned, &[A::Const], R::Duplicated);
    asked.expect_active(&["cell", "inner"]);
    asked.expect_constant(&["scratch"]);
    assert!(asked.stores()[2].is_active());
    let because = asked.activity.why_value(asked.value("cell"));
    assert!(because.handed_out.is_some(), "{because:?}");
    let not_asked = analyse(returned, &[A::Const], R::Constant);
    not_asked.expect_constant(&["cell", "inner"]);
}

#[test]
fn calls_that_put_memory_with_constants_behind_arguments_are_active() {
    let text = "declare ptr @malloc(i64)
         define void @f(ptr %out) {
           call void @fill(ptr %out)
           ret void
         }
         define void @fill(ptr %out) {
           %cell = call ptr @malloc(i64 8)
           store double 2.0, ptr %cell
           store ptr %cell, ptr %out
           ret void
         }";
    assert!(analyse(text, &[A::Duplicated], R::Constant).calls()[0].is_active());
    assert!(!analyse(text, &[A::Const], R::Constant).calls()[0].is_active());
}
