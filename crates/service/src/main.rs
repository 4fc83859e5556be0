//! The command line of the service.

mod command_line;

use std::io::{IsTerminal as _, Write as _};
use std::net::{IpAddr, SocketAddr};
use std::path::{Path, PathBuf};
use std::pin::pin;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use clap::{Parser, Subcommand};
use http::HeaderValue;
use invoicing_contract::ready::Ready;
use invoicing_contract::{AudienceId, Names};
use invoicing_http::BindError;
use invoicing_http::server::{ConnectionLimits, raise_descriptor_limit};
use invoicing_identity::RequestLimitSettings;
use invoicing_service::config::{AUDIT_RETENTION_DAYS, parse_cors_origin};
use invoicing_service::{
    Config, Drain, EnvironmentKind, Seed, StartError, SystemClock, SystemRng, TlsFiles,
};
use ipnet::IpNet;
use tracing_subscriber::EnvFilter;
use url::Url;

/// The system allocator takes its slow path for blocks above one kilobyte, and each response needs several.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Identity provider, API gateway and invoicing back end in one program.
#[derive(Parser)]
#[command(name = "invoicing-service", version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Serves until it is told to stop (SIGTERM or Ctrl-C).
    Serve(Box<Serve>),
    /// Brings the schema of a database up to date, as the role that owns its tables
    Migrate(command_line::Migrate),
    /// Moves all data to another, empty database: from SQLite to PostgreSQL or back. Run again, it continues
    MigrateData(command_line::MigrateData),
    /// Writes a database on SQLite into a file, while it is served or not
    Backup(command_line::Backup),
    /// Makes a database on SQLite from a backup
    Restore(command_line::Restore),
    /// Administers tenants, users, grants, applications, keys and the audit
    Admin(Box<command_line::Admin>),
    /// Shows and rotates the keys that sign id_tokens
    Keys(command_line::KeysCommand),
}

#[derive(clap::Args)]
struct Serve {
    #[command(flatten)]
    database: command_line::DatabaseArguments,
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
    /// Requests per minute of an organization that has no limit of its own
    #[arg(long, env = "INVOICING_RATE_LIMIT", value_name = "N")]
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
    /// Collector that gets a span of each request over OTLP (gRPC), as http://127.0.0.1:4317
    #[arg(long, env = "INVOICING_OTLP_ENDPOINT", value_name = "URL")]
    otlp_endpoint: Option<Url>,
    /// Requests per minute at the identity provider from an address without a proven application; 0 for no limit. An IPv6 /64
    /// counts as one address, a /56 may send 4 times and a /48 16 times as many
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
    /// The word in the names of claims, scopes and headers, as in urn:idp:iam:…
    #[arg(long, env = "INVOICING_NAMESPACE", value_name = "WORD", default_value = "idp", value_parser = parse_namespace)]
    namespace: Names,
    /// Written when both addresses answer: JSON with all that a client needs to begin
    #[arg(long, env = "INVOICING_READY_FILE", value_name = "FILE")]
    ready_file: Option<PathBuf>,
}

fn main() -> ExitCode {
    // First, because rustls panics when it has to choose between several providers.
    if rustls::crypto::aws_lc_rs::default_provider()
        .install_default()
        .is_err()
    {
        return fail("the cryptography provider was installed twice", 70);
    }
    let Arguments { command } = Arguments::parse();
    // Administration prints its answer; only warnings are logged.
    let level = match &command {
        Command::Serve(_) => "info",
        Command::Migrate(_)
        | Command::MigrateData(_)
        | Command::Backup(_)
        | Command::Restore(_)
        | Command::Admin(_)
        | Command::Keys(_) => "warn",
    };
    tracing_subscriber::fmt()
        .with_writer(std::io::stderr)
        .with_ansi(std::io::stderr().is_terminal())
        .with_env_filter(
            EnvFilter::try_from_env("INVOICING_LOG").unwrap_or_else(|_| EnvFilter::new(level)),
        )
        .init();
    match tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
    {
        Ok(runtime) => {
            let code = runtime.block_on(async {
                match command {
                    Command::Serve(arguments) => serve(*arguments).await,
                    Command::Migrate(migrate) => command_line::migrate(migrate).await,
                    Command::MigrateData(arguments) => command_line::migrate_data(arguments).await,
                    Command::Backup(arguments) => command_line::backup(&arguments),
                    Command::Restore(arguments) => command_line::restore(&arguments),
                    Command::Admin(admin) => command_line::admin(*admin).await,
                    Command::Keys(keys) => command_line::keys(keys).await,
                }
            });
            // Dropping the runtime would wait for a thread that hangs in a call to the disk.
            runtime.shutdown_background();
            code
        }
        Err(error) => fail(&format!("the system gives no threads: {error}"), 71),
    }
}

