//! The printer.

mod instructions;
mod listing;
mod metadata;
mod scope;

use std::cell::RefCell;
use std::fmt::{self, Display, Formatter, Write as _};

use rustc_hash::FxHashSet;

use super::super::{ConstantId, DllStorage, ThreadLocalModel};
use super::super::{
    Context, Function, Global, GlobalFunction, GlobalKind, GlobalTraits, GlobalVariable, HasBody, Linkage,
    Module, Signature, StructType, Type, TypeId, UnnamedAddress, Variadic, Visibility,
};
use super::conventions;
use super::escape::{Named, Quoted};
use metadata::Slots;
use scope::{LocalNames, Scope};

pub use listing::Listing;
pub(super) use scope::type_text;

impl Display for Module {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let slots = RefCell::new(Slots::default());
        let scope = Scope::new(&self.context, None, &slots);
        let mut out = String::new();
        header(&mut out, self.source_name.as_deref(), &self.context)?;
        for line in &self.assembler {
            writeln!(out, "module asm {}", Quoted(line.as_bytes()))?;
        }
        for (name, kind) in &self.comdats {
            writeln!(out, "{} = comdat {kind}", Named('$', name))?;
        }
        let contexts = std::iter::once(&self.context).chain(self.functions.iter().map(|f| &f.context));
        named_types(&mut out, contexts, &slots)?;
        symbols(&mut out, &scope)?;
        let mut printed: FxHashSet<&str> = FxHashSet::default();
        for global in self.context.globals.values() {
            let GlobalKind::Function(symbol) = &global.kind else { continue };
            let own = self.function(&global.name).filter(|_| symbol.body == HasBody::Yes);
            match own {
                Some(function) => define(&mut out, function, &slots)?,
                None => declare(&mut out, &scope, global, symbol)?,
            }
            printed.insert(&global.name);
        }
        for function in self.functions.iter().filter(|function| !printed.contains(function.name.as_str())) {
            define(&mut out, function, &slots)?;
        }
        for (name, nodes) in &self.named_metadata {
            let numbers: Vec<String> = nodes.iter().map(|node| scope.metadata_reference(*node)).collect();
            writeln!(out, "\n!{} = !{{{}}}", metadata::escaped_name(name), numbers.join(", "))?;
        }
        slots.borrow().print(&mut out)?;
        f.write_str(out.trim_start_matches('\n'))
    }
}

impl Display for Function {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let slots = RefCell::new(Slots::default());
        let mut out = String::new();
        header(&mut out, None, &self.context)?;
        own_comdats(&mut out, self)?;
        named_types(&mut out, std::iter::once(&self.context), &slots)?;
        let names = LocalNames::of(self);
        let scope = Scope::new(&self.context, Some(&names), &slots);
        symbols(&mut out, &scope)?;
        for global in self.context.globals.values() {
            match &global.kind {
                GlobalKind::Function(symbol) if global.name != self.name => {
                    declare(&mut out, &scope, global, symbol)?;
                }
                GlobalKind::Function(_)
                | GlobalKind::Variable(_)
                | GlobalKind::Alias { .. }
                | GlobalKind::IndirectFunction { .. } => {}
            }
        }
        define(&mut out, self, &slots)?;
        slots.borrow().print(&mut out)?;
        f.write_str(out.trim_start_matches('\n'))
    }
}

fn header(out: &mut String, source_name: Option<&str>, context: &Context) -> fmt::Result {
    if let Some(name) = source_name {
        writeln!(out, "source_filename = {}", Quoted(name.as_bytes()))?;
    }
    if let Some(layout) = &context.data_layout {
        writeln!(out, "target datalayout = {}", Quoted(layout.as_bytes()))?;
    }
    if let Some(triple) = &context.target_triple {
        writeln!(out, "target triple = {}", Quoted(triple.as_bytes()))?;
    }
    Ok(())
}

/// The comdats of the function and of the variables it names. How they are merged is known to the module alone.
fn own_comdats(out: &mut String, function: &Function) -> fmt::Result {
    let globals = function.context.globals.values().filter(|global| match &global.kind {
        GlobalKind::Variable(variable) => variable.initializer.is_some(),
        GlobalKind::Function(_) | GlobalKind::Alias { .. } | GlobalKind::IndirectFunction { .. } => false,
    });
    let all = globals.map(|global| &global.traits).chain([&function.traits]);
    let mut printed: FxHashSet<&str> = FxHashSet::default();
    for name in all.filter_map(|traits| traits.comdat.as_deref()) {
        if printed.insert(name) {
            writeln!(out, "{} = comdat any", Named('$', name))?;
        }
    }
    Ok(())
}

