//! Programs as LLVM IR.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use super::{Body, Callee, Pick, Program, Sort, Style, Tbaa};

/// The text of a module with the program's entry function `@f` and whatever that needs.
pub(crate) fn text(program: &Program) -> String {
    let mut needed = BTreeSet::from([0]);
    let mut written = BTreeSet::new();
    let mut functions = String::new();
    let mut declarations = BTreeSet::new();
    while let Some(index) = needed.pop_first() {
        let mut writer = FunctionWriter::new(program, index);
        functions += &writer.function();
        written.insert(index);
        needed.extend(writer.needed.difference(&written));
        declarations.extend(writer.declarations);
    }
    let mut globals = String::new();
    for (name, definition) in GLOBALS.iter().rev() {
        if functions.contains(name) || globals.contains(name) {
            globals.insert_str(0, definition);
        }
    }
    for declaration in declarations {
        functions += &format!("declare {declaration}\n");
    }
    let layout = "target datalayout = \"e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128\"\n";
    let record = if functions.contains("%record") || globals.contains("%record") {
        "%record = type { double, i64, ptr, float, i32 }\n"
    } else {
        ""
    };
    let metadata = if functions.contains("!tbaa") { TBAA_NODES } else { "" };
    format!("{layout}{record}{globals}{functions}{metadata}")
}

/// In an order in which each names only earlier ones.
const GLOBALS: [(&str, &str); 6] = [
    ("@table", "@table = constant [4 x double] [double 0.5, double -0.75, double 1.25, double 0.625]\n"),
    ("@state", "@state = global [4 x double] [double 0.25, double 0.5, double -1.5, double 0.75]\n"),
    ("@singles", "@singles = global [4 x float] [float 0.25, float 0.5, float -1.5, float 0.75]\n"),
    ("@record", "@record = global %record { double 0.5, i64 3, ptr @state, float 0.75, i32 2 }\n"),
    ("@cell", "@cell = global ptr @state\n"),
    ("@functions", "@functions = constant [2 x ptr] [ptr @scalar, ptr @other]\n"),
];

const TBAA_NODES: &str = r#"!0 = !{!"TBAA of this test"}
!1 = !{!"omnipotent char", !0, i64 0}
!2 = !{!"double", !1, i64 0}
!3 = !{!"float", !1, i64 0}
!4 = !{!"long", !1, i64 0}
!5 = !{!"int", !1, i64 0}
!6 = !{!"any pointer", !1, i64 0}
!7 = !{!"record", !2, i64 0, !4, i64 8, !6, i64 16, !3, i64 24, !5, i64 28}
!12 = !{!2, !2, i64 0}
!13 = !{!3, !3, i64 0}
!16 = !{!6, !6, i64 0}
!20 = !{!7, !2, i64 0}
!21 = !{!7, !4, i64 8}
!22 = !{!7, !6, i64 16}
!23 = !{!7, !3, i64 24}
!24 = !{!7, !5, i64 28}
"#;

/// What an access says of its type.
#[derive(Clone, Copy)]
pub(super) enum Tag {
    Double,
    Float,
    Pointer,
    /// A field of a record.
    Field(u8),
}

impl Sort {
    pub(super) const COUNT: usize = Self::Pair as usize + 1;

    pub(super) fn ty(self) -> &'static str {
        match self {
            Self::Double => "double",
            Self::Float => "float",
            Self::Long | Self::Bits | Self::Address => "i64",
            Self::Int => "i32",
            Self::Truth => "i1",
            Self::Array | Self::Constants | Self::Floats | Self::Record | Self::Cell => "ptr",
            Self::Vector => "<2 x double>",
            Self::Quad => "<4 x float>",
            Self::Pair => "{ double, i64 }",
        }
    }

    /// A constant that is always there.
    fn constant(self) -> &'static str {
        match self {
            Self::Double => "0.75",
            Self::Float => "0.5",
            Self::Long => "3",
            Self::Int => "2",
            Self::Truth => "true",
            // 1.5
            Self::Bits => "4609434218613702656",
            Self::Address => "ptrtoint (ptr @state to i64)",
            Self::Array => "@state",
            Self::Constants => "@table",
            Self::Floats => "@singles",
            Self::Record => "@record",
            Self::Cell => "@cell",
            Self::Vector => "<double 0.5, double 1.25>",
            Self::Quad => "<float 0.5, float 1.25, float -0.75, float 1.0>",
            Self::Pair => "{ double 0.5, i64 2 }",
        }
    }
}

