//! How programs are drawn.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use super::trips::trip;
use super::{
    AddressTrick, BitTrick, Body, Callee, Compared, Conversion, CopyWay, DoubleOp, Index, Inputs, LongOp,
    MathOp, PairOp, Pick, Place, PointerSource, Program, Sort, Statement, Style, Tbaa, UnionUse, VectorOp,
    Walk,
};

/// Which floating-point types a program computes with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FloatTypes {
    /// Single and double precision.
    All,
    /// Double precision alone, whose rounding does not drown a difference quotient.
    Doubles,
}

/// What memory holds in the course of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Contents {
    /// Always the same types of values, and they are read as what they were written.
    KeepTheirTypes,
    /// One type after the other.
    Change,
}

/// What programs are like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Kind {
    pub(crate) floats: FloatTypes,
    pub(crate) memory: Contents,
}

impl Kind {
    /// Programs that type analysis understands.
    pub(crate) const TYPED: Self = Self { memory: Contents::KeepTheirTypes, ..Self::ANY };

    /// Programs with everything in them.
    pub(crate) const ANY: Self = Self { floats: FloatTypes::All, memory: Contents::Change };
}

/// The program of a seed. Small and large ones take turns, so that the first that shows a mistake is often small.
pub(crate) fn drawn(kind: Kind, seed: u64) -> Program {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    let size = 1 + (seed % MOST_STATEMENTS) as usize;
    program(kind, size).new_tree(&mut runner).expect("programs can always be drawn").current()
}

/// Statements of the longest entry function.
const MOST_STATEMENTS: u64 = 16;

/// Programs of up to so many statements in the entry function.
fn program(kind: Kind, size: usize) -> impl Strategy<Value = Program> {
    let bodies = (body(kind, size), vec(body(kind, 1 + size / 4), 4)).prop_map(|(entry, mut others)| {
        others.insert(0, entry);
        others
    });
    let style = select(vec![Style::Registers, Style::Frame]);
    let tbaa = select(vec![Tbaa::Absent, Tbaa::Present]);
    (style, tbaa, bodies, inputs()).prop_map(|(style, tbaa, bodies, inputs)| Program {
        style,
        tbaa,
        bodies,
        inputs,
    })
}

fn inputs() -> impl Strategy<Value = Inputs> {
    // Away from zero, where signs and absolute values jump.
    let number = (0.3_f64..1.4, any::<bool>()).prop_map(|(size, sign)| if sign { -size } else { size });
    (vec(number, 16), 0_i64..6)
        .prop_map(|(numbers, integer)| Inputs { numbers: numbers.try_into().expect("16 numbers"), integer })
}

fn body(kind: Kind, length: usize) -> impl Strategy<Value = Body> {
    let gathered = vec(gather(), 0..4);
    (vec(group(kind), 0..=length), gathered, pick()).prop_map(|(groups, gathered, result)| {
        let statements = groups.into_iter().chain(gathered).flatten().collect();
        Body { statements, result }
    })
}

/// Something is added to the newest double, so that less of what was computed is lost.
fn gather() -> impl Strategy<Value = Vec<Statement>> {
    let then_add = |found: Statement| vec![found, Statement::Doubles(DoubleOp::Add, 1, 2)];
    prop_oneof![
        2 => pick().prop_map(|value| vec![Statement::Doubles(DoubleOp::Add, 1, value)]),
        3 => (pick(), index()).prop_map(move |(at, index)| then_add(Statement::Load(Sort::Array, at, index))),
        1 => pick().prop_map(move |bits| then_add(Statement::BitTrick(BitTrick::FromBits, bits, 0))),
        1 => pick().prop_map(move |at| then_add(Statement::GetField(at, 0))),
        1 => pick().prop_map(|vector| vec![Statement::Vector(VectorOp::Sum, vector, 1)]),
        1 => pick().prop_map(move |pair| then_add(Statement::Pair(PairOp::Number, pair, 0))),
        1 => (pick(), index()).prop_map(move |(address, index)| {
            let mut statements = vec![Statement::Address(AddressTrick::FromAddress, address)];
            statements.extend(then_add(Statement::Load(Sort::Array, 1, index)));
            statements
        }),
    ]
}

/// Mostly one of the newest values, so that one thing depends on the other.
pub(super) fn pick() -> BoxedStrategy<Pick> {
    prop_oneof![6 => Just(1_u8), 4 => 1_u8..4, 2 => 1_u8..12, 1 => Just(0_u8)].boxed()
}

fn picks() -> [BoxedStrategy<Pick>; 3] {
    [pick(), pick(), pick()]
}

/// Statements that belong together, or one alone.
fn group(kind: Kind) -> BoxedStrategy<Vec<Statement>> {
    prop_oneof![2 => statement(kind).prop_map(|statement| vec![statement]), 1 => trip(kind)].boxed()
}

/// Statements with others in them, two deep.
fn statement(kind: Kind) -> BoxedStrategy<Statement> {
    let flat = simple(kind);
    let nested = prop_oneof![5 => flat.clone(), 1 => compound(kind, flat.clone())].boxed();
    prop_oneof![4 => flat, 1 => compound(kind, nested)].boxed()
}

