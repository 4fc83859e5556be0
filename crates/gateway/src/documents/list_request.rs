//! Reads the request of a list: filter, sort, page size and offset.

use std::collections::BTreeSet;

use invoice::{Currency, decimal};
use invoicing_contract::field_mask::FieldSelection;
use invoicing_contract::messages::documents as wire;
use invoicing_contract::messages::documents::{
    AmountRange, AuthorityState, DateRange, Kind, ListDocumentsRequest, PaymentState, Status,
};
use invoicing_contract::{FieldMask, FieldViolation};
use invoicing_storage::documents::{DocumentFilter, SortField};
use jiff::civil::Date;
use prost::Name;

use super::fold::fold;
use crate::request_date::{NOT_A_DATE, read_date};

/// Most characters of a searched text.
const MAX_SEARCH_CHARACTERS: usize = 200;

/// Reads a list request, and collects the violations.
#[derive(Default)]
pub(super) struct ListRequestReader {
    pub(super) violations: Vec<FieldViolation>,
}

impl ListRequestReader {
    /// Adds a violation of the field at a path.
    pub(super) fn add_violation(&mut self, field: impl Into<String>, description: &str) {
        self.violations
            .push(FieldViolation::new(field, description));
    }

    /// The filter. Values that are violations are left out.
    pub(super) fn read_filter(&mut self, filter: &wire::Filter, today: Date) -> DocumentFilter {
        let status = self.read_values(&filter.status, "filter.status", |value| {
            Status::try_from(value)
                .ok()
                .filter(|status| *status != Status::Unspecified)
        });
        let kind = self.read_values(&filter.kind, "filter.kind", |value| {
            Kind::try_from(value)
                .ok()
                .filter(|kind| *kind != Kind::Unspecified)
        });
        let (issued_from, issued_to) =
            self.read_dates(filter.issue_date.as_ref(), "filter.issueDate");
        let (due_from, due_to) = self.read_dates(filter.due_date.as_ref(), "filter.dueDate");
        let (gross_from, gross_to) = self.read_amounts(filter.gross.as_ref());
        let payment_state =
            self.read_values(&filter.payment_state, "filter.paymentState", |value| {
                PaymentState::try_from(value)
                    .ok()
                    .filter(|state| *state != PaymentState::Unspecified)
            });
        let authority_state =
            self.read_values(&filter.authority_state, "filter.authorityState", |value| {
                AuthorityState::try_from(value)
                    .ok()
                    .filter(|state| *state != AuthorityState::Unspecified)
            });
        // Only with the states, so that a filter without conditions is the default.
        let today = if payment_state.is_empty() {
            String::new()
        } else {
            today.to_string()
        };
        let mut currency = BTreeSet::new();
        for (index, code) in filter.currency.iter().enumerate() {
            match Currency::parse(code) {
                Some(code) => {
                    currency.insert(code);
                }
                None => self.add_violation(
                    format!("filter.currency[{index}]"),
                    "is not a currency code of ISO 4217",
                ),
            }
        }
        DocumentFilter {
            status,
            kind,
            buyer: fold(self.check_text(&filter.buyer, "filter.buyer")),
            number: fold(self.check_text(&filter.number, "filter.number")).to_uppercase(),
            issued_from,
            issued_to,
            due_from,
            due_to,
            gross_from,
            gross_to,
            currency,
            payment_state,
            today,
            authority_state,
            authority_has_warnings: filter.authority_has_warnings,
            keys: None,
        }
    }

    /// The values of an enum, each once.
    fn read_values<Value: Ord>(
        &mut self,
        values: &[i32],
        field: &str,
        read: impl Fn(i32) -> Option<Value>,
    ) -> BTreeSet<Value> {
        let mut known = BTreeSet::new();
        for (index, value) in values.iter().enumerate() {
            match read(*value) {
                Some(value) => {
                    known.insert(value);
                }
                None => self.add_violation(
                    format!("{field}[{index}]"),
                    "is not one of the values that exist",
                ),
            }
        }
        known
    }

