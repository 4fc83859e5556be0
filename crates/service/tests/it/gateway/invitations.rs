//! Tests of invitations through the gateway: of mail addresses, of usernames that are tried, and of the first administrator of a
//! tenant (decision 0116).

use invoicing_contract::messages::identity::InviteAdministratorRequest;
use invoicing_contract::messages::identity::users_client::UsersClient;
use invoicing_identity::administration::{AdministrationError, Input, NewUser};
use reqwest::{Method, StatusCode};
use serde_json::json;

use super::identity::{ID, TENANTS, profile, signed_in};
use super::tenants::send;
use super::users::administrator;
use crate::fixtures::gateway::{GatewayClient, channel, reason, violation_fields};
use crate::fixtures::user_agent::{AuthorizationRequest, Callback, Form, UserAgent};
use crate::fixtures::{HESSA, HOME, NOURA, OPERATOR, SALEM, SALEM_ID, Service, new_key};

const INVITE: &str = "/api/v2/admin/identity/users:invite";
const ORGANIZATIONS: &str = "/api/v2/admin/identity/organizations";
const AMAL: &str = "amal@nakheel.example";
const PASSWORD: &str = "three quiet ledgers";

/// Sets a password with the code of an invitation. Returns whether the code was accepted.
async fn accept(service: &Service, username: &str, code: &str) -> bool {
    let mut browser = UserAgent::new(service);
    let page = browser.get("/account/set-password").await;
    let form = Form::find(&page, "change-password");
    let fields = [
        ("username", username),
        ("code", code),
        ("new-password", PASSWORD),
        ("repeat-password", PASSWORD),
    ];
    let submitted = browser.submit(&form, &fields).await;
    submitted.status != StatusCode::UNPROCESSABLE_ENTITY
}

/// A client of a person with [`PASSWORD`].
async fn with_password<'service>(
    service: &'service Service,
    username: &str,
) -> GatewayClient<'service> {
    let authorization = AuthorizationRequest::new(service, &service.desktop_scope());
    let mut browser = UserAgent::new(service);
    let page = browser.get(&authorization.path()).await;
    let form = Form::find(&page, "sign-in");
    let fields = [("username", username), ("password", PASSWORD)];
    let callback = Callback::from_redirect(&browser.submit(&form, &fields).await);
    let tokens = service.redeem(&authorization, &callback).await;
    GatewayClient {
        service,
        token: tokens.text("access_token").to_owned(),
    }
}

#[tokio::test]
async fn address_is_verified_only_at_a_domain_of_the_organization() {
    let service = Service::start().await;
    let noura = administrator(&service).await;
    let invite = async |email: &str| {
        let username = format!("{}@palms.example", new_key());
        let invitation =
            json!({"username": username, "name": "Amal", "email": email, "emailVerified": true});
        noura.post(INVITE, invitation).await
    };
    for (email, field) in [
        ("amal@gulfpearl.example", "emailVerified"),
        ("amal@palms.example", "emailVerified"),
        ("", "email"),
    ] {
        let refused = invite(email).await;
        assert_eq!(violation_fields(&refused), [field], "{}", refused.body);
    }
    let invited = invite("amal@AlKhair.example").await;
    assert_eq!(invited.status, StatusCode::OK, "{}", invited.body);
    assert_eq!(invited.json["user"]["emailVerified"], json!(true));
    service.running.shutdown().await;
}

#[tokio::test]
async fn username_with_the_domain_of_another_organization_is_refused_in_every_spelling() {
    let service = Service::start().await;
    let noura = administrator(&service).await;
    let validate = async |username: &str| {
        let invitation = json!({"username": username, "name": "Somebody", "validateOnly": true});
        noura.post(INVITE, invitation).await
    };
    for domain in [
        "gulfpearl.example",
        "GulfPearl.Example",
        "gulfpearl.example.",
        "gulfpearl。example",
        "gulfpearl.example。",
        "ｇｕｌｆｐｅａｒｌ.example",
        "gulf\u{ad}pearl.example",
        "gulfpearl%2Eexample",
    ] {
        let refused = validate(&format!("somebody@{domain}")).await;
        assert_eq!(violation_fields(&refused), ["username"], "{domain}");
    }
    // A username need not be a mail address: what is no domain name is that of no organization.
    for username in [
        "till@7",
        "till@counter",
        "till@a:b",
        "amal@alkhair.example.",
    ] {
        let valid = validate(username).await;
        assert_eq!(valid.status, StatusCode::OK, "{username}: {}", valid.body);
    }
    service.running.shutdown().await;
}

#[tokio::test]
async fn username_in_the_form_of_an_id_is_refused_because_an_account_is_found_by_either() {
    let service = Service::start().await;
    let noura = administrator(&service).await;
    let administration = service.administration().await;
    for id in [
        SALEM_ID.to_owned(),
        new_key().to_string(),
        new_key().to_string().to_uppercase(),
    ] {
        let invitation = json!({"username": id, "name": "Somebody"});
        let refused = noura.post(INVITE, invitation).await;
        assert_eq!(violation_fields(&refused), ["username"], "{id}");
        let user = NewUser {
            username: id.clone(),
            name: "Somebody".to_owned(),
            email: None,
            email_verified: false,
            organization: HOME.to_owned(),
            machine: false,
            password: None,
        };
        let refused = administration.add_user(user).await;
        assert!(
            matches!(
                refused,
                Err(AdministrationError::Invalid {
                    input: Input::Username,
                    ..
                })
            ),
            "{id}: {refused:?}"
        );
    }
    let invitation = json!({"username": format!("{SALEM_ID}@palms.example"), "name": "Somebody"});
    let invited = noura.post(INVITE, invitation).await;
    assert_eq!(invited.status, StatusCode::OK, "{}", invited.body);
    service.running.shutdown().await;
}

