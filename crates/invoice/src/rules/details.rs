//! References, payment instructions, supporting documents, and the optional fields of lines.

use std::fmt::Display;

use rust_decimal::Decimal;

use super::Scope;
use super::fields::{LONG_TEXT, SHORT_TEXT};
use super::lines::DEFAULT_UNIT;
use crate::content::{Line, PaymentMeans, SparseLineDetails, Text};
use crate::violation::Violations;
use crate::{Content, Country, Currency, codes, decimal, iban};

/// The largest number of digits of a card number in an invoice.
const CARD_DIGITS: usize = 10;

pub(super) fn check(violations: &mut Violations, content: &Content, scope: &Scope<'_>) {
    for (index, means) in content.payment.iter().enumerate() {
        let path = format_args!("payment[{index}]");
        payment(violations, path, means);
        if scope.is_own() {
            check_digits(violations, path, means);
        }
    }
    if let Some(payee) = &content.payee {
        named(
            violations,
            "payee.name",
            &payee.name,
            "BR-17",
            "a payee has a name",
        );
    }
    if let Some(representative) = &content.tax_representative {
        let path = "taxRepresentative";
        named(
            violations,
            format_args!("{path}.name"),
            &representative.name,
            "BR-18",
            "a tax representative has a name",
        );
        violations.required(
            format_args!("{path}.taxId"),
            &representative.tax_id,
            "BR-56",
            "a tax representative has a tax number",
        );
        if representative.address.is_present() {
            violations.country(path, &representative.address.country, "BR-20");
        } else {
            violations.add(
                format_args!("{path}.address"),
                "BR-19",
                "a tax representative has an address",
            );
        }
    }
    if let Some(delivery) = &content.delivery {
        if delivery.address.is_present() {
            violations.country("delivery", &delivery.address.country, "BR-57");
        }
        let _ = violations.date("delivery.latestDate", &delivery.latest_date);
    }
    let (may_be_attached, mime_rule): (fn(&str) -> bool, _) = if scope.is_saudi() {
        (codes::is_saudi_mime, "BR-KSA-CL-03")
    } else {
        (codes::is_mime, "BR-CL-24")
    };
    for (index, paper) in content.documents.iter().enumerate() {
        let path = format_args!("documents[{index}]");
        violations.required(
            format_args!("{path}.id"),
            &paper.id.value,
            "BR-52",
            "a supporting document has an identifier",
        );
        let mime = paper.attachment.as_ref().map(|file| file.mime.as_str());
        if mime.is_some_and(|mime| !may_be_attached(mime)) {
            violations.add(
                format_args!("{path}.attachment.mime"),
                mime_rule,
                "is not one of the media types that may be attached",
            );
        }
    }
}

/// INV-IBAN: a transfer to a mistyped account is sent back, or goes to somebody else.
fn check_digits(violations: &mut Violations, path: impl Display + Copy, means: &PaymentMeans) {
    let account = means.account.as_ref().map(|account| &account.id);
    let payer = means.mandate.as_ref().map(|mandate| &mandate.payer_account);
    for (name, account) in [("account.id", account), ("mandate.payerAccount", payer)] {
        if account.is_some_and(|account| iban::is_mistyped(account)) {
            violations.add(
                format_args!("{path}.{name}"),
                "INV-IBAN",
                "has the form of an IBAN, and its check digits do not fit (ISO 13616)",
            );
        }
    }
}

fn payment(violations: &mut Violations, path: impl Display + Copy, means: &PaymentMeans) {
    if means.code.is_empty() {
        violations.add(
            format_args!("{path}.code"),
            "BR-49",
            "a payment has the code of its means",
        );
    } else if !codes::is_payment_means(&means.code) {
        violations.add(
            format_args!("{path}.code"),
            "BR-CL-16",
            "is not a code of UNCL4461, such as 30 for a credit transfer",
        );
    }
    let no_account = means
        .account
        .as_ref()
        .is_none_or(|account| account.id.trim().is_empty());
    if matches!(means.code.as_str(), "30" | "58") && no_account {
        violations.add(
            format_args!("{path}.account.id"),
            "BR-61",
            "a credit transfer names the account that it goes to",
        );
    }
    if means.account.is_some() && no_account {
        violations.add(
            format_args!("{path}.account.id"),
            "BR-50",
            "an account has a number",
        );
    }
    if let Some(card) = &means.card {
        violations.required(
            format_args!("{path}.card.number"),
            &card.number,
            "BR-51",
            "a card is known by its last digits",
        );
        if card.number.trim().chars().count() > CARD_DIGITS {
            violations
                .add(
                    format_args!("{path}.card.number"),
                    "BR-51",
                    "a card is known by its first and last digits, never by all of them",
                )
                .with("most", CARD_DIGITS.to_string());
        }
    }
}

