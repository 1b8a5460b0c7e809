//! From the instructions of a function to its constraint graph.

use cranelift_entity::packed_option::PackedOption;
use cranelift_entity::{PrimaryMap, SecondaryMap};
use rustc_hash::{FxHashMap, FxHashSet};

use super::attributes::{Access, says};
use super::constants::ConstantReader;
use super::graph::{CallId, Extent, Graph, NodeId, Rule};
use super::object::{
    Instances, Location, Mutability, Object, ObjectId, ObjectKind, Sharing, Shift, SymbolId,
};
use super::summary::Summary;
use super::symbols::Symbols;
use crate::model::{
    AtomicOp, AtomicOrdering, CastOp, DataLayout, Function, GlobalId, InstId, IntBinaryOp, IntPredicate,
    MemoryAccess, Opcode, Type, TypeId, ValueDefinition, ValueId,
};
use crate::program::{FunctionId, Program};

/// What is known of the program while one function is looked at.
#[derive(Clone, Copy)]
pub(super) struct Surroundings<'a> {
    pub(super) program: &'a Program,
    pub(super) symbols: &'a Symbols,
    pub(super) summaries: &'a SecondaryMap<FunctionId, Knowledge>,
}

/// What is known of a function with a body.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) enum Knowledge {
    /// Nothing, or its summary was given up: what its attributes say.
    #[default]
    Attributes,
    /// Its summary; that of a function in a circle of calls grows until it no longer changes.
    Summary(Box<Summary>),
}

/// What an instruction reads or writes: some bytes behind the pointers of a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Touch {
    pub(super) node: NodeId,
    pub(super) extent: Extent,
}

/// What a call may do, apart from passing pointers on.
#[derive(Clone, Debug, Default)]
pub(super) struct CallEffects {
    pub(super) reads: Vec<Touch>,
    pub(super) writes: Vec<Touch>,
    pub(super) hidden: Access,
    /// How many functions it was found to call. A call through a pointer that points nowhere may do anything.
    pub(super) targets: usize,
}

/// A store, by an instruction or by a callee.
#[derive(Clone, Copy, Debug)]
pub(super) struct StoreRecord {
    pub(super) pointer: NodeId,
    pub(super) extent: Extent,
    pub(super) value: NodeId,
}

/// The graph of a function, and what its nodes stand for.
pub(super) struct Builder<'a> {
    pub(super) id: FunctionId,
    pub(super) function: &'a Function,
    pub(super) layout: DataLayout,
    pub(super) around: Surroundings<'a>,
    pub(super) graph: Graph,
    pub(super) values: SecondaryMap<ValueId, PackedOption<NodeId>>,
    globals: FxHashMap<SymbolId, ObjectId>,
    heap: FxHashMap<InstId, ObjectId>,
    /// Globals that were met, but not what they hold.
    pub(super) hollow: Vec<(ObjectId, GlobalId)>,
    /// What the function itself calls symbols; filled when first needed.
    own_symbols: Option<FxHashMap<SymbolId, GlobalId>>,
    /// Calls through pointers.
    pub(super) indirect: PrimaryMap<CallId, InstId>,
    /// What they were found to call, so that nothing is done twice.
    pub(super) found_targets: FxHashSet<(InstId, ObjectId)>,
    pub(super) calls: FxHashMap<InstId, CallEffects>,
    pub(super) returned: NodeId,
    pub(super) stores: Vec<StoreRecord>,
    /// What code elsewhere gets, but for what is stored.
    pub(super) leaks: Vec<NodeId>,
    outside: NodeId,
    error_number: NodeId,
}

