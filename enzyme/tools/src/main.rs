//! `enzyme-opt`: looks at LLVM IR as EnzymeRS sees it.

mod explain;
mod sources;

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Result, anyhow, bail};
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
    #[arg(long, conflicts_with = "explain")]
    print_model: bool,
    /// Print the plans of gradients; short for `--explain plan`
    #[arg(long, conflicts_with_all = ["explain", "print_model"])]
    print_plan: bool,
    /// Print what an analysis says of each value, and why
    #[arg(long, value_name = "ANALYSIS")]
    explain: Option<explain::Topic>,
    /// Write the explanation to this file, as one page for a browser
    #[arg(long, value_name = "FILE.html", requires = "explain")]
    html: Option<PathBuf>,
    /// Only this function
    #[arg(long, short, value_name = "NAME")]
    function: Option<String>,
    /// Options of the engine, as the plugin takes them: `-- -enzyme-strict-aliasing=0`
    #[arg(last = true, value_name = "OPTIONS")]
    options: Vec<String>,
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
    enzyme_llvm::options::parse("enzyme-opt", &arguments.options).map_err(|message| anyhow!(message))?;
    let is_standard_input = arguments.file.as_os_str() == "-";
    let file = if is_standard_input { Path::new("/dev/stdin") } else { &arguments.file };
    let function = arguments.function.as_deref();
    let plan = arguments.print_plan.then_some(explain::Topic::Plan);
    if let Some(topic) = arguments.explain.or(plan) {
        return explain::explain(&explain::Request {
            topic,
            file,
            function,
            page: arguments.html.as_deref(),
        });
    }
    if !arguments.print_model {
        bail!(
            "nothing to do; `--print-model` prints the model of {0}, `--explain types` and `--explain activity` what \
             the analyses say of it, `--explain plan` what its gradient keeps",
            arguments.file.display()
        );
    }
    let text = match function {
        Some(name) => enzyme_llvm::read_function_of_file(file, name)?.to_string(),
        None => enzyme_llvm::read_file(file)?.to_string(),
    };
    print(&text)
}

/// Writes to the standard output. Who closes it early has seen enough.
fn print(text: &str) -> Result<()> {
    match io::stdout().lock().write_all(text.as_bytes()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        result => Ok(result?),
    }
}
