//! Type trees: what a value holds, byte by byte, and what the memory it points to holds.
//!
//! A tree maps paths to kinds. The first index of a path is a byte offset in the value itself; if a pointer lies
//! there, the second index is a byte offset in the memory that it points to, and so on. The index [`EVERY`] stands
//! for every offset: `{[-1]:Pointer, [-1,8]:Float@double}` is a pointer to memory with a `double` in bytes 8 to 15.

use std::fmt;
use std::ops::Range;

use smallvec::SmallVec;

use super::kind::{Addresses, Kind, KindConflict};
use super::path::Path;
use super::statements::{Statement, Statements};
use crate::model::FloatType;

/// The index that stands for every offset.
pub const EVERY: i32 = -1;

/// How far trees reach, so that their size does not depend on the program's data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The greatest byte offset that is told from others (`-enzyme-max-type-offset`). Beyond it only the smallest
    /// offset known is kept.
    pub offset: i32,
    /// The greatest number of indices in a path (`-enzyme-max-type-depth`).
    pub depth: usize,
}

impl Limits {
    /// How many statements a tree may make, so that a statement this deep is added. Memory that leads to itself, as arrays
    /// of strings do that hold their own characters, would be told apart in as many ways as there are paths through it.
    fn most_statements(self, depth: usize) -> usize {
        match depth {
            0..=2 => usize::MAX,
            3 => 1024,
            _ => 256,
        }
    }

    /// Whether a tree of so many statements is too large for one more that is so deep.
    fn are_reached_by(self, statements: usize, depth: usize) -> bool {
        depth > self.depth || statements >= self.most_statements(depth)
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self { offset: 500, depth: 6 }
    }
}

/// Two statements about bytes that cannot both hold.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("at {}: {conflict}", PathText(path))]
pub struct TreeConflict {
    /// Where the bytes are.
    pub path: Path,
    /// What was said of them.
    pub conflict: KindConflict,
}

/// Whether an operation learnt anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// All of it was known.
    None,
    /// Something was new.
    Some,
}

impl Change {
    /// Whether something was new.
    pub fn happened(self) -> bool {
        self == Self::Some
    }
}

impl std::ops::BitOrAssign for Change {
    fn bitor_assign(&mut self, other: Self) {
        if other == Self::Some {
            *self = Self::Some;
        }
    }
}

/// What a value holds: a map from paths to kinds, as the page of this module says.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TypeTree {
    /// In order of the paths, each at most once.
    entries: Statements,
}

impl TypeTree {
    /// Nothing is known.
    pub fn unknown() -> Self {
        Self::default()
    }

    /// A tree that has one kind at the empty path. It describes memory's or a value's content before an offset is
    /// put in front by [`Self::at`].
    pub fn root(kind: Kind) -> Self {
        Self { entries: Statements::one(Path::new(), kind) }
    }

    /// A value that is of one kind in every byte.
    pub fn of(kind: Kind) -> Self {
        Self { entries: Statements::one(Path::joined(EVERY, &[]), kind) }
    }

    /// A value that is a pointer to memory of which this is known.
    pub fn pointer_to(memory: &Self, limits: Limits) -> Self {
        // A pointer's own path is a prefix of all others, so it comes first.
        let own = (Path::joined(EVERY, &[]), Kind::Pointer);
        let behind = memory.at_index(EVERY, limits).filter(|(path, _)| path.len() > 1);
        Self { entries: std::iter::once(own).chain(behind).collect() }
    }

    /// Whether anything is known.
    pub fn is_known(&self) -> bool {
        !self.entries.is_empty()
    }

