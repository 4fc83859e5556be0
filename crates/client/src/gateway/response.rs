//! A response of the gateway. Its HTTP status is checked before its body is parsed (contract, part 7).

use std::time::Duration;

use invoicing_contract::{Status, names};
use reqwest::header::RETRY_AFTER;
use serde::de::DeserializeOwned;
use thiserror::Error;

use super::GatewayError;
use crate::http::LostResponse;

/// In bytes: more than a page of 500 invoices.
const MAX_BODY: usize = 16 * 1024 * 1024;
/// Characters of a correlation id that are kept.
const MAX_CORRELATION_ID: usize = 128;

/// The parts of a response beside its body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ResponseHead {
    /// HTTP status.
    pub(crate) status: u16,
    /// The server's, else the client's own.
    pub(crate) correlation_id: String,
    /// From the header `Retry-After`.
    pub(crate) retry_after: Option<Duration>,
}

/// Why a response is not one of the contract. It holds the position of a syntax error and not the parser's message, which
/// can quote business data.
#[derive(Debug, Error)]
pub(crate) enum MalformedResponse {
    #[error("the body has more than {MAX_BODY} bytes")]
    TooLarge,
    #[error("the body is not the operation's message (line {line}, column {column})")]
    Message { line: usize, column: usize },
    #[error("the body is not a Status (line {line}, column {column})")]
    Status { line: usize, column: usize },
}

/// A complete response.
pub(super) struct GatewayResponse {
    head: ResponseHead,
    body: Vec<u8>,
}

impl GatewayResponse {
    /// Reads the body, up to a limit.
    pub(super) async fn receive(
        mut response: reqwest::Response,
        correlation_id: &str,
    ) -> Result<Self, GatewayError> {
        let header = |name: &str| {
            response
                .headers()
                .get(name)
                .and_then(|value| value.to_str().ok())
        };
        let head = ResponseHead {
            status: response.status().as_u16(),
            correlation_id: header(names::CORRELATION_ID)
                .unwrap_or(correlation_id)
                .chars()
                .take(MAX_CORRELATION_ID)
                .collect(),
            retry_after: header(RETRY_AFTER.as_str())
                .and_then(|seconds| seconds.trim().parse().ok())
                .map(Duration::from_secs),
        };
        let mut body = Vec::new();
        loop {
            match response.chunk().await {
                Ok(Some(chunk)) if body.len() + chunk.len() <= MAX_BODY => {
                    body.extend_from_slice(&chunk)
                }
                Ok(Some(_)) => {
                    return Err(GatewayError::UnexpectedResponse {
                        response: head,
                        source: MalformedResponse::TooLarge,
                    });
                }
                Ok(None) => return Ok(Self { head, body }),
                Err(source) => {
                    return Err(GatewayError::ResponseLost {
                        correlation_id: head.correlation_id,
                        source: LostResponse::Connection(source),
                    });
                }
            }
        }
    }

    /// The operation's message, or the error that the response stands for.
    pub(super) fn into_message<T: DeserializeOwned>(self) -> Result<T, GatewayError> {
        let Self {
            head: response,
            body,
        } = self;
        if response.status == 503 && body.is_empty() {
            return Err(GatewayError::OrganizationUnavailable { response });
        }
        if !(200..300).contains(&response.status) {
            return Err(match serde_json::from_slice::<Status>(&body) {
                Ok(status) => GatewayError::Status { status, response },
                Err(error) => GatewayError::UnexpectedResponse {
                    response,
                    source: MalformedResponse::Status {
                        line: error.line(),
                        column: error.column(),
                    },
                },
            });
        }
        serde_json::from_slice(&body).map_err(|error| GatewayError::UnexpectedResponse {
            response,
            source: MalformedResponse::Message {
                line: error.line(),
                column: error.column(),
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use std::error::Error as _;

    use invoicing_contract::Code;
    use proptest::prelude::*;
    use serde_json::Value;

    use super::*;

    fn message(status: u16, body: &str) -> Result<Value, GatewayError> {
        let head = ResponseHead {
            status,
            correlation_id: "c".to_owned(),
            retry_after: None,
        };
        GatewayResponse {
            head,
            body: body.as_bytes().to_vec(),
        }
        .into_message()
    }

    #[test]
    fn http_status_decides_before_the_body_is_parsed() {
        assert!(matches!(
            message(503, ""),
            Err(GatewayError::OrganizationUnavailable { .. })
        ));
        for (status, body) in [(503, "<html>"), (500, ""), (302, "{}"), (200, "<html>")] {
            assert!(
                matches!(
                    message(status, body),
                    Err(GatewayError::UnexpectedResponse { .. })
                ),
                "{status} {body}"
            );
        }
        assert_eq!(message(200, "{}").ok(), Some(serde_json::json!({})));
    }

    #[test]
    fn malformed_body_is_the_source_of_the_error() {
        let error = message(200, "<html>").expect_err("not JSON");
        let source = error.source().expect("a malformed response").to_string();
        assert!(source.contains("line 1, column 1"), "{source}");
    }

    #[test]
    fn errors_with_one_http_status_are_distinguished_by_their_code() {
        for (code, number) in [(Code::InvalidArgument, 3), (Code::FailedPrecondition, 9)] {
            let Err(GatewayError::Status { status, .. }) = message(
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
        fn any_body_is_parsed_without_panic(status in 100u16..600, body in ".*") {
            let _ = message(status, &body);
        }
    }
}
