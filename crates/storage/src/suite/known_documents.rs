//! Documents that are known, to compare lists of a store with a plain read of them. The property tests of engines use it; it is no
//! case of the suite.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use invoice::Currency;
use invoicing_contract::messages::documents::{Kind, Status};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use uuid::Uuid;

use super::fixtures::{Draft, RIYADH, id, key, row, unlimited};
use crate::Store;
use crate::documents::{
    Action, AddOutcome, CurrencySum, DocumentFilter, DocumentRow, ListQuery, SortField,
    WriteOutcome,
};

/// The days of the documents.
pub const DAYS: [&str; 3] = ["2027-01-15", "2027-01-16", "2027-02-01"];
const CURRENCIES: [&str; 3] = ["SAR", "KWD", "JPY"];
/// Amounts in minor units at the borders of classes: of two decimals 0, 0.01, 9.99, 10 and 100, of three decimals 99.995, and others.
const AMOUNTS: [i64; 16] = [
    0,
    1,
    99,
    100,
    101,
    999,
    1_000,
    1_001,
    9_999,
    10_000,
    99_995,
    100_000,
    1_550,
    1_999,
    123_456_789,
    99_999_999_999_900,
];

/// What a document has that sums and filters see.
#[derive(Debug, Clone)]
pub struct Content {
    pub day: &'static str,
    pub status: Status,
    pub kind: Kind,
    pub currency: &'static str,
    pub gross: i64,
}

/// A write to documents. An index says which of those that there are.
#[derive(Debug, Clone)]
pub enum Write {
    Add(Content),
    Import(Vec<Content>),
    Change(Index, Content),
    Delete(Index),
}

fn content() -> impl Strategy<Value = Content> {
    let sign = select(&[1, 1, -1_i64][..]);
    let gross = (select(&AMOUNTS[..]), sign).prop_map(|(amount, sign)| sign * amount);
    (
        select(&DAYS[..]),
        select(&[Status::Draft, Status::Issued][..]),
        select(&[Kind::Invoice, Kind::CreditNote, Kind::DebitNote][..]),
        select(&CURRENCIES[..]),
        gross,
    )
        .prop_map(|(day, status, kind, currency, gross)| Content {
            day,
            status,
            kind,
            currency,
            gross,
        })
}

/// Any write.
pub fn write() -> impl Strategy<Value = Write> {
    prop_oneof![
        3 => content().prop_map(Write::Add),
        3 => vec(content(), 1..20).prop_map(Write::Import),
        3 => (any::<Index>(), content()).prop_map(|(at, content)| Write::Change(at, content)),
        2 => any::<Index>().prop_map(Write::Delete),
    ]
}

/// Any filter that sums can answer. Most have amounts.
pub fn filter() -> impl Strategy<Value = DocumentFilter> {
    // In ten-thousandths, at and beside the amounts of each currency.
    let bound = (
        select(&AMOUNTS[..]),
        select(&[10, 100, 10_000, -10, -100][..]),
        -1..=1_i64,
    )
        .prop_map(|(amount, factor, beside)| amount.saturating_mul(factor) + beside);
    let day = || option::weighted(0.3, select(&DAYS[..]).prop_map(str::to_owned));
    let currency = select(&CURRENCIES[..]).prop_map(|code| Currency::parse(code).unwrap());
    (
        option::weighted(0.8, bound.clone()),
        option::weighted(0.8, bound),
        day(),
        day(),
        option::weighted(0.2, currency),
        option::weighted(0.2, select(&[Status::Draft, Status::Issued][..])),
        option::weighted(0.2, select(&[Kind::Invoice, Kind::CreditNote][..])),
    )
        .prop_map(
            |(from, to, issued_from, issued_to, currency, status, kind)| DocumentFilter {
                gross_from: from,
                gross_to: to,
                issued_from,
                issued_to,
                currency: currency.into_iter().collect(),
                status: status.into_iter().collect(),
                kind: kind.into_iter().collect(),
                ..DocumentFilter::default()
            },
        )
}

/// What was written to a store.
#[derive(Debug, Default)]
pub struct KnownDocuments {
    rows: BTreeMap<Uuid, DocumentRow>,
    written: u128,
}

impl KnownDocuments {
    fn row(&mut self, key: Uuid, content: &Content) -> DocumentRow {
        self.written += 1;
        row(Draft {
            key,
            status: content.status,
            kind: content.kind,
            issue_date: content.day.to_owned(),
            currency: content.currency,
            gross: content.gross,
            stamp: self.written.to_string(),
            ..Draft::default()
        })
    }

