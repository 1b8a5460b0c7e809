//! Library functions that move derivatives, or the memory they live in, in a way that is known.

/// What a library function does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Known {
    /// It returns new memory.
    Allocates,
    /// It puts the address of new memory where this argument points.
    AllocatesThrough(usize),
    /// It returns new memory that holds addresses of more new memory.
    Builds,
    /// It returns new memory with the contents of what this argument points to.
    Reallocates(usize),
    /// It returns new memory with a copy of all that can be reached from this argument.
    Clones(usize),
    /// It frees memory.
    Frees,
    /// It copies memory between what two arguments point to.
    Copies {
        /// The argument that says where to.
        to: usize,
        /// The argument that says where from.
        from: usize,
    },
    /// It fills what this argument points to with bytes that carry nothing.
    Fills(usize),
    /// It returns an address in what this argument points to, and does no more.
    Returns(usize),
    /// It returns an address of something that can be reached from this argument, and does no more.
    Finds(usize),
}

/// What a function that is known by name does. A number at the end of an LLVM intrinsic's name, and the types after
/// it, are not part of the names here.
pub(super) fn known(name: &str) -> Option<Known> {
    if let Some(intrinsic) = name.strip_prefix("llvm.") {
        return intrinsic_known(intrinsic);
    }
    // Julia's run-time library has most names twice.
    let name = name.strip_prefix("ijl_").map_or(name, |_| &name[1..]);
    TABLE.binary_search_by(|(known, _)| (*known).cmp(name)).ok().map(|index| TABLE[index].1)
}

fn intrinsic_known(name: &str) -> Option<Known> {
    INTRINSICS
        .iter()
        .find(|(known, _)| {
            name.strip_prefix(known).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        })
        .map(|(_, known)| *known)
}

const COPIES: Known = Known::Copies { to: 0, from: 1 };

/// Intrinsics, without `llvm.` and the types at the end.
const INTRINSICS: [(&str, Known); 18] = [
    ("annotation", Known::Returns(0)),
    ("intel.subscript", Known::Returns(3)),
    ("launder.invariant.group", Known::Returns(0)),
    ("memcpy", COPIES),
    ("memcpy.element.unordered.atomic", COPIES),
    ("memcpy.inline", COPIES),
    ("memmove", COPIES),
    ("memmove.element.unordered.atomic", COPIES),
    ("memset", Known::Fills(0)),
    ("memset.element.unordered.atomic", Known::Fills(0)),
    ("memset.inline", Known::Fills(0)),
    ("preserve.array.access.index", Known::Returns(0)),
    ("preserve.struct.access.index", Known::Returns(0)),
    ("preserve.union.access.index", Known::Returns(0)),
    ("ptr.annotation", Known::Returns(0)),
    ("ptrmask", Known::Returns(0)),
    ("strip.invariant.group", Known::Returns(0)),
    ("threadlocal.address", Known::Returns(0)),
];

