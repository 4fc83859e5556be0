//! Requests of invoicing.audit.v2.AuditEvents.

use serde_json::{Value, json};

use crate::fixtures::HOME;

pub(super) fn valid_request(method: &str) -> Option<Value> {
    let filter = json!({"startTime": "2026-01-01T00:00:00Z", "kinds": ["signed_in"]});
    let request = match method {
        "ListAuditEvents" => json!({"filter": filter, "pageSize": 2}),
        "ListAuditEventsAcrossTenants" => {
            json!({"filter": filter, "organizationId": HOME, "pageSize": 2})
        }
        _ => return None,
    };
    Some(request)
}
