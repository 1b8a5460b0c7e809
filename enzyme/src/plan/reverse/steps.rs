//! What each sweep does at each instruction.

use super::control::Control;
use super::steady::memory_of_arguments;
use super::{Adjoint, ReverseStep, Sweeps};
use crate::activity::{ArgumentActivity, is_marked_inactive};
use crate::memory::Access;
use crate::model::{
    CastOp, FloatType, Function, GlobalId, InstId, Opcode, SecondaryMap, Type, TypeId, Uses, ValueDefinition,
    ValueId, VectorLength,
};
use crate::plan::bits::{BitArithmetic, float_of_bits};
use crate::plan::checkpointed::{Reruns, freed_inside_calls, regions_of_loop, unchanged};
use crate::plan::copy::declared_contents;
use crate::plan::flow::{Carries, holds, is_bits_of_floats, may_carry};
use crate::plan::forward::{ForwardStep, FreedLater, Planner};
use crate::plan::pointer_call::is_variadic;
use crate::plan::role::{Role, rule_takes_shadow, scalar_of};
use crate::plan::{
    Context, DerivedCall, Direction, Guard, MemoryActivity, Obstacle, PointerCall, Reason, ResultCarries,
    UnknownTypes,
};
use crate::types::{CallTypes, Contents, Kind};

/// The steps of both sweeps.
#[derive(Default)]
pub(super) struct Decided {
    pub(super) forward: SecondaryMap<InstId, ForwardStep>,
    pub(super) guards: SecondaryMap<InstId, Option<Guard>>,
    pub(super) reverse: SecondaryMap<InstId, ReverseStep>,
    pub(super) adjoints: SecondaryMap<ValueId, Adjoint>,
}

/// Decides the steps; notes every instruction that stands in the way.
pub(super) fn decide(
    function: &Function,
    roles: &SecondaryMap<InstId, Role>,
    carries: &SecondaryMap<ValueId, Carries>,
    control: &Control,
    sweeps: Sweeps,
    context: &Context<'_>,
    obstacles: &mut Vec<Obstacle>,
) -> Decided {
    let mut decided = Decided::default();
    let uses = Uses::of(function);
    for value in function.values.keys() {
        decided.adjoints[value] = adjoint(function, &uses, carries, context, value);
    }
    let shadows = Planner { function, context, roles, carries };
    let adjoints = decided.adjoints.clone();
    let reruns = Reruns::of(context.memory.program());
    let stepper =
        Stepper { function, carries, control, context, sweeps, reruns, adjoints: &adjoints, shadows };
    for inst in function.insts_in_order() {
        // From where no return can be reached, no derivative comes back.
        if !control.comes_back(function.insts[inst].block) {
            continue;
        }
        match stepper.guarded_steps(inst, &roles[inst]) {
            Ok((guard, (forward, reverse))) => {
                decided.guards[inst] = guard;
                decided.forward[inst] = forward;
                decided.reverse[inst] = reverse;
            }
            Err(reason) => Obstacle::note(obstacles, inst, reason),
        }
    }
    if let Some(user) = lost_parameter(function, &uses, carries, &adjoints) {
        Obstacle::note(obstacles, user, Reason::LostBits);
    }
    if let Some((call, reason)) = freed_inside_calls(function, reruns, context) {
        Obstacle::note(obstacles, call, reason);
    }
    decided
}

/// A use of an integer that comes with a derivative, though nobody here knows what floats it is the bits of.
fn lost_parameter(
    function: &Function,
    uses: &Uses,
    carries: &SecondaryMap<ValueId, Carries>,
    adjoints: &SecondaryMap<ValueId, Adjoint>,
) -> Option<InstId> {
    let is_lost = |&&parameter: &&ValueId| {
        carries[parameter] == Carries::Derivative
            && adjoints[parameter] == Adjoint::None
            && !may_carry(function, function.values[parameter].ty)
    };
    let lost = function.parameters.iter().filter(is_lost);
    lost.filter_map(|&parameter| uses.of_value(parameter).first().copied()).next()
}

