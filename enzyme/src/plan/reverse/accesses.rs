//! What each sweep does at accesses that are more than a load or a store: to some elements of a vector, and atomic ones.

use super::steps::{Held, Stepper, Steps};
use super::{Adjoint, ReverseStep};
use crate::memory::Alias;
use crate::model::{AtomicOp, DataLayout, InstId, Type, ValueId, VectorLength};
use crate::plan::atomics::AtomicAdjoint;
use crate::plan::copy::{Pieces, Prefix};
use crate::plan::flow::{Carries, holds};
use crate::plan::forward::ForwardStep;
use crate::plan::masked::{ElementLayout, Elements};
use crate::plan::role::Role;
use crate::plan::{Bytes, Extent, FloatPiece, MovedShadow, Piece, PieceShadow, Reason, masked};
use crate::types::{Contents, Kind};

/// The functions that move memory which `free` frees, and of which is known how much there is.
const MOVING: [&str; 2] = ["realloc", "reallocarray"];

impl Stepper<'_> {
    /// Some elements of a vector are read.
    pub(super) fn load_elements(
        &self,
        inst: InstId,
        role: &Role,
        others: Option<usize>,
    ) -> Result<Steps, Reason> {
        let Some(result) = self.function.insts[inst].result else {
            return Ok((ForwardStep::Keep, ReverseStep::Skip));
        };
        let forward = self.over_shadows(inst, role, result)?;
        let reverse = match self.adjoints[result] {
            Adjoint::None => ReverseStep::Skip,
            Adjoint::OwnType => ReverseStep::LoadElements(self.elements(inst, result)?, others),
            Adjoint::Floats(_) => return Err(Reason::LostBits),
        };
        Ok((forward, reverse))
    }

    /// Some elements of a vector are written, to memory with a shadow.
    pub(super) fn store_elements(
        &self,
        inst: InstId,
        role: &Role,
        value: usize,
        pointer: usize,
    ) -> Result<Steps, Reason> {
        let operands = &self.function.insts[inst].operands;
        let stored = operands[value];
        match self.held_by(stored, operands[pointer])? {
            Held::Floats if self.lacks_adjoint(stored) => Err(Reason::LostBits),
            Held::Floats if holds(self.function, self.function.values[stored].ty, &Type::is_float) => {
                let elements = self.elements(inst, stored)?;
                Ok((ForwardStep::Keep, ReverseStep::StoreElements(elements, value)))
            }
            Held::Floats => Err(Reason::LostBits),
            Held::Pointers => Ok((self.shadows.step(inst, role)?, ReverseStep::Skip)),
            Held::Neither | Held::Unknown => Ok((ForwardStep::Keep, ReverseStep::Skip)),
        }
    }

    /// Where the elements of a vector are that an intrinsic reads or writes.
    fn elements(&self, inst: InstId, vector: ValueId) -> Result<Elements, Reason> {
        let arguments = self.function.insts[inst].arguments().len();
        let name = self.function.callee_name(inst).and_then(|name| name.strip_prefix("llvm."));
        let is_scalable =
            matches!(self.function.type_of(vector), Type::Vector { length: VectorLength::Scalable(_), .. });
        name.and_then(|name| masked::elements(name, arguments))
            .filter(|elements| !(is_scalable && elements.layout == ElementLayout::Scattered))
            .ok_or(Reason::Unsupported { what: "an access to some elements of a vector in this way" })
    }

    /// Floats and other things are copied at once, into memory with a shadow. The operands say where to and where from.
    pub(super) fn copy_pieces(
        &self,
        inst: InstId,
        operands: [usize; 3],
        count: Option<u64>,
    ) -> Result<Steps, Reason> {
        let [to, from, length] = operands;
        let places = [to, from].map(|index| self.function.insts[inst].operands[index]);
        // Piece by piece, the one may overwrite what of the other is still to be read.
        let may_overlap = self.function.callee_name(inst).is_some_and(|name| name.contains("memmove"))
            && self.context.memory.alias(self.context.function, places[0], count, places[1], count)
                != Alias::No;
        let once = count
            .filter(|_| !may_overlap)
            .and_then(|count| {
                let known = self.shadows.copied_pieces(inst, places, count);
                known.or_else(|| self.shadows.stated_pieces(inst, [to, from], count))
            })
            .map(|pieces| (pieces, Extent::Once));
        let repeated = || {
            let (period, pieces) = self.shadows.repeated_pieces(places)?;
            Some((pieces, Extent::Repeated { period, length }))
        };
        let has_shadow = self.carries[places[1]] == Carries::Derivative;
        let Some((pieces, extent)) = once.or_else(repeated) else {
            let is_prefix = count.is_none() && !may_overlap;
            let prefix = is_prefix.then(|| self.shadows.copied_prefix(places)).flatten();
            let Prefix { floats, length: known } = prefix.ok_or(Reason::MixedCopy)?;
            let from = has_shadow.then_some(from);
            return Ok((ForwardStep::Keep, ReverseStep::CopyPrefix { to, from, length, floats, known }));
        };
        if !has_shadow && !pieces.pointers.is_empty() {
            return Err(Reason::NoShadow { pointer: self.function.display_name(places[1]) });
        }
        let copied = |&(offset, length): &(u64, u64)| Piece { offset, length, shadow: PieceShadow::Copied };
        let pointers: Vec<Piece> = pieces.pointers.iter().map(copied).collect();
        let forward = match pointers.is_empty() {
            true => ForwardStep::Keep,
            false => ForwardStep::CopyPieces { to, from, pieces: pointers, extent },
        };
        let from = has_shadow.then_some(from);
        Ok((forward, ReverseStep::CopyPieces { to, from, floats: pieces.floats, extent }))
    }

    /// Floats and other things in memory with a shadow are filled at once. The operands say where and how many bytes.
    pub(super) fn fill_pieces(&self, inst: InstId, to: usize, length: usize) -> Result<Steps, Reason> {
        let operands = &self.function.insts[inst].operands;
        let once = self
            .shadows
            .constant_length(operands[length])
            .and_then(|count| self.shadows.filled_pieces(operands[to], count))
            .map(|pieces| (pieces, Extent::Once));
        let repeated = || {
            let (period, pieces) = self.shadows.repeated_pieces([operands[to]; 2])?;
            Some((pieces, Extent::Repeated { period, length }))
        };
        let (pieces, extent) = once.or_else(repeated).ok_or_else(|| Reason::MissingType {
            value: self.function.display_name(operands[to]),
            needed_for: "a fill of memory",
        })?;
        let filled = |&(offset, length): &(u64, u64)| Piece { offset, length, shadow: PieceShadow::Same };
        let pointers: Vec<Piece> = pieces.pointers.iter().map(filled).collect();
        let forward = match pointers.is_empty() {
            true => ForwardStep::Keep,
            false => ForwardStep::CopyPieces { to, from: to, pieces: pointers, extent },
        };
        Ok((forward, ReverseStep::CopyPieces { to, from: None, floats: pieces.floats, extent }))
    }

    /// Memory with a shadow is moved to where there is more room, or less.
    pub(super) fn moved_memory(
        &self,
        inst: InstId,
        pointer: usize,
        size: Option<Bytes>,
    ) -> Result<Steps, Reason> {
        let data = &self.function.insts[inst];
        let by_name = self.function.callee_name(inst).is_some_and(|name| MOVING.contains(&name));
        let (Some(size), Some(result), true) = (size, data.result, by_name) else {
            return Err(Reason::Unsupported {
                what: "memory that is moved by a function of another allocator",
            });
        };
        let types = self.context.types;
        let known = [types.bytes(result, None), types.bytes(data.operands[pointer], None)];
        let forward = |begins| ForwardStep::MoveShadow { pointer, size, begins };
        for contents in known {
            match contents {
                Contents::Only(Kind::Float(float)) => {
                    let layout = DataLayout::of(&self.function.context);
                    let period = Kind::Float(float).stride(layout.pointer_size(0));
                    let floats = vec![FloatPiece { offset: 0, length: period, float }];
                    let reverse = ReverseStep::MoveMemory { floats, period, pointer, size };
                    return Ok((forward(MovedShadow::Clear), reverse));
                }
                Contents::Only(Kind::Integer) => {
                    return Ok((forward(MovedShadow::Clear), ReverseStep::Skip));
                }
                Contents::Only(Kind::Pointer) => {
                    return Ok((forward(MovedShadow::Copied), ReverseStep::Skip));
                }
                Contents::Mixed => {
                    let places = [result, data.operands[pointer]];
                    let (period, Pieces { floats, pointers }) =
                        self.shadows.repeated_pieces(places).ok_or(Reason::MixedCopy)?;
                    let begins = match pointers.is_empty() {
                        true => MovedShadow::Clear,
                        false => MovedShadow::PointersCopied { period, pointers },
                    };
                    return Ok((forward(begins), ReverseStep::MoveMemory { floats, period, pointer, size }));
                }
                Contents::Only(Kind::Anything) | Contents::Unknown => {}
            }
        }
        Err(Reason::MissingType { value: self.function.display_name(result), needed_for: "a move of memory" })
    }

    /// Memory with a shadow is read and written at once.
    pub(super) fn atomic_update(&self, inst: InstId, role: &Role, op: AtomicOp) -> Result<Steps, Reason> {
        let data = &self.function.insts[inst];
        let (pointer, value) = (data.operands[0], data.operands[1]);
        let nothing = (ForwardStep::Keep, ReverseStep::Skip);
        let Some(adjoint) = AtomicAdjoint::of(op) else {
            let is_of_integers = self.context.types.memory(pointer) == Contents::Only(Kind::Integer);
            let mirrored = self.shadows.integer_update(inst)?;
            return Ok(if is_of_integers { nothing } else { (mirrored, ReverseStep::Skip) });
        };
        match self.held_by(value, pointer)? {
            Held::Floats if self.lacks_adjoint(value) || self.loses_result(inst) => Err(Reason::LostBits),
            Held::Floats => Ok((ForwardStep::Keep, ReverseStep::AtomicUpdate(adjoint))),
            Held::Pointers => Ok((self.shadows.step(inst, role)?, ReverseStep::Skip)),
            Held::Neither | Held::Unknown => Ok(nothing),
        }
    }

    /// Whether an instruction gives an active float in a shape that has no adjoint.
    fn loses_result(&self, inst: InstId) -> bool {
        self.function.insts[inst].result.is_some_and(|result| {
            self.carries[result] == Carries::Derivative && self.adjoints[result] == Adjoint::None
        })
    }

    /// Memory with a shadow is exchanged, if it holds what is expected.
    pub(super) fn compare_exchange(&self, inst: InstId, role: &Role) -> Result<Steps, Reason> {
        let operands = &self.function.insts[inst].operands;
        match self.held_by(operands[2], operands[0])? {
            Held::Floats => Err(Reason::Unsupported { what: "a compare-exchange of the bits of floats" }),
            Held::Pointers => Ok((self.shadows.step(inst, role)?, ReverseStep::Skip)),
            Held::Neither | Held::Unknown => Ok((ForwardStep::Keep, ReverseStep::Skip)),
        }
    }
}
