//! The tax authority of a tenant: an HTTP endpoint that clears, takes note of, or rejects a document before it is issued.
//!
//! It is asked before a number is given, so that an answer that never comes leaves no gap. A document is named to it by
//! its key: asking again about the same key is the authority's to recognise.

use std::time::Duration;

use invoicing_contract::messages::documents::{Authority as Answer, Document};
use serde::Deserialize;
use serde_json::json;

/// How long it may take to answer.
const PATIENCE: Duration = Duration::from_secs(8);
/// Largest answer that is read.
const MOST: usize = 64 * 1024;
/// Most messages that are kept, and characters of each.
const MESSAGES: (usize, usize) = (50, 1_000);

/// Asks tax authorities.
#[derive(Debug, Clone)]
pub struct Authority {
    http: reqwest::Client,
}

/// It did not answer, not in time, or not in a form that we know.
#[derive(Debug, thiserror::Error)]
#[error("the tax authority gave no answer: {0}")]
pub(super) struct NoAnswer(String);

impl Authority {
    /// Asks over `http`.
    ///
    /// # Errors
    /// If the system's trust store cannot be read.
    pub fn new() -> Result<Self, reqwest::Error> {
        let http = reqwest::Client::builder()
            .timeout(PATIENCE)
            .redirect(reqwest::redirect::Policy::none())
            .build()?;
        Ok(Self { http })
    }

    /// What the authority says of a document.
    pub(super) async fn ask(
        &self,
        endpoint: &str,
        document: &Document,
    ) -> Result<Answer, NoAnswer> {
        let no_answer = |error: reqwest::Error| NoAnswer(error.without_url().to_string());
        let question = json!({
            "documentKey": document.document_key,
            "organizationId": document.organization_id,
            "content": document.content,
        });
        let mut response = self
            .http
            .post(endpoint)
            .json(&question)
            .send()
            .await
            .map_err(no_answer)?;
        if !response.status().is_success() {
            return Err(NoAnswer(format!("status {}", response.status())));
        }
        let mut body = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(no_answer)? {
            body.extend_from_slice(&chunk);
            if body.len() > MOST {
                return Err(NoAnswer(format!("more than {MOST} bytes")));
            }
        }
        let said: Said =
            serde_json::from_slice(&body).map_err(|error| NoAnswer(error.to_string()))?;
        let messages = said.messages.into_iter().take(MESSAGES.0);
        let messages = messages
            .map(|message| message.chars().take(MESSAGES.1).collect())
            .collect();
        let status = match said.status {
            Verdict::Cleared => "cleared",
            Verdict::Reported => "reported",
            Verdict::Rejected => REJECTED,
        };
        Ok(Answer {
            status: status.to_owned(),
            messages,
        })
    }
}

/// The status of an answer that refuses the document.
pub(super) const REJECTED: &str = "rejected";

#[derive(Deserialize)]
struct Said {
    status: Verdict,
    #[serde(default)]
    messages: Vec<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Verdict {
    Cleared,
    Reported,
    Rejected,
}
