//! Tests of the migration mechanism, with migrations of their own on top of the schema.

use rusqlite::Connection;

use super::*;

/// The version of the schema.
const LATEST: i64 = MIGRATIONS[MIGRATIONS.len() - 1].version;

/// A later migration that changes a table with data in it.
const RENAMED_COLUMN: Migration = Migration {
    version: LATEST + 1,
    name: "settings_content",
    sql: "ALTER TABLE settings RENAME COLUMN value TO content;
          ALTER TABLE settings ADD COLUMN changed_at INTEGER NOT NULL DEFAULT 0;
          UPDATE settings SET content = upper(content)",
};
/// A migration whose last statement fails.
const FAILING: Migration = Migration {
    version: LATEST + 1,
    name: "failing",
    sql: "DELETE FROM settings; CREATE TABLE later (id INTEGER); INSERT INTO missing VALUES (1)",
};

fn with(later: Migration) -> Vec<Migration> {
    let mut migrations = MIGRATIONS.to_vec();
    migrations.push(later);
    migrations
}

/// A database at the latest schema with one setting.
fn initial() -> Connection {
    let mut database = Connection::open_in_memory().unwrap();
    migrate(&mut database, MIGRATIONS, Timestamp::from_millis(7)).unwrap();
    database
        .execute("INSERT INTO settings VALUES ('kind', 'local')", [])
        .unwrap();
    database
}

fn text(database: &Connection, select: &str) -> String {
    database.query_row(select, [], |row| row.get(0)).unwrap()
}

fn count(database: &Connection, table: &str) -> i64 {
    let select = format!("SELECT count(*) FROM {table}");
    database.query_row(&select, [], |row| row.get(0)).unwrap()
}

/// Everything in `sqlite_master`, to compare two states.
fn schema(database: &Connection) -> Vec<String> {
    let mut select = database
        .prepare("SELECT coalesce(sql, name) FROM sqlite_master ORDER BY name")
        .unwrap();
    let rows = select.query_map([], |row| row.get(0)).unwrap();
    rows.collect::<Result<_, _>>().unwrap()
}

#[test]
fn versions_ascend_without_gaps() {
    for (migration, version) in MIGRATIONS.iter().zip(1..) {
        assert_eq!(migration.version, version, "{}", migration.name);
    }
}

#[test]
fn an_empty_database_gets_the_schema_and_a_record_of_it() {
    let database = initial();
    assert_eq!(count(&database, "schema_migrations"), LATEST);
    let (name, applied_at): (String, i64) = database
        .query_row(
            "SELECT name, applied_at FROM schema_migrations ORDER BY version",
            [],
            |row| Ok((row.get(0)?, row.get(1)?)),
        )
        .unwrap();
    assert_eq!((name.as_str(), applied_at), ("initial", 7));
}

#[test]
fn migrating_twice_changes_nothing() {
    let mut database = initial();
    let before = schema(&database);
    migrate(&mut database, MIGRATIONS, Timestamp::from_millis(8)).unwrap();
    assert_eq!(schema(&database), before);
    assert_eq!(count(&database, "settings"), 1);
}

#[test]
fn a_later_migration_keeps_the_data_of_an_earlier_database() {
    let mut database = initial();
    migrate(
        &mut database,
        &with(RENAMED_COLUMN),
        Timestamp::from_millis(9),
    )
    .unwrap();
    let content = text(
        &database,
        "SELECT content FROM settings WHERE name = 'kind'",
    );
    assert_eq!(content, "LOCAL");
    assert_eq!(count(&database, "schema_migrations"), LATEST + 1);
    // Of an empty database all of them are applied.
    let mut empty = Connection::open_in_memory().unwrap();
    migrate(&mut empty, &with(RENAMED_COLUMN), Timestamp::from_millis(9)).unwrap();
    assert_eq!(schema(&empty), schema(&database));
}

#[test]
fn a_failing_migration_leaves_the_database_unchanged() {
    let mut database = initial();
    let before = schema(&database);
    let failed = migrate(&mut database, &with(FAILING), Timestamp::from_millis(9)).unwrap_err();
    assert!(
        matches!(failed, MigrationError::Failed { version, .. } if version == LATEST + 1),
        "{failed:?}"
    );
    assert_eq!(schema(&database), before);
    assert_eq!(count(&database, "settings"), 1);
    assert_eq!(count(&database, "schema_migrations"), LATEST);
    migrate(&mut database, MIGRATIONS, Timestamp::from_millis(10)).unwrap();
}

#[test]
fn a_database_of_a_newer_version_is_refused() {
    let mut database = initial();
    migrate(
        &mut database,
        &with(RENAMED_COLUMN),
        Timestamp::from_millis(9),
    )
    .unwrap();
    let refused = migrate(&mut database, MIGRATIONS, Timestamp::from_millis(10)).unwrap_err();
    assert!(
        matches!(refused, MigrationError::Newer { version } if version == LATEST + 1),
        "{refused:?}"
    );
}

#[test]
fn a_database_is_used_as_it_is_if_it_has_these_migrations_and_no_others() {
    check_applied(&initial(), MIGRATIONS).unwrap();
    let earlier = check_applied(&initial(), &with(RENAMED_COLUMN)).unwrap_err();
    assert!(
        matches!(earlier, MigrationError::Pending { version } if version == LATEST + 1),
        "{earlier:?}"
    );
    let newer = check_applied(&initial(), &MIGRATIONS[..MIGRATIONS.len() - 1]).unwrap_err();
    assert!(
        matches!(newer, MigrationError::Newer { version: LATEST }),
        "{newer:?}"
    );
    let empty = Connection::open_in_memory().unwrap();
    let refused = check_applied(&empty, MIGRATIONS).unwrap_err();
    assert!(
        matches!(refused, MigrationError::Pending { version: 1 }),
        "{refused:?}"
    );
    assert_eq!(schema(&empty), [""; 0]);
}

#[test]
fn a_migration_that_was_changed_after_it_was_applied_is_refused() {
    let mut database = initial();
    let changed = Migration {
        sql: "CREATE TABLE settings (name TEXT)",
        ..MIGRATIONS[0]
    };
    let migrations = [&[changed], &MIGRATIONS[1..]].concat();
    let refused = migrate(&mut database, &migrations, Timestamp::from_millis(9)).unwrap_err();
    assert!(
        matches!(refused, MigrationError::Changed { version: 1, .. }),
        "{refused:?}"
    );
}

#[test]
fn line_ends_of_a_checkout_do_not_change_the_checksum() {
    let unix = Migration {
        version: 1,
        name: "lines",
        sql: "CREATE TABLE a (b);\nCREATE TABLE c (d);\n",
    };
    let windows = Migration {
        sql: "CREATE TABLE a (b);\r\nCREATE TABLE c (d);\r\n",
        ..unix
    };
    assert_eq!(unix.checksum(), windows.checksum());
}

#[test]
fn a_database_with_foreign_tables_is_refused_and_left_unchanged() {
    for table in ["_sqlx_migrations", "anything"] {
        let mut database = Connection::open_in_memory().unwrap();
        database
            .execute_batch(&format!("CREATE TABLE {table} (version BIGINT)"))
            .unwrap();
        let before = schema(&database);
        let refused = migrate(&mut database, MIGRATIONS, Timestamp::from_millis(9)).unwrap_err();
        let named =
            matches!(&refused, MigrationError::ForeignTables { table: named } if named == table);
        assert!(named, "{refused:?}");
        assert_eq!(schema(&database), before);
    }
}
