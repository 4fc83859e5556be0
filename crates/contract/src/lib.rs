//! The contract between client and service: messages, operations, Status, names, identifiers, and the mapping of invoices.
//! Nothing that only one side needs.
//!
//! The messages and operations come from `proto/`. Options in the .proto files state the REST path, scope and least role of
//! each operation, which fields are outputs, and how much a field of a request may hold.

pub mod attachments;
pub mod audience_id;
#[cfg(test)]
mod conventions;
pub mod environment_kind;
pub mod field_mask;
pub mod fold;
pub mod identifiers;
pub mod invoice_mapping;
pub mod messages;
pub mod names;
pub mod operation;
pub mod output_fields;
pub mod ready;
pub mod request_limits;
pub mod role;
pub mod spreadsheet;
pub mod status;
pub mod timestamp;

#[cfg(feature = "grpc")]
pub mod grpc;
#[cfg(feature = "grpc")]
pub mod grpc_codec;
#[cfg(feature = "grpc")]
pub mod handlers;
#[cfg(feature = "grpc")]
pub mod request_values;

#[cfg(any(test, feature = "grpc"))]
use std::sync::LazyLock;

#[cfg(any(test, feature = "grpc"))]
use prost_reflect::DescriptorPool;

pub use audience_id::AudienceId;
pub use environment_kind::EnvironmentKind;
pub use field_mask::FieldMask;
pub use identifiers::{ClientId, ConcurrencyStamp, DocumentKey, OrganizationId, PlanId, SubjectId};
pub use names::Names;
pub use operation::Operation;
pub use output_fields::{OutputFields, output_violations};
pub use request_limits::{RequestLimits, check_request_limits};
pub use role::Role;
pub use status::{Code, Detail, FieldViolation, QuotaViolation, Status};
pub use timestamp::Timestamp;

/// The compiled `google.protobuf.FileDescriptorSet` of all .proto files, with their annotations.
pub const DESCRIPTORS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/descriptors.bin"));

/// What is in [`DESCRIPTORS`]. It is decoded once in a process: that takes milliseconds, and the result takes megabytes.
#[cfg(any(test, feature = "grpc"))]
#[must_use]
pub fn descriptor_pool() -> &'static DescriptorPool {
    static POOL: LazyLock<DescriptorPool> = LazyLock::new(|| {
        DescriptorPool::decode(DESCRIPTORS).expect("the build has decoded them as well")
    });
    &POOL
}
