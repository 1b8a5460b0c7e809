//! Activity analysis of small programs, given as text.

use enzyme::activity::{
    ActiveBecause, Activity, Analyser, ArgumentActivity as A, ConstantBecause, DeclaredTypes, Destination,
    Effort, Extent, Options, Origin, Region, ResultActivity as R, Subject, UnknownFunctions, UnmarkedGlobals,
    Verdict,
};
use enzyme::model::{Function, InstId, Module, Opcode, ValueId};
use enzyme::program::Program;
use std::rc::Rc;

/// A whole module: what is private to it is used by nobody else.
const WHOLE: Options = Options {
    globals: UnmarkedGlobals::MayBeActive,
    unknown_functions: UnknownFunctions::MayBeActive,
    extent: Extent::WholeModule,
    effort: Effort::Full,
};

struct Case {
    program: Program,
    activity: Rc<Activity>,
}

fn program(text: &str) -> Program {
    Program::from(text.parse::<Module>().expect("the text is valid IR"))
}

/// Analyses `@f`.
fn analyse_with(text: &str, options: Options, arguments: &[A], result: R) -> Case {
    let program = program(text);
    let f = program.find("f").expect("there is an @f");
    let activity = Analyser::new(&program, &DeclaredTypes, options).activity(f, arguments, result);
    Case { program, activity }
}

fn analyse(text: &str, arguments: &[A], result: R) -> Case {
    analyse_with(text, WHOLE, arguments, result)
}

impl Case {
    fn function(&self) -> &Function {
        &self.program[self.program.find("f").expect("there is an @f")]
    }

    fn value(&self, name: &str) -> ValueId {
        let mut values = self.function().values.iter();
        let named = values.find(|(_, value)| value.name.as_deref() == Some(name));
        named.unwrap_or_else(|| panic!("no value %{name}")).0
    }

    fn verdict(&self, name: &str) -> Verdict {
        self.activity.value(self.value(name))
    }

    /// The verdict about the instruction that makes a value.
    fn maker(&self, name: &str) -> Verdict {
        self.activity.inst(self.function().as_inst(self.value(name)).expect("an instruction"))
    }

    /// The instructions of a kind, in order.
    fn insts(&self, kind: impl Fn(&Opcode) -> bool) -> Vec<InstId> {
        let function = self.function();
        function.insts_in_order().filter(|&inst| kind(&function.insts[inst].opcode)).collect()
    }

    fn stores(&self) -> Vec<Verdict> {
        let stores = self.insts(|opcode| matches!(opcode, Opcode::Store { .. }));
        stores.into_iter().map(|inst| self.activity.inst(inst)).collect()
    }

    fn calls(&self) -> Vec<Verdict> {
        let calls = self.insts(|opcode| opcode.call().is_some());
        calls.into_iter().map(|inst| self.activity.inst(inst)).collect()
    }

    #[track_caller]
    fn expect_active(&self, names: &[&str]) {
        for name in names {
            assert!(self.verdict(name).is_active(), "%{name} is {:?}", self.verdict(name));
        }
    }

    #[track_caller]
    fn expect_constant(&self, names: &[&str]) {
        for name in names {
            assert!(!self.verdict(name).is_active(), "%{name} is {:?}", self.verdict(name));
        }
    }
}

// Numbers.

#[test]
fn what_depends_on_no_active_argument_is_constant() {
    let case = analyse(
        "define double @f(double %x, double %c) {
           %a = fmul double %c, %c
           %b = fmul double %x, %a
           ret double %b
         }",
        &[A::Out, A::Const],
        R::Active,
    );
    assert_eq!(case.verdict("a"), Verdict::Constant(ConstantBecause::NotVaried));
    assert_eq!(case.verdict("b"), Verdict::Active(ActiveBecause::Number));
    assert_eq!(case.maker("b"), Verdict::Active(ActiveBecause::MovesNumber));
    assert_eq!(case.maker("a"), Verdict::Constant(ConstantBecause::MovesNothing));
    assert_eq!(case.verdict("x"), Verdict::Active(ActiveBecause::Declared));
    assert_eq!(case.verdict("c"), Verdict::Constant(ConstantBecause::Declared));
}

#[test]
fn what_nothing_that_is_asked_for_depends_on_is_constant() {
    let text = "define double @f(double %x) {
           %unused = fmul double %x, %x
           %used = fadd double %x, 1.0
           ret double %used
         }";
    let case = analyse(text, &[A::Out], R::Active);
    assert_eq!(case.verdict("unused"), Verdict::Constant(ConstantBecause::NotUseful));
    case.expect_active(&["used"]);
    let case = analyse(text, &[A::Out], R::Constant);
    assert_eq!(case.verdict("used"), Verdict::Constant(ConstantBecause::NotUseful));
}

#[test]
fn a_comparison_and_what_only_it_uses_are_constant() {
    let case = analyse(
        "define double @f(double %x) {
           %doubled = fmul double %x, 2.0
           %large = fcmp ogt double %doubled, 1.0
           %result = select i1 %large, double %x, double 0.0
           ret double %result
         }",
        &[A::Out],
        R::Active,
    );
    case.expect_constant(&["doubled", "large"]);
    case.expect_active(&["result"]);
}

