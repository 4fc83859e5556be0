//! Tax categories, rates and exemptions (BR-S, BR-Z, BR-E, BR-AE, BR-G, BR-O, BR-B).

use std::fmt::Display;

use rust_decimal::Decimal;

use super::Scope;
use super::category_usage::CategoryUsage;
use super::fields::{LONG_TEXT, RATE_FRACTION, SHORT_TEXT};
use super::saudi::percentages;
use crate::tax::{Category, CategoryRule, Exemption, Rate, Tax};
use crate::violation::Violations;
use crate::{Content, Country, codes, content};

/// What is taxed, which selects the rule identifier.
#[derive(Clone, Copy)]
pub(super) enum Place {
    Line,
    Document { is_charge: bool },
}

pub(super) fn check(
    violations: &mut Violations,
    path: impl Display + Copy,
    tax: &content::Tax,
    scope: &Scope<'_>,
    place: Place,
) -> Option<Tax> {
    violations.text(
        format_args!("{path}.exemptionCode"),
        &tax.exemption_code,
        SHORT_TEXT,
    );
    violations.text(
        format_args!("{path}.exemptionReason"),
        &tax.exemption_reason,
        LONG_TEXT,
    );
    let category = category(violations, path, tax, place, scope);
    let rate_path = format_args!("{path}.rate");
    let rate = violations.number(rate_path, &tax.rate, RATE_FRACTION);
    let category = category?;
    let rate = check_rate(violations, rate_path, category, rate.ok()?, place, scope);
    if scope.is_saudi() && rate.is_some() {
        percentages::tax_rate(violations, rate_path, category, &tax.rate);
    }
    // In a received document the exemption reason is in the breakdown.
    if scope.is_own() {
        exemption(violations, path, category, tax, scope);
    }
    exemption_code(violations, path, &tax.exemption_code, scope);
    Some(Tax {
        category,
        rate: rate?,
        exemption_code: tax.exemption_code.clone(),
        exemption_reason: tax.exemption_reason.clone(),
    })
}

/// Rules across lines, allowances and charges: BR-O-11 to 14, BR-B-01 and BR-B-02; for a content of our own also those about its
/// buyer and its delivery. Those of a received document are in [`received_document`](super::received_document).
pub(super) fn check_together(violations: &mut Violations, content: &Content, scope: &Scope<'_>) {
    let used = scope.category_usage;
    let rows = scope
        .document
        .map_or(&[][..], |document| &document.figures.tax_breakdown);
    let uses = |category: Category| {
        used.has(category) || rows.iter().any(|row| row.category == category.code())
    };
    let outside = if scope.is_own() {
        used.has(Category::OutsideScope) && used.has_another(Category::OutsideScope)
    } else {
        let code = Category::OutsideScope.code();
        rows.iter().any(|row| row.category == code)
    };
    if outside && scope.separates_outside_scope() {
        outside_and_taxed(violations, content, scope);
    }
    if uses(Category::SplitPayment) {
        split_payment(violations, content, scope, uses(Category::Standard));
    }
    if scope.is_own() {
        buyer_numbers(violations, content, used);
        if scope.separates_outside_scope() {
            representative_number(violations, content, used);
        }
        if used.has(Category::IntraCommunity) {
            intra_community(violations, content);
        }
    }
}

/// BR-AE-02 to 04 and BR-IC-02 to 04 for a content of our own: the numbers of the buyer. The organization has those of the seller.
fn buyer_numbers(violations: &mut Violations, content: &Content, used: CategoryUsage) {
    let buyer = &content.buyer;
    let has_vat = !buyer.tax_id.trim().is_empty();
    let is_registered = has_vat || !buyer.legal_id.value.trim().is_empty();
    for (category, fits, description) in [
        (
            Category::ReverseCharge,
            is_registered,
            "reverse charge needs the buyer's tax id or registration",
        ),
        (
            Category::IntraCommunity,
            has_vat,
            "a supply within the community needs the VAT number of the buyer",
        ),
    ] {
        let rules = used.party_rules(category).filter(|_| !fits);
        for rule in rules.filter_map(|rule| category.rule(rule)) {
            violations
                .add("buyer.taxId", rule, description)
                .with("category", category.code());
        }
    }
}

