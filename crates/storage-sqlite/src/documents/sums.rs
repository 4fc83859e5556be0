//! Counts and sums of documents, maintained with every write: per day, by classes of amounts, and totals (decision 0156).

use std::borrow::Cow;
use std::collections::BTreeMap;

use rusqlite::{ToSql, Transaction, params, params_from_iter};

use crate::engine::EngineError;
use invoicing_contract::OrganizationId;
use invoicing_contract::messages::documents::Kind;
use invoicing_storage::documents::DocumentRow;
use invoicing_storage::documents::amount_classes::{amounts, class, classes};

/// Adds to a row of sums. The sums are the first parameters, then come the organization and the rest of the key.
macro_rules! add_to {
    ($table:literal, $key:literal, $parameters:literal) => {
        concat!(
            "INSERT INTO ",
            $table,
            " (documents, net_high, net_low, tax_high, tax_low, gross_high, gross_low, organization_id, ",
            $key,
            ") VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ",
            $parameters,
            ") ON CONFLICT (organization_id, ",
            $key,
            ") DO UPDATE SET documents = documents + excluded.documents,
                 net_high = net_high + excluded.net_high, net_low = net_low + excluded.net_low,
                 tax_high = tax_high + excluded.tax_high, tax_low = tax_low + excluded.tax_low,
                 gross_high = gross_high + excluded.gross_high, gross_low = gross_low + excluded.gross_low"
        )
    };
}

const ADD_TO_DAY: &str = add_to!(
    "document_sums",
    "issue_date, status, kind, currency",
    "?9, ?10, ?11, ?12"
);
const ADD_TO_CLASS: &str = add_to!(
    "document_class_sums",
    "currency, issue_date, class, status, kind",
    "?9, ?10, ?11, ?12, ?13"
);
const ADD_TO_TOTAL: &str = add_to!("document_totals", "currency, status, kind", "?9, ?10, ?11");

const SELECT_STORED: &str = "SELECT issue_date, status, kind, currency, gross_sort_key, net, tax, gross FROM documents WHERE id = ?1";

const CLEAR_CLASSES: &str = "DELETE FROM document_class_sums WHERE organization_id = ?1";
/// Counts the documents of one class.
const FILL_CLASS: &str = "INSERT INTO document_class_sums (organization_id, currency, issue_date, class, status, kind, documents,
         net_high, net_low, tax_high, tax_low, gross_high, gross_low)
     SELECT organization_id, currency, issue_date, ?2, status, kind, count(*),
         sum(sign * (net >> 32)), sum(sign * (net & 4294967295)), sum(sign * (tax >> 32)), sum(sign * (tax & 4294967295)),
         sum(sign * (gross >> 32)), sum(sign * (gross & 4294967295))
     FROM (SELECT *, CASE kind WHEN 2 THEN -1 ELSE 1 END AS sign FROM documents INDEXED BY documents_gross
         WHERE organization_id = ?1 AND gross_sort_key >= ?3 AND gross_sort_key <= ?4)
     GROUP BY organization_id, currency, issue_date, status, kind";
const CLEAR_TOTALS: &str = "DELETE FROM document_totals WHERE organization_id = ?1";
const FILL_TOTALS: &str =
    "INSERT INTO document_totals (organization_id, currency, status, kind, documents,
         net_high, net_low, tax_high, tax_low, gross_high, gross_low)
     SELECT organization_id, currency, status, kind, sum(documents),
         sum(net_high), sum(net_low), sum(tax_high), sum(tax_low), sum(gross_high), sum(gross_low)
     FROM document_class_sums WHERE organization_id = ?1
     GROUP BY organization_id, currency, status, kind";

/// A document as it is counted.
pub(super) struct CountedDocument<'a> {
    issue_date: Cow<'a, str>,
    status: i32,
    kind: i32,
    currency: Cow<'a, str>,
    /// What decides its class.
    gross_sort_key: i64,
    /// Net, tax and gross.
    amounts: [i64; 3],
}

impl<'a> CountedDocument<'a> {
    /// A document to be written.
    pub(super) fn new(row: &'a DocumentRow) -> Self {
        Self {
            issue_date: Cow::Borrowed(&row.issue_date),
            status: row.status as i32,
            kind: row.kind as i32,
            currency: Cow::Borrowed(row.currency.code()),
            gross_sort_key: row.gross_sort_key,
            amounts: [row.net, row.tax, row.gross],
        }
    }
}