    /// A document to be added.
    pub fn new_row(&mut self, content: &Content) -> DocumentRow {
        // Keys that are not in the order of their numbers.
        let key = key((self.written + 1) * 7_919 % 10_007);
        let row = self.row(key, content);
        self.rows.insert(key, row.clone());
        row
    }

    /// Writes to the store.
    pub async fn write(&mut self, store: &dyn Store, write: &Write) {
        match write {
            Write::Add(content) => {
                let row = self.new_row(content);
                let added = store.add_document(&row, &unlimited()).await;
                assert_eq!(added.unwrap(), AddOutcome::Stored);
            }
            Write::Import(contents) => {
                let rows = contents.iter().map(|content| self.new_row(content));
                let rows: Vec<_> = rows.collect();
                store.import_documents(rows, &[]).await.unwrap();
            }
            Write::Change(at, content) => {
                let Some(stored) = self.at(*at) else { return };
                let row = self.row(stored.key, content);
                let expected = (*stored.document.concurrency_stamp).into();
                let changed = store.replace_document(&row, &expected, Action::Updated);
                assert_eq!(changed.await.unwrap(), WriteOutcome::Stored);
                self.rows.insert(row.key, row);
            }
            Write::Delete(at) => {
                let Some(stored) = self.at(*at) else { return };
                let expected = (*stored.document.concurrency_stamp).into();
                let deleted = store.delete_document(&stored, &expected).await;
                assert_eq!(deleted.unwrap(), WriteOutcome::Stored);
                self.rows.remove(&stored.key);
            }
        }
    }

    fn at(&self, at: Index) -> Option<DocumentRow> {
        let rows: Vec<_> = self.rows.values().collect();
        (!rows.is_empty()).then(|| (*at.get(&rows)).clone())
    }

    /// Compares sums and joined pages of lists with the documents that the filter selects.
    pub async fn check(&self, store: &dyn Store, filter: &DocumentFilter) {
        let found = self.rows.values().filter(|row| selects(filter, row));
        let mut found: Vec<_> = found.collect();
        for field in [SortField::IssueDate, SortField::Gross] {
            if field == SortField::Gross {
                found.sort_by_key(|row| Reverse((row.gross_sort_key, row.key)));
            } else {
                found.sort_by_key(|row| Reverse((row.issue_date.clone(), row.key)));
            }
            let expected: Vec<_> = found.iter().map(|row| row.key).collect();
            let mut query = ListQuery {
                organization: id(RIYADH),
                filter: filter.clone(),
                sort: vec![(field, true)],
                after: None,
                skip: 0,
                size: 7,
            };
            let mut keys = Vec::new();
            loop {
                let page = store.list_document_summaries(&query).await.unwrap();
                assert_eq!(page.sums, sums(&found), "{filter:?}");
                // As if there were many.
                let rows = store.list_document_rows(&query, 1_000_000).await.unwrap();
                assert_eq!((&rows.items, &rows.next), (&page.items, &page.next));
                keys.extend(page.items.iter().map(|item| item.key));
                query.after = page.next;
                if query.after.is_none() {
                    break;
                }
            }
            assert_eq!(keys, expected, "{filter:?}");
        }
    }
}

fn selects(filter: &DocumentFilter, row: &DocumentRow) -> bool {
    (filter.status.is_empty() || filter.status.contains(&row.status))
        && (filter.kind.is_empty() || filter.kind.contains(&row.kind))
        && (filter.currency.is_empty() || filter.currency.contains(&row.currency))
        && filter
            .gross_from
            .is_none_or(|from| row.gross_sort_key >= from)
        && filter.gross_to.is_none_or(|to| row.gross_sort_key <= to)
        && filter
            .issued_from
            .as_ref()
            .is_none_or(|from| row.issue_date >= *from)
        && filter
            .issued_to
            .as_ref()
            .is_none_or(|to| row.issue_date <= *to)
}

fn sums(rows: &[&DocumentRow]) -> Vec<CurrencySum> {
    let mut sums = BTreeMap::<&str, CurrencySum>::new();
    for row in rows {
        let none = CurrencySum {
            currency: row.currency,
            count: 0,
            net: 0,
            tax: 0,
            gross: 0,
        };
        let sum = sums.entry(row.currency.code()).or_insert(none);
        let sign = if row.kind == Kind::CreditNote { -1 } else { 1 };
        sum.count += 1;
        sum.net += sign * i128::from(row.net);
        sum.tax += sign * i128::from(row.tax);
        sum.gross += sign * i128::from(row.gross);
    }
    sums.into_values().collect()
}
