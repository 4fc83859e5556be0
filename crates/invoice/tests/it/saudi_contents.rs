//! Rules of Saudi Arabia for contents of our own: reasons of charges, identifiers and postal code of the buyer, days of supply, files,
//! exchange rate, and the number of the seller.

use crate::fixtures::{content, line, violations_in, violations_of};
use invoice::content::{
    Address, AllowanceCharge, Attachment, Delivery, Identifier, SupportingDocument, Tax,
};
use invoice::rules::check_buyer_number;
use invoice::{Content, Country, Subtype};

fn at(path: &str, rule: &'static str) -> (String, &'static str) {
    (path.to_owned(), rule)
}

fn sold() -> Content {
    content(vec![line("1", "10", "S", "15")])
}

#[test]
fn reason_of_a_charge_has_a_code_and_a_text_in_saudi_arabia() {
    let charge = |code: &str, reason: &str, tax: Tax| AllowanceCharge {
        is_charge: true,
        amount: "1".into(),
        reason_code: code.into(),
        reason: reason.into(),
        tax,
        ..AllowanceCharge::default()
    };
    let of_line = |code: &str, reason: &str| {
        let mut content = sold();
        content.lines[0].allowances_charges = vec![charge(code, reason, Tax::default())];
        content
    };
    let of_document = |code: &str, reason: &str| {
        let mut content = sold();
        let tax = content.lines[0].tax.clone();
        content.allowances_charges = vec![charge(code, reason, tax)];
        content
    };
    let line = "lines[0].allowancesCharges[0]";
    let document = "allowancesCharges[0]";
    for (content, path, code, text) in [
        (of_line("", ""), line, Some("BR-KSA-20"), Some("BR-KSA-22")),
        (of_line("", "Freight"), line, Some("BR-KSA-20"), None),
        (of_line("FC", " "), line, None, Some("BR-KSA-22")),
        (of_line("FC", "Freight"), line, None, None),
        (
            of_document("", ""),
            document,
            Some("BR-KSA-19"),
            Some("BR-KSA-21"),
        ),
        (
            of_document("", "Freight"),
            document,
            Some("BR-KSA-19"),
            None,
        ),
        (of_document("FC", ""), document, None, Some("BR-KSA-21")),
        (of_document("FC", "Freight"), document, None, None),
    ] {
        let code = code.map(|rule| at(&format!("{path}.reasonCode"), rule));
        let text = text.map(|rule| at(&format!("{path}.reason"), rule));
        let expected: Vec<_> = code.into_iter().chain(text).collect();
        assert_eq!(violations_of(&content), expected, "{path}");
    }
    let reasonless = violations_in("AE", &of_line("", ""));
    assert_eq!(reasonless, [at(&format!("{line}.reason"), "BR-44")]);
    assert_eq!(violations_in("AE", &of_line("", "Freight")), []);
}

#[test]
fn identifier_of_a_buyer_has_the_form_of_its_scheme_in_saudi_arabia() {
    let with = |scheme: &str, value: &str| {
        let mut content = sold();
        content.buyer.other_ids = vec![Identifier {
            scheme: scheme.into(),
            value: value.into(),
        }];
        content
    };
    for (scheme, right, wrong, rule) in [
        ("TIN", "3101223935", "1101223935", "BR-KSA-F-07"),
        ("CRN", "1010010000", "101001000", "BR-KSA-F-08"),
        ("700", "7001234567", "1001234567", "BR-KSA-F-09"),
        ("NAT", "1012345678", "2012345678", "BR-KSA-F-10"),
        ("IQA", "2012345678", "20-2345678", "BR-KSA-F-11"),
    ] {
        assert_eq!(violations_of(&with(scheme, right)), [], "{scheme}");
        let found = violations_of(&with(scheme, wrong));
        assert_eq!(found, [at("buyer.otherIds[0].value", rule)]);
        assert_eq!(violations_in("AE", &with(scheme, wrong)), [], "{scheme}");
    }
    assert_eq!(violations_of(&with("OTH", "1")), [], "of any form");
    assert_eq!(
        violations_of(&with(" CRN", "1010010000")),
        [at("buyer.otherIds[0].scheme", "BR-KSA-F-12")]
    );
}

#[test]
fn identifier_of_a_buyer_has_a_scheme_of_saudi_arabia_and_letters_and_digits() {
    let with = |scheme: &str, value: &str| {
        let mut content = sold();
        let id = |scheme: &str, value: &str| Identifier {
            scheme: scheme.into(),
            value: value.into(),
        };
        content.buyer.other_ids = vec![id("CRN", "1010010000"), id(scheme, value)];
        content
    };
    for (scheme, value, field) in [
        ("0088", "7300010000001", Some("scheme")),
        ("", "4711", Some("scheme")),
        ("crn", "1010010000", Some("scheme")),
        ("OTH", "A-12", Some("value")),
        ("GCC", "77 12", Some("value")),
        ("MOM", "٤٧١١", Some("value")),
        ("OTH", "A12", None),
        ("PAS", "K00000001", None),
    ] {
        let path = field.map(|field| format!("buyer.otherIds[1].{field}"));
        let expected: Vec<_> = path.map(|path| (path, "BR-KSA-14")).into_iter().collect();
        let content = with(scheme, value);
        assert_eq!(violations_of(&content), expected, "{scheme} {value}");
        assert_eq!(violations_in("AE", &content), [], "{scheme} {value}");
    }
}

