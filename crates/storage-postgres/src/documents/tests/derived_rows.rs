//! What migrations derive from rows, of rows that a version before has written after them (decision 0104).

use invoicing_contract::Timestamp;
use invoicing_contract::messages::documents::Kind;
use invoicing_storage::directory::DirectoryStore as _;
use invoicing_storage::documents::{DocumentRow, DocumentStore as _};
use invoicing_storage::payments::{PaymentStore as _, Receivable};
use invoicing_storage::suite::authority_answers::WITH_REMARKS;
use invoicing_storage::suite::credits::{debit_note, numbered};
use invoicing_storage::suite::fixtures::{Draft, LATER, RIYADH, after_now, id, key, populate};
use invoicing_storage::suite::payments::issued;
use invoicing_test_postgres::{Database, Server};

use super::authority_warnings::{insert_answers, with_remarks};
use super::open;
use crate::{Options, Postgres, migrate};

/// Invoices of more than one transaction.
const INVOICES: u128 = 600;
/// The number of a note.
const NOTE: u128 = 10_000;

async fn migrate_again(database: &Database) {
    let options = Options::from_url(database.owner_url()).unwrap();
    migrate(&options, Timestamp::from_millis(0)).await.unwrap();
}

/// A store with these documents, of which `statements` then take away what a version before does not write.
async fn written_before(rows: Vec<DocumentRow>, statements: &str) -> (Postgres, Database) {
    let (store, database) = open().await;
    populate(&store).await;
    store.import_documents(rows, &[]).await.unwrap();
    change(&database, statements).await;
    (store, database)
}

async fn change(database: &Database, statements: &str) {
    let superuser = Server::shared().connect_as_superuser(database).await;
    superuser.batch_execute(statements).await.unwrap();
}

async fn receivable(store: &Postgres, document: u128) -> Option<Receivable> {
    let found = store.receivable(&id(RIYADH), key(document)).await;
    found.unwrap()
}

#[tokio::test]
async fn next_run_derives_what_a_version_before_does_not_write() {
    let invoices = (1..=INVOICES).map(|number| issued(number, 1_000, "2027-03-01"));
    let mut rows: Vec<_> = invoices.collect();
    rows.push(numbered(debit_note(NOTE, &[1, 2]), 1));
    let before = "DELETE FROM receivables; DELETE FROM document_debits; DELETE FROM domains";
    let (store, database) = written_before(rows, before).await;
    let owner = Server::shared().connect_as_owner(&database).await;
    insert_answers(&owner).await;

    migrate_again(&database).await;
    for (document, payable, due_on) in [
        (1, 1_000, "2027-03-01"),
        (INVOICES, 1_000, "2027-03-01"),
        (NOTE, 50, "2027-01-15"),
    ] {
        let found = receivable(&store, document).await.unwrap();
        let found = (found.payable, found.paid, found.credited, found.due_on);
        assert_eq!(found, (payable, 0, 0, due_on.to_owned()), "{document}");
    }
    for original in [1, 2] {
        let notes = store.debit_notes(&id(RIYADH), key(original), 10).await;
        assert_eq!(notes.unwrap(), [key(NOTE)], "{original}");
    }
    let organization = store.organization_of_domain("riyadh.example").await;
    assert_eq!(organization.unwrap(), Some(id(RIYADH)));
    assert_eq!(with_remarks(&owner).await, WITH_REMARKS);
}

#[tokio::test]
async fn credit_note_that_a_version_before_did_not_count_is_taken_off_once() {
    let note = |number: u128, gross, at| {
        let note = Draft {
            key: key(number),
            kind: Kind::CreditNote,
            gross,
            preceding: vec![key(1)],
            updated_at: after_now(at),
            ..Draft::default()
        };
        numbered(note, i64::try_from(number).unwrap())
    };
    let rows = vec![
        issued(1, 1_000, ""),
        issued(2, 1_000, ""),
        note(10, 40, 1),
        note(11, 60, 2),
    ];
    // The first note is of before the migration.
    let before =
        "DELETE FROM receivables WHERE payable < 0; UPDATE document_credits SET taken_off = 0;
        UPDATE receivables SET credited = 40 WHERE credited > 0";
    let (store, database) = written_before(rows, before).await;
    for run in 1..=2 {
        migrate_again(&database).await;
        let credited = receivable(&store, 1).await.unwrap().credited;
        assert_eq!(credited, 100, "after run {run}");
    }
    let other = "UPDATE receivables SET credited = 70 WHERE credited > 0";
    change(&database, other).await;
    migrate_again(&database).await;
    let credited = receivable(&store, 1).await.unwrap().credited;
    assert_eq!(credited, 70, "no note comes to what is missing");
    assert_eq!(receivable(&store, 2).await.unwrap().credited, 0);
}

#[tokio::test]
async fn documents_that_an_earlier_run_has_read_are_not_read_again() {
    const TWO_DAYS: i64 = 2 * 86_400_000;
    let rows = vec![issued(1, 1_000, "")];
    let until = LATER.as_millis() + TWO_DAYS;
    let before =
        format!("DELETE FROM receivables; UPDATE schema_migrations SET derived_until = {until}");
    let (store, database) = written_before(rows, &before).await;
    migrate_again(&database).await;
    assert_eq!(receivable(&store, 1).await, None);
    // That run was at the beginning of 1970, by its clock.
    migrate_again(&database).await;
    assert!(receivable(&store, 1).await.is_some());
}
