//! What users say, and why something is active.

use enzyme::activity::{
    ActiveBecause, ArgumentActivity as A, ConstantBecause, Destination, Effort, Options, Origin, Region,
    ResultActivity as R, Subject, Verdict,
};
use enzyme::model::Opcode;

use crate::{WHOLE, analyse, analyse_with};

#[test]
fn marks_overrule_the_analysis() {
    let case = analyse(
        "declare double @trusted(double) \"enzyme_inactive\"
         declare double @watched(double) memory(none)
         define double @f(double %x, double %c) {
           %t = call double @trusted(double %x)
           %v = fmul double %x, 2.0, !enzyme_inactive !0
           %w = fmul double %v, 2.0
           %m = fmul double %c, 2.0, !enzyme_active !0
           %n = fmul double %m, 2.0
           %i = fmul double %x, 5.0, !enzyme_inactive_inst !0
           %ignored = call double @watched(double \"enzyme_inactive\" %x)
           %a = fadd double %t, %w
           %b = fadd double %n, %i
           %ab = fadd double %a, %b
           %result = fadd double %ab, %ignored
           ret double %result
         }
         !0 = !{}",
        &[A::Out, A::Const],
        R::Active,
    );
    assert_eq!(case.verdict("v"), Verdict::Constant(ConstantBecause::Marked));
    assert_eq!(case.verdict("m"), Verdict::Active(ActiveBecause::Marked));
    assert_eq!(case.maker("m"), Verdict::Active(ActiveBecause::Marked));
    assert_eq!(case.maker("i"), Verdict::Constant(ConstantBecause::Marked));
    case.expect_constant(&["t", "w", "a", "ignored"]);
    case.expect_active(&["n", "i", "b", "ab", "result"]);
}

#[test]
fn without_analysis_all_that_could_be_active_is() {
    let text = "define double @f(double %x, double %c, ptr %p) {
           %unused = fmul double %c, %c
           %large = fcmp ogt double %x, 0.0
           %q = getelementptr double, ptr %p, i64 1
           ret double %x
         }";
    let options = Options { effort: Effort::None, ..WHOLE };
    let case = analyse_with(text, options, &[A::Out, A::Const, A::Const], R::Active);
    assert_eq!(case.verdict("unused"), Verdict::Active(ActiveBecause::NotAnalysed));
    assert_eq!(case.maker("unused"), Verdict::Active(ActiveBecause::NotAnalysed));
    case.expect_constant(&["large", "c", "q"]);
}

#[test]
fn reasons_lead_from_where_it_comes_from_to_where_it_is_asked_for() {
    let case = analyse(
        "define double @f(double %x) {
           %cell = alloca double
           %twice = fmul double %x, 2.0
           store double %twice, ptr %cell
           %v = load double, ptr %cell
           %r = fadd double %v, 1.0
           ret double %r
         }",
        &[A::Out],
        R::Active,
    );
    let reasons = case.activity.why_value(case.value("v"));
    let varied = reasons.varied.expect("it is varied");
    assert_eq!(varied.end, Origin::Argument(0));
    let alloca = case.function().as_inst(case.value("cell")).expect("an instruction");
    let back: Vec<Subject> = varied.steps.iter().map(|step| step.subject).collect();
    assert_eq!(
        back,
        [
            Subject::Value(case.value("v")),
            Subject::Memory(Region::Own(alloca)),
            Subject::Value(case.value("twice")),
            Subject::Value(case.value("x")),
        ]
    );
    let store = case.insts(|opcode| matches!(opcode, Opcode::Store { .. }))[0];
    assert_eq!(varied.steps[1].by, Some(store));
    let useful = reasons.useful.expect("it is useful");
    let on: Vec<Subject> = useful.steps.iter().map(|step| step.subject).collect();
    assert_eq!(on, [Subject::Value(case.value("v")), Subject::Value(case.value("r"))]);
    assert!(matches!(useful.end, Destination::Returned(_)));

    let address = case.activity.why_value(case.value("cell"));
    assert_eq!(address.memory, [Region::Own(alloca)]);
    assert!(matches!(address.used.expect("it is used").end, Destination::Used(_)));
    assert_eq!(address.varied.expect("what is there is varied").end, Origin::Argument(0));

    let moved = case.activity.why_inst(store);
    assert_eq!(moved.varied.expect("it moves a number").end, Origin::Argument(0));
}
