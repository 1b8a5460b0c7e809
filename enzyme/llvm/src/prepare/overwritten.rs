//! Library functions that write numbers from elsewhere into memory: `fread`, `scanf`.
//!
//! Whatever derivative was there is gone. How much they have written is known once they return; a call of a function
//! that does nothing, `__enzyme_overwritten(pointer, bytes)`, says it right after them. Plans know what that means, and it
//! is inlined away once the derivative is written.

use crate::ir::{self, Builder, Function, Instruction, Module, Type, Value};
use enzyme::plan::{OVERWRITTEN_PREFIX, WritesFromOutside};
use inkwell::llvm_sys::{LLVMIntPredicate, LLVMLinkage, LLVMOpcode};

/// Whether a function is one of those that say what was overwritten.
pub(super) fn is_statement(function: Function) -> bool {
    function.name().starts_with(OVERWRITTEN_PREFIX)
}

/// Says after each such call in a function what it has written.
pub(super) fn state(function: Function) {
    for call in function.instructions().collect::<Vec<_>>() {
        let Some(callee) = call.called_function().filter(|callee| callee.is_declaration()) else { continue };
        let Some(writes) = WritesFromOutside::by(&callee.name()) else { continue };
        // Another function of the same name is none of these.
        if call.value().ty().is_integer() && call.arguments().len() >= writes.arguments() {
            state_one(call, writes);
        }
    }
}

fn state_one(call: Instruction, writes: WritesFromOutside) {
    let arguments = call.arguments();
    let says = Statement::after(call);
    match writes {
        WritesFromOutside::Bytes { pointer } => {
            says.overwritten(arguments[pointer], Some(says.result_at_least(0, says.wide_result())));
        }
        WritesFromOutside::Pieces { pointer, size } => {
            let size = says.builder.signed_integer_cast(arguments[size], says.wide);
            let bytes = says.builder.binary(LLVMOpcode::LLVMMul, says.wide_result(), size);
            says.overwritten(arguments[pointer], Some(bytes));
        }
        WritesFromOutside::Formatted { format } => {
            let targets = &arguments[format + 1..];
            let long_double = bytes_of_long_double(&call.function().module().triple());
            let fields = text_at(arguments[format]).and_then(|text| fields_of(&text, long_double));
            match fields.filter(|fields| fields.len() <= targets.len()) {
                Some(fields) => says.fields(&fields, targets),
                None => targets
                    .iter()
                    .filter(|target| target.ty().is_pointer())
                    .for_each(|&target| says.overwritten(target, None)),
            }
        }
    }
}

/// Writes what is said after a call.
struct Statement {
    call: Instruction,
    builder: Builder,
    /// A type for numbers of bytes.
    wide: Type,
}

impl Statement {
    fn after(call: Instruction) -> Statement {
        let context = call.value().ty().context();
        let builder = Builder::new(context);
        match (call.invoke_destinations(), call.next()) {
            (Some(_), _) => builder.position_at_start(ir::split_normal_edge(call)),
            (None, Some(next)) => builder.position_before(next),
            (None, None) => builder.position_at_end(call.block()),
        }
        builder.debug_location_of(call);
        Statement { call, builder, wide: Type::integer(context, 64) }
    }

    fn wide_result(&self) -> Value {
        self.builder.signed_integer_cast(self.call.value(), self.wide)
    }

    /// So many bytes if the result is at least a number, else none.
    fn result_at_least(&self, least: i64, bytes: Value) -> Value {
        let least = Value::integer(self.wide, least);
        let is_enough = self.builder.integer_compare(LLVMIntPredicate::LLVMIntSGE, self.wide_result(), least);
        self.builder.select(is_enough, bytes, Value::zero(self.wide))
    }

    fn fields(&self, fields: &[Field], targets: &[Value]) {
        for (field, &target) in fields.iter().zip(targets) {
            if let Field::Float { bytes, needs } = *field {
                let bytes = Value::integer(self.wide, bytes);
                self.overwritten(target, Some(self.result_at_least(needs, bytes)));
            }
        }
    }

    fn overwritten(&self, pointer: Value, bytes: Option<Value>) {
        let statement = statement(self.call.function().module(), pointer.ty(), bytes.map(|_| self.wide));
        let arguments: Vec<Value> = [Some(pointer), bytes].into_iter().flatten().collect();
        self.builder.call(statement, &arguments);
    }
}

/// The function that says it: its name tells what it takes.
fn statement(module: Module, pointer: Type, bytes: Option<Type>) -> Function {
    let name = match bytes {
        Some(_) => OVERWRITTEN_PREFIX.to_owned(),
        None => format!("{OVERWRITTEN_PREFIX}_somewhat"),
    };
    if let Some(known) = module.function(&name) {
        return known;
    }
    let context = pointer.context();
    let parameters: Vec<Type> = [Some(pointer), bytes].into_iter().flatten().collect();
    let function = module.add_function(&name, Type::function(Type::void(context), &parameters));
    function.set_linkage(LLVMLinkage::LLVMInternalLinkage);
    let builder = Builder::new(context);
    builder.position_at_end(function.append_block("entry"));
    builder.ret_void();
    function
}

