//! Constants and addresses.

use enzyme::model::{
    CastOp, ConstantExpression, ConstantId, ConstantKind, Context, FloatBits, Integer, Opcode, Type, TypeId,
};

use super::value::{Byte, Value, bits, bytes_of, signed};
use super::{Machine, Stop};
use crate::trace::Origin;

impl Machine<'_> {
    /// The bytes of a constant.
    pub(crate) fn constant(&mut self, context: &Context, id: ConstantId) -> Result<Value, Stop> {
        let constant = context.constant(id);
        let size = self.layout.store_size(context, constant.ty) as usize;
        match &constant.kind {
            ConstantKind::Integer(integer) => Ok(integer_value(integer)),
            ConstantKind::Float(FloatBits(bits)) => match context.ty(constant.ty) {
                Type::Float(float) => Ok(Value::float(*float, *bits, Origin::Float(*float))),
                _ => Err(Stop::unsupported("a float of another type")),
            },
            ConstantKind::Null => Ok(Value::integer(64, 0)),
            ConstantKind::Zero => Ok(Value(vec![Byte::plain(0); self.lanes_in_bytes(context, constant.ty)])),
            ConstantKind::Undef | ConstantKind::Poison => Ok(Value::undefined(size)),
            ConstantKind::Aggregate(parts) => {
                let mut value = Value::undefined(self.lanes_in_bytes(context, constant.ty));
                for (index, part) in parts.iter().enumerate() {
                    let part_value = self.constant(context, *part)?;
                    let (offset, _) = self.part(context, constant.ty, index as u64)?;
                    let offset = offset as usize;
                    value.0[offset..offset + part_value.0.len()].copy_from_slice(&part_value.0);
                }
                Ok(value)
            }
            ConstantKind::Data(bytes) => {
                let element = match context.ty(constant.ty) {
                    Type::Array { element, .. } | Type::Vector { element, .. } => context.ty(*element),
                    _ => return Err(Stop::unsupported("data of another type")),
                };
                let (origin, width) = match element {
                    Type::Float(float) => (Origin::Float(*float), bytes_of(float.bits())),
                    _ => (Origin::Plain, 1),
                };
                let byte = |(index, &bits): (usize, &u8)| Byte {
                    origin,
                    position: (index % width) as u8,
                    ..Byte::plain(bits)
                };
                Ok(Value(bytes.iter().enumerate().map(byte).collect()))
            }
            ConstantKind::Expression(expression) => self.expression(context, expression),
            ConstantKind::Global(global) => self.global(&context.globals[*global].name),
            ConstantKind::NoneToken
            | ConstantKind::Splat(_)
            | ConstantKind::BlockAddress { .. }
            | ConstantKind::DsoLocalEquivalent(_)
            | ConstantKind::NoCfi(_)
            | ConstantKind::PointerAuthentication(_) => Err(Stop::unsupported("a constant of this kind")),
        }
    }

    /// The address of a global.
    pub(crate) fn global(&mut self, name: &str) -> Result<Value, Stop> {
        let address = self.global_addresses.get(name);
        address.map(|&address| Value::pointer(address)).ok_or_else(|| Stop::unsupported("an unknown global"))
    }

    fn expression(&mut self, context: &Context, expression: &ConstantExpression) -> Result<Value, Stop> {
        let operands = &expression.operands;
        let operands: Vec<Value> =
            operands.iter().map(|operand| self.constant(context, *operand)).collect::<Result<_, _>>()?;
        match &expression.opcode {
            Opcode::GetElementPointer { source, .. } => self.element_pointer(context, *source, &operands),
            Opcode::Cast {
                op: CastOp::Bitcast | CastOp::PointerToInteger | CastOp::IntegerToPointer,
                ..
            } => Ok(operands[0].clone()),
            other => Err(Stop::unsupported(format!("a constant {}", other.mnemonic()))),
        }
    }

    /// The address of an element: operands are the pointer and the indices.
    pub(crate) fn element_pointer(
        &mut self,
        context: &Context,
        source: TypeId,
        operands: &[Value],
    ) -> Result<Value, Stop> {
        let Some((pointer, indices)) = operands.split_first().filter(|(pointer, _)| pointer.0.len() == 8)
        else {
            return Err(Stop::unsupported("addresses in a vector"));
        };
        let mut offset: i64 = 0;
        let mut ty = source;
        for (level, index) in indices.iter().enumerate() {
            let number = self.integer_operand(&index.0)?;
            let number = signed(8 * index.0.len() as u32, number) as i64;
            offset += match (level, context.ty(ty)) {
                (0, _) => number * self.layout.allocation_size(context, ty) as i64,
                (_, Type::Struct(_) | Type::Array { .. } | Type::Vector { .. }) => {
                    let (at, part) = match context.ty(ty) {
                        Type::Struct(_) => self.part(context, ty, number as u64)?,
                        _ => {
                            let (stride, part) = self.part(context, ty, 1)?;
                            (stride.wrapping_mul(number as u64), part)
                        }
                    };
                    ty = part;
                    at as i64
                }
                (_, _) => return Err(Stop::unsupported("an index into this type")),
            };
        }
        let address = (bits(&pointer.0)? as u64).wrapping_add_signed(offset);
        let mut result = Value::pointer(address);
        for (byte, base) in result.0.iter_mut().zip(&pointer.0) {
            byte.node = base.node;
        }
        Ok(result)
    }

    /// Offset and type of a part of an aggregate or a vector.
    pub(crate) fn part(&self, context: &Context, ty: TypeId, index: u64) -> Result<(u64, TypeId), Stop> {
        match context.ty(ty) {
            Type::Array { element, .. } => {
                Ok((index * self.layout.allocation_size(context, *element), *element))
            }
            Type::Vector { element, .. } => Ok((index * self.layout.store_size(context, *element), *element)),
            Type::Struct(structure) => {
                let body = structure.body.as_ref();
                let field = body.and_then(|body| {
                    let offsets = self.layout.field_offsets(context, body);
                    offsets.get(index as usize).copied().zip(body.fields.get(index as usize).copied())
                });
                field.ok_or_else(|| Stop::unsupported("no such field"))
            }
            _ => Err(Stop::unsupported("a part of a scalar")),
        }
    }

    /// Bytes of a value; vectors of truth values have a byte for each element.
    fn lanes_in_bytes(&self, context: &Context, ty: TypeId) -> usize {
        match context.ty(ty) {
            Type::Vector { length, element } => {
                length.minimum() as usize * self.layout.store_size(context, *element) as usize
            }
            _ => self.layout.store_size(context, ty) as usize,
        }
    }
}

fn integer_value(integer: &Integer) -> Value {
    let bytes = integer.words().iter().flat_map(|word| word.to_le_bytes());
    Value(bytes.take(bytes_of(integer.bits())).map(Byte::plain).collect())
}
