//! The organization that each window works in. A command with an outdated binding fails before any request.

mod changes;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use invoicing_contract::OrganizationId;

use crate::WindowKey;
use crate::account_key::AccountKey;
use crate::files::JsonStore;
use crate::views::{CommandError, WindowBinding};
pub(crate) use changes::{ChangedData, Changes};

/// The bindings of the open windows, and the last organization of each window for the next start.
pub(crate) struct WindowBindings {
    last: JsonStore<LastOrganizations>,
    state: Mutex<State>,
}

struct State {
    /// Increases with every switch of any window, so that no two bindings are equal.
    generation: u32,
    /// The open windows.
    windows: BTreeMap<WindowKey, OpenWindow>,
    /// Whether the program ends: windows that close are then opened by the next start.
    exiting: bool,
}

/// What is known of an open window.
#[derive(Default)]
struct OpenWindow {
    /// What was changed outside of it while it was bound to the organization.
    changes: Changes,
    /// `None`: not bound yet.
    bound: Option<AccountBinding>,
    /// The organization that it showed, if that is no longer granted, until it is switched to another.
    lost: Option<OrganizationId>,
}

/// A binding and the account that it was made for.
struct AccountBinding {
    account: AccountKey,
    binding: WindowBinding,
}

/// The most windows at a time: each is a process of the web view, with about as much memory as the whole program.
pub(crate) const MAX_WINDOWS: usize = 12;

/// The label of the first window.
const MAIN: &str = "main";

/// By account and window.
type LastOrganizations = HashMap<AccountKey, HashMap<String, OrganizationId>>;

impl WindowBindings {
    /// `path` is the file of the last organizations.
    pub(crate) fn open(path: PathBuf) -> Self {
        Self {
            last: JsonStore::open(path, "organizations of windows", HashMap::new()),
            state: Mutex::new(State {
                generation: 0,
                windows: BTreeMap::new(),
                exiting: false,
            }),
        }
    }

    /// Registers a window, which [`bind_open_windows`](Self::bind_open_windows) then binds.
    pub(crate) fn open_window(&self, window: &WindowKey) {
        self.lock().windows.entry(window.clone()).or_default();
    }

    /// The windows that were open when the program ended, of any account: who is signed in is not known yet.
    pub(crate) fn saved_windows(&self) -> BTreeSet<WindowKey> {
        let last = self.last.get();
        let windows = last.into_values().flat_map(HashMap::into_keys);
        let windows = windows.filter(|label| is_label(label)).map(WindowKey::from);
        windows
            .collect::<BTreeSet<_>>()
            .into_iter()
            .take(MAX_WINDOWS)
            .collect()
    }

    /// Opens another window for an organization, under a key that no open window has. `None`: so many are open that no other
    /// is.
    pub(crate) fn open_another(
        &self,
        account: &AccountKey,
        organization: OrganizationId,
    ) -> Option<WindowKey> {
        let mut state = self.lock();
        if state.windows.len() >= MAX_WINDOWS {
            return None;
        }
        let free = (2..).map(|number| WindowKey::from(format!("window-{number}")));
        let window = free
            .take(MAX_WINDOWS)
            .find(|key| !state.windows.contains_key(key))?;
        state.switch(&window, account, organization);
        Some(window)
    }

    /// An open window of the organization: one that is `preferred`, if there is one.
    pub(crate) fn window_of(
        &self,
        account: &AccountKey,
        organization: &OrganizationId,
        preferred: impl Fn(&WindowKey) -> bool,
    ) -> Option<WindowKey> {
        let state = self.lock();
        let shows = |window: &&WindowKey| {
            let shown = state.organization_of(window, account);
            shown.as_ref() == Some(organization)
        };
        let mut windows = state.windows.keys().filter(shows);
        let first = windows.clone().next();
        windows.find(|window| preferred(window)).or(first).cloned()
    }

