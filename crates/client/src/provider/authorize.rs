//! The authorization request (OpenID Connect Core, section 3.1.2.1) with PKCE (RFC 7636).

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use oauth2::{CsrfToken, PkceCodeChallenge, PkceCodeVerifier, RedirectUrl, Scope};
use openidconnect::core::{CoreAuthPrompt, CoreResponseType};
use openidconnect::{AuthenticationFlow, LanguageTag, LoginHint, Nonce};
use secrecy::{ExposeSecret as _, SecretString};
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
    /// Requests `prompt=none` with this id_token of the previous sign-in as `id_token_hint`. The provider answers such
    /// a request only to the program that holds the id_token, not to any program that has registered our URI scheme.
    pub(crate) id_token_hint: Option<SecretString>,
    /// Requests `prompt=login`: the provider asks for the password, whoever is signed in to the browser.
    pub(crate) asks_for_password: bool,
    /// Requests no prompt: a provider at which the user is still signed in may answer without a page.
    pub(crate) continues_session: bool,
    /// `login_hint`: the expected user name.
    pub(crate) login_hint: Option<&'a str>,
}

impl Provider {
    /// The address of the sign-in page. It may be shown: state, nonce and the hash of the verifier are not secret in an
    /// authorization request, and an id_token gives no access.
    pub(crate) async fn authorize_url(
        &self,
        secrets: &AuthorizationSecrets,
        options: &AuthorizeOptions<'_>,
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
            request = request
                .add_prompt(CoreAuthPrompt::None)
                .add_extra_param("id_token_hint", id_token.expose_secret().to_owned());
        } else if options.asks_for_password {
            request = request.add_prompt(CoreAuthPrompt::Login);
        } else if !options.continues_session && self.discovery().await?.supports_select_account() {
            // Another program could start a sign-in with our client id: the user must see it (RFC 8252, 8.6).
            request = request.add_prompt(CoreAuthPrompt::SelectAccount);
        }
        let (address, ..) = request.url();
        Ok(address)
    }
}

pub(super) fn redirect_url(address: &str) -> Result<RedirectUrl, ProviderError> {
    RedirectUrl::new(address.to_owned()).map_err(ProviderError::because(Check::RedirectUri))
}
