//! The identity provider of an environment: discovery, the token endpoint, verified identities, signing out.

mod discovery;
mod error;
mod id_token;
mod keys;
mod transport;

use std::sync::Arc;

use openidconnect::core::{
    CoreAuthDisplay, CoreAuthPrompt, CoreErrorResponseType, CoreGenderClaim, CoreJsonWebKey,
    CoreJweContentEncryptionAlgorithm, CoreJwsSigningAlgorithm, CoreResponseType,
    CoreRevocableToken, CoreRevocationErrorResponse, CoreTokenIntrospectionResponse, CoreTokenType,
};
use openidconnect::{
    AuthenticationFlow, AuthorizationCode, ClientId, CsrfToken, EmptyExtraTokenFields,
    EndpointNotSet, EndpointSet, IdTokenFields, IssuerUrl, JsonWebKeySet, LanguageTag, Nonce,
    OAuth2TokenResponse as _, PkceCodeChallenge, PkceCodeVerifier, RedirectUrl, RefreshToken,
    Scope, StandardErrorResponse, StandardTokenResponse, TokenResponse as _,
};
use secrecy::{ExposeSecret as _, SecretString};
use url::Url;

use crate::clock::Clock;
use crate::environments::Environment;
use crate::rng::{Rng, random_bytes};
use crate::session::Identity;

pub(crate) use error::ProviderError;
use error::oauth_error;

use discovery::{Discovered, Metadata};
use id_token::Claims;
use keys::Keys;
use transport::{Transport, TransportError};

type Fields = IdTokenFields<
    Claims,
    EmptyExtraTokenFields,
    CoreGenderClaim,
    CoreJweContentEncryptionAlgorithm,
    CoreJwsSigningAlgorithm,
>;
type TokenResponse = StandardTokenResponse<Fields, CoreTokenType>;
type Client = openidconnect::Client<
    Claims,
    CoreAuthDisplay,
    CoreGenderClaim,
    CoreJweContentEncryptionAlgorithm,
    CoreJsonWebKey,
    CoreAuthPrompt,
    StandardErrorResponse<CoreErrorResponseType>,
    TokenResponse,
    CoreTokenIntrospectionResponse,
    CoreRevocableToken,
    CoreRevocationErrorResponse,
    EndpointSet,
    EndpointNotSet,
    EndpointNotSet,
    EndpointNotSet,
    EndpointSet,
    EndpointNotSet,
>;

/// Beyond this the computer's clock is wrong, and a sign-in would fail for reasons nobody understands.
const MINUTES_OFF: i32 = 5;

/// One identity provider. It is asked for its metadata when they are first needed.
pub(crate) struct Provider {
    environment: Environment,
    transport: Transport,
    clock: Arc<dyn Clock>,
    discovered: tokio::sync::OnceCell<Discovered>,
    keys: tokio::sync::Mutex<Keys>,
}

/// What an attempt to sign in carries from the authorization request to the token request. None of it leaves the process
/// but state and nonce, and the verifier's hash.
pub(crate) struct Secrets {
    /// Ties the answer to the attempt.
    pub(crate) state: CsrfToken,
    /// Ties the id_token to the attempt.
    pub(crate) nonce: Nonce,
    /// Proves that who redeems the code is who asked for it.
    pub(crate) verifier: PkceCodeVerifier,
}

impl Secrets {
    /// 256 bits each.
    pub(crate) fn new(rng: &dyn Rng) -> Self {
        Self {
            state: CsrfToken::new(random(rng)),
            nonce: Nonce::new(random(rng)),
            verifier: PkceCodeVerifier::new(random(rng)),
        }
    }
}

/// Tokens of the token endpoint.
pub(crate) struct Tokens {
    pub(crate) access: SecretString,
    pub(crate) refresh: Option<SecretString>,
    /// As long as the access token lives.
    pub(crate) expires_in: std::time::Duration,
}

/// Tokens of a sign-in, with who they are for.
pub(crate) struct SignedIn {
    pub(crate) tokens: Tokens,
    pub(crate) identity: Identity,
    /// As it came, for signing out.
    pub(crate) id_token: SecretString,
}

/// How the browser is asked to sign somebody in.
pub(crate) struct Asking<'a> {
    pub(crate) redirect_uri: &'a str,
    /// Language of the page, as `ar`.
    pub(crate) language: Option<&'a str>,
    /// Without any question, or not at all: proven by the id_token of the sign-in before. The provider gives nothing silently to
    /// whoever merely claims our scheme.
    pub(crate) silently_after: Option<SecretString>,
    /// Who is expected.
    pub(crate) login_hint: Option<&'a str>,
}

impl Provider {
    pub(crate) fn new(environment: Environment, clock: Arc<dyn Clock>) -> Self {
        let transport = Transport::new(&environment, Arc::clone(&clock));
        Self {
            environment,
            transport,
            clock,
            discovered: tokio::sync::OnceCell::new(),
            keys: tokio::sync::Mutex::new(Keys::default()),
        }
    }

    /// Asks for the metadata, and fails if they cannot be trusted or this computer's clock is wrong.
    pub(crate) async fn greet(&self) -> Result<(), ProviderError> {
        self.client().await?;
        self.check_clock()
    }

    /// Whether it can be reached at all.
    pub(crate) async fn reachable(&self) -> bool {
        !matches!(
            self.transport.probe(&self.environment).await,
            Err(TransportError::NotSent | TransportError::Lost)
        )
    }

