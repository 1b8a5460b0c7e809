//! Opcodes: what an instruction does, with everything it needs besides its operands.
//!
//! Operands are [`ValueId`](super::ValueId)s in the instruction; the blocks a terminator jumps to are part of
//! its payload. The order of the operands is given with each opcode. There is one enum and no catch-all
//! variant, so that the compiler points at every `match` that must learn of a new opcode.

use smallvec::{SmallVec, smallvec};

use super::flags::{
    Atomic, AtomicOrdering, CallingConvention, CastFlags, ElementPointerFlags, FastMath, IntFlags,
    MemoryAccess, ShuffleLane, TailKind,
};
use super::mnemonic::mnemonic_enum;
use super::{AttributeSet, BlockId, ConstantId, TypeId};

/// What an instruction does.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Opcode {
    // Terminators.
    /// `ret`: operands `[]` or `[value]`.
    Return,
    /// `br label`: no operands.
    Branch {
        /// Where to.
        target: BlockId,
    },
    /// `br i1`: operands `[condition]`.
    ConditionalBranch {
        /// Where to when true.
        then_block: BlockId,
        /// Where to when false.
        else_block: BlockId,
    },
    /// `switch`: operands `[value]`.
    Switch {
        /// Where to when no case matches.
        default: BlockId,
        /// The cases.
        cases: Vec<SwitchCase>,
    },
    /// `indirectbr`: operands `[address]`.
    IndirectBranch {
        /// The blocks the address may name.
        targets: Vec<BlockId>,
    },
    /// `invoke`: operands as of [`Opcode::Call`].
    Invoke {
        /// The call.
        call: Box<Call>,
        /// Where to when it returns.
        normal: BlockId,
        /// Where to when it throws.
        unwind: BlockId,
    },
    /// `callbr`: operands as of [`Opcode::Call`].
    CallBranch {
        /// The call.
        call: Box<Call>,
        /// Where to when it returns.
        fallthrough: BlockId,
        /// Where else it may jump.
        indirect: Vec<BlockId>,
    },
    /// `resume`: operands `[exception]`.
    Resume,
    /// `unreachable`: no operands.
    Unreachable,
    /// `cleanupret`: operands `[cleanup pad]`.
    CleanupReturn {
        /// Where to go on unwinding; `None` is the caller.
        unwind: Option<BlockId>,
    },
    /// `catchret`: operands `[catch pad]`.
    CatchReturn {
        /// Where to.
        target: BlockId,
    },
    /// `catchswitch`: operands `[parent pad]` (the `none` token outside of any).
    CatchSwitch {
        /// The blocks of the handlers' pads.
        handlers: Vec<BlockId>,
        /// Where to go on unwinding; `None` is the caller.
        unwind: Option<BlockId>,
    },

    // Exception pads.
    /// `landingpad`: one operand for each clause.
    LandingPad {
        /// Whether the block is entered for exceptions that no clause names, too (`cleanup`).
        cleanup: bool,
        /// What each operand means.
        clauses: SmallVec<[LandingPadClause; 4]>,
    },
    /// `catchpad`: operands `[catchswitch, arguments…]`.
    CatchPad,
    /// `cleanuppad`: operands `[parent pad, arguments…]`.
    CleanupPad,

    // Arithmetic.
    /// `fneg`: operands `[x]`.
    FloatNegate {
        /// Fast-math flags.
        fast_math: FastMath,
    },
    /// Integer arithmetic: operands `[left, right]`.
    IntBinary {
        /// Which.
        op: IntBinaryOp,
        /// Its promises.
        flags: IntFlags,
    },
    /// Floating-point arithmetic: operands `[left, right]`.
    FloatBinary {
        /// Which.
        op: FloatBinaryOp,
        /// Fast-math flags.
        fast_math: FastMath,
    },
    /// `icmp`: operands `[left, right]`.
    IntCompare {
        /// Which comparison.
        predicate: IntPredicate,
        /// Both operands have the same sign (`samesign`).
        same_sign: bool,
    },
    /// `fcmp`: operands `[left, right]`.
    FloatCompare {
        /// Which comparison.
        predicate: FloatPredicate,
        /// Fast-math flags.
        fast_math: FastMath,
    },
    /// A conversion: operands `[x]`; the result's type says what to.
    Cast {
        /// Which.
        op: CastOp,
        /// Its promises.
        flags: CastFlags,
    },

    // Vectors and aggregates.
    /// `extractelement`: operands `[vector, index]`.
    ExtractElement,
    /// `insertelement`: operands `[vector, element, index]`.
    InsertElement,
    /// `shufflevector`: operands `[first, second]`.
    ShuffleVector {
        /// Where each element of the result comes from.
        mask: Vec<ShuffleLane>,
    },
    /// `extractvalue`: operands `[aggregate]`.
    ExtractValue {
        /// The path into the aggregate.
        indices: SmallVec<[u32; 4]>,
    },
    /// `insertvalue`: operands `[aggregate, element]`.
    InsertValue {
        /// The path into the aggregate.
        indices: SmallVec<[u32; 4]>,
    },

    // Memory.
    /// `alloca`: operands `[count]` (the constant `i32 1` when the text has none).
    Alloca {
        /// Type of one element.
        allocated: TypeId,
        /// Alignment in bytes; `None` means that of the type.
        alignment: Option<u64>,
        /// Special storage.
        storage: AllocaStorage,
    },
    /// `load`: operands `[pointer]`.
    Load {
        /// How.
        access: MemoryAccess,
    },
    /// `store`: operands `[value, pointer]`.
    Store {
        /// How.
        access: MemoryAccess,
    },
    /// `fence`: no operands.
    Fence {
        /// Ordering and scope.
        atomic: Box<Atomic>,
    },
    /// `cmpxchg`: operands `[pointer, expected, new]`; the result is `{ old value, i1 success }`.
    CompareExchange(Box<CompareExchange>),
    /// `atomicrmw`: operands `[pointer, value]`; the result is the old value.
    AtomicReadModifyWrite(Box<AtomicReadModifyWrite>),
    /// `getelementptr`: operands `[pointer, indices…]`.
    GetElementPointer {
        /// The type whose elements the indices count.
        source: TypeId,
        /// Its promises.
        flags: ElementPointerFlags,
    },

    // Others.
    /// `phi`: one operand for each incoming block.
    Phi {
        /// Where each operand comes from, in the order of the operands.
        incoming: SmallVec<[BlockId; 4]>,
        /// Fast-math flags.
        fast_math: FastMath,
    },
    /// `select`: operands `[condition, when true, when false]`.
    Select {
        /// Fast-math flags.
        fast_math: FastMath,
    },
    /// `freeze`: operands `[x]`.
    Freeze,
    /// `call`: operands are the arguments, then those of the operand bundles, then the callee.
    /// See [`Inst::arguments`](super::Inst::arguments) and [`Inst::callee`](super::Inst::callee).
    Call(Box<Call>),
    /// `va_arg`: operands `[list]`.
    VaArg,
}

