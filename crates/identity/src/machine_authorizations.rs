//! A cache of token authorizations of the client_credentials grant. A machine client requests the same scope every time.

use std::sync::Arc;

use invoicing_contract::ClientId;
use quick_cache::sync::Cache;

use invoicing_storage::applications::Application;
use invoicing_storage::tokens::TokenAuthorization;

/// Maximum number of cached applications.
const CAPACITY: usize = 4_096;

/// The last requested scope of each application and the authorization computed from it.
pub(crate) struct MachineAuthorizationCache(Cache<ClientId, CachedAuthorization>);

#[derive(Clone)]
struct CachedAuthorization {
    /// The application record that the authorization was computed from. After a change it is another Arc.
    application: Arc<Application>,
    requested_scope: Option<Arc<str>>,
    authorization: Arc<TokenAuthorization>,
}

impl MachineAuthorizationCache {
    /// An empty cache.
    pub(crate) fn new() -> Self {
        Self(Cache::new(CAPACITY))
    }

    /// The authorization of `application` for `requested_scope`, if that was its last request.
    pub(crate) fn get(
        &self,
        application: &Arc<Application>,
        requested_scope: Option<&str>,
    ) -> Option<Arc<TokenAuthorization>> {
        let cached = self.0.get(&application.client_id)?;
        let is_same_request = Arc::ptr_eq(&cached.application, application)
            && cached.requested_scope.as_deref() == requested_scope;
        is_same_request.then_some(cached.authorization)
    }

    /// Stores the authorization of the last request of `application`.
    pub(crate) fn insert(
        &self,
        application: &Arc<Application>,
        requested_scope: Option<&str>,
        authorization: &Arc<TokenAuthorization>,
    ) {
        let cached = CachedAuthorization {
            application: application.clone(),
            requested_scope: requested_scope.map(Arc::from),
            authorization: authorization.clone(),
        };
        self.0.insert(application.client_id.clone(), cached);
    }
}

#[cfg(test)]
mod tests {
    use invoicing_contract::ready::ApplicationKind;

    use super::*;

    fn application(client_id: &str) -> Arc<Application> {
        Arc::new(Application::new(
            client_id.into(),
            ApplicationKind::Machine,
            "1".into(),
        ))
    }

    #[test]
    fn get_returns_the_last_authorization_until_the_application_changes() {
        let cache = MachineAuthorizationCache::new();
        let (one, changed, other) = (application("one"), application("one"), application("other"));
        let authorization = Arc::new(TokenAuthorization {
            client_id: "one".into(),
            scope: "profile".to_owned(),
            audiences: Vec::new(),
            carries_home: false,
        });
        cache.insert(&one, Some("profile colour"), &authorization);
        let is_cached = |application, scope| cache.get(application, scope).is_some();
        assert!(is_cached(&one, Some("profile colour")));
        assert!(!is_cached(&one, Some("profile")) && !is_cached(&one, None));
        assert!(!is_cached(&changed, Some("profile colour")));
        assert!(!is_cached(&other, Some("profile colour")));
        cache.insert(&one, None, &authorization);
        assert!(is_cached(&one, None) && !is_cached(&one, Some("profile colour")));
    }
}
