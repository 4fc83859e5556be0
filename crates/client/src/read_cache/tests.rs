//! Tests of the file: encryption, isolation, eviction, damage.

use std::path::{Path, PathBuf};
use std::time::Duration;

use zeroize::Zeroizing;

use super::store::{EntryKey, Store};
use crate::rng::SystemRng;

const KEY: [u8; 32] = [7; 32];
const LIMIT: u64 = 64 << 10;

fn open_as(path: &Path, account: &str, key: [u8; 32]) -> Store {
    Store::open(path, account, &Zeroizing::new(key), LIMIT).expect("it opens")
}

fn open(path: &Path) -> Store {
    open_as(path, "an account", KEY)
}

fn temporary() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("cache/a.db");
    (folder, path)
}

fn put(store: &mut Store, organization: &str, name: &str, value: &[u8], now: i64) {
    put_kind(store, organization, "list", name, value, now);
}

fn put_kind(
    store: &mut Store,
    organization: &str,
    kind: &'static str,
    name: &str,
    value: &[u8],
    now: i64,
) {
    let key = EntryKey {
        organization: &organization.into(),
        kind,
        name: name.as_bytes(),
    };
    store.put(&SystemRng, key, value, now).expect("stored");
}

fn get(store: &mut Store, organization: &str, name: &str, now: i64) -> Option<Vec<u8>> {
    let key = EntryKey {
        organization: &organization.into(),
        kind: "list",
        name: name.as_bytes(),
    };
    let value = store.get(key, now).expect("read");
    value.map(|value| value.to_vec())
}

/// The bytes of all files beside the database.
fn stored(path: &Path) -> Vec<u8> {
    let folder = path.parent().expect("it has one");
    let files = std::fs::read_dir(folder).expect("a folder");
    files
        .flat_map(|file| std::fs::read(file.expect("an entry").path()).expect("a file"))
        .collect()
}

#[test]
fn stored_value_is_read_after_a_restart_and_not_readable_in_the_file() {
    let (_folder, path) = temporary();
    put(
        &mut open(&path),
        "org-4711",
        "search for Noor",
        b"Noor Company",
        1,
    );
    assert_eq!(
        get(&mut open(&path), "org-4711", "search for Noor", 2).as_deref(),
        Some(b"Noor Company".as_slice())
    );
    let file = stored(&path);
    for text in ["Noor", "search", "org-4711", "an account"] {
        let found = file
            .windows(text.len())
            .any(|window| window == text.as_bytes());
        assert!(!found, "{text} is in the file");
    }
}

#[test]
fn value_of_one_organization_is_not_read_for_another_even_if_its_row_is_moved() {
    let (_folder, path) = temporary();
    let mut store = open(&path);
    put(&mut store, "1", "a", b"of one", 1);
    put(&mut store, "2", "a", b"of two", 1);
    assert_eq!(get(&mut store, "1", "b", 1), None);
    assert_eq!(get(&mut store, "3", "a", 1), None);
    drop(store);
    // Somebody who can write the file exchanges the values of the two rows.
    let database = rusqlite::Connection::open(&path).expect("it opens");
    database
        .execute_batch(
            "CREATE TEMP TABLE moved AS SELECT id, sealed FROM entry;
             UPDATE entry SET sealed = (SELECT sealed FROM moved WHERE moved.id <> entry.id);",
        )
        .expect("exchanged");
    let mut store = open(&path);
    assert_eq!(get(&mut store, "1", "a", 2), None);
    assert_eq!(get(&mut store, "2", "a", 2), None);
}

#[test]
fn file_of_another_account_or_key_gives_nothing() {
    let (_folder, path) = temporary();
    put(&mut open(&path), "1", "a", b"mine", 1);
    assert_eq!(get(&mut open_as(&path, "another", KEY), "1", "a", 2), None);
    put(&mut open(&path), "1", "a", b"mine", 3);
    let other_key = &mut open_as(&path, "an account", [8; 32]);
    assert_eq!(get(other_key, "1", "a", 4), None);
}

