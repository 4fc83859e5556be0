//! Cases of documents that the tax authority rejects: what they ask for, their taxes, and what notes give back.

use std::collections::BTreeSet;

use invoicing_contract::messages::documents::{AuthorityState, Kind, Status};

use super::clearance::{
    HOLDER, amend_as, attempt_of, end, issue, issue_as, issued, stamp, stored, submission,
};
use super::credits::note;
use super::fixtures::{Draft, RIYADH, id, key, populate, row, unlimited};
use super::numbers::invoices;
use super::payments::{payment, record};
use crate::Store;
use crate::documents::{Action, NumberOutcome, NumberSeries, WriteOutcome, assigned_number};
use crate::payments::PaymentOutcome;

/// Rejects the document of `draft`, and stores it with another gross amount.
async fn reject_and_correct(store: &dyn Store, of: u128, draft: &Draft, gross: i64) -> Draft {
    let state = AuthorityState::Rejected;
    let ended = attempt_of(of, of, HOLDER, state);
    let amend = amend_as(draft.clone(), of, state);
    let rejected = store.end_attempt(&ended, amend).await.unwrap();
    let corrected = Draft {
        gross,
        status: Status::Rejected,
        number: "1".to_owned(),
        stamp: format!("corrected {of}"),
        ..draft.clone()
    };
    let expected = stamp(&rejected).into();
    let row = row(corrected.clone());
    let stored = store.replace_document(&row, &expected, Action::Updated);
    assert_eq!(stored.await.unwrap(), WriteOutcome::Stored);
    corrected
}

/// What is open of document 1.
async fn open(store: &dyn Store) -> i64 {
    let found = store.receivable(&id(RIYADH), key(1)).await.unwrap();
    found.unwrap().open()
}

/// Whether numbering of a credit note for document 1 sees it as rejected.
async fn is_rejected(store: &dyn Store) -> bool {
    let originals = BTreeSet::from([key(1)]);
    let relations = store.credit_relations(&id(RIYADH), &originals).await;
    relations.unwrap().rejected == originals
}

/// Kind, number of documents, taxable amount and tax.
async fn taxes(store: &dyn Store) -> Vec<(Kind, u64, i128, i128)> {
    let (riyadh, year) = (id(RIYADH), ["2027-01-01", "2027-12-31"]);
    let sums = store.tax_sums(&riyadh, year[0], year[1]).await.unwrap();
    let sums = sums.iter();
    sums.map(|sum| (sum.kind, sum.documents, sum.taxable, sum.tax))
        .collect()
}

pub async fn rejected_document_owes_nothing_until_it_is_issued_again(store: &dyn Store) {
    populate(store).await;
    issued(store, 1, true).await;
    let paid = record(store, &payment(1, 1, 15)).await;
    assert!(matches!(paid, PaymentOutcome::Stored(_)), "{paid:?}");
    let series = NumberSeries {
        kind: Kind::CreditNote,
        year: 2027,
    };
    let credit = note(2, 40, &[1]);
    let added = store.add_document(&row(credit.clone()), &unlimited()).await;
    added.unwrap();
    issue_as(store, &series, credit.clone(), "new", 2, true).await;
    let invoice = (Kind::Invoice, 1, 100, 15);
    assert_eq!(open(store).await, 115 - 15 - 40);
    assert_eq!(taxes(store).await, [invoice, (Kind::CreditNote, 1, 25, 15)]);

    let corrected = reject_and_correct(store, 2, &credit, 30).await;
    assert_eq!(open(store).await, 115 - 15, "the note gave it back");
    assert_eq!(taxes(store).await, [invoice]);
    let note = corrected.clone();
    issue_as(store, &series, corrected, "corrected 2", 12, true).await;
    assert_eq!(open(store).await, 115 - 15 - 30);
    let credited = (Kind::CreditNote, 1, 15, 15);
    assert_eq!(taxes(store).await, [invoice, credited]);

    let draft = Draft::default();
    assert!(!is_rejected(store).await);
    let corrected = reject_and_correct(store, 1, &draft, 230).await;
    assert!(is_rejected(store).await);
    assert_eq!(
        open(store).await,
        -15,
        "what was paid goes back, and nothing else"
    );
    assert_eq!(taxes(store).await, [credited]);
    let paid = record(store, &payment(1, 2, 1)).await;
    assert!(matches!(paid, PaymentOutcome::AboveOpen(_)), "{paid:?}");
    issue_as(store, &invoices(), corrected, "corrected 1", 11, true).await;
    assert_eq!(open(store).await, 230 - 15 - 30, "the note counts again");
    assert!(!is_rejected(store).await, "it is issued again");
    assert_eq!(taxes(store).await, [(Kind::Invoice, 1, 215, 15), credited]);

    // The note is rejected while the invoice is.
    let corrected = reject_and_correct(store, 11, &draft, 200).await;
    let note = reject_and_correct(store, 12, &note, 30).await;
    assert_eq!(open(store).await, -15);
    issue_as(store, &invoices(), corrected, "corrected 11", 21, false).await;
    assert_eq!(open(store).await, 200 - 15, "the note gave it back");
    issue_as(store, &series, note, "corrected 12", 22, false).await;
    assert_eq!(open(store).await, 200 - 15 - 30);
}

pub async fn rejected_document_that_is_issued_again_keeps_its_number(store: &dyn Store) {
    populate(store).await;
    issued(store, 1, true).await;
    let rejected = end(store, 1, 1, HOLDER, AuthorityState::Rejected).await;
    let again = issue(store, &invoices(), 1, stamp(&rejected), 11, false).await;
    let NumberOutcome::Stored(document) = again else {
        panic!("{again:?}");
    };
    assert_eq!(assigned_number(&document), "1");
    issued(store, 2, true).await;
    assert_eq!(stored(store, 2).await.number, "2", "no gap");
    let last = store.last_numbers(&id(RIYADH)).await.unwrap();
    assert_eq!(last, [(invoices(), 2)]);
    let all = store.submissions(&id(RIYADH), key(1), None, 10).await;
    let all: Vec<_> = all.unwrap().items.into_iter().map(|(one, _)| one).collect();
    let states: BTreeSet<_> = all.iter().map(|one| (one.id, one.state as i32)).collect();
    let expected = [
        (submission(1), AuthorityState::Rejected as i32),
        (submission(11), AuthorityState::Pending as i32),
    ];
    assert_eq!(states, expected.into(), "the former one stays");
}
