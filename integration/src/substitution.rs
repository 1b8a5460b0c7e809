//! `%clang`, `%s`, `%{name}`: what stands for what in a `RUN:` line.

use std::path::{Path, PathBuf};

use crate::artifacts::Artifacts;
use crate::features::has_mpfr;
use crate::llvm::Llvm;

/// How many times names defined by a test may refer to one another.
const NESTING_LIMIT: usize = 16;

/// How a substitution that is the same for all tests speaks of the test's file.
pub const SOURCE: &str = "%{source}";

/// Why a `RUN:` line cannot be expanded.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SubstitutionError {
    /// It stands for something this machine does not have.
    #[error("`{name}`: {reason}")]
    Missing {
        /// The substitution.
        name: String,
        /// What is not there.
        reason: String,
    },
    /// Nobody defined it.
    #[error("`{name}` stands for nothing; write `%%` for a percent sign")]
    Unknown {
        /// The substitution.
        name: String,
    },
    /// Definitions of the test refer to one another in a circle.
    #[error("the definition of `{name}` refers to itself")]
    Circular {
        /// One of the names.
        name: String,
    },
    /// A name is introduced twice.
    #[error("`%{{{name}}}` is defined twice; use `REDEFINE:` to change it")]
    Twice {
        /// The name.
        name: String,
    },
}

/// What to make of a `%word` that stands for nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unknown {
    /// It is a mistake.
    Reject,
    /// It is text.
    Keep,
}

#[derive(Debug, Clone)]
enum Replacement {
    Text(String),
    Missing(String),
}

/// The table of substitutions of one test.
#[derive(Debug, Clone)]
pub struct Substitutions {
    /// Longest name first, so that `%clang++` wins over `%clang`, and that over `%c`.
    entries: Vec<(String, Replacement)>,
    defined: Vec<(String, String)>,
    unknown: Unknown,
}

impl Substitutions {
    /// An empty table.
    pub fn new(unknown: Unknown) -> Self {
        Self { entries: Vec::new(), defined: Vec::new(), unknown }
    }

    /// Adds `name`, written with its `%`, or replaces what it stood for.
    pub fn set(&mut self, name: &str, text: impl Into<String>) {
        self.insert(name, Replacement::Text(text.into()));
    }

    /// Adds a name that cannot be used here, for the reason given.
    pub fn set_missing(&mut self, name: &str, reason: impl Into<String>) {
        self.insert(name, Replacement::Missing(reason.into()));
    }

    /// Adds the path of a program, or a reason why it is not there.
    pub fn set_program(&mut self, name: &str, path: Option<PathBuf>, arguments: &str) {
        match path {
            Some(path) => self.set(name, format!("{}{arguments}", path.display())),
            None => self.set_missing(name, "the program is not installed"),
        }
    }

    /// Introduces a name that the test defines.
    pub fn define(&mut self, name: &str, value: &str) -> Result<(), SubstitutionError> {
        if self.defined.iter().any(|(known, _)| known == name) {
            return Err(SubstitutionError::Twice { name: name.to_owned() });
        }
        self.defined.push((name.to_owned(), value.to_owned()));
        Ok(())
    }

    /// Changes a name that the test has defined.
    pub fn redefine(&mut self, name: &str, value: &str) -> Result<(), SubstitutionError> {
        match self.defined.iter_mut().find(|(known, _)| known == name) {
            Some(entry) => value.clone_into(&mut entry.1),
            None => return Err(SubstitutionError::Unknown { name: format!("%{{{name}}}") }),
        }
        Ok(())
    }

    /// Expands one line.
    pub fn expand(&self, line: &str) -> Result<String, SubstitutionError> {
        let line = self.expand_defined(line)?;
        let mut expanded = String::with_capacity(line.len() * 4);
        let mut rest = line.as_str();
        while let Some(at) = rest.find('%') {
            expanded.push_str(&rest[..at]);
            rest = &rest[at..];
            if let Some(after) = rest.strip_prefix("%%") {
                expanded.push('%');
                rest = after;
                continue;
            }
            let found = self.entries.iter().find(|(name, _)| rest.starts_with(name.as_str()));
            match found {
                Some((name, Replacement::Text(text))) => {
                    expanded.push_str(text);
                    rest = &rest[name.len()..];
                }
                Some((name, Replacement::Missing(reason))) => {
                    return Err(SubstitutionError::Missing { name: name.clone(), reason: reason.clone() });
                }
                None => {
                    self.check_unknown(rest)?;
                    expanded.push('%');
                    rest = &rest[1..];
                }
            }
        }
        expanded.push_str(rest);
        Ok(expanded)
    }

