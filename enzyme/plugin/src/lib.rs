//! The pass plugin that opt, clang, lld and flang load: `enzyme-llvm` behind the one symbol they look up.

use enzyme_llvm::pass::{PassPluginLibraryInfo, plugin_info};

/// Describes the plugin to the host that loaded it.
// Defined here and not in the shim, since a symbol of a C++ archive is not exported from a cdylib.
#[unsafe(no_mangle)]
pub extern "C" fn llvmGetPassPluginInfo() -> PassPluginLibraryInfo {
    plugin_info()
}
