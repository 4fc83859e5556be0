//! Documents as Cross Industry Invoices, written from the model by the terms of EN 16931.
#![allow(dead_code, reason = "every test file uses some of it")]

mod line;
mod settlement;
mod xml;

use std::fmt::Write as _;

use invoice::content::*;
use invoice::document::Traits;
use invoice::{Document, codes};

use line::line;
use settlement::settlement;
use xml::Xml;

/// What a Cross Industry Invoice can hold of a document.
pub(crate) fn held(mut document: Document) -> Document {
    document.uuid.clear();
    document.issue_time.clear();
    document.traits = Traits::default();
    let seller = &mut document.seller;
    // The same place as BT-90.
    seller.other_ids.retain(|id| id.scheme != "SEPA");
    let content = &mut document.content;
    content.kind = codes::kind(&document.type_code);
    content.subtype = None;
    content.reason.clear();
    for address in [&mut seller.address, &mut content.buyer.address]
        .into_iter()
        .chain(content.delivery.as_mut().map(|one| &mut one.address))
        .chain(
            content
                .tax_representative
                .as_mut()
                .map(|one| &mut one.address),
        )
    {
        address.additional_number.clear();
    }
    if let Some(delivery) = &mut content.delivery {
        delivery.latest_date.clear();
    }
    content.delivery = content
        .delivery
        .take()
        .filter(|one| *one != Delivery::default());
    for paper in &mut content.documents {
        paper.uuid.clear();
        paper.type_code.clear();
    }
    for reference in &mut content.preceding {
        reference.document_key.clear();
    }
    let remittance = content.payment.first().map(|one| one.remittance.clone());
    let drawn = content.payment.iter().position(|one| one.mandate.is_some());
    for (at, means) in content.payment.iter_mut().enumerate() {
        means.remittance = remittance.clone().unwrap_or_default();
        if let Some(card) = &mut means.card {
            card.network.clear();
        }
        if let Some(mandate) = means.mandate.as_mut().filter(|_| Some(at) != drawn) {
            mandate.reference.clear();
        }
    }
    for line in &mut content.lines {
        line.details.tax_amounts = None;
    }
    if !content.tax_point_code.is_empty() && content.period == Some(Period::default()) {
        content.period = None;
    }
    // In UNTDID 2475 these three are other codes of UNTDID 2005.
    if matches!(content.tax_point_code.as_str(), "5" | "29" | "72") {
        content.tax_point_code.clear();
    }
    if document.figures.tax_breakdown.is_empty() {
        content.tax_point_date.clear();
        content.tax_point_code.clear();
    }
    document
}

/// A document that is [`held`].
pub(crate) fn written(document: &Document) -> String {
    let mut xml = Xml("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".into());
    let standard = "urn:un:unece:uncefact:data:standard";
    let root = format!(
        "rsm:CrossIndustryInvoice xmlns:rsm=\"{standard}:CrossIndustryInvoice:100\" \
         xmlns:ram=\"{standard}:ReusableAggregateBusinessInformationEntity:100\" \
         xmlns:qdt=\"{standard}:QualifiedDataType:100\" xmlns:udt=\"{standard}:UnqualifiedDataType:100\""
    );
    let _ = write!(xml.0, "<{root}>");
    let content = &document.content;
    xml.group("rsm:ExchangedDocumentContext", |xml| {
        let process = "ram:BusinessProcessSpecifiedDocumentContextParameter";
        xml.only(process, "ram:ID", &document.process);
        let guideline = "ram:GuidelineSpecifiedDocumentContextParameter";
        xml.only(guideline, "ram:ID", &document.specification);
    });
    xml.group("rsm:ExchangedDocument", |xml| {
        xml.text("ram:ID", &document.number);
        xml.text("ram:TypeCode", &document.type_code);
        xml.date(
            "ram:IssueDateTime",
            "udt:DateTimeString",
            &content.issue_date,
        );
        xml.only("ram:IncludedNote", "ram:Content", &content.note);
    });
    xml.group("rsm:SupplyChainTradeTransaction", |xml| {
        let nets = document.figures.line_nets.iter().map(String::as_str);
        for (one, net) in content.lines.iter().zip(nets.chain(std::iter::repeat(""))) {
            xml.group("ram:IncludedSupplyChainTradeLineItem", |xml| {
                line(xml, one, net)
            });
        }
        xml.group("ram:ApplicableHeaderTradeAgreement", |xml| {
            agreement(xml, document)
        });
        xml.group("ram:ApplicableHeaderTradeDelivery", |xml| {
            delivery(xml, content)
        });
        xml.group("ram:ApplicableHeaderTradeSettlement", |xml| {
            settlement(xml, document)
        });
    });
    xml.0.push_str("</rsm:CrossIndustryInvoice>");
    xml.0
}

fn referenced(xml: &mut Xml, code: &str, id: &Identifier, inside: impl FnOnce(&mut Xml)) {
    xml.group("ram:AdditionalReferencedDocument", |xml| {
        xml.text("ram:IssuerAssignedID", &id.value);
        xml.text("ram:TypeCode", code);
        inside(xml);
        xml.text("ram:ReferenceTypeCode", &id.scheme);
    });
}

