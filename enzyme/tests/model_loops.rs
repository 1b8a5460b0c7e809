//! Control flow, dominators and loops.

use enzyme::loops::{ControlFlow, DominatorTree, LoopNest, PostDominatorTree, trip_counts};
use enzyme::model::{BlockId, Function, Uses};

/// A function of blocks `0, 1, …` that jump as listed; a block without successors returns.
fn function(successors: &[&[u32]]) -> Function {
    let mut text = String::from("define void @f(i32 %n) {\n");
    for (index, targets) in successors.iter().enumerate() {
        text += &format!("b{index}:\n");
        match targets {
            [] => text += "  ret void\n",
            [first, rest @ ..] => {
                text += &format!("  switch i32 %n, label %b{first} [\n");
                for (case, target) in rest.iter().enumerate() {
                    text += &format!("    i32 {case}, label %b{target}\n");
                }
                text += "  ]\n";
            }
        }
    }
    text += "}\n";
    let function = Function::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(function.verify(), Ok(()));
    function
}

fn block(index: u32) -> BlockId {
    BlockId::from_u32(index)
}

fn numbers(blocks: &[BlockId]) -> Vec<u32> {
    blocks.iter().map(|block| block.as_u32()).collect()
}

fn analyses(successors: &[&[u32]]) -> (ControlFlow, DominatorTree, LoopNest) {
    let flow = ControlFlow::of(&function(successors));
    let dominators = DominatorTree::of(&flow);
    let nest = LoopNest::of(&flow, &dominators);
    (flow, dominators, nest)
}

/// Whether a path from the entry reaches `to` without passing `without`; the definition of dominance.
fn reaches(successors: &[&[u32]], without: u32, to: u32) -> bool {
    let mut seen = vec![false; successors.len()];
    let mut todo = vec![0];
    while let Some(next) = todo.pop() {
        if next == without || std::mem::replace(&mut seen[next as usize], true) {
            continue;
        }
        todo.extend(successors[next as usize]);
    }
    seen[to as usize]
}

#[test]
fn a_diamond() {
    let (flow, dominators, nest) = analyses(&[&[1, 2], &[3], &[3], &[]]);
    assert_eq!(numbers(flow.reverse_post_order()), [0, 1, 2, 3]);
    assert_eq!(dominators.immediate_dominator(block(3)), Some(block(0)));
    assert_eq!(dominators.immediate_dominator(block(0)), None);
    assert!(dominators.dominates(block(0), block(3)) && !dominators.dominates(block(1), block(3)));
    assert!(dominators.dominates(block(1), block(1)) && !dominators.strictly_dominates(block(1), block(1)));
    assert_eq!(numbers(dominators.children(block(0))), [1, 2, 3]);
    assert!(!flow.has_cycle());
    assert!(nest.loops.is_empty());
}

#[test]
fn nested_loops() {
    // 1 is the outer header, 2 the inner one, 3 its latch, 4 the outer latch, 5 the exit.
    let (flow, _, nest) = analyses(&[&[1], &[2, 5], &[3], &[2, 4], &[1], &[]]);
    let inner = nest.innermost(block(3)).expect("a loop");
    let outer = nest.innermost(block(4)).expect("a loop");
    assert_eq!(nest.loops[inner].parent, Some(outer));
    assert_eq!((nest.loops[inner].depth, nest.loops[outer].depth), (2, 1));
    assert_eq!(numbers(&nest.loops[inner].blocks), [2, 3]);
    assert_eq!(numbers(&nest.loops[outer].blocks), [1, 2, 3, 4]);
    assert_eq!(nest.loops[inner].latches, [block(3)]);
    assert_eq!(nest.loops[inner].exits, [(block(3), block(4))]);
    assert_eq!(nest.loops[outer].exits, [(block(1), block(5))]);
    assert_eq!(nest.loops[outer].preheader(&flow), Some(block(0)));
    assert_eq!(nest.loops[inner].preheader(&flow), None, "the outer header also jumps elsewhere");
    assert_eq!(nest.depth(block(5)), 0);
    assert_eq!(nest.with_header(block(2)), Some(inner));
    assert_eq!(nest.with_header(block(3)), None);
    assert!(nest.loops[outer].contains(block(2)) && !nest.loops[inner].contains(block(1)));
    assert!(!nest.is_irreducible());
    assert_eq!(nest.loops.keys().map(|id| id.to_string()).collect::<Vec<_>>(), ["loop0", "loop1"]);
    assert_eq!(outer.to_string(), "loop0");
}

#[test]
fn a_cycle_with_two_entries_is_irreducible() {
    let (flow, _, nest) = analyses(&[&[1, 2], &[2], &[1, 3], &[]]);
    assert!(flow.has_cycle());
    assert!(nest.is_irreducible());
    assert_eq!(nest.irreducible_edges.len(), 1);
    assert!(nest.loops.is_empty());
}

#[test]
fn a_block_that_jumps_to_itself() {
    let (_, _, nest) = analyses(&[&[1], &[1, 2, 1], &[]]);
    let only = nest.innermost(block(1)).expect("a loop");
    assert_eq!(nest.loops[only].latches, [block(1)]);
    assert_eq!(numbers(&nest.loops[only].blocks), [1]);
}

