//! Why the service does not start.

use std::net::SocketAddr;
use std::path::PathBuf;

use url::Url;

use crate::config::{Kind, TlsError};
use crate::storage::StorageError;

/// Why the service does not start. Nothing listens, and nothing that was stored is changed.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say it")]
pub enum StartError {
    #[error("another program listens on {address}")]
    PortInUse { address: SocketAddr },
    #[error("{address} cannot be listened on: {reason}")]
    NotBound { address: SocketAddr, reason: String },
    #[error(
        "{address} can be reached from other machines without encryption: name a certificate, or put a proxy with TLS in front and name its https address"
    )]
    NotEncrypted { address: SocketAddr },
    #[error(
        "{url} cannot be the address that callers use: it must be https, without user, query and fragment"
    )]
    NotPublic { url: Url },
    #[error("{address} is no address that callers can use: name the https address that they do")]
    NotNamed { address: SocketAddr },
    #[error("TLS cannot be offered: {0}")]
    Tls(#[from] TlsError),
    #[error("{url:?} names no database of a kind we know: write sqlite:PATH")]
    UnsupportedDatabase { url: String },
    #[error("the database {path} is damaged: {finding}")]
    CorruptDatabase { path: PathBuf, finding: String },
    #[error("the database {path} was written by a newer version")]
    DatabaseNewer { path: PathBuf },
    #[error("the database {path} was written by a version whose tables differ from ours")]
    DatabaseDiffers { path: PathBuf },
    #[error("the database {path} belongs to an environment of kind {kind}")]
    DatabaseOfOtherKind { path: PathBuf, kind: String },
    #[error("no space is left for the database {path}")]
    NoSpace { path: PathBuf },
    #[error("the database {path} is held by another program")]
    DatabaseBusy { path: PathBuf },
    #[error("the database {path} cannot be opened: {reason}")]
    DatabaseNotOpened { path: PathBuf, reason: String },
    #[error("demo data is not for an environment of kind {kind}")]
    SeedRefused { kind: Kind },
    #[error("while reading and writing what the service begins with: {0}")]
    Storage(#[from] StorageError),
    #[error("the signing keys cannot be used: {0}")]
    SigningKeys(String),
    #[error("tax authorities cannot be asked: {0}")]
    Authority(String),
}

impl StartError {
    /// The exit code of the program, by the groups of sysexits.h.
    #[must_use]
    pub const fn exit_code(&self) -> u8 {
        match self {
            Self::NotEncrypted { .. }
            | Self::NotPublic { .. }
            | Self::NotNamed { .. }
            | Self::Tls(_)
            | Self::UnsupportedDatabase { .. }
            | Self::SeedRefused { .. } => 64,
            Self::CorruptDatabase { .. }
            | Self::DatabaseNewer { .. }
            | Self::DatabaseDiffers { .. }
            | Self::DatabaseOfOtherKind { .. }
            | Self::SigningKeys(_) => 65,
            Self::PortInUse { .. } | Self::NotBound { .. } | Self::Authority(_) => 69,
            Self::NoSpace { .. } | Self::DatabaseNotOpened { .. } | Self::Storage(_) => 74,
            Self::DatabaseBusy { .. } => 75,
        }
    }
}
