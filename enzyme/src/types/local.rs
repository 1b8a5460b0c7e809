//! The analysis of one function, called with what is known of its arguments and result.
//!
//! A work list of instructions: each one's rule looks at what is known of its operands and result, and adds to it in
//! both directions, until nothing changes. What is known only grows, and the limits of trees bound how far, so that
//! each instruction is looked at a bounded number of times.

use std::collections::VecDeque;

use cranelift_entity::EntitySet;

use super::analyser::{CallTypes, Options, StrictAliasing};
use super::constants::Constants;
use super::facts::{Address, FunctionFacts};
use super::integer_uses::IntegerUses;
use super::integers::{Integers, Numbers};
use super::kind::{Addresses, Kind, KindConflict};
use super::reasons::{Because, Conflict, Fact, Reasons};
use super::tree::{Limits, TreeConflict, TypeTree};
use crate::model::{
    ConstantKind, Function, GlobalId, GlobalKind, InstId, IntBinaryOp, Opcode, Type, ValueDefinition, ValueId,
};
use crate::program::{FunctionId, Program};

/// Something a tree is known of: a value of the function, or a global that it names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Node(pub(super) usize);

/// What the analysis of one function remembers between its turns.
#[derive(Default)]
pub(super) struct State {
    /// By [`Node`].
    pub(super) trees: Vec<TypeTree>,
    queue: VecDeque<InstId>,
    queued: EntitySet<InstId>,
    /// Calls of functions with bodies, which wait until all else is done.
    pub(super) calls: VecDeque<InstId>,
    waiting: EntitySet<InstId>,
    pub(super) reasons: Reasons,
    pub(super) conflict: Option<Conflict>,
    integers: Option<Integers>,
    /// How many instructions were looked at.
    pub(super) steps: usize,
}

impl State {
    /// Has a call of a function with a body looked at again.
    pub(super) fn enqueue_call(&mut self, inst: InstId) {
        if self.waiting.insert(inst) {
            self.calls.push_back(inst);
        }
    }
}

pub(super) struct Local<'a> {
    pub(super) program: &'a Program,
    pub(super) function: &'a Function,
    pub(super) id: FunctionId,
    pub(super) facts: &'a FunctionFacts,
    pub(super) options: &'a Options,
    pub(super) integer_uses: &'a IntegerUses,
    pub(super) request: &'a CallTypes,
    pub(super) state: State,
}

impl<'a> Local<'a> {
    pub(super) fn new(
        program: &'a Program,
        id: FunctionId,
        facts: &'a FunctionFacts,
        options: &'a Options,
        integer_uses: &'a IntegerUses,
        request: &'a CallTypes,
        state: State,
    ) -> Self {
        let mut local =
            Self { program, function: &program[id], id, facts, options, integer_uses, request, state };
        if local.state.trees.is_empty() {
            local.start();
        }
        local
    }

    pub(super) fn limits(&self) -> Limits {
        self.options.limits
    }

    // What is known.

    pub(super) fn node(&self, value: ValueId) -> Node {
        match self.function.values[value].definition {
            ValueDefinition::Global(global) => self.global_node(global),
            ValueDefinition::Parameter(_)
            | ValueDefinition::Instruction(_)
            | ValueDefinition::Constant(_)
            | ValueDefinition::Metadata(_)
            | ValueDefinition::InlineAsm(_) => Node(value.as_u32() as usize),
        }
    }

    fn global_node(&self, global: GlobalId) -> Node {
        Node(self.function.values.len() + global.as_u32() as usize)
    }

    /// What is known of a value. An integer too narrow for a float or an address is an integer.
    pub(super) fn tree(&self, value: ValueId) -> TypeTree {
        if self.is_narrow_integer(value) {
            return TypeTree::of(Kind::Integer);
        }
        self.state.trees[self.node(value).0].clone()
    }

