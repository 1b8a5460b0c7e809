//! The primal inside a derived function: LLVM's clone of it, found by the ids of the model.

use crate::error::Error;
use crate::ffi;
use crate::ir::{Block, Function, Instruction, Value};
use crate::read::ReadFunction;
use enzyme::model::{BlockId, InstId, SecondaryMap, ValueId};
use rustc_hash::FxHashMap;

/// A function that was canonicalised and read.
pub(crate) struct Prepared {
    /// The canonical clone.
    pub(crate) function: Function,
    /// The clone, in the model.
    pub(crate) read: ReadFunction,
}

/// The clone of a prepared function in a derived one.
pub(crate) struct Primal {
    /// The derived function.
    pub derived: Function,
    values: SecondaryMap<ValueId, Option<Value>>,
    instructions: SecondaryMap<InstId, Option<Instruction>>,
    blocks: SecondaryMap<BlockId, Option<Block>>,
}

impl Primal {
    /// Clones the function that was read into `derived`, its parameters being `parameters` there.
    pub(crate) fn clone_into(derived: Function, prepared: &Prepared, parameters: &[Value]) -> Primal {
        let read = &prepared.read;
        let raw: Vec<_> = parameters.iter().map(|parameter| parameter.raw()).collect();
        let clones: FxHashMap<_, _> =
            ffi::clone_function_into(derived.value().raw(), prepared.function.value().raw(), &raw)
                .into_iter()
                .collect();
        ffi::drop_primal_promises(derived.value().raw());
        let clone_of = |value: Value| Value::from_raw(*clones.get(&value.raw()).unwrap_or(&value.raw()));
        let mut primal = Primal {
            derived,
            values: SecondaryMap::new(),
            instructions: SecondaryMap::new(),
            blocks: SecondaryMap::new(),
        };
        for id in read.model.values.keys() {
            primal.values[id] = read.value(id).map(clone_of);
        }
        for id in read.model.insts.keys() {
            primal.instructions[id] =
                read.instruction(id).and_then(|old| clone_of(old.value()).as_instruction());
        }
        for id in read.model.blocks.keys() {
            primal.blocks[id] = read.block(id).and_then(|old| clone_of(old.as_value()).as_block());
        }
        primal
    }

    /// A value of the primal.
    ///
    /// # Errors
    /// When the model knows a value that LLVM does not.
    pub(crate) fn value(&self, id: ValueId) -> Result<Value, Error> {
        self.values[id]
            .ok_or_else(|| Error::internal(self.derived, format!("the value {id} was not read from LLVM")))
    }

    /// An instruction of the primal.
    ///
    /// # Errors
    /// As [`Primal::value`].
    pub(crate) fn instruction(&self, id: InstId) -> Result<Instruction, Error> {
        self.instructions[id].ok_or_else(|| {
            Error::internal(self.derived, format!("the instruction {id} was not read from LLVM"))
        })
    }

    /// A block of the primal.
    ///
    /// # Errors
    /// As [`Primal::value`].
    pub(crate) fn block(&self, id: BlockId) -> Result<Block, Error> {
        self.blocks[id]
            .ok_or_else(|| Error::internal(self.derived, format!("the block {id} was not read from LLVM")))
    }

    /// From here on `new` stands for the value.
    pub(crate) fn replace(&mut self, id: ValueId, new: Value) {
        self.values[id] = Some(new);
    }
}