#[test]
fn a_ramp_with_a_branch_that_gives_zero_is_active() {
    let case = analyse(
        "define double @f(double %x) {
         entry:
           %positive = fcmp oge double %x, 0.0
           br i1 %positive, label %ramp, label %end
         ramp:
           br label %end
         end:
           %result = phi double [ %x, %ramp ], [ 0.0, %entry ]
           ret double %result
         }",
        &[A::Out],
        R::Active,
    );
    case.expect_active(&["result"]);
    assert!(case.maker("result").is_active());
}

#[test]
fn activity_goes_around_a_loop() {
    let case = analyse(
        "define double @f(double %x, i64 %n) {
         entry:
           br label %loop
         loop:
           %i = phi i64 [ 0, %entry ], [ %next, %loop ]
           %sum = phi double [ 0.0, %entry ], [ %more, %loop ]
           %count = phi double [ 0.0, %entry ], [ %counted, %loop ]
           %more = fadd double %sum, %x
           %counted = fadd double %count, 1.0
           %next = add i64 %i, 1
           %done = icmp eq i64 %next, %n
           br i1 %done, label %end, label %loop
         end:
           %result = fmul double %more, %counted
           ret double %result
         }",
        &[A::Out, A::Const],
        R::Active,
    );
    case.expect_active(&["sum", "more", "result"]);
    case.expect_constant(&["i", "next", "done", "count", "counted"]);
}

#[test]
fn conversions_to_integers_end_it_and_bits_do_not() {
    let case = analyse(
        "define double @f(double %x) {
           %whole = fptosi double %x to i64
           %back = sitofp i64 %whole to double
           %bits = bitcast double %x to i64
           %flipped = xor i64 %bits, -9223372036854775808
           %negated = bitcast i64 %flipped to double
           %result = fadd double %negated, %back
           ret double %result
         }",
        &[A::Out],
        R::Active,
    );
    case.expect_constant(&["whole", "back"]);
    case.expect_active(&["bits", "flipped", "negated", "result"]);
}

#[test]
fn rules_say_which_operands_matter() {
    let case = analyse(
        "declare double @copysign(double, double)
         declare double @floor(double)
         declare double @sin(double)
         define double @f(double %x) {
           %sign = fmul double %x, 3.0
           %angle = fmul double %x, 2.0
           %sine = call double @sin(double %angle)
           %signed = call double @copysign(double 1.0, double %sign)
           %floored = call double @floor(double %x)
           %some = fadd double %sine, %signed
           %result = fadd double %some, %floored
           ret double %result
         }",
        &[A::Out],
        R::Active,
    );
    case.expect_active(&["angle", "sine", "some", "result"]);
    case.expect_constant(&["sign", "signed", "floored"]);
}

#[test]
fn blocks_that_never_come_back_do_not_count() {
    let text = |attribute: &str| {
        format!(
            "declare void @stop(double) {attribute}
             define double @f(double %x, i1 %bad) {{
             entry:
               br i1 %bad, label %panic, label %fine
             panic:
               %twice = fmul double %x, 2.0
               call void @stop(double %twice)
               unreachable
             fine:
               ret double %x
             }}"
        )
    };
    let case = analyse(&text("noreturn nounwind"), &[A::Out, A::Const], R::Active);
    assert_eq!(case.verdict("twice"), Verdict::Constant(ConstantBecause::NeverReturns));
    assert_eq!(case.calls(), [Verdict::Constant(ConstantBecause::NeverReturns)]);
    // An exception may reach somebody who looks at what was given away.
    let case = analyse(&text("noreturn"), &[A::Out, A::Const], R::Active);
    case.expect_active(&["twice"]);
}

// Memory.

#[test]
fn activity_goes_through_local_memory() {
    let case = analyse(
        "define double @f(double %x) {
           %slot = alloca double
           %other = alloca double
           store double %x, ptr %slot
           store double 3.0, ptr %other
           %a = load double, ptr %slot
           %b = load double, ptr %other
           %result = fmul double %a, %b
           ret double %result
         }",
        &[A::Out],
        R::Active,
    );
    case.expect_active(&["slot", "a", "result"]);
    case.expect_constant(&["other", "b"]);
    assert_eq!(
        case.stores(),
        [Verdict::Active(ActiveBecause::MovesNumber), Verdict::Constant(ConstantBecause::MovesNothing)]
    );
    // An allocation moves nothing, whatever will be in it.
    assert!(!case.maker("slot").is_active());
}

#[test]
fn memory_that_is_only_written_is_constant() {
    let case = analyse(
        "declare ptr @malloc(i64)
         declare void @free(ptr)
         define double @f(double %x) {
           %scratch = call ptr @malloc(i64 8)
           store double %x, ptr %scratch
           call void @free(ptr %scratch)
           ret double %x
         }",
        &[A::Out],
        R::Active,
    );
    case.expect_constant(&["scratch"]);
    assert!(case.stores().iter().chain(&case.calls()).all(|verdict| !verdict.is_active()));
}

