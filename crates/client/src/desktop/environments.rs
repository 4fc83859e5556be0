//! Commands about environments.

use super::{CommandResult, Desktop, WindowKey};
use crate::environments::Environment;
use crate::views::{CommandError, EnvironmentConfig, EnvironmentView};

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
        self.environments.add(Environment::new(config)?).await
    }

    pub async fn change_environment(
        &self,
        _window: &WindowKey,
        config: EnvironmentConfig,
    ) -> CommandResult<()> {
        self.require_unused(&config.name)?;
        self.environments.change(Environment::new(config)?).await
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
