//! What a program says of the bytes of one copy, at the copy itself: the metadata `enzyme_truetype`, and the attribute
//! `enzyme_type` of its arguments.
//!
//! Of a pointer elsewhere this says nothing where memory may change its types, or where the copy is not always reached;
//! of what the copy moves it says all.

use super::copy::{FloatPiece, LONGEST, Pieces};
use super::forward::Planner;
use crate::model::{ConstantKind, DataLayout, InstId, Metadata};
use crate::types::{EVERY, Kind, TypeTree};

/// Copied bytes of one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Run {
    pub(super) offset: u64,
    pub(super) length: u64,
    pub(super) kind: Kind,
}

impl Planner<'_> {
    /// What all of so many copied bytes are said to be; nothing if some are not spoken of.
    pub(super) fn stated_runs(&self, inst: InstId, places: [usize; 2], count: u64) -> Option<Vec<Run>> {
        let of_arguments = || places.into_iter().find_map(|place| self.runs_of_argument(inst, place, count));
        let runs = self.runs_of_metadata(inst, count).or_else(of_arguments)?;
        let end =
            runs.iter().try_fold(0, |end, run| (run.offset == end).then_some(run.offset + run.length))?;
        (end == count).then_some(runs)
    }

    /// The floats and the pointers among so many copied bytes, where all are spoken of.
    pub(super) fn stated_pieces(&self, inst: InstId, places: [usize; 2], count: u64) -> Option<Pieces> {
        let mut pieces = Pieces::default();
        for Run { offset, length, kind } in self.stated_runs(inst, places, count)? {
            match kind {
                Kind::Float(float) => pieces.floats.push(FloatPiece { offset, length, float }),
                Kind::Pointer => pieces.pointers.push((offset, length)),
                Kind::Integer | Kind::Anything => {}
            }
        }
        Some(pieces)
    }

    /// `!{!"Float@double", i64 0, !"Integer", i64 24}`: each kind with the offset where it begins, up to the next.
    fn runs_of_metadata(&self, inst: InstId, count: u64) -> Option<Vec<Run>> {
        let context = &self.function.context;
        let node = self.function.insts[inst].metadata("enzyme_truetype")?;
        let Metadata::Node { elements, .. } = &context.metadata[node] else { return None };
        let starts = elements.chunks(2).map(|pair| {
            let &[Some(kind), Some(offset)] = pair else { return None };
            let Metadata::String(kind) = &context.metadata[kind] else { return None };
            let Metadata::Constant(offset) = &context.metadata[offset] else { return None };
            let ConstantKind::Integer(offset) = &context.constant(*offset).kind else { return None };
            Some((offset.as_u64()?, kind.parse::<Kind>().ok()?))
        });
        let starts: Vec<(u64, Kind)> = starts.collect::<Option<_>>()?;
        let ends = starts.iter().skip(1).map(|(offset, _)| *offset).chain([u64::MAX]);
        let runs = starts.iter().zip(ends).take_while(|((offset, _), _)| *offset < count);
        runs.map(|(&(offset, kind), end)| {
            let length = end.min(count).checked_sub(offset)?;
            Some(Run { offset, length, kind })
        })
        .collect()
    }

    fn runs_of_argument(&self, inst: InstId, index: usize, count: u64) -> Option<Vec<Run>> {
        let call = self.function.insts[inst].opcode.call().filter(|_| count <= LONGEST)?;
        let tree: TypeTree = call.argument_attributes(index)?.text("enzyme_type")?.parse().ok()?;
        let pointer_size = DataLayout::of(&self.function.context).pointer_size(0);
        let mut kinds: Vec<Option<Kind>> = vec![None; count as usize];
        for offset in 0..count {
            if let Some(kind) = tree.get(&[EVERY, offset as i32]) {
                let length = kind.stride(pointer_size).max(1) as usize;
                kinds.iter_mut().skip(offset as usize).take(length).for_each(|byte| *byte = Some(kind));
            }
        }
        let mut offset = 0;
        kinds
            .chunk_by(|one, next| one == next)
            .map(|run| {
                let length = run.len() as u64;
                offset += length;
                Some(Run { offset: offset - length, length, kind: run[0]? })
            })
            .collect()
    }
}
