//! Rules of tax categories and code lists for contents of our own: buyer, delivery, exemption reasons, units, signs, rates
//! and prices.

use crate::fixtures::{check_content, content, line, violations_in, violations_of};
use invoice::content::{Address, AllowanceCharge, Delivery, Identifier, Tax};
use invoice::document::Figures;
use invoice::{Content, Document};

fn at(path: &str, rule: &'static str) -> (String, &'static str) {
    (path.to_owned(), rule)
}

/// A line in a category with a reason in words.
fn of_category(category: &str) -> Content {
    let mut content = content(vec![line("1", "10", category, "")]);
    content.lines[0].tax.exemption_reason = "because".into();
    content
}

/// A charge in a category with a reason in words, beside a line that is taxed.
fn charge_of_category(category: &str) -> Content {
    let mut content = content(vec![line("1", "10", "S", "15")]);
    content.allowances_charges = vec![AllowanceCharge {
        is_charge: true,
        amount: "1".into(),
        reason: "freight".into(),
        reason_code: "FC".into(),
        tax: Tax {
            category: category.into(),
            exemption_reason: "because".into(),
            ..Tax::default()
        },
        ..AllowanceCharge::default()
    }];
    content
}

#[test]
fn reverse_charge_names_the_vat_number_or_the_registration_of_the_buyer() {
    for (mut content, rule) in [
        (of_category("AE"), "BR-AE-02"),
        (charge_of_category("AE"), "BR-AE-04"),
    ] {
        assert_eq!(violations_in("SE", &content), [at("buyer.taxId", rule)]);
        content.buyer.legal_id = Identifier {
            scheme: "0007".into(),
            value: "5566778899".into(),
        };
        assert_eq!(violations_in("SE", &content), [], "with a registration");
        content.buyer.legal_id = Identifier::default();
        content.buyer.tax_id = "SE556677889901".into();
        assert_eq!(violations_in("SE", &content), [], "with a VAT number");
    }
}

#[test]
fn supply_within_the_community_names_vat_number_date_and_country() {
    let mut supply = of_category("K");
    supply.buyer.legal_id.value = "12345678".into();
    assert_eq!(
        violations_in("SE", &supply),
        [
            at("buyer.taxId", "BR-IC-02"),
            at("supplyDate", "BR-IC-11"),
            at("delivery.address.country", "BR-IC-12"),
        ]
    );
    supply.buyer.tax_id = "DK12345678".into();
    supply.supply_date = "2026-11-01".into();
    supply.delivery = Some(Delivery {
        address: Address {
            country: "DK".into(),
            ..Address::default()
        }
        .into(),
        ..Delivery::default()
    });
    assert_eq!(violations_in("SE", &supply), []);
}

#[test]
fn untaxed_supply_in_saudi_arabia_has_a_code_of_its_category() {
    let mut zero = content(vec![line("1", "10", "Z", "0"), line("1", "10", "Z", "0")]);
    assert_eq!(
        violations_of(&zero),
        [at("lines[0].tax.exemptionCode", "BR-KSA-69")]
    );
    zero.lines[1].tax.exemption_code = "VATEX-SA-29".into();
    assert_eq!(
        violations_of(&zero),
        [at("lines[1].tax.exemptionCode", "BR-KSA-CL-04")]
    );
    zero.lines[1].tax.exemption_code = "VATEX-SA-32".into();
    assert_eq!(violations_of(&zero), [], "both lines have one row");

    let reasonless = charge_of_category("E");
    assert_eq!(
        violations_of(&reasonless),
        [at("allowancesCharges[0].tax.exemptionCode", "BR-KSA-23")]
    );
    let mut outside = content(vec![line("1", "10", "O", "")]);
    outside.lines[0].tax.exemption_code = "VATEX-SA-OOS".into();
    assert_eq!(
        violations_of(&outside),
        [at("lines[0].tax.exemptionReason", "BR-KSA-24")],
        "the list has no text for it"
    );
    outside.lines[0].tax.exemption_reason = "Salaries".into();
    assert_eq!(violations_of(&outside), []);

    let mut reverse = of_category("AE");
    reverse.buyer.tax_id = "310122393500003".into();
    assert_eq!(
        violations_of(&reverse),
        [at("lines[0].tax.category", "BR-KSA-18")]
    );
}

#[test]
fn missing_reason_is_reported_once_in_saudi_arabia() {
    for (category, rule) in [("E", "BR-KSA-23"), ("O", "BR-KSA-24")] {
        let mut content = content(vec![line("1", "10", category, "")]);
        let missing = at("lines[0].tax.exemptionCode", rule);
        assert_eq!(violations_of(&content), std::slice::from_ref(&missing));
        content.lines[0].quantity.clear();
        assert_eq!(
            violations_of(&content),
            [at("lines[0].quantity", "BR-22"), missing],
            "also without totals"
        );
    }
    let mut charge = charge_of_category("E");
    charge.allowances_charges[0].tax.exemption_reason.clear();
    assert_eq!(
        violations_of(&charge),
        [at("allowancesCharges[0].tax.exemptionCode", "BR-KSA-23")]
    );
}

