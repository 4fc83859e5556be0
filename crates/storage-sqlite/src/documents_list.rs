//! Pages of documents in SQL: keyset paging over one index for each sort, sums from the days where the filter allows it.

use std::collections::HashMap;

use invoicing_contract::messages::documents::Document;
use sqlx::sqlite::SqliteRow;
use sqlx::{QueryBuilder, Row, Sqlite, SqliteConnection};
use uuid::Uuid;

use super::{documents, documents_sums};
use invoicing_storage::StorageError;
use invoicing_storage::documents::{Field, Filter, ListPage, ListQuery, Position, Sum};

/// Up to so many rows it is quicker to find them by the filter and sort them than to walk the sort's index past the rest:
/// where a column's own index finds them …
const FEW: u64 = 10_000;
/// … and where `documents_summary` does.
const FEW_IN_SUMMARY: u64 = 50_000;

type Statement = QueryBuilder<Sqlite>;

pub(super) async fn page(
    read: &mut SqliteConnection,
    query: &ListQuery,
) -> Result<ListPage, StorageError> {
    let sums = sums(read, query).await?;
    let total: u64 = sums.iter().map(|sum| sum.count).sum();
    let (rows, more) = rows(read, query, total).await?;
    let documents = bodies(read, &rows).await?;
    let next = match rows.last() {
        Some(last) if more => Some(position(last, query)?),
        _ => None,
    };
    Ok(ListPage {
        documents,
        next,
        sums,
    })
}

async fn sums(read: &mut SqliteConnection, query: &ListQuery) -> Result<Vec<Sum>, StorageError> {
    let mut statement = Statement::new("SELECT ");
    if by_day(&query.filter) {
        statement
            .push(documents_sums::OF_DAYS)
            .push(" FROM document_sums WHERE documents > 0 AND ");
        push_filter(&mut statement, query, "");
    } else {
        statement
            .push(documents_sums::OF_ROWS)
            .push(" FROM documents WHERE ");
        push_filter(&mut statement, query, "+");
    }
    statement.push(" GROUP BY currency ORDER BY currency");
    let rows = statement.build().fetch_all(read).await?;
    rows.iter().map(documents_sums::read).collect()
}

/// Whether the sums by day answer a filter.
fn by_day(filter: &Filter) -> bool {
    let ranges = [
        filter.due_from.is_some(),
        filter.due_to.is_some(),
        filter.gross_from.is_some(),
        filter.gross_to.is_some(),
    ];
    filter.buyer.is_empty() && filter.number.is_empty() && !ranges.contains(&true)
}

/// How the rows of a page are found.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Found {
    /// Along the sort's index, leaving out what the filter does.
    Walking,
    /// By the index of a column in the filter, and sorted then. A plus sign keeps SQLite off the sort's index.
    ByColumn,
    /// In `documents_summary`, and sorted then.
    InSummary,
}

impl Found {
    fn of(query: &ListQuery, total: u64) -> Self {
        if by_day(&query.filter) {
            let few = query.filter != Filter::default() && total <= FEW;
            return if few { Self::ByColumn } else { Self::Walking };
        }
        if total <= FEW_IN_SUMMARY {
            Self::InSummary
        } else {
            Self::Walking
        }
    }
}

