//! Smaller programs.

use super::{Body, Program, Statement, Style, Tbaa};

impl Program {
    /// Programs that are smaller or simpler, the smallest first.
    pub(crate) fn smaller(&self) -> impl Iterator<Item = Self> + '_ {
        let simpler =
            [Self { style: Style::Registers, ..self.clone() }, Self { tbaa: Tbaa::Absent, ..self.clone() }];
        let simpler =
            simpler.into_iter().filter(|simpler| (simpler.style, simpler.tbaa) != (self.style, self.tbaa));
        let shorter = (0..self.bodies.len()).flat_map(move |index| {
            let body = &self.bodies[index];
            smaller(&body.statements).into_iter().flat_map(move |statements| {
                // With fewer values, the same one has another number.
                let results = [body.result, 1, 2].into_iter().take(if body.result <= 1 { 1 } else { 3 });
                results.map(move |result| {
                    let mut program = self.clone();
                    program.bodies[index] = Body { statements: statements.clone(), result };
                    program
                })
            })
        });
        simpler.chain(shorter)
    }
}

/// Without some statements, with one statement's parts in its place, or with one part smaller.
fn smaller(statements: &[Statement]) -> Vec<Vec<Statement>> {
    let mut all = Vec::new();
    let mut length = statements.len();
    while length > 1 {
        for start in (0..statements.len()).step_by(length) {
            let end = (start + length).min(statements.len());
            all.push([&statements[..start], &statements[end..]].concat());
        }
        length = length.div_ceil(2);
    }
    for (index, statement) in statements.iter().enumerate() {
        let mut replace = |by: Vec<Statement>| {
            let mut whole = statements.to_vec();
            whole.splice(index..=index, by);
            all.push(whole);
        };
        replace(Vec::new());
        parts(statement).into_iter().for_each(&mut replace);
        simpler(statement).into_iter().for_each(|statement| replace(vec![statement]));
    }
    all
}

/// What a statement is made of.
fn parts(statement: &Statement) -> Vec<Vec<Statement>> {
    match statement {
        Statement::If(_, then, otherwise, _) => vec![then.clone(), otherwise.clone()],
        Statement::Switch(_, arms) => arms.clone(),
        Statement::Loop(_, body, _) => vec![body.clone()],
        _ => Vec::new(),
    }
}

/// The same statement with less in it.
fn simpler(statement: &Statement) -> Vec<Statement> {
    match statement {
        Statement::If(condition, then, otherwise, merged) => {
            let with = |then: &[Statement], otherwise: &[Statement]| {
                Statement::If(*condition, then.to_vec(), otherwise.to_vec(), merged.clone())
            };
            let of_then = smaller(then).into_iter().map(|then| with(&then, otherwise));
            let of_else = smaller(otherwise).into_iter().map(|otherwise| with(then, &otherwise));
            let fewer = without_one(merged)
                .map(|merged| Statement::If(*condition, then.clone(), otherwise.clone(), merged));
            of_then.chain(of_else).chain(fewer).collect()
        }
        Statement::Switch(value, arms) => {
            let with = |place: usize, arm: Vec<Statement>| {
                let mut arms = arms.clone();
                arms[place] = arm;
                Statement::Switch(*value, arms)
            };
            arms.iter()
                .enumerate()
                .flat_map(|(place, arm)| smaller(arm).into_iter().map(move |arm| with(place, arm)))
                .collect()
        }
        Statement::Loop(rounds, body, carried) => {
            let fewer_rounds =
                (1..*rounds).map(|rounds| Statement::Loop(rounds, body.clone(), carried.clone()));
            let of_body =
                smaller(body).into_iter().map(|body| Statement::Loop(*rounds, body, carried.clone()));
            let fewer = without_one(carried).map(|carried| Statement::Loop(*rounds, body.clone(), carried));
            fewer_rounds.chain(of_body).chain(fewer).collect()
        }
        Statement::Union(place, uses) => {
            without_one(uses).map(|uses| Statement::Union(*place, uses)).collect()
        }
        _ => Vec::new(),
    }
}

fn without_one<T: Clone>(all: &[T]) -> impl Iterator<Item = Vec<T>> {
    (0..all.len()).map(|index| [&all[..index], &all[index + 1..]].concat())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::text;

    #[test]
    fn what_is_in_a_loop_can_be_taken_out_and_dropped() {
        let inner = Statement::Temporary(1);
        let body = Body { statements: vec![Statement::Loop(2, vec![inner], Vec::new())], result: 1 };
        let inputs = crate::program::Inputs { numbers: [0.5; 16], integer: 1 };
        let bodies = vec![body, Body::default()];
        let program = Program { style: Style::Registers, tbaa: Tbaa::Present, bodies, inputs };
        let texts: Vec<String> = program.smaller().map(|program| text(&program)).collect();
        let shows = |what: &[&str], not: &[&str]| {
            texts.iter().any(|text| {
                what.iter().all(|part| text.contains(part)) && !not.iter().any(|part| text.contains(part))
            })
        };
        assert!(shows(&["@malloc"], &["phi"]), "the loop is gone");
        assert!(shows(&["phi"], &["@malloc"]), "what was in it is gone");
        assert!(shows(&[], &["phi", "@malloc"]), "both are gone");
        assert!(texts.len() < 10, "{}", texts.len());
    }
}
