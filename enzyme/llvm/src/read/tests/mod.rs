//! Each kind of instruction, constant, symbol and metadata is read as the model's own parser reads the text
//! that LLVM prints.

mod debug_types;
mod program;

// LLVM 22 has a newer function for it, the others only this one.
#[allow(deprecated)]
use inkwell::llvm_sys::ir_reader::LLVMParseIRInContext;

use std::collections::BTreeSet;
use std::ptr::null_mut;
use std::time::{Duration, Instant};

use enzyme::model::{
    Attribute, BlockId, BlockReference, ConstantKind, GlobalKind, HasBody, InstId, Metadata, Opcode,
    ValueDefinition,
};

use super::*;
use crate::ir::take_message;

const INSTRUCTIONS: &str = include_str!("instructions.ll");
const CONSTANTS: &str = include_str!("constants.ll");
const METADATA: &str = include_str!("metadata.ll");
const DEBUG: &str = include_str!("debug.ll");
#[cfg(llvm_ge = "22")]
const NEWER: &str = include_str!("newer.ll");

/// A module in a context of its own.
struct Parsed {
    context: LLVMContextRef,
    module: Module,
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
            assert_eq!(failed, 0, "{}", take_message(message));
            Parsed { context, module: Module::from_raw(module) }
        }
    }

    fn read(&self, name: &str) -> ReadFunction {
        let function = self.module.function(name).unwrap_or_else(|| panic!("no function {name}"));
        read_function(function.0).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    fn text(&self) -> String {
        take_message(llvm!(LLVMPrintModuleToString(self.module.0)))
    }
}

impl Drop for Parsed {
    fn drop(&mut self) {
        // SAFETY: nobody uses either any more.
        unsafe {
            LLVMDisposeModule(self.module.0);
            LLVMContextDispose(self.context);
        }
    }
}

/// The model of a function that the reader makes, for each function with a body, equals what the model's parser
/// makes of the text that LLVM prints, and is sound.
fn assert_agrees_with_text(text: &str) {
    let parsed = Parsed::new(text);
    let printed = parsed.text();
    let expected: model::Module = printed.parse().unwrap_or_else(|error| panic!("{error}\n{printed}"));
    for function in parsed.module.functions().filter(|function| !function.is_declaration()) {
        let name = function.name();
        let read = parsed.read(&name);
        let expected = expected.function(&name).expect("a function with that name");
        assert!(read.model == *expected, "@{name} is read as\n{}\nbut its text says\n{expected}", read.model);
        read.model.verify().unwrap_or_else(|error| panic!("@{name}: {error}"));
    }
}

/// The instruction whose result has that name.
fn inst_named(read: &ReadFunction, name: &str) -> InstId {
    let found = read.model.values.values().find(|value| value.name.as_deref() == Some(name));
    match found.map(|value| &value.definition) {
        Some(ValueDefinition::Instruction(inst)) => *inst,
        other => panic!("%{name} is {other:?}"),
    }
}

#[test]
fn instructions_agree_with_the_text() {
    assert_agrees_with_text(INSTRUCTIONS);
}

#[test]
fn constants_and_symbols_agree_with_the_text() {
    assert_agrees_with_text(CONSTANTS);
}

#[test]
fn metadata_agrees_with_the_text() {
    assert_agrees_with_text(METADATA);
}

#[cfg(llvm_ge = "22")]
#[test]
fn what_newer_versions_say_agrees_with_the_text() {
    assert_agrees_with_text(NEWER);
}

