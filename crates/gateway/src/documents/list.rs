//! Pages of lists of documents, in both forms.

use invoice::Currency;
use invoicing_contract::field_mask::FieldSelection;
use invoicing_contract::messages::documents as wire;
use invoicing_contract::messages::documents::{ListDocumentsRequest, ListDocumentsResponse};
use invoicing_contract::messages::simple;
use invoicing_contract::messages::simple::{ListInvoicesRequest, ListInvoicesResponse};
use invoicing_http::{PageRequest, RequestContext};
use invoicing_storage::StorageError;
use invoicing_storage::documents::{CurrencySum, ListPage, ListQuery};
use prost::{Message, Name};

use super::list_request::ListRequestReader;
use super::simple::from_summary;
use super::{DocumentError, Documents};
use crate::tenant_time::today;

impl Documents {
    /// A page of simple invoices without lines, with the sums of all documents of the filter.
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
            read_mask,
        } = request;
        let request = ListDocumentsRequest {
            filter,
            sort,
            page_size,
            page_token,
            skip,
            read_mask,
        };
        let list = list_fingerprint(context, &request);
        let ListRead { query, fields } = self.read::<simple::Invoice>(context, &request, &list)?;
        let (page, authority) = tokio::try_join!(
            self.store.list_document_summaries(&query),
            self.store.authority(context.organization()),
        )?;
        let today = today(&context.tenant, self.clock.now());
        Ok(ListInvoicesResponse {
            next_page_token: self.next_page_token(&page, &list),
            total_size: total_size(&page),
            sums: page.sums.iter().map(sum).collect(),
            items: page
                .items
                .into_iter()
                .map(|summary| keep(fields.as_ref(), from_summary(summary, today)))
                .collect::<Result<_, _>>()?,
            has_authority: authority.is_some(),
        })
    }

    /// A page of documents, with the sums of all documents of the filter.
    ///
    /// # Errors
    /// See [`DocumentError`].
    pub async fn list(
        &self,
        context: &RequestContext,
        request: ListDocumentsRequest,
    ) -> Result<ListDocumentsResponse, DocumentError> {
        let list = list_fingerprint(context, &request);
        let ListRead { query, fields } = self.read::<wire::Document>(context, &request, &list)?;
        let page = self.store.list_documents(&query).await?;
        Ok(ListDocumentsResponse {
            next_page_token: self.next_page_token(&page, &list),
            total_size: total_size(&page),
            sums: page.sums.iter().map(sum).collect(),
            items: page
                .items
                .into_iter()
                .map(|document| keep(fields.as_ref(), document))
                .collect::<Result<_, _>>()?,
        })
    }

    fn read<Item: Name>(
        &self,
        context: &RequestContext,
        request: &ListDocumentsRequest,
        list: &[u8],
    ) -> Result<ListRead, DocumentError> {
        let mut reader = ListRequestReader::default();
        let filter = reader.read_filter(
            &request.filter.clone().unwrap_or_default(),
            today(&context.tenant, self.clock.now()),
        );
        let sort = reader.read_sort(request);
        let page = self
            .page_tokens
            .read_request(request.page_size, &request.page_token, list)
            .unwrap_or_else(|violations| {
                reader.violations.extend(violations);
                PageRequest {
                    after: None,
                    size: 0,
                }
            });
        let skip = reader.read_skip(request.skip);
        let fields = reader.read_fields::<Item>(request.read_mask.as_ref());
        if !reader.violations.is_empty() {
            return Err(DocumentError::InvalidRequest(reader.violations));
        }
        let query = ListQuery {
            organization: context.organization().clone(),
            filter,
            sort,
            after: page.after,
            skip,
            size: page.size,
        };
        Ok(ListRead { query, fields })
    }

    fn next_page_token<Item>(&self, page: &ListPage<Item>, list: &[u8]) -> String {
        let next = page.next.as_ref();
        next.map(|next| self.page_tokens.sign(next, list))
            .unwrap_or_default()
    }
}

/// A request as it was read.
struct ListRead {
    query: ListQuery,
    /// Which fields of the items are answered; `None`: all.
    fields: Option<FieldSelection>,
}

/// The item with the fields that were asked for.
fn keep<Item: Message + Default>(
    fields: Option<&FieldSelection>,
    item: Item,
) -> Result<Item, DocumentError> {
    let Some(fields) = fields else {
        return Ok(item);
    };
    let kept = fields.keep(&item);
    kept.map_err(|error| StorageError::unexpected(error).into())
}

/// The list that a page token belongs to: its organization, filter and sort.
fn list_fingerprint(context: &RequestContext, request: &ListDocumentsRequest) -> Vec<u8> {
    let list = ListDocumentsRequest {
        filter: request.filter.clone(),
        sort: request.sort.clone(),
        ..ListDocumentsRequest::default()
    };
    let mut identity = context.organization().as_str().as_bytes().to_vec();
    identity.push(0);
    identity.extend(list.encode_to_vec());
    identity
}

fn total_size<Item>(page: &ListPage<Item>) -> i32 {
    let total: u64 = page.sums.iter().map(|sum| sum.count).sum();
    i32::try_from(total).unwrap_or(i32::MAX)
}

fn sum(sum: &CurrencySum) -> wire::CurrencySum {
    let text = |minor| sum_text(minor, sum.currency);
    wire::CurrencySum {
        currency: sum.currency.code().to_owned(),
        count: i32::try_from(sum.count).unwrap_or(i32::MAX),
        net: text(sum.net),
        tax: text(sum.tax),
        gross: text(sum.gross),
    }
}

/// The decimal text of a sum in minor units of a currency.
pub(crate) fn sum_text(minor: i128, currency: Currency) -> String {
    amount(minor, currency.minor_units())
}

/// The decimal text of minor units. A sum can exceed the range of an amount.
fn amount(minor: i128, minor_units: u32) -> String {
    let sign = if minor < 0 { "-" } else { "" };
    let digits = format!(
        "{:0>width$}",
        minor.unsigned_abs(),
        width = minor_units as usize + 1
    );
    let (whole, fraction) = digits.split_at(digits.len() - minor_units as usize);
    if fraction.is_empty() {
        format!("{sign}{whole}")
    } else {
        format!("{sign}{whole}.{fraction}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_of_any_size_are_exact_text() {
        for (minor, minor_units, text) in [
            (109_150, 2, "1091.50"),
            (-1, 3, "-0.001"),
            (0, 2, "0.00"),
            (7, 0, "7"),
            (
                123_456_789_012_345_678_901_234,
                2,
                "1234567890123456789012.34",
            ),
        ] {
            assert_eq!(amount(minor, minor_units), text);
        }
    }
}
