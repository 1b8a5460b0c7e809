//! Reads what debug information says of the types of variables in memory.
//!
//! A type may hold pointers to itself, and lead to most types of a program. So types are told by their nodes, and
//! read nearest first, up to a number of pointers away.

use std::collections::VecDeque;
use std::ffi::c_void;

use enzyme::model::{
    DebugDeclaration, DebugEncoding, DebugLocation, DebugMember, DebugType, DebugTypeId, DebugTypeKind,
    SourceLanguage,
};
use inkwell::llvm_sys::prelude::{LLVMMetadataRef, LLVMValueRef};
use rustc_hash::FxHashMap;

use super::shim::{BorrowedText, present};
use super::{Reader, optional};
use crate::ir::Function;

/// How many pointers a type may be away from a variable.
const MAXIMAL_POINTERS: u32 = 8;

/// How many names a type may have on top of each other; only a broken module has as many.
const MAXIMAL_NAMES: usize = 64;

/// DWARF's numbers for kinds of types.
mod tag {
    pub(super) const ARRAY: u32 = 0x01;
    pub(super) const CLASS: u32 = 0x02;
    pub(super) const ENUMERATION: u32 = 0x04;
    pub(super) const POINTER: u32 = 0x0f;
    pub(super) const REFERENCE: u32 = 0x10;
    pub(super) const STRUCTURE: u32 = 0x13;
    pub(super) const SUBROUTINE: u32 = 0x15;
    pub(super) const TYPEDEF: u32 = 0x16;
    pub(super) const UNION: u32 = 0x17;
    pub(super) const BASE: u32 = 0x24;
    pub(super) const CONST: u32 = 0x26;
    pub(super) const VARIANT_PART: u32 = 0x33;
    pub(super) const VOLATILE: u32 = 0x35;
    pub(super) const RESTRICT: u32 = 0x37;
    pub(super) const RVALUE_REFERENCE: u32 = 0x42;
    pub(super) const TEMPLATE_ALIAS: u32 = 0x43;
    pub(super) const ATOMIC: u32 = 0x47;
    pub(super) const IMMUTABLE: u32 = 0x4b;
}

#[repr(C)]
struct RawVariable {
    name: BorrowedText,
    ty: LLVMMetadataRef,
    scope: LLVMMetadataRef,
    line: u32,
    language: u32,
}

#[repr(C)]
struct RawType {
    name: BorrowedText,
    bits: u64,
    alignment: u32,
    tag: u32,
    encoding: u32,
    base: LLVMMetadataRef,
}

/// A variable at an address.
type RawDeclaration = (LLVMValueRef, LLVMMetadataRef);

/// A member: its name, where it begins in bits, its type.
type RawMember = (Option<String>, u64, LLVMMetadataRef);

type DeclarationVisitor = extern "C" fn(*mut c_void, LLVMValueRef, LLVMMetadataRef);
type MemberVisitor = extern "C" fn(*mut c_void, BorrowedText, u64, LLVMMetadataRef);
type CountVisitor = extern "C" fn(*mut c_void, i64);

unsafe extern "C" {
    fn enzyme_VisitDebugDeclarations(function: LLVMValueRef, visit: DeclarationVisitor, state: *mut c_void);
    fn enzyme_GetDebugVariable(variable: LLVMMetadataRef) -> RawVariable;
    fn enzyme_GetDebugType(ty: LLVMMetadataRef) -> RawType;
    fn enzyme_VisitDebugMembers(ty: LLVMMetadataRef, visit: MemberVisitor, state: *mut c_void);
    fn enzyme_VisitDebugDiscriminant(ty: LLVMMetadataRef, visit: MemberVisitor, state: *mut c_void);
    fn enzyme_VisitDebugCounts(ty: LLVMMetadataRef, visit: CountVisitor, state: *mut c_void);
}

/// Types of debug information, and the ids they have got.
#[derive(Default)]
pub(super) struct DebugTypes {
    known: FxHashMap<LLVMMetadataRef, DebugTypeId>,
    /// Types that have an id, but have not been read yet: those of the pass at hand, and those one pointer further.
    near: VecDeque<(LLVMMetadataRef, DebugTypeId)>,
    far: VecDeque<(LLVMMetadataRef, DebugTypeId)>,
}