/// The rows of the page, and whether more follow.
async fn rows(
    read: &mut SqliteConnection,
    query: &ListQuery,
    total: u64,
) -> Result<(Vec<SqliteRow>, bool), StorageError> {
    let (size, skip) = (u64::from(query.size), u64::from(query.skip));
    if query.after.is_none() && skip >= total {
        return Ok((Vec::new(), false));
    }
    // Past the middle the way from the end is shorter.
    let backwards = query.after.is_none() && skip > total / 2;
    let (limit, offset) = if backwards {
        (size.min(total - skip), (total - skip).saturating_sub(size))
    } else {
        // One row more than the page has, to know whether another page follows.
        (size + 1, skip)
    };

    let mut statement = Statement::new("SELECT id, key");
    for (field, _) in &query.sort {
        statement.push(", ").push(column(*field));
    }
    statement.push(" FROM documents WHERE ");
    let found = Found::of(query, total);
    match found {
        Found::Walking | Found::ByColumn => push_filter(&mut statement, query, ""),
        Found::InSummary => {
            statement.push("id IN (SELECT id FROM documents WHERE ");
            push_filter(&mut statement, query, "+");
            statement.push(")");
        }
    }
    if let Some((positions, key)) = &query.after {
        statement.push(" AND ");
        push_after(&mut statement, query, positions, *key);
    }
    statement.push(" ORDER BY ");
    for (field, descending) in &query.sort {
        statement
            .push(if found == Found::Walking { "" } else { "+" })
            .push(column(*field));
        statement.push(if *descending != backwards {
            " DESC, "
        } else {
            ", "
        });
    }
    statement.push("key").push(if descends(query) != backwards {
        " DESC"
    } else {
        ""
    });
    statement
        .push(" LIMIT ")
        .push_bind(i64::try_from(limit).unwrap_or(i64::MAX));
    statement
        .push(" OFFSET ")
        .push_bind(i64::try_from(offset).unwrap_or(i64::MAX));
    let mut rows = statement.build().fetch_all(read).await?;

    if backwards {
        rows.reverse();
        return Ok((rows, skip + size < total));
    }
    let more = rows.len() as u64 > size;
    rows.truncate(query.size as usize);
    Ok((rows, more))
}

/// The conditions of the filter. `plus` is a plus sign where SQLite must not choose an index of a single column, which would
/// make it fetch every row it finds: it then walks `documents_summary`, which has all of them.
fn push_filter(statement: &mut Statement, query: &ListQuery, plus: &'static str) {
    let filter = &query.filter;
    statement
        .push("organization_id = ")
        .push_bind(query.organization.clone());
    if filter.currency.is_empty() && !plus.is_empty() {
        // The currencies that there are: they stand before the buyer in the index.
        statement
            .push(" AND currency IN (SELECT currency FROM document_sums WHERE organization_id = ");
        statement.push_bind(query.organization.clone()).push(")");
    }
    push_any(
        statement,
        ["currency", ""],
        filter.currency.iter().map(|currency| currency.code()),
    );
    push_any(
        statement,
        [plus, "status"],
        filter.status.iter().map(|status| *status as i32),
    );
    push_any(
        statement,
        [plus, "kind"],
        filter.kind.iter().map(|kind| *kind as i32),
    );
    push_bound(
        statement,
        [plus, "issue_date >= "],
        filter.issued_from.clone(),
    );
    push_bound(
        statement,
        [plus, "issue_date <= "],
        filter.issued_to.clone(),
    );
    push_bound(statement, [plus, "due_date >= "], filter.due_from.clone());
    push_bound(statement, [plus, "due_date <= "], filter.due_to.clone());
    if filter.due_to.is_some() {
        statement.push(" AND due_date <> ''");
    }
    push_bound(statement, [plus, "gross_sort_key >= "], filter.gross_from);
    push_bound(statement, [plus, "gross_sort_key <= "], filter.gross_to);
    if !filter.number.is_empty() {
        statement
            .push(" AND instr(number, ")
            .push_bind(filter.number.clone())
            .push(") > 0");
    }
    if !filter.buyer.is_empty() {
        statement
            .push(" AND buyer_text_id IN (SELECT id FROM buyer_texts WHERE organization_id = ");
        statement.push_bind(query.organization.clone());
        statement
            .push(" AND instr(text, ")
            .push_bind(filter.buyer.clone())
            .push(") > 0)");
    }
}

fn push_any<'value, Value>(
    statement: &mut Statement,
    column: [&str; 2],
    values: impl Iterator<Item = Value>,
) where
    Value: 'value + Send + sqlx::Encode<'value, Sqlite> + sqlx::Type<Sqlite>,
{
    let mut values = values.peekable();
    if values.peek().is_none() {
        return;
    }
    statement
        .push(" AND ")
        .push(column[0])
        .push(column[1])
        .push(" IN (");
    let mut list = statement.separated(", ");
    for value in values {
        list.push_bind(value);
    }
    statement.push(")");
}

