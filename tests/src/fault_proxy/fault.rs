//! The faults that a proxy injects: of one request, or of every new connection.

use std::time::Duration;

/// A fault of one request.
#[derive(Debug, Clone)]
pub enum Fault {
    /// The connection is closed; the server does not get the request.
    DropRequest,
    /// The server handles the request; the connection is closed without its response.
    DropResponse,
    /// As [`DropRequest`](Self::DropRequest), with a TCP reset.
    ResetRequest,
    /// As [`DropResponse`](Self::DropResponse), with a TCP reset.
    ResetResponse,
    /// The server does not get the request, and nothing comes until the client closes the connection.
    HoldRequest,
    /// The server handles the request, and nothing comes until the client closes the connection.
    HoldResponse,
    /// The server gets the request when the faults are cleared, and its response is delivered.
    DelayRequest,
    /// The server does not get the request; the proxy responds itself.
    Respond {
        /// HTTP status.
        status: u16,
        /// All headers; no others are added.
        headers: Vec<(&'static str, String)>,
        /// The body.
        body: String,
    },
    /// The server handles the request, and its response is delivered in a defective way.
    Deliver(Defect),
}

/// What is wrong with the delivery of the server's response.
#[derive(Debug, Clone)]
pub enum Defect {
    /// It comes after this time.
    Delay(Duration),
    /// Each of its bytes is sent alone.
    Trickle,
    /// It ends at this place, and the connection is closed.
    Cut(Place),
    /// It ends at this place, and the connection stays open.
    Stall(Place),
    /// The status, content type and body are these instead.
    Replace {
        /// HTTP status.
        status: u16,
        /// The header `content-type`; empty: none.
        content_type: &'static str,
        /// The body.
        body: String,
    },
    /// Its JSON is changed.
    Edit(fn(&mut serde_json::Value)),
    /// Only the content type is this instead.
    ContentType(&'static str),
    /// The header `content-length` is larger than the body by this number of bytes.
    LengthTooLarge(usize),
    /// The header `content-length` is smaller than the body by this number of bytes.
    LengthTooSmall(usize),
    /// The body is followed by so many spaces, which JSON allows.
    Oversized(usize),
}

/// A place in the bytes of a response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// In the middle of the status line.
    StatusLine,
    /// In the middle of the headers.
    Headers,
    /// Before the empty line that ends the head.
    EndOfHead,
    /// Before the first byte of the body.
    BodyStart,
    /// After the first byte of the body.
    FirstByte,
    /// In the middle of the body.
    Middle,
    /// Before the last byte of the body.
    LastByte,
}

/// A fault of every new connection, until it is taken away.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConnectionFault {
    /// Nobody listens, so that the connection is refused. It lasts until it is cleared.
    Refused,
    /// The connection is closed after it was accepted.
    Closed,
    /// The connection is reset after it was accepted.
    Reset,
    /// The connection is accepted, and nothing is read or written.
    Silent,
    /// The TLS handshake is answered in plain HTTP, as the gateway of a hotel does.
    PlainText,
    /// The certificate has expired.
    ExpiredCertificate,
    /// The certificate is for another host name.
    OtherName,
    /// The certificate is from an authority that the client does not know.
    UnknownAuthority,
    /// HTTP/2: GOAWAY says that no request of the connection was handled.
    GoAwayBefore,
    /// HTTP/2: GOAWAY says that the request may have been handled, which it was; its response does not come.
    GoAwayAfter,
    /// HTTP/2: the stream is refused although the request was handled, as proxies do when their server is killed.
    RefusedStream,
}

impl Fault {
    /// A Status of the contract that a test cannot provoke from the service itself.
    pub fn status(http: u16, code: u16, reason: &str) -> Self {
        let body = format!(
            r#"{{"code":{code},"message":"server message","details":[{{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"{reason}","domain":"invoicing","metadata":{{}}}}]}}"#
        );
        Self::Respond {
            status: http,
            headers: vec![("x-correlation-id", "from-the-server".to_owned())],
            body,
        }
    }

    /// An HTML page, as a captive portal sends.
    pub fn page(status: u16) -> Self {
        Self::Respond {
            status,
            headers: vec![("content-type", "text/html".to_owned())],
            body: "<html>Sign in to Wi-Fi</html>".to_owned(),
        }
    }

    /// Whether the server handles the request.
    pub fn reaches_the_server(&self) -> bool {
        match self {
            Self::DropRequest | Self::ResetRequest | Self::HoldRequest | Self::Respond { .. } => {
                false
            }
            Self::DropResponse
            | Self::ResetResponse
            | Self::HoldResponse
            | Self::DelayRequest
            | Self::Deliver(_) => true,
        }
    }
}
