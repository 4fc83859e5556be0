//! Events of the audit, as administrators and operators see them.

use serde::{Deserialize, Serialize};
use specta::Type;

/// Whose events are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum AuditScope {
    /// Those of the organization of the window, for its administrators.
    Organization,
    /// Those of all organizations and of the platform, for operators.
    Platform,
}

/// Which events are read. What is empty does not filter.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct AuditQuery {
    /// Whose events.
    pub scope: AuditScope,
    /// The id of an organization; only with the scope of the platform.
    pub organization: String,
    /// From this time on, RFC 3339.
    pub from: String,
    /// Before this time, RFC 3339.
    pub to: String,
    /// Any of these kinds, as `role_granted`.
    pub kinds: Vec<String>,
    /// The id of whom an event is about, or who caused it.
    pub person: String,
    /// The client id of an application.
    pub application: String,
    /// Of one request.
    pub correlation_id: String,
}

/// An event of the audit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct AuditEventView {
    /// With the time it distinguishes events.
    pub id: String,
    /// RFC 3339
    pub time: String,
    /// As `role_granted`.
    pub kind: String,
    /// Whom it is about; `None`: nobody.
    pub subject: Option<AuditPerson>,
    /// Who caused it, if not the subject.
    pub actor: Option<AuditPerson>,
    /// The id of the organization; empty: it is about the platform.
    pub organization: String,
    /// The name of the organization, or empty.
    pub organization_name: String,
    /// The name of the organization in Arabic, or empty.
    pub organization_name_ar: String,
    /// The client id of the application, or empty.
    pub application: String,
    /// The name of the application, or empty.
    pub application_name: String,
    /// The IP address of the caller, or empty.
    pub address: String,
    /// The request, or empty.
    pub correlation_id: String,
    /// Further values, by their names.
    pub details: Vec<AuditDetail>,
}

/// A person or machine user of an event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct AuditPerson {
    /// The id, or `command line`.
    pub id: String,
    /// Empty if it is deleted, or of another organization.
    pub name: String,
}

/// A further value of an event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct AuditDetail {
    /// As `role`.
    pub name: String,
    /// As `clerk`.
    pub value: String,
}

/// A page of events, the newest first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct AuditPage {
    /// The page.
    pub events: Vec<AuditEventView>,
    /// For the next page; empty on the last.
    pub next_page: String,
}
