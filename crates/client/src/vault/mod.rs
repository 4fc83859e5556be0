//! Where secrets are kept: the system's keyring. There is no other place; without it they last until the program ends.

mod keyring;
#[cfg(any(test, feature = "testing"))]
mod memory;

use std::sync::Arc;
use std::time::Duration;

use secrecy::SecretString;
use thiserror::Error;

use crate::BoxFuture;
use crate::clock::Clock;
use crate::views::{CommandError, VaultTrouble};

pub use keyring::system_vault;
#[cfg(any(test, feature = "testing"))]
pub use memory::MemoryVault;

/// A keyring. Its answers may take as long as a person needs to unlock it, or for ever: see [`bounded`].
pub trait Vault: Send + Sync {
    /// The secret of an entry, if there is one.
    fn read(&self, entry: &str) -> BoxFuture<'static, Result<Option<SecretString>, VaultError>>;
    /// Keeps a secret. When the future is dropped the writing goes on.
    fn write(
        &self,
        entry: &str,
        secret: SecretString,
    ) -> BoxFuture<'static, Result<(), VaultError>>;
    /// Forgets a secret; fine if there is none.
    fn delete(&self, entry: &str) -> BoxFuture<'static, Result<(), VaultError>>;
}

/// Why a keyring did not do what was asked. It holds nothing of what the keyring said: that may be a secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum VaultError {
    /// It is locked, or a person dismissed the question to unlock it.
    #[error("the keyring is locked")]
    Locked,
    /// There is none, or it refuses.
    #[error("there is no keyring")]
    Absent,
    /// It does not answer.
    #[error("the keyring does not answer")]
    Silent,
}

impl VaultError {
    pub(crate) const fn trouble(self) -> VaultTrouble {
        match self {
            Self::Locked => VaultTrouble::Locked,
            Self::Absent => VaultTrouble::Absent,
            Self::Silent => VaultTrouble::Silent,
        }
    }
}

impl From<VaultError> for CommandError {
    fn from(error: VaultError) -> Self {
        Self::Vault {
            trouble: error.trouble(),
        }
    }
}

/// How long a keyring may take when nobody was asked to unlock it.
pub(crate) const PATIENCE: Duration = Duration::from_secs(10);

/// How long a person may take to unlock it.
pub(crate) const UNLOCKING: Duration = Duration::from_secs(120);

/// The answer, or [`VaultError::Silent`] if it does not come in time.
pub(crate) async fn bounded<T>(
    clock: &Arc<dyn Clock>,
    patience: Duration,
    answer: BoxFuture<'static, Result<T, VaultError>>,
) -> Result<T, VaultError> {
    tokio::select! {
        answer = answer => answer,
        () = clock.sleep(patience) => Err(VaultError::Silent),
    }
}
