//! Commands about drafts.

use invoicing_contract::DocumentKey;
use uuid::Uuid;

use super::sender::Sender;
use super::{CommandResult, Desktop, WindowKey};
use crate::drafts::DraftOwner;
use crate::gateway::CallContext;
use crate::invoices::calculate;
use crate::organizations::ChangedData;
use crate::rng::time_ordered_id;
use crate::views::{
    CommandError, Draft, DraftCount, DraftExport, DraftState, DraftSummary, InvoiceContent,
    InvoiceView, UnreadableDraft, WindowBinding,
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
        if context.session.is_impersonated() {
            return Ok(Vec::new());
        }
        let today = self.today_of(&context);
        let gross = |draft: &Draft| gross_of(&draft.content, today);
        self.drafts.list(&draft_owner(&context), gross).await
    }

    pub async fn draft_counts(&self, window: &WindowKey) -> CommandResult<Vec<DraftCount>> {
        let session = self.session_in(window)?;
        if session.is_impersonated() {
            return Ok(Vec::new());
        }
        let organizations = session.identity().organizations();
        let account = session.account_key();
        let failed = Box::pin(self.make_due_everywhere(&session)).await;
        let counting = self.drafts.count_by_organization(&account, organizations);
        let mut counts = counting.await?;
        for (organization, problem) in failed {
            let problem = Some(problem);
            let mut known = counts.iter_mut();
            match known.find(|count| count.organization == organization) {
                Some(count) => count.problem = problem,
                None => counts.push(DraftCount {
                    organization,
                    count: 0,
                    problem,
                }),
            }
        }
        Ok(counts)
    }

    pub async fn new_draft(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
        content: Option<InvoiceContent>,
    ) -> CommandResult<Draft> {
        self.refuse_while_impersonating(window)?;
        let context = self.call_context(window, &binding, "new_draft", true)?;
        let today = self.today_of(&context).to_string();
        let has_source = content.is_some();
        let mut content = content.unwrap_or_default();
        if content.issue_date.is_empty() {
            content.issue_date = today;
        }
        let draft = Draft {
            key: time_ordered_id(&*self.clock, &*self.rng).to_string().into(),
            changes: None,
            content,
            state: DraftState::Editing,
        };
        let owner = draft_owner(&context);
        if has_source {
            let _changed = self.notice_of_change(window, &binding, ChangedData::Drafts);
            self.drafts.save(&owner, draft.clone()).await?;
            self.open_drafts.open(window, &owner, &draft.key)?;
        } else {
            // It says nothing yet: a window that is closed or reloaded leaves none behind.
            self.open_drafts.begin(window, &owner, &draft);
        }
        Ok(draft)
    }

    pub async fn open_draft(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
        key: DocumentKey,
    ) -> CommandResult<Draft> {
        self.refuse_while_impersonating(window)?;
        let context = self.call_context(window, &binding, "open_draft", false)?;
        let _changed = self.notice_of_change(window, &binding, ChangedData::Drafts);
        check_key(&key)?;
        let owner = draft_owner(&context);
        self.open_drafts.open(window, &owner, &key)?;
        let stored = self.drafts.open(&owner, &key).await;
        let draft = stored.map(|stored| stored.or_else(|| self.open_drafts.begun(&owner, &key)));
        if !matches!(draft, Ok(Some(_))) {
            self.open_drafts.close(window, &key);
        }
        draft?.ok_or(CommandError::DraftNotFound)
    }

    pub async fn close_draft(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
        key: DocumentKey,
    ) -> CommandResult<()> {
        self.session_of(window, &binding)?;
        self.open_drafts.close(window, &key);
        Ok(())
    }

    pub async fn show_window_of_draft(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
        key: DocumentKey,
    ) -> CommandResult<bool> {
        let context = self.call_context(window, &binding, "show_window_of_draft", false)?;
        let owner = draft_owner(&context);
        let Some(other) = self.open_drafts.other_window(window, &owner, &key) else {
            return Ok(false);
        };
        self.host.show_window(&other);
        Ok(true)
    }

    pub async fn save_draft(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
        draft: Draft,
    ) -> CommandResult<()> {
        self.refuse_while_impersonating(window)?;
        let context = self.call_context(window, &binding, "save_draft", true)?;
        let _changed = self.notice_of_change(window, &binding, ChangedData::Drafts);
        check_key(&draft.key)?;
        let owner = draft_owner(&context);
        self.open_drafts.open(window, &owner, &draft.key)?;
        Box::pin(self.write_draft(&owner, draft)).await
    }

    pub async fn discard_draft(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
        key: DocumentKey,
    ) -> CommandResult<()> {
        self.refuse_while_impersonating(window)?;
        let context = self.call_context(window, &binding, "discard_draft", true)?;
        let _changed = self.notice_of_change(window, &binding, ChangedData::Drafts);
        check_key(&key)?;
        let owner = draft_owner(&context);
        self.open_drafts.check(window, &owner, &key)?;
        let _held = Box::pin(self.hold_unsent(&context, &key)).await?;
        // Before the draft: without it a file would wait for a document that never comes.
        if self.is_local(&owner, &key).await? {
            self.attachments.discard_waiting(&owner, &key).await?;
        }
        self.drafts.discard(&owner, &key).await?;
        self.open_drafts.close(window, &key);
        Ok(())
    }

    pub async fn discard_blank_draft(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
        key: DocumentKey,
    ) -> CommandResult<bool> {
        self.refuse_while_impersonating(window)?;
        let context = self.call_context(window, &binding, "discard_blank_draft", true)?;
        let _changed = self.notice_of_change(window, &binding, ChangedData::Drafts);
        check_key(&key)?;
        let owner = draft_owner(&context);
        self.open_drafts.check(window, &owner, &key)?;
        let waiting = self.attachments.waiting_documents(&owner).await?;
        if waiting.contains(&key) {
            return Ok(false);
        }
        self.drafts.discard(&owner, &key).await?;
        self.open_drafts.close(window, &key);
        Ok(true)
    }

    pub async fn check_outcome(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
        key: DocumentKey,
    ) -> CommandResult<Option<InvoiceView>> {
        self.refuse_while_impersonating(window)?;
        let context = self.call_context(window, &binding, "check_outcome", false)?;
        check_key(&key)?;
        let _drafts = self.notice_of_change(window, &binding, ChangedData::Drafts);
        let _documents = self.notice_of_change(window, &binding, ChangedData::Documents);
        let outcome = Box::pin(self.resolve_outcome(&context, &key, Sender::Window)).await?;
        Ok(outcome.document())
    }

    pub async fn unreadable_drafts(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
    ) -> CommandResult<Vec<UnreadableDraft>> {
        let context = self.call_context(window, &binding, "unreadable_drafts", false)?;
        if context.session.is_impersonated() {
            return Ok(Vec::new());
        }
        self.drafts.unreadable(&draft_owner(&context)).await
    }

    pub async fn export_unreadable_drafts(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
    ) -> CommandResult<DraftExport> {
        self.refuse_while_impersonating(window)?;
        let context = self.call_context(window, &binding, "export_unreadable_drafts", false)?;
        self.drafts.export_unreadable(&draft_owner(&context)).await
    }

    pub async fn delete_unreadable_draft(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
        file: String,
    ) -> CommandResult<()> {
        self.refuse_while_impersonating(window)?;
        let context = self.call_context(window, &binding, "delete_unreadable_draft", true)?;
        let _changed = self.notice_of_change(window, &binding, ChangedData::Drafts);
        let owner = draft_owner(&context);
        self.drafts.delete_unreadable(&owner, &file).await
    }
}

