//! What known library functions take and give, as data.

use smallvec::SmallVec;

use super::kind::Kind;
use super::tree::{EVERY, Limits, TypeTree};
use crate::model::FloatType;

/// The types of a library function's result and arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Signature {
    /// Of the result; see [`tree`].
    pub(super) result: &'static str,
    /// Of each argument; those that are missing or `_` are not known.
    pub(super) arguments: SmallVec<[&'static str; 16]>,
}

/// The signature of a library function.
pub(super) fn signature(name: &str) -> Option<Signature> {
    let name = match name.strip_prefix("PMPI_") {
        Some(rest) => return lookup(&["MPI_", rest].concat()),
        None => name,
    };
    lookup(name).or_else(|| {
        FAMILIES
            .iter()
            .find(|(prefix, ..)| name.starts_with(prefix))
            .map(|&(_, result, arguments)| Signature { result, arguments: arguments.into() })
    })
}

fn lookup(name: &str) -> Option<Signature> {
    let index = FUNCTIONS.binary_search_by(|(known, ..)| known.cmp(&name)).ok()?;
    let (_, result, arguments) = FUNCTIONS[index];
    Some(Signature { result, arguments: arguments.into() })
}

/// The tree of a code: `i` integer, `p` pointer, `h`, `f`, `d`, `l` floats (`l` is the 80-bit one); `pi` pointer to one,
/// `p*i` pointer to any number of them, `p4i` and `p8i` to an integer of so many bytes; `_` unknown.
pub(super) fn tree(code: &str, limits: Limits) -> TypeTree {
    match code.strip_prefix('p') {
        None => kind(code).map(TypeTree::of).unwrap_or_default(),
        Some("") => TypeTree::of(Kind::Pointer),
        Some(rest) => {
            let (offsets, inner) = match rest.strip_prefix('*') {
                Some(inner) => (EVERY..0, inner),
                None => match rest.strip_prefix(|digit: char| digit.is_ascii_digit()) {
                    Some(inner) => (0..i32::from(rest.as_bytes()[0] - b'0'), inner),
                    None => (0..1, rest),
                },
            };
            let target = match inner.strip_prefix('p') {
                // The memory behind a pointer in memory.
                Some("") => TypeTree::root(Kind::Pointer),
                Some(_) => {
                    let mut target = TypeTree::root(Kind::Pointer);
                    let inner = tree(inner, limits);
                    for (path, kind) in inner.iter().filter(|(path, _)| path.len() > 1) {
                        let _ = target.add(&path[1..], kind, super::kind::Addresses::AreAddresses, limits);
                    }
                    target
                }
                None => kind(inner).map(TypeTree::root).unwrap_or_default(),
            };
            let mut memory = TypeTree::unknown();
            for offset in offsets {
                let _ =
                    memory.merge(&target.at(offset, limits), super::kind::Addresses::AreAddresses, limits);
            }
            TypeTree::pointer_to(&memory, limits)
        }
    }
}

fn kind(code: &str) -> Option<Kind> {
    Some(match code {
        "i" => Kind::Integer,
        "h" => Kind::Float(FloatType::Half),
        "f" => Kind::Float(FloatType::Float),
        "d" => Kind::Float(FloatType::Double),
        "l" => Kind::Float(FloatType::X86Fp80),
        _ => return None,
    })
}

type Entry = (&'static str, &'static str, &'static [&'static str]);

/// Functions told by the beginnings of their names.
const FAMILIES: &[Entry] = &[
    ("_ZNKSt3__14hash", "i", &[]),
    ("__kmpc_for_static_init_4", "_", &["_", "_", "_", "p4i", "p4i", "p4i", "p4i", "i", "i"]),
    ("__kmpc_for_static_init_8", "_", &["_", "_", "_", "p8i", "p8i", "p8i", "p8i", "i", "i"]),
    ("llvm.cttz.", "i", &["i"]),
    ("llvm.ctlz.", "i", &["i"]),
    ("llvm.ctpop.", "i", &["i"]),
    ("llvm.nvvm.barrier0.", "i", &["i"]),
    ("llvm.nvvm.read.ptx.sreg.", "i", &[]),
    ("llvm.amdgcn.workgroup.id.", "i", &[]),
    ("llvm.amdgcn.workitem.id.", "i", &[]),
    ("llvm.objectsize.", "i", &["p"]),
];

