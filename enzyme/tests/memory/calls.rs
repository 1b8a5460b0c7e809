//! Calls of functions without a body, and through pointers.

use enzyme::memory::Escape;

use crate::probe::{probe, probe_body};

/// Looks at a call of a declared function with a frame's memory, among other things.
fn probe_call(declaration: &str, call: &str, look: impl FnOnce(crate::probe::Probe<'_>)) {
    let text = format!(
        "@variable = global double 0.0
define void @f(ptr %p, ptr noalias %r) {{
  %a = alloca ptr
  %inner = alloca double
  %apart = alloca double
  store ptr %inner, ptr %a
  {call}
  %la = load i64, ptr %a
  %linner = load double, ptr %inner
  %lapart = load double, ptr %apart
  %lp = load double, ptr %p
  %lr = load double, ptr %r
  %lv = load double, ptr @variable
  %pointer = load ptr, ptr %a
  ret void
}}
{declaration}"
    );
    probe(&text, look);
}

impl crate::probe::Probe<'_> {
    /// Which of the loads of [`probe_call`] the first call may overwrite.
    fn overwritten(&self) -> String {
        let loads = ["la", "linner", "lapart", "lp", "lr", "lv"];
        loads.into_iter().filter(|load| self.overwrites("call 0", load)).collect::<Vec<_>>().join(" ")
    }
}

#[test]
fn an_unknown_function_may_do_anything_to_what_it_can_reach() {
    probe_call("declare ptr @g(ptr)", "%x = call ptr @g(ptr %a)", |probe| {
        assert_eq!(probe.overwritten(), "la linner lp lv");
        assert_eq!(probe.escape("a"), Escape::Yes);
        assert_eq!(probe.escape("inner"), Escape::Yes);
        assert_eq!(probe.escape("apart"), Escape::No);
        assert_eq!(probe.points_to("x"), "outside+?");
        assert!(probe.memory.hidden(probe.function, probe.inst("call 0")).writes());
    });
}

#[test]
fn what_is_not_captured_does_not_escape_but_what_it_holds_may() {
    for spelling in ["nocapture", "captures(none)"] {
        let declaration = format!("declare void @g(ptr {spelling})");
        probe_call(&declaration, "call void @g(ptr %a)", |probe| {
            assert_eq!(probe.escape("a"), Escape::No);
            assert_eq!(probe.escape("inner"), Escape::Yes);
            assert_eq!(probe.overwritten(), "la linner lp lv");
            assert_eq!(probe.points_to("pointer"), "outside+? stack inner+0");
        });
    }
}

#[test]
fn attributes_of_arguments_are_believed_at_the_call_too() {
    probe_call("declare void @g(ptr)", "call void @g(ptr nocapture readonly %a)", |probe| {
        assert_eq!(probe.escape("a"), Escape::No);
        assert_eq!(probe.overwritten(), "linner lp lv");
    });
    probe_call("declare void @g(ptr nocapture readnone)", "call void @g(ptr %a)", |probe| {
        assert_eq!(probe.escape("inner"), Escape::No);
        assert_eq!(probe.overwritten(), "lp lv");
    });
    probe_call("declare void @g(ptr nocapture writeonly)", "call void @g(ptr %a)", |probe| {
        assert_eq!(probe.escape("inner"), Escape::No, "it is not read from there");
        assert_eq!(probe.overwritten(), "la lp lv");
        assert!(!probe.reads("call 0").contains("stack a"));
    });
}

#[test]
fn pure_functions_touch_nothing() {
    for spelling in ["readnone", "memory(none)"] {
        let declaration = format!("declare ptr @g(ptr) nounwind {spelling}");
        probe_call(&declaration, "%x = call ptr @g(ptr %a)", |probe| {
            assert_eq!(probe.reads("call 0"), "");
            assert_eq!(probe.writes("call 0"), "");
            assert_eq!(probe.escape("a"), Escape::No);
            assert_eq!(probe.points_to("x"), "outside+? stack a+?", "it may give its argument back");
        });
    }
}

#[test]
fn readers_write_nothing_and_read_whatever_is_reached() {
    for spelling in ["readonly", "memory(read)"] {
        let declaration = format!("declare ptr @g(ptr) nounwind {spelling}");
        probe_call(&declaration, "%x = call ptr @g(ptr %a)", |probe| {
            assert_eq!(probe.writes("call 0"), "");
            assert_eq!(probe.reads("call 0"), "outside+? errno+0:4 stack a+? stack inner+?");
            assert_eq!(probe.escape("inner"), Escape::No);
            assert_eq!(probe.points_to("x"), "outside+? stack a+? stack inner+0");
        });
    }
    // An exception may carry the pointer out.
    probe_call("declare void @g(ptr) readonly", "call void @g(ptr %a)", |probe| {
        assert_eq!(probe.escape("a"), Escape::Yes);
        assert_eq!(probe.overwritten(), "");
    });
}