    fn expand_defined(&self, line: &str) -> Result<String, SubstitutionError> {
        let mut line = line.to_owned();
        for _ in 0..NESTING_LIMIT {
            let used = |(name, _): &&(String, String)| line.contains(&format!("%{{{name}}}"));
            let Some((name, value)) = self.defined.iter().find(used) else { return Ok(line) };
            line = line.replace(&format!("%{{{name}}}"), value);
        }
        match self.defined.iter().find(|(name, _)| line.contains(&format!("%{{{name}}}"))) {
            Some((name, _)) => Err(SubstitutionError::Circular { name: format!("%{{{name}}}") }),
            None => Ok(line),
        }
    }

    fn check_unknown(&self, rest: &str) -> Result<(), SubstitutionError> {
        let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '{' | '}');
        let end = rest[1..].find(|c| !is_part(c)).map_or(rest.len(), |end| end + 1);
        let name = &rest[..end];
        if self.unknown == Unknown::Keep || name.len() == 1 {
            return Ok(());
        }
        Err(SubstitutionError::Unknown { name: name.to_owned() })
    }

    /// Puts the test's file where a text that is the same for all tests speaks of it.
    fn resolve_source(&mut self, source: &str) {
        for (_, replacement) in &mut self.entries {
            if let Replacement::Text(text) = replacement
                && text.contains(SOURCE)
            {
                *text = text.replace(SOURCE, source);
            }
        }
    }

    fn insert(&mut self, name: &str, replacement: Replacement) {
        self.entries.retain(|(known, _)| known != name);
        let longer = |(known, _): &(String, Replacement)| known.len() >= name.len();
        let at = self.entries.iter().take_while(|entry| longer(entry)).count();
        self.entries.insert(at, (name.to_owned(), replacement));
    }
}

/// Adds what stands for the test file and its scratch folder.
pub fn add_test_paths(table: &mut Substitutions, source: &Path, scratch: &Path) {
    let folder = source.parent().unwrap_or(source);
    let name = source.file_name().unwrap_or_default().to_string_lossy();
    table.resolve_source(&source.display().to_string());
    table.set("%s", source.display().to_string());
    table.set("%S", folder.display().to_string());
    table.set("%p", folder.display().to_string());
    table.set("%T", scratch.display().to_string());
    table.set("%t", scratch.join(format!("{name}.tmp")).display().to_string());
}

/// Adds the programs of one LLVM, and ours.
pub fn add_programs(table: &mut Substitutions, llvm: &Llvm, artifacts: &Artifacts) {
    for (name, program) in [
        ("%clang", "clang"),
        ("%clang++", "clang++"),
        ("%flang", "flang"),
        ("%FileCheck", "FileCheck"),
        ("%lld", "ld.lld"),
        ("%llvm-link", "llvm-link"),
        ("%not", "not"),
        ("%opt", "opt"),
    ] {
        table.set_program(name, llvm.tool(program), "");
    }
    table.set_program("%lli", llvm.tool("lli"), " --jit-kind=mcjit");
    table.set("%llvmver", llvm.major().to_string());
    let driver = artifacts.tool("enzyme-opt", llvm.major());
    match driver.is_file() {
        true => table.set("%enzyme-opt", driver.display().to_string()),
        false => table.set_missing("%enzyme-opt", "it has not been built"),
    }
    match artifacts.mlir_driver().is_file() {
        true => table.set("%eopt", artifacts.mlir_driver().display().to_string()),
        false => table.set_missing("%eopt", "enzymemlir-opt has not been built"),
    }
}

