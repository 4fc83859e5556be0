//! The second wall between organizations (decision 0103): statements without the condition on the organization, run as the
//! application role, see and change nothing of another organization.

use async_trait::async_trait;
use invoicing_contract::OrganizationId;
use invoicing_storage::StorageError;
use invoicing_storage::documents::{AddOutcome, DocumentStore as _, ListQuery, SortField};
use invoicing_storage::suite::fixtures::{Draft, JEDDAH, RIYADH, id, key, row, unlimited};
use invoicing_test_postgres::Database;
use tokio_postgres::Row;

use super::super::filter::Buyers;
use super::super::list::{PageColumns, PageRange, select_page};
use super::super::list_sums::select_from_days;
use super::super::rows::{SELECT_DOCUMENT, SELECT_HISTORY};
use super::super::statement::Statement;
use super::open;
use crate::Postgres;
use crate::engine::{EngineError, Parameter, Transaction, TransactionEnd, TransactionWork};

/// What isolates in a statement.
const CONDITION: &str = "organization_id = $1";

/// A store with a document of [`RIYADH`] and one of [`JEDDAH`] that have the same key.
async fn store() -> (Postgres, Database) {
    let (store, database) = open().await;
    for organization in [RIYADH, JEDDAH] {
        let document = row(Draft {
            organization,
            ..Draft::default()
        });
        let added = store.add_document(&document, &unlimited()).await;
        assert_eq!(added.unwrap(), AddOutcome::Stored);
    }
    (store, database)
}

/// The rows of a statement as an organization.
async fn rows(
    store: &Postgres,
    organization: Option<&OrganizationId>,
    statement: &'static str,
    parameters: &[Parameter<'_>],
) -> Vec<Row> {
    let rows = store.engine().rows(organization, statement, parameters);
    rows.await.unwrap()
}

/// `statement` without its conditions on the organization.
fn without_condition(statement: &str) -> &'static str {
    let text = statement.replace(CONDITION, "$1::text IS NOT NULL");
    assert_ne!(text, statement, "the statement names its organization");
    String::leak(text)
}

/// The organizations of documents.
fn organizations(bodies: &[Vec<u8>]) -> Vec<String> {
    use invoicing_contract::messages::documents::Document;
    let document = |body: &Vec<u8>| <Document as prost::Message>::decode(&**body).unwrap();
    bodies
        .iter()
        .map(|body| document(body).organization_id)
        .collect()
}

#[tokio::test]
async fn document_and_history_without_the_condition_are_those_of_the_organization() {
    let (store, _database) = store().await;
    let (before, limit, bytes) = (i32::MAX, 10_i64, 1_000_000_i64);
    let key = key(1);
    for own in [RIYADH, JEDDAH] {
        for parameter in [RIYADH, JEDDAH] {
            let document = without_condition(SELECT_DOCUMENT);
            let history = without_condition(SELECT_HISTORY);
            let own = id(own);
            let documents = rows(&store, Some(&own), document, &[&parameter, &key]).await;
            let parameters: [Parameter<'_>; 5] = [&parameter, &key, &before, &limit, &bytes];
            let revisions = rows(&store, Some(&own), history, &parameters).await;
            for rows in [documents, revisions] {
                let bodies: Vec<Vec<u8>> = rows.iter().map(|row| row.get("body")).collect();
                assert_eq!(organizations(&bodies), [own.as_str()]);
            }
        }
    }
    let nobody = rows(&store, None, SELECT_DOCUMENT, &[&RIYADH, &key]).await;
    assert!(nobody.is_empty(), "without the setting");
}

#[tokio::test]
async fn statement_with_another_organization_as_its_parameter_finds_nothing() {
    let (store, _database) = store().await;
    let (own, key) = (id(RIYADH), key(1));
    let (before, limit, bytes) = (i32::MAX, 10_i64, 1_000_000_i64);
    let document = rows(&store, Some(&own), SELECT_DOCUMENT, &[&JEDDAH, &key]).await;
    assert!(document.is_empty());
    let parameters: [Parameter<'_>; 5] = [&JEDDAH, &key, &before, &limit, &bytes];
    let history = rows(&store, Some(&own), SELECT_HISTORY, &parameters).await;
    assert!(history.is_empty());
}

/// Runs the statements of a list as an organization.
struct ReadAs<'a> {
    organization: Option<&'a OrganizationId>,
    statement: Statement,
}

#[async_trait]
impl TransactionWork for ReadAs<'_> {
    type Output = Vec<Row>;

    fn organization(&self) -> Option<&OrganizationId> {
        self.organization
    }

    async fn run(
        &self,
        transaction: &Transaction,
    ) -> Result<TransactionEnd<Self::Output>, EngineError> {
        let rows = self.statement.rows(transaction).await?;
        Ok(TransactionEnd::Commit(rows))
    }
}