    /// What a value was shown to be. That an integer is too narrow for anything else does not show that it is a number:
    /// it may be one byte of a float that is copied byte by byte.
    pub(super) fn shown(&self, value: ValueId) -> TypeTree {
        self.state.trees[self.node(value).0].clone()
    }

    fn is_narrow_integer(&self, value: ValueId) -> bool {
        let undefined =
            matches!(self.function.as_constant(value), Some(ConstantKind::Undef | ConstantKind::Poison));
        !undefined && matches!(self.function.type_of(value), Type::Integer { bits } if *bits < 16)
    }

    /// Bytes of a value.
    pub(super) fn size(&self, value: ValueId) -> u64 {
        self.facts.layout.store_size(&self.function.context, self.function.values[value].ty)
    }

    pub(super) fn pointer_size(&self) -> u64 {
        self.facts.layout.pointer_size(0)
    }

    /// See [`TypeTree::window`].
    pub(super) fn window(&self, tree: &TypeTree, from: u64, size: Option<u64>, to: u64) -> TypeTree {
        tree.window(from, size, to, self.pointer_size(), self.limits())
    }

    /// See [`TypeTree::loaded`].
    pub(super) fn loaded(&self, tree: &TypeTree, size: u64) -> TypeTree {
        tree.loaded(size, self.pointer_size(), self.limits())
    }

    /// See [`TypeTree::at`], for every offset.
    pub(super) fn everywhere(&self, tree: &TypeTree) -> TypeTree {
        tree.at(super::tree::EVERY, self.limits())
    }

    pub(super) fn is_integer(&self, value: ValueId) -> bool {
        match self.function.type_of(value) {
            Type::Integer { .. } => true,
            Type::Vector { element, .. } => self.function.ty(*element).is_integer(),
            _ => false,
        }
    }

    /// The kind of the floats that a value is, by its type in the program.
    pub(super) fn float_kind(&self, value: ValueId) -> Option<Kind> {
        match self.function.type_of(value) {
            Type::Float(float) => Some(Kind::Float(*float)),
            Type::Vector { element, .. } => match self.function.ty(*element) {
                Type::Float(float) => Some(Kind::Float(*float)),
                _ => None,
            },
            _ => None,
        }
    }

    /// Numbers that a value takes; see [`Integers`].
    pub(super) fn numbers(&mut self, value: ValueId) -> Numbers {
        let limit = self.options.greatest_integer;
        let integers = self.state.integers.get_or_insert_with(|| Integers::new(limit));
        integers.of(self.function, self.facts, &self.request.known_integers, value)
    }

    /// The greatest number of bytes that a size is known to be, at least one.
    pub(super) fn bytes(&mut self, size: ValueId) -> u64 {
        self.numbers(size)
            .into_iter()
            .filter_map(|number| u64::try_from(number).ok())
            .max()
            .unwrap_or(1)
            .max(1)
    }

    // Learning.

    /// Adds to what is known of a value.
    pub(super) fn learn(&mut self, value: ValueId, tree: TypeTree, because: Because) {
        let is_plain_constant = match &self.function.values[value].definition {
            ValueDefinition::Constant(_) => !self.facts.addresses.contains_key(&value),
            ValueDefinition::Global(global) => {
                let global = &self.function.context.globals[*global];
                matches!(global.kind, GlobalKind::Function(_))
                    || global.traits.metadata.iter().any(|(name, _)| name == "enzyme_ta_norecur")
            }
            ValueDefinition::Metadata(_) | ValueDefinition::InlineAsm(_) => true,
            ValueDefinition::Parameter(_) | ValueDefinition::Instruction(_) => false,
        };
        if is_plain_constant || self.function.type_of(value).is_void() {
            return;
        }
        // A part of a float or an address is neither.
        if self.is_narrow_integer(value) && tree.first_kind() != Some(Kind::Integer) {
            return;
        }
        if self.options.strict_aliasing == StrictAliasing::No && !self.holds_always(value, because) {
            return;
        }
        let tree = match tree.is_canonical() {
            true => tree,
            false => tree.canonical(self.size(value), self.pointer_size(), self.limits()),
        };
        if let Some(conflict) = self.other_float(value, &tree) {
            // Two floats that are moved as one double: they are no double, but the value is no float either. Where memory
            // may change its types, one of the two was said of other times.
            if self.options.strict_aliasing == StrictAliasing::No && self.state.conflict.is_none() {
                self.state.conflict = Some(Conflict { node: self.node(value), because, conflict });
            }
            return;
        }
        self.learn_of_node(self.node(value), tree, because);
    }

