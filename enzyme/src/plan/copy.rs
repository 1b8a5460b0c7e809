//! Copies and fills of memory with a shadow.
//!
//! The shadow of copied memory is a copy of its shadow. Where the copied memory has none, its floats become constants:
//! the shadow gets zeros for them and the same integers, and pointers stand in the way.

use super::flow::{Carries, holds};
use super::forward::{ForwardStep, Fresh, Planner};
use super::globals::base_global;
use super::repeated::Extent;
use super::stated::Run;
use super::{Direction, MemoryActivity, Reason, Role, UnknownTypes, role};
use crate::model::{
    ConstantKind, DataLayout, FloatType, Function, InstId, Opcode, Type, TypeId, ValueDefinition, ValueId,
    VectorLength,
};
use crate::types::{Contents, EVERY, Kind};
use smallvec::{SmallVec, smallvec};

/// Some bytes of copied memory that has no shadow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The first of them.
    pub offset: u64,
    /// How many there are.
    pub length: u64,
    /// What they become in the shadow.
    pub shadow: PieceShadow,
}

/// What bytes become in a shadow that are copied one piece after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PieceShadow {
    /// Zero: they are floats, or nothing.
    Zero,
    /// The same bytes: they are integers.
    Same,
    /// The bytes of the other shadow: they are pointers (reverse mode).
    Copied,
}

/// Floats among copied bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FloatPiece {
    /// The first byte.
    pub offset: u64,
    /// How many bytes.
    pub length: u64,
    /// What they are.
    pub float: FloatType,
}

/// What is copied at once, piece by piece.
#[derive(Debug, Default)]
pub(super) struct Pieces {
    /// The floats.
    pub(super) floats: Vec<FloatPiece>,
    /// The pointers: their offsets and lengths.
    pub(super) pointers: Vec<(u64, u64)>,
}

/// What is copied at once, as far as it is known, where only the program says how many bytes are.
#[derive(Debug)]
pub(super) struct Prefix {
    /// The floats.
    pub(super) floats: Vec<FloatPiece>,
    /// How many bytes are known.
    pub(super) length: u64,
}

/// Copies of more bytes than this are not told apart piece by piece.
pub(super) const LONGEST: u64 = 512;

/// The size of the smallest floats that programs compute with as a rule.
const SMALLEST_USUAL_FLOAT: u64 = 4;

