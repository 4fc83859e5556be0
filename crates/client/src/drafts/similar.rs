//! Drafts of the outbox that may repeat a document: they are compared with others, kept for the person, and sent if that person wants it
//! (decision 0193).

use invoicing_contract::DocumentKey;

use super::outbox_notes::OutboxNotes;
use super::{DraftOwner, Drafts, SavedDraft, SendingDraft, summary};
use crate::views::{CommandError, Draft, DraftState, DraftSummary, SimilarDocument};

impl Drafts {
    /// The drafts that were handed over to be sent and are not known to have arrived, newest first, of which `gross_of` gives a total.
    pub(crate) async fn handed_over(
        &self,
        owner: &DraftOwner,
        gross_of: impl Fn(&Draft) -> Option<String>,
    ) -> Result<Vec<DraftSummary>, CommandError> {
        let saved = self.transact(owner, |drafts| drafts.all()).await?;
        let handed_over = saved
            .into_iter()
            .filter(|saved| is_handed_over(saved.draft.state));
        Ok(handed_over
            .filter_map(|saved| {
                let gross = gross_of(&saved.draft)?;
                Some(summary(saved, Some(gross)))
            })
            .collect())
    }

    /// Notes the documents that the person has seen, and sends the draft all the same. Returns whether it waits in the outbox again,
    /// which has kept it for them.
    pub(crate) async fn accept_similar(
        &self,
        owner: &DraftOwner,
        key: &DocumentKey,
        documents: Vec<DocumentKey>,
    ) -> Result<bool, CommandError> {
        let key = key.clone();
        let accepted = self.transact(owner, move |drafts| {
            let Some(SavedDraft { draft, notes, .. }) = drafts.read(&key)? else {
                return Ok(None);
            };
            let is_kept = draft.state == DraftState::Refused && !notes.similar.is_empty();
            let state = if is_kept {
                DraftState::Waiting
            } else {
                draft.state
            };
            let notes = OutboxNotes {
                accepted: documents,
                ..OutboxNotes::default()
            };
            drafts.write_noted(Draft { state, ..draft }, notes)?;
            Ok(Some(is_kept))
        });
        accepted.await?.ok_or(CommandError::DraftNotFound)
    }

    /// Ends an attempt of the outbox before anything was sent: the draft may repeat these documents, which nobody has seen. What the user
    /// has changed meanwhile is edited.
    pub(crate) async fn keep_similar(
        &self,
        sending: SendingDraft,
        similar: Vec<SimilarDocument>,
    ) -> Result<(), CommandError> {
        let SendingDraft {
            draft: unsent,
            owner,
            accepted: _,
            _attempt,
        } = sending;
        self.transact(&owner, move |drafts| {
            // The user may have discarded it.
            let Some(SavedDraft { draft, .. }) = drafts.read(&unsent.key)? else {
                return Ok(());
            };
            if draft.content != unsent.content || draft.changes != unsent.changes {
                let state = DraftState::Editing;
                return drafts.write(Draft { state, ..draft });
            }
            let notes = OutboxNotes {
                similar: similar.into_iter().map(Into::into).collect(),
                ..OutboxNotes::default()
            };
            let state = DraftState::Refused;
            drafts.write_noted(Draft { state, ..draft }, notes)
        })
        .await
    }
}

const fn is_handed_over(state: DraftState) -> bool {
    match state {
        DraftState::Waiting
        | DraftState::WaitingInDoubt
        | DraftState::Sending
        | DraftState::UnknownOutcome => true,
        DraftState::Editing | DraftState::Refused => false,
    }
}
