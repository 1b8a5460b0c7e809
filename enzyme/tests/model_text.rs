//! The text form: every opcode, type and constant comes back as it was written.

use enzyme::model::{AttributeSet, Function, GlobalKind, Metadata, Module};

/// Prints what is parsed, and checks that the print parses to the same module again.
fn round_trip(text: &str) -> String {
    let module = Module::parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    for function in &module.functions {
        function.verify().unwrap_or_else(|error| panic!("{error}\n{text}"));
    }
    let printed = module.to_string();
    let again = Module::parse(&printed).unwrap_or_else(|error| panic!("{error}\n{printed}"));
    assert_eq!(again, module, "{printed}");
    assert_eq!(again.to_string(), printed);
    printed
}

/// A text that is already in the printer's form.
fn is_stable(text: &str) {
    assert_eq!(round_trip(text), text.trim_start());
}

/// Instructions in the body of a function, between whose arguments and `ret` they stand.
fn body_is_stable(parameters: &str, body: &str) {
    is_stable(&format!("define void @f({parameters}) {{\n{body}  ret void\n}}\n"));
}

#[test]
fn integer_arithmetic() {
    body_is_stable(
        "i32 %a, i32 %b",
        "  %add = add i32 %a, %b
  %wrapped = add nuw nsw i32 %a, 1
  %sub = sub nsw i32 %a, -5
  %mul = mul nuw i32 %a, %b
  %udiv = udiv exact i32 %a, %b
  %sdiv = sdiv i32 %a, %b
  %urem = urem i32 %a, %b
  %srem = srem i32 %a, %b
  %shl = shl nuw i32 %a, %b
  %lshr = lshr exact i32 %a, %b
  %ashr = ashr i32 %a, %b
  %and = and i32 %a, %b
  %or = or disjoint i32 %a, %b
  %xor = xor i32 %a, %b
",
    );
}

#[test]
fn float_arithmetic_and_its_flags() {
    body_is_stable(
        "double %a, double %b",
        "  %neg = fneg nnan double %a
  %add = fadd double %a, %b
  %sub = fsub fast double %a, %b
  %mul = fmul reassoc nnan ninf nsz arcp contract double %a, %b
  %div = fdiv afn double %a, %b
  %rem = frem double %a, 1.000000e+00
",
    );
}

#[test]
fn comparisons() {
    let mut body = String::new();
    for (index, predicate) in enzyme::model::IntPredicate::ALL.iter().enumerate() {
        body += &format!("  %i{index} = icmp {predicate} i32 %a, %b\n");
    }
    for (index, predicate) in enzyme::model::FloatPredicate::ALL.iter().enumerate() {
        body += &format!("  %f{index} = fcmp {predicate} double %x, %y\n");
    }
    body += "  %same = icmp samesign ult i32 %a, %b\n  %fast = fcmp nnan olt double %x, %y\n";
    body += "  %pointers = icmp eq ptr null, null\n  %vectors = fcmp oeq <2 x double> %v, zeroinitializer\n";
    body_is_stable("i32 %a, i32 %b, double %x, double %y, <2 x double> %v", &body);
}

#[test]
fn conversions() {
    body_is_stable(
        "i32 %i, double %d, float %f, ptr %p, <2 x i32> %v",
        "  %1 = trunc i32 %i to i8
  %2 = trunc nuw nsw i32 %i to i8
  %3 = zext nneg i32 %i to i64
  %4 = sext i32 %i to i128
  %5 = fptrunc double %d to half
  %6 = fptrunc fast double %d to float
  %7 = fpext float %f to fp128
  %8 = fptoui double %d to i64
  %9 = fptosi double %d to i64
  %10 = uitofp nneg i32 %i to bfloat
  %11 = sitofp i32 %i to x86_fp80
  %12 = ptrtoint ptr %p to i64
  %13 = ptrtoaddr ptr %p to i64
  %14 = inttoptr i64 %12 to ptr
  %15 = bitcast double %d to i64
  %16 = bitcast <2 x i32> %v to double
  %17 = addrspacecast ptr %p to ptr addrspace(3)
",
    );
}

