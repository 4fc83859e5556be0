//! Generates, for each service, a function that makes the handlers of its operations.

use std::error::Error;
use std::fmt::Write as _;

use prost_reflect::DescriptorPool;

use crate::names::{module, screaming_snake_case, snake_case};

/// `pub fn documents<…>(service: Arc<…>) -> Handlers` for every service.
///
/// # Errors
/// A method takes a stream.
pub(crate) fn generate(pool: &DescriptorPool) -> Result<String, Box<dyn Error>> {
    let mut source = String::new();
    for service in pool.services() {
        let function = snake_case(service.name());
        writeln!(
            source,
            "/// The handlers of `{}`.\n#[must_use]\npub fn {function}<Service: {}::{function}_server::{}>(service: std::sync::Arc<Service>) -> Handlers {{\n    let mut handlers = Handlers::default();",
            service.full_name(),
            module(service.package_name()),
            service.name(),
        )?;
        for method in service.methods() {
            if method.is_client_streaming() {
                return Err(format!("{} takes a stream", method.full_name()).into());
            }
            let adapter = if method.is_server_streaming() {
                "stream"
            } else {
                "unary"
            };
            writeln!(
                source,
                "    handlers.add(&operation::{}, {adapter}(&service, |service, request| async move {{ service.{}(request).await }}));",
                screaming_snake_case(method.name()),
                snake_case(method.name()),
            )?;
        }
        writeln!(source, "    handlers\n}}")?;
    }
    Ok(source)
}
