//! Pointers whose shadows in all directions are found from one address: those that a caller lays out at equal distances,
//! and those of memory of the function's own, the tangents of an element side by side in it.

use super::directions::{Group, Tangents};
use super::forward::Writer;
use crate::error::Error;
use crate::ir::{Builder, Function, Instruction, Module, Type, Value};
use enzyme::model::{InstId, Opcode, ValueId};
use enzyme::plan::{Fresh, ShadowLayout};
use inkwell::llvm_sys::{LLVMIntPredicate, LLVMLinkage, LLVMOpcode};

/// The alignment that shadows of frame memory get at least where their size is a multiple of it: vectors are read and
/// written at once.
const VECTOR_ALIGNMENT: u64 = 32;

impl Writer<'_> {
    /// How the shadows of a pointer are found from one address, if they are.
    pub(super) fn layout_of(&self, pointer: ValueId) -> Option<ShadowLayout> {
        self.plan.layouts[pointer]
    }

    /// The shadows of a pointer one by one, where they are found from one address.
    pub(super) fn places(&self, pointer: ValueId, shadow: &[Value]) -> Option<Tangents> {
        let step = self.layout_of(pointer)?.step;
        Some(
            (0..self.key.width as u64)
                .map(|direction| self.builder.offset(shadow[0], direction * step))
                .collect(),
        )
    }

    /// Does an instruction once for all directions where it makes or moves a pointer whose shadows are found from one
    /// address, or reads or writes shadows that lie side by side. Says whether it was such.
    pub(super) fn mirror_at_once(
        &mut self,
        inst: InstId,
        primal: Instruction,
        fresh: Fresh,
    ) -> Result<Handled, Error> {
        let data = &self.read.model.insts[inst];
        let pointer = match data.opcode {
            Opcode::Load { .. } => data.operands.first().copied(),
            Opcode::Store { .. } => data.operands.get(1).copied(),
            _ => data.result,
        };
        let Some(layout) = pointer.and_then(|pointer| self.layout_of(pointer)) else {
            return Ok(Handled::No);
        };
        let shadow = match &data.opcode {
            Opcode::Alloca { .. } => self.alloca_side_by_side(primal, layout, fresh)?,
            Opcode::GetElementPointer { .. } => {
                let base = self.shadow(data.operands[0])?[0];
                self.builder.scaled_element_pointer(self.module, primal, base, layout.scale)
            }
            Opcode::Phi { .. } => self.builder.phi(primal.value().ty(), "").value(),
            Opcode::Select { .. } => {
                let condition = self.primal.value(data.operands[0])?;
                let (yes, no) = (self.shadow(data.operands[1])?[0], self.shadow(data.operands[2])?[0]);
                self.builder.select(condition, yes, no)
            }
            Opcode::Load { access } | Opcode::Store { access }
                if !layout.is_side_by_side() || access.atomic.is_some() || access.volatile =>
            {
                return Ok(Handled::No);
            }
            Opcode::Load { .. } => return self.load_side_by_side(inst, primal, layout),
            Opcode::Store { .. } => return self.store_side_by_side(inst, primal, layout),
            _ => return Ok(Handled::No),
        };
        self.set(inst, Tangents::from_slice(&[shadow]))?;
        Ok(Handled::Yes)
    }

    fn alloca_side_by_side(
        &self,
        primal: Instruction,
        layout: ShadowLayout,
        fresh: Fresh,
    ) -> Result<Value, Error> {
        let ty = primal.allocated_type().array(layout.scale);
        let shadow = self.builder.array_alloca(ty, primal.value().operands()[0]);
        let alignment = power_of_two_in(layout.scale * layout.step).min(VECTOR_ALIGNMENT);
        shadow.set_alignment(primal.alignment().max(alignment as u32));
        self.clear_new(primal, shadow, fresh)?;
        Ok(shadow.value())
    }

    fn load_side_by_side(
        &mut self,
        inst: InstId,
        primal: Instruction,
        layout: ShadowLayout,
    ) -> Result<Handled, Error> {
        let ty = primal.value().ty();
        let groups = self.directions.groups(ty);
        let shadow = self.shadow(self.read.model.insts[inst].operands[0])?[0];
        let mut tangents = Tangents::new();
        for &group in &groups {
            tangents.push(self.load_group(group, primal, shadow, layout));
        }
        self.set(inst, tangents)?;
        Ok(Handled::Yes)
    }

    /// The tangents of a float in memory in some directions.
    pub(super) fn load_group(
        &self,
        group: Group,
        primal: Instruction,
        shadow: Value,
        layout: ShadowLayout,
    ) -> Value {
        let (place, alignment) = self.place_of(group, shadow, primal, layout);
        let tangents = self.builder.load(group.of(primal.value().ty()), place, "");
        if let Some(load) = tangents.as_instruction() {
            load.set_alignment(alignment);
        }
        tangents
    }

    fn store_side_by_side(
        &mut self,
        inst: InstId,
        primal: Instruction,
        layout: ShadowLayout,
    ) -> Result<Handled, Error> {
        let operands = &self.read.model.insts[inst].operands;
        let ty = self.primal.value(operands[0])?.ty();
        let groups = self.directions.groups(ty);
        if groups.len() == self.key.width {
            // What is written may be a float in an integer's clothes.
            return Ok(Handled::No);
        }
        let tangents = self.shadow(operands[0])?;
        let shadow = self.shadow(operands[1])?[0];
        for (&group, tangent) in groups.iter().zip(tangents) {
            let (place, alignment) = self.place_of(group, shadow, primal, layout);
            self.builder.store(tangent, place).set_alignment(alignment);
        }
        Ok(Handled::Yes)
    }

    /// Where the tangents of a group of directions lie, and how that is aligned when the element itself is as the access
    /// says.
    fn place_of(
        &self,
        group: Group,
        shadow: Value,
        access: Instruction,
        layout: ShadowLayout,
    ) -> (Value, u32) {
        let offset = group.first as u64 * layout.step;
        let of_element = u64::from(access.alignment()).min(layout.step) * layout.scale;
        let alignment = power_of_two_in(of_element | offset).min(VECTOR_ALIGNMENT);
        (self.builder.offset(shadow, offset), alignment as u32)
    }

    /// The number of bytes of shadows that lie side by side, from that of the memory.
    pub(super) fn in_all_directions(&self, bytes: Value) -> Value {
        let width = Value::integer(bytes.ty(), self.key.width as i64);
        self.builder.binary(LLVMOpcode::LLVMMul, bytes, width)
    }

    /// Fills the shadows of memory, which lie side by side, as the memory is filled.
    pub(super) fn fill_elements(
        &mut self,
        inst: InstId,
        primal: Instruction,
        to: usize,
        length: usize,
    ) -> Result<(), Error> {
        let operands = &self.read.model.insts[inst].operands;
        let (shadow, bytes) = (self.shadow(operands[to])?[0], self.primal.value(operands[length])?);
        let bytes = self.in_all_directions(bytes);
        let fill = primal.clone_detached();
        self.builder.insert(fill);
        fill.drop_value_metadata();
        fill.set_operand(to as u32, shadow);
        fill.set_operand(length as u32, bytes);
        Ok(())
    }

    /// Copies the shadows of memory to those of other memory, where those of one or both lie side by side.
    pub(super) fn copy_elements(
        &mut self,
        inst: InstId,
        [to, from, length]: [usize; 3],
        element: u64,
    ) -> Result<(), Error> {
        let operands = &self.read.model.insts[inst].operands;
        let (to, from, length) = (operands[to], operands[from], self.primal.value(operands[length])?);
        let is_side_by_side = |pointer| self.layout_of(pointer).is_some_and(ShadowLayout::is_side_by_side);
        if is_side_by_side(to) && is_side_by_side(from) {
            let (to, from) = (self.shadow(to)?[0], self.shadow(from)?[0]);
            // It may be the same memory.
            self.builder.move_bytes(to, from, self.in_all_directions(length));
            return Ok(());
        }
        let step = |pointer| if is_side_by_side(pointer) { self.key.width as i64 } else { 1 };
        let steps = [to, from].map(step);
        let (targets, sources) = (self.shadow_one_by_one(to)?, self.shadow_one_by_one(from)?);
        let wide = Type::integer(length.ty().context(), 64);
        let length = self.builder.signed_integer_cast(length, wide);
        let size = Value::integer(wide, element as i64);
        let count = self.builder.binary(LLVMOpcode::LLVMUDiv, length, size);
        let [to_step, from_step] = steps.map(|step| Value::integer(wide, step));
        for (&to, &from) in targets.iter().zip(&sources) {
            let copy = element_copy(self.module, to.ty(), from.ty(), element);
            self.builder.call(copy, &[to, to_step, from, from_step, count]);
        }
        Ok(())
    }
}

