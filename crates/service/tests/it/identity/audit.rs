//! Tests of the audit log: recorded events, immutability, absence of secrets, queries.

use crate::fixtures::user_agent::{AuthorizationRequest, Form, UserAgent};
use crate::fixtures::{HOME, NOURA, NOURA_ID, Service, by_engine};
use invoicing_contract::ready::ApplicationKind;
use invoicing_contract::{ClientId, OrganizationId, SubjectId};
use invoicing_storage::Clock as _;
use invoicing_storage::audit::{AuditEvent, AuditEventKind, Query, RecordedEvent};
use reqwest::StatusCode;

#[tokio::test]
async fn sign_in_success_and_failure_are_audited_with_subject_and_address() {
    let service = Service::start().await;
    let authorization = AuthorizationRequest::new(&service, "openid");
    let mut browser = UserAgent::new(&service);
    let form = Form::find(&browser.get(&authorization.path()).await, "sign-in");
    for _ in 0..8 {
        browser
            .submit(&form, &[("username", NOURA), ("password", "wrong")])
            .await;
    }
    browser
        .submit(&form, &[("username", "nobody"), ("password", "wrong")])
        .await;
    service.clock.advance(900);
    let mut browser = UserAgent::new(&service);
    browser.sign_in(&service, &authorization, NOURA).await;
    browser
        .sign_in(&service, &authorization.with("prompt", "login"), NOURA)
        .await;

    let since_start = recorded(&service, &Query::default()).await;
    let mut signs: Vec<_> = since_start
        .iter()
        .rev()
        .filter(|recorded| recorded.event.actor.is_none())
        .map(|recorded| {
            (
                recorded.event.kind,
                recorded.event.subject.as_ref().map(SubjectId::as_str),
            )
        })
        .collect();
    let noura = Some(NOURA_ID);
    let mut expected = vec![(AuditEventKind::SignInFailed, noura); 5];
    expected.extend([
        // One event for three throttled attempts.
        (AuditEventKind::SignInThrottled, noura),
        (AuditEventKind::SignInFailed, None),
        (AuditEventKind::SignedIn, noura),
        (AuditEventKind::SignedOut, noura),
        (AuditEventKind::SignedIn, noura),
    ]);
    // One request records the last two, and events of the same millisecond have no order on PostgreSQL (decision 0105).
    signs[8..].sort_unstable();
    expected[8..].sort_unstable();
    assert_eq!(signs, expected);
    for recorded in &since_start[..10] {
        let AuditEvent {
            kind,
            address,
            client_id,
            ..
        } = &recorded.event;
        if *kind != AuditEventKind::SignedOut {
            assert_eq!(address.as_deref(), Some("127.0.0.1"), "{kind:?}");
            assert_eq!(
                client_id.as_ref().map(ClientId::as_str),
                Some("invoice-desk"),
                "{kind:?}"
            );
        }
    }
    service.running.shutdown().await;
}