/// Adds the ways in which our own tests load the plugin.
pub fn add_plugin(table: &mut Substitutions, llvm: &Llvm, artifacts: &Artifacts) {
    let plugin = artifacts.plugin(llvm.major()).display().to_string();
    table.set("%plugin", plugin.clone());
    table.set("%loader", artifacts.loader().display().to_string());
    table.set("%include", artifacts.headers().display().to_string());
    table.set("%enzyme", r#"-passes="enzyme""#);
    table.set("%loadEnzyme", opt_load(llvm, &plugin));
    table.set("%clangEnzyme", clang_load(llvm, &plugin));
    let clang_plugin = artifacts.clang_plugin(llvm.major());
    match clang_plugin.is_file() {
        true => table.set("%clangPlugin", clang_plugin_load(&clang_plugin)),
        false => table.set_missing("%clangPlugin", "it has not been built"),
    }
    table.set("%lldEnzyme", lld_load(&plugin));
}

/// What makes opt load the plugin, with its options. LLVM 15 reads `double*` as a typed pointer unless told.
pub fn opt_load(llvm: &Llvm, plugin: &str) -> String {
    let pointers = if llvm.major() == 15 { " -opaque-pointers=1" } else { "" };
    format!("-load-pass-plugin={plugin} -load={plugin}{pointers}")
}

/// What makes clang load the plugin and accept its options after `-mllvm`. Up to LLVM 19 `-fpass-plugin`
/// loads too late for the options.
pub fn clang_load(llvm: &Llvm, plugin: &str) -> String {
    if llvm.major() >= 22 {
        format!("-fpass-plugin={plugin}")
    } else {
        format!("-fplugin={plugin} -fpass-plugin={plugin}")
    }
}

/// What makes clang load its own plugin, which brings the passes too.
pub fn clang_plugin_load(plugin: &Path) -> String {
    format!("-fplugin={}", plugin.display())
}

/// What makes clang link through lld with the plugin in its link-time pipeline.
pub fn lld_load(plugin: &str) -> String {
    format!("-flto -fuse-ld=lld -Wl,-mllvm,-load={plugin} -Wl,--load-pass-plugin={plugin}")
}

/// Adds the names that Enzyme's own suite uses, so that it and suites like it run as they are.
pub fn add_enzyme_names(table: &mut Substitutions, llvm: &Llvm, artifacts: &Artifacts, suite: &Path) {
    let plugin = artifacts.plugin(llvm.major()).display().to_string();
    let opt = format!("{} --enzyme-attributor=0", opt_load(llvm, &plugin));
    for name in ["%loadEnzyme", "%newLoadEnzyme", "%OPloadEnzyme", "%OPnewLoadEnzyme"] {
        table.set(name, opt.clone());
    }
    let headers = artifacts.headers();
    let include = if headers.is_dir() { format!(" -I{}", headers.display()) } else { String::new() };
    let clang_plugin = artifacts.clang_plugin(llvm.major());
    let load = match clang_plugin.is_file() {
        true => clang_plugin_load(&clang_plugin),
        false => format!("-fpass-plugin={plugin} -Xclang -load -Xclang {plugin}"),
    };
    let clang = format!("{load}{include}");
    table.set("%loadClangEnzyme", clang.clone());
    table.set("%newLoadClangEnzyme", clang);
    table.set("%enzyme", r#"-passes="enzyme""#);
    table.set("%simplifycfg", "simplifycfg");
    table.set("%loopmssa", "loop-mssa");
    table.set("%O0TBAA", "-O1 -Xclang -disable-llvm-passes");
    table.set("%shlibext", ".so");
    table.set("%hasMPFR", if has_mpfr() { "yes" } else { "no" });
    table.set("%loadBC", plugin);
    table.set("%BClibdir", suite.join("../bclib/").display().to_string());
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Substitutions {
        let mut table = Substitutions::new(Unknown::Reject);
        table.set("%s", "/suite/a.c");
        table.set("%clang", "/bin/clang");
        table.set("%clang++", "/bin/clang++");
        table.set("%simplifycfg", "simplifycfg");
        table.set_missing("%flang", "the program is not installed");
        table
    }

    #[test]
    fn the_longest_name_wins() {
        let line = table().expand("%clang++ %clang %s.out %simplifycfg 100%%");
        assert_eq!(line.as_deref(), Ok("/bin/clang++ /bin/clang /suite/a.c.out simplifycfg 100%"));
    }

    #[test]
    fn a_common_text_may_speak_of_the_test() {
        let mut table = table();
        table.set("%compare", format!("compare '{SOURCE}'"));
        add_test_paths(&mut table, Path::new("/suite/b.c"), Path::new("/scratch"));
        let line = table.expand("%compare %s %S %t");
        assert_eq!(line.as_deref(), Ok("compare '/suite/b.c' /suite/b.c /suite /scratch/b.c.tmp"));
    }

    #[test]
    fn missing_and_unknown_names_are_told_apart() {
        let missing = table().expand("%flang -c").expect_err("no flang");
        assert_eq!(missing.to_string(), "`%flang`: the program is not installed");
        let unknown = table().expand("%gcc -c").expect_err("no such name");
        assert_eq!(unknown.to_string(), "`%gcc` stands for nothing; write `%%` for a percent sign");
        assert_eq!(Substitutions::new(Unknown::Keep).expand("%gcc").as_deref(), Ok("%gcc"));
    }

    #[test]
    fn defined_names_may_use_others_and_change() {
        let mut table = table();
        table.define("level", "-O1").expect("a new name");
        table.define("compile", "%clang %{level}").expect("a new name");
        assert_eq!(table.expand("%{compile}").as_deref(), Ok("/bin/clang -O1"));
        table.redefine("level", "-O2").expect("a known name");
        assert_eq!(table.expand("%{compile}").as_deref(), Ok("/bin/clang -O2"));
        assert_eq!(table.define("level", ""), Err(SubstitutionError::Twice { name: "level".into() }));
        let unknown = SubstitutionError::Unknown { name: "%{other}".into() };
        assert_eq!(table.redefine("other", ""), Err(unknown));
    }

    #[test]
    fn a_definition_in_terms_of_itself_is_an_error() {
        let mut table = table();
        table.define("a", "x%{b}").expect("a new name");
        table.define("b", "y%{a}").expect("a new name");
        assert!(matches!(table.expand("%{a}"), Err(SubstitutionError::Circular { .. })));
    }
}
