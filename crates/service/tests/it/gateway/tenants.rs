//! Tests of tenants as records through the gateway: changes, states, history, pages (decision 0114).

use invoicing_contract::FieldMask;
use invoicing_contract::messages::identity::tenants_client::TenantsClient;
use invoicing_contract::messages::identity::{
    DisableTenantRequest, EnableTenantRequest, GetOwnTenantRequest, GetTenantHistoryRequest,
    ListTenantsRequest, TenantChanges, UpdateTenantRequest,
};
use invoicing_storage::audit::AuditEventKind;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use super::identity::{TENANTS, signed_in};
use super::platform::audited;
use crate::fixtures::gateway::{GatewayClient, channel, invoice, reason, violation_fields};
use crate::fixtures::{HESSA, HESSA_ID, HOME, NOURA, NOURA_ID, OPERATOR, Response, Service};

const LIST: &str = "/api/v1/simple/invoices/list";
pub(super) const OWN: &str = "/api/v2/identity/tenant";
const GULF_PEARL: &str = "274893002";

pub(super) async fn send(
    client: &GatewayClient<'_>,
    method: Method,
    path: &str,
    organization: Option<&str>,
    body: Option<Value>,
) -> Response {
    let mut request = client.request(method, path);
    if let Some(organization) = organization {
        request = request.header(client.service.names.organization_header(), organization);
    }
    if let Some(body) = body {
        request = request.json(&body);
    }
    Response::read(request.send().await.expect("a response")).await
}

pub(super) async fn patch(client: &GatewayClient<'_>, path: &str, body: Value) -> Response {
    send(client, Method::PATCH, path, None, Some(body)).await
}

#[tokio::test]
async fn changed_tenant_is_the_seller_of_new_documents_and_its_history_tells_who_changed_what() {
    let service = Service::start().await;
    let operator = signed_in(&service, HESSA).await;
    let noura = signed_in(&service, NOURA).await;
    let path = format!("{TENANTS}/{HOME}");
    let read = operator.get(&path).await;
    assert_eq!(read.status, StatusCode::OK, "{}", read.body);
    assert_eq!(read.json["state"], json!("ACTIVE"));
    let before = read.json["profile"]["taxId"].clone();
    let draft = noura.create_draft(invoice("Dates", "10.00")).await;
    let issued = noura.perform(&draft, "issue").await;
    let waiting = noura.create_draft(invoice("Dates", "10.00")).await;

    let update = |stamp: &Value, validate_only: bool| {
        json!({
            "tenant": {"taxId": "399999999900003", "address": {"street": "Olaya Street"}, "name": "Ignored"},
            "updateMask": "taxId,address.street",
            "concurrencyStamp": stamp,
            "validateOnly": validate_only,
        })
    };
    let stamp = &read.json["concurrencyStamp"];
    let checked = patch(&operator, &path, update(stamp, true)).await;
    assert_eq!(checked.status, StatusCode::OK, "{}", checked.body);
    assert_eq!(
        operator.get(&path).await.json,
        read.json,
        "nothing is written"
    );
    let updated = patch(&operator, &path, update(stamp, false)).await;
    assert_eq!(updated.status, StatusCode::OK, "{}", updated.body);
    assert_eq!(updated.json["name"], read.json["name"], "not in the mask");
    assert_eq!(updated.json["profile"]["taxId"], json!("399999999900003"));
    assert_eq!(operator.get(&path).await.json, updated.json);
    let stale = patch(&operator, &path, update(stamp, false)).await;
    assert_eq!(stale.status, StatusCode::CONFLICT, "{}", stale.body);
    assert_eq!(reason(&stale.json), "STAMP_MISMATCH");

    let seller = |document: &Value| document["content"]["invoice"]["seller"]["taxId"].clone();
    let key = issued["documentKey"].as_str().expect("a key");
    let kept = noura.get(&format!("/api/v2/documents/{key}")).await;
    assert_eq!(seller(&kept.json), before, "an issued document");
    let new = noura.create_draft(invoice("Dates", "10.00")).await;
    for draft in [new, waiting] {
        let issued = noura.perform(&draft, "issue").await;
        assert_eq!(seller(&issued), json!("399999999900003"));
    }

    let history = operator.get(&format!("{path}/history")).await;
    assert_eq!(history.status, StatusCode::OK, "{}", history.body);
    let revision = &history.json["items"][0];
    assert_eq!(
        (&revision["actor"], &revision["action"]),
        (&json!(HESSA_ID), &json!("UPDATED"))
    );
    assert_eq!(
        revision["changes"],
        json!([
            {"field": "profile.taxId", "before": before, "after": "399999999900003"},
            {"field": "profile.address.street", "before": "King Fahd Road", "after": "Olaya Street"},
        ])
    );
    let events = audited(&service, AuditEventKind::TenantChanged).await;
    assert_eq!(
        events[0].detail["fields"],
        "profile.taxId profile.address.street"
    );

    let invalid = json!({
        "tenant": {"name": " ", "timeZone": "Riyadh", "taxId": "1\n2", "address": {}},
        "updateMask": "*",
    });
    let invalid = patch(&operator, &path, invalid).await;
    assert_eq!(
        violation_fields(&invalid),
        [
            "tenant.name",
            "tenant.nameAr",
            "tenant.timeZone",
            "tenant.taxId",
            "tenant.address.street",
            "tenant.address.city",
            "concurrencyStamp",
        ]
    );

    // A program that does not know the registration number sends neither it nor a mask (decision 0184).
    let (new, profile) = (&updated.json, &updated.json["profile"]);
    let mut unaware = json!({
        "tenant": {"name": new["name"], "nameAr": new["nameAr"], "timeZone": profile["timeZone"], "taxId": profile["taxId"],
            "address": profile["address"]},
        "concurrencyStamp": new["concurrencyStamp"],
    });
    let kept = patch(&operator, &path, unaware.clone()).await;
    assert_eq!(kept.json["profile"], *profile, "{}", kept.body);
    // The path of all fields removes what is absent (decision 0129).
    unaware["concurrencyStamp"] = kept.json["concurrencyStamp"].clone();
    unaware["updateMask"] = json!("*");
    let removed = patch(&operator, &path, unaware).await;
    assert_eq!(removed.status, StatusCode::OK, "{}", removed.body);
    assert!(profile["registrationNumber"].is_object(), "{profile}");
    assert_eq!(removed.json["profile"]["registrationNumber"], Value::Null);
    service.running.shutdown().await;
}

