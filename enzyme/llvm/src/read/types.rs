//! Reads types.

use enzyme::model::{
    Context, FloatType, FunctionType, Packing, StructBody, StructType, TargetType, Type, TypeId, Variadic,
    VectorLength,
};
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::LLVMTypeRef;
use rustc_hash::FxHashMap;

use super::ReadError;
use super::shim::{self, TypeClass};
use crate::ir::{self, llvm, owned};

/// Reads each type once.
#[derive(Default)]
pub(super) struct TypeReader {
    known: FxHashMap<LLVMTypeRef, TypeId>,
}

impl TypeReader {
    /// The model's type for one of LLVM's.
    pub(super) fn read(&mut self, context: &mut Context, raw: LLVMTypeRef) -> Result<TypeId, ReadError> {
        if let Some(known) = self.known.get(&raw) {
            return Ok(*known);
        }
        let ty = self.unknown(context, raw)?;
        let id = context.intern_type(ty);
        self.known.insert(raw, id);
        Ok(id)
    }

    fn unknown(&mut self, context: &mut Context, raw: LLVMTypeRef) -> Result<Type, ReadError> {
        Ok(match shim::type_class(raw) {
            TypeClass::Void => Type::Void,
            TypeClass::Half => Type::Float(FloatType::Half),
            TypeClass::BFloat => Type::Float(FloatType::BFloat),
            TypeClass::Float => Type::Float(FloatType::Float),
            TypeClass::Double => Type::Float(FloatType::Double),
            TypeClass::X86Fp80 => Type::Float(FloatType::X86Fp80),
            TypeClass::Fp128 => Type::Float(FloatType::Fp128),
            TypeClass::PpcFp128 => Type::Float(FloatType::PpcFp128),
            TypeClass::Label => Type::Label,
            TypeClass::Metadata => Type::Metadata,
            TypeClass::X86Mmx => Type::X86Mmx,
            TypeClass::X86Amx => Type::X86Amx,
            TypeClass::Token => Type::Token,
            TypeClass::Integer => Type::Integer { bits: llvm!(LLVMGetIntTypeWidth(raw)) },
            TypeClass::Pointer => Type::Pointer { address_space: llvm!(LLVMGetPointerAddressSpace(raw)) },
            TypeClass::Array => {
                Type::Array { length: shim::array_length(raw), element: self.element(context, raw)? }
            }
            TypeClass::FixedVector => {
                let length = VectorLength::Fixed(llvm!(LLVMGetVectorSize(raw)));
                Type::Vector { length, element: self.element(context, raw)? }
            }
            TypeClass::ScalableVector => {
                let length = VectorLength::Scalable(llvm!(LLVMGetVectorSize(raw)));
                Type::Vector { length, element: self.element(context, raw)? }
            }
            TypeClass::Struct => Type::Struct(self.structure(context, raw)?),
            TypeClass::Function => Type::Function(self.function(context, raw)?),
            TypeClass::Target => {
                let (name, types, integers) = shim::target_type(raw);
                Type::Target(TargetType {
                    name,
                    types: self.all(context, types)?,
                    integers: integers.to_vec(),
                })
            }
            TypeClass::Unknown => return Err(ReadError::UnknownType { text: ir::Type(raw).to_string() }),
        })
    }

    fn element(&mut self, context: &mut Context, raw: LLVMTypeRef) -> Result<TypeId, ReadError> {
        self.read(context, llvm!(LLVMGetElementType(raw)))
    }

    fn all(&mut self, context: &mut Context, types: &[LLVMTypeRef]) -> Result<Vec<TypeId>, ReadError> {
        types.iter().map(|ty| self.read(context, *ty)).collect()
    }

    fn structure(&mut self, context: &mut Context, raw: LLVMTypeRef) -> Result<StructType, ReadError> {
        let name = struct_name(raw);
        if llvm!(LLVMIsOpaqueStruct(raw)) != 0 {
            return Ok(StructType { name, body: None });
        }
        let mut fields = vec![std::ptr::null_mut(); llvm!(LLVMCountStructElementTypes(raw)) as usize];
        llvm!(LLVMGetStructElementTypes(raw, fields.as_mut_ptr()));
        let fields = self.all(context, &fields)?;
        let packing = if llvm!(LLVMIsPackedStruct(raw)) != 0 { Packing::Packed } else { Packing::Padded };
        Ok(StructType { name, body: Some(StructBody { fields, packing }) })
    }

    fn function(&mut self, context: &mut Context, raw: LLVMTypeRef) -> Result<FunctionType, ReadError> {
        let result = self.read(context, llvm!(LLVMGetReturnType(raw)))?;
        let mut parameters = vec![std::ptr::null_mut(); llvm!(LLVMCountParamTypes(raw)) as usize];
        llvm!(LLVMGetParamTypes(raw, parameters.as_mut_ptr()));
        let parameters = self.all(context, &parameters)?;
        let variadic = if llvm!(LLVMIsFunctionVarArg(raw)) != 0 { Variadic::Yes } else { Variadic::No };
        Ok(FunctionType { result, parameters, variadic })
    }
}

/// The name of a structure that has one.
fn struct_name(raw: LLVMTypeRef) -> Option<String> {
    let name = llvm!(LLVMGetStructName(raw));
    if name.is_null() {
        return None;
    }
    // SAFETY: the name ends in a zero byte.
    let length = unsafe { std::ffi::CStr::from_ptr(name) }.count_bytes();
    Some(owned(name, length))
}
