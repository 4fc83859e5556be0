//! The contract between client and service: messages, operations, Status, names, identifiers, and the mapping of invoices.
//! Nothing that only one side needs.
//!
//! The messages and operations come from `proto/`, whose annotations say each operation's REST path and scope.

pub mod environment_kind;
pub mod identifiers;
pub mod invoice_mapping;
pub mod messages;
pub mod names;
pub mod operation;
pub mod ready;
pub mod status;
pub mod timestamp;

#[cfg(feature = "grpc")]
pub mod grpc;

pub use environment_kind::EnvironmentKind;
pub use identifiers::{ClientId, ConcurrencyStamp, DocumentKey, OrganizationId, SubjectId};
pub use names::Names;
pub use operation::Operation;
pub use status::{Code, Detail, FieldViolation, Status};
pub use timestamp::Timestamp;

/// The compiled `google.protobuf.FileDescriptorSet` of all .proto files, with their annotations.
pub const DESCRIPTORS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/descriptors.bin"));
