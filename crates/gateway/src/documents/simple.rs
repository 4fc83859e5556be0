//! Simple invoices: the flat view of documents. Same store, same key, same stamp.

use invoicing_contract::messages::documents::{
    Document, FreezeDocumentRequest, Invoice as Content,
};
use invoicing_contract::messages::simple::{
    CreateInvoiceRequest, FreezeInvoiceRequest, Invoice, NewInvoice,
};

use super::{Acting, DocumentError, Documents};

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
        Ok(flat(document, Lines::With))
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
        Ok(flat(self.get(acting, key).await?, Lines::With))
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
        Ok(flat(document, Lines::With))
    }
}

/// Whether the flat view carries lines and breakdown.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Lines {
    With,
    Without,
}

pub(super) fn flat(document: Document, lines: Lines) -> Invoice {
    let status = document.status;
    let content = document
        .content
        .and_then(|content| content.invoice)
        .unwrap_or_default();
    let totals = content.totals.unwrap_or_default();
    let with = lines == Lines::With;
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
        lines: if with { content.lines } else { Vec::new() },
        tax_breakdown: if with {
            content.tax_breakdown
        } else {
            Vec::new()
        },
        created: document.created,
        updated: document.updated,
        issued: document.issued,
        frozen: document.frozen,
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
