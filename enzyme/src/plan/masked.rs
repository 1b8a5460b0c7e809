//! Vector intrinsics under a mask, and those that also take a length (`llvm.vp.…`), that are no arithmetic.

use super::role::Role;
use smallvec::smallvec;

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
}
