//! Parties and addresses.

use std::io::BufRead;

use super::{CAC, CBC, only_id, within_text};
use crate::content::{Address, Contact, Identifier, Party, Payee, TaxRepresentative};
use crate::xml::{ReadError, Source};

/// BG-4. Any tax scheme that is not VAT is the tax registration (BT-32).
pub(super) fn seller<R: BufRead>(
    source: &mut Source<R>,
    seller: &mut Party,
) -> Result<(), ReadError> {
    party(source, seller, |_| true)
}

/// BG-7. EN 16931 has only the VAT number of the buyer (BT-48); a scheme that the model does not keep is reported.
pub(super) fn buyer<R: BufRead>(
    source: &mut Source<R>,
    buyer: &mut Party,
) -> Result<(), ReadError> {
    party(source, buyer, |scheme| {
        scheme.is_empty() || scheme.eq_ignore_ascii_case("TAX")
    })
}

fn party<R: BufRead>(
    source: &mut Source<R>,
    party: &mut Party,
    is_registration: impl Fn(&str) -> bool + Copy,
) -> Result<(), ReadError> {
    source.children(|source| match source.name() {
        (CBC, "EndpointID") => source.read_identifier(&mut party.electronic_address),
        (CAC, "PartyIdentification") => source.children(|source| match source.name() {
            (CBC, "ID") => {
                source.count_repeated()?;
                let mut id = Identifier::default();
                source.read_identifier(&mut id)?;
                party.other_ids.push(id);
                Ok(())
            }
            _ => source.skip(),
        }),
        (CAC, "PartyName") => within_text(source, "Name", &mut party.trading_name),
        (CAC, "PostalAddress") => address(source, &mut party.address),
        (CAC, "PartyTaxScheme") => {
            let (id, scheme) = tax_scheme(source)?;
            let is_vat = scheme.eq_ignore_ascii_case("VAT");
            let field = if is_vat {
                &mut party.tax_id
            } else {
                &mut party.tax_registration
            };
            if id.is_empty() || !field.is_empty() || !(is_vat || is_registration(&scheme)) {
                return source.record_last_unmapped();
            }
            *field = id;
            Ok(())
        }
        (CAC, "PartyLegalEntity") => source.children(|source| match source.name() {
            (CBC, "RegistrationName") => source.read_localized(&mut party.name),
            (CBC, "CompanyID") => source.read_identifier(&mut party.legal_id),
            (CBC, "CompanyLegalForm") => source.read_text(&mut party.legal_form),
            _ => source.skip(),
        }),
        (CAC, "Contact") => contact(source, &mut party.contact),
        _ => source.skip(),
    })
}

pub(super) fn payee<R: BufRead>(
    source: &mut Source<R>,
    payee: &mut Payee,
) -> Result<(), ReadError> {
    source.children(|source| match source.name() {
        (CAC, "PartyIdentification") => source.children(|source| match source.name() {
            (CBC, "ID") => source.read_identifier(&mut payee.id),
            _ => source.skip(),
        }),
        (CAC, "PartyName") => within_text(source, "Name", &mut payee.name),
        (CAC, "PartyLegalEntity") => source.children(|source| match source.name() {
            (CBC, "CompanyID") => source.read_identifier(&mut payee.legal_id),
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
        (CAC, "PartyName") => within_text(source, "Name", &mut representative.name),
        (CAC, "PostalAddress") => address(source, &mut representative.address),
        (CAC, "PartyTaxScheme") => {
            let (id, scheme) = tax_scheme(source)?;
            if !scheme.eq_ignore_ascii_case("VAT") || !representative.tax_id.is_empty() {
                return source.record_last_unmapped();
            }
            representative.tax_id = id;
            Ok(())
        }
        _ => source.skip(),
    })
}

pub(super) fn address<R: BufRead>(
    source: &mut Source<R>,
    address: &mut Address,
) -> Result<(), ReadError> {
    source.children(|source| match source.name() {
        (CBC, "StreetName") => source.read_text(&mut address.street),
        (CBC, "AdditionalStreetName") => source.read_text(&mut address.additional_street),
        (CBC, "BuildingNumber") => source.read_text(&mut address.building),
        (CBC, "PlotIdentification") => source.read_text(&mut address.additional_number),
        (CBC, "CitySubdivisionName") => source.read_text(&mut address.district),
        (CBC, "CityName") => source.read_text(&mut address.city),
        (CBC, "PostalZone") => source.read_text(&mut address.postal_code),
        (CBC, "CountrySubentity") => source.read_text(&mut address.region),
        (CAC, "AddressLine") => source.children(|source| match source.name() {
            (CBC, "Line") => source.read_text(&mut address.third_line),
            _ => source.skip(),
        }),
        (CAC, "Country") => country(source, &mut address.country),
        _ => source.skip(),
    })
}

pub(super) fn country<R: BufRead>(
    source: &mut Source<R>,
    code: &mut String,
) -> Result<(), ReadError> {
    source.children(|source| match source.name() {
        (CBC, "IdentificationCode") => {
            source.read_attribute_values("listID", &["ISO3166-1:Alpha2", "ISO3166-1"]);
            source.read_attribute_values("listAgencyID", &["6"]);
            source.read_text(code)
        }
        _ => source.skip(),
    })
}

fn contact<R: BufRead>(source: &mut Source<R>, contact: &mut Contact) -> Result<(), ReadError> {
    source.children(|source| match source.name() {
        (CBC, "Name") => source.read_text(&mut contact.name),
        (CBC, "Telephone") => source.read_text(&mut contact.phone),
        (CBC, "ElectronicMail") => source.read_text(&mut contact.email),
        _ => source.skip(),
    })
}

/// The tax number and its tax scheme.
fn tax_scheme<R: BufRead>(source: &mut Source<R>) -> Result<(String, String), ReadError> {
    let (mut id, mut scheme) = (String::new(), String::new());
    source.children(|source| match source.name() {
        (CBC, "CompanyID") => source.read_text(&mut id),
        (CAC, "TaxScheme") => only_id(source, &mut scheme),
        _ => source.skip(),
    })?;
    Ok((id, scheme))
}
