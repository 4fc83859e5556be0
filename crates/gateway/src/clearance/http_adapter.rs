//! The adapter `http`: the UBL of a document is the body of a POST, and its SHA-256 the idempotency key. The answer is JSON,
//! `{"status": "cleared", "messages": [], "warnings": []}`.

use std::time::Duration;

use http::{HeaderMap, StatusCode, header};
use invoicing_contract::messages::documents::AuthorityState;
use invoicing_http::TraceContext;
use reqwest::RequestBuilder;
use reqwest::redirect::Policy;
use serde::Deserialize;
use tokio::sync::OnceCell;

use super::adapter::{Answer, AuthorityAdapter, Decision, Outgoing, SealError, Unsealed, Verdict};
use super::addresses::{AddressPolicy, PublicResolver, parse_endpoint};
use super::credentials::Credentials;
use super::problem::{Problem, ProblemKind};
use super::seal::write_ubl;

/// The name of the adapter in settings.
pub(crate) const HTTP_ADAPTER: &str = "http";
/// The time in which an endpoint must answer. A claim lasts longer.
const TIMEOUT: Duration = Duration::from_secs(8);
/// Most bytes of an answer.
const MAX_ANSWER_BYTES: usize = 64 * 1024;
/// Most messages that are stored of an answer.
const MAX_MESSAGES: usize = 50;
/// Most characters that are stored of a message.
const MAX_MESSAGE_CHARACTERS: usize = 1_000;
/// The longest wait that an authority can ask for.
const MAX_RETRY_AFTER: Duration = Duration::from_secs(60 * 60);

/// Speaks to authorities over HTTP.
pub(super) struct HttpAdapter {
    /// Made when it is first used: it reads the certificates of the system, and not every service has authorities.
    http: OnceCell<reqwest::Client>,
    policy: AddressPolicy,
    timeout: Duration,
}

impl HttpAdapter {
    /// An adapter that follows no redirects and connects to addresses of `policy` only. It uses no proxy of the environment:
    /// a proxy resolves the name itself, so that the address which was checked would not be the one that is connected to. An
    /// endpoint must answer within `timeout`, and within eight seconds.
    pub(super) fn new(policy: AddressPolicy, timeout: Option<Duration>) -> Self {
        Self {
            http: OnceCell::new(),
            policy,
            timeout: timeout.map_or(TIMEOUT, |timeout| timeout.min(TIMEOUT)),
        }
    }

    async fn http(&self) -> Result<&reqwest::Client, Verdict> {
        let client = async || {
            reqwest::Client::builder()
                .no_proxy()
                .timeout(self.timeout)
                .redirect(Policy::none())
                // Also what a proxy says was not handled may have been (decision 0186).
                .retry(reqwest::retry::never())
                .dns_resolver(PublicResolver::new(self.policy.clone()))
                .build()
        };
        self.http.get_or_try_init(client).await.map_err(|error| {
            tracing::error!(
                error = &error as &dyn std::error::Error,
                "the HTTP client for tax authorities cannot be set up"
            );
            Verdict::NotReceived(Problem::new(ProblemKind::NoClient))
        })
    }

    async fn exchange(&self, outgoing: Outgoing<'_>) -> Result<Answer, Verdict> {
        let endpoint = parse_endpoint(outgoing.endpoint, &self.policy)
            .map_err(|problem| Verdict::NotReceived(Problem::from(problem)))?;
        let mut request = self
            .http()
            .await?
            .post(endpoint)
            .header(header::CONTENT_TYPE, "application/xml")
            .header(
                "idempotency-key",
                base16ct::lower::encode_string(outgoing.hash),
            )
            .header("clearance-mode", outgoing.mode.name())
            .body(outgoing.content);
        for (name, value) in TraceContext::current()
            .iter()
            .flat_map(TraceContext::headers)
        {
            request = request.header(name, value);
        }
        request = authenticated(request, outgoing.credentials);
        let mut response = request.send().await.map_err(|error| failed(&error))?;
        let (status, headers) = (response.status(), response.headers().clone());
        let mut body = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(|error| failed(&error))? {
            if body.len() + chunk.len() > MAX_ANSWER_BYTES {
                return Err(Verdict::Unknown(Problem::new(ProblemKind::TooLarge)));
            }
            body.extend_from_slice(&chunk);
        }
        Ok(Answer {
            http_status: Some(status.as_u16()),
            verdict: verdict(status, &headers, &body),
            body,
        })
    }
}

