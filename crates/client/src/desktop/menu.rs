//! The menu of the application, the end of the program, and notifications of the system (decision 0144).

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};

use invoicing_contract::OrganizationId;

use super::organizations::require_granted;
use super::{CommandResult, Desktop, WindowKey};
use crate::views::{ApplicationMenu, Notice, Notifications};

/// What was chosen in the menu and not yet taken by its window, and what was told.
#[derive(Default)]
pub(super) struct MenuState(Mutex<State>);

#[derive(Default)]
struct State {
    chosen: HashMap<WindowKey, VecDeque<String>>,
    told: HashSet<String>,
}

impl MenuState {
    /// Whether a window has a choice to take.
    pub(super) fn is_waiting(&self, window: &WindowKey) -> bool {
        self.lock().chosen.contains_key(window)
    }

    pub(super) fn close_window(&self, window: &WindowKey) {
        self.lock().chosen.remove(window);
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[expect(
    missing_docs,
    reason = "each command is documented in the one list of commands"
)]
#[expect(
    clippy::missing_errors_doc,
    reason = "each command is documented in the one list of commands"
)]
impl Desktop {
    pub async fn show_menu(
        &self,
        window: &WindowKey,
        menu: ApplicationMenu,
    ) -> CommandResult<bool> {
        Ok(self.host.show_menu(window, &menu))
    }

    pub async fn take_menu_choice(&self, window: &WindowKey) -> CommandResult<Option<String>> {
        let mut state = self.menu.lock();
        let Some(chosen) = state.chosen.get_mut(window) else {
            return Ok(None);
        };
        let first = chosen.pop_front();
        if chosen.is_empty() {
            state.chosen.remove(window);
        }
        Ok(first)
    }

    pub async fn quit(&self, _window: &WindowKey) -> CommandResult<()> {
        self.begin_exit();
        self.host.quit();
        Ok(())
    }

    pub async fn notify(
        &self,
        window: &WindowKey,
        organization: OrganizationId,
        notice: Notice,
    ) -> CommandResult<()> {
        require_granted(&*self.session_in(window)?, &organization)?;
        let seen = || {
            let windows = self.bindings.windows_of(&organization);
            windows.iter().any(|window| self.host.has_focus(window))
        };
        if self.preferences.get().notifications == Notifications::Off
            || !self.menu.lock().told.insert(notice.id.clone())
            || seen()
        {
            return Ok(());
        }
        self.host.notify(&notice);
        Ok(())
    }
}

impl Desktop {
    /// Leaves what was chosen in the menu to the window that had the focus.
    pub fn choose_menu_item(&self, window: &WindowKey, id: &str) {
        let mut state = self.menu.lock();
        let chosen = state.chosen.entry(window.clone()).or_default();
        chosen.push_back(id.to_owned());
        drop(state);
        self.changes.notify();
    }
}
