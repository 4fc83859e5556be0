//! Tests of the users of an organization through the gateway, and of the page on which a person sets a password with a code.

use invoicing_contract::SubjectId;
use invoicing_storage::audit::{AuditEvent, AuditEventKind, Query};
use reqwest::StatusCode;
use serde_json::{Value, json};

use super::identity::signed_in;
use super::platform::{add_person, person_signed_in};
use crate::fixtures::gateway::{GatewayClient, reason, violation_fields};
use crate::fixtures::user_agent::{AuthorizationRequest, Callback, Form, UserAgent};
use crate::fixtures::{
    HESSA, HESSA_ID, HOME, KHALID_ID, MACHINE_ID, NOURA, NOURA_ID, OPERATOR, Response, SALEM,
    SALEM_ID, Service,
};

const USERS: &str = "/api/v2/admin/identity/users";
const GULF_PEARL: &str = "274893002";
const AMAL: &str = "amal@palms.example";
const PASSWORD: &str = "three quiet ledgers";

pub(super) async fn administrator(service: &Service) -> GatewayClient<'_> {
    service.grant(NOURA_ID, HOME, "administrator").await;
    signed_in(service, NOURA).await
}

/// Calls the custom verb of a user.
async fn act(caller: &GatewayClient<'_>, user: &str, verb: &str, body: Value) -> Response {
    caller.post(&format!("{USERS}/{user}:{verb}"), body).await
}

/// Submits the page to set a password.
async fn set_password(browser: &mut UserAgent, code: &str, password: &str) -> Response {
    let page = browser.get("/account/set-password").await;
    let form = Form::find(&page, "change-password");
    let fields = [
        ("username", AMAL),
        ("code", code),
        ("new-password", password),
        ("repeat-password", password),
    ];
    browser.submit(&form, &fields).await
}

/// The access token of Amal, who has set [`PASSWORD`]; `None` if the sign-in fails.
async fn sign_in(service: &Service) -> Option<String> {
    let authorization = AuthorizationRequest::new(service, &service.desktop_scope());
    let mut browser = UserAgent::new(service);
    let page = browser.get(&authorization.path()).await;
    let form = Form::find(&page, "sign-in");
    let fields = [("username", AMAL), ("password", PASSWORD)];
    let submitted = browser.submit(&form, &fields).await;
    if submitted.status != StatusCode::SEE_OTHER {
        return None;
    }
    let callback = Callback::from_redirect(&submitted);
    let tokens = service.redeem(&authorization, &callback).await;
    Some(tokens.text("access_token").to_owned())
}

async fn audited(service: &Service, kind: AuditEventKind) -> Vec<AuditEvent> {
    let query = Query {
        kinds: vec![kind],
        size: 100,
        ..Query::default()
    };
    let page = service.store().await.audit(&query).await;
    let page = page.expect("storage responds").into_iter();
    page.map(|recorded| recorded.event).collect()
}

