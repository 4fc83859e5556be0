//! Invoices to repeat: made from the catalogue, and checked and computed like any caller's.

use invoicing_contract::messages::documents::{
    Address, Authority, DocumentReference, Invoice, Kind, Line, LocalizedText, Party, Tax,
};
use jiff::civil::Date;

use super::catalogue::{ARTICLES, Article, NAMES, REASONS, TRADES};
use super::draw::Draw;
use invoicing_gateway::documents::{complete, rules};
use invoicing_storage::StorageError;
use invoicing_storage::directory::Tenant;

/// Most of them.
const MOST: u32 = 3_000;

/// An invoice, and the credit note that takes some of it back. Dates and numbers are for whoever repeats them.
pub(super) struct Template {
    pub(super) invoice: Invoice,
    pub(super) credit_note: Invoice,
    /// Until it is due.
    pub(super) days: i64,
}

/// As many as so many invoices need.
pub(super) fn make(
    tenant: &Tenant,
    count: u32,
    until: Date,
) -> Result<Vec<Template>, StorageError> {
    (0..count.min(MOST))
        .map(|index| template(tenant, index, until))
        .collect()
}

/// What the authority said of those that it rejected.
pub(super) fn rejection() -> Authority {
    let message = "BR-KSA-63: the buyer's address is not complete · عنوان المشتري غير مكتمل";
    Authority {
        status: "rejected".to_owned(),
        messages: vec![message.to_owned()],
    }
}

fn template(tenant: &Tenant, index: u32, until: Date) -> Result<Template, StorageError> {
    let mut draw = Draw::new(
        &format!("template {}", tenant.organization.id),
        u64::from(index),
    );
    let currency = currency(tenant, &mut draw);
    let buyer = buyer(tenant, &mut draw);
    let lines: Vec<_> = (0..1 + draw.below(4))
        .map(|_| line(tenant, currency, &mut draw))
        .collect();
    let days = *draw.one(&[0, 15, 30, 30, 45, 60]);
    let content = Invoice {
        kind: Kind::Invoice as i32,
        currency: currency.to_owned(),
        buyer: Some(buyer),
        lines,
        ..Invoice::default()
    };
    let credit_note = Invoice {
        kind: Kind::CreditNote as i32,
        reason: (*draw.one(&REASONS)).to_owned(),
        preceding: vec![DocumentReference {
            number: "INV".to_owned(),
            ..DocumentReference::default()
        }],
        lines: content.lines.iter().take(1).cloned().collect(),
        ..content.clone()
    };
    Ok(Template {
        invoice: checked(content, tenant, until)?,
        credit_note: checked(credit_note, tenant, until)?,
        days,
    })
}

fn checked(invoice: Invoice, tenant: &Tenant, until: Date) -> Result<Invoice, StorageError> {
    let rules = rules(tenant, until)?;
    complete(invoice, tenant, &rules, "")
        .map_err(|error| StorageError::Unexpected(format!("a demo invoice: {error:?}")))
}

/// Mostly the organization's own.
fn currency(tenant: &Tenant, draw: &mut Draw) -> &'static str {
    let own = ["SAR", "AED", "KWD", "EUR"]
        .into_iter()
        .find(|code| *code == tenant.currency)
        .unwrap_or("EUR");
    match (own, draw.below(20)) {
        ("SAR", 0) => "AED",
        ("SAR" | "AED", 1) => "EUR",
        ("EUR", 0) => "SAR",
        _ => own,
    }
}

fn buyer(tenant: &Tenant, draw: &mut Draw) -> Party {
    let (name, trade) = (draw.one(&NAMES), draw.one(&TRADES));
    let digits = draw.below(10_u64.pow(13));
    let (tax_id, city) = match tenant.country.as_str() {
        "SA" => (
            format!("3{digits:013}3"),
            *draw.one(&["Riyadh", "Jeddah", "Dammam", "Al Khobar"]),
        ),
        "AE" => (
            format!("1{digits:014}"),
            *draw.one(&["Dubai", "Abu Dhabi", "Sharjah"]),
        ),
        "KW" => (format!("{}", digits % 10_000_000), "Kuwait City"),
        _ => (
            format!("ESB{:08}", digits % 100_000_000),
            *draw.one(&["Granada", "Sevilla", "Madrid"]),
        ),
    };
    Party {
        name: Some(text((
            &format!("{} {}", name.0, trade.0),
            &format!("{} {}", name.1, trade.1),
        ))),
        tax_id,
        address: Some(Address {
            city: city.to_owned(),
            country: tenant.country.clone(),
            ..Address::default()
        }),
        ..Party::default()
    }
}

fn line(tenant: &Tenant, currency: &str, draw: &mut Draw) -> Line {
    let Article { name, unit, price } = draw.one(&ARTICLES);
    let hundredths = price.0 * 100 + draw.below((price.1 - price.0) * 100);
    // One dinar and one euro buy more than one riyal; a dinar has a thousand fils.
    let unit_price = match currency {
        "KWD" => format!("{}.{:03}", hundredths / 1_200, hundredths % 1_000),
        "EUR" => format!("{}.{:02}", hundredths / 400, hundredths % 100),
        _ => format!("{}.{:02}", hundredths / 100, hundredths % 100),
    };
    let quantity = match draw.below(4) {
        0 => format!("{}.5", 1 + draw.below(9)),
        1 => (10 + draw.below(90)).to_string(),
        _ => (1 + draw.below(9)).to_string(),
    };
    Line {
        description: Some(text(*name)),
        quantity,
        unit: (*unit).to_owned(),
        unit_price,
        tax: Some(tax(tenant, draw)),
        ..Line::default()
    }
}

fn tax(tenant: &Tenant, draw: &mut Draw) -> Tax {
    let zero_rated = draw.below(20) == 0;
    let (category, rate, exemption) = match tenant.country.as_str() {
        // Kuwait levies no value added tax.
        "KW" => ("O", "", "No value added tax is levied in Kuwait"),
        _ if zero_rated => ("Z", "0", ""),
        "SA" => ("S", "15", ""),
        "AE" => ("S", "5", ""),
        _ => ("S", "21", ""),
    };
    let texts = [category, rate, "", exemption].map(str::to_owned);
    let [category, rate, exemption_code, exemption_reason] = texts;
    Tax {
        category,
        rate,
        exemption_code,
        exemption_reason,
    }
}

fn text((ar, en): (&str, &str)) -> LocalizedText {
    LocalizedText {
        ar: ar.to_owned(),
        en: en.to_owned(),
    }
}
