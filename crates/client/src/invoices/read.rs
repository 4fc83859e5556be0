//! Listing and reading.

use invoicing_contract::messages::{documents, simple};
use invoicing_contract::{Code, operation};

use super::list_request::list_request;
use super::{Invoices, from_wire};
use crate::gateway::{Caller, Failure};
use crate::views::{CommandError, InvoiceKind, InvoicePage, InvoiceQuery, InvoiceView};

impl Invoices {
    /// A page of invoices with the sums of the whole filter.
    pub(crate) async fn list(
        &self,
        caller: &Caller,
        query: &InvoiceQuery,
    ) -> Result<InvoicePage, CommandError> {
        if !(1..=500).contains(&query.page_size) {
            return Err(CommandError::BadCall {
                reason: "pageSize is 1 to 500".to_owned(),
            });
        }
        let request = list_request(query);
        let answer = self
            .gateway
            .call(caller, &operation::LIST_INVOICES, "", &request)
            .await;
        let page: simple::ListInvoicesResponse =
            answer.map_err(|failure| self.failed(caller, &operation::LIST_INVOICES, failure))?;
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

    /// One invoice whole.
    pub(crate) async fn get(
        &self,
        caller: &Caller,
        key: &str,
    ) -> Result<InvoiceView, CommandError> {
        let view = self.find(caller, key).await;
        view.map_err(|failure| self.failed(caller, &operation::GET_INVOICE, failure))
    }

    /// The same in the gateway's terms.
    pub(super) async fn find(&self, caller: &Caller, key: &str) -> Result<InvoiceView, Failure> {
        let request = simple::GetInvoiceRequest {
            document_key: key.to_owned(),
        };
        let invoice: simple::Invoice = self
            .gateway
            .call(caller, &operation::GET_INVOICE, key, &request)
            .await?;
        let view = from_wire::view(invoice, self.clock.today());
        if view.row.kind == InvoiceKind::Invoice {
            return Ok(view);
        }
        // What a credit or debit note corrects is in the document only. Who may not read documents sees the rest.
        match self.document(caller, key).await {
            Ok(document) => Ok(from_wire::document_view(document, self.clock.today())),
            Err(failure) if failure.code() == Some(Code::PermissionDenied) => Ok(view),
            Err(failure) => Err(failure),
        }
    }

    /// The document whole, remembered for comparison.
    pub(super) async fn document(
        &self,
        caller: &Caller,
        key: &str,
    ) -> Result<documents::Document, Failure> {
        let request = documents::GetDocumentRequest {
            document_key: key.to_owned(),
        };
        let document: documents::Document = self
            .gateway
            .call(caller, &operation::GET_DOCUMENT, key, &request)
            .await?;
        self.remember(&document);
        Ok(document)
    }
}
