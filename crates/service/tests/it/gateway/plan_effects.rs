//! Tests of what a plan allows: the next request of its tenant, at every process.

use invoicing_contract::Status;
use invoicing_contract::messages::documents::{
    CreateDocumentRequest, DocumentChanges, DocumentContent, Invoice, Kind,
};
use invoicing_contract::messages::plans::GetOwnPlanRequest;
use invoicing_contract::messages::plans::plans_client::PlansClient;
use invoicing_contract::messages::simple::ListInvoicesRequest;
use serde_json::{Value, json};
use tonic::Code;

use super::identity::signed_in;
use super::plans::{LIST, OWN, assigned, detail, is_permission_denied, text, update};
use super::users::administrator;
use crate::fixtures::gateway::{
    DOCUMENTS, GatewayClient, channel, document_changes, documents_client, invoice,
    invoices_client, reason,
};
use crate::fixtures::process::Process;
use crate::fixtures::{HESSA, NOURA, NOURA_ID, SALEM, SALEM_ID, Service, ServiceFolder};

#[tokio::test]
async fn plan_decides_about_the_next_request_at_every_process() {
    let folder = ServiceFolder::new();
    let first = Process::start(&folder, &[]).await;
    let second = Process::start(&folder, &[]).await;
    let tokens = first.client.sign_in(HESSA).await;
    let operator = GatewayClient {
        service: &first.client,
        token: tokens.text("access_token").to_owned(),
    };
    let tokens = first.client.sign_in(SALEM).await;
    let token = tokens.text("access_token");
    let statuses = async || {
        let first = first.client.list_status(token, None).await.as_u16();
        (first, second.client.list_status(token, None).await.as_u16())
    };
    assert_eq!(statuses().await, (200, 200));
    let plan = assigned(&operator, json!({"requestsPerMinute": 0}), json!({})).await;
    assert_eq!(statuses().await, (429, 429), "the next request of each");
    let lifted = update(&operator, &plan, json!({"plan": {"name": "Basic"}})).await;
    assert_eq!(lifted.status, 200, "{}", lifted.body);
    assert_eq!(statuses().await, (200, 200));
    let limits = "/api/v2/admin/identity/tenants/274893001:setLimits";
    let own = json!({"limits": {"requestsPerMinute": 0}});
    assert_eq!(operator.post(limits, own).await.status, 200);
    assert_eq!(statuses().await, (429, 429), "the tenant's own");
}

#[tokio::test]
async fn missing_entitlement_is_refused_with_the_body_of_every_403() {
    let service = Service::start().await;
    let operator = signed_in(&service, HESSA).await;
    let noura = signed_in(&service, NOURA).await;
    let machine = GatewayClient::new(&service).await;
    let draft = noura.create_draft(invoice("before the plan", "10")).await;
    let issued = noura.create_draft(invoice("before the plan", "10")).await;
    let issued = noura.perform(&issued, "issue").await;
    let entitlements = json!({
        "documentKinds": {"values": ["INVOICE"]}, "languages": {"values": ["ar"]}, "apiAccess": false,
    });
    let plan = assigned(&operator, json!({}), entitlements.clone()).await;

    // API access: every call of a machine user, and none of a person.
    for response in [
        machine.post(LIST, json!({})).await,
        machine.get("/api/nowhere").await,
    ] {
        assert!(is_permission_denied(&response), "{}", response.body);
    }
    let mut invoices = invoices_client(&service).await;
    let refused = invoices.list_invoices(machine.grpc(ListInvoicesRequest::default()));
    let refused = refused.await.expect_err("no API access");
    let expected = Status::permission_denied();
    assert_eq!(
        (refused.code(), refused.message(), refused.details()),
        (Code::PermissionDenied, &*expected.message, &[][..])
    );
    assert_eq!(noura.post(LIST, json!({})).await.status, 200);

    // Content: before its rules, after the JSON.
    let arabic = json!({"buyer": {"name": {"ar": "شركة النخيل"}}});
    let mut credit_note = arabic.clone();
    credit_note["kind"] = json!("CREDIT_NOTE");
    for (content, denied) in [
        (arabic, false),
        (credit_note, true),
        (invoice("English", "10"), true),
    ] {
        let response = noura.post(DOCUMENTS, document_changes(&content)).await;
        assert_eq!(is_permission_denied(&response), denied, "{}", response.body);
        assert!(denied || reason(&response.json) == "INVALID_INVOICE");
    }
    let english = json!({"plan": {"entitlements": {"documentKinds": {"values": ["INVOICE"]},
        "languages": {"values": ["en"]}, "apiAccess": false}}, "updateMask": "entitlements"});
    let english = update(&operator, &plan, english).await.json;
    for (note, denied) in [("", false), ("ملاحظة", true)] {
        let content = json!({"note": "ملاحظة", "noteAr": note});
        let response = noura.post(DOCUMENTS, document_changes(&content)).await;
        assert_eq!(is_permission_denied(&response), denied, "{}", response.body);
    }
    let arabic = json!({"plan": {"entitlements": entitlements}, "updateMask": "entitlements"});
    let plan = update(&operator, &english, arabic).await.json;
    let malformed = noura.post(DOCUMENTS, json!({"nonsense": 1})).await;
    assert_eq!(reason(&malformed.json), "MALFORMED_BODY");
    let debit_note = Invoice {
        kind: Kind::DebitNote.into(),
        ..Invoice::default()
    };
    let request = CreateDocumentRequest {
        changes: Some(DocumentChanges {
            content: Some(DocumentContent {
                invoice: Some(debit_note),
            }),
        }),
        ..CreateDocumentRequest::default()
    };
    let mut documents = documents_client(&service).await;
    let refused = documents.create_document(noura.grpc(request)).await;
    let refused = refused.expect_err("another kind");
    assert_eq!(
        (refused.code(), refused.details()),
        (Code::PermissionDenied, &[][..])
    );
    // What was written before: it is not issued, and stays readable, freezable and deletable.
    let response = noura.try_perform(&draft, "issue").await;
    assert!(is_permission_denied(&response), "{}", response.body);
    noura.perform(&issued, "freeze").await;
    let all = update(&operator, &plan, json!({"plan": {"name": "Everything"}})).await;
    assert_eq!(all.status, 200, "{}", all.body);
    noura.perform(&draft, "issue").await;
    assert_eq!(machine.post(LIST, json!({})).await.status, 200);
    service.running.shutdown().await;
}

