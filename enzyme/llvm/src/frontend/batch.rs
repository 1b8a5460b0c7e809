//! `__enzyme_batch`: a function over several sets of arguments at once.
//!
//! The call becomes one of a function `batch_f`, which takes the arguments of all lanes and returns the results of all
//! lanes as an array. Lanes run in their order, each as a call of the function would; control flow may differ between
//! them. What they have in common, and what fits into vectors, is for LLVM's inliner and vectorisers to find.

use super::lower::{convert, deliver_value, stack_memory};
use super::markers::{Marker, marker_of, name_of};
use super::resolve::resolve_function;
use crate::error::Error;
use crate::ir::{Block, Builder, Function, Instruction, Module, Type, Value};
use inkwell::llvm_sys::LLVMLinkage;
use std::iter::Peekable;
use std::vec::IntoIter;

/// What the entry point's name contains.
pub(super) const NAME: &str = "__enzyme_batch";

/// One call of `__enzyme_batch`, understood.
#[derive(Debug)]
pub(crate) struct Batch {
    call: Instruction,
    function: Function,
    width: usize,
    arguments: Vec<Lanes>,
    /// The memory that the call's result goes to, and its type, where it does not return a value.
    memory: Option<(Value, Type)>,
}

/// What the lanes get for one parameter.
#[derive(Debug)]
enum Lanes {
    /// All get the same.
    Same(Value),
    /// Each gets its own.
    Each(Vec<Value>),
    /// Each gets a pointer so many bytes behind that of the lane before.
    Strided { first: Value, stride: Value },
    /// Each gets a part of the memory for the call's result, into which it writes its own.
    ResultMemory,
}

/// How an argument is marked.
enum Kind {
    Same,
    Each,
    Strided(Value),
}

impl Batch {
    /// The calls of `__enzyme_batch` in a module.
    pub(crate) fn find(module: Module) -> Vec<Instruction> {
        let entry_points =
            module.functions().filter(|function| function.is_declaration() && function.name().contains(NAME));
        let is_call = |function: Function| {
            move |call: &Instruction| call.is_call() && call.callee() == function.value()
        };
        entry_points
            .flat_map(|function| {
                // LLVM lists the latest use first.
                let users = function.value().users().into_iter().rev();
                users.filter_map(Value::as_instruction).filter(is_call(function)).collect::<Vec<_>>()
            })
            .collect()
    }

    /// The calls of `__enzyme_batch` in a function.
    pub(crate) fn find_in(function: Function) -> Vec<Instruction> {
        let is_batch = |call: &Instruction| {
            call.called_function()
                .is_some_and(|callee| callee.is_declaration() && callee.name().contains(NAME))
        };
        function.instructions().filter(is_batch).collect()
    }

    /// Reads one call.
    ///
    /// # Errors
    /// Says what was expected of the call and what came.
    pub(crate) fn read(call: Instruction) -> Result<Batch, Error> {
        let mut given = call.arguments();
        let memory = match call.call_type_attribute(1, "sret") {
            Some(ty) if !given.is_empty() => Some((given.remove(0), ty)),
            _ => None,
        };
        if given.is_empty() {
            return Err(Error::program(call, format!("`{NAME}` is called without arguments"))
                .help("its first argument is the function to call over and over"));
        }
        let function = resolve_function(given.remove(0)).map_err(|why| {
            Error::program(call, format!("the function of `{NAME}` {why}"))
                .help("name the function in the call")
        })?;
        if function.is_variadic() {
            return Err(Error::unsupported(
                call,
                format!("`{}` takes a variable number of arguments", function.written_name()),
            )
            .help("wrap it in a function with a fixed number of arguments"));
        }
        let width = width_of(call, &given)?;
        let mut reader = Reader { call, function, width, given: given.into_iter().peekable() };
        let arguments = reader.arguments(memory.is_some())?;
        let batch = Batch { call, function, width, arguments, memory };
        batch.check_result()?;
        Ok(batch)
    }

    /// What the batched function returns: the results of all lanes.
    fn result_type(&self) -> Type {
        let returned = self.function.return_type();
        if returned == Type::void(returned.context()) { returned } else { returned.array(self.width as u64) }
    }

