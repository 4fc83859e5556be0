//! The columns of the table: every fault that is tried at every call.

use std::time::Duration;

use end_to_end::fault_proxy::{ConnectionFault, Defect, Fault, Place};

use super::call::Call;
use super::foreign;

/// A fault between client and service.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum FaultKind {
    Refused,
    UnresolvedName,
    ConnectionClosed,
    ConnectionReset,
    ConnectionSilent,
    HandshakePlainText,
    ExpiredCertificate,
    OtherName,
    UnknownAuthority,
    GoAwayBefore,
    GoAwayAfter,
    RefusedStream,
    DropRequest,
    DropResponse,
    ResetRequest,
    ResetResponse,
    HoldRequest,
    HoldResponse,
    Delay,
    Trickle,
    CutStatusLine,
    CutHeaders,
    CutEndOfHead,
    CutBodyStart,
    CutFirstByte,
    CutMiddle,
    CutLastByte,
    StallEndOfHead,
    StallMiddle,
    LengthTooLarge,
    LengthTooSmall,
    Oversized,
    WrongContentType,
    Page200,
    Page200After,
    Page302,
    Redirect307,
    ForeignDocument,
    ForeignDocumentAfter,
    ForeignOrganization,
    ForeignOrganizationAfter,
    EmptyArray,
    EmptyArrayAfter,
    Null,
    NullAfter,
    EmptyObject,
    EmptyObjectAfter,
    ProxyAuthentication407,
    TooLarge413,
    RateLimit429,
    RateLimit429RetryAfter,
    Empty503,
    Status503,
    Page500,
    Status500,
}

/// What the client can learn of a fault, which decides what it has to say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FaultClass {
    /// The response comes, slowly.
    None,
    /// No connection: nothing was sent.
    NotSent,
    /// The request was sent, and no complete response came.
    Lost,
    /// 2xx, and not the answer to this request.
    Foreign,
    /// Not 2xx, and not of this service.
    Refusal,
    /// Not of this service, and the server may have acted behind it.
    BrokenProxy,
    /// RESOURCE_EXHAUSTED.
    RateLimited,
    /// 503 with an empty body.
    OrganizationUnavailable,
    /// UNAVAILABLE.
    Unavailable,
    /// INTERNAL.
    Internal,
}

/// How a fault is injected.
pub(crate) enum Injection {
    Request(Fault),
    Connection(ConnectionFault),
    Resolver,
}

impl FaultKind {
    pub(crate) const ALL: [Self; 55] = [
        Self::Refused,
        Self::UnresolvedName,
        Self::ConnectionClosed,
        Self::ConnectionReset,
        Self::ConnectionSilent,
        Self::HandshakePlainText,
        Self::ExpiredCertificate,
        Self::OtherName,
        Self::UnknownAuthority,
        Self::GoAwayBefore,
        Self::GoAwayAfter,
        Self::RefusedStream,
        Self::DropRequest,
        Self::DropResponse,
        Self::ResetRequest,
        Self::ResetResponse,
        Self::HoldRequest,
        Self::HoldResponse,
        Self::Delay,
        Self::Trickle,
        Self::CutStatusLine,
        Self::CutHeaders,
        Self::CutEndOfHead,
        Self::CutBodyStart,
        Self::CutFirstByte,
        Self::CutMiddle,
        Self::CutLastByte,
        Self::StallEndOfHead,
        Self::StallMiddle,
        Self::LengthTooLarge,
        Self::LengthTooSmall,
        Self::Oversized,
        Self::WrongContentType,
        Self::Page200,
        Self::Page200After,
        Self::Page302,
        Self::Redirect307,
        Self::ForeignDocument,
        Self::ForeignDocumentAfter,
        Self::ForeignOrganization,
        Self::ForeignOrganizationAfter,
        Self::EmptyArray,
        Self::EmptyArrayAfter,
        Self::Null,
        Self::NullAfter,
        Self::EmptyObject,
        Self::EmptyObjectAfter,
        Self::ProxyAuthentication407,
        Self::TooLarge413,
        Self::RateLimit429,
        Self::RateLimit429RetryAfter,
        Self::Empty503,
        Self::Status503,
        Self::Page500,
        Self::Status500,
    ];

