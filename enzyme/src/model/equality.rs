//! When two functions are the same.
//!
//! Ids say in which order things were met, not what they are. So functions and modules are compared by copies
//! in which everything is numbered in the order of the text, and what nothing names is gone.

use cranelift_entity::SecondaryMap;
use cranelift_entity::packed_option::PackedOption;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::transfer::Transfer;
use super::{
    Context, DebugDeclaration, Function, GlobalKind, InlineAsm, Inst, InstId, MetadataId, Module, Value,
    ValueDefinition, ValueId,
};

impl PartialEq for Function {
    /// Whether both are the same program text, however their entities are numbered.
    fn eq(&self, other: &Self) -> bool {
        same_numbering(&self.renumbered(), &other.renumbered())
    }
}

impl PartialEq for Module {
    /// Whether both are the same program text, however their entities are numbered.
    fn eq(&self, other: &Self) -> bool {
        let by_name = |module: &'_ Self| {
            let mut order: Vec<usize> = (0..module.functions.len()).collect();
            order.sort_by(|left, right| module.functions[*left].name.cmp(&module.functions[*right].name));
            order
        };
        let (left, right) = (self.renumbered(), other.renumbered());
        self.source_name == other.source_name
            && self.assembler == other.assembler
            && self.comdats == other.comdats
            && left.named_metadata == right.named_metadata
            && same_context(&left.context, &right.context)
            && self.functions.len() == other.functions.len()
            && by_name(self)
                .into_iter()
                .zip(by_name(other))
                .all(|(left, right)| self.functions[left] == other.functions[right])
    }
}

impl Function {
    /// The same function with everything numbered in the order of the text: blocks and instructions, then
    /// values as parameters, results, and other operands in the order they are met. What nothing names is
    /// left out.
    pub fn renumbered(&self) -> Self {
        Renumbering::new(self).run()
    }
}

impl Module {
    /// The module's own context, renumbered, without functions.
    fn renumbered(&self) -> Self {
        let mut transfer = Transfer::new(&self.context);
        let order = |kind: &GlobalKind| match kind {
            GlobalKind::Variable(_) => 0,
            GlobalKind::Alias { .. } => 1,
            GlobalKind::IndirectFunction { .. } => 2,
            GlobalKind::Function(_) => 3,
        };
        let mut globals: Vec<_> = self.context.globals.keys().collect();
        globals.sort_by_key(|global| order(&self.context.globals[*global].kind));
        for global in globals {
            transfer.global(global);
        }
        let mut named_metadata = self.named_metadata.clone();
        for (_, nodes) in &mut named_metadata {
            nodes.iter_mut().for_each(|node| *node = transfer.metadata(*node));
        }
        Self { named_metadata, context: transfer.finish(), ..Self::default() }
    }
}

struct Renumbering<'a> {
    from: &'a Function,
    transfer: Transfer<'a>,
    to: Function,
    insts: SecondaryMap<InstId, PackedOption<InstId>>,
    values: SecondaryMap<ValueId, PackedOption<ValueId>>,
    metadata_values: FxHashMap<MetadataId, ValueId>,
    asm_values: Vec<(InlineAsm, ValueId)>,
}

impl<'a> Renumbering<'a> {
    fn new(from: &'a Function) -> Self {
        let mut transfer = Transfer::new(&from.context);
        let function_type = transfer.ty(from.function_type);
        // The copy borrows nothing of the context while it is made; it gets it at the end.
        let mut to = Function::without_parameters(&from.name, function_type);
        to.signature = transfer.signature(&from.signature);
        to.linkage = from.linkage;
        to.address_space = from.address_space;
        to.traits = transfer.traits(&from.traits);
        to.garbage_collector.clone_from(&from.garbage_collector);
        to.personality = from.personality.map(|constant| transfer.constant(constant));
        to.prologue = from.prologue.map(|constant| transfer.constant(constant));
        to.prefix = from.prefix.map(|constant| transfer.constant(constant));
        Self {
            from,
            transfer,
            to,
            insts: SecondaryMap::new(),
            values: SecondaryMap::new(),
            metadata_values: FxHashMap::default(),
            asm_values: Vec::new(),
        }
    }

    fn run(mut self) -> Function {
        let from = self.from;
        for parameter in &from.parameters {
            let copied = self.copy_value(*parameter);
            self.to.parameters.push(copied);
        }
        self.outline();
        self.transfer.values = self.values.clone();
        for inst in from.insts_in_order() {
            self.fill(inst);
        }
        self.to.debug_types.clone_from(&from.debug_types);
        self.to.debug_declarations = self.debug_declarations();
        self.to.context = self.transfer.finish();
        self.to.index_values();
        self.to
    }