    /// What a tree says of a float that cannot be: that it is one of another type; or, where memory may change its types,
    /// that it is no float.
    fn other_float(&self, value: ValueId, tree: &TypeTree) -> Option<TreeConflict> {
        let known = self.float_kind(value)?;
        let moves_anything = self.options.strict_aliasing == StrictAliasing::Yes;
        let is_other = |path: &[i32], kind: Kind| match kind {
            _ if path.len() != 1 || kind == known => false,
            Kind::Float(_) => true,
            Kind::Integer | Kind::Pointer => !moves_anything,
            Kind::Anything => false,
        };
        let (path, new) = tree.iter().find(|(path, kind)| is_other(path, *kind))?;
        Some(TreeConflict { path: path.into(), conflict: KindConflict { known, new } })
    }

    /// Adds one kind for all of a value.
    pub(super) fn learn_kind(&mut self, value: ValueId, kind: Kind, because: Because) {
        self.learn(value, TypeTree::of(kind), because);
    }

    fn learn_of_node(&mut self, node: Node, tree: TypeTree, because: Because) {
        if self.state.conflict.is_some() {
            return;
        }
        if self.state.trees[node.0].repeats(&tree) {
            return;
        }
        match node.0.checked_sub(self.function.values.len()) {
            None => self.learn_of_value(node, &tree, because),
            Some(global) => self.learn_of_global(GlobalId::from_u32(global as u32), node, &tree, because),
        }
    }

    fn learn_of_value(&mut self, node: Node, tree: &TypeTree, because: Because) {
        let State { trees, reasons, conflict, .. } = &mut self.state;
        let tell = |path: &[i32], kind| reasons.add(Fact { node, path: path.into(), kind, because });
        match trees[node.0].merge_with(tree, Addresses::AreAddresses, self.options.limits, tell) {
            Err(why) => *conflict = Some(Conflict { node, because, conflict: why }),
            Ok(change) if change.happened() => self.spread(node, because.inst),
            Ok(_) => {}
        }
    }

    fn learn_of_global(&mut self, global: GlobalId, node: Node, tree: &TypeTree, because: Because) {
        let before = self.state.trees[node.0].clone();
        match self.state.trees[node.0].merge(tree, Addresses::AreAddresses, self.options.limits) {
            Err(conflict) => {
                self.state.conflict = Some(Conflict { node, because, conflict });
                return;
            }
            Ok(change) if !change.happened() => return,
            Ok(_) => {}
        }
        self.confine(global, node);
        let State { trees, reasons, .. } = &mut self.state;
        for (path, kind) in trees[node.0].news_since(&before) {
            reasons.add(Fact { node, path: path.into(), kind, because });
        }
        if trees[node.0] != before {
            // What the global is confined to may be more than the instruction itself has said, which therefore looks again.
            self.spread(node, None);
        }
    }

    /// Of a global's address nothing is kept but its memory, whose size is known.
    fn confine(&mut self, global: GlobalId, node: Node) {
        let size = self
            .facts
            .layout
            .store_size(&self.function.context, self.function.context.globals[global].value_type);
        if size > 0 {
            let memory = self.loaded(&self.state.trees[node.0], size);
            self.state.trees[node.0] = TypeTree::pointer_to(&memory, self.options.limits);
        }
    }

