//! Tests that administration gives nobody more rights than the caller has (decision 0116).

use invoicing_contract::ready::ApplicationKind;
use reqwest::StatusCode;
use serde_json::{Value, json};

use super::identity::signed_in;
use super::platform::{add_person, person_signed_in};
use super::users::administrator;
use crate::fixtures::gateway::{GatewayClient, violation_fields};
use crate::fixtures::{
    HESSA, HESSA_ID, HOME, KHALID_ID, MACHINE_ID, NOURA_ID, OPERATOR, Response, SALEM, Service,
};

const USERS: &str = "/api/v2/admin/identity/users";
const GRANTS: &str = "/api/v2/admin/identity/users:grantRole";
const MACHINES: &str = "/api/v2/admin/identity/machine-users";
const RULES: &str = "/api/v2/admin/rules";
const GULF_PEARL: &str = "274893002";

async fn act(caller: &GatewayClient<'_>, user: &str, verb: &str, body: Value) -> Response {
    caller.post(&format!("{USERS}/{user}:{verb}"), body).await
}

#[track_caller]
fn assert_status(response: &Response, expected: StatusCode) {
    assert_eq!(response.status, expected, "{}", response.body);
}

/// Publishes rules with further rows.
async fn add_roles(service: &Service, rows: &[Value]) {
    let operator = signed_in(service, HESSA).await;
    let rules = operator.get(RULES).await.json;
    let mut matrix = rules["matrix"].clone();
    let roles = matrix["roles"].as_array_mut().expect("rows");
    roles.extend_from_slice(rows);
    let stamp = &rules["version"]["concurrencyStamp"];
    let publication = json!({"matrix": matrix, "concurrencyStamp": stamp, "comment": "roles"});
    let published = operator
        .post(&format!("{RULES}:publish"), publication)
        .await;
    assert_status(&published, StatusCode::OK);
}

#[tokio::test]
async fn credentials_of_who_administers_elsewhere_are_for_those_who_do_too() {
    let service = Service::start().await;
    let noura = administrator(&service).await;
    for (id, organization, role) in [
        ("85", GULF_PEARL, "accountant"),
        ("86", GULF_PEARL, "administrator"),
        ("87", OPERATOR, "operator"),
    ] {
        add_person(&service, id, HOME, "clerk").await;
        service.grant(id, organization, role).await;
    }
    let reset = async |id| act(&noura, id, "resetPassword", json!({})).await.status;
    assert_eq!(reset("85").await, StatusCode::OK, "no administrator");
    assert_eq!(reset("86").await, StatusCode::FORBIDDEN);
    assert_eq!(reset("87").await, StatusCode::FORBIDDEN);
    // What gives no credential is the affair of the home organization.
    for verb in ["endSessions", "disable", "enable"] {
        assert_status(&act(&noura, "86", verb, json!({})).await, StatusCode::OK);
    }
    service.grant(NOURA_ID, GULF_PEARL, "administrator").await;
    assert_eq!(reset("86").await, StatusCode::OK, "she is one too");

    let pats = format!("{MACHINES}/{MACHINE_ID}/pats");
    let pat = json!({"name": "laptop", "days": 1});
    let minted = noura.post(&pats, pat.clone()).await;
    assert_status(&minted, StatusCode::OK);
    let client_id = &service.application(ApplicationKind::Machine).client_id;
    let rotate = format!("/api/v2/admin/identity/applications/{client_id}:rotateSecret");
    let rotated = noura.post(&rotate, json!({"overlapSeconds": 60})).await;
    assert_status(&rotated, StatusCode::OK);
    service.grant(MACHINE_ID, OPERATOR, "operator").await;
    assert_status(&noura.post(&pats, pat).await, StatusCode::FORBIDDEN);
    let rotated = noura.post(&rotate, json!({"overlapSeconds": 60})).await;
    assert_status(&rotated, StatusCode::FORBIDDEN);
    service.running.shutdown().await;
}

