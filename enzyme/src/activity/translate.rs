//! Says what each instruction of a function does with numbers and addresses.

use cranelift_entity::SecondaryMap;
use rustc_hash::FxHashMap;

use super::attributes::{CallFacts, has_shadow, is_inactive_variable, is_no_data, marks};
use super::effects::{Effects, Flow, Idle, Mark, Need, Overwrite, Place, Point, Writer};
use super::facts::{Content, content, content_behind};
use super::inactive;
use super::options::UnmarkedGlobals;
use super::region::{Region, RegionId};
use super::whole::Whole;
use crate::model::{
    AtomicOp, BlockId, CastOp, ConstantId, ConstantKind, DataLayout, Function, GlobalId, GlobalKind, InstId,
    IntBinaryOp, Opcode, ValueDefinition, ValueId,
};
use crate::program::FunctionId;

/// What the instructions of a function do, and where its addresses point.
pub(super) fn translate(whole: &Whole<'_>, id: FunctionId) -> Effects {
    let function = &whole.program[id];
    let mut translation = Translation {
        whole,
        id,
        function,
        layout: DataLayout::of(&function.context),
        effects: Effects::default(),
        symbols: FxHashMap::default(),
    };
    translation.run();
    let mut effects = translation.effects;
    let mut regions = std::mem::take(&mut effects.regions);
    regions.solve(function.values.len(), &effects);
    effects.regions = regions;
    effects
}

pub(super) struct Translation<'a> {
    pub(super) whole: &'a Whole<'a>,
    pub(super) id: FunctionId,
    pub(super) function: &'a Function,
    pub(super) layout: DataLayout,
    pub(super) effects: Effects,
    /// The regions whose addresses a constant holds.
    symbols: FxHashMap<ConstantId, Vec<RegionId>>,
}

