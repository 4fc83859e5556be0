//! Backup of a database that is in use, and its restore (decision 0109).

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use rusqlite::backup::{Backup, StepResult};
use rusqlite::{Connection, OpenFlags};

use crate::database_path;
use crate::engine::{
    EngineError, OpenError, create_private_new, has_write_ahead_log, open_checked,
};

/// Why a database was not backed up or restored. Neither it nor a file was changed.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say it")]
pub enum BackupError {
    #[error("there is no {path}")]
    NotFound { path: PathBuf },
    #[error("there is a file {path} already")]
    Exists { path: PathBuf },
    #[error(
        "{path} has a log ({path}-wal) beside it, so it is an incomplete copy of a database: restore a file that the command backup wrote"
    )]
    HasLog { path: PathBuf },
    #[error("{path} is no backup of a database of this service")]
    Foreign { path: PathBuf },
    #[error("the backup {path} is damaged: {finding}")]
    Damaged { path: PathBuf, finding: String },
    #[error(
        "a hundred runs have left files {path}.incomplete-N: remove them if no other run is writing them"
    )]
    TooManyLeft { path: PathBuf },
    #[error(transparent)]
    Database(#[from] OpenError),
    #[error("{path}: {source}")]
    File { path: PathBuf, source: io::Error },
}

impl BackupError {
    /// The exit code of the program, by the groups of sysexits.h.
    #[must_use]
    pub const fn exit_code(&self) -> u8 {
        match self {
            Self::NotFound { .. } => 66,
            Self::Exists { .. } | Self::TooManyLeft { .. } => 73,
            Self::HasLog { .. } | Self::Foreign { .. } | Self::Damaged { .. } => 65,
            Self::Database(error) => error.exit_code(),
            Self::File { .. } => 74,
        }
    }
}

/// What SQLite appends to the name of a database for the files beside it. One that is left of another database would be taken for
/// a part of the new one.
const SUFFIXES: [&str; 4] = ["", "-wal", "-shm", "-journal"];

/// How many temporary files of one name there may be: of runs at the same time, and of those that were killed.
const MAX_TEMPORARY_FILES: u32 = 100;

/// A file that is removed unless it got its name.
struct TemporaryFile {
    path: PathBuf,
    is_complete: bool,
}

impl TemporaryFile {
    /// An empty file beside `path`, readable by its owner only, that no other run for `path` writes. What a run that was killed
    /// has left is not touched: it looks like the file of one that is under way.
    fn beside(path: &Path) -> Result<Self, BackupError> {
        for number in 1..=MAX_TEMPORARY_FILES {
            let mut name = path.as_os_str().to_owned();
            name.push(format!(".incomplete-{number}"));
            let temporary = PathBuf::from(name);
            let is_free = check_free(&temporary).is_ok();
            if is_free && create_private_new(&temporary)? {
                return Ok(Self {
                    path: temporary,
                    is_complete: false,
                });
            }
        }
        Err(BackupError::TooManyLeft {
            path: path.to_owned(),
        })
    }

    /// Gives the file its name, durably. A service may have been started there since the beginning: its database is kept.
    fn complete(mut self, path: &Path) -> Result<(), BackupError> {
        check_free(path)?;
        let renamed = File::open(&self.path)
            .and_then(|file| file.sync_all())
            .and_then(|()| std::fs::rename(&self.path, path))
            .and_then(|()| sync_folder(path));
        renamed.map_err(|source| BackupError::File {
            path: path.to_owned(),
            source,
        })?;
        self.is_complete = true;
        Ok(())
    }

    fn remove(&self) {
        for file in files_of(&self.path) {
            // Most do not exist.
            let _ = std::fs::remove_file(file);
        }
    }
}

impl Drop for TemporaryFile {
    fn drop(&mut self) {
        if !self.is_complete {
            self.remove();
        }
    }
}

/// The database at `path` and the files beside it, whether they exist or not.
fn files_of(path: &Path) -> impl Iterator<Item = PathBuf> {
    SUFFIXES.into_iter().map(move |suffix| {
        let mut name = path.as_os_str().to_owned();
        name.push(suffix);
        PathBuf::from(name)
    })
}

/// Refuses a path where a database or a part of one is.
fn check_free(path: &Path) -> Result<(), BackupError> {
    match files_of(path).find(|file| file.exists()) {
        Some(path) => Err(BackupError::Exists { path }),
        None => Ok(()),
    }
}

#[cfg(unix)]
fn sync_folder(path: &Path) -> io::Result<()> {
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
}

#[cfg(not(unix))]
const fn sync_folder(_path: &Path) -> io::Result<()> {
    // A folder cannot be opened there.
    Ok(())
}

