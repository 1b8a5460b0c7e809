//! The border that LLVM calls through: the plugin's description and the passes' entries.

use std::ffi::{CString, c_char, c_void};

use inkwell::llvm_sys::core::LLVMGetNamedFunction;
use inkwell::llvm_sys::prelude::{LLVMModuleRef, LLVMValueRef};

use crate::driver::{Outcome, run_on_module};
use crate::ffi::{self, Phase, Printed};
use crate::frontend::{self, Statements, rules};
use crate::ir::{Function, Module};
use crate::options::Options;
use crate::report::report;
use crate::stage::{self, Panic, Stage};

/// The version of LLVM's plugin interface, which says how [`PassPluginLibraryInfo`] is laid out.
const PLUGIN_API_VERSION: u32 = if cfg!(llvm_ge = "22") { 2 } else { 1 };

/// LLVM's `PassPluginLibraryInfo`: what a host asks a plugin for when it loads it.
#[repr(C)]
pub struct PassPluginLibraryInfo {
    api_version: u32,
    plugin_name: *const c_char,
    plugin_version: *const c_char,
    register_pass_builder_callbacks: extern "C" fn(*mut c_void),
    #[cfg(llvm_ge = "22")]
    pre_code_gen_callback: *const c_void,
}

/// Describes the plugin to its host.
pub fn plugin_info() -> PassPluginLibraryInfo {
    PassPluginLibraryInfo {
        api_version: PLUGIN_API_VERSION,
        plugin_name: c"EnzymeRS".as_ptr(),
        plugin_version: concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast(),
        register_pass_builder_callbacks,
        #[cfg(llvm_ge = "22")]
        pre_code_gen_callback: std::ptr::null(),
    }
}

extern "C" fn register_pass_builder_callbacks(pass_builder: *mut c_void) {
    // SAFETY: LLVM hands over its own `PassBuilder`, alive during the call.
    unsafe { ffi::register_pass_builder_callbacks(pass_builder, &ffi::Passes { run, hold, release, print }) }
}

/// The passes that print what an analysis finds out, on one function or, when that is null, on a module.
extern "C" fn print(module: LLVMModuleRef, function: LLVMValueRef, printed: Printed) {
    let options = Options::from_command_line();
    let Some(provoked) = provoked_panic(module, &options) else { return };
    // SAFETY: the host keeps the module alive for as long as the pass runs.
    let handle = unsafe { Module::from_raw(module) };
    let only = (!function.is_null()).then(|| Function::from_raw(function));
    match stage::catch(provoked, || report(handle, only, printed, &options)) {
        Ok(Ok(text)) => ffi::print_to_output(&text),
        Ok(Err(error)) => ffi::emit_error(error.at.raw(), &error.to_string()),
        Err(panic) => report_panic(module, &panic),
    }
}

/// The pass on one module; returns whether it changed the module.
extern "C" fn run(module: LLVMModuleRef, phase: Phase) -> bool {
    let options = Options::from_command_line();
    if !options.enable {
        return false;
    }
    let Some(provoked) = provoked_panic(module, &options) else { return false };
    // SAFETY: the host keeps the module alive for as long as the pass runs.
    let handle = unsafe { Module::from_raw(module) };
    match stage::catch(provoked, || run_on_module(handle, &options, phase)) {
        Ok(Outcome::Unchanged) => false,
        // After a failure the module is as it was, but whoever cached something of it does not know.
        Ok(Outcome::Changed | Outcome::Failed) => true,
        Err(panic) => {
            report_panic(module, &panic);
            true
        }
    }
}

/// Where the host's pipeline begins: keeps functions that users have a rule for from being optimised away, and annotations of
/// loops in their loops.
extern "C" fn hold(module: LLVMModuleRef) -> bool {
    change(module, |module, options| options.enable && hold_all(module))
}

fn hold_all(module: Module) -> bool {
    let annotations = frontend::protect(module);
    for error in annotations.as_ref().err().into_iter().flatten() {
        ffi::emit_error(error.at.raw(), &error.to_string());
        // It is said once.
        error.at.as_instruction().into_iter().for_each(frontend::remove);
    }
    rules::hold(module) == rules::Held::Something || !matches!(annotations, Ok(Statements::None))
}

/// Where the host's pipeline ends: what is still held is let go of.
extern "C" fn release(module: LLVMModuleRef) -> bool {
    change(module, |module, _| rules::release(module) == rules::Held::Something)
}

fn change(module: LLVMModuleRef, work: impl FnOnce(Module, &Options) -> bool) -> bool {
    let options = Options::from_command_line();
    // SAFETY: the host keeps the module alive for as long as the pass runs.
    let handle = unsafe { Module::from_raw(module) };
    match stage::catch(None, || work(handle, &options)) {
        Ok(changed) => changed,
        Err(panic) => {
            report_panic(module, &panic);
            true
        }
    }
}

/// The stage that `-enzyme-debug-panic` names, if any; `None`, with an error, when there is no such stage.
fn provoked_panic(module: LLVMModuleRef, options: &Options) -> Option<Option<Stage>> {
    let name = &options.debug_panic;
    let stage = Stage::named(name);
    if stage.is_none() && !name.is_empty() {
        let known = Stage::ALL.map(Stage::name).join(", ");
        ffi::emit_module_error(module, &format!("-enzyme-debug-panic={name}: the stages are {known}"));
        return None;
    }
    Some(stage)
}

/// Reports a panic, at the function that was being worked on when the module still has it.
fn report_panic(module: LLVMModuleRef, panic: &Panic) {
    let function = panic.function().and_then(|name| {
        let name = CString::new(name).ok()?;
        // SAFETY: the module is the host's, alive during the pass.
        let function = unsafe { LLVMGetNamedFunction(module, name.as_ptr()) };
        (!function.is_null()).then_some(function)
    });
    match function {
        Some(function) => ffi::emit_error(function, &panic.to_string()),
        None => ffi::emit_module_error(module, &panic.to_string()),
    }
}
