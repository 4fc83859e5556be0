//! What the schema and the statements of tokens promise beyond the suite.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use invoicing_contract::Timestamp;
use invoicing_storage::SystemRng;
use invoicing_storage::audit::AuditEventKind;
use invoicing_storage::secret::{Secret, TokenHash};
use invoicing_storage::suite::fixtures::{
    LATER, NOW, access_token, audit_event, code, count_events, family, hash, hash_at, populate,
    tokens,
};
use invoicing_storage::tokens::{Family, InsertOutcome, RefreshToken, TokenStore as _};
use invoicing_test_postgres::{Database, Server};
use serde_json::Value;
use tokio_postgres::{Client, NoTls, SimpleQueryMessage};

use super::rows::{SELECT_CODE, SELECT_REFRESH_TOKEN, SELECT_VALID_ACCESS_TOKEN};
use super::token_statements::{Consumes, ROTATE_REFRESH_TOKEN, TokenInsert};
use crate::engine::Lease;
use crate::{Options, Postgres, migrate, schema_name};

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

async fn open() -> (Postgres, Database) {
    let database = Server::shared()
        .database(&schema_name(), async |owner_url| {
            let options = Options::from_url(owner_url).unwrap();
            migrate(&options, Timestamp::from_millis(0)).await.unwrap();
        })
        .await;
    let store = open_again(&database).await;
    (store, database)
}

async fn open_again(database: &Database) -> Postgres {
    let mut options = Options::from_url(database.application_url()).unwrap();
    options.connections = 4;
    Postgres::open(options, Arc::new(SystemRng)).await.unwrap()
}

/// A connection of its own, as the role of the application.
async fn connect(url: &str) -> Client {
    let (client, connection) = tokio_postgres::connect(url, NoTls).await.unwrap();
    tokio::spawn(connection);
    client
}

/// The first column of the rows of a query.
async fn texts(client: &Client, query: &str) -> Vec<String> {
    let messages = client.simple_query(query).await.unwrap();
    let mut texts = Vec::new();
    for message in &messages {
        if let SimpleQueryMessage::Row(row) = message {
            texts.extend(row.get(0).map(str::to_owned));
        }
    }
    texts
}

/// Stores a family with an access token and a refresh token, all of them issued at `at`.
async fn authorize_at(store: &Postgres, name: &str, at: Timestamp) -> Family {
    let family = Family {
        id: hash_at(name, at).lookup_key(),
        authenticated_at: at,
        expires_at: at.plus(90 * DAY),
        ..family(0)
    };
    let mut tokens = tokens(name, family.id);
    tokens.access.hash = hash_at(&format!("{name} access"), at);
    tokens.access.issued_at = at;
    tokens.access.expires_at = at.plus(DAY / 2);
    tokens.refresh = Some(RefreshToken {
        hash: hash_at(&format!("{name} refresh"), at),
        expires_at: at.plus(30 * DAY),
    });
    store
        .insert_authorization_with_tokens(family.clone(), tokens, Vec::new())
        .await
        .unwrap();
    family
}

/// The relations that a plan has read, with how often.
fn executed_relations(node: &Value, relations: &mut Vec<String>) {
    if let Some(relation) = node["Relation Name"].as_str()
        && node["Actual Loops"].as_f64().unwrap() > 0.0
    {
        relations.push(relation.to_owned());
    }
    for child in node["Plans"].as_array().into_iter().flatten() {
        executed_relations(child, relations);
    }
}

/// The relations that a prepared statement reads, planned for its parameters (`custom`) or for any (`generic`).
async fn relations(client: &Client, mode: &str, statement: &str, parameters: &str) -> Vec<String> {
    let explain = format!(
        "SET plan_cache_mode = force_{mode}_plan; PREPARE statement AS {statement};
         BEGIN; EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE statement ({parameters}); ROLLBACK; DEALLOCATE statement"
    );
    let plan = texts(client, &explain).await.concat();
    let plan: Value = serde_json::from_str(&plan).unwrap();
    let mut relations = Vec::new();
    executed_relations(&plan[0]["Plan"], &mut relations);
    relations.sort();
    relations
}

fn literal(hash: &TokenHash) -> String {
    use std::fmt::Write as _;
    let mut text = String::from("'\\x");
    for byte in hash.as_bytes() {
        write!(text, "{byte:02x}").unwrap();
    }
    text + "'"
}

