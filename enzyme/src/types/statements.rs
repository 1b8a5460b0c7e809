//! What a tree is made of: statements about bytes, in order of their paths.
//!
//! Most trees make one or two statements, which lie in place. Those of large structures make dozens, and are copied from
//! value to value: copies share them until one of the two changes.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::ops::Deref;
use std::rc::Rc;

use super::kind::Kind;
use super::path::Path;

/// A kind, and the bytes that are of it.
pub(super) type Statement = (Path, Kind);

#[derive(Clone, Debug, Default)]
pub(super) enum Statements {
    #[default]
    Nothing,
    One([Statement; 1]),
    Two([Statement; 2]),
    Shared(Rc<Vec<Statement>>),
}

impl Statements {
    pub(super) const fn one(path: Path, kind: Kind) -> Self {
        Self::One([(path, kind)])
    }

    /// No statements, but room for some.
    pub(super) fn with_capacity(count: usize) -> Self {
        match count {
            0..=2 => Self::Nothing,
            _ => Self::Shared(Rc::new(Vec::with_capacity(count))),
        }
    }

    pub(super) fn set_kind(&mut self, index: usize, kind: Kind) {
        match self {
            Self::Nothing => unreachable!("no statement has index {index}"),
            Self::One(one) => one[index].1 = kind,
            Self::Two(two) => two[index].1 = kind,
            Self::Shared(shared) => Rc::make_mut(shared)[index].1 = kind,
        }
    }

    pub(super) fn insert(&mut self, index: usize, statement: Statement) {
        self.change(|all| {
            if all.len() == 2 {
                // There will be more, mostly.
                all.reserve(6);
            }
            all.insert(index, statement);
        });
    }

    pub(super) fn remove(&mut self, index: usize) {
        self.change(|all| drop(all.remove(index)));
    }

    /// Keeps those for which `keep` says so; `keep` may change kinds.
    pub(super) fn retain(&mut self, keep: impl FnMut(&mut Statement) -> bool) {
        self.change(|all| all.retain_mut(keep));
    }

    fn change(&mut self, change: impl FnOnce(&mut Vec<Statement>)) {
        let mut all = match std::mem::take(self) {
            Self::Nothing => Vec::new(),
            Self::One(one) => Vec::from(one),
            Self::Two(two) => Vec::from(two),
            Self::Shared(mut shared) => {
                change(Rc::make_mut(&mut shared));
                *self = Self::Shared(shared);
                return;
            }
        };
        change(&mut all);
        *self = Self::from(all);
    }
}

impl From<Vec<Statement>> for Statements {
    fn from(all: Vec<Statement>) -> Self {
        match all.len() {
            0 => Self::Nothing,
            1 | 2 => all.into_iter().collect(),
            _ => Self::Shared(Rc::new(all)),
        }
    }
}

impl FromIterator<Statement> for Statements {
    fn from_iter<I: IntoIterator<Item = Statement>>(all: I) -> Self {
        let mut all = all.into_iter();
        let Some(first) = all.next() else { return Self::Nothing };
        let Some(second) = all.next() else { return Self::One([first]) };
        let Some(third) = all.next() else { return Self::Two([first, second]) };
        let mut many = Vec::with_capacity(3 + all.size_hint().0);
        many.extend([first, second, third]);
        many.extend(all);
        Self::Shared(Rc::new(many))
    }
}

impl Deref for Statements {
    type Target = [Statement];

    fn deref(&self) -> &[Statement] {
        match self {
            Self::Nothing => &[],
            Self::One(one) => one,
            Self::Two(two) => two,
            Self::Shared(shared) => shared,
        }
    }
}

impl PartialEq for Statements {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Shared(one), Self::Shared(other)) if Rc::ptr_eq(one, other) => true,
            _ => self[..] == other[..],
        }
    }
}

impl Eq for Statements {}

impl PartialOrd for Statements {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Statements {
    fn cmp(&self, other: &Self) -> Ordering {
        self[..].cmp(&other[..])
    }
}

impl Hash for Statements {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self[..].hash(state);
    }
}
