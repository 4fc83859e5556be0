//! Several people with one browser, passwords that have to be changed, and what is answered silently.

use std::sync::Arc;

use crate::fixtures::user_agent::{Attempt, Callback, Form, UserAgent, choice, claims};
use crate::fixtures::{Answer, NOURA, NOURA_ID, SALEM, SALEM_ID, Service};
use invoicing_contract::ready::ApplicationKind;
use invoicing_identity::administration::Administration;
use invoicing_service::{SystemRng, open_administration};
use invoicing_storage::AuditStore as _;
use invoicing_storage::applications::GrantType;
use invoicing_storage::audit::{Kind, Query};
use reqwest::StatusCode;
use serde_json::json;

const CHOSEN: &str = "three quiet ledgers";

#[tokio::test]
async fn several_people_stay_signed_in_and_the_browser_asks_which() {
    let service = Service::start().await;
    let attempt = Attempt::new(&service, "openid");
    let mut browser = both_signed_in(&service, &attempt).await;

    let asked = browser.get(&attempt.path()).await;
    for (name, id) in [("Noura Al-Harbi", NOURA_ID), ("Salem Al-Otaibi", SALEM_ID)] {
        let form = Form::of(&asked, "choose");
        let account = choice(&asked, name);
        let callback = Callback::of(&browser.submit(&form, &[("account", &account)]).await);
        assert_eq!(who(&service, &attempt, &callback).await, id);
    }
    let silent = attempt.clone().with("prompt", "none");
    let refused = Callback::of(&browser.get(&silent.path()).await);
    assert_eq!(refused.error(), Some("account_selection_required"));
    let hinted = silent.with("login_hint", &NOURA.to_uppercase());
    let callback = Callback::of(&browser.get(&hinted.path()).await);
    assert_eq!(who(&service, &attempt, &callback).await, NOURA_ID);
    service.running.shutdown().await;
}

#[tokio::test]
async fn an_id_token_says_which_of_several_people_is_meant() {
    let service = Service::start().await;
    let attempt = Attempt::new(&service, "openid");
    let mut browser = both_signed_in(&service, &attempt).await;
    let salem = service.sign_in(SALEM).await;
    let silent = attempt
        .clone()
        .with("prompt", "none")
        .with("id_token_hint", salem.text("id_token"));
    let callback = Callback::of(&browser.get(&silent.path()).await);
    assert_eq!(who(&service, &attempt, &callback).await, SALEM_ID);
    service.running.shutdown().await;
}

#[tokio::test]
async fn a_session_of_somebody_else_cannot_be_chosen() {
    let service = Service::start().await;
    let attempt = Attempt::new(&service, "openid").with("prompt", "select_account");
    let mut salem = UserAgent::new(&service);
    salem.sign_in(&service, &attempt, SALEM).await;
    let account = choice(&salem.get(&attempt.path()).await, "Salem Al-Otaibi");

    let mut noura = UserAgent::new(&service);
    noura.sign_in(&service, &attempt, NOURA).await;
    let form = Form::of(&noura.get(&attempt.path()).await, "choose");
    let answer = noura.submit(&form, &[("account", &account)]).await;
    assert_eq!(answer.status, StatusCode::OK, "asked for the password");
    Form::of(&answer, "sign-in");
    service.running.shutdown().await;
}

#[tokio::test]
async fn where_the_password_is_asked_for_a_form_made_by_hand_does_not_get_around_it() {
    let service = Service::start().await;
    let attempt = Attempt::new(&service, "openid");
    let mut browser = UserAgent::new(&service);
    browser.sign_in(&service, &attempt, NOURA).await;
    let choosing = attempt.clone().with("prompt", "select_account");
    let account = choice(&browser.get(&choosing.path()).await, "Noura Al-Harbi");
    for asking in [
        attempt.clone().with("prompt", "login"),
        attempt.with("max_age", "0"),
    ] {
        service.clock.forward(1);
        let form = Form::of(&browser.get(&asking.path()).await, "sign-in");
        let answer = browser.submit(&form, &[("account", &account)]).await;
        assert_eq!(answer.status, StatusCode::OK, "no code: {}", answer.body);
        Form::of(&answer, "sign-in");
    }
    service.running.shutdown().await;
}

