//! Tests of tenants and profiles through the gateway.

use crate::fixtures::gateway::{GatewayClient, channel, reason, violation_fields};
use crate::fixtures::{HESSA, HOME, NOURA, NOURA_ID, Response, SALEM_ID, Service};
use futures_util::future::join_all;
use invoicing_contract::messages::identity::identity_client::IdentityClient;
use invoicing_contract::messages::identity::{CreateTenantRequest, ImpersonateRequest};
use reqwest::StatusCode;
use serde_json::{Value, json};

pub(super) const TENANTS: &str = "/api/v2/admin/identity/tenants";
const COMPLETE: &str = "/api/v2/identity/profile:complete";
pub(super) const IMPERSONATE: &str = "/api/v2/admin/impersonate";

#[tokio::test]
async fn created_tenant_includes_a_machine_user_that_can_create_invoices() {
    let service = Service::start().await;
    let operator = signed_in(&service, HESSA).await;
    let created = operator.post(TENANTS, tenant(ID, "nakheel.example")).await;
    assert_eq!(created.status, StatusCode::OK, "{}", created.body);
    assert_eq!(created.json["tenant"]["organizationId"], json!(ID));
    assert_eq!(created.json["tenant"]["profile"]["currency"], json!("SAR"));

    let machine = GatewayClient {
        service: &service,
        token: machine_token(&service, &created).await,
    };
    let userinfo = service.userinfo(&machine.token).await;
    assert_eq!(
        userinfo.json[service.names.home_organization_id()],
        json!(ID)
    );
    machine
        .create_draft(crate::fixtures::gateway::invoice("Dates", "10.00"))
        .await;
    let refused = machine.post(TENANTS, tenant(OTHER_ID, "x.example")).await;
    assert_eq!(
        refused.status,
        StatusCode::FORBIDDEN,
        "a machine user is no administrator"
    );
    let foreign = machine
        .request(reqwest::Method::POST, "/api/v1/simple/invoices/list")
        .header(service.names.organization_header(), HOME)
        .json(&json!({}));
    let foreign = foreign.send().await.expect("a response").status();
    assert_eq!(
        foreign,
        StatusCode::FORBIDDEN,
        "other organizations are forbidden"
    );
    service.running.shutdown().await;
}

#[tokio::test]
async fn repeated_create_tenant_returns_already_exists() {
    let service = Service::start().await;
    let operator = signed_in(&service, HESSA).await;
    let attempts =
        join_all((0..8).map(|_| operator.post(TENANTS, tenant(ID, "nakheel.example")))).await;
    let (won, lost): (Vec<_>, Vec<_>) = attempts
        .iter()
        .partition(|response| response.status == StatusCode::OK);
    assert_eq!(won.len(), 1, "exactly one");
    for response in lost {
        assert_eq!(response.status, StatusCode::CONFLICT, "{}", response.body);
        assert_eq!(reason(&response.json), "TENANT_EXISTS");
        assert!(
            !response.body.contains("clientSecret"),
            "the secret is returned only once"
        );
    }
    let taken = operator
        .post(TENANTS, tenant(OTHER_ID, "NAKHEEL.example"))
        .await;
    assert_eq!(taken.status, StatusCode::CONFLICT, "{}", taken.body);
    assert_eq!(reason(&taken.json), "DOMAIN_TAKEN");
    let store = service.store().await;
    assert_eq!(store.organizations().await.unwrap().len(), 7, "one more");
    assert_eq!(store.organization(&OTHER_ID.into()).await.unwrap(), None);
    service.running.shutdown().await;
}

