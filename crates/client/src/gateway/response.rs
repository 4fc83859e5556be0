//! A response of the gateway. Its HTTP status is checked before its body is parsed (contract, part 7).

use std::time::Duration;

use invoicing_contract::{Status, names};
use reqwest::header::{CONTENT_DISPOSITION, CONTENT_TYPE, ETAG, RETRY_AFTER};
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
    #[error("the content type is not application/json")]
    ContentType,
    #[error("the response has no correlation id")]
    NoCorrelationId,
    #[error("the message is not about the requested document: another {field}")]
    OtherDocument { field: &'static str },
    #[error("the message has no {field}")]
    MissingField { field: &'static str },
    #[error("the file is not what was asked for: another {what}")]
    OtherFile { what: &'static str },
}

/// A complete response.
pub(crate) struct GatewayResponse {
    head: ResponseHead,
    /// Whether the server has sent one, as the service does with every answer (decision 0026).
    has_correlation_id: bool,
    pub(super) headers: FileHeaders,
    pub(super) body: Vec<u8>,
}

/// The headers that say what a body is.
#[derive(Debug, Default)]
pub(super) struct FileHeaders {
    /// Without parameters, in lower case.
    pub(super) media_type: String,
    pub(super) disposition: String,
    pub(super) entity_tag: String,
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
        let has_correlation_id = header(names::CORRELATION_ID).is_some();
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
        let headers = FileHeaders {
            media_type: media_type(header(CONTENT_TYPE.as_str()).unwrap_or_default()),
            disposition: header(CONTENT_DISPOSITION.as_str())
                .unwrap_or_default()
                .to_owned(),
            entity_tag: header(ETAG.as_str()).unwrap_or_default().to_owned(),
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
                Ok(None) => {
                    return Ok(Self {
                        head,
                        has_correlation_id,
                        headers,
                        body,
                    });
                }
                Err(source) => {
                    return Err(GatewayError::ResponseLost {
                        correlation_id: head.correlation_id,
                        source: LostResponse::Connection(source),
                    });
                }
            }
        }
    }

    /// Its HTTP status.
    pub(super) fn status(&self) -> u16 {
        self.head.status
    }

    /// The response if its status is 2xx, or the error that it stands for.
    pub(super) fn successful(self) -> Result<Self, GatewayError> {
        let Self { head, body, .. } = &self;
        if head.status == 503 && body.is_empty() {
            return Err(GatewayError::OrganizationUnavailable {
                response: self.head,
                others_answer: false,
            });
        }
        if (200..300).contains(&head.status) {
            return Ok(self);
        }
        Err(match serde_json::from_slice::<Status>(body) {
            Ok(status) => GatewayError::Status {
                status,
                response: self.head,
            },
            Err(error) => self.unexpected(MalformedResponse::Status {
                line: error.line(),
                column: error.column(),
            }),
        })
    }

    /// The error that says that the response is not one of the contract.
    pub(super) fn unexpected(self, source: MalformedResponse) -> GatewayError {
        GatewayError::UnexpectedResponse {
            response: self.head,
            source,
        }
    }

    /// The operation's message in the body of a success.
    pub(super) fn message<T: DeserializeOwned>(&self) -> Result<T, MalformedResponse> {
        if self.headers.media_type != "application/json" {
            return Err(MalformedResponse::ContentType);
        }
        // An answer to a deletion, or a list without entries, is any JSON object: a captive portal or another server would count too.
        if !self.has_correlation_id {
            return Err(MalformedResponse::NoCorrelationId);
        }
        serde_json::from_slice(&self.body).map_err(|error| MalformedResponse::Message {
            line: error.line(),
            column: error.column(),
        })
    }
}

/// The media type of a content type (RFC 9110, section 8.3.1), without its parameters.
fn media_type(content_type: &str) -> String {
    let media_type = content_type.split(';').next().unwrap_or_default();
    media_type.trim().to_ascii_lowercase()
}

#[cfg(test)]
mod tests {
    use std::error::Error as _;

    use invoicing_contract::Code;
    use invoicing_contract::messages::{documents, identity, parties, payments, simple};
    use invoicing_contract::status::{ANSWER_LOST, STORAGE_IN_DOUBT};
    use proptest::prelude::*;
    use serde_json::Value;

    use super::super::message::{Answer as _, ExpectedDocument, MessageIdentity, ResponseMessage};
    use super::*;