/// BR-O-02 to 04 for a content of our own: no VAT number of a tax representative. Those of seller and buyer are stated as other identifiers
/// in its file ([`Document::without_vat_numbers_outside_scope`](crate::Document::without_vat_numbers_outside_scope)).
fn representative_number(violations: &mut Violations, content: &Content, used: CategoryUsage) {
    let representative = content.tax_representative.as_ref();
    let category = Category::OutsideScope;
    let rules = used
        .party_rules(category)
        .filter(|_| representative.is_some_and(|one| !one.tax_id.trim().is_empty()));
    for rule in rules.filter_map(|rule| category.rule(rule)) {
        violations
            .add(
                "taxRepresentative.taxId",
                rule,
                "what is outside the scope of tax names no VAT number of a tax representative",
            )
            .with("category", category.code());
    }
}

/// BR-IC-11 and 12: date and country of an intra-community supply.
pub(super) fn intra_community(violations: &mut Violations, content: &Content) {
    let dated = !content.supply_date.is_empty()
        || content.period.is_some()
        || !content.tax_point_code.is_empty();
    if !dated {
        violations.add(
            "supplyDate",
            "BR-IC-11",
            "a supply within the community names its date or period",
        );
    }
    let country = content
        .delivery
        .as_ref()
        .map(|delivery| delivery.address.country.as_str());
    violations.required(
        "delivery.address.country",
        country.unwrap_or_default(),
        "BR-IC-12",
        "a supply within the community names the country that it went to",
    );
}

/// BR-B-01 and 02: split payment is for domestic Italian invoices, without standard-rated items.
fn split_payment(
    violations: &mut Violations,
    content: &Content,
    scope: &Scope<'_>,
    is_standard_too: bool,
) {
    let seller = scope
        .document
        .map(|document| document.seller.address.country.as_str());
    let representative = content.tax_representative.as_ref();
    let delivery = content.delivery.as_ref();
    let countries = [
        Some(content.buyer.address.country.as_str()),
        representative.map(|one| one.address.country.as_str()),
        delivery.map(|one| one.address.country.as_str()),
        seller,
    ];
    let origins = content
        .lines
        .iter()
        .map(|line| line.details.origin.as_str());
    let mut known = countries
        .into_iter()
        .flatten()
        .chain(origins)
        .filter(|country| !country.is_empty());
    let own_is_italian = !scope.is_own() || scope.seller_country == Some(Country::ITALY);
    if !own_is_italian || known.any(|country| country != Country::ITALY.code()) {
        violations.add(
            "lines",
            "BR-B-01",
            "split payment is for Italian invoices that stay in the country",
        );
    }
    if is_standard_too {
        violations.add(
            "lines",
            "BR-B-02",
            "split payment and the standard rate do not stand on one invoice",
        );
    }
}

/// BR-O-11 reports the items outside the scope in our own contents. BR-O-12 to 14 report the other items of a received document.
fn outside_and_taxed(violations: &mut Violations, content: &Content, scope: &Scope<'_>) {
    let lines = content.lines.iter().enumerate();
    let lines = lines.map(|(at, line)| (format!("lines[{at}]"), &line.tax, "BR-O-12"));
    let items = content.allowances_charges.iter().enumerate();
    let items = items.map(|(at, item)| {
        let rule = if item.is_charge { "BR-O-14" } else { "BR-O-13" };
        (format!("allowancesCharges[{at}]"), &item.tax, rule)
    });
    for (path, tax, rule) in lines.chain(items) {
        let is_outside = tax.category == Category::OutsideScope.code();
        let is_told = if scope.is_own() {
            is_outside
        } else {
            !is_outside && !tax.is_empty()
        };
        if is_told {
            violations.add(
                format_args!("{path}.tax.category"),
                if scope.is_own() { "BR-O-11" } else { rule },
                "what is outside the scope of tax stands on an invoice of its own",
            );
        }
    }
}

fn category(
    violations: &mut Violations,
    path: impl Display + Copy,
    tax: &content::Tax,
    place: Place,
    scope: &Scope<'_>,
) -> Option<Category> {
    let path = format_args!("{path}.category");
    if tax.category.is_empty() {
        let rule = match place {
            Place::Line => "BR-CO-04",
            Place::Document { is_charge: false } => "BR-32",
            Place::Document { is_charge: true } => "BR-37",
        };
        violations.add(path, rule, "a tax category is required");
        return None;
    }
    let category = Category::parse(&tax.category);
    if category.is_none() {
        let rule = match place {
            Place::Line if !scope.is_own() => "BR-CL-18",
            Place::Line | Place::Document { .. } => "BR-CL-17",
        };
        violations.add(
            path,
            rule,
            "is not one of the tax categories S, Z, E, O, AE, G, K, L, M, B",
        );
    }
    category
}

