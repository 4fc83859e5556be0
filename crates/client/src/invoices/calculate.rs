//! Totals and violations while the user types, computed by the library that the service uses.

use invoice::{CheckContext, Content, Country, Currency};
use jiff::civil::Date;

use super::overlay::overlay;
use super::parse_numbers;
use crate::form_paths;
use crate::views::{Calculation, InvoiceContent, LineView, TaxRow, TotalsView, Violation};

/// A country with the rules of EN 16931 only.
const OTHER_COUNTRY: &str = "AE";
/// Of a content without a currency. The form always has one.
const DEFAULT_CURRENCY: &str = "SAR";

/// Checks a content and computes its totals.
///
/// `seller` is the organization's country, if it is known. If not, a violation counts only if it is one both in Saudi Arabia
/// and in other countries, so that no content is refused that the service would accept. The service knows the country and
/// checks everything again.
pub(crate) fn calculate(
    content: &InvoiceContent,
    today: Date,
    seller: Option<Country>,
) -> Calculation {
    let (Some(other_country), Some(currency)) = (
        Country::parse(OTHER_COUNTRY),
        Currency::parse(DEFAULT_CURRENCY),
    ) else {
        unreachable!("both are codes of their lists")
    };
    let (parsed, mut violations) = parse_numbers(content);
    let content = overlay(Content::default(), &parsed);
    let check = |seller_country| {
        let rules = CheckContext {
            today,
            seller_country,
            currency,
        };
        invoice::check(&content, &rules)
    };
    let mut checked = check(seller.unwrap_or(Country::SAUDI_ARABIA));
    if seller.is_none() {
        let other = check(other_country).violations;
        checked.violations.retain(|found| other.contains(found));
    }
    let ambiguous = violations.len();
    for violation in checked.violations {
        let field = form_paths::content_path(&violation.path);
        // A number with two readings is absent from the content: that it is missing is not a second violation.
        if violations[..ambiguous]
            .iter()
            .all(|ambiguous| ambiguous.field != field)
        {
            violations.push(Violation {
                field,
                path: violation.path,
                rule: violation.rule.to_owned(),
                description: violation.description,
            });
        }
    }
    let calculation = checked.calculation;
    Calculation {
        lines: calculation
            .lines
            .iter()
            .map(|net| LineView {
                net: net.map(|net| net.to_string()).unwrap_or_default(),
            })
            .collect(),
        tax_breakdown: calculation
            .tax_breakdown
            .iter()
            .map(|row| TaxRow {
                category: row.category.code().to_owned(),
                rate: invoice::decimal::print(row.rate),
                taxable: row.taxable.to_string(),
                tax: row.tax.to_string(),
            })
            .collect(),
        totals: calculation.totals.map(|totals| TotalsView {
            net: totals.net.to_string(),
            tax: totals.tax.to_string(),
            gross: totals.gross.to_string(),
            payable: totals.payable.to_string(),
        }),
        violations,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::views::{LineContent, LocalizedText};

    fn standard_line(quantity: &str, unit_price: &str) -> LineContent {
        LineContent {
            description: LocalizedText {
                ar: "خدمة".to_owned(),
                en: "Service".to_owned(),
            },
            quantity: quantity.to_owned(),
            unit: "C62".to_owned(),
            unit_price: unit_price.to_owned(),
            tax_category: "S".to_owned(),
            tax_rate: "15".to_owned(),
            exemption_code: String::new(),
            ..LineContent::default()
        }
    }

    fn calculated(lines: Vec<LineContent>) -> Calculation {
        let content = InvoiceContent {
            currency: "SAR".to_owned(),
            lines,
            ..InvoiceContent::default()
        };
        calculate(&content, jiff::civil::date(2026, 11, 21), None)
    }

    #[test]
    fn content_with_a_tax_currency_and_without_its_rate_has_totals() {
        let mut content = InvoiceContent {
            currency: "USD".to_owned(),
            lines: vec![standard_line("2", "10")],
            ..InvoiceContent::default()
        };
        content.details.tax_currency = "SAR".to_owned();
        let calculation = calculate(&content, jiff::civil::date(2026, 11, 21), None);
        let totals = calculation.totals.expect("they do not depend on the rate");
        assert_eq!(totals.gross, "23.00");
        let mut violations = calculation.violations.iter();
        assert!(violations.any(|violation| violation.rule == "INV-EXCHANGE-RATE"));
    }

    #[test]
    fn violation_of_one_country_is_left_out_while_the_sellers_country_is_unknown() {
        let zero_rated = LineContent {
            tax_category: "Z".to_owned(),
            tax_rate: "0".to_owned(),
            exemption_code: "VATEX-SA-34-4".to_owned(),
            ..standard_line("1", "10")
        };
        let content = InvoiceContent {
            currency: "SAR".to_owned(),
            lines: vec![zero_rated],
            ..InvoiceContent::default()
        };
        let wrong_at_the_code = |seller: Option<&str>| {
            let seller = seller.map(|code| Country::parse(code).expect("a country"));
            let calculation = calculate(&content, jiff::civil::date(2026, 11, 21), seller);
            calculation
                .violations
                .iter()
                .any(|violation| violation.field.as_deref() == Some("lines[0].exemptionCode"))
        };
        assert!(!wrong_at_the_code(Some("SA")));
        assert!(wrong_at_the_code(Some("AE")));
        assert!(!wrong_at_the_code(None), "it was assumed to be elsewhere");
    }

    #[test]
    fn totals_are_rounded_to_the_minor_unit() {
        let calculation = calculated(vec![standard_line("1", "1091.50")]);
        let totals = calculation.totals.expect("all numbers are there");
        assert_eq!(
            (
                totals.net.as_str(),
                totals.tax.as_str(),
                totals.gross.as_str()
            ),
            ("1091.50", "163.73", "1255.23")
        );
    }

    #[test]
    fn violations_have_the_paths_of_the_form() {
        let calculation = calculated(vec![standard_line("1", "10"), standard_line("two", "10")]);
        assert_eq!(calculation.totals, None);
        assert_eq!(
            calculation
                .lines
                .iter()
                .map(|line| line.net.as_str())
                .collect::<Vec<_>>(),
            ["10.00", ""]
        );
        assert!(
            calculation
                .violations
                .iter()
                .any(|violation| violation.field.as_deref() == Some("lines[1].quantity")),
            "{:?}",
            calculation.violations
        );
    }
}
