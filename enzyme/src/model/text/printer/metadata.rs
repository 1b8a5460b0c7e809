//! Numbers and prints metadata.

use std::fmt::{self, Formatter, Write as _};
use std::sync::Arc;

use cranelift_entity::SecondaryMap;
use rustc_hash::FxHashMap;

use super::super::super::{DebugLocation, Function, Metadata, MetadataId, MetadataIdentity};
use super::super::escape::Quoted;
use super::scope::Scope;

/// The numbered lines at the end of a text.
#[derive(Default)]
pub(super) struct Slots {
    lines: Vec<String>,
    by_text: FxHashMap<String, usize>,
    /// The compile unit, when there is any debug location.
    unit: Option<usize>,
    /// The function that is printed, when it has any debug location, and the scopes of other files in it.
    subprogram: Option<usize>,
    scopes: FxHashMap<Arc<str>, usize>,
}

/// Which nodes of a context have which numbers.
#[derive(Default)]
pub(super) struct Numbering(SecondaryMap<MetadataId, NodeState>);

#[derive(Clone, Copy, Default)]
enum NodeState {
    #[default]
    Unseen,
    /// Its elements are being numbered.
    Open,
    /// The same, and it is an element of itself: it has a number before its text is known.
    OpenNumbered(usize),
    Numbered(usize),
}

impl Slots {
    /// Prints the lines and the named metadata that debug information needs.
    pub(super) fn print(&self, out: &mut String) -> fmt::Result {
        if let Some(unit) = self.unit {
            write!(out, "\n!llvm.dbg.cu = !{{!{unit}}}\n!llvm.module.flags = !{{!{}}}\n", self.lines.len())?;
        }
        for (number, line) in self.lines.iter().enumerate() {
            if number == 0 {
                out.push('\n');
            }
            writeln!(out, "!{number} = {line}")?;
        }
        if self.unit.is_some() {
            writeln!(out, "!{} = !{{i32 2, !\"Debug Info Version\", i32 3}}", self.lines.len())?;
        }
        Ok(())
    }

    /// Notes the function that is printed; gives the number of its `DISubprogram` when any of its
    /// instructions has a location.
    pub(super) fn subprogram(&mut self, function: &Function) -> Option<usize> {
        let first = function.insts_in_order().find_map(|inst| function.insts[inst].location.as_ref())?;
        let file = self.file(&first.file);
        let unit = *self.unit.get_or_insert_with(|| {
            self.lines.push(format!(
                "distinct !DICompileUnit(language: DW_LANG_C11, file: !{file}, emissionKind: LineTablesOnly)"
            ));
            self.lines.len() - 1
        });
        let name = Quoted(function.name.as_bytes()).to_string();
        let line = first.line;
        let subprogram = self.add(format!(
            "distinct !DISubprogram(name: {name}, file: !{file}, line: {line}, spFlags: DISPFlagDefinition, unit: !{unit})"
        ));
        self.subprogram = Some(subprogram);
        self.scopes.insert(first.file.clone(), subprogram);
        self.subprogram
    }

    /// Forgets the function that was printed.
    pub(super) fn leave_function(&mut self) {
        self.subprogram = None;
        self.scopes.clear();
    }

    /// The number of a location in the function that is printed.
    pub(super) fn location(&mut self, location: &DebugLocation) -> Option<usize> {
        let subprogram = self.subprogram?;
        let scope = match self.scopes.get(&location.file) {
            Some(scope) => *scope,
            None => {
                let file = self.file(&location.file);
                let scope = self.uniqued(format!(
                    "!DILexicalBlockFile(scope: !{subprogram}, file: !{file}, discriminator: 0)"
                ));
                self.scopes.insert(location.file.clone(), scope);
                scope
            }
        };
        let DebugLocation { line, column, .. } = location;
        Some(self.uniqued(format!("!DILocation(line: {line}, column: {column}, scope: !{scope})")))
    }