#[test]
fn removed_kind_of_an_organization_is_gone_and_the_others_stay() {
    let (_folder, path) = temporary();
    let mut store = open(&path);
    for organization in ["1", "2", "3"] {
        put(&mut store, organization, "a", b"x", 1);
    }
    put_kind(&mut store, "2", "parties", "a", b"x", 1);
    store.remove_kind(&"2".into(), "parties").expect("removed");
    let found = |store: &mut Store| ["1", "2", "3"].map(|id| get(store, id, "a", 2).is_some());
    assert_eq!(found(&mut store), [true, true, true]);
    store.remove_kind(&"2".into(), "list").expect("removed");
    assert_eq!(found(&mut store), [true, false, true]);
    store
        .retain_organizations([&"3".into()].into_iter())
        .expect("reduced");
    assert_eq!(found(&mut store), [false, false, true]);
}

#[test]
fn full_cache_evicts_what_was_not_used_for_longest_and_keeps_its_limit() {
    let (_folder, path) = temporary();
    let mut store = open(&path);
    let value = vec![0; 6 << 10];
    for number in 0..9 {
        put(&mut store, "1", &format!("{number}"), &value, number);
    }
    assert!(get(&mut store, "1", "0", 100).is_some(), "all of nine fit");
    for number in 9..12 {
        put(&mut store, "1", &format!("{number}"), &value, number + 100);
    }
    assert!(get(&mut store, "1", "0", 200).is_some(), "it was used last");
    assert!(get(&mut store, "1", "1", 200).is_none(), "it was not used");
    assert!(
        get(&mut store, "1", "11", 200).is_some(),
        "it is the newest"
    );
    for number in 0..200 {
        put(
            &mut store,
            "1",
            &format!("more {number}"),
            &value,
            1000 + number,
        );
    }
    drop(store);
    let database = rusqlite::Connection::open(&path).expect("it opens");
    let sum: i64 = database
        .query_row("SELECT sum(length(sealed)) FROM entry", [], |row| {
            row.get(0)
        })
        .expect("a sum");
    assert!(u64::try_from(sum).expect("positive") <= LIMIT);
    let file = path.metadata().expect("a file").len();
    assert!(file < 3 * LIMIT, "the file has {file} bytes");
}

#[test]
fn damaged_or_foreign_file_is_replaced_by_an_empty_cache() {
    let (_folder, path) = temporary();
    let truncated = {
        put(&mut open(&path), "1", "a", b"x", 1);
        let mut bytes = std::fs::read(&path).expect("a file");
        bytes.truncate(bytes.len() / 2);
        bytes
    };
    for content in [
        b"no database at all, but long enough".to_vec(),
        truncated,
        vec![0; 8192],
    ] {
        std::fs::write(&path, content).expect("written");
        let mut store = open(&path);
        put(&mut store, "1", "a", b"anew", 2);
        assert!(get(&mut store, "1", "a", 3).is_some());
    }
    let database = rusqlite::Connection::open(&path).expect("it opens");
    database
        .pragma_update(None, "user_version", 99)
        .expect("set");
    drop(database);
    assert_eq!(
        get(&mut open(&path), "1", "a", 4),
        None,
        "of an unknown version"
    );
}

#[test]
fn first_page_of_a_hundred_thousand_rows_is_read_in_less_than_fifty_milliseconds() {
    let (_folder, path) = temporary();
    let mut store = Store::open(&path, "a", &Zeroizing::new(KEY), 64 << 20).expect("it opens");
    // A page of a hundred rows of the simple API is about 20 KiB.
    let page = vec![1; 20 << 10];
    put(&mut store, "1", "page 0", &page, 1);
    drop(store);
    let database = rusqlite::Connection::open(&path).expect("it opens");
    database
        .execute_batch(
            "WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 999)
             INSERT INTO entry SELECT randomblob(32), randomblob(32), randomblob(32), n, 20480, randomblob(20480) FROM number",
        )
        .expect("filled");
    drop(database);
    let start = cpu_time::ThreadTime::now();
    let mut store = Store::open(&path, "a", &Zeroizing::new(KEY), 64 << 20).expect("it opens");
    let read = get(&mut store, "1", "page 0", 2000);
    let elapsed = start.elapsed();
    assert_eq!(read, Some(page), "nothing was evicted");
    assert!(elapsed < Duration::from_millis(50), "{elapsed:?}");
}
