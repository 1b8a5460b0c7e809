//! `__enzyme_checkpoint_for`: a loop whose steps are run again rather than kept.
//!
//! The call becomes one of a function that runs the loop, and that is all that the program and forward mode see. Attributes
//! say what it is, for reverse mode, which makes something else of it; for that, too, the function takes the scheme and the
//! regions, of which it makes no use itself. Loops that are written as such and annotated ([`super::annotated`]) become the same
//! when a function is prepared for reverse mode.

use super::lower::convert;
use super::markers::{Marker, marker_of, name_of};
use super::resolve::resolve_function;
use super::rules::text_named_by;
use super::statements::{Statements, calls_of, declared, delete_unused};
use crate::error::Error;
use crate::ir::{Builder, FUNCTION_ATTRIBUTES, Function, Instruction, Module, Type, Value};
use enzyme::plan::{CHECKPOINT_PLACE, CHECKPOINT_REGIONS, CHECKPOINT_UNTIL, CHECKPOINTED};
use inkwell::llvm_sys::{LLVMIntPredicate, LLVMLinkage, LLVMOpcode};

/// What the entry point's name contains.
const NAME: &str = "__enzyme_checkpoint_for";

/// The schemes that need no table, by name, and the numbers that stand for them in the place of one.
const SCHEMES: [(&str, Scheme); 5] = [
    ("binomial", Scheme::BuiltIn(0)),
    ("revolve", Scheme::BuiltIn(0)),
    ("periodic", Scheme::BuiltIn(1)),
    ("store_all", Scheme::BuiltIn(2)),
    ("none", Scheme::None),
];

/// Which states are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scheme {
    /// Those of a schedule of our own.
    BuiltIn(i64),
    /// What the functions of a table say.
    Table(Value),
    /// None: it is a loop like any other.
    None,
}

/// Which states of a loop are kept, and what a state is, as a call says it.
#[derive(Debug)]
pub(crate) struct Wish {
    scheme: Scheme,
    /// The number that goes with the scheme, or its data.
    data: Option<Value>,
    /// Memory, and how many bytes of it.
    pub(crate) regions: Vec<(Value, Value)>,
}

/// How many steps a loop has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Steps {
    /// So many.
    Count(Value),
    /// As many as it takes until the word that the step's first pointer leads to is not zero.
    UntilLeft,
}

/// A loop of steps, understood.
#[derive(Debug)]
pub(crate) struct Loop {
    /// The call that asks for it, in whose place it is run.
    pub(crate) call: Instruction,
    /// Takes the number of the step, and the arguments.
    pub(crate) step: Function,
    pub(crate) start: Value,
    pub(crate) steps: Steps,
    pub(crate) wish: Wish,
    pub(crate) arguments: Vec<Value>,
    /// Where the loop is, for messages, if the step is the body of a loop of the program.
    pub(crate) place: Option<String>,
}

/// Puts calls of loops in the place of all calls of `__enzyme_checkpoint_for`.
///
/// # Errors
/// Says what was expected of calls and what came; those are left as they are.
pub(crate) fn lower_checkpointed_loops(module: Module) -> Result<Statements, Vec<Error>> {
    let mut outcome = Statements::None;
    let mut errors = Vec::new();
    for entry_point in declared(module, &[NAME]) {
        for call in calls_of(entry_point) {
            match Loop::read(call) {
                Ok(found) => {
                    found.lower();
                }
                Err(error) => errors.push(error),
            }
            outcome = Statements::Replaced;
        }
        delete_unused(entry_point);
    }
    if errors.is_empty() { Ok(outcome) } else { Err(errors) }
}

