//! Parties, addresses and delivery.

use super::{identifier, only_id};
use crate::Document;
use crate::codes::SEPA;
use crate::content::{Address, Identifier, Party, PresenceTracked};
use crate::xml::Writer;

pub(super) fn parties(writer: &mut Writer, document: &Document) {
    let content = &document.content;
    writer.element("cac:AccountingSupplierParty", &[], |writer| {
        party(writer, &document.seller, &document.creditor_id);
    });
    writer.element("cac:AccountingCustomerParty", &[], |writer| {
        party(writer, &content.buyer, "");
    });
    if let Some(payee) = &content.payee {
        writer.element("cac:PayeeParty", &[], |writer| {
            writer.group("cac:PartyIdentification", |writer| {
                identifier(writer, "cbc:ID", &payee.id);
            });
            writer.group("cac:PartyName", |writer| {
                writer.localized("cbc:Name", &payee.name);
            });
            writer.group("cac:PartyLegalEntity", |writer| {
                identifier(writer, "cbc:CompanyID", &payee.legal_id);
            });
        });
    }
    if let Some(representative) = &content.tax_representative {
        writer.element("cac:TaxRepresentativeParty", &[], |writer| {
            writer.group("cac:PartyName", |writer| {
                writer.localized("cbc:Name", &representative.name);
            });
            address(writer, "cac:PostalAddress", &representative.address);
            tax_scheme(writer, &representative.tax_id, "VAT");
        });
    }
    delivery(writer, document);
}

fn party(writer: &mut Writer, party: &Party, creditor_id: &str) {
    writer.element("cac:Party", &[], |writer| {
        identifier(writer, "cbc:EndpointID", &party.electronic_address);
        // Written first, because the reader takes the first identifier with this scheme.
        if !creditor_id.is_empty() {
            let id = Identifier {
                scheme: SEPA.to_owned(),
                value: creditor_id.to_owned(),
            };
            party_identification(writer, &id);
        }
        for id in &party.other_ids {
            party_identification(writer, id);
        }
        writer.group("cac:PartyName", |writer| {
            writer.localized("cbc:Name", &party.trading_name);
        });
        address(writer, "cac:PostalAddress", &party.address);
        tax_scheme(writer, &party.tax_id, "VAT");
        tax_scheme(writer, &party.tax_registration, "TAX");
        writer.group("cac:PartyLegalEntity", |writer| {
            writer.localized("cbc:RegistrationName", &party.name);
            identifier(writer, "cbc:CompanyID", &party.legal_id);
            writer.text("cbc:CompanyLegalForm", &party.legal_form);
        });
        writer.group("cac:Contact", |writer| {
            writer.text("cbc:Name", &party.contact.name);
            writer.text("cbc:Telephone", &party.contact.phone);
            writer.text("cbc:ElectronicMail", &party.contact.email);
        });
    });
}

fn party_identification(writer: &mut Writer, id: &Identifier) {
    writer.element("cac:PartyIdentification", &[], |writer| {
        writer.element("cbc:ID", &[("schemeID", &id.scheme)], |writer| {
            writer.characters("cbc:ID", &id.value);
        });
    });
}

fn tax_scheme(writer: &mut Writer, id: &str, scheme: &'static str) {
    if id.is_empty() {
        return;
    }
    writer.element("cac:PartyTaxScheme", &[], |writer| {
        writer.text("cbc:CompanyID", id);
        only_id(writer, "cac:TaxScheme", scheme);
    });
}

fn delivery(writer: &mut Writer, document: &Document) {
    let content = &document.content;
    writer.group("cac:Delivery", |writer| {
        writer.text("cbc:ActualDeliveryDate", &content.supply_date);
        let Some(delivery) = &content.delivery else {
            return;
        };
        writer.text("cbc:LatestDeliveryDate", &delivery.latest_date);
        writer.group("cac:DeliveryLocation", |writer| {
            identifier(writer, "cbc:ID", &delivery.location);
            address(writer, "cac:Address", &delivery.address);
        });
        writer.group("cac:DeliveryParty", |writer| {
            writer.group("cac:PartyName", |writer| {
                writer.localized("cbc:Name", &delivery.party);
            });
        });
    });
}

fn address(writer: &mut Writer, name: &'static str, address: &PresenceTracked<Address>) {
    if !address.is_present() {
        return;
    }
    writer.element(name, &[], |writer| {
        writer.text("cbc:StreetName", &address.street);
        writer.text("cbc:AdditionalStreetName", &address.additional_street);
        writer.text("cbc:BuildingNumber", &address.building);
        writer.text("cbc:PlotIdentification", &address.additional_number);
        writer.text("cbc:CitySubdivisionName", &address.district);
        writer.text("cbc:CityName", &address.city);
        writer.text("cbc:PostalZone", &address.postal_code);
        writer.text("cbc:CountrySubentity", &address.region);
        writer.group("cac:AddressLine", |writer| {
            writer.text("cbc:Line", &address.third_line);
        });
        country(writer, "cac:Country", &address.country);
    });
}

pub(super) fn country(writer: &mut Writer, name: &'static str, code: &str) {
    writer.group(name, |writer| {
        writer.text("cbc:IdentificationCode", code);
    });
}
