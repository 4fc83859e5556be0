//! [`ReportStore`] on SQLite, and the sums of taxes.

use async_trait::async_trait;
use invoicing_contract::OrganizationId;
use invoicing_contract::messages::documents::Party;
use prost::Message as _;
use rusqlite::{Row, Transaction, params};

use crate::Sqlite;
use crate::engine::{EngineError, count, invalid_value};
use crate::values::{currency, kind};
use invoicing_storage::StorageError;
use invoicing_storage::reports::{
    AgeingBounds, AgeingBucket, BuyerGroup, BuyerSum, MonthSum, OpenSum, ReportStore, TaxChanges,
    TaxSum,
};

/// An amount is high * 2^32 + low with separate sums, so that no sum overflows.
const SELECT_OPEN: &str =
    "SELECT currency, bucket, count(*), sum(open >> 32), sum(open & 4294967295)
     FROM (SELECT currency, payable - paid - credited AS open, CASE
             WHEN payable < paid + credited THEN 5 WHEN due_on >= ?2 THEN 0 WHEN due_on >= ?3 THEN 1
             WHEN due_on >= ?4 THEN 2 WHEN due_on >= ?5 THEN 3 ELSE 4 END AS bucket
         FROM receivables WHERE organization_id = ?1 AND payable <> paid + credited)
     GROUP BY currency, bucket ORDER BY currency, bucket";
const SELECT_MONTHS: &str = "SELECT substr(issue_date, 1, 7) AS month, kind, currency, sum(documents),
         sum(net_high), sum(net_low), sum(tax_high), sum(tax_low), sum(gross_high), sum(gross_low)
     FROM document_sums WHERE organization_id = ?1 AND issue_date >= ?2 AND issue_date <= ?3 AND status IN (2, 3)
         AND documents <> 0
     GROUP BY month, currency, kind ORDER BY month, currency, kind";
/// A scan of `documents_summary`, which is ordered by currency and buyer. The buyers after the first ones are summed as one, whose
/// position is the last. A sum of low parts is below 2^63 for two billion documents.
const SELECT_BUYERS: &str = "WITH buyers AS (
         SELECT currency, buyer_text_id, max(id) AS newest, count(*) AS documents,
             sum(sign * (net >> 32)) AS net_high, sum(sign * (net & 4294967295)) AS net_low,
             sum(sign * (tax >> 32)) AS tax_high, sum(sign * (tax & 4294967295)) AS tax_low,
             sum(sign * (gross >> 32)) AS gross_high, sum(sign * (gross & 4294967295)) AS gross_low
         FROM (SELECT id, currency, buyer_text_id, net, tax, gross, CASE kind WHEN 2 THEN -1 ELSE 1 END AS sign
             FROM documents WHERE organization_id = ?1 AND issue_date >= ?2 AND issue_date <= ?3 AND status IN (2, 3))
         GROUP BY currency, buyer_text_id),
     ranked AS (
         SELECT *, row_number() OVER (PARTITION BY currency ORDER BY gross_high + (gross_low >> 32) DESC,
             gross_low & 4294967295 DESC, newest) AS position FROM buyers)
     SELECT shown.*, (SELECT buyer FROM document_contents WHERE id = newest) FROM (
         SELECT currency, min(position, ?4 + 1) AS position, count(*), sum(documents), sum(net_high), sum(net_low),
             sum(tax_high), sum(tax_low), sum(gross_high), sum(gross_low), max(newest) AS newest
         FROM ranked GROUP BY currency, min(position, ?4 + 1)) AS shown
     ORDER BY currency, position";
const SELECT_TAXES: &str = "SELECT kind, currency, category, rate, sum(documents), sum(taxable_high), sum(taxable_low),
         sum(tax_high), sum(tax_low)
     FROM document_tax_sums WHERE organization_id = ?1 AND issue_date >= ?2 AND issue_date <= ?3
     GROUP BY currency, category, rate, kind HAVING sum(documents) <> 0 ORDER BY currency, category, rate, kind";
const ADD_TAXES: &str =
    "INSERT INTO document_tax_sums (organization_id, issue_date, kind, currency, category, rate, documents,
         taxable_high, taxable_low, tax_high, tax_low)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
     ON CONFLICT (organization_id, issue_date, kind, currency, category, rate) DO UPDATE SET
         documents = documents + excluded.documents,
         taxable_high = taxable_high + excluded.taxable_high, taxable_low = taxable_low + excluded.taxable_low,
         tax_high = tax_high + excluded.tax_high, tax_low = tax_low + excluded.tax_low";

#[async_trait]
impl ReportStore for Sqlite {
    async fn open_sums(
        &self,
        organization: &OrganizationId,
        bounds: &AgeingBounds,
    ) -> Result<Vec<OpenSum>, StorageError> {
        let (organization, AgeingBounds(bounds)) = (organization.clone(), bounds.clone());
        self.engine()
            .read(move |connection| {
                let mut select = connection.prepare_cached(SELECT_OPEN)?;
                let [not_due, days_30, days_60, days_90] = bounds;
                let parameters = params![organization.as_str(), not_due, days_30, days_60, days_90];
                let rows = select.query_map(parameters, |row| {
                    let bucket: i64 = row.get(1)?;
                    Ok(OpenSum {
                        currency: currency(row.get_ref(0)?.as_str()?)?,
                        bucket: AgeingBucket::numbered(bucket)
                            .ok_or_else(|| invalid_value(&bucket.to_string(), "bucket"))?,
                        documents: count(row, 2)?,
                        open: amount(row, 3)?,
                    })
                })?;
                Ok(rows.collect::<Result<_, _>>()?)
            })
            .await
    }

