//! Tests of several sessions in one browser and of authorization requests with `prompt=none`.

use crate::fixtures::user_agent::{
    AuthorizationRequest, Callback, Form, UserAgent, account_value, unverified_claims,
};
use crate::fixtures::{NOURA, NOURA_ID, SALEM, SALEM_ID, Service};
use invoicing_contract::ready::ApplicationKind;
use invoicing_storage::applications::GrantType;
use invoicing_storage::audit::{AuditEventKind, Query};
use reqwest::StatusCode;
use serde_json::json;

const NEW_PASSWORD: &str = "three quiet ledgers";

#[tokio::test]
async fn several_sessions_in_one_browser_show_the_account_chooser() {
    let service = Service::start().await;
    let authorization = AuthorizationRequest::confidential(&service, "openid");
    let mut browser = both_signed_in(&service, &authorization).await;

    let page = browser.get(&authorization.path()).await;
    for (name, id) in [("Noura Al-Harbi", NOURA_ID), ("Salem Al-Otaibi", SALEM_ID)] {
        let form = Form::find(&page, "choose");
        let account = account_value(&page, name);
        let callback =
            Callback::from_redirect(&browser.submit(&form, &[("account", &account)]).await);
        assert_eq!(subject_of(&service, &authorization, &callback).await, id);
    }
    let silent = authorization.clone().with("prompt", "none");
    let refused = Callback::from_redirect(&browser.get(&silent.path()).await);
    assert_eq!(refused.error(), Some("account_selection_required"));
    let hinted = silent.with("login_hint", &NOURA.to_uppercase());
    let callback = Callback::from_redirect(&browser.get(&hinted.path()).await);
    assert_eq!(
        subject_of(&service, &authorization, &callback).await,
        NOURA_ID
    );
    service.running.shutdown().await;
}

#[tokio::test]
async fn id_token_hint_selects_one_of_several_sessions() {
    let service = Service::start().await;
    let authorization = AuthorizationRequest::confidential(&service, "openid");
    let mut browser = both_signed_in(&service, &authorization).await;
    let salem = service.sign_in_to(&authorization, SALEM).await;
    let silent = authorization
        .clone()
        .with("prompt", "none")
        .with("id_token_hint", salem.text("id_token"));
    let callback = Callback::from_redirect(&browser.get(&silent.path()).await);
    assert_eq!(
        subject_of(&service, &authorization, &callback).await,
        SALEM_ID
    );
    service.running.shutdown().await;
}

#[tokio::test]
async fn account_of_another_browser_cannot_be_chosen() {
    let service = Service::start().await;
    let authorization =
        AuthorizationRequest::new(&service, "openid").with("prompt", "select_account");
    let mut salem = UserAgent::new(&service);
    salem.sign_in(&service, &authorization, SALEM).await;
    let account = account_value(&salem.get(&authorization.path()).await, "Salem Al-Otaibi");

    let mut noura = UserAgent::new(&service);
    noura.sign_in(&service, &authorization, NOURA).await;
    let form = Form::find(&noura.get(&authorization.path()).await, "choose");
    let response = noura.submit(&form, &[("account", &account)]).await;
    assert_eq!(
        response.status,
        StatusCode::OK,
        "the password page is shown"
    );
    Form::find(&response, "sign-in");
    service.running.shutdown().await;
}

#[tokio::test]
async fn forged_account_choice_does_not_bypass_reauthentication() {
    let service = Service::start().await;
    let authorization = AuthorizationRequest::new(&service, "openid");
    let mut browser = UserAgent::new(&service);
    browser.sign_in(&service, &authorization, NOURA).await;
    let choosing = authorization.clone().with("prompt", "select_account");
    let account = account_value(&browser.get(&choosing.path()).await, "Noura Al-Harbi");
    for asking in [
        authorization.clone().with("prompt", "login"),
        authorization.with("max_age", "0"),
    ] {
        service.clock.advance(1);
        let form = Form::find(&browser.get(&asking.path()).await, "sign-in");
        let response = browser.submit(&form, &[("account", &account)]).await;
        assert_eq!(
            response.status,
            StatusCode::OK,
            "no code: {}",
            response.body
        );
        Form::find(&response, "sign-in");
    }
    service.running.shutdown().await;
}

#[tokio::test]
async fn end_session_with_hint_ends_one_session_and_without_hint_lists_all() {
    let service = Service::start().await;
    let authorization = AuthorizationRequest::confidential(&service, "openid");
    let mut browser = both_signed_in(&service, &authorization).await;
    let silent = authorization.clone().with("prompt", "none");
    let noura = silent.clone().with("login_hint", NOURA);
    let callback = Callback::from_redirect(&browser.get(&noura.path()).await);
    let tokens = service.redeem(&authorization, &callback).await;

    let all = browser.get("/oidc/v1/end_session").await;
    for name in ["Noura Al-Harbi", "Salem Al-Otaibi"] {
        assert!(all.body.contains(name), "{name}: {}", all.body);
    }
    let path = format!(
        "/oidc/v1/end_session?id_token_hint={}",
        tokens.text("id_token")
    );
    browser.get(&path).await;
    let left = Callback::from_redirect(&browser.get(&silent.path()).await);
    assert_eq!(subject_of(&service, &authorization, &left).await, SALEM_ID);
    let all = browser.get("/oidc/v1/end_session").await;
    browser.submit(&Form::find(&all, "sign-out"), &[]).await;
    let nobody = Callback::from_redirect(&browser.get(&silent.path()).await);
    assert_eq!(nobody.error(), Some("login_required"));
    service.running.shutdown().await;
}

