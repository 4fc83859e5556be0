//! Properties of all contents.

use crate::fixtures::{check_content, content, line};
use invoice::content::{AllowanceCharge, Line, Tax};
use invoice::document::Figures;
use invoice::xml::Limits;
use invoice::{Content, Document, Kind, check_document, ubl};
use proptest::prelude::*;

fn any_line() -> impl Strategy<Value = Line> {
    let kinds = prop_oneof![
        Just(("S", "15")),
        Just(("S", "5")),
        Just(("Z", "0")),
        Just(("E", ""))
    ];
    (1_u32..100_000, 0_u8..4, 0_u32..10_000_000, 0_u8..5, kinds).prop_map(
        |(quantity, less, price, smaller, (category, rate))| {
            let number = |mantissa: u32, scale: u8| {
                rust_decimal::Decimal::new(i64::from(mantissa), u32::from(scale)).to_string()
            };
            let mut line = line(
                &number(quantity, less),
                &number(price, smaller),
                category,
                rate,
            );
            line.tax.exemption_code = match category {
                "E" => "VATEX-SA-29",
                "Z" => "VATEX-SA-32",
                _ => "",
            }
            .into();
            line
        },
    )
}

proptest! {
    #[test]
    fn order_of_lines_does_not_change_totals((lines, shuffled) in prop::collection::vec(any_line(), 1..12)
        .prop_flat_map(|lines| (Just(lines.clone()), Just(lines).prop_shuffle())))
    {
        let (one, other) = (check_content(&content(lines)), check_content(&content(shuffled)));
        prop_assert_eq!(one.violations, []);
        prop_assert_eq!(one.calculation.totals, other.calculation.totals);
        prop_assert_eq!(one.calculation.tax_breakdown, other.calculation.tax_breakdown);
    }

    #[test]
    fn totals_satisfy_the_sums_of_en_16931(lines in prop::collection::vec(any_line(), 1..12)) {
        let invoice = check_content(&content(lines)).invoice.expect("a valid content");
        let totals = &invoice.totals;
        let sum = |amounts: Vec<invoice::Money>| amounts.iter().map(|amount| amount.minor()).sum::<i64>();
        prop_assert_eq!(sum(invoice.lines.iter().map(|line| line.net).collect()), totals.lines.minor(), "BR-CO-10");
        prop_assert_eq!(sum(invoice.tax_breakdown.iter().map(|row| row.taxable).collect()), totals.net.minor(), "BR-CO-13");
        prop_assert_eq!(sum(invoice.tax_breakdown.iter().map(|row| row.tax).collect()), totals.tax.minor(), "BR-CO-14");
        prop_assert_eq!(totals.net.minor() + totals.tax.minor(), totals.gross.minor(), "BR-CO-15");
    }

    #[test]
    fn computed_content_is_a_valid_document_and_round_trips_through_ubl(lines in prop::collection::vec(any_line(), 1..12)) {
        let mut content = content(lines);
        content.issue_date = "2026-11-21".into();
        content.currency = "SAR".into();
        for (at, line) in content.lines.iter_mut().enumerate() {
            line.id = (at + 1).to_string();
            line.unit = "C62".into();
            // A received document declares the rate zero explicitly.
            if line.tax.rate.is_empty() {
                line.tax.rate = "0".into();
            }
        }
        let figures = Figures::of(&check_content(&content).calculation).expect("a valid content");
        let mut document = Document { type_code: "388".into(), content, figures, ..Document::default() };
        document.seller.address.country = "SA".into();
        let found = check_document(&document, crate::fixtures::rules().today).violations;
        let wrong: Vec<_> = found
            .iter()
            .filter(|one| ["totals.", "taxBreakdown", "lines["].iter().any(|figure| one.path.starts_with(figure)))
            .filter(|one| !one.rule.starts_with("BR-KSA"))
            .collect();
        prop_assert!(wrong.is_empty(), "{:?}", wrong);
        let written = ubl::write(&document).expect("UBL holds it");
        prop_assert_eq!(ubl::read(written.as_bytes(), Limits::default()).expect("it reads").document, document);
    }

    #[test]
    fn checking_arbitrary_text_never_panics(texts in prop::collection::vec(any::<String>(), 14), kind in 0_u8..3) {
        let _ = check_content(&strange(&texts, kind));
    }

    #[test]
    fn numbers_of_any_size_are_computed_or_reported(
        quantity in "-?[0-9]{1,19}(\\.[0-9]{1,12})?", price in "[0-9]{1,19}(\\.[0-9]{1,12})?", base in "[0-9]{0,6}", percent in "[0-9]{1,19}",
    ) {
        let mut content = content(vec![line(&quantity, &price, "S", "15")]);
        content.lines[0].price_base = base;
        content.lines[0].allowances_charges =
            vec![AllowanceCharge { base: price, percent, reason: "x".into(), ..AllowanceCharge::default() }];
        let checked = check_content(&content);
        prop_assert_eq!(checked.invoice.is_some(), checked.violations.is_empty());
    }
}

fn strange(texts: &[String], kind: u8) -> Content {
    let text = |at: usize| texts[at].clone();
    let tax = Tax {
        category: text(0),
        rate: text(1),
        exemption_code: text(2),
        exemption_reason: text(3),
    };
    let mut content = content(vec![Line {
        quantity: text(4),
        unit: text(5),
        unit_price: text(6),
        price_base: text(7),
        tax,
        ..Line::default()
    }]);
    content.kind = [Kind::Invoice, Kind::CreditNote, Kind::DebitNote][usize::from(kind)];
    content.currency = text(8);
    content.issue_date = text(9);
    content.due_date = text(10);
    content.exchange_rate = text(11);
    content.tax_currency = text(12);
    content.buyer.address.country = text(13);
    content
}
