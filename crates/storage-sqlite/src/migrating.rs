//! Holds that a database of an earlier version is brought up to date with all that is in it.

use std::borrow::Cow;
use std::collections::BTreeSet;

use invoicing_contract::messages::documents::{
    Document, DocumentContent, DocumentReference, Invoice, Kind,
};
use prost::Message as _;
use sqlx::migrate::Migrator;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{Connection as _, SqliteConnection};
use uuid::Uuid;

use super::Sqlite;
use invoicing_storage::audit::{self, Entry};
use invoicing_storage::documents::DocumentStore as _;
use invoicing_storage::secret::TokenHash;
use invoicing_storage::tokens::{Reach, TokenStore as _};

/// Up to `last`.
async fn at_version(last: i64, path: &std::path::Path) -> SqliteConnection {
    let options = SqliteConnectOptions::new()
        .filename(path)
        .create_if_missing(true);
    let mut database = SqliteConnection::connect_with(&options).await.unwrap();
    let all = sqlx::migrate!();
    let earlier: Vec<_> = all
        .iter()
        .filter(|migration| migration.version <= last)
        .cloned()
        .collect();
    let migrator = Migrator {
        migrations: Cow::Owned(earlier),
        ..Migrator::DEFAULT
    };
    migrator.run(&mut database).await.unwrap();
    database
}

#[tokio::test]
async fn tokens_given_out_by_an_earlier_version_are_found_and_those_revoked_are_not() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("invoicing.db");
    let mut database = at_version(11, &path).await;
    sqlx::raw_sql(
        "INSERT INTO organizations (id, name, name_ar, domain) VALUES ('o', 'O', 'O', 'o.example');
         INSERT INTO subjects (id, username, name, home_organization) VALUES ('s', 's', 'S', 'o');
         INSERT INTO applications (client_id, name, kind, grant_types, redirect_uris, post_logout_uris, id_token_algorithm,
            revoke_family_on_reuse)
         VALUES ('c', 'C', 'api', '', '', '', 'EdDSA', FALSE);
         INSERT INTO families (id, client_id, subject, session_id, scope, authenticated_at, expires_at, revoked_at)
         VALUES ('living', 'c', 's', '', '', 0, 99, NULL), ('revoked', 'c', 's', '', '', 0, 99, 7)",
    )
    .execute(&mut database)
    .await
    .unwrap();
    for (token, family) in [
        ("of a family", Some("living")),
        ("of a machine", None),
        ("of one that was revoked", Some("revoked")),
    ] {
        sqlx::query(
            "INSERT INTO access_tokens (hash, family, client_id, subject, scope, audiences, carries_home, issued_at,
                expires_at)
             VALUES ($1, $2, 'c', 's', '', '7', TRUE, 1, 99)",
        )
        .bind(TokenHash::of(token).as_bytes())
        .bind(family)
        .execute(&mut database)
        .await
        .unwrap();
    }
    sqlx::query("INSERT INTO authorization_codes (hash, family, redirect_uri, expires_at) VALUES ($1, 'living', 'app:/', 99)")
        .bind(TokenHash::of("a code").as_bytes())
        .execute(&mut database)
        .await
        .unwrap();
    for (token, family) in [
        ("a refresh token", "living"),
        ("one that was revoked", "revoked"),
    ] {
        sqlx::query("INSERT INTO refresh_tokens (hash, family, expires_at) VALUES ($1, $2, 99)")
            .bind(TokenHash::of(token).as_bytes())
            .bind(family)
            .execute(&mut database)
            .await
            .unwrap();
    }
    database.close().await.unwrap();

    let store = Sqlite::open(&format!("sqlite:{}", path.display()))
        .await
        .unwrap();
    for (token, found) in [
        ("of a family", true),
        ("of a machine", true),
        ("of one that was revoked", false),
        ("of nobody", false),
    ] {
        let hash = TokenHash::of(token);
        let bearer = store.bearer(&hash, 50).await.unwrap();
        assert_eq!(bearer.is_some(), found, "{token}");
        let reach = Reach {
            client_id: "c".to_owned(),
            scope: String::new(),
            audiences: vec!["7".to_owned()],
            carries_home: true,
        };
        assert!(
            bearer.is_none_or(|bearer| *bearer.token.reach == reach),
            "{token}"
        );
    }
    let code = store.code(&TokenHash::of("a code")).await.unwrap();
    let code = code.expect("it is found");
    assert_eq!((code.family.subject.as_str(), code.spent), ("s", false));
    let refresh = |token: &'static str| {
        let store = store.clone();
        async move { store.refresh_token(&TokenHash::of(token)).await.unwrap() }
    };
    let living = refresh("a refresh token").await.expect("it is found");
    assert_eq!((living.used, living.revoked), (false, false));
    assert_eq!(living.family.id, code.family.id);
    let revoked = refresh("one that was revoked").await.expect("it is found");
    assert!(revoked.revoked);

    // What was revoked before and what is revoked now is treated alike.
    let entry = Entry::new(60, audit::Kind::TokenRevoked);
    store
        .revoke_family(living.family.id, 60, &entry)
        .await
        .unwrap();
    assert!(
        refresh("a refresh token")
            .await
            .is_some_and(|found| found.revoked)
    );
    let of_it = store.bearer(&TokenHash::of("of a family"), 60).await;
    assert!(of_it.unwrap().is_none());
    store.close().await;
}

