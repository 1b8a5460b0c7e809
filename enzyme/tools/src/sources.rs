//! Lines of the user's program.

use std::cell::RefCell;
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use enzyme::model::DebugLocation;

/// Files of the user's program, read when they are asked for.
#[derive(Debug)]
pub(crate) struct Sources {
    /// The folders that relative names may start from, the first one first.
    folders: Vec<PathBuf>,
    files: RefCell<HashMap<Arc<str>, Option<Vec<String>>>>,
}

impl Sources {
    /// Files whose names are relative to one of some folders.
    pub(crate) fn in_folders(folders: impl IntoIterator<Item = PathBuf>) -> Self {
        Self { folders: folders.into_iter().collect(), files: RefCell::default() }
    }

    /// The text of a line, when its file can be read and has it.
    pub(crate) fn line(&self, location: &DebugLocation) -> Option<String> {
        let index = (location.line as usize).checked_sub(1)?;
        let mut files = self.files.borrow_mut();
        let lines = files.entry(location.file.clone()).or_insert_with(|| self.read(&location.file));
        lines.as_ref()?.get(index).cloned()
    }

    fn read(&self, name: &str) -> Option<Vec<String>> {
        let bytes = self.folders.iter().find_map(|folder| std::fs::read(folder.join(name)).ok())?;
        Some(String::from_utf8_lossy(&bytes).lines().map(str::to_owned).collect())
    }
}
