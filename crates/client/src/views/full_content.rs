//! A content with a value in every field, for tests of what is stored and compared.

use super::{BuyerContent, Correction, InvoiceContent, InvoiceKind, LineContent, LocalizedText};

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
        }],
        note: "note".to_owned(),
        correction: Some(Correction {
            key: "0199f3a0-0000-7000-8000-000000000001".into(),
            number: "INV-1".to_owned(),
            issue_date: "2026-11-01".to_owned(),
            reason: "returned".to_owned(),
        }),
    }
}
