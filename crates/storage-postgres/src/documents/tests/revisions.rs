//! The numbers of revisions while a document is deleted and added again.

use invoicing_storage::documents::{AddOutcome, DocumentStore as _, PlanMonth};
use invoicing_storage::suite::fixtures::{RIYADH, draft, id, key, unlimited};
use invoicing_test_postgres::Server;

use super::{open, until_one_waits};

/// Deletes the document and appends its last revision.
const DELETE: &str = "BEGIN;
    DELETE FROM documents;
    INSERT INTO document_history (organization_id, key, revision, at, id, action, subject, subject_name, body)
    SELECT organization_id, key, revision + 1, at, id, 'deleted', subject, subject_name, body FROM document_history";

#[tokio::test]
async fn document_that_is_added_while_it_is_deleted_follows_the_revision_of_the_deletion() {
    for limit in [None, Some(10)] {
        let (store, database) = open().await;
        let month = PlanMonth {
            limit,
            ..unlimited()
        };
        let first = store.add_document(&draft(1, 115), &month).await;
        assert_eq!(first.unwrap(), AddOutcome::Stored);
        let deleting = Server::shared().connect_as_superuser(&database).await;
        deleting.batch_execute(DELETE).await.unwrap();
        let adding = tokio::spawn({
            let store = store.clone();
            async move { store.add_document(&draft(1, 200), &month).await }
        });
        until_one_waits(&database).await;
        deleting.batch_execute("COMMIT").await.unwrap();
        assert_eq!(adding.await.unwrap().unwrap(), AddOutcome::Stored);
        let history = store.document_history(&id(RIYADH), key(1), None, 10).await;
        let history = history.unwrap();
        let numbers: Vec<_> = history.iter().map(|revision| revision.number).collect();
        assert_eq!(numbers, [3, 2, 1], "{limit:?}");
    }
}
