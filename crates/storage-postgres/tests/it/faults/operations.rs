//! The writes of the table, except those of the directory. Each has records of its own in each cell, so that cells do not depend on each other.

use async_trait::async_trait;
use invoicing_storage::Store;
use invoicing_storage::audit::{AuditEvent, AuditEventKind, Query};
use invoicing_storage::documents::Action;
use invoicing_storage::suite::fixtures::{
    LATER, NOW, RIYADH, access_token, audit_event, code, draft, family, hash, id, key, tokens,
    unlimited,
};
use invoicing_storage::suite::numbers::{invoices, numbering};
use invoicing_storage::tokens::TokenAuthorization;

/// A write in a cell. The texts that it returns contain nothing that differs between cells.
#[async_trait]
pub(crate) trait Operation: Send + Sync {
    fn name(&self) -> &'static str;
    /// Stores what the write needs.
    async fn prepare(&self, store: &dyn Store, cell: u64);
    /// Writes. The outcome.
    async fn run(&self, store: &dyn Store, cell: u64) -> String;
    /// What is stored afterwards.
    async fn stored(&self, store: &dyn Store, cell: u64) -> String;
}

/// The operations on tokens, documents and the audit.
pub(crate) fn operations() -> Vec<Box<dyn Operation>> {
    vec![
        Box::new(RedeemCode),
        Box::new(RotateRefreshToken),
        Box::new(InsertAccessToken),
        Box::new(RevokeFamily),
        Box::new(AddDocument),
        Box::new(ReplaceDocument),
        Box::new(NumberDocument),
        Box::new(DeleteDocument),
        Box::new(Record),
    ]
}

pub(crate) fn name(cell: u64) -> String {
    format!("cell{cell}")
}

pub(crate) fn number(cell: u64) -> i64 {
    i64::try_from(cell).unwrap()
}

/// An event of a cell: its actor tells which.
pub(crate) fn event(kind: AuditEventKind, cell: u64) -> AuditEvent {
    AuditEvent {
        actor: Some(name(cell)),
        ..audit_event(kind)
    }
}

/// How many events a cell has.
pub(crate) async fn events(store: &dyn Store, cell: u64) -> usize {
    let query = Query {
        actor: Some(name(cell)),
        size: 100,
        ..Query::default()
    };
    store.audit(&query).await.unwrap().len()
}

pub(crate) async fn token_is_valid(store: &dyn Store, name: &str) -> bool {
    let found = store.access_token(&hash(name), NOW).await;
    found.unwrap().is_some()
}

pub(crate) struct RedeemCode;

#[async_trait]
impl Operation for RedeemCode {
    fn name(&self) -> &'static str {
        "redeem_code"
    }

    async fn prepare(&self, store: &dyn Store, cell: u64) {
        let (family, code) = (family(number(cell)), code(&name(cell)));
        store.insert_authorization(&family, &code).await.unwrap();
    }

    async fn run(&self, store: &dyn Store, cell: u64) -> String {
        let tokens = tokens(&name(cell), family(number(cell)).id);
        let event = event(AuditEventKind::TokenIssued, cell);
        let redeemed = store
            .redeem_code(&hash(&name(cell)), tokens, NOW, event)
            .await;
        format!("{redeemed:?}")
    }

    async fn stored(&self, store: &dyn Store, cell: u64) -> String {
        let access = token_is_valid(store, &format!("{} access", name(cell))).await;
        let refresh = store
            .refresh_token(&hash(&format!("{} refresh", name(cell))))
            .await;
        let refresh = refresh.unwrap().map(|found| found.used);
        let events = events(store, cell).await;
        format!("access {access}, refresh used {refresh:?}, events {events}")
    }
}

pub(crate) struct RotateRefreshToken;

#[async_trait]
impl Operation for RotateRefreshToken {
    fn name(&self) -> &'static str {
        "rotate_refresh_token"
    }

    async fn prepare(&self, store: &dyn Store, cell: u64) {
        RedeemCode.prepare(store, cell).await;
        RedeemCode.run(store, cell).await;
    }

    async fn run(&self, store: &dyn Store, cell: u64) -> String {
        let presented = hash(&format!("{} refresh", name(cell)));
        let tokens = tokens(&format!("{} next", name(cell)), family(number(cell)).id);
        let event = event(AuditEventKind::TokenIssued, cell);
        let rotated = store
            .rotate_refresh_token(&presented, tokens, NOW, event)
            .await;
        format!("{rotated:?}")
    }

    async fn stored(&self, store: &dyn Store, cell: u64) -> String {
        let mut text = RedeemCode.stored(store, cell).await;
        let next = format!("{} next", name(cell));
        let access = token_is_valid(store, &format!("{next} access")).await;
        let refresh = store.refresh_token(&hash(&format!("{next} refresh"))).await;
        let refresh = refresh.unwrap().map(|found| found.used);
        text.push_str(&format!(
            ", next access {access}, next refresh used {refresh:?}"
        ));
        text
    }
}

struct InsertAccessToken;