#[tokio::test]
async fn role_of_some_administrative_scopes_gives_no_others() {
    let service = Service::start().await;
    let scopes = [
        "GrantRole",
        "RevokeRole",
        "InviteUser",
        "ResetPassword",
        "DisableUser",
        "CreateMachineUser",
        "MintPat",
    ];
    let scopes = scopes.map(|scope| format!("Service.Admin.Identity.v2.{scope}"));
    add_roles(&service, &[json!({"role": "inviter", "allowed": scopes})]).await;
    add_person(&service, "88", HOME, "inviter").await;
    add_person(&service, "89", HOME, "clerk").await;
    let inviter = person_signed_in(&service, "88").await;
    let grant = async |id: &str, role: &str| {
        let request = json!({"userId": id, "role": role});
        inviter.post(GRANTS, request).await
    };
    for role in ["clerk", "accountant", "inviter"] {
        assert_status(&grant("89", role).await, StatusCode::OK);
    }
    assert_status(&grant("88", "administrator").await, StatusCode::FORBIDDEN);
    let revoked = json!({"role": "inviter"});
    let revoked = act(&inviter, "89", "revokeRole", revoked).await;
    assert_status(&revoked, StatusCode::OK);
    for (role, expected) in [
        ("clerk", StatusCode::OK),
        ("administrator", StatusCode::FORBIDDEN),
    ] {
        let invitation = json!({"username": format!("{role}@palms.example"), "name": "Amal", "roles": ["viewer", role]});
        let invited = inviter.post(&format!("{USERS}:invite"), invitation).await;
        assert_status(&invited, expected);
        let machine = json!({"name": "Import", "role": role});
        assert_status(&inviter.post(MACHINES, machine).await, expected);
    }
    for (verb, body) in [
        ("resetPassword", json!({})),
        ("disable", json!({})),
        ("revokeRole", json!({"role": "administrator"})),
    ] {
        let refused = act(&inviter, KHALID_ID, verb, body).await;
        assert_status(&refused, StatusCode::FORBIDDEN);
    }
    service.running.shutdown().await;
}

#[tokio::test]
async fn list_of_users_names_the_roles_that_the_caller_may_grant() {
    let service = Service::start().await;
    let scopes = ["ListUsers", "GrantRole"];
    let scopes = scopes.map(|scope| format!("Service.Admin.Identity.v2.{scope}"));
    add_roles(&service, &[json!({"role": "granter", "allowed": scopes})]).await;
    add_person(&service, "88", HOME, "granter").await;
    add_person(&service, "89", HOME, "viewer").await;
    let granter = person_signed_in(&service, "88").await;
    let listed = granter.post(&format!("{USERS}/list"), json!({})).await;
    assert_status(&listed, StatusCode::OK);
    let grantable = listed.json["grantableRoles"].as_array().expect("roles");
    assert_eq!(grantable, &["accountant", "clerk", "granter", "viewer"]);
    // Granting decides the same.
    for role in ["accountant", "administrator", "clerk", "operator", "viewer"] {
        let request = json!({"userId": "89", "role": role});
        let granted = granter.post(GRANTS, request).await.status;
        assert_eq!(
            granted == StatusCode::OK,
            grantable.contains(&json!(role)),
            "{role}"
        );
    }
    service.running.shutdown().await;
}

#[tokio::test]
async fn role_that_forbids_a_scope_is_revoked_by_who_holds_the_scope() {
    let service = Service::start().await;
    let forbidden = ["Service.Admin.Identity.v2.CreateMachineUser"];
    add_roles(
        &service,
        &[json!({"role": "without-machines", "forbidden": forbidden})],
    )
    .await;
    add_person(&service, "88", HOME, "administrator").await;
    service.grant("88", HOME, "without-machines").await;
    let restricted = person_signed_in(&service, "88").await;
    let role = json!({"role": "without-machines"});
    let own = act(&restricted, "88", "revokeRole", role.clone()).await;
    assert_status(&own, StatusCode::FORBIDDEN);
    let noura = administrator(&service).await;
    let revoked = act(&noura, "88", "revokeRole", role).await;
    assert_status(&revoked, StatusCode::OK);
    service.running.shutdown().await;
}

#[tokio::test]
async fn role_of_the_platform_is_granted_to_people_of_the_operator_organization() {
    let service = Service::start().await;
    service.grant(HESSA_ID, OPERATOR, "administrator").await;
    add_person(&service, "88", OPERATOR, "viewer").await;
    let hessa = signed_in(&service, HESSA).await;
    let guest = json!({"username": SALEM, "role": "operator"});
    let refused = hessa.post(GRANTS, guest).await;
    assert_eq!(violation_fields(&refused), ["role"], "{}", refused.body);
    let guest = json!({"username": SALEM, "role": "viewer"});
    assert_status(&hessa.post(GRANTS, guest).await, StatusCode::OK);
    let own = json!({"userId": "88", "role": "operator"});
    assert_status(&hessa.post(GRANTS, own).await, StatusCode::OK);
    service.running.shutdown().await;
}
