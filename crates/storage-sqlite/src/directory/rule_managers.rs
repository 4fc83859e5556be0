//! What keeps the operator organization somebody who manages the rules (decision 0116).

use invoicing_contract::OrganizationId;
use invoicing_storage::StorageError;
use invoicing_storage::users::RuleManagement;
use rusqlite::{Connection, OptionalExtension as _};

use super::SELECT_OPERATOR;
use crate::engine::{EngineError, TransactionEnd};

/// Sets of roles of the people of an organization who can sign in.
const SELECT_ROLES: &str = "SELECT DISTINCT roles FROM (
        SELECT json_group_array(g.role ORDER BY g.role) AS roles FROM grants g JOIN subjects s ON s.id = g.subject
        WHERE g.organization_id = ?1 AND s.password_hash IS NOT NULL AND s.disabled_at IS NULL
            AND NOT EXISTS (SELECT 1 FROM password_codes c WHERE c.subject = s.id)
        GROUP BY g.subject)";

/// Why a change of roles is not kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Refusal {
    LastRuleManager,
    Outdated,
}

/// Makes a change and refuses it if it leaves nobody in the operator organization who manages the rules. `organization`: where a
/// role changes; `None`: the subject cannot sign in any more. There is one writer, so what is read holds until the end of the
/// transaction.
pub(super) fn keep_rule_managers<T>(
    connection: &Connection,
    organization: Option<&OrganizationId>,
    management: &RuleManagement,
    refused: impl FnOnce(Refusal) -> T,
    change: impl FnOnce() -> Result<TransactionEnd<T>, EngineError>,
) -> Result<TransactionEnd<T>, EngineError> {
    let operator: Option<String> = connection
        .prepare_cached(SELECT_OPERATOR)?
        .query_row((), |row| row.get(0))
        .optional()?;
    let operator = operator.filter(|operator| {
        organization.is_none_or(|organization| organization.as_str() == operator)
    });
    let Some(operator) = operator else {
        return change();
    };
    let existed = exist(connection, &operator, management)?;
    let end = change()?;
    if !existed || matches!(end, TransactionEnd::Rollback(_)) {
        return Ok(end);
    }
    if !exist(connection, &operator, management)? {
        return Ok(TransactionEnd::Rollback(refused(Refusal::LastRuleManager)));
    }
    let select = "SELECT coalesce(max(number), 0) FROM rule_versions";
    let version: i64 = connection
        .prepare_cached(select)?
        .query_row((), |row| row.get(0))?;
    Ok(if version == management.version {
        end
    } else {
        TransactionEnd::Rollback(refused(Refusal::Outdated))
    })
}

fn exist(
    connection: &Connection,
    operator: &str,
    management: &RuleManagement,
) -> Result<bool, EngineError> {
    let mut select = connection.prepare_cached(SELECT_ROLES)?;
    let mut rows = select.query([operator])?;
    while let Some(row) = rows.next()? {
        let roles: Vec<String> =
            serde_json::from_str(row.get_ref(0)?.as_str().map_err(rusqlite::Error::from)?)
                .map_err(StorageError::unexpected)?;
        if (management.manages)(&roles) {
            return Ok(true);
        }
    }
    Ok(false)
}
