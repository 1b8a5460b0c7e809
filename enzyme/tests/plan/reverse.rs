//! Plans of reverse mode.

use crate::support::{block, in_context, kept, parse, reuse, together, try_plan, try_plan_keeping, value};
use enzyme::activity::ArgumentActivity as A;
use enzyme::model::{Function, Opcode};
use enzyme::plan::{
    self, ArgumentMemory, Context, Counter, Held, How, Keeping, Known, MemoryActivity, Obstacle, Path,
    Reason, Reuse, ReversePlan, ReverseStep, Sweeps, UnknownTypes,
};
use enzyme::types::ValueTypes;

#[test]
fn the_reverse_sweep_keeps_what_partials_read_and_nothing_else() {
    let function = parse(
        "declare double @llvm.exp.f64(double)
         define double @f(double %x, double %y) {
           %s = fadd double %x, %y
           %e = call double @llvm.exp.f64(double %s)
           %r = fmul double %e, %x
           ret double %r
         }",
    );
    let plan = together(&function, &[A::Out, A::Out]);
    // The derivative of exp is its result, so its operand is not needed.
    assert_eq!(reuse(&function, &plan, "s"), Reuse::Unused);
    assert_eq!(kept(&function, &plan), ["%e"]);
    assert!(matches!(reuse(&function, &plan, "x"), Reuse::Recompute(_)));
    assert_eq!(reuse(&function, &plan, "r"), Reuse::Unused);
}

#[test]
fn all_that_is_read_can_be_kept_or_as_little_as_possible() {
    let function = parse(
        "declare double @llvm.sin.f64(double)
         define double @f(double %x, ptr %p) {
           %a = load double, ptr %p
           %s = call double @llvm.sin.f64(double %a)
           %b = fmul double %s, %s
           store double %b, ptr %p
           %again = load double, ptr %p
           %r = fmul double %again, %s
           ret double %r
         }",
    );
    let parameters = [A::Const, A::Duplicated];
    let kept_when = |keeping| {
        let plan = try_plan_keeping(&function, &parameters, Sweeps::Together, keeping);
        kept(&function, &plan.expect("nothing stands in the way"))
    };
    assert_eq!(kept_when(Keeping::Everything), ["%a", "%s", "%again"]);
    assert_eq!(kept_when(Keeping::Least), ["%a"]);
}

/// The sum of x[i] * x[i], and what the body does besides.
fn sum_of_squares(also: &str) -> Function {
    parse(&format!(
        "define double @f(ptr %x, ptr %out, i64 %n) {{
         entry:
           %trips = freeze i64 %n, !enzyme_trip_count !0
           br label %loop
         loop:
           %i = phi i64 [ 0, %entry ], [ %next, %loop ]
           %sum = phi double [ 0.0, %entry ], [ %more, %loop ]
           %place = getelementptr double, ptr %x, i64 %i
           %v = load double, ptr %place
           %square = fmul double %v, %v
           {also}
           %more = fadd double %sum, %square
           %next = add i64 %i, 1
           %again = icmp ult i64 %next, %n
           br i1 %again, label %loop, label %done
         done:
           ret double %more
         }}
         !0 = !{{}}"
    ))
}

const ARRAY: [A; 3] = [A::Duplicated, A::Duplicated, A::Const];

#[test]
fn memory_that_nobody_writes_is_read_again() {
    let function = sum_of_squares("");
    let plan = together(&function, &ARRAY);
    assert_eq!(kept(&function, &plan), [""; 0]);
    assert!(matches!(reuse(&function, &plan, "v"), Reuse::Recompute(again) if again.how() == How::Again));
    assert!(matches!(
        reuse(&function, &plan, "i"),
        Reuse::Recompute(stepping) if matches!(stepping.how(), How::Stepping { .. })
    ));
    let (_, natural) = plan.loops.iter().next().expect("a loop");
    assert_eq!(natural.counter, Some(Counter::Trips(value(&function, "trips"))));
    assert_eq!(natural.iterations, None);
    assert!(matches!(plan.paths[block(&function, "loop")], Path::Loop { .. }));
}

