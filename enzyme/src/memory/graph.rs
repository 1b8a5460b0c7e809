//! The constraint graph of one function: which places flow from where to where.
//!
//! A node holds a [`LocationSet`]: that of a value, or of the pointers that lie in some bytes of an object. An edge says
//! that all places of one node, moved by a [`Shift`], are places of another. A [`Rule`] waits at a node and adds edges
//! for each place the node gets. Sets only grow and are bounded ([`OBJECTS_TOLD_APART`]), so that every edge carries
//! something new a bounded number of times, and solving takes time in proportion to the number of edges.

use std::collections::{BTreeMap, VecDeque};

use cranelift_entity::{EntityRef, PrimaryMap, SecondaryMap, entity_impl};
use rustc_hash::FxHashSet;
use smallvec::SmallVec;

use super::object::{
    Instances, Location, LocationSet, Mutability, Object, ObjectId, ObjectKind, Sharing, Shift,
};

/// How many objects a set tells apart. When there are more, those of the function's own become one, and the others
/// become [`ObjectKind::Outside`].
pub(super) const OBJECTS_TOLD_APART: usize = 16;

/// Bytes that are told from others in an object: pointers are at least as large and mostly so aligned.
const CELL: i64 = 8;

/// How many cells of an object are told apart.
const CELLS_TOLD_APART: usize = 64;

/// How many cells one access may cover before it counts as one to the whole object.
const CELLS_OF_AN_ACCESS: i64 = 8;

/// A node.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct NodeId(u32);
entity_impl!(NodeId, "node");

#[derive(Clone, Debug, Default)]
struct Node {
    set: LocationSet,
    edges: SmallVec<[(NodeId, Shift); 2]>,
    rules: SmallVec<[Rule; 1]>,
    fate: Fate,
    is_pending: bool,
}

/// Whether code elsewhere gets what a node holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Fate {
    #[default]
    Kept,
    Escapes,
}

/// What happens for every place that a node gets.
#[derive(Clone, Copy, Debug)]
pub(super) enum Rule {
    /// What lies there flows into a node.
    Load {
        /// From how far behind the place.
        extent: Extent,
        /// The node.
        into: NodeId,
    },
    /// A node flows to what lies there.
    Store {
        /// How far behind the place.
        extent: Extent,
        /// The node.
        value: NodeId,
    },
    /// An operand of a difference of addresses changes.
    Difference(DifferenceId),
    /// It may be what an instruction calls.
    Callee(CallId),
}

/// A call through a pointer.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct CallId(u32);
entity_impl!(CallId, "call");

/// A difference of two addresses.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct DifferenceId(u32);
entity_impl!(DifferenceId, "difference");

/// Added to the address that was taken away, a difference gives the other one. That needs no pointer in the difference as
/// long as both point to the same object, and so it is computed only when what they point to is known.
#[derive(Clone, Copy, Debug)]
struct Difference {
    left: NodeId,
    right: NodeId,
    into: NodeId,
    is_pending: bool,
}

/// Some bytes behind a pointer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Extent {
    /// How far behind.
    pub(super) shift: Shift,
    /// How many; `None` is any number.
    pub(super) size: Option<u64>,
}

impl Extent {
    /// Anywhere in what the pointer points to.
    pub(super) const WHOLE: Self = Self { shift: Shift::Unknown, size: None };

    /// Bytes right behind the pointer.
    pub(super) const fn bytes(size: u64) -> Self {
        Self { shift: Shift::NONE, size: Some(size) }
    }
}

