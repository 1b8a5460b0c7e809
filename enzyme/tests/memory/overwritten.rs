//! What may be overwritten after it was read.

use std::fmt::Write;

use enzyme::memory::Memory;
use enzyme::model::Opcode;

use crate::probe::{Probe, probe, probe_body, program};

/// The names of the values of which what was read may be overwritten, by any instruction.
fn overwritten(probe: &Probe<'_>) -> Vec<String> {
    let function = &probe.memory.program()[probe.function];
    let overwritten = probe.memory.overwritten(probe.function, |_| true);
    let readers = function.insts_in_order().filter(|&inst| {
        let by = probe.memory.overwritten_by(probe.function, inst, |_| true);
        assert_eq!(overwritten.contains(inst), by.is_some(), "all at once, and one by one: {inst}");
        by.is_some()
    });
    readers.filter_map(|inst| function.values[function.insts[inst].result?].name.clone()).collect()
}

#[test]
fn only_what_comes_later_overwrites() {
    probe_body(
        "ptr %p, ptr %q, ptr noalias %r",
        "  store double 0.0, ptr %p
  %first = load double, ptr %p
  %own = load double, ptr %r
  store double 1.0, ptr %q
  %second = load double, ptr %p
  %p1 = getelementptr double, ptr %p, i64 1
  store double 2.0, ptr %p1
  %third = load double, ptr %p1
",
        |probe| assert_eq!(overwritten(&probe), ["first"]),
    );
}

#[test]
fn a_later_round_of_a_loop_comes_later() {
    probe(
        "define void @f(ptr noalias %a, ptr noalias %b, i64 %n) {
entry:
  %before = load double, ptr %a
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %ai = getelementptr double, ptr %a, i64 %i
  store double 1.0, ptr %ai
  %written = load double, ptr %ai
  %bi = getelementptr double, ptr %b, i64 %i
  %kept = load double, ptr %bi
  %next = add i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  %after = load double, ptr %a
  ret void
}",
        |probe| assert_eq!(overwritten(&probe), ["before", "written"]),
    );
}

#[test]
fn ways_that_do_not_meet_again_and_ways_that_do_not_come_back_do_not_count() {
    probe(
        "define double @f(ptr %p, i1 %c, i1 %d) {
entry:
  %common = load double, ptr %p
  br i1 %c, label %left, label %right
left:
  store double 1.0, ptr %p
  ret double %common
right:
  %here = load double, ptr %p
  br i1 %d, label %fail, label %end
fail:
  store double 2.0, ptr %p
  call void @abort()
  unreachable
end:
  ret double %here
}
declare void @abort() noreturn nounwind",
        |probe| assert_eq!(overwritten(&probe), ["common"]),
    );
}

#[test]
fn calls_overwrite_what_their_summaries_say() {
    probe(
        "define void @f(ptr %p, ptr %q) {
  %cell = alloca double
  %kept = load double, ptr %cell
  %given = load double, ptr %p
  %other = load double, ptr %q
  %sum = call double @bump(ptr %p)
  call void @unknown()
  ret void
}
define double @bump(ptr noalias %x) {
  %old = load double, ptr %x
  %new = fadd double %old, 1.0
  store double %new, ptr %x
  ret double %old
}
declare void @unknown()",
        |probe| {
            // The call reads what it writes.
            assert_eq!(overwritten(&probe), ["given", "other", "sum"]);
        },
    );
}

#[test]
fn who_asks_says_which_writes_count() {
    probe_body(
        "i64 %n",
        "  %heap = call ptr @malloc(i64 8)
  %x = load double, ptr %heap
  call void @free(ptr %heap)
",
        |probe| {
            let function = &probe.memory.program()[probe.function];
            let reader = probe.inst("x");
            let all = probe.memory.overwritten(probe.function, |_| true);
            assert!(all.contains(reader), "it is gone");
            let kept =
                probe.memory.overwritten(probe.function, |inst| function.callee_name(inst) != Some("free"));
            assert!(!kept.contains(reader));
            let by = probe.memory.overwritten_by(probe.function, reader, |_| true);
            assert_eq!(by.and_then(|inst| function.callee_name(inst)), Some("free"));
        },
    );
}

#[test]
fn constants_are_never_overwritten() {
    probe(
        "@table = constant [2 x double] [double 1.0, double 2.0]
define void @f(ptr %p) {
  %x = load double, ptr @table
  store double 1.0, ptr %p
  ret void
}",
        |probe| assert!(overwritten(&probe).is_empty()),
    );
}

/// A function with as many globals as that, each read, and every second one written at the end.
fn globals(count: usize) -> String {
    let mut text = String::new();
    for index in 0..count {
        let _ = writeln!(text, "@g{index} = global double 0.0");
    }
    text += "define void @f() {\nentry:\n  br label %b0\n";
    for index in 0..count {
        let _ =
            writeln!(text, "b{index}:\n  %x{index} = load double, ptr @g{index}\n  br label %b{}", index + 1);
    }
    let _ = writeln!(text, "b{count}:");
    for index in (0..count).step_by(2) {
        let _ = writeln!(text, "  store double 1.0, ptr @g{index}");
    }
    text + "  ret void\n}\n"
}

#[test]
fn many_objects_are_told_apart_up_to_a_bound() {
    let count = |size: usize| {
        let program = program(&globals(size));
        let memory = Memory::of(&program);
        let (id, function) = program.iter().next().expect("a function");
        let overwritten = memory.overwritten(id, |_| true);
        let loads = function.insts_in_order().filter(|&inst| {
            matches!(function.insts[inst].opcode, Opcode::Load { .. }) && overwritten.contains(inst)
        });
        (loads.count(), overwritten.steps())
    };
    assert_eq!(count(200).0, 100);
    let (found, small) = count(4000);
    assert_eq!(found, 2000);
    // Beyond the bound what is left counts as one.
    let (found, large) = count(16_000);
    assert!((8_000..=14_000).contains(&found), "{found}");
    assert!(large <= 5 * small, "{small} steps became {large}");
}

#[test]
fn one_loop_over_many_places_costs_little() {
    let steps = |count: usize| {
        let mut text = String::from("define void @f(ptr %p, ptr %q, i64 %i) {\n");
        for index in 1..=count {
            let _ = write!(
                text,
                "  %a{index} = getelementptr double, ptr %p, i64 {index}
  %b{index} = getelementptr double, ptr %q, i64 %i
  %x{index} = load double, ptr %a{index}
  store double %x{index}, ptr %b{index}\n"
            );
        }
        text += "  ret void\n}\n";
        let program = program(&text);
        let memory = Memory::of(&program);
        let (id, _) = program.iter().next().expect("a function");
        memory.overwritten(id, |_| true).steps()
    };
    let (small, large) = (steps(1000), steps(4000));
    assert!(large <= 5 * small, "{small} steps became {large}");
}
