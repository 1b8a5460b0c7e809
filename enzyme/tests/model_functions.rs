//! Functions and modules as data: what is parsed, what is built, and when two are the same.

use enzyme::model::{
    Constant, ConstantKind, Context, FloatBits, FloatPredicate, FloatType, Function, FunctionBuilder,
    GlobalKind, InRange, Module, Opcode, SyncScope, Type, ValueDefinition, Variadic,
};

#[test]
fn payloads_are_what_was_written() {
    let function = Function::parse(
        "define void @f(ptr %p) {
           fence syncscope(\"agent\") release
           %a = getelementptr inbounds nusw i8, ptr %p, i64 1
           store ptr getelementptr (i8, ptr @g, inrange i64 1), ptr %a
           ret void
         }
         @g = external global i8",
    )
    .expect("a function");
    let opcodes: Vec<&Opcode> = function.insts_in_order().map(|inst| &function.insts[inst].opcode).collect();
    let Opcode::Fence { atomic } = opcodes[0] else { panic!("{opcodes:?}") };
    assert_eq!(atomic.scope, SyncScope::Named("agent".to_owned()));
    let Opcode::GetElementPointer { flags, .. } = opcodes[1] else { panic!("{opcodes:?}") };
    assert!(flags.in_bounds && !flags.no_unsigned_signed_wrap, "`inbounds` says `nusw` already");
    let stored =
        function.insts_in_order().nth(2).map(|inst| function.insts[inst].operands[0]).expect("a store");
    let Some(ConstantKind::Expression(expression)) = function.as_constant(stored) else {
        panic!("no expression")
    };
    let Opcode::GetElementPointer { flags, .. } = &expression.opcode else { panic!("{expression:?}") };
    assert_eq!(flags.in_range.as_deref(), Some(&InRange::Index(0)));
}

#[test]
fn a_large_table_stays_small() {
    let bytes: String = (0..1 << 20).map(|index| if index % 7 == 0 { "A" } else { "b" }).collect();
    let module = Module::parse(&format!("@t = constant [1048576 x i8] c\"{bytes}\"")).expect("a module");
    let GlobalKind::Variable(variable) = &module.context.globals[module.global("t").expect("t")].kind else {
        panic!("no variable")
    };
    let constant = module.context.constant(variable.initializer.expect("contents"));
    let ConstantKind::Data(data) = &constant.kind else { panic!("{:?}", constant.ty) };
    assert_eq!(data.len(), 1 << 20);
    assert_eq!(module.context.constants().count(), 1);
}

#[test]
fn a_built_function_reads_like_a_written_one() {
    let mut context = Context::default();
    let double = context.double_type();
    let ty = context.function_type(double, vec![double], Variadic::No);
    let mut function = Function::new("f", context, ty);
    let (entry, then, join) = (
        function.add_block(Some("entry")),
        function.add_block(Some("then")),
        function.add_block(Some("join")),
    );
    let x = function.parameters[0];
    let mut builder = FunctionBuilder::new(&mut function, entry);
    let zero = builder.double(0.0);
    let positive = builder.float_compare(FloatPredicate::OrderedGreater, x, zero);
    builder.conditional_branch(positive, then, join);
    builder.switch_to(then);
    let root = builder.call("sqrt", ty, &[x]).expect("a result");
    builder.branch(join);
    builder.switch_to(join);
    let result = builder.phi(double, [(zero, entry), (root, then)]);
    builder.ret(Some(result));
    assert_eq!(function.verify(), Ok(()));
    let text = "declare double @sqrt(double)

define double @f(double %0) {
entry:
  %1 = fcmp ogt double %0, 0.000000e+00
  br i1 %1, label %then, label %join

then:
  %2 = call double @sqrt(double %0)
  br label %join

join:
  %3 = phi double [ 0.000000e+00, %entry ], [ %2, %then ]
  ret double %3
}
";
    assert_eq!(function.to_string(), text);
    assert_eq!(Function::parse(text), Ok(function.clone()));
    assert_eq!(
        function.values[zero].definition,
        ValueDefinition::Constant(
            function
                .context
                .find_constant(&Constant { ty: double, kind: ConstantKind::Float(FloatBits(0)) })
                .expect("zero")
        )
    );
    assert_eq!(*function.ty(double), Type::Float(FloatType::Double));
}

#[test]
fn functions_make_a_module_again() {
    let text = "target triple = \"x86_64-unknown-linux-gnu\"
$f = comdat any

%t = type { i32 }

@used = internal global ptr @table
@table = global [1 x ptr] [ptr blockaddress(@f, %1)]

define void @f(ptr %p) comdat($f) {
  br label %1

1:
  %2 = load %t, ptr @used, !tbaa !1
  call void @g()
  ret void
}

define internal void @g() {
  store %t zeroinitializer, ptr @used, !tbaa !1
  call void @h()
  ret void
}

declare void @h()

!0 = !{!\"root\"}
!1 = !{!0, !0, i64 0}
";
    let module = Module::parse(text).expect("a module");
    let again = Module::of_functions(module.functions.clone());
    assert_eq!(again.to_string(), text);
    assert_eq!(again, module);
    assert_eq!(module.functions[0].block_labels().values().collect::<Vec<_>>(), ["0", "1"]);
}

#[test]
fn functions_that_differ_in_one_thing_are_not_equal() {
    let base = "define double @f(double %x) {\n  %y = fadd double %x, 1.000000e+00\n  ret double %y\n}\n";
    let function = Function::parse(base).expect("a function");
    for (from, to) in [
        ("fadd", "fsub"),
        ("fadd", "fadd nnan"),
        ("1.000000e+00", "2.000000e+00"),
        ("%y", "%z"),
        ("@f", "@g"),
        ("define", "define internal"),
        ("%x, 1.0", "1.0, 1.0"),
    ] {
        let other = Function::parse(&base.replace(from, to)).expect("a function");
        assert_ne!(function, other, "{from} -> {to}");
    }
}
