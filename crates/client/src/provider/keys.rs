//! The signing keys of the OpenID Provider, fetched again when a token names an unknown key.

use std::time::Duration;

use oauth2::AccessToken;
use openidconnect::core::CoreJsonWebKey;
use openidconnect::{JsonWebKeySet, Nonce};

use super::error::discovery_error;
use super::id_token::{ExpectedIdToken, IdToken};
use super::{Identity, Provider, ProviderError};

/// The key set is fetched at most this often because of an unknown key.
const MIN_FETCH_INTERVAL: Duration = Duration::from_secs(60);

/// The key set, and when it was fetched by the monotonic clock.
#[derive(Default)]
pub(super) struct KeyCache {
    fetched: Option<(JsonWebKeySet<CoreJsonWebKey>, Duration)>,
}

impl Provider {
    /// Verifies an id_token and returns its identity.
    pub(super) async fn verify_id_token(
        &self,
        token: &IdToken,
        access: &AccessToken,
        nonce: Option<&Nonce>,
    ) -> Result<Identity, ProviderError> {
        let expected = ExpectedIdToken {
            environment: &self.environment,
            now: self.clock.now(),
            nonce,
            access,
        };
        // Held during the fetch, so that concurrent verifications fetch new keys once.
        let mut cache = self.keys.lock().await;
        let (keys, fetched) = match cache.fetched.take() {
            Some(fetched) => fetched,
            None => self.fetch_keys().await?,
        };
        let may_fetch = self.clock.monotonic().saturating_sub(fetched) >= MIN_FETCH_INTERVAL;
        let (keys, fetched) = if may_fetch && expected.lacks_key(token, &keys) {
            self.fetch_keys().await?
        } else {
            (keys, fetched)
        };
        cache.fetched = Some((keys.clone(), fetched));
        drop(cache);
        expected.verify(token, keys)
    }

    async fn fetch_keys(&self) -> Result<(JsonWebKeySet<CoreJsonWebKey>, Duration), ProviderError> {
        let address = self.discovery().await?.metadata().jwks_uri();
        let keys = JsonWebKeySet::fetch_async(address, &self.transport)
            .await
            .map_err(discovery_error)?;
        Ok((keys, self.clock.monotonic()))
    }
}