/// Writes the database at `url` into `file`, which must not exist, as it is at one moment: a service can write to it meanwhile.
/// The file appears when it is complete and was checked. It holds signing keys: only its owner can read it.
///
/// # Errors
/// See [`BackupError`].
pub fn backup(url: &str, file: &Path) -> Result<(), BackupError> {
    let path = database_path(url)?;
    if !path.exists() {
        return Err(BackupError::NotFound { path });
    }
    check_free(file)?;
    let temporary = TemporaryFile::beside(file)?;
    let failed = |error: rusqlite::Error| OpenError::of(&path, EngineError::from(error));
    let source = open_read_only(&path).map_err(failed)?;
    if !has_schema(&source).map_err(failed)? {
        return Err(BackupError::Foreign { path });
    }
    let mut copy = Connection::open(&temporary.path).map_err(failed)?;
    {
        let backup = Backup::new(&source, &mut copy).map_err(failed)?;
        // All pages in one step: in several, every write of the service would begin it anew. Writers do not wait for it.
        match backup.step(-1).map_err(failed)? {
            StepResult::Done => {}
            StepResult::More | StepResult::Busy | StepResult::Locked | _ => {
                return Err(OpenError::DatabaseBusy { path }.into());
            }
        }
    }
    // One file, without a log beside it.
    copy.pragma_update_and_check(None, "journal_mode", "DELETE", |_| Ok(()))
        .map_err(failed)?;
    check_integrity(&copy, file)?;
    drop(copy);
    temporary.complete(file)
}

/// Makes the database at `url`, which must not exist, from the backup `file`, and brings its schema up to date.
///
/// # Errors
/// See [`BackupError`]: also when `file` is no backup of ours, or that of a newer version.
pub fn restore(file: &Path, url: &str) -> Result<(), BackupError> {
    let path = database_path(url)?;
    if !file.exists() {
        let path = file.to_owned();
        return Err(BackupError::NotFound { path });
    }
    if has_write_ahead_log(file) {
        let path = file.to_owned();
        return Err(BackupError::HasLog { path });
    }
    check_free(&path)?;
    let failed = |error: rusqlite::Error| OpenError::of(file, EngineError::from(error));
    let source = open_read_only(file).map_err(failed)?;
    if !has_schema(&source).map_err(failed)? {
        let path = file.to_owned();
        return Err(BackupError::Foreign { path });
    }
    check_integrity(&source, file)?;
    drop(source);
    let temporary = TemporaryFile::beside(&path)?;
    std::fs::copy(file, &temporary.path)
        .and_then(|_| make_private(&temporary.path))
        .map_err(|source| BackupError::File {
            path: temporary.path.clone(),
            source,
        })?;
    // Refuses a newer schema.
    drop(open_checked(&temporary.path)?);
    temporary.complete(&path)
}

/// A copy has the mode of its source.
fn make_private(path: &Path) -> io::Result<()> {
    #[cfg(unix)]
    {
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o600);
        std::fs::set_permissions(path, mode)?;
    }
    #[cfg(not(unix))]
    let _ = path;
    Ok(())
}

fn open_read_only(path: &Path) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    Connection::open_with_flags(path, flags)
}

fn has_schema(connection: &Connection) -> rusqlite::Result<bool> {
    let select = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'schema_migrations'";
    connection.prepare(select)?.exists(())
}

/// Reads the whole file, which is `path` or becomes it.
fn check_integrity(connection: &Connection, path: &Path) -> Result<(), BackupError> {
    let finding: String = connection
        .query_row("PRAGMA integrity_check(1)", (), |row| row.get(0))
        .map_err(|error| OpenError::of(path, EngineError::from(error)))?;
    if finding == "ok" {
        return Ok(());
    }
    let path = path.to_owned();
    Err(BackupError::Damaged { path, finding })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_for_the_same_file_at_the_same_time_do_not_write_into_one_another() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("backup");
        let [first, second] = [(); 2].map(|()| TemporaryFile::beside(&path).expect("a file"));
        std::fs::write(&first.path, "of the first").expect("it is still there");
        std::fs::write(&second.path, "of the second").expect("it is still there");
        first.complete(&path).expect("nobody else has completed it");
        let outcome = second.complete(&path);
        let refused = matches!(outcome, Err(BackupError::Exists { .. }));
        assert!(refused, "{outcome:?}");
        let kept = std::fs::read(&path).expect("a file");
        assert_eq!(kept, b"of the first");
        assert_eq!(folder.path().read_dir().expect("a folder").count(), 1);
    }

    #[test]
    fn database_that_appears_during_a_restore_is_kept() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("invoicing.db");
        for suffix in ["", "-wal"] {
            let temporary = TemporaryFile::beside(&path).expect("a file");
            // A service that is restarted meanwhile makes a database.
            let made = folder.path().join(format!("invoicing.db{suffix}"));
            std::fs::write(&made, "of the service").expect("written");
            let outcome = temporary.complete(&path);
            let refused = matches!(outcome, Err(BackupError::Exists { .. }));
            assert!(refused, "{suffix}: {outcome:?}");
            let kept = std::fs::read(&made).expect("a file");
            assert_eq!(kept, b"of the service");
            assert_eq!(folder.path().read_dir().expect("a folder").count(), 1);
            std::fs::remove_file(&made).expect("removed");
        }
    }
}
