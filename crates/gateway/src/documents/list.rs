//! Lists: what a caller may ask, read strictly, and the page that answers it.

use invoice::{Currency, decimal};
use invoicing_contract::FieldViolation;
use invoicing_contract::messages::documents as wire;
use invoicing_contract::messages::documents::{
    AmountRange, DateRange, Filter as Asked, Kind, ListDocumentsRequest, ListDocumentsResponse,
    SortField as RequestedField, Status,
};
use invoicing_contract::messages::simple::{ListInvoicesRequest, ListInvoicesResponse};
use jiff::civil::Date;
use prost::Message as _;

use super::fold::fold;
use super::simple::from_summary;
use super::{Acting, DocumentError, Documents};
use invoicing_storage::documents::{CurrencySum, DocumentFilter, ListPage, ListQuery, SortField};

const DEFAULT_SIZE: u32 = 50;
const LARGEST: i32 = 500;
/// Longest text that can be searched for, in characters.
const LONGEST: usize = 200;

impl Documents {
    /// A page of documents in the simple form without lines, with the sums of the whole filter.
    ///
    /// # Errors
    /// See [`DocumentError`].
    pub async fn list_simple(
        &self,
        acting: &Acting<'_>,
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
        let list = identity(acting.organization().as_str(), &request);
        let query = self.query(acting, &request, &list)?;
        let page = self.store.list_document_summaries(&query).await?;
        Ok(ListInvoicesResponse {
            next_page_token: self.next_page_token(&page, &list),
            total_size: total_size(&page),
            sums: page.sums.iter().map(sum).collect(),
            items: page.items.into_iter().map(from_summary).collect(),
        })
    }

    /// A page of whole documents, with the sums of the whole filter.
    ///
    /// # Errors
    /// See [`DocumentError`].
    pub async fn list(
        &self,
        acting: &Acting<'_>,
        request: ListDocumentsRequest,
    ) -> Result<ListDocumentsResponse, DocumentError> {
        let list = identity(acting.organization().as_str(), &request);
        let query = self.query(acting, &request, &list)?;
        let page = self.store.list_documents(&query).await?;
        Ok(ListDocumentsResponse {
            next_page_token: self.next_page_token(&page, &list),
            total_size: total_size(&page),
            sums: page.sums.iter().map(sum).collect(),
            items: page.items,
        })
    }

    fn query(
        &self,
        acting: &Acting<'_>,
        request: &ListDocumentsRequest,
        list: &[u8],
    ) -> Result<ListQuery, DocumentError> {
        let mut reading = Reading::default();
        let filter = reading.filter(&request.filter.clone().unwrap_or_default());
        let sort = reading.sort(request);
        let (size, skip) = (reading.size(request.page_size), reading.skip(request.skip));
        let after = match request.page_token.as_str() {
            "" => None,
            token => {
                let after = self.page_tokens.open_token(token, list);
                if after.is_none() {
                    reading.wrong(
                        "pageToken",
                        "is not a token of this list with this filter and sort",
                    );
                }
                after
            }
        };
        if !reading.violations.is_empty() {
            return Err(DocumentError::InvalidRequest(reading.violations));
        }
        Ok(ListQuery {
            organization: acting.organization().clone(),
            filter,
            sort,
            after,
            skip,
            size,
        })
    }

    fn next_page_token<Item>(&self, page: &ListPage<Item>, list: &[u8]) -> String {
        let next = page.next.as_ref();
        next.map(|next| self.page_tokens.seal(next, list))
            .unwrap_or_default()
    }
}

fn total_size<Item>(page: &ListPage<Item>) -> i32 {
    let total: u64 = page.sums.iter().map(|sum| sum.count).sum();
    i32::try_from(total).unwrap_or(i32::MAX)
}

/// What a page token belongs to: the organization, the filter and the sort.
fn identity(organization: &str, request: &ListDocumentsRequest) -> Vec<u8> {
    let of = ListDocumentsRequest {
        filter: request.filter.clone(),
        sort: request.sort.clone(),
        ..ListDocumentsRequest::default()
    };
    let mut identity = organization.as_bytes().to_vec();
    identity.push(0);
    identity.extend(of.encode_to_vec());
    identity
}

/// Reads a request and gathers everything wrong with it.
#[derive(Default)]
struct Reading {
    violations: Vec<FieldViolation>,
}

impl Reading {
    fn wrong(&mut self, field: impl Into<String>, description: &str) {
        self.violations
            .push(FieldViolation::new(field, description));
    }