impl Loop {
    fn read(call: Instruction) -> Result<Loop, Error> {
        let mut given = call.arguments().into_iter();
        let (Some(step), Some(start), Some(count)) = (given.next(), given.next(), given.next()) else {
            return Err(wrong(call, "there are too few arguments"));
        };
        let step = resolve_function(step).map_err(|why| {
            Error::program(call, format!("the step of `{NAME}` {why}")).help("name the function in the call")
        })?;
        let types = step.parameter_types();
        if !types.first().is_some_and(|number| number.is_integer()) || step.is_variadic() {
            return Err(wrong(call, "the step has to take an integer first, the number of the step"));
        }
        let by_memory = ["sret", "byval"];
        if (1..=types.len() as u32).any(|index| by_memory.iter().any(|name| step.has_attribute(index, name)))
        {
            return Err(Error::unsupported(
                call,
                format!("`{}` takes or returns a large struct by value", step.written_name()),
            )
            .help("hand over a pointer to it"));
        }
        if !start.ty().is_integer() || !count.ty().is_integer() {
            return Err(wrong(call, "the first step and the number of steps have to be integers"));
        }
        let wish = Wish::default();
        let steps = Steps::Count(count);
        let mut found = Loop { call, step, start, steps, wish, arguments: Vec::new(), place: None };
        while let Some(value) = given.next() {
            match marker_of(value) {
                None => found.arguments.push(value),
                Some(Marker::Scheme) => {
                    found.wish.read_scheme(call, given.next(), given.next()).map_err(usage)?;
                }
                Some(Marker::Region) => {
                    found.wish.read_region(call, given.next(), given.next()).map_err(usage)?;
                }
                Some(other) => {
                    let what = format!("the marker `{}` means nothing here", name_of(other));
                    return Err(wrong(call, &what));
                }
            }
        }
        found.check_arguments(&types[1..])?;
        Ok(found)
    }

    fn check_arguments(&self, types: &[Type]) -> Result<(), Error> {
        let fits = self.arguments.len() == types.len()
            && self.arguments.iter().zip(types).all(|(value, &ty)| super::arguments::fits(value.ty(), ty));
        if fits {
            return Ok(());
        }
        let shown: Vec<String> = self.arguments.iter().map(|&value| super::arguments::show(value)).collect();
        let message = format!(
            "after the number of the step, `{}` does not take {}",
            self.step.written_name(),
            if shown.is_empty() { "nothing".to_owned() } else { shown.join(", ") }
        );
        let written = self.step.written_name();
        Err(wrong(self.call, &message)
            .note(format!("`{written}` has the type `{}`", self.step.function_type())))
    }

    /// Puts a call of a function that runs the loop in the place of the call that asks for it.
    pub(crate) fn lower(&self) -> Function {
        let function = self.write();
        let builder = Builder::new(function.function_type().context());
        builder.position_before(self.call);
        builder.debug_location_of(self.call);
        let arguments = self.values(&builder);
        let types = function.parameter_types();
        let arguments: Vec<Value> =
            arguments.iter().zip(types).map(|(&value, ty)| convert(&builder, value, ty)).collect();
        match self.call.invoke_destinations() {
            None => builder.call(function, &arguments),
            Some((normal, unwind)) => builder.invoke(function, &arguments, normal, unwind),
        };
        let result = self.call.value();
        if !result.users().is_empty() {
            result.replace_all_uses_with(Value::poison(result.ty()));
        }
        self.call.erase();
        function
    }

    /// The arguments of the loop's function.
    fn values(&self, builder: &Builder) -> Vec<Value> {
        let context = self.step.function_type().context();
        let (wide, pointer) = (Type::integer(context, 64), Type::pointer(context));
        let address = |number: Value| {
            builder.cast(LLVMOpcode::LLVMIntToPtr, builder.signed_integer_cast(number, wide), pointer)
        };
        let (scheme, data) = match (self.wish.scheme, self.wish.data) {
            (Scheme::Table(table), Some(data)) => (table, data),
            (Scheme::BuiltIn(number), data) => {
                (address(Value::integer(wide, number)), data.map_or(Value::zero(pointer), address))
            }
            (Scheme::Table(_) | Scheme::None, _) => (Value::zero(pointer), Value::zero(pointer)),
        };
        let count = match self.steps {
            Steps::Count(count) => count,
            Steps::UntilLeft => Value::integer(wide, -1),
        };
        let mut values = vec![self.start, count, scheme, data];
        for &(region, bytes) in &self.wish.regions {
            values.extend([region, bytes]);
        }
        values.extend(&self.arguments);
        values
    }

