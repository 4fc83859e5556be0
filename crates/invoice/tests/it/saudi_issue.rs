//! What a document of a Saudi seller needs when it is issued, and a draft may lack, and the day of supply that is added to its file.

use crate::fixtures::documents::saudi;
use crate::fixtures::{content, document_violations, line, violations_of};
use invoice::content::{Address, Delivery, Identifier, Party, PresenceTracked, Text};
use invoice::rules::{check_issue, check_seller_form, has_registration_numbers};
use invoice::xml::Limits;
use invoice::{Content, Document, Kind, Subtype, Violation, ubl};

/// The violations of a content that is about to be issued by a seller in this country, as `path rule`.
fn issued_in(country: &str, content: &Content) -> Vec<String> {
    let mut seller = registered();
    seller.address.country = country.into();
    issued_by(&seller, content)
}

/// The same of this seller.
fn issued_by(seller: &Party, content: &Content) -> Vec<String> {
    listed(check_issue(content, seller))
}

fn listed(violations: Vec<Violation>) -> Vec<String> {
    let violations = violations.into_iter();
    violations
        .map(|violation| format!("{} {}", violation.path, violation.rule))
        .collect()
}

/// The same of a Saudi seller, whose draft is valid.
fn issued(content: &Content) -> Vec<String> {
    assert_eq!(violations_of(content), [], "the draft is valid");
    issued_in("SA", content)
}

/// An invoice to a business in Riyadh.
fn to_a_business() -> Content {
    let mut content = content(vec![line("1", "10", "S", "15")]);
    content.currency = "SAR".into();
    content.buyer.tax_id = "310122393500003".into();
    content.buyer.address = riyadh().into();
    content
}

/// A complete address.
fn riyadh() -> Address {
    Address {
        building: "7421".into(),
        street: "King Fahd Road".into(),
        district: "Al Olaya".into(),
        city: "Riyadh".into(),
        postal_code: "12213".into(),
        country: "SA".into(),
        ..Address::default()
    }
}

/// A seller with all that Saudi Arabia requires of one.
fn registered() -> Party {
    Party {
        address: riyadh().into(),
        other_ids: vec![identifier("CRN", "1010175397")],
        ..Party::default()
    }
}

fn identifier(scheme: &str, value: &str) -> Identifier {
    Identifier {
        scheme: scheme.into(),
        value: value.into(),
    }
}