impl Planner<'_> {
    /// Bytes in memory with a shadow: floats become constants, others are the same in the shadow.
    pub(super) fn fill(&self, inst: InstId, to: usize, length: usize) -> Result<ForwardStep, Reason> {
        let operands = &self.function.insts[inst].operands;
        match self.context.types.bytes(operands[to], self.constant_length(operands[length])) {
            Contents::Only(Kind::Float(_)) => Ok(ForwardStep::ClearShadow { to, length }),
            Contents::Only(Kind::Integer | Kind::Pointer | Kind::Anything)
            | Contents::Mixed
            | Contents::Unknown => self.mirror(inst, &[to], Fresh::No),
        }
    }

    /// Numbers from elsewhere in memory with a shadow: none of them has a tangent.
    pub(super) fn overwrite(
        &self,
        inst: InstId,
        to: usize,
        length: Option<usize>,
    ) -> Result<ForwardStep, Reason> {
        let operands = &self.function.insts[inst].operands;
        let count = length.and_then(|length| self.constant_length(operands[length]));
        match (self.context.types.bytes(operands[to], count), length) {
            // A shadow is not asked for the integers in it.
            (Contents::Only(Kind::Integer), _) => Ok(ForwardStep::Keep),
            (_, Some(length)) => Ok(ForwardStep::ClearShadow { to, length }),
            (_, None) => Err(Reason::Overwritten { pointer: self.function.display_name(operands[to]) }),
        }
    }

    /// A copy of memory.
    pub(super) fn copy(
        &self,
        inst: InstId,
        to: usize,
        from: usize,
        length: usize,
    ) -> Result<ForwardStep, Reason> {
        let operands = &self.function.insts[inst].operands;
        let (target, source) = (operands[to], operands[from]);
        if self.carries[target] == Carries::Lost && self.context.activity.inst(inst).is_active() {
            return Err(Reason::LostPointer);
        }
        if !self.has_shadow(target) {
            return Ok(ForwardStep::Keep);
        }
        if self.has_shadow(source) {
            return self.mirror(inst, &[to, from], Fresh::No);
        }
        let count = self.constant_length(operands[length]);
        let known = [self.copied_contents(target, source, count), self.constant_contents(source)];
        for contents in known {
            match contents {
                Contents::Only(Kind::Float(_)) => return Ok(ForwardStep::ClearShadow { to, length }),
                // A shadow holds the same integers as its primal.
                Contents::Only(Kind::Integer) => {
                    let operands = smallvec![to];
                    return Ok(ForwardStep::Mirror { operands, zeroed: SmallVec::new(), fresh: Fresh::No });
                }
                // Without a shadow, a pointer is its own.
                Contents::Only(Kind::Pointer)
                    if self.context.memory_activity == MemoryActivity::DecidedAtRunTime =>
                {
                    let operands = smallvec![to];
                    return Ok(ForwardStep::Mirror { operands, zeroed: SmallVec::new(), fresh: Fresh::No });
                }
                Contents::Only(Kind::Pointer) => {
                    return Err(Reason::NoShadow { pointer: self.function.display_name(source) });
                }
                Contents::Mixed => break,
                Contents::Only(Kind::Anything) | Contents::Unknown => {}
            }
        }
        if let Some(pieces) = count.map(|count| self.pieces(target, source, count)).transpose()?.flatten() {
            return Ok(ForwardStep::CopyPieces { to, from, pieces, extent: Extent::Once });
        }
        if known.contains(&Contents::Mixed)
            && let Some((period, pieces)) = self.repeated_constants([target, source])
        {
            let extent = Extent::Repeated { period, length };
            return Ok(ForwardStep::CopyPieces { to, from, pieces, extent });
        }
        if let Some(pieces) = count
            .and_then(|count| self.stated_runs(inst, [to, from], count))
            .map(|runs| self.pieces_without_shadow(&runs, source))
            .transpose()?
        {
            return Ok(ForwardStep::CopyPieces { to, from, pieces, extent: Extent::Once });
        }
        match self.context.unknown_types {
            UnknownTypes::AreIntegers => Ok(ForwardStep::ClearShadow { to, length }),
            UnknownTypes::AreErrors if known.contains(&Contents::Mixed) => Err(Reason::MixedCopy),
            UnknownTypes::AreErrors => Err(Reason::MissingType {
                value: self.function.display_name(source),
                needed_for: "a copy of memory",
            }),
        }
    }

    /// What so many copied bytes are, as far as either side knows. Where only the program says how many there are, one side
    /// may know less of them than the other.
    pub(super) fn copied_contents(&self, to: ValueId, from: ValueId, count: Option<u64>) -> Contents {
        let tells =
            |contents: &Contents| !matches!(contents, Contents::Only(Kind::Anything) | Contents::Unknown);
        let agreed = |sides: [Contents; 2]| match sides
            .into_iter()
            .filter(tells)
            .collect::<SmallVec<[Contents; 2]>>()
            .as_slice()
        {
            [] => Contents::Unknown,
            [first, rest @ ..] if rest.iter().all(|other| other == first) => *first,
            _ => Contents::Mixed,
        };
        match agreed([to, from].map(|side| self.context.types.bytes(side, count))) {
            Contents::Unknown => agreed([to, from].map(|side| self.contents_of_elements(side))),
            known => known,
        }
    }

    /// Whether a pointer leads to a constant of numbers alone.
    pub(super) fn is_plain_constant(&self, pointer: ValueId) -> bool {
        base_global(self.function, pointer).is_some_and(|global| {
            let ty = self.function.context.globals[global].value_type;
            self.is_constant(global) && !holds(self.function, ty, &Type::is_pointer)
        })
    }

    /// Whether a copy reads memory made here to which nothing but zeros was written: zeros, or anything.
    pub(super) fn copies_blank(&self, copy: InstId, from: ValueId) -> bool {
        let function = self.function;
        let mut base = from;
        while let Some(inst) = function.as_inst(base)
            && matches!(function.insts[inst].opcode, Opcode::GetElementPointer { .. })
        {
            base = function.insts[inst].operands[0];
        }
        let is_new = |&inst: &InstId| {
            matches!(role(function, inst, Direction::Reverse), Role::Alloca | Role::Allocate(_))
        };
        let Some(made) = function.as_inst(base).filter(is_new) else { return false };
        let stores_zero = |inst: InstId| {
            let data = &function.insts[inst];
            matches!(data.opcode, Opcode::Store { .. })
                && matches!(function.values[data.operands[0]].definition,
                    ValueDefinition::Constant(constant) if function.context.is_zero(constant))
        };
        let (memory, id) = (self.context.memory, self.context.function);
        let frees = |inst: InstId| matches!(role(function, inst, Direction::Reverse), Role::Free(_));
        let writes_nothing = |inst: InstId| inst == copy || inst == made || stores_zero(inst) || frees(inst);
        function.insts_in_order().all(|inst| writes_nothing(inst) || !memory.may_overwrite(id, inst, copy))
    }

    /// What so many bytes without a shadow are, piece by piece; nothing if too little is known.
    fn pieces(&self, to: ValueId, from: ValueId, count: u64) -> Result<Option<Vec<Piece>>, Reason> {
        if count > LONGEST {
            return Ok(None);
        }
        let pointer_size = DataLayout::of(&self.function.context).pointer_size(0);
        let mut bytes: Vec<Option<PieceShadow>> = vec![None; count as usize];
        for (offset, kind) in self.known_bytes(to, from, count) {
            let (length, shadow) = match kind {
                Kind::Float(_) => (kind.stride(pointer_size), PieceShadow::Zero),
                Kind::Integer => (kind.stride(pointer_size), PieceShadow::Same),
                Kind::Pointer => {
                    return Err(Reason::NoShadow { pointer: self.function.display_name(from) });
                }
                Kind::Anything => continue,
            };
            for byte in bytes.iter_mut().skip(offset as usize).take(length.max(1) as usize) {
                *byte = Some(shadow);
            }
        }
        // Between what is known there may be padding, or a float, for which zero is right, but no pointer.
        let runs = bytes.chunk_by(|one, next| one == next);
        let mut pieces = Vec::new();
        let mut offset = 0_u64;
        for run in runs {
            let length = run.len() as u64;
            let is_unknown = run[0].is_none();
            let holds_pointer = offset.next_multiple_of(pointer_size) + pointer_size <= offset + length;
            if is_unknown && holds_pointer {
                return Ok(None);
            }
            pieces.push(Piece { offset, length, shadow: run[0].unwrap_or(PieceShadow::Zero) });
            offset += length;
        }
        Ok(Some(pieces))
    }

    /// What bytes without a shadow become that the program speaks of.
    fn pieces_without_shadow(&self, runs: &[Run], from: ValueId) -> Result<Vec<Piece>, Reason> {
        let piece = |&Run { offset, length, kind }: &Run| {
            let shadow = match kind {
                Kind::Float(_) | Kind::Anything => PieceShadow::Zero,
                Kind::Integer => PieceShadow::Same,
                Kind::Pointer => {
                    return Err(Reason::NoShadow { pointer: self.function.display_name(from) });
                }
            };
            Ok(Piece { offset, length, shadow })
        };
        runs.iter().map(piece).collect()
    }

    /// The floats and the pointers among so many bytes that a copy moves; nothing if too little is known.
    pub(super) fn copied_pieces(&self, inst: InstId, places: [ValueId; 2], count: u64) -> Option<Pieces> {
        let pointer_size = DataLayout::of(&self.function.context).pointer_size(0);
        // Where the copy itself says what its fields are, what lies between them is padding; else it may be anything for
        // which there is room.
        let names_fields = self.function.insts[inst].metadata("tbaa.struct").is_some();
        let room = if names_fields { pointer_size } else { SMALLEST_USUAL_FLOAT };
        self.floats_and_pointers(places, count, room).map(|(pieces, _)| pieces)
    }

    /// The same among so many bytes that are filled: what may be floats, or nothing, counts as floats.
    pub(super) fn filled_pieces(&self, place: ValueId, count: u64) -> Option<Pieces> {
        let pointer_size = DataLayout::of(&self.function.context).pointer_size(0);
        let (mut pieces, gaps) = self.floats_and_pointers([place; 2], count, pointer_size)?;
        let gap = |(offset, length)| FloatPiece { offset, length, float: FloatType::Float };
        pieces.floats.extend(gaps.into_iter().map(gap));
        Some(pieces)
    }

    /// The floats and the pointers among so many bytes, and the gaps between what is known of them; nothing if there is
    /// a gap with room for so many bytes, aligned.
    fn floats_and_pointers(
        &self,
        places: [ValueId; 2],
        count: u64,
        room: u64,
    ) -> Option<(Pieces, Vec<(u64, u64)>)> {
        if count > LONGEST {
            return None;
        }
        let bytes = self.kinds_of_bytes(places, count);
        let mut pieces = Pieces::default();
        let mut gaps = Vec::new();
        let mut offset = 0_u64;
        for run in bytes.chunk_by(|one, next| one == next) {
            let length = run.len() as u64;
            match run[0] {
                Some(Kind::Float(float)) => pieces.floats.push(FloatPiece { offset, length, float }),
                Some(Kind::Pointer) => pieces.pointers.push((offset, length)),
                Some(Kind::Integer | Kind::Anything) => {}
                None if offset.next_multiple_of(room) + room <= offset + length => return None,
                None => gaps.push((offset, length)),
            }
            offset += length;
        }
        Some((pieces, gaps))
    }

    /// The floats at the beginning of copied memory, and how far that is known to be floats and integers alone.
    pub(super) fn copied_prefix(&self, places: [ValueId; 2]) -> Option<Prefix> {
        let mut prefix = Prefix { floats: Vec::new(), length: 0 };
        for run in self.kinds_of_bytes(places, LONGEST).chunk_by(|one, next| one == next) {
            let (offset, length) = (prefix.length, run.len() as u64);
            match run[0] {
                Some(Kind::Float(float)) => prefix.floats.push(FloatPiece { offset, length, float }),
                Some(Kind::Integer) => {}
                Some(Kind::Pointer | Kind::Anything) => break,
                None if offset.next_multiple_of(SMALLEST_USUAL_FLOAT) + SMALLEST_USUAL_FLOAT
                    <= offset + length =>
                {
                    break;
                }
                None => {}
            }
            prefix.length += length;
        }
        (prefix.length > 0).then_some(prefix)
    }

    /// What each of so many bytes of copied memory is, where that is known.
    fn kinds_of_bytes(&self, [to, from]: [ValueId; 2], count: u64) -> Vec<Option<Kind>> {
        let pointer_size = DataLayout::of(&self.function.context).pointer_size(0);
        let mut bytes: Vec<Option<Kind>> = vec![None; count as usize];
        for (offset, kind) in self.known_bytes(to, from, count) {
            if kind != Kind::Anything {
                let length = kind.stride(pointer_size).max(1) as usize;
                bytes.iter_mut().skip(offset as usize).take(length).for_each(|byte| *byte = Some(kind));
            }
        }
        bytes
    }

    /// What is known of the bytes of copied memory: of either side of the copy, and of a constant by its type.
    pub(super) fn known_bytes(&self, to: ValueId, from: ValueId, count: u64) -> Vec<(u64, Kind)> {
        let mut known = Vec::new();
        for side in [to, from] {
            let tree = self.context.types.of(side);
            for offset in 0..count {
                known.extend(tree.get(&[EVERY, offset as i32]).map(|kind| (offset, kind)));
            }
        }
        let constant = base_global(self.function, from).filter(|&global| self.is_constant(global));
        if let Some(global) = constant
            && self.function.as_global(from) == Some(global)
        {
            let layout = DataLayout::of(&self.function.context);
            let ty = self.function.context.globals[global].value_type;
            scalars(self.function, &layout, ty, 0, count, &mut known);
        }
        known
    }

    /// The number of bytes that a copy or fill is told to touch, if it is a constant.
    pub(super) fn constant_length(&self, length: ValueId) -> Option<u64> {
        match self.function.as_constant(length)? {
            ConstantKind::Integer(number) => number.as_u64(),
            _ => None,
        }
    }

    /// What a constant variable holds, by its type.
    fn constant_contents(&self, pointer: ValueId) -> Contents {
        let global = base_global(self.function, pointer).filter(|&global| self.is_constant(global));
        let contents = global
            .and_then(|global| contents(self.function, self.function.context.globals[global].value_type));
        contents.map_or(Contents::Unknown, Contents::Only)
    }
}

