//! Drafts that are kept from being sent while the service is asked whether it has them (decision 0187).

use invoicing_contract::DocumentKey;
use tokio::sync::OwnedMutexGuard;

use super::outbox_notes::OutboxNotes;
use super::{DraftOwner, Drafts, SavedDraft};
use crate::views::{CommandError, Draft, DraftState};

/// A draft that is not sent as long as this lives. Whoever begins to send it waits.
pub(crate) struct HeldDraft {
    /// As it was when it was held. `None`: there is none.
    pub(crate) draft: Option<Box<Draft>>,
    _attempt: OwnedMutexGuard<()>,
}

impl Drafts {
    /// Holds a draft, after an attempt to send it has ended.
    pub(crate) async fn hold(
        &self,
        owner: &DraftOwner,
        key: &DocumentKey,
    ) -> Result<HeldDraft, CommandError> {
        let attempt = self.sends.lock((owner.clone(), key.clone())).await;
        self.held(owner, key, attempt).await
    }

    /// Holds a draft; `None` if it is being sent.
    pub(crate) async fn try_hold(
        &self,
        owner: &DraftOwner,
        key: &DocumentKey,
    ) -> Result<Option<HeldDraft>, CommandError> {
        match self.sends.try_lock((owner.clone(), key.clone())) {
            Some(attempt) => self.held(owner, key, attempt).await.map(Some),
            None => Ok(None),
        }
    }

    async fn held(
        &self,
        owner: &DraftOwner,
        key: &DocumentKey,
        attempt: OwnedMutexGuard<()>,
    ) -> Result<HeldDraft, CommandError> {
        let key = key.clone();
        let saved = self
            .transact(owner, move |drafts| drafts.read(&key))
            .await?;
        // The lock is held here, so an attempt that is marked was interrupted.
        let draft = saved.map(|saved| Box::new(saved.interrupted().draft));
        Ok(HeldDraft {
            draft,
            _attempt: attempt,
        })
    }

    /// Ends the doubt about a held draft, if there is any: what was typed is edited again. With `stays_queued`, what waits in the outbox
    /// waits on.
    pub(crate) async fn end_doubt(
        &self,
        owner: &DraftOwner,
        held: &HeldDraft,
        stays_queued: bool,
    ) -> Result<(), CommandError> {
        let draft = held.draft.as_ref();
        let Some(known) = draft.filter(|draft| draft.state.is_in_doubt()) else {
            return Ok(());
        };
        let key = known.key.clone();
        self.transact(owner, move |drafts| match drafts.read(&key)? {
            Some(saved) => {
                // It may have been opened since it was held.
                let SavedDraft { draft, notes, .. } = saved.interrupted();
                if stays_queued && draft.state == DraftState::WaitingInDoubt {
                    let state = DraftState::Waiting;
                    let notes = OutboxNotes {
                        queued: false,
                        ..notes
                    };
                    return drafts.write_noted(Draft { state, ..draft }, notes);
                }
                let state = DraftState::Editing;
                drafts.write(Draft { state, ..draft })
            }
            None => Ok(()),
        })
        .await
    }
}
