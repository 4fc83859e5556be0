//! The store of secrets: the system's keyring. Without one, secrets last until the program ends.

mod keyring;
#[cfg(any(test, feature = "testing"))]
mod memory;

use std::sync::Arc;
use std::time::Duration;

use secrecy::SecretString;
use thiserror::Error;

use crate::BoxFuture;
use crate::clock::Clock;
use crate::views::{CommandError, VaultProblem};

pub use keyring::system_vault;
#[cfg(any(test, feature = "testing"))]
pub use memory::MemoryVault;

/// A keyring. A call may take as long as the user needs to unlock it, or never return: the callers in this crate bound it.
pub trait Vault: Send + Sync {
    /// Reads the secret of an entry. `None` if there is none.
    fn read(&self, entry: &str) -> BoxFuture<'static, Result<Option<SecretString>, VaultError>>;
    /// Writes a secret. Dropping the future does not cancel the write.
    fn write(
        &self,
        entry: &str,
        secret: SecretString,
    ) -> BoxFuture<'static, Result<(), VaultError>>;
    /// Deletes a secret. It is not an error if there is none.
    fn delete(&self, entry: &str) -> BoxFuture<'static, Result<(), VaultError>>;
}

/// Why a call to the keyring failed. It holds nothing of the keyring's own error, which may contain a secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum VaultError {
    /// It is locked, or the user dismissed the unlock prompt.
    #[error("the keyring is locked")]
    Locked,
    /// There is none, or it refuses every call.
    #[error("no keyring is available")]
    Unavailable,
    /// It did not answer in time: probably its prompt is open.
    #[error("the keyring did not answer in time")]
    TimedOut,
}

impl VaultError {
    /// The error as the UI shows it.
    pub(crate) const fn problem(self) -> VaultProblem {
        match self {
            Self::Locked => VaultProblem::Locked,
            Self::Unavailable => VaultProblem::Absent,
            Self::TimedOut => VaultProblem::Waiting,
        }
    }
}

impl From<VaultError> for CommandError {
    fn from(error: VaultError) -> Self {
        Self::Vault {
            problem: error.problem(),
        }
    }
}

/// How long a call may take if the user was not asked to unlock the keyring.
pub(crate) const KEYRING_TIMEOUT: Duration = Duration::from_secs(10);

/// How long the user may take to unlock the keyring.
pub(crate) const UNLOCK_TIMEOUT: Duration = Duration::from_secs(120);

/// Awaits a call for at most `timeout`, and returns a call that has not answered, which goes on.
pub(crate) async fn answer_within<T>(
    clock: &Arc<dyn Clock>,
    timeout: Duration,
    mut call: BoxFuture<'static, Result<T, VaultError>>,
) -> Result<Result<T, VaultError>, BoxFuture<'static, Result<T, VaultError>>> {
    tokio::select! {
        answer = &mut call => Ok(answer),
        () = clock.sleep(timeout) => Err(call),
    }
}

/// Awaits a call, and returns [`VaultError::TimedOut`] if it takes longer than `timeout`.
pub(crate) async fn with_timeout<T>(
    clock: &Arc<dyn Clock>,
    timeout: Duration,
    call: BoxFuture<'static, Result<T, VaultError>>,
) -> Result<T, VaultError> {
    tokio::select! {
        outcome = call => outcome,
        () = clock.sleep(timeout) => Err(VaultError::TimedOut),
    }
}
