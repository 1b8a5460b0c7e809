//! Bytes that instructions touch, and whether they overlap.

use super::object::{Location, ObjectId};

/// Some bytes of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Region {
    /// Where they begin; anywhere in the object when the place is not known.
    pub location: Location,
    /// How many there are from there on; `None` is any number.
    pub size: Option<u64>,
}

/// How two accesses through pointers relate, while both pointers have their values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Alias {
    /// They touch no common byte.
    No,
    /// Nothing is known.
    May,
    /// They touch common bytes, but not the same.
    Partial,
    /// They touch the same bytes.
    Must,
}

impl Region {
    /// Anything that code elsewhere can reach.
    pub(super) const OUTSIDE: Self =
        Self { location: Location { object: ObjectId::OUTSIDE, offset: None }, size: None };
}

/// The relation of bytes of one object that exists once.
pub(super) fn relate(
    first: Option<i64>,
    first_size: Option<u64>,
    second: Option<i64>,
    second_size: Option<u64>,
) -> Alias {
    let (Some(first), Some(second)) = (first, second) else { return Alias::May };
    if first == second && first_size.is_some() && first_size == second_size {
        return Alias::Must;
    }
    let (low, low_size, high, high_size) = if first <= second {
        (first, first_size, second, second_size)
    } else {
        (second, second_size, first, first_size)
    };
    let distance = high.abs_diff(low);
    match (low_size, high_size) {
        (Some(low_size), _) if low_size <= distance => Alias::No,
        (Some(0), _) | (_, Some(0)) => Alias::No,
        (Some(_), Some(_)) => Alias::Partial,
        (None, _) | (_, None) => Alias::May,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_of_one_object_are_compared() {
        let relate = |first, first_size, second, second_size| {
            super::relate(Some(first), Some(first_size), Some(second), Some(second_size))
        };
        assert_eq!(relate(0, 8, 0, 8), Alias::Must);
        assert_eq!(relate(0, 8, 8, 8), Alias::No);
        assert_eq!(relate(8, 8, 0, 8), Alias::No);
        assert_eq!(relate(0, 8, 4, 8), Alias::Partial);
        assert_eq!(relate(0, 8, 0, 4), Alias::Partial);
        assert_eq!(relate(0, 0, 0, 4), Alias::No);
    }

    #[test]
    fn what_is_not_known_may_overlap() {
        assert_eq!(super::relate(None, Some(8), Some(0), Some(8)), Alias::May);
        assert_eq!(super::relate(Some(0), None, Some(8), Some(8)), Alias::May);
        assert_eq!(
            super::relate(Some(8), None, Some(0), Some(8)),
            Alias::No,
            "any number, but from there on"
        );
        assert_eq!(super::relate(Some(0), None, Some(0), None), Alias::May);
    }
}
