//! What functions with bodies do, as their callers see it.

use enzyme::memory::{Alias, Escape, Root};

use crate::probe::{Probe, probe};

/// A summary as text.
fn summary(probe: &Probe<'_>, name: &str) -> String {
    let function = probe.memory.program().find(name).expect("the function exists");
    let Some(summary) = probe.memory.summary(function) else { return "unknown".to_owned() };
    let root = |root: Root| match root {
        Root::Parameter(index) => format!("*{index}"),
        Root::Reached(index) => format!("**{index}"),
        Root::Beyond(index) => format!("***{index}"),
        Root::Global(symbol) => format!("@{}", probe.memory.symbol(symbol).name),
        Root::ErrorNumber => "errno".to_owned(),
        Root::New => "new".to_owned(),
        Root::Outside => "outside".to_owned(),
    };
    let offset = |offset: Option<i64>| offset.map_or("?".to_owned(), |offset| offset.to_string());
    let place = |place: enzyme::memory::Place| format!("{}+{}", root(place.root), offset(place.offset));
    let span = |span: enzyme::memory::Span| match span.size {
        Some(size) if span.place.offset.is_some() => format!("{}:{size}", place(span.place)),
        Some(_) | None => place(span.place),
    };
    let mut parts = Vec::new();
    let mut part = |title: &str, items: Vec<String>| {
        if !items.is_empty() {
            parts.push(format!("{title} {}", items.join(" ")));
        }
    };
    part("reads", summary.reads.iter().map(|&read| span(read)).collect());
    part("writes", summary.writes.iter().map(|&write| span(write)).collect());
    part("returns", summary.returned.iter().map(|&returned| place(returned)).collect());
    part(
        "stores",
        summary.stored.iter().map(|&(to, value)| format!("{}={}", span(to), place(value))).collect(),
    );
    if !summary.mixed.pointers.is_empty() {
        part("mixes", summary.mixed.pointers.iter().map(|&pointer| root(pointer)).collect());
        part("into", summary.mixed.targets.iter().map(|&target| root(target)).collect());
    }
    part("leaks", summary.leaked.iter().map(|&leaked| root(leaked)).collect());
    part("fills", summary.in_new.iter().map(|&held| root(held)).collect());
    parts.join("; ")
}

#[test]
fn a_callee_s_accesses_are_put_in_place_at_each_call() {
    probe(
        "define void @f(ptr %p) {
  %a = alloca [4 x double]
  %b = alloca [4 x double]
  %x = load double, ptr %a
  %a1 = getelementptr double, ptr %a, i64 1
  call void @add(ptr %a1, ptr %b)
  %y = load double, ptr %p
  ret void
}
define void @add(ptr %to, ptr %from) {
  %x = load double, ptr %from
  %next = getelementptr double, ptr %to, i64 2
  store double %x, ptr %next
  ret void
}",
        |probe| {
            assert_eq!(summary(&probe, "add"), "reads *1+0:8; writes *0+16:8; mixes **1; into *0");
            assert_eq!(probe.writes("call 0"), "stack a+24:8");
            assert_eq!(probe.reads("call 0"), "stack b+0:8");
            assert!(!probe.overwrites("call 0", "x"));
            assert!(!probe.overwrites("call 0", "y"));
            assert_eq!(probe.escape("a"), Escape::No);
        },
    );
}

#[test]
fn what_is_reached_through_an_argument_is_told_from_the_argument() {
    probe(
        "define void @f(ptr %p) {
  %box = alloca { ptr, i64 }
  %data = call ptr @malloc(i64 80)
  %apart = call ptr @malloc(i64 80)
  store ptr %data, ptr %box
  %x = load double, ptr %data
  %y = load double, ptr %apart
  %z = load ptr, ptr %box
  call void @fill(ptr %box)
  ret void
}
define void @fill(ptr %box) {
  %data = load ptr, ptr %box
  store double 1.0, ptr %data
  ret void
}
declare ptr @malloc(i64)",
        |probe| {
            assert_eq!(summary(&probe, "fill"), "reads *0+0:8; writes **0+?");
            assert_eq!(probe.writes("call 2"), "heap data+?");
            assert!(probe.overwrites("call 2", "x"));
            assert!(!probe.overwrites("call 2", "y"));
            assert!(!probe.overwrites("call 2", "z"));
            assert_eq!(probe.escape("data"), Escape::No);
        },
    );
}

