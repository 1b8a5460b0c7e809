//! The work of the analysis, counted in steps, grows with the program and no faster.

use std::fmt::Write;

use enzyme::memory::Memory;

use crate::probe::program;

fn steps(text: &str) -> u64 {
    Memory::of(&program(text)).steps()
}

/// Checks that four times the program takes at most five times the work, whatever the shape.
fn grows_near_linearly(what: &str, text: impl Fn(usize) -> String) {
    let (small, large) = (steps(&text(1000)), steps(&text(4000)));
    assert!(large <= 5 * small, "{what}: {small} steps became {large}");
}

/// A function whose body repeats a piece, in which `#` is the number of the piece and `<` that of the one before.
fn repeated(start: &str, piece: &str, end: &str, count: usize) -> String {
    let mut text = String::from(start);
    for index in 1..=count {
        text += &piece.replace('#', &index.to_string()).replace('<', &(index - 1).to_string());
    }
    text + end
}

#[test]
fn loads_and_stores_of_numbers() {
    grows_near_linearly("numbers", |count| {
        repeated(
            "define void @f(ptr %p, ptr %q, i64 %i) {\n",
            "  %a# = getelementptr double, ptr %p, i64 #
  %b# = getelementptr double, ptr %q, i64 %i
  %x# = load double, ptr %a#
  store double %x#, ptr %b#\n",
            "  ret void\n}\n",
            count,
        )
    });
}

#[test]
fn loads_and_stores_of_pointers_to_own_memory() {
    grows_near_linearly("a chain of cells", |count| {
        repeated(
            "define void @f() {\n  %cell0 = alloca ptr\n",
            "  %cell# = alloca ptr
  store ptr %cell<, ptr %cell#
  %load# = load ptr, ptr %cell#\n",
            "  ret void\n}\n",
            count,
        )
    });
}

#[test]
fn one_table_of_many_pointers() {
    grows_near_linearly("a table", |count| {
        repeated(
            "define void @f(i64 %i) {\n  %table = alloca [100000 x ptr]\n",
            "  %x# = alloca double
  %in# = getelementptr ptr, ptr %table, i64 #
  store ptr %x#, ptr %in#
  %any# = getelementptr ptr, ptr %table, i64 %i
  %load# = load ptr, ptr %any#
  store double 0.0, ptr %load#\n",
            "  ret void\n}\n",
            count,
        )
    });
}

#[test]
fn much_that_escapes() {
    grows_near_linearly("escapes", |count| {
        repeated(
            "@variable = global ptr null\ndefine void @f(ptr %p) {\n",
            "  %x# = alloca ptr
  store ptr %x#, ptr %p
  store ptr %x#, ptr @variable
  call void @unknown(ptr %x#)
  %load# = load ptr, ptr %p
  store ptr %load#, ptr %x#
  %other# = load ptr, ptr @variable
  store double 0.0, ptr %other#\n",
            "  ret void\n}\ndeclare void @unknown(ptr)\n",
            count,
        )
    });
}

#[test]
fn joins_of_many_pointers() {
    grows_near_linearly("joins", |count| {
        repeated(
            "define void @f(i1 %c) {\n  %y0 = alloca double\n",
            "  %x# = alloca double\n  %y# = select i1 %c, ptr %x#, ptr %y<\n  store double 0.0, ptr %y#\n",
            "  ret void\n}\n",
            count,
        )
    });
}

#[test]
fn chains_of_calls() {
    grows_near_linearly("calls", |count| {
        repeated(
            "define void @f0(ptr %p, ptr %q) {\n  store double 0.0, ptr %p\n  ret void\n}\n",
            "@g# = global double 0.0
define void @f#(ptr %p, ptr %q) {
  %own = alloca [4 x double]
  %n = load ptr, ptr %q
  store double 1.0, ptr @g#
  call void @f<(ptr %p, ptr %own)
  call void @f<(ptr %n, ptr %q)
  ret void
}\n",
            "",
            count,
        )
    });
}

#[test]
fn circles_of_calls() {
    grows_near_linearly("a circle", |count| {
        repeated(
            &format!("define void @f0(ptr %p) {{\n  call void @f{count}(ptr %p)\n  ret void\n}}\n"),
            "define void @f#(ptr %p) {\n  store double 0.0, ptr %p\n  call void @f<(ptr %p)\n  ret void\n}\n",
            "",
            count,
        )
    });
}

#[test]
fn constants_of_any_size() {
    grows_near_linearly("tables of functions", |count| {
        let mut text = String::from(
            "define void @f() {\n  %l = load ptr, ptr @table\n  call void %l()\n  ret void\n}\n",
        );
        let elements: Vec<String> = (0..count).map(|index| format!("ptr @g{index}")).collect();
        let _ = writeln!(text, "@table = constant [{count} x ptr] [{}]", elements.join(", "));
        for index in 0..count {
            let _ = writeln!(text, "declare void @g{index}()");
        }
        text
    });
    // A table of numbers costs nothing.
    let numbers = |count: usize| {
        let elements = vec!["double 1.5"; count].join(", ");
        format!(
            "@table = constant [{count} x double] [{elements}]
define double @f(i64 %i) {{
  %at = getelementptr double, ptr @table, i64 %i
  %x = load double, ptr %at
  ret double %x
}}\n"
        )
    };
    assert_eq!(steps(&numbers(10)), steps(&numbers(10_000)));
}
