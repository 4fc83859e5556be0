//! Behaviour of writes and reads of the engine.

use std::sync::Arc;

use rusqlite::{Connection, Transaction};
use tempfile::TempDir;

use super::{Engine, EngineError, TransactionEnd};
use invoicing_storage::StorageError;

async fn engine_in(folder: &TempDir) -> Arc<Engine> {
    let engine = Engine::open(folder.path().join("invoicing.db"))
        .await
        .unwrap();
    engine
        .write(|transaction| {
            let table = "CREATE TABLE numbers (number INTEGER PRIMARY KEY)";
            Ok(transaction.execute_batch(table)?)
        })
        .await
        .unwrap();
    Arc::new(engine)
}

fn insert(transaction: &Transaction<'_>, number: i64) -> Result<(), EngineError> {
    transaction.execute("INSERT INTO numbers VALUES (?1)", [number])?;
    Ok(())
}

fn select_numbers(connection: &Connection) -> Result<Vec<i64>, EngineError> {
    let mut select = connection.prepare_cached("SELECT number FROM numbers ORDER BY number")?;
    let numbers = select.query_map((), |row| row.get(0))?;
    Ok(numbers.collect::<rusqlite::Result<_>>()?)
}

#[tokio::test]
async fn write_is_visible_to_reads_and_lookups_after_it_returns() {
    let folder = tempfile::tempdir().unwrap();
    let engine = engine_in(&folder).await;
    engine
        .write(|transaction| insert(transaction, 1))
        .await
        .unwrap();
    assert_eq!(engine.read(select_numbers).await.unwrap(), [1]);
    let select = "SELECT number FROM numbers WHERE number = ?1";
    let found: Option<i64> = engine
        .lookup_one(select, [1], |row| row.get(0))
        .await
        .unwrap();
    assert_eq!(found, Some(1));
    engine.close().await;
    assert!(engine.read(select_numbers).await.is_err(), "closed");
    assert!(
        engine
            .write(|transaction| insert(transaction, 2))
            .await
            .is_err(),
        "closed"
    );
}

#[tokio::test]
async fn failed_rolled_back_and_panicking_writes_leave_the_others_of_their_group_alone() {
    let folder = tempfile::tempdir().unwrap();
    let engine = engine_in(&folder).await;
    let writes = (0..100_i64).map(|number| {
        let engine = engine.clone();
        tokio::spawn(async move {
            engine
                .transact(move |transaction| {
                    insert(transaction, number)?;
                    match number % 4 {
                        1 => insert(transaction, number)?,
                        2 => return Ok(TransactionEnd::Rollback(number)),
                        3 => panic!("a write panics"),
                        _ => {}
                    }
                    Ok(TransactionEnd::Commit(number))
                })
                .await
        })
    });
    let writes: Vec<_> = writes.collect();
    for (number, write) in (0..).zip(writes) {
        let outcome = write.await;
        match number % 4 {
            1 => assert!(matches!(outcome, Ok(Err(StorageError::Unexpected(_))))),
            3 => assert!(outcome.unwrap_err().is_panic()),
            _ => assert_eq!(outcome.unwrap().unwrap(), number),
        }
    }
    let kept: Vec<_> = (0..100).filter(|number| number % 4 == 0).collect();
    assert_eq!(engine.read(select_numbers).await.unwrap(), kept);
    engine.close().await;
}

#[tokio::test]
async fn first_write_of_a_group_that_is_rolled_back_leaves_no_row_and_the_next_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let engine = engine_in(&folder).await;
    let (started, starting) = tokio::sync::oneshot::channel();
    let (release, blocked) = std::sync::mpsc::channel::<()>();
    let first = tokio::spawn({
        let engine = engine.clone();
        async move {
            engine
                .transact(move |transaction| {
                    insert(transaction, 1)?;
                    started.send(()).unwrap();
                    blocked.recv().unwrap();
                    Ok(TransactionEnd::Rollback(()))
                })
                .await
        }
    });
    starting.await.unwrap();
    // Polled once, so that it is queued while the first one runs.
    let mut second = Box::pin(engine.write(|transaction| insert(transaction, 2)));
    tokio::select! {
        biased;
        _ = &mut second => panic!("the first write is not finished"),
        () = std::future::ready(()) => {}
    }
    release.send(()).unwrap();
    first.await.unwrap().unwrap();
    second.await.unwrap();
    assert_eq!(engine.read(select_numbers).await.unwrap(), [2]);
    engine.close().await;
}

#[tokio::test]
async fn write_whose_caller_is_gone_before_its_start_is_not_run() {
    let folder = tempfile::tempdir().unwrap();
    let engine = engine_in(&folder).await;
    let (release, blocked) = std::sync::mpsc::channel::<()>();
    let first = tokio::spawn({
        let engine = engine.clone();
        async move {
            engine
                .write(move |transaction| {
                    let _ = blocked.recv();
                    insert(transaction, 1)
                })
                .await
        }
    });
    tokio::task::yield_now().await;
    let second = engine.write(|transaction| insert(transaction, 2));
    let second = tokio::time::timeout(std::time::Duration::from_millis(10), second);
    assert!(second.await.is_err(), "it waits for the first");
    release.send(()).unwrap();
    first.await.unwrap().unwrap();
    assert_eq!(engine.read(select_numbers).await.unwrap(), [1]);
    engine.close().await;
}

