//! Types.

use super::TypeId;
use super::mnemonic::mnemonic_enum;

mnemonic_enum! {
    /// The floating-point types.
    pub enum FloatType {
        /// IEEE binary16.
        Half = "half",
        /// Brain floating point: binary32 with its lower 16 bits cut off.
        BFloat = "bfloat",
        /// IEEE binary32.
        Float = "float",
        /// IEEE binary64.
        Double = "double",
        /// The 80-bit extended type of x87.
        X86Fp80 = "x86_fp80",
        /// IEEE binary128.
        Fp128 = "fp128",
        /// Two `double`s added together.
        PpcFp128 = "ppc_fp128",
    }
}

impl FloatType {
    /// Width of a value in bits, without padding.
    pub const fn bits(self) -> u32 {
        match self {
            Self::Half | Self::BFloat => 16,
            Self::Float => 32,
            Self::Double => 64,
            Self::X86Fp80 => 80,
            Self::Fp128 | Self::PpcFp128 => 128,
        }
    }
}

/// A type. Types are interned in a [`Context`](super::Context) and named by [`TypeId`].
///
/// Pointers are opaque, so no type can contain itself.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// The return type of a function that returns nothing.
    Void,
    /// A floating-point number.
    Float(FloatType),
    /// An integer of so many bits.
    Integer {
        /// Width in bits, at least 1.
        bits: u32,
    },
    /// A pointer.
    Pointer {
        /// The address space; 0 is the ordinary one.
        address_space: u32,
    },
    /// An array in memory order.
    Array {
        /// Number of elements.
        length: u64,
        /// Type of each element.
        element: TypeId,
    },
    /// A SIMD vector.
    Vector {
        /// Number of elements.
        length: VectorLength,
        /// Type of each element.
        element: TypeId,
    },
    /// A structure.
    Struct(StructType),
    /// The type of a function, as a call names it.
    Function(FunctionType),
    /// A type that only a target knows: `target("spirv.Image", void, 1)`.
    Target(TargetType),
    /// A value that cannot be hidden behind phi or select (`token`).
    Token,
    /// The type of metadata operands.
    Metadata,
    /// The type of blocks.
    Label,
    /// A register of the MMX unit (gone since LLVM 20).
    X86Mmx,
    /// A tile register of the AMX unit.
    X86Amx,
}

/// Number of elements of a vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum VectorLength {
    /// Exactly so many.
    Fixed(u32),
    /// So many times a factor that only the running machine knows.
    Scalable(u32),
}

impl VectorLength {
    /// The number of elements that is known before running: all of them, or the smallest possible number.
    pub const fn minimum(self) -> u32 {
        match self {
            Self::Fixed(length) | Self::Scalable(length) => length,
        }
    }
}

/// A structure type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct StructType {
    /// The name, for a structure that is told from others by name.
    pub name: Option<String>,
    /// The fields; `None` for an opaque structure.
    pub body: Option<StructBody>,
}

/// The fields of a structure.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct StructBody {
    /// Types of the fields.
    pub fields: Vec<TypeId>,
    /// Whether there is padding between them.
    pub packing: Packing,
}

/// Whether the fields of a structure are aligned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Packing {
    /// Each field at its own alignment.
    #[default]
    Padded,
    /// No padding at all.
    Packed,
}

/// The type of a function.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FunctionType {
    /// What it returns.
    pub result: TypeId,
    /// Its named parameters.
    pub parameters: Vec<TypeId>,
    /// Whether more arguments may follow.
    pub variadic: Variadic,
}

/// Whether a function takes arguments beyond its parameters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Variadic {
    /// Only the parameters.
    #[default]
    No,
    /// Any number of further arguments (`...`).
    Yes,
}

/// A target extension type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TargetType {
    /// Its name.
    pub name: String,
    /// Its type parameters.
    pub types: Vec<TypeId>,
    /// Its integer parameters.
    pub integers: Vec<u32>,
}

impl Type {
    /// The ordinary pointer.
    pub const POINTER: Self = Self::Pointer { address_space: 0 };

    /// Whether this is a floating-point scalar.
    pub const fn is_float(&self) -> bool {
        matches!(self, Self::Float(_))
    }

    /// Whether this is an integer scalar.
    pub const fn is_integer(&self) -> bool {
        matches!(self, Self::Integer { .. })
    }

    /// Whether this is a pointer (not a vector of pointers).
    pub const fn is_pointer(&self) -> bool {
        matches!(self, Self::Pointer { .. })
    }

    /// Whether values of this type are made of parts that `extractvalue` can name.
    pub const fn is_aggregate(&self) -> bool {
        matches!(self, Self::Array { .. } | Self::Struct(_))
    }

    /// Whether an instruction of this type has a result.
    pub const fn is_void(&self) -> bool {
        matches!(self, Self::Void)
    }

    /// The types this one is directly made of, in order.
    pub fn parts(&self) -> &[TypeId] {
        match self {
            Self::Array { element, .. } | Self::Vector { element, .. } => std::slice::from_ref(element),
            Self::Struct(structure) => structure.body.as_ref().map_or(&[], |body| &body.fields),
            Self::Target(target) => &target.types,
            Self::Function(function) => &function.parameters,
            Self::Void
            | Self::Float(_)
            | Self::Integer { .. }
            | Self::Pointer { .. }
            | Self::Token
            | Self::Metadata
            | Self::Label
            | Self::X86Mmx
            | Self::X86Amx => &[],
        }
    }
}
