//! What is wrong with documents of others: each rule is broken once, alone where it can be, and found at its place.

#[path = "given/exchanged.rs"]
mod exchanged;

use exchanged::{saudi, swedish, untaxed};
use invoice::content::*;
use invoice::document::TaxRow;
use invoice::{Document, Kind, Subtype, check_document};
use jiff::civil::date;

/// `path rule` of everything wrong.
fn wrong(document: &Document) -> Vec<String> {
    let checked = check_document(document, date(2026, 11, 21));
    assert_eq!(
        checked.invoice.is_some(),
        checked.violations.is_empty(),
        "a document is an invoice if nothing is wrong"
    );
    let found = checked.violations.into_iter();
    found
        .map(|violation| format!("{} {}", violation.path, violation.rule))
        .collect()
}

type Spoil = fn(&mut Document);

fn each(base: fn() -> Document, cases: &[(Spoil, &[&str])]) {
    assert_eq!(wrong(&base()), [""; 0], "the document is right at first");
    for (at, (spoil, expected)) in cases.iter().enumerate() {
        let mut document = base();
        spoil(&mut document);
        assert_eq!(wrong(&document), *expected, "case {at}");
    }
}

#[test]
fn what_every_document_has_is_asked_for() {
    each(
        swedish,
        &[
            (|it| it.specification.clear(), &["specification BR-01"]),
            (|it| it.number.clear(), &["number BR-02"]),
            (|it| it.content.issue_date.clear(), &["issueDate BR-03"]),
            (|it| it.type_code.clear(), &["typeCode BR-04"]),
            (|it| it.type_code = "999".into(), &["typeCode BR-CL-01"]),
            (|it| it.content.currency.clear(), &["currency BR-05"]),
            (
                |it| it.content.currency = "SKR".into(),
                &["currency BR-CL-04"],
            ),
            (
                |it| it.seller.name = Text::default(),
                &["seller.name BR-06"],
            ),
            (
                |it| it.content.buyer.name = Text::default(),
                &["buyer.name BR-07"],
            ),
            (
                |it| it.seller.address = Address::default(),
                &["seller.address BR-08"],
            ),
            (
                |it| it.seller.address.country.clear(),
                &["seller.address.country BR-09"],
            ),
            (
                |it| it.content.buyer.address = Address::default(),
                &["buyer.address BR-10"],
            ),
            (
                |it| it.content.buyer.address.country.clear(),
                &["buyer.address.country BR-11"],
            ),
            (
                |it| it.content.buyer.address.country = "XX".into(),
                &["buyer.address.country BR-CL-14"],
            ),
            (
                |it| it.content.issue_date = "2026-12-24".into(),
                &["issueDate INV-ISSUE-DATE-FUTURE"],
            ),
        ],
    );
}

#[test]
fn every_total_is_asked_for_and_added_up() {
    each(
        swedish,
        &[
            (
                |it| it.figures.totals.lines.clear(),
                &["totals.lines BR-12"],
            ),
            (|it| it.figures.totals.net.clear(), &["totals.net BR-13"]),
            (
                |it| it.figures.totals.gross.clear(),
                &["totals.gross BR-14"],
            ),
            (
                |it| it.figures.totals.payable.clear(),
                &["totals.payable BR-15"],
            ),
            (
                |it| it.figures.totals.lines = "90.01".into(),
                &["totals.lines BR-CO-10", "totals.net BR-CO-13"],
            ),
            (
                |it| it.figures.totals.allowances = "5.01".into(),
                &["totals.allowances BR-CO-11", "totals.net BR-CO-13"],
            ),
            (
                |it| it.figures.totals.charges.clear(),
                &["totals.charges BR-CO-12", "totals.net BR-CO-13"],
            ),
            (
                |it| it.figures.totals.net = "99.99".into(),
                &["totals.net BR-CO-13", "totals.gross BR-CO-15"],
            ),
            (
                |it| it.figures.totals.tax = "25.01".into(),
                &["totals.gross BR-CO-15", "totals.tax BR-CO-14"],
            ),
            (
                |it| it.figures.totals.gross = "125.01".into(),
                &["totals.gross BR-CO-15", "totals.payable BR-CO-16"],
            ),
            (
                |it| it.figures.totals.payable = "125.01".into(),
                &["totals.payable BR-CO-16"],
            ),
            (
                |it| it.content.prepaid = "25.00".into(),
                &["totals.payable BR-CO-16"],
            ),
            (
                |it| it.content.rounding = "0.50".into(),
                &["totals.payable BR-CO-16"],
            ),
            (
                |it| it.content.tax_currency = "EUR".into(),
                &["totals.taxInTaxCurrency BR-53"],
            ),
            (|it| it.content.due_date.clear(), &["dueDate BR-CO-25"]),
        ],
    );
}

