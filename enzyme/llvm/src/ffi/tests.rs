//! The shim, function by function, on small modules.

// LLVM 22 has a newer function for it, the others only this one.
#[allow(deprecated)]
use inkwell::llvm_sys::ir_reader::LLVMParseIRInContext;

use super::*;
use crate::rollback::Rollback;
use inkwell::llvm_sys::LLVMOpcode;
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::LLVMContextRef;
use std::ptr::null_mut;

/// A module in a context of its own.
struct Parsed {
    context: LLVMContextRef,
    module: LLVMModuleRef,
}

impl Parsed {
    #[allow(deprecated)]
    fn new(text: &str) -> Parsed {
        // SAFETY: the buffer copies the text, and parsing takes the buffer over.
        unsafe {
            let context = LLVMContextCreate();
            let name = c"test".as_ptr();
            let buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(text.as_ptr().cast(), text.len(), name);
            let (mut module, mut message) = (null_mut(), null_mut());
            let failed = LLVMParseIRInContext(context, buffer, &raw mut module, &raw mut message);
            assert_eq!(failed, 0, "{:?}", take_message(message));
            Parsed { context, module }
        }
    }

    fn function(&self, name: &str) -> LLVMValueRef {
        let name = std::ffi::CString::new(name).unwrap();
        // SAFETY: the module is alive.
        let function = unsafe { LLVMGetNamedFunction(self.module, name.as_ptr()) };
        assert!(!function.is_null(), "no function {name:?}");
        function
    }

    /// The instruction at that place of the function's entry block.
    fn instruction(&self, function: &str, index: usize) -> LLVMValueRef {
        let function = self.function(function);
        // SAFETY: the function is alive and has an entry block.
        let mut at = unsafe { LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function)) };
        for _ in 0..index {
            // SAFETY: `at` is an instruction.
            at = unsafe { LLVMGetNextInstruction(at) };
        }
        assert!(!at.is_null(), "no instruction {index}");
        at
    }

    fn text(&self) -> String {
        // SAFETY: the module is alive, and the text ours to free.
        take_message(unsafe { LLVMPrintModuleToString(self.module) }).unwrap()
    }
}

impl Drop for Parsed {
    fn drop(&mut self) {
        // SAFETY: nothing of the module is used after the test.
        unsafe {
            LLVMDisposeModule(self.module);
            LLVMContextDispose(self.context);
        }
    }
}

const SQUARE_WITH_DEBUG_INFO: &str = r#"
define noundef double @square(double noundef %x) #0 !dbg !4 {
entry:
  %kept = alloca double
  store double %x, ptr %kept, !dbg !9
  call void @llvm.dbg.declare(metadata ptr %kept, metadata !8, metadata !DIExpression()), !dbg !9
  %again = load double, ptr %kept, !dbg !9
  %result = fmul fast double %again, %again, !dbg !10
  ret double %result, !dbg !10
}

declare void @llvm.dbg.declare(metadata, metadata, metadata)

attributes #0 = { noinline nofree optnone "frame-pointer"="all" }

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}

!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "square.c", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!4 = distinct !DISubprogram(name: "square", file: !1, line: 1, type: !5, unit: !0, retainedNodes: !11, spFlags: DISPFlagDefinition)
!5 = !DISubroutineType(types: !6)
!6 = !{!7, !7}
!7 = !DIBasicType(name: "double", size: 64, encoding: DW_ATE_float)
!8 = !DILocalVariable(name: "x", arg: 1, scope: !4, file: !1, line: 1, type: !7)
!9 = !DILocation(line: 1, column: 22, scope: !4)
!10 = !DILocation(line: 2, column: 12, scope: !4)
!11 = !{!8}
"#;

#[test]
fn a_clone_has_valid_debug_information_of_its_own() {
    let parsed = Parsed::new(SQUARE_WITH_DEBUG_INFO);
    let (clone, map) = clone_function(parsed.function("square"), "square.copy");
    assert_eq!(verify_module(parsed.module), Ok(()), "{}", parsed.text());
    // SAFETY: the clone and its entry block are alive.
    let first = unsafe { LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(clone)) };
    assert!(map.contains(&(parsed.instruction("square", 0), first)));
    assert!(map.len() >= 7, "an argument, a block and at least five instructions: {}", map.len());
    assert!(parsed.text().contains("define internal noundef double @square.copy(double noundef %x)"));
    assert_eq!(parsed.text().matches("distinct !DISubprogram").count(), 2, "{}", parsed.text());
}

