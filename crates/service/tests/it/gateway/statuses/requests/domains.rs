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
    // An organization has a bounded number of them. Those of the requests that were made just before stay.
    let others = "name NOT IN (SELECT domain FROM organizations)";
    let too_many = format!(
        "DELETE FROM domain_claims WHERE (SELECT count(*) FROM domain_claims) > 4;
         DELETE FROM domains WHERE {others} AND (SELECT count(*) FROM domains WHERE {others}) > 4"
    );
    environment.service.execute_sql(&too_many).await;
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
