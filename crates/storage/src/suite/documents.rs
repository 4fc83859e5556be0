//! Cases of [`DocumentStore`](crate::DocumentStore): single documents and their history.

use futures_util::future::join_all;
use prost::Message as _;

use super::fixtures::{Draft, JEDDAH, RIYADH, draft, id, key, populate, row, unlimited};
use invoicing_contract::messages::documents::AttachmentInfo;

use crate::Store;
use crate::documents::{
    Action, AddOutcome, AttachmentChange, DocumentRow, PART_BYTES, PlanMonth, WriteOutcome,
};

async fn add(store: &dyn Store, row: &DocumentRow) {
    let added = store.add_document(row, &unlimited()).await.unwrap();
    assert_eq!(added, AddOutcome::Stored);
}

/// The draft 1 with another stamp and gross amount.
fn changed(stamp: &str, gross: i64) -> DocumentRow {
    row(Draft {
        stamp: stamp.to_owned(),
        gross,
        ..Draft::default()
    })
}

pub async fn added_document_reads_back_and_is_counted(store: &dyn Store) {
    populate(store).await;
    add(store, &draft(1, 115)).await;
    let found = store.document(&id(RIYADH), key(1)).await.unwrap();
    assert_eq!(found, Some(draft(1, 115).document));
    let encoded = store.encoded_document(&id(RIYADH), key(1)).await.unwrap();
    assert_eq!(encoded, Some(draft(1, 115).document.encode_to_vec()));
    let of_another = store.encoded_document(&id(JEDDAH), key(1)).await.unwrap();
    assert_eq!(of_another, None);
    assert_eq!(store.document(&id(RIYADH), key(2)).await.unwrap(), None);
    assert_eq!(store.count_documents(&id(RIYADH)).await.unwrap(), 1);
    let created = store.documents_created(&id(RIYADH), "2027-01").await;
    assert_eq!(created.unwrap(), 1);
    let created = store.documents_created(&id(RIYADH), "2027-02").await;
    assert_eq!(created.unwrap(), 0);
}

pub async fn document_of_another_organization_is_not_found(store: &dyn Store) {
    populate(store).await;
    add(store, &draft(1, 115)).await;
    assert_eq!(store.document(&id(JEDDAH), key(1)).await.unwrap(), None);
    assert_eq!(store.count_documents(&id(JEDDAH)).await.unwrap(), 0);
    let history = store.document_history(&id(JEDDAH), key(1), None, 10).await;
    assert_eq!(history.unwrap(), []);
    let foreign = row(Draft {
        organization: JEDDAH,
        ..Draft::default()
    });
    let replaced = store
        .replace_document(&foreign, &"new".into(), Action::Updated)
        .await;
    assert_eq!(replaced.unwrap(), WriteOutcome::Stale);
    // The key is unique within the organization only.
    add(store, &foreign).await;
}

pub async fn key_is_taken_by_one_of_many_concurrent_adds(store: &dyn Store) {
    populate(store).await;
    let rows: Vec<_> = (100..110).map(|gross| draft(1, gross)).collect();
    let month = unlimited();
    let added = rows.iter().map(|row| store.add_document(row, &month));
    let added: Vec<_> = join_all(added)
        .await
        .into_iter()
        .map(Result::unwrap)
        .collect();
    let stored = added.iter().filter(|added| **added == AddOutcome::Stored);
    assert_eq!(stored.count(), 1);
    let taken = added.iter().filter(|added| **added == AddOutcome::KeyTaken);
    assert_eq!(taken.count(), 9);
    let created = store.documents_created(&id(RIYADH), "2027-01").await;
    assert_eq!(created.unwrap(), 1, "what was not added is not counted");
}

