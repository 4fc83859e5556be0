//! Holds that nothing is kept in memory (see `kept`) of which the database would not say that it changed.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use super::Sqlite;

/// Tables of which a kept row changes in one column only: when it is revoked. What is added to them was not kept before, and
/// what is removed has expired.
const REVOKED_ONLY: [&str; 2] = ["access_tokens", "families"];

#[tokio::test]
async fn every_table_whose_rows_are_kept_tells_when_it_changes() {
    let folder = tempfile::tempdir().unwrap();
    let url = format!("sqlite:{}", folder.path().join("invoicing.db").display());
    let store = Sqlite::open(&url).await.unwrap();
    let triggers: Vec<(String, String)> =
        sqlx::query_as("SELECT tbl_name, sql FROM sqlite_master WHERE type = 'trigger'")
            .fetch_all(store.readers())
            .await
            .unwrap();
    let told = |table: &str, change: &str| {
        triggers.iter().any(|(of, sql)| {
            of == table
                && sql.contains(&format!("AFTER {change} ON {table}\nBEGIN"))
                && sql.contains("UPDATE generation SET number = number + 1")
        })
    };
    let kept = tables_that_are_kept();
    for known in ["subjects", "grants", "applications", "organizations"] {
        assert!(kept.contains(known), "{known} is kept: {kept:?}");
    }
    for table in &kept {
        if REVOKED_ONLY.contains(&&**table) {
            assert!(told(table, "UPDATE OF revoked_at"), "{table} is revoked");
            continue;
        }
        for change in ["INSERT", "UPDATE", "DELETE"] {
            assert!(
                told(table, change),
                "rows of {table} are kept, and no trigger tells of {change}: see migration 0010"
            );
        }
    }
    store.close().await;
}

#[test]
fn tokens_and_families_change_by_being_revoked_only() {
    for statement in sources().split("UPDATE ").skip(1) {
        let mut words = statement.split_whitespace();
        let (table, set, column) = (words.next(), words.next(), words.next());
        if set == Some("SET") && REVOKED_ONLY.contains(&table.unwrap_or_default()) {
            assert_eq!(column, Some("revoked_at"), "{table:?}");
        }
    }
}

/// The tables in the statements of every function that keeps what it read.
fn tables_that_are_kept() -> BTreeSet<String> {
    let sources = sources();
    let keeps = |function: &&str| {
        // Tokens are read in one place and kept in another.
        function.contains(".keep(") || function.starts_with("bearers(")
    };
    let mut tables = BTreeSet::new();
    for function in sources.split("fn ").filter(keeps) {
        let mut words = function.split_whitespace();
        while let Some(word) = words.next() {
            if word.ends_with("FROM") || word == "JOIN" {
                let table = words.next().unwrap_or_default();
                tables.insert(
                    table
                        .trim_end_matches(|end: char| !end.is_alphanumeric())
                        .to_owned(),
                );
            }
        }
    }
    // Who asks for the number keeps nothing of it.
    tables.remove("generation");
    tables
}

fn sources() -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/storage/sqlite");
    fs::read_dir(folder)
        .unwrap()
        .map(|file| file.unwrap().path())
        .filter(|path| !path.ends_with("kept_tables.rs"))
        .map(|path| fs::read_to_string(path).unwrap())
        .collect()
}
