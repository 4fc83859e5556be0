//! POST /oauth/v2/sign-in: the forms of the sign-in page and of the account chooser.

use std::net::IpAddr;
use std::sync::Arc;

use axum::Extension;
use axum::extract::{RawQuery, State};
use axum::response::{IntoResponse as _, Response};
use http::{HeaderMap, HeaderValue, StatusCode, header};

use super::code::redirect_with_code;
use super::interaction::{complete_sign_in, error_response, login_page, satisfies_request};
use super::redirect::RedirectError;
use super::request::{AuthorizationRequest, AuthorizeError, Prompt};
use crate::oauth::{FormBody, Parameters, parse_form};
use crate::pages::{ErrorPage, LoginProblem, error_page};
use crate::password::{
    AttemptOrigin, MAX_USERNAME_LENGTH, PasswordCheck, PasswordCredentials, RetryDelay,
};
use crate::password_hashing::MAX_PASSWORD_BYTES;
use crate::provider::Provider;
use crate::session::Browser;
use invoicing_http::Peer;
use invoicing_storage::audit::{self, AuditEvent};
use invoicing_storage::subjects::Subject;

/// POST /oauth/v2/sign-in, with the authorization request in its query.
pub(crate) async fn sign_in_post(
    State(provider): State<Arc<Provider>>,
    Extension(peer): Extension<Peer>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
    FormBody(body): FormBody,
) -> Response {
    let parameters = Parameters::parse(query.unwrap_or_default().as_bytes()).ok();
    let browser = Browser::new(&provider, &headers, parameters.as_ref());
    let (Some(parameters), Ok(form)) = (parameters, parse_form(None, &headers, &body)) else {
        return error_page(&browser.layout(None), ErrorPage::Malformed);
    };
    let request = match AuthorizationRequest::parse(&provider, parameters).await {
        Ok(request) => request,
        Err(error) => return error_response(&provider, &browser, error),
    };
    let form = SignInForm {
        provider: &provider,
        browser: &browser,
        request: &request,
        parameters: &form,
    };
    match form
        .submit(peer.client_address(&headers, &provider.proxies))
        .await
    {
        Ok(response) => response,
        Err(error) => error_response(&provider, &browser, error),
    }
}

/// GET /oauth/v2/sign-in: the address of a form, opened by hand or from the history. Restarts the authorization request.
pub(crate) async fn sign_in_get(RawQuery(query): RawQuery) -> Response {
    let location = HeaderValue::from_str(&format!(
        "/oauth/v2/authorize?{}",
        query.unwrap_or_default()
    ));
    match location {
        Ok(location) => (StatusCode::SEE_OTHER, [(header::LOCATION, location)]).into_response(),
        Err(_) => StatusCode::BAD_REQUEST.into_response(),
    }
}

/// A submitted form of the sign-in page or of the account chooser.
struct SignInForm<'a> {
    provider: &'a Provider,
    browser: &'a Browser<'a>,
    request: &'a AuthorizationRequest,
    parameters: &'a Parameters,
}

impl SignInForm<'_> {
    async fn submit(&self, address: IpAddr) -> Result<Response, AuthorizeError> {
        if self.parameters.get("action") == Some("cancel") {
            return Ok(self
                .request
                .redirect
                .error(self.provider, RedirectError::AccessDenied));
        }
        let csrf_token = self.parameters.get("page").unwrap_or_default();
        if !self
            .browser
            .verify_csrf_token(csrf_token, &self.request.parameters)
        {
            return Ok(self.show_problem(self.username(), LoginProblem::Expired));
        }
        if let Some(session_id) = self.parameters.get("account") {
            return self.select_account(session_id).await;
        }
        match self.parameters.get("action") {
            Some("other") => Ok(login_page(self.browser, self.request, "", None)),
            _ => self.check_password(address).await,
        }
    }

    /// Continues with an account that is signed in with this browser.
    async fn select_account(&self, session_id: &str) -> Result<Response, AuthorizeError> {
        let accounts = self.browser.signed_in_accounts().await?;
        // With prompt=login no page offers a choice, so a forged form cannot make one.
        let may_select = self.request.prompt != Prompt::Login;
        let selected = accounts.into_iter().find(|account| {
            may_select
                && account.session.id == session_id
                && satisfies_request(self.provider, self.request, account)
        });
        match selected {
            Some(account) => {
                Ok(redirect_with_code(self.provider, self.request, &account.session).await?)
            }
            None => Ok(login_page(self.browser, self.request, "", None)),
        }
    }

    async fn check_password(&self, address: IpAddr) -> Result<Response, AuthorizeError> {
        let username = self.username();
        let Some(password) = self
            .parameters
            .get("password")
            .filter(|password| password.len() <= MAX_PASSWORD_BYTES)
        else {
            let problem = if username.is_empty() {
                LoginProblem::UsernameMissing
            } else {
                LoginProblem::PasswordMissing
            };
            return Ok(self.show_problem(username, problem));
        };
        if username.is_empty() || username.len() > MAX_USERNAME_LENGTH {
            return Ok(self.show_problem("", LoginProblem::UsernameMissing));
        }
        let application = &self.request.application;
        let credentials = PasswordCredentials {
            username,
            password,
            tenant: application.served_organization(),
            client_id: &application.client_id,
            address,
            origin: AttemptOrigin::Browser(self.browser.known_device(username)),
        };
        match credentials.check(self.provider).await? {
            PasswordCheck::Valid(subject) => self.begin_session(&subject, address).await,
            PasswordCheck::Invalid => Ok(self.show_problem(username, LoginProblem::WrongPassword)),
            PasswordCheck::Throttled(RetryDelay { seconds }) => {
                Ok(self.show_problem(username, LoginProblem::Throttled { seconds }))
            }
            PasswordCheck::Busy => Ok(self.show_problem(username, LoginProblem::Busy)),
        }
    }

    async fn begin_session(
        &self,
        subject: &Subject,
        address: IpAddr,
    ) -> Result<Response, AuthorizeError> {
        let event = AuditEvent::new(self.provider.now(), audit::AuditEventKind::SignedIn)
            .subject(&subject.id)
            .organization(&subject.home_organization)
            .client(&self.request.application.client_id)
            .address(address);
        let (session, cookie) = self.browser.begin_session(subject, &event).await?;
        let mut response =
            complete_sign_in(self.provider, self.browser, self.request, subject, &session).await?;
        let device_cookie = self.browser.device_cookie(&subject.username);
        for cookie in [cookie, device_cookie] {
            response.headers_mut().append(header::SET_COOKIE, cookie);
        }
        Ok(response)
    }

    fn username(&self) -> &str {
        self.parameters.get("username").unwrap_or_default().trim()
    }

    fn show_problem(&self, username: &str, problem: LoginProblem) -> Response {
        login_page(self.browser, self.request, username, Some(problem))
    }
}