#[test]
fn results_and_stored_pointers_come_back() {
    probe(
        "define void @f(ptr noalias %r, i1 %c) {
  %box = alloca { ptr, ptr }
  %x = alloca double
  %m = call ptr @make(i64 16)
  %n = call ptr @make(i64 16)
  call void @construct(ptr %box, ptr %x)
  %second = getelementptr { ptr, ptr }, ptr %box, i64 0, i32 1
  %lm = load ptr, ptr %box
  %lx = load ptr, ptr %second
  %part = call ptr @part(ptr %r)
  ret void
}
define ptr @make(i64 %n) {
  %m = call ptr @malloc(i64 16)
  ret ptr %m
}
define void @construct(ptr %self, ptr %x) {
  %m = call ptr @malloc(i64 8)
  store ptr %m, ptr %self
  %second = getelementptr { ptr, ptr }, ptr %self, i64 0, i32 1
  store ptr %x, ptr %second
  ret void
}
define ptr @part(ptr %p) {
  %q = getelementptr i8, ptr %p, i64 24
  ret ptr %q
}
declare ptr @malloc(i64)",
        |probe| {
            assert_eq!(summary(&probe, "make"), "writes errno+0:4; returns new+0");
            assert_eq!(probe.points_to("m"), "heap m+0");
            assert_eq!(probe.points_to("n"), "heap n+0");
            assert_eq!(probe.alias("m", "n"), Alias::No);
            assert_eq!(probe.size("m"), Some(16));
            assert_eq!(probe.points_to("lm"), "heap +0", "made by the call");
            assert_eq!(probe.points_to("lx"), "stack x+0");
            assert_eq!(probe.escape("x"), Escape::No);
            assert_eq!(probe.points_to("part"), "*r+24");
        },
    );
}

#[test]
fn pointers_that_a_callee_moves_arrive() {
    probe(
        "define void @f() {
  %x = alloca double
  %from = alloca ptr
  %to = alloca ptr
  store ptr %x, ptr %from
  call void @move(ptr %to, ptr %from)
  %l = load ptr, ptr %to
  ret void
}
define void @move(ptr %to, ptr %from) {
  %v = load ptr, ptr %from
  store ptr %v, ptr %to
  ret void
}",
        |probe| {
            assert_eq!(summary(&probe, "move"), "reads *1+0:8; writes *0+0:8; mixes **1; into *0");
            assert_eq!(probe.points_to("l"), "stack x+?");
            assert_eq!(probe.escape("x"), Escape::No);
        },
    );
}

#[test]
fn two_pieces_of_new_memory_are_not_taken_for_one() {
    probe(
        "define void @f() {
  %both = call { ptr, ptr } @two()
  %a = extractvalue { ptr, ptr } %both, 0
  %b = extractvalue { ptr, ptr } %both, 1
  ret void
}
define { ptr, ptr } @two() {
  %a = call ptr @malloc(i64 8)
  %b = call ptr @malloc(i64 8)
  %one = insertvalue { ptr, ptr } undef, ptr %a, 0
  %both = insertvalue { ptr, ptr } %one, ptr %b, 1
  ret { ptr, ptr } %both
}
declare ptr @malloc(i64)",
        |probe| assert_eq!(probe.alias("a", "b"), Alias::May),
    );
}

#[test]
fn new_memory_holds_what_the_callee_put_there() {
    probe(
        "define void @f(ptr noalias %r) {
  %list = call ptr @cons(ptr %r, ptr null)
  %more = call ptr @cons(ptr null, ptr %list)
  %tail_at = getelementptr { ptr, ptr }, ptr %more, i64 0, i32 1
  %tail = load ptr, ptr %tail_at
  %head = load ptr, ptr %tail
  ret void
}
define ptr @cons(ptr %head, ptr %tail) {
  %cell = call ptr @malloc(i64 16)
  store ptr %head, ptr %cell
  %at = getelementptr { ptr, ptr }, ptr %cell, i64 0, i32 1
  store ptr %tail, ptr %at
  ret ptr %cell
}
declare ptr @malloc(i64)",
        |probe| {
            assert_eq!(summary(&probe, "cons"), "writes errno+0:4; returns new+0; fills *0 *1");
            assert_eq!(probe.points_to("tail"), "heap list+0");
            assert_eq!(probe.points_to("head"), "*r+0");
        },
    );
}

