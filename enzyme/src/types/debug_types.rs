//! What the debug information of Rust programs says of variables in memory.

use super::analyser::RustTypes;
use super::kind::{Addresses, Kind};
use super::local::Local;
use super::reasons::Because;
use super::tree::TypeTree;
use crate::model::{DebugEncoding, DebugMember, DebugTypeId, DebugTypeKind, FloatType, SourceLanguage};

/// How many types within types are followed: types of linked lists lead back to themselves.
const DEEPEST: usize = 8;

impl Local<'_> {
    /// Learns from declarations of variables, where that was asked for.
    pub(super) fn consider_debug_information(&mut self) {
        if self.options.rust_types == RustTypes::No {
            return;
        }
        for declaration in &self.function.debug_declarations {
            if declaration.language != SourceLanguage::Rust || self.is_bytes(declaration.ty) {
                continue;
            }
            let memory = self.debug_tree(declaration.ty, 0);
            if memory.is_known() {
                let because = Because::constant("the debug information of a variable there");
                self.learn(declaration.address, TypeTree::pointer_to(&memory, self.limits()), because);
            }
        }
    }

    /// Whether a type is a pointer to bytes, which stands for a pointer to anything.
    fn is_bytes(&self, ty: DebugTypeId) -> bool {
        let types = &self.function.debug_types;
        match types[ty].kind {
            DebugTypeKind::Pointer { pointee: Some(pointee) } => types[pointee].name.as_deref() == Some("u8"),
            _ => false,
        }
    }

    /// What lies in memory that holds a value of a type, its first byte being byte 0. Of an integer only the first
    /// byte is said.
    fn debug_tree(&self, id: DebugTypeId, depth: usize) -> TypeTree {
        let ty = &self.function.debug_types[id];
        let limits = self.limits();
        if depth > DEEPEST || ty.bits == 0 {
            return TypeTree::unknown();
        }
        let here = |kind: Kind| TypeTree::root(kind).at(0, limits);
        match &ty.kind {
            DebugTypeKind::Basic(encoding) => match encoding {
                DebugEncoding::Float => match ty.bits {
                    16 => here(Kind::Float(FloatType::Half)),
                    32 => here(Kind::Float(FloatType::Float)),
                    64 => here(Kind::Float(FloatType::Double)),
                    128 => here(Kind::Float(FloatType::Fp128)),
                    _ => TypeTree::unknown(),
                },
                DebugEncoding::Signed
                | DebugEncoding::Unsigned
                | DebugEncoding::Boolean
                | DebugEncoding::Character => here(Kind::Integer),
                DebugEncoding::Address | DebugEncoding::ComplexFloat | DebugEncoding::Other(_) => {
                    TypeTree::unknown()
                }
            },
            DebugTypeKind::Enumeration { .. } => here(Kind::Integer),
            DebugTypeKind::Pointer { pointee } => {
                let mut tree = TypeTree::root(Kind::Pointer);
                if let Some(pointee) = pointee {
                    let mut target = self.debug_tree(*pointee, depth + 1);
                    // A pointer to a number may be one to any number of them.
                    if let DebugTypeKind::Basic(_) = self.function.debug_types[*pointee].kind
                        && let Some(kind) = target.first_kind()
                    {
                        target = TypeTree::of(kind);
                    }
                    let _ = tree.merge(&target, Addresses::AreAddresses, limits);
                }
                tree.at(0, limits)
            }
            DebugTypeKind::Structure { members } => {
                let mut all = TypeTree::unknown();
                for member in members {
                    // Members do not overlap.
                    let _ = all.merge(&self.member(member, depth), Addresses::AreAddresses, limits);
                }
                all
            }
            DebugTypeKind::Union { members } => {
                let mut trees = members.iter().map(|member| self.member(member, depth));
                let mut all = trees.next().unwrap_or_default();
                trees.for_each(|tree| all.meet(&tree));
                all
            }
            DebugTypeKind::Variants { discriminant, .. } => {
                discriminant.as_ref().map(|member| self.member(member, depth)).unwrap_or_default()
            }
            DebugTypeKind::Array { element, counts } => {
                let Some(count) = counts.iter().copied().product::<Option<u64>>() else {
                    return TypeTree::unknown();
                };
                let Some(size) = self.function.debug_types[*element].bytes() else {
                    return TypeTree::unknown();
                };
                let tree = self.debug_tree(*element, depth + 1);
                let mut all = TypeTree::unknown();
                let offsets = (0..count).map(|index| index.saturating_mul(size));
                for offset in offsets.take_while(|&offset| offset <= limits.offset as u64) {
                    let part = self.window(&tree, 0, None, offset);
                    let _ = all.merge(&part, Addresses::AreAddresses, limits);
                }
                all
            }
            DebugTypeKind::Function | DebugTypeKind::Opaque => TypeTree::unknown(),
        }
    }

    fn member(&self, member: &DebugMember, depth: usize) -> TypeTree {
        match member.byte_offset() {
            Some(offset) => self.window(&self.debug_tree(member.ty, depth + 1), 0, None, offset),
            None => TypeTree::unknown(),
        }
    }
}
