//! The adjoints of intrinsics that read and write some elements of a vector.

use super::{Known, Writer};
use crate::error::Error;
use crate::ir::{self, Builder, Function, Instruction, Kind, Type, Value};
use enzyme::model::InstId;
use enzyme::plan::{ElementLayout, Elements};
use inkwell::llvm_sys::{LLVMIntPredicate, LLVMLinkage, LLVMOpcode};

impl Writer<'_> {
    /// Shadow memory += the adjoints of the elements that were read; those of the others go where these came from.
    pub(super) fn load_elements(
        &mut self,
        inst: InstId,
        source: Instruction,
        elements: Elements,
        others: Option<usize>,
    ) -> Result<(), Error> {
        let data = &self.read.model.insts[inst];
        let Some(result) = data.result else { return Ok(()) };
        let others = others.map(|index| data.operands[index]);
        let shadows = self.known(Known::Shadow(data.operands[elements.pointer]))?;
        let which = self.which(inst, source, elements)?;
        for (direction, adjoint) in self.take_adjoints(result)?.into_iter().enumerate() {
            let shadow = shadows[direction];
            match elements.layout {
                ElementLayout::Scattered => {
                    let function = self.adjoint_of_gather(adjoint.ty(), shadow.ty());
                    self.builder
                        .call(function, &[adjoint, shadow, which.chosen(&self.builder, adjoint.ty())]);
                }
                ElementLayout::SideBySide | ElementLayout::Packed => {
                    let before = self.read_elements(adjoint.ty(), shadow, elements.layout, which)?;
                    let after = self.builder.float_add(before, adjoint);
                    self.write_elements(after, shadow, elements.layout, which)?;
                }
            }
            if let (Some(others), Some(chosen)) = (others, which.chosen) {
                let rest = self.builder.select(chosen, Value::zero(adjoint.ty()), adjoint);
                self.add(others, direction, rest)?;
            }
        }
        Ok(())
    }

    /// The adjoints of the elements that were written += shadow memory, which becomes zero.
    pub(super) fn store_elements(
        &mut self,
        inst: InstId,
        source: Instruction,
        elements: Elements,
        value: usize,
    ) -> Result<(), Error> {
        let data = &self.read.model.insts[inst];
        let value = data.operands[value];
        let ty = self.type_of(value)?;
        let shadows = self.known(Known::Shadow(data.operands[elements.pointer]))?;
        let which = self.which(inst, source, elements)?;
        for (direction, &shadow) in shadows.iter().enumerate() {
            let adjoint = match elements.layout {
                ElementLayout::Scattered => {
                    let function = self.adjoint_of_scatter(ty, shadow.ty());
                    self.builder.call(function, &[shadow, which.chosen(&self.builder, ty)]).value()
                }
                ElementLayout::SideBySide | ElementLayout::Packed => {
                    let adjoint = self.read_elements(ty, shadow, elements.layout, which)?;
                    self.write_elements(Value::zero(ty), shadow, elements.layout, which)?;
                    adjoint
                }
            };
            // What the elements that are not there would have is nothing that counts.
            self.add(value, direction, which.only(&self.builder, adjoint))?;
        }
        Ok(())
    }

    fn which(&mut self, inst: InstId, source: Instruction, elements: Elements) -> Result<Which, Error> {
        let operands = &self.read.model.insts[inst].operands;
        let chosen = elements.chosen.map(|index| operands[index]);
        let count = elements.count.map(|index| operands[index]);
        let mut known = |value| Ok(self.known(Known::Primal(value))?[0]);
        let arguments = source.arguments();
        // Until LLVM 21, the alignment stands between the pointer and the mask.
        let has_alignment = elements.chosen.is_some_and(|chosen| chosen == elements.pointer + 2)
            && elements.layout == ElementLayout::SideBySide;
        Ok(Which {
            chosen: chosen.map(&mut known).transpose()?,
            count: count.map(&mut known).transpose()?,
            alignment: has_alignment.then(|| arguments[elements.pointer + 1]),
        })
    }

    /// Those elements of a vector in memory; zero in the place of the others, or anything where their number is told.
    fn read_elements(
        &self,
        ty: Type,
        pointer: Value,
        layout: ElementLayout,
        which: Which,
    ) -> Result<Value, Error> {
        let Some(chosen) = which.chosen else { return Ok(self.builder.load(ty, pointer, "")) };
        let others = Value::zero(ty);
        if layout == ElementLayout::Packed {
            let function = self.of_elements("masked.expandload", &[ty])?;
            return Ok(self.builder.call(function, &[pointer, chosen, others]).value());
        }
        if let Some(count) = which.count {
            let function = self.of_elements("vp.load", &[ty, pointer.ty()])?;
            return Ok(self.builder.call(function, &[pointer, chosen, count]).value());
        }
        let function = self.of_elements("masked.load", &[ty, pointer.ty()])?;
        let mut arguments = vec![pointer, chosen, others];
        arguments.splice(1..1, which.alignment);
        Ok(self.builder.call(function, &arguments).value())
    }

    fn write_elements(
        &self,
        value: Value,
        pointer: Value,
        layout: ElementLayout,
        which: Which,
    ) -> Result<(), Error> {
        let ty = value.ty();
        let Some(chosen) = which.chosen else {
            self.builder.store(value, pointer);
            return Ok(());
        };
        if layout == ElementLayout::Packed {
            let function = self.of_elements("masked.compressstore", &[ty])?;
            self.builder.call(function, &[value, pointer, chosen]);
        } else if let Some(count) = which.count {
            let function = self.of_elements("vp.store", &[ty, pointer.ty()])?;
            self.builder.call(function, &[value, pointer, chosen, count]);
        } else {
            let function = self.of_elements("masked.store", &[ty, pointer.ty()])?;
            let mut arguments = vec![value, pointer, chosen];
            arguments.splice(2..2, which.alignment);
            self.builder.call(function, &arguments);
        }
        Ok(())
    }

    fn of_elements(&self, name: &str, overloads: &[Type]) -> Result<Function, Error> {
        ir::intrinsic(self.module, name, overloads)
            .ok_or_else(|| self.internal(format!("this LLVM has no `llvm.{name}`")))
    }

    /// Adds each element to where it was read: one after the other, since several may come from the same place.
    fn adjoint_of_gather(&self, vector: Type, pointers: Type) -> Function {
        let void = Type::void(vector.context());
        self.element_by_element("gather", void, &[vector, pointers], |builder, function, mask| {
            let [adjoints, pointers] = function.parameters()[..2] else { return };
            let up = Order { count: vector.element_count(), direction: Direction::Up };
            up.write(builder, function, mask, None, |index, _| {
                let place = builder.extract_element_at(pointers, index);
                let before = load_unaligned(builder, vector.scalar(), place);
                let after = builder.float_add(before, builder.extract_element_at(adjoints, index));
                builder.store(after, place).set_alignment_at_most(1);
                None
            });
        })
    }

    /// Takes each element from where it was written: the last one first, since it is what remained of several in the
    /// same place.
    fn adjoint_of_scatter(&self, vector: Type, pointers: Type) -> Function {
        self.element_by_element("scatter", vector, &[pointers], |builder, function, mask| {
            let [pointers] = function.parameters()[..1] else { return };
            let down = Order { count: vector.element_count(), direction: Direction::Down };
            down.write(builder, function, mask, Some(Value::zero(vector)), |index, so_far| {
                let place = builder.extract_element_at(pointers, index);
                let adjoint = load_unaligned(builder, vector.scalar(), place);
                builder.store(Value::zero(vector.scalar()), place).set_alignment_at_most(1);
                so_far.map(|so_far| builder.insert_element_at(so_far, adjoint, index))
            });
        })
    }

    /// A function over vectors of these types and a mask, written once in a module.
    fn element_by_element(
        &self,
        what: &str,
        result: Type,
        parameters: &[Type],
        write: impl FnOnce(&Builder, Function, Value),
    ) -> Function {
        let types = [&[result][..], parameters].concat();
        let letters =
            |ty: &Type| ty.to_string().chars().filter(char::is_ascii_alphanumeric).collect::<String>();
        let tags: Vec<String> = types.iter().map(letters).collect();
        let name = format!("__enzyme_adjoint_of_{what}_{}", tags.join("_"));
        if let Some(existing) = self.module.function(&name) {
            return existing;
        }
        let length = parameters[0].element_count() as u32;
        let parameters = [parameters, &[self.integer(1).vector(length)]].concat();
        let function = self.module.add_function(&name, Type::function(result, &parameters));
        function.set_linkage(LLVMLinkage::LLVMLinkOnceODRLinkage);
        function.add_attribute(ir::FUNCTION_ATTRIBUTES, "nounwind");
        let builder = Builder::new(result.context());
        if let Some(&mask) = function.parameters().last() {
            write(&builder, function, mask);
        }
        function
    }
}

