//! Debug information of Rust programs.

use enzyme::model::{
    DebugDeclaration, DebugEncoding, DebugMember, DebugType, DebugTypeId, DebugTypeKind, Function,
    SourceLanguage,
};
use enzyme::program::Program;
use enzyme::types::{Analyser, CallTypes, Options};

use crate::support::{first, named, program, rust};

/// What is known of an address where a variable of a type lives.
fn known(
    language: SourceLanguage,
    options: Options,
    ty: impl FnOnce(&mut Function) -> DebugTypeId,
) -> String {
    let text = "define void @f(ptr %x) {\n  ret void\n}";
    let parsed = program(text);
    let mut function = parsed[first(&parsed)].clone();
    let ty = ty(&mut function);
    let address = named(&function, "%x");
    let declaration =
        DebugDeclaration { address, variable: Some("x".to_owned()), ty, language, location: None };
    function.debug_declarations.push(declaration);
    let program = Program::new([function]);
    let mut analyser = Analyser::new(&program, options);
    let context = analyser.analyse(first(&program), CallTypes::default()).expect("no contradiction");
    let types = analyser.types(context);
    types.of(named(types.function(), "%x")).to_string()
}

fn in_rust(ty: impl FnOnce(&mut Function) -> DebugTypeId) -> String {
    known(SourceLanguage::Rust, rust(), ty)
}

fn add(function: &mut Function, name: &str, bits: u64, kind: DebugTypeKind) -> DebugTypeId {
    function.debug_types.push(DebugType { name: Some(name.to_owned()), bits, alignment: 0, kind })
}

fn float(function: &mut Function, bits: u64) -> DebugTypeId {
    add(function, "f", bits, DebugTypeKind::Basic(DebugEncoding::Float))
}

fn integer(function: &mut Function) -> DebugTypeId {
    add(function, "i64", 64, DebugTypeKind::Basic(DebugEncoding::Signed))
}

fn member(offset: u64, ty: DebugTypeId) -> DebugMember {
    DebugMember { name: None, offset, ty }
}

#[test]
fn basic_types_are_what_they_are_called() {
    assert_eq!(in_rust(|f| float(f, 64)), "{[-1]:Pointer, [-1,0]:Float@double}");
    assert_eq!(in_rust(|f| float(f, 32)), "{[-1]:Pointer, [-1,0]:Float@float}");
    assert_eq!(in_rust(|f| float(f, 16)), "{[-1]:Pointer, [-1,0]:Float@half}");
    assert_eq!(in_rust(integer), "{[-1]:Pointer, [-1,0]:Integer}");
    let other = DebugTypeKind::Basic(DebugEncoding::Other(99));
    assert_eq!(in_rust(|f| add(f, "?", 64, other)), "{}");
    assert_eq!(in_rust(|f| add(f, "()", 0, DebugTypeKind::Structure { members: Vec::new() })), "{}");
}

#[test]
fn it_is_looked_at_only_where_it_was_asked_for() {
    assert_eq!(known(SourceLanguage::Rust, Options::default(), |f| float(f, 64)), "{}");
    assert_eq!(known(SourceLanguage::Cpp, rust(), |f| float(f, 64)), "{}");
}

#[test]
fn members_of_structures_lie_at_their_offsets() {
    let structure = |f: &mut Function| {
        let (double, number) = (float(f, 64), integer(f));
        let members = vec![member(0, number), member(64, double)];
        add(f, "S", 128, DebugTypeKind::Structure { members })
    };
    assert_eq!(in_rust(structure), "{[-1]:Pointer, [-1,0]:Integer, [-1,8]:Float@double}");
}

#[test]
fn members_of_unions_count_where_they_agree() {
    let union = |agrees: bool| {
        move |f: &mut Function| {
            let double = float(f, 64);
            let other = if agrees { double } else { integer(f) };
            let members = vec![member(0, double), member(0, other)];
            add(f, "U", 64, DebugTypeKind::Union { members })
        }
    };
    assert_eq!(in_rust(union(true)), "{[-1]:Pointer, [-1,0]:Float@double}");
    assert_eq!(in_rust(union(false)), "{}");
}

#[test]
fn arrays_repeat_their_element() {
    let array = |count: Option<u64>| {
        move |f: &mut Function| {
            let element = float(f, 64);
            let bits = 64 * count.unwrap_or(1);
            add(f, "[f64]", bits, DebugTypeKind::Array { element, counts: vec![count] })
        }
    };
    assert_eq!(in_rust(array(Some(2))), "{[-1]:Pointer, [-1,0]:Float@double, [-1,8]:Float@double}");
    assert_eq!(in_rust(array(None)), "{}");
    // Elements beyond the limit are not looked at.
    let large = in_rust(array(Some(1 << 40)));
    assert_eq!(large.matches("Float@double").count(), 63);
}

#[test]
fn references_to_numbers_are_to_any_number_of_them() {
    let reference = |f: &mut Function| {
        let double = float(f, 64);
        add(f, "&f64", 64, DebugTypeKind::Pointer { pointee: Some(double) })
    };
    assert_eq!(in_rust(reference), "{[-1]:Pointer, [-1,0]:Pointer, [-1,0,-1]:Float@double}");
}

#[test]
fn a_pointer_to_bytes_is_one_to_anything() {
    let bytes = |f: &mut Function| {
        let byte = add(f, "u8", 8, DebugTypeKind::Basic(DebugEncoding::Unsigned));
        add(f, "*mut u8", 64, DebugTypeKind::Pointer { pointee: Some(byte) })
    };
    assert_eq!(in_rust(bytes), "{}");
}

#[test]
fn of_an_enumeration_with_data_only_the_discriminant_is_known() {
    let variants = |f: &mut Function| {
        let (tag, double) = (integer(f), float(f, 64));
        let kind = DebugTypeKind::Variants {
            discriminant: Some(member(0, tag)),
            variants: vec![member(64, double), member(64, tag)],
        };
        add(f, "Option", 128, kind)
    };
    assert_eq!(in_rust(variants), "{[-1]:Pointer, [-1,0]:Integer}");
}

#[test]
fn a_list_that_leads_back_to_itself_comes_to_an_end() {
    let list = |f: &mut Function| {
        let double = float(f, 64);
        let node = add(f, "Node", 128, DebugTypeKind::Opaque);
        let next = add(f, "&Node", 64, DebugTypeKind::Pointer { pointee: Some(node) });
        f.debug_types[node].kind =
            DebugTypeKind::Structure { members: vec![member(0, double), member(64, next)] };
        node
    };
    let tree = in_rust(list);
    assert!(
        tree.starts_with("{[-1]:Pointer, [-1,0]:Float@double, [-1,8]:Pointer, [-1,8,0]:Float@double"),
        "{tree}"
    );
}
