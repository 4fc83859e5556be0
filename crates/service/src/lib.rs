//! Composition of the service: configuration, seed, start and stop, administration of a database. As a library any program
//! can embed it.
//!
//! Nothing here is global to the process: the log goes where the program's `tracing` subscriber sends it, and only the
//! program decides when to end.

mod administration;
pub mod audit_archive;
mod composition;
pub mod config;
pub mod database;
mod domain_verifier;
mod encryption_keys;
mod identity_services;
mod listeners;
mod maintenance;
pub mod program;
mod public_url;
mod rotate_encryption;
mod running_service;
mod seed;
pub mod start_error;
mod telemetry;

pub use administration::{OpenAdministrationError, open_administration};
pub use audit_archive::AuditArchiveFolder;
pub use config::{Config, Drain, Seed};
pub use database::{DatabaseError, DatabaseOptions, DatabaseUrl, OpenDatabase};
pub use encryption_keys::{KeyFileError, read_key_file};
pub use invoicing_contract::EnvironmentKind;
pub use invoicing_http::{BindError, TlsError, TlsFiles};
pub use invoicing_storage::{Clock, Rng, SystemClock, SystemRng};
pub use invoicing_storage_sqlite::OpenError as SqliteOpenError;
pub use rotate_encryption::{RotateEncryptionError, RotatedEncryption, rotate_encryption};
pub use running_service::{RunningService, serve};
pub use seed::{LoadError, LoadSize, generate_load};
pub use start_error::StartError;