/// One case of a switch.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SwitchCase {
    /// The integer it stands for.
    pub value: ConstantId,
    /// Where to.
    pub target: BlockId,
}

mnemonic_enum! {
    /// What an operand of a landing pad means.
    pub enum LandingPadClause {
        /// Catches this type.
        Catch = "catch",
        /// Catches all but these types.
        Filter = "filter",
    }
}

mnemonic_enum! {
    /// Integer operations with two operands.
    pub enum IntBinaryOp {
        /// Addition.
        Add = "add",
        /// Subtraction.
        Subtract = "sub",
        /// Multiplication.
        Multiply = "mul",
        /// Unsigned division.
        UnsignedDivide = "udiv",
        /// Signed division, rounding to zero.
        SignedDivide = "sdiv",
        /// Unsigned remainder.
        UnsignedRemainder = "urem",
        /// Signed remainder, with the sign of the left operand.
        SignedRemainder = "srem",
        /// Shift to the left.
        ShiftLeft = "shl",
        /// Shift to the right, filling with zeros.
        LogicalShiftRight = "lshr",
        /// Shift to the right, filling with the sign.
        ArithmeticShiftRight = "ashr",
        /// Bitwise and.
        And = "and",
        /// Bitwise or.
        Or = "or",
        /// Bitwise exclusive or.
        Xor = "xor",
    }
}

impl IntBinaryOp {
    /// Whether it divides, which stops the program where the divisor is zero.
    pub fn is_division(self) -> bool {
        match self {
            Self::UnsignedDivide | Self::SignedDivide | Self::UnsignedRemainder | Self::SignedRemainder => {
                true
            }
            Self::Add
            | Self::Subtract
            | Self::Multiply
            | Self::ShiftLeft
            | Self::LogicalShiftRight
            | Self::ArithmeticShiftRight
            | Self::And
            | Self::Or
            | Self::Xor => false,
        }
    }
}

