//! Import of many documents: arrays instead of COPY, which row-level security does not allow.

use std::collections::BTreeMap;

use async_trait::async_trait;
use invoicing_contract::OrganizationId;
use invoicing_storage::StorageError;
use invoicing_storage::documents::{DocumentRow, NumberSeries};
use invoicing_storage::reports::TaxChanges;
use uuid::Uuid;

use super::amount_classes::Spread;
use super::columns::arrays;
use super::rows::{buyer_text_id, row_columns};
use super::sums::{CountedDocument, SumsChange, upsert_sums};
use super::{credits, debits};
use crate::engine::{EngineError, Parameter, Transaction, TransactionEnd, TransactionWork};
use crate::payments::{ReceivableColumns, take_off_credits};
use crate::reports::TaxColumns;

/// Documents of one statement. Larger batches are not faster and take more memory here and there.
const BATCH: usize = 2_000;

const RAISE_SERIES: &str =
    "INSERT INTO document_series (organization_id, kind, year, last_number)
     SELECT $1, series.* FROM unnest($2::integer[], $3::smallint[], $4::bigint[]) AS series (kind, year, last_number)
     ON CONFLICT (organization_id, kind, year) DO UPDATE
         SET last_number = greatest(document_series.last_number, excluded.last_number)";
const INSERT_DOCUMENTS: &str = concat!(
    "INSERT INTO documents (organization_id, key, ",
    row_columns!(),
    ") SELECT $1, document.* FROM unnest($2::uuid[], $3::text[], $4::integer[], $5::integer[], $6::text[], $7::text[],
         $8::text[], $9::text[], $10::text[], $11::bigint[], $12::bigint[], $13::bigint[], $14::bigint[], $15::text[],
         $16::uuid[], $17::bigint[], $18::text[], $19::bigint[], $20::text[], $21::bytea[], $22::bytea[], $23::bytea[],
         $24::bytea[], $25::bytea[], $26::bytea[]) AS document
     ON CONFLICT (organization_id, key) DO NOTHING"
);
const INSERT_TEXTS: &str = "INSERT INTO buyer_texts (organization_id, id, text)
     SELECT $1, buyer.* FROM unnest($2::uuid[], $3::text[]) AS buyer (id, text)
     ON CONFLICT (organization_id, id) DO NOTHING";
const ADD_SUMS: &str = upsert_sums!(
    "(SELECT $1::text AS organization_id)",
    "$2",
    "$3",
    "$4",
    "$5",
    "$6",
    "$7",
    "$8",
    "$9",
    "$10"
);
const COUNT_STORED: &str =
    "SELECT count(*) FROM unnest($2::uuid[], $3::text[]) AS imported (key, concurrency_stamp)
     JOIN documents stored ON stored.organization_id = $1 AND stored.key = imported.key
         AND stored.concurrency_stamp = imported.concurrency_stamp";

/// Adds documents of one organization, all or none.
pub(super) struct ImportDocuments<'a> {
    organization: &'a OrganizationId,
    /// By key: two imports wait for each other instead of both ways.
    rows: Vec<DocumentRow>,
    series: &'a [(NumberSeries, i64)],
}

impl<'a> ImportDocuments<'a> {
    pub(super) fn new(
        organization: &'a OrganizationId,
        mut rows: Vec<DocumentRow>,
        series: &'a [(NumberSeries, i64)],
    ) -> Self {
        rows.sort_by_key(|row| row.key);
        Self {
            organization,
            rows,
            series,
        }
    }

    async fn raise_series(&self, transaction: &Transaction) -> Result<(), EngineError> {
        let mut last_numbers = BTreeMap::new();
        for (series, last) in self.series {
            let known = last_numbers.entry((series.kind as i32, series.year));
            let known = known.or_insert(*last);
            *known = i64::max(*known, *last);
        }
        let kinds: Vec<i32> = last_numbers.keys().map(|(kind, _)| *kind).collect();
        let years: Vec<i16> = last_numbers.keys().map(|(_, year)| *year).collect();
        let last: Vec<i64> = last_numbers.into_values().collect();
        let organization = self.organization.as_str();
        transaction
            .execute(RAISE_SERIES, &[&organization, &kinds, &years, &last])
            .await?;
        Ok(())
    }

