//! One run of a program from given inputs.

use enzyme::activity::ArgumentActivity;
use enzyme::model::{FloatBits, FloatType, Module};

use crate::machine::{Byte, Dual, Machine, Stop, Value};
use crate::program::Inputs;
use crate::trace::{NodeId, Origin, Trace};

/// The name of the function that programs start with.
pub(crate) const ENTRY: &str = "f";

/// How the parameters of the entry function take part: `%c`, `%x`, `%constants`, `%data`, `%record`, `%n`.
pub(crate) const ACTIVITIES: [ArgumentActivity; 6] = [
    ArgumentActivity::Const,
    ArgumentActivity::Duplicated,
    ArgumentActivity::Const,
    ArgumentActivity::Duplicated,
    ArgumentActivity::Duplicated,
    ArgumentActivity::Const,
];

/// No program of this test needs more.
const MOST_STEPS: usize = 4000;

/// The sizes of the tangents of the inputs; no two combine to nothing by accident.
pub(crate) const TANGENTS: [f64; 10] =
    [0.731, -0.433, 0.597, 1.129, -0.871, 0.337, -0.619, 0.941, 1.213, -0.277];

/// What a run came to.
#[derive(Debug)]
pub(crate) struct Execution {
    pub(crate) trace: Trace,
    /// The tangent of the number returned.
    pub(crate) tangent: f64,
    /// All doubles that the caller sees: the result, then the arrays.
    pub(crate) outputs: Vec<Output>,
    /// A fingerprint of everything that was decided on the way.
    pub(crate) decisions: u64,
}

/// A double that a run leaves behind.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Output {
    pub(crate) value: f64,
    pub(crate) tangent: f64,
    /// How far another way of computing the tangent may be off, by rounding.
    pub(crate) error: f64,
}

impl Output {
    fn of(dual: &Dual) -> Self {
        Self { value: dual.value, tangent: dual.tangent, error: dual.error }
    }
}

/// Runs `@f`. The inputs are moved along their tangents by `step`.
pub(crate) fn execute(module: &Module, inputs: &Inputs, step: f64) -> Result<Execution, Stop> {
    let mut machine = Machine::new(module, MOST_STEPS)?;
    let mut numbers = inputs.numbers.iter();
    let mut tangents = TANGENTS.iter();
    let mut active = |machine: &mut Machine<'_>, ty| {
        let (number, tangent) = (numbers.next().unwrap_or(&0.5), tangents.next().unwrap_or(&1.0));
        machine.given_float(ty, number + step * tangent, *tangent)
    };
    let x = active(&mut machine, FloatType::Double);
    let data = joined((0..4).map(|_| active(&mut machine, FloatType::Double)));
    let inner = joined((0..4).map(|_| active(&mut machine, FloatType::Double)));
    let of_record = active(&mut machine, FloatType::Double);
    let inactive = |ty| {
        let number = inputs.numbers[11];
        Value::float(ty, FloatBits::from_f64(ty, number).0, Origin::Float(ty))
    };
    let c = inactive(FloatType::Double);
    let constants = joined((0..4).map(|_| inactive(FloatType::Double)));
    let (data, inner) = (machine.given_memory(&data)?, machine.given_memory(&inner)?);
    let constants = machine.given_memory(&constants)?;
    let record = joined([
        of_record,
        Value::integer(64, 5),
        Value::pointer(inner),
        inactive(FloatType::Float),
        Value::integer(32, 7),
    ]);
    let record = machine.given_memory(&record)?;
    let arguments = vec![
        c,
        x,
        Value::pointer(constants),
        Value::pointer(data),
        Value::pointer(record),
        Value::integer(64, inputs.integer as u128),
    ];
    let result = machine.run(ENTRY, arguments)?;
    let result = result.ok_or_else(|| Stop::Unsupported("an entry function that returns nothing".into()))?;
    let dual = machine.float_operand(&result.0, FloatType::Double)?;
    let mut outputs = vec![Output::of(&dual)];
    for element in [data, inner].iter().flat_map(|&array| machine.allocation(array).chunks(8)) {
        let dual = machine.dual(element, FloatType::Double)?;
        outputs.push(Output::of(&dual));
    }
    let output_bytes: Vec<NodeId> = [data, inner, record]
        .iter()
        .flat_map(|&address| machine.allocation(address))
        .chain(&result.0)
        .map(|byte: &Byte| byte.node)
        .collect();
    machine.trace.mark_output(output_bytes);
    let decisions = machine.decisions();
    Ok(Execution { trace: machine.trace, tangent: dual.tangent, outputs, decisions })
}

fn joined(values: impl IntoIterator<Item = Value>) -> Value {
    Value(values.into_iter().flat_map(|value| value.0).collect())
}
