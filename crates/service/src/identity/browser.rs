//! The browser on the other side: its language, its cookies, and the pages it was given.

use axum::response::Response;
use http::{HeaderMap, HeaderValue, header};

use super::Provider;
use super::cookies::{Cookie, SESSION_SECONDS};
use super::pages::Frame;
use super::parameters::Parameters;
use super::redirect_uri::form_target;
use super::secret::{Secret, TokenHash, random_id};
use super::words::Language;
use crate::storage::StorageError;
use crate::storage::audit::{self, Entry};
use crate::storage::subjects::Subject;
use crate::storage::tokens::Session;

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
    pub(super) fn frame(&self, target: Option<&str>) -> Frame<'a> {
        let switch = self.page.as_ref().map(|(path, parameters)| {
            format!(
                "{path}?{}",
                parameters
                    .with("ui_locales", self.language.other().tag())
                    .to_query()
            )
        });
        Frame {
            speech: self.provider.words.of(self.language),
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
                .page_tokens
                .make(&value, &subject(parameters), self.provider.now_ms());
        PageForm {
            action: format!("{path}?{query}"),
            token,
            cookie,
        }
    }

    /// Whether `token` comes from a page about `parameters` that this browser was given a short while ago.
    pub(super) fn gave(&self, token: &str, parameters: &Parameters) -> bool {
        let Some(cookie) = Cookie::Page.read(self.headers, self.provider.encrypted()) else {
            return false;
        };
        self.provider.page_tokens.check(
            token,
            &cookie,
            &subject(parameters),
            self.provider.now_ms(),
        )
    }

    /// Who is signed in.
    pub(super) async fn signed_in(&self) -> Result<Option<SignedIn>, StorageError> {
        let Some(cookie) = Cookie::Session.read(self.headers, self.provider.encrypted()) else {
            return Ok(None);
        };
        let session = self
            .provider
            .store
            .session(&TokenHash::of(&cookie), self.provider.now_ms())
            .await?;
        let Some(session) = session else {
            return Ok(None);
        };
        let subject = self.provider.store.subject(&session.subject).await?;
        let valid = subject.filter(|subject| session.authenticated_at >= subject.valid_from);
        Ok(valid.map(|subject| SignedIn { session, subject }))
    }

    /// Signs `subject` in with this browser, under a new cookie always (against session fixation); whoever was signed in
    /// before is not any more.
    pub(super) async fn begin_session(
        &self,
        subject: &Subject,
        entry: &Entry,
    ) -> Result<(Session, HeaderValue), StorageError> {
        let provider = self.provider;
        let now = provider.now_ms();
        if let Some(before) = self.signed_in().await? {
            let replaced = Entry::new(now, audit::Kind::SignedOut)
                .about(&before.subject.id)
                .of(&before.subject.home_organization)
                .with("replaced_by", &*subject.id);
            provider
                .store
                .end_session(&before.session.id, now, &replaced)
                .await?;
        }
        let cookie = Secret::random(&*provider.world.randomness);
        let session = Session {
            id: random_id(&*provider.world.randomness),
            hash: cookie.hash(),
            subject: subject.id.clone(),
            authenticated_at: now,
            expires_at: now + SESSION_SECONDS * 1000,
        };
        provider.store.begin_session(&session, entry).await?;
        Ok((session, Cookie::Session.set(&cookie, provider.encrypted())))
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
