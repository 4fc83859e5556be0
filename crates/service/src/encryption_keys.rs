//! The file with the keys that stored secrets are encrypted with (decision 0127).

use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use invoicing_storage::Rng;
use invoicing_storage::encryption::{EncryptionKeys, InvalidKeys};
use zeroize::Zeroizing;

/// Why the keys cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum KeyFileError {
    /// The file cannot be read, or not be created.
    #[error("the key file {} cannot be read or created: {source}", .path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// It has no valid keys.
    #[error("the key file {} is not one: {source}", .path.display())]
    Invalid {
        /// The file.
        path: PathBuf,
        /// Why.
        source: InvalidKeys,
    },
    /// Other users of the machine can read it.
    #[error("the key file {} can be read by others: change its mode to 0600", .path.display())]
    Readable {
        /// The file.
        path: PathBuf,
    },
}

/// Reads a key file.
///
/// # Errors
/// See [`KeyFileError`].
pub fn read_key_file(path: &Path) -> Result<EncryptionKeys, KeyFileError> {
    let failed = |source| KeyFileError::File {
        path: path.to_owned(),
        source,
    };
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        let mode = fs::metadata(path).map_err(failed)?.mode();
        // A group may read it: Kubernetes gives secrets to the group of the process.
        if mode & 0o007 != 0 {
            return Err(KeyFileError::Readable {
                path: path.to_owned(),
            });
        }
    }
    let text = Zeroizing::new(fs::read_to_string(path).map_err(failed)?);
    EncryptionKeys::parse(&text).map_err(|source| KeyFileError::Invalid {
        path: path.to_owned(),
        source,
    })
}

/// Reads a key file, and creates it with a new key and mode 0600 if there is none.
///
/// # Errors
/// See [`KeyFileError`].
pub(crate) fn read_or_create(path: &Path, rng: &dyn Rng) -> Result<EncryptionKeys, KeyFileError> {
    match create(path, rng) {
        Ok(()) => {}
        Err(source) if source.kind() == io::ErrorKind::AlreadyExists => {}
        Err(source) => {
            return Err(KeyFileError::File {
                path: path.to_owned(),
                source,
            });
        }
    }
    read_key_file(path)
}

/// Creates the file whole: it is written under another name first. Of two callers one does.
fn create(path: &Path, rng: &dyn Rng) -> io::Result<()> {
    if path.exists() {
        return Err(io::ErrorKind::AlreadyExists.into());
    }
    let mut beside = path.as_os_str().to_owned();
    beside.push(format!(".{}", std::process::id()));
    let beside = PathBuf::from(beside);
    // Of a process of this number that was killed. A file or a link that somebody else has put there is not written to.
    let _ = fs::remove_file(&beside);
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let written = options.open(&beside).and_then(|mut file| {
        file.write_all(EncryptionKeys::new_file(rng).as_bytes())?;
        file.sync_all()?;
        fs::hard_link(&beside, path)
    });
    // The key is under its own name, or there is an error to report.
    let _ = fs::remove_file(&beside);
    written
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SystemRng;

    #[test]
    fn created_file_is_private_and_read_again() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("keys");
        let created = read_or_create(&path, &SystemRng).expect("created");
        let record = created.encrypt(&SystemRng, b"owner", b"hush");
        let read = read_or_create(&path, &SystemRng).expect("read");
        assert_eq!(
            read.decrypt(b"owner", &record).expect("ours").as_slice(),
            b"hush"
        );
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            let mode = |mode| fs::set_permissions(&path, fs::Permissions::from_mode(mode));
            mode(0o644).expect("it is ours");
            assert!(matches!(
                read_key_file(&path),
                Err(KeyFileError::Readable { .. })
            ));
        }
    }

    #[test]
    fn missing_or_invalid_file_is_an_error() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("keys");
        assert!(matches!(
            read_key_file(&path),
            Err(KeyFileError::File { .. })
        ));
        fs::write(&path, "no key").expect("written");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).expect("it is ours");
        }
        assert!(matches!(
            read_key_file(&path),
            Err(KeyFileError::Invalid { .. })
        ));
    }

    #[cfg(unix)]
    #[test]
    fn key_is_not_written_into_a_file_that_was_there_before() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("keys");
        let beside = folder.path().join(format!("keys.{}", std::process::id()));
        fs::write(&beside, "").expect("a file");
        fs::set_permissions(&beside, fs::Permissions::from_mode(0o666)).expect("it is ours");
        read_or_create(&path, &SystemRng).expect("a private file");
    }
}
