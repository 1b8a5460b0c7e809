//! Copies what is in one context into another.

use std::collections::VecDeque;

use cranelift_entity::SecondaryMap;
use cranelift_entity::packed_option::PackedOption;
use rustc_hash::FxHashMap;

use super::{
    Attribute, AttributeSet, BlockId, BlockReference, Call, Constant, ConstantExpression, ConstantId,
    ConstantKind, Context, Function, Global, GlobalFunction, GlobalId, GlobalKind, GlobalTraits,
    GlobalVariable, Metadata, MetadataId, MetadataIdentity, Opcode, PointerAuthentication, Signature,
    StructBody, SwitchCase, Type, TypeId, ValueId,
};

/// Copies entities from one context to another, each once, and knows what has become of them.
///
/// Blocks keep their ids. Uniqued metadata of the same contents becomes one node.
#[derive(Debug)]
pub(super) struct Transfer<'a> {
    from: &'a Context,
    /// The context that entities are copied to.
    pub(super) to: Context,
    /// What has become of the values that metadata names.
    pub(super) values: SecondaryMap<ValueId, PackedOption<ValueId>>,
    types: SecondaryMap<TypeId, PackedOption<TypeId>>,
    constants: SecondaryMap<ConstantId, PackedOption<ConstantId>>,
    globals: SecondaryMap<GlobalId, PackedOption<GlobalId>>,
    metadata: SecondaryMap<MetadataId, NodeState>,
    known_metadata: FxHashMap<Metadata, MetadataId>,
    /// Globals whose contents have not been copied yet.
    hollow: VecDeque<GlobalId>,
    /// The labels of the blocks that addresses name, when the copies are not for the same function.
    labels: Option<SecondaryMap<BlockId, String>>,
}

#[derive(Clone, Copy, Debug, Default)]
enum NodeState {
    #[default]
    Unseen,
    /// Its elements are being copied.
    Open,
    /// The same, and it is an element of itself.
    OpenNamed(MetadataId),
    Copied(MetadataId),
}

impl<'a> Transfer<'a> {
    pub(super) fn new(from: &'a Context) -> Self {
        let mut to = Context::default();
        to.data_layout.clone_from(&from.data_layout);
        to.target_triple.clone_from(&from.target_triple);
        Self::into(from, to, None)
    }

    /// Copies what a function names to a context that others use too. Globals are told by their names.
    pub(super) fn out_of(function: &'a Function, to: Context) -> Self {
        Self::into(&function.context, to, Some(function.block_labels()))
    }

    fn into(from: &'a Context, to: Context, labels: Option<SecondaryMap<BlockId, String>>) -> Self {
        Self {
            from,
            to,
            labels,
            values: SecondaryMap::new(),
            types: SecondaryMap::new(),
            constants: SecondaryMap::new(),
            globals: SecondaryMap::new(),
            metadata: SecondaryMap::new(),
            known_metadata: FxHashMap::default(),
            hollow: VecDeque::new(),
        }
    }

    /// Copies the contents of all globals that were met, and gives the context.
    pub(super) fn finish(mut self) -> Context {
        while let Some(global) = self.hollow.pop_front() {
            let copied = self.global(global);
            let kind = self.global_kind(&self.from.globals[global].kind);
            let traits = self.traits(&self.from.globals[global].traits);
            self.to.globals[copied].kind = kind;
            self.to.globals[copied].traits = traits;
        }
        self.to
    }

    pub(super) fn ty(&mut self, id: TypeId) -> TypeId {
        if let Some(known) = self.types[id].expand() {
            return known;
        }
        let mut ty = self.from.ty(id).clone();
        match &mut ty {
            Type::Array { element, .. } | Type::Vector { element, .. } => *element = self.ty(*element),
            Type::Struct(structure) => {
                if let Some(StructBody { fields, .. }) = &mut structure.body {
                    self.types_in(fields);
                }
            }
            Type::Function(function) => {
                function.result = self.ty(function.result);
                self.types_in(&mut function.parameters);
            }
            Type::Target(target) => self.types_in(&mut target.types),
            Type::Void
            | Type::Float(_)
            | Type::Integer { .. }
            | Type::Pointer { .. }
            | Type::Token
            | Type::Metadata
            | Type::Label
            | Type::X86Mmx
            | Type::X86Amx => {}
        }
        let copied = self.to.intern_type(ty);
        self.types[id] = copied.into();
        copied
    }