#[test]
fn the_samples_have_every_instruction() {
    let parsed = Parsed::new(INSTRUCTIONS);
    let mut seen = BTreeSet::new();
    for function in parsed.module.functions().filter(|function| !function.is_declaration()) {
        let read = parsed.read(&function.name());
        seen.extend(read.model.insts.values().map(|inst| inst.opcode.mnemonic()));
    }
    let expected = [
        "add",
        "addrspacecast",
        "alloca",
        "and",
        "ashr",
        "atomicrmw",
        "bitcast",
        "br",
        "call",
        "callbr",
        "catchpad",
        "catchret",
        "catchswitch",
        "cleanuppad",
        "cleanupret",
        "cmpxchg",
        "extractelement",
        "extractvalue",
        "fadd",
        "fcmp",
        "fdiv",
        "fence",
        "fmul",
        "fneg",
        "fpext",
        "fptosi",
        "fptoui",
        "fptrunc",
        "freeze",
        "frem",
        "fsub",
        "getelementptr",
        "icmp",
        "indirectbr",
        "insertelement",
        "insertvalue",
        "inttoptr",
        "invoke",
        "landingpad",
        "load",
        "lshr",
        "mul",
        "or",
        "phi",
        "ptrtoint",
        "resume",
        "ret",
        "sdiv",
        "select",
        "sext",
        "shl",
        "shufflevector",
        "sitofp",
        "srem",
        "store",
        "sub",
        "switch",
        "trunc",
        "udiv",
        "uitofp",
        "unreachable",
        "urem",
        "va_arg",
        "xor",
        "zext",
    ];
    assert_eq!(seen, BTreeSet::from(expected));
}

#[test]
fn the_way_back_leads_to_what_was_read() {
    let parsed = Parsed::new(INSTRUCTIONS);
    let read = parsed.read("control");
    let model = &read.model;
    for (block, read_block) in model.blocks.keys().zip(parsed.module.function("control").unwrap().blocks()) {
        assert!(read.block(block) == Some(read_block));
        let instructions = model.blocks[block].insts.iter().map(|inst| read.instruction(*inst));
        assert!(instructions.eq(read_block.instructions().map(Some)));
    }
    for (inst, data) in &model.insts {
        let from = read.instruction(inst).expect("every instruction was read from one");
        if let Some(result) = data.result {
            assert!(read.value(result) == Some(from.value()));
        }
    }
    let phi = inst_named(&read, "result");
    let incoming = read.instruction(phi).unwrap().incoming();
    for ((value, block), (from_value, from_block)) in model.insts[phi].incoming().zip(incoming) {
        assert!(read.value(value) == Some(from_value));
        assert!(read.block(block) == Some(from_block));
    }
    assert!(read.block(BlockId::from_u32(model.blocks.len() as u32)).is_none());
}

#[test]
fn reading_twice_gives_the_same_ids() {
    let parsed = Parsed::new(INSTRUCTIONS);
    for name in ["arithmetic", "memory", "control", "calls", "landing", "funclets"] {
        let (first, second) = (parsed.read(name), parsed.read(name));
        assert_eq!(format!("{:?}", first.model), format!("{:?}", second.model));
    }
}

#[test]
fn attributes_of_calls_and_functions() {
    let parsed = Parsed::new(INSTRUCTIONS);
    let read = parsed.read("calls");
    assert_eq!(read.model.signature.attributes.text("enzyme_math"), Some("cosh"));
    let call = read.model.insts[inst_named(&read, "direct")].opcode.call().expect("a call");
    assert!(call.function_attributes.has("enzyme_inactive"));
    let pointer = call.argument_attributes(0).expect("attributes of the pointer");
    assert_eq!(pointer.integer("align"), Some(8));
    assert_eq!(pointer.integer("dereferenceable"), Some(16));
    assert_eq!(pointer.get("nonnull"), Some(&Attribute::Flag("nonnull".to_owned())));
    assert!(call.argument_attributes(1).is_none());
    let indirect = &read.model.insts[inst_named(&read, "indirect")];
    let bundles = indirect.bundles().map(|(tag, operands)| (tag, operands.len())).collect::<Vec<_>>();
    assert_eq!(bundles, [("deopt", 2), ("align", 1)]);
}

#[test]
fn symbols_say_whether_they_are_defined() {
    let parsed = Parsed::new(CONSTANTS);
    let read = parsed.read("symbols");
    let context = &read.model.context;
    let kind = |name: &str| &context.globals[context.find_global(name).expect(name)].kind;
    let initializer = |name: &str| match kind(name) {
        GlobalKind::Variable(variable) => variable.initializer.map(|id| &context.constant(id).kind),
        other => panic!("@{name} is {other:?}"),
    };
    assert_eq!(initializer("elsewhere"), None);
    assert_eq!(initializer("shared"), None);
    assert_eq!(initializer("zeros"), Some(&ConstantKind::Zero));
    let own = context.find_global("self").expect("self");
    assert_eq!(initializer("self"), Some(&ConstantKind::Global(own)));
    // Met only in what another symbol holds.
    let GlobalKind::Function(declared) = kind("declared") else { panic!("@declared is a function") };
    assert!(declared.signature.attributes.has("enzyme_inactive"));
    assert_eq!(declared.body, HasBody::No);
    let GlobalKind::Function(defined) = kind("defined") else { panic!("@defined is a function") };
    assert_eq!(defined.body, HasBody::Yes);
    let addresses = context.constants().filter_map(|(_, constant)| match &constant.kind {
        ConstantKind::BlockAddress { block, .. } => Some(block.clone()),
        _ => None,
    });
    let expected = [BlockReference::Other("inside".to_owned()), BlockReference::Own(BlockId::from_u32(1))];
    assert_eq!(addresses.collect::<Vec<_>>(), expected);
}