fn compound(kind: Kind, inner: BoxedStrategy<Statement>) -> BoxedStrategy<Statement> {
    let group = prop_oneof![2 => inner.prop_map(|statement| vec![statement]), 1 => trip(kind)];
    let block = vec(group, 0..4).prop_map(|groups| groups.concat());
    // A double always comes out, so that what is computed inside is not lost.
    let more = vec((select(merged_sorts(kind)), pick(), pick()), 0..3);
    let merged = (pick(), pick(), more).prop_map(|(one, other, mut merged)| {
        merged.push((Sort::Double, one, other));
        merged
    });
    prop_oneof![
        3 => (pick(), block.clone(), block.clone(), merged.clone())
            .prop_map(|(condition, then, otherwise, merged)| {
                Statement::If(condition, then, otherwise, merged)
            }),
        1 => (pick(), vec(block.clone(), 1..3)).prop_map(|(value, arms)| Statement::Switch(value, arms)),
        3 => (1_u8..4, block, merged)
            .prop_map(|(rounds, body, carried)| Statement::Loop(rounds, body, carried)),
    ]
    .boxed()
}

fn merged_sorts(kind: Kind) -> Vec<Sort> {
    let mut sorts = vec![
        Sort::Double,
        Sort::Double,
        Sort::Long,
        Sort::Bits,
        Sort::Array,
        Sort::Constants,
        Sort::Address,
        Sort::Vector,
        Sort::Pair,
    ];
    if kind.floats == FloatTypes::All {
        sorts.push(Sort::Float);
    }
    sorts
}

fn simple(kind: Kind) -> BoxedStrategy<Statement> {
    prop_oneof![
        6 => numbers(kind),
        4 => bit_tricks(kind),
        6 => memory(kind),
        3 => addresses(),
        2 => composite(kind),
        2 => calls(),
    ]
    .boxed()
}

fn numbers(kind: Kind) -> BoxedStrategy<Statement> {
    let double_ops =
        [DoubleOp::Multiply, DoubleOp::Add, DoubleOp::Subtract, DoubleOp::Divide, DoubleOp::Negate];
    let math_ops = [
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
        MathOp::Floor,
    ];
    let long_ops = [
        LongOp::Add,
        LongOp::Subtract,
        LongOp::Multiply,
        LongOp::And,
        LongOp::Or,
        LongOp::Xor,
        LongOp::ShiftLeft,
        LongOp::ShiftRight,
        LongOp::Minimum,
    ];
    let mut conversions = vec![
        Conversion::LongToDouble,
        Conversion::DoubleToLong,
        Conversion::IntToLong,
        Conversion::IntToLongUnsigned,
        Conversion::LongToInt,
    ];
    let mut floats_weight = 0;
    if kind.floats == FloatTypes::All {
        conversions.extend([Conversion::DoubleToFloat, Conversion::FloatToDouble, Conversion::IntToFloat]);
        floats_weight = 2;
    }
    let compared = [Compared::Doubles, Compared::Longs, Compared::Pointers];
    prop_oneof![
        6 => (select(double_ops.to_vec()), pick(), pick()).prop_map(|(op, x, y)| Statement::Doubles(op, x, y)),
        3 => (select(math_ops.to_vec()), pick(), pick()).prop_map(|(op, x, y)| Statement::Math(op, x, y)),
        floats_weight => (0_u8..3, pick(), pick()).prop_map(|(op, x, y)| Statement::Floats(op, x, y)),
        2 => (select(conversions), pick()).prop_map(|(conversion, x)| Statement::Convert(conversion, x)),
        2 => (select(long_ops.to_vec()), pick(), pick()).prop_map(|(op, x, y)| Statement::Longs(op, x, y)),
        2 => (select(compared.to_vec()), pick(), pick()).prop_map(|(op, x, y)| Statement::Compare(op, x, y)),
        2 => (select(merged_sorts(kind)), picks())
            .prop_map(|(sort, [c, x, y])| Statement::Select(sort, c, x, y)),
    ]
    .boxed()
}

fn bit_tricks(kind: Kind) -> BoxedStrategy<Statement> {
    let tricks = [
        BitTrick::ToBits,
        BitTrick::FromBits,
        BitTrick::Negate,
        BitTrick::Absolute,
        BitTrick::CopySign,
        BitTrick::Double,
        BitTrick::Significand,
        BitTrick::Halves,
        BitTrick::IsNegative,
        BitTrick::Hash,
        BitTrick::Exponent,
    ];
    let floats_weight = u32::from(kind.floats == FloatTypes::All);
    prop_oneof![
        8 => (select(tricks.to_vec()), pick(), pick()).prop_map(|(op, x, y)| Statement::BitTrick(op, x, y)),
        floats_weight => (pick(), pick()).prop_map(|(x, y)| Statement::PackFloats(x, y)),
    ]
    .boxed()
}

pub(super) fn place() -> impl Strategy<Value = Place> + Clone {
    select(vec![Place::Frame, Place::Heap, Place::ClearedHeap])
}

