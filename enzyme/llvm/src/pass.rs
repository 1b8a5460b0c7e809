//! The border that LLVM calls through: the plugin's description and the pass's entry.

use std::ffi::{c_char, c_void};

use inkwell::llvm_sys::prelude::LLVMModuleRef;

use crate::driver::{Outcome, run_on_module};
use crate::ffi;
use crate::options::Options;

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
    unsafe { ffi::enzyme_RegisterPassBuilderCallbacks(pass_builder, run) }
}

extern "C" fn run(module: LLVMModuleRef) -> bool {
    matches!(run_on_module(module, &Options::default()), Ok(Outcome::Changed))
}
