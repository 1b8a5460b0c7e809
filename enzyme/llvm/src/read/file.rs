//! Reads a file of LLVM IR into the model, for tools.

use std::path::Path;
use std::ptr::null_mut;

use enzyme::model;
use enzyme::program::Program;
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::*;

use enzyme::explain::Explanation;

use super::program::{UnreadableFunction, read_program};
use super::read_function;
use crate::driver::explain_plans;
use crate::ir::{Function, Module, c_name, llvm, take_message};
use crate::options::Options;

/// Why a file cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReadFileError {
    /// There is no such file, or LLVM does not understand what is in it.
    #[error("{0}")]
    NotIr(String),
    /// No function with a body has this name.
    #[error("there is no function `{name}` with a body; {}", choice(.others))]
    NoFunction {
        /// The name.
        name: String,
        /// The names of functions that have one.
        others: Vec<String>,
    },
    /// LLVM understands a function, but the model does not.
    #[error("cannot read `{function}`: {reason}")]
    Unreadable {
        /// The function.
        function: String,
        /// What is not understood.
        reason: String,
    },
}

/// Reads all functions with a body from a file of LLVM IR, text or bitcode.
pub fn read_file(path: &Path) -> Result<model::Module, ReadFileError> {
    let file = File::parse(path)?;
    let models = file.functions().map(read).collect::<Result<_, _>>()?;
    Ok(model::Module::of_functions(models))
}

/// Reads one function from a file of LLVM IR, text or bitcode.
pub fn read_function_of_file(path: &Path, name: &str) -> Result<model::Function, ReadFileError> {
    let file = File::parse(path)?;
    read(file.function(name)?)
}

/// Reads a function and all that it leads to from a file of LLVM IR, text or bitcode; without a name, all functions
/// with a body.
pub fn read_program_of_file(path: &Path, name: Option<&str>) -> Result<Program, ReadFileError> {
    let file = File::parse(path)?;
    let roots = match name {
        Some(name) => vec![file.function(name)?],
        None => file.functions().collect(),
    };
    match read_program(file.module(), roots) {
        Ok(read) => Ok(read.program),
        Err(UnreadableFunction { name: function, reason }) => {
            Err(ReadFileError::Unreadable { function, reason: reason.to_string() })
        }
    }
}

/// Explains the reverse-mode plan of a function of a file of LLVM IR, text or bitcode; without a name, of all functions with
/// a body. Why some have no plan is said in sentences.
///
/// # Errors
/// When the file cannot be read, or has no such function.
pub fn explain_plans_of_file(
    path: &Path,
    name: Option<&str>,
    options: &Options,
) -> Result<(Vec<Explanation>, Vec<String>), ReadFileError> {
    let file = File::parse(path)?;
    let wanted = name.map(|name| file.function(name)).transpose()?;
    let (plans, errors) =
        explain_plans(file.module(), |function| wanted.is_none_or(|wanted| wanted == function), options);
    Ok((plans, errors.iter().map(ToString::to_string).collect()))
}

/// Which functions there are, for somebody who named one that there is not.
fn choice(names: &[String]) -> String {
    const SHOWN: usize = 12;
    let shown: Vec<&str> = names.iter().take(SHOWN).map(String::as_str).collect();
    match names.len() {
        0 => "the file has none that has".to_owned(),
        count if count > SHOWN => format!("the first of {count} are {}", shown.join(", ")),
        _ => format!("those that have one are {}", shown.join(", ")),
    }
}

fn read(function: Function) -> Result<model::Function, ReadFileError> {
    match read_function(function.0) {
        Ok(read) => Ok(read.model),
        Err(error) => Err(ReadFileError::Unreadable { function: function.name(), reason: error.to_string() }),
    }
}

/// A module in a context of its own.
struct File {
    context: LLVMContextRef,
    module: LLVMModuleRef,
}

impl File {
    // LLVM 22 has a newer function for it, the others only this one.
    #[allow(deprecated)]
    fn parse(path: &Path) -> Result<File, ReadFileError> {
        let name = c_name(&path.to_string_lossy());
        let (mut buffer, mut message) = (null_mut(), null_mut());
        let missing =
            llvm!(LLVMCreateMemoryBufferWithContentsOfFile(name.as_ptr(), &raw mut buffer, &raw mut message));
        if missing != 0 {
            return Err(ReadFileError::NotIr(format!("{}: {}", path.display(), take_message(message))));
        }
        let mut file = File { context: llvm!(LLVMContextCreate()), module: null_mut() };
        // Parsing takes the buffer over.
        let failed = llvm!(inkwell::llvm_sys::ir_reader::LLVMParseIRInContext(
            file.context,
            buffer,
            &raw mut file.module,
            &raw mut message
        ));
        if failed != 0 {
            file.module = null_mut();
            return Err(ReadFileError::NotIr(take_message(message).trim_end().to_owned()));
        }
        Ok(file)
    }

    fn module(&self) -> Module {
        // SAFETY: the module lives as long as this file, and no handle leaves it.
        unsafe { Module::from_raw(self.module) }
    }

    /// The functions with a body.
    fn functions(&self) -> impl Iterator<Item = Function> {
        self.module().functions().filter(|function| !function.is_declaration())
    }

    fn function(&self, name: &str) -> Result<Function, ReadFileError> {
        let found = self.module().function(name).filter(|function| !function.is_declaration());
        found.ok_or_else(|| ReadFileError::NoFunction {
            name: name.to_owned(),
            others: self.functions().map(|function| function.name()).collect(),
        })
    }
}

impl Drop for File {
    fn drop(&mut self) {
        if !self.module.is_null() {
            llvm!(LLVMDisposeModule(self.module));
        }
        llvm!(LLVMContextDispose(self.context));
    }
}
