//! What the analysis is told of types: whether a value can hold a number, an address, or neither.

use std::ops::{BitAnd, BitOr, BitOrAssign};

use cranelift_entity::SecondaryMap;

use crate::model::{DataLayout, Function, Type, TypeId, ValueId};
use crate::program::FunctionId;
use crate::types::{Analyser, EVERY, Kind, TypeTree, ValueTypes};

/// What a type analysis found out about the values of a program.
pub trait TypeFacts {
    /// What a value of a function holds, where that is known, whatever the function is called with.
    fn tree(&self, function: FunctionId, value: ValueId) -> Option<&TypeTree>;
}

/// What [type analysis](crate::types) found out, over all contexts that it looked at.
#[derive(Clone, Debug, Default)]
pub struct AnalysedTypes {
    functions: SecondaryMap<FunctionId, Option<SecondaryMap<ValueId, TypeTree>>>,
}

impl AnalysedTypes {
    /// The types of all functions that were analysed. Of a function in several contexts, what all of them agree on.
    pub fn of(analyser: &Analyser<'_>) -> Self {
        let mut functions: SecondaryMap<FunctionId, Option<SecondaryMap<ValueId, TypeTree>>> =
            SecondaryMap::new();
        for (context, id, _) in analyser.contexts() {
            let types = analyser.types(context);
            let known = &mut functions[id];
            let first = known.is_none();
            let trees = known.get_or_insert_default();
            for value in types.function().values.keys() {
                let tree = types.of(value);
                if first { trees[value] = tree } else { trees[value].meet(&tree) }
            }
        }
        Self { functions }
    }
}

impl TypeFacts for AnalysedTypes {
    fn tree(&self, function: FunctionId, value: ValueId) -> Option<&TypeTree> {
        self.functions[function].as_ref().map(|trees| &trees[value])
    }
}

/// The types of the only function of a program.
impl TypeFacts for ValueTypes {
    fn tree(&self, _: FunctionId, value: ValueId) -> Option<&TypeTree> {
        Some(self.of(value))
    }
}

/// No facts beyond the types that the IR declares: an integer may be the bits of a float or an address.
#[derive(Clone, Copy, Debug, Default)]
pub struct DeclaredTypes;

impl TypeFacts for DeclaredTypes {
    fn tree(&self, _: FunctionId, _: ValueId) -> Option<&TypeTree> {
        None
    }
}

/// What a value can hold, or an instruction can move, of what matters to derivatives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Content(u8);

impl Content {
    /// Neither numbers nor addresses: integers, labels, tokens.
    pub const NOTHING: Self = Self(0);
    /// Floats, or bits that may be those of floats.
    pub const NUMBERS: Self = Self(1);
    /// Addresses, or bits that may be those of addresses.
    pub const ADDRESSES: Self = Self(2);
    /// Both, or it is not known which.
    pub const BOTH: Self = Self(3);

    /// Whether there may be numbers in it.
    pub const fn has_numbers(self) -> bool {
        self.0 & Self::NUMBERS.0 != 0
    }

    /// Whether there may be addresses in it.
    pub const fn has_addresses(self) -> bool {
        self.0 & Self::ADDRESSES.0 != 0
    }

    /// Whether there is neither.
    pub const fn is_nothing(self) -> bool {
        self.0 == 0
    }

    /// Whether the two have something in common.
    pub const fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

impl BitOr for Content {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitOrAssign for Content {
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

impl BitAnd for Content {
    type Output = Self;
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

/// The fewest bits that an address can have.
const NARROWEST_ADDRESS: u64 = 32;

/// How many elements of an array or vector are looked at one by one; beyond, what is said of every offset counts.
const ELEMENTS_LOOKED_AT: u64 = 64;

/// What a value can hold, by its declared type and what is known beyond.
pub(super) fn content(
    function: &Function,
    layout: &DataLayout,
    value: ValueId,
    tree: Option<&TypeTree>,
) -> Content {
    let reading = Reading { function, layout, tree };
    reading.part(function.values[value].ty, 0)
}

/// What the memory behind an address can hold, where the type tree of the address says so for every byte.
pub(super) fn content_behind(tree: Option<&TypeTree>) -> Content {
    let everywhere = tree.and_then(|tree| tree.get(&[EVERY, EVERY]).or_else(|| tree.get(&[0, EVERY])));
    everywhere.map_or(Content::BOTH, of_kind)
}

fn of_kind(kind: Kind) -> Content {
    match kind {
        Kind::Integer => Content::NOTHING,
        Kind::Float(_) => Content::NUMBERS,
        Kind::Pointer => Content::ADDRESSES,
        // As good as unknown: a part that could be anything absorbs what else is known.
        Kind::Anything => Content::BOTH,
    }
}

struct Reading<'a> {
    function: &'a Function,
    layout: &'a DataLayout,
    tree: Option<&'a TypeTree>,
}

impl Reading<'_> {
    fn part(&self, ty: TypeId, offset: u64) -> Content {
        match self.function.ty(ty) {
            Type::Float(_) => Content::NUMBERS,
            Type::Integer { bits } => self.integer(u64::from(*bits), offset),
            Type::Pointer { .. } => self.address(offset),
            Type::Array { length, element } => self.elements(*length, *element, offset, ty),
            Type::Vector { length, element } => {
                self.elements(u64::from(length.minimum()), *element, offset, ty)
            }
            Type::Struct(structure) => {
                let Some(body) = &structure.body else { return Content::BOTH };
                let offsets = self.layout.field_offsets(&self.function.context, body);
                let parts = body.fields.iter().zip(offsets);
                parts.fold(Content::NOTHING, |all, (&field, start)| all | self.part(field, offset + start))
            }
            Type::Target(_) => Content::BOTH,
            Type::X86Mmx | Type::X86Amx => Content::NUMBERS,
            Type::Void | Type::Function(_) | Type::Token | Type::Metadata | Type::Label => Content::NOTHING,
        }
    }

