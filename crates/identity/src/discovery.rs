//! OpenID Connect discovery and the JSON Web Key Set.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::response::IntoResponse;
use http::header;
use serde_json::{Value, json};

use crate::provider::Provider;
use invoicing_storage::applications::GrantType;

/// Clients cache for five minutes: a new key is published much longer before it signs.
const CACHE_CONTROL: &str = "public, max-age=300";

/// GET /.well-known/openid-configuration
pub(crate) async fn discovery(State(provider): State<Arc<Provider>>) -> impl IntoResponse {
    (
        [(header::CACHE_CONTROL, CACHE_CONTROL)],
        Json(metadata(&provider)),
    )
}

/// GET /oauth/v2/keys
pub(crate) async fn keys(State(provider): State<Arc<Provider>>) -> impl IntoResponse {
    (
        [(header::CACHE_CONTROL, CACHE_CONTROL)],
        Json(provider.keys().jwk_set()),
    )
}

fn metadata(provider: &Provider) -> Value {
    let issuer = &provider.issuer;
    let names = &provider.names;
    json!({
        "issuer": issuer,
        "authorization_endpoint": format!("{issuer}/oauth/v2/authorize"),
        "token_endpoint": format!("{issuer}/oauth/v2/token"),
        "userinfo_endpoint": format!("{issuer}/oidc/v1/userinfo"),
        "jwks_uri": format!("{issuer}/oauth/v2/keys"),
        "end_session_endpoint": format!("{issuer}/oidc/v1/end_session"),
        "revocation_endpoint": format!("{issuer}/oauth/v2/revoke"),
        "pushed_authorization_request_endpoint": format!("{issuer}/oauth/v2/par"),
        "require_pushed_authorization_requests": false,
        "introspection_endpoint": format!("{issuer}/oauth/v2/introspect"),
        "response_types_supported": ["code"],
        "response_modes_supported": ["query"],
        "grant_types_supported": GrantType::ALL.map(GrantType::name),
        "subject_types_supported": ["public"],
        "id_token_signing_alg_values_supported": ["RS256", "EdDSA"],
        "token_endpoint_auth_methods_supported": ["client_secret_basic", "client_secret_post", "none"],
        "revocation_endpoint_auth_methods_supported": ["client_secret_basic", "client_secret_post", "none"],
        "introspection_endpoint_auth_methods_supported": ["client_secret_basic", "client_secret_post"],
        "code_challenge_methods_supported": ["S256"],
        "scopes_supported": [
            "openid", "profile", "email", "offline_access",
            names.audience_scope(provider.audience_id()), names.home_organization_scope(),
        ],
        "claims_supported": [
            "sub", "iss", "aud", "azp", "exp", "iat", "auth_time", "nonce", "at_hash", "sid",
            "name", "preferred_username", "email", "email_verified",
            names.home_organization_id(), names.home_organization_name(), names.home_organization_domain(), names.roles(),
        ],
        "prompt_values_supported": ["none", "login", "select_account"],
        "ui_locales_supported": ["en", "ar"],
        "claims_parameter_supported": false,
        "request_parameter_supported": false,
        "request_uri_parameter_supported": false,
        "authorization_response_iss_parameter_supported": true,
    })
}
