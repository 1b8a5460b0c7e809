//! What functions mention: interned types and constants, globals, metadata.

use std::hash::Hash;
use std::sync::Arc;

use cranelift_entity::{EntityRef, PrimaryMap};
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use super::types::{FloatType, FunctionType, StructBody, StructType, Type, Variadic, VectorLength};
use super::{
    Constant, ConstantExpression, ConstantId, ConstantKind, FloatBits, Global, GlobalId, Integer, Metadata,
    MetadataId, TypeId,
};

/// The tables a [`Function`](super::Function) needs to be understood alone: its types and constants, the
/// globals it names, its metadata.
#[derive(Clone, Debug, Default)]
pub struct Context {
    types: Interner<Type>,
    constants: Interner<Constant>,
    /// The global symbols that are named.
    pub globals: PrimaryMap<GlobalId, Global>,
    /// The metadata nodes that are named.
    pub metadata: PrimaryMap<MetadataId, Metadata>,
    /// The data layout string of the target, if known.
    pub data_layout: Option<Arc<str>>,
    /// The target, if known: `x86_64-unknown-linux-gnu`.
    pub target_triple: Option<Arc<str>>,
}

impl Context {
    // Types.

    /// Interns a type.
    pub fn intern_type(&mut self, ty: Type) -> TypeId {
        TypeId::new(self.types.intern(ty))
    }

    /// The type of this id.
    pub fn ty(&self, id: TypeId) -> &Type {
        &self.types.entries[id.index()]
    }

    /// All types, in the order they were interned.
    pub fn types(&self) -> impl Iterator<Item = (TypeId, &Type)> {
        self.types.entries.iter().enumerate().map(|(index, ty)| (TypeId::new(index), ty))
    }

    /// The id of a type that was interned before.
    pub fn find_type(&self, ty: &Type) -> Option<TypeId> {
        self.types.entries.get_index_of(ty).map(TypeId::new)
    }

    /// `void`.
    pub fn void_type(&mut self) -> TypeId {
        self.intern_type(Type::Void)
    }

    /// A floating-point type.
    pub fn float_type(&mut self, ty: FloatType) -> TypeId {
        self.intern_type(Type::Float(ty))
    }

    /// `double`.
    pub fn double_type(&mut self) -> TypeId {
        self.float_type(FloatType::Double)
    }

    /// An integer type.
    pub fn int_type(&mut self, bits: u32) -> TypeId {
        self.intern_type(Type::Integer { bits })
    }

    /// `ptr`.
    pub fn pointer_type(&mut self) -> TypeId {
        self.intern_type(Type::POINTER)
    }

    /// An array type.
    pub fn array_type(&mut self, length: u64, element: TypeId) -> TypeId {
        self.intern_type(Type::Array { length, element })
    }

    /// A vector type.
    pub fn vector_type(&mut self, length: VectorLength, element: TypeId) -> TypeId {
        self.intern_type(Type::Vector { length, element })
    }

    /// A structure type without a name.
    pub fn struct_type(&mut self, body: StructBody) -> TypeId {
        self.intern_type(Type::Struct(StructType { name: None, body: Some(body) }))
    }

    /// The type of a function.
    pub fn function_type(&mut self, result: TypeId, parameters: Vec<TypeId>, variadic: Variadic) -> TypeId {
        self.intern_type(Type::Function(FunctionType { result, parameters, variadic }))
    }

    // Constants.

    /// Interns a constant as it is. See [`Self::aggregate`] for aggregates.
    pub fn intern_constant(&mut self, constant: Constant) -> ConstantId {
        ConstantId::new(self.constants.intern(constant))
    }

    /// The constant of this id.
    pub fn constant(&self, id: ConstantId) -> &Constant {
        &self.constants.entries[id.index()]
    }

    /// All constants, in the order they were interned.
    pub fn constants(&self) -> impl Iterator<Item = (ConstantId, &Constant)> {
        self.constants.entries.iter().enumerate().map(|(index, constant)| (ConstantId::new(index), constant))
    }

