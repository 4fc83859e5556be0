//! Tests of plans: an operator edits them and assigns them to tenants.

use invoicing_contract::messages::plans::plans_client::PlansClient;
use invoicing_contract::messages::plans::{
    AssignPlanRequest, DeletePlanRequest, Limits, ListPlansRequest, Plan, UpdatePlanRequest,
};
use invoicing_contract::{FieldMask, Status};
use invoicing_storage::audit::AuditEventKind;
use reqwest::Method;
use serde_json::{Value, json};
use tonic::Code;

use super::identity::signed_in;
use super::platform::audited;
use super::statuses::requests::new_key;
use crate::fixtures::gateway::{GatewayClient, channel, reason, violation_fields};
use crate::fixtures::{HESSA, HESSA_ID, HOME, Response, Service};

const PLANS: &str = "/api/v2/admin/plans";
pub(super) const OWN: &str = "/api/v2/plan";
pub(super) const LIST: &str = "/api/v1/simple/invoices/list";
const ASSIGN: &str = "/api/v2/admin/identity/tenants/274893001:assignPlan";

/// Creates a plan and assigns it to the home organization of the demo.
pub(super) async fn assigned(
    operator: &GatewayClient<'_>,
    limits: Value,
    entitlements: Value,
) -> Value {
    let plan = json!({"name": "Basic", "limits": limits, "entitlements": entitlements});
    let created = operator.post(PLANS, json!({"plan": plan})).await;
    assert_eq!(created.status, 200, "{}", created.body);
    let assignment = json!({"planId": created.json["planId"]});
    let assigned = operator.post(ASSIGN, assignment).await;
    assert_eq!(assigned.status, 200, "{}", assigned.body);
    assert_eq!(assigned.json["plan"], created.json);
    created.json
}

pub(super) async fn update(operator: &GatewayClient<'_>, plan: &Value, request: Value) -> Response {
    let mut request = request;
    request["concurrencyStamp"] = plan["concurrencyStamp"].clone();
    let path = format!("{PLANS}/{}", plan["planId"].as_str().expect("an id"));
    let request = operator.request(Method::PATCH, &path).json(&request);
    Response::read(request.send().await.expect("a response")).await
}

/// The details of a type in a response.
pub(super) fn detail<'a>(response: &'a Response, name: &str) -> &'a Value {
    let kind = format!("type.googleapis.com/google.rpc.{name}");
    let details = response.json["details"].as_array().expect("details");
    details
        .iter()
        .find(|detail| detail["@type"] == kind)
        .unwrap_or_else(|| panic!("{name} in {}", response.body))
}

/// The body of every 403.
pub(super) fn is_permission_denied(response: &Response) -> bool {
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
    let refused = refused.expect_err("used");
    assert_eq!(refused.code(), Code::FailedPrecondition);
    assert_eq!(Status::from(&refused).reason(), Some("PLAN_IN_USE"));
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

pub(super) fn text(value: &Value, name: &str) -> String {
    value[name].as_str().expect("a text").to_owned()
}