pub async fn month_admits_no_document_above_its_limit(store: &dyn Store) {
    populate(store).await;
    let month = PlanMonth {
        limit: Some(3),
        ..unlimited()
    };
    let rows: Vec<_> = (1..=8).map(|number| draft(number, 115)).collect();
    let added = rows.iter().map(|row| store.add_document(row, &month));
    let added: Vec<_> = join_all(added)
        .await
        .into_iter()
        .map(Result::unwrap)
        .collect();
    let stored = added.iter().filter(|added| **added == AddOutcome::Stored);
    assert_eq!(stored.count(), 3);
    let refused = added
        .iter()
        .filter(|added| **added == AddOutcome::PlanLimit);
    assert_eq!(refused.count(), 5);
    assert_eq!(store.count_documents(&id(RIYADH)).await.unwrap(), 3);
    let created = store.documents_created(&id(RIYADH), "2027-01").await;
    assert_eq!(created.unwrap(), 3);
}

pub async fn replace_with_a_stale_stamp_changes_nothing(store: &dyn Store) {
    populate(store).await;
    add(store, &draft(1, 115)).await;
    for (expected, outcome) in [
        ("other", WriteOutcome::Stale),
        ("new", WriteOutcome::Stored),
        ("new", WriteOutcome::Stale),
    ] {
        let replacement = changed("changed", 230);
        let replaced = store
            .replace_document(&replacement, &expected.into(), Action::Updated)
            .await;
        assert_eq!(replaced.unwrap(), outcome, "{expected}");
    }
    let found = store.document(&id(RIYADH), key(1)).await.unwrap();
    assert_eq!(found, Some(changed("changed", 230).document));
    let history = store.document_history(&id(RIYADH), key(1), None, 10).await;
    assert_eq!(history.unwrap().len(), 2);
    let missing = store
        .replace_document(&draft(2, 115), &"new".into(), Action::Updated)
        .await;
    assert_eq!(missing.unwrap(), WriteOutcome::Stale);
}

pub async fn one_of_many_concurrent_replaces_wins(store: &dyn Store) {
    populate(store).await;
    add(store, &draft(1, 115)).await;
    let rows: Vec<_> = (0..10_i64)
        .map(|number| changed(&number.to_string(), 200 + number))
        .collect();
    let expected = "new".into();
    let replaced = rows
        .iter()
        .map(|row| store.replace_document(row, &expected, Action::Updated));
    let replaced = join_all(replaced).await;
    let winners: Vec<_> = rows
        .iter()
        .zip(replaced)
        .filter(|(_, outcome)| *outcome.as_ref().unwrap() == WriteOutcome::Stored)
        .map(|(row, _)| row.document.clone())
        .collect();
    assert_eq!(winners.len(), 1);
    let found = store.document(&id(RIYADH), key(1)).await.unwrap();
    assert_eq!(found.as_ref(), winners.first());
}