#[test]
fn postal_code_of_a_business_in_saudi_arabia_has_five_digits() {
    let with = |postal_code: &str, country: &str| {
        let mut content = sold();
        content.buyer.tax_id = "310122393500003".into();
        content.buyer.address = Address {
            postal_code: postal_code.into(),
            country: country.into(),
            ..Address::default()
        }
        .into();
        content
    };
    let wrong = [at("buyer.address.postalCode", "BR-KSA-67")];
    assert_eq!(violations_of(&with("12213", "SA")), []);
    assert_eq!(violations_of(&with("", "SA")), [], "a draft may lack it");
    assert_eq!(violations_of(&with("1221", "SA")), wrong);
    assert_eq!(violations_of(&with("SW1A", "GB")), []);
    let mut simplified = with("1221", "SA");
    simplified.subtype = Some(Subtype::Simplified);
    assert_eq!(violations_of(&simplified), []);
}

#[test]
fn last_day_of_supply_is_not_before_the_first() {
    let with = |first: &str, last: &str| {
        let mut content = sold();
        content.supply_date = first.into();
        content.delivery = Some(Delivery {
            latest_date: last.into(),
            ..Delivery::default()
        });
        content
    };
    let before = [at("delivery.latestDate", "BR-KSA-36")];
    assert_eq!(violations_of(&with("2026-11-02", "2026-11-01")), before);
    assert_eq!(violations_in("AE", &with("2026-11-02", "2026-11-01")), []);
    assert_eq!(violations_of(&with("2026-11-02", "2026-11-02")), []);
    assert_eq!(violations_of(&with("", "2026-11-02")), [], "a draft");
}

#[test]
fn telephone_of_a_buyer_may_be_written_in_groups() {
    let mut content = sold();
    content.buyer.contact.phone = "+966 11 200 0000".into();
    assert_eq!(violations_of(&content), []);
}

#[test]
fn attached_file_is_of_a_media_type_of_the_country() {
    let with = |mime: &str| {
        let mut content = sold();
        content.documents = vec![SupportingDocument {
            id: Identifier {
                value: "Drawing".into(),
                ..Identifier::default()
            },
            attachment: Some(Attachment {
                mime: mime.into(),
                ..Attachment::default()
            }),
            ..SupportingDocument::default()
        }];
        content
    };
    let path = "documents[0].attachment.mime";
    assert_eq!(violations_of(&with("application/dwg")), []);
    assert_eq!(
        violations_in("AE", &with("application/dwg")),
        [at(path, "BR-CL-24")]
    );
    assert_eq!(
        violations_of(&with("application/xml")),
        [at(path, "BR-KSA-CL-03")]
    );
}

#[test]
fn exchange_rate_of_one_makes_the_tax_in_riyals_the_same_amount() {
    let in_dollars = |price: &str, category: &str, rate: &str| {
        let mut content = content(vec![line("1", price, category, "15")]);
        content.currency = "USD".into();
        content.tax_currency = "SAR".into();
        content.exchange_rate = rate.into();
        content
    };
    let same = [at("exchangeRate", "BR-KSA-97")];
    assert_eq!(violations_of(&in_dollars("10", "S", "1.00")), same);
    assert_eq!(violations_in("AE", &in_dollars("10", "S", "1.00")), []);
    assert_eq!(violations_of(&in_dollars("10", "S", "3.75")), []);
    assert_eq!(
        violations_of(&in_dollars("1", "S", "1.02")),
        [],
        "0.15 is 0.15 again, because it is rounded"
    );
    let mut untaxed = in_dollars("10", "Z", "1");
    untaxed.lines[0].tax.rate = "0".into();
    untaxed.lines[0].tax.exemption_code = "VATEX-SA-32".into();
    assert_eq!(violations_of(&untaxed), [], "no tax is no tax");
}

#[test]
fn buyer_of_a_saudi_seller_has_another_vat_number_than_the_seller() {
    let number = "310122393500003";
    let check = |buyer, seller, country: &str| {
        let country = Country::parse(country).expect("a known code");
        let violation = check_buyer_number(buyer, seller, country);
        violation.map(|violation| (violation.path, violation.rule))
    };
    let same = at("buyer.taxId", "BR-CUSTOM-VALIDATION-01");
    assert_eq!(check(number, number, "SA"), Some(same));
    assert_eq!(check(number, "399999999900003", "SA"), None);
    assert_eq!(check("", "", "SA"), None);
    assert_eq!(check(number, number, "AE"), None);
}

#[test]
fn identifier_of_a_line_has_at_most_six_characters_in_saudi_arabia() {
    let mut content = sold();
    content.lines[0].id = "L-0001".into();
    assert_eq!(violations_of(&content), []);
    content.lines[0].id = "L-00001".into();
    assert_eq!(
        violations_of(&content),
        [at("lines[0].id", "BR-KSA-F-06")],
        "ZATCA rejects it"
    );
    assert_eq!(violations_in("AE", &content), []);
    // What it only warns of is not refused.
    content.lines[0].id.clear();
    content.lines[0].item_code = "x".repeat(128);
    assert_eq!(violations_of(&content), []);
}
