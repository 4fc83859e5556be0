//! The id_token of a person's sign-in (contract, part 2; OpenID Connect Core, 2).

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sha2::{Digest, Sha256, Sha512};

use super::issue::{ACCESS_SECONDS, Made};
use crate::identity::oauth_error::{ErrorCode, OAuthError};
use crate::identity::scope::Scope;
use crate::identity::{Provider, claims};
use crate::storage::applications::Application;
use crate::storage::keys::SigningAlgorithm;
use crate::storage::subjects::Subject;
use crate::storage::tokens::Family;

#[derive(Serialize)]
struct Claims<'a> {
    iss: &'a str,
    sub: &'a str,
    aud: [&'a str; 1],
    azp: &'a str,
    iat: i64,
    exp: i64,
    auth_time: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    sid: Option<&'a str>,
    at_hash: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    nonce: Option<&'a str>,
    #[serde(flatten)]
    about: Map<String, Value>,
}

/// What an id_token_hint tells: an id_token of ours, whatever its age.
#[derive(Debug, Clone, Deserialize)]
pub(in crate::identity) struct Hint {
    /// Who.
    pub(in crate::identity) sub: String,
    /// The application it was made for.
    pub(in crate::identity) azp: String,
    /// The browser session it was made in, if there was one.
    pub(in crate::identity) sid: Option<String>,
}

/// Signs the id_token that goes with `made`.
pub(super) async fn sign(
    provider: &Provider,
    application: &Application,
    subject: &Subject,
    family: &Family,
    nonce: Option<&str>,
    made: &Made,
) -> Result<String, OAuthError> {
    let scope = Scope::stored(&family.scope);
    let mut about = claims::profile(subject, &scope);
    about.extend(claims::home_organization(provider, subject).await?);
    about.extend(claims::roles(provider, subject, &scope).await?);
    let now = provider.now_ms() / 1000;
    let claims = Claims {
        iss: &provider.issuer,
        sub: &subject.id,
        aud: [&application.client_id],
        azp: &application.client_id,
        iat: now,
        exp: now + ACCESS_SECONDS,
        auth_time: family.authenticated_at / 1000,
        sid: family.session_id.as_deref(),
        at_hash: at_hash(made.access.expose(), application.id_token_algorithm),
        nonce,
        about,
    };
    provider
        .keys()
        .sign(application.id_token_algorithm, &claims)
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
