//! Pointers whose shadows in all directions are found from one address.
//!
//! With several directions, memory has a shadow for each of them, and a pointer as many. Fewer addresses are computed and
//! kept where all shadows are found from one:
//!
//! - The caller says of a parameter's shadows how far apart they lie. So lie those of every pointer that is made of it.
//! - Where memory is the function's own, and every access to its shadows is known and of the same size, one piece of memory
//!   can hold all of them, the tangents of one element side by side: what is `offset` bytes into the memory is
//!   `width * offset` bytes into the shadows. Then the tangents of an element are read and written together, too.
//!
//! Pointers that may be made of one another form a class. Memory whose shadows lie side by side can be reached by the
//! pointers of one class only, and what is done with one of them is done with all.

use super::flow::Carries;
use super::forward::{ForwardPlan, ForwardStep};
use super::role::Role;
use super::{Context, DerivedCall};
use crate::model::{
    ConstantKind, DataLayout, Function, InstId, IntBinaryOp, Opcode, SecondaryMap, Type, TypeId,
    ValueDefinition, ValueId, VectorLength,
};
use rustc_hash::FxHashSet;

/// How the shadows of a pointer in all directions are found from the one in the first direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ShadowLayout {
    /// The bytes from the shadow in one direction to that in the next.
    pub step: u64,
    /// How many times as far things lie apart in the shadows as in the memory itself.
    pub scale: u64,
}

impl ShadowLayout {
    /// Each shadow is laid out as the memory is, so many bytes behind the one before.
    pub fn strided(step: u64) -> ShadowLayout {
        ShadowLayout { step, scale: 1 }
    }

    /// Whether the tangents of one element of the memory lie side by side.
    pub fn is_side_by_side(self) -> bool {
        self.scale > 1
    }
}

/// Where the shadows of a parameter lie.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GivenShadows {
    /// Anywhere.
    #[default]
    Apart,
    /// As the layout says.
    Laid(ShadowLayout),
    /// As the plan wishes.
    AsWished,
}

/// What is known of the derivatives of functions that are called.
pub trait Callees {
    /// For each argument of a call the size of the elements of the memory behind it, if the derivative of the function called
    /// can work with shadows that lie side by side.
    fn elements(&self, caller: &Function, call: &DerivedCall) -> Vec<Option<u64>>;
}

/// Nothing is known of any function.
pub struct NoCallees;

impl Callees for NoCallees {
    fn elements(&self, _: &Function, call: &DerivedCall) -> Vec<Option<u64>> {
        vec![None; call.arguments.len()]
    }
}

/// The sizes that elements may have: those of floats that registers hold.
const ELEMENTS: [u64; 3] = [2, 4, 8];

/// Finds the pointers whose shadows are found from one address, and plans for them.
pub(super) fn lay_out(
    function: &Function,
    roles: &SecondaryMap<InstId, Role>,
    context: &Context<'_>,
    plan: &mut ForwardPlan,
) {
    let mut search = Search { function, plan, callees: context.callees, classes: Classes::new(function) };
    let over_shadows = |inst: &InstId| plan.steps[*inst] != ForwardStep::Keep;
    for inst in function.insts_in_order().filter(over_shadows) {
        search.join(inst);
    }
    search.look_at_parameters(context.shadows);
    for inst in function.insts_in_order().filter(over_shadows) {
        search.look_at(inst, &roles[inst]);
    }
    search.settle_copies(roles);
    let layouts = search.layouts(context.width as u64);
    for inst in function.insts_in_order() {
        if let (true, Some(step)) =
            (plan.steps[inst].is_mirror(), at_once(function, inst, &roles[inst], &layouts))
        {
            plan.steps[inst] = step;
        }
    }
    plan.layouts = layouts;
}

/// The step of a copy or a fill of shadows that lie side by side.
fn at_once(
    function: &Function,
    inst: InstId,
    role: &Role,
    layouts: &SecondaryMap<ValueId, Option<ShadowLayout>>,
) -> Option<ForwardStep> {
    let operands = &function.insts[inst].operands;
    let side_by_side = |index: usize| layouts[operands[index]].filter(|layout| layout.is_side_by_side());
    match *role {
        Role::CopyMemory { to, from, length } => {
            let element = side_by_side(to).or_else(|| side_by_side(from))?.step;
            Some(ForwardStep::CopyElements { to, from, length, element })
        }
        Role::FillMemory { to, length } => side_by_side(to).map(|_| ForwardStep::FillElements { to, length }),
        _ => None,
    }
}