#[tokio::test]
async fn each_token_event_is_audited_exactly_once_in_the_organization_of_its_subject() {
    let service = Service::start().await;
    let authorization = AuthorizationRequest::new(&service, &service.desktop_scope());
    let callback = UserAgent::new(&service)
        .sign_in(&service, &authorization, NOURA)
        .await;
    let first = service.redeem(&authorization, &callback).await;
    let second = service.refresh(first.text("refresh_token")).await;
    for _ in 0..3 {
        service.refresh(first.text("refresh_token")).await;
    }
    let desktop = &service.application(ApplicationKind::Public).client_id;
    for token in ["access_token", "access_token", "refresh_token"] {
        let form = [
            ("client_id", desktop.as_str()),
            ("token", second.text(token)),
        ];
        service.post("/oauth/v2/revoke", &form).await;
    }
    service.machine_token("").await;
    let other = UserAgent::new(&service)
        .sign_in(&service, &authorization, NOURA)
        .await;
    for _ in 0..3 {
        service.redeem(&authorization, &other).await;
    }
    let id_token = first.text("id_token").to_owned();
    service
        .post("/oidc/v1/end_session", &[("id_token_hint", &id_token)])
        .await;

    let mut events = recorded(&service, &Query::default()).await;
    events.retain(|recorded| recorded.event.actor.is_none());
    let home = Some(OrganizationId::from(HOME));
    for recorded in &events {
        assert_eq!(recorded.event.organization, home, "{recorded:?}");
    }
    let kinds: Vec<_> = events
        .into_iter()
        .rev()
        .map(|recorded| {
            let detail = recorded.event.detail.into_values().next();
            (recorded.event.kind, detail.unwrap_or_default())
        })
        .collect();
    let expected = [
        (AuditEventKind::SignedIn, ""),
        (AuditEventKind::TokenIssued, "authorization_code"),
        (AuditEventKind::TokenIssued, "refresh_token"),
        (AuditEventKind::RefreshReused, "false"),
        (AuditEventKind::TokenRevoked, "access_token"),
        (AuditEventKind::TokenRevoked, "refresh_token"),
        (AuditEventKind::TokenIssued, "client_credentials"),
        (AuditEventKind::SignedIn, ""),
        (AuditEventKind::TokenIssued, "authorization_code"),
        (AuditEventKind::CodeReplayed, ""),
        (AuditEventKind::SignedOut, ""),
    ];
    assert_eq!(
        kinds,
        expected.map(|(kind, detail)| (kind, detail.to_owned()))
    );
    service.running.shutdown().await;
}

#[tokio::test]
async fn audit_rows_cannot_be_updated_deleted_or_replaced() {
    let service = Service::start().await;
    let database = service.folder.connect_as_application().await;
    for statement in by_engine(
        [
            "UPDATE audit_events SET subject = 'somebody else'",
            "DELETE FROM audit_events",
            "REPLACE INTO audit_events (id, at, kind, detail) SELECT id, at, 'signed_in', '{}' FROM audit_events LIMIT 1",
            "INSERT OR REPLACE INTO audit_events (id, at, kind, detail) SELECT id, 0, kind, '{}' FROM audit_events LIMIT 1",
        ],
        [
            "UPDATE audit_events SET subject = 'somebody else'",
            "DELETE FROM audit_events",
            "TRUNCATE audit_events",
            "INSERT INTO audit_events (id, at, kind, detail) SELECT id, at, 'signed_in', '{}' FROM audit_events LIMIT 1
             ON CONFLICT (at, id) DO UPDATE SET kind = excluded.kind",
        ],
    ) {
        let refused = database.execute(statement).await.expect_err(statement);
        let reason = by_engine("append-only", "permission denied");
        assert!(refused.contains(reason), "{statement}: {refused}");
    }
    service.running.shutdown().await;
}

#[tokio::test]
async fn operation_fails_if_its_audit_event_cannot_be_written() {
    let service = Service::start().await;
    let tokens = service.sign_in(NOURA).await;
    let refuse = by_engine(
        "CREATE TRIGGER full BEFORE INSERT ON audit_events BEGIN SELECT RAISE(ABORT, 'no room'); END",
        "REVOKE INSERT ON audit_events FROM invoicing_application",
    );
    service.execute_sql(refuse).await;
    let machine = service.application(ApplicationKind::Machine);
    let secret = machine.client_secret.as_deref().expect("a secret");
    let form = [
        ("grant_type", "client_credentials"),
        ("client_id", &*machine.client_id),
        ("client_secret", secret),
    ];
    let before = count(&service, "SELECT COUNT(*) FROM access_tokens").await;
    service
        .token(&form)
        .await
        .is_oauth_error(503, "temporarily_unavailable");
    service
        .refresh(tokens.text("refresh_token"))
        .await
        .is_oauth_error(503, "temporarily_unavailable");
    assert_eq!(
        count(&service, "SELECT COUNT(*) FROM access_tokens").await,
        before
    );

    let accept = by_engine(
        "DROP TRIGGER full",
        "GRANT INSERT ON audit_events TO invoicing_application",
    );
    service.execute_sql(accept).await;
    let renewed = service.refresh(tokens.text("refresh_token")).await;
    assert_eq!(
        renewed.status,
        StatusCode::OK,
        "the refresh token was not spent: {}",
        renewed.body
    );
    service.running.shutdown().await;
}