#[tokio::test]
async fn signing_out_one_leaves_the_other_and_without_a_hint_all_are_named() {
    let service = Service::start().await;
    let attempt = Attempt::new(&service, "openid");
    let mut browser = both_signed_in(&service, &attempt).await;
    let silent = attempt.clone().with("prompt", "none");
    let noura = silent.clone().with("login_hint", NOURA);
    let callback = Callback::of(&browser.get(&noura.path()).await);
    let tokens = service.redeem(&attempt, &callback).await;

    let all = browser.get("/oidc/v1/end_session").await;
    for name in ["Noura Al-Harbi", "Salem Al-Otaibi"] {
        assert!(all.body.contains(name), "{name}: {}", all.body);
    }
    let path = format!(
        "/oidc/v1/end_session?id_token_hint={}",
        tokens.text("id_token")
    );
    browser.get(&path).await;
    let left = Callback::of(&browser.get(&silent.path()).await);
    assert_eq!(who(&service, &attempt, &left).await, SALEM_ID);
    let all = browser.get("/oidc/v1/end_session").await;
    browser.submit(&Form::of(&all, "sign-out"), &[]).await;
    let nobody = Callback::of(&browser.get(&silent.path()).await);
    assert_eq!(nobody.error(), Some("login_required"));
    service.running.shutdown().await;
}

#[tokio::test]
async fn a_scheme_that_any_program_can_claim_is_answered_silently_only_with_an_id_token() {
    let service = Service::start().await;
    let native = service.application(ApplicationKind::Public).redirect_uris[0].clone();
    assert!(!native.starts_with("http"), "{native}");
    let attempt = Attempt::new(&service, "openid").with("redirect_uri", &native);
    let silent = attempt.clone().with("prompt", "none");
    let mut browser = UserAgent::new(&service);
    let nobody = Callback::of(&browser.get(&silent.path()).await);
    assert_eq!(nobody.error(), Some("login_required"));

    let callback = browser.sign_in(&service, &attempt, NOURA).await;
    let own = service.redeem(&attempt, &callback).await;
    let refused = Callback::of(&browser.get(&silent.path()).await);
    assert_eq!(refused.error(), Some("interaction_required"));
    let asked = browser.get(&attempt.path()).await;
    assert_eq!(
        asked.status,
        StatusCode::OK,
        "who says nothing takes a click"
    );
    Form::of(&asked, "choose");
    let other = service.sign_in(SALEM).await;
    let hinted = |answer: &Answer| {
        silent
            .clone()
            .with("id_token_hint", answer.text("id_token"))
    };
    let refused = Callback::of(&browser.get(&hinted(&other).path()).await);
    assert_eq!(refused.error(), Some("login_required"), "somebody else's");
    let callback = Callback::of(&browser.get(&hinted(&own).path()).await);
    assert_eq!(who(&service, &attempt, &callback).await, NOURA_ID);
    service.running.shutdown().await;
}

#[tokio::test]
async fn whoever_signs_in_is_not_taken_for_the_person_that_is_expected() {
    let service = Service::start().await;
    let salem = service.sign_in(SALEM).await;
    let attempt = Attempt::new(&service, "openid").with("id_token_hint", salem.text("id_token"));
    let callback = UserAgent::new(&service)
        .sign_in(&service, &attempt, NOURA)
        .await;
    assert_eq!(callback.error(), Some("login_required"));
    service.running.shutdown().await;
}

#[tokio::test]
async fn a_password_for_once_has_to_be_changed_before_anything_else() {
    let service = Service::start().await;
    let tokens = service.sign_in(NOURA).await;
    let once = administration(&service)
        .await
        .reset_password(NOURA, None)
        .await
        .unwrap()
        .expect("one was made");
    let once = once.expose();
    service
        .refresh(tokens.text("refresh_token"))
        .await
        .is_oauth_error(400, "invalid_grant");

    let attempt = Attempt::new(&service, "openid");
    let mut browser = UserAgent::new(&service);
    let form = Form::of(&browser.get(&attempt.path()).await, "sign-in");
    let fields = [("username", NOURA), ("password", once)];
    let due = browser.submit(&form, &fields).await;
    assert_eq!(due.status, StatusCode::OK, "{}", due.body);
    let form = Form::of(&due, "change-password");
    let silent = attempt.clone().with("prompt", "none");
    assert_eq!(
        Callback::of(&browser.get(&silent.path()).await).error(),
        Some("login_required"),
        "nobody is signed in before the step is done"
    );
    for (new, repeated, said) in [
        ("short", "short", "too short"),
        (CHOSEN, "three loud ledgers", "differ"),
        (once, once, "not a new password"),
        ("", "", "too short"),
    ] {
        let page = browser
            .submit(
                &form,
                &[("new-password", new), ("repeat-password", repeated)],
            )
            .await;
        assert_eq!(page.status, StatusCode::UNPROCESSABLE_ENTITY, "{said}");
        assert!(page.body.contains(said), "{said}: {}", page.body);
    }
    let forged = [("new-password", CHOSEN), ("repeat-password", CHOSEN)];
    let elsewhere = browser.post(&form.action, &forged).await;
    assert_eq!(
        elsewhere.status,
        StatusCode::FORBIDDEN,
        "a form from elsewhere changes nothing"
    );
    let callback = Callback::of(&browser.submit(&form, &forged).await);
    assert_eq!(who(&service, &attempt, &callback).await, NOURA_ID);

    let again = UserAgent::new(&service);
    let callback = with_password(again, &attempt, CHOSEN).await;
    assert_eq!(callback.error(), None, "asked once");
    assert_eq!(
        recorded(&service, Kind::PasswordChanged).await,
        1,
        "recorded once"
    );
    service.running.shutdown().await;
}

