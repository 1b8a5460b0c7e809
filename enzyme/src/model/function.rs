//! Functions: blocks, instructions, values.

use std::sync::Arc;

use cranelift_entity::packed_option::PackedOption;
use cranelift_entity::{PrimaryMap, SecondaryMap};
use smallvec::SmallVec;

use super::{
    BlockId, Call, Constant, ConstantId, ConstantKind, Context, DebugDeclaration, DebugType, DebugTypeId,
    FunctionType, GlobalId, GlobalTraits, InstId, Linkage, Metadata, MetadataId, Opcode, Signature, Type,
    TypeId, ValueId,
};

/// A function with a body, and everything that is needed to understand it alone.
#[derive(Clone, Debug)]
pub struct Function {
    /// The name, without `@`.
    pub name: String,
    /// Its type, a [`Type::Function`].
    pub function_type: TypeId,
    /// Calling convention and attributes.
    pub signature: Signature,
    /// How it is linked.
    pub linkage: Linkage,
    /// The address space of its address.
    pub address_space: u32,
    /// What else the text form says of it.
    pub traits: GlobalTraits,
    /// Name of the garbage collector's strategy.
    pub garbage_collector: Option<String>,
    /// The function that handles exceptions.
    pub personality: Option<ConstantId>,
    /// Data before the entry that runs over it.
    pub prologue: Option<ConstantId>,
    /// Data before the entry.
    pub prefix: Option<ConstantId>,
    /// Types, constants, globals and metadata that the function names.
    pub context: Context,
    /// The parameters.
    pub parameters: Vec<ValueId>,
    /// The blocks, in order; the first is the entry.
    pub blocks: PrimaryMap<BlockId, Block>,
    /// The instructions.
    pub insts: PrimaryMap<InstId, Inst>,
    /// The values.
    pub values: PrimaryMap<ValueId, Value>,
    /// The types that [`Self::debug_declarations`] name; not part of the text form.
    pub debug_types: PrimaryMap<DebugTypeId, DebugType>,
    /// What debug information says of variables in memory, in the order of the text; not part of the text form.
    pub debug_declarations: Vec<DebugDeclaration>,
    constant_values: SecondaryMap<ConstantId, PackedOption<ValueId>>,
    global_values: SecondaryMap<GlobalId, PackedOption<ValueId>>,
}

/// A basic block.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Block {
    /// Its label, if it has one.
    pub name: Option<String>,
    /// Its instructions, in order; the last is the terminator.
    pub insts: Vec<InstId>,
}

/// An instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inst {
    /// What it does.
    pub opcode: Opcode,
    /// What it does it with; the order is given with each [`Opcode`].
    pub operands: SmallVec<[ValueId; 4]>,
    /// Its result; `None` when it has none.
    pub result: Option<ValueId>,
    /// The block that holds it.
    pub block: BlockId,
    /// Where in the user's program it comes from.
    pub location: Option<DebugLocation>,
    /// Metadata by kind: `tbaa`, `enzyme_…`, `range` … (without debug information).
    pub metadata: SmallVec<[(String, MetadataId); 0]>,
}

/// A place in the user's program.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct DebugLocation {
    /// The file, as the compiler was given it.
    pub file: Arc<str>,
    /// Line, from 1; 0 when the compiler did not know.
    pub line: u32,
    /// Column, from 1; 0 when the compiler did not know.
    pub column: u32,
}

impl std::fmt::Display for DebugLocation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// A value: anything an instruction can have as an operand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Value {
    /// Its type.
    pub ty: TypeId,
    /// What it is.
    pub definition: ValueDefinition,
    /// Its name without `%`, for parameters and results that have one.
    pub name: Option<String>,
}

/// What a value is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ValueDefinition {
    /// A parameter of the function, counted from 0.
    Parameter(u32),
    /// The result of an instruction.
    Instruction(InstId),
    /// A constant (never [`ConstantKind::Global`]: that is [`Self::Global`]).
    Constant(ConstantId),
    /// The address of a global.
    Global(GlobalId),
    /// Metadata as an argument of a call.
    Metadata(MetadataId),
    /// Assembler as a callee.
    InlineAsm(Box<InlineAsm>),
}