/// The fields of a line that no computation uses.
pub(super) fn check_line(
    violations: &mut Violations,
    path: impl Display + Copy,
    line: &Line,
    currency: Option<Currency>,
    scope: &Scope<'_>,
) {
    let details = &line.details;
    if *details == SparseLineDetails::default() {
        return;
    }
    if let Some(period) = &details.period {
        violations.period(format_args!("{path}.period"), period, "BR-30", "BR-CO-20");
    }
    for (name, text, most) in [
        ("note", &details.note, LONG_TEXT),
        ("orderLine", &details.order_line, SHORT_TEXT),
        ("accounting", &details.accounting, SHORT_TEXT),
        (
            "itemDescription.ar",
            &details.item_description.ar,
            LONG_TEXT,
        ),
        (
            "itemDescription.en",
            &details.item_description.en,
            LONG_TEXT,
        ),
        ("buyerItemCode", &details.buyer_item_code, SHORT_TEXT),
    ] {
        if !text.is_empty() {
            violations.text(format_args!("{path}.{name}"), text, most);
        }
    }
    prices(violations, path, line, scope);
    price_unit(violations, path, line, scope);
    violations.identifier_scheme(
        format_args!("{path}.standardItemCode"),
        &details.standard_item_code,
        "BR-64",
    );
    for (index, class) in details.classifications.iter().enumerate() {
        if class.list.is_empty() {
            violations.add(
                format_args!("{path}.classifications[{index}].list"),
                "BR-65",
                "a class names the list that it is of",
            );
        } else if !codes::is_item_list(&class.list) {
            violations.add(
                format_args!("{path}.classifications[{index}].list"),
                "BR-CL-13",
                "is not a list of UNTDID 7143",
            );
        }
    }
    for (index, attribute) in details.attributes.iter().enumerate() {
        if attribute.name.trim().is_empty() || attribute.value.trim().is_empty() {
            violations.add(
                format_args!("{path}.attributes[{index}]"),
                "BR-54",
                "a property of an item has a name and a value",
            );
        }
    }
    if !details.origin.is_empty() && !Country::is_valid_code(&details.origin) {
        violations.add(
            format_args!("{path}.origin"),
            "BR-CL-15",
            "is not a country code of ISO 3166-1",
        );
    }
    if let Some(amounts) = &details.tax_amounts {
        let _ = violations.amount(
            format_args!("{path}.taxAmounts.tax"),
            &amounts.tax,
            currency,
            "INV-DIGITS",
        );
        let _ = violations.amount(
            format_args!("{path}.taxAmounts.gross"),
            &amounts.gross,
            currency,
            "INV-DIGITS",
        );
    }
}

/// Gross price (BT-148) and discount (BT-147) of a net price (BT-146).
fn prices(violations: &mut Violations, path: impl Display + Copy, line: &Line, scope: &Scope<'_>) {
    let details = &line.details;
    let gross = violations.number(
        format_args!("{path}.grossPrice"),
        &details.gross_price,
        decimal::MAX_FRACTION,
    );
    let discount_path = format_args!("{path}.priceDiscount");
    let discount = violations.number(
        discount_path,
        &details.price_discount,
        decimal::MAX_FRACTION,
    );
    let (Ok(Some(gross)), Ok(discount)) = (gross, discount) else {
        return;
    };
    if gross < Decimal::ZERO {
        violations.add(
            format_args!("{path}.grossPrice"),
            "BR-28",
            "must not be negative",
        );
        return;
    }
    let (Ok(net), Some(rule)) = (decimal::parse(&line.unit_price), scope.net_price_rule()) else {
        return;
    };
    let fits = match discount {
        // The file states the difference.
        None if scope.is_own() => gross >= net,
        discount => gross.checked_sub(discount.unwrap_or_default()) == Some(net),
    };
    if !fits {
        violations.add(
            discount_path,
            rule,
            "the price before the discount less the discount is the unit price",
        );
    }
}

/// The unit of the quantity that a price is for (BT-150): quantities are not converted, so it is the unit of the line (BT-130).
fn price_unit(
    violations: &mut Violations,
    path: impl Display + Copy,
    line: &Line,
    scope: &Scope<'_>,
) {
    let unit = match line.unit.as_str() {
        "" if scope.is_own() => DEFAULT_UNIT,
        unit => unit,
    };
    let of_price = line.details.price_base_unit.as_str();
    // Another rule reports a line without a quantity.
    if of_price.is_empty() || of_price == unit || line.quantity.is_empty() {
        return;
    }
    if let Some(rule) = scope.price_unit_rule() {
        violations.add(
            format_args!("{path}.priceBaseUnit"),
            rule,
            "the quantity that a price is for has the unit of the line",
        );
    }
}

fn named(
    violations: &mut Violations,
    path: impl Display + Copy,
    name: &Text,
    rule: &'static str,
    description: &str,
) {
    if name.ar.trim().is_empty() && name.en.trim().is_empty() {
        violations.add(path, rule, description);
    }
}
