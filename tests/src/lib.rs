//! The harness of the end-to-end tests.

pub mod browser;
pub mod driver;
pub mod window;
pub mod words;
mod xpath;
