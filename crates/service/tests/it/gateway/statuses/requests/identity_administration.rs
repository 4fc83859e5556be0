//! Requests of invoicing.identity.v2.Users, MachineUsers and Applications.

use serde_json::{Value, json};

use super::{Environment, new_key};
use crate::fixtures::{HOME, MACHINE_ID, SALEM_ID};
use crate::gateway::platform::add_person;

pub(super) async fn valid_request(environment: &Environment<'_>, method: &str) -> Option<Value> {
    let key = new_key();
    let request = match method {
        "InviteUser" => json!({
            "userId": key,
            "username": format!("{key}@palms.example"),
            "name": "Amal Al-Qahtani",
            "roles": ["clerk"],
        }),
        "GetUser" => json!({"userId": SALEM_ID}),
        "ListUsers" | "ListMachineUsers" | "ListApplications" => json!({}),
        "GrantRole" => json!({"userId": SALEM_ID, "role": "viewer"}),
        "RevokeRole" => json!({"userId": person(environment).await, "role": "viewer"}),
        "DisableUser" | "EnableUser" | "ResetPassword" | "EndSessions" => {
            json!({"userId": person(environment).await})
        }
        "CreateMachineUser" => json!({"userId": key, "name": "Import", "role": "clerk"}),
        "MintPat" => {
            json!({"userId": MACHINE_ID, "patId": key, "name": "laptop", "days": 7})
        }
        "ListPats" => json!({"userId": MACHINE_ID}),
        "RevokePat" => {
            let administration = environment.service.administration().await;
            let minted = administration.mint_pat(MACHINE_ID, "laptop", 7).await;
            let (pat, _) = minted.expect("the machine user gets a token");
            json!({"userId": MACHINE_ID, "patId": pat.id})
        }
        "MintOwnPat" => json!({"patId": key, "name": "own", "days": 1}),
        "CreateApplication" => new_application(&key),
        "GetApplication" | "DisableApplication" | "EnableApplication" => {
            json!({"clientId": application(environment).await["clientId"]})
        }
        "RotateApplicationSecret" => {
            let application = application(environment).await;
            json!({"clientId": application["clientId"], "overlapSeconds": 60})
        }
        "UpdateApplication" => {
            let application = application(environment).await;
            json!({
                "clientId": application["clientId"],
                "application": {
                    "name": "Ledger",
                    "redirectUris": ["https://ledger.palms.example/callback"],
                },
                "concurrencyStamp": application["concurrencyStamp"],
                "updateMask": "name,redirectUris",
            })
        }
        _ => return None,
    };
    Some(request)
}

/// The id of a new viewer of the home organization.
async fn person(environment: &Environment<'_>) -> String {
    let id = new_key();
    add_person(environment.service, &id, HOME, "viewer").await;
    id
}

async fn application(environment: &Environment<'_>) -> Value {
    let path = "/api/v2/admin/identity/applications";
    let request = new_application(&new_key());
    let created = environment.administrator.post(path, request).await;
    assert_eq!(created.status, 200, "{}", created.body);
    created.json["application"].clone()
}

fn new_application(client_id: &str) -> Value {
    json!({"clientId": client_id, "application": {
        "name": "Palm Books",
        "kind": "CONFIDENTIAL",
        "redirectUris": ["https://books.palms.example/callback"],
    }})
}
