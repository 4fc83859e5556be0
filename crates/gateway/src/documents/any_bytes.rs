//! What must hold for any bytes at all that arrive as the JSON of an invoice: for the fuzz target and for the short run of it in
//! the tests.

use invoice::{CheckContext, Country, Currency, decimal};
use invoicing_contract::messages::documents::Invoice;
use jiff::civil::date;

use super::{DocumentError, complete};
use invoicing_storage::directory::{Organization, Tenant, TenantAddress};

/// Refused; or read in one way only, and then either everything wrong is told with its rule, or it is completed with figures
/// that add up, and completed again it is the same.
///
/// # Panics
/// When it is not so.
pub fn as_invoice(bytes: &[u8]) {
    let Ok(sent) = serde_json::from_slice::<Invoice>(bytes) else {
        return;
    };
    let written = serde_json::to_vec(&sent).expect("a message can be written");
    let again: Invoice = serde_json::from_slice(&written).expect("what was written can be read");
    assert_eq!(again, sent);
    let (tenant, rules) = (tenant(), rules());
    let completed = match complete(sent, &tenant, &rules, "at.") {
        Ok(completed) => completed,
        Err(DocumentError::InvalidInvoice(violations)) => {
            assert!(!violations.is_empty(), "it is wrong in something");
            for violation in violations {
                let (rule, words) = violation.description.split_once(": ").unwrap_or_default();
                assert!(
                    violation.field.starts_with("at.") && !rule.is_empty() && !words.is_empty(),
                    "{violation:?}"
                );
            }
            return;
        }
        Err(error) => panic!("content is right or wrong, and never {error}"),
    };
    let totals = completed.totals.clone().expect("what is right has totals");
    let number = |text: &str| decimal::parse(text).expect("a figure is a number");
    assert_eq!(
        number(&totals.net) + number(&totals.tax),
        number(&totals.gross),
        "BR-CO-15"
    );
    let mut once_more = completed.clone();
    once_more.seller = None;
    once_more.tax_breakdown.clear();
    once_more.totals = None;
    for line in &mut once_more.lines {
        line.net.clear();
        line.tax_amounts = None;
    }
    let once_more = complete(once_more, &tenant, &rules, "at.").expect("what was right stays so");
    assert_eq!(
        once_more, completed,
        "figures are a function of the content"
    );
}

fn rules() -> CheckContext {
    CheckContext {
        today: date(2026, 11, 21),
        seller_country: Country::SAUDI_ARABIA,
        currency: Currency::parse("SAR").expect("a known currency"),
    }
}

fn tenant() -> Tenant {
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
        address: TenantAddress {
            building: "1234".to_owned(),
            street: "شارع".to_owned(),
            district: "حي".to_owned(),
            city: "الرياض".to_owned(),
            postal_code: "12345".to_owned(),
        },
        monthly_documents: None,
        requests_per_minute: None,
        authority_endpoint: None,
    }
}
