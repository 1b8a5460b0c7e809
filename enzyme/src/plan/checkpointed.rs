//! What the steps of a checkpointed loop do to memory, and whether they can run again from a state that was kept.
//!
//! The function of such a loop (attribute [`CHECKPOINTED`]) takes the number of the first step and of all steps, the scheme
//! and its data, then a pointer and a number of bytes for each region, and at last the arguments of the step. The regions are
//! the state: before a step runs again they hold what they held the first time. So
//!
//! 1. what a step writes lies in a region, or in memory of its own. Behind an argument of the step, that is compared when the
//!    program runs; variables of the program belong to the state by themselves; all else is an obstacle;
//! 2. what a step reads and no region holds is not written between the loop and its reverse sweep ([`unchanged`]);
//! 3. a step depends on nothing but memory, and neither frees what is not its own nor stores pointers in the state, whose
//!    shadows no snapshot holds.
//!
//! What a function that the user marked inactive does, if it returns nothing, is left out of account: it runs whenever the
//! step does, and nothing of it is part of the state.

use super::copy::declared_contents;
use super::reverse::{Control, is_mark_of_lifetime};
use super::role::{Role, role, said_of_callee};
use super::{Context, Direction, Reason, Sweeps};
use crate::memory::{Access, Location, Memory, Mutability, ObjectKind, Region, Root, Span};
use crate::model::{AttributeSet, Function, GlobalId, InstId, Opcode, Uses, ValueId};
use crate::plan::flow::holds;
use crate::program::{FunctionId, Program};
use crate::types::Kind;
use std::fmt;

/// The attribute of functions that are checkpointed loops.
pub const CHECKPOINTED: &str = "enzyme_checkpoint";

/// The attribute that says how many regions such a function takes.
pub const CHECKPOINT_REGIONS: &str = "enzyme_checkpoint_nregions";

/// The attribute of such functions that find out how many steps there are by running them: they are done when the word that the
/// step's first pointer leads to is not zero.
pub const CHECKPOINT_UNTIL: &str = "enzyme_checkpoint_until";

/// The attribute of such functions that stand for a loop of the program; the value says where that is.
pub const CHECKPOINT_PLACE: &str = "enzyme_checkpoint_place";

/// The attribute of functions that run one of the sweeps of such a loop.
pub const CHECKPOINT_SWEEP: &str = "enzyme_checkpoint_sweep";

/// How many arguments come before the regions.
pub const ARGUMENTS_BEFORE_REGIONS: usize = 4;

/// What steps do to the memory that there is before them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StepEffects {
    /// The variables that belong to the state.
    pub variables: Vec<StateVariable>,
    /// What is written behind arguments of the loop's function.
    pub writes: Vec<WrittenArgument>,
}

/// A variable that steps read or write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateVariable {
    /// Its name.
    pub name: String,
    /// Its size.
    pub bytes: u64,
    /// Whether steps write it.
    pub access: Access,
}

/// Bytes that are written behind an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WrittenArgument {
    /// The number of the argument of the loop's function.
    pub argument: usize,
    /// From which offset on, and how many, if that is known.
    pub bytes: Option<(i64, u64)>,
}

/// Why a step cannot run again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StepProblem {
    /// It writes what a pointer in memory leads to.
    WritesThroughMemory,
    /// It may write anything.
    WritesAnything,
    /// It reads or writes a variable whose size is not known here.
    VariableElsewhere(String),
    /// It depends on something that is not in the program's memory.
    Hidden(String),
    /// It frees memory that is not its own.
    Frees,
    /// It puts a pointer into memory that is not its own.
    StoresPointer,
    /// It copies what may hold pointers into memory that is not its own.
    CopiesUnknown,
    /// It uses a variable that an inactive function writes, which is left out of account.
    WrittenBySilentCall(String),
    /// It reads memory that may be written later, and that no region holds.
    ReadsUndeclared(StepMemory),
    /// A function that is called may free a region before it is restored.
    RegionIsFreed,
    /// No region is declared, but memory is written.
    NoRegion(StepMemory),
}

