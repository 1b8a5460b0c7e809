//! The dynamic loader's services: opening shared objects, and finding what is loaded.

use std::ffi::{CStr, CString, OsStr, c_int, c_void};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::ptr::NonNull;

/// An open shared object. It is never closed: the host keeps pointers into it.
pub(crate) struct Object(NonNull<c_void>);

/// Opens a shared object; every symbol that it misses must be found at once.
pub(crate) fn open(path: &Path) -> Result<Object, String> {
    let path = CString::new(path.as_os_str().as_bytes()).map_err(|error| error.to_string())?;
    // SAFETY: the path ends in a zero byte; the plugin's initialisers only register options with LLVM.
    let handle = unsafe { libc::dlopen(path.as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL) };
    NonNull::new(handle).map(Object).ok_or_else(last_error)
}

impl Object {
    /// The address of a symbol.
    pub(crate) fn symbol(&self, name: &CStr) -> Option<*mut c_void> {
        // SAFETY: the handle is open, and the name ends in a zero byte.
        let address = unsafe { libc::dlsym(self.0.as_ptr(), name.as_ptr()) };
        (!address.is_null()).then_some(address)
    }
}

/// The address of a symbol that the program, or a library it was started with, exports.
pub(crate) fn symbol_of_program(name: &CStr) -> Option<*mut c_void> {
    // SAFETY: the name ends in a zero byte.
    let address = unsafe { libc::dlsym(libc::RTLD_DEFAULT, name.as_ptr()) };
    (!address.is_null()).then_some(address)
}

/// The folder of the shared object that holds an address.
pub(crate) fn folder_of(address: *const c_void) -> Option<PathBuf> {
    let mut info = std::mem::MaybeUninit::<libc::Dl_info>::uninit();
    // SAFETY: `info` has room for what `dladdr` fills in.
    if unsafe { libc::dladdr(address, info.as_mut_ptr()) } == 0 {
        return None;
    }
    // SAFETY: `dladdr` succeeded, so `info` is filled in, and the name lives as long as the object is loaded.
    let name = unsafe {
        let info = info.assume_init();
        (!info.dli_fname.is_null()).then(|| CStr::from_ptr(info.dli_fname))?
    };
    let path = Path::new(OsStr::from_bytes(name.to_bytes()));
    // A symbolic link to us does not stand beside the plugins.
    let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    path.parent().map(Path::to_owned)
}

/// The paths of all shared objects in the process, in the order they were loaded.
pub(crate) fn loaded() -> Vec<PathBuf> {
    unsafe extern "C" fn visit(info: *mut libc::dl_phdr_info, _: usize, paths: *mut c_void) -> c_int {
        // SAFETY: `dl_iterate_phdr` hands over a live description, and back the pointer to `paths` below.
        let (name, paths) = unsafe { ((*info).dlpi_name, &mut *paths.cast::<Vec<PathBuf>>()) };
        if !name.is_null() {
            // SAFETY: the name ends in a zero byte and is alive during the call.
            let name = unsafe { CStr::from_ptr(name) };
            paths.push(PathBuf::from(OsStr::from_bytes(name.to_bytes())));
        }
        0
    }
    let mut paths = Vec::new();
    // SAFETY: `visit` gets the one pointer to `paths`, and only during this call.
    unsafe { libc::dl_iterate_phdr(Some(visit), (&raw mut paths).cast()) };
    paths
}

fn last_error() -> String {
    // SAFETY: what `dlerror` returns is null, or a text that stays until the next call.
    unsafe {
        let text = libc::dlerror();
        if text.is_null() {
            return "for an unknown reason".to_owned();
        }
        CStr::from_ptr(text).to_string_lossy().into_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_process_tells_what_it_loaded() {
        assert!(loaded().iter().any(|path| path.to_string_lossy().contains("libc.so")));
    }

    #[test]
    fn an_address_leads_to_its_folder() {
        let here = std::env::current_exe().unwrap().canonicalize().unwrap();
        let folder = folder_of(an_address_leads_to_its_folder as *const c_void);
        assert_eq!(folder.as_deref(), here.parent());
    }

    #[test]
    fn what_is_missing_is_named() {
        let error = open(Path::new("/nowhere/nothing.so")).map(|_| ()).unwrap_err();
        assert!(error.contains("/nowhere/nothing.so"), "{error}");
    }
}
