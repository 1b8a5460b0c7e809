//! The memory of one function, with everything told by names.

use enzyme::memory::{Alias, Escape, Instances, Location, Memory, ObjectId, ObjectKind, Region};
use enzyme::model::{InstId, Module, ValueId};
use enzyme::program::{FunctionId, Program};

/// Reads a program, and checks that it is well formed.
pub(crate) fn program(text: &str) -> Program {
    let module = Module::parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    for function in &module.functions {
        function.verify().unwrap_or_else(|error| panic!("{error}\n{text}"));
    }
    Program::from(module)
}

/// The memory of one function, with its parts told by names.
pub(crate) struct Probe<'a> {
    pub(crate) memory: &'a Memory<'a>,
    pub(crate) function: FunctionId,
}

/// Looks at the first function of a text.
pub(crate) fn probe(text: &str, look: impl FnOnce(Probe<'_>)) {
    let program = program(text);
    let memory = Memory::of(&program);
    let function = program.iter().next().expect("there is a function").0;
    look(Probe { memory: &memory, function });
}

/// Looks at a body without a frame.
pub(crate) fn probe_body(parameters: &str, body: &str, look: impl FnOnce(Probe<'_>)) {
    probe(&format!("define void @f({parameters}) {{\n{body}  ret void\n}}\n{DECLARATIONS}"), look);
}

const DECLARATIONS: &str = "
declare ptr @malloc(i64)
declare void @free(ptr)
declare void @unknown(...)
declare ptr @unknown_pointer(...)
declare double @sin(double)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
";

impl Probe<'_> {
    pub(crate) fn value(&self, name: &str) -> ValueId {
        let function = &self.memory.program()[self.function];
        function
            .values
            .iter()
            .find(|(_, value)| value.name.as_deref() == Some(name))
            .map(|(id, _)| id)
            .unwrap_or_else(|| panic!("there is no %{name}"))
    }

    /// An instruction: `x` makes `%x`, `store 1` is the second store of the text.
    pub(crate) fn inst(&self, what: &str) -> InstId {
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

    pub(crate) fn points_to(&self, name: &str) -> String {
        let set = self.memory.points_to(self.function, self.value(name));
        set.iter().map(|location| self.location(location)).collect::<Vec<_>>().join(" ")
    }

    pub(crate) fn reads(&self, what: &str) -> String {
        self.list(self.memory.reads(self.function, self.inst(what)))
    }

    pub(crate) fn writes(&self, what: &str) -> String {
        self.list(self.memory.writes(self.function, self.inst(what)))
    }

    fn list(&self, regions: Vec<Region>) -> String {
        regions.into_iter().map(|region| self.region(region)).collect::<Vec<_>>().join(" ")
    }

    pub(crate) fn overwrites(&self, writer: &str, reader: &str) -> bool {
        self.memory.may_overwrite(self.function, self.inst(writer), self.inst(reader))
    }

    pub(crate) fn alias(&self, first: &str, second: &str) -> Alias {
        self.memory.alias(self.function, self.value(first), Some(8), self.value(second), Some(8))
    }

    /// The object that a value points to.
    fn only_object(&self, name: &str) -> ObjectId {
        let places = self.memory.points_to(self.function, self.value(name));
        let mut objects = places.objects();
        let object = objects.next().unwrap_or_else(|| panic!("%{name} points nowhere"));
        assert_eq!(objects.next(), None, "%{name} points to one object");
        object
    }

    pub(crate) fn escape(&self, name: &str) -> Escape {
        self.memory.escapes(self.function, self.only_object(name))
    }

    pub(crate) fn size(&self, name: &str) -> Option<u64> {
        self.memory.object(self.function, self.only_object(name)).size
    }

    pub(crate) fn instances(&self, name: &str) -> Instances {
        self.memory.object(self.function, self.only_object(name)).instances
    }
}
