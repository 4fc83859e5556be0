//! Rules of Saudi Arabia (ZATCA, XML implementation standard) for documents of Saudi sellers. Contents of our own follow those about
//! exemption reasons, percentages, the sign of amounts, the order of days and the form of what names the buyer and the lines, and before
//! they are issued those about what the file needs and only a person knows ([`issue`]). The others are about terms that are added to a
//! file, or that only a file has. Rules that ZATCA only warns about are violations as well (decision 0174), except those about the length
//! of texts in contents of our own ([`lengths`]).
//!
//! BR-KSA-46, 50, 64 and 65 are of earlier versions of the standard: the validator 3.4.6 does not have them. Received documents are
//! checked by them nevertheless.

mod amounts;
mod identifiers;
pub(super) mod issue;
mod lengths;
mod parties;
pub(super) mod percentages;
pub(super) mod seller;

use std::collections::HashMap;
use std::fmt::Display;

use rust_decimal::{Decimal, RoundingStrategy};

use crate::calculation::{self, Calculation};
use crate::document::TaxRow;
use crate::tax::Category;
use crate::violation::Violations;
use crate::{
    Content, Currency, Document, Kind, Money, Subtype, TaxSubtotal, Totals, codes, decimal,
};

const SAME_TAX: &str = "in another currency than SAR the tax is another amount in SAR";

pub(super) fn check(violations: &mut Violations, document: &Document, calculation: &Calculation) {
    identification(violations, document);
    chain(violations, document);
    parties::seller(violations, document);
    parties::buyer(violations, document);
    supply(violations, document);
    for (index, row) in document.figures.tax_breakdown.iter().enumerate() {
        exemption(violations, format_args!("taxBreakdown[{index}]"), row);
    }
    lines(violations, &document.content, calculation);
    amounts::check_document(violations, document);
    lengths::check(violations, document);
}

/// Checks a content of our own.
pub(super) fn check_content(
    violations: &mut Violations,
    content: &Content,
    calculation: &Calculation,
) {
    let buyer = &content.buyer;
    identifiers::of_buyer(violations, &buyer.other_ids);
    lengths::line_ids(violations, content);
    if content.saudi_subtype() == Subtype::Standard && parties::is_saudi(&buyer.address) {
        parties::postal_code(violations, &buyer.address);
    }
    // Without a first day the last one is checked when the document is issued.
    if !content.supply_date.is_empty() {
        last_day(violations, content);
    }
    exemptions(violations, content, &calculation.tax_breakdown);
    amounts::check_content(violations, content, calculation);
    if let Some(totals) = &calculation.totals {
        rate_of_one(violations, content, totals);
    }
}

/// BR-KSA-97 for a content of our own: the tax is the same in another currency and in riyals because the exchange rate is one. That a
/// small tax is the same because it is rounded is no mistake, and nobody could mend it.
fn rate_of_one(violations: &mut Violations, content: &Content, totals: &Totals) {
    let is_one = decimal::parse(&content.exchange_rate) == Ok(Decimal::ONE);
    let in_riyals = totals.tax_in_tax_currency;
    if is_one && in_riyals.is_some_and(|in_riyals| is_same_tax(totals.tax, in_riyals)) {
        violations.add("exchangeRate", "BR-KSA-97", SAME_TAX);
    }
}

/// Whether the tax in another currency than the riyal is the same amount in riyals, and not zero.
fn is_same_tax(tax: Money, in_riyals: Money) -> bool {
    let cents = |money: Money| {
        let amount = money.amount();
        amount.round_dp_with_strategy(2, RoundingStrategy::MidpointAwayFromZero)
    };
    tax.currency() != Currency::SAUDI_RIYAL
        && in_riyals.currency() == Currency::SAUDI_RIYAL
        && tax.amount() > Decimal::ZERO
        && in_riyals.amount() > Decimal::ZERO
        && cents(tax) == cents(in_riyals)
}

/// Checks the exemption reasons of a content of our own as its file has them: each is reported at the line, allowance or charge that
/// the row of the breakdown has it from.
fn exemptions(violations: &mut Violations, content: &Content, breakdown: &[TaxSubtotal]) {
    let origins = origins(content);
    for subtotal in breakdown {
        let (code, reason) = (&subtotal.exemption_code, &subtotal.exemption_reason);
        let exempted = [subtotal.category.code(), code.as_str(), reason.as_str()];
        if let Some(path) = origins.get(&exempted) {
            let mut row = TaxRow::of(subtotal);
            row.add_saudi_reason();
            exemption(violations, path.as_str(), &row);
        }
    }
}

