//! Tenants, profiles and impersonation through the gateway.

use crate::fixtures::gateway::{Caller, all, channel, fields, reason};
use crate::fixtures::user_agent::{Attempt, Callback, UserAgent, claims};
use crate::fixtures::{Answer, HOME, NOURA, NOURA_ID, SALEM_ID, Service};
use invoicing_contract::messages::identity::identity_client::IdentityClient;
use invoicing_contract::messages::identity::{CreateTenantRequest, ImpersonateRequest};
use invoicing_contract::ready::ApplicationKind;
use invoicing_storage::Clock as _;
use invoicing_storage::audit::{Kind, Query};
use invoicing_storage::{AuditStore as _, DirectoryStore as _, SubjectStore as _};
use reqwest::StatusCode;
use serde_json::{Value, json};

const TENANTS: &str = "/api/v2/admin/identity/tenants";
const COMPLETE: &str = "/api/v2/identity/profile:complete";
const IMPERSONATE: &str = "/api/v2/admin/impersonate";

#[tokio::test]
async fn a_new_tenant_comes_with_a_machine_that_can_invoice_for_it() {
    let service = with_administrator().await;
    let noura = signed_in(&service, NOURA).await;
    let made = noura.post(TENANTS, tenant(ID, "nakheel.example")).await;
    assert_eq!(made.status, StatusCode::OK, "{}", made.body);
    assert_eq!(made.json["tenant"]["organizationId"], json!(ID));
    assert_eq!(made.json["tenant"]["profile"]["currency"], json!("SAR"));

    let machine = Caller {
        site: &service,
        token: machine_token(&service, &made).await,
    };
    let userinfo = service.userinfo(&machine.token).await;
    assert_eq!(
        userinfo.json[service.names.home_organization_id()],
        json!(ID)
    );
    machine
        .draft(crate::fixtures::gateway::invoice("Dates", "10.00"))
        .await;
    let refused = machine.post(TENANTS, tenant(OTHER_ID, "x.example")).await;
    assert_eq!(
        refused.status,
        StatusCode::FORBIDDEN,
        "it administers nothing"
    );
    let foreign = machine
        .request(reqwest::Method::POST, "/api/v1/simple/invoices/list")
        .header(service.names.organization_header(), HOME)
        .json(&json!({}));
    let foreign = foreign.send().await.expect("an answer").status();
    assert_eq!(foreign, StatusCode::FORBIDDEN, "nor does it reach others");
    service.running.shutdown().await;
}

#[tokio::test]
async fn a_repeated_attempt_is_recognised_and_makes_nothing() {
    let service = with_administrator().await;
    let noura = signed_in(&service, NOURA).await;
    let attempts = all((0..8).map(|_| noura.post(TENANTS, tenant(ID, "nakheel.example")))).await;
    let (won, lost): (Vec<_>, Vec<_>) = attempts
        .iter()
        .partition(|answer| answer.status == StatusCode::OK);
    assert_eq!(won.len(), 1, "exactly one");
    for answer in lost {
        assert_eq!(answer.status, StatusCode::CONFLICT, "{}", answer.body);
        assert_eq!(reason(&answer.json), "TENANT_EXISTS");
        assert!(!answer.body.contains("clientSecret"), "told once");
    }
    let taken = noura
        .post(TENANTS, tenant(OTHER_ID, "NAKHEEL.example"))
        .await;
    assert_eq!(taken.status, StatusCode::CONFLICT, "{}", taken.body);
    assert_eq!(reason(&taken.json), "DOMAIN_TAKEN");
    let store = service.store().await;
    assert_eq!(store.organizations().await.unwrap().len(), 6, "one more");
    assert_eq!(store.organization(&OTHER_ID.into()).await.unwrap(), None);
    store.close().await;
    service.running.shutdown().await;
}

#[tokio::test]
async fn everything_that_is_wrong_with_a_tenant_is_told_at_once() {
    let service = with_administrator().await;
    let noura = signed_in(&service, NOURA).await;
    let wrong = json!({
        "organizationId": "274", "name": " ", "domain": "no domain",
        "profile": {"currency": "XXX1", "country": "Saudi", "timeZone": "Riyadh", "address": {"city": "a\nb"}},
    });
    let answer = noura.post(TENANTS, wrong).await;
    assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{}", answer.body);
    assert_eq!(
        fields(&answer),
        [
            "organizationId",
            "name",
            "domain",
            "profile.currency",
            "profile.country",
            "profile.timeZone",
            "profile.taxId",
            "profile.address.street",
            "profile.address.city",
        ]
    );
    service.running.shutdown().await;
}

#[tokio::test]
async fn a_profile_is_completed_once_and_gives_credentials_once() {
    let service = with_administrator().await;
    let noura = signed_in(&service, NOURA).await;
    let profile = json!({"profile": profile()});
    let completed = noura.post(COMPLETE, profile.clone()).await;
    assert_eq!(completed.status, StatusCode::OK, "{}", completed.body);
    assert_eq!(completed.json["tenant"]["organizationId"], json!(HOME));
    let machine = Caller {
        site: &service,
        token: machine_token(&service, &completed).await,
    };
    machine
        .draft(crate::fixtures::gateway::invoice("Dates", "10.00"))
        .await;

    let again = noura.post(COMPLETE, profile).await;
    assert_eq!(again.status, StatusCode::CONFLICT, "{}", again.body);
    assert_eq!(reason(&again.json), "PROFILE_COMPLETE");
    service.running.shutdown().await;
}