#[test]
fn memory() {
    body_is_stable(
        "ptr %p, i64 %n, ptr addrspace(1) %q",
        "  %a = alloca double
  %b = alloca [4 x i32], i64 %n, align 16
  %c = alloca inalloca { i32, ptr }, align 8
  %d = alloca swifterror ptr
  %e = alloca i8, align 1, addrspace(5)
  %l = load double, ptr %p, align 8
  %v = load volatile i32, ptr addrspace(1) %q
  %m = load atomic i32, ptr %p syncscope(\"singlethread\") acquire, align 4
  store double %l, ptr %a, align 8
  store volatile i32 %v, ptr %p
  store atomic i32 %m, ptr %p release, align 4
  fence syncscope(\"agent\") seq_cst
  fence acq_rel
  %x = cmpxchg ptr %p, i32 %m, i32 0 acq_rel monotonic
  %y = cmpxchg weak volatile ptr %p, ptr null, ptr %a syncscope(\"singlethread\") seq_cst acquire, align 8
  %g = getelementptr double, ptr %p, i64 %n
  %h = getelementptr inbounds nuw { i32, [2 x double] }, ptr %p, i64 0, i32 1, i64 %n
  %i = getelementptr nusw nuw i8, ptr %p, i64 4
  %w = getelementptr i8, ptr %p, <2 x i64> <i64 1, i64 2>
",
    );
}

#[test]
fn atomic_operations() {
    let mut body = String::new();
    for op in enzyme::model::AtomicOp::ALL {
        let (ty, value) = if op.mnemonic().starts_with('f') { ("double", "%x") } else { ("i32", "%i") };
        body += &format!("  %r.{op} = atomicrmw {op} ptr %p, {ty} {value} monotonic\n");
    }
    body += "  %last = atomicrmw volatile add ptr %p, i32 1 syncscope(\"one\\22two\") seq_cst, align 4\n";
    body_is_stable("ptr %p, i32 %i, double %x", &body);
}

#[test]
fn vectors_and_aggregates() {
    body_is_stable(
        "<4 x float> %v, i32 %i, { i32, [2 x double] } %s, <vscale x 2 x i64> %w",
        "  %1 = extractelement <4 x float> %v, i32 %i
  %2 = insertelement <4 x float> %v, float %1, i64 0
  %3 = shufflevector <4 x float> %v, <4 x float> poison, <4 x i32> <i32 0, i32 poison, i32 5, i32 1>
  %4 = shufflevector <4 x float> %v, <4 x float> %v, <2 x i32> zeroinitializer
  %5 = shufflevector <vscale x 2 x i64> %w, <vscale x 2 x i64> poison, <vscale x 2 x i32> zeroinitializer
  %6 = extractvalue { i32, [2 x double] } %s, 1, 0
  %7 = insertvalue { i32, [2 x double] } %s, double %6, 1, 1
  %8 = select i1 true, <4 x float> %2, <4 x float> %3
  %9 = select nnan <4 x i1> <i1 true, i1 false, i1 true, i1 false>, <4 x float> %2, <4 x float> %8
  %10 = freeze <4 x float> %9
",
    );
}

#[test]
fn control_flow() {
    is_stable(
        "define i32 @f(i32 %n, ptr %where) {
entry:
  br i1 true, label %loop, label %other

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ], [ %i, %again ]
  %next = add i32 %i, 1
  switch i32 %i, label %loop [
    i32 -1, label %other
    i32 7, label %again
  ]

again:
  switch i32 %n, label %loop [
  ]

other:
  indirectbr ptr %where, [label %end, label %dead]

end:
  ret i32 %n

dead:
  unreachable
}
",
    );
}

#[test]
fn blocks_and_values_without_names() {
    let text = "define i32 @f(i32 %0, i32 %1) {
  %3 = add i32 %0, %1
  br label %4

4:
  %5 = phi i32 [ %3, %2 ], [ %6, %4 ]
  %6 = call i32 @g(i32 %5)
  br i1 true, label %7, label %4

7:
  ret i32 %6
}

declare i32 @g(i32)
";
    is_stable(text);
    // Labels of blocks without a name may be left out, and so may names of results.
    let bare = "define i32 @f(i32, i32) {
  %3 = add i32 %0, %1
  br label %4
  ; <label>:4: the block has no label
  %5 = phi i32 [ %3, %2 ], [ %6, %4 ]
  call i32 @g(i32 %5)
  br i1 true, label %7, label %4
  ret i32 %6
}
declare i32 @g(i32)";
    assert_eq!(Module::parse(bare), Module::parse(text));
}