fn check_rate(
    violations: &mut Violations,
    path: impl Display + Copy,
    category: Category,
    rate: Option<Decimal>,
    place: Place,
    scope: &Scope<'_>,
) -> Option<Decimal> {
    let rule = category.rule(match place {
        Place::Line => CategoryRule::LineRate,
        Place::Document { is_charge: false } => CategoryRule::AllowanceRate,
        Place::Document { is_charge: true } => CategoryRule::ChargeRate,
    });
    let outside = rate.filter(|rate| *rate < Decimal::ZERO || *rate > Decimal::ONE_HUNDRED);
    if outside.is_some() {
        violations.add(path, "INV-RATE", "must lie between 0 and 100");
        // In a content of our own one violation of the field is enough.
        if scope.is_own() {
            return None;
        }
    }
    let stays_saudi_zero = |rate: Decimal| scope.is_saudi() && !scope.is_own() && rate.is_zero();
    let (fits, description) = match category.rate() {
        Rate::AboveZero => (
            rate.is_some_and(|rate| rate > Decimal::ZERO),
            "standard rated needs a rate above zero",
        ),
        Rate::Any => (
            rate.is_some_and(|rate| rate >= Decimal::ZERO),
            "this category needs a rate",
        ),
        // Saudi Arabia allows the rate zero.
        Rate::None => (
            rate.is_none_or(stays_saudi_zero),
            "outside the scope of tax there is no rate, not even zero",
        ),
        // A content of our own may omit it.
        Rate::Zero => (
            rate.map_or(scope.is_own(), |rate| rate.is_zero()),
            "this category has the rate zero",
        ),
    };
    match rule {
        Some(rule) if !fits => {
            violations
                .add(path, rule, description)
                .with("category", category.code());
        }
        _ => {}
    }
    if !fits || outside.is_some() {
        return None;
    }
    Some(rate.unwrap_or_default())
}

/// BR-CL-22: the exemption code is in the VATEX list, except in countries with national code lists.
pub(super) fn exemption_code(
    violations: &mut Violations,
    path: impl Display + Copy,
    code: &str,
    scope: &Scope<'_>,
) {
    if !scope.has_own_lists() && !code.is_empty() && !codes::is_exemption(code) {
        violations.add(
            format_args!("{path}.exemptionCode"),
            "BR-CL-22",
            "is not a code of CEF's list of exemptions (VATEX)",
        );
    }
}

/// BR-…-10: the exemption reason. In Saudi Arabia BR-KSA-23 and BR-KSA-24 are reported instead where it is missing: they name what is
/// needed there, the code.
pub(super) fn exemption(
    violations: &mut Violations,
    path: impl Display + Copy,
    category: Category,
    tax: &content::Tax,
    scope: &Scope<'_>,
) {
    let given = !tax.exemption_code.trim().is_empty() || !tax.exemption_reason.trim().is_empty();
    let at = if tax.exemption_code.is_empty() && given {
        "exemptionReason"
    } else {
        "exemptionCode"
    };
    let (fits, description) = match category.exemption(scope.seller_country) {
        Exemption::Required if scope.is_saudi() => (given, "this category needs an exemption code"),
        Exemption::Required => (given, "this category needs an exemption code or reason"),
        Exemption::Forbidden => (!given, "this category has no exemption reason"),
        Exemption::Allowed => (true, ""),
    };
    let is_missing = !fits && !given;
    let rule = if is_missing && scope.is_saudi() && category == Category::Exempt {
        Some("BR-KSA-23")
    } else if is_missing && scope.is_saudi() && category == Category::OutsideScope {
        Some("BR-KSA-24")
    } else {
        category.rule(CategoryRule::Exemption)
    };
    match rule {
        Some(rule) if !fits => {
            violations
                .add(format_args!("{path}.{at}"), rule, description)
                .with("category", category.code());
        }
        _ => {}
    }
}
