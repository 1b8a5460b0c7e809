//! What carries numbers, and what ends it.

use enzyme::activity::{ActiveBecause, ArgumentActivity as A, ConstantBecause, ResultActivity as R, Verdict};

use crate::analyse;

#[test]
fn what_depends_on_no_active_argument_is_constant() {
    let case = analyse(
        "define double @f(double %x, double %c) {
           %a = fmul double %c, %c
           %b = fmul double %x, %a
           ret double %b
         }",
        &[A::Out, A::Const],
        R::Active,
    );
    assert_eq!(case.verdict("a"), Verdict::Constant(ConstantBecause::NotVaried));
    assert_eq!(case.verdict("b"), Verdict::Active(ActiveBecause::Number));
    assert_eq!(case.maker("b"), Verdict::Active(ActiveBecause::MovesNumber));
    assert_eq!(case.maker("a"), Verdict::Constant(ConstantBecause::MovesNothing));
    assert_eq!(case.verdict("x"), Verdict::Active(ActiveBecause::Declared));
    assert_eq!(case.verdict("c"), Verdict::Constant(ConstantBecause::Declared));
}

#[test]
fn what_nothing_that_is_asked_for_depends_on_is_constant() {
    let text = "define double @f(double %x) {
           %unused = fmul double %x, %x
           %used = fadd double %x, 1.0
           ret double %used
         }";
    let case = analyse(text, &[A::Out], R::Active);
    assert_eq!(case.verdict("unused"), Verdict::Constant(ConstantBecause::NotUseful));
    case.expect_active(&["used"]);
    let case = analyse(text, &[A::Out], R::Constant);
    assert_eq!(case.verdict("used"), Verdict::Constant(ConstantBecause::NotUseful));
}

#[test]
fn a_comparison_and_what_only_it_uses_are_constant() {
    let case = analyse(
        "define double @f(double %x) {
           %doubled = fmul double %x, 2.0
           %large = fcmp ogt double %doubled, 1.0
           %result = select i1 %large, double %x, double 0.0
           ret double %result
         }",
        &[A::Out],
        R::Active,
    );
    case.expect_constant(&["doubled", "large"]);
    case.expect_active(&["result"]);
}

#[test]
fn a_ramp_with_a_branch_that_gives_zero_is_active() {
    let case = analyse(
        "define double @f(double %x) {
         entry:
           %positive = fcmp oge double %x, 0.0
           br i1 %positive, label %ramp, label %end
         ramp:
           br label %end
         end:
           %result = phi double [ %x, %ramp ], [ 0.0, %entry ]
           ret double %result
         }",
        &[A::Out],
        R::Active,
    );
    case.expect_active(&["result"]);
    assert!(case.maker("result").is_active());
}

#[test]
fn activity_goes_around_a_loop() {
    let case = analyse(
        "define double @f(double %x, i64 %n) {
         entry:
           br label %loop
         loop:
           %i = phi i64 [ 0, %entry ], [ %next, %loop ]
           %sum = phi double [ 0.0, %entry ], [ %more, %loop ]
           %count = phi double [ 0.0, %entry ], [ %counted, %loop ]
           %more = fadd double %sum, %x
           %counted = fadd double %count, 1.0
           %next = add i64 %i, 1
           %done = icmp eq i64 %next, %n
           br i1 %done, label %end, label %loop
         end:
           %result = fmul double %more, %counted
           ret double %result
         }",
        &[A::Out, A::Const],
        R::Active,
    );
    case.expect_active(&["sum", "more", "result"]);
    case.expect_constant(&["i", "next", "done", "count", "counted"]);
}

#[test]
fn conversions_to_integers_end_it_and_bits_do_not() {
    let case = analyse(
        "define double @f(double %x) {
           %whole = fptosi double %x to i64
           %back = sitofp i64 %whole to double
           %bits = bitcast double %x to i64
           %flipped = xor i64 %bits, -9223372036854775808
           %negated = bitcast i64 %flipped to double
           %result = fadd double %negated, %back
           ret double %result
         }",
        &[A::Out],
        R::Active,
    );
    case.expect_constant(&["whole", "back"]);
    case.expect_active(&["bits", "flipped", "negated", "result"]);
}

#[test]
fn rules_say_which_operands_matter() {
    let case = analyse(
        "declare double @copysign(double, double)
         declare double @floor(double)
         declare double @sin(double)
         define double @f(double %x) {
           %sign = fmul double %x, 3.0
           %angle = fmul double %x, 2.0
           %sine = call double @sin(double %angle)
           %signed = call double @copysign(double 1.0, double %sign)
           %floored = call double @floor(double %x)
           %some = fadd double %sine, %signed
           %result = fadd double %some, %floored
           ret double %result
         }",
        &[A::Out],
        R::Active,
    );
    case.expect_active(&["angle", "sine", "some", "result"]);
    case.expect_constant(&["sign", "signed", "floored"]);
}

#[test]
fn blocks_that_never_come_back_do_not_count() {
    let text = |attribute: &str| {
        format!(
            "declare void @stop(double) {attribute}
             define double @f(double %x, i1 %bad) {{
             entry:
               br i1 %bad, label %panic, label %fine
             panic:
               %twice = fmul double %x, 2.0
               call void @stop(double %twice)
               unreachable
             fine:
               ret double %x
             }}"
        )
    };
    let case = analyse(&text("noreturn nounwind"), &[A::Out, A::Const], R::Active);
    assert_eq!(case.verdict("twice"), Verdict::Constant(ConstantBecause::NeverReturns));
    assert_eq!(case.calls(), [Verdict::Constant(ConstantBecause::NeverReturns)]);
    // An exception may reach somebody who looks at what was given away.
    let case = analyse(&text("noreturn"), &[A::Out, A::Const], R::Active);
    case.expect_active(&["twice"]);
}
