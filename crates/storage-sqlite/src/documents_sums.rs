//! Counts and sums of documents: by day, kept with every write, and of what a filter leaves.

use std::collections::BTreeMap;

use invoice::Currency;
use sqlx::sqlite::SqliteRow;
use sqlx::{Row, SqliteConnection};

use invoicing_storage::StorageError;
use invoicing_storage::documents::{Entry, Sum};

const ADD: &str =
    "INSERT INTO document_sums (organization_id, issue_date, status, kind, currency, documents,
         net_high, net_low, tax_high, tax_low, gross_high, gross_low)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
     ON CONFLICT (organization_id, issue_date, status, kind, currency) DO UPDATE SET
         documents = documents + excluded.documents,
         net_high = net_high + excluded.net_high, net_low = net_low + excluded.net_low,
         tax_high = tax_high + excluded.tax_high, tax_low = tax_low + excluded.tax_low,
         gross_high = gross_high + excluded.gross_high, gross_low = gross_low + excluded.gross_low";

/// Counts a document.
pub(super) async fn add(write: &mut SqliteConnection, entry: &Entry) -> Result<(), StorageError> {
    add_all(write, std::slice::from_ref(entry)).await
}

/// Counts many documents of one organization.
pub(super) async fn add_all(
    write: &mut SqliteConnection,
    entries: &[Entry],
) -> Result<(), StorageError> {
    let mut groups = BTreeMap::<_, [i64; 7]>::new();
    for entry in entries {
        let group = (
            &entry.organization,
            &entry.issue_date,
            entry.status as i32,
            entry.kind as i32,
            entry.currency,
        );
        let sums = groups.entry(group).or_default();
        sums[0] += 1;
        for (at, amount) in [(1, entry.net), (3, entry.tax), (5, entry.gross)] {
            sums[at] += high(amount);
            sums[at + 1] += low(amount);
        }
    }
    for ((organization, issue_date, status, kind, currency), sums) in groups {
        let mut query = sqlx::query(ADD)
            .bind(organization)
            .bind(issue_date)
            .bind(status)
            .bind(kind)
            .bind(currency.code());
        for sum in sums {
            query = query.bind(sum);
        }
        query.execute(&mut *write).await?;
    }
    Ok(())
}

/// Takes a document out of the sums, as it is stored now.
pub(super) async fn remove(write: &mut SqliteConnection, id: i64) -> Result<(), StorageError> {
    sqlx::query(
        "UPDATE document_sums AS s SET documents = s.documents - 1,
             net_high = s.net_high - (d.net >> 32), net_low = s.net_low - (d.net & 4294967295),
             tax_high = s.tax_high - (d.tax >> 32), tax_low = s.tax_low - (d.tax & 4294967295),
             gross_high = s.gross_high - (d.gross >> 32), gross_low = s.gross_low - (d.gross & 4294967295)
         FROM documents AS d
         WHERE d.id = $1 AND s.organization_id = d.organization_id AND s.issue_date = d.issue_date
             AND s.status = d.status AND s.kind = d.kind AND s.currency = d.currency",
    )
    .bind(id)
    .execute(write)
    .await?;
    Ok(())
}

const fn high(amount: i64) -> i64 {
    amount >> 32
}

const fn low(amount: i64) -> i64 {
    amount & 0xffff_ffff
}

/// Columns of a sum over `document_sums`, grouped by currency.
pub(super) const OF_DAYS: &str = "currency, CAST(sum(documents) AS BIGINT),
     CAST(sum(CASE kind WHEN 2 THEN -net_high ELSE net_high END) AS BIGINT),
     CAST(sum(CASE kind WHEN 2 THEN -net_low ELSE net_low END) AS BIGINT),
     CAST(sum(CASE kind WHEN 2 THEN -tax_high ELSE tax_high END) AS BIGINT),
     CAST(sum(CASE kind WHEN 2 THEN -tax_low ELSE tax_low END) AS BIGINT),
     CAST(sum(CASE kind WHEN 2 THEN -gross_high ELSE gross_high END) AS BIGINT),
     CAST(sum(CASE kind WHEN 2 THEN -gross_low ELSE gross_low END) AS BIGINT)";

/// The same columns over `documents`.
pub(super) const OF_ROWS: &str = "currency, count(*),
     CAST(sum(CASE kind WHEN 2 THEN -(net >> 32) ELSE net >> 32 END) AS BIGINT),
     CAST(sum(CASE kind WHEN 2 THEN -(net & 4294967295) ELSE net & 4294967295 END) AS BIGINT),
     CAST(sum(CASE kind WHEN 2 THEN -(tax >> 32) ELSE tax >> 32 END) AS BIGINT),
     CAST(sum(CASE kind WHEN 2 THEN -(tax & 4294967295) ELSE tax & 4294967295 END) AS BIGINT),
     CAST(sum(CASE kind WHEN 2 THEN -(gross >> 32) ELSE gross >> 32 END) AS BIGINT),
     CAST(sum(CASE kind WHEN 2 THEN -(gross & 4294967295) ELSE gross & 4294967295 END) AS BIGINT)";

/// Reads a row of [`OF_DAYS`] or [`OF_ROWS`].
pub(super) fn read(row: &SqliteRow) -> Result<Sum, StorageError> {
    let code: String = row.try_get(0)?;
    let currency = Currency::parse(&code)
        .ok_or_else(|| StorageError::corrupt(format!("{code:?} is no currency")))?;
    let integer = |at: usize| row.try_get::<i64, _>(at);
    let amount = |at: usize| {
        Ok::<_, sqlx::Error>((i128::from(integer(at)?) << 32) + i128::from(integer(at + 1)?))
    };
    let count = u64::try_from(integer(1)?).unwrap_or_default();
    Ok(Sum {
        currency,
        count,
        net: amount(2)?,
        tax: amount(4)?,
        gross: amount(6)?,
    })
}
