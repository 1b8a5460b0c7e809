//! The analysis of a program: functions in the contexts they are called in.
//!
//! A *context* is a function with what is known of its arguments and its result where it is called. Contexts are
//! analysed once each; a call takes over what the callee's context makes known. Functions that call each other in a
//! circle see what is known of each other so far, and are looked at again when more is known. There is a stack of
//! contexts, so that long chains of calls do not use the machine's.

use std::rc::Rc;

use cranelift_entity::{PrimaryMap, SecondaryMap, entity_impl};
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::calls::{Callee, Recursive};
use super::error::TypeError;
use super::facts::FunctionFacts;
use super::integer_uses::IntegerUses;
use super::integers::Numbers;
use super::kind::{Addresses, Kind};
use super::local::{Local, State};
use super::results::FunctionTypes;
use super::tree::{Limits, TypeTree};
use crate::model::{Function, InstId, Type};
use crate::program::{FunctionId, Program};

/// A function in one of the contexts it is called in.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ContextId(u32);
entity_impl!(ContextId, "context");

/// What is known of a function's arguments and result where it is called.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CallTypes {
    /// Of the result.
    pub result: TypeTree,
    /// Of each parameter.
    pub arguments: Vec<TypeTree>,
    /// Numbers that each parameter is known to be; empty where they are not known.
    pub known_integers: Vec<Numbers>,
}

/// Whether pointers that a function gets or gives are said to be pointers where nobody says what they point to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BarePointers {
    /// They are.
    Said,
    /// Nothing is said of them.
    Unsaid,
}

impl CallTypes {
    /// What is assumed of a function's arguments and result when nothing but their types in the program is known.
    pub fn of_signature(function: &Function, pointers: BarePointers) -> Self {
        let of = |ty: &Type| assumed_type(function, ty, pointers);
        Self {
            result: of(function.ty(function.return_type())),
            arguments: function.parameters.iter().map(|&parameter| of(function.type_of(parameter))).collect(),
            known_integers: vec![Numbers::new(); function.parameters.len()],
        }
    }

    /// The same without what is said of an integer result: a small struct, its floats too, may be returned in one.
    pub fn with_any_result(mut self) -> Self {
        forget_integer(&mut self.result);
        self
    }

    /// The same without what is said of the integers among these arguments, which may hold floats as well.
    pub fn with_any_arguments(mut self, mut which: impl FnMut(usize) -> bool) -> Self {
        let arguments = self.arguments.iter_mut().enumerate();
        arguments.filter(|(index, _)| which(*index)).for_each(|(_, argument)| forget_integer(argument));
        self
    }
}

fn forget_integer(tree: &mut TypeTree) {
    if *tree == TypeTree::of(Kind::Integer) {
        *tree = TypeTree::unknown();
    }
}

fn assumed_type(function: &Function, ty: &Type, pointers: BarePointers) -> TypeTree {
    let kind = match ty {
        Type::Float(float) => Kind::Float(*float),
        Type::Integer { .. } => Kind::Integer,
        Type::Pointer { .. } if pointers == BarePointers::Said => Kind::Pointer,
        Type::Vector { element, .. } => match function.ty(*element) {
            Type::Float(float) => Kind::Float(*float),
            Type::Integer { .. } => Kind::Integer,
            // A vector of pointers is not one.
            _ => return TypeTree::unknown(),
        },
        _ => return TypeTree::unknown(),
    };
    TypeTree::of(kind)
}

/// Whether memory keeps its types: what is stored to some bytes has the type of what is loaded from them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StrictAliasing {
    /// It does (`-enzyme-strict-aliasing`, the default).
    #[default]
    Yes,
    /// It may change: a use says something of a value only where it is always reached.
    No,
}

/// Whether debug information of Rust programs says what types are (`-enzyme-rust-type`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RustTypes {
    /// It is not looked at.
    #[default]
    No,
    /// It is, and constants that stand for dangling pointers are not numbers.
    Yes,
}

/// How programs are analysed.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// How far trees reach.
    pub limits: Limits,
    /// The greatest number that is told from others (`-enzyme-max-int-offset`).
    pub greatest_integer: i64,
    /// Whether memory keeps its types.
    pub strict_aliasing: StrictAliasing,
    /// Whether Rust's debug information is looked at.
    pub rust_types: RustTypes,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            limits: Limits::default(),
            greatest_integer: 100,
            strict_aliasing: StrictAliasing::default(),
            rust_types: RustTypes::default(),
        }
    }
}

