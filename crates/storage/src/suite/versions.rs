//! Cases of the version of the cached records: every change of a member, an application or a tenant increments it.

use std::sync::atomic::{AtomicI64, Ordering};

use super::fixtures::{
    JEDDAH, LATER, NOW, RIYADH, application, audit_event, id, organization, person, populate,
    revision, subject, tenant,
};
use super::plans::plan;
use super::provisioning::robot;
use super::right_holders::evaluation;
use super::tenants::without_profile;
use super::users::{invite, redeem};
use crate::Store;
use crate::applications::{Application, SecretRotation};
use crate::audit::AuditEventKind;
use crate::directory::{Organization, Tenant};
use crate::domains::DomainChange;
use crate::plans::{Limits, Plan, PlanAssignment};
use crate::provisioning::Provisioning;
use crate::secret::{PasswordHash, TokenHash};
use crate::tenants::TenantAction;
use crate::users::{PasswordCode, Removal};

/// Whether the version grew since the last call.
struct Version<'a> {
    store: &'a dyn Store,
    last: AtomicI64,
}

impl<'a> Version<'a> {
    async fn of(store: &'a dyn Store) -> Self {
        let last = AtomicI64::new(store.basis().await.unwrap().version());
        Self { store, last }
    }

    async fn grew(&self) -> bool {
        let now = self.store.basis().await.unwrap().version();
        now > self.last.swap(now, Ordering::SeqCst)
    }
}

pub async fn change_of_the_directory_increments_the_version(store: &dyn Store) {
    populate(store).await;
    let version = Version::of(store).await;
    let event = audit_event(AuditEventKind::TenantChanged);

    let organization = organization("tabuk");
    for added in [true, false] {
        store.add_organization(&organization).await.unwrap();
        assert_eq!(version.grew().await, added, "add_organization");
    }
    for added in [true, false] {
        let tenant = tenant(organization.clone());
        store.add_tenant(&tenant).await.unwrap();
        assert_eq!(version.grew().await, added, "add_tenant");
    }
    for (name, changed) in [("tabuk", true), ("nowhere", false)] {
        let limits = Limits {
            users: Some(1),
            ..Limits::default()
        };
        let before = tenant(organization.clone()).own_limits;
        let set = store.set_limits(&id(name), &before, &limits, &event).await;
        assert_eq!(set.unwrap(), changed);
        assert_eq!(version.grew().await, changed, "set_limits of {name}");
    }
    for (based_on, changed) in [(Tenant::INITIAL_STAMP, true), ("other", false)] {
        let tenant = tenant(organization.clone());
        let revision = revision(TenantAction::Updated);
        let updated = store.update_tenant(&tenant, based_on, &revision, &event);
        updated.await.unwrap();
        assert_eq!(version.grew().await, changed, "update_tenant");
    }
    for (at, changed) in [(Some(NOW), true), (Some(NOW), false), (None, true)] {
        let (id, revision) = (id("tabuk"), revision(TenantAction::Disabled));
        let set = store.set_tenant_disabled(&id, at, "stamp", &revision, &event);
        assert_eq!(set.await.unwrap(), changed);
        assert_eq!(version.grew().await, changed, "set_tenant_disabled");
    }
    let tabuk = id("tabuk");
    store
        .claim_domain(&tabuk, "new.example", "token", 9, &event)
        .await
        .unwrap();
    store
        .verify_domain(&tabuk, "new.example", &event)
        .await
        .unwrap();
    assert!(!version.grew().await, "domains are not cached");
    for changed in [true, false] {
        let revision = revision(TenantAction::Updated);
        let before = &organization.domain;
        let set =
            store.set_primary_domain(&tabuk, before, "new.example", "stamp", &revision, &event);
        assert_eq!(set.await.unwrap(), DomainChange::Done);
        assert_eq!(version.grew().await, changed, "set_primary_domain");
    }
    for created in [true, false] {
        let organization = super::fixtures::organization("hail");
        store
            .create_organization(&organization, &event)
            .await
            .unwrap();
        assert_eq!(version.grew().await, created, "create_organization");
    }
    for made in [true, false] {
        let (tenant, revision) = (without_profile("hail"), revision(TenantAction::Created));
        store.make_tenant(&tenant, &revision, &event).await.unwrap();
        assert_eq!(version.grew().await, made, "make_tenant");
    }
    for (name, outcome) in [
        ("najran", Provisioning::Done),
        ("tabuk", Provisioning::OrganizationTaken),
    ] {
        let tenant = tenant(Organization {
            id: id(name),
            domain: "najran.example".to_owned(),
            ..organization.clone()
        });
        let created = store
            .create_tenant(
                &tenant,
                &robot("first"),
                &revision(TenantAction::Created),
                std::slice::from_ref(&event),
            )
            .await;
        assert_eq!(created.unwrap(), outcome);
        let done = outcome == Provisioning::Done;
        assert_eq!(version.grew().await, done, "create_tenant of {name}");
    }
    for outcome in [Provisioning::Done, Provisioning::Complete] {
        let tenant = tenant(organization.clone());
        let completed = store
            .complete_profile(
                &tenant,
                &robot("second"),
                &revision(TenantAction::ProfileCompleted),
                std::slice::from_ref(&event),
            )
            .await;
        assert_eq!(completed.unwrap(), outcome);
        let done = outcome == Provisioning::Done;
        assert_eq!(version.grew().await, done, "complete_profile");
    }
}

