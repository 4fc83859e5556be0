//! Commands about saved views and columns of lists.

use super::{CommandResult, Desktop, WindowKey};
use crate::views::{ListSettings, WindowBinding};

#[expect(
    missing_docs,
    reason = "each command is documented in the one list of commands"
)]
#[expect(
    clippy::missing_errors_doc,
    reason = "each command is documented in the one list of commands"
)]
impl Desktop {
    pub async fn list_settings(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
    ) -> CommandResult<ListSettings> {
        let session = self.session_of(window, &binding)?;
        Ok(self
            .list_settings
            .of(&session.account_key(), &binding.organization))
    }

    pub async fn save_list_settings(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
        settings: ListSettings,
    ) -> CommandResult<()> {
        let session = self.session_of(window, &binding)?;
        let account = session.account_key();
        Ok(self
            .list_settings
            .save(&account, binding.organization, settings)
            .await?)
    }
}
