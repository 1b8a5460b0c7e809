//! Functions that are known: memory, the C library, mathematics, intrinsics.

use crate::support::{check, check_body};

#[test]
fn a_copy_makes_both_sides_the_same() {
    let typed = r#""enzyme_type"="{[-1]:Pointer, [-1,0]:Float@double, [-1,8]:Pointer, [-1,16]:Float@float}""#;
    for name in ["llvm.memcpy.p0.p0.i64", "llvm.memmove.p0.p0.i64"] {
        let call = format!("  call void @{name}(ptr %to, ptr %from, i64 16, i1 false)");
        let expected = "{[-1]:Pointer, [-1,0]:Float@double, [-1,8]:Pointer}";
        check_body(&format!("ptr %to, ptr {typed} %from"), &call, &format!("%to: {expected}"));
        check_body(&format!("ptr {typed} %to, ptr %from"), &call, &format!("%from: {expected}"));
    }
    for name in ["memcpy", "memmove"] {
        check_body(
            &format!("ptr %to, ptr {typed} %from"),
            &format!("  %r = call ptr @{name}(ptr %to, ptr %from, i64 8)"),
            "%to: {[-1]:Pointer, [-1,0]:Float@double}\n%r: {[-1]:Pointer, [-1,0]:Float@double}",
        );
    }
}

#[test]
fn a_copy_of_an_unknown_number_of_bytes_is_of_one_at_least() {
    check_body(
        r#"ptr %to, ptr "enzyme_type"="{[-1]:Pointer, [-1,0]:Float@double, [-1,8]:Float@double}" %from, i64 %n"#,
        "  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 %n, i1 false)",
        "%to: {[-1]:Pointer, [-1,0]:Float@double}\n%n: {[-1]:Integer}",
    );
}

#[test]
fn filling_memory_says_nothing_of_its_type() {
    check_body(
        "ptr %to, i64 %n",
        "  call void @llvm.memset.p0.i64(ptr %to, i8 0, i64 %n, i1 false)",
        "%to: {[-1]:Pointer}\n%n: {[-1]:Integer}",
    );
}

#[test]
fn new_memory_holds_what_it_is_used_for() {
    for call in [
        "@malloc(i64 8)",
        "@calloc(i64 1, i64 8)",
        "@_Znwm(i64 8)",
        "@_Znam(i64 8)",
        "@aligned_alloc(i64 8, i64 8)",
    ] {
        check_body(
            "",
            &format!("  %p = call ptr {call}\n  store double 1.0, ptr %p\n  %x = load i64, ptr %p"),
            "%p: {[-1]:Pointer, [-1,-1]:Float@double}\n%x: {[-1]:Float@double}",
        );
    }
    // Of more than that nothing is known.
    check_body(
        "i64 %n",
        "  %p = call ptr @malloc(i64 %n)\n  store double 1.0, ptr %p",
        "%p: {[-1]:Pointer, [-1,0]:Float@double}\n%n: {[-1]:Integer}",
    );
}

#[test]
fn memory_that_is_moved_keeps_its_types() {
    check_body(
        r#"ptr "enzyme_type"="{[-1]:Pointer, [-1,0]:Float@double}" %p, i64 %n"#,
        "  %q = call ptr @realloc(ptr %p, i64 %n)",
        "%q: {[-1]:Pointer, [-1,0]:Float@double}\n%n: {[-1]:Integer}",
    );
    check_body(
        "ptr %p",
        "  %q = call ptr @realloc(ptr %p, i64 16)\n  store double 1.0, ptr %q",
        "%p: {[-1]:Pointer, [-1,0]:Float@double}",
    );
}

#[test]
fn library_functions_have_signatures() {
    check_body(
        "ptr %s, i64 %m, i32 %fd",
        "  %n = call i64 @strlen(ptr %s)
           call void @free(ptr %s)
           %r = call i32 @rand()
           %w = call i64 @write(i32 %fd, ptr %s, i64 %m)
           %e = call ptr @__errno_location()
           %o = call i64 @opaque()",
        "%s: {[-1]:Pointer}
         %n: {[-1]:Integer}
         %r: {[-1]:Integer}
         %w: {[-1]:Integer}
         %fd: {[-1]:Integer}
         %m: {[-1]:Integer}
         %e: {[-1]:Pointer, [-1,-1]:Integer}
         %o: {}",
    );
}

