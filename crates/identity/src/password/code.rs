//! The first or another password with a code: GET and POST /account/set-password (decision 0116).

use std::sync::Arc;

use axum::Extension;
use axum::extract::{RawQuery, State};
use axum::response::Response;
use http::HeaderMap;
use invoicing_contract::ClientId;
use secrecy::SecretString;

use super::attempt_events::AttemptEvents;
use super::change::{AUDIT_CLIENT_ID, NewPassword, busy, page, unavailable};
use super::throttle::{AttemptOrigin, SignInAttempt};
use crate::hash_queue::HashShare;
use crate::limits::AddressPrefix;
use crate::oauth::{FormBody, Parameters, parse_form};
use crate::pages::{ErrorPage, PasswordProblem, PasswordProof, error_page, password_set};
use crate::provider::Provider;
use crate::session::Browser;
use invoicing_http::Peer;
use invoicing_storage::StorageError;
use invoicing_storage::audit::AuditEventKind;
use invoicing_storage::secret::{TokenHash, typed_code};

/// The path of the page. Its address has no secret: the person types or pastes the code.
pub(crate) const SET_PASSWORD_PATH: &str = "/account/set-password";
const PROOF: PasswordProof = PasswordProof::Code;

/// GET /account/set-password
pub(crate) async fn set_password_page(
    State(provider): State<Arc<Provider>>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Response {
    let parameters = Parameters::parse(query.unwrap_or_default().as_bytes()).unwrap_or_default();
    let browser = Browser::for_path(SET_PASSWORD_PATH, &provider, &headers, Some(&parameters));
    page(&browser, SET_PASSWORD_PATH, &parameters, "", PROOF, None)
}

/// POST /account/set-password
pub(crate) async fn set_password(
    State(provider): State<Arc<Provider>>,
    Extension(peer): Extension<Peer>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
    FormBody(body): FormBody,
) -> Response {
    let parameters = Parameters::parse(query.unwrap_or_default().as_bytes()).unwrap_or_default();
    let browser = Browser::for_path(SET_PASSWORD_PATH, &provider, &headers, Some(&parameters));
    let Ok(form) = parse_form(None, &headers, &body) else {
        return error_page(&browser.layout(None), ErrorPage::Malformed);
    };
    let username = form.get("username").unwrap_or_default().trim();
    let show_problem = |problem| {
        page(
            &browser,
            SET_PASSWORD_PATH,
            &parameters,
            username,
            PROOF,
            Some(problem),
        )
    };
    if !browser.verify_csrf_token(form.get("page").unwrap_or_default(), &parameters) {
        return show_problem(PasswordProblem::Expired);
    }
    let address = peer.client_address(&headers, &provider.proxies);
    let origin = AttemptOrigin::Browser(browser.known_device(username));
    let attempt = provider
        .password_throttle
        .attempt(username, address, origin);
    let redemption = Redemption {
        events: AttemptEvents {
            provider: &provider,
            client_id: &ClientId::new(AUDIT_CLIENT_ID),
            address,
        },
        username: &username.to_lowercase(),
        code: typed_code(form.get("code").unwrap_or_default()),
        password: NewPassword::from_form(&form),
        attempt,
    };
    match redemption.run().await {
        Ok(Ok(())) => password_set(&browser.layout(None)),
        Ok(Err(problem)) => show_problem(problem),
        Err(error) => unavailable(&browser, &error),
    }
}

/// A submitted form of the page.
struct Redemption<'a> {
    events: AttemptEvents<'a>,
    username: &'a str,
    code: TokenHash,
    password: NewPassword<'a>,
    attempt: SignInAttempt,
}

impl Redemption<'_> {
    /// Counts the attempt as one to sign in (decision 0093), checks the code, and sets the password. What is wrong with the code, the
    /// page does not disclose.
    async fn run(mut self) -> Result<Result<(), PasswordProblem>, StorageError> {
        let (events, attempt) = (&self.events, &mut self.attempt);
        let provider = events.provider;
        let found = provider.store.password_code(self.username).await?;
        let throttle = &provider.password_throttle;
        if let Err(throttled) = provider.count_attempt(attempt).await? {
            let subject = found.as_ref().map(|found| &found.subject);
            events.record_throttled(&throttled, subject).await?;
            return Ok(Err(PasswordProblem::Throttled {
                seconds: throttled.delay.seconds,
            }));
        }
        let now = provider.now();
        let valid = found
            .as_ref()
            .filter(|found| found.code.hash.matches(&self.code) && now < found.code.expires_at);
        let Some(found) = valid else {
            provider.store_failed_attempt(attempt).await;
            let subject = found.as_ref().map(|found| &found.subject);
            let event = events.event(AuditEventKind::SignInFailed, subject);
            provider.store.record(&event).await?;
            tracing::info!("a code to set a password was wrong");
            return Ok(Err(PasswordProblem::WrongCode));
        };
        let subject = &found.subject;
        if let Err(problem) = self.password.check(&subject.username) {
            throttle.withdraw(attempt);
            return Ok(Err(problem));
        }
        // The person has proved who they are with the code.
        let share = HashShare {
            is_known_device: true,
            tenant: Some(subject.home_organization.clone()),
            address: AddressPrefix::widest(events.address),
        };
        let password = SecretString::from(self.password.new);
        let hashed = provider
            .password_hasher
            .hash(share, password, &*provider.rng)
            .await;
        let hash = match hashed {
            Ok(hash) => hash,
            Err(error) => {
                throttle.withdraw(attempt);
                return Ok(Err(busy(&error)));
            }
        };
        let event = events
            .event(AuditEventKind::PasswordChanged, Some(subject))
            .detail("by", "code");
        let redeemed = provider
            .store
            .redeem_password_code(&subject.id, &self.code, &hash, now, &event)
            .await?;
        if redeemed {
            provider.succeed_attempt(attempt).await;
            Ok(Ok(()))
        } else {
            // Another request was faster, or an administrator has made another code.
            Ok(Err(PasswordProblem::WrongCode))
        }
    }
}
