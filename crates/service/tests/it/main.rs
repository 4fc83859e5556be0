//! Integration tests of the service: each test starts a service with a database and calls it over HTTP or gRPC.
//! They are one binary, so that it is linked once.

mod administration;
mod crash;
mod engines;
#[cfg(target_os = "linux")]
mod failover;
mod fixtures;
mod fuzz_corpus;
mod gateway;
mod identity;
mod security;
mod service;
