//! Library functions and intrinsics.

use enzyme::model::InstId;
use enzyme::rules::{self, Abi};

use super::casts;
use super::value::{Byte, Value, bytes_of, signed};
use super::{Frame, Machine, Operand, Stop};

impl<'m> Machine<'m> {
    pub(super) fn call_library(
        &mut self,
        frame: &Frame<'m>,
        inst: InstId,
        name: &str,
        arguments: Vec<Value>,
    ) -> Result<Option<Value>, Stop> {
        let of = |family: &str| name == family || name.starts_with(&format!("{family}."));
        if of("llvm.memcpy") || of("llvm.memmove") || name == "memcpy" || name == "memmove" {
            self.copy_memory(frame, inst, &arguments)?;
            return Ok((!name.starts_with("llvm.")).then(|| arguments[0].clone()));
        }
        if of("llvm.memset") || name == "memset" {
            self.fill_memory(frame, inst, &arguments)?;
            return Ok((!name.starts_with("llvm.")).then(|| arguments[0].clone()));
        }
        if of("llvm.lifetime.start") || of("llvm.lifetime.end") || of("llvm.assume") {
            return Ok(None);
        }
        match name {
            "malloc" => {
                let size = self.integer_operand(&arguments[0].0)? as usize;
                return Ok(Some(Value::pointer(self.memory.allocate(vec![Byte::default(); size]))));
            }
            "calloc" => {
                let count = self.integer_operand(&arguments[0].0)? as usize;
                let size = self.integer_operand(&arguments[1].0)? as usize;
                return Ok(Some(Value::pointer(self.memory.allocate(vec![Byte::plain(0); count * size]))));
            }
            "free" => {
                let (address, _) = self.address(&arguments[0])?;
                self.memory.free(address)?;
                return Ok(None);
            }
            _ => {}
        }
        for (family, choose) in INTEGER_CHOICES {
            if of(family) {
                return self.choose(frame, inst, &arguments, choose).map(Some);
            }
        }
        if of("llvm.vector.reduce.fadd") {
            return self.sum(frame, inst, &arguments).map(Some);
        }
        self.rule_of_name(frame, inst, name, arguments).map(Some)
    }

    fn copy_memory(&mut self, frame: &Frame<'m>, inst: InstId, arguments: &[Value]) -> Result<(), Stop> {
        let (to, to_pointer) = self.address(&arguments[0])?;
        let (from, from_pointer) = self.address(&arguments[1])?;
        let size = self.integer_operand(&arguments[2].0)? as usize;
        if size > 0 {
            let value = self.read(from_pointer, from, size)?;
            let run = self.write(to_pointer, to, &value)?;
            self.trace.note_write(frame.context, inst, run);
        }
        Ok(())
    }

    fn fill_memory(&mut self, frame: &Frame<'m>, inst: InstId, arguments: &[Value]) -> Result<(), Stop> {
        let (to, pointer) = self.address(&arguments[0])?;
        let byte = self.integer_operand(&arguments[1].0)? as u8;
        let size = self.integer_operand(&arguments[2].0)? as usize;
        if size > 0 {
            let run = self.write(pointer, to, &Value(vec![Byte::plain(byte); size]))?;
            self.trace.note_write(frame.context, inst, run);
        }
        Ok(())
    }

    /// The smaller or larger of two integers.
    fn choose(
        &mut self,
        frame: &Frame<'m>,
        inst: InstId,
        arguments: &[Value],
        choose: &Choice,
    ) -> Result<Value, Stop> {
        let function = frame.function;
        let ty = function.values[function.insts[inst].operands[0]].ty;
        let (width, size) = self.int_lanes(function, ty)?;
        self.lane_by_lane(&arguments[..2], size, size, |machine, lanes| {
            let (x, y) = (machine.integer_operand(lanes[0])?, machine.integer_operand(lanes[1])?);
            Ok(Value::integer(width, if choose(width, x, y) { x } else { y }).0)
        })
    }

    /// `llvm.vector.reduce.fadd`: the start and the elements, one after the other.
    fn sum(&mut self, frame: &Frame<'m>, inst: InstId, arguments: &[Value]) -> Result<Value, Stop> {
        let function = frame.function;
        let ty = self.float_type(function, function.values[function.insts[inst].operands[0]].ty)?;
        let mut total = arguments[0].clone();
        for element in arguments[1].0.chunks(bytes_of(ty.bits())) {
            let operands = [Operand::Float(&total.0, ty), Operand::Float(element, ty)];
            let mut sum =
                self.apply(casts::function_of(enzyme::model::FloatBinaryOp::Add), &operands, &[Some(ty)])?;
            total = sum.swap_remove(0);
        }
        Ok(total)
    }

    /// A function that the table of rules knows by name.
    fn rule_of_name(
        &mut self,
        frame: &Frame<'m>,
        inst: InstId,
        name: &str,
        mut arguments: Vec<Value>,
    ) -> Result<Value, Stop> {
        let unknown = || Stop::unsupported(format!("the function {name}"));
        let named = rules::names::lookup(name).ok_or_else(unknown)?;
        let function = named.function;
        arguments.truncate(function.operands().len());
        match (named.abi, function.results()) {
            (Abi::Value, [rules::Kind::Float]) => {
                self.float_function(frame.function, inst, function, &arguments)
            }
            (Abi::Value, [rules::Kind::Int]) if function == rules::Function::Fptosi => {
                self.saturating_integer(frame, inst, &arguments)
            }
            _ => Err(unknown()),
        }
    }

    /// `llvm.fptosi.sat`.
    fn saturating_integer(
        &mut self,
        frame: &Frame<'m>,
        inst: InstId,
        arguments: &[Value],
    ) -> Result<Value, Stop> {
        let function = frame.function;
        let data = &function.insts[inst];
        let from = self.float_type(function, function.values[data.operands[0]].ty)?;
        let result = data.result.ok_or_else(|| Stop::unsupported("a call without a result"))?;
        let (width, size) = self.int_lanes(function, function.values[result].ty)?;
        self.lane_by_lane(arguments, bytes_of(from.bits()), size, |machine, lanes| {
            let value = machine.float_operand(lanes[0], from)?.value as i128;
            let most = (1_i128 << (width - 1)) - 1;
            let number = value.clamp(-most - 1, most) as u128;
            machine.decide(number);
            Ok(Value::integer(width, number).0)
        })
    }
}

/// Whether the first of two integers of this width is chosen.
type Choice = fn(u32, u128, u128) -> bool;

const INTEGER_CHOICES: &[(&str, Choice)] = &[
    ("llvm.smin", |width, x, y| signed(width, x) <= signed(width, y)),
    ("llvm.smax", |width, x, y| signed(width, x) >= signed(width, y)),
    ("llvm.umin", |_, x, y| x <= y),
    ("llvm.umax", |_, x, y| x >= y),
];
