//! The harness of the end-to-end tests.

pub mod browser;
pub mod driver;
pub mod fault_proxy;
pub mod http_client;
pub mod screen;
pub mod service;
pub mod ui_messages;
pub mod window;
mod xpath;