#[tokio::test]
async fn credit_notes_numbered_by_an_earlier_version_count() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("invoicing.db");
    let mut database = at_version(12, &path).await;
    sqlx::raw_sql(
        "INSERT INTO organizations (id, name, name_ar, domain) VALUES ('o', 'O', 'O', 'o.example');
         INSERT INTO buyer_texts (id, organization_id, text) VALUES (1, 'o', '')",
    )
    .execute(&mut database)
    .await
    .unwrap();
    let key = |last: u8| Uuid::from_bytes([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, last]);
    let original = key(1);
    for (id, kind, number) in [
        (1_u8, Kind::Invoice, "INV-2026-0001"),
        (2, Kind::CreditNote, "CN-2026-0001"),
        (3, Kind::CreditNote, ""),
    ] {
        let reference = DocumentReference {
            document_key: original.to_string(),
            ..DocumentReference::default()
        };
        let invoice = Invoice {
            kind: kind as i32,
            preceding: vec![reference],
            ..Invoice::default()
        };
        let document = Document {
            content: Some(DocumentContent {
                invoice: Some(invoice),
            }),
            ..Document::default()
        };
        sqlx::query(
            "INSERT INTO documents (id, organization_id, key, stamp, status, kind, number, number_order, issue_date, due_date,
                currency, net, tax, gross, gross_order, buyer_order, buyer_text, updated_at)
             VALUES ($1, 'o', $2, '', 2, $3, $4, $4, '', '', 'SAR', 0, 0, $5, 0, '', 1, 0)",
        )
        .bind(id)
        .bind(key(id).as_bytes().as_slice())
        .bind(kind as i32)
        .bind(number)
        .bind(i64::from(id) * 100)
        .execute(&mut database)
        .await
        .unwrap();
        sqlx::query("INSERT INTO document_bodies (id, body) VALUES ($1, $2)")
            .bind(id)
            .bind(document.encode_to_vec())
            .execute(&mut database)
            .await
            .unwrap();
    }
    database.close().await.unwrap();

    let store = Sqlite::open(&format!("sqlite:{}", path.display()))
        .await
        .unwrap();
    let credited = store
        .credited("o", &BTreeSet::from([original]))
        .await
        .unwrap();
    let total = credited.originals[&original].map(|total| total.minor());
    assert_eq!(total, Some(100));
    let notes: Vec<_> = credited.notes.into_iter().collect();
    let [(note, (gross, names))] = notes.as_slice() else {
        panic!("the one that has a number, and not the draft: {notes:?}");
    };
    assert_eq!((*note, gross.minor()), (key(2), 200));
    assert_eq!(*names, BTreeSet::from([original]));
    store.close().await;
}