#[test]
fn calls() {
    is_stable(
        "define double @f(double %x, ptr %g, ptr %s) {
  %a = call double @sin(double %x)
  %b = tail call fast double @llvm.fma.f64(double %a, double %x, double 2.000000e+00)
  %c = notail call fastcc noundef double %g(double noundef %x) nounwind \"key\"=\"value\"
  %d = call i32 (ptr, ...) @printf(ptr nonnull align 8 %s, double %x)
  call void asm sideeffect alignstack inteldialect unwind \"mov $0, \\221\\22\", \"r,~{flags}\"(i32 %d)
  call void @consume(ptr sret({ i32, double }) align 8 %s, ptr byval([4 x i32]) %s)
  %e = call cc 1000 double @sin(double %x) [ \"deopt\"(i32 1, ptr %s), \"empty\"() ]
  call void @llvm.assume(i1 true) [ \"align\"(ptr %s, i64 16) ]
  %h = call double null(double %x)
  %l = va_arg ptr %s, double
  %m = musttail call double @sin(double %x)
  ret double %m
}

declare double @sin(double)

declare double @llvm.fma.f64(double, double, double)

declare i32 @printf(ptr, ...)

declare void @consume(ptr sret({ i32, double }), ptr byval([4 x i32]))

declare void @llvm.assume(i1)
",
    );
}

#[test]
fn exceptions() {
    is_stable(
        "define void @f() personality ptr @__gxx_personality_v0 {
entry:
  %r = invoke i32 @g(i32 1) to label %next unwind label %caught

next:
  %p = phi i32 [ %r, %entry ]
  ret void

caught:
  %pad = landingpad { ptr, i32 } cleanup catch ptr null filter [0 x ptr] zeroinitializer
  resume { ptr, i32 } %pad
}

declare i32 @__gxx_personality_v0(...)

declare i32 @g(i32)
",
    );
    is_stable(
        "define void @f() personality ptr @__CxxFrameHandler3 {
entry:
  invoke void @g() to label %done unwind label %dispatch

dispatch:
  %switch = catchswitch within none [label %handler] unwind label %cleanup

handler:
  %catch = catchpad within %switch [ptr null, i32 64, ptr null]
  call void @g() [ \"funclet\"(token %catch) ]
  catchret from %catch to label %done

cleanup:
  %clean = cleanuppad within none []
  cleanupret from %clean unwind to caller

done:
  ret void
}

declare i32 @__CxxFrameHandler3(...)

declare void @g()
",
    );
}

#[test]
fn callbr() {
    is_stable(
        "define void @f() {
  callbr void asm sideeffect \"\", \"!i\"() to label %1 [label %other]

1:
  ret void

other:
  ret void
}
",
    );
}

