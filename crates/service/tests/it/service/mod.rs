//! Tests of the process: listeners, TLS, metrics, command line, several processes on one database.

mod audit_archive;
mod certificates;
mod connections;
#[cfg(target_os = "linux")]
mod container;
mod encryption_at_rest;
mod listener;
mod load;
mod metrics;
mod operator_documents;
#[cfg(target_os = "linux")]
mod postgres;
mod process;
mod replicas;
mod shutdown;
mod telemetry;
pub(crate) mod tls;
#[cfg(target_os = "linux")]
mod transfer;