    impl ResponseMessage for Value {
        fn identities(&self) -> Vec<MessageIdentity<'_>> {
            Vec::new()
        }
    }

    const EXPECTED: ExpectedDocument<'static> = ExpectedDocument {
        key: Some("k"),
        organization: "1",
    };

    fn response(status: u16, content_type: &str, body: &str) -> GatewayResponse {
        GatewayResponse {
            head: ResponseHead {
                status,
                correlation_id: "c".to_owned(),
                retry_after: None,
            },
            has_correlation_id: true,
            headers: FileHeaders {
                media_type: media_type(content_type),
                ..FileHeaders::default()
            },
            body: body.as_bytes().to_vec(),
        }
    }

    fn message(status: u16, body: &str) -> Result<Value, GatewayError> {
        Value::read(response(status, "application/json", body), &EXPECTED)
    }

    #[test]
    fn success_counts_only_with_json_of_the_requested_document_and_a_stamp() {
        let body = |key: &str, organization: &str, stamp: &str| {
            serde_json::json!({
                "documentKey": key, "organizationId": organization, "concurrencyStamp": stamp,
            })
            .to_string()
        };
        let reads = |content_type: &str, body: &str| {
            let simple = simple::Invoice::read(response(200, content_type, body), &EXPECTED);
            let document = documents::Document::read(response(200, content_type, body), &EXPECTED);
            let is_unknown = |error: &GatewayError| error.outcome_is_unknown();
            assert_eq!(simple.is_ok(), document.is_ok(), "{body}");
            assert!(simple.as_ref().err().is_none_or(is_unknown), "{body}");
            assert!(document.as_ref().err().is_none_or(is_unknown), "{body}");
            simple.is_ok()
        };
        for content_type in ["application/json", "Application/JSON; charset=utf-8"] {
            assert!(reads(content_type, &body("k", "1", "s")), "{content_type}");
        }
        for content_type in ["", "text/html", "application/jsonp", "text/plain"] {
            assert!(!reads(content_type, &body("k", "1", "s")), "{content_type}");
        }
        for wrong in [
            body("other", "1", "s"),
            body("", "1", "s"),
            body("k", "2", "s"),
            body("k", "", "s"),
            body("k", "1", ""),
            "{}".to_owned(),
            r#"{"status":"ok"}"#.to_owned(),
            String::new(),
        ] {
            assert!(!reads("application/json", &wrong), "{wrong}");
        }
    }

    #[test]
    fn success_without_what_the_service_always_fills_is_malformed() {
        fn is_malformed<T: ResponseMessage>(body: &str) -> bool {
            let read = T::read(response(200, "application/json", body), &EXPECTED);
            read.err().is_some_and(|error| error.outcome_is_unknown())
        }
        assert!(is_malformed::<payments::RecordPaymentResponse>("{}"));
        assert!(is_malformed::<identity::User>("{}"));
        assert!(is_malformed::<identity::MintPatResponse>("{}"));
        assert!(is_malformed::<parties::Party>("{}"));
        let recorded =
            |key: &str| format!(r#"{{"payment":{{"documentKey":"{key}"}},"balance":{{}}}}"#);
        let of_other = recorded("other");
        assert!(is_malformed::<payments::RecordPaymentResponse>(&of_other));
        assert!(!is_malformed::<payments::RecordPaymentResponse>(&recorded(
            "k"
        )));
        // There may be none, and the answer to a deletion has no field.
        assert!(!is_malformed::<parties::ListPartiesResponse>("{}"));
        assert!(!is_malformed::<documents::DeleteDocumentResponse>("{}"));
    }

    #[test]
    fn success_without_a_correlation_id_is_that_of_another_server() {
        fn read<T: ResponseMessage>(has_correlation_id: bool) -> Result<T, GatewayError> {
            let response = GatewayResponse {
                has_correlation_id,
                ..response(200, "application/json", "{}")
            };
            T::read(response, &EXPECTED)
        }
        let deleted = read::<documents::DeleteDocumentResponse>;
        assert!(deleted(true).is_ok());
        assert!(deleted(false).is_err_and(|error| error.outcome_is_unknown()));
        let listed = read::<parties::ListPartiesResponse>(false);
        assert!(listed.is_err_and(|error| error.outcome_is_unknown()));
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
    fn outcome_is_unknown_after_an_answer_that_says_so() {
        for (reason, is_unknown) in [
            (STORAGE_IN_DOUBT, true),
            (ANSWER_LOST, true),
            ("STORAGE_BUSY", false),
        ] {
            let body = serde_json::to_string(&Status::new(Code::Unavailable, reason, ""));
            let error = message(503, &body.expect("JSON")).expect_err("no success");
            assert_eq!(error.outcome_is_unknown(), is_unknown, "{reason}");
            assert_eq!(error.response_is_final(), !is_unknown, "{reason}");
        }
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