#[test]
fn blocks_that_cannot_be_reached() {
    let (flow, dominators, nest) = analyses(&[&[2], &[2, 1], &[]]);
    assert!(!flow.is_reachable(block(1)) && flow.is_reachable(block(2)));
    assert_eq!(flow.position(block(1)), None);
    assert_eq!(numbers(flow.predecessors(block(2))), [0, 1]);
    assert_eq!(dominators.immediate_dominator(block(2)), Some(block(0)));
    assert!(dominators.dominates(block(2), block(1)));
    assert!(!dominators.dominates(block(1), block(2)));
    assert!(nest.loops.is_empty());
}

#[test]
fn dominators_agree_with_their_definition() {
    // A small generator: all graphs come from one sequence, so that a failure can be repeated.
    let mut state = 1_u64;
    let mut next = |bound: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % bound
    };
    for _ in 0..200 {
        let count = 2 + next(9);
        let graph: Vec<Vec<u32>> =
            (0..count).map(|_| (0..next(4)).map(|_| 1 + next(count - 1) as u32).collect()).collect();
        let graph: Vec<&[u32]> = graph.iter().map(Vec::as_slice).collect();
        let (flow, dominators, nest) = analyses(&graph);
        for to in (0..count as u32).filter(|to| flow.is_reachable(block(*to))) {
            for without in 0..count as u32 {
                let expected = !reaches(&graph, without, to);
                assert_eq!(
                    dominators.dominates(block(without), block(to)),
                    expected,
                    "{graph:?} {without} {to}"
                );
            }
        }
        for natural in nest.loops.values() {
            assert!(
                natural.blocks.iter().all(|inside| dominators.dominates(natural.header, *inside)),
                "{graph:?}"
            );
            assert_eq!(natural.blocks.first(), Some(&natural.header));
        }
        let closes = flow.retreating_edges().count();
        assert_eq!(flow.has_cycle(), closes > 0);
    }
}

#[test]
fn a_long_chain_needs_no_deep_stack() {
    let count = 50_000;
    let edges: Vec<Vec<u32>> =
        (1..=count).map(|next| if next < count { vec![next] } else { vec![] }).collect();
    let graph: Vec<&[u32]> = edges.iter().map(Vec::as_slice).collect();
    let flow = ControlFlow::of(&function(&graph));
    let dominators = DominatorTree::of(&flow);
    assert!(dominators.dominates(block(0), block(count - 1)));
    assert_eq!(flow.reverse_post_order().len(), count as usize);
}

#[test]
fn uses_are_listed_once_for_each_instruction() {
    let function = Function::parse(
        "define double @f(double %x, double %y) {\n  %a = fmul double %x, %x\n  %b = fadd double %a, %x\n  ret double %b\n}",
    )
    .expect("a function");
    let uses = Uses::of(&function);
    let insts: Vec<_> = function.insts_in_order().collect();
    assert_eq!(uses.of_value(function.parameters[0]), &insts[..2]);
    assert!(uses.is_unused(function.parameters[1]));
}

/// Whether the end is reached from `from` without passing `without`; the definition of post-dominance.
fn ends(successors: &[&[u32]], without: u32, from: u32) -> bool {
    let mut seen = vec![false; successors.len()];
    let mut todo = vec![from];
    while let Some(next) = todo.pop() {
        if next == without || std::mem::replace(&mut seen[next as usize], true) {
            continue;
        }
        if successors[next as usize].is_empty() {
            return true;
        }
        todo.extend(successors[next as usize]);
    }
    false
}

#[test]
fn post_dominators_are_what_every_way_to_the_end_passes() {
    let graphs: [&[&[u32]]; 6] = [
        &[&[1, 2], &[3], &[3], &[]],
        &[&[1, 2], &[], &[3], &[]],
        &[&[1], &[2, 3], &[1], &[4], &[]],
        // A loop without an end.
        &[&[1, 2], &[1], &[]],
        // A block that nothing jumps to.
        &[&[2], &[2], &[]],
        &[&[1, 2], &[3, 4], &[4, 1], &[5, 1], &[5], &[]],
    ];
    for successors in graphs {
        let tree = PostDominatorTree::of(&ControlFlow::of(&function(successors)));
        for from in 0..successors.len() as u32 {
            for through in 0..successors.len() as u32 {
                assert_eq!(
                    tree.post_dominates(block(through), block(from)),
                    !ends(successors, through, from),
                    "{successors:?}: {from} through {through}"
                );
            }
        }
    }
}

#[test]
fn trip_counts_stand_in_preheaders() {
    let text = "define void @f(i64 %n) {
entry:
  %unrelated = freeze i64 %n
  %count = add i64 %n, 1
  %counted.trips = freeze i64 %count, !enzyme_trip_count !0
  br label %counted
counted:
  %i = phi i64 [ 0, %entry ], [ %next, %counted ]
  %next = add i64 %i, 1
  %more = icmp ult i64 %i, %n
  br i1 %more, label %counted, label %between
between:
  %also.unrelated = freeze i64 %n
  br label %searching
searching:
  %j = phi i64 [ %n, %between ], [ %half, %searching ]
  %half = lshr i64 %j, 1
  %again = icmp ugt i64 %half, 3
  br i1 %again, label %searching, label %exit
exit:
  ret void
}
!0 = !{}
";
    let module: enzyme::model::Module = text.parse().expect("the text is valid IR");
    let function = &module.functions[0];
    let flow = ControlFlow::of(function);
    let nest = LoopNest::of(&flow, &DominatorTree::of(&flow));
    let counts = trip_counts(function, &nest, &flow);
    let names: Vec<Option<&str>> = nest
        .loops
        .keys()
        .map(|id| counts[id].map(|value| function.values[value].name.as_deref().unwrap_or_default()))
        .collect();
    assert_eq!(names, [Some("counted.trips"), None]);
}
