//! Commands about the command palette.

use super::{CommandResult, Desktop, WindowKey};
use crate::views::WindowBinding;

#[expect(
    missing_docs,
    reason = "each command is documented in the one list of commands"
)]
#[expect(
    clippy::missing_errors_doc,
    reason = "each command is documented in the one list of commands"
)]
impl Desktop {
    pub async fn palette_recents(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
    ) -> CommandResult<Vec<String>> {
        let session = self.session_of(window, &binding)?;
        if session.is_impersonated() {
            return Ok(Vec::new());
        }
        let account = session.account_key();
        Ok(self.palette_recents.of(&account, &binding.organization))
    }

    pub async fn remember_palette_entry(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
        entry: String,
    ) -> CommandResult<()> {
        let session = self.session_of(window, &binding)?;
        // An entry can be a document. Nothing that outlives it is written (decision 0145).
        if session.is_impersonated() {
            return Ok(());
        }
        let account = session.account_key();
        Ok(self
            .palette_recents
            .remember(&account, binding.organization, entry)
            .await?)
    }
}