impl<'a> Builder<'a> {
    /// Builds and solves the graph of a function.
    pub(super) fn run(id: FunctionId, around: Surroundings<'a>) -> Self {
        let function = &around.program[id];
        let mut graph = Graph::new();
        let outside = graph.node_of([Location::anywhere(ObjectId::OUTSIDE)]);
        let error_number = graph.node_of([Location::start(ObjectId::ERROR_NUMBER)]);
        let returned = graph.add_node();
        let mut builder = Self {
            id,
            function,
            layout: DataLayout::of(&function.context),
            around,
            graph,
            values: SecondaryMap::new(),
            globals: FxHashMap::default(),
            heap: FxHashMap::default(),
            hollow: Vec::new(),
            own_symbols: None,
            indirect: PrimaryMap::new(),
            found_targets: FxHashSet::default(),
            calls: FxHashMap::default(),
            returned,
            stores: Vec::new(),
            leaks: Vec::new(),
            outside,
            error_number,
        };
        builder.parameters();
        for inst in function.insts_in_order() {
            builder.instruction(inst);
        }
        builder.solve();
        builder
    }

    fn solve(&mut self) {
        loop {
            let mut found = self.graph.solve();
            found.sort_unstable();
            found.dedup();
            if found.is_empty() {
                return;
            }
            for (call, object) in found {
                self.indirect_target(self.indirect[call], object);
            }
        }
    }

    /// The node of a value.
    pub(super) fn node(&mut self, value: ValueId) -> NodeId {
        if let Some(known) = self.values[value].expand() {
            return known;
        }
        let node = match &self.function.values[value].definition {
            ValueDefinition::Parameter(_)
            | ValueDefinition::Instruction(_)
            | ValueDefinition::Metadata(_) => self.graph.add_node(),
            ValueDefinition::Constant(constant) => ConstantReader { builder: self }.node(*constant),
            ValueDefinition::Global(global) => ConstantReader { builder: self }.global_node(*global),
            ValueDefinition::InlineAsm(_) => self.graph.add_node(),
        };
        self.values[value] = node.into();
        node
    }

    /// The node for everything that code elsewhere can reach.
    pub(super) fn outside(&self) -> NodeId {
        self.outside
    }

    /// The node for the address of `errno`.
    pub(super) fn error_number(&self) -> NodeId {
        self.error_number
    }

    fn parameters(&mut self) {
        let function = self.function;
        for (&value, index) in function.parameters.iter().zip(0..) {
            let attributes = function.signature.parameter_attributes(index as usize);
            let is_copy = says(attributes, "byval");
            let sharing = if is_copy || says(attributes, "noalias") { Sharing::Own } else { Sharing::Shared };
            let pointee = attributes.and_then(|attributes| attributes.type_of("byval"));
            let size = pointee.map(|ty| self.layout.allocation_size(&function.context, ty));
            // A structure or vector may hold several pointers.
            let ty = function.type_of(value);
            let (instances, offset) = if ty.is_pointer() || ty.is_integer() {
                (Instances::One, Some(0))
            } else {
                (Instances::Many, None)
            };
            let object = self.graph.add_parameter(index, sharing, instances, size);
            // Calling conventions pass what may hold a pointer as an integer or a pointer.
            if !is_float(function, function.values[value].ty) {
                let node = self.node(value);
                self.graph.add_location(node, Location { object, offset });
            }
        }
    }

    /// The object of a global symbol. Function addresses are objects, too.
    pub(super) fn global_object(&mut self, symbol: SymbolId) -> (ObjectId, Novelty) {
        if let Some(&known) = self.globals.get(&symbol) {
            return (known, Novelty::Known);
        }
        let data = &self.around.symbols.table[symbol];
        let object = self.graph.add_object(Object {
            kind: ObjectKind::Global(symbol),
            size: data.size,
            sharing: Sharing::Shared,
            instances: Instances::One,
            mutability: data.mutability,
        });
        self.globals.insert(symbol, object);
        (object, Novelty::New)
    }

    /// The global of the function that is this symbol.
    pub(super) fn own_global(&mut self, symbol: SymbolId) -> Option<GlobalId> {
        let (function, around, id) = (self.function, self.around, self.id);
        let own = self.own_symbols.get_or_insert_with(|| {
            let globals = function.context.globals.keys();
            globals.filter_map(|global| Some((around.symbols.of_global(id, global)?, global))).collect()
        });
        own.get(&symbol).copied()
    }

