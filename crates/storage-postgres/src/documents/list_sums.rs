//! Sums of a list: of the days where the filter allows it, otherwise of the documents that it selects.
//!
//! The sums of a day are kept by classes of amounts. A range of amounts is answered by its whole classes, and by the documents
//! of parts of the two that it cuts (decision 0155).

use std::ops::RangeInclusive;

use invoicing_storage::documents::amount_classes::Coverage;
use invoicing_storage::documents::{AnsweredBy, CurrencySum, DocumentFilter, ListQuery};
use tokio_postgres::types::Type;

use super::amount_classes::{FIRST_SLOT, slots};
use super::filter::{Buyers, push_filter, push_filter_without_amounts};
use super::statement::Statement;
use super::sums::{OF_DAYS, OF_ROWS, OF_SUBTRACTED_ROWS, OVER_PARTS, currency_sum};
use crate::engine::{EngineError, Transaction};

/// Counts and sums of the documents that the filter selects.
pub(super) async fn read(
    transaction: &Transaction,
    query: &ListQuery,
    buyers: &Buyers,
) -> Result<Vec<CurrencySum>, EngineError> {
    let statement = match AnsweredBy::of(&query.filter) {
        AnsweredBy::Documents => select_from_rows(query, buyers),
        AnsweredBy::Totals | AnsweredBy::Days => select_from_days(query, buyers),
        // A part of one class, as a single amount.
        AnsweredBy::Classes(coverage) if coverage.classes.is_empty() => {
            select_from_rows(query, buyers)
        }
        AnsweredBy::Classes(coverage) => {
            let days = select_unclassified_days(query, buyers);
            let days = days.rows(transaction).await?;
            let days: Result<_, _> = days.iter().map(|row| row.try_get("issue_date")).collect();
            select_from_classes(query, buyers, &coverage, days?)
        }
    };
    let sums = statement.rows(transaction).await?;
    sums.iter().map(currency_sum).collect()
}

pub(super) fn select_from_rows(query: &ListQuery, buyers: &Buyers) -> Statement {
    let mut statement = Statement::new("SELECT ");
    statement.push(OVER_PARTS).push(" FROM (");
    push_rows(&mut statement, OF_ROWS);
    push_filter(&mut statement, query, buyers);
    push_end(&mut statement);
    statement
}

pub(super) fn select_from_days(query: &ListQuery, buyers: &Buyers) -> Statement {
    let mut statement = Statement::new("SELECT ");
    statement.push(OVER_PARTS).push(" FROM (");
    push_days(&mut statement);
    push_filter(&mut statement, query, buyers);
    push_end(&mut statement);
    statement.keeping_plan(query.filter == DocumentFilter::default())
}

/// The days of which a version before has counted documents of the filter. Their sums do not say the classes of those.
pub(super) fn select_unclassified_days(query: &ListQuery, buyers: &Buyers) -> Statement {
    let mut statement = Statement::new("SELECT DISTINCT issue_date FROM document_sums WHERE ");
    push_filter_without_amounts(&mut statement, query, buyers);
    statement
        .push(" AND slot < ")
        .bind(FIRST_SLOT, Type::INT2)
        .push(" ORDER BY issue_date");
    statement
}

/// Sums of classes, with the documents of `unclassified` days.
pub(super) fn select_from_classes(
    query: &ListQuery,
    buyers: &Buyers,
    coverage: &Coverage,
    unclassified: Vec<String>,
) -> Statement {
    let mut statement = Statement::new("SELECT ");
    statement.push(OVER_PARTS).push(" FROM (");
    push_days(&mut statement);
    push_filter_without_amounts(&mut statement, query, buyers);
    let slots = slots(&coverage.classes);
    statement
        .push(" AND slot >= ")
        .bind(slots.start, Type::INT2)
        .push(" AND slot < ")
        .bind(slots.end, Type::INT2);
    push_other_days(&mut statement, &unclassified);
    let added = coverage.added.iter().map(|range| (OF_ROWS, range));
    let subtracted = coverage.subtracted.iter();
    let subtracted = subtracted.map(|range| (OF_SUBTRACTED_ROWS, range));
    for (columns, range) in added.chain(subtracted) {
        statement.push(" GROUP BY currency UNION ALL ");
        push_rows(&mut statement, columns);
        push_filter_without_amounts(&mut statement, query, buyers);
        push_range(&mut statement, range);
        push_other_days(&mut statement, &unclassified);
    }
    if !unclassified.is_empty() {
        statement.push(" GROUP BY currency UNION ALL ");
        push_rows(&mut statement, OF_ROWS);
        push_filter(&mut statement, query, buyers);
        statement
            .push(" AND issue_date = ANY (")
            .bind(unclassified, Type::TEXT_ARRAY)
            .push(")");
    }
    push_end(&mut statement);
    statement
}

fn push_days(statement: &mut Statement) {
    statement
        .push("SELECT ")
        .push(OF_DAYS)
        .push(" FROM document_sums WHERE ");
}

fn push_rows(statement: &mut Statement, columns: &str) {
    statement
        .push("SELECT ")
        .push(columns)
        .push(" FROM documents WHERE ");
}

fn push_range(statement: &mut Statement, range: &RangeInclusive<i64>) {
    statement
        .push(" AND gross_sort_key >= ")
        .bind(*range.start(), Type::INT8)
        .push(" AND gross_sort_key <= ")
        .bind(*range.end(), Type::INT8);
}

/// Days but these. A subquery is hashed, an array is searched for each row.
fn push_other_days(statement: &mut Statement, days: &[String]) {
    if !days.is_empty() {
        statement
            .push(" AND issue_date NOT IN (SELECT unnest(")
            .bind(days.to_vec(), Type::TEXT_ARRAY)
            .push("))");
    }
}

/// A single slot can be negative, or empty again.
fn push_end(statement: &mut Statement) {
    statement.push(
        " GROUP BY currency) AS part GROUP BY currency HAVING sum(documents) > 0 ORDER BY currency",
    );
}