/// Beyond this number, further contexts of one function are given up for one in which nothing is known.
const MOST_CONTEXTS: usize = 64;

/// The analysis of a program, in as many contexts as were asked for.
pub struct Analyser<'p> {
    pub(super) program: &'p Program,
    pub(super) options: Options,
    integer_uses: IntegerUses,
    facts: SecondaryMap<FunctionId, Option<Rc<FunctionFacts>>>,
    /// The first function of the circle of calls that each function is in, of those that were reached.
    components: SecondaryMap<FunctionId, Option<FunctionId>>,
    pub(super) contexts: PrimaryMap<ContextId, Context>,
    by_request: FxHashMap<(FunctionId, CallTypes), ContextId>,
    counts: SecondaryMap<FunctionId, usize>,
}

/// A function in one context.
pub(super) struct Context {
    pub(super) function: FunctionId,
    pub(super) request: CallTypes,
    pub(super) state: State,
    progress: Progress,
    /// What calls have been told.
    published: Summary,
    /// The contexts that its own calls were last answered by.
    callees: FxHashMap<InstId, ContextId>,
    /// The calls that were told.
    readers: IndexSet<(ContextId, InstId), FxBuildHasher>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Progress {
    New,
    /// It is on the stack, or will be.
    Scheduled,
    Done,
}

/// What a context makes known to its calls.
#[derive(Clone, Default, PartialEq, Eq)]
struct Summary {
    arguments: Vec<TypeTree>,
    result: TypeTree,
}

/// How far a context came.
enum Turn {
    /// Nothing is left to be done.
    Done,
    /// A callee has to be looked at first.
    Waits(ContextId),
}

impl<'p> Analyser<'p> {
    /// Prepares the analysis of a program. That costs nothing.
    pub fn new(program: &'p Program, options: Options) -> Self {
        Self {
            program,
            options,
            integer_uses: IntegerUses::default(),
            facts: SecondaryMap::new(),
            components: SecondaryMap::new(),
            contexts: PrimaryMap::new(),
            by_request: FxHashMap::default(),
            counts: SecondaryMap::new(),
        }
    }

    /// Analyses a function in a context, and what it calls.
    ///
    /// # Errors
    /// When two statements about the same bytes contradict each other.
    pub fn analyse(&mut self, function: FunctionId, request: CallTypes) -> Result<ContextId, Box<TypeError>> {
        self.reach(function);
        let root = self.context(function, request);
        let mut stack = vec![root];
        while let Some(&current) = stack.last() {
            match self.turn(current)? {
                Turn::Waits(callee) => stack.push(callee),
                Turn::Done => {
                    stack.pop();
                    let news = self.publish(current);
                    // Who was told less comes next, before whoever waits for it.
                    stack.extend(news);
                }
            }
        }
        Ok(root)
    }

    /// The types that were found in a context.
    pub fn types(&self, context: ContextId) -> FunctionTypes<'_> {
        let Context { function, state, .. } = &self.contexts[context];
        FunctionTypes::new(self.program, *function, state, self.options.limits)
    }

    /// The context of the function that an instruction calls, when it is called from this context. `None` where nothing had
    /// to be asked of a callee, or nothing is known of it.
    pub fn callee(&self, context: ContextId, inst: InstId) -> Option<ContextId> {
        self.contexts[context].callees.get(&inst).copied()
    }

    /// All contexts, each with what it was asked with: the function, what is known of its arguments and result.
    pub fn contexts(&self) -> impl Iterator<Item = (ContextId, FunctionId, &CallTypes)> {
        self.contexts.iter().map(|(id, context)| (id, context.function, &context.request))
    }

    /// What is known of a context's arguments and result in the end.
    pub fn final_types(&self, context: ContextId) -> CallTypes {
        let Context { request, published, .. } = &self.contexts[context];
        CallTypes {
            arguments: published.arguments.clone(),
            result: published.result.clone(),
            known_integers: request.known_integers.clone(),
        }
    }

    /// How many instructions were looked at, in all contexts: a measure of the work done.
    pub fn steps(&self) -> usize {
        self.contexts.values().map(|context| context.state.steps).sum()
    }

    /// Looks at how a function, and what it calls, call each other and use integers.
    fn reach(&mut self, root: FunctionId) {
        if self.components[root].is_some() {
            return;
        }
        for component in self.program.components_from(root) {
            if self.components[component[0]].is_none() {
                for &id in &component {
                    self.components[id] = Some(component[0]);
                }
                self.integer_uses.add(self.program, &component);
            }
        }
    }

