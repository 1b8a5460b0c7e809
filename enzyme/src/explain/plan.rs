//! What a reverse-mode plan keeps and computes again, as verdicts.

use super::{Claim, Part, Step, Tone, Verdict, Verdicts};
use crate::activity::ArgumentActivity;
use crate::explain::activity::argument_sentence;
use crate::model::{Function, InstId, Listing, SecondaryMap, ValueId};
use crate::plan::{Context, Held, How, Kept, Known, Places, Reuse, ReversePlan, Sweeps, WhyKept};

/// What becomes of each value of the forward sweep in a plan.
pub struct PlanVerdicts<'a> {
    function: &'a Function,
    listing: Listing,
    plan: &'a ReversePlan,
    arguments: &'a [ArgumentActivity],
    kept: Vec<Kept>,
    /// What belongs to each instruction of what is kept, by its index.
    of_inst: SecondaryMap<InstId, Vec<usize>>,
}

impl<'a> PlanVerdicts<'a> {
    /// What a plan does, which was made for these activities of the arguments.
    pub fn new(
        function: &'a Function,
        plan: &'a ReversePlan,
        arguments: &'a [ArgumentActivity],
        context: &Context<'_>,
    ) -> Self {
        let kept = plan.kept(function, context);
        let mut of_inst: SecondaryMap<InstId, Vec<usize>> = SecondaryMap::new();
        for (index, one) in kept.iter().enumerate() {
            if let Some(inst) = one.inst(function, plan) {
                of_inst[inst].push(index);
            }
        }
        Self { function, listing: function.listing(), plan, arguments, kept, of_inst }
    }

    /// All that is kept.
    pub fn kept(&self) -> &[Kept] {
        &self.kept
    }

    /// One thing that is kept, in a sentence for the user.
    pub fn sentence(&self, kept: &Kept) -> String {
        let mut sentence = format!("{} is kept ({}): {}", self.name(kept), kept.amount(), kept.why);
        if let WhyKept::Overwritten { by, .. } = kept.why
            && let Some(location) = self.function.insts[by].location.as_ref().filter(|place| place.line != 0)
        {
            sentence += &format!(" ({location})");
        }
        if let Some(advice) = kept.why.advice() {
            sentence += &format!("; what would avoid it: {advice}");
        }
        sentence
    }

    fn name(&self, kept: &Kept) -> String {
        match kept.holds {
            Held::Value(Known::Primal(value)) => self.listing.values[value].clone(),
            Held::Value(Known::Shadow(value)) => format!("the shadow of {}", self.listing.values[value]),
            Held::Predecessor(_) => "the way to here".to_owned(),
            Held::LastIteration(_) => "the number of iterations".to_owned(),
            Held::ChosenIteration(_) => "which iteration was chosen last".to_owned(),
            Held::Iterations(_) => "where the iterations' values lie".to_owned(),
            Held::Tape(_) => "the tape of the function".to_owned(),
            Held::Exit => "which return was reached".to_owned(),
        }
    }

    fn claim(&self, kept: &Kept) -> Claim {
        let by = match kept.why {
            WhyKept::Overwritten { by, .. } => Some(by),
            _ => None,
        };
        let mut chain: Vec<Step> = Vec::new();
        if let (Some(by), WhyKept::Overwritten { places, .. }) = (by, &kept.why) {
            let text = match places {
                Places::Same => "writes to the same memory",
                Places::MayBeSame => "writes to what may be the same memory",
            };
            chain.push(Step { about: Some(Part::Inst(by)), text: text.to_owned(), by: Some(by) });
        }
        if let Some(advice) = kept.why.advice() {
            chain.push(Step { about: None, text: format!("what would avoid it: {advice}"), by: None });
        }
        Claim { statement: Some(format!("{}, {}: {}", self.name(kept), kept.amount(), kept.why)), chain }
    }