#[tokio::test]
async fn lookup_of_a_token_reads_one_partition() {
    let (store, database) = open().await;
    populate(&store).await;
    for days in 0..40 {
        authorize_at(&store, &format!("day {days}"), NOW.plus(DAY * days)).await;
    }
    let at = NOW.plus(DAY * 20);
    let family = authorize_at(&store, "one", at).await;
    let mut authorization = code("code");
    authorization.hash = hash_at("code", at);
    let with_code = Family {
        id: hash_at("with a code", at).lookup_key(),
        ..family.clone()
    };
    store
        .insert_authorization(&with_code, &authorization)
        .await
        .unwrap();
    let client = connect(database.application_url()).await;
    let of = |relations: &[String], table: &str| {
        let prefix = format!("{table}_d");
        let relations: BTreeSet<_> = relations
            .iter()
            .filter(|relation| relation.starts_with(&prefix))
            .cloned()
            .collect();
        relations.len()
    };
    for mode in ["custom", "generic"] {
        let (access, refresh) = (hash_at("one access", at), hash_at("one refresh", at));
        let parameters = format!(
            "{}, {}, {}",
            access.lookup_key(),
            literal(&access),
            at.as_millis()
        );
        let read = relations(&client, mode, SELECT_VALID_ACCESS_TOKEN, &parameters).await;
        assert_eq!(of(&read, "access_tokens"), 1, "{mode}: {read:?}");

        let parameters = format!("{}, {}", refresh.lookup_key(), literal(&refresh));
        let read = relations(&client, mode, SELECT_REFRESH_TOKEN, &parameters).await;
        assert_eq!(of(&read, "refresh_tokens"), 1, "{mode}: {read:?}");
        assert_eq!(of(&read, "families"), 1, "{mode}: {read:?}");

        let hash = &authorization.hash;
        let parameters = format!("{}, {}", hash.lookup_key(), literal(hash));
        let read = relations(&client, mode, SELECT_CODE, &parameters).await;
        assert!(matches!(of(&read, "families"), 1 | 2), "{mode}: {read:?}");

        let next = hash_at("next", at);
        let parameters = format!(
            "'[]', {next}, {bytes}, 1, 'noura', 0, NULL, NULL, {at}, {at}, {next}, {bytes}, {at}, {}, {}, {at}",
            refresh.lookup_key(),
            literal(&refresh),
            next = next.lookup_key(),
            bytes = literal(&next),
            at = at.as_millis(),
        );
        let read = relations(&client, mode, ROTATE_REFRESH_TOKEN, &parameters).await;
        assert_eq!(of(&read, "refresh_tokens"), 1, "{mode}: {read:?}");
    }
}

/// What happens when the answer to a commit is lost.
#[tokio::test]
async fn repeated_statement_adds_no_row_and_reports_success() {
    let (store, database) = open().await;
    populate(&store).await;
    let client = connect(database.application_url()).await;
    let counts = async || {
        let mut counts = Vec::new();
        for table in [
            "families",
            "refresh_tokens",
            "access_tokens",
            "audit_events",
        ] {
            counts.extend(texts(&client, &format!("SELECT count(*) FROM {table}")).await);
        }
        counts
    };
    let (engine, authorizations) = (store.engine(), store.token_authorizations());
    let events = [audit_event(AuditEventKind::TokenIssued)];
    let family_with_code = family(1);
    for _ in 0..2 {
        store
            .insert_authorization(&family_with_code, &code("code"))
            .await
            .unwrap();
    }
    let first = tokens("first", family_with_code.id);
    let second = tokens("second", family_with_code.id);
    for (issued, consumed) in [
        (&first, Consumes::Code(&hash("code"))),
        (&second, Consumes::RefreshToken(&hash("first refresh"))),
    ] {
        let refresh = issued.refresh.as_ref();
        let insert = TokenInsert::new(&issued.access, refresh, &events, engine, authorizations);
        let insert = insert.await.unwrap();
        assert!(insert.redeem(&consumed, NOW, engine).await.unwrap());
        let once = counts().await;
        assert!(insert.redeem(&consumed, LATER, engine).await.unwrap());
        assert_eq!(counts().await, once);
    }

    let access = access_token("machine", None);
    let insert = TokenInsert::new(&access, None, &events, engine, authorizations);
    let insert = insert.await.unwrap();
    let version = store.basis().await.unwrap().version();
    assert!(insert.insert(Some(version), engine).await.unwrap());
    let once = counts().await;
    // The version has changed after the commit whose answer was lost.
    assert!(insert.insert(Some(version + 1), engine).await.unwrap());
    assert_eq!(counts().await, once);

    let direct = tokens("direct", family(2).id);
    let refresh = direct.refresh.as_ref();
    let insert = async || {
        let insert = TokenInsert::new(&direct.access, refresh, &[], engine, authorizations).await;
        insert.unwrap().insert_with_family(&family(2), engine).await
    };
    assert!(insert().await.unwrap());
    let once = counts().await;
    assert!(insert().await.unwrap());
    assert_eq!(counts().await, once);
}