/// What the adjoint of a value is kept as.
fn adjoint(
    function: &Function,
    uses: &Uses,
    carries: &SecondaryMap<ValueId, Carries>,
    context: &Context<'_>,
    value: ValueId,
) -> Adjoint {
    let ty = function.values[value].ty;
    let is_computed = matches!(
        function.values[value].definition,
        ValueDefinition::Instruction(_) | ValueDefinition::Parameter(_)
    );
    if carries[value] != Carries::Derivative || !is_computed {
        return Adjoint::None;
    }
    if holds(function, ty, &Type::is_float) {
        return Adjoint::OwnType;
    }
    let float = match (function.ty(ty), context.types.contents(value)) {
        (Type::Integer { bits }, Contents::Only(Kind::Float(float))) if bits % float.bits() == 0 => float,
        (Type::Vector { length: VectorLength::Fixed(_), .. }, Contents::Only(Kind::Float(float)))
            if integer_bits(function, ty).is_some_and(|bits| bits % float.bits() == 0) =>
        {
            float
        }
        // It is looked at as an integer, too, and is the bits of a float all the same.
        (Type::Integer { .. }, Contents::Only(Kind::Anything) | Contents::Unknown) => {
            match float_of_bits(function, uses, value) {
                Some(float) => float,
                None => return Adjoint::None,
            }
        }
        _ => return Adjoint::None,
    };
    Adjoint::Floats(float)
}

/// Whether a step of the reverse sweep leaves memory alone that is its own shadow.
fn is_guarded(step: &ReverseStep) -> bool {
    match step {
        ReverseStep::LoadElements(..)
        | ReverseStep::StoreElements(..)
        | ReverseStep::AtomicUpdate(_)
        | ReverseStep::MoveMemory { .. }
        | ReverseStep::CopyPieces { .. }
        | ReverseStep::CopyPrefix { .. } => false,
        ReverseStep::Skip
        | ReverseStep::Scalar(_)
        | ReverseStep::Move
        | ReverseStep::Bits(_)
        | ReverseStep::SumElements
        | ReverseStep::Load
        | ReverseStep::Store
        | ReverseStep::CopyMemory { .. }
        | ReverseStep::ClearMemory { .. }
        | ReverseStep::Call(_)
        | ReverseStep::ReverseCall(_)
        | ReverseStep::ReverseCallThroughPointer(_)
        | ReverseStep::Return => true,
    }
}

/// The bits of an integer, or of each element of a vector of integers.
fn integer_bits(function: &Function, ty: TypeId) -> Option<u32> {
    match scalar_of(function, ty) {
        Type::Integer { bits } => Some(*bits),
        _ => None,
    }
}

pub(super) struct Stepper<'a> {
    pub(super) function: &'a Function,
    pub(super) carries: &'a SecondaryMap<ValueId, Carries>,
    pub(super) control: &'a Control,
    pub(super) context: &'a Context<'a>,
    pub(super) sweeps: Sweeps,
    pub(super) reruns: Reruns,
    pub(super) adjoints: &'a SecondaryMap<ValueId, Adjoint>,
    /// Decides what is done over the shadows of pointers, as in forward mode.
    pub(super) shadows: Planner<'a>,
}

/// What some bytes hold of what derivatives are made of.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Held {
    Floats,
    Pointers,
    Neither,
    Unknown,
}

pub(super) type Steps = (ForwardStep, ReverseStep);

