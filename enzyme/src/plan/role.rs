//! What each instruction means for a derivative, before anything is known of activity.

use super::Direction;
use super::bits::{BitArithmetic, bit_arithmetic};
use super::checkpointed::CHECKPOINT_SWEEP;
use super::library_call::{self, Allocation, Bytes, Growth};
use super::masked;
use super::outside::WritesFromOutside;
use crate::activity::inactive;
use crate::model::{
    AtomicOp, AttributeSet, Call, CastOp, ConstantKind, FloatBinaryOp, Function, GlobalId, GlobalKind,
    HasBody, InlineAsm, InstId, IntBinaryOp, Opcode, Type, TypeId, ValueDefinition, ValueId, VectorLength,
};
use crate::rules::{self, Abi, Kind};
use smallvec::{SmallVec, smallvec};

/// The prefix of the functions that stand for library calls with an awkward calling convention: operands and
/// results by value, flat (see [`Role::Scalar`]).
pub const WRAPPER_PREFIX: &str = "__enzyme_math_";

/// The beginning of the names of functions that preparation calls to say that memory was overwritten with numbers from
/// elsewhere, by what goes before: they take where, and how many bytes if that is known (see [`Role::Overwrite`]).
pub const OVERWRITTEN_PREFIX: &str = "__enzyme_overwritten";

/// The attribute of a function with a forward derivative of the user's that names the arguments whose shadow the
/// derivative does not take: their numbers from 0, with commas between them.
pub const RULE_ARGUMENTS_WITHOUT_SHADOW: &str = "enzyme_derivative_without_shadow";

/// The same, for a reverse derivative of the user's.
pub const GRADIENT_ARGUMENTS_WITHOUT_SHADOW: &str = "enzyme_gradient_without_shadow";

/// What an instruction does with derivatives.
#[derive(Clone, Debug, PartialEq)]
pub enum Role {
    /// Its result depends on no float in a differentiable way, and it moves no derivative.
    Inactive,
    /// It computes results from operands by a rule of the table, element by element for vectors.
    Scalar(ScalarCall),
    /// Its result is made of parts of the operands at these indices, unchanged.
    Move(SmallVec<[usize; 4]>),
    /// It adds the elements of a vector to a start value: operands `[start, vector]`.
    SumElements,
    /// It is integer arithmetic that does to the bits of a float what is arithmetic on the float, too.
    Bits(BitArithmetic),
    /// It reserves memory in the function's frame.
    Alloca,
    /// It reads memory.
    Load,
    /// It writes memory: operands `[value, pointer]`.
    Store,
    /// It reads some elements of a vector.
    LoadElements {
        /// The operand that says where.
        pointer: usize,
        /// The operand that has the others.
        others: Option<usize>,
    },
    /// It writes some elements of a vector.
    StoreElements {
        /// The operand that has them.
        value: usize,
        /// The operand that says where.
        pointer: usize,
    },
    /// It writes memory and gives what was there, with nobody in between: operands `[pointer, value]`.
    AtomicUpdate(AtomicOp),
    /// As that, when memory holds what is expected: operands `[pointer, expected, value]`.
    CompareExchange,
    /// It copies memory.
    CopyMemory {
        /// The operand that says where to.
        to: usize,
        /// The operand that says where from.
        from: usize,
        /// The operand that says how many bytes.
        length: usize,
    },
    /// It fills memory with a byte.
    FillMemory {
        /// The operand that says where.
        to: usize,
        /// The operand that says how many bytes.
        length: usize,
    },
    /// It does nothing, and says that numbers from elsewhere, which carry no derivative, were written to memory.
    Overwrite {
        /// The operand that says where.
        to: usize,
        /// The operand that says how many bytes, if that is known.
        length: Option<usize>,
    },
    /// Its result, a pointer, is as far from this operand as the program says.
    Displace(usize),
    /// Its result, a pointer, is found by following pointers from this operand, as an iterator's next node is.
    Follow(usize),
    /// It allocates memory on the heap.
    Allocate(Allocation),
    /// It allocates memory on the heap, and puts its address in memory, if it returns zero.
    AllocateThrough {
        /// The operand that says where.
        pointer: usize,
        /// How much memory.
        size: Bytes,
    },
    /// It allocates memory on the heap, moves there what was in other such memory, and frees that.
    Reallocate {
        /// The operand that points to the other memory.
        pointer: usize,
        /// How much memory, if that is told.
        size: Option<Bytes>,
        /// How the memory grows, if that can be known.
        growth: Option<Growth>,
    },
    /// It frees the memory at this operand.
    Free(usize),
    /// It calls a function that has a body here.
    CallDefined(GlobalId),
    /// It calls a function that the user has a derivative for.
    CallRuled(GlobalId),
    /// It calls a function of which nothing is known, by name.
    CallUnknown(String),
    /// It calls through a pointer or assembler.
    CallIndirect,
    /// It returns.
    Return,
    /// It does something that has no derivative here when active values take part.
    Unsupported(&'static str),
}

/// A load through NVIDIA's read-only cache.
const READ_ONLY: Role = Role::LoadElements { pointer: 0, others: None };

/// One use of a rule of the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScalarCall {
    /// The function computed.
    pub function: rules::Function,
    /// The operands of the rule, in its order.
    pub operands: SmallVec<[ValueId; 4]>,
    /// How the rule's results are held.
    pub results: Results,
}

