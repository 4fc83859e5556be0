//! The organization that each window works in. A command with an outdated binding fails before any request.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use invoicing_contract::OrganizationId;

use crate::WindowKey;
use crate::account_key::AccountKey;
use crate::files::JsonStore;
use crate::views::{CommandError, WindowBinding};

/// The bindings of the open windows, and the last organization of each window for the next start.
pub(crate) struct WindowBindings {
    last: JsonStore<LastOrganizations>,
    state: Mutex<State>,
}

struct State {
    /// Increases with every switch of any window, so that no two bindings are equal.
    generation: u32,
    /// The open windows. `None`: not bound yet.
    windows: HashMap<WindowKey, Option<AccountBinding>>,
}

/// A binding and the account that it was made for.
struct AccountBinding {
    account: AccountKey,
    binding: WindowBinding,
}

/// By account and window.
type LastOrganizations = HashMap<AccountKey, HashMap<String, OrganizationId>>;

impl WindowBindings {
    /// `path` is the file of the last organizations.
    pub(crate) fn open(path: PathBuf) -> Self {
        Self {
            last: JsonStore::open(path, "organizations of windows", HashMap::new()),
            state: Mutex::new(State {
                generation: 0,
                windows: HashMap::new(),
            }),
        }
    }

    /// Registers a window, which [`bind_open_windows`](Self::bind_open_windows) then binds.
    pub(crate) fn open_window(&self, window: &WindowKey) {
        self.lock().windows.entry(window.clone()).or_default();
    }

    /// Removes a window and its binding.
    pub(crate) fn close_window(&self, window: &WindowKey) {
        self.lock().windows.remove(window);
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
    /// account last used it, else to the first one granted. Returns whether a binding has changed.
    pub(crate) fn bind_open_windows(
        &self,
        account: &AccountKey,
        granted: &[OrganizationId],
    ) -> bool {
        let all_last = self.last.get();
        let mut state = self.lock();
        let is_bound = |bound: &Option<AccountBinding>| {
            bound.as_ref().is_some_and(|bound| {
                bound.account == *account && granted.contains(&bound.binding.organization)
            })
        };
        let unbound: Vec<_> = state
            .windows
            .iter()
            .filter(|(_, bound)| !is_bound(bound))
            .map(|(window, _)| window.clone())
            .collect();
        let mut changed = false;
        for window in unbound {
            let last = all_last
                .get(account)
                .and_then(|last| last.get(window.as_str()))
                .filter(|last| granted.contains(last));
            if let Some(organization) = last.or(granted.first()).cloned() {
                state.switch(&window, account, organization);
                changed = true;
            }
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
        let bound = state.windows.get(window)?.as_ref()?;
        (bound.account == *account).then(|| bound.binding.clone())
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

    /// Saves the window's organization for the next start. An error is logged only: nothing else depends on the file.
    pub(crate) async fn save_last(
        &self,
        window: &WindowKey,
        account: &AccountKey,
        organization: &OrganizationId,
    ) {
        let (account, window) = (account.clone(), window.as_str().to_owned());
        let organization = organization.clone();
        let change = move |last: &mut LastOrganizations| {
            last.entry(account)
                .or_default()
                .insert(window, organization);
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

impl State {
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
        self.windows.insert(window.clone(), Some(bound));
        binding
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn user() -> AccountKey {
        AccountKey::new("local", "u")
    }

    fn other_user() -> AccountKey {
        AccountKey::new("local", "v")
    }

    fn organizations(ids: &[&str]) -> Vec<OrganizationId> {
        ids.iter().map(|id| (*id).into()).collect()
    }

    fn bindings(folder: &tempfile::TempDir) -> WindowBindings {
        WindowBindings::open(folder.path().join("windows.json"))
    }

    #[test]
    fn binding_is_valid_until_its_window_switches_or_closes() {
        let folder = tempfile::tempdir().expect("a folder");
        let bindings = bindings(&folder);
        let (one, two) = (WindowKey::from("one"), WindowKey::from("two"));
        let first = bindings.switch(&one, &user(), "a".into());
        assert_eq!(bindings.check(&one, &user(), &first), Ok(()));
        assert_eq!(
            bindings.check(&two, &user(), &first),
            Err(CommandError::StaleBinding),
            "a binding of another window"
        );
        assert_eq!(
            bindings.check(&one, &other_user(), &first),
            Err(CommandError::StaleBinding),
            "a binding of another user"
        );
        let second = bindings.switch(&one, &user(), "a".into());
        assert_eq!(
            bindings.check(&one, &user(), &first),
            Err(CommandError::StaleBinding),
            "a switch to the same organization is a switch"
        );
        assert_eq!(bindings.check(&one, &user(), &second), Ok(()));
        bindings.close_window(&one);
        assert_eq!(
            bindings.check(&one, &user(), &second),
            Err(CommandError::StaleBinding)
        );
    }

    #[tokio::test]
    async fn window_returns_to_its_last_organization_while_that_is_granted() {
        let folder = tempfile::tempdir().expect("a folder");
        let window = WindowKey::from("main");
        bindings(&folder)
            .save_last(&window, &user(), &"b".into())
            .await;
        let bound_to = |account: AccountKey, granted: &[&str]| {
            let bindings = bindings(&folder);
            bindings.open_window(&window);
            bindings.bind_open_windows(&account, &organizations(granted));
            let binding = bindings.current(&window, &account);
            binding.map(|binding| binding.organization.into_string())
        };
        assert_eq!(bound_to(user(), &["a", "b"]).as_deref(), Some("b"));
        assert_eq!(bound_to(user(), &["a", "c"]).as_deref(), Some("a"));
        assert_eq!(bound_to(user(), &[]), None);
        assert_eq!(
            bound_to(other_user(), &["a", "b"]).as_deref(),
            Some("a"),
            "the last organization of another user"
        );
    }

    #[test]
    fn bound_window_keeps_its_binding_until_its_organization_is_revoked() {
        let folder = tempfile::tempdir().expect("a folder");
        let bindings = bindings(&folder);
        let window = WindowKey::from("main");
        bindings.open_window(&window);
        assert!(bindings.bind_open_windows(&user(), &organizations(&["a", "b"])));
        let bound = bindings.current(&window, &user());
        assert!(!bindings.bind_open_windows(&user(), &organizations(&["b", "a"])));
        assert_eq!(bindings.current(&window, &user()), bound);
        assert!(bindings.bind_open_windows(&user(), &organizations(&["b"])));
        let rebound = bindings.current(&window, &user()).expect("bound");
        assert_eq!(rebound.organization, "b");
    }

    #[test]
    fn reading_the_binding_of_an_unbound_window_does_not_bind_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let bindings = bindings(&folder);
        let window = WindowKey::from("main");
        bindings.open_window(&window);
        assert_eq!(bindings.current(&window, &user()), None);
        assert_eq!(bindings.current(&window, &user()), None);
    }
}
