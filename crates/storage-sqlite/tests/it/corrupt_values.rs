//! Stored values that no write has stored are errors, and are not read as others.

use invoicing_storage::StorageError;
use invoicing_storage::documents::DocumentStore as _;
use invoicing_storage::suite::fixtures::{RIYADH, draft, id, populate, unlimited};
use rusqlite::Connection;

#[tokio::test]
async fn negative_count_of_documents_is_corrupt() {
    let (store, _folder) = crate::open().await;
    populate(&store).await;
    let added = store.add_document(&draft(1, 115), &unlimited()).await;
    added.unwrap();
    assert_eq!(store.count_documents(&id(RIYADH)).await.unwrap(), 1);
    let connection = Connection::open(store.path()).unwrap();
    let changed = connection.execute("UPDATE document_totals SET documents = -1", ());
    assert_eq!(changed.unwrap(), 1);
    let counted = store.count_documents(&id(RIYADH)).await;
    assert!(
        matches!(counted, Err(StorageError::Corrupt(_))),
        "{counted:?}"
    );
}
