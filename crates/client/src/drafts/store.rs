//! The files of one owner's drafts.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use sha2::{Digest as _, Sha256};
use uuid::Uuid;

use super::cipher::{DraftCipher, Unreadable};
use super::{Kept, Owner};
use crate::files::{self, FileError};
use crate::rng::Rng;

const EXTENSION: &str = "draft";

/// Where one owner's drafts are.
#[derive(Clone)]
pub(super) struct Folder {
    path: PathBuf,
    owner: Owner,
    cipher: Arc<DraftCipher>,
    rng: Arc<dyn Rng>,
}

impl Folder {
    /// The folder's name tells nobody whose it is.
    pub(super) fn new(
        root: &Path,
        owner: &Owner,
        cipher: Arc<DraftCipher>,
        rng: Arc<dyn Rng>,
    ) -> Self {
        let digest = Sha256::new()
            .chain_update(&owner.account)
            .chain_update([0])
            .chain_update(&owner.organization)
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

    pub(super) async fn write(&self, key: &str, kept: &Kept) -> Result<(), FileError> {
        let sealed = serde_json::to_vec(kept)
            .ok()
            .and_then(|text| self.cipher.seal(&*self.rng, &self.bound(key), &text));
        let sealed =
            sealed.ok_or_else(|| FileError::from(io::Error::from(io::ErrorKind::InvalidData)))?;
        let path = self.file(key)?;
        files::run_blocking(move || files::write(&path, &sealed)).await
    }

    pub(super) async fn read(&self, key: &str) -> Result<Option<Kept>, FileError> {
        let (folder, key) = (self.clone(), key.to_owned());
        files::run_blocking(move || folder.read_now(&key)).await
    }

    /// All that can be read. What cannot is set aside, and what another key wrote is left as it is.
    pub(super) async fn all(&self) -> Result<Vec<Kept>, FileError> {
        let folder = self.clone();
        files::run_blocking(move || {
            let entries = match fs::read_dir(&folder.path) {
                Ok(entries) => entries,
                Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
                Err(error) => return Err(error.into()),
            };
            let mut all = Vec::new();
            for entry in entries {
                let path = entry?.path();
                let key = path.file_stem().and_then(|stem| stem.to_str());
                if path
                    .extension()
                    .is_some_and(|extension| extension == EXTENSION)
                    && let Some(key) = key
                    && let Some(kept) = folder.read_now(key)?
                {
                    all.push(kept);
                }
            }
            Ok(all)
        })
        .await
    }

    pub(super) async fn remove(&self, key: &str) -> Result<(), FileError> {
        let path = self.file(key)?;
        files::run_blocking(move || files::remove(&path)).await
    }

    fn read_now(&self, key: &str) -> Result<Option<Kept>, FileError> {
        let path = self.file(key)?;
        let Some(bytes) = files::read(&path)? else {
            return Ok(None);
        };
        let opened = self.cipher.open(&self.bound(key), &bytes);
        match opened.and_then(|text| serde_json::from_slice(&text).map_err(|_| Unreadable::Broken))
        {
            Ok(kept) => Ok(Some(kept)),
            Err(Unreadable::OtherKey) => Ok(None),
            Err(Unreadable::Broken) => {
                tracing::warn!("a draft cannot be read; its file is kept beside");
                files::quarantine(&path)?;
                Ok(None)
            }
        }
    }

    /// Keys are UUIDs, so that none leads out of the folder.
    fn file(&self, key: &str) -> Result<PathBuf, FileError> {
        let key = Uuid::try_parse(key)
            .map_err(|_| FileError::from(io::Error::from(io::ErrorKind::InvalidFilename)))?;
        Ok(self.path.join(format!("{key}.{EXTENSION}")))
    }

    fn bound(&self, key: &str) -> Vec<u8> {
        [
            self.owner.account.as_bytes(),
            b"\0",
            self.owner.organization.as_bytes(),
            b"\0",
            key.as_bytes(),
        ]
        .concat()
    }
}
