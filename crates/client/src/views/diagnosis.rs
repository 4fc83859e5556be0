//! What a diagnosis of the connection to an environment has found.

use serde::{Deserialize, Serialize};
use specta::Type;

/// The steps in the order in which they were taken. After a failure, the later steps to the same server are not taken.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Diagnosis {
    /// Name of the environment.
    pub environment: String,
    /// When it was made, RFC 3339.
    pub time: String,
    /// The steps.
    pub steps: Vec<DiagnosisStep>,
}

/// One step.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct DiagnosisStep {
    /// The server that was tried.
    pub server: DiagnosedServer,
    /// Host and port that were contacted.
    pub host: String,
    /// Whether it succeeded.
    pub passed: bool,
    /// How long it took.
    pub milliseconds: u32,
    /// What was found.
    pub finding: DiagnosisFinding,
}

/// A server of an environment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum DiagnosedServer {
    /// Where users sign in.
    IdentityProvider,
    /// Where the invoices are.
    Gateway,
}

/// What a step has found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(
    tag = "kind",
    rename_all = "camelCase",
    rename_all_fields = "camelCase"
)]
pub enum DiagnosisFinding {
    /// The file of certificate authorities was read.
    CaFile {
        /// How many certificates it holds.
        certificates: u32,
    },
    /// The file of certificate authorities cannot be used.
    CaFileUnusable {
        /// What is wrong with it.
        reason: String,
    },
    /// Requests go to the server directly.
    NoProxy,
    /// Requests go through a proxy.
    Proxy {
        /// Its address, without user and password.
        address: String,
        /// Whether the environment names it. Otherwise it is that of the system.
        configured: bool,
    },
    /// The host has addresses.
    Resolved {
        /// IP addresses.
        addresses: Vec<String>,
    },
    /// DNS has no address of the host, or does not answer.
    NotResolved {
        /// What the system says.
        reason: String,
    },
    /// DNS has no address of the proxy, or does not answer.
    ProxyNotResolved {
        /// What the system says.
        reason: String,
    },
    /// A TCP connection was made.
    Connected {
        /// IP address and port.
        address: String,
    },
    /// No TCP connection was made.
    NotConnected {
        /// Why.
        problem: ConnectProblem,
        /// What the system says.
        reason: String,
    },
    /// No TCP connection to the proxy was made.
    ProxyNotConnected {
        /// Why.
        problem: ConnectProblem,
        /// What the system says.
        reason: String,
    },
    /// The proxy did not connect to the server.
    ProxyRefused {
        /// HTTP status of the proxy: 407 asks for a password.
        status: u16,
    },
    /// The server has shown a certificate that is trusted.
    Trusted {
        /// Subjects of the issuers, from that of the server's certificate on.
        issuers: Vec<String>,
    },
    /// The TLS handshake failed.
    NotTrusted {
        /// Why.
        problem: TlsProblem,
        /// What the TLS library says.
        reason: String,
        /// Subjects of the issuers, as far as the server has shown certificates.
        issuers: Vec<String>,
    },
    /// The server is on this computer and uses plain HTTP.
    Plain,
    /// The server answered a request.
    Answered {
        /// HTTP status.
        status: u16,
    },
    /// The server did not answer a request as one of ours.
    NotAnswered {
        /// What happened.
        reason: String,
    },
    /// The discovery document is that of this environment.
    Discovered,
    /// The discovery document is missing, or is not that of this environment.
    NotDiscovered {
        /// The check that failed, or what happened.
        reason: String,
    },
    /// The clocks of this computer and of the server agree.
    ClockRight {
        /// How many seconds this computer is ahead, or behind if negative.
        seconds: i32,
    },
    /// The clocks differ by more than a sign-in allows.
    ClockWrong {
        /// How many seconds this computer is ahead, or behind if negative.
        seconds: i32,
    },
}

/// Why no TCP connection was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum ConnectProblem {
    /// Nothing listens there.
    Refused,
    /// No answer in time: probably a firewall.
    Silent,
    /// There is no route to it.
    Unreachable,
    /// Anything else.
    Other,
}

/// Why a TLS handshake failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum TlsProblem {
    /// The authority that issued the certificate is not trusted: probably a proxy of the company that reads along.
    UnknownIssuer,
    /// The certificate is not valid any more, or this computer's clock is ahead.
    Expired,
    /// The certificate is not valid yet, or this computer's clock is behind.
    NotYetValid,
    /// The certificate is for another host.
    WrongName,
    /// The server speaks no TLS, or none that is safe.
    NoTls,
    /// Anything else.
    Other,
}
