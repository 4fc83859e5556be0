//! Cases of numbering: [`number_document`](crate::DocumentStore::number_document) and the series.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use futures_util::future::join_all;
use invoicing_contract::messages::documents::{Kind, Status};

use super::fixtures::{Draft, JEDDAH, RIYADH, draft, id, key, populate, row, unlimited};
use crate::documents::{AddOutcome, NumberOutcome, NumberSeries, Numbering};
use crate::{StorageError, Store};

/// Invoices of 2027.
#[must_use]
pub fn invoices() -> NumberSeries {
    NumberSeries {
        kind: Kind::Invoice,
        year: 2027,
    }
}

/// Numbers the draft `number`: the row gets the number as text and the stamp `issued`.
#[must_use]
pub fn numbering(number: u128) -> Numbering {
    Box::new(move |sequence, _| {
        Ok(Ok(row(Draft {
            key: key(number),
            number: sequence.to_string(),
            status: Status::Issued,
            stamp: "issued".to_owned(),
            ..Draft::default()
        })
        .into()))
    })
}

async fn add(store: &dyn Store, number: u128) {
    let added = store.add_document(&draft(number, 115), &unlimited()).await;
    assert_eq!(added.unwrap(), AddOutcome::Stored);
}

async fn number(store: &dyn Store, of: u128, series: &NumberSeries) -> NumberOutcome {
    let (organization, expected) = (id(RIYADH), "new".into());
    let numbered = store
        .number_document(&organization, key(of), &expected, series, numbering(of))
        .await;
    numbered.unwrap()
}

async fn last_number(store: &dyn Store, series: &NumberSeries) -> Option<i64> {
    let all = store.last_numbers(&id(RIYADH)).await.unwrap();
    let found = all.into_iter().find(|(of, _)| of == series);
    found.map(|(_, last)| last)
}

pub async fn numbers_have_no_gaps_and_no_doubles_under_concurrency(store: &dyn Store) {
    populate(store).await;
    const DOCUMENTS: u128 = 30;
    for number in 1..=DOCUMENTS {
        add(store, number).await;
    }
    // Each is numbered by three callers at the same time.
    let series = invoices();
    let callers = (0..DOCUMENTS * 3).map(|caller| number(store, caller % DOCUMENTS + 1, &series));
    let mut numbers = BTreeSet::new();
    let mut stale = 0;
    for outcome in join_all(callers).await {
        match outcome {
            NumberOutcome::Stored(document) => {
                let invoice = document.content.unwrap().invoice.unwrap();
                let sequence: i64 = invoice.number.parse().unwrap();
                assert!(numbers.insert(sequence), "{sequence} twice");
            }
            NumberOutcome::Stale => stale += 1,
            NumberOutcome::Refused(violation) => panic!("{violation:?}"),
        }
    }
    assert_eq!(numbers, (1..=30).collect());
    assert_eq!(stale, 60);
    assert_eq!(last_number(store, &series).await, Some(30));
}

pub async fn refused_number_is_not_used(store: &dyn Store) {
    populate(store).await;
    add(store, 1).await;
    let violation = invoice::Violation {
        path: "number".into(),
        rule: "a rule",
        description: "refused".into(),
        data: Vec::new(),
    };
    let refusal = violation.clone();
    let (organization, expected) = (id(RIYADH), "new".into());
    let refused = store
        .number_document(
            &organization,
            key(1),
            &expected,
            &invoices(),
            Box::new(move |_, _| Ok(Err(refusal.clone()))),
        )
        .await;
    assert_eq!(refused.unwrap(), NumberOutcome::Refused(violation));
    assert_eq!(last_number(store, &invoices()).await, None);
    let found = store.document(&id(RIYADH), key(1)).await.unwrap();
    assert_eq!(found, Some(draft(1, 115).document));
    let numbered = number(store, 1, &invoices()).await;
    assert!(matches!(numbered, NumberOutcome::Stored(_)));
    assert_eq!(last_number(store, &invoices()).await, Some(1));
}

