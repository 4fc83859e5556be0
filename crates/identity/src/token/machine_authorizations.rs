//! How far the tokens of machines reach, remembered for each application: a machine asks for the same every time.

use std::sync::Arc;

use quick_cache::sync::Cache;

use invoicing_storage::applications::Application;
use invoicing_storage::tokens::Reach;

/// So many applications are remembered.
const REMEMBERED: usize = 4_096;

/// What each application asked for last, and how far it reached with that.
pub(crate) struct MachineAuthorizationCache(Cache<String, Remembered>);

#[derive(Clone)]
struct Remembered {
    /// As it was then: once anything of it has changed it is another.
    application: Arc<Application>,
    requested: Option<Arc<str>>,
    reach: Arc<Reach>,
}

impl MachineAuthorizationCache {
    /// Nothing yet.
    pub(crate) fn new() -> Self {
        Self(Cache::new(REMEMBERED))
    }

    /// How far `application` reaches with what it requests, if it requested that before.
    pub(super) fn known(
        &self,
        application: &Arc<Application>,
        requested: Option<&str>,
    ) -> Option<Arc<Reach>> {
        let last = self.0.get(&*application.client_id)?;
        let same =
            Arc::ptr_eq(&last.application, application) && last.requested.as_deref() == requested;
        same.then_some(last.reach)
    }

    /// Remembers it.
    pub(super) fn remember(
        &self,
        application: &Arc<Application>,
        requested: Option<&str>,
        reach: &Arc<Reach>,
    ) {
        let remembered = Remembered {
            application: application.clone(),
            requested: requested.map(Arc::from),
            reach: reach.clone(),
        };
        self.0.insert(application.client_id.clone(), remembered);
    }
}

#[cfg(test)]
mod tests {
    use invoicing_contract::ready::ApplicationKind;

    use super::*;
    use invoicing_storage::keys::SigningAlgorithm;

    fn application(client_id: &str) -> Arc<Application> {
        Arc::new(Application {
            client_id: client_id.to_owned(),
            name: String::new(),
            kind: ApplicationKind::Machine,
            secret: None,
            subject: None,
            organization: None,
            grant_types: Vec::new(),
            scopes: Vec::new(),
            includes_audience: false,
            redirect_uris: Vec::new(),
            post_logout_uris: Vec::new(),
            id_token_algorithm: SigningAlgorithm::EdDsa,
            revoke_family_on_reuse: false,
        })
    }

    #[test]
    fn what_the_same_application_asked_for_last_is_known_until_the_application_changes() {
        let reaches = MachineAuthorizationCache::new();
        let (one, changed, other) = (application("one"), application("one"), application("other"));
        let reach = Arc::new(Reach {
            client_id: "one".to_owned(),
            scope: "profile".to_owned(),
            audiences: Vec::new(),
            carries_home: false,
        });
        reaches.remember(&one, Some("profile colour"), &reach);
        let known = |application, requested| reaches.known(application, requested).is_some();
        assert!(known(&one, Some("profile colour")));
        assert!(!known(&one, Some("profile")) && !known(&one, None));
        assert!(!known(&changed, Some("profile colour")));
        assert!(!known(&other, Some("profile colour")));
        reaches.remember(&one, None, &reach);
        assert!(known(&one, None) && !known(&one, Some("profile colour")));
    }
}
