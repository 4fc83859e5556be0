//! The options of `serve`, and the configuration that they make.

use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

use http::HeaderValue;
use invoicing_contract::{AudienceId, Names};
use invoicing_http::server::ConnectionLimits;
use invoicing_identity::RequestLimitSettings;
use ipnet::IpNet;
use url::Url;

use super::DatabaseArguments;
use crate::config::{AUDIT_RETENTION_DAYS, parse_cors_origin};
use crate::{Config, Drain, EnvironmentKind, Seed, TlsFiles};

/// The options of `serve`.
// What is written at the fields is the help of the program, and no Markdown.
#[doc(hidden)]
#[derive(clap::Args)]
pub struct ServeArguments {
    #[command(flatten)]
    database: DatabaseArguments,
    /// Address of the identity provider; port 0 picks a free one
    #[arg(
        long,
        env = "INVOICING_IDENTITY",
        value_name = "ADDR",
        default_value = "127.0.0.1:8460"
    )]
    identity: SocketAddr,
    /// Address of the gateway; port 0 picks a free one
    #[arg(
        long,
        env = "INVOICING_GATEWAY",
        value_name = "ADDR",
        default_value = "127.0.0.1:8461"
    )]
    gateway: SocketAddr,
    /// What callers reach the identity provider by, when a proxy with TLS stands in front of it
    #[arg(long, env = "INVOICING_PUBLIC_IDENTITY", value_name = "URL")]
    public_identity: Option<Url>,
    /// What callers reach the gateway by, when a proxy with TLS stands in front of it
    #[arg(long, env = "INVOICING_PUBLIC_GATEWAY", value_name = "URL")]
    public_gateway: Option<Url>,
    /// Certificate chain (PEM) for TLS on both addresses; renewed files are taken up without a restart
    #[arg(
        long,
        env = "INVOICING_TLS_CERT",
        value_name = "FILE",
        requires = "tls_key"
    )]
    tls_cert: Option<PathBuf>,
    /// The certificate's private key (PEM)
    #[arg(
        long,
        env = "INVOICING_TLS_KEY",
        value_name = "FILE",
        requires = "tls_cert"
    )]
    tls_key: Option<PathBuf>,
    /// Address of /healthz, /readyz and /metrics (Prometheus); for operators, not for callers
    #[arg(long, env = "INVOICING_METRICS", value_name = "ADDR")]
    metrics: Option<SocketAddr>,
    /// Allows an address for metrics that other machines reach, without TLS
    #[arg(long, env = "INVOICING_METRICS_IN_CLEAR", requires = "metrics")]
    metrics_in_clear: bool,
    /// Connections at once for each of identity provider and gateway, as far as the limit of open files allows
    #[arg(long, env = "INVOICING_MAX_CONNECTIONS", value_name = "N", value_parser = connection_count)]
    max_connections: Option<usize>,
    /// Of these, from one IPv4 address or one /64 network of IPv6; loopback addresses and proxies have no such limit
    #[arg(long, env = "INVOICING_MAX_CONNECTIONS_PER_ADDRESS", value_name = "N", value_parser = connection_count)]
    max_connections_per_address: Option<usize>,
    /// Seconds between the signal to stop and the end of accepting connections, in which /readyz answers 503 and proxies notice;
    /// by default 0 for the kind local, else 5
    #[arg(long, env = "INVOICING_DRAIN_DELAY", value_name = "SECONDS")]
    drain_delay: Option<u32>,
    /// Seconds that requests in flight may take after that; by default 10
    #[arg(long, env = "INVOICING_DRAIN_TIMEOUT", value_name = "SECONDS")]
    drain_timeout: Option<u32>,
    /// Address, or network as 10.1.0.0/16, of proxies whose X-Forwarded-For is believed (several: separated by commas)
    #[arg(
        long,
        env = "INVOICING_PROXY",
        value_name = "ADDR",
        value_delimiter = ',',
        value_parser = proxy_network
    )]
    proxy: Vec<IpNet>,
    /// What the environment is for; a database keeps the kind it was made for
    #[arg(long, env = "INVOICING_KIND", value_enum, default_value = "local")]
    kind: EnvironmentKind,
    /// The project-audience id of the environment, which no other environment has; only the kind local has a built-in one
    #[arg(long, env = "INVOICING_AUDIENCE_ID", value_name = "ID", value_parser = audience_id)]
    audience_id: Option<AudienceId>,
    /// Data to begin with
    #[arg(long, env = "INVOICING_SEED", value_enum)]
    seed: Option<Seed>,
    /// How many invoices the seed puts into the first organization
    #[arg(long, env = "INVOICING_INVOICES", value_name = "N", requires = "seed")]
    invoices: Option<u32>,
    /// Requests per minute at the gateway of an organization that has no limit of its own, by default 6000
    #[arg(long, env = "INVOICING_RATE_LIMIT", value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    rate_limit: Option<u32>,
    /// Origins whose pages may call the gateway, as https://app.example (several: separated by commas)
    #[arg(
        long,
        env = "INVOICING_CORS_ORIGIN",
        value_name = "ORIGIN",
        value_delimiter = ',',
        value_parser = parse_cors_origin
    )]
    cors_origin: Vec<HeaderValue>,
    /// Collector that gets a span of each request over OTLP (gRPC), as http://127.0.0.1:4317, or with TLS
    /// https://collector.example:4317
    #[arg(long, env = "INVOICING_OTLP_ENDPOINT", value_name = "URL")]
    otlp_endpoint: Option<Url>,
    /// Requests per minute at the identity provider from an address without a proven application; 0 for no limit. An IPv6 /64
    /// counts as one address, a /56 may send 4 times and a /48 16 times as many. An invalid access token at
    /// the gateway counts as ten, by itself
    #[arg(
        long,
        env = "INVOICING_ADDRESS_LIMIT",
        value_name = "N",
        default_value_t = RequestLimitSettings::default().address_per_minute
    )]
    address_limit: u32,
    /// Requests per minute at the identity provider of an application with a secret; 0 for no limit
    #[arg(
        long,
        env = "INVOICING_APPLICATION_LIMIT",
        value_name = "N",
        default_value_t = RequestLimitSettings::default().application_per_minute
    )]
    application_limit: u32,
    /// Folder of the files with audit events that have left the database; by default PATH-audit beside sqlite:PATH. Without one,
    /// the events stay in the database
    #[arg(long, env = "INVOICING_AUDIT_ARCHIVE", value_name = "FOLDER")]
    audit_archive: Option<PathBuf>,
    /// Days that audit events stay in the database before they are archived; 0 to keep them for ever
    #[arg(
        long,
        env = "INVOICING_AUDIT_RETENTION",
        value_name = "DAYS",
        default_value_t = AUDIT_RETENTION_DAYS
    )]
    audit_retention: u32,
    /// A network, beside public addresses, in which tax authorities may be; a local environment allows this computer
    #[arg(
        long,
        env = "INVOICING_AUTHORITY_NETWORK",
        value_name = "ADDR",
        value_delimiter = ',',
        value_parser = proxy_network
    )]
    authority_network: Vec<IpNet>,
    /// The file with the keys that credentials of tax authorities are encrypted with: 32 bytes in Base64, the newest in the first
    /// line. A local environment on a file makes its own
    #[arg(long, env = "INVOICING_ENCRYPTION_KEY_FILE", value_name = "FILE")]
    encryption_key_file: Option<PathBuf>,
    /// The word in the names of claims, scopes and headers, as in urn:idp:iam:…
    #[arg(long, env = "INVOICING_NAMESPACE", value_name = "WORD", default_value = "idp", value_parser = parse_namespace)]
    namespace: Names,
    /// Written when both addresses answer: JSON with all that a client needs to begin. One of a process before is removed at the start
    #[arg(long, env = "INVOICING_READY_FILE", value_name = "FILE")]
    ready_file: Option<PathBuf>,
}

