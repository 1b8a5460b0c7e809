//! The results for one function.

use cranelift_entity::SecondaryMap;
use cranelift_entity::packed_option::PackedOption;
use rustc_hash::FxHashMap;

use super::attributes::{Access, says};
use super::build::{Builder, CallEffects, StoreRecord, Touch, orders};
use super::graph::{Extent, Graph, NodeId};
use super::object::{Escape, Location, LocationSet, Mutability, ObjectId, ObjectKind, Sharing, Shift};
use super::region::Region;
use super::summary::{Place, Root, Span, Summary};
use crate::model::{DataLayout, Function, InstId, Opcode, TypeId, ValueId};

/// What was found out about the memory of one function.
#[derive(Clone, Debug)]
pub(super) struct FunctionMemory {
    pub(super) graph: Graph,
    pub(super) layout: DataLayout,
    values: SecondaryMap<ValueId, PackedOption<NodeId>>,
    calls: FxHashMap<InstId, CallEffects>,
    escapes: SecondaryMap<ObjectId, Escape>,
    /// Whether [`ObjectKind::Handed`] may be memory that others share.
    handed_is_shared: bool,
    pub(super) steps: u64,
}

impl FunctionMemory {
    /// The results of a solved graph, and what callers see of them.
    pub(super) fn of(builder: Builder<'_>) -> (Self, Summary) {
        let function = builder.function;
        let Builder { layout, values, calls, returned, stores, leaks, mut graph, .. } = builder;
        let steps = graph.steps();
        graph.finish();
        let handed_is_shared = graph.handed().iter().any(|&object| !graph.is_own(object));
        let escapes = SecondaryMap::new();
        let mut memory = Self { graph, layout, values, calls, escapes, handed_is_shared, steps };
        memory.find_escapes(returned, &stores);
        let mut summary = Summariser { function, memory: &memory, new: Vec::new(), handed: Vec::new() }
            .summary(returned, &stores, &leaks);
        summary.normalise();
        (memory, summary)
    }

    /// The places that a value may point to.
    pub(super) fn points_to(&self, value: ValueId) -> LocationSet {
        self.values[value].expand().map_or_else(LocationSet::default, |node| self.places(node, Shift::NONE))
    }

    /// The places of a node, moved.
    fn places(&self, node: NodeId, shift: Shift) -> LocationSet {
        self.graph.set(node).iter().map(|location| self.graph.resolve(location.shifted(shift))).collect()
    }

    pub(super) fn escape(&self, object: ObjectId) -> Escape {
        self.escapes[self.graph.representative(object)]
    }

    fn find_escapes(&mut self, returned: NodeId, stores: &[StoreRecord]) {
        for object in self.graph.objects().keys() {
            if !self.graph.is_own(object) || self.graph.has_escaped(object) {
                self.escapes[object] = Escape::Yes;
            }
        }
        let mut pending: Vec<ObjectId> = self.graph.set(returned).objects().collect();
        for store in stores {
            let into_parameter = |object: ObjectId| {
                self.graph
                    .members(self.graph.representative(object))
                    .any(|member| matches!(self.graph.objects()[member].kind, ObjectKind::Parameter(_)))
            };
            if self.graph.set(store.pointer).objects().any(into_parameter) {
                pending.extend(self.graph.set(store.value).objects());
            }
        }
        while let Some(object) = pending.pop() {
            let object = self.graph.representative(object);
            if self.escapes[object] == Escape::No {
                self.escapes[object] = Escape::AtReturn;
                pending.extend(self.graph.known_contents(object).objects());
            }
        }
    }

    // What instructions touch.

