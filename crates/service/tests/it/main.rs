//! The service over the wire: every test starts a real service with a real database. One binary, so that it links once.

mod administration;
mod crash;
mod fixtures;
mod fuzz_corpus;
mod gateway;
mod identity;
mod security;
mod service;