impl ServeArguments {
    /// The configuration, and the ready file.
    #[must_use]
    pub fn into_config(self) -> (Config, Option<PathBuf>) {
        let Self {
            database,
            identity,
            gateway,
            public_identity,
            public_gateway,
            tls_cert,
            tls_key,
            metrics,
            metrics_in_clear,
            max_connections,
            max_connections_per_address,
            drain_delay,
            drain_timeout,
            proxy,
            kind,
            audience_id,
            seed,
            invoices,
            rate_limit,
            cors_origin,
            otlp_endpoint,
            address_limit,
            application_limit,
            audit_archive,
            audit_retention,
            authority_network,
            encryption_key_file,
            namespace,
            ready_file,
        } = self;
        let defaults = ConnectionLimits::default();
        let connections = ConnectionLimits {
            total: max_connections.unwrap_or(defaults.total),
            per_address: max_connections_per_address.unwrap_or(defaults.per_address),
            ..defaults
        };
        let seconds = |seconds: u32| Duration::from_secs(u64::from(seconds));
        let drain = Drain::of(kind);
        let drain = Drain {
            delay: drain_delay.map_or(drain.delay, seconds),
            timeout: drain_timeout.map_or(drain.timeout, seconds),
        };
        let config = Config {
            database: database.options(),
            identity,
            gateway,
            public_identity,
            public_gateway,
            tls: tls_cert
                .zip(tls_key)
                .map(|(certificate, key)| TlsFiles { certificate, key }),
            metrics,
            metrics_in_clear,
            connections,
            drain,
            proxies: proxy,
            kind,
            audience_id,
            seed,
            invoices,
            rate_limit,
            cors_origins: cors_origin,
            otlp_endpoint,
            request_limits: RequestLimitSettings {
                address_per_minute: address_limit,
                application_per_minute: application_limit,
            },
            audit_archive,
            audit_retention_days: audit_retention,
            authority_networks: authority_network,
            authority_timeout: None,
            encryption_key_file,
            names: namespace,
            domain_verifier: None,
        };
        (config, ready_file)
    }
}

