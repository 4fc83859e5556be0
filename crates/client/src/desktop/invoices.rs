//! Commands about invoices and waiting retries.

use std::sync::Arc;

use super::drafts::check_key;
use super::{Desktop, WindowKey};
use crate::drafts::Owner;
use crate::gateway::Caller;
use crate::invoices::{self, Change, Written};
use crate::session::Live;
use crate::views::{
    Calculation, CommandError, Draft, DraftState, InvoiceContent, InvoiceKind, InvoicePage,
    InvoiceQuery, InvoiceView, Place, Support,
};

type Outcome<T> = Result<T, CommandError>;

#[expect(
    missing_docs,
    reason = "each command is documented in the one list of commands"
)]
#[expect(
    clippy::missing_errors_doc,
    reason = "each command is documented in the one list of commands"
)]
impl Desktop {
    pub async fn list_invoices(
        &self,
        window: &WindowKey,
        at: Place,
        query: InvoiceQuery,
    ) -> Outcome<InvoicePage> {
        let caller = self.caller(window, &at, "list_invoices", false)?;
        self.invoices.list(&caller, &query).await
    }

    pub async fn get_invoice(
        &self,
        window: &WindowKey,
        at: Place,
        key: String,
    ) -> Outcome<InvoiceView> {
        let caller = self.caller(window, &at, "get_invoice", false)?;
        self.invoices.get(&caller, &key).await
    }

    pub async fn calculate(
        &self,
        window: &WindowKey,
        at: Place,
        content: InvoiceContent,
    ) -> Outcome<Calculation> {
        self.enter(window, &at)?;
        Ok(invoices::calculate(&content, self.world.clock.today()))
    }

    pub async fn create_invoice(
        &self,
        window: &WindowKey,
        at: Place,
        key: String,
        content: InvoiceContent,
    ) -> Outcome<InvoiceView> {
        let caller = self.caller(window, &at, "create_invoice", true)?;
        self.create(&caller, &key, &content, Form::Simple).await
    }

    pub async fn create_document(
        &self,
        window: &WindowKey,
        at: Place,
        key: String,
        content: InvoiceContent,
    ) -> Outcome<InvoiceView> {
        let caller = self.caller(window, &at, "create_document", true)?;
        self.create(&caller, &key, &content, Form::Whole).await
    }

    pub async fn update_document(
        &self,
        window: &WindowKey,
        at: Place,
        key: String,
        stamp: String,
        content: InvoiceContent,
    ) -> Outcome<InvoiceView> {
        let caller = self.caller(window, &at, "update_document", true)?;
        self.update(&caller, &key, &stamp, &content).await
    }

    pub async fn issue_document(
        &self,
        window: &WindowKey,
        at: Place,
        key: String,
        stamp: String,
    ) -> Outcome<InvoiceView> {
        let caller = self.caller(window, &at, "issue_document", true)?;
        self.invoices
            .change(&caller, &key, &stamp, &Change::Issue)
            .await
    }

    pub async fn freeze_invoice(
        &self,
        window: &WindowKey,
        at: Place,
        key: String,
        stamp: String,
    ) -> Outcome<InvoiceView> {
        let caller = self.caller(window, &at, "freeze_invoice", true)?;
        self.invoices
            .change(&caller, &key, &stamp, &Change::Freeze)
            .await
    }

    pub async fn try_now(&self, _window: &WindowKey, wait: u32) -> Outcome<()> {
        self.waits.try_now(wait);
        Ok(())
    }

    pub async fn stop_waiting(&self, _window: &WindowKey, wait: u32) -> Outcome<()> {
        self.waits.stop(wait);
        Ok(())
    }

    /// Who calls, once it is clear that the window still stands where the command says.
    pub(super) fn caller(
        &self,
        window: &WindowKey,
        at: &Place,
        command: &'static str,
        write: bool,
    ) -> Outcome<Caller> {
        let live: Arc<Live> = self.enter(window, at)?;
        Ok(Caller {
            live,
            organization: at.organization.clone(),
            command,
            write,
        })
    }

