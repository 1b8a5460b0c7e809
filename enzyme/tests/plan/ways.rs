//! How the reverse sweep goes past what was not chosen, knows again which way was taken, and which vectors have holes.

use crate::support::{block, parse, together, value};
use enzyme::activity::ArgumentActivity as A;
use enzyme::model::Function;
use enzyme::plan::{How, Known, Reuse};

/// The least of the sums of squares in the rows of a matrix. `more` stands where the sum of a row is known, `again` is
/// what the next row goes on with.
fn least_of_rows(more: &str, again: &str) -> Function {
    parse(&format!(
        "define double @least(ptr noalias %a, ptr noalias %out, i64 %rows, i64 %columns) {{
         entry:
           br label %row
         row:
           %i = phi i64 [ 0, %entry ], [ %next_row, %end ]
           %least = phi double [ 1.0e+300, %entry ], [ {again}, %end ]
           %first = mul i64 %i, %columns
           br label %column
         column:
           %j = phi i64 [ 0, %row ], [ %next, %column ]
           %sum = phi double [ 0.0, %row ], [ %sums, %column ]
           %index = add i64 %first, %j
           %place = getelementptr double, ptr %a, i64 %index
           %x = load double, ptr %place
           %square = fmul double %x, %x
           %sums = fadd double %sum, %square
           %next = add i64 %j, 1
           %is_last = icmp eq i64 %next, %columns
           br i1 %is_last, label %end, label %column
         end:
           %whole = phi double [ %sums, %column ]
           {more}
           %is_less = fcmp olt double %whole, %least
           %lesser = select i1 %is_less, double %whole, double %least
           %next_row = add i64 %i, 1
           %is_end = icmp eq i64 %next_row, %rows
           br i1 %is_end, label %exit, label %row
         exit:
           ret double %lesser
         }}"
    ))
}

const OF_ROWS: [A; 4] = [A::Duplicated, A::Duplicated, A::Const, A::Const];

#[test]
fn nothing_is_done_backwards_for_a_sum_that_was_not_chosen() {
    let function = least_of_rows("", "%lesser");
    let plan = together(&function, &OF_ROWS);
    let past = plan.unchosen[block(&function, "end")].expect("a way past the row");
    assert_eq!(past.to, block(&function, "row"));
    assert_eq!(function.insts[past.select].result, Some(value(&function, "lesser")));
    assert_eq!(past.operand, 1);
}

#[test]
fn a_sum_that_is_used_besides_is_not_passed() {
    for (more, again) in [
        ("store double %whole, ptr %out", "%lesser"),
        ("%twice = fmul double %whole, 2.0\n store double %twice, ptr %out", "%lesser"),
        // The next row asks for it whatever was chosen.
        ("", "%whole"),
    ] {
        let function = least_of_rows(more, again);
        let plan = together(&function, &OF_ROWS);
        assert_eq!(plan.unchosen[block(&function, "end")], None, "with {more:?} and {again}");
    }
}

#[test]
fn a_row_that_is_written_to_is_not_passed() {
    let text = least_of_rows("", "%lesser").to_string();
    let written = text.replace(
        "%square = fmul double %x, %x",
        "%square = fmul double %x, %x\n store double 0.0, ptr %place",
    );
    assert_ne!(written, text);
    let function = parse(&written);
    assert_eq!(together(&function, &OF_ROWS).unchosen[block(&function, "end")], None);
}

/// A phi of what two ways bring; `long` stands on one of them.
fn of_two_ways(long: &str) -> Function {
    parse(&format!(
        "define void @f(ptr noalias %x, ptr noalias %k, i64 %n) {{
         entry:
           br label %loop
         loop:
           %i = phi i64 [ 0, %entry ], [ %next, %join ]
           %px = getelementptr double, ptr %x, i64 %i
           %v = load double, ptr %px
           %is_big = icmp ugt i64 %i, 7
           br i1 %is_big, label %long, label %join
         long:
           {long}
           br label %join
         join:
           %scale = phi i64 [ 3, %loop ], [ %s, %long ]
           %factor = uitofp i64 %scale to double
           %product = fmul double %v, %factor
           store double %product, ptr %px
           store i64 0, ptr %k
           %next = add i64 %i, 1
           %is_end = icmp eq i64 %next, %n
           br i1 %is_end, label %exit, label %loop
         exit:
           ret void
         }}"
    ))
}

#[test]
fn what_a_condition_chose_is_chosen_again() {
    let function = of_two_ways("%h = mul i64 %i, 5\n %s = and i64 %h, 15");
    let plan = together(&function, &[A::Duplicated, A::Const, A::Const]);
    let reuse = plan.reuse[Known::Primal(value(&function, "scale"))];
    let Reuse::Recompute(again) = reuse else { panic!("{reuse:?}") };
    let How::Choosing { condition, if_true, if_false } = again.how() else { panic!("{again:?}") };
    assert_eq!(condition, value(&function, "is_big"));
    assert_eq!(if_true, value(&function, "s"));
    assert!(function.as_inst(if_false).is_none());
}

#[test]
fn what_must_not_be_computed_on_the_other_way_is_kept() {
    // A division by zero stops the program, an address may lead nowhere, and memory may be written to.
    for long in [
        "%s = udiv i64 100, %i",
        "%s = load i64, ptr %k",
        "%a = add i64 %i, 1\n %b = mul i64 %a, %a\n %c = xor i64 %b, %a\n %d = mul i64 %c, %b\n %e = xor i64 %d, %c\n \
         %s = add i64 %e, %d",
    ] {
        let function = of_two_ways(long);
        let plan = together(&function, &[A::Duplicated, A::Const, A::Const]);
        let reuse = plan.reuse[Known::Primal(value(&function, "factor"))];
        let scale = plan.reuse[Known::Primal(value(&function, "scale"))];
        let is_kept = |reuse: Reuse| matches!(reuse, Reuse::Cache(_));
        assert!(is_kept(reuse) || is_kept(scale), "with {long}: {reuse:?}, {scale:?}");
    }
}

#[test]
fn vectors_that_may_have_elements_without_a_value() {
    let function = parse(
        "define double @f(ptr %x, i1 %c) {
         entry:
           %both = load <2 x double>, ptr %x
           %turned = shufflevector <2 x double> %both, <2 x double> poison, <2 x i32> <i32 1, i32 0>
           %second = shufflevector <2 x double> %both, <2 x double> poison, <2 x i32> <i32 1, i32 poison>
           %beyond = shufflevector <2 x double> %both, <2 x double> poison, <2 x i32> <i32 1, i32 2>
           %whole = fmul <2 x double> %both, %turned
           %product = fmul <2 x double> %whole, %second
           %one = extractelement <2 x double> %product, i64 0
           %half = insertelement <2 x double> poison, double %one, i64 1
           %full = insertelement <2 x double> %half, double %one, i64 0
           %chosen = select i1 %c, <2 x double> %full, <2 x double> %half
           %frozen = freeze <2 x double> %chosen
           %result = extractelement <2 x double> %frozen, i64 0
           ret double %result
         }",
    );
    let plan = together(&function, &[A::Duplicated, A::Const]);
    for (name, is_incomplete) in [
        ("both", false),
        ("turned", false),
        ("second", true),
        ("beyond", true),
        ("whole", false),
        ("product", true),
        ("half", true),
        ("full", false),
        ("chosen", true),
        ("frozen", false),
    ] {
        assert_eq!(plan.incomplete[value(&function, name)], is_incomplete, "%{name}");
    }
}
