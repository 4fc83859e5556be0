//! The request for a page of invoices.

use invoice::decimal::DecimalError;
use invoice::{Currency, decimal};
use invoicing_contract::FieldMask;
use invoicing_contract::messages::{documents, simple};

use super::Invoices;
use super::number_input::{minor_units, normalize_number};
use crate::gateway::CallContext;
use crate::views::{
    CommandError, InvoiceQuery, InvoiceStatus, PaymentState, SortField, SubmissionState, Violation,
};

/// What [`row`](super::from_wire::row) reads, and the organization: an answer with items of another one is refused.
const ROW_FIELDS: [&str; 17] = [
    "document_key",
    "organization_id",
    "number",
    "kind",
    "status",
    "buyer.name",
    "issue_date",
    "due_date",
    "currency",
    "net",
    "tax",
    "gross",
    "open",
    "payment_state",
    "authority_state",
    "authority_has_warnings",
    "concurrency_stamp",
];

impl Invoices {
    /// The request for a page, for a command.
    pub(super) fn list_request(
        &self,
        context: &CallContext,
        query: &InvoiceQuery,
    ) -> Result<simple::ListInvoicesRequest, CommandError> {
        list_request(query).map_err(|violations| context.refusal(violations, self.clock.now()))
    }
}

/// The request for a page. It pages with `skip`, without page tokens.
///
/// # Errors
/// A violation for each amount that is no number, has two readings, or cannot be compared exactly.
pub(crate) fn list_request(
    query: &InvoiceQuery,
) -> Result<simple::ListInvoicesRequest, Vec<Violation>> {
    let dates = |from: &str, to: &str| {
        (!from.is_empty() || !to.is_empty()).then(|| simple::DateRange {
            from: from.to_owned(),
            to: to.to_owned(),
        })
    };
    let gross = amounts(&query.gross_from, &query.gross_to, &query.currency)?;
    let sort = query.sort.map(|sort| simple::Sort {
        field: sort_field(sort.field).into(),
        descending: sort.descending,
    });
    Ok(simple::ListInvoicesRequest {
        filter: Some(simple::Filter {
            status: query
                .status
                .iter()
                .map(|status| status_to_wire(*status).into())
                .collect(),
            kind: query
                .kind
                .iter()
                .map(|kind| documents::Kind::from(*kind).into())
                .collect(),
            buyer: query.buyer.trim().to_owned(),
            number: query.number.trim().to_owned(),
            issue_date: dates(&query.issued_from, &query.issued_to),
            due_date: dates(&query.due_from, &query.due_to),
            gross,
            currency: query.currency.clone(),
            payment_state: query
                .payment
                .iter()
                .map(|state| payment_to_wire(*state).into())
                .collect(),
            authority_state: query
                .submission
                .iter()
                .map(|state| submission_to_wire(*state).into())
                .collect(),
            authority_has_warnings: query.has_warnings,
        }),
        sort: sort.into_iter().collect(),
        page_size: i32::try_from(query.page_size).unwrap_or(i32::MAX),
        page_token: String::new(),
        skip: i32::try_from(query.skip).unwrap_or(i32::MAX),
        read_mask: None,
    })
}

/// What is wrong with the amounts of a filter: a violation for each that [`list_request`] refuses.
pub(crate) fn check_amounts(from: &str, to: &str, currency: &[String]) -> Vec<Violation> {
    amounts(from, to, currency).err().unwrap_or_default()
}

/// The amounts of a filter, which are typed as those of a document are: in any digits, with or without grouping.
fn amounts(
    from: &str,
    to: &str,
    currency: &[String],
) -> Result<Option<simple::AmountRange>, Vec<Violation>> {
    // Three digits after a point are a fraction only if all the currencies have three decimals.
    let minor_units = currency
        .iter()
        .map(|currency| minor_units(currency))
        .min()
        .unwrap_or_else(|| minor_units(""));
    let mut violations = Vec::new();
    let mut read = |text: &str, end: &str| {
        read_amount(text, minor_units).unwrap_or_else(|rule| {
            violations.push(Violation {
                field: None,
                path: format!("filter.gross.{end}"),
                rule: rule.to_owned(),
                description: String::new(),
            });
            String::new()
        })
    };
    let (from, to) = (read(from, "from"), read(to, "to"));
    if !violations.is_empty() {
        return Err(violations);
    }
    Ok((!from.is_empty() || !to.is_empty()).then_some(simple::AmountRange { from, to }))
}

