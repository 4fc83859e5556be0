//! Commands about environments.

use super::{CommandResult, Desktop, WindowKey};
use crate::environments::{CaFileError, Environment};
use crate::files;
use crate::views::{
    CommandError, EnvironmentConfig, EnvironmentField, EnvironmentProblem, EnvironmentView,
};

#[expect(
    missing_docs,
    reason = "each command is documented in the one list of commands"
)]
#[expect(
    clippy::missing_errors_doc,
    reason = "each command is documented in the one list of commands"
)]
impl Desktop {
    pub async fn environments(&self, _window: &WindowKey) -> CommandResult<Vec<EnvironmentView>> {
        Ok(self.environments.views())
    }

    pub async fn add_environment(
        &self,
        _window: &WindowKey,
        config: EnvironmentConfig,
    ) -> CommandResult<()> {
        let environment = Environment::new(config)?;
        check_ca_file(&environment).await?;
        self.environments.add(environment).await
    }

    pub async fn change_environment(
        &self,
        _window: &WindowKey,
        config: EnvironmentConfig,
    ) -> CommandResult<()> {
        self.require_unused(&config.name)?;
        let environment = Environment::new(config)?;
        check_ca_file(&environment).await?;
        self.environments.change(environment).await
    }

    pub async fn remove_environment(
        &self,
        _window: &WindowKey,
        environment: String,
    ) -> CommandResult<()> {
        self.require_unused(&environment)?;
        self.environments.remove(&environment).await
    }

    /// Fails for the environment of the active session, which must not change.
    fn require_unused(&self, environment: &str) -> CommandResult<()> {
        match self.session.active() {
            Ok(active) if active.environment().name() == environment => {
                Err(CommandError::InvalidCall {
                    reason: "somebody is signed in to that environment".to_owned(),
                })
            }
            _ => Ok(()),
        }
    }
}

/// The file of certificate authorities must be usable when it is entered. Later it may be missing for a while.
async fn check_ca_file(environment: &Environment) -> CommandResult<()> {
    let network = environment.network().clone();
    let read = files::run_blocking(move || network.certificates()).await;
    read.map(|_| ()).map_err(|error: CaFileError| {
        tracing::info!(
            error = &error as &dyn std::error::Error,
            "an environment was not saved"
        );
        CommandError::EnvironmentRefused {
            problems: vec![EnvironmentProblem {
                field: EnvironmentField::CaFile,
                reason: error.reason(),
                earlier: None,
            }],
        }
    })
}