#[tokio::test]
async fn audit_contains_no_secret() {
    let service = Service::start().await;
    let authorization = AuthorizationRequest::new(&service, &service.desktop_scope());
    let mut browser = UserAgent::new(&service);
    let form = Form::find(&browser.get(&authorization.path()).await, "sign-in");
    let typed = [
        ("username", "my-passw0rd-as-name"),
        ("password", "guess-77"),
    ];
    browser.submit(&form, &typed).await;
    let callback = browser.sign_in(&service, &authorization, NOURA).await;
    let tokens = service.redeem(&authorization, &callback).await;
    service.redeem(&authorization, &callback).await;
    let mut secrets = vec![
        "my-passw0rd-as-name".to_owned(),
        "guess-77".to_owned(),
        callback.get("code").to_owned(),
        authorization.verifier.clone(),
        service.user(NOURA).password.clone(),
    ];
    secrets.extend(
        ["access_token", "refresh_token", "id_token"].map(|name| tokens.text(name).to_owned()),
    );
    secrets.extend(browser.cookies.values().cloned());
    secrets.extend(
        service
            .ready
            .applications
            .iter()
            .filter_map(|application| application.client_secret.clone()),
    );

    let everything = format!("{:?}", recorded(&service, &Query::default()).await);
    assert!(everything.contains("CodeReplayed"), "{everything}");
    for secret in secrets {
        assert!(!everything.contains(&secret), "{secret} is in the audit");
    }
    service.running.shutdown().await;
}

#[tokio::test]
async fn audit_query_supports_paging_and_filters() {
    let service = Service::start().await;
    let begin = service.clock.timestamp();
    for _ in 0..4 {
        service.sign_in(NOURA).await;
    }
    service.machine_token("").await;
    let all = recorded(&service, &Query::default()).await;
    let order: Vec<_> = all.iter().map(|one| (one.event.at, one.id)).collect();
    assert!(order.is_sorted_by(|a, b| a > b), "newest first: {order:?}");

    let mut paged = Vec::new();
    let mut after = None;
    loop {
        let page = Query {
            after,
            size: 3,
            ..Query::default()
        };
        let page = recorded(&service, &page).await;
        let Some(last) = page.last() else { break };
        after = Some((last.event.at, last.id));
        paged.extend(page);
        // Events added between pages are newer than all remaining pages.
        service.machine_token("").await;
    }
    assert_eq!(paged, all, "each once");

    let subject = Query {
        subject: Some(NOURA_ID.into()),
        kinds: vec![AuditEventKind::SignedIn, AuditEventKind::TokenIssued],
        ..Query::default()
    };
    assert_eq!(recorded(&service, &subject).await.len(), 8);
    for (from, to, expected) in [
        (Some(begin), None, 4),
        (None, Some(begin), 0),
        (Some(begin), Some(begin), 0),
    ] {
        let time = Query {
            kinds: vec![AuditEventKind::SignedIn],
            from,
            to,
            ..Query::default()
        };
        assert_eq!(
            recorded(&service, &time).await.len(),
            expected,
            "{from:?} {to:?}"
        );
    }
    let organization = Query {
        organization: Some("274893004".into()),
        ..Query::default()
    };
    let organization = recorded(&service, &organization).await;
    assert_eq!(
        organization
            .iter()
            .map(|one| one.event.kind)
            .collect::<Vec<_>>(),
        [AuditEventKind::RoleGranted],
        "what the seed granted there"
    );
    service.running.shutdown().await;
}

async fn recorded(service: &Service, query: &Query) -> Vec<RecordedEvent> {
    let store = service.store().await;
    let query = Query {
        size: if query.size == 0 { 500 } else { query.size },
        ..query.clone()
    };
    store.audit(&query).await.expect("storage responds")
}

async fn count(service: &Service, statement: &'static str) -> i64 {
    service.folder.count(statement).await
}
