//! Administration: people, machine users and the plan of an organization; acting as another person; tenants, plans and tax
//! authorities of the platform.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::http::StatusCode;
use axum::routing::post;
use invoicing_client::views::{
    AddressFields, AuthorityMode, AuthoritySettings, CommandError, CredentialsChange,
    EnteredSecret, InvoiceKind, InvoiceStatus, NewTenant, NewUser, PlanFields, PlanLimits,
    SessionView, SubmissionState, TemplateList, TenantFields, TenantState, UserChange, UserState,
    WindowBinding,
};

use crate::fixtures::{CLERK, HOME, NOURA, Service, TestApp, page};

/// The administrator of the home organization in the demo seed.
const ADMINISTRATOR: &str = "khalid@alkhair.example";
/// The clerk's id.
const CLERK_ID: &str = "310000000000000002";
/// The operator of the demo seed, and the operator organization.
const OPERATOR: &str = "hessa@diwan.example";
const OPERATORS: &str = "274893009";
/// A tenant of the demo seed in which nobody of these tests works.
const ANDALUS: &str = "274893005";

#[tokio::test]
async fn administrator_invites_changes_and_finds_people_and_sees_the_plan() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, ADMINISTRATOR, HOME).await;
    let (desktop, window) = (&app.desktop, &app.window);
    let invited = desktop
        .invite_user(
            window,
            binding.clone(),
            NewUser {
                username: "amal@alkhair.example".to_owned(),
                name: "Amal".to_owned(),
                email: "amal@alkhair.example".to_owned(),
                role: "viewer".to_owned(),
            },
        )
        .await
        .expect("invited");
    assert!(invited.page.ends_with("/account/set-password"));
    assert!(
        !format!("{invited:?}").contains(&serde_json::to_string(&invited.code).expect("a text")),
        "the code is not in the Debug output"
    );
    let listed = desktop
        .list_users(window, binding.clone(), "amal".to_owned(), String::new())
        .await
        .expect("a page");
    let [amal] = &listed.users[..] else {
        panic!("{listed:?}");
    };
    assert_eq!(
        (amal.state, &amal.roles[..]),
        (UserState::Invited, &["viewer".to_owned()][..])
    );
    let clerk = UserChange::GrantRole {
        role: "clerk".to_owned(),
    };
    desktop
        .change_user(window, binding.clone(), amal.id.clone(), clerk)
        .await
        .expect("granted");
    desktop
        .change_user(
            window,
            binding.clone(),
            amal.id.clone(),
            UserChange::Disable,
        )
        .await
        .expect("disabled");
    let listed = desktop
        .list_users(window, binding.clone(), "amal".to_owned(), String::new())
        .await
        .expect("a page");
    assert_eq!(listed.users[0].state, UserState::Disabled);
    assert!(listed.users[0].roles.contains(&"clerk".to_owned()));

    let created = desktop
        .create_machine_user(
            window,
            binding.clone(),
            "Import".to_owned(),
            "clerk".to_owned(),
        )
        .await
        .expect("created");
    assert!(!created.client_id.is_empty());
    let machines = desktop
        .list_machine_users(window, binding.clone())
        .await
        .expect("a list");
    assert!(machines.iter().any(|machine| machine.name == "Import"));
    let plan = desktop
        .get_own_plan(window, binding.clone())
        .await
        .expect("a plan");
    assert_eq!((plan.name.as_str(), plan.documents.limit), ("", None));

    let denied = desktop
        .list_tenants(window, binding, String::new(), None, String::new())
        .await;
    assert!(
        matches!(denied, Err(CommandError::PermissionDenied { .. })),
        "{denied:?}"
    );
}

/// Whom the window of the app acts as.
async fn acts_as(app: &TestApp) -> Option<String> {
    let session = app.snapshot().await.session;
    let SessionView::SignedIn { impersonation, .. } = session else {
        panic!("{session:?}");
    };
    impersonation.map(|found| found.person.username)
}

