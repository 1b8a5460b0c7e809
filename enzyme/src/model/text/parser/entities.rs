//! Reads what functions name: types, attributes, globals. Each is read into a context where it is met.

use rustc_hash::FxHashMap;

use super::super::super::{
    Attribute, AttributeSet, BlockId, Context, GlobalId, MetadataId, Packing, StructBody, StructType,
    TargetType, Type, TypeId, Variadic, VectorLength,
};
use super::super::super::{
    DllStorage, FloatType, GlobalTraits, Linkage, ThreadLocalModel, UnnamedAddress, Visibility,
};
use super::super::lexer::{Name, TokenKind};
use super::cursor::{Cursor, Result};
use super::words;

/// What names stand for in one context.
#[derive(Default)]
pub(super) struct Names {
    pub(super) globals: FxHashMap<String, GlobalId>,
    pub(super) metadata: FxHashMap<u32, MetadataId>,
    types: FxHashMap<Name, TypeId>,
    /// Symbols whose contents have not been read yet.
    pub(super) hollow: Vec<HollowGlobal>,
    /// Named types whose definitions are being read.
    open_types: Vec<Name>,
    /// The function whose body is read, and its labels.
    pub(super) own_blocks: Option<(String, FxHashMap<Name, BlockId>)>,
}

/// A symbol that is known, but not what it holds: contents may name any other symbol.
pub(super) struct HollowGlobal {
    pub(super) global: GlobalId,
    /// Where the contents are written.
    pub(super) position: usize,
    /// Whether the contents say their type themselves, for the target of an alias.
    pub(super) untyped: bool,
}

/// Reads entities into a context.
pub(super) struct EntityReader<'a, 'd> {
    pub(super) cursor: &'a mut Cursor<'d>,
    pub(super) context: &'a mut Context,
    pub(super) names: &'a mut Names,
}

/// A call's or a declaration's parameter: its type, its attributes, and where its name may stand.
pub(super) struct Parameter {
    pub(super) ty: TypeId,
    pub(super) attributes: AttributeSet,
    pub(super) name: Option<Name>,
    /// Where it starts, or its name when it has one.
    pub(super) position: usize,
}