/// How a step comes to memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepMemory {
    /// An argument of the step points to it.
    Argument(usize),
    /// The step is the body of a loop, which has pointers to it.
    Loop,
    /// A pointer in memory leads there.
    ThroughMemory,
}

impl fmt::Display for StepProblem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StepProblem::WritesThroughMemory => {
                formatter.write_str("writes what a pointer in memory leads to")
            }
            StepProblem::WritesAnything => formatter.write_str("may write to memory that is not known"),
            StepProblem::VariableElsewhere(name) => {
                write!(formatter, "uses the variable `{name}`, which is defined elsewhere")
            }
            StepProblem::Hidden(name) => {
                write!(formatter, "uses what `{name}` gives, which may be something else the next time")
            }
            StepProblem::Frees => formatter.write_str("frees memory that it did not allocate itself"),
            StepProblem::StoresPointer => formatter.write_str("stores a pointer for later steps"),
            StepProblem::CopiesUnknown => {
                formatter.write_str("copies memory that may hold pointers, for later steps")
            }
            StepProblem::WrittenBySilentCall(name) => {
                write!(formatter, "uses the variable `{name}`, which an inactive function writes")
            }
            StepProblem::ReadsUndeclared(StepMemory::Argument(argument)) => {
                write!(
                    formatter,
                    "reads what argument {argument} points to, which may be overwritten before the reverse sweep"
                )
            }
            StepProblem::ReadsUndeclared(StepMemory::Loop) => formatter
                .write_str("reads memory in no region, which may be overwritten before the reverse sweep"),
            StepProblem::ReadsUndeclared(StepMemory::ThroughMemory) => formatter.write_str(
                "reads memory, through pointers in memory, that may be overwritten before the reverse sweep",
            ),
            StepProblem::RegionIsFreed => formatter
                .write_str("runs over memory that a function called later may free before the reverse sweep"),
            StepProblem::NoRegion(StepMemory::Argument(argument)) => {
                write!(formatter, "writes what argument {argument} points to, and there is no region")
            }
            StepProblem::NoRegion(StepMemory::Loop | StepMemory::ThroughMemory) => {
                formatter.write_str("writes memory, and there is no region")
            }
        }
    }
}

impl StepProblem {
    /// What the user can do about it.
    pub fn help(&self) -> &'static str {
        match self {
            StepProblem::WritesThroughMemory => {
                "give the pointer to the step as an argument of its own (for a loop: read it into a variable before), and \
                 declare what it points to as a region"
            }
            StepProblem::WritesAnything => {
                "define what the step calls in this file (or link with `-flto`); a function that changes nothing that the \
                 steps use can return nothing and be marked `__attribute__((annotate(\"enzyme_inactive\")))`"
            }
            StepProblem::VariableElsewhere(_) => {
                "define the variable in this file (or link with `-flto`), or hand its address to the step and declare it as a \
                 region"
            }
            StepProblem::Hidden(_) => {
                "compute it before the loop and let the steps read it, or keep it in memory that is a region"
            }
            StepProblem::Frees => "allocate before the loop and free after it, or do both in each step",
            StepProblem::StoresPointer | StepProblem::CopiesUnknown => {
                "copy the numbers instead of exchanging pointers, or say `enzyme_scheme, \"none\", 0`, which keeps what each \
                 step needs"
            }
            StepProblem::WrittenBySilentCall(_) => {
                "let the function that writes it be active, or the step not use it"
            }
            StepProblem::ReadsUndeclared(_) | StepProblem::NoRegion(_) => {
                "declare it with `enzyme_checkpoint_region, pointer, bytes`"
            }
            StepProblem::RegionIsFreed => {
                "free the memory in the function that calls the loop, or where the derivative has been taken"
            }
        }
    }
}

/// How many regions the function has, if it is a checkpointed loop.
pub(super) fn regions_of_loop(function: &Function, callee: GlobalId) -> Option<usize> {
    let said = said_of_callee(function, callee)?;
    said.has(CHECKPOINTED).then(|| said.text(CHECKPOINT_REGIONS)?.parse().ok()).flatten()
}