mnemonic_enum! {
    /// Floating-point operations with two operands.
    pub enum FloatBinaryOp {
        /// Addition.
        Add = "fadd",
        /// Subtraction.
        Subtract = "fsub",
        /// Multiplication.
        Multiply = "fmul",
        /// Division.
        Divide = "fdiv",
        /// Remainder, as C's `fmod`.
        Remainder = "frem",
    }
}

mnemonic_enum! {
    /// Integer (and pointer) comparisons.
    pub enum IntPredicate {
        /// Equal.
        Equal = "eq",
        /// Not equal.
        NotEqual = "ne",
        /// Greater, unsigned.
        UnsignedGreater = "ugt",
        /// Greater or equal, unsigned.
        UnsignedGreaterOrEqual = "uge",
        /// Less, unsigned.
        UnsignedLess = "ult",
        /// Less or equal, unsigned.
        UnsignedLessOrEqual = "ule",
        /// Greater, signed.
        SignedGreater = "sgt",
        /// Greater or equal, signed.
        SignedGreaterOrEqual = "sge",
        /// Less, signed.
        SignedLess = "slt",
        /// Less or equal, signed.
        SignedLessOrEqual = "sle",
    }
}

mnemonic_enum! {
    /// Floating-point comparisons. Ordered ones are false, unordered ones true when an operand is a NaN.
    pub enum FloatPredicate {
        /// Always false.
        False = "false",
        /// Ordered and equal.
        OrderedEqual = "oeq",
        /// Ordered and greater.
        OrderedGreater = "ogt",
        /// Ordered and greater or equal.
        OrderedGreaterOrEqual = "oge",
        /// Ordered and less.
        OrderedLess = "olt",
        /// Ordered and less or equal.
        OrderedLessOrEqual = "ole",
        /// Ordered and not equal.
        OrderedNotEqual = "one",
        /// Neither operand is a NaN.
        Ordered = "ord",
        /// Unordered or equal.
        UnorderedEqual = "ueq",
        /// Unordered or greater.
        UnorderedGreater = "ugt",
        /// Unordered or greater or equal.
        UnorderedGreaterOrEqual = "uge",
        /// Unordered or less.
        UnorderedLess = "ult",
        /// Unordered or less or equal.
        UnorderedLessOrEqual = "ule",
        /// Unordered or not equal.
        UnorderedNotEqual = "une",
        /// An operand is a NaN.
        Unordered = "uno",
        /// Always true.
        True = "true",
    }
}

mnemonic_enum! {
    /// Conversions.
    pub enum CastOp {
        /// Integer to a narrower one.
        Truncate = "trunc",
        /// Integer to a wider one, filling with zeros.
        ZeroExtend = "zext",
        /// Integer to a wider one, filling with the sign.
        SignExtend = "sext",
        /// Float to a narrower one.
        FloatTruncate = "fptrunc",
        /// Float to a wider one.
        FloatExtend = "fpext",
        /// Float to unsigned integer.
        FloatToUnsigned = "fptoui",
        /// Float to signed integer.
        FloatToSigned = "fptosi",
        /// Unsigned integer to float.
        UnsignedToFloat = "uitofp",
        /// Signed integer to float.
        SignedToFloat = "sitofp",
        /// Pointer to integer, provenance exposed.
        PointerToInteger = "ptrtoint",
        /// Pointer to the integer of its address (since LLVM 22).
        PointerToAddress = "ptrtoaddr",
        /// Integer to pointer.
        IntegerToPointer = "inttoptr",
        /// The same bits as another type.
        Bitcast = "bitcast",
        /// Pointer to another address space.
        AddressSpaceCast = "addrspacecast",
    }
}

mnemonic_enum! {
    /// Special storage of an `alloca`.
    pub enum AllocaStorage {
        /// The ordinary stack.
        Ordinary = "",
        /// Part of a call's argument area.
        InAlloca = "inalloca",
        /// Swift's error register.
        SwiftError = "swifterror",
    }
}

