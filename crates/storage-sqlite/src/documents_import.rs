//! Many documents at once: hundreds of rows in one statement, so that a million take a minute.

use std::collections::HashMap;

use prost::Message as _;
use sqlx::{QueryBuilder, Sqlite, SqliteConnection};

use super::documents::buyer_text;
use invoicing_storage::StorageError;
use invoicing_storage::documents::Entry;

/// Rows in one statement: 18 values each, of at most 32,766.
const ROWS: usize = 500;

/// Inserts rows and bodies.
pub(super) async fn insert(
    write: &mut SqliteConnection,
    entries: &[Entry],
) -> Result<(), StorageError> {
    let mut buyers = HashMap::new();
    for entry in entries {
        if !buyers.contains_key(&entry.buyer_text) {
            buyers.insert(&entry.buyer_text, buyer_text(write, entry).await?);
        }
    }
    // Nobody else writes in this transaction, so the ids after the last are free.
    let last: Option<i64> = sqlx::query_scalar("SELECT max(id) FROM documents")
        .fetch_one(&mut *write)
        .await?;
    let ids = last.unwrap_or_default() + 1..;
    let rows: Vec<_> = ids.zip(entries).collect();
    for rows in rows.chunks(ROWS) {
        let mut statement = QueryBuilder::<Sqlite>::new(
            "INSERT INTO documents (id, organization_id, key, concurrency_stamp, status, kind, number, number_sort_key, issue_date,
                 due_date, currency, net, tax, gross, gross_sort_key, buyer_sort_key, buyer_text_id, updated_at) ",
        );
        statement.push_values(rows, |mut row, (id, entry)| {
            row.push_bind(id)
                .push_bind(&entry.organization)
                .push_bind(entry.key.as_bytes().as_slice())
                .push_bind(&entry.document.concurrency_stamp)
                .push_bind(entry.status as i32)
                .push_bind(entry.kind as i32)
                .push_bind(&entry.number)
                .push_bind(&entry.number_order)
                .push_bind(&entry.issue_date)
                .push_bind(&entry.due_date)
                .push_bind(entry.currency.code())
                .push_bind(entry.net)
                .push_bind(entry.tax)
                .push_bind(entry.gross)
                .push_bind(entry.gross_order)
                .push_bind(&entry.buyer_order)
                .push_bind(buyers[&entry.buyer_text])
                .push_bind(entry.updated_at);
        });
        statement.build().execute(&mut *write).await?;
        let mut statement = QueryBuilder::<Sqlite>::new(
            "INSERT INTO document_contents (id, supply_date, payable, note, body) ",
        );
        statement.push_values(rows, |mut row, (id, entry)| {
            row.push_bind(id)
                .push_bind("")
                .push_bind(0)
                .push_bind("")
                .push_bind(entry.document.encode_to_vec());
        });
        statement.build().execute(&mut *write).await?;
    }
    Ok(())
}
