//! The files that the system has asked this program to open, until the window takes them.

use std::collections::VecDeque;
use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use crate::views::{CommandError, FileProblem, OpenedFile};

/// Files that wait. More are not opened: nobody reads so many one after the other.
const MAX_FILES: usize = 50;
/// Bytes of a file: the largest that is read as an invoice.
const MAX_BYTES: u64 = 16 << 20;

/// A queue of paths. The page never sees one.
#[derive(Debug, Default)]
pub(crate) struct OpenedFiles(Mutex<VecDeque<PathBuf>>);

impl OpenedFiles {
    pub(crate) fn add(&self, path: PathBuf) {
        let mut waiting = self.waiting();
        if waiting.len() < MAX_FILES {
            waiting.push_back(path);
        }
    }

    pub(crate) fn count(&self) -> u32 {
        u32::try_from(self.waiting().len()).unwrap_or(u32::MAX)
    }

    pub(crate) fn take(&self) -> Option<PathBuf> {
        self.waiting().pop_front()
    }

    fn waiting(&self) -> MutexGuard<'_, VecDeque<PathBuf>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Reads a file, and nothing but a file: no folder, no device.
pub(crate) fn read_opened(path: &Path) -> Result<OpenedFile, CommandError> {
    let not_read = |problem| CommandError::FileNotRead {
        problem,
        position: None,
    };
    let unreadable = |error: std::io::Error| {
        tracing::warn!(kind = %error.kind(), "an opened file cannot be read");
        not_read(FileProblem::Unreadable)
    };
    if !std::fs::metadata(path).map_err(unreadable)?.is_file() {
        return Err(not_read(FileProblem::Unreadable));
    }
    let mut bytes = Vec::new();
    File::open(path)
        .and_then(|file| file.take(MAX_BYTES + 1).read_to_end(&mut bytes))
        .map_err(unreadable)?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(not_read(FileProblem::TooLarge));
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    Ok(OpenedFile {
        name: name.into_owned(),
        content: STANDARD.encode(bytes),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_is_read_and_a_folder_or_a_missing_or_large_one_is_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let problem = |path: &Path| match read_opened(path) {
            Err(CommandError::FileNotRead { problem, .. }) => Some(problem),
            _ => None,
        };
        assert_eq!(problem(folder.path()), Some(FileProblem::Unreadable));
        let file = folder.path().join("invoice.xml");
        assert_eq!(problem(&file), Some(FileProblem::Unreadable));
        std::fs::write(&file, "<a/>").expect("written");
        let read = read_opened(&file).expect("read");
        assert_eq!(
            (read.name.as_str(), read.content.as_str()),
            ("invoice.xml", "PGEvPg==")
        );
        let large = File::create(&file).expect("created");
        large.set_len(MAX_BYTES + 1).expect("sparse");
        assert_eq!(problem(&file), Some(FileProblem::TooLarge));
    }

    #[test]
    fn files_are_taken_in_order_and_no_more_than_a_limit_wait() {
        let files = OpenedFiles::default();
        for number in 0..=MAX_FILES {
            files.add(PathBuf::from(number.to_string()));
        }
        assert_eq!(files.count(), 50);
        assert_eq!(files.take(), Some(PathBuf::from("0")));
        assert_eq!(files.take(), Some(PathBuf::from("1")));
    }
}
