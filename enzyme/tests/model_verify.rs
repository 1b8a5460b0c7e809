//! The checks of `Function::verify`, by their numbers.

use enzyme::model::{BlockId, Function, Opcode, TypeId, ValueDefinition, ValueId};

fn parse(text: &str) -> Function {
    Function::parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn error_of(function: &Function) -> String {
    match function.verify() {
        Ok(()) => panic!("this must not verify:\n{function}"),
        Err(error) => error.to_string(),
    }
}

fn error_in(body: &str) -> String {
    error_of(&parse(&format!("define i32 @f(i32 %a, i1 %c) {{\nentry:\n{body}\n}}\ndeclare i32 @g()")))
}

const DIAMOND: &str = "define i32 @f(i32 %a, i1 %c) {
entry:
  br i1 %c, label %left, label %right
left:
  %l = add i32 %a, 1
  br label %join
right:
  br label %join
join:
  %p = phi i32 [ %l, %left ], [ 0, %right ]
  ret i32 %p
}";

#[test]
fn a_sound_function() {
    assert_eq!(parse(DIAMOND).verify(), Ok(()));
}

#[test]
fn check_1_parameters() {
    let mut function = parse(DIAMOND);
    function.parameters.pop();
    assert_eq!(error_of(&function), "@f: the parameters are not those of its type");
}

#[test]
fn check_2_entry() {
    assert_eq!(error_in("  br label %entry"), "@f: bb0: something jumps to the entry block");
    let mut function = parse(DIAMOND);
    function.blocks.clear();
    assert_eq!(error_of(&function), "@f: there is no block");
}

#[test]
fn check_3_places() {
    let mut function = parse(DIAMOND);
    function.blocks[BlockId::from_u32(2)].insts.clear();
    assert_eq!(error_of(&function), "@f: bb2: the block has no terminator");

    let mut function = parse(DIAMOND);
    function.blocks[BlockId::from_u32(1)].insts.swap(0, 1);
    assert_eq!(error_of(&function), "@f: bb1: inst2: a terminator stands in the middle of a block");

    let mut function = parse(DIAMOND);
    let first = function.blocks[BlockId::from_u32(0)].insts[0];
    function.blocks[BlockId::from_u32(2)].insts.insert(0, first);
    assert_eq!(error_of(&function), "@f: bb2: inst0: the instruction is also somewhere else");
}

#[test]
fn check_4_blocks_exist() {
    let mut function = parse(DIAMOND);
    let last = function.blocks[BlockId::from_u32(1)].insts[1];
    function.insts[last].opcode = Opcode::Branch { target: BlockId::from_u32(9) };
    assert_eq!(error_of(&function), "@f: bb1: inst2: a block is named that does not exist");
}

#[test]
fn check_5_phis() {
    let other = DIAMOND.replace("[ 0, %right ]", "[ 0, %entry ]");
    assert_eq!(
        error_of(&parse(&other)),
        "@f: bb3: inst4: the phi does not name each jump into its block exactly once"
    );
    let late = DIAMOND.replace("  %p = phi", "  %q = add i32 %a, 2\n  %p = phi");
    assert_eq!(error_of(&parse(&late)), "@f: bb3: inst5: a phi stands after another instruction");
    let twice = "define i32 @f(i1 %c) {
entry:
  br i1 %c, label %b, label %b
b:
  %p = phi i32 [ 1, %entry ], [ 2, %entry ]
  ret i32 %p
}";
    assert_eq!(error_of(&parse(twice)), "@f: bb1: inst1: the phi gives one block two values");
    assert_eq!(parse(&twice.replace("[ 2,", "[ 1,")).verify(), Ok(()));
    assert_eq!(error_in("  %p = phi i32\n  ret i32 %p"), "@f: bb0: inst0: a phi stands in the entry block");
}

#[test]
fn check_6_pads() {
    let invoke = "define void @f() personality ptr null {
  invoke void @g() to label %next unwind label %pad
next:
  ret void
pad:
  %p = landingpad token cleanup
  ret void
}";
    assert_eq!(parse(invoke).verify(), Ok(()));
    let jumped = invoke.replace("next:\n  ret void", "next:\n  br label %pad");
    assert_eq!(
        error_of(&parse(&jumped)),
        "@f: bb2: inst2: the landing pad is entered by something else than an unwinding invoke"
    );
    let late = invoke.replace("  %p = landing", "  %x = add i32 1, 1\n  %p = landing");
    assert_eq!(error_of(&parse(&late)), "@f: bb2: inst3: an exception pad stands after another instruction");
}

