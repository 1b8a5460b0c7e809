//! How pointers flow through the instructions of one function.

use enzyme::memory::{Alias, Escape};

use crate::probe::{probe, probe_body};

#[test]
fn allocations_are_objects_of_known_size() {
    probe_body(
        "i64 %n",
        "  %a = alloca double
  %b = alloca [4 x double], i64 %n
  %h = call ptr @malloc(i64 24)
",
        |probe| {
            assert_eq!(probe.points_to("a"), "stack a+0");
            assert_eq!(probe.points_to("h"), "heap h+0");
            assert_eq!((probe.size("a"), probe.size("b"), probe.size("h")), (Some(8), None, Some(24)));
            assert_eq!(probe.alias("a", "b"), Alias::No);
            assert_eq!(probe.alias("a", "h"), Alias::No);
        },
    );
}

#[test]
fn parameters_may_be_the_same_unless_noalias_says_otherwise() {
    probe_body(
        "ptr %p, ptr %q, ptr noalias %r, ptr noalias %s, ptr byval(double) %c",
        "  %l = load double, ptr %p\n",
        |probe| {
            assert_eq!(probe.points_to("p"), "*p+0");
            assert_eq!(probe.alias("p", "q"), Alias::May);
            assert_eq!(probe.alias("p", "r"), Alias::No);
            assert_eq!(probe.alias("r", "s"), Alias::No);
            assert_eq!(probe.alias("p", "c"), Alias::No);
            assert_eq!(probe.alias("p", "p"), Alias::Must);
            assert_eq!(probe.size("c"), Some(8));
            assert_eq!(probe.escape("p"), Escape::Yes);
            assert_eq!(probe.escape("r"), Escape::No);
        },
    );
}

#[test]
fn what_is_reached_from_a_parameter_is_told_by_depth() {
    probe_body(
        "ptr %p, ptr noalias %r",
        "  %pp = load ptr, ptr %p
  %ppp = load ptr, ptr %pp
  %pppp = load ptr, ptr %ppp
  %rr = load ptr, ptr %r
",
        |probe| {
            assert_eq!(probe.points_to("pp"), "**p+?");
            assert_eq!(probe.points_to("ppp"), "***p+?");
            assert_eq!(probe.points_to("pppp"), "***p+?");
            assert_eq!(probe.points_to("rr"), "**r+?");
            // Nothing is said of pointers in memory.
            assert_eq!(probe.alias("pp", "p"), Alias::May);
            assert_eq!(probe.alias("rr", "p"), Alias::May);
            assert_eq!(probe.alias("rr", "r"), Alias::No);
        },
    );
}

#[test]
fn constant_steps_are_exact_and_others_are_anywhere() {
    probe_body(
        "ptr %p, i64 %i",
        "  %a = alloca { i32, [4 x double] }
  %field = getelementptr { i32, [4 x double] }, ptr %a, i64 0, i32 1, i64 2
  %back = getelementptr i8, ptr %field, i64 -8
  %any = getelementptr { i32, [4 x double] }, ptr %a, i64 0, i32 1, i64 %i
  %p8 = getelementptr double, ptr %p, i64 1
  %pi = getelementptr double, ptr %p, i64 %i
",
        |probe| {
            assert_eq!(probe.points_to("field"), "stack a+24");
            assert_eq!(probe.points_to("back"), "stack a+16");
            assert_eq!(probe.points_to("any"), "stack a+?");
            assert_eq!(probe.points_to("p8"), "*p+8");
            assert_eq!(probe.alias("p", "p8"), Alias::No);
            assert_eq!(probe.alias("p8", "pi"), Alias::May);
            assert_eq!(probe.alias("field", "back"), Alias::No);
            assert_eq!(probe.alias("a", "field"), Alias::No);
        },
    );
}

