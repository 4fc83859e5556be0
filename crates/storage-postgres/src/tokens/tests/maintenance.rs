//! Maintenance: what it deletes and creates, and which rows are refused because it would drop them too early.

use std::time::Duration;

use invoicing_storage::audit::AuditEventKind;
use invoicing_storage::suite::fixtures::{
    NOW, access_token, audit_event, code, count_events, family, hash, populate,
};
use invoicing_storage::tokens::{Family, TokenStore as _};

use super::{DAY, Server, authorize_at, connect, open, open_again, texts};
use crate::engine::Lease;

/// A partition is dropped at a time after its end at which all of its rows have expired, because a row that expires later is
/// refused.
#[tokio::test]
async fn row_that_would_outlive_its_partition_is_refused() {
    let (store, _database) = open().await;
    populate(&store).await;
    let mut token = access_token("one", None);
    token.expires_at = NOW.plus(DAY * 2);
    let basis = store.basis().await.unwrap();
    let event = audit_event(AuditEventKind::TokenIssued);
    assert!(
        store
            .insert_access_token(token, event, basis)
            .await
            .is_err()
    );
    assert_eq!(count_events(&store, AuditEventKind::TokenIssued).await, 0);
    let family = Family {
        expires_at: NOW.plus(DAY * 92),
        ..family(1)
    };
    let inserted = store.insert_authorization(&family, &code("code")).await;
    assert!(inserted.is_err());
}

#[tokio::test]
async fn maintenance_keeps_all_that_has_not_expired() {
    let (store, database) = open().await;
    populate(&store).await;
    let family = authorize_at(&store, "one", NOW).await;
    let event = audit_event(AuditEventKind::TokenRevoked);
    let revoked = authorize_at(&store, "revoked", NOW).await;
    store.revoke_family(revoked.id, NOW, &event).await.unwrap();
    let (access, refresh) = (hash("one access"), hash("one refresh"));
    for half_days in 0..93 * 2 {
        let now = NOW.plus(DAY / 2 * half_days);
        while store.maintain(now).await.unwrap() > 0 {}
        let valid = store.access_token(&access, now).await.unwrap().is_some();
        assert_eq!(valid, half_days < 1, "{half_days}");
        if now < NOW.plus(30 * DAY) {
            let found = store.refresh_token(&refresh).await.unwrap().unwrap();
            assert_eq!((found.family.id, found.revoked), (family.id, false));
            let found = store.refresh_token(&hash("revoked refresh")).await.unwrap();
            assert!(found.unwrap().revoked, "{half_days}");
        }
    }
    assert!(store.refresh_token(&refresh).await.unwrap().is_none());
    while store.maintain(NOW.plus(DAY * 120)).await.unwrap() > 0 {}
    let client = connect(database.application_url()).await;
    for table in ["access_tokens", "refresh_tokens", "families", "revoked"] {
        let count = texts(&client, &format!("SELECT count(*) FROM {table}")).await;
        assert_eq!(count, ["0"], "{table}");
    }
}

#[tokio::test]
async fn maintenance_creates_partitions_of_the_next_days() {
    let (store, database) = open().await;
    store.maintain(NOW).await.unwrap();
    let client = connect(database.application_url()).await;
    let select = "SELECT count(*) FROM pg_inherits WHERE inhparent = 'access_tokens'::regclass";
    assert_eq!(texts(&client, select).await, ["8"]);
}

#[tokio::test]
async fn maintenance_is_left_to_the_process_with_the_lease() {
    let (store, database) = open().await;
    populate(&store).await;
    authorize_at(&store, "one", NOW).await;
    let other = open_again(&database).await;
    let at = NOW.plus(DAY * 10);
    let lease = Lease::acquire(other.engine(), "maintenance", at, Duration::from_secs(60)).await;
    let lease = lease.unwrap().unwrap();
    assert_eq!(store.maintain(at).await.unwrap(), 0);
    // Of a process that has ended.
    let after = at.plus(Duration::from_secs(60));
    assert!(store.maintain(after).await.unwrap() > 0);
    lease.release(other.engine()).await.unwrap();
}

/// A partition that others use is dropped later, so that nobody waits behind the drop.
#[tokio::test]
async fn maintenance_does_not_wait_for_users_of_a_partition() {
    let (store, database) = open().await;
    populate(&store).await;
    authorize_at(&store, "one", NOW).await;
    let client = connect(database.application_url()).await;
    client
        .batch_execute("BEGIN; SELECT FROM access_tokens")
        .await
        .unwrap();
    let at = NOW.plus(DAY * 10);
    assert_eq!(store.maintain(at).await.unwrap(), 0);
    client.batch_execute("COMMIT").await.unwrap();
    assert!(store.maintain(at).await.unwrap() > 0);
}

#[tokio::test]
async fn maintenance_drops_partitions_of_the_tables_that_nobody_uses() {
    let (store, database) = open().await;
    populate(&store).await;
    authorize_at(&store, "one", NOW).await;
    let user = connect(database.application_url()).await;
    user.batch_execute("BEGIN; SELECT FROM access_tokens")
        .await
        .unwrap();
    while store.maintain(NOW.plus(DAY * 120)).await.unwrap() > 0 {}
    let client = connect(database.application_url()).await;
    for (table, rows) in [
        ("access_tokens", "1"),
        ("refresh_tokens", "0"),
        ("families", "0"),
    ] {
        let count = texts(&client, &format!("SELECT count(*) FROM {table}")).await;
        assert_eq!(count, [rows], "{table}");
    }
}

#[tokio::test]
async fn maintenance_drops_the_partitions_of_a_table_that_nobody_uses() {
    let (store, database) = open().await;
    populate(&store).await;
    authorize_at(&store, "one", NOW).await;
    authorize_at(&store, "two", NOW.plus(DAY)).await;
    let owner = Server::shared().connect_as_owner(&database).await;
    let select = "SELECT min(inhrelid::regclass::text) FROM pg_inherits WHERE inhparent = 'access_tokens'::regclass";
    let first = texts(&owner, select).await.concat();
    // As a vacuum does.
    owner
        .batch_execute(&format!(
            "BEGIN; LOCK TABLE {first} IN SHARE UPDATE EXCLUSIVE MODE"
        ))
        .await
        .unwrap();
    while store.maintain(NOW.plus(DAY * 10)).await.unwrap() > 0 {}
    let client = connect(database.application_url()).await;
    let count = texts(&client, "SELECT count(*) FROM access_tokens").await;
    assert_eq!(count, ["1"], "that in the partition which is in use");
}
