//! Global variables.

use enzyme::activity::{ArgumentActivity as A, Extent, Options, ResultActivity as R, UnmarkedGlobals};

use crate::{WHOLE, analyse, analyse_with};

#[test]
fn variables_that_others_use_are_active() {
    let text = "@state = global double 0.0
         @table = constant double 2.0
         @mark = global double 0.0, !enzyme_inactive !0
         define double @f(double %x) {
           %s = load double, ptr @state
           %t = load double, ptr @table
           %m = load double, ptr @mark
           %some = fadd double %s, %t
           %result = fadd double %some, %m
           ret double %result
         }
         !0 = !{}";
    let case = analyse(text, &[A::Out], R::Active);
    case.expect_active(&["s", "some", "result"]);
    case.expect_constant(&["t", "m"]);
    let inactive = Options { globals: UnmarkedGlobals::AreInactive, ..WHOLE };
    let case = analyse_with(text, inactive, &[A::Out], R::Active);
    case.expect_constant(&["s", "t", "m", "some"]);
}

#[test]
fn a_private_variable_is_what_is_stored_in_it() {
    let text = |stored: &str, more: &str| {
        format!(
            "@cell = internal global double 0.0
             define double @f(double %x) {{
               store double {stored}, ptr @cell
               %result = load double, ptr @cell
               ret double %result
             }}
             {more}"
        )
    };
    let other = "define void @other(double %y) {\n  store double %y, ptr @cell\n  ret void\n}";
    analyse(&text("%x", ""), &[A::Out], R::Active).expect_active(&["result"]);
    analyse(&text("1.0", ""), &[A::Out], R::Active).expect_constant(&["result"]);
    // Another function may have stored anything, and so may one that is not seen.
    analyse(&text("1.0", other), &[A::Out], R::Active).expect_active(&["result"]);
    let part = Options { extent: Extent::Part, ..WHOLE };
    analyse_with(&text("1.0", ""), part, &[A::Out], R::Active).expect_active(&["result"]);
}

#[test]
fn memory_that_a_variable_holds_the_address_of_is_found_there_again() {
    let case = analyse(
        "@cache = internal global ptr null
         declare ptr @malloc(i64)
         define ptr @workspace() {
         entry:
           %known = load ptr, ptr @cache
           %new = icmp eq ptr %known, null
           br i1 %new, label %make, label %end
         make:
           %made = call ptr @malloc(i64 8)
           store ptr %made, ptr @cache
           br label %end
         end:
           %it = load ptr, ptr @cache
           ret ptr %it
         }
         define double @f(double %x) {
           %p = call ptr @workspace()
           store double %x, ptr %p
           %q = call ptr @workspace()
           %result = load double, ptr %q
           ret double %result
         }",
        &[A::Out],
        R::Active,
    );
    case.expect_active(&["p", "q", "result"]);
    assert!(case.stores()[0].is_active());
}

#[test]
fn an_address_that_a_callee_puts_into_a_variable_is_found_by_another() {
    let case = analyse(
        "@slot = internal global ptr null
         define void @set(ptr %p) {
           store ptr %p, ptr @slot
           ret void
         }
         define double @get() {
           %p = load ptr, ptr @slot
           %v = load double, ptr %p
           ret double %v
         }
         define double @f(double %x) {
           %cell = alloca double
           store double %x, ptr %cell
           call void @set(ptr %cell)
           %result = call double @get()
           ret double %result
         }",
        &[A::Out],
        R::Active,
    );
    case.expect_active(&["cell", "result"]);
}

#[test]
fn addresses_in_a_constant_table_are_those_of_variables() {
    let case = analyse(
        "@state = global double 0.0
         @weight = constant double 1.0
         @addresses = constant [2 x ptr] [ptr @state, ptr @weight]
         @weights = constant [1 x ptr] [ptr @weight]
         define double @f(double %x) {
           %p = load ptr, ptr @addresses
           %q = load ptr, ptr @weights
           %a = load double, ptr %p
           %b = load double, ptr %q
           %result = fadd double %a, %b
           ret double %result
         }",
        &[A::Out],
        R::Active,
    );
    case.expect_active(&["p", "a", "result"]);
    case.expect_constant(&["q", "b"]);
}
