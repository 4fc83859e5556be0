//! The configuration of the service.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use http::HeaderValue;
use invoicing_contract::{AudienceId, EnvironmentKind, Names};
use ipnet::IpNet;
use url::Url;

use crate::audit_archive::AuditArchiveFolder;
use crate::database::DatabaseOptions;
use crate::encryption_keys::{self, KeyFileError, read_key_file};
use crate::start_error::StartError;
use invoicing_http::TlsFiles;
use invoicing_http::server::{ConnectionLimits, DRAIN_TIMEOUT};
use invoicing_identity::RequestLimitSettings;
use invoicing_identity::administration::DomainVerifier;
use invoicing_storage::Rng;
use invoicing_storage::encryption::EncryptionKeys;
use invoicing_storage::kept_secrets::EncryptionAtRest;

/// The configuration of [`serve`](crate::serve).
#[derive(Debug, Clone)]
pub struct Config {
    /// The database, and how it is connected to.
    pub database: DatabaseOptions,
    /// Where the identity provider listens. Port 0 picks a free one.
    pub identity: SocketAddr,
    /// Where the gateway listens. Port 0 picks a free one.
    pub gateway: SocketAddr,
    /// Public address of the identity provider behind a proxy.
    pub public_identity: Option<Url>,
    /// Public address of the gateway behind a proxy.
    pub public_gateway: Option<Url>,
    /// Certificate and key, when the service terminates TLS itself.
    pub tls: Option<TlsFiles>,
    /// Where health, readiness and metrics are served; `None` for nowhere.
    pub metrics: Option<SocketAddr>,
    /// Whether `metrics` may be an address that other machines reach, without TLS.
    pub metrics_in_clear: bool,
    /// How many connections each public listener keeps, and how long each may take. The proxies are exempt from the limit for
    /// each address.
    pub connections: ConnectionLimits,
    /// How the service stops.
    pub drain: Drain,
    /// Networks of trusted proxies, whose `X-Forwarded-For` names the client. Without them all clients behind a proxy share one
    /// address in the throttling of sign-ins.
    pub proxies: Vec<IpNet>,
    /// What the environment is for.
    pub kind: EnvironmentKind,
    /// Its project-audience id; `None` for the built-in one of a local environment. Any other kind needs its own (decision 0119).
    pub audience_id: Option<AudienceId>,
    /// Data to begin with.
    pub seed: Option<Seed>,
    /// How many invoices the seed puts into the home organization; `None` for a few hundred everywhere.
    pub invoices: Option<u32>,
    /// Requests per minute that an organization may send, where its tenant has no limit of its own; `None` for 6,000.
    pub rate_limit: Option<u32>,
    /// Where spans of requests are sent over OTLP (gRPC), with TLS if it is an https address; `None` for nowhere.
    pub otlp_endpoint: Option<Url>,
    /// Origins whose pages may call the gateway, as `https://app.example`.
    pub cors_origins: Vec<HeaderValue>,
    /// Requests per minute at the identity provider, by address and by application.
    pub request_limits: RequestLimitSettings,
    /// Where audit events go that leave the database; `None` for the folder beside a database that is a file. Of a database
    /// on a server none leave it then.
    pub audit_archive: Option<PathBuf>,
    /// How many days audit events stay in the database; 0 to keep them there for ever.
    pub audit_retention_days: u32,
    /// Networks beside public addresses where tax authorities may be. A local environment adds this computer.
    pub authority_networks: Vec<IpNet>,
    /// How long a tax authority may take for an answer, eight seconds at most; `None` for those.
    pub authority_timeout: Option<Duration>,
    /// The file with the keys that stored secrets are encrypted with; `None` for the one beside the database of a local environment.
    /// Another environment stores no credentials of tax authorities without it. The secrets of the service itself are encrypted
    /// only if a file is named (decision 0160).
    pub encryption_key_file: Option<PathBuf>,
    /// The namespace of claims, scopes and headers.
    pub names: Names,
    /// Looks at what owners of domains publish; `None` for the servers of the domains (decision 0115).
    pub domain_verifier: Option<Arc<dyn DomainVerifier>>,
}

/// How many days audit events stay in the database by default: 13 months, so that a year can be looked back on as a whole.
pub const AUDIT_RETENTION_DAYS: u32 = 396;
/// Requests per minute from an address of a local environment, where all clients share the one of this machine.
const LOCAL_ADDRESS_LIMIT: u32 = 60_000;

impl Config {
    /// The folder of the audit's archives; `None` where none is named and the database is no file.
    #[must_use]
    pub fn audit_archive_folder(&self) -> Option<AuditArchiveFolder> {
        let named = self.audit_archive.as_deref();
        self.database.audit_archive_folder(named)
    }

    /// How long audit events stay in the database; `None` for ever.
    #[must_use]
    pub fn audit_retention(&self) -> Option<Duration> {
        let days = u64::from(self.audit_retention_days);
        (days > 0).then(|| Duration::from_secs(days * 24 * 60 * 60))
    }