fn load_unaligned(builder: &Builder, ty: Type, place: Value) -> Value {
    let value = builder.load(ty, place, "");
    if let Some(load) = value.as_instruction() {
        load.set_alignment_at_most(1);
    }
    value
}

/// Which elements of a vector are meant.
#[derive(Clone, Copy)]
struct Which {
    /// A mask; all of them without.
    chosen: Option<Value>,
    /// How many at most.
    count: Option<Value>,
    /// The alignment of the whole, where the intrinsics take it as an argument.
    alignment: Option<Value>,
}

impl Which {
    /// The mask, for a vector of a type.
    fn chosen(self, builder: &Builder, ty: Type) -> Value {
        let all = || {
            let yes = Value::integer(Type::integer(ty.context(), 1), 1);
            builder.splat(yes, ty.element_count() as u32)
        };
        self.chosen.unwrap_or_else(all)
    }

    /// What was read of these elements, with zero in the place of the others.
    fn only(self, builder: &Builder, read: Value) -> Value {
        match (self.chosen, self.count, read.ty().kind()) {
            (Some(chosen), Some(count), Kind::Vector(length)) => {
                let ty = count.ty();
                let numbers: Vec<Value> =
                    (0..length).map(|index| Value::integer(ty, i64::from(index))).collect();
                let indices =
                    (0..).zip(numbers).fold(Value::poison(ty.vector(length)), |vector, (at, number)| {
                        builder.insert_element(vector, number, at)
                    });
                let counts = builder.splat(count, length);
                let there = builder.integer_compare(LLVMIntPredicate::LLVMIntULT, indices, counts);
                let both = builder.binary(LLVMOpcode::LLVMAnd, there, chosen);
                builder.select(both, read, Value::zero(read.ty()))
            }
            _ => read,
        }
    }
}

