//! Violations of contents by field and rule.

use crate::fixtures::{check_content, content, line, violations_in, violations_of};
use invoice::content::{
    Account, AllowanceCharge, Delivery, ItemAttribute, Party, PaymentMeans, Period, Reference, Text,
};
use invoice::{Content, Kind, Subtype};

fn at(path: &str, rule: &'static str) -> (String, &'static str) {
    (path.to_owned(), rule)
}

#[test]
fn empty_content_reports_all_violations_at_once() {
    assert_eq!(
        violations_of(&Content::default()),
        [at("buyer.name", "BR-07"), at("lines", "BR-16")]
    );
    let mut empty_line = content(vec![Default::default()]);
    empty_line.currency = "ZZZ".into();
    assert_eq!(
        violations_of(&empty_line),
        [
            at("currency", "BR-CL-04"),
            at("lines[0].description", "BR-25"),
            at("lines[0].quantity", "BR-22"),
            at("lines[0].unitPrice", "BR-26"),
            at("lines[0].tax.category", "BR-CO-04"),
        ]
    );
}

#[test]
fn each_category_requires_its_rate() {
    for (category, rate, rule) in [
        ("S", "0", Some("BR-S-05")),
        ("S", "", Some("BR-S-05")),
        ("S", "15", None),
        ("Z", "15", Some("BR-Z-05")),
        ("Z", "0", None),
        ("Z", "", None),
        ("E", "5", Some("BR-E-05")),
        ("AE", "5", Some("BR-AE-05")),
        ("G", "5", Some("BR-G-05")),
        ("O", "0", Some("BR-O-05")),
        ("O", "", None),
        ("S", "101", Some("INV-RATE")),
        ("S", "-5", Some("INV-RATE")),
        ("S", "5.00001", Some("INV-DIGITS")),
    ] {
        let mut content = content(vec![line("1", "10", category, rate)]);
        if !matches!(category, "S" | "Z") {
            content.lines[0].tax.exemption_code = "VATEX-SA-29".into();
        }
        content.buyer.tax_id = "1".into();
        let expected: Vec<_> = rule
            .into_iter()
            .map(|rule| at("lines[0].tax.rate", rule))
            .collect();
        let found = violations_in("AE", &content);
        assert_eq!(found, expected, "{category} at {rate:?}");
    }
    assert_eq!(
        violations_of(&content(vec![line("1", "10", "X", "5")])),
        [at("lines[0].tax.category", "BR-CL-17")]
    );
}

#[test]
fn exemption_requires_a_reason_and_taxed_supply_forbids_it() {
    for (category, rule) in [
        ("E", "BR-E-10"),
        ("G", "BR-G-10"),
        ("O", "BR-O-10"),
        ("AE", "BR-AE-10"),
    ] {
        let mut content = content(vec![line("1", "10", category, "")]);
        content.buyer.tax_id = "1".into();
        assert_eq!(
            violations_in("AE", &content),
            [at("lines[0].tax.exemptionCode", rule)],
            "{category}"
        );
        content.lines[0].tax.exemption_reason = "because".into();
        let found = violations_in("AE", &content);
        assert_eq!(found, [], "{category} with a reason");
    }
    let mut standard = content(vec![line("1", "10", "S", "15")]);
    standard.lines[0].tax.exemption_code = "VATEX-SA-29".into();
    assert_eq!(
        violations_of(&standard),
        [at("lines[0].tax.exemptionCode", "BR-S-10")]
    );
}

#[test]
fn zero_rated_supply_has_a_reason_in_saudi_arabia_only() {
    let mut zero = content(vec![line("1", "10", "Z", "0")]);
    zero.lines[0].tax.exemption_code = "VATEX-SA-32".into();
    assert_eq!(violations_of(&zero), []);
    assert_eq!(
        violations_in("AE", &zero),
        [at("lines[0].tax.exemptionCode", "BR-Z-10")]
    );
}

#[test]
fn outside_scope_excludes_other_categories() {
    let mut mixed = content(vec![line("1", "10", "O", ""), line("1", "10", "S", "15")]);
    mixed.lines[0].tax.exemption_reason = "salary".into();
    assert_eq!(
        violations_in("AE", &mixed),
        [at("lines[0].tax.category", "BR-O-11")]
    );
    mixed.lines[0].tax.exemption_code = "VATEX-SA-OOS".into();
    assert_eq!(
        violations_of(&mixed),
        [],
        "Saudi Arabia has both on one invoice"
    );
}

