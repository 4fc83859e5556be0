//! The key of a user of an environment, by which local data is separated.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Environment name and subject of a user. Aliases, window bindings and drafts belong to one.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct AccountKey(String);

impl AccountKey {
    /// `subject` is the claim `sub` at that environment.
    pub(crate) fn new(environment: &str, subject: impl fmt::Display) -> Self {
        Self(format!("{environment} {subject}"))
    }

    /// The key of `actor` while that person acts as the user: what the user keeps on this computer is not the actor's (decision 0145).
    pub(crate) fn impersonated(
        environment: &str,
        subject: impl fmt::Display,
        actor: impl fmt::Display,
    ) -> Self {
        Self(format!("{environment} {subject} by {actor}"))
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}
