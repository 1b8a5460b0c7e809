//! How the tangents of several directions are held: those of a float as vectors of some directions each, so that one
//! instruction serves all of them; those of anything else one by one.

use crate::ir::{Builder, Type, Value};
use inkwell::llvm_sys::LLVMTypeKind;
use smallvec::SmallVec;

/// The tangents of a value: one for each of the groups that directions form for values of its type.
pub(super) type Tangents = SmallVec<[Value; 1]>;

/// The most directions in one vector. Four doubles are a register with AVX and two without it; what is longer would be
/// taken apart by LLVM, and keep more registers busy from one instruction to the next.
const MOST_IN_GROUP: usize = 4;

/// The directions of a derivative, and how they are held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Directions {
    /// How many there are.
    pub(super) width: usize,
    most_in_group: usize,
}

/// Some neighbouring directions whose tangents are one value: of a single direction the tangent itself, of several a
/// vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Group {
    /// The first of them.
    pub(super) first: usize,
    /// How many they are.
    pub(super) count: usize,
}

impl Directions {
    /// Each by itself.
    pub(super) fn apart(width: usize) -> Directions {
        Directions { width, most_in_group: 1 }
    }

    /// In groups, where the type allows it.
    pub(super) fn in_groups(width: usize) -> Directions {
        Directions { width, most_in_group: MOST_IN_GROUP }
    }

    /// The groups of the tangents of values of type `ty`, in order. A group has a power of two of directions.
    pub(super) fn groups(self, ty: Type) -> SmallVec<[Group; 1]> {
        let most = if can_be_in_vector(ty) { self.most_in_group } else { 1 };
        let mut groups = SmallVec::new();
        let mut first = 0;
        while first < self.width {
            let left = self.width - first;
            let count = most.min(1 << left.ilog2());
            groups.push(Group { first, count });
            first += count;
        }
        groups
    }

    /// The tangents of a value of type `ty`, from one a direction.
    pub(super) fn gather(self, builder: &Builder, ty: Type, one_by_one: &[Value]) -> Tangents {
        let groups = self.groups(ty);
        groups
            .iter()
            .map(|group| group.gather(builder, ty, &one_by_one[group.first..][..group.count]))
            .collect()
    }

    /// One tangent a direction, from those of a value of type `ty`.
    pub(super) fn one_by_one(self, builder: &Builder, ty: Type, tangents: &[Value]) -> Tangents {
        let mut all = Tangents::new();
        for (group, &tangent) in self.groups(ty).iter().zip(tangents) {
            match group.count {
                1 => all.push(tangent),
                count => {
                    all.extend((0..count as u32).map(|index| builder.extract_element(tangent, index)));
                }
            }
        }
        all
    }
}

impl Group {
    /// The type of the tangents of values of type `ty`.
    pub(super) fn of(self, ty: Type) -> Type {
        if self.count == 1 { ty } else { ty.vector(self.count as u32) }
    }

    /// The same value in every direction.
    pub(super) fn spread(self, builder: &Builder, value: Value) -> Value {
        if self.count == 1 { value } else { builder.splat(value, self.count as u32) }
    }

    /// The tangents of a value of type `ty` in these directions, from one a direction.
    pub(super) fn gather(self, builder: &Builder, ty: Type, one_by_one: &[Value]) -> Value {
        if let [only] = one_by_one {
            return *only;
        }
        let empty = Value::poison(self.of(ty));
        (0..)
            .zip(one_by_one)
            .fold(empty, |vector, (index, &tangent)| builder.insert_element(vector, tangent, index))
    }
}

/// Whether every target computes with vectors of the type as it does with the type itself, or element by element.
fn can_be_in_vector(ty: Type) -> bool {
    matches!(ty.raw_kind(), LLVMTypeKind::LLVMFloatTypeKind | LLVMTypeKind::LLVMDoubleTypeKind)
}

#[cfg(test)]
mod tests {
    use super::*;
    use inkwell::llvm_sys::core::{LLVMContextCreate, LLVMContextDispose};

    #[test]
    fn directions_of_floats_form_groups_of_powers_of_two() {
        // SAFETY: the context is disposed of once its types are not used any more.
        let context = unsafe { LLVMContextCreate() };
        let (double, extended) = (Type::double(context), Type::x86_fp80(context));
        let counts = |directions: Directions, ty| -> Vec<usize> {
            directions.groups(ty).iter().map(|group| group.count).collect()
        };
        assert_eq!(counts(Directions::in_groups(1), double), [1]);
        assert_eq!(counts(Directions::in_groups(7), double), [4, 2, 1]);
        assert_eq!(counts(Directions::in_groups(3), extended), [1, 1, 1]);
        assert_eq!(counts(Directions::in_groups(2), Type::pointer(context)), [1, 1]);
        assert_eq!(counts(Directions::apart(3), double), [1, 1, 1]);
        let firsts: Vec<usize> =
            Directions::in_groups(11).groups(double).iter().map(|group| group.first).collect();
        assert_eq!(firsts, [0, 4, 8, 10]);
        // SAFETY: see above.
        unsafe { LLVMContextDispose(context) };
    }
}