impl Stepper<'_> {
    /// The steps of an instruction, and what becomes of the one of the forward sweep where a pointer is its own shadow.
    fn guarded_steps(&self, inst: InstId, role: &Role) -> Result<(Option<Guard>, Steps), Reason> {
        let steps = self.steps(inst, role)?;
        if self.context.memory_activity != MemoryActivity::Known && !is_guarded(&steps.1) {
            return Err(Reason::Unsupported {
                what: "an operation on memory whose activity is decided at run time",
            });
        }
        Ok((self.shadows.guard(inst, role, &steps.0)?, steps))
    }

    fn steps(&self, inst: InstId, role: &Role) -> Result<Steps, Reason> {
        let data = &self.function.insts[inst];
        let operands = data.operands.as_slice();
        let result = data.result.map_or(Carries::Nothing, |result| self.carries[result]);
        let nothing = (ForwardStep::Keep, ReverseStep::Skip);
        let only = |reverse: ReverseStep| (ForwardStep::Keep, reverse);
        match role {
            Role::Load
                if data.result.is_some_and(|result| self.shadows.is_missing_shadow(operands[0], result)) =>
            {
                Err(self.shadows.without_shadow(operands[0]))
            }
            Role::Store
                if self.has_shadow(operands[0])
                    && self.shadows.is_missing_shadow(operands[1], operands[0])
                    && !is_marked_inactive(self.function, inst) =>
            {
                Err(self.shadows.without_shadow(operands[1]))
            }
            Role::Inactive
            | Role::Move(_)
            | Role::Scalar(_)
            | Role::SumElements
            | Role::Bits(_)
            | Role::Displace(_)
            | Role::Follow(_)
            | Role::Load
            | Role::LoadElements { .. }
                if result != Carries::Derivative =>
            {
                let can_carry =
                    data.result.is_some_and(|value| may_carry(self.function, self.function.values[value].ty));
                match Reason::of_lost(result).filter(|_| can_carry) {
                    Some(reason) => Err(reason),
                    None => Ok(nothing),
                }
            }
            Role::Inactive => Ok(nothing),
            Role::Scalar(call) => Ok(only(ReverseStep::Scalar(call.clone()))),
            Role::SumElements => Ok(only(ReverseStep::SumElements)),
            Role::Move(_) => self.moved(inst, role),
            Role::Bits(bits) => self.bits(inst, role, *bits),
            Role::Displace(_) | Role::Follow(_) => Ok((self.shadows.step(inst, role)?, ReverseStep::Skip)),
            Role::LoadElements { others, .. } => self.load_elements(inst, role, *others),
            Role::StoreElements { value, pointer } if self.has_shadow(operands[*pointer]) => {
                self.store_elements(inst, role, *value, *pointer)
            }
            Role::AtomicUpdate(op) if self.has_shadow(operands[0]) => self.atomic_update(inst, role, *op),
            Role::CompareExchange if self.has_shadow(operands[0]) => self.compare_exchange(inst, role),
            Role::StoreElements { .. } | Role::AtomicUpdate(_) | Role::CompareExchange => Ok(nothing),
            Role::Load => {
                let Some(result) = data.result else { return Ok(nothing) };
                let reverse = match self.adjoints[result] {
                    Adjoint::None => ReverseStep::Skip,
                    Adjoint::OwnType | Adjoint::Floats(_) => ReverseStep::Load,
                };
                Ok((self.over_shadows(inst, role, result)?, reverse))
            }
            Role::Alloca | Role::Allocate(_) => Ok((self.shadows.step(inst, role)?, ReverseStep::Skip)),
            Role::AllocateThrough { pointer, .. } if self.has_shadow(operands[*pointer]) => {
                Ok((self.shadows.step(inst, role)?, ReverseStep::Skip))
            }
            Role::Reallocate { pointer, size, .. }
                if self.has_shadow(operands[*pointer]) || result == Carries::Derivative =>
            {
                self.moved_memory(inst, *pointer, *size)
            }
            Role::AllocateThrough { .. } | Role::Reallocate { .. } => Ok(nothing),
            Role::Free(0) if self.has_shadow(operands[0]) || self.reruns == Reruns::Steps => {
                let what = match (self.has_shadow(operands[0]), self.reruns) {
                    (true, Reruns::Nothing) => FreedLater::Shadow,
                    (true, Reruns::Steps) => FreedLater::Both,
                    (false, _) => FreedLater::Primal,
                };
                Ok((ForwardStep::FreeLater(what), ReverseStep::Skip))
            }
            Role::Free(pointer) if self.has_shadow(operands[*pointer]) => Err(Reason::Unsupported {
                what: "a function that frees memory, but not by its first argument,",
            }),
            Role::Free(_) => Ok(nothing),
            Role::Store if !self.has_shadow(operands[1]) => Ok(nothing),
            Role::Store => match self.held_by(operands[0], operands[1])? {
                Held::Floats if self.lacks_adjoint(operands[0]) => Err(Reason::LostBits),
                Held::Floats => Ok(only(ReverseStep::Store)),
                Held::Pointers => Ok((self.shadows.step(inst, role)?, ReverseStep::Skip)),
                Held::Neither | Held::Unknown => Ok(nothing),
            },
            Role::CopyMemory { to, .. } | Role::FillMemory { to, .. } if !self.has_shadow(operands[*to]) => {
                Ok(nothing)
            }
            Role::CopyMemory { to, from, length } => self.copy(inst, role, *to, *from, *length),
            Role::FillMemory { to, length } => match self.context.types.bytes(operands[*to], None) {
                Contents::Only(Kind::Pointer) => Ok((self.shadows.step(inst, role)?, ReverseStep::Skip)),
                Contents::Only(Kind::Integer) => Ok(nothing),
                // The derivative of whatever is a float ends here; where nothing is known of, nothing is read as a pointer.
                Contents::Only(Kind::Float(_) | Kind::Anything) | Contents::Unknown => {
                    Ok(only(ReverseStep::ClearMemory { to: *to, length: *length }))
                }
                Contents::Mixed => self.fill_pieces(inst, *to, *length),
            },
            Role::Overwrite { to, .. } if !self.has_shadow(operands[*to]) => Ok(nothing),
            Role::Overwrite { to, length } => {
                match (self.context.types.bytes(operands[*to], None), *length) {
                    (Contents::Only(Kind::Integer), _) => Ok(nothing),
                    (_, Some(length)) => Ok(only(ReverseStep::ClearMemory { to: *to, length })),
                    (_, None) => {
                        Err(Reason::Overwritten { pointer: self.function.display_name(operands[*to]) })
                    }
                }
            }
            Role::CallDefined(callee) => self.call(inst, *callee),
            Role::CallRuled(callee) if self.takes_active(data.arguments()) => self.ruled_call(inst, *callee),
            Role::CallUnknown(_) if !self.context.activity.inst(inst).is_active() => Ok(nothing),
            Role::CallUnknown(name) if self.takes_active(data.arguments()) => {
                Err(Reason::UnknownFunction { name: name.clone() })
            }
            Role::CallIndirect
                if self.context.activity.inst(inst).is_active()
                    || self.takes_active(data.arguments())
                    || result == Carries::Derivative =>
            {
                self.call_through_pointer(inst)
            }
            Role::Unsupported(what) if self.takes_active(operands) || result == Carries::Derivative => {
                Err(Reason::Unsupported { what })
            }
            Role::CallRuled(_) | Role::CallUnknown(_) | Role::CallIndirect | Role::Unsupported(_) => {
                Ok(nothing)
            }
            Role::Return if operands.iter().any(|&value| self.is_lost(value)) => Err(Reason::LostBits),
            Role::Return => Ok(only(ReverseStep::Return)),
        }
    }

    /// A result that is made of parts of its operands.
    fn moved(&self, inst: InstId, role: &Role) -> Result<Steps, Reason> {
        let data = &self.function.insts[inst];
        let Some(result) = data.result else { return Ok((ForwardStep::Keep, ReverseStep::Skip)) };
        let forward = self.over_shadows(inst, role, result)?;
        let reverse = match (self.adjoints[result], self.same_floats(inst)) {
            (Adjoint::None, _) if forward == ForwardStep::Keep => return Err(Reason::LostBits),
            (Adjoint::None, _) => ReverseStep::Skip,
            (Adjoint::OwnType | Adjoint::Floats(_), true) if self.splits_elements(inst) => {
                return Err(Reason::LostBits);
            }
            (Adjoint::OwnType | Adjoint::Floats(_), true) => ReverseStep::Move,
            (Adjoint::OwnType | Adjoint::Floats(_), false) => return Err(Reason::LostBits),
        };
        Ok((forward, reverse))
    }

    /// Arithmetic on the bits of a float, where the adjoints of both sides are such floats.
    fn bits(&self, inst: InstId, role: &Role, bits: BitArithmetic) -> Result<Steps, Reason> {
        let result = self.function.insts[inst].result;
        let (before, after) = (self.floats(bits.float), result.and_then(|result| self.floats(result)));
        let width = integer_bits(self.function, self.function.values[bits.float].ty);
        if after.is_none() || before != after || after.map(FloatType::bits) != width {
            return Err(Reason::LostBits);
        }
        match self.shadows.step(inst, role)? {
            ForwardStep::Bits(bits) => Ok((ForwardStep::Keep, ReverseStep::Bits(bits))),
            _ => Err(Reason::LostBits),
        }
    }

    /// What the forward sweep does to know the shadows in a result: nothing when there are none.
    pub(super) fn over_shadows(
        &self,
        inst: InstId,
        role: &Role,
        result: ValueId,
    ) -> Result<ForwardStep, Reason> {
        let ty = self.function.values[result].ty;
        let may_hold_pointers = match self.context.types.contents(result) {
            _ if holds(self.function, ty, &Type::is_pointer) => true,
            _ if holds(self.function, ty, &Type::is_float) => false,
            Contents::Only(Kind::Pointer | Kind::Anything) | Contents::Unknown => true,
            Contents::Only(Kind::Float(_) | Kind::Integer) | Contents::Mixed => false,
        };
        if !may_hold_pointers {
            return Ok(ForwardStep::Keep);
        }
        let mut step = self.shadows.step(inst, role)?;
        if let ForwardStep::Mirror { operands, zeroed, .. } = &mut step {
            // A float that is put beside a pointer has an adjoint and no shadow; its place in the shadow is read by nobody.
            let is_float = |index: usize| {
                let ty = self.function.values[self.function.insts[inst].operands[index]].ty;
                holds(self.function, ty, &Type::is_float) && !holds(self.function, ty, &Type::is_pointer)
            };
            operands.retain(|index| !is_float(*index));
            zeroed.retain(|index| !is_float(*index));
        }
        Ok(step)
    }

    /// Whether elements of a vector of integers are moved one by one that hold several floats each.
    fn splits_elements(&self, inst: InstId) -> bool {
        let data = &self.function.insts[inst];
        let is_vector = |value: ValueId| matches!(self.function.type_of(value), Type::Vector { .. });
        let by_element = match &data.opcode {
            Opcode::ExtractElement | Opcode::InsertElement | Opcode::ShuffleVector { .. } => true,
            Opcode::Select { .. } => is_vector(data.operands[0]),
            _ => false,
        };
        let mut vectors = data.operands.iter().copied().chain(data.result).filter(|&value| is_vector(value));
        by_element
            && vectors.any(|value| match self.adjoints[value] {
                Adjoint::Floats(float) => {
                    integer_bits(self.function, self.function.values[value].ty) != Some(float.bits())
                }
                Adjoint::None | Adjoint::OwnType => false,
            })
    }

    /// Whether the adjoint of what is moved is made of the same floats as that of the result: a cast that takes the bits
    /// of floats for floats of another format moves adjoints that do not add up.
    fn same_floats(&self, inst: InstId) -> bool {
        let data = &self.function.insts[inst];
        let (Opcode::Cast { op, .. }, Some(result)) = (&data.opcode, data.result) else {
            return true;
        };
        match op {
            CastOp::Bitcast => self.floats(data.operands[0]) == self.floats(result),
            CastOp::AddressSpaceCast => true,
            _ => false,
        }
    }

    /// The format of the floats that the adjoint of a value is made of.
    fn floats(&self, value: ValueId) -> Option<crate::model::FloatType> {
        match self.adjoints[value] {
            Adjoint::None => None,
            Adjoint::Floats(float) => Some(float),
            Adjoint::OwnType => match scalar_of(self.function, self.function.values[value].ty) {
                Type::Float(float) => Some(*float),
                _ => None,
            },
        }
    }

    /// What a value that is stored holds, by itself or by what is known of the memory.
    pub(super) fn held_by(&self, value: ValueId, pointer: ValueId) -> Result<Held, Reason> {
        let ty = self.function.values[value].ty;
        if holds(self.function, ty, &Type::is_pointer) {
            return Ok(Held::Pointers);
        }
        if holds(self.function, ty, &Type::is_float) {
            return Ok(Held::Floats);
        }
        let types = self.context.types;
        for contents in [types.contents(value), types.memory(pointer)] {
            match contents {
                Contents::Only(Kind::Float(_)) => return Ok(Held::Floats),
                Contents::Only(Kind::Pointer) => return Ok(Held::Pointers),
                Contents::Only(Kind::Integer) => return Ok(Held::Neither),
                Contents::Only(Kind::Anything) | Contents::Unknown | Contents::Mixed => {}
            }
        }
        match self.context.unknown_types {
            // Padding, or a float, whose adjoint ends here: nothing that is read as an integer or a pointer.
            _ if self.is_zero(value) => Ok(Held::Floats),
            _ if self.is_integer_variable(pointer) => Ok(Held::Neither),
            UnknownTypes::AreIntegers => Ok(Held::Unknown),
            UnknownTypes::AreErrors => {
                Err(Reason::MissingType { value: self.function.display_name(value), needed_for: "a store" })
            }
        }
    }

    fn is_zero(&self, value: ValueId) -> bool {
        match self.function.values[value].definition {
            ValueDefinition::Constant(constant) => self.function.context.is_zero(constant),
            ValueDefinition::Parameter(_)
            | ValueDefinition::Instruction(_)
            | ValueDefinition::Global(_)
            | ValueDefinition::Metadata(_)
            | ValueDefinition::InlineAsm(_) => false,
        }
    }

    /// Whether a pointer is the address of a variable declared as an integer; that of a union would be a struct.
    fn is_integer_variable(&self, pointer: ValueId) -> bool {
        self.function.as_global(pointer).is_some_and(|global| {
            let ty = self.function.context.globals[global].value_type;
            matches!(self.function.ty(ty), Type::Integer { .. })
        })
    }

    /// Whether the derivative of a float that is stored as an integer could not be found.
    pub(super) fn lacks_adjoint(&self, value: ValueId) -> bool {
        self.carries[value] == Carries::Lost
            || (self.carries[value] == Carries::Derivative
                && self.adjoints[value] == Adjoint::None
                && self.function.as_inst(value).is_some())
    }

    fn copy(
        &self,
        inst: InstId,
        role: &Role,
        to: usize,
        from: usize,
        length: usize,
    ) -> Result<Steps, Reason> {
        let data = &self.function.insts[inst];
        let clear = ReverseStep::ClearMemory { to, length };
        let copied = |float| ReverseStep::CopyMemory { float, to, from, length };
        let count = self.shadows.constant_length(data.operands[length]);
        let operands = [to, from, length];
        let (to, from) = (data.operands[to], data.operands[from]);
        let types = self.context.types;
        match self.shadows.copied_contents(to, from, count) {
            Contents::Only(Kind::Float(float)) if self.has_shadow(from) => {
                return Ok((ForwardStep::Keep, copied(float)));
            }
            Contents::Only(Kind::Float(_)) => return Ok((ForwardStep::Keep, clear)),
            Contents::Only(Kind::Integer) => return Ok((ForwardStep::Keep, ReverseStep::Skip)),
            Contents::Only(Kind::Pointer) => {
                return Ok((self.shadows.step(inst, role)?, ReverseStep::Skip));
            }
            Contents::Mixed => return self.copy_pieces(inst, operands, count),
            // Of a constant without addresses, and of nothing but zeros, whatever is a float is one without a derivative.
            Contents::Only(Kind::Anything) | Contents::Unknown
                if (!self.has_shadow(from) && self.shadows.is_plain_constant(from))
                    || self.shadows.copies_blank(inst, from) =>
            {
                return Ok((ForwardStep::Keep, clear));
            }
            Contents::Only(Kind::Anything) | Contents::Unknown => {}
        }
        for side in [to, from] {
            // Only some of the bytes are seen to be floats here: the declaration speaks for the others.
            let Contents::Only(Kind::Float(float)) = types.memory(side) else { continue };
            if declared_contents(self.function, side) == Some(Kind::Float(float)) {
                let reverse = if self.has_shadow(from) { copied(float) } else { clear };
                return Ok((ForwardStep::Keep, reverse));
            }
        }
        let stated =
            count.and_then(|count| self.shadows.stated_runs(inst, [operands[0], operands[1]], count));
        match stated {
            Some(_) => self.copy_pieces(inst, operands, count),
            None => Err(Reason::MissingType {
                value: self.function.display_name(from),
                needed_for: "a copy of memory",
            }),
        }
    }

    fn call(&self, inst: InstId, callee: GlobalId) -> Result<Steps, Reason> {
        let data = &self.function.insts[inst];
        let arguments: Vec<ArgumentActivity> =
            data.arguments().iter().map(|&argument| self.argument(argument)).collect::<Result<_, _>>()?;
        let is_active = arguments.iter().any(|activity| *activity != ArgumentActivity::Const);
        let result = match data.result {
            Some(result) if self.carries[result] == Carries::Derivative => ResultCarries::Derivative,
            Some(_) | None => ResultCarries::Nothing,
        };
        let does_something =
            || self.context.activity.inst(inst).is_active() || self.writes_pointers_with_shadow(inst);
        if result == ResultCarries::Nothing && !(is_active && does_something()) {
            return Ok((ForwardStep::Keep, ReverseStep::Skip));
        }
        if let Some(regions) = regions_of_loop(self.function, callee) {
            unchanged(self.function, inst, regions, self.sweeps, self.context)?;
        }
        let arguments = self.shadows.with_shadows_of_null(data.arguments(), arguments);
        let types = self.context.types_at(data.arguments(), data.result);
        let mut call = DerivedCall { callee, arguments, result, types, memory: Vec::new() };
        if self.only_computes(inst) {
            return Ok((ForwardStep::Keep, ReverseStep::Call(call)));
        }
        if regions_of_loop(self.function, callee).is_none() {
            call.memory = memory_of_arguments(self.function, self.control, self.sweeps, self.context, inst);
        }
        Ok((ForwardStep::Augment(call.clone()), ReverseStep::ReverseCall(call)))
    }

    /// Whether a call may write where a pointer is read whose shadow is wanted: then it must write that, too.
    fn writes_pointers_with_shadow(&self, call: InstId) -> bool {
        let (memory, function) = (self.context.memory, self.context.function);
        self.function.insts_in_order().any(|inst| {
            let data = &self.function.insts[inst];
            let reads_pointer = matches!(data.opcode, Opcode::Load { .. })
                && data.result.is_some_and(|result| {
                    self.has_shadow(result)
                        && holds(self.function, self.function.values[result].ty, &Type::is_pointer)
                });
            reads_pointer && memory.may_overwrite(function, call, inst)
        })
    }

    /// The user's two functions in the place of the function: one in each sweep.
    fn ruled_call(&self, inst: InstId, callee: GlobalId) -> Result<Steps, Reason> {
        let data = &self.function.insts[inst];
        let argument = |(index, &argument): (usize, &ValueId)| {
            let is_number = !holds(self.function, self.function.values[argument].ty, &Type::is_pointer);
            match is_number {
                true => self.argument(argument),
                false if rule_takes_shadow(self.function, callee, index, Direction::Reverse) => {
                    self.with_shadow(argument)
                }
                false => Ok(ArgumentActivity::Const),
            }
        };
        let result = data.result.map_or(Carries::Nothing, |result| self.carries[result]);
        let call = DerivedCall {
            callee,
            arguments: data.arguments().iter().enumerate().map(argument).collect::<Result<_, _>>()?,
            result: match result == Carries::Derivative {
                true => ResultCarries::Derivative,
                false => ResultCarries::Nothing,
            },
            // What the user wrote does not depend on them.
            types: CallTypes::default(),
            memory: Vec::new(),
        };
        Ok((ForwardStep::Augment(call.clone()), ReverseStep::ReverseCall(call)))
    }

    /// The two functions behind the shadow of a pointer in the place of the function behind the pointer.
    fn call_through_pointer(&self, inst: InstId) -> Result<Steps, Reason> {
        let data = &self.function.insts[inst];
        if is_variadic(self.function, inst) {
            return Err(Reason::Unsupported { what: "a call of a variadic function through a pointer" });
        }
        let call = PointerCall::by_type(self.function, data.arguments(), data.result, Direction::Reverse);
        for (&argument, activity) in data.arguments().iter().zip(&call.arguments) {
            match (self.carries[argument], activity) {
                (Carries::Lost, _) | (Carries::Derivative, ArgumentActivity::Const) => {
                    return Err(Reason::LostBits);
                }
                (_, ArgumentActivity::Duplicated | ArgumentActivity::DuplicatedNoNeed) => {
                    if self.with_shadow(argument)? == ArgumentActivity::Const {
                        let pointer = self.function.display_name(argument);
                        return Err(Reason::NoShadow { pointer });
                    }
                }
                (_, ArgumentActivity::Out | ArgumentActivity::Const) => {}
            }
        }
        let mixed = |argument: &ValueId| {
            let ty = self.function.values[*argument].ty;
            holds(self.function, ty, &Type::is_float) && holds(self.function, ty, &Type::is_pointer)
        };
        if data.arguments().iter().any(mixed) {
            return Err(Reason::Unsupported { what: "a struct of floats and pointers as an argument" });
        }
        let step = ForwardStep::AugmentThroughPointer(call.clone());
        Ok((step, ReverseStep::ReverseCallThroughPointer(call)))
    }

    /// How an argument that is a pointer takes part in a call that takes its shadow whatever it carries: the shadow of
    /// what carries nothing must be obvious.
    fn with_shadow(&self, argument: ValueId) -> Result<ArgumentActivity, Reason> {
        match self.carries[argument] {
            Carries::Derivative => Ok(ArgumentActivity::Duplicated),
            Carries::Lost => Err(Reason::LostBits),
            Carries::Nothing | Carries::MemoryBits | Carries::Address => {
                let is_computed = self.function.as_inst(argument).is_some();
                match is_computed || self.shadows.lacks_shadow(argument) {
                    true => Err(Reason::NoShadow { pointer: self.function.display_name(argument) }),
                    false => Ok(ArgumentActivity::Duplicated),
                }
            }
        }
    }

    /// Whether calling does nothing but compute numbers from numbers: then both sweeps can run when the adjoint is known.
    fn only_computes(&self, inst: InstId) -> bool {
        let (memory, function) = (self.context.memory, self.context.function);
        let result = self.function.insts[inst].result;
        let gives_numbers = result
            .is_some_and(|result| !holds(self.function, self.function.values[result].ty, &Type::is_pointer));
        gives_numbers
            && memory.reads(function, inst).is_empty()
            && memory.writes(function, inst).is_empty()
            && memory.hidden(function, inst) == Access::None
            && !self.context.calls_itself(self.function, inst)
    }

    /// How an argument takes part in a call: floats by their adjoints, pointers by their shadows.
    fn argument(&self, argument: ValueId) -> Result<ArgumentActivity, Reason> {
        let ty = self.function.values[argument].ty;
        match self.carries[argument] {
            Carries::Nothing | Carries::MemoryBits | Carries::Address => Ok(ArgumentActivity::Const),
            Carries::Lost => Err(Reason::LostBits),
            Carries::Derivative => {
                let floats = holds(self.function, ty, &Type::is_float);
                let pointers = holds(self.function, ty, &Type::is_pointer);
                match (floats, pointers) {
                    (true, false) => Ok(ArgumentActivity::Out),
                    (false, true) => Ok(ArgumentActivity::Duplicated),
                    (true, true) => {
                        Err(Reason::Unsupported { what: "a struct of floats and pointers as an argument" })
                    }
                    (false, false) if is_bits_of_floats(self.function, self.context.types, argument) => {
                        Ok(ArgumentActivity::Out)
                    }
                    (false, false) => Err(Reason::LostBits),
                }
            }
        }
    }

    fn has_shadow(&self, pointer: ValueId) -> bool {
        self.carries[pointer] == Carries::Derivative
    }

    fn is_lost(&self, value: ValueId) -> bool {
        match self.carries[value] {
            Carries::Lost => true,
            Carries::Derivative => {
                self.adjoints[value] == Adjoint::None
                    && !may_carry(self.function, self.function.values[value].ty)
            }
            Carries::Nothing | Carries::MemoryBits | Carries::Address => false,
        }
    }

    fn takes_active(&self, operands: &[ValueId]) -> bool {
        operands.iter().any(|&operand| match self.carries[operand] {
            Carries::Derivative | Carries::Lost => true,
            Carries::Nothing | Carries::MemoryBits | Carries::Address => false,
        })
    }
}