pub async fn numbering_that_is_called_again_gives_one_number(store: &dyn Store) {
    populate(store).await;
    add(store, 1).await;
    // The first call fails. An engine reports that, or repeats the transaction.
    let calls = Arc::new(AtomicU32::new(0));
    let attempt = async || {
        let (calls, numbering) = (calls.clone(), numbering(1));
        let fails_first: Numbering = Box::new(move |sequence, relations| {
            if calls.fetch_add(1, Ordering::Relaxed) == 0 {
                return Err(StorageError::Busy);
            }
            numbering(sequence, relations)
        });
        let (organization, expected) = (id(RIYADH), "new".into());
        store
            .number_document(&organization, key(1), &expected, &invoices(), fails_first)
            .await
    };
    let mut outcome = attempt().await;
    if outcome.is_err() {
        assert_eq!(last_number(store, &invoices()).await, None);
        outcome = attempt().await;
    }
    let NumberOutcome::Stored(document) = outcome.unwrap() else {
        panic!("it has the stamp");
    };
    assert_eq!(calls.load(Ordering::Relaxed), 2);
    let invoice = document.content.unwrap().invoice.unwrap();
    assert_eq!(invoice.number, "1");
    assert_eq!(last_number(store, &invoices()).await, Some(1));
    let history = store.document_history(&id(RIYADH), key(1), None, 5).await;
    let actions: Vec<_> = history.unwrap().into_iter().map(|of| of.action).collect();
    assert_eq!(actions, ["issued", "created"]);
}

pub async fn stale_stamp_takes_no_number(store: &dyn Store) {
    populate(store).await;
    add(store, 1).await;
    for (of, expected) in [(1, "other"), (2, "new")] {
        let (organization, expected) = (id(RIYADH), expected.into());
        let numbered = store
            .number_document(
                &organization,
                key(of),
                &expected,
                &invoices(),
                numbering(of),
            )
            .await;
        assert_eq!(numbered.unwrap(), NumberOutcome::Stale);
    }
    assert_eq!(last_number(store, &invoices()).await, None);
}

pub async fn series_are_independent(store: &dyn Store) {
    populate(store).await;
    let later = NumberSeries {
        year: 2028,
        ..invoices()
    };
    let notes = NumberSeries {
        kind: Kind::CreditNote,
        ..invoices()
    };
    for (of, series) in [(1, &invoices()), (2, &invoices()), (3, &later), (4, &notes)] {
        add(store, of).await;
        let numbered = number(store, of, series).await;
        assert!(matches!(numbered, NumberOutcome::Stored(_)));
    }
    assert_eq!(last_number(store, &invoices()).await, Some(2));
    assert_eq!(last_number(store, &later).await, Some(1));
    assert_eq!(last_number(store, &notes).await, Some(1));
    assert_eq!(store.last_numbers(&id(JEDDAH)).await.unwrap(), []);
}

pub async fn import_raises_the_series_and_adds_no_history(store: &dyn Store) {
    populate(store).await;
    let rows = vec![draft(1, 115), draft(2, 115)];
    let imported = store.import_documents(rows, &[(invoices(), 41)]).await;
    imported.unwrap();
    assert_eq!(store.count_documents(&id(RIYADH)).await.unwrap(), 2);
    assert_eq!(
        store
            .document_history(&id(RIYADH), key(1), None, 5)
            .await
            .unwrap(),
        []
    );
    let created = store.documents_created(&id(RIYADH), "2027-01").await;
    assert_eq!(created.unwrap(), 0);
    // A key that is taken: nothing of the batch is stored.
    let rows = vec![draft(3, 115), draft(1, 115)];
    assert!(
        store
            .import_documents(rows, &[(invoices(), 50)])
            .await
            .is_err()
    );
    assert_eq!(store.count_documents(&id(RIYADH)).await.unwrap(), 2);
    // A lower number does not lower the series.
    let rows = vec![draft(4, 115)];
    store
        .import_documents(rows, &[(invoices(), 7)])
        .await
        .unwrap();
    assert_eq!(last_number(store, &invoices()).await, Some(41));
    let NumberOutcome::Stored(document) = number(store, 1, &invoices()).await else {
        panic!("it has the stamp");
    };
    let invoice = document.content.unwrap().invoice.unwrap();
    assert_eq!(invoice.number, "42");
}