#[test]
fn functions_of_their_arguments_touch_nothing_else() {
    for spelling in ["argmemonly", "memory(argmem: readwrite)"] {
        let declaration = format!("declare void @g(ptr nocapture) nounwind {spelling}");
        probe_call(&declaration, "call void @g(ptr %a)", |probe| {
            assert_eq!(probe.overwritten(), "la", "what is loaded from there is not an argument");
            assert_eq!(probe.writes("call 0"), "stack a+?");
        });
    }
    for spelling in ["argmemonly readonly", "memory(argmem: read)"] {
        let declaration = format!("declare void @g(ptr nocapture) nounwind {spelling}");
        probe_call(&declaration, "call void @g(ptr %a)", |probe| {
            assert_eq!(probe.reads("call 0"), "stack a+?");
            assert_eq!(probe.writes("call 0"), "");
        });
    }
}

#[test]
fn hidden_memory_is_told_from_the_program_s() {
    for spelling in ["inaccessiblememonly", "memory(inaccessiblemem: readwrite)"] {
        let declaration = format!("declare void @g(ptr nocapture) nounwind {spelling}");
        probe_call(&declaration, "call void @g(ptr %a)", |probe| {
            assert_eq!(probe.reads("call 0"), "");
            assert_eq!(probe.writes("call 0"), "");
            assert!(probe.memory.hidden(probe.function, probe.inst("call 0")).writes());
        });
    }
    for spelling in ["inaccessiblemem_or_argmemonly", "memory(argmem: readwrite, inaccessiblemem: readwrite)"]
    {
        let declaration = format!("declare void @g(ptr nocapture) nounwind {spelling}");
        probe_call(&declaration, "call void @g(ptr %a)", |probe| {
            assert_eq!(probe.writes("call 0"), "stack a+?")
        });
    }
}

#[test]
fn the_memory_of_a_call_can_be_told_at_the_call() {
    probe_call("declare void @g(ptr)", "call void @g(ptr nocapture %a) nounwind memory(read)", |probe| {
        assert_eq!(probe.writes("call 0"), "");
        assert_eq!(probe.escape("a"), Escape::No);
    });
}

#[test]
fn results_are_new_or_given_back_as_attributes_say() {
    probe_call("declare noalias ptr @g(ptr nocapture)", "%x = call ptr @g(ptr %p)", |probe| {
        assert_eq!(probe.points_to("x"), "heap x+0");
        assert_eq!(probe.escape("x"), Escape::No);
    });
    probe_call("declare ptr @g(ptr returned)", "%x = call ptr @g(ptr %r)", |probe| {
        assert_eq!(probe.points_to("x"), "*r+0");
    });
    probe_call(
        "declare ptr @g(ptr captures(ret: address, provenance))",
        "%x = call ptr @g(ptr %r)",
        |probe| {
            assert_eq!(probe.points_to("x"), "outside+? *r+?");
            assert_eq!(probe.escape("r"), Escape::No);
        },
    );
    probe_call("declare double @g(ptr nocapture)", "%x = call double @g(ptr %a)", |probe| {
        assert_eq!(probe.points_to("x"), "", "a float is a number");
    });
}

#[test]
fn allocators_and_their_opposites_are_told_by_attributes() {
    for attribute in ["allockind(\"alloc,zeroed\") allocsize(0)", "\"enzyme_allocator\"=\"0\""] {
        let declaration = format!("declare ptr @g(i64) {attribute}");
        probe_call(&declaration, "%x = call ptr @g(i64 40)", |probe| {
            assert_eq!(probe.points_to("x"), "heap x+0");
        });
    }
    probe_call("declare ptr @g(i64) \"enzyme_allocator\"=\"0\"", "%x = call ptr @g(i64 40)", |probe| {
        assert_eq!(probe.size("x"), Some(40));
    });
    for attribute in ["allockind(\"free\")", "\"enzyme_frees\"=\"0\""] {
        let declaration = format!("declare void @g(ptr) {attribute}");
        probe_call(&declaration, "call void @g(ptr %a)", |probe| {
            assert_eq!(probe.overwritten(), "la");
            assert_eq!(probe.escape("a"), Escape::No);
        });
    }
}

