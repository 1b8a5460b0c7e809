//! Plans of reverse mode: what becomes of memory that is copied, filled, moved and freed.

use crate::support::{parse, reuse, together, try_plan, try_plan_keeping, value};
use enzyme::activity::ArgumentActivity as A;
use enzyme::model::{FloatType, Function, InstId, Opcode};
use enzyme::plan::{
    AtomicAdjoint, Bytes, Carries, ElementLayout, Elements, Extent, FloatPiece, ForwardStep, FreedLater,
    Keeping, MovedShadow, Obstacle, Piece, PieceShadow, Reason, Reuse, ReverseStep, Sweeps,
};
use enzyme::rules;

#[test]
fn a_float_beside_a_pointer_has_no_part_in_the_shadow() {
    let function = parse(
        "define { ptr, double } @f(ptr %p, double %x) {
           %one = insertvalue { ptr, double } poison, ptr %p, 0
           %both = insertvalue { ptr, double } %one, double %x, 1
           ret { ptr, double } %both
         }",
    );
    let plan = try_plan(&function, &[A::Duplicated, A::Out], Sweeps::Apart).expect("nothing is in the way");
    let step = |name| &plan.forward.steps[function.as_inst(value(&function, name)).expect("an instruction")];
    let mirrored = |step: &ForwardStep| match step {
        ForwardStep::Mirror { operands, .. } => operands.to_vec(),
        other => panic!("{other:?}"),
    };
    assert_eq!(mirrored(step("one")), [0, 1]);
    assert_eq!(mirrored(step("both")), [0]);
}

#[test]
fn of_a_copy_of_some_bytes_the_beginning_is_known() {
    let function = parse(
        "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
         define double @f(ptr %x, i64 %bytes) {
           %to = alloca [24 x i8]
           call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %x, i64 %bytes, i1 false)
           %count = load i64, ptr %to, !tbaa !0
           %place = getelementptr i8, ptr %to, i64 8
           %float = load double, ptr %place
           %next = getelementptr i8, ptr %to, i64 16
           %pointer = load ptr, ptr %next
           %behind = load double, ptr %pointer
           %number = sitofp i64 %count to double
           %product = fmul double %float, %number
           %result = fmul double %product, %behind
           ret double %result
         }
         !0 = !{!1, !1, i64 0}
         !1 = !{!\"long\", !2}
         !2 = !{!\"omnipotent char\"}",
    );
    let plan = together(&function, &[A::Duplicated, A::Const]);
    let copy = function
        .insts_in_order()
        .find(|&inst| matches!(function.insts[inst].opcode, Opcode::Call(_)))
        .expect("it copies");
    let floats = vec![FloatPiece { offset: 8, length: 8, float: FloatType::Double }];
    // A pointer would have to be copied in the forward sweep.
    assert_eq!(
        plan.steps[copy],
        ReverseStep::CopyPrefix { to: 0, from: Some(1), length: 2, floats, known: 16 }
    );
    assert_eq!(plan.forward.steps[copy], ForwardStep::Keep);
}

#[test]
fn an_address_that_was_read_as_an_integer_leads_to_its_shadow() {
    let function = parse(
        "define double @f(ptr %place) {
           %address = load i64, ptr %place
           %pointer = inttoptr i64 %address to ptr
           %odd = and i64 %address, 1
           %chosen = getelementptr double, ptr %pointer, i64 %odd
           %x = load double, ptr %chosen
           %square = fmul double %x, %x
           ret double %square
         }",
    );
    let plan = together(&function, &[A::Duplicated]);
    assert_eq!(plan.carries[value(&function, "pointer")], Carries::Derivative);
    assert_eq!(plan.carries[value(&function, "odd")], Carries::Address);
    let load = function.as_inst(value(&function, "x")).expect("an instruction");
    assert_eq!(plan.steps[load], ReverseStep::Load);
}

