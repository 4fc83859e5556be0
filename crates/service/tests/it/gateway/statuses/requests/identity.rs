//! Requests of invoicing.identity.v2.Identity.

use serde_json::{Value, json};

use super::{Environment, new_key};
use crate::fixtures::{HOME, SALEM_ID};
use crate::gateway::identity::{profile, tenant};
use crate::gateway::platform::add_person;

/// Another tenant of the demo seed.
const GULF_PEARL: &str = "274893002";

pub(super) async fn valid_request(environment: &Environment<'_>, method: &str) -> Option<Value> {
    let request = match method {
        "CreateTenant" => {
            let id = new_key();
            tenant(&id, &format!("{id}.example"))
        }
        "CompleteProfile" => {
            let incomplete = format!(
                "UPDATE tenants SET profile_completed_at = NULL WHERE organization_id = '{HOME}'"
            );
            environment.service.execute_sql(&incomplete).await;
            json!({"profile": profile()})
        }
        "Impersonate" => json!({"userId": SALEM_ID}),
        "ImpersonateAcrossTenants" => {
            let person = new_key();
            add_person(environment.service, &person, GULF_PEARL, "").await;
            json!({"organizationId": GULF_PEARL, "userId": person})
        }
        "SetTenantLimits" => json!({
            "organizationId": GULF_PEARL,
            "limits": {"monthlyDocuments": 1_000_000},
        }),
        _ => return None,
    };
    Some(request)
}
