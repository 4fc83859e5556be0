//! What keeps an organization somebody who administers it, and the operator organization somebody who manages the rules (decision
//! 0116).

use invoicing_contract::OrganizationId;
use invoicing_storage::users::{RightOfRoles, RuleEvaluation};
use rusqlite::{Connection, OptionalExtension as _, Row};

use super::{SELECT_OPERATOR, can_sign_in};
use crate::engine::{EngineError, TransactionEnd, invalid_value};

/// Sets of roles of the people of an organization who can sign in, as JSON arrays.
pub(super) const SELECT_ROLES: &str = concat!(
    "SELECT DISTINCT roles FROM (
        SELECT json_group_array(g.role ORDER BY g.role) AS roles FROM grants g JOIN subjects s ON s.id = g.subject
        WHERE g.organization_id = ?1 AND ",
    can_sign_in!(),
    " GROUP BY g.subject)"
);

/// What a change can take a right from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Change {
    /// The roles of a subject in the organization.
    Roles,
    /// The sign-in of a subject, who can have roles elsewhere.
    SignIn,
}

/// Why a change is not kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Refusal {
    LastAdministrator,
    LastRuleManager,
    Outdated,
}

/// Makes a change and refuses it if it leaves nobody who administers the organization, or nobody in the operator organization who
/// manages the rules. There is one writer, so what is read holds until the end of the transaction.
pub(super) fn keep_right_holders<T>(
    connection: &Connection,
    organization: &OrganizationId,
    kind: Change,
    evaluation: &RuleEvaluation,
    refused: impl FnOnce(Refusal) -> T,
    change: impl FnOnce() -> Result<TransactionEnd<T>, EngineError>,
) -> Result<TransactionEnd<T>, EngineError> {
    let select = "SELECT coalesce(max(number), 0) FROM rule_versions";
    let version: i64 = connection
        .prepare_cached(select)?
        .query_row((), |row| row.get(0))?;
    if version != evaluation.version {
        return Ok(TransactionEnd::Rollback(refused(Refusal::Outdated)));
    }
    let operator: Option<String> = connection
        .prepare_cached(SELECT_OPERATOR)?
        .query_row((), |row| row.get(0))
        .optional()?;
    let operator = operator
        .filter(|operator| kind == Change::SignIn || operator.as_str() == organization.as_str());
    let is_administered =
        || is_right_held(connection, organization.as_str(), &*evaluation.administers);
    let are_rules_managed = || match &operator {
        Some(operator) => is_right_held(connection, operator, &*evaluation.manages_rules),
        None => Ok(false),
    };
    let (was_administered, were_rules_managed) = (is_administered()?, are_rules_managed()?);
    let end = change()?;
    if matches!(end, TransactionEnd::Rollback(_)) {
        return Ok(end);
    }
    Ok(if was_administered && !is_administered()? {
        TransactionEnd::Rollback(refused(Refusal::LastAdministrator))
    } else if were_rules_managed && !are_rules_managed()? {
        TransactionEnd::Rollback(refused(Refusal::LastRuleManager))
    } else {
        end
    })
}

/// Whether somebody who can sign in has a right in an organization.
fn is_right_held(
    connection: &Connection,
    organization: &str,
    right: &RightOfRoles,
) -> Result<bool, EngineError> {
    let mut select = connection.prepare_cached(SELECT_ROLES)?;
    let mut rows = select.query([organization])?;
    while let Some(row) = rows.next()? {
        if right(&roles(row)?) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// A row of [`SELECT_ROLES`].
pub(super) fn roles(row: &Row<'_>) -> rusqlite::Result<Vec<String>> {
    let json = row.get_ref(0)?.as_str()?;
    serde_json::from_str(json).map_err(|_error| invalid_value(json, "roles"))
}
