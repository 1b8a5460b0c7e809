//! The plan of a forward-mode derivative: the tangent of each value, computed right after the value itself.

mod ruled;

use super::bits::{BitArithmetic, BitOperation, is_bits_of_float};
use super::copy::Piece;
use super::flow::{Carries, LocalMemory, flow, holds, is_bits_of_floats, may_carry};
use super::globals::{GlobalMemory, base_global};
use super::guard::Guard;
use super::library_call::{Allocation, Bytes, Growth};
use super::repeated::Extent;
use super::role::{Role, ScalarCall, role, scalar_of};
use super::shadow_layout::{ShadowLayout, lay_out};
use super::wanted::keep_wanted;
use super::{
    Context, DerivedCall, Direction, MemoryActivity, Obstacle, PointerCall, Reason, ResultCarries,
    UnknownTypes,
};
use crate::activity::{ArgumentActivity, is_marked_inactive};
use crate::model::{
    ConstantKind, Function, GlobalId, GlobalKind, InstId, Opcode, SecondaryMap, Type, TypeId, Uses,
    ValueDefinition, ValueId,
};
use crate::rules;
use crate::types::{Contents, Kind};
use smallvec::SmallVec;

/// Everything that is decided about the forward-mode derivative of one function.
#[derive(Clone, Debug)]
pub struct ForwardPlan {
    /// What each value carries.
    pub carries: SecondaryMap<ValueId, Carries>,
    /// What the writer adds at each instruction.
    pub steps: SecondaryMap<InstId, ForwardStep>,
    /// What it does where a pointer is its own shadow, when activity is decided at run time.
    pub guards: SecondaryMap<InstId, Option<Guard>>,
    /// How the shadows of pointers are found from one address, where there are several directions and they are.
    pub layouts: SecondaryMap<ValueId, Option<ShadowLayout>>,
}

/// What the writer adds at one instruction.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum ForwardStep {
    /// Nothing: the primal alone.
    #[default]
    Keep,
    /// The tangent by the rule: the sum over the operands of partial times tangent.
    Scalar(ScalarCall),
    /// The same instruction once more, with the operands at these indices replaced by their shadows.
    Mirror {
        /// Which operands.
        operands: SmallVec<[usize; 4]>,
        /// Those of them that hold a constant float in an integer: their shadow is zero.
        zeroed: SmallVec<[usize; 1]>,
        /// What the new memory holds, if it makes any.
        fresh: Fresh,
    },
    /// The same arithmetic on the bits of the tangent.
    Bits(BitArithmetic),
    /// The shadow pointer is as far from that of this operand as the result is from the operand.
    Displace(usize),
    /// Zero bytes into the shadow of memory.
    ClearShadow {
        /// The operand that points to the memory.
        to: usize,
        /// The operand that says how many bytes.
        length: usize,
    },
    /// Memory with a shadow receives a copy of memory of which each piece is known: without a shadow or, in reverse mode,
    /// with one.
    CopyPieces {
        /// The operand that says where to.
        to: usize,
        /// The operand that says where from.
        from: usize,
        /// What becomes of each piece in the shadow, one after the other.
        pieces: Vec<Piece>,
        /// How often they come.
        extent: Extent,
    },
    /// Memory receives a copy of other memory, and its shadows one of the other's; those of one or both lie side by
    /// side.
    CopyElements {
        /// The operand that says where to.
        to: usize,
        /// The operand that says where from.
        from: usize,
        /// The operand that says how many bytes: a multiple of the size of an element.
        length: usize,
        /// The size of an element in bytes.
        element: u64,
    },
    /// Memory whose shadows lie side by side is filled, and so are the shadows, in the same way.
    FillElements {
        /// The operand that says where.
        to: usize,
        /// The operand that says how many bytes.
        length: usize,
    },
    /// The greater or smaller of two numbers goes to memory, its tangent to the shadow.
    AtomicExtremum(rules::Function),
    /// If the exchange happened, the shadow of the new value replaces what is in the shadow.
    CompareExchange {
        /// The operands that hold a constant float in an integer: their shadow is zero.
        zeroed: SmallVec<[usize; 1]>,
    },
    /// The derived function in the place of the function called.
    Call(DerivedCall),
    /// The derivative that belongs to a function pointer in the place of the function called through it.
    CallThroughPointer(PointerCall),
    /// The forward sweep of the function called, which keeps a tape (reverse mode).
    Augment(DerivedCall),
    /// The same for the function behind a pointer (reverse mode).
    AugmentThroughPointer(PointerCall),
    /// The tangents of a function whose primal ran before and kept a tape (forward mode in two parts).
    CallAgain(DerivedCall),
    /// Memory at operand 0 is freed once both sweeps are done (reverse mode).
    FreeLater(FreedLater),
    /// The shadow of memory that is moved: new memory, since the old shadow is still read on the way back, and freed once
    /// both sweeps are done (reverse mode).
    MoveShadow {
        /// The operand that points to the memory before.
        pointer: usize,
        /// How much memory there is afterwards.
        size: Bytes,
        /// What the new shadow begins with.
        begins: MovedShadow,
    },
    /// A return of what the derived function returns.
    Return,
}