/// How the results of a rule are held by the instruction's result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Results {
    /// The instruction's result is the rule's only result.
    Single,
    /// The instruction's result is a struct (or array) of the rule's results.
    Fields,
}

/// The role of one instruction in derivatives of one direction.
pub fn role(function: &Function, inst: InstId, direction: Direction) -> Role {
    use Opcode as O;
    let data = &function.insts[inst];
    let scalar = |rule: rules::Function| {
        Role::Scalar(ScalarCall { function: rule, operands: data.operands.clone(), results: Results::Single })
    };
    match &data.opcode {
        O::Return => Role::Return,
        O::Branch { .. }
        | O::ConditionalBranch { .. }
        | O::Switch { .. }
        | O::IndirectBranch { .. }
        | O::Unreachable
        | O::Resume
        | O::CleanupReturn { .. }
        | O::CatchReturn { .. }
        | O::CatchSwitch { .. }
        | O::CatchPad
        | O::CleanupPad
        | O::LandingPad { .. }
        | O::Fence { .. }
        | O::IntCompare { .. }
        | O::FloatCompare { .. } => Role::Inactive,
        O::FloatNegate { .. } => scalar(rules::Function::Fneg),
        O::FloatBinary { op, .. } => scalar(match op {
            FloatBinaryOp::Add => rules::Function::Fadd,
            FloatBinaryOp::Subtract => rules::Function::Fsub,
            FloatBinaryOp::Multiply => rules::Function::Fmul,
            FloatBinaryOp::Divide => rules::Function::Fdiv,
            FloatBinaryOp::Remainder => rules::Function::Frem,
        }),
        O::IntBinary { op, .. } => bits_role(function, inst, *op),
        O::Cast { op, .. } => match op {
            CastOp::FloatTruncate => scalar(rules::Function::Fptrunc),
            CastOp::FloatExtend => scalar(rules::Function::Fpext),
            // Floats travel inside wider integers when a struct is passed in a register.
            CastOp::Bitcast
            | CastOp::AddressSpaceCast
            | CastOp::Truncate
            | CastOp::ZeroExtend
            | CastOp::IntegerToPointer => Role::Move(smallvec![0]),
            CastOp::SignExtend
            | CastOp::FloatToUnsigned
            | CastOp::FloatToSigned
            | CastOp::UnsignedToFloat
            | CastOp::SignedToFloat
            | CastOp::PointerToInteger
            | CastOp::PointerToAddress => Role::Inactive,
        },
        O::ExtractElement | O::Freeze | O::ExtractValue { .. } => Role::Move(smallvec![0]),
        O::InsertElement | O::ShuffleVector { .. } | O::InsertValue { .. } => Role::Move(smallvec![0, 1]),
        O::Phi { .. } => Role::Move((0..data.operands.len()).collect()),
        O::Select { .. } => Role::Move(smallvec![1, 2]),
        O::GetElementPointer { .. } => Role::Move(smallvec![0]),
        O::Alloca { .. } => Role::Alloca,
        O::Load { .. } => Role::Load,
        O::Store { .. } => Role::Store,
        O::CompareExchange(_) => Role::CompareExchange,
        O::AtomicReadModifyWrite(update) => Role::AtomicUpdate(update.op),
        O::VaArg => Role::Unsupported("`va_arg`"),
        O::Call(_) | O::Invoke { .. } => call_role(function, inst, direction),
        O::CallBranch { .. } => Role::Unsupported("`callbr` (assembler that jumps)"),
    }
}