#[test]
fn debug_locations_name_the_place_where_the_line_was_written() {
    let parsed = Parsed::new(DEBUG);
    let read = parsed.read("outer");
    let place = |name| read.model.insts[inst_named(&read, name)].location.as_ref().map(ToString::to_string);
    assert_eq!(place("square").as_deref(), Some("include/inner.h:12:21"));
    assert_eq!(place("here").as_deref(), Some("src/outer.c:4:7"));
    assert_eq!(place("nowhere"), None);
    assert_eq!(read.model.traits.metadata, []);
}

/// Up to LLVM 18 they are calls, later they become records beside the instructions.
#[test]
fn calls_about_variables_are_calls_of_metadata() {
    let parsed = Parsed::new(DEBUG);
    let read = parsed.read("outer");
    let calls = read.model.insts.values().filter(|inst| matches!(inst.opcode, Opcode::Call(_)));
    let calls = calls.collect::<Vec<_>>();
    let expected = if cfg!(llvm_ge = "19") { 0 } else { 1 };
    assert_eq!(calls.len(), expected);
    for call in calls {
        let metadata =
            call.arguments().iter().map(|argument| match &read.model.values[*argument].definition {
                ValueDefinition::Metadata(id) => &read.model.context.metadata[*id],
                other => panic!("{other:?} is no metadata"),
            });
        let metadata = metadata.collect::<Vec<_>>();
        assert_eq!(*metadata[0], Metadata::Value(read.model.parameters[0]));
        assert!(
            metadata[1..]
                .iter()
                .all(|node| matches!(node, Metadata::Node { elements, .. } if elements.is_empty()))
        );
    }
}

#[test]
fn a_declaration_has_nothing_to_read() {
    let parsed = Parsed::new("declare double @f(double)");
    let function = parsed.module.function("f").unwrap();
    assert_eq!(read_function(function.0).err(), Some(ReadError::NoBody));
}

#[test]
fn a_large_table_is_read_in_one_go() {
    let numbers = (0..1 << 17).map(|number| format!("i64 {number}")).collect::<Vec<_>>().join(", ");
    let parsed = Parsed::new(&format!(
        "@table = constant [131072 x i64] [{numbers}]\ndefine ptr @f() {{\n  ret ptr @table\n}}"
    ));
    let start = Instant::now();
    let read = parsed.read("f");
    assert!(start.elapsed() < Duration::from_millis(500), "a megabyte takes {:?}", start.elapsed());
    let context = &read.model.context;
    let GlobalKind::Variable(table) = &context.globals[context.find_global("table").unwrap()].kind else {
        panic!("@table is a variable")
    };
    let ConstantKind::Data(bytes) = &context.constant(table.initializer.unwrap()).kind else {
        panic!("the table is data")
    };
    assert_eq!(bytes.len(), 1 << 20);
    assert_eq!(bytes[8 * 0x1234..][..8], 0x1234_u64.to_le_bytes());
}

/// A list through symbols is as deep as it is long; reading must not go down with it.
#[test]
fn symbols_that_name_each_other_in_a_row_do_not_exhaust_the_stack() {
    let count = 20_000;
    let mut text = format!("@s{count} = constant ptr null\ndefine ptr @f() {{\n  ret ptr @s0\n}}\n");
    for index in 0..count {
        text.push_str(&format!("@s{index} = constant ptr @s{}\n", index + 1));
    }
    let read = Parsed::new(&text).read("f");
    assert_eq!(read.model.context.globals.len(), count + 1);
}
