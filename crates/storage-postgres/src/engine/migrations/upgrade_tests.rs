//! Databases of every earlier version, with rows in every table, after they are brought up to date: the schema is that of a new
//! database, no row is lost or changed, what a migration derives from them is right, and the store works with them.

use std::collections::BTreeMap;

use invoicing_storage::suite::transfer::{check_use, fill};
use invoicing_test_postgres::{Database, Server};

use super::tests::{LATEST, empty, open, options, schema};
use super::*;

const NOW: Timestamp = Timestamp::from_millis(7);

/// The first versions with tables that a migration fills from others.
const DOMAINS: i32 = 11;
const PAYMENTS: i32 = 12;
const CLEARANCE: i32 = 14;
/// The first version in which tenants can have a registration number.
const REGISTRATION_NUMBERS: i32 = 24;
/// The first version with all tables that [`check_use`] needs.
const COMPLETE: i32 = 6;

/// Tables that one process alone may leave empty, and the positions of events, which those have that were not archived and were read.
const MAY_BE_EMPTY: [&str; 3] = ["audit_locks", "audit_positions", "budgets"];

/// The columns of tables, by table, except of tables that migrations themselves write.
const COLUMNS: &str = "SELECT c.relname::text, string_agg(quote_ident(a.attname), ', ' ORDER BY a.attnum)
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
        AND c.relname NOT IN ('partitioned_tables', 'schema_migrations', 'versions')
    GROUP BY c.relname";
/// The first day of each partition.
const PARTITIONS: &str =
    "SELECT DISTINCT substring(relname FROM '_d(-?[0-9]+)$')::bigint FROM pg_class
    WHERE relispartition AND relkind = 'r'";

/// A connection that sees the rows of every organization.
async fn connect_as_superuser(database: &Database) -> Client {
    Server::shared().connect_as_superuser(database).await
}

async fn columns(client: &Client) -> BTreeMap<String, String> {
    let rows = client.query(COLUMNS, &[]).await.unwrap();
    rows.iter().map(|row| (row.get(0), row.get(1))).collect()
}

/// How many rows a table has, and a digest of these columns of them.
async fn digest(client: &Client, table: &str, columns: &str) -> (i64, String) {
    let select = format!(
        "SELECT count(*), coalesce(md5(string_agg(line, E'\\n' ORDER BY line)), '')
         FROM (SELECT ROW({columns})::text COLLATE \"C\" AS line FROM {table}) AS lines"
    );
    let row = client.query_one(&select, &[]).await.unwrap();
    (row.get(0), row.get(1))
}

/// Copies the rows of a database into the tables of another, which may lack tables and columns of it.
async fn copy_rows(from: &Client, to: &Client) {
    // Neither triggers nor references: the tables are copied in any order.
    let begin = "BEGIN; SET LOCAL session_replication_role = replica";
    to.batch_execute(begin).await.unwrap();
    for row in from.query(PARTITIONS, &[]).await.unwrap() {
        let day: i64 = row.get(0);
        let at = day * 86_400_000;
        let create = "SELECT create_partitions($1)";
        to.execute(create, &[&at]).await.unwrap();
    }
    for (table, columns) in columns(to).await {
        let select = format!("SELECT coalesce(json_agg(row), '[]')::text FROM {table} AS row");
        let rows: String = from.query_one(&select, &[]).await.unwrap().get(0);
        let delete = format!("DELETE FROM {table}");
        to.execute(&delete, &[]).await.unwrap();
        let insert = format!(
            "INSERT INTO {table} ({columns})
             SELECT {columns} FROM json_populate_recordset(NULL::{table}, $1::text::json)"
        );
        to.execute(&insert, &[&rows]).await.unwrap();
    }
    to.batch_execute("COMMIT").await.unwrap();
}

#[tokio::test]
async fn database_of_every_earlier_version_is_brought_up_to_date_and_keeps_its_rows() {
    let filled = empty().await;
    migrate(&options(&filled), NOW).await.unwrap();
    fill(&open(&filled).await.unwrap()).await;
    let current = connect_as_superuser(&filled).await;
    let lease = "INSERT INTO leases VALUES ('kept', 'holder', 1)";
    current.execute(lease, &[]).await.unwrap();
    let expected = schema(&filled).await;

    for (known, version) in (1..MIGRATIONS.len()).zip(1..) {
        let database = empty().await;
        let migrations = &MIGRATIONS[..known];
        let applied = apply(&options(&database), migrations, NOW).await;
        assert_eq!(applied.unwrap().to, version);
        let refused = open(&database).await;
        assert!(
            matches!(refused, Err(OpenError::DatabaseOlder { .. })),
            "{version} {refused:?}"
        );
        let client = connect_as_superuser(&database).await;
        copy_rows(&current, &client).await;
        let columns = columns(&client).await;
        if columns.contains_key("tenants") && version < CLEARANCE {
            let endpoint = "UPDATE tenants SET authority_endpoint = 'https://tax.example' WHERE organization_id = 'riyadh'";
            assert_eq!(client.execute(endpoint, &[]).await.unwrap(), 1);
        }
        let mut before = BTreeMap::new();
        for (table, columns) in &columns {
            let digest = digest(&client, table, columns).await;
            assert!(
                digest.0 > 0 || MAY_BE_EMPTY.contains(&&**table),
                "{table} has no row"
            );
            before.insert(table, digest);
        }

        let migrated = migrate(&options(&database), NOW).await.unwrap();
        assert_eq!((migrated.from, migrated.to), (version, LATEST));
        assert_eq!(schema(&database).await, expected, "version {version}");
        for (table, columns) in &columns {
            let after = digest(&client, table, columns).await;
            assert_eq!(after, before[table], "{table} of version {version}");
        }
        if columns.contains_key("tenants") {
            check_derived_rows(&client, &current, version).await;
        }
        let store = open(&database).await.unwrap();
        if version >= COMPLETE {
            check_use(&store).await;
        }
    }
}

/// What migrations after `version` derived from rows is what the store itself writes.
async fn check_derived_rows(database: &Client, current: &Client, version: i32) {
    if version < DOMAINS {
        let columns = "name, organization_id";
        let derived = digest(database, "domains", columns).await;
        assert_eq!(derived, digest(current, "domains", columns).await);
    }
    if (COMPLETE..PAYMENTS).contains(&version) {
        let columns = "organization_id, document, currency, due_on, payable, paid, credited";
        // Credit notes of earlier versions have none (decision 0137).
        let invoices = "receivables WHERE payable > 0";
        let derived = digest(database, invoices, columns).await;
        assert_eq!(derived, digest(current, invoices, columns).await);
    }
    if version < CLEARANCE {
        let select = "SELECT string_agg(concat_ws(' ', organization_id, endpoint, mode, enabled), ', ') FROM authorities";
        let derived: String = database.query_one(select, &[]).await.unwrap().get(0);
        assert_eq!(derived, "riyadh https://tax.example clearance t");
    }
    if version < REGISTRATION_NUMBERS {
        let select = "SELECT count(*) FROM tenants
            WHERE registration_number_scheme <> '' OR registration_number_value <> ''";
        let registered: i64 = database.query_one(select, &[]).await.unwrap().get(0);
        assert_eq!(registered, 0);
    }
}