#[tokio::test]
async fn only_administrators_administer() {
    let service = Service::start().await;
    let noura = signed_in(&service, NOURA).await;
    for (path, body) in [
        (TENANTS, tenant(ID, "nakheel.example")),
        (COMPLETE, json!({"profile": profile()})),
        (IMPERSONATE, json!({"userId": SALEM_ID})),
    ] {
        let answer = noura.post(path, body).await;
        assert_eq!(answer.status, StatusCode::FORBIDDEN, "{path}");
        assert_eq!(answer.json["details"], json!([]), "{path}");
    }
    service.running.shutdown().await;
}

#[tokio::test]
async fn whoever_is_impersonated_is_named_with_who_acts() {
    let service = with_administrator().await;
    let noura = signed_in(&service, NOURA).await;
    let given = noura.post(IMPERSONATE, json!({"userId": SALEM_ID})).await;
    assert_eq!(given.status, StatusCode::OK, "{}", given.body);
    assert_eq!(given.json.get("refreshToken"), None, "nothing to renew");
    let claims = claims(given.text("idToken"));
    assert_eq!(claims["sub"], json!(SALEM_ID));
    assert_eq!(claims["act"], json!({"sub": NOURA_ID}));
    assert_eq!(claims["aud"], json!(["invoice-desk"]));
    let token = given.text("accessToken");
    let introspected = introspect(&service, token).await;
    assert_eq!(introspected["sub"], json!(SALEM_ID));
    assert_eq!(introspected["act"], json!({"sub": NOURA_ID}));
    assert_eq!(
        service.userinfo(token).await.json["act"],
        json!({"sub": NOURA_ID})
    );
    let salem = Caller {
        site: &service,
        token: token.to_owned(),
    };
    let draft = salem
        .draft(crate::fixtures::gateway::invoice("Dates", "10.00"))
        .await;
    let issued = noura.does(&draft, "issue").await;
    assert_eq!(
        (&draft["created"]["by"], &draft["created"]["actor"]),
        (&json!(SALEM_ID), &json!(NOURA_ID)),
        "the document says who acted: {draft}"
    );
    let history = format!(
        "{}/{}/history",
        crate::fixtures::gateway::DOCUMENTS,
        issued["documentKey"].as_str().unwrap()
    );
    let history = noura.get(&history).await.json;
    let told: Vec<_> = history["revisions"]
        .as_array()
        .expect("revisions")
        .iter()
        .map(|revision| ["by", "actor", "actorName"].map(|name| revision["event"][name].as_str()))
        .collect();
    assert_eq!(
        told,
        [
            [Some(NOURA_ID), Some(""), Some("")],
            [Some(SALEM_ID), Some(NOURA_ID), Some("Noura Al-Harbi")],
        ],
        "newest first: her own, and hers as Salem"
    );

    let attempt = Attempt::new(&service, "openid").with("id_token_hint", given.text("idToken"));
    let refused = Callback::of(&UserAgent::new(&service).get(&attempt.path()).await);
    assert_eq!(
        refused.error(),
        Some("invalid_request"),
        "its id_token is a hint at nobody"
    );
    let entries = audited(&service, Kind::Impersonated).await;
    assert_eq!(entries.len(), 1);
    assert_eq!(entries[0].subject.as_deref(), Some(SALEM_ID));
    assert_eq!(entries[0].actor.as_deref(), Some(NOURA_ID));
    assert_eq!(entries[0].organization.as_deref(), Some(HOME));

    service.clock.forward(3_600);
    assert_eq!(
        service.userinfo(token).await.status,
        StatusCode::UNAUTHORIZED,
        "an hour and no longer"
    );
    service.running.shutdown().await;
}

#[tokio::test]
async fn there_is_no_chain_no_administrator_and_nobody_of_another_organization_behind_it() {
    let service = with_administrator().await;
    let noura = signed_in(&service, NOURA).await;
    let given = noura.post(IMPERSONATE, json!({"userId": SALEM_ID})).await;
    let chained = Caller {
        site: &service,
        token: given.text("accessToken").to_owned(),
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
        let answer = noura.post(IMPERSONATE, json!({"userId": target})).await;
        assert_eq!(answer.status, StatusCode::FORBIDDEN, "{which}");
    }
    crate::fixtures::gateway::sql(
        &service,
        "INSERT INTO subjects (id, username, name, home_organization, password_hash)
         VALUES ('71', 'hana@andalus.example', 'Hana', '274893005', 'x'); \
         INSERT INTO grants VALUES ('71', '274893001', 'clerk')",
    )
    .await;
    for target in ["71", "310000000000000009", "nobody", ""] {
        let answer = noura.post(IMPERSONATE, json!({"userId": target})).await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND, "{target:?}");
        assert_eq!(reason(&answer.json), "USER_NOT_FOUND");
    }
    let refused = audited(&service, Kind::ImpersonationRefused).await;
    let (chains, others): (Vec<_>, Vec<_>) = refused
        .iter()
        .partition(|entry| entry.detail["reason"] == "a chain");
    assert_eq!(others.len(), 6, "each of them");
    assert_eq!(chains.len(), 1, "once, however often within a minute");
    assert_eq!(
        (chains[0].subject.as_deref(), chains[0].actor.as_deref()),
        (Some(SALEM_ID), Some(NOURA_ID)),
        "who was acted as, and who acts"
    );
    service.running.shutdown().await;
}

