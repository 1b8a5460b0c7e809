//! What type-based alias analysis metadata says of the bytes that an instruction touches.
//!
//! Source: "'tbaa' Metadata" and "'tbaa.struct' Metadata" in the LLVM Language Reference Manual. Type nodes come in an
//! older form `!{name, parent or field, offset, …}` and in a size-aware one `!{parent, size, name, field, offset, size, …}`.

use std::cell::RefCell;

use rustc_hash::FxHashMap;

use super::kind::{Addresses, Kind};
use super::tree::{Limits, TypeTree};
use crate::model::{ConstantKind, Context, FloatType, Inst, Metadata, MetadataId};

/// What is known of the memory that an instruction reads or writes, its first byte being byte 0: a root `Pointer` and
/// what lies under it. `None` when the metadata says nothing.
pub(super) fn accessed(
    context: &Context,
    inst: &Inst,
    pointer_size: u64,
    limits: Limits,
) -> Option<TypeTree> {
    let reader = Reader { context, pointer_size, limits, known: RefCell::default() };
    let node = |kind: &str| inst.metadata.iter().find(|(name, _)| name == kind).map(|(_, node)| *node);
    let mut tree = TypeTree::root(Kind::Pointer);
    if let Some(parts) = node("tbaa.struct") {
        for part in reader.elements(parts).chunks_exact(3) {
            let (Some(start), Some(size), Some(tag)) =
                (reader.number(part[0]), reader.number(part[1]), part[2])
            else {
                continue;
            };
            reader.merge(&mut tree, &reader.tag(tag).window(0, Some(size), start, pointer_size, limits));
        }
    }
    if let Some(tag) = node("tbaa") {
        reader.merge(&mut tree, &reader.tag(tag));
    }
    (tree.len() > 1).then_some(tree)
}

/// Whether an instruction is said to access an integer.
pub(super) fn accesses_integer(context: &Context, inst: &Inst) -> bool {
    accessed(context, inst, 8, Limits::default()).is_some_and(|tree| tree.first_kind() == Some(Kind::Integer))
}

struct Reader<'a> {
    context: &'a Context,
    pointer_size: u64,
    limits: Limits,
    /// Types that were read: a structure may have another one many times.
    known: RefCell<FxHashMap<MetadataId, TypeTree>>,
}

/// How a type node is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Plain,
    WithSizes,
}

