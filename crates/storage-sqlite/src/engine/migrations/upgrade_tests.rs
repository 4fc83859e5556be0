//! Databases of every earlier version, with rows in every table, after they are brought up to date: no row is lost or changed,
//! what a migration derives from them is right, and the store works with them.

use std::collections::BTreeMap;
use std::path::Path;

use invoicing_storage::documents::amount_classes::{LOWEST, class};
use invoicing_storage::suite::authority_answers::{ANSWERS, WITH_REMARKS};
use invoicing_storage::suite::transfer::{check_use, fill};
use rusqlite::Connection;

use super::*;
use crate::{OpenError, Sqlite};

/// Tables that migrations themselves write.
const UNCOMPARED: [&str; 2] = ["generation", "schema_migrations"];

/// The first versions with tables that a migration fills from others.
const DOMAINS: i64 = 6;
const PAYMENTS: i64 = 7;
const CLEARANCE: i64 = 9;
const CLASS_SUMS: i64 = 12;
const AUTHORITY_WARNINGS: i64 = 13;
/// The first version in which tenants can have a registration number.
const REGISTRATION_NUMBERS: i64 = 17;

/// The columns of tables, by table.
type Columns = BTreeMap<String, Vec<String>>;

fn texts(database: &Connection, select: &str) -> Vec<String> {
    let mut select = database.prepare(select).unwrap();
    let rows = select.query_map([], |row| row.get(0)).unwrap();
    rows.collect::<Result<_, _>>().unwrap()
}

/// The tables whose rows are copied and compared.
fn columns(database: &Connection) -> Columns {
    let tables = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite!_%' ESCAPE '!'";
    let tables = texts(database, tables).into_iter();
    let tables = tables.filter(|table| !UNCOMPARED.contains(&&**table));
    tables
        .map(|table| {
            let names = format!("SELECT name FROM pragma_table_info('{table}')");
            let names = texts(database, &names);
            (table, names)
        })
        .collect()
}

/// The rows of a table with these columns, in order, as text.
fn rows(database: &Connection, table: &str, columns: &[String]) -> Vec<String> {
    let quoted: Vec<_> = columns
        .iter()
        .map(|column| format!("quote({column})"))
        .collect();
    let row = quoted.join(" || ' ' || ");
    texts(
        database,
        &format!("SELECT {row} AS line FROM {table} ORDER BY line"),
    )
}

/// Copies the rows of the database at `from` into the tables of `database`, which may lack tables and columns of it. Triggers
/// would write more than the rows.
fn copy_rows(database: &Connection, from: &Path) {
    let attach = "ATTACH DATABASE ?1 AS filled";
    database
        .execute(attach, [from.display().to_string()])
        .unwrap();
    let triggers = "SELECT sql FROM main.sqlite_master WHERE type = 'trigger'";
    let created = texts(database, triggers).join(";\n");
    let names = "SELECT 'DROP TRIGGER ' || name FROM main.sqlite_master WHERE type = 'trigger'";
    let dropped = texts(database, names).join(";\n");
    let copies = columns(database).into_iter().map(|(table, columns)| {
        let columns = columns.join(", ");
        format!(
            "DELETE FROM main.{table};
             INSERT INTO main.{table} ({columns}) SELECT {columns} FROM filled.{table}"
        )
    });
    let copies = copies.collect::<Vec<_>>().join(";\n");
    // The tables are copied in any order.
    let statements = format!(
        "PRAGMA foreign_keys = OFF; BEGIN; {dropped}; {copies}; {created}; COMMIT; DETACH DATABASE filled"
    );
    database.execute_batch(&statements).unwrap();
}

async fn open(path: &Path) -> Sqlite {
    let store = Sqlite::open(&format!("sqlite:{}", path.display())).await;
    store.unwrap()
}