    /// A node for the address of a global that the function itself may not name.
    pub(super) fn symbol_node(&mut self, symbol: SymbolId) -> NodeId {
        let (object, novelty) = self.global_object(symbol);
        if novelty == Novelty::New {
            // If it never changes: what it holds is written down in another function.
            let outside = self.outside;
            self.graph.store_contents(Location::anywhere(object), None, outside);
        }
        self.graph.node_of([Location::start(object)])
    }

    /// The memory that a call makes, or more than one piece of it.
    pub(super) fn heap_object(&mut self, inst: InstId, size: Option<u64>, instances: Instances) -> ObjectId {
        if let Some(&known) = self.heap.get(&inst) {
            self.graph.weaken(known, size, instances);
            return known;
        }
        let object = self.own_object(ObjectKind::Heap(inst), size, self.instances(inst));
        self.graph.weaken(object, size, instances);
        self.heap.insert(inst, object);
        object
    }

    /// What runs in the entry block runs once.
    fn instances(&self, inst: InstId) -> Instances {
        if self.function.entry() == Some(self.function.insts[inst].block) {
            Instances::One
        } else {
            Instances::Many
        }
    }

    fn own_object(&mut self, kind: ObjectKind, size: Option<u64>, instances: Instances) -> ObjectId {
        let (sharing, mutability) = (Sharing::Own, Mutability::Mutable);
        self.graph.add_object(Object { kind, size, sharing, instances, mutability })
    }

    // Constraints.

    pub(super) fn load(&mut self, pointer: NodeId, extent: Extent, into: NodeId) {
        self.graph.add_rule(pointer, Rule::Load { extent, into });
    }

    pub(super) fn store(&mut self, pointer: NodeId, extent: Extent, value: NodeId) {
        self.stores.push(StoreRecord { pointer, extent, value });
        self.graph.add_rule(pointer, Rule::Store { extent, value });
    }

    /// Code elsewhere gets what a node holds.
    pub(super) fn leak(&mut self, node: NodeId) {
        self.leaks.push(node);
        self.graph.let_escape(node);
    }

    /// The size of a value in memory; `None` for what only the running machine knows.
    pub(super) fn size(&self, ty: TypeId) -> Option<u64> {
        store_size(self.function, &self.layout, ty)
    }

    fn instruction(&mut self, inst: InstId) {
        use Opcode as O;
        let data = &self.function.insts[inst];
        match &data.opcode {
            O::Alloca { allocated, .. } => self.alloca(inst, *allocated),
            O::Load { access } => {
                self.ordered(access);
                let Some(result) = data.result else { return };
                let extent = self.extent(self.function.values[result].ty);
                let (pointer, into) = (self.node(data.operands[0]), self.node(result));
                self.load(pointer, extent, into);
            }
            O::Store { access } => {
                self.ordered(access);
                let extent = self.extent(self.function.values[data.operands[0]].ty);
                let (value, pointer) = (self.node(data.operands[0]), self.node(data.operands[1]));
                self.store(pointer, extent, value);
            }
            O::CompareExchange(_) => {
                let extent = self.extent(self.function.values[data.operands[2]].ty);
                let (pointer, value) = (self.node(data.operands[0]), self.node(data.operands[2]));
                self.store(pointer, extent, value);
                if let Some(result) = data.result {
                    let into = self.node(result);
                    self.load(pointer, extent, into);
                }
            }
            O::AtomicReadModifyWrite(update) => self.update(inst, update.op),
            O::GetElementPointer { source, .. } => {
                let shift = self.element_shift(*source, &data.operands[1..]);
                self.pass(inst, &[0], shift);
            }
            O::Phi { .. } => self.pass_all(inst, Shift::NONE),
            O::Select { .. } => self.pass(inst, &[1, 2], Shift::NONE),
            O::Freeze | O::ExtractValue { .. } | O::ExtractElement => self.pass(inst, &[0], Shift::NONE),
            O::InsertValue { .. } | O::InsertElement | O::ShuffleVector { .. } => {
                self.pass(inst, &[0, 1], Shift::NONE);
            }
            O::Cast { op, .. } => self.cast(inst, *op),
            O::IntBinary { op, .. } => self.integers(inst, *op),
            O::IntCompare { predicate: IntPredicate::Equal | IntPredicate::NotEqual, .. } => {
                self.equality(inst);
            }
            O::Call(call) | O::Invoke { call, .. } | O::CallBranch { call, .. } => self.call(inst, call),
            // Lists of arguments, and exceptions, hold what code elsewhere put there.
            O::VaArg | O::LandingPad { .. } => self.comes_from_outside(inst),
            O::Return => {
                if let Some(&value) = data.operands.first()
                    && !is_float(self.function, self.function.values[value].ty)
                {
                    let value = self.node(value);
                    self.graph.add_edge(value, self.returned, Shift::NONE);
                }
            }
            O::Resume => {
                let exception = self.node(data.operands[0]);
                self.leak(exception);
            }
            O::Fence { .. } => self.meet_others(),
            // Numbers, and control flow.
            O::FloatNegate { .. }
            | O::FloatBinary { .. }
            | O::FloatCompare { .. }
            | O::IntCompare { .. }
            | O::Branch { .. }
            | O::ConditionalBranch { .. }
            | O::Switch { .. }
            | O::IndirectBranch { .. }
            | O::Unreachable
            | O::CleanupReturn { .. }
            | O::CatchReturn { .. }
            | O::CatchSwitch { .. }
            | O::CatchPad
            | O::CleanupPad => {}
        }
    }

