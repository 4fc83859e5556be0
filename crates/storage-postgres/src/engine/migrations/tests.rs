//! Tests of the migration mechanism, with migrations of their own on top of the schema.

use std::sync::Arc;
use std::time::Duration;

use invoicing_storage::SystemRng;
use invoicing_test_postgres::{Database, Server};
use tokio::task::JoinSet;

use super::*;
use crate::Postgres;

const NOW: Timestamp = Timestamp::from_millis(7);
pub(super) const LATEST: i32 = MIGRATIONS[MIGRATIONS.len() - 1].version;

/// Adds a column, which programs of the version before do not see.
const EXPANDING: Migration = Migration {
    version: LATEST + 1,
    name: "setting_times",
    compatible_from: LATEST,
    sql: "ALTER TABLE settings ADD COLUMN changed_at bigint",
    is_index: false,
};
/// Removes what programs of the versions before use.
const CONTRACTING: Migration = Migration {
    version: LATEST + 2,
    name: "setting_contents",
    compatible_from: LATEST + 1,
    sql: "ALTER TABLE settings RENAME COLUMN value TO content",
    is_index: false,
};
/// Its last statement fails.
const FAILING: Migration = Migration {
    version: LATEST + 1,
    name: "failing",
    compatible_from: LATEST,
    sql: "DELETE FROM settings; CREATE TABLE later (id bigint); INSERT INTO missing VALUES (1)",
    is_index: false,
};

/// All migrations and `later` ones.
fn with(later: &[Migration]) -> Vec<Migration> {
    [MIGRATIONS, later].concat()
}

/// A database without tables.
pub(super) async fn empty() -> Database {
    Server::shared().database("empty", async |_| {}).await
}

pub(super) fn options(database: &Database) -> Options {
    Options::from_url(database.owner_url()).expect("the address of a database")
}

pub(super) async fn open(database: &Database) -> Result<Postgres, OpenError> {
    let options = Options::from_url(database.application_url()).expect("the address of a database");
    Postgres::open(options, Arc::new(SystemRng)).await
}

async fn execute(database: &Database, statements: &str) {
    let client = connect(&options(database)).await.unwrap();
    client.batch_execute(statements).await.unwrap();
}

async fn text(database: &Database, select: &str) -> String {
    let client = connect(&options(database)).await.unwrap();
    client.query_one(select, &[]).await.unwrap().get(0)
}

/// Columns, indexes, constraints and rights, to compare two states. Not those of partitions: which there are depends on the rows.
pub(super) async fn schema(database: &Database) -> String {
    let select = "WITH relations AS (
            SELECT oid, relname, relacl FROM pg_class WHERE relnamespace = 'public'::regnamespace AND NOT relispartition
        )
        SELECT string_agg(line, E'\\n' ORDER BY line) FROM (
            SELECT format('%s.%s %s %s', table_name, column_name, data_type, is_nullable) AS line
                FROM information_schema.columns
                WHERE table_schema = 'public' AND table_name::name IN (SELECT relname FROM relations)
            UNION ALL SELECT indexdef FROM pg_indexes
                WHERE schemaname = 'public' AND tablename IN (SELECT relname FROM relations)
            UNION ALL SELECT format('%s %s', conrelid::regclass, pg_get_constraintdef(oid))
                FROM pg_constraint WHERE conrelid IN (SELECT oid FROM relations) AND conparentid = 0
            UNION ALL SELECT format('%s %s', oid::regclass, relacl) FROM relations
            UNION ALL SELECT format('%s %s', polrelid::regclass, polname) FROM pg_policy
        ) lines";
    text(database, select).await
}

#[test]
fn versions_ascend_without_gaps_and_are_compatible_from_a_known_one() {
    for (migration, version) in MIGRATIONS.iter().zip(1..) {
        assert_eq!(migration.version, version, "{}", migration.name);
        assert!((1..=version).contains(&migration.compatible_from));
        let index = migration
            .is_index
            .then(|| ConcurrentIndex::from_file(migration.sql));
        assert!(
            index.is_none_or(|index| index.is_some()),
            "{}",
            migration.name
        );
    }
}

