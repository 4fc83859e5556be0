//! The writes by administrators of an organization in the table.

use std::slice;
use std::sync::Arc;

use async_trait::async_trait;
use invoicing_storage::Store;
use invoicing_storage::applications::Application;
use invoicing_storage::audit::AuditEventKind;
use invoicing_storage::secret::{PasswordHash, TokenHash};
use invoicing_storage::suite::fixtures::{LATER, NOW, RIYADH, application, id, person, subject};
use invoicing_storage::users::{PasswordCode, RuleEvaluation};

use super::operations::{Operation, event, events, name};

/// The operations on users and applications of an organization.
pub(crate) fn operations() -> Vec<Box<dyn Operation>> {
    vec![
        Box::new(InviteUser),
        Box::new(IssuePasswordCode),
        Box::new(RedeemPasswordCode),
        Box::new(RevokeRole),
        Box::new(DisableUser),
        Box::new(ChangeApplication),
    ]
}

fn code(text: &str) -> PasswordCode {
    PasswordCode {
        hash: TokenHash::of(text),
        created_at: NOW,
        expires_at: LATER,
    }
}

/// The table has no operator organization.
pub(crate) fn no_rights() -> RuleEvaluation {
    RuleEvaluation {
        version: 0,
        administers: Arc::new(|_roles| false),
        manages_rules: Arc::new(|_roles| false),
    }
}

/// What is stored of the user of a cell.
pub(crate) async fn stored_user(store: &dyn Store, cell: u64) -> String {
    let found = store.user(&id(RIYADH), &subject(&name(cell))).await;
    let user = found.unwrap().map(|user| {
        let subject = user.account.subject;
        let hash = subject.password_hash.as_ref();
        let hash = hash.map(|hash| hash.as_str().to_owned());
        let account = (hash, subject.epoch);
        (account, user.account.disabled_at, user.roles, user.code)
    });
    format!("{user:?}, events {}", events(store, cell).await)
}

pub(crate) struct InviteUser;

#[async_trait]
impl Operation for InviteUser {
    fn name(&self) -> &'static str {
        "invite_user"
    }

    async fn prepare(&self, _store: &dyn Store, _cell: u64) {}

    async fn run(&self, store: &dyn Store, cell: u64) -> String {
        let event = event(AuditEventKind::UserInvited, cell);
        let roles = ["administrator".to_owned()];
        let person = person(&name(cell));
        let invited = store
            .invite_user(
                &person,
                &roles,
                &code("first"),
                Some(1_000),
                slice::from_ref(&event),
            )
            .await;
        format!("{invited:?}")
    }

    async fn stored(&self, store: &dyn Store, cell: u64) -> String {
        stored_user(store, cell).await
    }
}

struct IssuePasswordCode;

#[async_trait]
impl Operation for IssuePasswordCode {
    fn name(&self) -> &'static str {
        "issue_password_code"
    }

    async fn prepare(&self, store: &dyn Store, cell: u64) {
        InviteUser.run(store, cell).await;
    }

    async fn run(&self, store: &dyn Store, cell: u64) -> String {
        let event = event(AuditEventKind::PasswordReset, cell);
        let issued = store
            .issue_password_code(
                &subject(&name(cell)),
                Some(0),
                &PasswordHash::new("unusable"),
                &code("second"),
                &event,
            )
            .await;
        format!("{issued:?}")
    }

    async fn stored(&self, store: &dyn Store, cell: u64) -> String {
        stored_user(store, cell).await
    }
}

struct RedeemPasswordCode;

#[async_trait]
impl Operation for RedeemPasswordCode {
    fn name(&self) -> &'static str {
        "redeem_password_code"
    }

    async fn prepare(&self, store: &dyn Store, cell: u64) {
        InviteUser.run(store, cell).await;
    }

    async fn run(&self, store: &dyn Store, cell: u64) -> String {
        let event = event(AuditEventKind::PasswordChanged, cell);
        let (id, code) = (subject(&name(cell)), TokenHash::of("first"));
        let redeemed = store
            .redeem_password_code(&id, &code, &PasswordHash::new("chosen"), NOW, &event)
            .await;
        format!("{redeemed:?}")
    }

    async fn stored(&self, store: &dyn Store, cell: u64) -> String {
        stored_user(store, cell).await
    }
}

struct RevokeRole;

#[async_trait]
impl Operation for RevokeRole {
    fn name(&self) -> &'static str {
        "revoke_role"
    }

    async fn prepare(&self, store: &dyn Store, cell: u64) {
        // Two administrators, so that each can be removed.
        RedeemPasswordCode.prepare(store, cell).await;
        let event = event(AuditEventKind::RoleGranted, cell);
        let noura = subject("noura");
        let riyadh = id(RIYADH);
        let granted = store.add_grant(&noura, &riyadh, "administrator", &event);
        granted.await.unwrap();
    }

    async fn run(&self, store: &dyn Store, cell: u64) -> String {
        let event = event(AuditEventKind::RoleRevoked, cell);
        let revoked = store
            .revoke_role(
                &id(RIYADH),
                &subject(&name(cell)),
                "administrator",
                &no_rights(),
                &event,
            )
            .await;
        format!("{revoked:?}")
    }

    async fn stored(&self, store: &dyn Store, cell: u64) -> String {
        let stored = stored_user(store, cell).await;
        // Of the grant to the other, which only the first cell makes.
        stored
            .split(", events")
            .next()
            .unwrap_or_default()
            .to_owned()
    }
}

pub(crate) struct DisableUser;

#[async_trait]
impl Operation for DisableUser {
    fn name(&self) -> &'static str {
        "disable_user"
    }

    async fn prepare(&self, store: &dyn Store, cell: u64) {
        InviteUser.run(store, cell).await;
    }

    async fn run(&self, store: &dyn Store, cell: u64) -> String {
        let event = event(AuditEventKind::UserDisabled, cell);
        let disabled = store
            .disable_user(
                &id(RIYADH),
                &subject(&name(cell)),
                NOW,
                &no_rights(),
                &event,
            )
            .await;
        format!("{disabled:?}")
    }

    async fn stored(&self, store: &dyn Store, cell: u64) -> String {
        stored_user(store, cell).await
    }
}

struct ChangeApplication;

#[async_trait]
impl Operation for ChangeApplication {
    fn name(&self) -> &'static str {
        "change_application"
    }

    async fn prepare(&self, store: &dyn Store, cell: u64) {
        let event = event(AuditEventKind::ApplicationRegistered, cell);
        let added = application(&name(cell));
        let added = store.add_application(&added, &event).await;
        assert!(added.unwrap());
    }

    async fn run(&self, store: &dyn Store, cell: u64) -> String {
        let event = event(AuditEventKind::ApplicationChanged, cell);
        let changed = Application {
            name: "changed".to_owned(),
            concurrency_stamp: "2".into(),
            ..application(&name(cell))
        };
        let changed = store
            .change_application(&changed, &"1".into(), &event)
            .await;
        format!("{changed:?}")
    }

    async fn stored(&self, store: &dyn Store, cell: u64) -> String {
        let found = store.registered_application(&name(cell).into()).await;
        let name = found.unwrap().map(|found| found.name);
        format!("{name:?}, events {}", events(store, cell).await)
    }
}
