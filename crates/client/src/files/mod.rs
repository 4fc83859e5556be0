//! Small files: replaced atomically, and renamed instead of overwritten when they cannot be parsed. Tests can make each
//! operation fail.

#[cfg(any(test, feature = "testing"))]
mod faults;
mod json_store;
mod lock;
mod names;
mod replacement;

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use serde::Serialize;
use serde::de::DeserializeOwned;
use thiserror::Error;

use crate::views::{CommandError, DiskProblem};

#[cfg(any(test, feature = "testing"))]
pub use faults::{FileFault, FileFaults};
pub(crate) use json_store::JsonStore;
pub(crate) use lock::FileLock;
pub(crate) use names::opaque_name;
pub(crate) use replacement::Replacement;

/// The end of the names of files that have not replaced their target yet.
pub(crate) const TEMPORARY: &str = ".new";

/// Characters of the name of their target that they have: with the whole name theirs can be longer than a name may be.
const TEMPORARY_NAME: usize = 40;

/// In the names of files that [`quarantine`] renamed.
pub(crate) const QUARANTINED: &str = ".unreadable-";

/// An operation that the operating system can refuse.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(
    not(any(test, feature = "testing")),
    expect(unreachable_pub, reason = "tests of other crates name it")
)]
pub enum FileOperation {
    /// Creating a folder with its parents.
    CreateFolder,
    /// Creating a file.
    Create,
    /// Writing the content of a new file.
    Write,
    /// Flushing a new file to the disk.
    Sync,
    /// Renaming a file.
    Rename,
    /// Flushing a folder, so that a rename is durable.
    SyncFolder,
    /// Reading a file.
    Read,
    /// Listing a folder.
    List,
    /// Deleting a file.
    Remove,
    /// Opening a lock file.
    OpenLock,
}

static COUNTER: AtomicU64 = AtomicU64::new(0);

/// Why a file was not read or written. Its text holds no path.
#[derive(Debug, Error)]
pub(crate) enum FileError {
    /// The operating system refused.
    #[error("the file operation failed: {}", .0.kind())]
    Io(#[from] io::Error),
    /// The value has no JSON form.
    #[error("the value cannot be written as JSON")]
    Json(#[from] serde_json::Error),
}

impl From<FileError> for CommandError {
    fn from(error: FileError) -> Self {
        tracing::warn!(
            error = &error as &dyn std::error::Error,
            "a file was not read or written"
        );
        Self::NotSaved {
            problem: error.problem(),
            reason: error.reason(),
        }
    }
}

impl FileError {
    /// Why the disk refused, as the user is told.
    pub(crate) fn problem(&self) -> DiskProblem {
        #[expect(
            clippy::wildcard_enum_match_arm,
            reason = "the others mean nothing to a user"
        )]
        match self {
            Self::Io(error) => match error.kind() {
                io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => DiskProblem::NoSpace,
                io::ErrorKind::PermissionDenied => DiskProblem::NotPermitted,
                io::ErrorKind::ReadOnlyFilesystem => DiskProblem::ReadOnly,
                io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => DiskProblem::Missing,
                _ => DiskProblem::Other,
            },
            Self::Json(_) => DiskProblem::Other,
        }
    }

    /// What the operating system says, without the path.
    pub(crate) fn reason(&self) -> String {
        match self {
            Self::Io(error) => error.kind().to_string(),
            Self::Json(_) => "not JSON".to_owned(),
        }
    }
}

/// The content of a file.
#[derive(Debug)]
pub(crate) enum FileContent<T> {
    /// There is no file.
    Missing,
    /// The file was read and parsed.
    Parsed(T),
    /// The file could not be parsed. It was renamed (see [`quarantine`]), so that its content is not lost.
    Quarantined,
}

