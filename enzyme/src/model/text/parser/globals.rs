//! Reads global symbols.

use super::super::super::{
    AttributeSet, CallingConvention, ConstantId, Global, GlobalFunction, GlobalId, GlobalKind, GlobalTraits,
    GlobalVariable, HasBody, Linkage, Signature, Type, TypeId,
};
use super::super::conventions;
use super::super::lexer::{Name, TokenKind};
use super::cursor::Result;
use super::document::GlobalEntity;
use super::entities::{EntityReader, HollowGlobal};

/// Everything before the body of a function.
pub(super) struct FunctionHeader {
    pub(super) name: String,
    pub(super) function_type: TypeId,
    /// The names of the parameters, and where they stand.
    pub(super) parameter_names: Vec<(Option<Name>, usize)>,
    pub(super) signature: Signature,
    pub(super) linkage: Linkage,
    pub(super) address_space: u32,
    pub(super) traits: GlobalTraits,
}

impl EntityReader<'_, '_> {
    /// The global of this name, read from where it is defined when it is met for the first time. A function
    /// that is nowhere declared gets the type that its use gives.
    pub(super) fn global(&mut self, name: &str, used_as: Option<TypeId>) -> Result<GlobalId> {
        if let Some(global) = self.names.globals.get(name) {
            return Ok(*global);
        }
        let document = self.cursor.document;
        let Some(entity) = document.globals.get(name) else {
            let Some(function_type) = used_as else {
                return Err(self.cursor.error_here(&format!("`@{name}` is not defined")));
            };
            return Ok(self.add_global(name, function_type, GlobalKind::Function(GlobalFunction::default())));
        };
        match *entity {
            GlobalEntity::Value(position) => self.elsewhere(position, |reader| reader.value(name)),
            GlobalEntity::Declaration(position) => {
                self.elsewhere(position, |reader| reader.function_symbol(HasBody::No))
            }
            GlobalEntity::Definition(position) => {
                self.elsewhere(position, |reader| reader.function_symbol(HasBody::Yes))
            }
        }
    }

    fn add_global(&mut self, name: &str, value_type: TypeId, kind: GlobalKind) -> GlobalId {
        let global = self.context.globals.push(Global {
            name: name.to_owned(),
            value_type,
            linkage: Linkage::External,
            address_space: 0,
            traits: GlobalTraits::default(),
            kind,
        });
        self.names.globals.insert(name.to_owned(), global);
        global
    }

    fn function_symbol(&mut self, body: HasBody) -> Result<GlobalId> {
        let mut header = self.function_header()?;
        if body == HasBody::Yes {
            self.attachments_before_body(&mut header.traits)?;
        }
        let kind = GlobalKind::Function(GlobalFunction { signature: header.signature, body });
        let global = self.add_global(&header.name, header.function_type, kind);
        let symbol = &mut self.context.globals[global];
        symbol.linkage = header.linkage;
        symbol.address_space = header.address_space;
        symbol.traits = header.traits;
        Ok(global)
    }

    /// The metadata of a definition, which follows constants that only matter with the body.
    fn attachments_before_body(&mut self, traits: &mut GlobalTraits) -> Result<()> {
        while !self.cursor.at('{') {
            if self.attachment(traits)? {
                continue;
            }
            if self.cursor.at('(') {
                self.cursor.text_in_parentheses()?;
            } else {
                self.cursor.advance();
            }
        }
        Ok(())
    }

    /// `!kind !0`, when it comes next.
    fn attachment(&mut self, traits: &mut GlobalTraits) -> Result<bool> {
        let TokenKind::MetadataName(kind) = self.cursor.peek() else { return Ok(false) };
        self.cursor.advance();
        if let Some(node) = self.metadata()? {
            traits.metadata.push((kind.clone(), node));
        }
        Ok(true)
    }

    /// From after `declare` or `define` up to the garbage collector or what comes later.
    pub(super) fn function_header(&mut self) -> Result<FunctionHeader> {
        let mut traits = GlobalTraits::default();
        // A declaration has its metadata first.
        while self.attachment(&mut traits)? {}
        let linkage = self.linkage_and_traits(&mut traits)?.unwrap_or(Linkage::External);
        let calling_convention = self.calling_convention()?;
        let return_attributes = self.attributes()?;
        let result = self.ty()?;
        let TokenKind::Global(name) = self.cursor.peek() else {
            return Err(self.cursor.expected("the name of the function, as in `@f`"));
        };
        let name = name.clone().into_text();
        self.cursor.advance();
        let (parameters, variadic) = self.parameters()?;
        let types = parameters.iter().map(|parameter| parameter.ty).collect();
        let function_type = self.context.function_type(result, types, variadic);
        let mut parameter_attributes: Vec<AttributeSet> = Vec::new();
        let mut parameter_names = Vec::new();
        for parameter in parameters {
            parameter_attributes.push(parameter.attributes);
            parameter_names.push((parameter.name, parameter.position));
        }
        trim(&mut parameter_attributes);
        self.linkage_and_traits(&mut traits)?;
        let address_space = self.address_space()?;
        let attributes = self.function_attributes()?;
        while self.late_trait(&name, &mut traits)? {}
        let signature = Signature { calling_convention, attributes, return_attributes, parameter_attributes };
        Ok(FunctionHeader { name, function_type, parameter_names, signature, linkage, address_space, traits })
    }

    /// A calling convention, or C's when none is given.
    pub(super) fn calling_convention(&mut self) -> Result<CallingConvention> {
        if self.cursor.eat_word("cc") {
            let number = self.cursor.expect_number("the number of a calling convention")?;
            return Ok(CallingConvention(number));
        }
        Ok(self.cursor.eat_mapped(conventions::parse).unwrap_or_default())
    }