/// Functions by name, in order.
const FUNCTIONS: &[Entry] = &[
    ("MPI_Allgather", "i", &["p", "i", "_", "p", "i"]),
    ("MPI_Allreduce", "i", &["p", "p", "i"]),
    ("MPI_Barrier", "i", &[]),
    ("MPI_Bcast", "i", &["p", "i", "_", "i"]),
    ("MPI_Bsend", "i", &["p", "i", "_", "i", "i"]),
    ("MPI_Comm_rank", "i", &["_", "pi"]),
    ("MPI_Comm_size", "i", &["_", "pi"]),
    ("MPI_Finalize", "i", &[]),
    ("MPI_Gather", "i", &["p", "i", "_", "p", "i", "_", "i"]),
    ("MPI_Get_processor_name", "i", &["_", "pi"]),
    ("MPI_Init", "i", &["pi", "p*pp"]),
    ("MPI_Irecv", "i", &["p", "i", "_", "i", "i", "_", "p"]),
    ("MPI_Isend", "i", &["p", "i", "_", "i", "i", "_", "p"]),
    ("MPI_Recv", "i", &["p", "i", "_", "i", "i"]),
    ("MPI_Reduce", "i", &["p", "p", "i"]),
    ("MPI_Scatter", "i", &["p", "i", "_", "p", "i", "_", "i"]),
    ("MPI_Send", "i", &["p", "i", "_", "i", "i"]),
    ("MPI_Sendrecv", "i", &["p", "i", "_", "i", "i", "p", "i", "_", "i", "i", "_", "p"]),
    ("MPI_Sendrecv_replace", "i", &["p", "i", "_", "i", "i", "i", "i", "_", "p"]),
    ("MPI_Ssend", "i", &["p", "i", "_", "i", "i"]),
    ("MPI_Wait", "i", &["p", "p"]),
    ("MPI_Waitall", "i", &["i", "p", "p"]),
    ("MPI_Waitany", "i", &["i", "p", "p", "p"]),
    ("_ZNSt6chrono3_V212steady_clock3nowEv", "i", &[]),
    ("_ZNSt6localeC1Ev", "_", &["pi"]),
    ("_ZSt18_Rb_tree_decrementPKSt18_Rb_tree_node_base", "p", &[]),
    ("_ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base", "p", &[]),
    ("_ZSt18_Rb_tree_incrementPKSt18_Rb_tree_node_base", "p", &[]),
    ("_ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base", "p", &[]),
    ("_ZdaPv", "_", &["p"]),
    ("_ZdaPvm", "_", &["p", "i"]),
    ("_ZdlPv", "_", &["p"]),
    ("_ZdlPvm", "_", &["p", "i"]),
    ("_ZdlPvmSt11align_val_t", "_", &["p", "i", "i"]),
    ("__cxa_guard_acquire", "i", &["p"]),
    ("__dynamic_cast", "p", &["p", "p", "p", "i"]),
    ("__errno_location", "p*i", &[]),
    ("__fd_sincos_1", "d", &["d"]),
    ("__fd_sincos_1f", "f", &["f"]),
    ("__fd_sincos_1l", "l", &["l"]),
    ("__kmpc_global_thread_num", "i", &[]),
    ("__lgamma_r_finite", "d", &["d", "pi"]),
    ("__rust_dealloc", "_", &["p", "i", "i"]),
    ("bcmp", "i", &["p", "p", "i"]),
    ("cuCtxGetCurrent", "i", &["p"]),
    ("cuDeviceGet", "i", &["p", "i"]),
    ("cuDeviceGetCount", "i", &["pi"]),
    ("cuDeviceGetName", "i", &["p", "i"]),
    ("cuDevicePrimaryCtxRetain", "i", &["p"]),
    ("cuDriverGetVersion", "i", &["pi"]),
    ("cuMemAlloc", "i", &["pp", "i"]),
    ("cuMemAllocAsync", "i", &["pp", "i"]),
    ("cuMemAlloc_v2", "i", &["pp", "i"]),
    ("cuMemGetInfo_v2", "i", &["pi", "pi"]),
    ("cuStreamQuery", "i", &[]),
    ("cudaFree", "i", &["p"]),
    ("cudaMalloc", "i", &["pp", "i"]),
    ("cudaMallocAsync", "i", &["pp", "i"]),
    ("cudaMallocFromPoolAsync", "i", &["pp", "i"]),
    ("cudaMallocHost", "i", &["pp", "i"]),
    ("cudaRuntimeGetVersion", "i", &["pi"]),
    ("dladdr", "i", &["p", "p"]),
    ("fprintf", "i", &["p", "p"]),
    ("fputc", "i", &["i", "p"]),
    ("free", "_", &["p"]),
    ("getcwd", "p", &["p", "i"]),
    ("getenv", "p*i", &["p"]),
    ("gsl_sf_legendre_array_e", "i", &[]),
    ("ijl_excstack_state", "i", &[]),
    ("ijl_get_binding_or_error", "p", &[]),
    ("ijl_get_task_tid", "i", &[]),
    ("ijl_hrtime", "i", &[]),
    ("jl_excstack_state", "i", &[]),
    ("jl_get_binding_or_error", "p", &[]),
    ("jl_get_task_tid", "i", &[]),
    ("jl_hrtime", "i", &[]),
    ("julia.except_enter", "i", &[]),
    ("malloc_size", "i", &["p"]),
    ("malloc_usable_size", "i", &["p"]),
    ("memchr", "p", &["p", "i", "i"]),
    ("memcmp", "i", &["p", "p", "i"]),
    ("memrchr", "p", &["p", "i", "i"]),
    ("mmap", "p", &["p", "i", "i", "i", "i", "i"]),
    ("mprotect", "i", &["p", "i", "i"]),
    ("munmap", "i", &["p", "i"]),
    ("omp_get_max_threads", "i", &[]),
    ("omp_get_num_threads", "i", &[]),
    ("omp_get_thread_num", "i", &[]),
    ("posix_memalign", "i", &["pp", "i", "i"]),
    ("printf", "i", &["p"]),
    ("pthread_attr_destroy", "i", &["p"]),
    ("pthread_attr_init", "i", &["p"]),
    ("pthread_mutex_lock", "i", &["p"]),
    ("pthread_mutex_trylock", "i", &["p"]),
    ("pthread_mutex_unlock", "i", &["p"]),
    ("pthread_rwlock_rdlock", "i", &["p"]),
    ("pthread_rwlock_unlock", "i", &["p"]),
    ("pthread_rwlock_wrlock", "i", &["p"]),
    ("putchar", "i", &["i"]),
    ("puts", "i", &["p"]),
    ("rand", "i", &[]),
    ("read", "i", &["i", "p", "i"]),
    ("readv", "i", &["i", "p", "i"]),
    ("sigaction", "i", &["i", "p", "p"]),
    ("signal", "p", &["i", "p"]),
    ("strcmp", "i", &["p", "p"]),
    ("strlen", "i", &["p"]),
    ("strncmp", "i", &["p", "p", "i"]),
    ("sysconf", "i", &["i"]),
    ("vprintf", "i", &["p"]),
    ("write", "i", &["i", "p", "i"]),
    ("writev", "i", &["i", "p", "i"]),
];

