//! Properties of arbitrary bytes as the JSON of an invoice, for the fuzz target and for its short run in the tests.

use invoice::content::Identifier;
use invoice::{CheckContext, Country, Currency, decimal};
use invoicing_contract::OutputFields as _;
use invoicing_contract::messages::documents::{Invoice, ListDocumentsRequest};
use invoicing_storage::directory::{Organization, Tenant, TenantAddress};
use invoicing_storage::plans::Limits;
use jiff::civil::date;

use super::list_request::ListRequestReader;
use super::{DocumentError, complete_invoice};

/// Bytes that are an invoice survive a round trip. Then either each violation names its field and rule, or the completed
/// invoice has consistent totals and completing it again changes nothing.
///
/// # Panics
/// A property does not hold.
pub fn check_invoice_json(bytes: &[u8]) {
    let Ok(sent) = serde_json::from_slice::<Invoice>(bytes) else {
        return;
    };
    let written = serde_json::to_vec(&sent).expect("a message has a JSON form");
    let read: Invoice = serde_json::from_slice(&written).expect("the JSON form is a message");
    assert_eq!(read, sent);
    let (tenant, check_context) = (tenant(), check_context());
    let completed = match complete_invoice(sent, &tenant, &check_context, "invoice.") {
        Ok(completed) => completed,
        Err(DocumentError::InvalidInvoice(violations)) => {
            assert!(!violations.is_empty(), "an invalid invoice has violations");
            for violation in violations {
                let (rule, text) = violation.description.split_once(": ").unwrap_or_default();
                assert!(
                    violation.field.starts_with("invoice.") && !rule.is_empty() && !text.is_empty(),
                    "{violation:?}"
                );
            }
            return;
        }
        Err(error) => panic!("not an error of the content: {error}"),
    };
    let totals = completed
        .totals
        .clone()
        .expect("a completed invoice has totals");
    let number = |text: &str| decimal::parse(text).expect("an amount is a number");
    assert_eq!(
        number(&totals.net) + number(&totals.tax),
        number(&totals.gross),
        "BR-CO-15"
    );
    let mut without_outputs = completed.clone();
    without_outputs.clear_output_fields();
    let again = complete_invoice(without_outputs, &tenant, &check_context, "invoice.");
    assert_eq!(
        again.expect("a completed invoice is valid"),
        completed,
        "outputs are a function of the content"
    );
}

/// Each violation of the filter of a list names a field of it.
///
/// # Panics
/// A property does not hold.
pub fn check_filter(request: &ListDocumentsRequest) {
    let Some(filter) = &request.filter else {
        return;
    };
    let mut reader = ListRequestReader::default();
    let read = reader.read_filter(filter, date(2026, 11, 21));
    for violation in &reader.violations {
        assert!(violation.field.starts_with("filter."), "{violation:?}");
    }
    assert!(read.currency.len() <= filter.currency.len());
    assert!(read.status.len() <= filter.status.len());
    assert!(read.authority_state.len() <= filter.authority_state.len());
}

pub(super) fn check_context() -> CheckContext {
    CheckContext {
        today: date(2026, 11, 21),
        seller_country: Country::SAUDI_ARABIA,
        currency: Currency::parse("SAR").expect("a known currency"),
    }
}

pub(super) fn tenant() -> Tenant {
    Tenant {
        organization: Organization {
            id: "1".into(),
            name: "Company".to_owned(),
            name_ar: "شركة".to_owned(),
            domain: "company.example".to_owned(),
        },
        currency: "SAR".to_owned(),
        country: "SA".to_owned(),
        time_zone: "Asia/Riyadh".to_owned(),
        tax_id: "310122393500003".to_owned(),
        registration_number: Identifier {
            scheme: "CRN".to_owned(),
            value: "1010175397".to_owned(),
        },
        address: TenantAddress {
            building: "1234".to_owned(),
            street: "شارع".to_owned(),
            district: "حي".to_owned(),
            city: "الرياض".to_owned(),
            postal_code: "12345".to_owned(),
        },
        own_limits: Limits::default(),
        plan: None,
        authority_endpoint: None,
        concurrency_stamp: Tenant::INITIAL_STAMP.to_owned(),
        disabled_at: None,
    }
}
