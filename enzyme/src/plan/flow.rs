//! A forward dataflow: which values depend differentiably on an active argument.

use super::globals::{GlobalMemory, base_global, names_variable};
use super::{BitOperation, Context, Role, ScalarCall};
use crate::activity::{Activity, ArgumentActivity};
use crate::model::{
    AtomicOp, CastOp, ConstantKind, Function, InstId, IntBinaryOp, Opcode, SecondaryMap, Type, TypeId, Uses,
    ValueDefinition, ValueId,
};
use crate::rules;
use crate::types::{Contents, Kind, ValueTypes};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// What a value carries along with itself. Ordered: where values meet, the greater one holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Carries {
    /// No derivative: it does not depend on an active value in a differentiable way.
    #[default]
    Nothing,
    /// An integer read from memory that has a shadow. It may be the bits of a float.
    MemoryBits,
    /// The address of memory with a shadow, as an integer.
    Address,
    /// A derivative: the tangent or adjoint of a float, the shadow of a pointer, the bits of either.
    Derivative,
    /// Integer arithmetic was done on the bits of an active float, and what it means for the derivative is not
    /// known.
    Lost,
}

/// What is assumed about memory that no argument hands over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LocalMemory {
    /// Frame and heap memory, and variables that are written to, have shadows (forward mode).
    Shadowed,
    /// Only when the function stores an active value somewhere.
    ShadowedWhenWritten,
}

/// For each value what it carries, given the activity of each parameter.
///
/// Runs until nothing changes; each value can only rise through the few levels of [`Carries`], so the cost is
/// linear in the number of uses.
pub(super) fn flow(
    function: &Function,
    roles: &SecondaryMap<InstId, Role>,
    parameters: &[ArgumentActivity],
    memory: LocalMemory,
    context: &Context<'_>,
) -> SecondaryMap<ValueId, Carries> {
    let mut flow = Flow {
        function,
        roles,
        types: context.types,
        activity: context.activity,
        uses: Uses::of(function),
        frame: memory == LocalMemory::Shadowed,
        carries: SecondaryMap::with_capacity(function.values.len()),
    };
    flow.seed(parameters);
    flow.run();
    if memory == LocalMemory::ShadowedWhenWritten && flow.writes_active() {
        flow.frame = true;
        flow.seed(parameters);
        flow.run();
    }
    flow.carries
}

/// Where an integer goes. Ordered: where there are several ways, the greater one says what it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Destination {
    /// It is not used.
    Nowhere,
    /// It is stored, as whatever it is.
    Memory,
    /// Something is computed from it: a number.
    Arithmetic,
    /// It becomes a float: the bits of one.
    Float,
}

struct Flow<'a> {
    function: &'a Function,
    roles: &'a SecondaryMap<InstId, Role>,
    types: &'a ValueTypes,
    activity: &'a Activity,
    uses: Uses,
    /// Whether memory of this function's own has a shadow.
    frame: bool,
    carries: SecondaryMap<ValueId, Carries>,
}

