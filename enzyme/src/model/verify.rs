//! Checks that a function is well formed.
//!
//! 1. The parameters are those of the function's type.
//! 2. There is an entry block, and nothing jumps to it.
//! 3. Every block ends in a terminator and has no other; the instructions of a block know that they are in it,
//!    and no instruction is in two places.
//! 4. Terminators and phis name blocks of the function only.
//! 5. Phis come first in their block, and each names every jump into the block exactly once.
//! 6. Exception pads come first in their block, after the phis; a landing pad is entered by invokes only.
//! 7. Every operand is a value of the function, and what it is made by says so too.
//! 8. Operands are of types that the opcode takes, and the result is of the type that follows.
//! 9. Returns give what the function's type says.
//! 10. The cases of a switch are different integers of the type of its operand.
//! 11. A value is used only where it was computed before on every path.
//! 12. No two values and no two blocks have the same name.

use cranelift_entity::packed_option::PackedOption;
use cranelift_entity::{EntitySet, SecondaryMap};
use rustc_hash::FxHashSet;
use smallvec::SmallVec;

use super::typing::{self, ResultType};
use super::{
    Block, BlockId, ConstantKind, Function, Inst, InstId, Opcode, SwitchCase, Type, TypeId, ValueDefinition,
    ValueId,
};
use crate::loops::{ControlFlow, DominatorTree};

/// What is wrong with a function, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("@{function}: {place}{message}")]
pub struct VerifyError {
    /// The function.
    pub function: String,
    /// The block or instruction.
    pub place: Place,
    /// What is wrong.
    pub message: String,
}

/// Where something is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// In the function as a whole.
    Function,
    /// In a block.
    Block(BlockId),
    /// In an instruction of a block.
    Inst(BlockId, InstId),
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Function => Ok(()),
            Self::Block(block) => write!(f, "{block}: "),
            Self::Inst(block, inst) => write!(f, "{block}: {inst}: "),
        }
    }
}

impl Function {
    /// Checks the function; gives the first thing that is wrong.
    pub fn verify(&self) -> Result<(), VerifyError> {
        Verifier { function: self, positions: SecondaryMap::new() }.run()
    }
}

type Checked = Result<(), VerifyError>;

struct Verifier<'f> {
    function: &'f Function,
    /// Where each instruction stands in its block, counted from 1; 0 for one that is in none.
    positions: SecondaryMap<InstId, u32>,
}

