//! The plan of a reverse-mode derivative: what the adjoint of each instruction is, and how each primal value that
//! it reads is known in the reverse sweep.
//!
//! Both sweeps live in one function, and control flow has no cycle, so every value is computed at most once and a
//! slot in the frame can hold it. Loops, memory and tapes need more and are refused here.

use super::flow::{Carries, LocalMemory, flow, may_carry};
use super::forward::roles;
use super::role::{Role, ScalarCall, scalar_of};
use super::{Context, DerivedCall, Direction, Obstacle, Reason, ResultCarries};
use crate::activity::ArgumentActivity;
use crate::loops::ControlFlow;
use crate::model::{
    BlockId, CastOp, Function, InstId, Opcode, PrimaryMap, SecondaryMap, ValueDefinition, ValueId,
};
use crate::rules;
use cranelift_entity::entity_impl;
use smallvec::SmallVec;

/// A place in the frame of the derived function that carries something from the forward to the reverse sweep.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SlotId(u32);
entity_impl!(SlotId, "slot");

/// What a slot holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slot {
    /// A value of the primal.
    Value(ValueId),
    /// Which of its predecessors a block was entered from: the index in the list of its distinct predecessors.
    Predecessor(BlockId),
}

/// A value that the reverse sweep may compute again: its operands are known there and nothing it reads has changed.
///
/// Only the legality check of this module can make one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recomputable(ValueId);

impl Recomputable {
    /// Constants, addresses and parameters are what they were: nothing can change them.
    fn check(function: &Function, value: ValueId) -> Option<Recomputable> {
        match function.values[value].definition {
            ValueDefinition::Constant(_) | ValueDefinition::Global(_) | ValueDefinition::Parameter(_) => {
                Some(Recomputable(value))
            }
            ValueDefinition::Instruction(_)
            | ValueDefinition::Metadata(_)
            | ValueDefinition::InlineAsm(_) => None,
        }
    }

    /// The value.
    pub fn value(self) -> ValueId {
        self.0
    }
}

/// How the reverse sweep knows a primal value. Every value has exactly one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reuse {
    /// It never asks.
    #[default]
    Unused,
    /// It computes it again.
    Recompute(Recomputable),
    /// It reads it from a slot.
    Cache(SlotId),
}

/// What the writer adds in the reverse sweep for one instruction.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum ReverseStep {
    /// Nothing.
    #[default]
    Skip,
    /// Operand adjoint += partial times result adjoint.
    Scalar(ScalarCall),
    /// The adjoint of the result goes back to where its parts came from.
    Move,
    /// The adjoint of a sum goes to the start value and to every element.
    SumElements,
    /// The adjoints of the arguments come from the derived function.
    Call(DerivedCall),
    /// The adjoint of the returned value starts here.
    Return,
}

/// Everything that is decided about the reverse-mode derivative of one function.
#[derive(Clone, Debug)]
pub struct ReversePlan {
    /// What each value carries.
    pub carries: SecondaryMap<ValueId, Carries>,
    /// What the reverse sweep does at each instruction.
    pub steps: SecondaryMap<InstId, ReverseStep>,
    /// How the reverse sweep knows each primal value.
    pub reuse: SecondaryMap<ValueId, Reuse>,
    /// What each slot holds.
    pub slots: PrimaryMap<SlotId, Slot>,
    /// For each block with several predecessors, the slot that remembers the one taken.
    pub came_from: SecondaryMap<BlockId, Option<SlotId>>,
    /// The distinct predecessors of each block that can be reached, in order of their ids.
    pub predecessors: SecondaryMap<BlockId, SmallVec<[BlockId; 4]>>,
}

/// Decides the reverse-mode derivative of a function.
///
/// # Errors
/// Every instruction that stands in the way.
pub fn reverse(
    function: &Function,
    parameters: &[ArgumentActivity],
    context: &Context<'_>,
) -> Result<ReversePlan, Vec<Obstacle>> {
    let roles = roles(function, Direction::Reverse);
    let carries = flow(function, &roles, parameters, LocalMemory::ShadowedWhenWritten, context);
    let flow_graph = ControlFlow::of(function);
    let mut obstacles = control_obstacles(function, &flow_graph);
    let mut steps = SecondaryMap::with_capacity(function.insts.len());
    let stepper = Stepper { function, carries: &carries, context };
    for inst in function.insts_in_order() {
        if !flow_graph.is_reachable(function.insts[inst].block) {
            continue;
        }
        match stepper.step(inst, &roles[inst]) {
            Ok(step) => steps[inst] = step,
            Err(reason) => Obstacle::note(&mut obstacles, inst, reason),
        }
    }
    if !obstacles.is_empty() {
        return Err(obstacles);
    }
    let mut plan = ReversePlan {
        carries,
        steps,
        reuse: SecondaryMap::with_capacity(function.values.len()),
        slots: PrimaryMap::new(),
        came_from: SecondaryMap::new(),
        predecessors: SecondaryMap::new(),
    };
    plan.remember_paths(function, &flow_graph);
    plan.remember_values(function);
    Ok(plan)
}

