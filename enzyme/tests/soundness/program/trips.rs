//! Ways on which the newest double goes through something else and comes back as the newest double: drawn one by one,
//! statements would hardly ever meet like this.

use proptest::prelude::*;
use proptest::sample::select;

use super::strategy::{FloatTypes, Kind, index, pick, place};
use super::{
    AddressTrick, BitTrick, Callee, Conversion, CopyWay, DoubleOp, Index, MathOp, PairOp, Place, Sort,
    Statement, UnionUse, VectorOp,
};

/// Statements that belong together.
pub(super) fn trip(kind: Kind) -> BoxedStrategy<Vec<Statement>> {
    let floats = match kind.floats {
        FloatTypes::All => 4,
        FloatTypes::Doubles => 0,
    };
    prop_oneof![
        floats => through_floats(),
        3 => through_bits(),
        5 => through_memory(),
        4 => in_place(),
        3 => through_addresses(),
        3 => through_vectors_and_pairs(),
        3 => through_calls(),
        2 => (math(), pick()).prop_map(|(op, other)| vec![Statement::Math(op, 1, other)]),
    ]
    .boxed()
}

fn math() -> impl Strategy<Value = MathOp> {
    select(vec![
        MathOp::Sin,
        MathOp::Cos,
        MathOp::Tanh,
        MathOp::Root,
        MathOp::Bell,
        MathOp::Power,
        MathOp::Absolute,
        MathOp::CopySign,
        MathOp::Maximum,
        MathOp::FusedMultiply,
        MathOp::Angle,
    ])
}

/// Between the first and the last statement, others.
fn around(
    first: Statement,
    between: BoxedStrategy<Vec<Statement>>,
    last: Statement,
) -> BoxedStrategy<Vec<Statement>> {
    between
        .prop_map(move |mut statements| {
            statements.insert(0, first.clone());
            statements.push(last.clone());
            statements
        })
        .boxed()
}

fn one(statement: Statement) -> BoxedStrategy<Vec<Statement>> {
    Just(vec![statement]).boxed()
}

fn through_floats() -> BoxedStrategy<Vec<Statement>> {
    let operation = (0_u8..3, pick()).prop_map(|(op, other)| vec![Statement::Floats(op, 1, other)]);
    let memory = (place(), index()).prop_map(|(place, index)| {
        vec![
            Statement::Allocate(place, Sort::Floats, [1; 4]),
            Statement::Store(Sort::Floats, 1, index, 1),
            Statement::Load(Sort::Floats, 1, index),
        ]
    });
    let field = pick().prop_map(|at| vec![Statement::SetField(at, 3, 1), Statement::GetField(at, 3)]);
    let quad = pick().prop_map(|quad| {
        vec![Statement::Vector(VectorOp::Quad, 1, quad), Statement::Vector(VectorOp::QuadElement, 1, 0)]
    });
    let packed = pick().prop_map(|other| vec![Statement::PackFloats(other, 1)]);
    let union = place().prop_map(|place| vec![Statement::Union(place, vec![UnionUse::TwoFloats(1, 1)])]);
    around(
        Statement::Convert(Conversion::DoubleToFloat, 1),
        prop_oneof![3 => operation, 1 => memory, 1 => field, 1 => quad, 1 => packed, 1 => union].boxed(),
        Statement::Convert(Conversion::FloatToDouble, 1),
    )
}

fn through_bits() -> BoxedStrategy<Vec<Statement>> {
    let tricks = [
        BitTrick::Negate,
        BitTrick::Absolute,
        BitTrick::CopySign,
        BitTrick::Double,
        BitTrick::Significand,
        BitTrick::Halves,
    ];
    let trick = (select(tricks.to_vec()), pick())
        .prop_map(|(trick, other)| vec![Statement::BitTrick(trick, 1, other)]);
    let chosen = (pick(), pick())
        .prop_map(|(condition, other)| vec![Statement::Select(Sort::Bits, condition, 1, other)]);
    let called = Statement::Call(Callee::Bits, [1; 3]);
    let kept = place().prop_map(|place| vec![Statement::Union(place, vec![UnionUse::DoubleOfBits(1)])]);
    let (to, from) =
        (Statement::BitTrick(BitTrick::ToBits, 1, 0), Statement::BitTrick(BitTrick::FromBits, 1, 0));
    prop_oneof![
        3 => trick,
        2 => around(to, prop_oneof![chosen, one(called), kept].boxed(), from),
    ]
    .boxed()
}

