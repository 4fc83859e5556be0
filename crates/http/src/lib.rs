//! What the servers share: connections and their limits, TLS, correlation ids, the log of requests.

mod body;
mod caller;
mod correlation;
mod observed;
mod panic;
mod request_log;
pub mod server;
pub(crate) mod tls;

pub(crate) use body::{Unread, whole};
pub(crate) use caller::Peer;
pub(crate) use correlation::CorrelationId;
pub(crate) use observed::observed;
