//! Random programs, run: nothing is touched that was not foretold, and nothing foretold apart meets.
//!
//! A program's functions get pointers as parameters, keep them in memory as pointers, integers and floats, copy memory,
//! call each other directly and through pointers, and recurse a little. The interpreter stops at the first access that
//! no object allows.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::rc::Rc;

use enzyme::memory::{Alias, Escape, Memory, ObjectId, ObjectKind, Overwritten, Region};
use enzyme::model::{
    CastOp, ConstantExpression, ConstantId, ConstantKind, Function, InstId, IntBinaryOp, IntPredicate,
    Opcode, ValueDefinition, ValueId,
};
use enzyme::program::{FunctionId, Program};

use crate::probe::program;

/// How many programs are run.
const PROGRAMS: u64 = 150;

#[test]
fn what_runs_is_what_was_foretold() {
    let mut accesses = 0;
    for seed in 1..=PROGRAMS {
        let text = Generator::new(seed).program();
        let program = program(&text);
        let memory = Memory::of(&program);
        let mut machine = Machine::new(&program, &memory);
        machine.start();
        accesses += machine.checked;
        if let Some(fault) = machine.fault {
            panic!("seed {seed}: {fault}\n{text}");
        }
    }
    assert!(accesses > 30 * PROGRAMS, "the programs do something: {accesses} accesses");
}

// Programs.

struct Generator {
    state: u64,
    text: String,
    names: u32,
    depth: u32,
    /// The function that is written.
    current: u64,
    recursion: Recursion,
}

/// Whether functions call those before them, too.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Recursion {
    No,
    Yes,
}

/// What can be used at a place: pointers, and integers below 4.
#[derive(Clone)]
struct Scope {
    pointers: Vec<String>,
    indices: Vec<String>,
    block: String,
}

const FUNCTIONS: u64 = 3;

impl Generator {
    fn new(seed: u64) -> Self {
        Self {
            state: seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1,
            text: String::new(),
            names: 0,
            depth: 0,
            current: 0,
            recursion: if seed.is_multiple_of(4) { Recursion::Yes } else { Recursion::No },
        }
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        (self.state >> 11) % bound
    }

    fn name(&mut self) -> String {
        self.names += 1;
        format!("%v{}", self.names)
    }

    fn line(&mut self, line: &str) {
        let _ = writeln!(self.text, "  {line}");
    }

    fn program(mut self) -> String {
        self.text +=
            "@cell = global [16 x i64] zeroinitializer\n@table = constant [2 x ptr] [ptr @f1, ptr @f2]\n";
        for index in 0..FUNCTIONS {
            self.current = index;
            let _ = writeln!(self.text, "define ptr @f{index}(ptr %p, ptr %q, i64 %n) {{\nentry:");
            let mut scope = Scope {
                pointers: vec!["%p".to_owned(), "%q".to_owned(), "@cell".to_owned()],
                indices: vec!["2".to_owned()],
                block: "entry".to_owned(),
            };
            let [own, new] = [(); 2].map(|()| self.name());
            self.line(&format!("{own} = alloca [16 x i64]"));
            self.line(&format!("{new} = call ptr @malloc(i64 128)"));
            scope.pointers.extend([own, new]);
            // Recursion ends.
            self.line("%stop = icmp eq i64 %n, 0");
            self.line("br i1 %stop, label %enough, label %body");
            self.text += "enough:\n  ret ptr %p\nbody:\n";
            scope.block = "body".to_owned();
            let count = 6 + self.below(16);
            self.statements(&mut scope, count);
            let result = self.pointer(&scope);
            self.line(&format!("ret ptr {result}"));
            self.text += "}\n";
        }
        self.text += "declare ptr @malloc(i64)\ndeclare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)\n";
        self.text
    }

    fn pointer(&mut self, scope: &Scope) -> String {
        // The newest are the most interesting.
        let count = scope.pointers.len() as u64;
        let index = if self.below(2) == 0 { count - 1 - self.below(count.min(3)) } else { self.below(count) };
        scope.pointers[index as usize].clone()
    }

