//! Programs: what a function leads to.

use super::Parsed;
use crate::read::read_program;

const PROGRAM: &str = "
@table = constant [2 x ptr] [ptr @through_table, ptr @outside]
@other = alias void (), ptr @through_alias

define void @unrelated() {
  ret void
}

define void @through_table() {
  call void @deeper()
  ret void
}

define void @root(ptr %place) {
  %entry = load ptr, ptr @table
  call void %entry()
  call void @other()
  store ptr @through_address, ptr %place
  call void @outside()
  ret void
}

define void @through_address() {
  call void @root(ptr null)
  ret void
}

define void @deeper() {
  ret void
}

define void @through_alias() {
  ret void
}

declare void @outside()
";

#[test]
fn a_program_holds_what_its_roots_lead_to_in_the_order_of_the_module() {
    let parsed = Parsed::new(PROGRAM);
    let root = parsed.module.function("root").expect("a root");
    let read = read_program(parsed.module, [root]).expect("a readable program");
    let names: Vec<&str> = read.program.iter().map(|(_, function)| function.name.as_str()).collect();
    assert_eq!(names, ["through_table", "root", "through_address", "deeper", "through_alias"]);
    for (id, function) in read.program.iter() {
        assert_eq!(read.function(id).map(|origin| origin.name()), Some(function.name.clone()));
    }
}

#[test]
fn a_root_without_a_body_leads_nowhere() {
    let parsed = Parsed::new(PROGRAM);
    let root = parsed.module.function("outside").expect("a declaration");
    let read = read_program(parsed.module, [root]).expect("nothing to read");
    assert!(read.program.is_empty());
}

#[test]
fn symbols_without_a_name_are_told_apart_in_all_functions() {
    let parsed = Parsed::new(
        "@0 = constant double 1.0\n@1 = global double 2.0\n\
         define double @f() {\n  %x = load double, ptr @1\n  call void @2()\n  ret double %x\n}\n\
         define void @2() {\n  %x = load double, ptr @0\n  ret void\n}",
    );
    let names = |function: &str| -> Vec<String> {
        let read = parsed.read(function);
        read.model.context.globals.values().map(|global| global.name.clone()).collect()
    };
    assert_eq!(names("f"), ["1", "2"]);
    let unnamed = parsed.module.functions().find(|function| function.name().is_empty()).expect("a function");
    let read = crate::read::read_function(unnamed.0).expect("readable").model;
    assert_eq!(read.context.globals.values().map(|global| global.name.as_str()).collect::<Vec<_>>(), ["0"]);
}