/// The nodes for the pointers that lie in an object.
#[derive(Clone, Debug)]
struct Contents {
    /// For cells that are told apart, by the offset where they begin.
    cells: BTreeMap<i64, NodeId>,
    /// What may lie anywhere.
    anywhere: NodeId,
    /// All that the function puts into it.
    all: NodeId,
    /// What code elsewhere may put into it.
    others: NodeId,
    /// Whether cells are told apart.
    layout: Layout,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Layout {
    Cells,
    Blurred,
}

/// The graph.
#[derive(Clone, Debug)]
pub(super) struct Graph {
    nodes: PrimaryMap<NodeId, Node>,
    edges: FxHashSet<(NodeId, NodeId, Shift)>,
    differences: PrimaryMap<DifferenceId, Difference>,
    objects: PrimaryMap<ObjectId, Object>,
    contents: PrimaryMap<ObjectId, Contents>,
    /// For objects that became one with another: that one.
    merged: SecondaryMap<ObjectId, Option<ObjectId>>,
    /// For one that stands for several: the others.
    members: SecondaryMap<ObjectId, Vec<ObjectId>>,
    escaped: SecondaryMap<ObjectId, bool>,
    /// What escaped, in the order it did: what [`ObjectKind::Handed`] stands for.
    handed: Vec<ObjectId>,
    /// [`ObjectKind::Handed`], as soon as it stands for something.
    handed_node: NodeId,
    /// What lies in the objects that it stands for.
    handed_contents: NodeId,
    /// Whether objects that a caller would tell from [`ObjectKind::Outside`] were given up for it.
    pub(super) outside_is_blurred: bool,
    pending: VecDeque<NodeId>,
    pending_differences: Vec<DifferenceId>,
    /// Calls through pointers that may call this place, and were not handled yet.
    found_callees: Vec<(CallId, ObjectId)>,
    steps: u64,
}

impl Graph {
    pub(super) fn new() -> Self {
        let mut nodes = PrimaryMap::new();
        let [handed_node, handed_contents] = [(); 2].map(|()| nodes.push(Node::default()));
        let mut graph = Self {
            nodes,
            edges: FxHashSet::default(),
            differences: PrimaryMap::new(),
            objects: PrimaryMap::new(),
            contents: PrimaryMap::new(),
            merged: SecondaryMap::new(),
            members: SecondaryMap::new(),
            escaped: SecondaryMap::new(),
            handed: Vec::new(),
            handed_node,
            handed_contents,
            outside_is_blurred: false,
            pending: VecDeque::new(),
            pending_differences: Vec::new(),
            found_callees: Vec::new(),
            steps: 0,
        };
        for (kind, size) in
            [(ObjectKind::Outside, None), (ObjectKind::Handed, None), (ObjectKind::ErrorNumber, Some(4))]
        {
            graph.add_object(Object {
                kind,
                size,
                sharing: Sharing::Shared,
                instances: Instances::Many,
                mutability: Mutability::Mutable,
            });
        }
        graph
    }

    // Objects.

    pub(super) fn add_object(&mut self, object: Object) -> ObjectId {
        let [anywhere, all, others] = [self.add_node(), self.add_node(), self.add_node()];
        self.add_edge(anywhere, all, Shift::NONE);
        self.contents.push(Contents { cells: BTreeMap::new(), anywhere, all, others, layout: Layout::Cells });
        self.objects.push(object)
    }

    /// The object may also be memory of another kind.
    pub(super) fn weaken(&mut self, object: ObjectId, size: Option<u64>, instances: Instances) {
        let data = &mut self.objects[object];
        data.size = data.size.filter(|known| size == Some(*known));
        if instances == Instances::Many {
            data.instances = instances;
        }
    }

    /// Frees what is not needed to look at the results.
    pub(super) fn finish(&mut self) {
        self.edges = FxHashSet::default();
        for node in self.nodes.values_mut() {
            node.edges = SmallVec::new();
            node.rules = SmallVec::new();
        }
    }

    pub(super) fn objects(&self) -> &PrimaryMap<ObjectId, Object> {
        &self.objects
    }

    /// The object that stands for this one, for the time being.
    pub(super) fn representative(&self, mut object: ObjectId) -> ObjectId {
        while let Some(next) = self.merged[object] {
            object = next;
        }
        object
    }

    /// The objects that this one stands for, itself included.
    pub(super) fn members(&self, object: ObjectId) -> impl Iterator<Item = ObjectId> + '_ {
        std::iter::once(object).chain(self.members[object].iter().copied())
    }

    pub(super) fn has_escaped(&self, object: ObjectId) -> bool {
        self.escaped[self.representative(object)]
    }

    /// What escaped, in the order it did.
    pub(super) fn handed(&self) -> &[ObjectId] {
        &self.handed
    }

    /// Whether the function makes the object, or it is told apart from all others at entry.
    pub(super) fn is_own(&self, object: ObjectId) -> bool {
        self.objects[object].sharing == Sharing::Own
    }

    /// Whether contents are followed, not assumed.
    fn has_contents(&self, object: ObjectId) -> bool {
        self.is_own(object) || self.is_constant(object)
    }

