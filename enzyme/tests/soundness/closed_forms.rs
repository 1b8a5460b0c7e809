//! The interpreter against what is known of small programs.

use enzyme::model::{FloatType, Module};

use crate::machine::{Machine, Stop, Value};
use crate::uses::Uses;

fn parse(text: &str) -> Module {
    let module = Module::parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    for function in &module.functions {
        function.verify().unwrap_or_else(|error| panic!("{error}\n{text}"));
    }
    module
}

/// Runs `@f` of a double with tangent 1; gives value and tangent.
fn run(text: &str, x: f64) -> Result<(f64, f64), Stop> {
    let module = parse(text);
    let mut machine = Machine::new(&module, 10_000)?;
    let x = machine.given_float(FloatType::Double, x, 1.0);
    let result = machine.run("f", vec![x])?.expect("a result");
    let dual = machine.float_operand(&result.0, FloatType::Double)?;
    Ok((dual.value, dual.tangent))
}

/// A body of `@f`, of `%x`, at several points, against a function and its derivative.
fn agrees(body: &str, declarations: &str, closed_form: impl Fn(f64) -> (f64, f64)) {
    let text = format!("define double @f(double %x) {{\n{body}\n}}\n{declarations}");
    for x in [-2.5, -0.3, 0.7, 1.0, 3.25] {
        let (value, tangent) = run(&text, x).unwrap_or_else(|stop| panic!("{stop:?} at {x}\n{text}"));
        let (expected, derivative) = closed_form(x);
        let close = |a: f64, b: f64| (a - b).abs() <= 1e-12 * (1.0 + b.abs());
        assert!(close(value, expected), "{value} instead of {expected} at {x}\n{text}");
        assert!(close(tangent, derivative), "tangent {tangent} instead of {derivative} at {x}\n{text}");
    }
}

fn stops(body: &str, declarations: &str) -> Stop {
    let text = format!("define double @f(double %x) {{\n{body}\n}}\n{declarations}");
    run(&text, 1.5).expect_err(&text)
}

#[test]
fn arithmetic_and_library_functions() {
    agrees(
        "%a = fmul double %x, %x
         %b = fadd double %a, 1.0
         %c = fdiv double %x, %b
         %d = fsub double %c, %a
         %e = fneg double %d
         ret double %e",
        "",
        |x| (x * x - x / (x * x + 1.0), 2.0 * x - (1.0 - x * x) / (x * x + 1.0).powi(2)),
    );
    agrees(
        "%s = call double @sin(double %x)
         %e = call double @llvm.exp.f64(double %s)
         %p = call double @llvm.powi.f64.i32(double %x, i32 3)
         %m = call double @llvm.fma.f64(double %e, double %p, double 0.5)
         ret double %m",
        "declare double @sin(double)
         declare double @llvm.exp.f64(double)
         declare double @llvm.powi.f64.i32(double, i32)
         declare double @llvm.fma.f64(double, double, double)",
        |x| {
            let e = x.sin().exp();
            (e * x.powi(3) + 0.5, e * x.cos() * x.powi(3) + e * 3.0 * x * x)
        },
    );
    agrees(
        "%a = call double @llvm.fabs.f64(double %x)
         %f = call double @floor(double %x)
         %r = fadd double %a, %f
         ret double %r",
        "declare double @llvm.fabs.f64(double)\ndeclare double @floor(double)",
        |x| (x.abs() + x.floor(), x.signum()),
    );
}

