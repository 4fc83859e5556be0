//! A file that is written piece by piece beside another one, which it replaces when it is complete.

use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use super::{FileError, FileOperation, TEMPORARY, before, remove, rename, sync_folder};

/// A temporary file. It is removed when it is dropped before it was committed.
#[derive(Debug)]
pub(crate) struct Replacement {
    target: PathBuf,
    temporary: PathBuf,
    file: File,
    is_committed: bool,
}

impl Replacement {
    /// Creates the temporary file of a replacement with an id of its own.
    pub(crate) fn create(target: PathBuf, id: &str) -> Result<Self, FileError> {
        let temporary = temporary_of(&target, id);
        before(FileOperation::Create, &temporary)?;
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let file = options.open(&temporary)?;
        Ok(Self {
            target,
            temporary,
            file,
            is_committed: false,
        })
    }

    /// Removes the temporary file with an id that a killed program has left, if there is one.
    pub(crate) fn remove_abandoned(target: &Path, id: &str) -> Result<(), FileError> {
        remove(&temporary_of(target, id))
    }

    pub(crate) fn write(&mut self, bytes: &[u8]) -> Result<(), FileError> {
        before(FileOperation::Write, &self.temporary)?;
        Ok(self.file.write_all(bytes)?)
    }

    /// Replaces the target; on the disk when it returns.
    pub(crate) fn commit(mut self) -> Result<(), FileError> {
        self.sync()?;
        self.replace_target()?;
        self.sync_folder()
    }

    /// As [`commit`](Self::commit), but replaces nothing. Whether it was done: not if there is something with the name of the target.
    pub(crate) fn commit_new(mut self) -> Result<bool, FileError> {
        self.sync()?;
        before(FileOperation::Rename, &self.target)?;
        // A second name is never that of another file. The first one is removed when this is dropped.
        match std::fs::hard_link(&self.temporary, &self.target) {
            Ok(()) => {}
            Err(error) if error.kind() == ErrorKind::AlreadyExists => return Ok(false),
            // Memory sticks and folders of networks have file systems without second names.
            Err(_) => {
                if self.target.try_exists()? {
                    return Ok(false);
                }
                self.replace_target()?;
            }
        }
        self.sync_folder()?;
        Ok(true)
    }

    fn sync(&self) -> Result<(), FileError> {
        before(FileOperation::Sync, &self.temporary)?;
        Ok(self.file.sync_all()?)
    }

    fn replace_target(&mut self) -> Result<(), FileError> {
        rename(&self.temporary, &self.target)?;
        self.is_committed = true;
        Ok(())
    }

    fn sync_folder(&self) -> Result<(), FileError> {
        let folder = self.target.parent().unwrap_or_else(|| Path::new("."));
        Ok(sync_folder(folder)?)
    }
}

impl Drop for Replacement {
    fn drop(&mut self) {
        if !self.is_committed
            && let Err(error) = remove(&self.temporary)
        {
            tracing::warn!(%error, "a temporary file was not removed");
        }
    }
}

/// In the folder of `target`, so that it can be renamed. A killed program leaves it there, and the next one knows it by the id.
fn temporary_of(target: &Path, id: &str) -> PathBuf {
    // Without the name of the target: both together can be longer than a name may be.
    target.with_file_name(format!(".{id}{TEMPORARY}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::{FileFault, FileFaults};

    fn names(folder: &Path) -> Vec<String> {
        let entries = std::fs::read_dir(folder).expect("listed").flatten();
        entries
            .map(|entry| entry.file_name().to_string_lossy().into_owned())
            .collect()
    }

    #[test]
    fn target_is_replaced_as_a_whole_or_not_at_all_at_every_fault() {
        for number in 0.. {
            let folder = tempfile::tempdir().expect("a folder");
            let target = folder.path().join("list.csv");
            std::fs::write(&target, "old").expect("written");
            let faults = FileFaults::new(folder.path());
            faults.set(number, FileFault::NoSpaceFromThen);
            let write = || {
                let mut file = Replacement::create(target.clone(), "1")?;
                file.write(b"new ")?;
                file.write(b"content")?;
                file.commit()
            };
            let written = write();
            let reached = faults.operations().len() > number;
            faults.clear();
            let content = std::fs::read_to_string(&target).expect("read");
            match written {
                Ok(()) => assert_eq!(content, "new content"),
                Err(_) => assert!(
                    ["old", "new content"].contains(&content.as_str()),
                    "{content}"
                ),
            }
            if !reached {
                assert_eq!(names(folder.path()), ["list.csv"]);
                break;
            }
        }
    }

    #[test]
    fn new_target_is_whole_or_not_there_at_every_fault_and_nothing_is_replaced() {
        for number in 0.. {
            let folder = tempfile::tempdir().expect("a folder");
            let taken = folder.path().join("taken.pdf");
            std::fs::write(&taken, "of somebody").expect("written");
            let target = folder.path().join("a.pdf");
            let faults = FileFaults::new(folder.path());
            faults.set(number, FileFault::NoSpaceFromThen);
            let write = |target: &Path| {
                let mut file = Replacement::create(target.to_owned(), "1")?;
                file.write(b"whole")?;
                file.commit_new()
            };
            let outcomes = (write(&taken), write(&target));
            let reached = faults.operations().len() > number;
            faults.clear();
            let content = std::fs::read_to_string(&taken).expect("read");
            assert_eq!(content, "of somebody");
            if let Ok(content) = std::fs::read_to_string(&target) {
                assert_eq!(content, "whole");
            }
            if !reached {
                assert!(matches!(outcomes, (Ok(false), Ok(true))), "{outcomes:?}");
                assert_eq!(names(folder.path()).len(), 2);
                break;
            }
        }
    }

    #[test]
    fn file_that_a_killed_program_has_left_is_removed() {
        let folder = tempfile::tempdir().expect("a folder");
        let target = folder.path().join("list.csv");
        let remove = || Replacement::remove_abandoned(&target, "1").expect("removed");
        remove();
        let mut file = Replacement::create(target.clone(), "1").expect("created");
        file.write(b"whole").expect("written");
        file.commit().expect("renamed");
        remove();
        assert_eq!(std::fs::read(&target).expect("read"), b"whole");

        std::fs::write(temporary_of(&target, "1"), "half").expect("written");
        remove();
        assert_eq!(names(folder.path()), ["list.csv"]);
    }

    #[test]
    fn dropped_file_leaves_nothing() {
        let folder = tempfile::tempdir().expect("a folder");
        let target = folder.path().join("list.csv");
        let mut file = Replacement::create(target, "1").expect("created");
        file.write(b"half").expect("written");
        drop(file);
        assert_eq!(names(folder.path()), Vec::<String>::new());
    }
}
