//! `EnzymeRS.so`: one file for every host. It holds no LLVM symbol; when opened it finds out which LLVM its host
//! carries, opens the plugin for that version beside itself, and hands the host's questions on to it. In a clang it opens
//! the plugin for that clang besides, where there is one, so that `-fplugin=EnzymeRS.so` brings our attributes.
//!
//! Without a fitting plugin it says so in one sentence and ends the host with status 1: to go on would compile a
//! program whose derivatives are missing.

#[cfg(not(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64"))))]
compile_error!("the loader knows Linux on x86-64 and AArch64; elsewhere load LLVMEnzymeRS-<major>.so itself");

mod host;
mod object;
mod plugins;

use std::ffi::c_void;
use std::panic;
use std::path::Path;
use std::sync::atomic::{AtomicPtr, Ordering};

use plugins::Refusal;

/// The symbol that a host looks up, in us as in the plugin.
const ENTRY: &std::ffi::CStr = c"llvmGetPassPluginInfo";

/// The plugin's own `llvmGetPassPluginInfo`, once it is open.
static PLUGIN_ENTRY: AtomicPtr<c_void> = AtomicPtr::new(std::ptr::null_mut());

/// Hands the host on to the plugin.
///
/// Only a jump: the struct that the plugin returns is larger in newer versions of LLVM, and with registers and
/// stack untouched the host and the plugin settle that between themselves.
#[unsafe(no_mangle)]
#[unsafe(naked)]
pub extern "C" fn llvmGetPassPluginInfo() {
    #[cfg(target_arch = "x86_64")]
    std::arch::naked_asm!("jmp qword ptr [rip + {entry}]", entry = sym PLUGIN_ENTRY);
    #[cfg(target_arch = "aarch64")]
    std::arch::naked_asm!(
        "adrp x16, {entry}",
        "ldr x16, [x16, :lo12:{entry}]",
        "br x16",
        entry = sym PLUGIN_ENTRY,
    );
}

/// Run by the dynamic loader, before the host can ask for anything: the options of the plugin must be known by
/// the time the host reads on in its command line.
#[cfg(not(test))]
#[used]
// SAFETY: the section holds pointers to functions without arguments or result, as this is.
#[unsafe(link_section = ".init_array")]
static ON_LOAD: extern "C" fn() = on_load;

#[cfg_attr(test, expect(dead_code, reason = "a test binary is no host"))]
extern "C" fn on_load() {
    let opened = panic::catch_unwind(|| open_plugin().map_err(|refusal| refusal.to_string()))
        .unwrap_or_else(|_| Err("EnzymeRS: internal error in the loader, please report".to_owned()));
    match opened {
        Ok(entry) => PLUGIN_ENTRY.store(entry, Ordering::Release),
        Err(sentence) => {
            eprintln!("{sentence}");
            // Not `std::process::exit`: it runs the host's destructors, which join the host's threads (lld starts
            // some before it loads plugins), while the dynamic loader's lock, which those threads may wait for, is
            // held around this very function.
            // SAFETY: ends the process; nothing of it is used afterwards.
            unsafe { libc::_exit(1) }
        }
    }
}

/// Opens the plugin that fits the host, and finds its entry.
fn open_plugin() -> Result<*mut c_void, Refusal> {
    let program = host::program();
    let folder = object::folder_of(llvmGetPassPluginInfo as *const c_void).ok_or(Refusal::NoFolder)?;
    let llvm = host::llvm().ok_or_else(|| Refusal::NoLlvm { program: program.clone() })?;
    let plugin = folder.join(plugins::file_name(llvm.major));
    if !plugin.exists() {
        let installed = plugins::installed(&folder);
        return Err(Refusal::NoPlugin { program, llvm, installed, folder });
    }
    let clang_plugin = folder.join(plugins::clang_file_name(llvm.major));
    let opened = entry_of(&plugin).map_err(|reason| (plugin, reason)).and_then(|entry| {
        if host::is_clang() && clang_plugin.exists() {
            object::open(&clang_plugin).map_err(|reason| (clang_plugin, reason))?;
        }
        Ok(entry)
    });
    opened.map_err(|(plugin, reason)| Refusal::NotLoaded { program, llvm, plugin, reason })
}

fn entry_of(plugin: &Path) -> Result<*mut c_void, String> {
    object::open(plugin)?.symbol(ENTRY).ok_or_else(|| "it has no llvmGetPassPluginInfo".to_owned())
}