#[test]
fn memory_that_may_be_written_later_is_kept() {
    // Without `noalias`, `out` may be `x`.
    let function = sum_of_squares("store double %square, ptr %out");
    let plan = together(&function, &ARRAY);
    assert_eq!(kept(&function, &plan), ["%v"]);
    let (_, natural) = plan.loops.iter().next().expect("a loop");
    assert!(natural.iterations.is_some());
}

#[test]
fn a_flag_that_one_load_tells_is_not_kept() {
    let function = parse(
        "define double @f(ptr %cells, double %x, i64 %n) {
         entry:
           %trips = freeze i64 %n, !enzyme_trip_count !0
           br label %loop
         loop:
           %i = phi i64 [ 0, %entry ], [ %next, %next_one ]
           %sum = phi double [ 0.0, %entry ], [ %so_far, %next_one ]
           %place = getelementptr i32, ptr %cells, i64 %i
           %cell = load i32, ptr %place
           %same = icmp eq i32 %cell, 0
           br i1 %same, label %near, label %next_one
         near:
           %square = fmul double %x, %x
           %more = fadd double %sum, %square
           br label %next_one
         next_one:
           %so_far = phi double [ %sum, %loop ], [ %more, %near ]
           %next = add i64 %i, 1
           %again = icmp ult i64 %next, %n
           br i1 %again, label %loop, label %done
         done:
           ret double %so_far
         }
         !0 = !{}",
    );
    let plan = together(&function, &[A::Const, A::Out, A::Const]);
    assert_eq!(kept(&function, &plan), [""; 0]);
}

#[test]
fn between_sweeps_of_their_own_the_caller_may_write() {
    let function = sum_of_squares("");
    let plan = try_plan(&function, &ARRAY, Sweeps::Apart).expect("nothing stands in the way");
    assert_eq!(kept(&function, &plan), ["%v"]);
}

#[test]
fn a_loop_whose_iterations_nobody_knows_is_counted() {
    let function = parse(
        "define double @f(double %x) {
         entry:
           br label %loop
         loop:
           %v = phi double [ %x, %entry ], [ %half, %loop ]
           %half = fmul double %v, 0.5
           %again = fcmp ogt double %half, 1.0
           br i1 %again, label %loop, label %done
         done:
           ret double %half
         }",
    );
    let plan = together(&function, &[A::Out]);
    let (id, natural) = plan.loops.iter().next().expect("a loop");
    let Some(Counter::Slot(slot)) = natural.counter else { panic!("{:?}", natural.counter) };
    assert_eq!(plan.slots[slot].holds, Held::LastIteration(id));
    assert_eq!(plan.slots[slot].region, None);
    // A product with a constant needs neither operand.
    assert_eq!(natural.iterations, None);
}

#[test]
fn the_condition_of_a_branch_says_which_way_a_join_was_reached() {
    let function = parse(
        "define double @f(double %x, i1 %c) {
         entry:
           br i1 %c, label %a, label %b
         a:
           %s = fmul double %x, %x
           br label %join
         b:
           br label %join
         join:
           %r = phi double [ %s, %a ], [ %x, %b ]
           ret double %r
         }",
    );
    let plan = together(&function, &[A::Out, A::Const]);
    let expected = Path::Condition {
        condition: value(&function, "c"),
        when_true: block(&function, "a"),
        when_false: block(&function, "b"),
    };
    assert_eq!(plan.paths[block(&function, "join")], expected);
    assert_eq!(plan.slots.len(), 0);
}

#[test]
fn a_join_of_three_ways_remembers_which_was_taken() {
    let function = parse(
        "define double @f(double %x, i32 %n) {
         entry:
           switch i32 %n, label %other [ i32 0, label %zero i32 1, label %one ]
         zero:
           br label %join
         one:
           br label %join
         other:
           br label %join
         join:
           %r = phi double [ 1.0, %zero ], [ %x, %one ], [ 2.0, %other ]
           ret double %r
         }",
    );
    let plan = together(&function, &[A::Out, A::Const]);
    let join = block(&function, "join");
    let Path::Slot(slot) = plan.paths[join] else { panic!("{:?}", plan.paths[join]) };
    assert_eq!(plan.slots[slot].holds, Held::Predecessor(join));
}