/// Functions whose result is one of their arguments, or a copy of what that points to.
pub(super) fn passes_through(name: &str) -> Option<usize> {
    match name {
        "julia.gc_loaded" => Some(1),
        "julia.pointer_from_objref"
        | "jl_array_copy"
        | "ijl_array_copy"
        | "jl_inactive_inout"
        | "jl_genericmemory_copy_slice"
        | "ijl_genericmemory_copy_slice" => Some(0),
        _ if name.starts_with("llvm.expect.")
            || name.starts_with("llvm.launder.invariant.group.")
            || name.starts_with("llvm.strip.invariant.group.")
            || name.starts_with("llvm.ssa.copy.")
            || name.starts_with("llvm.annotation.")
            || name.starts_with("llvm.ptr.annotation.") =>
        {
            Some(0)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_in_order() {
        assert!(FUNCTIONS.is_sorted_by_key(|(name, ..)| name));
    }

    #[test]
    fn codes_are_trees() {
        let text = |code| tree(code, Limits::default()).to_string();
        assert_eq!(text("i"), "{[-1]:Integer}");
        assert_eq!(text("_"), "{}");
        assert_eq!(text("pd"), "{[-1]:Pointer, [-1,0]:Float@double}");
        assert_eq!(text("p*i"), "{[-1]:Pointer, [-1,-1]:Integer}");
        assert_eq!(text("pp"), "{[-1]:Pointer, [-1,0]:Pointer}");
        assert_eq!(text("p*pp"), "{[-1]:Pointer, [-1,-1]:Pointer, [-1,-1,0]:Pointer}");
        assert_eq!(text("p4i").matches("Integer").count(), 4);
    }

    #[test]
    fn every_code_of_the_table_is_understood() {
        for (name, result, arguments) in FUNCTIONS.iter().chain(FAMILIES) {
            for code in arguments.iter().chain([result]).filter(|code| **code != "_") {
                assert!(tree(code, Limits::default()).is_known(), "{name}: `{code}`");
            }
        }
    }

    #[test]
    fn the_profiling_interface_of_mpi_is_mpi() {
        assert_eq!(signature("PMPI_Send"), signature("MPI_Send"));
        assert!(signature("MPI_Send").is_some());
        assert!(signature("unheard_of").is_none());
    }
}