    /// All that is known, in order of the paths.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (&[i32], Kind)> {
        self.entries.iter().map(|(path, kind)| (&path[..], *kind))
    }

    /// How many statements the tree makes.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether the tree says nothing; the opposite of [`Self::is_known`].
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// What the bytes at a path are: said of exactly this path, or of a set of offsets that contains it.
    pub fn get(&self, path: &[i32]) -> Option<Kind> {
        if let Ok(index) = self.find(path) {
            return Some(self.entries[index].1);
        }
        // Only a statement about more offsets could say it, too.
        if path.iter().all(|&index| index == EVERY) {
            return None;
        }
        let covers = |&index: &usize| matches!(relation(&self.entries[index].0, path), Relation::Covers);
        self.related(path).into_iter().find(covers).map(|index| self.entries[index].1)
    }

    /// The positions of the statements about offsets that a path shares some with, in order.
    ///
    /// Trees are sorted, so that most of a large one need not be looked at.
    fn related(&self, path: &[i32]) -> SmallVec<[usize; 8]> {
        /// So many statements are looked at one by one as fast as they are searched.
        const FEW: usize = 8;

        let mut found = SmallVec::new();
        if self.entries.len() <= FEW {
            for (index, (entry, _)) in self.entries.iter().enumerate() {
                if !matches!(relation(entry, path), Relation::Apart) {
                    found.push(index);
                }
            }
            return found;
        }
        self.find_related(0..self.entries.len(), 0, path, &mut found);
        found
    }

    /// Looks among statements that agree with the path in the indices before `level`, or share offsets with it there.
    fn find_related(
        &self,
        among: Range<usize>,
        level: usize,
        path: &[i32],
        found: &mut SmallVec<[usize; 8]>,
    ) {
        let Some(&index) = path.get(level) else {
            // The shortest comes first.
            found.extend(among.take(1).filter(|&first| self.entries[first].0.len() == path.len()));
            return;
        };
        let at_level = |position: usize| self.entries[position].0.get(level).copied();
        let start = among.start + usize::from(!among.is_empty() && at_level(among.start).is_none());
        let among = start..among.end.max(start);
        let Some(last) = among.clone().next_back().and_then(at_level) else { return };
        if index == EVERY && last != EVERY {
            let shares = |&other: &usize| {
                let entry = &self.entries[other].0;
                entry.len() == path.len()
                    && !matches!(relation(&entry[level..], &path[level..]), Relation::Apart)
            };
            found.extend(among.filter(shares));
            return;
        }
        let exact = Some(index).filter(|&index| index != EVERY);
        for wanted in std::iter::once(EVERY).chain(exact) {
            let part = &self.entries[among.clone()];
            let from = among.start + part.partition_point(|(entry, _)| entry[level] < wanted);
            let to = among.start + part.partition_point(|(entry, _)| entry[level] <= wanted);
            if from < to {
                self.find_related(from..to, level + 1, path, found);
            }
        }
    }

    /// Whether the tree makes a statement, word for word.
    pub fn states(&self, path: &[i32], kind: Kind) -> bool {
        self.find(path).is_ok_and(|index| self.entries[index].1 == kind)
    }

    /// The statements that an earlier state of the tree did not make, word for word.
    pub(super) fn news_since(&self, before: &Self) -> impl Iterator<Item = (&[i32], Kind)> {
        // Both are in order.
        let mut old = &before.entries[..];
        self.iter().filter(move |(path, kind)| {
            while let [(known, _), rest @ ..] = old
                && known[..] < **path
            {
                old = rest;
            }
            !matches!(old, [(known, known_kind), ..] if known[..] == **path && known_kind == kind)
        })
    }

    /// What the value holds in every byte.
    fn every_kind(&self) -> Option<Kind> {
        // No path but the empty one comes before.
        let mut first = self.entries.iter().take(2);
        first.find(|(path, _)| path[..] == [EVERY]).map(|(_, kind)| *kind)
    }

    /// What the value holds at its first byte.
    pub fn first_kind(&self) -> Option<Kind> {
        self.every_kind().or_else(|| self.find(&[0]).ok().map(|index| self.entries[index].1))
    }

    fn find(&self, path: &[i32]) -> Result<usize, usize> {
        self.entries.binary_search_by(|(entry, _)| entry[..].cmp(path))
    }

    fn put(&mut self, path: Path, kind: Kind) {
        match self.find(&path) {
            Ok(index) => self.entries.set_kind(index, kind),
            Err(index) => self.entries.insert(index, (path, kind)),
        }
    }

    // Learning.

    /// Adds a statement about some bytes.
    ///
    /// # Errors
    /// When it contradicts what is known. The tree is then as it was.
    pub fn add(
        &mut self,
        path: &[i32],
        kind: Kind,
        addresses: Addresses,
        limits: Limits,
    ) -> Result<Change, TreeConflict> {
        let known = self.get(path);
        let both = match known {
            Some(known) => known
                .both(kind, addresses)
                .map_err(|conflict| TreeConflict { path: path.into(), conflict })?,
            None => kind,
        };
        if known == Some(both) {
            return Ok(Change::None);
        }
        self.insert(path, both, addresses, limits)
    }

    fn insert(
        &mut self,
        path: &[i32],
        kind: Kind,
        addresses: Addresses,
        limits: Limits,
    ) -> Result<Change, TreeConflict> {
        if limits.are_reached_by(self.entries.len(), path.len()) {
            return Ok(Change::None);
        }
        for length in (0..path.len()).rev() {
            let before = match length {
                0 => self.entries.first().filter(|(entry, _)| entry.is_empty()),
                _ => self.find(&path[..length]).ok().map(|index| &self.entries[index]),
            };
            match before.map(|(_, kind)| *kind) {
                Some(Kind::Anything) => return Ok(Change::None),
                Some(known @ (Kind::Integer | Kind::Float(_))) => {
                    let conflict = KindConflict { known, new: Kind::Pointer };
                    return Err(TreeConflict { path: path[..length].into(), conflict });
                }
                Some(Kind::Pointer) | None => {}
            }
        }
        let mut covered: SmallVec<[usize; 4]> = SmallVec::new();
        for index in self.related(path) {
            let (entry, known) = &self.entries[index];
            let conflict =
                || TreeConflict { path: path.into(), conflict: KindConflict { known: *known, new: kind } };
            match relation(entry, path) {
                Relation::Apart => {}
                Relation::Same => covered.push(index),
                Relation::Covers => match known.both(kind, addresses) {
                    // What is said of every offset stays; an exception that could be anything says less.
                    Ok(both) if both == *known => return Ok(Change::None),
                    Ok(_) => {}
                    Err(_) => return Err(conflict()),
                },
                Relation::CoveredBy => match known.both(kind, addresses) {
                    Ok(_) if *known == Kind::Anything && kind != Kind::Anything => {}
                    Ok(_) => covered.push(index),
                    Err(_) => return Err(conflict()),
                },
            }
        }
        if kind == Kind::Anything {
            // Nothing more can be said of what lies behind it.
            let behind = |entry: &[i32]| entry.len() > path.len() && entry.starts_with(path);
            covered.extend((0..self.entries.len()).filter(|&index| behind(&self.entries[index].0)));
            covered.sort_unstable();
        }
        let changed = if self.is_too_far(path, limits) { !covered.is_empty() } else { true };
        for &index in covered.iter().rev() {
            self.entries.remove(index);
        }
        if self.is_too_far(path, limits) {
            return Ok(if changed { Change::Some } else { Change::None });
        }
        self.forget_farther_than(path, limits);
        self.put(path.into(), kind);
        Ok(Change::Some)
    }

    /// The smallest index that the tree's paths have at one level.
    fn smallest_index(&self, level: usize) -> Option<i32> {
        self.entries.iter().filter_map(|(path, _)| path.get(level).copied()).min()
    }

    /// Whether a path has an offset beyond the limit that is not the smallest one of its level.
    fn is_too_far(&self, path: &[i32], limits: Limits) -> bool {
        path.iter().enumerate().any(|(level, &index)| {
            index > limits.offset && self.smallest_index(level).is_some_and(|smallest| index > smallest)
        })
    }

    /// Drops what was kept beyond the limit as the smallest offset of its level, when there is a smaller one now.
    fn forget_farther_than(&mut self, path: &[i32], limits: Limits) {
        for (level, &index) in path.iter().enumerate() {
            let mut known = self.entries.iter().filter_map(|(entry, _)| entry.get(level)).peekable();
            // Most trees have a near offset right at their start, where the search ends.
            if known.peek().is_some() && known.all(|&other| other > limits.offset && other > index) {
                self.entries.retain(|(entry, _)| entry.get(level).is_none());
            }
        }
    }

    /// Whether the tree makes each statement of another one, word for word.
    pub fn repeats(&self, other: &Self) -> bool {
        if self.entries.len() == other.entries.len() {
            return self == other;
        }
        other.entries.len() < self.entries.len()
            && other.entries.iter().all(|(path, kind)| self.states(path, *kind))
    }

    /// Adds all that another tree says.
    ///
    /// # Errors
    /// When the two contradict each other. What was added before the contradiction stays.
    pub fn merge(
        &mut self,
        other: &Self,
        addresses: Addresses,
        limits: Limits,
    ) -> Result<Change, TreeConflict> {
        self.merge_with(other, addresses, limits, |_, _| {})
    }

    /// The same, and tells of each statement that the tree did not make before. One that another statement of `other`
    /// covers may be told of, too.
    pub(super) fn merge_with(
        &mut self,
        other: &Self,
        addresses: Addresses,
        limits: Limits,
        mut tell: impl FnMut(&[i32], Kind),
    ) -> Result<Change, TreeConflict> {
        if self.entries.is_empty() {
            *self = other.clone();
            self.iter().for_each(|(path, kind)| tell(path, kind));
            return Ok(if self.entries.is_empty() { Change::None } else { Change::Some });
        }
        let mut change = Change::None;
        for (path, kind) in other.entries.iter() {
            let added = self.add(path, *kind, addresses, limits)?;
            if added.happened()
                && let Ok(index) = self.find(path)
            {
                tell(path, self.entries[index].1);
            }
            change |= added;
        }
        Ok(change)
    }

    /// Keeps what both trees say: for values that are one of two, and it is not known which.
    pub fn meet(&mut self, other: &Self) {
        self.entries.retain(|(path, kind)| {
            let theirs = other.find(path).ok().map(|index| other.entries[index].1);
            match Kind::either(Some(*kind), theirs) {
                Some(common) => {
                    *kind = common;
                    true
                }
                None => false,
            }
        });
    }

    // Moving about.

    /// Puts an offset in front of every path.
    pub fn at(&self, offset: i32, limits: Limits) -> Self {
        Self { entries: self.at_index(offset, limits).collect() }
    }

    fn at_index(&self, offset: i32, limits: Limits) -> impl Iterator<Item = Statement> {
        let near = self.entries.iter().filter(move |(path, _)| path.len() < limits.depth);
        near.map(move |(path, kind)| (Path::joined(offset, path), *kind))
    }

    /// What lies at the first offset, without that offset: for a pointer, itself as root and the memory under it.
    pub fn first(&self, limits: Limits) -> Self {
        if self.entries.iter().all(|(path, _)| path.first() == Some(&EVERY)) {
            let entries = self.entries.iter().map(|(path, kind)| (Path::from(&path[1..]), *kind)).collect();
            return Self { entries };
        }
        let mut result = Self::default();
        for index in [EVERY, 0] {
            for (path, kind) in self.entries.iter().filter(|(path, _)| path.first() == Some(&index)) {
                // What is said of the first byte alone cannot contradict what is said of every byte.
                let _ = result.add(&path[1..], *kind, Addresses::MayBeIntegers, limits);
            }
        }
        result
    }

    /// What a load of so many bytes from this pointer gives.
    pub fn loaded(&self, size: u64, pointer_size: u64, limits: Limits) -> Self {
        let mut staged = Staging::default();
        for (path, kind) in self.entries.iter() {
            if let [0 | EVERY, offset, rest @ ..] = &path[..]
                && (*offset == EVERY || (*offset as u64) < size)
            {
                staged.add(rest, *kind, *offset);
            }
        }
        staged.combine(size, pointer_size, limits)
    }

    /// Whether all that is said of the value is said of every byte of it, which [`Self::canonical`] leaves as it is.
    pub(super) fn is_canonical(&self) -> bool {
        self.entries.iter().all(|(path, _)| path.first().is_none_or(|&index| index == EVERY))
    }

    /// The same, with offsets that together make up the whole value replaced by [`EVERY`]. Offsets outside of the
    /// value are dropped.
    pub fn canonical(self, size: u64, pointer_size: u64, limits: Limits) -> Self {
        if self.is_canonical() {
            return self;
        }
        let mut staged = Staging::default();
        for (path, kind) in self.entries.iter() {
            if let [offset, rest @ ..] = &path[..]
                && (*offset == EVERY || (*offset as u64) < size)
            {
                staged.add(rest, *kind, *offset);
            }
        }
        staged.combine(size, pointer_size, limits)
    }

    /// Of a pointer: what holds for every offset of its memory, and so for a pointer into the middle of it.
    pub fn every_offset(&self) -> Self {
        let keep = |path: &[i32], kind: Kind| match path {
            [0 | EVERY] => matches!(kind, Kind::Pointer | Kind::Anything),
            [0 | EVERY, EVERY, ..] => true,
            _ => false,
        };
        Self { entries: self.entries.iter().filter(|(path, kind)| keep(path, *kind)).cloned().collect() }
    }

    /// What is known of bytes `from .. from + size` (to the end without a size), as a tree whose first byte is byte
    /// `to`.
    pub fn window(&self, from: u64, size: Option<u64>, to: u64, pointer_size: u64, limits: Limits) -> Self {
        if size == Some(0) {
            return Self::default();
        }
        let mut moved: Vec<Statement> = Vec::with_capacity(self.entries.len());
        for (path, kind) in self.entries.iter() {
            let Some((&index, rest)) = path.split_first() else {
                moved.push((Path::new(), *kind));
                continue;
            };
            if index == EVERY {
                continue;
            }
            let Some(offset) =
                (index as u64).checked_sub(from).filter(|&offset| size.is_none_or(|size| offset < size))
            else {
                continue;
            };
            let Ok(offset) = i32::try_from(offset + to) else { continue };
            moved.push((Path::joined(offset, rest), *kind));
        }
        // What was said of single offsets is still in order.
        let single = moved.len();
        let said_before = |moved: &[Statement], path: &Path| {
            moved[..single].binary_search_by(|(entry, _)| entry.cmp(path)).ok()
        };
        let stride = self.every_kind().map_or(1, |kind| kind.stride(pointer_size).max(1));
        for (path, kind) in self.entries.iter().filter(|(path, _)| path.first() == Some(&EVERY)) {
            let Some(size) = size else {
                // From the middle of one on, no other begins at every place.
                if from.is_multiple_of(stride) {
                    let offset = if to == 0 { EVERY } else { i32::try_from(to).unwrap_or(i32::MAX) };
                    let path = Path::joined(offset, &path[1..]);
                    match said_before(&moved, &path) {
                        Some(known) => moved[known].1 = *kind,
                        None => moved.push((path, *kind)),
                    }
                }
                continue;
            };
            let start = (stride - from % stride) % stride;
            let mut offset = start;
            while offset < size {
                let Ok(index) = i32::try_from(offset + to) else { break };
                let path = Path::joined(index, &path[1..]);
                match said_before(&moved, &path) {
                    Some(known) => {
                        moved[known].1 = kind.both(moved[known].1, Addresses::AreAddresses).unwrap_or(*kind);
                    }
                    None => moved.push((path, *kind)),
                }
                // Farther ones would not be kept.
                if index > limits.offset {
                    break;
                }
                offset += stride;
            }
        }
        if moved.len() > single {
            moved.sort_unstable();
        }
        let mut result = Self { entries: moved.into() };
        result.drop_far(limits);
        result
    }

    /// Drops offsets beyond the limit, but for the smallest of each level.
    fn drop_far(&mut self, limits: Limits) {
        if self.entries.iter().all(|(path, _)| path.iter().all(|&index| index <= limits.offset)) {
            return;
        }
        let smallest: Vec<Option<i32>> = (0..limits.depth).map(|level| self.smallest_index(level)).collect();
        self.entries.retain(|(path, _)| {
            path.iter()
                .enumerate()
                .all(|(level, &index)| index <= limits.offset || smallest.get(level) == Some(&Some(index)))
        });
    }

    /// What is known of a value's bytes outside of `start .. end`, in a value of so many bytes.
    pub fn cleared(&self, start: u64, end: u64, size: u64, pointer_size: u64, limits: Limits) -> Self {
        let mut result = Self::default();
        let stride = self.every_kind().map_or(1, |kind| kind.stride(pointer_size).max(1));
        let outside = (0..size.min(limits.offset as u64 + 1))
            .step_by(stride as usize)
            .filter(|offset| !(start..end).contains(offset));
        for (path, kind) in self.entries.iter() {
            let Some((&index, rest)) = path.split_first() else { continue };
            if index == EVERY {
                for offset in outside.clone() {
                    let exact = Path::joined(offset as i32, rest);
                    let _ = result.add(&exact, *kind, Addresses::AreAddresses, limits);
                }
            } else if (index as u64) < start || ((index as u64) >= end && (index as u64) < size) {
                let _ = result.add(path, *kind, Addresses::AreAddresses, limits);
            }
        }
        result
    }

    // Seeing it otherwise.

    /// Without what could be anything.
    pub fn without_anything(&self) -> Self {
        let entries = self.entries.iter().filter(|(_, kind)| *kind != Kind::Anything).cloned().collect();
        Self { entries }
    }

    /// Only what could be anything.
    pub fn just_anything(&self) -> Self {
        let entries = self.entries.iter().filter(|(_, kind)| *kind == Kind::Anything).cloned().collect();
        Self { entries }
    }

    /// With "every offset" read as "the first one".
    pub fn at_zero(&self, limits: Limits) -> Self {
        let mut result = Self::default();
        for (path, kind) in self.entries.iter().filter(|(_, kind)| *kind != Kind::Anything) {
            let exact: Path = path.iter().map(|&index| index.max(0)).collect();
            let _ = result.add(&exact, *kind, Addresses::MayBeIntegers, limits);
        }
        result
    }

    /// With integers that could as well be anything: for constants, whose bits may be those of a float.
    pub fn integers_as_anything(mut self) -> Self {
        for index in 0..self.entries.len() {
            if self.entries[index].1 == Kind::Integer {
                self.entries.set_kind(index, Kind::Anything);
            }
        }
        self
    }

    /// The floating-point type, if a value of so many bytes is made of floats of one type alone.
    pub fn all_float(&self, size: u64) -> Option<FloatType> {
        if let Some(float) = self.every_kind().and_then(Kind::as_float) {
            return Some(float);
        }
        let float = self.get(&[0])?.as_float()?;
        let stride = Kind::Float(float).stride(1);
        let mut offsets = (stride..size).step_by(stride as usize);
        offsets
            .all(|offset| {
                i32::try_from(offset).is_ok_and(|offset| self.get(&[offset]) == Some(Kind::Float(float)))
            })
            .then_some(float)
    }
}

