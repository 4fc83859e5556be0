//! Writes of the administration whose answer was lost. None is refused because of what it has done itself, and none is said to have
//! failed while nobody knows it.

use end_to_end::fault_proxy::ConnectionFault;
use invoicing_client::views::{
    AuthorityMode, AuthoritySettings, AuthorityView, CommandError, CredentialsChange,
    EnteredSecret, InvoiceKind, PlanFields, PlanLimits, TenantFields, UserChange,
};

use super::{ADMINISTRATOR, ANDALUS, CLERK_ID, OPERATOR, OPERATORS};
use crate::fixtures::{Defect, Fault, HOME, Lasting, Service, TestApp};

/// The service does the write and its answer says that something went wrong, so that the write is sent again.
fn internal() -> Fault {
    Fault::Deliver(Defect::Replace {
        status: 500,
        content_type: "application/json",
        body: r#"{"code":13,"message":"","details":[]}"#.to_owned(),
    })
}

#[tokio::test]
async fn plan_whose_answers_are_lost_is_created_changed_and_deleted_once() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, OPERATOR, OPERATORS).await;
    let (desktop, window) = (&app.desktop, &app.window);
    for lost in [Fault::DropResponse, internal()] {
        let fields = PlanFields {
            name: "Small".to_owned(),
            ..PlanFields::default()
        };
        service
            .gateway
            .fault("POST /api/v2/admin/plans", lost.clone());
        let creating = desktop.create_plan(window, binding.clone(), fields);
        let created = app.run_through_retries(creating).await.0;
        let created = created.expect("an attempt has created it");

        let more = PlanFields {
            limits: PlanLimits {
                users: Some(7),
                ..PlanLimits::default()
            },
            ..created.fields.clone()
        };
        service.gateway.fault("PATCH /api/v2/admin/plans/*", lost);
        let changing = desktop.update_plan(window, binding.clone(), created.clone(), more.clone());
        let changed = app.run_through_retries(changing).await.0;
        let changed = changed.expect("an attempt has changed it");
        assert_eq!(changed.fields, more);
        assert_ne!(changed.stamp, created.stamp);
        let listed = desktop.list_plans(window, binding.clone()).await;
        assert_eq!(listed, Ok(vec![changed.clone()]));

        service
            .gateway
            .fault("DELETE /api/v2/admin/plans/*", internal());
        let deleting = desktop.delete_plan(window, binding.clone(), changed.id, changed.stamp);
        let deleted = app.run_through_retries(deleting).await.0;
        assert_eq!(deleted, Ok(()));
    }
}

#[tokio::test]
async fn change_of_somebody_else_is_not_taken_for_that_of_a_lost_attempt() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, OPERATOR, OPERATORS).await;
    let (desktop, window) = (&app.desktop, &app.window);
    let named = |name: &str| PlanFields {
        name: name.to_owned(),
        ..PlanFields::default()
    };
    let created = desktop.create_plan(window, binding.clone(), named("Small"));
    let read = created.await.expect("created");
    let changed = desktop.update_plan(window, binding.clone(), read.clone(), named("Tiny"));
    changed.await.expect("changed");
    let fault = Fault::status(500, 13, "");
    service.gateway.fault("PATCH /api/v2/admin/plans/*", fault);
    let changing = desktop.update_plan(window, binding, read, named("Large"));
    let refused = app.run_through_retries(changing).await.0;
    assert!(
        matches!(refused, Err(CommandError::Aborted { .. })),
        "{refused:?}"
    );
}

#[tokio::test]
async fn tenant_whose_answer_is_lost_is_changed_once() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, OPERATOR, OPERATORS).await;
    let (desktop, window) = (&app.desktop, &app.window);
    let text = ANDALUS.to_owned();
    let page = desktop.list_tenants(window, binding.clone(), text, None, String::new());
    let mut tenant = page.await.expect("a page").tenants.remove(0);
    for (lost, name) in [(Fault::DropResponse, "By night"), (internal(), "By day")] {
        let fields = TenantFields {
            name: name.to_owned(),
            ..tenant.fields.clone()
        };
        let path = "PATCH /api/v2/admin/identity/tenants/*";
        service.gateway.fault(path, lost);
        let changing =
            desktop.update_tenant(window, binding.clone(), tenant.clone(), fields.clone());
        let changed = app.run_through_retries(changing).await.0;
        let changed = changed.expect("an attempt has changed it");
        assert_eq!(changed.fields, fields);
        assert_ne!(changed.stamp, tenant.stamp);
        tenant = changed;
    }
}