#[test]
fn types() {
    is_stable(
        "%opaque.name = type { ptr }
%pair = type { i32, %opaque.name, double }
%\"with blank\" = type <{ i8, i32 }>
%hidden = type opaque

define void @f(i1 %a, i8388608 %b, half %c, bfloat %d, float %e, double %g, x86_fp80 %h, fp128 %i, ppc_fp128 %j, \
         ptr %k, ptr addrspace(7) %l, [3 x [2 x i8]] %m, <4 x ptr> %n, <vscale x 8 x half> %o, %pair %p, \
         %\"with blank\" %q, {} %r, <{ i8, i16 }> %s, x86_mmx %t, x86_amx %u, target(\"spirv.Image\", void, 1, 0) %v, \
         ptr byref(%hidden) %w, metadata %x) {
  %y = alloca ptr
  call void (ptr, ...) %y(ptr %y)
  ret void
}
",
    );
}

#[test]
fn integer_and_float_constants() {
    is_stable(
        "@a = global i1 true
@b = global i8 -128
@c = global i64 9223372036854775807
@d = global i128 -170141183460469231731687303715884105728
@e = global i256 115792089237316195423570985008687907853269984665640564039457
@f = global double 1.500000e+00
@g = global double 0x3FB999999999999B
@h = global double 0x7FF8000000000000
@i = global float 0x3FB99999A0000000
@j = global float -0.000000e+00
@k = global half 0xH3C00
@l = global bfloat 0xR3F80
@m = global x86_fp80 0xK3FFF8000000000000000
@n = global fp128 0xL00000000000000003FFF000000000000
@o = global ppc_fp128 0xM3FF00000000000000000000000000000
@p = global float 0x7FF4000000000000
@q = global double 1.000000e-05
@r = global double 4.940656e+200
",
    );
}

#[test]
fn integers_are_read_as_signed_or_unsigned() {
    let module = Module::parse("@a = global i8 255\n@b = global i8 -1").expect("both fit");
    let initializer = |name| match &module.context.globals[module.global(name).expect(name)].kind {
        GlobalKind::Variable(variable) => variable.initializer,
        other => panic!("{other:?}"),
    };
    assert_eq!(initializer("a"), initializer("b"));
}

#[test]
fn pointer_and_aggregate_constants() {
    is_stable(
        "%pair = type { i32, ptr }

@null = global ptr null
@undef = global i32 undef
@poison = global <2 x i32> poison
@zero = global [1000000 x double] zeroinitializer
@text = private unnamed_addr constant [6 x i8] c\"a\\22b\\00\\FF\\5C\", align 1
@numbers = global [3 x i32] [i32 1, i32 -2, i32 3]
@floats = global [2 x float] [float 1.000000e+00, float 0x3FB99999A0000000]
@vector = global <2 x half> <half 0xH3C00, half 0xH0000>
@odd = global [2 x i24] [i24 1, i24 2]
@pair = global %pair { i32 1, ptr @pair }
@packed = global <{ i8, i32 }> <{ i8 1, i32 2 }>
@nested = global [1 x %pair] [%pair { i32 2, ptr @text }]
@mixed = global [2 x i32] [i32 undef, i32 1]
",
    );
}

#[test]
fn constant_expressions() {
    is_stable(
        "@g = global [4 x i32] zeroinitializer
@a = global ptr getelementptr inbounds ([4 x i32], ptr @g, i64 0, i64 2)
@b = global i64 ptrtoint (ptr @g to i64)
@c = global i64 add (i64 ptrtoint (ptr @g to i64), i64 8)
@d = global ptr addrspace(3) addrspacecast (ptr @g to ptr addrspace(3))
@e = global i1 icmp eq (ptr @g, ptr @a)
@h = global ptr getelementptr inbounds nuw inrange(-16, 16) (i8, ptr @g, i64 16)
@i = global ptr getelementptr ({ [2 x ptr] }, ptr @g, i32 0, inrange i32 0, i32 1)
@j = global i32 select (i1 icmp ne (ptr @g, ptr @a), i32 1, i32 2)
@k = global i64 sub nsw (i64 0, i64 ptrtoint (ptr @g to i64))
@l = global double bitcast (i64 ptrtoint (ptr @g to i64) to double)
@m = global i64 ptrtoaddr (ptr @g to i64)
@n = global ptr ptrauth (ptr @g, i32 0, i64 7)
@o = global ptr dso_local_equivalent @f
@p = global ptr no_cfi @f
@q = global double fadd (double fneg (double bitcast (i64 ptrtoint (ptr @g to i64) to double)), double 1.000000e+00)

declare void @f()
",
    );
}

