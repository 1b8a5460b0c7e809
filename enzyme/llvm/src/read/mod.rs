//! Reads functions of LLVM IR into the model.
//!
//! The model's ids follow from the function's text alone: blocks and instructions are numbered in LLVM's order,
//! values as parameters, then results in that order, then what operands name, in the order they are met.

mod attributes;
mod constants;
mod debug;
mod error;
mod file;
mod globals;
mod instructions;
mod metadata;
mod opcodes;
mod program;
mod shim;
#[cfg(test)]
mod tests;
mod types;

use std::collections::VecDeque;
use std::sync::Arc;

use enzyme::model::{
    self, Attribute, BlockId, ConstantId, Context, GlobalId, InlineAsm, InstId, MetadataId, Opcode,
    SecondaryMap, TypeId, ValueId,
};
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::*;
use rustc_hash::FxHashMap;

pub(crate) use error::ReadError;
pub use file::{
    ReadFileError, explain_plans_of_file, read_file, read_function_of_file, read_program_of_file,
};
pub(crate) use program::{ReadProgram, read_program};

use crate::ir::{Block, Function, Instruction, Module, Value, llvm};
use debug::DebugTypes;
use shim::ValueClass;
use types::TypeReader;

/// A function of LLVM's in the model, with the way back.
#[derive(Clone)]
pub(crate) struct ReadFunction {
    /// The function, in the model.
    pub(crate) model: model::Function,
    values: SecondaryMap<ValueId, Option<Value>>,
    instructions: SecondaryMap<InstId, Option<Instruction>>,
    blocks: SecondaryMap<BlockId, Option<Block>>,
}

impl ReadFunction {
    /// What a value of the model was read from.
    pub(crate) fn value(&self, id: ValueId) -> Option<Value> {
        self.values[id]
    }

    /// What an instruction of the model was read from.
    pub(crate) fn instruction(&self, id: InstId) -> Option<Instruction> {
        self.instructions[id]
    }

    /// What a block of the model was read from.
    pub(crate) fn block(&self, id: BlockId) -> Option<Block> {
        self.blocks[id]
    }
}

/// Reads a function that has a body.
pub(crate) fn read_function(function: LLVMValueRef) -> Result<ReadFunction, ReadError> {
    let function = Function(function);
    if function.is_declaration() {
        return Err(ReadError::NoBody);
    }
    let mut reader = Reader::new(function)?;
    reader.header(function)?;
    reader.outline(function)?;
    reader.body(function)?;
    reader.fill_globals()?;
    reader.debug_declarations(function);
    Ok(ReadFunction {
        model: reader.function,
        values: reader.values,
        instructions: reader.instructions,
        blocks: reader.blocks,
    })
}

/// A function that is being read, and what LLVM's objects met so far have become. The maps are only ever looked
/// up in, so that the addresses that key them do not decide anything.
struct Reader {
    function: model::Function,
    types: TypeReader,
    metadata_kinds: Vec<String>,
    /// The numbers of symbols without a name, once one is met.
    unnamed_globals: Option<FxHashMap<LLVMValueRef, u32>>,
    /// Symbols whose contents have not been read yet.
    hollow_globals: VecDeque<(LLVMValueRef, GlobalId)>,

    known_values: FxHashMap<LLVMValueRef, ValueId>,
    known_blocks: FxHashMap<LLVMBasicBlockRef, BlockId>,
    known_constants: FxHashMap<LLVMValueRef, ConstantId>,
    known_globals: FxHashMap<LLVMValueRef, GlobalId>,
    known_attributes: FxHashMap<LLVMAttributeRef, Attribute>,
    known_metadata: FxHashMap<LLVMMetadataRef, Option<MetadataId>>,
    known_files: FxHashMap<LLVMMetadataRef, Arc<str>>,
    debug_types: DebugTypes,

    values: SecondaryMap<ValueId, Option<Value>>,
    instructions: SecondaryMap<InstId, Option<Instruction>>,
    blocks: SecondaryMap<BlockId, Option<Block>>,
}

impl Reader {
    fn new(function: Function) -> Result<Reader, ReadError> {
        let mut context = Context::default();
        target(&mut context, function.module());
        let mut types = TypeReader::default();
        let function_type = types.read(&mut context, function.function_type().0)?;
        Ok(Reader {
            function: model::Function::new(function.name(), context, function_type),
            types,
            metadata_kinds: shim::metadata_kinds(function.function_type().context()),
            unnamed_globals: None,
            hollow_globals: VecDeque::new(),
            known_values: FxHashMap::default(),
            known_blocks: FxHashMap::default(),
            known_constants: FxHashMap::default(),
            known_globals: FxHashMap::default(),
            known_attributes: FxHashMap::default(),
            known_metadata: FxHashMap::default(),
            known_files: FxHashMap::default(),
            debug_types: DebugTypes::default(),
            values: SecondaryMap::new(),
            instructions: SecondaryMap::new(),
            blocks: SecondaryMap::new(),
        })
    }

