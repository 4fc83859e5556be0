//! The form's fields, put over the content of an invoice without losing what the form does not show.

use invoice::Content;
use invoice::content::{Line, Party, PresenceTracked, Reference, Tax};

use super::{details, line_details, line_ids, party_details};
use crate::views::{BuyerContent, InvoiceContent, LineContent, PrecedingContent};

/// A content with the form's fields put over it. What the form does not have stays. Lines are matched by their ids;
/// if the form has none, by their position.
pub(super) fn overlay(mut content: Content, form: &InvoiceContent) -> Content {
    // Totals of the content as it was before.
    content.expected_totals = None;
    content.kind = form.kind.into();
    content.issue_date.clone_from(&form.issue_date);
    content.due_date.clone_from(&form.due_date);
    content.supply_date.clone_from(&form.supply_date);
    content.currency.clone_from(&form.currency);
    content.note.clone_from(&form.note);
    content.note_ar.clone_from(&form.note_ar);
    overlay_buyer(&mut content.buyer, &form.buyer);
    content.lines = line_ids::match_lines(std::mem::take(&mut content.lines), &form.lines);
    for (line, form) in content.lines.iter_mut().zip(&form.lines) {
        overlay_line(line, form);
    }
    details::overlay_document(&mut content, &form.details);
    overlay_preceding(&mut content, form);
    content
}

/// What is corrected, then the others. The form has the key of the first only: the others keep theirs as long as they keep their
/// number.
fn overlay_preceding(content: &mut Content, form: &InvoiceContent) {
    let before = std::mem::take(&mut content.preceding);
    let key_of = |number: &str| {
        let same = before.iter().find(|reference| reference.number == number);
        same.map(|reference| reference.document_key.clone())
            .unwrap_or_default()
    };
    let correction = form.correction.as_ref();
    let first = correction.map(|correction| Reference {
        document_key: correction.key.as_str().to_owned(),
        number: correction.number.clone(),
        issue_date: correction.issue_date.clone(),
    });
    let others = form.details.preceding_documents.iter();
    let others = others
        .filter(|preceding| **preceding != PrecedingContent::default())
        .map(|preceding| Reference {
            document_key: key_of(&preceding.number),
            number: preceding.number.clone(),
            issue_date: preceding.issue_date.clone(),
        });
    content.preceding = first.into_iter().chain(others).collect();
    content.reason = correction
        .map(|correction| correction.reason.clone())
        .unwrap_or_default();
}

fn overlay_buyer(party: &mut Party, buyer: &BuyerContent) {
    party.name = (&buyer.name).into();
    party.tax_id.clone_from(&buyer.tax_id);
    let mut address = (*party.address).clone();
    address.street.clone_from(&buyer.street);
    address.building.clone_from(&buyer.building);
    address.district.clone_from(&buyer.district);
    address.city.clone_from(&buyer.city);
    address.postal_code.clone_from(&buyer.postal_code);
    address.country.clone_from(&buyer.country);
    party_details::overlay_buyer(party, &mut address, &buyer.details);
    party.address = PresenceTracked::present_unless_empty(address);
}

fn overlay_line(line: &mut Line, form: &LineContent) {
    line.description = (&form.description).into();
    line.quantity.clone_from(&form.quantity);
    line.unit.clone_from(&form.unit);
    line.unit_price.clone_from(&form.unit_price);
    line.tax = Tax {
        category: form.tax_category.clone(),
        rate: form.tax_rate.clone(),
        exemption_code: form.exemption_code.clone(),
        exemption_reason: form.details.exemption_reason.clone(),
    };
    line_details::overlay_line(line, &form.details);
}

#[cfg(test)]
mod tests {
    use invoicing_contract::invoice_mapping;
    use invoicing_contract::messages::documents;

    use super::*;

    #[test]
    fn overlay_drops_computed_fields_and_keeps_fields_outside_the_form() {
        let stored = documents::Invoice {
            number: "INV-1".into(),
            seller: Some(documents::Party::default()),
            totals: Some(documents::Totals::default()),
            tax_breakdown: vec![documents::TaxSubtotal::default()],
            buyer: Some(documents::Party {
                legal_form: "LLC".into(),
                ..documents::Party::default()
            }),
            lines: vec![documents::Line {
                net: "1.00".into(),
                tax_amounts: Some(documents::TaxAmounts::default()),
                ..documents::Line::default()
            }],
            ..documents::Invoice::default()
        };
        let form = InvoiceContent {
            lines: vec![LineContent::default()],
            ..InvoiceContent::default()
        };
        let (stored, _) = invoice_mapping::to_content(stored);
        let sent = invoice_mapping::to_message(overlay(stored, &form));
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
        assert_eq!(sent.buyer.expect("a buyer").legal_form, "LLC");
    }
}