    fn extent(&self, ty: TypeId) -> Extent {
        Extent { shift: Shift::NONE, size: self.size(ty) }
    }

    /// Operands flow to the result.
    fn pass(&mut self, inst: InstId, operands: &[usize], shift: Shift) {
        let data = &self.function.insts[inst];
        let Some(result) = data.result else { return };
        let result = self.node(result);
        for &operand in operands {
            let operand = self.node(data.operands[operand]);
            self.graph.add_edge(operand, result, shift);
        }
    }

    fn pass_all(&mut self, inst: InstId, shift: Shift) {
        let operands: Vec<usize> = (0..self.function.insts[inst].operands.len()).collect();
        self.pass(inst, &operands, shift);
    }

    fn comes_from_outside(&mut self, inst: InstId) {
        if let Some(result) = self.function.insts[inst].result {
            let result = self.node(result);
            self.graph.add_location(result, Location::anywhere(ObjectId::OUTSIDE));
        }
    }

    fn alloca(&mut self, inst: InstId, allocated: TypeId) {
        let data = &self.function.insts[inst];
        let count = self.integer(data.operands[0]).and_then(|count| u64::try_from(count).ok());
        let one = (!is_scalable(self.function, allocated))
            .then(|| self.layout.allocation_size(&self.function.context, allocated));
        let size = one.zip(count).and_then(|(one, count)| one.checked_mul(count));
        let object = self.own_object(ObjectKind::Stack(inst), size, self.instances(inst));
        if let Some(result) = data.result {
            let result = self.node(result);
            self.graph.add_location(result, Location::start(object));
        }
    }

    fn update(&mut self, inst: InstId, op: AtomicOp) {
        let data = &self.function.insts[inst];
        let extent = self.extent(self.function.values[data.operands[1]].ty);
        let (pointer, value) = (self.node(data.operands[0]), self.node(data.operands[1]));
        let old = data.result.map(|result| self.node(result));
        if let Some(old) = old {
            self.load(pointer, extent, old);
        }
        let stored = self.graph.add_node();
        match op {
            AtomicOp::Exchange => self.graph.add_edge(value, stored, Shift::NONE),
            AtomicOp::FloatAdd
            | AtomicOp::FloatSubtract
            | AtomicOp::FloatMax
            | AtomicOp::FloatMin
            | AtomicOp::FloatMaximum
            | AtomicOp::FloatMinimum => {}
            AtomicOp::Add
            | AtomicOp::Subtract
            | AtomicOp::And
            | AtomicOp::Nand
            | AtomicOp::Or
            | AtomicOp::Xor
            | AtomicOp::Max
            | AtomicOp::Min
            | AtomicOp::UnsignedMax
            | AtomicOp::UnsignedMin
            | AtomicOp::UnsignedIncrementWrap
            | AtomicOp::UnsignedDecrementWrap
            | AtomicOp::UnsignedSubtractConditional
            | AtomicOp::UnsignedSubtractSaturating => {
                for operand in std::iter::once(value).chain(old) {
                    self.graph.add_edge(operand, stored, Shift::Unknown);
                }
            }
        }
        self.store(pointer, extent, stored);
    }