#[test]
fn splats() {
    let text =
        "define <vscale x 2 x double> @f() {\n  ret <vscale x 2 x double> splat (double 1.000000e+00)\n}\n";
    is_stable(text);
    let fixed = round_trip("@a = global <4 x i32> splat (i32 5)");
    assert_eq!(fixed, "@a = global <4 x i32> <i32 5, i32 5, i32 5, i32 5>\n");
}

#[test]
fn block_addresses() {
    is_stable(
        "@table = global [2 x ptr] [ptr blockaddress(@f, %a), ptr blockaddress(@f, %b)]

define void @f(i64 %i) {
entry:
  %slot = getelementptr [2 x ptr], ptr @table, i64 0, i64 %i
  %where = load ptr, ptr %slot
  indirectbr ptr %where, [label %a, label %b]

a:
  store ptr blockaddress(@f, %b), ptr @table
  ret void

b:
  ret void
}
",
    );
}

#[test]
fn globals() {
    is_stable(
        "source_filename = \"x.c\"
target datalayout = \"e-m:e-i64:64\"
target triple = \"x86_64-unknown-linux-gnu\"
module asm \".globl nothing\"
$merged = comdat any

@external = external global i32
@weak = extern_weak global i32
@own = internal constant i32 1, align 4
@tls = thread_local(initialexec) global i32 0
@tls2 = hidden thread_local local_unnamed_addr addrspace(1) externally_initialized global i32 0
@merged = linkonce_odr dso_local unnamed_addr constant i32 1, section \".data\", partition \"p\", comdat($merged), align 8
@model = protected dllexport global i32 0, code_model \"large\", no_sanitize_address
@\"a b\" = common global i32 0
@attributed = global i32 0 \"key\"=\"value\"
@alias = weak alias i32, ptr @own
@resolved = ifunc void (), ptr @resolver

define internal fastcc noundef ptr @resolver() unnamed_addr noinline \"enzyme\"=\"x\" section \".text\" align 16 gc \"statepoint\" prefix i32 1 prologue i8 2 {
  ret ptr null
}

declare extern_weak hidden void @missing(i32 noundef signext, ...) nounwind memory(argmem: read) allocsize(0, 1)
",
    );
}

#[test]
fn attribute_groups_are_written_out() {
    let printed = round_trip(
        "define void @f() #0 {\n  call void @g() #1\n  ret void\n}\ndeclare void @g() #2
         attributes #0 = { nounwind alignstack=16 \"a\"=\"b\" }\nattributes #1 = { memory(none) }",
    );
    assert_eq!(
        printed,
        "define void @f() nounwind alignstack(16) \"a\"=\"b\" {
  call void @g() memory(none)
  ret void
}

declare void @g()
"
    );
}

#[test]
fn attributes_can_be_asked_for() {
    let function = Function::parse(
        "define void @f(ptr align 8 dereferenceable(16) sret(double) nocapture captures(none) %p) \"enzyme_inactive\" {\n  ret void\n}",
    )
    .expect("a function");
    let parameter: &AttributeSet = function.signature.parameter_attributes(0).expect("attributes");
    assert_eq!(parameter.integer("align"), Some(8));
    assert_eq!(parameter.integer("dereferenceable"), Some(16));
    assert_eq!(
        parameter.type_of("sret").map(|ty| function.ty(ty).clone()),
        function.context.types().find(|(_, ty)| ty.is_float()).map(|(_, ty)| ty.clone())
    );
    assert!(parameter.has("nocapture") && !parameter.has("nonnull"));
    assert_eq!(parameter.text("captures"), Some("none"));
    assert!(function.signature.attributes.has("enzyme_inactive"));
}