/// A copy of so many bytes, of which the first 24 are a pointer, a float, an integer and another float.
fn copied_structure(bytes: u64) -> Function {
    parse(&format!(
        "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
         define double @f(ptr %x, ptr %from) {{
           %to = alloca [32 x i8]
           call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 {bytes}, i1 false)
           %values = load ptr, ptr %to
           %scale.at = getelementptr i8, ptr %to, i64 8
           %scale = load double, ptr %scale.at
           %count.at = getelementptr i8, ptr %to, i64 16
           %count = load i32, ptr %count.at, !tbaa !0
           %index = sext i32 %count to i64
           %offset.at = getelementptr i8, ptr %to, i64 20
           %offset = load float, ptr %offset.at
           %place = getelementptr double, ptr %values, i64 %index
           %value = load double, ptr %place
           %wide = fpext float %offset to double
           %sum = fadd double %value, %wide
           %result = fmul double %sum, %scale
           ret double %result
         }}
         !0 = !{{!1, !1, i64 0}}
         !1 = !{{!\"int\", !2}}
         !2 = !{{!\"omnipotent char\"}}"
    ))
}

#[test]
fn floats_beside_pointers_are_copied_piece_by_piece() {
    let function = copied_structure(24);
    let plan = together(&function, &[A::Duplicated, A::Duplicated]);
    let copy = function
        .insts_in_order()
        .find(|&inst| matches!(function.insts[inst].opcode, Opcode::Call(_)))
        .expect("it copies");
    let pointer = Piece { offset: 0, length: 8, shadow: PieceShadow::Copied };
    let pieces = ForwardStep::CopyPieces { to: 0, from: 1, pieces: vec![pointer], extent: Extent::Once };
    assert_eq!(plan.forward.steps[copy], pieces);
    let floats = vec![
        FloatPiece { offset: 8, length: 8, float: FloatType::Double },
        FloatPiece { offset: 20, length: 4, float: FloatType::Float },
    ];
    assert_eq!(
        plan.steps[copy],
        ReverseStep::CopyPieces { to: 0, from: Some(1), floats, extent: Extent::Once }
    );
}

#[test]
fn what_may_be_a_float_or_a_pointer_beside_others_is_no_silent_zero() {
    let function = copied_structure(32);
    let obstacles = try_plan(&function, &[A::Duplicated, A::Duplicated], Sweeps::Together)
        .expect_err("eight bytes are unknown");
    assert_eq!(obstacles[0].reason, Reason::MixedCopy);
}

#[test]
fn elements_of_a_vector_have_adjoints_where_they_lie() {
    let function = parse(
        "declare <2 x double> @llvm.masked.gather.v2f64.v2p0(<2 x ptr>, i32, <2 x i1>, <2 x double>)
         declare double @llvm.vector.reduce.fadd.v2f64(double, <2 x double>)
         define double @f(ptr %x, <2 x i1> %mask, <2 x double> %others) {
           %places = getelementptr double, ptr %x, <2 x i64> <i64 0, i64 3>
           %y = call <2 x double> @llvm.masked.gather.v2f64.v2p0(<2 x ptr> %places, i32 8, <2 x i1> %mask, <2 x double> %others)
           %sum = call double @llvm.vector.reduce.fadd.v2f64(double 0.0, <2 x double> %y)
           ret double %sum
         }",
    );
    let plan = together(&function, &[A::Duplicated, A::Const, A::Out]);
    let gather = function.as_inst(value(&function, "y")).expect("it is computed");
    let layout = ElementLayout::Scattered;
    let elements = Elements { pointer: 0, chosen: Some(2), count: None, layout };
    assert_eq!(plan.steps[gather], ReverseStep::LoadElements(elements, Some(3)));
}

#[test]
fn an_atomic_sum_needs_neither_of_its_numbers_and_an_extremum_both() {
    let update = |op: &str| {
        let function = parse(&format!(
            "define void @f(ptr %p, double %x) {{
               %square = fmul double %x, %x
               %old = atomicrmw {op} ptr %p, double %square seq_cst
               ret void
             }}"
        ));
        let plan = together(&function, &[A::Duplicated, A::Out]);
        let update = function.as_inst(value(&function, "old")).expect("it is computed");
        (plan.steps[update].clone(), plan.reads(&function, update).len())
    };
    assert_eq!(update("fadd"), (ReverseStep::AtomicUpdate(AtomicAdjoint::Sum), 1));
    assert_eq!(update("xchg"), (ReverseStep::AtomicUpdate(AtomicAdjoint::Exchange), 1));
    assert_eq!(
        update("fmax"),
        (ReverseStep::AtomicUpdate(AtomicAdjoint::Extremum(rules::Function::Fmax)), 3)
    );
}

#[test]
fn what_is_freed_once_waits_for_the_reverse_sweep() {
    let function = parse(
        "declare ptr @malloc(i64)
         declare void @free(ptr)
         define double @f(double %x, i64 %n) {
         entry:
           %m = call ptr @malloc(i64 16)
           store double %x, ptr %m
           %a = load double, ptr %m
           %r = fmul double %a, %a
           call void @free(ptr %m)
           br label %loop
         loop:
           %i = phi i64 [ 0, %entry ], [ %next, %loop ]
           %sum = phi double [ %r, %entry ], [ %more, %loop ]
           %t = call ptr @malloc(i64 16)
           store double %sum, ptr %t
           %b = load double, ptr %t
           %more = fmul double %b, %b
           call void @free(ptr %t)
           %next = add i64 %i, 1
           %end = icmp eq i64 %next, %n
           br i1 %end, label %out, label %loop
         out:
           ret double %more
         }",
    );
    let parameters = [A::Out, A::Const];
    let plan = try_plan_keeping(&function, &parameters, Sweeps::Together, Keeping::Least);
    let plan = plan.expect("nothing stands in the way");
    let is_free = |inst: &InstId| function.callee_name(*inst) == Some("free");
    let frees: Vec<_> =
        function.insts_in_order().filter(is_free).map(|inst| &plan.forward.steps[inst]).collect();
    assert_eq!(
        frees,
        [&ForwardStep::FreeLater(FreedLater::Both), &ForwardStep::FreeLater(FreedLater::Shadow)]
    );
    assert!(matches!(reuse(&function, &plan, "a"), Reuse::Recompute(_)));
    assert!(matches!(reuse(&function, &plan, "b"), Reuse::Cache(_)));
}

#[test]
fn what_an_exception_frees_on_its_way_is_read_again() {
    let function = parse(
        "declare i32 @personality(...)
         declare void @may_throw()
         define double @f(ptr %p) personality ptr @personality {
         entry:
           %a = load double, ptr %p
           %r = fmul double %a, %a
           invoke void @may_throw() memory(none) to label %on unwind label %out
         on:
           ret double %r
         out:
           %caught = landingpad { ptr, i32 } cleanup
           store double 0.0, ptr %p
           resume { ptr, i32 } %caught
         }",
    );
    let plan = try_plan_keeping(&function, &[A::Duplicated], Sweeps::Together, Keeping::Least);
    let plan = plan.expect("nothing stands in the way");
    assert!(matches!(reuse(&function, &plan, "a"), Reuse::Recompute(_)));
}

#[test]
fn structures_of_which_nobody_knows_how_many_are_copied_member_by_member() {
    let copied = |walk: &str| {
        let function = parse(&format!(
            "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
             define double @f(ptr %to, ptr %from, i64 %n, i64 %i) {{
               %bytes = mul i64 %n, 24
               call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 %bytes, i1 false)
               %other = {walk}
               %key = load i64, ptr %to
               %wide = sitofp i64 %key to double
               %value.at = getelementptr i8, ptr %to, i64 8
               %value = load double, ptr %value.at
               %place.at = getelementptr i8, ptr %to, i64 16
               %place = load ptr, ptr %place.at
               %there = load double, ptr %place
               %product = fmul double %value, %wide
               %result = fmul double %product, %there
               ret double %result
             }}"
        ));
        let activities = [A::Duplicated, A::Duplicated, A::Const, A::Const];
        let plan = try_plan(&function, &activities, Sweeps::Together)?;
        let call = function.insts_in_order().nth(1).expect("it copies");
        Ok::<_, Vec<Obstacle>>((plan.forward.steps[call].clone(), plan.steps[call].clone()))
    };
    let extent = Extent::Repeated { period: 24, length: 2 };
    let pieces = vec![Piece { offset: 16, length: 8, shadow: PieceShadow::Copied }];
    let floats = vec![FloatPiece { offset: 8, length: 8, float: FloatType::Double }];
    let wanted = (
        ForwardStep::CopyPieces { to: 0, from: 1, pieces, extent },
        ReverseStep::CopyPieces { to: 0, from: Some(1), floats, extent },
    );
    assert_eq!(
        copied("getelementptr inbounds {i64, double, ptr}, ptr %to, i64 %i").expect("by type"),
        wanted
    );
    assert_eq!(copied("getelementptr inbounds [24 x i8], ptr %to, i64 %i").expect("by size"), wanted);
    // Structures that overlap, or one alone: nobody knows where the next one is.
    for walk in [
        "getelementptr inbounds [16 x i8], ptr %to, i64 %i",
        "getelementptr i8, ptr %to, i64 0",
        // Where a member lies.
        "getelementptr inbounds i8, ptr %to, i64 28",
    ] {
        let (_, reverse) = copied(walk).expect("as far as is known");
        assert!(matches!(reverse, ReverseStep::CopyPrefix { .. }), "{reverse:?}");
    }
}