#[tonic::async_trait]
impl AuthorityAdapter for HttpAdapter {
    fn name(&self) -> &'static str {
        HTTP_ADAPTER
    }

    fn seal(&self, unsealed: &Unsealed<'_>) -> Result<Vec<u8>, SealError> {
        write_ubl(unsealed)
    }

    async fn test_connection(&self, endpoint: &str, credentials: Option<&Credentials>) -> Answer {
        let not_connected = |verdict| Answer {
            http_status: None,
            body: Vec::new(),
            verdict,
        };
        let endpoint = match parse_endpoint(endpoint, &self.policy) {
            Ok(endpoint) => endpoint,
            Err(problem) => return not_connected(Verdict::NotReceived(problem.into())),
        };
        let http = match self.http().await {
            Ok(http) => http,
            Err(verdict) => return not_connected(verdict),
        };
        // An endpoint that takes POST answers GET with 405 or whatever else, after it has authenticated the caller.
        let request = authenticated(http.get(endpoint), credentials);
        match request.send().await {
            Ok(response) => Answer {
                http_status: Some(response.status().as_u16()),
                body: Vec::new(),
                verdict: connection(response.status()),
            },
            Err(error) => not_connected(failed(&error)),
        }
    }

    async fn submit(&self, outgoing: Outgoing<'_>) -> Answer {
        self.exchange(outgoing)
            .await
            .unwrap_or_else(|verdict| Answer {
                http_status: None,
                body: Vec::new(),
                verdict,
            })
    }
}

/// A request with Basic authentication, or with a bearer token.
fn authenticated(request: RequestBuilder, credentials: Option<&Credentials>) -> RequestBuilder {
    let Some(credentials) = credentials else {
        return request;
    };
    let secret = credentials.secret.as_str();
    if credentials.username.is_empty() {
        request.bearer_auth(secret)
    } else {
        request.basic_auth(&credentials.username, Some(secret))
    }
}

/// What the answer to a request without a document says: that the authority is there and knows the credentials.
fn connection(status: StatusCode) -> Verdict {
    match status.as_u16() {
        401 | 403 => Verdict::NotReceived(Problem::new(ProblemKind::CredentialsRefused)),
        code @ (404 | 500..) => Verdict::NotReceived(Problem::new(ProblemKind::Status(code))),
        _ => Verdict::Decided(Decision {
            state: AuthorityState::Unspecified,
            messages: Vec::new(),
            has_warnings: false,
        }),
    }
}

/// A request that got no response. An endpoint can contain secrets, so no error is quoted.
fn failed(error: &reqwest::Error) -> Verdict {
    if error.is_connect() || error.is_builder() {
        return Verdict::NotReceived(Problem::new(ProblemKind::NotConnected));
    }
    Verdict::Unknown(Problem::new(if error.is_timeout() {
        ProblemKind::NoAnswer
    } else {
        ProblemKind::ConnectionLost
    }))
}

/// What a response means. Only a body that names a decision is one: whatever else comes, the same bytes are sent again.
fn verdict(status: StatusCode, headers: &HeaderMap, body: &[u8]) -> Verdict {
    let problem = || Problem {
        kind: ProblemKind::Status(status.as_u16()),
        retry_after: retry_after(headers),
    };
    let decision = serde_json::from_slice::<DecisionBody>(body);
    match (status.as_u16(), decision) {
        // 208 and 409: the authority has decided about these bytes before.
        (200 | 201 | 202 | 208, Ok(decision)) => Verdict::Decided(decision.read(status)),
        (409, Ok(decision)) if decision.status != DecisionStatus::Rejected => {
            Verdict::Decided(decision.read(status))
        }
        (400 | 422, Ok(decision)) if decision.status == DecisionStatus::Rejected => {
            Verdict::Decided(decision.read(status))
        }
        (401 | 403, _) => Verdict::NotReceived(Problem {
            kind: ProblemKind::CredentialsRefused,
            ..problem()
        }),
        (404 | 405 | 413 | 415 | 429, _) => Verdict::NotReceived(problem()),
        (200 | 201 | 202 | 208, Err(_not_a_decision)) => {
            Verdict::Unknown(Problem::new(ProblemKind::NotADecision))
        }
        _ => Verdict::Unknown(problem()),
    }
}

