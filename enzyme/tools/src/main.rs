//! `enzyme-opt`: looks at LLVM IR as EnzymeRS sees it.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Result, bail};
use clap::Parser;
// A tool, unlike the plugin, has to bring its LLVM along.
use enzyme_link as _;

/// Looks at LLVM IR as EnzymeRS sees it
#[derive(Debug, Parser)]
#[command(name = "enzyme-opt", version)]
struct Arguments {
    /// A file of LLVM IR, text (.ll) or bitcode (.bc); `-` is the standard input
    file: PathBuf,
    /// Print the model that functions are read into
    #[arg(long)]
    print_model: bool,
    /// Only this function
    #[arg(long, short, value_name = "NAME")]
    function: Option<String>,
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &Arguments) -> Result<()> {
    if !arguments.print_model {
        bail!("nothing to do; `--print-model` prints the model of {}", arguments.file.display());
    }
    let is_standard_input = arguments.file.as_os_str() == "-";
    let file = if is_standard_input { Path::new("/dev/stdin") } else { &arguments.file };
    let text = match &arguments.function {
        Some(name) => enzyme_llvm::read_function_of_file(file, name)?.to_string(),
        None => enzyme_llvm::read_file(file)?.to_string(),
    };
    match io::stdout().lock().write_all(text.as_bytes()) {
        // Who closes the pipe has seen enough.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        result => Ok(result?),
    }
}