#[tokio::test]
async fn database_of_every_earlier_version_keeps_its_rows() {
    let folder = tempfile::tempdir().unwrap();
    let filled = folder.path().join("filled.db");
    let store = open(&filled).await;
    fill(&store).await;
    store.close().await;
    let current = Connection::open(&filled).unwrap();

    let latest = MIGRATIONS[MIGRATIONS.len() - 1].version;
    for known in 1..latest {
        let path = folder.path().join(format!("{known}.db"));
        let mut database = Connection::open(&path).unwrap();
        let count = usize::try_from(known).unwrap();
        migrate(
            &mut database,
            &MIGRATIONS[..count],
            Timestamp::from_millis(7),
        )
        .unwrap();
        copy_rows(&database, &filled);
        if known < CLEARANCE {
            let endpoint = "UPDATE tenants SET authority_endpoint = 'https://tax.example' WHERE organization_id = 'riyadh'";
            assert_eq!(database.execute(endpoint, []).unwrap(), 1);
        }
        let columns = columns(&database);
        let before = columns.iter().map(|(table, columns)| {
            let rows = rows(&database, table, columns);
            assert!(!rows.is_empty(), "{table} has no row");
            (table.clone(), rows)
        });
        let before: BTreeMap<_, _> = before.collect();
        drop(database);

        let store = open(&path).await;
        let database = Connection::open(&path).unwrap();
        for (table, columns) in &columns {
            let after = rows(&database, table, columns);
            let kept = before[table] == after;
            assert!(kept, "rows of {table} are not those of version {known}");
        }
        let broken = texts(&database, "SELECT \"table\" FROM pragma_foreign_key_check");
        assert_eq!(broken, [""; 0], "references after version {known}");
        check_derived_rows(&database, &current, known);
        check_use(&store).await;
        store.close().await;
    }
}

#[tokio::test]
async fn database_of_an_earlier_version_is_changed_by_a_service_only() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("invoicing.db");
    let url = format!("sqlite:{}", path.display());
    let mut database = Connection::open(&path).unwrap();
    let earlier = &MIGRATIONS[..MIGRATIONS.len() - 1];
    migrate(&mut database, earlier, Timestamp::from_millis(7)).unwrap();
    let schema = "SELECT coalesce(sql, name) FROM sqlite_master ORDER BY name";
    let before = texts(&database, schema);
    drop(database);

    let refused = Sqlite::open_existing(&url).await.unwrap_err();
    assert!(
        matches!(&refused, OpenError::DatabaseOlder { path: named } if *named == path),
        "{refused:?}"
    );
    assert_eq!(refused.exit_code(), 65);
    let after = texts(&Connection::open(&path).unwrap(), schema);
    assert_eq!(after, before);

    open(&path).await.close().await;
    let store = Sqlite::open_existing(&url).await.unwrap();
    fill(&store).await;
    store.close().await;
}

/// What migrations after the version `known` derived from rows of `database` is what the store itself writes.
fn check_derived_rows(database: &Connection, current: &Connection, known: i64) {
    if known < DOMAINS {
        let domains = "SELECT name || ' ' || organization_id FROM domains ORDER BY name";
        assert_eq!(texts(database, domains), texts(current, domains));
    }
    if known < PAYMENTS {
        // Credit notes of earlier versions have none (decision 0137).
        let receivables = "SELECT r.organization_id || hex(r.document) || ' ' || r.currency || r.due_on || ' ' || r.payable || ' '
                || r.paid || ' ' || r.credited AS line
            FROM receivables r WHERE r.payable > 0 ORDER BY line";
        assert_eq!(texts(database, receivables), texts(current, receivables));
    }
    if known < CLEARANCE {
        let authorities = "SELECT organization_id || ' ' || endpoint || ' ' || mode || ' ' || enabled FROM authorities";
        assert_eq!(
            texts(database, authorities),
            ["riyadh https://tax.example clearance 1"]
        );
    }
    if known < REGISTRATION_NUMBERS {
        let registered = "SELECT organization_id FROM tenants
            WHERE registration_number_scheme <> '' OR registration_number_value <> ''";
        assert_eq!(texts(database, registered), [""; 0]);
    }
    if known < CLASS_SUMS {
        for table in ["document_class_sums", "document_totals"] {
            let columns = format!("SELECT name FROM pragma_table_info('{table}')");
            let columns = texts(current, &columns);
            // Rows of sums outlive their last document.
            let counted = format!("{table} WHERE documents <> 0");
            assert_eq!(
                rows(database, &counted, &columns),
                rows(current, &counted, &columns)
            );
        }
    }
}

