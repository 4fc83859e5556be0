//! The conditions of a filter, as parts of a statement.

use invoicing_contract::messages::documents::PaymentState;
use invoicing_storage::documents::ListQuery;
use tokio_postgres::types::Type;
use uuid::Uuid;

use super::statement::Statement;
use crate::engine::{EngineError, Transaction};

/// Up to so many buyers whose texts match are looked up one by one in the index of buyers. With more of them, every document
/// of the organization is compared.
const MAX_BUYERS: usize = 500;

const SELECT_BUYERS: &str = "SELECT id FROM buyer_texts
     WHERE organization_id = $1 AND position($2::text IN text) > 0 LIMIT $3";

/// The buyers that a filter selects.
pub(super) enum Buyers {
    /// All: it does not filter by buyer.
    All,
    /// These.
    Few(Vec<Uuid>),
    /// More than [`MAX_BUYERS`].
    Many,
}

impl Buyers {
    /// Finds them.
    pub(super) async fn of(
        transaction: &Transaction,
        query: &ListQuery,
    ) -> Result<Self, EngineError> {
        let text = &query.filter.buyer;
        if text.is_empty() {
            return Ok(Self::All);
        }
        let limit = i64::try_from(MAX_BUYERS + 1).unwrap_or(i64::MAX);
        let organization = query.organization.as_str();
        let rows = transaction
            .rows(SELECT_BUYERS, &[&organization, text, &limit])
            .await?;
        if rows.len() > MAX_BUYERS {
            return Ok(Self::Many);
        }
        let ids = rows.iter().map(|row| row.try_get("id"));
        Ok(Self::Few(ids.collect::<Result<_, _>>()?))
    }
}

/// Appends the conditions.
pub(super) fn push_filter(statement: &mut Statement, query: &ListQuery, buyers: &Buyers) {
    push_filter_without_amounts(statement, query, buyers);
    let filter = &query.filter;
    for (condition, bound) in [
        (" AND gross_sort_key >= ", filter.gross_from),
        (" AND gross_sort_key <= ", filter.gross_to),
    ] {
        if let Some(amount) = bound {
            statement.push(condition).bind(amount, Type::INT8);
        }
    }
}

/// Appends the conditions but those on amounts.
pub(super) fn push_filter_without_amounts(
    statement: &mut Statement,
    query: &ListQuery,
    buyers: &Buyers,
) {
    let filter = &query.filter;
    let organization = query.organization.as_str();
    statement.push("organization_id = ").bind_text(organization);
    let currencies = filter.currency.iter().map(|currency| currency.code());
    push_any(statement, "currency", currencies, Type::TEXT_ARRAY);
    let statuses = filter.status.iter().map(|status| *status as i32);
    push_any(statement, "status", statuses, Type::INT4_ARRAY);
    let kinds = filter.kind.iter().map(|kind| *kind as i32);
    push_any(statement, "kind", kinds, Type::INT4_ARRAY);
    for (condition, bound) in [
        (" AND issue_date >= ", &filter.issued_from),
        (" AND issue_date <= ", &filter.issued_to),
        (" AND due_date >= ", &filter.due_from),
        (" AND due_date <= ", &filter.due_to),
    ] {
        if let Some(date) = bound {
            statement.push(condition).bind_text(date);
        }
    }
    if filter.due_to.is_some() {
        statement.push(" AND due_date > ''");
    }
    if !filter.number.is_empty() {
        statement
            .push(" AND position(")
            .bind_text(&filter.number)
            .push(" IN number) > 0");
    }
    match buyers {
        Buyers::All => {}
        Buyers::Few(ids) => {
            statement
                .push(" AND buyer_text_id = ANY (")
                .bind(ids.clone(), Type::UUID_ARRAY)
                .push(")");
        }
        // IS TRUE keeps it a condition on rows in the order of an index; a join would sort them.
        Buyers::Many => {
            statement
                .push(" AND (buyer_text_id IN (SELECT id FROM buyer_texts WHERE organization_id = ")
                .bind_text(organization)
                .push(" AND position(")
                .bind_text(&filter.buyer)
                .push(" IN text) > 0)) IS TRUE");
        }
    }
    if !filter.payment_state.is_empty() {
        push_payment_states(statement, query);
    }
    let states = filter.authority_state.iter().map(|state| *state as i32);
    if states.len() > 0 {
        statement
            .push(" AND key IN (SELECT document_key FROM document_submissions WHERE organization_id = ")
            .bind_text(organization)
            .push(" AND superseded_at IS NULL");
        push_any(statement, "state", states, Type::INT4_ARRAY);
        statement.push(")");
    }
    if filter.authority_has_warnings {
        statement
            .push(" AND key IN (SELECT document_key FROM document_submissions WHERE organization_id = ")
            .bind_text(organization)
            .push(" AND superseded_at IS NULL AND has_warnings)");
    }
    if let Some(keys) = &filter.keys {
        let keys: Vec<Uuid> = keys.iter().copied().collect();
        statement
            .push(" AND key = ANY (")
            .bind(keys, Type::UUID_ARRAY)
            .push(")");
    }
}

/// What [`Receivable::is_credited`](invoicing_storage::payments::Receivable::is_credited) says of a receivable of which nothing is
/// open.
const IS_CREDITED: &str = "(credited <> 0 AND (paid = 0 OR (paid < 0) <> (payable < 0)))";

/// Documents in one of the states of payment. A rejected one (4) has none.
fn push_payment_states(statement: &mut Statement, query: &ListQuery) {
    let filter = &query.filter;
    statement
        .push(" AND status <> 4 AND key IN (SELECT document FROM receivables WHERE organization_id = ")
        .bind_text(query.organization.as_str())
        .push(" AND (false");
    for state in &filter.payment_state {
        match state {
            PaymentState::Open => {
                statement.push(" OR (payable > paid + credited AND paid <= 0)");
            }
            PaymentState::PartlyPaid => {
                statement.push(" OR (payable > paid + credited AND paid > 0)");
            }
            PaymentState::Paid => {
                statement
                    .push(" OR (payable = paid + credited AND NOT ")
                    .push(IS_CREDITED)
                    .push(")");
            }
            PaymentState::Credited => {
                statement
                    .push(" OR (payable = paid + credited AND ")
                    .push(IS_CREDITED)
                    .push(")");
            }
            PaymentState::ToRefund => {
                statement.push(" OR payable < paid + credited");
            }
            PaymentState::Overdue => {
                statement
                    .push(" OR (payable > paid + credited AND due_on < ")
                    .bind_text(&filter.today)
                    .push(")");
            }
            PaymentState::Unspecified => {}
        }
    }
    statement.push("))");
}

/// One of `values`; nothing if there are none.
fn push_any<T: tokio_postgres::types::ToSql + Send + Sync + 'static>(
    statement: &mut Statement,
    column: &str,
    values: impl ExactSizeIterator<Item = T>,
    of: Type,
) {
    if values.len() > 0 {
        statement
            .push(" AND ")
            .push(column)
            .push(" = ANY (")
            .bind(values.collect::<Vec<T>>(), of)
            .push(")");
    }
}
