//! The archive folder: files are written completely or not at all, and none is ever overwritten or deleted.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// Held while archives are written or verified, by one process at a time.
#[derive(Debug)]
pub(super) struct FolderLock {
    _file: File,
}

/// Creates the folder for its owner only, if there is none, and takes its lock. `None` if another process holds it.
pub(super) fn lock(folder: &Path) -> io::Result<Option<FolderLock>> {
    if !folder.is_dir() {
        create_private(folder)?;
        if let Some(parent) = folder.parent() {
            sync_folder(parent)?;
        }
    }
    let mut options = OpenOptions::new();
    options.create(true).append(true);
    let file = options.open(folder.join(".lock"))?;
    match file.try_lock() {
        Ok(()) => Ok(Some(FolderLock { _file: file })),
        Err(fs::TryLockError::WouldBlock) => Ok(None),
        Err(fs::TryLockError::Error(error)) => Err(error),
    }
}

/// Writes `bytes` under `stem` with the extension of an archive, so that the file is complete and on the disk when this
/// returns its name. A file of this name with other content stays: an earlier run was killed before it recorded the archive,
/// or the database was restored. The new one then gets a number.
pub(super) fn write(
    _lock: &FolderLock,
    folder: &Path,
    stem: &str,
    bytes: &[u8],
) -> io::Result<String> {
    let name = free_name(folder, stem, bytes)?;
    let target = folder.join(&name);
    if !target.exists() {
        let temporary = folder.join(".archive.tmp");
        let mut file = create_private_file(&temporary)?;
        file.write_all(bytes)?;
        super::log_step("archive written");
        file.sync_all()?;
        super::log_step("archive synced");
        fs::rename(&temporary, &target)?;
        super::log_step("archive renamed");
    }
    sync_folder(folder)?;
    super::log_step("archive folder synced");
    Ok(name)
}

/// The names of the archive files, whether they are recorded or not.
pub(super) fn names(folder: &Path) -> io::Result<Vec<String>> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    let mut names = Vec::new();
    for entry in entries {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if !name.starts_with('.') {
            names.push(name);
        }
    }
    names.sort_unstable();
    Ok(names)
}

fn free_name(folder: &Path, stem: &str, bytes: &[u8]) -> io::Result<String> {
    let mut name = format!("{stem}.jsonl.gz");
    for number in 2.. {
        match fs::read(folder.join(&name)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => break,
            Err(error) => return Err(error),
            Ok(existing) if existing == bytes => break,
            Ok(_) => name = format!("{stem}.{number}.jsonl.gz"),
        }
    }
    Ok(name)
}

fn create_private(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

fn create_private_file(path: &PathBuf) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// Makes a rename durable. Windows has no such call; NTFS journals it.
fn sync_folder(folder: &Path) -> io::Result<()> {
    #[cfg(unix)]
    {
        let folder = if folder.as_os_str().is_empty() {
            Path::new(".")
        } else {
            folder
        };
        File::open(folder)?.sync_all()
    }
    #[cfg(not(unix))]
    {
        let _ = folder;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_of_the_same_name_is_kept_and_one_of_the_same_content_is_used() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().join("audit");
        let lock = lock(&folder).unwrap().unwrap();
        let write = |bytes: &[u8]| write(&lock, &folder, "a", bytes).unwrap();
        assert_eq!(write(b"one"), "a.jsonl.gz");
        assert_eq!(write(b"one"), "a.jsonl.gz");
        assert_eq!(write(b"two"), "a.2.jsonl.gz");
        assert_eq!(write(b"two"), "a.2.jsonl.gz");
        assert_eq!(write(b"one"), "a.jsonl.gz");
        assert_eq!(names(&folder).unwrap(), ["a.2.jsonl.gz", "a.jsonl.gz"]);
        assert_eq!(fs::read(folder.join("a.jsonl.gz")).unwrap(), b"one");
    }

    #[test]
    fn folder_is_locked_by_one_at_a_time_and_private() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().join("audit");
        let held = lock(&folder).unwrap();
        assert!(held.is_some() && lock(&folder).unwrap().is_none());
        drop(held);
        assert!(lock(&folder).unwrap().is_some());
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            let mode = fs::metadata(&folder).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o700);
        }
    }
}
