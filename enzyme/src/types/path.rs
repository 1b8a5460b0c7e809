//! Ways to bytes.

use std::ops::Deref;

use smallvec::SmallVec;

/// A way from a value to some bytes: an offset in the value, an offset in what is pointed to from there, …
#[derive(Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Path(SmallVec<[i32; 4]>);

impl Path {
    /// The way to a value itself.
    pub fn new() -> Self {
        Self::default()
    }

    /// The way of one index, then of others.
    pub(super) fn joined(first: i32, rest: &[i32]) -> Self {
        let mut path = SmallVec::new();
        path.push(first);
        path.extend_from_slice(rest);
        Self(path)
    }

    /// Goes on to an offset in what is pointed to.
    pub(super) fn push(&mut self, index: i32) {
        self.0.push(index);
    }

    /// Goes back by one index.
    pub(super) fn pop(&mut self) {
        self.0.pop();
    }
}

impl Clone for Path {
    // Paths are copied more often than anything else is done with them; `SmallVec` copies what it cannot know to be
    // plain numbers one by one.
    fn clone(&self) -> Self {
        Self(SmallVec::from_slice(&self.0))
    }
}

impl Deref for Path {
    type Target = [i32];

    fn deref(&self) -> &[i32] {
        &self.0
    }
}

impl From<&[i32]> for Path {
    fn from(indices: &[i32]) -> Self {
        Self(SmallVec::from_slice(indices))
    }
}

impl FromIterator<i32> for Path {
    fn from_iter<I: IntoIterator<Item = i32>>(indices: I) -> Self {
        Self(indices.into_iter().collect())
    }
}

impl<'a> IntoIterator for &'a Path {
    type Item = &'a i32;
    type IntoIter = std::slice::Iter<'a, i32>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}