#[tokio::test]
async fn limits_of_a_plan_are_429_with_details_and_a_tenant_reads_its_own_plan() {
    let service = Service::start().await;
    let operator = signed_in(&service, HESSA).await;
    let noura = signed_in(&service, NOURA).await;
    let without = noura.get(OWN).await;
    assert_eq!(
        (&without.json.get("plan"), &without.json["ownLimits"]),
        (&None, &json!({})),
        "{}",
        without.body
    );
    assert_eq!(without.json["entitlements"], json!({}));
    let limits = json!({"monthlyDocuments": 1, "users": 5, "requestsPerMinute": 1000});
    let plan = assigned(&operator, limits.clone(), json!({})).await;
    noura.create_draft(invoice("one", "10")).await;
    let refused = noura.post(DOCUMENTS, json!({})).await;
    assert_eq!(
        (refused.status.as_u16(), reason(&refused.json)),
        (429, "PLAN_LIMIT".to_owned())
    );
    let expected =
        json!([{"subject": "organization:274893001", "description": "1 documents in a month"}]);
    assert_eq!(detail(&refused, "QuotaFailure")["violations"], expected);
    assert!(detail(&refused, "RetryInfo")["retryDelay"].is_string());
    assert!(!refused.header("retry-after").is_empty());
    let mut documents = documents_client(&service).await;
    let request = CreateDocumentRequest::default();
    let over_grpc = documents.create_document(noura.grpc(request)).await;
    let over_grpc = over_grpc.expect_err("the limit is reached");
    let mut over_rest: Status = serde_json::from_str(&refused.body).expect("a Status");
    let mut over_grpc = Status::from(&over_grpc);
    for status in [&mut over_rest, &mut over_grpc] {
        status.details.sort_by_key(|detail| format!("{detail:?}"));
    }
    assert_eq!(over_grpc, over_rest, "the same in both protocols");

    let own = noura.get(OWN).await.json;
    assert_eq!((&own["plan"], &own["limits"]), (&plan, &limits));
    assert_eq!(own["usage"]["documents"], json!("1"));
    let users: i64 = text(&own["usage"], "users").parse().expect("a number");
    let people = service
        .folder
        .count("SELECT count(*) FROM subjects WHERE password_hash IS NOT NULL AND home_organization = '274893001'")
        .await;
    assert_eq!(users, people);
    let requests: i64 = text(&own["usage"], "requests").parse().expect("a number");
    assert!((1..=1000).contains(&requests), "{requests}");
    let path = "/api/v2/admin/identity/tenants/274893001/plan";
    assert_eq!(operator.get(path).await.json["plan"], plan);
    let mut client = PlansClient::new(channel(&service).await);
    let over_grpc = client.get_own_plan(noura.grpc(GetOwnPlanRequest {})).await;
    let over_grpc = over_grpc.expect("every member reads it").into_inner();
    assert_eq!(
        over_grpc.plan.map(|plan| plan.plan_id),
        Some(text(&plan, "planId"))
    );

    let none = json!({"updateMask": "limits.requestsPerMinute", "plan": {"limits": {"requestsPerMinute": 0}}});
    let none = update(&operator, &plan, none).await;
    assert_eq!(none.status, 200, "{}", none.body);
    let refused = noura.get(OWN).await;
    assert_eq!(
        (refused.status.as_u16(), reason(&refused.json)),
        (429, "RATE_LIMIT".to_owned()),
        "0 allows nothing"
    );
    assert_eq!(refused.header("retry-after"), "60");
    let description = &detail(&refused, "QuotaFailure")["violations"][0]["description"];
    assert_eq!(description, "0 requests in a minute");
    service.running.shutdown().await;
}

