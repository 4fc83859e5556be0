//! What the country of a seller prescribes of the details that its documents state about it.

use super::saudi;
use crate::content::Party;
use crate::violation::Violations;
use crate::{Country, Violation};

/// Whether sellers in a country have a registration number: whether the list of its schemes (BT-29-1) is known.
#[must_use]
pub fn has_registration_numbers(country: &str) -> bool {
    country == Country::SAUDI_ARABIA.code()
}

/// Checks the form of the details of a seller that its country prescribes, where they are given: its registration number, the number of
/// its building and its postal code. What is missing is a violation of a document that is issued ([`check_issue`](super::check_issue)).
#[must_use]
pub fn check_seller_form(seller: &Party) -> Vec<Violation> {
    let mut violations = Violations::new(true);
    if seller.address.country == Country::SAUDI_ARABIA.code() {
        saudi::seller::check_form(&mut violations, seller);
    }
    violations.into_vec()
}