/// The newest double is put into memory, something happens to the memory, and it is read again.
fn through_memory() -> BoxedStrategy<Vec<Statement>> {
    let written = (pick(), index()).prop_map(|(at, index)| {
        vec![Statement::Store(Sort::Array, at, index, 1), Statement::Load(Sort::Array, at, index)]
    });
    let field = pick().prop_map(|at| vec![Statement::SetField(at, 0, 1), Statement::GetField(at, 0)]);
    let ways = vec![CopyWay::Memcpy, CopyWay::Memmove, CopyWay::Words, CopyWay::Whole, CopyWay::Bytes];
    let copied = (place(), place(), select(ways.clone()), pick()).prop_map(|(from, to, way, other)| {
        vec![
            Statement::Allocate(to, Sort::Array, [other; 4]),
            Statement::Allocate(from, Sort::Array, [1; 4]),
            Statement::Copy(Sort::Array, way, 1, 2),
            Statement::Load(Sort::Array, 2, Index::Known(0)),
        ]
    });
    let record = (place(), select(ways), pick()).prop_map(|(place, way, from)| {
        vec![
            Statement::SetField(from, 0, 1),
            Statement::Allocate(place, Sort::Record, [0; 4]),
            Statement::Copy(Sort::Record, way, from.saturating_add(1), 1),
            Statement::GetField(1, 0),
        ]
    });
    let through_record = (place(), pick(), pick()).prop_map(|(place, array, integer)| {
        vec![
            Statement::Store(Sort::Array, array, Index::Known(1), 1),
            Statement::Allocate(place, Sort::Record, [0, integer, array, 0]),
            Statement::GetField(1, 2),
            Statement::Load(Sort::Array, 1, Index::Known(1)),
        ]
    });
    let cell = (place(), pick(), index()).prop_map(|(place, array, index)| {
        vec![
            Statement::Allocate(place, Sort::Cell, [array; 4]),
            Statement::Load(Sort::Cell, 1, Index::Known(0)),
            Statement::Store(Sort::Array, 1, index, 1),
            Statement::Load(Sort::Array, array.saturating_add(1), index),
        ]
    });
    let summed =
        (place(), select(vec![super::Walk::ByIndex, super::Walk::ByPointer])).prop_map(|(place, walk)| {
            vec![Statement::Allocate(place, Sort::Array, [1; 4]), Statement::Sum(Sort::Array, 1, walk)]
        });
    let union = place().prop_map(|place| {
        vec![
            Statement::Union(place, vec![UnionUse::BitsOfDouble(1)]),
            Statement::BitTrick(BitTrick::FromBits, 1, 0),
        ]
    });
    prop_oneof![
        2 => written,
        1 => field,
        2 => copied,
        1 => record,
        1 => through_record,
        1 => cell,
        1 => summed,
        1 => union,
        1 => one(Statement::Temporary(1)),
    ]
    .boxed()
}

/// What memory holds is worked on and put back, once or in rounds: what was there is needed in reverse mode, and is not
/// there any more.
fn in_place() -> BoxedStrategy<Vec<Statement>> {
    let element = (pick(), index(), index()).prop_map(|(at, from, to)| {
        (Statement::Load(Sort::Array, at, from), Statement::Store(Sort::Array, at, to, 1))
    });
    let field = pick().prop_map(|at| (Statement::GetField(at, 0), Statement::SetField(at, 0, 1)));
    let operation = prop_oneof![
        2 => Just(Statement::Doubles(DoubleOp::Multiply, 1, 2)),
        1 => math().prop_map(|op| Statement::Math(op, 1, 2)),
    ];
    let update = (prop_oneof![3 => element, 1 => field], operation)
        .prop_map(|((load, store), operation)| vec![load, operation, store])
        .boxed();
    let rounds = (2_u8..4, update.clone())
        .prop_map(|(rounds, body)| vec![Statement::Loop(rounds, body, vec![(Sort::Double, 1, 1)])]);
    prop_oneof![1 => update, 1 => rounds].boxed()
}