#[tokio::test]
async fn invited_person_sets_a_password_with_the_code_and_signs_in_until_disabled() {
    let service = Service::start().await;
    let noura = administrator(&service).await;
    let invitation = json!({"username": "Amal@palms.example", "name": "Amal", "email": AMAL, "roles": ["clerk"]});
    let mut only_checked = invitation.clone();
    only_checked["validateOnly"] = json!(true);
    let checked = noura.post(&format!("{USERS}:invite"), only_checked).await;
    assert_eq!(checked.json["user"]["state"], "INVITED", "{}", checked.body);
    assert_eq!(checked.json["passwordCode"], json!(null));
    let invited = noura
        .post(&format!("{USERS}:invite"), invitation.clone())
        .await;
    assert_eq!(invited.status, StatusCode::OK, "{}", invited.body);
    let code = invited.json["passwordCode"]["code"].as_str().unwrap();
    let id = invited.json["user"]["userId"].as_str().unwrap();
    let page_url = invited.json["passwordCode"]["pageUrl"].as_str().unwrap();
    assert_eq!(page_url, service.auth("/account/set-password"));
    assert_eq!(invited.json["user"]["username"], AMAL);
    let again = noura.post(&format!("{USERS}:invite"), invitation).await;
    assert_eq!(reason(&again.json), "USER_EXISTS");

    let mut browser = UserAgent::new(&service);
    let wrong = code.replace(|_: char| true, "7");
    for (code, password, problem) in [
        (&*wrong, PASSWORD, "do not belong together"),
        (code, "short", "too short or too long"),
        (code, AMAL, "not a new password"),
    ] {
        let refused = set_password(&mut browser, code, password).await;
        assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
        assert!(refused.body.contains(problem), "{}", refused.body);
        assert!(!refused.body.contains(code), "the code is not in the page");
    }
    assert!(sign_in(&service).await.is_none());
    let set = set_password(&mut browser, &code.to_lowercase(), PASSWORD).await;
    assert!(set.body.contains("Your password is set"), "{}", set.body);
    let used = set_password(&mut browser, code, PASSWORD).await;
    assert_eq!(used.status, StatusCode::UNPROCESSABLE_ENTITY, "it is used");

    let token = sign_in(&service).await.expect("the password is set");
    assert_eq!(service.list_status(&token, None).await, StatusCode::OK);
    let user = noura.get(&format!("{USERS}/{id}")).await;
    assert_eq!(user.json["state"], "ACTIVE", "{}", user.body);
    assert_eq!(user.json["roles"], json!(["clerk"]));
    let filter = json!({"filter": {"text": "PALMS", "role": "clerk", "state": "ACTIVE"}});
    let listed = noura.post(&format!("{USERS}/list"), filter).await;
    assert_eq!(listed.json["users"][0]["userId"], id, "{}", listed.body);

    let ended = act(&noura, id, "endSessions", json!({})).await;
    assert_eq!(ended.status, StatusCode::OK, "{}", ended.body);
    assert_eq!(
        service.list_status(&token, None).await,
        StatusCode::UNAUTHORIZED
    );
    let token = sign_in(&service).await.expect("a new sign-in");
    let revoked = act(&noura, id, "revokeRole", json!({"role": "clerk"})).await;
    assert_eq!(revoked.status, StatusCode::OK, "{}", revoked.body);
    let again = act(&noura, id, "revokeRole", json!({"role": "clerk"})).await;
    assert_eq!(reason(&again.json), "ROLE_NOT_GRANTED", "{}", again.body);
    assert_eq!(
        service.list_status(&token, None).await,
        StatusCode::FORBIDDEN
    );
    let reset = act(&noura, id, "resetPassword", json!({})).await;
    assert_eq!(
        reset.json["user"]["state"], "PASSWORD_RESET",
        "{}",
        reset.body
    );
    assert_eq!(
        service.list_status(&token, None).await,
        StatusCode::UNAUTHORIZED
    );
    assert!(sign_in(&service).await.is_none(), "the password is gone");
    let code = reset.json["passwordCode"]["code"].as_str().unwrap();
    let disabled = act(&noura, id, "disable", json!({})).await;
    assert_eq!(disabled.json["state"], "DISABLED", "{}", disabled.body);
    let late = set_password(&mut browser, code, PASSWORD).await;
    assert_eq!(late.status, StatusCode::UNPROCESSABLE_ENTITY, "disabled");
    let refused = act(&noura, id, "resetPassword", json!({})).await;
    assert_eq!(reason(&refused.json), "USER_DISABLED");
    act(&noura, id, "enable", json!({})).await;
    let reset = act(&noura, id, "resetPassword", json!({})).await;
    service.clock.step_wall_clock(25 * 60 * 60);
    let code = reset.json["passwordCode"]["code"].as_str().unwrap();
    let late = set_password(&mut browser, code, PASSWORD).await;
    assert_eq!(
        late.status,
        StatusCode::UNPROCESSABLE_ENTITY,
        "it has expired"
    );

    for (kind, number) in [
        (AuditEventKind::UserInvited, 1),
        (AuditEventKind::SessionsEnded, 1),
        (AuditEventKind::PasswordReset, 2),
        (AuditEventKind::UserDisabled, 1),
        (AuditEventKind::UserEnabled, 1),
    ] {
        let events = audited(&service, kind).await;
        assert_eq!(events.len(), number, "{kind:?}");
        assert_eq!(events[0].subject.as_ref().map(SubjectId::as_str), Some(id));
        assert_eq!(events[0].actor.as_deref(), Some(NOURA_ID));
        assert_eq!(events[0].organization, Some(HOME.into()));
        assert!(!format!("{events:?}").contains(code), "no code is audited");
    }
    service.running.shutdown().await;
}

