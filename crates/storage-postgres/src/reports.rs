//! [`ReportStore`] on PostgreSQL, and the sums of taxes.

use async_trait::async_trait;
use invoicing_contract::OrganizationId;
use invoicing_contract::messages::documents::Party;
use invoicing_storage::StorageError;
use invoicing_storage::reports::{
    AgeingBounds, AgeingBucket, BuyerGroup, BuyerSum, MonthSum, OpenSum, ReportStore, TaxChange,
    TaxChanges, TaxGroup, TaxSum,
};
use prost::Message as _;
use tokio_postgres::Row;

use crate::Postgres;
use crate::engine::{EngineError, Parameter, Write, count, invalid_value};
use crate::values::{currency, kind};

/// Sums are numeric: they exceed 64 bits.
const SELECT_OPEN: &str = "SELECT currency, bucket, count(*) AS documents, sum(open)::text AS open
     FROM (SELECT currency, payable - paid - credited AS open, CASE
             WHEN payable < paid + credited THEN 5 WHEN due_on >= $2 THEN 0 WHEN due_on >= $3 THEN 1
             WHEN due_on >= $4 THEN 2 WHEN due_on >= $5 THEN 3 ELSE 4 END::bigint AS bucket
         FROM receivables WHERE organization_id = $1 AND payable <> paid + credited) AS receivable
     GROUP BY currency, bucket ORDER BY currency, bucket";
const SELECT_MONTHS: &str = "SELECT substr(issue_date, 1, 7) AS month, kind, currency, sum(documents)::bigint AS documents,
         sum(net)::text AS net, sum(tax)::text AS tax, sum(gross)::text AS gross
     FROM document_sums WHERE organization_id = $1 AND issue_date >= $2 AND issue_date <= $3 AND status IN (2, 3)
     GROUP BY month, currency, kind HAVING sum(documents) <> 0 ORDER BY month, currency, kind";
/// A scan of `documents_summary`. The buyers after the first ones are summed as one, whose position is the last.
const SELECT_BUYERS: &str = "WITH buyers AS (
         SELECT currency, buyer_text_id, count(*) AS documents, sum(sign * net) AS net, sum(sign * tax) AS tax,
             sum(sign * gross) AS gross
         FROM (SELECT currency, buyer_text_id, net, tax, gross, CASE kind WHEN 2 THEN -1 ELSE 1 END AS sign
             FROM documents WHERE organization_id = $1 AND issue_date >= $2 AND issue_date <= $3 AND status IN (2, 3)) AS document
         GROUP BY currency, buyer_text_id),
     ranked AS (
         SELECT *, row_number() OVER (PARTITION BY currency ORDER BY gross DESC, buyer_text_id) AS position FROM buyers),
     shown AS (
         SELECT currency, least(position, $4::bigint + 1) AS position, (array_agg(buyer_text_id))[1] AS buyer_text_id,
             count(*) AS buyers, sum(documents)::bigint AS documents, sum(net) AS net, sum(tax) AS tax, sum(gross) AS gross
         FROM ranked GROUP BY currency, least(position, $4::bigint + 1))
     SELECT currency, position, buyers, documents, net::text, tax::text, gross::text,
         CASE WHEN position <= $4::bigint THEN (SELECT buyer FROM documents WHERE organization_id = $1
             AND documents.buyer_text_id = shown.buyer_text_id LIMIT 1) END AS buyer
     FROM shown ORDER BY currency, position";
const SELECT_TAXES: &str = "SELECT kind, currency, category, rate, sum(documents)::bigint AS documents,
         sum(taxable)::text AS taxable, sum(tax)::text AS tax
     FROM document_tax_sums WHERE organization_id = $1 AND issue_date >= $2 AND issue_date <= $3
     GROUP BY currency, category, rate, kind HAVING sum(documents) <> 0 ORDER BY currency, category, rate, kind";
/// In the order of the key, so that two writers take the locks of rows in the same order.
const ADD_TAXES: &str =
    "INSERT INTO document_tax_sums (organization_id, issue_date, kind, currency, category, rate, documents, taxable, tax)
     SELECT $1, ($2::text[])[position], ($3::integer[])[position], ($4::text[])[position], ($5::text[])[position],
         ($6::text[])[position], ($7::bigint[])[position], ($8::text[])[position]::numeric, ($9::text[])[position]::numeric
     FROM generate_subscripts($7::bigint[], 1) AS position
     ON CONFLICT (organization_id, issue_date, kind, currency, category, rate) DO UPDATE SET
         documents = document_tax_sums.documents + excluded.documents,
         taxable = document_tax_sums.taxable + excluded.taxable, tax = document_tax_sums.tax + excluded.tax";

