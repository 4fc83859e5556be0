//! How a database on PostgreSQL is reached.

use std::borrow::Cow;
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr as _;
use std::time::Duration;

use tokio_postgres::Config;
use tokio_postgres::config::{Host, SslMode, TargetSessionAttrs};

/// Connections of a pool by default.
const CONNECTIONS: usize = 16;
/// How long the server works on a statement by default.
const STATEMENT_TIMEOUT: Duration = Duration::from_secs(15);
/// How long opening a socket to one host may take.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(3);
/// How long sent data may stay without acknowledgement before the connection counts as broken.
const TCP_USER_TIMEOUT: Duration = Duration::from_secs(10);
/// After how long without data the other side is asked whether it is there, how often then, and how many questions may stay without
/// answer. A connection that waits for an answer sends nothing, so that [`TCP_USER_TIMEOUT`] does not notice a lost host.
const KEEPALIVES_IDLE: Duration = Duration::from_secs(5);
const KEEPALIVES_INTERVAL: Duration = Duration::from_secs(2);
const KEEPALIVES_RETRIES: u32 = 3;
/// How much longer than the server works on a statement its answer may take.
const ANSWER_MARGIN: Duration = Duration::from_secs(5);

/// Where the database is, and limits of its connections.
#[derive(Clone)]
pub struct Options {
    config: Config,
    /// PEM file with further certificate authorities.
    pub ca_file: Option<PathBuf>,
    /// Most connections of this process.
    pub connections: usize,
    /// How long the server works on a statement before it gives up.
    pub statement_timeout: Duration,
}

/// `url` is no address of a database on PostgreSQL.
#[derive(Debug, thiserror::Error)]
#[error("this is no address of a database: write postgres://USER:PASSWORD@HOST:PORT/NAME: {0}")]
pub struct UnsupportedUrl(#[source] tokio_postgres::Error);

impl Options {
    /// The database at `url`: `postgres://USER:PASSWORD@HOST:PORT[,HOST:PORT…]/NAME`. Of several hosts the one that accepts
    /// writes is used. Beyond loopback addresses a connection is encrypted, unless the URL has `sslmode=disable`. One that is
    /// encrypted is verified, its host name too, whichever mode asks for that.
    ///
    /// # Errors
    /// When `url` cannot be read. The error does not contain it, since it holds a password.
    pub fn from_url(url: &str) -> Result<Self, UnsupportedUrl> {
        let mut config = Config::from_str(&with_known_mode(url)).map_err(UnsupportedUrl)?;
        config.application_name("invoicing-service");
        config.target_session_attrs(TargetSessionAttrs::ReadWrite);
        config.connect_timeout(CONNECT_TIMEOUT);
        config.tcp_user_timeout(TCP_USER_TIMEOUT);
        config.keepalives(true);
        config.keepalives_idle(KEEPALIVES_IDLE);
        config.keepalives_interval(KEEPALIVES_INTERVAL);
        config.keepalives_retries(KEEPALIVES_RETRIES);
        if config.get_ssl_mode() == SslMode::Prefer && !config.get_hosts().iter().all(is_local) {
            config.ssl_mode(SslMode::Require);
        }
        Ok(Self {
            config,
            ca_file: None,
            connections: CONNECTIONS,
            statement_timeout: STATEMENT_TIMEOUT,
        })
    }

    /// Hosts, ports and name of the database, without user and password.
    #[must_use]
    pub fn display_name(&self) -> String {
        let hosts = self.config.get_hosts().iter().enumerate();
        let hosts: Vec<_> = hosts.map(|(at, host)| self.host_name(at, host)).collect();
        let name = self.config.get_dbname().unwrap_or_default();
        format!("postgres://{}/{name}", hosts.join(","))
    }

    fn host_name(&self, at: usize, host: &Host) -> String {
        let ports = self.config.get_ports();
        // One port is the port of all hosts.
        let port = ports.get(at).or_else(|| ports.first());
        let port = port.map_or_else(String::new, |port| format!(":{port}"));
        match host {
            Host::Tcp(name) => format!("{name}{port}"),
            #[cfg(unix)]
            Host::Unix(folder) => folder.display().to_string(),
        }
    }

    /// How long an answer of the server may take. One that takes longer does not come: the server would have given up.
    pub(crate) fn answer_timeout(&self) -> Duration {
        self.statement_timeout + ANSWER_MARGIN
    }

    /// The settings of a connection.
    pub(crate) fn config(&self) -> Config {
        let mut config = self.config.clone();
        let timeout = self.statement_timeout.as_millis();
        // Compiling an expression takes longer than the longest of our statements, and planning a lookup by key longer than the
        // lookup: a prepared statement is planned once.
        let settings = format!(
            "-c statement_timeout={timeout} -c lock_timeout={timeout} -c idle_in_transaction_session_timeout={timeout} \
             -c timezone=UTC -c jit=off -c plan_cache_mode=force_generic_plan"
        );
        config.options(settings);
        config
    }
}

/// `url` with `sslmode=require` where it has a mode that says how much is verified. The driver knows none of these, and a connection
/// with TLS is always verified whole here.
fn with_known_mode(url: &str) -> Cow<'_, str> {
    let Some((address, parameters)) = url.rsplit_once('?') else {
        return Cow::Borrowed(url);
    };
    let parameters = parameters.split('&').map(|parameter| match parameter {
        "sslmode=verify-full" | "sslmode=verify-ca" => "sslmode=require",
        other => other,
    });
    let parameters: Vec<_> = parameters.collect();
    Cow::Owned(format!("{address}?{}", parameters.join("&")))
}

