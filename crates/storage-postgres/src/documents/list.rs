//! Pages of documents: keyset paging over one index per sort field.

use async_trait::async_trait;
use invoicing_contract::OrganizationId;
use invoicing_contract::messages::documents::Document;
use invoicing_storage::documents::{
    CurrencySum, DocumentFilter, DocumentSummary, ListPage, ListPosition, ListQuery, PAGE_BYTES,
    SortField, SortValue,
};
use tokio_postgres::Row;
use tokio_postgres::types::Type;

use super::filter::{Buyers, push_filter};
use super::statement::Statement;
use super::{list_sums, rows};
use crate::engine::{EngineError, Transaction, TransactionEnd, TransactionWork};

/// Up to this many rows it is faster to find them by the filter and to sort them than to walk the index of the sort and to skip
/// the others: where an index finds them.
const MAX_SORTED: u64 = 10_000;
/// The same where finding them compares every document of the organization.
const MAX_SORTED_AFTER_SCAN: u64 = 1_000;
/// The sizes of pages whose plans are kept: what a request without a size gets, and what the desktop asks for.
const USUAL_SIZES: [u32; 2] = [50, 100];

/// What is read of the rows of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PageColumns {
    /// Whole documents, until they reach [`PAGE_BYTES`].
    Body,
    /// Those of summaries.
    Summary,
}

/// A page, with what its items are read from.
pub(super) struct ReadPage<'a, Item> {
    query: &'a ListQuery,
    columns: PageColumns,
    /// `None` for a row that the page has no bytes left for.
    item: fn(&Row) -> Result<Option<Item>, EngineError>,
    /// The number of documents of the filter, if sums are not read.
    known_total: Option<u64>,
}

impl<Item> ReadPage<'_, Item> {
    /// The same page without sums, of a list of `total` rows.
    pub(super) fn without_sums(self, total: u64) -> Self {
        Self {
            known_total: Some(total),
            ..self
        }
    }
}

impl<'a> ReadPage<'a, Document> {
    /// A page of whole documents.
    pub(super) fn of_documents(query: &'a ListQuery) -> Self {
        Self {
            query,
            columns: PageColumns::Body,
            item: |row| rows::optional_message(row, "body"),
            known_total: None,
        }
    }
}

impl<'a> ReadPage<'a, DocumentSummary> {
    /// A page of summaries.
    pub(super) fn of_summaries(query: &'a ListQuery) -> Self {
        Self {
            query,
            columns: PageColumns::Summary,
            item: |row| rows::summary(row).map(Some),
            known_total: None,
        }
    }
}

#[async_trait]
impl<Item: Send> TransactionWork for ReadPage<'_, Item> {
    type Output = ListPage<Item>;

    fn organization(&self) -> Option<&OrganizationId> {
        Some(&self.query.organization)
    }

    fn keeps_plans(&self) -> bool {
        is_usual(self.query)
    }

    async fn run(
        &self,
        transaction: &Transaction,
    ) -> Result<TransactionEnd<ListPage<Item>>, EngineError> {
        let query = self.query;
        let buyers = Buyers::of(transaction, query).await?;
        let sums: Vec<CurrencySum> = match self.known_total {
            Some(_) => Vec::new(),
            None => list_sums::read(transaction, query, &buyers).await?,
        };
        let total = self
            .known_total
            .unwrap_or_else(|| sums.iter().map(|sum| sum.count).sum());
        let mut page = ListPage {
            items: Vec::new(),
            next: None,
            sums,
        };
        let Some(range) = PageRange::of(query, total) else {
            return Ok(TransactionEnd::Commit(page));
        };
        let select = select_page(query, &buyers, self.columns, total, &range);
        let mut found = select.last_rows(transaction).await?;
        if range.backwards {
            found.reverse();
        }
        let size = query.size as usize;
        let more = range.more.unwrap_or(found.len() > size);
        found.truncate(size);
        let items = found.iter().map(self.item).map_while(Result::transpose);
        page.items = items.collect::<Result<_, _>>()?;
        let more = more || page.items.len() < found.len();
        found.truncate(page.items.len());
        page.next = found
            .last()
            .filter(|_| more)
            .map(|row| position(row, query))
            .transpose()?;
        Ok(TransactionEnd::Commit(page))
    }
}

/// Which rows of the list are read.
pub(super) struct PageRange {
    /// From the end of the list.
    backwards: bool,
    limit: u64,
    offset: u64,
    /// Whether rows follow the page; `None`: when one row more than the page has is found.
    more: Option<bool>,
}

