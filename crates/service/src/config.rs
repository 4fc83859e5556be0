//! What a running service is told from outside.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use invoicing_contract::Names;
use url::Url;

pub use crate::http::tls::{TlsError, TlsFiles};

/// Everything `serve` needs to know.
#[derive(Debug, Clone)]
pub struct Config {
    /// `sqlite:PATH`.
    pub database: String,
    /// Where the identity provider listens. Port 0 picks a free one.
    pub identity: SocketAddr,
    /// Where the gateway listens. Port 0 picks a free one.
    pub gateway: SocketAddr,
    /// What callers reach the identity provider by, when a proxy stands in front of it.
    pub public_identity: Option<Url>,
    /// What callers reach the gateway by, when a proxy stands in front of it.
    pub public_gateway: Option<Url>,
    /// Certificate and key, when the service encrypts by itself.
    pub tls: Option<TlsFiles>,
    /// Where health, readiness and metrics are told; `None` for nowhere.
    pub metrics: Option<SocketAddr>,
    /// Proxies whose word about the caller's address is taken (`X-Forwarded-For`). Without them all callers behind a
    /// proxy would count as one when sign-ins are slowed down.
    pub proxies: Vec<IpAddr>,
    /// What the environment is for.
    pub kind: Kind,
    /// Data to begin with.
    pub seed: Option<Seed>,
    /// How many invoices the seed puts into the home organization; `None` for a few hundred everywhere.
    pub invoices: Option<u32>,
    /// Requests per minute that an organization may send, where its tenant has no limit of its own.
    pub rate_limit: Option<u32>,
    /// The namespace of claims, scopes and headers.
    pub names: Names,
}

impl Config {
    /// A local environment on free ports of this machine.
    #[must_use]
    pub fn local(database: impl Into<String>) -> Self {
        let free = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 0);
        Self {
            database: database.into(),
            identity: free,
            gateway: free,
            public_identity: None,
            public_gateway: None,
            tls: None,
            metrics: None,
            proxies: Vec::new(),
            kind: Kind::Local,
            seed: None,
            invoices: None,
            rate_limit: None,
            names: Names::default(),
        }
    }
}

/// What an environment is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Kind {
    /// On the machine of the person who uses it, with demo accounts shown at sign-in.
    Local,
    /// For trying things out together.
    Staging,
    /// The real one: no demo data.
    Production,
}

impl Kind {
    /// The name on the command line and in redirect URIs.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Local => "local",
            Self::Staging => "staging",
            Self::Production => "production",
        }
    }

    /// The kind with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        [Self::Local, Self::Staging, Self::Production]
            .into_iter()
            .find(|kind| kind.name() == name)
    }

    /// The project-audience id: it differs per environment (contract, part 1), so that a token or a setting of one is
    /// refused by another.
    #[must_use]
    pub const fn audience_id(self) -> &'static str {
        match self {
            Self::Local => "318930470000000001",
            Self::Staging => "318930470000000002",
            Self::Production => "318930470000000003",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

/// Data to begin with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Seed {
    /// Five organizations, two users and invoices over two years.
    Demo,
}
