//! Holds that nothing is kept in memory (see `kept`) of which the database would not say that it changed.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use super::Sqlite;

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
    for known in ["subjects", "grants", "applications"] {
        assert!(kept.contains(known), "{known} is kept: {kept:?}");
    }
    for table in &kept {
        for change in ["INSERT", "UPDATE", "DELETE"] {
            assert!(
                told(table, change),
                "rows of {table} are kept, and no trigger tells of {change}: see the table generation in the schema"
            );
        }
    }
    store.close().await;
}

/// The tables in the statements of every file in which something is kept that was read.
fn tables_that_are_kept() -> BTreeSet<String> {
    let mut tables = BTreeSet::new();
    for source in sources().filter(|source| source.contains(".keep(")) {
        let mut words = source.split_whitespace();
        while let Some(word) = words.next() {
            if word.ends_with("FROM") || word == "JOIN" {
                let table = words.next().unwrap_or_default();
                let end = |end: char| !end.is_alphanumeric();
                tables.insert(table.trim_end_matches(end).to_owned());
            }
        }
    }
    tables
}

fn sources() -> impl Iterator<Item = String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    fs::read_dir(folder)
        .unwrap()
        .map(|file| file.unwrap().path())
        .filter(|path| path.is_file() && !path.ends_with("kept_tables.rs"))
        .map(|path| fs::read_to_string(path).unwrap())
}
