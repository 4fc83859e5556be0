//! Tests of the process: listeners, TLS, metrics, command line, several processes on one database.

mod connections;
mod listener;
mod metrics;
mod process;
mod replicas;
mod tls;