    pub(super) fn accesses(&self, function: &Function, inst: InstId, access: Access) -> Vec<Region> {
        let data = &function.insts[inst];
        let mut regions = Vec::new();
        let mut direct = |pointer: usize, ty: TypeId, ordering: Option<_>| {
            let extent = Extent { shift: Shift::NONE, size: self.size(function, ty) };
            match self.values[data.operands[pointer]].expand() {
                Some(node) => self.add_regions(Touch { node, extent }, &mut regions),
                None => regions.push(Region::OUTSIDE),
            }
            if ordering.is_some_and(orders) {
                regions.push(Region::OUTSIDE);
            }
        };
        match &data.opcode {
            Opcode::Load { access: how } => {
                let ordering = how.atomic.as_ref().map(|atomic| atomic.ordering);
                if let Some(result) = data.result
                    && (access.reads() || ordering.is_some_and(orders))
                {
                    direct(0, function.values[result].ty, ordering);
                }
            }
            Opcode::Store { access: how } => {
                let ordering = how.atomic.as_ref().map(|atomic| atomic.ordering);
                if access.writes() || ordering.is_some_and(orders) {
                    direct(1, function.values[data.operands[0]].ty, ordering);
                }
            }
            Opcode::CompareExchange(exchange) => {
                direct(0, function.values[data.operands[2]].ty, Some(exchange.success.ordering));
            }
            Opcode::AtomicReadModifyWrite(update) => {
                direct(0, function.values[data.operands[1]].ty, Some(update.atomic.ordering));
            }
            Opcode::Fence { .. } => regions.push(Region::OUTSIDE),
            Opcode::Call(_) | Opcode::Invoke { .. } | Opcode::CallBranch { .. } => {
                self.call_regions(inst, access, &mut regions);
            }
            // A list of arguments is read, and moved on.
            Opcode::VaArg => match self.values[data.operands[0]].expand() {
                Some(node) => self.add_regions(Touch { node, extent: Extent::WHOLE }, &mut regions),
                None => regions.push(Region::OUTSIDE),
            },
            Opcode::Return
            | Opcode::Branch { .. }
            | Opcode::ConditionalBranch { .. }
            | Opcode::Switch { .. }
            | Opcode::IndirectBranch { .. }
            | Opcode::Resume
            | Opcode::Unreachable
            | Opcode::CleanupReturn { .. }
            | Opcode::CatchReturn { .. }
            | Opcode::CatchSwitch { .. }
            | Opcode::LandingPad { .. }
            | Opcode::CatchPad
            | Opcode::CleanupPad
            | Opcode::FloatNegate { .. }
            | Opcode::IntBinary { .. }
            | Opcode::FloatBinary { .. }
            | Opcode::IntCompare { .. }
            | Opcode::FloatCompare { .. }
            | Opcode::Cast { .. }
            | Opcode::ExtractElement
            | Opcode::InsertElement
            | Opcode::ShuffleVector { .. }
            | Opcode::ExtractValue { .. }
            | Opcode::InsertValue { .. }
            | Opcode::Alloca { .. }
            | Opcode::GetElementPointer { .. }
            | Opcode::Phi { .. }
            | Opcode::Select { .. }
            | Opcode::Freeze => {}
        }
        regions.sort_unstable();
        regions.dedup();
        regions
    }

    pub(super) fn hidden(&self, function: &Function, inst: InstId) -> Access {
        let volatile = |is_volatile: bool| if is_volatile { Access::ReadWrite } else { Access::None };
        match &function.insts[inst].opcode {
            Opcode::Load { access } | Opcode::Store { access } => volatile(access.volatile),
            Opcode::CompareExchange(exchange) => volatile(exchange.volatile),
            Opcode::AtomicReadModifyWrite(update) => volatile(update.volatile),
            _ => match self.calls.get(&inst) {
                Some(effects) if effects.targets == 0 => Access::ReadWrite,
                Some(effects) => effects.hidden,
                None => Access::None,
            },
        }
    }

    fn call_regions(&self, inst: InstId, access: Access, regions: &mut Vec<Region>) {
        let Some(effects) = self.calls.get(&inst).filter(|effects| effects.targets > 0) else {
            return regions.push(Region::OUTSIDE);
        };
        let touched = if access.writes() { &effects.writes } else { &effects.reads };
        for &touch in touched {
            // An argument that points nowhere is null, or a number.
            if !self.graph.set(touch.node).is_empty() {
                self.add_regions(touch, regions);
            }
        }
    }

