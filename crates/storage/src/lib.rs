//! Records and store traits of the service. No SQL, no HTTP, no OAuth: an engine implements the traits, and identity and
//! gateway take them as `Arc<dyn Store>`.

pub mod access;
pub mod applications;
pub mod audit;
pub mod audit_archives;
mod basis;
pub mod budgets;
pub mod clearance;
mod clock;
pub mod directory;
pub mod documents;
pub mod domains;
pub mod encryption;
mod error;
pub mod failed_attempts;
pub mod kept_secrets;
pub mod keys;
pub mod master_data;
pub mod pats;
pub mod payments;
pub mod plans;
pub mod provisioning;
pub mod pushed_requests;
pub mod read_cache;
pub mod reports;
mod rng;
pub mod rules;
pub mod secret;
mod statistics;
pub mod subjects;
#[cfg(feature = "suite")]
pub mod suite;
pub mod tenants;
pub mod tokens;
pub mod transfer;
pub mod users;

pub use applications::ApplicationStore;
pub use audit::AuditStore;
pub use audit_archives::AuditArchiveStore;
pub use basis::Basis;
pub use budgets::BudgetStore;
pub use clearance::ClearanceStore;
#[cfg(any(test, feature = "testing"))]
pub use clock::AdjustableClock;
pub use clock::{Clock, SystemClock};
pub use directory::DirectoryStore;
pub use documents::DocumentStore;
pub use domains::DomainStore;
pub use error::{Cause, StorageError};
pub use failed_attempts::FailedAttemptStore;
pub use keys::KeyStore;
pub use master_data::MasterDataStore;
pub use pats::PatStore;
pub use payments::PaymentStore;
pub use plans::PlanStore;
pub use provisioning::ProvisioningStore;
pub use pushed_requests::PushedRequestStore;
pub use reports::ReportStore;
pub use rng::{Rng, SystemRng};
pub use rules::RuleStore;
pub use statistics::StorageStatistics;
pub use subjects::SubjectStore;
pub use tenants::TenantStore;
pub use tokens::TokenStore;
pub use transfer::TransferStore;
pub use users::UserStore;

/// All stores of the service.
pub trait Store:
    ApplicationStore
    + AuditArchiveStore
    + AuditStore
    + BudgetStore
    + ClearanceStore
    + DirectoryStore
    + DocumentStore
    + DomainStore
    + FailedAttemptStore
    + KeyStore
    + MasterDataStore
    + PatStore
    + PlanStore
    + PaymentStore
    + ProvisioningStore
    + PushedRequestStore
    + ReportStore
    + RuleStore
    + SubjectStore
    + TenantStore
    + TokenStore
    + UserStore
{
}

impl<All> Store for All where
    All: ApplicationStore
        + AuditArchiveStore
        + AuditStore
        + BudgetStore
        + ClearanceStore
        + DirectoryStore
        + DocumentStore
        + DomainStore
        + FailedAttemptStore
        + KeyStore
        + MasterDataStore
        + MasterDataStore
        + PatStore
        + PlanStore
        + PaymentStore
        + ProvisioningStore
        + PushedRequestStore
        + ReportStore
        + RuleStore
        + SubjectStore
        + TenantStore
        + TokenStore
        + UserStore
{
}