/// Where control flow goes a way that a straight reverse sweep cannot follow.
fn control_obstacles(function: &Function, flow_graph: &ControlFlow) -> Vec<Obstacle> {
    let jump_back = |(from, _): (BlockId, BlockId)| {
        function.terminator(from).map(|terminator| Obstacle::new(terminator, Reason::ReverseLoop))
    };
    let mut obstacles: Vec<Obstacle> = flow_graph.retreating_edges().filter_map(jump_back).collect();
    for block in function.blocks.keys().filter(|&block| flow_graph.is_reachable(block)) {
        let Some(terminator) = function.terminator(block) else { continue };
        let what = match &function.insts[terminator].opcode {
            Opcode::Invoke { .. } | Opcode::Resume | Opcode::CleanupReturn { .. } => "exceptions",
            Opcode::CatchReturn { .. } | Opcode::CatchSwitch { .. } => "exceptions",
            Opcode::IndirectBranch { .. } => "a computed `goto`",
            Opcode::CallBranch { .. } => "assembler that jumps",
            _ => continue,
        };
        obstacles.push(Obstacle::new(terminator, Reason::ReverseControl { what }));
    }
    obstacles
}

struct Stepper<'a> {
    function: &'a Function,
    carries: &'a SecondaryMap<ValueId, Carries>,
    context: &'a Context<'a>,
}

impl Stepper<'_> {
    fn step(&self, inst: InstId, role: &Role) -> Result<ReverseStep, Reason> {
        let data = &self.function.insts[inst];
        let result = data.result.map_or(Carries::Nothing, |result| self.carries[result]);
        let takes_active = |operands: &[ValueId]| operands.iter().any(|&operand| self.is_active(operand));
        match role {
            Role::Inactive | Role::Move(_) | Role::Scalar(_) | Role::SumElements | Role::Bits(_)
                if result != Carries::Derivative =>
            {
                let can_carry =
                    data.result.is_some_and(|value| may_carry(self.function, self.function.values[value].ty));
                match Reason::of_lost(result).filter(|_| can_carry) {
                    Some(reason) => Err(reason),
                    None => Ok(ReverseStep::Skip),
                }
            }
            Role::Inactive => Ok(ReverseStep::Skip),
            Role::Scalar(call) => Ok(ReverseStep::Scalar(call.clone())),
            Role::SumElements => Ok(ReverseStep::SumElements),
            Role::Bits(_) => Err(Reason::LostBits),
            Role::Displace(_) => Ok(ReverseStep::Skip),
            Role::Move(_) => {
                let value = data.result.map(|result| self.function.values[result].ty);
                if value.is_some_and(|ty| self.function.ty(ty).is_pointer()) {
                    Ok(ReverseStep::Skip)
                } else if self.reinterprets_floats(inst) {
                    Err(Reason::LostBits)
                } else if value.is_some_and(|ty| may_carry(self.function, ty)) {
                    Ok(ReverseStep::Move)
                } else {
                    Err(Reason::LostBits)
                }
            }
            Role::Alloca | Role::Allocate(_) | Role::Free => Ok(ReverseStep::Skip),
            Role::Load | Role::LoadElements { .. } if result == Carries::Derivative => {
                Err(Reason::ReverseMemory)
            }
            Role::Load | Role::LoadElements { .. } => Ok(ReverseStep::Skip),
            Role::StoreElements { .. } | Role::AtomicUpdate(_) | Role::CompareExchange
                if takes_active(&data.operands) =>
            {
                Err(Reason::ReverseMemory)
            }
            Role::StoreElements { .. } | Role::AtomicUpdate(_) | Role::CompareExchange => {
                Ok(ReverseStep::Skip)
            }
            Role::Store if takes_active(&data.operands[..1]) => Err(Reason::ReverseMemory),
            Role::Store if self.is_active(data.operands[1]) => Err(Reason::ReverseMemory),
            Role::Store => Ok(ReverseStep::Skip),
            Role::CopyMemory { to, from, .. }
                if self.is_active(data.operands[*to]) || self.is_active(data.operands[*from]) =>
            {
                Err(Reason::ReverseMemory)
            }
            Role::FillMemory { to, .. } if self.is_active(data.operands[*to]) => Err(Reason::ReverseMemory),
            Role::CopyMemory { .. } | Role::FillMemory { .. } => Ok(ReverseStep::Skip),
            Role::CallDefined(callee) => {
                let name = &self.function.context.globals[*callee].name;
                if !takes_active(data.arguments()) || result != Carries::Derivative {
                    return Ok(ReverseStep::Skip);
                }
                if self.context.callees.has_effects(name) {
                    return Err(Reason::ReverseEffects { name: name.clone() });
                }
                let arguments = data.arguments().iter().map(|&argument| {
                    if self.is_active(argument) { ArgumentActivity::Out } else { ArgumentActivity::Const }
                });
                Ok(ReverseStep::Call(DerivedCall {
                    callee: *callee,
                    arguments: arguments.collect(),
                    result: ResultCarries::Derivative,
                    types: self.context.types_at(data.arguments(), data.result),
                }))
            }
            // Only in forward mode are there such rules.
            Role::CallRuled(_) if takes_active(data.arguments()) => {
                Err(Reason::Unsupported { what: "a call of a function with a rule of the user's" })
            }
            Role::CallUnknown(name) if takes_active(data.arguments()) => {
                Err(Reason::UnknownFunction { name: name.clone() })
            }
            Role::CallIndirect if takes_active(data.arguments()) => Err(Reason::IndirectCall),
            Role::Unsupported(what) if takes_active(&data.operands) => Err(Reason::Unsupported { what }),
            Role::CallRuled(_) | Role::CallUnknown(_) | Role::CallIndirect | Role::Unsupported(_) => {
                Ok(ReverseStep::Skip)
            }
            Role::Return
                if data.operands.iter().any(|&value| {
                    self.is_active(value) && !may_carry(self.function, self.function.values[value].ty)
                }) =>
            {
                Err(Reason::LostBits)
            }
            Role::Return => Ok(ReverseStep::Return),
        }
    }

    /// A cast that takes the bits of floats for floats of another format, whose adjoints do not add up.
    fn reinterprets_floats(&self, inst: InstId) -> bool {
        let data = &self.function.insts[inst];
        let (Opcode::Cast { op: CastOp::Bitcast, .. }, Some(result)) = (&data.opcode, data.result) else {
            return false;
        };
        let scalar = |value: ValueId| scalar_of(self.function, self.function.values[value].ty);
        scalar(data.operands[0]) != scalar(result)
    }

    fn is_active(&self, value: ValueId) -> bool {
        match self.carries[value] {
            Carries::Derivative | Carries::Lost => true,
            Carries::Nothing | Carries::MemoryBits | Carries::Address => false,
        }
    }
}

