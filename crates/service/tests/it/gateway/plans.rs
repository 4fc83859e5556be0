//! Tests of plans: an operator edits and assigns them, and they decide about the next request of a tenant.

use invoicing_contract::messages::documents::{
    CreateDocumentRequest, DocumentChanges, DocumentContent, Invoice, Kind,
};
use invoicing_contract::messages::plans::plans_client::PlansClient;
use invoicing_contract::messages::plans::{
    AssignPlanRequest, DeletePlanRequest, GetOwnPlanRequest, Limits, ListPlansRequest, Plan,
    UpdatePlanRequest,
};
use invoicing_contract::messages::simple::ListInvoicesRequest;
use invoicing_contract::{FieldMask, Status};
use invoicing_storage::audit::AuditEventKind;
use reqwest::Method;
use serde_json::{Value, json};
use tonic::Code;

use super::identity::signed_in;
use super::platform::audited;
use super::statuses::requests::new_key;
use crate::fixtures::gateway::{
    GatewayClient, channel, document_changes, documents_client, invoice, invoices_client, reason,
    violation_fields,
};
use crate::fixtures::process::Process;
use crate::fixtures::{HESSA, HESSA_ID, HOME, NOURA, Response, SALEM, Service, ServiceFolder};

const PLANS: &str = "/api/v2/admin/plans";
const OWN: &str = "/api/v2/plan";
const LIST: &str = "/api/v1/simple/invoices/list";
const DOCUMENTS: &str = "/api/v2/documents";
const ASSIGN: &str = "/api/v2/admin/identity/tenants/274893001:assignPlan";

/// Creates a plan and assigns it to the home organization of the demo.
async fn assigned(operator: &GatewayClient<'_>, limits: Value, entitlements: Value) -> Value {
    let plan = json!({"name": "Basic", "limits": limits, "entitlements": entitlements});
    let created = operator.post(PLANS, json!({"plan": plan})).await;
    assert_eq!(created.status, 200, "{}", created.body);
    let assignment = json!({"planId": created.json["planId"]});
    let assigned = operator.post(ASSIGN, assignment).await;
    assert_eq!(assigned.status, 200, "{}", assigned.body);
    assert_eq!(assigned.json["plan"], created.json);
    created.json
}

async fn update(operator: &GatewayClient<'_>, plan: &Value, request: Value) -> Response {
    let mut request = request;
    request["concurrencyStamp"] = plan["concurrencyStamp"].clone();
    let path = format!("{PLANS}/{}", plan["planId"].as_str().expect("an id"));
    let request = operator.request(Method::PATCH, &path).json(&request);
    Response::read(request.send().await.expect("a response")).await
}

/// The details of a type in a response.
fn detail<'a>(response: &'a Response, name: &str) -> &'a Value {
    let kind = format!("type.googleapis.com/google.rpc.{name}");
    let details = response.json["details"].as_array().expect("details");
    details
        .iter()
        .find(|detail| detail["@type"] == kind)
        .unwrap_or_else(|| panic!("{name} in {}", response.body))
}

/// The body of every 403.
fn is_permission_denied(response: &Response) -> bool {
    let body = serde_json::to_value(Status::permission_denied()).expect("a Status has a JSON form");
    response.status == 403 && response.json == body
}