#[test]
fn a_clone_may_take_and_return_other_types() {
    let text = format!("{SQUARE_WITH_DEBUG_INFO}\ndeclare void @derivative(ptr, double)\n");
    let parsed = Parsed::new(&text);
    let new = parsed.function("derivative");
    // SAFETY: the function has two parameters.
    let x = unsafe { LLVMGetParam(new, 1) };
    let map = clone_function_into(new, parsed.function("square"), &[x]);
    // SAFETY: the original function has a parameter.
    assert_eq!(map[0], (unsafe { LLVMGetParam(parsed.function("square"), 0) }, x));

    let result = verify_function(new).unwrap_err();
    assert!(result.contains("return"), "it still returns the primal's value: {result}");
    // SAFETY: the clone of `ret double` ends the clone's only block.
    unsafe {
        let block = LLVMGetEntryBasicBlock(new);
        LLVMInstructionEraseFromParent(LLVMGetBasicBlockTerminator(block));
        let builder = LLVMCreateBuilderInContext(parsed.context);
        LLVMPositionBuilderAtEnd(builder, block);
        LLVMBuildRetVoid(builder);
        LLVMDisposeBuilder(builder);
    }
    assert_eq!(verify_module(parsed.module), Ok(()), "{}", parsed.text());
    assert!(parsed.text().contains("define void @derivative(ptr"), "{}", parsed.text());

    drop_primal_promises(new);
    allow_optimisation(new);
    assert_eq!(run_function_pipeline(new, "sroa,instcombine", null_mut()), Ok(()));
    assert_eq!(parsed.text().matches("alloca").count(), 1, "only the original keeps it");
    let text = parsed.text();
    let forbidding = text.lines().filter(|line| line.starts_with("attributes") && line.contains("optnone"));
    assert_eq!(forbidding.count(), 1, "only the original forbids optimisation");
}

#[test]
fn pipelines_run_by_name_and_say_what_they_do_not_know() {
    let parsed = Parsed::new(
        "define double @f(double %x) {
           %p = alloca double
           store double %x, ptr %p
           %y = load double, ptr %p
           ret double %y
         }
         define internal void @unused() { ret void }",
    );
    assert_eq!(run_function_pipeline(parsed.function("f"), "loop(licm),sroa", null_mut()).err(), None);
    assert!(!parsed.text().contains("alloca"));
    let error = run_function_pipeline(parsed.function("f"), "no-such-pass", null_mut()).unwrap_err();
    assert!(error.contains("no-such-pass"), "{error}");
    assert_eq!(run_module_pipeline(parsed.module, "globaldce", null_mut()), Ok(()));
    assert!(!parsed.text().contains("@unused"));
}

#[test]
fn allocations_are_erased_where_nobody_uses_them() {
    let parsed = Parsed::new(
        "target triple = \"x86_64-unknown-linux-gnu\"
         define ptr @f() {
           %unused = call ptr @malloc(i64 8)
           %other = call ptr @calloc(i64 8, i64 2)
           %used = call ptr @malloc(i64 16)
           %own = call ptr @allocate(i64 8)
           ret ptr %used
         }
         declare ptr @malloc(i64)
         declare ptr @calloc(i64, i64)
         declare ptr @allocate(i64)",
    );
    erase_unused_allocations(parsed.function("f"));
    let text = parsed.text();
    assert!(!text.contains("%unused") && !text.contains("%other"), "{text}");
    assert!(text.contains("%used = call ptr @malloc") && text.contains("%own = call"), "{text}");
}

#[test]
fn the_target_decides_which_library_functions_there_are() {
    let square_root = |triple: &str| {
        let parsed = Parsed::new(
            &format!(
                "target triple = \"{triple}\"
             define double @f(double %x) {{
               %y = call double @pow(double %x, double 2.0)
               ret double %y
             }}
             declare double @pow(double, double) nounwind memory_none"
            )
            .replace(" memory_none", ""),
        );
        run_function_pipeline(parsed.function("f"), "instcombine", null_mut()).unwrap();
        parsed.text()
    };
    assert!(square_root("x86_64-unknown-linux-gnu").contains("fmul"));
    assert!(!square_root("nvptx64-nvidia-cuda").contains("fmul"));
}

#[test]
fn calls_are_inlined_or_it_is_said_why_not() {
    let parsed = Parsed::new(
        "declare void @unknown()
         define double @callee(double %x) {
           %y = fadd double %x, 1.0
           ret double %y
         }
         define double @caller(double %x) {
           %y = call double @callee(double %x)
           call void @unknown()
           ret double %y
         }",
    );
    assert!(inline_function(parsed.instruction("caller", 1)).is_err());
    assert_eq!(inline_function(parsed.instruction("caller", 0)), Ok(()));
    assert_eq!(verify_module(parsed.module), Ok(()));
    assert_eq!(parsed.text().matches("fadd").count(), 2);
}