#[test]
fn a_pointer_that_moves_on_tells_how_far_structures_are_apart() {
    let function = parse(
        "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
         define double @f(ptr %to, ptr %from, i64 %bytes) {
         entry:
           call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 %bytes, i1 false)
           %end = getelementptr i8, ptr %to, i64 %bytes
           br label %each
         each:
           %at = phi ptr [ %to, %entry ], [ %next, %each ]
           %sum = phi double [ 0.0, %entry ], [ %more, %each ]
           %place = load ptr, ptr %at
           %there = load double, ptr %place
           %scale.at = getelementptr i8, ptr %at, i64 8
           %scale = load double, ptr %scale.at
           %product = fmul double %scale, %there
           %more = fadd double %sum, %product
           %next = getelementptr i8, ptr %at, i64 24
           %done = icmp eq ptr %next, %end
           br i1 %done, label %out, label %each
         out:
           %key.at = getelementptr i8, ptr %to, i64 16
           %key = load i64, ptr %key.at
           %wide = sitofp i64 %key to double
           %result = fmul double %more, %wide
           ret double %result
         }",
    );
    let plan = together(&function, &[A::Duplicated, A::Duplicated, A::Const]);
    let copy = function.insts_in_order().next().expect("it copies");
    let extent = Extent::Repeated { period: 24, length: 2 };
    let pieces = vec![Piece { offset: 0, length: 8, shadow: PieceShadow::Copied }];
    assert_eq!(plan.forward.steps[copy], ForwardStep::CopyPieces { to: 0, from: 1, pieces, extent });
}