mnemonic_enum! {
    /// Atomic read-modify-write operations.
    pub enum AtomicOp {
        /// The new value.
        Exchange = "xchg",
        /// Integer sum.
        Add = "add",
        /// Integer difference.
        Subtract = "sub",
        /// Bitwise and.
        And = "and",
        /// Negated bitwise and.
        Nand = "nand",
        /// Bitwise or.
        Or = "or",
        /// Bitwise exclusive or.
        Xor = "xor",
        /// Signed maximum.
        Max = "max",
        /// Signed minimum.
        Min = "min",
        /// Unsigned maximum.
        UnsignedMax = "umax",
        /// Unsigned minimum.
        UnsignedMin = "umin",
        /// Float sum.
        FloatAdd = "fadd",
        /// Float difference.
        FloatSubtract = "fsub",
        /// Float maximum, as `llvm.maxnum`.
        FloatMax = "fmax",
        /// Float minimum, as `llvm.minnum`.
        FloatMin = "fmin",
        /// Float maximum, as `llvm.maximum`.
        FloatMaximum = "fmaximum",
        /// Float minimum, as `llvm.minimum`.
        FloatMinimum = "fminimum",
        /// Increment, back to zero beyond the operand.
        UnsignedIncrementWrap = "uinc_wrap",
        /// Decrement, back to the operand below zero.
        UnsignedDecrementWrap = "udec_wrap",
        /// Difference when it does not wrap, else unchanged.
        UnsignedSubtractConditional = "usub_cond",
        /// Difference, or zero when it would wrap.
        UnsignedSubtractSaturating = "usub_sat",
    }
}

/// Payload of `cmpxchg`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct CompareExchange {
    /// May fail without a reason.
    pub weak: bool,
    /// The access itself is observable.
    pub volatile: bool,
    /// Ordering when it succeeds, and scope.
    pub success: Atomic,
    /// Ordering when it fails.
    pub failure: AtomicOrdering,
    /// Alignment in bytes; `None` means that of the type.
    pub alignment: Option<u64>,
}

/// Payload of `atomicrmw`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct AtomicReadModifyWrite {
    /// Which operation.
    pub op: AtomicOp,
    /// The access itself is observable.
    pub volatile: bool,
    /// Ordering and scope.
    pub atomic: Atomic,
    /// Alignment in bytes; `None` means that of the type.
    pub alignment: Option<u64>,
}

/// What is known of a call besides its operands.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Call {
    /// The type of the callee as the call sees it.
    pub function_type: TypeId,
    /// How many of the operands are arguments.
    pub argument_count: u32,
    /// Tail-call marker.
    pub tail: TailKind,
    /// Calling convention.
    pub calling_convention: CallingConvention,
    /// Fast-math flags, for calls that return floats.
    pub fast_math: FastMath,
    /// Address space of the callee.
    pub address_space: u32,
    /// Attributes the call gives its result.
    pub return_attributes: AttributeSet,
    /// Attributes the call gives each argument; shorter than the arguments when the rest has none.
    pub argument_attributes: Vec<AttributeSet>,
    /// Attributes the call gives its callee.
    pub function_attributes: AttributeSet,
    /// Operand bundles.
    pub bundles: Vec<Bundle>,
}

impl Call {
    /// A plain call of a function of this type.
    pub fn new(function_type: TypeId, argument_count: u32) -> Self {
        Self {
            function_type,
            argument_count,
            tail: TailKind::None,
            calling_convention: CallingConvention::C,
            fast_math: FastMath::NONE,
            address_space: 0,
            return_attributes: AttributeSet::default(),
            argument_attributes: Vec::new(),
            function_attributes: AttributeSet::default(),
            bundles: Vec::new(),
        }
    }

    /// The attributes given to an argument.
    pub fn argument_attributes(&self, index: usize) -> Option<&AttributeSet> {
        self.argument_attributes.get(index)
    }
}

/// An operand bundle of a call.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Bundle {
    /// Its tag (`"deopt"`, `"align"` …).
    pub tag: String,
    /// How many operands it has.
    pub operand_count: u32,
}

/// The pattern of all opcodes that do not end a block.
macro_rules! no_terminator {
    () => {
        Opcode::LandingPad { .. }
            | Opcode::CatchPad
            | Opcode::CleanupPad
            | Opcode::FloatNegate { .. }
            | Opcode::IntBinary { .. }
            | Opcode::FloatBinary { .. }
            | Opcode::IntCompare { .. }
            | Opcode::FloatCompare { .. }
            | Opcode::Cast { .. }
            | Opcode::ExtractElement
            | Opcode::InsertElement
            | Opcode::ShuffleVector { .. }
            | Opcode::ExtractValue { .. }
            | Opcode::InsertValue { .. }
            | Opcode::Alloca { .. }
            | Opcode::Load { .. }
            | Opcode::Store { .. }
            | Opcode::Fence { .. }
            | Opcode::CompareExchange(_)
            | Opcode::AtomicReadModifyWrite(_)
            | Opcode::GetElementPointer { .. }
            | Opcode::Phi { .. }
            | Opcode::Select { .. }
            | Opcode::Freeze
            | Opcode::Call(_)
            | Opcode::VaArg
    };
}