    /// Whether the fault exists only where connections are encrypted or servers have names.
    pub(crate) fn needs_tls(self) -> bool {
        matches!(
            self,
            Self::UnresolvedName
                | Self::HandshakePlainText
                | Self::ExpiredCertificate
                | Self::OtherName
                | Self::UnknownAuthority
                | Self::GoAwayBefore
                | Self::GoAwayAfter
                | Self::RefusedStream
        )
    }

    /// Whether the fault can be limited to one request.
    pub(crate) fn can_be_once(self) -> bool {
        !matches!(self, Self::Refused | Self::UnresolvedName)
    }

    /// `tls`: whether connections are encrypted.
    pub(crate) fn class(self, tls: bool) -> FaultClass {
        match self {
            Self::Delay | Self::Trickle => FaultClass::None,
            Self::Refused
            | Self::UnresolvedName
            | Self::HandshakePlainText
            | Self::ExpiredCertificate
            | Self::OtherName
            | Self::UnknownAuthority => FaultClass::NotSent,
            // Without TLS the client has sent its request when the connection ends.
            Self::ConnectionClosed | Self::ConnectionReset if tls => FaultClass::NotSent,
            Self::ConnectionClosed
            | Self::ConnectionReset
            | Self::ConnectionSilent
            | Self::GoAwayBefore
            | Self::GoAwayAfter
            | Self::RefusedStream
            | Self::DropRequest
            | Self::DropResponse
            | Self::ResetRequest
            | Self::ResetResponse
            | Self::HoldRequest
            | Self::HoldResponse
            | Self::CutStatusLine
            | Self::CutHeaders
            | Self::CutEndOfHead
            | Self::CutBodyStart
            | Self::CutFirstByte
            | Self::CutMiddle
            | Self::CutLastByte
            | Self::StallEndOfHead
            | Self::StallMiddle
            | Self::LengthTooLarge => FaultClass::Lost,
            Self::LengthTooSmall
            | Self::Oversized
            | Self::WrongContentType
            | Self::Page200
            | Self::Page200After
            | Self::ForeignDocument
            | Self::ForeignDocumentAfter
            | Self::ForeignOrganization
            | Self::ForeignOrganizationAfter
            | Self::EmptyArray
            | Self::EmptyArrayAfter
            | Self::Null
            | Self::NullAfter
            | Self::EmptyObject
            | Self::EmptyObjectAfter => FaultClass::Foreign,
            Self::Page302
            | Self::Redirect307
            | Self::ProxyAuthentication407
            | Self::TooLarge413 => FaultClass::Refusal,
            Self::Page500 => FaultClass::BrokenProxy,
            Self::RateLimit429 | Self::RateLimit429RetryAfter => FaultClass::RateLimited,
            Self::Empty503 => FaultClass::OrganizationUnavailable,
            Self::Status503 => FaultClass::Unavailable,
            Self::Status500 => FaultClass::Internal,
        }
    }

    /// Whether the server handles each request of the connections that have the fault, and none of its answers comes.
    pub(crate) fn loses_each_answer(self) -> bool {
        matches!(self, Self::GoAwayAfter | Self::RefusedStream)
    }

    /// Whether the server handles the request although the client does not get its answer.
    pub(crate) fn server_acts(self) -> bool {
        match self.injection(Call::List, "") {
            Injection::Request(fault) => fault.reaches_the_server(),
            Injection::Connection(_) => self.loses_each_answer(),
            Injection::Resolver => false,
        }
    }