#[test]
fn memory_that_is_moved_leaves_its_old_shadow_for_the_way_back() {
    let moved = |kind: &str| {
        let function = parse(&format!(
            "declare ptr @realloc(ptr, i64)
             define double @f(ptr %x, i64 %n, double %y) {{
               %bytes = mul i64 %n, 8
               %moved = call ptr @realloc(ptr %x, i64 %bytes)
               %read = load {kind}, ptr %moved
               %first = load double, ptr %{place}
               %r = fmul double %first, %first
               ret double %r
             }}",
            place = if kind == "ptr" { "read" } else { "moved" },
        ));
        let plan = together(&function, &[A::Duplicated, A::Const, A::Out]);
        let call = function.as_inst(value(&function, "moved")).expect("it is computed");
        (plan.forward.steps[call].clone(), plan.steps[call].clone())
    };
    let size = Bytes::Operand(1);
    let forward = |begins| ForwardStep::MoveShadow { pointer: 0, size, begins };
    let floats = vec![FloatPiece { offset: 0, length: 8, float: FloatType::Double }];
    let reverse = ReverseStep::MoveMemory { floats, period: 8, pointer: 0, size };
    assert_eq!(moved("double"), (forward(MovedShadow::Clear), reverse));
    assert_eq!(moved("ptr"), (forward(MovedShadow::Copied), ReverseStep::Skip));
}