#[tokio::test]
async fn guesses_of_a_code_are_slowed_down_like_those_of_a_password() {
    let service = Service::start().await;
    let noura = administrator(&service).await;
    let invitation = json!({"username": AMAL, "name": "Amal"});
    let invited = noura.post(&format!("{USERS}:invite"), invitation).await;
    let code = invited.json["passwordCode"]["code"].as_str().unwrap();
    let mut browser = UserAgent::new(&service);
    for _ in 0..5 {
        let wrong = set_password(&mut browser, "0000", PASSWORD).await;
        assert_eq!(wrong.status, StatusCode::UNPROCESSABLE_ENTITY);
    }
    let throttled = set_password(&mut browser, code, PASSWORD).await;
    assert_eq!(throttled.status, StatusCode::TOO_MANY_REQUESTS);
    assert!(!throttled.header("retry-after").is_empty());
    // A form of another site, without the cookie of the page.
    let page = browser.get("/account/set-password").await;
    let form = Form::find(&page, "change-password");
    let fields = [("username", AMAL), ("code", code)];
    let forged = browser
        .post_from("https://evil.example", &form.action, &fields)
        .await;
    assert_eq!(forged.status, StatusCode::FORBIDDEN, "{}", forged.body);
    assert_eq!(page.header("referrer-policy"), "no-referrer");
    let events = audited(&service, AuditEventKind::SignInThrottled).await;
    assert_eq!(events.len(), 1);
    service.running.shutdown().await;
}

#[tokio::test]
async fn administrator_reaches_the_people_and_the_roles_of_the_own_organization_only() {
    let service = Service::start().await;
    add_person(&service, "81", GULF_PEARL, "administrator").await;
    let other = person_signed_in(&service, "81").await;
    for verb in ["disable", "enable", "resetPassword", "endSessions"] {
        let refused = act(&other, SALEM_ID, verb, json!({})).await;
        assert_eq!(refused.status, StatusCode::NOT_FOUND, "{verb}");
        assert_eq!(reason(&refused.json), "USER_NOT_FOUND");
    }
    let path = format!("{USERS}/{SALEM_ID}");
    assert_eq!(other.get(&path).await.status, StatusCode::NOT_FOUND);
    let grant = format!("{USERS}:grantRole");
    let by_id = json!({"userId": SALEM_ID, "role": "viewer"});
    let by_id = other.post(&grant, by_id).await;
    assert_eq!(by_id.status, StatusCode::NOT_FOUND, "{}", by_id.body);
    let foreign = json!({"username": "ceo@alkhair.example", "name": "Somebody"});
    let foreign = other.post(&format!("{USERS}:invite"), foreign).await;
    assert_eq!(violation_fields(&foreign), ["username"], "their domain");

    // The person of another organization who works for this one, as an accountant does.
    let by_username = json!({"username": SALEM.to_uppercase(), "role": "accountant"});
    let guest = other.post(&grant, by_username).await;
    assert_eq!(
        guest.json["fromAnotherOrganization"], true,
        "{}",
        guest.body
    );
    assert_eq!(
        (&guest.json["email"], &guest.json["roles"]),
        (&json!(""), &json!(["accountant"]))
    );
    let salem = signed_in(&service, SALEM).await;
    let elsewhere = service.list_status(&salem.token, Some(GULF_PEARL)).await;
    assert_eq!(elsewhere, StatusCode::OK);
    let listed = other.post(&format!("{USERS}/list"), json!({})).await;
    assert_eq!(
        listed.json["users"].as_array().unwrap().len(),
        3,
        "{}",
        listed.body
    );
    for verb in ["disable", "resetPassword", "endSessions"] {
        let refused = act(&other, SALEM_ID, verb, json!({})).await;
        assert_eq!(refused.status, StatusCode::NOT_FOUND, "{verb} of a guest");
    }
    let revoked = act(
        &other,
        SALEM_ID,
        "revokeRole",
        json!({"role": "accountant"}),
    )
    .await;
    assert_eq!(revoked.status, StatusCode::OK, "{}", revoked.body);
    assert_eq!(other.get(&path).await.status, StatusCode::NOT_FOUND);
    let token = &salem.token;
    assert_eq!(
        service.list_status(token, Some(GULF_PEARL)).await,
        StatusCode::FORBIDDEN
    );
    assert_eq!(service.list_status(token, None).await, StatusCode::OK);

    let machine = json!({"userId": MACHINE_ID, "role": "viewer"});
    assert_eq!(
        other.post(&grant, machine).await.status,
        StatusCode::NOT_FOUND
    );
    let mut last = StatusCode::OK;
    for number in 0..12 {
        let unknown = json!({"username": format!("{number}@nowhere.example"), "role": "viewer"});
        let refused = other.post(&grant, unknown).await;
        last = refused.status;
        if last == StatusCode::TOO_MANY_REQUESTS {
            assert_eq!(reason(&refused.json), "RATE_LIMIT");
            assert!(!refused.header("retry-after").is_empty());
            break;
        }
        assert_eq!(reason(&refused.json), "USER_NOT_FOUND");
    }
    assert_eq!(
        last,
        StatusCode::TOO_MANY_REQUESTS,
        "usernames are not tried out"
    );
    service.running.shutdown().await;
}