pub(super) fn index() -> impl Strategy<Value = Index> {
    prop_oneof![3 => (0_u8..4).prop_map(Index::Known), 1 => pick().prop_map(Index::Computed)]
}

fn memory(kind: Kind) -> BoxedStrategy<Statement> {
    let mut allocated = vec![Sort::Array, Sort::Array, Sort::Record, Sort::Cell];
    let mut loaded = vec![Sort::Array, Sort::Array, Sort::Constants, Sort::Cell];
    let mut stored = vec![Sort::Array, Sort::Array, Sort::Cell];
    let mut fields = vec![0, 1, 2, 4];
    if kind.floats == FloatTypes::All {
        allocated.push(Sort::Floats);
        loaded.push(Sort::Floats);
        stored.push(Sort::Floats);
        fields.push(3);
    }
    let copied = [Sort::Array, Sort::Record, Sort::Constants];
    let ways = vec![CopyWay::Memcpy, CopyWay::Memmove, CopyWay::Words, CopyWay::Whole, CopyWay::Bytes];
    let most_union_uses = match kind.memory {
        Contents::KeepTheirTypes => 1,
        Contents::Change => 3,
    };
    let summed = [Sort::Array, Sort::Constants];
    let get = fields.clone();
    let four = [pick(), pick(), pick(), pick()];
    prop_oneof![
        2 => (place(), select(allocated), four).prop_map(|(place, sort, picks)| {
            Statement::Allocate(place, sort, picks)
        }),
        1 => pick().prop_map(Statement::Temporary),
        3 => (select(loaded), pick(), index()).prop_map(|(sort, at, index)| Statement::Load(sort, at, index)),
        3 => (select(stored), pick(), index(), pick())
            .prop_map(|(sort, at, index, value)| Statement::Store(sort, at, index, value)),
        1 => (select(summed.to_vec()), pick(), select(vec![Walk::ByIndex, Walk::ByPointer]))
            .prop_map(|(sort, at, walk)| Statement::Sum(sort, at, walk)),
        2 => (pick(), select(get)).prop_map(|(at, field)| Statement::GetField(at, field)),
        2 => (pick(), select(fields), pick()).prop_map(|(at, field, value)| {
            Statement::SetField(at, field, value)
        }),
        2 => (select(copied.to_vec()), select(ways), pick(), pick())
            .prop_map(|(sort, way, from, to)| Statement::Copy(sort, way, from, to)),
        1 => pick().prop_map(Statement::Clear),
        1 => pick().prop_map(Statement::OnlyRead),
        2 => (place(), vec(union_use(kind), 1..=most_union_uses)).prop_map(|(place, uses)| Statement::Union(place, uses)),
    ]
    .boxed()
}

fn union_use(kind: Kind) -> BoxedStrategy<UnionUse> {
    let floats_weight = u32::from(kind.floats == FloatTypes::All);
    prop_oneof![
        1 => pick().prop_map(UnionUse::Double),
        1 => pick().prop_map(UnionUse::Integer),
        1 => pick().prop_map(UnionUse::Pointer),
        floats_weight => (pick(), pick()).prop_map(|(x, y)| UnionUse::TwoFloats(x, y)),
        1 => pick().prop_map(UnionUse::BitsOfDouble),
        1 => pick().prop_map(UnionUse::DoubleOfBits),
    ]
    .boxed()
}

fn addresses() -> BoxedStrategy<Statement> {
    let tricks = [
        AddressTrick::ToAddress,
        AddressTrick::FromAddress,
        AddressTrick::Detour,
        AddressTrick::LoadAsInteger,
        AddressTrick::LoadAsPointer,
    ];
    (select(tricks.to_vec()), pick()).prop_map(|(trick, at)| Statement::Address(trick, at)).boxed()
}

fn composite(kind: Kind) -> BoxedStrategy<Statement> {
    let mut vectors = vec![
        VectorOp::Build,
        VectorOp::Add,
        VectorOp::Multiply,
        VectorOp::First,
        VectorOp::Second,
        VectorOp::Swap,
        VectorOp::Load,
        VectorOp::Store,
        VectorOp::Sum,
        VectorOp::ThroughInteger,
    ];
    if kind.floats == FloatTypes::All {
        vectors.extend([VectorOp::Quad, VectorOp::QuadElement]);
    }
    let pairs = [PairOp::Build, PairOp::Number, PairOp::Integer, PairOp::ThroughMemory];
    prop_oneof![
        3 => (select(vectors), pick(), pick()).prop_map(|(op, x, y)| Statement::Vector(op, x, y)),
        1 => (select(pairs.to_vec()), pick(), pick()).prop_map(|(op, x, y)| Statement::Pair(op, x, y)),
    ]
    .boxed()
}

fn calls() -> BoxedStrategy<Statement> {
    let sources = [PointerSource::Selected, PointerSource::Memory, PointerSource::Table];
    prop_oneof![
        6 => (select(Callee::ALL.to_vec()), picks()).prop_map(|(callee, picks)| Statement::Call(callee, picks)),
        1 => (select(sources.to_vec()), picks())
            .prop_map(|(source, picks)| Statement::CallPointer(source, picks)),
    ]
    .boxed()
}
