//! Requests of invoicing.identity.v2.Domains.

use serde_json::{Value, json};

use super::{Environment, new_key};
use crate::fixtures::HOME;

const DOMAINS: &str = "/api/v2/admin/identity/domains";

pub(super) async fn valid_request(environment: &Environment<'_>, method: &str) -> Option<Value> {
    let request = match method {
        "ListDomains" => json!({"pageSize": 2}),
        "AddDomain" => json!({"domain": new_domain(), "validateOnly": true}),
        "VerifyDomain" | "RemoveDomain" => json!({"domain": claimed(environment).await}),
        "SetPrimaryDomain" => json!({"domain": verified(environment).await}),
        "ListOrganizationDomains" => json!({"organizationId": HOME, "pageSize": 2}),
        "AddOrganizationDomain" => {
            json!({"organizationId": HOME, "domain": new_domain(), "validateOnly": true})
        }
        "SetOrganizationPrimaryDomain" => {
            json!({"organizationId": HOME, "domain": verified(environment).await})
        }
        "RemoveOrganizationDomain" => {
            json!({"organizationId": HOME, "domain": claimed(environment).await})
        }
        _ => return None,
    };
    Some(request)
}

/// A domain that its owner proves.
fn new_domain() -> String {
    format!("proved-{}.example", new_key())
}

async fn claimed(environment: &Environment<'_>) -> String {
    // An organization has a bounded number of them.
    let some = "DELETE FROM domain_claims; DELETE FROM domains WHERE name NOT IN (SELECT domain FROM organizations)";
    environment.service.execute_sql(some).await;
    let domain = new_domain();
    let added = json!({"domain": domain});
    environment.administrator.post(DOMAINS, added).await;
    domain
}

async fn verified(environment: &Environment<'_>) -> String {
    let domain = claimed(environment).await;
    let verify = format!("{DOMAINS}/{domain}:verify");
    environment.administrator.post(&verify, json!({})).await;
    domain
}