#[test]
fn a_fill_of_floats_beside_pointers_is_done_piece_by_piece() {
    let function = parse(
        "declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
         define double @f(ptr %x, ptr %s) {
           call void @llvm.memset.p0.i64(ptr %s, i8 0, i64 16, i1 false)
           store ptr %x, ptr %s
           %values = load ptr, ptr %s
           %scale.at = getelementptr i8, ptr %s, i64 8
           %scale = load double, ptr %scale.at
           %value = load double, ptr %values
           %result = fmul double %value, %scale
           ret double %result
         }",
    );
    let plan = together(&function, &[A::Duplicated, A::Duplicated]);
    let fill = function.insts_in_order().next().expect("it fills");
    let pieces = vec![Piece { offset: 0, length: 8, shadow: PieceShadow::Same }];
    assert_eq!(
        plan.forward.steps[fill],
        ForwardStep::CopyPieces { to: 0, from: 0, pieces, extent: Extent::Once }
    );
    let floats = vec![FloatPiece { offset: 8, length: 8, float: FloatType::Double }];
    assert_eq!(plan.steps[fill], ReverseStep::CopyPieces { to: 0, from: None, floats, extent: Extent::Once });
}

#[test]
fn the_next_node_of_a_shadow_is_found_as_that_of_its_primal() {
    let function = parse(
        "declare ptr @_ZSt18_Rb_tree_incrementPKSt18_Rb_tree_node_base(ptr)
         declare ptr @__dynamic_cast(ptr, ptr, ptr, i64)
         @base = external constant ptr
         @derived = external constant ptr
         define double @f(ptr %node) {
           %next = call ptr @_ZSt18_Rb_tree_incrementPKSt18_Rb_tree_node_base(ptr %node)
           %part = call ptr @__dynamic_cast(ptr %next, ptr @base, ptr @derived, i64 0)
           %place = getelementptr i8, ptr %part, i64 40
           %x = load double, ptr %place
           ret double %x
         }",
    );
    let plan = try_plan(&function, &[A::Duplicated], Sweeps::Apart).expect("nothing is in the way");
    let step = |name| &plan.forward.steps[function.as_inst(value(&function, name)).expect("an instruction")];
    assert!(
        matches!(step("next"), ForwardStep::Mirror { operands, .. } if operands[..] == [0]),
        "{:?}",
        step("next")
    );
    assert_eq!(*step("part"), ForwardStep::Displace(0));
}

#[test]
fn a_copy_says_itself_what_it_moves() {
    let plan_of = |metadata: &str| {
        let function = parse(&format!(
            "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
             define void @f(ptr %to, ptr %from) {{
               call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 816, i1 false), !enzyme_truetype !0
               ret void
             }}
             !0 = !{{{metadata}}}"
        ));
        let copy = function.insts_in_order().next().expect("it copies");
        let plan = try_plan(&function, &[A::Duplicated, A::Duplicated], Sweeps::Together)?;
        Ok((plan.forward.steps[copy].clone(), plan.steps[copy].clone()))
    };
    let (forward, reverse) = plan_of(
        "!\"Float@double\", i64 0, !\"Pointer\", i64 8, !\"Integer\", i64 16, !\"Float@float\", i64 808",
    )
    .unwrap_or_else(|obstacles: Vec<Obstacle>| panic!("{obstacles:?}"));
    let pieces = vec![Piece { offset: 8, length: 8, shadow: PieceShadow::Copied }];
    assert_eq!(forward, ForwardStep::CopyPieces { to: 0, from: 1, pieces, extent: Extent::Once });
    let floats = vec![
        FloatPiece { offset: 0, length: 8, float: FloatType::Double },
        FloatPiece { offset: 808, length: 8, float: FloatType::Float },
    ];
    assert_eq!(reverse, ReverseStep::CopyPieces { to: 0, from: Some(1), floats, extent: Extent::Once });

    // Of the first bytes nothing is said.
    let obstacles = plan_of("!\"Float@double\", i64 8").expect_err("some bytes may be anything");
    assert!(matches!(obstacles[0].reason, Reason::MissingType { .. }), "{obstacles:?}");
}

#[test]
fn an_address_through_which_integers_are_read_needs_no_shadow() {
    let function = parse(
        "define void @f(ptr %list) {
         entry:
           %first = load ptr, ptr %list
           br label %walk
         walk:
           %node = phi ptr [ %first, %entry ], [ %next, %walk ]
           %word = load i64, ptr %node
           %ends = icmp eq i64 %word, 32
           %next = inttoptr i64 %word to ptr
           br i1 %ends, label %done, label %walk
         done:
           ret void
         }",
    );
    let plan = try_plan(&function, &[A::Duplicated], Sweeps::Together).expect("no shadow is looked for");
    assert_eq!(plan.carries[value(&function, "node")], Carries::Nothing);
}

