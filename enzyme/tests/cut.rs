//! Cache or recompute: hand-made graphs, and random ones against all that could be chosen.

use enzyme::plan::{Candidate, Choice, choose};
use proptest::prelude::*;
use std::time::{Duration, Instant};

use Choice::{Cache, Recompute, Unused};

fn value(cache_cost: u64, recompute_cost: impl Into<Option<u64>>, operands: &[usize]) -> Candidate {
    Candidate {
        cache_cost,
        recompute_cost: recompute_cost.into(),
        operands: operands.iter().copied().collect(),
        is_needed: false,
    }
}

fn needed(cache_cost: u64, recompute_cost: impl Into<Option<u64>>, operands: &[usize]) -> Candidate {
    Candidate { is_needed: true, ..value(cache_cost, recompute_cost, operands) }
}

#[test]
fn nothing_needed_is_nothing_kept() {
    assert_eq!(choose(&[]), []);
    assert_eq!(choose(&[value(8, None, &[]), value(8, 1, &[0])]), [Unused, Unused]);
}

#[test]
fn what_may_not_be_recomputed_is_cached() {
    assert_eq!(choose(&[needed(8, None, &[])]), [Cache]);
}

#[test]
fn a_value_of_known_ones_is_recomputed_when_that_is_cheaper() {
    assert_eq!(choose(&[needed(8, 1, &[])]), [Recompute]);
    assert_eq!(choose(&[needed(8, 9, &[])]), [Cache]);
    // As cheap: the one that keeps less.
    assert_eq!(choose(&[needed(8, 8, &[])]), [Recompute]);
}

#[test]
fn a_chain_is_cut_at_its_narrowest_place() {
    // A load, converted to a small integer, converted to a wide one.
    let chain = [value(8, None, &[]), value(2, 1, &[0]), needed(8, 1, &[1])];
    assert_eq!(choose(&chain), [Unused, Cache, Recompute]);
}

#[test]
fn one_kept_value_serves_all_that_follow_from_it() {
    // x = load; a = x * x; b = x + 1; c = a * b, and a, b, c are all read.
    let diamond = [value(8, None, &[]), needed(8, 1, &[0]), needed(8, 1, &[0]), needed(8, 1, &[1, 2])];
    assert_eq!(choose(&diamond), [Cache, Recompute, Recompute, Recompute]);
}

#[test]
fn what_is_kept_anyway_is_recomputed_from() {
    let values = [needed(8, None, &[]), value(8, None, &[]), needed(8, 2, &[0]), needed(8, 2, &[1, 2])];
    assert_eq!(choose(&values), [Cache, Unused, Recompute, Cache]);
}

#[test]
fn of_equal_costs_the_one_that_keeps_less_is_taken() {
    // Recomputing from the load costs 6 + 2, keeping the value 8.
    let values = [value(6, None, &[]), needed(8, 2, &[0])];
    assert_eq!(choose(&values), [Cache, Recompute]);
}

#[test]
fn a_value_is_not_recomputed_from_itself() {
    // The phi of a counter and its increment.
    let counter = [needed(8, 0, &[1]), needed(8, 1, &[0])];
    assert_eq!(choose(&counter), [Cache, Recompute]);
    assert_eq!(choose(&[needed(8, 0, &[0])]), [Cache]);
    // The cheapest member breaks the cycle, here the one that nobody else needs.
    let narrow = [needed(8, 0, &[1]), value(4, 1, &[0])];
    assert_eq!(choose(&narrow), [Recompute, Cache]);
}

#[test]
fn costs_may_be_as_large_as_they_like() {
    let huge = [value(u64::MAX, None, &[]), needed(u64::MAX, u64::MAX, &[0]), needed(u64::MAX, 1, &[1])];
    assert_eq!(choose(&huge), [Unused, Cache, Recompute]);
}

/// What a choice costs, and how much of that is kept; `None` when something is not known that must be.
fn cost(candidates: &[Candidate], choices: &[Choice]) -> Option<(u64, u64)> {
    let (mut total, mut kept) = (0, 0);
    for (candidate, choice) in candidates.iter().zip(choices) {
        match choice {
            Unused if candidate.is_needed => return None,
            Unused => {}
            Cache => {
                total += candidate.cache_cost;
                kept += candidate.cache_cost;
            }
            Recompute => total += candidate.recompute_cost?,
        }
    }
    is_computable(candidates, choices).then_some((total, kept))
}

