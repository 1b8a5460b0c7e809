//! Library functions whose results carry no derivative and which move none, and variables that hold none.
//!
//! A function is listed only if it does not write numbers of its own where a derivative may be: a function that reads
//! a number from a file into memory overwrites what is there, and what is in the shadow has to go, too.

mod c;
mod cxx;
mod gpu;
mod intrinsics;
mod julia;
mod mangled;
mod mpi;
mod openmp;
mod others;

/// Whether a library function without a body is known to be inactive: input and output, strings, clocks, locks,
/// program control, queries of run-time libraries.
pub fn is_inactive(name: &str) -> bool {
    if let Some(intrinsic) = name.strip_prefix("llvm.")
        && intrinsics::is_inactive(intrinsic)
    {
        return true;
    }
    // A symbol with its final name, which the platform does not decorate further.
    let name = name.strip_prefix('\u{1}').map_or(name, |name| name.strip_prefix('_').unwrap_or(name));
    let c_name = name.strip_prefix("__isoc99_").or_else(|| name.strip_prefix("__isoc23_")).unwrap_or(name);
    C_LIKE.iter().any(|table| table.binary_search(&c_name).is_ok())
        || mpi::is_inactive(name)
        || julia::is_inactive(name)
        || others::is_inactive(name)
        || is_inactive_mangled(name)
}

/// Whether a library function is known to take no float by value and to return none: one that does is another function
/// of the same name.
pub fn is_without_floats(name: &str) -> bool {
    let tables = [c::FILES, c::PROCESS, c::TIME, c::STRINGS, c::SIZES];
    tables.iter().any(|table| table.binary_search(&name).is_ok()) && !c::RETURNING_FLOATS.contains(&name)
}

/// Whether a library function whose body may be at hand, too, is known to be inactive: one of the C++ or Rust library,
/// whose bodies come with the program, or one that stands for a statement to the analysis.
pub fn is_inactive_mangled(name: &str) -> bool {
    cxx::is_inactive(name) || others::is_statement(name)
}

/// Whether assembler is known to be inactive: it ends the program, or asks what the processor can do.
pub fn is_inactive_assembler(template: &str) -> bool {
    template.contains("exit") || template.contains("cpuid")
}

/// Whether a global variable is known to hold nothing that carries a derivative.
pub fn is_inactive_global(name: &str) -> bool {
    [c::GLOBALS, mpi::GLOBALS, julia::GLOBALS].iter().any(|table| table.contains(&name))
        || cxx::is_inactive_global(name)
}

/// The tables of functions that are known by their whole names.
const C_LIKE: [&[&str]; 9] =
    [c::IO, c::FILES, c::PROCESS, c::TIME, c::STRINGS, c::NUMBERS, c::SIZES, openmp::NAMES, gpu::NAMES];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_names_are_in_order() {
        for table in C_LIKE.into_iter().chain([julia::NAMES, mpi::NAMES, intrinsics::NAMES]) {
            assert!(
                table.is_sorted_by(|a, b| a < b),
                "{:?}",
                table.windows(2).find(|pair| pair[0] >= pair[1])
            );
        }
    }

    #[test]
    fn no_name_is_in_two_tables() {
        let mut all: Vec<&str> = C_LIKE.into_iter().flatten().copied().collect();
        all.sort_unstable();
        let twice: Vec<_> = all.windows(2).filter(|pair| pair[0] == pair[1]).collect();
        assert!(twice.is_empty(), "{twice:?}");
    }

    #[test]
    fn printing_is_inactive_and_mathematics_is_not() {
        for name in
            ["printf", "__isoc99_fprintf", "\u{1}_fopen", "time", "strtol", "memcmp", "omp_get_thread_num"]
        {
            assert!(is_inactive(name), "{name}");
        }
        for name in ["sin", "memcpy", "malloc", "scanf", "fread", "__cxa_begin_catch", "qsort", "realloc"] {
            assert!(!is_inactive(name), "{name}");
        }
    }

    #[test]
    fn what_deals_in_floats_is_told_from_what_does_not() {
        for name in ["times", "select", "wait", "strlen"] {
            assert!(is_inactive(name) && is_without_floats(name), "{name}");
        }
        for name in ["strtod", "difftime", "isnan", "printf", "drand48"] {
            assert!(is_inactive(name) && !is_without_floats(name), "{name}");
        }
    }

    #[test]
    fn run_time_libraries_are_known() {
        for name in [
            "MPI_Comm_rank",
            "PMPI_Comm_size",
            "mpi_comm_rank_",
            "__kmpc_for_static_init_8u",
            "__kmpc_end_critical",
            "cudaStreamSynchronize",
            "cuDeviceGetMemPool",
            "ijl_hrtime",
            "jl_get_task_tid",
            "julia.write_barrier",
            "f90io_sc_d_fmt_write",
            "_FortranAioOutputReal64",
            "$ss5print_9separator10terminatoryypd_S2StF",
        ] {
            assert!(is_inactive(name), "{name}");
        }
        for name in
            ["MPI_Send", "MPI_Allreduce", "mpi_send_", "__kmpc_fork_call", "cudaMemcpy", "_FortranAAssign"]
        {
            assert!(!is_inactive(name), "{name}");
        }
        // What reads numbers overwrites them.
        assert!(!is_inactive("_FortranAioInputReal64"));
    }

    #[test]
    fn intrinsics_are_known_by_family() {
        for name in [
            "llvm.dbg.value",
            "llvm.lifetime.start.p0",
            "llvm.assume",
            "llvm.floor.v2f64",
            "llvm.nvvm.read.ptx.sreg.tid.x",
            "llvm.nvvm.barrier0",
            "llvm.julia.gc_preserve_begin",
        ] {
            assert!(is_inactive(name), "{name}");
        }
        for name in
            ["llvm.sin.f64", "llvm.memcpy.p0.p0.i64", "llvm.masked.load.v2f64.p0", "llvm.ptr.annotation.p0"]
        {
            assert!(!is_inactive(name), "{name}");
        }
    }

    #[test]
    fn variables_of_libraries_are_known() {
        for name in ["stdout", "_ZSt4cout", "_ZNSt3__14coutE", "_ZTVSt9basic_iosIcSt11char_traitsIcEE"] {
            assert!(is_inactive_global(name), "{name}");
        }
        for name in ["state", "_ZTV6Circle", "_ZN3app5totalE"] {
            assert!(!is_inactive_global(name), "{name}");
        }
    }
}
