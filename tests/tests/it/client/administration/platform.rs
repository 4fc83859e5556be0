//! Tenants, plans and tax authorities of the platform.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::http::StatusCode;
use axum::routing::post;
use invoicing_client::views::{
    AddressFields, AuthorityMode, AuthoritySettings, CommandError, CredentialsChange,
    EnteredSecret, IdentifierContent, InvoiceKind, InvoiceStatus, NewTenant, PlanFields,
    PlanLimits, SubmissionState, TenantFields, TenantState,
};

use super::{ANDALUS, OPERATOR, OPERATORS};
use crate::fixtures::{HOME, NOURA, Service, TestApp};

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
        registration_number: IdentifierContent {
            scheme: "CRN".to_owned(),
            value: "4030175397".to_owned(),
        },
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
        .tenant_history(window, binding.clone(), changed.id.clone(), String::new())
        .await
        .expect("a history");
    assert_eq!(history.next_page, "");
    assert!(
        history
            .revisions
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
    // A page is asked for by its token, and this one the service has never named.
    let unknown_page = desktop
        .tenant_history(window, binding, changed.id, "second".to_owned())
        .await;
    assert!(
        matches!(unknown_page, Err(CommandError::InvalidArgument { .. })),
        "{unknown_page:?}"
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
        matches!(&in_use, Err(CommandError::FailedPrecondition { support, .. }) if support.reason == "PLAN_IN_USE"),
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
    assert_eq!(
        fields,
        [Some("lines[0].unitPrice"), Some("buyer.street"), None]
    );

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
        matches!(&waits, Err(CommandError::FailedPrecondition { support, .. }) if support.reason == "AUTHORITY_PENDING"),
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
