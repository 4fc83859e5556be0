//! Selections of documents, and bulk runs over them.

use invoicing_contract::OrganizationId;
use serde::{Deserialize, Serialize};
use specta::Type;

use super::{CommandError, CurrencySum, Export, InvoiceQuery, InvoiceRow};

/// Documents that the user has selected in a list.
#[expect(
    clippy::large_enum_variant,
    reason = "one is made for each bulk command; a box would only move it"
)]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(
    tag = "base",
    rename_all = "camelCase",
    rename_all_fields = "camelCase"
)]
pub enum DocumentSelection {
    /// These.
    Rows {
        /// As they were shown.
        rows: Vec<InvoiceRow>,
    },
    /// All of a filter.
    All {
        /// The filter. Its page does not count.
        query: InvoiceQuery,
        /// Those of the filter that are not selected.
        excluded: Vec<InvoiceRow>,
    },
}

/// What is done with each document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum BulkAction {
    /// Number drafts, and documents that the tax authority has rejected.
    Issue,
    /// Make issued documents immutable.
    Freeze,
    /// Save the PDF of each as a file.
    SavePdf,
    /// Save the UBL of each that has a number as a file.
    SaveUbl,
}

/// What a bulk run would do.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct BulkPlan {
    /// How many documents of the selection are in a state for it.
    pub count: u32,
    /// How many are not, and are left as they are.
    pub skipped: u32,
    /// Of the documents that are, one for each currency.
    pub sums: Vec<CurrencySum>,
}

/// What a part of a selection has shown that was checked before a bulk run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct BulkCheck {
    /// How many documents were checked.
    pub checked: u32,
    /// Those of them that the service would refuse, each with its reason.
    pub refused: Vec<BulkResult>,
    /// Where the next part begins. `None`: there is none, or enough were checked.
    pub next: Option<u32>,
}

/// Whether a bulk run is under way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum BulkState {
    /// The documents of the filter are being read. Nothing is changed yet.
    Collecting,
    /// Batches are being sent, or files saved.
    Running,
    /// It can be continued: the user has stopped it, the application ended, or an error keeps it from going on.
    Stopped,
    /// Every document has an outcome.
    Finished,
}

/// A bulk run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct BulkRun {
    /// For the commands about it.
    pub id: String,
    /// What is done with each document.
    pub action: BulkAction,
    /// The name of the folder that files are saved to, without where it is. `None`: it saves none.
    pub folder: Option<String>,
    /// Whether it is under way.
    pub state: BulkState,
    /// How many documents it is about, and their sums, as the user has confirmed them.
    pub plan: BulkPlan,
    /// How many documents have been read, while they are collected.
    pub collected: u32,
    /// How many documents are done.
    pub done: u32,
    /// How many documents have failed, or were rejected.
    pub failed: u32,
    /// When the user has confirmed it, RFC 3339.
    pub started: String,
    /// Whether it can be continued after a restart: its ledger is on the disk.
    pub durable: bool,
    /// Whether it was under way when the application ended.
    pub interrupted: bool,
    /// Why it does not go on, if it is an error.
    pub error: Option<Box<CommandError>>,
    /// What the filter has instead of what was confirmed. Nothing was changed.
    pub changed: Option<BulkPlan>,
}

/// The bulk runs and exports of an organization since the start of the program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct OrganizationWork {
    /// The organization.
    pub organization: OrganizationId,
    /// In no order.
    pub runs: Vec<BulkRun>,
    /// The newest first.
    pub exports: Vec<Export>,
}

/// A document of a bulk run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct BulkResult {
    /// As it was when it was selected, or as it is after the write.
    pub row: InvoiceRow,
    /// What became of it.
    pub outcome: BulkOutcome,
}

/// What became of a document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(
    tag = "state",
    rename_all = "camelCase",
    rename_all_fields = "camelCase"
)]
pub enum BulkOutcome {
    /// Its turn has not come, or its outcome is not known yet.
    Left,
    /// It is issued or frozen.
    Done,
    /// Its file is in the folder of the run.
    Saved {
        /// The name of the file.
        file: String,
    },
    /// The tax authority has refused it. It can be corrected and issued again.
    Rejected,
    /// It is as it was.
    Failed {
        /// Why.
        error: Box<CommandError>,
    },
    /// It is a draft as before: a file that waits for it was not sent, and issuing closes the attachments (decision 0151).
    FileNotSent {
        /// Why.
        error: Box<CommandError>,
    },
}

/// A page of the documents of a bulk run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct BulkResultPage {
    /// The page.
    pub results: Vec<BulkResult>,
    /// Of all pages.
    pub total: u32,
}
