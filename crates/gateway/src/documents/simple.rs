//! Simple invoices: a view of documents with fewer fields. They have the same store, keys and stamps.

use invoicing_contract::DocumentKey;
use invoicing_contract::invoice_mapping::simple::{from_document, from_new_invoice};
use invoicing_contract::messages::documents::FreezeDocumentRequest;
use invoicing_contract::messages::simple::{CreateInvoiceRequest, FreezeInvoiceRequest, Invoice};
use invoicing_http::RequestContext;
use invoicing_storage::documents::DocumentSummary;
use invoicing_storage::payments::Receivable;
use jiff::civil::Date;

use super::lifecycle::RequestPaths;
use super::{DocumentError, Documents};
use crate::payments::payment_state;

impl Documents {
    /// Creates a draft from a simple invoice.
    ///
    /// # Errors
    /// See [`DocumentError`].
    pub async fn create_simple(
        &self,
        context: &RequestContext,
        request: CreateInvoiceRequest,
    ) -> Result<Invoice, DocumentError> {
        let invoice = request.invoice.map(from_new_invoice);
        let key = request.document_key.into();
        let paths = RequestPaths {
            key: "documentKey",
            content: "invoice",
            invoice: "invoice.",
        };
        let new = self.new_document(context, &key, invoice, paths).await?;
        let document = self.add_unless(request.validate_only, context, new);
        Ok(from_document(document.await?))
    }

    /// The simple view of a document.
    ///
    /// # Errors
    /// See [`DocumentError`].
    pub async fn get_simple(
        &self,
        context: &RequestContext,
        key: &DocumentKey,
    ) -> Result<Invoice, DocumentError> {
        Ok(from_document(self.get(context, key).await?))
    }

    /// Freezes an issued document.
    ///
    /// # Errors
    /// See [`DocumentError`].
    pub async fn freeze_simple(
        &self,
        context: &RequestContext,
        request: FreezeInvoiceRequest,
    ) -> Result<Invoice, DocumentError> {
        let FreezeInvoiceRequest {
            document_key,
            concurrency_stamp,
        } = request;
        let request = FreezeDocumentRequest {
            document_key,
            concurrency_stamp,
        };
        Ok(from_document(self.freeze(context, request).await?))
    }
}

/// A row of a list: without lines and tax breakdown.
pub(super) fn from_summary(summary: DocumentSummary, today: Date) -> Invoice {
    let receivable = summary.receivable.as_ref();
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
        open: receivable
            .and_then(Receivable::open_amount)
            .map(|open| open.to_string())
            .unwrap_or_default(),
        payment_state: receivable
            .map(|receivable| payment_state(receivable, today) as i32)
            .unwrap_or_default(),
        authority_state: summary.authority_state.map(Into::into),
        authority_has_warnings: summary.authority_has_warnings,
    }
}
