//! Reads what instructions and constant expressions have in common: the opcodes that compute a value and do
//! nothing else.

use enzyme::model::{
    CastFlags, CastOp, ElementPointerFlags, FastMath, FloatBinaryOp, FloatPredicate, InRange, IntBinaryOp,
    IntFlags, IntPredicate, Opcode, ShuffleLane,
};
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::LLVMValueRef;
use smallvec::SmallVec;

use super::{ReadError, Reader, shim};
use crate::ffi::{self, fast_math, poison};
use crate::ir::llvm;

impl Reader {
    /// The opcode of arithmetic, a comparison, a conversion, an access to parts, an address computation or a
    /// choice; `None` for anything else.
    pub(super) fn value_opcode(
        &mut self,
        raw: LLVMValueRef,
        word: &str,
    ) -> Result<Option<Opcode>, ReadError> {
        if let Some(op) = FloatBinaryOp::from_mnemonic(word) {
            return Ok(Some(Opcode::FloatBinary { op, fast_math: fast_math_of(raw) }));
        }
        if let Some(op) = IntBinaryOp::from_mnemonic(word) {
            return Ok(Some(Opcode::IntBinary { op, flags: int_flags(raw) }));
        }
        if let Some(op) = CastOp::from_mnemonic(word) {
            return Ok(Some(Opcode::Cast { op, flags: cast_flags(raw) }));
        }
        Ok(Some(match word {
            "getelementptr" => {
                let source = self.ty(llvm!(LLVMGetGEPSourceElementType(raw)))?;
                Opcode::GetElementPointer { source, flags: element_pointer_flags(raw) }
            }
            "icmp" => int_compare(raw)?,
            "fcmp" => float_compare(raw)?,
            "fneg" => Opcode::FloatNegate { fast_math: fast_math_of(raw) },
            "select" => Opcode::Select { fast_math: fast_math_of(raw) },
            "freeze" => Opcode::Freeze,
            "extractvalue" => Opcode::ExtractValue { indices: indices(raw) },
            "insertvalue" => Opcode::InsertValue { indices: indices(raw) },
            "extractelement" => Opcode::ExtractElement,
            "insertelement" => Opcode::InsertElement,
            "shufflevector" => Opcode::ShuffleVector { mask: shuffle_lanes(raw) },
            _ => return Ok(None),
        }))
    }
}

/// The fast-math flags of anything.
pub(super) fn fast_math_of(raw: LLVMValueRef) -> FastMath {
    let bits = ffi::fast_math_flags(raw);
    let has = |flag| bits & flag != 0;
    FastMath {
        reassociate: has(fast_math::REASSOCIATE),
        no_nans: has(fast_math::NO_NANS),
        no_infinities: has(fast_math::NO_INFINITIES),
        no_signed_zeros: has(fast_math::NO_SIGNED_ZEROS),
        allow_reciprocal: has(fast_math::RECIPROCAL),
        allow_contract: has(fast_math::CONTRACT),
        approximate_functions: has(fast_math::APPROXIMATE_FUNCTIONS),
    }
}

fn int_flags(raw: LLVMValueRef) -> IntFlags {
    let bits = ffi::poison_flags(raw);
    IntFlags {
        no_unsigned_wrap: bits & poison::NO_UNSIGNED_WRAP != 0,
        no_signed_wrap: bits & poison::NO_SIGNED_WRAP != 0,
        exact: bits & poison::EXACT != 0,
        disjoint: bits & poison::DISJOINT != 0,
    }
}

fn cast_flags(raw: LLVMValueRef) -> CastFlags {
    let bits = ffi::poison_flags(raw);
    CastFlags {
        non_negative: bits & poison::NON_NEGATIVE != 0,
        no_unsigned_wrap: bits & poison::NO_UNSIGNED_WRAP != 0,
        no_signed_wrap: bits & poison::NO_SIGNED_WRAP != 0,
        fast_math: fast_math_of(raw),
    }
}

fn element_pointer_flags(raw: LLVMValueRef) -> ElementPointerFlags {
    let bits = ffi::poison_flags(raw);
    let range = shim::in_range(raw);
    let in_range = match range.kind {
        1 => Some(InRange::Bytes { start: range.start, end: range.end }),
        2 => Some(InRange::Index(range.start as u32)),
        _ => None,
    };
    let in_bounds = bits & poison::IN_BOUNDS != 0;
    ElementPointerFlags {
        in_bounds,
        // Implied by `inbounds`; the text form, and LLVMs that do not know it, leave it out then.
        no_unsigned_signed_wrap: !in_bounds && bits & poison::NO_UNSIGNED_SIGNED_WRAP != 0,
        no_unsigned_wrap: bits & poison::NO_UNSIGNED_WRAP != 0,
        in_range: in_range.map(Box::new),
    }
}

fn int_compare(raw: LLVMValueRef) -> Result<Opcode, ReadError> {
    let word = shim::predicate_name(raw);
    let predicate = IntPredicate::from_mnemonic(&word)
        .ok_or(ReadError::UnknownWord { place: "an integer comparison", word })?;
    let same_sign = ffi::poison_flags(raw) & poison::SAME_SIGN != 0;
    Ok(Opcode::IntCompare { predicate, same_sign })
}

fn float_compare(raw: LLVMValueRef) -> Result<Opcode, ReadError> {
    let word = shim::predicate_name(raw);
    let predicate = FloatPredicate::from_mnemonic(&word)
        .ok_or(ReadError::UnknownWord { place: "a floating-point comparison", word })?;
    Ok(Opcode::FloatCompare { predicate, fast_math: fast_math_of(raw) })
}

fn indices(raw: LLVMValueRef) -> SmallVec<[u32; 4]> {
    let (indices, count) = (llvm!(LLVMGetIndices(raw)), llvm!(LLVMGetNumIndices(raw)) as usize);
    // SAFETY: the instruction holds that many indices.
    SmallVec::from_slice(unsafe { std::slice::from_raw_parts(indices, count) })
}

fn shuffle_lanes(raw: LLVMValueRef) -> Vec<ShuffleLane> {
    shim::shuffle_mask(raw).iter().map(|lane| u32::try_from(*lane).ok()).collect()
}
