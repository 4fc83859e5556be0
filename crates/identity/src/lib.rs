//! The OpenID Provider, and the administration of its records.

mod access;
pub mod administration;
mod authorize;
pub(crate) mod bearer;
mod browser;
mod claims;
mod client_authentication;
mod cookies;
mod cors;
mod credentials;
mod csrf_token;
mod discovery;
mod end_session;
mod error;
mod form_body;
#[doc(hidden)]
pub mod fuzz_checks;
mod i18n;
pub(crate) mod impersonation;
mod introspect;
mod json_object;
pub(crate) mod keys;
mod oauth_error;
mod pages;
mod parameters;
pub mod password;
mod password_change;
mod pkce;
mod redirect_uri;
mod revoke;
pub(crate) mod scope;
mod signer;
mod throttle;
mod token;
mod userinfo;

use std::net::IpAddr;
use std::sync::{Arc, PoisonError, RwLock};

use axum::Router;
use axum::extract::State;
use axum::response::Response;
use axum::routing::{get, post};
use http::HeaderMap;
use http::header::{self, HeaderName, HeaderValue};
use invoicing_contract::Names;
use tokio_util::sync::CancellationToken;

pub use access::StoreAccess;
pub use error::ProviderError;

use self::cors::{OriginCorsLayer, allow_any_origin};
use invoicing_contract::EnvironmentKind;
use invoicing_storage::tokens::Bearer;
use invoicing_storage::world::World;
use invoicing_storage::{StorageError, Store};

/// The next key was published long before it signs, so a moment more does no harm.
const KEYS_LOOKED_AT_EVERY: std::time::Duration = std::time::Duration::from_secs(2);

/// What the identity provider is built from.
pub struct ProviderDependencies {
    /// Its address, without a trailing slash.
    pub issuer: String,
    /// What the environment is for.
    pub kind: EnvironmentKind,
    /// Accounts that the sign-in page shows with their passwords: those of a demo seed, otherwise none.
    pub demo_accounts: Vec<DemoAccount>,
    /// Proxies whose word about the caller's address is taken.
    pub proxies: Vec<IpAddr>,
    /// Names of claims and scopes.
    pub names: Names,
    /// Where everything is kept.
    pub store: Arc<dyn Store>,
    /// Clock and randomness.
    pub world: World,
}

/// An account that the sign-in page shows with its password.
#[derive(Clone)]
pub struct DemoAccount {
    /// The person's name.
    pub name: String,
    /// What to sign in with.
    pub username: String,
    /// Its password, which is no secret.
    pub password: String,
}

/// What every endpoint works with.
pub struct Provider {
    issuer: String,
    kind: EnvironmentKind,
    demo_accounts: Vec<DemoAccount>,
    proxies: Vec<IpAddr>,
    names: Names,
    store: Arc<dyn Store>,
    world: World,
    keys: RwLock<Arc<keys::SigningKeys>>,
    passwords: password::Passwords,
    csrf_tokens: csrf_token::CsrfTokens,
    i18n: i18n::Translations,
    machine_authorizations: token::MachineAuthorizationCache,
}

impl Provider {
    /// Loads what is kept between starts.
    pub async fn load(parts: ProviderDependencies) -> Result<Arc<Self>, ProviderError> {
        let ProviderDependencies {
            issuer,
            kind,
            demo_accounts,
            proxies,
            names,
            store,
            world,
        } = parts;
        let keys = keys::SigningKeys::load(&*store, world.clock.now_ms()).await?;
        let csrf_key = store
            .setting_or(
                "page_key",
                invoicing_storage::secret::Secret::random(&*world.randomness).expose(),
            )
            .await?;
        Ok(Arc::new(Self {
            issuer,
            kind,
            demo_accounts,
            proxies,
            names,
            store,
            keys: RwLock::new(Arc::new(keys)),
            passwords: password::Passwords::new(&*world.randomness),
            csrf_tokens: csrf_token::CsrfTokens::new(&csrf_key),
            i18n: i18n::Translations::load(),
            machine_authorizations: token::MachineAuthorizationCache::new(),
            world,
        }))
    }