#[test]
fn the_checker_finds_what_a_plan_forgets() {
    let function = parse(
        "define double @f(double %x) {
           %s = fmul double %x, %x
           %r = fmul double %s, %s
           ret double %r
         }",
    );
    let plan = together(&function, &[A::Out]);
    let known = Known::Primal(value(&function, "s"));
    let mut forgetful = plan.clone();
    forgetful.reuse[known] = Reuse::Unused;
    assert_eq!(plan::check(&function, &forgetful).map_err(|mistake| mistake.rule), Err(1));
    let mut confused = plan.clone();
    confused.reuse[known] = plan.reuse[Known::Primal(value(&function, "x"))];
    assert_eq!(plan::check(&function, &confused).map_err(|mistake| mistake.rule), Err(3));
    let mut lost = plan.clone();
    let (entry, _) = function.blocks.iter().next().expect("a block");
    lost.paths[entry] = Path::Only(entry);
    assert_eq!(plan::check(&function, &lost).map_err(|mistake| mistake.rule), Err(4));
    let mut idle = plan;
    let square = function.as_inst(value(&function, "s")).expect("an instruction");
    idle.steps[square] = ReverseStep::Skip;
    assert_eq!(plan::check(&function, &idle).map_err(|mistake| mistake.rule), Err(5));
}

#[test]
fn a_cycle_with_two_entries_is_refused() {
    let function = parse(
        "define double @f(double %x, i1 %c, i1 %d) {
         entry:
           br i1 %c, label %a, label %b
         a:
           br label %b
         b:
           br i1 %d, label %a, label %done
         done:
           ret double %x
         }",
    );
    let obstacles =
        try_plan(&function, &[A::Out, A::Const, A::Const], Sweeps::Together).expect_err("a cycle");
    assert!(matches!(obstacles[0].reason, Reason::ReverseControl { .. }), "{obstacles:?}");
}

/// A copy of an array of which only the first element is read, into memory of the frame.
fn copied(frame: &str) -> Function {
    parse(&format!(
        "define double @f(ptr %x) {{
         entry:
           %a = alloca {frame}
           call void @llvm.memcpy.p0.p0.i64(ptr %a, ptr %x, i64 32, i1 false)
           %v = load double, ptr %a
           ret double %v
         }}
         declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)"
    ))
}

#[test]
fn a_declaration_tells_what_all_of_a_copy_is() {
    let function = copied("[4 x double]");
    let plan = together(&function, &[A::Duplicated]);
    let copies = plan.steps.values().filter(|step| matches!(step, ReverseStep::CopyMemory { .. })).count();
    assert_eq!(copies, 1);
    // Beside the element that is read there may be anything.
    let function = copied("[32 x i8]");
    let obstacles = try_plan(&function, &[A::Duplicated], Sweeps::Together).expect_err("unknown");
    assert!(matches!(obstacles[0].reason, Reason::MissingType { .. }), "{obstacles:?}");
}

#[test]
fn zeros_and_integer_variables_need_no_type() {
    let function = parse(
        "@calls = internal global i64 0
         define double @f(ptr %x) {
         entry:
           %before = load i64, ptr @calls
           %after = add i64 %before, 1
           store i64 %after, ptr @calls
           %padding = getelementptr i8, ptr %x, i64 8
           store i64 0, ptr %padding
           %v = load double, ptr %x
           ret double %v
         }",
    );
    let plan = together(&function, &[A::Duplicated]);
    let stores: Vec<_> = function
        .insts_in_order()
        .filter(|&inst| matches!(function.insts[inst].opcode, Opcode::Store { .. }))
        .map(|inst| plan.steps[inst].clone())
        .collect();
    assert!(matches!(stores[..], [ReverseStep::Skip, ReverseStep::Store]), "{stores:?}");
}

#[test]
fn what_steps_in_all_elements_of_a_vector_at_once_is_kept() {
    let function = parse(
        "define double @f(double %x, i64 %n) {
         entry:
           %trips = freeze i64 %n, !enzyme_trip_count !0
           br label %loop
         loop:
           %i = phi i64 [ 0, %entry ], [ %next, %loop ]
           %both = phi <2 x i32> [ <i32 0, i32 1>, %entry ], [ %more, %loop ]
           %product = phi double [ 1.0, %entry ], [ %grown, %loop ]
           %element = extractelement <2 x i32> %both, i32 1
           %factor = sitofp i32 %element to double
           %scaled = fmul double %product, %factor
           %grown = fmul double %scaled, %x
           %more = add <2 x i32> %both, <i32 2, i32 2>
           %next = add i64 %i, 1
           %again = icmp ult i64 %next, %n
           br i1 %again, label %loop, label %done
         done:
           ret double %grown
         }
         !0 = !{}",
    );
    let plan = together(&function, &[A::Out, A::Const]);
    assert!(!matches!(
        reuse(&function, &plan, "both"),
        Reuse::Recompute(stepping) if matches!(stepping.how(), How::Stepping { .. })
    ));
}

