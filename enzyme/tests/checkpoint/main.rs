//! Checkpoint schedules, carried out on a chain of steps whose state is the number of the step that comes next.

use std::collections::BTreeMap;

use enzyme::checkpoint::{Action, Scheme, default_snapshots, longest_advance, optimal_forward_steps};
use proptest::prelude::*;

/// What a schedule took.
#[derive(Debug, Default, PartialEq, Eq)]
struct Cost {
    forward_steps: u128,
    stores: u64,
    most_stored: usize,
}

/// Carries out a schedule: panics where an action does not fit the state, or a step is not reversed in its turn.
fn carry_out(scheme: Scheme, steps: u64) -> Cost {
    let mut cost = Cost::default();
    let mut slots: Vec<Option<u64>> = Vec::new();
    let mut state = Some(0);
    let mut to_reverse = steps;
    let mut actions = scheme.schedule(steps);
    let mut turned = false;
    loop {
        let action = actions.next().expect("the last action is `Done`");
        match action {
            Action::Store { step, slot } => {
                assert_eq!(state, Some(step), "{scheme:?}, {steps}: {action:?}");
                let slot = slot as usize;
                slots.resize(slots.len().max(slot + 1), None);
                slots[slot] = Some(step);
                cost.stores += 1;
                // A state whose step has been reversed is no longer needed.
                let stored = slots.iter().flatten().filter(|&&step| step < to_reverse).count();
                cost.most_stored = cost.most_stored.max(stored);
            }
            Action::Restore { step, slot } => {
                assert_eq!(slots[slot as usize], Some(step), "{scheme:?}, {steps}: {action:?}");
                state = Some(step);
            }
            Action::Forward { from, to } => {
                assert_eq!(state, Some(from), "{scheme:?}, {steps}: {action:?}");
                assert!(from < to && to < to_reverse);
                cost.forward_steps += u128::from(to - from);
                state = Some(to);
            }
            Action::FirstUturn { step } | Action::Uturn { step } => {
                assert_eq!(turned, matches!(action, Action::Uturn { .. }), "the first turn comes once");
                assert_eq!(state.take(), Some(step), "{scheme:?}, {steps}: {action:?}");
                assert_eq!(step + 1, to_reverse, "steps are reversed in order");
                to_reverse = step;
                turned = true;
            }
            Action::Done => break,
        }
    }
    assert_eq!(to_reverse, 0, "every step is reversed");
    assert_eq!(actions.next(), None);
    cost
}

#[test]
fn binomial_schedules_are_optimal_and_keep_to_their_snapshots() {
    for snapshots in 1..=12 {
        for steps in 0..=100 {
            let cost = carry_out(Scheme::Binomial { snapshots: Some(snapshots) }, steps);
            assert_eq!(cost.forward_steps, optimal_forward_steps(snapshots, steps), "{snapshots}, {steps}");
            assert!(cost.most_stored as u64 <= snapshots, "{snapshots}, {steps}: {cost:?}");
        }
    }
}

/// The optimum by its definition: the first run ends where the next state is stored, and both parts are optimal.
#[test]
fn the_closed_form_is_the_optimum() {
    const STEPS: u64 = 60;
    const SNAPSHOTS: u64 = 8;
    let mut best: BTreeMap<(u64, u64), u128> = BTreeMap::new();
    for snapshots in 1..=SNAPSHOTS {
        for steps in 0..=STEPS {
            let cost = |first: u64| {
                u128::from(first) + best[&(snapshots, first)] + best[&(snapshots - 1, steps - first)]
            };
            let least = match (snapshots, steps) {
                (_, 0 | 1) => 0,
                (1, _) => u128::from(steps * (steps - 1) / 2),
                (_, _) => (1..steps).map(cost).min().expect("at least one split"),
            };
            best.insert((snapshots, steps), least);
            assert_eq!(
                optimal_forward_steps(snapshots, steps),
                least,
                "{snapshots} snapshots, {steps} steps"
            );
        }
    }
}

#[test]
fn ten_thousand_steps_with_twenty_snapshots() {
    let cost = carry_out(Scheme::Binomial { snapshots: Some(20) }, 10_000);
    // β(20, 3) = 1771 < 10000 ≤ β(20, 4) = 10626, and β(21, 3) = 2024.
    assert_eq!(cost.forward_steps, 4 * 10_000 - 2024);
    assert!(cost.most_stored <= 20, "{cost:?}");
}

#[test]
fn as_many_snapshots_as_steps_run_nothing_again() {
    for scheme in [Scheme::StoreAll, Scheme::Binomial { snapshots: Some(u64::MAX) }] {
        let cost = carry_out(scheme, 50);
        assert_eq!(cost, Cost { forward_steps: 49, stores: 49, most_stored: 49 });
    }
}

#[test]
fn periodic_schedules_run_each_step_twice_at_most() {
    for segments in 1..=12 {
        for steps in 1..=100_u64 {
            let cost = carry_out(Scheme::Periodic { segments: Some(segments) }, steps);
            let segments = segments.min(steps);
            let longest = steps.div_ceil(segments);
            assert!(cost.forward_steps < 2 * u128::from(steps), "{segments}, {steps}: {cost:?}");
            assert!(cost.most_stored as u64 <= segments + longest, "{segments}, {steps}: {cost:?}");
        }
    }
    // Ten segments of ten steps: nine segments run twice but for their last steps, one once.
    let cost = carry_out(Scheme::Periodic { segments: Some(10) }, 100);
    assert_eq!(cost.forward_steps, 90 + 10 * 9);
}

#[test]
fn the_default_runs_no_step_more_than_twice_with_few_snapshots() {
    assert_eq!([0, 1, 3, 4, 6, 7, 10_000].map(default_snapshots), [1, 1, 1, 2, 2, 3, 140]);
    let cost = carry_out(Scheme::Binomial { snapshots: None }, 10_000);
    assert!(cost.forward_steps <= 2 * 10_000);
    assert!(cost.most_stored <= 140);
    let cost = carry_out(Scheme::Periodic { segments: None }, 10_000);
    assert!(cost.most_stored <= 200, "{cost:?}");
}

#[test]
fn numbers_of_steps_beyond_all_use_do_not_overflow() {
    assert_eq!(longest_advance(0, u64::MAX), u64::MAX - 1);
    for free in [3, 7, u64::MAX] {
        let advance = longest_advance(free, u64::MAX);
        assert!((1..u64::MAX).contains(&advance), "{free}: {advance}");
    }
    assert!(optimal_forward_steps(30, u64::MAX) > u128::from(u64::MAX));
    assert_eq!(default_snapshots(u64::MAX), 6_074_000_999);
}

proptest! {
    #[test]
    fn any_number_of_steps_and_snapshots(steps in 0..3000_u64, snapshots in 1..200_u64) {
        let cost = carry_out(Scheme::Binomial { snapshots: Some(snapshots) }, steps);
        prop_assert_eq!(cost.forward_steps, optimal_forward_steps(snapshots, steps));
        prop_assert!(cost.most_stored as u64 <= snapshots);
        carry_out(Scheme::Periodic { segments: Some(snapshots) }, steps);
    }
}
