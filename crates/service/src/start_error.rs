//! Why the service does not start.

use std::net::SocketAddr;

use invoicing_contract::EnvironmentKind;
use invoicing_gateway::GatewayStartError;
use invoicing_http::{BindError, TlsError};
use invoicing_identity::ProviderError;
use invoicing_storage::StorageError;
use invoicing_storage::kept_secrets::{KeptSecretError, UnreadableSecret};
use opentelemetry_otlp::ExporterBuildError;
use url::Url;

use crate::database::DatabaseError;
use crate::encryption_keys::KeyFileError;

/// Why the service does not start. Nothing listens, and nothing that was stored is changed.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say it")]
pub enum StartError {
    #[error(transparent)]
    Bind(#[from] BindError),
    #[error(
        "{address} can be reached from other machines without encryption: name a certificate, or put a proxy with TLS in front and name its https address"
    )]
    NotEncrypted { address: SocketAddr },
    #[error(
        "metrics at {address} can be read from other machines without encryption: choose a loopback address, name a certificate, or allow it with --metrics-in-clear"
    )]
    MetricsNotEncrypted { address: SocketAddr },
    #[error(
        "{url} cannot be the address that callers use: it must be https, without user, query and fragment"
    )]
    InvalidPublicUrl { url: Url },
    #[error("{address} is no address that callers can use: name the https address that they do")]
    PublicUrlMissing { address: SocketAddr },
    #[error("TLS cannot be offered: {0}")]
    Tls(#[from] TlsError),
    #[error(transparent)]
    Database(#[from] DatabaseError),
    #[error("the database {database} belongs to an environment of kind {kind}")]
    DatabaseOfOtherKind { database: String, kind: String },
    #[error("demo data is not for an environment of kind {kind}")]
    SeedRefused { kind: EnvironmentKind },
    #[error(
        "an environment of kind {kind} needs a project-audience id of its own, which no other environment has: name it with --audience-id"
    )]
    AudienceIdMissing { kind: EnvironmentKind },
    #[error("while reading and writing what the service begins with: {0}")]
    Storage(#[from] StorageError),
    #[error(
        "the address of a collector begins with http:// or https://, as https://collector.example:4317, and not with {scheme}:"
    )]
    CollectorScheme { scheme: String },
    #[error("spans cannot be exported: {0}")]
    Telemetry(#[from] ExporterBuildError),
    #[error(transparent)]
    KeyFile(#[from] KeyFileError),
    #[error(transparent)]
    UnreadableSecret(#[from] UnreadableSecret),
    #[error(transparent)]
    Provider(#[from] ProviderError),
    #[error(transparent)]
    Gateway(#[from] GatewayStartError),
}

impl From<KeptSecretError> for StartError {
    fn from(error: KeptSecretError) -> Self {
        match error {
            KeptSecretError::Storage(error) => Self::Storage(error),
            KeptSecretError::Unreadable(error) => Self::UnreadableSecret(error),
        }
    }
}

impl StartError {
    /// The exit code of the program, by the groups of sysexits.h.
    #[must_use]
    pub const fn exit_code(&self) -> u8 {
        match self {
            Self::NotEncrypted { .. }
            | Self::MetricsNotEncrypted { .. }
            | Self::InvalidPublicUrl { .. }
            | Self::PublicUrlMissing { .. }
            | Self::Tls(_)
            | Self::KeyFile(_)
            | Self::SeedRefused { .. }
            | Self::AudienceIdMissing { .. }
            | Self::CollectorScheme { .. }
            | Self::Telemetry(_) => 64,
            Self::DatabaseOfOtherKind { .. } | Self::UnreadableSecret(_) => 65,
            Self::Bind(_) => 69,
            Self::Gateway(GatewayStartError::Route(_)) => 70,
            Self::Storage(error) | Self::Gateway(GatewayStartError::Storage(error)) => {
                error.exit_code()
            }
            Self::Database(error) => error.exit_code(),
            Self::Provider(error) => error.exit_code(),
        }
    }
}
