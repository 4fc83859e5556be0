//! Why a session gives no access token, and the error of a command that it becomes.

use std::sync::Arc;

use thiserror::Error;

use super::ActiveSession;
use super::refresh_token::LockError;
use crate::provider::ProviderError;
use crate::vault::VaultError;
use crate::views::{CommandError, Support};

/// Why no access token is leased.
#[derive(Debug, Clone, Error)]
pub(crate) enum LeaseError {
    /// The session cannot be renewed: the user has to sign in again.
    #[error("the session has ended")]
    Ended,
    /// The refresh failed at the identity provider; the session goes on.
    #[error("the access token could not be refreshed")]
    Provider(#[source] Arc<ProviderError>),
    /// The keyring is locked or silent, and a token whose successor cannot be stored is not exchanged.
    #[error("the refresh token could not be stored")]
    Vault(#[source] VaultError),
    /// The lock of the account was not acquired.
    #[error("the session is locked")]
    Locked(#[source] Arc<LockError>),
    /// The session is being closed, or its refresh task was aborted.
    #[error("the session is being closed")]
    Closing,
}

impl LeaseError {
    /// The error as a command returns it.
    pub(crate) fn into_command_error(
        self,
        active: &ActiveSession,
        support: Support,
    ) -> CommandError {
        match self {
            Self::Ended => CommandError::SessionEnded {
                support: Box::new(support),
            },
            Self::Provider(error) => error.to_command_error(active.environment(), support),
            Self::Vault(error) => error.into(),
            Self::Locked(_) | Self::Closing => CommandError::Offline {
                support: Box::new(support),
            },
        }
    }
}
