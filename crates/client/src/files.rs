//! Small files that are written whole or not at all, and never lost when they cannot be read.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use serde::Serialize;
use serde::de::DeserializeOwned;
use thiserror::Error;

use crate::views::CommandError;

static COUNTER: AtomicU64 = AtomicU64::new(0);

/// A file could not be kept. What the system says, without the path.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("not kept: {reason}")]
pub(crate) struct NotKept {
    reason: String,
}

impl From<io::Error> for NotKept {
    fn from(error: io::Error) -> Self {
        Self {
            reason: error.kind().to_string(),
        }
    }
}

impl From<NotKept> for CommandError {
    fn from(NotKept { reason }: NotKept) -> Self {
        Self::NotKept { reason }
    }
}

/// What a file holds.
#[derive(Debug)]
pub(crate) enum Content<T> {
    /// There is none.
    Missing,
    /// Read.
    Good(T),
    /// It is there and cannot be read. It stands aside under another name, and nothing of it is lost.
    SetAside,
}

/// Writes `bytes` to `path` so that after a crash either the old or the new content is there; on disk when it returns.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), NotKept> {
    let folder = path.parent().unwrap_or_else(|| Path::new("."));
    create_private(folder)?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let number = COUNTER.fetch_add(1, Ordering::Relaxed);
    let new = folder.join(format!(".{name}.{}.{number}.new", std::process::id()));
    let written = write_new(&new, bytes)
        .and_then(|()| fs::rename(&new, path))
        .and_then(|()| sync_folder(folder));
    if written.is_err() {
        let _ = fs::remove_file(&new);
    }
    Ok(written?)
}

/// Writes a value as JSON, as [`write`] does.
pub(crate) fn write_json<T: Serialize>(path: &Path, value: &T) -> Result<(), NotKept> {
    let bytes = serde_json::to_vec_pretty(value).map_err(|_| NotKept {
        reason: "not JSON".to_owned(),
    })?;
    write(path, &bytes)
}

/// Reads a file whole.
pub(crate) fn read(path: &Path) -> io::Result<Option<Vec<u8>>> {
    match fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Reads a JSON file; one that does not parse is set aside.
pub(crate) fn read_json<T: DeserializeOwned>(path: &Path) -> Result<Content<T>, NotKept> {
    let Some(bytes) = read(path)? else {
        return Ok(Content::Missing);
    };
    match serde_json::from_slice(&bytes) {
        Ok(value) => Ok(Content::Good(value)),
        Err(_) => {
            set_aside(path)?;
            Ok(Content::SetAside)
        }
    }
}

/// Renames a file that cannot be read, to a name that is still free.
pub(crate) fn set_aside(path: &Path) -> io::Result<PathBuf> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let aside = (1..)
        .map(|number: u32| path.with_file_name(format!("{name}.unreadable-{number}")))
        .find(|candidate| !candidate.exists())
        .unwrap_or_else(|| path.with_extension("unreadable"));
    fs::rename(path, &aside)?;
    Ok(aside)
}

/// Deletes a file if there is one.
pub(crate) fn remove(path: &Path) -> Result<(), NotKept> {
    match fs::remove_file(path) {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// Runs file work off the async threads.
pub(crate) async fn off_thread<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    match tokio::task::spawn_blocking(work).await {
        Ok(done) => done,
        Err(error) => std::panic::resume_unwind(error.into_panic()),
    }
}

/// A folder that only this user can open.
pub(crate) fn create_private(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

fn write_new(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

/// Makes a rename last. Only Unix can and needs to.
fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) {
        File::open(folder)?.sync_all()
    } else {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_reads_back_and_leaves_no_other_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("deep/er/a.json");
        write_json(&path, &vec![1, 2]).expect("kept");
        write_json(&path, &vec![3]).expect("kept over the old one");
        let Content::Good(value) = read_json::<Vec<u8>>(&path).expect("read") else {
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
    fn what_does_not_parse_is_set_aside_each_time_under_a_free_name() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.json");
        for (number, broken) in [(1, "{"), (2, "]")] {
            fs::write(&path, broken).expect("written");
            assert!(
                matches!(read_json::<Vec<u8>>(&path), Ok(Content::SetAside)),
                "taken for good"
            );
            let aside = folder.path().join(format!("a.json.unreadable-{number}"));
            assert_eq!(fs::read_to_string(aside).expect("kept"), broken);
        }
        assert!(
            matches!(read_json::<Vec<u8>>(&path), Ok(Content::Missing)),
            "the broken file still stands in the way"
        );
    }

    #[test]
    fn a_full_or_read_only_disk_is_told_without_the_path() {
        let error =
            write(Path::new("/proc/nothing/here"), b"x").expect_err("nothing can be written there");
        assert!(!error.to_string().contains("/proc"), "{error}");
    }
}