async fn impersonate_clerk(app: &TestApp, binding: &WindowBinding) -> Result<(), CommandError> {
    app.desktop
        .impersonate(&app.window, binding.clone(), None, CLERK_ID.to_owned())
        .await
}

#[tokio::test]
async fn administrator_acts_as_a_clerk_in_one_window_and_nothing_of_it_stays_on_this_computer() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, ADMINISTRATOR, HOME).await;
    let list = |binding: WindowBinding| app.desktop.list_invoices(&app.window, binding, page());
    list(binding.clone()).await.expect("an administrator reads");
    assert_eq!(acts_as(&app).await, None);

    impersonate_clerk(&app, &binding).await.expect("a token");
    assert_eq!(acts_as(&app).await.as_deref(), Some(CLERK));
    let stale = list(binding.clone()).await;
    assert!(
        matches!(stale, Err(CommandError::StaleBinding)),
        "the binding of the administrator is outdated: {stale:?}"
    );
    let acting = app.binding().await;
    assert_eq!(acting.organization.as_str(), HOME);
    list(acting.clone()).await.expect("the clerk's list");
    let users = app
        .desktop
        .list_users(&app.window, acting.clone(), String::new(), String::new())
        .await;
    assert!(
        matches!(users, Err(CommandError::PermissionDenied { .. })),
        "a clerk administers nobody: {users:?}"
    );

    // What would outlive it is refused, and nothing of the person is shown from this computer.
    let draft = app
        .desktop
        .new_draft(&app.window, acting.clone(), None)
        .await;
    assert_eq!(draft, Err(CommandError::NotWhileImpersonating));
    let drafts = app.desktop.drafts(&app.window, acting.clone()).await;
    assert_eq!(drafts, Ok(Vec::new()));
    let template = app.desktop.save_template(
        &app.window,
        acting.clone(),
        "Rent".to_owned(),
        crate::fixtures::content(),
    );
    assert_eq!(template.await, Err(CommandError::NotWhileImpersonating));
    let templates = app.desktop.templates(&app.window, acting.clone()).await;
    assert_eq!(templates, Ok(TemplateList::default()));
    let again = impersonate_clerk(&app, &acting).await;
    assert_eq!(again, Err(CommandError::NotWhileImpersonating), "no chain");

    // Another window is that of the administrator.
    let other = "other".into();
    app.desktop.open_window(&other);
    let snapshot = app.desktop.watch(&other, 0).await.expect("a snapshot");
    let SessionView::SignedIn { impersonation, .. } = snapshot.session else {
        panic!("signed in");
    };
    assert_eq!(impersonation, None);
    let bound = snapshot.binding.expect("bound");
    app.desktop
        .list_users(&other, bound, String::new(), String::new())
        .await
        .expect("the administrator administers");

    // Without a connection there is no earlier answer: none was kept.
    service.gateway.stop().await;
    service.identity.stop().await;
    let offline = list(acting.clone()).await;
    assert!(offline.is_err(), "nothing was cached: {offline:?}");
    app.desktop
        .end_impersonation(&app.window)
        .await
        .expect("it needs no connection");
    assert_eq!(acts_as(&app).await, None);
    assert_eq!(app.binding().await.organization.as_str(), HOME);
    let kept = list(app.binding().await).await.expect("from the cache");
    assert!(kept.offline, "the administrator's own answer was kept");
}

