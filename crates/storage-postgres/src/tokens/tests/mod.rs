//! What the schema and the statements of tokens promise beyond the suite.

mod maintenance;
mod plans;

use std::sync::Arc;
use std::time::Duration;

use invoicing_contract::Timestamp;
use invoicing_storage::audit::AuditEventKind;
use invoicing_storage::secret::{Secret, TokenHash};
use invoicing_storage::suite::fixtures::{
    LATER, NOW, access_token, audit_event, code, count_events, family, hash, hash_at, populate,
    tokens,
};
use invoicing_storage::tokens::{Family, InsertOutcome, RefreshToken, TokenStore as _};
use invoicing_storage::{Basis, SystemRng};
use invoicing_test_postgres::{Database, Server};
use tokio_postgres::{Client, NoTls, SimpleQueryMessage};

use super::access_token_queue::{AccessTokenInsert, insert_with_events};
use super::token_statements::{Consumes, TokenInsert};
use crate::audit::NewEvents;
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

    let version = store.basis().await.unwrap().version();
    let access = access_token("machine", None);
    let authorization = authorizations.id(&access.authorization, engine);
    let authorization = authorization.await.unwrap();
    let recorded = NewEvents::new(&events, engine.rng());
    let insert = async |assumed| {
        let insert = AccessTokenInsert {
            access: access.clone(),
            authorization,
            event: events[0].clone(),
            version: Some(assumed),
        };
        let inserted = insert_with_events(&[insert], &recorded, engine).await;
        inserted.unwrap() == [true]
    };
    assert!(!insert(version + 1).await, "the version is not current");
    assert!(insert(version).await);
    let once = counts().await;
    // The version has changed after the commit whose answer was lost.
    assert!(insert(version + 1).await);
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

/// Tokens that are inserted together have outcomes of their own.
#[tokio::test]
async fn tokens_of_one_statement_succeed_and_fail_alone() {
    let (store, _database) = open().await;
    populate(&store).await;
    let current = store.basis().await.unwrap();
    let outdated = Basis::assumed(current.version() - 1);
    let inserts = (0..200).map(|number| {
        let (store, name) = (store.clone(), number.to_string());
        tokio::spawn(async move {
            let mut token = access_token(&name, None);
            let mut basis = Basis::assumed(current.version());
            match number % 4 {
                0 => basis = outdated,
                // Refused by the schema.
                1 => token.expires_at = NOW.plus(DAY * 2),
                _ => {}
            }
            let event = audit_event(AuditEventKind::TokenIssued);
            let outcome = store.insert_access_token(token, event, basis).await;
            let found = store.access_token(&hash(&name), NOW).await.unwrap();
            (number, outcome, found.is_some())
        })
    });
    for insert in inserts.collect::<Vec<_>>() {
        let (number, outcome, found) = insert.await.unwrap();
        match number % 4 {
            0 => assert_eq!(outcome.unwrap(), InsertOutcome::Outdated),
            1 => assert!(outcome.is_err()),
            _ => assert_eq!(outcome.unwrap(), InsertOutcome::Inserted),
        }
        assert_eq!(found, number % 4 > 1, "{number}");
    }
    let events = count_events(&store, AuditEventKind::TokenIssued).await;
    assert_eq!(events, 100);
}