    /// Loads and stores that order the memory of threads let others write what they can reach.
    fn ordered(&mut self, access: &MemoryAccess) {
        if access.atomic.as_ref().is_some_and(|atomic| orders(atomic.ordering)) {
            self.meet_others();
        }
    }

    fn meet_others(&mut self) {
        self.leak(self.outside);
    }

    fn cast(&mut self, inst: InstId, op: CastOp) {
        match op {
            CastOp::PointerToInteger
            | CastOp::PointerToAddress
            | CastOp::Bitcast
            | CastOp::AddressSpaceCast
            | CastOp::ZeroExtend
            | CastOp::SignExtend => self.pass(inst, &[0], Shift::NONE),
            CastOp::Truncate => self.pass(inst, &[0], Shift::Unknown),
            CastOp::IntegerToPointer => {
                self.pass(inst, &[0], Shift::NONE);
                if !self.is_address(self.function.insts[inst].operands[0], 8) {
                    self.comes_from_outside(inst);
                }
            }
            CastOp::FloatTruncate
            | CastOp::FloatExtend
            | CastOp::FloatToUnsigned
            | CastOp::FloatToSigned
            | CastOp::UnsignedToFloat
            | CastOp::SignedToFloat => {}
        }
    }

    fn integers(&mut self, inst: InstId, op: IntBinaryOp) {
        let operands = &self.function.insts[inst].operands;
        let (left, right) = (operands[0], operands[1]);
        let distance = self.integer(right);
        match (op, distance) {
            (IntBinaryOp::Add, Some(distance)) => self.pass(inst, &[0], Shift::By(distance)),
            (IntBinaryOp::Subtract, Some(distance)) => {
                let shift = distance.checked_neg().map_or(Shift::Unknown, Shift::By);
                self.pass(inst, &[0], shift);
            }
            (IntBinaryOp::Subtract, None) => {
                let Some(result) = self.function.insts[inst].result else { return };
                let (left, right, into) = (self.node(left), self.node(right), self.node(result));
                self.graph.add_difference(left, right, into);
            }
            (
                IntBinaryOp::Add
                | IntBinaryOp::Multiply
                | IntBinaryOp::UnsignedDivide
                | IntBinaryOp::SignedDivide
                | IntBinaryOp::UnsignedRemainder
                | IntBinaryOp::SignedRemainder
                | IntBinaryOp::ShiftLeft
                | IntBinaryOp::LogicalShiftRight
                | IntBinaryOp::ArithmeticShiftRight
                | IntBinaryOp::And
                | IntBinaryOp::Or
                | IntBinaryOp::Xor,
                _,
            ) => self.pass_all(inst, Shift::Unknown),
        }
    }

    /// Whoever finds that a number equals an address may use the number as the address. Only comparisons of integers
    /// made of pointers count: those of pointers are common, and no compiler makes one pointer of another's number.
    fn equality(&mut self, inst: InstId) {
        let operands = &self.function.insts[inst].operands;
        if !self.function.type_of(operands[0]).is_integer() {
            return;
        }
        for (one, other) in [(operands[0], operands[1]), (operands[1], operands[0])] {
            if self.is_address(one, 8) && self.function.as_constant(other).is_none() {
                let address = self.node(one);
                self.leak(address);
            }
        }
    }

