//! Counts and sums of documents: per day, maintained with every write, and of the rows that a filter selects.

use std::collections::BTreeMap;

use rusqlite::{Row, Transaction, params_from_iter};

use super::amounts::currency;
use crate::engine::EngineError;
use invoicing_storage::documents::{CurrencySum, DocumentRow};

const ADD: &str =
    "INSERT INTO document_sums (organization_id, issue_date, status, kind, currency, documents,
         net_high, net_low, tax_high, tax_low, gross_high, gross_low)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)
     ON CONFLICT (organization_id, issue_date, status, kind, currency) DO UPDATE SET
         documents = documents + excluded.documents,
         net_high = net_high + excluded.net_high, net_low = net_low + excluded.net_low,
         tax_high = tax_high + excluded.tax_high, tax_low = tax_low + excluded.tax_low,
         gross_high = gross_high + excluded.gross_high, gross_low = gross_low + excluded.gross_low";

const SUBTRACT: &str = "UPDATE document_sums AS s SET documents = s.documents - 1,
         net_high = s.net_high - (d.net >> 32), net_low = s.net_low - (d.net & 4294967295),
         tax_high = s.tax_high - (d.tax >> 32), tax_low = s.tax_low - (d.tax & 4294967295),
         gross_high = s.gross_high - (d.gross >> 32), gross_low = s.gross_low - (d.gross & 4294967295)
     FROM documents AS d
     WHERE d.id = ?1 AND s.organization_id = d.organization_id AND s.issue_date = d.issue_date
         AND s.status = d.status AND s.kind = d.kind AND s.currency = d.currency";

/// Adds documents of one organization to the sums: one statement per day, status, kind and currency.
pub(super) fn add(transaction: &Transaction<'_>, rows: &[DocumentRow]) -> Result<(), EngineError> {
    let mut groups = BTreeMap::<_, [i64; 7]>::new();
    for row in rows {
        let group = (
            row.organization.as_str(),
            row.issue_date.as_str(),
            row.status as i32,
            row.kind as i32,
            row.currency.code(),
        );
        let sums = groups.entry(group).or_default();
        sums[0] += 1;
        for (index, amount) in [(1, row.net), (3, row.tax), (5, row.gross)] {
            sums[index] += amount >> 32;
            sums[index + 1] += amount & 0xffff_ffff;
        }
    }
    let mut add = transaction.prepare_cached(ADD)?;
    for ((organization, issue_date, status, kind, currency), sums) in groups {
        use rusqlite::types::Value;
        let key = [
            Value::from(organization.to_owned()),
            Value::from(issue_date.to_owned()),
            Value::from(status),
            Value::from(kind),
            Value::from(currency.to_owned()),
        ];
        let sums = sums.into_iter().map(Value::from);
        add.execute(params_from_iter(key.into_iter().chain(sums)))?;
    }
    Ok(())
}

/// Subtracts a document from the sums, with the amounts that are stored now.
pub(super) fn subtract(transaction: &Transaction<'_>, id: i64) -> Result<(), EngineError> {
    transaction.prepare_cached(SUBTRACT)?.execute([id])?;
    Ok(())
}

/// Columns of a sum over `document_sums`, grouped by currency, for [`currency_sum`].
pub(super) const OVER_DAYS: &str = "currency, sum(documents),
     sum(CASE kind WHEN 2 THEN -net_high ELSE net_high END),
     sum(CASE kind WHEN 2 THEN -net_low ELSE net_low END),
     sum(CASE kind WHEN 2 THEN -tax_high ELSE tax_high END),
     sum(CASE kind WHEN 2 THEN -tax_low ELSE tax_low END),
     sum(CASE kind WHEN 2 THEN -gross_high ELSE gross_high END),
     sum(CASE kind WHEN 2 THEN -gross_low ELSE gross_low END)";

/// The same columns over `documents`.
pub(super) const OVER_ROWS: &str = "currency, count(*),
     sum(CASE kind WHEN 2 THEN -(net >> 32) ELSE net >> 32 END),
     sum(CASE kind WHEN 2 THEN -(net & 4294967295) ELSE net & 4294967295 END),
     sum(CASE kind WHEN 2 THEN -(tax >> 32) ELSE tax >> 32 END),
     sum(CASE kind WHEN 2 THEN -(tax & 4294967295) ELSE tax & 4294967295 END),
     sum(CASE kind WHEN 2 THEN -(gross >> 32) ELSE gross >> 32 END),
     sum(CASE kind WHEN 2 THEN -(gross & 4294967295) ELSE gross & 4294967295 END)";

/// A row of [`OVER_DAYS`] or [`OVER_ROWS`].
pub(super) fn currency_sum(row: &Row<'_>) -> rusqlite::Result<CurrencySum> {
    // An amount is high * 2^32 + low.
    let amount = |column: usize| {
        let (high, low): (i64, i64) = (row.get(column)?, row.get(column + 1)?);
        Ok::<_, rusqlite::Error>((i128::from(high) << 32) + i128::from(low))
    };
    let count: i64 = row.get(1)?;
    Ok(CurrencySum {
        currency: currency(row.get_ref(0)?.as_str()?)?,
        count: u64::try_from(count).unwrap_or_default(),
        net: amount(2)?,
        tax: amount(4)?,
        gross: amount(6)?,
    })
}