impl Flow<'_> {
    fn seed(&mut self, parameters: &[ArgumentActivity]) {
        for (&parameter, activity) in self.function.parameters.iter().zip(parameters) {
            self.carries[parameter] = match activity {
                ArgumentActivity::Const => Carries::Nothing,
                ArgumentActivity::Duplicated | ArgumentActivity::DuplicatedNoNeed | ArgumentActivity::Out => {
                    Carries::Derivative
                }
            };
        }
        for value in self.function.values.keys().filter(|_| self.frame) {
            let has_shadow = base_global(self.function, value).is_some_and(|global| {
                matches!(
                    GlobalMemory::of(self.function, global),
                    GlobalMemory::Shadowed | GlobalMemory::Function
                )
            });
            if has_shadow {
                self.carries[value] = Carries::Derivative;
            } else if let ValueDefinition::Constant(constant) = self.function.values[value].definition
                && names_variable(self.function, constant)
            {
                // An address in a variable, as a number; a pointer made of it has no shadow that is known.
                let is_pointer = self.function.type_of(value).is_pointer();
                self.carries[value] = if is_pointer { Carries::Lost } else { Carries::Address };
            }
        }
    }

    /// Finds what each value carries, and gives shadows to addresses in constants where they meet others that have one.
    fn run(&mut self) {
        loop {
            self.spread();
            let met = self.constants_that_meet_shadows();
            if met.is_empty() {
                return;
            }
            met.into_iter().for_each(|address| self.carries[address] = Carries::Derivative);
        }
    }

    /// The addresses computed in constants, without a shadow so far, that a choice takes beside a pointer with one.
    fn constants_that_meet_shadows(&self) -> Vec<ValueId> {
        let mut met = Vec::new();
        for inst in self.function.insts_in_order() {
            let data = &self.function.insts[inst];
            let (Role::Move(moved), Some(result)) = (&self.roles[inst], data.result) else { continue };
            let is_choice = matches!(data.opcode, Opcode::Phi { .. } | Opcode::Select { .. });
            if !is_choice
                || self.carries[result] != Carries::Derivative
                || !self.function.type_of(result).is_pointer()
            {
                continue;
            }
            for &index in moved {
                self.addresses_in_constant(data.operands[index], &mut met);
            }
        }
        met
    }

    /// Adds an address in a constant, and those that it is computed from.
    fn addresses_in_constant(&self, address: ValueId, found: &mut Vec<ValueId>) {
        let mut chain = Vec::new();
        let mut base = address;
        while let Some(inst) = self.function.as_inst(base) {
            let data = &self.function.insts[inst];
            let is_step = matches!(data.opcode, Opcode::GetElementPointer { .. });
            if !is_step || self.carries[base] != Carries::Nothing {
                return;
            }
            chain.push(base);
            base = data.operands[0];
        }
        let is_constant = base_global(self.function, base)
            .is_some_and(|global| GlobalMemory::of(self.function, global) == GlobalMemory::Constant);
        if is_constant {
            found.append(&mut chain);
        }
    }

    fn spread(&mut self) {
        // In the order of the text, so that operands are mostly known before what is made of them.
        let mut pending: BTreeSet<InstId> = self.function.insts_in_order().collect();
        while let Some(inst) = pending.pop_first() {
            let Some(result) = self.function.insts[inst].result else { continue };
            let carried = self.result_of(inst).max(self.carries[result]);
            if carried != self.carries[result] {
                self.carries[result] = carried;
                pending.extend(self.uses.of_value(result));
            }
        }
    }

    fn result_of(&self, inst: InstId) -> Carries {
        let data = &self.function.insts[inst];
        let Some(result) = data.result else { return Carries::Nothing };
        let operand = |index: usize| self.carries[data.operands[index]];
        let any_argument = || data.arguments().iter().map(|&argument| self.carries[argument]).max();
        let carried = match &self.roles[inst] {
            Role::Inactive => return self.arithmetic(result, self.bits(inst)),
            Role::Scalar(call) => self.scalar(call),
            Role::Move(moved) => moved.iter().map(|&index| operand(index)).max().unwrap_or(Carries::Nothing),
            Role::SumElements => operand(0).max(operand(1)),
            Role::Bits(bits) => self.arithmetic(result, self.carries[bits.float]),
            Role::Displace(index) | Role::Follow(index) => operand(*index),
            Role::Alloca | Role::Allocate(_) if self.frame => Carries::Derivative,
            Role::Load | Role::AtomicUpdate(AtomicOp::Exchange) => self.loaded(result, operand(0)),
            Role::LoadElements { pointer, .. } => self.loaded(result, operand(*pointer)),
            Role::AtomicUpdate(_) | Role::CompareExchange => match operand(0) {
                Carries::Derivative => Carries::Derivative,
                Carries::Nothing | Carries::MemoryBits | Carries::Address | Carries::Lost => Carries::Nothing,
            },
            Role::Reallocate { pointer, .. } => match operand(*pointer) {
                // Without memory to begin with, it is an allocation.
                Carries::Nothing if self.frame && self.may_be_null(data.operands[*pointer]) => {
                    Carries::Derivative
                }
                carried => carried,
            },
            // These return where they wrote, if anything.
            Role::CopyMemory { to, .. } | Role::FillMemory { to, .. } => operand(*to),
            Role::CallDefined(_) => match any_argument() {
                Some(Carries::Derivative | Carries::Lost) => Carries::Derivative,
                // What a function reads from variables, only the analysis of the whole program knows.
                _ if self.frame && self.activity.value(result).is_active() => Carries::Derivative,
                _ => Carries::Nothing,
            },
            Role::CallIndirect => {
                match any_argument().max(data.callee().map(|callee| self.carries[callee])) {
                    // Which function it is only shows at run time; its derivative goes by the types it is called with.
                    Some(Carries::Derivative | Carries::Lost) if self.is_bits(result) => Carries::Lost,
                    Some(Carries::Derivative | Carries::Lost) => Carries::Derivative,
                    Some(Carries::Nothing | Carries::MemoryBits | Carries::Address) | None => {
                        Carries::Nothing
                    }
                }
            }
            // The user's rule is about the arguments; what else it may use is its own affair.
            Role::CallRuled(_) => match any_argument() {
                Some(Carries::Derivative | Carries::Lost) if self.is_bits(result) => Carries::Lost,
                Some(Carries::Derivative | Carries::Lost) => Carries::Derivative,
                _ => Carries::Nothing,
            },
            // The plan refuses these when anything active goes in, so nothing comes out.
            Role::CallUnknown(_) | Role::Unsupported(_) => Carries::Nothing,
            Role::Alloca
            | Role::Allocate(_)
            | Role::Store
            | Role::StoreElements { .. }
            | Role::AllocateThrough { .. }
            | Role::Overwrite { .. }
            | Role::Free(_)
            | Role::Return => Carries::Nothing,
        };
        let can_carry = may_carry(self.function, self.function.values[result].ty);
        if !can_carry && matches!(data.opcode, Opcode::ExtractValue { .. }) {
            return self.integer_field(result, data.operands[0]).min(carried);
        }
        match carried {
            Carries::Nothing | Carries::Lost | Carries::MemoryBits | Carries::Address => carried,
            Carries::Derivative if can_carry || self.moves_bits(inst) => carried,
            Carries::Derivative => Carries::Nothing,
        }
    }

    /// Whether a value is an integer that is known to be the bits of floats.
    fn is_bits(&self, value: ValueId) -> bool {
        is_bits_of_floats(self.function, self.types, value)
    }

    /// What an integer field of an aggregate carries: an exponent or a flag beside a float is a number of its own; a
    /// field of a struct in memory could be anything, unless its type is known.
    fn integer_field(&self, field: ValueId, aggregate: ValueId) -> Carries {
        match self.types.contents(field) {
            Contents::Only(Kind::Integer) => return Carries::Nothing,
            Contents::Only(Kind::Float(_) | Kind::Pointer) => return Carries::Derivative,
            Contents::Only(Kind::Anything) | Contents::Mixed | Contents::Unknown => {}
        }
        match self.function.as_inst(aggregate).map(|inst| &self.roles[inst]) {
            Some(Role::Scalar(_) | Role::CallDefined(_) | Role::CallRuled(_)) => Carries::Nothing,
            Some(Role::CompareExchange) => self.loaded(field, self.carries[aggregate]),
            _ => Carries::MemoryBits,
        }
    }

    /// Whether a pointer is null on some of the ways that lead to it.
    fn may_be_null(&self, pointer: ValueId) -> bool {
        let mut seen = FxHashSet::default();
        let mut pending = vec![pointer];
        while let Some(value) = pending.pop() {
            if matches!(self.function.as_constant(value), Some(ConstantKind::Null)) {
                return true;
            }
            let Some(inst) = self.function.as_inst(value).filter(|_| seen.insert(value)) else { continue };
            let data = &self.function.insts[inst];
            match data.opcode {
                Opcode::Phi { .. } => pending.extend_from_slice(&data.operands),
                Opcode::Select { .. } => pending.extend_from_slice(&data.operands[1..]),
                _ => {}
            }
        }
        false
    }

    /// Whether an integer result is the bits of a float, unchanged.
    fn moves_bits(&self, inst: InstId) -> bool {
        match self.roles[inst] {
            Role::Move(_)
            | Role::Load
            | Role::LoadElements { .. }
            | Role::Bits(_)
            | Role::AtomicUpdate(AtomicOp::Exchange)
            | Role::CompareExchange => true,
            Role::CallDefined(_) => {
                self.function.insts[inst].result.is_some_and(|result| self.is_bits(result))
            }
            Role::Inactive
            | Role::Scalar(_)
            | Role::SumElements
            | Role::Alloca
            | Role::Store
            | Role::StoreElements { .. }
            | Role::AtomicUpdate(_)
            | Role::CopyMemory { .. }
            | Role::FillMemory { .. }
            | Role::Overwrite { .. }
            | Role::Displace(_)
            | Role::Follow(_)
            | Role::Allocate(_)
            | Role::AllocateThrough { .. }
            | Role::Reallocate { .. }
            | Role::Free(_)
            | Role::CallRuled(_)
            | Role::CallUnknown(_)
            | Role::CallIndirect
            | Role::Return
            | Role::Unsupported(_) => false,
        }
    }

    fn scalar(&self, call: &ScalarCall) -> Carries {
        rules::rule(call.function)
            .nonzero_partials()
            .map(|(_, operand, _)| match self.carries[call.operands[operand]] {
                Carries::Nothing | Carries::MemoryBits | Carries::Address => Carries::Nothing,
                Carries::Derivative | Carries::Lost => Carries::Derivative,
            })
            .max()
            .unwrap_or(Carries::Nothing)
    }

    /// Integers read from shadowed memory may be floats in disguise. Where their type is not known, they are taken for
    /// such when all they do is move on, which is right whatever they are.
    fn loaded(&self, result: ValueId, pointer: Carries) -> Carries {
        if pointer != Carries::Derivative {
            return Carries::Nothing;
        }
        if may_carry(self.function, self.function.values[result].ty) {
            return Carries::Derivative;
        }
        match self.types.contents(result) {
            Contents::Only(Kind::Integer) => return Carries::Nothing,
            Contents::Only(Kind::Float(_) | Kind::Pointer) | Contents::Mixed => return Carries::Derivative,
            Contents::Only(Kind::Anything) | Contents::Unknown => {}
        }
        match self.destination(result) {
            Destination::Float | Destination::Memory => Carries::Derivative,
            Destination::Arithmetic | Destination::Nowhere => Carries::MemoryBits,
        }
    }

    /// Where an integer goes, over all the moves that lie between.
    fn destination(&self, integer: ValueId) -> Destination {
        let mut destination = Destination::Nowhere;
        let mut pending = vec![integer];
        let mut seen = FxHashSet::default();
        while let Some(value) = pending.pop().filter(|_| destination != Destination::Float) {
            for &user in self.uses.of_value(value) {
                let data = &self.function.insts[user];
                let found = match (&self.roles[user], data.result) {
                    (role, Some(result)) if self.is_moved(value, user, role) => {
                        if seen.insert(result) {
                            pending.push(result);
                        }
                        let is_float = may_carry(self.function, self.function.values[result].ty);
                        if is_float { Destination::Float } else { Destination::Nowhere }
                    }
                    (Role::Store | Role::StoreElements { .. }, _) => Destination::Memory,
                    (Role::AtomicUpdate(AtomicOp::Exchange) | Role::CompareExchange, _) => {
                        Destination::Memory
                    }
                    _ => Destination::Arithmetic,
                };
                destination = destination.max(found);
            }
        }
        destination
    }

    /// Whether an instruction gives an integer on so that its shadow follows, whatever it is.
    fn is_moved(&self, value: ValueId, inst: InstId, role: &Role) -> bool {
        match role {
            Role::Move(moved) => {
                moved.iter().any(|&index| self.function.insts[inst].operands[index] == value)
            }
            Role::Bits(bits) => bits.operation == BitOperation::Sign && bits.float == value,
            _ => false,
        }
    }

    /// What integer arithmetic on what may be the bits of a float makes: if that is a float, by all that is known, the
    /// derivative is lost.
    fn arithmetic(&self, result: ValueId, carried: Carries) -> Carries {
        match carried {
            Carries::MemoryBits if self.is_bits(result) => Carries::Lost,
            _ => carried,
        }
    }

    /// Integer instructions: a comparison ends the trail, arithmetic on the bits of a float loses it.
    fn bits(&self, inst: InstId) -> Carries {
        let data = &self.function.insts[inst];
        // Of an address that was read as an integer, arithmetic makes a number, as of any address.
        let carried = |operand: ValueId| match self.carries[operand] {
            Carries::Derivative if self.is_address(operand) => Carries::Address,
            carried => carried,
        };
        let most = || data.operands.iter().map(|&operand| carried(operand)).max().unwrap_or(Carries::Nothing);
        let keeps_bits = match &data.opcode {
            // The distance of two addresses is a number like any other.
            Opcode::IntBinary { op: IntBinaryOp::Subtract, .. } => {
                !data.operands.iter().all(|&operand| carried(operand) == Carries::Address)
            }
            Opcode::IntBinary { .. } => true,
            Opcode::Cast { op: CastOp::PointerToInteger | CastOp::PointerToAddress, .. } => {
                return most().min(Carries::Address);
            }
            Opcode::Cast { op, .. } => matches!(op, CastOp::SignExtend),
            _ => false,
        };
        // Nobody multiplies the bits of a float.
        let is_number = matches!(
            data.opcode,
            Opcode::IntBinary { op, .. } if op == IntBinaryOp::Multiply || op.is_division()
        );
        match most() {
            _ if !keeps_bits => Carries::Nothing,
            Carries::Derivative | Carries::Lost => Carries::Lost,
            Carries::MemoryBits if is_number => Carries::Nothing,
            rest @ (Carries::Nothing | Carries::MemoryBits | Carries::Address) => rest,
        }
    }

    /// Whether a value is an integer that is known to be an address.
    fn is_address(&self, value: ValueId) -> bool {
        matches!(self.function.type_of(value), Type::Integer { .. })
            && self.types.contents(value) == Contents::Only(Kind::Pointer)
    }

    fn writes_active(&self) -> bool {
        self.function.insts_in_order().any(|inst| {
            let operands = &self.function.insts[inst].operands;
            match self.roles[inst] {
                Role::Store => self.carries[operands[0]] == Carries::Derivative,
                Role::StoreElements { value, .. } => self.carries[operands[value]] == Carries::Derivative,
                Role::AtomicUpdate(_) => self.carries[operands[1]] == Carries::Derivative,
                Role::CompareExchange => self.carries[operands[2]] == Carries::Derivative,
                Role::CopyMemory { from, .. } => self.carries[operands[from]] == Carries::Derivative,
                _ => false,
            }
        })
    }
}

/// Whether a value is an integer, or made of integers, that is known to be the bits of floats.
pub(super) fn is_bits_of_floats(function: &Function, types: &ValueTypes, value: ValueId) -> bool {
    !may_carry(function, function.values[value].ty)
        && matches!(types.contents(value), Contents::Only(Kind::Float(_)))
}

/// Whether a value of this type can hold a float or a pointer.
pub fn may_carry(function: &Function, ty: TypeId) -> bool {
    holds(function, ty, &|scalar| scalar.is_float() || scalar.is_pointer())
}

/// Whether a type is, or is made of, a scalar of some kind.
pub fn holds(function: &Function, ty: TypeId, kind: &dyn Fn(&Type) -> bool) -> bool {
    match function.ty(ty) {
        Type::Array { element, .. } | Type::Vector { element, .. } => holds(function, *element, kind),
        Type::Struct(structure) => {
            structure.body.iter().flat_map(|body| &body.fields).any(|&field| holds(function, field, kind))
        }
        scalar => kind(scalar),
    }
}
