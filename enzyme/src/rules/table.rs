//! Rules, and the table that holds exactly one for every function.

use std::fmt;

use rustc_hash::FxHashMap;
use thiserror::Error;

use super::constant::Constant;
use super::expr::{Expr, Predicate};
use super::fold::{Algebra, Folder, Value};
use super::function::{Function, Kind};

/// The derivative of one function: a matrix of partials, one row for each result and one column for
/// each operand.
#[derive(Clone, Debug)]
pub struct Rule {
    function: Function,
    operand_names: Vec<&'static str>,
    result_names: Vec<&'static str>,
    /// Row by row. Integer rows and columns hold zeros.
    partials: Vec<Partial>,
    complex_partials: Vec<ComplexPartial>,
    family: Family,
}

/// How a complex derivative is written, from which real partials follow; for documentation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ComplexPartial {
    /// The name of the complex operand.
    pub operand: &'static str,
    /// The derivative, as its line in the table has it.
    pub formula: &'static str,
}

/// The derivative of one result with respect to one operand.
///
/// It is a number of the result's type; where the operand's type is another one (casts), the operand's
/// tangent is converted.
#[derive(Clone, Debug, PartialEq)]
pub struct Partial {
    expr: Expr,
    operands: IndexSet,
    results: IndexSet,
}

/// The groups of the table, one file each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Family {
    /// Instructions, casts and simple arithmetic.
    Arithmetic,
    /// The larger and the smaller of two numbers.
    Extremum,
    /// Rounding, and the parts of a number.
    Rounding,
    /// Trigonometric functions.
    Trigonometric,
    /// Hyperbolic functions.
    Hyperbolic,
    /// Exponentials, logarithms, powers and roots.
    Exponential,
    /// Error, gamma and Bessel functions.
    Special,
    /// Complex numbers.
    Complex,
}

/// A small set of operand or result indices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct IndexSet(u8);

/// What is wrong with a table of rules.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum TableError {
    /// A function has no rule.
    #[error("no rule for `{function}`: add one line to the file of its family")]
    Missing {
        /// The function.
        function: Function,
    },
    /// A function has two rules.
    #[error("two rules for `{function}`: one in family {first:?}, one in family {second:?}")]
    Doubled {
        /// The function.
        function: Function,
        /// The family of the rule that came first.
        first: Family,
        /// The family of the rule that it would shadow.
        second: Family,
    },
    /// A rule has another number of operands or results than its function.
    #[error("rule for `{function}`: {found} {what} are named, the function has {expected}")]
    Arity {
        /// The function.
        function: Function,
        /// "operands" or "results".
        what: &'static str,
        /// How many the function has.
        expected: usize,
        /// How many the rule names.
        found: usize,
    },
    /// An operand or result is named twice, or bound as another kind than the function has.
    #[error("rule for `{function}`: `{name}` is bound {found:?}, the function's is {expected:?}")]
    Kind {
        /// The function.
        function: Function,
        /// The operand or result.
        name: &'static str,
        /// Its kind in the function's signature.
        expected: Kind,
        /// Its kind in the rule.
        found: Kind,
    },
    /// Two operands or results share one name.
    #[error("rule for `{function}`: the name `{name}` stands for two values")]
    NameTwice {
        /// The function.
        function: Function,
        /// The name.
        name: &'static str,
    },
    /// A partial is given for a name the rule does not bind as a floating-point number.
    #[error("rule for `{function}`: no floating-point value is called `{name}`")]
    UnknownName {
        /// The function.
        function: Function,
        /// The name.
        name: &'static str,
    },
    /// A partial is given twice.
    #[error("rule for `{function}`: d{result}/d{operand} is given twice, as `{first}` and as `{second}`")]
    DoubledPartial {
        /// The function.
        function: Function,
        /// The result.
        result: &'static str,
        /// The operand.
        operand: &'static str,
        /// The partial that came first.
        first: String,
        /// The partial that it would shadow.
        second: String,
    },
    /// A partial is not given, not even as 0.
    #[error("rule for `{function}`: d{result}/d{operand} is missing; say `{operand}: 0.0` if it is zero")]
    MissingPartial {
        /// The function.
        function: Function,
        /// The result.
        result: &'static str,
        /// The operand.
        operand: &'static str,
    },
}

impl Rule {
    /// The function the rule is about.
    pub fn function(&self) -> Function {
        self.function
    }

    /// The family it belongs to.
    pub fn family(&self) -> Family {
        self.family
    }

    /// The names of the operands, for documentation.
    pub fn operand_names(&self) -> &[&'static str] {
        &self.operand_names
    }

    /// The names of the results, for documentation.
    pub fn result_names(&self) -> &[&'static str] {
        &self.result_names
    }

    /// The derivative of a result with respect to an operand; zero when either is an integer.
    pub fn partial(&self, result: usize, operand: usize) -> &Partial {
        &self.partials[result * self.operand_names.len() + operand]
    }