fn push_bound<'value, Value>(statement: &mut Statement, condition: [&str; 2], value: Option<Value>)
where
    Value: 'value + Send + sqlx::Encode<'value, Sqlite> + sqlx::Type<Sqlite>,
{
    if let Some(value) = value {
        statement
            .push(" AND ")
            .push(condition[0])
            .push(condition[1])
            .push_bind(value);
    }
}

/// `a <= x AND (a < x OR (b > y OR (b = y AND key > k)))`: the first condition lets the index begin at the row.
fn push_after(statement: &mut Statement, query: &ListQuery, positions: &[Position], key: Uuid) {
    let mut open = 0;
    for ((field, descending), position) in query.sort.iter().zip(positions) {
        let column = column(*field);
        let (at, beyond) = if *descending {
            (" <= ", " < ")
        } else {
            (" >= ", " > ")
        };
        statement.push("(").push(column).push(at);
        push_position(statement, position);
        statement.push(" AND (").push(column).push(beyond);
        push_position(statement, position);
        statement.push(" OR ");
        open += 2;
    }
    statement
        .push("key")
        .push(if descends(query) { " < " } else { " > " })
        .push_bind(key.as_bytes().to_vec());
    statement.push(")".repeat(open));
}

fn push_position(statement: &mut Statement, position: &Position) {
    match position {
        Position::Text(text) => statement.push_bind(text.clone()),
        Position::Integer(integer) => statement.push_bind(*integer),
    };
}

/// Which way the key breaks ties: as the last field goes, so that one index serves both.
fn descends(query: &ListQuery) -> bool {
    query.sort.last().is_some_and(|(_, descending)| *descending)
}

const fn column(field: Field) -> &'static str {
    match field {
        Field::IssueDate => "issue_date",
        Field::DueDate => "due_date",
        Field::Number => "number_sort_key",
        Field::Buyer => "buyer_sort_key",
        Field::Gross => "gross_sort_key",
        Field::Status => "status",
        Field::Updated => "updated_at",
    }
}

fn position(row: &SqliteRow, query: &ListQuery) -> Result<(Vec<Position>, Uuid), StorageError> {
    let key: Vec<u8> = row.try_get("key")?;
    let key = Uuid::from_slice(&key)
        .map_err(|error| StorageError::corrupt(format!("a document's key: {error}")))?;
    let positions = query
        .sort
        .iter()
        .enumerate()
        .map(|(at, (field, _))| match field {
            Field::IssueDate | Field::DueDate | Field::Number | Field::Buyer => {
                Ok(Position::Text(row.try_get(at + 2)?))
            }
            Field::Gross | Field::Status | Field::Updated => {
                Ok(Position::Integer(row.try_get(at + 2)?))
            }
        });
    Ok((positions.collect::<Result<_, sqlx::Error>>()?, key))
}

/// The documents of the rows, in their order.
async fn bodies(
    read: &mut SqliteConnection,
    rows: &[SqliteRow],
) -> Result<Vec<Document>, StorageError> {
    if rows.is_empty() {
        return Ok(Vec::new());
    }
    let ids = rows
        .iter()
        .map(|row| row.try_get("id"))
        .collect::<Result<Vec<i64>, _>>()?;
    let mut statement = Statement::new("SELECT id, body FROM document_contents WHERE id IN (");
    let mut list = statement.separated(", ");
    for id in &ids {
        list.push_bind(*id);
    }
    statement.push(")");
    let mut found = HashMap::with_capacity(ids.len());
    for row in statement.build().fetch_all(read).await? {
        found.insert(
            row.try_get::<i64, _>("id")?,
            row.try_get::<Vec<u8>, _>("body")?,
        );
    }
    let body = |id| {
        found
            .get(id)
            .ok_or_else(|| StorageError::corrupt("a document without a body".to_owned()))
    };
    ids.iter().map(|id| documents::decode(body(id)?)).collect()
}
