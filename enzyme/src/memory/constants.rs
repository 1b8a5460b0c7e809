//! The pointers in constants.

use smallvec::SmallVec;

use super::build::{Builder, Novelty};
use super::graph::NodeId;
use super::object::{Location, LocationSet, Mutability, ObjectId, Shift};
use super::symbols::{alias_target, holds_no_pointers, known_initializer};
use crate::model::{CastOp, ConstantId, ConstantKind, GlobalId, Opcode, Type, TypeId};

/// How many aliases and expressions deep an address is looked for.
const DEPTH: u32 = 32;

/// Reads constants into the graph of a function.
pub(super) struct ConstantReader<'b, 'a> {
    pub(super) builder: &'b mut Builder<'a>,
}

impl ConstantReader<'_, '_> {
    /// A node for the pointers in a constant.
    pub(super) fn node(mut self, constant: ConstantId) -> NodeId {
        let mut locations = LocationSet::default();
        self.locations(constant, Shift::NONE, DEPTH, &mut locations);
        self.finish(&locations)
    }

    /// A node for the address of a global.
    pub(super) fn global_node(mut self, global: GlobalId) -> NodeId {
        let mut locations = LocationSet::default();
        self.global(global, Shift::NONE, DEPTH, &mut locations);
        self.finish(&locations)
    }

    /// Makes the node, and fills the globals that were met: one after the other, since they may form long chains.
    fn finish(&mut self, locations: &LocationSet) -> NodeId {
        while let Some((object, global)) = self.builder.hollow.pop() {
            self.contents(object, global);
        }
        let locations: SmallVec<[Location; 4]> = locations.iter().collect();
        self.builder.graph.node_of(locations)
    }

    fn global(&mut self, global: GlobalId, shift: Shift, depth: u32, locations: &mut LocationSet) {
        let data = &self.builder.function.context.globals[global];
        if let Some(symbol) = self.builder.around.symbols.of_global(self.builder.id, global) {
            let (object, novelty) = self.builder.global_object(symbol);
            if novelty == Novelty::New {
                self.builder.hollow.push((object, global));
            }
            locations.insert(Location::start(object).shifted(shift));
        } else if let Some(target) = alias_target(data).filter(|_| depth > 0) {
            self.locations(target, shift, depth - 1, locations);
        } else {
            locations.insert(Location::anywhere(ObjectId::OUTSIDE));
        }
    }

    /// The pointers in a variable that never changes.
    fn contents(&mut self, object: ObjectId, global: GlobalId) {
        let data = &self.builder.function.context.globals[global];
        if self.builder.graph.objects()[object].mutability == Mutability::Mutable {
            return;
        }
        match known_initializer(data) {
            Some(initializer) => self.fill(object, initializer, data.value_type, 0),
            None => {
                let outside = self.builder.outside();
                self.builder.graph.store_contents(Location::anywhere(object), None, outside);
            }
        }
    }

    fn fill(&mut self, object: ObjectId, constant: ConstantId, ty: TypeId, start: u64) {
        let context = &self.builder.function.context;
        let kind = &context.constant(constant).kind;
        if holds_no_pointers(kind) {
            return;
        }
        if let ConstantKind::Aggregate(parts) = kind
            && matches!(context.ty(ty), Type::Struct(_) | Type::Array { .. })
        {
            for (&part, (offset, ty)) in parts.iter().zip(self.parts(ty, parts.len())) {
                self.fill(object, part, ty, start.saturating_add(offset));
            }
            return;
        }
        let mut locations = LocationSet::default();
        self.locations(constant, Shift::NONE, DEPTH, &mut locations);
        let locations: SmallVec<[Location; 4]> = locations.iter().collect();
        if locations.is_empty() {
            return;
        }
        let value = self.builder.graph.node_of(locations);
        let place = Location { object, offset: i64::try_from(start).ok() };
        let size = self.builder.size(ty);
        self.builder.graph.store_contents(place, size, value);
    }

    /// Offsets and types of the parts of an aggregate.
    fn parts(&self, ty: TypeId, count: usize) -> Vec<(u64, TypeId)> {
        let (context, layout) = (&self.builder.function.context, &self.builder.layout);
        match context.ty(ty) {
            Type::Array { element, .. } => {
                let size = layout.allocation_size(context, *element);
                (0..count as u64).map(|index| (index * size, *element)).collect()
            }
            Type::Struct(structure) => {
                let Some(body) = &structure.body else { return Vec::new() };
                layout.field_offsets(context, body).into_iter().zip(body.fields.iter().copied()).collect()
            }
            _ => Vec::new(),
        }
    }

    fn locations(&mut self, constant: ConstantId, shift: Shift, depth: u32, locations: &mut LocationSet) {
        let kind = &self.builder.function.context.constant(constant).kind;
        let Some(deeper) = depth.checked_sub(1) else {
            locations.insert(Location::anywhere(ObjectId::OUTSIDE));
            return;
        };
        match kind {
            ConstantKind::Global(global)
            | ConstantKind::DsoLocalEquivalent(global)
            | ConstantKind::NoCfi(global) => self.global(*global, shift, deeper, locations),
            ConstantKind::Aggregate(parts) => {
                for &part in parts {
                    self.locations(part, shift, deeper, locations);
                }
            }
            ConstantKind::Splat(part) => self.locations(*part, shift, deeper, locations),
            ConstantKind::PointerAuthentication(signed) => {
                self.locations(signed.pointer, shift, deeper, locations);
            }
            ConstantKind::Expression(expression) => {
                let operands = &expression.operands;
                match &expression.opcode {
                    Opcode::GetElementPointer { source, .. } => {
                        let shift = shift.then(self.element_shift(*source, &operands[1..]));
                        self.locations(operands[0], shift, deeper, locations);
                    }
                    Opcode::Cast { op, .. } => {
                        if *op == CastOp::IntegerToPointer {
                            // A number of any origin.
                            locations.insert(Location::anywhere(ObjectId::OUTSIDE));
                        }
                        self.locations(operands[0], shift, deeper, locations);
                    }
                    _ => {
                        for &operand in operands {
                            self.locations(operand, Shift::Unknown, deeper, locations);
                        }
                    }
                }
            }
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

    fn element_shift(&self, source: TypeId, indices: &[ConstantId]) -> Shift {
        let context = &self.builder.function.context;
        let indices: Vec<Option<i64>> = indices
            .iter()
            .map(|&index| match &context.constant(index).kind {
                ConstantKind::Integer(index) => index.as_i64(),
                _ => None,
            })
            .collect();
        self.builder.shift_of(source, &indices)
    }
}
