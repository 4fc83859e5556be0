//! Cases of [`AuditArchiveStore`](crate::AuditArchiveStore).

use futures_util::future::join_all;
use invoicing_contract::Timestamp;

use super::fixtures::NOW;
use crate::Store;
use crate::audit::{AuditEvent, AuditEventKind, Query, RecordedEvent};
use crate::audit_archives::{ArchiveOutcome, AuditArchive, ChainHash};

/// Records one event for each time, in this order.
async fn record(store: &dyn Store, times: &[i64]) {
    for at in times {
        let event = AuditEvent::new(Timestamp::from_millis(*at), AuditEventKind::SignedIn);
        store.record(&event.subject(&"noura".into())).await.unwrap();
    }
}

async fn archivable(store: &dyn Store, before: i64, limit: u32) -> Vec<i64> {
    let before = Timestamp::from_millis(before);
    let events = store.archivable_events(before, limit).await.unwrap();
    let events = events.into_iter();
    events.map(|event| event.event.at.as_millis()).collect()
}

async fn stored(store: &dyn Store) -> Vec<RecordedEvent> {
    store.events_from(0, 10_000).await.unwrap()
}

/// All events but the newest, which can be archived.
async fn old_events(store: &dyn Store) -> Vec<RecordedEvent> {
    store.archivable_events(NOW, 10_000).await.unwrap()
}

/// The archive of `events` after the one with the hash `previous`.
fn archive(events: &[RecordedEvent], previous: u8, hash: u8) -> AuditArchive {
    let (first, last) = (events[0].id, events[events.len() - 1].id);
    AuditArchive {
        first,
        last,
        earliest: Timestamp::from_millis(1),
        latest: Timestamp::from_millis(9),
        previous_hash: ChainHash([previous; 32]),
        hash: ChainHash([hash; 32]),
        file: format!("{first}-{last}"),
        archived_at: NOW,
    }
}

pub async fn archivable_events_are_the_oldest_up_to_the_latest_before_the_time(store: &dyn Store) {
    assert_eq!(archivable(store, 100, 10).await, [0; 0], "no events");
    record(store, &[1, 2, 3]).await;
    assert_eq!(archivable(store, 1, 10).await, [0; 0], "none is older");
    assert_eq!(archivable(store, 3, 10).await, [1, 2]);
    assert_eq!(archivable(store, 3, 1).await, [1], "limited");
    assert_eq!(
        archivable(store, 100, 10).await,
        [1, 2],
        "the newest event stays"
    );
}

pub async fn wrong_clock_does_not_keep_later_events_from_being_archived(store: &dyn Store) {
    record(store, &[1, 1_000_000, 2, 3, 50]).await;
    let mut archivable = archivable(store, 10, 10).await;
    // An engine that keeps events in the order of their recording archives it with those around it.
    archivable.retain(|at| *at != 1_000_000);
    assert_eq!(archivable, [1, 2, 3]);
}

pub async fn recorded_archive_reads_back_and_its_events_are_gone(store: &dyn Store) {
    record(store, &[1, 2, 3, 4, 5]).await;
    let events = stored(store).await;
    let ids: Vec<_> = events.iter().map(|event| event.id).collect();
    assert_eq!(ids, [1, 2, 3, 4, 5], "positions ascend by one");
    assert_eq!(old_events(store).await, events[..4]);
    let archives = [archive(&events[..2], 0, 1), archive(&events[2..4], 1, 2)];
    for archive in &archives {
        let outcome = store.record_archive(archive).await.unwrap();
        assert_eq!(outcome, ArchiveOutcome::Recorded);
    }
    assert_eq!(store.audit_archives().await.unwrap(), archives);
    assert_eq!(stored(store).await, events[4..]);
    let query = Query {
        size: 10,
        subject: Some("noura".into()),
        ..Query::default()
    };
    let page = store.audit(&query).await.unwrap();
    let page: Vec<_> = page.into_iter().map(|recorded| recorded.event).collect();
    assert_eq!(page, [events[4].event.clone()]);
    record(store, &[6]).await;
    assert_eq!(stored(store).await[1].id, 6, "positions continue");
    assert_eq!(store.events_from(6, 10).await.unwrap().len(), 1);
}