/// A change of a content, and the violations that it leads to.
type Case<'a> = (fn(&mut Content), &'a [&'a str]);

/// Checks the violations of the invoice to a business after each change.
fn assert_issued(cases: &[Case<'_>]) {
    for (at, (change, expected)) in cases.iter().enumerate() {
        let mut content = to_a_business();
        change(&mut content);
        assert_eq!(issued(&content), *expected, "case {at}");
    }
}

#[test]
fn business_has_an_address_and_an_identifier() {
    assert_issued(&[
        (|_| {}, &[]),
        (
            |it| it.buyer.address.district.clear(),
            &["buyer.address BR-KSA-63"],
        ),
        (
            |it| it.buyer.address.city.clear(),
            &["buyer.address BR-KSA-63"],
        ),
        (
            |it| it.buyer.address = PresenceTracked::default(),
            &["buyer.address BR-KSA-10"],
        ),
        // Less is asked for of an address elsewhere.
        (
            |it| {
                it.buyer.address.country = "DE".into();
                it.buyer.address.district.clear();
            },
            &[],
        ),
        (
            |it| {
                it.buyer.address.country = "DE".into();
                it.buyer.address.street.clear();
            },
            &["buyer.address BR-KSA-10"],
        ),
        (
            |it| {
                it.subtype = Some(Subtype::Standard);
                it.buyer.tax_id.clear();
            },
            &["buyer.otherIds BR-KSA-81"],
        ),
        // A simplified document has any part of an address, or none.
        (
            |it| {
                it.buyer.tax_id.clear();
                it.buyer.address.street.clear();
            },
            &[],
        ),
    ]);
    let mut bare = to_a_business();
    bare.buyer.address = PresenceTracked::default();
    assert_eq!(issued_in("AE", &bare), [""; 0], "of another seller");
}

#[test]
fn seller_has_a_complete_saudi_address() {
    let at = |change: fn(&mut Address)| {
        let mut seller = registered();
        change(&mut seller.address);
        issued_by(&seller, &to_a_business())
    };
    assert_eq!(at(|_| {}), [""; 0]);
    assert_eq!(at(|it| it.district.clear()), ["seller.address BR-KSA-09"]);
    assert_eq!(
        at(|it| it.building.clear()),
        ["seller.address BR-KSA-09"],
        "what is missing has no form"
    );
    assert_eq!(
        at(|it| {
            it.building = "742".into();
            it.postal_code = "1221".into();
        }),
        [
            "seller.address.building BR-KSA-37",
            "seller.address.postalCode BR-KSA-66"
        ]
    );
    assert_eq!(
        at(|it| {
            it.country = "AE".into();
            it.building = "14".into();
            it.postal_code.clear();
        }),
        [""; 0],
        "of another seller"
    );
}

#[test]
fn saudi_seller_has_exactly_one_registration_number() {
    let with = |ids: &[(&str, &str)]| {
        let mut seller = registered();
        seller.other_ids = ids.iter().map(|(of, it)| identifier(of, it)).collect();
        issued_by(&seller, &to_a_business())
    };
    let missing = ["seller.otherIds BR-KSA-08"];
    for ids in [
        [("CRN", "1010175397")],
        [("MOM", "A12")],
        [("700", "7001234560")],
    ] {
        assert_eq!(with(&ids), [""; 0], "{ids:?}");
    }
    assert_eq!(with(&[]), missing);
    assert_eq!(with(&[("NAT", "1010175397")]), missing, "of a person");
    assert_eq!(with(&[("OTH", "12 34")]), missing);
    assert_eq!(with(&[("CRN", "1010175397"), ("MOM", "12")]), missing);
    assert_eq!(
        with(&[("CRN", "101017539")]),
        ["seller.otherIds[0].value BR-KSA-F-08"]
    );
    let mut elsewhere = registered();
    elsewhere.other_ids.clear();
    elsewhere.address.country = "AE".into();
    assert_eq!(issued_by(&elsewhere, &to_a_business()), [""; 0]);
}

#[test]
fn form_of_a_seller_is_checked_where_something_is_given() {
    let form = |change: fn(&mut Party)| {
        let mut seller = registered();
        change(&mut seller);
        listed(check_seller_form(&seller))
    };
    assert_eq!(form(|_| {}), [""; 0]);
    assert_eq!(
        form(|it| {
            it.other_ids.clear();
            it.address = PresenceTracked::default();
            it.address.country = "SA".into();
        }),
        [""; 0],
        "nothing is given"
    );
    assert_eq!(
        form(|it| {
            it.address.building = "1".into();
            it.address.postal_code = "122130".into();
            it.other_ids = vec![identifier("NAT", "1"), identifier("OTH", "١٢")];
        }),
        [
            "seller.address.building BR-KSA-37",
            "seller.address.postalCode BR-KSA-66",
            "seller.otherIds[0].scheme BR-KSA-08",
            "seller.otherIds[1].value BR-KSA-08",
        ]
    );
    assert_eq!(
        form(|it| it.other_ids = vec![identifier("700", "1010175397")]),
        ["seller.otherIds[0].value BR-KSA-F-09"]
    );
    assert_eq!(
        form(|it| {
            it.address.country = "AE".into();
            it.address.building = "1".into();
            it.other_ids = vec![identifier("NAT", "1")];
        }),
        [""; 0],
        "of another country"
    );
    assert!(has_registration_numbers("SA") && !has_registration_numbers("AE"));
}

#[test]
fn education_of_a_citizen_names_the_person_and_the_national_identifier() {
    let mut content = content(vec![line("1", "10", "Z", "0")]);
    content.currency = "SAR".into();
    content.subtype = Some(Subtype::Simplified);
    content.lines[0].tax.exemption_code = "VATEX-SA-EDU".into();
    content.buyer.name = Text::default();
    assert_eq!(
        issued(&content),
        ["buyer.name BR-KSA-25", "buyer.otherIds BR-KSA-49"]
    );
    content.buyer.name.en = "Noura".into();
    content.buyer.other_ids = vec![identifier("NAT", "1012345678")];
    assert_eq!(issued(&content), [""; 0]);
}

#[test]
fn last_day_of_supply_has_a_first_day() {
    let supplied = |first: &str| {
        let mut content = to_a_business();
        content.supply_date = first.into();
        content.delivery = Some(Delivery {
            latest_date: "2026-11-02".into(),
            ..Delivery::default()
        });
        issued(&content)
    };
    assert_eq!(supplied(""), ["supplyDate BR-KSA-35"]);
    assert_eq!(supplied("2026-11-01"), [""; 0]);
}

#[test]
fn tax_is_declared_in_riyals() {
    let path = |currency: &str, tax_currency: &str, seller: &str| {
        let mut content = to_a_business();
        content.currency = currency.into();
        content.tax_currency = tax_currency.into();
        issued_in(seller, &content)
    };
    let missing = ["taxCurrency BR-KSA-68"];
    for (currency, tax_currency) in [("EUR", ""), ("EUR", "EUR"), ("SAR", "EUR")] {
        let found = path(currency, tax_currency, "SA");
        assert_eq!(found, missing, "{currency} {tax_currency}");
    }
    for (currency, tax_currency, seller) in
        [("EUR", "SAR", "SA"), ("SAR", "", "SA"), ("EUR", "", "AE")]
    {
        let found = path(currency, tax_currency, seller);
        assert_eq!(found, [""; 0], "{currency} {tax_currency} {seller}");
    }
}

#[test]
fn supply_of_a_standard_invoice_that_names_no_day_was_on_the_day_of_issue() {
    let supplied = |change: fn(&mut Document)| {
        let mut document = saudi();
        document.content.supply_date.clear();
        change(&mut document);
        document.with_saudi_terms()
    };
    let completed = supplied(|_| {});
    assert_eq!(completed.content.supply_date, "2026-11-01");
    let written = ubl::write(&completed).expect("UBL can hold it");
    let read = ubl::read(written.as_bytes(), Limits::default()).expect("it is UBL");
    assert_eq!(document_violations(&read.document), [""; 0]);

    let others: [fn(&mut Document); 4] = [
        |it| it.content.kind = Kind::CreditNote,
        |it| it.content.subtype = Some(Subtype::Simplified),
        |it| it.seller.address.country = "AE".into(),
        // Its first day is for somebody to name.
        |it| {
            it.content.delivery = Some(Delivery {
                latest_date: "2026-11-02".into(),
                ..Delivery::default()
            });
        },
    ];
    for (at, change) in others.into_iter().enumerate() {
        assert_eq!(supplied(change).content.supply_date, "", "case {at}");
    }
}
