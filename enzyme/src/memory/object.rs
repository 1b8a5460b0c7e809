//! Abstract objects, and sets of places in them.

use cranelift_entity::entity_impl;
use smallvec::SmallVec;

use crate::model::InstId;

/// An abstract object: memory that the analysis of one function tells from other memory. Only meaningful together with
/// the function.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectId(u32);
entity_impl!(ObjectId, "object");

impl ObjectId {
    /// [`ObjectKind::Outside`], the same in every function.
    pub const OUTSIDE: Self = Self(0);
    /// [`ObjectKind::Handed`], the same in every function.
    pub const HANDED: Self = Self(1);
    /// [`ObjectKind::ErrorNumber`], the same in every function.
    pub const ERROR_NUMBER: Self = Self(2);
}

/// A global symbol of the program, told by its name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SymbolId(u32);
entity_impl!(SymbolId, "symbol");

/// What an abstract object stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ObjectKind {
    /// All memory that code elsewhere can reach: whatever is not the function's own, and what escaped from it.
    Outside,
    /// The objects whose addresses the function, or what it calls, put where code elsewhere can read them. A pointer
    /// loaded from such memory points to what was there at entry, or to these.
    Handed,
    /// C's `errno`, as far as it is reached by the function that gives its address.
    ErrorNumber,
    /// What a parameter points to at entry.
    Parameter(u32),
    /// What the pointers in the memory of a parameter point to at entry.
    Reached(u32),
    /// What lies at the end of chains of two or more such pointers at entry.
    Beyond(u32),
    /// A global variable or function.
    Global(SymbolId),
    /// Memory of the function's frame: an `alloca`.
    Stack(InstId),
    /// Memory that a call allocates.
    Heap(InstId),
}

impl ObjectKind {
    /// Whether it is memory that the function itself makes: of its frame, or by a call.
    pub fn is_made_by_the_function(self) -> bool {
        match self {
            Self::Stack(_) | Self::Heap(_) => true,
            Self::Outside
            | Self::Handed
            | Self::ErrorNumber
            | Self::Parameter(_)
            | Self::Reached(_)
            | Self::Beyond(_)
            | Self::Global(_) => false,
        }
    }
}

/// What is known of an abstract object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Object {
    /// What it stands for.
    pub kind: ObjectKind,
    /// Its size in bytes, if known.
    pub size: Option<u64>,
    /// Who else can have pointers to it.
    pub sharing: Sharing,
    /// Whether it stands for one piece of memory, or for several.
    pub instances: Instances,
    /// Whether it can be written to.
    pub mutability: Mutability,
}

/// Who can have pointers to an object that the function did not hand out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sharing {
    /// Nobody: it was made by the function, or the function's parameter is `noalias`.
    Own,
    /// Code elsewhere, or another parameter.
    Shared,
}

/// How many pieces of memory an abstract object stands for during one run of the function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Instances {
    /// One.
    One,
    /// Any number: an allocation that may run many times, memory at the end of any chain of pointers.
    Many,
}

/// Whether the memory of an object changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mutability {
    /// It never does: a constant, the code of a function.
    Constant,
    /// It may.
    Mutable,
}

/// How far the address of an object got. Ordered: the further, the greater.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Escape {
    /// Nobody but the function, and what it calls while the call lasts, has it.
    #[default]
    No,
    /// The caller gets it when the function returns: as the result, or in memory of a `noalias` parameter.
    AtReturn,
    /// Code elsewhere may have it while the function runs.
    Yes,
}

/// A place that a pointer may point to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Location {
    /// The object.
    pub object: ObjectId,
    /// Bytes from where the object begins (for a parameter: from where it points at entry); `None` is anywhere.
    pub offset: Option<i64>,
}

impl Location {
    /// Somewhere in an object.
    pub fn anywhere(object: ObjectId) -> Self {
        Self { object, offset: None }
    }

    /// The beginning of an object.
    pub fn start(object: ObjectId) -> Self {
        Self { object, offset: Some(0) }
    }

    /// The place that lies further on.
    #[must_use]
    pub fn shifted(self, shift: Shift) -> Self {
        let offset = match shift {
            Shift::By(bytes) => self.offset.and_then(|offset| offset.checked_add(bytes)),
            Shift::Unknown => None,
        };
        Self { offset, ..self }
    }
}

/// How a pointer is moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Shift {
    /// By this many bytes.
    By(i64),
    /// By any number of bytes, within the object.
    Unknown,
}