    fn is_constant(&self, object: ObjectId) -> bool {
        self.objects[object].mutability == Mutability::Constant
    }

    // Nodes.

    pub(super) fn add_node(&mut self) -> NodeId {
        self.nodes.push(Node::default())
    }

    pub(super) fn node_of(&mut self, locations: impl IntoIterator<Item = Location>) -> NodeId {
        let node = self.add_node();
        for location in locations {
            self.add_location(node, location);
        }
        node
    }

    pub(super) fn set(&self, node: NodeId) -> &LocationSet {
        &self.nodes[node].set
    }

    /// Adds a place to a node.
    pub(super) fn add_location(&mut self, node: NodeId, location: Location) {
        self.steps += 1;
        let location = self.resolve(location);
        if !self.nodes[node].set.insert(location) {
            return;
        }
        if self.nodes[node].set.objects().count() > OBJECTS_TOLD_APART {
            self.tell_less_apart(node);
        }
        self.enqueue(node);
    }

    /// A place in the object that stands for the one it is in. Objects that became one have no common beginning.
    pub(super) fn resolve(&self, location: Location) -> Location {
        let object = self.representative(location.object);
        let offset = location.offset.filter(|_| self.contents[object].layout == Layout::Cells);
        Location { object, offset }
    }

    fn enqueue(&mut self, node: NodeId) {
        if !std::mem::replace(&mut self.nodes[node].is_pending, true) {
            self.pending.push_back(node);
        }
    }

    pub(super) fn add_edge(&mut self, from: NodeId, to: NodeId, shift: Shift) {
        if (from == to && shift == Shift::NONE) || !self.edges.insert((from, to, shift)) {
            return;
        }
        self.nodes[from].edges.push((to, shift));
        self.flow(from, to, shift);
    }

    fn flow(&mut self, from: NodeId, to: NodeId, shift: Shift) {
        for location in self.nodes[from].set.clone().iter() {
            self.add_location(to, location.shifted(shift));
        }
    }

    pub(super) fn add_rule(&mut self, node: NodeId, rule: Rule) {
        self.nodes[node].rules.push(rule);
        self.apply(node, rule);
    }

    /// Hands all that a node holds to code elsewhere.
    pub(super) fn let_escape(&mut self, node: NodeId) {
        if std::mem::replace(&mut self.nodes[node].fate, Fate::Escapes) == Fate::Kept {
            self.enqueue(node);
        }
    }

    /// A node for the difference of two addresses.
    pub(super) fn add_difference(&mut self, left: NodeId, right: NodeId, into: NodeId) {
        let difference = self.differences.push(Difference { left, right, into, is_pending: false });
        self.add_rule(left, Rule::Difference(difference));
        self.add_rule(right, Rule::Difference(difference));
    }

    // Contents.

    /// What the function puts into any place of an object, as far as that is followed.
    pub(super) fn known_contents(&self, object: ObjectId) -> &LocationSet {
        &self.nodes[self.contents[self.representative(object)].all].set
    }

    /// The nodes for the cells that some bytes cover; `None` when cells are not told apart there.
    fn cells(&mut self, location: Location, size: Option<u64>) -> Option<Vec<NodeId>> {
        let start = location.offset?;
        let last = start.checked_add(i64::try_from(size?.max(1)).ok()?)? - 1;
        let (first, last) = (start.div_euclid(CELL), last.div_euclid(CELL));
        if self.contents[location.object].layout == Layout::Blurred || last - first >= CELLS_OF_AN_ACCESS {
            return None;
        }
        let missing: Vec<i64> =
            (first..=last).filter(|cell| !self.contents[location.object].cells.contains_key(cell)).collect();
        if self.contents[location.object].cells.len() + missing.len() > CELLS_TOLD_APART {
            return None;
        }
        for cell in missing {
            let node = self.add_node();
            self.contents[location.object].cells.insert(cell, node);
            self.add_edge(node, self.contents[location.object].all, Shift::NONE);
        }
        Some(self.contents[location.object].cells.range(first..=last).map(|(_, node)| *node).collect())
    }

