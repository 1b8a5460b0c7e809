//! What is decided in forward mode.

use crate::support::{in_context, parse, value};
use enzyme::activity::ArgumentActivity as A;
use enzyme::model::Function;
use enzyme::plan::{
    self, BitOperation, Carries, Extent, ForwardPlan, ForwardStep, Obstacle, Piece, PieceShadow, PointerCall,
    Reason, ResultCarries, UnknownTypes,
};
use enzyme::types::{BarePointers, CallTypes, ValueTypes};

fn forward(function: &Function, parameters: &[A]) -> Result<ForwardPlan, Vec<Obstacle>> {
    forward_with(function, parameters, UnknownTypes::AreErrors)
}

fn forward_with(
    function: &Function,
    parameters: &[A],
    unknown_types: UnknownTypes,
) -> Result<ForwardPlan, Vec<Obstacle>> {
    let call = CallTypes::of_signature(function, BarePointers::Said).with_any_result();
    let types = ValueTypes::of_call(function, call).expect("the types fit");
    in_context(function, &types, parameters, unknown_types, |context| {
        plan::forward(function, parameters, ResultCarries::Derivative, context)
    })
}

fn reasons(obstacles: Vec<Obstacle>) -> Vec<Reason> {
    obstacles.into_iter().map(|obstacle| obstacle.reason).collect()
}

#[test]
fn a_value_of_constants_alone_carries_nothing() {
    let function = parse(
        "define double @f(double %x, double %c) {
           %a = fmul double %c, %c
           %b = fmul double %x, %a
           ret double %b
         }",
    );
    let plan = forward(&function, &[A::Duplicated, A::Const]).expect("nothing stands in the way");
    assert_eq!(plan.carries[value(&function, "a")], Carries::Nothing);
    assert_eq!(plan.carries[value(&function, "b")], Carries::Derivative);
    let a = function.as_inst(value(&function, "a")).expect("an instruction");
    assert_eq!(plan.steps[a], ForwardStep::Keep);
}

#[test]
fn activity_goes_around_a_loop() {
    let function = parse(
        "define double @f(double %x, i64 %n) {
         entry:
           br label %loop
         loop:
           %i = phi i64 [ 0, %entry ], [ %next, %loop ]
           %p = phi double [ 1.0, %entry ], [ %q, %loop ]
           %q = fmul double %p, %x
           %next = add i64 %i, 1
           %more = icmp slt i64 %next, %n
           br i1 %more, label %loop, label %done
         done:
           ret double %q
         }",
    );
    let plan = forward(&function, &[A::Duplicated, A::Const]).expect("nothing stands in the way");
    assert_eq!(plan.carries[value(&function, "p")], Carries::Derivative);
    assert_eq!(plan.carries[value(&function, "i")], Carries::Nothing);
}

#[test]
fn integer_arithmetic_on_the_bits_of_an_active_float_is_refused_when_it_becomes_a_float_again() {
    let text = |last: &str| {
        format!(
            "define double @f(double %x) {{
               %b = bitcast double %x to i64
               %m = xor i64 %b, 12345
               {last}
             }}"
        )
    };
    let back = parse(&text("%r = bitcast i64 %m to double\n ret double %r"));
    let obstacles = forward(&back, &[A::Duplicated]).expect_err("the derivative is lost");
    assert_eq!(reasons(obstacles), [Reason::LostBits]);
    // A comparison of the bits is none: its derivative is zero.
    let compared =
        parse(&text("%c = icmp slt i64 %m, 0\n %r = select i1 %c, double 0.0, double %x\n ret double %r"));
    assert!(forward(&compared, &[A::Duplicated]).is_ok());
}