#[test]
fn returned_memory_counts_when_it_is_asked_for() {
    let text = "declare ptr @malloc(i64)
         define ptr @f(double %x) {
           %cell = call ptr @malloc(i64 8)
           store double %x, ptr %cell
           ret ptr %cell
         }";
    let asked = analyse(text, &[A::Out], R::Duplicated);
    asked.expect_active(&["cell"]);
    assert!(asked.stores()[0].is_active());
    let not_asked = analyse(text, &[A::Out], R::Constant);
    not_asked.expect_constant(&["cell"]);
    assert!(!not_asked.stores()[0].is_active());
}

#[test]
fn what_is_stored_in_arguments_is_seen_by_the_caller() {
    let text = "define void @f(double %x, ptr %out) {
           %twice = fmul double %x, 2.0
           store double %twice, ptr %out
           ret void
         }";
    let case = analyse(text, &[A::Out, A::Duplicated], R::Constant);
    case.expect_active(&["twice", "out"]);
    // The memory behind a constant argument has no shadow, by the caller's word.
    let case = analyse(text, &[A::Out, A::Const], R::Constant);
    case.expect_constant(&["twice", "out"]);
    assert!(!case.stores()[0].is_active());
}

#[test]
fn addresses_of_active_memory_are_followed_through_memory() {
    let case = analyse(
        "define double @f(ptr %x) {
           %slot = alloca ptr
           %idle = alloca ptr
           store ptr %x, ptr %slot
           store ptr %x, ptr %idle
           %p = load ptr, ptr %slot
           %result = load double, ptr %p
           ret double %result
         }",
        &[A::Duplicated],
        R::Active,
    );
    case.expect_active(&["slot", "p", "result"]);
    assert!(matches!(case.stores()[0], Verdict::Active(ActiveBecause::MovesAddress(_))));
    // Nobody reads the second slot.
    case.expect_constant(&["idle"]);
    assert!(!case.stores()[1].is_active());
    // Reading an address moves no number.
    assert!(!case.maker("p").is_active());
}

#[test]
fn local_memory_that_the_caller_gets_hold_of_is_seen_by_it() {
    let case = analyse(
        "declare ptr @malloc(i64)
         define void @f(double %x, ptr %out) {
           %cell = call ptr @malloc(i64 8)
           store double %x, ptr %cell
           store ptr %cell, ptr %out
           ret void
         }",
        &[A::Out, A::Duplicated],
        R::Constant,
    );
    case.expect_active(&["cell"]);
    assert!(case.stores().iter().all(|store| store.is_active()));
}

#[test]
fn integers_that_hold_addresses_are_followed() {
    let case = analyse(
        "define double @f(double %x) {
           %cell = alloca double
           %number = ptrtoint ptr %cell to i64
           %wide = insertelement <2 x i64> zeroinitializer, i64 %number, i32 0
           %taken = extractelement <2 x i64> %wide, i32 0
           %aligned = and i64 %taken, -8
           %again = inttoptr i64 %aligned to ptr
           store double %x, ptr %again
           %result = load double, ptr %cell
           ret double %result
         }",
        &[A::Out],
        R::Active,
    );
    case.expect_active(&["cell", "number", "wide", "taken", "aligned", "again", "result"]);
    assert!(!case.maker("number").is_active(), "it moves an address, not a number");
}

#[test]
fn copies_move_what_is_there() {
    let case = analyse(
        "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
         declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
         define double @f(double %x) {
           %a = alloca double
           %b = alloca double
           %c = alloca double
           %d = alloca double
           call void @llvm.memset.p0.i64(ptr %a, i8 0, i64 8, i1 false)
           store double %x, ptr %a
           call void @llvm.memcpy.p0.p0.i64(ptr %b, ptr %a, i64 8, i1 false)
           store double 1.0, ptr %c
           call void @llvm.memcpy.p0.p0.i64(ptr %d, ptr %c, i64 8, i1 false)
           %u = load double, ptr %b
           %v = load double, ptr %d
           %result = fadd double %u, %v
           ret double %result
         }",
        &[A::Out],
        R::Active,
    );
    case.expect_active(&["a", "b", "u", "result"]);
    case.expect_constant(&["c", "d", "v"]);
    let active: Vec<bool> = case.calls().iter().map(|call| call.is_active()).collect();
    assert_eq!(active, [false, true, false]);
}

#[test]
fn atomic_updates_move_what_they_add() {
    let case = analyse(
        "define double @f(double %x, ptr %count) {
           %sum = alloca double
           store double 0.0, ptr %sum
           %old = atomicrmw fadd ptr %sum, double %x seq_cst
           %before = atomicrmw add ptr %count, i32 1 seq_cst
           %result = load double, ptr %sum
           ret double %result
         }",
        &[A::Out, A::Const],
        R::Active,
    );
    case.expect_active(&["sum", "result"]);
    case.expect_constant(&["before"]);
    assert!(case.maker("old").is_active());
    assert!(!case.maker("before").is_active());
}