/// What is known of the memory behind a class of pointers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Class {
    /// Nothing yet.
    #[default]
    Untouched,
    /// It is the function's own, and its elements are of that size.
    Elements(u64),
    /// Each shadow lies so many bytes behind the one before.
    Strided(u64),
    /// Its shadows may lie anywhere.
    Apart,
}

/// Sets of values, each with what is known of it.
struct Classes {
    parent: SecondaryMap<ValueId, Option<ValueId>>,
    known: SecondaryMap<ValueId, Class>,
}

impl Classes {
    fn new(function: &Function) -> Classes {
        let count = function.values.len();
        Classes { parent: SecondaryMap::with_capacity(count), known: SecondaryMap::with_capacity(count) }
    }

    fn root(&self, mut value: ValueId) -> ValueId {
        while let Some(parent) = self.parent[value] {
            value = parent;
        }
        value
    }

    fn of(&self, value: ValueId) -> Class {
        self.known[self.root(value)]
    }

    fn set(&mut self, value: ValueId, class: Class) {
        let root = self.root(value);
        self.known[root] = class;
    }

    fn join(&mut self, one: ValueId, other: ValueId) {
        let (one, other) = (self.root(one), self.root(other));
        if one != other {
            let (low, high) = (one.min(other), one.max(other));
            self.parent[high] = Some(low);
        }
    }

    /// Something is done with the shadows for which they must not lie side by side.
    fn keep_apart(&mut self, value: ValueId) {
        match self.of(value) {
            Class::Untouched | Class::Elements(_) => self.set(value, Class::Apart),
            Class::Strided(_) | Class::Apart => {}
        }
    }

    /// An access to one element of a size.
    fn access(&mut self, value: ValueId, size: u64) {
        match self.of(value) {
            Class::Untouched if ELEMENTS.contains(&size) => self.set(value, Class::Elements(size)),
            Class::Elements(element) if element != size => self.set(value, Class::Apart),
            Class::Untouched => self.set(value, Class::Apart),
            Class::Elements(_) | Class::Strided(_) | Class::Apart => {}
        }
    }
}

struct Search<'a> {
    function: &'a Function,
    plan: &'a ForwardPlan,
    callees: &'a dyn Callees,
    classes: Classes,
}