#[test]
fn a_pointer_made_from_an_address_is_refused_and_a_distance_of_addresses_is_a_number() {
    let tagged = parse(
        "define double @f(ptr %p) {
           %a = ptrtoint ptr %p to i64
           %t = and i64 %a, -2
           %q = inttoptr i64 %t to ptr
           %v = load double, ptr %q
           ret double %v
         }",
    );
    let obstacles = forward(&tagged, &[A::Duplicated]).expect_err("no shadow is known");
    assert_eq!(reasons(obstacles), [Reason::LostPointer]);
    let distance = parse(
        "declare void @use(i64)
         define double @f(ptr %p, ptr %q, double %x) {
           %a = ptrtoint ptr %p to i64
           %b = ptrtoint ptr %q to i64
           %n = sub i64 %b, %a
           %r = sitofp i64 %n to double
           %v = fmul double %r, %x
           ret double %v
         }",
    );
    let plan = forward(&distance, &[A::Duplicated, A::Duplicated, A::Duplicated]).expect("a number");
    assert_eq!(plan.carries[value(&distance, "n")], Carries::Nothing);
    assert_eq!(plan.carries[value(&distance, "v")], Carries::Derivative);
}

#[test]
fn a_float_may_travel_inside_a_wider_integer() {
    let function = parse(
        "define i64 @f(float %x, i32 %n) {
           %bits = bitcast float %x to i32
           %low = zext i32 %bits to i64
           %count = zext i32 %n to i64
           %high = shl i64 %count, 32
           %both = or i64 %high, %low
           ret i64 %both
         }",
    );
    let plan = forward(&function, &[A::Duplicated, A::Const]).expect("nothing stands in the way");
    assert_eq!(plan.carries[value(&function, "both")], Carries::Derivative);
    // Where nobody asks for the tangent of an integer, losing it would go unnoticed.
    let types = ValueTypes::of_function(&function).expect("the types fit");
    let activities = [A::Duplicated, A::Const];
    let obstacles = in_context(&function, &types, &activities, UnknownTypes::AreErrors, |context| {
        plan::forward(&function, &activities, ResultCarries::Nothing, context)
    });
    assert_eq!(reasons(obstacles.expect_err("lost")), [Reason::LostBits]);
}

#[test]
fn bits_that_only_move_keep_their_derivative() {
    let function = parse(
        "define double @f(double %x) {
           %b = bitcast double %x to i64
           %f = freeze i64 %b
           %r = bitcast i64 %f to double
           ret double %r
         }",
    );
    let plan = forward(&function, &[A::Duplicated]).expect("nothing stands in the way");
    assert_eq!(plan.carries[value(&function, "r")], Carries::Derivative);
}

#[test]
fn an_unknown_function_is_an_obstacle_only_when_active_values_go_in() {
    let function = parse(
        "declare double @mystery(double)
         define double @f(double %x, double %c) {
           %m = call double @mystery(double %c)
           %r = fmul double %x, %m
           ret double %r
         }",
    );
    assert!(forward(&function, &[A::Duplicated, A::Const]).is_ok());
    let obstacles = forward(&function, &[A::Duplicated, A::Duplicated]).expect_err("unknown");
    assert_eq!(reasons(obstacles), [Reason::UnknownFunction { name: "mystery".into() }]);
}

#[test]
fn a_rule_of_the_users_goes_before_the_body_and_takes_the_shadows_that_it_wants() {
    let function = parse(
        "define double @f(double %x, ptr %p, ptr %q) {
           %a = call double @ruled(double %x, ptr %p)
           %b = call double @ruled(double 2.0, ptr %p)
           %c = call double @like_sine(double %x)
           %ab = fadd double %a, %b
           %abc = fadd double %ab, %c
           ret double %abc
         }
         define double @ruled(double %x, ptr %p) \"enzyme_derivative\"=\"rule\" \"enzyme_derivative_without_shadow\"=\"1\" {
           ret double %x
         }
         define double @like_sine(double %x) \"enzyme_math\"=\"sin\" {
           ret double 0.0
         }",
    );
    let plan =
        forward(&function, &[A::Duplicated, A::Const, A::Const]).expect("the rule needs no shadow of %p");
    let step = |name| &plan.steps[function.as_inst(value(&function, name)).expect("an instruction")];
    match step("a") {
        ForwardStep::Call(call) => assert_eq!(call.arguments, [A::Duplicated, A::Const]),
        other => panic!("{other:?}"),
    }
    assert_eq!(*step("b"), ForwardStep::Keep);
    assert!(matches!(step("c"), ForwardStep::Scalar(_)), "{:?}", step("c"));
}