/// What is freed once both sweeps are done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FreedLater {
    /// The shadow; the memory itself is freed where the program frees it.
    Shadow,
    /// The memory itself, too: the reverse sweep reads it again, or steps of checkpointed loops run over it again.
    Both,
    /// The memory itself, which has no shadow.
    Primal,
}

impl ForwardStep {
    /// Whether it is the same instruction once more, over shadows.
    pub(super) fn is_mirror(&self) -> bool {
        matches!(self, ForwardStep::Mirror { .. })
    }
}

/// What the shadow of new memory holds at first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fresh {
    /// The instruction makes no memory, or memory that is clear already.
    No,
    /// Frame memory, to be cleared.
    Frame,
    /// Heap memory, to be cleared.
    Heap(Bytes),
    /// Heap memory to be cleared whose address is where this operand points, if the instruction gives zero.
    Through {
        /// The operand.
        pointer: usize,
        /// How much memory.
        size: Bytes,
    },
    /// Heap memory that has grown; what is new is to be cleared.
    Grown(Growth),
}

/// What the shadow of memory that was moved begins with in reverse mode.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MovedShadow {
    /// Zeros: adjoints.
    Clear,
    /// What the shadow held before: shadows of pointers.
    Copied,
    /// The same for the pointers in each structure, zeros for the rest.
    PointersCopied {
        /// How many bytes a structure takes.
        period: u64,
        /// Where the pointers are in it, and how many bytes they take.
        pointers: Vec<(u64, u64)>,
    },
}

/// Decides the forward-mode derivative of a function; `result` says whether its result's tangent is asked for.
///
/// # Errors
/// Every instruction that stands in the way.
pub fn forward(
    function: &Function,
    parameters: &[ArgumentActivity],
    result: ResultCarries,
    context: &Context<'_>,
) -> Result<ForwardPlan, Vec<Obstacle>> {
    let roles = roles(function, Direction::Forward);
    let mut carries = flow(function, &roles, parameters, LocalMemory::Shadowed, context);
    let returns_bits = returns_bits(function, &carries, result);
    keep_wanted(function, &roles, context, &mut carries);
    let planner = Planner { function, context, roles: &roles, carries: &carries };
    let mut steps = SecondaryMap::with_capacity(function.insts.len());
    let mut guards = SecondaryMap::new();
    let mut obstacles = Vec::new();
    if let Some(inst) = returns_bits {
        Obstacle::note(&mut obstacles, inst, Reason::LostBits);
    }
    for inst in function.insts_in_order() {
        let step = planner.step(inst, &roles[inst]);
        match step.and_then(|step| Ok((planner.guard(inst, &roles[inst], &step)?, step))) {
            Ok((guard, step)) => {
                guards[inst] = guard;
                steps[inst] = step;
            }
            Err(reason) => Obstacle::note(&mut obstacles, inst, reason),
        }
    }
    if !obstacles.is_empty() {
        return Err(obstacles);
    }
    let mut plan = ForwardPlan { carries, steps, guards, layouts: SecondaryMap::new() };
    if context.width > 1 {
        lay_out(function, &roles, context, &mut plan);
    }
    Ok(plan)
}

