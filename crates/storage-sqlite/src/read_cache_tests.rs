//! The tables whose rows are cached have triggers that increment the version.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::Sqlite;

#[tokio::test]
async fn every_table_with_cached_rows_increments_the_version_on_each_change() {
    let folder = tempfile::tempdir().unwrap();
    let url = format!("sqlite:{}", folder.path().join("invoicing.db").display());
    let store = Sqlite::open(&url).await.unwrap();
    let select = "SELECT tbl_name, sql FROM sqlite_master WHERE type = 'trigger'";
    let triggers: Vec<(String, String)> = store
        .engine()
        .lookup_all(select, (), |row| Ok((row.get(0)?, row.get(1)?)))
        .await
        .unwrap();
    let increments = |table: &str, change: &str| {
        triggers.iter().any(|(of, sql)| {
            of == table
                && sql.contains(&format!("AFTER {change} ON {table}\nBEGIN"))
                && sql.contains("UPDATE generation SET number = number + 1")
        })
    };
    let cached = cached_tables();
    for known in ["subjects", "grants", "applications"] {
        assert!(cached.contains(known), "{known} is cached: {cached:?}");
    }
    for table in &cached {
        for change in ["INSERT", "UPDATE", "DELETE"] {
            assert!(
                increments(table, change),
                "rows of {table} are cached, and no trigger increments the generation after {change}"
            );
        }
    }
    store.close().await;
}

/// The tables in the statements of each file that inserts into a cache.
fn cached_tables() -> BTreeSet<String> {
    let mut tables = BTreeSet::new();
    let caching = sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"))
        .into_iter()
        .map(|path| fs::read_to_string(path).unwrap())
        .filter(|source| source.contains(concat!("cache", ".insert(")));
    for source in caching {
        let mut words = source.split_whitespace();
        while let Some(word) = words.next() {
            if word.ends_with("FROM") || word == "JOIN" {
                let table = words.next().unwrap_or_default();
                // Not the rows of a function.
                if !table.contains('(') {
                    let end = |end: char| !end.is_alphanumeric();
                    tables.insert(table.trim_end_matches(end).to_owned());
                }
            }
        }
    }
    tables
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap();
    let paths = entries.map(|entry| entry.unwrap().path());
    paths
        .flat_map(|path| {
            if path.is_dir() {
                sources(&path)
            } else {
                vec![path]
            }
        })
        .collect()
}