    /// Everything about the function but its body and what only makes sense with it.
    fn header(&mut self, function: Function) -> Result<(), ReadError> {
        let raw = function.0;
        self.function.linkage = globals::linkage(raw);
        self.function.address_space = llvm!(LLVMGetPointerAddressSpace(LLVMTypeOf(raw)));
        self.function.traits = globals::traits(raw);
        self.function.signature = self.signature(raw)?;
        self.function.garbage_collector = c_text(llvm!(LLVMGetGC(raw)));
        for (parameter, id) in function.parameters().into_iter().zip(self.function.parameters.clone()) {
            self.function.values[id].name = optional(parameter.name());
            self.remember(parameter, id);
        }
        Ok(())
    }

    /// Makes the blocks and the instructions' results, so that operands can refer to what comes later.
    fn outline(&mut self, function: Function) -> Result<(), ReadError> {
        for block in function.blocks() {
            let name = optional(block.name());
            let id = self.function.add_block(name.as_deref());
            self.known_blocks.insert(block.0, id);
            self.blocks[id] = Some(block);
            for instruction in block.instructions() {
                let ty = self.ty(instruction.value().ty().0)?;
                let inst = self.function.add_inst(id, Opcode::Unreachable, [], ty);
                self.instructions[inst] = Some(instruction);
                if let Some(result) = self.function.insts[inst].result {
                    self.function.values[result].name = optional(instruction.value().name());
                    self.remember(instruction.value(), result);
                }
            }
        }
        Ok(())
    }

    fn body(&mut self, function: Function) -> Result<(), ReadError> {
        let insts = self.function.insts.keys();
        for (instruction, inst) in function.instructions().zip(insts) {
            let (opcode, operands) = self.instruction(instruction.0)?;
            let metadata = self.instruction_metadata(instruction.0)?;
            let location = self.location(instruction.0);
            let read = &mut self.function.insts[inst];
            read.opcode = opcode;
            read.operands = operands;
            read.location = location;
            read.metadata = metadata.into();
        }
        let raw = function.0;
        self.function.personality = self.optional_constant(shim::personality(raw))?;
        self.function.prologue = self.optional_constant(shim::prologue_data(raw))?;
        self.function.prefix = self.optional_constant(shim::prefix_data(raw))?;
        self.function.traits.metadata = self.global_metadata(raw)?;
        Ok(())
    }

    fn ty(&mut self, raw: LLVMTypeRef) -> Result<TypeId, ReadError> {
        self.types.read(&mut self.function.context, raw)
    }

    fn optional_constant(&mut self, raw: Option<LLVMValueRef>) -> Result<Option<ConstantId>, ReadError> {
        raw.map(|raw| self.constant(raw)).transpose()
    }

    /// Any operand.
    fn operand(&mut self, raw: LLVMValueRef) -> Result<ValueId, ReadError> {
        if let Some(known) = self.known_values.get(&raw) {
            return Ok(*known);
        }
        let id = match shim::value_class(raw) {
            ValueClass::Parameter | ValueClass::Instruction | ValueClass::Block => {
                return Err(ReadError::ForeignOperand { text: Value(raw).to_string() });
            }
            ValueClass::Metadata => {
                let metadata = self.metadata_operand(shim::wrapped_metadata(raw))?;
                self.function.metadata_value(metadata)
            }
            ValueClass::InlineAsm => self.function.inline_asm_value(inline_asm(raw)),
            class if class.is_global() => {
                let global = self.global(raw)?;
                self.function.global_value(global)
            }
            _ => {
                let constant = self.constant(raw)?;
                self.function.constant_value(constant)
            }
        };
        self.remember(Value(raw), id);
        Ok(id)
    }

    /// Notes what a value was read from. Constants that the model does not tell apart keep the first.
    fn remember(&mut self, value: Value, id: ValueId) {
        self.known_values.insert(value.0, id);
        self.values[id].get_or_insert(value);
    }
}

/// What the module says of the target.
fn target(context: &mut Context, module: Module) {
    context.data_layout = c_text(llvm!(LLVMGetDataLayoutStr(module.0))).map(Arc::from);
    context.target_triple = optional(module.triple()).map(Arc::from);
}

/// The assembler that a callee is, if it is no function.
pub(crate) fn assembler_of(callee: Value) -> Option<InlineAsm> {
    let is_assembler = shim::value_class(callee.raw()) == ValueClass::InlineAsm;
    is_assembler.then(|| inline_asm(callee.raw()))
}

fn inline_asm(raw: LLVMValueRef) -> InlineAsm {
    let asm = shim::inline_asm(raw);
    InlineAsm {
        template: asm.template.to_text(),
        constraints: asm.constraints.to_text(),
        side_effect: asm.side_effect,
        align_stack: asm.align_stack,
        intel_dialect: asm.intel_dialect,
        may_unwind: asm.may_unwind,
    }
}

/// A text that LLVM owns, ending in a zero byte; `None` for null and for nothing.
fn c_text(text: *const std::ffi::c_char) -> Option<String> {
    if text.is_null() {
        return None;
    }
    // SAFETY: LLVM's texts of this kind end in a zero byte.
    optional(unsafe { std::ffi::CStr::from_ptr(text) }.to_string_lossy().into_owned())
}

fn optional(text: String) -> Option<String> {
    (!text.is_empty()).then_some(text)
}
