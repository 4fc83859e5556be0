//! The routes of the OpenID Provider and the default headers of its responses.

use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::response::Response;
use axum::routing::{get, post};
use http::HeaderMap;
use http::header::{self, HeaderName, HeaderValue};

use crate::provider::Provider;
use crate::{
    authorize, discovery, introspect, limits, pages, password, revoke, session, token, userinfo,
};
use invoicing_http::cors::{OriginCorsLayer, allow_any_origin};

/// The routes of `provider`.
pub fn router(provider: Arc<Provider>) -> Router {
    pages_router(&provider)
        .route(pages::style_path(), get(pages::style))
        .route(pages::icon_path(), get(pages::icon))
        .route("/oauth/v2/introspect", post(introspect::introspect))
        .merge(cross_origin_routes())
        .fallback(not_found)
        .with_state(provider)
}

/// The pages that a person opens. Each request counts against the limit of its address.
fn pages_router(provider: &Arc<Provider>) -> Router<Arc<Provider>> {
    Router::new()
        .route(
            "/oauth/v2/authorize",
            get(authorize::authorize_get).post(authorize::authorize_post),
        )
        .route(
            "/oauth/v2/sign-in",
            get(authorize::sign_in_get).post(authorize::sign_in_post),
        )
        .route("/oauth/v2/steps", post(authorize::pending_step_post))
        .route(
            "/account/password",
            get(password::account_password).post(password::change_account_password),
        )
        .route(
            password::SET_PASSWORD_PATH,
            get(password::set_password_page).post(password::set_password),
        )
        .route("/.well-known/change-password", get(password::well_known))
        .route(
            "/oidc/v1/end_session",
            get(session::end_session_get).post(session::end_session_post),
        )
        .route_layer(axum::middleware::from_fn_with_state(
            provider.clone(),
            limits::limit_pages,
        ))
}

/// Default headers of every response, for caching, embedding and content restrictions. A handler may override them.
pub fn default_response_headers(provider: &Provider) -> Vec<(HeaderName, HeaderValue)> {
    let mut headers = vec![
        (header::CACHE_CONTROL, "no-store"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (
            header::CONTENT_SECURITY_POLICY,
            "default-src 'none'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'",
        ),
        (
            HeaderName::from_static("cross-origin-opener-policy"),
            "same-origin",
        ),
    ];
    if provider.uses_https() {
        headers.push((header::STRICT_TRANSPORT_SECURITY, "max-age=63072000"));
    }
    headers
        .into_iter()
        .map(|(name, value)| (name, HeaderValue::from_static(value)))
        .collect()
}

/// The endpoints that single-page applications call from other origins.
fn cross_origin_routes() -> Router<Arc<Provider>> {
    let cacheable = Router::new()
        .route(
            "/.well-known/openid-configuration",
            get(discovery::discovery),
        )
        .route("/oauth/v2/keys", get(discovery::keys))
        .layer(allow_any_origin());
    let not_cacheable = Router::new()
        .route("/oauth/v2/token", post(token::token))
        .route("/oauth/v2/par", post(authorize::push))
        .route("/oauth/v2/revoke", post(revoke::revoke))
        .route(
            "/oidc/v1/userinfo",
            get(userinfo::userinfo).post(userinfo::userinfo),
        )
        .layer(OriginCorsLayer::new(allow_any_origin()));
    cacheable.merge(not_cacheable)
}

/// The response to an unknown path. It is an HTML page, since a person most likely entered the address.
async fn not_found(State(provider): State<Arc<Provider>>, headers: HeaderMap) -> Response {
    let browser = session::Browser::new(&provider, &headers, None);
    pages::error_page(&browser.layout(None), pages::ErrorPage::NotFound)
}
