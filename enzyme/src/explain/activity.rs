//! What activity analysis found out, as verdicts.

use super::{Claim, Part, Step, Tone, Verdict, Verdicts};
use crate::activity::{
    ActiveBecause, Activity, Analyser, ArgumentActivity, Chain, ConstantBecause, Destination, Origin,
    Reasons, Region, ResultActivity, Subject, Verdict as Found,
};
use crate::model::{Function, InstId, Listing, Type, ValueId};

/// What is assumed of the arguments of a function that nobody calls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ArgumentsAre {
    /// All but integers take part in the derivative.
    #[default]
    ActiveByType,
    /// None does.
    Inactive,
}

/// What is assumed of the result of a function that nobody calls, when it is no float.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PointerResults {
    /// Nobody asks for its derivative.
    #[default]
    Constant,
    /// It is returned with its shadow, whatever its type.
    Duplicated,
}

/// How arguments take part in the derivative when nobody says it.
pub fn assumed_arguments(function: &Function, are: ArgumentsAre) -> Vec<ArgumentActivity> {
    let of = |ty: &Type| match (are, element(function, ty)) {
        (ArgumentsAre::Inactive, _) | (_, Type::Integer { .. }) => ArgumentActivity::Const,
        (ArgumentsAre::ActiveByType, Type::Float(_)) => ArgumentActivity::Out,
        (ArgumentsAre::ActiveByType, _) => ArgumentActivity::Duplicated,
    };
    function.parameters.iter().map(|parameter| of(function.type_of(*parameter))).collect()
}

/// How the result takes part in the derivative when nobody says it.
pub fn assumed_result(function: &Function, pointers: PointerResults) -> ResultActivity {
    match (pointers, element(function, function.ty(function.return_type()))) {
        (PointerResults::Duplicated, _) => ResultActivity::Duplicated,
        (PointerResults::Constant, Type::Float(_)) => ResultActivity::Active,
        (PointerResults::Constant, _) => ResultActivity::Constant,
    }
}

/// How an argument takes part, in a sentence.
pub(super) fn argument_sentence(name: &str, activity: ArgumentActivity) -> String {
    let said = match activity {
        ArgumentActivity::Const => "carries no derivative",
        ArgumentActivity::Duplicated => "comes with a shadow",
        ArgumentActivity::DuplicatedNoNeed => "comes with a shadow, and its final value is not needed",
        ArgumentActivity::Out => "is differentiated",
    };
    format!("{name} {said}")
}

/// The type of a vector's elements, or the type itself.
fn element<'a>(function: &'a Function, ty: &'a Type) -> &'a Type {
    match ty {
        Type::Vector { element, .. } => function.ty(*element),
        other => other,
    }
}

/// What is active in a function, for given activities of its arguments and its result.
pub struct ActivityVerdicts<'a> {
    function: &'a Function,
    listing: Listing,
    activity: &'a Activity,
    /// Knows the names of global symbols.
    analyser: &'a Analyser<'a>,
    arguments: &'a [ArgumentActivity],
    result: ResultActivity,
}

impl<'a> ActivityVerdicts<'a> {
    /// What an analyser found out about a function, for these activities of its arguments and its result.
    pub fn new(
        function: &'a Function,
        activity: &'a Activity,
        analyser: &'a Analyser<'a>,
        arguments: &'a [ArgumentActivity],
        result: ResultActivity,
    ) -> Self {
        Self { function, listing: function.listing(), activity, analyser, arguments, result }
    }

    fn claims(&self, found: Found, reasons: &Reasons) -> Vec<Claim> {
        let mut claims = vec![Claim { statement: Some(because(found).to_owned()), chain: Vec::new() }];
        claims.extend(
            reasons.used.as_ref().map(|chain| {
                self.destination_claim("its address is used", "the address goes on here", chain)
            }),
        );
        if !reasons.memory.is_empty() {
            let step = |region: &Region| Step { about: None, text: self.region(*region), by: None };
            let statement =
                Some("it leads to memory with a shadow, each kind holding addresses of the next".to_owned());
            claims.push(Claim { statement, chain: reasons.memory.iter().map(step).collect() });
        }
        claims.extend(reasons.handed_out.map(|region| Claim {
            statement: Some(
                "the caller gets that memory with its shadow, and may put derivatives there".to_owned(),
            ),
            chain: vec![Step { about: None, text: self.region(region), by: None }],
        }));
        claims.extend(reasons.varied.as_ref().map(|chain| self.origin_claim(chain)));
        let useful = "something whose derivative is asked for depends on it";
        claims.extend(
            reasons
                .useful
                .as_ref()
                .map(|chain| self.destination_claim(useful, "passes its derivative on here", chain)),
        );
        claims
    }