#[test]
fn memory_of_unknown_origin_is_no_silent_zero() {
    let function = parse(
        "define double @f(double %x, ptr %allocate) {
           %memory = call ptr %allocate(i64 8)
           store double %x, ptr %memory
           %y = load double, ptr %memory
           ret double %y
         }",
    );
    let obstacles =
        try_plan(&function, &[A::Out, A::Const], Sweeps::Together).expect_err("no shadow is known");
    let known = |reason: &Reason| matches!(reason, Reason::IndirectCall | Reason::NoShadow { .. });
    assert!(obstacles.iter().all(|obstacle| known(&obstacle.reason)), "{obstacles:?}");
}

#[test]
fn the_bits_of_a_float_are_scaled_by_what_is_known_again() {
    let function = parse(
        "define double @f(double %x, i64 %n) {
           %bits = bitcast double %x to i64
           %exponent = shl i64 %n, 52
           %scaled = add i64 %bits, %exponent
           %y = bitcast i64 %scaled to double
           ret double %y
         }",
    );
    let plan = together(&function, &[A::Out, A::Const]);
    let scaled = function.as_inst(value(&function, "scaled")).expect("an instruction");
    assert!(matches!(plan.steps[scaled], ReverseStep::Bits(_)), "{:?}", plan.steps[scaled]);
    assert!(matches!(reuse(&function, &plan, "exponent"), Reuse::Recompute(_) | Reuse::Cache(_)));
    // The factor does not depend on the float.
    assert_eq!(reuse(&function, &plan, "bits"), Reuse::Unused);
}

#[test]
fn adjoints_end_where_memory_is_filled_that_nobody_names() {
    let function = parse(
        "declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
         define void @f(ptr %p) {
           call void @llvm.memset.p0.i64(ptr %p, i8 0, i64 16, i1 false)
           ret void
         }",
    );
    let plan = together(&function, &[A::Duplicated]);
    let fill = function.insts_in_order().next().expect("an instruction");
    assert!(
        matches!(plan.steps[fill], ReverseStep::ClearMemory { to: 0, length: 2 }),
        "{:?}",
        plan.steps[fill]
    );
}

#[test]
fn the_way_back_ends_where_an_exception_was_caught() {
    let function = parse(
        "declare double @g(double)
         declare i32 @personality(...)
         define double @f(double %x, double %y) personality ptr @personality {
         entry:
           %called = invoke double @g(double %y) to label %go unwind label %pad
         go:
           %square = fmul double %x, %x
           br label %done
         pad:
           %caught = landingpad { ptr, i32 } catch ptr null
           br label %done
         done:
           %r = phi double [ %square, %go ], [ %x, %pad ]
           ret double %r
         }",
    );
    let plan = together(&function, &[A::Out, A::Const]);
    assert_eq!(plan.paths[block(&function, "pad")], Path::Never);
    assert_eq!(plan.paths[block(&function, "go")], Path::Only(block(&function, "entry")));
}

#[test]
fn what_leads_to_no_return_has_no_way_back() {
    let function = parse(
        "declare void @stop()
         define double @f(double %x, i1 %wrong) {
         entry:
           br i1 %wrong, label %end, label %go
         end:
           %unused = fmul double %x, %x
           call void @stop()
           unreachable
         go:
           %square = fmul double %x, %x
           ret double %square
         }",
    );
    let plan = together(&function, &[A::Out, A::Const]);
    assert_eq!(plan.paths[block(&function, "end")], Path::Never);
    let unused = function.as_inst(value(&function, "unused")).expect("an instruction");
    assert_eq!(plan.steps[unused], ReverseStep::Skip);
}