#[tokio::test]
async fn empty_database_is_not_opened_before_it_is_migrated() {
    let database = empty().await;
    let refused = open(&database).await;
    assert!(
        matches!(refused, Err(OpenError::NotMigrated { .. })),
        "{refused:?}"
    );
    assert_eq!(schema_version(&options(&database)).await.unwrap(), None);
    let migrated = migrate(&options(&database), NOW).await.unwrap();
    assert_eq!((migrated.from, migrated.to), (0, LATEST));
    assert_eq!(
        schema_version(&options(&database)).await.unwrap(),
        Some(LATEST)
    );
    open(&database).await.unwrap();
    let again = migrate(&options(&database), NOW).await.unwrap();
    assert_eq!((again.from, again.to), (LATEST, LATEST));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn empty_database_is_migrated_by_twenty_callers_at_the_same_time() {
    let database = empty().await;
    let mut callers = JoinSet::new();
    for _ in 0..20 {
        let options = options(&database);
        callers.spawn(async move { migrate(&options, NOW).await });
    }
    for migrated in callers.join_all().await {
        assert_eq!(migrated.unwrap().to, LATEST);
    }
    let applied = text(
        &database,
        "SELECT string_agg(version::text, ' ' ORDER BY version) FROM schema_migrations",
    );
    let expected: Vec<_> = (1..=LATEST).map(|version| version.to_string()).collect();
    assert_eq!(applied.await, expected.join(" "));
    open(&database).await.unwrap();
}

#[tokio::test]
async fn program_works_with_a_later_schema_that_only_adds() {
    let database = empty().await;
    migrate(&options(&database), NOW).await.unwrap();
    let running = open(&database).await.unwrap();
    apply(&options(&database), &with(&[EXPANDING]), NOW)
        .await
        .unwrap();
    use invoicing_storage::DirectoryStore as _;
    for store in [running, open(&database).await.unwrap()] {
        assert_eq!(store.setting_or("kind", "local").await.unwrap(), "local");
    }
    // Its own migrations are not enough to bring that database up to date.
    let refused = migrate(&options(&database), NOW).await;
    assert!(
        matches!(refused, Err(OpenError::DatabaseNewer { .. })),
        "{refused:?}"
    );
}

#[tokio::test]
async fn later_schema_that_removes_something_is_not_opened() {
    let database = empty().await;
    apply(&options(&database), &with(&[EXPANDING, CONTRACTING]), NOW)
        .await
        .unwrap();
    let refused = open(&database).await;
    assert!(
        matches!(refused, Err(OpenError::DatabaseNewer { .. })),
        "{refused:?}"
    );
}

#[tokio::test]
async fn database_with_an_edited_migration_is_not_opened_and_not_migrated() {
    let database = empty().await;
    let mut edited = MIGRATIONS.to_vec();
    edited[1].sql = "CREATE TABLE settings (name text, value text)";
    apply(&options(&database), &edited[..2], NOW).await.unwrap();
    let migrated = migrate(&options(&database), NOW).await;
    assert!(
        matches!(migrated, Err(OpenError::DatabaseDiffers { .. })),
        "{migrated:?}"
    );
    let refused = open(&database).await;
    assert!(
        matches!(refused, Err(OpenError::DatabaseDiffers { .. })),
        "{refused:?}"
    );
}

#[tokio::test]
async fn checksum_of_a_migration_is_the_same_with_carriage_returns() {
    let [first, ..] = MIGRATIONS else {
        panic!("there are migrations")
    };
    let windows: &'static str = first.sql.replace('\n', "\r\n").leak();
    let checked_out = Migration {
        sql: windows,
        ..*first
    };
    assert_eq!(checked_out.checksum(), first.checksum());
}

#[tokio::test]
async fn database_with_foreign_tables_is_left_as_it_is() {
    let database = empty().await;
    execute(&database, "CREATE TABLE theirs (id bigint)").await;
    let before = schema(&database).await;
    let refused = migrate(&options(&database), NOW).await;
    let Err(OpenError::DatabaseUnknown { table, .. }) = refused else {
        panic!("{refused:?}");
    };
    assert_eq!(table, "theirs");
    assert_eq!(schema(&database).await, before);
    let refused = open(&database).await;
    assert!(
        matches!(refused, Err(OpenError::NotMigrated { .. })),
        "{refused:?}"
    );
}

#[tokio::test]
async fn failed_migration_leaves_the_version_before() {
    let database = empty().await;
    migrate(&options(&database), NOW).await.unwrap();
    execute(&database, "INSERT INTO settings VALUES ('kind', 'local')").await;
    let before = schema(&database).await;
    let failed = apply(&options(&database), &with(&[FAILING]), NOW).await;
    let Err(OpenError::Migration { version, name, .. }) = failed else {
        panic!("{failed:?}");
    };
    assert_eq!((version, name), (LATEST + 1, "failing"));
    assert_eq!(schema(&database).await, before);
    assert_eq!(text(&database, "SELECT value FROM settings").await, "local");
    open(&database).await.unwrap();
}

/// Partitions of the audit with an index of the kinds of organizations that is attached and complete, and those without.
const COUNT_INDEXES: &str = "SELECT concat(count(index.indexrelid), ' with, ', count(*) - count(index.indexrelid), ' without')
    FROM pg_inherits partition LEFT JOIN pg_index index
        ON index.indrelid = partition.inhrelid AND index.indisvalid AND EXISTS (
            SELECT FROM pg_inherits WHERE inhrelid = index.indexrelid
                AND inhparent = to_regclass('audit_events_organization_kind'))
    WHERE partition.inhparent = 'audit_events'::regclass";
const DAY: i64 = 86_400_000;

/// A database before the migration of the index, with partitions for 3 times 30 days, one of them before 1970.
async fn before_index() -> Database {
    let database = empty().await;
    let before = MIGRATIONS.iter().position(|migration| migration.is_index);
    let before = &MIGRATIONS[..before.unwrap()];
    apply(&options(&database), before, NOW).await.unwrap();
    let create = format!(
        "SELECT create_partitions(-1), create_partitions(0), create_partitions({})",
        30 * DAY
    );
    execute(&database, &create).await;
    database
}

#[tokio::test]
async fn index_is_built_on_every_partition_and_attached() {
    let database = before_index().await;
    // What a caller leaves whose connection ends while it builds.
    let incomplete = "CREATE INDEX audit_events_d0_organization_kind ON audit_events_d0 (organization_id);
        UPDATE pg_index SET indisvalid = FALSE WHERE indexrelid = 'audit_events_d0_organization_kind'::regclass";
    let superuser = Server::shared().connect_as_superuser(&database).await;
    superuser.batch_execute(incomplete).await.unwrap();
    migrate(&options(&database), NOW).await.unwrap();
    assert_eq!(text(&database, COUNT_INDEXES).await, "3 with, 0 without");
    let later = format!("SELECT create_partitions({})", 90 * DAY);
    execute(&database, &later).await;
    assert_eq!(text(&database, COUNT_INDEXES).await, "4 with, 0 without");
}

#[tokio::test]
async fn rows_are_written_while_an_index_is_built() {
    let insert =
        "INSERT INTO audit_events (at, id, kind, detail) VALUES ($1, 1, 'signed_in', '{}')";
    let database = before_index().await;
    // The build waits for the end of this transaction.
    let first = connect(&options(&database)).await.unwrap();
    first.batch_execute("BEGIN").await.unwrap();
    first.execute(insert, &[&1_i64]).await.unwrap();
    let options = options(&database);
    let mut migrated = std::pin::pin!(migrate(&options, NOW));
    let write = async {
        let select =
            "SELECT EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database()
            AND query LIKE 'CREATE INDEX CONCURRENTLY%' AND wait_event_type = 'Lock')";
        let second = connect(&options).await.unwrap();
        while !second
            .query_one(select, &[])
            .await
            .unwrap()
            .get::<_, bool>(0)
        {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        second.execute(insert, &[&2_i64]).await.unwrap();
    };
    tokio::select! {
        migrated = &mut migrated => panic!("it did not wait: {migrated:?}"),
        () = write => {}
    }
    first.batch_execute("COMMIT").await.unwrap();
    assert_eq!(migrated.await.unwrap().to, LATEST);
    assert_eq!(text(&database, COUNT_INDEXES).await, "3 with, 0 without");
}

#[tokio::test]
async fn second_caller_waits_for_a_migration_that_takes_longer_than_a_lock_may() {
    let database = empty().await;
    migrate(&options(&database), NOW).await.unwrap();
    let first = connect(&options(&database)).await.unwrap();
    first.batch_execute("BEGIN").await.unwrap();
    first.batch_execute(LOCK).await.unwrap();
    let mut short = options(&database);
    short.statement_timeout = Duration::from_secs(1);
    let migrations = with(&[EXPANDING]);
    let mut second = std::pin::pin!(apply(&short, &migrations, NOW));
    let has_waited = async {
        let select = "SELECT EXISTS (SELECT FROM pg_locks WHERE relation = 'schema_migrations'::regclass AND NOT granted
            AND clock_timestamp() - waitstart > interval '1500 milliseconds')";
        while !first
            .query_one(select, &[])
            .await
            .unwrap()
            .get::<_, bool>(0)
        {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::select! {
        applied = &mut second => panic!("it did not wait: {applied:?}"),
        () = has_waited => {}
    }
    first.batch_execute("COMMIT").await.unwrap();
    assert_eq!(second.await.unwrap().to, EXPANDING.version);
}

#[tokio::test]
async fn error_about_a_database_shows_no_password() {
    // Nothing listens on the port.
    let url = "postgres://owner:geheim@127.0.0.1:1/invoicing";
    let options = Options::from_url(url).unwrap();
    let opened = Postgres::open(options.clone(), Arc::new(SystemRng))
        .await
        .map(drop);
    let migrated = migrate(&options, NOW).await.map(drop);
    for error in [opened.unwrap_err(), migrated.unwrap_err()] {
        for shown in [error.to_string(), format!("{error:?}")] {
            assert!(shown.contains("127.0.0.1:1/invoicing"), "{shown}");
            assert!(!shown.contains("geheim"), "{shown}");
        }
        let mut source = std::error::Error::source(&error);
        while let Some(cause) = source {
            assert!(!format!("{cause} {cause:?}").contains("geheim"), "{cause}");
            source = cause.source();
        }
    }
}