    fn origin_claim(&self, chain: &Chain<Origin>) -> Claim {
        let end = match chain.end {
            Origin::Argument(_) => "the argument is differentiated",
            Origin::Memory(_) => {
                "it may hold derivatives when the function begins, or get them from elsewhere"
            }
            Origin::Marked => "it is marked `enzyme_active`",
        };
        let chain = self.steps(chain, "gets a derivative here", end, None);
        Claim { statement: Some("it depends on what is differentiated".to_owned()), chain }
    }

    fn destination_claim(&self, statement: &str, passing: &str, chain: &Chain<Destination>) -> Claim {
        let (end, by) = match chain.end {
            Destination::Returned(inst) => {
                ("it is returned, and the derivative of the result is asked for", Some(inst))
            }
            Destination::Memory(_) => ("others may look for derivatives there", None),
            Destination::Marked => ("it is marked `enzyme_active`", None),
            Destination::Used(inst) => ("memory is read or written through it", Some(inst)),
        };
        let chain = self.steps(chain, passing, end, by);
        Claim { statement: Some(statement.to_owned()), chain }
    }

    /// The steps of a chain: `passing` is said of all but the last, `end` of the last one.
    fn steps<End>(&self, chain: &Chain<End>, passing: &str, end: &str, by: Option<InstId>) -> Vec<Step> {
        let last = chain.steps.len().saturating_sub(1);
        let steps = chain.steps.iter().enumerate().map(|(index, step)| {
            let (said, by) = if index == last { (end, step.by.or(by)) } else { (passing, step.by) };
            match step.subject {
                Subject::Value(value) => Step { about: Some(Part::Value(value)), text: said.to_owned(), by },
                Subject::Memory(region) => {
                    Step { about: None, text: format!("{}: {said}", self.region(region)), by }
                }
            }
        });
        steps.collect()
    }

    fn region(&self, region: Region) -> String {
        match region {
            Region::Argument(index) => {
                let parameter = self.function.parameters.get(index as usize);
                let name = parameter.map_or("an argument", |parameter| &self.listing.values[*parameter]);
                format!("the memory behind {name}")
            }
            Region::Own(inst) => match self.function.insts[inst].result {
                Some(result) => format!("the memory made by {}", self.listing.values[result]),
                None => format!("the memory made by `{}`", self.listing.insts[inst]),
            },
            Region::Variable(symbol) => format!("the variable @{}", self.analyser.symbol_name(symbol)),
            Region::Constant(symbol) => format!("the constant @{}", self.analyser.symbol_name(symbol)),
            Region::Code(symbol) => format!("the function @{}", self.analyser.symbol_name(symbol)),
            Region::Kept => "what functions without a body keep of what they are given here".to_owned(),
            Region::Remembered => "what functions without a body were given before".to_owned(),
            Region::Unknown => "memory of which nothing is known".to_owned(),
            Region::Fixed => "memory at an address that is a number in the program".to_owned(),
        }
    }
}

impl Verdicts for ActivityVerdicts<'_> {
    fn topic(&self) -> &str {
        "activity"
    }

    fn assumptions(&self) -> Vec<String> {
        let arguments = self.function.parameters.iter().zip(self.arguments);
        let arguments = arguments
            .map(|(parameter, activity)| argument_sentence(&self.listing.values[*parameter], *activity));
        let result = match self.result {
            ResultActivity::Constant => "nobody asks for the derivative of the result",
            ResultActivity::Active => "the derivative of the result is asked for",
            ResultActivity::Duplicated => "the result is returned with its shadow",
        };
        arguments.chain([result.to_owned()]).collect()
    }

    fn parameter(&self, value: ValueId) -> Option<Verdict> {
        let found = self.activity.value(value);
        let claims = self.claims(found, &self.activity.why_value(value));
        Some(Verdict { summary: word(found).to_owned(), tone: tone(found), claims })
    }

    fn instruction(&self, inst: InstId) -> Option<Verdict> {
        let of_inst = self.activity.inst(inst);
        let inst_claims = || self.claims(of_inst, &self.activity.why_inst(inst));
        let result = self.function.insts[inst].result;
        let Some((value, of_value)) = result.map(|value| (value, self.activity.value(value))) else {
            return Some(Verdict {
                summary: word(of_inst).to_owned(),
                tone: tone(of_inst),
                claims: inst_claims(),
            });
        };
        let mut claims = self.claims(of_value, &self.activity.why_value(value));
        if of_value.is_active() == of_inst.is_active() {
            return Some(Verdict { summary: word(of_value).to_owned(), tone: tone(of_value), claims });
        }
        // An address may have a shadow where the instruction that makes it moves no derivative, for example.
        claims.extend(inst_claims().into_iter().map(|claim| Claim {
            statement: claim.statement.map(|statement| format!("the instruction: {statement}")),
            ..claim
        }));
        let summary = format!("{} value, {} instruction", word(of_value), word(of_inst));
        Some(Verdict { summary, tone: Tone::Active, claims })
    }
}

