//! Seller and buyer in Saudi Arabia.

use std::fmt::Display;

use super::identifiers::{self, BUYER_SCHEMES, SELLER_SCHEMES};
use crate::content::{Address, Identifier, Party};
use crate::rules::parties::another_number;
use crate::violation::Violations;
use crate::{Country, Document, Subtype};

/// Exemptions for the education and health care of Saudi citizens.
const OF_CITIZENS: [&str; 2] = ["VATEX-SA-EDU", "VATEX-SA-HEA"];

pub(super) fn seller(violations: &mut Violations, document: &Document) {
    let seller = &document.seller;
    registration_number(violations, &seller.other_ids);
    identifiers::series(violations, "seller", &seller.other_ids, &SELLER_SCHEMES);
    if seller.tax_id.is_empty() {
        violations.add(
            "seller.taxId",
            "BR-KSA-39",
            "the seller's VAT number is required",
        );
    }
    seller_address(violations, &seller.address);
    form(
        violations,
        "seller.address.additionalNumber",
        &seller.address.additional_number,
        4,
        "BR-KSA-64",
    );
}

/// BR-KSA-08, and BR-KSA-F-08, 09 and 12: the registration number of the seller, among its other identifiers.
pub(super) fn registration_number(violations: &mut Violations, ids: &[Identifier]) {
    let known = |id: &Identifier| {
        SELLER_SCHEMES.contains(&id.scheme.trim())
            && id
                .value
                .chars()
                .all(|letter| letter.is_ascii_alphanumeric())
    };
    if ids.len() != 1 || !ids.iter().all(known) {
        violations.add(
            "seller.otherIds",
            "BR-KSA-08",
            "the seller has exactly one other identifier, its registration number: CRN, MOM, MLS, 700, SAG or OTH",
        );
    }
    identifiers::forms(violations, "seller", ids, &SELLER_SCHEMES);
}

/// BR-KSA-09, 37 and 66: the address of the seller.
pub(super) fn seller_address(violations: &mut Violations, address: &Address) {
    if !is_complete(address) {
        violations.add(
            "seller.address",
            "BR-KSA-09",
            "street, building, district, city and postal code of the seller are required",
        );
    }
    seller_address_form(violations, address);
}

/// BR-KSA-37 and 66: the form of building number and postal code of the seller, where they are given.
pub(super) fn seller_address_form(violations: &mut Violations, address: &Address) {
    form(
        violations,
        "seller.address.building",
        &address.building,
        4,
        "BR-KSA-37",
    );
    form(
        violations,
        "seller.address.postalCode",
        &address.postal_code,
        5,
        "BR-KSA-66",
    );
}

pub(super) fn buyer(violations: &mut Violations, document: &Document) {
    let content = &document.content;
    let buyer = &content.buyer;
    identifiers::of_buyer(violations, &buyer.other_ids);
    identifiers::phone(violations, buyer);
    identifiers::series(violations, "buyer", &buyer.other_ids, &BUYER_SCHEMES);
    let unnamed = buyer.name.ar.is_empty() && buyer.name.en.is_empty();
    match content.subtype {
        Some(Subtype::Standard) => {
            address(violations, &buyer.address);
            identified(violations, buyer);
            if unnamed {
                violations.add("buyer.name", "BR-KSA-42", "the buyer's name is required");
            }
        }
        Some(Subtype::Simplified) if document.traits.summary && unnamed => {
            violations.add(
                "buyer.name",
                "BR-KSA-71",
                "a simplified summary invoice names the buyer",
            );
        }
        Some(Subtype::Simplified) | None => {}
    }
    if document.traits.export && !buyer.tax_id.is_empty() {
        violations.add(
            "buyer.taxId",
            "BR-KSA-46",
            "the buyer of an export has no VAT number",
        );
    }
    another_number(violations, &buyer.tax_id, &document.seller.tax_id);
    // A simplified document may have any part of the address.
    if content.subtype != Some(Subtype::Simplified) && is_saudi(&buyer.address) {
        saudi_address(violations, &buyer.address);
        form(
            violations,
            "buyer.address.additionalNumber",
            &buyer.address.additional_number,
            4,
            "BR-KSA-65",
        );
        postal_code(violations, &buyer.address);
    }
    let rows = document.figures.tax_breakdown.iter();
    let codes = rows.map(|row| row.exemption_code.as_str());
    citizens(violations, buyer, content.subtype, codes);
}

pub(super) fn is_saudi(address: &Address) -> bool {
    address.country == Country::SAUDI_ARABIA.code()
}

/// BR-KSA-10: the address of the buyer of a standard document.
pub(super) fn address(violations: &mut Violations, address: &Address) {
    if address.street.is_empty() || address.city.is_empty() || address.country.is_empty() {
        violations.add(
            "buyer.address",
            "BR-KSA-10",
            "street, city and country of the buyer are required",
        );
    }
}

/// BR-KSA-81: the identifier of the buyer of a standard document.
pub(super) fn identified(violations: &mut Violations, buyer: &Party) {
    if !buyer.is_identified() {
        violations.add(
            "buyer.otherIds",
            "BR-KSA-81",
            "a buyer without a VAT number has another identifier",
        );
    }
}

/// BR-KSA-67: the postal code of a buyer in Saudi Arabia.
pub(super) fn postal_code(violations: &mut Violations, address: &Address) {
    form(
        violations,
        "buyer.address.postalCode",
        &address.postal_code,
        5,
        "BR-KSA-67",
    );
}

/// BR-KSA-63: the address of a buyer in Saudi Arabia.
pub(super) fn saudi_address(violations: &mut Violations, address: &Address) {
    if !is_complete(address) {
        violations.add(
            "buyer.address",
            "BR-KSA-63",
            "street, building, district, city and postal code of a Saudi buyer are required",
        );
    }
}

/// Whether an address has what one in Saudi Arabia needs.
fn is_complete(address: &Address) -> bool {
    let parts = [
        &address.street,
        &address.building,
        &address.district,
        &address.city,
        &address.postal_code,
    ];
    !parts.into_iter().any(String::is_empty)
}

/// BR-KSA-25 and 49: exemptions for citizens require the buyer's name and national identifier. BR-KSA-42 is about the name on a standard
/// document. `codes` are the exemption codes of the document.
pub(super) fn citizens<'a>(
    violations: &mut Violations,
    buyer: &Party,
    subtype: Option<Subtype>,
    mut codes: impl Iterator<Item = &'a str>,
) {
    if !codes.any(|code| OF_CITIZENS.contains(&code)) {
        return;
    }
    let simplified = subtype == Some(Subtype::Simplified);
    if simplified && buyer.name.ar.is_empty() && buyer.name.en.is_empty() {
        violations.add(
            "buyer.name",
            "BR-KSA-25",
            "education and health care of a citizen name the buyer",
        );
    }
    if !buyer.other_ids.iter().any(|id| id.scheme == "NAT") {
        violations.add(
            "buyer.otherIds",
            "BR-KSA-49",
            "education and health care of a citizen name the national id",
        );
    }
}

/// Checks that a non-empty text has exactly this many digits.
fn form(
    violations: &mut Violations,
    path: impl Display + Copy,
    text: &str,
    digits: usize,
    rule: &'static str,
) {
    let fits = text.len() == digits && text.bytes().all(|byte| byte.is_ascii_digit());
    if !text.is_empty() && !fits {
        violations
            .add(path, rule, format!("has {digits} digits"))
            .with("digits", digits.to_string());
    }
}