#[test]
fn leaks_of_a_callee_are_escapes() {
    probe(
        "@variable = global ptr null
define void @f() {
  %a = alloca ptr
  %inner = alloca double
  %b = alloca double
  store ptr %inner, ptr %a
  call void @keep(ptr %a, ptr %b)
  %m = call ptr @registered()
  ret void
}
define void @keep(ptr %p, ptr %q) {
  store ptr %p, ptr @variable
  store double 0.0, ptr %q
  ret void
}
define ptr @registered() {
  %m = call ptr @malloc(i64 8)
  store ptr %m, ptr @variable
  ret ptr %m
}
declare ptr @malloc(i64)",
        |probe| {
            assert_eq!(summary(&probe, "keep"), "writes *1+0:8 @variable+0:8; leaks *0");
            assert_eq!(probe.escape("a"), Escape::Yes);
            assert_eq!(probe.escape("inner"), Escape::Yes);
            assert_eq!(probe.escape("b"), Escape::No);
            assert_eq!(probe.escape("m"), Escape::Yes);
        },
    );
}

#[test]
fn frames_of_callees_are_nobody_s_business() {
    probe(
        "define void @f(ptr %p) {
  %x = load double, ptr %p
  %y = call double @local(double %x)
  call void @copied(ptr byval(double) %p)
  ret void
}
define double @local(double %x) {
  %a = alloca double
  store double %x, ptr %a
  %y = load double, ptr %a
  ret double %y
}
define void @copied(ptr byval(double) %p) {
  store double 0.0, ptr %p
  ret void
}",
        |probe| {
            assert_eq!(summary(&probe, "local"), "");
            assert_eq!(summary(&probe, "copied"), "reads *0+?");
            assert_eq!(probe.writes("y"), "");
            assert!(!probe.overwrites("call 1", "x"));
        },
    );
}

#[test]
fn attributes_of_a_function_with_a_body_bound_its_summary() {
    probe(
        "define void @f(ptr %p) {
  call void @reader(ptr %p)
  call void @writer(ptr %p) memory(read)
  ret void
}
define void @reader(ptr %p) memory(argmem: read) {
  call void @unknown(ptr %p)
  ret void
}
define void @writer(ptr %p) {
  store double 0.0, ptr %p
  ret void
}
declare void @unknown(ptr)",
        |probe| {
            assert_eq!(probe.writes("call 0"), "");
            assert_eq!(probe.reads("call 0"), "*p+?");
            assert_eq!(probe.writes("call 1"), "", "the call itself says more");
        },
    );
}

#[test]
fn what_can_be_replaced_is_unknown() {
    probe(
        "define void @f(ptr %p) {
  %x = load double, ptr %p
  call void @nothing()
  call void @odr()
  call void @weak()
  ret void
}
define void @nothing() {
  ret void
}
define linkonce_odr void @odr() {
  ret void
}
define weak void @weak() {
  ret void
}",
        |probe| {
            assert!(!probe.overwrites("call 0", "x"));
            assert!(!probe.overwrites("call 1", "x"));
            assert!(probe.overwrites("call 2", "x"));
        },
    );
}

