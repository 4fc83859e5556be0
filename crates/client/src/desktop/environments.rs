//! Commands about environments.

use super::{CommandResult, Desktop, WindowKey};
use crate::environments::Environment;
use crate::views::{CommandError, EnvironmentView, Particulars};

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
        particulars: Particulars,
    ) -> CommandResult<()> {
        self.environments.add(Environment::new(particulars)?).await
    }

    pub async fn change_environment(
        &self,
        _window: &WindowKey,
        particulars: Particulars,
    ) -> CommandResult<()> {
        self.nobody_works_in(&particulars.name)?;
        self.environments
            .change(Environment::new(particulars)?)
            .await
    }

    pub async fn remove_environment(
        &self,
        _window: &WindowKey,
        environment: String,
    ) -> CommandResult<()> {
        self.nobody_works_in(&environment)?;
        self.environments.remove(&environment).await
    }

    /// The session's environment stays as it was signed in to.
    fn nobody_works_in(&self, environment: &str) -> CommandResult<()> {
        match self.session.live() {
            Ok(live) if live.environment().name() == environment => Err(CommandError::BadCall {
                reason: "somebody is signed in to that environment".to_owned(),
            }),
            _ => Ok(()),
        }
    }
}