#[test]
fn the_tax_breakdown_is_complete_and_computed() {
    each(
        swedish,
        &[
            (
                |it| it.figures.tax_breakdown.clear(),
                &[
                    "taxBreakdown BR-CO-18",
                    "totals.tax BR-CO-14",
                    "taxBreakdown BR-S-01",
                ],
            ),
            (
                |it| it.figures.tax_breakdown[0].taxable.clear(),
                &["taxBreakdown[0].taxable BR-45"],
            ),
            (
                |it| it.figures.tax_breakdown[0].tax.clear(),
                &["taxBreakdown[0].tax BR-46"],
            ),
            (
                |it| it.figures.tax_breakdown[0].category.clear(),
                &["taxBreakdown[0].category BR-47", "taxBreakdown BR-S-01"],
            ),
            (
                |it| it.figures.tax_breakdown[0].category = "Q".into(),
                &["taxBreakdown[0].category BR-CL-17", "taxBreakdown BR-S-01"],
            ),
            (
                |it| it.figures.tax_breakdown[0].taxable = "100.01".into(),
                &["taxBreakdown[0].taxable BR-S-08"],
            ),
            (
                |it| it.figures.tax_breakdown[0].tax = "25.01".into(),
                &[
                    "taxBreakdown[0].tax BR-S-09",
                    "taxBreakdown[0].tax BR-CO-17",
                    "totals.tax BR-CO-14",
                ],
            ),
            (
                |it| it.figures.tax_breakdown[0].exemption_reason = "none".into(),
                &["taxBreakdown[0].exemptionReason BR-S-10"],
            ),
            (
                |it| it.figures.tax_breakdown[0].rate.clear(),
                &[
                    "taxBreakdown[0].rate BR-48",
                    "taxBreakdown[0].taxable BR-S-08",
                    "taxBreakdown[0].tax BR-S-09",
                    "taxBreakdown[0].tax BR-CO-17",
                ],
            ),
        ],
    );
}

#[test]
fn lines_have_what_a_line_has() {
    each(
        swedish,
        &[
            (|it| it.content.lines[0].id.clear(), &["lines[0].id BR-21"]),
            (
                |it| it.content.lines[0].unit.clear(),
                &["lines[0].unit BR-23"],
            ),
            (
                |it| it.content.lines[0].unit = "pcs!".into(),
                &["lines[0].unit BR-CL-23"],
            ),
            (
                |it| it.content.lines[0].description = Text::default(),
                &["lines[0].description BR-25"],
            ),
            (
                |it| it.content.lines[0].details.gross_price = "-1".into(),
                &["lines[0].grossPrice BR-28"],
            ),
            (
                |it| it.content.lines[0].unit_price = "50.02".into(),
                &["lines[0].net PEPPOL-EN16931-R120"],
            ),
            (|it| it.content.lines[0].unit_price = "50.01".into(), &[]),
            (
                |it| {
                    it.content.lines[0].details.period = Some(Period {
                        start: "2026-02-01".into(),
                        end: "2026-01-01".into(),
                    })
                },
                &["lines[0].period.end BR-30"],
            ),
            (
                |it| it.content.lines[0].details.period = Some(Period::default()),
                &["lines[0].period.start BR-CO-20"],
            ),
            (
                |it| it.content.lines[0].details.standard_item_code.value = "1".into(),
                &["lines[0].standardItemCode.scheme BR-64"],
            ),
            (
                |it| {
                    it.content.lines[0].details.classifications = vec![Classification {
                        code: "1".into(),
                        ..Default::default()
                    }]
                },
                &["lines[0].classifications[0].list BR-65"],
            ),
            (
                |it| {
                    it.content.lines[0].details.attributes = vec![ItemAttribute {
                        name: "Colour".into(),
                        value: String::new(),
                    }]
                },
                &["lines[0].attributes[0] BR-54"],
            ),
            (
                |it| it.content.lines[0].details.origin = "ZZ".into(),
                &["lines[0].origin BR-CL-15"],
            ),
            (
                |it| it.content.lines[0].allowances_charges[0].reason.clear(),
                &[
                    "lines[0].allowancesCharges[0].reason BR-42",
                    "lines[0].allowancesCharges[0].reason BR-CO-23",
                ],
            ),
        ],
    );
    let mut without_net = swedish();
    without_net.figures.line_nets.clear();
    assert_eq!(wrong(&without_net), ["lines[0].net BR-24"]);
}