impl Callee {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Scalar => "scalar",
            Self::Other => "other",
            Self::Element => "element",
            Self::Update => "update",
            Self::Bits => "bits",
            Self::Choose => "choose",
            Self::Record => "of_record",
            Self::Pair => "pair",
            Self::Recursive => "recursive",
            Self::Even => "even",
            Self::Odd => "odd",
        }
    }

    pub(super) fn parameters(self) -> &'static [Sort] {
        match self {
            Self::Scalar | Self::Other => &[Sort::Double, Sort::Double],
            Self::Element => &[Sort::Array, Sort::Long],
            Self::Update => &[Sort::Array, Sort::Array],
            Self::Bits => &[Sort::Bits],
            Self::Choose => &[Sort::Array, Sort::Array, Sort::Truth],
            Self::Record => &[Sort::Record],
            Self::Pair => &[Sort::Pair],
            Self::Recursive | Self::Even | Self::Odd => &[Sort::Double, Sort::Long],
        }
    }

    pub(super) fn result(self) -> Option<Sort> {
        match self {
            Self::Scalar
            | Self::Other
            | Self::Element
            | Self::Record
            | Self::Recursive
            | Self::Even
            | Self::Odd => Some(Sort::Double),
            Self::Update => None,
            Self::Bits => Some(Sort::Bits),
            Self::Choose => Some(Sort::Array),
            Self::Pair => Some(Sort::Pair),
        }
    }

    /// What it calls on one number less, for functions that go round in circles.
    fn next_in_circle(self) -> Option<Self> {
        match self {
            Self::Recursive => Some(Self::Recursive),
            Self::Even => Some(Self::Odd),
            Self::Odd => Some(Self::Even),
            Self::Scalar
            | Self::Other
            | Self::Element
            | Self::Update
            | Self::Bits
            | Self::Choose
            | Self::Record
            | Self::Pair => None,
        }
    }

    /// Its place among the functions; the entry function has the first.
    pub(super) fn index(self) -> usize {
        self as usize + 1
    }
}

/// Writes one function.
pub(super) struct FunctionWriter<'p> {
    pub(super) program: &'p Program,
    /// Which function it is.
    pub(super) index: usize,
    body: &'p Body,
    /// The memory of the frame, at the top of the function.
    frame: String,
    pub(super) code: String,
    next: usize,
    /// The block that is being written.
    pub(super) block: String,
    /// The values that are there, or the memory that holds them.
    known: [Vec<String>; Sort::COUNT],
    /// Functions that are called.
    needed: BTreeSet<usize>,
    declarations: BTreeSet<String>,
}

impl<'p> FunctionWriter<'p> {
    fn new(program: &'p Program, index: usize) -> Self {
        Self {
            program,
            index,
            body: body(program, index),
            frame: String::new(),
            code: String::new(),
            next: 0,
            block: "entry".to_owned(),
            known: Default::default(),
            needed: BTreeSet::new(),
            declarations: BTreeSet::new(),
        }
    }

    fn function(&mut self) -> String {
        let callee = self.index.checked_sub(1).map(|index| Callee::ALL[index]);
        let (name, parameters, result) = match callee {
            Some(callee) => (callee.name(), numbered(callee.parameters()), callee.result()),
            None => ("f", entry_parameters(), Some(Sort::Double)),
        };
        for (sort, name) in &parameters {
            self.keep(*sort, name.clone());
        }
        let circle = callee.and_then(Callee::next_in_circle);
        if circle.is_some() {
            self.circle_ends();
        }
        let statements = &self.body.statements;
        self.statements(statements);
        match (result, circle) {
            (Some(result), None) => {
                let value = self.read(result, self.body.result);
                self.emit(format!("ret {} {value}", result.ty()));
            }
            (_, Some(next)) => self.circle_goes_on(next),
            (None, None) => self.emit("ret void"),
        }
        let parameters: Vec<String> =
            parameters.iter().map(|(sort, name)| format!("{} {name}", sort.ty())).collect();
        let result = result.map_or("void", Sort::ty);
        format!(
            "define {result} @{name}({}) {{\nentry:\n{}{}}}\n",
            parameters.join(", "),
            self.frame,
            self.code
        )
    }

    /// A function that calls itself stops when its number is no longer positive.
    fn circle_ends(&mut self) {
        let stop = self.value("icmp sle i64 %p1, 0");
        let (base, step) = (self.label("base"), self.label("step"));
        self.emit(format!("br i1 {stop}, label %{base}, label %{step}"));
        self.start(&base);
        self.emit("ret double %p0");
        self.start(&step);
    }

    fn circle_goes_on(&mut self, next: Callee) {
        self.needed.insert(next.index());
        let value = self.read(Sort::Double, self.body.result);
        let less = self.value("sub i64 %p1, 1");
        let deeper = self.value(format!("call double @{}(double {value}, i64 {less})", next.name()));
        let result = self.value(format!("fmul double {deeper}, 0.75"));
        self.emit(format!("ret double {result}"));
    }

    // Lines.

    pub(super) fn emit(&mut self, line: impl AsRef<str>) {
        let _ = writeln!(self.code, "  {}", line.as_ref());
    }

    /// A value computed by an instruction.
    pub(super) fn value(&mut self, instruction: impl AsRef<str>) -> String {
        let name = self.name();
        self.emit(format!("{name} = {}", instruction.as_ref()));
        name
    }

