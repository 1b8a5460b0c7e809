//! Questions about pairs of pointers and of instructions.

use enzyme::memory::{Alias, Instances, Location, ObjectId, Region};

use crate::probe::{probe, probe_body};

#[test]
fn the_same_bytes_parts_of_them_and_others() {
    probe_body(
        "ptr %p",
        "  %a = alloca [4 x i64]
  %b = getelementptr i64, ptr %a, i64 1
  %c = getelementptr i8, ptr %a, i64 4
  %again = getelementptr i64, ptr %b, i64 -1
",
        |probe| {
            assert_eq!(probe.alias("a", "again"), Alias::Must);
            assert_eq!(probe.alias("a", "b"), Alias::No);
            assert_eq!(probe.alias("a", "c"), Alias::Partial);
            let sized = |first, second| {
                let (a, b) = (probe.value("a"), probe.value("b"));
                probe.memory.alias(probe.function, a, first, b, second)
            };
            assert_eq!(sized(None, Some(8)), Alias::May);
            assert_eq!(sized(Some(8), None), Alias::No, "any number of bytes, from there on");
            assert_eq!(sized(Some(16), Some(8)), Alias::Partial);
        },
    );
}

#[test]
fn memory_allocated_in_a_loop_is_many() {
    probe(
        "define void @f(i1 %c, i64 %n) {
entry:
  %one = call ptr @malloc(i64 8)
  br label %loop
loop:
  %last = phi ptr [ %one, %entry ], [ %new, %loop ]
  %new = call ptr @malloc(i64 16)
  %high = getelementptr i8, ptr %new, i64 8
  %slot = getelementptr i8, ptr %last, i64 8
  br i1 %c, label %loop, label %end
end:
  ret void
}
declare ptr @malloc(i64)",
        |probe| {
            assert_eq!(probe.instances("one"), Instances::One);
            assert_eq!(probe.instances("new"), Instances::Many);
            assert_eq!(probe.alias("last", "new"), Alias::May, "not the same, though the same site");
            assert_eq!(probe.alias("new", "new"), Alias::Must, "but one pointer is one pointer");
            assert_eq!(probe.alias("high", "last"), Alias::No, "upper and lower halves of whatever");
            assert_eq!(probe.alias("slot", "high"), Alias::May);
        },
    );
}

#[test]
fn pointers_without_places_may_be_anything_that_escaped() {
    probe_body(
        "ptr %p",
        "  %a = alloca ptr\n  %n = load ptr, ptr %a\n  %x = load double, ptr %n\n",
        |probe| {
            assert_eq!(probe.points_to("n"), "");
            assert_eq!(probe.reads("x"), "outside+?");
            assert_eq!(probe.alias("n", "p"), Alias::May);
        },
    );
}

#[test]
fn stores_overwrite_what_they_may_reach() {
    probe_body(
        "ptr %p, ptr %q, ptr noalias %r, i64 %i",
        "  %x = load double, ptr %p
  %y = load double, ptr %r
  store double 0.0, ptr %q
  store double 0.0, ptr %r
  %p1 = getelementptr double, ptr %p, i64 1
  store double 0.0, ptr %p1
  %ri = getelementptr double, ptr %r, i64 %i
  store double 0.0, ptr %ri
",
        |probe| {
            assert!(probe.overwrites("store 0", "x"));
            assert!(!probe.overwrites("store 0", "y"));
            assert!(!probe.overwrites("store 1", "x"));
            assert!(probe.overwrites("store 1", "y"));
            assert!(!probe.overwrites("store 2", "x"), "other bytes of one object");
            assert!(probe.overwrites("store 3", "y"));
            assert!(!probe.overwrites("x", "y"), "loads write nothing");
        },
    );
}

#[test]
fn bytes_apart_now_are_not_bytes_apart_later() {
    probe(
        "define void @f(ptr %p, i1 %c) {
entry:
  br label %loop
loop:
  %walk = phi ptr [ %p, %entry ], [ %next, %loop ]
  %next = getelementptr double, ptr %walk, i64 1
  %x = load double, ptr %walk
  store double 0.0, ptr %next
  br i1 %c, label %loop, label %end
end:
  ret void
}",
        |probe| {
            assert_eq!(probe.alias("walk", "next"), Alias::No);
            assert!(probe.overwrites("store 0", "x"), "the next round reads what this one writes");
        },
    );
}

