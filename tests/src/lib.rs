//! The harness of the end-to-end tests.

pub mod browser;
pub mod driver;
pub mod service;
pub mod window;
pub mod wire;
pub mod words;
mod xpath;