/// Assembler text, as the callee of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InlineAsm {
    /// The text.
    pub template: String,
    /// What it reads and writes.
    pub constraints: String,
    /// Must stay although its results are not used (`sideeffect`).
    pub side_effect: bool,
    /// Needs an aligned stack (`alignstack`).
    pub align_stack: bool,
    /// In Intel's syntax (`inteldialect`).
    pub intel_dialect: bool,
    /// May throw (`unwind`).
    pub may_unwind: bool,
}

impl Function {
    /// A function without blocks. The parameters are made from the function type.
    pub fn new(name: impl Into<String>, context: Context, function_type: TypeId) -> Self {
        let mut function = Self::without_parameters(name, function_type);
        function.context = context;
        for (ty, index) in function.type_signature().parameters.clone().into_iter().zip(0..) {
            let definition = ValueDefinition::Parameter(index);
            let parameter = function.values.push(Value { ty, definition, name: None });
            function.parameters.push(parameter);
        }
        function
    }

    /// A function with nothing in it yet, not even its context.
    pub(super) fn without_parameters(name: impl Into<String>, function_type: TypeId) -> Self {
        Self {
            name: name.into(),
            function_type,
            signature: Signature::default(),
            linkage: Linkage::External,
            address_space: 0,
            traits: GlobalTraits::default(),
            garbage_collector: None,
            personality: None,
            prologue: None,
            prefix: None,
            context: Context::default(),
            parameters: Vec::new(),
            blocks: PrimaryMap::new(),
            insts: PrimaryMap::new(),
            values: PrimaryMap::new(),
            debug_types: PrimaryMap::new(),
            debug_declarations: Vec::new(),
            constant_values: SecondaryMap::new(),
            global_values: SecondaryMap::new(),
        }
    }

    // Looking.

    /// Result, parameters and variadicity.
    ///
    /// # Panics
    /// When [`Self::function_type`] is not a function type, which no public way of making a function allows.
    pub fn type_signature(&self) -> &FunctionType {
        match self.context.ty(self.function_type) {
            Type::Function(signature) => signature,
            other => panic!("the type of @{} is {other:?}, not a function type", self.name),
        }
    }

    /// The type of what the function returns.
    pub fn return_type(&self) -> TypeId {
        self.type_signature().result
    }

    /// The first block, where the function starts.
    pub fn entry(&self) -> Option<BlockId> {
        self.blocks.keys().next()
    }

    /// A type by its id.
    pub fn ty(&self, id: TypeId) -> &Type {
        self.context.ty(id)
    }

    /// The type of a value.
    pub fn type_of(&self, value: ValueId) -> &Type {
        self.context.ty(self.values[value].ty)
    }

