//! A request of a browser: its language, its session and CSRF cookies, and the sessions they identify.

use axum::response::Response;
use http::{HeaderMap, HeaderValue, header};

use super::cookies::{Cookie, MAX_ACCOUNTS};
use crate::i18n::Language;
use crate::lifetimes::SESSION_LIFETIME;
use crate::oauth::Parameters;
use crate::oauth::form_action_source;
use crate::pages::PageLayout;
use crate::password::KnownDevice;
use crate::provider::Provider;
use invoicing_storage::StorageError;
use invoicing_storage::audit::{self, AuditEvent};
use invoicing_storage::secret::{Secret, TokenHash, random_id};
use invoicing_storage::subjects::Subject;
use invoicing_storage::tokens::{PendingStep, Session};

/// One request of a browser.
pub(crate) struct Browser<'a> {
    provider: &'a Provider,
    headers: &'a HeaderMap,
    language: Language,
    /// Path and query of a GET that shows the same page, for the language switch.
    location: Option<(&'static str, Parameters)>,
}

/// An account that is signed in with a browser.
pub(crate) struct SignedInAccount {
    pub(crate) session: Session,
    pub(crate) subject: Subject,
    secret: String,
}

/// Action and CSRF token of a form.
pub(crate) struct CsrfForm {
    /// The URL of the form.
    pub(crate) action: String,
    /// The CSRF token, bound to the cookie and the parameters.
    pub(crate) csrf_token: String,
    /// A new CSRF cookie, if the browser has none.
    cookie: Option<HeaderValue>,
}

impl<'a> Browser<'a> {
    /// A request at the authorization endpoint.
    pub(crate) fn new(
        provider: &'a Provider,
        headers: &'a HeaderMap,
        parameters: Option<&Parameters>,
    ) -> Self {
        Self::for_path("/oauth/v2/authorize", provider, headers, parameters)
    }

    /// A request at `path`.
    pub(crate) fn for_path(
        path: &'static str,
        provider: &'a Provider,
        headers: &'a HeaderMap,
        parameters: Option<&Parameters>,
    ) -> Self {
        let ui_locales = parameters.and_then(|parameters| parameters.get("ui_locales"));
        let language = Language::preferred(ui_locales, headers);
        Self {
            provider,
            headers,
            language,
            location: parameters.map(|parameters| (path, parameters.clone())),
        }
    }