    fn load_contents(&mut self, location: Location, size: Option<u64>, into: NodeId) {
        let sources = match self.cells(location, size) {
            Some(mut cells) => {
                cells.push(self.contents[location.object].anywhere);
                cells
            }
            None => vec![self.contents[location.object].all],
        };
        for source in sources.into_iter().chain([self.contents[location.object].others]) {
            self.add_edge(source, into, Shift::NONE);
        }
    }

    /// Lets what a node holds lie at a place.
    pub(super) fn store_contents(&mut self, location: Location, size: Option<u64>, value: NodeId) {
        let targets =
            self.cells(location, size).unwrap_or_else(|| vec![self.contents[location.object].anywhere]);
        for target in targets {
            self.add_edge(value, target, Shift::NONE);
        }
    }

    // Solving.

    /// Runs until nothing changes; gives what calls through pointers may call, some more than once.
    pub(super) fn solve(&mut self) -> Vec<(CallId, ObjectId)> {
        loop {
            while let Some(node) = self.pending.pop_front() {
                self.nodes[node].is_pending = false;
                self.spread(node);
            }
            let differences = std::mem::take(&mut self.pending_differences);
            if differences.is_empty() {
                return std::mem::take(&mut self.found_callees);
            }
            for difference in differences {
                self.differences[difference].is_pending = false;
                self.compute(self.differences[difference]);
            }
        }
    }

    /// Hands what a node holds along its edges and to its rules; those that are added meanwhile see to it themselves.
    fn spread(&mut self, node: NodeId) {
        for index in 0..self.nodes[node].edges.len() {
            let (to, shift) = self.nodes[node].edges[index];
            self.flow(node, to, shift);
        }
        for index in 0..self.nodes[node].rules.len() {
            self.apply(node, self.nodes[node].rules[index]);
        }
        if self.nodes[node].fate == Fate::Escapes {
            for object in self.nodes[node].set.clone().objects() {
                self.escape(object);
            }
        }
    }

    /// How much was done so far: places handed along edges.
    pub(super) fn steps(&self) -> u64 {
        self.steps
    }

    fn apply(&mut self, node: NodeId, rule: Rule) {
        for location in self.nodes[node].set.clone().iter() {
            self.steps += 1;
            match rule {
                Rule::Load { extent, into } => self.load(location.shifted(extent.shift), extent.size, into),
                Rule::Store { extent, value } => {
                    self.store(location.shifted(extent.shift), extent.size, value)
                }
                Rule::Difference(difference) => {
                    if !std::mem::replace(&mut self.differences[difference].is_pending, true) {
                        self.pending_differences.push(difference);
                    }
                }
                Rule::Callee(call) => self.found_callees.push((call, location.object)),
            }
        }
    }

    fn load(&mut self, location: Location, size: Option<u64>, into: NodeId) {
        let object = self.representative(location.object);
        if self.has_contents(object) {
            return self.load_contents(Location { object, ..location }, size, into);
        }
        match self.next_at_entry(object) {
            Some(next) => {
                self.add_location(into, Location::anywhere(next));
                self.add_edge(self.handed_node, into, Shift::NONE);
            }
            None if object == ObjectId::HANDED => self.add_edge(self.handed_contents, into, Shift::NONE),
            // A number.
            None if object == ObjectId::ERROR_NUMBER => {}
            None => self.add_location(into, Location::anywhere(ObjectId::OUTSIDE)),
        }
    }

    /// What the pointers in memory of a parameter's point to at entry. It comes right behind the parameter.
    fn next_at_entry(&self, object: ObjectId) -> Option<ObjectId> {
        match self.objects[object].kind {
            ObjectKind::Parameter(_) | ObjectKind::Reached(_) => Some(ObjectId::new(object.index() + 1)),
            ObjectKind::Beyond(_) => Some(object),
            ObjectKind::ErrorNumber
            | ObjectKind::Outside
            | ObjectKind::Handed
            | ObjectKind::Global(_)
            | ObjectKind::Stack(_)
            | ObjectKind::Heap(_) => None,
        }
    }

    fn store(&mut self, location: Location, size: Option<u64>, value: NodeId) {
        let object = self.representative(location.object);
        if self.is_own(object) {
            return self.store_contents(Location { object, ..location }, size, value);
        }
        if !self.is_constant(object) && object != ObjectId::ERROR_NUMBER {
            self.let_escape(value);
        }
    }

