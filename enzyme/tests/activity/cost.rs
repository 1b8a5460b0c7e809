//! What the analysis costs.

use enzyme::activity::{Analyser, ArgumentActivity as A, DeclaredTypes, ResultActivity as R};

use crate::{WHOLE, analyse, program};

/// A chain of arithmetic, local memory and unknown calls, of so many links.
fn chain(links: usize) -> String {
    let mut text = String::from(
        "declare double @mystery(double, ptr)\ndefine double @f(double %x, ptr %data, i64 %n) {\nentry:\n  %v0 = fadd double %x, 0.0\n",
    );
    for index in 1..=links {
        let before = index - 1;
        text += &format!(
            "  %s{index} = alloca double\n\
             \x20 store double %v{before}, ptr %s{index}\n\
             \x20 %a{index} = getelementptr double, ptr %data, i64 {index}\n\
             \x20 %l{index} = load double, ptr %s{index}\n\
             \x20 %d{index} = load double, ptr %a{index}\n\
             \x20 %m{index} = call double @mystery(double %l{index}, ptr %s{index})\n\
             \x20 %v{index} = fmul double %m{index}, %d{index}\n"
        );
    }
    text + &format!("  ret double %v{links}\n}}\n")
}

#[test]
fn the_cost_grows_with_the_program_not_with_its_square() {
    let visits =
        |links| analyse(&chain(links), &[A::Out, A::Duplicated, A::Const], R::Active).activity.visits();
    let (small, large) = (visits(250), visits(1000));
    assert!(large <= 5 * small, "{small} visits of 250 links, {large} of 1000");
}

#[test]
fn a_chain_of_a_thousand_calls_is_looked_at_once() {
    let depth = 1000;
    let mut text = String::from(
        "define double @f0(double %v, ptr %p) {\n  %l = load double, ptr %p\n  %r = fmul double %v, %l\n  ret double %r\n}\n",
    );
    for index in 1..depth {
        text += &format!(
            "define double @f{index}(double %v, ptr %p) {{\n  %r = call double @f{}(double %v, ptr %p)\n  ret double %r\n}}\n",
            index - 1
        );
    }
    text += &format!(
        "define double @f(double %x, ptr %p) {{\n  %r = call double @f{}(double %x, ptr %p)\n  ret double %r\n}}\n",
        depth - 1
    );
    let program = program(&text);
    let f = program.find("f").expect("there is an @f");
    let mut analyser = Analyser::new(&program, &DeclaredTypes, WHOLE);
    assert_eq!(analyser.summaries_made(), depth + 1);
    let activity = analyser.activity(f, &[A::Const, A::Duplicated], R::Active);
    let (_, result) = program[f]
        .values
        .iter()
        .find(|(_, value)| value.name.as_deref() == Some("r"))
        .map(|(id, _)| ((), id))
        .expect("there is an %r");
    assert!(activity.value(result).is_active());
    assert!(activity.visits() < 100, "{} visits of a call", activity.visits());
}

#[test]
fn a_large_table_costs_nothing() {
    let visits = |numbers: usize| {
        let row = vec!["double 1.5"; numbers].join(", ");
        let text = format!(
            "@table = constant [{numbers} x double] [{row}]
             define double @f(double %x, i64 %i) {{
               %p = getelementptr double, ptr @table, i64 %i
               %w = load double, ptr %p
               %r = fmul double %w, %x
               ret double %r
             }}"
        );
        let case = analyse(&text, &[A::Out, A::Const], R::Active);
        case.expect_constant(&["p", "w"]);
        case.activity.visits()
    };
    assert_eq!(visits(4), visits(20_000));
}

#[test]
fn a_long_list_that_escapes_does_not_exhaust_the_stack() {
    let links = 3000;
    let mut text = String::from("declare void @keep(ptr)\ndefine double @f(double %x) {\n");
    for index in 0..=links {
        text += &format!("  %n{index} = alloca [2 x ptr]\n");
    }
    for index in 0..links {
        text += &format!("  store ptr %n{}, ptr %n{index}\n", index + 1);
    }
    text += &format!(
        "  store double %x, ptr %n{links}\n  call void @keep(ptr %n0)\n  %v = load double, ptr %n7\n  ret double %v\n}}\n"
    );
    let case = analyse(&text, &[A::Out], R::Active);
    case.expect_active(&["n0", "n7", "v"]);
    assert!(case.activity.visits() < 100 * links, "{} visits", case.activity.visits());
}
