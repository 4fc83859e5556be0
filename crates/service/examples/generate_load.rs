//! Fills a database with many organizations, their invoices, users and tokens.
//!
//! ```text
//! cargo run --release --package invoicing-service --example generate_load -- \
//!     --database postgres://app:secret@localhost/invoicing --organizations 10000 --invoices 1000000 \
//!     --users 50000 --sessions 1000000
//! ```

use std::sync::Arc;

use clap::Parser;
use invoicing_service::{
    DatabaseOptions, LoadSize, OpenDatabase, SystemClock, SystemRng, generate_load,
};

/// Fills a local environment with organizations of very different sizes.
#[derive(Parser)]
struct Arguments {
    /// Where the load goes: sqlite:PATH or postgres://…, which `invoicing-service migrate` has prepared
    #[arg(
        long,
        env = "INVOICING_DATABASE",
        value_name = "URL",
        hide_env_values = true
    )]
    database: String,
    /// Number of organizations
    #[arg(long, default_value_t = 1_000)]
    organizations: u32,
    /// Number of invoices of all organizations together
    #[arg(long, default_value_t = 1_000_000)]
    invoices: u64,
    /// Number of users of all organizations together
    #[arg(long, default_value_t = 10_000)]
    users: u64,
    /// Number of sign-ins, each with a live access token and a refresh token
    #[arg(long, default_value_t = 100_000)]
    sessions: u64,
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    tracing_subscriber::fmt()
        .with_writer(std::io::stderr)
        .init();
    let Arguments {
        database,
        organizations,
        invoices,
        users,
        sessions,
    } = Arguments::parse();
    let options = DatabaseOptions::from(database);
    let database = OpenDatabase::open(&options, Arc::new(SystemRng)).await?;
    let store = database.store();
    let size = LoadSize {
        organizations,
        invoices,
        users,
        sessions,
    };
    generate_load(&*store, &SystemClock, &SystemRng, size).await?;
    database.close().await;
    Ok(())
}
