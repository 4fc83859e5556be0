//! What is kept of a session beside its token: not secret, so that a restart knows who was signed in, and what to say
//! when the keyring does not answer.

use std::path::PathBuf;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::Identity;
use crate::environments::Environment;
use crate::files::{self, Content, NotKept};

/// The account that is signed in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct AccountRecord {
    /// Name of its environment.
    pub(crate) environment: String,
    /// What the session belongs to: the issuer, or the embedded service.
    pub(crate) authority: String,
    /// OAuth client id.
    pub(crate) client_id: String,
    /// From the last verified id_token.
    pub(crate) identity: Identity,
    /// The last time the service answered.
    pub(crate) last_answer: Timestamp,
    /// The generation of the refresh token that was about to be spent. Standing here at a start, it may have been spent
    /// without the next one having been kept.
    #[serde(default)]
    pub(crate) refresh_in_flight: Option<u64>,
}

impl AccountRecord {
    /// Whether the environment is still the one that was signed in to.
    pub(crate) fn belongs_to(&self, environment: &Environment) -> bool {
        self.authority == environment.authority() && self.client_id == environment.client_id()
    }

    /// The keyring's name for its refresh token.
    pub(crate) fn vault_entry(&self) -> String {
        format!(
            "{} {} {}",
            self.authority, self.client_id, self.identity.subject
        )
    }
}

/// The file that holds the record.
pub(crate) struct AccountFile {
    path: PathBuf,
}

impl AccountFile {
    pub(crate) fn new(path: PathBuf) -> Self {
        Self { path }
    }

    /// The kept record. One that cannot be read counts as none: signing in again makes another.
    pub(crate) async fn read(&self) -> Option<AccountRecord> {
        let path = self.path.clone();
        match files::off_thread(move || files::read_json(&path)).await {
            Ok(Content::Good(record)) => Some(record),
            Ok(Content::Missing) => None,
            Ok(Content::SetAside) | Err(_) => {
                tracing::warn!("the kept account could not be read");
                None
            }
        }
    }

    pub(crate) async fn write(&self, record: &AccountRecord) -> Result<(), NotKept> {
        let (path, record) = (self.path.clone(), record.clone());
        files::off_thread(move || files::write_json(&path, &record)).await
    }

    pub(crate) async fn remove(&self) -> Result<(), NotKept> {
        let path = self.path.clone();
        files::off_thread(move || files::remove(&path)).await
    }
}