#[test]
fn check_7_operands() {
    let mut function = parse(DIAMOND);
    let add = function.blocks[BlockId::from_u32(1)].insts[0];
    function.insts[add].operands[0] = ValueId::from_u32(99);
    assert_eq!(error_of(&function), "@f: bb1: inst1: the operand v99 does not exist");

    let mut function = parse(DIAMOND);
    let result = function.insts[add].result.expect("a result");
    function.values[result].definition = ValueDefinition::Parameter(7);
    assert!(error_of(&function).contains("is made by something else"));
}

#[test]
fn check_8_types() {
    let mut function = parse(DIAMOND);
    let boolean = function.values[function.parameters[1]].ty;
    let add = function.blocks[BlockId::from_u32(1)].insts[0];
    let result = function.insts[add].result.expect("a result");
    function.values[result].ty = boolean;
    assert_eq!(
        error_of(&function),
        "@f: bb1: inst1: the result is not of the type that follows from the operands"
    );

    let mut function = parse(DIAMOND);
    function.insts[add].operands[1] = function.parameters[1];
    assert_eq!(error_of(&function), "@f: bb1: inst1: operands 0 and 1 must be of the same type");

    let mut function = parse("define i64 @f(i32 %a) {\n  %b = zext i32 %a to i64\n  ret i64 %b\n}");
    let cast = function.blocks[BlockId::from_u32(0)].insts[0];
    function.insts[cast].operands[0] = function.insts[cast].result.expect("a result");
    assert_eq!(error_of(&function), "@f: bb0: inst0: `zext` cannot convert between these types");
}

#[test]
fn check_9_returns() {
    let mut function = parse("define i32 @f(i32 %a) {\n  ret i32 %a\n}");
    function.insts.values_mut().for_each(|inst| inst.operands.clear());
    assert_eq!(error_of(&function), "@f: bb0: inst0: this is not what the function returns");
}

#[test]
fn check_10_cases() {
    let switch = "  switch i32 %a, label %b [\n i32 1, label %b\n i32 1, label %b\n ]\nb:\n  ret i32 %a";
    assert_eq!(error_in(switch), "@f: bb0: inst0: two cases are the same");
}

#[test]
fn check_11_dominance() {
    let late = "  %x = add i32 %y, 1\n  %y = add i32 %a, 1\n  ret i32 %x";
    assert_eq!(error_in(late), "@f: bb0: inst0: %y is used where it need not have been computed");
    let own = "  %x = add i32 %x, 1\n  ret i32 %x";
    assert_eq!(error_in(own), "@f: bb0: inst0: %x is used where it need not have been computed");
    let sideways = DIAMOND.replace("ret i32 %p", "ret i32 %l");
    assert_eq!(
        error_of(&parse(&sideways)),
        "@f: bb3: inst5: %l is used where it need not have been computed"
    );
    let wrong_edge = DIAMOND.replace("[ 0, %right ]", "[ %l, %right ]");
    assert_eq!(
        error_of(&parse(&wrong_edge)),
        "@f: bb3: inst4: %l is used where it need not have been computed"
    );
}

#[test]
fn check_11_results_of_invokes() {
    let invoke = "define i32 @f() personality ptr null {
entry:
  %r = invoke i32 @g() to label %next unwind label %pad
next:
  %p = phi i32 [ %r, %entry ]
  %s = add i32 %r, %p
  ret i32 %s
pad:
  %l = landingpad token cleanup
  ret i32 0
}
declare i32 @g()";
    assert_eq!(parse(invoke).verify(), Ok(()));
    let unwound = invoke.replace("ret i32 0", "ret i32 %r");
    assert_eq!(error_of(&parse(&unwound)), "@f: bb2: inst5: %r is used where it need not have been computed");
}

#[test]
fn check_11_unreachable_code_may_do_as_it_likes() {
    let dead = "  ret i32 0\ndead:\n  %x = add i32 %y, 1\n  %y = add i32 %x, 1\n  br label %dead";
    let function = parse(&format!("define i32 @f() {{\nentry:\n{dead}\n}}"));
    assert_eq!(function.verify(), Ok(()));
}

#[test]
fn check_12_names() {
    let mut function = parse(DIAMOND);
    let parameter = function.parameters[1];
    function.values[parameter].name = Some("a".to_owned());
    assert_eq!(error_of(&function), "@f: the name `%a` is given twice");
}

#[test]
fn types_are_interned() {
    let function = parse(DIAMOND);
    let types: Vec<TypeId> =
        function.parameters.iter().map(|parameter| function.values[*parameter].ty).collect();
    assert_eq!(function.return_type(), types[0]);
    assert_ne!(types[0], types[1]);
}