    async fn insert_texts(&self, transaction: &Transaction) -> Result<(), EngineError> {
        let texts = self.rows.iter().map(|row| row.buyer_text.as_str());
        let texts: BTreeMap<Uuid, &str> = texts.map(|text| (buyer_text_id(text), text)).collect();
        let (ids, texts): (Vec<Uuid>, Vec<&str>) = texts.into_iter().unzip();
        let organization = self.organization.as_str();
        transaction
            .execute(INSERT_TEXTS, &[&organization, &ids, &texts])
            .await?;
        Ok(())
    }

    async fn add_sums(&self, transaction: &Transaction) -> Result<(), EngineError> {
        let counted = self.rows.iter().map(CountedDocument::new);
        let sums = SumsChange::new(Spread::FIRST, counted, None);
        let organization = self.organization.as_str();
        let mut parameters: Vec<Parameter<'_>> = vec![&organization];
        parameters.extend(sums.parameters());
        transaction.execute(ADD_SUMS, &parameters).await?;
        Ok(())
    }

    /// Whether all documents are stored with their stamps: by an attempt before, whose answer to the commit was lost.
    async fn is_stored(&self, transaction: &Transaction) -> Result<bool, EngineError> {
        let keys: Vec<Uuid> = self.rows.iter().map(|row| row.key).collect();
        let stamps = self.rows.iter().map(|row| &*row.document.concurrency_stamp);
        let stamps: Vec<&str> = stamps.collect();
        let organization = self.organization.as_str();
        let row = transaction
            .row(COUNT_STORED, &[&organization, &keys, &stamps])
            .await?;
        let count: Option<i64> = row.map(|row| row.try_get(0)).transpose()?;
        Ok(count.and_then(|count| usize::try_from(count).ok()) == Some(keys.len()))
    }
}

#[async_trait]
impl TransactionWork for ImportDocuments<'_> {
    type Output = ();

    fn organization(&self) -> Option<&OrganizationId> {
        Some(self.organization)
    }

    async fn run(&self, transaction: &Transaction) -> Result<TransactionEnd<()>, EngineError> {
        self.raise_series(transaction).await?;
        let mut inserted = 0;
        for batch in self.rows.chunks(BATCH) {
            let added = insert_batch(transaction, self.organization, batch).await?;
            let repeats = transaction.repeats_commit() && added == 0 && inserted == 0;
            if repeats && self.is_stored(transaction).await? {
                return Ok(TransactionEnd::Rollback(()));
            }
            if added < batch.len() as u64 {
                return Err(StorageError::unexpected("a document with the key exists").into());
            }
            inserted += added;
        }
        self.insert_texts(transaction).await?;
        let rows: Vec<_> = self.rows.iter().collect();
        // In parts: the statement reads arrays by position, which takes time by the square of their length. Those of taxes and sums
        // do too, but they have a row for each group (date, kind, currency) and not for each document.
        for rows in rows.chunks(BATCH) {
            if let Some(receivables) = ReceivableColumns::new(rows) {
                transaction.write(&receivables.write()).await?;
            }
        }
        let taken_off = take_off_credits(transaction, &rows).await?;
        let mut taxes = TaxChanges::default();
        for row in &self.rows {
            taxes.add(&row.document);
        }
        if let Some(taxes) = TaxColumns::new(self.organization, &taxes) {
            transaction.write(&taxes.write()).await?;
        }
        credits::insert(transaction, &rows, &taken_off).await?;
        debits::insert(transaction, &rows).await?;
        self.add_sums(transaction).await?;
        Ok(TransactionEnd::Commit(()))
    }
}

/// Inserts documents whose keys are not taken. Returns how many.
async fn insert_batch(
    transaction: &Transaction,
    organization: &OrganizationId,
    rows: &[DocumentRow],
) -> Result<u64, EngineError> {
    let rows: Vec<&DocumentRow> = rows.iter().collect();
    let arrays = arrays(&rows);
    let organization = organization.as_str();
    let mut parameters: Vec<Parameter<'_>> = vec![&organization];
    parameters.extend(arrays.iter().map(|array| &**array as Parameter<'_>));
    transaction.execute(INSERT_DOCUMENTS, &parameters).await
}
