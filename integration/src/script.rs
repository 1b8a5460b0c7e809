//! A test's `RUN:` lines as one shell script.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fmt::Write;
use std::path::Path;

use crate::directive::{Directives, Line};
use crate::substitution::{SubstitutionError, Substitutions};

/// The expanded commands of one test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Script {
    commands: Vec<Command>,
}

/// One expanded `RUN:` line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Command {
    /// The line in the test file.
    pub line: usize,
    /// What the shell gets.
    pub text: String,
}

/// What a script may use up before the system stops it, whatever becomes of the harness.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// CPU seconds of any one process.
    pub cpu_seconds: u64,
    /// Address space of any one process, in KiB.
    pub memory: Option<u64>,
}

/// What surrounds a script's commands.
#[derive(Debug, Clone, Copy)]
pub struct Setting<'case> {
    /// Where they run.
    pub folder: &'case Path,
    /// Variables that they see.
    pub variables: &'case [(&'static str, OsString)],
    /// Where the number of the line at hand is noted.
    pub line_file: &'case Path,
    /// Where the programs that are started are listed.
    pub trace_file: &'case Path,
    /// What they may use up.
    pub limits: Limits,
}

impl Script {
    /// Expands the lines of a test. `DEFINE:` and `REDEFINE:` hold from where they stand.
    pub fn expand(directives: &Directives, table: &Substitutions) -> Result<Self, SubstitutionError> {
        let mut table = table.clone();
        let mut commands = Vec::new();
        for line in &directives.lines {
            match line {
                Line::Define { name, value } => table.define(name, value)?,
                Line::Redefine { name, value } => table.redefine(name, value)?,
                Line::Run { number, command } => {
                    commands.push(Command { line: *number, text: table.expand(command)? });
                }
            }
        }
        Ok(Self { commands })
    }

    /// The command that starts at a line of the test file.
    pub fn command_at(&self, line: usize) -> Option<&Command> {
        self.commands.iter().find(|command| command.line == line)
    }

    /// The script's text, for bash. It stops at the first command that fails, notes the line it is at in
    /// `line_file`, and writes every program it starts to `trace_file`. It can be run again by hand.
    pub fn text(&self, setting: &Setting<'_>) -> String {
        let Setting { line_file, trace_file, limits, .. } = setting;
        let mut text = format!("ulimit -c 0\nulimit -t {}\n", limits.cpu_seconds);
        for (name, value) in setting.variables {
            let _ = writeln!(text, "export {name}='{}'", value.to_string_lossy());
        }
        let _ = writeln!(text, "cd '{}' || exit", setting.folder.display());
        if let Some(memory) = limits.memory {
            let _ = writeln!(text, "ulimit -v {memory}");
        }
        let _ =
            write!(text, "set -o pipefail\nexec 9>'{}'\nBASH_XTRACEFD=9\nPS4='+ '\n", trace_file.display());
        for command in &self.commands {
            let Command { line, text: command } = command;
            let line_file = line_file.display();
            let _ = write!(
                text,
                "\n# RUN: at line {line}\necho {line} >'{line_file}'\n\
                 set -x\n{{ {command}\n}} || exit $?\nset +x\n",
            );
        }
        text
    }
}

/// Whether a trace shows that anything was started besides the tests of `if [ … ]`.
pub fn ran_anything(trace: &str) -> bool {
    let idle: BTreeSet<&str> = ["[", "'['", "[[", "test", ":", "true", "set", "exit"].into();
    let programs = trace.lines().filter_map(|line| {
        let command = line.trim_start_matches('+').strip_prefix(' ')?;
        line.starts_with('+').then(|| command.split(' ').next())?
    });
    programs.into_iter().any(|program| !idle.contains(program))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::substitution::Unknown;

    #[test]
    fn definitions_hold_from_where_they_stand() {
        let text = "# DEFINE: %{n} = 1\n# RUN: a %{n}\n# REDEFINE: %{n} = 2\n# RUN: a %{n}\n";
        let directives = Directives::parse(text).expect("readable directives");
        let script = Script::expand(&directives, &Substitutions::new(Unknown::Reject)).expect("known names");
        assert_eq!(script.command_at(2).map(|command| command.text.as_str()), Some("a 1"));
        assert_eq!(script.command_at(4).map(|command| command.text.as_str()), Some("a 2"));
    }

    #[test]
    fn conditions_alone_are_no_run() {
        assert!(!ran_anything("+ '[' 22 -lt 16 ']'\n+ set +x\n+ [[ -n x ]]\n"));
        assert!(ran_anything("+ '[' 22 -lt 16 ']'\n+ /usr/bin/opt -S\n"));
        assert!(ran_anything("++ date\n"));
        assert!(!ran_anything(""));
    }
}