#[test]
fn allowances_and_charges_of_the_document_have_amount_reason_and_category() {
    each(
        swedish,
        &[
            (
                |it| it.content.allowances_charges[0].amount.clear(),
                &["allowancesCharges[0].amount BR-31"],
            ),
            (
                |it| it.content.allowances_charges[1].amount.clear(),
                &["allowancesCharges[1].amount BR-36"],
            ),
            (
                |it| it.content.allowances_charges[0].tax.category.clear(),
                &["allowancesCharges[0].tax.category BR-32"],
            ),
            (
                |it| it.content.allowances_charges[1].tax.category.clear(),
                &["allowancesCharges[1].tax.category BR-37"],
            ),
            (
                |it| it.content.allowances_charges[0].reason.clear(),
                &[
                    "allowancesCharges[0].reason BR-33",
                    "allowancesCharges[0].reason BR-CO-21",
                ],
            ),
            (
                |it| it.content.allowances_charges[1].reason.clear(),
                &[
                    "allowancesCharges[1].reason BR-38",
                    "allowancesCharges[1].reason BR-CO-22",
                ],
            ),
            (
                |it| it.content.allowances_charges[0].reason_code = "XX".into(),
                &["allowancesCharges[0].reasonCode BR-CL-19"],
            ),
            (
                |it| it.content.allowances_charges[1].reason_code = "95".into(),
                &["allowancesCharges[1].reasonCode BR-CL-20"],
            ),
            (
                |it| {
                    it.content.allowances_charges[0].base = "100.00".into();
                    it.content.allowances_charges[0].percent = "6".into();
                },
                &["allowancesCharges[0].amount PEPPOL-EN16931-R040"],
            ),
            (
                |it| it.content.allowances_charges[0].tax.rate = "0".into(),
                &["allowancesCharges[0].tax.rate BR-S-06"],
            ),
            (
                |it| it.content.allowances_charges[1].tax.rate = "0".into(),
                &["allowancesCharges[1].tax.rate BR-S-07"],
            ),
        ],
    );
}

