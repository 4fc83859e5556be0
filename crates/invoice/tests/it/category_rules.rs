//! Rules of tax categories and code lists for contents of our own: buyer, delivery and exemption reasons.

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
    reverse.buyer.tax_id = "1".into();
    assert_eq!(
        violations_of(&reverse),
        [at("lines[0].tax.category", "BR-KSA-18")]
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