/// Functions by their whole names, sorted; those of Julia without the `i` that half of them begin with.
const TABLE: &[(&str, Known)] = &[
    ("??2@YAPAXI@Z", Known::Allocates),
    ("??2@YAPEAX_K@Z", Known::Allocates),
    ("??3@YAXPAX@Z", Known::Frees),
    ("??3@YAXPEAX@Z", Known::Frees),
    ("??3@YAXPEAX_K@Z", Known::Frees),
    ("??_U@YAPAXI@Z", Known::Allocates),
    ("??_U@YAPEAX_K@Z", Known::Allocates),
    ("??_V@YAXPAX@Z", Known::Frees),
    ("??_V@YAXPEAX@Z", Known::Frees),
    ("_ZSt18_Rb_tree_decrementPKSt18_Rb_tree_node_base", Known::Finds(0)),
    ("_ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base", Known::Finds(0)),
    ("_ZSt18_Rb_tree_incrementPKSt18_Rb_tree_node_base", Known::Finds(0)),
    ("_ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base", Known::Finds(0)),
    ("_ZdaPv", Known::Frees),
    ("_ZdaPvRKSt9nothrow_t", Known::Frees),
    ("_ZdaPvSt11align_val_t", Known::Frees),
    ("_ZdaPvj", Known::Frees),
    ("_ZdaPvm", Known::Frees),
    ("_ZdaPvmSt11align_val_t", Known::Frees),
    ("_ZdlPv", Known::Frees),
    ("_ZdlPvRKSt9nothrow_t", Known::Frees),
    ("_ZdlPvSt11align_val_t", Known::Frees),
    ("_ZdlPvj", Known::Frees),
    ("_ZdlPvm", Known::Frees),
    ("_ZdlPvmSt11align_val_t", Known::Frees),
    ("_Znaj", Known::Allocates),
    ("_Znam", Known::Allocates),
    ("_ZnamRKSt9nothrow_t", Known::Allocates),
    ("_ZnamSt11align_val_t", Known::Allocates),
    ("_ZnamSt11align_val_tRKSt9nothrow_t", Known::Allocates),
    ("_Znwj", Known::Allocates),
    ("_Znwm", Known::Allocates),
    ("_ZnwmRKSt9nothrow_t", Known::Allocates),
    ("_ZnwmSt11align_val_t", Known::Allocates),
    ("_ZnwmSt11align_val_tRKSt9nothrow_t", Known::Allocates),
    ("__cxa_allocate_exception", Known::Allocates),
    ("__cxa_begin_catch", Known::Returns(0)),
    ("__cxa_free_exception", Known::Frees),
    ("__cxa_get_exception_ptr", Known::Returns(0)),
    ("__dynamic_cast", Known::Returns(0)),
    ("__memcpy_chk", COPIES),
    ("__memmove_chk", COPIES),
    ("__memset_chk", Known::Fills(0)),
    ("__rust_alloc", Known::Allocates),
    ("__rust_alloc_zeroed", Known::Allocates),
    ("__rust_dealloc", Known::Frees),
    ("__rust_realloc", Known::Reallocates(0)),
    ("_mlir_memref_to_llvm_alloc", Known::Allocates),
    ("_mlir_memref_to_llvm_free", Known::Frees),
    ("aligned_alloc", Known::Allocates),
    ("bcopy", Known::Copies { to: 1, from: 0 }),
    ("bzero", Known::Fills(0)),
    ("calloc", Known::Allocates),
    ("cfree", Known::Frees),
    ("cuMemAlloc", Known::AllocatesThrough(0)),
    ("cuMemAllocAsync", Known::AllocatesThrough(0)),
    ("cuMemAlloc_v2", Known::AllocatesThrough(0)),
    ("cuMemFree", Known::Frees),
    ("cuMemFreeAsync", Known::Frees),
    ("cuMemFree_v2", Known::Frees),
    ("cudaFree", Known::Frees),
    ("cudaFreeAsync", Known::Frees),
    ("cudaFreeHost", Known::Frees),
    ("cudaMalloc", Known::AllocatesThrough(0)),
    ("cudaMallocAsync", Known::AllocatesThrough(0)),
    ("cudaMallocFromPoolAsync", Known::AllocatesThrough(0)),
    ("cudaMallocHost", Known::AllocatesThrough(0)),
    ("cudaMemcpy", COPIES),
    ("cudaMemcpyAsync", COPIES),
    ("cudaMemset", Known::Fills(0)),
    ("cudaMemsetAsync", Known::Fills(0)),
    ("free", Known::Frees),
    ("jl_alloc_array_1d", Known::Builds),
    ("jl_alloc_array_2d", Known::Builds),
    ("jl_alloc_array_3d", Known::Builds),
    ("jl_alloc_genericmemory", Known::Builds),
    ("jl_alloc_genericmemory_unchecked", Known::Builds),
    ("jl_alloc_string", Known::Builds),
    ("jl_array_copy", Known::Clones(0)),
    ("jl_box_int64", Known::Builds),
    ("jl_gc_alloc_typed", Known::Builds),
    ("jl_genericmemory_copy_slice", Known::Clones(0)),
    ("jl_new_array", Known::Builds),
    ("jl_ptr_to_array", Known::Finds(1)),
    ("jl_ptr_to_array_1d", Known::Finds(1)),
    ("jl_reshape_array", Known::Finds(1)),
    ("julia.gc_alloc_obj", Known::Builds),
    ("julia.gc_loaded", Known::Returns(1)),
    ("julia.pointer_from_objref", Known::Returns(0)),
    ("malloc", Known::Allocates),
    ("memalign", Known::Allocates),
    ("memcpy", COPIES),
    ("memmove", COPIES),
    ("mempcpy", COPIES),
    ("memset", Known::Fills(0)),
    ("memset_pattern16", Known::Copies { to: 0, from: 1 }),
    ("memset_pattern4", Known::Copies { to: 0, from: 1 }),
    ("memset_pattern8", Known::Copies { to: 0, from: 1 }),
    ("mmap", Known::Allocates),
    ("mmap64", Known::Allocates),
    ("munmap", Known::Frees),
    ("posix_memalign", Known::AllocatesThrough(0)),
    ("pvalloc", Known::Allocates),
    ("realloc", Known::Reallocates(0)),
    ("reallocarray", Known::Reallocates(0)),
    ("swift_allocObject", Known::Allocates),
    ("swift_release", Known::Frees),
    ("valloc", Known::Allocates),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_names_are_in_order() {
        assert!(TABLE.is_sorted_by(|a, b| a.0 < b.0));
        assert!(INTRINSICS.is_sorted_by(|a, b| a.0 < b.0));
    }

    #[test]
    fn names_are_known_in_all_their_forms() {
        assert_eq!(known("malloc"), Some(Known::Allocates));
        assert_eq!(known("ijl_alloc_array_1d"), Some(Known::Builds));
        assert_eq!(known("llvm.memcpy.p0.p0.i64"), Some(COPIES));
        assert_eq!(known("llvm.memcpy.inline.p0.p0.i64"), Some(COPIES));
        assert_eq!(known("llvm.memcpyish"), None);
        assert_eq!(known("posix_memalign"), Some(Known::AllocatesThrough(0)));
        assert_eq!(known("sin"), None);
    }
}
