//! The parser: recursive descent over the tokens of a [`Document`].

mod body;
mod calls;
mod constants;
mod cursor;
mod document;
mod entities;
mod globals;
mod instructions;
mod metadata;
mod words;

use std::str::FromStr;

use super::super::{Function, Module};
use super::ParseError;
use super::error::Position;
use cursor::{Cursor, Result};
use document::{Document, GlobalEntity};
use entities::{EntityReader, Names};

impl Module {
    /// Reads a module from its text form.
    pub fn parse(source: &str) -> Result<Self> {
        let document = Document::new(source)?;
        let mut module = Self {
            source_name: document.source_name.clone(),
            assembler: document.assembler.clone(),
            comdats: document.comdats.clone(),
            context: body::new_context(&document),
            ..Self::default()
        };
        let mut cursor = Cursor::new(&document, 0);
        let mut names = Names::default();
        let mut reader =
            EntityReader { cursor: &mut cursor, context: &mut module.context, names: &mut names };
        for name in in_order(&document) {
            reader.global(name, None)?;
        }
        for (name, position) in &document.named_metadata {
            if is_debug_metadata(name) {
                continue;
            }
            let nodes = reader.elsewhere(*position, EntityReader::metadata_list)?;
            module.named_metadata.push((name.clone(), nodes));
        }
        reader.fill_globals()?;
        for entity in document.globals.values() {
            if let GlobalEntity::Definition(position) = entity {
                module.functions.push(body::read(&document, *position)?);
            }
        }
        Ok(module)
    }
}

impl FromStr for Module {
    type Err = ParseError;

    fn from_str(source: &str) -> Result<Self> {
        Self::parse(source)
    }
}

impl Function {
    /// Reads the function that a text defines, of which there must be exactly one.
    pub fn parse(source: &str) -> Result<Self> {
        let document = Document::new(source)?;
        let mut definitions = document.globals.values().filter_map(|entity| match entity {
            GlobalEntity::Definition(position) => Some(*position),
            GlobalEntity::Value(_) | GlobalEntity::Declaration(_) => None,
        });
        let Some(position) = definitions.next() else {
            return Err(ParseError::new(
                Position::of(source, source.len()),
                "expected a function, as in `define …`",
            ));
        };
        if let Some(second) = definitions.next() {
            return Err(Cursor::new(&document, 0).error_at(second, "expected one function only"));
        }
        body::read(&document, position)
    }
}

impl FromStr for Function {
    type Err = ParseError;

    fn from_str(source: &str) -> Result<Self> {
        Self::parse(source)
    }
}

/// The names of all symbols in the order of LLVM's lists: variables, aliases, resolvers, functions.
fn in_order<'d>(document: &'d Document<'_>) -> Vec<&'d str> {
    let mut names: Vec<(u8, &str)> = document
        .globals
        .iter()
        .filter(|(name, _)| !body::is_debug_intrinsic(name))
        .map(|(name, entity)| (order_of(document, *entity), name.as_str()))
        .collect();
    names.sort_by_key(|(order, _)| *order);
    names.into_iter().map(|(_, name)| name).collect()
}

fn order_of(document: &Document<'_>, entity: GlobalEntity) -> u8 {
    let GlobalEntity::Value(position) = entity else { return 3 };
    let mut cursor = Cursor::new(document, position);
    // Linkage and the like come before the word that says what it is.
    loop {
        match cursor.peek_word() {
            Some("alias") => return 1,
            Some("ifunc") => return 2,
            Some("global" | "constant") => return 0,
            Some(_) => {
                cursor.advance();
                if cursor.at('(') && cursor.text_in_parentheses().is_err() {
                    return 0;
                }
            }
            None => return 0,
        }
    }
}

/// Named metadata that only debug information needs; the printer writes its own.
fn is_debug_metadata(name: &str) -> bool {
    name == "llvm.dbg.cu" || name == "llvm.module.flags" || name == "llvm.ident"
}