    /// The open windows of an organization.
    pub(crate) fn windows_of(&self, organization: &OrganizationId) -> Vec<WindowKey> {
        let state = self.lock();
        let is_bound = |open: &OpenWindow| {
            let bound = open.bound.as_ref();
            bound.is_some_and(|bound| bound.binding.organization == *organization)
        };
        let windows = state.windows.iter().filter(|(_, open)| is_bound(open));
        windows.map(|(window, _)| window.clone()).collect()
    }

    /// The open windows.
    pub(crate) fn open_windows(&self) -> Vec<WindowKey> {
        self.lock().windows.keys().cloned().collect()
    }

    /// The first of the open windows.
    pub(crate) fn first_window(&self) -> Option<WindowKey> {
        self.lock().windows.keys().next().cloned()
    }

    /// Removes a window and its binding. The next start does not open it, unless it was the last one or the program ends.
    /// Returns whether its organization is to be forgotten.
    pub(crate) fn close_window(&self, window: &WindowKey) -> bool {
        let mut state = self.lock();
        let closed = state.windows.remove(window).is_some();
        closed && !state.exiting && !state.windows.is_empty()
    }

    /// Forgets the organizations of a window.
    pub(crate) async fn forget_window(&self, window: &WindowKey) {
        let window = window.as_str().to_owned();
        let change = move |last: &mut LastOrganizations| {
            for organizations in last.values_mut() {
                organizations.remove(&window);
            }
        };
        self.change_last(change).await;
    }

    /// From now on closing a window forgets nothing.
    pub(crate) fn begin_exit(&self) {
        self.lock().exiting = true;
    }

    /// Binds a window to an organization. Its earlier bindings are outdated.
    pub(crate) fn switch(
        &self,
        window: &WindowKey,
        account: &AccountKey,
        organization: OrganizationId,
    ) -> WindowBinding {
        self.lock().switch(window, account, organization)
    }

    /// Binds each open window that has no binding to a granted organization: to the one that the window had when this
    /// account last used it, else to the first one granted. Windows of another session are left. Returns whether a
    /// binding has changed.
    pub(crate) fn bind_open_windows(
        &self,
        account: &AccountKey,
        granted: &[OrganizationId],
        is_other: impl Fn(&WindowKey) -> bool,
    ) -> bool {
        let all_last = self.last.get();
        let mut state = self.lock();
        let is_bound = |open: &OpenWindow| {
            open.bound.as_ref().is_some_and(|bound| {
                bound.account == *account && granted.contains(&bound.binding.organization)
            })
        };
        let unbound: Vec<_> = state
            .windows
            .iter()
            .filter(|(window, open)| !is_bound(open) && !is_other(window))
            .map(|(window, _)| window.clone())
            .collect();
        let mut changed = false;
        for window in unbound {
            let last = all_last
                .get(account)
                .and_then(|last| last.get(window.as_str()));
            let Some(first) = granted.first() else {
                continue;
            };
            let revoked = state.organization_of(&window, account);
            let (organization, lost) = match last {
                Some(last) if granted.contains(last) => (last, revoked),
                last => (first, revoked.or(last.cloned())),
            };
            state.switch(&window, account, organization.clone());
            if let Some(open) = state.windows.get_mut(&window) {
                open.lost = lost;
            }
            changed = true;
        }
        changed
    }

    /// The binding of an account's window.
    pub(crate) fn current(
        &self,
        window: &WindowKey,
        account: &AccountKey,
    ) -> Option<WindowBinding> {
        let state = self.lock();
        let bound = state.windows.get(window)?.bound.as_ref()?;
        (bound.account == *account).then(|| bound.binding.clone())
    }

    /// Notes in the windows of an organization, but the one that did it, that its data was changed. Returns whether there is
    /// such a window. Only windows of the session in use are bound to an organization of its environment, and whoever acts as
    /// another person (decision 0145) sees the same documents.
    pub(crate) fn note_change(
        &self,
        by: Option<&WindowKey>,
        organization: &OrganizationId,
        data: ChangedData,
    ) -> bool {
        let mut noted = false;
        for (window, open) in &mut self.lock().windows {
            let bound = open.bound.as_ref();
            if by != Some(window)
                && bound.is_some_and(|bound| bound.binding.organization == *organization)
            {
                open.changes.note(data);
                noted = true;
            }
        }
        noted
    }