/// Replaces the content of `path` atomically: after a crash either the old or the new content is there. The content is
/// on disk when it returns.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), FileError> {
    let folder = path.parent().unwrap_or_else(|| Path::new("."));
    create_private_dir(folder)?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let name: String = name.chars().take(TEMPORARY_NAME).collect();
    let number = COUNTER.fetch_add(1, Ordering::Relaxed);
    let temporary = folder.join(format!(
        ".{name}.{}.{number}{TEMPORARY}",
        std::process::id()
    ));
    let outcome = write_new(&temporary, bytes)
        .and_then(|()| rename(&temporary, path))
        .and_then(|()| sync_folder(folder));
    if outcome.is_err() {
        // Nothing refers to it. If it stays, the next listing of its folder can remove it.
        let _ = remove(&temporary);
    }
    Ok(outcome?)
}

/// Writes a value as JSON, as [`write`] does.
pub(crate) fn write_json<T: Serialize>(path: &Path, value: &T) -> Result<(), FileError> {
    write(path, &serde_json::to_vec_pretty(value)?)
}

/// Reads a file; `None` if there is none.
pub(crate) fn read(path: &Path) -> io::Result<Option<Vec<u8>>> {
    match before(FileOperation::Read, path).and_then(|()| fs::read(path)) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Reads a JSON file. One that does not parse is renamed, see [`quarantine`].
pub(crate) fn read_json<T: DeserializeOwned>(path: &Path) -> Result<FileContent<T>, FileError> {
    let Some(bytes) = read(path)? else {
        return Ok(FileContent::Missing);
    };
    match serde_json::from_slice(&bytes) {
        Ok(value) => Ok(FileContent::Parsed(value)),
        Err(error) => {
            // The position only: the message of the parser can quote the content.
            tracing::warn!(
                line = error.line(),
                column = error.column(),
                "a file is not the expected JSON"
            );
            quarantine(path)?;
            Ok(FileContent::Quarantined)
        }
    }
}

/// Renames a file that cannot be parsed to `NAME.unreadable-N`, the first such name that is free.
pub(crate) fn quarantine(path: &Path) -> io::Result<PathBuf> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let free = (1..)
        .map(|number: u32| path.with_file_name(format!("{name}{QUARANTINED}{number}")))
        .find(|candidate| !candidate.exists())
        .unwrap_or_else(|| path.with_extension("unreadable"));
    rename(path, &free)?;
    Ok(free)
}

/// The files of a folder; none if there is no folder.
pub(crate) fn list(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = before(FileOperation::List, folder).and_then(|()| fs::read_dir(folder));
    let entries = match entries {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    entries.map(|entry| Ok(entry?.path())).collect()
}

/// Deletes a file. It is not an error if there is none.
pub(crate) fn remove(path: &Path) -> Result<(), FileError> {
    match before(FileOperation::Remove, path).and_then(|()| fs::remove_file(path)) {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// Starts blocking work on tokio's thread pool for it. A panic is resumed where the result is awaited.
pub(crate) fn run_blocking<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> impl Future<Output = T> + Send {
    let task = tokio::task::spawn_blocking(work);
    async move {
        task.await
            .unwrap_or_else(|error| std::panic::resume_unwind(error.into_panic()))
    }
}

/// Creates a folder, and its parents, that only this user can open. On disk when it returns: a file in a folder that a power
/// failure takes away would go with it.
pub(crate) fn create_private_dir(folder: &Path) -> io::Result<()> {
    before(FileOperation::CreateFolder, folder)?;
    let is_missing = |ancestor: &&Path| !ancestor.exists();
    let missing: Vec<_> = folder.ancestors().take_while(is_missing).collect();
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)?;
    let parents = missing.into_iter().rev().filter_map(Path::parent);
    // The parent of a relative name is empty: it is the folder of the process.
    for parent in parents.filter(|parent| *parent != Path::new("")) {
        sync_folder(parent)?;
    }
    Ok(())
}

fn rename(from: &Path, to: &Path) -> io::Result<()> {
    before(FileOperation::Rename, to)?;
    fs::rename(from, to)
}

fn write_new(path: &Path, bytes: &[u8]) -> io::Result<()> {
    before(FileOperation::Create, path)?;
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(path)?;
    if let Err(error) = before(FileOperation::Write, path) {
        // A full disk takes a part of the content.
        file.write_all(&bytes[..bytes.len() / 2])?;
        return Err(error);
    }
    file.write_all(bytes)?;
    before(FileOperation::Sync, path)?;
    file.sync_all()
}

/// Fails, or stops the process, if a test asks for it at this operation.
#[cfg(any(test, feature = "testing"))]
fn before(operation: FileOperation, path: &Path) -> io::Result<()> {
    faults::before(operation, path)
}

#[cfg(not(any(test, feature = "testing")))]
#[expect(
    clippy::unnecessary_wraps,
    reason = "with the feature for tests it can fail"
)]
fn before(_: FileOperation, _: &Path) -> io::Result<()> {
    Ok(())
}