/// An empty database that the migration `version` is the next one of.
fn database_before(version: i64) -> Connection {
    let mut database = Connection::open_in_memory().unwrap();
    let count = usize::try_from(version - 1).unwrap();
    migrate(
        &mut database,
        &MIGRATIONS[..count],
        Timestamp::from_millis(7),
    )
    .unwrap();
    database
}

#[test]
fn submissions_that_were_answered_with_remarks_before_the_migration_say_so() {
    let mut database = database_before(AUTHORITY_WARNINGS);
    database.pragma_update(None, "foreign_keys", false).unwrap();
    for (number, state, http_status, answer) in ANSWERS {
        let submission = "INSERT INTO document_submissions
                 (organization_id, id, document_key, issued_from, number, content, hash, state, created_at)
             VALUES ('riyadh', CAST(?1 AS BLOB), x'', '', ?1, x'', x'', ?2, 0)";
        database
            .execute(submission, params![number, state])
            .unwrap();
        let attempt = "INSERT INTO document_submission_attempts
                 (organization_id, submission, id, started_at, ended_at, http_status, state, problem, answer)
             VALUES ('riyadh', CAST(?1 AS BLOB), x'', 0, 0, ?2, ?3, '', CAST(?4 AS BLOB))";
        database
            .execute(attempt, params![number, http_status, state, answer])
            .unwrap();
    }
    migrate(&mut database, MIGRATIONS, Timestamp::from_millis(7)).unwrap();
    let select = "SELECT number FROM document_submissions WHERE has_warnings ORDER BY number";
    assert_eq!(texts(&database, select), WITH_REMARKS);
}

#[test]
fn amounts_have_the_classes_in_which_writes_count_them() {
    let mut database = database_before(CLASS_SUMS);
    let beside = |lowest: &i64| [lowest - 1, *lowest, lowest + 1];
    let amounts = LOWEST.iter().flat_map(beside);
    let amounts: Vec<_> = [i64::MIN, i64::MAX].into_iter().chain(amounts).collect();
    // Each on a day of its own, and without what it refers to.
    database.pragma_update(None, "foreign_keys", false).unwrap();
    let insert = "INSERT INTO documents (organization_id, key, concurrency_stamp, status, kind, number, number_sort_key, issue_date,
             due_date, currency, net, tax, gross, gross_sort_key, buyer_sort_key, buyer_text_id, updated_at)
         VALUES ('riyadh', ?1, '', 1, 1, '', '', ?1, '', 'SAR', 0, 0, 0, ?2, '', 1, 0)";
    for (day, amount) in amounts.iter().enumerate() {
        let key = format!("{day:08}");
        let insert = insert.replacen("?1", "CAST(?1 AS BLOB)", 1);
        database.execute(&insert, params![key, amount]).unwrap();
    }
    migrate(&mut database, MIGRATIONS, Timestamp::from_millis(7)).unwrap();
    let select = "SELECT class FROM document_class_sums ORDER BY issue_date";
    let mut select = database.prepare(select).unwrap();
    let classes = select.query_map([], |row| row.get::<_, i16>(0)).unwrap();
    let classes: Vec<_> = classes.map(Result::unwrap).collect();
    let expected: Vec<_> = amounts.iter().map(|amount| class(*amount)).collect();
    assert_eq!(classes, expected);
}
