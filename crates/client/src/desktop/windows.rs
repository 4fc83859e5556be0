//! The windows: several at a time, each bound to one organization (decision 0143).

use std::collections::BTreeSet;
use std::sync::Arc;

use invoicing_contract::OrganizationId;

use super::organizations::require_granted;
use super::{CommandResult, Desktop, WindowKey};
use crate::account_key::AccountKey;
use crate::organizations::MAX_WINDOWS;
use crate::views::CommandError;

impl Desktop {
    /// The windows that were open when the program ended; empty if it is started for the first time.
    #[must_use]
    pub fn saved_windows(&self) -> BTreeSet<WindowKey> {
        self.bindings.saved_windows()
    }

    /// Registers an open window. As long as somebody is signed in, it is bound to an organization: the one that it had
    /// last, else the home organization.
    pub fn open_window(&self, window: &WindowKey) {
        self.bindings.open_window(window);
        if self.opened_files.pass_on(None, Some(window)) {
            self.changes.notify();
        }
        self.bind_open_windows();
        self.host.set_zoom(self.preferences.get().zoom);
    }

    /// Removes a closed window and its binding. The next start does not open it, unless it was the last one or
    /// [`begin_exit`](Self::begin_exit) was called.
    pub fn close_window(self: &Arc<Self>, window: &WindowKey) {
        self.open_drafts.close_window(window);
        if let Some(ended) = self.impersonations.remove(window) {
            self.revoke_impersonation(ended);
        }
        self.menu.close_window(window);
        self.links.close_window(window);
        let is_forgotten = self.bindings.close_window(window);
        // Nobody has seen the files that waited for it.
        if self.opened_files.count(window) > 0 {
            let front = self.front_window();
            self.opened_files.pass_on(Some(window), front.as_ref());
            self.changes.notify();
        }
        if is_forgotten {
            let (desktop, window) = (Arc::clone(self), window.clone());
            self.runtime
                .spawn(async move { desktop.bindings.forget_window(&window).await });
        }
    }

    /// The window that is brought to the front, if the program around the core knows it; else the one with the focus, else
    /// any. `None`: no window is open.
    pub(super) fn front_window(&self) -> Option<WindowKey> {
        let mut open = self.bindings.open_windows();
        let front = self.host.front_window();
        let at = open
            .iter()
            .position(|window| front.as_ref() == Some(window))
            .or_else(|| open.iter().position(|window| self.host.has_focus(window)));
        (!open.is_empty()).then(|| open.swap_remove(at.unwrap_or(0)))
    }

    /// The program ends: the windows that close from now on are opened again by the next start.
    pub fn begin_exit(&self) {
        self.bindings.begin_exit();
    }

    /// Opens another window for an organization.
    ///
    /// # Errors
    /// The organization is not granted, too many windows are open, or the system opened none.
    pub async fn new_window(
        &self,
        _window: &WindowKey,
        organization: OrganizationId,
    ) -> CommandResult<()> {
        let session = self.session.active()?;
        require_granted(&session, &organization)?;
        self.open_another(&session.account_key(), organization)
            .await?;
        Ok(())
    }

    /// Opens another window of an account for an organization.
    pub(super) async fn open_another(
        &self,
        account: &AccountKey,
        organization: OrganizationId,
    ) -> CommandResult<WindowKey> {
        let opened = self.bindings.open_another(account, organization.clone());
        let Some(window) = opened else {
            let limit = u32::try_from(MAX_WINDOWS).ok();
            return Err(CommandError::WindowNotOpened { limit });
        };
        if let Err(error) = self.host.open_window(&window) {
            let error = &error as &dyn std::error::Error;
            tracing::warn!(error, "a window was not opened");
            self.bindings.close_window(&window);
            return Err(CommandError::WindowNotOpened { limit: None });
        }
        self.host.set_zoom(self.preferences.get().zoom);
        self.changes.notify();
        self.shortlist
            .note_opened(account, organization.clone())
            .await;
        self.bindings
            .save_last(&window, account, &organization)
            .await;
        Ok(window)
    }
}