impl Reader {
    /// Notes the variables that are said to live at a parameter or the result of an instruction, and their types.
    pub(super) fn debug_declarations(&mut self, function: Function) {
        for (address, variable) in declarations(function) {
            let Some(&address) = self.known_values.get(&address) else { continue };
            // SAFETY: what `declarations` found is a variable of the function, which is alive.
            let raw = unsafe { enzyme_GetDebugVariable(variable) };
            let Some(ty) = present(raw.ty) else { continue };
            let ty = self.near_type(ty);
            let location = (raw.line != 0).then(|| DebugLocation {
                file: self.file_of_scope(raw.scope),
                line: raw.line,
                column: 0,
            });
            let variable = raw.name.to_option();
            let language = language(raw.language);
            self.function.debug_declarations.push(DebugDeclaration {
                address,
                variable,
                ty,
                language,
                location,
            });
        }
        for _ in 0..=MAXIMAL_POINTERS {
            while let Some((raw, id)) = self.debug_types.near.pop_front() {
                self.function.debug_types[id] = self.debug_type(raw);
            }
            std::mem::swap(&mut self.debug_types.near, &mut self.debug_types.far);
        }
    }

    /// The id of a type that belongs to what is being read.
    fn near_type(&mut self, raw: LLVMMetadataRef) -> DebugTypeId {
        let (id, is_new) = self.type_id(raw);
        if let Some(raw) = is_new {
            self.debug_types.near.push_back((raw, id));
        }
        id
    }

    /// The id of a type behind a pointer.
    fn far_type(&mut self, raw: LLVMMetadataRef) -> DebugTypeId {
        let (id, is_new) = self.type_id(raw);
        if let Some(raw) = is_new {
            self.debug_types.far.push_back((raw, id));
        }
        id
    }

    /// The id of a type, and the node it is to be read from when it is new.
    fn type_id(&mut self, raw: LLVMMetadataRef) -> (DebugTypeId, Option<LLVMMetadataRef>) {
        if let Some(&known) = self.debug_types.known.get(&raw) {
            return (known, None);
        }
        let named = behind_names(raw);
        let known = named.and_then(|named| self.debug_types.known.get(&named).copied());
        let id = known.unwrap_or_else(|| self.function.debug_types.push(DebugType::opaque()));
        self.debug_types.known.insert(raw, id);
        named.into_iter().for_each(|named| {
            self.debug_types.known.insert(named, id);
        });
        (id, if known.is_some() { None } else { named })
    }

    fn debug_type(&mut self, raw: LLVMMetadataRef) -> DebugType {
        let RawType { name, bits, alignment, tag, encoding, base } = raw_type(raw);
        let kind = match tag {
            tag::BASE => DebugTypeKind::Basic(meaning(encoding)),
            tag::POINTER | tag::REFERENCE | tag::RVALUE_REFERENCE => {
                let pointee = present(base).and_then(behind_names);
                DebugTypeKind::Pointer { pointee: pointee.map(|pointee| self.far_type(pointee)) }
            }
            tag::STRUCTURE | tag::CLASS => DebugTypeKind::Structure { members: self.members(members(raw)) },
            tag::UNION => DebugTypeKind::Union { members: self.members(members(raw)) },
            tag::VARIANT_PART => DebugTypeKind::Variants {
                discriminant: self.members(discriminant(raw)).pop(),
                variants: self.members(members(raw)),
            },
            tag::ARRAY => match present(base) {
                Some(base) => DebugTypeKind::Array { element: self.near_type(base), counts: counts(raw) },
                None => DebugTypeKind::Opaque,
            },
            tag::ENUMERATION => {
                DebugTypeKind::Enumeration { values: present(base).map(|base| self.near_type(base)) }
            }
            tag::SUBROUTINE => DebugTypeKind::Function,
            _ => DebugTypeKind::Opaque,
        };
        DebugType { name: optional(name.to_text()), bits, alignment, kind }
    }

    fn members(&mut self, raw: Vec<RawMember>) -> Vec<DebugMember> {
        raw.into_iter()
            .map(|(name, offset, ty)| DebugMember { name, offset, ty: self.near_type(ty) })
            .collect()
    }
}

