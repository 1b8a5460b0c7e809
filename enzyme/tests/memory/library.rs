//! Calls of known library functions.

use enzyme::memory::Escape;

use crate::probe::{probe, probe_body};

#[test]
fn memory_comes_from_many_functions() {
    probe(
        "define void @f(ptr %p, i64 %n) {
  %malloc = call ptr @malloc(i64 8)
  %calloc = call ptr @calloc(i64 3, i64 8)
  %aligned = call ptr @aligned_alloc(i64 64, i64 128)
  %new = call ptr @_Znwm(i64 16)
  %new_array = call ptr @_ZnamSt11align_val_t(i64 32, i64 64)
  %placement = call ptr @_ZnwmPv(i64 16, ptr %p)
  %windows = call ptr @\"??2@YAPEAX_K@Z\"(i64 24)
  %rust = call ptr @__rust_alloc(i64 40, i64 8)
  %swift = call ptr @swift_slowAlloc(i64 48, i64 7)
  %private = call ptr @mmap(ptr null, i64 4096, i32 3, i32 34, i32 -1, i64 0)
  %shared = call ptr @mmap(ptr null, i64 4096, i32 3, i32 1, i32 -1, i64 0)
  %some = call ptr @malloc(i64 %n)
  ret void
}
declare ptr @malloc(i64)
declare ptr @calloc(i64, i64)
declare ptr @aligned_alloc(i64, i64)
declare ptr @_Znwm(i64)
declare ptr @_ZnamSt11align_val_t(i64, i64)
declare ptr @_ZnwmPv(i64, ptr)
declare ptr @\"??2@YAPEAX_K@Z\"(i64)
declare ptr @__rust_alloc(i64, i64)
declare ptr @swift_slowAlloc(i64, i64)
declare ptr @mmap(ptr, i64, i32, i32, i32, i64)",
        |probe| {
            for (name, size) in [
                ("malloc", 8),
                ("calloc", 24),
                ("aligned", 128),
                ("new", 16),
                ("new_array", 32),
                ("windows", 24),
                ("rust", 40),
                ("swift", 48),
                ("private", 4096),
            ] {
                assert_eq!(probe.points_to(name), format!("heap {name}+0"));
                assert_eq!(probe.size(name), Some(size), "{name}");
                assert_eq!(probe.escape(name), Escape::No, "{name}");
            }
            assert_eq!(probe.points_to("placement"), "*p+0");
            assert_eq!(probe.points_to("shared"), "outside+?");
            assert_eq!(probe.size("some"), None);
        },
    );
}

#[test]
fn reallocation_moves_pointers_along_and_ends_the_old_memory() {
    probe(
        "define void @f() {
  %x = alloca double
  %old = call ptr @malloc(i64 8)
  store ptr %x, ptr %old
  %before = load i64, ptr %old
  %new = call ptr @realloc(ptr %old, i64 16)
  %l = load ptr, ptr %new
  ret void
}
declare ptr @malloc(i64)
declare ptr @realloc(ptr, i64)",
        |probe| {
            assert_eq!(probe.points_to("new"), "heap new+0");
            assert_eq!(probe.size("new"), Some(16));
            assert_eq!(probe.points_to("l"), "stack x+0");
            assert!(probe.overwrites("new", "before"));
            assert_eq!(probe.escape("old"), Escape::No);
        },
    );
}

#[test]
fn memory_handed_back_through_a_pointer_is_new() {
    probe(
        "define void @f() {
  %slot = alloca ptr
  %status = call i32 @posix_memalign(ptr %slot, i64 64, i64 128)
  %l = load ptr, ptr %slot
  ret void
}
declare i32 @posix_memalign(ptr, i64, i64)",
        |probe| {
            assert_eq!(probe.points_to("l"), "heap status+0");
            assert_eq!(probe.escape("slot"), Escape::No);
        },
    );
}

#[test]
fn mathematics_touches_errno_and_nothing_else() {
    probe(
        "define double @f(ptr %p, double %y) {
  %a = alloca i32
  %x = load double, ptr %p
  %errno = call ptr @__errno_location()
  %e = load i32, ptr %errno
  %sin = call double @sin(double %x)
  %intrinsic = call double @llvm.sin.f64(double %x)
  %pow = call double @pow(double %x, double %y)
  %frexp = call double @frexp(double %x, ptr %a)
  %n = load i32, ptr %a
  %atan = call double @atan_like(double %x)
  ret double %sin
}
declare ptr @__errno_location()
declare double @sin(double)
declare double @llvm.sin.f64(double)
declare double @pow(double, double)
declare double @frexp(double, ptr)
declare double @atan_like(double)",
        |probe| {
            assert_eq!(probe.points_to("errno"), "errno+0");
            assert_eq!(probe.reads("sin"), "");
            assert_eq!(probe.writes("sin"), "errno+0:4");
            assert_eq!(probe.writes("intrinsic"), "");
            assert!(!probe.overwrites("sin", "x"));
            assert!(probe.overwrites("pow", "e"));
            assert!(probe.overwrites("frexp", "n"));
            assert!(!probe.overwrites("frexp", "x"));
            assert!(probe.overwrites("atan", "x"), "an unknown function may do anything");
        },
    );
}

