//! Where values lie that go from one step of an outlined loop to the next, or behind the loop.

use super::shape::{Shape, phis};
use crate::error::Error;
use crate::ir::{Block, Builder, Instruction, Kind, Module, Type, Value};
use inkwell::llvm_sys::LLVMOpcode;

/// The state of a loop beside its regions: a struct in the frame.
#[derive(Debug)]
pub(super) struct Slots {
    ty: Type,
    /// The first field: 0, or in which of the exits the loop was left, counted from 1.
    has_way: bool,
    /// The values that are carried around the loop, each with its field.
    pub(super) carried: Vec<(Instruction, u32)>,
    /// The values that are used behind the loop, for each exit, each with its field: the exit's phis.
    pub(super) used: Vec<Vec<(Instruction, u32)>>,
}

impl Slots {
    /// What has to be kept for a loop whose iterations are counted by a phi.
    ///
    /// # Errors
    /// Pointers: what they lead to would have to be kept, and their shadows.
    pub(super) fn of(
        call: Instruction,
        shape: &Shape,
        counter: Instruction,
        is_counted: bool,
    ) -> Result<Slots, Error> {
        let context = call.function().function_type().context();
        let has_way = !is_counted || shape.exits.len() > 1;
        let mut fields = Vec::new();
        let mut field = |ty: Type| {
            fields.push(ty);
            fields.len() as u32 - 1
        };
        if has_way {
            field(Type::integer(context, 64));
        }
        let mut carried = Vec::new();
        for phi in shape.phis().filter(|phi| *phi != counter) {
            if holds_pointers(phi.value().ty()) {
                return Err(pointer(call, phi, "hands a pointer from one iteration to the next").help(
                    "let each iteration compute it from the number of the iteration or from memory, and copy numbers \
                     instead of exchanging pointers",
                ));
            }
            carried.push((phi, field(phi.value().ty())));
        }
        let next_of = |(phi, field): &(Instruction, u32)| {
            let next = phi.incoming().into_iter().find(|(_, block)| *block == shape.latch);
            next.map(|(value, _)| (value, *field))
        };
        let next: Vec<(Value, u32)> = carried.iter().filter_map(next_of).collect();
        let mut used = Vec::new();
        for &exit in &shape.exits {
            let mut of_exit = Vec::new();
            for phi in phis(exit) {
                if holds_pointers(phi.value().ty()) {
                    return Err(pointer(call, phi, "hands a pointer to what comes after it")
                        .help("compute it again after the loop"));
                }
                // What the next iteration would take over has a place already.
                let shared = match phi.incoming()[..] {
                    [(value, from)] if from == shape.latch => {
                        next.iter().find(|(known, _)| *known == value).map(|(_, field)| *field)
                    }
                    _ => None,
                };
                of_exit.push((phi, shared.unwrap_or_else(|| field(phi.value().ty()))));
            }
            used.push(of_exit);
        }
        Ok(Slots { ty: Type::structure(context, &fields), has_way, carried, used })
    }

    /// How many bytes they take.
    pub(super) fn bytes(&self, module: Module) -> u64 {
        module.allocation_size(self.ty)
    }

    /// The struct, as it is before the first step; nothing where there is nothing in it.
    pub(super) fn allocate(&self, builder: &Builder) -> Option<Value> {
        if self.ty.element_count() == 0 {
            return None;
        }
        let state = builder.entry_alloca(self.ty, "state").value();
        if self.has_way {
            builder.store(Value::zero(self.ty.at(0)), state);
        }
        for &(phi, field) in &self.carried {
            let here = builder.block();
            let first = phi.incoming().into_iter().find(|(_, block)| *block == here);
            if let Some((value, _)) = first {
                self.store(builder, state, field, value);
            }
        }
        Some(state)
    }

    pub(super) fn load(&self, builder: &Builder, state: Value, field: u32) -> Value {
        builder.load(self.ty.at(field), self.place(builder, state, field), "")
    }

    pub(super) fn store(&self, builder: &Builder, state: Value, field: u32, value: Value) {
        builder.store(value, self.place(builder, state, field));
    }

    fn place(&self, builder: &Builder, state: Value, field: u32) -> Value {
        builder.offset(state, builder.function().module().field_offset(self.ty, field))
    }

    /// Says in the state that the loop was left in one of the exits.
    pub(super) fn store_way(&self, builder: &Builder, state: Option<Value>, exit: usize) {
        if let (true, Some(state)) = (self.has_way, state) {
            self.store(builder, state, 0, Value::integer(self.ty.at(0), exit as i64 + 1));
        }
    }

    /// Lets the function go on behind the loop when the loop has run, instead of entering it.
    pub(super) fn go_on_behind(
        &self,
        builder: &Builder,
        entered: Instruction,
        state: Option<Value>,
        shape: &Shape,
    ) {
        builder.position_before(entered);
        match (self.has_way, state) {
            (true, Some(state)) => {
                let way = self.load(builder, state, 0);
                let case = |(exit, block): (usize, &Block)| (Value::integer(way.ty(), exit as i64 + 1), *block);
                let cases: Vec<_> = shape.exits.iter().enumerate().skip(1).map(case).collect();
                builder.switch(way, shape.exits[0], &cases);
            }
            _ => {
                builder.branch(shape.exits[0]);
            }
        }
        entered.erase();
        let Some(state) = state else { return };
        for (&exit, used) in shape.exits.iter().zip(&self.used) {
            builder.position_at_start(exit);
            builder.no_debug_location();
            let first = exit.instructions().find(|inst| inst.opcode() != LLVMOpcode::LLVMPHI);
            if let Some(first) = first {
                builder.position_before(first);
            }
            for &(phi, field) in used {
                phi.value().replace_all_uses_with(self.load(builder, state, field));
            }
            used.iter().for_each(|(phi, _)| phi.erase());
        }
    }
}

fn pointer(call: Instruction, phi: Instruction, what: &str) -> Error {
    let name = phi.value().name();
    let name = if name.is_empty() { name } else { format!(" (`{name}`)") };
    Error::unsupported(call, format!("the annotated loop {what}{name}; checkpointing needs numbers"))
}

fn holds_pointers(ty: Type) -> bool {
    match ty.kind() {
        Kind::Pointer | Kind::Other => true,
        Kind::Array(_) | Kind::Struct(_) => ty.scalar_kinds().contains(&Kind::Pointer),
        Kind::Vector(_) | Kind::ScalableVector => ty.scalar().is_pointer(),
        Kind::Float | Kind::Integer(_) | Kind::Void | Kind::Function => false,
    }
}
