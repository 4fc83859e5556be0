//! Drafts: what a user has typed and the service does not have yet. Encrypted at rest, one file each.
//!
//! A draft belongs to an environment, a user and an organization. It survives sign-out, crashes and updates. Every method
//! is one critical section over memory and disk (decision 0053).

mod account;
pub(crate) mod account_file;
mod critical_section;
mod doubt;
mod encryption_key;
mod file_names;
mod folder;
mod moving;
mod open_drafts;
mod outbox_notes;
mod record;
mod sending;
mod similar;
mod stored_content;
mod unreadable;

#[cfg(test)]
mod tests;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use invoicing_contract::{DocumentKey, OrganizationId};
use jiff::Timestamp;
use tokio::sync::{Mutex, watch};

use crate::BoxFuture;
use crate::account_key::AccountKey;
use crate::clock::Clock;
use crate::encryption::{DRAFT, RecordCipher};
use crate::files;
use crate::rng::Rng;
use crate::vault::{KEYRING_TIMEOUT, UNLOCK_TIMEOUT, Vault, VaultError};
use crate::views::{CommandError, Draft, DraftState, DraftSummary, VaultProblem};

use critical_section::{OwnerDrafts, State};
pub(crate) use doubt::HeldDraft;
pub(crate) use encryption_key::load_or_generate as load_or_generate_key;
use folder::DraftError;
pub(crate) use moving::check_movable;
pub(crate) use open_drafts::OpenDrafts;
use outbox_notes::OutboxNotes;
pub(crate) use record::VERSION as CONTENT_VERSION;
use sending::Sends;
pub(crate) use sending::{AfterSending, SendingDraft};
pub(crate) use stored_content::Content as StoredContent;

/// How long the end of the program waits until drafts that are in memory only are written.
const STOP_TIMEOUT: Duration = Duration::from_secs(15);

/// The account and organization that drafts belong to.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct DraftOwner {
    pub(crate) account: AccountKey,
    pub(crate) organization: OrganizationId,
}

/// A draft, the time of its last save, and what the outbox has to know of it.
#[derive(Debug, Clone, PartialEq, Eq)]
struct SavedDraft {
    updated: Timestamp,
    draft: Draft,
    notes: OutboxNotes,
}

