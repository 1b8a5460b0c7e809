//! Calls of functions with bodies: down, up, in circles, in several contexts.

use enzyme::types::{Analyser, CallTypes, Options};

use crate::support::{check, check_analysis, check_with, first, program, request};

#[test]
fn what_a_callee_does_with_a_pointer_is_known_to_the_caller() {
    check(
        "define void @f(ptr %p) {
  call void @g(ptr %p)
  ret void
}

define void @g(ptr %q) {
  %x = load double, ptr %q
  %y = fneg double %x
  ret void
}",
        "%p: {[-1]:Pointer, [-1,0]:Float@double}\ng %x: {[-1]:Float@double}",
    );
}

#[test]
fn what_a_caller_knows_is_known_to_the_callee() {
    check(
        "define void @f(ptr %p) {
  %x = load double, ptr %p
  %y = fneg double %x
  %z = call i64 @g(ptr %p)
  ret void
}

define i64 @g(ptr %q) {
  %w = load i64, ptr %q
  ret i64 %w
}",
        "g %w: {[-1]:Float@double}\n%z: {[-1]:Float@double}",
    );
}

#[test]
fn what_a_caller_makes_of_a_result_is_known_to_the_callee() {
    check(
        "define void @f(ptr %p) {
  %z = call i64 @g(ptr %p)
  %x = bitcast i64 %z to double
  %y = fneg double %x
  ret void
}

define i64 @g(ptr %q) {
  %w = load i64, ptr %q
  ret i64 %w
}",
        "g %w: {[-1]:Float@double}\n%p: {[-1]:Pointer, [-1,0]:Float@double}",
    );
}

#[test]
fn a_function_is_looked_at_once_for_each_context() {
    check(
        "define void @f(i64 %a, i64 %b) {
  %x = bitcast i64 %a to double
  %y = fneg double %x
  %n = sitofp i64 %b to double
  %c = call i64 @same(i64 %a)
  %d = call i64 @same(i64 %b)
  %e = call i64 @same(i64 %a)
  ret void
}

define i64 @same(i64 %v) {
  ret i64 %v
}",
        "same %v: {[-1]:Float@double} | {[-1]:Integer}
         %c: {[-1]:Float@double}
         %d: {[-1]:Integer}
         %e: {[-1]:Float@double}",
    );
}

#[test]
fn nothing_is_known_of_what_has_no_body() {
    check(
        "define void @f(ptr %p) {
  %x = call i64 @outside(ptr %p)
  ret void
}

declare i64 @outside(ptr)",
        "%p: {}\n%x: {}",
    );
}

#[test]
fn what_a_function_takes_is_known_through_calls_of_itself() {
    check(
        "define double @f(double %x, i1 %c) {
entry:
  br i1 %c, label %again, label %exit
again:
  %y = call double @f(double %x, i1 %c)
  ret double %y
exit:
  %z = fneg double %x
  ret double %z
}",
        "%x: {[-1]:Float@double} | {[-1]:Float@double}\n%z: {[-1]:Float@double} | {[-1]:Float@double}\n%y: {[-1]:Float@double} | {[-1]:Float@double}",
    );
}

#[test]
fn functions_that_call_each_other_learn_of_each_other() {
    let text = "define void @even(ptr %p, i1 %c) {
entry:
  br i1 %c, label %again, label %exit
again:
  call void @odd(ptr %p, i1 %c)
  br label %exit
exit:
  ret void
}

define void @odd(ptr %q, i1 %d) {
entry:
  %x = load double, ptr %q
  %y = fneg double %x
  br i1 %d, label %again, label %exit
again:
  call void @even(ptr %q, i1 %d)
  br label %exit
exit:
  ret void
}";
    let program = program(text);
    let mut analyser = Analyser::new(&program, Options::default());
    let root = analyser.analyse(first(&program), CallTypes::default()).expect("no contradiction");
    let pointer = analyser.final_types(root).arguments[0].to_string();
    assert_eq!(pointer, "{[-1]:Pointer, [-1,0]:Float@double}");
}

#[test]
fn numbers_that_are_handed_over_are_offsets_in_the_callee() {
    check(
        "define void @f(ptr %p) {
  call void @field(ptr %p, i64 2)
  ret void
}

define void @field(ptr %q, i64 %i) {
  %place = getelementptr inbounds double, ptr %q, i64 %i
  %x = load double, ptr %place
  %y = fneg double %x
  ret void
}",
        "%p: {[-1]:Pointer, [-1,16]:Float@double}",
    );
}

