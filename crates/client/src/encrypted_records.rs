//! Encrypted records on this computer, each a file of its own, in folders for each account and organization. The key is that of
//! drafts.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use thiserror::Error;
use tokio::sync::Mutex;
use zeroize::Zeroizing;

use crate::account_key::AccountKey;
use crate::clock::Clock;
use crate::drafts::{DraftOwner, load_or_generate_key};
use crate::encryption::{DecryptError, RecordCipher, RecordKind, TooLarge};
use crate::files::{self, FileError, FileLock, TEMPORARY};
use crate::rng::Rng;
use crate::vault::{KEYRING_TIMEOUT, UNLOCK_TIMEOUT, Vault, VaultError};
use crate::views::CommandError;

/// The records of one kind.
pub(crate) struct EncryptedRecords {
    kind: RecordKind,
    clock: Arc<dyn Clock>,
    rng: Arc<dyn Rng>,
    vault: Arc<dyn Vault>,
    key_folder: PathBuf,
    folder: PathBuf,
    key: Arc<Mutex<Key>>,
}

/// The key, or why there is none. After a failure only [`EncryptedRecords::unlock`] tries again: each access may ask the user to
/// unlock the keyring.
enum Key {
    NotLoaded,
    Loaded(Arc<RecordCipher>),
    Failed(VaultError),
}

/// The records of one owner within a critical section. Every method blocks the thread.
pub(crate) struct OwnerRecords {
    folder: PathBuf,
    owner: DraftOwner,
    cipher: Arc<RecordCipher>,
    rng: Arc<dyn Rng>,
    _lock: FileLock,
}

/// What a file gives.
pub(crate) enum Record {
    Readable(Zeroizing<Vec<u8>>),
    /// It is encrypted with another key, or damaged. The file stays.
    Unreadable(DecryptError),
}

/// Why a record was not read or written.
#[derive(Debug, Error)]
pub(crate) enum RecordError {
    #[error(transparent)]
    File(#[from] FileError),
    #[error(transparent)]
    TooLarge(#[from] TooLarge),
    #[error("a record has no JSON form")]
    Json(#[from] serde_json::Error),
}

impl From<std::io::Error> for RecordError {
    fn from(error: std::io::Error) -> Self {
        Self::File(error.into())
    }
}

impl From<RecordError> for CommandError {
    fn from(error: RecordError) -> Self {
        match error {
            RecordError::File(error) => error.into(),
            RecordError::TooLarge(_) | RecordError::Json(_) => Self::not_saved(error),
        }
    }
}

impl EncryptedRecords {
    /// `name` is that of the folder in `data`.
    pub(crate) fn new(
        kind: RecordKind,
        clock: Arc<dyn Clock>,
        rng: Arc<dyn Rng>,
        vault: Arc<dyn Vault>,
        data: &Path,
        name: &str,
    ) -> Self {
        Self {
            kind,
            clock,
            rng,
            vault,
            key_folder: data.join("drafts"),
            folder: data.join(name),
            key: Arc::new(Mutex::new(Key::NotLoaded)),
        }
    }

    /// Runs a critical section over the records of an owner, alone among all processes. It is completed even if the caller is
    /// dropped.
    pub(crate) async fn transact<T: Send + 'static, E: Send + 'static>(
        &self,
        owner: &DraftOwner,
        work: impl FnOnce(&OwnerRecords) -> Result<T, E> + Send + 'static,
    ) -> Result<T, CommandError>
    where
        CommandError: From<E>,
    {
        let mut key = Arc::clone(&self.key).lock_owned().await;
        if matches!(*key, Key::NotLoaded) {
            *key = self.load(KEYRING_TIMEOUT).await;
        }
        let cipher = match &*key {
            Key::Loaded(cipher) => Arc::clone(cipher),
            Key::Failed(error) => return Err((*error).into()),
            Key::NotLoaded => return Err(VaultError::Unavailable.into()),
        };
        let (root, rng, owner) = (self.folder.clone(), Arc::clone(&self.rng), owner.clone());
        let done = files::run_blocking(move || {
            // Until the work is done, so that two sections of this process do not run at once.
            let _key = key;
            let records = OwnerRecords {
                folder: owner_folder(&root, &owner),
                owner,
                cipher,
                rng,
                _lock: FileLock::acquire(&root.join("lock")).map_err(FileError::from)?,
            };
            Ok::<_, CommandError>(work(&records)?)
        });
        done.await
    }

    /// The names of an owner's records, in their order. It needs no key: whoever has no records is not asked to unlock the
    /// keyring.
    pub(crate) async fn names(&self, owner: &DraftOwner) -> Result<Vec<String>, CommandError> {
        let folder = owner_folder(&self.folder, owner);
        Ok(files::run_blocking(move || names(&folder)).await?)
    }

    /// Tries the keyring again after it could not be used.
    pub(crate) async fn unlock(&self) -> Result<(), CommandError> {
        let mut key = self.key.lock().await;
        if matches!(*key, Key::Failed(_)) {
            *key = self.load(UNLOCK_TIMEOUT).await;
        }
        match &*key {
            Key::Failed(error) => Err((*error).into()),
            Key::Loaded(_) | Key::NotLoaded => Ok(()),
        }
    }

    /// How many records an account has on this computer, of all organizations. It needs no key.
    pub(crate) async fn count_of_account(
        &self,
        account: &AccountKey,
    ) -> Result<usize, CommandError> {
        let folder = account_folder(&self.folder, account);
        let counted = files::run_blocking(move || {
            let owners = match std::fs::read_dir(folder) {
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(0),
                owners => owners?,
            };
            let mut count = 0;
            for owner in owners {
                let folder = owner?.path();
                // A file manager leaves files of its own.
                if folder.is_dir() {
                    count += names(&folder)?.len();
                }
            }
            Ok::<_, RecordError>(count)
        });
        Ok(counted.await?)
    }

    /// Deletes all records of an account from this computer. It needs no key.
    pub(crate) async fn delete_of_account(&self, account: &AccountKey) -> Result<(), CommandError> {
        let folder = account_folder(&self.folder, account);
        let deleted = files::run_blocking(move || match std::fs::remove_dir_all(folder) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error),
            Ok(()) | Err(_) => Ok(()),
        });
        Ok(deleted.await.map_err(FileError::from)?)
    }

    async fn load(&self, timeout: Duration) -> Key {
        let loaded = load_or_generate_key(
            &self.clock,
            self.rng.as_ref(),
            self.vault.as_ref(),
            &self.key_folder,
            timeout,
        );
        match loaded.await {
            Ok(key) => Key::Loaded(Arc::new(RecordCipher::new(self.kind, &key))),
            Err(error) => Key::Failed(error),
        }
    }
}

impl OwnerRecords {
    /// The names of all records, in their order. What a killed process was writing is removed: its command had not returned.
    pub(crate) fn names(&self) -> Result<Vec<String>, RecordError> {
        for path in files::list(&self.folder)? {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            if is_temporary(&name) {
                let _ = files::remove(&path);
            }
        }
        names(&self.folder)
    }