    /// A pointer, and one that points where eight bytes are likely to be.
    fn place(&mut self, scope: &mut Scope) -> String {
        let base = self.pointer(scope);
        if self.below(3) == 0 {
            return base;
        }
        let place = self.name();
        let (source, index) = match self.below(24) {
            0..=5 => ("i64", scope.indices[self.below(scope.indices.len() as u64) as usize].clone()),
            6..=8 => ("i8", (4 * self.below(4)).to_string()),
            9 => ("i8", "-8".to_owned()),
            _ => ("i64", self.below(3).to_string()),
        };
        self.line(&format!("{place} = getelementptr {source}, ptr {base}, i64 {index}"));
        if self.below(3) == 0 {
            scope.pointers.push(place.clone());
        }
        place
    }

    fn statements(&mut self, scope: &mut Scope, count: u64) {
        for _ in 0..count {
            self.statement(scope);
        }
    }

    fn statement(&mut self, scope: &mut Scope) {
        let result = self.name();
        match self.below(20) {
            0 => self.line(&format!("{result} = alloca [16 x i64]")),
            1 => self.line(&format!("{result} = call ptr @malloc(i64 128)")),
            2..=5 => {
                let (value, place) = (self.pointer(scope), self.place(scope));
                return self.line(&format!("store ptr {value}, ptr {place}"));
            }
            6..=8 => {
                let (place, instead) = (self.place(scope), self.pointer(scope));
                let [loaded, is_null] = [(); 2].map(|()| self.name());
                self.line(&format!("{loaded} = load ptr, ptr {place}"));
                self.line(&format!("{is_null} = icmp eq ptr {loaded}, null"));
                self.line(&format!("{result} = select i1 {is_null}, ptr {instead}, ptr {loaded}"));
            }
            9 if self.below(4) == 0 => {
                let place = self.place(scope);
                return self.line(&format!("store i64 {}, ptr {place}", self.names));
            }
            10 => return self.move_bits(scope, &result),
            11 => self.through_integers(scope, &result),
            12 | 13 => {
                let (to, from) = (self.place(scope), self.place(scope));
                let size = [8, 16, 12, 32][self.below(4) as usize];
                return self.line(&format!(
                    "call void @llvm.memcpy.p0.p0.i64(ptr {to}, ptr {from}, i64 {size}, i1 false)"
                ));
            }
            14 | 15 if self.recursion == Recursion::Yes || self.current + 1 < FUNCTIONS => {
                self.call(scope, &result);
            }
            16 | 17 if self.depth < 2 => self.branch(scope, &result),
            18 if self.depth < 2 => self.repeat(scope, &result),
            _ => {
                let (one, other) = (self.pointer(scope), self.pointer(scope));
                let condition = self.name();
                self.line(&format!("{condition} = icmp eq i64 %n, 1"));
                self.line(&format!("{result} = select i1 {condition}, ptr {one}, ptr {other}"));
            }
        }
        scope.pointers.push(result);
    }

    /// Moves eight bytes as a number.
    fn move_bits(&mut self, scope: &mut Scope, bits: &str) {
        let ty = ["i64", "double", "<2 x i32>"][self.below(3) as usize];
        let (from, to) = (self.place(scope), self.place(scope));
        self.line(&format!("{bits} = load {ty}, ptr {from}"));
        self.line(&format!("store {ty} {bits}, ptr {to}"));
    }

    fn through_integers(&mut self, scope: &mut Scope, result: &str) {
        let (one, other) = (self.pointer(scope), self.pointer(scope));
        let [a, b, c, d] = [(); 4].map(|()| self.name());
        self.line(&format!("{a} = ptrtoint ptr {one} to i64"));
        self.line(&format!("{b} = ptrtoint ptr {other} to i64"));
        if self.below(2) == 0 {
            self.line(&format!("{c} = sub i64 {a}, {b}"));
            self.line(&format!("{d} = add i64 {c}, {b}"));
        } else {
            self.line(&format!("{c} = xor i64 {a}, {b}"));
            self.line(&format!("{d} = xor i64 {c}, {b}"));
        }
        self.line(&format!("{result} = inttoptr i64 {d} to ptr"));
    }

