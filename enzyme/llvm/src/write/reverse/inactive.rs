//! Memory that turns out to be inactive when the derivative runs: a pointer is its own shadow there, and the reverse sweep
//! leaves what the program holds in it alone.

use super::super::memory::ALIGNMENT_OF_SHADOWS;
use super::{Known, Places, Writer};
use crate::error::Error;
use crate::ir::{Type, Value};
use enzyme::model::ValueId;
use enzyme::plan::MemoryActivity;
use inkwell::llvm_sys::LLVMIntPredicate;

impl Writer<'_> {
    /// Where the adjoints of what a pointer leads to lie, of that type. Where the pointer is its own shadow, that is a place
    /// which holds zero and which nobody reads.
    pub(super) fn places_behind(&mut self, pointer: ValueId, ty: Type) -> Result<Places, Error> {
        let shadows = self.known(Known::Shadow(pointer))?;
        if self.plan.memory_activity == MemoryActivity::Known {
            return Ok(shadows);
        }
        let mut places = Places::new();
        for &shadow in &shadows {
            let is_own = self.is_own(pointer, shadow)?;
            let nowhere = self.builder.entry_alloca(ty, "nowhere");
            nowhere.set_alignment(ALIGNMENT_OF_SHADOWS);
            self.builder.store(Value::zero(ty), nowhere.value());
            let nowhere = self.builder.pointer_cast(nowhere.value(), shadow.ty());
            places.push(self.builder.select(is_own, nowhere, shadow));
        }
        Ok(places)
    }

    /// A number of bytes behind a pointer, or none where it is its own shadow.
    pub(super) fn unless_own(
        &mut self,
        pointer: ValueId,
        shadow: Value,
        bytes: Value,
    ) -> Result<Value, Error> {
        match self.plan.memory_activity {
            MemoryActivity::Known => Ok(bytes),
            MemoryActivity::DecidedAtRunTime | MemoryActivity::KnownButForVariables => {
                let is_own = self.is_own(pointer, shadow)?;
                Ok(self.builder.select(is_own, Value::zero(bytes.ty()), bytes))
            }
        }
    }

    /// The adjoints of what was copied from memory that is its own shadow end where they are.
    pub(super) fn clear_copy_of_own(
        &mut self,
        from: ValueId,
        [to_shadow, from_shadow]: [Value; 2],
        bytes: Value,
    ) -> Result<(), Error> {
        if self.plan.memory_activity == MemoryActivity::Known {
            return Ok(());
        }
        let is_own = self.is_own(from, from_shadow)?;
        let cleared = self.builder.select(is_own, bytes, Value::zero(bytes.ty()));
        self.builder.fill(to_shadow, Value::zero(self.integer(8)), cleared, 1);
        Ok(())
    }

    fn is_own(&mut self, pointer: ValueId, shadow: Value) -> Result<Value, Error> {
        let pointer = self.known(Known::Primal(pointer))?[0];
        Ok(self.builder.integer_compare(LLVMIntPredicate::LLVMIntEQ, pointer, shadow))
    }
}