    /// One record; `None` if there is none.
    pub(crate) fn read(&self, name: &str) -> Result<Option<Record>, RecordError> {
        let Some(bytes) = files::read(&self.folder.join(name))? else {
            return Ok(None);
        };
        let read = self.cipher.decrypt(&self.associated_data(name), &bytes);
        Ok(Some(read.map_or_else(Record::Unreadable, Record::Readable)))
    }

    /// Writes a record; on the disk when it returns.
    pub(crate) fn write(&self, name: &str, plain: &[u8]) -> Result<(), RecordError> {
        let encrypted =
            self.cipher
                .encrypt(self.rng.as_ref(), &self.associated_data(name), plain)?;
        Ok(files::write(&self.folder.join(name), &encrypted)?)
    }

    /// Deletes a record. It is not an error if there is none.
    pub(crate) fn remove(&self, name: &str) -> Result<(), RecordError> {
        Ok(files::remove(&self.folder.join(name))?)
    }

    /// Takes the lock of a record, which says that what the record tells of is under way. `None` if somebody holds it.
    pub(crate) fn lock(&self, name: &str) -> Result<Option<FileLock>, RecordError> {
        Ok(FileLock::try_acquire(&self.lock_file(name))?)
    }

    /// Deletes the file of the lock of a record. It is not an error if there is none.
    pub(crate) fn remove_lock(&self, name: &str) -> Result<(), RecordError> {
        Ok(files::remove(&self.lock_file(name))?)
    }

    /// Its name is none of a record ([`names`]).
    fn lock_file(&self, name: &str) -> PathBuf {
        self.folder.join(format!(".{name}.lock"))
    }

    fn associated_data(&self, name: &str) -> Vec<u8> {
        [
            self.owner.account.as_str(),
            "\0",
            self.owner.organization.as_str(),
            "\0",
            name,
        ]
        .concat()
        .into_bytes()
    }
}

fn names(folder: &Path) -> Result<Vec<String>, RecordError> {
    let files = files::list(folder)?;
    let mut names: Vec<_> = files
        .iter()
        .map(|path| path.file_name().unwrap_or_default().to_string_lossy())
        // A temporary file, a lock, or one that a file manager has left.
        .filter(|name| !name.starts_with('.'))
        .map(|name| name.into_owned())
        .collect();
    names.sort();
    Ok(names)
}

fn is_temporary(name: &str) -> bool {
    name.starts_with('.') && name.ends_with(TEMPORARY)
}

fn owner_folder(root: &Path, owner: &DraftOwner) -> PathBuf {
    account_folder(root, &owner.account).join(files::opaque_name(owner.organization.as_str()))
}

fn account_folder(root: &Path, account: &AccountKey) -> PathBuf {
    root.join(files::opaque_name(account.as_str()))
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;

    use super::*;
    use crate::clock::FakeClock;
    use crate::encryption::TEMPLATE;
    use crate::rng::SystemRng;
    use crate::vault::MemoryVault;

    #[tokio::test]
    async fn files_that_a_file_manager_leaves_are_no_records() {
        let data = tempfile::tempdir().expect("a folder");
        let records = EncryptedRecords::new(
            TEMPLATE,
            Arc::new(FakeClock::new(Timestamp::UNIX_EPOCH)),
            Arc::new(SystemRng),
            Arc::new(MemoryVault::default()),
            data.path(),
            "templates",
        );
        let owner = DraftOwner {
            account: AccountKey::new("local", "u"),
            organization: "1".into(),
        };
        let root = data.path().join("templates");
        let folder = owner_folder(&root, &owner);
        std::fs::create_dir_all(&folder).expect("created");
        for path in [
            folder.join("a"),
            folder.join(".DS_Store"),
            account_folder(&root, &owner.account).join(".DS_Store"),
        ] {
            std::fs::write(path, "x").expect("written");
        }
        assert_eq!(records.names(&owner).await, Ok(vec!["a".to_owned()]));
        assert_eq!(records.count_of_account(&owner.account).await, Ok(1));
    }
}