    /// What debug information says of the values that were copied.
    fn debug_declarations(&self) -> Vec<DebugDeclaration> {
        let renumbered = |declaration: &DebugDeclaration| {
            let address = self.values[declaration.address].expand()?;
            Some(DebugDeclaration { address, ..declaration.clone() })
        };
        self.from.debug_declarations.iter().filter_map(renumbered).collect()
    }

    /// Blocks, instructions and results, without what instructions name.
    fn outline(&mut self) {
        let from = self.from;
        for block in from.blocks.values() {
            let id = self.to.add_block(block.name.as_deref());
            for inst in &block.insts {
                let Inst { opcode, location, .. } = &from.insts[*inst];
                let copied = self.to.insts.push(Inst {
                    opcode: opcode.clone(),
                    operands: SmallVec::new(),
                    result: None,
                    block: id,
                    location: location.clone(),
                    metadata: SmallVec::new(),
                });
                self.insts[*inst] = copied.into();
                self.to.blocks[id].insts.push(copied);
                if let Some(result) = from.insts[*inst].result {
                    self.to.insts[copied].result = Some(self.copy_value(result));
                }
            }
        }
    }

    fn fill(&mut self, inst: InstId) {
        let from = self.from;
        let Some(copied) = self.insts[inst].expand() else { return };
        let Inst { opcode, operands, metadata, .. } = &from.insts[inst];
        self.to.insts[copied].opcode = self.transfer.opcode(opcode);
        self.to.insts[copied].operands = operands.iter().map(|operand| self.copy_value(*operand)).collect();
        self.to.insts[copied].metadata =
            metadata.iter().map(|(kind, node)| (kind.clone(), self.transfer.metadata(*node))).collect();
    }

    fn copy_value(&mut self, id: ValueId) -> ValueId {
        if let Some(known) = self.values[id].expand() {
            return known;
        }
        let Value { ty, definition, name } = &self.from.values[id];
        let definition = match definition {
            ValueDefinition::Parameter(index) => ValueDefinition::Parameter(*index),
            ValueDefinition::Instruction(inst) => {
                ValueDefinition::Instruction(self.insts[*inst].expand().unwrap_or(*inst))
            }
            ValueDefinition::Constant(constant) => {
                ValueDefinition::Constant(self.transfer.constant(*constant))
            }
            ValueDefinition::Global(global) => ValueDefinition::Global(self.transfer.global(*global)),
            ValueDefinition::Metadata(node) => {
                let node = self.transfer.metadata(*node);
                if let Some(known) = self.metadata_values.get(&node) {
                    return *known;
                }
                ValueDefinition::Metadata(node)
            }
            ValueDefinition::InlineAsm(asm) => {
                if let Some((_, known)) = self.asm_values.iter().find(|(other, _)| *other == **asm) {
                    return *known;
                }
                ValueDefinition::InlineAsm(asm.clone())
            }
        };
        let ty = self.transfer.ty(*ty);
        let copied = self.to.values.push(Value { ty, definition, name: name.clone() });
        match &self.to.values[copied].definition {
            ValueDefinition::Metadata(node) => {
                self.metadata_values.insert(*node, copied);
            }
            ValueDefinition::InlineAsm(asm) => self.asm_values.push(((**asm).clone(), copied)),
            ValueDefinition::Parameter(_)
            | ValueDefinition::Instruction(_)
            | ValueDefinition::Constant(_)
            | ValueDefinition::Global(_) => {}
        }
        self.values[id] = copied.into();
        copied
    }
}

/// Whether two functions are the same, their numbers included.
fn same_numbering(left: &Function, right: &Function) -> bool {
    left.name == right.name
        && left.function_type == right.function_type
        && left.signature == right.signature
        && left.linkage == right.linkage
        && left.address_space == right.address_space
        && left.traits == right.traits
        && left.garbage_collector == right.garbage_collector
        && left.personality == right.personality
        && left.prologue == right.prologue
        && left.prefix == right.prefix
        && left.parameters == right.parameters
        && left.blocks == right.blocks
        && left.insts == right.insts
        && left.values == right.values
        && same_context(&left.context, &right.context)
}

fn same_context(left: &Context, right: &Context) -> bool {
    left.types().eq(right.types())
        && left.constants().eq(right.constants())
        && left.globals == right.globals
        && left.metadata == right.metadata
        && left.data_layout == right.data_layout
        && left.target_triple == right.target_triple
}