    /// Adds a parameter and what can be reached from it.
    pub(super) fn add_parameter(
        &mut self,
        index: u32,
        sharing: Sharing,
        instances: Instances,
        size: Option<u64>,
    ) -> ObjectId {
        let mutability = Mutability::Mutable;
        let kind = ObjectKind::Parameter(index);
        let parameter = self.add_object(Object { kind, size, sharing, instances, mutability });
        let (sharing, instances) = (Sharing::Shared, Instances::Many);
        let [reached, _] = [ObjectKind::Reached(index), ObjectKind::Beyond(index)]
            .map(|kind| self.add_object(Object { kind, size: None, sharing, instances, mutability }));
        if self.is_own(parameter) {
            let initial = self.node_of([Location::anywhere(reached)]);
            self.store_contents(Location::anywhere(parameter), None, initial);
        }
        parameter
    }

    /// Gives code elsewhere the address of an object, and so all that lies in it.
    pub(super) fn escape(&mut self, object: ObjectId) {
        let object = self.representative(object);
        if self.escaped[object] || object == ObjectId::HANDED {
            return;
        }
        self.escaped[object] = true;
        self.handed.push(object);
        self.add_location(self.handed_node, Location::anywhere(ObjectId::HANDED));
        self.load(Location::anywhere(object), None, self.handed_contents);
        if self.is_own(object) {
            for member in self.members(object).collect::<Vec<_>>() {
                self.add_location(self.contents[member].others, Location::anywhere(ObjectId::OUTSIDE));
            }
            self.let_escape(self.contents[object].all);
        }
    }

    fn compute(&mut self, Difference { left, right, into, .. }: Difference) {
        let (left, right) = (self.nodes[left].set.clone(), self.nodes[right].set.clone());
        let only = |set: &LocationSet| {
            let mut objects = set.objects();
            objects.next().filter(|_| objects.next().is_none())
        };
        if only(&left).is_some_and(|object| only(&right) == Some(object)) {
            return;
        }
        for object in left.objects().chain(right.objects()) {
            self.add_location(into, Location::anywhere(object));
        }
    }

    /// Makes the objects of a set few: its own ones one, the others [`ObjectKind::Outside`].
    fn tell_less_apart(&mut self, node: NodeId) {
        let objects: Vec<ObjectId> = self.nodes[node].set.objects().collect();
        let mut kept = LocationSet::default();
        let mut one: Option<ObjectId> = None;
        for object in objects {
            let object = self.representative(object);
            if self.is_own(object) {
                one = Some(one.map_or(object, |first| self.merge(first, object)));
            } else if object == ObjectId::HANDED || object == ObjectId::ERROR_NUMBER {
                kept.insert(Location::anywhere(object));
            } else {
                self.outside_is_blurred |= object != ObjectId::OUTSIDE;
                kept.insert(Location::anywhere(ObjectId::OUTSIDE));
            }
        }
        if let Some(object) = one {
            kept.insert(Location::anywhere(self.representative(object)));
        }
        self.nodes[node].set = kept;
    }

    /// Makes two of the function's own objects one; gives the one that stands for both.
    fn merge(&mut self, first: ObjectId, second: ObjectId) -> ObjectId {
        let (first, second) = (self.representative(first), self.representative(second));
        if first == second {
            return first;
        }
        let (first, second) = (first.min(second), first.max(second));
        self.steps += 1;
        let hub = self.contents[first].anywhere;
        let mut nodes = self.blur(first);
        nodes.extend(self.blur(second));
        for node in nodes {
            self.add_edge(node, hub, Shift::NONE);
            self.add_edge(hub, node, Shift::NONE);
        }
        let moved = std::mem::take(&mut self.members[second]);
        self.members[first].push(second);
        self.members[first].extend(moved);
        self.merged[second] = Some(first);
        self.objects[first].size = None;
        self.objects[first].instances = Instances::Many;
        if self.escaped[first] || self.escaped[second] {
            self.escaped[first] = false;
            self.escape(first);
        }
        first
    }

    /// Tells the cells of an object apart no longer; gives the nodes of its contents.
    fn blur(&mut self, object: ObjectId) -> Vec<NodeId> {
        let contents = &mut self.contents[object];
        contents.layout = Layout::Blurred;
        let cells = std::mem::take(&mut contents.cells);
        cells.into_values().chain([contents.anywhere, contents.all]).collect()
    }
}
