//! Listing and reading.

use invoicing_contract::messages::{documents, simple};
use invoicing_contract::{Code, DocumentKey, operation};

use super::list_request::list_request;
use super::{Invoices, from_wire};
use crate::gateway::{CallContext, GatewayError};
use crate::views::{CommandError, InvoiceKind, InvoicePage, InvoiceQuery, InvoiceView};

impl Invoices {
    /// A page of invoices with the totals of the whole filter.
    pub(crate) async fn list(
        &self,
        context: &CallContext,
        query: &InvoiceQuery,
    ) -> Result<InvoicePage, CommandError> {
        if !(1..=500).contains(&query.page_size) {
            return Err(CommandError::InvalidCall {
                reason: "pageSize is 1 to 500".to_owned(),
            });
        }
        let request = list_request(query);
        let response = self
            .gateway
            .call(context, &operation::LIST_INVOICES, None, &request)
            .await;
        let page: simple::ListInvoicesResponse = response
            .map_err(|error| self.command_error(context, &operation::LIST_INVOICES, &error))?;
        let today = self.clock.today();
        Ok(InvoicePage {
            rows: page
                .items
                .iter()
                .map(|invoice| from_wire::row(invoice, today))
                .collect(),
            total: u32::try_from(page.total_size).unwrap_or(0),
            sums: page.sums.into_iter().map(from_wire::sum).collect(),
            as_of: self.clock.now().to_string(),
        })
    }

    /// One whole invoice.
    pub(crate) async fn get(
        &self,
        context: &CallContext,
        key: &DocumentKey,
    ) -> Result<InvoiceView, CommandError> {
        let view = self.get_view(context, key).await;
        view.map_err(|error| self.command_error(context, &operation::GET_INVOICE, &error))
    }

    /// The document with this key, or `None` if the service has none.
    pub(crate) async fn find_document(
        &self,
        context: &CallContext,
        key: &DocumentKey,
    ) -> Result<Option<InvoiceView>, CommandError> {
        match self.get_view(context, key).await {
            Ok(view) => Ok(Some(view)),
            Err(error) if error.code() == Some(Code::NotFound) => Ok(None),
            Err(error) => Err(self.command_error(context, &operation::GET_INVOICE, &error)),
        }
    }

    pub(super) async fn get_view(
        &self,
        context: &CallContext,
        key: &DocumentKey,
    ) -> Result<InvoiceView, GatewayError> {
        let request = simple::GetInvoiceRequest {
            document_key: key.as_str().to_owned(),
        };
        let invoice: simple::Invoice = self
            .gateway
            .call(context, &operation::GET_INVOICE, Some(key), &request)
            .await?;
        let view = from_wire::view(invoice, self.clock.today());
        if view.row.kind == InvoiceKind::Invoice {
            return Ok(view);
        }
        // Only the document has the preceding document of a credit or debit note. A user who may not read documents sees
        // the rest.
        match self.get_document(context, key).await {
            Ok(document) => Ok(from_wire::document_view(document, self.clock.today())),
            Err(error) if error.code() == Some(Code::PermissionDenied) => Ok(view),
            Err(error) => Err(error),
        }
    }

    /// The whole document, which is also put into the cache.
    pub(super) async fn get_document(
        &self,
        context: &CallContext,
        key: &DocumentKey,
    ) -> Result<documents::Document, GatewayError> {
        let request = documents::GetDocumentRequest {
            document_key: key.as_str().to_owned(),
        };
        let document: documents::Document = self
            .gateway
            .call(context, &operation::GET_DOCUMENT, Some(key), &request)
            .await?;
        self.cache(&document);
        Ok(document)
    }
}
