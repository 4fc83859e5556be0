//! The files of one owner's drafts: one encrypted file each.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use invoicing_contract::DocumentKey;
use sha2::{Digest as _, Sha256};
use thiserror::Error;
use uuid::Uuid;

use super::record::{self, RecordError};
use super::{DraftOwner, SavedDraft};
use crate::encryption::{DecryptError, RecordCipher as DraftCipher, TooLarge};
use crate::files::{self, FileError};
use crate::rng::Rng;
use crate::views::CommandError;

const EXTENSION: &str = "draft";

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
                Self::NotSaved {
                    reason: error.to_string(),
                }
            }
        }
    }
}

/// The folder of one owner's drafts.
#[derive(Clone)]
pub(super) struct DraftFolder {
    path: PathBuf,
    owner: DraftOwner,
    cipher: Arc<DraftCipher>,
    rng: Arc<dyn Rng>,
}

impl DraftFolder {
    /// The folder's name is a digest, which does not reveal the owner.
    pub(super) fn new(
        root: &Path,
        owner: &DraftOwner,
        cipher: Arc<DraftCipher>,
        rng: Arc<dyn Rng>,
    ) -> Self {
        let digest = Sha256::new()
            .chain_update(owner.account.as_str())
            .chain_update([0])
            .chain_update(owner.organization.as_str())
            .finalize();
        let name: String = digest
            .iter()
            .take(16)
            .map(|byte| format!("{byte:02x}"))
            .collect();
        Self {
            path: root.join(name),
            owner: owner.clone(),
            cipher,
            rng,
        }
    }

    pub(super) async fn write(&self, saved: &SavedDraft) -> Result<(), DraftError> {
        let key = &saved.draft.key;
        let path = self.file(key)?;
        let json = record::to_json(saved).map_err(DraftError::Serialize)?;
        let encrypted =
            self.cipher
                .encrypt(self.rng.as_ref(), &self.associated_data(key), &json)?;
        Ok(files::run_blocking(move || files::write(&path, &encrypted)).await?)
    }

    /// One draft; `None` if there is none that can be read.
    pub(super) async fn read(&self, key: &DocumentKey) -> Result<Option<SavedDraft>, DraftError> {
        let (folder, key) = (self.clone(), key.clone());
        files::run_blocking(move || folder.read_blocking(&key)).await
    }

    /// All drafts that can be read. Damaged files are renamed; files of another key or an unknown version stay.
    pub(super) async fn read_all(&self) -> Result<Vec<SavedDraft>, DraftError> {
        let folder = self.clone();
        files::run_blocking(move || folder.read_all_blocking()).await
    }

    pub(super) async fn remove(&self, key: &DocumentKey) -> Result<(), DraftError> {
        let path = self.file(key)?;
        Ok(files::run_blocking(move || files::remove(&path)).await?)
    }

    fn read_all_blocking(&self) -> Result<Vec<SavedDraft>, DraftError> {
        let entries = match fs::read_dir(&self.path) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(error.into()),
        };
        let mut drafts = Vec::new();
        for entry in entries {
            let path = entry?.path();
            let is_draft = path
                .extension()
                .is_some_and(|extension| extension == EXTENSION);
            let Some(key) = path.file_stem().and_then(|stem| stem.to_str()) else {
                continue;
            };
            if !is_draft {
                continue;
            }
            match self.read_blocking(&key.into()) {
                Ok(draft) => drafts.extend(draft),
                Err(error @ DraftError::UnknownVersion(_)) => {
                    tracing::warn!(%error, "a draft is not listed");
                }
                Err(error) => return Err(error),
            }
        }
        Ok(drafts)
    }

    fn read_blocking(&self, key: &DocumentKey) -> Result<Option<SavedDraft>, DraftError> {
        let path = self.file(key)?;
        let Some(bytes) = files::read(&path)? else {
            return Ok(None);
        };
        let json = match self.cipher.decrypt(&self.associated_data(key), &bytes) {
            Ok(json) => json,
            Err(DecryptError::OtherKey) => return Ok(None),
            Err(error @ DecryptError::NotAuthentic) => {
                tracing::warn!(%error, "a draft cannot be read; its file is renamed");
                files::quarantine(&path)?;
                return Ok(None);
            }
        };
        match record::from_json(&json) {
            Ok(saved) => Ok(Some(saved)),
            Err(RecordError::UnknownVersion(version)) => Err(DraftError::UnknownVersion(version)),
            Err(RecordError::Malformed(error)) => {
                // The parser's message can quote the content.
                let (line, column) = (error.line(), error.column());
                tracing::warn!(line, column, "a draft cannot be read; its file is renamed");
                files::quarantine(&path)?;
                Ok(None)
            }
        }
    }

    fn file(&self, key: &DocumentKey) -> Result<PathBuf, DraftError> {
        let key = Uuid::try_parse(key.as_str())?;
        Ok(self.path.join(format!("{key}.{EXTENSION}")))
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

#[cfg(test)]
mod tests {
    use zeroize::Zeroizing;

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
        let cipher = Arc::new(DraftCipher::new(DRAFT, &Zeroizing::new([1; 32])));
        DraftFolder::new(root, &owner, cipher, Arc::new(SystemRng))
    }

    /// Writes a record as a file of the folder.
    fn write_record(folder: &DraftFolder, record: &[u8]) -> PathBuf {
        let key = KEY.into();
        let encrypted = folder
            .cipher
            .encrypt(folder.rng.as_ref(), &folder.associated_data(&key), record)
            .expect("small");
        let path = folder.file(&key).expect("a UUID");
        files::write(&path, &encrypted).expect("written");
        path
    }

    #[tokio::test]
    async fn draft_of_an_unknown_version_is_refused_and_its_file_stays() {
        let root = tempfile::tempdir().expect("a folder");
        let folder = folder(root.path());
        let path = write_record(&folder, br#"{"version":99}"#);
        let before = fs::read(&path).expect("a file");
        assert!(matches!(
            folder.read(&KEY.into()).await,
            Err(DraftError::UnknownVersion(99))
        ));
        assert_eq!(folder.read_all().await.expect("a list"), []);
        assert_eq!(fs::read(&path).expect("it stays"), before);
    }

    #[tokio::test]
    async fn malformed_draft_is_renamed_and_not_deleted() {
        let root = tempfile::tempdir().expect("a folder");
        let folder = folder(root.path());
        let path = write_record(&folder, b"{");
        assert_eq!(folder.read(&KEY.into()).await.expect("no error"), None);
        assert!(!path.exists());
        let names = fs::read_dir(&folder.path).expect("a folder").count();
        assert_eq!(names, 1, "the renamed file");
    }

    #[tokio::test]
    async fn key_that_is_no_uuid_is_refused() {
        let root = tempfile::tempdir().expect("a folder");
        let read = folder(root.path()).read(&"../other".into()).await;
        assert!(matches!(read, Err(DraftError::Key(_))));
    }
}
