//! What tests share with `cargo xtask`: a private desktop session, and the commands of documents that run tests.

#[cfg(target_os = "linux")]
pub mod session;
pub mod test_command;