/// Whether packets to this host leave no machine.
fn is_local(host: &Host) -> bool {
    match host {
        Host::Tcp(name) => matches!(&**name, "127.0.0.1" | "::1" | "localhost"),
        #[cfg(unix)]
        Host::Unix(_) => true,
    }
}

impl fmt::Debug for Options {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Options")
            .field("database", &self.display_name())
            .field("ca_file", &self.ca_file)
            .field("connections", &self.connections)
            .field("statement_timeout", &self.statement_timeout)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn display_name_has_no_password() {
        let options =
            Options::from_url("postgres://app:geheim@a.example:5432,b.example:5433/invoicing")
                .unwrap();
        assert_eq!(
            options.display_name(),
            "postgres://a.example:5432,b.example:5433/invoicing"
        );
        assert!(!format!("{options:?}").contains("geheim"));
    }

    #[test]
    fn lost_host_is_noticed_within_eleven_seconds() {
        // Also when the URL says otherwise.
        let url = "postgres://app@a.example/invoicing?keepalives=0&keepalives_idle=7200";
        let config = Options::from_url(url).unwrap().config();
        let interval = config.get_keepalives_interval().unwrap();
        let retries = config.get_keepalives_retries().unwrap();
        let noticed = config.get_keepalives_idle() + interval * retries;
        assert!(config.get_keepalives());
        assert_eq!(noticed, Duration::from_secs(11));
    }

    #[test]
    fn connection_beyond_loopback_is_encrypted() {
        for (url, mode) in [
            ("postgres://app@a.example/invoicing", SslMode::Require),
            ("postgres://app@127.0.0.1/invoicing", SslMode::Prefer),
            (
                "postgres://app@a.example/invoicing?sslmode=disable",
                SslMode::Disable,
            ),
            (
                "postgres://app@a.example/invoicing?sslmode=require",
                SslMode::Require,
            ),
            // Managed databases give addresses with these.
            (
                "postgres://app@a.example/invoicing?sslmode=verify-full",
                SslMode::Require,
            ),
            (
                "postgres://app@a.example/invoicing?channel_binding=require&sslmode=verify-ca",
                SslMode::Require,
            ),
            (
                "postgres://app@127.0.0.1/invoicing?sslmode=verify-full&keepalives=1",
                SslMode::Require,
            ),
        ] {
            let options = Options::from_url(url).unwrap();
            assert_eq!(options.config.get_ssl_mode(), mode, "{url}");
        }
    }

    #[test]
    fn password_that_looks_like_a_mode_is_not_changed() {
        let url = "postgres://app:a?sslmode=verify-full@a.example/invoicing";
        let options = Options::from_url(url).unwrap();
        let password = options.config.get_password().unwrap();
        assert_eq!(password, b"a?sslmode=verify-full");
    }

    #[test]
    fn error_about_a_url_does_not_contain_it() {
        let error =
            Options::from_url("postgres://app:geheim@a.example:port/invoicing").unwrap_err();
        assert!(!error.to_string().contains("geheim"), "{error}");
    }
}
