//! Reads attributes.

use enzyme::model::{Attribute, AttributeSet};
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::{LLVMAttributeRef, LLVMValueRef};

use super::{ReadError, Reader, shim};
use crate::ir::{FUNCTION_ATTRIBUTES, RETURN_ATTRIBUTES, llvm, owned};

/// Attributes that are followed by one number in parentheses; what stands there in others is text.
const WITH_NUMBER: [&str; 5] =
    ["align", "alignstack", "dereferenceable", "dereferenceable_or_null", "dead_on_return"];

/// Where attributes hang.
#[derive(Clone, Copy)]
pub(super) enum AttributeOwner {
    Function(LLVMValueRef),
    Call(LLVMValueRef),
}

impl AttributeOwner {
    fn at(self, index: u32) -> Vec<LLVMAttributeRef> {
        let count = match self {
            Self::Function(function) => llvm!(LLVMGetAttributeCountAtIndex(function, index)),
            Self::Call(call) => llvm!(LLVMGetCallSiteAttributeCount(call, index)),
        };
        let mut attributes = vec![std::ptr::null_mut(); count as usize];
        if attributes.is_empty() {
            return attributes;
        }
        match self {
            Self::Function(function) => {
                llvm!(LLVMGetAttributesAtIndex(function, index, attributes.as_mut_ptr()));
            }
            Self::Call(call) => llvm!(LLVMGetCallSiteAttributes(call, index, attributes.as_mut_ptr())),
        }
        attributes
    }
}

impl Reader {
    /// The attributes of a function, or those a call gives its callee.
    pub(super) fn own_attributes(&mut self, owner: AttributeOwner) -> Result<AttributeSet, ReadError> {
        self.attributes(&owner.at(FUNCTION_ATTRIBUTES))
    }

    /// The attributes of a result.
    pub(super) fn return_attributes(&mut self, owner: AttributeOwner) -> Result<AttributeSet, ReadError> {
        self.attributes(&owner.at(RETURN_ATTRIBUTES))
    }

    /// The attributes of each parameter or argument; empty sets at the end are left out.
    pub(super) fn parameter_attributes(
        &mut self,
        owner: AttributeOwner,
        count: u32,
    ) -> Result<Vec<AttributeSet>, ReadError> {
        let mut sets = Vec::new();
        for index in 1..=count {
            let attributes = owner.at(index);
            if attributes.is_empty() {
                continue;
            }
            sets.resize(index as usize - 1, AttributeSet::default());
            sets.push(self.attributes(&attributes)?);
        }
        Ok(sets)
    }

    pub(super) fn attributes(&mut self, raw: &[LLVMAttributeRef]) -> Result<AttributeSet, ReadError> {
        raw.iter().map(|attribute| self.attribute(*attribute)).collect()
    }

    /// One attribute. LLVM makes each only once, so that the same need not be read twice.
    fn attribute(&mut self, raw: LLVMAttributeRef) -> Result<Attribute, ReadError> {
        if let Some(known) = self.known_attributes.get(&raw) {
            return Ok(known.clone());
        }
        let attribute = if llvm!(LLVMIsStringAttribute(raw)) != 0 {
            string_attribute(raw)
        } else {
            let text = shim::print_attribute(raw);
            match self.attribute_type(raw)? {
                Some(ty) => Attribute::Type(name_of(&text).to_owned(), ty),
                None => word_attribute(&text),
            }
        };
        self.known_attributes.insert(raw, attribute.clone());
        Ok(attribute)
    }

    fn attribute_type(&mut self, raw: LLVMAttributeRef) -> Result<Option<enzyme::model::TypeId>, ReadError> {
        if llvm!(LLVMIsTypeAttribute(raw)) == 0 {
            return Ok(None);
        }
        let ty = llvm!(LLVMGetTypeAttributeValue(raw));
        if ty.is_null() { Ok(None) } else { self.ty(ty).map(Some) }
    }
}

fn string_attribute(raw: LLVMAttributeRef) -> Attribute {
    let mut length = 0;
    let name = llvm!(LLVMGetStringAttributeKind(raw, &mut length));
    let name = owned(name, length as usize);
    let value = llvm!(LLVMGetStringAttributeValue(raw, &mut length));
    let value = owned(value, length as usize);
    // LLVM does not tell an empty value from none.
    Attribute::String(name, (!value.is_empty()).then_some(value))
}

fn name_of(text: &str) -> &str {
    text.split(['(', ' ', '=']).next().unwrap_or(text)
}

/// An attribute from its text: `nonnull`, `align 8`, `dereferenceable(16)`, `memory(none)`.
fn word_attribute(text: &str) -> Attribute {
    let name = name_of(text);
    let value = &text[name.len()..];
    if value.is_empty() {
        return Attribute::Flag(name.to_owned());
    }
    let inner = match value.strip_prefix('(') {
        Some(value) => value.strip_suffix(')').unwrap_or(value),
        None => &value[1..],
    };
    match inner.parse() {
        Ok(number) if WITH_NUMBER.contains(&name) => Attribute::Integer(name.to_owned(), number),
        _ => Attribute::Text(name.to_owned(), inner.to_owned()),
    }
}
