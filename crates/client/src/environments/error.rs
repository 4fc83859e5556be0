//! Errors of environment configurations.

use thiserror::Error;

use crate::views::{CommandError, EnvironmentProblem, LocalEnvironmentProblem};

/// Why a configuration is not a valid environment.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum EnvironmentError {
    /// Fields are invalid.
    #[error("invalid fields: {problems:?}")]
    InvalidFields {
        /// Every problem, in the order of the fields.
        problems: Vec<EnvironmentProblem>,
    },
    /// The embedded service has no public application, which the sign-in needs.
    #[error("there is no public application")]
    NoPublicApplication,
}

impl From<EnvironmentError> for CommandError {
    fn from(error: EnvironmentError) -> Self {
        match error {
            EnvironmentError::InvalidFields { problems } => Self::EnvironmentRefused { problems },
            EnvironmentError::NoPublicApplication => Self::LocalEnvironment {
                reason: LocalEnvironmentProblem::Other,
                what: error.to_string(),
            },
        }
    }
}
