//! The derivatives behind the addresses of functions.
//!
//! The shadow of a function's address is the address of a constant, its *holder*, which holds the address of the
//! derivative; in reverse mode of two, one for each sweep. A call through a pointer takes the derivative from there. Shadows that the user made need not be such:
//! a C++ object that was made by its constructor, once more for the shadow, points to the methods themselves. Then the
//! derivative is looked up among the functions of the module whose address is taken somewhere.

use super::Factory;
use crate::frontend::{self, Meant, VirtualReverse};
use crate::ir::{Builder, Function, Module, Type, Value};
use crate::write::{BehindAddress, DerivativeKey, Mode, Settings, Shadows, TapeAfterwards, TapePlace, stop};
use enzyme::plan::Direction;
use inkwell::llvm_sys::{LLVMIntPredicate, LLVMLinkage, LLVMOpcode};
use rustc_hash::FxHashMap;

/// How many functions a lookup tells apart. The methods of one signature are few; where they are not, code that finds
/// each of them would outgrow the program.
const MOST_CANDIDATES: usize = 256;

/// The two functions behind a function's address in reverse mode. Their tape outlives the derivative that calls them.
const BOTH_SWEEPS: [Mode; 2] =
    [Mode::Augmented(TapePlace::Heap), Mode::ReverseSweep(TapePlace::Heap, TapeAfterwards::Freed)];

/// What was made for function pointers so far.
pub(super) struct Pointers {
    /// The functions of the user's program, in order.
    functions: Vec<Function>,
    holders: FxHashMap<(Function, BehindAddress), Value>,
    lookups: FxHashMap<(Type, BehindAddress), Function>,
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
    /// The constant that holds the address of a function's derivative, or of its two sweeps.
    pub(super) fn holder_of(&mut self, function: Function, behind: BehindAddress) -> Value {
        if let Some(&holder) = self.pointers.holders.get(&(function, behind)) {
            return holder;
        }
        let (way, held) = match behind.direction {
            Direction::Forward => ("forward", self.behind(function, behind, Mode::Forward).value()),
            Direction::Reverse => {
                let [augmented, reverse] =
                    BOTH_SWEEPS.map(|mode| self.behind(function, behind, mode).value());
                ("reverse", Value::aggregate(augmented.ty().array(2), &[augmented, reverse]))
            }
        };
        let name = format!("_enzyme_{way}{}_{}'", behind.tag(), function.name());
        let holder = self.module.add_global(&name, held.ty());
        holder.set_initializer(held);
        holder.set_constant();
        holder.set_linkage(LLVMLinkage::LLVMInternalLinkage);
        self.pointers.holders.insert((function, behind), holder);
        holder
    }

    /// A derivative that stands behind a function's address.
    fn behind(&mut self, function: Function, behind: BehindAddress, mode: Mode) -> Function {
        let index = self.index_of(DerivativeKey::behind_address(function, behind, mode));
        self.derived[index].function
    }

    /// The function that finds the derivative of a function that has the type given; see
    /// [`Derivatives::lookup`](crate::write::Derivatives::lookup).
    pub(super) fn lookup_for(&mut self, function_type: Type, behind: BehindAddress) -> Function {
        if let Some(&lookup) = self.pointers.lookups.get(&(function_type, behind)) {
            return lookup;
        }
        let candidates = self.pointers.candidates(function_type).into_iter();
        let known: Vec<(Function, Value)> = candidates
            .map(|function| {
                let found = match behind.direction {
                    Direction::Forward => self.behind(function, behind, Mode::Forward).value(),
                    Direction::Reverse => self.holder_of(function, behind),
                };
                (function, found)
            })
            .collect();
        let lookup = write_lookup(self.module, function_type, &known, behind.direction);
        self.pointers.lookups.insert((function_type, behind), lookup);
        lookup
    }

    /// The shadow that a call of `__enzyme_virtualreverse` asks for.
    pub(super) fn shadow_asked_for(&mut self, asked: &VirtualReverse) -> Value {
        let direction = Direction::Reverse;
        let behind = BehindAddress { direction, width: 1, settings: Settings::default() };
        let shadow = match asked.meant {
            Meant::Unknown(address) => return address,
            Meant::Function(function) => {
                for mode in BOTH_SWEEPS {
                    let index = self.index_of(DerivativeKey::behind_address(function, behind, mode));
                    self.is_needed(index);
                }
                self.holder_of(function, behind)
            }
            Meant::Variable(address) => {
                let builder = Builder::new(address.ty().context());
                builder.position_before(asked.call);
                let mut shadows = Shadows {
                    builder: &builder,
                    module: self.module,
                    behind,
                    direction: 0,
                    derivatives: self,
                };
                shadows.of_address(address).unwrap_or(address)
            }
        };
        self.finish(asked.call);
        shadow
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

fn write_lookup(
    module: Module,
    function_type: Type,
    known: &[(Function, Value)],
    direction: Direction,
) -> Function {
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
    builder.ret(match direction {
        Direction::Forward => builder.load(pointer, shadow, "derivative"),
        Direction::Reverse => shadow,
    });

    builder.position_at_end(search);
    let derivative = known.iter().fold(Value::zero(pointer), |derivative, (function, derived)| {
        let is_called = builder.integer_compare(equal, called, function.value());
        builder.select(is_called, *derived, derivative)
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