    /// The complex derivatives from which the real partials follow; none for rules over real numbers.
    pub fn complex_partials(&self) -> &[ComplexPartial] {
        &self.complex_partials
    }

    /// The partials that are not zero, with the indices of their result and operand.
    pub fn nonzero_partials(&self) -> impl Iterator<Item = (usize, usize, &Partial)> {
        let columns = self.operand_names.len();
        self.partials
            .iter()
            .enumerate()
            .filter(|(_, partial)| !partial.is_zero())
            .map(move |(index, partial)| (index / columns, index % columns, partial))
    }

    /// Whether no result depends on any operand, as far as derivatives go.
    pub fn is_inactive(&self) -> bool {
        self.partials.iter().all(Partial::is_zero)
    }

    /// Whether any partial reads the operand with this index.
    pub fn needs_operand(&self, index: usize) -> bool {
        self.partials.iter().any(|partial| partial.needs_operand(index))
    }

    /// Whether any partial reads the result with this index.
    pub fn needs_result(&self, index: usize) -> bool {
        self.partials.iter().any(|partial| partial.needs_result(index))
    }
}

impl Partial {
    fn new(expr: Expr) -> Self {
        let mut reads = Reads::default();
        let Ok(()) = Folder::new(&mut reads).float(&expr);
        Partial { expr, operands: reads.operands, results: reads.results }
    }

    /// The partial as an expression over the call's operands and results.
    pub fn expr(&self) -> &Expr {
        &self.expr
    }

    /// Whether the result does not depend on the operand.
    pub fn is_zero(&self) -> bool {
        self.expr.is_zero()
    }

    /// Whether the partial reads the primal value of the operand with this index.
    pub fn needs_operand(&self, index: usize) -> bool {
        self.operands.contains(index)
    }

    /// Whether the partial reads the primal value of the result with this index.
    pub fn needs_result(&self, index: usize) -> bool {
        self.results.contains(index)
    }
}