#[tokio::test]
async fn list_of_another_organization_is_empty_and_one_of_all_is_the_own() {
    let (store, _database) = store().await;
    let own = id(RIYADH);
    let list = ListQuery {
        organization: id(JEDDAH),
        filter: Default::default(),
        sort: vec![(SortField::IssueDate, true)],
        after: None,
        skip: 0,
        size: 50,
    };
    let page = || {
        let range = PageRange::of(&list, 1).unwrap();
        select_page(&list, &Buyers::All, PageColumns::Body, 1, &range)
    };
    let sums = || select_from_days(&list, &Buyers::All);
    let read = async |organization, statement| {
        let work = ReadAs {
            organization,
            statement,
        };
        store.engine().read(&work).await.unwrap()
    };
    for statement in [page(), sums()] {
        assert!(read(Some(&own), statement).await.is_empty());
    }
    for statement in [page(), sums()] {
        assert!(read(None, statement).await.is_empty());
    }
    // The same list without any condition on the organization.
    let everything = read(
        Some(&own),
        page().with_text(|text| {
            let text = text.replace(CONDITION, "$1::text IS NOT NULL");
            text.replace("d.organization_id = $4", "$4::text IS NOT NULL")
        }),
    );
    let bodies: Vec<Vec<u8>> = everything.await.iter().map(|row| row.get("body")).collect();
    assert_eq!(organizations(&bodies), [RIYADH]);
    let everything = sums().with_text(|text| text.replace(CONDITION, "$1::text IS NOT NULL"));
    let sums = read(Some(&own), everything).await;
    assert_eq!(sums.len(), 1);
    assert_eq!(sums[0].get::<_, i64>("documents"), 1);
}

/// Executes a statement as an organization.
struct WriteAs<'a> {
    organization: &'a OrganizationId,
    statement: &'static str,
}

#[async_trait]
impl TransactionWork for WriteAs<'_> {
    type Output = u64;

    fn organization(&self) -> Option<&OrganizationId> {
        Some(self.organization)
    }

    async fn run(&self, transaction: &Transaction) -> Result<TransactionEnd<u64>, EngineError> {
        let changed = transaction.execute(self.statement, &[]).await?;
        Ok(TransactionEnd::Commit(changed))
    }
}

#[tokio::test]
async fn rows_of_another_organization_are_not_written() {
    let (store, _database) = store().await;
    let own = id(RIYADH);
    let write = async |statement| {
        let work = WriteAs {
            organization: &own,
            statement,
        };
        store.engine().write(&work).await
    };
    for refused in [
        "INSERT INTO documents SELECT (jsonb_populate_record(d, '{\"organization_id\": \"jeddah\"}')).* FROM documents d",
        "INSERT INTO buyer_texts VALUES ('jeddah', '00000000-0000-0000-0000-000000000001', 'text')",
        "INSERT INTO document_sums VALUES ('jeddah', '2027-01-01', 1, 1, 'SAR', 0, 1, 1, 1, 1)",
        "INSERT INTO document_series VALUES ('jeddah', 1, 2027, 7)",
        "INSERT INTO document_months VALUES ('jeddah', '2027-01', 1, 1)",
        "INSERT INTO document_credits SELECT 'jeddah', key, key FROM documents",
        "INSERT INTO document_debits SELECT 'jeddah', key, key FROM documents",
        "INSERT INTO document_history SELECT 'jeddah', key, 9, at, id, action, subject, subject_name, body
             FROM document_history",
        "UPDATE documents SET organization_id = 'jeddah', key = gen_random_uuid()",
        "UPDATE document_sums SET organization_id = 'jeddah', slot = 9",
    ] {
        let error = write(refused).await.expect_err(refused);
        assert!(matches!(error, StorageError::Unexpected(_)));
        let message = error.to_string();
        assert!(message.contains("row-level security"), "{refused}: {message}");
    }
    let foreign = "UPDATE documents SET note = 'changed' WHERE organization_id = 'jeddah'";
    assert_eq!(write(foreign).await.unwrap(), 0);
    let foreign = "DELETE FROM documents WHERE organization_id = 'jeddah'";
    assert_eq!(write(foreign).await.unwrap(), 0);
    let all = "UPDATE documents SET note = 'changed'";
    assert_eq!(write(all).await.unwrap(), 1);
}

