//! Counts and sums of documents: per day, maintained with every write, and of the rows that a filter selects.

use std::collections::BTreeMap;

use invoicing_storage::StorageError;
use invoicing_storage::documents::{CurrencySum, DocumentRow};
use tokio_postgres::Row;
use uuid::Uuid;

use super::amount_classes::Spread;
use crate::engine::{EngineError, Parameter, count};
use crate::values::currency;

/// Slots of a month. Writers of one organization wait for each other only in the same slot.
const MONTH_SLOTS: u8 = 16;
/// The slot of months with a limit.
pub(super) const FIRST_MONTH_SLOT: i16 = 0;

/// The slot of its month in which a document is counted.
pub(super) fn month_slot(key: Uuid) -> i16 {
    let [.., last] = key.into_bytes();
    i16::from(last % MONTH_SLOTS)
}

/// Adds a [`SumsChange`], whose parameters follow the source of `organization_id`. Its groups are in the order of the key, so
/// that two writers take the locks of their rows in the same order. Values are read by their positions: `unnest` of several arrays
/// would make a table of each of them first, which takes longer than writing a row. For thousands of rows `unnest` is faster: an
/// element of a text array is found by walking those before it.
macro_rules! upsert_sums {
    ($source:literal, $date:literal, $status:literal, $kind:literal, $currency:literal, $slot:literal, $documents:literal,
        $net:literal, $tax:literal, $gross:literal) => {
        concat!(
            "INSERT INTO document_sums (organization_id, issue_date, status, kind, currency, slot, documents, net, tax, gross)
             SELECT source.organization_id, (",
            $date,
            "::text[])[position], (",
            $status,
            "::integer[])[position], (",
            $kind,
            "::integer[])[position], (",
            $currency,
            "::text[])[position], (",
            $slot,
            "::smallint[])[position], (",
            $documents,
            "::bigint[])[position], (",
            $net,
            "::text[])[position]::numeric, (",
            $tax,
            "::text[])[position]::numeric, (",
            $gross,
            "::text[])[position]::numeric
             FROM ",
            $source,
            " AS source, generate_subscripts(",
            $documents,
            "::bigint[], 1) AS position
             ON CONFLICT (organization_id, issue_date, status, kind, currency, slot) DO UPDATE SET
                 documents = document_sums.documents + excluded.documents,
                 net = document_sums.net + excluded.net,
                 tax = document_sums.tax + excluded.tax,
                 gross = document_sums.gross + excluded.gross"
        )
    };
}
pub(super) use upsert_sums;

/// What documents are counted by, in the order of the key of `document_sums`.
type Group = (String, i32, i32, String, i16);

/// A document as it is counted.
pub(super) struct CountedDocument {
    date: String,
    status: i32,
    kind: i32,
    currency: String,
    /// What decides its class.
    gross_sort_key: i64,
    amounts: [i64; 3],
}

impl CountedDocument {
    /// A document to be written.
    pub(super) fn new(row: &DocumentRow) -> Self {
        Self {
            date: row.issue_date.clone(),
            status: row.status as i32,
            kind: row.kind as i32,
            currency: row.currency.code().to_owned(),
            gross_sort_key: row.gross_sort_key,
            amounts: [row.net, row.tax, row.gross],
        }
    }

    /// A stored document.
    pub(super) fn stored(row: &Row) -> Result<Self, EngineError> {
        Ok(Self {
            date: row.try_get("issue_date")?,
            status: row.try_get("status")?,
            kind: row.try_get("kind")?,
            currency: row.try_get("currency")?,
            gross_sort_key: row.try_get("gross_sort_key")?,
            amounts: [
                row.try_get("net")?,
                row.try_get("tax")?,
                row.try_get("gross")?,
            ],
        })
    }

    fn group(self, spread: Spread) -> Group {
        let slot = spread.slot(self.gross_sort_key);
        (self.date, self.status, self.kind, self.currency, slot)
    }
}

/// A change of counts and sums, as the parameters of a statement. Amounts are decimal text: sums exceed 64 bits.
pub(super) struct SumsChange {
    dates: Vec<String>,
    statuses: Vec<i32>,
    kinds: Vec<i32>,
    currencies: Vec<String>,
    slots: Vec<i16>,
    documents: Vec<i64>,
    amounts: [Vec<String>; 3],
}

impl SumsChange {
    /// `added` counts more, `removed` less. Groups that do not change are left out.
    pub(super) fn new(
        spread: Spread,
        added: impl IntoIterator<Item = CountedDocument>,
        removed: impl IntoIterator<Item = CountedDocument>,
    ) -> Self {
        let mut groups = BTreeMap::<Group, (i64, [i128; 3])>::new();
        let added = added.into_iter().map(|document| (document, 1));
        let removed = removed.into_iter().map(|document| (document, -1));
        for (document, sign) in added.chain(removed) {
            let amounts = document.amounts;
            let (documents, sums) = groups.entry(document.group(spread)).or_default();
            *documents += sign;
            for (sum, amount) in sums.iter_mut().zip(amounts) {
                *sum += i128::from(sign) * i128::from(amount);
            }
        }
        groups.retain(|_, change| *change != (0, [0; 3]));
        let mut change = Self {
            dates: Vec::new(),
            statuses: Vec::new(),
            kinds: Vec::new(),
            currencies: Vec::new(),
            slots: Vec::new(),
            documents: Vec::new(),
            amounts: Default::default(),
        };
        for ((date, status, kind, currency, slot), (documents, sums)) in groups {
            change.dates.push(date);
            change.statuses.push(status);
            change.kinds.push(kind);
            change.currencies.push(currency);
            change.slots.push(slot);
            change.documents.push(documents);
            for (column, sum) in change.amounts.iter_mut().zip(sums) {
                column.push(sum.to_string());
            }
        }
        change
    }

    /// In the order of [`upsert_sums`].
    pub(super) fn parameters(&self) -> [Parameter<'_>; 9] {
        let [net, tax, gross] = &self.amounts;
        [
            &self.dates,
            &self.statuses,
            &self.kinds,
            &self.currencies,
            &self.slots,
            &self.documents,
            net,
            tax,
            gross,
        ]
    }
}

/// Columns of a sum over rows of `document_sums`, by currency.
pub(super) const OF_DAYS: &str = "currency, sum(documents) AS documents,
     sum(CASE kind WHEN 2 THEN -net ELSE net END) AS net,
     sum(CASE kind WHEN 2 THEN -tax ELSE tax END) AS tax,
     sum(CASE kind WHEN 2 THEN -gross ELSE gross END) AS gross";

/// The same columns over rows of `documents`.
pub(super) const OF_ROWS: &str = "currency, count(*) AS documents,
     sum(CASE kind WHEN 2 THEN -net ELSE net END) AS net,
     sum(CASE kind WHEN 2 THEN -tax ELSE tax END) AS tax,
     sum(CASE kind WHEN 2 THEN -gross ELSE gross END) AS gross";

/// The same columns over rows of `documents` that are taken away.
pub(super) const OF_SUBTRACTED_ROWS: &str = "currency, -count(*) AS documents,
     sum(CASE kind WHEN 2 THEN net ELSE -net END) AS net,
     sum(CASE kind WHEN 2 THEN tax ELSE -tax END) AS tax,
     sum(CASE kind WHEN 2 THEN gross ELSE -gross END) AS gross";

/// Columns of the sum of those, for [`currency_sum`].
pub(super) const OVER_PARTS: &str = "currency, sum(documents)::bigint AS documents,
     sum(net)::text AS net, sum(tax)::text AS tax, sum(gross)::text AS gross";

/// A row of [`OVER_PARTS`].
pub(super) fn currency_sum(row: &Row) -> Result<CurrencySum, EngineError> {
    let amount = |column: &str| {
        let text: &str = row.try_get(column)?;
        text.parse::<i128>()
            .map_err(|error| EngineError::from(StorageError::corrupt(error)))
    };
    Ok(CurrencySum {
        currency: currency(row, "currency")?,
        count: count(row, "documents")?,
        net: amount("net")?,
        tax: amount("tax")?,
        gross: amount("gross")?,
    })
}
