//! Drafts: what was typed and is not at the service yet, encrypted at rest, one file each.
//!
//! They belong to an environment, a user and an organization for ever, and outlive sign-outs, crashes and updates.

mod cipher;
mod key;
mod store;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use tokio::sync::Mutex;

use crate::clock::Clock;
use crate::files::FileError;
use crate::rng::Rng;
use crate::vault::{KEYRING_TIMEOUT, UNLOCK_TIMEOUT, Vault, VaultError};
use crate::views::{CommandError, Draft, DraftState, DraftSummary, VaultTrouble};

use cipher::DraftCipher;
use store::Folder;

/// Whose drafts: environment and user, and organization.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Owner {
    pub(crate) account: String,
    pub(crate) organization: String,
}

/// A draft and when it was last kept.
#[derive(Clone, Serialize, Deserialize)]
struct Kept {
    updated: Timestamp,
    draft: Draft,
}

/// All drafts of this computer.
pub(crate) struct Drafts {
    clock: Arc<dyn Clock>,
    rng: Arc<dyn Rng>,
    vault: Arc<dyn Vault>,
    folder: PathBuf,
    state: Mutex<State>,
    trouble: std::sync::Mutex<Option<VaultTrouble>>,
}

#[derive(Default)]
struct State {
    cipher: Option<Arc<DraftCipher>>,
    /// Drafts that cannot be kept as long as there is no key.
    memory: BTreeMap<(Owner, String), Kept>,
}

impl Drafts {
    pub(crate) fn new(
        clock: Arc<dyn Clock>,
        rng: Arc<dyn Rng>,
        vault: Arc<dyn Vault>,
        folder: PathBuf,
    ) -> Self {
        Self {
            clock,
            rng,
            vault,
            folder,
            state: Mutex::default(),
            trouble: std::sync::Mutex::default(),
        }
    }