#[tokio::test]
async fn authority_whose_answer_is_lost_is_saved_once_and_a_refused_secret_is_not_taken_for_ours() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, OPERATOR, OPERATORS).await;
    let secret = || CredentialsChange::Replace {
        username: String::new(),
        secret: EnteredSecret::from("token-7f3a"),
    };
    let save = async |path: &str, lost, stamp, settings: &AuthoritySettings, credentials| {
        service.gateway.fault(path, lost);
        let saving = app.desktop.save_authority(
            &app.window,
            binding.clone(),
            ANDALUS.into(),
            stamp,
            settings.clone(),
            credentials,
        );
        app.run_through_retries(saving).await.0
    };
    let stamp_of = |saved: Result<AuthorityView, CommandError>, settings: &AuthoritySettings| {
        let saved = saved.expect("an attempt has saved it");
        assert_eq!(saved.settings, *settings);
        assert!(saved.has_credentials);
        saved.stamp
    };
    let settings = AuthoritySettings {
        adapter: "http".to_owned(),
        endpoint: "http://127.0.0.1:9/".to_owned(),
        mode: AuthorityMode::Clearance,
        kinds: vec![InvoiceKind::Invoice, InvoiceKind::CreditNote],
        enabled: false,
    };
    let create = "POST /api/v2/admin/authorities";
    let saved = save(create, Fault::DropResponse, None, &settings, secret()).await;
    let stamp = Some(stamp_of(saved, &settings));
    let update = "PATCH /api/v2/admin/authorities/*";
    let reporting = AuthoritySettings {
        mode: AuthorityMode::Reporting,
        ..settings
    };
    let saved = save(update, Fault::DropResponse, stamp, &reporting, secret()).await;
    let stamp = Some(stamp_of(saved, &reporting));
    let enabled = AuthoritySettings {
        enabled: true,
        ..reporting
    };
    let keep = CredentialsChange::Keep;
    let saved = save(update, internal(), stamp, &enabled, keep).await;
    let stamp = Some(stamp_of(saved, &enabled));
    // An attempt has saved it, but nobody can read whose secret is there.
    let clearance = AuthoritySettings {
        mode: AuthorityMode::Clearance,
        ..enabled
    };
    let refused = save(update, internal(), stamp, &clearance, secret()).await;
    assert!(
        matches!(refused, Err(CommandError::Aborted { .. })),
        "{refused:?}"
    );
}

#[tokio::test]
async fn rules_whose_answer_is_lost_are_published_once() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, OPERATOR, OPERATORS).await;
    let (desktop, window) = (&app.desktop, &app.window);
    let current = desktop.get_rules(window, binding.clone(), None).await;
    let current = current.expect("rules");
    let (matrix, stamp) = (current.matrix, current.version.stamp);
    service.gateway.fault("/rules:publish", Fault::DropResponse);
    let publishing =
        desktop.publish_rules(window, binding.clone(), matrix, stamp, "again".to_owned());
    let published = app.run_through_retries(publishing).await.0;
    let published = published.expect("an attempt has published them").version;
    assert_eq!((published.number, published.comment.as_str()), (1, "again"));

    service.gateway.fault("/rules:rollBack", internal());
    let restoring = desktop.roll_back_rules(window, binding, 0, published.stamp, "back".to_owned());
    let restored = app.run_through_retries(restoring).await.0;
    let restored = restored.expect("an attempt has published them").version;
    assert_eq!((restored.number, restored.restores), (2, Some(0)));
}

#[tokio::test]
async fn role_that_a_lost_attempt_has_changed_is_not_refused_as_changed_already() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, ADMINISTRATOR, HOME).await;
    let role = "viewer".to_owned();
    for (path, change) in [
        (
            "/users:grantRole",
            UserChange::GrantRole { role: role.clone() },
        ),
        (":revokeRole", UserChange::RevokeRole { role }),
    ] {
        service.gateway.fault(path, internal());
        let changing =
            app.desktop
                .change_user(&app.window, binding.clone(), CLERK_ID.to_owned(), change);
        let changed = app.run_through_retries(changing).await.0;
        assert_eq!(changed, Ok(()), "{path}");
    }
}

#[tokio::test]
async fn write_without_an_answer_is_of_unknown_outcome_and_not_one_without_a_connection() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, ADMINISTRATOR, HOME).await;
    let role = "viewer".to_owned();
    service
        .gateway
        .fault("/users:grantRole", Fault::DropResponse);
    let granted = app.desktop.change_user(
        &app.window,
        binding.clone(),
        CLERK_ID.to_owned(),
        UserChange::GrantRole { role },
    );
    let granted = granted.await;
    assert!(
        matches!(granted, Err(CommandError::UnknownOutcome { key: None, .. })),
        "{granted:?}"
    );
    service
        .gateway
        .fault("/admin/impersonate", Fault::DropResponse);
    let impersonated = app
        .desktop
        .impersonate(&app.window, binding, None, CLERK_ID.to_owned());
    let impersonated = impersonated.await;
    assert!(
        matches!(
            impersonated,
            Err(CommandError::UnknownOutcome { key: None, .. })
        ),
        "{impersonated:?}"
    );
}

#[tokio::test]
async fn write_whose_repetition_has_no_connection_is_of_unknown_outcome() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, ADMINISTRATOR, HOME).await;
    let grant = "/users:grantRole";
    service.gateway.fault(grant, internal());
    let (refused, lasting) = (ConnectionFault::Refused, Lasting::UntilCleared);
    service
        .gateway
        .plan_connection_after(grant, refused, lasting);
    let role = "viewer".to_owned();
    let granting = app.desktop.change_user(
        &app.window,
        binding,
        CLERK_ID.to_owned(),
        UserChange::GrantRole { role },
    );
    let granted = app.run_through_retries(granting).await.0;
    assert!(
        matches!(granted, Err(CommandError::UnknownOutcome { key: None, .. })),
        "{granted:?}"
    );
}

#[tokio::test]
async fn write_that_was_never_sent_is_one_without_a_connection() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, ADMINISTRATOR, HOME).await;
    service.gateway.stop().await;
    let role = "viewer".to_owned();
    let granted = app.desktop.change_user(
        &app.window,
        binding,
        CLERK_ID.to_owned(),
        UserChange::GrantRole { role },
    );
    let granted = granted.await;
    assert!(
        matches!(granted, Err(CommandError::Offline { .. })),
        "{granted:?}"
    );
}
