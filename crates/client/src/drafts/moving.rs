//! Drafts that move to another organization: which can, and what keeps them from being sent meanwhile (decision 0185).

use invoicing_contract::DocumentKey;
use tokio::sync::OwnedMutexGuard;

use super::{DraftOwner, Drafts, SavedDraft};
use crate::views::{CommandError, Draft, DraftState, InvoiceKind, MoveProblem};

/// Of a draft that the service may have.
const SENT: CommandError = CommandError::DraftNotMoved {
    problem: MoveProblem::Sent,
};

/// A draft that is being moved. As long as it lives, the draft is not sent.
pub(crate) struct MovingDraft {
    /// As it was when the move began.
    pub(crate) draft: Draft,
    _attempt: OwnedMutexGuard<()>,
}

impl Drafts {
    /// Begins to move a draft. Whoever sends it meanwhile waits, and then finds none.
    ///
    /// # Errors
    /// There is no such draft, the service may have it, or it belongs to its organization.
    pub(crate) async fn begin_moving(
        &self,
        owner: &DraftOwner,
        key: &DocumentKey,
    ) -> Result<MovingDraft, CommandError> {
        let attempt = self.sends.try_lock((owner.clone(), key.clone()));
        let attempt = attempt.ok_or(SENT)?;
        let draft = self.get(owner, key).await?;
        let draft = draft.ok_or(CommandError::DraftNotFound)?;
        check_movable(&draft)?;
        Ok(MovingDraft {
            draft,
            _attempt: attempt,
        })
    }

    /// Deletes a draft if its content is still that of `known`. Another content stays, and is returned with its draft.
    pub(crate) async fn discard_unchanged(
        &self,
        owner: &DraftOwner,
        known: &Draft,
    ) -> Result<Option<Draft>, CommandError> {
        let known = known.clone();
        self.transact(owner, move |drafts| match drafts.read(&known.key)? {
            Some(SavedDraft { draft, .. }) if draft.content != known.content => Ok(Some(draft)),
            Some(_) => {
                drafts.remove(&known.key)?;
                Ok(None)
            }
            None => Ok(None),
        })
        .await
    }
}

/// Fails unless a draft can be of another organization. The editor does not offer to move what changes or corrects a document.
fn check_movable(draft: &Draft) -> Result<(), CommandError> {
    let Draft {
        changes, content, ..
    } = draft;
    let is_new = changes.is_none() && content.correction.is_none();
    if !is_new || content.kind != InvoiceKind::Invoice {
        return Err(CommandError::InvalidCall {
            reason: "the draft changes or corrects a document of its organization".to_owned(),
        });
    }
    match draft.state {
        DraftState::Editing | DraftState::Waiting | DraftState::Refused => Ok(()),
        DraftState::Sending | DraftState::UnknownOutcome => Err(SENT),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::views::{Correction, InvoiceContent, Revision};

    fn draft(state: DraftState, content: InvoiceContent) -> Draft {
        Draft {
            key: "0199f3a0-0000-7000-8000-000000000002".into(),
            changes: None,
            content,
            state,
        }
    }

    #[test]
    fn draft_that_was_sent_is_not_moved_before_its_outcome_is_known() {
        for (state, checked) in [
            (DraftState::Editing, Ok(())),
            (DraftState::Waiting, Ok(())),
            (DraftState::Refused, Ok(())),
            (DraftState::Sending, Err(SENT)),
            (DraftState::UnknownOutcome, Err(SENT)),
        ] {
            let draft = draft(state, InvoiceContent::default());
            assert_eq!(check_movable(&draft), checked, "{state:?}");
        }
    }

    #[test]
    fn what_changes_or_corrects_a_document_stays_in_its_organization() {
        let typed = InvoiceContent::default;
        let of_kind = |kind| InvoiceContent { kind, ..typed() };
        let change = Draft {
            changes: Some(Revision {
                stamp: "7".into(),
                content: typed(),
            }),
            ..draft(DraftState::Editing, typed())
        };
        let correcting = InvoiceContent {
            correction: Some(Correction::default()),
            ..typed()
        };
        for draft in [
            change,
            draft(DraftState::Editing, of_kind(InvoiceKind::CreditNote)),
            draft(DraftState::Editing, of_kind(InvoiceKind::DebitNote)),
            draft(DraftState::Editing, correcting),
        ] {
            let checked = check_movable(&draft);
            assert!(
                matches!(checked, Err(CommandError::InvalidCall { .. })),
                "{checked:?}"
            );
        }
    }
}