    /// All instructions, block by block, in the order of the text.
    pub fn insts_in_order(&self) -> impl DoubleEndedIterator<Item = InstId> + '_ {
        self.blocks.values().flat_map(|block| block.insts.iter().copied())
    }

    /// The terminator of a block; `None` for a block that is not finished.
    pub fn terminator(&self, block: BlockId) -> Option<InstId> {
        let last = *self.blocks[block].insts.last()?;
        self.insts[last].opcode.is_terminator().then_some(last)
    }

    /// The blocks a block may jump to, as [`Opcode::successors`] orders them.
    pub fn successors(&self, block: BlockId) -> SmallVec<[BlockId; 2]> {
        self.terminator(block).map_or_else(SmallVec::new, |inst| self.insts[inst].opcode.successors())
    }

    /// For each block the blocks that may jump to it, in order of their ids; a block whose terminator names
    /// it twice comes twice.
    pub fn predecessors(&self) -> SecondaryMap<BlockId, SmallVec<[BlockId; 4]>> {
        let mut predecessors: SecondaryMap<BlockId, SmallVec<[BlockId; 4]>> = SecondaryMap::new();
        predecessors.resize(self.blocks.len());
        for block in self.blocks.keys() {
            for successor in self.successors(block) {
                predecessors[successor].push(block);
            }
        }
        predecessors
    }

    /// The constant a value is; for a global, look at [`Self::as_global`].
    pub fn as_constant(&self, value: ValueId) -> Option<&ConstantKind> {
        match &self.values[value].definition {
            ValueDefinition::Constant(id) => Some(&self.context.constant(*id).kind),
            ValueDefinition::Parameter(_)
            | ValueDefinition::Instruction(_)
            | ValueDefinition::Global(_)
            | ValueDefinition::Metadata(_)
            | ValueDefinition::InlineAsm(_) => None,
        }
    }

    /// The constant at these indices of a constant structure or array whose parts are listed.
    pub fn constant_part(&self, value: ValueId, indices: &[u32]) -> Option<ConstantId> {
        let ValueDefinition::Constant(whole) = self.values[value].definition else { return None };
        indices.iter().try_fold(whole, |whole, &index| match &self.context.constant(whole).kind {
            ConstantKind::Aggregate(parts) => parts.get(index as usize).copied(),
            _ => None,
        })
    }

    /// The instruction that makes a value.
    pub fn as_inst(&self, value: ValueId) -> Option<InstId> {
        match self.values[value].definition {
            ValueDefinition::Instruction(inst) => Some(inst),
            ValueDefinition::Parameter(_)
            | ValueDefinition::Constant(_)
            | ValueDefinition::Global(_)
            | ValueDefinition::Metadata(_)
            | ValueDefinition::InlineAsm(_) => None,
        }
    }

    /// The global a value is the address of.
    pub fn as_global(&self, value: ValueId) -> Option<GlobalId> {
        match self.values[value].definition {
            ValueDefinition::Global(global) => Some(global),
            ValueDefinition::Parameter(_)
            | ValueDefinition::Instruction(_)
            | ValueDefinition::Constant(_)
            | ValueDefinition::Metadata(_)
            | ValueDefinition::InlineAsm(_) => None,
        }
    }

    /// The function that an instruction calls by name.
    pub fn direct_callee(&self, inst: InstId) -> Option<GlobalId> {
        self.as_global(self.insts[inst].callee()?)
    }

    /// The name of the function that an instruction calls by name.
    pub fn callee_name(&self, inst: InstId) -> Option<&str> {
        self.direct_callee(inst).map(|global| self.context.globals[global].name.as_str())
    }

    /// What the text form calls each block, without `%`: its name or its number.
    pub fn block_labels(&self) -> SecondaryMap<BlockId, String> {
        let mut labels = SecondaryMap::new();
        let unnamed = |value: &&ValueId| self.values[**value].name.is_none();
        let mut next = self.parameters.iter().filter(unnamed).count();
        for (id, block) in &self.blocks {
            labels[id] = block.name.clone().unwrap_or_else(|| {
                next += 1;
                (next - 1).to_string()
            });
            next += block
                .insts
                .iter()
                .filter_map(|inst| self.insts[*inst].result.as_ref())
                .filter(unnamed)
                .count();
        }
        labels
    }

    /// How the text form writes a value: `%x`, `%3`, `@g`, `i64 5`; for messages.
    pub fn display_name(&self, value: ValueId) -> String {
        let data = &self.values[value];
        if let Some(name) = &data.name {
            return format!("%{name}");
        }
        match &data.definition {
            ValueDefinition::Parameter(_) | ValueDefinition::Instruction(_) => {
                format!("%{}", self.number_of(value))
            }
            ValueDefinition::Global(global) => format!("@{}", self.context.globals[*global].name),
            ValueDefinition::Constant(constant) => match &self.context.constant(*constant).kind {
                ConstantKind::Integer(number) => match number.as_i64() {
                    Some(number) => number.to_string(),
                    None => value.to_string(),
                },
                ConstantKind::Null => "null".to_owned(),
                _ => value.to_string(),
            },
            ValueDefinition::Metadata(_) | ValueDefinition::InlineAsm(_) => value.to_string(),
        }
    }

    /// The number that the text form gives to a value without a name: parameters, blocks and results share one count.
    fn number_of(&self, value: ValueId) -> usize {
        let unnamed = |other: &&ValueId| self.values[**other].name.is_none();
        let mut next = 0;
        for parameter in self.parameters.iter().filter(unnamed) {
            if *parameter == value {
                return next;
            }
            next += 1;
        }
        for block in self.blocks.values() {
            next += usize::from(block.name.is_none());
            for result in
                block.insts.iter().filter_map(|inst| self.insts[*inst].result.as_ref()).filter(unnamed)
            {
                if *result == value {
                    return next;
                }
                next += 1;
            }
        }
        next
    }

    // Making.

    /// Appends a block.
    pub fn add_block(&mut self, name: Option<&str>) -> BlockId {
        self.blocks.push(Block { name: name.map(str::to_owned), insts: Vec::new() })
    }

    /// Appends an instruction to a block. It gets a result unless `result_type` is `void`.
    pub fn add_inst(
        &mut self,
        block: BlockId,
        opcode: Opcode,
        operands: impl IntoIterator<Item = ValueId>,
        result_type: TypeId,
    ) -> InstId {
        let operands = operands.into_iter().collect();
        let (location, metadata) = (None, SmallVec::new());
        let inst = self.insts.push(Inst { opcode, operands, result: None, block, location, metadata });
        if !self.context.ty(result_type).is_void() {
            let definition = ValueDefinition::Instruction(inst);
            self.insts[inst].result =
                Some(self.values.push(Value { ty: result_type, definition, name: None }));
        }
        self.blocks[block].insts.push(inst);
        inst
    }

    /// The value of a constant; always the same for the same constant.
    pub fn constant_value(&mut self, constant: ConstantId) -> ValueId {
        let Constant { ty, kind } = self.context.constant(constant);
        if let ConstantKind::Global(global) = kind {
            let global = *global;
            return self.global_value(global);
        }
        let ty = *ty;
        if let Some(value) = self.constant_values[constant].expand() {
            return value;
        }
        let definition = ValueDefinition::Constant(constant);
        let value = self.values.push(Value { ty, definition, name: None });
        self.constant_values[constant] = value.into();
        value
    }

    /// The value of a global's address; always the same for the same global.
    pub fn global_value(&mut self, global: GlobalId) -> ValueId {
        if let Some(value) = self.global_values[global].expand() {
            return value;
        }
        let address_space = self.context.globals[global].address_space;
        let ty = self.context.intern_type(Type::Pointer { address_space });
        let definition = ValueDefinition::Global(global);
        let value = self.values.push(Value { ty, definition, name: None });
        self.global_values[global] = value.into();
        value
    }

    /// Notes which values the constants and globals have, after values were added by hand.
    pub(super) fn index_values(&mut self) {
        for (id, value) in &self.values {
            match value.definition {
                ValueDefinition::Constant(constant) => self.constant_values[constant] = id.into(),
                ValueDefinition::Global(global) => self.global_values[global] = id.into(),
                ValueDefinition::Parameter(_)
                | ValueDefinition::Instruction(_)
                | ValueDefinition::Metadata(_)
                | ValueDefinition::InlineAsm(_) => {}
            }
        }
    }

    /// A value for metadata as an argument of a call.
    pub fn metadata_value(&mut self, metadata: Metadata) -> ValueId {
        let ty = self.context.intern_type(Type::Metadata);
        let definition = ValueDefinition::Metadata(self.context.metadata.push(metadata));
        self.values.push(Value { ty, definition, name: None })
    }

    /// A value for assembler as a callee.
    pub fn inline_asm_value(&mut self, asm: InlineAsm) -> ValueId {
        let ty = self.context.pointer_type();
        let definition = ValueDefinition::InlineAsm(Box::new(asm));
        self.values.push(Value { ty, definition, name: None })
    }
}

