//! Simple invoices: a view of documents with fewer fields. They have the same store, keys and stamps.

use invoicing_contract::invoice_mapping::simple::{from_document, from_new_invoice};
use invoicing_contract::messages::documents::{
    FreezeDocumentRequest, ListDocumentsRequest, ListDocumentsResponse,
};
use invoicing_contract::messages::simple::{
    CreateInvoiceRequest, FreezeInvoiceRequest, Invoice, ListInvoicesRequest, ListInvoicesResponse,
};
use invoicing_http::RequestContext;

use super::{DocumentError, Documents};

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
        let document = self
            .add(
                context,
                &request.document_key,
                invoice,
                "invoice",
                "invoice.",
            )
            .await?;
        Ok(from_document(document))
    }

    /// The simple view of a document.
    ///
    /// # Errors
    /// See [`DocumentError`].
    pub async fn get_simple(
        &self,
        context: &RequestContext,
        key: &str,
    ) -> Result<Invoice, DocumentError> {
        Ok(from_document(self.get(context, key).await?))
    }

    /// A page of simple invoices without lines and tax breakdown, with the sums of the whole filter.
    ///
    /// # Errors
    /// See [`DocumentError`].
    pub async fn list_simple(
        &self,
        context: &RequestContext,
        request: ListInvoicesRequest,
    ) -> Result<ListInvoicesResponse, DocumentError> {
        let ListInvoicesRequest {
            filter,
            sort,
            page_size,
            page_token,
            skip,
        } = request;
        let request = ListDocumentsRequest {
            filter,
            sort,
            page_size,
            page_token,
            skip,
        };
        let ListDocumentsResponse {
            items,
            next_page_token,
            total_size,
            sums,
        } = self.list(context, request).await?;
        let items = items.into_iter().map(|document| Invoice {
            lines: Vec::new(),
            tax_breakdown: Vec::new(),
            ..from_document(document)
        });
        Ok(ListInvoicesResponse {
            items: items.collect(),
            next_page_token,
            total_size,
            sums,
        })
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