#[test]
fn amounts_have_the_digits_of_their_currency() {
    let rows: &[(Spoil, &str)] = &[
        (
            |it| it.content.allowances_charges[0].amount = "5.001".into(),
            "allowancesCharges[0].amount BR-DEC-01",
        ),
        (
            |it| it.content.allowances_charges[0].base = "5.001".into(),
            "allowancesCharges[0].base BR-DEC-02",
        ),
        (
            |it| it.content.allowances_charges[1].amount = "5.001".into(),
            "allowancesCharges[1].amount BR-DEC-05",
        ),
        (
            |it| it.content.allowances_charges[1].base = "5.001".into(),
            "allowancesCharges[1].base BR-DEC-06",
        ),
        (
            |it| it.figures.totals.lines = "1.001".into(),
            "totals.lines BR-DEC-09",
        ),
        (
            |it| it.figures.totals.allowances = "1.001".into(),
            "totals.allowances BR-DEC-10",
        ),
        (
            |it| it.figures.totals.charges = "1.001".into(),
            "totals.charges BR-DEC-11",
        ),
        (
            |it| it.figures.totals.net = "1.001".into(),
            "totals.net BR-DEC-12",
        ),
        (
            |it| it.figures.totals.tax = "1.001".into(),
            "totals.tax BR-DEC-13",
        ),
        (
            |it| it.figures.totals.gross = "1.001".into(),
            "totals.gross BR-DEC-14",
        ),
        (
            |it| {
                it.content.tax_currency = "JPY".into();
                it.figures.totals.tax_in_tax_currency = "1.5".into();
            },
            "totals.taxInTaxCurrency BR-DEC-15",
        ),
        (
            |it| it.content.prepaid = "1.001".into(),
            "prepaid BR-DEC-16",
        ),
        (
            |it| it.content.rounding = "1.001".into(),
            "rounding BR-DEC-17",
        ),
        (
            |it| it.figures.totals.payable = "1.001".into(),
            "totals.payable BR-DEC-18",
        ),
        (
            |it| it.figures.tax_breakdown[0].taxable = "1.001".into(),
            "taxBreakdown[0].taxable BR-DEC-19",
        ),
        (
            |it| it.figures.tax_breakdown[0].tax = "1.001".into(),
            "taxBreakdown[0].tax BR-DEC-20",
        ),
        (
            |it| it.figures.line_nets[0] = "1.001".into(),
            "lines[0].net BR-DEC-23",
        ),
        (
            |it| it.content.lines[0].allowances_charges[0].amount = "1.001".into(),
            "lines[0].allowancesCharges[0].amount BR-DEC-24",
        ),
        (
            |it| it.content.lines[0].allowances_charges[0].base = "1.001".into(),
            "lines[0].allowancesCharges[0].base BR-DEC-25",
        ),
        (
            |it| {
                it.content.lines[0].allowances_charges[0].is_charge = true;
                it.content.lines[0].allowances_charges[0].amount = "1.001".into();
            },
            "lines[0].allowancesCharges[0].amount BR-DEC-27",
        ),
        (
            |it| {
                it.content.lines[0].allowances_charges[0].is_charge = true;
                it.content.lines[0].allowances_charges[0].base = "1.001".into();
            },
            "lines[0].allowancesCharges[0].base BR-DEC-28",
        ),
    ];
    for (spoil, expected) in rows {
        let mut document = swedish();
        spoil(&mut document);
        let found = wrong(&document);
        assert!(
            found.iter().any(|one| one == expected),
            "{expected}: {found:?}"
        );
    }
    let mut dinars = swedish();
    dinars.content.currency = "KWD".into();
    dinars.figures.totals.payable = "125.000".into();
    assert_eq!(
        wrong(&dinars),
        [""; 0],
        "three decimals are right where the currency has three"
    );
}

#[test]
fn references_payment_and_parties_are_complete() {
    each(
        swedish,
        &[
            (
                |it| it.content.payee = Some(Payee::default()),
                &["payee.name BR-17"],
            ),
            (
                |it| it.content.tax_representative = Some(TaxRepresentative::default()),
                &[
                    "taxRepresentative.name BR-18",
                    "taxRepresentative.taxId BR-56",
                    "taxRepresentative.address BR-19",
                ],
            ),
            (
                |it| {
                    it.content.tax_representative = Some(TaxRepresentative {
                        name: Text {
                            en: "R".into(),
                            ..Text::default()
                        },
                        tax_id: "SE1".into(),
                        address: Address {
                            city: "X".into(),
                            ..Address::default()
                        },
                    });
                },
                &["taxRepresentative.address.country BR-20"],
            ),
            (
                |it| {
                    it.content.period = Some(Period {
                        start: "2026-02-01".into(),
                        end: "2026-01-01".into(),
                    })
                },
                &["period.end BR-29"],
            ),
            (
                |it| it.content.period = Some(Period::default()),
                &["period.start BR-CO-19"],
            ),
            (
                |it| {
                    it.content.tax_point_date = "2026-11-01".into();
                    it.content.tax_point_code = "3".into();
                },
                &["taxPointCode BR-CO-03"],
            ),
            (
                |it| it.content.tax_point_code = "4".into(),
                &["taxPointCode BR-CL-06"],
            ),
            (
                |it| it.content.payment = vec![PaymentMeans::default()],
                &["payment[0].code BR-49"],
            ),
            (
                |it| it.content.payment = vec![means("999")],
                &["payment[0].code BR-CL-16"],
            ),
            (
                |it| it.content.payment = vec![means("58")],
                &["payment[0].account.id BR-61"],
            ),
            (
                |it| {
                    it.content.payment = vec![PaymentMeans {
                        account: Some(Account::default()),
                        ..means("42")
                    }]
                },
                &["payment[0].account.id BR-50"],
            ),
            (
                |it| {
                    it.content.payment = vec![PaymentMeans {
                        card: Some(Card::default()),
                        ..means("48")
                    }]
                },
                &["payment[0].card.number BR-51"],
            ),
            (
                |it| it.content.documents = vec![SupportingDocument::default()],
                &["documents[0].id BR-52"],
            ),
            (
                |it| {
                    it.content.documents = vec![SupportingDocument {
                        id: Identifier {
                            value: "1".into(),
                            ..Identifier::default()
                        },
                        attachment: Some(Attachment {
                            mime: "text/html".into(),
                            ..Attachment::default()
                        }),
                        ..SupportingDocument::default()
                    }];
                },
                &["documents[0].attachment.mime BR-CL-24"],
            ),
            (
                |it| it.content.preceding = vec![Reference::default()],
                &["preceding[0].number BR-55"],
            ),
            (
                |it| {
                    it.content.delivery = Some(Delivery {
                        address: Address {
                            city: "X".into(),
                            ..Address::default()
                        },
                        ..Delivery::default()
                    });
                },
                &["delivery.address.country BR-57"],
            ),
            (
                |it| it.seller.electronic_address.value = "1".into(),
                &["seller.electronicAddress.scheme BR-62"],
            ),
            (
                |it| it.content.buyer.electronic_address.value = "1".into(),
                &["buyer.electronicAddress.scheme BR-63"],
            ),
            (
                |it| it.content.buyer.tax_id = "556677".into(),
                &["buyer.taxId BR-CO-09"],
            ),
            (
                |it| it.seller.tax_id = "556677".into(),
                &["seller.taxId BR-CO-09"],
            ),
            (
                |it| it.seller.tax_id.clear(),
                &[
                    "seller.otherIds BR-CO-26",
                    "seller.taxId BR-S-02",
                    "seller.taxId BR-S-03",
                    "seller.taxId BR-S-04",
                ],
            ),
        ],
    );
}

