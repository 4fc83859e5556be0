//! The writes that add and restore users, machine users and applications in the table.

use std::slice;

use async_trait::async_trait;
use invoicing_storage::Store;
use invoicing_storage::applications::Application;
use invoicing_storage::audit::AuditEventKind;
use invoicing_storage::provisioning::Machine;
use invoicing_storage::suite::fixtures::{
    LATER, RIYADH, application, id, machine, organization, subject, tenant,
};

use super::operations::{Operation, event, events, name};
use super::user_operations::{DisableUser, InviteUser, no_rights, stored_user};

/// The operations on users and applications that add or restore.
pub(crate) fn operations() -> Vec<Box<dyn Operation>> {
    vec![
        Box::new(GrantRole),
        Box::new(EnableUser),
        Box::new(EndSessions),
        Box::new(AddMachine),
        Box::new(AddApplication),
        Box::new(DisableApplication),
        Box::new(AddTenant),
        Box::new(SettingOr),
        Box::new(ReplaceSetting),
    ]
}

struct GrantRole;

#[async_trait]
impl Operation for GrantRole {
    fn name(&self) -> &'static str {
        "grant_role"
    }

    async fn prepare(&self, store: &dyn Store, cell: u64) {
        InviteUser.prepare(store, cell).await;
        InviteUser.run(store, cell).await;
    }

    async fn run(&self, store: &dyn Store, cell: u64) -> String {
        let event = event(AuditEventKind::RoleGranted, cell);
        let (riyadh, user) = (id(RIYADH), subject(&name(cell)));
        let granted = store
            .grant_role(&riyadh, &user, "clerk", Some(100_000), &no_rights(), &event)
            .await;
        format!("{granted:?}")
    }

    async fn stored(&self, store: &dyn Store, cell: u64) -> String {
        stored_user(store, cell).await
    }
}

struct EnableUser;

#[async_trait]
impl Operation for EnableUser {
    fn name(&self) -> &'static str {
        "enable_user"
    }

    async fn prepare(&self, store: &dyn Store, cell: u64) {
        DisableUser.prepare(store, cell).await;
        DisableUser.run(store, cell).await;
    }

    async fn run(&self, store: &dyn Store, cell: u64) -> String {
        let event = event(AuditEventKind::UserEnabled, cell);
        let user = subject(&name(cell));
        let enabled = store.enable_user(&id(RIYADH), &user, &event).await;
        format!("{enabled:?}")
    }

    async fn stored(&self, store: &dyn Store, cell: u64) -> String {
        stored_user(store, cell).await
    }
}

struct EndSessions;

#[async_trait]
impl Operation for EndSessions {
    fn name(&self) -> &'static str {
        "end_sessions"
    }

    async fn prepare(&self, store: &dyn Store, cell: u64) {
        InviteUser.run(store, cell).await;
    }

    async fn run(&self, store: &dyn Store, cell: u64) -> String {
        let event = event(AuditEventKind::SessionsEnded, cell);
        let ended = store.end_sessions(&subject(&name(cell)), &event).await;
        format!("{ended:?}")
    }

    async fn stored(&self, store: &dyn Store, cell: u64) -> String {
        stored_user(store, cell).await
    }
}

/// What is stored of the application of a cell.
async fn stored_application(store: &dyn Store, cell: u64) -> String {
    let found = store.registered_application(&name(cell).into()).await;
    let found = found.unwrap().map(|found| {
        let stamp = found.concurrency_stamp;
        (found.secret.is_some(), found.disabled_at, stamp)
    });
    format!("{found:?}, events {}", events(store, cell).await)
}

struct AddMachine;