#[test]
fn messages_are_of_their_data_type() {
    check(
        "@ompi_mpi_double = external global i8

define void @f(ptr %buffer, i64 %comm) {
  %r = call i32 @MPI_Send(ptr %buffer, i32 4, ptr @ompi_mpi_double, i32 0, i32 0, i64 %comm)
  ret void
}",
        "%buffer: {[-1]:Pointer, [-1,0]:Float@double}\n%r: {[-1]:Integer}",
    );
    check_body(
        "ptr %in, ptr %out",
        "  %r = call i32 @MPI_Allreduce(ptr %in, ptr %out, i32 1, i32 1275069450, i32 0, i32 0)",
        "%in: {[-1]:Pointer, [-1,0]:Float@float}\n%out: {[-1]:Pointer, [-1,0]:Float@float}",
    );
}

#[test]
fn functions_of_mathematics_are_of_floats() {
    check_body(
        "double %x, float %y",
        "  %a = call double @sin(double %x)
           %b = call float @llvm.pow.f32(float %y, float %y)",
        "%x: {[-1]:Float@double}\n%a: {[-1]:Float@double}\n%y: {[-1]:Float@float}\n%b: {[-1]:Float@float}",
    );
}

#[test]
fn functions_of_mathematics_that_store_say_what() {
    check_body(
        "double %x, ptr %exponent, ptr %whole, ptr %sin, ptr %cos",
        "  %a = call double @frexp(double %x, ptr %exponent)
           %b = call double @modf(double %x, ptr %whole)
           call void @sincos(double %x, ptr %sin, ptr %cos)",
        "%exponent: {[-1]:Pointer, [-1,0]:Integer}
         %whole: {[-1]:Pointer, [-1,0]:Float@double}
         %sin: {[-1]:Pointer, [-1,0]:Float@double}
         %cos: {[-1]:Pointer, [-1,0]:Float@double}",
    );
}

#[test]
fn powers_have_integers_and_floats() {
    check_body(
        "double %x, i32 %n",
        "  %a = call double @llvm.powi.f64.i32(double %x, i32 %n)\n  %b = call double @ldexp(double %x, i32 %n)",
        "%x: {[-1]:Float@double}\n%n: {[-1]:Integer}\n%a: {[-1]:Float@double}",
    );
}

#[test]
fn a_name_given_by_attribute_counts() {
    check(
        "define void @f(double %x) {
  %y = call double @mine(double %x)
  ret void
}

declare double @mine(double) \"enzyme_math\"=\"sin\"",
        "%x: {[-1]:Float@double}\n%y: {[-1]:Float@double}",
    );
}

#[test]
fn arithmetic_with_overflow_gives_a_number_and_a_flag() {
    check_body(
        "i32 %n",
        "  %x = sext i32 %n to i64
           %s = call { i64, i1 } @llvm.sadd.with.overflow.i64(i64 %x, i64 %x)
           %t = call { i64, i1 } @llvm.umul.with.overflow.i64(i64 %x, i64 8)
           %sum = extractvalue { i64, i1 } %s, 0
           %flag = extractvalue { i64, i1 } %s, 1",
        "%s: {[-1]:Integer}\n%t: {[-1]:Integer}\n%sum: {[-1]:Integer}\n%flag: {[-1]:Integer}",
    );
    check_body(
        "i64 %x",
        "  %s = call { i64, i1 } @llvm.sadd.with.overflow.i64(i64 %x, i64 %x)
           %sum = extractvalue { i64, i1 } %s, 0",
        "%sum: {}\n%x: {}",
    );
}

#[test]
fn extrema_of_integers_are_what_the_operands_are() {
    check_body(
        "i32 %n, i64 %y, i64 %z",
        "  %x = sext i32 %n to i64
           %a = call i64 @llvm.smax.i64(i64 %x, i64 0)
           %b = call i64 @llvm.umin.i64(i64 %x, i64 %x)
           %c = call i64 @llvm.umax.i64(i64 %x, i64 %y)
           %d = call i64 @llvm.smin.i64(i64 %z, i64 %z)
           %e = sitofp i64 %d to double",
        "%a: {[-1]:Integer}\n%b: {[-1]:Integer}\n%c: {}\n%y: {}\n%z: {[-1]:Integer}",
    );
}

#[test]
fn counts_of_bits_are_integers() {
    check_body(
        "i64 %x, i32 %y",
        "  %a = call i64 @llvm.ctpop.i64(i64 %x)\n  %b = call i32 @llvm.ctlz.i32(i32 %y, i1 false)",
        "%x: {[-1]:Integer}\n%a: {[-1]:Integer}\n%y: {[-1]:Integer}\n%b: {[-1]:Integer}",
    );
}