    /// Has everything looked at again that may learn from a change.
    fn spread(&mut self, node: Node, origin: Option<InstId>) {
        let values = self.function.values.len();
        if node.0 < values {
            let value = ValueId::from_u32(node.0 as u32);
            self.spread_to_users(value, origin);
            if let Some(inst) = self.function.as_inst(value).filter(|inst| Some(*inst) != origin) {
                self.enqueue(inst);
            }
            if let Some(address) = self.facts.addresses.get(&value).copied() {
                let memory = self.behind(&self.state.trees[node.0], address);
                self.learn_of_node(
                    self.global_node(address.global),
                    memory,
                    Because::constant("an address in it"),
                );
            }
        } else {
            let global = GlobalId::from_u32((node.0 - values) as u32);
            for value in self.facts.addresses_in.get(&global).cloned().unwrap_or_default() {
                let tree = self.ahead(&self.state.trees[node.0], self.facts.addresses[&value]);
                self.learn_of_node(
                    Node(value.as_u32() as usize),
                    tree,
                    Because::constant("the global it is an address in"),
                );
            }
            if let Some(&value) = self.facts.global_values.get(&global) {
                self.spread_to_users(value, origin);
            }
        }
    }

    fn spread_to_users(&mut self, value: ValueId, origin: Option<InstId>) {
        let facts = self.facts;
        for &user in facts.uses.of_value(value) {
            if Some(user) != origin {
                self.enqueue(user);
            }
            // A phi looks through sums at what is added to.
            let data = &self.function.insts[user];
            if let (Opcode::IntBinary { .. }, Some(result)) = (&data.opcode, data.result) {
                for &next in facts.uses.of_value(result) {
                    if matches!(self.function.insts[next].opcode, Opcode::Phi { .. }) && Some(next) != origin
                    {
                        self.enqueue(next);
                    }
                }
            }
        }
    }

    fn enqueue(&mut self, inst: InstId) {
        if self.facts.doomed.contains(self.function.insts[inst].block) {
            return;
        }
        if self.state.queued.insert(inst) {
            self.state.queue.push_back(inst);
        }
    }

    /// Without strict aliasing, what an instruction does says something of a value only if the instruction is always
    /// reached from the value.
    fn holds_always(&self, value: ValueId, because: Because) -> bool {
        let Some(origin) = because.inst.map(|inst| self.function.insts[inst].block) else { return true };
        let home = match self.function.values[value].definition {
            ValueDefinition::Instruction(inst) => self.function.insts[inst].block,
            ValueDefinition::Parameter(_) => match self.function.entry() {
                Some(entry) => entry,
                None => return true,
            },
            _ => return true,
        };
        let passes = |block| self.facts.post_dominators.post_dominates(origin, block);
        if passes(home) {
            return true;
        }
        // Frame memory that is used only where the instruction is always reached.
        let alloca = self
            .function
            .as_inst(value)
            .filter(|&inst| matches!(self.function.insts[inst].opcode, Opcode::Alloca { .. }));
        alloca.is_some()
            && self.facts.uses.of_value(value).iter().all(|&user| passes(self.function.insts[user].block))
    }

    // Running.

    /// The first facts: of constants, arguments, the result, attributes and metadata.
    fn start(&mut self) {
        let facts = self.facts;
        self.state.trees = facts.initial_trees.get_or_init(|| self.initial_trees()).clone();
        for inst in self.function.insts_in_order() {
            self.enqueue(inst);
        }
        for (index, &parameter) in self.function.parameters.iter().enumerate() {
            if let Some(tree) = self.request.arguments.get(index) {
                self.learn(parameter, tree.clone(), Because::argument());
            }
        }
        for inst in self.function.insts_in_order() {
            if let (Opcode::Return, [value]) =
                (&self.function.insts[inst].opcode, &self.function.insts[inst].operands[..])
            {
                self.learn(*value, self.request.result.clone(), Because::result());
            }
        }
        self.consider_debug_information();
        self.consider_annotations();
    }

