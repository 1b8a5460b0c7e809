//! Type-based alias analysis: the names of scalar types in several languages, paths through structures, copies of
//! structures.

use crate::support::check;

/// A load of a pointer's width through which nothing else is known, with this metadata.
fn load(ty: &str, metadata: &str) -> String {
    format!("define void @f(ptr %p) {{\n  %x = load {ty}, ptr %p, !tbaa !0\n  ret void\n}}\n{metadata}")
}

/// A load of a scalar whose type has this name, as a struct path names it.
fn load_of(ty: &str, name: &str) -> String {
    load(ty, &format!("!0 = !{{!1, !1, i64 0}}\n!1 = !{{!\"{name}\", !2, i64 0}}\n{CHAR}"))
}

const CHAR: &str = "!2 = !{!\"omnipotent char\", !3, i64 0}\n!3 = !{!\"Simple C/C++ TBAA\"}\n";

#[test]
fn scalars_of_c_are_known_by_name() {
    let x = |name: &str, ty: &str, tree: &str| check(&load_of(ty, name), &format!("%x: {tree}"));
    for name in ["int", "long", "long long", "short", "bool", "__int128", "wchar_t", "char16_t", "char32_t"] {
        x(name, "i32", "{[-1]:Integer}");
    }
    for name in ["any pointer", "vtable pointer", "p1 int", "p2 double", "p1 _ZTS4node", "p12 void"] {
        x(name, "i64", "{[-1]:Pointer}");
    }
    x("float", "i32", "{[-1]:Float@float}");
    x("double", "i64", "{[-1]:Float@double}");
    x("_Float16", "i16", "{[-1]:Float@half}");
    x("__bf16", "i16", "{[-1]:Float@bf16}");
    x("__float128", "i128", "{[-1]:Float@fp128}");
}

#[test]
fn julia_and_fortran_have_names_of_their_own() {
    let x = |name: &str, ty: &str, tree: &str| check(&load_of(ty, name), &format!("%x: {tree}"));
    for name in ["jtbaa_arraysize", "jtbaa_arraylen", "jtbaa_arrayflags", "integer", "logical"] {
        x(name, "i64", "{[-1]:Integer}");
    }
    for name in ["jtbaa_arrayptr", "jtbaa_tag"] {
        x(name, "i64", "{[-1]:Pointer}");
    }
}

#[test]
fn a_character_may_be_anything() {
    check(&load("i64", &format!("!0 = !{{!2, !2, i64 0}}\n{CHAR}")), "%x: {}\n%p: {[-1]:Pointer}");
    for name in ["some enumeration", "pint", "p int", "p1", "doubles"] {
        check(&load_of("i64", name), "%x: {}\n%p: {[-1]:Pointer}");
    }
}

#[test]
fn the_pointer_learns_where_the_scalar_lies() {
    check(&load_of("i64", "double"), "%p: {[-1]:Pointer, [-1,0]:Float@double}");
    check(
        &load_of("i32", "int"),
        "%p: {[-1]:Pointer, [-1,0]:Integer, [-1,1]:Integer, [-1,2]:Integer, [-1,3]:Integer}",
    );
}

#[test]
fn a_store_is_of_the_named_type() {
    check(
        "define void @f(ptr %p, i64 %x) {
           store i64 %x, ptr %p, !tbaa !0
           ret void
         }
         !0 = !{!1, !1, i64 0}
         !1 = !{!\"double\", !2, i64 0}
         !2 = !{!\"omnipotent char\", !3, i64 0}
         !3 = !{!\"Simple C/C++ TBAA\"}",
        "%x: {[-1]:Float@double}\n%p: {[-1]:Pointer, [-1,0]:Float@double}",
    );
}

#[test]
fn a_path_through_a_structure_says_the_scalar_at_its_end() {
    check(
        &load(
            "i64",
            "!0 = !{!4, !1, i64 8}
             !1 = !{!\"double\", !2, i64 0}
             !2 = !{!\"omnipotent char\", !3, i64 0}
             !3 = !{!\"Simple C++ TBAA\"}
             !4 = !{!\"_ZTS4pair\", !5, i64 0, !1, i64 8}
             !5 = !{!\"long\", !2, i64 0}",
        ),
        "%x: {[-1]:Float@double}\n%p: {[-1]:Pointer, [-1,0]:Float@double}",
    );
}

#[test]
fn tags_from_before_struct_paths_are_the_types() {
    check(&load("i64", "!0 = !{!\"double\", !1, i64 0}\n!1 = !{!\"root\"}"), "%x: {[-1]:Float@double}");
}

#[test]
fn nodes_with_sizes_name_their_types_third() {
    check(
        &load(
            "i64",
            "!0 = !{!1, !2, i64 8, i64 8}
             !1 = !{!3, i64 16, !\"pair\", !4, i64 0, i64 8, !2, i64 8, i64 8}
             !2 = !{!3, i64 8, !\"double\"}
             !3 = !{!5, i64 1, !\"omnipotent char\"}
             !4 = !{!3, i64 8, !\"long\"}
             !5 = !{!\"root\"}",
        ),
        "%x: {[-1]:Float@double}",
    );
    // The whole structure.
    check(
        &load(
            "i128",
            "!0 = !{!1, !1, i64 0, i64 16}
             !1 = !{!3, i64 16, !\"pair\", !4, i64 0, i64 8, !2, i64 8, i64 8}
             !2 = !{!3, i64 8, !\"double\"}
             !3 = !{!5, i64 1, !\"omnipotent char\"}
             !4 = !{!3, i64 8, !\"any pointer\"}
             !5 = !{!\"root\"}",
        ),
        "%x: {[0]:Pointer, [8]:Float@double}",
    );
}

#[test]
fn a_copy_of_a_structure_says_its_fields() {
    check(
        "define void @f(ptr %p, ptr %q) {
           call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %q, i64 16, i1 false), !tbaa.struct !0
           ret void
         }
         !0 = !{i64 0, i64 8, !1, i64 8, i64 8, !2}
         !1 = !{!4, !4, i64 0}
         !2 = !{!5, !5, i64 0}
         !3 = !{!\"omnipotent char\", !6, i64 0}
         !4 = !{!\"double\", !3, i64 0}
         !5 = !{!\"any pointer\", !3, i64 0}
         !6 = !{!\"Simple C/C++ TBAA\"}",
        "%p: {[-1]:Pointer, [-1,0]:Float@double, [-1,8]:Pointer}
         %q: {[-1]:Pointer, [-1,0]:Float@double, [-1,8]:Pointer}",
    );
}

#[test]
fn a_type_that_contains_itself_comes_to_an_end() {
    check(&load("i64", "!0 = !{!1, !1, i64 0}\n!1 = !{!\"loop\", !1, i64 0}"), "%x: {}\n%p: {[-1]:Pointer}");
}

#[test]
fn types_that_contain_types_twice_cost_what_they_are_long() {
    // Each of the nodes has the next one twice: 2^60 ways to the last.
    let mut metadata = String::from("!0 = !{!1, !1, i64 0, i64 8}\n");
    for node in 1..60 {
        let next = node + 1;
        metadata += &format!(
            "!{node} = !{{!90, i64 8, !\"s{node}\", !{next}, i64 0, i64 4, !{next}, i64 4, i64 4}}\n"
        );
    }
    metadata +=
        "!60 = !{!90, i64 4, !\"float\"}\n!90 = !{!91, i64 1, !\"omnipotent char\"}\n!91 = !{!\"root\"}";
    check(&load("i32", &metadata), "%x: {[-1]:Float@float}");
}