#[async_trait]
impl Operation for InsertAccessToken {
    fn name(&self) -> &'static str {
        "insert_access_token"
    }

    async fn prepare(&self, _store: &dyn Store, _cell: u64) {}

    async fn run(&self, store: &dyn Store, cell: u64) -> String {
        let basis = store.basis().await;
        let Ok(basis) = basis else {
            return format!("{basis:?}");
        };
        let mut token = access_token(&name(cell), None);
        // An authorization of its own, so that the write inserts one.
        token.authorization = std::sync::Arc::new(TokenAuthorization {
            scope: name(cell),
            ..(*token.authorization).clone()
        });
        let event = event(AuditEventKind::TokenIssued, cell);
        let inserted = store.insert_access_token(token, event, basis).await;
        format!("{inserted:?}")
    }

    async fn stored(&self, store: &dyn Store, cell: u64) -> String {
        let valid = token_is_valid(store, &name(cell)).await;
        format!("valid {valid}, events {}", events(store, cell).await)
    }
}

struct RevokeFamily;

#[async_trait]
impl Operation for RevokeFamily {
    fn name(&self) -> &'static str {
        "revoke_family"
    }

    async fn prepare(&self, store: &dyn Store, cell: u64) {
        RedeemCode.prepare(store, cell).await;
        RedeemCode.run(store, cell).await;
    }

    async fn run(&self, store: &dyn Store, cell: u64) -> String {
        let event = event(AuditEventKind::TokenRevoked, cell);
        let revoked = store
            .revoke_family(family(number(cell)).id, LATER, &event)
            .await;
        format!("{revoked:?}")
    }

    async fn stored(&self, store: &dyn Store, cell: u64) -> String {
        RedeemCode.stored(store, cell).await
    }
}

struct AddDocument;

#[async_trait]
impl Operation for AddDocument {
    fn name(&self) -> &'static str {
        "add_document"
    }

    async fn prepare(&self, _store: &dyn Store, _cell: u64) {}

    async fn run(&self, store: &dyn Store, cell: u64) -> String {
        let added = store
            .add_document(&draft(cell.into(), 115), &unlimited())
            .await;
        format!("{added:?}")
    }

    async fn stored(&self, store: &dyn Store, cell: u64) -> String {
        let organization = id(RIYADH);
        let found = store.document(&organization, key(cell.into())).await;
        let found = found
            .unwrap()
            .map(|document| (document.status, document.concurrency_stamp));
        let history = store.document_history(&organization, key(cell.into()), None, 10);
        format!("{found:?}, history {}", history.await.unwrap().len())
    }
}

struct ReplaceDocument;

#[async_trait]
impl Operation for ReplaceDocument {
    fn name(&self) -> &'static str {
        "replace_document"
    }

    async fn prepare(&self, store: &dyn Store, cell: u64) {
        AddDocument.run(store, cell).await;
    }

    async fn run(&self, store: &dyn Store, cell: u64) -> String {
        let mut row = draft(cell.into(), 230);
        "second".clone_into(&mut row.document.concurrency_stamp);
        let replaced = store
            .replace_document(&row, &"new".into(), Action::Updated)
            .await;
        format!("{replaced:?}")
    }

    async fn stored(&self, store: &dyn Store, cell: u64) -> String {
        AddDocument.stored(store, cell).await
    }
}

struct NumberDocument;

#[async_trait]
impl Operation for NumberDocument {
    fn name(&self) -> &'static str {
        "number_document"
    }

    async fn prepare(&self, store: &dyn Store, cell: u64) {
        AddDocument.run(store, cell).await;
    }

    async fn run(&self, store: &dyn Store, cell: u64) -> String {
        let before = last_number(store).await;
        let numbered = store
            .number_document(
                &id(RIYADH),
                key(cell.into()),
                &"new".into(),
                &invoices(),
                numbering(cell.into()),
            )
            .await;
        let outcome = match numbered {
            Ok(invoicing_storage::documents::NumberOutcome::Stored(_)) => "stored".to_owned(),
            other => format!("{other:?}"),
        };
        format!(
            "{outcome}, numbers taken: {}",
            last_number(store).await - before
        )
    }

    async fn stored(&self, store: &dyn Store, cell: u64) -> String {
        AddDocument.stored(store, cell).await
    }
}

async fn last_number(store: &dyn Store) -> i64 {
    let all = store.last_numbers(&id(RIYADH)).await.unwrap_or_default();
    let found = all.into_iter().find(|(series, _)| *series == invoices());
    found.map_or(0, |(_, last)| last)
}

struct DeleteDocument;

#[async_trait]
impl Operation for DeleteDocument {
    fn name(&self) -> &'static str {
        "delete_document"
    }

    async fn prepare(&self, store: &dyn Store, cell: u64) {
        AddDocument.run(store, cell).await;
    }

    async fn run(&self, store: &dyn Store, cell: u64) -> String {
        let mut row = draft(cell.into(), 115);
        "deleted".clone_into(&mut row.document.concurrency_stamp);
        let deleted = store.delete_document(&row, &"new".into()).await;
        format!("{deleted:?}")
    }

    async fn stored(&self, store: &dyn Store, cell: u64) -> String {
        AddDocument.stored(store, cell).await
    }
}

struct Record;

#[async_trait]
impl Operation for Record {
    fn name(&self) -> &'static str {
        "record"
    }

    async fn prepare(&self, _store: &dyn Store, _cell: u64) {}

    async fn run(&self, store: &dyn Store, cell: u64) -> String {
        let event = event(AuditEventKind::SignInFailed, cell);
        format!("{:?}", store.record(&event).await)
    }

    async fn stored(&self, store: &dyn Store, cell: u64) -> String {
        format!("events {}", events(store, cell).await)
    }
}
