//! Rejections by the tax authority while documents of the organization are numbered.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError, mpsc};

use invoicing_contract::messages::documents::{AuthorityState, Kind, Status};
use invoicing_storage::clearance::{ClearanceStore as _, EndOutcome};
use invoicing_storage::documents::{DocumentStore as _, NumberOutcome, NumberSeries, Numbering};
use invoicing_storage::suite::clearance::{HOLDER, amend, attempt_of, issued};
use invoicing_storage::suite::fixtures::{Draft, RIYADH, id, key, row, unlimited};
use invoicing_test_postgres::Server;
use tokio::task::{block_in_place, spawn_blocking};

use super::{open, until_one_waits};
use crate::Postgres;

/// Rejects document 1.
async fn reject(store: Postgres) -> EndOutcome {
    let state = AuthorityState::Rejected;
    let ended = attempt_of(1, 1, HOLDER, state);
    store.end_attempt(&ended, amend(1, state)).await.unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn rejection_waits_until_a_credit_note_that_was_compared_with_the_document_is_stored() {
    let (store, database) = open().await;
    issued(&store, 1, true).await;
    // Two connections are open from here on: after another one is opened, a document is numbered again, with the partitions that it has.
    let organization = id(RIYADH);
    let read = || store.document(&organization, key(1));
    let (first, second) = tokio::join!(read(), read());
    assert_eq!(first.unwrap(), second.unwrap());
    let note = Draft {
        key: key(2),
        kind: Kind::CreditNote,
        gross: 40,
        preceding: vec![key(1)],
        ..Draft::default()
    };
    let added = store.add_document(&row(note.clone()), &unlimited()).await;
    added.unwrap();
    let (has_compared, compared) = mpsc::channel();
    let (go_on, may_go_on) = mpsc::channel::<()>();
    let may_go_on = Mutex::new(may_go_on);
    let numbering: Numbering = Box::new(move |number, relations| {
        has_compared.send(relations.rejected.len()).unwrap();
        block_in_place(|| {
            let may_go_on = may_go_on.lock().unwrap_or_else(PoisonError::into_inner);
            may_go_on.recv().unwrap();
        });
        let numbered = row(Draft {
            number: number.to_string(),
            status: Status::Issued,
            stamp: "issued".to_owned(),
            ..note.clone()
        });
        Ok(Ok(numbered.into()))
    });
    let numbering = tokio::spawn({
        let store = store.clone();
        async move {
            let (organization, expected) = (id(RIYADH), "new".into());
            let series = NumberSeries {
                kind: Kind::CreditNote,
                year: 2027,
            };
            store
                .number_document(&organization, key(2), &expected, &series, numbering)
                .await
        }
    });
    let rejected = spawn_blocking(move || compared.recv()).await;
    assert_eq!(rejected.unwrap(), Ok(0));
    let mut rejecting = tokio::spawn(reject(store.clone()));
    tokio::select! {
        () = until_one_waits(&database) => {}
        rejected = &mut rejecting => panic!("it did not wait: {rejected:?}"),
    }
    go_on.send(()).unwrap();
    let numbered = numbering.await.unwrap();
    assert!(
        matches!(numbered, Ok(NumberOutcome::Stored(_))),
        "{numbered:?}"
    );
    let rejected = rejecting.await.unwrap();
    assert!(
        matches!(rejected, EndOutcome::Stored(Some(_))),
        "{rejected:?}"
    );
    let originals = BTreeSet::from([key(1)]);
    let relations = store.credit_relations(&id(RIYADH), &originals).await;
    let relations = relations.unwrap();
    assert_eq!(relations.rejected, originals, "the next note is refused");
}

/// In another order a rejection and a document that is numbered at the same time wait for each other.
#[tokio::test]
async fn rejection_locks_the_sums_of_documents_after_those_of_taxes_as_numbering_does() {
    let (store, database) = open().await;
    issued(&store, 1, true).await;
    let other = Server::shared().connect_as_superuser(&database).await;
    other
        .batch_execute("BEGIN; UPDATE document_tax_sums SET documents = documents")
        .await
        .unwrap();
    let rejecting = tokio::spawn(reject(store.clone()));
    until_one_waits(&database).await;
    other
        .batch_execute("SELECT FROM document_sums FOR UPDATE NOWAIT; COMMIT")
        .await
        .unwrap();
    let rejected = rejecting.await.unwrap();
    assert!(
        matches!(rejected, EndOutcome::Stored(Some(_))),
        "{rejected:?}"
    );
}
