//! Calls: library functions, intrinsics, and functions with a body.

use super::analyser::CallTypes;
use super::integers::Numbers;
use super::kind::{Addresses, Kind};
use super::library;
use super::local::Local;
use super::reasons::Because;
use super::tree::{EVERY, TypeTree};
use super::{arithmetic, blas};
use crate::memory::{
    self,
    library::{Library, Size},
};
use crate::model::{FloatType, InstId, IntBinaryOp, Type, TypeId, ValueDefinition, ValueId};
use crate::program::FunctionId;
use crate::rules::names::{self, Abi};
use crate::rules::{Kind as OperandKind, Precision};

/// A call whose callee has a body, as the analysis of calls sees it.
pub(super) struct Callee {
    pub(super) function: FunctionId,
    /// The argument for each parameter; `None` for those that the run-time library makes up.
    pub(super) arguments: Vec<Option<ValueId>>,
    pub(super) result: Option<ValueId>,
}

impl<'a> Local<'a> {
    pub(super) fn call(&mut self, inst: InstId) {
        let data = &self.function.insts[inst];
        let arguments = data.arguments().to_vec();
        let result = data.result;
        if let Some(callee) = data.callee()
            && let ValueDefinition::InlineAsm(assembler) = &self.function.values[callee].definition
        {
            if assembler.template.contains("cpuid") {
                for value in arguments.iter().copied().chain(result) {
                    self.learn_kind(
                        value,
                        Kind::Integer,
                        Because::new(inst, "what the processor says of itself"),
                    );
                }
            }
            return;
        }
        if self.has_attribute(inst, "enzyme_ta_norecur") {
            return;
        }
        let function = self.function;
        let Some(name) = function.callee_name(inst) else { return };
        let name = self.mathematical_name(inst).unwrap_or(name);
        if self.memory_call(inst, name, &arguments)
            || self.integer_intrinsic(inst, name, &arguments)
            || self.graphics_intrinsic(inst, name, &arguments)
        {
            return;
        }
        if let Some(passed) = library::passes_through(name).and_then(|index| arguments.get(index)) {
            self.same(inst, *passed, "it passes through");
            return;
        }
        if let Some(signature) = library::signature(name) {
            self.signature(inst, signature, &arguments);
            self.message(inst, name, &arguments);
            return;
        }
        let has_body = self.program.find(name).is_some() || name == "__kmpc_fork_call";
        if let Some(routine) = blas::signature(name).filter(|routine| !has_body && self.fits(inst, routine)) {
            self.signature(inst, routine, &arguments);
            return;
        }
        if names::lookup(name).is_some() || names::reduction(name).is_some() {
            self.mathematics(inst, name, &arguments);
            return;
        }
        if has_body && !self.has_attribute(inst, "enzyme_notypeanalysis") {
            self.state.enqueue_call(inst);
        }
    }

    fn has_attribute(&self, inst: InstId, name: &str) -> bool {
        let of_call =
            self.function.insts[inst].opcode.call().is_some_and(|call| call.function_attributes.has(name));
        let of_callee = || {
            let global = self.function.direct_callee(inst)?;
            let crate::model::GlobalKind::Function(function) = &self.function.context.globals[global].kind
            else {
                return None;
            };
            Some(function.signature.attributes.has(name))
        };
        of_call || of_callee().unwrap_or(false)
    }

