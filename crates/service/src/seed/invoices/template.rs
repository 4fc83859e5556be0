//! Template invoices from the catalogue, validated and computed like those of any caller.

use invoicing_contract::messages::documents::{
    Address, Authority, AuthorityState, DocumentReference, Invoice, Kind, Line, LocalizedText,
    Party, Tax,
};
use jiff::civil::Date;

use super::super::saudi_address;
use super::catalogue::{ARTICLES, Article, NAMES, REASONS, TRADES};
use super::deterministic_rng::DeterministicRng;
use invoicing_gateway::documents::{check_context, complete_invoice};
use invoicing_storage::StorageError;
use invoicing_storage::directory::Tenant;

/// The largest number of templates.
const MAX_TEMPLATES: u32 = 3_000;

/// An invoice and a credit note for a part of it, without dates and numbers.
pub(super) struct Template {
    pub(super) invoice: Invoice,
    pub(super) credit_note: Invoice,
    /// Days until the due date.
    pub(super) days: i64,
}

/// The templates for `count` invoices.
pub(super) fn make(
    tenant: &Tenant,
    count: u32,
    until: Date,
) -> Result<Vec<Template>, StorageError> {
    (0..count.min(MAX_TEMPLATES))
        .map(|index| template(tenant, index, until))
        .collect()
}

/// The answer of the tax authority to rejected invoices.
pub(super) fn rejection() -> Authority {
    let message = "BR-KSA-63: the buyer's address is not complete · عنوان المشتري غير مكتمل";
    Authority {
        status: "rejected".to_owned(),
        state: AuthorityState::Rejected.into(),
        messages: vec![message.to_owned()],
        ..Authority::default()
    }
}

fn template(tenant: &Tenant, index: u32, until: Date) -> Result<Template, StorageError> {
    let mut rng = DeterministicRng::new(
        &format!("template {}", tenant.organization.id),
        u64::from(index),
    );
    let currency = currency(tenant, &mut rng);
    let (tax_currency, exchange_rate) = tax_currency(tenant, currency);
    let buyer = buyer(tenant, &mut rng);
    let lines: Vec<_> = (0..1 + rng.below(4))
        .map(|_| line(tenant, currency, &mut rng))
        .collect();
    let days = *rng.one(&[0, 15, 30, 30, 45, 60]);
    let content = Invoice {
        kind: Kind::Invoice as i32,
        currency: currency.to_owned(),
        tax_currency: tax_currency.to_owned(),
        exchange_rate: exchange_rate.to_owned(),
        buyer: Some(buyer),
        lines,
        ..Invoice::default()
    };
    let credit_note = Invoice {
        kind: Kind::CreditNote as i32,
        reason: (*rng.one(&REASONS)).to_owned(),
        preceding: vec![DocumentReference {
            number: "INV".to_owned(),
            ..DocumentReference::default()
        }],
        lines: content.lines.iter().take(1).cloned().collect(),
        ..content.clone()
    };
    Ok(Template {
        invoice: complete_for(content, tenant, until)?,
        credit_note: complete_for(credit_note, tenant, until)?,
        days,
    })
}

fn complete_for(invoice: Invoice, tenant: &Tenant, until: Date) -> Result<Invoice, StorageError> {
    let check_context = check_context(tenant, until)?;
    complete_invoice(invoice, tenant, &check_context, "")
        .map_err(|error| StorageError::unexpected(format!("a demo invoice: {error:?}")))
}

/// Mostly the currency of the organization.
fn currency(tenant: &Tenant, rng: &mut DeterministicRng) -> &'static str {
    let own = ["SAR", "AED", "KWD", "EUR"]
        .into_iter()
        .find(|code| *code == tenant.currency)
        .unwrap_or("EUR");
    match (own, rng.below(20)) {
        ("SAR", 0) => "AED",
        ("SAR" | "AED", 1) => "EUR",
        ("EUR", 0) => "SAR",
        _ => own,
    }
}

/// BT-6 and its exchange rate: in Saudi Arabia the tax is declared in riyals (BR-KSA-68).
fn tax_currency(tenant: &Tenant, currency: &str) -> (&'static str, &'static str) {
    match (tenant.country.as_str(), currency) {
        ("SA", "AED") => ("SAR", "1.02"),
        ("SA", "EUR") => ("SAR", "4.10"),
        _ => ("", ""),
    }
}

fn buyer(tenant: &Tenant, rng: &mut DeterministicRng) -> Party {
    let (name, trade) = (rng.one(&NAMES), rng.one(&TRADES));
    let digits = rng.below(10_u64.pow(13));
    let (tax_id, city) = match tenant.country.as_str() {
        "SA" => (
            format!("3{digits:013}3"),
            *rng.one(&["Riyadh", "Jeddah", "Dammam", "Al Khobar"]),
        ),
        "AE" => (
            format!("1{digits:014}"),
            *rng.one(&["Dubai", "Abu Dhabi", "Sharjah"]),
        ),
        "KW" => (format!("{}", digits % 10_000_000), "Kuwait City"),
        _ => (
            format!("ESB{:08}", digits % 100_000_000),
            *rng.one(&["Granada", "Sevilla", "Madrid"]),
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
            ..match tenant.country.as_str() {
                "SA" => saudi_address(),
                _ => Address::default(),
            }
        }),
        ..Party::default()
    }
}

fn line(tenant: &Tenant, currency: &str, rng: &mut DeterministicRng) -> Line {
    let Article { name, unit, price } = rng.one(&ARTICLES);
    let hundredths = price.0 * 100 + rng.below((price.1 - price.0) * 100);
    // Prices are in riyals, divided by a rough exchange rate. A dinar has a thousand fils.
    let unit_price = match currency {
        "KWD" => format!("{}.{:03}", hundredths / 1_200, hundredths % 1_000),
        "EUR" => format!("{}.{:02}", hundredths / 400, hundredths % 100),
        _ => format!("{}.{:02}", hundredths / 100, hundredths % 100),
    };
    let quantity = match rng.below(4) {
        0 => format!("{}.5", 1 + rng.below(9)),
        1 => (10 + rng.below(90)).to_string(),
        _ => (1 + rng.below(9)).to_string(),
    };
    Line {
        description: Some(text(*name)),
        quantity,
        unit: (*unit).to_owned(),
        unit_price,
        tax: Some(tax(tenant, rng)),
        ..Line::default()
    }
}

fn tax(tenant: &Tenant, rng: &mut DeterministicRng) -> Tax {
    let zero_rated = rng.below(20) == 0;
    let texts = match tenant.country.as_str() {
        // Kuwait levies no value added tax.
        "KW" => ["O", "", "", "No value added tax is levied in Kuwait"],
        // A zero rate has a reason there (BR-KSA-69).
        "SA" if zero_rated => ["Z", "0", "VATEX-SA-35", ""],
        _ if zero_rated => ["Z", "0", "", ""],
        "SA" => ["S", "15", "", ""],
        "AE" => ["S", "5", "", ""],
        _ => ["S", "21", "", ""],
    };
    let [category, rate, exemption_code, exemption_reason] = texts.map(str::to_owned);
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