#[test]
fn memory_that_an_allocation_puts_somewhere_is_followed() {
    let case = analyse(
        "declare i32 @posix_memalign(ptr, i64, i64)
         define double @f(double %x) {
           %slot = alloca ptr
           %code = call i32 @posix_memalign(ptr %slot, i64 8, i64 8)
           %cell = load ptr, ptr %slot
           store double %x, ptr %cell
           %result = load double, ptr %cell
           ret double %result
         }",
        &[A::Out],
        R::Active,
    );
    case.expect_active(&["slot", "cell", "result"]);
    case.expect_constant(&["code"]);
    assert!(matches!(case.maker("code"), Verdict::Active(ActiveBecause::MovesAddress(_))));
}

#[test]
fn many_regions_become_one_and_stay_sound() {
    let mut text = String::from("define double @f(double %x, i64 %n) {\nentry:\n");
    for index in 0..40 {
        text += &format!("  %s{index} = alloca double\n");
    }
    text += "  store double %x, ptr %s7\n";
    for index in 1..40 {
        let before = if index == 1 { "s0".to_owned() } else { format!("p{}", index - 1) };
        text += &format!("  %c{index} = icmp eq i64 %n, {index}\n");
        text += &format!("  %p{index} = select i1 %c{index}, ptr %s{index}, ptr %{before}\n");
    }
    text += "  %result = load double, ptr %p39\n  ret double %result\n}\n";
    let case = analyse(&text, &[A::Out, A::Const], R::Active);
    case.expect_active(&["s7", "p7", "p39", "result"]);
}

// Global variables.

#[test]
fn variables_that_others_use_are_active() {
    let text = "@state = global double 0.0
         @table = constant double 2.0
         @mark = global double 0.0, !enzyme_inactive !0
         define double @f(double %x) {
           %s = load double, ptr @state
           %t = load double, ptr @table
           %m = load double, ptr @mark
           %some = fadd double %s, %t
           %result = fadd double %some, %m
           ret double %result
         }
         !0 = !{}";
    let case = analyse(text, &[A::Out], R::Active);
    case.expect_active(&["s", "some", "result"]);
    case.expect_constant(&["t", "m"]);
    let inactive = Options { globals: UnmarkedGlobals::AreInactive, ..WHOLE };
    let case = analyse_with(text, inactive, &[A::Out], R::Active);
    case.expect_constant(&["s", "t", "m", "some"]);
}

#[test]
fn a_private_variable_is_what_is_stored_in_it() {
    let text = |stored: &str, more: &str| {
        format!(
            "@cell = internal global double 0.0
             define double @f(double %x) {{
               store double {stored}, ptr @cell
               %result = load double, ptr @cell
               ret double %result
             }}
             {more}"
        )
    };
    let other = "define void @other(double %y) {\n  store double %y, ptr @cell\n  ret void\n}";
    analyse(&text("%x", ""), &[A::Out], R::Active).expect_active(&["result"]);
    analyse(&text("1.0", ""), &[A::Out], R::Active).expect_constant(&["result"]);
    // Another function may have stored anything, and so may one that is not seen.
    analyse(&text("1.0", other), &[A::Out], R::Active).expect_active(&["result"]);
    let part = Options { extent: Extent::Part, ..WHOLE };
    analyse_with(&text("1.0", ""), part, &[A::Out], R::Active).expect_active(&["result"]);
}

#[test]
fn memory_that_a_variable_holds_the_address_of_is_found_there_again() {
    let case = analyse(
        "@cache = internal global ptr null
         declare ptr @malloc(i64)
         define ptr @workspace() {
         entry:
           %known = load ptr, ptr @cache
           %new = icmp eq ptr %known, null
           br i1 %new, label %make, label %end
         make:
           %made = call ptr @malloc(i64 8)
           store ptr %made, ptr @cache
           br label %end
         end:
           %it = load ptr, ptr @cache
           ret ptr %it
         }
         define double @f(double %x) {
           %p = call ptr @workspace()
           store double %x, ptr %p
           %q = call ptr @workspace()
           %result = load double, ptr %q
           ret double %result
         }",
        &[A::Out],
        R::Active,
    );
    case.expect_active(&["p", "q", "result"]);
    assert!(case.stores()[0].is_active());
}

#[test]
fn an_address_that_a_callee_puts_into_a_variable_is_found_by_another() {
    let case = analyse(
        "@slot = internal global ptr null
         define void @set(ptr %p) {
           store ptr %p, ptr @slot
           ret void
         }
         define double @get() {
           %p = load ptr, ptr @slot
           %v = load double, ptr %p
           ret double %v
         }
         define double @f(double %x) {
           %cell = alloca double
           store double %x, ptr %cell
           call void @set(ptr %cell)
           %result = call double @get()
           ret double %result
         }",
        &[A::Out],
        R::Active,
    );
    case.expect_active(&["cell", "result"]);
}