/// The type that a type is only another name for, or a qualified form of; `None` for `void`.
fn behind_names(mut raw: LLVMMetadataRef) -> Option<LLVMMetadataRef> {
    for _ in 0..MAXIMAL_NAMES {
        let RawType { tag, base, .. } = raw_type(raw);
        match tag {
            tag::TYPEDEF
            | tag::CONST
            | tag::VOLATILE
            | tag::RESTRICT
            | tag::ATOMIC
            | tag::IMMUTABLE
            | tag::TEMPLATE_ALIAS => raw = present(base)?,
            _ => return Some(raw),
        }
    }
    None
}

fn meaning(encoding: u32) -> DebugEncoding {
    match encoding {
        0x01 => DebugEncoding::Address,
        0x02 => DebugEncoding::Boolean,
        0x03 => DebugEncoding::ComplexFloat,
        0x04 => DebugEncoding::Float,
        0x05 => DebugEncoding::Signed,
        0x07 => DebugEncoding::Unsigned,
        // Signed and unsigned characters, those of Unicode, those of ASCII.
        0x06 | 0x08 | 0x10 | 0x12 => DebugEncoding::Character,
        other => DebugEncoding::Other(other),
    }
}

/// The language of DWARF's number, whatever the year of its standard.
fn language(number: u32) -> SourceLanguage {
    match number {
        0x01 | 0x02 | 0x0c | 0x1d | 0x2c => SourceLanguage::C,
        0x04 | 0x19..=0x1a | 0x21 | 0x2a..=0x2b => SourceLanguage::Cpp,
        0x07 | 0x08 | 0x0e | 0x22..=0x23 | 0x2d => SourceLanguage::Fortran,
        0x1c => SourceLanguage::Rust,
        0x1e => SourceLanguage::Swift,
        0x1f => SourceLanguage::Julia,
        _ => SourceLanguage::Other,
    }
}

fn raw_type(raw: LLVMMetadataRef) -> RawType {
    // SAFETY: bases and members of types, and types of variables, are types of the same living module.
    unsafe { enzyme_GetDebugType(raw) }
}

extern "C" fn push_declaration(state: *mut c_void, address: LLVMValueRef, variable: LLVMMetadataRef) {
    // SAFETY: `state` is the list that the function below passes, borrowed by nobody else meanwhile.
    unsafe { &mut *state.cast::<Vec<RawDeclaration>>() }.push((address, variable));
}

fn declarations(function: Function) -> Vec<RawDeclaration> {
    let mut found: Vec<RawDeclaration> = Vec::new();
    // SAFETY: the function is alive, and `found` outlives the call.
    unsafe { enzyme_VisitDebugDeclarations(function.0, push_declaration, (&raw mut found).cast()) };
    found
}

extern "C" fn push_member(state: *mut c_void, name: BorrowedText, offset: u64, ty: LLVMMetadataRef) {
    // SAFETY: `state` is the list that one of the functions below passes, borrowed by nobody else meanwhile.
    unsafe { &mut *state.cast::<Vec<RawMember>>() }.push((name.to_option(), offset, ty));
}

fn members(structure: LLVMMetadataRef) -> Vec<RawMember> {
    let mut found: Vec<RawMember> = Vec::new();
    // SAFETY: the tag says that it is a composite type; `found` outlives the call.
    unsafe { enzyme_VisitDebugMembers(structure, push_member, (&raw mut found).cast()) };
    found
}

fn discriminant(variants: LLVMMetadataRef) -> Vec<RawMember> {
    let mut found: Vec<RawMember> = Vec::new();
    // SAFETY: the tag says that it is a composite type; `found` outlives the call.
    unsafe { enzyme_VisitDebugDiscriminant(variants, push_member, (&raw mut found).cast()) };
    found
}

extern "C" fn push_count(state: *mut c_void, count: i64) {
    // SAFETY: `state` is the list that the function below passes, borrowed by nobody else meanwhile.
    unsafe { &mut *state.cast::<Vec<Option<u64>>>() }.push(count.try_into().ok());
}

fn counts(array: LLVMMetadataRef) -> Vec<Option<u64>> {
    let mut found: Vec<Option<u64>> = Vec::new();
    // SAFETY: the tag says that it is a composite type; `found` outlives the call.
    unsafe { enzyme_VisitDebugCounts(array, push_count, (&raw mut found).cast()) };
    found
}
