//! Sizes, alignments and field offsets of types, as a data layout string gives them.
//!
//! Source: "Data Layout" in the LLVM Language Reference Manual. What a string leaves open has the manual's defaults.

use super::{
    ConstantId, ConstantKind, Context, Function, Packing, StructBody, Type, TypeId, ValueId, VectorLength,
};

/// How a target lays out data in memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataLayout {
    big_endian: bool,
    /// Alignment of the integers of some widths, by width: `(bits, bits of alignment)`.
    integers: Vec<(u64, u64)>,
    floats: Vec<(u64, u64)>,
    vectors: Vec<(u64, u64)>,
    pointers: Vec<PointerLayout>,
    aggregate_alignment: u64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct PointerLayout {
    address_space: u32,
    size: u64,
    alignment: u64,
    index_size: u64,
}

impl Default for DataLayout {
    fn default() -> Self {
        let pointer = PointerLayout { address_space: 0, size: 64, alignment: 64, index_size: 64 };
        Self {
            big_endian: false,
            integers: vec![(1, 8), (8, 8), (16, 16), (32, 32), (64, 32)],
            floats: vec![(16, 16), (32, 32), (64, 64), (128, 128)],
            vectors: vec![(64, 64), (128, 128)],
            pointers: vec![pointer],
            aggregate_alignment: 0,
        }
    }
}

impl DataLayout {
    /// The layout of a context: of its data layout string, or the default one.
    pub fn of(context: &Context) -> Self {
        context.data_layout.as_deref().map_or_else(Self::default, Self::parse)
    }

    /// Reads a data layout string. Parts that say nothing of sizes, or that cannot be read, change nothing.
    pub fn parse(text: &str) -> Self {
        let mut layout = Self::default();
        for part in text.split('-') {
            layout.specification(part);
        }
        layout
    }

    fn specification(&mut self, part: &str) {
        let mut fields = part.split(':');
        let head = fields.next().unwrap_or_default();
        let numbers: Vec<u64> = fields.map_while(|field| field.parse().ok()).collect();
        let width = head.get(1..).and_then(|rest| rest.parse().ok());
        match head.chars().next() {
            Some('E') if head.len() == 1 => self.big_endian = true,
            Some('e') if head.len() == 1 => self.big_endian = false,
            Some('p') => {
                let digits = head[1..].trim_start_matches(|letter: char| !letter.is_ascii_digit());
                let address_space = digits.parse().unwrap_or(0);
                let &[size, ref rest @ ..] = &numbers[..] else { return };
                let alignment = rest.first().copied().unwrap_or(size);
                let index_size = rest.get(2).copied().unwrap_or(size);
                self.pointers.retain(|pointer| pointer.address_space != address_space);
                self.pointers.push(PointerLayout { address_space, size, alignment, index_size });
            }
            Some('a') => self.aggregate_alignment = numbers.first().copied().unwrap_or(0),
            Some(kind @ ('i' | 'f' | 'v')) => {
                let (Some(width), Some(&alignment)) = (width, numbers.first()) else { return };
                let table = match kind {
                    'i' => &mut self.integers,
                    'f' => &mut self.floats,
                    _ => &mut self.vectors,
                };
                table.retain(|&(bits, _)| bits != width);
                table.push((width, alignment));
                table.sort_unstable();
            }
            _ => {}
        }
    }

    /// Whether the most significant byte comes first.
    pub fn is_big_endian(&self) -> bool {
        self.big_endian
    }

    /// Bytes of a pointer in an address space.
    pub fn pointer_size(&self, address_space: u32) -> u64 {
        self.pointer(address_space).size.div_ceil(8)
    }

    /// Bits of the integers that count bytes in an address space.
    pub fn index_bits(&self, address_space: u32) -> u64 {
        self.pointer(address_space).index_size
    }

