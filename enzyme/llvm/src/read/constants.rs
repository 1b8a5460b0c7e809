//! Reads constants.

use enzyme::model::{
    BlockReference, Constant, ConstantExpression, ConstantId, ConstantKind, FloatBits, Integer,
    PointerAuthentication, Type, TypeId, VectorLength,
};
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::LLVMValueRef;
use smallvec::SmallVec;

use super::shim::{self, ValueClass};
use super::{ReadError, Reader};
use crate::ir::{Block, Value, llvm};

impl Reader {
    /// A constant, globals included.
    pub(super) fn constant(&mut self, raw: LLVMValueRef) -> Result<ConstantId, ReadError> {
        if let Some(known) = self.known_constants.get(&raw) {
            return Ok(*known);
        }
        let id = self.unknown_constant(raw)?;
        self.known_constants.insert(raw, id);
        Ok(id)
    }

    fn unknown_constant(&mut self, raw: LLVMValueRef) -> Result<ConstantId, ReadError> {
        let class = shim::value_class(raw);
        if class.is_global() {
            let global = self.global(raw)?;
            return Ok(self.function.context.global_address(global));
        }
        let ty = self.ty(llvm!(LLVMTypeOf(raw)))?;
        let kind = match class {
            ValueClass::Integer => {
                let (bits, words) = shim::integer_words(raw);
                let element = self.function.context.integer(Integer::from_words(bits, words));
                return Ok(self.everywhere(ty, element));
            }
            ValueClass::Float => {
                let scalar = self.ty(scalar_type(raw))?;
                let element = self.function.context.float(scalar, FloatBits(shim::float_bits(raw)));
                return Ok(self.everywhere(ty, element));
            }
            ValueClass::Aggregate => {
                let elements = self.constant_operands(raw)?.into_vec();
                return Ok(self.function.context.aggregate(ty, elements));
            }
            ValueClass::Data => return Ok(self.function.context.data(ty, shim::constant_data(raw))),
            ValueClass::Null => ConstantKind::Null,
            ValueClass::Undef => ConstantKind::Undef,
            ValueClass::Poison => ConstantKind::Poison,
            ValueClass::Zero => ConstantKind::Zero,
            ValueClass::NoneToken => ConstantKind::NoneToken,
            ValueClass::Expression => match self.splat(raw, ty)? {
                Some(splat) => return Ok(splat),
                None => ConstantKind::Expression(Box::new(self.expression(raw)?)),
            },
            ValueClass::BlockAddress => self.block_address(raw)?,
            ValueClass::DsoLocalEquivalent => {
                ConstantKind::DsoLocalEquivalent(self.global(shim::wrapped_global(raw))?)
            }
            ValueClass::NoCfi => ConstantKind::NoCfi(self.global(shim::wrapped_global(raw))?),
            ValueClass::PointerAuthentication => {
                ConstantKind::PointerAuthentication(Box::new(self.pointer_authentication(raw)?))
            }
            ValueClass::Parameter
            | ValueClass::Instruction
            | ValueClass::Block
            | ValueClass::Metadata
            | ValueClass::InlineAsm
            | ValueClass::Variable
            | ValueClass::Function
            | ValueClass::Alias
            | ValueClass::IndirectFunction
            | ValueClass::Unknown => return Err(ReadError::UnknownConstant { text: Value(raw).to_string() }),
        };
        Ok(self.function.context.intern_constant(Constant { ty, kind }))
    }

    /// A number as it is, or in each place of a vector: newer LLVMs can give numbers the type of a vector.
    fn everywhere(&mut self, ty: TypeId, element: ConstantId) -> ConstantId {
        match *self.function.context.ty(ty) {
            Type::Vector { length, .. } => self.function.context.splat(ty, length, element),
            _ => element,
        }
    }

    /// The value of a scalable vector with the same constant in each place, which LLVM writes as a shuffle.
    fn splat(&mut self, raw: LLVMValueRef, ty: TypeId) -> Result<Option<ConstantId>, ReadError> {
        let Type::Vector { length: length @ VectorLength::Scalable(_), .. } = *self.function.context.ty(ty)
        else {
            return Ok(None);
        };
        let Some(element) = shim::splat_value(raw) else { return Ok(None) };
        let element = self.constant(element)?;
        Ok(Some(self.function.context.splat(ty, length, element)))
    }

    fn expression(&mut self, raw: LLVMValueRef) -> Result<ConstantExpression, ReadError> {
        let word = shim::opcode_name(raw);
        let opcode = self
            .value_opcode(raw, &word)?
            .ok_or(ReadError::UnknownWord { place: "a constant expression", word })?;
        Ok(ConstantExpression { opcode, operands: self.constant_operands(raw)? })
    }

    fn constant_operands(&mut self, raw: LLVMValueRef) -> Result<SmallVec<[ConstantId; 4]>, ReadError> {
        let count = llvm!(LLVMGetNumOperands(raw)).max(0) as u32;
        (0..count).map(|index| self.constant(llvm!(LLVMGetOperand(raw, index)))).collect()
    }

    fn block_address(&mut self, raw: LLVMValueRef) -> Result<ConstantKind, ReadError> {
        let (function, block) = shim::block_address(raw);
        let block = match self.known_blocks.get(&block) {
            Some(own) => BlockReference::Own(*own),
            None => BlockReference::Other(label(Block(block))),
        };
        Ok(ConstantKind::BlockAddress { function: self.global(function)?, block })
    }

    /// LLVM fills in what is not given: no discriminator is 0, no address is null.
    fn pointer_authentication(&mut self, raw: LLVMValueRef) -> Result<PointerAuthentication, ReadError> {
        let operands = self.constant_operands(raw)?;
        let mut parts = operands.iter().copied();
        let (Some(pointer), Some(key)) = (parts.next(), parts.next()) else {
            return Err(ReadError::UnknownConstant { text: Value(raw).to_string() });
        };
        let mut given = parts.collect::<Vec<_>>();
        while given.last().is_some_and(|part| self.function.context.is_zero(*part)) {
            given.pop();
        }
        let mut given = given.into_iter();
        Ok(PointerAuthentication {
            pointer,
            key,
            discriminator: given.next(),
            address_discriminator: given.next(),
            deactivation_symbol: given.next(),
        })
    }
}

/// The type of a value, or of its elements when it is a vector.
fn scalar_type(raw: LLVMValueRef) -> inkwell::llvm_sys::prelude::LLVMTypeRef {
    Value(raw).ty().scalar().0
}

/// The label of a block, or its place in its function when it has none.
fn label(block: Block) -> String {
    let name = block.name();
    if !name.is_empty() {
        return name;
    }
    block.function().blocks().position(|other| other == block).unwrap_or_default().to_string()
}