#[test]
fn amounts_are_not_negative_in_saudi_arabia() {
    let allowance = |amount: &str, rate: &str| AllowanceCharge {
        amount: amount.into(),
        reason: "agreed".into(),
        tax: Tax {
            category: if rate.is_empty() { "" } else { "S" }.into(),
            rate: rate.into(),
            ..Tax::default()
        },
        ..AllowanceCharge::default()
    };
    let two_lines = || {
        content(vec![
            line("1", "100", "S", "15"),
            line("1", "10", "S", "15"),
        ])
    };

    let mut discount = two_lines();
    discount.lines[0].details.price_discount = "-1".into();
    let mut line_allowance = two_lines();
    line_allowance.lines[1].allowances_charges = vec![allowance("20", "")];
    let mut document_allowance = two_lines();
    document_allowance.allowances_charges = vec![allowance("10", "15"), allowance("10", "5")];
    for (content, path) in [
        (discount, "lines[0].priceDiscount"),
        // The tax of this line is -1.50.
        (line_allowance, "lines[1].allowancesCharges[0].amount"),
        // Nothing but an allowance has the rate of 5 %.
        (document_allowance, "allowancesCharges[1].amount"),
    ] {
        assert_eq!(violations_of(&content), [at(path, "BR-KSA-F-04")]);
        assert_eq!(violations_in("AE", &content), [], "{path}");
    }

    // Without tax a line may be negative, and the sum of its category may not.
    let mut zero_rated = line("1", "10", "Z", "0");
    zero_rated.tax.exemption_code = "VATEX-SA-32".into();
    let other = zero_rated.clone();
    zero_rated.allowances_charges = vec![allowance("20", "")];
    let taxed = line("1", "100", "S", "15");
    let mut untaxed = content(vec![taxed, zero_rated]);
    let path = "lines[1].allowancesCharges[0].amount";
    assert_eq!(violations_of(&untaxed), [at(path, "BR-KSA-F-04")]);
    untaxed.lines.push(other);
    assert_eq!(violations_of(&untaxed), []);
}

#[test]
fn buyer_of_a_saudi_seller_has_a_saudi_vat_number_or_another_identifier() {
    let mut foreign = content(vec![line("1", "10", "S", "15")]);
    foreign.buyer.address.country = "AE".into();
    foreign.buyer.tax_id = "100123456700003".into();
    assert_eq!(violations_in("AE", &foreign), []);
    assert_eq!(violations_of(&foreign), [at("buyer.taxId", "BR-KSA-44")]);
    let value = std::mem::take(&mut foreign.buyer.tax_id);
    foreign.buyer.other_ids = vec![Identifier {
        scheme: "OTH".into(),
        value,
    }];
    assert_eq!(violations_of(&foreign), []);
}

#[test]
fn standard_rate_of_a_saudi_seller_is_5_or_15_percent_with_two_decimals() {
    for (rate, rule) in [
        ("5", None),
        ("15", None),
        ("15.00", None),
        ("7", Some("BR-KSA-84")),
        ("15.5", Some("BR-KSA-84")),
        ("15.000", Some("BR-KSA-DEC-02")),
        ("7.125", Some("BR-KSA-DEC-02")),
    ] {
        let content = content(vec![line("1", "10", "S", rate)]);
        let rule = rule.map(|rule| at("lines[0].tax.rate", rule));
        let expected: Vec<_> = rule.into_iter().collect();
        assert_eq!(violations_of(&content), expected, "{rate}");
        assert_eq!(violations_in("SE", &content), [], "{rate}");
        let totals = check_content(&content).calculation.totals;
        assert!(totals.is_some(), "{rate}: the form goes on showing totals");
    }
}

#[test]
fn percentage_of_a_saudi_allowance_is_at_most_100_with_two_decimals() {
    let with = |is_charge: bool, percent: &str| {
        let mut content = content(vec![line("1", "10", "S", "15")]);
        content.lines[0].allowances_charges = vec![AllowanceCharge {
            is_charge,
            base: "1.00".into(),
            percent: percent.into(),
            reason: "agreed".into(),
            reason_code: if is_charge { "ZZZ" } else { "" }.into(),
            ..AllowanceCharge::default()
        }];
        content
    };
    let path = "lines[0].allowancesCharges[0].percent";
    let wrong = [at(path, "BR-KSA-DEC-01")];
    for percent in ["100.01", "12.345", "10.000"] {
        assert_eq!(violations_of(&with(false, percent)), wrong, "{percent}");
        assert_eq!(violations_of(&with(true, percent)), [], "{percent}");
        assert_eq!(violations_in("AE", &with(false, percent)), [], "{percent}");
    }
    for percent in ["0", "12.5", "100.00"] {
        assert_eq!(violations_of(&with(false, percent)), [], "{percent}");
    }
}