#[test]
fn a_rule_that_wants_the_shadow_of_memory_without_one_is_an_obstacle() {
    let function = parse(
        "declare double @ruled(double, ptr) \"enzyme_derivative\"=\"rule\"
         define double @f(double %x, ptr %p) {
           %a = call double @ruled(double %x, ptr %p)
           %b = call double @ruled(double %x, ptr null)
           %r = fadd double %a, %b
           ret double %r
         }",
    );
    assert!(forward(&function, &[A::Duplicated, A::Duplicated]).is_ok());
    let obstacles = forward(&function, &[A::Duplicated, A::Const]).expect_err("no shadow");
    assert_eq!(reasons(obstacles), [Reason::NoShadow { pointer: "%p".into() }]);
}

#[test]
fn a_pointer_without_a_shadow_may_not_meet_one_with() {
    let function = parse(
        "define double @f(ptr %p, ptr %q, i1 %c) {
           %r = select i1 %c, ptr %p, ptr %q
           %v = load double, ptr %r
           ret double %v
         }",
    );
    let obstacles = forward(&function, &[A::Duplicated, A::Const, A::Const]).expect_err("mixed");
    assert_eq!(reasons(obstacles), [Reason::MixedPointers { pointer: "%q".into() }]);
}

#[test]
fn the_users_own_function_is_not_the_library_function_of_that_name() {
    let function = parse(
        "define double @f(double %x) {
           %r = call double @gamma(double %x)
           ret double %r
         }
         define double @gamma(double %x) {
           ret double %x
         }",
    );
    let plan = forward(&function, &[A::Duplicated]).expect("nothing stands in the way");
    let call = function.as_inst(value(&function, "r")).expect("an instruction");
    assert!(matches!(plan.steps[call], ForwardStep::Call(_)), "{:?}", plan.steps[call]);
}

#[test]
fn a_constant_beside_the_bits_of_a_float_is_one_itself() {
    let function = parse(
        "define double @f(double %x, i1 %c, i1 %d) {
           %b = bitcast double %x to i64
           %one = select i1 %c, i64 %b, i64 4604930618986332160
           %two = select i1 %d, i64 4604930618986332161, i64 %one
           %a = and i64 %two, 9223372036854775807
           %y = bitcast i64 %a to double
           ret double %y
         }",
    );
    let plan = forward(&function, &[A::Duplicated, A::Const, A::Const]).expect("nothing stands in the way");
    let zeroed = |name: &str| match &plan.steps[function.as_inst(value(&function, name)).expect("a step")] {
        ForwardStep::Mirror { zeroed, .. } => zeroed.to_vec(),
        other => panic!("{other:?} is done over shadows"),
    };
    assert_eq!(zeroed("one"), [2]);
    assert_eq!(zeroed("two"), [1]);
}

#[test]
fn a_constant_in_an_integer_has_the_shadow_that_its_type_says() {
    let store = |memory: &str| {
        parse(&format!(
            "define void @f(ptr %p) {{
               store i64 4614253070214989087, ptr %p
               {memory}
               ret void
             }}"
        ))
    };
    let zeroed = |plan: &ForwardPlan| {
        let ForwardStep::Mirror { zeroed, .. } = plan.steps.values().next().expect("a step") else {
            panic!("the store has a shadow")
        };
        zeroed.to_vec()
    };
    let float = store("%x = load double, ptr %p\n %y = fadd double %x, 1.0");
    let plan = forward(&float, &[A::Duplicated]).expect("the memory holds a double");
    assert_eq!(zeroed(&plan), [0]);
    let integer = store("%x = load i64, ptr %p\n %y = sitofp i64 %x to double");
    let plan = forward(&integer, &[A::Duplicated]).expect("the memory holds an integer");
    assert!(zeroed(&plan).is_empty());
    let unknown = store("");
    let obstacles = forward(&unknown, &[A::Duplicated]).expect_err("it could be either");
    assert!(matches!(reasons(obstacles)[..], [Reason::MissingType { .. }]));
    let plan = forward_with(&unknown, &[A::Duplicated], UnknownTypes::AreIntegers).expect("a guess");
    assert!(zeroed(&plan).is_empty());
}

