//! Listing and reading. Without a connection, the last answers are read from the cache of this computer (decision 0065).

use invoicing_contract::messages::{documents, simple};
use invoicing_contract::{Code, DocumentKey, operation};
use jiff::Timestamp;

use super::list_request::rows_only;
use super::{Invoices, from_wire};
use crate::cached_read::{Answer, read_or_cached};
use crate::gateway::{CallContext, GatewayError};
use crate::read_cache::{Cached, CachedDocument, DOCUMENTS};
use crate::views::{CommandError, InvoicePage, InvoiceQuery, InvoiceView};

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
        let request = self.list_request(context, query)?;
        let rows = rows_only(&request);
        let (session, organization) = (&context.session, &context.organization);
        let call = self
            .gateway
            .call(context, &operation::LIST_INVOICES, None, &rows);
        let cached = self.read_cache.list(session, organization, &request);
        match read_or_cached(
            &self.read_cache,
            self.clock.as_ref(),
            context,
            DOCUMENTS,
            call,
            cached,
        )
        .await
        {
            Ok(Answer::Current(page)) => {
                self.read_cache
                    .store_list(session, organization, &request, &page)
                    .await;
                self.note_rows(context, &page.items).await;
                Ok(self.page(page, self.clock.now(), false))
            }
            Ok(Answer::Cached(Cached { value, as_of })) => Ok(self.page(value, as_of, true)),
            Err(error) => Err(self.command_error(context, &operation::LIST_INVOICES, &error)),
        }
    }

    /// One whole invoice.
    pub(crate) async fn get(
        &self,
        context: &CallContext,
        key: &DocumentKey,
    ) -> Result<InvoiceView, CommandError> {
        Ok(match self.read(context, key).await? {
            Answer::Current(document) => self.view(document),
            Answer::Cached(Cached { value, as_of }) => InvoiceView {
                offline_as_of: Some(as_of.to_string()),
                ..self.view(value)
            },
        })
    }

    /// One document with what no invoice shows, and whether it is an earlier answer that is kept on this computer. Who may read
    /// only the simple form gets a document without a content.
    pub(crate) async fn whole(
        &self,
        context: &CallContext,
        key: &DocumentKey,
    ) -> Result<(documents::Document, bool), CommandError> {
        let (document, offline) = match self.read(context, key).await? {
            Answer::Current(document) => (document, false),
            Answer::Cached(Cached { value, .. }) => (value, true),
        };
        let document = match document {
            CachedDocument::Whole(document) => *document,
            CachedDocument::Simple(invoice) => documents::Document {
                status: invoice.status,
                ..documents::Document::default()
            },
        };
        Ok((document, offline))
    }

    async fn read(
        &self,
        context: &CallContext,
        key: &DocumentKey,
    ) -> Result<Answer<CachedDocument>, CommandError> {
        let (session, organization) = (&context.session, &context.organization);
        let call = self.fetch(context, key);
        let cached = self.read_cache.document(session, organization, key);
        match read_or_cached(
            &self.read_cache,
            self.clock.as_ref(),
            context,
            DOCUMENTS,
            call,
            cached,
        )
        .await
        {
            Ok(answer) => {
                if let Answer::Current(document) = &answer {
                    self.read_cache
                        .store_document(session, organization, key, document)
                        .await;
                }
                Ok(answer)
            }
            Err(error) => {
                if error.code() == Some(Code::NotFound) {
                    self.read_cache
                        .remove_document(session, organization, key)
                        .await;
                    self.forget_row(context, key).await;
                }
                Err(self.command_error(context, &operation::GET_INVOICE, &error))
            }
        }
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
        Ok(self.view(self.fetch(context, key).await?))
    }

    async fn fetch(
        &self,
        context: &CallContext,
        key: &DocumentKey,
    ) -> Result<CachedDocument, GatewayError> {
        // Only the document has everything. A user who may not read documents sees what the simple form has.
        match self.get_document(context, key).await {
            Ok(document) => return Ok(CachedDocument::Whole(Box::new(document))),
            Err(error) if error.code() == Some(Code::PermissionDenied) => {}
            Err(error) => return Err(error),
        }
        let request = simple::GetInvoiceRequest {
            document_key: key.as_str().to_owned(),
        };
        let invoice: simple::Invoice = self
            .gateway
            .call(context, &operation::GET_INVOICE, Some(key), &request)
            .await?;
        Ok(CachedDocument::Simple(Box::new(invoice)))
    }

    fn view(&self, document: CachedDocument) -> InvoiceView {
        match document {
            CachedDocument::Simple(invoice) => from_wire::view(*invoice),
            CachedDocument::Whole(document) => from_wire::document_view(*document),
        }
    }

    pub(super) fn page(
        &self,
        page: simple::ListInvoicesResponse,
        as_of: Timestamp,
        offline: bool,
    ) -> InvoicePage {
        InvoicePage {
            rows: page.items.iter().map(from_wire::row).collect(),
            total: u32::try_from(page.total_size).unwrap_or(0),
            sums: page.sums.into_iter().map(from_wire::sum).collect(),
            has_authority: page.has_authority,
            as_of: as_of.to_string(),
            offline,
        }
    }

    /// The whole document, which is also put into the cache.
    pub(crate) async fn get_document(
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
        self.cache(context, &document);
        Ok(document)
    }
}
