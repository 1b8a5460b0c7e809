//! What constants hold.
//!
//! The cost does not depend on how large a table is: offsets beyond the limit of trees are not looked at.

use rustc_hash::{FxHashMap, FxHashSet};

use super::kind::{Addresses, Kind};
use super::tree::{Limits, TypeTree};
use crate::model::{
    CastOp, ConstantId, ConstantKind, Context, DataLayout, Function, GlobalId, GlobalKind, Opcode, Type,
    TypeId,
};

/// The trees of constants of one function, found once each.
pub(super) struct Constants<'a> {
    pub(super) function: &'a Function,
    pub(super) layout: &'a DataLayout,
    pub(super) limits: Limits,
    /// By the constant and by how many globals away it was asked for.
    known: FxHashMap<(ConstantId, usize), TypeTree>,
    /// Those that are being looked at: a table of pointers may lead back to itself.
    open: FxHashSet<ConstantId>,
    /// Through how many globals the current constant was reached.
    globals: usize,
}

/// Integers up to this one are counts and sizes rather than addresses or bits of floats.
const SMALL: i64 = 4096;

impl<'a> Constants<'a> {
    pub(super) fn new(function: &'a Function, layout: &'a DataLayout, limits: Limits) -> Self {
        Self { function, layout, limits, known: FxHashMap::default(), open: FxHashSet::default(), globals: 0 }
    }

    fn context(&self) -> &'a Context {
        &self.function.context
    }

    /// What a constant holds.
    pub(super) fn of(&mut self, id: ConstantId) -> TypeTree {
        if let Some(tree) = self.known.get(&(id, self.globals)) {
            return tree.clone();
        }
        if !self.open.insert(id) {
            return TypeTree::unknown();
        }
        let tree = self.find(id);
        self.open.remove(&id);
        self.known.insert((id, self.globals), tree.clone());
        tree
    }

    fn find(&mut self, id: ConstantId) -> TypeTree {
        let constant = self.context().constant(id);
        match &constant.kind {
            ConstantKind::Undef | ConstantKind::Poison | ConstantKind::Zero | ConstantKind::NoneToken => {
                TypeTree::of(Kind::Anything)
            }
            ConstantKind::Null => TypeTree::pointer_to(&TypeTree::of(Kind::Anything), self.limits),
            ConstantKind::Float(bits) => match self.context().ty(constant.ty) {
                Type::Float(float) if bits.0 != 0 => TypeTree::of(Kind::Float(*float)),
                _ => TypeTree::of(Kind::Anything),
            },
            ConstantKind::Integer(number) => {
                let small = match number.as_i64() {
                    Some(value) => (1..=SMALL).contains(&value) || value < -1,
                    None => number.is_negative(),
                };
                let kind = if small || number.bits() < 16 { Kind::Integer } else { Kind::Anything };
                TypeTree::of(kind)
            }
            ConstantKind::Aggregate(elements) => self.aggregate(constant.ty, elements),
            ConstantKind::Data(bytes) => self.data(constant.ty, bytes),
            ConstantKind::Splat(element) => self.of(*element).integers_as_anything(),
            ConstantKind::Expression(expression) => match &expression.opcode {
                Opcode::Cast { op, .. } => {
                    let operand = expression.operands[0];
                    let is_number = matches!(self.context().constant(operand).kind, ConstantKind::Integer(_));
                    if *op == CastOp::IntegerToPointer && is_number {
                        return TypeTree::of(Kind::Anything);
                    }
                    self.of(operand)
                }
                // Addresses in globals are followed by the analysis; of arithmetic on addresses nothing is known.
                _ => TypeTree::unknown(),
            },
            ConstantKind::Global(global) => self.global(*global),
            ConstantKind::BlockAddress { .. }
            | ConstantKind::DsoLocalEquivalent(_)
            | ConstantKind::NoCfi(_)
            | ConstantKind::PointerAuthentication(_) => TypeTree::of(Kind::Pointer),
        }
    }

    /// What a global's address holds before anything is known of its uses.
    pub(super) fn global(&mut self, id: GlobalId) -> TypeTree {
        let global = &self.context().globals[id];
        let GlobalKind::Variable(variable) = &global.kind else { return TypeTree::of(Kind::Pointer) };
        match variable.initializer {
            // Each global is one more index in a path: those that are too many away do not show.
            Some(initializer) if variable.is_constant && self.globals < self.limits.depth => {
                self.globals += 1;
                let content = self.of(initializer);
                self.globals -= 1;
                TypeTree::pointer_to(&content, self.limits)
            }
            // One byte is too little for anything else.
            _ if self.layout.store_size(self.context(), global.value_type) == 1 => {
                TypeTree::pointer_to(&TypeTree::of(Kind::Integer), self.limits)
            }
            _ => TypeTree::of(Kind::Pointer),
        }
    }

    fn aggregate(&mut self, ty: TypeId, elements: &[ConstantId]) -> TypeTree {
        let mut tree = TypeTree::unknown();
        let pointer_size = self.layout.pointer_size(0);
        let wide = self.layout.size_in_bits(self.context(), ty) >= 16;
        let offsets = match self.context().ty(ty) {
            Type::Struct(structure) => {
                structure.body.as_ref().map(|body| self.layout.field_offsets(self.context(), body))
            }
            _ => None,
        };
        let stride = self.context().ty(ty).parts().first().map_or(1, |&part| match self.context().ty(ty) {
            Type::Array { .. } => self.layout.allocation_size(self.context(), part),
            _ => self.layout.store_size(self.context(), part),
        });
        for (position, &element) in elements.iter().enumerate() {
            let offset = match &offsets {
                Some(offsets) => offsets[position],
                None => position as u64 * stride,
            };
            if position > 0 && offset > self.limits.offset as u64 {
                break;
            }
            let size = self.layout.store_size(self.context(), self.context().constant(element).ty);
            let mut part = self.of(element);
            if wide {
                part = part.integers_as_anything();
            }
            let part = part.window(0, Some(size), offset, pointer_size, self.limits);
            // Parts do not overlap.
            let _ = tree.merge(&part, Addresses::MayBeIntegers, self.limits);
        }
        tree.canonical(self.layout.store_size(self.context(), ty), pointer_size, self.limits)
    }

    /// A table of plain numbers: floats if there is one that is not zero. Integers may be anything, such as the bits of
    /// floats.
    fn data(&self, ty: TypeId, bytes: &[u8]) -> TypeTree {
        let element = self.context().ty(ty).parts().first().map(|&part| self.context().ty(part));
        match element {
            Some(Type::Float(float)) if bytes.iter().any(|&byte| byte != 0) => {
                TypeTree::of(Kind::Float(*float))
            }
            Some(Type::Integer { bits }) if bytes.len() == 1 && *bits < 16 => TypeTree::of(Kind::Integer),
            _ => TypeTree::of(Kind::Anything),
        }
    }
}
