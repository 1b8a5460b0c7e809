//! What plans say of what they keep.

use crate::support::{in_context, parse};
use enzyme::activity::ArgumentActivity as A;
use enzyme::explain::plan::PlanVerdicts;
use enzyme::explain::{Explanation, text};
use enzyme::model::Function;
use enzyme::plan::{self, Kept, Places, Sweeps, UnknownTypes, WhyKept};
use enzyme::types::ValueTypes;

/// Calls a function with what a plan keeps in loops, the sentences about that, and the whole explanation.
fn explained(text: &str, parameters: &[A], sweeps: Sweeps) -> (Function, Vec<Kept>, Vec<String>, String) {
    let function = parse(text);
    let types = ValueTypes::of_function(&function).expect("the types fit");
    let (kept, sentences, shown) =
        in_context(&function, &types, parameters, UnknownTypes::AreErrors, |context| {
            let plan = plan::reverse(&function, parameters, sweeps, context).expect("nothing in the way");
            let verdicts = PlanVerdicts::new(&function, &plan, parameters, context);
            let of_values = |kept: &&Kept| matches!(kept.holds, plan::Held::Value(_));
            let kept: Vec<Kept> = verdicts.kept().iter().filter(of_values).cloned().collect();
            let sentences = kept.iter().map(|one| verdicts.sentence(one)).collect();
            let mut shown = String::new();
            text::write(&mut shown, &Explanation::new(&function, &verdicts), &|_| None, text::Colours::No)
                .expect("a string takes all");
            (kept, sentences, shown)
        });
    (function, kept, sentences, shown)
}

fn scaling(attributes: &str) -> String {
    format!(
        "define double @scale(ptr {attributes} %u, ptr {attributes} %w, i64 %n) {{
         entry:
           %trips = freeze i64 %n
           br label %loop
         loop:
           %i = phi i64 [ 0, %entry ], [ %next, %loop ]
           %sum = phi double [ 0.0, %entry ], [ %more, %loop ]
           %pu = getelementptr double, ptr %u, i64 %i
           %x = load double, ptr %pu
           %pw = getelementptr double, ptr %w, i64 %i
           %y = load double, ptr %pw
           %product = fmul double %x, %y
           %more = fadd double %sum, %product
           store double %more, ptr %pu
           %next = add i64 %i, 1
           %goes_on = icmp ult i64 %next, %n
           br i1 %goes_on, label %loop, label %exit
         exit:
           ret double %more
         }}"
    )
}

#[test]
fn memory_that_is_written_later_and_what_may_be_it() {
    let (_, kept, sentences, shown) =
        explained(&scaling(""), &[A::Duplicated, A::Duplicated, A::Const], Sweeps::Together);
    let places: Vec<Places> = kept
        .iter()
        .filter_map(|one| match one.why {
            WhyKept::Overwritten { places, .. } => Some(places),
            _ => None,
        })
        .collect();
    // `w[i]` may be what is written to `u`, and `u[i]` is.
    assert!(places.contains(&Places::Same) && places.contains(&Places::MayBeSame), "{kept:?}");
    let may_be = sentences.iter().find(|sentence| sentence.contains("another name"));
    assert_eq!(
        may_be.map(String::as_str),
        Some(
            "%y is kept (8 bytes for each iteration): it is read from memory that may be written later, by what may be \
             another name of it; what would avoid it: `restrict` on the pointers, if they never lead to the same memory"
        )
    );
    for expected in [
        "plan of @scale\n",
        "  given: %u comes with a shadow\n",
        "  given: one function runs both sweeps\n",
        "    %x = load double, ptr %pu",
        "        <- store double %more, ptr %pu: writes to the same memory\n",
        "        <- store double %more, ptr %pu: writes to what may be the same memory\n",
    ] {
        assert!(shown.contains(expected), "{expected}\nis not in\n{shown}");
    }
}

#[test]
fn restrict_avoids_it() {
    let (_, kept, _, shown) =
        explained(&scaling("noalias"), &[A::Duplicated, A::Duplicated, A::Const], Sweeps::Together);
    let may_be = |one: &Kept| matches!(one.why, WhyKept::Overwritten { places: Places::MayBeSame, .. });
    assert!(!kept.iter().any(may_be), "{shown}");
}

#[test]
fn what_others_may_write_between_the_sweeps() {
    let text = "define double @square(ptr %p) {
                  %x = load double, ptr %p
                  %y = fmul double %x, %x
                  ret double %y
                }";
    let (_, kept, _, _) = explained(text, &[A::Duplicated], Sweeps::Apart);
    assert_eq!(kept.iter().map(|one| &one.why).collect::<Vec<_>>(), [&WhyKept::BetweenSweeps]);
    assert!(kept[0].trips.is_empty() && kept[0].total() == Some(8));
    let (_, kept, _, _) = explained(text, &[A::Duplicated], Sweeps::Together);
    assert_eq!(kept.iter().map(|one| &one.why).collect::<Vec<_>>(), [&WhyKept::Cheaper]);
}

#[test]
fn totals_are_known_where_the_numbers_of_iterations_are() {
    let kept = |trips: &[Option<u64>]| Kept {
        slot: plan::SlotId::from_u32(0),
        holds: plan::Held::Exit,
        bytes: 8,
        trips: trips.to_vec(),
        why: WhyKept::Carried,
    };
    assert_eq!(kept(&[]).amount(), "8 bytes");
    assert_eq!(kept(&[Some(100)]).amount(), "8 bytes for each of 100 iterations, 800 in all");
    assert_eq!(kept(&[Some(10), Some(5)]).amount(), "8 bytes for each iteration, 400 in all");
    assert_eq!(kept(&[Some(10), None]).amount(), "8 bytes for each iteration");
}

#[test]
fn every_reason_reads_as_a_sentence() {
    let reasons = [
        WhyKept::Cheaper,
        WhyKept::BetweenSweeps,
        WhyKept::Carried,
        WhyKept::Joined,
        WhyKept::Called,
        WhyKept::Made,
        WhyKept::Unrepeatable,
        WhyKept::Way,
        WhyKept::Iterations,
        WhyKept::OfCallee,
        WhyKept::Address,
    ];
    for why in reasons {
        let said = why.to_string();
        assert!(!said.is_empty() && !said.ends_with('.'), "{said}");
        assert!(why.advice().is_none_or(|advice| !advice.ends_with('.')), "{said}");
    }
}