#[tokio::test]
async fn public_application_without_a_claimed_address_gets_no_code_without_a_click() {
    let service = Service::start().await;
    let addresses = &service.application(ApplicationKind::Public).redirect_uris;
    let [native, loopback, _] = addresses.as_slice() else {
        panic!("a private-use scheme and two loopback addresses: {addresses:?}");
    };
    assert!(!native.starts_with("http"), "{native}");
    let another_port = loopback.replace("127.0.0.1", "127.0.0.1:49152");
    for address in [native, loopback, &another_port] {
        let authorization =
            AuthorizationRequest::new(&service, "openid").with("redirect_uri", address);
        let silent = authorization.clone().with("prompt", "none");
        let mut browser = UserAgent::new(&service);
        let nobody = Callback::from_redirect(&browser.get(&silent.path()).await);
        assert_eq!(nobody.error(), Some("login_required"));

        let callback = browser.sign_in(&service, &authorization, NOURA).await;
        let own = service.redeem(&authorization, &callback).await;
        let with_own_id_token = silent.clone().with("id_token_hint", own.text("id_token"));
        for request in [&silent, &with_own_id_token] {
            let refused = Callback::from_redirect(&browser.get(&request.path()).await);
            assert_eq!(refused.error(), Some("interaction_required"), "{address}");
        }
        for request in [&authorization, &with_own_id_token.without("prompt")] {
            let callback = browser.continue_as(request, "Noura Al-Harbi").await;
            let subject = subject_of(&service, &authorization, &callback).await;
            assert_eq!(subject, NOURA_ID);
        }
        let other = service.sign_in(SALEM).await;
        let hinted = silent.with("id_token_hint", other.text("id_token"));
        let refused = Callback::from_redirect(&browser.get(&hinted.path()).await);
        assert_eq!(refused.error(), Some("login_required"), "somebody else's");
    }
    service.running.shutdown().await;
}

#[tokio::test]
async fn sign_in_as_another_user_than_hinted_returns_login_required() {
    let service = Service::start().await;
    let salem = service.sign_in(SALEM).await;
    let authorization =
        AuthorizationRequest::new(&service, "openid").with("id_token_hint", salem.text("id_token"));
    let callback = UserAgent::new(&service)
        .sign_in(&service, &authorization, NOURA)
        .await;
    assert_eq!(callback.error(), Some("login_required"));
    service.running.shutdown().await;
}

#[tokio::test]
async fn one_time_password_must_be_changed_before_a_code_is_issued() {
    let service = Service::start().await;
    let tokens = service.sign_in(NOURA).await;
    let one_time = service
        .administration()
        .await
        .reset_password(NOURA, None)
        .await
        .unwrap()
        .expect("a password is generated");
    let one_time = one_time.expose();
    service
        .refresh(tokens.text("refresh_token"))
        .await
        .is_oauth_error(400, "invalid_grant");

    let authorization = AuthorizationRequest::new(&service, "openid");
    let mut browser = UserAgent::new(&service);
    let form = Form::find(&browser.get(&authorization.path()).await, "sign-in");
    let fields = [("username", NOURA), ("password", one_time)];
    let due = browser.submit(&form, &fields).await;
    assert_eq!(due.status, StatusCode::OK, "{}", due.body);
    let form = Form::find(&due, "change-password");
    let silent = authorization.clone().with("prompt", "none");
    assert_eq!(
        Callback::from_redirect(&browser.get(&silent.path()).await).error(),
        Some("login_required"),
        "no session exists before the password is changed"
    );
    for (new, repeated, expected) in [
        ("short", "short", "too short"),
        (NEW_PASSWORD, "three loud ledgers", "differ"),
        (one_time, one_time, "not a new password"),
        ("", "", "too short"),
    ] {
        let page = browser
            .submit(
                &form,
                &[("new-password", new), ("repeat-password", repeated)],
            )
            .await;
        assert_eq!(page.status, StatusCode::UNPROCESSABLE_ENTITY, "{expected}");
        assert!(page.body.contains(expected), "{expected}: {}", page.body);
    }
    let forged = [
        ("new-password", NEW_PASSWORD),
        ("repeat-password", NEW_PASSWORD),
    ];
    let elsewhere = browser.post(&form.action, &forged).await;
    assert_eq!(
        elsewhere.status,
        StatusCode::FORBIDDEN,
        "a form without a CSRF token is rejected"
    );
    let callback = Callback::from_redirect(&browser.submit(&form, &forged).await);
    assert_eq!(
        subject_of(&service, &authorization, &callback).await,
        NOURA_ID
    );

    let again = UserAgent::new(&service);
    let callback = with_password(again, &authorization, NEW_PASSWORD).await;
    assert_eq!(callback.error(), None, "the change is requested only once");
    assert_eq!(
        recorded(&service, AuditEventKind::PasswordChanged).await,
        1,
        "one audit event"
    );
    service.running.shutdown().await;
}