pub async fn change_of_a_subject_increments_the_version(store: &dyn Store) {
    populate(store).await;
    let version = Version::of(store).await;
    let event = audit_event(AuditEventKind::UserCreated);
    let amal = subject("amal");

    for expected in [true, false] {
        let added = store.add_subject(&person("amal"), &event).await;
        assert_eq!(added.unwrap(), expected);
        assert_eq!(version.grew().await, expected, "add_subject");
    }
    for (name, expected) in [("amal", true), ("robot", false)] {
        let set = store
            .set_password(
                &subject(name),
                None,
                &PasswordHash::new("new"),
                false,
                &event,
            )
            .await;
        assert_eq!(set.unwrap().is_some(), expected);
        assert_eq!(version.grew().await, expected, "set_password of {name}");
    }
    for expected in [true, false] {
        let added = store.add_grant(&amal, &id(JEDDAH), "clerk", &event).await;
        assert_eq!(added.unwrap(), expected);
        assert_eq!(version.grew().await, expected, "add_grant");
    }
    for expected in [true, false] {
        let removed = store
            .remove_grant(&amal, &id(JEDDAH), "clerk", &event)
            .await;
        assert_eq!(removed.unwrap(), expected);
        assert_eq!(version.grew().await, expected, "remove_grant");
    }
    for expected in [true, false] {
        let disabled = store.disable_subject(&amal, NOW, &event).await;
        assert_eq!(disabled.unwrap(), expected);
        assert_eq!(version.grew().await, expected, "disable_subject");
    }
    for expected in [true, false] {
        let enabled = store.enable_subject(&amal, &event).await;
        assert_eq!(enabled.unwrap(), expected);
        assert_eq!(version.grew().await, expected, "enable_subject");
    }
}

pub async fn change_of_an_application_increments_the_version(store: &dyn Store) {
    populate(store).await;
    let version = Version::of(store).await;
    let event = audit_event(AuditEventKind::ApplicationChanged);

    let changed = Application {
        name: "another name".to_owned(),
        ..application("app")
    };
    for application in [application("new"), changed] {
        store.put_application(&application, &event).await.unwrap();
        assert!(version.grew().await, "put_application");
    }
    for (client_id, until, outcome) in [
        ("app", LATER, SecretRotation::Rotated),
        ("app", NOW, SecretRotation::Rotated),
        ("none", LATER, SecretRotation::NoSecret),
    ] {
        let secret = TokenHash::of(&format!("{until:?}"));
        let rotated = store
            .rotate_client_secret(&client_id.into(), &secret, NOW, until, &event)
            .await;
        assert_eq!(rotated.unwrap(), outcome);
        let grew = outcome == SecretRotation::Rotated;
        assert_eq!(version.grew().await, grew, "rotate_client_secret");
    }
}

