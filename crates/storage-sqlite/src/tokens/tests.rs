//! Races and outcomes of inserted tokens.

use std::sync::Arc;
use std::time::Duration;

use invoicing_contract::Timestamp;
use invoicing_contract::ready::ApplicationKind;
use invoicing_storage::applications::{Application, ApplicationStore as _};
use invoicing_storage::audit::{AuditEvent, AuditEventKind};
use invoicing_storage::directory::{DirectoryStore as _, Organization};
use invoicing_storage::secret::{Secret, TokenHash, time_ordered_id};
use invoicing_storage::subjects::{Subject, SubjectStore as _};
use invoicing_storage::tokens::{
    AccessToken, AuthorizationCode, Family, InsertOutcome, IssuedTokens, TokenAuthorization,
    TokenStore as _,
};
use invoicing_storage::{Basis, StorageError, SystemRng};
use tempfile::TempDir;

use crate::Sqlite;

const NOW: Timestamp = Timestamp::from_millis(1_795_286_378_000);

fn audit_event() -> AuditEvent {
    AuditEvent::new(NOW, AuditEventKind::TokenIssued)
}

fn hash() -> TokenHash {
    Secret::time_ordered(NOW, &SystemRng).hash()
}

pub(super) async fn store_in(folder: &TempDir) -> Sqlite {
    let url = format!("sqlite:{}", folder.path().join("invoicing.db").display());
    let store = Sqlite::open(&url).await.unwrap();
    let organization = Organization {
        id: "o".into(),
        name: String::new(),
        name_ar: String::new(),
        domain: String::new(),
    };
    store.add_organization(&organization).await.unwrap();
    store
        .add_subject(&subject("s"), &audit_event())
        .await
        .unwrap();
    let application = Application::new("c".into(), ApplicationKind::Public, "1".into());
    let event = audit_event();
    store.put_application(&application, &event).await.unwrap();
    store
}

fn subject(id: &str) -> Subject {
    Subject {
        id: id.into(),
        username: id.to_owned(),
        name: String::new(),
        email: None,
        email_verified: false,
        home_organization: "o".into(),
        password_hash: None,
        must_change_password: false,
        epoch: 0,
    }
}

pub(super) fn family(client_id: &str) -> Family {
    Family {
        id: time_ordered_id(NOW, &SystemRng),
        client_id: client_id.into(),
        subject: "s".into(),
        session_id: None,
        scope: String::new(),
        epoch: 0,
        authenticated_at: NOW,
        expires_at: NOW.plus(Duration::from_secs(1)),
    }
}

fn access_token(family: Option<i64>) -> AccessToken {
    AccessToken {
        hash: hash(),
        family,
        authorization: Arc::new(TokenAuthorization {
            client_id: "c".into(),
            scope: "profile".to_owned(),
            audiences: vec!["7".to_owned()],
            carries_home: true,
        }),
        subject: "s".into(),
        epoch: 0,
        actor: None,
        issued_at: NOW,
        expires_at: NOW.plus(Duration::from_secs(1)),
    }
}

pub(super) fn tokens(family: &Family) -> IssuedTokens {
    IssuedTokens {
        access: access_token(Some(family.id)),
        refresh: None,
    }
}

async fn insert(store: &Sqlite, basis: Basis) -> (TokenHash, InsertOutcome) {
    let access = access_token(None);
    let hash = access.hash.clone();
    let outcome = store.insert_access_token(access, audit_event(), basis);
    (hash, outcome.await.unwrap())
}

#[tokio::test]
async fn insert_with_an_outdated_assumed_basis_writes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let store = store_in(&folder).await;
    assert!(store.assumed_basis().is_none(), "nothing has been read");
    let read = store.basis().await.unwrap();
    let assumed = store.assumed_basis().unwrap();
    assert!(assumed.is_assumed() && assumed.same_version(read));

    let (hash, outcome) = insert(&store, assumed).await;
    assert_eq!(outcome, InsertOutcome::Inserted);
    let bearer = store.bearer(&hash, NOW).await.unwrap().unwrap();
    assert_eq!(bearer.token.authorization.audiences, ["7"]);

    store
        .add_subject(&subject("other"), &audit_event())
        .await
        .unwrap();
    let (hash, outcome) = insert(&store, assumed).await;
    assert_eq!(outcome, InsertOutcome::Outdated);
    assert!(store.access_token(&hash, NOW).await.unwrap().is_none());
    let (_, outcome) = insert(&store, read).await;
    assert_eq!(outcome, InsertOutcome::Inserted, "a basis that was read");
    store.close().await;
}

#[tokio::test]
async fn code_redeemed_by_many_at_once_issues_tokens_once() {
    let folder = tempfile::tempdir().unwrap();
    let store = store_in(&folder).await;
    let family = family("c");
    let code = AuthorizationCode {
        hash: hash(),
        redirect_uri: String::new(),
        code_challenge: None,
        nonce: None,
        expires_at: NOW.plus(Duration::from_secs(1)),
    };
    store.insert_authorization(&family, &code).await.unwrap();
    let redeemed = (0..50).map(|_| {
        let (store, hash, tokens) = (store.clone(), code.hash.clone(), tokens(&family));
        tokio::spawn(async move { store.redeem_code(&hash, tokens, NOW, audit_event()).await })
    });
    let redeemed: Vec<_> = redeemed.collect();
    let mut inserted = 0;
    for redeemed in redeemed {
        match redeemed.await.unwrap().unwrap() {
            InsertOutcome::Inserted => inserted += 1,
            InsertOutcome::AlreadyUsed => {}
            InsertOutcome::Outdated => panic!("no basis was assumed"),
        }
    }
    assert_eq!(inserted, 1);
    let found = store.authorization_code(&code.hash).await.unwrap();
    assert!(found.unwrap().used);
    store.close().await;
}

#[tokio::test]
async fn insert_that_fails_does_not_fail_the_others_of_its_batch() {
    let folder = tempfile::tempdir().unwrap();
    let store = store_in(&folder).await;
    let inserts = (0..20).map(|number| {
        let client = if number % 5 == 0 { "unknown" } else { "c" };
        let (store, family) = (store.clone(), family(client));
        tokio::spawn(async move {
            let tokens = tokens(&family);
            let hash = tokens.access.hash.clone();
            let inserted = store.insert_authorization_with_tokens(family, tokens, Vec::new());
            let inserted = inserted.await;
            (inserted, store.access_token(&hash, NOW).await.unwrap())
        })
    });
    let inserts: Vec<_> = inserts.collect();
    for (number, insert) in inserts.into_iter().enumerate() {
        let (inserted, token) = insert.await.unwrap();
        if number % 5 == 0 {
            let failed = matches!(inserted, Err(StorageError::Unexpected(_)));
            assert!(failed && token.is_none(), "{inserted:?}");
        } else {
            assert!(inserted.is_ok() && token.is_some(), "{inserted:?}");
        }
    }
    store.close().await;
}
