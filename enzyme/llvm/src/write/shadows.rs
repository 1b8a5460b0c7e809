//! Shadows of what carries no derivative: zero for floats, the value itself for integers, twins for globals, and for the
//! address of a function the constant that holds its derivative.

use super::{BehindAddress, Derivatives};
use crate::ir::{Builder, Kind, Module, Value};
use enzyme::plan::{Carries, Direction};
use inkwell::llvm_sys::LLVMLinkage;
use smallvec::SmallVec;

/// Makes shadows where a builder stands.
pub(crate) struct Shadows<'a> {
    /// Writes what they need.
    pub(crate) builder: &'a Builder,
    /// Where globals get their twins.
    pub(crate) module: Module,
    /// The number of directions, and which derivative belongs to a function's address.
    pub(crate) behind: BehindAddress,
    /// Which of them is meant: each has a shadow of its own.
    pub(crate) direction: usize,
    /// Supplies the derivatives of functions.
    pub(crate) derivatives: &'a mut dyn Derivatives,
}

impl Shadows<'_> {
    /// The shadows of a value that no instruction makes a shadow of, one a direction; nothing where one would have to.
    pub(crate) fn given(&mut self, primal: Value, carries: Carries) -> Option<SmallVec<[Value; 1]>> {
        (0..self.behind.width)
            .map(|direction| {
                self.direction = direction;
                match carries {
                    Carries::Derivative => self.of_address(primal),
                    Carries::Nothing | Carries::MemoryBits | Carries::Address | Carries::Lost => {
                        Some(self.inactive(primal))
                    }
                }
            })
            .collect()
    }

    /// The shadow of a value that carries nothing.
    pub(crate) fn inactive(&mut self, value: Value) -> Value {
        let ty = value.ty();
        if let Some(shadow) = self.of_address(value) {
            return shadow;
        }
        let kinds = ty.scalar_kinds();
        if !kinds.contains(&Kind::Float) {
            return value;
        }
        let mixed = kinds.iter().any(|kind| *kind != Kind::Float);
        match ty.kind() {
            Kind::Struct(_) | Kind::Array(_) if mixed => {
                (0..ty.element_count() as u32).fold(value, |whole, index| {
                    let part = self.builder.extract_value(value, index);
                    let shadow = self.inactive(part);
                    self.builder.insert_value(whole, shadow, index)
                })
            }
            _ => Value::zero(ty),
        }
    }

    /// The shadow of an address in a global variable: the same place in the variable's shadow; that of a function's
    /// address. Nothing for other values.
    pub(crate) fn of_address(&mut self, address: Value) -> Option<Value> {
        if let Some(function) = address.named_function() {
            return Some(self.derivatives.holder(function, self.behind));
        }
        let shadow = self.of_global(address.base_global()?)?;
        address.with_base(shadow)
    }

    /// The shadow of a global variable: what the user gives, or else one of the same type beside it in the module,
    /// holding the shadows of the addresses that the variable begins with, and no derivative. Nothing for a variable
    /// that is defined elsewhere.
    ///
    /// A constant's shadow is a constant too: nothing that is written depends on an active value. But adjoints of floats in
    /// it are added up like any other, where nobody sees that a pointer leads to a constant; they are of no account.
    fn of_global(&mut self, global: Value) -> Option<Value> {
        if let Some(given) = global.global_metadata("enzyme_shadow") {
            // Of several directions, the user's shadow is an array.
            let size = self.module.allocation_size(global.global_value_type());
            return Some(given.offset(self.direction as u64 * size));
        }
        if is_type_information(global)
            || (is_table_of_virtual_methods(global) && global.initializer().is_none())
        {
            return Some(global);
        }
        if !global.is_global_constant() && global.initializer().is_none() {
            return None;
        }
        let name = self.name_of_shadow(global);
        if let Some(existing) = self.module.globals().find(|candidate| candidate.name() == name) {
            return Some(existing);
        }
        let ty = global.global_value_type();
        let shadow = self.module.add_global_like(&name, global);
        shadow.set_linkage(LLVMLinkage::LLVMInternalLinkage);
        shadow.copy_global_properties(global);
        if self.behind.direction == Direction::Reverse && holds_floats(global) {
            shadow.set_writable();
        }
        // It is there already when what it holds leads back to it.
        let changes = if global.is_global_constant() { Changes::Never } else { Changes::AtRunTime };
        let initial = global.initializer().map(|initial| self.of_constant(initial, changes));
        shadow.set_initializer(initial.unwrap_or_else(|| Value::zero(ty)));
        Some(shadow)
    }

    /// Variables have a shadow for each direction, and one for tangents and one for adjoints; constants too, if they lead to
    /// variables. Those that lead to functions have others for other widths and settings.
    fn name_of_shadow(&self, global: Value) -> String {
        let to_function = leads_to(global, |constant| constant.named_function().is_some());
        let is_variable = |constant: Value| constant.is_global_variable() && !constant.is_global_constant();
        let to_variable = is_variable(global) || leads_to(global, is_variable);
        let made_for = if to_function { self.behind.tag() } else { String::new() };
        let direction = match self.direction {
            direction if direction > 0 && to_variable => format!("'{direction}"),
            _ => String::new(),
        };
        let way = match self.behind.direction {
            Direction::Reverse if to_function || to_variable || holds_floats(global) => REVERSE,
            Direction::Forward | Direction::Reverse => "",
        };
        format!("__enzyme{way}_shadow{made_for}{OF}{}{direction}", global.name())
    }

    /// The shadow of a constant that a variable begins with.
    fn of_constant(&mut self, constant: Value, changes: Changes) -> Value {
        let ty = constant.ty();
        match ty.kind() {
            Kind::Float => Value::zero(ty),
            Kind::Pointer => match self.of_constant_address(constant, changes) {
                Some(shadow) => shadow,
                // A variable that is defined elsewhere has no shadow here.
                None if constant.base_global().is_some() => Value::zero(ty),
                None => constant,
            },
            Kind::Struct(_) | Kind::Array(_) if !constant.holds_addresses() => {
                self.of_plain_constant(constant, changes)
            }
            Kind::Struct(_) | Kind::Array(_) => {
                let parts: Vec<Value> =
                    constant.operands().into_iter().map(|part| self.of_constant(part, changes)).collect();
                Value::aggregate(ty, &parts)
            }
            Kind::Vector(_) | Kind::ScalableVector if ty.scalar().is_float() => Value::zero(ty),
            Kind::Vector(_)
            | Kind::ScalableVector
            | Kind::Integer(_)
            | Kind::Void
            | Kind::Function
            | Kind::Other => constant,
        }
    }

    /// A constant without addresses: the same integers, zero for floats.
    fn of_plain_constant(&mut self, constant: Value, changes: Changes) -> Value {
        let ty = constant.ty();
        let kinds = ty.scalar_kinds();
        match (kinds.contains(&Kind::Float), kinds.iter().all(|kind| *kind == Kind::Float)) {
            (false, _) => constant,
            (true, true) => Value::zero(ty),
            (true, false) if constant.operands().is_empty() => Value::zero(ty),
            (true, false) => {
                let parts: Vec<Value> =
                    constant.operands().into_iter().map(|part| self.of_constant(part, changes)).collect();
                Value::aggregate(ty, &parts)
            }
        }
    }

    /// The same address in the shadow of what it is an address of.
    fn of_constant_address(&mut self, address: Value, changes: Changes) -> Option<Value> {
        if let Some(function) = address.named_function() {
            return Some(match changes {
                Changes::Never => self.derivatives.holder(function, self.behind),
                // Whoever stores another function later need not know of the shadow; null makes a call look the
                // derivative up.
                Changes::AtRunTime => Value::zero(address.ty()),
            });
        }
        let shadow = self.of_global(address.base_global()?)?;
        address.with_base(shadow)
    }
}

