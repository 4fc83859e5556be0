//! Drafts: what a user has typed and the service does not have yet. Encrypted at rest, one file each.
//!
//! A draft belongs to an environment, a user and an organization. It survives sign-out, crashes and updates.

mod encryption_key;
mod folder;
mod record;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, PoisonError};
use std::time::Duration;

use invoicing_contract::{DocumentKey, OrganizationId};
use jiff::Timestamp;
use tokio::sync::Mutex;

use crate::account_key::AccountKey;
use crate::clock::Clock;
use crate::encryption::RecordCipher as DraftCipher;
use crate::files::FileError;
use crate::rng::Rng;
use crate::vault::{KEYRING_TIMEOUT, UNLOCK_TIMEOUT, Vault, VaultError};
use crate::views::{CommandError, Draft, DraftState, DraftSummary, VaultProblem};

use folder::DraftFolder;

/// The account and organization that drafts belong to.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct DraftOwner {
    pub(crate) account: AccountKey,
    pub(crate) organization: OrganizationId,
}

/// A draft and the time of its last save.
#[derive(Debug, Clone, PartialEq, Eq)]
struct SavedDraft {
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
    vault_problem: std::sync::Mutex<Option<VaultProblem>>,
}

#[derive(Default)]
struct State {
    cipher: Option<Arc<DraftCipher>>,
    /// Drafts that cannot be written while there is no key.
    memory: BTreeMap<(DraftOwner, DocumentKey), SavedDraft>,
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
            vault_problem: std::sync::Mutex::default(),
        }
    }

    /// Why drafts are in memory only, if they are.
    pub(crate) fn vault_problem(&self) -> Option<VaultProblem> {
        *self
            .vault_problem
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Tries the keyring again, and writes the drafts that were in memory only.
    pub(crate) async fn unlock(&self) -> Result<(), CommandError> {
        let mut state = self.state.lock().await;
        let cipher = match &state.cipher {
            Some(cipher) => Arc::clone(cipher),
            None => {
                let loaded = self.load_cipher(UNLOCK_TIMEOUT).await;
                Arc::clone(state.cipher.insert(loaded?))
            }
        };
        for ((owner, key), saved) in std::mem::take(&mut state.memory) {
            if let Err(error) = self.folder(&owner, &cipher).write(&saved).await {
                state.memory.insert((owner, key), saved);
                return Err(error.into());
            }
        }
        Ok(())
    }

    /// Newest first. `gross` computes the total that a summary shows.
    pub(crate) async fn list(
        &self,
        owner: &DraftOwner,
        gross: impl Fn(&Draft) -> Option<String>,
    ) -> Result<Vec<DraftSummary>, CommandError> {
        let saved = self.all(owner).await?;
        Ok(saved
            .into_iter()
            .map(|saved| {
                let gross = gross(&saved.draft);
                summary(saved, gross)
            })
            .collect())
    }

    /// Keys of the drafts in the outbox, the oldest first.
    pub(crate) async fn queued(
        &self,
        owner: &DraftOwner,
    ) -> Result<Vec<DocumentKey>, CommandError> {
        let saved = self.all(owner).await?;
        Ok(saved
            .into_iter()
            .rev()
            .map(|saved| saved.draft)
            .filter(|draft| draft.state == DraftState::Waiting)
            .map(|draft| draft.key)
            .collect())
    }

    /// One draft.
    pub(crate) async fn get(
        &self,
        owner: &DraftOwner,
        key: &DocumentKey,
    ) -> Result<Option<Draft>, CommandError> {
        let mut state = self.state.lock().await;
        if let Some(saved) = state.memory.get(&(owner.clone(), key.clone())) {
            return Ok(Some(saved.draft.clone()));
        }
        let Some(cipher) = self.cipher(&mut state).await else {
            return Ok(None);
        };
        let saved = self.folder(owner, &cipher).read(key).await?;
        Ok(saved.map(|saved| saved.draft))
    }

    /// Saves a draft; on disk when it returns, unless there is no key.
    pub(crate) async fn save(&self, owner: &DraftOwner, draft: Draft) -> Result<(), CommandError> {
        let saved = SavedDraft {
            updated: self.clock.now(),
            draft,
        };
        let mut state = self.state.lock().await;
        match self.cipher(&mut state).await {
            Some(cipher) => self.folder(owner, &cipher).write(&saved).await?,
            None => {
                let key = saved.draft.key.clone();
                state.memory.insert((owner.clone(), key), saved);
            }
        }
        Ok(())
    }

    /// Saves another state of a draft, if there is one.
    pub(crate) async fn set_state(
        &self,
        owner: &DraftOwner,
        key: &DocumentKey,
        state: DraftState,
    ) -> Result<(), CommandError> {
        match self.get(owner, key).await? {
            Some(draft) if draft.state != state => self.save(owner, Draft { state, ..draft }).await,
            _ => Ok(()),
        }
    }

    /// Deletes a draft. It is not an error if there is none.
    pub(crate) async fn discard(
        &self,
        owner: &DraftOwner,
        key: &DocumentKey,
    ) -> Result<(), CommandError> {
        let mut state = self.state.lock().await;
        state.memory.remove(&(owner.clone(), key.clone()));
        if let Some(cipher) = self.cipher(&mut state).await {
            self.folder(owner, &cipher).remove(key).await?;
        }
        Ok(())
    }

    /// Deletes a draft that the service has accepted, unless the user has changed it meanwhile: the service does not have
    /// the change.
    pub(crate) async fn discard_sent(
        &self,
        owner: &DraftOwner,
        sent: &Draft,
    ) -> Result<(), CommandError> {
        match self.get(owner, &sent.key).await? {
            Some(saved) if saved.content != sent.content => Ok(()),
            Some(_) | None => self.discard(owner, &sent.key).await,
        }
    }

    /// All drafts of an owner, the newest first.
    async fn all(&self, owner: &DraftOwner) -> Result<Vec<SavedDraft>, CommandError> {
        let mut state = self.state.lock().await;
        let files = match self.cipher(&mut state).await {
            Some(cipher) => self.folder(owner, &cipher).read_all().await?,
            None => Vec::new(),
        };
        let memory = state
            .memory
            .iter()
            .filter(|((of, _), _)| of == owner)
            .map(|(_, saved)| saved.clone());
        let mut all: Vec<_> = files.into_iter().chain(memory).collect();
        all.sort_by_key(|saved| std::cmp::Reverse(saved.updated));
        Ok(all)
    }

    async fn cipher(&self, state: &mut State) -> Option<Arc<DraftCipher>> {
        // After a failure only `unlock` tries again: each access may ask the user to unlock the keyring.
        if state.cipher.is_none() && self.vault_problem().is_none() {
            state.cipher = self.load_cipher(KEYRING_TIMEOUT).await.ok();
        }
        state.cipher.clone()
    }

    async fn load_cipher(&self, timeout: Duration) -> Result<Arc<DraftCipher>, VaultError> {
        let loaded = encryption_key::load_or_generate(
            &self.clock,
            self.rng.as_ref(),
            self.vault.as_ref(),
            &self.folder,
            timeout,
        )
        .await;
        *self
            .vault_problem
            .lock()
            .unwrap_or_else(PoisonError::into_inner) =
            loaded.as_ref().err().copied().map(VaultError::problem);
        loaded.map(Arc::new)
    }

    fn folder(&self, owner: &DraftOwner, cipher: &Arc<DraftCipher>) -> DraftFolder {
        DraftFolder::new(
            &self.folder,
            owner,
            Arc::clone(cipher),
            Arc::clone(&self.rng),
        )
    }
}

fn summary(saved: SavedDraft, gross: Option<String>) -> DraftSummary {
    let SavedDraft { updated, draft } = saved;
    DraftSummary {
        key: draft.key,
        buyer: draft.content.buyer.name,
        lines: u32::try_from(draft.content.lines.len()).unwrap_or(u32::MAX),
        gross,
        currency: draft.content.currency,
        updated: updated.to_string(),
        state: draft.state,
    }
}

impl From<FileError> for VaultError {
    /// The marker of the key could not be written, so that the key cannot be relied on.
    fn from(error: FileError) -> Self {
        tracing::warn!(
            error = &error as &dyn std::error::Error,
            "the marker of the draft key was not written"
        );
        Self::Unavailable
    }
}
