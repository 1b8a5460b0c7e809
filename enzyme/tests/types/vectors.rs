//! Vectors, structures and arrays taken apart and put together.

use crate::support::check_body;

#[test]
fn an_element_is_what_the_vector_is() {
    check_body(
        "<2 x double> %v, i32 %i",
        "  %w = fneg <2 x double> %v
           %a = extractelement <2 x double> %v, i32 1
           %b = extractelement <2 x double> %v, i32 %i",
        "%a: {[-1]:Float@double}\n%b: {[-1]:Float@double}\n%i: {[-1]:Integer}",
    );
}

#[test]
fn an_element_tells_its_place_in_the_vector() {
    check_body(
        "<2 x double> %v",
        "  %a = extractelement <2 x double> %v, i32 1\n  %b = fneg double %a",
        "%v: {[8]:Float@double}",
    );
    check_body(
        "<2 x double> %v, i32 %i",
        "  %a = extractelement <2 x double> %v, i32 %i\n  %b = fneg double %a",
        "%v: {}",
    );
}

#[test]
fn a_vector_is_what_was_put_in() {
    check_body(
        "double %x, double %y",
        "  %a = fneg double %x
           %b = fneg double %y
           %one = insertelement <2 x double> undef, double %x, i32 0
           %both = insertelement <2 x double> %one, double %y, i32 1",
        "%one: {[0]:Float@double, [8]:Anything, [9]:Anything, [10]:Anything, [11]:Anything, [12]:Anything, \
         [13]:Anything, [14]:Anything, [15]:Anything}\n%both: {[-1]:Float@double}",
    );
    check_body(
        "double %x, <2 x double> %v",
        "  %a = fneg double %x\n  %w = insertelement <2 x double> %v, double %x, i32 0",
        "%w: {[0]:Float@double}\n%v: {}",
    );
}

#[test]
fn the_place_that_is_overwritten_says_nothing_of_the_old_vector() {
    check_body(
        "double %x, <2 x double> %v",
        "  %w = insertelement <2 x double> %v, double %x, i32 0\n  %n = fneg <2 x double> %w",
        "%v: {[8]:Float@double}\n%x: {[-1]:Float@double}",
    );
}

#[test]
fn an_unknown_place_keeps_what_both_agree_on() {
    check_body(
        "double %x, <2 x double> %v, <2 x double> %u, i32 %i",
        "  %a = fneg double %x
           %b = fneg <2 x double> %v
           %w = insertelement <2 x double> %v, double %x, i32 %i
           %z = insertelement <2 x double> %u, double %x, i32 %i",
        "%w: {[-1]:Float@double}\n%z: {}",
    );
}

#[test]
fn truth_values_in_vectors_are_integers() {
    check_body(
        "<4 x i1> %v, i1 %c",
        "  %w = insertelement <4 x i1> %v, i1 %c, i32 2",
        "%v: {[-1]:Integer}\n%w: {[-1]:Integer}",
    );
}

#[test]
fn a_shuffle_moves_lanes_both_ways() {
    check_body(
        "<2 x double> %v, <2 x double> %w",
        "  %n = fneg <2 x double> %v
           %s = shufflevector <2 x double> %v, <2 x double> %w, <2 x i32> <i32 1, i32 2>",
        "%s: {[0]:Float@double}\n%w: {}",
    );
    check_body(
        "<2 x double> %v, <2 x double> %w",
        "  %s = shufflevector <2 x double> %v, <2 x double> %w, <2 x i32> <i32 1, i32 2>
           %n = fneg <2 x double> %s",
        "%v: {[8]:Float@double}\n%w: {[0]:Float@double}",
    );
    check_body(
        "<2 x double> %v",
        "  %s = shufflevector <2 x double> %v, <2 x double> undef, <2 x i32> <i32 poison, i32 poison>",
        "%s: {[-1]:Anything}\n%v: {}",
    );
}

#[test]
fn a_part_of_a_structure_is_at_its_offset() {
    check_body(
        "{ double, { i32, ptr } } %s",
        "  %p = extractvalue { double, { i32, ptr } } %s, 1, 1
           %x = load float, ptr %p
           %y = fneg float %x
           %d = extractvalue { double, { i32, ptr } } %s, 0",
        "%s: {[16]:Pointer, [16,0]:Float@float}\n%d: {}",
    );
}

#[test]
fn a_structure_is_what_its_parts_are() {
    check_body(
        "double %x, i32 %n",
        "  %a = fneg double %x
           %b = sext i32 %n to i64
           %one = insertvalue { double, i32 } undef, double %x, 0
           %both = insertvalue { double, i32 } %one, i32 %n, 1
           %y = extractvalue { double, i32 } %both, 0
           %m = extractvalue { double, i32 } %both, 1",
        "%y: {[-1]:Float@double}\n%m: {[-1]:Integer}",
    );
}

#[test]
fn a_use_of_a_structure_tells_the_parts_that_it_was_made_of() {
    check_body(
        "double %x, i32 %n",
        "  %one = insertvalue { double, i32 } undef, double %x, 0
           %both = insertvalue { double, i32 } %one, i32 %n, 1
           %y = extractvalue { double, i32 } %both, 0
           %z = fneg double %y",
        "%x: {[-1]:Float@double}\n%n: {}",
    );
}

#[test]
fn arrays_in_registers_are_structures() {
    check_body(
        "[2 x double] %a, double %x",
        "  %n = fneg double %x
           %b = insertvalue [2 x double] %a, double %x, 1
           %c = extractvalue [2 x double] %b, 1
           %d = extractvalue [2 x double] %b, 0",
        "%b: {[8]:Float@double}\n%c: {[-1]:Float@double}\n%d: {}",
    );
}
