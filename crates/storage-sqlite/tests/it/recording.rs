//! What SQLite adds to the behavioural suite of the audit: ids in the order of recording.

use invoicing_contract::Timestamp;
use invoicing_storage::audit::{AuditEvent, AuditEventKind};
use invoicing_storage::{AuditArchiveStore as _, AuditStore as _};

fn event(at: i64) -> AuditEvent {
    let event = AuditEvent::new(Timestamp::from_millis(at), AuditEventKind::PatRefused);
    event.subject(&"noura".into())
}

#[tokio::test]
async fn event_of_a_wrong_clock_is_archived_with_those_recorded_around_it() {
    let (store, _folder) = crate::open().await;
    for at in [1, 1_000_000, 2, 3, 50] {
        store.record(&event(at)).await.unwrap();
    }
    let before = Timestamp::from_millis(10);
    let archivable = store.archivable_events(before, 10).await.unwrap();
    let times = archivable.iter().map(|event| event.event.at.as_millis());
    assert!(times.eq([1, 1_000_000, 2, 3]));
    assert_eq!(store.last_position().await.unwrap(), 5);
}