impl Verifier<'_> {
    fn run(mut self) -> Checked {
        self.parameters()?;
        self.places()?;
        self.blocks_exist()?;
        let flow = ControlFlow::of(self.function);
        self.entry(&flow)?;
        self.names()?;
        let dominators = DominatorTree::of(&flow);
        for (id, block) in &self.function.blocks {
            self.leading(id, block, &flow)?;
            for inst in &block.insts {
                self.operands(*inst)?;
                self.types(*inst)?;
                self.own_rules(*inst, &flow)?;
                self.dominance(*inst, &dominators)?;
            }
        }
        Ok(())
    }

    fn parameters(&self) -> Checked {
        let Type::Function(ty) = self.function.ty(self.function.function_type) else {
            return self.fail(Place::Function, "its type is not that of a function");
        };
        let fits = |(index, (id, expected)): (usize, (&ValueId, &TypeId))| {
            let value = self.function.values.get(*id);
            value.is_some_and(|value| {
                value.ty == *expected && value.definition == ValueDefinition::Parameter(index as u32)
            })
        };
        let parameters = self.function.parameters.iter().zip(&ty.parameters).enumerate();
        if self.function.parameters.len() != ty.parameters.len() || !parameters.into_iter().all(fits) {
            return self.fail(Place::Function, "the parameters are not those of its type");
        }
        Ok(())
    }

    fn places(&mut self) -> Checked {
        for (id, block) in &self.function.blocks {
            for (inst, position) in block.insts.iter().zip(1..) {
                let Some(Inst { opcode, block: own, .. }) = self.function.insts.get(*inst) else {
                    return self.fail(Place::Block(id), "the block holds an instruction that does not exist");
                };
                if *own != id || self.positions[*inst] != 0 {
                    return self.fail(Place::Inst(id, *inst), "the instruction is also somewhere else");
                }
                self.positions[*inst] = position;
                if opcode.is_terminator() && Some(inst) != block.insts.last() {
                    return self.fail(Place::Inst(id, *inst), "a terminator stands in the middle of a block");
                }
            }
            if self.function.terminator(id).is_none() {
                return self.fail(Place::Block(id), "the block has no terminator");
            }
        }
        Ok(())
    }

    fn blocks_exist(&self) -> Checked {
        for inst in self.function.insts_in_order() {
            let opcode = &self.function.insts[inst].opcode;
            let incoming: &[BlockId] = match opcode {
                Opcode::Phi { incoming, .. } => incoming,
                _ => &[],
            };
            if opcode.successors().iter().chain(incoming).any(|block| !self.function.blocks.is_valid(*block))
            {
                return self.fail_at(inst, "a block is named that does not exist");
            }
        }
        Ok(())
    }

    fn entry(&self, flow: &ControlFlow) -> Checked {
        let Some(entry) = self.function.entry() else {
            return self.fail(Place::Function, "there is no block");
        };
        if !flow.predecessors(entry).is_empty() {
            return self.fail(Place::Block(entry), "something jumps to the entry block");
        }
        Ok(())
    }

    fn names(&self) -> Checked {
        let mut seen = FxHashSet::default();
        let blocks = self.function.blocks.values().filter_map(|block| block.name.as_deref());
        let results = self.function.insts_in_order().filter_map(|inst| self.function.insts[inst].result);
        let values = self.function.parameters.iter().copied().chain(results);
        let values = values.filter_map(|value| self.function.values.get(value)?.name.as_deref());
        for name in blocks.chain(values) {
            if !seen.insert(name) {
                return self.fail(Place::Function, &format!("the name `%{name}` is given twice"));
            }
        }
        Ok(())
    }

    /// Phis and pads at the start of a block.
    fn leading(&self, id: BlockId, block: &Block, flow: &ControlFlow) -> Checked {
        let mut phis_may_come = true;
        let mut pad_may_come = true;
        for inst in &block.insts {
            match &self.function.insts[*inst].opcode {
                Opcode::Phi { .. } if phis_may_come => self.incoming(*inst, flow)?,
                Opcode::Phi { .. } => return self.fail_at(*inst, "a phi stands after another instruction"),
                Opcode::LandingPad { .. }
                | Opcode::CatchPad
                | Opcode::CleanupPad
                | Opcode::CatchSwitch { .. }
                    if pad_may_come =>
                {
                    (phis_may_come, pad_may_come) = (false, false);
                }
                Opcode::LandingPad { .. }
                | Opcode::CatchPad
                | Opcode::CleanupPad
                | Opcode::CatchSwitch { .. } => {
                    return self.fail_at(*inst, "an exception pad stands after another instruction");
                }
                _ => (phis_may_come, pad_may_come) = (false, false),
            }
        }
        if self.function.entry() == Some(id)
            && let Some(first) = block.insts.first()
            && matches!(self.function.insts[*first].opcode, Opcode::Phi { .. })
        {
            return self.fail_at(*first, "a phi stands in the entry block");
        }
        Ok(())
    }

    fn incoming(&self, inst: InstId, flow: &ControlFlow) -> Checked {
        let phi = &self.function.insts[inst];
        let mut named: SmallVec<[BlockId; 8]> = phi.incoming().map(|(_, block)| block).collect();
        let mut expected: SmallVec<[BlockId; 8]> = flow.predecessors(phi.block).iter().copied().collect();
        named.sort_unstable();
        expected.sort_unstable();
        if named != expected || phi.operands.len() != named.len() {
            return self.fail_at(inst, "the phi does not name each jump into its block exactly once");
        }
        let mut values: SecondaryMap<BlockId, PackedOption<ValueId>> = SecondaryMap::new();
        for (value, block) in phi.incoming() {
            if values[block].expand().is_some_and(|other| other != value) {
                return self.fail_at(inst, "the phi gives one block two values");
            }
            values[block] = value.into();
        }
        Ok(())
    }

    fn operands(&self, inst: InstId) -> Checked {
        let function = self.function;
        for operand in &function.insts[inst].operands {
            let Some(value) = function.values.get(*operand) else {
                return self.fail_at(inst, &format!("the operand {operand} does not exist"));
            };
            let is_sound = match value.definition {
                ValueDefinition::Parameter(index) => function.parameters.get(index as usize) == Some(operand),
                ValueDefinition::Instruction(maker) => {
                    self.positions[maker] != 0 && function.insts[maker].result == Some(*operand)
                }
                ValueDefinition::Constant(constant) => function.context.constant(constant).ty == value.ty,
                ValueDefinition::Global(global) => function.context.globals.is_valid(global),
                ValueDefinition::Metadata(node) => function.context.metadata.is_valid(node),
                ValueDefinition::InlineAsm(_) => true,
            };
            if !is_sound {
                return self.fail_at(inst, &format!("nothing in the function makes the operand {operand}"));
            }
        }
        match function.insts[inst].result {
            Some(result) if !function.values.is_valid(result) => {
                self.fail_at(inst, "the result does not exist")
            }
            Some(result) if function.as_inst(result) != Some(inst) => {
                self.fail_at(inst, &format!("the result {result} is made by something else"))
            }
            _ => Ok(()),
        }
    }

    fn types(&self, id: InstId) -> Checked {
        let function = self.function;
        let inst = &function.insts[id];
        let types: SmallVec<[TypeId; 4]> =
            inst.operands.iter().map(|operand| function.values[*operand].ty).collect();
        let expected = match typing::result_type(&function.context, &inst.opcode, &types) {
            Ok(expected) => expected,
            Err(message) => return self.fail_at(id, &message),
        };
        let result = inst.result.map(|result| function.values[result].ty);
        let fits = match (&expected, result) {
            (ResultType::Nothing, result) => result.is_none(),
            (ResultType::Known(expected), Some(result)) => *expected == result,
            (ResultType::Derived(expected), Some(result)) => expected == function.ty(result),
            (ResultType::Free, Some(_)) => true,
            (ResultType::Known(_) | ResultType::Derived(_) | ResultType::Free, None) => false,
        };
        if !fits {
            return self.fail_at(id, "the result is not of the type that follows from the operands");
        }
        let Some(result) = result else { return Ok(()) };
        let checked = match &inst.opcode {
            Opcode::Cast { op, .. } => typing::check_cast(&function.context, *op, types[0], result),
            Opcode::Phi { .. } if types.first().is_some_and(|first| *first != result) => {
                Err("the phi is not of the type of its values".to_owned())
            }
            Opcode::Alloca { .. } if !function.ty(result).is_pointer() => {
                Err("the result of `alloca` is a pointer".to_owned())
            }
            _ => Ok(()),
        };
        checked.or_else(|message| self.fail_at(id, &message))
    }

    /// What only some instructions must obey.
    fn own_rules(&self, id: InstId, flow: &ControlFlow) -> Checked {
        let inst = &self.function.insts[id];
        match &inst.opcode {
            Opcode::Return => {
                let expected = self.function.return_type();
                let given = inst.operands.first().map(|value| self.function.values[*value].ty);
                let fits = match given {
                    None => self.function.ty(expected).is_void(),
                    Some(given) => given == expected,
                };
                if !fits {
                    return self.fail_at(id, "this is not what the function returns");
                }
            }
            Opcode::Switch { cases, .. } => return self.cases(id, cases),
            Opcode::LandingPad { .. } => {
                let entered_by_invokes = flow.predecessors(inst.block).iter().all(|from| {
                    self.function.terminator(*from).is_some_and(|last| {
                        matches!(self.function.insts[last].opcode, Opcode::Invoke { normal, unwind, .. }
                            if unwind == inst.block && normal != inst.block)
                    })
                });
                if !entered_by_invokes {
                    return self.fail_at(
                        id,
                        "the landing pad is entered by something else than an unwinding invoke",
                    );
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn cases(&self, id: InstId, cases: &[SwitchCase]) -> Checked {
        let ty = self.function.values[self.function.insts[id].operands[0]].ty;
        let mut seen = EntitySet::new();
        for case in cases {
            let constant = self.function.context.constant(case.value);
            if constant.ty != ty || !matches!(constant.kind, ConstantKind::Integer(_)) {
                return self.fail_at(id, "a case is no integer of the type of the switch");
            }
            if !seen.insert(case.value) {
                return self.fail_at(id, "two cases are the same");
            }
        }
        Ok(())
    }

    fn dominance(&self, id: InstId, dominators: &DominatorTree) -> Checked {
        let function = self.function;
        let inst = &function.insts[id];
        let late = match inst.opcode {
            Opcode::Phi { .. } => inst
                .incoming()
                .find(|(value, from)| !dominators.is_available_on_edge(function, *value, *from, inst.block))
                .map(|(value, _)| value),
            _ => inst.operands.iter().copied().find(|value| !self.is_available(*value, id, dominators)),
        };
        match late {
            Some(value) => {
                let name = function.display_name(value);
                self.fail_at(id, &format!("{name} is used where it need not have been computed"))
            }
            None => Ok(()),
        }
    }

    fn is_available(&self, value: ValueId, user: InstId, dominators: &DominatorTree) -> bool {
        let Some(maker) = self.function.as_inst(value) else { return true };
        let block = self.function.insts[user].block;
        if self.function.insts[maker].block != block {
            return dominators.is_available_at_end(self.function, value, block);
        }
        self.positions[maker] < self.positions[user] || !dominators.is_reachable(block)
    }

    fn fail_at(&self, inst: InstId, message: &str) -> Checked {
        self.fail(Place::Inst(self.function.insts[inst].block, inst), message)
    }

    fn fail(&self, place: Place, message: &str) -> Checked {
        Err(VerifyError { function: self.function.name.clone(), place, message: message.to_owned() })
    }
}
