//! A store whose documents are known, with the database that it is in.

use std::sync::Arc;

use invoicing_storage::SystemRng;
use invoicing_storage::documents::DocumentFilter;
use invoicing_storage::suite::fixtures::populate;
use invoicing_storage::suite::known_documents::{KnownDocuments, Write};
use invoicing_test_postgres::{Database, Server};
use tokio_postgres::Client;

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
    pub(super) documents: KnownDocuments,
}

#[derive(Debug, Clone)]
pub(super) enum Step {
    Write(Write),
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
            documents: KnownDocuments::default(),
        }
    }

    /// As the role that owns the tables.
    pub(super) async fn owner(&self) -> Postgres {
        let options = Options::from_url(self.database.owner_url()).unwrap();
        Postgres::open(options, Arc::new(SystemRng)).await.unwrap()
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
            Step::Write(write) => self.documents.write(&self.store, write).await,
            Step::Unclassify { mode, part } => self.unclassify(*mode, *part).await,
            Step::Classify => self.classify().await,
        }
    }

    pub(super) async fn check(&self, filter: &DocumentFilter) {
        self.documents.check(&self.store, filter).await;
    }
}