#[test]
fn addresses_in_a_constant_table_are_those_of_variables() {
    let case = analyse(
        "@state = global double 0.0
         @weight = constant double 1.0
         @addresses = constant [2 x ptr] [ptr @state, ptr @weight]
         @weights = constant [1 x ptr] [ptr @weight]
         define double @f(double %x) {
           %p = load ptr, ptr @addresses
           %q = load ptr, ptr @weights
           %a = load double, ptr %p
           %b = load double, ptr %q
           %result = fadd double %a, %b
           ret double %result
         }",
        &[A::Out],
        R::Active,
    );
    case.expect_active(&["p", "a", "result"]);
    case.expect_constant(&["q", "b"]);
}

// Calls.

#[test]
fn calls_do_what_their_callees_do() {
    let case = analyse(
        "define double @first(double %a, double %b) {
           ret double %a
         }
         define void @put(ptr %to, double %v) {
           store double %v, ptr %to
           ret void
         }
         define void @look(ptr %at) {
           %v = load double, ptr %at
           ret void
         }
         define double @f(double %x, double %c) {
           %cell = alloca double
           %other = alloca double
           call void @put(ptr %cell, double %x)
           call void @put(ptr %other, double %c)
           call void @look(ptr %cell)
           %a = load double, ptr %cell
           %b = load double, ptr %other
           %l = call double @first(double %a, double %c)
           %r = call double @first(double %c, double %a)
           %some = fadd double %l, %r
           %result = fadd double %some, %b
           ret double %result
         }",
        &[A::Out, A::Const],
        R::Active,
    );
    case.expect_active(&["cell", "a", "l", "some", "result"]);
    case.expect_constant(&["other", "b", "r"]);
    let active: Vec<bool> = case.calls().iter().map(|call| call.is_active()).collect();
    assert_eq!(active, [true, false, false, true, false]);
}

#[test]
fn what_a_callee_never_touches_is_constant() {
    let case = analyse(
        "define void @copy(ptr %from, ptr %idle, ptr %to) {
           %p = load ptr, ptr %from
           %v = load double, ptr %p
           %q = load ptr, ptr %to
           store double %v, ptr %q
           ret void
         }
         define double @f(ptr %x) {
           %a = alloca ptr
           %b = alloca ptr
           %c = alloca ptr
           %number = alloca double
           %result.cell = alloca double
           %v = load double, ptr %x
           store double %v, ptr %number
           store ptr %x, ptr %a
           store ptr %number, ptr %b
           store ptr %result.cell, ptr %c
           call void @copy(ptr %a, ptr %b, ptr %c)
           %result = load double, ptr %result.cell
           ret double %result
         }",
        &[A::Duplicated],
        R::Active,
    );
    case.expect_active(&["a", "c", "result.cell", "result"]);
    case.expect_constant(&["b", "number", "v"]);
    let active: Vec<bool> = case.stores().iter().map(|store| store.is_active()).collect();
    assert_eq!(active, [false, true, false, true]);
}

#[test]
fn an_address_derived_from_one_that_is_marked_constant_is_constant() {
    let case = analyse(
        "define i64 @f(ptr %x) {
           %marked = getelementptr i8, ptr %x, i64 8, !enzyme_inactive !0
           %derived = getelementptr i8, ptr %marked, i64 8
           %plain = getelementptr i8, ptr %x, i64 8
           %a = load i64, ptr %derived
           %b = load i64, ptr %plain
           %r = add i64 %a, %b
           ret i64 %r
         }
         !0 = !{}",
        &[A::Duplicated],
        R::Active,
    );
    case.expect_constant(&["marked", "derived", "a"]);
    case.expect_active(&["plain", "b", "r"]);
}

#[test]
fn a_callee_that_clears_active_memory_is_active() {
    let case = analyse(
        "define void @clear(ptr %at) {
           store double 0.0, ptr %at
           ret void
         }
         define double @f(double %x) {
           %cell = alloca double
           store double %x, ptr %cell
           call void @clear(ptr %cell)
           %result = load double, ptr %cell
           ret double %result
         }",
        &[A::Out],
        R::Active,
    );
    assert!(matches!(case.calls()[0], Verdict::Active(ActiveBecause::Overwrites(_))));
}

#[test]
fn callees_may_return_what_they_were_given_or_new_memory() {
    let case = analyse(
        "declare ptr @malloc(i64)
         define ptr @same(ptr %p) {
           %inside = getelementptr double, ptr %p, i64 1
           ret ptr %inside
         }
         define ptr @new(double %v) {
           %cell = call ptr @malloc(i64 8)
           store double %v, ptr %cell
           ret ptr %cell
         }
         define ptr @follow(ptr %p) {
           %q = load ptr, ptr %p
           ret ptr %q
         }
         define double @f(double %x, ptr %data, double %c) {
           %p = call ptr @same(ptr %data)
           %q = call ptr @new(double %x)
           %r = call ptr @new(double %c)
           %s = call ptr @follow(ptr %data)
           %a = load double, ptr %p
           %b = load double, ptr %q
           %d = load double, ptr %r
           %e = load double, ptr %s
           %ab = fadd double %a, %b
           %abd = fadd double %ab, %d
           %result = fadd double %abd, %e
           ret double %result
         }",
        &[A::Out, A::Duplicated, A::Const],
        R::Active,
    );
    case.expect_active(&["p", "q", "s", "a", "b", "e", "result"]);
    case.expect_constant(&["r", "d"]);
    // Only the second call moves a number: into memory that it returns.
    let active: Vec<bool> = case.calls().iter().map(|call| call.is_active()).collect();
    assert_eq!(active, [false, true, false, false]);
}