/// Whether there are floats in what a global names.
fn holds_floats(global: Value) -> bool {
    global.global_value_type().scalar_kinds().contains(&Kind::Float)
}

/// What the names of shadows in reverse mode have in them, and what stands before the name of what they are shadows of.
const REVERSE: &str = "_reverse";
const OF: &str = "_of_";

/// The name of the variable whose adjoints a variable holds, if it is one that we made for that.
pub(crate) fn variable_of_adjoint(shadow: Value) -> Option<String> {
    let name = shadow.name();
    let behind = name.strip_prefix("__enzyme").and_then(|rest| rest.strip_prefix(REVERSE))?;
    let (_, of) = behind.strip_prefix("_shadow")?.split_once(OF)?;
    (!shadow.is_global_constant()).then(|| of.split('\'').next().unwrap_or(of).to_owned())
}

/// Whether the program may change what a variable begins with.
#[derive(Clone, Copy)]
enum Changes {
    Never,
    AtRunTime,
}

/// Whether what a variable begins with leads to such a constant.
fn leads_to(global: Value, wanted: impl Fn(Value) -> bool) -> bool {
    let mut seen = Vec::new();
    let mut pending: Vec<Value> = global.initializer().into_iter().collect();
    while let Some(constant) = pending.pop() {
        if wanted(constant) {
            return true;
        }
        if constant.holds_addresses() && !seen.contains(&constant) {
            seen.push(constant);
            pending.extend(match constant.is_global_variable() {
                true => constant.initializer().into_iter().collect(),
                false => constant.operands(),
            });
        }
    }
    false
}

/// Whether a global is run-time type information of C++, which has no derivative: `typeinfo for T` and its name.
fn is_type_information(global: Value) -> bool {
    let name = global.name();
    ["_ZTI", "_ZTS", "??_R"].iter().any(|prefix| name.starts_with(prefix))
}

/// Whether a global is a table of a C++ class's virtual methods.
fn is_table_of_virtual_methods(global: Value) -> bool {
    let name = global.name();
    ["_ZTV", "_ZTC", "_ZTT", "??_7"].iter().any(|prefix| name.starts_with(prefix))
}