impl ReversePlan {
    /// Gives every block with several predecessors a slot that says which one it was entered from.
    fn remember_paths(&mut self, function: &Function, flow_graph: &ControlFlow) {
        let all = function.predecessors();
        for block in function.blocks.keys().filter(|&block| flow_graph.is_reachable(block)) {
            let mut distinct: SmallVec<[BlockId; 4]> =
                all[block].iter().copied().filter(|&from| flow_graph.is_reachable(from)).collect();
            distinct.sort_unstable();
            distinct.dedup();
            if distinct.len() > 1 {
                self.came_from[block] = Some(self.slots.push(Slot::Predecessor(block)));
            }
            self.predecessors[block] = distinct;
        }
    }

    /// Decides for every primal value that an adjoint reads how it is known in the reverse sweep.
    fn remember_values(&mut self, function: &Function) {
        for inst in function.insts_in_order() {
            for value in self.reads(function, inst) {
                self.remember(function, value);
            }
        }
    }

    fn remember(&mut self, function: &Function, value: ValueId) {
        if self.reuse[value] != Reuse::Unused {
            return;
        }
        self.reuse[value] = match Recomputable::check(function, value) {
            Some(recomputable) => Reuse::Recompute(recomputable),
            None => Reuse::Cache(self.slots.push(Slot::Value(value))),
        };
    }

    /// The primal values that the adjoint of an instruction reads.
    pub(super) fn reads(&self, function: &Function, inst: InstId) -> SmallVec<[ValueId; 4]> {
        let data = &function.insts[inst];
        let mut values = SmallVec::new();
        match &self.steps[inst] {
            ReverseStep::Skip | ReverseStep::SumElements | ReverseStep::Return => {}
            ReverseStep::Scalar(call) => {
                for (_, operand, partial) in rules::rule(call.function).nonzero_partials() {
                    if self.carries[call.operands[operand]] != Carries::Derivative {
                        continue;
                    }
                    let operands = call.operands.iter().enumerate();
                    values.extend(
                        operands.filter(|(index, _)| partial.needs_operand(*index)).map(|(_, &value)| value),
                    );
                    let count = call.function.results().len();
                    if (0..count).any(|index| partial.needs_result(index)) {
                        values.extend(data.result);
                    }
                }
            }
            ReverseStep::Move => match &data.opcode {
                Opcode::Select { .. } => values.push(data.operands[0]),
                Opcode::ExtractElement => values.push(data.operands[1]),
                Opcode::InsertElement => values.push(data.operands[2]),
                _ => {}
            },
            ReverseStep::Call(_) => values.extend_from_slice(data.arguments()),
        }
        values
    }
}
