//! POST /oauth/v2/sign-in: the form of the sign-in page.

use std::sync::Arc;

use axum::Extension;
use axum::extract::{RawQuery, State};
use axum::response::{IntoResponse as _, Response};
use http::{HeaderMap, HeaderValue, StatusCode, header};

use super::endpoint::{login_page, refused, satisfies_request};
use super::request::{AuthorizationRequest, Prompt, Refusal};
use super::response::{RedirectError, with_code};
use super::steps;
use crate::browser::Browser;
use crate::credentials::{Credentials, LONGEST_USERNAME, PasswordCheck};
use crate::form_body::FormBody;
use crate::pages::{ErrorPage, Problem, error_page};
use crate::parameters::Parameters;
use crate::throttle::{RetryDelay, SignInAttempt};
use crate::token::form;
use crate::{Provider, password};
use invoicing_http::Peer;
use invoicing_storage::audit::{self, Entry};
use invoicing_storage::subjects::Subject;
use invoicing_storage::tokens::Session;

/// POST /oauth/v2/sign-in, with the authorization request in its query.
pub(crate) async fn sign_in(
    State(provider): State<Arc<Provider>>,
    Extension(peer): Extension<Peer>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
    FormBody(body): FormBody,
) -> Response {
    let parameters = Parameters::parse(query.unwrap_or_default().as_bytes()).ok();
    let browser = Browser::new(&provider, &headers, parameters.as_ref());
    let (Some(parameters), Ok(form)) = (parameters, form(None, &headers, &body)) else {
        return error_page(&browser.frame(None), ErrorPage::Malformed);
    };
    let request = match AuthorizationRequest::read(&provider, parameters).await {
        Ok(request) => request,
        Err(refusal) => return refused(&provider, &browser, refusal),
    };
    let attempt = Attempt {
        provider: &provider,
        browser: &browser,
        request: &request,
        form: &form,
    };
    match attempt
        .answer(peer.client_address(&headers, &provider.proxies))
        .await
    {
        Ok(response) => response,
        Err(refusal) => refused(&provider, &browser, refusal),
    }
}

/// GET /oauth/v2/sign-in: the address of a form, opened by hand or from the history. It begins again.
pub(crate) async fn sign_in_again(RawQuery(query): RawQuery) -> Response {
    let location = HeaderValue::from_str(&format!(
        "/oauth/v2/authorize?{}",
        query.unwrap_or_default()
    ));
    match location {
        Ok(location) => (StatusCode::SEE_OTHER, [(header::LOCATION, location)]).into_response(),
        Err(_) => StatusCode::BAD_REQUEST.into_response(),
    }
}

/// After a password was right or a step was done: the next step that is due, or back to the application. If it expects
/// somebody else, it hears that this person is not signed in (OpenID Connect Core, 3.1.2.2).
pub(super) async fn finish(
    provider: &Provider,
    browser: &Browser<'_>,
    request: &AuthorizationRequest,
    subject: &Subject,
    session: &Session,
) -> Result<Response, Refusal> {
    if let Some(step) = session.pending {
        return Ok(steps::page(browser, request, subject, step, None));
    }
    let expected = request
        .expected_subject
        .as_ref()
        .is_none_or(|expected| subject.id == **expected);
    if !expected {
        return Ok(request
            .redirect
            .error(provider, RedirectError::LoginRequired));
    }
    Ok(with_code(provider, request, session).await?)
}

struct Attempt<'a> {
    provider: &'a Provider,
    browser: &'a Browser<'a>,
    request: &'a AuthorizationRequest,
    form: &'a Parameters,
}

impl Attempt<'_> {
    async fn answer(&self, address: std::net::IpAddr) -> Result<Response, Refusal> {
        if self.form.get("action") == Some("cancel") {
            return Ok(self
                .request
                .redirect
                .error(self.provider, RedirectError::AccessDenied));
        }
        let token = self.form.get("page").unwrap_or_default();
        if !self
            .browser
            .verify_csrf_token(token, &self.request.parameters)
        {
            return Ok(self.again(self.typed(), Problem::Expired));
        }
        if let Some(session) = self.form.get("account") {
            return self.go_on(session).await;
        }
        match self.form.get("action") {
            Some("other") => Ok(login_page(self.browser, self.request, "", None)),
            _ => self.password(address).await,
        }
    }

    /// As one of those who are signed in with this browser.
    async fn go_on(&self, chosen: &str) -> Result<Response, Refusal> {
        let signed_in = self.browser.signed_in().await?;
        // Where the password is asked for, no page offers a choice, and a form made by hand gets none.
        let may_choose = self.request.prompt != Prompt::Login;
        let chosen = signed_in.into_iter().find(|one| {
            may_choose
                && one.session.id == chosen
                && satisfies_request(self.provider, self.request, one)
        });
        match chosen {
            Some(one) => Ok(with_code(self.provider, self.request, &one.session).await?),
            None => Ok(login_page(self.browser, self.request, "", None)),
        }
    }

    async fn password(&self, address: std::net::IpAddr) -> Result<Response, Refusal> {
        let typed = self.typed();
        let Some(password) = self
            .form
            .get("password")
            .filter(|password| password.len() <= password::LONGEST)
        else {
            let missing = if typed.is_empty() {
                Problem::UsernameMissing
            } else {
                Problem::PasswordMissing
            };
            return Ok(self.again(typed, missing));
        };
        if typed.is_empty() || typed.len() > LONGEST_USERNAME {
            return Ok(self.again("", Problem::UsernameMissing));
        }
        let credentials = Credentials {
            username: typed,
            password,
            tenant: None,
            client_id: &self.request.application.client_id,
            address,
        };
        let attempt = SignInAttempt::with_browser(typed, address);
        match credentials.check(self.provider, &attempt).await? {
            PasswordCheck::Valid(subject) => {
                let entry = Entry::new(self.provider.now_ms(), audit::Kind::SignedIn)
                    .about(&subject.id)
                    .of(&subject.home_organization)
                    .through(&self.request.application.client_id)
                    .from(address);
                let (session, cookie) = self.browser.begin_session(&subject, &entry).await?;
                let finished = finish(
                    self.provider,
                    self.browser,
                    self.request,
                    &subject,
                    &session,
                )
                .await;
                let mut response = finished?;
                response.headers_mut().append(header::SET_COOKIE, cookie);
                Ok(response)
            }
            PasswordCheck::Invalid => Ok(self.again(typed, Problem::WrongPassword)),
            PasswordCheck::Throttled(RetryDelay { seconds }) => {
                Ok(self.again(typed, Problem::Throttled { seconds }))
            }
            PasswordCheck::Busy => Ok(self.again(typed, Problem::Busy)),
        }
    }

    fn typed(&self) -> &str {
        self.form.get("username").unwrap_or_default().trim()
    }

    fn again(&self, username: &str, problem: Problem) -> Response {
        login_page(self.browser, self.request, username, Some(problem))
    }
}
