//! Cases of parties and items ([`MasterDataStore`](crate::MasterDataStore)), with several handles of one database.

use futures_util::future::join_all;
use invoicing_contract::ConcurrencyStamp;

use super::fixtures::{JEDDAH, NOW, RIYADH, after_now, audit_event, count_events, id, key};
use crate::Store;
use crate::audit::{AuditEvent, AuditEventKind};
use crate::master_data::{
    MasterDataKind, MasterDataQuery, MasterRecord, MasterWrite, MasterWriteOutcome,
};

/// Handles that a case gets.
pub const HANDLES: usize = 2;

const PARTY: MasterDataKind = MasterDataKind::Party;
const ITEM: MasterDataKind = MasterDataKind::Item;

/// A party of [`RIYADH`] with the stamp `new`.
#[must_use]
pub fn party(number: u128, name: &str, tax_id: Option<&str>) -> MasterRecord {
    MasterRecord {
        organization: id(RIYADH),
        kind: PARTY,
        key: key(number),
        concurrency_stamp: "new".into(),
        archived: false,
        identifier: tax_id.map(str::to_owned),
        search_text: format!(" {name}"),
        last_used_at: NOW,
        body: name.as_bytes().to_vec(),
    }
}

fn event(action: &str) -> AuditEvent {
    audit_event(AuditEventKind::PartyChanged).detail("action", action)
}

pub async fn add(store: &dyn Store, record: &MasterRecord) -> MasterWriteOutcome {
    let event = event("created");
    let write = MasterWrite {
        record,
        event: &event,
    };
    store.add_master_record(write).await.unwrap()
}

async fn replace(store: &dyn Store, record: &MasterRecord, expected: &str) -> MasterWriteOutcome {
    let event = event("updated");
    let write = MasterWrite {
        record,
        event: &event,
    };
    let expected = ConcurrencyStamp::new(expected);
    store.replace_master_record(write, &expected).await.unwrap()
}

/// The keys of a page of 100.
async fn found(store: &dyn Store, words: &[&str], archived: Option<bool>) -> Vec<u128> {
    let records = store.master_records(&query(words, archived)).await.unwrap();
    let keys = records.iter().map(|record| record.key.as_u128());
    keys.collect()
}

fn query(words: &[&str], archived: Option<bool>) -> MasterDataQuery {
    MasterDataQuery {
        organization: id(RIYADH),
        kind: PARTY,
        words: words.iter().map(|word| (*word).to_owned()).collect(),
        archived,
        after: None,
        size: 100,
    }
}

pub async fn added_record_reads_back_with_its_history_and_event(stores: &[&dyn Store]) {
    let store = stores[0];
    let added = party(1, "palm", Some("310"));
    assert_eq!(add(store, &added).await, MasterWriteOutcome::Stored);
    let read = store.master_record(&id(RIYADH), PARTY, key(1)).await;
    assert_eq!(read.unwrap(), Some(added.clone()));
    let identified = store
        .master_record_identified(&id(RIYADH), PARTY, "310")
        .await;
    assert_eq!(identified.unwrap(), Some(added.clone()));
    for (organization, kind) in [(JEDDAH, PARTY), (RIYADH, ITEM)] {
        let other = store.master_record(&id(organization), kind, key(1)).await;
        assert_eq!(other.unwrap(), None, "of another organization or kind");
    }
    assert_eq!(add(store, &added).await, MasterWriteOutcome::KeyTaken);
    let item = MasterRecord {
        kind: ITEM,
        ..added.clone()
    };
    assert_eq!(add(store, &item).await, MasterWriteOutcome::Stored);

    let changed = MasterRecord {
        concurrency_stamp: "changed".into(),
        body: b"date palm".to_vec(),
        ..added.clone()
    };
    assert_eq!(
        replace(store, &changed, "another").await,
        MasterWriteOutcome::Stale
    );
    assert_eq!(
        replace(store, &changed, "new").await,
        MasterWriteOutcome::Stored
    );
    assert_eq!(
        replace(store, &changed, "new").await,
        MasterWriteOutcome::Stale
    );
    let history = store
        .master_record_history(&id(RIYADH), PARTY, key(1), None, 10)
        .await
        .unwrap();
    let history: Vec<_> = history
        .iter()
        .map(|revision| (revision.number, &*revision.action, &*revision.body))
        .collect();
    assert_eq!(
        history,
        [
            (2, "updated", b"date palm".as_slice()),
            (1, "created", b"palm".as_slice())
        ]
    );
    for (before, limit, numbers) in [
        (None, 1, &[2][..]),
        (Some(2), 1, &[1]),
        (Some(1), 1, &[]),
        // A number that there is not yet.
        (Some(9), 10, &[2, 1]),
    ] {
        let page = store
            .master_record_history(&id(RIYADH), PARTY, key(1), before, limit)
            .await;
        let page: Vec<_> = page.unwrap().iter().map(|one| one.number).collect();
        assert_eq!(page, numbers, "before {before:?}");
    }
    let events = count_events(store, AuditEventKind::PartyChanged).await;
    assert_eq!(events, 3, "of what was written");
}

