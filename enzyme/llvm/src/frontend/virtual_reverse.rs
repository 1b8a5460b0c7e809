//! `__enzyme_virtualreverse(p)`: the shadow, in reverse mode, of the address of a function or of a table of functions.
//!
//! Of an address that is known only when the program runs, it is that address: a call through a pointer that is its own
//! shadow finds the derivative of the function by itself.

use super::resolve::resolve_function;
use crate::error::Error;
use crate::ir::{Builder, Function, Instruction, Module, Value};

/// What a function's name contains that asks for it.
pub(super) const NAME: &str = "__enzyme_virtualreverse";

/// A call that asks for the shadow of an address.
#[derive(Clone, Copy)]
pub(crate) struct VirtualReverse {
    /// The call.
    pub(crate) call: Instruction,
    /// What is meant.
    pub(crate) meant: Meant,
}

/// What an address leads to.
#[derive(Clone, Copy)]
pub(crate) enum Meant {
    /// A function.
    Function(Function),
    /// A variable, such as a table of virtual methods.
    Variable(Value),
    /// What is known when the program runs.
    Unknown(Value),
}

impl VirtualReverse {
    /// All such calls.
    ///
    /// # Errors
    /// Those without an address.
    pub(crate) fn find(module: Module) -> Result<Vec<VirtualReverse>, Vec<Error>> {
        let named =
            module.functions().filter(|function| function.is_declaration() && function.name().contains(NAME));
        let users = named.flat_map(|function| function.value().users().into_iter().rev());
        let calls = users.filter_map(Value::as_instruction).filter(|call| call.is_call());
        let (mut found, mut errors) = (Vec::new(), Vec::new());
        for call in calls {
            match VirtualReverse::read(call) {
                Ok(one) => found.push(one),
                Err(error) => errors.push(error),
            }
        }
        if errors.is_empty() { Ok(found) } else { Err(errors) }
    }

    fn read(call: Instruction) -> Result<VirtualReverse, Error> {
        let arguments = call.arguments();
        let [address] = arguments[..] else {
            return Err(Error::program(call, format!("`{NAME}` takes one argument")).help(
                "give it the address of a function, or of a table of functions: what an object of C++ begins with",
            ));
        };
        if !address.ty().is_pointer() || !call.value().ty().is_pointer() {
            return Err(Error::program(call, format!("`{NAME}` takes an address and returns one")));
        }
        let meant = match (resolve_function(address), address.base_global()) {
            (Ok(function), _) => Meant::Function(function),
            (Err(_), Some(_)) if address.is_constant() => Meant::Variable(address),
            (Err(_), _) => Meant::Unknown(address),
        };
        Ok(VirtualReverse { call, meant })
    }

    /// Puts the shadow in the place of the call.
    pub(crate) fn lower(self, shadow: Value) {
        self.call.value().replace_all_uses_with(shadow);
        if let Some((normal, _)) = self.call.invoke_destinations() {
            let builder = Builder::new(shadow.ty().context());
            builder.position_before(self.call);
            builder.branch(normal);
        }
        self.call.erase();
    }
}
