//! The account file: what is stored of a session besides its refresh token. It holds no secret, so that the account is
//! known after a restart even if the keyring does not answer.

use std::path::PathBuf;

use invoicing_contract::ClientId;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::files::{self, FileContent, FileError};
use crate::provider::Identity;
use crate::views::CommandError;

/// The signed-in account.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct AccountRecord {
    /// Name of its environment.
    pub(crate) environment: String,
    /// The issuer, or a fixed name for the embedded service, see
    /// [`Environment::authority`](crate::environments::Environment::authority).
    pub(crate) authority: String,
    /// OAuth client id.
    pub(crate) client_id: ClientId,
    /// From the last verified id_token.
    pub(crate) identity: Identity,
    /// When the service answered last.
    pub(crate) last_answer: Timestamp,
    /// The generation of the refresh token that is being exchanged. If it is set at a start, the token may have been
    /// exchanged without the next one having been stored.
    #[serde(default)]
    pub(crate) refresh_in_flight: Option<u64>,
    /// Whether the provider issued a refresh token. Without one the session ends with its access token.
    #[serde(default = "yes")]
    pub(crate) renewable: bool,
    /// Whether the session outlives the program. Otherwise nothing of it is in the keyring or in a file.
    #[serde(default = "yes")]
    pub(crate) remembered: bool,
    /// Tells it from other sessions of the same user. Empty in a record of an earlier version.
    #[serde(default)]
    pub(crate) session: String,
}

/// Records of earlier versions do not have the field.
const fn yes() -> bool {
    true
}

impl AccountRecord {
    /// The name of the keyring entry with its refresh token.
    pub(crate) fn vault_entry(&self) -> String {
        format!(
            "{} {} {}",
            self.authority, self.client_id, self.identity.subject
        )
    }
}

/// Reads and writes the account file.
pub(crate) struct AccountFile {
    path: PathBuf,
}

impl AccountFile {
    pub(crate) fn new(path: PathBuf) -> Self {
        Self { path }
    }

    /// The stored record. A file that cannot be parsed counts as none and is kept under another name.
    ///
    /// # Errors
    /// The disk does not give the file: whether somebody is signed in is unknown.
    pub(crate) async fn read(&self) -> Result<Option<AccountRecord>, FileError> {
        let path = self.path.clone();
        match files::run_blocking(move || files::read_json(&path)).await? {
            FileContent::Parsed(record) => Ok(Some(record)),
            FileContent::Missing => Ok(None),
            FileContent::Quarantined => {
                tracing::warn!("the account file cannot be parsed");
                Ok(None)
            }
        }
    }

    pub(crate) async fn write(&self, record: &AccountRecord) -> Result<(), FileError> {
        let (path, record) = (self.path.clone(), record.clone());
        files::run_blocking(move || files::write_json(&path, &record)).await
    }

    pub(crate) async fn remove(&self) -> Result<(), FileError> {
        let path = self.path.clone();
        files::run_blocking(move || files::remove(&path)).await
    }
}

/// The error of a file that says who is signed in. Nothing is deleted or overwritten because of it.
pub(super) fn account_not_read(error: &FileError) -> CommandError {
    tracing::warn!(
        error = error as &dyn std::error::Error,
        "what is stored of a session cannot be read"
    );
    CommandError::AccountNotRead {
        problem: error.problem(),
        reason: error.reason(),
    }
}
