//! Cases of notes: [`credit_relations`](crate::DocumentStore::credit_relations), numbering against an original, and
//! [`debit_notes`](crate::DocumentStore::debit_notes).

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use futures_util::future::join_all;
use invoicing_contract::messages::documents::{Kind, Status};
use uuid::Uuid;

use super::fixtures::{Draft, JEDDAH, RIYADH, draft, id, key, populate, row, unlimited};
use crate::Store;
use crate::documents::{
    AddOutcome, CreditRelations, DocumentRow, MAX_CONNECTED, NumberOutcome, NumberSeries,
};

pub(super) fn note(number: u128, gross: i64, originals: &[u128]) -> Draft {
    Draft {
        key: key(number),
        kind: Kind::CreditNote,
        gross,
        preceding: originals.iter().map(|original| key(*original)).collect(),
        ..Draft::default()
    }
}

/// A debit note that names `originals`.
pub fn debit_note(number: u128, originals: &[u128]) -> Draft {
    Draft {
        kind: Kind::DebitNote,
        ..note(number, 50, originals)
    }
}

/// The row of a numbered note.
#[must_use]
pub fn numbered(draft: Draft, sequence: i64) -> DocumentRow {
    row(Draft {
        number: format!("CN-{sequence}"),
        status: Status::Issued,
        stamp: "issued".to_owned(),
        ..draft
    })
}

async fn add(store: &dyn Store, row: &DocumentRow) {
    let added = store.add_document(row, &unlimited()).await.unwrap();
    assert_eq!(added, AddOutcome::Stored);
}

/// Adds and numbers a note. Returns the relations that numbering was given.
pub(super) async fn issue(store: &dyn Store, draft: Draft) -> CreditRelations {
    add(store, &row(draft.clone())).await;
    number(store, draft).await
}

async fn number(store: &dyn Store, draft: Draft) -> CreditRelations {
    let seen = Arc::new(Mutex::new(CreditRelations::default()));
    let writes = seen.clone();
    let series = NumberSeries {
        kind: draft.kind,
        year: 2027,
    };
    let (organization, key, expected) = (id(RIYADH), draft.key, "new".into());
    let outcome = store
        .number_document(
            &organization,
            key,
            &expected,
            &series,
            Box::new(move |sequence, relations| {
                *writes.lock().unwrap() = relations.clone();
                Ok(Ok(numbered(draft.clone(), sequence).into()))
            }),
        )
        .await;
    assert!(matches!(outcome.unwrap(), NumberOutcome::Stored(_)));
    let seen = seen.lock().unwrap();
    seen.clone()
}

async fn relations(store: &dyn Store, originals: &[u128]) -> CreditRelations {
    let originals = originals.iter().map(|original| key(*original)).collect();
    let relations = store.credit_relations(&id(RIYADH), &originals).await;
    relations.unwrap()
}

/// Gross amounts of the notes.
fn notes(relations: &CreditRelations) -> Vec<(Uuid, i64)> {
    let notes = relations.notes.iter();
    notes
        .map(|(key, (gross, _))| (*key, gross.minor()))
        .collect()
}

pub async fn note_is_related_to_its_original_after_it_is_numbered(store: &dyn Store) {
    populate(store).await;
    add(store, &draft(1, 1_000)).await;
    add(store, &row(note(2, 300, &[1]))).await;
    let before = relations(store, &[1]).await;
    assert_eq!(before.originals[&key(1)].unwrap().minor(), 1_000);
    assert_eq!(notes(&before), [], "a draft counts nothing");
    let drafts = relations(store, &[1, 2]).await;
    let note_itself = BTreeSet::from([key(2)]);
    assert_eq!(drafts.credit_notes, note_itself, "a draft is one, too");
    assert_eq!(drafts.drafts, BTreeSet::from([key(1), key(2)]));
    number(store, note(2, 300, &[1])).await;
    let after = relations(store, &[1]).await;
    assert_eq!(notes(&after), [(key(2), 300)]);
    assert_eq!(after.credit_notes, BTreeSet::new());
    assert_eq!(after.notes[&key(2)].1, BTreeSet::from([key(1)]));
    assert_eq!(relations(store, &[]).await, CreditRelations::default());
    assert_eq!(relations(store, &[9]).await.originals[&key(9)], None);
}

pub async fn notes_are_related_across_a_note_of_several_originals(store: &dyn Store) {
    populate(store).await;
    for number in [1, 2, 3] {
        add(store, &draft(number, 1_000)).await;
    }
    issue(store, note(11, 100, &[1, 2])).await;
    issue(store, note(12, 200, &[2])).await;
    issue(store, note(13, 300, &[3])).await;
    let related = relations(store, &[1]).await;
    let originals: Vec<_> = related.originals.keys().copied().collect();
    assert_eq!(originals, [key(1), key(2)]);
    assert_eq!(notes(&related), [(key(11), 100), (key(12), 200)]);
    assert_eq!(related.notes[&key(11)].1, BTreeSet::from([key(1), key(2)]));
}