#[tokio::test]
async fn operator_edits_a_plan_over_both_protocols() {
    let service = Service::start().await;
    let operator = signed_in(&service, HESSA).await;
    let mut client = PlansClient::new(channel(&service).await);
    let id = new_key();
    let mut request = json!({"planId": id, "validateOnly": true, "plan": {
        "name": "Basic", "nameAr": "الأساسية",
        "limits": {"monthlyDocuments": 100, "users": 0},
        "entitlements": {"documentKinds": {"values": ["INVOICE"]}, "languages": {"values": []}, "apiAccess": false},
    }});
    let valid = operator.post(PLANS, request.clone()).await;
    assert_eq!(valid.status, 200, "{}", valid.body);
    let path = format!("{PLANS}/{id}");
    assert_eq!(operator.get(&path).await.status, 404, "nothing is written");
    request["validateOnly"] = json!(false);
    let created = operator.post(PLANS, request.clone()).await.json;
    assert_eq!(created["entitlements"], request["plan"]["entitlements"]);
    assert_eq!(created["limits"], request["plan"]["limits"]);
    for validate_only in [true, false] {
        request["validateOnly"] = json!(validate_only);
        let again = operator.post(PLANS, request.clone()).await;
        assert_eq!(reason(&again.json), "PLAN_EXISTS", "{validate_only}");
    }
    assert_eq!(operator.get(&path).await.json, created);

    // A mask changes what it names; without one everything is replaced.
    let masked = json!({"updateMask": "limits.users,name", "plan": {"name": "Small", "limits": {"users": 3}}});
    let masked = update(&operator, &created, masked).await;
    assert_eq!(masked.status, 200, "{}", masked.body);
    assert_eq!(
        masked.json["limits"],
        json!({"monthlyDocuments": 100, "users": 3})
    );
    assert_eq!(masked.json["entitlements"], created["entitlements"]);
    let stale = update(&operator, &created, json!({"plan": {"name": "Late"}})).await;
    assert_eq!(reason(&stale.json), "STAMP_MISMATCH");
    let wrong = json!({"updateMask": "limits.days,planId", "plan": {}});
    let wrong = update(&operator, &masked.json, wrong).await;
    assert_eq!(
        violation_fields(&wrong),
        ["updateMask.paths[0]", "updateMask.paths[1]"]
    );
    let replacement = UpdatePlanRequest {
        plan_id: id.clone(),
        concurrency_stamp: text(&masked.json, "concurrencyStamp"),
        plan: Some(Plan {
            name: "Large".to_owned(),
            ..Plan::default()
        }),
        update_mask: Some(FieldMask::of(["*"])),
        validate_only: false,
    };
    let replaced = client.update_plan(operator.grpc(replacement)).await;
    let replaced = replaced.expect("updated").into_inner();
    assert_eq!(replaced.limits, Some(Limits::default()));
    assert_eq!(replaced.name_ar, "Large", "the English name");

    let violations = operator
        .post(
            PLANS,
            json!({"planId": "1", "plan": {
                "planId": "2", "limits": {"monthlyDocuments": -1, "users": -1},
                "entitlements": {
                    "documentKinds": {"values": ["KIND_UNSPECIFIED"]}, "languages": {"values": ["ar", "fr"]},
                    "authorities": {"values": ["ZATCA"]}},
            }}),
        )
        .await;
    assert_eq!(
        violation_fields(&violations),
        [
            "planId",
            "plan.planId",
            "plan.name",
            "plan.limits.monthlyDocuments",
            "plan.limits.users",
            "plan.entitlements.documentKinds.values[0]",
            "plan.entitlements.languages.values[1]",
            "plan.entitlements.authorities.values[0]",
        ],
        "{}",
        violations.body
    );

    let assignment = AssignPlanRequest {
        organization_id: HOME.to_owned(),
        plan_id: id.clone(),
    };
    let assigned = client.assign_plan(operator.grpc(assignment)).await;
    assert_eq!(
        assigned.expect("assigned").into_inner().plan,
        Some(replaced.clone())
    );
    let deletion = DeletePlanRequest {
        plan_id: id.clone(),
        concurrency_stamp: replaced.concurrency_stamp,
    };
    let refused = client.delete_plan(operator.grpc(deletion.clone())).await;
    assert_eq!(refused.expect_err("used").code(), Code::FailedPrecondition);
    let none = operator.post(ASSIGN, json!({})).await;
    assert_eq!(none.json.get("plan"), None, "{}", none.body);
    let deleted = client.delete_plan(operator.grpc(deletion)).await;
    deleted.expect("no tenant has it");
    for (kind, count) in [
        (AuditEventKind::PlanCreated, 1),
        (AuditEventKind::PlanChanged, 2),
        (AuditEventKind::PlanAssigned, 2),
        (AuditEventKind::PlanDeleted, 1),
    ] {
        let events = audited(&service, kind).await;
        assert_eq!(events.len(), count, "{kind:?}");
        assert!(
            events
                .iter()
                .all(|event| event.actor.as_deref() == Some(HESSA_ID))
        );
    }
    list_pages(&service, &operator, &mut client).await;
    service.running.shutdown().await;
}

/// Pages of the plans with a part of a name.
async fn list_pages(
    service: &Service,
    operator: &GatewayClient<'_>,
    client: &mut PlansClient<tonic::transport::Channel>,
) {
    for name in ["Gold 1", "Gold 2", "Gold 3", "Silver"] {
        let created = operator.post(PLANS, json!({"plan": {"name": name}})).await;
        assert_eq!(created.status, 200, "{}", created.body);
        service.clock.advance(1);
    }
    let first = operator
        .get(&format!("{PLANS}?name=GOLD&pageSize=2"))
        .await
        .json;
    let request = ListPlansRequest {
        name: "gold".to_owned(),
        page_size: 2,
        page_token: text(&first, "nextPageToken"),
    };
    let second = client.list_plans(operator.grpc(request.clone())).await;
    let second = second.expect("a page").into_inner();
    assert_eq!(
        (&first["items"][1]["name"], &*second.items[0].name),
        (&json!("Gold 2"), "Gold 3")
    );
    assert_eq!((second.items.len(), &*second.next_page_token), (1, ""));
    let other = ListPlansRequest {
        name: "silver".to_owned(),
        ..request
    };
    let refused = client.list_plans(operator.grpc(other)).await;
    assert_eq!(
        refused.expect_err("another list").code(),
        Code::InvalidArgument
    );
}

fn text(value: &Value, name: &str) -> String {
    value[name].as_str().expect("a text").to_owned()
}

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
    let plan = assigned(&operator, json!({}), entitlements).await;

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
