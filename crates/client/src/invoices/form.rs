//! The form's fields in an invoice: read from a content, and put over one without losing what the form does not show.

use invoice::Content;
use invoice::content::{Line, Party, PresenceTracked, Reference, Tax, Text};
use invoicing_contract::messages::documents;

use super::{details, line_details, line_ids, number_input, party_details, percentage_bases};
use crate::views::{
    BuyerContent, Correction, InvoiceContent, InvoiceKind, LineContent, LocalizedText,
};

/// What the form shows of a content. Numbers are written so that they have one reading when they are typed over.
pub(super) fn to_form(content: Content) -> InvoiceContent {
    let minor_units = number_input::minor_units(&content.currency);
    let details = details::of_document(&content, minor_units);
    let preceding = content.preceding.into_iter().next();
    let correction = (preceding.is_some() || !content.reason.is_empty())
        .then(|| to_correction(preceding, content.reason));
    let mut form = InvoiceContent {
        kind: content.kind.into(),
        buyer: to_buyer(content.buyer),
        issue_date: content.issue_date,
        due_date: content.due_date,
        supply_date: content.supply_date,
        currency: content.currency,
        lines: content
            .lines
            .into_iter()
            .map(|line| to_line(line, minor_units))
            .collect(),
        note: content.note,
        note_ar: content.note_ar,
        correction,
        details,
    };
    percentage_bases::leave_out(&mut form);
    form
}

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
    overlay_correction(&mut content, form.correction.as_ref());
    content
}

fn to_correction(preceding: Option<Reference>, reason: String) -> Correction {
    let Reference {
        document_key,
        number,
        issue_date,
    } = preceding.unwrap_or_default();
    Correction {
        key: document_key.into(),
        number,
        issue_date,
        reason,
    }
}

/// The form has the first preceding document only.
fn overlay_correction(content: &mut Content, correction: Option<&Correction>) {
    let others = std::mem::take(&mut content.preceding).into_iter().skip(1);
    let first = correction.map(|correction| Reference {
        document_key: correction.key.as_str().to_owned(),
        number: correction.number.clone(),
        issue_date: correction.issue_date.clone(),
    });
    content.preceding = first.into_iter().chain(others).collect();
    content.reason = correction
        .map(|correction| correction.reason.clone())
        .unwrap_or_default();
}

fn to_buyer(party: Party) -> BuyerContent {
    let details = party_details::of_buyer(&party);
    let address = (*party.address).clone();
    BuyerContent {
        name: party.name.into(),
        tax_id: party.tax_id,
        street: address.street,
        building: address.building,
        district: address.district,
        city: address.city,
        postal_code: address.postal_code,
        country: address.country,
        details,
    }
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

fn to_line(line: Line, minor_units: u32) -> LineContent {
    let details = line_details::of_line(&line, minor_units);
    LineContent {
        id: line.id,
        details,
        description: line.description.into(),
        quantity: number_input::unambiguous(line.quantity, 0),
        unit: line.unit,
        unit_price: number_input::unambiguous(line.unit_price, minor_units),
        tax_category: line.tax.category,
        tax_rate: number_input::unambiguous(line.tax.rate, 0),
        exemption_code: line.tax.exemption_code,
    }
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

impl From<Text> for LocalizedText {
    fn from(text: Text) -> Self {
        let Text { ar, en } = text;
        Self { ar, en }
    }
}

impl From<&LocalizedText> for Text {
    fn from(text: &LocalizedText) -> Self {
        Self {
            ar: text.ar.clone(),
            en: text.en.clone(),
        }
    }
}

impl From<invoice::Kind> for InvoiceKind {
    fn from(kind: invoice::Kind) -> Self {
        match kind {
            invoice::Kind::Invoice => Self::Invoice,
            invoice::Kind::CreditNote => Self::CreditNote,
            invoice::Kind::DebitNote => Self::DebitNote,
        }
    }
}

impl From<InvoiceKind> for invoice::Kind {
    fn from(kind: InvoiceKind) -> Self {
        match kind {
            InvoiceKind::Invoice => Self::Invoice,
            InvoiceKind::CreditNote => Self::CreditNote,
            InvoiceKind::DebitNote => Self::DebitNote,
        }
    }
}

impl From<InvoiceKind> for documents::Kind {
    fn from(kind: InvoiceKind) -> Self {
        match kind {
            InvoiceKind::Invoice => Self::Invoice,
            InvoiceKind::CreditNote => Self::CreditNote,
            InvoiceKind::DebitNote => Self::DebitNote,
        }
    }
}

#[cfg(test)]
mod tests {
    use invoicing_contract::invoice_mapping;

    use super::*;
    use crate::views::full_content;

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

    #[test]
    fn form_put_over_an_empty_content_is_read_back_unchanged() {
        let form = full_content();
        assert_eq!(to_form(overlay(Content::default(), &form)), form);
    }
}