#[test]
fn pointers_in_own_memory_are_told_apart_by_place() {
    probe_body(
        "ptr %p, i64 %i",
        "  %pair = alloca [2 x ptr]
  %x = alloca double
  %y = alloca double
  %second = getelementptr ptr, ptr %pair, i64 1
  store ptr %x, ptr %pair
  store ptr %y, ptr %second
  %lx = load ptr, ptr %pair
  %ly = load ptr, ptr %second
  %any = getelementptr ptr, ptr %pair, i64 %i
  %lany = load ptr, ptr %any
",
        |probe| {
            assert_eq!(probe.points_to("lx"), "stack x+0");
            assert_eq!(probe.points_to("ly"), "stack y+0");
            assert_eq!(probe.points_to("lany"), "stack x+0 stack y+0");
            assert_eq!(probe.alias("lx", "x"), Alias::Must);
            assert_eq!(probe.alias("lx", "ly"), Alias::No);
            assert_eq!(probe.alias("lany", "x"), Alias::May);
            assert_eq!(probe.escape("x"), Escape::No);
        },
    );
}

#[test]
fn a_store_anywhere_is_seen_everywhere() {
    probe_body(
        "i64 %i",
        "  %pair = alloca [2 x ptr]
  %x = alloca double
  %any = getelementptr ptr, ptr %pair, i64 %i
  store ptr %x, ptr %any
  %l = load ptr, ptr %pair
",
        |probe| assert_eq!(probe.points_to("l"), "stack x+0"),
    );
}

#[test]
fn accesses_that_straddle_cells_see_each_other() {
    probe_body(
        "",
        "  %m = alloca [24 x i8]
  %x = alloca double
  %odd = getelementptr i8, ptr %m, i64 12
  store ptr %x, ptr %odd
  %upper = getelementptr i8, ptr %m, i64 16
  %half = load i32, ptr %upper
  %lower = load i64, ptr %m
",
        |probe| {
            assert_eq!(probe.points_to("half"), "stack x+0");
            assert_eq!(probe.points_to("lower"), "");
        },
    );
}

#[test]
fn joins_keep_every_possibility() {
    probe(
        "define void @f(ptr %p, i1 %c, i64 %n) {
entry:
  %a = alloca double
  br i1 %c, label %left, label %join
left:
  br label %join
join:
  %phi = phi ptr [ %a, %entry ], [ %p, %left ]
  %select = select i1 %c, ptr %a, ptr null
  %freeze = freeze ptr %select
  br label %loop
loop:
  %walk = phi ptr [ %a, %join ], [ %next, %loop ]
  %next = getelementptr double, ptr %walk, i64 1
  %again = icmp eq ptr %next, %p
  br i1 %again, label %loop, label %end
end:
  ret void
}",
        |probe| {
            assert_eq!(probe.points_to("phi"), "*p+0 stack a+0");
            assert_eq!(probe.points_to("freeze"), "stack a+0");
            assert_eq!(probe.points_to("walk"), "stack a+?");
            assert_eq!(probe.alias("phi", "a"), Alias::May);
            assert_eq!(probe.alias("walk", "next"), Alias::No, "at the same time they are 8 bytes apart");
            assert_eq!(probe.alias("walk", "a"), Alias::May);
            assert_eq!(probe.escape("a"), Escape::No);
        },
    );
}

#[test]
fn integers_are_followed() {
    probe_body(
        "i64 %n",
        "  %a = alloca [2 x double]
  %b = alloca double
  %i = ptrtoint ptr %a to i64
  %j = add i64 %i, 8
  %k = sub i64 %j, 4
  %q = inttoptr i64 %k to ptr
  %masked = and i64 %i, -16
  %r = inttoptr i64 %masked to ptr
  %m = alloca i64
  store i64 %i, ptr %m
  %l = load ptr, ptr %m
  %wide = zext i64 %i to i128
  %shifted = shl i128 %wide, 64
  %s = inttoptr i64 %n to ptr
",
        |probe| {
            assert_eq!(probe.points_to("q"), "stack a+4");
            assert_eq!(probe.points_to("r"), "stack a+?");
            assert_eq!(probe.points_to("l"), "stack a+0");
            assert_eq!(probe.points_to("shifted"), "stack a+?");
            assert_eq!(probe.points_to("s"), "outside+? *n+0");
            assert_eq!(probe.alias("q", "b"), Alias::No);
            assert_eq!(probe.alias("s", "b"), Alias::No);
            assert_eq!(probe.escape("a"), Escape::No);
        },
    );
}