impl Search<'_> {
    /// Whether the value is a pointer, with shadows, of which it is known here where it comes from.
    fn is_known(&self, value: ValueId) -> bool {
        if self.plan.carries[value] != Carries::Derivative || !self.function.type_of(value).is_pointer() {
            return false;
        }
        match self.function.values[value].definition {
            ValueDefinition::Parameter(_) => true,
            _ => self.function.as_inst(value).is_some_and(|inst| {
                matches!(
                    self.function.insts[inst].opcode,
                    Opcode::Alloca { .. }
                        | Opcode::GetElementPointer { .. }
                        | Opcode::Phi { .. }
                        | Opcode::Select { .. }
                )
            }),
        }
    }

    /// The operands that an instruction's result may be, or be an address beside.
    fn sources(&self, inst: InstId) -> &[ValueId] {
        let data = &self.function.insts[inst];
        match data.opcode {
            Opcode::GetElementPointer { .. } => &data.operands[..1],
            Opcode::Phi { .. } => &data.operands,
            Opcode::Select { .. } => &data.operands[1..],
            _ => &[],
        }
    }

    fn layouts(&self, width: u64) -> SecondaryMap<ValueId, Option<ShadowLayout>> {
        let mut layouts = SecondaryMap::new();
        for value in self.function.values.keys().filter(|&value| self.is_known(value)) {
            layouts[value] = match self.classes.of(value) {
                Class::Elements(element) => Some(ShadowLayout { step: element, scale: width }),
                Class::Strided(step) => Some(ShadowLayout::strided(step)),
                Class::Untouched | Class::Apart => None,
            };
        }
        layouts
    }

    fn look_at_parameters(&mut self, shadows: &[GivenShadows]) {
        let mut wished = FxHashSet::default();
        let shadows = shadows.iter().copied().chain(std::iter::repeat(GivenShadows::Apart));
        for (&parameter, given) in self.function.parameters.iter().zip(shadows) {
            if !self.is_known(parameter) {
                continue;
            }
            match given {
                GivenShadows::Laid(layout) if layout.is_side_by_side() => {
                    self.classes.access(parameter, layout.step);
                }
                GivenShadows::Laid(ShadowLayout { step, .. }) => {
                    let class = match self.classes.of(parameter) {
                        Class::Untouched => Class::Strided(step),
                        Class::Strided(other) if step == other => Class::Strided(step),
                        Class::Elements(_) | Class::Strided(_) | Class::Apart => Class::Apart,
                    };
                    self.classes.set(parameter, class);
                }
                // What is wished of one parameter must not hang on what becomes of another.
                GivenShadows::AsWished if wished.insert(self.classes.root(parameter)) => {}
                GivenShadows::AsWished | GivenShadows::Apart => self.classes.set(parameter, Class::Apart),
            }
        }
    }

    fn join(&mut self, inst: InstId) {
        let Some(result) = self.function.insts[inst].result.filter(|&result| self.is_known(result)) else {
            return;
        };
        for index in 0..self.sources(inst).len() {
            let source = self.sources(inst)[index];
            if self.is_known(source) {
                self.classes.join(result, source);
            }
        }
    }

    fn look_at(&mut self, inst: InstId, role: &Role) {
        let data = &self.function.insts[inst];
        let result = data.result.filter(|&result| self.is_known(result));
        match (&data.opcode, result) {
            (Opcode::Alloca { allocated, .. }, Some(result)) => {
                let is_strided = matches!(self.classes.of(result), Class::Strided(_));
                if is_strided || is_scalable(self.function, *allocated) {
                    self.classes.set(result, Class::Apart);
                }
                return;
            }
            (Opcode::GetElementPointer { source, .. }, Some(result)) => {
                if is_scalable(self.function, *source) {
                    self.classes.set(result, Class::Apart);
                }
                return self.look_at_sources(inst, result);
            }
            (Opcode::Phi { .. } | Opcode::Select { .. }, Some(result)) => {
                return self.look_at_sources(inst, result);
            }
            _ => {}
        }
        let is_plain = self.plan.guards[inst].is_none();
        if let (ForwardStep::Call(call), true) = (&self.plan.steps[inst], is_plain) {
            return self.look_at_call(inst, call);
        }
        match role {
            Role::Load if is_plain => {
                if let Some(result) = data.result {
                    self.access(data.operands[0], self.function.values[result].ty);
                }
            }
            Role::Store if is_plain => {
                self.keep_apart(data.operands[0]);
                self.access(data.operands[1], self.function.values[data.operands[0]].ty);
            }
            // Copies are looked at last, when both sides are known.
            Role::CopyMemory { .. } if is_plain && self.is_whole(inst, 2) => {}
            Role::FillMemory { .. } if is_plain && self.is_whole(inst, 1) => {}
            _ => {
                for index in 0..data.operands.len() {
                    self.keep_apart(data.operands[index]);
                }
            }
        }
    }

    /// The derivative that is called reads and writes elements, or wants the shadows apart.
    fn look_at_call(&mut self, inst: InstId, call: &DerivedCall) {
        let arguments = self.function.insts[inst].arguments();
        let may_be_side_by_side = |&argument: &ValueId| {
            self.is_known(argument)
                && matches!(self.classes.of(argument), Class::Untouched | Class::Elements(_))
        };
        if !arguments.iter().any(may_be_side_by_side) {
            return;
        }
        let elements = self.callees.elements(self.function, call);
        for (&argument, element) in arguments.iter().zip(elements) {
            match element {
                Some(element) if self.is_known(argument) => self.classes.access(argument, element),
                _ => self.keep_apart(argument),
            }
        }
    }

    /// What flows into a pointer must be known, or lead nowhere.
    fn look_at_sources(&mut self, inst: InstId, result: ValueId) {
        let is_right = |&source: &ValueId| {
            self.is_known(source)
                || matches!(
                    self.function.as_constant(source),
                    Some(ConstantKind::Null | ConstantKind::Undef | ConstantKind::Poison)
                )
        };
        if !self.sources(inst).iter().all(is_right) {
            self.classes.set(result, Class::Apart);
        }
    }

    fn keep_apart(&mut self, value: ValueId) {
        if self.is_known(value) {
            self.classes.keep_apart(value);
        }
    }

    fn access(&mut self, pointer: ValueId, ty: TypeId) {
        if self.is_known(pointer) {
            let context = &self.function.context;
            let size = DataLayout::of(context).allocation_size(context, ty);
            self.classes.access(pointer, size);
        }
    }

    /// Whether a copy or a fill is one of zeros, or one over the shadows of so many pointers, and nothing is made of what
    /// it returns.
    fn is_whole(&self, inst: InstId, pointers: usize) -> bool {
        let returns_shadow = self.function.insts[inst]
            .result
            .is_some_and(|result| self.plan.carries[result] == Carries::Derivative);
        let is_whole = match &self.plan.steps[inst] {
            ForwardStep::ClearShadow { .. } => true,
            ForwardStep::Mirror { operands, zeroed, .. } => operands.len() == pointers && zeroed.is_empty(),
            _ => false,
        };
        is_whole && !returns_shadow
    }

    /// Copies between memories: those of the same elements are copied as they are, and between others one element after
    /// the other is. Memory that is only copied has the elements of what it is copied from or to.
    fn settle_copies(&mut self, roles: &SecondaryMap<InstId, Role>) {
        let function = self.function;
        let copies: Vec<InstId> = function
            .insts_in_order()
            .filter(|&inst| {
                self.plan.steps[inst] != ForwardStep::Keep
                    && matches!(roles[inst], Role::CopyMemory { .. } | Role::FillMemory { .. })
            })
            .collect();
        let mut is_settled = false;
        while !is_settled {
            is_settled = true;
            for &inst in &copies {
                let operands = &function.insts[inst].operands;
                let (to, from, length) = match roles[inst] {
                    Role::CopyMemory { to, from, length } => (operands[to], Some(operands[from]), length),
                    Role::FillMemory { to, length } => (operands[to], None, length),
                    _ => continue,
                };
                let from = from.filter(|_| !matches!(self.plan.steps[inst], ForwardStep::ClearShadow { .. }));
                is_settled &= self.settle(to, from, operands[length]) == Change::None;
            }
        }
    }

    fn settle(&mut self, to: ValueId, from: Option<ValueId>, length: ValueId) -> Change {
        let class = |value: ValueId| match self.classes.of(value) {
            class @ (Class::Untouched | Class::Elements(_)) if self.is_known(value) => class,
            _ => Class::Apart,
        };
        let (target, source) = (class(to), from.map(class));
        let (target, source) = match (target, source) {
            // Without an access there is nothing to gain.
            (
                Class::Apart | Class::Untouched | Class::Strided(_),
                None | Some(Class::Apart | Class::Untouched | Class::Strided(_)),
            ) => return Change::None,
            (Class::Elements(one), Some(Class::Elements(other))) if one != other => {
                (Class::Apart, Class::Apart)
            }
            (Class::Untouched, Some(source @ Class::Elements(_))) => (source, source),
            (target @ Class::Elements(_), Some(Class::Untouched)) => (target, target),
            (Class::Elements(element), _)
            | (Class::Apart | Class::Strided(_), Some(Class::Elements(element))) => {
                match is_multiple(self.function, length, element) {
                    true => return Change::None,
                    false => (Class::Apart, Class::Apart),
                }
            }
        };
        for (value, class) in [(Some(to), target), (from, source)] {
            let has_class = |value: &ValueId| {
                self.is_known(*value) && !matches!(self.classes.of(*value), Class::Strided(_))
            };
            if let Some(value) = value.filter(has_class) {
                self.classes.set(value, class);
            }
        }
        Change::Some
    }
}