    /// Sends a draft that was saved earlier, as what it is.
    pub(super) async fn send_draft(
        &self,
        live: Arc<Live>,
        organization: String,
        draft: &Draft,
    ) -> Written {
        let Draft {
            key,
            changes,
            content,
            ..
        } = draft;
        let caller = |command| Caller {
            live,
            organization,
            command,
            write: true,
        };
        match changes {
            Some(base) => {
                self.update(&caller("update_document"), key, &base.stamp, content)
                    .await
            }
            None if content.kind == InvoiceKind::Invoice && content.correction.is_none() => {
                self.create(&caller("create_invoice"), key, content, Form::Simple)
                    .await
            }
            None => {
                self.create(&caller("create_document"), key, content, Form::Whole)
                    .await
            }
        }
    }

    async fn create(
        &self,
        caller: &Caller,
        key: &str,
        content: &InvoiceContent,
        form: Form,
    ) -> Written {
        check_key(key)?;
        let content = self.read_typed(caller, content)?;
        let in_doubt = self.is_in_doubt(caller, key).await?;
        let invoices = &self.invoices;
        let written = match form {
            Form::Simple => invoices.create(caller, key, &content, in_doubt).await,
            Form::Whole => {
                invoices
                    .create_document(caller, key, &content, in_doubt)
                    .await
            }
        };
        self.settle_draft(caller, key, written).await
    }

    async fn update(
        &self,
        caller: &Caller,
        key: &str,
        stamp: &str,
        content: &InvoiceContent,
    ) -> Written {
        check_key(key)?;
        let content = self.read_typed(caller, content)?;
        let draft = self.drafts.get(&owner(caller), key).await?;
        let base = draft
            .and_then(|draft| draft.changes)
            .filter(|base| base.stamp == stamp);
        let change = Change::Update {
            content: &content,
            base: base.as_ref().map(|base| &base.content),
        };
        let written = self.invoices.change(caller, key, stamp, &change).await;
        self.settle_draft(caller, key, written).await
    }

    /// The content with its numbers in the form of the wire. A number with two readings is asked about, with all else
    /// that is wrong, and nothing is sent.
    fn read_typed(&self, caller: &Caller, content: &InvoiceContent) -> Outcome<InvoiceContent> {
        let (read, ambiguous) = invoices::read_typed(content);
        if ambiguous.is_empty() {
            return Ok(read);
        }
        let calculation = invoices::calculate(content, self.world.clock.today());
        Err(CommandError::InvalidArgument {
            violations: calculation.violations,
            support: Box::new(Support {
                operation: caller.command.to_owned(),
                organization: caller.organization.clone(),
                time: self.world.clock.now().to_string(),
                ..Support::default()
            }),
        })
    }

    async fn is_in_doubt(&self, caller: &Caller, key: &str) -> Outcome<bool> {
        let draft = self.drafts.get(&owner(caller), key).await?;
        Ok(draft.is_some_and(|draft| draft.state == DraftState::UnknownOutcome))
    }

    /// A draft that has arrived is no draft any more; one that may have arrived says so,
    /// and one that could not be sent waits for a connection.
    async fn settle_draft(&self, caller: &Caller, key: &str, written: Written) -> Written {
        let owner = owner(caller);
        match &written {
            Ok(_) => self.drafts.discard(&owner, key).await?,
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

/// What a new document is created as.
#[derive(Debug, Clone, Copy)]
enum Form {
    /// A simple invoice: the service computes and completes.
    Simple,
    /// A document, with all that a content can hold.
    Whole,
}

/// Whose drafts a caller works with.
pub(super) fn owner(caller: &Caller) -> Owner {
    Owner {
        account: caller.live.owner(),
        organization: caller.organization.clone(),
    }
}
