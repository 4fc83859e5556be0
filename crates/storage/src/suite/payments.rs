//! Cases of receivables and payments ([`PaymentStore`](crate::PaymentStore)), with several handles of one database.

use futures_util::future::join_all;
use invoicing_contract::messages::documents::Status;

use super::credits::{issue, note};
use super::fixtures::{
    Draft, JEDDAH, RIYADH, after_now, audit_event, count_events, draft, id, key, populate, row,
    unlimited,
};
use super::numbers::{invoices, numbering};
use crate::Store;
use crate::audit::AuditEventKind;
use crate::documents::{AddOutcome, DocumentRow, NumberOutcome};
use crate::payments::{PaymentEntry, PaymentOutcome, Receivable};

/// Handles that a case gets.
pub const HANDLES: usize = 2;

/// An issued invoice.
#[must_use]
pub fn issued(number: u128, gross: i64, due_date: &str) -> DocumentRow {
    row(Draft {
        key: key(number),
        status: Status::Issued,
        number: format!("INV-{number}"),
        due_date: due_date.to_owned(),
        gross,
        ..Draft::default()
    })
}

/// A payment of the document with the number `document`.
#[must_use]
pub fn payment(document: u128, number: u128, amount: i64) -> PaymentEntry {
    PaymentEntry {
        organization: id(RIYADH),
        document: key(document),
        key: key(number),
        voids: None,
        voided: false,
        amount,
        recorded_at: after_now(u64::try_from(number).unwrap()),
        body: vec![7],
    }
}

pub async fn record(store: &dyn Store, entry: &PaymentEntry) -> PaymentOutcome {
    let kind = match entry.voids {
        None => AuditEventKind::PaymentRecorded,
        Some(_) => AuditEventKind::PaymentVoided,
    };
    let recorded = store.record_payment(entry, &audit_event(kind)).await;
    recorded.unwrap()
}

async fn receivable(store: &dyn Store, document: u128) -> Option<Receivable> {
    let found = store.receivable(&id(RIYADH), key(document)).await;
    found.unwrap()
}

async fn open(store: &dyn Store, document: u128) -> i64 {
    receivable(store, document).await.unwrap().open()
}

fn is_stored(outcome: &PaymentOutcome) -> bool {
    matches!(outcome, PaymentOutcome::Stored(_))
}

pub async fn numbered_invoice_is_receivable_without_what_notes_gave_back(stores: &[&dyn Store]) {
    let store = stores[0];
    populate(store).await;
    let added = store.add_document(&draft(1, 115), &unlimited()).await;
    assert_eq!(added.unwrap(), AddOutcome::Stored);
    assert_eq!(receivable(store, 1).await, None, "of a draft");
    let numbered = store
        .number_document(
            &id(RIYADH),
            key(1),
            &"new".into(),
            &invoices(),
            numbering(1),
        )
        .await;
    assert!(matches!(numbered.unwrap(), NumberOutcome::Stored(_)));
    let found = receivable(store, 1).await.unwrap();
    assert_eq!((found.payable, &*found.due_on), (115, "2027-01-15"));

    let imported = vec![issued(2, 200, "2027-02-01"), issued(3, 100, "")];
    store.import_documents(imported, &[]).await.unwrap();
    let found = receivable(store, 2).await.unwrap();
    assert_eq!((found.open(), &*found.due_on), (200, "2027-02-01"));
    issue(store, note(10, 40, &[1])).await;
    assert_eq!(open(store, 1).await, 75);
    issue(store, note(11, 250, &[2, 3])).await;
    assert_eq!((open(store, 2).await, open(store, 3).await), (0, 50));
    assert_eq!(open(store, 10).await, 0, "a note that settled its original");
    let elsewhere = store.receivable(&id(JEDDAH), key(1)).await;
    assert_eq!(elsewhere.unwrap(), None);
}

pub async fn payments_at_the_same_time_never_exceed_what_is_open(stores: &[&dyn Store]) {
    populate(stores[0]).await;
    let imported = vec![issued(1, 115, "")];
    stores[0].import_documents(imported, &[]).await.unwrap();
    let payments = stores.iter().cycle().zip(1..=8);
    let payments =
        payments.map(async |(store, number)| record(*store, &payment(1, number, 40)).await);
    let outcomes = join_all(payments).await;
    let stored = outcomes.iter().filter(|outcome| is_stored(outcome)).count();
    assert_eq!(stored, 2, "{outcomes:?}");
    let refused = outcomes.iter().filter(|outcome| {
        matches!(outcome, PaymentOutcome::AboveOpen(receivable) if receivable.open() == 35)
    });
    assert_eq!(refused.count(), 6, "{outcomes:?}");
    assert!(is_stored(&record(stores[1], &payment(1, 9, 35)).await));
    assert_eq!(open(stores[0], 1).await, 0);
    let missing = record(stores[0], &payment(7, 9, 1)).await;
    assert_eq!(missing, PaymentOutcome::NoReceivable);
    let events = count_events(stores[0], AuditEventKind::PaymentRecorded).await;
    assert_eq!(events, 3);
}