    /// The project-audience id of the environment.
    ///
    /// # Errors
    /// An environment that is not local has none of its own.
    pub fn project_audience_id(&self) -> Result<AudienceId, StartError> {
        let is_local = self.kind == EnvironmentKind::Local;
        match &self.audience_id {
            None if is_local => Ok(AudienceId::local()),
            Some(id) if is_local || id.as_str() != AudienceId::LOCAL => Ok(id.clone()),
            _ => Err(StartError::AudienceIdMissing { kind: self.kind }),
        }
    }

    /// The keys of the file that is named; `None` if none is.
    ///
    /// # Errors
    /// See [`KeyFileError`].
    pub(crate) fn named_encryption_keys(&self) -> Result<Option<EncryptionKeys>, KeyFileError> {
        let file = self.encryption_key_file.as_deref();
        file.map(read_key_file).transpose()
    }

    /// The keys that stored secrets are encrypted with, if the environment has any. A local one on a file makes its own.
    ///
    /// # Errors
    /// See [`KeyFileError`].
    pub(crate) fn encryption(&self, rng: &dyn Rng) -> Result<EncryptionAtRest, KeyFileError> {
        if let Some(keys) = self.named_encryption_keys()? {
            return Ok(EncryptionAtRest::Configured(keys));
        }
        let beside = self.database.key_file();
        match beside.filter(|_| self.kind == EnvironmentKind::Local) {
            Some(file) => {
                encryption_keys::read_or_create(&file, rng).map(EncryptionAtRest::SelfMade)
            }
            None => Ok(EncryptionAtRest::None),
        }
    }

    /// The networks beside public addresses where tax authorities may be.
    #[must_use]
    pub fn authority_networks(&self) -> Vec<IpNet> {
        let mut networks = self.authority_networks.clone();
        if self.kind == EnvironmentKind::Local {
            networks.push(IpNet::from(IpAddr::V4(Ipv4Addr::LOCALHOST)));
            networks.push(IpNet::from(IpAddr::V6(Ipv6Addr::LOCALHOST)));
        }
        networks
    }

    /// A local environment on free ports of this machine.
    #[must_use]
    pub fn local(database: impl Into<DatabaseOptions>) -> Self {
        let free = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 0);
        Self {
            database: database.into(),
            identity: free,
            gateway: free,
            public_identity: None,
            public_gateway: None,
            tls: None,
            metrics: None,
            metrics_in_clear: false,
            connections: ConnectionLimits::default(),
            drain: Drain::of(EnvironmentKind::Local),
            proxies: Vec::new(),
            kind: EnvironmentKind::Local,
            audience_id: None,
            seed: None,
            invoices: None,
            rate_limit: None,
            cors_origins: Vec::new(),
            otlp_endpoint: None,
            request_limits: RequestLimitSettings {
                address_per_minute: LOCAL_ADDRESS_LIMIT,
                ..RequestLimitSettings::default()
            },
            audit_archive: None,
            audit_retention_days: AUDIT_RETENTION_DAYS,
            authority_networks: Vec::new(),
            authority_timeout: None,
            encryption_key_file: None,
            names: Names::default(),
            domain_verifier: None,
        }
    }
}

/// How the service stops (decision 0110).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Drain {
    /// How long the listeners go on accepting after the service has become not ready, so that proxies notice.
    pub delay: Duration,
    /// How long requests in flight may take after that.
    pub timeout: Duration,
}

impl Drain {
    /// The default of an environment. A local one has no proxy in front.
    #[must_use]
    pub const fn of(kind: EnvironmentKind) -> Self {
        let delay = match kind {
            EnvironmentKind::Local => Duration::ZERO,
            EnvironmentKind::Staging | EnvironmentKind::Production => Duration::from_secs(5),
        };
        Self {
            delay,
            timeout: DRAIN_TIMEOUT,
        }
    }
}

/// Data to begin with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Seed {
    /// Five organizations and that of the operator, four people and invoices over two years.
    Demo,
}

/// Reads an origin: a scheme, a host and maybe a port (RFC 6454, section 6.2). Plain HTTP is for loopback addresses (decision
/// 0003).
///
/// # Errors
/// What is wrong, for the command line.
pub fn parse_cors_origin(text: &str) -> Result<HeaderValue, String> {
    let origin = Url::parse(text).map_err(|error| error.to_string())?;
    let loopback = matches!(origin.host_str(), Some("127.0.0.1" | "[::1]" | "localhost"));
    let secure = origin.scheme() == "https" || (origin.scheme() == "http" && loopback);
    if !secure || origin.origin().ascii_serialization() != text {
        return Err("an origin, as https://app.example, without a path".to_owned());
    }
    HeaderValue::from_str(text).map_err(|error| error.to_string())
}
