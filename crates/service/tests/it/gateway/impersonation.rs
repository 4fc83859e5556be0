//! Tests of impersonation through the gateway.

use super::identity::{IMPERSONATE, signed_in, with_administrator};
use crate::fixtures::gateway::{GatewayClient, reason};
use crate::fixtures::user_agent::{AuthorizationRequest, Callback, UserAgent, unverified_claims};
use crate::fixtures::{HOME, NOURA, NOURA_ID, Response, SALEM_ID, Service};
use invoicing_contract::ready::ApplicationKind;
use invoicing_contract::{SubjectId, Timestamp};
use invoicing_storage::Clock as _;
use invoicing_storage::audit::{AuditEventKind, Query};
use reqwest::StatusCode;
use serde_json::{Value, json};

#[tokio::test]
async fn impersonation_token_names_subject_and_actor() {
    let service = with_administrator().await;
    let noura = signed_in(&service, NOURA).await;
    let impersonation = noura.post(IMPERSONATE, json!({"userId": SALEM_ID})).await;
    assert_eq!(
        impersonation.status,
        StatusCode::OK,
        "{}",
        impersonation.body
    );
    assert_eq!(
        impersonation.json.get("refreshToken"),
        None,
        "no refresh token is returned"
    );
    let claims = unverified_claims(impersonation.text("idToken"));
    assert_eq!(claims["sub"], json!(SALEM_ID));
    assert_eq!(claims["act"], json!({"sub": NOURA_ID}));
    assert_eq!(claims["aud"], json!(["invoice-desk"]));
    let token = impersonation.text("accessToken");
    let introspected = introspect(&service, token).await;
    assert_eq!(introspected["sub"], json!(SALEM_ID));
    assert_eq!(introspected["act"], json!({"sub": NOURA_ID}));
    assert_eq!(
        service.userinfo(token).await.json["act"],
        json!({"sub": NOURA_ID})
    );
    let salem = GatewayClient {
        service: &service,
        token: token.to_owned(),
    };
    let draft = salem
        .create_draft(crate::fixtures::gateway::invoice("Dates", "10.00"))
        .await;
    let issued = noura.perform(&draft, "issue").await;
    assert_eq!(
        (&draft["created"]["by"], &draft["created"]["actor"]),
        (&json!(SALEM_ID), &json!(NOURA_ID)),
        "the document names the actor: {draft}"
    );
    let history = format!(
        "{}/{}/history",
        crate::fixtures::gateway::DOCUMENTS,
        issued["documentKey"].as_str().unwrap()
    );
    let history = noura.get(&history).await.json;
    let actors: Vec<_> = history["revisions"]
        .as_array()
        .expect("revisions")
        .iter()
        .map(|revision| ["by", "actor", "actorName"].map(|name| revision["event"][name].as_str()))
        .collect();
    assert_eq!(
        actors,
        [
            [Some(NOURA_ID), Some(""), Some("")],
            [Some(SALEM_ID), Some(NOURA_ID), Some("Noura Al-Harbi")],
        ],
        "newest first: her own, and hers as Salem"
    );

    let authorization = AuthorizationRequest::new(&service, "openid")
        .with("id_token_hint", impersonation.text("idToken"));
    let refused =
        Callback::from_redirect(&UserAgent::new(&service).get(&authorization.path()).await);
    assert_eq!(
        refused.error(),
        Some("invalid_request"),
        "an impersonation id_token is no valid hint"
    );
    let events = audited(&service, AuditEventKind::Impersonated).await;
    assert_eq!(events.len(), 1);
    assert_eq!(
        events[0].subject.as_ref().map(SubjectId::as_str),
        Some(SALEM_ID)
    );
    assert_eq!(events[0].actor.as_deref(), Some(NOURA_ID));
    assert_eq!(events[0].organization, Some(HOME.into()));

    service.clock.advance(3_600);
    assert_eq!(
        service.userinfo(token).await.status,
        StatusCode::UNAUTHORIZED,
        "the token lives for one hour"
    );
    service.running.shutdown().await;
}

#[tokio::test]
async fn impersonation_of_administrators_outsiders_or_by_impersonators_is_denied() {
    let service = with_administrator().await;
    let noura = signed_in(&service, NOURA).await;
    let impersonation = noura.post(IMPERSONATE, json!({"userId": SALEM_ID})).await;
    let chained = GatewayClient {
        service: &service,
        token: impersonation.text("accessToken").to_owned(),
    };
    service.grant(SALEM_ID, HOME, "administrator").await;
    for _ in 0..3 {
        let chain = chained.post(IMPERSONATE, json!({"userId": SALEM_ID})).await;
        assert_eq!(
            chain.status,
            StatusCode::FORBIDDEN,
            "not even after the person became an administrator"
        );
    }

    for (target, which) in [(SALEM_ID, "an administrator"), (NOURA_ID, "oneself")] {
        let response = noura.post(IMPERSONATE, json!({"userId": target})).await;
        assert_eq!(response.status, StatusCode::FORBIDDEN, "{which}");
    }
    service
        .execute_sql(
            "INSERT INTO subjects (id, username, name, home_organization, password_hash)
         VALUES ('71', 'hana@andalus.example', 'Hana', '274893005', 'x'); \
         INSERT INTO grants VALUES ('71', '274893001', 'clerk')",
        )
        .await;
    for target in ["71", "310000000000000009", "nobody", ""] {
        let response = noura.post(IMPERSONATE, json!({"userId": target})).await;
        assert_eq!(response.status, StatusCode::NOT_FOUND, "{target:?}");
        assert_eq!(reason(&response.json), "USER_NOT_FOUND");
    }
    let refused = audited(&service, AuditEventKind::ImpersonationRefused).await;
    let (chains, others): (Vec<_>, Vec<_>) = refused
        .iter()
        .partition(|event| event.detail["reason"] == "a chain");
    assert_eq!(others.len(), 6, "each of them");
    assert_eq!(chains.len(), 1, "one event per minute");
    assert_eq!(
        (
            chains[0].subject.as_ref().map(SubjectId::as_str),
            chains[0].actor.as_deref()
        ),
        (Some(SALEM_ID), Some(NOURA_ID)),
        "subject and actor"
    );
    service.running.shutdown().await;
}

