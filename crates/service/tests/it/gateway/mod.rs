//! The gateway over REST and gRPC.

mod bodies;
mod content;
mod credits;
mod documents;
mod failures;
mod identity;
mod list;
mod protocols;
mod request_guard;