#[tokio::test]
async fn invalid_tenant_reports_every_violation() {
    let service = Service::start().await;
    let operator = signed_in(&service, HESSA).await;
    let wrong = json!({
        "organizationId": "274", "name": " ", "domain": "no domain",
        "profile": {"currency": "SAR1", "country": "Saudi", "timeZone": "Riyadh", "address": {"city": "a\nb"}},
    });
    let response = operator.post(TENANTS, wrong).await;
    assert_eq!(
        response.status,
        StatusCode::BAD_REQUEST,
        "{}",
        response.body
    );
    assert_eq!(
        violation_fields(&response),
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
    let mut saudi = tenant(ID, "nakheel.example");
    saudi["profile"]["address"]["building"] = json!("1");
    saudi["profile"]["address"]["postalCode"] = json!("122");
    saudi["profile"]["registrationNumber"] = json!({"scheme": "CRN"});
    assert_eq!(
        violation_fields(&operator.post(TENANTS, saudi).await),
        [
            "profile.registrationNumber.value",
            "profile.address.building",
            "profile.address.postalCode",
        ]
    );
    service.running.shutdown().await;
}

#[tokio::test]
async fn complete_profile_returns_credentials_exactly_once() {
    let service = with_administrator().await;
    let noura = signed_in(&service, NOURA).await;
    let profile = json!({"profile": profile()});
    let completed = noura.post(COMPLETE, profile.clone()).await;
    assert_eq!(completed.status, StatusCode::OK, "{}", completed.body);
    assert_eq!(completed.json["tenant"]["organizationId"], json!(HOME));
    let machine = GatewayClient {
        service: &service,
        token: machine_token(&service, &completed).await,
    };
    machine
        .create_draft(crate::fixtures::gateway::invoice("Dates", "10.00"))
        .await;

    let again = noura.post(COMPLETE, profile).await;
    assert_eq!(again.status, StatusCode::CONFLICT, "{}", again.body);
    assert_eq!(reason(&again.json), "PROFILE_COMPLETE");
    service.running.shutdown().await;
}

#[tokio::test]
async fn administration_operations_require_the_administrator_role() {
    let service = Service::start().await;
    let noura = signed_in(&service, NOURA).await;
    for (path, body) in [
        (TENANTS, tenant(ID, "nakheel.example")),
        (COMPLETE, json!({"profile": profile()})),
        (IMPERSONATE, json!({"userId": SALEM_ID})),
    ] {
        let response = noura.post(path, body).await;
        assert_eq!(response.status, StatusCode::FORBIDDEN, "{path}");
        assert_eq!(response.json["details"], json!([]), "{path}");
    }
    service.running.shutdown().await;
}

#[tokio::test]
async fn identity_operations_over_grpc_match_rest() {
    let service = with_administrator().await;
    let noura = signed_in(&service, NOURA).await;
    let mut client = IdentityClient::new(channel(&service).await);
    let request = ImpersonateRequest {
        user_id: SALEM_ID.to_owned(),
    };
    let impersonation = client.impersonate(noura.grpc(request)).await.unwrap();
    let token = impersonation.into_inner().access_token;
    assert_eq!(
        service.userinfo(&token).await.json["act"],
        json!({"sub": NOURA_ID})
    );
    let request = CreateTenantRequest {
        name: "Nakheel".to_owned(),
        ..CreateTenantRequest::default()
    };
    let operator = signed_in(&service, HESSA).await;
    let refused = client.create_tenant(operator.grpc(request)).await;
    assert_eq!(
        refused.expect_err("no profile").code(),
        tonic::Code::InvalidArgument
    );
    service.running.shutdown().await;
}

pub(super) const ID: &str = "01935e2a-7c00-7000-8000-000000000001";
const OTHER_ID: &str = "01935e2a-7c00-7000-8000-000000000002";

/// A service with the demo seed where Noura is an administrator of her home organization.
pub(super) async fn with_administrator() -> Service {
    let service = Service::start().await;
    service.grant(NOURA_ID, HOME, "administrator").await;
    service
}

pub(super) async fn signed_in<'service>(
    service: &'service Service,
    username: &str,
) -> GatewayClient<'service> {
    let tokens = service.sign_in(username).await;
    GatewayClient {
        service,
        token: tokens.text("access_token").to_owned(),
    }
}

/// An access token with the home organization scope, for the client credentials in `credentials`.
async fn machine_token(service: &Service, credentials: &Response) -> String {
    let scope = service.names.home_organization_scope();
    let form = [
        ("grant_type", "client_credentials"),
        ("client_id", credentials.text("clientId")),
        ("client_secret", credentials.text("clientSecret")),
        ("scope", scope),
    ];
    let response = service.token(&form).await;
    assert_eq!(response.status, StatusCode::OK, "{}", response.body);
    response.text("access_token").to_owned()
}

pub(super) fn tenant(id: &str, domain: &str) -> Value {
    json!({"organizationId": id, "name": "Nakheel Dates", "nameAr": "تمور النخيل", "domain": domain, "profile": profile()})
}

pub(super) fn profile() -> Value {
    json!({
        "currency": "SAR", "country": "SA", "timeZone": "Asia/Riyadh", "taxId": "310175397400003",
        "address": {"building": "7421", "street": "King Fahd Road", "district": "Al Olaya", "city": "Riyadh", "postalCode": "12213"},
        "registrationNumber": {"scheme": "CRN", "value": "1010175397"},
    })
}