#[test]
fn the_difference_of_addresses_holds_pointers_only_between_objects() {
    probe_body(
        "i64 %n",
        "  %a = alloca [2 x double]
  %b = alloca double
  %end = getelementptr double, ptr %a, i64 2
  %ia = ptrtoint ptr %a to i64
  %iend = ptrtoint ptr %end to i64
  %ib = ptrtoint ptr %b to i64
  %length = sub i64 %iend, %ia
  %distance = sub i64 %ib, %ia
  %back = add i64 %ia, %distance
  %q = inttoptr i64 %back to ptr
",
        |probe| {
            assert_eq!(probe.points_to("length"), "");
            assert_eq!(probe.points_to("distance"), "stack a+? stack b+?");
            assert_eq!(probe.alias("q", "b"), Alias::May);
        },
    );
}

#[test]
fn an_address_that_a_number_is_compared_with_escapes() {
    let body = |comparison: &str| {
        format!(
            "  %a = alloca double\n  %i = ptrtoint ptr %a to i64\n  %c = icmp {comparison}\n  %q = inttoptr i64 %n to ptr\n"
        )
    };
    probe_body("i64 %n", &body("eq i64 %i, %n"), |probe| {
        assert_eq!(probe.escape("a"), Escape::Yes);
        assert_eq!(probe.alias("q", "a"), Alias::May);
    });
    probe_body("i64 %n", &body("eq i64 %i, 0"), |probe| assert_eq!(probe.escape("a"), Escape::No));
    probe_body("i64 %n", &body("ult i64 %i, %n"), |probe| {
        assert_eq!(probe.escape("a"), Escape::No);
        assert_eq!(probe.alias("q", "a"), Alias::No);
    });
}

#[test]
fn floats_that_are_only_moved_may_be_pointers() {
    probe_body(
        "",
        "  %a = alloca double
  %u = alloca ptr
  %v = alloca double
  store ptr %a, ptr %u
  %bits = load double, ptr %u
  store double %bits, ptr %v
  %q = load ptr, ptr %v
  %sum = fadd double %bits, 1.0
  store double %sum, ptr %a
  %r = load ptr, ptr %a
",
        |probe| {
            assert_eq!(probe.points_to("q"), "stack a+0");
            assert_eq!(probe.points_to("r"), "");
        },
    );
}

#[test]
fn aggregates_and_vectors_hold_pointers() {
    probe_body(
        "<2 x ptr> %parameters, { ptr, ptr } %pair",
        "  %a = alloca double
  %b = alloca double
  %s = insertvalue { ptr, i64 } undef, ptr %a, 0
  %t = extractvalue { ptr, i64 } %s, 0
  %v = insertelement <2 x ptr> undef, ptr %b, i32 1
  %w = shufflevector <2 x ptr> %v, <2 x ptr> undef, <2 x i32> <i32 1, i32 0>
  %x = extractelement <2 x ptr> %w, i32 0
  %first = extractvalue { ptr, ptr } %pair, 0
  %second = extractvalue { ptr, ptr } %pair, 1
",
        |probe| {
            assert_eq!(probe.points_to("t"), "stack a+0");
            assert_eq!(probe.points_to("x"), "stack b+0");
            assert_eq!(probe.points_to("first"), "*pair+?");
            assert_eq!(probe.alias("first", "second"), Alias::May, "two pointers of one parameter differ");
        },
    );
}

