//! The stored form of a draft: JSON with a version, apart from the IPC types, so that a change of these does not change files.
//!
//! A change of these types is a new version: increase [`VERSION`], convert older records when they are read, and keep a
//! file of the older version among the fixtures. Version 0 is version 1 without its version field; version 2 has the state
//! `sending`, version 3 has details and the ids of lines, version 4 the note in
//! Arabic, version 5 every field of the invoice, version 6 the payment instructions after the first,
//! version 7 further preceding documents, version 8 the state `waitingInDoubt`, the terms of the due date, and the notes for the outbox.

use invoicing_contract::DocumentKey;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::SavedDraft;
use super::outbox_notes::OutboxNotes;
use super::stored_content::{Content, Revision, State};
use crate::views;

/// The version that is written.
pub(crate) const VERSION: u32 = 8;

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
    let SavedDraft {
        updated,
        draft,
        notes,
    } = saved.clone();
    serde_json::to_vec(&StoredDraft {
        version: VERSION,
        updated,
        draft: draft.into(),
        notes,
    })
}

/// Reads a record of the current version or an older one.
pub(super) fn from_json(json: &[u8]) -> Result<SavedDraft, RecordError> {
    let VersionField { version } = serde_json::from_slice(json)?;
    if version > VERSION {
        return Err(RecordError::UnknownVersion(version));
    }
    let StoredDraft {
        updated,
        draft,
        notes,
        ..
    } = serde_json::from_slice(json)?;
    Ok(SavedDraft {
        updated,
        draft: draft.into(),
        notes,
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
    #[serde(default, skip_serializing_if = "OutboxNotes::is_empty")]
    notes: OutboxNotes,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Draft {
    key: DocumentKey,
    changes: Option<Revision>,
    content: Content,
    state: State,
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::views::{DraftState, InvoiceContent, Revision, full_content};

    /// Records as versions 1 and 3 to 8 write them. They must be readable for ever.
    const VERSION_1: &str = include_str!("fixtures/record_version_1.json");
    const VERSION_3: &str = include_str!("fixtures/record_version_3.json");
    const VERSION_4: &str = include_str!("fixtures/record_version_4.json");
    const VERSION_5: &str = include_str!("fixtures/record_version_5.json");
    const VERSION_6: &str = include_str!("fixtures/record_version_6.json");
    const VERSION_7: &str = include_str!("fixtures/record_version_7.json");
    const VERSION_8: &str = include_str!("fixtures/record_version_8.json");

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
            notes: OutboxNotes::default(),
        }
    }

    /// As version 6 can hold it.
    fn saved_by_version_6() -> SavedDraft {
        let mut saved = saved();
        let details = &mut saved.draft.content.details;
        details.preceding_documents.clear();
        saved
    }

    /// As version 5 can hold it.
    fn saved_by_version_5() -> SavedDraft {
        let mut saved = saved_by_version_6();
        saved.draft.content.details.other_payments.clear();
        saved
    }

    /// As version 4 can hold it.
    fn saved_by_version_4() -> SavedDraft {
        let mut saved = saved_by_version_5();
        let content = &mut saved.draft.content;
        content.buyer.details = views::BuyerDetails::default();
        let details = &mut content.details;
        details.references.tender.clear();
        details.references.invoiced_object = views::IdentifierContent::default();
        details.payment.name.clear();
        details.payment.card = views::CardContent::default();
        details.payment.mandate = views::MandateContent::default();
        *details = views::InvoiceDetails {
            period: details.period.clone(),
            references: details.references.clone(),
            payment: details.payment.clone(),
            payment_terms: details.payment_terms.clone(),
            tax_currency: details.tax_currency.clone(),
            exchange_rate: details.exchange_rate.clone(),
            prepaid: details.prepaid.clone(),
            rounding: details.rounding.clone(),
            allowances_charges: details.allowances_charges.clone(),
            ..views::InvoiceDetails::default()
        };
        for views::LineContent { details, .. } in &mut content.lines {
            *details = views::LineDetails {
                item_code: details.item_code.clone(),
                buyer_item_code: details.buyer_item_code.clone(),
                order_line: details.order_line.clone(),
                note: details.note.clone(),
                period: details.period.clone(),
                price_base: details.price_base.clone(),
                exemption_reason: details.exemption_reason.clone(),
                allowances_charges: details.allowances_charges.clone(),
                ..views::LineDetails::default()
            };
        }
        saved
    }

    /// As version 3 can hold it.
    fn saved_by_version_3() -> SavedDraft {
        let mut saved = saved_by_version_4();
        saved.draft.content.note_ar.clear();
        saved
    }

    /// As version 1 can hold it.
    fn saved_by_version_1() -> SavedDraft {
        let mut saved = saved_by_version_3();
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
    fn record_of_version_3_is_read_without_the_note_in_arabic() {
        let mut sending = saved_by_version_3();
        sending.draft.state = DraftState::Sending;
        let read = from_json(VERSION_3.as_bytes()).expect("readable");
        assert_eq!(read, sending);
    }

    #[test]
    fn record_of_version_4_is_read_without_the_rarest_fields() {
        let mut sending = saved_by_version_4();
        sending.draft.state = DraftState::Sending;
        let read = from_json(VERSION_4.as_bytes()).expect("readable");
        assert_eq!(read, sending);
    }

    #[test]
    fn record_of_version_5_is_read_with_one_payment_instruction() {
        let mut sending = saved_by_version_5();
        sending.draft.state = DraftState::Sending;
        let read = from_json(VERSION_5.as_bytes()).expect("readable");
        assert_eq!(read, sending);
    }

    #[test]
    fn record_of_version_6_is_read_without_further_preceding_documents() {
        let mut sending = saved_by_version_6();
        sending.draft.state = DraftState::Sending;
        let read = from_json(VERSION_6.as_bytes()).expect("readable");
        assert_eq!(read, sending);
    }

    #[test]
    fn record_of_version_7_is_read_as_it_is() {
        let mut sending = saved();
        sending.draft.state = DraftState::Sending;
        let read = from_json(VERSION_7.as_bytes()).expect("readable");
        assert_eq!(read, sending);
    }

    #[test]
    fn draft_is_written_as_version_8() {
        let mut in_doubt = saved();
        in_doubt.draft.state = DraftState::WaitingInDoubt;
        in_doubt.draft.content.due_terms = Some(views::DueTerms {
            end_of_month: true,
            days: 15,
        });
        let similar = views::SimilarDocument {
            key: "b".into(),
            number: "INV-2".to_owned(),
        };
        in_doubt.notes = OutboxNotes {
            queued: true,
            accepted: vec!["a".into()],
            similar: vec![similar.into()],
        };
        let written = to_json(&in_doubt).expect("written");
        let expected: serde_json::Value = serde_json::from_str(VERSION_8).expect("JSON");
        let value: serde_json::Value = serde_json::from_slice(&written).expect("JSON");
        assert_eq!(value, expected);
        assert_eq!(from_json(&written).expect("readable"), in_doubt);
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
        let record = br#"{"version":9,"anything":[]}"#;
        assert!(matches!(
            from_json(record),
            Err(RecordError::UnknownVersion(9))
        ));
    }

    #[test]
    fn malformed_record_is_refused() {
        assert!(matches!(from_json(b"{"), Err(RecordError::Malformed(_))));
    }
}