/// Plans with what is known of the memory of arguments between two sweeps that run apart.
fn plan_with_memory(
    function: &Function,
    parameters: &[A],
    sweeps: Sweeps,
    argument_memory: &[ArgumentMemory],
) -> ReversePlan {
    let types = ValueTypes::of_function(function).expect("the types fit");
    let plan = in_context(function, &types, parameters, UnknownTypes::AreErrors, |context| {
        plan::reverse(function, parameters, sweeps, &Context { argument_memory, ..*context })
    });
    let plan = plan.expect("nothing stands in the way");
    plan::check(function, &plan).expect("the plan is sound");
    plan
}

#[test]
fn between_sweeps_of_their_own_the_caller_may_promise_not_to_write() {
    let stays = [ArgumentMemory::Stays, ArgumentMemory::MayChange];
    let function = sum_of_squares("");
    let plan = plan_with_memory(&function, &ARRAY, Sweeps::Apart, &stays);
    assert!(kept(&function, &plan).is_empty());
    // What the function writes itself, it keeps.
    let function = sum_of_squares("store double 0.0, ptr %place");
    let plan = plan_with_memory(&function, &ARRAY, Sweeps::Apart, &stays);
    assert_eq!(kept(&function, &plan), ["%v"]);
}

#[test]
fn callees_are_told_which_memory_stays() {
    use ArgumentMemory::{MayChange, Stays};
    let function = parse(
        "define double @f(ptr noalias %x, ptr noalias %y, double %z) {
           %a = call double @g(ptr %x, ptr %y, double %z)
           store double 0.0, ptr %y
           ret double %a
         }
         define double @g(ptr nocapture readonly %x, ptr nocapture readonly %y, double %z) memory(argmem: read) nounwind {
           %a = load double, ptr %x
           %b = load double, ptr %y
           %c = fmul double %a, %b
           %d = fmul double %c, %z
           ret double %d
         }",
    );
    let memory = |sweeps, of_caller: &[ArgumentMemory]| {
        let parameters = [A::Duplicated, A::Duplicated, A::Out];
        let plan = plan_with_memory(&function, &parameters, sweeps, of_caller);
        let calls: Vec<Vec<ArgumentMemory>> = function
            .insts_in_order()
            .filter_map(|inst| match &plan.steps[inst] {
                ReverseStep::ReverseCall(call) => Some(call.memory.clone()),
                _ => None,
            })
            .collect();
        let [memory] = calls.as_slice() else { panic!("there is one call") };
        memory.clone()
    };
    assert_eq!(memory(Sweeps::Together, &[]), [Stays, MayChange, MayChange]);
    assert_eq!(memory(Sweeps::Apart, &[]), [MayChange, MayChange, MayChange]);
    assert_eq!(memory(Sweeps::Apart, &[Stays, Stays, MayChange]), [Stays, MayChange, MayChange]);
}

#[test]
fn where_activity_is_decided_at_run_time_the_reverse_sweep_compares_pointers_with_their_shadows() {
    let function = parse(
        "define double @f(ptr %active, ptr %constant, i1 %which) {
           %from = select i1 %which, ptr %active, ptr %constant
           %x = load double, ptr %from
           %square = fmul double %x, %x
           store double %square, ptr %from
           ret double %square
         }",
    );
    let parameters = [A::Duplicated, A::Const, A::Const];
    let types = ValueTypes::of_function(&function).expect("the types fit");
    let plan = |memory_activity| {
        in_context(&function, &types, &parameters, UnknownTypes::AreErrors, |context| {
            plan::reverse(&function, &parameters, Sweeps::Together, &Context { memory_activity, ..*context })
        })
    };
    let obstacles = plan(MemoryActivity::Known).expect_err("one of the pointers has no shadow");
    assert!(matches!(obstacles[0].reason, Reason::MixedPointers { .. }), "{obstacles:?}");
    let plan = plan(MemoryActivity::DecidedAtRunTime).expect("a pointer without a shadow is its own");
    plan::check(&function, &plan).expect("the plan is sound");
    let from = value(&function, "from");
    let load = function.as_inst(value(&function, "x")).expect("an instruction");
    assert_eq!(plan.steps[load], ReverseStep::Load);
    assert_eq!(plan.reads(&function, load).as_slice(), [Known::Shadow(from), Known::Primal(from)]);
}