#[test]
fn what_is_copied_from_memory_without_a_shadow_is_judged_by_its_type() {
    let copy = |memory: &str| {
        parse(&format!(
            "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
             define void @f(ptr %p, ptr %c) {{
               call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %c, i64 8, i1 false)
               {memory}
               ret void
             }}"
        ))
    };
    let activities = [A::Duplicated, A::Const];
    let first = |plan: ForwardPlan| plan.steps.values().next().expect("a step").clone();
    let floats = copy("%x = load double, ptr %c\n %y = fadd double %x, 1.0");
    assert_eq!(
        first(forward(&floats, &activities).expect("floats")),
        ForwardStep::ClearShadow { to: 0, length: 2 }
    );
    let integers = copy("%x = load i64, ptr %c\n %y = sitofp i64 %x to double");
    assert!(matches!(first(forward(&integers, &activities).expect("integers")), ForwardStep::Mirror { .. }));
    let pointers = copy("%x = load ptr, ptr %c\n %y = load double, ptr %x");
    let obstacles = forward(&pointers, &activities).expect_err("the pointers have no shadows");
    assert!(matches!(reasons(obstacles)[..], [Reason::NoShadow { .. }]));
    let part = copy("%x = load float, ptr %c\n %y = fadd float %x, 1.0");
    let piece = |offset, shadow| Piece { offset, length: 4, shadow };
    // The other half may be anything but a pointer.
    let pieces = vec![piece(0, PieceShadow::Zero), piece(4, PieceShadow::Zero)];
    assert_eq!(
        first(forward(&part, &activities).expect("a part")),
        ForwardStep::CopyPieces { to: 0, from: 1, pieces, extent: Extent::Once }
    );
    let both = copy(
        "%x = load float, ptr %c\n %y = fadd float %x, 1.0\n %q = getelementptr inbounds i8, ptr %c, i64 4\n \
         %n = load i32, ptr %q\n %z = sitofp i32 %n to double",
    );
    let pieces = vec![piece(0, PieceShadow::Zero), piece(4, PieceShadow::Same)];
    assert_eq!(
        first(forward(&both, &activities).expect("both")),
        ForwardStep::CopyPieces { to: 0, from: 1, pieces, extent: Extent::Once }
    );
    let obstacles = forward(&copy(""), &activities).expect_err("nothing is known");
    assert!(matches!(reasons(obstacles)[..], [Reason::MissingType { .. }]));
    let guess = forward_with(&copy(""), &activities, UnknownTypes::AreIntegers).expect("a guess");
    assert_eq!(first(guess), ForwardStep::ClearShadow { to: 0, length: 2 });
}

#[test]
fn an_address_that_is_stored_as_a_number_is_refused() {
    let function = parse(
        "define double @f(ptr %data) {
           %slot = alloca i64
           %number = ptrtoint ptr %data to i64
           store i64 %number, ptr %slot
           %pointer = load ptr, ptr %slot
           %x = load double, ptr %pointer
           ret double %x
         }",
    );
    let obstacles = forward(&function, &[A::Duplicated]).expect_err("the shadow of the number is not known");
    assert_eq!(reasons(obstacles), [Reason::LostPointer]);
}

