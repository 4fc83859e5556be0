//! The service: an OpenID Provider, an API gateway and what they keep, as a library that any program can embed.
//!
//! Nothing here is global to the process: the log goes where the program's `tracing` subscriber sends it, and only the
//! program decides when to end.

pub mod access;
pub mod administration;
pub mod config;
pub mod documents;
mod gateway;
pub mod http;
pub mod identity;
mod metrics;
mod running;
mod seed;
pub mod start_error;
pub mod storage;
pub mod world;

pub use config::{Config, Kind, Seed, TlsError, TlsFiles};
pub use running::{Running, serve};
pub use start_error::StartError;
pub use world::World;