fn means(code: &str) -> PaymentMeans {
    PaymentMeans {
        code: code.into(),
        ..PaymentMeans::default()
    }
}

#[test]
fn every_category_without_tax_keeps_its_own_rules() {
    for (code, name) in [
        ("Z", "Z"),
        ("E", "E"),
        ("AE", "AE"),
        ("G", "G"),
        ("K", "IC"),
        ("O", "O"),
    ] {
        let base = untaxed(code);
        assert_eq!(wrong(&base), [""; 0], "{code} is right at first");
        let found = |spoil: &dyn Fn(&mut Document)| {
            let mut document = base.clone();
            spoil(&mut document);
            wrong(&document)
        };
        let twice = found(&|it| {
            let row = it.figures.tax_breakdown[0].clone();
            it.figures.tax_breakdown.push(TaxRow {
                taxable: "0.00".into(),
                ..row
            });
        });
        assert!(
            twice.contains(&format!("taxBreakdown BR-{name}-01")),
            "{code}: {twice:?}"
        );
        if code != "O" {
            let rated = found(&|it| it.content.lines[0].tax.rate = "5".into());
            assert_eq!(rated, [format!("lines[0].tax.rate BR-{name}-05")]);
            let rated = found(&|it| it.content.allowances_charges[0].tax.rate = "5".into());
            assert_eq!(
                rated,
                [format!("allowancesCharges[0].tax.rate BR-{name}-06")]
            );
            let rated = found(&|it| it.content.allowances_charges[1].tax.rate = "5".into());
            assert_eq!(
                rated,
                [format!("allowancesCharges[1].tax.rate BR-{name}-07")]
            );
            let nobody = found(&|it| {
                it.seller.tax_id.clear();
                it.seller.legal_id.value = "1".into();
            });
            let places =
                ["02", "03", "04"].map(|number| format!("seller.taxId BR-{name}-{number}"));
            assert_eq!(nobody, places);
        }
        let taxable = found(&|it| it.figures.tax_breakdown[0].taxable = "1.00".into());
        assert_eq!(taxable, [format!("taxBreakdown[0].taxable BR-{name}-08")]);
        let taxed = found(&|it| it.figures.tax_breakdown[0].tax = "1.00".into());
        assert!(
            taxed.contains(&format!("taxBreakdown[0].tax BR-{name}-09")),
            "{code}: {taxed:?}"
        );
        let reason = found(&|it| {
            let row = &mut it.figures.tax_breakdown[0];
            row.exemption_reason = if code == "Z" {
                "none".into()
            } else {
                String::new()
            };
        });
        let at = if code == "Z" {
            "exemptionReason"
        } else {
            "exemptionCode"
        };
        assert_eq!(reason, [format!("taxBreakdown[0].{at} BR-{name}-10")]);
    }
}