/// In which order the elements of a vector are gone through.
#[derive(Clone, Copy)]
struct Order {
    count: u64,
    direction: Direction,
}

#[derive(Clone, Copy)]
enum Direction {
    Up,
    Down,
}

impl Order {
    /// Writes a loop over the elements that a mask chooses, which may change a value from one to the next: what the
    /// function returns.
    fn write(
        self,
        builder: &Builder,
        function: Function,
        mask: Value,
        start: Option<Value>,
        one: impl FnOnce(Value, Option<Value>) -> Option<Value>,
    ) {
        let [entry, body, chosen, next, done] =
            ["entry", "body", "chosen", "next", "done"].map(|name| function.append_block(name));
        let wide = Type::integer(mask.ty().context(), 64);
        let number = |value: u64| Value::integer(wide, value as i64);
        builder.position_at_end(entry);
        builder.branch(body);
        builder.position_at_end(body);
        let done_before = builder.phi(wide, "number");
        done_before.add_incoming(number(0), entry);
        let so_far = start.map(|start| {
            let phi = builder.phi(start.ty(), "so.far");
            phi.add_incoming(start, entry);
            phi
        });
        let index = match self.direction {
            Direction::Up => done_before.value(),
            Direction::Down => {
                builder.binary(LLVMOpcode::LLVMSub, number(self.count - 1), done_before.value())
            }
        };
        builder.conditional_branch(builder.extract_element_at(mask, index), chosen, next);
        builder.position_at_end(chosen);
        let changed = one(index, so_far.map(Instruction::value));
        builder.branch(next);
        builder.position_at_end(next);
        let after = so_far.zip(changed).map(|(so_far, changed)| {
            let after = builder.phi(changed.ty(), "after");
            after.add_incoming(changed, chosen);
            after.add_incoming(so_far.value(), body);
            so_far.add_incoming(after.value(), next);
            after.value()
        });
        let done_now = builder.binary(LLVMOpcode::LLVMAdd, done_before.value(), number(1));
        done_before.add_incoming(done_now, next);
        let is_last = builder.integer_compare(LLVMIntPredicate::LLVMIntEQ, done_now, number(self.count));
        builder.conditional_branch(is_last, done, body);
        builder.position_at_end(done);
        match after {
            Some(after) => builder.ret(after),
            None => builder.ret_void(),
        };
    }
}