/// What an argument of the loop's function is to the step, whose arguments are counted from 1.
fn step_argument(said: &AttributeSet, argument: usize, regions: usize) -> StepMemory {
    match said.has(CHECKPOINT_PLACE) {
        true => StepMemory::Loop,
        // The first one is the number of the step.
        false => StepMemory::Argument(argument + 2 - (ARGUMENTS_BEFORE_REGIONS + 2 * regions)),
    }
}

/// What the steps of a loop do to memory.
///
/// # Errors
/// Why they cannot run again.
pub fn step_effects(
    program: &Program,
    root: FunctionId,
    regions: usize,
    copied: impl Fn(ValueId) -> Option<Kind>,
) -> Result<StepEffects, StepProblem> {
    let all = Memory::of(program);
    let pruned = without_silent_calls(program);
    let memory = Memory::of(&pruned);
    for component in pruned.components_from(root) {
        for function in component {
            let copied = |value| if function == root { copied(value) } else { None };
            check_function(&memory, function, &copied)?;
        }
    }
    let summary = memory.summary(root).ok_or(StepProblem::WritesAnything)?;
    let silent = written_silently(program, &all, root);
    let mut effects = StepEffects::default();
    for (spans, access) in [(&summary.writes, Access::Write), (&summary.reads, Access::Read)] {
        for span in spans {
            let said = &program[root].signature.attributes;
            effects.add(&memory, span, access, said, regions)?;
        }
    }
    let is_silent = |variable: &&StateVariable| silent.contains(&variable.name);
    match effects.variables.iter().find(is_silent) {
        Some(variable) => Err(StepProblem::WrittenBySilentCall(variable.name.clone())),
        None => Ok(effects),
    }
}

impl StepEffects {
    fn add(
        &mut self,
        memory: &Memory<'_>,
        span: &Span,
        access: Access,
        said: &AttributeSet,
        regions: usize,
    ) -> Result<(), StepProblem> {
        match (span.place.root, access.writes()) {
            (Root::Global(symbol), _) => {
                let symbol = memory.symbol(symbol);
                if symbol.mutability == Mutability::Constant {
                    return Ok(());
                }
                if self.variables.iter().any(|known| known.name == symbol.name) {
                    return Ok(());
                }
                let name = symbol.name.clone();
                let bytes = symbol.size.ok_or_else(|| StepProblem::VariableElsewhere(name.clone()))?;
                self.variables.push(StateVariable { name, bytes, access });
                Ok(())
            }
            (Root::Parameter(argument), true) => {
                let argument = argument as usize;
                if regions == 0 {
                    return Err(StepProblem::NoRegion(step_argument(said, argument, regions)));
                }
                self.writes.push(WrittenArgument { argument, bytes: span.place.offset.zip(span.size) });
                Ok(())
            }
            (Root::Reached(_) | Root::Beyond(_), true) => Err(StepProblem::WritesThroughMemory),
            (Root::Outside, true) => Err(StepProblem::WritesAnything),
            (Root::ErrorNumber | Root::New, _) | (_, false) => Ok(()),
        }
    }
}

/// Whether a call is of a function that the user marked inactive and that returns nothing.
fn is_silent_call(function: &Function, inst: InstId) -> bool {
    let data = &function.insts[inst];
    let Some(call) = data.opcode.call() else { return false };
    let is_terminator = function.terminator(data.block) == Some(inst);
    let callee = function.direct_callee(inst).and_then(|callee| said_of_callee(function, callee));
    let is_inactive = call.function_attributes.has("enzyme_inactive")
        || callee.is_some_and(|said| said.has("enzyme_inactive"));
    is_inactive && data.result.is_none() && !is_terminator
}

