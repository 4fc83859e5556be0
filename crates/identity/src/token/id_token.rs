//! The id_token of a person's sign-in (contract, part 2; OpenID Connect Core, 2).

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::Deserialize;
use sha2::{Digest, Sha256, Sha512};

use super::minted_tokens::ACCESS_SECONDS;
use crate::Provider;
use crate::json_object::JsonObjectWriter;
use crate::oauth_error::{ErrorCode, OAuthError};
use crate::scope::Scope;
use invoicing_storage::applications::Application;
use invoicing_storage::keys::SigningAlgorithm;
use invoicing_storage::secret::Secret;
use invoicing_storage::subjects::Member;
use invoicing_storage::tokens::Family;

/// What an id_token says besides whom it is about.
pub(crate) struct IdTokenClaims<'a> {
    /// Granted scopes.
    pub(crate) scope: &'a Scope,
    /// The browser session, if there is one.
    pub(crate) session_id: Option<&'a str>,
    /// When the password was given, in milliseconds since 1970.
    pub(crate) authenticated_at: i64,
    /// What the application wants to see again.
    pub(crate) nonce: Option<&'a str>,
    /// The administrator behind it.
    pub(crate) actor: Option<&'a str>,
    /// For how many seconds.
    pub(crate) lives: i64,
}

impl<'a> IdTokenClaims<'a> {
    /// Of a person's own sign-in.
    pub(super) fn of(family: &'a Family, scope: &'a Scope, nonce: Option<&'a str>) -> Self {
        Self {
            scope,
            session_id: family.session_id.as_deref(),
            authenticated_at: family.authenticated_at,
            nonce,
            actor: None,
            lives: ACCESS_SECONDS,
        }
    }
}

/// What an id_token_hint tells: an id_token of ours, whatever its age.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct IdTokenHint {
    /// Who.
    pub(crate) sub: String,
    /// The application it was made for.
    pub(crate) azp: String,
    /// The browser session it was made in, if there was one.
    pub(crate) sid: Option<String>,
    /// There if somebody else acted. Such a token stands for nobody's sign-in.
    act: Option<serde_json::Value>,
}

impl IdTokenHint {
    /// The hint in `id_token`, if it is one that this service signed for a person's own sign-in.
    pub(crate) fn read(provider: &Provider, id_token: &str) -> Option<Self> {
        let hint: Self = provider.keys().verify_hint(id_token, &provider.issuer)?;
        hint.act.is_none().then_some(hint)
    }
}

/// Signs the id_token that goes with an access token.
pub(crate) fn sign(
    provider: &Provider,
    application: &Application,
    member: &Member,
    told: &IdTokenClaims<'_>,
    access_token: &Secret,
) -> Result<String, OAuthError> {
    let now = provider.now_ms() / 1000;
    let algorithm = application.id_token_algorithm;
    let claims = JsonObjectWriter::new()
        .with("iss", &provider.issuer)
        .with("sub", &member.subject.id)
        .with("aud", [&application.client_id])
        .with("azp", &application.client_id)
        .with("iat", now)
        .with("exp", now + told.lives)
        .with("auth_time", told.authenticated_at / 1000)
        .with_some("sid", told.session_id)
        .with("at_hash", at_hash(access_token.expose(), algorithm))
        .with_some("nonce", told.nonce)
        .actor(told.actor)
        .profile(provider, member, told.scope)
        .roles_and_home(provider, member, told.scope, true);
    provider
        .keys()
        .sign(algorithm, &claims.into_json())
        .map_err(|error| {
            tracing::error!(%error, "no id_token");
            OAuthError::new(ErrorCode::TemporarilyUnavailable, "try again in a moment")
        })
}

/// The left half of the hash that the signature uses; Ed25519 uses SHA-512 (OpenID Connect Core, 3.1.3.6).
fn at_hash(access_token: &str, algorithm: SigningAlgorithm) -> String {
    match algorithm {
        SigningAlgorithm::Rs256 => URL_SAFE_NO_PAD.encode(&Sha256::digest(access_token)[..16]),
        SigningAlgorithm::EdDsa => URL_SAFE_NO_PAD.encode(&Sha512::digest(access_token)[..32]),
    }
}