    fn call(&mut self, scope: &mut Scope, result: &str) {
        let (one, other) = (self.pointer(scope), self.pointer(scope));
        let less = self.name();
        self.line(&format!("{less} = sub i64 %n, 1"));
        let first = if self.recursion == Recursion::Yes { 0 } else { self.current + 1 };
        let callee = if first <= 1 && self.below(4) == 0 {
            let [place, callee] = [(); 2].map(|()| self.name());
            let index = self.below(2);
            self.line(&format!("{place} = getelementptr ptr, ptr @table, i64 {index}"));
            self.line(&format!("{callee} = load ptr, ptr {place}"));
            callee
        } else {
            format!("@f{}", first + self.below(FUNCTIONS - first))
        };
        self.line(&format!("{result} = call ptr {callee}(ptr {one}, ptr {other}, i64 {less})"));
    }

    fn branch(&mut self, scope: &mut Scope, result: &str) {
        self.depth += 1;
        let condition = self.name();
        let [left, right, join] = [(); 3].map(|()| self.name()[1..].to_owned());
        let at = self.below(3);
        self.line(&format!("{condition} = icmp eq i64 %n, {at}"));
        self.line(&format!("br i1 {condition}, label %{left}, label %{right}"));
        let mut ends = Vec::new();
        for label in [&left, &right] {
            let _ = writeln!(self.text, "{label}:");
            let mut inner = Scope { block: label.clone(), ..scope.clone() };
            let count = self.below(4);
            self.statements(&mut inner, count);
            ends.push((self.pointer(&inner), inner.block));
            self.line(&format!("br label %{join}"));
        }
        let _ = writeln!(self.text, "{join}:");
        let incoming: Vec<String> =
            ends.iter().map(|(value, block)| format!("[ {value}, %{block} ]")).collect();
        self.line(&format!("{result} = phi ptr {}", incoming.join(", ")));
        scope.block = join;
        self.depth -= 1;
    }

    fn repeat(&mut self, scope: &mut Scope, result: &str) {
        self.depth += 1;
        let [index, next, more] = [(); 3].map(|()| self.name());
        let [head, tail] = [(); 2].map(|()| self.name()[1..].to_owned());
        let start = self.pointer(scope);
        self.line(&format!("br label %{head}"));
        let _ = writeln!(self.text, "{head}:");
        let entered_from = std::mem::replace(&mut scope.block, head.clone());
        // What the last round leaves is known when the body is written.
        let body_start = self.text.len();
        let mut inner = scope.clone();
        inner.pointers.push(result.to_owned());
        inner.indices.push(index.clone());
        let count = 1 + self.below(4);
        self.statements(&mut inner, count);
        let last = self.pointer(&inner);
        self.line(&format!("{next} = add i64 {index}, 1"));
        self.line(&format!("{more} = icmp ult i64 {next}, 3"));
        self.line(&format!("br i1 {more}, label %{head}, label %{tail}"));
        let phis = format!(
            "  {result} = phi ptr [ {start}, %{entered_from} ], [ {last}, %{} ]
  {index} = phi i64 [ 0, %{entered_from} ], [ {next}, %{} ]\n",
            inner.block, inner.block
        );
        self.text.insert_str(body_start, &phis);
        let _ = writeln!(self.text, "{tail}:");
        scope.block = tail;
        self.depth -= 1;
    }
}

// The machine.

/// Objects lie so far apart that no walk leads from one to the next.
const DISTANCE: u64 = 1 << 20;

/// How many instructions a program may run.
const PATIENCE: u32 = 4000;

/// How deep calls may be.
const DEEPEST_CALL: usize = 6;

type Bytes = (usize, i64, i64);

/// Whether some bytes are common to both.
fn meet(one: Bytes, other: Bytes) -> bool {
    one.0 == other.0 && one.1 < other.2 && other.1 < one.2
}