    /// How the reverse sweep knows a value, where it asks for it and does not keep it.
    fn again(&self, known: Known) -> Option<&'static str> {
        match self.plan.reuse[known] {
            Reuse::Unused | Reuse::Cache(_) => None,
            Reuse::Chosen(_) => Some("is known from which iteration was chosen last"),
            Reuse::Recompute(how) => Some(match how.how() {
                How::Given => "is there all the time",
                How::Again => "is computed again",
                How::Stepping { .. } => "is known from the number of the iteration",
                How::Choosing { .. } => "is chosen again by the condition of the branch",
            }),
        }
    }

    /// What the reverse sweep leaves out when a `select` does not choose an operand.
    fn way_past(&self, inst: InstId) -> Option<Claim> {
        let unchosen = self.plan.unchosen[self.function.insts[inst].block]?;
        if unchosen.select != inst {
            return None;
        }
        let operand = &self.listing.values[self.function.insts[inst].operands[unchosen.operand]];
        let statement =
            format!("where it does not choose {operand}, nothing is done backwards for {operand}");
        Some(Claim { statement: Some(statement), chain: Vec::new() })
    }

    /// That a write to memory is done late.
    fn written_at_the_end(&self, inst: InstId) -> Option<Claim> {
        let statement = "it is done when the reverse sweep is over, which reads what was there before";
        self.plan
            .writes_at_the_end
            .contains(&inst)
            .then(|| Claim { statement: Some(statement.to_owned()), chain: Vec::new() })
    }

    fn claims_of_value(&self, value: ValueId) -> Vec<Claim> {
        let said = [(Known::Primal(value), "it"), (Known::Shadow(value), "its shadow")];
        let claims = said.into_iter().filter_map(|(known, name)| {
            let said = self.again(known)?;
            Some(Claim { statement: Some(format!("{name} {said}")), chain: Vec::new() })
        });
        claims.collect()
    }
}

impl Verdicts for PlanVerdicts<'_> {
    fn topic(&self) -> &str {
        "plan"
    }

    fn assumptions(&self) -> Vec<String> {
        let arguments = self.function.parameters.iter().zip(self.arguments);
        let mut said: Vec<String> = arguments
            .map(|(parameter, activity)| argument_sentence(&self.listing.values[*parameter], *activity))
            .collect();
        said.push(
            match self.plan.sweeps {
                Sweeps::Together => "one function runs both sweeps",
                Sweeps::Apart => "each sweep is a function of its own",
            }
            .to_owned(),
        );
        let (once, repeated): (Vec<&Kept>, Vec<&Kept>) =
            self.kept.iter().partition(|one| one.trips.is_empty());
        let bytes = |kept: &[&Kept]| kept.iter().map(|one| one.bytes).sum::<u64>();
        said.push(format!("{} bytes are kept once", bytes(&once)));
        if !repeated.is_empty() {
            let total: Option<u64> = repeated.iter().map(|one| one.total()).sum();
            said.push(match total {
                Some(total) => format!("{total} bytes are kept in loops"),
                None => format!("{} bytes are kept for each iteration of loops", bytes(&repeated)),
            });
        }
        said
    }

    fn parameter(&self, value: ValueId) -> Option<Verdict> {
        let claims = self.claims_of_value(value);
        (!claims.is_empty()).then(|| Verdict { summary: "read again".to_owned(), tone: Tone::Plain, claims })
    }

    fn instruction(&self, inst: InstId) -> Option<Verdict> {
        let kept = &self.of_inst[inst];
        let mut claims: Vec<Claim> = kept.iter().map(|&index| self.claim(&self.kept[index])).collect();
        let again = self.function.insts[inst].result.map(|value| self.claims_of_value(value));
        claims.extend(again.unwrap_or_default());
        claims.extend(self.way_past(inst));
        claims.extend(self.written_at_the_end(inst));
        if claims.is_empty() {
            return None;
        }
        let (summary, tone) = match kept.is_empty() {
            false => ("kept", Tone::Active),
            true if self.plan.writes_at_the_end.contains(&inst) => ("later", Tone::Inactive),
            true => ("again", Tone::Inactive),
        };
        Some(Verdict { summary: summary.to_owned(), tone, claims })
    }
}