    /// The valid token that `presented` is, and who it stands for.
    async fn bearer(&self, presented: &str) -> Result<Option<Bearer>, StorageError> {
        bearer::resolve(
            &*self.store,
            self.kind,
            &self.names,
            presented,
            self.now_ms(),
        )
        .await
    }

    /// The keys as they were when it was last looked.
    fn keys(&self) -> Arc<keys::SigningKeys> {
        // Whoever panicked while holding it left a whole Arc behind.
        self.keys
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Looks every now and then whether another process rotated the signing keys, until `stop`.
    pub async fn watch_keys(self: Arc<Self>, stop: CancellationToken) {
        loop {
            tokio::select! {
                () = stop.cancelled() => return,
                () = tokio::time::sleep(KEYS_LOOKED_AT_EVERY) => {}
            }
            match self.keys().renewed(&*self.store, self.now_ms()).await {
                Ok(None) => {}
                Ok(Some(renewed)) => {
                    tracing::info!("the signing keys were rotated");
                    *self.keys.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(renewed);
                }
                Err(error) => {
                    tracing::warn!(%error, "the signing keys could not be read; those known stay in use");
                }
            }
        }
    }

    fn now_ms(&self) -> i64 {
        self.world.clock.now_ms()
    }

    /// The project-audience id of this environment.
    const fn audience_id(&self) -> &'static str {
        self.kind.audience_id()
    }

    /// Whether callers reach it with encryption.
    fn encrypted(&self) -> bool {
        self.issuer.starts_with("https:")
    }
}

/// The endpoints of `provider`.
pub fn router(provider: Arc<Provider>) -> Router {
    Router::new()
        .route(
            "/oauth/v2/authorize",
            get(authorize::authorize_get).post(authorize::authorize_post),
        )
        .route(
            "/oauth/v2/sign-in",
            get(authorize::sign_in_again).post(authorize::sign_in),
        )
        .route("/oauth/v2/steps", post(authorize::step))
        .route(
            "/account/password",
            get(password_change::account_password).post(password_change::change_account_password),
        )
        .route(
            "/.well-known/change-password",
            get(password_change::well_known),
        )
        .route(
            "/oidc/v1/end_session",
            get(end_session::end_session_get).post(end_session::end_session_post),
        )
        .route(pages::style_path(), get(pages::style))
        .route(pages::icon_path(), get(pages::icon))
        .route("/oauth/v2/introspect", post(introspect::introspect))
        .merge(for_single_page_applications())
        .fallback(not_found)
        .with_state(provider)
}

/// What a program in a page of another origin calls.
fn for_single_page_applications() -> Router<Arc<Provider>> {
    let kept = Router::new()
        .route(
            "/.well-known/openid-configuration",
            get(discovery::discovery),
        )
        .route("/oauth/v2/keys", get(discovery::keys))
        .layer(allow_any_origin());
    let never_kept = Router::new()
        .route("/oauth/v2/token", post(token::token))
        .route("/oauth/v2/revoke", post(revoke::revoke))
        .route(
            "/oidc/v1/userinfo",
            get(userinfo::userinfo).post(userinfo::userinfo),
        )
        .layer(OriginCorsLayer::new());
    kept.merge(never_kept)
}

/// An address that is none of the above, most likely typed by a person.
async fn not_found(State(provider): State<Arc<Provider>>, headers: HeaderMap) -> Response {
    let browser = browser::Browser::new(&provider, &headers, None);
    pages::error_page(&browser.frame(None), pages::ErrorPage::NotFound)
}

/// Headers of every answer, unless it says something else itself: what may be cached, and what a page may load.
pub fn headers_of_every_answer(provider: &Provider) -> Vec<(HeaderName, HeaderValue)> {
    let mut always = vec![
        (header::CACHE_CONTROL, "no-store"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (
            header::CONTENT_SECURITY_POLICY,
            "default-src 'none'; frame-ancestors 'none'",
        ),
        (
            HeaderName::from_static("cross-origin-opener-policy"),
            "same-origin",
        ),
    ];
    if provider.encrypted() {
        always.push((header::STRICT_TRANSPORT_SECURITY, "max-age=63072000"));
    }
    always
        .into_iter()
        .map(|(name, value)| (name, HeaderValue::from_static(value)))
        .collect()
}
