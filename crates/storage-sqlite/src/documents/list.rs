//! Pages of documents: keyset paging over one index per sort field.

use rusqlite::Connection;
use rusqlite::types::Value;

use super::filter::push_filter;
use super::list_sort::{INDEX_OF_KEYS, column, index_of_sort, key_descends, position, push_after};
use super::{list_sums, rows, summary_row};
use crate::engine::{EngineError, Statement};
use invoicing_contract::messages::documents::Document;
use invoicing_storage::documents::{
    AnsweredBy, DocumentFilter, DocumentSummary, ListPage, ListPosition, ListQuery, PAGE_BYTES,
    SortField,
};

/// Up to this many rows it is faster to find them by the index of a filtered column and to sort them than to walk the index of
/// the sort and to skip the others.
const MAX_SORTED_BY_COLUMN: u64 = 10_000;
/// The same where they are found without reading others, in `documents_summary` or `documents_gross`.
const MAX_SORTED_IN_INDEX: u64 = 50_000;

/// A page of whole documents.
pub(super) fn page_of_documents(
    connection: &Connection,
    query: &ListQuery,
) -> Result<ListPage<Document>, EngineError> {
    page(connection, query, |connection, id| {
        let mut select =
            connection.prepare_cached("SELECT body FROM document_contents WHERE id = ?1")?;
        select.query_row([id], |row| {
            let bytes = row.get_ref(0)?.as_blob()?;
            Ok((rows::decode(bytes)?, bytes.len()))
        })
    })
}

/// A page of summaries.
pub(super) fn page_of_summaries(
    connection: &Connection,
    query: &ListQuery,
) -> Result<ListPage<DocumentSummary>, EngineError> {
    page(connection, query, summary)
}

/// A page of summaries without sums, of a list of `total` rows.
pub(super) fn rows_of_summaries(
    connection: &Connection,
    query: &ListQuery,
    total: u64,
) -> Result<ListPage<DocumentSummary>, EngineError> {
    rows_of_page(connection, query, total, summary)
}

/// A summary has no bytes that count: its texts are short.
fn summary(connection: &Connection, id: i64) -> rusqlite::Result<(DocumentSummary, usize)> {
    let mut select = connection.prepare_cached(summary_row::SELECT_SUMMARY)?;
    Ok((select.query_row([id], summary_row::summary)?, 0))
}

fn page<Item>(
    connection: &Connection,
    query: &ListQuery,
    read: impl Fn(&Connection, i64) -> rusqlite::Result<(Item, usize)>,
) -> Result<ListPage<Item>, EngineError> {
    let sums = list_sums::read(connection, query)?;
    let total = sums.iter().map(|sum| sum.count).sum();
    let page = rows_of_page(connection, query, total, read)?;
    Ok(ListPage { sums, ..page })
}

/// A page without sums, of a list of `total` rows. `read` tells how many bytes it has read.
fn rows_of_page<Item>(
    connection: &Connection,
    query: &ListQuery,
    total: u64,
    read: impl Fn(&Connection, i64) -> rusqlite::Result<(Item, usize)>,
) -> Result<ListPage<Item>, EngineError> {
    let (mut found, more) = find(connection, query, total)?;
    let mut items = Vec::with_capacity(found.len());
    let mut bytes = 0;
    for (id, _) in &found {
        if bytes >= PAGE_BYTES {
            break;
        }
        let (item, size) = match read(connection, *id) {
            Err(rusqlite::Error::QueryReturnedNoRows) => return Err(rows::missing_content()),
            item => item?,
        };
        items.push(item);
        bytes += size;
    }
    let more = more || items.len() < found.len();
    found.truncate(items.len());
    let next = found.pop().filter(|_| more).map(|(_, position)| position);
    Ok(ListPage {
        items,
        next,
        sums: Vec::new(),
    })
}

/// How the rows of a page are found.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum AccessPath {
    /// Along the index of the sort, skipping what the filter excludes.
    SortIndex,
    /// By the index of what the filter asks for, then sorted. A plus sign keeps SQLite off the index of the sort.
    FilterIndex(&'static str),
    /// In `documents_summary`, then sorted.
    Summary,
}