#[async_trait]
impl Operation for AddMachine {
    fn name(&self) -> &'static str {
        "add_machine"
    }

    async fn prepare(&self, _store: &dyn Store, _cell: u64) {}

    async fn run(&self, store: &dyn Store, cell: u64) -> String {
        let machine = Machine {
            subject: machine(&name(cell)),
            role: "clerk".to_owned(),
            application: Application {
                subject: Some(subject(&name(cell))),
                ..application(&name(cell))
            },
        };
        let event = event(AuditEventKind::UserCreated, cell);
        let added = store.add_machine(&machine, slice::from_ref(&event)).await;
        format!("{added:?}")
    }

    async fn stored(&self, store: &dyn Store, cell: u64) -> String {
        let user = store.user(&id(RIYADH), &subject(&name(cell))).await;
        let roles = user.unwrap().map(|user| user.roles);
        format!("{roles:?}, {}", stored_application(store, cell).await)
    }
}

struct AddApplication;

#[async_trait]
impl Operation for AddApplication {
    fn name(&self) -> &'static str {
        "add_application"
    }

    async fn prepare(&self, _store: &dyn Store, _cell: u64) {}

    async fn run(&self, store: &dyn Store, cell: u64) -> String {
        let event = event(AuditEventKind::ApplicationRegistered, cell);
        let added = store
            .add_application(&application(&name(cell)), &event)
            .await;
        format!("{added:?}")
    }

    async fn stored(&self, store: &dyn Store, cell: u64) -> String {
        stored_application(store, cell).await
    }
}

struct DisableApplication;

#[async_trait]
impl Operation for DisableApplication {
    fn name(&self) -> &'static str {
        "set_application_disabled"
    }

    async fn prepare(&self, store: &dyn Store, cell: u64) {
        AddApplication.run(store, cell).await;
    }

    async fn run(&self, store: &dyn Store, cell: u64) -> String {
        let event = event(AuditEventKind::ApplicationDisabled, cell);
        let disabled = store
            .set_application_disabled(&name(cell).into(), Some(LATER), &"2".into(), &event)
            .await;
        format!("{disabled:?}")
    }

    async fn stored(&self, store: &dyn Store, cell: u64) -> String {
        stored_application(store, cell).await
    }
}

struct AddTenant;

#[async_trait]
impl Operation for AddTenant {
    fn name(&self) -> &'static str {
        "add_tenant"
    }

    async fn prepare(&self, store: &dyn Store, cell: u64) {
        let organization = organization(&name(cell));
        store.add_organization(&organization).await.unwrap();
    }

    async fn run(&self, store: &dyn Store, cell: u64) -> String {
        let tenant = tenant(organization(&name(cell)));
        format!("{:?}", store.add_tenant(&tenant).await)
    }

    async fn stored(&self, store: &dyn Store, cell: u64) -> String {
        let basis = store.basis().await.unwrap();
        let found = store.tenant(&id(&name(cell)), basis).await.unwrap();
        format!("{}", found.is_some())
    }
}

struct SettingOr;

#[async_trait]
impl Operation for SettingOr {
    fn name(&self) -> &'static str {
        "setting_or"
    }

    async fn prepare(&self, _store: &dyn Store, _cell: u64) {}

    async fn run(&self, store: &dyn Store, cell: u64) -> String {
        format!("{:?}", store.setting_or(&name(cell), "value").await)
    }

    async fn stored(&self, store: &dyn Store, cell: u64) -> String {
        format!("{:?}", store.setting(&name(cell)).await)
    }
}

struct ReplaceSetting;

#[async_trait]
impl Operation for ReplaceSetting {
    fn name(&self) -> &'static str {
        "replace_setting"
    }

    async fn prepare(&self, store: &dyn Store, cell: u64) {
        store.setting_or(&name(cell), "old").await.unwrap();
    }

    async fn run(&self, store: &dyn Store, cell: u64) -> String {
        let event = event(AuditEventKind::EncryptionRotated, cell);
        let name = name(cell);
        let replaced = store.replace_setting(&name, "old", "new", &event);
        format!("{:?}", replaced.await)
    }

    async fn stored(&self, store: &dyn Store, cell: u64) -> String {
        let value = store.setting(&name(cell)).await;
        format!("{value:?}, events {}", events(store, cell).await)
    }
}
