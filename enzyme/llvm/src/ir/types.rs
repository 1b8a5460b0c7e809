//! Types.

use super::take_message;
use inkwell::llvm_sys::LLVMTypeKind;
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::*;
use std::fmt;

/// An LLVM type.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Type(pub(crate) LLVMTypeRef);

/// What a type is made of, one level deep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// No value.
    Void,
    /// A floating-point scalar of any format.
    Float,
    /// An integer of that many bits.
    Integer(u32),
    /// A pointer.
    Pointer,
    /// A fixed-length vector of that many elements.
    Vector(u32),
    /// A vector whose length is a multiple known at run time only.
    ScalableVector,
    /// An array of that many elements.
    Array(u64),
    /// A struct of that many fields.
    Struct(u32),
    /// A function's type.
    Function,
    /// Labels, metadata, tokens, target types.
    Other,
}

impl Type {
    /// What the type is.
    pub(crate) fn kind(self) -> Kind {
        match llvm!(LLVMGetTypeKind(self.0)) {
            LLVMTypeKind::LLVMVoidTypeKind => Kind::Void,
            LLVMTypeKind::LLVMHalfTypeKind
            | LLVMTypeKind::LLVMBFloatTypeKind
            | LLVMTypeKind::LLVMFloatTypeKind
            | LLVMTypeKind::LLVMDoubleTypeKind
            | LLVMTypeKind::LLVMX86_FP80TypeKind
            | LLVMTypeKind::LLVMFP128TypeKind
            | LLVMTypeKind::LLVMPPC_FP128TypeKind => Kind::Float,
            LLVMTypeKind::LLVMIntegerTypeKind => Kind::Integer(llvm!(LLVMGetIntTypeWidth(self.0))),
            LLVMTypeKind::LLVMPointerTypeKind => Kind::Pointer,
            LLVMTypeKind::LLVMVectorTypeKind => Kind::Vector(llvm!(LLVMGetVectorSize(self.0))),
            LLVMTypeKind::LLVMScalableVectorTypeKind => Kind::ScalableVector,
            LLVMTypeKind::LLVMArrayTypeKind => Kind::Array(self.array_length()),
            LLVMTypeKind::LLVMStructTypeKind => Kind::Struct(llvm!(LLVMCountStructElementTypes(self.0))),
            LLVMTypeKind::LLVMFunctionTypeKind => Kind::Function,
            _ => Kind::Other,
        }
    }

    fn array_length(self) -> u64 {
        // `LLVMGetArrayLength2` exists from LLVM 17 on; the older one cuts at 32 bits.
        #[cfg(llvm_ge = "17")]
        let length = llvm!(LLVMGetArrayLength2(self.0));
        #[cfg(not(llvm_ge = "17"))]
        let length = u64::from(llvm!(LLVMGetArrayLength(self.0)));
        length
    }

    /// The exact format of a floating-point scalar, as LLVM's own enumeration.
    pub(crate) fn raw_kind(self) -> LLVMTypeKind {
        llvm!(LLVMGetTypeKind(self.0))
    }

    /// A floating-point scalar.
    pub(crate) fn is_float(self) -> bool {
        self.kind() == Kind::Float
    }

    /// A floating-point scalar, or a vector of them.
    pub(crate) fn is_float_or_vector(self) -> bool {
        self.scalar().is_float()
    }

    /// Whether its size is a multiple of something that is known at run time only.
    pub(crate) fn is_scalable(self) -> bool {
        match self.kind() {
            Kind::ScalableVector => true,
            Kind::Array(_) => self.element().is_scalable(),
            Kind::Struct(_) => self.fields().into_iter().any(Type::is_scalable),
            Kind::Void
            | Kind::Float
            | Kind::Integer(_)
            | Kind::Pointer
            | Kind::Vector(_)
            | Kind::Function
            | Kind::Other => false,
        }
    }

    /// A pointer.
    pub(crate) fn is_pointer(self) -> bool {
        self.kind() == Kind::Pointer
    }

    /// An array.
    pub(crate) fn is_array(self) -> bool {
        matches!(self.kind(), Kind::Array(_))
    }

    /// An integer of any width.
    pub(crate) fn is_integer(self) -> bool {
        matches!(self.kind(), Kind::Integer(_))
    }

    /// The element type of a vector; the type itself otherwise.
    pub(crate) fn scalar(self) -> Type {
        match self.kind() {
            Kind::Vector(_) | Kind::ScalableVector => self.element(),
            _ => self,
        }
    }

    /// The element type of an array or a vector.
    pub(crate) fn element(self) -> Type {
        Type(llvm!(LLVMGetElementType(self.0)))
    }

    /// The types of a struct's fields, in order.
    pub(crate) fn fields(self) -> Vec<Type> {
        let Kind::Struct(count) = self.kind() else { return Vec::new() };
        (0..count).map(|index| Type(llvm!(LLVMStructGetTypeAtIndex(self.0, index)))).collect()
    }

    /// The number of scalars of an aggregate or vector's first level.
    pub(crate) fn element_count(self) -> u64 {
        match self.kind() {
            Kind::Vector(count) | Kind::Struct(count) => u64::from(count),
            Kind::Array(count) => count,
            _ => 0,
        }
    }