impl AccessPath {
    /// For a list of `total` rows. `of_days` counts the documents of its days.
    pub(super) fn of(
        query: &ListQuery,
        total: u64,
        of_days: impl FnOnce() -> Result<u64, EngineError>,
    ) -> Result<Self, EngineError> {
        let filter = &query.filter;
        if filter.keys.is_some() {
            // SQLite would read an index of all documents of the organization instead.
            return Ok(Self::FilterIndex(INDEX_OF_KEYS));
        }
        let few = total <= MAX_SORTED_IN_INDEX;
        Ok(match AnsweredBy::of(filter) {
            AnsweredBy::Totals | AnsweredBy::Days => {
                if *filter == DocumentFilter::default() || total > MAX_SORTED_BY_COLUMN {
                    Self::SortIndex
                } else {
                    Self::FilterIndex(index_of_filter(filter))
                }
            }
            AnsweredBy::Classes(_) if few => {
                let has_days = filter.issued_from.is_some() || filter.issued_to.is_some();
                let few_days = has_days && of_days()? <= MAX_SORTED_BY_COLUMN;
                Self::FilterIndex(if few_days {
                    "documents_issue_date"
                } else {
                    "documents_gross"
                })
            }
            AnsweredBy::Documents if few => Self::Summary,
            AnsweredBy::Classes(_) | AnsweredBy::Documents => Self::SortIndex,
        })
    }
}

/// The index by which most documents are left out. SQLite does not know: it counts no values.
fn index_of_filter(filter: &DocumentFilter) -> &'static str {
    if filter.issued_from.is_some() || filter.issued_to.is_some() {
        "documents_issue_date"
    } else if !filter.status.is_empty() {
        "documents_status"
    } else if !filter.currency.is_empty() {
        "documents_summary"
    } else {
        // It has the kind, so that other documents are not read.
        "documents_gross"
    }
}

/// Ids and positions of the rows of a page, and whether more rows follow.
type FoundRows = (Vec<(i64, ListPosition)>, bool);

fn find(connection: &Connection, query: &ListQuery, total: u64) -> Result<FoundRows, EngineError> {
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
    let of_days = || list_sums::count_of_days(connection, query);
    let path = AccessPath::of(query, total, of_days)?;
    let nearest = if path == AccessPath::Summary {
        last_value(connection, query, backwards, limit + offset)?
    } else {
        None
    };
    let statement = select_ids(query, path, backwards, nearest, limit, offset);
    let mut found = statement.all(connection, |row| {
        Ok((row.get("id")?, position(row, query)?))
    })?;
    if backwards {
        found.reverse();
        return Ok((found, skip + size < total));
    }
    let more = found.len() as u64 > size;
    found.truncate(query.size as usize);
    Ok((found, more))
}

/// What the last of the first `rows` rows has in the first field of the sort, if that is in `documents_summary`: only the rows
/// until there are looked up and sorted. `None` if there are fewer, or for rows after a position.
fn last_value(
    connection: &Connection,
    query: &ListQuery,
    backwards: bool,
    rows: u64,
) -> Result<Option<Value>, EngineError> {
    let (None, Some((field, descending)), Some(skip)) =
        (&query.after, query.sort.first(), rows.checked_sub(1))
    else {
        return Ok(None);
    };
    match field {
        SortField::IssueDate | SortField::DueDate | SortField::Gross | SortField::Status => {}
        SortField::Number | SortField::Buyer | SortField::Updated => return Ok(None),
    }
    let column = column(*field);
    let mut statement = Statement::new("SELECT ");
    statement.push(column).push(" FROM documents WHERE ");
    push_filter(&mut statement, query, "+");
    statement
        .push(" ORDER BY +")
        .push(column)
        .push(if *descending == backwards {
            ""
        } else {
            " DESC"
        })
        .push(" LIMIT 1 OFFSET ")
        .bind(i64::try_from(skip).unwrap_or(i64::MAX));
    let values = statement.all(connection, |row| row.get(0))?;
    Ok(values.into_iter().next())
}