impl Translation<'_> {
    fn run(&mut self) {
        for region in [Region::Kept, Region::Remembered, Region::Unknown, Region::Fixed] {
            let id = self.region(region);
            self.point(None, id, Place::Region(id));
        }
        self.effects.never_returns = never_returning(self.function);
        for inst in self.function.insts_in_order() {
            self.effects.marked_insts[inst] = marks(self.function, inst).1;
        }
        for value in self.function.values.keys() {
            self.value(value);
        }
        for block in self.function.blocks.keys() {
            for &inst in &self.function.blocks[block].insts {
                self.effects.idle[inst] = self.idle(block, inst);
                if self.effects.idle[inst].is_none_or(|idle| idle == Idle::Control) {
                    self.instruction(inst);
                }
            }
        }
    }

    /// Why an instruction does nothing, if it does.
    fn idle(&self, block: BlockId, inst: InstId) -> Option<Idle> {
        let data = &self.function.insts[inst];
        if self.effects.marked_insts[inst] == Some(Mark::Active) {
            return None;
        }
        if self.effects.never_returns[block] {
            return Some(Idle::NeverReturns);
        }
        let (value, of_inst) = marks(self.function, inst);
        if of_inst == Some(Mark::Inactive) && (value == Some(Mark::Inactive) || data.result.is_none()) {
            return Some(Idle::Marked);
        }
        if data.opcode.call().is_some() {
            return self.is_inactive_call(inst).then_some(Idle::KnownFunction);
        }
        is_control(&data.opcode).then_some(Idle::Control)
    }

    /// Whether a call is of a function that is known to be inactive, or that the user says is.
    fn is_inactive_call(&self, inst: InstId) -> bool {
        let Some(call) = CallFacts::of(self.function, inst) else { return false };
        if call.attributes.says("enzyme_inactive") {
            return true;
        }
        if let Some(asm) = call.assembler() {
            return inactive::is_inactive_assembler(&asm.template);
        }
        let Some(name) = call.name() else { return false };
        let has_body = self.whole.program.find(name).is_some();
        // A function with a body is the user's own when its name is C's; those of the C++ and Rust libraries come with
        // their bodies.
        if has_body {
            return inactive::is_inactive_mangled(name);
        }
        inactive::is_inactive(name) && !(inactive::is_without_floats(name) && self.passes_floats(inst))
    }

    /// Whether a call takes or gives floats by value.
    fn passes_floats(&self, inst: InstId) -> bool {
        let data = &self.function.insts[inst];
        let mut values = data.arguments().iter().chain(&data.result);
        values.any(|&value| self.function.type_of(value).is_float())
    }

    /// What a value can hold, and where it points if that needs no instruction.
    fn value(&mut self, value: ValueId) {
        let function = self.function;
        let tree = self.whole.types.tree(self.id, value);
        let mut held = content(function, &self.layout, value, tree);
        match &function.values[value].definition {
            ValueDefinition::Parameter(index) => {
                if held.has_addresses() {
                    let region = self.region(Region::Argument(*index));
                    self.point(None, region, Place::Value(value));
                    self.point(None, region, Place::Region(region));
                }
            }
            ValueDefinition::Instruction(inst) => {
                let mark = marks(function, *inst).0;
                self.effects.marked_values[value] = mark;
                if mark == Some(Mark::Inactive) {
                    held = Content::NOTHING;
                }
            }
            ValueDefinition::Constant(constant) => {
                let constant = *constant;
                let regions = self.constant_regions(constant);
                for &region in &regions {
                    self.point(None, region, Place::Value(value));
                }
                held = if regions.is_empty() { Content::NOTHING } else { held & Content::ADDRESSES };
            }
            ValueDefinition::Global(global) => {
                let global = *global;
                for region in self.global_regions(global) {
                    self.point(None, region, Place::Value(value));
                }
                held = Content::ADDRESSES;
            }
            ValueDefinition::Metadata(_) | ValueDefinition::InlineAsm(_) => held = Content::NOTHING,
        }
        self.effects.contents[value] = held;
    }

    // Regions.

    pub(super) fn region(&mut self, region: Region) -> RegionId {
        self.effects.regions.intern(region)
    }

    /// The region of a global symbol, with what its memory points to when it is new.
    pub(super) fn symbol_region(&mut self, global: GlobalId) -> Option<RegionId> {
        let context = &self.function.context;
        let symbol = self.whole.symbol(&context.globals[global].name)?;
        match &context.globals[global].kind {
            GlobalKind::Function(_) => {
                let name = &context.globals[global].name;
                let inactive = inactive::is_inactive(name) || is_inactive_variable(context, global);
                (!inactive).then(|| self.region(Region::Code(symbol)))
            }
            GlobalKind::Variable(variable) => {
                if self.is_inactive_variable(global) {
                    return None;
                }
                let kind = self.whole.variable(symbol);
                if let Some(known) = self.effects.regions.find(kind) {
                    return Some(known);
                }
                let region = self.region(kind);
                let initializer = variable.initializer;
                if initializer.is_none() || (!variable.is_constant && !self.whole.is_used_by_one(symbol)) {
                    let unknown = self.region(Region::Unknown);
                    self.point(None, unknown, Place::Region(region));
                }
                if kind == Region::Variable(symbol) {
                    let kept = self.region(Region::Kept);
                    self.point(None, kept, Place::Region(region));
                }
                for pointee in initializer.map(|constant| self.constant_regions(constant)).unwrap_or_default()
                {
                    self.point(None, pointee, Place::Region(region));
                }
                Some(region)
            }
            GlobalKind::Alias { .. } | GlobalKind::IndirectFunction { .. } => None,
        }
    }

    fn is_inactive_variable(&self, global: GlobalId) -> bool {
        let context = &self.function.context;
        let unmarked = self.whole.options.globals == UnmarkedGlobals::AreInactive;
        is_inactive_variable(context, global)
            || inactive::is_inactive_global(&context.globals[global].name)
            || (unmarked && !has_shadow(context, global))
    }

    fn global_regions(&mut self, global: GlobalId) -> Vec<RegionId> {
        match &self.function.context.globals[global].kind {
            GlobalKind::Alias { target } => {
                let target = *target;
                self.constant_regions(target)
            }
            GlobalKind::IndirectFunction { .. } => vec![self.region(Region::Unknown)],
            GlobalKind::Variable(_) | GlobalKind::Function(_) => {
                self.symbol_region(global).into_iter().collect()
            }
        }
    }

    /// The regions whose addresses are in a constant.
    fn constant_regions(&mut self, constant: ConstantId) -> Vec<RegionId> {
        if let Some(known) = self.symbols.get(&constant) {
            return known.clone();
        }
        // A variable may hold its own address.
        self.symbols.insert(constant, Vec::new());
        let mut regions = Vec::new();
        let mut pending = vec![constant];
        let mut seen = rustc_hash::FxHashSet::default();
        while let Some(next) = pending.pop().filter(|_| regions.len() <= self.whole.most_symbols()) {
            if !seen.insert(next) {
                continue;
            }
            match &self.function.context.constant(next).kind {
                ConstantKind::Global(global)
                | ConstantKind::DsoLocalEquivalent(global)
                | ConstantKind::NoCfi(global) => {
                    let global = *global;
                    regions.extend(self.global_regions(global));
                }
                ConstantKind::Aggregate(parts) => pending.extend(parts),
                ConstantKind::Splat(part) => pending.push(*part),
                ConstantKind::Expression(expression) => {
                    let number =
                        matches!(expression.opcode, Opcode::Cast { op: CastOp::IntegerToPointer, .. })
                            && matches!(
                                self.function.context.constant(expression.operands[0]).kind,
                                ConstantKind::Integer(_)
                            );
                    if number {
                        regions.push(self.region(Region::Fixed));
                    }
                    pending.extend(&expression.operands);
                }
                ConstantKind::PointerAuthentication(signed) => pending.push(signed.pointer),
                ConstantKind::Integer(_)
                | ConstantKind::Float(_)
                | ConstantKind::Null
                | ConstantKind::Undef
                | ConstantKind::Poison
                | ConstantKind::Zero
                | ConstantKind::NoneToken
                | ConstantKind::Data(_)
                | ConstantKind::BlockAddress { .. } => {}
            }
        }
        regions.sort_unstable();
        regions.dedup();
        self.symbols.insert(constant, regions.clone());
        regions
    }

    // Effects.

    pub(super) fn point(&mut self, inst: Option<InstId>, region: RegionId, to: Place) {
        if let Place::Value(value) = to
            && inst.is_some()
            && !self.content(value).has_addresses()
        {
            return;
        }
        self.effects.points.push(Point { inst, region, to });
    }

    /// Something moves, as far as both places can hold it.
    pub(super) fn flow(&mut self, inst: InstId, from: Place, to: Place, moves: Content) {
        let moves = moves & self.content_at(from) & self.content_at(to);
        let stays = from == to && matches!(from, Place::Value(_));
        if !moves.is_nothing() && !stays {
            self.effects.flows.push(Flow { inst, from, to, moves });
        }
    }

    pub(super) fn need(&mut self, inst: InstId, place: Place) {
        self.effects.needs.push(Need { inst, place });
    }

    pub(super) fn overwrite(&mut self, inst: InstId, place: Place, by: Writer) {
        self.effects.overwrites.push(Overwrite { inst, place, by });
    }

    /// The instruction itself writes to the memory at an address.
    pub(super) fn write(&mut self, inst: InstId, address: ValueId) {
        self.need(inst, Place::Value(address));
        self.overwrite(inst, Place::Behind(address), Writer::Itself);
    }

    pub(super) fn content(&self, value: ValueId) -> Content {
        self.effects.contents[value]
    }

    fn content_at(&self, place: Place) -> Content {
        match place {
            Place::Value(value) => self.content(value),
            Place::Behind(address) if is_no_data(self.function, address) => Content::NOTHING,
            Place::Behind(address) => content_behind(self.whole.types.tree(self.id, address)),
            Place::Hub(_) | Place::Reach(_) | Place::Region(_) => Content::BOTH,
        }
    }

    // Instructions.

    fn instruction(&mut self, inst: InstId) {
        use Opcode as O;
        let data = &self.function.insts[inst];
        let operand = |index: usize| data.operands[index];
        match &data.opcode {
            O::FloatNegate { .. } => self.compute(inst, &[operand(0)], Content::NUMBERS),
            O::FloatBinary { .. } => self.compute(inst, &data.operands, Content::NUMBERS),
            O::IntBinary { op, .. } => match op {
                // How far to shift is a number of its own.
                IntBinaryOp::ShiftLeft
                | IntBinaryOp::LogicalShiftRight
                | IntBinaryOp::ArithmeticShiftRight => self.compute(inst, &[operand(0)], Content::BOTH),
                IntBinaryOp::Add
                | IntBinaryOp::Subtract
                | IntBinaryOp::Multiply
                | IntBinaryOp::UnsignedDivide
                | IntBinaryOp::SignedDivide
                | IntBinaryOp::UnsignedRemainder
                | IntBinaryOp::SignedRemainder
                | IntBinaryOp::And
                | IntBinaryOp::Or
                | IntBinaryOp::Xor => self.compute(inst, &data.operands, Content::BOTH),
            },
            O::Cast { op, .. } => match op {
                CastOp::FloatTruncate | CastOp::FloatExtend => {
                    self.compute(inst, &[operand(0)], Content::NUMBERS);
                }
                CastOp::Truncate
                | CastOp::ZeroExtend
                | CastOp::SignExtend
                | CastOp::PointerToInteger
                | CastOp::PointerToAddress
                | CastOp::Bitcast
                | CastOp::AddressSpaceCast => self.compute(inst, &[operand(0)], Content::BOTH),
                CastOp::IntegerToPointer => self.compute(inst, &[operand(0)], Content::ADDRESSES),
                CastOp::FloatToUnsigned
                | CastOp::FloatToSigned
                | CastOp::UnsignedToFloat
                | CastOp::SignedToFloat => {}
            },
            O::ExtractElement | O::ExtractValue { .. } | O::Freeze => {
                self.compute(inst, &[operand(0)], Content::BOTH);
            }
            O::InsertElement | O::InsertValue { .. } | O::ShuffleVector { .. } => {
                self.compute(inst, &[operand(0), operand(1)], Content::BOTH);
            }
            O::Select { .. } => self.compute(inst, &[operand(1), operand(2)], Content::BOTH),
            O::Phi { .. } => self.compute(inst, &data.operands, Content::BOTH),
            // The difference of two addresses, added to the first, is the second.
            O::GetElementPointer { .. } => self.compute(inst, &data.operands, Content::ADDRESSES),
            O::Alloca { allocated, .. } => {
                let bytes = self.layout.allocation_size(&self.function.context, *allocated);
                // No number and no address fits into one byte.
                if bytes > 1 || self.function.as_constant(operand(0)).is_none_or(|count| !is_one(count)) {
                    self.allocation(inst);
                }
            }
            O::Load { .. } => {
                // Of a number without a derivative, nothing is looked for in a shadow.
                if data.result.is_some_and(|result| !self.content(result).is_nothing()) {
                    self.need(inst, Place::Value(operand(0)));
                }
                self.flow_to_result(inst, Place::Behind(operand(0)), Content::BOTH);
            }
            O::Store { .. } => {
                self.write(inst, operand(1));
                self.flow(inst, Place::Value(operand(0)), Place::Behind(operand(1)), Content::BOTH);
            }
            O::CompareExchange(_) => {
                self.write(inst, operand(0));
                self.flow_to_result(inst, Place::Behind(operand(0)), Content::BOTH);
                self.flow(inst, Place::Value(operand(2)), Place::Behind(operand(0)), Content::BOTH);
            }
            O::AtomicReadModifyWrite(update) => self.atomic_update(inst, update.op),
            O::VaArg => {
                self.need(inst, Place::Value(operand(0)));
                let unknown = self.region(Region::Unknown);
                self.flow_to_result(inst, Place::Region(unknown), Content::BOTH);
            }
            O::LandingPad { .. } | O::CatchPad | O::CleanupPad => {
                let kept = self.region(Region::Kept);
                self.flow_to_result(inst, Place::Region(kept), Content::BOTH);
            }
            O::Resume => {
                let kept = self.region(Region::Kept);
                self.flow(inst, Place::Value(operand(0)), Place::Region(kept), Content::BOTH);
            }
            O::Call(_) | O::Invoke { .. } | O::CallBranch { .. } => self.call(inst),
            O::Return => {
                if let Some(&value) = data.operands.first() {
                    self.effects.returned.push((inst, value));
                }
            }
            O::Branch { .. }
            | O::ConditionalBranch { .. }
            | O::Switch { .. }
            | O::IndirectBranch { .. }
            | O::Unreachable
            | O::CleanupReturn { .. }
            | O::CatchReturn { .. }
            | O::CatchSwitch { .. }
            | O::IntCompare { .. }
            | O::FloatCompare { .. }
            | O::Fence { .. } => {}
        }
    }

    /// The result is made of these operands.
    pub(super) fn compute(&mut self, inst: InstId, operands: &[ValueId], moves: Content) {
        for &operand in operands {
            self.flow_to_result(inst, Place::Value(operand), moves);
        }
    }

    /// Something goes into the result, if there is one.
    pub(super) fn flow_to_result(&mut self, inst: InstId, from: Place, moves: Content) {
        if let Some(result) = self.function.insts[inst].result {
            self.flow(inst, from, Place::Value(result), moves);
        }
    }

    /// The result is the address of new memory.
    pub(super) fn allocation(&mut self, inst: InstId) -> RegionId {
        let region = self.region(Region::Own(inst));
        if let Some(result) = self.function.insts[inst].result {
            self.point(Some(inst), region, Place::Value(result));
        }
        region
    }

    fn atomic_update(&mut self, inst: InstId, op: AtomicOp) {
        let operands = &self.function.insts[inst].operands;
        let (address, value) = (operands[0], operands[1]);
        let memory = Place::Behind(address);
        self.write(inst, address);
        self.flow_to_result(inst, memory, Content::BOTH);
        self.flow(inst, Place::Value(value), memory, Content::BOTH);
        let held = self.function.insts[inst].result.map_or(Content::BOTH, |result| self.content(result));
        match op {
            AtomicOp::Exchange => {}
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
            | AtomicOp::FloatAdd
            | AtomicOp::FloatSubtract
            | AtomicOp::FloatMax
            | AtomicOp::FloatMin
            | AtomicOp::FloatMaximum
            | AtomicOp::FloatMinimum
            | AtomicOp::UnsignedIncrementWrap
            | AtomicOp::UnsignedDecrementWrap
            | AtomicOp::UnsignedSubtractConditional
            | AtomicOp::UnsignedSubtractSaturating => self.flow(inst, memory, memory, held),
        }
    }
}

