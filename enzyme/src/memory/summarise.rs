//! From the results for one function to its summary.

use std::collections::BTreeSet;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::attributes::{Access, says};
use super::build::StoreRecord;
use super::function::FunctionMemory;
use super::graph::NodeId;
use super::object::{Instances, Location, ObjectId, ObjectKind, Shift};
use super::region::Region;
use super::summary::{NewMemory, Place, Root, Span, Summary};
use crate::model::{Function, InstId};

/// Says what callers see of a function.
pub(super) struct Summariser<'a> {
    function: &'a Function,
    memory: &'a FunctionMemory,
    /// Memory of the function's own that its caller gets.
    new: Vec<ObjectId>,
    /// What callers call the objects that were looked at.
    known: FxHashMap<ObjectId, Rc<[Root]>>,
    summary: Summary,
}

impl<'a> Summariser<'a> {
    pub(super) fn new(function: &'a Function, memory: &'a FunctionMemory) -> Self {
        let mut summariser = Self {
            function,
            memory,
            new: Vec::new(),
            known: FxHashMap::default(),
            summary: Summary::default(),
        };
        let mut handed = BTreeSet::new();
        for &object in memory.graph.handed() {
            handed.extend(summariser.roots(object).iter().copied());
        }
        summariser.known.insert(ObjectId::HANDED, handed.into_iter().collect());
        summariser
    }

    /// The summary, given what is returned, what is stored, and what else code elsewhere gets.
    pub(super) fn summary(mut self, returned: NodeId, stores: &[StoreRecord], leaks: &[NodeId]) -> Summary {
        self.effects();
        self.summary.returned = self.values(returned);
        for store in stores {
            self.store(store);
        }
        for &leak in leaks {
            let leaked = self.values(leak);
            self.summary.leaked.extend(leaked.iter().map(|place| place.root));
        }
        self.contents_of_new();
        self.summary.normalise();
        self.summary
    }

    fn is_copy(&self, parameter: usize) -> bool {
        says(self.function.signature.parameter_attributes(parameter), "byval")
    }

    /// What callers call an object that stands for no other. What they cannot name would reach them as new memory.
    fn root(&self, object: ObjectId) -> Root {
        match self.memory.graph.objects()[object].kind {
            ObjectKind::Parameter(index) if self.is_copy(index as usize) => Root::New,
            ObjectKind::Parameter(index) => Root::Parameter(index),
            ObjectKind::Reached(index) => Root::Reached(index),
            ObjectKind::Beyond(index) => Root::Beyond(index),
            ObjectKind::Global(symbol) => Root::Global(symbol),
            ObjectKind::ErrorNumber => Root::ErrorNumber,
            ObjectKind::Stack(_) | ObjectKind::Heap(_) => Root::New,
            ObjectKind::Outside | ObjectKind::Handed => Root::Outside,
        }
    }

    /// What callers call all that an object stands for.
    fn roots(&mut self, object: ObjectId) -> Rc<[Root]> {
        let graph = &self.memory.graph;
        let object = graph.representative(object);
        if let Some(known) = self.known.get(&object) {
            return known.clone();
        }
        let mut roots: BTreeSet<Root> = graph.members(object).map(|member| self.root(member)).collect();
        if object == ObjectId::OUTSIDE && graph.outside_is_blurred {
            for index in 0..self.function.parameters.len() as u32 {
                roots.extend([Root::Parameter(index), Root::Reached(index), Root::Beyond(index)]);
            }
        }
        let roots: Rc<[Root]> = roots.into_iter().collect();
        self.known.insert(object, roots.clone());
        roots
    }

    /// What callers call the places of a node; new memory among them reaches them.
    fn values(&mut self, node: NodeId) -> Vec<Place> {
        let mut places = Vec::new();
        for Location { object, offset } in self.memory.places(node, Shift::NONE).iter() {
            let roots = self.roots(object);
            if roots.contains(&Root::New) && object != ObjectId::HANDED {
                self.new.push(object);
            }
            places.extend(roots.iter().map(|&root| Place { root, offset }));
        }
        places
    }

    // Reads and writes.

    fn effects(&mut self) {
        let (mut reads, mut writes) = (Touched::default(), Touched::default());
        for inst in self.function.insts_in_order() {
            self.effects_of(inst, &mut reads, &mut writes);
        }
        // A copy is made when the function is called.
        for index in (0..self.function.parameters.len()).filter(|&index| self.is_copy(index)) {
            let place = Place { root: Root::Parameter(index as u32), offset: None };
            reads.spans.insert(Span { place, size: None });
        }
        self.summary.reads = self.spans(reads);
        self.summary.writes = self.spans(writes);
    }

