//! Documents of others that keep every rule, for tests to spoil.
#![allow(dead_code, reason = "every test file uses some of it")]

use invoice::content::*;
use invoice::document::{Figures, TaxRow};
use invoice::{Document, Kind, Subtype};

fn id(scheme: &str, value: &str) -> Identifier {
    Identifier {
        scheme: scheme.into(),
        value: value.into(),
    }
}

fn english(text: &str) -> Text {
    Text {
        ar: String::new(),
        en: text.into(),
    }
}

fn tax(category: &str, rate: &str) -> Tax {
    Tax {
        category: category.into(),
        rate: rate.into(),
        ..Tax::default()
    }
}

/// A Swedish invoice: one line of 2 × 50.00 less 10.00, an allowance of 5.00 and a charge of 15.00, all at 25 %.
pub(crate) fn swedish() -> Document {
    let address = Address {
        city: "Stockholm".into(),
        country: "SE".into(),
        ..Address::default()
    };
    let item = |is_charge, amount: &str| AllowanceCharge {
        is_charge,
        amount: amount.into(),
        reason: "agreed".into(),
        tax: tax("S", "25"),
        ..AllowanceCharge::default()
    };
    Document {
        number: "1".into(),
        type_code: "380".into(),
        specification: "urn:cen.eu:en16931:2017".into(),
        seller: Party {
            name: english("Seller AB"),
            tax_id: "SE556677889901".into(),
            address: address.clone().into(),
            ..Party::default()
        },
        content: Content {
            issue_date: "2026-11-01".into(),
            due_date: "2026-12-01".into(),
            currency: "SEK".into(),
            buyer: Party {
                name: english("Buyer AB"),
                tax_id: "SE112233445501".into(),
                address: address.into(),
                ..Party::default()
            },
            lines: vec![Line {
                id: "1".into(),
                description: english("Paper"),
                quantity: "2".into(),
                unit: "C62".into(),
                unit_price: "50.00".into(),
                allowances_charges: vec![AllowanceCharge {
                    tax: Tax::default(),
                    ..item(false, "10.00")
                }],
                tax: tax("S", "25"),
                ..Line::default()
            }],
            allowances_charges: vec![item(false, "5.00"), item(true, "15.00")],
            ..Content::default()
        },
        figures: Figures {
            line_nets: vec!["90.00".into()],
            tax_breakdown: vec![TaxRow {
                taxable: "100.00".into(),
                tax: "25.00".into(),
                category: "S".into(),
                rate: "25".into(),
                ..TaxRow::default()
            }],
            totals: ExpectedTotals {
                lines: "90.00".into(),
                allowances: "5.00".into(),
                charges: "15.00".into(),
                net: "100.00".into(),
                tax: "25.00".into(),
                gross: "125.00".into(),
                payable: "125.00".into(),
                ..ExpectedTotals::default()
            },
            tax_again: String::new(),
        },
        ..Document::default()
    }
}

/// The same with every item in another category that charges no tax.
pub(crate) fn untaxed(category: &str) -> Document {
    let mut document = swedish();
    let rate = if category == "O" { "" } else { "0" };
    document.content.lines[0].tax = tax(category, rate);
    for item in &mut document.content.allowances_charges {
        item.tax = tax(category, rate);
    }
    let row = &mut document.figures.tax_breakdown[0];
    row.category = category.into();
    row.rate = rate.into();
    row.tax = "0.00".into();
    if category != "Z" {
        row.exemption_reason = "because".into();
    }
    let totals = &mut document.figures.totals;
    totals.tax = "0.00".into();
    totals.gross = "100.00".into();
    totals.payable = "100.00".into();
    if category == "O" {
        document.seller.tax_id.clear();
        document.seller.legal_id = id("0007", "5566778899");
        document.content.buyer.tax_id.clear();
    }
    if category == "K" {
        document.content.supply_date = "2026-11-01".into();
        document.content.delivery = Some(Delivery {
            address: Address {
                country: "DK".into(),
                ..Address::default()
            }
            .into(),
            ..Delivery::default()
        });
    }
    document
}

/// A standard tax invoice of Saudi Arabia: 1 × 1091.50 at 15 %.
pub(crate) fn saudi() -> Document {
    let address = Address {
        building: "1234".into(),
        additional_number: "5678".into(),
        street: "شارع العليا".into(),
        district: "العليا".into(),
        city: "الرياض".into(),
        postal_code: "12345".into(),
        country: "SA".into(),
        ..Address::default()
    };
    let paper = |name: &str| SupportingDocument {
        id: id("", name),
        ..SupportingDocument::default()
    };
    Document {
        number: "INV-1".into(),
        type_code: "388".into(),
        uuid: "8e6000cf-1a98-4174-b3e7-b5d5954bc10d".into(),
        issue_time: "14:40:40".into(),
        process: "reporting:1.0".into(),
        seller: Party {
            name: Text {
                ar: "شركة النخيل".into(),
                en: "Palm Company".into(),
            },
            tax_id: "310122393500003".into(),
            other_ids: vec![id("CRN", "1010010000")],
            address: address.clone().into(),
            ..Party::default()
        },
        content: Content {
            kind: Kind::Invoice,
            subtype: Some(Subtype::Standard),
            issue_date: "2026-11-01".into(),
            supply_date: "2026-11-01".into(),
            currency: "SAR".into(),
            tax_currency: "SAR".into(),
            buyer: Party {
                name: english("Customer"),
                tax_id: "399999999900003".into(),
                address: address.into(),
                ..Party::default()
            },
            documents: vec![
                SupportingDocument {
                    uuid: "23".into(),
                    ..paper("ICV")
                },
                SupportingDocument {
                    attachment: Some(Attachment {
                        mime: "text/plain".into(),
                        content: "NWZl".into(),
                        ..Attachment::default()
                    }),
                    ..paper("PIH")
                },
            ],
            lines: vec![Line {
                id: "1".into(),
                description: english("Service"),
                quantity: "1".into(),
                unit: "PCE".into(),
                unit_price: "1091.50".into(),
                tax: tax("S", "15"),
                details: LineDetails {
                    tax_amounts: Some(TaxAmounts {
                        tax: "163.73".into(),
                        gross: "1255.23".into(),
                    }),
                    ..LineDetails::default()
                }
                .into(),
                ..Line::default()
            }],
            ..Content::default()
        },
        figures: Figures {
            line_nets: vec!["1091.50".into()],
            tax_breakdown: vec![TaxRow {
                taxable: "1091.50".into(),
                tax: "163.73".into(),
                category: "S".into(),
                rate: "15".into(),
                ..TaxRow::default()
            }],
            totals: ExpectedTotals {
                lines: "1091.50".into(),
                net: "1091.50".into(),
                tax: "163.73".into(),
                tax_in_tax_currency: "163.73".into(),
                gross: "1255.23".into(),
                payable: "1255.23".into(),
                ..ExpectedTotals::default()
            },
            tax_again: String::new(),
        },
        ..Document::default()
    }
}