    fn file(&mut self, name: &str) -> usize {
        self.uniqued(format!("!DIFile(filename: {}, directory: \"\")", Quoted(name.as_bytes())))
    }

    fn add(&mut self, line: String) -> usize {
        self.lines.push(line);
        self.lines.len() - 1
    }

    fn uniqued(&mut self, line: String) -> usize {
        if let Some(number) = self.by_text.get(&line) {
            return *number;
        }
        let number = self.add(line.clone());
        self.by_text.insert(line, number);
        number
    }
}

impl Scope<'_> {
    /// The number of a node.
    pub(super) fn slot(&self, node: MetadataId) -> usize {
        let state = self.numbering.borrow().0[node];
        match state {
            NodeState::Numbered(number) | NodeState::OpenNumbered(number) => return number,
            NodeState::Open => {
                let number = self.slots.borrow_mut().add(String::new());
                self.numbering.borrow_mut().0[node] = NodeState::OpenNumbered(number);
                return number;
            }
            NodeState::Unseen => self.numbering.borrow_mut().0[node] = NodeState::Open,
        }
        let (text, identity) = match &self.context.metadata[node] {
            Metadata::Node { identity, elements } => (self.tuple(*identity, elements), *identity),
            // Only tuples can be numbered; the others are put into one.
            Metadata::String(_) | Metadata::Constant(_) | Metadata::Value(_) => {
                (format!("!{{{}}}", self.element(Some(node))), MetadataIdentity::Uniqued)
            }
        };
        let state = self.numbering.borrow().0[node];
        let mut slots = self.slots.borrow_mut();
        let number = match (state, identity) {
            (NodeState::OpenNumbered(number), _) => {
                slots.lines[number] = text;
                number
            }
            (_, MetadataIdentity::Distinct) => slots.add(text),
            (_, MetadataIdentity::Uniqued) => slots.uniqued(text),
        };
        self.numbering.borrow_mut().0[node] = NodeState::Numbered(number);
        number
    }

    fn tuple(&self, identity: MetadataIdentity, elements: &[Option<MetadataId>]) -> String {
        let elements: Vec<String> = elements.iter().map(|element| self.element(*element)).collect();
        let word = match identity {
            MetadataIdentity::Uniqued => "",
            MetadataIdentity::Distinct => "distinct ",
        };
        format!("{word}!{{{}}}", elements.join(", "))
    }

    fn element(&self, element: Option<MetadataId>) -> String {
        let Some(element) = element else { return "null".to_owned() };
        match &self.context.metadata[element] {
            Metadata::String(text) => format!("!{}", Quoted(text.as_bytes())),
            Metadata::Constant(constant) => self.typed_constant(*constant).to_string(),
            Metadata::Node { .. } => format!("!{}", self.slot(element)),
            // Values of a function can only stand in calls.
            Metadata::Value(_) => "null".to_owned(),
        }
    }

    pub(super) fn write_metadata_operand(
        &self,
        f: &mut Formatter<'_>,
        function: &Function,
        node: MetadataId,
    ) -> fmt::Result {
        match &self.context.metadata[node] {
            Metadata::Value(value) => write!(f, "{}", self.typed_value(function, *value)),
            Metadata::String(_) | Metadata::Constant(_) | Metadata::Node { .. } => {
                f.write_str(&self.element(Some(node)))
            }
        }
    }
}

/// The name of metadata after its exclamation mark.
pub(super) fn escaped_name(name: &str) -> String {
    let mut escaped = String::with_capacity(name.len());
    for (index, byte) in name.bytes().enumerate() {
        let plain = byte.is_ascii_alphabetic()
            || matches!(byte, b'-' | b'$' | b'.' | b'_')
            || (index > 0 && byte.is_ascii_digit());
        if plain {
            escaped.push(byte as char);
        } else {
            // Writing to a string cannot fail.
            let _ = write!(escaped, "\\{byte:02X}");
        }
    }
    escaped
}