impl PageRange {
    /// `None` for a page after the end.
    pub(super) fn of(query: &ListQuery, total: u64) -> Option<Self> {
        let (size, skip) = (u64::from(query.size), u64::from(query.skip));
        if query.after.is_none() && skip >= total {
            return None;
        }
        // Past the middle the way from the end is shorter.
        if query.after.is_none() && skip > total / 2 {
            return Some(Self {
                backwards: true,
                limit: size.min(total - skip),
                offset: (total - skip).saturating_sub(size),
                more: Some(skip + size < total),
            });
        }
        Some(Self {
            backwards: false,
            limit: size + 1,
            offset: skip,
            more: None,
        })
    }
}

/// The rows of a page. Where rows are skipped or sorted: keys and positions first, then `columns` of the rows of the page.
pub(super) fn select_page(
    query: &ListQuery,
    buyers: &Buyers,
    columns: PageColumns,
    total: u64,
    range: &PageRange,
) -> Statement {
    let few = total <= max_sorted(&query.filter, buyers);
    // Nothing is skipped or sorted: whole rows are read in the order of the index, and not by their keys a second time.
    let whole_rows = !few && range.offset == 0;
    let mut select_keys = if whole_rows {
        "SELECT *, key AS page_key".to_owned()
    } else {
        "SELECT key AS page_key".to_owned()
    };
    for (number, (field, _)) in query.sort.iter().enumerate() {
        select_keys.push_str(&format!(", {} AS sort_{number}", column(*field)));
    }
    select_keys.push_str(" FROM documents WHERE ");
    let (of_documents, of_page) = (
        SortColumns::of_documents(query),
        SortColumns::of_page(query),
    );
    let mut statement = Statement::new("");
    if few {
        // MATERIALIZED keeps the planner off the index of the sort.
        statement
            .push("WITH found AS MATERIALIZED (")
            .push(&select_keys);
        push_filter(&mut statement, query, buyers);
        statement.push(") ");
    }
    let page = if whole_rows { "d" } else { "page" };
    statement.push(&format!("SELECT {page}.page_key"));
    for number in 0..query.sort.len() {
        statement.push(&format!(", {page}.sort_{number}"));
    }
    statement.push(", ");
    match columns {
        PageColumns::Body => push_body(&mut statement, query, &of_page),
        PageColumns::Summary => {
            statement.push(rows::SUMMARY_COLUMNS);
        }
    }
    statement.push(" FROM (");
    if few {
        statement.push("SELECT * FROM found WHERE true");
    } else {
        statement.push(&select_keys);
        push_filter(&mut statement, query, buyers);
    }
    let sort_columns = if few { &of_page } else { &of_documents };
    if let Some(position) = &query.after {
        statement.push(" AND ");
        push_after(&mut statement, query, sort_columns, position);
    }
    push_order(&mut statement, query, sort_columns, range.backwards);
    // In the text: a plan that does not know the limit assumes a tenth of all rows.
    statement.push(&format!(
        " LIMIT {} OFFSET {}) AS {page}",
        range.limit, range.offset
    ));
    if !whole_rows {
        statement
            .push(" JOIN documents AS d ON d.key = page.page_key AND d.organization_id = ")
            .bind_text(query.organization.as_str());
    }
    // The planner leaves it out where no column of it is read.
    statement.push(" LEFT JOIN receivables AS r ON r.organization_id = d.organization_id AND r.document = d.key AND d.status <> 4");
    push_order(&mut statement, query, &of_page, range.backwards);
    statement.keeping_plan(whole_rows && is_usual(query))
}

/// Whether a page is of a whole list that is sorted by one field, and has a usual size: there are few texts for these.
fn is_usual(query: &ListQuery) -> bool {
    query.filter == DocumentFilter::default()
        && query.sort.len() == 1
        && query.skip == 0
        && USUAL_SIZES.contains(&query.size)
}

/// The body, unless those before it in the page have [`PAGE_BYTES`]: the length of a body is known without reading it.
fn push_body(statement: &mut Statement, query: &ListQuery, columns: &SortColumns) {
    statement.push("CASE WHEN coalesce(sum(octet_length(d.body)) OVER (");
    push_order(statement, query, columns, false);
    statement.push(&format!(
        " ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) < {PAGE_BYTES} THEN d.body END AS body"
    ));
}