    fn types_in(&mut self, types: &mut [TypeId]) {
        types.iter_mut().for_each(|ty| *ty = self.ty(*ty));
    }

    pub(super) fn constant(&mut self, id: ConstantId) -> ConstantId {
        if let Some(known) = self.constants[id].expand() {
            return known;
        }
        let Constant { ty, kind } = self.from.constant(id);
        let ty = self.ty(*ty);
        let kind = match kind {
            ConstantKind::Integer(_)
            | ConstantKind::Float(_)
            | ConstantKind::Null
            | ConstantKind::Undef
            | ConstantKind::Poison
            | ConstantKind::Zero
            | ConstantKind::NoneToken
            | ConstantKind::Data(_) => kind.clone(),
            ConstantKind::Aggregate(elements) => {
                ConstantKind::Aggregate(elements.iter().map(|element| self.constant(*element)).collect())
            }
            ConstantKind::Splat(element) => ConstantKind::Splat(self.constant(*element)),
            ConstantKind::Expression(expression) => {
                let opcode = self.opcode(&expression.opcode);
                let operands = expression.operands.iter().map(|operand| self.constant(*operand)).collect();
                ConstantKind::Expression(Box::new(ConstantExpression { opcode, operands }))
            }
            ConstantKind::Global(global) => ConstantKind::Global(self.global(*global)),
            ConstantKind::BlockAddress { function, block } => {
                let block = match (block, &self.labels) {
                    (BlockReference::Own(block), Some(labels)) => {
                        BlockReference::Other(labels[*block].clone())
                    }
                    (BlockReference::Own(_) | BlockReference::Other(_), _) => block.clone(),
                };
                ConstantKind::BlockAddress { function: self.global(*function), block }
            }
            ConstantKind::DsoLocalEquivalent(global) => {
                ConstantKind::DsoLocalEquivalent(self.global(*global))
            }
            ConstantKind::NoCfi(global) => ConstantKind::NoCfi(self.global(*global)),
            ConstantKind::PointerAuthentication(parts) => {
                let mut copy = |part: Option<ConstantId>| part.map(|part| self.constant(part));
                let discriminator = copy(parts.discriminator);
                let address_discriminator = copy(parts.address_discriminator);
                let deactivation_symbol = copy(parts.deactivation_symbol);
                ConstantKind::PointerAuthentication(Box::new(PointerAuthentication {
                    pointer: self.constant(parts.pointer),
                    key: self.constant(parts.key),
                    discriminator,
                    address_discriminator,
                    deactivation_symbol,
                }))
            }
        };
        let copied = self.to.intern_constant(Constant { ty, kind });
        self.constants[id] = copied.into();
        copied
    }

    /// A global. What it holds is copied by [`Self::finish`], since it may name any other.
    pub(super) fn global(&mut self, id: GlobalId) -> GlobalId {
        if let Some(known) = self.globals[id].expand() {
            return known;
        }
        let Global { name, value_type, linkage, address_space, .. } = &self.from.globals[id];
        if self.labels.is_some()
            && let Some(known) = self.to.find_global(name)
        {
            self.globals[id] = known.into();
            return known;
        }
        let value_type = self.ty(*value_type);
        let copied = self.to.globals.push(Global {
            name: name.clone(),
            value_type,
            linkage: *linkage,
            address_space: *address_space,
            traits: GlobalTraits::default(),
            kind: GlobalKind::Variable(GlobalVariable::default()),
        });
        self.globals[id] = copied.into();
        self.hollow.push_back(id);
        copied
    }

    fn global_kind(&mut self, kind: &GlobalKind) -> GlobalKind {
        match kind {
            GlobalKind::Variable(variable) => GlobalKind::Variable(GlobalVariable {
                initializer: variable.initializer.map(|initializer| self.constant(initializer)),
                attributes: self.attributes(&variable.attributes),
                ..*variable
            }),
            GlobalKind::Function(function) => GlobalKind::Function(GlobalFunction {
                signature: self.signature(&function.signature),
                body: function.body,
            }),
            GlobalKind::Alias { target } => GlobalKind::Alias { target: self.constant(*target) },
            GlobalKind::IndirectFunction { resolver } => {
                GlobalKind::IndirectFunction { resolver: self.constant(*resolver) }
            }
        }
    }

