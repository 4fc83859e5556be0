//! The files of one owner's drafts: one encrypted file each. Every method blocks the thread.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use invoicing_contract::DocumentKey;
use thiserror::Error;
use uuid::Uuid;
use zeroize::Zeroizing;

use super::file_names::{file_of, key_in, owner_folder};
use super::record::{self, RecordError};
use super::{DraftOwner, SavedDraft, account_file};
use crate::encryption::{DecryptError, RecordCipher, TooLarge};
use crate::files::{self, FileError};
use crate::rng::Rng;
use crate::views::CommandError;

/// Why a draft was not read or written.
#[derive(Debug, Error)]
pub(super) enum DraftError {
    #[error(transparent)]
    File(#[from] FileError),
    /// Another version of the application wrote it. The file stays as it is.
    #[error("a draft has version {0}, which is unknown")]
    UnknownVersion(u32),
    #[error("a draft cannot be serialized")]
    Serialize(#[source] serde_json::Error),
    #[error(transparent)]
    TooLarge(#[from] TooLarge),
    /// Keys become file names, so that a key must be a UUID.
    #[error("a draft's key is not a UUID")]
    Key(#[from] uuid::Error),
}

impl From<io::Error> for DraftError {
    fn from(error: io::Error) -> Self {
        Self::File(error.into())
    }
}

impl From<DraftError> for CommandError {
    fn from(error: DraftError) -> Self {
        match error {
            DraftError::File(error) => error.into(),
            DraftError::UnknownVersion(version) => Self::UnknownDraftVersion { version },
            DraftError::Serialize(_) | DraftError::TooLarge(_) | DraftError::Key(_) => {
                Self::not_saved(error)
            }
        }
    }
}

/// What a file of a draft has.
pub(super) enum FileState {
    Missing,
    Readable(Box<SavedDraft>),
    Unreadable(Unreadable),
}

/// Why a file gives no draft.
#[derive(Debug)]
pub(super) enum Unreadable {
    /// Encrypted with another key than that of the keyring.
    OtherKey,
    /// Written by a newer version. The record could be decrypted.
    UnknownVersion {
        version: u32,
        record: Zeroizing<Vec<u8>>,
    },
    /// Truncated or modified. With the record, if it could be decrypted.
    Damaged { record: Option<Zeroizing<Vec<u8>>> },
}

/// The folder of one owner's drafts.
pub(super) struct DraftFolder {
    path: PathBuf,
    owner: DraftOwner,
    cipher: Arc<RecordCipher>,
    rng: Arc<dyn Rng>,
}

impl DraftFolder {
    pub(super) fn new(
        root: &Path,
        owner: &DraftOwner,
        cipher: Arc<RecordCipher>,
        rng: Arc<dyn Rng>,
    ) -> Self {
        Self {
            path: owner_folder(root, owner),
            owner: owner.clone(),
            cipher,
            rng,
        }
    }

    /// Writes a draft. A file that is there and cannot be read is renamed before.
    pub(super) fn write(&self, saved: &SavedDraft) -> Result<(), DraftError> {
        let key = &saved.draft.key;
        let path = self.file(key)?;
        let json = record::to_json(saved).map_err(DraftError::Serialize)?;
        let encrypted =
            self.cipher
                .encrypt(self.rng.as_ref(), &self.associated_data(key), &json)?;
        if let FileState::Unreadable(reason) = self.state(key)? {
            tracing::warn!(
                ?reason,
                "a draft that cannot be read is kept under another name"
            );
            files::quarantine(&path)?;
        }
        files::write(&path, &encrypted)?;
        account_file::write(&self.path, &self.owner.account);
        Ok(())
    }

    /// Renames the file of a draft that another is written in the place of. It is counted as one that was replaced.
    pub(super) fn keep(&self, key: &DocumentKey) -> Result<(), DraftError> {
        tracing::warn!(
            "a draft is kept under another name, since another one of its document takes its place"
        );
        files::quarantine(&self.file(key)?)?;
        Ok(())
    }

    /// One draft; `None` if there is none that can be read.
    pub(super) fn read(&self, key: &DocumentKey) -> Result<Option<SavedDraft>, DraftError> {
        match self.state(key)? {
            FileState::Readable(saved) => Ok(Some(*saved)),
            FileState::Unreadable(Unreadable::UnknownVersion { version, .. }) => {
                Err(DraftError::UnknownVersion(version))
            }
            FileState::Missing
            | FileState::Unreadable(Unreadable::OtherKey | Unreadable::Damaged { .. }) => Ok(None),
        }
    }

    /// All drafts that can be read. The others are counted by [`unreadable`](super::unreadable).
    pub(super) fn read_all(&self) -> Result<Vec<SavedDraft>, DraftError> {
        let mut drafts = Vec::new();
        if self.path.exists() {
            // An earlier version made it, or the disk was full.
            account_file::write(&self.path, &self.owner.account);
        }
        for path in files::list(&self.path)? {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let Some(key) = key_in(&name) else {
                remove_temporary(&path, &name);
                continue;
            };
            match self.state(&key.into()) {
                Ok(FileState::Readable(saved)) => drafts.push(*saved),
                Ok(FileState::Missing | FileState::Unreadable(_)) => {}
                // One file that cannot be read must not hide the others.
                Err(error) => {
                    let error = &error as &dyn std::error::Error;
                    tracing::warn!(error, "a draft is not listed");
                }
            }
        }
        Ok(drafts)
    }

    pub(super) fn remove(&self, key: &DocumentKey) -> Result<(), DraftError> {
        Ok(files::remove(&self.file(key)?)?)
    }

    /// What the file of a key has.
    pub(super) fn state(&self, key: &DocumentKey) -> Result<FileState, DraftError> {
        let Some(bytes) = files::read(&self.file(key)?)? else {
            return Ok(FileState::Missing);
        };
        Ok(match self.decode(key, &bytes) {
            Ok(saved) => FileState::Readable(Box::new(saved)),
            Err(reason) => FileState::Unreadable(reason),
        })
    }

    /// The draft in the content of a file.
    pub(super) fn decode(&self, key: &DocumentKey, file: &[u8]) -> Result<SavedDraft, Unreadable> {
        let record = match self.cipher.decrypt(&self.associated_data(key), file) {
            Ok(record) => record,
            Err(DecryptError::OtherKey) => return Err(Unreadable::OtherKey),
            Err(DecryptError::NotAuthentic) => return Err(Unreadable::Damaged { record: None }),
        };
        match record::from_json(&record) {
            Ok(saved) => Ok(saved),
            Err(RecordError::UnknownVersion(version)) => {
                Err(Unreadable::UnknownVersion { version, record })
            }
            // The parser's message can quote the content.
            Err(RecordError::Malformed(_)) => Err(Unreadable::Damaged {
                record: Some(record),
            }),
        }
    }

    fn file(&self, key: &DocumentKey) -> Result<PathBuf, DraftError> {
        let key = Uuid::try_parse(key.as_str())?;
        Ok(self.path.join(file_of(key)))
    }

    fn associated_data(&self, key: &DocumentKey) -> Vec<u8> {
        [
            self.owner.account.as_str(),
            "\0",
            self.owner.organization.as_str(),
            "\0",
            key.as_str(),
        ]
        .concat()
        .into_bytes()
    }
}

/// Removes a file that a killed process was writing. Its command had not returned.
fn remove_temporary(path: &Path, name: &str) {
    if name.starts_with('.') && name.ends_with(files::TEMPORARY) {
        let _ = files::remove(path);
    }
}

#[cfg(test)]
mod tests {
    use super::super::OutboxNotes;
    use super::*;
    use crate::account_key::AccountKey;
    use crate::encryption::DRAFT;
    use crate::rng::SystemRng;

    const KEY: &str = "0199f3a0-0000-7000-8000-000000000002";

    fn folder(root: &Path) -> DraftFolder {
        let owner = DraftOwner {
            account: AccountKey::new("local", "u"),
            organization: "1".into(),
        };
        let cipher = RecordCipher::new(DRAFT, &Zeroizing::new([1; 32]));
        DraftFolder::new(root, &owner, Arc::new(cipher), Arc::new(SystemRng))
    }

    #[test]
    fn files_of_earlier_versions_are_read() {
        let root = tempfile::tempdir().expect("a folder");
        let folder = folder(root.path());
        for (version, file) in [
            (0, include_bytes!("fixtures/version_0.draft").as_slice()),
            (1, include_bytes!("fixtures/version_1.draft").as_slice()),
        ] {
            files::write(&folder.file(&KEY.into()).expect("a UUID"), file).expect("written");
            let read = folder.read(&KEY.into()).expect("readable");
            let read = read.unwrap_or_else(|| panic!("version {version} is not read"));
            assert_eq!(read.draft.content.note, "note", "version {version}");
            assert_eq!(folder.read_all().expect("a list"), [read]);
        }
    }

    #[test]
    fn draft_of_an_unknown_version_is_refused_and_its_file_stays() {
        let root = tempfile::tempdir().expect("a folder");
        let folder = folder(root.path());
        let encrypted = folder
            .cipher
            .encrypt(
                folder.rng.as_ref(),
                &folder.associated_data(&KEY.into()),
                br#"{"version":99}"#,
            )
            .expect("small");
        let path = folder.file(&KEY.into()).expect("a UUID");
        files::write(&path, &encrypted).expect("written");
        assert!(matches!(
            folder.read(&KEY.into()),
            Err(DraftError::UnknownVersion(99))
        ));
        assert_eq!(folder.read_all().expect("a list"), []);
        assert_eq!(std::fs::read(&path).expect("it stays"), encrypted);
    }

    #[test]
    fn unreadable_draft_is_kept_when_its_key_is_written_again() {
        let root = tempfile::tempdir().expect("a folder");
        let folder = folder(root.path());
        let path = folder.file(&KEY.into()).expect("a UUID");
        let saved = SavedDraft {
            updated: jiff::Timestamp::UNIX_EPOCH,
            draft: crate::views::Draft {
                key: KEY.into(),
                changes: None,
                content: crate::views::InvoiceContent::default(),
                state: crate::views::DraftState::Editing,
            },
            notes: OutboxNotes::default(),
        };
        let other_key = RecordCipher::new(DRAFT, &Zeroizing::new([2; 32]));
        let other = other_key
            .encrypt(&SystemRng, &folder.associated_data(&KEY.into()), b"{}")
            .expect("small");
        for (number, unreadable) in [(1, b"cut".as_slice()), (2, other.as_slice())] {
            files::write(&path, unreadable).expect("written");
            folder.write(&saved).expect("written");
            let renamed = path.with_file_name(format!("{KEY}.draft.unreadable-{number}"));
            assert_eq!(std::fs::read(renamed).expect("it is kept"), unreadable);
            assert_eq!(folder.read(&KEY.into()).expect("read"), Some(saved.clone()));
        }
    }

    #[test]
    fn key_that_is_no_uuid_is_refused() {
        let root = tempfile::tempdir().expect("a folder");
        let read = folder(root.path()).read(&"../other".into());
        assert!(matches!(read, Err(DraftError::Key(_))));
    }
}