#[tokio::test]
async fn impersonation_ends_with_the_account_of_the_person_or_the_role_of_the_administrator() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, ADMINISTRATOR, HOME).await;
    let refused = app
        .desktop
        .impersonate(
            &app.window,
            binding.clone(),
            None,
            "310000000000000004".to_owned(),
        )
        .await;
    assert!(
        matches!(refused, Err(CommandError::PermissionDenied { .. })),
        "nobody acts as an administrator: {refused:?}"
    );
    impersonate_clerk(&app, &binding).await.expect("a token");
    let acting = app.binding().await;
    let (colleague, own) = TestApp::start_signed_in(&service, ADMINISTRATOR, HOME).await;
    colleague
        .desktop
        .change_user(
            &colleague.window,
            own,
            CLERK_ID.to_owned(),
            UserChange::EndSessions,
        )
        .await
        .expect("ended");
    let ended = app.desktop.list_invoices(&app.window, acting, page()).await;
    assert!(
        matches!(ended, Err(CommandError::SessionEnded { .. })),
        "{ended:?}"
    );
    app.wait_until(|snapshot| {
        matches!(
            &snapshot.session,
            SessionView::SignedIn {
                impersonation: None,
                ..
            }
        ) && snapshot.binding.is_some()
    })
    .await;
    let binding = app.binding().await;
    app.desktop
        .list_invoices(&app.window, binding, page())
        .await
        .expect("the session of the administrator goes on");
}

#[tokio::test]
async fn operator_creates_changes_disables_and_looks_back_on_a_tenant() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, OPERATOR, OPERATORS).await;
    let (desktop, window) = (&app.desktop, &app.window);
    let fields = TenantFields {
        name: "Marjan Trading".to_owned(),
        name_ar: "مرجان للتجارة".to_owned(),
        time_zone: "Asia/Riyadh".to_owned(),
        tax_id: "310175397400011".to_owned(),
        address: AddressFields {
            street: "King Abdulaziz Road".to_owned(),
            city: "Jeddah".to_owned(),
            ..AddressFields::default()
        },
    };
    let new = NewTenant {
        fields: fields.clone(),
        domain: "marjan.example".to_owned(),
        currency: "SAR".to_owned(),
        country: "SA".to_owned(),
    };
    let refused = desktop
        .create_tenant(
            window,
            binding.clone(),
            NewTenant {
                currency: "XXXX".to_owned(),
                ..new.clone()
            },
        )
        .await;
    assert!(
        matches!(refused, Err(CommandError::InvalidArgument { .. })),
        "{refused:?}"
    );
    let created = match desktop.create_tenant(window, binding.clone(), new).await {
        Ok(created) => created,
        Err(CommandError::InvalidArgument { violations, .. }) => panic!("{violations:?}"),
        Err(error) => panic!("{error:?}"),
    };
    assert!(!created.client_id.is_empty());
    let find = async |text: &str, state: Option<TenantState>| {
        desktop
            .list_tenants(
                window,
                binding.clone(),
                text.to_owned(),
                state,
                String::new(),
            )
            .await
            .expect("a page")
            .tenants
    };
    let found = find("marjan", Some(TenantState::Active)).await;
    assert_eq!(found, std::slice::from_ref(&created.tenant));

    let renamed = TenantFields {
        name: "Marjan Group".to_owned(),
        ..fields
    };
    let changed = desktop
        .update_tenant(
            window,
            binding.clone(),
            created.tenant.clone(),
            renamed.clone(),
        )
        .await
        .expect("changed");
    assert_eq!(changed.fields, renamed);
    let stale = TenantFields {
        name: "Other".to_owned(),
        ..renamed
    };
    let stale = desktop
        .update_tenant(window, binding.clone(), created.tenant, stale)
        .await;
    assert!(
        matches!(stale, Err(CommandError::Aborted { .. })),
        "{stale:?}"
    );

    let disabled = desktop
        .set_tenant_enabled(window, binding.clone(), changed.id.clone(), false)
        .await
        .expect("disabled");
    assert_eq!(disabled.state, TenantState::Disabled);
    assert!(disabled.disabled.is_some());
    assert_eq!(find("marjan", Some(TenantState::Active)).await, []);
    desktop
        .set_tenant_enabled(window, binding.clone(), changed.id.clone(), true)
        .await
        .expect("enabled");
    let history = desktop
        .tenant_history(window, binding.clone(), changed.id)
        .await
        .expect("a history");
    assert!(
        history
            .iter()
            .any(|revision| revision.changes.iter().any(|change| (
                change.before.as_str(),
                change.after.as_str()
            ) == (
                "Marjan Trading",
                "Marjan Group"
            ))),
        "{history:?}"
    );
}