    /// What constants and globals hold whatever the context is.
    fn initial_trees(&self) -> Vec<TypeTree> {
        let count = self.function.values.len() + self.function.context.globals.len();
        let mut trees = vec![TypeTree::unknown(); count];
        let mut constants = Constants::new(self.function, &self.facts.layout, self.options.limits);
        for global in self.function.context.globals.keys() {
            trees[self.global_node(global).0] = constants.global(global);
        }
        for (value, data) in &self.function.values {
            if let ValueDefinition::Constant(constant) = data.definition {
                trees[value.as_u32() as usize] = constants.of(constant);
            }
        }
        // What is taken out of a constant is a constant, too.
        for inst in self.function.insts.values() {
            if let (Opcode::ExtractValue { indices }, Some(result)) = (&inst.opcode, inst.result)
                && let Some(part) = self.function.constant_part(inst.operands[0], indices)
            {
                trees[result.as_u32() as usize] = constants.of(part);
            }
        }
        for (&value, &address) in &self.facts.addresses {
            let tree = self.ahead(&trees[self.global_node(address.global).0], address);
            trees[value.as_u32() as usize] = tree;
        }
        trees
    }

    /// Looks at instructions until only calls of functions with bodies are left, if anything.
    pub(super) fn run(&mut self) {
        loop {
            while let Some(inst) = self.state.queue.pop_front() {
                self.state.queued.remove(inst);
                if self.state.conflict.is_some() {
                    return;
                }
                self.state.steps += 1;
                self.instruction(inst);
            }
            if !self.state.calls.is_empty() || !self.assume_integers() {
                return;
            }
        }
    }

    /// The next call of a function with a body.
    pub(super) fn next_call(&mut self) -> Option<InstId> {
        let inst = self.state.calls.pop_front()?;
        self.state.waiting.remove(inst);
        Some(inst)
    }

    /// What the function returns: what all its returns agree on.
    pub(super) fn returned(&self) -> TypeTree {
        super::results::returned(self.function, |value| self.tree(value))
    }

    /// What all that is returned agrees on, seen through phis and choices, but for the results of some calls.
    pub(super) fn returned_but_for(&self, excepted: impl Fn(InstId) -> bool) -> TypeTree {
        let function = self.function;
        let returns =
            function.insts_in_order().filter(|&inst| matches!(function.insts[inst].opcode, Opcode::Return));
        let mut pending: Vec<ValueId> =
            returns.filter_map(|inst| function.insts[inst].operands.first().copied()).collect();
        let mut seen: EntitySet<ValueId> = EntitySet::new();
        let mut all: Option<TypeTree> = None;
        while let Some(value) = pending.pop() {
            if !seen.insert(value) {
                continue;
            }
            let inst = function.as_inst(value).filter(|_| !self.tree(value).is_known());
            match inst.map(|inst| (inst, &function.insts[inst].opcode)) {
                Some((inst, Opcode::Phi { .. })) => pending.extend(&function.insts[inst].operands),
                Some((inst, Opcode::Select { .. })) => pending.extend(&function.insts[inst].operands[1..]),
                Some((inst, Opcode::Call(_) | Opcode::Invoke { .. })) if excepted(inst) => {}
                _ => match &mut all {
                    Some(all) => all.meet(&self.tree(value)),
                    None => all = Some(self.tree(value)),
                },
            }
        }
        all.unwrap_or_default()
    }

    // Addresses in globals.

    /// What is known of an address in a global, from the global.
    fn ahead(&self, global: &TypeTree, address: Address) -> TypeTree {
        let mut tree = global.every_offset();
        if let Ok(offset) = u64::try_from(address.offset) {
            let memory = self.window(&global.first(self.limits()), offset, address.part, 0);
            let _ = tree.merge(&self.everywhere(&memory), Addresses::MayBeIntegers, self.limits());
        }
        tree
    }

