//! Constraints of calls: what a callee does with pointers, and which memory it touches.

use super::attributes::{Access, Capture, Effects};
use super::build::{Builder, CallEffects, Knowledge, Touch, is_float};
use super::call_attributes::CallAttributes;
use super::graph::{Extent, NodeId, Rule};
use super::library::{self, Handling, Library, Returned, Size, State};
use super::object::{Instances, Location, ObjectId, ObjectKind, Shift};
use super::summary::{Place, Root, Span, Summary};
use crate::model::{
    Call, GlobalFunction, GlobalId, GlobalKind, HasBody, InstId, TypeId, ValueDefinition, ValueId,
};

/// Bundles that say something of a call and hand nothing over.
const HARMLESS_BUNDLES: [&str; 7] =
    ["align", "dereferenceable", "funclet", "kcfi", "nonnull", "ptrauth", "separate_storage"];

/// A call with what its operands are.
struct Site<'s> {
    inst: InstId,
    attributes: CallAttributes<'s>,
    arguments: Vec<NodeId>,
    result: Option<(NodeId, TypeId)>,
    reached: Vec<Option<[NodeId; 2]>>,
}

impl Site<'_> {
    /// Whether the callee may leave pointers where code elsewhere finds them. An exception may carry one out of a
    /// function that writes nothing.
    fn may_keep(&self, effects: Effects) -> bool {
        let Effects { arguments, inaccessible, other, .. } = effects;
        arguments.writes() || inaccessible.writes() || other.writes() || !self.attributes.says("nounwind")
    }
}

impl<'a> Builder<'a> {
    pub(super) fn call(&mut self, inst: InstId, call: &'a Call) {
        self.calls.insert(inst, CallEffects::default());
        let data = &self.function.insts[inst];
        for (tag, operands) in data.bundles() {
            if HARMLESS_BUNDLES.contains(&tag) {
                continue;
            }
            for &operand in operands {
                let operand = self.node(operand);
                self.leak(operand);
                self.touch(inst, operand, Extent::WHOLE, Access::Read);
            }
        }
        let Some(callee) = data.callee() else { return };
        match &self.function.values[callee].definition {
            ValueDefinition::Global(global) if self.is_function(*global) => {
                self.call_named(inst, call, *global);
            }
            ValueDefinition::InlineAsm(asm) => {
                let mut site = self.site(inst, call, None);
                let memory = asm.side_effect || asm.constraints.contains("~{memory}");
                let effects =
                    if memory { Effects::ALL } else { only_arguments() }.and(site.attributes.effects());
                self.pass_arguments(&mut site, effects);
                self.unknown_result(&mut site, effects);
            }
            ValueDefinition::Global(_)
            | ValueDefinition::Parameter(_)
            | ValueDefinition::Instruction(_)
            | ValueDefinition::Constant(_)
            | ValueDefinition::Metadata(_) => {
                let pointer = self.node(callee);
                let call = self.indirect.push(inst);
                self.graph.add_rule(pointer, Rule::Callee(call));
            }
        }
    }

    /// A call through a pointer may call what is at this address.
    pub(super) fn indirect_target(&mut self, inst: InstId, object: ObjectId) {
        let object = self.graph.representative(object);
        if !self.found_targets.insert((inst, object)) {
            return;
        }
        let function = self.function;
        let Some(call) = function.insts[inst].opcode.call() else { return };
        let global = match self.graph.objects()[object].kind {
            ObjectKind::Global(symbol) => self.own_global(symbol),
            ObjectKind::Outside
            | ObjectKind::Handed
            | ObjectKind::ErrorNumber
            | ObjectKind::Parameter(_)
            | ObjectKind::Reached(_)
            | ObjectKind::Beyond(_)
            | ObjectKind::Stack(_)
            | ObjectKind::Heap(_) => None,
        };
        match global.filter(|&global| self.is_function(global)) {
            Some(global) => self.call_named(inst, call, global),
            None => {
                let mut site = self.site(inst, call, None);
                self.call_unknown(&mut site);
            }
        }
    }

    fn is_function(&self, global: GlobalId) -> bool {
        matches!(self.function.context.globals[global].kind, GlobalKind::Function(_))
    }