impl Postgres {
    async fn report<Sum>(
        &self,
        organization: &OrganizationId,
        statement: &'static str,
        parameters: &[Parameter<'_>],
        read: fn(&Row) -> Result<Sum, EngineError>,
    ) -> Result<Vec<Sum>, StorageError> {
        let rows = self
            .engine()
            .rows(Some(organization), statement, parameters)
            .await?;
        Ok(rows.iter().map(read).collect::<Result<_, _>>()?)
    }
}

#[async_trait]
impl ReportStore for Postgres {
    async fn open_sums(
        &self,
        organization: &OrganizationId,
        bounds: &AgeingBounds,
    ) -> Result<Vec<OpenSum>, StorageError> {
        let AgeingBounds([not_due, days_30, days_60, days_90]) = bounds;
        let parameters: [Parameter<'_>; 5] =
            [&organization.as_str(), not_due, days_30, days_60, days_90];
        self.report(organization, SELECT_OPEN, &parameters, |row| {
            let bucket: i64 = row.try_get("bucket")?;
            Ok(OpenSum {
                currency: currency(row, "currency")?,
                bucket: AgeingBucket::numbered(bucket)
                    .ok_or_else(|| invalid_value(&bucket.to_string(), "bucket"))?,
                documents: count(row, "documents")?,
                open: amount(row, "open")?,
            })
        })
        .await
    }

    async fn month_sums(
        &self,
        organization: &OrganizationId,
        from: &str,
        to: &str,
    ) -> Result<Vec<MonthSum>, StorageError> {
        let parameters: [Parameter<'_>; 3] = [&organization.as_str(), &from, &to];
        self.report(organization, SELECT_MONTHS, &parameters, |row| {
            Ok(MonthSum {
                month: row.try_get("month")?,
                kind: kind(row.try_get("kind")?)?,
                currency: currency(row, "currency")?,
                documents: count(row, "documents")?,
                net: amount(row, "net")?,
                tax: amount(row, "tax")?,
                gross: amount(row, "gross")?,
            })
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
        let most = i64::from(most);
        let parameters: [Parameter<'_>; 4] = [&organization.as_str(), &from, &to, &most];
        let rows = self
            .engine()
            .rows(Some(organization), SELECT_BUYERS, &parameters)
            .await?;
        let sums = rows.iter().map(|row| {
            Ok(BuyerSum {
                group: buyer_group(row, most)?,
                currency: currency(row, "currency")?,
                documents: count(row, "documents")?,
                net: amount(row, "net")?,
                tax: amount(row, "tax")?,
                gross: amount(row, "gross")?,
            })
        });
        Ok(sums.collect::<Result<_, EngineError>>()?)
    }

    async fn tax_sums(
        &self,
        organization: &OrganizationId,
        from: &str,
        to: &str,
    ) -> Result<Vec<TaxSum>, StorageError> {
        let parameters: [Parameter<'_>; 3] = [&organization.as_str(), &from, &to];
        self.report(organization, SELECT_TAXES, &parameters, |row| {
            Ok(TaxSum {
                kind: kind(row.try_get("kind")?)?,
                currency: currency(row, "currency")?,
                category: row.try_get("category")?,
                rate: row.try_get("rate")?,
                documents: count(row, "documents")?,
                taxable: amount(row, "taxable")?,
                tax: amount(row, "tax")?,
            })
        })
        .await
    }
}

/// Whose documents a row of [`SELECT_BUYERS`] sums.
fn buyer_group(row: &Row, most: i64) -> Result<BuyerGroup, EngineError> {
    if row.try_get::<_, i64>("position")? > most {
        return Ok(BuyerGroup::Rest(count(row, "buyers")?));
    }
    let encoded: Option<&[u8]> = row.try_get("buyer")?;
    let party = encoded.map(Party::decode).transpose();
    let party = party.map_err(StorageError::corrupt)?;
    Ok(party.map_or(BuyerGroup::NoBuyer, |party| {
        BuyerGroup::Buyer(Box::new(party))
    }))
}

fn amount(row: &Row, column: &str) -> Result<i128, EngineError> {
    let text: &str = row.try_get(column)?;
    Ok(text.parse().map_err(StorageError::corrupt)?)
}

/// Changes of the sums of taxes of one organization, as columns of a statement. Amounts are decimal text: sums exceed 64 bits.
pub(crate) struct TaxColumns<'a> {
    organization: &'a str,
    dates: Vec<String>,
    kinds: Vec<i32>,
    currencies: Vec<&'static str>,
    categories: Vec<String>,
    rates: Vec<String>,
    documents: Vec<i64>,
    taxable: Vec<String>,
    tax: Vec<String>,
}

impl<'a> TaxColumns<'a> {
    /// `None` if nothing changes.
    pub(crate) fn new(organization: &'a OrganizationId, changes: &TaxChanges) -> Option<Self> {
        let changes: Vec<_> = changes.iter().collect();
        if changes.is_empty() {
            return None;
        }
        let text = |of: fn(&(&TaxGroup, &TaxChange)) -> String| {
            changes.iter().map(of).collect::<Vec<String>>()
        };
        Some(Self {
            organization: organization.as_str(),
            dates: text(|(group, _)| group.issue_date.clone()),
            kinds: changes.iter().map(|(group, _)| group.kind).collect(),
            currencies: changes.iter().map(|(group, _)| group.currency).collect(),
            categories: text(|(group, _)| group.category.clone()),
            rates: text(|(group, _)| group.rate.clone()),
            documents: changes.iter().map(|(_, change)| change.documents).collect(),
            taxable: text(|(_, change)| change.taxable.to_string()),
            tax: text(|(_, change)| change.tax.to_string()),
        })
    }

    /// The statement that adds them.
    pub(crate) fn write(&self) -> Write<'_> {
        Write {
            statement: ADD_TAXES,
            parameters: vec![
                &self.organization,
                &self.dates,
                &self.kinds,
                &self.currencies,
                &self.categories,
                &self.rates,
                &self.documents,
                &self.taxable,
                &self.tax,
            ],
        }
    }
}