    /// What is known of a global, from an address in it.
    fn behind(&self, address_tree: &TypeTree, address: Address) -> TypeTree {
        let Ok(offset) = u64::try_from(address.offset) else { return TypeTree::unknown() };
        self.everywhere(&self.window(&address_tree.first(self.limits()), 0, None, offset))
    }

    /// Assumes that integers of which nothing is known, and which are made of each other in a circle or chosen among
    /// integers and what may be any, are integers, and keeps to it where nothing contradicts. Returns whether anything was
    /// learnt.
    ///
    /// The greatest fixed point: first all candidates are assumed to be integers, then each one that would not be, were
    /// its operands what is assumed, is dropped, and with it what was made of it.
    fn assume_integers(&mut self) -> bool {
        let is_candidate = |local: &Self, value: ValueId| {
            let Some(inst) = local.function.as_inst(value) else { return false };
            let data = &local.function.insts[inst];
            local.is_integer(value)
                && !local.tree(value).is_known()
                && !local.facts.doomed.contains(data.block)
                && matches!(
                    data.opcode,
                    Opcode::Phi { .. }
                        | Opcode::IntBinary { .. }
                        | Opcode::Cast { .. }
                        | Opcode::Select { .. }
                        | Opcode::Freeze
                )
        };
        let mut assumed: EntitySet<ValueId> = EntitySet::new();
        let mut candidates: Vec<ValueId> = Vec::new();
        for inst in self.function.insts_in_order() {
            if let Some(result) =
                self.function.insts[inst].result.filter(|&result| is_candidate(self, result))
            {
                assumed.insert(result);
                candidates.push(result);
            }
        }
        let mut pending = candidates.clone();
        while let Some(value) = pending.pop() {
            if assumed.contains(value) && !self.would_be_integer(value, &assumed) {
                assumed.remove(value);
                for &user in self.facts.uses.of_value(value) {
                    pending.extend(self.function.insts[user].result);
                }
            }
        }
        let mut learnt = false;
        for value in candidates.into_iter().filter(|&value| assumed.contains(value)) {
            let inst = self.function.as_inst(value);
            // Only circles need an assumption, and they go through a phi; and what chooses between a number and a constant that
            // may be anything. The rest follows from it.
            let is_choice = |inst: InstId| {
                matches!(self.function.insts[inst].opcode, Opcode::Phi { .. } | Opcode::Select { .. })
            };
            if inst.is_some_and(is_choice) {
                self.learn_kind(value, Kind::Integer, Because::assumption(inst));
                learnt |= self.tree(value).is_known();
            }
        }
        learnt
    }

    fn would_be_integer(&self, value: ValueId, assumed: &EntitySet<ValueId>) -> bool {
        let Some(inst) = self.function.as_inst(value) else { return false };
        let data = &self.function.insts[inst];
        let kind = |operand: ValueId| {
            if assumed.contains(operand) { Some(Kind::Integer) } else { self.tree(operand).first_kind() }
        };
        match &data.opcode {
            Opcode::Phi { .. } => {
                let mut kinds = data.operands.iter().map(|&operand| kind(operand));
                kinds.all(|kind| matches!(kind, Some(Kind::Integer | Kind::Anything)))
            }
            Opcode::Select { .. } => data.operands[1..]
                .iter()
                .all(|&operand| matches!(kind(operand), Some(Kind::Integer | Kind::Anything))),
            Opcode::IntBinary { op, .. } => {
                // A constant that is added or multiplied counts as a number.
                let of = |index: usize| match self.function.as_constant(data.operands[index]) {
                    Some(ConstantKind::Integer(_)) => Some(Kind::Integer),
                    _ => kind(data.operands[index]),
                };
                super::arithmetic::result(*op, of(0), of(1)) == Some(Kind::Integer)
                    || (*op == IntBinaryOp::And
                        && data.operands.iter().any(|&operand| kind(operand) == Some(Kind::Integer)))
            }
            Opcode::Cast { .. } | Opcode::Freeze => kind(data.operands[0]) == Some(Kind::Integer),
            _ => false,
        }
    }
}