pub async fn numbering_sees_the_notes_that_were_numbered_before(store: &dyn Store) {
    populate(store).await;
    add(store, &draft(1, 1_000)).await;
    let first = issue(store, note(2, 300, &[1])).await;
    assert_eq!(notes(&first), []);
    let second = issue(store, note(3, 400, &[1])).await;
    assert_eq!(notes(&second), [(key(2), 300)]);
}

pub async fn notes_numbered_at_the_same_time_see_each_other(store: &dyn Store) {
    populate(store).await;
    add(store, &draft(1, 1_000)).await;
    const NOTES: u128 = 10;
    for number in 2..2 + NOTES {
        add(store, &row(note(number, 10, &[1]))).await;
    }
    let seen = (2..2 + NOTES).map(|of| number(store, note(of, 10, &[1])));
    let mut earlier: Vec<_> = join_all(seen)
        .await
        .into_iter()
        .map(|relations| relations.notes.len())
        .collect();
    earlier.sort_unstable();
    assert_eq!(earlier, (0..10).collect::<Vec<_>>());
}

pub async fn imported_notes_count_and_drafts_do_not(store: &dyn Store) {
    populate(store).await;
    let rows = vec![
        draft(1, 1_000),
        numbered(note(2, 300, &[1]), 1),
        row(note(3, 400, &[1])),
    ];
    store.import_documents(rows, &[]).await.unwrap();
    assert_eq!(notes(&relations(store, &[1]).await), [(key(2), 300)]);
}

/// A chain, in which each note corrects two documents, and two documents with as many notes as are read, and with one less.
pub async fn connected_documents_are_read_up_to_a_limit_the_nearest_first(store: &dyn Store) {
    populate(store).await;
    let limit = u128::from(MAX_CONNECTED);
    let links = limit / 2 + 10;
    let mut rows: Vec<_> = (1..=links + 1).map(|of| draft(of, 1_000)).collect();
    rows.extend((1..=links).map(|of| numbered(note(10_000 + of, 1, &[of, of + 1]), 1)));
    for (original, notes) in [(20_000, limit - 1), (30_000, limit - 2)] {
        rows.push(draft(original, 1_000));
        rows.extend((1..=notes).map(|of| numbered(note(original + of, 1, &[original]), 1)));
    }
    store.import_documents(rows, &[]).await.unwrap();

    let chain = relations(store, &[1]).await;
    let nearest: Vec<_> = (1..=limit / 2).map(key).collect();
    let originals: Vec<_> = chain.originals.keys().copied().collect();
    assert_eq!(originals, nearest);
    assert_eq!(chain.notes.len(), nearest.len());
    let (_, names) = &chain.notes[&key(10_000 + limit / 2)];
    let further = key(limit / 2 + 1);
    assert!(names.contains(&further), "a note has all of its documents");
    assert!(!chain.has_unread_notes, "those on the document are read");

    let fewer = relations(store, &[30_000]).await;
    assert_eq!(fewer.notes.len() as u128, limit - 2);
    assert!(!fewer.has_unread_notes);
    let many = relations(store, &[20_000]).await;
    assert_eq!(many.notes.len() as u128, limit - 1);
    assert!(many.has_unread_notes, "there may be more");
}

async fn debits(store: &dyn Store, original: u128, limit: u32) -> Vec<Uuid> {
    let notes = store.debit_notes(&id(RIYADH), key(original), limit).await;
    notes.unwrap()
}

pub async fn debit_note_is_listed_by_its_originals_after_it_is_numbered(store: &dyn Store) {
    populate(store).await;
    for number in [1, 2] {
        add(store, &draft(number, 1_000)).await;
    }
    add(store, &row(debit_note(3, &[1, 2]))).await;
    let before = debits(store, 1, 10).await;
    assert!(before.is_empty(), "a draft raises nothing");
    number(store, debit_note(3, &[1, 2])).await;
    for original in [1, 2] {
        assert_eq!(debits(store, original, 10).await, [key(3)]);
    }
    let related = relations(store, &[1]).await;
    assert_eq!(notes(&related), [], "it gives nothing back");
    let jeddah = store.debit_notes(&id(JEDDAH), key(1), 10).await;
    assert!(jeddah.unwrap().is_empty());
}

pub async fn imported_debit_notes_are_listed_up_to_the_limit(store: &dyn Store) {
    populate(store).await;
    let mut rows = vec![draft(1, 1_000), row(debit_note(9, &[1]))];
    rows.extend((2..5).map(|of| numbered(debit_note(of, &[1]), 1)));
    store.import_documents(rows, &[]).await.unwrap();
    assert_eq!(debits(store, 1, 10).await, [key(2), key(3), key(4)]);
    assert_eq!(debits(store, 1, 2).await, [key(2), key(3)]);
}
