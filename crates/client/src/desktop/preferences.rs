//! Commands about the preferences of this computer.

use super::{Desktop, WindowKey};
use crate::views::{CommandError, Preferences};

#[expect(
    missing_docs,
    reason = "each command is documented in the one list of commands"
)]
#[expect(
    clippy::missing_errors_doc,
    reason = "each command is documented in the one list of commands"
)]
impl Desktop {
    pub async fn preferences(&self, _window: &WindowKey) -> Result<Preferences, CommandError> {
        Ok(self.preferences.get())
    }

    pub async fn save_preferences(
        &self,
        _window: &WindowKey,
        preferences: Preferences,
    ) -> Result<(), CommandError> {
        // It applies at once, and until the program ends if it cannot be saved.
        self.host.set_zoom(preferences.zoom);
        self.preferences.save(preferences).await?;
        // The other windows read them again.
        self.changes.notify();
        Ok(())
    }
}