#[tokio::test]
async fn password_grant_with_a_one_time_password_returns_invalid_grant() {
    let service = Service::start().await;
    service
        .change_application("web", |application| {
            application.grant_types.push(GrantType::Password);
        })
        .await;
    let one_time = service
        .administration()
        .await
        .reset_password(NOURA, None)
        .await
        .unwrap()
        .expect("a password is generated");
    let web = service.application(ApplicationKind::Confidential);
    let form = [
        ("grant_type", "password"),
        ("client_id", "web"),
        ("client_secret", web.client_secret.as_deref().unwrap()),
        ("username", NOURA),
        ("password", one_time.expose()),
    ];
    service
        .token(&form)
        .await
        .is_oauth_error(400, "invalid_grant");
    service.running.shutdown().await;
}

#[tokio::test]
async fn password_change_ends_all_sessions_and_tokens() {
    let service = Service::start().await;
    let authorization = AuthorizationRequest::new(&service, "openid");
    let tokens = service.sign_in(NOURA).await;
    let mut browser = UserAgent::new(&service);
    browser.sign_in(&service, &authorization, NOURA).await;
    let found = browser.get("/.well-known/change-password").await;
    let path = found.header("location").to_owned();
    let page = browser.get(&path).await;
    assert!(
        page.body.contains(NOURA),
        "the page names the signed-in user"
    );
    let form = Form::find(&page, "change-password");
    let wrong = browser.submit(&form, &change_form("wrong")).await;
    assert_eq!(wrong.status, StatusCode::UNPROCESSABLE_ENTITY);
    let present = service.user(NOURA).password.clone();
    let changed = browser.submit(&form, &change_form(&present)).await;
    assert_eq!(changed.status, StatusCode::OK, "{}", changed.body);
    assert!(changed.body.contains("signed out everywhere"));

    assert_eq!(
        service.userinfo(tokens.text("access_token")).await.status,
        StatusCode::UNAUTHORIZED
    );
    let silent = authorization.clone().with("prompt", "none");
    let silent = Callback::from_redirect(&browser.get(&silent.path()).await);
    assert_eq!(silent.error(), Some("login_required"));
    let callback = with_password(UserAgent::new(&service), &authorization, NEW_PASSWORD).await;
    assert_eq!(callback.error(), None, "the new password works");
    service.running.shutdown().await;
}

#[tokio::test]
async fn password_page_is_localized_and_contains_no_script() {
    let service = Service::start().await;
    for (locale, direction, title) in [
        ("en", "ltr", "Choose a new password"),
        ("ar", "rtl", "اختر كلمة مرور جديدة"),
    ] {
        let page = UserAgent::new(&service)
            .get(&format!("/account/password?ui_locales={locale}"))
            .await;
        assert!(page.body.contains(title), "{}", page.body);
        assert!(page.body.contains(&format!("dir=\"{direction}\"")));
        assert!(!page.body.contains("<script"), "no script");
        let policy = page.header("content-security-policy");
        assert!(
            policy.contains("default-src 'none'") && policy.contains("form-action 'self';"),
            "{policy}"
        );
    }
    service.running.shutdown().await;
}

/// The fields of the change-password form.
fn change_form(password: &str) -> [(&str, &str); 4] {
    [
        ("username", NOURA),
        ("password", password),
        ("new-password", NEW_PASSWORD),
        ("repeat-password", NEW_PASSWORD),
    ]
}

async fn both_signed_in(service: &Service, authorization: &AuthorizationRequest) -> UserAgent {
    let mut browser = UserAgent::new(service);
    for username in [NOURA, SALEM] {
        let login = authorization.clone().with("prompt", "login");
        browser.sign_in(service, &login, username).await;
    }
    browser
}

async fn with_password(
    mut browser: UserAgent,
    authorization: &AuthorizationRequest,
    password: &str,
) -> Callback {
    let form = Form::find(&browser.get(&authorization.path()).await, "sign-in");
    let fields = [("username", NOURA), ("password", password)];
    Callback::from_redirect(&browser.submit(&form, &fields).await)
}

async fn subject_of(
    service: &Service,
    authorization: &AuthorizationRequest,
    callback: &Callback,
) -> String {
    assert_eq!(callback.error(), None, "{callback:?}");
    let tokens = service.redeem(authorization, callback).await;
    let sub = unverified_claims(tokens.text("id_token"))["sub"].clone();
    assert_ne!(sub, json!(null));
    sub.as_str().expect("a subject").to_owned()
}

async fn recorded(service: &Service, kind: AuditEventKind) -> usize {
    let store = service.store().await;
    let query = Query {
        kinds: vec![kind],
        size: 10,
        ..Query::default()
    };
    let page = store.audit(&query).await.expect("storage responds");
    page.len()
}