#[test]
fn a_parallel_region_gets_what_is_handed_to_the_run_time_library() {
    check(
        "define void @f(ptr %data) {
  call void (ptr, i32, ptr, ...) @__kmpc_fork_call(ptr null, i32 1, ptr @region, ptr %data)
  ret void
}

define void @region(ptr %thread, ptr %bound, ptr %shared) {
  %number = load i32, ptr %thread
  %x = load double, ptr %shared
  %y = fneg double %x
  ret void
}

declare void @__kmpc_fork_call(ptr, i32, ptr, ...)",
        "%data: {[-1]:Pointer, [-1,0]:Float@double}\nregion %number: {[-1]:Integer}",
    );
}

#[test]
fn a_call_can_be_kept_out_of_the_analysis() {
    check(
        "define void @f(ptr %p) {
  call void @g(ptr %p) \"enzyme_notypeanalysis\"
  ret void
}

define void @g(ptr %q) {
  %x = load double, ptr %q
  %y = fneg double %x
  ret void
}",
        "%p: {}",
    );
}

#[test]
fn arguments_that_do_not_fit_are_not_handed_over() {
    check(
        "define void @f(ptr %p) {
  call void @g(ptr %p, i64 1)
  ret void
}

define void @g(ptr %q) {
  %x = load double, ptr %q
  %y = fneg double %x
  ret void
}",
        "%p: {}",
    );
}

#[test]
fn a_context_is_what_the_analysis_was_asked_with() {
    let text = "define i64 @f(i64 %x, ptr %p) {
  %y = load i64, ptr %p
  ret i64 %y
}";
    check_with(
        Options::default(),
        &request(
            "{[-1]:Pointer}",
            &["{[-1]:Integer}", "{[-1]:Pointer, [-1,-1]:Pointer, [-1,-1,0]:Float@float}"],
        ),
        text,
        "%x: {[-1]:Integer}\n%y: {[-1]:Pointer, [-1,0]:Float@float}",
    );
    check_with(Options::default(), &CallTypes::default(), text, "%x: {}\n%y: {}");
}

#[test]
fn contexts_are_reused_from_one_request_to_the_next() {
    let text = "define i64 @f(i64 %x) {\n  ret i64 %x\n}";
    let program = program(text);
    let mut analyser = Analyser::new(&program, Options::default());
    let asked = request("{}", &["{[-1]:Integer}"]);
    let once = analyser.analyse(first(&program), asked.clone()).expect("no contradiction");
    let steps = analyser.steps();
    let again = analyser.analyse(first(&program), asked).expect("no contradiction");
    assert_eq!(once, again);
    assert_eq!(analyser.steps(), steps, "nothing is looked at again");
    check_analysis(&analyser, &program, text, "%x: {[-1]:Integer}");
}

#[test]
fn each_call_knows_the_context_of_its_callee() {
    let program = program(
        "define void @f(ptr %p, ptr %q) {
  %x = load double, ptr %p
  %y = fneg double %x
  %i = load i64, ptr %q
  %k = getelementptr inbounds i8, ptr %p, i64 %i
  call void @g(ptr %p)
  call void @g(ptr %q)
  ret void
}

define void @g(ptr %r) {
  %w = load i64, ptr %r
  ret void
}",
    );
    let mut analyser = Analyser::new(&program, Options::default());
    let root = analyser.analyse(first(&program), CallTypes::default()).expect("no contradiction");
    let function = &program[first(&program)];
    let calls = function.insts_in_order().filter(|&inst| function.insts[inst].opcode.call().is_some());
    let of_callees: Vec<String> = calls
        .map(|call| {
            let types = analyser.types(analyser.callee(root, call).expect("it was looked into"));
            types.of(types.function().parameters[0]).to_string()
        })
        .collect();
    assert_eq!(of_callees[0], "{[-1]:Pointer, [-1,0]:Float@double}");
    assert!(of_callees[1].starts_with("{[-1]:Pointer, [-1,0]:Integer, "), "{}", of_callees[1]);
    assert_eq!(analyser.callee(root, function.insts_in_order().next().expect("a load")), None);
}

#[test]
fn a_function_that_calls_itself_returns_what_its_other_ways_return() {
    check(
        "define i64 @f(ptr %p, i64 %n) {
  %start = load double, ptr %p
  %negative = fneg double %start
  %r = call i64 @walk(ptr %p, i64 %n)
  ret i64 %r
}

define i64 @walk(ptr %q, i64 %k) {
entry:
  %stop = icmp eq i64 %k, 0
  br i1 %stop, label %end, label %more
more:
  %next = add i64 %k, -1
  %deep = call i64 @walk(ptr %q, i64 %next)
  br label %join
end:
  %w = load i64, ptr %q
  br label %join
join:
  %r = phi i64 [ %deep, %more ], [ %w, %end ]
  ret i64 %r
}",
        "%r: {[-1]:Float@double}\nwalk %deep: {[-1]:Float@double}\nwalk %r: {[-1]:Float@double}",
    );
}
