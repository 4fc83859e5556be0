//! A failover to a standby that lacks the last commits (decision 0172): nothing that a process remembers of them counts any more.

use invoicing_storage::audit::AuditEventKind;
use invoicing_storage::suite::fixtures::{
    NOW, RIYADH, access_token, audit_event, code, family, hash, id, person, populate, subject,
    tokens,
};
use invoicing_storage::tokens::InsertOutcome;
use invoicing_storage::{AuditStore as _, Basis, SubjectStore as _, TokenStore as _};
use invoicing_test_postgres::{Database, Server};

/// Loses what each token authorizes.
const LOSE_AUTHORIZATIONS: &str = "DELETE FROM token_authorizations";

/// Ends the connections of all stores, and then undoes commits with `statements`.
async fn fail_over(database: &Database, statements: &str) {
    let client = Server::shared().connect_as_superuser(database).await;
    // It waits for their end: the next statement of a store is then the first one on the new primary.
    let end = "SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity
         WHERE datname = current_database() AND usename = 'application'";
    let ended = client.query(end, &[]).await.unwrap();
    assert!(!ended.is_empty(), "a store has a connection");
    client.batch_execute(statements).await.unwrap();
}

/// Whether an access token is valid for another process, which has nothing in memory.
async fn is_valid(database: &Database, name: &str) -> bool {
    let replica = crate::open_again(database).await;
    let found = replica.access_token(&hash(name), NOW).await;
    found.unwrap().is_some()
}

#[tokio::test]
async fn role_that_was_revoked_after_a_failover_is_not_read_from_memory() {
    let (store, database) = crate::open().await;
    let replica = crate::open_again(&database).await;
    populate(&store).await;
    let (noura, riyadh) = (subject("noura"), id(RIYADH));
    let event = audit_event(AuditEventKind::RoleGranted);
    let granted = store.add_grant(&noura, &riyadh, "administrator", &event);
    assert!(granted.await.unwrap());
    let kept = store.basis().await.unwrap().version();

    // Another change, which is lost. The replica has the grant in memory as of it.
    let event = audit_event(AuditEventKind::UserCreated);
    assert!(store.add_subject(&person("amal"), &event).await.unwrap());
    let lost = replica.basis().await.unwrap();
    let member = replica.member(&noura, lost).await.unwrap().unwrap();
    assert_eq!(member.grants.len(), 1);
    let lose = format!("UPDATE versions SET number = {kept}");
    fail_over(&database, &lose).await;

    let event = audit_event(AuditEventKind::RoleRevoked);
    let revoked = store.remove_grant(&noura, &riyadh, "administrator", &event);
    assert!(revoked.await.unwrap());
    let basis = replica.basis().await.unwrap();
    let member = replica.member(&noura, basis).await.unwrap().unwrap();
    assert!(member.grants.is_empty(), "{:?}", member.grants);
}

#[tokio::test]
async fn versions_after_a_failover_are_none_of_those_that_it_has_lost() {
    /// Changes that are lost, and changes that follow.
    const CHANGES: usize = 3;

    let (store, database) = crate::open().await;
    populate(&store).await;
    let kept = store.basis().await.unwrap().version();
    let change = async |number: usize| {
        let event = audit_event(AuditEventKind::RoleGranted);
        let (noura, role) = (subject("noura"), format!("role {number}"));
        let granted = store.add_grant(&noura, &id(RIYADH), &role, &event).await;
        assert!(granted.unwrap());
        store.basis().await.unwrap().version()
    };
    let mut lost = Vec::new();
    for number in 0..CHANGES {
        lost.push(change(number).await);
    }
    let lose = format!("UPDATE versions SET number = {kept}");
    fail_over(&database, &lose).await;
    for number in CHANGES..CHANGES * 2 {
        let version = change(number).await;
        assert!(version > kept, "{version} after {kept}");
        assert!(!lost.contains(&version), "{version} is one of {lost:?}");
    }
}

#[tokio::test]
async fn token_whose_authorization_a_failover_has_lost_is_valid() {
    let (store, database) = crate::open().await;
    populate(&store).await;
    let issue = async |name: &str, basis: Basis| {
        let event = audit_event(AuditEventKind::TokenIssued);
        let token = access_token(name, None);
        let inserted = store.insert_access_token(token, event, basis).await;
        assert_eq!(inserted.unwrap(), InsertOutcome::Inserted);
    };
    let basis = store.basis().await.unwrap();
    issue("before", basis).await;
    assert!(is_valid(&database, "before").await);

    // The token itself is what the store finds the new primary with.
    fail_over(&database, LOSE_AUTHORIZATIONS).await;
    issue("at once", basis).await;
    assert!(is_valid(&database, "at once").await);

    fail_over(&database, LOSE_AUTHORIZATIONS).await;
    let basis = store.basis().await.unwrap();
    issue("after a read", basis).await;
    assert!(is_valid(&database, "after a read").await);
}

#[tokio::test]
async fn tokens_of_a_family_whose_authorization_a_failover_has_lost_are_valid() {
    let (store, database) = crate::open().await;
    populate(&store).await;
    let (first, second, third) = (family(1), family(2), family(3));
    let issued = tokens("first", first.id);
    let inserted = store.insert_authorization_with_tokens(first, issued, Vec::new());
    inserted.await.unwrap();
    let code = code("code");
    let inserted = store.insert_authorization(&second, &code).await;
    inserted.unwrap();
    assert!(is_valid(&database, "first access").await);

    fail_over(&database, LOSE_AUTHORIZATIONS).await;
    let event = audit_event(AuditEventKind::TokenIssued);
    let issued = tokens("second", second.id);
    let redeemed = store.redeem_code(&code.hash, issued, NOW, event).await;
    assert_eq!(redeemed.unwrap(), InsertOutcome::Inserted);
    assert!(is_valid(&database, "second access").await);

    fail_over(&database, LOSE_AUTHORIZATIONS).await;
    let issued = tokens("third", third.id);
    let inserted = store.insert_authorization_with_tokens(third, issued, Vec::new());
    inserted.await.unwrap();
    assert!(is_valid(&database, "third access").await);
}

#[tokio::test]
async fn partitions_that_a_failover_has_lost_are_created_again() {
    let (store, database) = crate::open().await;
    let event = audit_event(AuditEventKind::SignedIn);
    store.record(&event).await.unwrap();
    let client = Server::shared().connect_as_superuser(&database).await;
    let select = "SELECT tableoid::regclass::text FROM audit_events LIMIT 1";
    let partition: String = client.query_one(select, &[]).await.unwrap().get(0);

    fail_over(&database, &format!("DROP TABLE {partition}")).await;
    // The store finds the new primary.
    store.basis().await.unwrap();
    store.record(&event).await.unwrap();
}
