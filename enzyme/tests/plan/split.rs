//! Plans of forward mode in two parts.

use crate::support::{in_context, parse, value};
use enzyme::activity::ArgumentActivity as A;
use enzyme::model::{Function, InstId, Module, Opcode};
use enzyme::plan::{
    self, ForwardStep, Held, Known, Obstacle, Reason, ResultCarries, Second, SplitPlan, UnknownTypes,
};
use enzyme::types::ValueTypes;

fn plan(function: &Function, parameters: &[A]) -> Result<SplitPlan, Vec<Obstacle>> {
    let types = ValueTypes::of_function(function).expect("the types fit");
    in_context(function, &types, parameters, UnknownTypes::AreErrors, |context| {
        plan::split(function, parameters, ResultCarries::Derivative, context)
    })
}

fn second(function: &Function, plan: &SplitPlan, name: &str) -> Second {
    let inst = function.as_inst(value(function, name)).expect("an instruction");
    plan.primal[inst]
}

fn stores(function: &Function) -> Vec<InstId> {
    let is_store = |inst: &InstId| matches!(function.insts[*inst].opcode, Opcode::Store { .. });
    function.insts_in_order().filter(is_store).collect()
}

#[test]
fn the_second_part_reads_what_memory_held_and_writes_no_memory_of_the_primal() {
    let function = parse(
        "define double @f(ptr %p) {
           %x = load double, ptr %p
           %y = fmul double %x, %x
           store double 0.0, ptr %p
           %z = fadd double %y, 1.0
           ret double %z
         }",
    );
    let plan = plan(&function, &[A::Duplicated]).expect("nothing stands in the way");
    let Second::FromTape(slot) = second(&function, &plan, "x") else { panic!("x is not kept") };
    let x = value(&function, "x");
    assert_eq!(plan.first.slots[slot].holds, Held::Value(Known::Primal(x)));
    assert_eq!(plan.first.slots, plan.second.slots);
    // The tangent of a product reads the operands, that of a sum nothing.
    assert_eq!(second(&function, &plan, "y"), Second::Nothing);
    assert_eq!(second(&function, &plan, "z"), Second::Nothing);
    for store in stores(&function) {
        assert_eq!(plan.primal[store], Second::Nothing);
        assert_eq!(plan.first.forward.steps[store], ForwardStep::Keep);
        assert!(matches!(plan.second.forward.steps[store], ForwardStep::Mirror { .. }));
    }
}

#[test]
fn control_flow_goes_the_same_way_again() {
    let function = parse(
        "define double @f(ptr %p, i64 %n) {
         entry:
           br label %loop
         loop:
           %i = phi i64 [ 0, %entry ], [ %next, %loop ]
           %sum = phi double [ 0.0, %entry ], [ %more, %loop ]
           %place = getelementptr double, ptr %p, i64 %i
           %v = load double, ptr %place
           %square = fmul double %v, %v
           %more = fadd double %sum, %square
           %next = add i64 %i, 1
           %again = icmp ult i64 %next, %n
           br i1 %again, label %loop, label %done
         done:
           ret double %more
         }",
    );
    let plan = plan(&function, &[A::Duplicated, A::Const]).expect("nothing stands in the way");
    for again in ["i", "next", "again"] {
        assert_eq!(second(&function, &plan, again), Second::Again, "{again}");
    }
    // An address is as well known by its shadow; sums are not read.
    for gone in ["place", "sum", "more", "square"] {
        assert_eq!(second(&function, &plan, gone), Second::Nothing, "{gone}");
    }
    let Second::FromTape(slot) = second(&function, &plan, "v") else { panic!("v is not kept") };
    let natural = plan.first.slots[slot].region.expect("it is kept once an iteration");
    let place = plan.first.loops[natural].iterations.expect("the slots of iterations lie somewhere");
    assert_eq!(plan.first.slots[place].holds, Held::Iterations(natural));
}

#[test]
fn calls_keep_a_tape_between_the_parts() {
    let module: Module = "define double @f(double %x) {
           %y = call double @g(double %x)
           ret double %y
         }
         define double @g(double %x) {
           %y = fmul double %x, %x
           ret double %y
         }"
    .parse()
    .expect("the text is valid IR");
    let function = module.functions[0].clone();
    let plan = plan(&function, &[A::Duplicated]).expect("nothing stands in the way");
    let call = function.as_inst(value(&function, "y")).expect("a call");
    assert!(matches!(plan.first.forward.steps[call], ForwardStep::Augment(_)));
    assert!(matches!(plan.second.forward.steps[call], ForwardStep::CallAgain(_)));
    let slot = plan.first.tapes[call].expect("a tape");
    assert_eq!(plan.first.slots[slot].holds, Held::Tape(call));
    assert_eq!(plan.primal[call], Second::Nothing);
}

#[test]
fn calls_through_pointers_are_refused() {
    let function = parse(
        "define double @f(double %x, ptr %g) {
           %y = call double %g(double %x)
           ret double %y
         }",
    );
    let obstacles = plan(&function, &[A::Duplicated, A::Const]).expect_err("it is refused");
    assert_eq!(obstacles.len(), 1);
    assert_eq!(obstacles[0].reason, Reason::InTwoParts { what: "a call through a pointer" });
}
