//! Tests of machine users and personal access tokens through the gateway.

use invoicing_contract::messages::identity::machine_users_client::MachineUsersClient;
use invoicing_contract::messages::identity::{CreateMachineUserRequest, MintPatRequest};
use invoicing_contract::{EnvironmentKind, Status};
use reqwest::StatusCode;
use serde_json::json;

use super::identity::signed_in;
use super::plans::{assigned, is_permission_denied, update};
use super::platform::{add_person, person_signed_in};
use super::users::administrator;
use crate::fixtures::gateway::{GatewayClient, channel, reason, violation_fields};
use crate::fixtures::{HESSA, MACHINE_ID, NOURA, NOURA_ID, SALEM, Service, new_key};

const MACHINES: &str = "/api/v2/admin/identity/machine-users";
const OWN_PATS: &str = "/api/v2/identity/pats";
const GULF_PEARL: &str = "274893002";

#[tokio::test]
async fn machine_user_works_with_its_secret_and_its_tokens_until_they_are_revoked() {
    let service = Service::start().await;
    let noura = administrator(&service).await;
    let mut client = MachineUsersClient::new(channel(&service).await);
    let new = CreateMachineUserRequest {
        name: "Import".to_owned(),
        role: "clerk".to_owned(),
        ..CreateMachineUserRequest::default()
    };
    let created = client.create_machine_user(noura.grpc(new)).await.unwrap();
    let created = created.into_inner();
    let id = created.machine_user.unwrap().user_id;
    let form = [
        ("grant_type", "client_credentials"),
        ("client_id", &*created.client_id),
        ("client_secret", &*created.client_secret),
        ("scope", service.names.home_organization_scope()),
    ];
    let token = service.token(&form).await;
    let token = token.text("access_token").to_owned();
    let machine = GatewayClient {
        service: &service,
        token,
    };
    assert_eq!(
        service.list_status(&machine.token, None).await,
        StatusCode::OK
    );

    let malformed = json!({"name": "own", "days": 1, "patId": "7"});
    let malformed = machine.post(OWN_PATS, malformed).await;
    assert_eq!(violation_fields(&malformed), ["patId"]);
    for days in [0, -1, 31] {
        let refused = machine
            .post(OWN_PATS, json!({"name": "own", "days": days}))
            .await;
        assert_eq!(violation_fields(&refused), ["days"], "{days}");
    }
    let own = machine
        .post(OWN_PATS, json!({"name": "own", "days": 30}))
        .await;
    assert_eq!(own.status, StatusCode::OK, "{}", own.body);
    let own = GatewayClient {
        service: &service,
        token: own.text("token").to_owned(),
    };
    assert_eq!(service.list_status(&own.token, None).await, StatusCode::OK);
    let chained = own.post(OWN_PATS, json!({"name": "next", "days": 1})).await;
    assert_eq!(reason(&chained.json), "PAT_CREDENTIAL");
    let person = signed_in(&service, SALEM).await;
    let person = person
        .post(OWN_PATS, json!({"name": "own", "days": 1}))
        .await;
    assert_eq!(reason(&person.json), "NO_MACHINE_USER");

    let request = MintPatRequest {
        user_id: id.clone(),
        name: "laptop".to_owned(),
        days: 366,
        pat_id: new_key().to_string(),
    };
    let minted = client.mint_pat(noura.grpc(request.clone())).await.unwrap();
    let minted = minted.into_inner();
    let again = client.mint_pat(noura.grpc(request.clone())).await;
    let again = again.expect_err("the same token");
    assert_eq!(again.code(), tonic::Code::AlreadyExists);
    assert_eq!(Status::from(&again).reason(), Some("PAT_EXISTS"));
    assert!(!format!("{minted:?}").contains(&minted.token));
    let pats = noura.get(&format!("{MACHINES}/{id}/pats")).await;
    assert_eq!(
        pats.json["pats"].as_array().unwrap().len(),
        2,
        "{}",
        pats.body
    );
    assert!(!pats.body.contains(&minted.token), "shown once");
    let pat = minted.pat.unwrap().pat_id;
    assert_eq!(pat, request.pat_id);
    let revoke = format!("{MACHINES}/{id}/pats/{pat}:revoke");
    let revoked = noura.post(&revoke, json!({})).await;
    assert!(revoked.json["revokeTime"].is_string(), "{}", revoked.body);
    let status = service.list_status(&minted.token, None).await;
    assert_eq!(status, StatusCode::UNAUTHORIZED);
    let another = format!("{MACHINES}/{MACHINE_ID}/pats/{pat}:revoke");
    let another = noura.post(&another, json!({})).await;
    assert_eq!(
        reason(&another.json),
        "PAT_NOT_FOUND",
        "of another machine user"
    );

    let listed = noura
        .post(&format!("{MACHINES}/list"), json!({"pageSize": 1}))
        .await;
    let next = json!({"pageSize": 1, "pageToken": listed.text("nextPageToken")});
    let next = noura.post(&format!("{MACHINES}/list"), next).await;
    assert_eq!(next.text("nextPageToken"), "", "{}", next.body);
    let reset = format!("/api/v2/admin/identity/users/{id}:resetPassword");
    let reset = noura.post(&reset, json!({})).await;
    assert_eq!(reason(&reset.json), "NO_PASSWORD", "{}", reset.body);
    let disable = format!("/api/v2/admin/identity/users/{id}:disable");
    assert_eq!(noura.post(&disable, json!({})).await.status, StatusCode::OK);
    for token in [&machine.token, &own.token] {
        let status = service.list_status(token, None).await;
        assert_eq!(
            status,
            StatusCode::UNAUTHORIZED,
            "the machine user is disabled"
        );
    }
    service.running.shutdown().await;
}

