//! The OpenID Provider of an environment: discovery, authorization request, token endpoint, id_token, sign-out.
//!
//! Authorization request, code exchange, discovery and id_token go through `openidconnect`, the refresh through `oauth2`;
//! decision 0060 says what does not, and why.

mod authorize;
mod discovery;
mod error;
mod id_token;
mod identity;
mod impersonation;
mod keys;
mod sign_out;
mod token;
mod transport;

use std::sync::Arc;

use openidconnect::{EndpointNotSet, EndpointSet, IssuerUrl, JsonWebKeySet};

use crate::clock::Clock;
use crate::environments::Environment;
use crate::http::Network;
use crate::rng::Rng;

pub(crate) use authorize::{AuthorizationSecrets, AuthorizeOptions};
pub(crate) use error::{Check, OAuthErrorCode, ProviderError};
#[cfg(any(test, feature = "testing"))]
pub(crate) use identity::HomeOrganization;
pub(crate) use identity::Identity;
pub(crate) use token::{SignInTokens, TokenSet};

use discovery::{DiscoveryDocument, Metadata};
use id_token::AdditionalIdTokenClaims;
use keys::KeyCache;
use transport::{Transport, TransportError};

/// The OpenID Connect client of an environment, with its authorization and token endpoints set.
type OidcClient = openidconnect::Client<
    AdditionalIdTokenClaims,
    openidconnect::core::CoreAuthDisplay,
    openidconnect::core::CoreGenderClaim,
    openidconnect::core::CoreJweContentEncryptionAlgorithm,
    openidconnect::core::CoreJsonWebKey,
    openidconnect::core::CoreAuthPrompt,
    oauth2::basic::BasicErrorResponse,
    token::TokenResponse,
    openidconnect::core::CoreTokenIntrospectionResponse,
    openidconnect::core::CoreRevocableToken,
    openidconnect::core::CoreRevocationErrorResponse,
    EndpointSet,
    EndpointNotSet,
    EndpointNotSet,
    EndpointNotSet,
    EndpointSet,
    EndpointNotSet,
>;

/// The OAuth client of an environment, with its token endpoint set.
type OAuthClient = oauth2::basic::BasicClient<
    EndpointNotSet,
    EndpointNotSet,
    EndpointNotSet,
    EndpointNotSet,
    EndpointSet,
>;

/// The accepted difference between the two clocks, in seconds. The id_token is verified with the same one, so that a wrong
/// clock is reported as such, and not as a token that cannot be trusted.
const MAX_CLOCK_SKEW: i64 = 300;

/// A client of one OpenID Provider. The discovery document is fetched when it is first needed.
pub(crate) struct Provider {
    environment: Environment,
    transport: Transport,
    clock: Arc<dyn Clock>,
    discovery: tokio::sync::OnceCell<DiscoveryDocument>,
    keys: tokio::sync::Mutex<KeyCache>,
}

impl Provider {
    pub(crate) fn new(
        environment: Environment,
        clock: Arc<dyn Clock>,
        rng: Arc<dyn Rng>,
        network: &Network,
    ) -> Self {
        let transport = Transport::new(&environment, Arc::clone(&clock), rng, network);
        Self {
            environment,
            transport,
            clock,
            discovery: tokio::sync::OnceCell::new(),
            keys: tokio::sync::Mutex::new(KeyCache::default()),
        }
    }

    /// The HTTP client for the servers of the environment. `None` if it could not be created, so that nothing can be sent.
    pub(crate) fn http(&self) -> Option<&reqwest::Client> {
        self.transport.http()
    }

    /// Fetches the discovery document.
    ///
    /// # Errors
    /// It cannot be fetched or verified, or this computer's clock is wrong.
    pub(crate) async fn discover(&self) -> Result<(), ProviderError> {
        self.oidc_client().await?;
        self.check_clock()
    }

    /// Whether an authorization response without `iss` is not one of this provider (RFC 9207, section 2.4).
    pub(crate) async fn requires_response_issuer(&self) -> Result<bool, ProviderError> {
        Ok(self.discovery().await?.announces_response_issuer())
    }

    /// Whether the provider answers at all.
    pub(crate) async fn is_reachable(&self) -> bool {
        !matches!(
            self.transport.probe(&self.environment).await,
            Err(TransportError::NoClient
                | TransportError::NotSent(_)
                | TransportError::ResponseLost(_))
        )
    }

    async fn discovery(&self) -> Result<&DiscoveryDocument, ProviderError> {
        self.discovery
            .get_or_try_init(|| discovery::discover(&self.environment, &self.transport))
            .await
    }

    async fn oidc_client(&self) -> Result<OidcClient, ProviderError> {
        let metadata: &Metadata = self.discovery().await?.metadata();
        let issuer = IssuerUrl::new(self.environment.issuer().to_owned())
            .map_err(ProviderError::because(Check::Issuer))?;
        // The keys are cached separately, so that they can be fetched again.
        Ok(openidconnect::Client::new(
            self.oauth_client_id(),
            issuer,
            JsonWebKeySet::new(Vec::new()),
        )
        .set_auth_uri(metadata.authorization_endpoint().clone())
        .set_token_uri(token_endpoint(metadata)?))
    }

    async fn oauth_client(&self) -> Result<OAuthClient, ProviderError> {
        let metadata = self.discovery().await?.metadata();
        Ok(oauth2::basic::BasicClient::new(self.oauth_client_id())
            .set_token_uri(token_endpoint(metadata)?))
    }

    fn oauth_client_id(&self) -> oauth2::ClientId {
        oauth2::ClientId::new(self.environment.client_id().to_string())
    }

    fn check_clock(&self) -> Result<(), ProviderError> {
        self.transport
            .seconds_ahead()
            .map_or(Ok(()), check_clock_skew)
    }
}

fn check_clock_skew(seconds_ahead: i64) -> Result<(), ProviderError> {
    if seconds_ahead.abs() <= MAX_CLOCK_SKEW {
        return Ok(());
    }
    let minutes = i32::try_from(seconds_ahead / 60).unwrap_or(i32::MAX);
    Err(ProviderError::ClockSkew { minutes })
}

fn token_endpoint(metadata: &Metadata) -> Result<oauth2::TokenUrl, ProviderError> {
    metadata
        .token_endpoint()
        .cloned()
        .ok_or(ProviderError::failed(Check::TokenEndpoint))
}