/// The path of the first tax with each category, exemption code and reason: collected once, because every line can have its own.
fn origins(content: &Content) -> HashMap<[&str; 3], String> {
    let lines = content.lines.iter().enumerate();
    let lines = lines.map(|(at, line)| (&line.tax, "lines", at));
    let items = content.allowances_charges.iter().enumerate();
    let items = items.map(|(at, item)| (&item.tax, "allowancesCharges", at));
    let mut origins = HashMap::new();
    for (tax, list, at) in lines.chain(items) {
        let exempted = [&tax.category, &tax.exemption_code, &tax.exemption_reason];
        origins
            .entry(exempted.map(String::as_str))
            .or_insert_with(|| format!("{list}[{at}].tax"));
    }
    origins
}

fn identification(violations: &mut Violations, document: &Document) {
    let content = &document.content;
    if document.process != "reporting:1.0" {
        violations.add(
            "process",
            "BR-KSA-EN16931-01",
            "the business process is reporting:1.0",
        );
    }
    let uuid = |letter: char| letter.is_ascii_alphanumeric() || letter == '-';
    if document.uuid.is_empty() || !document.uuid.chars().all(uuid) {
        violations.add(
            "uuid",
            "BR-KSA-03",
            "a unique identifier of letters, digits and dashes is required",
        );
    }
    if !matches!(document.type_code.as_str(), "388" | "381" | "383" | "386") {
        violations.add(
            "typeCode",
            "BR-KSA-05",
            "is not one of the type codes 388, 381, 383, 386",
        );
    }
    if content.subtype.is_none() {
        violations.add(
            "subtype",
            "BR-KSA-06",
            "the transaction code says whether the document is standard or simplified",
        );
    }
    let traits = document.traits;
    let simplified = content.subtype == Some(Subtype::Simplified);
    if simplified && traits.self_billed {
        violations.add(
            "traits",
            "BR-KSA-31",
            "a simplified document is not self-billed",
        );
    }
    if traits.export && traits.self_billed {
        violations.add("traits", "BR-KSA-07", "an export is not self-billed");
    }
    if traits.government {
        violations.required(
            "references.contract",
            &content.references.contract,
            "BR-KSA-92",
            "a supply to the government names its contract",
        );
    }
    if !is_time(&document.issue_time) {
        violations.add(
            "issueTime",
            "BR-KSA-70",
            "an issue time such as 14:40:40 is required",
        );
    }
    if content.tax_currency != Currency::SAUDI_RIYAL.code() {
        violations.add("taxCurrency", "BR-KSA-68", "the tax is declared in SAR");
    }
    if document.figures.totals.tax_in_tax_currency.is_empty() {
        violations.add(
            "totals.taxInTaxCurrency",
            "BR-KSA-EN16931-09",
            "one tax total without rows states the tax in SAR",
        );
    }
    same_tax_in_riyals(violations, document);
}

/// BR-KSA-97
fn same_tax_in_riyals(violations: &mut Violations, document: &Document) {
    let (content, totals) = (&document.content, &document.figures.totals);
    let money = |text: &str, currency: &str| {
        let currency = Currency::of_declared_amounts(currency);
        Money::exact(decimal::parse(text).ok()?, currency)
    };
    let tax = money(&totals.tax, &content.currency);
    let in_riyals = money(&totals.tax_in_tax_currency, &content.tax_currency);
    if let (Some(tax), Some(in_riyals)) = (tax, in_riyals)
        && !content.currency.is_empty()
        && is_same_tax(tax, in_riyals)
    {
        violations.add("totals.taxInTaxCurrency", "BR-KSA-97", SAME_TAX);
    }
}

/// BR-KSA-33 and 61: invoice counter and hash of the previous document.
fn chain(violations: &mut Violations, document: &Document) {
    let papers = &document.content.documents;
    let named = |name: &str| papers.iter().find(|paper| paper.id.value == name);
    let counter = named("ICV").map(|paper| paper.uuid.as_str());
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if !counter.is_some_and(digits) {
        violations.add(
            "documents",
            "BR-KSA-33",
            "the counter of documents (ICV) is required, in digits",
        );
    }
    if named("PIH")
        .and_then(|paper| paper.attachment.as_ref())
        .is_none()
    {
        violations.add(
            "documents",
            "BR-KSA-61",
            "the hash of the document before this one (PIH) is required",
        );
    }
}

fn supply(violations: &mut Violations, document: &Document) {
    let content = &document.content;
    let standard = content.subtype == Some(Subtype::Standard);
    if standard && content.kind == Kind::Invoice && content.supply_date.is_empty() {
        violations.add(
            "supplyDate",
            "BR-KSA-15",
            "a standard tax invoice names the date of supply",
        );
    }
    if content.subtype == Some(Subtype::Simplified) && document.traits.summary {
        for (path, date) in [
            ("supplyDate", content.supply_date.as_str()),
            ("delivery.latestDate", latest_date(content)),
        ] {
            violations.required(
                path,
                date,
                "BR-KSA-72",
                "a simplified summary invoice names the first and the last day of supply",
            );
        }
    }
    last_day(violations, content);
}

