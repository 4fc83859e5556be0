//! The form of what a Saudi seller states about itself.

use super::{identifiers, parties};
use crate::content::Party;
use crate::violation::Violations;

/// BR-KSA-08, 37 and 66, and BR-KSA-F-08, 09 and 12, where a value is given.
pub(in crate::rules) fn check_form(violations: &mut Violations, seller: &Party) {
    parties::seller_address_form(violations, &seller.address);
    identifiers::of_seller(violations, &seller.other_ids);
}
