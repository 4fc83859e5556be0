//! Import of many documents in one transaction.

use invoicing_storage::documents::{DocumentRow, NumberSeries};
use invoicing_storage::reports::TaxChanges;
use rusqlite::{Transaction, params};

use super::rows::insert;
use super::sums::{self, CountedDocument};
use super::{credits, debits};
use crate::engine::EngineError;
use crate::payments::add_receivables;
use crate::reports::add_taxes;

/// Adds documents of one organization, and raises the numbers of their series.
pub(super) fn import(
    transaction: &Transaction<'_>,
    rows: &[DocumentRow],
    series: &[(NumberSeries, i64)],
) -> Result<(), EngineError> {
    let Some(first) = rows.first() else {
        return Ok(());
    };
    for row in rows {
        insert(transaction, row)?;
    }
    let counted: Vec<_> = rows.iter().map(CountedDocument::new).collect();
    sums::change(transaction, &first.organization, &counted, &[])?;
    let taken_off = add_receivables(transaction, rows)?;
    let mut taxes = TaxChanges::default();
    for row in rows {
        taxes.add(&row.document);
    }
    add_taxes(transaction, &first.organization, &taxes)?;
    credits::insert(transaction, rows, &taken_off)?;
    debits::insert(transaction, rows)?;
    let mut raise = transaction.prepare_cached(
        "INSERT INTO document_series (organization_id, kind, year, last_number) VALUES (?1, ?2, ?3, ?4)
         ON CONFLICT (organization_id, kind, year) DO UPDATE SET last_number = max(last_number, excluded.last_number)",
    )?;
    for (series, last) in series {
        raise.execute(params![
            first.organization.as_str(),
            series.kind as i32,
            series.year,
            last
        ])?;
    }
    Ok(())
}