    fn filter(&mut self, asked: &Asked) -> DocumentFilter {
        let status = self.values(&asked.status, "filter.status", |value| {
            Status::try_from(value)
                .ok()
                .filter(|status| *status != Status::Unspecified)
        });
        let kind = self.values(&asked.kind, "filter.kind", |value| {
            Kind::try_from(value)
                .ok()
                .filter(|kind| *kind != Kind::Unspecified)
        });
        let (issued_from, issued_to) = self.dates(asked.issue_date.as_ref(), "filter.issueDate");
        let (due_from, due_to) = self.dates(asked.due_date.as_ref(), "filter.dueDate");
        let (gross_from, gross_to) = self.amounts(asked.gross.as_ref());
        let mut currency = Vec::new();
        for (index, code) in asked.currency.iter().enumerate() {
            match Currency::parse(code) {
                Some(code) => currency.push(code),
                None => self.wrong(
                    format!("filter.currency[{index}]"),
                    "is not a currency code of ISO 4217",
                ),
            }
        }
        DocumentFilter {
            status,
            kind,
            buyer: fold(self.text(&asked.buyer, "filter.buyer")),
            number: self
                .text(&asked.number, "filter.number")
                .trim()
                .to_uppercase(),
            issued_from,
            issued_to,
            due_from,
            due_to,
            gross_from,
            gross_to,
            currency,
        }
    }

    fn values<Value>(
        &mut self,
        values: &[i32],
        field: &str,
        read: impl Fn(i32) -> Option<Value>,
    ) -> Vec<Value> {
        let mut known = Vec::new();
        for (index, value) in values.iter().enumerate() {
            match read(*value) {
                Some(value) => known.push(value),
                None => self.wrong(
                    format!("{field}[{index}]"),
                    "is not one of the values that exist",
                ),
            }
        }
        known
    }

    fn text<'text>(&mut self, text: &'text str, field: &str) -> &'text str {
        if text.chars().count() > LONGEST {
            self.wrong(field, "is longer than 200 characters");
        }
        text
    }

    fn dates(
        &mut self,
        range: Option<&DateRange>,
        field: &str,
    ) -> (Option<String>, Option<String>) {
        let Some(DateRange { from, to }) = range else {
            return (None, None);
        };
        let mut read = |text: &str, end: &str| {
            if text.is_empty() {
                return None;
            }
            let date = text
                .parse::<Date>()
                .ok()
                .map(|date| date.to_string())
                .filter(|date| date == text);
            if date.is_none() {
                self.wrong(format!("{field}.{end}"), "is not a date such as 2026-11-14");
            }
            date
        };
        (read(from, "from"), read(to, "to"))
    }

    fn amounts(&mut self, range: Option<&AmountRange>) -> (Option<i64>, Option<i64>) {
        let Some(AmountRange { from, to }) = range else {
            return (None, None);
        };
        let mut read = |text: &str, end: &str| {
            if text.is_empty() {
                return None;
            }
            let amount = decimal::parse(text)
                .ok()
                .and_then(|amount| decimal::scaled(amount, 4));
            if amount.is_none() {
                self.wrong(
                    format!("filter.gross.{end}"),
                    "is not an amount such as 1091.50",
                );
            }
            amount
        };
        (read(from, "from"), read(to, "to"))
    }

    fn sort(&mut self, request: &ListDocumentsRequest) -> Vec<(SortField, bool)> {
        let mut sort: Vec<(SortField, bool)> = Vec::new();
        for (index, asked) in request.sort.iter().enumerate() {
            let field = match RequestedField::try_from(asked.field) {
                Ok(RequestedField::IssueDate) => SortField::IssueDate,
                Ok(RequestedField::DueDate) => SortField::DueDate,
                Ok(RequestedField::Number) => SortField::Number,
                Ok(RequestedField::Buyer) => SortField::Buyer,
                Ok(RequestedField::Gross) => SortField::Gross,
                Ok(RequestedField::Status) => SortField::Status,
                Ok(RequestedField::Updated) => SortField::Updated,
                Ok(RequestedField::Unspecified) | Err(_) => {
                    self.wrong(
                        format!("sort[{index}].field"),
                        "is not one of the fields that can be sorted by",
                    );
                    continue;
                }
            };
            if sort.iter().any(|(known, _)| *known == field) {
                self.wrong(format!("sort[{index}].field"), "is sorted by already");
                continue;
            }
            sort.push((field, asked.descending));
        }
        if sort.is_empty() {
            sort.push((SortField::IssueDate, true));
        }
        sort
    }

    fn size(&mut self, size: i32) -> u32 {
        match u32::try_from(size) {
            Ok(0) => DEFAULT_SIZE,
            Ok(given) if size <= LARGEST => given,
            _ => {
                self.wrong("pageSize", "must lie between 1 and 500");
                DEFAULT_SIZE
            }
        }
    }

    fn skip(&mut self, skip: i32) -> u32 {
        u32::try_from(skip).unwrap_or_else(|_| {
            self.wrong("skip", "must not be negative");
            0
        })
    }
}

fn sum(sum: &CurrencySum) -> wire::CurrencySum {
    let text = |minor| amount(minor, sum.currency.minor_units());
    wire::CurrencySum {
        currency: sum.currency.code().to_owned(),
        count: i32::try_from(sum.count).unwrap_or(i32::MAX),
        net: text(sum.net),
        tax: text(sum.tax),
        gross: text(sum.gross),
    }
}

/// Minor units as a decimal of any length: a sum can be larger than an amount.
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
    fn sums_of_any_size_print_exactly() {
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
