//! A content with a value in every field, for tests of what is stored and compared.

use super::{
    AddressContent, AllowanceChargeContent, AllowanceChargeKind, BuyerContent, BuyerDetails,
    CardContent, ClassificationContent, ContactContent, Correction, DeliveryContent,
    IdentifierContent, InvoiceContent, InvoiceDetails, InvoiceKind, ItemAttributeContent,
    LineContent, LineDetails, LocalizedText, MandateContent, PayeeContent, PaymentContent,
    PeriodContent, PrecedingContent, ReferencesContent, SupportingDocumentContent,
    TaxRepresentativeContent,
};

fn text(text: &str) -> LocalizedText {
    LocalizedText {
        ar: format!("{text} ar"),
        en: format!("{text} en"),
    }
}

fn id(scheme: &str, value: &str) -> IdentifierContent {
    IdentifierContent {
        scheme: scheme.to_owned(),
        value: value.to_owned(),
    }
}

fn address(street: &str) -> AddressContent {
    AddressContent {
        building: "4321".to_owned(),
        additional_number: "8765".to_owned(),
        street: street.to_owned(),
        additional_street: "gate 4".to_owned(),
        third_line: "hall 2".to_owned(),
        district: "port".to_owned(),
        city: "Jeddah".to_owned(),
        postal_code: "54321".to_owned(),
        region: "Makkah".to_owned(),
        country: "SA".to_owned(),
    }
}

/// A credit note with one line.
#[must_use]
pub fn full_content() -> InvoiceContent {
    InvoiceContent {
        kind: InvoiceKind::CreditNote,
        buyer: BuyerContent {
            name: text("buyer"),
            tax_id: "310122393500003".to_owned(),
            street: "street".to_owned(),
            building: "1234".to_owned(),
            district: "district".to_owned(),
            city: "city".to_owned(),
            postal_code: "12345".to_owned(),
            country: "SA".to_owned(),
            details: buyer_details(),
        },
        issue_date: "2026-11-21".to_owned(),
        due_date: "2026-12-21".to_owned(),
        due_terms: None,
        supply_date: "2026-11-20".to_owned(),
        currency: "SAR".to_owned(),
        lines: vec![LineContent {
            description: text("line"),
            quantity: "2".to_owned(),
            unit: "HUR".to_owned(),
            unit_price: "10.50".to_owned(),
            tax_category: "Z".to_owned(),
            tax_rate: "0".to_owned(),
            exemption_code: "VATEX-SA-34-4".to_owned(),
            id: "1".to_owned(),
            details: line_details(),
        }],
        note: "note".to_owned(),
        note_ar: "ملاحظة".to_owned(),
        correction: Some(Correction {
            key: "0199f3a0-0000-7000-8000-000000000001".into(),
            number: "INV-1".to_owned(),
            issue_date: "2026-11-01".to_owned(),
            reason: "returned".to_owned(),
        }),
        details: details(),
    }
}

fn buyer_details() -> BuyerDetails {
    BuyerDetails {
        trading_name: text("trading name"),
        other_ids: vec![id("CRN", "1010203040"), id("MLS", "20304050")],
        legal_id: id("0088", "6291041500213"),
        electronic_address: id("0235", "100123456700003"),
        contact: ContactContent {
            name: "contact".to_owned(),
            phone: "+966 11 200 0000".to_owned(),
            email: "accounts@buyer.example".to_owned(),
        },
        additional_number: "7654".to_owned(),
        additional_street: "floor 3".to_owned(),
        third_line: "room 12".to_owned(),
        region: "Riyadh region".to_owned(),
    }
}

fn period() -> PeriodContent {
    PeriodContent {
        start: "2026-11-01".to_owned(),
        end: "2026-11-30".to_owned(),
    }
}