/// The text that a pointer points to, where it never changes.
fn text_at(pointer: Value) -> Option<String> {
    if !pointer.is_global_variable() || !pointer.is_global_constant() {
        return None;
    }
    let text = pointer.initializer()?.constant_string()?;
    Some(text.split('\0').next().unwrap_or_default().to_owned())
}

/// What a `scanf` writes to one of the pointers that follow its format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Field {
    /// An integer, a pointer or text.
    Other,
    /// A float.
    Float {
        /// Its size.
        bytes: i64,
        /// What the call returns at least when it was written.
        needs: i64,
    },
}

/// The fields of a format; nothing where it is not understood.
fn fields_of(format: &str, bytes_of_long_double: Option<i64>) -> Option<Vec<Field>> {
    let mut fields = Vec::new();
    let mut counted = 0;
    let mut rest = format;
    while let Some((_, conversion)) = rest.split_once('%') {
        if let Some(after) = conversion.strip_prefix('%') {
            rest = after;
            continue;
        }
        let conversion = conversion.trim_start_matches('\'');
        let (is_kept, conversion) = match conversion.strip_prefix('*') {
            Some(conversion) => (false, conversion),
            None => (true, conversion),
        };
        let conversion = conversion.trim_start_matches(|digit: char| digit.is_ascii_digit());
        let letters = conversion.trim_start_matches(|letter: char| "hlLqjztm".contains(letter));
        let length = &conversion[..conversion.len() - letters.len()];
        let letter = letters.chars().next()?;
        rest = &letters[letter.len_utf8()..];
        let field = match (letter, length) {
            ('a' | 'A' | 'e' | 'E' | 'f' | 'F' | 'g' | 'G', "") => float(4, counted),
            ('a' | 'A' | 'e' | 'E' | 'f' | 'F' | 'g' | 'G', "l") => float(8, counted),
            ('a' | 'A' | 'e' | 'E' | 'f' | 'F' | 'g' | 'G', "L") if is_kept => {
                float(bytes_of_long_double?, counted)
            }
            ('a' | 'A' | 'e' | 'E' | 'f' | 'F' | 'g' | 'G', _) if is_kept => return None,
            ('d' | 'i' | 'o' | 'u' | 'x' | 'X' | 'n' | 'p' | 's' | 'c' | 'S' | 'C', _) => Field::Other,
            ('[', _) => {
                rest = after_set(rest)?;
                Field::Other
            }
            _ if is_kept => return None,
            _ => Field::Other,
        };
        if is_kept {
            fields.push(field);
            counted += i64::from(letter != 'n');
        }
    }
    Some(fields)
}

fn float(bytes: i64, before: i64) -> Field {
    Field::Float { bytes, needs: before + 1 }
}

/// What follows a set of characters: a bracket that comes first is one of them.
fn after_set(set: &str) -> Option<&str> {
    let mut characters = set.strip_prefix('^').unwrap_or(set).chars();
    characters.next()?;
    characters.as_str().split_once(']').map(|(_, after)| after)
}

/// How much of a `long double` C's library writes, where that is the same for all that such a triple names.
fn bytes_of_long_double(triple: &str) -> Option<i64> {
    triple.starts_with("x86_64-").then_some(10).filter(|_| !triple.contains("msvc"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(format: &str) -> Option<Vec<Field>> {
        fields_of(format, Some(10))
    }

    #[test]
    fn a_format_says_what_is_written() {
        let expected = [Field::Other, float(8, 1), float(4, 2), float(10, 3)];
        assert_eq!(fields("%d %lf,%5f %Lg%%"), Some(expected.to_vec()));
    }

    #[test]
    fn what_is_skipped_or_not_counted_shifts_what_follows() {
        assert_eq!(fields("%*lf %n%lf"), Some(vec![Field::Other, float(8, 0)]));
        assert_eq!(fields("%*[^]%f]%lf"), Some(vec![float(8, 0)]));
        assert_eq!(fields("%3[^,]%ms%lf"), Some(vec![Field::Other, Field::Other, float(8, 2)]));
        assert_eq!(fields("no conversion"), Some(vec![]));
    }

    #[test]
    fn what_is_not_understood_is_not_guessed() {
        assert_eq!(fields("%1$lf"), None);
        assert_eq!(fields("%"), None);
        assert_eq!(fields("%["), None);
        assert_eq!(fields_of("%Lf", None), None);
        assert_eq!(fields_of("%*Lf", None), Some(vec![]));
    }
}
