//! Contradictions, with both derivations, and why something is known.

use enzyme::types::{Analyser, CallTypes, Options, TypeError};

use crate::support::{contradiction, first, in_function, named, program};

const BOTH: &str = "  %x = load double, ptr %p
  %y = fneg double %x
  %n = load i64, ptr %p
  %z = sitofp i64 %n to float";

#[test]
fn memory_cannot_hold_a_float_and_an_integer() {
    let error = contradiction(&in_function("ptr %p", BOTH));
    let text = error.to_string();
    assert!(text.starts_with("in @f: %"), "{text}");
    assert!(text.contains("Float@double") && text.contains("Integer"), "{text}");
    assert!(text.contains("cannot both be true"), "{text}");
    assert!(error.help().contains("-enzyme-strict-aliasing=0"), "{}", error.help());
}

#[test]
fn both_sides_of_a_contradiction_are_told_back_to_where_they_were_learnt() {
    let TypeError::Conflict { known, new, .. } = contradiction(&in_function("ptr %p", BOTH));
    let reasons = |steps: &[enzyme::types::Step]| {
        steps.iter().map(|step| format!("{} {}", step.value, step.reason)).collect::<Vec<_>>().join("; ")
    };
    let (known, new) = (reasons(&known), reasons(&new));
    let sides = [&known, &new];
    assert!(sides.iter().any(|side| side.contains("floating-point arithmetic")), "{known}\n{new}");
    assert!(sides.iter().any(|side| side.contains("a conversion of numbers")), "{known}\n{new}");
}

#[test]
fn a_contradiction_has_the_line_of_the_user_s_program() {
    let error = contradiction(
        "define void @f(i64 %n) !dbg !0 {
  %x = bitcast i64 %n to double
  %y = fneg double %x
  %z = sitofp i64 %n to double, !dbg !1
  ret void
}

!0 = distinct !DISubprogram(name: \"f\", file: !2, line: 1, unit: !3)
!1 = !DILocation(line: 42, column: 7, scope: !0)
!2 = !DIFile(filename: \"fit.c\", directory: \"\")
!3 = distinct !DICompileUnit(language: DW_LANG_C99, file: !2)",
    );
    let TypeError::Conflict { location, .. } = error;
    // Which of the two comes second is not promised; only the conversion has a line.
    assert!(location.is_none_or(|location| location.line == 42));
}

#[test]
fn what_a_caller_says_can_contradict_the_body() {
    let text = "define void @f(ptr %p) {
  %x = load double, ptr %p
  %y = fneg double %x
  call void @g(ptr %p)
  ret void
}

define void @g(ptr %q) {
  %n = load i64, ptr %q
  %z = sitofp i64 %n to float
  ret void
}";
    let text = contradiction(text).to_string();
    assert!(text.starts_with("in @g: "), "{text}");
}

#[test]
fn anything_contradicts_nothing() {
    let text = in_function(
        "ptr %p",
        "  store i64 0, ptr %p\n  %x = load double, ptr %p\n  %y = fneg double %x\n  store i64 0, ptr %p",
    );
    let program = program(&text);
    let mut analyser = Analyser::new(&program, Options::default());
    assert!(analyser.analyse(first(&program), CallTypes::default()).is_ok());
}

#[test]
fn why_leads_from_the_last_step_to_the_first() {
    let text = in_function(
        "ptr %p",
        "  %bits = load i64, ptr %p\n  %x = bitcast i64 %bits to double\n  %y = fneg double %x",
    );
    let program = program(&text);
    let mut analyser = Analyser::new(&program, Options::default());
    let context = analyser.analyse(first(&program), CallTypes::default()).expect("no contradiction");
    let types = analyser.types(context);
    let steps: Vec<String> = types
        .why(named(types.function(), "%p"), &[-1, 0])
        .iter()
        .map(|step| format!("{}: {}", step.value, step.reason))
        .collect();
    assert_eq!(
        steps,
        [
            "%p: what is loaded from it is used as such",
            "%bits: the same bits as another type",
            "%x: floating-point arithmetic",
        ]
    );
    assert!(types.why(named(types.function(), "%p"), &[-1, 8]).is_empty(), "nothing is known there");
}

#[test]
fn why_ends_at_what_the_caller_said() {
    let text = "define void @f(ptr %p) {\n  %x = load i64, ptr %p\n  ret void\n}";
    let program = program(text);
    let mut analyser = Analyser::new(&program, Options::default());
    let asked = crate::support::request("{}", &["{[-1]:Pointer, [-1,-1]:Float@double}"]);
    let context = analyser.analyse(first(&program), asked).expect("no contradiction");
    let types = analyser.types(context);
    let steps = types.why(named(types.function(), "%x"), &[-1]);
    let reasons: Vec<&str> = steps.iter().map(|step| step.reason).collect();
    assert_eq!(reasons, ["the memory it is loaded from holds such", "the caller passes it as such"]);
}
