//! The results for one function.

use cranelift_entity::SecondaryMap;
use cranelift_entity::packed_option::PackedOption;
use rustc_hash::FxHashMap;

use super::attributes::Access;
use super::build::{Builder, CallEffects, StoreRecord, Touch, orders};
use super::graph::{Extent, Graph, NodeId};
use super::object::{Escape, LocationSet, Mutability, ObjectId, ObjectKind, Sharing, Shift};
use super::region::Region;
use super::summarise::Summariser;
use super::summary::Summary;
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
        let summary = Summariser::new(function, &memory).summary(returned, &stores, &leaks);
        (memory, summary)
    }

    /// The places that a value may point to.
    pub(super) fn points_to(&self, value: ValueId) -> LocationSet {
        self.values[value].expand().map_or_else(LocationSet::default, |node| self.places(node, Shift::NONE))
    }

    /// The places of a node, moved.
    pub(super) fn places(&self, node: NodeId, shift: Shift) -> LocationSet {
        let set = self.graph.set(node);
        if shift == Shift::NONE && set.iter().all(|location| self.graph.resolve(location) == location) {
            return set.clone();
        }
        set.iter().map(|location| self.graph.resolve(location.shifted(shift))).collect()
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
        let mut is_parameter: SecondaryMap<ObjectId, bool> = SecondaryMap::new();
        for (object, data) in self.graph.objects() {
            if matches!(data.kind, ObjectKind::Parameter(_)) {
                is_parameter[self.graph.representative(object)] = true;
            }
        }
        for store in stores {
            let mut targets = self.graph.set(store.pointer).objects();
            if targets.any(|object| is_parameter[self.graph.representative(object)]) {
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
        let both = |holds: &dyn Fn(ObjectId) -> bool| holds(first) && holds(second);
        both(&|object| !own(object)) && !both(&is_global)
    }

    pub(super) fn is_constant(&self, object: ObjectId) -> bool {
        self.graph.objects()[self.graph.representative(object)].mutability == Mutability::Constant
    }
}