pub async fn archives_are_found_by_the_times_of_their_events(store: &dyn Store) {
    assert_eq!(store.last_audit_archive().await.unwrap(), None);
    record(store, &[10, 20, 30, 40, 50, 60, 70]).await;
    let events = old_events(store).await;
    let mut archives = Vec::new();
    for (number, events) in (0..).zip(events.chunks(2)) {
        let mut archive = archive(events, number, number + 1);
        archive.earliest = events[0].event.at;
        archive.latest = events[1].event.at;
        let recorded = store.record_archive(&archive).await.unwrap();
        assert_eq!(recorded, ArchiveOutcome::Recorded);
        let last = store.last_audit_archive().await.unwrap();
        assert_eq!(last.as_ref(), Some(&archive));
        archives.push(archive);
    }
    for (start, end, found) in [
        (i64::MIN, i64::MAX, 0..3),
        (i64::MIN, 9, 0..0),
        (i64::MIN, 10, 0..1),
        (20, 29, 0..1),
        (21, 29, 0..0),
        (20, 30, 0..2),
        (35, 35, 1..2),
        (60, i64::MAX, 2..3),
        (61, i64::MAX, 0..0),
    ] {
        let times = Timestamp::from_millis(start)..=Timestamp::from_millis(end);
        let archives_of = store.audit_archives_of(times).await.unwrap();
        assert_eq!(archives_of, archives[found], "{start} to {end}");
    }
}

pub async fn archive_that_does_not_continue_the_chain_changes_nothing(store: &dyn Store) {
    record(store, &[1, 2, 3, 4, 5]).await;
    let events = stored(store).await;
    assert_eq!(old_events(store).await, events[..4]);
    let recorded = store.record_archive(&archive(&events[..2], 0, 1)).await;
    assert_eq!(recorded.unwrap(), ArchiveOutcome::Recorded);
    let mut beyond = archive(&events[2..4], 1, 2);
    beyond.last = 9;
    for (wrong, name) in [
        (archive(&events[..2], 0, 1), "recorded before"),
        (archive(&events[1..3], 1, 2), "overlaps"),
        (archive(&events[3..4], 1, 2), "leaves a gap"),
        (archive(&events[2..4], 0, 2), "another chain"),
        (archive(&events[2..], 1, 2), "the newest event"),
        (beyond, "events that do not exist"),
    ] {
        let outcome = store.record_archive(&wrong).await.unwrap();
        assert_eq!(outcome, ArchiveOutcome::Outdated, "{name}");
        assert_eq!(stored(store).await, events[2..], "{name}");
        assert_eq!(store.audit_archives().await.unwrap().len(), 1, "{name}");
    }
}

pub async fn one_of_many_concurrent_archives_is_recorded(store: &dyn Store) {
    record(store, &[1, 2, 3, 4, 5]).await;
    let events = stored(store).await;
    assert_eq!(old_events(store).await, events[..4]);
    let archives: Vec<_> = (1..=4).map(|end| archive(&events[..end], 0, 1)).collect();
    let recorded = join_all(archives.iter().map(|one| store.record_archive(one))).await;
    let recorded = recorded
        .into_iter()
        .filter(|outcome| *outcome.as_ref().unwrap() == ArchiveOutcome::Recorded);
    assert_eq!(recorded.count(), 1);
    let archived = usize::try_from(store.audit_archives().await.unwrap()[0].last).unwrap();
    assert_eq!(stored(store).await, events[archived..]);
}

pub async fn positions_of_archivable_events_are_final(store: &dyn Store) {
    record(store, &[10, 20, 30, 40, 50]).await;
    let first = store.archivable_events(NOW, 2).await.unwrap();
    assert_eq!(first.len(), 2);
    // Another process recorded it while these were numbered.
    record(store, &[15]).await;
    let all = store.archivable_events(NOW, 10).await.unwrap();
    assert_eq!(all[..2], first);
    assert_eq!(stored(store).await[..2], first);
    assert!(store.last_position().await.unwrap() >= 2);
    let recorded = store.record_archive(&archive(&first, 0, 1)).await;
    assert_eq!(recorded.unwrap(), ArchiveOutcome::Recorded);
    let rest = store.archivable_events(NOW, 10).await.unwrap();
    assert_eq!(rest, all[2..]);
    assert!(rest.iter().map(|event| event.id).eq(3..=5));
}
