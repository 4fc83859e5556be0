//! Additions of rights within the limit of the people of an organization (decision 0118).

use invoicing_contract::{OrganizationId, SubjectId};
use rusqlite::{Connection, Transaction, params};

use super::subjects::INSERT_GRANT;
use crate::audit;
use crate::engine::{EngineError, TransactionEnd};
use invoicing_storage::audit::AuditEvent;
use invoicing_storage::users::Addition;

/// How many other people are counted, and whether the subject is.
const COUNT: &str =
    "SELECT count(*) FILTER (WHERE s.id <> ?2), count(*) FILTER (WHERE s.id = ?2) FROM subjects s
     WHERE s.disabled_at IS NULL AND s.password_hash IS NOT NULL AND s.id IN (
         SELECT id FROM subjects WHERE home_organization = ?1
         UNION SELECT subject FROM grants WHERE organization_id = ?1)";
const ENABLE: &str = "UPDATE subjects SET disabled_at = NULL, epoch = epoch + 1
     WHERE id = ?1 AND home_organization = ?2 AND disabled_at IS NOT NULL";
/// The organizations of a disabled person, the home organization and those with a role, that have as many people as the tenant, or
/// else its plan, allows.
const SELECT_FULL: &str = "SELECT t.organization_id FROM tenants t LEFT JOIN plans p ON p.id = t.plan_id
     WHERE EXISTS (SELECT 1 FROM subjects WHERE id = ?1 AND disabled_at IS NOT NULL AND password_hash IS NOT NULL)
        AND t.organization_id IN (SELECT home_organization FROM subjects WHERE id = ?1
            UNION SELECT organization_id FROM grants WHERE subject = ?1)
        AND coalesce(t.users, p.users) <= (
            SELECT count(*) FROM subjects s
            WHERE s.disabled_at IS NULL AND s.password_hash IS NOT NULL AND s.id IN (
                SELECT id FROM subjects WHERE home_organization = t.organization_id
                UNION SELECT subject FROM grants WHERE organization_id = t.organization_id))";

/// Whether the subject would be a person above the limit. There is one writer, so it holds until the end of the transaction.
pub(super) fn is_above_limit(
    connection: &Connection,
    organization: &OrganizationId,
    id: &SubjectId,
    limit: Option<i64>,
) -> rusqlite::Result<bool> {
    let Some(limit) = limit else {
        return Ok(false);
    };
    let key = (organization.as_str(), id.as_str());
    let (others, own): (i64, i64) = connection
        .prepare_cached(COUNT)?
        .query_row(key, |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(own == 0 && others >= limit)
}

/// Grants a role within the limit, which is not that of machine users and of people who are disabled.
pub(super) fn add_role(
    transaction: &Transaction<'_>,
    organization: &OrganizationId,
    id: &SubjectId,
    role: &str,
    limit: Option<i64>,
    event: &AuditEvent,
) -> Result<TransactionEnd<Addition>, EngineError> {
    let counts = "SELECT EXISTS (SELECT 1 FROM subjects WHERE id = ?1 AND disabled_at IS NULL AND password_hash IS NOT NULL)";
    let counts: bool = transaction
        .prepare_cached(counts)?
        .query_row([id.as_str()], |row| row.get(0))?;
    if is_above_limit(transaction, organization, id, limit.filter(|_| counts))? {
        return Ok(TransactionEnd::Rollback(Addition::UserLimit));
    }
    let row = params![id.as_str(), organization.as_str(), role];
    if transaction.prepare_cached(INSERT_GRANT)?.execute(row)? == 0 {
        return Ok(TransactionEnd::Rollback(Addition::Present));
    }
    audit::record_event(transaction, event)?;
    Ok(TransactionEnd::Commit(Addition::Done))
}

/// Enables a subject, which is at home in the organization, within the limit of each organization with a role.
pub(super) fn enable(
    transaction: &Transaction<'_>,
    organization: &OrganizationId,
    id: &SubjectId,
    event: &AuditEvent,
) -> Result<Addition, EngineError> {
    let mut select = transaction.prepare_cached(SELECT_FULL)?;
    let full = select.query_map([id.as_str()], |row| row.get::<_, String>(0))?;
    let full: Vec<_> = full.collect::<rusqlite::Result<_>>()?;
    if full.iter().any(|full| full == organization.as_str()) {
        return Ok(Addition::UserLimit);
    }
    if !full.is_empty() {
        return Ok(Addition::UserLimitElsewhere);
    }
    let key = params![id.as_str(), organization.as_str()];
    if transaction.prepare_cached(ENABLE)?.execute(key)? == 0 {
        return Ok(Addition::Present);
    }
    audit::record_event(transaction, event)?;
    Ok(Addition::Done)
}