#[test]
fn recursion_ends_with_what_all_rounds_do() {
    probe(
        "define void @f(ptr %p, ptr %q, ptr noalias %r) {
  %x = load double, ptr %r
  call void @even(ptr %p, ptr %q, i64 10)
  call void @walk(ptr %p)
  %m = call ptr @deep(i64 3)
  ret void
}
define void @even(ptr %a, ptr %b, i64 %n) {
  %done = icmp eq i64 %n, 0
  br i1 %done, label %end, label %more
more:
  %less = sub i64 %n, 1
  store double 0.0, ptr %a
  call void @odd(ptr %b, ptr %a, i64 %less)
  br label %end
end:
  ret void
}
define void @odd(ptr %a, ptr %b, i64 %n) {
  %x = load double, ptr %b
  call void @even(ptr %a, ptr %b, i64 %n)
  ret void
}
define void @walk(ptr %node) {
  store double 0.0, ptr %node
  %at = getelementptr { double, ptr }, ptr %node, i64 0, i32 1
  %next = load ptr, ptr %at
  %last = icmp eq ptr %next, null
  br i1 %last, label %end, label %more
more:
  call void @walk(ptr %next)
  br label %end
end:
  ret void
}
define ptr @deep(i64 %n) {
  %done = icmp eq i64 %n, 0
  br i1 %done, label %end, label %more
end:
  %m = call ptr @malloc(i64 8)
  ret ptr %m
more:
  %less = sub i64 %n, 1
  %d = call ptr @deep(i64 %less)
  ret ptr %d
}
declare ptr @malloc(i64)",
        |probe| {
            assert_eq!(summary(&probe, "even"), "reads *0+0:8 *1+0:8; writes *0+0:8 *1+0:8");
            assert_eq!(summary(&probe, "walk"), "reads *0+8:8 **0+? ***0+?; writes *0+0:8 **0+? ***0+?");
            assert_eq!(summary(&probe, "deep"), "writes errno+0:4; returns new+0");
            assert!(!probe.overwrites("call 0", "x"));
            assert_eq!(probe.points_to("m"), "heap m+0");
        },
    );
}

#[test]
fn a_circle_that_does_not_settle_is_known_by_its_attributes() {
    // Each round of the recursion moves the arguments by one place, so that what is written comes to light one
    // parameter a round.
    let count = 20;
    let parameters: Vec<String> = (0..count).map(|index| format!("ptr %p{index}")).collect();
    let rotated: Vec<String> = (0..count).map(|index| format!("ptr %p{}", (index + 1) % count)).collect();
    let text = format!(
        "define void @f(ptr %p, ptr noalias %r) {{
  %x = load double, ptr %p
  %y = load double, ptr %r
  call void @turn({})
  ret void
}}
define void @turn({}) {{
  store double 0.0, ptr %p0
  call void @turn({})
  ret void
}}",
        vec!["ptr %p"; count].join(", "),
        parameters.join(", "),
        rotated.join(", ")
    );
    probe(&text, |probe| {
        assert_eq!(summary(&probe, "turn"), "unknown");
        assert!(probe.overwrites("call 0", "x"));
        assert!(!probe.overwrites("call 0", "y"));
    });
}

#[test]
fn a_call_with_too_few_arguments_is_unknown() {
    probe(
        "define void @f(ptr %p) {
  %x = load double, ptr %p
  call void @two(ptr null)
  ret void
}
define void @two(ptr %a, ptr %b) {
  ret void
}",
        |probe| assert!(probe.overwrites("call 0", "x")),
    );
}

#[test]
fn variable_arguments_of_a_function_with_a_body_escape() {
    probe(
        "define void @f() {
  %a = alloca double
  %b = alloca double
  call void (ptr, ...) @varied(ptr %a, ptr %b)
  ret void
}
define void @varied(ptr %fixed, ...) {
  ret void
}",
        |probe| {
            assert_eq!(probe.escape("a"), Escape::No);
            assert_eq!(probe.escape("b"), Escape::Yes);
        },
    );
}

#[test]
fn summaries_of_functions_that_do_much_stay_short() {
    let mut text = String::new();
    for index in 0..100 {
        text += &format!("@g{index} = global double 0.0\n");
    }
    text += "define void @f(ptr %p, ptr noalias %r) {
  %x = load double, ptr %p
  %y = load double, ptr %r
  %z = load double, ptr @g77
  call void @all(ptr %p)
  ret void
}
define void @all(ptr %q) {\n";
    for index in 0..100 {
        text += &format!(
            "  store double 0.0, ptr @g{index}
  %q{index} = getelementptr double, ptr %q, i64 {index}
  store double 0.0, ptr %q{index}\n"
        );
    }
    text += "  ret void\n}";
    probe(&text, |probe| {
        assert_eq!(summary(&probe, "all"), "writes *0+? outside+?");
        assert!(probe.overwrites("call 0", "x"));
        assert!(!probe.overwrites("call 0", "y"));
        assert!(probe.overwrites("call 0", "z"));
    });
}