#[test]
fn atomics_load_and_store() {
    probe_body(
        "ptr %p",
        "  %cell = alloca ptr
  %x = alloca double
  %y = alloca double
  %z = alloca double
  store ptr %x, ptr %cell
  %old = atomicrmw xchg ptr %cell, ptr %y monotonic
  %both = cmpxchg ptr %cell, ptr null, ptr %z monotonic monotonic
  %seen = extractvalue { ptr, i1 } %both, 0
",
        |probe| {
            assert_eq!(probe.points_to("old"), "stack x+0 stack y+0 stack z+0");
            assert_eq!(probe.points_to("seen"), "stack x+0 stack y+0 stack z+0");
            assert_eq!(probe.writes("old"), "stack cell+0:8");
            assert_eq!(probe.reads("both"), "stack cell+0:8");
        },
    );
}

#[test]
fn what_orders_threads_meets_what_they_wrote() {
    probe_body(
        "ptr %p",
        "  %own = alloca double
  %shared = load double, ptr %p
  %kept = load double, ptr %own
  fence acquire
  %relaxed = load atomic i64, ptr %p monotonic, align 8
  %ordered = load atomic i64, ptr %p acquire, align 8
  store volatile double 0.0, ptr %own
",
        |probe| {
            assert!(probe.overwrites("fence 0", "shared"));
            assert!(!probe.overwrites("fence 0", "kept"));
            assert!(!probe.overwrites("relaxed", "shared"));
            assert!(probe.overwrites("ordered", "shared"));
            let hidden = |what: &str| probe.memory.hidden(probe.function, probe.inst(what));
            assert!(hidden("store 0").writes());
            assert!(!hidden("shared").writes());
        },
    );
}

#[test]
fn copies_take_pointers_along_cell_by_cell() {
    probe_body(
        "i64 %n",
        "  %from = alloca [3 x ptr]
  %to = alloca [3 x ptr]
  %many = alloca [3 x ptr]
  %x = alloca double
  %y = alloca double
  %second = getelementptr ptr, ptr %from, i64 1
  store ptr %x, ptr %from
  store ptr %y, ptr %second
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 16, i1 false)
  call void @llvm.memmove.p0.p0.i64(ptr %many, ptr %from, i64 %n, i1 false)
  %third = getelementptr ptr, ptr %to, i64 2
  %other = getelementptr ptr, ptr %to, i64 1
  %lx = load ptr, ptr %to
  %ly = load ptr, ptr %other
  %lz = load ptr, ptr %third
  %any = load ptr, ptr %many
",
        |probe| {
            assert_eq!(probe.points_to("lx"), "stack x+0");
            assert_eq!(probe.points_to("ly"), "stack y+0");
            assert_eq!(probe.points_to("lz"), "");
            assert_eq!(probe.points_to("any"), "stack x+0 stack y+0");
            assert_eq!(probe.reads("call 0"), "stack from+0:16");
            assert_eq!(probe.writes("call 0"), "stack to+0:16");
            assert_eq!(probe.writes("call 1"), "stack many+0");
        },
    );
}

#[test]
fn globals_are_shared_and_constants_are_known() {
    probe(
        "@variable = global ptr null
@other = internal global double 0.0
@table = constant [2 x ptr] [ptr @other, ptr @g]
@alias = alias ptr, ptr @variable
define ptr @f(ptr %p) {
  %v = load ptr, ptr @variable
  %t = load ptr, ptr @table
  %g = load ptr, ptr getelementptr ([2 x ptr], ptr @table, i64 0, i64 1)
  %a = getelementptr ptr, ptr @alias, i64 0
  %x = load double, ptr @other
  store double 1.0, ptr %p
  ret ptr %v
}
declare void @g()",
        |probe| {
            assert_eq!(probe.points_to("v"), "outside+?");
            assert_eq!(probe.points_to("t"), "@other+0");
            assert_eq!(probe.points_to("g"), "@g+0");
            assert_eq!(probe.points_to("a"), "@variable+0");
            assert_eq!(probe.alias("a", "t"), Alias::No, "two variables");
            assert_eq!(probe.alias("a", "v"), Alias::May);
            assert!(probe.overwrites("store 0", "x"));
            assert!(probe.overwrites("store 0", "v"));
            assert!(!probe.overwrites("store 0", "t"), "constants are never written");
        },
    );
}