struct Machine<'a> {
    program: &'a Program,
    memory: &'a Memory<'a>,
    objects: Vec<Vec<u8>>,
    globals: BTreeMap<String, usize>,
    frames: Vec<Frame>,
    patience: u32,
    checked: u64,
    fault: Option<String>,
    /// What was asked before.
    regions: BTreeMap<(FunctionId, InstId, Way), Rc<[Region]>>,
    aliases: BTreeMap<(FunctionId, ValueId, ValueId), Alias>,
    made_by: BTreeMap<(FunctionId, InstId), ObjectId>,
    overwritten: BTreeMap<FunctionId, Overwritten>,
}

struct Frame {
    function: FunctionId,
    values: BTreeMap<ValueId, u64>,
    parameters: Vec<AtEntry>,
    /// Objects made here, and by which instruction.
    made: BTreeMap<usize, InstId>,
    reads: BTreeMap<InstId, BTreeSet<Bytes>>,
    writes: BTreeMap<InstId, BTreeSet<Bytes>>,
    /// What read bytes that were written afterwards.
    overwritten: BTreeSet<InstId>,
    /// The call that runs.
    calling: Option<InstId>,
}

/// What a parameter points to, what is reached from there, and what lies beyond, when the function is called.
struct AtEntry {
    place: Option<(usize, i64)>,
    reached: Vec<usize>,
    beyond: Vec<usize>,
}

/// The program did what no program may: the run ends.
struct Undefined;

impl<'a> Machine<'a> {
    fn new(program: &'a Program, memory: &'a Memory<'a>) -> Self {
        let mut machine = Self {
            program,
            memory,
            objects: vec![vec![0; 128]],
            globals: BTreeMap::from([("cell".to_owned(), 0)]),
            frames: Vec::new(),
            patience: PATIENCE,
            checked: 0,
            fault: None,
            regions: BTreeMap::new(),
            aliases: BTreeMap::new(),
            made_by: BTreeMap::new(),
            overwritten: BTreeMap::new(),
        };
        for (id, _) in program.iter() {
            for (object, data) in memory.objects(id) {
                if let ObjectKind::Stack(inst) | ObjectKind::Heap(inst) = data.kind {
                    machine.made_by.insert((id, inst), object);
                }
            }
        }
        for index in 0..FUNCTIONS {
            machine.globals.insert(format!("f{index}"), machine.objects.len());
            machine.objects.push(Vec::new());
        }
        machine.globals.insert("table".to_owned(), machine.objects.len());
        let table = [machine.address(&"f1".to_owned()), machine.address(&"f2".to_owned())];
        machine.objects.push(table.iter().flat_map(|address| address.to_le_bytes()).collect());
        machine
    }

    fn address(&self, global: &String) -> u64 {
        (self.globals[global] as u64 + 1) * DISTANCE
    }

    fn start(&mut self) {
        let arguments: Vec<u64> = (0..2)
            .map(|_| {
                self.objects.push(vec![0; 128]);
                self.objects.len() as u64 * DISTANCE
            })
            .collect();
        // The first points to the second, and to itself.
        let (first, second) = (arguments[0], arguments[1]);
        let object = self.objects.len() - 2;
        self.objects[object][..8].copy_from_slice(&second.to_le_bytes());
        self.objects[object][8..16].copy_from_slice(&first.to_le_bytes());
        let Some(main) = self.program.find("f0") else { return };
        let _ = self.call(main, &[first, second, 2]);
        // What is left of frames is checked even when the run ended early.
        while let Some(frame) = self.frames.pop() {
            self.check_overwrites(&frame);
            self.check_overwritten(&frame);
        }
    }

    fn place(&self, address: u64) -> Option<(usize, i64)> {
        let object = address.checked_add(DISTANCE / 2)? / DISTANCE;
        let index = usize::try_from(object).ok()?.checked_sub(1)?;
        (index < self.objects.len()).then(|| (index, address.wrapping_sub(object * DISTANCE) as i64))
    }

