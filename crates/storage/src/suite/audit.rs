//! Cases of [`AuditStore`](crate::AuditStore).

use invoicing_contract::Timestamp;

use super::fixtures::{NOW, after_now, audit_event, before_now, count_events};
use crate::Store;
use crate::audit::{AuditEvent, AuditEventKind, Query, RecordedEvent};

/// More than one block of the engine that stores events in blocks of 256, in an order that differs from that of their times.
const EVENTS: i64 = 700;

fn numbered(number: i64) -> AuditEvent {
    let kinds = [
        AuditEventKind::TokenIssued,
        AuditEventKind::SignedIn,
        AuditEventKind::SignInFailed,
    ];
    let turn = |of: i64| usize::try_from(number % of).unwrap();
    let mut event = AuditEvent::new(
        Timestamp::from_millis(1_000 + number - number % 7 * 2),
        kinds[turn(3)],
    );
    if number % 5 > 0 {
        event = event.subject(&["noura", "salem"][turn(2)].into());
    }
    if number % 11 > 0 {
        event = event.organization(&["riyadh", "jeddah", "tabuk"][turn(3)].into());
    }
    if number % 13 == 0 {
        event = event.actor("an administrator");
    }
    if number % 17 == 0 {
        event = event.actor("salem").client(&"desktop".into());
    }
    if number % 3 > 0 {
        event = event.correlation_id(&format!("request-{}", number % 19));
    }
    event
}

fn all() -> Query {
    Query {
        size: 10_000,
        ..Query::default()
    }
}

pub async fn every_kind_of_event_reads_back_as_it_was_recorded(store: &dyn Store) {
    for (kind, at) in AuditEventKind::ALL.into_iter().zip(0..) {
        let event = AuditEvent::new(after_now(at), kind)
            .subject(&"noura".into())
            .actor("salem")
            .organization(&"riyadh".into())
            .client(&"app".into())
            .address([127, 0, 0, 1].into())
            .detail("grant", "password");
        store.record(&event).await.unwrap();
        let newest = store.audit(&Query { size: 1, ..all() }).await.unwrap();
        assert_eq!(newest[0].event, event);
    }
}

pub async fn event_recorded_once_is_not_repeated_within_its_window(store: &dyn Store) {
    let throttled = audit_event(AuditEventKind::SignInThrottled).subject(&"noura".into());
    store.record_once(&throttled, before_now(1)).await.unwrap();
    store.record_once(&throttled, before_now(1)).await.unwrap();
    assert_eq!(
        count_events(store, AuditEventKind::SignInThrottled).await,
        1
    );
    let other = audit_event(AuditEventKind::SignInThrottled).subject(&"salem".into());
    store.record_once(&other, before_now(1)).await.unwrap();
    assert_eq!(
        count_events(store, AuditEventKind::SignInThrottled).await,
        2
    );
    store.record_once(&throttled, NOW).await.unwrap();
    assert_eq!(
        count_events(store, AuditEventKind::SignInThrottled).await,
        3
    );
    let mut earlier = throttled.clone();
    earlier.at = before_now(3_600_000);
    store
        .record_once(&earlier, before_now(3_660_000))
        .await
        .unwrap();
    assert_eq!(
        count_events(store, AuditEventKind::SignInThrottled).await,
        4,
        "after the clock was set back"
    );
}

pub async fn query_returns_the_matching_events_newest_first(store: &dyn Store) {
    let written = futures_util::future::join_all((0..EVENTS).map(async |number| {
        store.record(&numbered(number)).await.unwrap();
    }));
    written.await;
    let recorded = store.audit(&all()).await.unwrap();
    assert_eq!(recorded.len(), usize::try_from(EVENTS).unwrap());
    assert!(
        recorded.is_sorted_by_key(|recorded| std::cmp::Reverse((recorded.event.at, recorded.id)))
    );

    let noura = Query {
        subject: Some("noura".into()),
        ..all()
    };
    let jeddah = Query {
        organization: Some("jeddah".into()),
        ..all()
    };
    for query in [
        noura.clone(),
        jeddah.clone(),
        Query {
            subject: Some("nobody".into()),
            ..all()
        },
        Query {
            kinds: vec![AuditEventKind::SignedIn],
            ..all()
        },
        Query {
            organization: jeddah.organization.clone(),
            kinds: vec![AuditEventKind::SignedIn, AuditEventKind::SignInFailed],
            ..noura.clone()
        },
        // A kind that is named twice is one.
        Query {
            kinds: vec![
                AuditEventKind::SignedIn,
                AuditEventKind::SignInFailed,
                AuditEventKind::SignedIn,
            ],
            size: 7,
            ..jeddah.clone()
        },
        Query {
            actor: Some("an administrator".to_owned()),
            size: 7,
            ..jeddah.clone()
        },
        Query {
            person: Some("salem".into()),
            size: 40,
            ..all()
        },
        Query {
            person: Some("salem".into()),
            ..jeddah.clone()
        },
        Query {
            person: Some("salem".into()),
            ..noura.clone()
        },
        Query {
            client_id: Some("desktop".into()),
            ..all()
        },
        Query {
            correlation_id: Some("request-4".to_owned()),
            ..all()
        },
        Query {
            correlation_id: Some("request-4".to_owned()),
            kinds: vec![AuditEventKind::SignedIn],
            ..jeddah.clone()
        },
        Query {
            from: Some(Timestamp::from_millis(1_200)),
            to: Some(Timestamp::from_millis(1_500)),
            size: 100,
            ..noura.clone()
        },
        Query {
            after: Some((Timestamp::from_millis(1_400), recorded[300].id)),
            size: 50,
            ..jeddah
        },
    ] {
        let expected: Vec<_> = recorded
            .iter()
            .filter(|recorded| query.matches(recorded))
            .take(usize::try_from(query.size).unwrap())
            .cloned()
            .collect();
        assert_eq!(store.audit(&query).await.unwrap(), expected, "{query:?}");
    }
}

pub async fn query_pages_continue_after_the_last_event_of_the_page_before(store: &dyn Store) {
    for number in 0..20 {
        store.record(&numbered(number)).await.unwrap();
    }
    let whole = store.audit(&all()).await.unwrap();
    let mut joined = Vec::new();
    loop {
        let after = joined
            .last()
            .map(|last: &RecordedEvent| (last.event.at, last.id));
        let page = Query {
            after,
            size: 3,
            ..all()
        };
        let page = store.audit(&page).await.unwrap();
        if page.is_empty() {
            break;
        }
        joined.extend(page);
    }
    assert_eq!(joined, whole);
}

pub async fn query_without_events_returns_none(store: &dyn Store) {
    let noura = Query {
        subject: Some("noura".into()),
        ..all()
    };
    for query in [all(), noura] {
        assert_eq!(store.audit(&query).await.unwrap(), []);
    }
}
