//! Checkpointed loops, and loops that are annotated: which form of them the analyses see.

use super::Factory;
use crate::error::Error;
use crate::frontend;
use crate::ir::Function;
use crate::prepare::AnnotatedLoops;
use crate::read::ReadFunction;
use crate::write::{Mode, regions_of};

impl Factory<'_> {
    /// What the steps of checkpointed loops do to memory is asked where the loops are called, too: the answer is that of
    /// their canonical form. Gives what stands in the way.
    pub(super) fn prepare_loops(&mut self) -> Vec<Error> {
        let loops: Vec<Function> =
            self.module.functions().filter(|function| regions_of(*function).is_some()).collect();
        loops.into_iter().filter_map(|function| self.prepare_loop(function).err()).flatten().collect()
    }

    /// Lets a loop and its step be looked at in their canonical form.
    pub(super) fn prepare_loop(&mut self, function: Function) -> Result<(), Vec<Error>> {
        let step = function.instructions().find_map(|call| call.called_function());
        for function in step.into_iter().filter(|step| !step.is_declaration()).chain([function]) {
            self.look_at_canonical(function)?;
        }
        Ok(())
    }

    /// Lets a function be looked at, where it is called, in the canonical form that reverse mode works on.
    fn look_at_canonical(&mut self, function: Function) -> Result<(), Vec<Error>> {
        let prepared = self.prepare(function, Mode::Reverse)?;
        self.analyses.look_at(function, &prepared.read.model);
        self.put_back(function, Mode::Reverse, prepared);
        Ok(())
    }

    /// As [`Factory::prepare_loops`], for functions with annotated loops that a function calls, directly or not. What stands
    /// in the way is said when they are differentiated.
    pub(super) fn look_at_annotated(&mut self, read: &ReadFunction, mode: Mode) {
        if self.loops_in(mode) == AnnotatedLoops::Plain {
            return;
        }
        loop {
            let called = self.analyses.with_annotated_loops(read);
            let is_new = |function: &Function| {
                // One that asks for derivatives itself is looked at as it stands.
                !self.at_work.contains(function) && frontend::find_calls_in(*function).is_empty()
            };
            let new: Vec<Function> = called.into_iter().filter(is_new).collect();
            let new: Vec<Function> =
                new.into_iter().filter(|function| self.annotated.insert(*function)).collect();
            if new.is_empty() {
                return;
            }
            for function in new {
                if let Err(errors) = self.look_at_canonical(function) {
                    drop(errors);
                }
            }
        }
    }

    /// What becomes of annotated loops where a function is differentiated in this mode.
    pub(super) fn loops_in(&self, mode: Mode) -> AnnotatedLoops {
        match mode {
            Mode::Reverse | Mode::Augmented(_) | Mode::ReverseSweep(..) if self.has_annotated_loops => {
                AnnotatedLoops::Outlined
            }
            Mode::Reverse
            | Mode::Augmented(_)
            | Mode::ReverseSweep(..)
            | Mode::Forward
            | Mode::FirstPart(_)
            | Mode::SecondPart(..) => AnnotatedLoops::Plain,
        }
    }
}
