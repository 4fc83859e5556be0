//! The fields of parties and places that few invoices have, in a content: read, and put over one.

use invoice::content::{
    Address, Contact, Delivery, Identifier, Party, Payee, PresenceTracked, TaxRepresentative,
};

use crate::views::{
    AddressContent, BuyerDetails, ContactContent, DeliveryContent, IdentifierContent, PayeeContent,
    TaxRepresentativeContent,
};

/// A group of fields, which is absent if it has no text.
pub(super) fn unless_empty<T: Default + PartialEq>(group: T) -> Option<T> {
    (group != T::default()).then_some(group)
}

pub(super) fn of_buyer(party: &Party) -> BuyerDetails {
    let Contact { name, phone, email } = party.contact.clone();
    let address = &party.address;
    BuyerDetails {
        trading_name: party.trading_name.clone().into(),
        other_ids: party.other_ids.iter().cloned().map(identifier).collect(),
        legal_id: identifier(party.legal_id.clone()),
        electronic_address: identifier(party.electronic_address.clone()),
        contact: ContactContent { name, phone, email },
        additional_number: address.additional_number.clone(),
        additional_street: address.additional_street.clone(),
        third_line: address.third_line.clone(),
        region: address.region.clone(),
    }
}

/// The address is given apart: the caller decides whether it is present.
pub(super) fn overlay_buyer(party: &mut Party, address: &mut Address, form: &BuyerDetails) {
    let BuyerDetails {
        trading_name,
        other_ids,
        legal_id,
        electronic_address,
        contact: ContactContent { name, phone, email },
        additional_number,
        additional_street,
        third_line,
        region,
    } = form.clone();
    party.trading_name = (&trading_name).into();
    party.other_ids = other_ids.iter().map(to_identifier).collect();
    party.legal_id = to_identifier(&legal_id);
    party.electronic_address = to_identifier(&electronic_address);
    party.contact = Contact { name, phone, email };
    address.additional_number = additional_number;
    address.additional_street = additional_street;
    address.third_line = third_line;
    address.region = region;
}

pub(super) fn identifier(id: Identifier) -> IdentifierContent {
    let Identifier { scheme, value } = id;
    IdentifierContent { scheme, value }
}

pub(super) fn to_identifier(form: &IdentifierContent) -> Identifier {
    let IdentifierContent { scheme, value } = form.clone();
    Identifier { scheme, value }
}

pub(super) fn delivery(delivery: Delivery) -> DeliveryContent {
    let Delivery {
        party,
        location,
        address,
        latest_date,
    } = delivery;
    DeliveryContent {
        party: party.into(),
        location: identifier(location),
        latest_date,
        address: to_address_content((*address).clone()),
    }
}

pub(super) fn to_delivery(form: &DeliveryContent) -> Option<Delivery> {
    let DeliveryContent {
        party,
        location,
        latest_date,
        address,
    } = form;
    unless_empty(Delivery {
        party: party.into(),
        location: to_identifier(location),
        address: to_address(address),
        latest_date: latest_date.clone(),
    })
}

pub(super) fn payee(payee: Payee) -> PayeeContent {
    let Payee { name, id, legal_id } = payee;
    PayeeContent {
        name: name.into(),
        id: identifier(id),
        legal_id: identifier(legal_id),
    }
}

pub(super) fn to_payee(form: &PayeeContent) -> Option<Payee> {
    let PayeeContent { name, id, legal_id } = form;
    unless_empty(Payee {
        name: name.into(),
        id: to_identifier(id),
        legal_id: to_identifier(legal_id),
    })
}

pub(super) fn representative(representative: TaxRepresentative) -> TaxRepresentativeContent {
    let TaxRepresentative {
        name,
        tax_id,
        address,
    } = representative;
    TaxRepresentativeContent {
        name: name.into(),
        tax_id,
        address: to_address_content((*address).clone()),
    }
}

pub(super) fn to_representative(form: &TaxRepresentativeContent) -> Option<TaxRepresentative> {
    let TaxRepresentativeContent {
        name,
        tax_id,
        address,
    } = form;
    unless_empty(TaxRepresentative {
        name: name.into(),
        tax_id: tax_id.clone(),
        address: to_address(address),
    })
}

fn to_address_content(address: Address) -> AddressContent {
    let Address {
        building,
        additional_number,
        street,
        additional_street,
        third_line,
        district,
        city,
        postal_code,
        region,
        country,
    } = address;
    AddressContent {
        building,
        additional_number,
        street,
        additional_street,
        third_line,
        district,
        city,
        postal_code,
        region,
        country,
    }
}

fn to_address(form: &AddressContent) -> PresenceTracked<Address> {
    let AddressContent {
        building,
        additional_number,
        street,
        additional_street,
        third_line,
        district,
        city,
        postal_code,
        region,
        country,
    } = form.clone();
    PresenceTracked::present_unless_empty(Address {
        building,
        additional_number,
        street,
        additional_street,
        third_line,
        district,
        city,
        postal_code,
        region,
        country,
    })
}
