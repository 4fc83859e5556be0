//! What a message says, as the rules take it. Every field of a message is named here once, so that none can be forgotten.

mod line;
mod party;
mod payment;

use invoice::content::{self as typed, Content};
use invoice::{Kind, Subtype};
use invoicing_contract::messages::documents as wire;

use line::{allowance_charge, line};
use party::{address, identifier, party, text};
use payment::payment;

/// The content, and the fields whose enum value does not exist. What the service computes is left out.
pub(crate) fn content(invoice: wire::Invoice) -> (Content, Vec<&'static str>) {
    let mut unknown = Vec::new();
    let wire::Invoice {
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
        payment: means,
        documents,
    } = invoice;
    let content = Content {
        kind: kind_of(kind, &mut unknown),
        subtype: subtype_of(subtype, &mut unknown),
        issue_date,
        due_date,
        supply_date,
        period: period.map(period_of),
        currency,
        tax_currency,
        exchange_rate,
        note,
        payment_terms,
        purchase_order,
        preceding: preceding.into_iter().map(reference).collect(),
        reason,
        references: references.map(references_of).unwrap_or_default(),
        tax_point_date,
        tax_point_code,
        buyer: buyer.map(party).unwrap_or_default(),
        payee: payee.map(payee_of),
        tax_representative: tax_representative.map(tax_representative_of),
        delivery: delivery.map(delivery_of),
        payment: means.into_iter().map(payment).collect(),
        documents: documents.into_iter().map(supporting_document).collect(),
        lines: lines.into_iter().map(line).collect(),
        allowances_charges: allowances_charges
            .into_iter()
            .map(allowance_charge)
            .collect(),
        prepaid,
        rounding,
        expected_totals: expected_totals.map(totals),
    };
    (content, unknown)
}

fn kind_of(kind: i32, unknown: &mut Vec<&'static str>) -> Kind {
    match wire::Kind::try_from(kind) {
        Ok(wire::Kind::Unspecified | wire::Kind::Invoice) => Kind::Invoice,
        Ok(wire::Kind::CreditNote) => Kind::CreditNote,
        Ok(wire::Kind::DebitNote) => Kind::DebitNote,
        Err(_) => {
            unknown.push("kind");
            Kind::Invoice
        }
    }
}

fn subtype_of(subtype: i32, unknown: &mut Vec<&'static str>) -> Option<Subtype> {
    match wire::Subtype::try_from(subtype) {
        Ok(wire::Subtype::Unspecified) => None,
        Ok(wire::Subtype::Standard) => Some(Subtype::Standard),
        Ok(wire::Subtype::Simplified) => Some(Subtype::Simplified),
        Err(_) => {
            unknown.push("subtype");
            None
        }
    }
}

fn period_of(period: wire::Period) -> typed::Period {
    let wire::Period { start, end } = period;
    typed::Period { start, end }
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

fn references_of(references: wire::References) -> typed::References {
    let wire::References {
        buyer,
        project,
        contract,
        sales_order,
        receiving_advice,
        despatch_advice,
        tender,
        invoiced_object,
        accounting,
    } = references;
    typed::References {
        buyer,
        project,
        contract,
        sales_order,
        receiving_advice,
        despatch_advice,
        tender,
        invoiced_object: identifier(invoiced_object),
        accounting,
    }
}

fn payee_of(payee: wire::Payee) -> typed::Payee {
    let wire::Payee { name, id, legal_id } = payee;
    typed::Payee {
        name: text(name),
        id: identifier(id),
        legal_id: identifier(legal_id),
    }
}

fn tax_representative_of(representative: wire::TaxRepresentative) -> typed::TaxRepresentative {
    let wire::TaxRepresentative {
        name,
        tax_id,
        address: at,
    } = representative;
    typed::TaxRepresentative {
        name: text(name),
        tax_id,
        address: address(at),
    }
}

fn delivery_of(delivery: wire::Delivery) -> typed::Delivery {
    let wire::Delivery {
        party,
        location,
        address: at,
        latest_date,
    } = delivery;
    typed::Delivery {
        party: text(party),
        location: identifier(location),
        address: address(at),
        latest_date,
    }
}

fn supporting_document(document: wire::SupportingDocument) -> typed::SupportingDocument {
    let wire::SupportingDocument {
        id,
        type_code,
        uuid,
        description,
        uri,
        attachment,
    } = document;
    typed::SupportingDocument {
        id: identifier(id),
        type_code,
        uuid,
        description,
        uri,
        attachment: attachment.map(|attachment| {
            let wire::Attachment {
                mime,
                filename,
                content,
            } = attachment;
            typed::Attachment {
                mime,
                filename,
                content,
            }
        }),
    }
}

fn totals(totals: wire::Totals) -> typed::ExpectedTotals {
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