#[test]
fn loops_switches_and_recursion() {
    agrees(
        "entry:
           br label %loop
         loop:
           %i = phi i32 [ 0, %entry ], [ %next, %loop ]
           %p = phi double [ 1.0, %entry ], [ %q, %loop ]
           %old = phi double [ 5.0, %entry ], [ %p, %loop ]
           %q = fmul double %p, %x
           %next = add nsw i32 %i, 1
           %more = icmp slt i32 %next, 4
           br i1 %more, label %loop, label %done
         done:
           %sum = fadd double %q, %old
           ret double %sum",
        "",
        |x| (x.powi(4) + x.powi(2), 4.0 * x.powi(3) + 2.0 * x),
    );
    agrees(
        "entry:
           %i = fptosi double %x to i32
           switch i32 %i, label %other [ i32 -2, label %two i32 3, label %three ]
         two:
           br label %done
         three:
           %c = fmul double %x, 3.0
           br label %done
         other:
           br label %done
         done:
           %r = phi double [ %x, %two ], [ %c, %three ], [ 1.0, %other ]
           ret double %r",
        "",
        |x| match x as i32 {
            -2 => (x, 1.0),
            3 => (3.0 * x, 3.0),
            _ => (1.0, 0.0),
        },
    );
    agrees(
        "%r = call double @power(double %x, i64 5)
         ret double %r",
        "define double @power(double %x, i64 %n) {
         entry:
           %stop = icmp eq i64 %n, 0
           br i1 %stop, label %base, label %step
         base:
           ret double 1.0
         step:
           %m = sub i64 %n, 1
           %p = call double @power(double %x, i64 %m)
           %r = fmul double %p, %x
           ret double %r
         }",
        |x| (x.powi(5), 5.0 * x.powi(4)),
    );
}

#[test]
fn calls_through_pointers() {
    agrees(
        "%positive = fcmp ogt double %x, 0.0
         %index = zext i1 %positive to i64
         %place = getelementptr [2 x ptr], ptr @ways, i64 0, i64 %index
         %way = load ptr, ptr %place
         %r = call double %way(double %x)
         ret double %r",
        "@ways = constant [2 x ptr] [ptr @square, ptr @same]
         define double @square(double %x) {
           %r = fmul double %x, %x
           ret double %r
         }
         define double @same(double %x) {
           ret double %x
         }",
        |x| if x > 0.0 { (x, 1.0) } else { (x * x, 2.0 * x) },
    );
}

#[test]
fn memory_in_every_guise() {
    // A double through an array, words, bytes, a structure and a global.
    agrees(
        "%a = alloca [2 x double]
         %b = call ptr @malloc(i64 16)
         %second = getelementptr inbounds [2 x double], ptr %a, i64 0, i64 1
         store double %x, ptr %a
         store double 3.0, ptr %second
         call void @llvm.memcpy.p0.p0.i64(ptr %b, ptr %a, i64 16, i1 false)
         %word = load i64, ptr %b
         store i64 %word, ptr @place
         %third = getelementptr i8, ptr @place, i64 3
         %byte = load i8, ptr %third
         store i8 %byte, ptr %third
         %whole = load { double, i64 }, ptr @place
         call void @free(ptr %b)
         %y = extractvalue { double, i64 } %whole, 0
         %n = extractvalue { double, i64 } %whole, 1
         %m = sitofp i64 %n to double
         %r = fmul double %y, %m
         ret double %r",
        "@place = global { double, i64 } { double 0.0, i64 7 }
         declare ptr @malloc(i64)
         declare void @free(ptr)
         declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)",
        |x| (7.0 * x, 7.0),
    );
    agrees(
        "%p = alloca ptr
         %q = alloca double
         store ptr %q, ptr %p
         %as_integer = load i64, ptr %p
         %more = add i64 %as_integer, 8
         %back = sub i64 %more, 8
         %r = inttoptr i64 %back to ptr
         store double %x, ptr %r
         %y = load double, ptr %q
         call void @llvm.memset.p0.i64(ptr %q, i8 0, i64 8, i1 false)
         %z = load double, ptr %q
         %s = fadd double %y, %z
         ret double %s",
        "declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)",
        |x| (x, 1.0),
    );
    // Overlapping: each element moves up by one.
    agrees(
        "%a = alloca [3 x double]
         %second = getelementptr double, ptr %a, i64 1
         %third = getelementptr double, ptr %a, i64 2
         store double %x, ptr %a
         store double 2.0, ptr %second
         call void @llvm.memmove.p0.p0.i64(ptr %second, ptr %a, i64 16, i1 false)
         %y = load double, ptr %second
         %z = load double, ptr %third
         %r = fmul double %y, %z
         ret double %r",
        "declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)",
        |x| (2.0 * x, 2.0),
    );
}