    fn pointer(&self, address_space: u32) -> &PointerLayout {
        let of = |space| self.pointers.iter().find(|pointer| pointer.address_space == space);
        of(address_space).or_else(|| of(0)).unwrap_or(&self.pointers[0])
    }

    /// Bits of a value, without padding after it; for a scalable vector the smallest number possible.
    /// Zero for what has no size: `void`, functions, opaque structures, labels, tokens, metadata.
    pub fn size_in_bits(&self, context: &Context, ty: TypeId) -> u64 {
        match context.ty(ty) {
            Type::Void | Type::Function(_) | Type::Token | Type::Metadata | Type::Label | Type::Target(_) => {
                0
            }
            Type::Float(float) => float.bits().into(),
            Type::Integer { bits } => (*bits).into(),
            Type::Pointer { address_space } => self.pointer(*address_space).size,
            Type::Array { length, element } => {
                length.saturating_mul(8 * self.allocation_size(context, *element))
            }
            Type::Vector { length, element } => {
                u64::from(length.minimum()) * self.size_in_bits(context, *element)
            }
            Type::Struct(structure) => match &structure.body {
                Some(body) => 8 * self.end_of_struct(context, body),
                None => 0,
            },
            Type::X86Mmx => 64,
            Type::X86Amx => 8192,
        }
    }

    /// Bytes that a store of a value writes.
    pub fn store_size(&self, context: &Context, ty: TypeId) -> u64 {
        self.size_in_bits(context, ty).div_ceil(8)
    }

    /// Bytes from one element of an array to the next.
    pub fn allocation_size(&self, context: &Context, ty: TypeId) -> u64 {
        self.store_size(context, ty).next_multiple_of(self.alignment(context, ty))
    }

    /// Alignment in bytes that the target's calling convention asks for, at least 1.
    pub fn alignment(&self, context: &Context, ty: TypeId) -> u64 {
        let bits = match context.ty(ty) {
            Type::Float(float) => exact(&self.floats, float.bits().into())
                .unwrap_or_else(|| u64::from(float.bits()).next_power_of_two()),
            Type::Integer { bits } => self.integer_alignment((*bits).into()),
            Type::Pointer { address_space } => self.pointer(*address_space).alignment,
            Type::Array { element, .. } => return self.alignment(context, *element),
            Type::Vector { .. } => {
                let bits = self.size_in_bits(context, ty);
                exact(&self.vectors, bits)
                    .unwrap_or_else(|| (8 * self.store_size(context, ty).max(1)).next_power_of_two())
            }
            Type::Struct(structure) => {
                let body = structure.body.as_ref().filter(|body| body.packing == Packing::Padded);
                let of_fields = body
                    .into_iter()
                    .flat_map(|body| &body.fields)
                    .map(|&field| self.alignment(context, field))
                    .max();
                return match (body, of_fields) {
                    (Some(_), Some(most)) => most.max(self.aggregate_alignment / 8),
                    (Some(_), None) => (self.aggregate_alignment / 8).max(1),
                    (None, _) => 1,
                };
            }
            Type::X86Mmx => 64,
            Type::X86Amx => 512,
            Type::Void | Type::Function(_) | Type::Token | Type::Metadata | Type::Label | Type::Target(_) => {
                8
            }
        };
        bits.div_ceil(8).max(1)
    }

    /// The alignment of the smallest integer at least as wide; of the widest when none is.
    fn integer_alignment(&self, bits: u64) -> u64 {
        let wide_enough = self.integers.iter().find(|&&(width, _)| width >= bits);
        wide_enough.or(self.integers.last()).map_or(8, |&(_, alignment)| alignment)
    }

    /// Byte offsets of the fields of a structure, in order.
    pub fn field_offsets(&self, context: &Context, body: &StructBody) -> Vec<u64> {
        let mut offset = 0;
        body.fields
            .iter()
            .map(|&field| {
                offset = self.field_start(context, body, offset, field);
                let start = offset;
                offset += self.allocation_size(context, field);
                start
            })
            .collect()
    }