#[test]
fn memory_that_holds_nothing_active_has_no_shadow() {
    let function = parse(
        "define double @f(double %x, i64 %n) {
           %count = alloca i64
           %place = alloca double
           store i64 %n, ptr %count
           store double %x, ptr %place
           %read = load i64, ptr %count
           %times = sitofp i64 %read to double
           %y = load double, ptr %place
           %z = fmul double %y, %times
           ret double %z
         }",
    );
    let plan = forward(&function, &[A::Duplicated, A::Const]).expect("nothing stands in the way");
    assert_eq!(plan.carries[value(&function, "count")], Carries::Nothing);
    assert_eq!(plan.carries[value(&function, "place")], Carries::Derivative);
    assert_eq!(plan.steps.values().next(), Some(&ForwardStep::Keep));
}

#[test]
fn a_tangent_that_nobody_asks_for_is_not_computed() {
    let function = parse(
        "declare void @report(double)
         define double @f(double %x) {
           %unused = fmul double %x, %x
           %above = fcmp ogt double %unused, 1.0
           %chosen = select i1 %above, double %x, double 2.0
           ret double %chosen
         }",
    );
    let plan = forward(&function, &[A::Duplicated]).expect("nothing stands in the way");
    assert_eq!(plan.carries[value(&function, "unused")], Carries::Nothing);
    assert_eq!(plan.carries[value(&function, "chosen")], Carries::Derivative);
}

#[test]
fn a_pointer_to_inactive_memory_has_a_shadow_where_one_is_looked_for() {
    // What `chosen` points to may be active: so both ways need a shadow.
    let function = parse(
        "define double @f(ptr %data, i1 %which) {
           %numbers = alloca double
           store double 2.0, ptr %numbers
           %chosen = select i1 %which, ptr %data, ptr %numbers
           %y = load double, ptr %chosen
           ret double %y
         }",
    );
    let plan = forward(&function, &[A::Duplicated, A::Const]).expect("nothing stands in the way");
    assert_eq!(plan.carries[value(&function, "numbers")], Carries::Derivative);
}

/// The call in a function that calls something once.
fn step_of_call(function: &Function, plan: &ForwardPlan) -> ForwardStep {
    let call = function.insts_in_order().find(|&inst| function.insts[inst].callee().is_some());
    plan.steps[call.expect("a call")].clone()
}

#[test]
fn what_is_called_through_a_pointer_gets_all_that_can_carry_a_derivative() {
    let function = parse(
        "define double @f(double %x, double %c, ptr %callee) {
           %r = call double %callee(double %c, i32 3, double %x)
           ret double %r
         }",
    );
    let plan = forward(&function, &[A::Duplicated, A::Const, A::Const]).expect("nothing stands in the way");
    let arguments = vec![A::Duplicated, A::Const, A::Duplicated];
    let call = PointerCall { arguments, result: ResultCarries::Derivative };
    assert_eq!(step_of_call(&function, &plan), ForwardStep::CallThroughPointer(call));
    let plan = forward(&function, &[A::Const, A::Const, A::Const]).expect("nothing stands in the way");
    assert_eq!(step_of_call(&function, &plan), ForwardStep::Keep);
}

#[test]
fn a_pointer_without_a_shadow_does_not_go_through_a_pointer_to_a_function() {
    let function = parse(
        "define double @f(double %x, ptr %data, ptr %callee) {
           %r = call double %callee(double %x, ptr %data)
           ret double %r
         }",
    );
    let obstacles = forward(&function, &[A::Duplicated, A::Const, A::Duplicated]).expect_err("no shadow");
    assert_eq!(reasons(obstacles), [Reason::NoShadow { pointer: "%data".into() }]);
}

#[test]
fn a_choice_of_functions_is_a_choice_of_their_shadows() {
    let function = parse(
        "define double @f(double %x, i1 %which) {
           %callee = select i1 %which, ptr @first, ptr @second
           %r = call double %callee(double %x)
           ret double %r
         }
         declare double @first(double)
         declare double @second(double)",
    );
    let plan = forward(&function, &[A::Duplicated, A::Const]).expect("nothing stands in the way");
    assert_eq!(plan.carries[value(&function, "callee")], Carries::Derivative);
}

