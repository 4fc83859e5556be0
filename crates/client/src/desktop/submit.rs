//! Sending a saved draft: it creates a document at the service or changes one.

use std::sync::Arc;

use invoicing_contract::{DocumentKey, OrganizationId};

use super::drafts::{check_key, draft_owner};
use super::sender::Sender;
use super::{CommandResult, Desktop, WindowKey};
use crate::drafts::{AfterSending, DraftOwner, SendingDraft};
use crate::gateway::CallContext;
use crate::invoices::{self, DocumentChange, NewDocument};
use crate::organizations::ChangedData;
use crate::session::ActiveSession;
use crate::views::{
    CommandError, Draft, DraftState, InvoiceContent, InvoiceDetails, InvoiceKind, InvoiceView,
    Support, WindowBinding,
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
    pub async fn create_document(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
        key: DocumentKey,
    ) -> CommandResult<InvoiceView> {
        Box::pin(self.submit_saved(window, binding, key, Submission::Create)).await
    }

    pub async fn update_document(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
        key: DocumentKey,
    ) -> CommandResult<InvoiceView> {
        Box::pin(self.submit_saved(window, binding, key, Submission::Update)).await
    }
}

/// What sending a draft does at the service.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Submission {
    Create,
    Update,
}

impl Submission {
    fn of(draft: &Draft) -> Self {
        match draft.changes {
            Some(_) => Self::Update,
            None => Self::Create,
        }
    }

    /// The command, by which support and the UI's error table know it.
    fn command(self) -> &'static str {
        match self {
            Self::Create => "create_document",
            Self::Update => "update_document",
        }
    }
}

impl Desktop {
    async fn submit_saved(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
        key: DocumentKey,
        submission: Submission,
    ) -> CommandResult<InvoiceView> {
        self.refuse_while_impersonating(window)?;
        let session = self.session_of(window, &binding)?;
        check_key(&key)?;
        let _drafts = self.notice_of_change(window, &binding, ChangedData::Drafts);
        let _documents = self.notice_of_change(window, &binding, ChangedData::Documents);
        let owner = DraftOwner {
            account: session.account_key(),
            organization: binding.organization.clone(),
        };
        self.open_drafts.check(window, &owner, &key)?;
        let Some(sending) = self.drafts.begin_sending(&owner, &key, None).await? else {
            // The outbox may just have sent it.
            let context = self.call_context(window, &binding, submission.command(), true)?;
            let sent = self.invoices.find_document(&context, &key).await;
            return sent?.ok_or(CommandError::DraftNotFound);
        };
        if Submission::of(&sending.draft) != submission {
            let state = sending.draft.state;
            self.finish(sending, AfterSending::Kept(state)).await;
            return Err(CommandError::InvalidCall {
                reason: format!("{} does not fit the draft", submission.command()),
            });
        }
        let sent = Box::pin(self.submit(
            Arc::clone(&session),
            owner.organization.clone(),
            sending,
            Sender::Window,
        ))
        .await;
        match &sent {
            Err(error @ CommandError::UnknownOutcome { .. }) => {
                self.run_outbox_later(owner.organization, error.clone());
            }
            // The connection failed for this draft alone, so that no reconnection will run the outbox.
            Err(error @ CommandError::Offline { .. }) if session.is_online() => {
                self.run_outbox_later(owner.organization, error.clone());
            }
            Ok(view) => self.send_files_later(&session, &owner, &view.row.key),
            Err(_) => {}
        }
        sent
    }

