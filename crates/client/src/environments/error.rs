//! Why particulars make no environment.

use thiserror::Error;

use crate::views::{CommandError, EnvironmentProblem};

/// Why particulars make no environment.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum EnvironmentError {
    /// Fields are wrong.
    #[error("wrong fields: {problems:?}")]
    Refused {
        /// All that is wrong, in the order of the fields.
        problems: Vec<EnvironmentProblem>,
    },
    /// The embedded service has no application that people can sign in with.
    #[error("there is no public application")]
    NoPublicApplication,
}

impl From<EnvironmentError> for CommandError {
    fn from(error: EnvironmentError) -> Self {
        match error {
            EnvironmentError::Refused { problems } => Self::EnvironmentRefused { problems },
            EnvironmentError::NoPublicApplication => Self::LocalEnvironment {
                reason: "other".to_owned(),
                what: error.to_string(),
            },
        }
    }
}
