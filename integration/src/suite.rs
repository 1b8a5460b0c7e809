//! Finding the tests under a folder.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use walkdir::{DirEntry, WalkDir};

use crate::condition::Condition;
use crate::directive::{DirectiveError, Directives};

/// What a test's file name ends in.
const EXTENSIONS: [&str; 9] = ["c", "cpp", "cu", "f90", "ll", "mlir", "rs", "sh", "test"];

/// Folders that hold no tests: what tests include, and what builds leave.
const SKIPPED_FOLDERS: [&str; 3] = ["Inputs", "build", "target"];

/// The file with which a folder configures the tests in and below it.
const FOLDER_SETTINGS: &str = "suite.cfg";

/// One test: a file and what its directives say, or why these cannot be read.
#[derive(Debug, Clone)]
pub struct TestFile {
    /// Its path below the suite's root, with `/`, as it is shown and filtered.
    pub name: String,
    /// Where it is.
    pub path: PathBuf,
    /// Its directives.
    pub directives: Result<Directives, DirectiveError>,
}

/// A suite that cannot be walked.
#[derive(Debug, thiserror::Error)]
pub enum SuiteError {
    /// A folder or file cannot be read.
    #[error("cannot read {path}: {source}")]
    Unreadable {
        /// Which one.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A folder's settings are malformed.
    #[error("{path}:{line}: {problem}")]
    Settings {
        /// The settings file.
        path: PathBuf,
        /// The line in it.
        line: usize,
        /// What is wrong.
        problem: String,
    },
}

/// All tests under a folder, sorted by name. Files without `RUN:` lines are none, unless their folder's
/// settings say that every file is a test: then the lack of one is the test's failure.
pub fn find_tests(root: &Path) -> Result<Vec<TestFile>, SuiteError> {
    let mut tests = Vec::new();
    let walk = WalkDir::new(root).sort_by_file_name().into_iter().filter_entry(|entry| !is_skipped(entry));
    for entry in walk {
        let entry = entry.map_err(|error| SuiteError::Unreadable {
            path: error.path().unwrap_or(root).to_path_buf(),
            source: error.into(),
        })?;
        if entry.file_type().is_file() && has_test_extension(entry.path()) {
            tests.extend(read_test(root, entry.path())?);
        }
    }
    Ok(tests)
}

fn is_skipped(entry: &DirEntry) -> bool {
    let name = entry.file_name().to_string_lossy();
    let hidden = name.starts_with('.') && entry.depth() > 0;
    hidden || (entry.file_type().is_dir() && entry.depth() > 0 && SKIPPED_FOLDERS.contains(&name.as_ref()))
}

fn has_test_extension(path: &Path) -> bool {
    path.extension().is_some_and(|extension| EXTENSIONS.iter().any(|known| extension == *known))
}

fn read_test(root: &Path, path: &Path) -> Result<Option<TestFile>, SuiteError> {
    let text = read(path)?;
    let settings = Settings::of(root, path)?;
    let mut directives = Directives::parse(&text);
    if let Ok(directives) = &mut directives {
        if !directives.has_commands() && settings.files == Files::WithCommands {
            return Ok(None);
        }
        directives.requires.extend(settings.requires);
        directives.time_limit = directives.time_limit.or(settings.time_limit);
    }
    let below = path.strip_prefix(root).unwrap_or(path);
    let name = below.iter().map(|part| part.to_string_lossy()).collect::<Vec<_>>().join("/");
    Ok(Some(TestFile { name, path: path.to_path_buf(), directives }))
}

/// Test files are UTF-8, but a foreign suite's may hold anything.
fn read(path: &Path) -> Result<String, SuiteError> {
    match fs::read(path) {
        Ok(bytes) => Ok(String::from_utf8_lossy(&bytes).into_owned()),
        Err(source) => Err(SuiteError::Unreadable { path: path.to_path_buf(), source }),
    }
}

/// Which files of a folder are tests.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Files {
    #[default]
    WithCommands,
    All,
}