#[test]
fn an_access_larger_than_an_object_is_elsewhere() {
    probe(
        "@small = global i32 0
define void @f(ptr %p) {
  %x = load i32, ptr @small
  store i64 0, ptr %p
  store i32 0, ptr %p
  ret void
}",
        |probe| {
            assert!(!probe.overwrites("store 0", "x"));
            assert!(probe.overwrites("store 1", "x"));
        },
    );
}

#[test]
fn regions_can_be_asked_for_by_hand() {
    probe_body("ptr %p", "  %a = alloca [2 x double]\n  store double 0.0, ptr %a\n", |probe| {
        let object = probe.memory.points_to(probe.function, probe.value("a")).single().unwrap().object;
        let at = |offset| Region { location: Location { object, offset: Some(offset) }, size: Some(8) };
        let outside = Region { location: Location::anywhere(ObjectId::OUTSIDE), size: None };
        let write = probe.inst("store 0");
        assert!(probe.memory.may_write_any(probe.function, write, &[at(8), at(4)]));
        assert!(!probe.memory.may_write_any(probe.function, write, &[at(8), outside]));
        assert!(probe.memory.may_share(probe.function, object, object));
        assert!(!probe.memory.may_share(probe.function, object, ObjectId::OUTSIDE));
        let (a, p) = (probe.value("a"), probe.value("p"));
        assert!(!probe.memory.may_share_object(probe.function, a, p));
        assert!(probe.memory.may_share_object(probe.function, p, p));
    });
}

#[test]
fn sets_of_many_objects_become_sets_of_one() {
    let mut body = String::from("  %table = alloca [40 x ptr]\n");
    for index in 0..40 {
        body += &format!(
            "  %x{index} = alloca double
  %slot{index} = getelementptr ptr, ptr %table, i64 {index}
  store ptr %x{index}, ptr %slot{index}\n"
        );
    }
    body += "  %any = getelementptr ptr, ptr %table, i64 %i
  %l = load ptr, ptr %any
  %m = load ptr, ptr %slot3
  store double 0.0, ptr %l
  %x = load double, ptr %x7
  %apart = alloca double
  %y = load double, ptr %apart
";
    probe_body("i64 %i", &body, |probe| {
        let places = probe.memory.points_to(probe.function, probe.value("l")).len();
        assert!(places <= 16, "{places} places");
        for index in 0..40 {
            assert_eq!(probe.alias("l", &format!("x{index}")), Alias::May);
        }
        assert_eq!(probe.alias("m", "x3"), Alias::May);
        assert!(probe.overwrites("store 40", "x"));
        assert_eq!(probe.alias("l", "apart"), Alias::No);
        assert!(!probe.overwrites("store 40", "y"));
    });
}

#[test]
fn sets_of_many_shared_objects_become_outside() {
    let mut text = String::new();
    for index in 0..20 {
        text += &format!("@g{index} = global double 0.0\n");
    }
    text += "define void @f(i64 %i, ptr %p) {\n  %table = alloca [21 x ptr]\n";
    for index in 0..20 {
        text += &format!(
            "  %slot{index} = getelementptr ptr, ptr %table, i64 {index}\n  store ptr @g{index}, ptr %slot{index}\n"
        );
    }
    text += "  %own = alloca double
  store ptr %own, ptr %table
  store ptr %p, ptr %table
  %any = getelementptr ptr, ptr %table, i64 %i
  %l = load ptr, ptr %any
  store double 0.0, ptr %l
  ret void
}";
    probe(&text, |probe| {
        let places = probe.points_to("l");
        assert!(places.starts_with("outside+?") && places.ends_with("stack own+?"), "{places}");
        assert!(!places.contains("@g3"), "{places}");
        assert_eq!(probe.alias("l", "p"), Alias::May);
        let summary = probe.memory.summary(probe.function).expect("it has a summary");
        let roots: Vec<String> = summary.writes.iter().map(|span| format!("{:?}", span.place.root)).collect();
        assert!(roots.contains(&"Parameter(1)".to_owned()), "what was given up is not forgotten: {roots:?}");
        assert!(roots.contains(&"Outside".to_owned()), "{roots:?}");
    });
}