pub async fn identifier_is_that_of_one_record(stores: &[&dyn Store]) {
    let store = stores[0];
    let one = party(1, "palm", Some("310"));
    let taken = MasterWriteOutcome::IdentifierTaken(key(1));
    assert_eq!(add(store, &one).await, MasterWriteOutcome::Stored);
    assert_eq!(add(store, &party(2, "other", Some("310"))).await, taken);
    let shared = party(2, "branch", None);
    assert_eq!(add(store, &shared).await, MasterWriteOutcome::Stored);
    let claimed = party(2, "branch", Some("310"));
    assert_eq!(replace(store, &claimed, "new").await, taken);
    let released = MasterRecord {
        identifier: None,
        ..one
    };
    assert_eq!(
        replace(store, &released, "new").await,
        MasterWriteOutcome::Stored
    );
    assert_eq!(
        replace(store, &claimed, "new").await,
        MasterWriteOutcome::Stored
    );
}

pub async fn one_of_many_processes_adds_a_key_and_an_identifier(stores: &[&dyn Store]) {
    let same_key = stores.iter().cycle().take(8);
    let same_key = same_key.map(async |store| add(*store, &party(1, "palm", None)).await);
    let outcomes = join_all(same_key).await;
    let stored = |outcomes: &[MasterWriteOutcome]| {
        let stored = outcomes.iter();
        stored
            .filter(|outcome| **outcome == MasterWriteOutcome::Stored)
            .count()
    };
    assert_eq!(stored(&outcomes), 1, "{outcomes:?}");
    let same_identifier = stores.iter().cycle().zip(10..18);
    let same_identifier = same_identifier
        .map(async |(store, number)| add(*store, &party(number, "dates", Some("310"))).await);
    let outcomes = join_all(same_identifier).await;
    assert_eq!(stored(&outcomes), 1, "{outcomes:?}");
    let same_stamp = stores.iter().cycle().take(8);
    let changed = MasterRecord {
        concurrency_stamp: "changed".into(),
        ..party(1, "palm", None)
    };
    let outcomes =
        join_all(same_stamp.map(async |store| replace(*store, &changed, "new").await)).await;
    assert_eq!(stored(&outcomes), 1, "{outcomes:?}");
}

pub async fn search_finds_beginnings_of_words_most_recently_used_first(stores: &[&dyn Store]) {
    let store = stores[0];
    for (number, name, used) in [
        (1, "palm trading riyadh", 0),
        (2, "date palm", 20),
        (3, "trade house palmyra", 10),
    ] {
        let record = MasterRecord {
            last_used_at: after_now(used),
            ..party(number, name, None)
        };
        assert_eq!(add(store, &record).await, MasterWriteOutcome::Stored);
    }
    let archived = MasterRecord {
        archived: true,
        ..party(4, "palm closed", None)
    };
    assert_eq!(add(store, &archived).await, MasterWriteOutcome::Stored);
    let active = Some(false);
    assert_eq!(found(store, &["pal"], active).await, [2, 3, 1]);
    assert_eq!(found(store, &["palm", "tra"], active).await, [3, 1]);
    assert_eq!(found(store, &["alm"], active).await, [], "inside of a word");
    assert_eq!(found(store, &["pal"], Some(true)).await, [4]);
    assert_eq!(found(store, &[], None).await, [2, 3, 4, 1]);

    for at in [after_now(30), after_now(5)] {
        let used = store
            .use_master_record(&id(RIYADH), PARTY, key(1), at)
            .await;
        used.unwrap();
    }
    assert_eq!(found(store, &["pal"], active).await, [1, 2, 3]);

    let mut pages = Vec::new();
    let mut after = None;
    loop {
        let page = MasterDataQuery {
            after,
            size: 1,
            ..query(&["pal"], active)
        };
        let page = store.master_records(&page).await.unwrap();
        let Some(last) = page.last() else { break };
        after = Some((last.last_used_at, last.key));
        pages.push(last.key.as_u128());
    }
    assert_eq!(pages, [1, 2, 3]);
    let elsewhere = MasterDataQuery {
        organization: id(JEDDAH),
        ..query(&[], None)
    };
    assert!(store.master_records(&elsewhere).await.unwrap().is_empty());
}
