//! Stored values that no write has stored are errors, and are not read as others.

use invoicing_storage::StorageError;
use invoicing_storage::documents::DocumentStore as _;
use invoicing_storage::suite::fixtures::{RIYADH, draft, id, populate, unlimited};
use invoicing_test_postgres::Server;

use super::open;

#[tokio::test]
async fn negative_count_of_documents_is_corrupt() {
    let (store, database) = open().await;
    populate(&store).await;
    let added = store.add_document(&draft(1, 115), &unlimited()).await;
    added.unwrap();
    assert_eq!(store.count_documents(&id(RIYADH)).await.unwrap(), 1);
    let owner = Server::shared().connect_as_owner(&database).await;
    let change = "SET app.organization = 'riyadh'; UPDATE document_sums SET documents = -1";
    owner.batch_execute(change).await.unwrap();
    let counted = store.count_documents(&id(RIYADH)).await;
    assert!(
        matches!(counted, Err(StorageError::Corrupt(_))),
        "{counted:?}"
    );
}