    fn effects_of(&mut self, inst: InstId, reads: &mut Touched, writes: &mut Touched) {
        for (access, touched) in [(Access::Read, reads), (Access::Write, writes)] {
            for region in self.memory.accesses(self.function, inst, access) {
                self.touch(region, touched);
            }
        }
        self.summary.hidden = self.summary.hidden.or(self.memory.hidden(self.function, inst));
    }

    /// Notes the part of a region that callers see.
    fn touch(&mut self, region: Region, touched: &mut Touched) {
        let Region { location: Location { object, offset }, size } = region;
        if object == ObjectId::HANDED {
            touched.handed = Handed::Touched;
        } else if !self.memory.is_constant(object) {
            let roots = self.roots(object);
            let seen = roots.iter().filter(|root| **root != Root::New);
            touched.spans.extend(seen.map(|&root| Span { place: Place { root, offset }, size }));
        }
    }

    fn spans(&mut self, mut touched: Touched) -> Vec<Span> {
        if touched.handed == Handed::Touched {
            let handed = self.roots(ObjectId::HANDED);
            let seen = handed.iter().filter(|root| **root != Root::New);
            touched.spans.extend(seen.map(|&root| Span { place: Place { root, offset: None }, size: None }));
        }
        touched.spans.into_iter().collect()
    }

    // Pointers that get out.

    fn store(&mut self, store: &StoreRecord) {
        let targets = self.memory.places(store.pointer, store.extent.shift);
        if targets.objects().all(|object| self.roots(object).iter().all(|root| *root == Root::New))
            && !targets.has_object(ObjectId::HANDED)
        {
            return;
        }
        let values = self.values(store.value);
        let is_exact = !self.memory.graph.set(store.value).has_object(ObjectId::HANDED);
        for location in targets.iter() {
            let is_exact = is_exact && location.object != ObjectId::HANDED;
            for &root in self.roots(location.object).iter() {
                let span = Span { place: Place { root, offset: location.offset }, size: store.extent.size };
                self.store_into(span, &values, if is_exact { Pairing::Exact } else { Pairing::Mixed });
            }
        }
    }

    fn store_into(&mut self, span: Span, values: &[Place], pairing: Pairing) {
        let roots = values.iter().map(|value| value.root);
        match (span.place.root, pairing) {
            (Root::Parameter(_) | Root::Reached(_) | Root::Beyond(_), Pairing::Exact) => {
                self.summary.stored.extend(values.iter().map(|&value| (span, value)));
            }
            (Root::Parameter(_) | Root::Reached(_) | Root::Beyond(_), Pairing::Mixed) => {
                self.summary.mixed.targets.insert(span.place.root);
                self.summary.mixed.pointers.extend(roots);
            }
            (Root::Outside | Root::Global(_), _) => self.summary.leaked.extend(roots),
            (Root::New, _) => self.summary.in_new.extend(roots),
            (Root::ErrorNumber, _) => {}
        }
    }

    /// The pointers in memory that the caller gets, and in memory that it gets through those.
    fn contents_of_new(&mut self) {
        let graph = &self.memory.graph;
        let mut seen = BTreeSet::new();
        while let Some(object) = self.new.pop() {
            let object = graph.representative(object);
            if !seen.insert(object) {
                continue;
            }
            for content in graph.known_contents(object).objects() {
                let roots = self.roots(content);
                if roots.contains(&Root::New) && content != ObjectId::HANDED {
                    self.new.push(content);
                }
                self.summary.in_new.extend(roots.iter());
            }
        }
        let one = seen.pop_first().filter(|_| seen.is_empty()).map(|object| graph.objects()[object]);
        self.summary.new = match one {
            Some(object) => NewMemory { size: object.size, instances: object.instances },
            None => NewMemory { size: None, instances: Instances::Many },
        };
    }
}

/// What was found to be read, or written.
#[derive(Default)]
struct Touched {
    spans: BTreeSet<Span>,
    handed: Handed,
}

/// Whether [`ObjectKind::Handed`] is touched.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Handed {
    #[default]
    Untouched,
    Touched,
}

/// Whether it is worth telling which pointer is stored where.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Pairing {
    Exact,
    Mixed,
}
