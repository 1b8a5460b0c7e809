//! What debug information says of the types of variables.

use enzyme::model::{
    DebugDeclaration, DebugEncoding, DebugMember, DebugType, DebugTypeId, DebugTypeKind, Function,
    SourceLanguage,
};

use super::Parsed;

const DEBUG_TYPES: &str = include_str!("debug_types.ll");

fn read(name: &str) -> Function {
    Parsed::new(DEBUG_TYPES).read(name).model
}

fn declaration<'a>(function: &'a Function, variable: &str) -> &'a DebugDeclaration {
    let found = function
        .debug_declarations
        .iter()
        .find(|declaration| declaration.variable.as_deref() == Some(variable));
    found.unwrap_or_else(|| panic!("no variable {variable}"))
}

fn type_of<'a>(function: &'a Function, variable: &str) -> &'a DebugType {
    &function.debug_types[declaration(function, variable).ty]
}

fn members(ty: &DebugType) -> &[DebugMember] {
    match &ty.kind {
        DebugTypeKind::Structure { members } | DebugTypeKind::Union { members } => members,
        other => panic!("{other:?} has no members"),
    }
}

fn pointee(ty: &DebugType) -> Option<DebugTypeId> {
    match ty.kind {
        DebugTypeKind::Pointer { pointee } => pointee,
        ref other => panic!("{other:?} is no pointer"),
    }
}

fn described(members: &[DebugMember]) -> Vec<(Option<&str>, u64)> {
    members.iter().map(|member| (member.name.as_deref(), member.offset)).collect()
}

#[test]
fn variables_at_plain_addresses_are_declared() {
    let function = read("variables");
    let declared: Vec<_> = function
        .debug_declarations
        .iter()
        .map(|declaration| {
            let location = declaration.location.as_ref().map(ToString::to_string);
            (function.display_name(declaration.address), declaration.variable.as_deref(), location)
        })
        .collect();
    assert_eq!(
        declared,
        [
            ("%local".to_owned(), Some("x"), Some("src/lib.rs:4:0".to_owned())),
            ("%argument".to_owned(), Some("list"), Some("src/lib.rs:3:0".to_owned())),
        ]
    );
    assert_eq!(function.debug_declarations[0].language, SourceLanguage::Rust);
    assert_eq!(read("parts").debug_declarations[0].language, SourceLanguage::Cpp);
}

#[test]
fn basic_types_have_a_name_a_size_and_a_meaning() {
    let function = read("variables");
    let float = type_of(&function, "x");
    assert_eq!(float.name.as_deref(), Some("f64"));
    assert_eq!(float.bytes(), Some(8));
    assert_eq!(float.kind, DebugTypeKind::Basic(DebugEncoding::Float));
}

#[test]
fn a_list_leads_back_to_itself_through_other_names() {
    let function = read("variables");
    let head = declaration(&function, "list").ty;
    let node = &function.debug_types[pointee(&function.debug_types[head]).expect("a pointee")];
    assert_eq!((node.name.as_deref(), node.bits, node.alignment), (Some("Node"), 512, 64));
    let members = members(node);
    // What is static lies elsewhere.
    assert_eq!(
        described(members),
        [
            (Some("next"), 384),
            (Some("grid"), 0),
            (Some("text"), 448),
            (Some("code"), 448),
            (Some("anything"), 448)
        ]
    );
    assert_eq!(members[0].byte_offset(), Some(48));
    assert_eq!(members[0].ty, head);

    let grid = &function.debug_types[members[1].ty];
    let DebugTypeKind::Array { element, counts } = &grid.kind else { panic!("{grid:?}") };
    assert_eq!(function.debug_types[*element].name.as_deref(), Some("f64"));
    assert_eq!(*counts, [Some(2), Some(3)]);

    let text = pointee(&function.debug_types[members[2].ty]).expect("a pointee");
    assert_eq!(function.debug_types[text].kind, DebugTypeKind::Basic(DebugEncoding::Character));
    let code = pointee(&function.debug_types[members[3].ty]).expect("a pointee");
    assert_eq!(function.debug_types[code].kind, DebugTypeKind::Function);
    assert_eq!(pointee(&function.debug_types[members[4].ty]), None);
}

#[test]
fn unions_and_enumerations() {
    let function = read("parts");
    let either = type_of(&function, "either");
    assert!(matches!(either.kind, DebugTypeKind::Union { .. }));
    assert_eq!(described(members(either)), [(Some("real"), 0), (Some("colour"), 0)]);
    let colour = &function.debug_types[members(either)[1].ty];
    let DebugTypeKind::Enumeration { values: Some(values) } = colour.kind else { panic!("{colour:?}") };
    assert_eq!(function.debug_types[values].kind, DebugTypeKind::Basic(DebugEncoding::Unsigned));
}

#[test]
fn variants_tell_what_tells_them_apart() {
    let function = read("parts");
    let option = type_of(&function, "option");
    let variants = &function.debug_types[members(option)[0].ty];
    let DebugTypeKind::Variants { discriminant: Some(discriminant), variants } = &variants.kind else {
        panic!("{variants:?}")
    };
    assert_eq!(function.debug_types[discriminant.ty].name.as_deref(), Some("u64"));
    assert_eq!(described(variants), [(Some("None"), 0), (Some("Some"), 0)]);
    let some = &function.debug_types[variants[1].ty];
    assert_eq!(described(members(some)), [(Some("__0"), 64)]);
}

#[test]
fn classes_hold_their_bases_and_fields_of_bits() {
    let function = read("parts");
    let derived = type_of(&function, "derived");
    assert_eq!(described(members(derived)), [(None, 64), (Some("flag"), 129)]);
    assert_eq!(members(derived)[1].byte_offset(), None);
    let base = &function.debug_types[members(derived)[0].ty];
    assert_eq!((base.name.as_deref(), members(base).len()), (Some("Base"), 0));
}

#[test]
fn what_lies_many_pointers_away_is_not_read() {
    let function = read("parts");
    let mut ty = type_of(&function, "chain");
    let mut pointers = 0;
    while ty.kind != DebugTypeKind::Opaque {
        ty = &function.debug_types[pointee(ty).expect("a pointee")];
        pointers += 1;
    }
    assert_eq!(pointers, 9);
}

#[test]
fn declarations_follow_their_values_when_those_are_renumbered() {
    let function = read("variables");
    let renumbered = function.renumbered();
    assert_eq!(renumbered, function);
    let names = |function: &Function| -> Vec<String> {
        let declarations = function.debug_declarations.iter();
        declarations.map(|declaration| function.display_name(declaration.address)).collect()
    };
    assert_eq!(names(&renumbered), names(&function));
    assert_eq!(renumbered.debug_types, function.debug_types);
}