fn word(found: Found) -> &'static str {
    if found.is_active() { "active" } else { "constant" }
}

fn tone(found: Found) -> Tone {
    if found.is_active() { Tone::Active } else { Tone::Inactive }
}

fn because(found: Found) -> &'static str {
    match found {
        Found::Active(why) => match why {
            ActiveBecause::Declared => "the argument was said to be active",
            ActiveBecause::Marked => "it is marked as active",
            ActiveBecause::Number => "it carries a number with a derivative",
            ActiveBecause::Address(_) => "it is an address of memory with a shadow",
            ActiveBecause::MovesNumber => "it moves a number with a derivative to where one is looked for",
            ActiveBecause::MovesAddress(_) => "it puts an address of memory with a shadow into memory",
            ActiveBecause::Overwrites(_) => "the function that is called writes to memory with a shadow",
            ActiveBecause::NotAnalysed => "it could carry a derivative, and nothing was analysed",
        },
        Found::Constant(why) => match why {
            ConstantBecause::Declared => "the argument was said to be constant",
            ConstantBecause::Marked => "it is marked as inactive",
            ConstantBecause::Type => "nothing of its type can be differentiated",
            ConstantBecause::NotVaried => "it does not depend on anything that is differentiated",
            ConstantBecause::NotUseful => "nothing whose derivative is asked for depends on it",
            ConstantBecause::NotUsed => "no derivative is looked for through this address",
            ConstantBecause::MemoryIsConstant => "it is an address of memory without a shadow",
            ConstantBecause::KnownFunction => "the function that is called is known to be inactive",
            ConstantBecause::Control => "it only decides where the program goes on",
            ConstantBecause::NeverReturns => "the program does not come back from there",
            ConstantBecause::MovesNothing => {
                "it moves no number with a derivative to where one is looked for, and no address of memory with a \
                 shadow into memory"
            }
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::activity::{DeclaredTypes, Options};
    use crate::explain::{Explanation, text};
    use crate::program::Program;

    const PROGRAM: &str = "
@table = external global double
define double @f(double %x, ptr %p, i32 %n, <2 x float> %v) {
  %y = load double, ptr %p, align 8
  %z = fmul double %x, %y
  %unused = fadd double %z, 1.000000e+00
  store double %z, ptr @table, align 8
  ret double %z
}
";

    fn program() -> Program {
        Program::from(PROGRAM.parse::<crate::model::Module>().expect("parses"))
    }

    #[test]
    fn arguments_take_part_as_their_types_say() {
        let program = program();
        let function = &program[program.find("f").expect("a function")];
        let by_type = assumed_arguments(function, ArgumentsAre::ActiveByType);
        let (out, duplicated, constant) =
            (ArgumentActivity::Out, ArgumentActivity::Duplicated, ArgumentActivity::Const);
        assert_eq!(by_type, [out, duplicated, constant, out]);
        assert_eq!(assumed_arguments(function, ArgumentsAre::Inactive), [constant; 4]);
        assert_eq!(assumed_result(function, PointerResults::Constant), ResultActivity::Active);
        assert_eq!(assumed_result(function, PointerResults::Duplicated), ResultActivity::Duplicated);
    }

    #[test]
    fn chains_lead_from_where_derivatives_come_to_where_they_are_asked_for() {
        let program = program();
        let id = program.find("f").expect("a function");
        let function = &program[id];
        let mut analyser = Analyser::new(&program, &DeclaredTypes, Options::default());
        let arguments = assumed_arguments(function, ArgumentsAre::ActiveByType);
        let result = assumed_result(function, PointerResults::Constant);
        let activity = analyser.activity(id, &arguments, result);
        let verdicts = ActivityVerdicts::new(function, &activity, &analyser, &arguments, result);
        let mut shown = String::new();
        let explanation = Explanation::new(function, &verdicts);
        text::write(&mut shown, &explanation, &|_| None, text::Colours::No).expect("a string takes all");
        for expected in [
            "  given: %x is differentiated\n",
            "  given: %n carries no derivative\n",
            "  given: the derivative of the result is asked for\n",
            "%unused = fadd double %z, 1.000000e+00  constant\n      nothing whose derivative is asked for depends on it\n",
            "      it depends on what is differentiated\n",
            "        <- %x: the argument is differentiated\n",
            "        <- it is returned, and the derivative of the result is asked for\n           ret double %z\n",
        ] {
            assert!(shown.contains(expected), "{expected}\nis not in\n{shown}");
        }
    }
}
