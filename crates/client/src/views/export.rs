//! Exports of lists to files.

use serde::{Deserialize, Serialize};
use specta::Type;

use super::{CommandError, Language};

/// The format of an exported file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum ExportFormat {
    /// Comma-separated values, for any program.
    Csv,
    /// A workbook of Office Open XML.
    Xlsx,
}

/// What an exported file has.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ExportOptions {
    /// The format of the file.
    pub format: ExportFormat,
    /// Names of columns of the service, in their order; the usual ones if empty.
    pub columns: Vec<String>,
    /// Of the heads, kinds and states.
    pub language: Language,
}

/// Whether an export is under way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum ExportState {
    /// The file is being written, beside the chosen one.
    Running,
    /// The chosen file is complete.
    Finished,
    /// The user has cancelled it. There is no file.
    Cancelled,
    /// It failed. There is no file.
    Failed,
    /// The application ended before it did. There is no file.
    Interrupted,
}

/// An export since the start of the application, or one that its last end has interrupted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Export {
    /// For the commands about it.
    pub id: u32,
    /// The name of the file, without its folder.
    pub file: String,
    /// The format of the file.
    pub format: ExportFormat,
    /// Whether it is under way.
    pub state: ExportState,
    /// How many documents are to be exported.
    pub total: u32,
    /// How many rows have been written; of a workbook all that it has, which the service says. `None`: it is not known yet.
    pub rows: Option<u32>,
    /// How much has been written, in KiB.
    pub kibibytes: u32,
    /// Why it failed.
    pub error: Option<Box<CommandError>>,
}
