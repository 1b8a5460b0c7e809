//! The text of types, constants, attributes and values in one context.

use std::cell::RefCell;
use std::fmt::{self, Display, Formatter, Write as _};

use cranelift_entity::SecondaryMap;

use super::super::super::{
    Attribute, AttributeSet, BlockId, BlockReference, ConstantExpression, ConstantId, ConstantKind, Context,
    ElementPointerFlags, FloatBits, Function, GlobalId, InRange, IntFlags, Integer, MetadataId, Opcode,
    Packing, PointerAuthentication, ShuffleLane, StructBody, StructType, Type, TypeId, ValueDefinition,
    ValueId, Variadic, VectorLength,
};
use super::super::escape::{Named, Quoted};
use super::super::float;
use super::metadata::{Numbering, Slots};

/// The names of the values and blocks of a function.
pub(super) struct LocalNames {
    /// The numbers of values without a name.
    values: SecondaryMap<ValueId, Option<u32>>,
    /// How each block is named after `%`.
    blocks: SecondaryMap<BlockId, String>,
}

impl LocalNames {
    /// Gives numbers to what has no name, in the order of the text.
    pub(super) fn of(function: &Function) -> Self {
        let mut names = Self { values: SecondaryMap::new(), blocks: SecondaryMap::new() };
        let mut next = 0;
        let mut number = || {
            next += 1;
            next - 1
        };
        for parameter in &function.parameters {
            if function.values[*parameter].name.is_none() {
                names.values[*parameter] = Some(number());
            }
        }
        for (id, block) in &function.blocks {
            names.blocks[id] = match &block.name {
                Some(name) => Named('%', name).to_string(),
                None => format!("%{}", number()),
            };
            for result in block.insts.iter().filter_map(|inst| function.insts[*inst].result) {
                if function.values[result].name.is_none() {
                    names.values[result] = Some(number());
                }
            }
        }
        names
    }

    /// How a block is named, with `%`.
    pub(super) fn block(&self, block: BlockId) -> &str {
        &self.blocks[block]
    }
}

/// A context, and what it takes to write what is in it.
pub(super) struct Scope<'a> {
    pub(super) context: &'a Context,
    pub(super) locals: Option<&'a LocalNames>,
    pub(super) slots: &'a RefCell<Slots>,
    pub(super) numbering: RefCell<Numbering>,
}

/// The text of a type; for messages.
pub(in super::super) fn type_text(context: &Context, ty: TypeId) -> String {
    let slots = RefCell::new(Slots::default());
    Scope::new(context, None, &slots).ty(ty).to_string()
}

/// Something that writes itself.
struct Text<F>(F);

impl<F: Fn(&mut Formatter<'_>) -> fmt::Result> Display for Text<F> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.0(f)
    }
}

impl<'a> Scope<'a> {
    pub(super) fn new(
        context: &'a Context,
        locals: Option<&'a LocalNames>,
        slots: &'a RefCell<Slots>,
    ) -> Self {
        Self { context, locals, slots, numbering: RefCell::default() }
    }

    /// `!12`.
    pub(super) fn metadata_reference(&self, node: MetadataId) -> String {
        format!("!{}", self.slot(node))
    }

    // Types.

    pub(super) fn ty(&self, ty: TypeId) -> impl Display + '_ {
        Text(move |f: &mut Formatter<'_>| self.write_type(f, ty))
    }

