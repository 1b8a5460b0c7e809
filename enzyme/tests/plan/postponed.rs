//! Writes to memory that wait until the reverse sweep is over.

use crate::support::{parse, reuse, try_plan_keeping};
use enzyme::activity::ArgumentActivity as A;
use enzyme::model::{Function, InstId, Opcode};
use enzyme::plan::{self, Keeping, Reuse, ReversePlan, Sweeps};

/// The square of a number in memory, written to memory that may be the same, and what comes behind.
fn square(behind: &str) -> Function {
    parse(&format!(
        "declare void @report(ptr)
         declare void @abort() noreturn
         declare noalias ptr @malloc(i64)
         declare void @free(ptr)
         declare double @llvm.sin.f64(double)
         declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
         define double @f(ptr %x, ptr %y, i1 %given) {{
         entry:
           %v = load double, ptr %x
           %square = fmul double %v, %v
           {behind}
         }}"
    ))
}

const ARGUMENTS: [A; 3] = [A::Duplicated, A::Duplicated, A::Const];

/// A plan that keeps as little as it may.
fn plan_of(function: &Function, sweeps: Sweeps) -> ReversePlan {
    try_plan_keeping(function, &ARGUMENTS, sweeps, Keeping::Least).expect("nothing stands in the way")
}

/// How many writes wait.
fn waiting(function: &Function, plan: &ReversePlan) -> usize {
    let is_read_again = matches!(reuse(function, plan, "v"), Reuse::Recompute(_));
    assert_eq!(is_read_again, !plan.writes_at_the_end.is_empty());
    plan.writes_at_the_end.len()
}

#[test]
fn what_is_written_last_waits() {
    for (behind, count) in [
        ("store double %square, ptr %y\n ret double %square", 1),
        // In their order, whatever they write to.
        ("store double %square, ptr %y\n store double 1.0, ptr %x\n ret double %square", 2),
        (
            "store double %square, ptr %y\n %sin = call double @llvm.sin.f64(double %square)\n ret double %sin",
            1,
        ),
        (
            "store double %square, ptr %y
             call void @llvm.memcpy.p0.p0.i64(ptr %x, ptr %y, i64 8, i1 false)
             ret double %square",
            2,
        ),
        // Memory of its own, which it gives back.
        (
            "%own = call ptr @malloc(i64 8)
             store double %square, ptr %y
             call void @free(ptr %own)
             ret double %square",
            1,
        ),
        // On every way.
        (
            "br i1 %given, label %one, label %other
             one:
             br label %other
             other:
             store double %square, ptr %y
             ret double %square",
            1,
        ),
    ] {
        let function = square(behind);
        let plan = plan_of(&function, Sweeps::Together);
        assert_eq!(waiting(&function, &plan), count, "{behind}");
        // A function with another for its reverse sweep has written before that begins.
        let apart = plan_of(&function, Sweeps::Apart);
        assert_eq!(waiting(&function, &apart), 0);
    }
}

#[test]
fn what_somebody_may_look_at_does_not_wait() {
    for behind in [
        // The program reads it, perhaps.
        "store double %square, ptr %y\n %w = load double, ptr %y\n ret double %w",
        "store double %square, ptr %y\n %w = load double, ptr %x\n ret double %w",
        "store double %square, ptr %y\n call void @report(ptr null)\n ret double %square",
        // Behind ways that part and meet.
        "store double %square, ptr %y
         br i1 %given, label %one, label %other
         one:
         br label %meet
         other:
         br label %meet
         meet:
         br i1 %given, label %third, label %fourth
         third:
         br label %fourth
         fourth:
         %w = load double, ptr %y
         ret double %w",
        // It is gone afterwards.
        "store double %square, ptr %y\n call void @free(ptr %y)\n ret double %square",
        // Others do.
        "store volatile double %square, ptr %y\n ret double %square",
        // It may never return.
        "store double %square, ptr %y
         br i1 %given, label %stop, label %go
         stop:
         call void @abort()
         unreachable
         go:
         ret double %square",
        // It is not always done.
        "br i1 %given, label %one, label %other
         one:
         store double %square, ptr %y
         br label %other
         other:
         ret double %square",
    ] {
        let function = square(behind);
        let plan = plan_of(&function, Sweeps::Together);
        assert_eq!(waiting(&function, &plan), 0, "{behind}");
        let stores = function
            .insts_in_order()
            .filter(|&inst| matches!(function.insts[inst].opcode, Opcode::Store { .. }));
        assert_eq!(stores.count(), 1);
    }
}

#[test]
fn a_plan_lets_no_write_wait_that_is_not_always_done() {
    let function = square(
        "br i1 %given, label %one, label %other
         one:
         store double %square, ptr %y
         br label %other
         other:
         ret double %square",
    );
    let mut plan = plan_of(&function, Sweeps::Together);
    plan::check(&function, &plan).expect("nothing is broken");
    let is_store = |inst: &InstId| matches!(function.insts[*inst].opcode, Opcode::Store { .. });
    plan.writes_at_the_end = function.insts_in_order().filter(is_store).collect();
    assert_eq!(plan::check(&function, &plan).map_err(|mistake| mistake.rule), Err(10));
}