#[test]
fn a_pointer_to_an_inactive_variable_may_meet_one_with_a_shadow_where_nobody_else_sees_it() {
    let function = |also: &str| {
        parse(&format!(
            "@inactive = global double 0.0, !enzyme_inactive !0
             declare void @keep(ptr)
             define void @f(ptr %active, ptr %constant, double %x, i1 %which) {{
               %to = select i1 %which, ptr @inactive, ptr %active
               %place = getelementptr double, ptr %to, i64 0
               %old = load double, ptr %place
               %product = fmul double %old, %x
               store double %product, ptr %to
               {also}
               ret void
             }}
             !0 = !{{}}"
        ))
    };
    let parameters = [A::Duplicated, A::Const, A::Out, A::Const];
    let plan = |function: &Function| {
        let memory_activity = match plan::chooses_inactive_variable(function) {
            true => MemoryActivity::KnownButForVariables,
            false => MemoryActivity::Known,
        };
        let types = ValueTypes::of_function(function).expect("the types fit");
        in_context(function, &types, &parameters, UnknownTypes::AreErrors, |context| {
            plan::reverse(function, &parameters, Sweeps::Together, &Context { memory_activity, ..*context })
        })
    };
    let local = function("");
    let guarded = plan(&local).expect("what is done over the shadow is guarded");
    plan::check(&local, &guarded).expect("the plan is sound");
    let place = value(&local, "place");
    let load = local.as_inst(value(&local, "old")).expect("an instruction");
    assert_eq!(guarded.reads(&local, load).as_slice(), [Known::Shadow(place), Known::Primal(place)]);
    // Another function would take it for memory with a shadow, and so would whoever reads it from memory. What is read
    // through it is no better.
    for escape in [
        "%inner = load ptr, ptr %place\ncall void @keep(ptr %inner)",
        "call void @keep(ptr %place)",
        "%slot = getelementptr i8, ptr %active, i64 8\nstore ptr %to, ptr %slot",
    ] {
        let obstacles = plan(&function(escape)).expect_err("it is handed on");
        assert!(matches!(obstacles[0].reason, Reason::MixedPointers { .. }), "{obstacles:?}");
    }
    // What is no variable that the user spoke of stays an error.
    let obstacles =
        plan(&function("%other = select i1 %which, ptr %constant, ptr %active\nstore double %x, ptr %other"));
    assert!(matches!(obstacles.expect_err("two arguments")[0].reason, Reason::MixedPointers { .. }));
}

#[test]
fn atomic_operations_wait_for_activity_that_is_known() {
    let function = parse(
        "define void @f(ptr %sum, double %x) {
           %old = atomicrmw fadd ptr %sum, double %x monotonic, align 8
           ret void
         }",
    );
    let parameters = [A::Duplicated, A::Out];
    let types = ValueTypes::of_function(&function).expect("the types fit");
    let obstacles = in_context(&function, &types, &parameters, UnknownTypes::AreErrors, |context| {
        let memory_activity = MemoryActivity::DecidedAtRunTime;
        plan::reverse(&function, &parameters, Sweeps::Together, &Context { memory_activity, ..*context })
    })
    .expect_err("the sum may be inactive");
    assert!(matches!(obstacles[0].reason, Reason::Unsupported { .. }), "{obstacles:?}");
}

#[test]
fn a_copy_of_a_constant_of_numbers_ends_adjoints_whatever_is_known_of_it() {
    let plan = |fields: &str, initial: &str| {
        let function = parse(&format!(
            "@constant = private constant {fields} {initial}
             declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
             define void @f(ptr %x) {{
               call void @llvm.memcpy.p0.p0.i64(ptr %x, ptr @constant, i64 24, i1 false)
               ret void
             }}"
        ));
        let plan = try_plan(&function, &[A::Duplicated], Sweeps::Together)?;
        let copy = function.insts_in_order().next().expect("it copies");
        Ok::<_, Vec<Obstacle>>(plan.steps[copy].clone())
    };
    let numbers = plan("{ [16 x i8], double }", "zeroinitializer").expect("there are no addresses");
    assert_eq!(numbers, ReverseStep::ClearMemory { to: 0, length: 2 });
    let addresses = plan("{ [16 x i8], ptr }", "zeroinitializer").expect_err("there may be addresses");
    assert!(matches!(addresses[0].reason, Reason::MissingType { .. }), "{addresses:?}");
}