#[tokio::test]
async fn operator_makes_a_plan_and_gives_it_to_a_tenant_with_a_limit_of_its_own() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, OPERATOR, OPERATORS).await;
    let (desktop, window) = (&app.desktop, &app.window);
    let fields = PlanFields {
        name: "Small".to_owned(),
        limits: PlanLimits {
            documents: Some(100),
            ..PlanLimits::default()
        },
        ..PlanFields::default()
    };
    let plan = desktop
        .create_plan(window, binding.clone(), fields.clone())
        .await
        .expect("created");
    let mut more = fields;
    more.limits.users = Some(7);
    more.entitlements.kinds = Some(vec![InvoiceKind::Invoice]);
    let changed = desktop
        .update_plan(window, binding.clone(), plan.clone(), more.clone())
        .await
        .expect("changed");
    assert_eq!(changed.fields.limits, more.limits);
    assert_eq!(changed.fields.entitlements, more.entitlements);
    let stale = PlanFields {
        name: "Tiny".to_owned(),
        ..more
    };
    let stale = desktop
        .update_plan(window, binding.clone(), plan.clone(), stale)
        .await;
    assert!(
        matches!(stale, Err(CommandError::Aborted { .. })),
        "{stale:?}"
    );

    desktop
        .assign_plan(window, binding.clone(), ANDALUS.into(), plan.id.clone())
        .await
        .expect("assigned");
    let own = PlanLimits {
        documents: Some(5),
        ..PlanLimits::default()
    };
    desktop
        .set_tenant_limits(window, binding.clone(), ANDALUS.into(), own)
        .await
        .expect("set");
    let held = desktop
        .tenant_plan(window, binding.clone(), ANDALUS.into())
        .await
        .expect("a plan");
    assert_eq!(held.plan.map(|plan| plan.id), Some(plan.id.clone()));
    assert_eq!(
        (held.own_limits, held.documents.limit, held.users.limit),
        (own, Some(5), Some(7))
    );
    let in_use = desktop
        .delete_plan(
            window,
            binding.clone(),
            plan.id.clone(),
            changed.stamp.clone(),
        )
        .await;
    assert!(
        matches!(&in_use, Err(CommandError::FailedPrecondition { reason, .. }) if reason == "PLAN_IN_USE"),
        "{in_use:?}"
    );
    desktop
        .assign_plan(window, binding.clone(), ANDALUS.into(), String::new())
        .await
        .expect("taken away");
    desktop
        .delete_plan(window, binding.clone(), plan.id, changed.stamp)
        .await
        .expect("deleted");
    let left = desktop.list_plans(window, binding).await.expect("plans");
    assert_eq!(left, []);
}