#[test]
fn a_replaceable_constant_holds_anything() {
    probe(
        "@weak = weak constant ptr @other
@extern = external constant ptr
@other = internal global double 0.0
define void @f() {
  %w = load ptr, ptr @weak
  %e = load ptr, ptr @extern
  ret void
}",
        |probe| {
            assert_eq!(probe.points_to("w"), "outside+?");
            assert_eq!(probe.points_to("e"), "outside+?");
        },
    );
}

#[test]
fn exceptions_and_lists_of_arguments_come_from_outside() {
    probe(
        "define void @f(ptr %list, ...) personality ptr @personality {
entry:
  %own = alloca [24 x i8]
  call void @llvm.va_start(ptr %own)
  %argument = va_arg ptr %own, ptr
  invoke void @unknown() to label %fine unwind label %pad
fine:
  ret void
pad:
  %exception = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %exception
}
declare void @unknown()
declare i32 @personality(...)
declare void @llvm.va_start(ptr)",
        |probe| {
            assert_eq!(probe.points_to("argument"), "outside+?");
            assert_eq!(probe.points_to("exception"), "outside+?");
            assert_eq!(probe.reads("argument"), "stack own+?");
            assert_eq!(probe.escape("own"), Escape::No);
        },
    );
}

// Escapes.

#[test]
fn what_is_stored_where_others_read_escapes() {
    probe(
        "@variable = global ptr null
define void @f(ptr %p, ptr noalias %r) {
  %a = alloca double
  %b = alloca ptr
  %c = alloca double
  %d = alloca double
  store ptr %a, ptr @variable
  store ptr %c, ptr %b
  store ptr %b, ptr %p
  store ptr %d, ptr %r
  %own = load double, ptr %d
  %escaped = load double, ptr %a
  %other = load ptr, ptr @variable
  %given = load ptr, ptr %p
  call void @unknown()
  ret void
}
declare void @unknown()",
        |probe| {
            assert_eq!(probe.escape("a"), Escape::Yes);
            assert_eq!(probe.escape("b"), Escape::Yes);
            assert_eq!(probe.escape("c"), Escape::Yes, "it lies in memory that escaped");
            assert_eq!(probe.escape("d"), Escape::AtReturn, "only the caller sees a noalias parameter");
            assert_eq!(probe.points_to("given"), "handed+? **p+?");
            assert_eq!(probe.alias("given", "b"), Alias::May);
            assert_eq!(probe.alias("given", "d"), Alias::No);
            assert_eq!(probe.alias("other", "a"), Alias::May);
            assert!(probe.overwrites("call 0", "escaped"));
            assert!(!probe.overwrites("call 0", "own"));
        },
    );
}

#[test]
fn loads_from_what_escaped_see_what_others_put_there() {
    probe_body(
        "",
        "  %a = alloca ptr
  %kept = alloca ptr
  %x = alloca double
  store ptr %x, ptr %kept
  call void (...) @unknown(ptr %a)
  %l = load ptr, ptr %a
  %k = load ptr, ptr %kept
",
        |probe| {
            assert_eq!(probe.points_to("l"), "outside+?");
            assert_eq!(probe.points_to("k"), "stack x+0");
            assert_eq!(probe.alias("l", "x"), Alias::No);
        },
    );
}

#[test]
fn the_result_of_a_function_escapes_when_it_returns() {
    probe(
        "define ptr @f() {
  %box = call ptr @malloc(i64 8)
  %inner = call ptr @malloc(i64 8)
  %kept = call ptr @malloc(i64 8)
  store ptr %inner, ptr %box
  ret ptr %box
}
declare ptr @malloc(i64)",
        |probe| {
            assert_eq!(probe.escape("box"), Escape::AtReturn);
            assert_eq!(probe.escape("inner"), Escape::AtReturn);
            assert_eq!(probe.escape("kept"), Escape::No);
        },
    );
}