impl Reader<'_> {
    fn elements(&self, node: MetadataId) -> &[Option<MetadataId>] {
        match &self.context.metadata[node] {
            Metadata::Node { elements, .. } => elements,
            Metadata::String(_) | Metadata::Constant(_) | Metadata::Value(_) => &[],
        }
    }

    fn text(&self, node: Option<MetadataId>) -> Option<&str> {
        match &self.context.metadata[node?] {
            Metadata::String(text) => Some(text),
            Metadata::Node { .. } | Metadata::Constant(_) | Metadata::Value(_) => None,
        }
    }

    fn number(&self, node: Option<MetadataId>) -> Option<u64> {
        match &self.context.metadata[node?] {
            Metadata::Constant(constant) => match &self.context.constant(*constant).kind {
                ConstantKind::Integer(number) => number.as_u64(),
                _ => None,
            },
            Metadata::Node { .. } | Metadata::String(_) | Metadata::Value(_) => None,
        }
    }

    fn is_node(&self, node: Option<MetadataId>) -> bool {
        node.is_some_and(|node| matches!(self.context.metadata[node], Metadata::Node { .. }))
    }

    fn merge(&self, tree: &mut TypeTree, other: &TypeTree) {
        // Unions have several fields at one offset. Where they disagree, the first one that is named is believed, as
        // the access itself is of one type only.
        for (path, kind) in other.iter() {
            let _ = tree.add(path, kind, Addresses::AreAddresses, self.limits);
        }
    }

    /// An access tag: the type that is accessed.
    fn tag(&self, tag: MetadataId) -> TypeTree {
        let elements = self.elements(tag);
        if elements.len() >= 3 && self.is_node(elements[0]) {
            return elements[1].map(|access| self.type_node(access, 0)).unwrap_or_default();
        }
        // Before struct paths, the tag was the type itself.
        let kind = self.text(elements.first().copied().flatten()).and_then(named);
        kind.map(|kind| TypeTree::root(kind).at(0, self.limits)).unwrap_or_default()
    }

    fn form(&self, node: MetadataId) -> Form {
        let elements = self.elements(node);
        if elements.len() >= 3 && self.is_node(elements[0]) { Form::WithSizes } else { Form::Plain }
    }

    fn type_node(&self, node: MetadataId, depth: usize) -> TypeTree {
        if let Some(known) = self.known.borrow().get(&node) {
            return known.clone();
        }
        let tree = self.read_type(node, depth);
        self.known.borrow_mut().insert(node, tree.clone());
        tree
    }

    fn read_type(&self, node: MetadataId, depth: usize) -> TypeTree {
        let elements = self.elements(node);
        let form = self.form(node);
        let (name, first_field, per_field) = match form {
            Form::Plain => (0, 1, 2),
            Form::WithSizes => (2, 3, 3),
        };
        if let Some(kind) = self.text(elements.get(name).copied().flatten()).and_then(named) {
            return TypeTree::of(kind);
        }
        let mut tree = TypeTree::root(Kind::Pointer);
        // Types do not contain themselves, but a file may say so.
        if depth > 64 {
            return tree;
        }
        // A scalar's parent is written like a field at offset 0: a scalar that is not known by name may be a kind of
        // one that is.
        let fields: Vec<_> = elements.get(first_field..).unwrap_or_default().chunks(per_field).collect();
        let offset_of =
            |field: &[Option<MetadataId>]| field.get(1).and_then(|&offset| self.number(offset)).unwrap_or(0);
        for (position, field) in fields.iter().enumerate() {
            let Some(ty) = field[0].filter(|_| self.is_node(field[0])) else { continue };
            let offset = offset_of(field);
            // A field ends where it says, or where the next one begins.
            let size = field.get(2).and_then(|&size| self.number(size)).or_else(|| {
                let next = offset_of(fields.get(position + 1)?);
                next.checked_sub(offset).filter(|&size| size > 0)
            });
            let part = self.type_node(ty, depth + 1).window(0, size, offset, self.pointer_size, self.limits);
            self.merge(&mut tree, &part);
        }
        tree
    }
}

/// What the names of scalar types mean, in the TBAA of Clang (C and C++), Julia and Flang.
fn named(name: &str) -> Option<Kind> {
    Some(match name {
        "long long" | "long" | "int" | "short" | "bool" | "__int128" | "unsigned char" | "wchar_t"
        | "char16_t" | "char32_t" | "jtbaa_arraysize" | "jtbaa_arraylen" | "jtbaa_arrayflags" | "integer"
        | "logical" => Kind::Integer,
        "any pointer" | "vtable pointer" | "jtbaa_arrayptr" | "jtbaa_tag" => Kind::Pointer,
        "__fp16" | "half" | "_Float16" => Kind::Float(FloatType::Half),
        "__bf16" => Kind::Float(FloatType::BFloat),
        "float" => Kind::Float(FloatType::Float),
        "double" => Kind::Float(FloatType::Double),
        "__float128" | "_Float128" => Kind::Float(FloatType::Fp128),
        // Since LLVM 20 Clang tells pointers apart by what they point to: `p1 int`, `p2 _ZTS4node`.
        _ => {
            let rest = name.strip_prefix('p')?.trim_start_matches(|letter: char| letter.is_ascii_digit());
            let depth = name.len() - rest.len() > 1;
            return (depth && rest.starts_with(' ')).then_some(Kind::Pointer);
        }
    })
}
