//! Requests of invoicing.identity.v2.Tenants.

use serde_json::{Value, json};

use super::{Environment, new_key};
use crate::fixtures::HOME;
use crate::gateway::identity::TENANTS;

const ORGANIZATIONS: &str = "/api/v2/admin/identity/organizations";
/// Another tenant of the demo seed.
const GULF_PEARL: &str = "274893002";

pub(super) async fn valid_request(environment: &Environment<'_>, method: &str) -> Option<Value> {
    let request = match method {
        "GetTenant" | "DisableTenant" | "EnableTenant" | "GetTenantHistory" => {
            json!({"organizationId": GULF_PEARL})
        }
        "ListTenants" | "ListOrganizations" => json!({"pageSize": 2}),
        "GetOwnTenant" | "GetOwnTenantHistory" | "ListCallerOrganizations" => json!({}),
        "UpdateTenant" => json!({
            "organizationId": HOME,
            "tenant": {"taxId": "399999999900003"},
            "updateMask": "taxId",
            "concurrencyStamp": stamp(environment).await,
        }),
        "UpdateOwnTenant" => json!({
            "tenant": {"address": {"street": "Olaya Street"}, "registrationNumber": {"value": "4030175397"}},
            "updateMask": "address.street,registrationNumber.value",
            "concurrencyStamp": stamp(environment).await,
        }),
        "CreateOrganization" => {
            let id = new_key();
            json!({"organizationId": id, "name": "Nakheel", "domain": format!("{id}.example")})
        }
        "CreateTenantOfOrganization" => json!({"organizationId": organization(environment).await}),
        "InviteAdministrator" => {
            let id = organization(environment).await;
            let path = format!("{ORGANIZATIONS}/{id}:createTenant");
            environment.operator.post(&path, json!({})).await;
            let person = new_key();
            json!({
                "organizationId": id,
                "userId": person,
                "username": format!("{person}@palms.example"),
                "name": "Amal Al-Qahtani",
            })
        }
        _ => return None,
    };
    Some(request)
}

/// The id of a new organization.
async fn organization(environment: &Environment<'_>) -> String {
    let id = new_key();
    let organization =
        json!({"organizationId": id, "name": "Nakheel", "domain": format!("{id}.example")});
    let created = environment.operator.post(ORGANIZATIONS, organization).await;
    created.text("organizationId").to_owned()
}

async fn stamp(environment: &Environment<'_>) -> String {
    let tenant = environment.operator.get(&format!("{TENANTS}/{HOME}")).await;
    tenant.text("concurrencyStamp").to_owned()
}
