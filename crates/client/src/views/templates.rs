//! Templates of invoices, and their schedules.

use invoicing_contract::DocumentKey;
use serde::{Deserialize, Serialize};
use specta::Type;

use super::{LocalizedText, UnreadableReason};

/// The templates of an organization on this computer.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct TemplateList {
    /// By name.
    pub templates: Vec<TemplateView>,
    /// Those whose files cannot be read. The files stay.
    pub unreadable: Vec<UnreadableTemplate>,
}

/// A template as the list shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct TemplateView {
    /// UUIDv7
    pub id: String,
    /// As its author calls it; empty if it has no name.
    pub name: String,
    /// The buyer of its documents.
    pub buyer: LocalizedText,
    /// Number of lines.
    pub lines: u32,
    /// Gross total and currency, if it can be computed.
    pub gross: Option<String>,
    /// ISO 4217
    pub currency: String,
    /// When it makes drafts by itself.
    pub schedule: Option<Schedule>,
    /// The next date of the schedule.
    pub next: Option<String>,
}

/// A template whose file cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct UnreadableTemplate {
    /// Name of the file.
    pub file: String,
    /// Why it cannot be read.
    pub reason: UnreadableReason,
}

/// When a template makes drafts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Schedule {
    /// How often.
    pub frequency: Frequency,
    /// Day of the month, 1 to 31; a shorter month has its last day instead. `None`: always the last day. A weekly schedule has
    /// the weekday of its start.
    pub day: Option<u8>,
    /// The first possible date.
    pub from: String,
    /// The last possible date, or empty.
    pub until: String,
    /// What the documents are about.
    pub period: BilledPeriod,
}

/// How often a template makes a draft.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum Frequency {
    /// Every seven days.
    Weekly,
    /// Every month.
    Monthly,
    /// Every three months.
    Quarterly,
    /// Every twelve months.
    Yearly,
}

/// The billing period (BG-14) of a draft that a schedule makes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum BilledPeriod {
    /// None.
    None,
    /// That which has the date or begins with it.
    Current,
    /// The one before.
    Previous,
}

/// What schedules have made.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct RecurringDrafts {
    /// The drafts that were not sent or discarded yet, the oldest first.
    pub ready: Vec<RecurringDraft>,
    /// How many older dates have no draft: a pause was longer than twelve of them.
    pub left_out: u32,
}

/// A draft that a schedule has made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct RecurringDraft {
    /// Its key.
    pub key: DocumentKey,
    /// Name of its template.
    pub template: String,
    /// Its date in the schedule.
    pub date: String,
}