#[tokio::test]
async fn setting_ends_with_its_transaction() {
    let (_store, database) = store().await;
    let store = super::open_with(&database, 1).await;
    let count = "SELECT count(*) FROM documents";
    let counted = async |organization: Option<&OrganizationId>| {
        let row = store.engine().row(organization, count, &[]).await;
        row.unwrap().unwrap().get::<_, i64>(0)
    };
    for _ in 0..2 {
        // With one connection in the pool, the second statement has that of the first.
        assert_eq!(counted(Some(&id(RIYADH))).await, 1);
        assert_eq!(counted(None).await, 0);
        let list = store.count_documents(&id(JEDDAH)).await;
        assert_eq!(list.unwrap(), 1);
    }
}

/// Tables with an organization that every transaction sees, with the reason (decision 0103).
const VISIBLE_TABLES: [(&str, &str); 10] = [
    (
        "applications",
        "a sign-in reads one before an organization is known, and most belong to none",
    ),
    (
        "audit_events",
        "the archive and operators read those of all, in transactions without an organization; one with it sees its own only",
    ),
    ("authorities", "operators list those of all tenants"),
    (
        "clearance_queue",
        "a process looks for work of all; it has ids and times only",
    ),
    ("domain_claims", "read together with domains"),
    ("domains", "a sign-in finds an organization by one"),
    (
        "grants",
        "a sign-in reads those of a user in all organizations",
    ),
    (
        "operator_organization",
        "a sign-in asks whether an organization is it",
    ),
    (
        "subjects",
        "a sign-in reads one before an organization is known; a user works in several",
    ),
    ("tenants", "a sign-in reads those of a user's organizations"),
];

#[tokio::test]
async fn every_table_with_an_organization_has_the_policy_or_is_named_as_visible() {
    let (store, _database) = store().await;
    // A policy for all commands and roles that compares the organization is the only one of its table. A column with the id of an
    // organization is a text whose name says so.
    let tables = "SELECT c.relname::text AS name, c.relrowsecurity AND c.relforcerowsecurity
             AND array_agg((p.polcmd = '*', p.polpermissive, p.polroles = '{0}', pg_get_expr(p.polqual, c.oid),
                 pg_get_expr(p.polwithcheck, c.oid))::text)
             = ARRAY[(true, true, true, e.compares, e.compares)::text] AS is_protected
         FROM pg_class c LEFT JOIN pg_policy p ON p.polrelid = c.oid
             CROSS JOIN (SELECT '(organization_id = current_setting(''app.organization''::text, true))' AS compares) e
         WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
             AND EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND NOT a.attisdropped
                 AND a.attname LIKE '%organization%' AND a.atttypid = 'text'::regtype)
         GROUP BY c.oid, c.relname, c.relrowsecurity, c.relforcerowsecurity, e.compares ORDER BY c.relname";
    let tables = store.engine().rows(None, tables, &[]).await.unwrap();
    let (protected, visible): (Vec<_>, Vec<_>) = tables
        .iter()
        .map(|table| (table.get("name"), table.get("is_protected")))
        .partition(|(_, is_protected): &(&str, bool)| *is_protected);
    let visible: Vec<_> = visible.into_iter().map(|(name, _)| name).collect();
    assert_eq!(visible, VISIBLE_TABLES.map(|(name, _)| name));
    assert!(protected.len() > VISIBLE_TABLES.len(), "{protected:?}");
}

#[tokio::test]
async fn partitions_of_tables_with_a_policy_are_closed() {
    let (store, _database) = store().await;
    let readable = "SELECT p.relname::text AS parent, has_table_privilege(c.oid, 'SELECT') AS readable FROM pg_class c
         JOIN pg_inherits ON inhrelid = c.oid JOIN pg_class p ON p.oid = inhparent
         WHERE p.relrowsecurity AND p.relkind = 'p' AND c.relkind = 'r'";
    let partitions = store.engine().rows(None, readable, &[]).await.unwrap();
    for parent in ["audit_events", "document_history"] {
        let mut partitions = partitions.iter();
        assert!(
            partitions.any(|partition| partition.get::<_, &str>("parent") == parent),
            "{parent}"
        );
    }
    for partition in partitions {
        assert!(!partition.get::<_, bool>("readable"), "{partition:?}");
    }
}