impl Desktop {
    /// Writes a draft, which a window may have begun before.
    async fn write_draft(&self, owner: &DraftOwner, draft: Draft) -> CommandResult<()> {
        let key = draft.key.clone();
        self.drafts.save(owner, draft).await?;
        self.open_drafts.note_written(owner, &key);
        Ok(())
    }

    /// Writes a draft that a window has begun and into which nothing was typed yet, since something else needs it.
    pub(super) async fn write_begun_draft(
        &self,
        owner: &DraftOwner,
        key: &DocumentKey,
    ) -> CommandResult<()> {
        match self.open_drafts.begun(owner, key) {
            Some(begun) => Box::pin(self.write_draft(owner, begun)).await,
            None => Ok(()),
        }
    }
}

/// Fails unless the key is a UUID in the form that the client and the service write: it becomes a file name, and a draft with two
/// names could be edited in two windows.
pub(super) fn check_key(key: &DocumentKey) -> CommandResult<()> {
    let parsed = Uuid::try_parse(key.as_str());
    if parsed.is_ok_and(|parsed| parsed.to_string() == key.as_str()) {
        return Ok(());
    }
    Err(CommandError::InvalidCall {
        reason: "key is not a UUID in lower case with hyphens".to_owned(),
    })
}

/// The owner of the drafts that a call works with.
pub(super) fn draft_owner(context: &CallContext) -> DraftOwner {
    DraftOwner {
        account: context.session.account_key(),
        organization: context.organization.clone(),
    }
}

/// What a content comes to. Its totals do not depend on the seller's country.
pub(super) fn gross_of(content: &InvoiceContent, today: jiff::civil::Date) -> Option<String> {
    calculate(content, today, None)
        .totals
        .map(|totals| totals.gross)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn key_has_one_form_only() {
        let key = "0199f3a0-0000-7000-8000-0000000000aa";
        assert_eq!(check_key(&key.into()), Ok(()));
        for other in [
            key.to_uppercase(),
            key.replace('-', ""),
            format!("{{{key}}}"),
            format!("urn:uuid:{key}"),
            "../x".to_owned(),
        ] {
            let checked = check_key(&other.as_str().into());
            assert!(
                matches!(checked, Err(CommandError::InvalidCall { .. })),
                "{other}"
            );
        }
    }
}
