//! The client of a tenant's tax authority: an HTTP endpoint that clears, reports or rejects a document before it is issued.
//!
//! The request is sent before the document is numbered, so that a missing response leaves no gap in the numbers. It names the
//! document by its key: the authority recognises a repeated request by it.

use std::time::Duration;

use http::StatusCode;
use invoicing_contract::messages::documents::{Authority as Decision, Document};
use invoicing_http::TraceContext;
use serde::Deserialize;
use serde_json::json;

/// The status of a decision against the document.
pub(super) const REJECTED: &str = "rejected";
/// The time in which an endpoint must answer.
const TIMEOUT: Duration = Duration::from_secs(8);
/// Most bytes of a response.
const MAX_RESPONSE_BYTES: usize = 64 * 1024;
/// Most messages that are stored of a response.
const MAX_MESSAGES: usize = 50;
/// Most characters that are stored of a message.
const MAX_MESSAGE_CHARACTERS: usize = 1_000;

/// Sends documents to tax authorities.
#[derive(Debug, Clone)]
pub struct TaxAuthorityClient {
    http: reqwest::Client,
}

/// Why there is no decision of a tax authority.
#[derive(Debug, thiserror::Error)]
pub enum TaxAuthorityError {
    /// The request failed, or the response did not arrive in time.
    #[error("the tax authority does not answer")]
    Request(#[source] reqwest::Error),
    /// The response has an error status.
    #[error("the tax authority answered with status {0}")]
    Status(StatusCode),
    /// The response is larger than 64 KiB.
    #[error("the response of the tax authority is too large")]
    TooLarge,
    /// The response is not a decision.
    #[error("the response of the tax authority is not a decision")]
    Decode(#[source] serde_json::Error),
}

impl TaxAuthorityClient {
    /// A client that follows no redirects.
    ///
    /// # Errors
    /// The trust store of the system cannot be read.
    pub fn new() -> Result<Self, reqwest::Error> {
        let http = reqwest::Client::builder()
            .timeout(TIMEOUT)
            .redirect(reqwest::redirect::Policy::none())
            .build()?;
        Ok(Self { http })
    }

    /// The decision of the authority at `endpoint` about a document.
    pub(super) async fn submit(
        &self,
        endpoint: &str,
        document: &Document,
    ) -> Result<Decision, TaxAuthorityError> {
        // The endpoint of a tenant can contain credentials.
        let failed = |error: reqwest::Error| TaxAuthorityError::Request(error.without_url());
        let body = json!({
            "documentKey": document.document_key,
            "organizationId": document.organization_id,
            "content": document.content,
        });
        let mut request = self.http.post(endpoint).json(&body);
        for (name, value) in TraceContext::current()
            .iter()
            .flat_map(TraceContext::headers)
        {
            request = request.header(name, value);
        }
        let mut response = request.send().await.map_err(failed)?;
        if !response.status().is_success() {
            return Err(TaxAuthorityError::Status(response.status()));
        }
        let mut body = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(failed)? {
            body.extend_from_slice(&chunk);
            if body.len() > MAX_RESPONSE_BYTES {
                return Err(TaxAuthorityError::TooLarge);
            }
        }
        let response: DecisionResponse =
            serde_json::from_slice(&body).map_err(TaxAuthorityError::Decode)?;
        Ok(response.into())
    }
}

#[derive(Deserialize)]
struct DecisionResponse {
    status: DecisionStatus,
    #[serde(default)]
    messages: Vec<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum DecisionStatus {
    Cleared,
    Reported,
    Rejected,
}

impl From<DecisionResponse> for Decision {
    fn from(response: DecisionResponse) -> Self {
        let DecisionResponse { status, messages } = response;
        let status = match status {
            DecisionStatus::Cleared => "cleared",
            DecisionStatus::Reported => "reported",
            DecisionStatus::Rejected => REJECTED,
        };
        Self {
            status: status.to_owned(),
            messages: messages
                .into_iter()
                .take(MAX_MESSAGES)
                .map(|message| message.chars().take(MAX_MESSAGE_CHARACTERS).collect())
                .collect(),
        }
    }
}