/// Makes a rename durable. Only Unix can and needs to.
fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) {
        before(FileOperation::SyncFolder, folder)?;
        File::open(folder)?.sync_all()
    } else {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn problem_of_the_disk_is_one_that_a_user_can_do_something_about() {
        for (kind, problem) in [
            (io::ErrorKind::StorageFull, DiskProblem::NoSpace),
            (io::ErrorKind::QuotaExceeded, DiskProblem::NoSpace),
            (io::ErrorKind::PermissionDenied, DiskProblem::NotPermitted),
            (io::ErrorKind::ReadOnlyFilesystem, DiskProblem::ReadOnly),
            (io::ErrorKind::NotFound, DiskProblem::Missing),
            (io::ErrorKind::NotADirectory, DiskProblem::Missing),
            (io::ErrorKind::TimedOut, DiskProblem::Other),
        ] {
            assert_eq!(FileError::from(io::Error::from(kind)).problem(), problem);
        }
    }

    #[test]
    fn written_value_reads_back_and_no_temporary_file_remains() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("deep/er/a.json");
        write_json(&path, &vec![1, 2]).expect("written");
        write_json(&path, &vec![3]).expect("replaced");
        let FileContent::Parsed(value) = read_json::<Vec<u8>>(&path).expect("read") else {
            panic!("not read back")
        };
        assert_eq!(value, [3]);
        assert_eq!(
            fs::read_dir(path.parent().expect("it has one"))
                .expect("listed")
                .count(),
            1,
            "a temporary file is left"
        );
    }

    #[test]
    #[cfg(unix)]
    fn file_whose_name_is_as_long_as_it_may_be_is_written() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("n".repeat(255));
        write(&path, b"x").expect("written");
        assert_eq!(fs::read(&path).expect("it is there"), b"x");
    }

    #[test]
    #[cfg(unix)]
    fn new_folders_are_flushed_before_a_file_is_written_to_them() {
        let folder = tempfile::tempdir().expect("a folder");
        let faults = FileFaults::new(folder.path());
        let path = folder.path().join("deep/er/a.json");
        write(&path, b"[]").expect("written");
        let of_file = [
            FileOperation::Create,
            FileOperation::Write,
            FileOperation::Sync,
            FileOperation::Rename,
            FileOperation::SyncFolder,
        ];
        let of_folders = [
            FileOperation::CreateFolder,
            FileOperation::SyncFolder,
            FileOperation::SyncFolder,
        ];
        let first = faults.operations().len();
        assert_eq!(
            faults.operations(),
            [&of_folders[..], &of_file[..]].concat()
        );
        write(&path, b"[1]").expect("replaced");
        assert_eq!(
            faults.operations()[first..],
            [&of_folders[..1], &of_file[..]].concat()
        );
    }

    #[test]
    fn file_that_does_not_parse_is_renamed_to_a_free_name_each_time() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.json");
        for (number, broken) in [(1, "{"), (2, "]")] {
            fs::write(&path, broken).expect("written");
            assert!(
                matches!(read_json::<Vec<u8>>(&path), Ok(FileContent::Quarantined)),
                "it was parsed"
            );
            let renamed = folder.path().join(format!("a.json.unreadable-{number}"));
            assert_eq!(fs::read_to_string(renamed).expect("written"), broken);
        }
        assert!(
            matches!(read_json::<Vec<u8>>(&path), Ok(FileContent::Missing)),
            "the broken file was not renamed"
        );
    }

    #[test]
    fn write_error_does_not_contain_the_path() {
        let error =
            write(Path::new("/proc/nothing/here"), b"x").expect_err("nothing can be written there");
        assert!(!error.to_string().contains("/proc"), "{error}");
    }
}
