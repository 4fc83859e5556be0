//! Reads preceding documents, supporting documents and delivery.

use std::io::BufRead;

use super::{CAC, CBC, party, within, within_text};
use crate::content::{Attachment, Delivery, Reference, SupportingDocument};
use crate::ubl::{INVOICED_OBJECT, PROJECT};
use crate::xml::{ReadError, Source};
use crate::{Content, Kind};

pub(super) fn preceding<R: BufRead>(
    source: &mut Source<R>,
    into: &mut Vec<Reference>,
) -> Result<(), ReadError> {
    let before = into.len();
    source.children(|source| match source.name() {
        (CAC, "InvoiceDocumentReference") => {
            source.count_repeated()?;
            let mut reference = Reference::default();
            source.children(|source| match source.name() {
                (CBC, "ID") => source.read_text(&mut reference.number),
                (CBC, "UUID") => source.read_text(&mut reference.document_key),
                (CBC, "IssueDate") => source.read_day(&mut reference.issue_date),
                _ => source.skip(),
            })?;
            into.push(reference);
            Ok(())
        }
        _ => source.skip(),
    })?;
    // An empty reference is kept, so that the rules report its missing number.
    if into.len() == before {
        source.count_repeated()?;
        into.push(Reference::default());
    }
    Ok(())
}

/// BG-24, or BT-18 and, in a credit note, BT-11, which UBL represents in the same element.
pub(super) fn supporting_document<R: BufRead>(
    source: &mut Source<R>,
    content: &mut Content,
) -> Result<(), ReadError> {
    source.count_repeated()?;
    let mut found = SupportingDocument::default();
    source.children(|source| match source.name() {
        (CBC, "ID") => source.read_identifier(&mut found.id),
        (CBC, "UUID") => source.read_text(&mut found.uuid),
        (CBC, "DocumentTypeCode") => source.read_text(&mut found.type_code),
        (CBC, "DocumentDescription") => source.read_text(&mut found.description),
        (CAC, "Attachment") => source.children(|source| match source.name() {
            (CBC, "EmbeddedDocumentBinaryObject") if found.attachment.is_none() => {
                found.attachment = Some(Attachment {
                    mime: source.attribute("mimeCode"),
                    filename: source.attribute("filename"),
                    content: source.text()?.to_owned(),
                });
                Ok(())
            }
            (CAC, "ExternalReference") => source.children(|source| match source.name() {
                (CBC, "URI") => source.read_text(&mut found.uri),
                _ => source.skip(),
            }),
            _ => source.skip(),
        }),
        _ => source.skip(),
    })?;
    let references = &mut content.references;
    let bare = SupportingDocument {
        id: found.id.clone(),
        type_code: found.type_code.clone(),
        ..SupportingDocument::default()
    } == found;
    if bare && found.type_code == INVOICED_OBJECT && references.invoiced_object.value.is_empty() {
        references.invoiced_object = found.id;
    } else if bare
        && found.type_code == PROJECT
        && found.id.scheme.is_empty()
        && references.project.is_empty()
        && content.kind == Kind::CreditNote
    {
        references.project = found.id.value;
    } else {
        content.documents.push(found);
    }
    Ok(())
}

pub(super) fn delivery<R: BufRead>(
    source: &mut Source<R>,
    content: &mut Content,
) -> Result<(), ReadError> {
    let mut found = Delivery::default();
    source.children(|source| match source.name() {
        (CBC, "ActualDeliveryDate") => source.read_day(&mut content.supply_date),
        (CBC, "LatestDeliveryDate") => source.read_day(&mut found.latest_date),
        (CAC, "DeliveryLocation") => source.children(|source| match source.name() {
            (CBC, "ID") => source.read_identifier(&mut found.location),
            (CAC, "Address") => party::address(source, &mut found.address),
            _ => source.skip(),
        }),
        (CAC, "DeliveryParty") => within(source, "PartyName", |source| {
            within_text(source, "Name", &mut found.party)
        }),
        _ => source.skip(),
    })?;
    if found != Delivery::default() {
        content.delivery = Some(found);
    }
    Ok(())
}
