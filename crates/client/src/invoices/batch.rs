//! Batches of documents (decision 0120), and the pages that a selection of all of a filter is collected from.

use std::collections::HashMap;

use invoicing_contract::messages::{documents, simple};
use invoicing_contract::{DocumentKey, invoice_mapping, operation};

use super::list_request::rows_only;
use super::{Invoices, from_wire};
use crate::gateway::{BatchResponse, BatchResult, CallContext, GatewayError};
use crate::views::{CommandError, InvoicePage, InvoiceQuery, InvoiceRow};

/// Rows of a page that is collected: the most that the service gives.
pub(crate) const COLLECTED_PAGE: u32 = 500;

/// What a batch does with its documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BatchAction {
    Issue,
    Freeze,
}

/// What became of an entry of a batch.
pub(crate) enum BatchOutcome {
    /// The document after the write, by this call or an earlier one.
    Done(Box<InvoiceRow>),
    /// The service has not begun it.
    NotBegun,
    /// The service has refused it.
    Failed(Box<CommandError>),
}

impl Invoices {
    /// Does an action with documents in the state in which they were read. What an earlier call has done is done, and is not
    /// done again. Entries that the response does not name are not in the outcomes.
    pub(crate) async fn batch(
        &self,
        context: &CallContext,
        action: BatchAction,
        rows: &[InvoiceRow],
    ) -> Result<HashMap<DocumentKey, BatchOutcome>, CommandError> {
        let entries = rows
            .iter()
            .map(|row| documents::BatchEntry {
                document_key: row.key.as_str().to_owned(),
                concurrency_stamp: row.stamp.as_str().to_owned(),
            })
            .collect();
        let (operation, response) = match action {
            BatchAction::Issue => {
                let request = documents::BatchIssueDocumentsRequest { entries };
                let operation = &operation::BATCH_ISSUE_DOCUMENTS;
                let response = self.gateway.call(context, operation, None, &request).await;
                (operation, response)
            }
            BatchAction::Freeze => {
                let request = documents::BatchFreezeDocumentsRequest { entries };
                let operation = &operation::BATCH_FREEZE_DOCUMENTS;
                let response = self.gateway.call(context, operation, None, &request).await;
                (operation, response)
            }
        };
        let response: BatchResponse =
            response.map_err(|error| self.command_error(context, operation, &error))?;
        let outcomes = response.results.into_iter().filter_map(|result| {
            let BatchResult {
                document_key,
                document,
                error,
            } = result;
            let outcome = match (document, error) {
                (Some(document), None) => {
                    let invoice = invoice_mapping::simple::from_document(document);
                    BatchOutcome::Done(Box::new(from_wire::row(&invoice)))
                }
                (_, Some(status)) if status.reason() == Some("BATCH_DEADLINE") => {
                    BatchOutcome::NotBegun
                }
                (_, Some(status)) => {
                    let error = GatewayError::of_entry(status);
                    let error = self.command_error(context, operation, &error);
                    BatchOutcome::Failed(Box::new(error))
                }
                (None, None) => return None,
            };
            Some((document_key.as_str().into(), outcome))
        });
        Ok(outcomes.collect())
    }

    /// The number of documents of a filter and their sums, from the service alone.
    pub(crate) async fn totals(
        &self,
        context: &CallContext,
        query: &InvoiceQuery,
    ) -> Result<InvoicePage, CommandError> {
        let query = InvoiceQuery {
            skip: 0,
            page_size: 1,
            ..query.clone()
        };
        let request = self.list_request(context, &query)?;
        let page = self.collected_page(context, request).await?;
        Ok(self.page(page, self.clock.now(), false))
    }

    /// A page of a filter, and the token of the next one; empty after the last.
    pub(crate) async fn collect(
        &self,
        context: &CallContext,
        query: &InvoiceQuery,
        page_token: String,
    ) -> Result<(Vec<InvoiceRow>, String), CommandError> {
        let query = InvoiceQuery {
            skip: 0,
            page_size: COLLECTED_PAGE,
            ..query.clone()
        };
        let request = simple::ListInvoicesRequest {
            page_token,
            ..self.list_request(context, &query)?
        };
        let page = self.collected_page(context, request).await?;
        let rows = page.items.iter().map(from_wire::row).collect();
        Ok((rows, page.next_page_token))
    }

    /// Rows of a filter from a position on, from the service alone.
    pub(crate) async fn rows_from(
        &self,
        context: &CallContext,
        query: &InvoiceQuery,
        skip: u32,
        page_size: u32,
    ) -> Result<Vec<InvoiceRow>, CommandError> {
        let query = InvoiceQuery {
            skip,
            page_size,
            ..query.clone()
        };
        let request = self.list_request(context, &query)?;
        let page = self.collected_page(context, request).await?;
        Ok(page.items.iter().map(from_wire::row).collect())
    }

    /// Checks whether the service would issue a document in the state in which it was read. Nothing is written, and the tax
    /// authority is not asked (decision 0129).
    pub(crate) async fn check_issue(
        &self,
        context: &CallContext,
        row: &InvoiceRow,
    ) -> Result<(), CommandError> {
        let operation = &operation::ISSUE_DOCUMENT;
        let request = documents::IssueDocumentRequest {
            document_key: row.key.as_str().to_owned(),
            concurrency_stamp: row.stamp.as_str().to_owned(),
            validate_only: true,
        };
        let checked = self
            .gateway
            .call::<_, documents::Document>(context, operation, Some(&row.key), &request)
            .await;
        checked
            .map(drop)
            .map_err(|error| self.command_error(context, operation, &error))
    }

    async fn collected_page(
        &self,
        context: &CallContext,
        request: simple::ListInvoicesRequest,
    ) -> Result<simple::ListInvoicesResponse, CommandError> {
        let operation = &operation::LIST_INVOICES;
        let page = self
            .gateway
            .call(context, operation, None, &rows_only(&request))
            .await;
        page.map_err(|error| self.command_error(context, operation, &error))
    }
}
