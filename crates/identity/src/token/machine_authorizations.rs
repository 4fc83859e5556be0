//! The token authorizations of machine users, cached by application: a machine requests the same scopes every time.

use invoicing_contract::ClientId;
use std::sync::Arc;

use quick_cache::sync::Cache;

use invoicing_storage::applications::Application;
use invoicing_storage::tokens::TokenAuthorization;

/// Capacity in applications.
const CAPACITY: usize = 4_096;

/// The scope that each application requested last, and the authorization of its tokens.
pub(crate) struct MachineAuthorizationCache(Cache<ClientId, CachedAuthorization>);

#[derive(Clone)]
struct CachedAuthorization {
    /// Compared by address: a changed application is another allocation.
    application: Arc<Application>,
    requested: Option<Arc<str>>,
    authorization: Arc<TokenAuthorization>,
}

impl MachineAuthorizationCache {
    /// An empty cache.
    pub(crate) fn new() -> Self {
        Self(Cache::new(CAPACITY))
    }

    /// The authorization of `application` for the scope `requested`, if that is what it requested last.
    pub(super) fn get(
        &self,
        application: &Arc<Application>,
        requested: Option<&str>,
    ) -> Option<Arc<TokenAuthorization>> {
        let last = self.0.get(&application.client_id)?;
        let same =
            Arc::ptr_eq(&last.application, application) && last.requested.as_deref() == requested;
        same.then_some(last.authorization)
    }

    /// Caches the authorization of `application` for the scope `requested`.
    pub(super) fn insert(
        &self,
        application: &Arc<Application>,
        requested: Option<&str>,
        authorization: &Arc<TokenAuthorization>,
    ) {
        let cached = CachedAuthorization {
            application: application.clone(),
            requested: requested.map(Arc::from),
            authorization: authorization.clone(),
        };
        self.0.insert(application.client_id.clone(), cached);
    }
}

#[cfg(test)]
mod tests {
    use invoicing_contract::ready::ApplicationKind;

    use super::*;
    use invoicing_storage::keys::SigningAlgorithm;

    fn application(client_id: &str) -> Arc<Application> {
        Arc::new(Application {
            client_id: client_id.into(),
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
    fn authorization_is_cached_for_the_last_scope_until_the_application_changes() {
        let cache = MachineAuthorizationCache::new();
        let (one, changed, other) = (application("one"), application("one"), application("other"));
        let authorization = Arc::new(TokenAuthorization {
            client_id: "one".into(),
            scope: "profile".to_owned(),
            audiences: Vec::new(),
            carries_home: false,
        });
        cache.insert(&one, Some("profile colour"), &authorization);
        let known = |application, requested| cache.get(application, requested).is_some();
        assert!(known(&one, Some("profile colour")));
        assert!(!known(&one, Some("profile")) && !known(&one, None));
        assert!(!known(&changed, Some("profile colour")));
        assert!(!known(&other, Some("profile colour")));
        cache.insert(&one, None, &authorization);
        assert!(known(&one, None) && !known(&one, Some("profile colour")));
    }
}
