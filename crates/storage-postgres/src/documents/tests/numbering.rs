//! Documents that are numbered in one transaction.

use std::collections::BTreeSet;

use invoice::Violation;
use invoicing_contract::messages::documents::Status;
use invoicing_storage::StorageError;
use invoicing_storage::documents::{DocumentStore as _, NumberOutcome, Numbering};
use invoicing_storage::suite::fixtures::{Draft, RIYADH, draft, id, key, row};
use invoicing_storage::suite::numbers::{invoices, numbering};
use tokio::task::JoinSet;

use super::open;

const DOCUMENTS: u128 = 60;

/// Every tenth document is refused, and every twelfth fails.
fn mixed(document: u128) -> Numbering {
    if document.is_multiple_of(10) {
        let violation = Violation {
            path: "number".into(),
            rule: "a rule",
            description: "refused".into(),
            data: Vec::new(),
        };
        return Box::new(move |_, _| Ok(Err(violation.clone())));
    }
    if document.is_multiple_of(12) {
        return Box::new(|_, _| Err(StorageError::unexpected("a document that is damaged")));
    }
    numbering(document)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn documents_that_wait_for_a_number_share_a_transaction() {
    let (store, _database) = open().await;
    let drafts = (1..=DOCUMENTS).map(|document| draft(document, 115));
    let imported = store.import_documents(drafts.collect(), &[]).await;
    imported.unwrap();
    let mut callers = JoinSet::new();
    // Each twice.
    for document in (1..=DOCUMENTS).chain(1..=DOCUMENTS) {
        let store = store.clone();
        callers.spawn(async move {
            let (organization, series, stamp) = (id(RIYADH), invoices(), "new".into());
            let numbering = mixed(document);
            store
                .number_document(&organization, key(document), &stamp, &series, numbering)
                .await
        });
    }
    let (mut numbers, mut stale, mut refused, mut failed) = (BTreeSet::new(), 0, 0, 0);
    while let Some(outcome) = callers.join_next().await {
        match outcome.unwrap() {
            Ok(NumberOutcome::Stored(document)) => {
                let invoice = document.content.unwrap().invoice.unwrap();
                assert!(numbers.insert(invoice.number.parse::<i64>().unwrap()));
            }
            Ok(NumberOutcome::Stale) => stale += 1,
            Ok(NumberOutcome::Refused(_)) => refused += 1,
            Err(_) => failed += 1,
        }
    }
    // Of 60 documents 6 are refused and 4 more fail, whoever asks.
    assert_eq!((refused, failed, stale), (12, 8, 50));
    assert_eq!(numbers, (1..=50).collect());
    let last = store.last_numbers(&id(RIYADH)).await.unwrap();
    assert_eq!(last, [(invoices(), 50)]);

    let count = "SELECT count(*) AS revisions, count(DISTINCT xmin::text) AS transactions FROM document_history
         WHERE organization_id = $1 AND action = 'issued'";
    let organization = id(RIYADH);
    let row = store.engine().row(Some(&organization), count, &[&RIYADH]);
    let row = row.await.unwrap().unwrap();
    assert_eq!(row.get::<_, i64>("revisions"), 50);
    let transactions: i64 = row.get("transactions");
    assert!(transactions < 25, "{transactions} transactions");
}

#[tokio::test]
async fn number_is_stored_after_its_caller_stopped_waiting() {
    let (store, _database) = open().await;
    let imported = store.import_documents(vec![draft(1, 115), draft(2, 115)], &[]);
    imported.await.unwrap();
    let (organization, series, stamp) = (id(RIYADH), invoices(), "new".into());
    let number = |document| {
        store.number_document(
            &organization,
            key(document),
            &stamp,
            &series,
            numbering(document),
        )
    };
    let first = number(1);
    // Polled once, which hands it to the task.
    tokio::select! {
        biased;
        _ = first => panic!("it waits for the server"),
        () = std::future::ready(()) => {}
    }
    assert!(matches!(number(2).await, Ok(NumberOutcome::Stored(_))));
    let found = store.document(&organization, key(1)).await.unwrap();
    let issued = row(Draft {
        number: "1".to_owned(),
        status: Status::Issued,
        stamp: "issued".to_owned(),
        ..Draft::default()
    });
    assert_eq!(found, Some(issued.document));
}

#[tokio::test]
async fn series_numbers_the_next_document_after_a_panic() {
    let (store, _database) = open().await;
    let imported = store.import_documents(vec![draft(1, 115), draft(2, 115)], &[]);
    imported.await.unwrap();
    let (organization, series, stamp) = (id(RIYADH), invoices(), "new".into());
    let number = |document, numbering| {
        store.number_document(&organization, key(document), &stamp, &series, numbering)
    };
    let panicking: Numbering = Box::new(|_, _| panic!("a numbering that panics"));
    let outcome = number(1, panicking).await;
    assert!(
        matches!(outcome, Err(StorageError::InDoubt(_))),
        "{outcome:?}"
    );
    let next = number(2, numbering(2)).await;
    assert!(matches!(next, Ok(NumberOutcome::Stored(_))), "{next:?}");
}