#[test]
fn metadata() {
    is_stable(
        "@g = global i32 0, !enzyme_shadow !0

define double @f(ptr %p) !enzyme_kind !1 {
entry:
  %x = load double, ptr %p, !tbaa !4, !enzyme_type !5
  br label %loop

loop:
  br i1 true, label %loop, label %end, !llvm.loop !6

end:
  %y = call double @rounded(double %x, metadata !\"round.tonearest\", metadata !\"fpexcept.ignore\")
  call void @h(metadata ptr %p, metadata i32 1, metadata !8)
  ret double %y
}

declare double @rounded(double, metadata, metadata)

declare !enzyme_kind !1 void @h(metadata, metadata, metadata)

!named = !{!1, !5}

!0 = !{ptr @g}
!1 = !{!\"kind\", null}
!2 = !{!\"root\"}
!3 = !{!\"double\", !2, i64 0}
!4 = !{!3, !3, i64 0}
!5 = !{!\"Float@double\"}
!6 = distinct !{!6, !7}
!7 = !{i32 1}
!8 = !{!6}
",
    );
}

#[test]
fn metadata_is_structured() {
    let function = Function::parse(
        "define void @f(ptr %p) {
           store i32 0, ptr %p, !tbaa !0
           ret void
         }
         !0 = !{!1, !1, i64 8}
         !1 = !{!\"int\", !2}
         !2 = !{!\"root\"}",
    )
    .expect("a function");
    let store = function.insts_in_order().next().expect("an instruction");
    let tag = function.insts[store].metadata("tbaa").expect("a tag");
    let Metadata::Node { elements, .. } = &function.context.metadata[tag] else { panic!("no tuple") };
    assert_eq!(elements.len(), 3);
    assert_eq!(elements[0], elements[1]);
    let Some(Metadata::Node { elements: int, .. }) = elements[0].map(|id| &function.context.metadata[id])
    else {
        panic!("no tuple")
    };
    assert_eq!(
        int[0].map(|id| function.context.metadata[id].clone()),
        Some(Metadata::String("int".to_owned()))
    );
}

#[test]
fn debug_locations() {
    let module = Module::parse(
        "define double @f(double %x) !dbg !5 {
           #dbg_value(double %x, !9, !DIExpression(), !10)
           call void @llvm.dbg.value(metadata double %x, metadata !9, metadata !DIExpression()), !dbg !10
           %y = fadd double %x, %x, !dbg !10
           %z = fmul double %y, %y, !dbg !DILocation(line: 9, column: 1, scope: !8)
           ret double %z
         }
         declare void @llvm.dbg.value(metadata, metadata, metadata)
         !llvm.dbg.cu = !{!0}
         !0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, emissionKind: FullDebug)
         !1 = !DIFile(filename: \"fit.c\", directory: \"/home\")
         !5 = distinct !DISubprogram(name: \"f\", file: !1, line: 3, unit: !0)
         !6 = !DIFile(filename: \"inline.h\", directory: \"\")
         !8 = !DILexicalBlockFile(scope: !7, file: !6, discriminator: 0)
         !7 = distinct !DILexicalBlock(scope: !5, line: 4)
         !9 = !DILocalVariable(name: \"x\", scope: !5)
         !10 = !DILocation(line: 4, column: 12, scope: !7)",
    )
    .expect("a module");
    let function = &module.functions[0];
    let locations: Vec<String> = function
        .insts_in_order()
        .filter_map(|inst| function.insts[inst].location.as_ref())
        .map(ToString::to_string)
        .collect();
    assert_eq!(locations, ["fit.c:4:12", "inline.h:9:1"]);
    assert_eq!(function.insts.len(), 3);
    assert_eq!(module.global("llvm.dbg.value"), None);
    let printed = round_trip(&module.to_string());
    assert!(printed.contains("!DILocation(line: 4, column: 12, scope: !"), "{printed}");
    assert!(printed.contains("!\"Debug Info Version\""), "{printed}");
}

#[test]
fn a_function_prints_with_what_it_names() {
    let text = "$f = comdat any

%pair = type { double, ptr }

@table = internal constant [2 x double] [double 1.000000e+00, double 2.000000e+00]

declare double @sin(double) nounwind

define double @f(ptr byval(%pair) %p) comdat($f) {
  %x = load double, ptr @table
  %y = call double @sin(double %x)
  ret double %y
}
";
    let function = Function::parse(text).expect("a function");
    assert_eq!(function.to_string(), text);
    assert_eq!(Function::parse(&function.to_string()), Ok(function));
}

#[test]
fn typed_pointers_are_read_as_opaque_ones() {
    let typed = "%list = type { double, %list* }
define double @f(%list* %l, i8 addrspace(1)* %q, double (double)* %g, i8*** %r) {
  %p = getelementptr %list, %list* %l, i32 0, i32 0
  %x = load double, double* %p
  %y = call double %g(double %x)
  store i8** null, i8*** %r
  %z = load i8, i8* bitcast (double (%list*)* @g to i8*)
  ret double %y
}
declare double @g(%list*)";
    let opaque = "%list = type { double, ptr }
define double @f(ptr %l, ptr addrspace(1) %q, ptr %g, ptr %r) {
  %p = getelementptr %list, ptr %l, i32 0, i32 0
  %x = load double, ptr %p
  %y = call double %g(double %x)
  store ptr null, ptr %r
  %z = load i8, ptr @g
  ret double %y
}
declare double @g(ptr)";
    assert_eq!(Module::parse(typed), Module::parse(opaque));
}

#[test]
fn a_callee_need_not_be_declared() {
    let function = Function::parse(
        "define double @f(double %x) {\n  %y = call double @sin(double %x)\n  ret double %y\n}",
    )
    .expect("a function");
    assert!(function.to_string().contains("declare double @sin(double)"));
}

#[test]
fn a_listing_has_the_text_of_each_part() {
    let function = Function::parse(
        "@table = external global double\n\
         define fastcc double @\"a b\"(double %x, ptr %0) {\n\
         entry:\n\
         \x20 %1 = load double, ptr %0, align 8, !tbaa !0\n\
         \x20 br label %2\n\
         2:\n\
         \x20 %y = fmul double %x, 2.000000e+00\n\
         \x20 store double %y, ptr @table, align 8\n\
         \x20 ret double %1\n\
         }\n\
         !0 = !{!\"double\"}\n",
    )
    .expect("parses");
    let listing = function.listing();
    assert_eq!(listing.name, "@\"a b\"");
    assert_eq!(listing.header, "define fastcc double @\"a b\"(double %x, ptr %0)");
    let blocks: Vec<&str> = function.blocks.keys().map(|block| listing.blocks[block].as_str()).collect();
    assert_eq!(blocks, ["entry", "2"]);
    let insts: Vec<&str> = function.insts_in_order().map(|inst| listing.insts[inst].as_str()).collect();
    assert_eq!(
        insts,
        [
            "%1 = load double, ptr %0, align 8",
            "br label %2",
            "%y = fmul double %x, 2.000000e+00",
            "store double %y, ptr @table, align 8",
            "ret double %1",
        ]
    );
    let mut operands = function.insts_in_order().flat_map(|inst| &function.insts[inst].operands);
    let operands: std::collections::BTreeSet<&str> =
        operands.by_ref().map(|value| listing.values[*value].as_str()).collect();
    assert_eq!(
        operands.into_iter().collect::<Vec<_>>(),
        ["%0", "%1", "%x", "%y", "@table", "double 2.000000e+00"]
    );
}