#[tokio::test]
async fn person_above_the_limit_of_users_is_429_until_the_plan_allows_another() {
    let service = Service::start().await;
    let operator = signed_in(&service, HESSA).await;
    let noura = administrator(&service).await;
    let own = noura.get(OWN).await.json;
    let users: i64 = text(&own["usage"], "users").parse().expect("a number");
    let plan = assigned(&operator, json!({"users": users}), json!({})).await;
    let invitation = json!({"username": "amal@palms.example", "name": "Amal", "roles": ["clerk"]});
    let invite = "/api/v2/admin/identity/users:invite";
    let refused = noura.post(invite, invitation.clone()).await;
    assert_eq!(
        (refused.status.as_u16(), reason(&refused.json)),
        (429, "PLAN_LIMIT".to_owned()),
        "{}",
        refused.body
    );
    let expected =
        json!([{"subject": "organization:274893001", "description": format!("{users} users")}]);
    assert_eq!(detail(&refused, "QuotaFailure")["violations"], expected);
    assert_eq!(refused.header("retry-after"), "60");
    let listed = noura.get(OWN).await.json;
    assert_eq!(text(&listed["usage"], "users"), users.to_string());

    let grant = json!({"userId": NOURA_ID, "role": "clerk"});
    let granted = noura
        .post("/api/v2/admin/identity/users:grantRole", grant)
        .await;
    assert_eq!(granted.status, 200, "counted already: {}", granted.body);
    let raised = json!({"plan": {"name": "Basic", "limits": {"users": users + 1}}});
    let raised = update(&operator, &plan, raised).await;
    assert_eq!(raised.status, 200, "{}", raised.body);
    let invited = noura.post(invite, invitation).await;
    assert_eq!(invited.status, 200, "{}", invited.body);
    service.running.shutdown().await;
}

#[tokio::test]
async fn person_is_not_enabled_while_another_organization_is_full_and_nothing_names_it() {
    let service = Service::start().await;
    let operator = signed_in(&service, HESSA).await;
    let noura = administrator(&service).await;
    service.grant(SALEM_ID, "274893002", "viewer").await;
    let salem = format!("/api/v2/admin/identity/users/{SALEM_ID}");
    let disabled = noura.post(&format!("{salem}:disable"), json!({})).await;
    assert_eq!(disabled.json["state"], "DISABLED", "{}", disabled.body);
    let limit = async |limits: Value| {
        let path = "/api/v2/admin/identity/tenants/274893002:setLimits";
        let set = operator.post(path, json!({"limits": limits})).await;
        assert_eq!(set.status, 200, "{}", set.body);
    };
    let enable = async || noura.post(&format!("{salem}:enable"), json!({})).await;

    limit(json!({"users": 0})).await;
    let refused = enable().await;
    assert_eq!(
        (refused.status.as_u16(), &*reason(&refused.json)),
        (400, "USER_LIMIT_ELSEWHERE"),
        "{}",
        refused.body
    );
    for name in ["274893002", "gulfpearl", "Gulf"] {
        assert!(!refused.body.contains(name), "{}", refused.body);
    }
    let found = noura.get(&salem).await;
    assert_eq!(found.json["state"], "DISABLED", "{}", found.body);

    limit(json!({})).await;
    let enabled = enable().await;
    assert_eq!(enabled.json["state"], "ACTIVE", "{}", enabled.body);
    service.running.shutdown().await;
}
