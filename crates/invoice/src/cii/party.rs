//! Parties and addresses.

use std::io::BufRead;

use super::only;
use crate::content::{Address, Contact, Identifier, Party, Payee, TaxRepresentative};
use crate::syntax::RAM;
use crate::xml::{ReadError, Source};

/// The tax number of a registration for VAT, as its scheme is called.
const VAT: &str = "VA";
/// A tax number that is not for VAT.
const OTHER_TAX: &str = "FC";

pub(super) fn party<R: BufRead>(
    source: &mut Source<R>,
    party: &mut Party,
) -> Result<(), ReadError> {
    source.children(|source| match source.name() {
        (RAM, "ID" | "GlobalID") => {
            source.repeat()?;
            let mut id = Identifier::default();
            source.identifier(&mut id)?;
            party.other_ids.push(id);
            Ok(())
        }
        (RAM, "Name") => source.localized(&mut party.name),
        (RAM, "Description") => source.once(&mut party.legal_form),
        (RAM, "SpecifiedLegalOrganization") => source.children(|source| match source.name() {
            (RAM, "ID") => source.identifier(&mut party.legal_id),
            (RAM, "TradingBusinessName") => source.localized(&mut party.trading_name),
            _ => source.skip(),
        }),
        (RAM, "DefinedTradeContact") => contact(source, &mut party.contact),
        (RAM, "PostalTradeAddress") => address(source, &mut party.address),
        (RAM, "URIUniversalCommunication") => source.children(|source| match source.name() {
            (RAM, "URIID") => source.identifier(&mut party.electronic_address),
            _ => source.skip(),
        }),
        (RAM, "SpecifiedTaxRegistration") => registration(
            source,
            &mut [
                (VAT, &mut party.tax_id),
                (OTHER_TAX, &mut party.tax_registration),
            ],
        ),
        _ => source.skip(),
    })
}

pub(super) fn payee<R: BufRead>(
    source: &mut Source<R>,
    payee: &mut Payee,
) -> Result<(), ReadError> {
    source.children(|source| match source.name() {
        (RAM, "ID" | "GlobalID") => source.identifier(&mut payee.id),
        (RAM, "Name") => source.localized(&mut payee.name),
        (RAM, "SpecifiedLegalOrganization") => source.children(|source| match source.name() {
            (RAM, "ID") => source.identifier(&mut payee.legal_id),
            _ => source.skip(),
        }),
        _ => source.skip(),
    })
}

pub(super) fn tax_representative<R: BufRead>(
    source: &mut Source<R>,
    representative: &mut TaxRepresentative,
) -> Result<(), ReadError> {
    source.children(|source| match source.name() {
        (RAM, "Name") => source.localized(&mut representative.name),
        (RAM, "PostalTradeAddress") => address(source, &mut representative.address),
        (RAM, "SpecifiedTaxRegistration") => {
            registration(source, &mut [(VAT, &mut representative.tax_id)])
        }
        _ => source.skip(),
    })
}

pub(super) fn address<R: BufRead>(
    source: &mut Source<R>,
    address: &mut Address,
) -> Result<(), ReadError> {
    source.children(|source| match source.name() {
        (RAM, "LineOne") => source.once(&mut address.street),
        (RAM, "LineTwo") => source.once(&mut address.additional_street),
        (RAM, "LineThree") => source.once(&mut address.third_line),
        (RAM, "BuildingNumber") => source.once(&mut address.building),
        (RAM, "CitySubDivisionName") => source.once(&mut address.district),
        (RAM, "CityName") => source.once(&mut address.city),
        (RAM, "PostcodeCode") => source.once(&mut address.postal_code),
        (RAM, "CountrySubDivisionName") => source.once(&mut address.region),
        (RAM, "CountryID") => source.once(&mut address.country),
        _ => source.skip(),
    })
}

/// BT-41 is a person or, where none is named, a department.
fn contact<R: BufRead>(source: &mut Source<R>, contact: &mut Contact) -> Result<(), ReadError> {
    source.children(|source| match source.name() {
        (RAM, "PersonName" | "DepartmentName") => source.once(&mut contact.name),
        (RAM, "TelephoneUniversalCommunication") => {
            only(source, "CompleteNumber", &mut contact.phone)
        }
        (RAM, "EmailURIUniversalCommunication") => only(source, "URIID", &mut contact.email),
        _ => source.skip(),
    })
}

/// A tax number, into the field of its scheme.
fn registration<R: BufRead>(
    source: &mut Source<R>,
    fields: &mut [(&str, &mut String)],
) -> Result<(), ReadError> {
    source.children(|source| {
        if source.name() != (RAM, "ID") {
            return source.skip();
        }
        let of = source.attribute("schemeID");
        match fields.iter_mut().find(|(scheme, _)| *scheme == of) {
            Some((_, field)) => source.once(field),
            None => source.skip(),
        }
    })
}
