//! What was sent to the tax authority for a document, what it answered, and the settings of the authority.

use std::fmt;

use serde::{Deserialize, Serialize};
use specta::Type;

use super::{InvoiceKind, Violation};

/// What the tax authority has decided about a document (decision 0126).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum SubmissionState {
    /// The authority has certainly not received it yet. It is sent until there is an answer.
    Pending,
    /// The authority may have received it: its answer is missing. The same bytes are sent until there is one.
    Unanswered,
    /// It may be handed over.
    Cleared,
    /// The authority has been told.
    Reported,
    /// Accepted in another way.
    Accepted,
    /// Refused: the document can be corrected and issued again.
    Rejected,
}

/// The submission of a document as it was issued last.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct SubmissionView {
    /// The decision, or that there is none.
    pub state: SubmissionState,
    /// The authority's messages. A message about a part of the document that the form has names its field.
    pub messages: Vec<Violation>,
    /// Accepted, with remarks among the messages.
    pub has_warnings: bool,
    /// When the next attempt is made, RFC 3339. `None` after the answer, and if it is not known.
    pub next_attempt: Option<String>,
    /// Why the latest attempt got no answer. `None`: it has one, or it is not known.
    pub problem: Option<AuthorityProblem>,
}

/// Why a tax authority has not answered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct AuthorityProblem {
    /// What the client has words for.
    pub kind: AuthorityProblemKind,
    /// The status of the HTTP response; 0 if there was none.
    pub http_status: i32,
    /// What the service says, in English.
    pub description: String,
}

/// Why a tax authority has not answered, as the service tells it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum AuthorityProblemKind {
    /// The endpoint in the settings cannot be used.
    Endpoint,
    /// The service cannot set up encrypted connections.
    Service,
    /// The service cannot decrypt the credentials that it has.
    CredentialsUnreadable,
    /// The authority refuses the credentials.
    CredentialsRefused,
    /// There is no connection to it.
    NotConnected,
    /// It did not answer in time.
    NoAnswer,
    /// The connection broke.
    ConnectionLost,
    /// The status of its response is none of a decision.
    Status,
    /// Its response is no decision.
    NotADecision,
    /// Something that this version does not know.
    Other,
}

/// When a document is handed over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum AuthorityMode {
    /// After the authority has answered: issuing waits for it.
    Clearance,
    /// At once: the authority is told afterwards.
    Reporting,
}

/// The settings of an organization's tax authority that can be changed (decision 0127).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct AuthoritySettings {
    /// How the authority is spoken to, as `http`.
    pub adapter: String,
    /// Where documents are sent.
    pub endpoint: String,
    /// When documents are handed over.
    pub mode: AuthorityMode,
    /// The kinds of documents that are sent.
    pub kinds: Vec<InvoiceKind>,
    /// Whether documents are sent.
    pub enabled: bool,
}

/// The tax authority of an organization. Its credentials are written and never read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct AuthorityView {
    /// The settings.
    pub settings: AuthoritySettings,
    /// Whether the service has credentials.
    pub has_credentials: bool,
    /// Of the state that was read: a change carries it.
    pub stamp: String,
}

/// What is done with the stored credentials.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Type)]
#[serde(
    tag = "kind",
    rename_all = "camelCase",
    rename_all_fields = "camelCase"
)]
pub enum CredentialsChange {
    /// They stay.
    Keep,
    /// They are removed.
    Remove,
    /// They are replaced.
    Replace {
        /// Empty: the secret is a bearer token.
        username: String,
        /// Password or token.
        secret: EnteredSecret,
    },
}

/// A secret that the user has typed for the service. It is never stored here, and its `Debug` output does not contain it.
#[derive(Clone, PartialEq, Eq, Deserialize, Type)]
#[serde(transparent)]
pub struct EnteredSecret(String);

impl EnteredSecret {
    /// The text, for the request that takes it.
    pub(crate) fn into_text(self) -> String {
        self.0
    }
}

impl From<&str> for EnteredSecret {
    fn from(secret: &str) -> Self {
        Self(secret.to_owned())
    }
}

impl fmt::Debug for EnteredSecret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("EnteredSecret")
    }
}

/// Whether the tax authority can be reached with the stored settings.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct AuthorityTest {
    /// It answered, and did not refuse the credentials.
    pub reachable: bool,
    /// The status of its HTTP response; 0 if there was none.
    pub http_status: i32,
    /// Why it is not reachable.
    pub problem: Option<AuthorityProblem>,
}
