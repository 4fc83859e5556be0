//! A content with a value in every field, for tests of what is stored and compared.

use super::{
    AllowanceChargeContent, AllowanceChargeKind, BuyerContent, Correction, InvoiceContent,
    InvoiceDetails, InvoiceKind, LineContent, LineDetails, LocalizedText, PaymentContent,
    PeriodContent, ReferencesContent,
};

fn text(text: &str) -> LocalizedText {
    LocalizedText {
        ar: format!("{text} ar"),
        en: format!("{text} en"),
    }
}

/// A credit note with one line.
pub(crate) fn full_content() -> InvoiceContent {
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
        },
        issue_date: "2026-11-21".to_owned(),
        due_date: "2026-12-21".to_owned(),
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

fn period() -> PeriodContent {
    PeriodContent {
        start: "2026-11-01".to_owned(),
        end: "2026-11-30".to_owned(),
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
        },
        payment: PaymentContent {
            code: "30".to_owned(),
            account: "SA0380000000608010167519".to_owned(),
            account_name: "account name".to_owned(),
            provider: "RIBLSARI".to_owned(),
            remittance: "remittance".to_owned(),
        },
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
