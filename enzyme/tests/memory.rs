//! Points-to sets, escapes, and what instructions read and write: each fact beside the cautious answer.

use enzyme::memory::{Alias, Escape, Location, Memory, ObjectId, ObjectKind, Region};
use enzyme::model::{InstId, Module, ValueId};
use enzyme::program::{FunctionId, Program};

fn program(text: &str) -> Program {
    let module = Module::parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    for function in &module.functions {
        function.verify().unwrap_or_else(|error| panic!("{error}\n{text}"));
    }
    Program::from(module)
}

/// The memory of one function, with its parts told by names.
struct Probe<'a> {
    memory: &'a Memory<'a>,
    function: FunctionId,
}

/// Looks at the first function of a text.
fn probe(text: &str, look: impl FnOnce(Probe<'_>)) {
    let program = program(text);
    let memory = Memory::of(&program);
    let function = program.iter().next().expect("there is a function").0;
    look(Probe { memory: &memory, function });
}

/// Looks at a body without a frame.
fn probe_body(parameters: &str, body: &str, look: impl FnOnce(Probe<'_>)) {
    probe(&format!("define void @f({parameters}) {{\n{body}  ret void\n}}\n{DECLARATIONS}"), look);
}

const DECLARATIONS: &str = "
declare ptr @malloc(i64)
declare void @free(ptr)
declare void @unknown(...)
declare ptr @unknown_pointer(...)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
";

impl Probe<'_> {
    fn value(&self, name: &str) -> ValueId {
        let function = &self.memory.program()[self.function];
        function
            .values
            .iter()
            .find(|(_, value)| value.name.as_deref() == Some(name))
            .map(|(id, _)| id)
            .unwrap_or_else(|| panic!("there is no %{name}"))
    }

    /// An instruction: `x` makes `%x`, `store 1` is the second store of the text.
    fn inst(&self, what: &str) -> InstId {
        let function = &self.memory.program()[self.function];
        let Some((mnemonic, index)) = what.split_once(' ') else {
            return function.as_inst(self.value(what)).expect("an instruction makes it");
        };
        function
            .insts_in_order()
            .filter(|&inst| function.insts[inst].opcode.mnemonic() == mnemonic)
            .nth(index.parse().expect("a number"))
            .unwrap_or_else(|| panic!("there is no `{what}`"))
    }

    fn object(&self, id: ObjectId) -> String {
        let function = &self.memory.program()[self.function];
        let made_by = |inst: InstId| {
            function.insts[inst]
                .result
                .and_then(|result| function.values[result].name.clone())
                .unwrap_or_default()
        };
        let parameter = |index: u32| {
            function.values[function.parameters[index as usize]].name.clone().unwrap_or_default()
        };
        match self.memory.object(self.function, id).kind {
            ObjectKind::Outside => "outside".to_owned(),
            ObjectKind::Handed => "handed".to_owned(),
            ObjectKind::ErrorNumber => "errno".to_owned(),
            ObjectKind::Parameter(index) => format!("*{}", parameter(index)),
            ObjectKind::Reached(index) => format!("**{}", parameter(index)),
            ObjectKind::Beyond(index) => format!("***{}", parameter(index)),
            ObjectKind::Global(symbol) => format!("@{}", self.memory.symbol(symbol).name),
            ObjectKind::Stack(inst) => format!("stack {}", made_by(inst)),
            ObjectKind::Heap(inst) => format!("heap {}", made_by(inst)),
        }
    }

    fn location(&self, location: Location) -> String {
        let object = self.object(location.object);
        match location.offset {
            Some(offset) => format!("{object}+{offset}"),
            None => format!("{object}+?"),
        }
    }

    fn region(&self, region: Region) -> String {
        let start = self.location(region.location);
        match region.size {
            Some(size) if region.location.offset.is_some() => format!("{start}:{size}"),
            Some(_) | None => start,
        }
    }

    fn points_to(&self, name: &str) -> String {
        let set = self.memory.points_to(self.function, self.value(name));
        set.iter().map(|location| self.location(location)).collect::<Vec<_>>().join(" ")
    }

    fn reads(&self, what: &str) -> String {
        self.list(self.memory.reads(self.function, self.inst(what)))
    }

    fn writes(&self, what: &str) -> String {
        self.list(self.memory.writes(self.function, self.inst(what)))
    }

    fn list(&self, regions: Vec<Region>) -> String {
        regions.into_iter().map(|region| self.region(region)).collect::<Vec<_>>().join(" ")
    }

    fn overwrites(&self, writer: &str, reader: &str) -> bool {
        self.memory.may_overwrite(self.function, self.inst(writer), self.inst(reader))
    }

    fn alias(&self, first: &str, second: &str) -> Alias {
        self.memory.alias(self.function, self.value(first), Some(8), self.value(second), Some(8))
    }

    /// How far the object that a value points to gets.
    fn escape(&self, name: &str) -> Escape {
        let place = self.memory.points_to(self.function, self.value(name)).single().expect("one place");
        self.memory.escapes(self.function, place.object)
    }
}

// Points-to.

#[test]
fn allocations_are_objects() {
    probe_body(
        "i64 %n",
        "  %a = alloca double
  %b = alloca [4 x double], i64 %n
  %h = call ptr @malloc(i64 24)
",
        |probe| {
            assert_eq!(probe.points_to("a"), "stack a+0");
            assert_eq!(probe.points_to("h"), "heap h+0");
            let size = |name: &str| {
                let place = probe.memory.points_to(probe.function, probe.value(name)).single().unwrap();
                probe.memory.object(probe.function, place.object).size
            };
            assert_eq!((size("a"), size("b"), size("h")), (Some(8), None, Some(24)));
            assert_eq!(probe.alias("a", "b"), Alias::No);
            assert_eq!(probe.alias("a", "h"), Alias::No);
        },
    );
}

#[test]
fn smoke() {
    probe_body(
        "ptr %p, ptr noalias %q, i64 %i",
        "  %a = alloca [2 x ptr]
  %a1 = getelementptr ptr, ptr %a, i64 1
  %h = call ptr @malloc(i64 24)
  store ptr %h, ptr %a1
  store ptr %q, ptr %a
  %l = load ptr, ptr %a1
  %x = load double, ptr %l
  %pp = load ptr, ptr %p
  %ppp = load ptr, ptr %pp
  %qq = load ptr, ptr %q
  %pi = getelementptr double, ptr %p, i64 %i
  store double %x, ptr %pi
  store double %x, ptr %pp
",
        |probe| {
            assert_eq!(probe.points_to("l"), "heap h+0");
            assert_eq!(probe.points_to("pp"), "**p+?");
            assert_eq!(probe.points_to("ppp"), "***p+?");
            assert_eq!(probe.points_to("qq"), "**q+?");
            assert_eq!(probe.writes("store 2"), "*p+?");
            assert_eq!(probe.reads("x"), "heap h+0:8");
            assert!(!probe.overwrites("store 2", "x"));
            assert!(probe.overwrites("store 3", "pp"));
        },
    );
}