#[tokio::test]
async fn impersonation_token_ends_with_its_actor_and_stays_in_its_organization() {
    let service = with_administrator().await;
    service.grant(SALEM_ID, "274893002", "clerk").await;
    let noura = signed_in(&service, NOURA).await;
    let impersonation = noura.post(IMPERSONATE, json!({"userId": SALEM_ID})).await;
    let salem = GatewayClient {
        service: &service,
        token: impersonation.text("accessToken").to_owned(),
    };
    let elsewhere = salem
        .request(reqwest::Method::POST, "/api/v1/simple/invoices/list")
        .header(service.names.organization_header(), "274893002")
        .json(&json!({}));
    assert_eq!(
        elsewhere.send().await.expect("a response").status(),
        StatusCode::FORBIDDEN,
        "an organization without the administrator role"
    );
    let store = service.store().await;
    let event = invoicing_storage::audit::AuditEvent::new(
        Timestamp::default(),
        AuditEventKind::UserDisabled,
    );
    store
        .disable_subject(&NOURA_ID.into(), service.clock.timestamp(), &event)
        .await
        .unwrap();
    assert_eq!(
        service.userinfo(&salem.token).await.status,
        StatusCode::UNAUTHORIZED
    );
    service.running.shutdown().await;
}

#[tokio::test]
async fn impersonation_token_ends_with_a_password_change_of_its_actor_or_of_its_subject() {
    let service = with_administrator().await;
    let set_epoch = async |id: &str, epoch: i64| {
        let update = format!("UPDATE subjects SET epoch = {epoch} WHERE id = '{id}'");
        service.execute_sql(&update).await;
    };
    // Different ones, so that neither is taken for the other.
    set_epoch(NOURA_ID, 3).await;
    set_epoch(SALEM_ID, 5).await;
    for (changed, epoch) in [(NOURA_ID, 4), (SALEM_ID, 6)] {
        let noura = signed_in(&service, NOURA).await;
        let impersonation = noura.post(IMPERSONATE, json!({"userId": SALEM_ID})).await;
        let token = impersonation.text("accessToken");
        assert_eq!(service.userinfo(token).await.status, StatusCode::OK);
        // What a change of the password writes.
        set_epoch(changed, epoch).await;
        let userinfo = service.userinfo(token).await;
        assert_eq!(userinfo.status, StatusCode::UNAUTHORIZED, "{changed}");
    }
    service.running.shutdown().await;
}

#[tokio::test]
async fn impersonation_token_ends_with_the_role_of_its_actor() {
    let service = with_administrator().await;
    // A role elsewhere does not count.
    service.grant(NOURA_ID, "274893002", "administrator").await;
    let noura = signed_in(&service, NOURA).await;
    let impersonation = noura.post(IMPERSONATE, json!({"userId": SALEM_ID})).await;
    let salem = GatewayClient {
        service: &service,
        token: impersonation.text("accessToken").to_owned(),
    };
    let list = async || {
        let response = salem.post("/api/v1/simple/invoices/list", json!({})).await;
        response.status
    };
    assert_eq!(list().await, StatusCode::OK);
    let store = service.store().await;
    let event = invoicing_storage::audit::AuditEvent::new(
        Timestamp::default(),
        AuditEventKind::RoleRevoked,
    );
    let removed = store
        .remove_grant(&NOURA_ID.into(), &HOME.into(), "administrator", &event)
        .await;
    assert!(removed.unwrap());
    assert_eq!(list().await, StatusCode::UNAUTHORIZED, "at the gateway");
    assert_eq!(
        service.userinfo(&salem.token).await.status,
        StatusCode::UNAUTHORIZED
    );
    assert_eq!(
        introspect(&service, &salem.token).await,
        json!({"active": false})
    );
    assert_eq!(
        service.userinfo(&noura.token).await.status,
        StatusCode::OK,
        "her own token stays valid"
    );
    service.running.shutdown().await;
}

async fn introspect(service: &Service, token: &str) -> Value {
    let api = service.application(ApplicationKind::Api);
    let request = service
        .http
        .post(service.auth("/oauth/v2/introspect"))
        .basic_auth(&api.client_id, api.client_secret.as_deref())
        .form(&[("token", token)]);
    Response::read(request.send().await.expect("a response"))
        .await
        .json
}

async fn audited(
    service: &Service,
    kind: AuditEventKind,
) -> Vec<invoicing_storage::audit::AuditEvent> {
    let store = service.store().await;
    let query = Query {
        kinds: vec![kind],
        size: 100,
        ..Query::default()
    };
    let page = store.audit(&query).await.expect("storage responds");
    page.into_iter().map(|recorded| recorded.event).collect()
}