#[test]
fn blocks_are_split_and_instructions_moved() {
    let parsed = Parsed::new(
        "define double @f(double %x) {
         entry:
           %a = fadd double %x, 1.0
           %b = fmul double %x, 2.0
           %c = fsub double %a, %b
           ret double %c
         }",
    );
    move_instruction_before(parsed.instruction("f", 1), parsed.instruction("f", 0));
    // SAFETY: the instruction is alive.
    assert_eq!(unsafe { LLVMGetInstructionOpcode(parsed.instruction("f", 0)) }, LLVMOpcode::LLVMFMul);
    let rest = split_block(parsed.instruction("f", 2), "rest");
    // SAFETY: the block is alive.
    let first = unsafe { LLVMGetFirstInstruction(rest) };
    // SAFETY: the instruction is alive.
    assert_eq!(unsafe { LLVMGetInstructionOpcode(first) }, LLVMOpcode::LLVMFSub);
    assert!(parsed.text().contains("br label %rest"));
    assert_eq!(verify_module(parsed.module), Ok(()));

    replace_all_uses_with_poison_and_erase(first);
    assert!(parsed.text().contains("ret double poison"));
    delete_body(parsed.function("f"));
    assert!(parsed.text().contains("declare double @f(double)"));
}

#[test]
fn a_dropped_checkpoint_leaves_the_module_as_it_was() {
    let parsed = Parsed::new(
        "@table = global ptr @f
         define double @f(double %x) {
           ret double %x
         }",
    );
    let before = parsed.text();
    let add = || {
        // SAFETY: the context is alive.
        let double = unsafe { LLVMDoubleTypeInContext(parsed.context) };
        // SAFETY: module, context and types are alive, and each name ends in a zero byte.
        unsafe {
            let cell = LLVMAddGlobal(parsed.module, double, c"cell".as_ptr());
            LLVMSetInitializer(cell, LLVMConstNull(double));
            let holder = LLVMAddGlobal(parsed.module, LLVMTypeOf(cell), c"holder".as_ptr());
            LLVMSetInitializer(holder, clone_function(parsed.function("f"), "copy").0);
            LLVMAddAlias2(parsed.module, double, 0, cell, c"other".as_ptr());
        }
    };

    let checkpoint = Rollback::new(parsed.module);
    add();
    assert_eq!(verify_module(parsed.module), Ok(()));
    assert_ne!(parsed.text(), before);
    drop(checkpoint);
    assert_eq!(parsed.text(), before);

    let checkpoint = Rollback::new(parsed.module);
    add();
    checkpoint.keep();
    assert!(parsed.text().contains("@copy"));
}

#[test]
fn fast_math_flags_come_and_go() {
    let parsed = Parsed::new(
        "define double @f(double %x, i32 %n) {
           %a = fadd reassoc nsz arcp double %x, 1.0
           %b = add i32 %n, 1
           ret double %a
         }",
    );
    let add = parsed.instruction("f", 0);
    let flags = fast_math::REASSOCIATE | fast_math::NO_SIGNED_ZEROS | fast_math::RECIPROCAL;
    assert_eq!(fast_math_flags(add), flags);
    set_fast_math_flags(add, fast_math::NO_NANS | fast_math::CONTRACT);
    assert!(parsed.text().contains("fadd nnan contract double"));
    set_fast_math_flags(add, 0);
    assert!(parsed.text().contains("fadd double"));

    let integer = parsed.instruction("f", 1);
    set_fast_math_flags(integer, flags);
    assert_eq!(fast_math_flags(integer), 0);
}

#[test]
fn poison_flags_come_and_go() {
    let parsed = Parsed::new(
        "define void @f(i32 %n, ptr %p) {
           %a = add nuw nsw i32 %n, 1
           %b = udiv exact i32 %n, 3
           %c = getelementptr inbounds i32, ptr %p, i32 %n
           %d = xor i32 %n, 3
           ret void
         }",
    );
    let both = poison::NO_UNSIGNED_WRAP | poison::NO_SIGNED_WRAP;
    let [add, divide, address, xor] = [0, 1, 2, 3].map(|index| parsed.instruction("f", index));
    assert_eq!(poison_flags(add), both);
    assert_eq!(poison_flags(divide), poison::EXACT);
    assert_ne!(poison_flags(address) & poison::IN_BOUNDS, 0);
    assert_eq!(poison_flags(xor), 0);
    for instruction in [add, divide, address, xor] {
        set_poison_flags(instruction, 0);
        assert_eq!(poison_flags(instruction), 0);
        set_poison_flags(instruction, u32::MAX);
    }
    assert_eq!(poison_flags(add), both);
    assert_eq!(poison_flags(divide), poison::EXACT);
    assert_ne!(poison_flags(address) & poison::IN_BOUNDS, 0);
    assert_eq!(poison_flags(xor), 0);
    assert_eq!(verify_module(parsed.module), Ok(()));
}

