//! Totals and rules while somebody types, by the same crate that the service uses.

use invoice::{CheckContext, Content, Country, Currency};
use jiff::civil::Date;

use super::form::overlay;
use super::parse_numbers;
use crate::form_paths;
use crate::views::{Calculation, InvoiceContent, LineView, TaxRow, TotalsView, Violation};

/// A country whose rules are those of EN 16931 and nothing more.
const ELSEWHERE: &str = "AE";
/// For a content that names no currency yet: the form always names one.
const CURRENCY: &str = "SAR";

/// Checks and computes what was typed.
///
/// `seller` is where the organization is, if that is known. If not, only that is wrong here which is wrong in Saudi Arabia
/// and elsewhere, so that nothing is held back that the service would take. The service knows where its organizations are,
/// checks everything again, and has the last word.
pub(crate) fn calculate(
    content: &InvoiceContent,
    today: Date,
    seller: Option<Country>,
) -> Calculation {
    let (Some(elsewhere), Some(currency)) = (Country::parse(ELSEWHERE), Currency::parse(CURRENCY))
    else {
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
        let other = check(elsewhere).violations;
        checked.violations.retain(|found| other.contains(found));
    }
    let asked = violations.len();
    for violation in checked.violations {
        let field = form_paths::content_path(&violation.path).unwrap_or(violation.path);
        // Beside the question which number is meant, that there is none would only confuse.
        if violations[..asked]
            .iter()
            .all(|question| question.field != field)
        {
            violations.push(Violation {
                field,
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

    fn typed_line(quantity: &str, unit_price: &str) -> LineContent {
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
    fn what_is_wrong_only_where_the_seller_is_not_known_to_be_is_left_to_the_service() {
        let zero_rated = LineContent {
            tax_category: "Z".to_owned(),
            tax_rate: "0".to_owned(),
            exemption_code: "VATEX-SA-34-4".to_owned(),
            ..typed_line("1", "10")
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
                .any(|violation| violation.field == "lines[0].exemptionCode")
        };
        assert!(!wrong_at_the_code(Some("SA")));
        assert!(wrong_at_the_code(Some("AE")));
        assert!(!wrong_at_the_code(None), "it was assumed to be elsewhere");
    }

    #[test]
    fn totals_are_exact_to_the_cent() {
        let calculation = calculated(vec![typed_line("1", "1091.50")]);
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
    fn what_is_wrong_stands_at_the_fields_of_the_form() {
        let calculation = calculated(vec![typed_line("1", "10"), typed_line("two", "10")]);
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
                .any(|violation| violation.field == "lines[1].quantity"),
            "{:?}",
            calculation.violations
        );
    }
}