/// The seconds of Retry-After (RFC 9110, section 10.2.3). A date is ignored: the clocks can differ.
fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let seconds = headers.get(header::RETRY_AFTER)?.to_str().ok()?;
    let wait = Duration::from_secs(seconds.trim().parse().ok()?);
    Some(wait.min(MAX_RETRY_AFTER))
}

#[derive(Deserialize)]
struct DecisionBody {
    status: DecisionStatus,
    #[serde(default)]
    messages: Vec<String>,
    #[serde(default)]
    warnings: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum DecisionStatus {
    Cleared,
    Reported,
    Accepted,
    Rejected,
}

impl DecisionBody {
    fn read(self, status: StatusCode) -> Decision {
        let state = match self.status {
            DecisionStatus::Cleared => AuthorityState::Cleared,
            DecisionStatus::Reported => AuthorityState::Reported,
            DecisionStatus::Accepted => AuthorityState::Accepted,
            DecisionStatus::Rejected => AuthorityState::Rejected,
        };
        let is_rejected = state == AuthorityState::Rejected;
        let has_warnings =
            !is_rejected && (status == StatusCode::ACCEPTED || !self.warnings.is_empty());
        let messages = self.messages.into_iter().chain(self.warnings);
        Decision {
            state,
            has_warnings,
            messages: messages
                .take(MAX_MESSAGES)
                .map(|message| message.chars().take(MAX_MESSAGE_CHARACTERS).collect())
                .collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(status: u16, body: &str) -> Verdict {
        let status = StatusCode::from_u16(status).expect("a status");
        verdict(status, &HeaderMap::new(), body.as_bytes())
    }

    #[test]
    fn only_a_body_that_names_a_decision_is_one() {
        for (status, body, expected) in [
            (
                200,
                r#"{"status":"cleared"}"#,
                Some(AuthorityState::Cleared),
            ),
            (
                202,
                r#"{"status":"reported"}"#,
                Some(AuthorityState::Reported),
            ),
            (
                208,
                r#"{"status":"cleared"}"#,
                Some(AuthorityState::Cleared),
            ),
            (
                409,
                r#"{"status":"accepted"}"#,
                Some(AuthorityState::Accepted),
            ),
            (
                400,
                r#"{"status":"rejected"}"#,
                Some(AuthorityState::Rejected),
            ),
            (409, r#"{"status":"rejected"}"#, None),
            (400, r#"{"status":"cleared"}"#, None),
            (500, r#"{"status":"rejected"}"#, None),
            (200, "<html>", None),
            (200, r#"{"status":"refused"}"#, None),
            (204, "", None),
        ] {
            let found = match of(status, body) {
                Verdict::Decided(decision) => Some(decision.state),
                Verdict::NotReceived(_) | Verdict::Unknown(_) => None,
            };
            assert_eq!(found, expected, "{status} {body}");
        }
    }

    #[test]
    fn answers_that_prove_nothing_leave_the_state_unknown() {
        for (status, certainly_not_received) in [
            (401, true),
            (413, true),
            (429, true),
            (200, false),
            (303, false),
            (409, false),
            (500, false),
            (503, false),
        ] {
            let verdict = of(status, "");
            assert_eq!(
                matches!(verdict, Verdict::NotReceived(_)),
                certainly_not_received,
                "{status}: {verdict:?}"
            );
        }
    }

    #[test]
    fn status_202_is_an_acceptance_with_warnings() {
        let Verdict::Decided(decision) =
            of(202, r#"{"status":"cleared","warnings":["BR-KSA-98"]}"#)
        else {
            panic!("a decision");
        };
        assert!(decision.has_warnings);
        assert_eq!(decision.messages, ["BR-KSA-98"]);
    }
}
