//! The files that the system has asked this program to open, until their window takes them.

use std::collections::VecDeque;
use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use crate::WindowKey;
use crate::views::{CommandError, FileProblem, OpenedFile};

/// Files that wait. More are not opened: nobody reads so many one after the other.
const MAX_FILES: usize = 50;
/// Bytes of a file: the largest that is read as an invoice.
const MAX_BYTES: u64 = 16 << 20;

/// A queue of paths. The page never sees one.
#[derive(Debug, Default)]
pub(crate) struct OpenedFiles(Mutex<VecDeque<WaitingFile>>);

/// A file and the window that it is left to: another one could be of another organization. `None`: no window was open.
#[derive(Debug)]
struct WaitingFile {
    window: Option<WindowKey>,
    path: PathBuf,
}

impl OpenedFiles {
    /// Leaves a file to a window.
    pub(crate) fn leave(&self, window: Option<WindowKey>, path: PathBuf) {
        let mut waiting = self.waiting();
        if waiting.len() < MAX_FILES {
            waiting.push_back(WaitingFile { window, path });
        }
    }

    /// How many files wait for a window.
    pub(crate) fn count(&self, window: &WindowKey) -> u32 {
        let waiting = self.waiting();
        let count = waiting.iter().filter(|file| file.is_for(Some(window)));
        u32::try_from(count.count()).unwrap_or(u32::MAX)
    }

    /// Takes the next file of a window.
    pub(crate) fn take(&self, window: &WindowKey) -> Option<PathBuf> {
        let mut waiting = self.waiting();
        let next = waiting.iter().position(|file| file.is_for(Some(window)))?;
        waiting.remove(next).map(|file| file.path)
    }

    /// Leaves the files of a window that is closed, or those that were left to none, to another one. Returns whether there were
    /// any.
    pub(crate) fn pass_on(&self, from: Option<&WindowKey>, to: Option<&WindowKey>) -> bool {
        let mut passed = false;
        for file in &mut *self.waiting() {
            if file.is_for(from) {
                file.window = to.cloned();
                passed = true;
            }
        }
        passed
    }

    fn waiting(&self) -> MutexGuard<'_, VecDeque<WaitingFile>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl WaitingFile {
    fn is_for(&self, window: Option<&WindowKey>) -> bool {
        self.window.as_ref() == window
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
    use crate::views::PrintedPages;

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
    fn debug_output_of_a_file_and_of_pages_contains_nothing_of_them() {
        let file = OpenedFile {
            name: "Noor.xml".to_owned(),
            content: "PGEvPg==".to_owned(),
        };
        assert_eq!(format!("{file:?}"), "OpenedFile { characters: 8, .. }");
        let pages = PrintedPages {
            images: vec!["data:image/svg+xml,Noor".to_owned()],
            total: 3,
        };
        assert_eq!(format!("{pages:?}"), "PrintedPages { images: 1, total: 3 }");
    }

    #[test]
    fn files_are_taken_in_order_and_no_more_than_a_limit_wait() {
        let files = OpenedFiles::default();
        let window = WindowKey::from("main");
        for number in 0..=MAX_FILES {
            files.leave(Some(window.clone()), PathBuf::from(number.to_string()));
        }
        assert_eq!(files.count(&window), 50);
        assert_eq!(files.take(&window), Some(PathBuf::from("0")));
        assert_eq!(files.take(&window), Some(PathBuf::from("1")));
    }

    #[test]
    fn file_is_taken_by_its_window_only_until_it_is_passed_on() {
        let files = OpenedFiles::default();
        let [main, other] = ["main", "window-2"].map(WindowKey::from);
        files.leave(Some(main.clone()), PathBuf::from("a"));
        files.leave(None, PathBuf::from("b"));
        files.leave(Some(other.clone()), PathBuf::from("c"));
        let counts = || (files.count(&main), files.count(&other));
        assert_eq!(counts(), (1, 1));
        assert!(files.pass_on(None, Some(&other)));
        assert_eq!(counts(), (1, 2));
        assert_eq!(files.take(&other), Some(PathBuf::from("b")));
        assert!(files.pass_on(Some(&other), Some(&main)));
        assert_eq!(files.take(&other), None);
        assert_eq!(files.take(&main), Some(PathBuf::from("a")));
        assert_eq!(files.take(&main), Some(PathBuf::from("c")));
        assert!(!files.pass_on(Some(&main), Some(&other)));
    }
}
