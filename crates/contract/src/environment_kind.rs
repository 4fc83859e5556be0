//! What an environment is for.

use std::fmt;

/// What an environment is for. Settings and tokens of one kind are refused by another (contract, part 1, "Environments").
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum EnvironmentKind {
    /// Embedded in the desktop application, with demo accounts shown at sign-in.
    Local,
    /// Shared, for trials.
    Staging,
    /// Real data: no demo data, no personal access tokens.
    Production,
}

impl EnvironmentKind {
    /// Every kind.
    pub const ALL: [Self; 3] = [Self::Local, Self::Staging, Self::Production];

    /// The name on the command line, in settings and in redirect URIs.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Local => "local",
            Self::Staging => "staging",
            Self::Production => "production",
        }
    }

    /// The kind with this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

impl fmt::Display for EnvironmentKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}
