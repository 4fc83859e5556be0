//! The schema and the tables of a move: what is in one and not in the other would be lost.

use std::collections::BTreeSet;

use invoicing_storage::transfer::{Column, TABLES};

/// Tables that an engine derives, or that are parts of the record of another table.
const DERIVED: &[&str] = &[
    "authorization_codes",
    "buyer_texts",
    "document_class_sums",
    "document_contents",
    "document_totals",
    "generation",
    "revoked_families",
    "schema_migrations",
    "token_authorizations",
];

/// Tables whose records have other columns than SQLite stores.
const MAPPED: &[&str] = &[
    "access_tokens",
    "audit_events",
    "document_history",
    "document_sums",
    "document_tax_sums",
    "documents",
    "families",
    "pushed_requests",
    "refresh_tokens",
];

#[tokio::test]
async fn every_table_and_column_of_the_schema_is_moved() {
    let (store, _folder) = crate::open().await;
    let connection = rusqlite::Connection::open(store.path()).unwrap();
    let names = |select: &str| {
        let mut select = connection.prepare(select).unwrap();
        let names = select.query_map((), |row| row.get::<_, String>(0)).unwrap();
        names.map(Result::unwrap).collect::<BTreeSet<_>>()
    };
    let mut moved: BTreeSet<_> = TABLES.iter().map(|table| table.name.to_owned()).collect();
    moved.extend(DERIVED.iter().map(|name| (*name).to_owned()));
    let stored = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'";
    assert_eq!(names(stored), moved);
    for table in TABLES {
        if MAPPED.contains(&table.name) {
            continue;
        }
        let columns = table
            .columns
            .iter()
            .map(|Column { name, .. }| (*name).to_owned());
        let stored = names(&format!(
            "SELECT name FROM pragma_table_info('{}')",
            table.name
        ));
        assert_eq!(stored, columns.collect(), "{}", table.name);
    }
}
