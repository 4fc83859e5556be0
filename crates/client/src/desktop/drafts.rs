//! Commands about drafts.

use invoicing_contract::DocumentKey;
use uuid::Uuid;

use super::{CommandResult, Desktop, WindowKey};
use crate::drafts::DraftOwner;
use crate::gateway::CallContext;
use crate::invoices::calculate;
use crate::views::{
    CommandError, Draft, DraftState, DraftSummary, InvoiceContent, InvoiceView, WindowBinding,
};

#[expect(
    missing_docs,
    reason = "each command is documented in the one list of commands"
)]
#[expect(
    clippy::missing_errors_doc,
    reason = "each command is documented in the one list of commands"
)]
impl Desktop {
    pub async fn drafts(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
    ) -> CommandResult<Vec<DraftSummary>> {
        let context = self.call_context(window, &binding, "drafts", false)?;
        let today = self.clock.today();
        let gross = |draft: &Draft| {
            // Totals do not depend on the seller's country.
            calculate(&draft.content, today, None)
                .totals
                .map(|totals| totals.gross)
        };
        self.drafts.list(&draft_owner(&context), gross).await
    }

    pub async fn new_draft(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
        content: Option<InvoiceContent>,
    ) -> CommandResult<Draft> {
        let context = self.call_context(window, &binding, "new_draft", true)?;
        let today = self.clock.today().to_string();
        let content = content.unwrap_or_else(|| InvoiceContent {
            issue_date: today,
            ..InvoiceContent::default()
        });
        let draft = Draft {
            key: Uuid::now_v7().to_string().into(),
            changes: None,
            content,
            state: DraftState::Editing,
        };
        self.drafts
            .save(&draft_owner(&context), draft.clone())
            .await?;
        Ok(draft)
    }

    pub async fn open_draft(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
        key: DocumentKey,
    ) -> CommandResult<Draft> {
        let context = self.call_context(window, &binding, "open_draft", false)?;
        check_key(&key)?;
        let owner = draft_owner(&context);
        let draft = self.drafts.get(&owner, &key).await?;
        let draft = draft.ok_or(CommandError::DraftNotFound)?;
        match draft.state {
            DraftState::Editing | DraftState::UnknownOutcome => Ok(draft),
            // The user edits it again: the outbox must not send it meanwhile.
            state @ (DraftState::Waiting | DraftState::Refused) => {
                let state = state_when_edited(state);
                self.drafts.set_state(&owner, &key, state).await?;
                Ok(Draft { state, ..draft })
            }
        }
    }

    pub async fn save_draft(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
        draft: Draft,
    ) -> CommandResult<()> {
        let context = self.call_context(window, &binding, "save_draft", true)?;
        check_key(&draft.key)?;
        let owner = draft_owner(&context);
        // The client decides the state: a form that saves once more does not know that a response was lost.
        let stored = self.drafts.get(&owner, &draft.key).await?;
        let state = stored.map_or(DraftState::Editing, |stored| {
            state_when_edited(stored.state)
        });
        self.drafts.save(&owner, Draft { state, ..draft }).await
    }

    pub async fn discard_draft(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
        key: DocumentKey,
    ) -> CommandResult<()> {
        let context = self.call_context(window, &binding, "discard_draft", true)?;
        check_key(&key)?;
        self.drafts.discard(&draft_owner(&context), &key).await
    }

    pub async fn check_outcome(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
        key: DocumentKey,
    ) -> CommandResult<Option<InvoiceView>> {
        let context = self.call_context(window, &binding, "check_outcome", false)?;
        check_key(&key)?;
        let owner = draft_owner(&context);
        let found = self.invoices.find_document(&context, &key).await?;
        let draft = self.drafts.get(&owner, &key).await?;
        let creates = draft.is_some_and(|draft| draft.changes.is_none());
        if found.is_some() && creates {
            self.drafts.discard(&owner, &key).await?;
        } else {
            // Whether a change arrived, its author has to compare.
            self.drafts
                .set_state(&owner, &key, DraftState::Editing)
                .await?;
        }
        Ok(found)
    }
}

/// The state of a draft after the user edited it. An unknown outcome stays unknown.
const fn state_when_edited(state: DraftState) -> DraftState {
    match state {
        DraftState::Editing | DraftState::Waiting | DraftState::Refused => DraftState::Editing,
        DraftState::UnknownOutcome => DraftState::UnknownOutcome,
    }
}

/// Fails unless the key is a UUID, as all keys that the client creates are: it becomes a file name.
pub(super) fn check_key(key: &DocumentKey) -> CommandResult<()> {
    match Uuid::try_parse(key.as_str()) {
        Ok(_) => Ok(()),
        Err(error) => Err(CommandError::InvalidCall {
            reason: format!("key is not a UUID: {error}"),
        }),
    }
}

/// The owner of the drafts that a call works with.
pub(super) fn draft_owner(context: &CallContext) -> DraftOwner {
    DraftOwner {
        account: context.session.account_key(),
        organization: context.organization.clone(),
    }
}