/// The return of an integer whose derivative is another than is asked for. A struct of a float and an integer may be
/// returned as one integer: where nobody asks for the tangent of an integer, losing it would go unnoticed. Where a caller
/// takes the integer for the bits of a float, what carries no tangent would be taken for its own.
fn returns_bits(
    function: &Function,
    carries: &SecondaryMap<ValueId, Carries>,
    result: ResultCarries,
) -> Option<InstId> {
    let is_other = |value: &ValueId| {
        let carried = match carries[*value] {
            Carries::Derivative => ResultCarries::Derivative,
            Carries::Nothing | Carries::MemoryBits | Carries::Address | Carries::Lost => {
                ResultCarries::Nothing
            }
        };
        !may_carry(function, function.values[*value].ty) && carried != result
    };
    function.insts_in_order().find(|&inst| {
        let data = &function.insts[inst];
        data.opcode == Opcode::Return && data.operands.iter().any(is_other)
    })
}

/// The role of every instruction in derivatives of one direction.
pub(super) fn roles(function: &Function, direction: Direction) -> SecondaryMap<InstId, Role> {
    let mut roles = SecondaryMap::with_default(Role::Inactive);
    roles.resize(function.insts.len());
    for inst in function.insts_in_order() {
        roles[inst] = role(function, inst, direction);
    }
    roles
}

pub(super) struct Planner<'a> {
    pub(super) function: &'a Function,
    pub(super) context: &'a Context<'a>,
    pub(super) roles: &'a SecondaryMap<InstId, Role>,
    pub(super) carries: &'a SecondaryMap<ValueId, Carries>,
}

