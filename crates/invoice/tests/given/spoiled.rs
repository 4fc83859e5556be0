//! Ways to spoil a document.

use invoice::content::*;
use invoice::document::TaxRow;
use invoice::{Document, Kind, Subtype};

pub(crate) type Spoil = fn(&mut Document);

fn means(code: &str) -> PaymentMeans {
    PaymentMeans {
        code: code.into(),
        ..PaymentMeans::default()
    }
}

fn id(scheme: &str, value: &str) -> Identifier {
    Identifier {
        scheme: scheme.into(),
        value: value.into(),
    }
}

/// An allowance or a charge without its category.
fn item(is_charge: bool) -> AllowanceCharge {
    AllowanceCharge {
        is_charge,
        amount: "1.00".into(),
        reason: "agreed".into(),
        ..AllowanceCharge::default()
    }
}

pub(crate) const SPOILS: &[Spoil] = &[
    // The header.
    |it| it.specification.clear(),
    |it| it.number.clear(),
    |it| it.uuid.clear(),
    |it| it.uuid = "x".into(),
    |it| it.issue_time.clear(),
    |it| it.issue_time = "x".into(),
    |it| it.process = "x".into(),
    |it| it.process.clear(),
    |it| it.type_code.clear(),
    |it| it.type_code = "999".into(),
    |it| it.type_code = "380".into(),
    |it| it.traits.export = true,
    |it| it.traits.self_billed = true,
    |it| it.traits.summary = true,
    |it| it.content.subtype = None,
    |it| it.content.issue_date.clear(),
    |it| it.content.issue_date = "2026-12-24".into(),
    |it| it.content.issue_date = "yesterday".into(),
    |it| it.content.due_date = "2000-01-01".into(),
    |it| it.content.due_date.clear(),
    |it| it.content.supply_date.clear(),
    |it| it.content.supply_date = "2030-01-01".into(),
    |it| it.content.currency.clear(),
    |it| it.content.currency = "XXX".into(),
    |it| it.content.currency = "KWD".into(),
    |it| it.content.currency = "USD".into(),
    |it| it.content.tax_currency.clear(),
    |it| it.content.tax_currency = "XXX".into(),
    |it| it.content.tax_currency = "EUR".into(),
    |it| it.content.exchange_rate = "-1".into(),
    |it| {
        it.content.tax_currency = "EUR".into();
        it.content.exchange_rate = "0".into();
    },
    |it| it.content.tax_point_code = "9".into(),
    |it| it.content.tax_point_date = "x".into(),
    |it| {
        it.content.tax_point_date = "2026-11-01".into();
        it.content.tax_point_code = "3".into();
    },
    |it| it.content.period = Some(Period::default()),
    |it| {
        it.content.period = Some(Period {
            start: "2026-11-02".into(),
            end: "2026-11-01".into(),
        });
    },
    |it| it.content.note = "\u{0}".into(),
    |it| it.content.preceding = vec![Reference::default()],
    |it| it.content.preceding.clear(),
    |it| it.content.kind = Kind::CreditNote,
    |it| it.content.reason.clear(),
    |it| it.content.prepaid = "x".into(),
    |it| it.content.prepaid = "-1".into(),
    |it| it.content.prepaid = "1.005".into(),
    |it| it.content.rounding = "0.005".into(),
    |it| it.content.rounding = "50.00".into(),
    |it| it.content.payment_terms.clear(),
    |it| {
        it.content.expected_totals = Some(ExpectedTotals {
            gross: "1".into(),
            ..ExpectedTotals::default()
        });
    },
    // The parties.
    |it| it.seller.name = Text::default(),
    |it| it.seller.tax_id.clear(),
    |it| it.seller.tax_id = "9".into(),
    |it| it.seller.other_ids.clear(),
    |it| it.seller.other_ids = vec![id("XXX", "1")],
    |it| it.seller.other_ids = vec![id("CRN", "1"), id("CRN", "1-2")],
    |it| it.seller.electronic_address = id("", "x"),
    |it| it.seller.address = Stated::default(),
    |it| it.seller.address.street.clear(),
    |it| it.seller.address.building = "1".into(),
    |it| it.seller.address.additional_number = "1".into(),
    |it| it.seller.address.postal_code = "1".into(),
    |it| it.seller.address.district.clear(),
    |it| it.seller.address.country.clear(),
    |it| it.seller.address.country = "XX".into(),
    |it| {
        it.seller.tax_id.clear();
        it.seller.other_ids.clear();
        it.seller.legal_id = Identifier::default();
    },
    |it| it.content.buyer.name = Text::default(),
    |it| it.content.buyer.tax_id.clear(),
    |it| it.content.buyer.tax_id = "9".into(),
    |it| {
        it.content.buyer.tax_id.clear();
        it.content.buyer.other_ids.clear();
    },
    |it| it.content.buyer.other_ids = vec![id("XXX", "1")],
    |it| it.content.buyer.electronic_address = id("", "x"),
    |it| it.content.buyer.address = Stated::default(),
    |it| it.content.buyer.address.street.clear(),
    |it| it.content.buyer.address.postal_code = "1".into(),
    |it| it.content.buyer.address.district.clear(),
    |it| it.content.buyer.address.country.clear(),
    |it| it.content.buyer.address.country = "XX".into(),
    |it| {
        it.content.buyer.address.country = "AE".into();
        it.content.buyer.tax_id = "1".into();
    },
    |it| {
        it.content.buyer.address.country = "EG".into();
        it.content.buyer.tax_id = "1".into();
    },
    |it| it.content.payee = Some(Payee::default()),
    |it| it.content.tax_representative = Some(TaxRepresentative::default()),
    |it| {
        it.content.tax_representative = Some(TaxRepresentative {
            address: Address {
                city: "x".into(),
                ..Address::default()
            }
            .into(),
            ..TaxRepresentative::default()
        });
    },
    |it| it.content.delivery = None,
    |it| {
        it.content.delivery = Some(Delivery {
            address: Address {
                city: "x".into(),
                ..Address::default()
            }
            .into(),
            latest_date: "2000-01-01".into(),
            ..Delivery::default()
        });
    },
    // Papers and payment.
    |it| it.content.documents.clear(),
    |it| it.content.documents = vec![SupportingDocument::default()],
    |it| {
        it.content.documents = vec![SupportingDocument {
            id: id("", "1"),
            attachment: Some(Attachment {
                mime: "x/y".into(),
                ..Attachment::default()
            }),
            ..SupportingDocument::default()
        }];
    },
    |it| {
        for paper in &mut it.content.documents {
            paper.uuid = "x".into();
        }
    },
    |it| {
        for paper in &mut it.content.documents {
            paper.attachment = None;
            paper.uuid.clear();
        }
    },
    |it| it.content.payment = vec![means("")],
    |it| it.content.payment = vec![means("99")],
    |it| it.content.payment = vec![means("30")],
    |it| {
        it.content.payment = vec![
            PaymentMeans {
                card: Some(Card::default()),
                mandate: Some(Mandate::default()),
                ..means("1")
            };
            2
        ];
    },
    |it| {
        it.content.payment = vec![PaymentMeans {
            account: Some(Account::default()),
            card: Some(Card::default()),
            ..means("1")
        }];
    },
    // Lists that identifiers and notes are of.
    |it| {
        it.content.note = "#QQQ#".into();
        it.content.references.invoiced_object = id("x", "1");
        it.content.buyer.other_ids = vec![id("x", "1")];
        it.content.buyer.legal_id = id("x", "1");
        it.content.buyer.electronic_address = id("x", "1");
        it.content.lines[0].details.standard_item_code = id("x", "1");
        it.content.delivery = Some(Delivery {
            location: id("x", "1"),
            ..Delivery::default()
        });
    },
    // Lines.
    |it| it.content.lines.clear(),
    |it| {
        let line = it.content.lines[0].clone();
        it.content.lines.push(line);
        let net = it.figures.line_nets[0].clone();
        it.figures.line_nets.push(net);
    },
    |it| it.content.lines[0].id.clear(),
    |it| it.content.lines[0].description = Text::default(),
    |it| it.content.lines[0].quantity.clear(),
    |it| it.content.lines[0].quantity = "0".into(),
    |it| it.content.lines[0].quantity = "-1".into(),
    |it| it.content.lines[0].quantity = "99999999999999999".into(),
    |it| it.content.lines[0].quantity = "1.12345678901".into(),
    |it| it.content.lines[0].unit.clear(),
    |it| it.content.lines[0].unit = "x".into(),
    |it| it.content.lines[0].unit_price.clear(),
    |it| it.content.lines[0].unit_price = "-1".into(),
    |it| it.content.lines[0].unit_price = "1234567890123".into(),
    |it| it.content.lines[0].unit_price = "7".into(),
    |it| it.content.lines[0].price_base = "0".into(),
    |it| it.content.lines[0].tax = Tax::default(),
    |it| it.content.lines[0].tax.category = "X".into(),
    |it| {
        it.content.lines[0].tax.category = "B".into();
        let line = it.content.lines[0].clone();
        it.content.lines.push(line);
        it.content.lines[0].tax.category = "S".into();
    },
    |it| it.content.lines[0].tax.rate = "7".into(),
    |it| it.content.lines[0].tax.rate = "0".into(),
    |it| it.content.lines[0].tax.rate = "-1".into(),
    |it| it.content.lines[0].tax.rate = "1000".into(),
    |it| it.content.lines[0].tax.rate.clear(),
    |it| it.content.lines[0].tax.exemption_code = "VATEX-XX".into(),
    |it| it.content.lines[0].tax.exemption_reason = "because".into(),
    |it| it.content.lines[0].tax.category = "O".into(),
    |it| it.content.lines[0].tax.category = "Z".into(),
    |it| {
        for item in &mut it.content.allowances_charges {
            item.tax.category = "Z".into();
        }
    },
    |it| it.content.lines[0].details.period = Some(Period::default()),
    |it| {
        it.content.lines[0].details.period = Some(Period {
            start: "2026-11-02".into(),
            end: "2026-11-01".into(),
        });
    },
    |it| it.content.lines[0].details.gross_price = "-1".into(),
    |it| it.content.lines[0].details.standard_item_code = id("", "1"),
    |it| it.content.lines[0].details.classifications = vec![Classification::default()],
    |it| {
        it.content.lines[0].details.classifications = vec![Classification {
            list: "x".into(),
            ..Classification::default()
        }];
    },
    |it| it.content.lines[0].details.attributes = vec![ItemAttribute::default()],
    |it| it.content.lines[0].details.origin = "XX".into(),
    |it| it.content.lines[0].details.tax_amounts = None,
    |it| {
        it.content.lines[0].details.tax_amounts = Some(TaxAmounts {
            tax: "1.00".into(),
            gross: "1.005".into(),
        });
    },
    // Allowances and charges, of the line and of the document.
    |it| it.content.lines[0].allowances_charges = vec![AllowanceCharge::default()],
    |it| {
        it.content.lines[0].allowances_charges = vec![AllowanceCharge {
            is_charge: true,
            ..AllowanceCharge::default()
        }];
    },
    |it| {
        it.content.lines[0].allowances_charges = [false, true]
            .map(|is_charge| AllowanceCharge {
                amount: "1.005".into(),
                base: "1.005".into(),
                percent: "200".into(),
                reason: String::new(),
                reason_code: "x".into(),
                ..item(is_charge)
            })
            .into();
    },
    |it| {
        it.content.lines[0].allowances_charges = [false, true]
            .map(|is_charge| AllowanceCharge {
                amount: "-1".into(),
                base: "-1".into(),
                ..item(is_charge)
            })
            .into();
    },
    |it| it.content.allowances_charges = vec![item(false), item(true)],
    |it| {
        it.content.allowances_charges = [false, true]
            .map(|is_charge| AllowanceCharge {
                amount: String::new(),
                reason: String::new(),
                ..item(is_charge)
            })
            .into();
    },
    |it| {
        let tax = it.content.lines[0].tax.clone();
        it.content.allowances_charges = [false, true]
            .map(|is_charge| AllowanceCharge {
                amount: "1.005".into(),
                base: "1.005".into(),
                percent: "200".into(),
                reason_code: "x".into(),
                tax: Tax {
                    rate: "7".into(),
                    ..tax.clone()
                },
                ..item(is_charge)
            })
            .into();
    },
    |it| {
        let tax = it.content.lines[0].tax.clone();
        it.content.allowances_charges = [false, true]
            .map(|is_charge| AllowanceCharge {
                tax: Tax {
                    rate: if tax.rate == "0" || tax.rate.is_empty() {
                        "7".into()
                    } else {
                        "0".into()
                    },
                    ..tax.clone()
                },
                ..item(is_charge)
            })
            .into();
    },
    // The seller's numbers, where allowances and charges are taxed as the line is.
    |it| {
        let tax = it.content.lines[0].tax.clone();
        it.content.allowances_charges = [false, true]
            .map(|is_charge| AllowanceCharge {
                tax: tax.clone(),
                ..item(is_charge)
            })
            .into();
        it.seller.tax_id.clear();
        it.content.buyer.tax_id.clear();
    },
    |it| {
        it.seller.tax_id = "SE556677889901".into();
        it.content.buyer.tax_id = "SE112233445501".into();
    },
    |it| {
        let tax = it.content.lines[0].tax.clone();
        it.content.allowances_charges = [false, true]
            .map(|is_charge| AllowanceCharge {
                amount: "5.00".into(),
                base: "100.00".into(),
                percent: "10".into(),
                tax: Tax {
                    rate: String::new(),
                    ..tax.clone()
                },
                ..item(is_charge)
            })
            .into();
    },
    // What Saudi Arabia asks for.
    |it| it.figures.tax_breakdown[0].category = "G".into(),
    |it| {
        it.figures.tax_breakdown[0].exemption_code = "VATEX-SA-EDU".into();
        it.content.buyer.name = Text::default();
        it.content.buyer.other_ids.clear();
    },
    |it| {
        it.figures.tax_breakdown[0].exemption_code = "VATEX-SA-XX".into();
        it.figures.tax_breakdown[0].exemption_reason = "because".into();
    },
    |it| {
        it.content.supply_date.clear();
        it.content.delivery = Some(Delivery {
            latest_date: "2026-11-02".into(),
            ..Delivery::default()
        });
    },
    |it| {
        it.content.lines[0].details.tax_amounts = Some(TaxAmounts {
            tax: "163.73".into(),
            gross: "1.00".into(),
        });
    },
    |it| it.content.buyer.address.additional_number = "1".into(),
    |it| {
        it.content.subtype = Some(Subtype::Simplified);
        it.traits.summary = true;
        it.content.buyer.name = Text::default();
    },
    // What it adds up to.
    |it| it.figures.line_nets[0].clear(),
    |it| it.figures.line_nets[0] = "1.005".into(),
    |it| it.figures.tax_breakdown.clear(),
    |it| {
        it.figures
            .tax_breakdown
            .push(it.figures.tax_breakdown[0].clone())
    },
    |it| it.figures.tax_breakdown = vec![TaxRow::default()],
    |it| it.figures.tax_breakdown[0].taxable = "7.00".into(),
    |it| it.figures.tax_breakdown[0].taxable = "7.005".into(),
    |it| it.figures.tax_breakdown[0].tax = "7.00".into(),
    |it| it.figures.tax_breakdown[0].tax = "7.005".into(),
    |it| it.figures.tax_breakdown[0].rate.clear(),
    |it| it.figures.tax_breakdown[0].category = "X".into(),
    |it| {
        it.figures.tax_breakdown[0].exemption_reason = "because".into();
        it.figures.tax_breakdown[0].exemption_code.clear();
    },
    |it| {
        it.figures.tax_breakdown[0].exemption_reason.clear();
        it.figures.tax_breakdown[0].exemption_code.clear();
    },
    |it| it.figures.tax_breakdown[0].exemption_code = "VATEX-XX".into(),
    |it| it.figures.totals = ExpectedTotals::default(),
    |it| {
        let bad = || "7.005".to_owned();
        it.figures.totals = ExpectedTotals {
            lines: bad(),
            allowances: bad(),
            charges: bad(),
            net: bad(),
            tax: bad(),
            tax_in_tax_currency: bad(),
            gross: bad(),
            prepaid: bad(),
            rounding: bad(),
            payable: bad(),
        };
    },
    |it| it.figures.totals.lines = "7.00".into(),
    |it| it.figures.totals.allowances = "7.00".into(),
    |it| it.figures.totals.charges = "7.00".into(),
    |it| it.figures.totals.net = "7.00".into(),
    |it| it.figures.totals.tax = "7.00".into(),
    |it| it.figures.totals.gross = "7.00".into(),
    |it| it.figures.totals.payable = "7.00".into(),
    |it| {
        it.content.tax_currency = "EUR".into();
        it.content.exchange_rate = "2".into();
        it.figures.totals.tax_in_tax_currency = "7.00".into();
    },
    |it| it.content.subtype = Some(Subtype::Simplified),
];