#[test]
fn a_copy_of_memory_that_holds_nothing_ends_adjoints() {
    let plan_of = |written: &str| {
        let function = parse(&format!(
            "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
             declare ptr @malloc(i64)
             define void @f(ptr %to, i64 %word) {{
               %new = call ptr @malloc(i64 16)
               store {written}, ptr %new
               call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %new, i64 16, i1 false)
               ret void
             }}"
        ));
        let copy = function.insts_in_order().nth(2).expect("it copies");
        try_plan(&function, &[A::Duplicated, A::Const], Sweeps::Together).map(|plan| plan.steps[copy].clone())
    };
    let blank = plan_of("i8 0").unwrap_or_else(|obstacles: Vec<Obstacle>| panic!("{obstacles:?}"));
    assert_eq!(blank, ReverseStep::ClearMemory { to: 0, length: 2 });
    let obstacles = plan_of("i64 %word").expect_err("the word may be anything");
    assert!(matches!(obstacles[0].reason, Reason::MissingType { .. }), "{obstacles:?}");
}

#[test]
fn an_array_that_is_read_at_computed_places_holds_what_is_read_there() {
    let copied = |read: &str| {
        let function = parse(&format!(
            "declare ptr @malloc(i64)
             declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
             define double @f(ptr %x, ptr %places, i64 %bytes) {{
               %copy = call ptr @malloc(i64 %bytes)
               call void @llvm.memcpy.p0.p0.i64(ptr %copy, ptr %x, i64 %bytes, i1 false)
               %place = load i64, ptr %places
               {read}
               %square = fmul double %read, %read
               ret double %square
             }}"
        ));
        let plan = try_plan(&function, &[A::Duplicated, A::Const, A::Const], Sweeps::Together)?;
        let call = function.insts_in_order().nth(1).expect("it copies");
        Ok::<_, Vec<Obstacle>>(plan.steps[call].clone())
    };
    let element = "%at = getelementptr double, ptr %copy, i64 %place\n %read = load double, ptr %at";
    let float = FloatType::Double;
    assert_eq!(copied(element), Ok(ReverseStep::CopyMemory { float, to: 0, from: 1, length: 2 }));
    // Members of structures, of which others may be no floats; and elements of two kinds.
    let member = "%at = getelementptr {double, i64}, ptr %copy, i64 %place\n %read = load double, ptr %at";
    let second = format!(
        "%number.at = getelementptr i64, ptr %copy, i64 %bytes
         %number = load i64, ptr %number.at
         %other.at = getelementptr inbounds i64, ptr %places, i64 %number
         %other = load i64, ptr %other.at
         {element}"
    );
    for read in [member, &second] {
        let obstacles = copied(read).expect_err("nobody knows");
        assert!(matches!(obstacles[0].reason, Reason::MissingType { .. }), "{obstacles:?}");
    }
}

#[test]
fn what_becomes_a_float_by_arithmetic_on_unknown_memory_is_no_constant() {
    // The mantissa of a number, with another exponent: by itself the load could be one of an integer.
    let function = |made: &str| {
        parse(&format!(
            "define double @f(ptr %x, ptr %y) {{
               %bits = load i64, ptr %x
               {made}
               store i64 %made, ptr %y
               %result = load double, ptr %y
               ret double %result
             }}"
        ))
    };
    let both = [A::Duplicated, A::Duplicated];
    for made in [
        "%fraction = and i64 %bits, 4503599627370495\n %made = or disjoint i64 %fraction, 4607182418800017408",
        "%half = lshr i64 %bits, 32\n %made = or i64 %half, 4607182418800017408",
    ] {
        let obstacles = try_plan(&function(made), &both, Sweeps::Together).expect_err("nobody knows");
        assert!(matches!(obstacles[0].reason, Reason::LostBits), "{obstacles:?}");
    }
    // Random bits: nobody multiplies a float's.
    let random = "%more = mul i64 %bits, 6364136223846793005
                  %fraction = lshr i64 %more, 12
                  %made = or disjoint i64 %fraction, 4607182418800017408";
    try_plan(&function(random), &both, Sweeps::Together).expect("an integer has no derivative");
}
