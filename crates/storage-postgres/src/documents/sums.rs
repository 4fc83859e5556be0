//! Counts and sums of documents: per day, maintained with every write, and of the rows that a filter selects.

use std::collections::BTreeMap;

use invoicing_storage::StorageError;
use invoicing_storage::documents::{CurrencySum, DocumentRow};
use tokio_postgres::Row;
use uuid::Uuid;

use super::amounts::currency;
use crate::engine::{EngineError, Parameter};

/// Slots of a day. Writers of one organization wait for each other only in the same slot.
const SLOTS: u8 = 16;
/// The slot of imported documents, and of months with a limit.
pub(super) const FIRST_SLOT: i16 = 0;

/// The slot in which a document is counted.
pub(super) fn slot(key: Uuid) -> i16 {
    let [.., last] = key.into_bytes();
    i16::from(last % SLOTS)
}

/// Adds a [`SumsChange`], whose parameters follow the source of `organization_id`. Its groups are in the order of the key, so
/// that two writers take the locks of their rows in the same order.
macro_rules! upsert_sums {
    ($source:literal, $slot:literal, $date:literal, $status:literal, $kind:literal, $currency:literal, $documents:literal,
        $net:literal, $tax:literal, $gross:literal) => {
        concat!(
            "INSERT INTO document_sums (organization_id, issue_date, status, kind, currency, slot, documents, net, tax, gross)
             SELECT source.organization_id, change.date, change.status, change.kind, change.currency, ",
            $slot,
            "::smallint, change.documents, change.net::numeric, change.tax::numeric, change.gross::numeric
             FROM ",
            $source,
            " AS source, unnest(",
            $date,
            "::text[], ",
            $status,
            "::integer[], ",
            $kind,
            "::integer[], ",
            $currency,
            "::text[], ",
            $documents,
            "::bigint[], ",
            $net,
            "::text[], ",
            $tax,
            "::text[], ",
            $gross,
            "::text[]) AS change (date, status, kind, currency, documents, net, tax, gross)
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
type Group = (String, i32, i32, String);

/// A document as it is counted.
pub(super) struct CountedDocument {
    group: Group,
    amounts: [i64; 3],
}

impl CountedDocument {
    /// A document to be written.
    pub(super) fn new(row: &DocumentRow) -> Self {
        let currency = row.currency.code().to_owned();
        Self {
            group: (
                row.issue_date.clone(),
                row.status as i32,
                row.kind as i32,
                currency,
            ),
            amounts: [row.net, row.tax, row.gross],
        }
    }

    /// A stored document.
    pub(super) fn stored(row: &Row) -> Result<Self, EngineError> {
        Ok(Self {
            group: (
                row.try_get("issue_date")?,
                row.try_get("status")?,
                row.try_get("kind")?,
                row.try_get("currency")?,
            ),
            amounts: [
                row.try_get("net")?,
                row.try_get("tax")?,
                row.try_get("gross")?,
            ],
        })
    }
}

/// A change of counts and sums, as the parameters of a statement. Amounts are decimal text: sums exceed 64 bits.
pub(super) struct SumsChange {
    slot: i16,
    dates: Vec<String>,
    statuses: Vec<i32>,
    kinds: Vec<i32>,
    currencies: Vec<String>,
    documents: Vec<i64>,
    amounts: [Vec<String>; 3],
}

impl SumsChange {
    /// `added` counts more, `removed` less. Groups that do not change are left out.
    pub(super) fn new(
        slot: i16,
        added: impl IntoIterator<Item = CountedDocument>,
        removed: impl IntoIterator<Item = CountedDocument>,
    ) -> Self {
        let mut groups = BTreeMap::<Group, (i64, [i128; 3])>::new();
        let added = added.into_iter().map(|document| (document, 1));
        let removed = removed.into_iter().map(|document| (document, -1));
        for (document, sign) in added.chain(removed) {
            let (documents, sums) = groups.entry(document.group).or_default();
            *documents += sign;
            for (sum, amount) in sums.iter_mut().zip(document.amounts) {
                *sum += i128::from(sign) * i128::from(amount);
            }
        }
        groups.retain(|_, change| *change != (0, [0; 3]));
        let mut change = Self {
            slot,
            dates: Vec::new(),
            statuses: Vec::new(),
            kinds: Vec::new(),
            currencies: Vec::new(),
            documents: Vec::new(),
            amounts: Default::default(),
        };
        for ((date, status, kind, currency), (documents, sums)) in groups {
            change.dates.push(date);
            change.statuses.push(status);
            change.kinds.push(kind);
            change.currencies.push(currency);
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
            &self.slot,
            &self.dates,
            &self.statuses,
            &self.kinds,
            &self.currencies,
            &self.documents,
            net,
            tax,
            gross,
        ]
    }
}

/// Columns of a sum over `document_sums`, grouped by currency, for [`currency_sum`].
pub(super) const OVER_DAYS: &str = "currency, sum(documents)::bigint AS documents,
     sum(CASE kind WHEN 2 THEN -net ELSE net END)::text AS net,
     sum(CASE kind WHEN 2 THEN -tax ELSE tax END)::text AS tax,
     sum(CASE kind WHEN 2 THEN -gross ELSE gross END)::text AS gross";

/// The same columns over `documents`.
pub(super) const OVER_ROWS: &str = "currency, count(*) AS documents,
     sum(CASE kind WHEN 2 THEN -net ELSE net END)::text AS net,
     sum(CASE kind WHEN 2 THEN -tax ELSE tax END)::text AS tax,
     sum(CASE kind WHEN 2 THEN -gross ELSE gross END)::text AS gross";

/// A row of [`OVER_DAYS`] or [`OVER_ROWS`].
pub(super) fn currency_sum(row: &Row) -> Result<CurrencySum, EngineError> {
    let amount = |column: &str| {
        let text: &str = row.try_get(column)?;
        text.parse::<i128>()
            .map_err(|error| EngineError::from(StorageError::corrupt(error)))
    };
    let count: i64 = row.try_get("documents")?;
    Ok(CurrencySum {
        currency: currency(row, "currency")?,
        count: u64::try_from(count).unwrap_or_default(),
        net: amount("net")?,
        tax: amount("tax")?,
        gross: amount("gross")?,
    })
}