#[tokio::test]
async fn family_whose_id_is_taken_is_refused() {
    let (store, _database) = open().await;
    populate(&store).await;
    store
        .insert_authorization(&family(1), &code("one"))
        .await
        .unwrap();
    let other = store.insert_authorization(&family(1), &code("other")).await;
    assert!(matches!(other, Err(invoicing_storage::StorageError::Busy)));
    let with_tokens =
        store.insert_authorization_with_tokens(family(1), tokens("t", family(1).id), Vec::new());
    assert!(with_tokens.await.is_err());
    let found = store.authorization_code(&hash("other")).await.unwrap();
    assert!(found.is_none());
}

/// Numbers of the same millisecond can be equal: the hash tells the tokens apart.
#[tokio::test]
async fn tokens_with_the_same_number_are_told_apart() {
    let (store, _database) = open().await;
    populate(&store).await;
    let number = hash("one").lookup_key();
    for name in ["one", "two"] {
        let mut token = access_token(name, None);
        let bytes = hash(name).as_bytes().to_vec();
        token.hash = TokenHash::stored(number, &bytes).unwrap();
        let basis = store.basis().await.unwrap();
        let event = audit_event(AuditEventKind::TokenIssued);
        let inserted = store.insert_access_token(token.clone(), event, basis).await;
        assert_eq!(inserted.unwrap(), InsertOutcome::Inserted);
        let event = audit_event(AuditEventKind::TokenRevoked);
        if name == "one" {
            store
                .revoke_access_token(&token.hash, NOW, &event)
                .await
                .unwrap();
        }
        let found = store.access_token(&token.hash, NOW).await.unwrap();
        assert_eq!(found.is_some(), name == "two");
    }
}

#[tokio::test]
async fn tokens_cannot_be_changed_by_the_role_of_the_application() {
    let (store, database) = open().await;
    populate(&store).await;
    authorize_at(&store, "one", NOW).await;
    let client = connect(database.application_url()).await;
    for statement in [
        "UPDATE access_tokens SET expires_at = 0",
        "DELETE FROM access_tokens",
        "DELETE FROM refresh_tokens",
        "DELETE FROM families",
        "UPDATE revoked SET expires_at = 0",
        "UPDATE token_authorizations SET scope = 'openid'",
        "DELETE FROM token_authorizations",
        "DROP TABLE access_tokens",
        "UPDATE partitioned_tables SET kept_days = 0",
    ] {
        let error = client.batch_execute(statement).await.unwrap_err();
        let code = error.code().unwrap().code();
        assert_eq!(code, "42501", "{statement}");
    }
}

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
async fn token_that_the_service_has_not_issued_is_not_found() {
    let (store, _database) = open().await;
    populate(&store).await;
    authorize_at(&store, "one", NOW).await;
    for presented in [
        TokenHash::of("a text"),
        TokenHash::of(""),
        Secret::random(&SystemRng).hash(),
        Secret::time_ordered(Timestamp::default(), &SystemRng).hash(),
    ] {
        assert!(store.bearer(&presented, NOW).await.unwrap().is_none());
        assert!(store.refresh_token(&presented).await.unwrap().is_none());
        let code = store.authorization_code(&presented).await.unwrap();
        assert!(code.is_none());
        let event = audit_event(AuditEventKind::TokenIssued);
        let outcome = store.rotate_refresh_token(&presented, tokens("t", family(1).id), NOW, event);
        assert_eq!(outcome.await.unwrap(), InsertOutcome::AlreadyUsed);
    }
    assert_eq!(count_events(&store, AuditEventKind::TokenIssued).await, 0);
}
