//! Additions of rights within the limit of the people of an organization (decision 0118).

use invoicing_contract::{OrganizationId, SubjectId};
use rusqlite::{Connection, Transaction, params};

use super::subjects::INSERT_GRANT;
use crate::audit;
use crate::engine::EngineError;
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

/// Grants a role, or without one enables the subject, which is at home in the organization.
pub(super) fn add_right(
    transaction: &Transaction<'_>,
    organization: &OrganizationId,
    id: &SubjectId,
    role: Option<&str>,
    limit: Option<i64>,
    event: &AuditEvent,
) -> Result<Addition, EngineError> {
    if is_above_limit(transaction, organization, id, limit)? {
        return Ok(Addition::UserLimit);
    }
    let (organization, id) = (organization.as_str(), id.as_str());
    let changed = match role {
        Some(role) => {
            transaction
                .prepare_cached(INSERT_GRANT)?
                .execute(params![id, organization, role])?
        }
        None => transaction
            .prepare_cached(ENABLE)?
            .execute(params![id, organization])?,
    };
    if changed == 0 {
        return Ok(Addition::Present);
    }
    audit::record_event(transaction, event)?;
    Ok(Addition::Done)
}
