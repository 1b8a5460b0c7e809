//! Attributes of functions, parameters, results and calls.

use super::TypeId;

/// One attribute.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Attribute {
    /// A word: `nonnull`, `noalias`, `nounwind` …
    Flag(String),
    /// A word with a number: `align 8`, `dereferenceable(16)` …
    Integer(String, u64),
    /// A word with a type: `sret(%pair)`, `elementtype(double)` …
    Type(String, TypeId),
    /// A word with anything else, as it is written between the parentheses: `memory(argmem: read)`,
    /// `captures(none)`, `range(i32 0, 5)` …
    Text(String, String),
    /// A string, with or without a value: `"enzyme_inactive"`, `"target-cpu"="znver3"`.
    String(String, Option<String>),
}

impl Attribute {
    /// The word or string that names it.
    pub fn name(&self) -> &str {
        match self {
            Self::Flag(name)
            | Self::Integer(name, _)
            | Self::Type(name, _)
            | Self::Text(name, _)
            | Self::String(name, _) => name,
        }
    }
}

/// The attributes of one place, in the order they were given.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct AttributeSet {
    attributes: Vec<Attribute>,
}

impl AttributeSet {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.attributes.is_empty()
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = &Attribute> {
        self.attributes.iter()
    }

    /// Adds one, in place of one with the same name.
    pub fn add(&mut self, attribute: Attribute) {
        match self.attributes.iter_mut().find(|other| other.name() == attribute.name()) {
            Some(other) => *other = attribute,
            None => self.attributes.push(attribute),
        }
    }

    /// The attribute of this name, whatever its kind.
    pub fn get(&self, name: &str) -> Option<&Attribute> {
        self.attributes.iter().find(|attribute| attribute.name() == name)
    }

    /// Whether there is an attribute of this name, whatever its kind.
    pub fn has(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    /// The number given with an attribute.
    pub fn integer(&self, name: &str) -> Option<u64> {
        match self.get(name)? {
            Attribute::Integer(_, value) => Some(*value),
            Attribute::Flag(_) | Attribute::Type(..) | Attribute::Text(..) | Attribute::String(..) => None,
        }
    }

    /// The type given with an attribute.
    pub fn type_of(&self, name: &str) -> Option<TypeId> {
        match self.get(name)? {
            Attribute::Type(_, ty) => Some(*ty),
            Attribute::Flag(_) | Attribute::Integer(..) | Attribute::Text(..) | Attribute::String(..) => None,
        }
    }

    /// The text given with an attribute: between its parentheses, or the value of a string attribute.
    pub fn text(&self, name: &str) -> Option<&str> {
        match self.get(name)? {
            Attribute::Text(_, text) | Attribute::String(_, Some(text)) => Some(text),
            Attribute::String(_, None)
            | Attribute::Flag(_)
            | Attribute::Integer(..)
            | Attribute::Type(..) => None,
        }
    }
}

impl FromIterator<Attribute> for AttributeSet {
    fn from_iter<I: IntoIterator<Item = Attribute>>(attributes: I) -> Self {
        let mut set = Self::default();
        attributes.into_iter().for_each(|attribute| set.add(attribute));
        set
    }
}