    fn call_named(&mut self, inst: InstId, call: &'a Call, global: GlobalId) {
        let function = self.function;
        let data = &function.context.globals[global];
        let GlobalKind::Function(callee) = &data.kind else { return };
        let mut site = self.site(inst, call, Some(callee));
        let around = self.around;
        let symbol = around.symbols.of_global(self.id, global);
        let body = symbol.and_then(|symbol| around.symbols.table[symbol].body);
        match body {
            Some(body) => match &around.summaries[body] {
                Knowledge::Summary(summary)
                    if around.program[body].parameters.len() <= site.arguments.len() =>
                {
                    self.call_defined(&mut site, summary, around.program[body].parameters.len());
                }
                Knowledge::Summary(_) | Knowledge::Attributes => self.call_unknown(&mut site),
            },
            None => {
                let is_declared = callee.body == HasBody::No && around.program.find(&data.name).is_none();
                let library =
                    library::lookup(&data.name).filter(|_| is_declared && site.attributes.is_builtin());
                match library {
                    Some(library) => self.call_library(&mut site, library),
                    None => self.call_unknown(&mut site),
                }
            }
        }
    }

    fn site(&mut self, inst: InstId, call: &'a Call, callee: Option<&'a GlobalFunction>) -> Site<'a> {
        let function = self.function;
        let arguments: Vec<NodeId> =
            function.insts[inst].arguments().iter().map(|&argument| self.node(argument)).collect();
        let result = function.insts[inst].result;
        let result = result.map(|result| (self.node(result), function.values[result].ty));
        if let Some(effects) = self.calls.get_mut(&inst) {
            effects.targets += 1;
        }
        let reached = vec![None; arguments.len()];
        let attributes = CallAttributes::new(call, callee.map(|callee| &callee.signature));
        Site { inst, attributes, arguments, result, reached }
    }

    fn argument(&self, site: &Site<'_>, index: usize) -> Option<ValueId> {
        self.function.insts[site.inst].arguments().get(index).copied()
    }

    /// Whether an argument is a float, which functions take as nothing else.
    fn is_number(&self, site: &Site<'_>, index: usize) -> bool {
        self.argument(site, index)
            .is_some_and(|argument| is_float(self.function, self.function.values[argument].ty))
    }

    /// Whether an argument is a pointer or a vector of pointers.
    fn is_pointer(&self, site: &Site<'_>, index: usize) -> bool {
        self.argument(site, index).is_some_and(|argument| {
            let ty = self.function.type_of(argument);
            ty.is_pointer() || ty.parts().iter().any(|&part| self.function.ty(part).is_pointer())
        })
    }

    fn touch(&mut self, inst: InstId, node: NodeId, extent: Extent, access: Access) {
        let Some(effects) = self.calls.get_mut(&inst) else { return };
        let touch = Touch { node, extent };
        if access.reads() {
            effects.reads.push(touch);
        }
        if access.writes() {
            effects.writes.push(touch);
        }
    }

    fn hide(&mut self, inst: InstId, access: Access) {
        if let Some(effects) = self.calls.get_mut(&inst) {
            effects.hidden = effects.hidden.or(access);
        }
    }

    /// The nodes for what can be reached from an argument: by one load, and by more.
    fn reached(&mut self, site: &mut Site<'_>, index: usize) -> [NodeId; 2] {
        if let Some(known) = site.reached[index] {
            return known;
        }
        let (one, more) = (self.graph.add_node(), self.graph.add_node());
        self.load(site.arguments[index], Extent::WHOLE, one);
        self.load(one, Extent::WHOLE, more);
        self.load(more, Extent::WHOLE, more);
        site.reached[index] = Some([one, more]);
        [one, more]
    }

    // Functions with bodies.

    fn call_defined(&mut self, site: &mut Site<'a>, summary: &Summary, parameters: usize) {
        // What the callee cannot name as a parameter it finds in its list of arguments.
        for &argument in &site.arguments[parameters..] {
            self.leak(argument);
        }
        let allowed = site.attributes.effects();
        let mut restricted = summary.clone();
        restricted.restrict(allowed);
        for (spans, access) in [(&restricted.reads, Access::Read), (&restricted.writes, Access::Write)] {
            for &span in spans {
                let (node, extent) = self.span(site, summary, span);
                self.touch(site.inst, node, extent, access);
            }
        }
        self.hide(site.inst, restricted.hidden);
        for &(span, value) in &summary.stored {
            let (pointer, extent) = self.span(site, summary, span);
            let value = self.place(site, summary, value);
            self.store(pointer, extent, value);
        }
        let mixture = self.graph.add_node();
        for &root in &summary.mixed.pointers {
            let node = self.root(site, summary, root);
            self.graph.add_edge(node, mixture, Shift::Unknown);
        }
        for &root in &summary.mixed.targets {
            let node = self.root(site, summary, root);
            self.store(node, Extent::WHOLE, mixture);
        }
        for &root in &summary.leaked {
            let node = self.root(site, summary, root);
            self.leak(node);
        }
        for &root in &summary.in_new {
            let node = self.root(site, summary, root);
            let new = self.heap_object(site.inst, summary.new.size, summary.new.instances);
            self.graph.store_contents(Location::anywhere(new), None, node);
        }
        if let Some((result, _)) = site.result {
            for &place in &summary.returned {
                let node = self.place(site, summary, place);
                self.graph.add_edge(node, result, Shift::NONE);
            }
        }
    }

    fn root(&mut self, site: &mut Site<'_>, summary: &Summary, root: Root) -> NodeId {
        let argument = |index: u32| (index as usize) < site.arguments.len();
        match root {
            Root::Parameter(index) if argument(index) => site.arguments[index as usize],
            Root::Reached(index) if argument(index) => self.reached(site, index as usize)[0],
            Root::Beyond(index) if argument(index) => self.reached(site, index as usize)[1],
            Root::Global(symbol) => self.symbol_node(symbol),
            Root::ErrorNumber => self.error_number(),
            Root::New => {
                let new = self.heap_object(site.inst, summary.new.size, summary.new.instances);
                self.graph.node_of([Location::start(new)])
            }
            Root::Parameter(_) | Root::Reached(_) | Root::Beyond(_) | Root::Outside => self.outside(),
        }
    }

    fn place(&mut self, site: &mut Site<'_>, summary: &Summary, place: Place) -> NodeId {
        let node = self.root(site, summary, place.root);
        let shift = place.offset.map_or(Shift::Unknown, Shift::By);
        if shift == Shift::NONE {
            return node;
        }
        let shifted = self.graph.add_node();
        self.graph.add_edge(node, shifted, shift);
        shifted
    }

    fn span(&mut self, site: &mut Site<'_>, summary: &Summary, span: Span) -> (NodeId, Extent) {
        let node = self.root(site, summary, span.place.root);
        let shift = span.place.offset.map_or(Shift::Unknown, Shift::By);
        (node, Extent { shift, size: span.size })
    }

    // Functions known by name.

    fn call_library(&mut self, site: &mut Site<'a>, library: Library) {
        let handlings: Vec<Handling> = (0..site.arguments.len())
            .map(|index| match library.handling(index) {
                // An address to free may come as a number.
                handling @ (Handling::Length | Handling::Free) => handling,
                handling if self.is_pointer(site, index) => handling,
                _ => Handling::Ignore,
            })
            .collect();
        let those = |wanted: &[Handling]| -> Vec<NodeId> {
            let both = handlings.iter().zip(&site.arguments);
            both.filter(|(handling, _)| wanted.contains(handling)).map(|(_, node)| *node).collect()
        };
        let from = those(&[Handling::CopyFrom, Handling::MoveFrom]);
        let targets = those(&[Handling::CopyTo]);
        let put = those(&[Handling::PutIntoNew]);
        let length = self.moved_bytes(site, &handlings);
        for (index, &handling) in handlings.iter().enumerate() {
            self.handle_argument(site, index, handling, length);
        }
        for (&from, &to) in from.iter().zip(&targets) {
            self.copy(from, to, length);
        }
        match library.state {
            State::Pure => {}
            State::SetsErrorNumber | State::Hidden => {
                self.touch(site.inst, self.error_number(), Extent::bytes(4), Access::Write);
            }
        }
        if library.state == State::Hidden {
            self.hide(site.inst, Access::ReadWrite);
        }
        self.library_result(site, library.returned, &handlings, &from);
        self.put_into_new(site, library.returned, &put);
    }

    /// The most bytes that a copying or filling function moves, if that is known.
    fn moved_bytes(&self, site: &Site<'_>, handlings: &[Handling]) -> Option<u64> {
        let index = handlings.iter().position(|handling| *handling == Handling::Length)?;
        self.argument(site, index)
            .and_then(|value| self.integer(value))
            .and_then(|bytes| u64::try_from(bytes).ok())
    }

    fn handle_argument(
        &mut self,
        site: &mut Site<'a>,
        index: usize,
        handling: Handling,
        length: Option<u64>,
    ) {
        let node = site.arguments[index];
        let extent = Extent { shift: Shift::NONE, size: length };
        let access = match handling {
            Handling::Ignore | Handling::Length => return,
            Handling::Read | Handling::PutIntoNew => Access::Read,
            Handling::ReadAll => {
                for reached in self.reached(site, index) {
                    self.touch(site.inst, reached, Extent::WHOLE, Access::Read);
                }
                Access::Read
            }
            Handling::ReadWrite => Access::ReadWrite,
            Handling::Write | Handling::Fill | Handling::Free => Access::Write,
            Handling::CopyFrom => Access::Read,
            Handling::MoveFrom => Access::ReadWrite,
            Handling::CopyTo => Access::Write,
            Handling::WriteOthers => {
                for (other, &value) in site.arguments.clone().iter().enumerate() {
                    if other != index {
                        self.store(node, Extent::WHOLE, value);
                    }
                }
                Access::Write
            }
            Handling::WritePointers => {
                let outside = self.outside();
                self.store(node, Extent::WHOLE, outside);
                for (other, &value) in site.arguments.clone().iter().enumerate() {
                    if other != index {
                        let within = self.graph.add_node();
                        self.graph.add_edge(value, within, Shift::Unknown);
                        self.store(node, Extent::WHOLE, within);
                    }
                }
                Access::ReadWrite
            }
            Handling::WriteNew => {
                let new = self.heap_object(site.inst, None, Instances::One);
                let new = self.graph.node_of([Location::start(new)]);
                self.store(node, Extent { shift: Shift::NONE, size: Some(self.layout.pointer_size(0)) }, new);
                Access::Write
            }
            Handling::Keep => {
                self.leak(node);
                Access::ReadWrite
            }
        };
        let extent = match handling {
            Handling::CopyFrom | Handling::CopyTo | Handling::Write | Handling::Fill => extent,
            Handling::Ignore
            | Handling::Length
            | Handling::Read
            | Handling::ReadAll
            | Handling::Free
            | Handling::PutIntoNew
            | Handling::ReadWrite
            | Handling::MoveFrom
            | Handling::WriteOthers
            | Handling::WritePointers
            | Handling::WriteNew
            | Handling::Keep => Extent { shift: Shift::NONE, size: None },
        };
        self.touch(site.inst, node, extent, access);
    }

    /// The pointers in some bytes flow to others. Few bytes are copied cell by cell.
    fn copy(&mut self, from: NodeId, to: NodeId, length: Option<u64>) {
        const CELL: u64 = 8;
        const MOST: u64 = 16 * CELL;
        let Some(length) = length.filter(|length| *length <= MOST) else {
            let moved = self.graph.add_node();
            self.load(from, Extent::WHOLE, moved);
            self.store(to, Extent::WHOLE, moved);
            return;
        };
        let mut start = 0;
        while start < length {
            let size = CELL.min(length - start);
            let extent = Extent { shift: Shift::By(start as i64), size: Some(size) };
            let moved = self.graph.add_node();
            self.load(from, extent, moved);
            self.store(to, extent, moved);
            start += size;
        }
    }

    fn library_result(
        &mut self,
        site: &mut Site<'a>,
        returned: Returned,
        handlings: &[Handling],
        from: &[NodeId],
    ) {
        let Some((result, _)) = site.result else { return };
        let argument = |index: usize| site.arguments.get(index).copied();
        match returned {
            Returned::Number => {}
            Returned::Elsewhere => self.graph.add_location(result, Location::anywhere(ObjectId::OUTSIDE)),
            Returned::ErrorNumber => {
                self.graph.add_location(result, Location::start(ObjectId::ERROR_NUMBER));
            }
            Returned::New(size) => {
                let size = self.allocated_size(site, size);
                let new = self.heap_object(site.inst, size, Instances::One);
                self.graph.add_location(result, Location::start(new));
                for &from in from {
                    let moved = self.graph.add_node();
                    self.load(from, Extent::WHOLE, moved);
                    self.graph.store_contents(Location::anywhere(new), None, moved);
                }
            }
            Returned::NewObject(size) => {
                self.new_with_pointers(site, result, size);
            }
            Returned::Clone(index) => {
                let new = self.new_with_pointers(site, result, Size::Unknown);
                let same = self.graph.node_of([Location::anywhere(new)]);
                self.graph.store_contents(Location::anywhere(new), None, same);
                if index < site.arguments.len() {
                    for reached in self.reached(site, index) {
                        self.graph.store_contents(Location::anywhere(new), None, reached);
                    }
                }
            }
            Returned::NewMapping => {
                let flags = self.argument(site, 3).and_then(|flags| self.integer(flags)).unwrap_or(0);
                let is_new = library::is_private_mapping(flags);
                let size = self.allocated_size(site, Size::Argument(1));
                let location = if is_new {
                    Location::start(self.heap_object(site.inst, size, Instances::One))
                } else {
                    Location::anywhere(ObjectId::OUTSIDE)
                };
                self.graph.add_location(result, location);
            }
            Returned::Argument(index) => {
                if let Some(argument) = argument(index) {
                    self.graph.add_edge(argument, result, Shift::NONE);
                }
            }
            Returned::Within(index) => {
                if let Some(argument) = argument(index) {
                    self.graph.add_edge(argument, result, Shift::Unknown);
                }
            }
            Returned::Reachable(index) => {
                if let Some(argument) = argument(index) {
                    for found in self.reached(site, index).into_iter().chain([argument]) {
                        self.graph.add_edge(found, result, Shift::Unknown);
                    }
                }
            }
            Returned::Loaded => {
                for (&handling, &argument) in handlings.iter().zip(&site.arguments) {
                    if handling == Handling::Read {
                        self.load(argument, Extent::WHOLE, result);
                    } else {
                        self.graph.add_edge(argument, result, Shift::NONE);
                    }
                }
            }
            Returned::Mixture => {
                for &argument in &site.arguments {
                    self.graph.add_edge(argument, result, Shift::Unknown);
                }
            }
        }
    }

    /// The result is new memory that holds pointers of the library's.
    fn new_with_pointers(&mut self, site: &Site<'a>, result: NodeId, size: Size) -> ObjectId {
        let size = self.allocated_size(site, size);
        let new = self.heap_object(site.inst, size, Instances::One);
        self.graph.add_location(result, Location::start(new));
        let outside = self.outside();
        self.graph.store_contents(Location::anywhere(new), None, outside);
        new
    }

    /// Puts arguments, and what they point to, into the new memory that is returned.
    fn put_into_new(&mut self, site: &Site<'a>, returned: Returned, put: &[NodeId]) {
        let (Returned::NewObject(_), Some(_)) = (returned, site.result) else { return };
        let new = self.heap_object(site.inst, None, Instances::One);
        for &argument in put {
            let within = self.graph.add_node();
            self.load(argument, Extent::WHOLE, within);
            for value in [argument, within] {
                self.graph.store_contents(Location::anywhere(new), None, value);
            }
        }
    }

    fn allocated_size(&self, site: &Site<'_>, size: Size) -> Option<u64> {
        let value = |index: usize| {
            let argument = self.argument(site, index)?;
            self.integer(argument).and_then(|size| u64::try_from(size).ok())
        };
        match size {
            Size::Argument(index) => value(index),
            Size::Product(first, second) => value(first)?.checked_mul(value(second)?),
            Size::Unknown => None,
        }
    }

    // Functions of which attributes tell all that is known.

    fn call_unknown(&mut self, site: &mut Site<'a>) {
        if site.attributes.is_deallocator() {
            for node in site.arguments.clone() {
                self.touch(site.inst, node, Extent::WHOLE, Access::Write);
            }
            return self.hide(site.inst, Access::ReadWrite);
        }
        let effects = site.attributes.effects();
        self.pass_arguments(site, effects);
        if site.attributes.is_allocator() {
            return self.unknown_allocation(site);
        }
        self.unknown_result(site, effects);
    }

    /// What an unknown callee does with its arguments and with memory.
    fn pass_arguments(&mut self, site: &mut Site<'a>, effects: Effects) {
        let keeps = site.may_keep(effects);
        for index in 0..site.arguments.len() {
            if self.is_number(site, index) {
                continue;
            }
            let node = site.arguments[index];
            let access = if site.attributes.says_of_argument(index, "byval") {
                Access::Read
            } else {
                site.attributes.access(index).and(effects.arguments)
            };
            self.touch(site.inst, node, Extent::WHOLE, access);
            let kept = keeps && site.attributes.capture(index) == Capture::Anywhere;
            if kept {
                self.leak(node);
            } else if access.reads() && (keeps || effects.other != Access::None) {
                let [one, more] = self.reached(site, index);
                if keeps {
                    self.leak(one);
                } else {
                    self.touch(site.inst, one, Extent::WHOLE, effects.other);
                    self.touch(site.inst, more, Extent::WHOLE, effects.other);
                }
            }
            if access.writes() {
                let outside = self.outside();
                self.store(node, Extent::WHOLE, outside);
            }
        }
        if effects.other != Access::None {
            let outside = self.outside();
            self.touch(site.inst, outside, Extent::WHOLE, effects.other);
        }
        if effects.other.writes() {
            self.leak(self.outside());
        }
        if effects.error_number != Access::None {
            let error_number = self.error_number();
            self.touch(site.inst, error_number, Extent::bytes(4), effects.error_number);
        }
        self.hide(site.inst, effects.inaccessible);
    }

    fn unknown_allocation(&mut self, site: &mut Site<'a>) {
        let size = site.attributes.text("enzyme_allocator").and_then(|index| index.parse::<usize>().ok());
        let size = size.and_then(|index| self.allocated_size(site, Size::Argument(index)));
        if let Some((result, _)) = site.result {
            let new = self.heap_object(site.inst, size, Instances::One);
            self.graph.add_location(result, Location::start(new));
            // What it puts there, a header or the contents of what it replaces, is not known.
            let outside = self.outside();
            self.graph.store_contents(Location::anywhere(new), None, outside);
            for index in 0..site.arguments.len() {
                let [one, _] = self.reached(site, index);
                self.graph.store_contents(Location::anywhere(new), None, one);
            }
        }
    }

    fn unknown_result(&mut self, site: &mut Site<'a>, effects: Effects) {
        let Some((result, ty)) = site.result else { return };
        if let Some(same) =
            (0..site.arguments.len()).find(|&index| site.attributes.says_of_argument(index, "returned"))
        {
            return self.graph.add_edge(site.arguments[same], result, Shift::NONE);
        }
        if is_float(self.function, ty) {
            return;
        }
        if site.attributes.says_of_result("noalias") {
            let new = self.heap_object(site.inst, None, Instances::One);
            let outside = self.outside();
            self.graph.store_contents(Location::anywhere(new), None, outside);
            return self.graph.add_location(result, Location::start(new));
        }
        self.graph.add_location(result, Location::anywhere(ObjectId::OUTSIDE));
        for index in 0..site.arguments.len() {
            // What the callee may keep has escaped.
            let kept = site.may_keep(effects);
            let captured = match site.attributes.capture(index) {
                Capture::No => false,
                Capture::Result => true,
                Capture::Anywhere => !kept,
            };
            if captured {
                self.graph.add_edge(site.arguments[index], result, Shift::Unknown);
            }
            if !kept && site.attributes.access(index).and(effects.arguments).reads() {
                self.load(site.arguments[index], Extent::WHOLE, result);
                if effects.other.reads() {
                    let [_, more] = self.reached(site, index);
                    self.graph.add_edge(more, result, Shift::Unknown);
                }
            }
        }
    }
}

/// Assembler that clobbers no memory touches what its arguments point to.
fn only_arguments() -> Effects {
    Effects {
        arguments: Access::ReadWrite,
        inaccessible: Access::None,
        error_number: Access::None,
        other: Access::None,
    }
}