pub async fn payment_is_voided_by_one_of_many_and_stays_in_the_list(stores: &[&dyn Store]) {
    let store = stores[0];
    populate(store).await;
    let imported = vec![issued(1, 115, ""), issued(2, 115, "")];
    store.import_documents(imported, &[]).await.unwrap();
    for entry in [payment(1, 1, 100), payment(1, 2, 15), payment(2, 1, 1)] {
        assert!(is_stored(&record(store, &entry).await));
    }
    let again = record(store, &payment(1, 2, 15)).await;
    assert_eq!(again, PaymentOutcome::KeyTaken);
    let voids = stores
        .iter()
        .cycle()
        .zip(10..16)
        .map(async |(store, number)| {
            let void = PaymentEntry {
                voids: Some(key(1)),
                ..payment(1, number, -100)
            };
            record(*store, &void).await
        });
    let outcomes = join_all(voids).await;
    let stored = outcomes.iter().filter(|outcome| is_stored(outcome)).count();
    assert_eq!(stored, 1, "{outcomes:?}");
    assert!(outcomes.contains(&PaymentOutcome::AlreadyVoided));
    assert_eq!(open(store, 1).await, 100);

    let mut after = None;
    let mut listed = Vec::new();
    loop {
        let page = store.payments(&id(RIYADH), key(1), after, 2).await.unwrap();
        let Some(last) = page.last() else { break };
        after = Some((last.recorded_at, last.key));
        listed.extend(page.iter().map(|entry| (entry.amount, entry.voided)));
    }
    assert_eq!(listed, [(100, true), (15, false), (-100, false)]);
    let one = store.payment(&id(RIYADH), key(1), key(1)).await.unwrap();
    assert!(one.unwrap().voided);
    let elsewhere = store.payments(&id(JEDDAH), key(1), None, 10).await;
    assert!(elsewhere.unwrap().is_empty());
}

pub async fn entry_of_a_slow_clock_follows_those_that_are_stored(stores: &[&dyn Store]) {
    populate(stores[0]).await;
    let imported = vec![issued(1, 115, "")];
    stores[0].import_documents(imported, &[]).await.unwrap();
    for (store, number) in stores.iter().cycle().zip([9, 1, 7]) {
        assert!(is_stored(&record(*store, &payment(1, number, 5)).await));
        let page = store.payments(&id(RIYADH), key(1), None, 10).await.unwrap();
        let last = page.last().map(|entry| entry.key);
        assert_eq!(last, Some(key(number)), "nobody has read past it");
    }
}

pub async fn note_owes_the_buyer_what_its_originals_do_not_ask_for(stores: &[&dyn Store]) {
    let store = stores[0];
    populate(store).await;
    let imported = vec![issued(1, 115, ""), issued(2, 50, "")];
    store.import_documents(imported, &[]).await.unwrap();
    assert!(is_stored(&record(store, &payment(1, 1, 100)).await));
    issue(store, note(10, 115, &[1])).await;
    assert_eq!((open(store, 1).await, open(store, 10).await), (0, -100));
    issue(store, note(11, 40, &[99])).await;
    assert_eq!(open(store, 11).await, -40, "of a document of somebody else");
    let found = receivable(store, 10).await.unwrap();
    assert_eq!((found.payable, found.credited), (-115, -15));
}

pub async fn refunds_at_the_same_time_never_exceed_what_the_buyer_gets_back(stores: &[&dyn Store]) {
    populate(stores[0]).await;
    let imported = vec![issued(1, 115, "")];
    stores[0].import_documents(imported, &[]).await.unwrap();
    issue(stores[0], note(10, 100, &[99])).await;
    let refunds = stores.iter().cycle().zip(1..=8);
    let refunds =
        refunds.map(async |(store, number)| record(*store, &payment(10, number, -40)).await);
    let outcomes = join_all(refunds).await;
    let stored = outcomes.iter().filter(|outcome| is_stored(outcome)).count();
    assert_eq!(stored, 2, "{outcomes:?}");
    assert_eq!(open(stores[0], 10).await, -20);
    for (document, amount) in [(10, -21), (10, 1), (1, -1)] {
        let refused = record(stores[0], &payment(document, 20, amount)).await;
        assert!(
            matches!(refused, PaymentOutcome::AboveOpen(_)),
            "{refused:?}"
        );
    }
    let page = stores[0].payments(&id(RIYADH), key(10), None, 1).await;
    let first = page.unwrap().remove(0);
    let void = PaymentEntry {
        voids: Some(first.key),
        ..payment(10, 30, 40)
    };
    assert!(is_stored(&record(stores[0], &void).await));
    assert_eq!(open(stores[0], 10).await, -60, "it is owed again");
}
