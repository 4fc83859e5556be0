//! Requests of invoicing.rules.v2.Rules and invoicing.permissions.v2.Permissions.

use serde_json::{Value, json};

use super::Environment;

pub(super) async fn valid_request(environment: &Environment<'_>, method: &str) -> Option<Value> {
    let current = async || {
        let current = environment.operator.get("/api/v2/admin/rules").await;
        assert_eq!(current.status, 200, "{}", current.body);
        let stamp = current.json["version"]["concurrencyStamp"].clone();
        (current.json["text"].clone(), stamp)
    };
    let request = match method {
        "GetRules" | "ListRuleVersions" | "GetPermissions" => json!({}),
        "CheckRules" => json!({"text": current().await.0}),
        "PublishRules" => {
            let (text, stamp) = current().await;
            json!({"text": text, "concurrencyStamp": stamp, "comment": "again"})
        }
        "RollBackRules" => json!({"version": 0, "concurrencyStamp": current().await.1}),
        _ => return None,
    };
    Some(request)
}