#[test]
fn what_is_outside_the_scope_stands_alone_and_without_numbers() {
    let mut document = untaxed("O");
    document.seller.tax_id = "SE556677889901".into();
    assert_eq!(
        wrong(&document),
        [
            "seller.taxId BR-O-02",
            "seller.taxId BR-O-03",
            "seller.taxId BR-O-04"
        ]
    );
    let mut document = untaxed("O");
    document.content.lines[0].tax.rate = "0".into();
    assert_eq!(wrong(&document), ["lines[0].tax.rate BR-O-05"]);
    let mut mixed = untaxed("O");
    mixed.content.allowances_charges[0].tax = Tax {
        category: "Z".into(),
        rate: "0".into(),
        ..Tax::default()
    };
    let found = wrong(&mixed);
    assert!(
        found.contains(&"allowancesCharges[0].tax.category BR-O-13".to_owned()),
        "{found:?}"
    );
}

#[test]
fn a_supply_within_the_community_says_when_and_where_to() {
    let mut document = untaxed("K");
    document.content.supply_date.clear();
    document.content.delivery = None;
    assert_eq!(
        wrong(&document),
        ["supplyDate BR-IC-11", "delivery.address.country BR-IC-12"]
    );
}

#[test]
fn a_saudi_document_keeps_the_rules_of_saudi_arabia() {
    each(
        saudi,
        &[
            (|it| it.process.clear(), &["process BR-KSA-EN16931-01"]),
            (|it| it.uuid = "a b".into(), &["uuid BR-KSA-03"]),
            (
                |it| it.content.issue_date = "2026-11-22".into(),
                &["issueDate BR-KSA-04"],
            ),
            (|it| it.type_code = "380".into(), &["typeCode BR-KSA-05"]),
            (|it| it.content.subtype = None, &["subtype BR-KSA-06"]),
            (
                |it| {
                    it.traits.export = true;
                    it.traits.self_billed = true;
                    it.content.buyer.tax_id.clear();
                    it.content.buyer.other_ids = vec![Identifier {
                        scheme: "OTH".into(),
                        value: "1".into(),
                    }];
                },
                &["traits BR-KSA-07"],
            ),
            (
                |it| it.seller.other_ids.clear(),
                &["seller.otherIds BR-KSA-08"],
            ),
            (
                |it| it.seller.address.district.clear(),
                &["seller.address BR-KSA-09"],
            ),
            (
                |it| it.seller.address.building = "12".into(),
                &["seller.address.building BR-KSA-37"],
            ),
            (
                |it| it.seller.address.additional_number = "12".into(),
                &["seller.address.additionalNumber BR-KSA-64"],
            ),
            (
                |it| it.seller.address.postal_code = "1234".into(),
                &["seller.address.postalCode BR-KSA-66"],
            ),
            (
                |it| it.seller.tax_id.clear(),
                &["seller.taxId BR-S-02", "seller.taxId BR-KSA-39"],
            ),
            (
                |it| it.seller.tax_id = "123".into(),
                &["seller.taxId BR-KSA-40"],
            ),
            (
                |it| it.content.buyer.tax_id = "123".into(),
                &["buyer.taxId BR-KSA-44"],
            ),
            (
                |it| it.content.buyer.tax_id.clear(),
                &["buyer.otherIds BR-KSA-81"],
            ),
            (|it| it.traits.export = true, &["buyer.taxId BR-KSA-46"]),
            (
                |it| {
                    it.content.buyer.other_ids = vec![Identifier {
                        scheme: "XYZ".into(),
                        value: "1".into(),
                    }]
                },
                &["buyer.otherIds[0] BR-KSA-14"],
            ),
            (
                |it| it.content.buyer.address.building.clear(),
                &["buyer.address BR-KSA-63"],
            ),
            (
                |it| it.content.buyer.address.additional_number = "1".into(),
                &["buyer.address.additionalNumber BR-KSA-65"],
            ),
            (
                |it| it.content.buyer.address.postal_code = "1".into(),
                &["buyer.address.postalCode BR-KSA-67"],
            ),
            (
                |it| it.content.buyer.address.street.clear(),
                &["buyer.address BR-KSA-10", "buyer.address BR-KSA-63"],
            ),
            (
                |it| it.content.supply_date.clear(),
                &["supplyDate BR-KSA-15"],
            ),
            (
                |it| {
                    it.content.delivery = Some(Delivery {
                        latest_date: "2026-10-01".into(),
                        ..Delivery::default()
                    })
                },
                &["delivery.latestDate BR-KSA-36"],
            ),
            (
                |it| it.content.tax_currency = "EUR".into(),
                &["taxCurrency BR-KSA-68"],
            ),
            (
                |it| it.figures.totals.tax_in_tax_currency.clear(),
                &["totals.taxInTaxCurrency BR-KSA-EN16931-09"],
            ),
            (
                |it| it.issue_time = "14:40".into(),
                &["issueTime BR-KSA-70"],
            ),
            (
                |it| it.content.documents.remove(0).uuid.clear(),
                &["documents BR-KSA-33"],
            ),
            (
                |it| it.content.documents.truncate(1),
                &["documents BR-KSA-61"],
            ),
            (
                |it| it.content.lines[0].details.tax_amounts = None,
                &[
                    "lines[0].taxAmounts.tax BR-KSA-52",
                    "lines[0].taxAmounts.gross BR-KSA-53",
                ],
            ),
            (
                |it| {
                    it.content.lines[0].details.tax_amounts = Some(TaxAmounts {
                        tax: "163.72".into(),
                        gross: "1255.23".into(),
                    });
                },
                &[
                    "lines[0].taxAmounts.tax BR-KSA-50",
                    "lines[0].taxAmounts.gross BR-KSA-51",
                ],
            ),
            (
                |it| {
                    it.type_code = "383".into();
                    it.content.kind = Kind::DebitNote;
                },
                &["preceding BR-KSA-56", "reason BR-KSA-17"],
            ),
            (
                |it| {
                    it.content.subtype = Some(Subtype::Simplified);
                    it.content.buyer = Party::default();
                },
                &[],
            ),
            (
                |it| {
                    it.content.subtype = Some(Subtype::Simplified);
                    it.traits.summary = true;
                    it.content.buyer = Party::default();
                },
                &["buyer.name BR-KSA-71"],
            ),
        ],
    );
}

