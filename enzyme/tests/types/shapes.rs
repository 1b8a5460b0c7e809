//! Programs of every size, for tests and measurements of cost.

use std::fmt::Write as _;

/// A family of programs: its name, and the program of a size. The first function is the one to analyse.
pub(crate) type Family = (&'static str, fn(usize) -> String);

/// Functions whose numbers of instructions grow with the size.
pub(crate) const FUNCTIONS: [Family; 11] = [
    ("many fields of one structure", wide),
    ("a chain that is known at its start", chain_down),
    ("a chain that is known at its end", chain_up),
    ("loops, one after the other", loops),
    ("a web of phis", phi_web),
    ("one phi of many values", big_phi),
    ("a large switch", big_switch),
    ("one value with many users", many_users),
    ("one global with many addresses", many_addresses),
    ("many globals", many_globals),
    ("structures of 500 bytes in loops", structures_in_loops),
];

/// Tables of constants by their size in bytes.
pub(crate) const TABLES: [Family; 3] =
    [("table of i8", bytes), ("table of double", doubles), ("table of structures", structures)];

/// Calls by their depth.
pub(crate) const CALLS: [Family; 3] = [
    ("a chain of calls", call_chain),
    ("a tree of calls in two contexts each", call_tree),
    ("a circle of calls", call_circle),
];

fn function(parameters: &str, body: &str) -> String {
    format!("define void @f({parameters}) {{\nentry:\n{body}  ret void\n}}\n")
}

fn wide(size: usize) -> String {
    let mut body = String::new();
    for index in 0..size / 3 {
        let _ = writeln!(body, "  %p{index} = getelementptr inbounds i8, ptr %p, i64 {}", index * 8);
        let _ = writeln!(body, "  %x{index} = load double, ptr %p{index}");
        let _ = writeln!(body, "  %y{index} = fneg double %x{index}");
    }
    function("ptr %p", &body)
}

fn chain_down(size: usize) -> String {
    let mut body = String::from("  %y = fneg double %x\n  %v0 = bitcast double %x to i64\n");
    for index in 1..size {
        let _ = writeln!(body, "  %v{index} = freeze i64 %v{}", index - 1);
    }
    function("double %x", &body)
}

fn chain_up(size: usize) -> String {
    let mut body = String::from("  %v0 = freeze i64 %x\n");
    for index in 1..size {
        let _ = writeln!(body, "  %v{index} = freeze i64 %v{}", index - 1);
    }
    let _ = writeln!(body, "  %y = bitcast i64 %v{} to double\n  %z = fneg double %y", size - 1);
    function("i64 %x", &body)
}

/// Loops of eight instructions with two phis, each of which goes on where the one before ended.
fn loops(size: usize) -> String {
    let mut body = String::from("  br label %loop0\n");
    for index in 0..size / 8 {
        let (from, start) = match index.checked_sub(1) {
            Some(before) => (format!("loop{before}"), format!("%next{before}")),
            None => ("entry".to_owned(), "%start".to_owned()),
        };
        let _ = writeln!(
            body,
            "loop{index}:
  %i{index} = phi i64 [ 0, %{from} ], [ %next_i{index}, %loop{index} ]
  %a{index} = phi i64 [ {start}, %{from} ], [ %next{index}, %loop{index} ]
  %p{index} = getelementptr inbounds double, ptr %p, i64 %i{index}
  %x{index} = load double, ptr %p{index}
  %next{index} = add i64 %a{index}, %i{index}
  %next_i{index} = add i64 %i{index}, 1
  %c{index} = icmp ult i64 %next_i{index}, %n
  br i1 %c{index}, label %loop{index}, label %loop{}",
            index + 1
        );
    }
    let _ = writeln!(body, "loop{}:", size / 8);
    function("ptr %p, i64 %n, i64 %start", &body)
}

/// Blocks of two phis each of which takes both of the block before.
fn phi_web(size: usize) -> String {
    let mut body = String::from("  %y = fneg double %x\n  br label %b0\n");
    for index in 0..size / 3 {
        let _ = writeln!(body, "b{index}:");
        let (left, right) = match index.checked_sub(1) {
            Some(before) => (format!("%l{before}"), format!("%r{before}")),
            None => ("%x".to_owned(), "0.0".to_owned()),
        };
        let from = index.checked_sub(1).map_or("entry".to_owned(), |before| format!("b{before}"));
        let back = format!("b{index}");
        let _ = writeln!(body, "  %l{index} = phi double [ {left}, %{from} ], [ %r{index}, %{back} ]");
        let _ = writeln!(body, "  %r{index} = phi double [ {right}, %{from} ], [ %l{index}, %{back} ]");
        let _ = writeln!(body, "  br i1 %c, label %b{index}, label %b{}", index + 1);
    }
    let _ = writeln!(body, "b{}:", size / 3);
    function("double %x, i1 %c", &body)
}

fn big_phi(size: usize) -> String {
    let (mut cases, mut blocks, mut values) = (String::new(), String::new(), Vec::new());
    for index in 0..size / 3 {
        let _ = write!(cases, " i32 {index}, label %b{index}");
        let _ = writeln!(
            blocks,
            "b{index}:\n  %p{index} = getelementptr inbounds double, ptr %p, i64 {index}\n  %x{index} = load double, \
             ptr %p{index}\n  br label %join"
        );
        values.push(format!("[ %x{index}, %b{index} ]"));
    }
    let body = format!(
        "  switch i32 %n, label %join [{cases} ]\n{blocks}join:\n  %x = phi double [ 0.0, %entry ], {}\n  %y = fneg double \
         %x\n",
        values.join(", ")
    );
    function("ptr %p, i32 %n", &body)
}

fn big_switch(size: usize) -> String {
    let (mut cases, mut blocks) = (String::new(), String::new());
    for index in 0..size / 4 {
        let _ = write!(cases, " i32 {index}, label %b{index}");
        let _ = writeln!(
            blocks,
            "b{index}:\n  %x{index} = load double, ptr %p\n  %y{index} = fadd double %x{index}, 1.0\n  store double \
             %y{index}, ptr %p\n  br label %exit"
        );
    }
    let body = format!("  switch i32 %n, label %exit [{cases} ]\n{blocks}exit:\n");
    function("ptr %p, i32 %n", &body)
}

/// Half of the users are sums that are compared, half of them sums that are stored.
fn many_users(size: usize) -> String {
    let mut body = String::from("  %x = zext i1 %c to i64\n");
    for index in 0..size / 2 {
        let _ = writeln!(body, "  %s{index} = add i64 %x, {}", 5000 + index);
        let _ = match index % 2 {
            0 => writeln!(body, "  %c{index} = icmp eq i64 %s{index}, 3"),
            _ => writeln!(body, "  store i64 %s{index}, ptr %p"),
        };
    }
    function("i1 %c, ptr %p", &body)
}

fn many_addresses(size: usize) -> String {
    let mut body = String::new();
    for index in 0..size / 2 {
        let address = format!("ptr getelementptr inbounds (i8, ptr @g, i64 {})", index * 8);
        let _ = writeln!(body, "  %x{index} = load double, {address}\n  %y{index} = fneg double %x{index}");
    }
    format!("@g = global [{size} x double] zeroinitializer\n{}", function("", &body))
}

fn many_globals(size: usize) -> String {
    let (mut globals, mut body) = (String::new(), String::new());
    for index in 0..size / 3 {
        let next = (index + 1) % (size / 3);
        let _ = writeln!(globals, "@g{index} = constant {{ double, ptr }} {{ double 1.0, ptr @g{next} }}");
        let _ = writeln!(
            body,
            "  %x{index} = load double, ptr @g{index}\n  %y{index} = fneg double %x{index}\n  %z{index} = fadd double \
             %y{index}, 1.0"
        );
    }
    format!("{globals}{}", function("", &body))
}

/// Loops over structures of 62 fields, of which each trip touches some.
fn structures_in_loops(size: usize) -> String {
    let fields = vec!["double"; 62].join(", ");
    let mut body = String::from("  br label %loop0\n");
    for index in 0..size / 8 {
        let from = index.checked_sub(1).map_or("entry".to_owned(), |before| format!("loop{before}"));
        let field = index * 7 % 62;
        let _ = writeln!(
            body,
            "loop{index}:
  %i{index} = phi i64 [ 0, %{from} ], [ %next{index}, %loop{index} ]
  %p{index} = getelementptr inbounds {{ {fields} }}, ptr %p, i64 %i{index}, i32 {field}
  %x{index} = load double, ptr %p{index}
  %y{index} = fadd double %x{index}, 1.0
  store double %y{index}, ptr %p{index}
  %next{index} = add i64 %i{index}, 1
  %c{index} = icmp ult i64 %next{index}, 100
  br i1 %c{index}, label %loop{index}, label %loop{}",
            index + 1
        );
    }
    let _ = writeln!(body, "loop{}:", size / 8);
    function("ptr %p", &body)
}

fn table(global: &str) -> String {
    let body = "  %q = getelementptr inbounds double, ptr @table, i64 %i\n  %x = load double, ptr %q\n  %y = fneg double %x\n";
    format!("@table = constant {global}\n{}", function("i64 %i", body))
}

fn bytes(size: usize) -> String {
    table(&format!("[{size} x i8] c\"{}\"", "A".repeat(size)))
}

fn doubles(size: usize) -> String {
    let count = size / 8;
    table(&format!("[{count} x double] [{}]", vec!["double 1.5"; count].join(", ")))
}

fn structures(size: usize) -> String {
    let count = size / 16;
    table(&format!(
        "[{count} x {{ double, double }}] [{}]",
        vec!["{ double, double } { double 1.5, double 0.0 }"; count].join(", ")
    ))
}

/// Each function hands its pointer to the next; the last one uses it.
fn call_chain(depth: usize) -> String {
    let mut text = String::new();
    for index in 0..depth {
        let name = if index == 0 { "f".to_owned() } else { format!("f{index}") };
        let _ = writeln!(
            text,
            "define void @{name}(ptr %p) {{\n  call void @f{}(ptr %p)\n  ret void\n}}",
            index + 1
        );
    }
    let _ = writeln!(
        text,
        "define void @f{depth}(ptr %p) {{\n  %x = load double, ptr %p\n  %y = fneg double %x\n  ret void\n}}"
    );
    text
}

/// Each function calls the next twice, for values of different types.
fn call_tree(depth: usize) -> String {
    let mut text = String::new();
    for index in 0..depth {
        let name = if index == 0 { "f".to_owned() } else { format!("f{index}") };
        let next = index + 1;
        let _ = writeln!(
            text,
            "define void @{name}(i64 %a, i64 %b) {{\n  call void @f{next}(i64 %a, i64 %b)\n  call void @f{next}(i64 %b, i64 \
             %a)\n  ret void\n}}"
        );
    }
    let _ = writeln!(text, "define void @f{depth}(i64 %a, i64 %b) {{\n  ret void\n}}");
    let start = "define void @start(double %x, i32 %n) {
  %y = fneg double %x
  %a = bitcast double %x to i64
  %b = sext i32 %n to i64
  call void @f(i64 %a, i64 %b)
  ret void
}
";
    format!("{start}{text}")
}

fn call_circle(depth: usize) -> String {
    let mut text = String::new();
    for index in 0..depth {
        let name = if index == 0 { "f".to_owned() } else { format!("f{index}") };
        let next = if index + 1 == depth { "f".to_owned() } else { format!("f{}", index + 1) };
        let _ = writeln!(
            text,
            "define void @{name}(ptr %p, i64 %n, i1 %c) {{\nentry:\n  br i1 %c, label %on, label %out\non:\n  call void \
             @{next}(ptr %p, i64 %n, i1 %c)\n  br label %out\nout:"
        );
        if index + 1 == depth {
            text += "  %x = load double, ptr %p\n  %y = fneg double %x\n  store i64 %n, ptr %p\n";
        }
        text += "  ret void\n}\n";
    }
    text
}
