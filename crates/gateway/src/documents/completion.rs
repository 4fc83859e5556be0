//! Checks the content of a document, and completes it with what the service computes.

use invoice::rules::{OUTPUT_FIELD_SET, UNKNOWN_ENUM_VALUE};
use invoice::{CheckContext, Country, Invoice as CheckedInvoice, check};
use invoicing_contract::invoice_mapping::{self, computed};
use invoicing_contract::messages::documents as wire;
use invoicing_contract::{FieldViolation, OutputFields as _};
use invoicing_storage::directory::Tenant;

use super::DocumentError;

/// Checks an invoice, and completes it with what the service computes. `path` is the path of the invoice in the request with
/// a point after it.
///
/// # Errors
/// [`DocumentError::InvalidInvoice`] with every violation.
pub fn complete_invoice(
    invoice: wire::Invoice,
    tenant: &Tenant,
    check_context: &CheckContext,
    path: &str,
) -> Result<wire::Invoice, DocumentError> {
    let mut violations = output_violations(&invoice, path);
    let (content, unknown) = invoice_mapping::to_content(invoice.clone());
    violations.extend(unknown.into_iter().map(|number| {
        FieldViolation::new(
            format!("{path}{}", number.path),
            format!("{UNKNOWN_ENUM_VALUE}: is not one of the values that exist"),
        )
    }));
    let checked = check(&content, check_context);
    violations.extend(checked.violations.into_iter().map(|violation| {
        FieldViolation::new(
            format!("{path}{}", violation.path),
            format!("{}: {}", violation.rule, violation.description),
        )
    }));
    match checked.invoice {
        Some(checked) if violations.is_empty() => Ok(with_computed(invoice, &checked, tenant)),
        _ => Err(DocumentError::InvalidInvoice(violations)),
    }
}

/// Output fields that the caller sent.
fn output_violations(invoice: &wire::Invoice, path: &str) -> Vec<FieldViolation> {
    let mut found = Vec::new();
    invoice.find_output_fields(path, &mut found);
    let violation = |field| {
        FieldViolation::new(
            field,
            format!("{OUTPUT_FIELD_SET}: is computed by the service and cannot be sent"),
        )
    };
    found.into_iter().map(violation).collect()
}

fn with_computed(
    mut invoice: wire::Invoice,
    checked: &CheckedInvoice,
    tenant: &Tenant,
) -> wire::Invoice {
    invoice.kind = invoice_mapping::kind_to_message(checked.kind).into();
    invoice.issue_date = checked.issue_date.to_string();
    invoice.currency = checked.currency.code().to_owned();
    for (line, checked) in invoice.lines.iter_mut().zip(&checked.lines) {
        line.id.clone_from(&checked.id);
        line.unit.clone_from(&checked.unit);
        line.net = checked.net.to_string();
        // Saudi Arabia requires them at every line (BR-KSA-52, BR-KSA-53).
        line.tax_amounts = checked
            .tax_amounts
            .as_ref()
            .filter(|_| tenant.country == Country::SAUDI_ARABIA.code())
            .map(computed::tax_amounts);
    }
    invoice.seller = Some(seller(tenant));
    invoice.tax_breakdown = checked
        .tax_breakdown
        .iter()
        .map(computed::tax_subtotal)
        .collect();
    invoice.totals = Some(computed::totals(&checked.totals));
    invoice.expected_totals = None;
    invoice
}

/// A document that is about to be issued names the seller as the tenant is now (decision 0114).
pub(super) fn renew_seller(document: &mut wire::Document, tenant: &Tenant) {
    let content = document.content.as_mut();
    if let Some(invoice) = content.and_then(|content| content.invoice.as_mut()) {
        invoice.seller = Some(seller(tenant));
    }
}

/// BG-4
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
            country: tenant.country.clone(),
            ..wire::Address::default()
        }),
        ..wire::Party::default()
    }
}