#[test]
fn printing_reads_and_writes_what_it_is_given_and_keeps_nothing() {
    probe(
        "@format = private constant [3 x i8] c\"%f\\00\"
define void @f(ptr %file, ptr %p) {
  %text = alloca [100 x i8]
  %number = alloca double
  %x = load double, ptr %p
  %c = load i8, ptr %text
  %a = call i32 (ptr, ...) @printf(ptr @format, ptr %text)
  %b = call i32 (ptr, ptr, ...) @sprintf(ptr %text, ptr @format, double %x)
  %d = call i32 (ptr, ptr, ...) @sscanf(ptr %text, ptr @format, ptr %number)
  %y = load double, ptr %number
  %e = call i64 @fread(ptr %number, i64 8, i64 1, ptr %file)
  ret void
}
declare i32 @printf(ptr, ...)
declare i32 @sprintf(ptr, ptr, ...)
declare i32 @sscanf(ptr, ptr, ...)
declare i64 @fread(ptr, i64, i64, ptr)",
        |probe| {
            assert_eq!(probe.escape("text"), Escape::No);
            assert_eq!(probe.writes("a"), "errno+0:4");
            assert_eq!(probe.reads("a"), "stack text+0 @format+0");
            assert!(!probe.overwrites("a", "x"));
            assert!(probe.overwrites("b", "c"));
            assert!(!probe.overwrites("b", "y"));
            assert!(probe.overwrites("d", "y"));
            assert!(!probe.overwrites("d", "c"));
            assert!(probe.overwrites("e", "y"));
            assert!(probe.memory.hidden(probe.function, probe.inst("a")).writes());
        },
    );
}

#[test]
fn strings_are_read_written_and_pointed_into() {
    probe(
        "define void @f(ptr noalias %p, ptr noalias %q) {
  %end = alloca ptr
  %x = load i8, ptr %p
  %n = call i64 @strlen(ptr %p)
  %c = call ptr @strchr(ptr %p, i32 32)
  %d = call ptr @strcpy(ptr %q, ptr %p)
  %v = call double @strtod(ptr %p, ptr %end)
  %l = load ptr, ptr %end
  %copy = call ptr @strdup(ptr %p)
  ret void
}
declare i64 @strlen(ptr)
declare ptr @strchr(ptr, i32)
declare ptr @strcpy(ptr, ptr)
declare double @strtod(ptr, ptr)
declare ptr @strdup(ptr)",
        |probe| {
            assert_eq!(probe.reads("n"), "*p+0");
            assert_eq!(probe.writes("n"), "");
            assert_eq!(probe.points_to("c"), "*p+?");
            assert_eq!(probe.points_to("d"), "*q+0");
            assert_eq!(probe.writes("d"), "*q+0");
            assert!(probe.points_to("l").contains("*p+?"));
            assert!(!probe.overwrites("v", "x"));
            assert_eq!(probe.points_to("copy"), "heap copy+0");
            assert_eq!(probe.escape("p"), Escape::No);
        },
    );
}

#[test]
fn freeing_ends_the_memory_and_nothing_else() {
    probe_body(
        "ptr %p, ptr noalias %r",
        "  %x = load double, ptr %r
  %y = load double, ptr %p
  call void @free(ptr %r)
",
        |probe| {
            assert!(probe.overwrites("call 0", "x"));
            assert!(!probe.overwrites("call 0", "y"));
        },
    );
}