/// Whether something was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Handled {
    /// It was.
    Yes,
    /// It is left to be done.
    No,
}

/// The greatest power of two that divides a number.
fn power_of_two_in(number: u64) -> u64 {
    1 << number.trailing_zeros().min(63)
}

/// The function that copies a number of elements between memories in which they lie some elements apart:
/// `(to, step there, from, step there, count)`.
fn element_copy(module: Module, to: Type, from: Type, element: u64) -> Function {
    let name = format!("__enzyme_copy_elements_of_{element}");
    if let Some(function) = module.function(&name)
        && function.parameter_types()[..] == parameters(to, from)
    {
        return function;
    }
    let function =
        module.add_function(&name, Type::function(Type::void(to.context()), &parameters(to, from)));
    function.set_linkage(LLVMLinkage::LLVMInternalLinkage);
    write_element_copy(function, element);
    function
}

fn parameters(to: Type, from: Type) -> [Type; 5] {
    let wide = Type::integer(to.context(), 64);
    [to, wide, from, wide, wide]
}

fn write_element_copy(function: Function, element: u64) {
    let [to, to_step, from, from_step, count] = [0, 1, 2, 3, 4].map(|index| function.parameters()[index]);
    let context = to.ty().context();
    let (wide, ty) = (count.ty(), Type::integer(context, 8 * element as u32));
    let [entry, again, done] = ["entry", "again", "done"].map(|name| function.append_block(name));
    let builder = Builder::new(context);
    let zero = Value::zero(wide);

    builder.position_at_end(entry);
    let is_empty = builder.integer_compare(LLVMIntPredicate::LLVMIntEQ, count, zero);
    builder.conditional_branch(is_empty, done, again);

    builder.position_at_end(again);
    let index = builder.phi(wide, "index");
    let place = |base: Value, step: Value| {
        builder.element(ty, base, builder.binary(LLVMOpcode::LLVMMul, index.value(), step))
    };
    let value = builder.load(ty, place(from, from_step), "element");
    if let Some(load) = value.as_instruction() {
        load.set_alignment(1);
    }
    builder.store(value, place(to, to_step)).set_alignment(1);
    let next = builder.binary(LLVMOpcode::LLVMAdd, index.value(), Value::integer(wide, 1));
    let is_last = builder.integer_compare(LLVMIntPredicate::LLVMIntEQ, next, count);
    builder.conditional_branch(is_last, done, again);
    index.add_incoming(zero, entry);
    index.add_incoming(next, again);

    builder.position_at_end(done);
    builder.ret_void();
}
