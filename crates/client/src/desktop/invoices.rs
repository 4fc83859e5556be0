//! Commands about invoices and waiting retries.

use std::sync::Arc;

use super::{Desktop, WindowKey};
use crate::drafts::Owner;
use crate::gateway::Caller;
use crate::invoices::{self, Change};
use crate::session::ActiveSession;
use crate::views::{
    Calculation, CommandError, InvoiceContent, InvoicePage, InvoiceQuery, InvoiceView, Place,
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
        let seller = self.invoices.seller_country(&at.organization);
        Ok(invoices::calculate(&content, self.clock.today(), seller))
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
        let live: Arc<ActiveSession> = self.enter(window, at)?;
        Ok(Caller {
            live,
            organization: at.organization.clone(),
            command,
            write,
            tries_again: true,
        })
    }
}

/// Whose drafts a caller works with.
pub(super) fn owner(caller: &Caller) -> Owner {
    Owner {
        account: caller.live.owner(),
        organization: caller.organization.clone(),
    }
}