impl Planner<'_> {
    pub(super) fn step(&self, inst: InstId, role: &Role) -> Result<ForwardStep, Reason> {
        let data = &self.function.insts[inst];
        let operands = data.operands.as_slice();
        let result_carries = data.result.map_or(Carries::Nothing, |result| self.carries[result]);
        self.refuse_elsewhere(inst, role)?;
        match role {
            Role::Inactive => {
                self.refuse_lost_float(inst)?;
                Ok(ForwardStep::Keep)
            }
            Role::Scalar(call) if result_carries == Carries::Derivative => {
                Ok(ForwardStep::Scalar(call.clone()))
            }
            Role::Move(moved) => {
                self.refuse_lost_float(inst)?;
                match result_carries {
                    Carries::Nothing | Carries::MemoryBits | Carries::Address | Carries::Lost => {
                        Ok(ForwardStep::Keep)
                    }
                    Carries::Derivative => self.mirror(inst, moved, Fresh::No),
                }
            }
            Role::SumElements if result_carries == Carries::Derivative => {
                self.mirror(inst, &[0, 1], Fresh::No)
            }
            Role::Bits(bits) if result_carries == Carries::Derivative => self.bits(inst, *bits),
            Role::Displace(index) if result_carries == Carries::Derivative => {
                Ok(ForwardStep::Displace(*index))
            }
            Role::Follow(index) if result_carries == Carries::Derivative => {
                self.mirror(inst, &[*index], Fresh::No)
            }
            Role::Scalar(_) | Role::SumElements | Role::Bits(_) | Role::Displace(_) | Role::Follow(_) => {
                Ok(ForwardStep::Keep)
            }
            // Memory that nothing active goes through needs no shadow.
            Role::Alloca | Role::Allocate(_) if result_carries == Carries::Nothing => Ok(ForwardStep::Keep),
            Role::Alloca => self.mirror(inst, &[], Fresh::Frame),
            Role::Allocate(Allocation::Uncleared(size)) => self.mirror(inst, &[], Fresh::Heap(*size)),
            Role::Allocate(Allocation::Cleared) => self.mirror(inst, &[], Fresh::No),
            Role::AllocateThrough { pointer, size } if self.has_shadow(operands[*pointer]) => {
                self.mirror(inst, &[*pointer], Fresh::Through { pointer: *pointer, size: *size })
            }
            // Where the old size is not told, what is new stays as it is, in the shadow as in the primal: nobody may read
            // it before it is written, and whatever writes to memory writes to its shadow, too.
            Role::Reallocate { pointer, growth, .. }
                if self.has_shadow(operands[*pointer]) || result_carries == Carries::Derivative =>
            {
                self.mirror(inst, &[*pointer], growth.map_or(Fresh::No, Fresh::Grown))
            }
            Role::AllocateThrough { .. } | Role::Reallocate { .. } => Ok(ForwardStep::Keep),
            Role::Load if result_carries == Carries::Derivative => self.mirror(inst, &[0], Fresh::No),
            Role::Load if data.result.is_some_and(|result| self.is_missing_shadow(operands[0], result)) => {
                Err(self.without_shadow(operands[0]))
            }
            Role::Load => Ok(ForwardStep::Keep),
            Role::Store if self.has_shadow(operands[1]) => self.mirror(inst, &[0, 1], Fresh::No),
            Role::Store
                if self.has_shadow(operands[0])
                    && self.is_missing_shadow(operands[1], operands[0])
                    && !is_marked_inactive(self.function, inst)
                    && !self.is_thrown(operands[1]) =>
            {
                Err(self.without_shadow(operands[1]))
            }
            // Memory without a shadow is inactive by the caller's word, so what is written there is too.
            Role::Store => Ok(ForwardStep::Keep),
            Role::LoadElements { pointer, others } if result_carries == Carries::Derivative => {
                let operands: SmallVec<[usize; 2]> =
                    [Some(*pointer), *others].into_iter().flatten().collect();
                self.mirror(inst, &operands, Fresh::No)
            }
            Role::LoadElements { .. } => Ok(ForwardStep::Keep),
            Role::StoreElements { value, pointer } if self.has_shadow(operands[*pointer]) => {
                self.mirror(inst, &[*value, *pointer], Fresh::No)
            }
            Role::StoreElements { .. } => Ok(ForwardStep::Keep),
            Role::AtomicUpdate(op) if self.has_shadow(operands[0]) => self.atomic_update(inst, *op),
            Role::CompareExchange if self.has_shadow(operands[0]) => self.compare_exchange(inst),
            Role::AtomicUpdate(_) | Role::CompareExchange => Ok(ForwardStep::Keep),
            Role::CopyMemory { to, from, length } => self.copy(inst, *to, *from, *length),
            Role::FillMemory { to, length } if self.has_shadow(operands[*to]) => {
                self.fill(inst, *to, *length)
            }
            Role::FillMemory { .. } => Ok(ForwardStep::Keep),
            Role::Overwrite { to, length } if self.has_shadow(operands[*to]) => {
                self.overwrite(inst, *to, *length)
            }
            Role::Overwrite { .. } => Ok(ForwardStep::Keep),
            Role::Free(pointer) if self.has_shadow(operands[*pointer]) => {
                self.mirror(inst, &[*pointer], Fresh::No)
            }
            Role::Free(_) => Ok(ForwardStep::Keep),
            Role::CallDefined(callee) => {
                let arguments = self.call_arguments(data.arguments())?;
                let active = arguments.iter().any(|argument| argument.has_shadow());
                let is_active = active || self.context.activity.inst(inst).is_active();
                if !is_active && result_carries == Carries::Nothing {
                    return Ok(ForwardStep::Keep);
                }
                let result = match result_carries {
                    Carries::Derivative => ResultCarries::Derivative,
                    Carries::Nothing | Carries::MemoryBits | Carries::Address | Carries::Lost => {
                        ResultCarries::Nothing
                    }
                };
                let arguments = self.with_shadows_of_null(data.arguments(), arguments);
                let types = self.context.types_at(data.arguments(), data.result);
                Ok(ForwardStep::Call(DerivedCall {
                    callee: *callee,
                    arguments,
                    result,
                    types,
                    memory: Vec::new(),
                }))
            }
            Role::CallRuled(callee) => self.ruled_call(inst, *callee),
            Role::CallUnknown(_) if !self.context.activity.inst(inst).is_active() => Ok(ForwardStep::Keep),
            Role::CallUnknown(name) => {
                self.refuse_active(data.arguments(), || Reason::UnknownFunction { name: name.clone() })
            }
            Role::CallIndirect => self.call_through_pointer(inst),
            Role::Unsupported(what) => self.refuse_active(operands, || Reason::Unsupported { what }),
            Role::Return if self.returns_lost_bits(operands) => Err(Reason::LostBits),
            Role::Return => Ok(ForwardStep::Return),
        }
    }

    /// Whether a pointer leads to what is thrown. Whoever catches it outside does not ask for derivatives; where one is
    /// looked for in what was caught, that is an obstacle.
    fn is_thrown(&self, pointer: ValueId) -> bool {
        self.made_by(pointer) == Some("__cxa_allocate_exception")
    }

    /// What is wrong with a pointer that has no shadow.
    pub(super) fn without_shadow(&self, pointer: ValueId) -> Reason {
        if self.carries[pointer] != Carries::Nothing {
            return Reason::LostPointer;
        }
        match self.made_by(pointer) {
            Some("__cxa_begin_catch" | "__cxa_get_exception_ptr") => Reason::Exception,
            Some(_) | None => Reason::NoShadow { pointer: self.function.display_name(pointer) },
        }
    }

    /// The function that returned a pointer.
    fn made_by(&self, pointer: ValueId) -> Option<&str> {
        self.function.as_inst(pointer).and_then(|inst| self.function.callee_name(inst))
    }

    /// Whether a pointer of which nobody knows a shadow, as one that an unknown function returned, leads to memory
    /// through which a derivative goes.
    pub(super) fn is_missing_shadow(&self, pointer: ValueId, moved: ValueId) -> bool {
        let is_active = |value: ValueId| self.context.activity.value(value).is_active();
        self.context.memory_activity != MemoryActivity::DecidedAtRunTime
            && self.carries[pointer] != Carries::Derivative
            && is_active(pointer)
            && is_active(moved)
    }

    pub(super) fn has_shadow(&self, pointer: ValueId) -> bool {
        self.carries[pointer] == Carries::Derivative
    }

    fn returns_lost_bits(&self, operands: &[ValueId]) -> bool {
        let is_float = |value: ValueId| may_carry(self.function, self.function.values[value].ty);
        operands.iter().any(|&value| match self.carries[value] {
            // Where lost bits became a float, they have been refused already.
            Carries::Lost => !is_float(value),
            Carries::Derivative | Carries::Nothing | Carries::MemoryBits | Carries::Address => false,
        })
    }

    fn refuse_active(
        &self,
        operands: &[ValueId],
        reason: impl Fn() -> Reason,
    ) -> Result<ForwardStep, Reason> {
        let active = |value: &ValueId| match self.carries[*value] {
            Carries::Derivative | Carries::Lost => !self.is_variable(*value),
            Carries::Nothing | Carries::MemoryBits | Carries::Address => false,
        };
        if operands.iter().any(active) { Err(reason()) } else { Ok(ForwardStep::Keep) }
    }

    /// The address of a variable: it has a shadow, but handing it over does not make a call active by itself.
    fn is_variable(&self, value: ValueId) -> bool {
        base_global(self.function, value).is_some()
    }

    /// Bits that became a float again after arithmetic nobody understands.
    fn refuse_lost_float(&self, inst: InstId) -> Result<(), Reason> {
        let data = &self.function.insts[inst];
        let Some(result) = data.result else { return Ok(()) };
        let can_carry = may_carry(self.function, self.function.values[result].ty);
        match Reason::of_lost(self.carries[result]).filter(|_| can_carry) {
            Some(reason) => Err(reason),
            None => Ok(()),
        }
    }

    /// The instruction again over shadows. An operand that carries nothing must have an obvious shadow: zero for a
    /// float, itself for an integer or a null pointer, a cleared twin for a constant of the program.
    pub(super) fn mirror(
        &self,
        inst: InstId,
        operands: &[usize],
        fresh: Fresh,
    ) -> Result<ForwardStep, Reason> {
        let mut zeroed = SmallVec::new();
        for &index in operands {
            let value = self.function.insts[inst].operands[index];
            let lacks_shadow = match self.carries[value] {
                Carries::Derivative => false,
                Carries::Lost => return Err(Reason::LostBits),
                // Read back as a pointer, it would be taken for its own shadow.
                Carries::Address if self.context.types.contents(value) != Contents::Only(Kind::Integer) => {
                    return Err(Reason::LostPointer);
                }
                Carries::Nothing | Carries::MemoryBits | Carries::Address => self.lacks_shadow(value),
            };
            if lacks_shadow && !self.may_be_its_own_shadow(value) {
                let pointer = self.function.display_name(value);
                return Err(match self.function.insts[inst].opcode {
                    Opcode::Phi { .. } | Opcode::Select { .. } => Reason::MixedPointers { pointer },
                    _ => Reason::NoShadow { pointer },
                });
            }
            if self.carries[value] == Carries::Nothing && self.is_constant_float(inst, value)? {
                zeroed.push(index);
            }
        }
        Ok(ForwardStep::Mirror { operands: SmallVec::from_slice(operands), zeroed, fresh })
    }

    /// Whether a pointer without a shadow stands in the place of one: what is done over it is guarded.
    fn may_be_its_own_shadow(&self, pointer: ValueId) -> bool {
        match self.context.memory_activity {
            MemoryActivity::Known => false,
            MemoryActivity::DecidedAtRunTime => true,
            MemoryActivity::KnownButForVariables => base_global(self.function, pointer)
                .is_some_and(|global| GlobalMemory::of(self.function, global) == GlobalMemory::Inactive),
        }
    }

    /// Whether a value that carries nothing holds a pointer whose shadow is not obvious.
    pub(super) fn lacks_shadow(&self, value: ValueId) -> bool {
        reaches_memory(self.function, self.function.values[value].ty)
            && !is_null(self.function, value)
            && !self.has_twin(value)
    }

    /// Whether an integer without a derivative, which goes where others have one, is the bits of a float; else it is
    /// its own shadow. Zero is both.
    fn is_constant_float(&self, inst: InstId, value: ValueId) -> Result<bool, Reason> {
        let suits_both = match self.function.values[value].definition {
            ValueDefinition::Constant(constant) => {
                let context = &self.function.context;
                is_null(self.function, value)
                    || context.is_zero(constant)
                    || is_no_ordinary_float(&context.constant(constant).kind)
            }
            _ => false,
        };
        if suits_both || may_carry(self.function, self.function.values[value].ty) {
            return Ok(false);
        }
        let data = &self.function.insts[inst];
        let types = self.context.types;
        let target = self.target(inst);
        let of_target = match (target, data.result) {
            (Some(pointer), _) => types.memory(pointer),
            (None, Some(result)) => types.contents(result),
            (None, None) => Contents::Unknown,
        };
        for contents in [types.contents(value), of_target] {
            match contents {
                Contents::Only(Kind::Float(_)) => return Ok(true),
                Contents::Only(Kind::Integer | Kind::Pointer) => return Ok(false),
                Contents::Only(Kind::Anything) | Contents::Unknown | Contents::Mixed => {}
            }
        }
        if target.is_none() && self.is_choice_of_floats(inst) {
            return Ok(true);
        }
        match (self.context.unknown_types, target) {
            (UnknownTypes::AreErrors, Some(_)) => {
                Err(Reason::MissingType { value: self.function.display_name(value), needed_for: "a store" })
            }
            // What is made of it is judged where it is stored.
            (UnknownTypes::AreErrors | UnknownTypes::AreIntegers, _) => Ok(false),
        }
    }

    /// Whether an instruction chooses among the bits of floats and numbers of which nothing is known: then those are the
    /// bits of floats, too.
    fn is_choice_of_floats(&self, inst: InstId) -> bool {
        let choices = |inst: InstId| match &self.function.insts[inst].opcode {
            Opcode::Select { .. } => self.function.insts[inst].operands[1..].to_vec(),
            Opcode::Phi { .. } => self.function.insts[inst].operands.to_vec(),
            _ => Vec::new(),
        };
        let mut pending = choices(inst);
        for _ in 0..MOST_STEPS {
            let Some(value) = pending.pop() else { return false };
            match self.context.types.contents(value) {
                Contents::Only(Kind::Float(_)) => return true,
                Contents::Only(Kind::Integer | Kind::Pointer) => return false,
                Contents::Only(Kind::Anything) | Contents::Unknown | Contents::Mixed => {
                    pending.extend(self.function.as_inst(value).map(choices).unwrap_or_default());
                }
            }
        }
        false
    }

    /// Where an instruction writes a value that it is given.
    fn target(&self, inst: InstId) -> Option<ValueId> {
        let operands = &self.function.insts[inst].operands;
        match self.roles[inst] {
            Role::Store => Some(operands[1]),
            Role::StoreElements { pointer, .. } => Some(operands[pointer]),
            Role::AtomicUpdate(_) | Role::CompareExchange => Some(operands[0]),
            _ => None,
        }
    }

    /// Arithmetic on the bits of a float, where these are known to be what it takes them for.
    fn bits(&self, inst: InstId, bits: BitArithmetic) -> Result<ForwardStep, Reason> {
        let is_float = |value: ValueId| match self.context.types.contents(value) {
            Contents::Only(Kind::Float(float)) => {
                Type::Integer { bits: float.bits() }
                    == *scalar_of(self.function, self.function.values[value].ty)
            }
            Contents::Only(Kind::Integer | Kind::Pointer) | Contents::Mixed => false,
            Contents::Only(Kind::Anything) | Contents::Unknown => {
                is_bits_of_float(self.function, &Uses::of(self.function), value)
            }
        };
        match bits.operation {
            // Of anything that is no float, the shadow is the same thing, and remains so.
            BitOperation::Sign => Ok(ForwardStep::Bits(bits)),
            BitOperation::Scale | BitOperation::Normalise
                if is_float(bits.float) || self.function.insts[inst].result.is_some_and(is_float) =>
            {
                Ok(ForwardStep::Bits(bits))
            }
            BitOperation::Scale | BitOperation::Normalise => Err(Reason::LostBits),
        }
    }

    /// The address of a variable or a function, which has a shadow even where it carries no derivative.
    fn has_twin(&self, value: ValueId) -> bool {
        base_global(self.function, value).is_some_and(|global| {
            match GlobalMemory::of(self.function, global) {
                GlobalMemory::Shadowed | GlobalMemory::Constant | GlobalMemory::Function => true,
                GlobalMemory::Elsewhere | GlobalMemory::Inactive => false,
            }
        })
    }

    pub(super) fn is_constant(&self, global: GlobalId) -> bool {
        match &self.function.context.globals[global].kind {
            GlobalKind::Variable(variable) => variable.is_constant,
            GlobalKind::Function(_) | GlobalKind::Alias { .. } | GlobalKind::IndirectFunction { .. } => false,
        }
    }

    /// Null is its own shadow, and has one in a derivative that is called: there it may meet pointers with a shadow.
    pub(super) fn with_shadows_of_null(
        &self,
        arguments: &[ValueId],
        activities: Vec<ArgumentActivity>,
    ) -> Vec<ArgumentActivity> {
        let with_shadow = |(&argument, activity): (&ValueId, ArgumentActivity)| {
            let is_null = self.function.type_of(argument).is_pointer() && is_null(self.function, argument);
            if is_null && activity == ArgumentActivity::Const {
                ArgumentActivity::Duplicated
            } else {
                activity
            }
        };
        arguments.iter().zip(activities).map(with_shadow).collect()
    }

    fn call_arguments(&self, arguments: &[ValueId]) -> Result<Vec<ArgumentActivity>, Reason> {
        arguments
            .iter()
            .map(|&argument| match self.carries[argument] {
                Carries::Nothing | Carries::MemoryBits | Carries::Address => Ok(ArgumentActivity::Const),
                Carries::Derivative if may_carry(self.function, self.function.values[argument].ty) => {
                    Ok(ArgumentActivity::Duplicated)
                }
                Carries::Derivative if is_bits_of_floats(self.function, self.context.types, argument) => {
                    Ok(ArgumentActivity::Duplicated)
                }
                Carries::Derivative | Carries::Lost => Err(Reason::LostBits),
            })
            .collect()
    }
}