/// The newest double is put into an array, the array's address goes through something, and the double is read there.
fn through_addresses() -> BoxedStrategy<Vec<Statement>> {
    let there_and_back =
        [Statement::Address(AddressTrick::ToAddress, 1), Statement::Address(AddressTrick::FromAddress, 1)];
    let in_memory =
        [Statement::Address(AddressTrick::ToAddress, 1), Statement::Address(AddressTrick::LoadAsPointer, 1)];
    let from_memory = [
        Statement::Address(AddressTrick::LoadAsInteger, 1),
        Statement::Address(AddressTrick::FromAddress, 1),
    ];
    let chosen = (pick(), pick())
        .prop_map(|(condition, other)| vec![Statement::Select(Sort::Array, condition, 1, other)]);
    let chosen_by_call =
        (pick(), pick()).prop_map(|(other, which)| vec![Statement::Call(Callee::Choose, [1, other, which])]);
    let between = prop_oneof![
        Just(there_and_back.to_vec()),
        Just(in_memory.to_vec()),
        Just(from_memory.to_vec()),
        one(Statement::Address(AddressTrick::Detour, 1)),
        one(Statement::Union(Place::Heap, vec![UnionUse::Pointer(1)])),
        chosen,
        chosen_by_call,
    ];
    around(
        Statement::Allocate(Place::Frame, Sort::Array, [1; 4]),
        between.boxed(),
        Statement::Load(Sort::Array, 1, Index::Known(2)),
    )
}

fn through_vectors_and_pairs() -> BoxedStrategy<Vec<Statement>> {
    let ops = [VectorOp::Add, VectorOp::Multiply, VectorOp::Swap, VectorOp::ThroughInteger];
    let operation =
        (select(ops.to_vec()), pick()).prop_map(|(op, other)| vec![Statement::Vector(op, 1, other)]);
    let memory = pick().prop_map(|at| {
        vec![Statement::Vector(VectorOp::Store, at, 1), Statement::Vector(VectorOp::Load, at, 0)]
    });
    let vector = around(
        Statement::Vector(VectorOp::Build, 1, 1),
        prop_oneof![2 => operation, 1 => memory].boxed(),
        Statement::Vector(VectorOp::First, 1, 0),
    );
    let pair = prop_oneof![
        one(Statement::Pair(PairOp::ThroughMemory, 1, 0)),
        one(Statement::Call(Callee::Pair, [1; 3])),
    ];
    let pair =
        around(Statement::Pair(PairOp::Build, 1, 1), pair.boxed(), Statement::Pair(PairOp::Number, 1, 0));
    prop_oneof![2 => vector, 1 => pair].boxed()
}

fn through_calls() -> BoxedStrategy<Vec<Statement>> {
    let callees =
        [Callee::Scalar, Callee::Other, Callee::Recursive, Callee::Even, Callee::Odd, Callee::Scalar];
    let scalar = (select(callees.to_vec()), pick())
        .prop_map(|(callee, other)| vec![Statement::Call(callee, [1, other, other])]);
    let element = (pick(), pick()).prop_map(|(array, index)| {
        vec![
            Statement::Store(Sort::Array, array, Index::Known(0), 1),
            Statement::Call(Callee::Element, [array, index, 0]),
        ]
    });
    let update = (pick(), pick()).prop_map(|(to, from)| {
        vec![
            Statement::Store(Sort::Array, from, Index::Known(0), 1),
            Statement::Call(Callee::Update, [to, from, 0]),
            Statement::Load(Sort::Array, to, Index::Known(0)),
        ]
    });
    let record = pick()
        .prop_map(|at| vec![Statement::SetField(at, 0, 1), Statement::Call(Callee::Record, [at, 0, 0])]);
    prop_oneof![3 => scalar, 1 => element, 1 => update, 1 => record].boxed()
}
