//! Requests of invoicing.plans.v2.Plans.

use serde_json::{Value, json};

use super::{Environment, new_key};

/// Another tenant of the demo seed.
const GULF_PEARL: &str = "274893002";

pub(super) async fn valid_request(environment: &Environment<'_>, method: &str) -> Option<Value> {
    let request = match method {
        "CreatePlan" => json!({"planId": new_key(), "plan": {"name": "Basic"}}),
        "ListPlans" => json!({"pageSize": 1}),
        "GetPlan" => json!({"planId": created(environment).await["planId"]}),
        "UpdatePlan" => {
            let mut request = id_and_stamp(&created(environment).await);
            request["plan"] = json!({
                "name": "Large",
                "limits": {"users": 20},
                "entitlements": {"documentKinds": {"values": ["INVOICE"]}, "apiAccess": false},
            });
            request
        }
        "DeletePlan" => id_and_stamp(&created(environment).await),
        "AssignPlan" => json!({
            "organizationId": GULF_PEARL,
            "planId": created(environment).await["planId"],
        }),
        "GetTenantPlan" => json!({"organizationId": GULF_PEARL}),
        "GetOwnPlan" => json!({}),
        _ => return None,
    };
    Some(request)
}

async fn created(environment: &Environment<'_>) -> Value {
    let request = json!({"planId": new_key(), "plan": {"name": "Basic"}});
    let created = environment
        .operator
        .post("/api/v2/admin/plans", request)
        .await;
    assert_eq!(created.status, 200, "{}", created.body);
    created.json
}

fn id_and_stamp(plan: &Value) -> Value {
    json!({
        "planId": plan["planId"],
        "concurrencyStamp": plan["concurrencyStamp"],
    })
}