    /// The layout of a page whose form may redirect to `redirect_uri`.
    pub(crate) fn layout(&self, redirect_uri: Option<&str>) -> PageLayout<'a> {
        let language_switch = self.location.as_ref().map(|(path, parameters)| {
            format!(
                "{path}?{}",
                parameters
                    .with("ui_locales", self.language.other().tag())
                    .to_query()
            )
        });
        PageLayout {
            localizer: self.provider.translations.for_language(self.language),
            kind: self.provider.kind,
            language_switch,
            form_action: redirect_uri.and_then(form_action_source),
        }
    }

    /// The form of the sign-in page for the request with `parameters`.
    pub(crate) fn sign_in_form(&self, parameters: &Parameters) -> CsrfForm {
        self.form("/oauth/v2/sign-in", parameters)
    }

    /// A form that is submitted to `path` with `parameters` in the query.
    pub(crate) fn form(&self, path: &str, parameters: &Parameters) -> CsrfForm {
        let existing = Cookie::Csrf.read(self.headers, self.provider.uses_https());
        let (value, cookie) = match existing {
            // The cookie is reused, so that pages in other tabs stay valid.
            Some(existing) => (existing, None),
            None => {
                let secret = Secret::random(&*self.provider.rng);
                (
                    secret.expose().to_owned(),
                    Some(Cookie::Csrf.set(&secret, self.provider.uses_https())),
                )
            }
        };
        let query = parameters.to_query();
        let csrf_token =
            self.provider
                .csrf_tokens
                .issue(&value, &csrf_context(parameters), self.provider.now());
        CsrfForm {
            action: format!("{path}?{query}"),
            csrf_token,
            cookie,
        }
    }

    /// Whether `token` was issued to this browser for `parameters` and has not expired.
    pub(crate) fn verify_csrf_token(&self, token: &str, parameters: &Parameters) -> bool {
        let Some(cookie) = Cookie::Csrf.read(self.headers, self.provider.uses_https()) else {
            return false;
        };
        self.provider.csrf_tokens.verify(
            token,
            &cookie,
            &csrf_context(parameters),
            self.provider.now(),
        )
    }

    /// The accounts with a complete sign-in, the most recent first.
    pub(crate) async fn signed_in_accounts(&self) -> Result<Vec<SignedInAccount>, StorageError> {
        let mut accounts = self.active_sessions().await?;
        accounts.retain(|account| account.session.pending.is_none());
        Ok(accounts)
    }

    /// The most recent account, if its sign-in has a pending step.
    pub(crate) async fn pending_account(
        &self,
    ) -> Result<Option<(SignedInAccount, PendingStep)>, StorageError> {
        let latest = self.active_sessions().await?.into_iter().next();
        Ok(latest.and_then(|account| account.session.pending.map(|step| (account, step))))
    }

    /// The valid sessions of the cookie, the most recent first.
    async fn active_sessions(&self) -> Result<Vec<SignedInAccount>, StorageError> {
        let cookie = Cookie::Session.read(self.headers, self.provider.uses_https());
        let mut accounts = Vec::new();
        for secret in cookie.iter().flat_map(|cookie| cookie.split('.')) {
            let hash = TokenHash::of(secret);
            let store = &self.provider.store;
            let Some(session) = store.session(&hash, self.provider.now()).await? else {
                continue;
            };
            let basis = store.basis().await?;
            let member = store.member(&session.subject, basis).await?;
            if let Some(member) = member.filter(|member| member.subject.epoch == session.epoch) {
                accounts.push(SignedInAccount {
                    session,
                    subject: member.subject.clone(),
                    secret: secret.to_owned(),
                });
            }
        }
        Ok(accounts)
    }

    /// Begins a session of `subject` under a new secret (against session fixation). An earlier session of the same subject
    /// ends; other accounts stay signed in. All events have the time of `event`, so that the audit lists the end of a
    /// replaced session before the beginning of the new one.
    pub(crate) async fn begin_session(
        &self,
        subject: &Subject,
        event: &AuditEvent,
    ) -> Result<(Session, HeaderValue), StorageError> {
        let provider = self.provider;
        let now = event.at;
        let secret = Secret::random(&*provider.rng);
        let mut secrets = vec![secret.expose().to_owned()];
        for previous in self.active_sessions().await? {
            let stays = previous.subject.id != subject.id
                && previous.session.pending.is_none()
                && secrets.len() < MAX_ACCOUNTS;
            if stays {
                secrets.push(previous.secret);
                continue;
            }
            let replaced = AuditEvent::new(now, audit::AuditEventKind::SignedOut)
                .subject(&previous.subject.id)
                .organization(&previous.subject.home_organization)
                .detail("replaced_by", subject.id.as_str());
            provider
                .store
                .end_session(&previous.session.id, now, &replaced)
                .await?;
        }
        let session = Session {
            id: random_id(&*provider.rng),
            hash: secret.hash(),
            subject: subject.id.clone(),
            epoch: subject.epoch,
            authenticated_at: now,
            expires_at: now.plus(SESSION_LIFETIME),
            pending: PendingStep::due(subject),
        };
        provider.store.begin_session(&session, event).await?;
        let cookie = Cookie::Session.set_all(&secrets, provider.uses_https());
        Ok((session, cookie))
    }

    /// The device cookie's proof that `username` has signed in with this browser before.
    pub(crate) fn known_device(&self, username: &str) -> Option<KnownDevice> {
        let cookie = Cookie::Device.read(self.headers, self.provider.uses_https())?;
        self.provider.known_devices.find(username, &cookie)
    }

    /// The device cookie after `username` has signed in.
    pub(crate) fn device_cookie(&self, username: &str) -> HeaderValue {
        let provider = self.provider;
        let cookie = Cookie::Device.read(self.headers, provider.uses_https());
        let cookie = cookie.unwrap_or_default();
        let devices = &provider.known_devices;
        let values = devices.remember(username, &cookie, MAX_ACCOUNTS, &*provider.rng);
        Cookie::Device.set_all(&values, provider.uses_https())
    }

    /// The session cookie for `accounts`, after others were signed out.
    pub(crate) fn session_cookie(&self, accounts: &[SignedInAccount]) -> HeaderValue {
        let secrets: Vec<_> = accounts
            .iter()
            .map(|account| account.secret.clone())
            .collect();
        Cookie::Session.set_all(&secrets, self.provider.uses_https())
    }
}

impl CsrfForm {
    /// Adds the CSRF cookie to `page`, if the browser has none yet.
    pub(crate) fn with_cookie(self, mut page: Response) -> Response {
        if let Some(cookie) = self.cookie {
            page.headers_mut().append(header::SET_COOKIE, cookie);
        }
        page
    }
}

/// The context of a CSRF token: the parameters without the language.
fn csrf_context(parameters: &Parameters) -> String {
    parameters.with("ui_locales", "").to_query()
}
