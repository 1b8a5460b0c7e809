//! The binomial schedule: the fewest steps that run once more, for the number of snapshots.
//!
//! With `s` snapshots, and if no step runs more than `r` times before its adjoint, at most β(s, r) = C(s + r, s) steps can be
//! reversed. So `n` steps need the smallest `r` with n ≤ β(s, r), and then run `r·n − β(s + 1, r − 1)` steps forward, which is
//! the optimum.

/// How often steps must run.
struct Repetitions {
    /// The smallest `r` for which all steps can be reversed; at least 1.
    times: u128,
    /// How many can be reversed when they run once less: β(s, r − 1).
    shorter_reach: u128,
    /// How many can be reversed: β(s, r).
    reach: u128,
}

/// How often `steps` steps must run to be reversed with so many snapshots, of which there is at least one.
fn repetitions(snapshots: u64, steps: u64) -> Repetitions {
    let snapshots = u128::from(snapshots);
    let mut found = Repetitions { times: 1, shorter_reach: 1, reach: 1 + snapshots };
    while found.reach < u128::from(steps) {
        found.times += 1;
        found.shorter_reach = found.reach;
        // β(s, r) = β(s, r − 1)·(s + r)/r
        found.reach = found.reach.saturating_mul(snapshots + found.times) / found.times;
    }
    found
}

/// How many steps the optimal schedule runs forward, besides running each once with its adjoint.
///
/// The state before the first step counts among the snapshots, of which there is at least one.
pub fn optimal_forward_steps(snapshots: u64, steps: u64) -> u128 {
    let snapshots = snapshots.clamp(1, steps.max(1));
    if steps <= 1 {
        return 0;
    }
    if snapshots == 1 {
        return u128::from(steps) * u128::from(steps - 1) / 2;
    }
    let Repetitions { times, reach, .. } = repetitions(snapshots, steps);
    // β(s + 1, r − 1) = C(s + r, r − 1) = β(s, r)·r/(s + 1).
    let saved = reach.saturating_mul(times) / (u128::from(snapshots) + 1);
    (times * u128::from(steps)).saturating_sub(saved)
}

/// How far an optimal schedule runs from a stored state, before it stores the next, when `steps` steps from there on are to be
/// reversed and `free` slots are free: the largest such number, which stores the fewest states. It is at least 1 and below
/// `steps`, which are at least 2.
pub fn longest_advance(free: u64, steps: u64) -> u64 {
    debug_assert!(steps >= 2, "a single step is reversed, not run");
    if free == 0 {
        return steps - 1;
    }
    // The stored state is one more snapshot of those steps.
    let snapshots = free.min(steps - 1) + 1;
    let Repetitions { times, shorter_reach, .. } = repetitions(snapshots, steps);
    // β(s − 1, r − 1)
    let snapshots = u128::from(snapshots);
    let narrower = shorter_reach.saturating_mul(snapshots) / (snapshots + times - 1);
    let steps = u128::from(steps);
    let advance = shorter_reach.min(steps.saturating_sub(narrower)).clamp(1, steps - 1);
    u64::try_from(advance).unwrap_or(u64::MAX)
}

/// The number of snapshots where nobody asks for any: about √(2n), with which no step runs forward more than twice.
pub fn default_snapshots(steps: u64) -> u64 {
    // The smallest s with β(s, 2) = (s + 1)(s + 2)/2 ≥ n.
    let fits =
        |snapshots: u64| (u128::from(snapshots) + 1) * (u128::from(snapshots) + 2) / 2 >= u128::from(steps);
    let (mut too_few, mut enough) = (0, u64::from(u32::MAX) * 2);
    while enough - too_few > 1 {
        let middle = too_few + (enough - too_few) / 2;
        if fits(middle) { enough = middle } else { too_few = middle }
    }
    enough
}