    fn elements(&self, length: u64, element: TypeId, offset: u64, whole: TypeId) -> Content {
        let context = &self.function.context;
        (0..length.min(ELEMENTS_LOOKED_AT)).fold(Content::NOTHING, |all, index| {
            match self.layout.part(context, whole, index) {
                Some((start, _)) => all | self.part(element, offset + start),
                // Elements smaller than a byte hold neither.
                None => all,
            }
        })
    }

    fn integer(&self, bits: u64, offset: u64) -> Content {
        let able = match bits {
            0..8 => Content::NOTHING,
            8..NARROWEST_ADDRESS => Content::NUMBERS,
            NARROWEST_ADDRESS.. => Content::BOTH,
        };
        let bytes = bits.div_ceil(8);
        // Parts of an integer may hold different things: a struct passed in a register.
        let known = (0..bytes.min(ELEMENTS_LOOKED_AT)).fold(Content::NOTHING, |all, byte| {
            all | self.kind_at(offset + byte).map_or(Content::BOTH, of_kind)
        });
        able & known
    }

    fn kind_at(&self, offset: u64) -> Option<Kind> {
        let tree = self.tree?;
        let offset = i32::try_from(offset).ok()?;
        // What is known of a float's or an address's first byte goes for its others.
        (0..16).map_while(|back| offset.checked_sub(back).filter(|&start| start >= 0)).find_map(|start| {
            let kind = tree.get(&[start])?;
            let reaches = start == offset || kind.stride(8) > u64::from((offset - start).unsigned_abs());
            reaches.then_some(kind)
        })
    }

    /// An address of memory that holds nothing but integers is none that matters.
    fn address(&self, offset: u64) -> Content {
        let behind = self.tree.and_then(|tree| {
            let offset = i32::try_from(offset).ok()?;
            tree.get(&[offset, EVERY])
        });
        match behind {
            Some(Kind::Integer) => Content::NOTHING,
            Some(Kind::Anything | Kind::Pointer | Kind::Float(_)) | None => Content::ADDRESSES,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Module;

    fn content_of(ty: &str, tree: Option<&str>) -> Content {
        let text = format!("define void @f({ty} %x) {{\n  ret void\n}}\n");
        let module: Module = text.parse().expect("parses");
        let function = &module.functions[0];
        let layout = DataLayout::of(&function.context);
        let tree: Option<TypeTree> = tree.map(|tree| tree.parse().expect("a tree"));
        content(function, &layout, function.parameters[0], tree.as_ref())
    }

    #[test]
    fn declared_types_leave_integers_open() {
        assert_eq!(content_of("double", None), Content::NUMBERS);
        assert_eq!(content_of("ptr", None), Content::ADDRESSES);
        assert_eq!(content_of("i64", None), Content::BOTH);
        assert_eq!(content_of("i16", None), Content::NUMBERS);
        assert_eq!(content_of("i1", None), Content::NOTHING);
        assert_eq!(content_of("<64 x i1>", None), Content::NOTHING);
        assert_eq!(content_of("{ ptr, double }", None), Content::BOTH);
        assert_eq!(content_of("[4 x float]", None), Content::NUMBERS);
    }

    #[test]
    fn trees_settle_what_integers_are() {
        assert_eq!(content_of("i64", Some("{[-1]:Integer}")), Content::NOTHING);
        assert_eq!(content_of("i64", Some("{[-1]:Float@double}")), Content::NUMBERS);
        assert_eq!(content_of("i64", Some("{[0]:Float@double}")), Content::NUMBERS);
        assert_eq!(content_of("i64", Some("{[-1]:Pointer}")), Content::ADDRESSES);
        assert_eq!(content_of("i64", Some("{[-1]:Anything}")), Content::BOTH);
        assert_eq!(content_of("{ ptr, i64 }", Some("{[8]:Integer}")), Content::BOTH);
        assert_eq!(content_of("i64", Some("{[0]:Float@float}")), Content::BOTH);
        assert_eq!(content_of("i64", Some("{[0]:Float@float, [4]:Float@float}")), Content::NUMBERS);
    }

    #[test]
    fn an_address_of_integers_alone_does_not_count() {
        assert_eq!(content_of("ptr", Some("{[-1]:Pointer, [-1,-1]:Integer}")), Content::NOTHING);
        assert_eq!(content_of("ptr", Some("{[-1]:Pointer, [-1,0]:Integer}")), Content::ADDRESSES);
        let tree: TypeTree = "{[-1]:Pointer, [-1,-1]:Integer}".parse().expect("a tree");
        assert_eq!(content_behind(Some(&tree)), Content::NOTHING);
        assert_eq!(content_behind(None), Content::BOTH);
    }
}