/// All drafts of this computer.
#[derive(Clone)]
pub(crate) struct Drafts {
    clock: Arc<dyn Clock>,
    rng: Arc<dyn Rng>,
    vault: Arc<dyn Vault>,
    folder: PathBuf,
    state: Arc<Mutex<State>>,
    sends: Arc<Sends>,
    vault_problem: Arc<watch::Sender<Option<VaultProblem>>>,
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
            state: Arc::default(),
            sends: Arc::default(),
            vault_problem: Arc::new(watch::Sender::new(None)),
        }
    }

    /// Why drafts are in memory only, if they are.
    pub(crate) fn vault_problem(&self) -> Option<VaultProblem> {
        *self.vault_problem.borrow()
    }

    /// Receives each change of [`vault_problem`](Self::vault_problem).
    pub(crate) fn vault_problems(&self) -> watch::Receiver<Option<VaultProblem>> {
        self.vault_problem.subscribe()
    }

    /// Tries the keyring again, and writes the drafts that were in memory only. Those that cannot be written stay in memory,
    /// and the first error is returned.
    pub(crate) async fn unlock(&self) -> Result<(), CommandError> {
        let owners = {
            let mut state = self.state.lock().await;
            if state.cipher.is_none() {
                state.cipher = Some(self.load_cipher(UNLOCK_TIMEOUT).await?);
            }
            state.owners()
        };
        let mut outcome = Ok(());
        for owner in owners {
            let written = self.transact(&owner, |drafts| {
                drafts.compare_set_aside();
                drafts.write_memory()
            });
            outcome = outcome.and(written.await);
        }
        outcome
    }

    /// Offers the drafts that are in memory only to the keyring once more, for at most 15 seconds: they end with the program.
    pub(crate) async fn stop(&self) {
        let writing = async {
            if self.state.lock().await.owners().is_empty() {
                return Ok(());
            }
            self.unlock().await
        };
        tokio::select! {
            written = writing => {
                if let Err(error) = written {
                    tracing::warn!(?error, "drafts end with the program");
                }
            }
            () = self.clock.sleep(STOP_TIMEOUT) => {
                tracing::warn!("the keyring had not answered at the end, and drafts end with the program");
            }
        }
    }

    /// Newest first. `gross` computes the total that a summary shows.
    pub(crate) async fn list(
        &self,
        owner: &DraftOwner,
        gross: impl Fn(&Draft) -> Option<String>,
    ) -> Result<Vec<DraftSummary>, CommandError> {
        let saved = self.transact(owner, |drafts| drafts.all()).await?;
        Ok(saved
            .into_iter()
            .map(|saved| {
                let gross = gross(&saved.draft);
                summary(saved, gross)
            })
            .collect())
    }

    /// Keys of the drafts in a state, the oldest first.
    pub(crate) async fn keys_in(
        &self,
        owner: &DraftOwner,
        state: DraftState,
    ) -> Result<Vec<DocumentKey>, CommandError> {
        let saved = self.transact(owner, |drafts| drafts.all()).await?;
        Ok(saved
            .into_iter()
            .rev()
            .map(|saved| saved.draft)
            .filter(|draft| draft.state == state)
            .map(|draft| draft.key)
            .collect())
    }

    /// One draft.
    pub(crate) async fn get(
        &self,
        owner: &DraftOwner,
        key: &DocumentKey,
    ) -> Result<Option<Draft>, CommandError> {
        let key = key.clone();
        let saved = self
            .transact(owner, move |drafts| drafts.read(&key))
            .await?;
        Ok(saved.map(|saved| saved.draft))
    }

    /// One draft that the user edits again. The outbox does not send it meanwhile.
    pub(crate) async fn open(
        &self,
        owner: &DraftOwner,
        key: &DocumentKey,
    ) -> Result<Option<Draft>, CommandError> {
        let key = key.clone();
        self.transact(owner, move |drafts| {
            let Some(SavedDraft { draft, .. }) = drafts.read(&key)? else {
                return Ok(None);
            };
            let state = state_when_edited(draft.state);
            if draft.state == state {
                return Ok(Some(draft));
            }
            let draft = Draft { state, ..draft };
            drafts.write(draft.clone())?;
            Ok(Some(draft))
        })
        .await
    }

    /// Saves what the user has typed; on disk when it returns, unless there is no key. The client decides the state: a form
    /// that saves once more does not know that a response was lost.
    pub(crate) async fn save(&self, owner: &DraftOwner, draft: Draft) -> Result<(), CommandError> {
        Box::pin(self.transact(owner, move |drafts| {
            let stored = drafts.read_to_replace(&draft.key)?;
            if stored.is_none() && drafts.is_sent(&draft) {
                // The form saved once more what the service has accepted meanwhile.
                return Ok(());
            }
            let Some(stored) = stored else {
                let state = DraftState::Editing;
                return drafts.write(Draft { state, ..draft });
            };
            let state = state_when_edited(stored.draft.state);
            // What the person has seen was seen of this content.
            let is_unchanged = stored.draft.content == draft.content;
            let accepted = if is_unchanged {
                stored.notes.accepted
            } else {
                Vec::new()
            };
            let notes = OutboxNotes {
                accepted,
                ..OutboxNotes::default()
            };
            drafts.write_noted(Draft { state, ..draft }, notes)
        }))
        .await
    }

    /// Changes the state of a draft that is in the state `from`.
    pub(crate) async fn change_state(
        &self,
        owner: &DraftOwner,
        key: &DocumentKey,
        from: DraftState,
        to: DraftState,
    ) -> Result<(), CommandError> {
        let key = key.clone();
        self.transact(owner, move |drafts| match drafts.read(&key)? {
            Some(SavedDraft { draft, .. }) if draft.state == from => {
                drafts.write(Draft { state: to, ..draft })
            }
            _ => Ok(()),
        })
        .await
    }

    /// Deletes a draft. It is not an error if there is none.
    pub(crate) async fn discard(
        &self,
        owner: &DraftOwner,
        key: &DocumentKey,
    ) -> Result<(), CommandError> {
        let key = key.clone();
        self.transact(owner, move |drafts| drafts.remove(&key))
            .await
    }

    /// Runs a critical section over the drafts of an owner. It is completed even if the caller is dropped.
    async fn transact<T: Send + 'static>(
        &self,
        owner: &DraftOwner,
        work: impl FnOnce(&mut OwnerDrafts<'_>) -> Result<T, DraftError> + Send + 'static,
    ) -> Result<T, CommandError> {
        let mut state = Arc::clone(&self.state).lock_owned().await;
        // After a failure only `unlock` tries again: each access may ask the user to unlock the keyring.
        if state.cipher.is_none() && self.vault_problem().is_none() {
            state.cipher = self.load_cipher(KEYRING_TIMEOUT).await.ok();
        }
        let (owner, root) = (owner.clone(), self.folder.clone());
        let (rng, sends) = (Arc::clone(&self.rng), Arc::clone(&self.sends));
        let now = self.clock.now();
        let done = files::run_blocking(move || {
            let mut drafts = OwnerDrafts::new(&mut state, &root, owner, rng, &sends, now);
            work(&mut drafts)
        });
        Ok(done.await?)
    }

    async fn load_cipher(&self, timeout: Duration) -> Result<Arc<RecordCipher>, VaultError> {
        let loaded = encryption_key::load_or_generate(
            &self.clock,
            self.rng.as_ref(),
            self.vault.as_ref(),
            &self.folder,
            timeout,
        )
        .await;
        self.set_vault_problem(loaded.as_ref().err().copied());
        if matches!(loaded, Err(VaultError::TimedOut)) {
            tokio::spawn(self.clone().unlock_when_answered());
        }
        loaded.map(|key| Arc::new(RecordCipher::new(DRAFT, &key)))
    }

    /// Unlocks as soon as a keyring that was silent answers: until then its prompt waited for the person. Boxed, since unlocking may
    /// begin to wait again.
    fn unlock_when_answered(self) -> BoxFuture<'static, ()> {
        Box::pin(async move {
            match encryption_key::wait_for_answer(self.vault.as_ref()).await {
                Ok(()) => {
                    if let Err(error) = self.unlock().await {
                        tracing::warn!(?error, "drafts stay in memory");
                    }
                }
                Err(error) => {
                    // It may have been unlocked meanwhile.
                    if self.state.lock().await.cipher.is_none() {
                        self.set_vault_problem(Some(error));
                    }
                }
            }
        })
    }

    fn set_vault_problem(&self, error: Option<VaultError>) {
        let problem = error.map(VaultError::problem);
        self.vault_problem.send_if_modified(|current| {
            let is_new = *current != problem;
            *current = problem;
            is_new
        });
    }
}

/// The state of a draft after the user edited it. An unknown outcome stays unknown, and sending goes on.
const fn state_when_edited(state: DraftState) -> DraftState {
    match state {
        DraftState::Editing | DraftState::Waiting | DraftState::Refused => DraftState::Editing,
        DraftState::Sending => DraftState::Sending,
        DraftState::WaitingInDoubt | DraftState::UnknownOutcome => DraftState::UnknownOutcome,
    }
}

fn summary(saved: SavedDraft, gross: Option<String>) -> DraftSummary {
    let SavedDraft {
        updated,
        draft,
        notes,
    } = saved;
    DraftSummary {
        key: draft.key,
        kind: draft.content.kind,
        buyer: draft.content.buyer.name,
        lines: u32::try_from(draft.content.lines.len()).unwrap_or(u32::MAX),
        gross,
        currency: draft.content.currency,
        updated: updated.to_string(),
        state: draft.state,
        similar: notes.similar.into_iter().map(Into::into).collect(),
    }
}