/// The scalars that a type puts in memory before `end`, each with its offset.
pub(super) fn scalars(
    function: &Function,
    layout: &DataLayout,
    ty: TypeId,
    start: u64,
    end: u64,
    found: &mut Vec<(u64, Kind)>,
) {
    let context = &function.context;
    let integers = |bytes: u64| (start..start + bytes).map(|offset| (offset, Kind::Integer));
    match function.ty(ty) {
        Type::Float(float) => found.push((start, Kind::Float(*float))),
        Type::Integer { .. } => found.extend(integers(layout.store_size(context, ty))),
        Type::Pointer { .. } => found.push((start, Kind::Pointer)),
        aggregate @ (Type::Array { .. } | Type::Vector { .. } | Type::Struct(_)) => {
            let count = match aggregate {
                Type::Array { length, .. } => *length,
                Type::Vector { length: VectorLength::Fixed(length), .. } => u64::from(*length),
                Type::Struct(structure) => structure.body.as_ref().map_or(0, |body| body.fields.len() as u64),
                _ => 0,
            };
            let parts = (0..count).map_while(|index| layout.part(context, ty, index));
            for (offset, part) in parts.take_while(|(offset, _)| start + offset < end) {
                scalars(function, layout, part, start + offset, end, found);
            }
        }
        Type::Void
        | Type::Function(_)
        | Type::Target(_)
        | Type::Token
        | Type::Metadata
        | Type::Label
        | Type::X86Mmx
        | Type::X86Amx => {}
    }
}

/// What a variable or an object of the frame is declared to hold, all of it; nothing for other memory.
pub(super) fn declared_contents(function: &Function, pointer: ValueId) -> Option<Kind> {
    let mut base = pointer;
    while let Some(inst) = function.as_inst(base) {
        let data = &function.insts[inst];
        match &data.opcode {
            Opcode::Alloca { allocated, .. } => return contents(function, *allocated),
            Opcode::GetElementPointer { .. } => base = data.operands[0],
            _ => return None,
        }
    }
    let global = base_global(function, base)?;
    contents(function, function.context.globals[global].value_type)
}

/// What memory of a type holds, when it is all of one kind.
fn contents(function: &Function, ty: TypeId) -> Option<Kind> {
    match function.ty(ty) {
        Type::Float(float) => Some(Kind::Float(*float)),
        Type::Integer { .. } => Some(Kind::Integer),
        Type::Array { element, .. } | Type::Vector { element, .. } => contents(function, *element),
        Type::Struct(structure) => {
            let mut kinds =
                structure.body.iter().flat_map(|body| &body.fields).map(|&field| contents(function, field));
            let first = kinds.next()??;
            kinds.all(|kind| kind == Some(first)).then_some(first)
        }
        Type::Void
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
