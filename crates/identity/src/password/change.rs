//! Change of a password: GET and POST /account/password, and the change that a pending step requires.

use std::net::IpAddr;
use std::sync::Arc;

use axum::Extension;
use axum::extract::{RawQuery, State};
use axum::response::{IntoResponse as _, Response};
use http::{HeaderMap, HeaderValue, StatusCode, header};
use invoicing_contract::ClientId;
use secrecy::SecretString;

use super::credentials::{PasswordCheck, PasswordCredentials};
use super::throttle::AttemptOrigin;
use crate::hash_queue::HashShare;
use crate::limits::AddressPrefix;
use crate::oauth::FormBody;
use crate::oauth::Parameters;
use crate::oauth::parse_form;
use crate::pages::{
    self, ChangePasswordPage, ErrorPage, PasswordProblem, PasswordProof, error_page,
    password_changed,
};
use crate::password_hashing;
use crate::password_hashing::PasswordHashError;
use crate::provider::Provider;
use crate::session::Browser;
use invoicing_http::Peer;
use invoicing_storage::StorageError;
use invoicing_storage::audit::{self, AuditEvent};
use invoicing_storage::subjects::Subject;

const PATH: &str = "/account/password";
const PROOF: PasswordProof = PasswordProof::CurrentPassword;
/// The application in the audit for the page of the provider itself.
pub(super) const AUDIT_CLIENT_ID: &str = "account";

/// The two entries of the new password.
pub(crate) struct NewPassword<'a> {
    pub(super) new: &'a str,
    repeated: &'a str,
}

impl<'a> NewPassword<'a> {
    /// The fields of the change form.
    pub(crate) fn from_form(form: &'a Parameters) -> Self {
        Self {
            new: form.get("new-password").unwrap_or_default(),
            repeated: form.get("repeat-password").unwrap_or_default(),
        }
    }

    /// Whether both entries are a password that the account with `username` may have.
    pub(super) fn check(&self, username: &str) -> Result<(), PasswordProblem> {
        if !password_hashing::has_valid_length(self.new) {
            Err(PasswordProblem::Length)
        } else if self.new != self.repeated {
            Err(PasswordProblem::Differ)
        } else if self.new.to_lowercase() == username {
            Err(PasswordProblem::Same)
        } else {
            Ok(())
        }
    }
}

/// Sets a new password if it is valid, and the epoch of `subject` is still that of the proof. All sessions and tokens issued
/// before become invalid. Returns the new epoch of the subject.
pub(crate) async fn change_password(
    provider: &Provider,
    subject: &Subject,
    entered: &NewPassword<'_>,
    address: IpAddr,
) -> Result<Result<i64, PasswordProblem>, StorageError> {
    if let Err(problem) = entered.check(&subject.username) {
        return Ok(Err(problem));
    }
    // The person has proved who they are: with the present password, or with a session.
    let share = HashShare {
        is_known_device: true,
        tenant: Some(subject.home_organization.clone()),
        address: AddressPrefix::widest(address),
    };
    let stored_hash = subject.password_hash.as_ref();
    let new_password = || SecretString::from(entered.new);
    match provider
        .password_hasher
        .verify(share.clone(), new_password(), stored_hash)
        .await
    {
        Ok(false) => {}
        Ok(true) => return Ok(Err(PasswordProblem::Same)),
        Err(error) => return Ok(Err(busy(&error))),
    }
    let rng = &*provider.rng;
    let hash = match provider
        .password_hasher
        .hash(share, new_password(), rng)
        .await
    {
        Ok(hash) => hash,
        Err(error) => return Ok(Err(busy(&error))),
    };
    let event = AuditEvent::new(provider.now(), audit::AuditEventKind::PasswordChanged)
        .subject(&subject.id)
        .organization(&subject.home_organization)
        .address(address);
    let epoch = provider
        .store
        .set_password(&subject.id, Some(subject.epoch), &hash, false, &event)
        .await?;
    // What was proved is out of date: since then an administrator has reset the password, or another request has changed it.
    Ok(epoch.ok_or(PasswordProblem::Expired))
}