/// A rule as its line in a family's file gives it, not yet checked.
#[derive(Clone, Debug)]
pub struct RuleLine {
    function: Function,
    operands: Vec<(&'static str, Kind)>,
    results: Vec<(&'static str, Kind)>,
    partials: Vec<(&'static str, &'static str, Expr)>,
    complex_partials: Vec<ComplexPartial>,
}

impl RuleLine {
    /// A rule that names operands and results, without any partial yet.
    pub fn new(
        function: Function,
        operands: Vec<(&'static str, Kind)>,
        results: Vec<(&'static str, Kind)>,
    ) -> Self {
        RuleLine { function, operands, results, partials: Vec::new(), complex_partials: Vec::new() }
    }

    /// Adds the derivative of a result with respect to an operand, both by name.
    pub fn partial(mut self, result: &'static str, operand: &'static str, expr: impl Into<Expr>) -> Self {
        self.partials.push((result, operand, expr.into()));
        self
    }

    /// Says how the complex derivative is written from which real partials follow.
    pub fn complex_partial(mut self, operand: &'static str, formula: &'static str) -> Self {
        self.complex_partials.push(ComplexPartial { operand, formula });
        self
    }

    fn check(self, family: Family) -> Result<Rule, TableError> {
        let function = self.function;
        check_names(function, "operands", function.operands(), &self.operands)?;
        check_names(function, "results", function.results(), &self.results)?;

        let columns = self.operands.len();
        let mut given: Vec<Option<Expr>> = vec![None; columns * self.results.len()];
        for (result, operand, expr) in self.partials {
            let row = float_index(function, &self.results, result)?;
            let column = float_index(function, &self.operands, operand)?;
            if let Some(first) = &given[row * columns + column] {
                let text =
                    |expr: &Expr| super::text::algebra(expr, &names(&self.operands), &names(&self.results));
                let (first, second) = (text(first), text(&expr));
                return Err(TableError::DoubledPartial { function, result, operand, first, second });
            }
            given[row * columns + column] = Some(expr);
        }

        let mut partials = Vec::with_capacity(given.len());
        for (index, expr) in given.into_iter().enumerate() {
            let (result, result_kind) = self.results[index / columns];
            let (operand, operand_kind) = self.operands[index % columns];
            let carries_derivative = result_kind == Kind::Float && operand_kind == Kind::Float;
            partials.push(Partial::new(match expr {
                Some(expr) => expr,
                None if carries_derivative => {
                    return Err(TableError::MissingPartial { function, result, operand });
                }
                None => Expr::from(0.0),
            }));
        }
        Ok(Rule {
            function,
            operand_names: names(&self.operands),
            result_names: names(&self.results),
            partials,
            complex_partials: self.complex_partials,
            family,
        })
    }
}

fn names(values: &[(&'static str, Kind)]) -> Vec<&'static str> {
    values.iter().map(|(name, _)| *name).collect()
}

fn check_names(
    function: Function,
    what: &'static str,
    kinds: &'static [Kind],
    named: &[(&'static str, Kind)],
) -> Result<(), TableError> {
    if kinds.len() != named.len() {
        return Err(TableError::Arity { function, what, expected: kinds.len(), found: named.len() });
    }
    for (index, (&expected, &(name, found))) in kinds.iter().zip(named).enumerate() {
        if expected != found {
            return Err(TableError::Kind { function, name, expected, found });
        }
        if named[..index].iter().any(|(earlier, _)| *earlier == name) {
            return Err(TableError::NameTwice { function, name });
        }
    }
    Ok(())
}

fn float_index(
    function: Function,
    values: &[(&'static str, Kind)],
    name: &'static str,
) -> Result<usize, TableError> {
    values
        .iter()
        .position(|value| *value == (name, Kind::Float))
        .ok_or(TableError::UnknownName { function, name })
}

/// Exactly one rule for every function.
#[derive(Clone, Debug)]
pub struct Table {
    rules: Vec<Rule>,
}

impl Table {
    /// Checks rules, and that there is exactly one for every function.
    pub fn new(families: Vec<(Family, Vec<RuleLine>)>) -> Result<Table, TableError> {
        let mut by_function: FxHashMap<Function, Rule> = FxHashMap::default();
        for (family, lines) in families {
            for line in lines {
                let rule = line.check(family)?;
                if let Some(first) = by_function.get(&rule.function) {
                    let (function, first) = (rule.function, first.family);
                    return Err(TableError::Doubled { function, first, second: family });
                }
                by_function.insert(rule.function, rule);
            }
        }
        let mut rules = Vec::with_capacity(Function::ALL.len());
        for &function in Function::ALL {
            rules.push(by_function.remove(&function).ok_or(TableError::Missing { function })?);
        }
        Ok(Table { rules })
    }

    /// The rule of a function.
    pub fn rule(&self, function: Function) -> &Rule {
        // The enum and the table have the same order, see `new`.
        &self.rules[function as usize]
    }

    /// All rules, in the order of [`Function::ALL`].
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }
}

impl IndexSet {
    fn insert(&mut self, index: usize) {
        self.0 |= 1 << index;
    }

    fn contains(self, index: usize) -> bool {
        index < 8 && self.0 & (1 << index) != 0
    }
}

impl fmt::Display for Family {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Family::Arithmetic => "Instructions and arithmetic",
            Family::Extremum => "Maximum and minimum",
            Family::Rounding => "Rounding and parts of numbers",
            Family::Trigonometric => "Trigonometric functions",
            Family::Hyperbolic => "Hyperbolic functions",
            Family::Exponential => "Exponentials, logarithms, powers and roots",
            Family::Special => "Special functions",
            Family::Complex => "Complex functions",
        })
    }
}

/// The algebra that only notes which primal values an expression reads.
#[derive(Default)]
struct Reads {
    operands: IndexSet,
    results: IndexSet,
}

/// Implements the operations of [`Reads`] that read nothing.
macro_rules! reads_nothing {
    ($($method:ident($($argument:ident: $type:ty),*);)*) => { $(
        fn $method(&mut self, $($argument: $type),*) -> Result<(), Self::Error> {
            $(let _ = $argument;)*
            Ok(())
        }
    )* };
}

impl Algebra for Reads {
    type Float = ();
    type Int = ();
    type Bool = ();
    type Error = std::convert::Infallible;

    fn operand(&mut self, index: usize) -> Result<(), Self::Error> {
        self.operands.insert(index);
        Ok(())
    }

    fn result(&mut self, index: usize) -> Result<(), Self::Error> {
        self.results.insert(index);
        Ok(())
    }

    fn int_operand(&mut self, index: usize) -> Result<(), Self::Error> {
        self.operand(index)
    }

    fn int_result(&mut self, index: usize) -> Result<(), Self::Error> {
        self.result(index)
    }

    fn call(&mut self, function: Function, _: Vec<Value<(), ()>>) -> Result<Vec<Value<(), ()>>, Self::Error> {
        let result = |kind: &Kind| match kind {
            Kind::Float => Value::Float(()),
            Kind::Int | Kind::Opaque => Value::Int(()),
        };
        Ok(function.results().iter().map(result).collect())
    }

    reads_nothing! {
        constant(value: Constant);
        int_constant(value: i64);
        neg(x: ());
        add(x: (), y: ());
        sub(x: (), y: ());
        mul(x: (), y: ());
        div(x: (), y: ());
        int_neg(n: ());
        int_add(m: (), n: ());
        int_to_float(n: ());
        compare(predicate: Predicate, x: (), y: ());
        compare_int(predicate: Predicate, m: (), n: ());
        is_nan(x: ());
        sign_bit(x: ());
        and(a: (), b: ());
        or(a: (), b: ());
        not(a: ());
        select(condition: (), then: (), otherwise: ());
    }
}