/// Whether a value of this type is a pointer or holds one.
pub(super) fn reaches_memory(function: &Function, ty: TypeId) -> bool {
    holds(function, ty, &Type::is_pointer)
}

/// Whether the bits of an integer constant would be a subnormal number or no number at all as a float of its width: it
/// is an integer then, as small ones are, negative ones too. Were it a float after all, a tangent of next to nothing
/// beside it, or one of no number beside no number, would be no harm.
fn is_no_ordinary_float(constant: &ConstantKind) -> bool {
    let ConstantKind::Integer(number) = constant else { return false };
    let (exponent, fraction) = match number.bits() {
        32 => (0xff, 23),
        64 => (0x7ff, 52),
        _ => return false,
    };
    let bits = number.words().first().copied().unwrap_or(0);
    match (bits >> fraction) & exponent {
        0 => true,
        all if all == exponent => bits & ((1 << fraction) - 1) != 0,
        _ => false,
    }
}

/// How many steps are followed from a place to what it is counted from.
const MOST_STEPS: usize = 16;

/// Whether a value without a shadow can stand for its own: nothing can be reached through it. A place so many bytes after
/// null, as the end of nothing is, is one.
fn is_null(function: &Function, value: ValueId) -> bool {
    let base = |value: &ValueId| {
        let data = &function.insts[function.as_inst(*value)?];
        matches!(data.opcode, Opcode::GetElementPointer { .. }).then(|| data.operands[0])
    };
    // In code that is never reached, a place may be so many bytes after itself.
    let root = std::iter::successors(Some(value), base).take(MOST_STEPS).last();
    matches!(
        root.and_then(|root| function.as_constant(root)),
        Some(ConstantKind::Null | ConstantKind::Undef | ConstantKind::Poison | ConstantKind::Zero)
    )
}
