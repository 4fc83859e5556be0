//! The writes of subjects and their roles in the table.

use async_trait::async_trait;
use invoicing_storage::Store;
use invoicing_storage::audit::AuditEventKind;
use invoicing_storage::secret::PasswordHash;
use invoicing_storage::suite::fixtures::{NOW, RIYADH, id, person, subject};

use super::operations::{Operation, event, events, name};

/// The operations on subjects.
pub(crate) fn operations() -> Vec<Box<dyn Operation>> {
    vec![
        Box::new(AddSubject),
        Box::new(DisableSubject),
        Box::new(EnableSubject),
        Box::new(SetPassword),
        Box::new(AddGrant),
        Box::new(RemoveGrant),
    ]
}

struct AddSubject;

#[async_trait]
impl Operation for AddSubject {
    fn name(&self) -> &'static str {
        "add_subject"
    }

    async fn prepare(&self, _store: &dyn Store, _cell: u64) {}

    async fn run(&self, store: &dyn Store, cell: u64) -> String {
        let event = event(AuditEventKind::UserCreated, cell);
        format!(
            "{:?}",
            store.add_subject(&person(&name(cell)), &event).await
        )
    }

    async fn stored(&self, store: &dyn Store, cell: u64) -> String {
        let found = store.account(&name(cell)).await.unwrap().is_some();
        format!("found {found}, events {}", events(store, cell).await)
    }
}

struct DisableSubject;

#[async_trait]
impl Operation for DisableSubject {
    fn name(&self) -> &'static str {
        "disable_subject"
    }

    async fn prepare(&self, store: &dyn Store, cell: u64) {
        AddSubject.run(store, cell).await;
    }

    async fn run(&self, store: &dyn Store, cell: u64) -> String {
        let event = event(AuditEventKind::UserDisabled, cell);
        let disabled = store
            .disable_subject(&subject(&name(cell)), NOW, &event)
            .await;
        format!("{disabled:?}")
    }

    async fn stored(&self, store: &dyn Store, cell: u64) -> String {
        let account = store.account(&name(cell)).await.unwrap().unwrap();
        let state = (account.disabled_at, account.subject.epoch);
        format!("{state:?}, events {}", events(store, cell).await)
    }
}

struct EnableSubject;

#[async_trait]
impl Operation for EnableSubject {
    fn name(&self) -> &'static str {
        "enable_subject"
    }

    async fn prepare(&self, store: &dyn Store, cell: u64) {
        AddSubject.run(store, cell).await;
        DisableSubject.run(store, cell).await;
    }

    async fn run(&self, store: &dyn Store, cell: u64) -> String {
        let event = event(AuditEventKind::UserEnabled, cell);
        let enabled = store.enable_subject(&subject(&name(cell)), &event).await;
        format!("{enabled:?}")
    }

    async fn stored(&self, store: &dyn Store, cell: u64) -> String {
        let account = store.account(&name(cell)).await.unwrap().unwrap();
        let state = (account.disabled_at, account.subject.epoch);
        format!("{state:?}, events {}", events(store, cell).await)
    }
}

struct SetPassword;

#[async_trait]
impl Operation for SetPassword {
    fn name(&self) -> &'static str {
        "set_password"
    }

    async fn prepare(&self, store: &dyn Store, cell: u64) {
        AddSubject.run(store, cell).await;
    }

    async fn run(&self, store: &dyn Store, cell: u64) -> String {
        let event = event(AuditEventKind::PasswordChanged, cell);
        let changed = store
            .set_password(
                &subject(&name(cell)),
                // A repetition finds its own change, which has begun another epoch.
                Some(0),
                &PasswordHash::new("another"),
                false,
                &event,
            )
            .await;
        format!("{changed:?}")
    }

    async fn stored(&self, store: &dyn Store, cell: u64) -> String {
        let account = store.account(&name(cell)).await.unwrap().unwrap();
        let hash = account.subject.password_hash.as_ref();
        let password = hash.map(PasswordHash::as_str);
        format!("{password:?}, events {}", events(store, cell).await)
    }
}

struct AddGrant;

#[async_trait]
impl Operation for AddGrant {
    fn name(&self) -> &'static str {
        "add_grant"
    }

    async fn prepare(&self, store: &dyn Store, cell: u64) {
        AddSubject.run(store, cell).await;
    }

    async fn run(&self, store: &dyn Store, cell: u64) -> String {
        let event = event(AuditEventKind::RoleGranted, cell);
        let added = store
            .add_grant(&subject(&name(cell)), &id(RIYADH), "clerk", &event)
            .await;
        format!("{added:?}")
    }

    async fn stored(&self, store: &dyn Store, cell: u64) -> String {
        let grants = store.grants(&subject(&name(cell))).await.unwrap();
        format!("{grants:?}, events {}", events(store, cell).await)
    }
}

struct RemoveGrant;

#[async_trait]
impl Operation for RemoveGrant {
    fn name(&self) -> &'static str {
        "remove_grant"
    }

    async fn prepare(&self, store: &dyn Store, cell: u64) {
        AddSubject.run(store, cell).await;
        AddGrant.run(store, cell).await;
    }

    async fn run(&self, store: &dyn Store, cell: u64) -> String {
        let event = event(AuditEventKind::RoleRevoked, cell);
        let removed = store
            .remove_grant(&subject(&name(cell)), &id(RIYADH), "clerk", &event)
            .await;
        format!("{removed:?}")
    }

    async fn stored(&self, store: &dyn Store, cell: u64) -> String {
        AddGrant.stored(store, cell).await
    }
}
