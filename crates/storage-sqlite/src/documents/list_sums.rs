//! Sums of a list: of what sums are kept by where the filter allows it, otherwise of the documents that it selects (decision 0156).

use std::ops::{Range, RangeInclusive};

use rusqlite::{Connection, Row};

use super::filter::{push_any, push_days, push_filter, push_states_and_days};
use crate::engine::{EngineError, Statement, count};
use crate::values::currency;
use invoice::Currency;
use invoicing_contract::messages::documents::Kind;
use invoicing_storage::documents::amount_classes::Coverage;
use invoicing_storage::documents::{AnsweredBy, CurrencySum, ListQuery};

/// Columns of a sum over `document_class_sums` or `document_totals`, for [`Parts::add`].
const OVER_SUMS: &str =
    "currency, sum(documents), sum(net_high), sum(net_low), sum(tax_high), sum(tax_low),
     sum(gross_high), sum(gross_low)";

/// The same columns over `document_sums`, where credit notes count positive.
const OVER_DAYS: &str = "currency, sum(documents),
     sum(CASE kind WHEN 2 THEN -net_high ELSE net_high END),
     sum(CASE kind WHEN 2 THEN -net_low ELSE net_low END),
     sum(CASE kind WHEN 2 THEN -tax_high ELSE tax_high END),
     sum(CASE kind WHEN 2 THEN -tax_low ELSE tax_low END),
     sum(CASE kind WHEN 2 THEN -gross_high ELSE gross_high END),
     sum(CASE kind WHEN 2 THEN -gross_low ELSE gross_low END)";

/// The same columns over `documents`.
const OVER_DOCUMENTS: &str = "currency, count(*),
     sum(CASE kind WHEN 2 THEN -(net >> 32) ELSE net >> 32 END),
     sum(CASE kind WHEN 2 THEN -(net & 4294967295) ELSE net & 4294967295 END),
     sum(CASE kind WHEN 2 THEN -(tax >> 32) ELSE tax >> 32 END),
     sum(CASE kind WHEN 2 THEN -(tax & 4294967295) ELSE tax & 4294967295 END),
     sum(CASE kind WHEN 2 THEN -(gross >> 32) ELSE gross >> 32 END),
     sum(CASE kind WHEN 2 THEN -(gross & 4294967295) ELSE gross & 4294967295 END)";

/// Counts and sums of the documents that the filter selects.
pub(super) fn read(
    connection: &Connection,
    query: &ListQuery,
) -> Result<Vec<CurrencySum>, EngineError> {
    let mut parts = Parts::default();
    match AnsweredBy::of(&query.filter) {
        AnsweredBy::Totals => parts.add(&select_from_totals(query), connection)?,
        AnsweredBy::Days => parts.add(&select_from_days(query), connection)?,
        AnsweredBy::Documents => parts.add(&select_from_documents(query), connection)?,
        AnsweredBy::Classes(coverage) => read_classes(connection, query, &coverage, &mut parts)?,
    }
    Ok(parts.into_sums())
}

/// Each currency by itself: its sums lie together, and nothing is sorted.
fn read_classes(
    connection: &Connection,
    query: &ListQuery,
    coverage: &Coverage,
    parts: &mut Parts,
) -> Result<(), EngineError> {
    if !coverage.classes.is_empty() {
        let currencies = select_currencies(query).all(connection, |row| row.get::<_, String>(0))?;
        for currency in currencies {
            let sums = select_from_classes(query, &currency, &coverage.classes);
            parts.add(&sums, connection)?;
        }
    }
    let added = coverage.added.iter().map(|range| (range, 1));
    let subtracted = coverage.subtracted.iter().map(|range| (range, -1));
    for (range, times) in added.chain(subtracted) {
        select_from_amounts(query, range)
            .for_each(connection, |row| parts.count_document(row, times))?;
    }
    Ok(())
}

/// The documents of the days that the filter selects, whatever else it asks for.
pub(super) fn count_of_days(
    connection: &Connection,
    query: &ListQuery,
) -> Result<u64, EngineError> {
    let mut statement = Statement::new(
        "SELECT coalesce(sum(documents), 0) FROM document_sums WHERE organization_id = ",
    );
    statement.bind(query.organization.as_str());
    push_days(&mut statement, &query.filter, "");
    let counts = statement.all(connection, |row| count(row, 0))?;
    Ok(counts.into_iter().sum())
}

pub(super) fn select_from_totals(query: &ListQuery) -> Statement {
    let mut statement = Statement::new("SELECT ");
    statement
        .push(OVER_SUMS)
        .push(" FROM document_totals WHERE ");
    push_filter(&mut statement, query, "");
    push_groups(&mut statement);
    statement
}

pub(super) fn select_from_days(query: &ListQuery) -> Statement {
    let mut statement = Statement::new("SELECT ");
    statement.push(OVER_DAYS).push(" FROM document_sums WHERE ");
    push_filter(&mut statement, query, "");
    push_groups(&mut statement);
    statement
}