    fn add_regions(&self, touch: Touch, regions: &mut Vec<Region>) {
        let places = self.places(touch.node, touch.extent.shift);
        if places.is_empty() {
            return regions.push(Region::OUTSIDE);
        }
        regions.extend(places.iter().map(|location| Region { location, size: touch.extent.size }));
    }

    fn size(&self, function: &Function, ty: TypeId) -> Option<u64> {
        super::build::store_size(function, &self.layout, ty)
    }

    // Overlap.

    /// Whether two objects may be, or share, the same memory.
    pub(super) fn may_share(&self, first: ObjectId, second: ObjectId) -> bool {
        let (first, second) = (self.graph.representative(first), self.graph.representative(second));
        if first == second {
            return true;
        }
        let (first, second) = (first.min(second), first.max(second));
        let own = |object| self.graph.objects()[object].sharing == Sharing::Own;
        // The special objects come first.
        if second == ObjectId::ERROR_NUMBER || first == ObjectId::ERROR_NUMBER {
            return false;
        }
        if first == ObjectId::OUTSIDE {
            return second == ObjectId::HANDED || !own(second) || self.graph.has_escaped(second);
        }
        if first == ObjectId::HANDED {
            return if own(second) { self.graph.has_escaped(second) } else { self.handed_is_shared };
        }
        let is_global = |object: ObjectId| matches!(self.graph.objects()[object].kind, ObjectKind::Global(_));
        !own(first) && !own(second) && !(is_global(first) && is_global(second))
    }

    pub(super) fn is_constant(&self, object: ObjectId) -> bool {
        self.graph.objects()[self.graph.representative(object)].mutability == Mutability::Constant
    }
}

/// Says what callers see of a function.
struct Summariser<'a> {
    function: &'a Function,
    memory: &'a FunctionMemory,
    /// Memory of the function's own that its caller gets.
    new: Vec<ObjectId>,
    /// What [`ObjectKind::Handed`] stands for.
    handed: Vec<Root>,
}

