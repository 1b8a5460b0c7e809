//! The pass plugin that opt, clang, lld and flang load: `enzyme-llvm` behind the one symbol they look up.

use enzyme_llvm::options;
use enzyme_llvm::pass::{PassPluginLibraryInfo, plugin_info};

/// Describes the plugin to the host that loaded it.
// Defined here and not in the shim, since a symbol of a C++ archive is not exported from a cdylib.
#[unsafe(no_mangle)]
pub extern "C" fn llvmGetPassPluginInfo() -> PassPluginLibraryInfo {
    plugin_info()
}

/// Run by the dynamic loader: hosts parse their command line right after they opened the plugin (`-load`,
/// `-fplugin`, `-Wl,-mllvm,-load`), and may never ask it for passes.
#[used]
// SAFETY: the section holds pointers to functions without arguments or result, as this is; LLVM, which the host
// brings along, was initialised before it could open the plugin.
#[cfg_attr(target_vendor = "apple", unsafe(link_section = "__DATA,__mod_init_func"))]
#[cfg_attr(not(target_vendor = "apple"), unsafe(link_section = ".init_array"))]
static REGISTER_OPTIONS: extern "C" fn() = register_options;

extern "C" fn register_options() {
    options::register();
}