pub async fn change_of_a_plan_increments_the_version(store: &dyn Store) {
    populate(store).await;
    store
        .add_tenant(&tenant(organization(RIYADH)))
        .await
        .unwrap();
    let event = audit_event(AuditEventKind::PlanChanged);
    let first = plan("basic");
    assert!(store.add_plan(&first, &event).await.unwrap());
    let version = Version::of(store).await;
    for grew in [true, false] {
        let assigned = store
            .assign_plan(&id(RIYADH), None, Some(&first.id), &event)
            .await;
        assert_eq!(assigned.unwrap(), PlanAssignment::Assigned);
        assert_eq!(version.grew().await, grew, "assign_plan");
    }
    let second = Plan {
        stamp: "another".into(),
        ..first.clone()
    };
    for expected in [true, false] {
        let replaced = store.replace_plan(&second, &first.stamp, &event).await;
        assert_eq!(replaced.unwrap(), expected);
        assert_eq!(version.grew().await, expected, "replace_plan");
    }
}

pub async fn change_by_an_organization_increments_the_version(store: &dyn Store) {
    populate(store).await;
    let version = Version::of(store).await;
    let event = audit_event(AuditEventKind::UserInvited);
    let amal = subject("amal");

    invite(store, "amal", &["clerk"]).await;
    assert!(version.grew().await, "invite_user");
    assert!(redeem(store, "amal", "amal").await);
    assert!(version.grew().await, "redeem_password_code");
    let code = PasswordCode {
        hash: TokenHash::of("another"),
        created_at: NOW,
        expires_at: LATER,
    };
    let issued = store
        .issue_password_code(&amal, None, &PasswordHash::new("unusable"), &code, &event)
        .await;
    assert!(issued.unwrap());
    assert!(version.grew().await, "issue_password_code");
    assert!(store.end_sessions(&amal, &event).await.unwrap());
    assert!(version.grew().await, "end_sessions");
    for outcome in [Removal::Done, Removal::Absent] {
        let revoked = store
            .revoke_role(&id(RIYADH), &amal, "clerk", &evaluation(0), &event)
            .await;
        assert_eq!(revoked.unwrap(), outcome);
        assert_eq!(
            version.grew().await,
            outcome == Removal::Done,
            "revoke_role"
        );
    }
    for outcome in [Removal::Done, Removal::Absent] {
        let disabled = store
            .disable_user(&id(RIYADH), &amal, NOW, &evaluation(0), &event)
            .await;
        assert_eq!(disabled.unwrap(), outcome);
        assert_eq!(
            version.grew().await,
            outcome == Removal::Done,
            "disable_user"
        );
    }
    let machine = store
        .add_machine(&robot("third"), std::slice::from_ref(&event))
        .await;
    machine.unwrap();
    assert!(version.grew().await, "add_machine");

    for added in [true, false] {
        let outcome = store.add_application(&application("new"), &event).await;
        assert_eq!(outcome.unwrap(), added);
        assert_eq!(version.grew().await, added, "add_application");
    }
    for (based_on, changed) in [("1", true), ("stale", false)] {
        let outcome = store
            .change_application(&application("new"), &based_on.into(), &event)
            .await;
        assert_eq!(outcome.unwrap(), changed);
        assert_eq!(version.grew().await, changed, "change_application");
    }
    for disabled in [true, false] {
        let (client_id, stamp) = ("new".into(), "2".into());
        let set = store
            .set_application_disabled(&client_id, Some(NOW), &stamp, &event)
            .await;
        assert_eq!(set.unwrap(), disabled);
        assert_eq!(version.grew().await, disabled, "set_application_disabled");
    }
}

pub async fn write_of_a_record_that_is_not_cached_keeps_the_version(store: &dyn Store) {
    populate(store).await;
    let version = Version::of(store).await;
    store.setting_or("name", "value").await.unwrap();
    let event = audit_event(AuditEventKind::OperatorNamed);
    store.name_operator(&id(RIYADH), &event).await.unwrap();
    store.record(&event).await.unwrap();
    assert!(!version.grew().await);
}