    fn pointees(&self, object: usize) -> Vec<usize> {
        let bytes = &self.objects[object];
        let words = bytes.windows(8).map(|word| u64::from_le_bytes(word.try_into().expect("eight bytes")));
        let mut found: Vec<usize> =
            words.filter_map(|word| self.place(word)).map(|(object, _)| object).collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    fn call(&mut self, id: FunctionId, arguments: &[u64]) -> Result<u64, Undefined> {
        if self.frames.len() == DEEPEST_CALL {
            return Err(Undefined);
        }
        let function = &self.program[id];
        let parameters = arguments
            .iter()
            .map(|&argument| {
                let place = self.place(argument);
                let reached = place.map_or_else(Vec::new, |(object, _)| self.pointees(object));
                let mut beyond: Vec<usize> = Vec::new();
                let mut pending = reached.clone();
                while let Some(object) = pending.pop() {
                    for next in self.pointees(object) {
                        if !beyond.contains(&next) {
                            beyond.push(next);
                            pending.push(next);
                        }
                    }
                }
                AtEntry { place, reached, beyond }
            })
            .collect();
        let values = function.parameters.iter().copied().zip(arguments.iter().copied()).collect();
        self.frames.push(Frame {
            function: id,
            values,
            parameters,
            made: BTreeMap::new(),
            reads: BTreeMap::new(),
            writes: BTreeMap::new(),
            overwritten: BTreeSet::new(),
            calling: None,
        });
        let result = self.run(function)?;
        let Some(frame) = self.frames.pop() else { return Err(Undefined) };
        self.check_overwrites(&frame);
        self.check_overwritten(&frame);
        self.check_result(&frame, result);
        if let Some(caller) = self.frames.last_mut()
            && let Some(call) = caller.calling
        {
            for object in frame.made.keys() {
                caller.made.insert(*object, call);
            }
        }
        Ok(result)
    }

    fn run(&mut self, function: &'a Function) -> Result<u64, Undefined> {
        let (mut previous, mut block) = (None, function.entry().ok_or(Undefined)?);
        loop {
            let mut next = None;
            let mut joined = Vec::new();
            for &inst in &function.blocks[block].insts {
                let data = &function.insts[inst];
                if !matches!(data.opcode, Opcode::Phi { .. }) {
                    self.frame().values.append(&mut joined.drain(..).collect());
                }
                self.patience = self.patience.checked_sub(1).ok_or(Undefined)?;
                let operand = |index: usize| data.operands[index];
                match &data.opcode {
                    Opcode::Phi { .. } => {
                        let (value, _) =
                            data.incoming().find(|(_, from)| Some(*from) == previous).ok_or(Undefined)?;
                        joined.push((data.result.ok_or(Undefined)?, self.value(function, value)?));
                    }
                    Opcode::Return => return self.value(function, operand(0)),
                    Opcode::Branch { target } => next = Some(*target),
                    Opcode::ConditionalBranch { then_block, else_block } => {
                        let taken = self.value(function, operand(0))? != 0;
                        next = Some(if taken { *then_block } else { *else_block });
                    }
                    _ => {
                        if let Some(value) = self.execute(function, inst)?
                            && let Some(result) = data.result
                        {
                            self.frame().values.insert(result, value);
                        }
                    }
                }
            }
            (previous, block) = (Some(block), next.ok_or(Undefined)?);
        }
    }

    fn frame(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("a function runs")
    }

    fn value(&self, function: &Function, value: ValueId) -> Result<u64, Undefined> {
        match &function.values[value].definition {
            ValueDefinition::Constant(constant) => self.constant(function, *constant),
            ValueDefinition::Global(global) => Ok(self.address(&function.context.globals[*global].name)),
            _ => self.frames.last().and_then(|frame| frame.values.get(&value)).copied().ok_or(Undefined),
        }
    }

    fn constant(&self, function: &Function, constant: ConstantId) -> Result<u64, Undefined> {
        match &function.context.constant(constant).kind {
            ConstantKind::Integer(integer) => integer.as_i64().map(|value| value as u64).ok_or(Undefined),
            ConstantKind::Global(global) => Ok(self.address(&function.context.globals[*global].name)),
            ConstantKind::Expression(expression) => {
                let ConstantExpression { operands, .. } = &**expression;
                self.constant(function, operands[0])
            }
            _ => Ok(0),
        }
    }

    fn execute(&mut self, function: &'a Function, inst: InstId) -> Result<Option<u64>, Undefined> {
        let data = &function.insts[inst];
        let operand = |machine: &Self, index: usize| machine.value(function, data.operands[index]);
        Ok(Some(match &data.opcode {
            Opcode::Alloca { .. } => self.allocate(inst),
            Opcode::Load { .. } => {
                let bytes = self.read(inst, operand(self, 0)?, 8)?;
                u64::from_le_bytes(bytes.try_into().map_err(|_| Undefined)?)
            }
            Opcode::Store { .. } => {
                let (value, address) = (operand(self, 0)?, operand(self, 1)?);
                self.check_aliases(function, data.operands[1], address);
                self.write(inst, address, &value.to_le_bytes())?;
                return Ok(None);
            }
            Opcode::GetElementPointer { source, .. } => {
                let size = if function.ty(*source).is_integer_of(8) { 1 } else { 8 };
                operand(self, 0)?.wrapping_add(operand(self, 1)?.wrapping_mul(size))
            }
            Opcode::Cast { op: CastOp::PointerToInteger | CastOp::IntegerToPointer, .. } => operand(self, 0)?,
            Opcode::IntBinary { op, .. } => {
                let (left, right) = (operand(self, 0)?, operand(self, 1)?);
                match op {
                    IntBinaryOp::Add => left.wrapping_add(right),
                    IntBinaryOp::Subtract => left.wrapping_sub(right),
                    IntBinaryOp::Xor => left ^ right,
                    _ => return Err(Undefined),
                }
            }
            Opcode::IntCompare { predicate, .. } => {
                let (left, right) = (operand(self, 0)?, operand(self, 1)?);
                u64::from(match predicate {
                    IntPredicate::Equal => left == right,
                    IntPredicate::UnsignedLess => left < right,
                    _ => return Err(Undefined),
                })
            }
            Opcode::Select { .. } => operand(self, if operand(self, 0)? != 0 { 1 } else { 2 })?,
            Opcode::Call(_) => return self.execute_call(function, inst),
            _ => return Err(Undefined),
        }))
    }

    fn execute_call(&mut self, function: &'a Function, inst: InstId) -> Result<Option<u64>, Undefined> {
        let data = &function.insts[inst];
        let arguments: Vec<u64> = data
            .arguments()
            .iter()
            .map(|&argument| self.value(function, argument))
            .collect::<Result<_, _>>()?;
        match function.callee_name(inst) {
            Some("malloc") => return Ok(Some(self.allocate(inst))),
            Some(name) if name.starts_with("llvm.memcpy") => {
                let [to, from, length, _] = arguments[..] else { return Err(Undefined) };
                let bytes = self.read(inst, from, length)?;
                self.write(inst, to, &bytes)?;
                return Ok(None);
            }
            _ => {}
        }
        let callee = self.value(function, data.callee().ok_or(Undefined)?)?;
        let named = self.globals.iter().find(|(_, object)| (**object as u64 + 1) * DISTANCE == callee);
        let callee = named.and_then(|(name, _)| self.program.find(name)).ok_or(Undefined)?;
        self.frame().calling = Some(inst);
        let result = self.call(callee, &arguments)?;
        self.frame().calling = None;
        Ok(Some(result))
    }

    fn allocate(&mut self, inst: InstId) -> u64 {
        let object = self.objects.len();
        self.objects.push(vec![0; 128]);
        self.frame().made.insert(object, inst);
        (object as u64 + 1) * DISTANCE
    }

    fn bytes(&self, address: u64, size: u64) -> Result<Bytes, Undefined> {
        let (object, offset) = self.place(address).ok_or(Undefined)?;
        let end = offset + size as i64;
        let is_inside = offset >= 0 && end <= self.objects[object].len() as i64;
        if is_inside { Ok((object, offset, end)) } else { Err(Undefined) }
    }

    fn read(&mut self, inst: InstId, address: u64, size: u64) -> Result<Vec<u8>, Undefined> {
        let bytes = self.bytes(address, size)?;
        self.touched(inst, bytes, Way::Read);
        Ok(self.objects[bytes.0][bytes.1 as usize..bytes.2 as usize].to_vec())
    }

    fn write(&mut self, inst: InstId, address: u64, value: &[u8]) -> Result<(), Undefined> {
        let bytes = self.bytes(address, value.len() as u64)?;
        if bytes.0 == self.globals["table"] {
            return Err(Undefined);
        }
        self.touched(inst, bytes, Way::Write);
        self.objects[bytes.0][bytes.1 as usize..bytes.2 as usize].copy_from_slice(value);
        Ok(())
    }

    // Checks.

    /// Every function on the stack foretold the access: the innermost by the instruction, the others by their calls.
    fn touched(&mut self, inst: InstId, bytes: Bytes, way: Way) {
        // What never changes is left out of summaries.
        if bytes.0 == self.globals["table"] {
            return;
        }
        for index in (0..self.frames.len()).rev() {
            let frame = &self.frames[index];
            let inst = if index + 1 == self.frames.len() { inst } else { frame.calling.unwrap_or(inst) };
            // What a callee makes is its caller's only when it returns.
            let is_new = self.frames[index + 1..].iter().any(|inner| inner.made.contains_key(&bytes.0));
            if !is_new {
                self.check_access(index, inst, bytes, way);
                let frame = &mut self.frames[index];
                let map = if way == Way::Read { &mut frame.reads } else { &mut frame.writes };
                map.entry(inst).or_default().insert(bytes);
                if way == Way::Write {
                    let readers =
                        frame.reads.iter().filter(|(_, read)| read.iter().any(|other| meet(bytes, *other)));
                    frame.overwritten.extend(readers.map(|(reader, _)| *reader));
                }
            }
        }
    }

    fn check_access(&mut self, index: usize, inst: InstId, bytes: Bytes, way: Way) {
        self.checked += 1;
        let frame = &self.frames[index];
        let known = self.regions.entry((frame.function, inst, way));
        let regions = known
            .or_insert_with(|| match way {
                Way::Read => self.memory.reads(frame.function, inst).into(),
                Way::Write => self.memory.writes(frame.function, inst).into(),
            })
            .clone();
        if !regions.iter().any(|&region| self.covers(frame, region, bytes)) {
            let name = &self.program[frame.function].name;
            let opcode = self.program[frame.function].insts[inst].opcode.mnemonic();
            let objects: Vec<String> = regions
                .iter()
                .map(|region| {
                    format!("{:?}", self.memory.object(frame.function, region.location.object).kind)
                })
                .collect();
            self.fault.get_or_insert_with(|| {
                format!("{opcode} {inst} of @{name}: {way:?} of {bytes:?} not in {regions:?} {objects:?}")
            });
        }
    }

    /// The object of the function that a concrete object made by it is.
    fn own_object(&self, frame: &Frame, object: usize) -> Option<ObjectId> {
        let inst = *frame.made.get(&object)?;
        self.made_by.get(&(frame.function, inst)).copied()
    }

    fn covers(&self, frame: &Frame, region: Region, (object, start, end): Bytes) -> bool {
        let id = region.location.object;
        let inside = |base: i64| match (region.location.offset, region.size) {
            (None, _) => true,
            (Some(offset), size) => {
                let from = base + offset;
                from <= start && size.is_none_or(|size| end <= from + size as i64)
            }
        };
        if let Some(own) = self.own_object(frame, object) {
            return self.memory.may_share(frame.function, id, own) && (id != own || inside(0));
        }
        match self.memory.object(frame.function, id).kind {
            ObjectKind::Outside | ObjectKind::Handed => true,
            ObjectKind::Parameter(index) => frame.parameters[index as usize]
                .place
                .is_some_and(|(pointee, offset)| pointee == object && inside(offset)),
            ObjectKind::Reached(index) => frame.parameters[index as usize].reached.contains(&object),
            ObjectKind::Beyond(index) => frame.parameters[index as usize].beyond.contains(&object),
            ObjectKind::Global(symbol) => {
                self.globals.get(&self.memory.symbol(symbol).name) == Some(&object) && inside(0)
            }
            ObjectKind::ErrorNumber | ObjectKind::Stack(_) | ObjectKind::Heap(_) => false,
        }
    }

    fn check_overwrites(&mut self, frame: &Frame) {
        for (&writer, written) in &frame.writes {
            for (&reader, read) in &frame.reads {
                let meet = written.iter().any(|one| read.iter().any(|other| meet(*one, *other)));
                if meet && !self.memory.may_overwrite(frame.function, writer, reader) {
                    let name = &self.program[frame.function].name;
                    self.fault
                        .get_or_insert_with(|| format!("{writer} of @{name} writes what {reader} reads"));
                }
            }
        }
    }

    /// What was written after it had been read was foretold to be, and by some instruction.
    fn check_overwritten(&mut self, frame: &Frame) {
        let known = self
            .overwritten
            .entry(frame.function)
            .or_insert_with(|| self.memory.overwritten(frame.function, |_| true));
        for &reader in &frame.overwritten {
            let writer = self.memory.overwritten_by(frame.function, reader, |_| true);
            if !known.contains(reader) || writer.is_none() {
                let name = &self.program[frame.function].name;
                self.fault.get_or_insert_with(|| format!("what {reader} of @{name} read is overwritten"));
            }
        }
    }

    /// What the caller gets was said to get there.
    fn check_result(&mut self, frame: &Frame, result: u64) {
        let Some((object, _)) = self.place(result) else { return };
        if let Some(own) = self.own_object(frame, object)
            && self.memory.escapes(frame.function, own) == Escape::No
        {
            let name = &self.program[frame.function].name;
            self.fault.get_or_insert_with(|| format!("@{name} returns what should not escape"));
        }
    }

    /// Pointers that are said not to meet, or to be the same, are so. In loops a pointer of an earlier round may still be
    /// at hand, and so only functions without are looked at.
    fn check_aliases(&mut self, function: &Function, pointer: ValueId, address: u64) {
        let Some(frame) = self.frames.last() else { return };
        let has_loops = function.insts_in_order().any(|inst| {
            let block = function.insts[inst].block;
            function.insts[inst].opcode.successors().iter().any(|successor| *successor <= block)
        });
        if has_loops || self.bytes(address, 8).is_err() {
            return;
        }
        let mut wrong = None;
        for (&other, &value) in &frame.values {
            if !function.type_of(other).is_pointer() || self.bytes(value, 8).is_err() {
                continue;
            }
            let known = self.aliases.entry((frame.function, pointer, other));
            let alias =
                *known.or_insert_with(|| self.memory.alias(frame.function, pointer, Some(8), other, Some(8)));
            let fits = match alias {
                Alias::May => true,
                Alias::No => address.abs_diff(value) >= 8,
                Alias::Partial => address != value && address.abs_diff(value) < 8,
                Alias::Must => address == value,
            };
            if !fits {
                wrong = Some(format!("{pointer} and {other} of @{}: not {alias:?}", function.name));
            }
        }
        if let Some(wrong) = wrong {
            self.fault.get_or_insert(wrong);
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Way {
    Read,
    Write,
}

/// A question of this file about types.
trait IsIntegerOf {
    fn is_integer_of(&self, width: u32) -> bool;
}

impl IsIntegerOf for enzyme::model::Type {
    fn is_integer_of(&self, width: u32) -> bool {
        matches!(self, Self::Integer { bits } if *bits == width)
    }
}