#[test]
fn a_saudi_reason_for_no_tax_has_a_code_of_its_category_and_a_text() {
    let zero = || {
        let mut document = saudi();
        document.content.lines[0].tax = Tax {
            category: "Z".into(),
            rate: "0".into(),
            ..Tax::default()
        };
        document.content.lines[0].details.tax_amounts = Some(TaxAmounts {
            tax: "0.00".into(),
            gross: "1091.50".into(),
        });
        document.figures.tax_breakdown[0] = TaxRow {
            taxable: "1091.50".into(),
            tax: "0.00".into(),
            category: "Z".into(),
            rate: "0".into(),
            exemption_code: "VATEX-SA-32".into(),
            exemption_reason: "Export of goods".into(),
        };
        let totals = &mut document.figures.totals;
        totals.tax = "0.00".into();
        totals.tax_in_tax_currency = "0.00".into();
        totals.gross = "1091.50".into();
        totals.payable = "1091.50".into();
        document
    };
    each(
        zero,
        &[
            (
                |it| it.figures.tax_breakdown[0].exemption_reason.clear(),
                &["taxBreakdown[0].exemptionCode BR-KSA-69"],
            ),
            (
                |it| it.figures.tax_breakdown[0].exemption_code = "VATEX-SA-29".into(),
                &["taxBreakdown[0].exemptionCode BR-KSA-CL-04"],
            ),
            (
                |it| it.figures.tax_breakdown[0].exemption_code = "VATEX-SA-EDU".into(),
                &["buyer.otherIds BR-KSA-49"],
            ),
        ],
    );
}

#[test]
fn tax_numbers_have_the_form_of_their_country() {
    for (country, right, rule) in [
        ("AE", "100123456700003", "INV-AE-TAX-ID"),
        ("EG", "123456789", "INV-EG-TAX-ID"),
    ] {
        let mut document = swedish();
        document.seller.address.country = country.into();
        document.seller.tax_id = right.into();
        assert_eq!(wrong(&document), [""; 0], "{country}");
        document.seller.tax_id = "77".into();
        assert_eq!(wrong(&document), [format!("seller.taxId {rule}")]);
    }
}

#[test]
fn a_difference_is_told_with_both_figures() {
    let mut document = swedish();
    document.figures.totals.payable = "125.01".into();
    let violation = check_document(&document, date(2026, 11, 21))
        .violations
        .remove(0);
    assert_eq!(
        violation.data,
        [("computed", "125.00".into()), ("stated", "125.01".into())]
    );
}
