//! The identity provider's signing keys, asked for again when a token names one that is not among them.

use std::time::Duration;

use openidconnect::core::CoreJsonWebKey;
use openidconnect::{AccessToken, JsonWebKeySet, Nonce};

use super::id_token::{Expected, Token};
use super::{Provider, ProviderError, discovery};
use crate::session::Identity;

/// A key that is not known is asked for at most this often.
const BETWEEN_FETCHES: Duration = Duration::from_secs(60);

/// The keys, and when they were fetched.
#[derive(Default)]
pub(super) struct Keys {
    fetched: Option<(JsonWebKeySet<CoreJsonWebKey>, Duration)>,
}

impl Provider {
    /// Verifies an id_token and gives who it is about.
    pub(super) async fn verify(
        &self,
        token: &Token,
        access: &AccessToken,
        nonce: &Nonce,
    ) -> Result<Identity, ProviderError> {
        let expected = Expected {
            environment: &self.environment,
            now: self.clock.now(),
            nonce,
            access,
        };
        // Held over the fetch, so that many verifications ask for new keys once.
        let mut keys = self.keys.lock().await;
        let (set, fetched) = match keys.fetched.take() {
            Some(fetched) => fetched,
            None => self.fetch().await?,
        };
        let old = self.clock.monotonic().saturating_sub(fetched) >= BETWEEN_FETCHES;
        let (set, fetched) = if old && expected.lacks_key(token, &set) {
            self.fetch().await?
        } else {
            (set, fetched)
        };
        keys.fetched = Some((set.clone(), fetched));
        drop(keys);
        expected.verify(token, set)
    }

    async fn fetch(&self) -> Result<(JsonWebKeySet<CoreJsonWebKey>, Duration), ProviderError> {
        let address = self.discovered().await?.metadata().jwks_uri();
        let set = JsonWebKeySet::fetch_async(address, &self.transport).await;
        let set = set.map_err(discovery::discovery_error)?;
        Ok((set, self.clock.monotonic()))
    }
}