    fn check_result(&self) -> Result<(), Error> {
        let module = self.function.module();
        let (given, void) = (self.result_type(), Type::void(self.function.function_type().context()));
        let wanted = self.memory.map_or(self.call.value().ty(), |(_, ty)| ty);
        let unused = self.memory.is_none() && (wanted == void || self.call.value().users().is_empty());
        if unused || given == void && self.returns_through_memory() {
            return Ok(());
        }
        if given != void && module.allocation_size(given) == module.allocation_size(wanted) {
            return Ok(());
        }
        let returned = self.function.return_type();
        Err(Error::program(
            self.call,
            format!(
                "the call of `{NAME}` returns `{wanted}`, but {} calls of `{}` return {}",
                self.width,
                self.function.written_name(),
                if given == void { "nothing".to_owned() } else { format!("`{returned}` each") }
            ),
        )
        .help("declare it to return a struct that holds the results one after another"))
    }

    fn returns_through_memory(&self) -> bool {
        self.arguments.iter().any(|lanes| matches!(lanes, Lanes::ResultMemory))
    }

    /// Puts a call of the batched function in the place of the call.
    pub(crate) fn lower(&self) {
        let batched = self.write();
        let builder = Builder::new(batched.function_type().context());
        builder.position_before(self.call);
        builder.debug_location_of(self.call);
        let arguments = self.values(&builder);
        let result = match self.call.invoke_destinations() {
            None => builder.call(batched, &arguments),
            Some((_, unwind)) => {
                let normal: Block = crate::ir::split_normal_edge(self.call);
                let invoke = builder.invoke(batched, &arguments, normal, unwind);
                if let Some(first) = normal.instructions().next() {
                    builder.position_before(first);
                }
                invoke
            }
        };
        let given = self.result_type();
        if given != Type::void(given.context()) {
            match self.memory {
                Some((pointer, _)) => {
                    builder.store(result.value(), pointer);
                }
                None => {
                    deliver_value(self.call, result.value(), &builder);
                }
            }
        }
        self.call.erase();
    }

    /// The arguments for the batched function: one value for a parameter that all lanes share, else an array.
    fn values(&self, builder: &Builder) -> Vec<Value> {
        let types = self.function.parameter_types();
        let module = self.function.module();
        let array = |values: Vec<Value>| {
            let empty = Value::poison(values[0].ty().array(values.len() as u64));
            (0..).zip(values).fold(empty, |array, (lane, value)| builder.insert_value(array, value, lane))
        };
        let lanes = 0..self.width as u64;
        self.arguments
            .iter()
            .zip(types)
            .map(|(argument, ty)| match argument {
                Lanes::Same(value) => convert(builder, *value, ty),
                Lanes::Each(values) => {
                    array(values.iter().map(|&value| convert(builder, value, ty)).collect())
                }
                Lanes::Strided { first, stride } => {
                    let first = convert(builder, *first, ty);
                    array(lanes.clone().map(|lane| builder.strided(first, *stride, lane)).collect())
                }
                Lanes::ResultMemory => {
                    let result = self.function.return_memory_type().unwrap_or(ty);
                    let size = module.allocation_size(result);
                    let first = match self.memory {
                        Some((pointer, _)) => pointer,
                        None => stack_memory(self.call, result.array(self.width as u64)),
                    };
                    array(lanes.clone().map(|lane| builder.offset(first, lane * size)).collect())
                }
            })
            .collect()
    }

    /// Writes the batched function.
    fn write(&self) -> Function {
        let types = self.function.parameter_types();
        let width = self.width as u64;
        let parameters: Vec<Type> = self
            .arguments
            .iter()
            .zip(&types)
            .map(|(lanes, &ty)| match lanes {
                Lanes::Same(_) => ty,
                Lanes::Each(_) | Lanes::Strided { .. } | Lanes::ResultMemory => ty.array(width),
            })
            .collect();
        let result_type = self.result_type();
        let name = format!("batch_{}", self.function.name());
        let batched = self.function.module().add_function(&name, Type::function(result_type, &parameters));
        batched.set_linkage(LLVMLinkage::LLVMInternalLinkage);
        let builder = Builder::new(result_type.context());
        builder.position_at_end(batched.append_block("entry"));
        let mut results = Value::poison_or_nothing(result_type);
        for lane in 0..self.width as u32 {
            let arguments: Vec<Value> = batched
                .parameters()
                .into_iter()
                .zip(&self.arguments)
                .map(|(parameter, lanes)| match lanes {
                    Lanes::Same(_) => parameter,
                    Lanes::Each(_) | Lanes::Strided { .. } | Lanes::ResultMemory => {
                        builder.extract_value(parameter, lane)
                    }
                })
                .collect();
            let call = builder.call(self.function, &arguments);
            call.copy_parameter_attributes(self.function);
            call.copy_calling_convention(self.function);
            results = results.map(|results| builder.insert_value(results, call.value(), lane));
        }
        match results {
            Some(results) => builder.ret(results),
            None => builder.ret_void(),
        };
        batched
    }
}

