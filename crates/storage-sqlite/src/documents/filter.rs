//! The conditions of the filter of a list.

use invoicing_contract::messages::documents::PaymentState;
use invoicing_storage::documents::{DocumentFilter, ListQuery};

use crate::engine::Statement;

/// The conditions of the filter. `plus` is a plus sign where SQLite must not choose the index of a single column, which would
/// make it fetch every row it finds: it then scans `documents_summary`, which covers all of them.
pub(super) fn push_filter(statement: &mut Statement, query: &ListQuery, plus: &str) {
    let filter = &query.filter;
    let organization = query.organization.as_str();
    statement.push("organization_id = ").bind(organization);
    if filter.currency.is_empty() && !plus.is_empty() {
        // All currencies, because they precede the buyer in the index.
        statement
            .push(" AND currency IN (SELECT currency FROM document_totals WHERE organization_id = ")
            .bind(organization)
            .push(")");
    }
    // Where single columns have an index, that of the status finds fewer rows.
    let by_status = plus.is_empty() && !filter.status.is_empty();
    let currencies = filter.currency.iter().map(|currency| currency.code());
    push_any(
        statement,
        [if by_status { "+" } else { "" }, "currency"],
        currencies,
    );
    push_states_and_days(statement, filter, plus);
    let due = [
        ("due_date >= ", &filter.due_from),
        ("due_date <= ", &filter.due_to),
    ];
    push_dates(statement, due, plus);
    if filter.due_to.is_some() {
        statement.push(" AND due_date <> ''");
    }
    for (condition, bound) in [
        ("gross_sort_key >= ", filter.gross_from),
        ("gross_sort_key <= ", filter.gross_to),
    ] {
        if let Some(amount) = bound {
            statement
                .push(" AND ")
                .push(plus)
                .push(condition)
                .bind(amount);
        }
    }
    if !filter.number.is_empty() {
        statement
            .push(" AND instr(number, ")
            .bind(filter.number.as_str())
            .push(") > 0");
    }
    if !filter.buyer.is_empty() {
        statement
            .push(" AND buyer_text_id IN (SELECT id FROM buyer_texts WHERE organization_id = ")
            .bind(organization)
            .push(" AND instr(text, ")
            .bind(filter.buyer.as_str())
            .push(") > 0)");
    }
    if !filter.payment_state.is_empty() {
        push_payment_states(statement, query);
    }
    let states = filter.authority_state.iter().map(|state| *state as i32);
    if states.len() > 0 {
        statement
            .push(" AND key IN (SELECT document_key FROM document_submissions WHERE organization_id = ")
            .bind(organization)
            .push(" AND superseded_at IS NULL AND state IN ")
            .bind_rows(states)
            .push(")");
    }
    if filter.authority_has_warnings {
        statement
            .push(" AND key IN (SELECT document_key FROM document_submissions WHERE organization_id = ")
            .bind(organization)
            .push(" AND superseded_at IS NULL AND has_warnings)");
    }
    if let Some(keys) = &filter.keys {
        statement
            .push(" AND key IN (SELECT unhex(value) FROM ")
            .bind_rows(keys.iter().map(|key| key.simple().to_string()))
            .push(")");
    }
}

/// The conditions on status, kind and issue date.
pub(super) fn push_states_and_days(statement: &mut Statement, filter: &DocumentFilter, plus: &str) {
    let statuses = filter.status.iter().map(|status| *status as i32);
    push_any(statement, [plus, "status"], statuses);
    let kinds = filter.kind.iter().map(|kind| *kind as i32);
    push_any(statement, [plus, "kind"], kinds);
    push_days(statement, filter, plus);
}

/// The conditions on the issue date.
pub(super) fn push_days(statement: &mut Statement, filter: &DocumentFilter, plus: &str) {
    let issued = [
        ("issue_date >= ", &filter.issued_from),
        ("issue_date <= ", &filter.issued_to),
    ];
    push_dates(statement, issued, plus);
}

/// What [`Receivable::is_credited`](invoicing_storage::payments::Receivable::is_credited) says of a receivable of which nothing is
/// open.
const IS_CREDITED: &str = "(credited <> 0 AND (paid = 0 OR (paid < 0) <> (payable < 0)))";

/// Documents in one of the states of payment. A rejected one (4) has none.
fn push_payment_states(statement: &mut Statement, query: &ListQuery) {
    let filter = &query.filter;
    statement
        .push(" AND status <> 4 AND key IN (SELECT document FROM receivables WHERE organization_id = ")
        .bind(query.organization.as_str())
        .push(" AND (FALSE");
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
                    .bind(filter.today.as_str())
                    .push(")");
            }
            PaymentState::Unspecified => {}
        }
    }
    statement.push("))");
}

fn push_dates(statement: &mut Statement, bounds: [(&str, &Option<String>); 2], plus: &str) {
    for (condition, bound) in bounds {
        if let Some(date) = bound {
            statement
                .push(" AND ")
                .push(plus)
                .push(condition)
                .bind(date.as_str());
        }
    }
}

/// One of `values`; nothing if there are none.
pub(super) fn push_any(
    statement: &mut Statement,
    [plus, column]: [&str; 2],
    values: impl ExactSizeIterator<Item = impl Into<serde_json::Value>>,
) {
    if values.len() == 0 {
        return;
    }
    statement
        .push(" AND ")
        .push(plus)
        .push(column)
        .push(" IN ")
        .bind_rows(values);
}