impl Summariser<'_> {
    fn summary(mut self, returned: NodeId, stores: &[StoreRecord], leaks: &[NodeId]) -> Summary {
        let mut handed: Vec<Root> = Vec::new();
        for &object in self.memory.graph.handed() {
            handed.extend(self.roots(object));
        }
        handed.sort_unstable();
        handed.dedup();
        self.handed = handed;

        let mut summary = Summary::default();
        for inst in self.function.insts_in_order() {
            self.effects(inst, &mut summary);
        }
        for (index, _) in
            self.function.parameters.iter().enumerate().filter(|(index, _)| self.is_copy(*index))
        {
            let place = Place { root: Root::Parameter(index as u32), offset: None };
            summary.reads.push(Span { place, size: None });
        }
        summary.returned = self.values(returned);
        for store in stores {
            self.store(store, &mut summary);
        }
        for &leak in leaks {
            let leaked = self.values(leak);
            summary.leaked.extend(leaked.iter().map(|place| place.root));
        }
        self.contents_of_new(&mut summary);
        summary
    }

    fn is_copy(&self, parameter: usize) -> bool {
        says(self.function.signature.parameter_attributes(parameter), "byval")
    }

    /// What callers call an object; nothing when they cannot name it and would get it as new memory.
    fn root(&self, object: ObjectId) -> Option<Root> {
        match self.memory.graph.objects()[object].kind {
            ObjectKind::Parameter(index) => (!self.is_copy(index as usize)).then_some(Root::Parameter(index)),
            ObjectKind::Reached(index) => Some(Root::Reached(index)),
            ObjectKind::Beyond(index) => Some(Root::Beyond(index)),
            ObjectKind::Global(symbol) => Some(Root::Global(symbol)),
            ObjectKind::ErrorNumber => Some(Root::ErrorNumber),
            ObjectKind::Outside => Some(Root::Outside),
            ObjectKind::Handed | ObjectKind::Stack(_) | ObjectKind::Heap(_) => None,
        }
    }

    /// What callers call all that an object stands for.
    fn roots(&mut self, object: ObjectId) -> Vec<Root> {
        let graph = &self.memory.graph;
        let object = graph.representative(object);
        if object == ObjectId::HANDED {
            return self.handed.clone();
        }
        let mut roots = Vec::new();
        for member in graph.members(object) {
            roots.push(self.root(member).unwrap_or(Root::New));
        }
        if roots.contains(&Root::New) {
            self.new.push(object);
        }
        if object == ObjectId::OUTSIDE && graph.outside_is_blurred {
            for index in 0..self.function.parameters.len() as u32 {
                roots.extend([Root::Parameter(index), Root::Reached(index), Root::Beyond(index)]);
            }
        }
        roots
    }

    fn values(&mut self, node: NodeId) -> Vec<Place> {
        let mut places = Vec::new();
        for location in self.memory.places(node, Shift::NONE).iter() {
            for root in self.roots(location.object) {
                places.push(Place { root, offset: location.offset });
            }
        }
        places
    }

    fn effects(&mut self, inst: InstId, summary: &mut Summary) {
        for (access, spans) in [(Access::Read, &mut summary.reads), (Access::Write, &mut summary.writes)] {
            for region in self.memory.accesses(self.function, inst, access) {
                self.seen(region, spans);
            }
        }
        summary.hidden = summary.hidden.or(self.memory.hidden(self.function, inst));
    }

    /// The parts of a region that callers see.
    fn seen(&mut self, region: Region, spans: &mut Vec<Span>) {
        let Region { location: Location { object, offset }, size } = region;
        let own_frame = |memory: &FunctionMemory| {
            memory.graph.members(object).all(|member| {
                matches!(memory.graph.objects()[member].kind, ObjectKind::Stack(_) | ObjectKind::Heap(_))
            })
        };
        if own_frame(self.memory) || self.memory.is_constant(object) {
            return;
        }
        let news = self.new.len();
        let roots = self.roots(object);
        // Touching memory hands it to nobody.
        self.new.truncate(news);
        spans.extend(
            roots
                .into_iter()
                .filter(|root| *root != Root::New)
                .map(|root| Span { place: Place { root, offset }, size }),
        );
    }

    fn store(&mut self, store: &StoreRecord, summary: &mut Summary) {
        let mut targets = Vec::new();
        for location in self.memory.places(store.pointer, store.extent.shift).iter() {
            let news = self.new.len();
            let roots = self.roots(location.object);
            self.new.truncate(news);
            targets.extend(roots.into_iter().map(|root| Place { root, offset: location.offset }));
        }
        let is_seen = targets.iter().any(|place| place.root != Root::New)
            || self.memory.graph.set(store.pointer).has_object(ObjectId::HANDED);
        if !is_seen {
            return;
        }
        let values = self.values(store.value);
        for place in targets {
            match place.root {
                Root::Parameter(_) | Root::Reached(_) | Root::Beyond(_) => {
                    let span = Span { place, size: store.extent.size };
                    summary.stored.extend(values.iter().map(|&value| (span, value)));
                }
                Root::Outside | Root::Global(_) => {
                    summary.leaked.extend(values.iter().map(|value| value.root));
                }
                Root::New => summary.in_new.extend(values.iter().map(|value| value.root)),
                Root::ErrorNumber => {}
            }
        }
    }

    /// The pointers in memory that the caller gets, and in memory that it gets through those.
    fn contents_of_new(&mut self, summary: &mut Summary) {
        let mut seen = std::collections::BTreeSet::new();
        let mut sizes = Vec::new();
        while let Some(object) = self.new.pop() {
            let graph = &self.memory.graph;
            let object = graph.representative(object);
            if !seen.insert(object) {
                continue;
            }
            sizes.push(graph.objects()[object].size.filter(|_| graph.members(object).count() == 1));
            for content in graph.known_contents(object).clone().objects() {
                let roots = self.roots(content);
                summary.in_new.extend(roots);
            }
        }
        summary.new_size = match sizes[..] {
            [size] => size,
            _ => None,
        };
    }
}