#[tokio::test]
async fn machine_users_of_others_and_people_get_no_tokens() {
    let service = Service::start().await;
    add_person(&service, "81", GULF_PEARL, "administrator").await;
    let other = person_signed_in(&service, "81").await;
    let mint = json!({"name": "laptop", "days": 1});
    let path = format!("{MACHINES}/{MACHINE_ID}/pats");
    assert_eq!(
        other.post(&path, mint.clone()).await.status,
        StatusCode::NOT_FOUND
    );
    assert_eq!(other.get(&path).await.status, StatusCode::NOT_FOUND);
    let noura = administrator(&service).await;
    let person = format!("{MACHINES}/{NOURA_ID}/pats");
    let person = noura.post(&person, mint.clone()).await;
    assert_eq!(reason(&person.json), "USER_NOT_FOUND");
    let new = json!({"userId": "7", "name": " ", "role": "operator"});
    let invalid = noura.post(MACHINES, new).await;
    assert_eq!(violation_fields(&invalid), ["userId", "name", "role"]);
    for _ in 0..50 {
        let minted = noura.post(&path, mint.clone()).await;
        assert_eq!(minted.status, StatusCode::OK, "{}", minted.body);
    }
    let full = noura.post(&path, mint.clone()).await;
    assert_eq!(reason(&full.json), "TOO_MANY_PATS");

    let service = service.restart_as(EnvironmentKind::Production).await;
    let noura = signed_in(&service, NOURA).await;
    let refused = noura.post(&path, mint).await;
    assert_eq!(reason(&refused.json), "NO_PATS", "{}", refused.body);
    let machine = GatewayClient::new(&service).await;
    let own = json!({"name": "own", "days": 1});
    let refused = machine.post(OWN_PATS, own).await;
    assert_eq!(reason(&refused.json), "NO_PATS", "{}", refused.body);
    service.running.shutdown().await;
}

#[tokio::test]
async fn plan_without_api_access_gives_no_credentials_to_machine_users() {
    let service = Service::start().await;
    let noura = administrator(&service).await;
    let operator = signed_in(&service, HESSA).await;
    let machine = json!({"name": "Import", "role": "clerk"});
    let pats = format!("{MACHINES}/{MACHINE_ID}/pats");
    let plan = assigned(&operator, json!({}), json!({"apiAccess": false})).await;
    let attempts = async || {
        [
            noura.post(MACHINES, machine.clone()).await,
            noura
                .post(&pats, json!({"name": "laptop", "days": 1}))
                .await,
            noura
                .post(OWN_PATS, json!({"name": "own", "days": 1}))
                .await,
        ]
    };
    for response in attempts().await {
        assert!(is_permission_denied(&response), "{}", response.body);
    }
    let list = noura.post(&format!("{MACHINES}/list"), json!({})).await;
    assert_eq!(
        list.status,
        StatusCode::OK,
        "an administrator sees and revokes them"
    );
    let everything = json!({"plan": {"name": "Everything", "entitlements": {"apiAccess": true}}});
    assert_eq!(
        update(&operator, &plan, everything).await.status,
        StatusCode::OK
    );
    for response in attempts().await {
        assert!(!is_permission_denied(&response), "{}", response.body);
    }
    service.running.shutdown().await;
}
