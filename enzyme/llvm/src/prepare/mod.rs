//! Brings a function into the form that is differentiated, the same whatever the optimisation level.
//!
//! Works on a clone; the user's function stays as it is. The clone's library calls take and give plain values
//! ([`library`]), small callees and those that are called once are inlined, and one canonicalising pipeline has run. Nothing
//! that hides a loop (no unroller, no vectoriser) runs here: the derivative is optimised after it is written. Annotated loops
//! become calls where that is asked for ([`mod@outline`]). At the end every cycle is a natural loop in LLVM's canonical form ([`loops`]).

mod addresses;
mod convention;
mod library;
mod loops;
mod options;
mod outline;
mod overwritten;
mod separate;
mod signs;
mod terms;
mod variables;
mod vectors;

pub(crate) use options::{AnnotatedLoops, Preparation};
use options::{Cleaning, Inlining, Variables};

use crate::error::Error;
use crate::ffi;
use crate::frontend;
use crate::frontend::rules::attribute;
use crate::ir::{Function, Instruction, Module};
use inkwell::llvm_sys::{LLVMLinkage, LLVMOpcode};
use rustc_hash::{FxHashMap, FxHashSet};

/// What runs on a function before it is differentiated, unless it is to be left as it stands.
const PIPELINE: &str = "sroa,early-cse<memssa>,simplifycfg,instcombine<no-verify-fixpoint>,sroa,early-cse<memssa>,gvn,\
                        memcpyopt,dse,loop-simplify,lcssa,loop-mssa(licm),loop(indvars),instcombine<no-verify-fixpoint>,simplifycfg,adce";

/// What runs instead where functions are differentiated as they stand (`-enzyme-preopt=0`): local variables become registers,
/// among them those that library calls behind their wrappers give results through.
const TO_REGISTERS: &str = "sroa,early-cse,sroa";

/// What makes use of it when more is known of which memory is which.
const AFTER_SEPARATION: &str = "early-cse<memssa>,loop-simplify,lcssa,loop-mssa(loop-rotate,licm),gvn,dse,\
                                instcombine<no-verify-fixpoint>,simplifycfg,adce";

/// Callees up to this many instructions are inlined before differentiation.
const SMALL: usize = 100;

/// Callees up to this many are if there is one call of them only: sweeps that run together keep less than sweeps apart.
const CALLED_ONCE: usize = 600;

/// No function grows beyond this many instructions by what is called once.
const GROWN: usize = 5000;

/// How many calls are inlined into one function at most.
const INLINED_CALLS: usize = 500;

/// How often inlining and the pipeline run again as long as that makes calls direct.
const DEVIRTUALISATION_ROUNDS: usize = 4;

/// Clones a function to be prepared; its parameters are plain, its library calls take and give plain values, and small
/// callees are inlined.
///
/// # Errors
/// When a parameter is passed in a way that is not supported.
pub(crate) fn clone(function: Function, preparation: Preparation) -> Result<Function, Error> {
    let name = format!("preprocess_{}", function.name());
    // What the user says of a function holds where it is called, so it is; its body is nobody's business.
    let is_opaque = [attribute::INACTIVE, attribute::MATHEMATICS]
        .into_iter()
        .any(|said| function.has_string_attribute(said));
    let clone = if function.is_declaration() || is_opaque {
        library::forward_to(function, &name)
    } else {
        Function::from_raw(ffi::clone_function(function.value().raw(), &name).0)
    };
    clone.set_linkage(LLVMLinkage::LLVMInternalLinkage);
    ffi::allow_optimisation(clone.value().raw());
    convention::make_plain(function, clone)?;
    allow_other_frames(clone);
    library::wrap_calls(clone);
    inline_callees(function, clone, preparation.inlining);
    match preparation.variables {
        Variables::Global => {}
        Variables::Local => variables::lower(clone),
    }
    Ok(clone)
}

/// A copy of a function in which local variables are registers and loops have no annotations, to be looked at and then deleted;
/// nothing where that is so of the function, or where LLVM refuses.
pub(crate) fn copy_in_registers(function: Function) -> Option<Function> {
    let is_other =
        |inst: &Instruction| inst.opcode() == LLVMOpcode::LLVMAlloca || frontend::is_annotation(*inst);
    function.instructions().find(is_other)?;
    let copy = Function::from_raw(ffi::clone_function(function.value().raw(), "").0);
    copy.set_linkage(LLVMLinkage::LLVMInternalLinkage);
    ffi::allow_optimisation(copy.value().raw());
    frontend::annotations_in(copy).into_iter().for_each(frontend::remove);
    if run(copy, TO_REGISTERS).is_err() {
        copy.delete();
        return None;
    }
    Some(copy)
}