    /// Whether an integer is plainly made of a pointer, so that what it points to is known.
    fn is_address(&self, value: ValueId, depth: u32) -> bool {
        let Some(inst) = self.function.as_inst(value) else { return false };
        let data = &self.function.insts[inst];
        match &data.opcode {
            Opcode::Cast { op: CastOp::PointerToInteger | CastOp::PointerToAddress, .. } => true,
            Opcode::IntBinary { op: IntBinaryOp::Add | IntBinaryOp::And | IntBinaryOp::Or, .. }
                if depth > 0 =>
            {
                data.operands.iter().any(|&operand| self.is_address(operand, depth - 1))
            }
            Opcode::IntBinary { op: IntBinaryOp::Subtract, .. } if depth > 0 => {
                self.is_address(data.operands[0], depth - 1) && !self.is_address(data.operands[1], depth - 1)
            }
            _ => false,
        }
    }

    /// The value of a constant integer.
    pub(super) fn integer(&self, value: ValueId) -> Option<i64> {
        match self.function.as_constant(value)? {
            crate::model::ConstantKind::Integer(integer) => integer.as_i64(),
            _ => None,
        }
    }

    fn element_shift(&self, source: TypeId, indices: &[ValueId]) -> Shift {
        let indices: Vec<Option<i64>> = indices.iter().map(|&index| self.integer(index)).collect();
        self.shift_of(source, &indices)
    }

    /// How far indices lead from where a pointer points.
    pub(super) fn shift_of(&self, source: TypeId, indices: &[Option<i64>]) -> Shift {
        element_offset(self.function, &self.layout, source, indices).map_or(Shift::Unknown, Shift::By)
    }
}

/// Whether something was met before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Novelty {
    Known,
    New,
}

/// Whether an access with this ordering takes part in the order of accesses to other memory.
pub(super) fn orders(ordering: AtomicOrdering) -> bool {
    match ordering {
        AtomicOrdering::Unordered | AtomicOrdering::Monotonic => false,
        AtomicOrdering::Acquire
        | AtomicOrdering::Release
        | AtomicOrdering::AcquireRelease
        | AtomicOrdering::SequentiallyConsistent => true,
    }
}

/// Whether a type is a float or a vector of them.
pub(super) fn is_float(function: &Function, ty: TypeId) -> bool {
    match function.ty(ty) {
        Type::Vector { element, .. } => function.ty(*element).is_float(),
        ty => ty.is_float(),
    }
}

/// The size of a value in memory; `None` for what only the running machine knows.
pub(super) fn store_size(function: &Function, layout: &DataLayout, ty: TypeId) -> Option<u64> {
    (!is_scalable(function, ty)).then(|| layout.store_size(&function.context, ty))
}

/// Whether only the running machine knows the size of a type.
fn is_scalable(function: &Function, ty: TypeId) -> bool {
    match function.ty(ty) {
        Type::Vector { length: crate::model::VectorLength::Scalable(_), .. } | Type::Target(_) => true,
        // Structures may hold scalable vectors, arrays since LLVM 18.
        Type::Array { element, .. } => is_scalable(function, *element),
        Type::Struct(structure) => {
            structure.body.iter().flat_map(|body| &body.fields).any(|&field| is_scalable(function, field))
        }
        _ => false,
    }
}

/// The number of bytes that the indices of a `getelementptr` lead from the pointer, if they are all known.
pub(super) fn element_offset(
    function: &Function,
    layout: &DataLayout,
    source: TypeId,
    indices: &[Option<i64>],
) -> Option<i64> {
    let context = &function.context;
    if is_scalable(function, source) {
        return None;
    }
    let steps = |count: i64, ty: TypeId| {
        i64::try_from(layout.allocation_size(context, ty)).ok().and_then(|size| count.checked_mul(size))
    };
    let (first, rest) = indices.split_first()?;
    let mut offset = steps((*first)?, source)?;
    let mut ty = source;
    for index in rest {
        let index = (*index)?;
        let (bytes, part) = match function.ty(ty) {
            Type::Array { element, .. } => (steps(index, *element)?, *element),
            _ => {
                let (bytes, part) = layout.part(context, ty, u64::try_from(index).ok()?)?;
                (i64::try_from(bytes).ok()?, part)
            }
        };
        offset = offset.checked_add(bytes)?;
        ty = part;
    }
    Some(offset)
}