#[tokio::test]
async fn the_token_ends_with_the_administrator_and_stays_in_the_organization() {
    let service = with_administrator().await;
    service.grant(SALEM_ID, "274893002", "clerk").await;
    let noura = signed_in(&service, NOURA).await;
    let given = noura.post(IMPERSONATE, json!({"userId": SALEM_ID})).await;
    let salem = Caller {
        site: &service,
        token: given.text("accessToken").to_owned(),
    };
    let elsewhere = salem
        .request(reqwest::Method::POST, "/api/v1/simple/invoices/list")
        .header(service.names.organization_header(), "274893002")
        .json(&json!({}));
    assert_eq!(
        elsewhere.send().await.expect("an answer").status(),
        StatusCode::FORBIDDEN,
        "where the administrator is none"
    );
    let store = service.store().await;
    let entry = invoicing_storage::audit::Entry::new(0, Kind::UserDisabled);
    store
        .disable_subject(&NOURA_ID.into(), service.clock.now_ms(), &entry)
        .await
        .unwrap();
    store.close().await;
    assert_eq!(
        service.userinfo(&salem.token).await.status,
        StatusCode::UNAUTHORIZED
    );
    service.running.shutdown().await;
}

#[tokio::test]
async fn the_same_over_grpc() {
    let service = with_administrator().await;
    let noura = signed_in(&service, NOURA).await;
    let mut client = IdentityClient::new(channel(&service).await);
    let request = ImpersonateRequest {
        user_id: SALEM_ID.to_owned(),
    };
    let given = client.impersonate(noura.grpc(request)).await.unwrap();
    let token = given.into_inner().access_token;
    assert_eq!(
        service.userinfo(&token).await.json["act"],
        json!({"sub": NOURA_ID})
    );
    let request = CreateTenantRequest {
        name: "Nakheel".to_owned(),
        ..CreateTenantRequest::default()
    };
    let refused = client.create_tenant(noura.grpc(request)).await;
    assert_eq!(
        refused.expect_err("no profile").code(),
        tonic::Code::InvalidArgument
    );
    service.running.shutdown().await;
}

const ID: &str = "01935e2a-7c00-7000-8000-000000000001";
const OTHER_ID: &str = "01935e2a-7c00-7000-8000-000000000002";

/// The demo, with Noura an administrator of her home.
async fn with_administrator() -> Service {
    let service = Service::start().await;
    service.grant(NOURA_ID, HOME, "administrator").await;
    service
}

async fn signed_in<'service>(service: &'service Service, username: &str) -> Caller<'service> {
    let tokens = service.sign_in(username).await;
    Caller {
        site: service,
        token: tokens.text("access_token").to_owned(),
    }
}

/// A token of the machine user whose credentials an answer told, which asks for its home organization and nothing else.
async fn machine_token(service: &Service, told: &Answer) -> String {
    let scope = service.names.home_organization_scope();
    let form = [
        ("grant_type", "client_credentials"),
        ("client_id", told.text("clientId")),
        ("client_secret", told.text("clientSecret")),
        ("scope", scope),
    ];
    let answer = service.token(&form).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.body);
    answer.text("access_token").to_owned()
}

async fn introspect(service: &Service, token: &str) -> Value {
    let api = service.application(ApplicationKind::Api);
    let request = service
        .http
        .post(service.auth("/oauth/v2/introspect"))
        .basic_auth(&api.client_id, api.client_secret.as_deref())
        .form(&[("token", token)]);
    Answer::of(request.send().await.expect("an answer"))
        .await
        .json
}

async fn audited(service: &Service, kind: Kind) -> Vec<invoicing_storage::audit::Entry> {
    let store = service.store().await;
    let query = Query {
        kinds: vec![kind],
        size: 100,
        ..Query::default()
    };
    let page = store.audit(&query).await.expect("storage answers");
    store.close().await;
    page.into_iter().map(|recorded| recorded.entry).collect()
}

fn tenant(id: &str, domain: &str) -> Value {
    json!({"organizationId": id, "name": "Nakheel Dates", "nameAr": "تمور النخيل", "domain": domain, "profile": profile()})
}

fn profile() -> Value {
    json!({
        "currency": "SAR", "country": "SA", "timeZone": "Asia/Riyadh", "taxId": "310175397400003",
        "address": {"building": "1", "street": "King Fahd Road", "district": "Al Olaya", "city": "Riyadh", "postalCode": "12213"},
    })
}
