//! Amounts, rates and digits on the paper.

use crate::fixtures::documents::{saudi, swedish};
use crate::fixtures::rendered_pdf::{layout, print, print_as};
use invoice::pdf::{Digits, Languages};

#[test]
fn numbers_are_printed_in_the_requested_digits() {
    let mut layout = layout(Languages::Arabic);
    layout.digits = Digits::Arabic;
    let Some(text) = print_as(&saudi(), layout).text() else {
        return;
    };
    assert!(text.contains("١٬٢٥٥٫٢٣"), "{text}");
    assert!(text.contains('٪') && !text.contains('%'), "{text}");
    assert!(
        text.contains("310122393500003"),
        "a number that identifies stays as it is"
    );
}

#[test]
fn rates_and_categories_are_printed_in_the_language_of_the_paper() {
    let mut zero_rated = saudi();
    for line in &mut zero_rated.content.lines {
        "Z".clone_into(&mut line.tax.category);
        "0".clone_into(&mut line.tax.rate);
    }
    for row in &mut zero_rated.figures.tax_breakdown {
        "Z".clone_into(&mut row.category);
        "0".clone_into(&mut row.rate);
    }
    for (languages, taxed, category, rate) in [
        (Languages::English, "15 %", "Zero rate", "0 %"),
        (Languages::Both, "15 %", "Zero rate", "0 %"),
        (Languages::Arabic, "٪", "الصفرية", "٪"),
    ] {
        let (Some(text), Some(zero)) = (
            print(&saudi(), languages).text(),
            print(&zero_rated, languages).text(),
        ) else {
            return;
        };
        assert!(text.contains(taxed), "{languages:?}: {text}");
        assert!(
            zero.contains(category) && zero.contains(rate),
            "{languages:?}: {zero}"
        );
        assert!(!zero.contains("Z 0"), "no code: {zero}");
        let other = if languages == Languages::Arabic {
            '%'
        } else {
            '٪'
        };
        assert!(!text.contains(other) && !zero.contains(other), "{zero}");
    }
}

#[test]
fn amounts_are_printed_with_the_decimals_of_their_currency() {
    let mut document = swedish();
    document.figures.line_nets = vec!["1090".into()];
    document.figures.totals.payable = "1125.5".into();
    let Some(text) = print(&document, Languages::English).text() else {
        return;
    };
    assert!(
        text.contains("1,090.00") && text.contains("1,125.50"),
        "{text}"
    );
    document.content.currency = "JPY".into();
    let text = print(&document, Languages::English).text();
    let text = text.expect("the tool is there");
    assert!(
        text.contains("1,090\n") || text.contains("1,090 "),
        "{text}"
    );
}