#[test]
fn memory_of_unknown_origin_is_no_silent_zero() {
    let function = parse(
        "define double @f(double %x) {
           %memory = call ptr @unknown()
           store double %x, ptr %memory
           %r = load double, ptr %memory
           ret double %r
         }
         declare ptr @unknown()",
    );
    let obstacles = forward(&function, &[A::Duplicated]).expect_err("no shadow");
    assert_eq!(reasons(obstacles), [Reason::NoShadow { pointer: "%memory".into() }]);
}

#[test]
fn what_is_thrown_may_hold_an_active_value() {
    let function = parse(
        "define void @f(double %x) {
           %thrown = call ptr @__cxa_allocate_exception(i64 8)
           store double %x, ptr %thrown
           call void @__cxa_throw(ptr %thrown, ptr null, ptr null)
           unreachable
         }
         declare ptr @__cxa_allocate_exception(i64)
         declare void @__cxa_throw(ptr, ptr, ptr)",
    );
    let plan = forward(&function, &[A::Duplicated]).expect("nothing stands in the way");
    assert_eq!(plan.carries[value(&function, "thrown")], Carries::Nothing);
}

#[test]
fn assembler_without_a_text_hands_its_operand_on() {
    let function = parse(
        "define double @f(double %x) {
           %same = call double asm sideeffect \"\", \"=x,0,~{memory}\"(double %x)
           call void asm sideeffect \"\", \"x,~{memory}\"(double %same)
           ret double %same
         }",
    );
    let plan = forward(&function, &[A::Duplicated]).expect("nothing stands in the way");
    assert_eq!(plan.carries[value(&function, "same")], Carries::Derivative);
    let function = parse(
        "define double @f(double %x) {
           %root = call double asm \"sqrtsd $1, $0\", \"=x,x\"(double %x)
           ret double %root
         }",
    );
    let obstacles = forward(&function, &[A::Duplicated]).expect_err("not known");
    assert_eq!(reasons(obstacles), [Reason::Unsupported { what: "inline assembler" }]);
}

#[test]
fn arithmetic_on_bits_is_known_where_it_is_arithmetic_on_the_float() {
    let on_bits = |operation: &str| {
        parse(&format!(
            "define double @f(double %x, i64 %n) {{
               %bits = bitcast double %x to i64
               %changed = {operation}
               %y = bitcast i64 %changed to double
               ret double %y
             }}"
        ))
    };
    let planned = |operation: &str| {
        let function = on_bits(operation);
        let plan = forward(&function, &[A::Duplicated, A::Const])?;
        let changed = function.as_inst(value(&function, "changed")).expect("an instruction");
        match plan.steps[changed] {
            ForwardStep::Bits(bits) => Ok(bits.operation),
            ref other => panic!("{other:?}"),
        }
    };
    assert_eq!(planned("xor i64 %bits, -9223372036854775808"), Ok(BitOperation::Sign));
    assert_eq!(planned("and i64 %bits, 9223372036854775807"), Ok(BitOperation::Sign));
    assert_eq!(planned("add i64 %bits, 4503599627370496"), Ok(BitOperation::Scale));
    for lost in ["xor i64 %bits, 1", "add i64 %bits, 1", "and i64 %bits, -2", "or i64 %bits, %n"] {
        assert_eq!(reasons(planned(lost).expect_err(lost)), [Reason::LostBits], "{lost}");
    }
}

#[test]
fn shadows_are_moved_and_freed_with_their_memory() {
    let function = parse(
        "declare ptr @realloc(ptr, i64)
         declare void @free(ptr)
         define double @f(double %x, i64 %n) {
           %p = call ptr @realloc(ptr null, i64 8)
           store double %x, ptr %p
           %q = call ptr @realloc(ptr %p, i64 %n)
           %y = load double, ptr %q
           call void @free(ptr %q)
           ret double %y
         }",
    );
    let plan = forward(&function, &[A::Duplicated, A::Const]).expect("nothing stands in the way");
    let over_shadows = |inst| matches!(plan.steps[inst], ForwardStep::Mirror { .. });
    assert_eq!(function.insts_in_order().filter(|&inst| over_shadows(inst)).count(), 5);
}

