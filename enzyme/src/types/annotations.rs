//! What programs say of types themselves: attributes, metadata, marker calls, type-based alias analysis.

use super::kind::{Addresses, Kind};
use super::local::Local;
use super::reasons::Because;
use super::tree::{EVERY, TypeTree};
use crate::model::{AttributeSet, FloatType, GlobalKind, InstId, Opcode, Signature, ValueId};

/// Calls whose names contain one of these say what the memory behind their first argument holds; a second argument says
/// for how many bytes.
const MARKERS: [(&str, Kind); 4] = [
    ("__enzyme_float", Kind::Float(FloatType::Float)),
    ("__enzyme_double", Kind::Float(FloatType::Double)),
    ("__enzyme_integer", Kind::Integer),
    ("__enzyme_pointer", Kind::Pointer),
];

impl Local<'_> {
    /// Learns from attributes, metadata and markers, before anything else.
    pub(super) fn consider_annotations(&mut self) {
        let function = self.function;
        for (index, &parameter) in function.parameters.iter().enumerate() {
            if let Some(tree) = function.signature.parameter_attributes(index).and_then(annotated) {
                self.learn(
                    parameter,
                    tree,
                    Because::constant("the attribute `enzyme_type` of the parameter"),
                );
            }
        }
        for inst in function.insts_in_order() {
            let data = &function.insts[inst];
            let node = data.metadata.iter().find(|(name, _)| name == "enzyme_type").map(|(_, node)| *node);
            if let (Some(result), Some(node)) = (data.result, node)
                && let Some(tree) = TypeTree::from_metadata(&function.context, node)
            {
                self.learn(result, tree, Because::new(inst, "the metadata `enzyme_type`"));
            }
            if data.opcode.call().is_some() {
                self.annotated_call(inst);
            }
            self.consider_tbaa(inst);
        }
        if let Some(tree) = annotated(&function.signature.return_attributes) {
            for inst in function.insts_in_order() {
                let data = &function.insts[inst];
                if let (Opcode::Return, [value]) = (&data.opcode, &data.operands[..]) {
                    let because = Because::constant("the attribute `enzyme_type` of the function's result");
                    self.learn(*value, tree.clone(), because);
                }
            }
        }
    }

    fn annotated_call(&mut self, inst: InstId) {
        let function = self.function;
        let data = &function.insts[inst];
        let Some(call) = data.opcode.call() else { return };
        let because = Because::new(inst, "the attribute `enzyme_type`");
        let callee = function.direct_callee(inst).map(|global| &function.context.globals[global]);
        let signature: Option<&Signature> = callee.and_then(|global| match &global.kind {
            GlobalKind::Function(function) => Some(&function.signature),
            _ => None,
        });
        let of_result =
            [Some(&call.return_attributes), signature.map(|signature| &signature.return_attributes)];
        for tree in of_result.into_iter().flatten().filter_map(annotated) {
            if let Some(result) = data.result {
                self.learn(result, tree, because);
            }
        }
        for (index, &argument) in data.arguments().iter().enumerate() {
            let of_argument = [
                call.argument_attributes.get(index),
                signature.and_then(|signature| signature.parameter_attributes(index)),
            ];
            for tree in of_argument.into_iter().flatten().filter_map(annotated) {
                self.learn(argument, tree, because);
            }
        }
        let name = callee.map(|global| global.name.as_str()).unwrap_or_default();
        if let Some(&(_, kind)) = MARKERS.iter().find(|(marker, _)| name.contains(marker)) {
            self.marker(inst, kind, data.arguments());
        }
    }

    fn marker(&mut self, inst: InstId, kind: Kind, arguments: &[ValueId]) {
        let Some(&pointer) =
            arguments.first().filter(|pointer| self.function.type_of(**pointer).is_pointer())
        else {
            return;
        };
        let bytes = match arguments.get(1) {
            None => 1,
            Some(&size) => super::facts::constant(self.function, size).unwrap_or(1),
        };
        let mut memory = TypeTree::unknown();
        if bytes < 0 {
            memory = TypeTree::of(kind);
        }
        let stride = kind.stride(self.pointer_size()) as usize;
        for offset in (0..bytes.min(self.limits().offset.into())).step_by(stride) {
            let _ = memory.add(&[offset as i32], kind, Addresses::AreAddresses, self.limits());
        }
        self.learn(
            pointer,
            TypeTree::pointer_to(&memory, self.limits()),
            Because::new(inst, "a marker says so"),
        );
    }

    fn consider_tbaa(&mut self, inst: InstId) {
        let function = self.function;
        let data = &function.insts[inst];
        if data.metadata.is_empty() {
            return;
        }
        let Some(memory) = self.facts.accessed(function, data, self.limits()) else {
            return;
        };
        let because = Because::new(inst, "the type-based alias information (TBAA) of the access");
        let of_pointer = |local: &Self, size: u64| {
            let memory = local.window(&memory.without_anything(), 0, Some(size), 0);
            TypeTree::pointer_to(&memory, local.limits())
        };
        let of_value = |local: &Self, size: u64| local.loaded(&local.everywhere(&memory), size);
        match (&data.opcode, &data.operands[..]) {
            (Opcode::Store { .. }, &[value, pointer]) => {
                let size = self.size(value);
                self.learn(pointer, of_pointer(self, size), because);
                self.learn(value, of_value(self, size), because);
            }
            (Opcode::Load { .. }, &[pointer]) => {
                let Some(result) = data.result else { return };
                let size = self.size(result);
                self.learn(pointer, of_pointer(self, size), because);
                self.learn(result, of_value(self, size), because);
            }
            _ if data.opcode.call().is_some() => {
                let name = function.callee_name(inst).unwrap_or_default();
                let arguments = data.arguments().to_vec();
                let fills = name.starts_with("llvm.memset.") || name == "memset_pattern16";
                let copies = name.starts_with("llvm.memcpy.") || name.starts_with("llvm.memmove.");
                if fills || copies {
                    let [to, from, size, ..] = arguments[..] else { return };
                    let bytes = self.bytes(size);
                    self.learn(to, of_pointer(self, bytes), because);
                    if copies {
                        self.learn(from, of_pointer(self, bytes), because);
                    }
                } else if name.starts_with("llvm.masked.load.") || name.starts_with("llvm.masked.gather.") {
                    let Some(result) = data.result else { return };
                    let size = self.size(result);
                    self.learn(result, of_value(self, size), because);
                } else if let Some(result) =
                    data.result.filter(|result| function.type_of(*result).is_pointer())
                {
                    self.learn(result, memory.at(EVERY, self.limits()), because);
                }
            }
            _ => {}
        }
    }
}

/// The tree that an `enzyme_type` attribute gives. One that cannot be read was reported where the program was.
fn annotated(attributes: &AttributeSet) -> Option<TypeTree> {
    attributes.text("enzyme_type")?.parse().ok()
}
