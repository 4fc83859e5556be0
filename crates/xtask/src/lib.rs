//! What the end-to-end tests share with `cargo xtask`: a private desktop session.

#[cfg(target_os = "linux")]
pub mod session;
