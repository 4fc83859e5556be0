//! Sending a saved draft: it creates a document at the service or changes one.

use std::sync::Arc;

use invoicing_contract::{DocumentKey, OrganizationId};

use super::drafts::{check_key, draft_owner};
use super::{CommandResult, Desktop, WindowKey};
use crate::drafts::DraftOwner;
use crate::gateway::CallContext;
use crate::invoices::{self, DocumentChange, NewDocument};
use crate::session::ActiveSession;
use crate::views::{
    CommandError, Draft, DraftState, InvoiceContent, InvoiceKind, InvoiceView, Support,
    WindowBinding,
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
        self.submit_saved(window, binding, key, Submission::Create)
            .await
    }

    pub async fn update_document(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
        key: DocumentKey,
    ) -> CommandResult<InvoiceView> {
        self.submit_saved(window, binding, key, Submission::Update)
            .await
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
        let session = self.session_of(window, &binding)?;
        check_key(&key)?;
        let owner = DraftOwner {
            account: session.account_key(),
            organization: binding.organization,
        };
        let draft = self.drafts.get(&owner, &key).await?;
        let draft = draft.ok_or(CommandError::DraftNotFound)?;
        if Submission::of(&draft) != submission {
            return Err(CommandError::InvalidCall {
                reason: format!("{} does not fit the draft", submission.command()),
            });
        }
        self.submit(session, owner.organization, &draft, true).await
    }

    /// Sends a draft. `retries`: as in [`CallContext`].
    pub(super) async fn submit(
        &self,
        session: Arc<ActiveSession>,
        organization: OrganizationId,
        draft: &Draft,
        retries: bool,
    ) -> CommandResult<InvoiceView> {
        let context = CallContext {
            session,
            organization,
            command: Submission::of(draft).command(),
            write: true,
            retries,
        };
        let content = self.parse_numbers(&context, &draft.content)?;
        // A draft in the outbox or of unknown outcome has been sent before, and that attempt may have arrived.
        let may_have_arrived = matches!(
            draft.state,
            DraftState::UnknownOutcome | DraftState::Waiting
        );
        let result = match &draft.changes {
            Some(base) => {
                let change = DocumentChange::Update {
                    content: &content,
                    base: &base.content,
                };
                self.invoices
                    .change(&context, &draft.key, &base.stamp, &change, may_have_arrived)
                    .await
            }
            None => {
                let document = NewDocument {
                    key: &draft.key,
                    content: &content,
                    may_exist: may_have_arrived,
                };
                if fits_simple_invoice(&content) {
                    self.invoices.create_invoice(&context, &document).await
                } else {
                    self.invoices.create_document(&context, &document).await
                }
            }
        };
        self.update_draft_after(&context, draft, &result).await?;
        result
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
        let seller = self.invoices.seller_country(&context.organization);
        let calculation = invoices::calculate(content, self.clock.today(), seller);
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

    /// Deletes the draft if it has arrived, and else saves whether its outcome is unknown or the outbox has to send it.
    async fn update_draft_after(
        &self,
        context: &CallContext,
        draft: &Draft,
        result: &CommandResult<InvoiceView>,
    ) -> CommandResult<()> {
        let owner = draft_owner(context);
        let state = match result {
            Ok(_) => return self.drafts.discard_sent(&owner, draft).await,
            Err(CommandError::UnknownOutcome { .. }) => DraftState::UnknownOutcome,
            Err(CommandError::Offline { .. }) => DraftState::Waiting,
            Err(_) => return Ok(()),
        };
        self.drafts.set_state(&owner, &draft.key, state).await
    }
}

/// Whether the simple form of an invoice has all fields of the content. It has no preceding documents.
fn fits_simple_invoice(content: &InvoiceContent) -> bool {
    content.kind == InvoiceKind::Invoice && content.correction.is_none()
}
