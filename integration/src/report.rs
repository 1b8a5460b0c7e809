//! Totals, tables and the JSON report.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::case::{Outcome, Status};

/// One line of a report.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// The test's path below the suite's root.
    pub name: String,
    /// The LLVM it ran with.
    pub llvm: u32,
    /// What became of it.
    pub status: RecordedStatus,
    /// How long it took.
    pub seconds: f64,
    /// In a few words, why it is not simply passed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// A status as the report spells it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RecordedStatus {
    /// The test did what it says.
    Passed,
    /// It did not.
    Failed,
    /// It does not apply, or nothing of it does: the reason tells which.
    Unsupported,
    /// It failed, as expected.
    XFailed,
    /// It was stopped at its time limit.
    Timeout,
}

impl Record {
    /// The record of one outcome.
    pub fn new(name: &str, llvm: u32, outcome: &Outcome) -> Self {
        let status = match outcome.status {
            Status::Passed => RecordedStatus::Passed,
            Status::Failed => RecordedStatus::Failed,
            Status::Unsupported | Status::NothingRan => RecordedStatus::Unsupported,
            Status::ExpectedFailure => RecordedStatus::XFailed,
            Status::TimedOut => RecordedStatus::Timeout,
        };
        let seconds = (outcome.time.as_secs_f64() * 1000.0).round() / 1000.0;
        Self { name: name.to_owned(), llvm, status, seconds, reason: outcome.reason.clone() }
    }
}

/// What became of all tests.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// One record a test and LLVM.
    pub tests: Vec<Record>,
}

impl Report {
    /// A report in a fixed order: by LLVM, then by name.
    pub fn new(mut tests: Vec<Record>) -> Self {
        tests.sort_by(|a, b| (a.llvm, &a.name).cmp(&(b.llvm, &b.name)));
        Self { tests }
    }

    /// Writes it as JSON.
    pub fn write(&self, path: &Path) -> io::Result<()> {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::write(path, serde_json::to_string_pretty(self)? + "\n")
    }

    /// Reads one that was written.
    pub fn read(path: &Path) -> io::Result<Self> {
        Ok(serde_json::from_str(&fs::read_to_string(path)?)?)
    }
}

/// Counts by outcome.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Tests that did what they say.
    pub passed: usize,
    /// Tests that did not.
    pub failed: usize,
    /// Tests stopped at their time limit.
    pub timed_out: usize,
    /// Tests that failed as expected.
    pub expected_failures: usize,
    /// Tests that do not apply.
    pub unsupported: usize,
    /// Tests of which no command applies.
    pub nothing_ran: usize,
}

impl Counts {
    /// Counts one outcome.
    pub fn add(&mut self, status: Status) {
        let counter = match status {
            Status::Passed => &mut self.passed,
            Status::Failed => &mut self.failed,
            Status::TimedOut => &mut self.timed_out,
            Status::ExpectedFailure => &mut self.expected_failures,
            Status::Unsupported => &mut self.unsupported,
            Status::NothingRan => &mut self.nothing_ran,
        };
        *counter += 1;
    }

    fn merge(&mut self, other: &Self) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.timed_out += other.timed_out;
        self.expected_failures += other.expected_failures;
        self.unsupported += other.unsupported;
        self.nothing_ran += other.nothing_ran;
    }

    fn cells(&self) -> [usize; 6] {
        [self.passed, self.failed, self.timed_out, self.expected_failures, self.unsupported, self.nothing_ran]
    }
}

/// Counts for each folder of a suite; displayed as a table with a closing line of totals.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FolderTable {
    folders: BTreeMap<String, Counts>,
}

impl FolderTable {
    /// Counts one outcome in its test's folder.
    pub fn add(&mut self, name: &str, status: Status) {
        let folder = name.rsplit_once('/').map_or(".", |(folder, _)| folder);
        self.folders.entry(folder.to_owned()).or_default().add(status);
    }

    /// The sum over all folders.
    pub fn total(&self) -> Counts {
        let mut total = Counts::default();
        self.folders.values().for_each(|counts| total.merge(counts));
        total
    }
}

impl fmt::Display for FolderTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = self.folders.keys().map(String::len).max().unwrap_or(0).max("folder".len());
        let headings = ["passed", "failed", "timeout", "xfailed", "unsupported", "nothing ran"];
        write!(f, "{:width$}", "folder")?;
        headings.iter().try_for_each(|heading| write!(f, "  {heading}"))?;
        writeln!(f)?;
        let total = self.total();
        let rows = self.folders.iter().map(|(folder, counts)| (folder.as_str(), counts));
        for (folder, counts) in rows.chain([("total", &total)]) {
            write!(f, "{folder:width$}")?;
            for (heading, count) in headings.iter().zip(counts.cells()) {
                write!(f, "  {count:>width$}", width = heading.len())?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn outcome(status: Status) -> Outcome {
        Outcome { status, time: Duration::from_millis(1500), reason: None, details: String::new() }
    }

    #[test]
    fn the_report_has_the_documented_form() {
        let records = [("b.c", Status::TimedOut), ("a.c", Status::ExpectedFailure)]
            .map(|(name, status)| Record::new(name, 22, &outcome(status)));
        let json = serde_json::to_string(&Report::new(records.into())).expect("a report");
        assert_eq!(
            json,
            r#"{"tests":[{"name":"a.c","llvm":22,"status":"xfailed","seconds":1.5},{"name":"b.c","llvm":22,"status":"timeout","seconds":1.5}]}"#
        );
    }

    #[test]
    fn a_written_report_reads_back() {
        let path = std::env::temp_dir().join(format!("enzymers-report-{}/r.json", std::process::id()));
        let report = Report::new(vec![Record::new("a.c", 19, &outcome(Status::Passed))]);
        report.write(&path).expect("writing it");
        assert_eq!(Report::read(&path).expect("reading it"), report);
        fs::remove_dir_all(path.parent().expect("its folder")).expect("removing it");
    }

    #[test]
    fn the_table_counts_by_folder() {
        let mut table = FolderTable::default();
        table.add("Enzyme/a.ll", Status::Passed);
        table.add("Enzyme/b.ll", Status::Failed);
        table.add("Fortran/c.f90", Status::Unsupported);
        table.add("d.ll", Status::NothingRan);
        assert_eq!(
            table.to_string(),
            "folder   passed  failed  timeout  xfailed  unsupported  nothing ran\n\
             .             0       0        0        0            0            1\n\
             Enzyme        1       1        0        0            0            0\n\
             Fortran       0       0        0        0            1            0\n\
             total         1       1        0        0            1            1\n"
        );
    }
}