    /// Why drafts last only as long as the program, if they do.
    pub(crate) fn trouble(&self) -> Option<VaultTrouble> {
        *self
            .trouble
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// Tries the keyring again, and keeps what was only in memory.
    pub(crate) async fn unlock(&self) -> Result<(), CommandError> {
        let mut state = self.state.lock().await;
        let cipher = match &state.cipher {
            Some(cipher) => Arc::clone(cipher),
            None => {
                let opened = self.open(UNLOCK_TIMEOUT).await;
                self.note(opened.as_ref().err().copied());
                Arc::clone(state.cipher.insert(opened?))
            }
        };
        for ((owner, key), kept) in std::mem::take(&mut state.memory) {
            if let Err(error) = self.folder(&owner, &cipher).write(&key, &kept).await {
                state.memory.insert((owner, key), kept);
                return Err(error.into());
            }
        }
        Ok(())
    }

    /// Newest first. `gross` computes what a summary shows of a draft.
    pub(crate) async fn list(
        &self,
        owner: &Owner,
        gross: impl Fn(&Draft) -> Option<String>,
    ) -> Result<Vec<DraftSummary>, CommandError> {
        let kept = self.kept(owner).await?;
        Ok(kept
            .into_iter()
            .map(|kept| summary(&kept, gross(&kept.draft)))
            .collect())
    }

    /// Keys of the drafts that are to be sent, the oldest first.
    pub(crate) async fn waiting(&self, owner: &Owner) -> Result<Vec<String>, CommandError> {
        let kept = self.kept(owner).await?;
        Ok(kept
            .into_iter()
            .rev()
            .map(|kept| kept.draft)
            .filter(|draft| draft.state == DraftState::Waiting)
            .map(|draft| draft.key)
            .collect())
    }

    /// One draft.
    pub(crate) async fn get(
        &self,
        owner: &Owner,
        key: &str,
    ) -> Result<Option<Draft>, CommandError> {
        let mut state = self.state.lock().await;
        if let Some(kept) = state.memory.get(&(owner.clone(), key.to_owned())) {
            return Ok(Some(kept.draft.clone()));
        }
        let Some(cipher) = self.cipher(&mut state).await else {
            return Ok(None);
        };
        Ok(self
            .folder(owner, &cipher)
            .read(key)
            .await?
            .map(|kept| kept.draft))
    }

    /// Keeps a draft; on disk when it returns, unless there is no key.
    pub(crate) async fn save(&self, owner: &Owner, draft: Draft) -> Result<(), CommandError> {
        let key = draft.key.clone();
        let kept = Kept {
            updated: self.clock.now(),
            draft,
        };
        let mut state = self.state.lock().await;
        match self.cipher(&mut state).await {
            Some(cipher) => self.folder(owner, &cipher).write(&key, &kept).await?,
            None => {
                state.memory.insert((owner.clone(), key), kept);
            }
        }
        Ok(())
    }

    /// Notes what became of a draft, if there is one.
    pub(crate) async fn mark(
        &self,
        owner: &Owner,
        key: &str,
        became: DraftState,
    ) -> Result<(), CommandError> {
        match self.get(owner, key).await? {
            Some(draft) if draft.state != became => {
                self.save(
                    owner,
                    Draft {
                        state: became,
                        ..draft
                    },
                )
                .await
            }
            _ => Ok(()),
        }
    }

    /// Deletes a draft; fine if there is none.
    pub(crate) async fn discard(&self, owner: &Owner, key: &str) -> Result<(), CommandError> {
        let mut state = self.state.lock().await;
        state.memory.remove(&(owner.clone(), key.to_owned()));
        if let Some(cipher) = self.cipher(&mut state).await {
            self.folder(owner, &cipher).remove(key).await?;
        }
        Ok(())
    }

    /// Deletes a draft that has arrived, unless somebody has typed on while it was on its way: that is not at the service.
    pub(crate) async fn discard_sent(
        &self,
        owner: &Owner,
        sent: &Draft,
    ) -> Result<(), CommandError> {
        match self.get(owner, &sent.key).await? {
            Some(kept) if kept.content != sent.content => Ok(()),
            Some(_) | None => self.discard(owner, &sent.key).await,
        }
    }

    /// All of an owner's, the newest first.
    async fn kept(&self, owner: &Owner) -> Result<Vec<Kept>, CommandError> {
        let mut state = self.state.lock().await;
        let stored = match self.cipher(&mut state).await {
            Some(cipher) => self.folder(owner, &cipher).all().await?,
            None => Vec::new(),
        };
        let memory = state
            .memory
            .iter()
            .filter(|((of, _), _)| of == owner)
            .map(|(_, kept)| kept.clone());
        let mut kept: Vec<_> = stored.into_iter().chain(memory).collect();
        kept.sort_by_key(|kept| std::cmp::Reverse(kept.updated));
        Ok(kept)
    }

    async fn cipher(&self, state: &mut State) -> Option<Arc<DraftCipher>> {
        // After trouble only a person's wish tries again: each try may ask somebody to unlock the keyring.
        if state.cipher.is_none() && self.trouble().is_none() {
            let opened = self.open(KEYRING_TIMEOUT).await;
            self.note(opened.as_ref().err().copied());
            state.cipher = opened.ok();
        }
        state.cipher.clone()
    }

    async fn open(&self, patience: std::time::Duration) -> Result<Arc<DraftCipher>, VaultError> {
        key::open(
            &self.clock,
            &*self.rng,
            self.vault.as_ref(),
            &self.folder,
            patience,
        )
        .await
        .map(Arc::new)
    }

    fn note(&self, error: Option<VaultError>) {
        *self
            .trouble
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner) = error.map(VaultError::trouble);
    }

    fn folder(&self, owner: &Owner, cipher: &Arc<DraftCipher>) -> Folder {
        Folder::new(
            &self.folder,
            owner,
            Arc::clone(cipher),
            Arc::clone(&self.rng),
        )
    }
}

fn summary(kept: &Kept, gross: Option<String>) -> DraftSummary {
    let Draft {
        key,
        content,
        state,
        ..
    } = &kept.draft;
    DraftSummary {
        key: key.clone(),
        buyer: content.buyer.name.clone(),
        lines: u32::try_from(content.lines.len()).unwrap_or(u32::MAX),
        gross,
        currency: content.currency.clone(),
        updated: kept.updated.to_string(),
        state: *state,
    }
}

impl From<FileError> for VaultError {
    /// The key's marker could not be kept, so the key cannot be relied on.
    fn from(_: FileError) -> Self {
        Self::Unavailable
    }
}
