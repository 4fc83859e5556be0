//! Which window works in which organization. A command that names an outdated place fails before any request.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use crate::WindowKey;
use crate::files::{self, FileContent};
use crate::views::{CommandError, Place};

/// The windows' places, and the last one of each for the next start.
pub(crate) struct Places {
    path: PathBuf,
    state: Mutex<State>,
}

struct State {
    /// Grows with every switch of any window, so that no two bindings are ever equal.
    generation: u32,
    /// With the environment and user whose place it is.
    windows: HashMap<WindowKey, (String, Place)>,
    /// Owner (environment and subject) to window to organization.
    last: Kept,
}

type Kept = HashMap<String, HashMap<String, String>>;

impl Places {
    pub(crate) fn open(path: PathBuf) -> Self {
        let last = match files::read_json(&path) {
            Ok(FileContent::Parsed(last)) => last,
            Ok(FileContent::Missing | FileContent::Quarantined) | Err(_) => HashMap::new(),
        };
        Self {
            path,
            state: Mutex::new(State {
                generation: 0,
                windows: HashMap::new(),
                last,
            }),
        }
    }

    /// Binds a window of an owner (environment and user) anew.
    pub(crate) fn switch(&self, window: &WindowKey, owner: &str, organization: &str) -> Place {
        let mut state = self.lock();
        state.generation += 1;
        let place = Place {
            organization: organization.to_owned(),
            generation: state.generation,
        };
        state
            .windows
            .insert(window.clone(), (owner.to_owned(), place.clone()));
        place
    }

    /// The window's place, or a new binding to the organization that the window had when this owner last used it.
    pub(crate) fn restore(
        &self,
        window: &WindowKey,
        owner: &str,
        granted: impl Fn(&str) -> bool,
    ) -> Option<Place> {
        let last = {
            let state = self.lock();
            match state.windows.get(window) {
                Some((bound, place)) if bound == owner => return Some(place.clone()),
                _ => state.last.get(owner)?.get(window.as_str())?.clone(),
            }
        };
        granted(&last).then(|| self.switch(window, owner, &last))
    }

    /// Remembers the window's organization for the next start. Losing this is a nuisance and no more.
    pub(crate) async fn remember(&self, window: &WindowKey, owner: &str, organization: &str) {
        let last = {
            let mut state = self.lock();
            state
                .last
                .entry(owner.to_owned())
                .or_default()
                .insert(window.as_str().to_owned(), organization.to_owned());
            state.last.clone()
        };
        let path = self.path.clone();
        if let Err(error) = files::run_blocking(move || files::write_json(&path, &last)).await {
            tracing::warn!(%error, "the windows' organizations were not kept");
        }
    }

    /// Fails unless `at` is what the owner's window is bound to now.
    pub(crate) fn check(
        &self,
        window: &WindowKey,
        owner: &str,
        at: &Place,
    ) -> Result<(), CommandError> {
        match self.lock().windows.get(window) {
            Some((bound, place)) if bound == owner && place == at => Ok(()),
            _ => Err(CommandError::StalePlace),
        }
    }

    /// The window is gone.
    pub(crate) fn close(&self, window: &WindowKey) {
        self.lock().windows.remove(window);
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_place_is_good_until_its_window_switches() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("places.json");
        let places = Places::open(path.clone());
        let (one, two) = (WindowKey::from("one"), WindowKey::from("two"));
        let first = places.switch(&one, "u", "a");
        assert_eq!(places.check(&one, "u", &first), Ok(()));
        assert_eq!(
            places.check(&two, "u", &first),
            Err(CommandError::StalePlace),
            "another window's place was taken"
        );
        assert_eq!(
            places.check(&one, "v", &first),
            Err(CommandError::StalePlace),
            "another user's place was taken"
        );
        let second = places.switch(&one, "u", "a");
        assert_eq!(
            places.check(&one, "u", &first),
            Err(CommandError::StalePlace),
            "to the same organization is a switch"
        );
        assert_eq!(places.check(&one, "u", &second), Ok(()));
        places.close(&one);
        assert_eq!(
            places.check(&one, "u", &second),
            Err(CommandError::StalePlace)
        );
    }

    #[tokio::test]
    async fn a_window_comes_back_to_its_organization_if_that_is_still_granted() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("places.json");
        let window = WindowKey::from("main");
        Places::open(path.clone())
            .remember(&window, "local u", "b")
            .await;
        assert_eq!(
            Places::open(path.clone()).restore(&window, "local u", |_| false),
            None
        );
        assert_eq!(
            Places::open(path.clone()).restore(&window, "local v", |_| true),
            None,
            "another user's place was taken"
        );
        let place = Places::open(path)
            .restore(&window, "local u", |id| id == "b")
            .expect("restored");
        assert_eq!(place.organization, "b");
    }
}