    /// The type at one index of an aggregate.
    pub(crate) fn at(self, index: u32) -> Type {
        match self.kind() {
            Kind::Struct(_) => Type(llvm!(LLVMStructGetTypeAtIndex(self.0, index))),
            _ => self.element(),
        }
    }

    /// Whether a value of this type can hold a floating-point number or a pointer to one.
    pub(crate) fn may_carry_derivative(self) -> bool {
        self.scalar_kinds().into_iter().any(|kind| matches!(kind, Kind::Float | Kind::Pointer))
    }

    /// What the scalars are that the type is made of.
    pub(crate) fn scalar_kinds(self) -> Vec<Kind> {
        match self.kind() {
            Kind::Vector(_) | Kind::ScalableVector | Kind::Array(_) => self.element().scalar_kinds(),
            Kind::Struct(_) => self.fields().into_iter().flat_map(Type::scalar_kinds).collect(),
            scalar @ (Kind::Void
            | Kind::Float
            | Kind::Integer(_)
            | Kind::Pointer
            | Kind::Function
            | Kind::Other) => {
                vec![scalar]
            }
        }
    }

    /// The context that owns the type.
    pub(crate) fn context(self) -> LLVMContextRef {
        llvm!(LLVMGetTypeContext(self.0))
    }

    /// A literal struct of the given fields, in `context`.
    pub(crate) fn structure(context: LLVMContextRef, fields: &[Type]) -> Type {
        let mut raw: Vec<LLVMTypeRef> = fields.iter().map(|field| field.0).collect();
        Type(llvm!(LLVMStructTypeInContext(context, raw.as_mut_ptr(), raw.len() as u32, 0)))
    }

    /// An array of `length` elements.
    pub(crate) fn array(self, length: u64) -> Type {
        #[cfg(llvm_ge = "17")]
        let raw = llvm!(LLVMArrayType2(self.0, length));
        #[cfg(not(llvm_ge = "17"))]
        let raw = llvm!(LLVMArrayType(self.0, length as u32));
        Type(raw)
    }

    /// A fixed-length vector of `length` elements.
    pub(crate) fn vector(self, length: u32) -> Type {
        Type(llvm!(LLVMVectorType(self.0, length)))
    }

    /// A function type.
    pub(crate) fn function(result: Type, parameters: &[Type]) -> Type {
        let mut raw: Vec<LLVMTypeRef> = parameters.iter().map(|parameter| parameter.0).collect();
        Type(llvm!(LLVMFunctionType(result.0, raw.as_mut_ptr(), raw.len() as u32, 0)))
    }

    /// The type of a function that takes more arguments than it names.
    pub(crate) fn variadic_function(result: Type, parameters: &[Type]) -> Type {
        let mut raw: Vec<LLVMTypeRef> = parameters.iter().map(|parameter| parameter.0).collect();
        Type(llvm!(LLVMFunctionType(result.0, raw.as_mut_ptr(), raw.len() as u32, 1)))
    }

    /// What a function of this function type returns.
    pub(crate) fn returned(self) -> Type {
        Type(llvm!(LLVMGetReturnType(self.0)))
    }

    /// What a function of this function type takes.
    pub(crate) fn parameters(self) -> Vec<Type> {
        let mut raw: Vec<LLVMTypeRef> =
            vec![std::ptr::null_mut(); llvm!(LLVMCountParamTypes(self.0)) as usize];
        llvm!(LLVMGetParamTypes(self.0, raw.as_mut_ptr()));
        raw.into_iter().map(Type).collect()
    }

    /// A pointer in the default address space.
    pub(crate) fn pointer(context: LLVMContextRef) -> Type {
        Type(llvm!(LLVMPointerTypeInContext(context, 0)))
    }

    /// `void`.
    pub(crate) fn void(context: LLVMContextRef) -> Type {
        Type(llvm!(LLVMVoidTypeInContext(context)))
    }

    /// `half` (16 bits).
    pub(crate) fn half(context: LLVMContextRef) -> Type {
        Type(llvm!(LLVMHalfTypeInContext(context)))
    }

    /// `bfloat` (16 bits).
    pub(crate) fn bfloat(context: LLVMContextRef) -> Type {
        Type(llvm!(LLVMBFloatTypeInContext(context)))
    }

    /// `float` (32 bits).
    pub(crate) fn float(context: LLVMContextRef) -> Type {
        Type(llvm!(LLVMFloatTypeInContext(context)))
    }

    /// `double` (64 bits).
    pub(crate) fn double(context: LLVMContextRef) -> Type {
        Type(llvm!(LLVMDoubleTypeInContext(context)))
    }

    /// x87's extended format (80 bits).
    pub(crate) fn x86_fp80(context: LLVMContextRef) -> Type {
        Type(llvm!(LLVMX86FP80TypeInContext(context)))
    }

    /// IEEE quadruple precision (128 bits).
    pub(crate) fn fp128(context: LLVMContextRef) -> Type {
        Type(llvm!(LLVMFP128TypeInContext(context)))
    }

    /// An integer of `bits` bits.
    pub(crate) fn integer(context: LLVMContextRef, bits: u32) -> Type {
        Type(llvm!(LLVMIntTypeInContext(context, bits)))
    }
}

impl fmt::Display for Type {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&take_message(llvm!(LLVMPrintTypeToString(self.0))))
    }
}

impl fmt::Debug for Type {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}
