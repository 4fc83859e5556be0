//! Backup while a service writes, and restore.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use invoicing_contract::Timestamp;
use invoicing_storage::audit::{AuditEvent, AuditEventKind};
use invoicing_storage::{AuditArchiveStore as _, AuditStore as _};
use invoicing_storage_sqlite::{BackupError, OpenError, Sqlite, backup, restore};

fn url(path: &Path) -> String {
    format!("sqlite:{}", path.display())
}

fn event(at: i64) -> AuditEvent {
    AuditEvent::new(Timestamp::from_millis(at), AuditEventKind::SignedIn)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn backup_during_writes_has_what_was_acknowledged_before() {
    let (store, folder) = crate::open().await;
    let stop = Arc::new(AtomicBool::new(false));
    let written = tokio::spawn({
        let (store, stop) = (store.clone(), stop.clone());
        async move {
            let mut count = 0;
            while !stop.load(Ordering::SeqCst) {
                count += 1;
                store.record(&event(count)).await.unwrap();
            }
            count
        }
    });
    let source = url(store.path());
    for number in 0..5 {
        // Not before something was written.
        while store.last_position().await.unwrap() <= number {
            tokio::task::yield_now().await;
        }
        let acknowledged = store.last_position().await.unwrap();
        let file = folder.path().join(format!("backup {number}"));
        let (from, to) = (source.clone(), file.clone());
        tokio::task::spawn_blocking(move || backup(&from, &to).unwrap())
            .await
            .unwrap();
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            let mode = file.metadata().unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o600);
        }
        let restored = folder.path().join(format!("restored {number}.db"));
        restore(&file, &url(&restored)).unwrap();
        let restored = Sqlite::open(&url(&restored)).await.unwrap();
        let last = restored.last_position().await.unwrap();
        assert!(last >= acknowledged, "{last} of {acknowledged}");
        let events = restored.events_from(0, 1_000_000).await.unwrap();
        assert!(events.iter().map(|event| event.id).eq(1..=last));
        restored.close().await;
    }
    stop.store(true, Ordering::SeqCst);
    let count = written.await.unwrap();
    assert_eq!(store.last_position().await.unwrap(), count);
    let names = std::fs::read_dir(folder.path()).unwrap();
    let mut names = names.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    assert!(!names.any(|name| name.contains("incomplete")));
}

#[tokio::test]
async fn neither_backup_nor_restore_replaces_a_file() {
    let (store, folder) = crate::open().await;
    let file = folder.path().join("backup");
    let source = url(store.path());
    backup(&source, &file).unwrap();
    let again = backup(&source, &file);
    assert!(
        matches!(again, Err(BackupError::Exists { .. })),
        "{again:?}"
    );
    let over = restore(&file, &source);
    assert!(matches!(over, Err(BackupError::Exists { .. })), "{over:?}");
    // What somebody else has left there would become a part of the backup.
    let left = folder.path().join("another-wal");
    std::fs::write(&left, "a log").unwrap();
    let beside = backup(&source, &folder.path().join("another"));
    assert!(
        matches!(beside, Err(BackupError::Exists { .. })),
        "{beside:?}"
    );
    let missing = folder.path().join("missing");
    for refused in [
        backup(&url(&missing), &folder.path().join("other")),
        restore(&missing, &url(&folder.path().join("other"))),
    ] {
        assert!(
            matches!(refused, Err(BackupError::NotFound { .. })),
            "{refused:?}"
        );
    }
}

#[tokio::test]
async fn file_that_is_no_backup_of_ours_is_not_restored() {
    let (store, folder) = crate::open().await;
    let target = folder.path().join("restored.db");
    let restored = |file: &Path| {
        let outcome = restore(file, &url(&target));
        assert!(!target.exists());
        outcome.unwrap_err()
    };

    let text = folder.path().join("text");
    std::fs::write(&text, "no database".repeat(1_000)).unwrap();
    let error = restored(&text);
    assert!(
        matches!(
            error,
            BackupError::Database(OpenError::CorruptDatabase { .. })
        ),
        "{error:?}"
    );

    let foreign = folder.path().join("foreign");
    let connection = rusqlite::Connection::open(&foreign).unwrap();
    connection.execute_batch("CREATE TABLE other (id)").unwrap();
    drop(connection);
    let error = restored(&foreign);
    assert!(matches!(error, BackupError::Foreign { .. }), "{error:?}");

    // Copied by hand from a service that writes: what is in the log would be lost.
    let copied = folder.path().join("copied");
    backup(&url(store.path()), &copied).unwrap();
    std::fs::write(folder.path().join("copied-wal"), "a log").unwrap();
    let error = restored(&copied);
    assert!(matches!(error, BackupError::HasLog { .. }), "{error:?}");

    let newer = folder.path().join("newer");
    backup(&url(store.path()), &newer).unwrap();
    let connection = rusqlite::Connection::open(&newer).unwrap();
    let migrate = "INSERT INTO schema_migrations SELECT 1000, name, checksum, applied_at FROM schema_migrations LIMIT 1";
    connection.execute_batch(migrate).unwrap();
    drop(connection);
    let error = restored(&newer);
    assert!(
        matches!(
            error,
            BackupError::Database(OpenError::DatabaseNewer { .. })
        ),
        "{error:?}"
    );

    let damaged = folder.path().join("damaged");
    for at in 0..200 {
        store.record(&event(at)).await.unwrap();
    }
    backup(&url(store.path()), &damaged).unwrap();
    let mut bytes = std::fs::read(&damaged).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle..].fill(0xA5);
    std::fs::write(&damaged, bytes).unwrap();
    let error = restored(&damaged);
    assert!(
        matches!(
            error,
            BackupError::Damaged { .. } | BackupError::Database(OpenError::CorruptDatabase { .. })
        ),
        "{error:?}"
    );
}
