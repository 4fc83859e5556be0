//! The integration tests of the crate, in one binary.

mod architecture;
mod citations;
mod documents;
mod repository;
#[cfg(target_os = "linux")]
mod session;
mod source_files;
