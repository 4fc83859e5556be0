//! The integration tests of the crate, in one binary.

mod architecture;
mod citations;
mod documents;
mod module_list;
mod repository;
#[cfg(target_os = "linux")]
mod session;
mod source_files;
