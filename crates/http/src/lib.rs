//! What the HTTP servers of identity and gateway share: listener and limits, TLS, body reading, correlation ids, the
//! request log, metrics, page tokens, stamps of changes, and the context of an authenticated request.

mod bearer;
mod body;
mod certificate_expiry;
mod client_address;
mod compression;
mod concurrency_stamp;
mod contract_status;
mod correlation_id;
pub mod cors;
mod error_response;
pub mod health;
mod host_policy;
pub mod metrics;
mod page_token;
mod panic;
mod public_address;
mod request_context;
mod request_layer;
mod request_log;
pub mod server;
pub mod tls;
pub mod trace_context;

pub use bearer::{BearerError, BearerPolicy, bearer_token};
pub use body::{BodyError, limit_size, read_limited, read_reserving};
pub use certificate_expiry::{ExpiryWatch, WatchedCertificates};
pub use client_address::Peer;
pub use compression::{accepts_gzip, gzip};
pub use concurrency_stamp::missing_stamp;
pub use contract_status::contract_status;
pub use correlation_id::CorrelationId;
pub use error_response::{Protocol, error_response, http_status};
pub use health::Readiness;
pub use host_policy::HostPolicy;
pub use metrics::Metrics;
pub use page_token::{PageRequest, PageTokens, read_page_size, truncate_page};
pub use public_address::is_public_address;
pub use request_context::RequestContext;
pub use request_layer::with_request_layer;
pub use request_log::method_name;
pub use server::BindError;
pub use tls::{TlsError, TlsFiles};
pub use trace_context::TraceContext;