/// GET /.well-known/change-password, which password managers open.
pub(crate) async fn well_known() -> Response {
    (
        StatusCode::FOUND,
        [(header::LOCATION, HeaderValue::from_static(PATH))],
    )
        .into_response()
}

/// GET /account/password
pub(crate) async fn account_password(
    State(provider): State<Arc<Provider>>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Response {
    let parameters = Parameters::parse(query.unwrap_or_default().as_bytes()).unwrap_or_default();
    let browser = Browser::for_path(PATH, &provider, &headers, Some(&parameters));
    match browser.signed_in_accounts().await {
        Ok(accounts) => {
            let username = accounts
                .first()
                .map(|account| account.subject.username.as_str());
            let username = username.unwrap_or_default();
            page(&browser, PATH, &parameters, username, PROOF, None)
        }
        Err(error) => unavailable(&browser, &error),
    }
}

/// POST /account/password
pub(crate) async fn change_account_password(
    State(provider): State<Arc<Provider>>,
    Extension(peer): Extension<Peer>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
    FormBody(body): FormBody,
) -> Response {
    let parameters = Parameters::parse(query.unwrap_or_default().as_bytes()).unwrap_or_default();
    let browser = Browser::for_path(PATH, &provider, &headers, Some(&parameters));
    let Ok(form) = parse_form(None, &headers, &body) else {
        return error_page(&browser.layout(None), ErrorPage::Malformed);
    };
    let username = form.get("username").unwrap_or_default().trim();
    let show_problem = |problem| page(&browser, PATH, &parameters, username, PROOF, Some(problem));
    if !browser.verify_csrf_token(form.get("page").unwrap_or_default(), &parameters) {
        return show_problem(PasswordProblem::Expired);
    }
    let address = peer.client_address(&headers, &provider.proxies);
    let origin = AttemptOrigin::Browser(browser.known_device(username));
    match check_and_change(&provider, username, &form, address, origin).await {
        Ok(Ok(_new_epoch)) => password_changed(&browser.layout(None)),
        Ok(Err(problem)) => show_problem(problem),
        Err(error) => unavailable(&browser, &error),
    }
}

async fn check_and_change(
    provider: &Provider,
    username: &str,
    form: &Parameters,
    address: IpAddr,
    origin: AttemptOrigin,
) -> Result<Result<i64, PasswordProblem>, StorageError> {
    let credentials = PasswordCredentials {
        username,
        password: form.get("password").unwrap_or_default(),
        tenant: None,
        client_id: &ClientId::new(AUDIT_CLIENT_ID),
        address,
        origin,
    };
    match credentials.check(provider).await? {
        PasswordCheck::Valid(subject) => {
            change_password(provider, &subject, &NewPassword::from_form(form), address).await
        }
        PasswordCheck::Invalid => Ok(Err(PasswordProblem::Wrong)),
        PasswordCheck::Throttled(delay) => Ok(Err(PasswordProblem::Throttled {
            seconds: delay.seconds,
        })),
        PasswordCheck::Busy => Ok(Err(PasswordProblem::Busy)),
    }
}

/// The page whose form is submitted to `path` and asks for `proof`.
pub(super) fn page(
    browser: &Browser<'_>,
    path: &str,
    parameters: &Parameters,
    username: &str,
    proof: PasswordProof,
    problem: Option<PasswordProblem>,
) -> Response {
    let form = browser.form(path, parameters);
    let page = pages::change_password(
        &browser.layout(None),
        &ChangePasswordPage {
            action: &form.action,
            csrf_token: &form.csrf_token,
            username,
            proof,
            problem,
        },
    );
    form.with_cookie(page)
}

pub(super) fn busy(error: &PasswordHashError) -> PasswordProblem {
    tracing::warn!(%error, "a password was not changed");
    PasswordProblem::Busy
}

pub(super) fn unavailable(browser: &Browser<'_>, error: &StorageError) -> Response {
    tracing::error!(%error, "storage failed");
    error_page(&browser.layout(None), ErrorPage::Unavailable)
}