/// What the `suite.cfg` files from the root down to a test's folder say.
///
/// ```text
/// # a comment
/// every-file-is-a-test = true
/// requires = clang && lld
/// time-limit = 300
/// ```
#[derive(Debug, Default)]
struct Settings {
    files: Files,
    requires: Vec<Condition>,
    time_limit: Option<Duration>,
}

impl Settings {
    fn of(root: &Path, test: &Path) -> Result<Self, SuiteError> {
        let mut settings = Self::default();
        let folders = test.ancestors().skip(1).take_while(|folder| folder.starts_with(root));
        let files: Vec<PathBuf> =
            folders.map(|folder| folder.join(FOLDER_SETTINGS)).filter(|file| file.is_file()).collect();
        for file in files.iter().rev() {
            settings.add(file)?;
        }
        Ok(settings)
    }

    fn add(&mut self, file: &Path) -> Result<(), SuiteError> {
        for (index, line) in read(file)?.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            self.set(line).map_err(|problem| SuiteError::Settings {
                path: file.to_path_buf(),
                line: index + 1,
                problem,
            })?;
        }
        Ok(())
    }

    fn set(&mut self, line: &str) -> Result<(), String> {
        let (key, value) = line.split_once('=').ok_or("a setting reads `key = value`")?;
        let (key, value) = (key.trim(), value.trim());
        match (key, value) {
            ("every-file-is-a-test", "true") => self.files = Files::All,
            ("every-file-is-a-test", "false") => self.files = Files::WithCommands,
            ("requires", condition) => {
                self.requires.push(Condition::parse(condition).map_err(|error| error.to_string())?);
            }
            ("time-limit", seconds) => {
                let seconds = seconds.parse().map_err(|_| format!("`{seconds}` is no number of seconds"))?;
                self.time_limit = Some(Duration::from_secs(seconds));
            }
            (key, value) => return Err(format!("`{key} = {value}` is no setting")),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str, files: &[(&str, &str)]) -> Self {
            let root = std::env::temp_dir().join(format!("enzymers-suite-{name}-{}", std::process::id()));
            for (file, text) in files {
                let path = root.join(file);
                fs::create_dir_all(path.parent().expect("a file in a folder")).expect("a folder");
                fs::write(path, text).expect("a file");
            }
            Self(root)
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    fn names(folder: &Folder) -> Vec<String> {
        let tests = find_tests(&folder.0).expect("a readable suite");
        tests.into_iter().map(|test| test.name).collect()
    }

    #[test]
    fn files_with_commands_are_found_and_sorted() {
        let folder = Folder::new(
            "found",
            &[
                ("b/two.ll", "; RUN: x"),
                ("a/one.c", "// RUN: x"),
                ("a/header.h", "// RUN: x"),
                ("a/plain.c", "int x;"),
                ("a/Inputs/included.c", "// RUN: x"),
            ],
        );
        assert_eq!(names(&folder), ["a/one.c", "b/two.ll"]);
    }

    #[test]
    fn a_folder_can_demand_that_every_file_is_a_test() {
        let settings = "# strict\nevery-file-is-a-test = true\ntime-limit = 7\nrequires = clang\n";
        let folder = Folder::new("strict", &[("suite.cfg", settings), ("plain.c", "int x;")]);
        let tests = find_tests(&folder.0).expect("a readable suite");
        let directives = tests[0].directives.as_ref().expect("readable directives");
        assert!(!directives.has_commands());
        assert_eq!(directives.time_limit, Some(Duration::from_secs(7)));
        assert_eq!(directives.requires.len(), 1);
    }

    #[test]
    fn unknown_settings_are_errors_with_their_place() {
        let folder = Folder::new("broken", &[("suite.cfg", "\nspeed = 3\n"), ("a.c", "// RUN: x")]);
        let error = find_tests(&folder.0).expect_err("a broken setting").to_string();
        assert!(error.ends_with("suite.cfg:2: `speed = 3` is no setting"), "{error}");
    }
}
