//! Errors of operations on plans, and the Status of each (contract, part 7).

use invoicing_contract::{Code, FieldViolation, Status};
use invoicing_storage::StorageError;

use crate::rpc_response::OperationError;

/// Why an operation was not done. Nothing was written.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PlanError {
    /// Fields of the request are invalid.
    #[error("{} fields of the request are wrong", .0.len())]
    Invalid(Vec<FieldViolation>),
    /// No plan has the id.
    #[error("there is no such plan")]
    NotFound,
    /// The organization is no tenant.
    #[error("there is no such tenant")]
    TenantNotFound,
    /// A plan has the id of the new one.
    #[error("a plan with this id exists")]
    Exists,
    /// The plan was written since the stamp was read.
    #[error("the plan has changed since it was read")]
    StampMismatch,
    /// A tenant has the plan.
    #[error("a tenant has the plan: assign another one first")]
    InUse,
    /// Storage failed.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

impl OperationError for PlanError {
    fn storage_error(&self) -> Option<&StorageError> {
        if let Self::Storage(error) = self {
            Some(error)
        } else {
            None
        }
    }
}

impl From<FieldViolation> for PlanError {
    fn from(violation: FieldViolation) -> Self {
        Self::Invalid(vec![violation])
    }
}

impl From<PlanError> for Status {
    fn from(error: PlanError) -> Self {
        let message = error.to_string();
        match error {
            PlanError::Invalid(violations) => Self::invalid("INVALID_REQUEST", message, violations),
            PlanError::NotFound => Self::new(Code::NotFound, "PLAN_NOT_FOUND", message),
            PlanError::TenantNotFound => Self::new(Code::NotFound, "TENANT_NOT_FOUND", message),
            PlanError::Exists => Self::new(Code::AlreadyExists, "PLAN_EXISTS", message),
            PlanError::StampMismatch => Self::new(Code::Aborted, "STAMP_MISMATCH", message),
            PlanError::InUse => Self::new(Code::FailedPrecondition, "PLAN_IN_USE", message),
            PlanError::Storage(error) => Self::from(&error),
        }
    }
}
