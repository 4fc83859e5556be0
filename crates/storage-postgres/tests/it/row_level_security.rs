//! Row-level security of every table that has a policy (decision 0103): without a condition on the organization, each role sees the
//! rows of the one that is set only, and writes none of another.

use invoicing_storage::suite::fixtures::{JEDDAH, RIYADH};
use invoicing_test_postgres::{Database, Server};
use tokio_postgres::Client;
use tokio_postgres::error::{DbError, SqlState};

use super::roles::connect;

/// Stands for the organization in the values of a row.
const ORGANIZATION: &str = "{organization}";

/// A table with a policy, and a row of it.
struct ProtectedTable {
    name: String,
    /// Separated by commas.
    columns: String,
    values: String,
}

impl ProtectedTable {
    /// The statement that inserts its row for an organization.
    fn insert(&self, organization: &str) -> String {
        let Self {
            name,
            columns,
            values,
        } = self;
        let values = values.replace(ORGANIZATION, organization);
        format!("INSERT INTO {name} ({columns}) VALUES ({values})")
    }
}

/// All tables with a policy for every command: the audit has others, which its own tests are about. A literal 1 is a value of every type but that of keys.
async fn protected_tables(client: &Client) -> Vec<ProtectedTable> {
    let select = "SELECT c.relname::text AS name, string_agg(quote_ident(a.attname), ', ' ORDER BY a.attnum) AS columns,
            string_agg(CASE WHEN a.attname = 'organization_id' THEN quote_literal($1::text)
                WHEN a.atttypid = 'uuid'::regtype THEN quote_literal('00000000-0000-0000-0000-000000000001')
                ELSE quote_literal('1') END, ', ' ORDER BY a.attnum) AS values
        FROM pg_class c JOIN pg_attribute a
            ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
        WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
            AND EXISTS (SELECT FROM pg_policy p WHERE p.polrelid = c.oid AND p.polcmd = '*')
        GROUP BY c.oid, c.relname ORDER BY c.relname";
    let rows = client.query(select, &[&ORGANIZATION]).await.unwrap();
    let table = |row: &tokio_postgres::Row| ProtectedTable {
        name: row.get("name"),
        columns: row.get("columns"),
        values: row.get("values"),
    };
    rows.iter().map(table).collect()
}

/// A database whose protected tables have a row of each of two organizations.
async fn database_with_rows() -> (Vec<ProtectedTable>, Database) {
    let (_store, database) = super::open().await;
    let superuser = Server::shared().connect_as_superuser(&database).await;
    let tables = protected_tables(&superuser).await;
    // Partitions of the time 1. Triggers, as those of foreign keys, are switched off.
    let prepare = "SELECT create_partitions(1); SET session_replication_role = replica";
    superuser.batch_execute(prepare).await.unwrap();
    for table in &tables {
        for organization in [RIYADH, JEDDAH] {
            let insert = table.insert(organization);
            let inserted = superuser.batch_execute(&insert).await;
            inserted.unwrap_or_else(|error| panic!("{insert}: {error:?}"));
        }
    }
    (tables, database)
}

/// The organizations of the rows that a connection sees.
async fn organizations(client: &Client, table: &ProtectedTable) -> Vec<String> {
    let select = format!("SELECT organization_id FROM {}", table.name);
    let rows = client.query(&select, &[]).await;
    let rows = rows.unwrap_or_else(|error| panic!("{select}: {error:?}"));
    rows.iter().map(|row| row.get(0)).collect()
}

/// The message with which a statement is refused. A policy and a missing privilege have the same code.
async fn refusal(client: &Client, statement: &str) -> String {
    let error = client.execute(statement, &[]).await.expect_err(statement);
    let refused = Some(&SqlState::INSUFFICIENT_PRIVILEGE);
    assert_eq!(error.code(), refused, "{statement}: {error:?}");
    let message = error.as_db_error().map(DbError::message);
    message.unwrap_or_default().to_owned()
}

async fn set_organization(client: &Client, organization: &str) {
    let set = "SELECT set_config('app.organization', $1, false)";
    client.query_one(set, &[&organization]).await.unwrap();
}

#[tokio::test]
async fn every_table_with_a_policy_shows_the_rows_of_the_organization_that_is_set() {
    let (tables, database) = database_with_rows().await;
    assert!(tables.len() > 10, "{} tables", tables.len());
    // The owner too: the policies are forced.
    for url in [database.application_url(), database.owner_url()] {
        let client = connect(url).await;
        for table in &tables {
            let seen = organizations(&client, table).await;
            assert!(seen.is_empty(), "{} without the setting", table.name);
        }
        for own in [RIYADH, JEDDAH] {
            set_organization(&client, own).await;
            for table in &tables {
                let seen = organizations(&client, table).await;
                assert_eq!(seen, [own], "{} as {url}", table.name);
            }
        }
    }
}

#[tokio::test]
async fn no_table_with_a_policy_takes_or_changes_rows_of_another_organization() {
    let (tables, database) = database_with_rows().await;
    let owner = connect(database.owner_url()).await;
    let application = connect(database.application_url()).await;
    set_organization(&owner, RIYADH).await;
    set_organization(&application, RIYADH).await;
    for table in &tables {
        let name = &table.name;
        let insert = table.insert(JEDDAH);
        // Its own row becomes one of the other.
        let update = format!("UPDATE {name} SET organization_id = '{JEDDAH}'");
        for client in [&application, &owner] {
            let message = refusal(client, &insert).await;
            assert!(message.contains("row-level security"), "{name}: {message}");
        }
        // The application may not update every table.
        refusal(&application, &update).await;
        let message = refusal(&owner, &update).await;
        assert!(message.contains("row-level security"), "{name}: {message}");
        for foreign in [
            format!(
                "UPDATE {name} SET organization_id = '{RIYADH}' WHERE organization_id = '{JEDDAH}'"
            ),
            format!("DELETE FROM {name} WHERE organization_id = '{JEDDAH}'"),
        ] {
            let changed = owner.execute(&foreign, &[]).await.unwrap();
            assert_eq!(changed, 0, "{foreign}");
        }
    }
}
