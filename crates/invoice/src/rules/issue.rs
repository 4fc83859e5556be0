//! What a document needs when it is issued, and a draft may still lack.

use super::saudi;
use crate::content::Party;
use crate::violation::Violations;
use crate::{Content, Country, Violation};

/// Checks what a content of our own needs in the country of the seller when it is issued, and the address and the registration number of
/// the seller. It has no other violations: those are refused of a draft already.
#[must_use]
pub fn check_issue(content: &Content, seller: &Party) -> Vec<Violation> {
    let mut violations = Violations::new(true);
    if seller.address.country == Country::SAUDI_ARABIA.code() {
        saudi::issue::check(&mut violations, content, seller);
    }
    violations.into_vec()
}
