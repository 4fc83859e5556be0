//! HTTP/1.1 messages as bytes: the request that a client sends, and the response that the proxy writes.

use std::io;

use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use tokio::io::{AsyncRead, AsyncReadExt as _};

use super::fault::Place;

const MAX_HEAD: usize = 64 * 1024;
const MAX_BODY: usize = 64 * 1024 * 1024;

/// A request.
#[derive(Debug, Clone)]
pub struct Request {
    pub(super) method: Method,
    /// Path and query.
    pub(super) target: String,
    pub(super) headers: HeaderMap,
    /// What follows the head.
    pub body: Vec<u8>,
}

/// A response.
#[derive(Debug, Clone)]
pub struct Response {
    /// HTTP status.
    pub status: StatusCode,
    /// Its headers, some of which [`head`](Self::head) writes anew.
    pub headers: HeaderMap,
    /// What follows the head.
    pub body: Vec<u8>,
}

impl Request {
    /// Reads a request with `content-length`. `None` if the client closes the connection before.
    pub async fn read(stream: &mut (impl AsyncRead + Unpin)) -> io::Result<Option<Self>> {
        let mut bytes = Vec::new();
        let end = loop {
            if let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") {
                break end + 4;
            }
            if bytes.len() > MAX_HEAD || stream.read_buf(&mut bytes).await? == 0 {
                return Ok(None);
            }
        };
        let mut body = bytes.split_off(end);
        let head = String::from_utf8(bytes).map_err(invalid)?;
        let mut lines = head.lines();
        let mut words = lines.next().unwrap_or_default().split(' ');
        let (method, target) = (words.next().unwrap_or_default(), words.next());
        let mut headers = HeaderMap::new();
        for (name, value) in lines.filter_map(|line| line.split_once(':')) {
            headers.append(
                name.parse::<HeaderName>().map_err(invalid)?,
                value.trim().parse::<HeaderValue>().map_err(invalid)?,
            );
        }
        let length = headers
            .get("content-length")
            .and_then(|length| length.to_str().ok()?.parse().ok());
        let length: usize = length.unwrap_or(0);
        while body.len() < length.min(MAX_BODY) {
            if stream.read_buf(&mut body).await? == 0 {
                return Ok(None);
            }
        }
        Ok(Some(Self {
            method: method.parse().map_err(invalid)?,
            target: target.unwrap_or("/").to_owned(),
            headers,
            body,
        }))
    }

    /// Method and path, without the query.
    pub fn line(&self) -> String {
        format!("{} {}", self.method, self.path())
    }

    /// The path without the query.
    pub(super) fn path(&self) -> &str {
        self.target.split('?').next().unwrap_or_default()
    }
}

impl Response {
    /// The bytes on the wire. `announced` is the length that the head tells of the body.
    pub fn head(&self, announced: usize) -> Vec<u8> {
        let mut head = format!(
            "HTTP/1.1 {} {}\r\n",
            self.status.as_u16(),
            self.status.canonical_reason().unwrap_or("Unknown")
        )
        .into_bytes();
        for (name, value) in &self.headers {
            let computed = ["content-length", "transfer-encoding", "connection"];
            if computed.contains(&name.as_str()) {
                continue;
            }
            head.extend_from_slice(name.as_str().as_bytes());
            head.extend_from_slice(b": ");
            head.extend_from_slice(value.as_bytes());
            head.extend_from_slice(b"\r\n");
        }
        // Each request has a connection of its own, so that a fault of connections meets the next request.
        head.extend_from_slice(
            format!("content-length: {announced}\r\nconnection: close\r\n\r\n").as_bytes(),
        );
        head
    }

    /// Replaces the content type, or removes it.
    pub(super) fn set_content_type(&mut self, content_type: &str) {
        self.headers.remove("content-type");
        if !content_type.is_empty() {
            let value = content_type.parse().expect("a header");
            self.headers.insert("content-type", value);
        }
    }
}

/// The number of bytes before a place in a response.
pub fn offset(place: Place, head: &[u8], body: &[u8]) -> usize {
    let line = head.iter().position(|byte| *byte == b'\n').unwrap_or(0) + 1;
    match place {
        Place::StatusLine => line / 2,
        Place::Headers => usize::midpoint(line, head.len()),
        Place::EndOfHead => head.len() - 2,
        Place::BodyStart => head.len(),
        Place::FirstByte => head.len() + body.len().min(1),
        Place::Middle => head.len() + body.len() / 2,
        Place::LastByte => head.len() + body.len().saturating_sub(1),
    }
}

fn invalid(error: impl std::error::Error + Send + Sync + 'static) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, error)
}