/// The definitions of all named structures of some contexts.
fn named_types<'a>(
    out: &mut String,
    contexts: impl Iterator<Item = &'a Context>,
    slots: &RefCell<Slots>,
) -> fmt::Result {
    let mut printed: FxHashSet<&str> = FxHashSet::default();
    for context in contexts {
        let scope = Scope::new(context, None, slots);
        for (_, ty) in context.types() {
            let Type::Struct(StructType { name: Some(name), body }) = ty else { continue };
            if !printed.insert(name) {
                continue;
            }
            if printed.len() == 1 {
                out.push('\n');
            }
            match body {
                Some(body) => writeln!(out, "{} = type {}", Named('%', name), scope.struct_body(body))?,
                None => writeln!(out, "{} = type opaque", Named('%', name))?,
            }
        }
    }
    Ok(())
}

/// Variables, aliases and resolvers.
fn symbols(out: &mut String, scope: &Scope<'_>) -> fmt::Result {
    let mut lines = String::new();
    for global in scope.context.globals.values() {
        if let GlobalKind::Variable(symbol) = &global.kind {
            variable(&mut lines, scope, global, symbol)?;
        }
    }
    for global in scope.context.globals.values() {
        if let GlobalKind::Alias { target } = &global.kind {
            alias(&mut lines, scope, global, "alias", *target)?;
        }
    }
    for global in scope.context.globals.values() {
        if let GlobalKind::IndirectFunction { resolver } = &global.kind {
            alias(&mut lines, scope, global, "ifunc", *resolver)?;
        }
    }
    if !lines.is_empty() {
        write!(out, "\n{lines}")?;
    }
    Ok(())
}

fn variable(out: &mut String, scope: &Scope<'_>, global: &Global, symbol: &GlobalVariable) -> fmt::Result {
    write!(out, "{} = ", Named('@', &global.name))?;
    match (global.linkage, symbol.initializer) {
        (Linkage::ExternalWeak, None) => out.push_str("extern_weak "),
        (_, None) => out.push_str("external "),
        (Linkage::External, Some(_)) => {}
        (linkage, Some(_)) => write!(out, "{linkage} ")?,
    }
    traits(out, &global.traits);
    unnamed_address(out, &global.traits);
    if global.address_space != 0 {
        write!(out, "addrspace({}) ", global.address_space)?;
    }
    if symbol.externally_initialized {
        out.push_str("externally_initialized ");
    }
    out.push_str(if symbol.is_constant { "constant " } else { "global " });
    match symbol.initializer {
        Some(initializer) => write!(out, "{}", scope.typed_constant(initializer))?,
        None => write!(out, "{}", scope.ty(global.value_type))?,
    }
    let comdat = global.traits.comdat.as_ref().filter(|_| symbol.initializer.is_some());
    late_traits(out, &global.traits, comdat, ", ")?;
    for other in &global.traits.others {
        write!(out, ", {other}")?;
    }
    out.push_str(&attachments(scope, &global.traits, ", "));
    writeln!(out, "{}", scope.attributes(&symbol.attributes))
}

fn alias(
    out: &mut String,
    scope: &Scope<'_>,
    global: &Global,
    word: &str,
    target: ConstantId,
) -> fmt::Result {
    write!(out, "{} = ", Named('@', &global.name))?;
    if global.linkage != Linkage::External {
        write!(out, "{} ", global.linkage)?;
    }
    traits(out, &global.traits);
    unnamed_address(out, &global.traits);
    write!(out, "{word} {}, {}", scope.ty(global.value_type), scope.typed_constant(target))?;
    if let Some(partition) = &global.traits.partition {
        write!(out, ", partition {}", Quoted(partition.as_bytes()))?;
    }
    out.push('\n');
    Ok(())
}

fn declare(out: &mut String, scope: &Scope<'_>, global: &Global, symbol: &GlobalFunction) -> fmt::Result {
    out.push_str("\ndeclare");
    out.push_str(&attachments(scope, &global.traits, " "));
    out.push(' ');
    if global.linkage == Linkage::ExternalWeak {
        out.push_str("extern_weak ");
    }
    // What is only said of definitions is left out where the definition is elsewhere.
    let mut own = global.traits.clone();
    if global.linkage.is_local() {
        own.visibility = Visibility::Default;
        own.dll_storage = DllStorage::Default;
    }
    own.comdat = None;
    traits(out, &own);
    let parameters = Parameters::Unnamed;
    signature(out, scope, &global.name, global.value_type, &symbol.signature, &parameters)?;
    unnamed_address_after(out, &own);
    function_tail(out, scope, &own, global.address_space, &symbol.signature)?;
    out.push('\n');
    Ok(())
}