#[test]
fn recursion_reaches_a_fixed_point() {
    let text = "define double @even(double %v, i64 %n, ptr %log) {
         entry:
           %done = icmp eq i64 %n, 0
           br i1 %done, label %end, label %more
         more:
           %less = sub i64 %n, 1
           %next = fmul double %v, 2.0
           %got = call double @odd(double %next, i64 %less, ptr %log)
           br label %end
         end:
           %result = phi double [ 1.0, %entry ], [ %got, %more ]
           ret double %result
         }
         define double @odd(double %v, i64 %n, ptr %log) {
         entry:
           %done = icmp eq i64 %n, 0
           br i1 %done, label %end, label %more
         more:
           %less = sub i64 %n, 1
           store double %v, ptr %log
           %got = call double @even(double %v, i64 %less, ptr %log)
           br label %end
         end:
           %result = phi double [ %v, %entry ], [ %got, %more ]
           ret double %result
         }
         define double @f(double %x, double %c, i64 %n) {
           %log = alloca double
           %quiet = alloca double
           %a = call double @even(double %x, i64 %n, ptr %log)
           %b = call double @even(double %c, i64 %n, ptr %quiet)
           %l = load double, ptr %log
           %q = load double, ptr %quiet
           %ab = fadd double %a, %b
           %lq = fadd double %l, %q
           %result = fadd double %ab, %lq
           ret double %result
         }";
    let case = analyse(text, &[A::Out, A::Const, A::Const], R::Active);
    case.expect_active(&["a", "log", "l", "ab", "lq", "result"]);
    case.expect_constant(&["b", "quiet", "q"]);
}

#[test]
fn answers_are_kept_for_each_way_of_calling() {
    let program = program(
        "define double @f(double %x, double %y) {
           %r = fmul double %x, %y
           ret double %r
         }",
    );
    let f = program.find("f").expect("there is an @f");
    let mut analyser = Analyser::new(&program, &DeclaredTypes, WHOLE);
    let first = analyser.activity(f, &[A::Out, A::Const], R::Active);
    let again = analyser.activity(f, &[A::Out, A::Const], R::Active);
    let other = analyser.activity(f, &[A::Const, A::Const], R::Active);
    assert!(Rc::ptr_eq(&first, &again));
    assert!(!Rc::ptr_eq(&first, &other));
}

#[test]
fn the_activities_of_a_call_follow_from_those_of_its_operands() {
    let case = analyse(
        "define double @g(ptr %p, double %v, double %c) {
           %l = load double, ptr %p
           %a = fmul double %l, %v
           %r = fmul double %a, %c
           ret double %r
         }
         define double @f(ptr %p, double %x) {
           %r = call double @g(ptr %p, double %x, double 2.0)
           ret double %r
         }",
        &[A::Duplicated, A::Out],
        R::Active,
    );
    let call = case.function().as_inst(case.value("r")).expect("a call");
    let expected = (vec![A::Duplicated, A::Duplicated, A::Const], R::Active);
    assert_eq!(case.activity.of_call(case.function(), call), expected);
}

// Functions without a body.

#[test]
fn an_unknown_function_may_do_anything_with_what_it_is_given() {
    let case = analyse(
        "declare double @mystery(double, ptr)
         define double @f(double %x, double %c) {
           %cell = alloca double
           %byte = alloca i8
           %fixed = alloca double
           %a = call double @mystery(double %x, ptr %cell)
           %b = load double, ptr %cell
           %d = call double @mystery(double %x, ptr %byte)
           store double %c, ptr %fixed
           %e = load double, ptr %fixed
           %ab = fadd double %a, %b
           %abd = fadd double %ab, %d
           %result = fadd double %abd, %e
           ret double %result
         }",
        &[A::Out, A::Const],
        R::Active,
    );
    case.expect_active(&["a", "cell", "b", "d", "result"]);
    // A byte holds no number, and nobody else knows of the third slot.
    case.expect_constant(&["byte", "fixed", "e"]);
}

#[test]
fn an_unknown_function_without_active_arguments_is_constant() {
    let case = analyse(
        "declare double @number(i32)
         declare ptr @table(ptr)
         declare ptr @source()
         define double @f(double %x, ptr %c) {
           %n = call double @number(i32 3)
           %t = call ptr @table(ptr %c)
           %s = call ptr @source()
           %v = load double, ptr %t
           %w = load double, ptr %s
           %nv = fadd double %n, %v
           %nvw = fadd double %nv, %w
           %result = fmul double %nvw, %x
           ret double %result
         }",
        &[A::Out, A::Const],
        R::Active,
    );
    case.expect_constant(&["n", "t", "v", "nv"]);
    // Nothing at all is known of what a function without arguments returns.
    case.expect_active(&["s", "w", "nvw"]);
}