    async fn month_sums(
        &self,
        organization: &OrganizationId,
        from: &str,
        to: &str,
    ) -> Result<Vec<MonthSum>, StorageError> {
        let (organization, from, to) = (organization.clone(), from.to_owned(), to.to_owned());
        self.engine()
            .read(move |connection| {
                let mut select = connection.prepare_cached(SELECT_MONTHS)?;
                let rows = select.query_map(params![organization.as_str(), from, to], |row| {
                    Ok(MonthSum {
                        month: row.get(0)?,
                        kind: kind(row.get(1)?)?,
                        currency: currency(row.get_ref(2)?.as_str()?)?,
                        documents: count(row, 3)?,
                        net: amount(row, 4)?,
                        tax: amount(row, 6)?,
                        gross: amount(row, 8)?,
                    })
                })?;
                Ok(rows.collect::<Result<_, _>>()?)
            })
            .await
    }

    async fn buyer_sums(
        &self,
        organization: &OrganizationId,
        from: &str,
        to: &str,
        most: u32,
    ) -> Result<Vec<BuyerSum>, StorageError> {
        let (organization, from, to) = (organization.clone(), from.to_owned(), to.to_owned());
        self.engine()
            .read(move |connection| {
                let mut select = connection.prepare_cached(SELECT_BUYERS)?;
                let parameters = params![organization.as_str(), from, to, most];
                let mut rows = select.query(parameters)?;
                let mut sums = Vec::new();
                while let Some(row) = rows.next()? {
                    let code: String = row.get(0)?;
                    sums.push(BuyerSum {
                        group: buyer_group(row, most)?,
                        currency: currency(&code)?,
                        documents: count(row, 3)?,
                        net: amount(row, 4)?,
                        tax: amount(row, 6)?,
                        gross: amount(row, 8)?,
                    });
                }
                Ok(sums)
            })
            .await
    }

    async fn tax_sums(
        &self,
        organization: &OrganizationId,
        from: &str,
        to: &str,
    ) -> Result<Vec<TaxSum>, StorageError> {
        let (organization, from, to) = (organization.clone(), from.to_owned(), to.to_owned());
        self.engine()
            .read(move |connection| {
                let mut select = connection.prepare_cached(SELECT_TAXES)?;
                let rows = select.query_map(params![organization.as_str(), from, to], |row| {
                    Ok(TaxSum {
                        kind: kind(row.get(0)?)?,
                        currency: currency(row.get_ref(1)?.as_str()?)?,
                        category: row.get(2)?,
                        rate: row.get(3)?,
                        documents: count(row, 4)?,
                        taxable: amount(row, 5)?,
                        tax: amount(row, 7)?,
                    })
                })?;
                Ok(rows.collect::<Result<_, _>>()?)
            })
            .await
    }
}

/// Whose documents a row of [`SELECT_BUYERS`] sums.
fn buyer_group(row: &Row<'_>, most: u32) -> Result<BuyerGroup, EngineError> {
    let position: i64 = row.get(1)?;
    if position > i64::from(most) {
        return Ok(BuyerGroup::Rest(count(row, 2)?));
    }
    let encoded: Option<Vec<u8>> = row.get(11)?;
    let party = encoded.map(|encoded| Party::decode(encoded.as_slice()));
    let party = party.transpose().map_err(StorageError::corrupt)?;
    Ok(party.map_or(BuyerGroup::NoBuyer, |party| {
        BuyerGroup::Buyer(Box::new(party))
    }))
}

/// The amount whose high part is in a column, and whose low part is in the next.
fn amount(row: &Row<'_>, column: usize) -> rusqlite::Result<i128> {
    let (high, low): (i64, i64) = (row.get(column)?, row.get(column + 1)?);
    Ok((i128::from(high) << 32) + i128::from(low))
}

/// Adds the changes of one organization to the sums of taxes.
pub(crate) fn add_taxes(
    transaction: &Transaction<'_>,
    organization: &OrganizationId,
    changes: &TaxChanges,
) -> Result<(), EngineError> {
    for (group, change) in changes.iter() {
        let parts = |amount: i128| {
            let high = i64::try_from(amount >> 32).map_err(StorageError::unexpected)?;
            let low = i64::try_from(amount & 0xffff_ffff).map_err(StorageError::unexpected)?;
            Ok::<_, StorageError>((high, low))
        };
        let (taxable, tax) = (parts(change.taxable)?, parts(change.tax)?);
        transaction.prepare_cached(ADD_TAXES)?.execute(params![
            organization.as_str(),
            group.issue_date,
            group.kind,
            group.currency,
            group.category,
            group.rate,
            change.documents,
            taxable.0,
            taxable.1,
            tax.0,
            tax.1,
        ])?;
    }
    Ok(())
}