impl Inst {
    /// The arguments, for a call, invoke or callbr; else nothing.
    pub fn arguments(&self) -> &[ValueId] {
        self.opcode.call().map_or(&[], |call| &self.operands[..call.argument_count as usize])
    }

    /// What is called, for a call, invoke or callbr.
    pub fn callee(&self) -> Option<ValueId> {
        self.opcode.call().and_then(|_| self.operands.last().copied())
    }

    /// The operand bundles of a call: tag and operands of each.
    pub fn bundles(&self) -> impl Iterator<Item = (&str, &[ValueId])> {
        let bundles: &[_] = self.opcode.call().map_or(&[], |call: &Call| &call.bundles);
        let mut next = self.arguments().len();
        bundles.iter().map(move |bundle| {
            let start = next;
            next += bundle.operand_count as usize;
            (bundle.tag.as_str(), &self.operands[start..next])
        })
    }

    /// The incoming pairs of a phi: value and the block it comes from.
    pub fn incoming(&self) -> impl Iterator<Item = (ValueId, BlockId)> + '_ {
        let blocks: &[BlockId] = match &self.opcode {
            Opcode::Phi { incoming, .. } => incoming,
            _ => &[],
        };
        self.operands.iter().copied().zip(blocks.iter().copied())
    }

    /// The metadata of this kind.
    pub fn metadata(&self, kind: &str) -> Option<MetadataId> {
        self.metadata.iter().find(|(name, _)| name == kind).map(|(_, id)| *id)
    }
}