#[test]
fn dates_are_iso_8601_and_in_order() {
    let mut dates = content(vec![line("1", "10", "S", "15")]);
    dates.issue_date = "2026-11-20".into();
    dates.due_date = "2026-11-19".into();
    dates.period = Some(Period {
        start: "2026-10-31".into(),
        end: "2026-10-01".into(),
    });
    assert_eq!(
        violations_of(&dates),
        [at("dueDate", "INV-DUE-DATE"), at("period.end", "BR-29")]
    );
    for text in [
        "20261120",
        "2026-02-30",
        "2026-1-1",
        "20-11-2026",
        "0001-01-01",
        "٢٠٢٦-١١-٢٠",
        "2026-11-20T00:00",
    ] {
        dates = content(vec![line("1", "10", "S", "15")]);
        dates.issue_date = text.into();
        assert_eq!(
            violations_of(&dates),
            [at("issueDate", "INV-DATE")],
            "{text}"
        );
    }
    dates.issue_date = "2026-11-22".into();
    assert_eq!(
        violations_of(&dates),
        [at("issueDate", "INV-ISSUE-DATE-FUTURE")]
    );
}

#[test]
fn missing_date_and_currency_default_to_today_and_the_organization_currency() {
    let invoice = check_content(&content(vec![line("1", "10", "S", "15")]))
        .invoice
        .expect("valid");
    assert_eq!(
        (invoice.issue_date.to_string(), invoice.currency.code()),
        ("2026-11-21".into(), "SAR")
    );
    assert_eq!(
        (invoice.lines[0].id.as_str(), invoice.lines[0].unit.as_str()),
        ("1", "C62")
    );
}

#[test]
fn credit_note_requires_a_reference_and_a_reason() {
    let mut note = content(vec![line("1", "10", "S", "15")]);
    note.kind = Kind::CreditNote;
    assert_eq!(
        violations_of(&note),
        [at("preceding", "BR-KSA-56"), at("reason", "BR-KSA-17")]
    );
    note.preceding.push(Reference::default());
    note.reason = "returned".into();
    assert_eq!(violations_of(&note), [at("preceding[0].number", "BR-55")]);
    note.preceding[0].number = "INV-2026-0001".into();
    assert_eq!(violations_of(&note), []);
}

#[test]
fn buyer_without_a_name_is_valid_in_a_simplified_invoice_only() {
    let mut unnamed = content(vec![line("1", "10", "S", "15")]);
    unnamed.buyer = Party::default();
    assert_eq!(violations_of(&unnamed), [at("buyer.name", "BR-07")]);
    unnamed.subtype = Some(Subtype::Simplified);
    assert_eq!(violations_of(&unnamed), []);
    unnamed.subtype = None;
    unnamed.buyer.name = Text {
        ar: "نورة".into(),
        en: String::new(),
    };
    assert_eq!(violations_of(&unnamed), [], "one language is enough");
}

#[test]
fn address_requires_a_country_and_saudi_buyer_a_saudi_vat_number() {
    let mut addressed = content(vec![line("1", "10", "S", "15")]);
    addressed.buyer.address.city = "Riyadh".into();
    assert_eq!(
        violations_of(&addressed),
        [at("buyer.address.country", "BR-11")]
    );
    addressed.buyer.address.country = "ZZ".into();
    assert_eq!(
        violations_of(&addressed),
        [at("buyer.address.country", "BR-CL-14")]
    );
    addressed.buyer.address.country = "SA".into();
    addressed.buyer.tax_id = "123".into();
    assert_eq!(violations_of(&addressed), [at("buyer.taxId", "BR-KSA-44")]);
    addressed.buyer.tax_id = "310122393500003".into();
    assert_eq!(violations_of(&addressed), []);
}

#[test]
fn zero_quantity_and_negative_price_are_reported() {
    assert_eq!(
        violations_of(&content(vec![line("0.00", "10", "S", "15")])),
        [at("lines[0].quantity", "INV-QUANTITY-ZERO")]
    );
    assert_eq!(
        violations_of(&content(vec![line("1", "-10", "S", "15")])),
        [
            at("lines[0].unitPrice", "BR-27"),
            at("lines", "INV-NEGATIVE")
        ]
    );
    let back = content(vec![
        line("5", "10", "S", "15"),
        line("-1", "10", "S", "15"),
    ]);
    assert_eq!(
        violations_in("AE", &back),
        [],
        "a negative quantity takes something back on the same invoice"
    );
    assert_eq!(
        violations_of(&back),
        [at("lines[1].quantity", "BR-KSA-F-04")],
        "in Saudi Arabia a credit note does"
    );
}