/// An HTTP server that answers every submission as it was told to.
async fn tax_authority(answer: Arc<Mutex<(StatusCode, &'static str)>>) -> String {
    let respond = move |_body: axum::body::Bytes| {
        let answer = Arc::clone(&answer);
        async move { *answer.lock().expect("not poisoned") }
    };
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0")
        .await
        .expect("a port");
    let address = listener.local_addr().expect("an address");
    let router = Router::new().route("/", post(respond).get(|| async { "here" }));
    tokio::spawn(async move { axum::serve(listener, router).await });
    format!("http://{address}/")
}

#[tokio::test]
async fn answer_of_the_tax_authority_is_beside_the_status_and_its_messages_at_their_fields() {
    const REJECTION: &str = r#"{"status": "rejected", "messages":
        ["lines[0].unitPrice: the price is not plausible", "BR-KSA-63: the address is not complete", "ask us"]}"#;
    let service = Service::start().await;
    let answer = Arc::new(Mutex::new((StatusCode::OK, REJECTION)));
    let endpoint = tax_authority(Arc::clone(&answer)).await;
    let (operator, platform) = TestApp::start_signed_in(&service, OPERATOR, OPERATORS).await;
    let none = operator
        .desktop
        .get_authority(&operator.window, platform.clone(), HOME.into())
        .await;
    assert_eq!(none, Ok(None));
    let settings = AuthoritySettings {
        adapter: "http".to_owned(),
        endpoint,
        mode: AuthorityMode::Clearance,
        kinds: vec![InvoiceKind::Invoice],
        enabled: true,
    };
    let save = async |stamp: Option<String>, settings: AuthoritySettings| {
        let secret = EnteredSecret::from("token-7f3a");
        assert!(!format!("{secret:?}").contains("7f3a"));
        let credentials = CredentialsChange::Replace {
            username: String::new(),
            secret,
        };
        operator
            .desktop
            .save_authority(
                &operator.window,
                platform.clone(),
                HOME.into(),
                stamp,
                settings,
                credentials,
            )
            .await
            .expect("saved")
    };
    let saved = save(None, settings.clone()).await;
    assert!(saved.has_credentials);
    assert_eq!(saved.settings, settings);
    let tested = operator
        .desktop
        .test_authority(&operator.window, platform.clone(), HOME.into())
        .await
        .expect("tested");
    assert!(tested.reachable, "{tested:?}");

    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let draft = app
        .create_invoice(
            &binding,
            crate::fixtures::new_key(),
            crate::fixtures::content(),
        )
        .await
        .expect("created");
    let submission = async || {
        app.desktop
            .get_submission(&app.window, binding.clone(), draft.row.key.clone())
            .await
            .expect("read")
    };
    assert_eq!(submission().await, None, "a draft was not sent");
    let rejected = app
        .desktop
        .issue_document(
            &app.window,
            binding.clone(),
            draft.row.key.clone(),
            draft.row.stamp.clone(),
        )
        .await
        .expect("an answer");
    assert_eq!(rejected.row.status, InvoiceStatus::Rejected);
    let found = submission().await.expect("it was sent");
    assert_eq!(found.state, SubmissionState::Rejected);
    let fields: Vec<_> = found
        .messages
        .iter()
        .map(|message| message.field.as_deref())
        .collect();
    assert_eq!(fields, [Some("lines[0].unitPrice"), Some("buyer"), None]);

    // In the mode of reporting nobody waits for the authority, and the document cannot be frozen before its answer.
    save(
        Some(saved.stamp),
        AuthoritySettings {
            mode: AuthorityMode::Reporting,
            ..settings
        },
    )
    .await;
    *answer.lock().expect("not poisoned") = (StatusCode::SERVICE_UNAVAILABLE, "");
    let issued = app
        .desktop
        .issue_document(
            &app.window,
            binding.clone(),
            draft.row.key.clone(),
            rejected.row.stamp,
        )
        .await
        .expect("issued");
    assert_eq!(issued.row.status, InvoiceStatus::Issued);
    let freeze = async |stamp| {
        app.desktop
            .freeze_document(&app.window, binding.clone(), draft.row.key.clone(), stamp)
            .await
    };
    let waits = freeze(issued.row.stamp).await;
    assert!(
        matches!(&waits, Err(CommandError::FailedPrecondition { reason, .. }) if reason == "AUTHORITY_PENDING"),
        "{waits:?}"
    );
    let found = submission().await.expect("it was sent");
    assert!(
        matches!(
            found.state,
            SubmissionState::Pending | SubmissionState::Unanswered
        ),
        "{found:?}"
    );
    *answer.lock().expect("not poisoned") = (StatusCode::OK, r#"{"status": "reported"}"#);
    app.desktop
        .retry_submission(&app.window, binding.clone(), draft.row.key.clone())
        .await
        .expect("sent");
    let reported = async {
        while submission().await.expect("it was sent").state != SubmissionState::Reported {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(20), reported)
        .await
        .expect("the authority has answered");
    let answered = app
        .desktop
        .get_invoice(&app.window, binding.clone(), draft.row.key.clone())
        .await
        .expect("read");
    let frozen = freeze(answered.row.stamp).await.expect("frozen");
    assert_eq!(frozen.row.status, InvoiceStatus::Frozen);
}
