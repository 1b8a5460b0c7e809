//! The derivatives behind the addresses of functions.
//!
//! The shadow of a function's address is the address of a constant, its *holder*, which holds the address of the
//! derivative. A call through a pointer takes the derivative from there. Shadows that the user made need not be such:
//! a C++ object that was made by its constructor, once more for the shadow, points to the methods themselves. Then the
//! derivative is looked up among the functions of the module whose address is taken somewhere.

use super::{Factory, stop};
use crate::frontend;
use crate::ir::{Builder, Function, Module, Type, Value};
use crate::write::{DerivativeKey, Settings};
use inkwell::llvm_sys::{LLVMIntPredicate, LLVMLinkage, LLVMOpcode};
use rustc_hash::FxHashMap;

/// How many functions a lookup tells apart. The methods of one signature are few; where they are not, code that finds
/// each of them would outgrow the program.
const MOST_CANDIDATES: usize = 256;

/// What was made for function pointers so far.
pub(super) struct Pointers {
    /// The functions of the user's program, in order.
    functions: Vec<Function>,
    holders: FxHashMap<(Function, usize, Settings), Value>,
    lookups: FxHashMap<(Type, usize, Settings), Function>,
}

impl Pointers {
    pub(super) fn new(module: Module) -> Pointers {
        Pointers {
            functions: module.functions().collect(),
            holders: FxHashMap::default(),
            lookups: FxHashMap::default(),
        }
    }

    /// The functions of that type whose address is taken.
    fn candidates(&self, function_type: Type) -> Vec<Function> {
        let functions = self.functions.iter().copied();
        functions
            .filter(|function| function.function_type() == function_type && !function.is_intrinsic())
            .filter(|&function| has_address(function))
            .take(MOST_CANDIDATES)
            .collect()
    }
}

/// Whether a function is used in another way than by calling it or asking for its derivative.
fn has_address(function: Function) -> bool {
    function.value().users().into_iter().any(|user| match user.as_instruction() {
        Some(call) if call.is_call() => {
            let is_argument = call.arguments().contains(&function.value());
            is_argument && !frontend::is_request(call)
        }
        Some(_) | None => true,
    })
}

impl Factory<'_> {
    /// The constant that holds the address of a function's derivative.
    pub(super) fn holder_of(&mut self, function: Function, width: usize, settings: Settings) -> Value {
        if let Some(&holder) = self.pointers.holders.get(&(function, width, settings)) {
            return holder;
        }
        let derivative = self.behind(function, width, settings);
        let made_for = match (width, settings.tag()) {
            (1, "") => String::new(),
            (width, tag) => format!("{width}{tag}"),
        };
        let name = format!("_enzyme_forward{made_for}_{}'", function.name());
        let holder = self.module.add_global(&name, derivative.value().ty());
        holder.set_initializer(derivative.value());
        holder.set_constant();
        holder.set_linkage(LLVMLinkage::LLVMInternalLinkage);
        self.pointers.holders.insert((function, width, settings), holder);
        holder
    }

    /// The derivative that stands behind a function's address.
    fn behind(&mut self, function: Function, width: usize, settings: Settings) -> Function {
        let index = self.index_of(DerivativeKey::behind_address(function, width, settings));
        self.derived[index].function
    }

    /// The function that finds the derivative of a function that has the type given; see
    /// [`Derivatives::lookup`](crate::write::Derivatives::lookup).
    pub(super) fn lookup_for(&mut self, function_type: Type, width: usize, settings: Settings) -> Function {
        if let Some(&lookup) = self.pointers.lookups.get(&(function_type, width, settings)) {
            return lookup;
        }
        let known: Vec<(Function, Function)> = self
            .pointers
            .candidates(function_type)
            .into_iter()
            .map(|function| (function, self.behind(function, width, settings)))
            .collect();
        let lookup = write_lookup(self.module, function_type, &known);
        self.pointers.lookups.insert((function_type, width, settings), lookup);
        lookup
    }

    /// Where a derived function cannot be made, and only a call through a pointer would need it, such a call ends the
    /// program.
    pub(super) fn write_stops(&mut self) {
        for derived in self.derived.iter().filter(|derived| !derived.errors.is_empty()) {
            let name = derived.key.function.written_name();
            let why = derived.errors.first().map(|error| error.message.as_str()).unwrap_or_default();
            let message = format!(
                "the derivative of `{name}`, which is called through a pointer, cannot be made: {why}"
            );
            stop::replace_body(derived.function, &message);
        }
    }
}

fn write_lookup(module: Module, function_type: Type, known: &[(Function, Function)]) -> Function {
    let context = function_type.context();
    let pointer = Type::pointer(context);
    let ty = Type::function(pointer, &[pointer, pointer, pointer]);
    let lookup = module.add_function("__enzyme_derivative_behind_pointer", ty);
    lookup.set_linkage(LLVMLinkage::LLVMInternalLinkage);
    let [called, shadow, place] = [0, 1, 2].map(|index| lookup.parameters()[index]);
    let [entry, held, search, found, unknown] =
        ["entry", "held", "search", "found", "unknown"].map(|name| lookup.append_block(name));
    let equal = LLVMIntPredicate::LLVMIntEQ;
    let builder = Builder::new(context);

    builder.position_at_end(entry);
    let is_itself = builder.integer_compare(equal, called, shadow);
    let is_null = builder.integer_compare(equal, shadow, Value::zero(pointer));
    let is_no_shadow = builder.binary(LLVMOpcode::LLVMOr, is_itself, is_null);
    builder.branch_on(is_no_shadow, search, held);

    builder.position_at_end(held);
    builder.ret(builder.load(pointer, shadow, "derivative"));

    builder.position_at_end(search);
    let derivative = known.iter().fold(Value::zero(pointer), |derivative, (function, derived)| {
        let is_called = builder.integer_compare(equal, called, function.value());
        builder.select(is_called, derived.value(), derivative)
    });
    let is_unknown = builder.integer_compare(equal, derivative, Value::zero(pointer));
    builder.branch_on(is_unknown, unknown, found);

    builder.position_at_end(found);
    builder.ret(derivative);

    builder.position_at_end(unknown);
    let message = "no derivative is known for the function called through a pointer at %s\n";
    stop::write(&builder, module, message, &[place]);
    lookup
}