/// Packing values into an integer and taking them out again moves them: shifts by a constant, and `or` of parts that
/// do not overlap; some arithmetic is arithmetic on the float too. Whatever else is done with the bits of floats, the dataflow over activity finds.
fn bits_role(function: &Function, inst: InstId, op: IntBinaryOp) -> Role {
    let operands = &function.insts[inst].operands;
    let by_constant = function.as_constant(operands[1]).is_some();
    match op {
        IntBinaryOp::ShiftLeft | IntBinaryOp::LogicalShiftRight if by_constant => Role::Move(smallvec![0]),
        IntBinaryOp::Or
            if packs(function, operands[0], operands[1]) || packs(function, operands[1], operands[0]) =>
        {
            Role::Move(smallvec![0, 1])
        }
        _ => bit_arithmetic(function, inst, op).map_or(Role::Inactive, Role::Bits),
    }
}

/// Whether `low` has only bits below those that `high` can have.
fn packs(function: &Function, high: ValueId, low: ValueId) -> bool {
    match (lowest_bit(function, high), bit_length(function, low)) {
        (Some(lowest), Some(length)) => length <= lowest,
        _ => false,
    }
}

/// The number of bits at the low end that are zero for certain, of what is shifted to the left, or of a constant.
fn lowest_bit(function: &Function, value: ValueId) -> Option<u32> {
    if let Some(ConstantKind::Integer(number)) = function.as_constant(value) {
        return number.as_u64().map(u64::trailing_zeros);
    }
    let data = &function.insts[function.as_inst(value)?];
    match (&data.opcode, function.as_constant(*data.operands.get(1)?)) {
        (Opcode::IntBinary { op: IntBinaryOp::ShiftLeft, .. }, Some(ConstantKind::Integer(distance))) => {
            u32::try_from(distance.as_u64()?).ok()
        }
        _ => None,
    }
}

/// The number of bits that a value has at most, of what is extended with zeros, or of a constant.
fn bit_length(function: &Function, value: ValueId) -> Option<u32> {
    if let Some(ConstantKind::Integer(number)) = function.as_constant(value) {
        return number.as_u64().map(|number| u64::BITS - number.leading_zeros());
    }
    let data = &function.insts[function.as_inst(value)?];
    match (&data.opcode, function.type_of(*data.operands.first()?)) {
        (Opcode::Cast { op: CastOp::ZeroExtend, .. }, Type::Integer { bits }) => Some(*bits),
        _ => None,
    }
}

const STRANGE_BUNDLES: Role = Role::Unsupported("a call with operand bundles");

/// Whether a call carries operand bundles that a call of a derivative would lose, but for those that only guard or
/// describe the call.
fn has_strange_bundles(function: &Function, inst: InstId) -> bool {
    function.insts[inst].bundles().any(|(tag, _)| !matches!(tag, "kcfi" | "cfguardtarget" | "align"))
}

/// Assembler without a text only keeps the optimiser from knowing what becomes of a value: it does nothing with what it
/// takes, and what it gives is what it takes in the same register.
fn assembler_role(function: &Function, inst: InstId, assembler: &InlineAsm) -> Role {
    let unsupported = Role::Unsupported("inline assembler");
    if !assembler.template.trim().is_empty() {
        return unsupported;
    }
    let constraints: Vec<&str> = assembler.constraints.split(',').collect();
    let data = &function.insts[inst];
    match (constraints.as_slice(), data.result) {
        // Of what it points to, nothing is written, as there is no instruction that could.
        (_, None) => Role::Inactive,
        ([output, "0", clobbers @ ..], Some(result))
            if output.starts_with('=')
                && clobbers.iter().all(|clobber| clobber.starts_with('~'))
                && function.values[result].ty == function.values[data.operands[0]].ty =>
        {
            Role::Move(smallvec![0])
        }
        _ => unsupported,
    }
}

