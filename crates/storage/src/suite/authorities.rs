//! Cases of the settings of tax authorities. Each gets handles that were opened one by one on the same database.

use futures_util::future::join_all;
use invoicing_contract::Timestamp;
use invoicing_contract::messages::documents::Kind;

use super::fixtures::{JEDDAH, RIYADH, audit_event, count_events, id, organization, tenant};
use crate::Store;
use crate::audit::AuditEventKind;
use crate::clearance::{AuthorityMode, AuthoritySettings};

/// Handles that a case gets.
pub const HANDLES: usize = 3;

/// Settings of a tenant with a stamp.
#[must_use]
pub fn settings(of: &str, stamp: &str) -> AuthoritySettings {
    AuthoritySettings {
        organization: id(of),
        adapter: "http".to_owned(),
        endpoint: "https://tax.example/clear".to_owned(),
        credentials: Some(vec![1, 2, 3]),
        mode: AuthorityMode::Reporting,
        kinds: [Kind::Invoice, Kind::DebitNote].into(),
        enabled: true,
        concurrency_stamp: stamp.into(),
        updated_at: Timestamp::from_millis(5),
    }
}

pub async fn authority_is_stored_by_one_of_many_with_its_event(stores: &[&dyn Store]) {
    let store = stores[0];
    for name in [RIYADH, JEDDAH] {
        store.add_organization(&organization(name)).await.unwrap();
        store.add_tenant(&tenant(organization(name))).await.unwrap();
    }
    assert_eq!(store.authority(&id(RIYADH)).await.unwrap(), None);
    let put = |expected: Option<&'static str>| async move {
        let expected = expected.map(Into::into);
        let writes = (0..6).zip(stores.iter().cycle()).map(|(caller, store)| {
            let (settings, expected) = (
                settings(RIYADH, &format!("stamp {caller}")),
                expected.clone(),
            );
            async move {
                let event = audit_event(AuditEventKind::AuthorityChanged);
                let put = store.put_authority(&settings, expected.as_ref(), &event);
                put.await.unwrap().then_some(settings)
            }
        });
        join_all(writes)
            .await
            .into_iter()
            .flatten()
            .collect::<Vec<_>>()
    };
    let first = put(None).await;
    assert_eq!(first.len(), 1);
    assert_eq!(
        store.authority(&id(RIYADH)).await.unwrap(),
        first.first().cloned()
    );
    assert!(put(Some("another")).await.is_empty());
    let events = count_events(store, AuditEventKind::AuthorityChanged).await;
    assert_eq!(events, 1, "one for each change");
    let event = audit_event(AuditEventKind::AuthorityChanged);
    let expected = Some(&first[0].concurrency_stamp);
    let changed = AuthoritySettings {
        enabled: false,
        credentials: None,
        ..settings(RIYADH, "changed")
    };
    assert!(
        store
            .put_authority(&changed, expected, &event)
            .await
            .unwrap()
    );
    assert_eq!(
        store.authority(&id(RIYADH)).await.unwrap(),
        Some(changed.clone())
    );
    let other = settings(JEDDAH, "other");
    assert!(store.put_authority(&other, None, &event).await.unwrap());
    let all = store.authorities(&id(""), 10).await.unwrap();
    assert_eq!(all, [other, changed.clone()]);
    let next = store.authorities(&id(JEDDAH), 10).await.unwrap();
    assert_eq!(next, [changed]);
}
