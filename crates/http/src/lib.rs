//! What the HTTP servers of identity and gateway share: listener and limits, TLS, body reading, correlation ids, the
//! request log, metrics, and the context of an authenticated request.

mod body;
mod caller;
mod correlation;
pub mod metrics;
mod observed;
mod panic;
mod request_context;
mod request_log;
pub mod server;
pub mod tls;

pub use body::{Unread, whole};
pub use caller::Peer;
pub use correlation::CorrelationId;
pub use metrics::Metrics;
pub use observed::observed;
pub use request_context::RequestContext;
pub use server::BindError;
pub use tls::{TlsError, TlsFiles};