#[test]
fn a_copied_argument_is_read_and_kept() {
    probe_call("declare void @g(ptr byval(ptr))", "call void @g(ptr byval(ptr) %a)", |probe| {
        assert_eq!(probe.escape("a"), Escape::No);
        assert_eq!(probe.escape("inner"), Escape::Yes);
        assert_eq!(probe.overwritten(), "linner lp lv");
        assert!(probe.reads("call 0").contains("stack a"));
    });
}

#[test]
fn bundles_hand_pointers_over_unless_they_only_say_something() {
    probe_call("declare void @g() memory(none)", "call void @g() [ \"deopt\"(ptr %a) ]", |probe| {
        assert_eq!(probe.escape("a"), Escape::Yes);
        assert_eq!(probe.reads("call 0"), "stack a+?");
    });
    probe_call(
        "declare void @llvm.assume(i1)",
        "call void @llvm.assume(i1 true) [ \"align\"(ptr %a, i64 16) ]",
        |probe| {
            assert_eq!(probe.escape("a"), Escape::No);
            assert_eq!(probe.reads("call 0"), "");
        },
    );
}

#[test]
fn assembler_may_do_what_its_clobbers_say() {
    probe_call("", "call void asm sideeffect \"nop\", \"r,~{memory}\"(ptr %a)", |probe| {
        assert_eq!(probe.overwritten(), "la linner lp lv");
        assert_eq!(probe.escape("a"), Escape::Yes);
    });
    probe_call("", "%x = call i64 asm \"bswap $0\", \"=r,0\"(i64 1)", |probe| {
        assert_eq!(probe.overwritten(), "");
    });
    probe_call("", "%x = call i64 asm \"mov $0, $1\", \"=r,r\"(ptr %a)", |probe| {
        assert_eq!(probe.overwritten(), "la");
    });
}

// Calls through pointers.

#[test]
fn a_call_through_a_known_pointer_does_what_the_function_does() {
    probe(
        "@table = internal constant [2 x ptr] [ptr @set, ptr @get]
define void @f(ptr %p, i1 %c, ptr %unknown) {
  %a = alloca double
  %x = load double, ptr %a
  %y = load double, ptr %p
  %slot = alloca ptr
  store ptr @set, ptr %slot
  %loaded = load ptr, ptr %slot
  call void %loaded(ptr %a)
  %second = load ptr, ptr getelementptr ([2 x ptr], ptr @table, i64 0, i64 1)
  call void %second(ptr %a)
  %either = select i1 %c, ptr @set, ptr @get
  call void %either(ptr %a)
  call void %unknown()
  ret void
}
define internal void @set(ptr %q) {
  store double 1.0, ptr %q
  ret void
}
define internal void @get(ptr %q) {
  %x = load double, ptr %q
  ret void
}",
        |probe| {
            assert_eq!(probe.writes("call 0"), "stack a+0:8");
            assert_eq!(probe.writes("call 1"), "");
            assert_eq!(probe.reads("call 1"), "stack a+0:8");
            assert_eq!(probe.writes("call 2"), "stack a+0:8");
            assert_eq!(probe.reads("call 2"), "stack a+0:8");
            assert_eq!(probe.writes("call 3"), "outside+? errno+0:4");
            assert_eq!(probe.escape("a"), Escape::No);
            assert!(probe.overwrites("call 3", "y"));
            assert!(!probe.overwrites("call 3", "x"));
        },
    );
}

#[test]
fn a_call_through_a_pointer_that_may_be_anything_hands_all_out() {
    probe(
        "define void @f(ptr %p, i1 %c) {
  %a = alloca double
  %x = load double, ptr %a
  %g = load ptr, ptr %p
  %either = select i1 %c, ptr %g, ptr @nothing
  call void %either(ptr %a)
  ret void
}
define internal void @nothing(ptr %q) {
  ret void
}",
        |probe| {
            assert_eq!(probe.escape("a"), Escape::Yes);
            assert!(probe.overwrites("call 0", "x"));
        },
    );
}

#[test]
fn a_call_through_nothing_may_do_anything() {
    probe_body("ptr %p", "  %x = load double, ptr %p\n  call void null()\n", |probe| {
        assert_eq!(probe.writes("call 0"), "outside+?");
        assert!(probe.overwrites("call 0", "x"));
    });
}
