//! The accounts that are remembered on this computer.

use serde::{Deserialize, Serialize};
use specta::Type;

/// What only this computer has of an account, also in organizations in which it has no role any more.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct AccountData {
    /// Drafts that were not sent.
    pub drafts: u32,
    /// Templates with their schedules, also those that were removed and can be restored.
    pub templates: u32,
    /// Files that wait to be attached to a document.
    pub waiting_files: u32,
}

/// An account that can be switched to without signing in again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct AccountView {
    /// For commands; it says nothing.
    pub id: String,
    /// Name of its environment.
    pub environment: String,
    /// `name`, or else the user name.
    pub name: String,
    /// `preferred_username`
    pub username: String,
    /// When the service answered it last, RFC 3339.
    pub last_used: String,
    /// Whether this window works with it now.
    pub active: bool,
    /// Whether it is kept for the next start.
    pub remembered: bool,
}