fn payment(account: &str) -> PaymentContent {
    PaymentContent {
        code: "30".to_owned(),
        account: account.to_owned(),
        account_name: "account name".to_owned(),
        provider: "RIBLSARI".to_owned(),
        remittance: "remittance".to_owned(),
        name: "means of payment".to_owned(),
        card: CardContent {
            number: "4321".to_owned(),
            network: "network".to_owned(),
            holder: "card holder".to_owned(),
        },
        mandate: MandateContent {
            reference: "mandate".to_owned(),
            payer_account: "SA4420000001234567891234".to_owned(),
        },
    }
}

fn details() -> InvoiceDetails {
    InvoiceDetails {
        period: period(),
        references: ReferencesContent {
            purchase_order: "PO-1".to_owned(),
            buyer: "buyer reference".to_owned(),
            contract: "contract".to_owned(),
            project: "project".to_owned(),
            sales_order: "sales order".to_owned(),
            despatch_advice: "despatch".to_owned(),
            receiving_advice: "receipt".to_owned(),
            accounting: "cost centre".to_owned(),
            tender: "tender".to_owned(),
            invoiced_object: id("ABZ", "meter 7"),
        },
        payment: payment("SA0380000000608010167519"),
        other_payments: vec![payment("SA4420000001234567891234")],
        payment_terms: "30 days".to_owned(),
        tax_currency: "USD".to_owned(),
        exchange_rate: "0.2666".to_owned(),
        prepaid: "1.00".to_owned(),
        rounding: "0.01".to_owned(),
        allowances_charges: vec![AllowanceChargeContent {
            tax_category: "S".to_owned(),
            tax_rate: "15".to_owned(),
            exemption_code: "VATEX-SA-32".to_owned(),
            ..allowance()
        }],
        subtype: "STANDARD".to_owned(),
        tax_point_date: "2026-11-19".to_owned(),
        tax_point_code: "35".to_owned(),
        delivery: DeliveryContent {
            party: text("receiver"),
            location: id("0088", "6291041500220"),
            latest_date: "2026-11-25".to_owned(),
            address: address("quay"),
        },
        payee: PayeeContent {
            name: text("payee"),
            id: id("0060", "123456789"),
            legal_id: id("0192", "987654321"),
        },
        tax_representative: TaxRepresentativeContent {
            name: text("representative"),
            tax_id: "300000000000003".to_owned(),
            address: address("office"),
        },
        preceding_documents: vec![PrecedingContent {
            number: "INV-2".to_owned(),
            issue_date: "2026-11-02".to_owned(),
        }],
        documents: vec![SupportingDocumentContent {
            id: id("AWV", "timesheet"),
            type_code: "130".to_owned(),
            description: "timesheet of November".to_owned(),
            uri: "https://files.example/timesheet".to_owned(),
        }],
    }
}

fn line_details() -> LineDetails {
    LineDetails {
        item_code: "item".to_owned(),
        buyer_item_code: "buyer item".to_owned(),
        order_line: "10".to_owned(),
        note: "line note".to_owned(),
        period: period(),
        price_base: "10".to_owned(),
        exemption_reason: "exempt".to_owned(),
        allowances_charges: vec![allowance()],
        object: id("AAZ", "pump 4"),
        accounting: "4711".to_owned(),
        gross_price: "11.50".to_owned(),
        price_discount: "1.00".to_owned(),
        price_base_unit: "HUR".to_owned(),
        item_description: text("item description"),
        standard_item_code: id("0160", "06291041500237"),
        origin: "AE".to_owned(),
        classifications: vec![ClassificationContent {
            list: "TST".to_owned(),
            version: "19.05.01".to_owned(),
            code: "43211503".to_owned(),
        }],
        attributes: vec![ItemAttributeContent {
            name: "colour".to_owned(),
            value: "black".to_owned(),
        }],
    }
}

/// Of a line, which has no tax of its own.
fn allowance() -> AllowanceChargeContent {
    AllowanceChargeContent {
        kind: AllowanceChargeKind::Charge,
        amount: "0.30".to_owned(),
        percent: "2.5".to_owned(),
        base: "10.00".to_owned(),
        reason: "freight".to_owned(),
        reason_code: "FC".to_owned(),
        ..AllowanceChargeContent::default()
    }
}