    fn write_type(&self, f: &mut Formatter<'_>, ty: TypeId) -> fmt::Result {
        match self.context.ty(ty) {
            Type::Void => f.write_str("void"),
            Type::Float(float) => f.write_str(float.mnemonic()),
            Type::Integer { bits } => write!(f, "i{bits}"),
            Type::Pointer { address_space: 0 } => f.write_str("ptr"),
            Type::Pointer { address_space } => write!(f, "ptr addrspace({address_space})"),
            Type::Array { length, element } => write!(f, "[{length} x {}]", self.ty(*element)),
            Type::Vector { length: VectorLength::Fixed(length), element } => {
                write!(f, "<{length} x {}>", self.ty(*element))
            }
            Type::Vector { length: VectorLength::Scalable(length), element } => {
                write!(f, "<vscale x {length} x {}>", self.ty(*element))
            }
            Type::Struct(StructType { name: Some(name), .. }) => write!(f, "{}", Named('%', name)),
            Type::Struct(StructType { name: None, body: Some(body) }) => {
                write!(f, "{}", self.struct_body(body))
            }
            Type::Struct(StructType { name: None, body: None }) => f.write_str("opaque"),
            Type::Function(function) => {
                let dots = match (function.variadic, function.parameters.is_empty()) {
                    (Variadic::No, _) => "",
                    (Variadic::Yes, true) => "...",
                    (Variadic::Yes, false) => ", ...",
                };
                write!(f, "{} ({}{dots})", self.ty(function.result), self.types(&function.parameters))
            }
            Type::Target(target) => {
                write!(f, "target({}", Quoted(target.name.as_bytes()))?;
                target.types.iter().try_for_each(|ty| write!(f, ", {}", self.ty(*ty)))?;
                target.integers.iter().try_for_each(|integer| write!(f, ", {integer}"))?;
                f.write_str(")")
            }
            Type::Token => f.write_str("token"),
            Type::Metadata => f.write_str("metadata"),
            Type::Label => f.write_str("label"),
            Type::X86Mmx => f.write_str("x86_mmx"),
            Type::X86Amx => f.write_str("x86_amx"),
        }
    }

    fn types<'s>(&'s self, types: &'s [TypeId]) -> impl Display + 's {
        separated(types, |f, ty| self.write_type(f, *ty))
    }

