//! PostgreSQL servers and databases for tests and benchmarks.
//!
//! [`Server::shared`] is one server for all tests of this machine, started by the first that needs it and left running, without
//! durability; [`Database`] is a database of its own for one test. [`Server::start`] is a server of its own, for tests that
//! kill it; [`Deployment`] are the servers that the files of deploy/ set up.

#![allow(
    clippy::missing_panics_doc,
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "for tests: a panic is a failure, and its message says what is missing"
)]

mod compose;
mod database;
mod deployment;
mod frozen;
mod programs;
mod script;
mod server;

pub use database::Database;
pub use deployment::Deployment;
pub use frozen::Frozen;
pub use server::Server;
