//! How a user has arranged the list, the form and the reports of an organization on this computer.

use serde::{Deserialize, Serialize};
use specta::Type;

/// Saved views and columns of the list, what is unfolded in the form, and the period of the reports.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ListSettings {
    /// The user's own views, in their order.
    pub views: Vec<SavedView>,
    /// The columns that are shown, in their order. The usual ones if empty.
    pub columns: Vec<ListColumn>,
    /// The groups of rarely used fields of the form that the user has unfolded, as the UI names them (decision 0132).
    #[serde(default)]
    pub unfolded: Vec<String>,
    /// The period of the reports that was chosen last. `None`: none was.
    #[serde(default)]
    pub report_period: Option<ReportPeriod>,
}

/// A period of reports.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ReportPeriod {
    /// As the UI names it: one that follows the day of today, or a range of days.
    pub name: String,
    /// The first day of a range, ISO 8601; empty otherwise.
    pub from: String,
    /// The last day of a range, ISO 8601; empty otherwise.
    pub to: String,
}

/// A filter with a name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct SavedView {
    /// Made by the UI.
    pub id: String,
    /// Given by the user.
    pub name: String,
    /// Filter and sort order as the JSON of an `InvoiceQuery`. Text, so that a view survives fields that come and go.
    pub filter: String,
    /// The columns of the view. Those of the list if empty.
    pub columns: Vec<ListColumn>,
}

/// A column that is shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ListColumn {
    /// As the UI names it.
    pub name: String,
    /// In pixels, if the user has changed it.
    pub width: Option<u32>,
}