#[test]
fn quantity_that_a_price_is_for_has_the_unit_of_the_line() {
    let with = |unit: &str, unit_of_price: &str| {
        let mut content = content(vec![line("250", "20", "S", "15")]);
        content.lines[0].unit = unit.into();
        content.lines[0].price_base = "1000".into();
        content.lines[0].details.price_base_unit = unit_of_price.into();
        content
    };
    let other = [at("lines[0].priceBaseUnit", "PEPPOL-EN16931-R130")];
    for (unit, unit_of_price) in [("GRM", "GRM"), ("GRM", ""), ("", "C62"), ("C62", "C62")] {
        let found = violations_of(&with(unit, unit_of_price));
        assert_eq!(found, [], "{unit:?} and {unit_of_price:?}");
    }
    for (unit, unit_of_price) in [("GRM", "KGM"), ("", "KGM")] {
        for country in ["SA", "SE"] {
            let found = violations_in(country, &with(unit, unit_of_price));
            assert_eq!(found, other, "{unit:?} and {unit_of_price:?} in {country}");
        }
    }
}

#[test]
fn allowance_requires_amount_or_percentage_and_a_reason() {
    let mut both = content(vec![line("1", "10", "S", "15")]);
    both.lines[0].allowances_charges = vec![AllowanceCharge {
        amount: "1".into(),
        percent: "10".into(),
        ..AllowanceCharge::default()
    }];
    assert_eq!(
        violations_of(&both),
        [
            at(
                "lines[0].allowancesCharges[0].amount",
                "INV-AMOUNT-OR-PERCENT"
            ),
            at("lines[0].allowancesCharges[0].reason", "BR-42")
        ]
    );
    let mut document = content(vec![line("1", "10", "S", "15")]);
    document.allowances_charges = vec![AllowanceCharge {
        is_charge: true,
        amount: "0.001".into(),
        ..AllowanceCharge::default()
    }];
    assert_eq!(
        violations_in("AE", &document),
        [
            at("allowancesCharges[0].amount", "BR-DEC-05"),
            at("allowancesCharges[0].reason", "BR-38"),
            at("allowancesCharges[0].tax.category", "BR-37"),
        ]
    );
}

#[test]
fn duplicate_line_identifiers_are_reported() {
    let mut twice = content(vec![line("1", "10", "S", "15"), line("1", "10", "S", "15")]);
    twice.lines[0].id = "2".into();
    assert_eq!(
        violations_of(&twice),
        [at("lines[1].id", "INV-LINE-ID")],
        "the second is numbered 2 by its place"
    );
}

#[test]
fn texts_of_references_and_details_are_limited() {
    let bad = "a\u{0}";
    let mut content = content(vec![line("1", "10", "S", "15")]);
    content.references.buyer = bad.into();
    content.references.invoiced_object.value = "b".repeat(257);
    content.buyer.trading_name.en = bad.into();
    content.buyer.address.third_line = bad.into();
    content.buyer.address.country = "AE".into();
    content.payment = vec![PaymentMeans {
        code: "30".into(),
        remittance: bad.into(),
        account: Some(Account {
            id: bad.into(),
            ..Account::default()
        }),
        ..PaymentMeans::default()
    }];
    content.delivery = Some(Delivery {
        party: Text {
            en: bad.into(),
            ..Text::default()
        },
        ..Delivery::default()
    });
    content.lines[0].details.attributes = vec![ItemAttribute {
        name: bad.into(),
        value: "x".into(),
    }];
    let found: Vec<_> = violations_of(&content)
        .into_iter()
        .map(|(path, rule)| {
            assert_eq!(rule, "INV-TEXT", "{path}");
            path
        })
        .collect();
    assert_eq!(
        found,
        [
            "references.buyer",
            "references.invoicedObject.value",
            "delivery.party.en",
            "payment[0].remittance",
            "payment[0].account.id",
            "buyer.tradingName.en",
            "buyer.address.thirdLine",
            "lines[0].attributes[0].name",
        ]
    );
}

#[test]
fn texts_that_are_too_long_or_unprintable_are_reported() {
    let mut long = content(vec![line("1", "10", "S", "15")]);
    long.note = "x".repeat(4001);
    long.purchase_order = "a\u{0}b".into();
    long.payment_terms = "one\ntwo".into();
    assert_eq!(
        violations_of(&long),
        [at("note", "INV-TEXT"), at("purchaseOrder", "INV-TEXT")]
    );
    let mut unwritable = content(vec![line("1", "10", "S", "15")]);
    for text in ["a\u{fffe}", "\u{ffff}"] {
        unwritable.purchase_order = text.into();
        assert_eq!(
            violations_of(&unwritable),
            [at("purchaseOrder", "INV-TEXT")],
            "XML cannot hold {text:?}"
        );
    }
}