pub(super) fn select_ids(
    query: &ListQuery,
    path: AccessPath,
    backwards: bool,
    last_value: Option<Value>,
    limit: u64,
    offset: u64,
) -> Statement {
    let mut statement = Statement::new("SELECT id, key");
    for (field, _) in &query.sort {
        statement.push(", ").push(column(*field));
    }
    statement.push(" FROM documents ");
    match path {
        AccessPath::SortIndex => {
            let filter = &query.filter;
            if filter.gross_from.is_some() || filter.gross_to.is_some() {
                // SQLite would find all documents of the amounts, and sort them.
                push_index(&mut statement, index_of_sort(query));
            }
            statement.push("WHERE ");
            push_filter(&mut statement, query, "");
        }
        AccessPath::FilterIndex(index) => {
            push_index(&mut statement, index);
            statement.push("WHERE ");
            push_filter(&mut statement, query, "");
        }
        AccessPath::Summary => {
            statement.push("WHERE id IN (SELECT id FROM documents WHERE ");
            push_filter(&mut statement, query, "+");
            if let Some((value, (field, descending))) = last_value.zip(query.sort.first()) {
                let until = if *descending == backwards {
                    " <= "
                } else {
                    " >= "
                };
                statement.push(" AND +").push(column(*field)).push(until);
                statement.bind(value);
            }
            statement.push(")");
        }
    }
    if let Some(position) = &query.after {
        statement.push(" AND ");
        push_after(&mut statement, query, position);
    }
    let direction = |descending: bool| if descending == backwards { "" } else { " DESC" };
    statement.push(" ORDER BY ");
    for (field, descending) in &query.sort {
        statement
            .push(if path == AccessPath::SortIndex {
                ""
            } else {
                "+"
            })
            .push(column(*field))
            .push(direction(*descending))
            .push(", ");
    }
    statement
        .push("key")
        .push(direction(key_descends(query)))
        .push(" LIMIT ")
        .bind(i64::try_from(limit).unwrap_or(i64::MAX))
        .push(" OFFSET ")
        .bind(i64::try_from(offset).unwrap_or(i64::MAX));
    statement
}

fn push_index(statement: &mut Statement, index: &str) {
    statement.push("INDEXED BY ").push(index).push(" ");
}

#[cfg(test)]
mod tests {
    use invoice::Currency;
    use invoicing_contract::messages::documents::{AuthorityState, Kind, Status};

    use super::*;

    /// A filter with `count` currencies, and with every status and kind if there is more than one.
    fn query(count: usize, buyer: &str) -> ListQuery {
        let codes = ["SAR", "AED", "KWD", "USD", "EUR", "GBP", "JPY"];
        let parse = |code: &&str| Currency::parse(code).expect("a currency");
        let mut filter = DocumentFilter {
            status: [Status::Draft].into(),
            kind: [Kind::Invoice].into(),
            authority_state: [AuthorityState::Pending].into(),
            currency: codes.iter().take(count).map(parse).collect(),
            buyer: buyer.to_owned(),
            ..DocumentFilter::default()
        };
        if count > 1 {
            filter.status.extend([Status::Issued, Status::Frozen]);
            filter.kind.extend([Kind::CreditNote, Kind::DebitNote]);
            filter
                .authority_state
                .extend([AuthorityState::Unknown, AuthorityState::Rejected]);
        }
        ListQuery {
            organization: "1".into(),
            filter,
            sort: vec![(SortField::IssueDate, true)],
            after: None,
            skip: 0,
            size: 50,
        }
    }

    #[test]
    fn text_of_a_statement_does_not_depend_on_the_number_of_values() {
        for (buyer, total) in [("", 10), ("", 1_000_000), ("nour", 10)] {
            let text = |count| {
                let query = query(count, buyer);
                let path = AccessPath::of(&query, total, || Ok(total)).expect("a count");
                select_ids(&query, path, false, None, 51, 0)
                    .sql()
                    .to_owned()
            };
            assert_eq!(text(1), text(7), "{buyer:?} {total}");
        }
    }
}