/// An amount as it was typed, as a decimal string, or the rule that it breaks. The service compares amounts in the smallest unit of
/// any currency, and refuses one that has no such value.
fn read_amount(text: &str, minor_units: u32) -> Result<String, &'static str> {
    let number = normalize_number(text, minor_units)?;
    if number.is_empty() {
        return Ok(number);
    }
    match decimal::parse(&number) {
        Ok(amount) if decimal::scaled(amount, Currency::MAX_MINOR_UNITS).is_some() => Ok(number),
        Ok(amount) if amount.normalize().scale() > Currency::MAX_MINOR_UNITS => Err("INV-DIGITS"),
        Ok(_) | Err(DecimalError::TooLong) => Err("INV-TOO-LARGE"),
        Err(DecimalError::Malformed) => Err("INV-NUMBER"),
    }
}

/// The request with the fields that a row shows: of a slow network each byte of fifty rows is waited for. Pages are kept on this
/// computer under the request without it.
pub(crate) fn rows_only(request: &simple::ListInvoicesRequest) -> simple::ListInvoicesRequest {
    simple::ListInvoicesRequest {
        read_mask: Some(FieldMask::of(ROW_FIELDS)),
        ..request.clone()
    }
}

fn sort_field(field: SortField) -> simple::SortField {
    match field {
        SortField::IssueDate => simple::SortField::IssueDate,
        SortField::DueDate => simple::SortField::DueDate,
        SortField::Number => simple::SortField::Number,
        SortField::Buyer => simple::SortField::Buyer,
        SortField::Gross => simple::SortField::Gross,
        SortField::Status => simple::SortField::Status,
        SortField::Updated => simple::SortField::Updated,
    }
}

pub(super) fn status_to_wire(status: InvoiceStatus) -> documents::Status {
    match status {
        InvoiceStatus::Draft => documents::Status::Draft,
        InvoiceStatus::Issued => documents::Status::Issued,
        InvoiceStatus::Frozen => documents::Status::Frozen,
        InvoiceStatus::Rejected => documents::Status::Rejected,
    }
}

fn payment_to_wire(state: PaymentState) -> documents::PaymentState {
    match state {
        PaymentState::Open => documents::PaymentState::Open,
        PaymentState::PartlyPaid => documents::PaymentState::PartlyPaid,
        PaymentState::Credited => documents::PaymentState::Credited,
        PaymentState::ToRefund => documents::PaymentState::ToRefund,
        PaymentState::Paid => documents::PaymentState::Paid,
        PaymentState::Overdue => documents::PaymentState::Overdue,
    }
}

fn submission_to_wire(state: SubmissionState) -> documents::AuthorityState {
    match state {
        SubmissionState::Pending => documents::AuthorityState::Pending,
        SubmissionState::Unanswered => documents::AuthorityState::Unknown,
        SubmissionState::Cleared => documents::AuthorityState::Cleared,
        SubmissionState::Reported => documents::AuthorityState::Reported,
        SubmissionState::Accepted => documents::AuthorityState::Accepted,
        SubmissionState::Rejected => documents::AuthorityState::Rejected,
    }
}

#[cfg(test)]
mod tests {
    use invoicing_contract::messages::documents::{LocalizedText, Party};

    use super::*;
    use crate::invoices::from_wire::row;

    /// A query with these amounts, and these currencies.
    fn query(gross_from: &str, gross_to: &str, currency: &[&str]) -> InvoiceQuery {
        InvoiceQuery {
            gross_from: gross_from.to_owned(),
            gross_to: gross_to.to_owned(),
            currency: currency.iter().map(|&code| code.to_owned()).collect(),
            ..InvoiceQuery::default()
        }
    }

    /// The amounts that are asked for, or the paths of the violations with their rules.
    fn asked(query: &InvoiceQuery) -> Result<(String, String), Vec<(String, String)>> {
        let request = list_request(query).map_err(|violations| {
            let violations = violations.into_iter();
            violations
                .map(|violation| (violation.path, violation.rule))
                .collect::<Vec<_>>()
        })?;
        let gross = request.filter.and_then(|filter| filter.gross);
        Ok(gross.map_or_else(Default::default, |gross| (gross.from, gross.to)))
    }

    fn amounts_of(from: &str, to: &str) -> (String, String) {
        (from.to_owned(), to.to_owned())
    }

