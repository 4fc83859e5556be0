//! Seller (BG-4) and buyer (BG-7).

use std::fmt::Display;

use super::Scope;
use super::fields::SHORT_TEXT;
use crate::content::Party;
use crate::violation::Violations;
use crate::{Content, Country, Document, Subtype, Violation};

/// Checks that the buyer of a Saudi seller has another VAT number than the seller (BR-CUSTOM-VALIDATION-01). A content of our own does
/// not name the seller.
#[must_use]
pub fn check_buyer_number(buyer: &str, seller: &str, seller_country: Country) -> Option<Violation> {
    let mut violations = Violations::new(true);
    if seller_country == Country::SAUDI_ARABIA {
        another_number(&mut violations, buyer, seller);
    }
    violations.into_vec().pop()
}

/// Compares two VAT numbers.
pub(super) fn another_number(violations: &mut Violations, buyer: &str, seller: &str) {
    if !buyer.is_empty() && buyer == seller {
        violations.add(
            "buyer.taxId",
            "BR-CUSTOM-VALIDATION-01",
            "the buyer has another VAT number than the seller",
        );
    }
}

/// Checks the buyer.
pub(super) fn check_buyer(violations: &mut Violations, content: &Content, scope: &Scope<'_>) {
    let buyer = &content.buyer;
    let unnamed = buyer.name.ar.trim().is_empty() && buyer.name.en.trim().is_empty();
    // In the Gulf states a simplified invoice may omit the buyer's name; EN 16931 has no simplified invoices.
    let gulf = scope.is_own() || scope.has_own_lists();
    let simplified = gulf && content.subtype == Some(Subtype::Simplified);
    if unnamed && !simplified {
        violations.add(
            "buyer.name",
            "BR-07",
            "the buyer's name is required in Arabic or in English",
        );
    }
    texts(violations, "buyer", buyer);
    violations.identifier_scheme(
        "buyer.electronicAddress",
        &buyer.electronic_address,
        "BR-63",
    );
    if buyer.address.is_present() {
        violations.country("buyer", &buyer.address.country, "BR-11");
    } else if !scope.is_own() && !simplified {
        violations.add("buyer.address", "BR-10", "the buyer's address is required");
    }
    // ZATCA has one form for the buyers of Saudi sellers. The number of a buyer elsewhere is another identifier (BT-46).
    let country = if scope.is_saudi() {
        Some(Country::SAUDI_ARABIA)
    } else {
        Country::parse(&buyer.address.country)
    };
    tax_number(
        violations,
        "buyer.taxId",
        &buyer.tax_id,
        country,
        "BR-KSA-44",
    );
}

/// Checks the seller of a received document, and the country prefixes of all VAT numbers.
pub(super) fn check_seller(violations: &mut Violations, document: &Document) {
    let seller = &document.seller;
    if seller.name.ar.trim().is_empty() && seller.name.en.trim().is_empty() {
        violations.add("seller.name", "BR-06", "the seller's name is required");
    }
    texts(violations, "seller", seller);
    violations.identifier_scheme(
        "seller.electronicAddress",
        &seller.electronic_address,
        "BR-62",
    );
    if seller.address.is_present() {
        violations.country("seller", &seller.address.country, "BR-09");
    } else {
        violations.add(
            "seller.address",
            "BR-08",
            "the seller's address is required",
        );
    }
    if seller.other_ids.is_empty() && seller.legal_id.value.is_empty() && seller.tax_id.is_empty() {
        violations.add(
            "seller.otherIds",
            "BR-CO-26",
            "the seller has an identifier, a registration or a tax number",
        );
    }
    let country = Country::parse(&seller.address.country);
    tax_number(
        violations,
        "seller.taxId",
        &seller.tax_id,
        country,
        "BR-KSA-40",
    );
    prefix(violations, "seller.taxId", &seller.tax_id, seller);
    let buyer = &document.content.buyer;
    // The number that a buyer elsewhere has in Saudi Arabia begins with no country.
    let of = if country == Some(Country::SAUDI_ARABIA) {
        seller
    } else {
        buyer
    };
    prefix(violations, "buyer.taxId", &buyer.tax_id, of);
    if let Some(representative) = &document.content.tax_representative {
        prefix(
            violations,
            "taxRepresentative.taxId",
            &representative.tax_id,
            seller,
        );
    }
}

/// Checks the format of a tax number by the country whose form it has.
fn tax_number(
    violations: &mut Violations,
    path: impl Display,
    id: &str,
    country: Option<Country>,
    saudi_rule: &'static str,
) {
    if id.is_empty() {
        return;
    }
    let digits = |count: usize| id.len() == count && id.bytes().all(|byte| byte.is_ascii_digit());
    let (fits, rule, description) = match country {
        Some(Country::SAUDI_ARABIA) => (
            digits(15) && id.starts_with('3') && id.ends_with('3'),
            saudi_rule,
            "a Saudi VAT number has 15 digits and begins and ends with 3",
        ),
        Some(Country::EMIRATES) => (
            digits(15) && id.starts_with('1'),
            "INV-AE-TAX-ID",
            "a tax registration number of the Emirates has 15 digits and begins with 1",
        ),
        Some(Country::EGYPT) => (
            digits(9),
            "INV-EG-TAX-ID",
            "an Egyptian tax registration number has 9 digits",
        ),
        _ => return,
    };
    if !fits {
        violations.add(path, rule, description);
    }
}

/// BR-CO-09: a VAT number begins with its country code, except in countries that omit it.
fn prefix(violations: &mut Violations, path: impl Display + Copy, id: &str, party: &Party) {
    let bare = Country::parse(&party.address.country).is_some_and(Country::omits_tax_number_prefix);
    if id.is_empty() || bare {
        return;
    }
    let known = id
        .get(..2)
        .is_some_and(|prefix| prefix == "EL" || Country::is_valid_code(prefix));
    if !known {
        violations.add(
            path,
            "BR-CO-09",
            "a VAT number begins with the code of its country",
        );
    }
}

fn texts(violations: &mut Violations, path: impl Display + Copy, party: &Party) {
    let address = &party.address;
    for (name, text) in [
        ("name.ar", &party.name.ar),
        ("name.en", &party.name.en),
        ("taxId", &party.tax_id),
        ("address.building", &address.building),
        ("address.street", &address.street),
        ("address.district", &address.district),
        ("address.city", &address.city),
        ("address.postalCode", &address.postal_code),
        ("address.region", &address.region),
        ("contact.name", &party.contact.name),
        ("contact.phone", &party.contact.phone),
        ("contact.email", &party.contact.email),
    ] {
        if !text.is_empty() {
            violations.text(format_args!("{path}.{name}"), text, SHORT_TEXT);
        }
    }
    for (index, id) in party.other_ids.iter().enumerate() {
        violations.text(
            format_args!("{path}.otherIds[{index}].scheme"),
            &id.scheme,
            SHORT_TEXT,
        );
        violations.text(
            format_args!("{path}.otherIds[{index}].value"),
            &id.value,
            SHORT_TEXT,
        );
    }
}