#[test]
fn masked_loads_and_stores_are_loads_and_stores() {
    check_body(
        "ptr %p, <2 x i1> %mask, <2 x double> %other",
        "  %v = call <2 x double> @llvm.masked.load.v2f64.p0(ptr %p, i32 8, <2 x i1> %mask, <2 x double> %other)
           %w = fneg <2 x double> %v",
        "%p: {[-1]:Pointer, [-1,0]:Float@double, [-1,8]:Float@double}\n%other: {[-1]:Float@double}",
    );
    check_body(
        r#"ptr "enzyme_type"="{[-1]:Pointer, [-1,-1]:Float@double}" %p, <2 x i64> %v, <2 x i1> %mask"#,
        "  call void @llvm.masked.store.v2i64.p0(<2 x i64> %v, ptr %p, i32 8, <2 x i1> %mask)",
        "%v: {[-1]:Float@double}",
    );
    check_body(
        "<2 x ptr> %p, <2 x i1> %mask, <2 x double> %other",
        "  %v = call <2 x double> @llvm.masked.gather.v2f64.v2p0(<2 x ptr> %p, i32 8, <2 x i1> %mask, <2 x double> %other)
           %w = fneg <2 x double> %v",
        "%other: {[-1]:Float@double}",
    );
}

#[test]
fn some_functions_give_back_what_they_were_given() {
    check_body(
        "i64 %x, ptr %p",
        "  %y = call i64 @llvm.expect.i64(i64 %x, i64 1)
           %z = sitofp i64 %y to double
           %q = call ptr @llvm.launder.invariant.group.p0(ptr %p)
           %w = load float, ptr %q
           %v = fneg float %w",
        "%x: {[-1]:Integer}\n%p: {[-1]:Pointer, [-1,0]:Float@float}",
    );
}

#[test]
fn what_the_processor_says_of_itself_is_integers() {
    check_body(
        "i32 %leaf",
        "  %r = call i32 asm \"cpuid\", \"={ax},{ax}\"(i32 %leaf)\n  %s = call i32 asm \"nop\", \"={ax},{ax}\"(i32 %leaf)",
        "%leaf: {[-1]:Integer}\n%r: {[-1]:Integer}\n%s: {}",
    );
}

#[test]
fn an_allocator_of_ones_own_is_told_by_attribute() {
    check(
        "define void @f() {
  %p = call ptr @mine(i32 1, i64 8)
  store double 1.0, ptr %p
  ret void
}

declare ptr @mine(i32, i64) \"enzyme_allocator\"=\"1\"",
        "%p: {[-1]:Pointer, [-1,-1]:Float@double}",
    );
}

#[test]
fn blas_is_known_by_many_names_and_told_from_functions_that_only_share_them() {
    check(
        "define void @f(ptr %n, ptr %alpha, ptr %x, ptr %y, ptr %one) {
  call void @saxpy64_(ptr %n, ptr %alpha, ptr %x, ptr %one, ptr %y, ptr %one)
  ret void
}
declare void @saxpy64_(ptr, ptr, ptr, ptr, ptr, ptr)",
        "%n: {[-1]:Pointer, [-1,0]:Integer}
         %alpha: {[-1]:Pointer, [-1,0]:Float@float}
         %x: {[-1]:Pointer, [-1,0]:Float@float}
         %one: {[-1]:Pointer, [-1,0]:Integer}",
    );
    check(
        "define void @f(i32 %layout, i32 %trans, i32 %m, ptr %a, ptr %x, ptr %y) {
  call void @cblas_dgemv(i32 %layout, i32 %trans, i32 %m, i32 3, double 1.0, ptr %a, i32 3, ptr %x, i32 1, double 0.0, ptr %y, i32 1)
  ret void
}
declare void @cblas_dgemv(i32, i32, i32, i32, double, ptr, i32, ptr, i32, double, ptr, i32)",
        "%layout: {[-1]:Integer}
         %m: {[-1]:Integer}
         %a: {[-1]:Pointer, [-1,0]:Float@double}
         %y: {[-1]:Pointer, [-1,0]:Float@double}",
    );
    // A program's own function takes what it takes.
    check(
        "define void @f(i64 %n, ptr %x, ptr %y) {
  call void @dcopy(i64 %n, ptr %x, ptr %y)
  ret void
}
declare void @dcopy(i64, ptr, ptr)",
        "%n: {}\n%x: {}\n%y: {}",
    );
}