#[test]
fn bits_of_floats_keep_their_derivative() {
    let with_bits = |body: &str, closed_form: fn(f64) -> (f64, f64)| {
        let text =
            format!("%b = bitcast double %x to i64\n{body}\n%r = bitcast i64 %c to double\nret double %r");
        agrees(&text, "", closed_form);
    };
    with_bits("%c = xor i64 %b, -9223372036854775808", |x| (-x, -1.0));
    with_bits("%c = and i64 %b, 9223372036854775807", |x| (x.abs(), x.signum()));
    with_bits("%c = or i64 %b, -9223372036854775808", |x| (-x.abs(), -x.signum()));
    with_bits("%c = add i64 %b, 13510798882111488", |x| (8.0 * x, 8.0));
    with_bits("%c = sub i64 %b, 4503599627370496", |x| (x / 2.0, 0.5));
    // The sign of a constant on the size of the number, and the other way round.
    with_bits(
        "%s = and i64 %b, 9223372036854775807
         %t = and i64 -4503599627370496, -9223372036854775808
         %c = or i64 %t, %s",
        |x| (-x.abs(), -x.signum()),
    );
    with_bits(
        "%t = and i64 %b, -9223372036854775808
         %c = or i64 %t, 4609434218613702656",
        |x| (1.5_f64.copysign(x), 0.0),
    );
    with_bits(
        "%s = and i64 %b, 4503599627370495
         %c = or i64 %s, 4607182418800017408",
        |x| {
            let scale = 2.0_f64.powi(-x.abs().log2().floor() as i32);
            (x.abs() * scale, x.signum() * scale)
        },
    );
    with_bits(
        "%high = lshr i64 %b, 32
         %low = trunc i64 %b to i32
         %top = trunc i64 %high to i32
         %wide = zext i32 %low to i64
         %again = zext i32 %top to i64
         %up = shl i64 %again, 32
         %c = or i64 %wide, %up",
        |x| (x, 1.0),
    );
    // The exponent alone is a step.
    with_bits("%c = and i64 %b, 9218868437227405312", |x| (2.0_f64.powi(x.abs().log2().floor() as i32), 0.0));
}

#[test]
fn vectors() {
    agrees(
        "%v = insertelement <2 x double> <double 2.0, double 3.0>, double %x, i64 1
         %w = shufflevector <2 x double> %v, <2 x double> %v, <2 x i32> <i32 1, i32 0>
         %p = fmul <2 x double> %v, %w
         %i = bitcast <2 x double> %p to i128
         %q = bitcast i128 %i to <2 x double>
         %c = fcmp olt <2 x double> %q, <double 0.0, double 100.0>
         %s = select <2 x i1> %c, <2 x double> %v, <2 x double> %q
         %r = call double @llvm.vector.reduce.fadd.v2f64(double 1.0, <2 x double> %s)
         ret double %r",
        "declare double @llvm.vector.reduce.fadd.v2f64(double, <2 x double>)",
        |x| if x < 0.0 { (1.0 + 2.0 + x, 1.0) } else { (1.0 + 2.0 * x + x, 3.0) },
    );
}

#[test]
fn narrow_floats_are_rounded_and_their_tangents_are_not() {
    for (ty, rounded) in [("float", 0.1_f32 as f64), ("half", 0.0999755859375), ("bfloat", 0.10009765625)] {
        let text = format!(
            "define double @f(double %x) {{
               %n = fptrunc double %x to {ty}
               %w = fpext {ty} %n to double
               %r = fmul double %w, 3.0
               ret double %r
             }}"
        );
        assert_eq!(run(&text, 0.1), Ok((3.0 * rounded, 3.0)), "{ty}");
    }
    let product = run(
        "define double @f(double %x) {
           %n = fptrunc double %x to float
           %s = fmul float %n, %n
           %r = fpext float %s to double
           ret double %r
         }",
        0.1,
    );
    assert_eq!(product, Ok((f64::from(0.1_f32 * 0.1_f32), 2.0 * f64::from(0.1_f32))));
    // Two floats in one integer.
    agrees(
        "%n = fptrunc double %x to float
         %a = bitcast float %n to i32
         %b = zext i32 %a to i64
         %c = shl i64 %b, 32
         %d = or i64 %c, 1065353216
         %v = bitcast i64 %d to <2 x float>
         %e = extractelement <2 x float> %v, i64 1
         %f = extractelement <2 x float> %v, i64 0
         %s = fadd float %e, %f
         %r = fpext float %s to double
         ret double %r",
        "",
        |x| (f64::from(x as f32 + 1.0), 1.0),
    );
}

