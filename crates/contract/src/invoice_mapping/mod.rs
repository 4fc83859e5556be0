//! The one mapping between the protobuf `Invoice` and [`invoice::Content`], used by the client and the service.
//!
//! [`to_content`] takes what a caller may send, [`to_message`] is its inverse. Fields that the service computes (number,
//! seller, line net amounts, tax breakdown, totals) are in neither direction: [`computed`] writes them.

pub mod computed;
mod convert;
mod document;
mod fields;
mod line;
pub mod simple;
#[cfg(test)]
mod tests;

use ::invoice::{Content, Kind, Subtype};

pub use self::document::{to_document, to_seller};

use self::convert::Convert as _;
use crate::messages::documents;

/// An enum number that the .proto file does not define.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnknownEnumNumber {
    /// Path of the field within the invoice, in the names of the JSON form: `kind`.
    pub path: &'static str,
    /// The number as it was received.
    pub number: i32,
}

/// The content of a message, and the fields whose enum number is not defined; these have their default in the content.
/// Fields that the service computes are left out.
#[must_use]
pub fn to_content(invoice: documents::Invoice) -> (Content, Vec<UnknownEnumNumber>) {
    let documents::Invoice {
        number: _,
        kind,
        subtype,
        issue_date,
        due_date,
        supply_date,
        period,
        currency,
        tax_currency,
        exchange_rate,
        note,
        note_ar,
        payment_terms,
        purchase_order,
        preceding,
        reason,
        seller: _,
        buyer,
        lines,
        allowances_charges,
        prepaid,
        rounding,
        tax_breakdown: _,
        totals: _,
        expected_totals,
        references,
        tax_point_date,
        tax_point_code,
        payee,
        tax_representative,
        delivery,
        payment,
        documents,
    } = invoice;
    let mut unknown = Vec::new();
    let content = Content {
        kind: kind_to_content(kind).unwrap_or_else(|error| {
            unknown.push(error);
            Kind::default()
        }),
        subtype: subtype_to_content(subtype).unwrap_or_else(|error| {
            unknown.push(error);
            None
        }),
        issue_date,
        due_date,
        supply_date,
        period: period.convert(),
        currency,
        tax_currency,
        exchange_rate,
        note,
        note_ar,
        payment_terms,
        purchase_order,
        preceding: preceding.convert(),
        reason,
        references: references.convert(),
        tax_point_date,
        tax_point_code,
        buyer: buyer.convert(),
        payee: payee.convert(),
        tax_representative: tax_representative.convert(),
        delivery: delivery.convert(),
        payment: payment.convert(),
        documents: documents.convert(),
        lines: lines.convert(),
        allowances_charges: allowances_charges.convert(),
        prepaid,
        rounding,
        expected_totals: expected_totals.convert(),
    };
    (content, unknown)
}

/// The message of a content. Groups without any field are absent.
#[must_use]
pub fn to_message(content: Content) -> documents::Invoice {
    let Content {
        kind,
        subtype,
        issue_date,
        due_date,
        supply_date,
        period,
        currency,
        tax_currency,
        exchange_rate,
        note,
        note_ar,
        payment_terms,
        purchase_order,
        preceding,
        reason,
        references,
        tax_point_date,
        tax_point_code,
        buyer,
        payee,
        tax_representative,
        delivery,
        payment,
        documents,
        lines,
        allowances_charges,
        prepaid,
        rounding,
        expected_totals,
    } = content;
    documents::Invoice {
        number: String::new(),
        kind: kind_to_message(kind).into(),
        subtype: subtype_to_message(subtype).into(),
        issue_date,
        due_date,
        supply_date,
        period: period.convert(),
        currency,
        tax_currency,
        exchange_rate,
        note,
        note_ar,
        payment_terms,
        purchase_order,
        preceding: preceding.convert(),
        reason,
        seller: None,
        buyer: buyer.convert(),
        lines: lines.convert(),
        allowances_charges: allowances_charges.convert(),
        prepaid,
        rounding,
        tax_breakdown: Vec::new(),
        totals: None,
        expected_totals: expected_totals.convert(),
        references: references.convert(),
        tax_point_date,
        tax_point_code,
        payee: payee.convert(),
        tax_representative: tax_representative.convert(),
        delivery: delivery.convert(),
        payment: payment.convert(),
        documents: documents.convert(),
    }
}

/// BT-3. An absent kind is an invoice.
///
/// # Errors
/// The number is not defined.
pub fn kind_to_content(number: i32) -> Result<Kind, UnknownEnumNumber> {
    match documents::Kind::try_from(number) {
        Ok(documents::Kind::Unspecified | documents::Kind::Invoice) => Ok(Kind::Invoice),
        Ok(documents::Kind::CreditNote) => Ok(Kind::CreditNote),
        Ok(documents::Kind::DebitNote) => Ok(Kind::DebitNote),
        Err(prost::UnknownEnumValue(number)) => Err(UnknownEnumNumber {
            path: "kind",
            number,
        }),
    }
}

/// BT-3
#[must_use]
pub const fn kind_to_message(kind: Kind) -> documents::Kind {
    match kind {
        Kind::Invoice => documents::Kind::Invoice,
        Kind::CreditNote => documents::Kind::CreditNote,
        Kind::DebitNote => documents::Kind::DebitNote,
    }
}

fn subtype_to_content(number: i32) -> Result<Option<Subtype>, UnknownEnumNumber> {
    match documents::Subtype::try_from(number) {
        Ok(documents::Subtype::Unspecified) => Ok(None),
        Ok(documents::Subtype::Standard) => Ok(Some(Subtype::Standard)),
        Ok(documents::Subtype::Simplified) => Ok(Some(Subtype::Simplified)),
        Err(prost::UnknownEnumValue(number)) => Err(UnknownEnumNumber {
            path: "subtype",
            number,
        }),
    }
}

const fn subtype_to_message(subtype: Option<Subtype>) -> documents::Subtype {
    match subtype {
        None => documents::Subtype::Unspecified,
        Some(Subtype::Standard) => documents::Subtype::Standard,
        Some(Subtype::Simplified) => documents::Subtype::Simplified,
    }
}
