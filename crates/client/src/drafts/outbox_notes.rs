//! What the outbox has to know of a draft besides its content. It is a part of the stored record (decision 0193).

use invoicing_contract::DocumentKey;
use serde::{Deserialize, Serialize};

use super::SavedDraft;
use crate::views::{DraftState, SimilarDocument};

/// What the outbox has to know of a draft. A write that says nothing of it forgets it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct OutboxNotes {
    /// It waited in the outbox before the attempt that is under way: the end of the program does not take it out.
    pub(super) queued: bool,
    /// The documents of its buyer and total that the person has seen, and sends it all the same.
    pub(super) accepted: Vec<DocumentKey>,
    /// Those that nobody had seen, for which the outbox has not sent it.
    pub(super) similar: Vec<NamedDocument>,
}

/// A document, as the person knows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct NamedDocument {
    key: DocumentKey,
    /// Empty while it has none.
    number: String,
}

impl OutboxNotes {
    /// Whether there is nothing to know.
    pub(super) fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

impl From<SimilarDocument> for NamedDocument {
    fn from(document: SimilarDocument) -> Self {
        let SimilarDocument { key, number } = document;
        Self { key, number }
    }
}

impl From<NamedDocument> for SimilarDocument {
    fn from(document: NamedDocument) -> Self {
        let NamedDocument { key, number } = document;
        Self { key, number }
    }
}

impl SavedDraft {
    /// The draft, if no attempt to send it is under way: one that was is interrupted, and may have arrived. What waited in the outbox
    /// waits on.
    pub(super) fn interrupted(mut self) -> Self {
        if self.draft.state == DraftState::Sending {
            self.draft.state = if self.notes.queued {
                DraftState::WaitingInDoubt
            } else {
                DraftState::UnknownOutcome
            };
        }
        self
    }
}