/// How two paths of the same length relate.
enum Relation {
    Apart,
    Same,
    /// The entry stands for all that the path stands for.
    Covers,
    /// The path stands for all that the entry stands for.
    CoveredBy,
}

fn relation(entry: &[i32], path: &[i32]) -> Relation {
    if entry.len() != path.len() {
        return Relation::Apart;
    }
    let (mut covers, mut covered) = (true, true);
    for (&known, &new) in entry.iter().zip(path).filter(|(known, new)| known != new) {
        match (known, new) {
            (_, EVERY) => covers = false,
            (EVERY, _) => covered = false,
            _ => return Relation::Apart,
        }
    }
    match (covers, covered) {
        (true, true) => Relation::Same,
        (true, false) => Relation::Covers,
        (false, true) => Relation::CoveredBy,
        (false, false) => Relation::Apart,
    }
}

/// Offsets with their kinds and what lies under them, gathered to see which of them make up a whole.
#[derive(Default)]
struct Staging {
    offsets: Vec<(Path, Kind, i32)>,
}

impl Staging {
    fn add(&mut self, rest: &[i32], kind: Kind, offset: i32) {
        self.offsets.push((rest.into(), kind, offset));
    }

    fn combine(mut self, size: u64, pointer_size: u64, limits: Limits) -> TypeTree {
        self.offsets.sort_unstable();
        self.offsets.dedup();
        let mut result = TypeTree { entries: Statements::with_capacity(self.offsets.len()) };
        for alike in self.offsets.chunk_by(|left, right| (&left.0, left.1) == (&right.0, right.1)) {
            let (rest, kind) = (&alike[0].0, alike[0].1);
            let stride = if rest.is_empty() { kind.stride(pointer_size) } else { pointer_size };
            let mut needed = (0..size).step_by(stride.max(1) as usize);
            let holds = |offset: i32| alike.binary_search_by_key(&offset, |(_, _, offset)| *offset).is_ok();
            let whole = holds(EVERY) || needed.all(|offset| i32::try_from(offset).is_ok_and(holds));
            let offsets = alike.iter().map(|(_, _, offset)| *offset);
            for offset in if whole { EVERY..EVERY + 1 } else { 0..0 }.chain(offsets.filter(|_| !whole)) {
                let path = Path::joined(offset, rest);
                // Of two statements that contradict each other the first one holds: what is known of memory was
                // checked when it was learnt.
                let _ = result.insert(&path, kind, Addresses::MayBeIntegers, limits);
            }
        }
        result
    }
}

/// A path as trees print it.
pub(super) struct PathText<'a>(pub(super) &'a [i32]);

impl fmt::Display for PathText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[")?;
        for (position, index) in self.0.iter().enumerate() {
            let comma = if position == 0 { "" } else { "," };
            write!(f, "{comma}{index}")?;
        }
        f.write_str("]")
    }
}

impl fmt::Display for TypeTree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("{")?;
        for (position, (path, kind)) in self.entries.iter().enumerate() {
            let comma = if position == 0 { "" } else { ", " };
            write!(f, "{comma}{}:{kind}", PathText(path))?;
        }
        f.write_str("}")
    }
}
