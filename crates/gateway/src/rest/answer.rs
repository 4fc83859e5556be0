//! Answers of handlers over REST: JSON, a file, or a file in chunks.

use std::error::Error;

use axum::body::{Body, Bytes};
use axum::response::{IntoResponse, Response};
use futures_util::StreamExt as _;
use http::header::{
    CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_ENCODING, CONTENT_TYPE, ETAG, HeaderName,
    IF_NONE_MATCH, VARY,
};
use http::{HeaderMap, HeaderValue, StatusCode};
use invoicing_contract::handlers::MessageStream;
use invoicing_contract::messages::google::api::HttpBody;
use invoicing_contract::{Code, Status, names};
use invoicing_http::{accepts_gzip, gzip};
use prost::Message as _;
use tonic::metadata::MetadataMap;

use super::message_writer::{Fields, WriteError};
use super::read_mask::ReadFields;
use super::routes::{AnswerForm, Route};
use crate::gateway_error::GatewayError;

/// Metadata of an answer that become headers of a file.
const FILE_HEADERS: [HeaderName; 3] = [
    CONTENT_DISPOSITION,
    ETAG,
    HeaderName::from_static(names::ROW_COUNT),
];
/// The least bytes of an answer that is compressed. A smaller one fits into one packet either way. Files are not compressed:
/// most are already, and their entity tag is of their bytes.
const COMPRESSED_BYTES: usize = 1_400;
const OCTET_STREAM: HeaderValue = HeaderValue::from_static("application/octet-stream");

/// Why an answer cannot be written.
#[derive(Debug, thiserror::Error)]
pub(super) enum AnswerError {
    #[error("the handler's answer is not the message of the operation")]
    Decode(#[from] prost::DecodeError),
    #[error("the message has no JSON form")]
    Write(#[from] WriteError),
    #[error("the JSON cannot be compressed")]
    Compress(#[source] std::io::Error),
}

/// An answer, ready to be sent.
#[derive(Debug)]
pub(super) enum Answer {
    Json(JsonAnswer),
    File(Response),
}

/// An answer in JSON.
#[derive(Debug, Clone)]
pub(super) struct JsonAnswer {
    /// In gzip if it is compressed.
    pub(super) body: Bytes,
    pub(super) is_compressed: bool,
}

impl IntoResponse for Answer {
    fn into_response(self) -> Response {
        match self {
            Self::Json(answer) => answer.into_response(),
            Self::File(response) => response,
        }
    }
}

impl IntoResponse for JsonAnswer {
    fn into_response(self) -> Response {
        let mut response = Response::new(Body::from(self.body));
        let headers = response.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        headers.insert(VARY, HeaderValue::from_static("accept-encoding"));
        if self.is_compressed {
            headers.insert(CONTENT_ENCODING, HeaderValue::from_static("gzip"));
        }
        response
    }
}

/// An encoded answer: the file of a google.api.HttpBody, or else JSON with the fields that have their default, and of its items
/// those that were asked for.
pub(super) fn write_answer(
    route: &Route,
    request_headers: &HeaderMap,
    read_fields: Option<&ReadFields>,
    answer: &tonic::Response<Vec<u8>>,
) -> Result<Answer, AnswerError> {
    let writer = match &route.answer {
        AnswerForm::File => return write_file(request_headers, answer).map(Answer::File),
        AnswerForm::Json(writer) => writer,
    };
    let fields = read_fields.map_or(Fields::All, ReadFields::of_answer);
    let body = writer.write(answer.get_ref(), fields)?;
    let is_compressed = body.len() >= COMPRESSED_BYTES && accepts_gzip(request_headers);
    let body = if is_compressed {
        gzip(&body).map_err(AnswerError::Compress)?.into()
    } else {
        body.into()
    };
    Ok(Answer::Json(JsonAnswer {
        body,
        is_compressed,
    }))
}

fn write_file(
    request_headers: &HeaderMap,
    answer: &tonic::Response<Vec<u8>>,
) -> Result<Response, AnswerError> {
    let file = HttpBody::decode(answer.get_ref().as_slice())?;
    let headers = file_headers(answer.metadata(), &file.content_type);
    if is_known(request_headers, &headers) {
        return Ok((StatusCode::NOT_MODIFIED, headers).into_response());
    }
    Ok((StatusCode::OK, headers, file.data).into_response())
}

/// The response with a file that arrives in chunks. An error before the first chunk is that of the operation. After it, the
/// body ends with an error and the connection is broken, so that no caller takes a part for the whole.
///
/// # Errors
/// The stream begins with a status.
pub(super) async fn write_stream(
    answers: tonic::Response<MessageStream>,
    correlation_id: String,
) -> Result<Response, GatewayError> {
    let (metadata, mut chunks, _) = answers.into_parts();
    let first = match chunks.next().await {
        Some(Err(status)) => return Err(GatewayError::from_handler(&status)),
        Some(Ok(encoded)) => HttpBody::decode(encoded.as_slice())
            .map_err(|error| failed(&correlation_id, &error.into()))?,
        None => HttpBody::default(),
    };
    let headers = file_headers(&metadata, &first.content_type);
    let rest = chunks.map(move |chunk| {
        let chunk = chunk.and_then(|encoded| {
            HttpBody::decode(encoded.as_slice())
                .map_err(|error| tonic::Status::internal(error.to_string()))
        });
        chunk
            .map(|chunk| Bytes::from(chunk.data))
            .inspect_err(|status| {
                tracing::warn!(
                    correlation_id,
                    error = status as &dyn Error,
                    "a file was broken off"
                );
            })
    });
    let body = futures_util::stream::iter([Ok(Bytes::from(first.data))]).chain(rest);
    Ok((StatusCode::OK, headers, Body::from_stream(body)).into_response())
}

/// Logs why an answer cannot be written. The response does not say it.
pub(super) fn failed(correlation_id: &str, error: &AnswerError) -> GatewayError {
    tracing::error!(
        correlation_id,
        error = error as &dyn Error,
        "the answer of a handler cannot be written"
    );
    Status::new(
        Code::Internal,
        "INTERNAL",
        "something went wrong; the log has it under the correlation id",
    )
    .into()
}

fn file_headers(metadata: &MetadataMap, content_type: &str) -> HeaderMap {
    let mut headers = HeaderMap::new();
    let content_type = HeaderValue::from_str(content_type).ok();
    let content_type = content_type.filter(|value| !value.is_empty());
    headers.insert(CONTENT_TYPE, content_type.unwrap_or(OCTET_STREAM));
    for name in FILE_HEADERS {
        let value = metadata.get(name.as_str());
        let value = value.and_then(|value| HeaderValue::from_bytes(value.as_bytes()).ok());
        if let Some(value) = value {
            headers.insert(name, value);
        }
    }
    if headers.contains_key(ETAG) {
        // The caller may store it, and asks each time whether it is still the same and still theirs.
        let policy = HeaderValue::from_static("private, no-cache");
        headers.insert(CACHE_CONTROL, policy);
    }
    headers
}

/// Whether the caller has the file: RFC 9110, section 13.1.2.
fn is_known(request: &HeaderMap, answer: &HeaderMap) -> bool {
    let Some(tag) = answer.get(ETAG).and_then(|tag| tag.to_str().ok()) else {
        return false;
    };
    request
        .get_all(IF_NONE_MATCH)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .map(|known| known.trim().trim_start_matches("W/"))
        .any(|known| known == tag || known == "*")
}