    /// Sends a draft and saves its outcome. What the service has is a success, whatever the disk does.
    pub(super) async fn submit(
        &self,
        session: Arc<ActiveSession>,
        organization: OrganizationId,
        sending: SendingDraft,
        sender: Sender,
    ) -> CommandResult<InvoiceView> {
        let context = CallContext {
            session,
            organization,
            command: Submission::of(&sending.draft).command(),
            write: true,
            retries: sender == Sender::Window,
        };
        let mut result = Box::pin(self.send(&context, &sending.draft)).await;
        if let Ok(view) = &mut result {
            self.send_attachments_of(&context, view).await;
            self.invoices.note_written(&context, view).await;
        }
        let after = match (&result, sender) {
            (Ok(_), Sender::Window) => AfterSending::Sent,
            (Ok(_), Sender::Outbox) => AfterSending::SentUnseen,
            (Err(error), _) => AfterSending::Kept(sender.state_after(error, sending.draft.state)),
        };
        let is_saved = self.finish(sending, after).await;
        Ok(InvoiceView {
            draft_left: !is_saved,
            ..result?
        })
    }

    /// Sends the files that were added before the service had the document. Those that it did not get wait on, and do not
    /// change the outcome.
    async fn send_attachments_of(&self, context: &CallContext, view: &mut InvoiceView) {
        let key = view.row.key.clone();
        let owner = draft_owner(context);
        let sent = self.attachments.send_waiting(context, &owner, &key).await;
        match sent {
            Ok(0) => return,
            Ok(_) => {}
            Err(error) => tracing::warn!(?error, "attachments of a new document wait"),
        }
        if let Ok(Some(current)) = self.invoices.find_document(context, &key).await {
            *view = InvoiceView {
                merged: view.merged.take(),
                created_earlier: view.created_earlier,
                ..current
            };
        }
    }

    /// Returns whether the outcome was saved. An error is logged: it does not change the outcome.
    pub(super) async fn finish(&self, sending: SendingDraft, after: AfterSending) -> bool {
        let saved = self.drafts.finish_sending(sending, after).await;
        if let Err(error) = &saved {
            tracing::warn!(?error, ?after, "the outcome of a draft was not saved");
        }
        saved.is_ok()
    }

    async fn send(&self, context: &CallContext, draft: &Draft) -> CommandResult<InvoiceView> {
        let content = self.parse_numbers(context, &draft.content)?;
        // A draft in the outbox or in doubt has been sent before, and that attempt may have arrived.
        let may_have_arrived = draft.state == DraftState::Waiting || draft.state.is_in_doubt();
        match &draft.changes {
            Some(base) => {
                let change = DocumentChange::Update {
                    content: &content,
                    base: &base.content,
                };
                self.invoices
                    .change(context, &draft.key, &base.stamp, &change, may_have_arrived)
                    .await
            }
            None => {
                let document = NewDocument {
                    key: &draft.key,
                    content: &content,
                    may_exist: may_have_arrived,
                };
                if fits_simple_invoice(&content) {
                    self.invoices.create_invoice(context, &document).await
                } else {
                    self.invoices.create_document(context, &document).await
                }
            }
        }
    }

    /// The content with its numbers as decimal strings. If a number has two readings, nothing is sent, and the error has
    /// this and all other violations.
    fn parse_numbers(
        &self,
        context: &CallContext,
        content: &InvoiceContent,
    ) -> CommandResult<InvoiceContent> {
        let (parsed, ambiguous) = invoices::parse_numbers(content);
        if ambiguous.is_empty() {
            return Ok(parsed);
        }
        let seller = self.country_of(context);
        let calculation = invoices::calculate(content, self.today_of(context), seller);
        Err(CommandError::InvalidArgument {
            violations: calculation.violations,
            support: Box::new(Support {
                operation: context.command.to_owned(),
                organization: context.organization.clone(),
                time: self.clock.now().to_string(),
                ..Support::default()
            }),
        })
    }
}

/// Whether the simple form of an invoice has all fields of the content. It has lines, but no preceding documents, no
/// note in Arabic and no details.
fn fits_simple_invoice(content: &InvoiceContent) -> bool {
    content.kind == InvoiceKind::Invoice
        && content.correction.is_none()
        && content.note_ar.is_empty()
        && content.details == InvoiceDetails::default()
}
