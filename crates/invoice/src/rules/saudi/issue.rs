//! What a document of a Saudi seller needs when it is issued, and a draft may still lack: where the seller is and how it is registered, who
//! the buyer is and where, the first day of supply, and the tax in riyals.

use super::{last_day, parties};
use crate::content::Party;
use crate::violation::Violations;
use crate::{Content, Currency, Subtype};

/// BR-KSA-09, 37 and 66 of the address of the seller, BR-KSA-08 of its registration number, and BR-KSA-10, 25, 35, 49, 63, 68 and 81. What
/// else a file needs is added to it, or is no part of a content.
pub(in crate::rules) fn check(violations: &mut Violations, content: &Content, seller: &Party) {
    parties::seller_address(violations, &seller.address);
    parties::registration_number(violations, &seller.other_ids);
    let buyer = &content.buyer;
    let subtype = content.saudi_subtype();
    if subtype == Subtype::Standard {
        // BR-KSA-10 asks for less of an address in Saudi Arabia than BR-KSA-63.
        if parties::is_saudi(&buyer.address) {
            parties::saudi_address(violations, &buyer.address);
        } else {
            parties::address(violations, &buyer.address);
        }
        parties::identified(violations, buyer);
    }
    last_day(violations, content);
    let lines = content.lines.iter().map(|line| &line.tax);
    let items = content.allowances_charges.iter().map(|item| &item.tax);
    let codes = lines.chain(items).map(|tax| tax.exemption_code.as_str());
    parties::citizens(violations, buyer, Some(subtype), codes);
    tax_currency(violations, content);
}

/// BR-KSA-68: the tax is declared in riyals. In another currency that takes the currency of the tax (BT-6) and its exchange rate, which
/// only the content can name; with BT-6 the rate is required of a draft too.
fn tax_currency(violations: &mut Violations, content: &Content) {
    let riyal = Currency::SAUDI_RIYAL.code();
    let is_declared = match content.tax_currency.as_str() {
        "" => content.currency == riyal,
        tax_currency => tax_currency == riyal,
    };
    if !is_declared {
        violations.add(
            "taxCurrency",
            "BR-KSA-68",
            "the tax is declared in SAR, with the exchange rate",
        );
    }
}
