//! Julia's run-time library.

/// Functions by their names; most exist a second time with an `i` before `jl_`.
pub(super) const NAMES: &[&str] = &[
    "jl_breakpoint",
    "jl_cpu_pause",
    "jl_cpu_suspend",
    "jl_cpu_wake",
    "jl_egal",
    "jl_error",
    "jl_errorf",
    "jl_except_enter",
    "jl_excepthandler_pop_handler",
    "jl_excstack_state",
    "jl_f_isdefined",
    "jl_gc_add_finalizer_th",
    "jl_gc_add_ptr_finalizer",
    "jl_gc_enable",
    "jl_gc_queue_root",
    "jl_gc_run_pending_finalizers",
    "jl_gc_safepoint",
    "jl_get_binding_or_error",
    "jl_get_ptls_states",
    "jl_get_task_tid",
    "jl_get_world_counter",
    "jl_hrtime",
    "jl_in_threaded_region",
    "jl_isa",
    "jl_lisp_prompt",
    "jl_matching_methods",
    "jl_module_parent",
    "jl_object_id",
    "jl_object_id_",
    "jl_pop_handler",
    "jl_pop_handler_noexcept",
    "jl_process_events",
    "jl_ptls_states",
    "jl_restore_excstack",
    "jl_set_next_task",
    "jl_sizeof_jl_options",
    "jl_static_show",
    "jl_string_to_array",
    "jl_subtype",
    "jl_sysimg_fvars_base",
    "jl_threadid",
    "jl_throw",
    "jl_type_error",
    "jl_typeassert",
    "jl_types_equal",
    "jl_undefined_var_error",
    "jl_yield",
    "julia.except_enter",
    "julia.safepoint",
    "julia.write_barrier",
    "julia.write_barrier_binding",
    "llvm.julia.gc_preserve_begin",
    "llvm.julia.gc_preserve_end",
];

/// Whether a function of the run-time library is inactive.
pub(super) fn is_inactive(name: &str) -> bool {
    let name = if name.starts_with("ijl_") { &name[1..] } else { name };
    NAMES.binary_search(&name).is_ok()
}

/// Tables of types.
pub(super) const GLOBALS: &[&str] = &["jl_small_typeof", "small_typeof"];