impl<'d> EntityReader<'_, 'd> {
    /// Reads something that is defined elsewhere in the text.
    pub(super) fn elsewhere<T>(
        &mut self,
        position: usize,
        read: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<T> {
        let back = std::mem::replace(&mut self.cursor.position, position);
        self.cursor.enter()?;
        let result = read(self);
        self.cursor.leave();
        if result.is_ok() {
            self.cursor.position = back;
        }
        result
    }

    // Types.

    /// A type that a value can have.
    pub(super) fn value_type(&mut self) -> Result<TypeId> {
        let start = self.cursor.position;
        let ty = self.ty()?;
        match self.context.ty(ty) {
            Type::Void | Type::Function(_) => {
                Err(self.cursor.error_at(start, "a value cannot have this type"))
            }
            _ => Ok(ty),
        }
    }

    /// Any type, functions' included.
    pub(super) fn ty(&mut self) -> Result<TypeId> {
        self.cursor.enter()?;
        let mut ty = self.pointer_to_named()?.map_or_else(|| self.simple_type(), Ok)?;
        loop {
            if self.cursor.at('(') {
                ty = self.function_type(ty)?;
            } else if let Some(address_space) = self.typed_pointer()? {
                ty = self.context.intern_type(Type::Pointer { address_space });
            } else {
                self.cursor.leave();
                return Ok(ty);
            }
        }
    }

    /// `%name*`: the named type may be the one around it, and need not be known.
    fn pointer_to_named(&mut self) -> Result<Option<TypeId>> {
        if !matches!(self.cursor.peek(), TokenKind::Local(_)) || !self.at_typed_pointer(1) {
            return Ok(None);
        }
        self.cursor.advance();
        let address_space = self.address_space()?;
        self.cursor.expect('*')?;
        Ok(Some(self.context.intern_type(Type::Pointer { address_space })))
    }

    /// The rest of `double*` or `double addrspace(1)*`, which stand for pointers of any contents.
    fn typed_pointer(&mut self) -> Result<Option<u32>> {
        if !self.at_typed_pointer(0) {
            return Ok(None);
        }
        let address_space = self.address_space()?;
        self.cursor.expect('*')?;
        Ok(Some(address_space))
    }

    fn at_typed_pointer(&self, distance: usize) -> bool {
        let is_star = |distance| *self.cursor.peek_at(distance) == TokenKind::Punctuation('*');
        let in_address_space = *self.cursor.peek_at(distance) == TokenKind::Word("addrspace");
        is_star(distance) || in_address_space && is_star(distance + 4)
    }

    fn function_type(&mut self, result: TypeId) -> Result<TypeId> {
        let (parameters, variadic) = self.parameters()?;
        let parameters = parameters.into_iter().map(|parameter| parameter.ty).collect();
        Ok(self.context.function_type(result, parameters, variadic))
    }

    fn simple_type(&mut self) -> Result<TypeId> {
        let start = self.cursor.position;
        let ty = match self.cursor.peek() {
            TokenKind::Word(word) => return self.word_type(word),
            TokenKind::Local(name) => {
                let name = name.clone();
                self.cursor.advance();
                return self.named_type(start, name);
            }
            TokenKind::Punctuation('[') => {
                self.cursor.advance();
                let length = self.cursor.expect_number("the length of the array")?;
                self.cursor.expect_word("x")?;
                let element = self.value_type()?;
                self.cursor.expect(']')?;
                Type::Array { length, element }
            }
            TokenKind::Punctuation('<') => {
                self.cursor.advance();
                if self.cursor.at('{') {
                    let fields = self.fields()?;
                    self.cursor.expect('>')?;
                    let body = Some(StructBody { fields, packing: Packing::Packed });
                    Type::Struct(StructType { name: None, body })
                } else {
                    self.vector_type()?
                }
            }
            TokenKind::Punctuation('{') => {
                let body = Some(StructBody { fields: self.fields()?, packing: Packing::Padded });
                Type::Struct(StructType { name: None, body })
            }
            _ => return Err(self.cursor.expected("a type")),
        };
        Ok(self.context.intern_type(ty))
    }

    fn word_type(&mut self, word: &str) -> Result<TypeId> {
        let Some(ty) = words::simple_type(word) else {
            return match word {
                "ptr" => {
                    self.cursor.advance();
                    let address_space = self.address_space()?;
                    Ok(self.context.intern_type(Type::Pointer { address_space }))
                }
                "target" => {
                    self.cursor.advance();
                    self.target_type()
                }
                _ => Err(self.cursor.expected("a type")),
            };
        };
        self.cursor.advance();
        Ok(self.context.intern_type(ty))
    }

    /// `addrspace(n)`, or nothing.
    pub(super) fn address_space(&mut self) -> Result<u32> {
        if self.cursor.eat_word("addrspace") {
            return self.cursor.expect_number_in_parentheses("an address space");
        }
        Ok(0)
    }

    fn vector_type(&mut self) -> Result<Type> {
        let scalable = self.cursor.eat_word("vscale");
        if scalable {
            self.cursor.expect_word("x")?;
        }
        let length = self.cursor.expect_number("the length of the vector")?;
        self.cursor.expect_word("x")?;
        let element = self.value_type()?;
        self.cursor.expect('>')?;
        let length = if scalable { VectorLength::Scalable(length) } else { VectorLength::Fixed(length) };
        Ok(Type::Vector { length, element })
    }

    fn fields(&mut self) -> Result<Vec<TypeId>> {
        self.cursor.expect('{')?;
        let mut fields = Vec::new();
        if self.cursor.eat('}') {
            return Ok(fields);
        }
        loop {
            fields.push(self.value_type()?);
            if self.cursor.eat('}') {
                return Ok(fields);
            }
            if !self.cursor.eat(',') {
                return Err(self.cursor.expected("`,` or `}`"));
            }
        }
    }

    fn target_type(&mut self) -> Result<TypeId> {
        self.cursor.expect('(')?;
        let name = self.cursor.expect_string("the name of the target type")?;
        let mut target = TargetType { name, types: Vec::new(), integers: Vec::new() };
        while self.cursor.eat(',') {
            if matches!(self.cursor.peek(), TokenKind::Integer(_)) {
                target.integers.push(self.cursor.expect_number("an integer parameter")?);
            } else {
                target.types.push(self.ty()?);
            }
        }
        self.cursor.expect(')')?;
        Ok(self.context.intern_type(Type::Target(target)))
    }

    fn named_type(&mut self, start: usize, name: Name) -> Result<TypeId> {
        if let Some(ty) = self.names.types.get(&name) {
            return Ok(*ty);
        }
        let document = self.cursor.document;
        let Some(position) = document.types.get(&name) else {
            return Err(self
                .cursor
                .error_at(start, &format!("the type `%{}` is not defined", name.into_text())));
        };
        let text = name.clone().into_text();
        if self.names.open_types.contains(&name) {
            return Err(self.cursor.error_at(start, &format!("the type `%{text}` contains itself")));
        }
        self.names.open_types.push(name.clone());
        let ty = self.elsewhere(*position, |reader| {
            if reader.cursor.eat_word("opaque") {
                let opaque = StructType { name: Some(text), body: None };
                return Ok(reader.context.intern_type(Type::Struct(opaque)));
            }
            let ty = reader.value_type()?;
            match reader.context.ty(ty).clone() {
                Type::Struct(StructType { name: None, body }) => {
                    Ok(reader.context.intern_type(Type::Struct(StructType { name: Some(text), body })))
                }
                // `%t = type i32` only abbreviates.
                _ => Ok(ty),
            }
        })?;
        self.names.open_types.pop();
        self.names.types.insert(name, ty);
        Ok(ty)
    }

    // Attributes.

    /// Attributes of a parameter, an argument or a result.
    pub(super) fn attributes(&mut self) -> Result<AttributeSet> {
        let mut attributes = AttributeSet::default();
        loop {
            match self.cursor.peek() {
                TokenKind::Word(word) if words::is_attribute(word) => {
                    let attribute = self.word_attribute(word)?;
                    attributes.add(attribute);
                }
                TokenKind::String(_) => attributes.add(self.string_attribute()?),
                _ => return Ok(attributes),
            }
        }
    }

    /// Attributes of a function or a call: as above, and groups.
    pub(super) fn function_attributes(&mut self) -> Result<AttributeSet> {
        let mut attributes = AttributeSet::default();
        loop {
            match self.cursor.peek() {
                TokenKind::Group(number) => {
                    self.group(*number)?.iter().for_each(|attribute| attributes.add(attribute.clone()));
                }
                // The alignment of the function is no attribute.
                TokenKind::Word("align") => return Ok(attributes),
                TokenKind::Word(word) if words::is_attribute(word) => {
                    let attribute = self.word_attribute(word)?;
                    attributes.add(attribute);
                }
                TokenKind::String(_) => attributes.add(self.string_attribute()?),
                _ => return Ok(attributes),
            }
        }
    }

    fn group(&mut self, number: u32) -> Result<AttributeSet> {
        let document = self.cursor.document;
        self.cursor.advance();
        let mut attributes = AttributeSet::default();
        // A group that is not defined is empty.
        for position in document.groups.get(&number).into_iter().flatten() {
            self.elsewhere(*position, |reader| {
                while !reader.cursor.eat('}') {
                    match reader.cursor.peek() {
                        TokenKind::Word(word) => {
                            let attribute = reader.word_attribute(word)?;
                            attributes.add(attribute);
                        }
                        TokenKind::String(_) => attributes.add(reader.string_attribute()?),
                        _ => return Err(reader.cursor.expected("an attribute or `}`")),
                    }
                }
                Ok(())
            })?;
        }
        Ok(attributes)
    }

    fn word_attribute(&mut self, word: &str) -> Result<Attribute> {
        self.cursor.advance();
        let name = word.to_owned();
        if word == "align" && matches!(self.cursor.peek(), TokenKind::Integer(_)) {
            return Ok(Attribute::Integer(name, self.cursor.expect_number("an alignment")?));
        }
        // In a group a number follows `=`.
        if self.cursor.eat('=') {
            return Ok(Attribute::Integer(name, self.cursor.expect_number("the value of the attribute")?));
        }
        if !self.cursor.at('(') {
            return Ok(Attribute::Flag(name));
        }
        if words::has_type(word) {
            self.cursor.advance();
            let ty = self.ty()?;
            self.cursor.expect(')')?;
            return Ok(Attribute::Type(name, ty));
        }
        if words::has_number(word) {
            return Ok(Attribute::Integer(name, self.cursor.expect_number_in_parentheses("a number")?));
        }
        Ok(Attribute::Text(name, self.cursor.text_in_parentheses()?))
    }

    fn string_attribute(&mut self) -> Result<Attribute> {
        let name = self.cursor.expect_string("an attribute")?;
        let value = if self.cursor.eat('=') {
            Some(self.cursor.expect_string("the value of the attribute")?)
        } else {
            None
        };
        Ok(Attribute::String(name, value))
    }

    /// `(type attributes %name, …, ...)`.
    pub(super) fn parameters(&mut self) -> Result<(Vec<Parameter>, Variadic)> {
        self.cursor.expect('(')?;
        let mut parameters = Vec::new();
        if self.cursor.eat(')') {
            return Ok((parameters, Variadic::No));
        }
        loop {
            if *self.cursor.peek() == TokenKind::Dots {
                self.cursor.advance();
                self.cursor.expect(')')?;
                return Ok((parameters, Variadic::Yes));
            }
            let mut position = self.cursor.position;
            let ty = self.value_type()?;
            let attributes = self.attributes()?;
            let name = match self.cursor.peek() {
                TokenKind::Local(name) => {
                    position = self.cursor.position;
                    self.cursor.advance();
                    Some(name.clone())
                }
                _ => None,
            };
            parameters.push(Parameter { ty, attributes, name, position });
            if self.cursor.eat(')') {
                return Ok((parameters, Variadic::No));
            }
            if !self.cursor.eat(',') {
                return Err(self.cursor.expected("`,` or `)`"));
            }
        }
    }

    // What is said of any global.

    /// Linkage, when given, and what comes before the type.
    pub(super) fn linkage_and_traits(&mut self, traits: &mut GlobalTraits) -> Result<Option<Linkage>> {
        let linkage = self.cursor.eat_mapped(Linkage::from_mnemonic);
        loop {
            if self.cursor.eat_word("dso_local") {
                traits.dso_local = true;
            } else if self.cursor.eat_word("dso_preemptable") || self.cursor.eat_word("default") {
                // The ordinary case, spelled out.
            } else if let Some(visibility) = self.cursor.eat_mapped(Visibility::from_mnemonic) {
                traits.visibility = visibility;
            } else if let Some(storage) = self.cursor.eat_mapped(DllStorage::from_mnemonic) {
                traits.dll_storage = storage;
            } else if self.cursor.eat_word("thread_local") {
                traits.thread_local = Some(self.thread_local_model()?);
            } else if let Some(address) = self.cursor.eat_mapped(UnnamedAddress::from_mnemonic) {
                traits.unnamed_address = address;
            } else {
                return Ok(linkage);
            }
        }
    }

    fn thread_local_model(&mut self) -> Result<ThreadLocalModel> {
        if !self.cursor.eat('(') {
            return Ok(ThreadLocalModel::GeneralDynamic);
        }
        let model = self.cursor.expect_mapped("a thread-local model", ThreadLocalModel::from_mnemonic)?;
        self.cursor.expect(')')?;
        Ok(model)
    }

    /// `section`, `partition`, `comdat` or `align`, when it comes next.
    pub(super) fn late_trait(&mut self, name: &str, traits: &mut GlobalTraits) -> Result<bool> {
        if self.cursor.eat_word("section") {
            traits.section = Some(self.cursor.expect_string("the name of the section")?);
        } else if self.cursor.eat_word("partition") {
            traits.partition = Some(self.cursor.expect_string("the name of the partition")?);
        } else if self.cursor.eat_word("comdat") {
            traits.comdat = Some(self.comdat_name(name)?);
        } else if self.cursor.eat_word("align") {
            traits.alignment = Some(self.cursor.expect_number("an alignment")?);
        } else {
            return Ok(false);
        }
        Ok(true)
    }

    fn comdat_name(&mut self, own: &str) -> Result<String> {
        if !self.cursor.eat('(') {
            return Ok(own.to_owned());
        }
        let TokenKind::Comdat(name) = self.cursor.peek() else {
            return Err(self.cursor.expected("the name of a comdat, as in `$c`"));
        };
        self.cursor.advance();
        self.cursor.expect(')')?;
        Ok(name.clone())
    }

    /// The floating-point type behind an id.
    pub(super) fn as_float(&self, ty: TypeId) -> Option<FloatType> {
        match self.context.ty(ty) {
            Type::Float(float) => Some(*float),
            _ => None,
        }
    }
}