#[test]
fn integers_of_any_width() {
    let number = |body: &str| {
        let text = format!("define double @f(double %x) {{\n{body}\n}}");
        run(&text, 1.0).unwrap_or_else(|stop| panic!("{stop:?}\n{text}")).0
    };
    assert_eq!(
        number(
            "%a = add i7 100, 100
             %b = sext i7 %a to i32
             %r = sitofp i32 %b to double
             ret double %r"
        ),
        // 200 is 72 modulo 128, which is -56 in seven bits.
        -56.0
    );
    assert_eq!(
        number(
            "%a = mul i128 123456789012345678, 1000000007
             %b = udiv i128 %a, 1000000007
             %c = trunc i128 %b to i64
             %d = srem i64 %c, 1000
             %r = sitofp i64 %d to double
             ret double %r"
        ),
        678.0
    );
    assert_eq!(
        number(
            "%a = ashr i16 -1024, 3
             %b = lshr i16 %a, 12
             %c = shl i16 %b, 2
             %d = sdiv i16 -7, 2
             %e = add i16 %c, %d
             %f = zext i16 %e to i32
             %r = uitofp i32 %f to double
             ret double %r"
        ),
        57.0
    );
}

#[test]
fn what_has_no_meaning_ends_a_run() {
    let undefined = |body: &str, declarations: &str, reason: &str| match stops(body, declarations) {
        Stop::Undefined(found) => assert!(found.contains(reason), "{found} instead of {reason}"),
        other => panic!("{other:?} instead of {reason}"),
    };
    let heap = "declare ptr @malloc(i64)\ndeclare void @free(ptr)";
    undefined("%p = alloca double\n%y = load double, ptr %p\n ret double %y", "", "never set");
    undefined(
        "%p = alloca double\n%q = getelementptr double, ptr %p, i64 1\n%y = load double, ptr %q\n ret double %y",
        "",
        "beyond",
    );
    undefined(
        "%p = call ptr @malloc(i64 8)\n call void @free(ptr %p)\n store double %x, ptr %p\n ret double %x",
        heap,
        "no memory",
    );
    undefined(
        "%p = call ptr @malloc(i64 8)\n call void @free(ptr %p)\n call void @free(ptr %p)\n ret double %x",
        heap,
        "twice",
    );
    undefined("%y = load double, ptr null\n ret double %y", "", "no memory");
    undefined(
        "%n = fptosi double %x to i32\n%z = sub i32 %n, 1\n%d = sdiv i32 5, %z\n%r = sitofp i32 %d to double\n ret double %r",
        "",
        "zero",
    );
    undefined(
        "%n = fptosi double %x to i32\n%m = add nsw i32 %n, 2147483647\n%r = sitofp i32 %m to double\n ret double %r",
        "",
        "never set",
    );
    undefined("%y = fdiv double %x, 0.0\n ret double %y", "", "not finite");
    undefined("entry:\n br i1 poison, label %a, label %a\na:\n ret double %x", "", "never set");
    undefined(
        "%p = call ptr @frame()\n%y = load double, ptr %p\n ret double %y",
        "define ptr @frame() {\n  %a = alloca double\n  store double 1.0, ptr %a\n  ret ptr %a\n}",
        "no memory",
    );
    let endless = "entry:\n br label %loop\nloop:\n br label %loop";
    assert_eq!(stops(endless, ""), Stop::TooLong);
    let deep = "define double @g(double %x) {\n %r = call double @g(double %x)\n ret double %r\n}";
    assert_eq!(stops("%r = call double @g(double %x)\n ret double %r", deep), Stop::TooLong);
    let unknown = stops("%r = call double @who(double %x)\n ret double %r", "declare double @who(double)");
    assert_eq!(unknown, Stop::Unsupported("the function who".to_owned()));
    let frozen = "%p = alloca i64\n%u = load i64, ptr %p\n%n = freeze i64 %u\n%r = sitofp i64 %n to double\n ret double %r";
    assert_eq!(run(&format!("define double @f(double %x) {{\n{frozen}\n}}"), 1.0), Ok((0.0, 0.0)));
}