#[tokio::test]
async fn administrator_changes_neither_the_tax_number_of_its_own_tenant_nor_another_tenant() {
    let service = super::identity::with_administrator().await;
    let noura = signed_in(&service, NOURA).await;
    let read = noura.get(OWN).await;
    assert_eq!(read.status, StatusCode::OK, "{}", read.body);
    assert_eq!(read.json["organizationId"], json!(HOME));
    let stamp = &read.json["concurrencyStamp"];
    let address = json!({"tenant": {"address": {"street": "Olaya Street"}}, "updateMask": "address.street", "concurrencyStamp": stamp});
    let updated = patch(&noura, OWN, address).await;
    assert_eq!(updated.status, StatusCode::OK, "{}", updated.body);
    assert_eq!(
        updated.json["profile"]["address"],
        json!({"building": "7421", "street": "Olaya Street", "district": "Al Olaya", "city": "Riyadh", "postalCode": "12213"})
    );
    let tax_id = json!({"tenant": {"taxId": "399999999900003"}, "concurrencyStamp": stamp});
    let refused = patch(&noura, OWN, tax_id).await;
    assert_eq!(violation_fields(&refused), ["tenant.taxId"]);
    let history = noura.get(&format!("{OWN}/history")).await;
    assert_eq!(
        history.json["items"][0]["actor"],
        json!(NOURA_ID),
        "{}",
        history.body
    );

    // Of another tenant, in which she is a clerk, and through the operations of operators.
    let foreign = send(&noura, Method::GET, OWN, Some(GULF_PEARL), None).await;
    assert_eq!(foreign.status, StatusCode::FORBIDDEN);
    let foreign = noura.get(&format!("{TENANTS}/{GULF_PEARL}")).await;
    assert_eq!(foreign.status, StatusCode::FORBIDDEN);
    let foreign = noura.get(&format!("{TENANTS}/{HOME}/history")).await;
    assert_eq!(foreign.status, StatusCode::FORBIDDEN);
    service.running.shutdown().await;
}