    #[test]
    fn amounts_in_any_digits_and_with_grouping_are_asked_for_as_decimal_strings() {
        assert_eq!(
            asked(&query("١٬٠٩١٫٥٠", " 12,000.5 ", &[])),
            Ok(amounts_of("1091.50", "12000.5"))
        );
        assert_eq!(asked(&query("", "٤٩٠", &[])), Ok(amounts_of("", "490")));
        let unfiltered = list_request(&query("", " ", &[])).expect("nothing to read");
        assert_eq!(unfiltered.filter.and_then(|filter| filter.gross), None);
    }

    fn violation(path: &str, rule: &str) -> (String, String) {
        (path.to_owned(), rule.to_owned())
    }

    #[test]
    fn amount_without_one_reading_is_refused_at_its_end_of_the_range() {
        assert_eq!(
            asked(&query("1,234", "many", &["SAR"])),
            Err(vec![
                violation("filter.gross.from", "INV-AMBIGUOUS"),
                violation("filter.gross.to", "INV-NUMBER"),
            ])
        );
        assert_eq!(
            asked(&query("1.234", "2", &["KWD", "SAR"])),
            Err(vec![violation("filter.gross.from", "INV-AMBIGUOUS")])
        );
        assert_eq!(
            asked(&query("1.234", "2", &["KWD", "BHD"])),
            Ok(amounts_of("1.234", "2")),
            "all of them have three decimals"
        );
    }

    #[test]
    fn amount_that_the_service_cannot_compare_exactly_is_refused() {
        assert_eq!(
            asked(&query("10.00010", "99,999,999,999,999.9999", &[])),
            Ok(amounts_of("10.00010", "99999999999999.9999"))
        );
        assert_eq!(
            asked(&query("10.00004", "999999999999999999", &[])),
            Err(vec![
                violation("filter.gross.from", "INV-DIGITS"),
                violation("filter.gross.to", "INV-TOO-LARGE"),
            ])
        );
        assert_eq!(
            asked(&query("-1234567890123456789", "", &[])),
            Err(vec![violation("filter.gross.from", "INV-TOO-LARGE")]),
            "more digits than any number may have"
        );
    }

    #[test]
    fn check_of_amounts_finds_what_the_request_is_refused_for() {
        let ranges: [(&str, &str, &[&str]); 5] = [
            ("1,234", "many", &["SAR"]),
            ("1.234", "10.00004", &["KWD"]),
            ("1.234", "", &[]),
            (" ١٬٠٩١٫٥٠ ", "", &[]),
            ("", "", &[]),
        ];
        for (from, to, currency) in ranges {
            let query = query(from, to, currency);
            assert_eq!(
                check_amounts(from, to, &query.currency),
                list_request(&query).err().unwrap_or_default(),
                "{from:?} to {to:?}"
            );
        }
        assert_ne!(check_amounts("1.234", "", &[]), []);
    }

    #[test]
    fn row_is_the_same_from_the_fields_that_are_asked_for() {
        let text = |text: &str| text.to_owned();
        let whole = simple::Invoice {
            document_key: text("018f"),
            organization_id: text("270001"),
            status: documents::Status::Issued.into(),
            concurrency_stamp: text("stamp"),
            number: text("INV-2026-0001"),
            kind: documents::Kind::CreditNote.into(),
            buyer: Some(Party {
                name: Some(LocalizedText {
                    en: text("Palm"),
                    ar: text("النخيل"),
                }),
                tax_id: text("300000000000003"),
                ..Party::default()
            }),
            issue_date: text("2026-11-14"),
            due_date: text("2026-12-14"),
            currency: text("SAR"),
            net: text("100.00"),
            tax: text("15.00"),
            gross: text("115.00"),
            payable: text("115.00"),
            open: text("15.00"),
            payment_state: documents::PaymentState::PartlyPaid.into(),
            authority_state: Some(documents::AuthorityState::Cleared.into()),
            authority_has_warnings: true,
            note: text("a note that no row shows"),
            ..simple::Invoice::default()
        };
        let mask = rows_only(&simple::ListInvoicesRequest::default()).read_mask;
        let sent = serde_json::to_value(&whole).expect("the JSON of an invoice");
        let mut answered = serde_json::json!({});
        for path in mask.expect("a mask").text().split(',') {
            let pointer = format!("/{}", path.replace('.', "/"));
            let value = sent.pointer(&pointer).expect("a field of the invoice");
            match path.split_once('.') {
                Some((outer, inner)) => answered[outer][inner] = value.clone(),
                None => answered[path] = value.clone(),
            }
        }
        let kept: simple::Invoice = serde_json::from_value(answered).expect("an invoice");
        assert_eq!(kept.note, "");
        assert_eq!(row(&kept), row(&whole));
    }
}
