//! Says what calls do with numbers and addresses.

use super::attributes::{CallFacts, is_no_data};
use super::effects::{Place, Writer};
use super::facts::Content;
use super::library::{self, Known};
use super::options::UnknownFunctions;
use super::region::Region;
use super::summary::{Port, Summary};
use super::translate::Translation;
use crate::model::{InstId, ValueId};
use crate::rules::{self, Abi};

impl Translation<'_> {
    pub(super) fn call(&mut self, inst: InstId) {
        let call = CallFacts::of(self.function, inst);
        let Some(name) = call.name() else { return self.unknown_call(inst) };
        if let Some(callee) = self.whole.program.find(name) {
            return match self.whole.summary(callee) {
                Some(summary) if !self.has_more_arguments(inst) => self.known_body(inst, &summary),
                _ => self.unknown_call(inst),
            };
        }
        if let Some(known) = library::known(name) {
            return self.library_call(inst, known);
        }
        let mathematics = call.text("enzyme_math").unwrap_or(name);
        if let Some(named) = rules::names::lookup(mathematics) {
            return self.mathematical_call(inst, &named);
        }
        if self.whole.options.unknown_functions == UnknownFunctions::MayBeActive {
            self.unknown_call(inst);
        }
    }

    /// Whether a call has arguments beyond the parameters of the function type.
    fn has_more_arguments(&self, inst: InstId) -> bool {
        let data = &self.function.insts[inst];
        let Some(call) = data.opcode.call() else { return false };
        let declared = match self.function.ty(call.function_type) {
            crate::model::Type::Function(signature) => signature.parameters.len(),
            _ => 0,
        };
        data.arguments().len() > declared
    }

    fn library_call(&mut self, inst: InstId, known: Known) {
        let arguments = self.function.insts[inst].arguments();
        let argument = |index: usize| arguments.get(index).copied();
        match known {
            Known::Allocates => {
                self.allocation(inst);
            }
            Known::Builds => {
                let region = self.allocation(inst);
                self.point(Some(inst), region, Place::Region(region));
            }
            Known::AllocatesThrough(index) => {
                let region = self.region(Region::Own(inst));
                if let Some(address) = argument(index) {
                    self.write(inst, address);
                    self.point(Some(inst), region, Place::Behind(address));
                }
            }
            Known::Reallocates(index) => {
                let region = self.allocation(inst);
                if let Some(address) = argument(index) {
                    self.need(inst, Place::Value(address));
                    self.flow(inst, Place::Behind(address), Place::Region(region), Content::BOTH);
                }
            }
            Known::Clones(index) => {
                let region = self.allocation(inst);
                self.point(Some(inst), region, Place::Region(region));
                if let Some(address) = argument(index) {
                    self.need(inst, Place::Value(address));
                    self.need(inst, Place::Reach(address));
                    self.flow(inst, Place::Reach(address), Place::Region(region), Content::BOTH);
                }
            }
            Known::Frees => {}
            Known::Copies { to, from } => {
                let Some((to, from)) = argument(to).zip(argument(from)) else { return };
                self.write(inst, to);
                self.need(inst, Place::Value(from));
                self.flow(inst, Place::Behind(from), Place::Behind(to), Content::BOTH);
                self.compute(inst, &[to], Content::ADDRESSES);
            }
            Known::Fills(index) => {
                if let Some(address) = argument(index) {
                    self.write(inst, address);
                    self.compute(inst, &[address], Content::ADDRESSES);
                }
            }
            Known::Returns(index) => {
                if let Some(address) = argument(index) {
                    self.compute(inst, &[address], Content::BOTH);
                }
            }
            Known::Finds(index) => {
                if let Some(address) = argument(index) {
                    self.need(inst, Place::Value(address));
                    self.need(inst, Place::Reach(address));
                    self.compute(inst, &[address], Content::ADDRESSES);
                    self.flow_to_result(inst, Place::Reach(address), Content::ADDRESSES);
                }
            }
        }
    }

    /// A function of the rule table: it computes, and keeps nothing.
    fn mathematical_call(&mut self, inst: InstId, named: &rules::names::Named) {
        let arguments = self.function.insts[inst].arguments();
        let by_position = match named.abi {
            Abi::Value | Abi::Aggregate => named.function.operands().len() == arguments.len(),
            Abi::FirstReturned | Abi::AllStored | Abi::Complex | Abi::ByReference | Abi::LowestElement => {
                false
            }
        };
        if by_position {
            for (_, operand, _) in rules::rule(named.function).nonzero_partials() {
                self.compute(inst, &[arguments[operand]], Content::NUMBERS);
            }
            return;
        }
        self.hub(inst);
        for &argument in arguments {
            self.flow(inst, Place::Value(argument), Place::Hub(inst), Content::NUMBERS);
            if self.content(argument).has_addresses() {
                self.need(inst, Place::Value(argument));
                self.flow(inst, Place::Behind(argument), Place::Hub(inst), Content::NUMBERS);
                self.flow(inst, Place::Hub(inst), Place::Behind(argument), Content::NUMBERS);
                self.overwrite(inst, Place::Behind(argument), Writer::Itself);
            }
        }
        self.flow_to_result(inst, Place::Hub(inst), Content::NUMBERS);
    }

    fn hub(&mut self, inst: InstId) {
        self.effects.hubs.push(inst);
    }

    /// A function of which nothing is known but its attributes.
    ///
    /// It computes with the numbers it is given, and with those in memory it can reach from what it is given. What it
    /// is given and may keep, other such functions may use later. Where it may write, it may put something that it was
    /// given before this function began. Its result is made of all that, or is new memory. A function without
    /// arguments that returns an address took it from somewhere: nothing is known of what is there.
    fn unknown_call(&mut self, inst: InstId) {
        let call = CallFacts::of(self.function, inst);
        let reach = call.reach();
        let data = &self.function.insts[inst];
        let kept = Place::Region(self.region(Region::Kept));
        let remembered = Place::Region(self.region(Region::Remembered));
        let hub = Place::Hub(inst);
        self.hub(inst);
        let indirect = call.name().is_none() && call.assembler().is_none();
        let arguments: Vec<(usize, ValueId)> = data
            .arguments()
            .iter()
            .copied()
            .enumerate()
            .chain(data.callee().filter(|_| indirect).map(|callee| (usize::MAX, callee)))
            .filter(|&(_, argument)| !is_no_data(self.function, argument))
            .collect();
        for &(index, argument) in &arguments {
            let facts = call.argument(index);
            let held = self.content(argument);
            if facts.inactive || held.is_nothing() {
                continue;
            }
            self.flow(inst, Place::Value(argument), hub, Content::NUMBERS);
            if facts.returned {
                self.flow_to_result(inst, Place::Value(argument), Content::BOTH);
            }
            if !held.has_addresses() {
                continue;
            }
            let memory = Place::Reach(argument);
            if facts.captures && index != usize::MAX {
                self.flow(inst, Place::Value(argument), hub, Content::ADDRESSES);
            }
            if facts.reads || facts.writes || index == usize::MAX {
                self.need(inst, Place::Value(argument));
            }
            if facts.reads {
                self.need(inst, memory);
                self.flow(inst, memory, hub, Content::BOTH);
            }
            if facts.writes && index != usize::MAX {
                self.flow(inst, hub, memory, Content::BOTH);
                self.overwrite(inst, memory, Writer::Callee);
                if reach.reads_elsewhere {
                    self.flow(inst, kept, memory, Content::BOTH);
                    self.flow(inst, remembered, memory, Content::BOTH);
                }
            }
        }
        if reach.writes_elsewhere {
            self.flow(inst, hub, kept, Content::BOTH);
        }
        if reach.reads_elsewhere {
            self.flow_to_result(inst, kept, Content::NUMBERS);
            if !call.result_is_new() {
                self.flow_to_result(inst, kept, Content::ADDRESSES);
            }
        }
        self.unknown_result(inst, !arguments.is_empty());
    }

    fn unknown_result(&mut self, inst: InstId, has_arguments: bool) {
        let Some(result) = self.function.insts[inst].result else { return };
        let hub = Place::Hub(inst);
        self.flow(inst, hub, Place::Value(result), Content::NUMBERS);
        if !self.content(result).has_addresses() {
            return;
        }
        let new = CallFacts::of(self.function, inst).result_is_new();
        if !new && !has_arguments {
            let unknown = self.region(Region::Unknown);
            return self.point(Some(inst), unknown, Place::Value(result));
        }
        let region = self.allocation(inst);
        self.point(Some(inst), region, Place::Region(region));
        self.flow(inst, hub, Place::Region(region), Content::BOTH);
        if !new {
            self.flow(inst, hub, Place::Value(result), Content::ADDRESSES);
        }
    }

    /// A function with a body, by what is known of it.
    fn known_body(&mut self, inst: InstId, summary: &Summary) {
        for &(from, to, moves) in &summary.flows {
            if let Some((from, to)) = self.place(inst, from).zip(self.place(inst, to)) {
                self.flow(inst, from, to, moves);
            }
        }
        for &(target, to) in &summary.points {
            let Some(to) = self.place(inst, to) else { continue };
            match target {
                Port::Argument(_) | Port::Result => {}
                Port::Reach(_) => {
                    // An address of the argument's memory: the argument's own, or one that lies there.
                    let argument = self.place(inst, argument_of(target));
                    for from in argument.into_iter().chain(self.place(inst, target)) {
                        self.flow(inst, from, to, Content::ADDRESSES);
                    }
                }
                Port::Symbol(_)
                | Port::Code(_)
                | Port::Kept
                | Port::Remembered
                | Port::Unknown
                | Port::Fixed
                | Port::Fresh => {
                    let region = self.port_region(inst, target);
                    self.point(Some(inst), region, to);
                }
            }
        }
        for &port in &summary.needs {
            if let Some(place) = self.place(inst, port) {
                self.need(inst, place);
            }
        }
        for &port in &summary.overwrites {
            if let Some(place) = self.place(inst, port) {
                self.overwrite(inst, place, Writer::Callee);
            }
        }
    }

    /// What a port of the callee is here.
    fn place(&mut self, inst: InstId, port: Port) -> Option<Place> {
        let data = &self.function.insts[inst];
        let argument = |index: u32| {
            let argument = data.arguments().get(index as usize).copied()?;
            let inactive = CallFacts::of(self.function, inst).argument(index as usize).inactive;
            (!inactive).then_some(argument)
        };
        match port {
            Port::Argument(index) => argument(index).map(Place::Value),
            Port::Reach(index) => {
                argument(index).filter(|&value| self.content(value).has_addresses()).map(Place::Reach)
            }
            Port::Result => data.result.map(Place::Value),
            Port::Symbol(_)
            | Port::Code(_)
            | Port::Kept
            | Port::Remembered
            | Port::Unknown
            | Port::Fixed
            | Port::Fresh => Some(Place::Region(self.port_region(inst, port))),
        }
    }

    fn port_region(&mut self, inst: InstId, port: Port) -> super::region::RegionId {
        let region = match port {
            Port::Symbol(symbol) => self.whole.variable(symbol),
            Port::Code(symbol) => Region::Code(symbol),
            Port::Kept => Region::Kept,
            Port::Remembered => Region::Remembered,
            Port::Unknown => Region::Unknown,
            Port::Fixed => Region::Fixed,
            Port::Fresh => Region::Own(inst),
            Port::Argument(_) | Port::Reach(_) | Port::Result => unreachable!("no region of the caller's"),
        };
        self.region(region)
    }
}

fn argument_of(port: Port) -> Port {
    match port {
        Port::Reach(index) => Port::Argument(index),
        other => other,
    }
}