    /// The address to sign in at. It holds no secret: the verifier's hash, state and nonce are made to be seen, and an id_token
    /// opens nothing.
    pub(crate) async fn authorize_url(
        &self,
        secrets: &Secrets,
        asking: &Asking<'_>,
    ) -> Result<Url, ProviderError> {
        let client = self
            .client()
            .await?
            .set_redirect_uri(redirect(asking.redirect_uri)?);
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
            .filter(|scope| scope != "openid")
        {
            request = request.add_scope(Scope::new(scope));
        }
        if let Some(language) = asking.language {
            request = request.add_ui_locale(LanguageTag::new(language.to_owned()));
        }
        if let Some(hint) = asking.login_hint {
            request = request.set_login_hint(openidconnect::LoginHint::new(hint.to_owned()));
        }
        if let Some(id_token) = &asking.silently_after {
            request = request
                .add_prompt(CoreAuthPrompt::None)
                .add_extra_param("id_token_hint", id_token.expose_secret().to_owned());
        } else if self.discovered().await?.asks_for_account() {
            // Another program could start a sign-in of its own with our client id: a person must see it (RFC 8252, 8.6).
            request = request.add_prompt(CoreAuthPrompt::SelectAccount);
        }
        let (address, ..) = request.url();
        Ok(address)
    }

    /// Redeems a code and verifies the id_token that comes with it.
    pub(crate) async fn redeem(
        &self,
        code: SecretString,
        secrets: Secrets,
        redirect_uri: &str,
    ) -> Result<SignedIn, ProviderError> {
        let client = self
            .client()
            .await?
            .set_redirect_uri(redirect(redirect_uri)?);
        let code = AuthorizationCode::new(code.expose_secret().to_owned());
        let answer = client
            .exchange_code(code)
            .set_pkce_verifier(secrets.verifier)
            .request_async(&self.transport)
            .await;
        let answer = answer.map_err(oauth_error)?;
        let id_token = answer
            .id_token()
            .ok_or(ProviderError::NotTrusted { check: "id_token" })?;
        let verified = self
            .verify(id_token, answer.access_token(), &secrets.nonce)
            .await;
        let identity = verified.map_err(|error| self.check_clock().err().unwrap_or(error))?;
        Ok(SignedIn {
            id_token: id_token.to_string().into(),
            tokens: tokens(&answer)?,
            identity,
        })
    }

    /// Trades a refresh token, which dies, for new tokens.
    pub(crate) async fn refresh(&self, token: &SecretString) -> Result<Tokens, ProviderError> {
        let client = self.client().await?;
        let token = RefreshToken::new(token.expose_secret().to_owned());
        let answer = client
            .exchange_refresh_token(&token)
            .request_async(&self.transport)
            .await
            .map_err(oauth_error)?;
        tokens(&answer)
    }

    /// Revokes a refresh token, and with it what came of it (RFC 7009).
    pub(crate) async fn revoke(&self, token: &SecretString) -> Result<(), ProviderError> {
        let Some(address) = self.discovered().await?.revocation_endpoint() else {
            return Ok(());
        };
        let form = [
            ("token", token.expose_secret()),
            ("token_type_hint", "refresh_token"),
            ("client_id", self.environment.client_id()),
        ];
        self.transport.post(address, &form).await
    }

    /// Ends the session at the identity provider, told by the id_token of its sign-in.
    pub(crate) async fn end_session(&self, id_token: &SecretString) -> Result<(), ProviderError> {
        let Some(address) = self.discovered().await?.end_session_endpoint() else {
            return Ok(());
        };
        let form = [
            ("id_token_hint", id_token.expose_secret()),
            ("client_id", self.environment.client_id()),
        ];
        self.transport.post(address, &form).await
    }

    async fn discovered(&self) -> Result<&Discovered, ProviderError> {
        self.discovered
            .get_or_try_init(|| discovery::discover(&self.environment, &self.transport))
            .await
    }

    async fn client(&self) -> Result<Client, ProviderError> {
        let metadata: &Metadata = self.discovered().await?.metadata();
        let issuer = IssuerUrl::new(self.environment.issuer().to_owned());
        let issuer = issuer.map_err(|_| ProviderError::NotTrusted { check: "issuer" })?;
        let token_endpoint = metadata.token_endpoint().cloned();
        let token_endpoint = token_endpoint.ok_or(ProviderError::NotTrusted {
            check: "token_endpoint",
        })?;
        // Keys are held apart, where they can be fetched again.
        Ok(openidconnect::Client::new(
            ClientId::new(self.environment.client_id().to_owned()),
            issuer,
            JsonWebKeySet::new(Vec::new()),
        )
        .set_auth_uri(metadata.authorization_endpoint().clone())
        .set_token_uri(token_endpoint))
    }

    fn check_clock(&self) -> Result<(), ProviderError> {
        match self.transport.minutes_ahead() {
            Some(minutes) if minutes.abs() > MINUTES_OFF => {
                Err(ProviderError::ClockOff { minutes })
            }
            _ => Ok(()),
        }
    }
}

fn random(rng: &dyn Rng) -> String {
    use base64::Engine as _;
    base64::engine::general_purpose::URL_SAFE_NO_PAD.encode(random_bytes::<32>(rng))
}

fn redirect(address: &str) -> Result<RedirectUrl, ProviderError> {
    RedirectUrl::new(address.to_owned()).map_err(|_| ProviderError::NotTrusted {
        check: "redirect_uri",
    })
}

fn tokens(answer: &TokenResponse) -> Result<Tokens, ProviderError> {
    // Without a lifetime nobody could tell when to refresh; the contract always gives one.
    let expires_in = answer.expires_in().ok_or(ProviderError::NotTrusted {
        check: "expires_in",
    })?;
    Ok(Tokens {
        access: answer.access_token().secret().clone().into(),
        refresh: answer
            .refresh_token()
            .map(|token| token.secret().clone().into()),
        expires_in,
    })
}
