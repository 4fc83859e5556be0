//! The server that the tests of this user share, for programs that are not written in Rust.
//!
//! `test-postgres create-database` prints the addresses of a new empty database, a line each: as the role that owns it, and as
//! that of the application. `test-postgres stop` stops the server, unless another program is connected to it.

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "the addresses go to stdout, and the usage to stderr"
)]

use std::process::ExitCode;

use invoicing_test_postgres::Server;

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    match std::env::args().nth(1).as_deref() {
        Some("create-database") => create_database().await,
        Some("stop") => Server::stop_shared_unless_used().await,
        _ => {
            eprintln!("usage: test-postgres create-database | stop");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

/// The database lives as long as the server.
async fn create_database() {
    let server = Server::shared();
    let name = server.database("empty", async |_| {}).await.leak();
    println!("{}", server.owner_url(&name));
    println!("{}", server.application_url(&name));
}
