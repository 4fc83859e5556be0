//! Lists of documents: reader the request, and the page of the response.

use invoice::{Currency, decimal};
use invoicing_contract::FieldViolation;
use invoicing_contract::messages::documents::{
    AmountRange, CurrencySum, DateRange, Filter as FilterMessage, Kind, ListDocumentsRequest,
    ListDocumentsResponse, SortField, Status,
};
use invoicing_http::RequestContext;
use invoicing_storage::documents::{Field, Filter, ListQuery, Sum};
use jiff::civil::Date;
use prost::Message as _;

use super::fold::fold;
use super::{DocumentError, Documents};

const DEFAULT_PAGE_SIZE: u32 = 50;
const MAX_PAGE_SIZE: i32 = 500;
/// Most characters of a searched text.
const MAX_SEARCH_CHARACTERS: usize = 200;

impl Documents {
    /// A page of documents, with the sums of all documents of the filter.
    ///
    /// # Errors
    /// See [`DocumentError`].
    pub async fn list(
        &self,
        context: &RequestContext,
        request: ListDocumentsRequest,
    ) -> Result<ListDocumentsResponse, DocumentError> {
        let list = list_identity(context.organization(), &request);
        let mut reader = RequestReader::default();
        let filter = reader.filter(&request.filter.clone().unwrap_or_default());
        let sort = reader.sort(&request);
        let (size, skip) = (reader.size(request.page_size), reader.skip(request.skip));
        let after = match request.page_token.as_str() {
            "" => None,
            token => {
                let after = self.page_tokens.verify(token, &list);
                if after.is_none() {
                    reader.add_violation(
                        "pageToken",
                        "is not a token of this list with this filter and sort",
                    );
                }
                after
            }
        };
        if !reader.violations.is_empty() {
            return Err(DocumentError::InvalidRequest(reader.violations));
        }
        let query = ListQuery {
            organization: context.organization().to_owned(),
            filter,
            sort,
            after,
            skip,
            size,
        };
        let page = self.store.list_documents(&query).await?;
        let total: u64 = page.sums.iter().map(|sum| sum.count).sum();
        Ok(ListDocumentsResponse {
            items: page.documents,
            next_page_token: page
                .next
                .map(|next| self.page_tokens.sign(&next, &list))
                .unwrap_or_default(),
            total_size: i32::try_from(total).unwrap_or(i32::MAX),
            sums: page.sums.iter().map(sum).collect(),
        })
    }
}

/// The list that a page token belongs to: its organization, filter and sort.
fn list_identity(organization: &str, request: &ListDocumentsRequest) -> Vec<u8> {
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

/// Reads a list request, and collects the violations.
#[derive(Default)]
struct RequestReader {
    violations: Vec<FieldViolation>,
}

impl RequestReader {
    fn add_violation(&mut self, field: impl Into<String>, description: &str) {
        self.violations
            .push(FieldViolation::new(field, description));
    }

    fn filter(&mut self, filter: &FilterMessage) -> Filter {
        let status = self.values(&filter.status, "filter.status", |value| {
            Status::try_from(value)
                .ok()
                .filter(|status| *status != Status::Unspecified)
        });
        let kind = self.values(&filter.kind, "filter.kind", |value| {
            Kind::try_from(value)
                .ok()
                .filter(|kind| *kind != Kind::Unspecified)
        });
        let (issued_from, issued_to) = self.dates(filter.issue_date.as_ref(), "filter.issueDate");
        let (due_from, due_to) = self.dates(filter.due_date.as_ref(), "filter.dueDate");
        let (gross_from, gross_to) = self.amounts(filter.gross.as_ref());
        let mut currency = Vec::new();
        for (index, code) in filter.currency.iter().enumerate() {
            match Currency::parse(code) {
                Some(code) => currency.push(code),
                None => self.add_violation(
                    format!("filter.currency[{index}]"),
                    "is not a currency code of ISO 4217",
                ),
            }
        }
        Filter {
            status,
            kind,
            buyer: fold(self.text(&filter.buyer, "filter.buyer")),
            number: self
                .text(&filter.number, "filter.number")
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
                None => self.add_violation(
                    format!("{field}[{index}]"),
                    "is not one of the values that exist",
                ),
            }
        }
        known
    }

    fn text<'text>(&mut self, text: &'text str, field: &str) -> &'text str {
        if text.chars().count() > MAX_SEARCH_CHARACTERS {
            self.add_violation(field, "is longer than 200 characters");
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
                self.add_violation(format!("{field}.{end}"), "is not a date such as 2026-11-14");
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
                self.add_violation(
                    format!("filter.gross.{end}"),
                    "is not an amount such as 1091.50",
                );
            }
            amount
        };
        (read(from, "from"), read(to, "to"))
    }

    fn sort(&mut self, request: &ListDocumentsRequest) -> Vec<(Field, bool)> {
        let mut sort: Vec<(Field, bool)> = Vec::new();
        for (index, criterion) in request.sort.iter().enumerate() {
            let field = match SortField::try_from(criterion.field) {
                Ok(SortField::IssueDate) => Field::IssueDate,
                Ok(SortField::DueDate) => Field::DueDate,
                Ok(SortField::Number) => Field::Number,
                Ok(SortField::Buyer) => Field::Buyer,
                Ok(SortField::Gross) => Field::Gross,
                Ok(SortField::Status) => Field::Status,
                Ok(SortField::Updated) => Field::Updated,
                Ok(SortField::Unspecified) | Err(_) => {
                    self.add_violation(
                        format!("sort[{index}].field"),
                        "is not one of the fields that can be sorted by",
                    );
                    continue;
                }
            };
            if sort.iter().any(|(known, _)| *known == field) {
                self.add_violation(format!("sort[{index}].field"), "is sorted by already");
                continue;
            }
            sort.push((field, criterion.descending));
        }
        if sort.is_empty() {
            sort.push((Field::IssueDate, true));
        }
        sort
    }

    fn size(&mut self, size: i32) -> u32 {
        match u32::try_from(size) {
            Ok(0) => DEFAULT_PAGE_SIZE,
            Ok(in_range) if size <= MAX_PAGE_SIZE => in_range,
            _ => {
                self.add_violation("pageSize", "must lie between 1 and 500");
                DEFAULT_PAGE_SIZE
            }
        }
    }

    fn skip(&mut self, skip: i32) -> u32 {
        u32::try_from(skip).unwrap_or_else(|_| {
            self.add_violation("skip", "must not be negative");
            0
        })
    }
}

fn sum(sum: &Sum) -> CurrencySum {
    let text = |minor| amount(minor, sum.currency.minor_units());
    CurrencySum {
        currency: sum.currency.code().to_owned(),
        count: i32::try_from(sum.count).unwrap_or(i32::MAX),
        net: text(sum.net),
        tax: text(sum.tax),
        gross: text(sum.gross),
    }
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
