//! Says what calls do with numbers and addresses.

use super::attributes::{CallFacts, is_no_data};
use super::effects::{Place, Writer};
use super::facts::Content;
use super::options::UnknownFunctions;
use super::region::{Region, RegionId};
use super::summary::{Port, Summary};
use super::translate::Translation;
use crate::memory::library::{self, Handling, Library, Returned};
use crate::memory::{Access, Capture};
use crate::model::{InstId, ValueId};
use crate::rules::{self, Abi};

impl Translation<'_> {
    pub(super) fn call(&mut self, inst: InstId) {
        let Some(call) = CallFacts::of(self.function, inst) else { return };
        let Some(name) = call.name() else { return self.unknown_call(inst, &call) };
        // What a user's rule computes is not seen in the function that it is for.
        let rules = ["enzyme_derivative", "enzyme_gradient", "enzyme_splitderivative"];
        if rules.into_iter().any(|rule| call.attributes.says(rule)) {
            return self.unknown_call(inst, &call);
        }
        if let Some(named) = call.attributes.text("enzyme_math").and_then(rules::names::lookup) {
            return self.mathematical_call(inst, &named);
        }
        if let Some(callee) = self.whole.program.find(name) {
            return match self.whole.summary(callee) {
                Some(summary) if !self.has_more_arguments(inst) => self.known_body(inst, &summary),
                _ => self.unknown_call(inst, &call),
            };
        }
        if let Some(known) = library::known(name) {
            return self.library_call(inst, known);
        }
        if let Some(named) = rules::names::lookup(name) {
            return self.mathematical_call(inst, &named);
        }
        if self.whole.options.unknown_functions == UnknownFunctions::MayBeActive {
            self.unknown_call(inst, &call);
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

    /// A library function: it moves numbers and addresses, and computes with none.
    fn library_call(&mut self, inst: InstId, library: Library) {
        let arguments = self.function.insts[inst].arguments();
        let handled: Vec<(ValueId, Handling)> = arguments.iter().copied().zip(library.handlings()).collect();
        let new = self.library_result(inst, library.returned, &handled);
        // What is copied goes where the function is told, or else to its new memory.
        let target = handled.iter().find(|(_, handling)| *handling == Handling::CopyTo);
        let target = target.map(|&(to, _)| Place::Behind(to)).or(new.map(Place::Region));
        for &(argument, handling) in &handled {
            match handling {
                // Text, and numbers that go to files, carry nothing on. What is freed is not looked at.
                Handling::Ignore
                | Handling::Length
                | Handling::Read
                | Handling::ReadAll
                | Handling::Free
                | Handling::Keep => {}
                Handling::Write | Handling::ReadWrite => {
                    self.need(inst, Place::Value(argument));
                    self.overwrite(inst, Place::Behind(argument), Writer::Callee);
                }
                Handling::Fill | Handling::CopyTo => self.write(inst, argument),
                Handling::WriteOthers => {
                    self.write(inst, argument);
                    self.store_others(inst, &handled, argument, Content::BOTH);
                }
                Handling::WritePointers => {
                    self.write(inst, argument);
                    self.store_others(inst, &handled, argument, Content::ADDRESSES);
                    let unknown = self.region(Region::Unknown);
                    self.point(Some(inst), unknown, Place::Behind(argument));
                }
                Handling::WriteNew => {
                    let region = self.region(Region::Own(inst));
                    self.write(inst, argument);
                    self.point(Some(inst), region, Place::Behind(argument));
                }
                Handling::CopyFrom | Handling::MoveFrom => {
                    self.need(inst, Place::Value(argument));
                    if let Some(target) = target {
                        self.flow(inst, Place::Behind(argument), target, Content::BOTH);
                    }
                }
                Handling::PutIntoNew => {
                    self.need(inst, Place::Value(argument));
                    if let Some(new) = new {
                        self.flow(inst, Place::Value(argument), Place::Region(new), Content::ADDRESSES);
                        self.flow(inst, Place::Behind(argument), Place::Region(new), Content::BOTH);
                    }
                }
            }
        }
    }

    /// The other arguments go to the memory behind an address.
    fn store_others(
        &mut self,
        inst: InstId,
        handled: &[(ValueId, Handling)],
        address: ValueId,
        moves: Content,
    ) {
        for &(other, _) in handled.iter().filter(|(other, _)| *other != address) {
            self.flow(inst, Place::Value(other), Place::Behind(address), moves);
        }
    }

    /// What a library function returns; the region of new memory, if it is that.
    fn library_result(
        &mut self,
        inst: InstId,
        returned: Returned,
        handled: &[(ValueId, Handling)],
    ) -> Option<RegionId> {
        let argument = |index: usize| handled.get(index).map(|&(argument, _)| argument);
        match returned {
            Returned::Number | Returned::Elsewhere | Returned::ErrorNumber => {}
            Returned::New(_) | Returned::NewMapping => return Some(self.allocation(inst)),
            Returned::NewObject(_) => return Some(self.new_with_addresses(inst)),
            Returned::Clone(index) => {
                let region = self.new_with_addresses(inst);
                if let Some(address) = argument(index) {
                    self.need(inst, Place::Value(address));
                    self.need(inst, Place::Reach(address));
                    self.flow(inst, Place::Reach(address), Place::Region(region), Content::BOTH);
                }
                return Some(region);
            }
            Returned::Argument(index) | Returned::Within(index) => {
                if let Some(argument) = argument(index) {
                    self.compute(inst, &[argument], Content::BOTH);
                }
            }
            Returned::Reachable(index) => {
                if let Some(address) = argument(index) {
                    self.need(inst, Place::Value(address));
                    self.need(inst, Place::Reach(address));
                    self.compute(inst, &[address], Content::ADDRESSES);
                    self.flow_to_result(inst, Place::Reach(address), Content::ADDRESSES);
                }
            }
            Returned::Loaded => {
                for &(argument, handling) in handled {
                    if handling == Handling::Read {
                        self.need(inst, Place::Value(argument));
                        self.flow_to_result(inst, Place::Behind(argument), Content::BOTH);
                    } else {
                        self.compute(inst, &[argument], Content::BOTH);
                    }
                }
            }
            Returned::Mixture => {
                for &(argument, _) in handled {
                    self.compute(inst, &[argument], Content::BOTH);
                }
            }
        }
        None
    }

    /// The result is the address of new memory that holds addresses of more new memory.
    fn new_with_addresses(&mut self, inst: InstId) -> RegionId {
        let region = self.allocation(inst);
        self.point(Some(inst), region, Place::Region(region));
        region
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
    fn unknown_call(&mut self, inst: InstId, call: &CallFacts<'_>) {
        let effects = call.attributes.effects();
        // Memory that cannot be named may hold what such functions keep; there is no number in `errno`.
        let elsewhere = effects.other.or(effects.inaccessible);
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
            // The callee itself has no attributes as an argument, and is read as code.
            let is_callee = index == usize::MAX;
            let held = self.content(argument);
            if call.argument_is_inactive(index) || held.is_nothing() {
                continue;
            }
            self.flow(inst, Place::Value(argument), hub, Content::NUMBERS);
            if call.attributes.says_of_argument(index, "returned") {
                self.flow_to_result(inst, Place::Value(argument), Content::BOTH);
            }
            if !held.has_addresses() {
                continue;
            }
            let memory = Place::Reach(argument);
            let access = call.attributes.access(index).and(effects.arguments);
            match call.attributes.capture(index) {
                Capture::Anywhere if !is_callee => {
                    self.flow(inst, Place::Value(argument), hub, Content::ADDRESSES);
                }
                Capture::Result if !is_callee => {
                    self.flow_to_result(inst, Place::Value(argument), Content::ADDRESSES);
                }
                Capture::Anywhere | Capture::Result | Capture::No => {}
            }
            if access != Access::None || is_callee {
                self.need(inst, Place::Value(argument));
            }
            if access.reads() {
                self.need(inst, memory);
                self.flow(inst, memory, hub, Content::BOTH);
            }
            if access.writes() && !is_callee {
                self.flow(inst, hub, memory, Content::BOTH);
                self.overwrite(inst, memory, Writer::Callee);
                if elsewhere.reads() {
                    self.flow(inst, kept, memory, Content::BOTH);
                    self.flow(inst, remembered, memory, Content::BOTH);
                }
            }
        }
        if elsewhere.writes() {
            self.flow(inst, hub, kept, Content::BOTH);
        }
        if elsewhere.reads() {
            self.flow_to_result(inst, kept, Content::NUMBERS);
            if !call.result_is_new() {
                self.flow_to_result(inst, kept, Content::ADDRESSES);
            }
        }
        self.unknown_result(inst, call, !arguments.is_empty());
    }

    fn unknown_result(&mut self, inst: InstId, call: &CallFacts<'_>, has_arguments: bool) {
        let Some(result) = self.function.insts[inst].result else { return };
        let hub = Place::Hub(inst);
        self.flow(inst, hub, Place::Value(result), Content::NUMBERS);
        if !self.content(result).has_addresses() {
            return;
        }
        let new = call.result_is_new();
        if !new && !has_arguments {
            let unknown = self.region(Region::Unknown);
            return self.point(Some(inst), unknown, Place::Value(result));
        }
        let region = self.new_with_addresses(inst);
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
            let call = CallFacts::of(self.function, inst)?;
            (!call.argument_is_inactive(index as usize)).then_some(argument)
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