    /// A variable, alias or resolver, from after `@name =`.
    fn value(&mut self, name: &str) -> Result<GlobalId> {
        let mut traits = GlobalTraits::default();
        let linkage = self.linkage_and_traits(&mut traits)?;
        let address_space = self.address_space()?;
        let externally_initialized = self.cursor.eat_word("externally_initialized");
        let is_constant = match self.cursor.peek_word() {
            Some("constant") => true,
            Some("global") => false,
            Some("alias" | "ifunc") => return self.alias(name, linkage, traits),
            _ => return Err(self.cursor.expected("`global`, `constant`, `alias` or `ifunc`")),
        };
        self.cursor.advance();
        let value_type = self.value_type()?;
        let variable = GlobalVariable { is_constant, externally_initialized, ..GlobalVariable::default() };
        let global = self.add_global(name, value_type, GlobalKind::Variable(variable));
        let symbol = &mut self.context.globals[global];
        symbol.address_space = address_space;
        symbol.traits = traits;
        let declared = matches!(linkage, Some(Linkage::External | Linkage::ExternalWeak));
        symbol.linkage = linkage.unwrap_or_default();
        if declared {
            self.end_of_variable(global, None)?;
        } else {
            let position = self.cursor.position;
            self.names.hollow.push(HollowGlobal { global, position, untyped: false });
        }
        Ok(global)
    }

    /// Reads the contents of the symbols that were met, and of those they name.
    pub(super) fn fill_globals(&mut self) -> Result<()> {
        while let Some(HollowGlobal { global, position, untyped }) = self.names.hollow.pop() {
            self.elsewhere(position, |reader| {
                let symbol = &reader.context.globals[global];
                match symbol.kind {
                    GlobalKind::Variable(_) => {
                        let contents = reader.constant(symbol.value_type)?;
                        reader.end_of_variable(global, Some(contents))
                    }
                    GlobalKind::Alias { .. } | GlobalKind::IndirectFunction { .. } => {
                        reader.end_of_alias(global, untyped)
                    }
                    GlobalKind::Function(_) => Ok(()),
                }
            })?;
        }
        Ok(())
    }

    fn end_of_variable(&mut self, global: GlobalId, contents: Option<ConstantId>) -> Result<()> {
        self.late_traits(global)?;
        let attributes = self.function_attributes()?;
        if let GlobalKind::Variable(variable) = &mut self.context.globals[global].kind {
            variable.initializer = contents;
            variable.attributes = attributes;
        }
        Ok(())
    }

    /// Everything after commas.
    fn late_traits(&mut self, global: GlobalId) -> Result<()> {
        let name = self.context.globals[global].name.clone();
        let mut traits = std::mem::take(&mut self.context.globals[global].traits);
        while self.cursor.eat(',') {
            if !self.late_trait(&name, &mut traits)? {
                self.other_trait(&mut traits)?;
            }
        }
        self.context.globals[global].traits = traits;
        Ok(())
    }

    /// Metadata after a comma, or something that the model keeps as text.
    fn other_trait(&mut self, traits: &mut GlobalTraits) -> Result<()> {
        match self.cursor.peek() {
            TokenKind::MetadataName(_) => {
                self.attachment(traits)?;
            }
            TokenKind::Word("code_model") => {
                self.cursor.advance();
                let model = self.cursor.expect_string("the name of a code model")?;
                traits.others.push(format!("code_model \"{model}\""));
            }
            TokenKind::Word(word) => {
                traits.others.push((*word).to_owned());
                self.cursor.advance();
            }
            _ => return Err(self.cursor.expected("a property of the global")),
        }
        Ok(())
    }

    fn alias(&mut self, name: &str, linkage: Option<Linkage>, traits: GlobalTraits) -> Result<GlobalId> {
        let is_alias = self.cursor.at_word("alias");
        self.cursor.advance();
        let value_type = self.ty()?;
        self.cursor.expect(',')?;
        // The address space is that of the target, whose type comes first; operations say their own.
        let untyped = matches!(
            self.cursor.peek_word(),
            Some("bitcast" | "getelementptr" | "addrspacecast" | "inttoptr")
        );
        let position = self.cursor.position;
        let target_type = if untyped { self.context.pointer_type() } else { self.value_type()? };
        let address_space = match self.context.ty(target_type) {
            Type::Pointer { address_space } => *address_space,
            _ => return Err(self.cursor.error_at(position, "the target of an alias is a pointer")),
        };
        let target = self.context.undef(target_type);
        let kind = if is_alias {
            GlobalKind::Alias { target }
        } else {
            GlobalKind::IndirectFunction { resolver: target }
        };
        let global = self.add_global(name, value_type, kind);
        let symbol = &mut self.context.globals[global];
        symbol.address_space = address_space;
        symbol.linkage = linkage.unwrap_or_default();
        symbol.traits = traits;
        self.names.hollow.push(HollowGlobal { global, position, untyped });
        Ok(global)
    }

    fn end_of_alias(&mut self, global: GlobalId, untyped: bool) -> Result<()> {
        let contents = if untyped { self.untyped_expression()? } else { self.typed_constant()? };
        match &mut self.context.globals[global].kind {
            GlobalKind::Alias { target } => *target = contents,
            GlobalKind::IndirectFunction { resolver } => *resolver = contents,
            GlobalKind::Variable(_) | GlobalKind::Function(_) => {}
        }
        self.late_traits(global)
    }
}

/// Cuts empty sets from the end, so that lists with and without them are equal.
pub(super) fn trim(attributes: &mut Vec<AttributeSet>) {
    while attributes.last().is_some_and(AttributeSet::is_empty) {
        attributes.pop();
    }
}