/// The program without silent calls, and without what runs only where no return is reached.
fn without_silent_calls(program: &Program) -> Program {
    let prune = |function: &Function| {
        let mut function = function.clone();
        let control = Control::of(&function);
        for block in function.blocks.keys().collect::<Vec<_>>() {
            if control.comes_back(block) {
                let kept = function.blocks[block].insts.iter().copied();
                let kept = kept.filter(|&inst| !is_silent_call(&function, inst)).collect();
                function.blocks[block].insts = kept;
            } else if let Some(end) = function.terminator(block) {
                // It may be a call that throws.
                let end_data = &mut function.insts[end];
                end_data.opcode = Opcode::Unreachable;
                end_data.operands.clear();
                end_data.result = None;
                function.blocks[block].insts = vec![end];
            }
        }
        function
    };
    Program::new(program.iter().map(|(_, function)| prune(function)))
}

/// The variables that silent calls write.
fn written_silently(program: &Program, memory: &Memory<'_>, root: FunctionId) -> Vec<String> {
    let mut written = Vec::new();
    for function in program.components_from(root).into_iter().flatten() {
        let code = &program[function];
        for inst in code.insts_in_order().filter(|&inst| is_silent_call(code, inst)) {
            for region in memory.writes(function, inst) {
                if let ObjectKind::Global(symbol) = memory.object(function, region.location.object).kind {
                    written.push(memory.symbol(symbol).name.clone());
                }
            }
        }
    }
    written
}

/// What only single instructions show.
fn check_function(
    memory: &Memory<'_>,
    id: FunctionId,
    copied: &impl Fn(ValueId) -> Option<Kind>,
) -> Result<(), StepProblem> {
    let function = &memory.program()[id];
    let uses = Uses::of(function);
    let is_own = |pointer: ValueId| {
        let places = memory.points_to(id, pointer);
        let own = |object| memory.object(id, object).kind.is_made_by_the_function();
        !places.is_empty() && places.objects().all(own)
    };
    for inst in function.insts_in_order() {
        let data = &function.insts[inst];
        let operands = data.operands.as_slice();
        match role(function, inst, Direction::Reverse) {
            Role::Store
                if holds(function, function.values[operands[0]].ty, &crate::model::Type::is_pointer)
                    && !is_own(operands[1]) =>
            {
                return Err(StepProblem::StoresPointer);
            }
            Role::CopyMemory { to, from, .. } if !is_own(operands[to]) => {
                let known = [to, from].into_iter().find_map(|side| {
                    copied(operands[side]).or_else(|| declared_contents(function, operands[side]))
                });
                if !matches!(known, Some(Kind::Float(_) | Kind::Integer)) {
                    return Err(StepProblem::CopiesUnknown);
                }
            }
            Role::Free(pointer) | Role::Reallocate { pointer, .. } if !is_own(operands[pointer]) => {
                return Err(StepProblem::Frees);
            }
            Role::Allocate(_)
            | Role::AllocateThrough { .. }
            | Role::Reallocate { .. }
            | Role::Free(_)
            | Role::CopyMemory { .. }
            | Role::FillMemory { .. }
            | Role::Scalar(_)
            | Role::CallDefined(_) => {}
            // What comes of it may differ the next time; what it prints is printed again.
            _ if memory.hidden(id, inst) != Access::None => {
                let is_used = data.result.is_some_and(|result| !uses.is_unused(result));
                let only_errors = memory
                    .writes(id, inst)
                    .into_iter()
                    .all(|region| memory.object(id, region.location.object).kind == ObjectKind::ErrorNumber);
                if is_used {
                    let name = function.callee_name(inst).unwrap_or("a function").to_owned();
                    return Err(StepProblem::Hidden(name));
                }
                if !only_errors {
                    return Err(StepProblem::WritesAnything);
                }
            }
            _ => {}
        }
    }
    Ok(())
}