/// How many rows are sorted instead of walking the index of the sort.
fn max_sorted(filter: &DocumentFilter, buyers: &Buyers) -> u64 {
    if *filter == DocumentFilter::default() {
        return 0;
    }
    let bounds = [
        filter.issued_from.is_some() || filter.issued_to.is_some(),
        filter.due_from.is_some() || filter.due_to.is_some(),
        filter.gross_from.is_some() || filter.gross_to.is_some(),
        !filter.status.is_empty(),
        !filter.authority_state.is_empty(),
        filter.authority_has_warnings,
        filter.keys.is_some(),
    ];
    match buyers {
        Buyers::Few(_) => MAX_SORTED,
        Buyers::All | Buyers::Many if bounds.contains(&true) => MAX_SORTED,
        Buyers::All | Buyers::Many => MAX_SORTED_AFTER_SCAN,
    }
}

/// The names of the columns of the sort.
struct SortColumns {
    fields: Vec<String>,
    key: &'static str,
}

impl SortColumns {
    /// In the table.
    fn of_documents(query: &ListQuery) -> Self {
        let fields = query.sort.iter();
        Self {
            fields: fields.map(|(field, _)| column(*field).to_owned()).collect(),
            key: "key",
        }
    }

    /// In the rows that the inner statement returns. A field can be in the sort twice.
    fn of_page(query: &ListQuery) -> Self {
        let numbers = 0..query.sort.len();
        Self {
            fields: numbers.map(|number| format!("sort_{number}")).collect(),
            key: "page_key",
        }
    }
}

fn push_order(
    statement: &mut Statement,
    query: &ListQuery,
    columns: &SortColumns,
    backwards: bool,
) {
    let direction = |descending: bool| if descending == backwards { "" } else { " DESC" };
    statement.push(" ORDER BY ");
    for (column, (_, descending)) in columns.fields.iter().zip(&query.sort) {
        statement
            .push(column)
            .push(direction(*descending))
            .push(", ");
    }
    statement
        .push(columns.key)
        .push(direction(key_descends(query)));
}

/// A comparison of rows where all fields have the direction of the key, which an index answers. Otherwise
/// `a <= x AND (a < x OR (b >= y AND (b > y OR key > k)))`, whose first condition lets the index begin at the row.
fn push_after(
    statement: &mut Statement,
    query: &ListQuery,
    columns: &SortColumns,
    (values, key): &ListPosition,
) {
    let descends = key_descends(query);
    let beyond = |descending: bool| if descending { " < " } else { " > " };
    let directions = query.sort.iter().map(|(_, descending)| *descending);
    let fields = columns.fields.iter().zip(directions.clone()).zip(values);
    if directions.clone().all(|descending| descending == descends) {
        statement.push("(");
        for column in &columns.fields {
            statement.push(column).push(", ");
        }
        statement
            .push(columns.key)
            .push(")")
            .push(beyond(descends))
            .push("(");
        for value in values {
            statement.bind_sort_value(value).push(", ");
        }
        statement.bind(*key, Type::UUID).push(")");
        return;
    }
    let mut open = 0;
    for ((column, descending), value) in fields {
        let at = if descending { " <= " } else { " >= " };
        statement.push("(").push(column).push(at);
        statement.bind_sort_value(value).push(" AND (");
        statement.push(column).push(beyond(descending));
        statement.bind_sort_value(value).push(" OR ");
        open += 2;
    }
    statement
        .push(columns.key)
        .push(beyond(descends))
        .bind(*key, Type::UUID)
        .push(&")".repeat(open));
}

/// The direction in which the key breaks ties: that of the last field, so that one index serves both directions.
fn key_descends(query: &ListQuery) -> bool {
    query.sort.last().is_some_and(|(_, descending)| *descending)
}

const fn column(field: SortField) -> &'static str {
    match field {
        SortField::IssueDate => "issue_date",
        SortField::DueDate => "due_date",
        SortField::Number => "number_sort_key",
        SortField::Buyer => "buyer_sort_key",
        SortField::Gross => "gross_sort_key",
        SortField::Status => "status",
        SortField::Updated => "updated_at",
    }
}

fn position(row: &Row, query: &ListQuery) -> Result<ListPosition, EngineError> {
    let values = query.sort.iter().enumerate().map(|(number, (field, _))| {
        let column = format!("sort_{number}");
        Ok(match field {
            SortField::IssueDate | SortField::DueDate | SortField::Number | SortField::Buyer => {
                SortValue::Text(row.try_get(&*column)?)
            }
            SortField::Status => SortValue::Integer(row.try_get::<_, i32>(&*column)?.into()),
            SortField::Gross | SortField::Updated => SortValue::Integer(row.try_get(&*column)?),
        })
    });
    let values = values.collect::<Result<_, EngineError>>()?;
    Ok((values, row.try_get("page_key")?))
}