#[test]
fn what_an_unknown_function_keeps_comes_back_from_later_calls() {
    let text = |attribute: &str| {
        format!(
            "declare void @keep(ptr {attribute})
             declare double @ask(i32)
             define double @f(double %x) {{
               %cell = alloca double
               store double %x, ptr %cell
               call void @keep(ptr %cell)
               %a = call double @ask(i32 0)
               ret double %a
             }}"
        )
    };
    analyse(&text(""), &[A::Out], R::Active).expect_active(&["a"]);
    let pure = text("readnone nocapture");
    analyse(&pure, &[A::Out], R::Active).expect_constant(&["a"]);
}

#[test]
fn attributes_bound_what_an_unknown_function_does() {
    let case = analyse(
        "declare void @reads(ptr readonly nocapture) memory(argmem: read)
         declare double @sum(ptr) memory(read)
         declare double @pure(double) memory(none)
         define double @f(double %x) {
           %cell = alloca double
           %other = alloca double
           store double %x, ptr %cell
           store double 1.0, ptr %other
           call void @reads(ptr %cell)
           %a = call double @sum(ptr %cell)
           %b = call double @sum(ptr %other)
           %c = call double @pure(double %x)
           %d = call double @pure(double %b)
           %ab = fadd double %a, %b
           %cd = fadd double %c, %d
           %result = fadd double %ab, %cd
           ret double %result
         }",
        &[A::Out],
        R::Active,
    );
    case.expect_active(&["cell", "a", "c", "result"]);
    case.expect_constant(&["other", "b", "d"]);
    let active: Vec<bool> = case.calls().iter().map(|call| call.is_active()).collect();
    assert_eq!(active, [false, true, false, true, false]);
}

#[test]
fn new_memory_from_an_unknown_function_is_told_from_other_memory() {
    let case = analyse(
        "declare noalias ptr @make()
         define double @f(double %x) {
           %box = call ptr @make()
           %idle = call ptr @make()
           %inside = load ptr, ptr %box
           store double %x, ptr %inside
           %again = load ptr, ptr %box
           %a = load double, ptr %again
           %rest = load ptr, ptr %idle
           %b = load double, ptr %rest
           %result = fadd double %a, %b
           ret double %result
         }",
        &[A::Out],
        R::Active,
    );
    case.expect_active(&["box", "inside", "again", "a", "result"]);
    case.expect_constant(&["idle", "rest", "b"]);
    assert!(!case.maker("box").is_active());
}

#[test]
fn library_functions_that_carry_nothing_are_constant() {
    let case = analyse(
        "declare i32 @printf(ptr, ...)
         declare i64 @time(ptr)
         declare double @strtod(ptr, ptr)
         define double @f(double %x, ptr %text) {
           %n = call i32 (ptr, ...) @printf(ptr %text, double %x)
           %t = call i64 @time(ptr null)
           %c = call double @strtod(ptr %text, ptr null)
           %result = fmul double %x, %c
           ret double %result
         }",
        &[A::Out, A::Const],
        R::Active,
    );
    case.expect_constant(&["n", "t", "c"]);
    assert!(case.calls().iter().all(|call| *call == Verdict::Constant(ConstantBecause::KnownFunction)));
}

#[test]
fn a_library_function_that_takes_no_floats_is_another_when_it_does() {
    let case = analyse(
        "declare double @times(double, double)
         declare i64 @wait(ptr)
         define double @f(double %x) {
           %w = call i64 @wait(ptr null)
           %r = call double @times(double %x, double 2.0)
           ret double %r
         }",
        &[A::Out],
        R::Active,
    );
    case.expect_active(&["r"]);
    let known = Verdict::Constant(ConstantBecause::KnownFunction);
    assert_eq!(case.calls(), [known, Verdict::Active(ActiveBecause::MovesNumber)]);
}

#[test]
fn a_function_of_the_user_with_the_name_of_a_library_function_is_the_users() {
    let case = analyse(
        "define double @time(double %t) {
           ret double %t
         }
         define double @f(double %x) {
           %r = call double @time(double %x)
           ret double %r
         }",
        &[A::Out],
        R::Active,
    );
    case.expect_active(&["r"]);
}

#[test]
fn addresses_of_functions_have_shadows_where_they_are_called() {
    let case = analyse(
        "define double @twice(double %v) {
           %r = fadd double %v, %v
           ret double %r
         }
         define double @f(double %x, double %c) {
           %slot = alloca ptr
           store ptr @twice, ptr %slot
           %g = load ptr, ptr %slot
           %r = call double %g(double %x)
           ret double %r
         }",
        &[A::Out, A::Const],
        R::Active,
    );
    case.expect_active(&["slot", "g", "r"]);
    assert!(case.stores()[0].is_active());
}

#[test]
fn unknown_functions_can_be_said_to_be_inactive() {
    let text = "declare double @mystery(double)
         define double @f(double %x) {
           %r = call double @mystery(double %x)
           ret double %r
         }";
    analyse(text, &[A::Out], R::Active).expect_active(&["r"]);
    let options = Options { unknown_functions: UnknownFunctions::AreInactive, ..WHOLE };
    analyse_with(text, options, &[A::Out], R::Active).expect_constant(&["r"]);
}