/// Whether what the steps of a loop read besides their regions stays as it is until the reverse sweep.
///
/// # Errors
/// What may change.
pub(super) fn unchanged(
    function: &Function,
    call: InstId,
    regions: usize,
    sweeps: Sweeps,
    context: &Context<'_>,
) -> Result<(), Reason> {
    let problem = |problem: StepProblem| Err(Reason::CheckpointedStep(problem));
    let arguments = function.insts[call].arguments();
    let pruned = without_silent_calls(context.memory.program());
    let memory = Memory::of(&pruned);
    let callee = function.callee_name(call).and_then(|name| pruned.find(name));
    let Some((callee, summary)) = callee.and_then(|callee| Some((callee, memory.summary(callee)?))) else {
        return problem(StepProblem::WritesAnything);
    };
    let said = &pruned[callee].signature.attributes;
    let here = context.function;
    let places = |pointer: ValueId| -> Vec<Region> {
        let objects = context.memory.points_to(here, pointer);
        objects.objects().map(|object| Region { location: Location::anywhere(object), size: None }).collect()
    };
    let declared: Vec<ValueId> =
        (0..regions).map(|region| arguments[ARGUMENTS_BEFORE_REGIONS + 2 * region]).collect();
    let stays = |read: &[Region]| {
        let stays_between = |region: &Region| context.stays_between_sweeps(*region);
        let written = context
            .memory
            .written_after(here, call, read, |inst| !is_mark_of_lifetime(function, inst))
            .is_some();
        !written && (sweeps == Sweeps::Together || read.iter().all(stays_between))
    };
    for span in &summary.reads {
        match span.place.root {
            Root::Parameter(argument) => {
                let argument = argument as usize;
                let pointer = arguments[argument];
                if !declared.contains(&pointer) && !stays(&places(pointer)) {
                    return problem(StepProblem::ReadsUndeclared(step_argument(said, argument, regions)));
                }
            }
            Root::Reached(_) | Root::Beyond(_) | Root::Outside => {
                if !stays(&context.memory.reads(here, call)) {
                    return problem(StepProblem::ReadsUndeclared(StepMemory::ThroughMemory));
                }
            }
            Root::Global(_) | Root::ErrorNumber | Root::New => {}
        }
    }
    Ok(())
}

/// Whether steps run again in the reverse sweep of a function, or of one that it calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reruns {
    /// They do not.
    Nothing,
    /// They do: memory that they run over must still be there.
    Steps,
}

impl Reruns {
    /// What runs again in a function that calls those of a program.
    pub(super) fn of(program: &Program) -> Reruns {
        match program.iter().any(|(_, function)| is_loop(function)) {
            true => Reruns::Steps,
            false => Reruns::Nothing,
        }
    }
}

fn is_loop(function: &Function) -> bool {
    function.signature.attributes.has(CHECKPOINTED)
}

/// A call in which steps run over memory that a later call may free: what a function frees itself, it can free later, but
/// nobody tells the functions that it calls.
pub(super) fn freed_inside_calls(
    function: &Function,
    reruns: Reruns,
    context: &Context<'_>,
) -> Option<(InstId, Reason)> {
    if reruns == Reruns::Nothing {
        return None;
    }
    let (memory, here) = (context.memory, context.function);
    let program = memory.program();
    let called = |inst: InstId| program.callee(function, inst);
    let reached = |callee: FunctionId| program.components_from(callee).into_iter().flatten();
    let runs_steps =
        |inst: &InstId| called(*inst).is_some_and(|callee| reached(callee).any(|id| is_loop(&program[id])));
    let frees = |inst: InstId| match role(function, inst, Direction::Reverse) {
        Role::Free(0) => false,
        _ => may_free(program, here, inst),
    };
    let is_freed = |&call: &InstId| {
        let touched = [memory.reads(here, call), memory.writes(here, call)].concat();
        memory.written_after(here, call, &touched, frees).is_some()
    };
    let call = function.insts_in_order().filter(runs_steps).find(is_freed)?;
    Some((call, Reason::CheckpointedStep(StepProblem::RegionIsFreed)))
}

/// Whether an instruction may free memory.
fn may_free(program: &Program, id: FunctionId, inst: InstId) -> bool {
    let frees = |function: &Function, inst| {
        matches!(
            role(function, inst, Direction::Reverse),
            Role::Free(_) | Role::Reallocate { .. } | Role::CallIndirect
        )
    };
    let function = &program[id];
    let called = program.callee(function, inst);
    frees(function, inst)
        || called.is_some_and(|callee| {
            let reached = program.components_from(callee).into_iter().flatten();
            reached
                .into_iter()
                .any(|other| program[other].insts_in_order().any(|inst| frees(&program[other], inst)))
        })
}
