//! What lists are held against: their bodies read by key, and documents counted in an index.

use std::time::{Duration, Instant};

use invoicing_storage::DocumentStore as _;
use invoicing_storage::documents::ListQuery;
use invoicing_storage::suite::fixtures::RIYADH;
use invoicing_storage_postgres::Postgres;
use invoicing_test_postgres::{Database, Server};
use tokio_postgres::Client;
use tokio_postgres::types::ToSql;
use uuid::Uuid;

use crate::Figures;
use crate::load::percentile;

const BODIES: &str = "SELECT body FROM documents WHERE organization_id = $1 AND key = ANY($2)";
const COUNT: &str = "SELECT count(*) FROM documents
    WHERE organization_id = $1 AND gross_sort_key BETWEEN $2 AND $3 AND issue_date >= $4";

/// A connection that reads the same as a list, in the simplest way.
pub(crate) struct ListPeers {
    client: Client,
    reads: usize,
}

impl ListPeers {
    pub(crate) async fn connect(server: &Server, database: &Database, reads: usize) -> Self {
        // Row-level security is no part of the peer.
        let client = server.connect_as_superuser(database).await;
        Self { client, reads }
    }

    /// The page of `query` without sums, beside the bodies of its documents by key.
    pub(crate) async fn page(&self, store: &Postgres, query: &ListQuery, figures: &mut Figures) {
        let mut times = Vec::new();
        let mut keys: Vec<Uuid> = Vec::new();
        for _ in 0..self.reads {
            let start = Instant::now();
            let page = store.list_document_rows(query, 1_000_000).await.unwrap();
            times.push(start.elapsed());
            keys = page.items.iter().map(|item| item.key).collect();
        }
        let micros = median(times);
        let name = "list/page-without-sums";
        eprintln!("{name}: {micros} us");
        figures.insert(format!("{name}-us"), micros);
        let of = self.time(BODIES, &[&RIYADH, &keys]).await;
        record(name, micros, of, figures);
    }

    /// The first page of `query` with its sums took `micros`: beside the count of what it selects, from the index of amounts.
    pub(crate) async fn sums(
        &self,
        name: &str,
        query: &ListQuery,
        micros: u64,
        figures: &mut Figures,
    ) {
        let filter = &query.filter;
        let (from, to) = (filter.gross_from, filter.gross_to);
        let (from, to) = (from.unwrap_or(i64::MIN), to.unwrap_or(i64::MAX));
        let date = filter.issued_from.as_deref().unwrap_or_default();
        let of = self.time(COUNT, &[&RIYADH, &from, &to, &date]).await;
        record(name, micros, of, figures);
    }

    /// Microseconds of a prepared statement: the median.
    async fn time(&self, statement: &str, values: &[&(dyn ToSql + Sync)]) -> u64 {
        let statement = self.client.prepare(statement).await.unwrap();
        let mut times = Vec::new();
        for _ in 0..self.reads {
            let start = Instant::now();
            let rows = self.client.query(&statement, values).await.unwrap();
            times.push(start.elapsed());
            assert!(!rows.is_empty());
        }
        median(times)
    }
}

fn median(mut times: Vec<Duration>) -> u64 {
    times.sort_unstable();
    percentile(&times, 50)
}

/// Writes down the time of the peer of a list that took `micros`, and how many times that the list takes.
fn record(name: &str, micros: u64, of: u64, figures: &mut Figures) {
    eprintln!("{name}/peer: {of} us");
    figures.insert(format!("{name}/peer-us"), of);
    figures.insert(
        format!("{name}/times-peer-permille"),
        micros * 1_000 / of.max(1),
    );
}
