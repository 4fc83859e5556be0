//! The behavioural suite of the store traits, run on SQLite.

mod backup;
mod claims;
mod corrupt_values;
mod debit_notes;
mod opening;
mod recording;
mod sums;
mod transfer;

use invoicing_storage_sqlite::Sqlite;

/// An empty store in a folder of its own.
async fn open() -> (Sqlite, tempfile::TempDir) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let store = open_again(&folder).await;
    (store, folder)
}

/// A store on the database in `folder`.
async fn open_again(folder: &tempfile::TempDir) -> Sqlite {
    let url = format!("sqlite:{}", folder.path().join("invoicing.db").display());
    Sqlite::open(&url).await.expect("a database of ours")
}

invoicing_storage::storage_suite!(open, open_again);