impl Opcode {
    /// Whether this ends a block.
    pub const fn is_terminator(&self) -> bool {
        match self {
            Self::Return
            | Self::Branch { .. }
            | Self::ConditionalBranch { .. }
            | Self::Switch { .. }
            | Self::IndirectBranch { .. }
            | Self::Invoke { .. }
            | Self::CallBranch { .. }
            | Self::Resume
            | Self::Unreachable
            | Self::CleanupReturn { .. }
            | Self::CatchReturn { .. }
            | Self::CatchSwitch { .. } => true,
            no_terminator!() => false,
        }
    }

    /// The call, for `call`, `invoke` and `callbr`.
    pub fn call(&self) -> Option<&Call> {
        match self {
            Self::Call(call) | Self::Invoke { call, .. } | Self::CallBranch { call, .. } => Some(call),
            _ => None,
        }
    }

    /// The blocks this may jump to, in the order LLVM counts successors; a block that is named twice
    /// comes twice.
    pub fn successors(&self) -> SmallVec<[BlockId; 2]> {
        match self {
            Self::Branch { target } | Self::CatchReturn { target } => smallvec![*target],
            Self::ConditionalBranch { then_block, else_block } => smallvec![*then_block, *else_block],
            Self::Switch { default, cases } => {
                std::iter::once(*default).chain(cases.iter().map(|case| case.target)).collect()
            }
            Self::IndirectBranch { targets } => targets.iter().copied().collect(),
            Self::Invoke { normal, unwind, .. } => smallvec![*normal, *unwind],
            Self::CallBranch { fallthrough, indirect, .. } => {
                std::iter::once(*fallthrough).chain(indirect.iter().copied()).collect()
            }
            Self::CleanupReturn { unwind } => unwind.iter().copied().collect(),
            Self::CatchSwitch { handlers, unwind } => handlers.iter().chain(unwind).copied().collect(),
            Self::Return | Self::Resume | Self::Unreachable | no_terminator!() => SmallVec::new(),
        }
    }

    /// Fast-math flags, for the operations that can have them.
    pub fn fast_math(&self) -> Option<FastMath> {
        match self {
            Self::FloatNegate { fast_math }
            | Self::FloatBinary { fast_math, .. }
            | Self::FloatCompare { fast_math, .. }
            | Self::Phi { fast_math, .. }
            | Self::Select { fast_math } => Some(*fast_math),
            Self::Cast { flags, .. } => Some(flags.fast_math),
            _ => self.call().map(|call| call.fast_math),
        }
    }

    /// The word the text form starts the instruction with.
    pub const fn mnemonic(&self) -> &'static str {
        match self {
            Self::Return => "ret",
            Self::Branch { .. } | Self::ConditionalBranch { .. } => "br",
            Self::Switch { .. } => "switch",
            Self::IndirectBranch { .. } => "indirectbr",
            Self::Invoke { .. } => "invoke",
            Self::CallBranch { .. } => "callbr",
            Self::Resume => "resume",
            Self::Unreachable => "unreachable",
            Self::CleanupReturn { .. } => "cleanupret",
            Self::CatchReturn { .. } => "catchret",
            Self::CatchSwitch { .. } => "catchswitch",
            Self::LandingPad { .. } => "landingpad",
            Self::CatchPad => "catchpad",
            Self::CleanupPad => "cleanuppad",
            Self::FloatNegate { .. } => "fneg",
            Self::IntBinary { op, .. } => op.mnemonic(),
            Self::FloatBinary { op, .. } => op.mnemonic(),
            Self::IntCompare { .. } => "icmp",
            Self::FloatCompare { .. } => "fcmp",
            Self::Cast { op, .. } => op.mnemonic(),
            Self::ExtractElement => "extractelement",
            Self::InsertElement => "insertelement",
            Self::ShuffleVector { .. } => "shufflevector",
            Self::ExtractValue { .. } => "extractvalue",
            Self::InsertValue { .. } => "insertvalue",
            Self::Alloca { .. } => "alloca",
            Self::Load { .. } => "load",
            Self::Store { .. } => "store",
            Self::Fence { .. } => "fence",
            Self::CompareExchange(_) => "cmpxchg",
            Self::AtomicReadModifyWrite(_) => "atomicrmw",
            Self::GetElementPointer { .. } => "getelementptr",
            Self::Phi { .. } => "phi",
            Self::Select { .. } => "select",
            Self::Freeze => "freeze",
            Self::Call(_) => "call",
            Self::VaArg => "va_arg",
        }
    }
}
