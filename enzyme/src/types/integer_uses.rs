//! Which integers stay integers, whatever they are: all that is made of them is numbers.
//!
//! A zero may be an integer, a null pointer or `0.0`. If nothing but integer arithmetic, comparisons and indices use it,
//! it is an integer.

use std::collections::VecDeque;

use cranelift_entity::{EntitySet, SecondaryMap};

use super::tbaa;
use crate::model::{Function, InstId, Opcode, Type, Uses, ValueId};
use crate::program::{FunctionId, Program};

/// How the uses of an integer go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Fate {
    /// No use makes it anything but an integer; what is made of the function's result is not counted.
    stays: bool,
    /// It, or what is computed from it, is returned.
    returned: bool,
}

impl Default for Fate {
    fn default() -> Self {
        Self { stays: true, returned: false }
    }
}

/// For every value of every function, whether it stays an integer.
#[derive(Default)]
pub(super) struct IntegerUses {
    fates: SecondaryMap<FunctionId, SecondaryMap<ValueId, Fate>>,
}

impl IntegerUses {
    /// Looks at the uses in functions that call each other in a circle, or in one alone, until nothing changes. What
    /// they call otherwise must have been looked at.
    pub(super) fn add(&mut self, program: &Program, component: &[FunctionId]) {
        loop {
            let mut changed = false;
            for &id in component.iter().rev() {
                changed |= self.function(program, id);
            }
            if !changed || component.len() == 1 && !calls_itself(program, component[0]) {
                break;
            }
        }
    }

    /// Whether a value is an integer by its uses, in this function and where it is passed to.
    pub(super) fn stays_integer(&self, function: FunctionId, value: ValueId) -> bool {
        let fate = self.fates[function][value];
        fate.stays && !fate.returned
    }

    /// Finds the fates in one function; returns whether they are worse than before.
    fn function(&mut self, program: &Program, id: FunctionId) -> bool {
        let function = &program[id];
        let users = Uses::of(function);
        let mut fates = std::mem::take(&mut self.fates[id]);
        let mut changed = false;
        // Backwards, so that most fates are known when they are asked for; again where a loop brings news.
        let mut pending: VecDeque<ValueId> = function.values.keys().rev().collect();
        let mut is_pending: EntitySet<ValueId> = EntitySet::new();
        for &value in &pending {
            is_pending.insert(value);
        }
        while let Some(value) = pending.pop_front() {
            is_pending.remove(value);
            // There is nothing worse than not to stay an integer.
            if !fates[value].stays || !is_integer(function, value) {
                continue;
            }
            let mut fate = fates[value];
            for &user in users.of_value(value) {
                let of_use = self.of_use(program, id, function, &fates, value, user);
                fate = Fate { stays: of_use.stays, returned: fate.returned || of_use.returned };
                if !fate.stays {
                    break;
                }
            }
            if fate != fates[value] {
                fates[value] = fate;
                changed = true;
                if let Some(inst) = function.as_inst(value) {
                    let operands = function.insts[inst].operands.iter().copied();
                    pending.extend(operands.filter(|&operand| is_pending.insert(operand)));
                }
            }
        }
        self.fates[id] = fates;
        changed
    }

    fn of_use(
        &self,
        program: &Program,
        id: FunctionId,
        function: &Function,
        fates: &SecondaryMap<ValueId, Fate>,
        value: ValueId,
        user: InstId,
    ) -> Fate {
        const INTEGER: Fate = Fate { stays: true, returned: false };
        const UNKNOWN: Fate = Fate { stays: false, returned: false };
        let data = &function.insts[user];
        let of_result = || data.result.map_or(INTEGER, |result| fates[result]);
        match &data.opcode {
            Opcode::IntCompare { .. } | Opcode::Switch { .. } => INTEGER,
            Opcode::Store { .. } if tbaa::accesses_integer(&function.context, data) => INTEGER,
            Opcode::Cast { .. } | Opcode::Phi { .. }
                if data.result.is_some_and(|result| !is_integer(function, result)) =>
            {
                UNKNOWN
            }
            Opcode::IntBinary { .. } | Opcode::Phi { .. } | Opcode::Cast { .. } => of_result(),
            Opcode::GetElementPointer { flags, .. } if flags.in_bounds && data.operands[0] != value => {
                INTEGER
            }
            Opcode::Return => Fate { stays: true, returned: true },
            Opcode::Call(_) | Opcode::Invoke { .. } => match program.callee(function, user) {
                Some(callee) => {
                    let parameters = &program[callee].parameters;
                    let known = if callee == id { fates } else { &self.fates[callee] };
                    data.arguments().iter().enumerate().filter(|(_, argument)| **argument == value).fold(
                        INTEGER,
                        |all, (index, _)| {
                            let Some(&parameter) = parameters.get(index) else { return UNKNOWN };
                            let inside = known[parameter];
                            let after = if inside.returned { of_result() } else { INTEGER };
                            Fate {
                                stays: all.stays && inside.stays && after.stays,
                                returned: all.returned || after.returned,
                            }
                        },
                    )
                }
                None => match function.callee_name(user) {
                    Some(name) if name.starts_with("llvm.") => of_result(),
                    _ => UNKNOWN,
                },
            },
            _ => UNKNOWN,
        }
    }
}

fn is_integer(function: &Function, value: ValueId) -> bool {
    match function.type_of(value) {
        Type::Integer { .. } => true,
        Type::Vector { element, .. } => function.ty(*element).is_integer(),
        _ => false,
    }
}

fn calls_itself(program: &Program, id: FunctionId) -> bool {
    let function = &program[id];
    function.insts_in_order().any(|inst| program.callee(function, inst) == Some(id))
}