    pub(super) fn signature(&mut self, signature: &Signature) -> Signature {
        Signature {
            calling_convention: signature.calling_convention,
            attributes: self.attributes(&signature.attributes),
            return_attributes: self.attributes(&signature.return_attributes),
            parameter_attributes: self.attribute_sets(&signature.parameter_attributes),
        }
    }

    /// Sets for places one after the other; empty ones at the end do not count.
    fn attribute_sets(&mut self, sets: &[AttributeSet]) -> Vec<AttributeSet> {
        let used = sets.iter().rposition(|set| !set.is_empty()).map_or(0, |last| last + 1);
        sets[..used].iter().map(|set| self.attributes(set)).collect()
    }

    pub(super) fn traits(&mut self, traits: &GlobalTraits) -> GlobalTraits {
        let mut copied = traits.clone();
        copied.metadata.iter_mut().for_each(|(_, node)| *node = self.metadata(*node));
        copied
    }

    fn attributes(&mut self, attributes: &AttributeSet) -> AttributeSet {
        let copy = |attribute: &Attribute| match attribute {
            Attribute::Type(name, ty) => Attribute::Type(name.clone(), self.ty(*ty)),
            Attribute::Flag(_) | Attribute::Integer(..) | Attribute::Text(..) | Attribute::String(..) => {
                attribute.clone()
            }
        };
        attributes.iter().map(copy).collect()
    }

    pub(super) fn metadata(&mut self, id: MetadataId) -> MetadataId {
        match self.metadata[id] {
            NodeState::Copied(known) | NodeState::OpenNamed(known) => return known,
            NodeState::Open => {
                let empty = Metadata::Node { identity: MetadataIdentity::Distinct, elements: Vec::new() };
                let named = self.to.metadata.push(empty);
                self.metadata[id] = NodeState::OpenNamed(named);
                return named;
            }
            NodeState::Unseen => self.metadata[id] = NodeState::Open,
        }
        let from = self.from;
        let copy = match &from.metadata[id] {
            Metadata::String(text) => Metadata::String(text.clone()),
            Metadata::Constant(constant) => Metadata::Constant(self.constant(*constant)),
            Metadata::Value(value) => Metadata::Value(self.values[*value].expand().unwrap_or(*value)),
            Metadata::Node { identity, elements } => Metadata::Node {
                identity: *identity,
                elements: elements
                    .iter()
                    .map(|element| element.map(|element| self.metadata(element)))
                    .collect(),
            },
        };
        let is_distinct = matches!(copy, Metadata::Node { identity: MetadataIdentity::Distinct, .. });
        let copied = match self.metadata[id] {
            NodeState::OpenNamed(named) => {
                self.to.metadata[named] = copy;
                named
            }
            _ if is_distinct => self.to.metadata.push(copy),
            _ => match self.known_metadata.get(&copy) {
                Some(known) => *known,
                None => {
                    let new = self.to.metadata.push(copy.clone());
                    self.known_metadata.insert(copy, new);
                    new
                }
            },
        };
        self.metadata[id] = NodeState::Copied(copied);
        copied
    }

    /// An opcode with all it names.
    pub(super) fn opcode(&mut self, opcode: &Opcode) -> Opcode {
        let mut copied = opcode.clone();
        match &mut copied {
            Opcode::Switch { cases, .. } => {
                for SwitchCase { value, .. } in cases {
                    *value = self.constant(*value);
                }
            }
            Opcode::Call(call) | Opcode::Invoke { call, .. } | Opcode::CallBranch { call, .. } => {
                self.call(call)
            }
            Opcode::Alloca { allocated: ty, .. } | Opcode::GetElementPointer { source: ty, .. } => {
                *ty = self.ty(*ty)
            }
            Opcode::Return
            | Opcode::Branch { .. }
            | Opcode::ConditionalBranch { .. }
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
            | Opcode::Load { .. }
            | Opcode::Store { .. }
            | Opcode::Fence { .. }
            | Opcode::CompareExchange(_)
            | Opcode::AtomicReadModifyWrite(_)
            | Opcode::Phi { .. }
            | Opcode::Select { .. }
            | Opcode::Freeze
            | Opcode::VaArg => {}
        }
        copied
    }

    fn call(&mut self, call: &mut Call) {
        call.function_type = self.ty(call.function_type);
        call.return_attributes = self.attributes(&call.return_attributes);
        call.argument_attributes = self.attribute_sets(&call.argument_attributes);
        call.function_attributes = self.attributes(&call.function_attributes);
    }
}