#[test]
fn intrinsics_that_say_something_touch_nothing() {
    probe(
        "define void @f(ptr %p, <2 x i1> %mask, <2 x ptr> %many) {
  %a = alloca [2 x double]
  %x = load double, ptr %a
  %y = load double, ptr %p
  call void @llvm.lifetime.start.p0(i64 16, ptr %a)
  call void @llvm.assume(i1 true)
  %id = call ptr @llvm.launder.invariant.group.p0(ptr %p)
  %mk = call ptr @llvm.ptrmask.p0.i64(ptr %a, i64 -16)
  %v = call <2 x double> @llvm.masked.load.v2f64.p0(ptr %a, i32 8, <2 x i1> %mask, <2 x double> undef)
  call void @llvm.masked.store.v2f64.p0(<2 x double> %v, ptr %p, i32 8, <2 x i1> %mask)
  %g = call <2 x double> @llvm.masked.gather.v2f64.v2p0(<2 x ptr> %many, i32 8, <2 x i1> %mask, <2 x double> undef)
  %w = call i64 @llvm.umax.i64(i64 1, i64 2)
  ret void
}
declare void @llvm.lifetime.start.p0(i64, ptr)
declare void @llvm.assume(i1)
declare ptr @llvm.launder.invariant.group.p0(ptr)
declare ptr @llvm.ptrmask.p0.i64(ptr, i64)
declare <2 x double> @llvm.masked.load.v2f64.p0(ptr, i32, <2 x i1>, <2 x double>)
declare void @llvm.masked.store.v2f64.p0(<2 x double>, ptr, i32, <2 x i1>)
declare <2 x double> @llvm.masked.gather.v2f64.v2p0(<2 x ptr>, i32, <2 x i1>, <2 x double>)
declare i64 @llvm.umax.i64(i64, i64)",
        |probe| {
            assert!(probe.overwrites("call 0", "x"), "a life begins without contents");
            assert!(!probe.overwrites("call 0", "y"));
            assert_eq!(probe.writes("call 1"), "");
            assert_eq!(probe.points_to("id"), "*p+0");
            assert_eq!(probe.points_to("mk"), "stack a+?");
            assert_eq!(probe.reads("v"), "stack a+0");
            assert_eq!(probe.writes("call 5"), "*p+0");
            assert_eq!(probe.reads("g"), "*many+?");
            assert_eq!(probe.writes("w"), "");
        },
    );
}

#[test]
fn a_program_s_own_function_is_not_the_library_s() {
    probe(
        "define void @f(ptr noalias %p) {
  %x = load double, ptr %p
  %m = call ptr @malloc(i64 8)
  %n = call i64 @strlen(ptr %p)
  %k = call i64 @strnlen(ptr %p, i64 1) nobuiltin
  ret void
}
define ptr @malloc(i64 %n) {
  ret ptr null
}
define weak i64 @strlen(ptr %p) {
  store double 0.0, ptr %p
  ret i64 0
}
declare i64 @strnlen(ptr, i64)",
        |probe| {
            assert_eq!(probe.points_to("m"), "");
            assert!(probe.overwrites("n", "x"));
            assert!(probe.overwrites("k", "x"));
        },
    );
}

#[test]
fn operators_that_expressions_call_are_the_languages_own() {
    probe(
        "define void @f() {
  %expression = call ptr @_Znwm(i64 16) builtin
  %direct = call ptr @_Znwm(i64 16)
  ret void
}
declare ptr @_Znwm(i64) nobuiltin",
        |probe| {
            assert_eq!(probe.points_to("expression"), "heap expression+0");
            assert_eq!(probe.points_to("direct"), "outside+?", "a program may replace it");
        },
    );
}

#[test]
fn objects_of_run_time_libraries_hold_what_they_are_given() {
    probe(
        "define void @f(ptr %type, ptr %p) {
  %cell = alloca double
  %array = call ptr @jl_ptr_to_array_1d(ptr %type, ptr %cell, i64 1, i32 0)
  %data = load ptr, ptr %array
  %copy = call ptr @ijl_array_copy(ptr %p)
  %copied = load ptr, ptr %copy
  %next = call ptr @_ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base(ptr %p)
  %free = call i32 @cuMemFree_v2(ptr %p)
  ret void
}
declare ptr @jl_ptr_to_array_1d(ptr, ptr, i64, i32)
declare ptr @ijl_array_copy(ptr)
declare ptr @_ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base(ptr)
declare i32 @cuMemFree_v2(ptr)",
        |probe| {
            assert_eq!(probe.points_to("array"), "heap array+0");
            assert_eq!(probe.points_to("data"), "outside+? stack cell+0");
            assert_eq!(probe.points_to("copy"), "heap copy+0");
            assert_eq!(
                probe.points_to("copied"),
                "outside+? handed+? **type+? ***type+? **p+? ***p+? heap copy+?"
            );
            assert_eq!(probe.points_to("next"), "handed+? **type+? ***type+? *p+? **p+? ***p+?");
            assert_eq!(probe.writes("free"), "errno+0:4 *p+0");
        },
    );
}