/// The number of lanes, which the call says anywhere.
fn width_of(call: Instruction, given: &[Value]) -> Result<usize, Error> {
    let position = given.iter().position(|&value| marker_of(value) == Some(Marker::Width));
    let Some(width) = position.map(|position| given.get(position + 1)) else {
        return Err(Error::program(
            call,
            format!("the call of `{NAME}` does not say how many lanes there are"),
        )
        .help("give it `enzyme_width, n` after the function"));
    };
    match width.and_then(|width| width.constant_integer()) {
        Some(width) if (1..=4096).contains(&width) => Ok(width as usize),
        Some(_) | None => Err(Error::program(
            call,
            format!("in the call of `{NAME}`: the width must be a constant between 1 and 4096"),
        )),
    }
}

/// The state of reading one argument list.
struct Reader {
    call: Instruction,
    function: Function,
    width: usize,
    given: Peekable<IntoIter<Value>>,
}

impl Reader {
    fn arguments(&mut self, has_memory: bool) -> Result<Vec<Lanes>, Error> {
        let types = self.function.parameter_types();
        let mut arguments = Vec::with_capacity(types.len());
        for (index, ty) in types.into_iter().enumerate() {
            let is_result = index == 0 && has_memory && self.function.has_attribute(1, "sret");
            arguments.push(if is_result { Lanes::ResultMemory } else { self.argument(index, ty)? });
        }
        self.skip_width();
        match self.given.next() {
            None => Ok(arguments),
            Some(_) => Err(self.wrong("too many arguments".to_owned())),
        }
    }

    fn argument(&mut self, index: usize, ty: Type) -> Result<Lanes, Error> {
        Ok(match self.kind()? {
            Kind::Same => Lanes::Same(self.value(index, ty)?),
            Kind::Each => {
                Lanes::Each((0..self.width).map(|_| self.value(index, ty)).collect::<Result<_, _>>()?)
            }
            Kind::Strided(_) if !ty.is_pointer() => {
                return Err(self.wrong(format!(
                    "argument {} is marked enzyme_buffer, which is for pointers",
                    index + 1
                )));
            }
            Kind::Strided(stride) => Lanes::Strided { first: self.value(index, ty)?, stride },
        })
    }

    fn kind(&mut self) -> Result<Kind, Error> {
        self.skip_width();
        let Some(marker) = self.given.peek().and_then(|&value| marker_of(value)) else {
            return Ok(Kind::Each);
        };
        self.given.next();
        match marker {
            Marker::Scalar => Ok(Kind::Same),
            Marker::Vector => Ok(Kind::Each),
            Marker::Buffer => match self.given.next() {
                Some(stride) if stride.ty().is_integer() => Ok(Kind::Strided(stride)),
                Some(_) | None => {
                    Err(self.wrong("`enzyme_buffer` is not followed by a stride in bytes".to_owned()))
                }
            },
            other => Err(self.wrong(format!("the marker `{}` means nothing here", name_of(other)))),
        }
    }

    fn skip_width(&mut self) {
        while self.given.peek().is_some_and(|&value| marker_of(value) == Some(Marker::Width)) {
            self.given.next();
            self.given.next();
        }
    }

    fn value(&mut self, index: usize, wanted: Type) -> Result<Value, Error> {
        self.skip_width();
        match self.given.next() {
            Some(value) if marker_of(value).is_none() && super::arguments::fits(value.ty(), wanted) => {
                Ok(value)
            }
            Some(value) if marker_of(value).is_none() => Err(self.wrong(format!(
                "a value of argument {} (`{wanted}`) has the type `{}`",
                index + 1,
                value.ty()
            ))),
            Some(_) | None => Err(self.wrong(format!(
                "too few arguments: a value of argument {} (`{wanted}`) is missing",
                index + 1
            ))),
        }
    }

    fn wrong(&self, message: String) -> Error {
        Error::program(self.call, format!("in the call of `{NAME}`: {message}"))
            .note(format!("`{}` has the type `{}`", self.function.written_name(), self.function.function_type()))
            .help(format!(
                "after the function give, for each of its arguments in order, {} values (`enzyme_vector`, the default), \
                 `enzyme_scalar, x` for one that all lanes share, or `enzyme_buffer, stride, p` for pointers at a \
                 distance in bytes",
                self.width
            ))
    }
}