#[tokio::test]
async fn read_sees_one_snapshot_in_all_its_statements() {
    let folder = tempfile::tempdir().unwrap();
    let engine = engine_in(&folder).await;
    let other = Connection::open(folder.path().join("invoicing.db")).unwrap();
    let (before, after) = engine
        .read(move |connection| {
            let before = select_numbers(connection)?;
            other.execute("INSERT INTO numbers VALUES (1)", ())?;
            Ok((before, select_numbers(connection)?))
        })
        .await
        .unwrap();
    assert_eq!((before, after), (vec![], vec![]));
    assert_eq!(engine.read(select_numbers).await.unwrap(), [1]);
    engine.close().await;
}

#[tokio::test]
async fn write_that_fails_at_the_commit_is_not_kept_and_later_writes_are() {
    let folder = tempfile::tempdir().unwrap();
    let engine = engine_in(&folder).await;
    let failed = engine.write(|transaction| {
        transaction.execute_batch(
            "CREATE TABLE children (parent INTEGER REFERENCES numbers (number) DEFERRABLE INITIALLY DEFERRED);
             INSERT INTO children VALUES (1)",
        )?;
        Ok(())
    });
    let failed = failed.await;
    assert!(
        matches!(failed, Err(StorageError::Unexpected(_))),
        "{failed:?}"
    );
    engine
        .write(|transaction| insert(transaction, 1))
        .await
        .unwrap();
    assert_eq!(engine.read(select_numbers).await.unwrap(), [1]);
    engine.close().await;
}

#[tokio::test]
async fn data_version_changes_with_every_commit_of_any_process_and_with_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let engine = engine_in(&folder).await;
    let first = engine.data_version().expect("a version");
    assert!(engine.read(select_numbers).await.unwrap().is_empty());
    let rolled_back = engine
        .transact(|transaction| {
            insert(transaction, 1)?;
            Ok(TransactionEnd::Rollback(()))
        })
        .await;
    rolled_back.unwrap();
    assert_eq!(engine.data_version(), Some(first), "nothing was committed");

    let mut versions = vec![first];
    for number in 0..20 {
        engine
            .write(move |transaction| insert(transaction, number))
            .await
            .unwrap();
        versions.extend(engine.data_version());
    }
    let other = Connection::open(folder.path().join("invoicing.db")).unwrap();
    other.execute("DELETE FROM numbers", ()).unwrap();
    versions.extend(engine.data_version());
    assert_eq!(versions.len(), 22, "each is known");
    for (index, version) in versions.iter().enumerate() {
        assert!(!versions[..index].contains(version), "{index}");
    }
    engine.close().await;
    assert_eq!(engine.data_version(), None, "closed");
}

/// Bytes of the log of the database in `folder`.
fn log_bytes(folder: &TempDir) -> u64 {
    let log = std::fs::metadata(folder.path().join("invoicing.db-wal"));
    log.map_or(0, |log| log.len())
}

#[tokio::test]
async fn log_is_begun_anew_although_a_snapshot_is_held_between_writes() {
    let folder = tempfile::tempdir().unwrap();
    let engine = engine_in(&folder).await;
    let create = |transaction: &Transaction<'_>| {
        Ok(transaction.execute_batch("CREATE TABLE files (content BLOB NOT NULL)")?)
    };
    engine.write(create).await.unwrap();
    for _ in 0..50 {
        let insert = |transaction: &Transaction<'_>| {
            Ok(transaction.execute_batch("INSERT INTO files VALUES (zeroblob(2000000))")?)
        };
        engine.write(insert).await.unwrap();
    }
    let checkpoint = u64::try_from(super::CHECKPOINT_PAGES * 4096).unwrap();
    let log = log_bytes(&folder);
    assert!(log < checkpoint * 3 / 2, "{log} of 100 MB written");
    engine.close().await;
    assert_eq!(log_bytes(&folder), 0, "after the last connection");
}

#[tokio::test]
async fn another_process_can_begin_the_log_anew_soon_after_the_last_write() {
    let folder = tempfile::tempdir().unwrap();
    let engine = engine_in(&folder).await;
    let other = Connection::open(folder.path().join("invoicing.db")).unwrap();
    other
        .execute_batch("INSERT INTO numbers VALUES (7)")
        .unwrap();
    // It waits for the readers of the log, as long as that.
    let longest = std::time::Duration::from_secs(30);
    other.busy_timeout(longest).unwrap();
    let is_busy: bool = other
        .query_row("PRAGMA wal_checkpoint(TRUNCATE)", (), |row| row.get(0))
        .unwrap();
    assert!(!is_busy, "it is held for ever");
    assert_eq!(log_bytes(&folder), 0);
    assert_eq!(engine.read(select_numbers).await.unwrap(), [7]);
}
