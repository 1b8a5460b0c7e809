//! The algebra of type trees, on random trees.

use enzyme::model::FloatType;
use enzyme::types::{Addresses, EVERY, Kind, Limits, TypeTree};
use proptest::prelude::*;

const LIMITS: Limits = Limits { offset: 500, depth: 6 };

/// Bytes of a pointer.
const POINTER: u64 = 8;

fn kind() -> impl Strategy<Value = Kind> {
    prop_oneof![1 => Just(Kind::Anything), 4 => definite_kind()]
}

fn definite_kind() -> impl Strategy<Value = Kind> {
    prop_oneof![
        Just(Kind::Integer),
        Just(Kind::Pointer),
        Just(Kind::Float(FloatType::Float)),
        Just(Kind::Float(FloatType::Double)),
    ]
}

fn index() -> impl Strategy<Value = i32> {
    prop_oneof![7 => near_index(), 1 => 480..1000]
}

fn near_index() -> impl Strategy<Value = i32> {
    prop_oneof![3 => Just(EVERY), 4 => (0..4).prop_map(|slot| slot * 8), 1 => 0..40]
}

/// Any tree.
fn tree() -> impl Strategy<Value = TypeTree> {
    tree_of(index(), kind())
}

/// A tree in which nothing could be anything, and no offset is so far away that it may be dropped.
fn definite_tree() -> impl Strategy<Value = TypeTree> {
    tree_of(near_index(), definite_kind())
}

/// Statements of which those are kept that contradict none before them. Under what is not said to be a pointer nothing
/// is said.
fn tree_of(
    index: impl Strategy<Value = i32>,
    kind: impl Strategy<Value = Kind>,
) -> impl Strategy<Value = TypeTree> {
    let statement = (prop::collection::vec(index, 1..4), kind);
    prop::collection::vec(statement, 0..8).prop_map(|statements| {
        let mut tree = TypeTree::unknown();
        for (path, kind) in statements {
            let pointers = (1..path.len()).all(|length| {
                tree.add(&path[..length], Kind::Pointer, Addresses::AreAddresses, LIMITS).is_ok()
            });
            if pointers {
                let _ = tree.add(&path, kind, Addresses::AreAddresses, LIMITS);
            }
        }
        tree
    })
}

fn merged(left: &TypeTree, right: &TypeTree) -> Option<TypeTree> {
    let mut all = left.clone();
    all.merge(right, Addresses::AreAddresses, LIMITS).is_ok().then_some(all)
}

/// The paths are in order, each once, none is too deep, and each level has at most one offset beyond the limit in
/// paths that have no smaller one.
fn assert_well_formed(tree: &TypeTree) {
    let paths: Vec<&[i32]> = tree.iter().map(|(path, _)| path).collect();
    assert!(paths.is_sorted_by(|left, right| left < right), "{tree}");
    assert!(paths.iter().all(|path| path.len() <= LIMITS.depth), "{tree}");
    assert!(paths.iter().all(|path| path.iter().all(|&index| index >= EVERY)), "{tree}");
}

/// Whether a tree says at least what another one says: of the same bytes the same, or that they may be anything.
fn says(more: &TypeTree, less: &TypeTree) -> bool {
    less.iter().all(|(path, kind)| {
        let below_anything = (1..path.len()).any(|length| more.get(&path[..length]) == Some(Kind::Anything));
        below_anything || more.get(path).is_some_and(|known| known == kind || known == Kind::Anything)
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, ..ProptestConfig::default() })]

    #[test]
    fn a_tree_learns_nothing_from_itself(tree in tree()) {
        let mut again = tree.clone();
        let change = again.merge(&tree, Addresses::AreAddresses, LIMITS).expect("no contradiction");
        prop_assert!(!change.happened());
        prop_assert_eq!(again, tree);
    }

    #[test]
    fn a_merge_says_what_both_say(left in definite_tree(), right in definite_tree()) {
        if let Some(all) = merged(&left, &right) {
            assert_well_formed(&all);
            prop_assert!(says(&all, &left), "{} does not say {}", all, left);
            prop_assert!(says(&all, &right), "{} does not say {}", all, right);
        }
    }

    #[test]
    fn a_merge_twice_is_a_merge_once(left in tree(), right in tree()) {
        if let Some(all) = merged(&left, &right) {
            let mut again = all.clone();
            let change = again.merge(&right, Addresses::AreAddresses, LIMITS).expect("no contradiction");
            prop_assert!(!change.happened(), "{} learnt from {}: {}", all, right, again);
        }
    }

    #[test]
    fn the_order_of_a_merge_makes_no_difference(left in definite_tree(), right in definite_tree()) {
        prop_assert_eq!(merged(&left, &right), merged(&right, &left));
    }

    #[test]
    fn both_trees_say_what_a_meet_says(left in definite_tree(), right in definite_tree()) {
        let mut common = left.clone();
        common.meet(&right);
        assert_well_formed(&common);
        prop_assert!(says(&left, &common) && says(&right, &common), "{}", common);
        let mut again = common.clone();
        again.meet(&right);
        prop_assert_eq!(&again, &common);
        let mut other = right.clone();
        other.meet(&left);
        prop_assert_eq!(other, common);
    }

    #[test]
    fn the_text_of_a_tree_is_read_as_the_tree(tree in tree_of(near_index(), kind())) {
        let read: TypeTree = tree.to_string().parse().expect("parses");
        prop_assert_eq!(read, tree);
    }

    #[test]
    fn limits_hold_after_every_operation(
        left in tree(), right in tree(), from in 0_u64..600, size in 0_u64..600, to in 0_u64..600,
    ) {
        let _ = merged(&left, &right).map(|all| assert_well_formed(&all));
        assert_well_formed(&left.at(EVERY, LIMITS));
        assert_well_formed(&left.at(8, LIMITS).at(8, LIMITS).at(8, LIMITS).at(8, LIMITS));
        assert_well_formed(&left.first(LIMITS));
        assert_well_formed(&left.every_offset());
        assert_well_formed(&left.at_zero(LIMITS));
        assert_well_formed(&left.loaded(size, POINTER, LIMITS));
        assert_well_formed(&left.clone().canonical(size, POINTER, LIMITS));
        assert_well_formed(&left.cleared(from, from + size, 1200, POINTER, LIMITS));
        assert_well_formed(&TypeTree::pointer_to(&left, LIMITS));
        for size in [None, Some(size)] {
            let window = left.window(from, size, to, POINTER, LIMITS);
            assert_well_formed(&window);
            let far = window.iter().filter(|(path, _)| path.iter().all(|&index| index > LIMITS.offset));
            prop_assert!(far.count() <= left.len(), "{}", window);
        }
    }

    #[test]
    fn a_window_moves_bytes_there_and_back(tree in tree(), to in 0_u64..100) {
        // Exact offsets alone: what holds of every byte has other bytes after a move.
        let exact = tree.iter().all(|(path, _)| path[0] != EVERY && path[0] < 400);
        prop_assume!(exact);
        let there = tree.window(0, None, to, POINTER, LIMITS);
        prop_assert_eq!(there.window(to, None, 0, POINTER, LIMITS), tree);
    }

    #[test]
    fn a_value_of_one_kind_is_so_written_out_and_put_together(kind in kind(), elements in 1_u64..8) {
        let size = 16 * elements;
        let whole = TypeTree::of(kind);
        let written_out = whole.window(0, Some(size), 0, POINTER, LIMITS);
        prop_assert!(written_out.iter().all(|(path, _)| path[0] != EVERY));
        prop_assert_eq!(written_out.clone().canonical(size, POINTER, LIMITS), whole.clone());
        let pointer = TypeTree::pointer_to(&written_out, LIMITS);
        prop_assert_eq!(pointer.loaded(size, POINTER, LIMITS), whole);
    }

    #[test]
    fn canonical_form_is_reached_at_once(tree in tree(), size in 1_u64..64) {
        let once = tree.canonical(size, POINTER, LIMITS);
        prop_assert_eq!(once.clone().canonical(size, POINTER, LIMITS), once);
    }
}