impl Shift {
    /// Not at all.
    pub const NONE: Self = Self::By(0);

    /// One move after another.
    #[must_use]
    pub fn then(self, next: Self) -> Self {
        match (self, next) {
            (Self::By(first), Self::By(second)) => first.checked_add(second).map_or(Self::Unknown, Self::By),
            (Self::Unknown, _) | (_, Self::Unknown) => Self::Unknown,
        }
    }
}

/// A set of places, in order. Of one object it holds either a few exact places or the whole.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LocationSet {
    locations: SmallVec<[Location; 2]>,
}

impl LocationSet {
    /// How many exact places of one object are told apart before they become "anywhere in it": pointers that walk
    /// through an array end here.
    pub const EXACT_PLACES: usize = 4;

    /// All places, in order of the objects.
    pub fn iter(&self) -> impl Iterator<Item = Location> + '_ {
        self.locations.iter().copied()
    }

    /// The objects, each once, in order.
    pub fn objects(&self) -> impl Iterator<Item = ObjectId> + '_ {
        let mut last = None;
        self.iter()
            .map(|location| location.object)
            .filter(move |&object| last.replace(object) != Some(object))
    }

    /// Whether there are none: the pointer is null or has no meaning, as far as is known.
    pub fn is_empty(&self) -> bool {
        self.locations.is_empty()
    }

    /// How many places there are.
    pub fn len(&self) -> usize {
        self.locations.len()
    }

    /// Whether some place of an object is among them.
    pub fn has_object(&self, object: ObjectId) -> bool {
        self.first_of(object) < self.locations.len() && self.locations[self.first_of(object)].object == object
    }

    /// The only place, if there is just one.
    pub fn single(&self) -> Option<Location> {
        match self.locations[..] {
            [location] => Some(location),
            _ => None,
        }
    }

    /// Adds a place; says whether that was news.
    pub fn insert(&mut self, location: Location) -> bool {
        let start = self.first_of(location.object);
        let count =
            self.locations[start..].iter().take_while(|other| other.object == location.object).count();
        let own = &self.locations[start..start + count];
        if own.first().is_some_and(|first| first.offset.is_none()) || own.contains(&location) {
            return false;
        }
        if location.offset.is_none() || count == Self::EXACT_PLACES {
            self.locations.drain(start..start + count);
            self.locations.insert(start, Location::anywhere(location.object));
        } else {
            let place = start + own.iter().filter(|other| **other < location).count();
            self.locations.insert(place, location);
        }
        true
    }

    fn first_of(&self, object: ObjectId) -> usize {
        self.locations.partition_point(|location| location.object < object)
    }
}

impl FromIterator<Location> for LocationSet {
    fn from_iter<I: IntoIterator<Item = Location>>(locations: I) -> Self {
        let mut set = Self::default();
        for location in locations {
            set.insert(location);
        }
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(object: u32, offset: i64) -> Location {
        Location { object: ObjectId::from_u32(object), offset: Some(offset) }
    }

    #[test]
    fn a_set_is_ordered_and_holds_each_place_once() {
        let mut set: LocationSet = [at(5, 8), at(3, 0), at(5, 0)].into_iter().collect();
        assert!(!set.insert(at(5, 8)));
        assert_eq!(set.iter().collect::<Vec<_>>(), [at(3, 0), at(5, 0), at(5, 8)]);
        assert_eq!(set.objects().map(|object| object.as_u32()).collect::<Vec<_>>(), [3, 5]);
        assert!(set.has_object(ObjectId::from_u32(3)) && !set.has_object(ObjectId::from_u32(4)));
    }

    #[test]
    fn many_places_of_one_object_become_the_whole_of_it() {
        let mut set: LocationSet = (0..4).map(|index| at(3, index)).collect();
        assert_eq!(set.len(), 4);
        assert!(set.insert(at(3, 100)));
        assert_eq!(set.single(), Some(Location::anywhere(ObjectId::from_u32(3))));
        assert!(!set.insert(at(3, 7)), "a part of the whole is no news");
    }

    #[test]
    fn moves_add_up_unless_one_is_unknown() {
        assert_eq!(Shift::By(8).then(Shift::By(-4)), Shift::By(4));
        assert_eq!(Shift::By(8).then(Shift::Unknown), Shift::Unknown);
        assert_eq!(Shift::By(i64::MAX).then(Shift::By(1)), Shift::Unknown);
        assert_eq!(at(3, i64::MAX).shifted(Shift::By(1)).offset, None);
    }
}
