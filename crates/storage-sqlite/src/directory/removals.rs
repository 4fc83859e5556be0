//! Removals of rights that leave an organization somebody who administers it, and the environment somebody who manages the rules
//! (decision 0116).

use invoicing_contract::{OrganizationId, SubjectId, Timestamp};
use rusqlite::Transaction;

use super::right_holders::{Change, Refusal, keep_right_holders};
use crate::audit;
use crate::engine::{EngineError, TransactionEnd};
use invoicing_storage::audit::AuditEvent;
use invoicing_storage::users::{Removal, RuleEvaluation};

/// What is removed.
#[derive(Clone, Copy)]
pub(super) enum RemovedRight<'a> {
    /// A role in the organization.
    Role(&'a str),
    /// The subject, at home in the organization, is disabled.
    SignIn { now: Timestamp },
}

/// Removes a right of a subject.
pub(super) fn remove_right(
    transaction: &Transaction<'_>,
    organization: &OrganizationId,
    id: &SubjectId,
    right: RemovedRight<'_>,
    evaluation: &RuleEvaluation,
    event: &AuditEvent,
) -> Result<TransactionEnd<Removal>, EngineError> {
    let kind = match right {
        RemovedRight::Role(_) => Change::Roles,
        RemovedRight::SignIn { .. } => Change::SignIn,
    };
    keep_right_holders(transaction, organization, kind, evaluation, refused, || {
        let (id, organization) = (id.as_str(), organization.as_str());
        let changed = match right {
            RemovedRight::Role(role) => transaction
                .prepare_cached(
                    "DELETE FROM grants WHERE subject = ?1 AND organization_id = ?2 AND role = ?3",
                )?
                .execute((id, organization, role))?,
            RemovedRight::SignIn { now } => transaction
                .prepare_cached(
                    "UPDATE subjects SET disabled_at = ?3, epoch = epoch + 1
                     WHERE id = ?1 AND home_organization = ?2 AND disabled_at IS NULL",
                )?
                .execute((id, organization, now.as_millis()))?,
        };
        if changed == 0 {
            return Ok(TransactionEnd::Rollback(Removal::Absent));
        }
        audit::record_event(transaction, event)?;
        Ok(TransactionEnd::Commit(Removal::Done))
    })
}

const fn refused(refusal: Refusal) -> Removal {
    match refusal {
        Refusal::LastAdministrator => Removal::LastAdministrator,
        Refusal::LastRuleManager => Removal::LastRuleManager,
        Refusal::Outdated => Removal::Outdated,
    }
}
