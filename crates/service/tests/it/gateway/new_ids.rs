//! Tests of the ids that callers choose for new records: each has one spelling, because ids are compared as texts.

use invoicing_contract::OrganizationId;
use invoicing_storage::audit::AuditEventKind;
use reqwest::StatusCode;
use serde_json::json;

use super::identity::{TENANTS, signed_in, tenant};
use super::platform::{add_person, audited, person_signed_in};
use super::users::administrator;
use crate::fixtures::gateway::{GatewayClient, violation_fields};
use crate::fixtures::{HESSA, HOME, MACHINE_ID, Service};

const IDENTITY: &str = "/api/v2/admin/identity";
const MACHINES: &str = "/api/v2/admin/identity/machine-users";
const OWN_PATS: &str = "/api/v2/identity/pats";
const GULF_PEARL: &str = "274893002";
const ID: &str = "0199f0c4-7d2e-7a31-9c55-3f6b0a1d2e5b";

#[tokio::test]
async fn id_in_another_spelling_is_refused_for_every_new_record() {
    let service = Service::start().await;
    let noura = administrator(&service).await;
    let operator = signed_in(&service, HESSA).await;
    let machine = json!({"name": "Import", "role": "clerk"});
    let invitation = json!({"username": "amal@palms.example", "name": "Amal"});
    let pat = json!({"name": "laptop", "days": 1});
    let application = json!({"application": {"name": "Palm Books", "kind": "CONFIDENTIAL",
        "redirectUris": ["https://books.palms.example/callback"]}});
    let organization = json!({"name": "Nakheel Dates", "domain": "nakheel.example"});
    let cases = [
        (&noura, MACHINES.to_owned(), "userId", machine),
        (
            &noura,
            format!("{IDENTITY}/users:invite"),
            "userId",
            invitation,
        ),
        (
            &noura,
            format!("{MACHINES}/{MACHINE_ID}/pats"),
            "patId",
            pat,
        ),
        (
            &noura,
            format!("{IDENTITY}/applications"),
            "clientId",
            application,
        ),
        (
            &operator,
            format!("{IDENTITY}/organizations"),
            "organizationId",
            organization,
        ),
        (
            &operator,
            TENANTS.to_owned(),
            "organizationId",
            tenant(ID, "nakheel.example"),
        ),
    ];
    for (caller, path, field, request) in cases {
        let with_id = async |id: &str| {
            let mut request = request.clone();
            request[field] = json!(id);
            caller.post(&path, request).await
        };
        for spelling in [
            ID.to_uppercase(),
            format!("{{{ID}}}"),
            format!("urn:uuid:{ID}"),
            ID.replace('-', ""),
        ] {
            let refused = with_id(&spelling).await;
            assert_eq!(refused.status, StatusCode::BAD_REQUEST, "{path} {spelling}");
            assert_eq!(violation_fields(&refused), [field], "{path} {spelling}");
        }
    }
    service.running.shutdown().await;
}

#[tokio::test]
async fn machine_user_whose_id_is_stored_in_upper_case_gets_no_token_of_the_one_in_lower_case() {
    let service = Service::start().await;
    add_person(&service, "81", GULF_PEARL, "administrator").await;
    let other = person_signed_in(&service, "81").await;
    let new = json!({"userId": ID, "name": "Import", "role": "clerk"});
    let created = other.post(MACHINES, new).await;
    assert_eq!(created.status, StatusCode::OK, "{}", created.body);

    // No operation stores it, but a database can have it from before.
    let upper = ID.to_uppercase();
    let insert = format!(
        "INSERT INTO subjects (id, username, name, home_organization)
         VALUES ('{upper}', 'machine-{upper}', 'Import', '{HOME}')"
    );
    service.execute_sql(&insert).await;
    service.grant(&upper, HOME, "accountant").await;
    service
        .change_application("machine", |application| {
            application.subject = Some(upper.as_str().into());
        })
        .await;
    let machine = GatewayClient::new(&service).await;
    let minted = machine
        .post(OWN_PATS, json!({"name": "own", "days": 30}))
        .await;
    assert_eq!(minted.status, StatusCode::OK, "{}", minted.body);
    assert_eq!(minted.json["pat"]["userId"], json!(upper));
    let of_the_other = other.get(&format!("{MACHINES}/{ID}/pats")).await;
    assert_eq!(
        of_the_other.json["pats"],
        json!([]),
        "{}",
        of_the_other.body
    );

    let noura = administrator(&service).await;
    let pat = minted.json["pat"]["patId"].as_str().expect("an id");
    let revoke = format!("{MACHINES}/{upper}/pats/{pat}:revoke");
    let revoked = noura.post(&revoke, json!({})).await;
    assert!(revoked.json["revokeTime"].is_string(), "{}", revoked.body);
    let status = service.list_status(minted.text("token"), None).await;
    assert_eq!(status, StatusCode::UNAUTHORIZED);
    // The command line knows the token only.
    let minted = machine
        .post(OWN_PATS, json!({"name": "another", "days": 30}))
        .await;
    let pat = minted.json["pat"]["patId"].as_str().expect("an id");
    let administration = service.administration().await;
    let revoked = administration.revoke_pat(pat).await;
    assert!(revoked.expect("it is revoked").revoked_at.is_some());
    let events = audited(&service, AuditEventKind::PatRevoked).await;
    let home = Some(OrganizationId::from(HOME));
    let of_home = events.iter().filter(|event| event.organization == home);
    assert_eq!((of_home.count(), events.len()), (2, 2), "{events:?}");
    service.running.shutdown().await;
}