fn call_role(function: &Function, inst: InstId, direction: Direction) -> Role {
    let says_inactive = |call: &Call| call.function_attributes.has("enzyme_inactive");
    if function.insts[inst].opcode.call().is_some_and(says_inactive) {
        return Role::Inactive;
    }
    let Some(callee) = function.direct_callee(inst) else {
        let called = function.insts[inst].callee().map(|callee| &function.values[callee].definition);
        return match called {
            Some(ValueDefinition::InlineAsm(assembler)) => assembler_role(function, inst, assembler),
            Some(_) | None if has_strange_bundles(function, inst) => STRANGE_BUNDLES,
            Some(_) | None => Role::CallIndirect,
        };
    };
    let global = &function.context.globals[callee];
    if global.name.starts_with(OVERWRITTEN_PREFIX) {
        let says_length = function.insts[inst].arguments().len() > 1;
        return Role::Overwrite { to: 0, length: says_length.then_some(1) };
    }
    let like = said_of_callee(function, callee).and_then(|said| said.text("enzyme_math"));
    let wrapped = global.name.strip_prefix(WRAPPER_PREFIX);
    let name = like.or(wrapped).unwrap_or(&global.name);
    // What the user says that a function is like goes before what it does.
    let has_body = like.is_none()
        && matches!(&global.kind, GlobalKind::Function(declared) if declared.body == HasBody::Yes);
    if said_of_callee(function, callee).is_some_and(|said| said.has("enzyme_inactive")) {
        return Role::Inactive;
    }
    if said_of_callee(function, callee).is_some_and(|said| said.has(CHECKPOINT_SWEEP)) {
        return Role::Unsupported("the derivative of a checkpointed loop");
    }
    if let Some(role) = user_rule(function, callee, direction) {
        return role;
    }
    if let Some(role) = name.strip_prefix("llvm.").and_then(|name| {
        masked::role(name, function.insts[inst].arguments().len()).or_else(|| intrinsic_role(name))
    }) {
        return role;
    }
    if !has_body && writes_from_outside(function, inst, name) {
        return Role::Inactive;
    }
    let of_library = if has_body { None } else { library_call::of_library(function, inst, name) };
    if let Some(role) = of_library.or_else(|| library_call::by_attributes(function, inst, name)) {
        return role;
    }
    if wrapped.is_some() || !has_body {
        // A function with a body is the user's own, whatever its name.
        if let Some(call) = scalar_call(function, inst, name, wrapped.is_some()) {
            return Role::Scalar(call);
        }
    }
    if has_body {
        let is_strange = has_strange_bundles(function, inst);
        return if is_strange { STRANGE_BUNDLES } else { Role::CallDefined(callee) };
    }
    if inactive::is_inactive(name) { Role::Inactive } else { Role::CallUnknown(name.to_owned()) }
}

/// Whether a call is one after which preparation says what it has written.
fn writes_from_outside(function: &Function, inst: InstId, name: &str) -> bool {
    let data = &function.insts[inst];
    WritesFromOutside::by(name).is_some_and(|writes| {
        data.result.is_some_and(|result| function.type_of(result).is_integer())
            && data.arguments().len() >= writes.arguments()
    })
}

/// Whether a function that is only declared has a meaning by its name, beside those that have a rule of the table.
pub fn is_known_function(name: &str) -> bool {
    library_call::is_known(name) || inactive::is_inactive(name)
}

/// Whether the user says of a function that is called that its result is computed again rather than kept.
pub(super) fn should_be_recomputed(function: &Function, inst: InstId) -> bool {
    let callee = function.direct_callee(inst);
    let said = callee.and_then(|callee| said_of_callee(function, callee));
    said.is_some_and(|said| said.has("enzyme_shouldrecompute"))
}

/// The attributes of a function that is called.
pub(super) fn said_of_callee(function: &Function, callee: GlobalId) -> Option<&AttributeSet> {
    match &function.context.globals[callee].kind {
        GlobalKind::Function(declared) => Some(&declared.signature.attributes),
        GlobalKind::Variable(_) | GlobalKind::Alias { .. } | GlobalKind::IndirectFunction { .. } => None,
    }
}

/// The role of a call of a function that the user has a derivative for in this direction.
fn user_rule(function: &Function, callee: GlobalId, direction: Direction) -> Option<Role> {
    let said = said_of_callee(function, callee)?;
    let has_rule = match direction {
        Direction::Forward => said.has("enzyme_derivative") || said.has("enzyme_splitderivative"),
        Direction::Reverse => said.has("enzyme_gradient"),
    };
    has_rule.then_some(Role::CallRuled(callee))
}

