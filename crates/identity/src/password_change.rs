//! Choosing another password: GET and POST /account/password, and the step of signing in that makes it due.

use invoicing_contract::ClientId;
use std::net::IpAddr;
use std::sync::Arc;

use axum::Extension;
use axum::extract::{RawQuery, State};
use axum::response::{IntoResponse as _, Response};
use http::{HeaderMap, HeaderValue, StatusCode, header};
use secrecy::SecretString;

use super::browser::Browser;
use super::credentials::{Credentials, PasswordCheck};
use super::form_body::FormBody;
use super::pages::{
    ChangePassword, ErrorPage, PasswordProblem, change_password, error_page, password_changed,
};
use super::parameters::Parameters;
use super::throttle::SignInAttempt;
use super::token::form;
use super::{Provider, password};
use invoicing_http::Peer;
use invoicing_storage::StorageError;
use invoicing_storage::audit::{self, Entry};
use invoicing_storage::subjects::Subject;

const PATH: &str = "/account/password";
/// The application in the audit: the provider's own page.
const OWN_PAGE: &str = "account";

/// What was typed as the new password, twice.
pub(super) struct NewPassword<'a> {
    new: &'a str,
    repeated: &'a str,
}

impl<'a> NewPassword<'a> {
    pub(super) fn read(form: &'a Parameters) -> Self {
        Self {
            new: form.get("new-password").unwrap_or_default(),
            repeated: form.get("repeat-password").unwrap_or_default(),
        }
    }
}

/// Sets the password that a person chose, if it is a good one. Everything that was given out before is dead.
pub(super) async fn change(
    provider: &Provider,
    subject: &Subject,
    chosen: &NewPassword<'_>,
    address: IpAddr,
) -> Result<Result<(), PasswordProblem>, StorageError> {
    if !password::is_long_enough(chosen.new) {
        return Ok(Err(PasswordProblem::Length));
    }
    if chosen.new != chosen.repeated {
        return Ok(Err(PasswordProblem::Differ));
    }
    let stored = subject.password_hash.as_deref();
    let new = || SecretString::from(chosen.new);
    match provider.passwords.verify(new(), stored).await {
        Ok(false) if chosen.new.to_lowercase() != subject.username => {}
        Ok(_) => return Ok(Err(PasswordProblem::Same)),
        Err(_) => return Ok(Err(PasswordProblem::Busy)),
    }
    let randomness = &*provider.world.randomness;
    let Ok(hash) = provider.passwords.hash(new(), randomness).await else {
        return Ok(Err(PasswordProblem::Busy));
    };
    let now = provider.now_ms();
    let entry = Entry::new(now, audit::Kind::PasswordChanged)
        .about(&subject.id)
        .of(&subject.home_organization)
        .from(address);
    provider
        .store
        .set_password(&subject.id, &hash, false, now, &entry)
        .await?;
    Ok(Ok(()))
}

/// GET /.well-known/change-password: where password stores send people.
pub(super) async fn well_known() -> Response {
    (
        StatusCode::FOUND,
        [(header::LOCATION, HeaderValue::from_static(PATH))],
    )
        .into_response()
}

/// GET /account/password
pub(super) async fn account_password(
    State(provider): State<Arc<Provider>>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Response {
    let parameters = Parameters::parse(query.unwrap_or_default().as_bytes()).unwrap_or_default();
    let browser = Browser::at(PATH, &provider, &headers, Some(&parameters));
    match browser.signed_in().await {
        Ok(signed_in) => {
            let username = signed_in.first().map(|one| one.subject.username.as_str());
            page(&browser, &parameters, username.unwrap_or_default(), None)
        }
        Err(error) => unavailable(&browser, &error),
    }
}

/// POST /account/password
pub(super) async fn change_account_password(
    State(provider): State<Arc<Provider>>,
    Extension(peer): Extension<Peer>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
    FormBody(body): FormBody,
) -> Response {
    let parameters = Parameters::parse(query.unwrap_or_default().as_bytes()).unwrap_or_default();
    let browser = Browser::at(PATH, &provider, &headers, Some(&parameters));
    let Ok(form) = form(None, &headers, &body) else {
        return error_page(&browser.frame(None), ErrorPage::Malformed);
    };
    let username = form.get("username").unwrap_or_default().trim();
    let again = |problem| page(&browser, &parameters, username, Some(problem));
    if !browser.verify_csrf_token(form.get("page").unwrap_or_default(), &parameters) {
        return again(PasswordProblem::Expired);
    }
    let address = peer.client_address(&headers, &provider.proxies);
    match checked_and_changed(&provider, username, &form, address).await {
        Ok(Ok(())) => password_changed(&browser.frame(None)),
        Ok(Err(problem)) => again(problem),
        Err(error) => unavailable(&browser, &error),
    }
}

async fn checked_and_changed(
    provider: &Provider,
    username: &str,
    form: &Parameters,
    address: IpAddr,
) -> Result<Result<(), PasswordProblem>, StorageError> {
    let credentials = Credentials {
        username,
        password: form.get("password").unwrap_or_default(),
        tenant: None,
        client_id: &ClientId::new(OWN_PAGE),
        address,
    };
    let attempt = SignInAttempt::with_browser(username, address);
    match credentials.check(provider, &attempt).await? {
        PasswordCheck::Valid(subject) => {
            change(provider, &subject, &NewPassword::read(form), address).await
        }
        PasswordCheck::Invalid => Ok(Err(PasswordProblem::Wrong)),
        PasswordCheck::Throttled(wait) => Ok(Err(PasswordProblem::Throttled {
            seconds: wait.seconds,
        })),
        PasswordCheck::Busy => Ok(Err(PasswordProblem::Busy)),
    }
}

fn page(
    browser: &Browser<'_>,
    parameters: &Parameters,
    username: &str,
    problem: Option<PasswordProblem>,
) -> Response {
    let form = browser.form(PATH, parameters);
    let shown = change_password(
        &browser.frame(None),
        &ChangePassword {
            action: &form.action,
            csrf_token: &form.token,
            username,
            due: false,
            problem,
        },
    );
    form.with_cookie(shown)
}

fn unavailable(browser: &Browser<'_>, error: &StorageError) -> Response {
    tracing::error!(%error, "storage did not answer");
    error_page(&browser.frame(None), ErrorPage::Unavailable)
}
