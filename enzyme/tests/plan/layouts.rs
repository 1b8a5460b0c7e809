//! Where shadows lie when there are several directions.

use crate::support::{in_context, parse, value};
use enzyme::activity::ArgumentActivity as A;
use enzyme::model::Function;
use enzyme::plan::{
    self, Context, ForwardPlan, ForwardStep, GivenShadows, ResultCarries, ShadowLayout, UnknownTypes,
};
use enzyme::types::{BarePointers, CallTypes, ValueTypes};

/// How the shadows of named values in four directions are found from one address; the strides are those of parameters.
fn layouts<const COUNT: usize>(
    text: &str,
    parameters: &[A],
    strides: &[Option<u64>],
    names: [&str; COUNT],
) -> [Option<ShadowLayout>; COUNT] {
    let function = parse(text);
    let plan = in_directions(&function, parameters, strides);
    names.map(|name| plan.layouts[value(&function, name)])
}

fn in_directions(function: &Function, parameters: &[A], strides: &[Option<u64>]) -> ForwardPlan {
    let call = CallTypes::of_signature(function, BarePointers::Said).with_any_result();
    let types = ValueTypes::of_call(function, call).expect("the types fit");
    in_context(function, &types, parameters, UnknownTypes::AreErrors, |context| {
        let given = |stride: &Option<u64>| match stride {
            Some(stride) => GivenShadows::Laid(ShadowLayout::strided(*stride)),
            None => GivenShadows::Apart,
        };
        let shadows: Vec<GivenShadows> = strides.iter().map(given).collect();
        let context = Context { width: 4, shadows: &shadows, ..*context };
        plan::forward(function, parameters, ResultCarries::Derivative, &context)
    })
    .expect("nothing stands in the way")
}

const SIDE_BY_SIDE: Option<ShadowLayout> = Some(ShadowLayout { step: 8, scale: 4 });

/// Stores a float in local memory `%m` and reads it again, with something in between.
fn through_memory(between: &str) -> String {
    format!(
        "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
         declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
         define double @f(double %x, ptr %p, i64 %n, i1 %c) {{
           %m = alloca [8 x double]
           %q = getelementptr inbounds double, ptr %m, i64 %n
           store double %x, ptr %q
           {between}
           %y = load double, ptr %q
           ret double %y
         }}"
    )
}

const THROUGH_MEMORY: [A; 4] = [A::Duplicated, A::Duplicated, A::Const, A::Const];

#[test]
fn shadows_of_local_memory_of_one_kind_of_element_lie_side_by_side() {
    for between in [
        "",
        "call void @llvm.memset.p0.i64(ptr %m, i8 0, i64 64, i1 false)",
        "call void @llvm.memcpy.p0.p0.i64(ptr %m, ptr %p, i64 16, i1 false)",
        "%b = shl i64 %n, 3\n call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %m, i64 %b, i1 false)",
        "%r = getelementptr i8, ptr %m, i64 8\n %s = select i1 %c, ptr %q, ptr %r\n store double 1.0, ptr %s",
        "%a = ptrtoint ptr %m to i64\n %t = icmp eq i64 %a, 0",
    ] {
        let found = layouts(&through_memory(between), &THROUGH_MEMORY, &[], ["m", "q", "p"]);
        assert_eq!(found, [SIDE_BY_SIDE, SIDE_BY_SIDE, None], "{between}");
    }
}

#[test]
fn shadows_of_local_memory_lie_apart_where_an_access_is_of_another_size_or_not_known() {
    for between in [
        "%h = load float, ptr %m\n %d = fpext float %h to double\n store double %d, ptr %q",
        "%v = load <2 x double>, ptr %m\n store <2 x double> %v, ptr %p",
        "call void @llvm.memcpy.p0.p0.i64(ptr %m, ptr %p, i64 12, i1 false)",
        "call void @llvm.memcpy.p0.p0.i64(ptr %m, ptr %p, i64 %n, i1 false)",
        "%s = select i1 %c, ptr %q, ptr %p\n store double 1.0, ptr %s",
        "store ptr %q, ptr %p",
    ] {
        let found = layouts(&through_memory(between), &THROUGH_MEMORY, &[], ["m", "q"]);
        assert_eq!(found, [None, None], "{between}");
    }
}

#[test]
fn memory_that_is_only_copied_has_the_elements_of_the_other() {
    let between = "%o = alloca [8 x double]
                   call void @llvm.memcpy.p0.p0.i64(ptr %o, ptr %m, i64 64, i1 false)
                   call void @llvm.memcpy.p0.p0.i64(ptr %m, ptr %o, i64 32, i1 false)";
    let function = parse(&through_memory(between));
    let plan = in_directions(&function, &THROUGH_MEMORY, &[]);
    assert_eq!(plan.layouts[value(&function, "o")], SIDE_BY_SIDE);
    let copies = plan
        .steps
        .values()
        .filter(|step| **step == ForwardStep::CopyElements { to: 0, from: 1, length: 2, element: 8 });
    assert_eq!(copies.count(), 2);
}

#[test]
fn shadows_that_the_caller_lays_out_at_equal_distances_are_found_from_the_first() {
    let text = |made: &str| {
        format!(
            "define double @f(ptr %p, ptr %o, i64 %n, i1 %c) {{
               %q = getelementptr double, ptr %p, i64 %n
               {made}
               %y = load double, ptr %r
               ret double %y
             }}"
        )
    };
    let activities = [A::Duplicated, A::Duplicated, A::Const, A::Const];
    let strided = |bytes| Some(ShadowLayout::strided(bytes));
    let moved = "%r = getelementptr i8, ptr %q, i64 -8";
    let found = layouts(&text(moved), &activities, &[Some(80), None], ["p", "q", "r", "o"]);
    assert_eq!(found, [strided(80), strided(80), strided(80), None]);
    let chosen = "%r = select i1 %c, ptr %q, ptr %o";
    let same = layouts(&text(chosen), &activities, &[Some(80), Some(80)], ["p", "o", "r"]);
    assert_eq!(same, [strided(80); 3]);
    for others in [[Some(80), Some(88)], [Some(80), None]] {
        assert_eq!(layouts(&text(chosen), &activities, &others, ["p", "o", "r"]), [None; 3]);
    }
}