    pub(super) fn struct_body<'s>(&'s self, body: &'s StructBody) -> impl Display + 's {
        Text(move |f: &mut Formatter<'_>| {
            let fields = &body.fields;
            match (body.packing, fields.is_empty()) {
                (Packing::Padded, true) => f.write_str("{}"),
                (Packing::Packed, true) => f.write_str("<{}>"),
                (Packing::Padded, false) => write!(f, "{{ {} }}", self.types(fields)),
                (Packing::Packed, false) => write!(f, "<{{ {} }}>", self.types(fields)),
            }
        })
    }

    // Attributes.

    /// All attributes, each with a blank before it.
    pub(super) fn attributes<'s>(&'s self, attributes: &'s AttributeSet) -> impl Display + 's {
        Text(move |f: &mut Formatter<'_>| {
            attributes.iter().try_for_each(|attribute| write!(f, " {}", self.attribute(attribute)))
        })
    }

    pub(super) fn attribute<'s>(&'s self, attribute: &'s Attribute) -> impl Display + 's {
        Text(move |f: &mut Formatter<'_>| match attribute {
            Attribute::Flag(name) => f.write_str(name),
            Attribute::Integer(name, value) if name == "align" => write!(f, "align {value}"),
            Attribute::Integer(name, value) => write!(f, "{name}({value})"),
            Attribute::Type(name, ty) => write!(f, "{name}({})", self.ty(*ty)),
            Attribute::Text(name, text) => write!(f, "{name}({text})"),
            Attribute::String(name, None) => write!(f, "{}", Quoted(name.as_bytes())),
            Attribute::String(name, Some(value)) => {
                write!(f, "{}={}", Quoted(name.as_bytes()), Quoted(value.as_bytes()))
            }
        })
    }

    // Values.

    /// `type value`.
    pub(super) fn typed_value<'s>(&'s self, function: &'s Function, value: ValueId) -> impl Display + 's {
        Text(move |f: &mut Formatter<'_>| {
            write!(f, "{} {}", self.ty(function.values[value].ty), self.value(function, value))
        })
    }

    /// A value without its type.
    pub(super) fn value<'s>(&'s self, function: &'s Function, value: ValueId) -> impl Display + 's {
        Text(move |f: &mut Formatter<'_>| match &function.values[value].definition {
            ValueDefinition::Parameter(_) | ValueDefinition::Instruction(_) => {
                self.write_local(f, function, value)
            }
            ValueDefinition::Constant(constant) => self.write_constant(f, *constant),
            ValueDefinition::Global(global) => self.write_global(f, *global),
            ValueDefinition::Metadata(node) => self.write_metadata_operand(f, function, *node),
            ValueDefinition::InlineAsm(asm) => {
                f.write_str("asm ")?;
                let words = [
                    (asm.side_effect, "sideeffect "),
                    (asm.align_stack, "alignstack "),
                    (asm.intel_dialect, "inteldialect "),
                    (asm.may_unwind, "unwind "),
                ];
                words.iter().filter(|(set, _)| *set).try_for_each(|(_, word)| f.write_str(word))?;
                write!(f, "{}, {}", Quoted(asm.template.as_bytes()), Quoted(asm.constraints.as_bytes()))
            }
        })
    }

    fn write_local(&self, f: &mut Formatter<'_>, function: &Function, value: ValueId) -> fmt::Result {
        let number = self.locals.and_then(|locals| locals.values[value]);
        match (&function.values[value].name, number) {
            (Some(name), _) => write!(f, "{}", Named('%', name)),
            (None, Some(number)) => write!(f, "%{number}"),
            // A value of no block: not a valid function, but it must print for the message that says so.
            (None, None) => write!(f, "%<{value}>"),
        }
    }

    // Constants.

    /// `type constant`.
    pub(super) fn typed_constant(&self, constant: ConstantId) -> impl Display + '_ {
        Text(move |f: &mut Formatter<'_>| {
            write!(f, "{} ", self.ty(self.context.constant(constant).ty))?;
            self.write_constant(f, constant)
        })
    }

    fn typed_constants<'s>(&'s self, constants: &'s [ConstantId]) -> impl Display + 's {
        separated(constants, |f, constant| write!(f, "{}", self.typed_constant(*constant)))
    }

    fn write_global(&self, f: &mut Formatter<'_>, global: GlobalId) -> fmt::Result {
        // A symbol that had only a number is quoted like a name: the numbers of a part need not be in order.
        write!(f, "{}", Named('@', &self.context.globals[global].name))
    }

    fn write_constant(&self, f: &mut Formatter<'_>, constant: ConstantId) -> fmt::Result {
        let constant = self.context.constant(constant);
        match &constant.kind {
            ConstantKind::Integer(value) => write_integer(f, value),
            ConstantKind::Float(bits) => self.write_float(f, constant.ty, *bits),
            ConstantKind::Null => f.write_str("null"),
            ConstantKind::Undef => f.write_str("undef"),
            ConstantKind::Poison => f.write_str("poison"),
            ConstantKind::Zero => f.write_str("zeroinitializer"),
            ConstantKind::NoneToken => f.write_str("none"),
            ConstantKind::Aggregate(elements) => {
                let (open, close) = self.brackets(constant.ty);
                write!(f, "{open}{}{close}", self.typed_constants(elements))
            }
            ConstantKind::Data(bytes) => self.write_data(f, constant.ty, bytes),
            ConstantKind::Splat(element) => write!(f, "splat ({})", self.typed_constant(*element)),
            ConstantKind::Expression(expression) => self.write_expression(f, constant.ty, expression),
            ConstantKind::Global(global) => self.write_global(f, *global),
            ConstantKind::BlockAddress { function, block } => {
                f.write_str("blockaddress(")?;
                self.write_global(f, *function)?;
                match (block, self.locals) {
                    (BlockReference::Own(block), Some(locals)) => write!(f, ", {})", locals.block(*block)),
                    (BlockReference::Own(block), None) => write!(f, ", %{block})"),
                    (BlockReference::Other(label), _) if label.bytes().all(|byte| byte.is_ascii_digit()) => {
                        write!(f, ", %{label})")
                    }
                    (BlockReference::Other(label), _) => write!(f, ", {})", Named('%', label)),
                }
            }
            ConstantKind::DsoLocalEquivalent(global) => {
                f.write_str("dso_local_equivalent ")?;
                self.write_global(f, *global)
            }
            ConstantKind::NoCfi(global) => {
                f.write_str("no_cfi ")?;
                self.write_global(f, *global)
            }
            ConstantKind::PointerAuthentication(parts) => {
                let PointerAuthentication {
                    pointer,
                    key,
                    discriminator,
                    address_discriminator,
                    deactivation_symbol,
                } = **parts;
                let parts: Vec<ConstantId> =
                    [Some(pointer), Some(key), discriminator, address_discriminator, deactivation_symbol]
                        .into_iter()
                        .flatten()
                        .collect();
                write!(f, "ptrauth ({})", self.typed_constants(&parts))
            }
        }
    }

    fn write_float(&self, f: &mut Formatter<'_>, ty: TypeId, bits: FloatBits) -> fmt::Result {
        match self.context.ty(ty) {
            Type::Float(float) => f.write_str(&float::print(*float, bits)),
            _ => write!(f, "{bits:?}"),
        }
    }

    fn brackets(&self, ty: TypeId) -> (&'static str, &'static str) {
        match self.context.ty(ty) {
            Type::Array { .. } => ("[", "]"),
            Type::Vector { .. } => ("<", ">"),
            Type::Struct(StructType { body: Some(StructBody { packing: Packing::Packed, .. }), .. }) => {
                ("<{ ", " }>")
            }
            _ => ("{ ", " }"),
        }
    }

    fn write_data(&self, f: &mut Formatter<'_>, ty: TypeId, bytes: &[u8]) -> fmt::Result {
        let (Some(size), Some(element)) =
            (self.context.data_element_size(ty), self.context.ty(ty).parts().first().copied())
        else {
            return f.write_str("zeroinitializer");
        };
        let is_array = matches!(self.context.ty(ty), Type::Array { .. });
        if size == 1 && is_array {
            return write!(f, "c{}", Quoted(bytes));
        }
        let (open, close) = self.brackets(ty);
        f.write_str(open)?;
        for (index, element_bytes) in bytes.chunks_exact(size).enumerate() {
            if index > 0 {
                f.write_str(", ")?;
            }
            let mut word = [0; 8];
            word[..size].copy_from_slice(element_bytes);
            let word = u64::from_le_bytes(word);
            write!(f, "{} ", self.ty(element))?;
            match self.context.ty(element) {
                Type::Integer { bits } => write_integer(f, &Integer::from_u64(*bits, word))?,
                _ => self.write_float(f, element, FloatBits(word.into()))?,
            }
        }
        f.write_str(close)
    }

    fn write_expression(
        &self,
        f: &mut Formatter<'_>,
        ty: TypeId,
        expression: &ConstantExpression,
    ) -> fmt::Result {
        let operands = &expression.operands;
        f.write_str(expression.opcode.mnemonic())?;
        match &expression.opcode {
            Opcode::Cast { .. } => write!(f, " ({} to {})", self.typed_constants(operands), self.ty(ty)),
            Opcode::GetElementPointer { source, flags } => {
                write!(f, "{}", element_pointer_flags(flags))?;
                let range = match flags.in_range.as_deref() {
                    Some(InRange::Bytes { start, end }) => {
                        write!(f, " inrange({start}, {end})")?;
                        None
                    }
                    Some(InRange::Index(index)) => Some(*index as usize + 1),
                    None => None,
                };
                write!(f, " ({}", self.ty(*source))?;
                for (index, operand) in operands.iter().enumerate() {
                    let word = if range == Some(index) { "inrange " } else { "" };
                    write!(f, ", {word}{}", self.typed_constant(*operand))?;
                }
                f.write_str(")")
            }
            Opcode::ShuffleVector { mask } => {
                write!(f, " ({}, {})", self.typed_constants(operands), self.shuffle_mask(ty, mask))
            }
            Opcode::IntBinary { flags, .. } => {
                write!(f, "{} ({})", int_flags(*flags), self.typed_constants(operands))
            }
            Opcode::IntCompare { predicate, same_sign } => {
                let word = if *same_sign { " samesign" } else { "" };
                write!(f, "{word} {predicate} ({})", self.typed_constants(operands))
            }
            Opcode::FloatCompare { predicate, .. } => {
                write!(f, " {predicate} ({})", self.typed_constants(operands))
            }
            _ => write!(f, " ({})", self.typed_constants(operands)),
        }
    }

    /// The mask of a shuffle that makes a vector of this type.
    pub(super) fn shuffle_mask<'s>(&'s self, result: TypeId, mask: &'s [ShuffleLane]) -> impl Display + 's {
        Text(move |f: &mut Formatter<'_>| {
            let scale = match self.context.ty(result) {
                Type::Vector { length: VectorLength::Scalable(_), .. } => "vscale x ",
                _ => "",
            };
            write!(f, "<{scale}{} x i32> ", mask.len())?;
            if mask.iter().all(|lane| *lane == Some(0)) {
                return f.write_str("zeroinitializer");
            }
            if mask.iter().all(Option::is_none) {
                return f.write_str("poison");
            }
            let lanes = separated(mask, |f, lane| match lane {
                Some(lane) => write!(f, "i32 {lane}"),
                None => f.write_str("i32 poison"),
            });
            write!(f, "<{lanes}>")
        })
    }
}