fn define(out: &mut String, function: &Function, slots: &RefCell<Slots>) -> fmt::Result {
    let names = LocalNames::of(function);
    let scope = Scope::new(&function.context, Some(&names), slots);
    out.push_str("\ndefine ");
    if function.linkage != Linkage::External {
        write!(out, "{} ", function.linkage)?;
    }
    traits(out, &function.traits);
    let parameters = Parameters::Of(function);
    signature(out, &scope, &function.name, function.function_type, &function.signature, &parameters)?;
    unnamed_address_after(out, &function.traits);
    function_tail(out, &scope, &function.traits, function.address_space, &function.signature)?;
    if let Some(collector) = &function.garbage_collector {
        write!(out, " gc {}", Quoted(collector.as_bytes()))?;
    }
    for (word, constant) in
        [("prefix", function.prefix), ("prologue", function.prologue), ("personality", function.personality)]
    {
        if let Some(constant) = constant {
            write!(out, " {word} {}", scope.typed_constant(constant))?;
        }
    }
    if let Some(subprogram) = slots.borrow_mut().subprogram(function) {
        write!(out, " !dbg !{subprogram}")?;
    }
    out.push_str(&attachments(&scope, &function.traits, " "));
    out.push_str(" {\n");
    instructions::body(out, function, &scope)?;
    slots.borrow_mut().leave_function();
    out.push_str("}\n");
    Ok(())
}

enum Parameters<'a> {
    Unnamed,
    Of(&'a Function),
}

/// Calling convention, result, name and parameters.
fn signature(
    out: &mut String,
    scope: &Scope<'_>,
    name: &str,
    function_type: TypeId,
    signature: &Signature,
    parameters: &Parameters<'_>,
) -> fmt::Result {
    write!(out, "{}", convention(signature.calling_convention))?;
    for attribute in signature.return_attributes.iter() {
        write!(out, "{} ", scope.attribute(attribute))?;
    }
    let Type::Function(ty) = scope.context.ty(function_type) else { return Ok(()) };
    write!(out, "{} {}(", scope.ty(ty.result), Named('@', name))?;
    for (index, parameter) in ty.parameters.iter().enumerate() {
        if index > 0 {
            out.push_str(", ");
        }
        write!(out, "{}", scope.ty(*parameter))?;
        if let Some(attributes) = signature.parameter_attributes(index) {
            write!(out, "{}", scope.attributes(attributes))?;
        }
        if let Parameters::Of(function) = parameters {
            write!(out, " {}", scope.value(function, function.parameters[index]))?;
        }
    }
    if ty.variadic == Variadic::Yes {
        out.push_str(if ty.parameters.is_empty() { "..." } else { ", ..." });
    }
    out.push(')');
    Ok(())
}

/// What comes after the parameters.
fn function_tail(
    out: &mut String,
    scope: &Scope<'_>,
    traits: &GlobalTraits,
    address_space: u32,
    signature: &Signature,
) -> fmt::Result {
    if address_space != 0 {
        write!(out, " addrspace({address_space})")?;
    }
    write!(out, "{}", scope.attributes(&signature.attributes))?;
    late_traits(out, traits, traits.comdat.as_ref(), " ")
}

/// The word for a calling convention with a blank after it; nothing for C's.
fn convention(convention: super::super::CallingConvention) -> String {
    match (convention.0, conventions::name(convention)) {
        (0, _) => String::new(),
        (_, Some(name)) => format!("{name} "),
        (number, None) => format!("cc {number} "),
    }
}

/// Metadata of a global.
fn attachments(scope: &Scope<'_>, traits: &GlobalTraits, separator: &str) -> String {
    let mut text = String::new();
    for (kind, node) in &traits.metadata {
        // Writing to a string cannot fail.
        let _ =
            write!(text, "{separator}!{} {}", metadata::escaped_name(kind), scope.metadata_reference(*node));
    }
    text
}

fn traits(out: &mut String, traits: &GlobalTraits) {
    let mut word = |word: &str| {
        if !word.is_empty() {
            out.push_str(word);
            out.push(' ');
        }
    };
    word(if traits.dso_local { "dso_local" } else { "" });
    word(traits.visibility.mnemonic());
    word(traits.dll_storage.mnemonic());
    match traits.thread_local {
        None => {}
        Some(ThreadLocalModel::GeneralDynamic) => word("thread_local"),
        Some(model) => word(&format!("thread_local({model})")),
    }
}

fn unnamed_address(out: &mut String, traits: &GlobalTraits) {
    if traits.unnamed_address != UnnamedAddress::Significant {
        out.push_str(traits.unnamed_address.mnemonic());
        out.push(' ');
    }
}

fn unnamed_address_after(out: &mut String, traits: &GlobalTraits) {
    if traits.unnamed_address != UnnamedAddress::Significant {
        out.push(' ');
        out.push_str(traits.unnamed_address.mnemonic());
    }
}

fn late_traits(
    out: &mut String,
    traits: &GlobalTraits,
    comdat: Option<&String>,
    separator: &str,
) -> fmt::Result {
    if let Some(section) = &traits.section {
        write!(out, "{separator}section {}", Quoted(section.as_bytes()))?;
    }
    if let Some(partition) = &traits.partition {
        write!(out, "{separator}partition {}", Quoted(partition.as_bytes()))?;
    }
    if let Some(comdat) = comdat {
        write!(out, "{separator}comdat({})", Named('$', comdat))?;
    }
    if let Some(alignment) = traits.alignment {
        write!(out, "{separator}align {alignment}")?;
    }
    Ok(())
}