    /// The id of a constant that was interned before.
    pub fn find_constant(&self, constant: &Constant) -> Option<ConstantId> {
        self.constants.entries.get_index_of(constant).map(ConstantId::new)
    }

    /// An integer constant.
    pub fn integer(&mut self, value: Integer) -> ConstantId {
        let ty = self.int_type(value.bits());
        self.intern_constant(Constant { ty, kind: ConstantKind::Integer(value) })
    }

    /// A constant of type `double`.
    pub fn double(&mut self, value: f64) -> ConstantId {
        let ty = self.double_type();
        self.float(ty, FloatBits(value.to_bits().into()))
    }

    /// A floating-point constant.
    pub fn float(&mut self, ty: TypeId, bits: FloatBits) -> ConstantId {
        self.intern_constant(Constant { ty, kind: ConstantKind::Float(bits) })
    }

    /// The constant of this type with all bits zero. Not every type has one: functions, labels, metadata.
    pub fn zero(&mut self, ty: TypeId) -> Option<ConstantId> {
        let kind = match self.ty(ty) {
            Type::Integer { bits } => ConstantKind::Integer(Integer::from_u64(*bits, 0)),
            Type::Float(_) => ConstantKind::Float(FloatBits(0)),
            Type::Pointer { .. } => ConstantKind::Null,
            Type::Array { .. } | Type::Vector { .. } | Type::Struct(_) | Type::Target(_) => {
                ConstantKind::Zero
            }
            Type::X86Mmx | Type::X86Amx => ConstantKind::Zero,
            Type::Token => ConstantKind::NoneToken,
            Type::Void | Type::Function(_) | Type::Metadata | Type::Label => return None,
        };
        Some(self.intern_constant(Constant { ty, kind }))
    }

    /// `undef` of a type.
    pub fn undef(&mut self, ty: TypeId) -> ConstantId {
        self.intern_constant(Constant { ty, kind: ConstantKind::Undef })
    }

    /// `poison` of a type.
    pub fn poison(&mut self, ty: TypeId) -> ConstantId {
        self.intern_constant(Constant { ty, kind: ConstantKind::Poison })
    }

    /// A structure, array or vector from its parts, in the one form LLVM would give it: `zeroinitializer`
    /// when all parts are zero, `undef` or `poison` when all are, packed bytes for plain numbers.
    pub fn aggregate(&mut self, ty: TypeId, elements: Vec<ConstantId>) -> ConstantId {
        let kind = if elements.iter().all(|element| self.is_zero(*element)) {
            ConstantKind::Zero
        } else if self.all_are(&elements, &ConstantKind::Poison) {
            ConstantKind::Poison
        } else if self.all_are(&elements, &ConstantKind::Undef) {
            ConstantKind::Undef
        } else if let Some(bytes) = self.packed_bytes(ty, &elements) {
            ConstantKind::Data(bytes)
        } else {
            ConstantKind::Aggregate(elements)
        };
        self.intern_constant(Constant { ty, kind })
    }

    /// A vector whose elements are all the same; one of known length is written out.
    pub fn splat(&mut self, ty: TypeId, length: VectorLength, element: ConstantId) -> ConstantId {
        match length {
            VectorLength::Fixed(length) => self.aggregate(ty, vec![element; length as usize]),
            VectorLength::Scalable(_) => {
                let kind = match self.constant(element).kind {
                    _ if self.is_zero(element) => ConstantKind::Zero,
                    ConstantKind::Poison => ConstantKind::Poison,
                    ConstantKind::Undef => ConstantKind::Undef,
                    _ => ConstantKind::Splat(element),
                };
                self.intern_constant(Constant { ty, kind })
            }
        }
    }

