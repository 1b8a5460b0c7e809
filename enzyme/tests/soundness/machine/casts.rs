//! Conversions, and floating-point instructions element by element.

use enzyme::model::{CastOp, FloatBinaryOp, FloatBits, Function, InstId, Type, TypeId};
use enzyme::rules;

use super::integer::resize;
use super::value::{Byte, Value, bits, bytes_of, mask, signed};
use super::{Machine, Operand, Stop};
use crate::trace::Origin;

/// The rule of an instruction.
pub(crate) fn function_of(op: FloatBinaryOp) -> rules::Function {
    match op {
        FloatBinaryOp::Add => rules::Function::Fadd,
        FloatBinaryOp::Subtract => rules::Function::Fsub,
        FloatBinaryOp::Multiply => rules::Function::Fmul,
        FloatBinaryOp::Divide => rules::Function::Fdiv,
        FloatBinaryOp::Remainder => rules::Function::Frem,
    }
}

impl Machine<'_> {
    /// A function of floats that gives a float of the result's type, element by element.
    pub(crate) fn float_function(
        &mut self,
        function: &Function,
        inst: InstId,
        rule: rules::Function,
        operands: &[Value],
    ) -> Result<Value, Stop> {
        let data = &function.insts[inst];
        let result = data.result.ok_or_else(|| Stop::unsupported("a float function without a result"))?;
        let to = self.float_type(function, function.values[result].ty)?;
        let elements: Vec<(&Type, u32)> = data
            .operands
            .iter()
            .take(operands.len())
            .map(|&operand| self.element(function, function.values[operand].ty))
            .collect();
        let lanes = operands[0].0.len() / bytes_of(elements[0].1);
        let mut value = Vec::new();
        for lane in 0..lanes {
            let mut scalars = Vec::with_capacity(operands.len());
            for (operand, &(element, width)) in operands.iter().zip(&elements) {
                let size = bytes_of(width);
                // An integer operand is the same for all elements.
                let start = if operand.0.len() > size { lane * size } else { 0 };
                let bytes = &operand.0[start..start + size];
                scalars.push(match element {
                    Type::Float(float) => Operand::Float(bytes, *float),
                    _ => Operand::Integer(signed(width, self.integer_operand(bytes)?) as i64),
                });
            }
            let results = self.apply(rule, &scalars, &[Some(to)])?;
            value.extend(results.into_iter().flat_map(|result| result.0));
        }
        Ok(Value(value))
    }

    pub(crate) fn cast(
        &mut self,
        function: &Function,
        inst: InstId,
        op: CastOp,
        operand: &Value,
        from: TypeId,
        to: TypeId,
    ) -> Result<Value, Stop> {
        let (_, from_width) = self.element(function, from);
        let (to_element, to_width) = self.element(function, to);
        let (from_size, to_size) = (bytes_of(from_width), bytes_of(to_width));
        let one = std::slice::from_ref(operand);
        match op {
            CastOp::FloatTruncate => self.float_function(function, inst, rules::Function::Fptrunc, one),
            CastOp::FloatExtend => self.float_function(function, inst, rules::Function::Fpext, one),
            CastOp::Truncate | CastOp::ZeroExtend => {
                self.lane_by_lane(one, from_size, to_size, |_, lanes| Ok(resize(lanes[0], to_width, 0).0))
            }
            CastOp::SignExtend => self.lane_by_lane(one, from_size, to_size, |_, lanes| {
                let number = signed(from_width, bits(lanes[0])?) as u128;
                let mut wide = Value::integer(to_width, number).0;
                if from_width.is_multiple_of(8) {
                    wide[..from_size].copy_from_slice(lanes[0]);
                }
                Ok(wide)
            }),
            CastOp::FloatToUnsigned | CastOp::FloatToSigned => {
                let ty = self.float_type(function, from)?;
                self.lane_by_lane(one, from_size, to_size, |machine, lanes| {
                    let value = machine.float_operand(lanes[0], ty)?.value.trunc();
                    let number = value as i128;
                    let fits = match op {
                        CastOp::FloatToSigned => signed(to_width, number as u128) == number,
                        _ => number >= 0 && number as u128 & mask(to_width) == number as u128,
                    };
                    if !fits {
                        return Ok(Value::undefined(to_size).0);
                    }
                    machine.decide(number as u128);
                    Ok(Value::integer(to_width, number as u128).0)
                })
            }
            CastOp::UnsignedToFloat | CastOp::SignedToFloat => {
                let Type::Float(ty) = *to_element else {
                    return Err(Stop::unsupported("a conversion to this type"));
                };
                self.lane_by_lane(one, from_size, to_size, |machine, lanes| {
                    let number = machine.decision(lanes[0])?;
                    let value = match op {
                        CastOp::SignedToFloat => signed(from_width, number) as f64,
                        _ => number as f64,
                    };
                    Ok(Value::float(ty, FloatBits::from_f64(ty, value).0, Origin::Float(ty)).0)
                })
            }
            CastOp::PointerToInteger | CastOp::PointerToAddress | CastOp::IntegerToPointer
                if from_width == to_width =>
            {
                // An address made from an integer is an address from now on.
                let address = |(byte, position): (&Byte, usize)| match op {
                    CastOp::IntegerToPointer => {
                        Byte { origin: Origin::Pointer, position: (position % 8) as u8, ..*byte }
                    }
                    _ => *byte,
                };
                Ok(Value(operand.0.iter().zip(0..).map(address).collect()))
            }
            CastOp::AddressSpaceCast => Ok(operand.clone()),
            CastOp::Bitcast if from_width.is_multiple_of(8) && to_width.is_multiple_of(8) => {
                Ok(operand.clone())
            }
            CastOp::Bitcast
            | CastOp::PointerToInteger
            | CastOp::PointerToAddress
            | CastOp::IntegerToPointer => Err(Stop::unsupported("a conversion between these widths")),
        }
    }
}
