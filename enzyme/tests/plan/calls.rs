//! Plans of calls of defined functions: what goes in with a shadow.

use crate::support::in_program;
use enzyme::activity::ArgumentActivity as A;
use enzyme::model::{Function, Opcode};
use enzyme::plan::{self, ForwardStep, ResultCarries, ReverseStep, Sweeps};

/// What the forward sweep of reverse mode does at each call, in order.
fn forward_sweep(text: &str, parameters: &[A]) -> Vec<ForwardStep> {
    in_program(text, parameters, |function, context| {
        let plan = plan::reverse(function, parameters, Sweeps::Together, context)
            .expect("nothing stands in the way");
        plan::check(function, &plan).expect("the plan is sound");
        calls(function).map(|inst| plan.forward.steps[inst].clone()).collect()
    })
}

fn calls(function: &Function) -> impl Iterator<Item = enzyme::model::InstId> + '_ {
    function.insts_in_order().filter(|&inst| matches!(function.insts[inst].opcode, Opcode::Call(_)))
}

fn arguments(step: &ForwardStep) -> &[A] {
    match step {
        ForwardStep::Augment(call) | ForwardStep::Call(call) => &call.arguments,
        other => panic!("{other:?} calls no derived function"),
    }
}

/// Adds what `%from` points to, if anything, to what `%to` points to.
const ADD: &str = "define void @add(ptr %to, ptr %from) {
  entry:
    %nothing = icmp eq ptr %from, null
    %place = select i1 %nothing, ptr %to, ptr %from
    %x = load double, ptr %place
    %y = load double, ptr %to
    %sum = fadd double %x, %y
    store double %sum, ptr %to
    ret void
  }";

#[test]
fn null_goes_in_with_itself_as_its_shadow() {
    let text = format!(
        "define void @f(ptr %x) {{
           call void @add(ptr %x, ptr null)
           ret void
         }}
         {ADD}"
    );
    let steps = forward_sweep(&text, &[A::Duplicated]);
    assert_eq!(arguments(&steps[0]), [A::Duplicated, A::Duplicated]);
    let tangents = in_program(&text, &[A::Duplicated], |function, context| {
        let plan = plan::forward(function, &[A::Duplicated], ResultCarries::Nothing, context);
        let call = calls(function).next().expect("there is a call");
        plan.expect("nothing stands in the way").steps[call].clone()
    });
    assert_eq!(arguments(&tangents), [A::Duplicated, A::Duplicated]);
}

/// Stores a pointer in memory; never inlined.
const REMEMBER: &str = "define void @remember(ptr %place, ptr %what) {
    store ptr %what, ptr %place
    ret void
  }";

#[test]
fn what_an_inactive_call_stored_goes_in_without_a_shadow() {
    let text = format!(
        "define void @f(ptr %x, ptr %data) {{
           %place = alloca ptr
           call void @remember(ptr %place, ptr %data)
           %read = load ptr, ptr %place
           call void @add(ptr %x, ptr %read)
           ret void
         }}
         {REMEMBER}
         define void @add(ptr %to, ptr %from) {{
           %x = load double, ptr %from
           %y = load double, ptr %to
           %sum = fmul double %x, %y
           store double %sum, ptr %to
           ret void
         }}"
    );
    let steps = forward_sweep(&text, &[A::Duplicated, A::Const]);
    assert_eq!(steps[0], ForwardStep::Keep);
    assert_eq!(arguments(&steps[1]), [A::Duplicated, A::Const]);
}

#[test]
fn a_call_that_may_write_a_pointer_whose_shadow_is_read_is_done_over_shadows() {
    let text = format!(
        "define double @f(ptr %x, ptr %data, i1 %which) {{
         entry:
           %place = alloca ptr
           store ptr %x, ptr %place
           br i1 %which, label %other, label %read
         other:
           call void @remember(ptr %place, ptr %data)
           br label %read
         read:
           %pointer = load ptr, ptr %place
           %result = load double, ptr %pointer
           ret double %result
         }}
         {REMEMBER}"
    );
    let steps = forward_sweep(&text, &[A::Duplicated, A::Const, A::Const]);
    // The constant's missing shadow is an error there: never a shadow that nobody has written.
    assert_eq!(arguments(&steps[0]), [A::Duplicated, A::Const]);
    let reverse = in_program(&text, &[A::Duplicated, A::Const, A::Const], |function, context| {
        let parameters = [A::Duplicated, A::Const, A::Const];
        let plan = plan::reverse(function, &parameters, Sweeps::Together, context);
        let call = calls(function).next().expect("there is a call");
        plan.expect("nothing stands in the way").steps[call].clone()
    });
    assert!(matches!(reverse, ReverseStep::ReverseCall(_)));
}