    /// An array or vector of plain numbers from its bytes.
    pub fn data(&mut self, ty: TypeId, bytes: impl Into<Arc<[u8]>>) -> ConstantId {
        let bytes = bytes.into();
        let kind =
            if bytes.iter().all(|byte| *byte == 0) { ConstantKind::Zero } else { ConstantKind::Data(bytes) };
        self.intern_constant(Constant { ty, kind })
    }

    /// An operation on constants.
    pub fn expression(&mut self, ty: TypeId, expression: ConstantExpression) -> ConstantId {
        self.intern_constant(Constant { ty, kind: ConstantKind::Expression(Box::new(expression)) })
    }

    /// The address of a global.
    pub fn global_address(&mut self, global: GlobalId) -> ConstantId {
        let address_space = self.globals[global].address_space;
        let ty = self.intern_type(Type::Pointer { address_space });
        self.intern_constant(Constant { ty, kind: ConstantKind::Global(global) })
    }

    /// Whether a constant is zero in all bits (a positive zero, for floats).
    pub fn is_zero(&self, constant: ConstantId) -> bool {
        match &self.constant(constant).kind {
            ConstantKind::Integer(value) => value.is_zero(),
            ConstantKind::Float(bits) => bits.0 == 0,
            ConstantKind::Null | ConstantKind::Zero => true,
            ConstantKind::Splat(element) => self.is_zero(*element),
            ConstantKind::Undef
            | ConstantKind::Poison
            | ConstantKind::NoneToken
            | ConstantKind::Aggregate(_)
            | ConstantKind::Data(_)
            | ConstantKind::Expression(_)
            | ConstantKind::Global(_)
            | ConstantKind::BlockAddress { .. }
            | ConstantKind::DsoLocalEquivalent(_)
            | ConstantKind::NoCfi(_)
            | ConstantKind::PointerAuthentication(_) => false,
        }
    }

    /// How many bytes each element of a [`ConstantKind::Data`] of this type has; `None` for types that cannot
    /// be data.
    pub fn data_element_size(&self, ty: TypeId) -> Option<usize> {
        let element = match self.ty(ty) {
            Type::Array { element, .. } | Type::Vector { length: VectorLength::Fixed(_), element } => element,
            _ => return None,
        };
        match self.ty(*element) {
            Type::Integer { bits: bits @ (8 | 16 | 32 | 64) } => Some(*bits as usize / 8),
            Type::Float(
                float @ (FloatType::Half | FloatType::BFloat | FloatType::Float | FloatType::Double),
            ) => Some(float.bits() as usize / 8),
            _ => None,
        }
    }

    // Globals.

    /// The global of this name.
    pub fn find_global(&self, name: &str) -> Option<GlobalId> {
        self.globals.iter().find(|(_, global)| global.name == name).map(|(id, _)| id)
    }

    fn all_are(&self, elements: &[ConstantId], kind: &ConstantKind) -> bool {
        elements.iter().all(|element| self.constant(*element).kind == *kind)
    }

    fn packed_bytes(&self, ty: TypeId, elements: &[ConstantId]) -> Option<Arc<[u8]>> {
        let size = self.data_element_size(ty)?;
        let mut bytes = Vec::with_capacity(elements.len() * size);
        for element in elements {
            let bits = match &self.constant(*element).kind {
                ConstantKind::Integer(value) => value.as_u64()?.into(),
                ConstantKind::Float(bits) => bits.0,
                _ => return None,
            };
            bytes.extend_from_slice(&bits.to_le_bytes()[..size]);
        }
        Some(bytes.into())
    }
}

/// A table that holds each entry once.
#[derive(Clone, Debug)]
struct Interner<T> {
    entries: IndexSet<T, FxBuildHasher>,
}

impl<T: Hash + Eq> Interner<T> {
    fn intern(&mut self, entry: T) -> usize {
        self.entries.insert_full(entry).0
    }
}

impl<T> Default for Interner<T> {
    fn default() -> Self {
        Self { entries: IndexSet::default() }
    }
}
