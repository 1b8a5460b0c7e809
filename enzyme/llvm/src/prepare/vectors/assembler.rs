//! Writes out inline assembler whose meaning is known: x86's minimum and maximum, which Eigen 3.3 writes that way.

use crate::ir::{Builder, Function, Instruction, Kind, Type, Value};
use crate::read::assembler_of;
use enzyme::model::InlineAsm;
use inkwell::llvm_sys::LLVMRealPredicate;

/// Replaces each such piece of assembler by a comparison and a choice.
pub(super) fn write_out(function: Function) {
    for call in function.instructions().filter(|inst| inst.is_call()).collect::<Vec<_>>() {
        let Some(choice) = assembler_of(call.callee()).and_then(|assembler| Choice::read(&assembler, call))
        else {
            continue;
        };
        let builder = Builder::new(function.function_type().context());
        builder.position_before(call);
        builder.debug_location_of(call);
        let takes_first = builder.float_compare(choice.predicate, choice.first, choice.second);
        let chosen = builder.select(takes_first, choice.first, choice.second);
        call.value().replace_all_uses_with(chosen);
        call.erase();
    }
}

/// `minps` and its kin: the first operand where it is less (greater), and the second otherwise, also beside a NaN.
struct Choice {
    predicate: LLVMRealPredicate,
    first: Value,
    second: Value,
}

impl Choice {
    /// Reads `maxpd SECOND, FIRST` and `vmaxpd SECOND, FIRST, RESULT`, as the AT&T syntax has it.
    fn read(assembler: &InlineAsm, call: Instruction) -> Option<Choice> {
        if assembler.intel_dialect {
            return None;
        }
        let (mnemonic, operands) = assembler.template.trim().split_once(char::is_whitespace)?;
        let operands: Vec<&str> = operands.split(',').map(str::trim).collect();
        let registers = Registers::read(&assembler.constraints, call)?;
        let (name, second, first) = match (mnemonic.strip_prefix('v'), operands.as_slice()) {
            (Some(name), [second, first, "$0"]) => (name, registers.input(second)?, registers.input(first)?),
            (None, [second, "$0"]) => (mnemonic, registers.input(second)?, registers.in_result()?),
            _ => return None,
        };
        let predicate = match name.get(..3)? {
            "min" => LLVMRealPredicate::LLVMRealOLT,
            "max" => LLVMRealPredicate::LLVMRealOGT,
            _ => return None,
        };
        let result = call.value().ty();
        let is_vector = matches!(result.kind(), Kind::Vector(_));
        let (context, element) = (result.context(), result.scalar());
        let computes_all = match name.get(3..)? {
            "ps" => is_vector && element == Type::float(context),
            "pd" => is_vector && element == Type::double(context),
            // Of a vector, only the lowest element is computed.
            "ss" => !is_vector && element == Type::float(context),
            "sd" => !is_vector && element == Type::double(context),
            _ => false,
        };
        let types_agree = first.ty() == result && second.ty() == result;
        (computes_all && types_agree).then_some(Choice { predicate, first, second })
    }
}

/// The operands of a piece of assembler that has one result and takes and gives registers alone.
struct Registers {
    inputs: Vec<Value>,
    /// Which of them comes in the register of the result.
    tied: Option<usize>,
}

impl Registers {
    fn read(constraints: &str, call: Instruction) -> Option<Registers> {
        let mut constraints = constraints.split(',').filter(|constraint| !constraint.starts_with('~'));
        let is_register = |constraint: &str| matches!(constraint, "x" | "v");
        let result = constraints.next()?.strip_prefix('=')?;
        is_register(result.trim_start_matches('&')).then_some(())?;
        let inputs = call.arguments();
        let mut tied = None;
        for (index, constraint) in constraints.enumerate() {
            match constraint {
                "0" if tied.is_none() => tied = Some(index),
                register if is_register(register) && index < inputs.len() => {}
                _ => return None,
            }
        }
        Some(Registers { inputs, tied })
    }

    /// The input that `$1`, `$2` and so on stand for.
    fn input(&self, operand: &str) -> Option<Value> {
        let number: usize = operand.strip_prefix('$')?.parse().ok()?;
        self.inputs.get(number.checked_sub(1)?).copied()
    }

    fn in_result(&self) -> Option<Value> {
        self.inputs.get(self.tied?).copied()
    }
}
