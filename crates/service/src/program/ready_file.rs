//! The ready file: JSON with all that a client needs to begin.

use std::fs;
use std::io::{self, Write as _};
use std::path::Path;

use invoicing_contract::ready::Ready;

/// Removes the ready file of a process that was killed: whoever waits for it would read addresses that nobody listens at.
///
/// # Errors
/// The file cannot be removed.
pub fn remove_stale(file: &Path) -> io::Result<()> {
    match fs::remove_file(file) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        Ok(()) | Err(_) => Ok(()),
    }
}

/// Writes the file atomically and readable by its owner only: with a demo seed it holds passwords.
///
/// # Errors
/// The file cannot be written.
pub fn write(file: &Path, ready: &Ready) -> io::Result<()> {
    let folder = file
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty())
        .unwrap_or(Path::new("."));
    let beside = folder.join(format!(".{}.{}", std::process::id(), "ready"));
    // Of a process of this number that was killed. A file or a link that somebody else has put there is not written to.
    let _ = fs::remove_file(&beside);
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let result = options.open(&beside).and_then(|mut open| {
        open.write_all(&serde_json::to_vec_pretty(ready)?)?;
        open.sync_all()?;
        fs::rename(&beside, file)
    });
    if result.is_err() {
        // The first error is reported; a temporary file may stay.
        let _ = fs::remove_file(&beside);
    }
    result
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn ready_file_is_not_written_into_a_file_that_was_there_before() {
        let folder = tempfile::tempdir().expect("a folder");
        let beside = folder.path().join(format!(".{}.ready", std::process::id()));
        fs::write(&beside, "").expect("a file");
        let everybody = fs::Permissions::from_mode(0o666);
        fs::set_permissions(&beside, everybody).expect("it is ours");
        let ready = Ready {
            auth_url: String::new(),
            base_url: String::new(),
            audience_id: String::new(),
            applications: Vec::new(),
            users: Vec::new(),
            organizations: Vec::new(),
        };
        let file = folder.path().join("ready.json");
        write(&file, &ready).expect("written");
        let mode = file.metadata().expect("a file").permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
}
