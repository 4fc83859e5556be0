//! Moves a draft that only this computer has to another organization of the account (decision 0185).

use invoicing_contract::{DocumentKey, OrganizationId};

use super::drafts::{check_key, draft_owner};
use super::organizations::require_granted;
use super::{CommandResult, Desktop, WindowKey};
use crate::drafts::{DraftOwner, check_movable};
use crate::gateway::CallContext;
use crate::organizations::ChangedData;
use crate::rng::time_ordered_id;
use crate::views::{CommandError, Draft, DraftState, MoveProblem, WindowBinding};

#[expect(
    missing_docs,
    reason = "each command is documented in the one list of commands"
)]
#[expect(
    clippy::missing_errors_doc,
    reason = "each command is documented in the one list of commands"
)]
impl Desktop {
    pub async fn move_draft(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
        key: DocumentKey,
        organization: OrganizationId,
    ) -> CommandResult<DocumentKey> {
        self.refuse_while_impersonating(window)?;
        let context = self.call_context(window, &binding, "move_draft", true)?;
        check_key(&key)?;
        require_granted(&context.session, &organization)?;
        let owner = draft_owner(&context);
        if organization == owner.organization {
            return Err(CommandError::InvalidCall {
                reason: "the draft is of that organization".to_owned(),
            });
        }
        let to = DraftOwner {
            organization,
            ..owner.clone()
        };
        let _changed = self.notice_of_change(window, &binding, ChangedData::Drafts);
        // No other window opens it meanwhile, whose form would save it again.
        self.open_drafts.open(window, &owner, &key)?;
        self.write_begun_draft(&owner, &key).await?;
        let moved = Box::pin(self.move_between(&context, &key, &to)).await;
        self.note_change(Some(window), &to.organization, ChangedData::Drafts);
        if moved.is_ok() {
            self.open_drafts.close(window, &key);
        }
        moved
    }
}

impl Desktop {
    /// Moves a draft and its files: the copies are on the disk before the draft is deleted, and its files are deleted last. A crash in
    /// between leaves two drafts, or files without a document, which are listed.
    async fn move_between(
        &self,
        context: &CallContext,
        key: &DocumentKey,
        to: &DraftOwner,
    ) -> CommandResult<DocumentKey> {
        let owner = &draft_owner(context);
        // Whoever sends it meanwhile waits, and then finds none.
        let held = Box::pin(self.hold_unsent(context, key)).await;
        let held = held.map_err(not_moved)?;
        let draft = held.draft.as_ref().ok_or(CommandError::DraftNotFound)?;
        check_movable(draft)?;
        let mut copy = Draft {
            // A key of its own: as long as there are two drafts, each makes a document of its own.
            key: time_ordered_id(&*self.clock, &*self.rng).to_string().into(),
            state: DraftState::Editing,
            ..Draft::clone(draft)
        };
        let files = match self.copy_and_remove(owner, draft, to, &mut copy).await {
            Ok(files) => files,
            Err(error) => {
                if let Err(left) = self.take_back(owner, key, to, &copy).await {
                    tracing::warn!(error = ?left, "the copy of a draft that was not moved is left");
                }
                return Err(error);
            }
        };
        for id in files {
            if let Err(error) = self.attachments.remove_waiting(owner, key, &id).await {
                tracing::warn!(?error, "a file of a moved draft is left");
            }
        }
        Ok(copy.key)
    }

    /// Writes the copies and deletes the draft. Returns the ids of the files that were copied.
    async fn copy_and_remove(
        &self,
        owner: &DraftOwner,
        draft: &Draft,
        to: &DraftOwner,
        copy: &mut Draft,
    ) -> CommandResult<Vec<String>> {
        // Before its files, which would be sent for a document that nobody has.
        self.drafts.save(to, copy.clone()).await?;
        let files = self
            .attachments
            .copy_waiting(owner, &draft.key, to, &copy.key)
            .await?;
        let mut known = draft.clone();
        while let Some(newer) = self.drafts.discard_unchanged(owner, &known).await? {
            // A form has saved it meanwhile.
            copy.content = newer.content.clone();
            self.drafts.save(to, copy.clone()).await?;
            known = newer;
        }
        Ok(files)
    }

    /// Deletes the copies of a draft that was not moved, if that is still there, and nobody has changed the copy.
    async fn take_back(
        &self,
        owner: &DraftOwner,
        key: &DocumentKey,
        to: &DraftOwner,
        copy: &Draft,
    ) -> CommandResult<()> {
        let is_there = self.drafts.get(owner, key).await?.is_some();
        if is_there && self.drafts.discard_unchanged(to, copy).await?.is_none() {
            self.attachments.discard_waiting(to, &copy.key).await?;
        }
        Ok(())
    }
}

/// The error of a draft that is not moved, because the service may have it.
fn not_moved(error: CommandError) -> CommandError {
    if matches!(error, CommandError::UnknownOutcome { .. }) {
        let problem = MoveProblem::Sent;
        return CommandError::DraftNotMoved { problem };
    }
    error
}
