//! `enzyme-opt --print-model`: what it prints is understood by the model's parser and by LLVM.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use enzyme::model::{Function, Module};

const SAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/sample.ll");

fn enzyme_opt(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_enzyme-opt")).args(arguments).output().expect("enzyme-opt runs")
}

fn printed(arguments: &[&str]) -> String {
    let output = enzyme_opt(arguments);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// The error of a run that must fail.
fn failed(arguments: &[&str]) -> String {
    let output = enzyme_opt(arguments);
    assert_eq!(output.status.code(), Some(1));
    assert!(output.stdout.is_empty());
    String::from_utf8(output.stderr).expect("UTF-8")
}

/// Has LLVM's own verifier look at a text.
fn verify_with_llvm(text: &str) {
    let opt = Path::new(env!("ENZYME_LLVM_PROGRAMS")).join("opt");
    let mut command = Command::new(&opt);
    command.args(["-passes=verify", "-disable-output", "-"]).stdin(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap_or_else(|error| panic!("{}: {error}", opt.display()));
    child.stdin.take().expect("a pipe").write_all(text.as_bytes()).expect("opt reads");
    let output = child.wait_with_output().expect("opt ends");
    let errors = String::from_utf8_lossy(&output.stderr);
    // LLVM 15 and 16 know opaque pointers by themselves; broken debug information is only a warning.
    assert!(output.status.success() && errors.is_empty(), "{errors}\n{text}");
}

#[test]
fn a_module() {
    let text = printed(&["--print-model", SAMPLE]);
    let module = Module::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(module.to_string(), text);
    let names: Vec<&str> = module.functions.iter().map(|function| function.name.as_str()).collect();
    assert_eq!(names, ["polynomial", "interpreter", "exceptions"]);
    for function in &module.functions {
        assert_eq!(function.verify(), Ok(()));
    }
    verify_with_llvm(&text);
    // What LLVM was given says the same as what it read.
    let source = std::fs::read_to_string(SAMPLE).expect("the sample");
    let source = Module::parse(&source).expect("the sample parses");
    for (read, written) in module.functions.iter().zip(&source.functions) {
        let opcodes = |function: &Function| -> Vec<_> {
            function.insts_in_order().map(|inst| function.insts[inst].opcode.mnemonic()).collect()
        };
        assert_eq!(opcodes(read), opcodes(written));
    }
}

#[test]
fn one_function() {
    let text = printed(&["--print-model", SAMPLE, "-f", "interpreter"]);
    let function = Function::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(function.name, "interpreter");
    assert!(text.contains("blockaddress(@interpreter, %two)"), "{text}");
    assert!(!text.contains("@polynomial"), "{text}");
    verify_with_llvm(&text);
}

#[test]
fn debug_locations_survive() {
    let text = printed(&["--print-model", SAMPLE, "--function", "polynomial"]);
    let function = Function::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let location = function.insts_in_order().find_map(|inst| function.insts[inst].location.clone());
    assert_eq!(location.map(|location| location.to_string()), Some("sample.c:3:15".to_owned()));
}

#[test]
fn errors() {
    let missing = failed(&["--print-model", "no-such-file.ll"]);
    assert!(missing.starts_with("error: no-such-file.ll: "), "{missing}");
    let unknown = failed(&["--print-model", SAMPLE, "-f", "nothing"]);
    let help = "those that have one are polynomial, interpreter, exceptions";
    assert_eq!(unknown, format!("error: there is no function `nothing` with a body; {help}\n"));
    let declared = failed(&["--print-model", SAMPLE, "-f", "printf"]);
    assert_eq!(declared, format!("error: there is no function `printf` with a body; {help}\n"));
    let no_ir = failed(&["--print-model", concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml")]);
    assert!(no_ir.contains("expected top-level entity"), "{no_ir}");
    let idle = failed(&[SAMPLE]);
    assert!(idle.contains("`--print-model`") && idle.contains("`--explain types`"), "{idle}");
}