#[tokio::test]
async fn disabled_tenant_is_not_resolved_from_the_next_request_on() {
    let service = Service::start().await;
    let operator = signed_in(&service, HESSA).await;
    let noura = signed_in(&service, NOURA).await;
    let machine = GatewayClient::new(&service).await;
    let path = format!("{TENANTS}/{HOME}");
    for verb in ["disable", "disable"] {
        let disabled = operator.post(&format!("{path}:{verb}"), json!({})).await;
        assert_eq!(disabled.status, StatusCode::OK, "{}", disabled.body);
        assert_eq!(disabled.json["state"], json!("DISABLED"));
        assert!(
            disabled.json["disabledTime"].is_string(),
            "{}",
            disabled.body
        );
    }
    for client in [&noura, &machine] {
        let unresolved = client.post(LIST, json!({})).await;
        assert_eq!(unresolved.status, StatusCode::SERVICE_UNAVAILABLE);
        assert_eq!(
            (&*unresolved.body, unresolved.header("retry-after")),
            ("", "1")
        );
    }
    let elsewhere = service.list_status(&noura.token, Some(GULF_PEARL)).await;
    assert_eq!(
        elsewhere,
        StatusCode::OK,
        "another organization of the person"
    );
    let userinfo = service.userinfo(&noura.token).await;
    assert_eq!(userinfo.status, StatusCode::OK, "the token stays valid");
    let read = operator.get(&path).await;
    assert_eq!(read.json["state"], json!("DISABLED"), "an operator sees it");

    let enabled = operator.post(&format!("{path}:enable"), json!({})).await;
    assert_eq!(enabled.json["state"], json!("ACTIVE"), "{}", enabled.body);
    assert_eq!(noura.post(LIST, json!({})).await.status, StatusCode::OK);
    let history = operator.get(&format!("{path}/history?pageSize=1")).await;
    assert_eq!(history.json["items"][0]["action"], json!("ENABLED"));
    let token = history.text("nextPageToken");
    let next = format!("{path}/history?pageSize=1&pageToken={token}");
    let next = operator.get(&next).await;
    assert_eq!(
        next.json["items"][0]["action"],
        json!("DISABLED"),
        "{}",
        next.body
    );
    let other = format!("{TENANTS}/{GULF_PEARL}/history?pageToken={token}");
    assert_eq!(violation_fields(&operator.get(&other).await), ["pageToken"]);
    assert_eq!(
        audited(&service, AuditEventKind::TenantDisabled)
            .await
            .len(),
        1
    );

    let own = operator
        .post(&format!("{TENANTS}/{OPERATOR}:disable"), json!({}))
        .await;
    assert_eq!(own.status, StatusCode::BAD_REQUEST, "{}", own.body);
    assert_eq!(reason(&own.json), "OPERATOR_TENANT");
    service.running.shutdown().await;
}

#[tokio::test]
async fn tenants_over_grpc_are_those_of_rest() {
    let service = Service::start().await;
    let operator = signed_in(&service, HESSA).await;
    let mut client = TenantsClient::new(channel(&service).await);
    let list = ListTenantsRequest {
        page_size: 1,
        ..ListTenantsRequest::default()
    };
    let page = client
        .list_tenants(operator.grpc(list))
        .await
        .unwrap()
        .into_inner();
    assert_eq!(
        (page.items.len(), page.next_page_token.is_empty()),
        (1, false)
    );
    let tenant = &page.items[0];
    assert_eq!(tenant.organization_id, HOME);
    let stale = UpdateTenantRequest {
        organization_id: HOME.to_owned(),
        tenant: Some(TenantChanges {
            tax_id: "399999999900003".to_owned(),
            ..TenantChanges::default()
        }),
        concurrency_stamp: "stale".to_owned(),
        update_mask: Some(FieldMask::of(["tax_id"])),
        validate_only: false,
    };
    let stale = client.update_tenant(operator.grpc(stale)).await;
    assert_eq!(stale.expect_err("stale").code(), tonic::Code::Aborted);
    let organization_id = HOME.to_owned();
    let disable = DisableTenantRequest { organization_id };
    client.disable_tenant(operator.grpc(disable)).await.unwrap();
    let noura = signed_in(&service, NOURA).await;
    let own = client
        .get_own_tenant(noura.grpc(GetOwnTenantRequest {}))
        .await;
    let unresolved = own.expect_err("the tenant is disabled");
    assert_eq!(unresolved.code(), tonic::Code::Unavailable);
    let organization_id = HOME.to_owned();
    let enable = EnableTenantRequest { organization_id };
    let enabled = client.enable_tenant(operator.grpc(enable)).await.unwrap();
    assert!(enabled.into_inner().disabled_time.is_none());
    let history = GetTenantHistoryRequest {
        organization_id: HOME.to_owned(),
        ..GetTenantHistoryRequest::default()
    };
    let history = client
        .get_tenant_history(operator.grpc(history))
        .await
        .unwrap();
    assert_eq!(history.into_inner().items.len(), 2);
    service.running.shutdown().await;
}
