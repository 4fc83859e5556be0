//! Removals of rights that leave an organization its last administrator, and the environment somebody who manages the rules
//! (decision 0116).

use invoicing_contract::{OrganizationId, Role, SubjectId, Timestamp};
use rusqlite::{Connection, Transaction};

use super::rule_managers::{Refusal, keep_rule_managers};
use crate::audit;
use crate::engine::{EngineError, TransactionEnd};
use invoicing_storage::audit::AuditEvent;
use invoicing_storage::users::{Removal, RuleManagement};

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
    management: &RuleManagement,
    event: &AuditEvent,
) -> Result<TransactionEnd<Removal>, EngineError> {
    let (of_role, may_be_last) = match right {
        RemovedRight::Role(role) => (Some(organization), role == Role::Administrator.name()),
        RemovedRight::SignIn { .. } => (None, true),
    };
    keep_rule_managers(transaction, of_role, management, refused, || {
        if may_be_last && is_last_administrator(transaction, organization, id)? {
            return Ok(TransactionEnd::Rollback(Removal::LastAdministrator));
        }
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
        Refusal::LastRuleManager => Removal::LastRuleManager,
        Refusal::Outdated => Removal::Outdated,
    }
}

/// Whether the subject is the only administrator that counts (see [`UserStore`]).
fn is_last_administrator(
    connection: &Connection,
    organization: &OrganizationId,
    id: &SubjectId,
) -> rusqlite::Result<bool> {
    let select = "SELECT count(*) FILTER (WHERE s.id = ?2), count(*) FROM grants g JOIN subjects s ON s.id = g.subject
         WHERE g.organization_id = ?1 AND g.role = 'administrator' AND s.password_hash IS NOT NULL AND s.disabled_at IS NULL
            AND NOT EXISTS (SELECT 1 FROM password_codes c WHERE c.subject = s.id)";
    connection
        .prepare_cached(select)?
        .query_row((organization.as_str(), id.as_str()), |row| {
            Ok((row.get::<_, i64>(0)?, row.get::<_, i64>(1)?) == (1, 1))
        })
}