#[test]
fn far_offsets_are_dropped_but_for_the_smallest() {
    let mut tree = TypeTree::unknown();
    for offset in [900, 700, 800] {
        tree.add(&[EVERY, offset], Kind::Pointer, Addresses::AreAddresses, LIMITS).expect("no contradiction");
    }
    assert_eq!(tree.to_string(), "{[-1,700]:Pointer}");
    tree.add(&[EVERY, 8], Kind::Integer, Addresses::AreAddresses, LIMITS).expect("no contradiction");
    assert_eq!(tree.to_string(), "{[-1,8]:Integer}");
}

#[test]
fn paths_that_are_too_deep_are_dropped() {
    let mut tree = TypeTree::unknown();
    let limits = Limits { depth: 2, ..LIMITS };
    let change =
        tree.add(&[0, 0, 0], Kind::Integer, Addresses::AreAddresses, limits).expect("no contradiction");
    assert!(!change.happened());
    assert!(tree.is_empty());
}

#[test]
fn under_a_number_there_is_nothing() {
    let mut tree: TypeTree = "{[-1]:Integer}".parse().expect("parses");
    let conflict =
        tree.add(&[-1, 0], Kind::Integer, Addresses::AreAddresses, LIMITS).expect_err("a contradiction");
    assert_eq!(conflict.to_string(), "at [-1]: Integer and Pointer cannot both be true");
    assert_eq!(tree.to_string(), "{[-1]:Integer}", "the tree is as it was");
}

#[test]
fn addresses_are_integers_where_that_is_said() {
    let mut tree: TypeTree = "{[-1]:Pointer}".parse().expect("parses");
    assert!(tree.add(&[-1], Kind::Integer, Addresses::AreAddresses, LIMITS).is_err());
    assert!(tree.add(&[-1], Kind::Integer, Addresses::MayBeIntegers, LIMITS).is_ok());
    assert_eq!(tree.to_string(), "{[-1]:Pointer}");
}

#[test]
fn of_a_path_with_two_far_offsets_both_must_be_the_smallest() {
    let read = |text: &str| text.parse::<TypeTree>().expect("a tree");
    let right = read("{[-1]:Pointer, [-1,501,501]:Integer, [8,-1]:Integer}");
    let mut all = merged(&read("{[0]:Anything}"), &right).expect("no contradiction");
    let again = all.merge(&right, Addresses::AreAddresses, LIMITS).expect("no contradiction");
    assert!(!again.happened(), "what was too far is too far the next time: {all}");
}

#[test]
fn a_large_tree_learns_no_more_of_what_is_far() {
    let mut tree: TypeTree = "{[-1]:Pointer}".parse().expect("parses");
    let mut add = |path: &[i32]| {
        let change =
            tree.add(path, Kind::Integer, Addresses::AreAddresses, LIMITS).expect("no contradiction");
        change.happened()
    };
    for offset in 0..500 {
        assert!(add(&[-1, offset]), "what is near is known whatever else is");
    }
    assert!(!add(&[-1, 0, 0, 0]), "there is enough to know");
    assert!(add(&[-1, 500]));
}
