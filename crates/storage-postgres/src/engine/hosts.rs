//! Connecting to the first of several hosts that accepts writes.

use std::time::Duration;

use tokio::time::timeout;
use tokio_postgres::config::Host;
use tokio_postgres::tls::MakeTlsConnect;
use tokio_postgres::{Client, Config, Connection, Error, Socket};
use tokio_postgres_rustls::MakeRustlsConnect;

/// How long a host may take before the next one is tried: socket, TLS, authentication, and the question whether it accepts writes.
/// The driver limits only the socket, which a host that is frozen accepts.
const HOST_TIMEOUT: Duration = Duration::from_secs(3);

/// The settings of a connection to each host of a database, in the order of its URL.
pub(super) struct Hosts {
    /// Those after which there is another one.
    before_last: Vec<Config>,
    last: Config,
}

/// The driver's side of a connection.
pub(super) type DrivenConnection =
    Connection<Socket, <MakeRustlsConnect as MakeTlsConnect<Socket>>::Stream>;

impl Hosts {
    /// Those of `config`.
    pub(super) fn new(config: &Config) -> Self {
        let count = config.get_hosts().len().max(config.get_hostaddrs().len());
        let mut hosts: Vec<_> = (0..count).map(|at| of_host(config, at)).collect();
        match hosts.pop() {
            Some(last) => Self {
                before_last: hosts,
                last,
            },
            // The driver's error says that the host is missing.
            None => Self {
                before_last: Vec::new(),
                last: config.clone(),
            },
        }
    }

    /// A connection to the first host that accepts writes. The last one has no limit here: its caller has one for all.
    ///
    /// # Errors
    /// That of the last host.
    pub(super) async fn connect(
        &self,
        tls: &MakeRustlsConnect,
    ) -> Result<(Client, DrivenConnection), Error> {
        for host in &self.before_last {
            match timeout(HOST_TIMEOUT, host.connect(tls.clone())).await {
                Ok(Ok(connected)) => return Ok(connected),
                Ok(Err(error)) => tracing::debug!(%error, "a host of the database is skipped"),
                Err(error) => tracing::warn!(%error, "a host of the database does not answer"),
            }
        }
        self.last.connect(tls.clone()).await
    }
}

/// `config` with only the host at this position.
fn of_host(config: &Config, at: usize) -> Config {
    let mut one = Config::new();
    match config.get_hosts().get(at) {
        Some(Host::Tcp(name)) => one.host(name),
        #[cfg(unix)]
        Some(Host::Unix(folder)) => one.host_path(folder),
        None => &mut one,
    };
    if let Some(address) = config.get_hostaddrs().get(at) {
        one.hostaddr(*address);
    }
    // One port is the port of all hosts.
    let ports = config.get_ports();
    if let Some(port) = ports.get(at).or_else(|| ports.first()) {
        one.port(*port);
    }
    if let Some(user) = config.get_user() {
        one.user(user);
    }
    if let Some(password) = config.get_password() {
        one.password(password);
    }
    if let Some(name) = config.get_dbname() {
        one.dbname(name);
    }
    if let Some(options) = config.get_options() {
        one.options(options);
    }
    if let Some(name) = config.get_application_name() {
        one.application_name(name);
    }
    if let Some(timeout) = config.get_connect_timeout() {
        one.connect_timeout(*timeout);
    }
    if let Some(timeout) = config.get_tcp_user_timeout() {
        one.tcp_user_timeout(*timeout);
    }
    if let Some(interval) = config.get_keepalives_interval() {
        one.keepalives_interval(interval);
    }
    if let Some(retries) = config.get_keepalives_retries() {
        one.keepalives_retries(retries);
    }
    one.keepalives(config.get_keepalives())
        .keepalives_idle(config.get_keepalives_idle())
        .ssl_mode(config.get_ssl_mode())
        .ssl_negotiation(config.get_ssl_negotiation())
        .target_session_attrs(config.get_target_session_attrs())
        .channel_binding(config.get_channel_binding())
        .load_balance_hosts(config.get_load_balance_hosts());
    one
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every setting that a URL can have, with another value than the default.
    const SETTINGS: &str = "options=-c%20jit%3Doff&application_name=name&sslmode=require&sslnegotiation=direct&connect_timeout=7\
        &tcp_user_timeout=8&keepalives=0&keepalives_idle=9&keepalives_interval=10&keepalives_retries=11\
        &target_session_attrs=read-write&channel_binding=require&load_balance_hosts=random";

    #[test]
    fn each_host_has_all_settings_of_the_database() {
        let config = |hosts: &str| -> Config {
            let url = format!("postgres://user:password@{hosts}/name?{SETTINGS}");
            url.parse().unwrap()
        };
        let hosts = Hosts::new(&config("a.example:5433,b.example:5434"));
        assert_eq!(hosts.before_last, [config("a.example:5433")]);
        assert_eq!(hosts.last, config("b.example:5434"));
        let hosts = Hosts::new(&config("a.example"));
        assert_eq!(
            (hosts.before_last.len(), hosts.last),
            (0, config("a.example"))
        );
    }
}
