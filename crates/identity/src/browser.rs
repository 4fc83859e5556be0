//! The browser on the other side: its language, its cookies, and the pages it was given.

use axum::response::Response;
use http::{HeaderMap, HeaderValue, header};

use super::Provider;
use super::cookies::{ACCOUNTS, Cookie, SESSION_SECONDS};
use super::i18n::Language;
use super::pages::PageLayout;
use super::parameters::Parameters;
use super::redirect_uri::form_target;
use invoicing_storage::StorageError;
use invoicing_storage::audit::{self, Entry};
use invoicing_storage::secret::{Secret, TokenHash, random_id};
use invoicing_storage::subjects::Subject;
use invoicing_storage::tokens::{PendingStep, Session};

/// One request of a browser.
pub(super) struct Browser<'a> {
    provider: &'a Provider,
    headers: &'a HeaderMap,
    language: Language,
    /// Path and parameters that show the same page again with GET.
    page: Option<(&'static str, Parameters)>,
}

/// Who is signed in with a browser.
pub(super) struct SignedIn {
    pub(super) session: Session,
    pub(super) subject: Subject,
    secret: String,
}

/// What a page needs for its form.
pub(super) struct PageForm {
    /// Where the form goes.
    pub(super) action: String,
    /// Proves that the form comes from the page.
    pub(super) token: String,
    cookie: Option<HeaderValue>,
}

impl<'a> Browser<'a> {
    /// At the authorization endpoint.
    pub(super) fn new(
        provider: &'a Provider,
        headers: &'a HeaderMap,
        parameters: Option<&Parameters>,
    ) -> Self {
        Self::at("/oauth/v2/authorize", provider, headers, parameters)
    }

    /// At `path`.
    pub(super) fn at(
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
            page: parameters.map(|parameters| (path, parameters.clone())),
        }
    }

    pub(super) const fn provider(&self) -> &'a Provider {
        self.provider
    }

    /// The frame of a page whose form may lead to `target`.
    pub(super) fn frame(&self, target: Option<&str>) -> PageLayout<'a> {
        let switch = self.page.as_ref().map(|(path, parameters)| {
            format!(
                "{path}?{}",
                parameters
                    .with("ui_locales", self.language.other().tag())
                    .to_query()
            )
        });
        PageLayout {
            localizer: self.provider.i18n.of(self.language),
            kind: self.provider.kind,
            switch,
            form_target: target.and_then(form_target),
        }
    }

    /// The form of the sign-in page for the request with `parameters`.
    pub(super) fn page(&self, parameters: &Parameters) -> PageForm {
        self.form("/oauth/v2/sign-in", parameters)
    }

    /// A form that goes to `path` with `parameters` in its address.
    pub(super) fn form(&self, path: &str, parameters: &Parameters) -> PageForm {
        let known = Cookie::Page.read(self.headers, self.provider.encrypted());
        let (value, cookie) = match known {
            // Kept, so that a page in another tab stays good.
            Some(known) => (known, None),
            None => {
                let made = Secret::random(&*self.provider.world.randomness);
                (
                    made.expose().to_owned(),
                    Some(Cookie::Page.set(&made, self.provider.encrypted())),
                )
            }
        };
        let query = parameters.to_query();
        let token =
            self.provider
                .csrf_tokens
                .make(&value, &subject(parameters), self.provider.now_ms());
        PageForm {
            action: format!("{path}?{query}"),
            token,
            cookie,
        }
    }

    /// Whether `token` comes from a page about `parameters` that this browser was given a short while ago.
    pub(super) fn verify_csrf_token(&self, token: &str, parameters: &Parameters) -> bool {
        let Some(cookie) = Cookie::Page.read(self.headers, self.provider.encrypted()) else {
            return false;
        };
        self.provider.csrf_tokens.check(
            token,
            &cookie,
            &subject(parameters),
            self.provider.now_ms(),
        )
    }

    /// Everybody who is signed in, the latest first.
    pub(super) async fn signed_in(&self) -> Result<Vec<SignedIn>, StorageError> {
        let mut all = self.sessions().await?;
        all.retain(|one| one.session.pending.is_none());
        Ok(all)
    }

    /// Whoever gave the right password last and has a step left to do.
    pub(super) async fn pending(&self) -> Result<Option<(SignedIn, PendingStep)>, StorageError> {
        let latest = self.sessions().await?.into_iter().next();
        Ok(latest.and_then(|one| one.session.pending.map(|step| (one, step))))
    }

    /// The living sessions of the cookie, the latest first.
    async fn sessions(&self) -> Result<Vec<SignedIn>, StorageError> {
        let cookie = Cookie::Session.read(self.headers, self.provider.encrypted());
        let mut all = Vec::new();
        for secret in cookie.iter().flat_map(|cookie| cookie.split('.')) {
            let hash = TokenHash::of(secret);
            let store = &self.provider.store;
            let Some(session) = store.session(&hash, self.provider.now_ms()).await? else {
                continue;
            };
            let basis = store.basis().await?;
            let member = store.member(&session.subject, basis).await?;
            if let Some(member) =
                member.filter(|member| session.authenticated_at >= member.subject.valid_from)
            {
                all.push(SignedIn {
                    session,
                    subject: member.subject.clone(),
                    secret: secret.to_owned(),
                });
            }
        }
        Ok(all)
    }

    /// Begins a session of `subject` with this browser, always under a new secret (against session fixation). The same
    /// person's session before ends; other people stay signed in, so that one can choose between them. All of it at the time
    /// of `entry`: in the audit the end of a session stands before the beginning of the one that replaces it.
    pub(super) async fn begin_session(
        &self,
        subject: &Subject,
        entry: &Entry,
    ) -> Result<(Session, HeaderValue), StorageError> {
        let provider = self.provider;
        let now = entry.at;
        let made = Secret::random(&*provider.world.randomness);
        let mut secrets = vec![made.expose().to_owned()];
        for before in self.sessions().await? {
            let stays = before.subject.id != subject.id
                && before.session.pending.is_none()
                && secrets.len() < ACCOUNTS;
            if stays {
                secrets.push(before.secret);
                continue;
            }
            let replaced = Entry::new(now, audit::Kind::SignedOut)
                .about(&before.subject.id)
                .of(&before.subject.home_organization)
                .with("replaced_by", subject.id.as_str());
            provider
                .store
                .end_session(&before.session.id, now, &replaced)
                .await?;
        }
        let session = Session {
            id: random_id(&*provider.world.randomness),
            hash: made.hash(),
            subject: subject.id.clone(),
            authenticated_at: now,
            expires_at: now + SESSION_SECONDS * 1000,
            pending: PendingStep::due(subject),
        };
        provider.store.begin_session(&session, entry).await?;
        let cookie = Cookie::Session.set_all(&secrets, provider.encrypted());
        Ok((session, cookie))
    }

    /// The cookie of those in `staying`, after others were signed out.
    pub(super) fn session_cookie(&self, staying: &[SignedIn]) -> HeaderValue {
        let secrets: Vec<_> = staying.iter().map(|one| one.secret.clone()).collect();
        Cookie::Session.set_all(&secrets, self.provider.encrypted())
    }
}

impl PageForm {
    /// The page with its cookie, if the browser has none yet.
    pub(super) fn with_cookie(self, mut page: Response) -> Response {
        if let Some(cookie) = self.cookie {
            page.headers_mut().append(header::SET_COOKIE, cookie);
        }
        page
    }
}

/// What a token is for: the request, in whatever language its page was shown.
fn subject(parameters: &Parameters) -> String {
    parameters.with("ui_locales", "").to_query()
}
