//! Arrays of structures that are copied at once, when nobody knows how many structures there are.
//!
//! What is known of memory behind a pointer is what lies in the first structure or two. The others are like these: at
//! which distance they follow is seen from how the program walks through the same memory.

use super::copy::{FloatPiece, Piece, PieceShadow, Pieces, scalars};
use super::forward::Planner;
use crate::model::{DataLayout, FloatType, InstId, IntBinaryOp, Opcode, Type, TypeId, ValueId};
use crate::types::{Contents, EVERY, Kind};
use std::collections::BTreeMap;

/// How often the pieces of some memory come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// Once.
    Once,
    /// Again after each `period` bytes, as far as the memory goes.
    Repeated {
        /// The number of bytes.
        period: u64,
        /// The operand that says how much memory there is.
        length: usize,
    },
}

/// Structures of more bytes than this are not looked at.
const LONGEST: u64 = 512;

/// A float of the smallest usual kind takes so many bytes, and is aligned to them.
const SMALLEST_USUAL_FLOAT: u64 = 4;

/// What a byte of a structure belongs to: its kind, and where it begins.
type Member = (Kind, u64);

impl Planner<'_> {
    /// How many bytes each structure takes in an array that two pointers point into, and what floats and pointers one of
    /// them holds; nothing if too little is known.
    pub(super) fn repeated_pieces(&self, places: [ValueId; 2]) -> Option<(u64, Pieces)> {
        let known: Vec<(u64, Kind)> = self
            .known_bytes(places[0], places[1], LONGEST)
            .into_iter()
            .filter(|(_, kind)| *kind != Kind::Anything)
            .collect();
        let periods = self.distances(places);
        let pieces = |(period, declared): (u64, Option<TypeId>)| {
            Some((period, self.pieces_of_period(&known, period, declared)?))
        };
        periods.into_iter().find_map(pieces)
    }

    /// What becomes of the shadow of such an array that has none itself.
    pub(super) fn repeated_constants(&self, places: [ValueId; 2]) -> Option<(u64, Vec<Piece>)> {
        let (period, pieces) = self.repeated_pieces(places)?;
        let zero = |piece: FloatPiece| Piece {
            offset: piece.offset,
            length: piece.length,
            shadow: PieceShadow::Zero,
        };
        let zeros: Vec<Piece> = pieces.floats.into_iter().map(zero).collect();
        // What is no float is the same in the shadow.
        let whole = Piece { offset: 0, length: period, shadow: PieceShadow::Same };
        pieces.pointers.is_empty().then(|| (period, [vec![whole], zeros].concat()))
    }

    /// What memory holds, if all elements that the program looks at behind it, wherever they are, are of one kind and lie side
    /// by side, and nothing else is known of it: what an array holds that is read at places that are computed.
    pub(super) fn contents_of_elements(&self, place: ValueId) -> Contents {
        let kind_and_distance = |walk: InstId| {
            let data = &self.function.insts[walk];
            // Where a member or one element alone lies says nothing of the others.
            let is_computed = |index: &&ValueId| self.function.as_constant(**index).is_none();
            let (address, _) = data.result.zip(data.operands.last().filter(is_computed))?;
            let kind = self.context.types.of(address).get(&[EVERY, 0])?;
            Some((kind, self.distances_of(walk).last()?.0))
        };
        let elements: Vec<(Kind, u64)> = self.walks([place; 2]).filter_map(kind_and_distance).collect();
        let pointer_size = DataLayout::of(&self.function.context).pointer_size(0);
        let Some(&(kind, _)) = elements.first() else { return Contents::Unknown };
        let fills = |&(other, distance): &(Kind, u64)| other == kind && distance == kind.stride(pointer_size);
        let agrees = match self.context.types.memory(place) {
            Contents::Unknown => true,
            Contents::Only(known) => known == kind,
            Contents::Mixed => false,
        };
        if agrees && kind != Kind::Anything && elements.iter().all(fills) {
            Contents::Only(kind)
        } else {
            Contents::Unknown
        }
    }

    /// The distances at which the program walks through the memory behind two pointers, in ascending order, and what
    /// structures that lie so far apart are declared as.
    fn distances(&self, places: [ValueId; 2]) -> BTreeMap<u64, Option<TypeId>> {
        let mut found = BTreeMap::new();
        for (distance, declared) in self.walks(places).flat_map(|inst| self.distances_of(inst)) {
            if (2..=LONGEST).contains(&distance) {
                let known: &mut Option<TypeId> = found.entry(distance).or_default();
                *known = known.or(declared);
            }
        }
        found
    }

    /// What computes addresses in the memory behind two pointers.
    fn walks(&self, places: [ValueId; 2]) -> impl Iterator<Item = InstId> {
        let memory = self.context.memory;
        self.function.insts_in_order().filter(move |&inst| {
            let data = &self.function.insts[inst];
            let shares =
                |&place: &ValueId| memory.may_share_object(self.context.function, data.operands[0], place);
            matches!(data.opcode, Opcode::GetElementPointer { .. }) && places.iter().any(shares)
        })
    }

    /// The distances of one walk: of what its indices count.
    fn distances_of(&self, walk: InstId) -> Vec<(u64, Option<TypeId>)> {
        let data = &self.function.insts[walk];
        let Opcode::GetElementPointer { source, .. } = &data.opcode else { return Vec::new() };
        let (context, layout) = (&self.function.context, DataLayout::of(&self.function.context));
        let mut found = Vec::new();
        let mut ty = Some(*source);
        for (position, &index) in data.operands[1..].iter().enumerate() {
            // The first index counts the type itself, the others its elements.
            let counted = match (position, ty.map(|ty| self.function.ty(ty))) {
                (0, _) => ty,
                (_, Some(Type::Array { element, .. })) => Some(*element),
                _ => None,
            };
            let Some(counted) = counted else { break };
            let size = layout.allocation_size(context, counted);
            let factor = if self.is_step(walk) {
                self.constant_length(index).unwrap_or(1)
            } else {
                self.factor(index)
            };
            let is_structure = matches!(self.function.ty(counted), Type::Struct(_)) && factor == 1;
            found.push((size.saturating_mul(factor), is_structure.then_some(counted)));
            ty = Some(counted);
        }
        found
    }

    /// Whether a pointer is where a loop goes on from the same pointer of one iteration before. Any other constant distance
    /// leads to a member of a structure, and says nothing of where the next structure is.
    fn is_step(&self, walk: InstId) -> bool {
        let data = &self.function.insts[walk];
        self.function.as_inst(data.operands[0]).is_some_and(|base| {
            let base = &self.function.insts[base];
            matches!(base.opcode, Opcode::Phi { .. })
                && data.result.is_some_and(|step| base.operands.contains(&step))
        })
    }

    /// What a number is a multiple of, as far as its own instruction shows.
    fn factor(&self, number: ValueId) -> u64 {
        let Some(inst) = self.function.as_inst(number) else { return 1 };
        let data = &self.function.insts[inst];
        let Opcode::IntBinary { op, .. } = &data.opcode else { return 1 };
        match (op, self.constant_length(data.operands[1])) {
            (IntBinaryOp::Multiply, Some(factor)) => factor.max(1),
            (IntBinaryOp::ShiftLeft, Some(bits)) if bits < 10 => 1 << bits,
            _ => 1,
        }
    }

    /// What lies in each structure, if they take so many bytes; nothing if that contradicts what is known, or if there is
    /// room for a pointer where nothing is known. Where nobody looks, the declaration says where floats and pointers are.
    fn pieces_of_period(
        &self,
        known: &[(u64, Kind)],
        period: u64,
        declared: Option<TypeId>,
    ) -> Option<Pieces> {
        let pointer_size = DataLayout::of(&self.function.context).pointer_size(0);
        let mut bytes: Vec<Option<Member>> = vec![None; period as usize];
        for &(offset, kind) in known {
            let begin = offset % period;
            let length = kind.stride(pointer_size).max(1);
            let members = bytes.get_mut(begin as usize..(begin + length) as usize)?;
            for member in members {
                if *member.get_or_insert((kind, begin)) != (kind, begin) {
                    return None;
                }
            }
        }
        if let Some(declared) = declared {
            let mut said = Vec::new();
            scalars(self.function, &DataLayout::of(&self.function.context), declared, 0, period, &mut said);
            said.retain(|(_, kind)| matches!(kind, Kind::Float(_) | Kind::Pointer));
            for (begin, kind) in said {
                let members = bytes.get_mut(begin as usize..(begin + kind.stride(pointer_size)) as usize)?;
                if members.iter().all(Option::is_none) {
                    members.fill(Some((kind, begin)));
                }
            }
        }
        let mut pieces = Pieces::default();
        let mut offset = 0_u64;
        for run in bytes.chunk_by(|one, next| one.map(|(kind, _)| kind) == next.map(|(kind, _)| kind)) {
            let length = run.len() as u64;
            match run[0] {
                Some((Kind::Float(float), _)) => pieces.floats.push(FloatPiece { offset, length, float }),
                Some((Kind::Pointer, _)) => pieces.pointers.push((offset, length)),
                Some((Kind::Integer | Kind::Anything, _)) => {}
                None if offset.next_multiple_of(pointer_size) + pointer_size <= offset + length => {
                    return None;
                }
                // Padding, or a float that nobody here looks at: adjoints of nothing do no harm.
                None => {
                    let begin = offset.next_multiple_of(SMALLEST_USUAL_FLOAT);
                    let length = (offset + length).saturating_sub(begin);
                    let length = length - length % SMALLEST_USUAL_FLOAT;
                    if length > 0 {
                        pieces.floats.push(FloatPiece { offset: begin, length, float: FloatType::Float });
                    }
                }
            }
            offset += length;
        }
        Some(pieces)
    }
}