    /// Writes the loop's function.
    fn write(&self) -> Function {
        let context = self.step.function_type().context();
        let (wide, pointer) = (Type::integer(context, 64), Type::pointer(context));
        let types = self.step.parameter_types();
        let mut parameters = vec![wide, wide, pointer, pointer];
        self.wish.regions.iter().for_each(|_| parameters.extend([pointer, wide]));
        parameters.extend(&types[1..]);
        let name = format!("checkpointed_{}", self.step.name());
        let function =
            self.step.module().add_function(&name, Type::function(Type::void(context), &parameters));
        function.set_linkage(LLVMLinkage::LLVMInternalLinkage);
        if self.wish.is_followed() {
            function.add_string_attribute(CHECKPOINTED);
            function.set_string_attribute(CHECKPOINT_REGIONS, &self.wish.regions.len().to_string());
            function.add_attribute(FUNCTION_ATTRIBUTES, "noinline");
        }
        if let Some(place) = &self.place {
            function.set_string_attribute(CHECKPOINT_PLACE, place);
        }
        match self.steps {
            Steps::Count(_) => self.write_counted(function),
            Steps::UntilLeft => {
                function.add_string_attribute(CHECKPOINT_UNTIL);
                self.write_until_left(function);
            }
        }
        function
    }

    /// A loop that knows on entry how many steps it has.
    fn write_counted(&self, function: Function) {
        let given = function.parameters();
        let builder = Builder::new(function.function_type().context());
        let [entry, head, body, end] =
            ["entry", "head", "body", "end"].map(|name| function.append_block(name));
        builder.position_at_end(entry);
        builder.branch(head);
        builder.position_at_end(head);
        let wide = given[1].ty();
        let done = builder.phi(wide, "done");
        done.add_incoming(Value::zero(wide), entry);
        let goes_on = builder.integer_compare(LLVMIntPredicate::LLVMIntSLT, done.value(), given[1]);
        builder.conditional_branch(goes_on, body, end);
        builder.position_at_end(body);
        self.call_step(&builder, &given, done.value());
        done.add_incoming(builder.binary(LLVMOpcode::LLVMAdd, done.value(), Value::integer(wide, 1)), body);
        builder.branch(head);
        builder.position_at_end(end);
        builder.ret_void();
    }

    /// A loop whose steps say when they are done.
    fn write_until_left(&self, function: Function) {
        let given = function.parameters();
        let builder = Builder::new(function.function_type().context());
        let [entry, body, end] = ["entry", "body", "end"].map(|name| function.append_block(name));
        builder.position_at_end(entry);
        builder.branch(body);
        builder.position_at_end(body);
        let wide = given[1].ty();
        let done = builder.phi(wide, "done");
        done.add_incoming(Value::zero(wide), entry);
        self.call_step(&builder, &given, done.value());
        done.add_incoming(builder.binary(LLVMOpcode::LLVMAdd, done.value(), Value::integer(wide, 1)), body);
        let first = given[given.len() - self.arguments.len()];
        let left = builder.load(wide, first, "left");
        let goes_on = builder.integer_compare(LLVMIntPredicate::LLVMIntEQ, left, Value::zero(wide));
        builder.conditional_branch(goes_on, body, end);
        builder.position_at_end(end);
        builder.ret_void();
    }