    fn field_start(&self, context: &Context, body: &StructBody, offset: u64, field: TypeId) -> u64 {
        match body.packing {
            Packing::Packed => offset,
            Packing::Padded => offset.next_multiple_of(self.alignment(context, field)),
        }
    }

    fn end_of_struct(&self, context: &Context, body: &StructBody) -> u64 {
        let mut offset = 0;
        let mut alignment = 1;
        for &field in &body.fields {
            offset = self.field_start(context, body, offset, field);
            offset += self.allocation_size(context, field);
            if body.packing == Packing::Padded {
                alignment = alignment.max(self.alignment(context, field));
            }
        }
        offset.next_multiple_of(alignment)
    }

    /// The byte offset and the type of one part of an array, vector or structure; `None` when it has no such part,
    /// or when elements do not start at whole bytes.
    pub fn part(&self, context: &Context, ty: TypeId, index: u64) -> Option<(u64, TypeId)> {
        match context.ty(ty) {
            Type::Array { element, .. } => Some((index * self.allocation_size(context, *element), *element)),
            Type::Vector { length: VectorLength::Fixed(_) | VectorLength::Scalable(_), element } => {
                let bits = self.size_in_bits(context, *element);
                bits.is_multiple_of(8).then(|| (index * bits / 8, *element))
            }
            Type::Struct(structure) => {
                let body = structure.body.as_ref()?;
                let field = *body.fields.get(usize::try_from(index).ok()?)?;
                let offset = self.field_offsets(context, body)[index as usize];
                Some((offset, field))
            }
            Type::Void
            | Type::Float(_)
            | Type::Integer { .. }
            | Type::Pointer { .. }
            | Type::Function(_)
            | Type::Target(_)
            | Type::Token
            | Type::Metadata
            | Type::Label
            | Type::X86Mmx
            | Type::X86Amx => None,
        }
    }

    /// How far a `getelementptr` moves its pointer: `None` when that cannot be said in 64 bits, or elements have no
    /// size that is known before running.
    pub fn element_offset(
        &self,
        function: &Function,
        source: TypeId,
        indices: &[ValueId],
    ) -> Option<ElementOffset> {
        let numbers: Vec<Option<i64>> =
            indices.iter().map(|&index| function.as_constant(index).and_then(number)).collect();
        let IndexedOffset { constant, variable: scales, element } =
            self.offset_of_indices(&function.context, source, &numbers)?;
        let mut variable: Vec<(ValueId, i64)> = Vec::new();
        for (position, scale) in scales {
            match variable.iter_mut().find(|(value, _)| *value == indices[position]) {
                Some((_, sum)) => *sum = sum.checked_add(scale)?,
                None => variable.push((indices[position], scale)),
            }
        }
        Some(ElementOffset { constant, variable, element })
    }

    /// The same for a `getelementptr` among constants, all of whose indices are known: bytes and the type of what the
    /// result points to.
    pub fn constant_element_offset(
        &self,
        context: &Context,
        source: TypeId,
        indices: &[ConstantId],
    ) -> Option<(i64, TypeId)> {
        let numbers: Vec<Option<i64>> =
            indices.iter().map(|&index| number(&context.constant(index).kind)).collect();
        let offset = self.offset_of_indices(context, source, &numbers)?;
        offset.variable.is_empty().then_some((offset.constant, offset.element))
    }

