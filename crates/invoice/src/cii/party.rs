//! Parties and addresses.

use std::io::BufRead;

use super::only;
use crate::codes::SEPA;
use crate::content::{Address, Contact, Identifier, Party, Payee, TaxRepresentative};
use crate::syntax::RAM;
use crate::xml::{ReadError, Source};

/// The scheme of VAT numbers.
const VAT: &str = "VA";
/// The scheme of other tax registrations.
const OTHER_TAX: &str = "FC";

pub(super) fn party<R: BufRead>(
    source: &mut Source<R>,
    party: &mut Party,
) -> Result<(), ReadError> {
    source.children(|source| match source.name() {
        (RAM, "ID" | "GlobalID") => {
            source.count_repeated()?;
            let mut id = Identifier::default();
            source.read_identifier(&mut id)?;
            party.other_ids.push(id);
            Ok(())
        }
        (RAM, "Name") => source.read_localized(&mut party.name),
        (RAM, "Description") => source.read_text(&mut party.legal_form),
        (RAM, "SpecifiedLegalOrganization") => source.children(|source| match source.name() {
            (RAM, "ID") => source.read_identifier(&mut party.legal_id),
            (RAM, "TradingBusinessName") => source.read_localized(&mut party.trading_name),
            _ => source.skip(),
        }),
        (RAM, "DefinedTradeContact") => contact(source, &mut party.contact),
        (RAM, "PostalTradeAddress") => address(source, &mut party.address),
        (RAM, "URIUniversalCommunication") => source.children(|source| match source.name() {
            (RAM, "URIID") => source.read_identifier(&mut party.electronic_address),
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
        (RAM, "ID" | "GlobalID") => source.read_identifier(&mut payee.id),
        (RAM, "Name") => source.read_localized(&mut payee.name),
        (RAM, "SpecifiedLegalOrganization") => source.children(|source| match source.name() {
            (RAM, "ID") => source.read_identifier(&mut payee.legal_id),
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
        (RAM, "Name") => source.read_localized(&mut representative.name),
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
        (RAM, "LineOne") => source.read_text(&mut address.street),
        (RAM, "LineTwo") => source.read_text(&mut address.additional_street),
        (RAM, "LineThree") => source.read_text(&mut address.third_line),
        (RAM, "BuildingNumber") => source.read_text(&mut address.building),
        (RAM, "CitySubDivisionName") => source.read_text(&mut address.district),
        (RAM, "CityName") => source.read_text(&mut address.city),
        (RAM, "PostcodeCode") => source.read_text(&mut address.postal_code),
        (RAM, "CountrySubDivisionName") => source.read_text(&mut address.region),
        (RAM, "CountryID") => source.read_text(&mut address.country),
        _ => source.skip(),
    })
}

/// BT-41 is a person or, if absent, a department.
fn contact<R: BufRead>(source: &mut Source<R>, contact: &mut Contact) -> Result<(), ReadError> {
    source.children(|source| match source.name() {
        (RAM, "PersonName" | "DepartmentName") => source.read_text(&mut contact.name),
        (RAM, "TelephoneUniversalCommunication") => {
            only(source, "CompleteNumber", &mut contact.phone)
        }
        (RAM, "EmailURIUniversalCommunication") => only(source, "URIID", &mut contact.email),
        _ => source.skip(),
    })
}

/// Reads a tax number into the field of its scheme.
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
            Some((_, field)) => source.read_text(field),
            None => source.skip(),
        }
    })
}

/// BT-90: moves the first SEPA identifier of the seller to the creditor identifier, as in UBL.
pub(super) fn take_creditor_id(seller: &mut Party, creditor_id: &mut String) {
    if !creditor_id.is_empty() {
        return;
    }
    let ids = &mut seller.other_ids;
    if let Some(at) = ids.iter().position(|id| id.scheme == SEPA) {
        *creditor_id = ids.remove(at).value;
    }
}
