//! Tests of the gateway over REST and gRPC.

mod batches;
mod bodies;
mod concurrency;
mod content;
mod credits;
mod description;
mod documents;
mod domains;
mod duplicates;
mod failures;
mod field_masks;
mod identity;
mod impersonation;
mod limits;
mod list;
mod master_data;
mod organizations;
mod plans;
mod platform;
mod protocols;
mod request_guard;
mod request_limits;
mod rules;
mod statuses;
mod tenants;
mod transport;
