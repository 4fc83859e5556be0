//! The behavioural suite of the store traits, run on SQLite.

use invoicing_storage_sqlite::Sqlite;

/// An empty store in a folder of its own.
async fn open() -> (Sqlite, tempfile::TempDir) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let url = format!("sqlite:{}", folder.path().join("invoicing.db").display());
    let store = Sqlite::open(&url).await.expect("an empty database");
    (store, folder)
}

invoicing_storage::storage_suite!(open);