#[tokio::test]
async fn usernames_are_not_tried_out_by_invitations_that_are_only_validated() {
    let service = Service::start().await;
    let noura = administrator(&service).await;
    let validate = async |username: &str| {
        let invitation = json!({"username": username, "name": "Somebody", "validateOnly": true});
        noura.post(INVITE, invitation).await
    };
    for _ in 0..12 {
        // A user of the organization, whom she sees in the list.
        assert_eq!(reason(&validate(SALEM).await.json), "USER_EXISTS");
    }
    let mut allowed = 0;
    let limited = loop {
        let response = validate(&format!("{allowed}@nowhere.example")).await;
        if response.status != StatusCode::OK {
            break response;
        }
        allowed += 1;
    };
    assert_eq!((allowed, &*reason(&limited.json)), (10, "RATE_LIMIT"));
    service.running.shutdown().await;
}

#[tokio::test]
async fn operator_invites_the_first_administrator_who_completes_the_profile() {
    let service = Service::start().await;
    let operator = signed_in(&service, HESSA).await;
    let invite = format!("{TENANTS}/{ID}:inviteAdministrator");
    let invitation = json!({"username": AMAL, "name": "Amal"});
    let organization =
        json!({"organizationId": ID, "name": "Nakheel Dates", "domain": "nakheel.example"});
    operator.post(ORGANIZATIONS, organization).await;
    let none = operator.post(&invite, invitation.clone()).await;
    assert_eq!(reason(&none.json), "TENANT_NOT_FOUND", "{}", none.body);
    let create = format!("{ORGANIZATIONS}/{ID}:createTenant");
    operator.post(&create, json!({})).await;

    for (role, username, field) in [
        ("accountant", AMAL, "role"),
        ("owner", AMAL, "role"),
        ("administrator", "amal@alkhair.example", "username"),
    ] {
        let wrong = json!({"username": username, "name": "Amal", "role": role});
        let wrong = operator.post(&invite, wrong).await;
        assert_eq!(violation_fields(&wrong), [field], "{role}: {}", wrong.body);
    }
    let mut checked = invitation.clone();
    checked["validateOnly"] = json!(true);
    let checked = operator.post(&invite, checked).await;
    assert_eq!(checked.json["user"]["state"], json!("INVITED"));
    assert_eq!(
        checked.json["passwordCode"],
        json!(null),
        "{}",
        checked.body
    );
    let lost = operator.post(&invite, invitation.clone()).await;
    assert_eq!(lost.status, StatusCode::OK, "{}", lost.body);
    // The response was lost: the same again makes another code.
    let invited = operator.post(&invite, invitation.clone()).await;
    assert_eq!(invited.status, StatusCode::OK, "{}", invited.body);
    let id = &invited.json["user"]["userId"];
    assert_eq!(*id, lost.json["user"]["userId"]);
    assert_eq!(invited.json["user"]["roles"], json!(["administrator"]));
    let code = |response: &serde_json::Value| {
        let code = response["passwordCode"]["code"].as_str();
        code.expect("a code").to_owned()
    };
    assert!(!accept(&service, AMAL, &code(&lost.json)).await);
    assert!(accept(&service, AMAL, &code(&invited.json)).await);

    let again = json!({"username": "badr@nakheel.example", "name": "Badr"});
    let again = operator.post(&invite, again).await;
    assert_eq!(again.status, StatusCode::BAD_REQUEST, "{}", again.body);
    assert_eq!(reason(&again.json), "HAS_ADMINISTRATOR");
    let amal = with_password(&service, AMAL).await;
    let complete = json!({"profile": profile()});
    let complete = send(
        &amal,
        Method::POST,
        "/api/v2/identity/profile:complete",
        None,
        Some(complete),
    );
    let completed = complete.await;
    assert_eq!(completed.status, StatusCode::OK, "{}", completed.body);
    service.running.shutdown().await;
}

#[tokio::test]
async fn administrators_of_administered_tenants_and_of_the_operator_are_not_invited() {
    let service = Service::start().await;
    let operator = signed_in(&service, HESSA).await;
    let mut client = UsersClient::new(channel(&service).await);
    let mut invite = async |caller: &GatewayClient<'_>, organization: &str| {
        let request = InviteAdministratorRequest {
            organization_id: organization.to_owned(),
            username: AMAL.to_owned(),
            name: "Amal".to_owned(),
            ..InviteAdministratorRequest::default()
        };
        let invited = client.invite_administrator(caller.grpc(request)).await;
        invited.map(tonic::Response::into_inner)
    };
    let refused = invite(&operator, HOME).await.expect_err("administered");
    assert_eq!(refused.code(), tonic::Code::FailedPrecondition);
    let refused = invite(&operator, OPERATOR).await.expect_err("the own");
    assert_eq!(refused.code(), tonic::Code::PermissionDenied);
    let noura = signed_in(&service, NOURA).await;
    let refused = invite(&noura, HOME).await.expect_err("no operator");
    assert_eq!(refused.code(), tonic::Code::PermissionDenied);

    // Nobody is left, as after a change in the database.
    service
        .execute_sql(&format!(
            "DELETE FROM grants WHERE organization_id = '{HOME}' AND role = 'administrator'"
        ))
        .await;
    let invited = invite(&operator, HOME).await.expect("nobody administers");
    assert!(invited.password_code.is_some());
    service.running.shutdown().await;
}