fn agreement(xml: &mut Xml, document: &Document) {
    let (content, references) = (&document.content, &document.content.references);
    xml.text("ram:BuyerReference", &references.buyer);
    xml.group("ram:SellerTradeParty", |xml| party(xml, &document.seller));
    xml.group("ram:BuyerTradeParty", |xml| party(xml, &content.buyer));
    if let Some(representative) = &content.tax_representative {
        xml.group("ram:SellerTaxRepresentativeTradeParty", |xml| {
            xml.localized("ram:Name", &representative.name);
            address(xml, &representative.address);
            registration(xml, "VA", &representative.tax_id);
        });
    }
    for (name, id) in [
        ("ram:SellerOrderReferencedDocument", &references.sales_order),
        ("ram:BuyerOrderReferencedDocument", &content.purchase_order),
        ("ram:ContractReferencedDocument", &references.contract),
    ] {
        xml.only(name, "ram:IssuerAssignedID", id);
    }
    if !references.tender.is_empty() {
        let id = Identifier {
            scheme: String::new(),
            value: references.tender.clone(),
        };
        referenced(xml, "50", &id, |_| {});
    }
    if references.invoiced_object != Identifier::default() {
        referenced(xml, "130", &references.invoiced_object, |_| {});
    }
    for paper in &content.documents {
        referenced(xml, "916", &paper.id, |xml| {
            xml.text("ram:URIID", &paper.uri);
            xml.text("ram:Name", &paper.description);
            if let Some(file) = &paper.attachment {
                let attributes = [("mimeCode", &*file.mime), ("filename", &*file.filename)];
                xml.group_with_text("ram:AttachmentBinaryObject", &attributes, &file.content);
            }
        });
    }
    if !references.project.is_empty() {
        xml.group("ram:SpecifiedProcuringProject", |xml| {
            xml.text("ram:ID", &references.project);
            xml.text("ram:Name", "Project reference");
        });
    }
}

fn registration(xml: &mut Xml, scheme: &str, id: &str) {
    if !id.is_empty() {
        xml.group("ram:SpecifiedTaxRegistration", |xml| {
            xml.with("ram:ID", &[("schemeID", scheme)], id);
        });
    }
}

fn party(xml: &mut Xml, party: &Party) {
    for id in &party.other_ids {
        xml.group_with_text("ram:GlobalID", &[("schemeID", &id.scheme)], &id.value);
    }
    xml.localized("ram:Name", &party.name);
    xml.text("ram:Description", &party.legal_form);
    xml.group("ram:SpecifiedLegalOrganization", |xml| {
        xml.identifier("ram:ID", &party.legal_id);
        xml.localized("ram:TradingBusinessName", &party.trading_name);
    });
    xml.group("ram:DefinedTradeContact", |xml| {
        let Contact { name, phone, email } = &party.contact;
        xml.text("ram:PersonName", name);
        xml.only(
            "ram:TelephoneUniversalCommunication",
            "ram:CompleteNumber",
            phone,
        );
        xml.only("ram:EmailURIUniversalCommunication", "ram:URIID", email);
    });
    address(xml, &party.address);
    if party.electronic_address != Identifier::default() {
        xml.group("ram:URIUniversalCommunication", |xml| {
            xml.identifier("ram:URIID", &party.electronic_address);
        });
    }
    registration(xml, "VA", &party.tax_id);
    registration(xml, "FC", &party.tax_registration);
}

fn address(xml: &mut Xml, address: &Stated<Address>) {
    if !address.is_stated() {
        return;
    }
    xml.group("ram:PostalTradeAddress", |xml| {
        xml.text("ram:PostcodeCode", &address.postal_code);
        xml.text("ram:BuildingNumber", &address.building);
        xml.text("ram:LineOne", &address.street);
        xml.text("ram:LineTwo", &address.additional_street);
        xml.text("ram:LineThree", &address.third_line);
        xml.text("ram:CitySubDivisionName", &address.district);
        xml.text("ram:CityName", &address.city);
        xml.text("ram:CountryID", &address.country);
        xml.text("ram:CountrySubDivisionName", &address.region);
    });
}

fn delivery(xml: &mut Xml, content: &Content) {
    if let Some(delivery) = &content.delivery {
        xml.group("ram:ShipToTradeParty", |xml| {
            xml.identifier("ram:GlobalID", &delivery.location);
            xml.localized("ram:Name", &delivery.party);
            address(xml, &delivery.address);
        });
    }
    if !content.supply_date.is_empty() {
        xml.group("ram:ActualDeliverySupplyChainEvent", |xml| {
            xml.date(
                "ram:OccurrenceDateTime",
                "udt:DateTimeString",
                &content.supply_date,
            );
        });
    }
    let references = &content.references;
    let (despatch, receipt) = (&references.despatch_advice, &references.receiving_advice);
    xml.only(
        "ram:DespatchAdviceReferencedDocument",
        "ram:IssuerAssignedID",
        despatch,
    );
    xml.only(
        "ram:ReceivingAdviceReferencedDocument",
        "ram:IssuerAssignedID",
        receipt,
    );
}
