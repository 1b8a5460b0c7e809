//! Global symbols: variables, functions, aliases, resolvers.

use super::flags::CallingConvention;
use super::mnemonic::mnemonic_enum;
use super::{AttributeSet, ConstantId, MetadataId, TypeId};

/// A global symbol. As an operand it is a pointer to what it names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Global {
    /// The name, without `@`; a number when the symbol has no name of its own.
    pub name: String,
    /// The type of what it names: a function type, or that of the variable's contents.
    pub value_type: TypeId,
    /// How it is linked.
    pub linkage: Linkage,
    /// The address space of its address.
    pub address_space: u32,
    /// What else the text form says of any symbol.
    pub traits: GlobalTraits,
    /// What it is.
    pub kind: GlobalKind,
}

/// What a global symbol names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GlobalKind {
    /// A variable.
    Variable(GlobalVariable),
    /// A function.
    Function(GlobalFunction),
    /// Another name for an address.
    Alias {
        /// The address.
        target: ConstantId,
    },
    /// A function that is chosen when the program is loaded.
    IndirectFunction {
        /// The function that chooses.
        resolver: ConstantId,
    },
}

/// A global variable.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GlobalVariable {
    /// Never written to.
    pub is_constant: bool,
    /// The first contents; `None` when defined elsewhere, or not read.
    pub initializer: Option<ConstantId>,
    /// The contents may be changed before the program starts (`externally_initialized`).
    pub externally_initialized: bool,
    /// Attributes of the variable.
    pub attributes: AttributeSet,
}

/// A function, seen from outside.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GlobalFunction {
    /// Calling convention and attributes.
    pub signature: Signature,
    /// Whether it has a body somewhere in the module.
    pub body: HasBody,
}

/// Whether a function has a body in the module.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HasBody {
    /// Only declared.
    #[default]
    No,
    /// Defined.
    Yes,
}

/// Calling convention and attributes of a function; its type is kept beside.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Signature {
    /// Calling convention.
    pub calling_convention: CallingConvention,
    /// Attributes of the function.
    pub attributes: AttributeSet,
    /// Attributes of the result.
    pub return_attributes: AttributeSet,
    /// Attributes of each parameter; shorter than the parameters when the rest has none.
    pub parameter_attributes: Vec<AttributeSet>,
}

impl Signature {
    /// The attributes of a parameter.
    pub fn parameter_attributes(&self, index: usize) -> Option<&AttributeSet> {
        self.parameter_attributes.get(index)
    }
}

/// What the text form can say of any global symbol besides its linkage.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GlobalTraits {
    /// Visibility to other shared libraries.
    pub visibility: Visibility,
    /// Import or export of a DLL.
    pub dll_storage: DllStorage,
    /// Known to resolve within the linkage unit (`dso_local`).
    pub dso_local: bool,
    /// A variable that each thread has a copy of.
    pub thread_local: Option<ThreadLocalModel>,
    /// Whether its address matters.
    pub unnamed_address: UnnamedAddress,
    /// Section of the object file.
    pub section: Option<String>,
    /// Partition of the linked image.
    pub partition: Option<String>,
    /// Name of the comdat it belongs to.
    pub comdat: Option<String>,
    /// Alignment in bytes.
    pub alignment: Option<u64>,
    /// Metadata attached to it, by kind (without debug information).
    pub metadata: Vec<(String, MetadataId)>,
    /// Further attributes after a comma, as written (`code_model "large"`, `no_sanitize_address` …).
    pub others: Vec<String>,
}

mnemonic_enum! {
    /// How a symbol is linked.
    pub enum Linkage {
        /// Visible to other modules.
        External = "external",
        /// As external, but may be missing.
        ExternalWeak = "extern_weak",
        /// A definition that is only for inlining; the real one is elsewhere.
        AvailableExternally = "available_externally",
        /// Merged with others of the name, may be dropped; may differ.
        LinkOnce = "linkonce",
        /// Merged with others of the name, may be dropped; all are the same.
        LinkOnceOdr = "linkonce_odr",
        /// Merged with others of the name; may differ.
        Weak = "weak",
        /// Merged with others of the name; all are the same.
        WeakOdr = "weak_odr",
        /// Arrays put one after the other.
        Appending = "appending",
        /// A tentative definition of C.
        Common = "common",
        /// Of this module alone, kept in the symbol table.
        Internal = "internal",
        /// Of this module alone.
        Private = "private",
    }
}

impl Linkage {
    /// Whether the linker may put another definition, which may do something else, in place of this one.
    pub const fn is_interposable(self) -> bool {
        match self {
            Self::ExternalWeak | Self::LinkOnce | Self::Weak | Self::Common => true,
            Self::External
            | Self::AvailableExternally
            | Self::LinkOnceOdr
            | Self::WeakOdr
            | Self::Appending
            | Self::Internal
            | Self::Private => false,
        }
    }

    /// Whether only this module can name the symbol.
    pub const fn is_local(self) -> bool {
        matches!(self, Self::Internal | Self::Private)
    }
}

macro_rules! default_variant {
    ($($name:ident::$variant:ident),+) => {
        $(impl Default for $name { fn default() -> Self { Self::$variant } })+
    };
}
default_variant!(Linkage::External, Visibility::Default, DllStorage::Default, UnnamedAddress::Significant);

mnemonic_enum! {
    /// Visibility to other shared libraries.
    pub enum Visibility {
        /// As the linkage says.
        Default = "",
        /// Not exported.
        Hidden = "hidden",
        /// Exported, but not replaceable.
        Protected = "protected",
    }
}

mnemonic_enum! {
    /// Import or export of a DLL.
    pub enum DllStorage {
        /// Neither.
        Default = "",
        /// Imported.
        Import = "dllimport",
        /// Exported.
        Export = "dllexport",
    }
}

mnemonic_enum! {
    /// Whether the address of a symbol matters.
    pub enum UnnamedAddress {
        /// It does.
        Significant = "",
        /// Not in this module.
        Local = "local_unnamed_addr",
        /// Nowhere.
        Global = "unnamed_addr",
    }
}

mnemonic_enum! {
    /// How a thread-local variable is reached.
    pub enum ThreadLocalModel {
        /// From anywhere.
        GeneralDynamic = "generaldynamic",
        /// Within one shared library.
        LocalDynamic = "localdynamic",
        /// In libraries that are loaded at the start.
        InitialExec = "initialexec",
        /// In the executable.
        LocalExec = "localexec",
    }
}
