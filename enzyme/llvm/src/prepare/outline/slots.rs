//! Where values lie that go from one step of an outlined loop to the next, or behind the loop.

use super::shape::{Shape, phis};
use crate::error::Error;
use crate::ir::{Block, Builder, Instruction, Kind, Module, Type, Value};
use inkwell::llvm_sys::LLVMOpcode;
use inkwell::llvm_sys::prelude::LLVMContextRef;

/// The state of a loop beside its regions: structs in the frame.
#[derive(Debug)]
pub(super) struct Slots {
    /// The fields of the first struct, which holds integers, and of the second one. Apart, integers need no shadow, and it
    /// need not be known what they count.
    fields: [Vec<Type>; PARTS],
    /// The first field of all: 0, or in which of the exits the loop was left, counted from 1.
    has_way: bool,
    /// The values that are carried around the loop, each with its place.
    pub(super) carried: Vec<(Instruction, Slot)>,
    /// The values that are used behind the loop, for each exit, each with its place: the exit's phis.
    pub(super) used: Vec<Vec<(Instruction, Slot)>>,
}

/// How many structs there are.
const PARTS: usize = 2;

/// A field of one of the structs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slot {
    part: usize,
    field: u32,
}

/// Where the way out is said.
const WAY: Slot = Slot { part: 0, field: 0 };

/// The address of each struct, unless it is empty.
pub(super) type State = [Option<Value>; PARTS];

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
        let mut fields = [const { Vec::new() }; PARTS];
        let mut field = |ty: Type| {
            let part = usize::from(!matches!(ty.scalar().kind(), Kind::Integer(_)));
            fields[part].push(ty);
            Slot { part, field: fields[part].len() as u32 - 1 }
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
        let next_of = |(phi, field): &(Instruction, Slot)| {
            let next = phi.incoming().into_iter().find(|(_, block)| *block == shape.latch);
            next.map(|(value, _)| (value, *field))
        };
        let next: Vec<(Value, Slot)> = carried.iter().filter_map(next_of).collect();
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
        Ok(Slots { fields, has_way, carried, used })
    }

    /// The types of the structs, each with how many bytes it takes; empty ones take none.
    pub(super) fn parts(&self, module: Module, context: LLVMContextRef) -> [(Type, u64); PARTS] {
        self.fields.each_ref().map(|fields| {
            let ty = Type::structure(context, fields);
            (ty, module.allocation_size(ty))
        })
    }

    /// The structs, as they are before the first step.
    pub(super) fn allocate(&self, builder: &Builder) -> State {
        let function = builder.function();
        let parts = self.parts(function.module(), function.function_type().context());
        let state = parts.map(|(ty, bytes)| (bytes > 0).then(|| builder.entry_alloca(ty, "state").value()));
        if self.has_way {
            self.store_way(builder, &state, 0);
        }
        for &(phi, slot) in &self.carried {
            let here = builder.block();
            let first = phi.incoming().into_iter().find(|(_, block)| *block == here);
            if let Some((value, _)) = first {
                self.store(builder, &state, slot, value);
            }
        }
        state
    }

    /// Reads a field; its struct is not empty.
    pub(super) fn load(&self, builder: &Builder, state: &State, slot: Slot) -> Option<Value> {
        let ty = self.fields[slot.part][slot.field as usize];
        Some(builder.load(ty, self.place(builder, state, slot)?, ""))
    }

    pub(super) fn store(&self, builder: &Builder, state: &State, slot: Slot, value: Value) {
        if let Some(place) = self.place(builder, state, slot) {
            builder.store(value, place);
        }
    }

    fn place(&self, builder: &Builder, state: &State, slot: Slot) -> Option<Value> {
        let function = builder.function();
        let module = function.module();
        let (ty, _) = self.parts(module, function.function_type().context())[slot.part];
        Some(builder.offset(state[slot.part]?, module.field_offset(ty, slot.field)))
    }

    /// Says in the state that the loop was left in one of the exits, counted from 1; 0 is for none.
    pub(super) fn store_way(&self, builder: &Builder, state: &State, exit: usize) {
        if self.has_way {
            let ty = self.fields[WAY.part][WAY.field as usize];
            self.store(builder, state, WAY, Value::integer(ty, exit as i64));
        }
    }

    /// Lets the function go on behind the loop when the loop has run, instead of entering it.
    pub(super) fn go_on_behind(&self, builder: &Builder, entered: Instruction, state: &State, shape: &Shape) {
        builder.position_before(entered);
        match self.has_way.then(|| self.load(builder, state, WAY)).flatten() {
            Some(way) => {
                let case =
                    |(exit, block): (usize, &Block)| (Value::integer(way.ty(), exit as i64 + 1), *block);
                let cases: Vec<_> = shape.exits.iter().enumerate().skip(1).map(case).collect();
                builder.switch(way, shape.exits[0], &cases);
            }
            None => {
                builder.branch(shape.exits[0]);
            }
        }
        entered.erase();
        for (&exit, used) in shape.exits.iter().zip(&self.used) {
            builder.position_at_start(exit);
            builder.no_debug_location();
            let first = exit.instructions().find(|inst| inst.opcode() != LLVMOpcode::LLVMPHI);
            if let Some(first) = first {
                builder.position_before(first);
            }
            for &(phi, slot) in used {
                if let Some(value) = self.load(builder, state, slot) {
                    phi.value().replace_all_uses_with(value);
                }
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
