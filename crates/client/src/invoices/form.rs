//! The form's fields, read from the content of an invoice.

use invoice::Content;
use invoice::content::{Kind, Line, Party, Reference, Text};
use invoicing_contract::messages::documents;

use super::{details, line_details, number_input, party_details, percentage_bases};
use crate::views::{
    BuyerContent, Correction, InvoiceContent, InvoiceKind, LineContent, LocalizedText,
};

/// What the form shows of a content. Numbers are written so that they have one reading when they are typed over.
pub(super) fn to_form(content: Content) -> InvoiceContent {
    let minor_units = number_input::minor_units(&content.currency);
    let corrects = content.kind != Kind::Invoice || !content.reason.is_empty();
    let (corrected, others) = match &*content.preceding {
        [first, others @ ..] if corrects => (Some(first.clone()), others),
        others => (None, others),
    };
    let details = details::of_document(&content, others, minor_units);
    let correction = (corrected.is_some() || !content.reason.is_empty())
        .then(|| to_correction(corrected, content.reason));
    let mut form = InvoiceContent {
        kind: content.kind.into(),
        buyer: to_buyer(content.buyer),
        issue_date: content.issue_date,
        due_date: content.due_date,
        due_terms: None,
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
    use super::super::overlay::overlay;
    use super::*;
    use crate::views::{PrecedingContent, full_content};

    #[test]
    fn form_put_over_an_empty_content_is_read_back_unchanged() {
        let form = full_content();
        assert_eq!(to_form(overlay(Content::default(), &form)), form);
    }

    fn preceded(kind: Kind) -> Content {
        let reference = |number: &str| Reference {
            document_key: format!("key of {number}"),
            number: number.to_owned(),
            issue_date: "2026-11-01".to_owned(),
        };
        Content {
            kind,
            preceding: vec![reference("INV-1"), reference("INV-2")],
            ..Content::default()
        }
    }

    #[test]
    fn first_preceding_document_of_a_note_is_what_it_corrects_and_those_of_an_invoice_are_a_list() {
        let numbers = |kind| {
            let form = to_form(preceded(kind));
            let others = form.details.preceding_documents.into_iter();
            let others: Vec<_> = others.map(|preceding| preceding.number).collect();
            (form.correction.map(|correction| correction.number), others)
        };
        let of_note = (Some("INV-1".to_owned()), vec!["INV-2".to_owned()]);
        assert_eq!(numbers(Kind::CreditNote), of_note);
        assert_eq!(numbers(Kind::DebitNote), of_note);
        let of_invoice = (None, vec!["INV-1".to_owned(), "INV-2".to_owned()]);
        assert_eq!(numbers(Kind::Invoice), of_invoice);
    }

    #[test]
    fn preceding_document_keeps_its_key_as_long_as_it_keeps_its_number() {
        for kind in [Kind::Invoice, Kind::CreditNote] {
            let stored = preceded(kind);
            let mut form = to_form(stored.clone());
            assert_eq!(overlay(stored.clone(), &form), stored, "{kind:?}");
            let list = &mut form.details.preceding_documents;
            list.last_mut().expect("one").number = "INV-9".to_owned();
            list.push(PrecedingContent::default());
            let written = overlay(stored, &form).preceding;
            let keys: Vec<_> = written.iter().map(|it| it.document_key.as_str()).collect();
            assert_eq!(keys, ["key of INV-1", ""], "{kind:?}");
        }
    }
}
