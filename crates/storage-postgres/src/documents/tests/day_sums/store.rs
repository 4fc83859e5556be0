//! A store whose documents are known, to compare its lists with.

use std::collections::BTreeMap;
use std::sync::Arc;

use invoicing_contract::messages::documents::{Kind, Status};
use invoicing_storage::SystemRng;
use invoicing_storage::documents::{
    Action, AddOutcome, CurrencySum, DocumentFilter, DocumentRow, DocumentStore as _, ListQuery,
    SortField, WriteOutcome,
};
use invoicing_storage::suite::fixtures::{Draft, RIYADH, id, key, populate, row, unlimited};
use invoicing_test_postgres::{Database, Server};
use proptest::sample::Index;
use tokio_postgres::Client;
use uuid::Uuid;

use super::super::super::classification::classify_sums;
use super::super::open;
use crate::{Options, Postgres};

/// Moves the sums of every third day, row, or of all (`$1` is 1), to slots that say no class, as a version before writes them.
const UNCLASSIFY: &str = "WITH moved AS (
        DELETE FROM document_sums WHERE slot >= 16
            AND ($1 = 1 OR $1 = 2 AND abs(hashtext(issue_date)) % 3 = $2
                OR $1 = 3 AND abs(hashtext(issue_date || slot)) % 3 = $2)
        RETURNING *
    )
    INSERT INTO document_sums
    SELECT organization_id, issue_date, status, kind, currency, (slot % 16)::smallint, sum(documents), sum(net), sum(tax), sum(gross)
    FROM moved GROUP BY 1, 2, 3, 4, 5, 6
    ON CONFLICT (organization_id, issue_date, status, kind, currency, slot) DO UPDATE SET
        documents = document_sums.documents + excluded.documents, net = document_sums.net + excluded.net,
        tax = document_sums.tax + excluded.tax, gross = document_sums.gross + excluded.gross";
const UNCLASSIFIED_DAYS: &str =
    "SELECT DISTINCT issue_date FROM document_sums WHERE slot < 16 ORDER BY issue_date";

/// A store with its database, and what was written.
pub(super) struct Store {
    pub(super) store: Postgres,
    pub(super) database: Database,
    pub(super) superuser: Client,
    rows: BTreeMap<Uuid, DocumentRow>,
    written: u128,
}

/// What a document has that sums and filters see.
#[derive(Debug, Clone)]
pub(super) struct Content {
    pub(super) day: &'static str,
    pub(super) status: Status,
    pub(super) kind: Kind,
    pub(super) currency: &'static str,
    pub(super) gross: i64,
}

#[derive(Debug, Clone)]
pub(super) enum Step {
    Add(Content),
    Import(Vec<Content>),
    Change(Index, Content),
    Delete(Index),
    Unclassify { mode: i32, part: i32 },
    Classify,
}

impl Store {
    pub(super) async fn open() -> Self {
        let (store, database) = open().await;
        populate(&store).await;
        let superuser = Server::shared().connect_as_superuser(&database).await;
        Self {
            store,
            database,
            superuser,
            rows: BTreeMap::new(),
            written: 0,
        }
    }

    /// As the role that owns the tables.
    pub(super) async fn owner(&self) -> Postgres {
        let options = Options::from_url(self.database.owner_url()).unwrap();
        Postgres::open(options, Arc::new(SystemRng)).await.unwrap()
    }

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

    pub(super) fn new_row(&mut self, content: &Content) -> DocumentRow {
        // Keys of both slots, and not in the order of their numbers.
        let key = key((self.written + 1) * 7_919 % 10_007);
        let row = self.row(key, content);
        self.rows.insert(key, row.clone());
        row
    }

    async fn add(&mut self, content: &Content) {
        let row = self.new_row(content);
        let added = self.store.add_document(&row, &unlimited()).await;
        assert_eq!(added.unwrap(), AddOutcome::Stored);
    }

    pub(super) async fn import(&mut self, contents: &[Content]) {
        let rows = contents.iter().map(|content| self.new_row(content));
        let rows: Vec<_> = rows.collect();
        self.store.import_documents(rows, &[]).await.unwrap();
    }

    async fn change(&mut self, at: Index, content: &Content) {
        let Some(stored) = self.at(at) else { return };
        let row = self.row(stored.key, content);
        let expected = (*stored.document.concurrency_stamp).into();
        let changed = self
            .store
            .replace_document(&row, &expected, Action::Updated);
        assert_eq!(changed.await.unwrap(), WriteOutcome::Stored);
        self.rows.insert(row.key, row);
    }

    async fn delete(&mut self, at: Index) {
        let Some(stored) = self.at(at) else { return };
        let expected = (*stored.document.concurrency_stamp).into();
        let deleted = self.store.delete_document(&stored, &expected).await;
        assert_eq!(deleted.unwrap(), WriteOutcome::Stored);
        self.rows.remove(&stored.key);
    }

    fn at(&self, at: Index) -> Option<DocumentRow> {
        let rows: Vec<_> = self.rows.values().collect();
        (!rows.is_empty()).then(|| (*at.get(&rows)).clone())
    }

    pub(super) async fn unclassify(&self, mode: i32, part: i32) {
        let parameters: [&(dyn tokio_postgres::types::ToSql + Sync); 2] = [&mode, &part];
        self.superuser
            .execute(UNCLASSIFY, &parameters)
            .await
            .unwrap();
    }

    async fn classify(&self) {
        let owner = self.owner().await;
        classify_sums(owner.engine()).await.unwrap();
        assert_eq!(self.unclassified_days().await, [""; 0]);
    }

    pub(super) async fn unclassified_days(&self) -> Vec<String> {
        let rows = self.superuser.query(UNCLASSIFIED_DAYS, &[]).await.unwrap();
        rows.iter().map(|row| row.get(0)).collect()
    }

    pub(super) async fn take(&mut self, step: &Step) {
        match step {
            Step::Add(content) => self.add(content).await,
            Step::Import(contents) => self.import(contents).await,
            Step::Change(at, content) => self.change(*at, content).await,
            Step::Delete(at) => self.delete(*at).await,
            Step::Unclassify { mode, part } => self.unclassify(*mode, *part).await,
            Step::Classify => self.classify().await,
        }
    }

    /// Compares sums and joined pages of a list with the documents that the filter selects.
    pub(super) async fn check(&self, filter: &DocumentFilter) {
        let mut found: Vec<_> = self
            .rows
            .values()
            .filter(|row| selects(filter, row))
            .collect();
        found.sort_by_key(|row| std::cmp::Reverse((row.gross_sort_key, row.key)));
        let mut query = ListQuery {
            organization: id(RIYADH),
            filter: filter.clone(),
            sort: vec![(SortField::Gross, true)],
            after: None,
            skip: 0,
            size: 7,
        };
        let mut keys = Vec::new();
        loop {
            let page = self.store.list_document_summaries(&query).await.unwrap();
            assert_eq!(page.sums, sums(&found), "{filter:?}");
            keys.extend(page.items.iter().map(|item| item.key));
            query.after = page.next;
            if query.after.is_none() {
                break;
            }
        }
        let expected: Vec<_> = found.iter().map(|row| row.key).collect();
        assert_eq!(keys, expected, "{filter:?}");
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