    /// The function of mathematics that a callee is said to be (`"enzyme_math"="sin"`).
    fn mathematical_name(&self, inst: InstId) -> Option<&'a str> {
        let function = self.function;
        let global = self.function.direct_callee(inst)?;
        match &function.context.globals[global].kind {
            crate::model::GlobalKind::Function(function) => function.signature.attributes.text("enzyme_math"),
            _ => None,
        }
    }

    fn signature(&mut self, inst: InstId, signature: library::Signature, arguments: &[ValueId]) {
        let because = Because::new(inst, "a known library function");
        if let Some(result) = self.function.insts[inst].result {
            self.learn(result, library::tree(signature.result, self.limits()), because);
        }
        for (&argument, code) in arguments.iter().zip(signature.arguments) {
            self.learn(argument, library::tree(code, self.limits()), because);
        }
    }

    /// Whether a call passes addresses, integers and floats where a library function takes them: another function may have
    /// its name.
    fn fits(&self, inst: InstId, signature: &library::Signature) -> bool {
        let data = &self.function.insts[inst];
        let is = |value: ValueId, code: &str| {
            let ty = self.function.type_of(value);
            match code.as_bytes() {
                [b'p', ..] => ty.is_pointer(),
                [b'i'] => ty.is_integer(),
                [b'd'] => *ty == Type::Float(FloatType::Double),
                [b'f'] => *ty == Type::Float(FloatType::Float),
                _ => true,
            }
        };
        data.arguments().len() >= signature.arguments.len()
            && data.arguments().iter().zip(&signature.arguments).all(|(&argument, code)| is(argument, code))
            && data.result.is_none_or(|result| is(result, signature.result))
    }

    /// The buffers of a message, by the data type that is passed along.
    fn message(&mut self, inst: InstId, name: &str, arguments: &[ValueId]) {
        let (buffers, datatype): (&[usize], usize) = match name.strip_prefix('P').unwrap_or(name) {
            "MPI_Send" | "MPI_Ssend" | "MPI_Bsend" | "MPI_Recv" | "MPI_Isend" | "MPI_Irecv" | "MPI_Bcast" => {
                (&[0], 2)
            }
            "MPI_Reduce" | "MPI_Allreduce" => (&[0, 1], 3),
            _ => return,
        };
        let Some(&datatype) = arguments.get(datatype) else { return };
        // Open MPI has variables, MPICH numbers.
        let number = super::facts::constant(self.function, datatype);
        let kind = if self.is_global(datatype, "ompi_mpi_double") || number == Some(0x4c00_080b) {
            Kind::Float(FloatType::Double)
        } else if self.is_global(datatype, "ompi_mpi_float") || number == Some(0x4c00_040a) {
            Kind::Float(FloatType::Float)
        } else if self.is_global(datatype, "ompi_mpi_cxx_bool") {
            Kind::Integer
        } else {
            return;
        };
        let memory = TypeTree::root(kind).at(0, self.limits());
        for &buffer in buffers {
            if let Some(&buffer) = arguments.get(buffer) {
                let tree = TypeTree::pointer_to(&memory, self.limits());
                self.learn(buffer, tree, Because::new(inst, "a message of this data type"));
            }
        }
    }

    /// Copies, allocations, masked loads and stores; returns whether the call was one.
    fn memory_call(&mut self, inst: InstId, name: &str, arguments: &[ValueId]) -> bool {
        let result = self.function.insts[inst].result;
        let starts = |prefix: &str| name.starts_with(prefix);
        let is_copy = starts("llvm.memcpy.")
            || starts("llvm.memmove.")
            || matches!(name, "memcpy" | "memmove" | "__memcpy_chk" | "__memmove_chk");
        if is_copy && let [to, from, size, ..] = *arguments {
            self.copy(inst, to, from, size);
            // The C functions return where they copied to.
            if let Some(result) = result {
                self.learn(result, self.tree(to), Because::new(inst, "where was copied to"));
            }
            return true;
        }
        if (starts("llvm.memset.") || name == "memset")
            && let [to, value, size, ..] = *arguments
        {
            self.learn_kind(to, Kind::Pointer, Because::new(inst, "memory that is filled"));
            self.learn_kind(value, Kind::Integer, Because::new(inst, "the byte that fills memory"));
            self.learn_kind(size, Kind::Integer, Because::new(inst, "a number of bytes"));
            return true;
        }
        if name == "realloc"
            && let [old, size] = *arguments
        {
            self.reallocate(inst, old, size);
            return true;
        }
        if let Some(size) = self.allocation_size(inst, name) {
            self.allocate(inst, size, arguments);
            return true;
        }
        if starts("llvm.masked.load.") || starts("llvm.masked.gather.") {
            if let (Some(result), Some(&pointer)) = (result, arguments.first()) {
                let size = self.size(result);
                let because = Because::new(inst, "a load of some elements");
                if starts("llvm.masked.load.") {
                    let value = self.window(&self.tree(result).without_anything(), 0, Some(size), 0);
                    self.learn(pointer, TypeTree::pointer_to(&value, self.limits()), because);
                    self.learn(result, self.loaded(&self.tree(pointer), size), because);
                }
                // What is not loaded is taken from the last argument.
                if let Some(&other) = arguments.last().filter(|other| self.size(**other) == size) {
                    self.learn(other, self.tree(result).without_anything(), because);
                }
            }
            return true;
        }
        if starts("llvm.masked.store.")
            && let [value, pointer, ..] = *arguments
        {
            let size = self.size(value);
            let because = Because::new(inst, "a store of some elements");
            let stored =
                self.window(&self.tree(value).without_anything(), 0, Some(size), 0).at_zero(self.limits());
            self.learn(pointer, TypeTree::pointer_to(&stored, self.limits()), because);
            self.learn(value, self.loaded(&self.tree(pointer).without_anything(), size), because);
            return true;
        }
        false
    }

    fn reallocate(&mut self, inst: InstId, old: ValueId, size: ValueId) {
        let bytes = self.bytes(size);
        let because = Because::new(inst, "memory that is moved");
        if let Some(result) = self.function.insts[inst].result {
            for (to, from) in [(result, old), (old, result)] {
                let memory = self.tree(from).without_anything().first(self.limits());
                let memory = self.window(&memory, 0, Some(bytes), 0);
                self.learn(to, TypeTree::pointer_to(&memory, self.limits()), because);
            }
        }
        self.learn_kind(size, Kind::Integer, Because::new(inst, "a number of bytes"));
    }

    fn allocation_size(&self, inst: InstId, name: &str) -> Option<Size> {
        memory::library::known(name).and_then(Library::allocates).or_else(|| {
            // `"enzyme_allocator"="1"` names the argument that has the size.
            let global = self.function.direct_callee(inst)?;
            let of_callee = match &self.function.context.globals[global].kind {
                crate::model::GlobalKind::Function(function) => {
                    function.signature.attributes.text("enzyme_allocator")
                }
                _ => None,
            };
            let of_call =
                self.function.insts[inst].opcode.call()?.function_attributes.text("enzyme_allocator");
            of_call.or(of_callee)?.parse().ok().map(Size::Argument)
        })
    }

    fn allocate(&mut self, inst: InstId, size: Size, arguments: &[ValueId]) {
        let Some(result) = self.function.insts[inst].result else { return };
        let constant = |index: usize| {
            let argument = arguments.get(index)?;
            super::facts::constant(self.function, *argument).and_then(|size| u64::try_from(size).ok())
        };
        let bytes = match size {
            Size::Argument(index) => constant(index),
            Size::Product(left, right) => {
                constant(left).zip(constant(right)).and_then(|(l, r)| l.checked_mul(r))
            }
            Size::Unknown => None,
        };
        let memory = bytes.map(|bytes| self.loaded(&self.tree(result), bytes)).unwrap_or_default();
        self.learn(result, TypeTree::pointer_to(&memory, self.limits()), Because::new(inst, "new memory"));
        for &argument in arguments {
            if self.is_integer(argument) {
                self.learn_kind(argument, Kind::Integer, Because::new(inst, "the size of new memory"));
            }
        }
    }

    /// Minima, maxima and arithmetic with overflow; returns whether the call was one.
    fn integer_intrinsic(&mut self, inst: InstId, name: &str, arguments: &[ValueId]) -> bool {
        let Some(rest) = name.strip_prefix("llvm.") else { return false };
        let (Some(result), [left, right, ..]) = (self.function.insts[inst].result, arguments) else {
            if rest.starts_with("abs.") || rest.starts_with("bswap.") || rest.starts_with("bitreverse.") {
                return true;
            }
            return false;
        };
        let (left, right) = (*left, *right);
        let because = Because::new(inst, "integer arithmetic");
        if ["smax.", "smin.", "umax.", "umin."].iter().any(|prefix| rest.starts_with(prefix)) {
            if let Some(kind @ (Kind::Integer | Kind::Pointer)) = self.tree(result).get(&[EVERY]) {
                self.learn_kind(left, kind, because);
                self.learn_kind(right, kind, because);
            }
            let kinds = [self.tree(left).get(&[EVERY]), self.tree(right).get(&[EVERY])];
            match Kind::either(kinds[0], kinds[1]) {
                Some(kind @ (Kind::Integer | Kind::Pointer)) => self.learn_kind(result, kind, because),
                Some(Kind::Anything | Kind::Float(_)) | None => {}
            }
            return true;
        }
        let Some((operation, _)) = rest.split_once(".with.overflow.") else {
            if rest.starts_with("abs.") {
                self.same(inst, left, "a number and its absolute value");
                return true;
            }
            return false;
        };
        let op = match operation {
            "sadd" | "uadd" => IntBinaryOp::Add,
            "ssub" | "usub" => IntBinaryOp::Subtract,
            _ => IntBinaryOp::Multiply,
        };
        if op != IntBinaryOp::Subtract && self.tree(result).first_kind() == Some(Kind::Integer) {
            self.learn_kind(left, Kind::Integer, because);
            self.learn_kind(right, Kind::Integer, because);
        }
        let size = self.size(left);
        let whole = self.size(result);
        let kind = arithmetic::result(op, self.tree(left).first_kind(), self.tree(right).first_kind());
        let sum = kind.map(TypeTree::of).unwrap_or_default();
        let mut made = self.window(&sum, 0, Some(size), 0);
        let flag = self.window(&TypeTree::of(Kind::Integer), 0, Some(whole.saturating_sub(size)), size);
        // The sum and the flag do not overlap.
        let _ = made.merge(&flag, Addresses::AreAddresses, self.limits());
        self.learn(result, made, because);
        true
    }

    /// Loads through the read-only cache and tensor cores of NVIDIA's processors; array elements of Intel's compiler.
    fn graphics_intrinsic(&mut self, inst: InstId, name: &str, arguments: &[ValueId]) -> bool {
        let result = self.function.insts[inst].result;
        if let Some(rest) = name.strip_prefix("llvm.nvvm.") {
            if rest.starts_with("ldg.global.") || rest.starts_with("ldu.global.") {
                self.load(inst);
                return true;
            }
            if rest.starts_with("wmma.") {
                let kind = match rest {
                    _ if rest.contains(".f32") => Some(Kind::Float(FloatType::Float)),
                    _ if rest.contains(".f16") => Some(Kind::Float(FloatType::Half)),
                    _ => None,
                };
                let because = Because::new(inst, "a tile of a matrix");
                for &value in arguments.iter().chain(&result) {
                    let tree = self.of_type(self.function.values[value].ty);
                    let is_pointer = self.function.type_of(value).is_pointer();
                    let memory =
                        kind.filter(|_| is_pointer).map(|kind| TypeTree::root(kind).at(0, self.limits()));
                    match memory {
                        Some(memory) => {
                            self.learn(value, TypeTree::pointer_to(&memory, self.limits()), because)
                        }
                        None => self.learn(value, tree, because),
                    }
                }
                return true;
            }
        }
        if name.starts_with("llvm.intel.subscript")
            && let (Some(result), [rank, lower, stride, pointer, index]) = (result, arguments)
        {
            let (lower, stride, pointer, index) = (*lower, *stride, *pointer, *index);
            for number in [*rank, lower, stride, index] {
                self.learn_kind(number, Kind::Integer, Because::new(inst, "an index"));
            }
            let because = Because::new(inst, "an element of an array");
            self.learn(result, self.tree(pointer).every_offset(), because);
            self.learn_kind(result, Kind::Pointer, because);
            self.learn_kind(pointer, Kind::Pointer, because);
            self.subscript(inst, [lower, stride, index], pointer, result);
            return true;
        }
        false
    }

    fn subscript(&mut self, inst: InstId, numbers: [ValueId; 3], pointer: ValueId, result: ValueId) {
        let because = Because::new(inst, "an element of an array");
        let [lower, stride, index] = numbers.map(|number| {
            let mut known = self.numbers(number);
            known.retain(|&number| number >= 0);
            known
        });
        let (ahead, behind) =
            (self.tree(pointer).first(self.limits()), self.tree(result).first(self.limits()));
        let (mut down, mut up): (Option<TypeTree>, TypeTree) = (None, TypeTree::unknown());
        for (lower, stride, index) in combinations(&lower, &stride, &index) {
            let Ok(offset) = u64::try_from(stride * (index - lower)) else { continue };
            let part = self.window(&ahead, offset, None, 0);
            match &mut down {
                Some(all) => all.meet(&part),
                None => down = Some(part),
            }
            let _ = up.merge(&self.window(&behind, 0, None, offset), Addresses::AreAddresses, self.limits());
        }
        self.learn(result, self.everywhere(&down.unwrap_or_default()), because);
        self.learn(pointer, self.everywhere(&up), because);
    }

    /// A function of mathematics: floats are floats, integers integers, by their types in the program.
    fn mathematics(&mut self, inst: InstId, name: &str, arguments: &[ValueId]) {
        let because = Because::new(inst, "a function of mathematics");
        let named = names::lookup(name);
        let result = self.function.insts[inst].result;
        for &value in arguments.iter().chain(&result) {
            if !self.function.type_of(value).is_pointer() {
                self.learn(value, self.of_type(self.function.values[value].ty), because);
            }
        }
        let Some(named) = named else { return };
        let float = float_type(named.precision);
        let function = named.function;
        let stored: &[OperandKind] = match named.abi {
            Abi::FirstReturned => &function.results()[1..],
            Abi::AllStored => function.results(),
            Abi::ByReference => function.operands(),
            Abi::Complex => &[OperandKind::Float],
            Abi::Value | Abi::Aggregate | Abi::LowestElement => &[],
        };
        let pointers: Vec<ValueId> = arguments
            .iter()
            .copied()
            .filter(|&argument| self.function.type_of(argument).is_pointer())
            .collect();
        for (pointer, kind) in
            pointers.iter().zip(stored.iter().chain(std::iter::repeat(&OperandKind::Float)))
        {
            let memory = match kind {
                OperandKind::Float => TypeTree::root(Kind::Float(float)).at(0, self.limits()),
                OperandKind::Int => TypeTree::root(Kind::Integer).at(0, self.limits()),
                OperandKind::Opaque => TypeTree::unknown(),
            };
            self.learn(*pointer, TypeTree::pointer_to(&memory, self.limits()), because);
        }
    }

    /// What a value of a type holds if it is what its type says.
    pub(super) fn of_type(&self, ty: TypeId) -> TypeTree {
        let layout = &self.facts.layout;
        let context = &self.function.context;
        let parts: Vec<(u64, TypeId)> = match context.ty(ty) {
            Type::Float(float) => return TypeTree::of(Kind::Float(*float)),
            Type::Integer { .. } => return TypeTree::of(Kind::Integer),
            Type::Pointer { .. } => return TypeTree::of(Kind::Pointer),
            Type::Vector { element, .. } | Type::Array { element, .. } => return self.of_type(*element),
            Type::Struct(structure) => match &structure.body {
                Some(body) => {
                    layout.field_offsets(context, body).into_iter().zip(body.fields.iter().copied()).collect()
                }
                None => return TypeTree::unknown(),
            },
            _ => return TypeTree::unknown(),
        };
        let whole = layout.store_size(context, ty);
        let mut tree = TypeTree::unknown();
        for (position, &(offset, field)) in parts.iter().enumerate() {
            // Padding counts with the field before it.
            let end = parts.get(position + 1).map_or(whole, |(next, _)| *next);
            let part = self.window(&self.of_type(field), 0, Some(end - offset), offset);
            let _ = tree.merge(&part, Addresses::AreAddresses, self.limits());
        }
        tree.canonical(whole, self.pointer_size(), self.limits())
    }

    // Functions with a body.

    /// The function with a body that a call ends up in, and what is handed over.
    pub(super) fn callee(&self, inst: InstId) -> Option<Callee> {
        let (data, program) = (&self.function.insts[inst], self.program);
        let name = self.function.callee_name(inst)?;
        let arguments = data.arguments();
        // OpenMP: the outlined region gets two pointers from the run-time library, then what is passed on.
        if name == "__kmpc_fork_call" {
            let region = self.function.as_global(*arguments.get(2)?)?;
            let function = program.find(&self.function.context.globals[region].name)?;
            let passed = arguments[3..].iter().map(|&argument| Some(argument));
            let arguments: Vec<_> = [None, None].into_iter().chain(passed).collect();
            let fits = arguments.len() == program[function].parameters.len();
            return fits.then_some(Callee { function, arguments, result: None });
        }
        let function = program.find(name)?;
        let fits = arguments.len() == program[function].parameters.len();
        let arguments = arguments.iter().map(|&argument| Some(argument)).collect();
        fits.then_some(Callee { function, arguments, result: data.result })
    }

    /// Whether all is known that a look into the callee could tell.
    pub(super) fn is_determined(&self, callee: &Callee) -> bool {
        let known = |value: ValueId| {
            let is_data = matches!(self.function.values[value].definition, ValueDefinition::Constant(_));
            is_data || is_fully_determined(&self.tree(value))
        };
        let result = callee.result.is_none_or(|result| is_fully_determined(&self.tree(result)));
        result && callee.arguments.iter().all(|argument| argument.is_some_and(known))
    }

    /// What is known at a call of the callee's parameters and result.
    pub(super) fn request(&mut self, callee: &Callee, recursive: Recursive) -> CallTypes {
        let program = self.program;
        let parameters = &program[callee.function].parameters;
        let limit = self.options.greatest_integer;
        let mut types = CallTypes::default();
        for (argument, &parameter) in callee.arguments.iter().zip(parameters) {
            let Some(argument) = *argument else {
                let counter = TypeTree::pointer_to(&TypeTree::of(Kind::Integer), self.limits());
                types.arguments.push(counter);
                types.known_integers.push([0].into());
                continue;
            };
            let mut tree = self.tree(argument);
            if self.is_integer(argument)
                && tree.first_kind() == Some(Kind::Anything)
                && self.integer_uses.stays_integer(callee.function, parameter)
            {
                tree = TypeTree::of(Kind::Integer);
            }
            types.arguments.push(tree);
            // A number that changes from call to call would make a context for each.
            let drifts = recursive == Recursive::Yes && self.function.as_inst(argument).is_some();
            let mut numbers = if drifts { Numbers::new() } else { self.numbers(argument) };
            numbers.retain(|number| number.abs() <= limit);
            types.known_integers.push(numbers);
        }
        types.result = callee.result.map(|result| self.tree(result)).unwrap_or_default();
        types
    }

    /// Takes over what the callee made known.
    pub(super) fn take(&mut self, inst: InstId, callee: &Callee, arguments: &[TypeTree], returned: TypeTree) {
        for (argument, tree) in callee.arguments.iter().zip(arguments) {
            if let Some(argument) = *argument {
                self.learn(argument, tree.clone(), Because::new(inst, "the called function uses it as such"));
            }
        }
        if let Some(result) = callee.result {
            let tree = self.settle_integer(result, returned);
            self.learn(result, tree, Because::new(inst, "the called function returns such"));
        }
    }
}

