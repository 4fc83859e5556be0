//! Simple invoices: the flat view of documents. Same store, same key, same stamp.

use invoicing_contract::messages::documents::{
    Document, FreezeDocumentRequest, Invoice as Content,
};
use invoicing_contract::messages::simple::{
    CreateInvoiceRequest, FreezeInvoiceRequest, Invoice, NewInvoice,
};

use super::{Acting, DocumentError, Documents};
use invoicing_storage::documents::DocumentSummary;

impl Documents {
    /// Creates a draft from what a simple invoice says.
    ///
    /// # Errors
    /// See [`DocumentError`].
    pub async fn create_simple(
        &self,
        acting: &Acting<'_>,
        request: CreateInvoiceRequest,
    ) -> Result<Invoice, DocumentError> {
        let invoice = request.invoice.map(whole);
        let document = self
            .add(
                acting,
                &request.document_key,
                invoice,
                "invoice",
                "invoice.",
            )
            .await?;
        Ok(flat(document))
    }

    /// One document, flat.
    ///
    /// # Errors
    /// See [`DocumentError`].
    pub async fn get_simple(
        &self,
        acting: &Acting<'_>,
        key: &str,
    ) -> Result<Invoice, DocumentError> {
        Ok(flat(self.get(acting, key).await?))
    }

    /// Closes an issued document for good.
    ///
    /// # Errors
    /// See [`DocumentError`].
    pub async fn freeze_simple(
        &self,
        acting: &Acting<'_>,
        request: FreezeInvoiceRequest,
    ) -> Result<Invoice, DocumentError> {
        let FreezeInvoiceRequest {
            document_key,
            concurrency_stamp,
        } = request;
        let document = self
            .freeze(
                acting,
                FreezeDocumentRequest {
                    document_key,
                    concurrency_stamp,
                },
            )
            .await?;
        Ok(flat(document))
    }
}

fn flat(document: Document) -> Invoice {
    let status = document.status;
    let content = document
        .content
        .and_then(|content| content.invoice)
        .unwrap_or_default();
    let totals = content.totals.unwrap_or_default();
    Invoice {
        document_key: document.document_key,
        organization_id: document.organization_id,
        status,
        concurrency_stamp: document.concurrency_stamp,
        number: content.number,
        kind: content.kind,
        buyer: content.buyer,
        issue_date: content.issue_date,
        due_date: content.due_date,
        supply_date: content.supply_date,
        currency: content.currency,
        net: totals.net,
        tax: totals.tax,
        gross: totals.gross,
        payable: totals.payable,
        note: content.note,
        lines: content.lines,
        tax_breakdown: content.tax_breakdown,
        created: document.created,
        updated: document.updated,
        issued: document.issued,
        frozen: document.frozen,
    }
}

/// A row of a list: without lines and tax breakdown.
pub(super) fn from_summary(summary: DocumentSummary) -> Invoice {
    Invoice {
        document_key: summary.key.to_string(),
        organization_id: summary.organization.into_string(),
        status: summary.status as i32,
        concurrency_stamp: summary.concurrency_stamp.into_string(),
        number: summary.number,
        kind: summary.kind as i32,
        buyer: summary.buyer,
        issue_date: summary.issue_date,
        due_date: summary.due_date,
        supply_date: summary.supply_date,
        currency: summary.net.currency().code().to_owned(),
        net: summary.net.to_string(),
        tax: summary.tax.to_string(),
        gross: summary.gross.to_string(),
        payable: summary.payable.to_string(),
        note: summary.note,
        lines: Vec::new(),
        tax_breakdown: Vec::new(),
        created: summary.created,
        updated: summary.updated,
        issued: summary.issued,
        frozen: summary.frozen,
    }
}

/// The whole content that a simple invoice stands for.
fn whole(invoice: NewInvoice) -> Content {
    let NewInvoice {
        kind,
        buyer,
        issue_date,
        due_date,
        supply_date,
        currency,
        lines,
        note,
    } = invoice;
    Content {
        kind,
        buyer,
        issue_date,
        due_date,
        supply_date,
        currency,
        lines,
        note,
        ..Content::default()
    }
}