    /// What was changed outside of a window since it was opened.
    pub(crate) fn changes(&self, window: &WindowKey) -> Changes {
        let state = self.lock();
        let open = state.windows.get(window);
        open.map(|open| open.changes).unwrap_or_default()
    }

    /// The organization that the window showed, if that is no longer granted.
    pub(crate) fn lost_organization(&self, window: &WindowKey) -> Option<OrganizationId> {
        self.lock().windows.get(window)?.lost.clone()
    }

    /// Fails unless `binding` is the current binding of the account's window.
    pub(crate) fn check(
        &self,
        window: &WindowKey,
        account: &AccountKey,
        binding: &WindowBinding,
    ) -> Result<(), CommandError> {
        if self.current(window, account).as_ref() == Some(binding) {
            Ok(())
        } else {
            Err(CommandError::StaleBinding)
        }
    }

    /// Saves the window's organization for the next start, and those of the account's open windows that have none saved: a
    /// window that was never switched is bound without being saved. What is saved of another window stays, since a lost
    /// organization may be granted again. An error is logged only: nothing else depends on the file.
    pub(crate) async fn save_last(
        &self,
        window: &WindowKey,
        account: &AccountKey,
        organization: &OrganizationId,
    ) {
        let (account, window) = (account.clone(), window.as_str().to_owned());
        let organization = organization.clone();
        let open = self.lock().organizations_of(&account);
        let change = move |last: &mut LastOrganizations| {
            let last = last.entry(account).or_default();
            last.insert(window, organization);
            for (window, organization) in open {
                last.entry(window).or_insert(organization);
            }
        };
        self.change_last(change).await;
    }

    /// Forgets the last organizations of an account.
    pub(crate) async fn remove_account(&self, account: &AccountKey) {
        let account = account.clone();
        let change = move |last: &mut LastOrganizations| {
            last.remove(&account);
        };
        self.change_last(change).await;
    }

    async fn change_last(&self, change: impl FnOnce(&mut LastOrganizations) + Send + 'static) {
        if let Err(error) = self.last.change(change).await {
            tracing::warn!(
                error = &error as &dyn std::error::Error,
                "the windows' organizations were not saved"
            );
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether a window can have this label: the file may have been edited.
fn is_label(label: &str) -> bool {
    let number = label.strip_prefix("window-");
    label == MAIN || number.is_some_and(|number| number.parse::<u16>().is_ok())
}

impl State {
    /// The organization that a window is bound to, for this account.
    fn organization_of(&self, window: &WindowKey, account: &AccountKey) -> Option<OrganizationId> {
        let bound = self.windows.get(window)?.bound.as_ref()?;
        (bound.account == *account).then(|| bound.binding.organization.clone())
    }

    /// The organizations that the open windows are bound to, for this account, by the labels of the windows.
    fn organizations_of(&self, account: &AccountKey) -> Vec<(String, OrganizationId)> {
        let bound = |window: &WindowKey| {
            let organization = self.organization_of(window, account)?;
            Some((window.as_str().to_owned(), organization))
        };
        self.windows.keys().filter_map(bound).collect()
    }

    fn switch(
        &mut self,
        window: &WindowKey,
        account: &AccountKey,
        organization: OrganizationId,
    ) -> WindowBinding {
        self.generation += 1;
        let binding = WindowBinding {
            organization,
            generation: self.generation,
        };
        let bound = AccountBinding {
            account: account.clone(),
            binding: binding.clone(),
        };
        let open = self.windows.entry(window.clone()).or_default();
        open.bound = Some(bound);
        open.lost = None;
        binding
    }
}