fn is_one(constant: &ConstantKind) -> bool {
    matches!(constant, ConstantKind::Integer(count) if count.as_u64() == Some(1))
}

/// Whether an instruction only decides where the program goes on, compares, or orders memory.
fn is_control(opcode: &Opcode) -> bool {
    matches!(
        opcode,
        Opcode::Return
            | Opcode::Branch { .. }
            | Opcode::ConditionalBranch { .. }
            | Opcode::Switch { .. }
            | Opcode::IndirectBranch { .. }
            | Opcode::Unreachable
            | Opcode::CleanupReturn { .. }
            | Opcode::CatchReturn { .. }
            | Opcode::CatchSwitch { .. }
            | Opcode::Fence { .. }
    )
}

/// The blocks from which the program certainly does not come back: all ways on end at `unreachable`, and no exception
/// leaves them.
fn never_returning(function: &Function) -> SecondaryMap<BlockId, bool> {
    let mut comes_back: SecondaryMap<BlockId, bool> = SecondaryMap::new();
    comes_back.resize(function.blocks.len());
    let predecessors = function.predecessors();
    let mut pending: Vec<BlockId> = function
        .blocks
        .keys()
        .filter(|&block| {
            let leaves = function.terminator(block).is_none_or(|inst| match &function.insts[inst].opcode {
                Opcode::Return | Opcode::Resume => true,
                Opcode::CleanupReturn { unwind } | Opcode::CatchSwitch { unwind, .. } => unwind.is_none(),
                _ => false,
            });
            leaves || function.blocks[block].insts.iter().any(|&inst| may_unwind(function, inst))
        })
        .collect();
    while let Some(block) = pending.pop() {
        if !std::mem::replace(&mut comes_back[block], true) {
            pending.extend(predecessors[block].iter().copied());
        }
    }
    let mut never: SecondaryMap<BlockId, bool> = SecondaryMap::new();
    for block in function.blocks.keys() {
        never[block] = !comes_back[block];
    }
    never
}

fn may_unwind(function: &Function, inst: InstId) -> bool {
    matches!(function.insts[inst].opcode, Opcode::Call(_))
        && CallFacts::of(function, inst).is_some_and(|call| call.may_unwind())
}
