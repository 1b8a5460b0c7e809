//! Verdicts that are wrong on purpose: the test must find each of them out, and show it by a small program.

use enzyme::model::{CastOp, FloatType, InstId, IntBinaryOp, Module, Opcode, Type, ValueId};
use enzyme::types::TypeTree;

use super::Verdicts;
use crate::check::contradictions;
use crate::program::Kind;
use crate::search::{Draw, Judge};

/// What is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    /// No value carries a derivative.
    AllValuesInactive,
    /// No instruction moves one.
    AllInstructionsInactive,
    /// Stores move none: the derivative does not go through memory.
    StoresInactive,
    /// Loads move none.
    LoadsInactive,
    /// The bits of floats lose their derivative in bitwise operations.
    BitTricksInactive,
    /// Pointers made from integers lead to nothing.
    MadePointersInactive,
    /// What is called moves none.
    CallsInactive,
    /// An integer of 64 bits is never a float nor an address.
    LongsAreIntegers,
    /// What is loaded as an integer lies in memory as an integer.
    IntegerLoadsReadIntegers,
    /// A pointer points to doubles only.
    MemoryIsDoubles,
    /// A pointer points to pointers only.
    MemoryIsPointers,
    /// Doubles are pairs of floats.
    DoublesArePairsOfFloats,
    /// Values in integers are addresses.
    LongsArePointers,
}

struct Faulty<'m> {
    module: &'m Module,
    fault: Fault,
}

impl Faulty<'_> {
    fn opcode(&self, function: usize, value: ValueId) -> Option<&Opcode> {
        let function = &self.module.functions[function];
        function.as_inst(value).map(|inst| &function.insts[inst].opcode)
    }
}

impl Verdicts for Faulty<'_> {
    type Scope = usize;

    fn entry(&mut self) -> usize {
        self.module.functions.iter().position(|function| function.name == "f").expect("an entry function")
    }

    fn callee(&mut self, _: &usize, _: InstId, function: usize) -> usize {
        function
    }

    fn inactive_value(&self, function: &usize, value: ValueId) -> bool {
        match self.fault {
            Fault::AllValuesInactive => true,
            Fault::MadePointersInactive => matches!(
                self.opcode(*function, value),
                Some(Opcode::Cast { op: CastOp::IntegerToPointer, .. })
            ),
            _ => false,
        }
    }

    fn inactive_instruction(&self, function: &usize, inst: InstId) -> bool {
        let opcode = &self.module.functions[*function].insts[inst].opcode;
        match self.fault {
            Fault::AllInstructionsInactive => true,
            Fault::StoresInactive => matches!(opcode, Opcode::Store { .. }),
            Fault::LoadsInactive => matches!(opcode, Opcode::Load { .. }),
            Fault::BitTricksInactive => {
                matches!(opcode, Opcode::IntBinary { op: IntBinaryOp::And | IntBinaryOp::Xor, .. })
            }
            Fault::CallsInactive => opcode.call().is_some(),
            _ => false,
        }
    }

    fn types(&self, function: &usize, value: ValueId) -> TypeTree {
        let ty = self.module.functions[*function].type_of(value);
        let is_long = *ty == Type::Integer { bits: 64 };
        let tree = match self.fault {
            Fault::LongsAreIntegers if is_long => "{[-1]:Integer}",
            Fault::LongsArePointers if is_long => "{[-1]:Pointer}",
            Fault::IntegerLoadsReadIntegers
                if is_long && matches!(self.opcode(*function, value), Some(Opcode::Load { .. })) =>
            {
                "{[-1]:Integer}"
            }
            Fault::MemoryIsDoubles if ty.is_pointer() => "{[-1]:Pointer, [-1,-1]:Float@double}",
            Fault::MemoryIsPointers if ty.is_pointer() => "{[-1]:Pointer, [-1,0]:Pointer}",
            Fault::DoublesArePairsOfFloats if *ty == Type::Float(FloatType::Double) => "{[-1]:Float@float}",
            _ => return TypeTree::unknown(),
        };
        tree.parse().expect("a type tree")
    }
}

/// The smallest program that shows a fault.
fn smallest(fault: Fault) -> String {
    let judge: Judge<'_> = &|module, _, execution| {
        let wrong = contradictions(module, &execution.trace, &mut Faulty { module, fault });
        wrong.iter().map(ToString::to_string).collect()
    };
    let draw = Draw { seed: 0, programs: 1000, kind: Kind::ANY };
    let found = draw.search(judge);
    let mistake =
        found.mistake.unwrap_or_else(|| panic!("{fault:?} was not found out in {} programs", found.ran));
    assert!(!mistake.lines.is_empty());
    mistake.text
}

/// What functions do is counted: instructions and labels, but for keeping the parameters in the frame.
fn is_shown_by_small_programs(faults: &[Fault]) {
    for &fault in faults {
        let text = smallest(fault);
        let body = text.split_once("entry:\n").map_or("", |(_, body)| body);
        let kept = |line: &&str| !line.contains("alloca") && !line.starts_with("  store");
        let lines = body.lines().filter(kept).count();
        assert!(lines <= 16, "{fault:?} is shown by {lines} lines:\n{text}");
    }
}

#[test]
fn wrong_activity_is_found_out_by_small_programs() {
    is_shown_by_small_programs(&[
        Fault::AllValuesInactive,
        Fault::AllInstructionsInactive,
        Fault::StoresInactive,
        Fault::LoadsInactive,
        Fault::BitTricksInactive,
        Fault::MadePointersInactive,
        Fault::CallsInactive,
    ]);
}

#[test]
fn wrong_types_are_found_out_by_small_programs() {
    is_shown_by_small_programs(&[
        Fault::LongsAreIntegers,
        Fault::IntegerLoadsReadIntegers,
        Fault::MemoryIsDoubles,
        Fault::MemoryIsPointers,
        Fault::DoublesArePairsOfFloats,
        Fault::LongsArePointers,
    ]);
}