    pub(super) fn name(&mut self) -> String {
        self.next += 1;
        format!("%v{}", self.next)
    }

    pub(super) fn label(&mut self, what: &str) -> String {
        self.next += 1;
        format!("{what}{}", self.next)
    }

    /// Starts a block.
    pub(super) fn start(&mut self, label: &str) {
        let _ = writeln!(self.code, "{label}:");
        label.clone_into(&mut self.block);
    }

    /// Memory of the frame.
    pub(super) fn alloca(&mut self, ty: &str) -> String {
        let name = self.name();
        let _ = writeln!(self.frame, "  {name} = alloca {ty}, align 16");
        name
    }

    /// The function is called from here: it must be written, and declared if it belongs to the library.
    pub(super) fn declare(&mut self, declaration: impl Into<String>) {
        self.declarations.insert(declaration.into());
    }

    pub(super) fn need(&mut self, callee: Callee) {
        self.needed.insert(callee.index());
    }

    pub(super) fn tag(&self, tag: Tag) -> String {
        match (self.program.tbaa, tag) {
            (Tbaa::Absent, _) => String::new(),
            (Tbaa::Present, Tag::Double) => ", !tbaa !12".to_owned(),
            (Tbaa::Present, Tag::Float) => ", !tbaa !13".to_owned(),
            (Tbaa::Present, Tag::Pointer) => ", !tbaa !16".to_owned(),
            (Tbaa::Present, Tag::Field(field)) => format!(", !tbaa !{}", 20 + field),
        }
    }

    // Values that are there.

    /// One more value is there from now on.
    pub(super) fn keep(&mut self, sort: Sort, value: String) {
        let kept = match self.program.style {
            Style::Registers => value,
            Style::Frame => {
                let slot = self.alloca(sort.ty());
                self.emit(format!("store {} {value}, ptr {slot}", sort.ty()));
                slot
            }
        };
        self.known[sort as usize].push(kept);
    }

    /// One of the values that are there.
    pub(super) fn read(&mut self, sort: Sort, pick: Pick) -> String {
        let known = &self.known[sort as usize];
        if pick == 0 || known.is_empty() {
            return sort.constant().to_owned();
        }
        let kept = known[known.len() - 1 - (pick as usize - 1) % known.len()].clone();
        match self.program.style {
            Style::Registers => kept,
            Style::Frame => self.value(format!("load {}, ptr {kept}", sort.ty())),
        }
    }

    /// A truth value; one is made from two numbers when there is none.
    pub(super) fn condition(&mut self, pick: Pick) -> String {
        if pick == 0 || !self.known[Sort::Truth as usize].is_empty() {
            return self.read(Sort::Truth, pick);
        }
        let (x, y) = (self.read(Sort::Double, pick), self.read(Sort::Double, pick + 1));
        self.value(format!("fcmp olt double {x}, {y}"))
    }

    /// As [`Self::keep`], for what is kept already, in a register or in the frame.
    pub(super) fn keep_as_it_is(&mut self, sort: Sort, kept: String) {
        self.known[sort as usize].push(kept);
    }

    /// What is there now; a part of the program that may not run must not leave more behind.
    pub(super) fn scope(&self) -> [usize; Sort::COUNT] {
        std::array::from_fn(|index| self.known[index].len())
    }

    pub(super) fn end_scope(&mut self, scope: [usize; Sort::COUNT]) {
        for (known, length) in self.known.iter_mut().zip(scope) {
            known.truncate(length);
        }
    }
}

/// Functions share bodies: what these make of them depends on the parameters.
fn body(program: &Program, index: usize) -> &Body {
    match index.checked_sub(1) {
        None => &program.bodies[0],
        Some(callee) => &program.bodies[1 + callee % (program.bodies.len() - 1)],
    }
}

fn numbered(sorts: &[Sort]) -> Vec<(Sort, String)> {
    sorts.iter().enumerate().map(|(index, &sort)| (sort, format!("%p{index}"))).collect()
}

/// The parameters of `@f`: an active number, an inactive one, an active array, an inactive one, an active record, and
/// an integer.
fn entry_parameters() -> Vec<(Sort, String)> {
    let names = [
        (Sort::Double, "%c"),
        (Sort::Double, "%x"),
        (Sort::Constants, "%constants"),
        (Sort::Array, "%data"),
        (Sort::Record, "%record"),
        (Sort::Long, "%n"),
    ];
    names.into_iter().map(|(sort, name)| (sort, name.to_owned())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_and_globals_have_nodes_and_definitions() {
        let names: BTreeMap<&str, &str> = GLOBALS.into_iter().collect();
        assert_eq!(names.len(), GLOBALS.len());
        for (name, definition) in names {
            assert!(definition.starts_with(name));
        }
        for field in 0..5 {
            assert!(TBAA_NODES.contains(&format!("\n!{} = ", 20 + field)));
        }
    }
}
