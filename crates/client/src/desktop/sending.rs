//! Sending a kept draft: the one way in which what was typed becomes a document, or a change of one, at the service.

use std::sync::Arc;

use super::drafts::check_key;
use super::invoices::owner;
use super::{Desktop, WindowKey};
use crate::drafts::Owner;
use crate::gateway::Caller;
use crate::invoices::{self, Change, Written};
use crate::session::ActiveSession;
use crate::views::{
    CommandError, Draft, DraftState, InvoiceContent, InvoiceKind, InvoiceView, Place, Support,
};

impl Desktop {
    #[expect(
        missing_docs,
        clippy::missing_errors_doc,
        reason = "each command is documented in the one list of commands"
    )]
    pub async fn send_draft(
        &self,
        window: &WindowKey,
        at: Place,
        key: String,
    ) -> Result<InvoiceView, CommandError> {
        let live = self.enter(window, &at)?;
        check_key(&key)?;
        let owner = Owner {
            account: live.owner(),
            organization: at.organization,
        };
        let draft = self.drafts.get(&owner, &key).await?;
        let draft = draft.ok_or(CommandError::DraftNotFound)?;
        self.send(live, owner.organization, &draft, true).await
    }

    /// Sends a draft as what it is. `tries_again`: as in [`Caller`].
    pub(super) async fn send(
        &self,
        live: Arc<ActiveSession>,
        organization: String,
        draft: &Draft,
        tries_again: bool,
    ) -> Written {
        let Draft {
            key,
            changes,
            content,
            state,
        } = draft;
        let form = Form::of(draft);
        let caller = Caller {
            live,
            organization,
            command: form.name(),
            write: true,
            tries_again,
        };
        let typed = self.read_typed(&caller, content)?;
        // What waits has been tried before, and that try may have arrived after all.
        let in_doubt = matches!(state, DraftState::UnknownOutcome | DraftState::Waiting);
        let invoices = &self.invoices;
        let written = match (form, changes) {
            (_, Some(base)) => {
                let change = Change::Update {
                    content: &typed,
                    base: &base.content,
                };
                invoices.change(&caller, key, &base.stamp, &change).await
            }
            (Form::Simple, None) => invoices.create(&caller, key, &typed, in_doubt).await,
            (Form::Whole | Form::Change, None) => {
                invoices
                    .create_document(&caller, key, &typed, in_doubt)
                    .await
            }
        };
        self.settle(&caller, draft, written).await
    }

    /// The content with its numbers in the form of the wire. A number with two readings is asked about, with all else
    /// that is wrong, and nothing is sent.
    fn read_typed(
        &self,
        caller: &Caller,
        content: &InvoiceContent,
    ) -> Result<InvoiceContent, CommandError> {
        let (read, ambiguous) = invoices::parse_numbers(content);
        if ambiguous.is_empty() {
            return Ok(read);
        }
        let seller = self.invoices.seller_country(&caller.organization);
        let calculation = invoices::calculate(content, self.clock.today(), seller);
        Err(CommandError::InvalidArgument {
            violations: calculation.violations,
            support: Box::new(Support {
                operation: caller.command.to_owned(),
                organization: caller.organization.clone(),
                time: self.clock.now().to_string(),
                ..Support::default()
            }),
        })
    }

    /// A draft that has arrived is no draft any more; one that may have arrived says so,
    /// and one that could not be sent waits for a connection.
    async fn settle(&self, caller: &Caller, draft: &Draft, written: Written) -> Written {
        let owner = owner(caller);
        let key = &draft.key;
        match &written {
            Ok(_) => self.drafts.discard_sent(&owner, draft).await?,
            Err(CommandError::UnknownOutcome { .. }) => {
                self.drafts
                    .mark(&owner, key, DraftState::UnknownOutcome)
                    .await?
            }
            Err(CommandError::Offline { .. }) => {
                self.drafts.mark(&owner, key, DraftState::Waiting).await?
            }
            Err(_) => {}
        }
        written
    }
}

/// What a draft is sent as.
#[derive(Debug, Clone, Copy)]
enum Form {
    /// A simple invoice: the service computes and completes.
    Simple,
    /// A document: what a simple invoice cannot hold, as what a credit note corrects.
    Whole,
    /// New content for a document that is there.
    Change,
}

impl Form {
    fn of(draft: &Draft) -> Self {
        let Draft {
            changes, content, ..
        } = draft;
        match (changes, content.kind, &content.correction) {
            (Some(_), _, _) => Self::Change,
            (None, InvoiceKind::Invoice, None) => Self::Simple,
            (None, _, _) => Self::Whole,
        }
    }

    /// What support and the UI's table know it by.
    fn name(self) -> &'static str {
        match self {
            Self::Simple => "create_invoice",
            Self::Whole => "create_document",
            Self::Change => "update_document",
        }
    }
}