    fn context(&mut self, function: FunctionId, request: CallTypes) -> ContextId {
        if let Some(&known) = self.by_request.get(&(function, request.clone())) {
            return known;
        }
        let request = if self.counts[function] < MOST_CONTEXTS { request } else { CallTypes::default() };
        if let Some(&known) = self.by_request.get(&(function, request.clone())) {
            return known;
        }
        self.counts[function] += 1;
        let context = Context {
            function,
            request: request.clone(),
            state: State::default(),
            progress: Progress::New,
            published: Summary::default(),
            callees: FxHashMap::default(),
            readers: IndexSet::default(),
        };
        let id = self.contexts.push(context);
        self.by_request.insert((function, request), id);
        id
    }

    fn facts(&mut self, function: FunctionId) -> Rc<FunctionFacts> {
        let program = self.program;
        Rc::clone(self.facts[function].get_or_insert_with(|| Rc::new(FunctionFacts::of(&program[function]))))
    }

    /// Works on a context until it is done or has to wait for a callee.
    fn turn(&mut self, id: ContextId) -> Result<Turn, Box<TypeError>> {
        let function = self.contexts[id].function;
        let program = self.program;
        let facts = self.facts(function);
        let request = self.contexts[id].request.clone();
        let state = std::mem::take(&mut self.contexts[id].state);
        self.contexts[id].progress = Progress::Scheduled;
        let options = self.options;
        let integer_uses = std::mem::take(&mut self.integer_uses);
        let mut local = Local::new(program, function, &facts, &options, &integer_uses, &request, state);
        let turn = loop {
            local.run();
            if local.state.conflict.is_some() {
                break Turn::Done;
            }
            let Some(call) = local.next_call() else { break Turn::Done };
            let Some(callee) = local.callee(call) else { continue };
            if local.is_determined(&callee) {
                continue;
            }
            let context = self.callee_context(&mut local, &callee);
            self.contexts[id].callees.insert(call, context);
            if self.contexts[context].progress == Progress::New {
                local.state.enqueue_call(call);
                break Turn::Waits(context);
            }
            self.contexts[context].readers.insert((id, call));
            let summary = if context == id {
                let callees = &self.contexts[id].callees;
                summary(&local, |call| callees.get(&call) == Some(&id))
            } else {
                self.contexts[context].published.clone()
            };
            local.take(call, &callee, &summary.arguments, summary.result);
        };
        let state = std::mem::take(&mut local.state);
        drop(local);
        self.integer_uses = integer_uses;
        self.contexts[id].state = state;
        match self.contexts[id].state.conflict.clone() {
            Some(conflict) => Err(Box::new(TypeError::conflict(&self.types(id), &conflict))),
            None => Ok(turn),
        }
    }

    fn callee_context(&mut self, local: &mut Local<'_>, callee: &Callee) -> ContextId {
        let same_circle = self.components[local.id] == self.components[callee.function];
        let recursive = if same_circle { Recursive::Yes } else { Recursive::No };
        let request = local.request(callee, recursive);
        self.context(callee.function, request)
    }

    /// Has calls of a context that is done look at what it has made known, if that is news. Returns the contexts of
    /// those that have to be scheduled for it.
    fn publish(&mut self, id: ContextId) -> Vec<ContextId> {
        self.contexts[id].progress = Progress::Done;
        let of = self.contexts[id].function;
        let function = &self.program[of];
        let types = self.types(id);
        let arguments = function.parameters.iter().map(|&parameter| types.of(parameter)).collect();
        let summary = Summary { arguments, result: types.returned() };
        if summary == self.contexts[id].published {
            return Vec::new();
        }
        self.contexts[id].published = summary;
        // What is known already need not be asked for again.
        self.by_request.entry((of, self.final_types(id))).or_insert(id);
        let mut news = Vec::new();
        for (reader, call) in self.contexts[id].readers.clone() {
            self.contexts[reader].state.enqueue_call(call);
            if self.contexts[reader].progress == Progress::Done {
                self.contexts[reader].progress = Progress::Scheduled;
                news.push(reader);
            }
        }
        news
    }
}

fn summary(local: &Local<'_>, calls_itself: impl Fn(InstId) -> bool) -> Summary {
    let arguments = local.function.parameters.iter().map(|&parameter| local.tree(parameter)).collect();
    let mut result = local.returned();
    // What a call of the function itself returns is what the other ways return.
    let _ = result.merge(&local.returned_but_for(calls_itself), Addresses::AreAddresses, local.limits());
    Summary { arguments, result }
}
