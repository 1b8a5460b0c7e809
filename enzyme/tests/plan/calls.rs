//! Plans of calls of defined functions: what goes in with a shadow.

use crate::support::in_program;
use enzyme::activity::ArgumentActivity as A;
use enzyme::model::{Function, Opcode};
use enzyme::plan::{self, ForwardStep, Reason, ResultCarries, ReverseStep, Sweeps};

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

/// Squares the double whose bits it is given, and gives the bits of that.
const SQUARE_BITS: &str = "define i64 @square(i64 %bits) {
    %x = bitcast i64 %bits to double
    %y = fmul double %x, %x
    %squared = bitcast double %y to i64
    ret i64 %squared
  }";

#[test]
fn the_bits_of_floats_go_in_and_come_out_with_derivatives() {
    let text = format!(
        "define double @f(double %x) {{
           %bits = bitcast double %x to i64
           %squared = call i64 @square(i64 %bits)
           %result = bitcast i64 %squared to double
           ret double %result
         }}
         {SQUARE_BITS}"
    );
    in_program(&text, &[A::Out], |function, context| {
        let plan =
            plan::reverse(function, &[A::Out], Sweeps::Together, context).expect("nothing stands in the way");
        let call = calls(function).next().expect("there is a call");
        let ReverseStep::Call(derived) = &plan.steps[call] else { panic!("{:?}", plan.steps[call]) };
        assert_eq!(derived.arguments, [A::Out]);
        assert_eq!(derived.result, ResultCarries::Derivative);
        let plan = plan::forward(function, &[A::Duplicated], ResultCarries::Derivative, context)
            .expect("nothing stands in the way");
        let ForwardStep::Call(derived) = &plan.steps[call] else { panic!("{:?}", plan.steps[call]) };
        assert_eq!(derived.arguments, [A::Duplicated]);
        assert_eq!(derived.result, ResultCarries::Derivative);
    });
}

#[test]
fn an_integer_from_a_function_behind_a_pointer_is_not_taken_for_one_without_a_derivative() {
    let text = "define double @f(double %x, ptr %function) {
           %bits = call i64 %function(double %x)
           %result = bitcast i64 %bits to double
           ret double %result
         }";
    in_program(text, &[A::Out, A::Const], |function, context| {
        let obstacles = plan::reverse(function, &[A::Out, A::Const], Sweeps::Together, context)
            .expect_err("the derivative of the integer is lost");
        assert!(obstacles.iter().any(|obstacle| obstacle.reason == Reason::LostBits), "{obstacles:?}");
        let obstacles =
            plan::forward(function, &[A::Duplicated, A::Const], ResultCarries::Derivative, context)
                .expect_err("the derivative of the integer is lost");
        assert!(obstacles.iter().any(|obstacle| obstacle.reason == Reason::LostBits), "{obstacles:?}");
    });
}
