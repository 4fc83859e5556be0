//! Commands about saved views and columns of lists.

use super::{CommandResult, Desktop, WindowKey};
use crate::organizations::ChangedData;
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
        self.session_of(window, &binding)?;
        let account = self.session.active()?.account_key();
        Ok(self
            .organization_settings
            .lists
            .of(&account, &binding.organization))
    }

    pub async fn save_list_settings(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
        settings: ListSettings,
    ) -> CommandResult<()> {
        self.session_of(window, &binding)?;
        let _changed = self.notice_of_change(window, &binding, ChangedData::ListSettings);
        // Of whoever sits at this computer, also while that person acts as another one.
        let account = self.session.active()?.account_key();
        Ok(self
            .organization_settings
            .lists
            .save(&account, binding.organization.clone(), settings)
            .await?)
    }
}
