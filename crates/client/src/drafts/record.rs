//! The stored form of a draft: JSON with a version, apart from the IPC types, so that a change of these does not change files.
//!
//! A change of these types is a new version: increase [`VERSION`], convert older records when they are read, and keep a
//! file of the older version among the fixtures. Version 0 is version 1 without its version field; version 2 has the state
//! `sending`, version 3 has details and the ids of lines.

use invoicing_contract::{ConcurrencyStamp, DocumentKey};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::SavedDraft;
use crate::views;

/// The version that is written.
pub(crate) const VERSION: u32 = 3;

/// Why a record was not read.
#[derive(Debug, Error)]
pub(super) enum RecordError {
    /// A newer version of the application wrote it.
    #[error("a draft has version {0}, which is unknown")]
    UnknownVersion(u32),
    /// It is not the JSON of a draft.
    #[error("a draft is malformed")]
    Malformed(#[from] serde_json::Error),
}

/// Serializes a draft as a record of the current version.
pub(super) fn to_json(saved: &SavedDraft) -> Result<Vec<u8>, serde_json::Error> {
    let SavedDraft { updated, draft } = saved.clone();
    serde_json::to_vec(&StoredDraft {
        version: VERSION,
        updated,
        draft: draft.into(),
    })
}

/// Reads a record of the current version or an older one.
pub(super) fn from_json(json: &[u8]) -> Result<SavedDraft, RecordError> {
    let VersionField { version } = serde_json::from_slice(json)?;
    if version > VERSION {
        return Err(RecordError::UnknownVersion(version));
    }
    let StoredDraft { updated, draft, .. } = serde_json::from_slice(json)?;
    Ok(SavedDraft {
        updated,
        draft: draft.into(),
    })
}

/// The only field that every version has.
#[derive(Deserialize)]
struct VersionField {
    #[serde(default)]
    version: u32,
}

#[derive(Serialize, Deserialize)]
struct StoredDraft {
    #[serde(default)]
    version: u32,
    updated: Timestamp,
    draft: Draft,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Draft {
    key: DocumentKey,
    changes: Option<Revision>,
    content: Content,
    state: State,
}

/// A content, also of a template.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Content {
    kind: Kind,
    buyer: Buyer,
    issue_date: String,
    due_date: String,
    supply_date: String,
    currency: String,
    lines: Vec<Line>,
    note: String,
    correction: Option<Correction>,
    #[serde(default)]
    details: Details,
}

/// Defines a stored struct, and the conversions from and to the IPC struct with the same fields. A field that is missing
/// here does not compile. A list is in brackets.
macro_rules! stored_structs {
    ($($name:ident <=> $view:ident {
        $($(#[$attribute:meta])* $field:ident: $type:ty),* $(,)?
    } $([$list:ident: $item:ty])?)*) => {$(
        #[derive(Serialize, Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct $name {
            $($(#[$attribute])* $field: $type,)*
            $($list: Vec<$item>,)?
        }

        impl From<views::$view> for $name {
            fn from(view: views::$view) -> Self {
                let views::$view { $($field,)* $($list)? } = view;
                Self {
                    $($field: $field.into(),)*
                    $($list: $list.into_iter().map(Into::into).collect(),)?
                }
            }
        }

        impl From<$name> for views::$view {
            fn from(stored: $name) -> Self {
                let $name { $($field,)* $($list)? } = stored;
                Self {
                    $($field: $field.into(),)*
                    $($list: $list.into_iter().map(Into::into).collect(),)?
                }
            }
        }
    )*};
}

stored_structs! {
    Revision <=> Revision { stamp: ConcurrencyStamp, content: Content }
    Text <=> LocalizedText { ar: String, en: String }
    Correction <=> Correction { key: DocumentKey, number: String, issue_date: String, reason: String }
    Buyer <=> BuyerContent {
        name: Text,
        tax_id: String,
        street: String,
        building: String,
        district: String,
        city: String,
        postal_code: String,
        country: String,
    }
    Line <=> LineContent {
        description: Text,
        quantity: String,
        unit: String,
        unit_price: String,
        tax_category: String,
        tax_rate: String,
        exemption_code: String,
        #[serde(default)]
        id: String,
        #[serde(default)]
        details: LineDetails,
    }
    Details <=> InvoiceDetails {
        period: Period,
        references: References,
        payment: Payment,
        payment_terms: String,
        tax_currency: String,
        exchange_rate: String,
        prepaid: String,
        rounding: String,
    } [allowances_charges: AllowanceCharge]
    LineDetails <=> LineDetails {
        item_code: String,
        buyer_item_code: String,
        order_line: String,
        note: String,
        period: Period,
        price_base: String,
        exemption_reason: String,
    } [allowances_charges: AllowanceCharge]
    Period <=> PeriodContent { start: String, end: String }
    References <=> ReferencesContent {
        purchase_order: String,
        buyer: String,
        contract: String,
        project: String,
        sales_order: String,
        despatch_advice: String,
        receiving_advice: String,
        accounting: String,
    }
    Payment <=> PaymentContent {
        code: String,
        account: String,
        account_name: String,
        provider: String,
        remittance: String,
    }
    AllowanceCharge <=> AllowanceChargeContent {
        kind: AllowanceChargeKind,
        amount: String,
        percent: String,
        base: String,
        reason: String,
        reason_code: String,
        tax_category: String,
        tax_rate: String,
        exemption_code: String,
    }
}

impl Default for Details {
    fn default() -> Self {
        views::InvoiceDetails::default().into()
    }
}

impl Default for LineDetails {
    fn default() -> Self {
        views::LineDetails::default().into()
    }
}

/// The same for enums.
macro_rules! stored_enums {
    ($($name:ident <=> $view:ident { $($variant:ident),* $(,)? })*) => {$(
        #[derive(Serialize, Deserialize)]
        #[serde(rename_all = "camelCase")]
        enum $name { $($variant),* }

        impl From<views::$view> for $name {
            fn from(view: views::$view) -> Self {
                match view { $(views::$view::$variant => Self::$variant),* }
            }
        }

        impl From<$name> for views::$view {
            fn from(stored: $name) -> Self {
                match stored { $($name::$variant => Self::$variant),* }
            }
        }
    )*};
}

stored_enums! {
    Kind <=> InvoiceKind { Invoice, CreditNote, DebitNote }
    AllowanceChargeKind <=> AllowanceChargeKind { Allowance, Charge }
    State <=> DraftState { Editing, Waiting, Sending, Refused, UnknownOutcome }
}

impl From<views::Draft> for Draft {
    fn from(view: views::Draft) -> Self {
        let views::Draft {
            key,
            changes,
            content,
            state,
        } = view;
        Self {
            key,
            changes: changes.map(Into::into),
            content: content.into(),
            state: state.into(),
        }
    }
}

impl From<Draft> for views::Draft {
    fn from(stored: Draft) -> Self {
        let Draft {
            key,
            changes,
            content,
            state,
        } = stored;
        Self {
            key,
            changes: changes.map(Into::into),
            content: content.into(),
            state: state.into(),
        }
    }
}

impl From<views::InvoiceContent> for Content {
    fn from(view: views::InvoiceContent) -> Self {
        let views::InvoiceContent {
            kind,
            buyer,
            issue_date,
            due_date,
            supply_date,
            currency,
            lines,
            note,
            correction,
            details,
        } = view;
        Self {
            kind: kind.into(),
            buyer: buyer.into(),
            issue_date,
            due_date,
            supply_date,
            currency,
            lines: lines.into_iter().map(Into::into).collect(),
            note,
            correction: correction.map(Into::into),
            details: details.into(),
        }
    }
}

impl From<Content> for views::InvoiceContent {
    fn from(stored: Content) -> Self {
        let Content {
            kind,
            buyer,
            issue_date,
            due_date,
            supply_date,
            currency,
            lines,
            note,
            correction,
            details,
        } = stored;
        Self {
            kind: kind.into(),
            buyer: buyer.into(),
            issue_date,
            due_date,
            supply_date,
            currency,
            lines: lines.into_iter().map(Into::into).collect(),
            note,
            correction: correction.map(Into::into),
            details: details.into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::views::{DraftState, InvoiceContent, Revision, full_content};

    /// Records as versions 1 and 3 write them. They must be readable for ever.
    const VERSION_1: &str = include_str!("fixtures/record_version_1.json");
    const VERSION_3: &str = include_str!("fixtures/record_version_3.json");

    fn saved() -> SavedDraft {
        SavedDraft {
            updated: "2026-11-21T08:30:00Z".parse().expect("a time"),
            draft: views::Draft {
                key: "0199f3a0-0000-7000-8000-000000000002".into(),
                changes: Some(Revision {
                    stamp: "7".into(),
                    content: InvoiceContent::default(),
                }),
                content: full_content(),
                state: DraftState::UnknownOutcome,
            },
        }
    }

    /// As version 1 can hold it.
    fn saved_by_version_1() -> SavedDraft {
        let mut saved = saved();
        saved.draft.content.details = views::InvoiceDetails::default();
        for line in &mut saved.draft.content.lines {
            line.id = String::new();
            line.details = views::LineDetails::default();
        }
        saved
    }

    #[test]
    fn record_of_version_1_is_read_without_details() {
        let read = from_json(VERSION_1.as_bytes()).expect("readable");
        assert_eq!(read, saved_by_version_1());
    }

    #[test]
    fn draft_is_written_as_version_3() {
        let mut sending = saved();
        sending.draft.state = DraftState::Sending;
        let written = to_json(&sending).expect("written");
        let expected: serde_json::Value = serde_json::from_str(VERSION_3).expect("JSON");
        let value: serde_json::Value = serde_json::from_slice(&written).expect("JSON");
        assert_eq!(value, expected);
        assert_eq!(from_json(&written).expect("readable"), sending);
    }

    #[test]
    fn record_without_a_version_is_read_as_version_0() {
        let mut record: serde_json::Value = serde_json::from_str(VERSION_1).expect("JSON");
        record
            .as_object_mut()
            .expect("an object")
            .remove("version")
            .expect("a version");
        let read = from_json(record.to_string().as_bytes());
        assert_eq!(read.expect("readable"), saved_by_version_1());
    }

    #[test]
    fn record_of_an_unknown_version_is_refused() {
        let record = br#"{"version":4,"anything":[]}"#;
        assert!(matches!(
            from_json(record),
            Err(RecordError::UnknownVersion(4))
        ));
    }

    #[test]
    fn malformed_record_is_refused() {
        assert!(matches!(from_json(b"{"), Err(RecordError::Malformed(_))));
    }
}