#[tokio::test]
async fn a_password_for_once_is_not_enough_for_the_password_grant() {
    let service = Service::start().await;
    service
        .change_application("web", |application| {
            application.grant_types.push(GrantType::Password);
        })
        .await;
    let once = administration(&service)
        .await
        .reset_password(NOURA, None)
        .await
        .unwrap()
        .expect("one was made");
    let web = service.application(ApplicationKind::Confidential);
    let form = [
        ("grant_type", "password"),
        ("client_id", "web"),
        ("client_secret", web.client_secret.as_deref().unwrap()),
        ("username", NOURA),
        ("password", once.expose()),
    ];
    service
        .token(&form)
        .await
        .is_oauth_error(400, "invalid_grant");
    service.running.shutdown().await;
}

#[tokio::test]
async fn a_person_changes_the_password_and_is_signed_out_everywhere() {
    let service = Service::start().await;
    let attempt = Attempt::new(&service, "openid");
    let tokens = service.sign_in(NOURA).await;
    let mut browser = UserAgent::new(&service);
    browser.sign_in(&service, &attempt, NOURA).await;
    let found = browser.get("/.well-known/change-password").await;
    let path = found.header("location").to_owned();
    let page = browser.get(&path).await;
    assert!(page.body.contains(NOURA), "it knows who is signed in");
    let form = Form::of(&page, "change-password");
    let wrong = browser.submit(&form, &fields("wrong")).await;
    assert_eq!(wrong.status, StatusCode::UNPROCESSABLE_ENTITY);
    let present = service.user(NOURA).password.clone();
    let changed = browser.submit(&form, &fields(&present)).await;
    assert_eq!(changed.status, StatusCode::OK, "{}", changed.body);
    assert!(changed.body.contains("signed out everywhere"));

    assert_eq!(
        service.userinfo(tokens.text("access_token")).await.status,
        StatusCode::UNAUTHORIZED
    );
    let silent = attempt.clone().with("prompt", "none");
    let silent = Callback::of(&browser.get(&silent.path()).await);
    assert_eq!(silent.error(), Some("login_required"));
    let callback = with_password(UserAgent::new(&service), &attempt, CHOSEN).await;
    assert_eq!(callback.error(), None, "the new one is good");
    service.running.shutdown().await;
}

#[tokio::test]
async fn the_pages_speak_both_languages_without_scripts() {
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

/// The form as a person fills it in who chooses another password.
fn fields(password: &str) -> [(&str, &str); 4] {
    [
        ("username", NOURA),
        ("password", password),
        ("new-password", CHOSEN),
        ("repeat-password", CHOSEN),
    ]
}

async fn both_signed_in(service: &Service, attempt: &Attempt) -> UserAgent {
    let mut browser = UserAgent::new(service);
    for username in [NOURA, SALEM] {
        let login = attempt.clone().with("prompt", "login");
        browser.sign_in(service, &login, username).await;
    }
    browser
}

async fn with_password(mut browser: UserAgent, attempt: &Attempt, password: &str) -> Callback {
    let form = Form::of(&browser.get(&attempt.path()).await, "sign-in");
    let fields = [("username", NOURA), ("password", password)];
    Callback::of(&browser.submit(&form, &fields).await)
}

async fn who(service: &Service, attempt: &Attempt, callback: &Callback) -> String {
    assert_eq!(callback.error(), None, "{callback:?}");
    let tokens = service.redeem(attempt, callback).await;
    let sub = claims(tokens.text("id_token"))["sub"].clone();
    assert_ne!(sub, json!(null));
    sub.as_str().expect("a subject").to_owned()
}

async fn recorded(service: &Service, kind: Kind) -> usize {
    let store = service.store().await;
    let query = Query {
        kinds: vec![kind],
        size: 10,
        ..Query::default()
    };
    let page = store.audit(&query).await.expect("storage answers");
    store.close().await;
    page.len()
}

async fn administration(service: &Service) -> Administration {
    let database = format!(
        "sqlite:{}",
        service.folder.path().join("invoicing.db").display()
    );
    open_administration(&database, service.clock.clone(), Arc::new(SystemRng))
        .await
        .expect("the database is there")
}