fn connection_count(count: &str) -> Result<usize, String> {
    match count.parse() {
        Ok(0) | Err(_) => Err("a number above 0".to_owned()),
        Ok(count) => Ok(count),
    }
}

fn proxy_network(network: &str) -> Result<IpNet, String> {
    // An IPv4 address that is written as IPv6 is compared with IPv4 addresses.
    let address = network.parse::<IpAddr>();
    let address = address.map(|address| IpNet::from(address.to_canonical()));
    address
        .or_else(|_no_address| network.parse())
        .map_err(|error| format!("an address, or a network as 10.1.0.0/16: {error}"))
}

fn audience_id(id: &str) -> Result<AudienceId, String> {
    AudienceId::parse(id)
        .ok_or_else(|| "1 to 64 letters, digits, points, hyphens or underscores".to_owned())
}

fn parse_namespace(namespace: &str) -> Result<Names, String> {
    Names::new(namespace)
        .ok_or_else(|| "1 to 32 lower-case letters or digits, a letter first".to_owned())
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::*;

    #[derive(clap::Parser)]
    struct Program {
        #[command(flatten)]
        arguments: ServeArguments,
    }

    #[test]
    fn address_of_a_proxy_that_is_written_as_ipv6_is_its_ipv4_address() {
        let network = |text: &str| text.parse::<IpNet>().expect("a network");
        for (written, read) in [
            ("::ffff:10.0.0.1", "10.0.0.1/32"),
            ("10.0.0.1", "10.0.0.1/32"),
            ("10.1.0.0/16", "10.1.0.0/16"),
            ("2001:db8::1", "2001:db8::1/128"),
        ] {
            assert_eq!(proxy_network(written), Ok(network(read)), "{written}");
        }
    }

    /// Beside options for which 0 is no limit, nobody means that every request is refused.
    #[test]
    fn rate_limit_of_nothing_is_refused() {
        let parsed = |limit| Program::try_parse_from(["serve", "--rate-limit", limit]);
        assert!(parsed("0").is_err());
        let accepted = parsed("1").unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(accepted.arguments.rate_limit, Some(1));
    }
}
