//! What integer arithmetic on the bits of a float does to derivatives: to tangents on the way there, and the same to adjoints
//! on the way back. Derivatives are in the clothes of integers here, as the floats are.

use super::ZeroProducts;
use super::emitter::Factor;
use crate::ir::{Builder, Kind, Type, Value};
use inkwell::llvm_sys::{LLVMOpcode, LLVMRealPredicate};

/// What it does.
#[derive(Clone, Copy)]
pub(super) enum BitEffect {
    /// These bits change: signs.
    Flips(Value),
    /// This float multiplies.
    Times(Value),
}

impl BitEffect {
    /// Signs change as they do from a float to the result.
    pub(super) fn sign(builder: &Builder, float: Value, result: Value) -> BitEffect {
        BitEffect::Flips(builder.binary(LLVMOpcode::LLVMXor, result, float))
    }

    /// An operation scales a float, which is the first or the second operand, by what it adds to the exponent.
    pub(super) fn scale(
        builder: &Builder,
        opcode: LLVMOpcode,
        by: Value,
        float_is_operand: usize,
    ) -> BitEffect {
        let ty = by.ty();
        // What becomes of 1 is the power of two itself.
        let one = builder.cast(LLVMOpcode::LLVMBitCast, Value::float(as_float(ty), "1.0"), ty);
        let (left, right) = if float_is_operand == 0 { (one, by) } else { (by, one) };
        let factor = builder.binary(opcode, left, right);
        BitEffect::Times(builder.cast(LLVMOpcode::LLVMBitCast, factor, as_float(ty)))
    }

    /// A float gets another sign and exponent.
    pub(super) fn normalise(builder: &Builder, float: Value, result: Value) -> BitEffect {
        let as_float = |bits: Value| builder.cast(LLVMOpcode::LLVMBitCast, bits, as_float(bits.ty()));
        let (result, float) = (as_float(result), as_float(float));
        let factor = builder.float_divide(result, float);
        // The mantissa of zero is that of no number; there it counts as constant.
        let zero = Value::zero(float.ty());
        let is_zero = builder.float_compare(LLVMRealPredicate::LLVMRealOEQ, float, zero);
        BitEffect::Times(builder.select(is_zero, zero, factor))
    }

    /// The same happens to a derivative.
    pub(super) fn apply(self, builder: &Builder, derivative: Value, zero_products: ZeroProducts) -> Value {
        match self {
            BitEffect::Flips(changed) => builder.binary(LLVMOpcode::LLVMXor, derivative, changed),
            BitEffect::Times(factor) => {
                let float = builder.cast(LLVMOpcode::LLVMBitCast, derivative, factor.ty());
                let product = Factor::Other(factor).times(builder, float, zero_products);
                builder.cast(LLVMOpcode::LLVMBitCast, product, derivative.ty())
            }
        }
    }
}

/// The float, or vector of floats, that has as many bits.
fn as_float(ty: Type) -> Type {
    let context = ty.context();
    let scalar = match ty.scalar().kind() {
        Kind::Integer(16) => Type::half(context),
        Kind::Integer(32) => Type::float(context),
        _ => Type::double(context),
    };
    match ty.kind() {
        Kind::Vector(length) => scalar.vector(length),
        _ => scalar,
    }
}