/// A call that must reuse the frame of its caller (`musttail`) may do so where the types of both agree; those of
/// derivatives need not.
fn allow_other_frames(function: Function) {
    for call in function.instructions().filter(|call| call.opcode() == LLVMOpcode::LLVMCall) {
        if ffi::tail_call_kind(call.value().raw()) == ffi::MUST_TAIL {
            ffi::set_tail_call_kind(call.value().raw(), ffi::NO_TAIL_MARK);
        }
    }
}

/// Brings a clone of a function into canonical form. Gives the functions that run loops which were annotated in it.
///
/// # Errors
/// When LLVM refuses the pipeline, the result does not verify, or an annotated loop cannot be outlined.
pub(crate) fn canonicalise(
    function: Function,
    clone: Function,
    preparation: Preparation,
) -> Result<Vec<Function>, Error> {
    let mut outlined = follow_annotations(function, clone, preparation.loops)?;
    match preparation.cleaning {
        Cleaning::Whole => clean(function, clone, preparation, &mut outlined)?,
        Cleaning::Registers => run(clone, TO_REGISTERS)?,
    }
    terms::grow(clone)?;
    if signs::recover(clone) > 0 {
        run(clone, "adce")?;
    }
    vectors::expand(clone);
    overwritten::state(clone);
    if separate::state(clone) && preparation.cleaning == Cleaning::Whole {
        run(clone, AFTER_SEPARATION)?;
    }
    addresses::relate(clone);
    loops::canonicalise(clone)?;
    ffi::verify_function(clone.value().raw()).map_err(|why| {
        Error::internal(function, format!("`{}` is broken after preparation: {why}", function.name()))
    })?;
    Ok(outlined)
}

/// Does what annotations of loops ask for; they are gone then.
fn follow_annotations(
    function: Function,
    clone: Function,
    loops: AnnotatedLoops,
) -> Result<Vec<Function>, Error> {
    match loops {
        AnnotatedLoops::Outlined => outline::outline(function, clone),
        AnnotatedLoops::Plain => {
            frontend::annotations_in(clone).into_iter().for_each(frontend::remove);
            Ok(Vec::new())
        }
    }
}

/// Runs LLVM's passes, and inlines what they make known.
fn clean(
    function: Function,
    clone: Function,
    preparation: Preparation,
    outlined: &mut Vec<Function>,
) -> Result<(), Error> {
    run(clone, PIPELINE)?;
    // A call through a pointer, a virtual one for instance, may have become direct.
    for _ in 0..DEVIRTUALISATION_ROUNDS {
        library::wrap_calls(clone);
        if inline_callees(function, clone, preparation.inlining) == 0 {
            break;
        }
        outlined.extend(follow_annotations(function, clone, preparation.loops)?);
        run(clone, PIPELINE)?;
    }
    Ok(())
}

/// Optimises a derived function, and puts the library calls behind the wrappers back in place.
///
/// # Errors
/// When LLVM refuses the pipeline.
pub(crate) fn tidy(function: Function) -> Result<(), Error> {
    library::unwrap_calls(function);
    run(function, TIDY)?;
    // LLVM itself does so only where the pipeline has said before what `malloc` is, which it does not at `-O0`.
    ffi::erase_unused_allocations(function.value().raw());
    Ok(())
}

/// Optimises a derived function as the host's pipeline would, for a host that does not (`-enzyme-postopt`).
///
/// # Errors
/// When LLVM refuses the pipeline.
pub(crate) fn optimise(function: Function, level: u32) -> Result<(), Error> {
    run(function, POST_OPTIMISATION)?;
    if level > 1 { run(function, VECTORISATION) } else { Ok(()) }
}

/// What `-enzyme-postopt` adds.
const POST_OPTIMISATION: &str = "early-cse<memssa>,reassociate,loop-simplify,lcssa,loop-mssa(licm),simplifycfg,\
                                 instcombine<no-verify-fixpoint>,gvn,dse,adce,simplifycfg";

/// What `-enzyme-post-opt-level` of 2 or more adds to that.
const VECTORISATION: &str =
    "loop-simplify,lcssa,loop-vectorize,slp-vectorizer,instcombine<no-verify-fixpoint>,simplifycfg";

/// What runs on a derived function. The host's pipeline goes on from there.
const TIDY: &str = "sroa,early-cse<memssa>,simplifycfg,instcombine<no-verify-fixpoint>,gvn,simplifycfg,dse,adce,\
                    instcombine<no-verify-fixpoint>,simplifycfg";

