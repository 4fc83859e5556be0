//! Commands about invoices and pending retries.

use invoicing_contract::{ConcurrencyStamp, DocumentKey};

use super::drafts::draft_owner;
use super::{CommandResult, Desktop, WindowKey};
use crate::attachments::ConfirmedDocument;
use crate::invoices::{self, DocumentChange};
use crate::organizations::ChangedData;
use crate::views::{
    Calculation, DocumentRelations, ExplanationStep, HistoryPage, InvoiceContent, InvoicePage,
    InvoiceQuery, InvoiceView, LineContent, NetPrice, Violation, WindowBinding,
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
    pub async fn list_invoices(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
        query: InvoiceQuery,
    ) -> CommandResult<InvoicePage> {
        let context = self.call_context(window, &binding, "list_invoices", false)?;
        self.invoices.list(&context, &query).await
    }

    pub async fn check_amounts(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
        from: String,
        to: String,
        currency: Vec<String>,
    ) -> CommandResult<Vec<Violation>> {
        self.session_of(window, &binding)?;
        Ok(invoices::check_amounts(&from, &to, &currency))
    }

    pub async fn get_invoice(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
        key: DocumentKey,
    ) -> CommandResult<InvoiceView> {
        let context = self.call_context(window, &binding, "get_invoice", false)?;
        self.invoices.get(&context, &key).await
    }

    pub async fn calculate(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
        content: InvoiceContent,
    ) -> CommandResult<Calculation> {
        let context = self.call_context(window, &binding, "calculate", false)?;
        let seller = self.country_of(&context);
        Ok(invoices::calculate(
            &content,
            self.today_of(&context),
            seller,
        ))
    }

    pub async fn explain(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
        content: InvoiceContent,
    ) -> CommandResult<Vec<ExplanationStep>> {
        let context = self.call_context(window, &binding, "explain", false)?;
        Ok(invoices::explain(&content, self.today_of(&context)))
    }

    pub async fn net_price(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
        price: String,
        line: LineContent,
        currency: String,
    ) -> CommandResult<NetPrice> {
        self.session_of(window, &binding)?;
        Ok(invoices::net_price(&price, &line, &currency))
    }

    pub async fn get_relations(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
        key: DocumentKey,
    ) -> CommandResult<DocumentRelations> {
        let context = self.call_context(window, &binding, "get_relations", false)?;
        self.invoices.relations(&context, &key).await
    }

    pub async fn get_history(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
        key: DocumentKey,
        page: String,
    ) -> CommandResult<HistoryPage> {
        let context = self.call_context(window, &binding, "get_history", false)?;
        self.invoices.history(&context, &key, page).await
    }

    pub async fn issue_document(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
        key: DocumentKey,
        stamp: ConcurrencyStamp,
    ) -> CommandResult<InvoiceView> {
        let context = self.call_context(window, &binding, "issue_document", true)?;
        let _changed = self.notice_of_change(window, &binding, ChangedData::Documents);
        let owner = draft_owner(&context);
        let mut confirmed = ConfirmedDocument::new(stamp);
        let sent = self
            .attachments
            .send_before_issue(&context, &owner, &key, &mut confirmed)
            .await;
        if sent.is_err() {
            self.send_files_later(&context.session, &owner, &key);
        }
        sent?;
        let (stamp, change) = (confirmed.stamp, DocumentChange::Issue);
        Box::pin(self.invoices.change(&context, &key, &stamp, &change, false)).await
    }

    pub async fn freeze_document(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
        key: DocumentKey,
        stamp: ConcurrencyStamp,
    ) -> CommandResult<InvoiceView> {
        let context = self.call_context(window, &binding, "freeze_document", true)?;
        let _changed = self.notice_of_change(window, &binding, ChangedData::Documents);
        let change = DocumentChange::Freeze;
        Box::pin(self.invoices.change(&context, &key, &stamp, &change, false)).await
    }

    pub async fn delete_document(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
        key: DocumentKey,
        stamp: ConcurrencyStamp,
    ) -> CommandResult<()> {
        let context = self.call_context(window, &binding, "delete_document", true)?;
        let _changed = self.notice_of_change(window, &binding, ChangedData::Documents);
        self.invoices.delete(&context, &key, &stamp).await?;
        let owner = draft_owner(&context);
        self.attachments.discard_waiting(&owner, &key).await
    }

    pub async fn retry_now(&self, _window: &WindowKey, id: u32) -> CommandResult<()> {
        self.pending_retries.retry_now(id);
        Ok(())
    }

    pub async fn cancel_retry(&self, _window: &WindowKey, id: u32) -> CommandResult<()> {
        self.pending_retries.cancel(id);
        Ok(())
    }
}
