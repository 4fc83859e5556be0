//! The stored form of a template: JSON with a version, and with the version of the content in it, which is that of drafts.

use invoicing_contract::DocumentKey;
use jiff::Timestamp;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use super::content::Terms;
use super::schedule::Dates;
use crate::drafts::{CONTENT_VERSION, StoredContent};
use crate::encrypted_records::{OwnerRecords, Record, RecordError};
use crate::encryption::DecryptError;
use crate::views::{InvoiceContent, UnreadableReason};

/// The version that is written.
const VERSION: u32 = 1;
const EXTENSION: &str = ".template";

/// A template.
#[derive(Clone)]
pub(super) struct Template {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) content: InvoiceContent,
    pub(super) terms: Terms,
    pub(super) schedule: Option<Dates>,
    /// The last date that has a draft, or was left out. No draft is made of it or an earlier one.
    pub(super) produced: Option<Date>,
    /// Drafts that are being written: their dates count as produced. After a crash they are written again under the same keys.
    pub(super) pending: Vec<Made>,
    /// The last drafts that were written.
    pub(super) made: Vec<Made>,
    /// How many dates were left out when drafts were made last.
    pub(super) left_out: u32,
    pub(super) removed: Option<Timestamp>,
    /// When a document was made of it last, or when it was saved; `None` in a file of an earlier version.
    pub(super) used: Option<Timestamp>,
}

/// A draft of a date.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Made {
    pub(super) date: Date,
    pub(super) key: DocumentKey,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Versions {
    version: u32,
    content_version: u32,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Stored {
    version: u32,
    content_version: u32,
    name: String,
    content: StoredContent,
    due_days: Option<i32>,
    /// An earlier version did not write it, and reads `due_days` alone.
    days_after_month_end: Option<u32>,
    supplied_at_issue: bool,
    schedule: Option<Dates>,
    produced: Option<Date>,
    pending: Vec<Made>,
    made: Vec<Made>,
    left_out: u32,
    removed: Option<Timestamp>,
    used: Option<Timestamp>,
}

/// The ids of all templates.
pub(super) fn ids(records: &OwnerRecords) -> Result<Vec<String>, RecordError> {
    let names = records.names()?;
    let ids = names.iter().filter_map(|name| name.strip_suffix(EXTENSION));
    Ok(ids.map(str::to_owned).collect())
}

/// One template, or why its file gives none; `None` if there is no file.
pub(super) fn read(
    records: &OwnerRecords,
    id: &str,
) -> Result<Option<Result<Template, UnreadableReason>>, RecordError> {
    Ok(match records.read(&file_name(id))? {
        None => None,
        Some(Record::Unreadable(DecryptError::OtherKey)) => Some(Err(UnreadableReason::OtherKey)),
        Some(Record::Unreadable(DecryptError::NotAuthentic)) => {
            Some(Err(UnreadableReason::Damaged))
        }
        Some(Record::Readable(json)) => Some(from_json(id, &json)),
    })
}

pub(super) fn write(records: &OwnerRecords, template: &Template) -> Result<(), RecordError> {
    let Template {
        id,
        name,
        content,
        terms,
        schedule,
        produced,
        pending,
        made,
        left_out,
        removed,
        used,
    } = template.clone();
    let json = serde_json::to_vec(&Stored {
        version: VERSION,
        content_version: CONTENT_VERSION,
        name,
        content: content.into(),
        due_days: terms.due_days,
        days_after_month_end: terms.days_after_month_end,
        supplied_at_issue: terms.supplied_at_issue,
        schedule,
        produced,
        pending,
        made,
        left_out,
        removed,
        used,
    })?;
    records.write(&file_name(&id), &json)
}

pub(super) fn remove(records: &OwnerRecords, id: &str) -> Result<(), RecordError> {
    records.remove(&file_name(id))
}

pub(super) fn file_name(id: &str) -> String {
    format!("{id}{EXTENSION}")
}

fn from_json(id: &str, json: &[u8]) -> Result<Template, UnreadableReason> {
    // The parser's message can quote the content.
    let versions: Versions =
        serde_json::from_slice(json).map_err(|_error| UnreadableReason::Damaged)?;
    if versions.version > VERSION || versions.content_version > CONTENT_VERSION {
        return Err(UnreadableReason::NewerVersion);
    }
    let stored: Stored =
        serde_json::from_slice(json).map_err(|_error| UnreadableReason::Damaged)?;
    Ok(Template {
        id: id.to_owned(),
        name: stored.name,
        content: stored.content.into(),
        terms: Terms {
            due_days: stored.due_days,
            days_after_month_end: stored.days_after_month_end,
            supplied_at_issue: stored.supplied_at_issue,
        },
        schedule: stored.schedule,
        produced: stored.produced,
        pending: stored.pending,
        made: stored.made,
        left_out: stored.left_out,
        removed: stored.removed,
        used: stored.used,
    })
}