/// Whether something new became known.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Change {
    None,
    Some,
}

/// Whether the size of a type is known at run time only.
fn is_scalable(function: &Function, ty: TypeId) -> bool {
    match function.ty(ty) {
        Type::Vector { length, .. } => matches!(length, VectorLength::Scalable(_)),
        Type::Array { element, .. } => is_scalable(function, *element),
        Type::Struct(structure) => {
            structure.body.iter().flat_map(|body| &body.fields).any(|&field| is_scalable(function, field))
        }
        _ => false,
    }
}

/// Whether a number is certainly a multiple of `factor`, a power of two.
fn is_multiple(function: &Function, number: ValueId, factor: u64) -> bool {
    let constant = |value: ValueId| match function.as_constant(value) {
        Some(ConstantKind::Integer(number)) => number.as_u64(),
        Some(ConstantKind::Zero) => Some(0),
        _ => None,
    };
    if let Some(number) = constant(number) {
        return number.is_multiple_of(factor);
    }
    let Some(inst) = function.as_inst(number) else { return false };
    let data = &function.insts[inst];
    let Opcode::IntBinary { op, .. } = data.opcode else { return false };
    match (op, constant(data.operands[1])) {
        (IntBinaryOp::ShiftLeft, Some(distance)) => {
            distance < 64 && (1_u64 << distance).is_multiple_of(factor)
        }
        (IntBinaryOp::Multiply, Some(count)) => count.is_multiple_of(factor),
        _ => false,
    }
}