/// Whether the user's derivative of a function takes the shadow of an argument beside it.
pub(super) fn rule_takes_shadow(
    function: &Function,
    callee: GlobalId,
    index: usize,
    direction: Direction,
) -> bool {
    let attribute = match direction {
        Direction::Forward => RULE_ARGUMENTS_WITHOUT_SHADOW,
        Direction::Reverse => GRADIENT_ARGUMENTS_WITHOUT_SHADOW,
    };
    let without = said_of_callee(function, callee).and_then(|said| said.text(attribute));
    without.is_none_or(|numbers| numbers.split(',').all(|number| number.parse() != Ok(index)))
}

/// The intrinsics that are no scalar function, by name without `llvm.`.
fn intrinsic_role(name: &str) -> Option<Role> {
    let family =
        |prefix: &str| name == prefix || name.strip_prefix(prefix).is_some_and(|rest| rest.starts_with('.'));
    Some(if family("vector.reduce.fadd") {
        Role::SumElements
    } else if [
        "launder.invariant.group",
        "strip.invariant.group",
        "ssa.copy",
        "threadlocal.address",
        "preserve.array.access.index",
        "preserve.struct.access.index",
        "preserve.union.access.index",
    ]
    .into_iter()
    .any(family)
    {
        Role::Move(smallvec![0])
    } else if family("intel.subscript") {
        Role::Move(smallvec![3])
    } else if family("ptrmask") {
        Role::Displace(0)
    } else if family("nvvm.ldg.global") || family("nvvm.ldu.global") {
        READ_ONLY
    } else if [
        "dbg",
        "assume",
        "lifetime.start",
        "lifetime.end",
        "experimental.noalias.scope.decl",
        "sideeffect",
        "donothing",
        "expect",
        "objectsize",
        "is.constant",
        "annotation",
        "var.annotation",
        "ptr.annotation",
        "trap",
        "debugtrap",
        "ubsantrap",
        "prefetch",
        "invariant.start",
        "invariant.end",
        "stacksave",
        "stackrestore",
        "pseudoprobe",
        "instrprof",
        "vscale",
        "get.rounding",
        "set.rounding",
        "readcyclecounter",
        "fake.use",
    ]
    .into_iter()
    .any(family)
    {
        Role::Inactive
    } else {
        return None;
    })
}

/// The rule that a call stands for, when name and types fit one.
fn scalar_call(function: &Function, inst: InstId, name: &str, is_wrapper: bool) -> Option<ScalarCall> {
    let data = &function.insts[inst];
    let named = rules::names::lookup(name)?;
    let operands: SmallVec<[ValueId; 4]> =
        data.arguments().iter().copied().take(named.function.operands().len()).collect();
    let results = if named.function.results().len() == 1 { Results::Single } else { Results::Fields };
    let flat = match named.abi {
        Abi::Value => true,
        // A vector instead, as C returns two floats, is wrapped by preparation.
        Abi::Aggregate => is_wrapper || returns_aggregate(function, inst),
        // The C ABI may hand complex numbers over flat; if not, preparation wraps the call.
        Abi::Complex => {
            is_wrapper || named.function.results().len() == 1 || returns_aggregate(function, inst)
        }
        Abi::FirstReturned | Abi::AllStored | Abi::ByReference => is_wrapper,
        // Preparation writes these out.
        Abi::LowestElement => false,
    };
    let kinds_fit = operands.len() == named.function.operands().len()
        && operands.iter().zip(named.function.operands()).all(|(&operand, kind)| {
            let ty = function.values[operand].ty;
            match kind {
                Kind::Float => holds_floats(function, ty),
                Kind::Int => holds_integers(function, ty),
                Kind::Opaque => true,
            }
        });
    (flat && kinds_fit).then_some(ScalarCall { function: named.function, operands, results })
}

fn returns_aggregate(function: &Function, inst: InstId) -> bool {
    function.insts[inst].result.is_some_and(|result| function.type_of(result).is_aggregate())
}

/// The element type of a vector; any other type itself.
pub(super) fn scalar_of(function: &Function, ty: TypeId) -> &Type {
    match function.ty(ty) {
        Type::Vector { element, length: VectorLength::Fixed(_) | VectorLength::Scalable(_) } => {
            function.ty(*element)
        }
        other => other,
    }
}

/// A float, or a vector of floats.
fn holds_floats(function: &Function, ty: TypeId) -> bool {
    scalar_of(function, ty).is_float()
}

fn holds_integers(function: &Function, ty: TypeId) -> bool {
    scalar_of(function, ty).is_integer()
}
