//! The content of a document: from the wire to the rules, and completed by what the service computes.

mod typed;

use invoice::rules::{OUTPUT_FIELD_SET, UNKNOWN_ENUM_VALUE};
use invoice::{CheckContext, Country, Invoice as Checked, Kind, Money, check, decimal};
use invoicing_contract::FieldViolation;
use invoicing_contract::messages::documents as wire;

use super::DocumentError;
use invoicing_storage::directory::Tenant;

/// Checks an invoice, and completes it with what the service computes. `at` is its path in the request, with a point
/// after it.
///
/// # Errors
/// [`DocumentError::InvalidInvoice`] with everything wrong.
pub fn complete(
    invoice: wire::Invoice,
    tenant: &Tenant,
    rules: &CheckContext,
    at: &str,
) -> Result<wire::Invoice, DocumentError> {
    let mut violations = outputs(&invoice, at);
    let (content, unknown) = typed::content(invoice.clone());
    violations.extend(unknown.into_iter().map(|field| {
        FieldViolation::new(
            format!("{at}{field}"),
            format!("{UNKNOWN_ENUM_VALUE}: is not one of the values that exist"),
        )
    }));
    let checked = check(&content, rules);
    violations.extend(checked.violations.into_iter().map(|violation| {
        FieldViolation::new(
            format!("{at}{}", violation.path),
            format!("{}: {}", violation.rule, violation.description),
        )
    }));
    match checked.invoice {
        Some(checked) if violations.is_empty() => Ok(completed(invoice, &checked, tenant)),
        _ => Err(DocumentError::InvalidInvoice(violations)),
    }
}

/// Output fields that a caller sent.
fn outputs(invoice: &wire::Invoice, at: &str) -> Vec<FieldViolation> {
    let mut sent = Vec::new();
    if !invoice.number.is_empty() {
        sent.push("number".to_owned());
    }
    if invoice.seller.is_some() {
        sent.push("seller".to_owned());
    }
    for (index, line) in invoice.lines.iter().enumerate() {
        if !line.net.is_empty() {
            sent.push(format!("lines[{index}].net"));
        }
        if line.tax_amounts.is_some() {
            sent.push(format!("lines[{index}].taxAmounts"));
        }
    }
    if !invoice.tax_breakdown.is_empty() {
        sent.push("taxBreakdown".to_owned());
    }
    if invoice.totals.is_some() {
        sent.push("totals".to_owned());
    }
    let violation = |field| {
        FieldViolation::new(
            format!("{at}{field}"),
            format!("{OUTPUT_FIELD_SET}: is computed by the service and cannot be sent"),
        )
    };
    sent.into_iter().map(violation).collect()
}

fn completed(mut invoice: wire::Invoice, checked: &Checked, tenant: &Tenant) -> wire::Invoice {
    invoice.kind = match checked.kind {
        Kind::Invoice => wire::Kind::Invoice,
        Kind::CreditNote => wire::Kind::CreditNote,
        Kind::DebitNote => wire::Kind::DebitNote,
    } as i32;
    invoice.issue_date = checked.issue_date.to_string();
    invoice.currency = checked.currency.code().to_owned();
    for (line, checked) in invoice.lines.iter_mut().zip(&checked.lines) {
        line.id.clone_from(&checked.id);
        line.unit.clone_from(&checked.unit);
        line.net = checked.net.to_string();
        // Saudi Arabia wants them at every line (BR-KSA-52, BR-KSA-53).
        line.tax_amounts = checked
            .tax_amounts
            .filter(|_| tenant.country == Country::SAUDI_ARABIA.code())
            .map(|amounts| wire::TaxAmounts {
                tax: amounts.tax.to_string(),
                gross: amounts.gross.to_string(),
            });
    }
    invoice.seller = Some(seller(tenant));
    invoice.tax_breakdown = checked.tax_breakdown.iter().map(subtotal).collect();
    invoice.totals = Some(totals(&checked.totals));
    invoice.expected_totals = None;
    invoice
}

fn seller(tenant: &Tenant) -> wire::Party {
    let (organization, address) = (&tenant.organization, &tenant.address);
    wire::Party {
        name: Some(wire::LocalizedText {
            ar: organization.name_ar.clone(),
            en: organization.name.clone(),
        }),
        tax_id: tenant.tax_id.clone(),
        address: Some(wire::Address {
            building: address.building.clone(),
            street: address.street.clone(),
            district: address.district.clone(),
            city: address.city.clone(),
            postal_code: address.postal_code.clone(),
            region: String::new(),
            country: tenant.country.clone(),
            ..wire::Address::default()
        }),
        ..wire::Party::default()
    }
}

fn subtotal(row: &invoice::TaxSubtotal) -> wire::TaxSubtotal {
    wire::TaxSubtotal {
        category: row.category.code().to_owned(),
        rate: decimal::print(row.rate),
        taxable: row.taxable.to_string(),
        tax: row.tax.to_string(),
        exemption_code: row.exemption_code.clone(),
        exemption_reason: row.exemption_reason.clone(),
    }
}

fn totals(totals: &invoice::Totals) -> wire::Totals {
    wire::Totals {
        lines: totals.lines.to_string(),
        allowances: totals.allowances.to_string(),
        charges: totals.charges.to_string(),
        net: totals.net.to_string(),
        tax: totals.tax.to_string(),
        tax_in_tax_currency: totals
            .tax_in_tax_currency
            .as_ref()
            .map(Money::to_string)
            .unwrap_or_default(),
        gross: totals.gross.to_string(),
        prepaid: totals.prepaid.to_string(),
        rounding: totals.rounding.to_string(),
        payable: totals.payable.to_string(),
    }
}
