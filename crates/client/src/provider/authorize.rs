//! The authorization request (OpenID Connect Core, section 3.1.2.1) with PKCE (RFC 7636).

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use oauth2::{CsrfToken, PkceCodeChallenge, PkceCodeVerifier, RedirectUrl, Scope};
use openidconnect::core::{CoreAuthPrompt, CoreResponseType};
use openidconnect::{AuthenticationFlow, LanguageTag, LoginHint, Nonce};
use secrecy::{ExposeSecret as _, SecretString};
use serde::Deserialize;
use url::Url;

use super::{Check, Provider, ProviderError};
use crate::rng::{Rng, random_bytes};

/// The secrets that link the authorization request, the authorization response and the token request of one sign-in
/// attempt. State and nonce are sent in the authorization request; of the verifier only its hash is.
pub(crate) struct AuthorizationSecrets {
    /// Links the authorization response to the attempt.
    pub(crate) state: CsrfToken,
    /// Links the id_token to the attempt.
    pub(crate) nonce: Nonce,
    /// Proves at the token endpoint that this program sent the authorization request.
    pub(crate) verifier: PkceCodeVerifier,
}

impl AuthorizationSecrets {
    /// Generates 256 bits for each.
    pub(crate) fn generate(rng: &dyn Rng) -> Self {
        let random = || URL_SAFE_NO_PAD.encode(random_bytes::<32>(rng));
        Self {
            state: CsrfToken::new(random()),
            nonce: Nonce::new(random()),
            verifier: PkceCodeVerifier::new(random()),
        }
    }
}

/// Optional parameters of the authorization request.
pub(crate) struct AuthorizeOptions<'a> {
    pub(crate) redirect_uri: &'a str,
    /// `ui_locales`: the language of the sign-in page, as `ar`.
    pub(crate) language: Option<&'a str>,
    /// Requests `prompt=none` with this id_token of the previous sign-in as `id_token_hint`.
    pub(crate) id_token_hint: Option<SecretString>,
    /// Requests `prompt=login`: the provider asks for the password, whoever is signed in to the browser.
    pub(crate) asks_for_password: bool,
    /// Requests no prompt: a provider at which the user is still signed in may answer without a page.
    pub(crate) continues_session: bool,
    /// `login_hint`: the expected user name.
    pub(crate) login_hint: Option<&'a str>,
}

impl AuthorizeOptions<'_> {
    /// Whether the request of [`Provider::authorize_url`] has `prompt=login`. A request with `prompt=none` cannot ask.
    pub(crate) const fn has_login_prompt(&self) -> bool {
        self.asks_for_password && self.id_token_hint.is_none()
    }
}

/// The response to a pushed authorization request (RFC 9126, section 2.2). The request is opened at once, so its lifetime
/// is not read.
#[derive(Deserialize)]
struct PushedRequest {
    request_uri: String,
}

impl Provider {
    /// The address of the sign-in page. It may be shown: state, nonce and the hash of the verifier are not secret in an
    /// authorization request, and an id_token gives no access.
    pub(crate) async fn authorize_url(
        &self,
        secrets: &AuthorizationSecrets,
        options: &AuthorizeOptions<'_>,
    ) -> Result<Url, ProviderError> {
        let prompt = if options.id_token_hint.is_some() {
            Some(CoreAuthPrompt::None)
        } else if options.has_login_prompt() {
            Some(CoreAuthPrompt::Login)
        } else if !options.continues_session && self.discovery().await?.supports_select_account() {
            // Another program could start a sign-in with our client id: the user must see it (RFC 8252, 8.6).
            Some(CoreAuthPrompt::SelectAccount)
        } else {
            None
        };
        self.authorization_request(secrets, options, prompt).await
    }

    /// The address of an authorization request with `prompt=none` that was pushed with `access_token` (RFC 9126): it shows
    /// the provider that this program is signed in, where a redirect URI on this computer shows nothing. `None` if the
    /// provider has no endpoint for it, or refuses it.
    pub(crate) async fn pushed_authorize_url(
        &self,
        secrets: &AuthorizationSecrets,
        options: &AuthorizeOptions<'_>,
        access_token: &SecretString,
    ) -> Option<Url> {
        let discovery = self.discovery().await.ok()?;
        let endpoint = discovery.pushed_authorization_request_endpoint()?;
        let prompt = Some(CoreAuthPrompt::None);
        // The access token says who is expected. An id_token with many roles would make the request too long.
        let options = AuthorizeOptions {
            id_token_hint: None,
            ..*options
        };
        let request = self.authorization_request(secrets, &options, prompt);
        let request = request.await.ok()?;
        match self.push(endpoint, &request, access_token).await {
            Ok(PushedRequest { request_uri }) => {
                let authorization = discovery.metadata().authorization_endpoint();
                let mut address = authorization.url().clone();
                address
                    .query_pairs_mut()
                    .append_pair("client_id", self.environment.client_id().as_str())
                    .append_pair("request_uri", &request_uri);
                Some(address)
            }
            Err(error) => {
                tracing::info!(
                    error = &error as &dyn std::error::Error,
                    "the authorization request was not pushed"
                );
                None
            }
        }
    }

    async fn push(
        &self,
        endpoint: &Url,
        request: &Url,
        access_token: &SecretString,
    ) -> Result<PushedRequest, ProviderError> {
        let parameters: Vec<_> = request.query_pairs().collect();
        let body = self
            .transport
            .post_as_bearer(endpoint, &parameters, access_token)
            .await?;
        serde_json::from_slice(&body).map_err(ProviderError::because(Check::RequestUri))
    }

    /// The address of an authorization request.
    async fn authorization_request(
        &self,
        secrets: &AuthorizationSecrets,
        options: &AuthorizeOptions<'_>,
        prompt: Option<CoreAuthPrompt>,
    ) -> Result<Url, ProviderError> {
        let client = self
            .oidc_client()
            .await?
            .set_redirect_uri(redirect_url(options.redirect_uri)?);
        let (state, nonce) = (secrets.state.clone(), secrets.nonce.clone());
        let mut request = client
            .authorize_url(
                AuthenticationFlow::<CoreResponseType>::AuthorizationCode,
                move || state,
                move || nonce,
            )
            .set_pkce_challenge(PkceCodeChallenge::from_code_verifier_sha256(
                &secrets.verifier,
            ));
        for scope in self
            .environment
            .scopes()
            .into_iter()
            // The library adds it itself.
            .filter(|scope| scope != "openid")
        {
            request = request.add_scope(Scope::new(scope));
        }
        if let Some(language) = options.language {
            request = request.add_ui_locale(LanguageTag::new(language.to_owned()));
        }
        if let Some(hint) = options.login_hint {
            request = request.set_login_hint(LoginHint::new(hint.to_owned()));
        }
        if let Some(id_token) = &options.id_token_hint {
            let id_token = id_token.expose_secret().to_owned();
            request = request.add_extra_param("id_token_hint", id_token);
        }
        if let Some(prompt) = prompt {
            request = request.add_prompt(prompt);
        }
        let (address, ..) = request.url();
        Ok(address)
    }
}

pub(super) fn redirect_url(address: &str) -> Result<RedirectUrl, ProviderError> {
    RedirectUrl::new(address.to_owned()).map_err(ProviderError::because(Check::RedirectUri))
}