    /// The fault as it is injected at a call.
    pub(crate) fn injection(self, call: Call, key: &str) -> Injection {
        let cut = |place| Injection::Request(Fault::Deliver(Defect::Cut(place)));
        let deliver = |defect| Injection::Request(Fault::Deliver(defect));
        let respond = |status, headers: &[(&'static str, &str)], body: &str| {
            let headers = headers
                .iter()
                .map(|(name, value)| (*name, (*value).to_owned()))
                .collect();
            Injection::Request(Fault::Respond {
                status,
                headers,
                body: body.to_owned(),
            })
        };
        let json = |body: &str| respond(200, &[("content-type", "application/json")], body);
        let replace = |content_type, body: &str| {
            deliver(Defect::Replace {
                status: 200,
                content_type,
                body: body.to_owned(),
            })
        };
        let connection = Injection::Connection;
        let page = "<html><title>Sign in to Wi-Fi</title></html>";
        match self {
            Self::Refused => connection(ConnectionFault::Refused),
            Self::UnresolvedName => Injection::Resolver,
            Self::ConnectionClosed => connection(ConnectionFault::Closed),
            Self::ConnectionReset => connection(ConnectionFault::Reset),
            Self::ConnectionSilent => connection(ConnectionFault::Silent),
            Self::HandshakePlainText => connection(ConnectionFault::PlainText),
            Self::ExpiredCertificate => connection(ConnectionFault::ExpiredCertificate),
            Self::OtherName => connection(ConnectionFault::OtherName),
            Self::UnknownAuthority => connection(ConnectionFault::UnknownAuthority),
            Self::GoAwayBefore => connection(ConnectionFault::GoAwayBefore),
            Self::GoAwayAfter => connection(ConnectionFault::GoAwayAfter),
            Self::RefusedStream => connection(ConnectionFault::RefusedStream),
            Self::DropRequest => Injection::Request(Fault::DropRequest),
            Self::DropResponse => Injection::Request(Fault::DropResponse),
            Self::ResetRequest => Injection::Request(Fault::ResetRequest),
            Self::ResetResponse => Injection::Request(Fault::ResetResponse),
            Self::HoldRequest => Injection::Request(Fault::HoldRequest),
            Self::HoldResponse => Injection::Request(Fault::HoldResponse),
            Self::Delay => deliver(Defect::Delay(Duration::from_millis(20))),
            Self::Trickle => deliver(Defect::Trickle),
            Self::CutStatusLine => cut(Place::StatusLine),
            Self::CutHeaders => cut(Place::Headers),
            Self::CutEndOfHead => cut(Place::EndOfHead),
            Self::CutBodyStart => cut(Place::BodyStart),
            Self::CutFirstByte => cut(Place::FirstByte),
            Self::CutMiddle => cut(Place::Middle),
            Self::CutLastByte => cut(Place::LastByte),
            Self::StallEndOfHead => deliver(Defect::Stall(Place::EndOfHead)),
            Self::StallMiddle => deliver(Defect::Stall(Place::Middle)),
            Self::LengthTooLarge => deliver(Defect::LengthTooLarge(7)),
            Self::LengthTooSmall => deliver(Defect::LengthTooSmall(7)),
            // More than the 16 MiB that the client reads of an answer.
            Self::Oversized => deliver(Defect::Oversized(17 * 1024 * 1024)),
            Self::WrongContentType => deliver(Defect::ContentType("text/plain")),
            Self::Page200 => respond(200, &[("content-type", "text/html")], page),
            Self::Page200After => replace("text/html", page),
            Self::Page302 => respond(
                302,
                &[
                    ("location", "http://portal.example/login"),
                    ("content-type", "text/html"),
                ],
                page,
            ),
            Self::Redirect307 => respond(307, &[("location", "https://elsewhere.example/")], ""),
            Self::ForeignDocument => json(&foreign::document(call)),
            Self::ForeignDocumentAfter => replace("application/json", &foreign::document(call)),
            Self::ForeignOrganization => json(&foreign::organization(call, key)),
            Self::ForeignOrganizationAfter => {
                replace("application/json", &foreign::organization(call, key))
            }
            Self::EmptyArray => json("[]"),
            Self::EmptyArrayAfter => replace("application/json", "[]"),
            Self::Null => json("null"),
            Self::NullAfter => replace("application/json", "null"),
            Self::EmptyObject => json("{}"),
            Self::EmptyObjectAfter => replace("application/json", "{}"),
            Self::ProxyAuthentication407 => respond(
                407,
                &[
                    ("proxy-authenticate", "Basic realm=\"office\""),
                    ("content-type", "text/html"),
                ],
                page,
            ),
            Self::TooLarge413 => respond(413, &[], ""),
            Self::RateLimit429 => respond(429, &[], r#"{"code":8,"message":"","details":[]}"#),
            Self::RateLimit429RetryAfter => respond(
                429,
                &[("retry-after", "5")],
                r#"{"code":8,"message":"","details":[]}"#,
            ),
            Self::Empty503 => respond(503, &[("retry-after", "1")], ""),
            Self::Status503 => Injection::Request(Fault::status(503, 14, "BUSY")),
            Self::Page500 => respond(500, &[("content-type", "text/html")], page),
            Self::Status500 => Injection::Request(Fault::status(500, 13, "INTERNAL")),
        }
    }
}
