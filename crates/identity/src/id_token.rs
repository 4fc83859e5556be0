//! The id_token of a sign-in (contract, part 2; OpenID Connect Core, 2).

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use invoicing_contract::{ClientId, SubjectId, Timestamp};
use serde::Deserialize;
use sha2::{Digest, Sha256, Sha512};

use crate::json_object::JsonObjectWriter;
use crate::keys::SigningError;
use crate::lifetimes::ACCESS_TOKEN_LIFETIME;
use crate::provider::Provider;
use crate::scope::Scope;
use invoicing_storage::applications::Application;
use invoicing_storage::keys::SigningAlgorithm;
use invoicing_storage::secret::Secret;
use invoicing_storage::subjects::Member;
use invoicing_storage::tokens::Family;

/// The claims of an id_token apart from those about the subject.
pub(crate) struct IdTokenClaims<'a> {
    /// Granted scopes.
    pub(crate) scope: &'a Scope,
    /// The browser session, if there is one.
    pub(crate) session_id: Option<&'a str>,
    /// The time of the authentication.
    pub(crate) authenticated_at: Timestamp,
    /// The `nonce` of the authorization request.
    pub(crate) nonce: Option<&'a str>,
    /// The administrator who impersonates the subject.
    pub(crate) actor: Option<&'a str>,
    /// The time until it expires.
    pub(crate) lifetime: Duration,
}

impl<'a> IdTokenClaims<'a> {
    /// The claims for a sign-in without impersonation.
    pub(crate) fn for_family(family: &'a Family, scope: &'a Scope, nonce: Option<&'a str>) -> Self {
        Self {
            scope,
            session_id: family.session_id.as_deref(),
            authenticated_at: family.authenticated_at,
            nonce,
            actor: None,
            lifetime: ACCESS_TOKEN_LIFETIME,
        }
    }
}

/// The claims of an `id_token_hint`: an id_token of this issuer, expired or not.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct IdTokenHint {
    /// The subject.
    pub(crate) sub: SubjectId,
    /// The client to which it was issued.
    pub(crate) azp: ClientId,
    /// The browser session, if there was one.
    pub(crate) sid: Option<String>,
    /// Present for an impersonation. Such a token does not prove a sign-in of the subject.
    act: Option<serde_json::Value>,
}

impl IdTokenHint {
    /// The claims of `id_token`, if this service signed it and it is not of an impersonation.
    pub(crate) fn verify(provider: &Provider, id_token: &str) -> Option<Self> {
        let hint: Self = provider
            .keys()
            .verify_id_token_hint(id_token, &provider.issuer)?;
        hint.act.is_none().then_some(hint)
    }
}

/// Signs the id_token that is issued with `access_token`.
pub(crate) fn sign_id_token(
    provider: &Provider,
    application: &Application,
    member: &Member,
    claims: &IdTokenClaims<'_>,
    access_token: &Secret,
) -> Result<String, SigningError> {
    let now = provider.now();
    let algorithm = application.id_token_algorithm;
    let json = JsonObjectWriter::new()
        .with("iss", &provider.issuer)
        .with("sub", &member.subject.id)
        .with("aud", [&application.client_id])
        .with("azp", &application.client_id)
        .with("iat", now.as_seconds())
        .with("exp", now.plus(claims.lifetime).as_seconds())
        .with("auth_time", claims.authenticated_at.as_seconds())
        .with_some("sid", claims.session_id)
        .with("at_hash", at_hash(access_token.expose(), algorithm))
        .with_some("nonce", claims.nonce)
        .actor(claims.actor)
        .profile(provider, member, claims.scope)
        .roles_and_home(provider, member, claims.scope, true);
    provider.keys().sign(algorithm, &json.into_json())
}

/// The left half of the hash of the access token. The hash is that of the signature algorithm; Ed25519 uses SHA-512 (OpenID
/// Connect Core, 3.1.3.6).
fn at_hash(access_token: &str, algorithm: SigningAlgorithm) -> String {
    match algorithm {
        SigningAlgorithm::Rs256 => URL_SAFE_NO_PAD.encode(&Sha256::digest(access_token)[..16]),
        SigningAlgorithm::EdDsa => URL_SAFE_NO_PAD.encode(&Sha512::digest(access_token)[..32]),
    }
}
