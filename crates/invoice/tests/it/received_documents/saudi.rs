//! Rules for documents of Saudi sellers.

use invoice::content::{Delivery, Identifier, Party, Tax, TaxAmounts};
use invoice::document::TaxRow;
use invoice::xml::Limits;
use invoice::{Document, Kind, Subtype, ubl};

use super::assert_violations;
use crate::fixtures::document_violations as violations;
use crate::fixtures::documents::{saudi, swedish};

#[test]
fn each_saudi_rule_is_reported_at_its_field() {
    assert_violations(
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
            (
                |it| {
                    it.content.buyer.address.country = "DE".into();
                    it.content.buyer.tax_id = "DE123456789".into();
                },
                &["buyer.taxId BR-KSA-44"],
            ),
            // A buyer elsewhere that is registered in Saudi Arabia.
            (|it| it.content.buyer.address.country = "DE".into(), &[]),
            (
                |it| it.content.buyer.tax_id.clone_from(&it.seller.tax_id),
                &["buyer.taxId BR-CUSTOM-VALIDATION-01"],
            ),
            (|it| it.traits.export = true, &["buyer.taxId BR-KSA-46"]),
            (
                |it| it.traits.government = true,
                &["references.contract BR-KSA-92"],
            ),
            (
                |it| {
                    it.content.subtype = Some(Subtype::Simplified);
                    it.traits.self_billed = true;
                },
                &["traits BR-KSA-31"],
            ),
            (
                |it| {
                    it.content.subtype = Some(Subtype::Simplified);
                    it.traits.export = true;
                    it.content.buyer.tax_id.clear();
                },
                &[],
            ),
            (
                |it| {
                    it.content.buyer.other_ids = vec![Identifier {
                        scheme: "XYZ".into(),
                        value: "1".into(),
                    }]
                },
                &["buyer.otherIds[0].scheme BR-KSA-14"],
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
                    it.content.buyer.address.building.clear();
                    it.content.buyer.address.postal_code = "1".into();
                },
                &[],
            ),
            (
                |it| {
                    it.content.subtype = Some(Subtype::Simplified);
                    it.traits.summary = true;
                    it.content.buyer = Party::default();
                },
                &["buyer.name BR-KSA-71", "delivery.latestDate BR-KSA-72"],
            ),
            (
                |it| {
                    it.content.subtype = Some(Subtype::Simplified);
                    it.traits.summary = true;
                    it.content.delivery = Some(Delivery {
                        latest_date: "2026-11-02".into(),
                        ..Delivery::default()
                    });
                },
                &[],
            ),
        ],
    );
}

/// The Saudi document with the rate zero.
fn zero_rated() -> Document {
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
}

#[test]
fn saudi_exemption_requires_a_code_of_its_category_and_a_text() {
    assert_violations(
        zero_rated,
        &[
            (
                |it| it.figures.tax_breakdown[0].exemption_reason.clear(),
                &["taxBreakdown[0].exemptionReason BR-KSA-69"],
            ),
            (
                |it| it.figures.tax_breakdown[0].exemption_code.clear(),
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
    for (category, rule) in [("E", "BR-KSA-23"), ("O", "BR-KSA-24")] {
        let mut document = zero_rated();
        document.content.lines[0].tax.category = category.into();
        let row = &mut document.figures.tax_breakdown[0];
        row.category = category.into();
        row.exemption_code.clear();
        row.exemption_reason.clear();
        let once = [format!("taxBreakdown[0].exemptionCode {rule}")];
        assert_eq!(violations(&document), once);
    }
}

#[test]
fn saudi_document_has_lines_outside_the_scope_of_tax_beside_taxed_ones() {
    let mut document = saudi();
    let mut outside = document.content.lines[0].clone();
    outside.id = "2".into();
    outside.tax.category = "O".into();
    outside.tax.rate = "0".into();
    outside.details.tax_amounts = Some(TaxAmounts {
        tax: "0.00".into(),
        gross: "1091.50".into(),
    });
    document.content.lines.push(outside);
    let figures = &mut document.figures;
    figures.line_nets.push("1091.50".into());
    figures.tax_breakdown.push(TaxRow {
        taxable: "1091.50".into(),
        tax: "0.00".into(),
        category: "O".into(),
        rate: "0".into(),
        exemption_code: "VATEX-SA-OOS".into(),
        exemption_reason: "Salaries".into(),
    });
    figures.totals.lines = "2183.00".into();
    figures.totals.net = "2183.00".into();
    figures.totals.gross = "2346.73".into();
    figures.totals.payable = "2346.73".into();
    assert_eq!(violations(&document), [""; 0]);
}

/// The Saudi document as a caller writes it who knows EN 16931 only.
fn without_saudi_terms() -> Document {
    let mut document = saudi();
    document.content.subtype = None;
    document.content.tax_currency.clear();
    document.figures.totals.tax_in_tax_currency.clear();
    document
}

fn written_and_read(document: &Document) -> Document {
    let written = ubl::write(document).expect("UBL can hold it");
    let parsed = ubl::read(written.as_bytes(), Limits::default()).expect("it is UBL");
    assert_eq!(parsed.unmapped, []);
    parsed.document
}

#[test]
fn ubl_with_the_saudi_terms_is_read_back_without_violations() {
    let read = written_and_read(&without_saudi_terms());
    let missing = [
        "subtype BR-KSA-06",
        "taxCurrency BR-KSA-68",
        "totals.taxInTaxCurrency BR-KSA-EN16931-09",
    ];
    assert_eq!(violations(&read), missing);

    let read = written_and_read(&without_saudi_terms().with_saudi_terms());
    assert_eq!(violations(&read), [""; 0]);
    assert_eq!(read, saudi(), "a buyer with a VAT number: a standard one");

    let mut consumer = without_saudi_terms();
    consumer.content.buyer.tax_id.clear();
    let read = written_and_read(&consumer.with_saudi_terms());
    assert_eq!(violations(&read), [""; 0]);
    assert_eq!(read.content.subtype, Some(Subtype::Simplified));
}

#[test]
fn saudi_terms_replace_nothing_and_are_those_of_saudi_sellers() {
    assert_eq!(swedish().with_saudi_terms(), swedish());
    let mut simplified = saudi();
    simplified.content.subtype = Some(Subtype::Simplified);
    assert_eq!(simplified.clone().with_saudi_terms(), simplified);
    let mut dollars = without_saudi_terms();
    dollars.content.currency = "USD".into();
    let completed = dollars.with_saudi_terms();
    let totals = &completed.figures.totals;
    assert_eq!(
        (
            completed.content.tax_currency.as_str(),
            totals.tax_in_tax_currency.as_str()
        ),
        ("", ""),
        "the exchange rate is unknown"
    );
}