async fn serve(arguments: Serve) -> ExitCode {
    let descriptors = raise_descriptor_limit();
    tracing::debug!(descriptors, "open files");
    let (config, ready_file) = into_config(arguments);
    let mut stop = pin!(stop_signal());
    let running = tokio::select! {
        running = invoicing_service::serve(config, Arc::new(SystemClock), Arc::new(SystemRng)) => running,
        // It may be waiting for its database.
        () = &mut stop => return ExitCode::SUCCESS,
    };
    let running = match running {
        Ok(running) => running,
        Err(error) => return fail(&format!("{error}{}", remedy(&error)), error.exit_code()),
    };
    if let Some(file) = &ready_file
        && let Err(error) = write_ready(file, &running.ready)
    {
        let message = format!(
            "the ready file {} cannot be written: {error}",
            file.display()
        );
        running.shutdown().await;
        return fail(&message, 73);
    }
    stop.await;
    tracing::info!("stopping");
    running.shutdown().await;
    ExitCode::SUCCESS
}

fn into_config(arguments: Serve) -> (Config, Option<PathBuf>) {
    let Serve {
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
        namespace,
        ready_file,
    } = arguments;
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
        names: namespace,
        domain_verifier: None,
    };
    (config, ready_file)
}

fn connection_count(count: &str) -> Result<usize, String> {
    match count.parse() {
        Ok(0) | Err(_) => Err("a number above 0".to_owned()),
        Ok(count) => Ok(count),
    }
}

fn proxy_network(network: &str) -> Result<IpNet, String> {
    let address = network.parse::<IpAddr>().map(IpNet::from);
    address
        .or_else(|_| network.parse())
        .map_err(|_| "an address, or a network as 10.1.0.0/16".to_owned())
}

fn audience_id(id: &str) -> Result<AudienceId, String> {
    AudienceId::parse(id)
        .ok_or_else(|| "1 to 64 letters, digits, points, hyphens or underscores".to_owned())
}

fn parse_namespace(namespace: &str) -> Result<Names, String> {
    Names::new(namespace)
        .ok_or_else(|| "1 to 32 lower-case letters or digits, a letter first".to_owned())
}

/// Writes the file atomically and readable by its owner only: with a demo seed it holds passwords.
fn write_ready(file: &Path, ready: &Ready) -> std::io::Result<()> {
    let folder = file
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty())
        .unwrap_or(Path::new("."));
    let beside = folder.join(format!(".{}.{}", std::process::id(), "ready"));
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let result = options.open(&beside).and_then(|mut open| {
        open.write_all(&serde_json::to_vec_pretty(ready)?)?;
        open.sync_all()?;
        std::fs::rename(&beside, file)
    });
    if result.is_err() {
        // The first error is reported; a temporary file may stay.
        let _ = std::fs::remove_file(&beside);
    }
    result
}

/// Resolves on SIGTERM or Ctrl-C.
fn stop_signal() -> impl Future<Output = ()> {
    #[cfg(unix)]
    let terminate = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate());
    async move {
        #[cfg(unix)]
        let terminated = async {
            match terminate {
                Ok(mut terminate) => {
                    terminate.recv().await;
                }
                Err(_) => std::future::pending().await,
            }
        };
        #[cfg(not(unix))]
        let terminated = std::future::pending::<()>();
        tokio::select! {
            _ = tokio::signal::ctrl_c() => {}
            () = terminated => {}
        }
    }
}

/// What to do about an error, where its message does not say it.
fn remedy(error: &StartError) -> String {
    let remedy = if let StartError::Bind(BindError::PortInUse { .. }) = error {
        "Stop that program, or choose another port (0 picks a free one)."
    } else if let StartError::DatabaseOfOtherKind { .. } = error {
        "Start it with that kind, or name another database."
    } else if let StartError::Database(error) = error {
        error.remedy()
    } else {
        ""
    };
    if remedy.is_empty() {
        String::new()
    } else {
        format!("\n{remedy}")
    }
}

#[expect(
    clippy::print_stderr,
    reason = "the one place where the program prints an error"
)]
fn fail(message: &str, code: u8) -> ExitCode {
    eprintln!("invoicing-service: {message}");
    ExitCode::from(code)
}
