//! What the reverse sweep reads of the forward sweep.

use super::control::{Counter, Path};
use super::{Adjoint, Known, ReversePlan, ReverseStep};
use crate::activity::ArgumentActivity;
use crate::model::{Function, InstId, Opcode, ValueId};
use crate::plan::bits::BitOperation;
use crate::plan::flow::Carries;
use crate::plan::{AtomicAdjoint, Extent, MemoryActivity};
use crate::rules;
use smallvec::{SmallVec, smallvec};

/// A list of what is read.
pub type Needs = SmallVec<[Known; 4]>;

impl ReversePlan {
    /// What is read of a pointer to get at its shadow: where only the program knows whether it has one, the pointer, too.
    fn read_of_memory(&self, pointer: ValueId) -> SmallVec<[Known; 2]> {
        match self.memory_activity {
            MemoryActivity::Known => smallvec![Known::Shadow(pointer)],
            MemoryActivity::DecidedAtRunTime | MemoryActivity::KnownButForVariables => {
                smallvec![Known::Shadow(pointer), Known::Primal(pointer)]
            }
        }
    }

    /// What the step of an instruction reads.
    pub fn reads(&self, function: &Function, inst: InstId) -> Needs {
        let data = &function.insts[inst];
        let operand = |index: usize| data.operands[index];
        let mut needs = Needs::new();
        match &self.steps[inst] {
            ReverseStep::Skip | ReverseStep::SumElements | ReverseStep::Return => {}
            ReverseStep::Scalar(call) => {
                for (_, column, partial) in rules::rule(call.function).nonzero_partials() {
                    if self.adjoints[call.operands[column]] == Adjoint::None {
                        continue;
                    }
                    let operands = call.operands.iter().enumerate();
                    needs.extend(
                        operands
                            .filter(|(index, _)| partial.needs_operand(*index))
                            .map(|(_, &value)| Known::Primal(value)),
                    );
                    let count = call.function.results().len();
                    if (0..count).any(|index| partial.needs_result(index)) {
                        needs.extend(data.result.map(Known::Primal));
                    }
                }
            }
            ReverseStep::Move => match &data.opcode {
                Opcode::Select { .. } => needs.push(Known::Primal(operand(0))),
                Opcode::ExtractElement => needs.push(Known::Primal(operand(1))),
                Opcode::InsertElement => needs.push(Known::Primal(operand(2))),
                _ => {}
            },
            ReverseStep::Bits(bits) => match bits.operation {
                BitOperation::Sign | BitOperation::Normalise => {
                    needs.push(Known::Primal(bits.float));
                    needs.extend(data.result.map(Known::Primal));
                }
                BitOperation::Scale => {
                    needs.push(Known::Primal(operand(1 - bits.operand_that_is_float(function, inst))));
                }
            },
            ReverseStep::Load => needs.extend(self.read_of_memory(operand(0))),
            ReverseStep::Store => needs.extend(self.read_of_memory(operand(1))),
            ReverseStep::LoadElements(elements, _) | ReverseStep::StoreElements(elements, _) => {
                needs.push(Known::Shadow(operand(elements.pointer)));
                let said = [elements.chosen, elements.count].into_iter().flatten();
                needs.extend(said.map(|index| Known::Primal(operand(index))));
            }
            ReverseStep::AtomicUpdate(adjoint) => {
                needs.push(Known::Shadow(operand(0)));
                if let AtomicAdjoint::Extremum(_) = adjoint {
                    needs.push(Known::Primal(operand(1)));
                    needs.extend(data.result.map(Known::Primal));
                }
            }
            ReverseStep::CopyMemory { to, from, length, .. } => {
                needs.extend([*to, *from].into_iter().flat_map(|place| self.read_of_memory(operand(place))));
                needs.push(Known::Primal(operand(*length)));
            }
            ReverseStep::MoveMemory { pointer, size, .. } => {
                needs.push(Known::Shadow(operand(*pointer)));
                needs.extend(data.result.map(Known::Shadow));
                needs.extend(size.operands().into_iter().map(|index| Known::Primal(operand(index))));
            }
            ReverseStep::CopyPieces { to, from, extent, .. } => {
                needs.push(Known::Shadow(operand(*to)));
                if let Extent::Repeated { length, .. } = extent {
                    needs.push(Known::Primal(operand(*length)));
                }
                needs.extend(from.map(|from| Known::Shadow(operand(from))));
            }
            ReverseStep::CopyPrefix { to, from, length, .. } => {
                needs.extend([Known::Shadow(operand(*to)), Known::Primal(operand(*length))]);
                needs.extend(from.map(|from| Known::Shadow(operand(from))));
            }
            ReverseStep::ClearMemory { to, length } => {
                needs.extend(self.read_of_memory(operand(*to)));
                needs.push(Known::Primal(operand(*length)));
            }
            ReverseStep::Call(call) | ReverseStep::ReverseCall(call) => {
                needs.extend(read_by_call(data.arguments(), &call.arguments));
            }
            ReverseStep::ReverseCallThroughPointer(call) => {
                needs.extend(read_by_call(data.arguments(), &call.arguments));
                if let Some(callee) = data.callee() {
                    needs.push(Known::Primal(callee));
                    // What has no shadow is its own.
                    if self.carries[callee] == Carries::Derivative {
                        needs.push(Known::Shadow(callee));
                    }
                }
            }
        }
        needs
    }

    /// What the way back reads: conditions of joins, numbers of iterations.
    pub fn reads_on_the_way(&self) -> Vec<Known> {
        let mut needs = Vec::new();
        for path in self.paths.values() {
            match path {
                Path::Condition { condition, .. } => needs.push(Known::Primal(*condition)),
                Path::Begin | Path::Only(_) | Path::Loop { .. } | Path::Slot(_) | Path::Never => {}
            }
        }
        for natural in self.loops.values() {
            match natural.counter {
                Some(Counter::Trips(trips)) => needs.push(Known::Primal(trips)),
                Some(Counter::Slot(_)) | None => {}
            }
        }
        needs
    }
}

/// The arguments of a call of a derived function.
fn read_by_call(arguments: &[ValueId], activities: &[ArgumentActivity]) -> Needs {
    let mut needs = Needs::new();
    for (&argument, activity) in arguments.iter().zip(activities) {
        needs.push(Known::Primal(argument));
        match activity {
            ArgumentActivity::Duplicated | ArgumentActivity::DuplicatedNoNeed => {
                needs.push(Known::Shadow(argument));
            }
            ArgumentActivity::Const | ArgumentActivity::Out => {}
        }
    }
    needs
}
