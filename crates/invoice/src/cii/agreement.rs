//! Reads trade agreement (parties, references) and delivery.

use std::io::BufRead;

use super::{INVOICED_OBJECT, date, only, party};
use crate::content::{Attachment, Delivery, References, SupportingDocument};
use crate::syntax::RAM;
use crate::xml::{ReadError, Source};
use crate::{Content, Document};

/// The type code (UNTDID 1001) of a supporting document.
const SUPPORTING: &str = "916";
/// The type code of a supporting document that identifies the tender (BT-17).
const TENDER: &str = "50";
pub(super) fn agreement<R: BufRead>(
    source: &mut Source<R>,
    document: &mut Document,
) -> Result<(), ReadError> {
    let Document {
        seller,
        content,
        creditor_id,
        ..
    } = document;
    source.children(|source| match source.name() {
        (RAM, "BuyerReference") => source.read_text(&mut content.references.buyer),
        (RAM, "SellerTradeParty") => party::party(source, seller),
        (RAM, "BuyerTradeParty") => party::party(source, &mut content.buyer),
        (RAM, "SellerTaxRepresentativeTradeParty") if content.tax_representative.is_none() => {
            let representative = content.tax_representative.insert(Default::default());
            party::tax_representative(source, representative)
        }
        (RAM, "SellerOrderReferencedDocument") => {
            assigned_id(source, &mut content.references.sales_order)
        }
        (RAM, "BuyerOrderReferencedDocument") => assigned_id(source, &mut content.purchase_order),
        (RAM, "ContractReferencedDocument") => {
            assigned_id(source, &mut content.references.contract)
        }
        (RAM, "AdditionalReferencedDocument") => supporting_document(source, content),
        (RAM, "SpecifiedProcuringProject") => project(source, &mut content.references),
        _ => source.skip(),
    })?;
    // UBL has BT-90 among these identifiers.
    party::take_creditor_id(seller, creditor_id);
    Ok(())
}

pub(super) fn delivery<R: BufRead>(
    source: &mut Source<R>,
    document: &mut Document,
) -> Result<(), ReadError> {
    let content = &mut document.content;
    source.children(|source| match source.name() {
        (RAM, "ShipToTradeParty") if content.delivery.is_none() => {
            let mut found = Delivery::default();
            ship_to(source, &mut found)?;
            content.delivery = Some(found).filter(|found| *found != Delivery::default());
            Ok(())
        }
        (RAM, "ActualDeliverySupplyChainEvent") => source.children(|source| match source.name() {
            (RAM, "OccurrenceDateTime") => date(source, &mut content.supply_date),
            _ => source.skip(),
        }),
        (RAM, "DespatchAdviceReferencedDocument") => {
            assigned_id(source, &mut content.references.despatch_advice)
        }
        (RAM, "ReceivingAdviceReferencedDocument") => {
            assigned_id(source, &mut content.references.receiving_advice)
        }
        _ => source.skip(),
    })
}

/// BG-13
fn ship_to<R: BufRead>(source: &mut Source<R>, delivery: &mut Delivery) -> Result<(), ReadError> {
    source.children(|source| match source.name() {
        (RAM, "ID" | "GlobalID") => source.read_identifier(&mut delivery.location),
        (RAM, "Name") => source.read_localized(&mut delivery.party),
        (RAM, "PostalTradeAddress") => party::address(source, &mut delivery.address),
        _ => source.skip(),
    })
}

/// BG-24, BT-17 or BT-18.
fn supporting_document<R: BufRead>(
    source: &mut Source<R>,
    content: &mut Content,
) -> Result<(), ReadError> {
    source.count_repeated()?;
    let mut found = SupportingDocument::default();
    source.children(|source| match source.name() {
        (RAM, "IssuerAssignedID") => source.read_text(&mut found.id.value),
        (RAM, "URIID") => source.read_text(&mut found.uri),
        (RAM, "TypeCode") => source.read_text(&mut found.type_code),
        (RAM, "Name") => source.read_text(&mut found.description),
        (RAM, "ReferenceTypeCode") => source.read_text(&mut found.id.scheme),
        (RAM, "AttachmentBinaryObject") if found.attachment.is_none() => {
            found.attachment = Some(Attachment {
                mime: source.attribute("mimeCode"),
                filename: source.attribute("filename"),
                content: source.text()?.to_owned(),
            });
            Ok(())
        }
        _ => source.skip(),
    })?;
    let bare = found.description.is_empty() && found.uri.is_empty() && found.attachment.is_none();
    let references = &mut content.references;
    match found.type_code.as_str() {
        TENDER if bare && found.id.scheme.is_empty() && references.tender.is_empty() => {
            references.tender = found.id.value;
        }
        // In a UBL credit note the same code stands for the project.
        TENDER => return source.record_last_unmapped(),
        INVOICED_OBJECT if bare && references.invoiced_object.value.is_empty() => {
            references.invoiced_object = found.id;
        }
        SUPPORTING => {
            found.type_code.clear();
            content.documents.push(found);
        }
        _ => content.documents.push(found),
    }
    Ok(())
}

/// BT-11. Its name is mandatory and has no meaning.
fn project<R: BufRead>(
    source: &mut Source<R>,
    references: &mut References,
) -> Result<(), ReadError> {
    source.children(|source| match source.name() {
        (RAM, "ID") => source.read_text(&mut references.project),
        (RAM, "Name") => {
            let name = source.text()?.to_owned();
            if name.eq_ignore_ascii_case("project reference") || name == references.project {
                Ok(())
            } else {
                source.record_last_unmapped()
            }
        }
        _ => source.skip(),
    })
}

fn assigned_id<R: BufRead>(source: &mut Source<R>, field: &mut String) -> Result<(), ReadError> {
    only(source, "IssuerAssignedID", field)
}
