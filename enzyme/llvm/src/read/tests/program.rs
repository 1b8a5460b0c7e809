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