#[tokio::test]
async fn nobody_removes_the_last_administrator_and_nobody_becomes_an_operator() {
    let service = Service::start().await;
    let noura = administrator(&service).await;
    let role = json!({"role": "administrator"});
    let other = act(&noura, KHALID_ID, "revokeRole", role).await;
    assert_eq!(other.status, StatusCode::OK, "{}", other.body);
    let last = act(
        &noura,
        NOURA_ID,
        "revokeRole",
        json!({"role": "administrator"}),
    )
    .await;
    assert_eq!(reason(&last.json), "LAST_ADMINISTRATOR");
    for verb in ["disable", "resetPassword"] {
        let own = act(&noura, NOURA_ID, verb, json!({})).await;
        assert_eq!(reason(&own.json), "OWN_ACCOUNT", "{verb}");
    }
    let grant = format!("{USERS}:grantRole");
    for role in ["operator", "owner", "", "Administrator"] {
        let refused = noura
            .post(&grant, json!({"userId": SALEM_ID, "role": role}))
            .await;
        assert_eq!(
            violation_fields(&refused),
            ["role"],
            "{role}: {}",
            refused.body
        );
        let invitation = json!({"username": AMAL, "name": "Amal", "roles": ["clerk", role]});
        let refused = noura.post(&format!("{USERS}:invite"), invitation).await;
        assert_eq!(violation_fields(&refused), ["roles[1]"], "{role}");
    }
    for body in [
        json!({"role": "clerk"}),
        json!({"userId": "1", "username": "a", "role": "clerk"}),
    ] {
        let refused = noura.post(&grant, body).await;
        assert_eq!(violation_fields(&refused), ["userId"]);
    }
    let granted = noura
        .post(&grant, json!({"userId": SALEM_ID, "role": "administrator"}))
        .await;
    assert_eq!(granted.status, StatusCode::OK, "{}", granted.body);
    let revoked = act(
        &noura,
        NOURA_ID,
        "revokeRole",
        json!({"role": "administrator"}),
    )
    .await;
    assert_eq!(
        revoked.status,
        StatusCode::OK,
        "there is another: {}",
        revoked.body
    );
    assert_eq!(
        noura.get(&format!("{USERS}/{SALEM_ID}")).await.status,
        StatusCode::FORBIDDEN
    );

    // An administrator of the operator organization who is no operator.
    add_person(&service, "82", OPERATOR, "administrator").await;
    let administrator = person_signed_in(&service, "82").await;
    let revoke = json!({"role": "operator"});
    let refused = act(&administrator, HESSA_ID, "revokeRole", revoke).await;
    assert_eq!(refused.status, StatusCode::FORBIDDEN, "{}", refused.body);
    for verb in ["disable", "resetPassword", "endSessions"] {
        let refused = act(&administrator, HESSA_ID, verb, json!({})).await;
        assert_eq!(
            refused.status,
            StatusCode::FORBIDDEN,
            "{verb} of an operator"
        );
    }
    let operator_role = json!({"userId": "82", "role": "operator"});
    let refused = administrator.post(&grant, operator_role.clone()).await;
    assert_eq!(refused.status, StatusCode::FORBIDDEN, "{}", refused.body);
    let invitation = json!({"username": AMAL, "name": "Amal", "roles": ["operator"]});
    let refused = administrator
        .post(&format!("{USERS}:invite"), invitation)
        .await;
    assert_eq!(refused.status, StatusCode::FORBIDDEN, "{}", refused.body);
    service.grant(HESSA_ID, OPERATOR, "administrator").await;
    let both = signed_in(&service, HESSA).await;
    let granted = both.post(&grant, operator_role).await;
    assert_eq!(granted.status, StatusCode::OK, "{}", granted.body);
    service.running.shutdown().await;
}