/// Whether the recomputed values can be computed one after the other.
fn is_computable(candidates: &[Candidate], choices: &[Choice]) -> bool {
    let mut is_known: Vec<bool> = choices.iter().map(|&choice| choice == Cache).collect();
    let mut waiting: Vec<usize> = (0..choices.len()).filter(|&index| choices[index] == Recompute).collect();
    loop {
        let (ready, rest): (Vec<_>, Vec<_>) = waiting
            .iter()
            .partition(|&&index| candidates[index].operands.iter().all(|&operand| is_known[operand]));
        if ready.is_empty() {
            return rest.is_empty();
        }
        ready.iter().for_each(|&index| is_known[index] = true);
        waiting = rest;
    }
}

/// The best there is, by trying each set of cached values; what else must be known is then recomputed.
fn best(candidates: &[Candidate]) -> (u64, u64) {
    (0u32..1 << candidates.len())
        .filter_map(|cached| {
            let mut choices: Vec<Choice> = (0..candidates.len())
                .map(|index| if cached >> index & 1 == 1 { Cache } else { Unused })
                .collect();
            let mut asked: Vec<usize> =
                (0..candidates.len()).filter(|&index| candidates[index].is_needed).collect();
            while let Some(index) = asked.pop() {
                if choices[index] == Unused {
                    choices[index] = Recompute;
                    asked.extend(&candidates[index].operands);
                }
            }
            cost(candidates, &choices)
        })
        .min()
        .expect("caching everything is possible")
}

/// Which operands a random value may have.
#[derive(Clone, Copy)]
enum Shape {
    /// Those before it.
    Acyclic,
    /// Any.
    Cyclic,
}

fn graphs(shape: Shape) -> impl Strategy<Value = Vec<Candidate>> {
    let one = (
        0u64..12,
        proptest::option::weighted(0.75, 0u64..6),
        any::<u16>(),
        any::<u16>(),
        proptest::bool::weighted(0.3),
    );
    proptest::collection::vec(one, 1..=10).prop_map(move |rows| {
        let count = rows.len();
        let read = |(index, (cache_cost, recompute_cost, mask, thinned, is_needed)): (
            usize,
            (u64, _, u16, u16, _),
        )| {
            let operands = (0..count)
                .filter(|operand| (mask & thinned) >> operand & 1 == 1)
                .filter(|&operand| match shape {
                    Shape::Acyclic => operand < index,
                    Shape::Cyclic => true,
                })
                .collect();
            Candidate { cache_cost, recompute_cost, operands, is_needed }
        };
        rows.into_iter().enumerate().map(read).collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    #[test]
    fn the_choice_is_the_cheapest(graph in graphs(Shape::Acyclic)) {
        prop_assert_eq!(cost(&graph, &choose(&graph)), Some(best(&graph)));
    }

    #[test]
    fn with_cycles_everything_can_be_computed(graph in graphs(Shape::Cyclic)) {
        let chosen = cost(&graph, &choose(&graph));
        prop_assert!(chosen.is_some());
        prop_assert!(chosen >= Some(best(&graph)));
    }
}

/// Repeatable, and as good as random here.
fn scrambled(number: usize) -> usize {
    number.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_right(29)
}

#[test]
fn ten_thousand_values_are_no_burden() {
    let layered: Vec<Candidate> = (0..10_000)
        .map(|index| {
            let random = scrambled(index);
            let operands = (0..random % 3).map(|nth| index.saturating_sub(1 + scrambled(index + nth) % 40));
            Candidate {
                cache_cost: 1000 * (1 + random as u64 % 8),
                recompute_cost: (!random.is_multiple_of(5)).then_some(100 * (1 + random as u64 % 7)),
                operands: operands.filter(|&operand| operand < index).collect(),
                is_needed: random.is_multiple_of(4),
            }
        })
        .collect();
    let chain: Vec<Candidate> = (0..10_000usize)
        .map(|index| {
            let before: Vec<usize> = index.checked_sub(1).into_iter().collect();
            Candidate {
                is_needed: index % 100 == 99,
                ..value(1_000_000, 900 + scrambled(index) as u64 % 200, &before)
            }
        })
        .collect();
    let loops: Vec<Candidate> = (0..10_000usize)
        .map(|index| {
            // Counters, each stepping from the one before.
            let operands =
                if index % 2 == 0 { vec![index + 1, index.saturating_sub(2)] } else { vec![index - 1] };
            needed(80, 1, &operands)
        })
        .collect();
    for (name, graph) in [("layered", &layered), ("chain", &chain), ("loops", &loops)] {
        let start = Instant::now();
        let choices = choose(graph);
        assert!(cost(graph, &choices).is_some(), "{name}");
        assert!(start.elapsed() < Duration::from_secs(30), "{name}: {:?}", start.elapsed());
    }
}