#[test]
fn a_variable_of_another_file_has_no_shadow_here() {
    let function = parse(
        "@total = external global double
         define void @f(double %x) {
           store double %x, ptr @total
           ret void
         }",
    );
    let obstacles = forward(&function, &[A::Duplicated]).expect_err("its shadow is elsewhere");
    assert_eq!(reasons(obstacles), [Reason::VariableElsewhere { name: "total".to_owned() }]);
}

#[test]
fn what_is_overwritten_from_elsewhere_loses_its_tangent() {
    let text = |argument: &str| {
        format!(
            "define double @f(ptr %p, i64 %n) {{
               call void @__enzyme_overwritten{argument}
               %x = load double, ptr %p
               ret double %x
             }}
             define internal void @__enzyme_overwritten(ptr %p, i64 %n) {{
               ret void
             }}
             define internal void @__enzyme_overwritten_somewhat(ptr %p) {{
               ret void
             }}"
        )
    };
    let known = parse(&text("(ptr %p, i64 %n)"));
    let plan = forward(&known, &[A::Duplicated, A::Const]).expect("nothing stands in the way");
    let first = known.insts_in_order().next().expect("an instruction");
    assert_eq!(plan.steps[first], ForwardStep::ClearShadow { to: 0, length: 1 });
    let plan = forward(&known, &[A::Const, A::Const]).expect("nothing stands in the way");
    assert_eq!(plan.steps[first], ForwardStep::Keep);

    let unknown = parse(&text("_somewhat(ptr %p)"));
    let obstacles = forward(&unknown, &[A::Duplicated, A::Const]).expect_err("it is not known how much");
    assert_eq!(reasons(obstacles), [Reason::Overwritten { pointer: "%p".to_owned() }]);
    forward(&unknown, &[A::Const, A::Const]).expect("no shadow, no harm");
}

#[test]
fn reading_numbers_from_outside_means_nothing_by_itself() {
    let function = parse(
        "define double @f(ptr %p, ptr %file) {
           %n = call i64 @fread(ptr %p, i64 8, i64 1, ptr %file)
           %x = load double, ptr %p
           ret double %x
         }
         declare i64 @fread(ptr, i64, i64, ptr)",
    );
    forward(&function, &[A::Duplicated, A::Const]).expect("preparation says what it has written");
    let other = parse(
        "define double @f(ptr %p) {
           %n = call i64 @fread(ptr %p)
           %x = load double, ptr %p
           ret double %x
         }
         declare i64 @fread(ptr)",
    );
    let obstacles = forward(&other, &[A::Duplicated]).expect_err("that is another function");
    assert_eq!(reasons(obstacles), [Reason::UnknownFunction { name: "fread".to_owned() }]);
}

#[test]
fn the_end_of_nothing_needs_no_shadow() {
    let function = parse(
        "define void @f(ptr %to, ptr %of, i64 %n) {
         entry:
           %none = icmp eq i64 %n, 0
           br i1 %none, label %empty, label %some
         empty:
           %end = getelementptr inbounds i8, ptr null, i64 %n
           br label %done
         some:
           %p = load ptr, ptr %of
           br label %done
         done:
           %q = phi ptr [ %end, %empty ], [ %p, %some ]
           store ptr %q, ptr %to
           ret void
         }",
    );
    let plan =
        forward(&function, &[A::Duplicated, A::Duplicated, A::Const]).expect("nothing stands in the way");
    assert_eq!(plan.carries[value(&function, "q")], Carries::Derivative);
    assert_eq!(plan.carries[value(&function, "end")], Carries::Nothing);
}
