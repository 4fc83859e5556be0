//! The content of a document: from the wire to the rules, and completed by what the service computes.

use invoice::content::{self as typed, Content};
use invoice::{Invoice as Checked, Money, Rules, Subtype, check, decimal};
use invoicing_contract::FieldViolation;
use invoicing_contract::messages::documents as wire;

use super::DocumentError;
use crate::storage::directory::Tenant;

/// Checks an invoice, and completes it with what the service computes. `at` is its path in the request, with a point
/// after it.
///
/// # Errors
/// [`DocumentError::InvalidInvoice`] with everything wrong.
pub(crate) fn complete(
    invoice: wire::Invoice,
    tenant: &Tenant,
    rules: &Rules,
    at: &str,
) -> Result<wire::Invoice, DocumentError> {
    let mut violations = outputs(&invoice, at);
    let (content, unknown) = content(&invoice);
    violations.extend(unknown.into_iter().map(|field| {
        FieldViolation::new(
            format!("{at}{field}"),
            "INV-ENUM: is not one of the values that exist",
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
            "INV-OUTPUT: is computed by the service and cannot be sent",
        )
    };
    sent.into_iter().map(violation).collect()
}

/// The content as the rules take it, and the fields whose enum value does not exist.
fn content(invoice: &wire::Invoice) -> (Content, Vec<&'static str>) {
    let mut unknown = Vec::new();
    let kind = match wire::Kind::try_from(invoice.kind) {
        Ok(wire::Kind::Unspecified | wire::Kind::Invoice) => typed::Kind::Invoice,
        Ok(wire::Kind::CreditNote) => typed::Kind::CreditNote,
        Ok(wire::Kind::DebitNote) => typed::Kind::DebitNote,
        Err(_) => {
            unknown.push("kind");
            typed::Kind::Invoice
        }
    };
    let subtype = match wire::Subtype::try_from(invoice.subtype) {
        Ok(wire::Subtype::Unspecified) => None,
        Ok(wire::Subtype::Standard) => Some(Subtype::Standard),
        Ok(wire::Subtype::Simplified) => Some(Subtype::Simplified),
        Err(_) => {
            unknown.push("subtype");
            None
        }
    };
    let content = Content {
        kind,
        subtype,
        issue_date: invoice.issue_date.clone(),
        due_date: invoice.due_date.clone(),
        supply_date: invoice.supply_date.clone(),
        period: invoice.period.clone().map(|period| typed::Period {
            start: period.start,
            end: period.end,
        }),
        currency: invoice.currency.clone(),
        tax_currency: invoice.tax_currency.clone(),
        exchange_rate: invoice.exchange_rate.clone(),
        note: invoice.note.clone(),
        payment_terms: invoice.payment_terms.clone(),
        purchase_order: invoice.purchase_order.clone(),
        preceding: invoice.preceding.iter().cloned().map(reference).collect(),
        reason: invoice.reason.clone(),
        buyer: invoice.buyer.clone().map(party).unwrap_or_default(),
        lines: invoice.lines.iter().cloned().map(line).collect(),
        allowances_charges: invoice
            .allowances_charges
            .iter()
            .cloned()
            .map(allowance_charge)
            .collect(),
        prepaid: invoice.prepaid.clone(),
        rounding: invoice.rounding.clone(),
        expected_totals: invoice.expected_totals.clone().map(expected_totals),
        ..Content::default()
    };
    (content, unknown)
}

fn reference(reference: wire::DocumentReference) -> typed::Reference {
    let wire::DocumentReference {
        document_key,
        number,
        issue_date,
    } = reference;
    typed::Reference {
        document_key,
        number,
        issue_date,
    }
}

fn text(text: Option<wire::LocalizedText>) -> typed::Text {
    let wire::LocalizedText { ar, en } = text.unwrap_or_default();
    typed::Text { ar, en }
}

fn party(party: wire::Party) -> typed::Party {
    let wire::Address {
        building,
        street,
        district,
        city,
        postal_code,
        region,
        country,
    } = party.address.unwrap_or_default();
    let wire::Contact { name, phone, email } = party.contact.unwrap_or_default();
    let other_ids = party.other_ids.into_iter();
    typed::Party {
        name: text(party.name),
        tax_id: party.tax_id,
        other_ids: other_ids
            .map(|id| typed::Identifier {
                scheme: id.scheme,
                value: id.value,
            })
            .collect(),
        address: typed::Address {
            building,
            street,
            district,
            city,
            postal_code,
            region,
            country,
            ..typed::Address::default()
        },
        contact: typed::Contact { name, phone, email },
        ..typed::Party::default()
    }
}

fn line(line: wire::Line) -> typed::Line {
    typed::Line {
        id: line.id,
        description: text(line.description),
        quantity: line.quantity,
        unit: line.unit,
        unit_price: line.unit_price,
        price_base: line.price_base,
        allowances_charges: line
            .allowances_charges
            .into_iter()
            .map(allowance_charge)
            .collect(),
        tax: line.tax.map(tax).unwrap_or_default(),
        item_code: line.item_code,
        ..typed::Line::default()
    }
}

fn allowance_charge(item: wire::AllowanceCharge) -> typed::AllowanceCharge {
    let wire::AllowanceCharge {
        is_charge,
        amount,
        base,
        percent,
        reason,
        tax: taxed,
    } = item;
    typed::AllowanceCharge {
        is_charge,
        amount,
        base,
        percent,
        reason,
        tax: taxed.map(tax).unwrap_or_default(),
        ..typed::AllowanceCharge::default()
    }
}

fn tax(tax: wire::Tax) -> typed::Tax {
    let wire::Tax {
        category,
        rate,
        exemption_code,
        exemption_reason,
    } = tax;
    typed::Tax {
        category,
        rate,
        exemption_code,
        exemption_reason,
    }
}

fn expected_totals(totals: wire::Totals) -> typed::ExpectedTotals {
    let wire::Totals {
        lines,
        allowances,
        charges,
        net,
        tax,
        tax_in_tax_currency,
        gross,
        prepaid,
        rounding,
        payable,
    } = totals;
    typed::ExpectedTotals {
        lines,
        allowances,
        charges,
        net,
        tax,
        tax_in_tax_currency,
        gross,
        prepaid,
        rounding,
        payable,
    }
}

fn completed(mut invoice: wire::Invoice, checked: &Checked, tenant: &Tenant) -> wire::Invoice {
    invoice.kind = match checked.kind {
        typed::Kind::Invoice => wire::Kind::Invoice,
        typed::Kind::CreditNote => wire::Kind::CreditNote,
        typed::Kind::DebitNote => wire::Kind::DebitNote,
    } as i32;
    invoice.issue_date = checked.issue_date.to_string();
    invoice.currency = checked.currency.code().to_owned();
    for (line, checked) in invoice.lines.iter_mut().zip(&checked.lines) {
        line.id.clone_from(&checked.id);
        line.unit.clone_from(&checked.unit);
        line.net = checked.net.to_string();
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
        other_ids: Vec::new(),
        address: Some(wire::Address {
            building: address.building.clone(),
            street: address.street.clone(),
            district: address.district.clone(),
            city: address.city.clone(),
            postal_code: address.postal_code.clone(),
            region: String::new(),
            country: tenant.country.clone(),
        }),
        contact: None,
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
