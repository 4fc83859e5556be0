//! An answer of the gateway. Its status is looked at before its body (contract, part 7).

use std::time::Duration;

use invoicing_contract::{Status, names};
use reqwest::header::RETRY_AFTER;
use serde::de::DeserializeOwned;

use super::Failure;

/// More than a page of 500 invoices.
const LARGEST_BODY: usize = 16 * 1024 * 1024;

/// What every answer says beside its body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Answer {
    /// HTTP status.
    pub(crate) http: u16,
    /// The server's, else ours.
    pub(crate) correlation_id: String,
    /// From the header; a floor.
    pub(crate) retry_after: Option<Duration>,
}

/// An answer that has come whole.
pub(super) struct Received {
    answer: Answer,
    body: Vec<u8>,
}

impl Received {
    /// Takes in the body, up to a limit.
    pub(super) async fn new(
        mut response: reqwest::Response,
        correlation_id: &str,
    ) -> Result<Self, Failure> {
        let header = |name: &str| {
            response
                .headers()
                .get(name)
                .and_then(|value| value.to_str().ok())
        };
        let answer = Answer {
            http: response.status().as_u16(),
            correlation_id: header(names::CORRELATION_ID)
                .unwrap_or(correlation_id)
                .chars()
                .take(128)
                .collect(),
            retry_after: header(RETRY_AFTER.as_str())
                .and_then(|seconds| seconds.trim().parse().ok())
                .map(Duration::from_secs),
        };
        let mut body = Vec::new();
        loop {
            match response.chunk().await {
                Ok(Some(chunk)) if body.len() + chunk.len() <= LARGEST_BODY => {
                    body.extend_from_slice(&chunk)
                }
                Ok(Some(_)) => return Err(Failure::Strange { answer }),
                Ok(None) => return Ok(Self { answer, body }),
                Err(_) => {
                    return Err(Failure::Lost {
                        correlation_id: answer.correlation_id,
                    });
                }
            }
        }
    }

    /// The message of the operation, or why there is none.
    pub(super) fn read<T: DeserializeOwned>(self) -> Result<T, Failure> {
        let Self { answer, body } = self;
        if answer.http == 503 && body.is_empty() {
            return Err(Failure::OrganizationUnavailable { answer });
        }
        if !(200..300).contains(&answer.http) {
            return Err(match serde_json::from_slice::<Status>(&body) {
                Ok(status) => Failure::Status { status, answer },
                Err(_) => Failure::Strange { answer },
            });
        }
        serde_json::from_slice(&body).map_err(|_| Failure::Strange { answer })
    }
}

#[cfg(test)]
mod tests {
    use invoicing_contract::Code;
    use proptest::prelude::*;
    use serde_json::Value;

    use super::*;

    fn read(http: u16, body: &str) -> Result<Value, Failure> {
        let answer = Answer {
            http,
            correlation_id: "c".to_owned(),
            retry_after: None,
        };
        Received {
            answer,
            body: body.as_bytes().to_vec(),
        }
        .read()
    }

    #[test]
    fn the_status_is_looked_at_before_the_body() {
        assert!(matches!(
            read(503, ""),
            Err(Failure::OrganizationUnavailable { .. })
        ));
        assert!(matches!(read(503, "<html>"), Err(Failure::Strange { .. })));
        assert!(matches!(read(500, ""), Err(Failure::Strange { .. })));
        assert!(matches!(read(302, "{}"), Err(Failure::Strange { .. })));
        assert!(matches!(read(200, "<html>"), Err(Failure::Strange { .. })));
        assert_eq!(read(200, "{}").ok(), Some(serde_json::json!({})));
    }

    #[test]
    fn two_errors_of_one_http_status_are_told_apart_by_their_code() {
        for (code, number) in [(Code::InvalidArgument, 3), (Code::FailedPrecondition, 9)] {
            let Err(Failure::Status { status, .. }) = read(
                400,
                &format!(r#"{{"code":{number},"message":"","details":[]}}"#),
            ) else {
                panic!("not read")
            };
            assert_eq!(status.code, code);
        }
    }

    proptest! {
        #[test]
        fn no_body_makes_it_panic(http in 100u16..600, body in ".*") {
            let _ = read(http, &body);
        }
    }
}
