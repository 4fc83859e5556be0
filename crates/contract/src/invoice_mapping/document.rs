//! A stored document as [`invoice::Document`], which UBL and PDF are written from.

use invoice::document::{Document, Figures, TaxRow};
use invoice::tax::Rate;
use invoice::{Category, Country, Kind};

use super::convert::Convert as _;
use super::to_content;
use crate::messages::documents;

/// BT-24 of the files that the service writes. Saudi Arabia has none.
const SPECIFICATION: &str = "urn:cen.eu:en16931:2017";
/// BT-23 in Saudi Arabia (BR-KSA-EN16931-01).
const SAUDI_PROCESS: &str = "reporting:1.0";

/// The seller of a completed document, with the tax number that its file may have elsewhere
/// ([`Document::without_vat_numbers_outside_scope`]).
#[must_use]
pub fn to_seller(document: &documents::Document) -> invoice::content::Party {
    let content = document.content.as_ref();
    let invoice = content.and_then(|content| content.invoice.as_ref());
    let seller = invoice.and_then(|invoice| invoice.seller.clone());
    seller.convert()
}

/// A completed document, with the amounts and rates that a caller may leave out, and with the terms that Saudi Arabia requires of
/// it ([`Document::with_saudi_terms`]). `issue_time` is KSA-25, `HH:MM:SS` in the time zone of the seller, or empty.
#[must_use]
pub fn to_document(document: documents::Document, issue_time: String) -> Document {
    let invoice = document
        .content
        .and_then(|content| content.invoice)
        .unwrap_or_default();
    let number = invoice.number.clone();
    let seller: invoice::content::Party = invoice.seller.clone().convert();
    let figures = figures(&invoice);
    let line_taxes: Vec<_> = invoice
        .lines
        .iter()
        .map(|line| line.tax_amounts.clone())
        .collect();
    let (mut content, _unknown) = to_content(invoice);
    for (line, taxes) in content.lines.iter_mut().zip(line_taxes) {
        if let Some(documents::TaxAmounts { tax, gross }) = taxes {
            line.details.tax_amounts = Some(invoice::content::TaxAmounts { tax, gross });
        }
    }
    let saudi = seller.address.country == Country::SAUDI_ARABIA.code();
    Document {
        number,
        type_code: type_code(content.kind, saudi).to_owned(),
        uuid: document.document_key,
        issue_time,
        specification: if saudi { "" } else { SPECIFICATION }.to_owned(),
        process: if saudi { SAUDI_PROCESS } else { "" }.to_owned(),
        seller,
        content,
        figures,
        ..Document::default()
    }
    .with_omitted_values()
    .with_saudi_terms()
    .without_vat_numbers_outside_scope()
}

/// BT-3, UNTDID 1001.
const fn type_code(kind: Kind, saudi: bool) -> &'static str {
    match kind {
        Kind::Invoice if saudi => "388",
        Kind::Invoice => "380",
        Kind::CreditNote => "381",
        Kind::DebitNote => "383",
    }
}

fn figures(invoice: &documents::Invoice) -> Figures {
    let rows = invoice.tax_breakdown.iter();
    Figures {
        line_nets: invoice.lines.iter().map(|line| line.net.clone()).collect(),
        tax_breakdown: rows.map(tax_row).collect(),
        totals: invoice
            .totals
            .clone()
            .map(|totals| documents::Totals {
                // Both are input terms of the content.
                prepaid: String::new(),
                rounding: String::new(),
                ..totals
            })
            .map(super::convert::Convert::convert)
            .unwrap_or_default(),
        duplicate_tax_total: String::new(),
    }
}

fn tax_row(row: &documents::TaxSubtotal) -> TaxRow {
    let has_rate = Category::parse(&row.category).is_none_or(|it| it.rate() != Rate::None);
    TaxRow {
        taxable: row.taxable.clone(),
        tax: row.tax.clone(),
        category: row.category.clone(),
        rate: if has_rate {
            row.rate.clone()
        } else {
            String::new()
        },
        exemption_code: row.exemption_code.clone(),
        exemption_reason: row.exemption_reason.clone(),
    }
}