    /// Calls the step in the loop's function, which was given these arguments.
    fn call_step(&self, builder: &Builder, given: &[Value], done: Value) {
        let types = self.step.parameter_types();
        let number = builder.binary(LLVMOpcode::LLVMAdd, given[0], done);
        if self.place.is_some() {
            // Messages about the step are about the loop.
            builder.debug_location_of(self.call);
        }
        let mut arguments = vec![builder.signed_integer_cast(number, types[0])];
        arguments.extend(&given[given.len() + 1 - types.len()..]);
        let call = builder.call(self.step, &arguments);
        call.copy_calling_convention(self.step);
        call.copy_parameter_attributes(self.step);
    }
}

impl Default for Wish {
    fn default() -> Self {
        Wish { scheme: Scheme::BuiltIn(0), data: None, regions: Vec::new() }
    }
}

impl Wish {
    /// Whether anything but a loop is wished for.
    pub(crate) fn is_followed(&self) -> bool {
        self.scheme != Scheme::None
    }

    /// Reads a scheme, and the number or the data that goes with it.
    pub(super) fn read_scheme(
        &mut self,
        call: Instruction,
        scheme: Option<Value>,
        data: Option<Value>,
    ) -> Result<(), Error> {
        let (Some(scheme), Some(data)) = (scheme, data) else {
            let what = "`enzyme_scheme` is not followed by a scheme and its number or data";
            return Err(misread(call, what));
        };
        self.scheme = match text_named_by(scheme) {
            Some(name) => {
                let known = SCHEMES.iter().find(|(known, _)| *known == name);
                let names = SCHEMES.map(|(name, _)| name).join(", ");
                known.map(|(_, scheme)| *scheme).ok_or_else(|| {
                    Error::program(call, format!("no checkpoint scheme is called \"{name}\""))
                        .help(format!("the schemes are {names}"))
                })?
            }
            None if scheme.ty().is_pointer() => Scheme::Table(scheme),
            None => return Err(misread(call, "the scheme is neither a name nor a table")),
        };
        // `0` among arguments of any number is no null pointer yet.
        let is_table = matches!(self.scheme, Scheme::Table(_));
        let data = match data.constant_integer() {
            Some(0) if is_table => Value::zero(scheme.ty()),
            _ => data,
        };
        let (is_fitting, what) = match self.scheme {
            Scheme::BuiltIn(_) | Scheme::None => {
                (data.ty().is_integer(), "after its name comes how many snapshots or segments there are")
            }
            Scheme::Table(_) => (data.ty().is_pointer(), "after the table comes a pointer to its data"),
        };
        self.data = Some(data);
        if is_fitting { Ok(()) } else { Err(misread(call, what)) }
    }

    /// Reads what follows a region's marker.
    pub(super) fn read_region(
        &mut self,
        call: Instruction,
        pointer: Option<Value>,
        bytes: Option<Value>,
    ) -> Result<(), Error> {
        match (pointer, bytes) {
            (Some(pointer), Some(bytes)) if pointer.ty().is_pointer() && bytes.ty().is_integer() => {
                self.regions.push((pointer, bytes));
                Ok(())
            }
            _ => {
                let what = "`enzyme_checkpoint_region` is not followed by a pointer and a number of bytes";
                Err(misread(call, what))
            }
        }
    }
}

/// What a call says wrongly.
fn misread(call: Instruction, what: &str) -> Error {
    let name = call.called_function().map_or(String::new(), Function::written_name);
    Error::program(call, format!("in the call of `{name}`: {what}"))
}

fn wrong(call: Instruction, what: &str) -> Error {
    usage(misread(call, what))
}

/// Says how the call is written, unless something better is said.
fn usage(error: Error) -> Error {
    match error.help {
        Some(_) => error,
        None => error.help(
            "write `__enzyme_checkpoint_for(step, start, n, enzyme_scheme, scheme, data, enzyme_checkpoint_region, pointer, \
             bytes, arguments…)`, where `step(int64_t i, arguments…)` is called for each `i`",
        ),
    }
}