#[test]
fn unit_price_is_the_price_before_the_discount_less_the_discount() {
    let with = |gross_price: &str, price_discount: &str| {
        let mut content = content(vec![line("1", "10", "S", "15")]);
        let details = &mut content.lines[0].details;
        details.gross_price = gross_price.into();
        details.price_discount = price_discount.into();
        content
    };
    for (gross, discount) in [("12", "2.00"), ("12", ""), ("10", ""), ("", "2")] {
        assert_eq!(violations_of(&with(gross, discount)), [], "{gross}");
    }
    for (gross, discount) in [("12", "1"), ("9", "")] {
        for (country, rule) in [("SA", "BR-KSA-EN16931-07"), ("AE", "PEPPOL-EN16931-R046")] {
            let found = violations_in(country, &with(gross, discount));
            assert_eq!(found, [at("lines[0].priceDiscount", rule)], "{gross}");
        }
    }
    assert_eq!(
        violations_of(&with("-1", "2")),
        [at("lines[0].grossPrice", "BR-28")],
        "one violation is enough"
    );
}

#[test]
fn exchange_rate_of_a_saudi_seller_has_at_most_14_characters() {
    let mut euros = content(vec![line("1", "10", "S", "15")]);
    euros.currency = "EUR".into();
    euros.tax_currency = "SAR".into();
    euros.exchange_rate = "412.1234567890".into();
    assert_eq!(violations_of(&euros), []);
    euros.exchange_rate = "4123.1234567890".into();
    assert_eq!(violations_of(&euros), [at("exchangeRate", "BR-KSA-90")]);
    assert_eq!(violations_in("AE", &euros), []);
}

#[test]
fn unit_is_of_recommendation_20_or_a_package_with_an_x_before_its_code() {
    let with_unit = |unit: &str| {
        let mut content = content(vec![line("1", "10", "S", "15")]);
        content.lines[0].unit = unit.into();
        content
    };
    for unit in ["", "C62", "XBX", "XPK"] {
        assert_eq!(violations_in("SE", &with_unit(unit)), [], "{unit:?}");
    }
    for unit in ["BX", "PCE", "box"] {
        let unknown = [at("lines[0].unit", "BR-CL-23")];
        assert_eq!(violations_in("SE", &with_unit(unit)), unknown, "{unit}");
    }
    let mut price = with_unit("XBX");
    price.lines[0].details.price_base_unit = "BX".into();
    assert_eq!(
        violations_in("SE", &price),
        [
            at("lines[0].priceBaseUnit", "BR-CL-23"),
            at("lines[0].priceBaseUnit", "PEPPOL-EN16931-R130"),
        ]
    );
    assert_eq!(
        violations_of(&with_unit("PCE")),
        [],
        "Saudi Arabia has no list of units"
    );
}

#[test]
fn file_of_a_saudi_seller_has_the_text_of_an_exemption_code() {
    let mut content = content(vec![line("1", "10", "Z", "0")]);
    content.lines[0].tax.exemption_code = "VATEX-SA-32".into();
    let calculation = check_content(&content).calculation;
    let mut document = Document {
        content,
        figures: Figures::of(&calculation).expect("a valid content"),
        ..Document::default()
    };
    let reason = |document: &Document| {
        let written = document.clone().with_saudi_terms();
        written.figures.tax_breakdown[0].exemption_reason.clone()
    };
    assert_eq!(reason(&document), "", "of another seller");
    document.seller.address.country = "SA".into();
    assert_eq!(reason(&document), "Export of goods");
    document.figures.tax_breakdown[0].exemption_reason = "Dates for Oman".into();
    assert_eq!(reason(&document), "Dates for Oman");
}

#[test]
fn codes_are_of_their_lists_where_the_seller_has_no_national_ones() {
    let mut exempt = content(vec![line("1", "10", "E", "")]);
    exempt.lines[0].tax.exemption_code = "VATEX-XX".into();
    exempt.buyer.legal_id.scheme = "x".into();
    exempt.note = "#QQQ#".into();
    assert_eq!(
        violations_in("SE", &exempt),
        [
            at("buyer.legalId.scheme", "BR-CL-11"),
            at("note", "BR-CL-08"),
            at("lines[0].tax.exemptionCode", "BR-CL-22"),
        ]
    );
    assert_eq!(violations_in("AE", &exempt), []);
}