#[test]
fn calls_tell_their_bundles_and_tail_kind() {
    let parsed = Parsed::new(
        r#"declare void @g()
           define void @f(i32 %n) {
             notail call void @g() [ "deopt"(i32 %n, i32 7), "mine"() ]
             call void @g()
             ret void
           }"#,
    );
    let call = parsed.instruction("f", 0);
    let bundles = operand_bundles(call);
    assert_eq!(bundles.iter().map(|(tag, _)| tag.as_str()).collect::<Vec<_>>(), ["deopt", "mine"]);
    // SAFETY: the function has a parameter.
    assert_eq!(bundles[0].1[0], unsafe { LLVMGetParam(parsed.function("f"), 0) });
    assert_eq!(bundles[0].1.len(), 2);
    assert!(bundles[1].1.is_empty());
    assert_eq!(tail_call_kind(call), 3);
    set_tail_call_kind(call, 1);
    assert_eq!(tail_call_kind(call), 1);
    assert!(operand_bundles(parsed.instruction("f", 1)).is_empty());
}

#[test]
fn memory_effects_mean_the_same_in_every_version() {
    let parsed = Parsed::new(
        "declare void @f(ptr)
         define void @g(ptr %p) {
           call void @f(ptr %p) readonly
           ret void
         }",
    );
    let (function, call) = (parsed.function("f"), parsed.instruction("g", 0));
    assert_eq!(memory_effects(function), MemoryEffects::ANY);
    assert_eq!(memory_effects(call), MemoryEffects::READ);
    for effects in [
        MemoryEffects::NONE,
        MemoryEffects::READ,
        MemoryEffects::WRITE,
        MemoryEffects::ARGUMENTS,
        MemoryEffects::READ_ARGUMENTS,
        MemoryEffects::INACCESSIBLE,
        MemoryEffects::ANY,
    ] {
        set_memory_effects(function, effects);
        assert_eq!(memory_effects(function), effects);
        set_memory_effects(call, effects);
        assert!(memory_effects(call).within(effects), "a call does no more than its function");
    }
    assert_eq!(verify_module(parsed.module), Ok(()));
}

#[test]
fn a_derivative_promises_less_than_its_primal() {
    let parsed = Parsed::new(
        "define ptr @f(ptr returned readonly %p) nofree norecurse willreturn readonly speculatable {
           ret ptr %p
         }",
    );
    let function = parsed.function("f");
    drop_primal_promises(function);
    assert_eq!(memory_effects(function), MemoryEffects::ANY);
    let text = parsed.text();
    for gone in ["returned", "nofree", "norecurse", "speculatable"] {
        assert!(!text.contains(gone), "{gone} in {text}");
    }
    assert!(text.contains("willreturn") && text.contains("readonly"), "{text}");
}

#[test]
fn trip_counts_are_computed_where_they_are_known() {
    let parsed = Parsed::new(
        "define void @f(i8 %n, ptr %p) {
         entry:
           %stale = freeze i64 7, !enzyme_trip_count !0
           br label %counted
         counted:
           %i = phi i8 [ 0, %entry ], [ %next, %counted ]
           %next = add i8 %i, 1
           store volatile i64 %stale, ptr %p
           %more = icmp ne i8 %i, %n
           br i1 %more, label %counted, label %between
         between:
           br label %searching
         searching:
           %found = load volatile i1, ptr %p
           br i1 %found, label %exit, label %searching
         exit:
           ret void
         }
         !0 = !{}",
    );
    let function = parsed.function("f");
    assert!(!contains_irreducible_cfg(function));
    expand_trip_counts(function, "enzyme_trip_count");
    assert_eq!(verify_module(parsed.module), Ok(()));
    let text = parsed.text();
    // One more than `n`, also where that does not fit the counter's type.
    assert!(text.contains("= zext i8 %n to i64\n"), "{text}");
    assert!(text.contains("%counted.trips = freeze i64 %"), "{text}");
    assert_eq!(text.matches("!enzyme_trip_count").count(), 1, "{text}");
}

#[test]
fn cycles_with_two_entries_become_loops() {
    let parsed = Parsed::new(
        "define void @f(i32 %kind, i1 %c) {
         entry:
           switch i32 %kind, label %exit [ i32 0, label %one
                                           i32 1, label %two ]
         one:
           br label %two
         two:
           br i1 %c, label %one, label %exit
         exit:
           ret void
         }",
    );
    let function = parsed.function("f");
    assert!(contains_irreducible_cfg(function));
    let pipeline = "break-crit-edges,fix-irreducible";
    assert_eq!(run_function_pipeline(function, pipeline, null_mut()), Ok(()));
    assert!(!contains_irreducible_cfg(function));
    assert_eq!(verify_module(parsed.module), Ok(()));
}
