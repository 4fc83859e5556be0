//! What the form has, put over what the service has, without losing what the form does not show.

use invoicing_contract::messages::{documents, simple};

use super::wire::kind_to_wire;
use crate::views::{BuyerContent, InvoiceContent, LineContent, LocalizedText};

/// A simple invoice as the form has it.
pub(super) fn new_invoice(content: &InvoiceContent) -> simple::NewInvoice {
    let invoice = overlay(documents::Invoice::default(), content);
    simple::NewInvoice {
        kind: invoice.kind,
        buyer: invoice.buyer,
        issue_date: invoice.issue_date,
        due_date: invoice.due_date,
        supply_date: invoice.supply_date,
        currency: invoice.currency,
        lines: invoice.lines,
        note: invoice.note,
    }
}

/// A document's invoice with the form's fields put over it. What the form does not have stays; what the service computes
/// goes, because it refuses to be told.
pub(super) fn overlay(
    mut invoice: documents::Invoice,
    content: &InvoiceContent,
) -> documents::Invoice {
    invoice.number = String::new();
    invoice.seller = None;
    invoice.tax_breakdown = Vec::new();
    invoice.totals = None;
    invoice.expected_totals = None;
    invoice.set_kind(kind_to_wire(content.kind));
    invoice.issue_date.clone_from(&content.issue_date);
    invoice.due_date.clone_from(&content.due_date);
    invoice.supply_date.clone_from(&content.supply_date);
    invoice.currency.clone_from(&content.currency);
    invoice.note.clone_from(&content.note);
    invoice.buyer = Some(overlay_buyer(
        invoice.buyer.unwrap_or_default(),
        &content.buyer,
    ));
    let mut before = std::mem::take(&mut invoice.lines).into_iter();
    invoice.lines = content
        .lines
        .iter()
        .map(|line| overlay_line(before.next().unwrap_or_default(), line))
        .collect();
    let correction = content.correction.as_ref();
    invoice.reason = correction
        .map(|correction| correction.reason.clone())
        .unwrap_or_default();
    let first = correction.map(|correction| documents::DocumentReference {
        document_key: correction.key.clone(),
        number: correction.number.clone(),
        issue_date: correction.issue_date.clone(),
    });
    let others = std::mem::take(&mut invoice.preceding).into_iter().skip(1);
    invoice.preceding = first.into_iter().chain(others).collect();
    invoice
}

fn overlay_buyer(mut party: documents::Party, buyer: &BuyerContent) -> documents::Party {
    party.name = Some(text_to_wire(&buyer.name));
    party.tax_id.clone_from(&buyer.tax_id);
    let mut address = party.address.unwrap_or_default();
    address.street.clone_from(&buyer.street);
    address.building.clone_from(&buyer.building);
    address.district.clone_from(&buyer.district);
    address.city.clone_from(&buyer.city);
    address.postal_code.clone_from(&buyer.postal_code);
    address.country.clone_from(&buyer.country);
    party.address = Some(address);
    party
}

fn overlay_line(mut wire: documents::Line, line: &LineContent) -> documents::Line {
    wire.net = String::new();
    wire.tax_amounts = None;
    // Lines can have moved, so the service numbers them anew.
    wire.id = String::new();
    wire.description = Some(text_to_wire(&line.description));
    wire.quantity.clone_from(&line.quantity);
    wire.unit.clone_from(&line.unit);
    wire.unit_price.clone_from(&line.unit_price);
    let reason = wire
        .tax
        .take()
        .map(|tax| tax.exemption_reason)
        .filter(|_| !line.exemption_code.is_empty());
    wire.tax = Some(documents::Tax {
        category: line.tax_category.clone(),
        rate: line.tax_rate.clone(),
        exemption_code: line.exemption_code.clone(),
        exemption_reason: reason.unwrap_or_default(),
    });
    wire
}

fn text_to_wire(text: &LocalizedText) -> documents::LocalizedText {
    documents::LocalizedText {
        ar: text.ar.clone(),
        en: text.en.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_service_computed_is_not_sent_back_and_the_rest_stays() {
        let stored = documents::Invoice {
            number: "INV-1".into(),
            seller: Some(documents::Party::default()),
            totals: Some(documents::Totals::default()),
            tax_breakdown: vec![documents::TaxSubtotal::default()],
            payment_terms: "30 days".into(),
            lines: vec![documents::Line {
                net: "1.00".into(),
                tax_amounts: Some(documents::TaxAmounts::default()),
                note: "On site".into(),
                ..documents::Line::default()
            }],
            ..documents::Invoice::default()
        };
        let content = InvoiceContent {
            lines: vec![LineContent::default()],
            ..InvoiceContent::default()
        };
        let sent = overlay(stored, &content);
        assert_eq!(
            (sent.number.as_str(), sent.seller, sent.totals),
            ("", None, None)
        );
        assert_eq!(sent.tax_breakdown, []);
        assert_eq!(
            (
                sent.lines[0].net.as_str(),
                sent.lines[0].tax_amounts.clone()
            ),
            ("", None)
        );
        assert_eq!(
            (sent.payment_terms.as_str(), sent.lines[0].note.as_str()),
            ("30 days", "On site")
        );
    }
}