/// Items with commas between them.
pub(super) fn separated<'s, T>(
    items: &'s [T],
    write: impl Fn(&mut Formatter<'_>, &T) -> fmt::Result + 's,
) -> impl Display + 's {
    Text(move |f: &mut Formatter<'_>| {
        for (index, item) in items.iter().enumerate() {
            if index > 0 {
                f.write_str(", ")?;
            }
            write(f, item)?;
        }
        Ok(())
    })
}

/// The flags, each with a blank before it.
pub(super) fn int_flags(flags: IntFlags) -> String {
    let words = [
        (flags.no_unsigned_wrap, " nuw"),
        (flags.no_signed_wrap, " nsw"),
        (flags.exact, " exact"),
        (flags.disjoint, " disjoint"),
    ];
    words.iter().filter(|(set, _)| *set).map(|(_, word)| *word).collect()
}

/// The flags but for `inrange`, each with a blank before it.
pub(super) fn element_pointer_flags(flags: &ElementPointerFlags) -> String {
    let words = [
        (flags.in_bounds, " inbounds"),
        (flags.no_unsigned_signed_wrap, " nusw"),
        (flags.no_unsigned_wrap, " nuw"),
    ];
    words.iter().filter(|(set, _)| *set).map(|(_, word)| *word).collect()
}

/// The number in decimal, read as signed.
fn write_integer(f: &mut Formatter<'_>, value: &Integer) -> fmt::Result {
    if value.bits() == 1 {
        return f.write_str(if value.is_zero() { "false" } else { "true" });
    }
    if let Some(number) = value.as_i64() {
        return write!(f, "{number}");
    }
    let negative = value.is_negative();
    let mut words: Vec<u64> =
        if negative { value.negated().words().to_vec() } else { value.words().to_vec() };
    // Nineteen digits at a time, least significant first.
    const CHUNK: u128 = 10_000_000_000_000_000_000;
    let mut chunks = Vec::new();
    while words.iter().any(|word| *word != 0) {
        let mut rest = 0_u128;
        for word in words.iter_mut().rev() {
            let value = rest << 64 | u128::from(*word);
            *word = (value / CHUNK) as u64;
            rest = value % CHUNK;
        }
        chunks.push(rest);
    }
    let mut text = String::new();
    for (index, chunk) in chunks.iter().rev().enumerate() {
        if index == 0 { write!(text, "{chunk}")? } else { write!(text, "{chunk:019}")? }
    }
    write!(f, "{}{text}", if negative { "-" } else { "" })
}