/// The type of numbers of a precision. Which format `long double` has depends on the target; on x86 it is this one.
fn float_type(precision: Precision) -> FloatType {
    match precision {
        Precision::Half => FloatType::Half,
        Precision::BFloat => FloatType::BFloat,
        Precision::Single => FloatType::Float,
        Precision::Double => FloatType::Double,
        Precision::LongDouble | Precision::X86Fp80 => FloatType::X86Fp80,
        Precision::Fp128 => FloatType::Fp128,
        Precision::PpcFp128 => FloatType::PpcFp128,
    }
}

/// Whether a call leads back to the function it is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Recursive {
    Yes,
    No,
}

/// Whether a value, or the memory behind its chain of pointers, is known in every byte.
fn is_fully_determined(tree: &TypeTree) -> bool {
    let mut path = vec![EVERY];
    loop {
        match tree.iter().find(|(known, _)| *known == path) {
            None => return false,
            Some((_, Kind::Pointer)) => path.push(EVERY),
            Some((_, Kind::Anything | Kind::Integer | Kind::Float(_))) => return true,
        }
    }
}

/// All triples of three sets of numbers.
fn combinations<'a>(
    first: &'a Numbers,
    second: &'a Numbers,
    third: &'a Numbers,
) -> impl Iterator<Item = (i64, i64, i64)> + 'a {
    first.iter().flat_map(move |&a| second.iter().flat_map(move |&b| third.iter().map(move |&c| (a, b, c))))
}