fn run(function: Function, pipeline: &str) -> Result<(), Error> {
    // The fixpoint check came with LLVM 18.
    let pipeline =
        if cfg!(llvm_ge = "18") { pipeline.to_owned() } else { pipeline.replace("<no-verify-fixpoint>", "") };
    ffi::run_function_pipeline(function.value().raw(), &pipeline, std::ptr::null_mut())
        .map_err(|why| Error::internal(function, format!("LLVM refuses the pipeline `{pipeline}`: {why}")))
}

/// Removes the wrappers that nobody calls any more.
pub(crate) fn remove_wrappers(module: Module) {
    library::remove_wrappers(module);
}

/// Inlines calls of functions that have a body, as long as there are any; calls that come in with them too. Says how
/// many were inlined.
fn inline_callees(original: Function, clone: Function, inlining: Inlining) -> usize {
    let at_most = match inlining {
        Inlining::Small => INLINED_CALLS,
        Inlining::All(count) | Inlining::Forced(count) => count,
    };
    let mut inlined = 0;
    // Wave by wave, so that the function is looked through once for each level of calls, not once for each call.
    loop {
        let wave = inlinable_calls(original, clone, inlining);
        let mut brought_calls = false;
        for call in wave.into_iter().rev() {
            if inlined == at_most {
                return inlined;
            }
            let Some(callee) = call.called_function() else { continue };
            if ffi::inline_function(call.value().raw()).is_ok() {
                inlined += 1;
                brought_calls |= calls_anything(callee);
            }
        }
        if !brought_calls {
            return inlined;
        }
        library::wrap_calls(clone);
    }
}

/// The calls in a clone whose callees are to be inlined now.
fn inlinable_calls(original: Function, clone: Function, inlining: Inlining) -> Vec<Instruction> {
    let mut counts: FxHashMap<Function, usize> = FxHashMap::default();
    for callee in callees(clone) {
        *counts.entry(callee).or_default() += 1;
    }
    let mut room = GROWN.saturating_sub(clone.instructions().count());
    let mut is_small_enough = |callee: Function| {
        let is_called_once = counts.get(&callee) == Some(&1);
        let at_most = if is_called_once { SMALL.max(CALLED_ONCE.min(room)) } else { SMALL };
        let size = callee.instructions().take(at_most + 1).count();
        if size > SMALL && size <= at_most {
            room -= size;
        }
        size <= at_most
    };
    let calls = clone.instructions().filter(|&call| {
        call.called_function().is_some_and(|callee| {
            is_inlinable(original, call, callee, inlining)
                && (inlining != Inlining::Small || is_small_enough(callee))
                && !calls_itself(callee)
        })
    });
    calls.collect()
}

fn calls_anything(function: Function) -> bool {
    function.instructions().any(Instruction::is_call)
}

/// Whether the body of a callee may stand for a call of it.
fn is_inlinable(original: Function, call: Instruction, callee: Function, inlining: Inlining) -> bool {
    if callee.is_declaration() || callee == original || library::is_wrapper(callee) || callee.is_variadic() {
        return false;
    }
    // At -O0 every function is `noinline`, beside `optnone`; alone it is the user's wish.
    let user_forbids = !matches!(inlining, Inlining::Forced(_))
        && callee.has_attribute(crate::ir::FUNCTION_ATTRIBUTES, "noinline")
        && !callee.has_attribute(crate::ir::FUNCTION_ATTRIBUTES, "optnone");
    let has_rule = crate::ir::ENZYME_ATTRIBUTES
        .iter()
        .any(|attribute| callee.has_string_attribute(attribute) || call.has_call_string_attribute(attribute));
    let types_agree = call.called_type() == callee.function_type();
    // A function that is handed over to itself calls itself.
    let gets_itself = call.arguments().contains(&callee.value());
    !user_forbids && !gets_itself && !has_rule && types_agree
}

/// Whether a function may come to call itself, by way of others too: inlining would go on for ever.
fn calls_itself(function: Function) -> bool {
    let mut seen = FxHashSet::default();
    let mut pending: Vec<Function> = callees(function).collect();
    while let Some(callee) = pending.pop() {
        if callee == function {
            return true;
        }
        if seen.insert(callee) {
            pending.extend(callees(callee));
        }
    }
    false
}

fn callees(function: Function) -> impl Iterator<Item = Function> {
    function.instructions().filter_map(Instruction::called_function)
}
