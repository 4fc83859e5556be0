//! The sort of a list: its columns and index, and the positions of its rows.

use rusqlite::Row;
use rusqlite::types::Value;

use crate::engine::Statement;
use crate::values::key;
use invoicing_storage::documents::{ListPosition, ListQuery, SortField, SortValue};

/// The index of the keys, which SQLite has made for UNIQUE (organization_id, key).
pub(super) const INDEX_OF_KEYS: &str = "sqlite_autoindex_documents_1";

/// The index of the first field.
pub(super) fn index_of_sort(query: &ListQuery) -> &'static str {
    match query.sort.first() {
        None => INDEX_OF_KEYS,
        Some((SortField::IssueDate, _)) => "documents_issue_date",
        Some((SortField::DueDate, _)) => "documents_due_date",
        Some((SortField::Number, _)) => "documents_number",
        Some((SortField::Buyer, _)) => "documents_buyer",
        Some((SortField::Gross, _)) => "documents_gross",
        Some((SortField::Status, _)) => "documents_status",
        Some((SortField::Updated, _)) => "documents_updated",
    }
}

/// `a <= x AND (a < x OR (b >= y AND (b > y OR key > k)))`: the first condition lets the index begin at the row.
pub(super) fn push_after(
    statement: &mut Statement,
    query: &ListQuery,
    (values, key): &ListPosition,
) {
    let mut open = 0;
    for ((field, descending), value) in query.sort.iter().zip(values) {
        let column = column(*field);
        let (at, beyond) = if *descending {
            (" <= ", " < ")
        } else {
            (" >= ", " > ")
        };
        let value = match value {
            SortValue::Text(text) => Value::Text(text.clone()),
            SortValue::Integer(integer) => Value::Integer(*integer),
        };
        statement.push("(").push(column).push(at);
        statement.bind(value.clone()).push(" AND (");
        statement.push(column).push(beyond).bind(value).push(" OR ");
        open += 2;
    }
    statement
        .push("key")
        .push(if key_descends(query) { " < " } else { " > " })
        .bind(Value::Blob(key.as_bytes().to_vec()))
        .push(&")".repeat(open));
}

/// The direction in which the key breaks ties: that of the last field, so that one index serves both directions.
pub(super) fn key_descends(query: &ListQuery) -> bool {
    query.sort.last().is_some_and(|(_, descending)| *descending)
}

pub(super) const fn column(field: SortField) -> &'static str {
    match field {
        SortField::IssueDate => "issue_date",
        SortField::DueDate => "due_date",
        SortField::Number => "number_sort_key",
        SortField::Buyer => "buyer_sort_key",
        SortField::Gross => "gross_sort_key",
        SortField::Status => "status",
        SortField::Updated => "updated_at",
    }
}

pub(super) fn position(row: &Row<'_>, query: &ListQuery) -> rusqlite::Result<ListPosition> {
    let values = query.sort.iter().map(|(field, _)| {
        let column = column(*field);
        Ok(match field {
            SortField::IssueDate | SortField::DueDate | SortField::Number | SortField::Buyer => {
                SortValue::Text(row.get(column)?)
            }
            SortField::Gross | SortField::Status | SortField::Updated => {
                SortValue::Integer(row.get(column)?)
            }
        })
    });
    Ok((values.collect::<rusqlite::Result<_>>()?, key(row, "key")?))
}