impl CountedDocument<'static> {
    /// A document as it is stored now.
    pub(super) fn stored(transaction: &Transaction<'_>, id: i64) -> Result<Self, EngineError> {
        let mut select = transaction.prepare_cached(SELECT_STORED)?;
        let stored = select.query_row([id], |row| {
            Ok(Self {
                issue_date: Cow::Owned(row.get(0)?),
                status: row.get(1)?,
                kind: row.get(2)?,
                currency: Cow::Owned(row.get(3)?),
                gross_sort_key: row.get(4)?,
                amounts: [row.get(5)?, row.get(6)?, row.get(7)?],
            })
        })?;
        Ok(stored)
    }
}

/// Count and sums, in the order of the columns: an amount is high * 2^32 + low.
#[derive(Default, PartialEq, Eq)]
struct Sums([i64; 7]);

impl Sums {
    /// Counts a document `times` more, its amounts with `sign`.
    fn count(&mut self, document: &CountedDocument<'_>, times: i64, sign: i64) {
        let [documents, sums @ ..] = &mut self.0;
        *documents += times;
        let halves = document
            .amounts
            .into_iter()
            .flat_map(|amount| [amount >> 32, amount & 0xffff_ffff]);
        for (sum, half) in sums.iter_mut().zip(halves) {
            *sum += times * sign * half;
        }
    }

    /// Adds them to the row with a key, unless they change nothing.
    fn add(
        &self,
        transaction: &Transaction<'_>,
        statement: &'static str,
        organization: &str,
        key: &[&dyn ToSql],
    ) -> Result<(), EngineError> {
        if *self == Self::default() {
            return Ok(());
        }
        let sums = self.0.iter().map(|sum| sum as &dyn ToSql);
        let organization: &dyn ToSql = &organization;
        let parameters = sums.chain([organization]).chain(key.iter().copied());
        transaction
            .prepare_cached(statement)?
            .execute(params_from_iter(parameters))?;
        Ok(())
    }
}

/// Counts documents of one organization that were written, and no longer those that were replaced or deleted: one statement for
/// each row of sums that changes.
pub(super) fn change(
    transaction: &Transaction<'_>,
    organization: &OrganizationId,
    written: &[CountedDocument<'_>],
    removed: &[CountedDocument<'_>],
) -> Result<(), EngineError> {
    let mut days = BTreeMap::<_, Sums>::new();
    let mut classes = BTreeMap::<_, Sums>::new();
    let mut totals = BTreeMap::<_, Sums>::new();
    let written = written.iter().map(|document| (document, 1));
    let removed = removed.iter().map(|document| (document, -1));
    for (document, times) in written.chain(removed) {
        let (status, kind) = (document.status, document.kind);
        let (issue_date, currency) = (&*document.issue_date, &*document.currency);
        let class = class(document.gross_sort_key);
        let of_day = days.entry((issue_date, status, kind, currency));
        of_day.or_default().count(document, times, 1);
        let sign = if kind == Kind::CreditNote as i32 {
            -1
        } else {
            1
        };
        let of_class = classes.entry((currency, issue_date, class, status, kind));
        of_class.or_default().count(document, times, sign);
        let of_all = totals.entry((currency, status, kind));
        of_all.or_default().count(document, times, sign);
    }
    let organization = organization.as_str();
    for ((issue_date, status, kind, currency), sums) in &days {
        let key: [&dyn ToSql; 4] = [issue_date, status, kind, currency];
        sums.add(transaction, ADD_TO_DAY, organization, &key)?;
    }
    for ((currency, issue_date, class, status, kind), sums) in &classes {
        let key: [&dyn ToSql; 5] = [currency, issue_date, class, status, kind];
        sums.add(transaction, ADD_TO_CLASS, organization, &key)?;
    }
    for ((currency, status, kind), sums) in &totals {
        let key: [&dyn ToSql; 3] = [currency, status, kind];
        sums.add(transaction, ADD_TO_TOTAL, organization, &key)?;
    }
    Ok(())
}

/// Counts the documents of an organization anew, by classes and in total. The sums of its days are not changed.
pub(crate) fn derive_sums(
    transaction: &Transaction<'_>,
    organization: &OrganizationId,
) -> Result<(), EngineError> {
    let organization = organization.as_str();
    transaction.execute(CLEAR_CLASSES, [organization])?;
    for class in classes() {
        let (lowest, highest) = amounts(class).into_inner();
        transaction.prepare_cached(FILL_CLASS)?.execute(params![
            organization,
            class,
            lowest,
            highest
        ])?;
    }
    transaction.execute(CLEAR_TOTALS, [organization])?;
    transaction.execute(FILL_TOTALS, [organization])?;
    Ok(())
}