    fn check_text<'text>(&mut self, text: &'text str, field: &str) -> &'text str {
        if text.chars().count() > MAX_SEARCH_CHARACTERS {
            self.add_violation(field, "is longer than 200 characters");
        }
        text
    }

    fn read_dates(
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
            let date = read_date(text);
            if date.is_none() {
                self.add_violation(format!("{field}.{end}"), NOT_A_DATE);
            }
            date.map(|date| date.to_string())
        };
        (read(from, "from"), read(to, "to"))
    }

    fn read_amounts(&mut self, range: Option<&AmountRange>) -> (Option<i64>, Option<i64>) {
        let Some(AmountRange { from, to }) = range else {
            return (None, None);
        };
        let mut read = |text: &str, end: &str| {
            if text.is_empty() {
                return None;
            }
            // One with more digits would be rounded, and then include what lies outside of the range.
            let amount = decimal::parse(text)
                .ok()
                .and_then(|amount| decimal::scaled(amount, Currency::MAX_MINOR_UNITS));
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

    /// The sort fields, each with whether it descends. Newest issue date first if the request has none.
    pub(super) fn read_sort(&mut self, request: &ListDocumentsRequest) -> Vec<(SortField, bool)> {
        let mut sort: Vec<(SortField, bool)> = Vec::new();
        for (index, criterion) in request.sort.iter().enumerate() {
            let field = match wire::SortField::try_from(criterion.field) {
                Ok(wire::SortField::IssueDate) => SortField::IssueDate,
                Ok(wire::SortField::DueDate) => SortField::DueDate,
                Ok(wire::SortField::Number) => SortField::Number,
                Ok(wire::SortField::Buyer) => SortField::Buyer,
                Ok(wire::SortField::Gross) => SortField::Gross,
                Ok(wire::SortField::Status) => SortField::Status,
                Ok(wire::SortField::Updated) => SortField::Updated,
                Ok(wire::SortField::Unspecified) | Err(_) => {
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
            sort.push((SortField::IssueDate, true));
        }
        sort
    }

    /// The fields of each item; `None` for all.
    pub(super) fn read_fields<Item: Name>(
        &mut self,
        mask: Option<&FieldMask>,
    ) -> Option<FieldSelection> {
        let fields = FieldSelection::of_record::<Item>(mask?);
        fields.unwrap_or_else(|violations| {
            self.violations.extend(violations);
            None
        })
    }

    /// Rows to skip before the page.
    pub(super) fn read_skip(&mut self, skip: i32) -> u32 {
        u32::try_from(skip).unwrap_or_else(|_| {
            self.add_violation("skip", "must not be negative");
            0
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A filter as it is read, and the fields with violations.
    fn read(filter: &wire::Filter) -> (DocumentFilter, Vec<String>) {
        let mut reader = ListRequestReader::default();
        let read = reader.read_filter(filter, Date::constant(2026, 11, 14));
        let violations = reader.violations.into_iter();
        (read, violations.map(|violation| violation.field).collect())
    }

    #[test]
    fn number_is_searched_in_any_case_and_in_any_digits() {
        for number in [
            "inv-2026-0417",
            " INV-٢٠٢٦-٠٤١٧",
            "\u{200f}INV-۲۰۲۶-۰۴۱۷\u{200f}",
        ] {
            let filter = wire::Filter {
                number: number.to_owned(),
                ..wire::Filter::default()
            };
            let (filter, violations) = read(&filter);
            assert_eq!(filter.number, "INV-2026-0417");
            assert!(violations.is_empty(), "{violations:?}");
        }
    }

    #[test]
    fn amount_with_more_digits_than_any_currency_has_is_a_violation() {
        let range = |from: &str| wire::Filter {
            gross: Some(AmountRange {
                from: from.to_owned(),
                ..AmountRange::default()
            }),
            ..wire::Filter::default()
        };
        assert_eq!(read(&range("10.00010")).0.gross_from, Some(100_001));
        assert_eq!(read(&range("10.00004")).1, ["filter.gross.from"]);
    }
}