pub async fn attachments_are_written_with_their_document(store: &dyn Store) {
    populate(store).await;
    add(store, &draft(1, 115)).await;
    let stamp = |row: &DocumentRow| row.document.concurrency_stamp.clone().into();
    let with_stamp = |stamp: &str| {
        let mut row = draft(1, 115);
        row.document.concurrency_stamp = stamp.to_owned();
        row.document.attachments = vec![AttachmentInfo::default()];
        row
    };
    // Three parts, the last one short.
    let content: Vec<u8> = (0..PART_BYTES * 2 + 7).map(|at| (at % 251) as u8).collect();
    let added = AttachmentChange::Add {
        id: key(71),
        content: content.clone(),
    };
    let content_of = |id| async move {
        let found = store.attachment(&self::id(RIYADH), key(1), key(id)).await;
        found.unwrap()
    };
    let stale = store
        .change_attachments(&with_stamp("second"), &"another".into(), &added)
        .await;
    assert_eq!(stale.unwrap(), WriteOutcome::Stale);
    assert_eq!(content_of(71).await, None, "nothing was written");
    let stored = store
        .change_attachments(&with_stamp("second"), &stamp(&draft(1, 115)), &added)
        .await;
    assert_eq!(stored.unwrap(), WriteOutcome::Stored);
    assert_eq!(content_of(71).await, Some(content));
    let other = store.attachment(&id(JEDDAH), key(1), key(71)).await;
    assert_eq!(other.unwrap(), None, "another organization");

    let small = AttachmentChange::Add {
        id: key(72),
        content: vec![7],
    };
    let removed = AttachmentChange::Remove { id: key(71) };
    for (before, after, change) in [("second", "third", small), ("third", "fourth", removed)] {
        let row = with_stamp(after);
        let outcome = store
            .change_attachments(&row, &before.into(), &change)
            .await;
        assert_eq!(outcome.unwrap(), WriteOutcome::Stored);
    }
    assert_eq!(content_of(71).await, None);
    assert_eq!(content_of(72).await, Some(vec![7]));
    let history = store
        .document_history(&id(RIYADH), key(1), None, 10)
        .await
        .unwrap();
    let actions: Vec<_> = history.iter().map(|each| &*each.action).collect();
    assert_eq!(
        actions,
        [
            "attachment_removed",
            "attachment_added",
            "attachment_added",
            "created"
        ]
    );
    let deleted = store
        .delete_document(&with_stamp("last"), &"fourth".into())
        .await;
    assert_eq!(deleted.unwrap(), WriteOutcome::Stored);
    assert_eq!(content_of(72).await, None, "deleted with its document");
}

pub async fn deleted_document_keeps_its_history(store: &dyn Store) {
    populate(store).await;
    add(store, &draft(1, 115)).await;
    for (expected, outcome) in [
        ("other", WriteOutcome::Stale),
        ("new", WriteOutcome::Stored),
        ("new", WriteOutcome::Stale),
    ] {
        let deleted = store
            .delete_document(&draft(1, 115), &expected.into())
            .await;
        assert_eq!(deleted.unwrap(), outcome, "{expected}");
    }
    assert_eq!(store.document(&id(RIYADH), key(1)).await.unwrap(), None);
    assert_eq!(store.count_documents(&id(RIYADH)).await.unwrap(), 0);
    let history = store
        .document_history(&id(RIYADH), key(1), None, 10)
        .await
        .unwrap();
    let actions: Vec<_> = history.iter().map(|revision| &*revision.action).collect();
    assert_eq!(actions, ["deleted", "created"]);
}

pub async fn history_is_read_in_pages_from_the_newest(store: &dyn Store) {
    populate(store).await;
    add(store, &draft(1, 115)).await;
    let steps = [("new", "a", Action::Updated), ("a", "b", Action::Rejected)];
    for (expected, stamp, action) in steps {
        let replacement = changed(stamp, 115);
        let replaced = store
            .replace_document(&replacement, &expected.into(), action)
            .await;
        assert_eq!(replaced.unwrap(), WriteOutcome::Stored);
    }
    let history = store
        .document_history(&id(RIYADH), key(1), None, 2)
        .await
        .unwrap();
    let revisions: Vec<_> = history
        .iter()
        .map(|revision| {
            let document = revision.document.as_ref().unwrap();
            (&*revision.action, &*document.concurrency_stamp)
        })
        .collect();
    assert_eq!(revisions, [("rejected", "b"), ("updated", "a")]);
    for (before, numbers) in [
        (None, &[3, 2][..]),
        (Some(3), &[2, 1]),
        (Some(2), &[1]),
        (Some(1), &[]),
        // A number that there is not yet.
        (Some(9), &[3, 2]),
    ] {
        let page = store.document_history(&id(RIYADH), key(1), before, 2).await;
        let page: Vec<_> = page.unwrap().iter().map(|one| one.number).collect();
        assert_eq!(page, numbers, "before {before:?}");
    }
    let event = history[0].event.as_ref().unwrap();
    assert_eq!(event.by, "noura");
    assert_eq!(
        store
            .document_history(&id(RIYADH), key(2), None, 2)
            .await
            .unwrap(),
        []
    );
}
