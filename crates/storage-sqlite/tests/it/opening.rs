//! Opening a database that a service may be serving: it is neither created nor checked whole.

use std::path::Path;

use invoicing_storage::DirectoryStore as _;
use invoicing_storage_sqlite::{OpenError, Sqlite};

fn url(path: &Path) -> String {
    format!("sqlite:{}", path.display())
}

#[tokio::test]
async fn missing_file_is_not_created_beside_a_service() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("invoicing.db");
    let refused = Sqlite::open_existing(&url(&file)).await.unwrap_err();
    assert!(
        matches!(refused, OpenError::DatabaseNotOpened { .. }),
        "{refused:?}"
    );
    assert!(!file.exists());
}

#[tokio::test]
async fn file_is_checked_whole_before_it_is_served_and_not_beside_a_service() {
    let (store, _folder) = crate::open().await;
    let file = store.path().to_owned();
    store.close().await;
    let connection = rusqlite::Connection::open(&file).unwrap();
    let number = |select: &str| -> usize {
        let number: i64 = connection.query_row(select, (), |row| row.get(0)).unwrap();
        usize::try_from(number).unwrap()
    };
    // An index that nothing here reads.
    let root = number("SELECT rootpage FROM sqlite_schema WHERE name = 'audit_events_time'");
    let page_size = number("SELECT page_size FROM pragma_page_size");
    drop(connection);
    let mut bytes = std::fs::read(&file).unwrap();
    bytes[(root - 1) * page_size..root * page_size].fill(0xA5);
    std::fs::write(&file, bytes).unwrap();

    let refused = Sqlite::open(&url(&file)).await.unwrap_err();
    assert!(
        matches!(refused, OpenError::CorruptDatabase { .. }),
        "{refused:?}"
    );
    let store = Sqlite::open_existing(&url(&file)).await.unwrap();
    assert_eq!(store.setting("kind").await.unwrap(), None);
    store.close().await;
}
