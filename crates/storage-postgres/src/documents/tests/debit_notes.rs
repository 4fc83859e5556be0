//! The migration that lists debit notes, on a database with notes of before.

use invoicing_storage::documents::DocumentStore as _;
use invoicing_storage::suite::credits::{debit_note, numbered};
use invoicing_storage::suite::fixtures::{RIYADH, draft, id, key, populate, row};
use invoicing_test_postgres::Server;

use super::open;

const MIGRATION: &str = include_str!("../../../migrations/0016_debit_notes.sql");

#[tokio::test]
async fn numbered_debit_notes_of_before_the_migration_are_listed() {
    let (store, database) = open().await;
    populate(&store).await;
    let rows = vec![
        draft(1, 1_000),
        draft(2, 1_000),
        numbered(debit_note(3, &[1, 2]), 1),
        row(debit_note(4, &[1])),
        // Of an original that is not in these books.
        numbered(debit_note(5, &[99]), 2),
    ];
    store.import_documents(rows, &[]).await.unwrap();
    let owner = Server::shared().connect_as_owner(&database).await;
    owner
        .batch_execute("DROP TABLE document_debits")
        .await
        .unwrap();
    owner.batch_execute(MIGRATION).await.unwrap();
    for (original, notes) in [(1, vec![key(3)]), (2, vec![key(3)]), (3, vec![])] {
        let found = store.debit_notes(&id(RIYADH), key(original), 10).await;
        assert_eq!(found.unwrap(), notes, "{original}");
    }
}
