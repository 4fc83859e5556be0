//! Drafts that move to another organization: which can, and how one is deleted that nobody has changed since (decision 0185).

use super::{DraftOwner, Drafts, SavedDraft};
use crate::views::{CommandError, Draft, InvoiceKind};

impl Drafts {
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
pub(crate) fn check_movable(draft: &Draft) -> Result<(), CommandError> {
    let Draft {
        changes, content, ..
    } = draft;
    let is_new = changes.is_none() && content.correction.is_none();
    if is_new && content.kind == InvoiceKind::Invoice {
        return Ok(());
    }
    Err(CommandError::InvalidCall {
        reason: "the draft changes or corrects a document of its organization".to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::views::{Correction, DraftState, InvoiceContent, Revision};

    fn draft(content: InvoiceContent) -> Draft {
        Draft {
            key: "0199f3a0-0000-7000-8000-000000000002".into(),
            changes: None,
            content,
            state: DraftState::Editing,
        }
    }

    #[test]
    fn what_changes_or_corrects_a_document_stays_in_its_organization() {
        let typed = InvoiceContent::default;
        assert_eq!(check_movable(&draft(typed())), Ok(()));
        let of_kind = |kind| InvoiceContent { kind, ..typed() };
        let change = Draft {
            changes: Some(Revision {
                stamp: "7".into(),
                content: typed(),
            }),
            ..draft(typed())
        };
        let correcting = InvoiceContent {
            correction: Some(Correction::default()),
            ..typed()
        };
        for draft in [
            change,
            draft(of_kind(InvoiceKind::CreditNote)),
            draft(of_kind(InvoiceKind::DebitNote)),
            draft(correcting),
        ] {
            let checked = check_movable(&draft);
            assert!(
                matches!(checked, Err(CommandError::InvalidCall { .. })),
                "{checked:?}"
            );
        }
    }
}