fn latest_date(content: &Content) -> &str {
    let delivery = content.delivery.as_ref();
    delivery.map_or("", |delivery| delivery.latest_date.as_str())
}

/// BR-KSA-35 and 36: the last day of supply has a first day, and is not before it.
fn last_day(violations: &mut Violations, content: &Content) {
    let latest = latest_date(content);
    if latest.is_empty() {
        return;
    }
    if content.supply_date.is_empty() {
        violations.add(
            "supplyDate",
            "BR-KSA-35",
            "a last day of supply needs the first",
        );
    } else if latest < content.supply_date.as_str() {
        // ISO 8601 dates compare as text.
        violations.add(
            "delivery.latestDate",
            "BR-KSA-36",
            "the last day of supply is not before the first",
        );
    }
}

/// BR-KSA-18, 23, 24 and 69: category and exemption reason of a breakdown row. That an exempt supply, or one outside the scope, has
/// neither code nor text is reported with the category ([`taxes::exemption`](super::taxes::exemption)).
fn exemption(violations: &mut Violations, path: impl Display + Copy, row: &TaxRow) {
    let Some(category) = Category::parse(&row.category) else {
        return;
    };
    let rule = match category {
        Category::Standard => return,
        Category::Exempt => "BR-KSA-23",
        Category::ZeroRated => "BR-KSA-69",
        Category::OutsideScope => "BR-KSA-24",
        Category::ReverseCharge
        | Category::Export
        | Category::IntraCommunity
        | Category::CanaryIslands
        | Category::CeutaMelilla
        | Category::SplitPayment => {
            violations.add(
                format_args!("{path}.category"),
                "BR-KSA-18",
                "is not one of the tax categories S, Z, E, O",
            );
            return;
        }
    };
    let no_code = row.exemption_code.trim().is_empty();
    let no_text = row.exemption_reason.trim().is_empty();
    if no_code && no_text && category != Category::ZeroRated {
        return;
    }
    let missing = if no_code {
        Some("exemptionCode")
    } else {
        no_text.then_some("exemptionReason")
    };
    if let Some(field) = missing {
        violations.add(
            format_args!("{path}.{field}"),
            rule,
            "the code and the text of the reason are required",
        );
    } else if !codes::is_saudi_exemption(category, &row.exemption_code) {
        violations.add(
            format_args!("{path}.exemptionCode"),
            "BR-KSA-CL-04",
            "is not a code of Saudi Arabia for this category",
        );
    }
}

/// BR-KSA-50 to 53: the tax amounts of each line.
fn lines(violations: &mut Violations, content: &Content, calculation: &Calculation) {
    let standard = content.subtype == Some(Subtype::Standard);
    for (index, line) in content.lines.iter().enumerate() {
        let path = format_args!("lines[{index}]");
        let amounts = line.details.tax_amounts.clone().unwrap_or_default();
        for (name, text, rule) in [
            ("tax", &amounts.tax, "BR-KSA-52"),
            ("gross", &amounts.gross, "BR-KSA-53"),
        ] {
            if standard {
                violations.required(
                    format_args!("{path}.taxAmounts.{name}"),
                    text,
                    rule,
                    "a line of a standard tax invoice states its tax and its amount with tax",
                );
            }
        }
        let Some(net) = calculation.lines.get(index).copied().flatten() else {
            continue;
        };
        let money = |text: &str| Money::exact(decimal::parse(text).ok()?, net.currency());
        let rate = if line.tax.rate.is_empty() {
            Ok(Decimal::ZERO)
        } else {
            decimal::parse(&line.tax.rate)
        };
        let computed = rate
            .ok()
            .and_then(|rate| calculation::line_tax(net, rate))
            .map(|amounts| amounts.tax);
        let tax = money(&amounts.tax);
        violations.compare_declared(
            format_args!("{path}.taxAmounts.tax"),
            "BR-KSA-50",
            tax,
            computed,
        );
        violations.compare_declared(
            format_args!("{path}.taxAmounts.gross"),
            "BR-KSA-51",
            money(&amounts.gross),
            tax.and_then(|tax| net.plus(tax)),
        );
    }
}

/// Whether the text is `HH:MM:SS`, with or without `Z`.
fn is_time(text: &str) -> bool {
    let text = text.strip_suffix('Z').unwrap_or(text);
    text.len() == 8 && text.parse::<jiff::civil::Time>().is_ok()
}