pub(super) fn select_from_documents(query: &ListQuery) -> Statement {
    let mut statement = Statement::new("SELECT ");
    statement
        .push(OVER_DOCUMENTS)
        .push(" FROM documents WHERE ");
    push_filter(&mut statement, query, "+");
    push_groups(&mut statement);
    statement
}

/// The currencies of the list.
pub(super) fn select_currencies(query: &ListQuery) -> Statement {
    let mut statement =
        Statement::new("SELECT DISTINCT currency FROM document_totals WHERE organization_id = ");
    statement.bind(query.organization.as_str());
    push_currencies(&mut statement, query);
    statement
}

/// Sums of classes in one currency.
pub(super) fn select_from_classes(
    query: &ListQuery,
    currency: &str,
    classes: &Range<i16>,
) -> Statement {
    let mut statement = Statement::new("SELECT ");
    statement
        .push(OVER_SUMS)
        .push(" FROM document_class_sums WHERE organization_id = ")
        .bind(query.organization.as_str())
        .push(" AND currency = ")
        .bind(currency);
    push_states_and_days(&mut statement, &query.filter, "");
    statement
        .push(" AND class >= ")
        .bind(i32::from(classes.start))
        .push(" AND class < ")
        .bind(i32::from(classes.end));
    push_groups(&mut statement);
    statement
}

/// The documents of a range of amounts, for [`Parts::count_document`]. They are not in the order of their currencies: to add them up
/// here is half the work of having SQLite sort them for it.
pub(super) fn select_from_amounts(query: &ListQuery, range: &RangeInclusive<i64>) -> Statement {
    let mut statement = Statement::new(
        "SELECT currency, kind, net, tax, gross FROM documents INDEXED BY documents_gross WHERE organization_id = ",
    );
    statement
        .bind(query.organization.as_str())
        .push(" AND gross_sort_key >= ")
        .bind(*range.start())
        .push(" AND gross_sort_key <= ")
        .bind(*range.end());
    push_currencies(&mut statement, query);
    push_states_and_days(&mut statement, &query.filter, "");
    statement
}

fn push_currencies(statement: &mut Statement, query: &ListQuery) {
    let currencies = query.filter.currency.iter();
    let currencies = currencies.map(|currency| currency.code());
    push_any(statement, ["", "currency"], currencies);
}

fn push_groups(statement: &mut Statement) {
    statement.push(" GROUP BY currency");
}

/// What the sums are added up from, for each currency.
#[derive(Default)]
struct Parts(Vec<Part>);

/// It can be negative until all is added.
struct Part {
    currency: Currency,
    documents: i64,
    /// Net, tax and gross.
    amounts: [i128; 3],
}

impl Parts {
    /// That of the currency in the first column. Most lists have one currency.
    fn of(&mut self, row: &Row<'_>) -> rusqlite::Result<&mut Part> {
        let code = row.get_ref(0)?.as_str()?;
        let known = self.0.iter().position(|part| part.currency.code() == code);
        let at = match known {
            Some(at) => at,
            None => {
                self.0.push(Part {
                    currency: currency(code)?,
                    documents: 0,
                    amounts: [0; 3],
                });
                self.0.len() - 1
            }
        };
        Ok(&mut self.0[at])
    }

    /// Adds the rows of a statement that sums up.
    fn add(&mut self, statement: &Statement, connection: &Connection) -> Result<(), EngineError> {
        statement.for_each(connection, |row| {
            let part = self.of(row)?;
            part.documents += row.get::<_, i64>(1)?;
            // An amount is high * 2^32 + low.
            for (amount, column) in part.amounts.iter_mut().zip([2, 4, 6]) {
                let (high, low): (i64, i64) = (row.get(column)?, row.get(column + 1)?);
                *amount += (i128::from(high) << 32) + i128::from(low);
            }
            Ok(())
        })
    }

    /// Counts a row of [`select_from_amounts`] `times`.
    fn count_document(&mut self, row: &Row<'_>, times: i64) -> rusqlite::Result<()> {
        let part = self.of(row)?;
        part.documents += times;
        let is_credit = row.get::<_, i32>(1)? == Kind::CreditNote as i32;
        let sign = if is_credit { -times } else { times };
        for (amount, column) in part.amounts.iter_mut().zip(2..) {
            *amount += i128::from(sign) * i128::from(row.get::<_, i64>(column)?);
        }
        Ok(())
    }

    /// Rows of sums outlive their last document.
    fn into_sums(mut self) -> Vec<CurrencySum> {
        self.0.sort_by_key(|part| part.currency.code());
        let sums = self.0.into_iter().filter_map(|part| {
            let count = u64::try_from(part.documents)
                .ok()
                .filter(|count| *count > 0)?;
            let [net, tax, gross] = part.amounts;
            Some(CurrencySum {
                currency: part.currency,
                count,
                net,
                tax,
                gross,
            })
        });
        sums.collect()
    }
}
