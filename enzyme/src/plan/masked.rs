//! Vector intrinsics under a mask, and those that also take a length (`llvm.vp.…`), that are no arithmetic.

use super::role::Role;
use smallvec::smallvec;

/// Elements of a vector in memory, by the operands of the intrinsic that reads or writes them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Elements {
    /// The operand that says where.
    pub pointer: usize,
    /// The operand that says which of them; all of them otherwise.
    pub chosen: Option<usize>,
    /// The operand that says how many there are at most.
    pub count: Option<usize>,
    /// How they lie.
    pub layout: ElementLayout,
}

/// How the elements of a vector lie in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ElementLayout {
    /// Side by side, with room for those that are not chosen.
    SideBySide,
    /// Side by side, without.
    Packed,
    /// Each at an address of its own; several may be the same.
    Scattered,
}

/// Where the elements are that such an intrinsic reads or writes, by its name without `llvm.`, called with so many
/// arguments; nothing for those of which the adjoint is not known.
pub(super) fn elements(name: &str, arguments: usize) -> Option<Elements> {
    let is = |prefix: &str| name.strip_prefix(prefix).is_some_and(|rest| rest.starts_with('.'));
    let last = arguments.checked_sub(1)?;
    let (pointer, chosen, count, layout) = match () {
        () if is("masked.load") => (0, Some(last - 1), None, ElementLayout::SideBySide),
        () if is("masked.expandload") => (0, Some(last - 1), None, ElementLayout::Packed),
        () if is("masked.gather") => (0, Some(last - 1), None, ElementLayout::Scattered),
        () if is("masked.store") => (1, Some(last), None, ElementLayout::SideBySide),
        () if is("masked.compressstore") => (1, Some(last), None, ElementLayout::Packed),
        () if is("masked.scatter") => (1, Some(last), None, ElementLayout::Scattered),
        () if is("vp.load") => (0, Some(1), Some(2), ElementLayout::SideBySide),
        () if is("vp.store") => (1, Some(2), Some(3), ElementLayout::SideBySide),
        () if is("nvvm.ldg.global.f") || is("nvvm.ldu.global.f") => {
            (0, None, None, ElementLayout::SideBySide)
        }
        () => return None,
    };
    Some(Elements { pointer, chosen, count, layout })
}

/// The role of such an intrinsic, by its name without `llvm.`, called with so many
/// arguments.
pub(super) fn role(name: &str, arguments: usize) -> Option<Role> {
    let last = arguments.checked_sub(1)?;
    let family =
        |prefix: &str| name.strip_prefix(prefix).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
    let any = |prefixes: &[&str]| prefixes.iter().any(|prefix| family(prefix));
    Some(if any(&["masked.load", "masked.gather", "masked.expandload"]) {
        // Until LLVM 21 some of these take an alignment in the middle.
        Role::LoadElements { pointer: 0, others: Some(last) }
    } else if any(&["vp.load", "vp.gather", "experimental.vp.strided.load"]) {
        Role::LoadElements { pointer: 0, others: None }
    } else if any(&[
        "masked.store",
        "masked.scatter",
        "masked.compressstore",
        "vp.store",
        "vp.scatter",
        "experimental.vp.strided.store",
    ]) {
        Role::StoreElements { value: 0, pointer: 1 }
    } else if any(&["vp.select", "vp.merge"]) {
        Role::Move(smallvec![1, 2])
    } else if family("vp.reduce.fadd") {
        Role::SumElements
    } else {
        return None;
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_elements_that_are_not_loaded_come_last() {
        let others = Some(3);
        assert_eq!(role("masked.load.v4f64.p0", 4), Some(Role::LoadElements { pointer: 0, others }));
        assert_eq!(role("masked.load.v4f64.p0", 3), Some(Role::LoadElements { pointer: 0, others: Some(2) }));
        assert_eq!(role("vp.load.v4f64.p0", 3), Some(Role::LoadElements { pointer: 0, others: None }));
    }

    #[test]
    fn the_mask_stands_before_the_other_elements_or_last() {
        let chosen = |name, arguments| elements(name, arguments).and_then(|elements| elements.chosen);
        assert_eq!(chosen("masked.load.v4f64.p0", 4), Some(2));
        assert_eq!(chosen("masked.load.v4f64.p0", 3), Some(1));
        assert_eq!(chosen("masked.store.v4f64.p0", 4), Some(3));
        assert_eq!(chosen("vp.store.v4f64.p0", 4), Some(2));
        assert_eq!(elements("experimental.vp.strided.load.v4f64.p0.i64", 4), None);
    }
}