/// How the bytes of the value of this name were used, in a run of `@f` whose result is an output.
fn uses_of(text: &str, name: &str) -> (Vec<Uses>, bool) {
    let module = parse(text);
    let mut machine = Machine::new(&module, 1000).expect("globals can be placed");
    let x = machine.given_float(FloatType::Double, 1.5, 1.0);
    let result = machine.run("f", vec![x]).expect("it runs").expect("a result");
    machine.float_operand(&result.0, FloatType::Double).expect("a number");
    machine.trace.mark_output(result.0.iter().map(|byte| byte.node));
    let named = |context: crate::trace::ContextId, value| {
        let function = &module.functions[machine.trace.contexts[context.0 as usize].function];
        function.values[value].name.as_deref() == Some(name)
    };
    let found = machine.trace.definitions().find(|(context, value, _)| named(*context, *value));
    let (_, _, nodes) = found.unwrap_or_else(|| panic!("%{name} is not defined"));
    (nodes.iter().map(|node| node.uses).collect(), nodes.iter().any(|node| node.active))
}

fn double_bytes() -> Vec<Uses> {
    (0..8).map(|byte| Uses::float(FloatType::Double, byte)).collect()
}

#[test]
fn a_use_is_a_use_of_everything_the_bytes_were_copied_from() {
    let text = "define double @f(double %x) {
           %p = alloca i64
           %b = bitcast double %x to i64
           store i64 %b, ptr %p
           %c = call i64 @through(ptr %p)
           %other = load i64, ptr %p
           %negative = icmp slt i64 %other, 0
           %y = bitcast i64 %c to double
           %r = fadd double %y, 1.0
           ret double %r
         }
         define i64 @through(ptr %q) {
           %w = load i64, ptr %q
           ret i64 %w
         }";
    // Stored, loaded as two integers: one becomes a double, one is compared.
    let both: Vec<Uses> = double_bytes()
        .into_iter()
        .map(|mut uses| {
            uses |= Uses::INTEGER;
            uses
        })
        .collect();
    assert_eq!(uses_of(text, "b"), (both, true));
    assert_eq!(uses_of(text, "w"), (double_bytes(), true));
    assert_eq!(uses_of(text, "other"), (vec![Uses::INTEGER; 8], false));
    assert_eq!(uses_of(text, "p"), (vec![Uses::POINTER; 8], true));
    assert_eq!(uses_of(text, "q"), (vec![Uses::POINTER; 8], true));
}

#[test]
fn what_does_not_reach_the_result_is_not_active() {
    let text = "define double @f(double %x) {
           %p = alloca double
           %dead = fmul double %x, 3.0
           store double %dead, ptr %p
           %b = bitcast double %x to i64
           %s = and i64 %b, -9223372036854775808
           %t = and i64 4609434218613702656, 9223372036854775807
           %u = or i64 %s, %t
           %sized = bitcast i64 %u to double
           %y = fmul double %x, %sized
           %r = fadd double %y, 1.0
           ret double %r
         }";
    assert!(!uses_of(text, "dead").1);
    assert!(!uses_of(text, "p").1);
    assert!(!uses_of(text, "s").1, "a sign alone has no derivative");
    assert!(uses_of(text, "y").1 && uses_of(text, "x").1);
    assert_eq!(uses_of(text, "sized").0, double_bytes());
}

#[test]
fn values_hold_their_bytes_in_memory_order() {
    let bytes: Vec<u8> = Value::integer(20, 0xabcde).0.iter().map(|byte| byte.bits).collect();
    assert_eq!(bytes, [0xde, 0xbc, 0x0a]);
}
