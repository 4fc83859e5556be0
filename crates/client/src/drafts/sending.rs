//! Drafts that are being sent: one attempt at a time for each, and its outcome.

use invoicing_contract::DocumentKey;
use tokio::sync::OwnedMutexGuard;

use super::outbox_notes::OutboxNotes;
use super::{DraftOwner, Drafts, SavedDraft};
use crate::keyed_locks::KeyedLocks;
use crate::views::{CommandError, Draft, DraftState};

/// The attempts under way.
pub(super) type Sends = KeyedLocks<(DraftOwner, DocumentKey)>;

/// A draft that is being sent. As long as it lives, no other attempt begins.
pub(crate) struct SendingDraft {
    /// As it was when the attempt began; `state` is the one before.
    pub(crate) draft: Draft,
    /// The documents of its buyer and total that the person has seen, and sends it all the same.
    pub(crate) accepted: Vec<DocumentKey>,
    pub(super) owner: DraftOwner,
    pub(super) _attempt: OwnedMutexGuard<()>,
}

/// What becomes of a draft after an attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AfterSending {
    /// The service has it: it is deleted, unless the user has changed it meanwhile.
    Sent,
    /// The same of an attempt that nobody waits for. If the user has changed the draft meanwhile, it is in doubt, so that the user is
    /// told.
    SentUnseen,
    /// It stays, in this state, unless the user has changed it meanwhile.
    Kept(DraftState),
}

impl Drafts {
    /// Begins to send a draft, after another attempt has ended. `None` if there is no such draft, or it is not in the state
    /// `only`.
    ///
    /// The state on disk says that it may have arrived, so that a kill does not hide this. If that cannot be written, it is
    /// sent nevertheless: its key and its stamp prevent a second document.
    pub(crate) async fn begin_sending(
        &self,
        owner: &DraftOwner,
        key: &DocumentKey,
        only: Option<DraftState>,
    ) -> Result<Option<SendingDraft>, CommandError> {
        let entry = (owner.clone(), key.clone());
        let attempt = self.sends.lock(entry.clone()).await;
        let begun = self.transact(owner, move |drafts| {
            let Some(saved) = drafts.read(&entry.1)? else {
                return Ok(None);
            };
            // This attempt holds the lock, so one that is marked was interrupted.
            let SavedDraft { draft, notes, .. } = saved.interrupted();
            if only.is_some_and(|only| only != draft.state) {
                return Ok(None);
            }
            let sending = Draft {
                state: DraftState::Sending,
                ..draft.clone()
            };
            let accepted = notes.accepted.clone();
            let marked = OutboxNotes {
                queued: matches!(
                    draft.state,
                    DraftState::Waiting | DraftState::WaitingInDoubt
                ),
                accepted: notes.accepted,
                similar: Vec::new(),
            };
            if let Err(error) = drafts.write_noted(sending, marked) {
                let error = &error as &dyn std::error::Error;
                tracing::warn!(error, "a draft is sent without a mark on disk");
            }
            Ok(Some((draft, accepted)))
        });
        Ok(begun.await?.map(|(draft, accepted)| SendingDraft {
            draft,
            accepted,
            owner: owner.clone(),
            _attempt: attempt,
        }))
    }

    /// Ends an attempt.
    ///
    /// # Errors
    /// The draft could not be removed or written. If the service has it, it is not listed any more, and it is removed later;
    /// otherwise its outcome counts as unknown.
    pub(crate) async fn finish_sending(
        &self,
        sending: SendingDraft,
        after: AfterSending,
    ) -> Result<(), CommandError> {
        let SendingDraft {
            draft: sent,
            accepted,
            owner,
            _attempt,
        } = sending;
        self.transact(&owner, move |drafts| {
            // Before the draft counts as sent, after which it is not found any more.
            let stored = drafts.read(&sent.key);
            if matches!(after, AfterSending::Sent | AfterSending::SentUnseen) {
                drafts.set_sent(&sent);
            }
            // The user has discarded it meanwhile.
            let Some(SavedDraft { draft, .. }) = stored? else {
                return Ok(());
            };
            let is_unchanged = draft.content == sent.content && draft.changes == sent.changes;
            let state = match after {
                AfterSending::Sent | AfterSending::SentUnseen if is_unchanged => {
                    return drafts.remove(&sent.key);
                }
                AfterSending::Kept(state) if is_unchanged => state,
                AfterSending::SentUnseen => DraftState::UnknownOutcome,
                AfterSending::Kept(state) if state.is_in_doubt() => DraftState::UnknownOutcome,
                // The service does not have the change.
                AfterSending::Sent | AfterSending::Kept(_) => DraftState::Editing,
            };
            if draft.state == state {
                return Ok(());
            }
            let notes = OutboxNotes {
                accepted: if is_unchanged { accepted } else { Vec::new() },
                ..OutboxNotes::default()
            };
            drafts.write_noted(Draft { state, ..draft }, notes)
        })
        .await
    }

    /// Deletes a draft of unknown outcome that the service has, unless the user has changed it meanwhile. Then it is in doubt: whoever
    /// opens it is told of the document (decision 0187).
    pub(crate) async fn discard_arrived(
        &self,
        owner: &DraftOwner,
        arrived: &Draft,
    ) -> Result<(), CommandError> {
        let arrived = arrived.clone();
        self.transact(owner, move |drafts| {
            let stored = drafts.read(&arrived.key);
            drafts.set_sent(&arrived);
            match stored? {
                Some(SavedDraft { draft, .. }) if drafts.is_sent(&draft) => {
                    drafts.remove(&arrived.key)
                }
                Some(SavedDraft { draft, .. }) => drafts.write(Draft {
                    state: DraftState::UnknownOutcome,
                    ..draft
                }),
                None => Ok(()),
            }
        })
        .await
    }
}