    fn offset_of_indices(
        &self,
        context: &Context,
        source: TypeId,
        numbers: &[Option<i64>],
    ) -> Option<IndexedOffset> {
        let (mut constant, mut variable, mut element) = (0_i64, Vec::new(), source);
        for (position, &number) in numbers.iter().enumerate() {
            if position > 0 {
                match context.ty(element) {
                    Type::Struct(_) => {
                        let (start, field) = self.part(context, element, u64::try_from(number?).ok()?)?;
                        constant = constant.checked_add(i64::try_from(start).ok()?)?;
                        element = field;
                        continue;
                    }
                    Type::Array { element: part, .. }
                    | Type::Vector { length: VectorLength::Fixed(_), element: part } => {
                        element = *part;
                    }
                    _ => return None,
                }
            }
            let size = i64::try_from(self.allocation_size(context, element)).ok()?;
            match number {
                Some(number) => constant = constant.checked_add(number.checked_mul(size)?)?,
                None => variable.push((position, size)),
            }
        }
        Some(IndexedOffset { constant, variable, element })
    }

    /// The byte offset and the type of the part that a path names, as `extractvalue` and the later indices of a
    /// `getelementptr` do.
    pub fn part_at(
        &self,
        context: &Context,
        ty: TypeId,
        path: impl IntoIterator<Item = u64>,
    ) -> Option<(u64, TypeId)> {
        path.into_iter().try_fold((0, ty), |(offset, ty), index| {
            let (start, part) = self.part(context, ty, index)?;
            Some((offset + start, part))
        })
    }
}

/// An [`ElementOffset`] whose unknown indices are told by their positions.
struct IndexedOffset {
    constant: i64,
    variable: Vec<(usize, i64)>,
    element: TypeId,
}

/// How far a `getelementptr` moves its pointer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ElementOffset {
    /// Bytes that are known.
    pub constant: i64,
    /// Indices that are not, each with the bytes it counts for.
    pub variable: Vec<(ValueId, i64)>,
    /// The type of what the result points to.
    pub element: TypeId,
}

/// The number that a constant index is.
fn number(constant: &ConstantKind) -> Option<i64> {
    match constant {
        ConstantKind::Integer(number) => number.as_i64(),
        _ => None,
    }
}

fn exact(table: &[(u64, u64)], bits: u64) -> Option<u64> {
    table.iter().find(|&&(width, _)| width == bits).map(|&(_, alignment)| alignment)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::FloatType;

    const X86: &str = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128";

    #[test]
    fn structures_are_padded_as_the_x86_convention_says() {
        let mut context = Context::default();
        let (byte, long) = (context.int_type(8), context.int_type(64));
        let extended = context.intern_type(Type::Float(FloatType::X86Fp80));
        let body = StructBody { fields: vec![byte, long, byte, extended], packing: Packing::Padded };
        let layout = DataLayout::parse(X86);
        assert_eq!(layout.field_offsets(&context, &body), [0, 8, 16, 32]);
        let packed = StructBody { packing: Packing::Packed, ..body.clone() };
        assert_eq!(layout.field_offsets(&context, &packed), [0, 1, 9, 10]);
        let ty = context.struct_type(body);
        assert_eq!(layout.allocation_size(&context, ty), 48);
        assert_eq!(layout.alignment(&context, ty), 16);
    }

    #[test]
    fn defaults_hold_where_the_string_is_silent() {
        let mut context = Context::default();
        let long = context.int_type(64);
        assert_eq!(DataLayout::default().alignment(&context, long), 4);
        assert_eq!(DataLayout::parse(X86).alignment(&context, long), 8);
        let pointer = context.pointer_type();
        assert_eq!(DataLayout::default().allocation_size(&context, pointer), 8);
        assert_eq!(DataLayout::parse("e-p:32:32").pointer_size(0), 4);
        assert!(DataLayout::parse("E-p:32:32").is_big_endian());
    }

    #[test]
    fn vectors_of_odd_length_are_aligned_to_a_power_of_two() {
        let mut context = Context::default();
        let float = context.intern_type(Type::Float(FloatType::Float));
        let three = context.vector_type(VectorLength::Fixed(3), float);
        let layout = DataLayout::parse(X86);
        assert_eq!(layout.store_size(&context, three), 12);
        assert_eq!(layout.allocation_size(&context, three), 16);
        assert_eq!(layout.part_at(&context, three, [2]), Some((8, float)));
    }
}
