//! Loops that choose one of their iterations.

use crate::support::{block, kept, parse, reuse, together, value};
use enzyme::activity::ArgumentActivity as A;
use enzyme::model::Function;
use enzyme::plan::{self, Held, Reuse, ReversePlan, ReverseStep};

/// The largest square of an array's elements, with what an iteration does besides (`more`), how it chooses (`choice`, of
/// `%square` and `%most`), and what comes behind the loop.
fn largest(more: &str, choice: &str, behind: &str) -> Function {
    parse(&format!(
        "define double @largest(ptr noalias %x, ptr noalias %out, i64 %n, i1 %given) {{
         entry:
           br label %loop
         loop:
           %i = phi i64 [ 0, %entry ], [ %next, %latch ]
           %most = phi double [ 1.0, %entry ], [ %now, %latch ]
           %place = getelementptr double, ptr %x, i64 %i
           %element = load double, ptr %place
           %square = fmul double %element, %element
           {more}
           %is_more = fcmp ogt double %square, %most
           {choice}
           br label %latch
         latch:
           %next = add i64 %i, 1
           %is_end = icmp eq i64 %next, %n
           br i1 %is_end, label %exit, label %loop
         exit:
           {behind}
         }}"
    ))
}

const CHOICE: &str = "%now = select i1 %is_more, double %square, double %most";
const ARGUMENTS: [A; 4] = [A::Duplicated, A::Duplicated, A::Const, A::Const];

fn plan_of(function: &Function) -> ReversePlan {
    together(function, &ARGUMENTS)
}

/// Whether the condition of the choice is true in the iteration that is chosen; nothing where all iterations count.
fn chosen_when(function: &Function) -> Option<bool> {
    let plan = plan_of(function);
    let id = plan.control.nest.with_header(block(function, "loop")).expect("a loop");
    plan.loops[id].chosen.map(|chosen| {
        assert_eq!(plan.slots[chosen.slot].holds, Held::ChosenIteration(id));
        assert_eq!(plan.slots[chosen.slot].region, None);
        chosen.when
    })
}

#[test]
fn a_loop_that_chooses_an_iteration_keeps_nothing_but_its_number() {
    let function = largest("", CHOICE, "ret double %now");
    assert_eq!(chosen_when(&function), Some(true));
    let plan = plan_of(&function);
    assert!(matches!(reuse(&function, &plan, "is_more"), Reuse::Chosen(_)));
    assert_eq!(kept(&function, &plan), Vec::<String>::new());
    let in_loops = plan.slots.values().filter(|slot| slot.region.is_some());
    assert_eq!(in_loops.count(), 0);
}

#[test]
fn a_choice_may_be_made_by_what_is_false() {
    let choice = "%now = select i1 %is_more, double %most, double %square";
    assert_eq!(chosen_when(&largest("", choice, "ret double %now")), Some(false));
}

#[test]
fn what_was_chosen_before_may_be_part_of_what_is_chosen_only_if_no_adjoint_goes_there() {
    let through = "%sum = fadd double %square, %most\n %now = select i1 %is_more, double %sum, double %most";
    assert_eq!(chosen_when(&largest("", through, "ret double %now")), None);
    let counted = "%count = fptosi double %most to i64\n store i64 %count, ptr %out";
    assert_eq!(chosen_when(&largest(counted, CHOICE, "ret double %now")), Some(true));
}

#[test]
fn iterations_count_that_do_something_besides() {
    let both = "%sum = fadd double %now, %square\n ret double %sum";
    for (more, choice, behind) in [
        // Elements are written, to memory with a shadow.
        ("store double %square, ptr %out", CHOICE, "ret double %now"),
        ("store double 0.0, ptr %out", CHOICE, "ret double %now"),
        // Each choice is.
        (
            "",
            "%now = select i1 %is_more, double %square, double %most\n store double %now, ptr %out",
            "ret double %now",
        ),
        // The last element is used, whatever it is.
        ("", CHOICE, both),
        // What decides is not of the iteration.
        ("", "%now = select i1 %given, double %square, double %most", "ret double %now"),
    ] {
        let function = largest(more, choice, behind);
        assert_eq!(chosen_when(&function), None, "with {more:?}, {choice:?}, {behind:?}");
        // It is kept, or computed again.
        let plan = plan_of(&function);
        assert!(!matches!(
            plan.reuse[enzyme::plan::Known::Primal(value(&function, "is_more"))],
            Reuse::Chosen(_)
        ));
    }
}

#[test]
fn a_loop_may_be_left_between_the_condition_and_the_choice() {
    let text = largest("", CHOICE, "ret double %now").to_string();
    let apart = text
        .replace("%now = select", "br i1 %given, label %choice, label %early\nchoice:\n %now = select")
        .replace("exit:", "early:\n ret double %most\nexit:");
    assert_ne!(apart, text);
    assert_eq!(chosen_when(&parse(&apart)), None);
}

#[test]
fn a_plan_that_does_not_know_what_was_chosen_is_refused() {
    let function = largest("", CHOICE, "ret double %now");
    let plan = plan_of(&function);
    plan::check(&function, &plan).expect("nothing is broken");
    let id = plan.control.nest.with_header(block(&function, "loop")).expect("a loop");
    let rule_broken = |plan: &ReversePlan| plan::check(&function, plan).map_err(|error| error.rule);

    let mut forgetful = plan.clone();
    forgetful.loops[id].chosen = None;
    assert_eq!(rule_broken(&forgetful), Err(9));

    let mut mistaken = plan.clone();
    let slot = mistaken.loops[id].chosen.expect("it chooses").slot;
    mistaken.slots[slot].holds = Held::LastIteration(id);
    assert_eq!(rule_broken(&mistaken), Err(9));

    // An iteration that does more than add must not be left out.
    let mut careless = plan;
    let load = function.as_inst(value(&function, "element")).expect("a load");
    careless.steps[load] = ReverseStep::Return;
    assert_eq!(rule_broken(&careless), Err(9));
}