#[test]
fn assembler_and_exceptions_are_not_silently_inactive() {
    let case = analyse(
        r#"declare i32 @personality(...)
         declare void @risk(double)
         define double @f(double %x) personality ptr @personality {
         entry:
           %a = call double asm "addsd $1, $0", "=x,x"(double %x)
           invoke void @risk(double %x) to label %fine unwind label %bad
         fine:
           ret double %a
         bad:
           %caught = landingpad { ptr, i32 } cleanup
           %p = extractvalue { ptr, i32 } %caught, 0
           %v = load double, ptr %p
           ret double %v
         }"#,
        &[A::Out],
        R::Active,
    );
    case.expect_active(&["a", "caught", "p", "v"]);
    assert!(case.calls().iter().all(|call| call.is_active()));
}

// What users say.

#[test]
fn marks_overrule_the_analysis() {
    let case = analyse(
        "declare double @trusted(double) \"enzyme_inactive\"
         declare double @watched(double) memory(none)
         define double @f(double %x, double %c) {
           %t = call double @trusted(double %x)
           %v = fmul double %x, 2.0, !enzyme_inactive !0
           %w = fmul double %v, 2.0
           %m = fmul double %c, 2.0, !enzyme_active !0
           %n = fmul double %m, 2.0
           %i = fmul double %x, 5.0, !enzyme_inactive_inst !0
           %ignored = call double @watched(double \"enzyme_inactive\" %x)
           %a = fadd double %t, %w
           %b = fadd double %n, %i
           %ab = fadd double %a, %b
           %result = fadd double %ab, %ignored
           ret double %result
         }
         !0 = !{}",
        &[A::Out, A::Const],
        R::Active,
    );
    assert_eq!(case.verdict("v"), Verdict::Constant(ConstantBecause::Marked));
    assert_eq!(case.verdict("m"), Verdict::Active(ActiveBecause::Marked));
    assert_eq!(case.maker("m"), Verdict::Active(ActiveBecause::Marked));
    assert_eq!(case.maker("i"), Verdict::Constant(ConstantBecause::Marked));
    case.expect_constant(&["t", "w", "a", "ignored"]);
    case.expect_active(&["n", "i", "b", "ab", "result"]);
}

#[test]
fn without_analysis_all_that_could_be_active_is() {
    let text = "define double @f(double %x, double %c, ptr %p) {
           %unused = fmul double %c, %c
           %large = fcmp ogt double %x, 0.0
           %q = getelementptr double, ptr %p, i64 1
           ret double %x
         }";
    let options = Options { effort: Effort::None, ..WHOLE };
    let case = analyse_with(text, options, &[A::Out, A::Const, A::Const], R::Active);
    assert_eq!(case.verdict("unused"), Verdict::Active(ActiveBecause::NotAnalysed));
    assert_eq!(case.maker("unused"), Verdict::Active(ActiveBecause::NotAnalysed));
    case.expect_constant(&["large", "c", "q"]);
}

// Reasons.

#[test]
fn reasons_lead_from_where_it_comes_from_to_where_it_is_asked_for() {
    let case = analyse(
        "define double @f(double %x) {
           %cell = alloca double
           %twice = fmul double %x, 2.0
           store double %twice, ptr %cell
           %v = load double, ptr %cell
           %r = fadd double %v, 1.0
           ret double %r
         }",
        &[A::Out],
        R::Active,
    );
    let reasons = case.activity.why_value(case.value("v"));
    let varied = reasons.varied.expect("it is varied");
    assert_eq!(varied.end, Origin::Argument(0));
    let alloca = case.function().as_inst(case.value("cell")).expect("an instruction");
    let back: Vec<Subject> = varied.steps.iter().map(|step| step.subject).collect();
    assert_eq!(
        back,
        [
            Subject::Value(case.value("v")),
            Subject::Memory(Region::Own(alloca)),
            Subject::Value(case.value("twice")),
            Subject::Value(case.value("x")),
        ]
    );
    let store = case.insts(|opcode| matches!(opcode, Opcode::Store { .. }))[0];
    assert_eq!(varied.steps[1].by, Some(store));
    let useful = reasons.useful.expect("it is useful");
    let on: Vec<Subject> = useful.steps.iter().map(|step| step.subject).collect();
    assert_eq!(on, [Subject::Value(case.value("v")), Subject::Value(case.value("r"))]);
    assert!(matches!(useful.end, Destination::Returned(_)));

    let address = case.activity.why_value(case.value("cell"));
    assert_eq!(address.memory, [Region::Own(alloca)]);
    assert!(matches!(address.used.expect("it is used").end, Destination::Used(_)));
    assert_eq!(address.varied.expect("what is there is varied").end, Origin::Argument(0));

    let moved = case.activity.why_inst(store);
    assert_eq!(moved.varied.expect("it moves a number").end, Origin::Argument(0));
}

// The cost.

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
