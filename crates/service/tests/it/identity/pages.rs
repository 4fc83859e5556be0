//! Tests of the HTML pages: language, security headers, CSRF tokens, input errors.

use crate::fixtures::user_agent::{AuthorizationRequest, Callback, Form, UserAgent};
use crate::fixtures::{NOURA, Response, Service};
use invoicing_contract::ready::ApplicationKind;
use reqwest::StatusCode;

#[tokio::test]
async fn sign_in_page_has_language_labels_and_no_script() {
    let service = Service::start().await;
    let authorization = AuthorizationRequest::new(&service, "openid");
    for (language, direction, title) in [("en", "ltr", "Sign in"), ("ar", "rtl", "تسجيل الدخول")]
    {
        let page = UserAgent::new(&service)
            .get(&authorization.clone().with("ui_locales", language).path())
            .await;
        assert_eq!(page.status, StatusCode::OK);
        assert_eq!(page.header("content-type"), "text/html; charset=utf-8");
        for piece in [
            format!("<html lang=\"{language}\" dir=\"{direction}\">"),
            format!("<title>{title} "),
            format!("<h1>{title}</h1>"),
            "<label for=\"username\">".to_owned(),
            "<label for=\"password\">".to_owned(),
            "autocomplete=\"username\"".to_owned(),
            "autocomplete=\"current-password\"".to_owned(),
            "name=\"viewport\"".to_owned(),
        ] {
            assert!(page.body.contains(&piece), "no {piece} in {}", page.body);
        }
        for forbidden in ["<script", " style=", "<style", " on", "http://", "https://"] {
            let found = page.body.split('>').any(|tag| {
                tag.rsplit('<')
                    .next()
                    .is_some_and(|tag| tag.contains(forbidden))
            });
            assert!(!found, "{forbidden} in {}", page.body);
        }
    }
    let mut arabic = UserAgent::new(&service);
    arabic.accept_language = "ar-KW,ar;q=0.9,en;q=0.8";
    assert!(
        arabic
            .get(&authorization.path())
            .await
            .body
            .contains("dir=\"rtl\""),
        "Accept-Language is applied"
    );
    service.running.shutdown().await;
}

#[tokio::test]
async fn sign_in_page_calls_the_product_in_its_language_and_another_application_as_it_is_registered()
 {
    let service = Service::start().await;
    let is_mark = |letter: char| matches!(letter, '\u{2066}'..='\u{2069}');
    for (authorization, expected) in [
        (
            AuthorizationRequest::new(&service, "openid"),
            "للمتابعة إلى مكتب الفواتير",
        ),
        (
            AuthorizationRequest::confidential(&service, "openid"),
            "للمتابعة إلى Al-Khair Books",
        ),
    ] {
        let path = authorization.with("ui_locales", "ar").path();
        let page = UserAgent::new(&service).get(&path).await;
        let text = page.body.replace(is_mark, "");
        assert!(text.contains(expected), "no {expected} in {text}");
        assert!(!text.contains("Invoice Desk"), "{text}");
    }
    service.running.shutdown().await;
}

#[tokio::test]
async fn redirect_to_a_native_application_shows_the_close_tab_page() {
    let service = Service::start().await;
    let native = &service.application(ApplicationKind::Public).redirect_uris;
    let notice = "you can close this tab";
    for address in native {
        let authorization =
            AuthorizationRequest::new(&service, "openid").with("redirect_uri", address);
        let page = UserAgent::new(&service).get(&authorization.path()).await;
        let own_scheme = !address.starts_with("http");
        assert_eq!(page.body.contains(notice), own_scheme, "{address}");
    }
    assert!(native.iter().any(|address| !address.starts_with("http")));
    service.running.shutdown().await;
}

#[tokio::test]
async fn sign_in_page_forbids_framing_caching_and_foreign_form_targets() {
    let service = Service::start().await;
    let authorization = AuthorizationRequest::new(&service, "openid");
    let native = &service.application(ApplicationKind::Public).redirect_uris[0];
    for (address, target) in [
        (
            native.as_str(),
            "form-action 'self' com.invoicedesk.desktop:;",
        ),
        (
            "http://127.0.0.1:4711/oauth/local",
            "form-action 'self' http://127.0.0.1:4711;",
        ),
    ] {
        let page = UserAgent::new(&service)
            .get(&authorization.clone().with("redirect_uri", address).path())
            .await;
        let policy = page.header("content-security-policy");
        for piece in [
            "default-src 'none'",
            "style-src 'self'",
            target,
            "frame-ancestors 'none'",
            "base-uri 'none'",
        ] {
            assert!(policy.contains(piece), "no {piece} in {policy}");
        }
        assert_eq!(page.header("x-frame-options"), "DENY");
        assert_eq!(page.header("x-content-type-options"), "nosniff");
        assert_eq!(page.header("referrer-policy"), "no-referrer");
        assert_eq!(page.header("cache-control"), "no-store");
        let cookie = page.header("set-cookie");
        assert!(
            cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax"),
            "{cookie}"
        );
    }
    service.running.shutdown().await;
}

#[tokio::test]
async fn every_response_of_the_identity_provider_forbids_bases_frames_and_foreign_forms() {
    let service = Service::start().await;
    for path in [
        "/oauth/v2/authorize",
        "/oauth/v2/keys",
        "/oidc/v1/end_session",
        "/account/password",
        "/nowhere",
    ] {
        let request = service.http.get(service.auth(path)).send();
        let response = Response::read(request.await.expect("a response")).await;
        let policy = response.header("content-security-policy");
        for directive in [
            "default-src 'none'",
            "frame-ancestors 'none'",
            "base-uri 'none'",
        ] {
            assert!(policy.contains(directive), "{path}: {policy}");
        }
        assert!(policy.contains("form-action "), "{path}: {policy}");
    }
    service.running.shutdown().await;
}

#[tokio::test]
async fn style_and_icon_are_served_as_immutable() {
    let service = Service::start().await;
    let mut browser = UserAgent::new(&service);
    let page = browser
        .get(&AuthorizationRequest::new(&service, "openid").path())
        .await;
    let linked: Vec<_> = page
        .body
        .split("href=\"")
        .skip(1)
        .filter_map(|rest| rest.split('"').next())
        .collect();
    for (start, kind) in [
        ("/style-", "text/css; charset=utf-8"),
        ("/icon-", "image/svg+xml"),
    ] {
        let path = linked
            .iter()
            .find(|path| path.starts_with(start))
            .unwrap_or_else(|| panic!("no {start}"));
        let file = browser.get(path).await;
        assert_eq!(
            (file.status, file.header("content-type")),
            (StatusCode::OK, kind)
        );
        assert!(file.header("cache-control").contains("immutable"));
    }
    service.running.shutdown().await;
}

#[tokio::test]
async fn https_public_address_sets_host_prefixed_secure_cookies() {
    let service = Service::start_with(|config| invoicing_service::Config {
        public_identity: Some("https://id.example".parse().unwrap()),
        public_gateway: Some("https://api.example".parse().unwrap()),
        ..config
    })
    .await;
    assert_eq!(service.ready.auth_url, "https://id.example");
    let address = format!(
        "http://{}{}",
        service.running.identity,
        AuthorizationRequest::new(&service, "openid").path()
    );
    let page = Response::read(service.http.get(address).send().await.unwrap()).await;
    let cookie = page.header("set-cookie");
    assert!(
        cookie.starts_with("__Host-") && cookie.contains("; Secure"),
        "{cookie}"
    );
    assert!(page.headers.contains_key("strict-transport-security"));
    service.running.shutdown().await;
}

#[tokio::test]
async fn wrong_password_and_unknown_account_return_the_same_page() {
    let service = Service::start().await;
    let authorization = AuthorizationRequest::new(&service, "openid");
    let mut browser = UserAgent::new(&service);
    for username in [NOURA, "nobody@alkhair.example"] {
        let page = browser.get(&authorization.path()).await;
        let wrong = browser
            .submit(
                &Form::find(&page, "sign-in"),
                &[("username", username), ("password", "wrong")],
            )
            .await;
        assert_eq!(wrong.status, StatusCode::UNPROCESSABLE_ENTITY, "{username}");
        assert!(
            wrong
                .body
                .contains("That email and password do not belong together"),
            "{}",
            wrong.body
        );
        assert!(
            wrong.body.contains("<title>Problem: "),
            "the error is announced to screen readers"
        );
        assert!(
            wrong.body.contains("role=\"alert\"") && wrong.body.contains("aria-invalid=\"true\"")
        );
        assert!(
            wrong.body.contains(&format!("value=\"{username}\"")),
            "the username is kept"
        );
        assert!(
            !wrong.body.contains("value=\"wrong\""),
            "the password is not repeated"
        );
    }
    service.running.shutdown().await;
}

#[tokio::test]
async fn empty_field_is_named_and_unusual_input_returns_422() {
    let service = Service::start().await;
    let authorization = AuthorizationRequest::new(&service, "openid");
    let mut browser = UserAgent::new(&service);
    let form = Form::find(&browser.get(&authorization.path()).await, "sign-in");
    let long = "x".repeat(5_000);
    for (username, password, expected) in [
        ("", "", "Enter your email."),
        (NOURA, "", "Enter your password."),
        (&*long, "x", "Enter your email."),
        (NOURA, &*long, "Enter your password."),
        ("<script>alert(1)</script>", "x", "do not belong together"),
    ] {
        let page = browser
            .submit(&form, &[("username", username), ("password", password)])
            .await;
        assert_eq!(page.status, StatusCode::UNPROCESSABLE_ENTITY, "{expected}");
        assert!(page.body.contains(expected), "{expected}: {}", page.body);
        assert!(!page.body.contains("<script>alert"), "input is escaped");
    }
    service.running.shutdown().await;
}

#[tokio::test]
async fn username_and_password_are_normalized() {
    let service = Service::start().await;
    let authorization = AuthorizationRequest::new(&service, "openid");
    let mut browser = UserAgent::new(&service);
    let form = Form::find(&browser.get(&authorization.path()).await, "sign-in");
    let password = &service.user(NOURA).password;
    let response = browser
        .submit(
            &form,
            &[
                ("username", " Noura@AlKhair.example "),
                ("password", password),
            ],
        )
        .await;
    assert_eq!(Callback::from_redirect(&response).error(), None);
    service.running.shutdown().await;
}

#[tokio::test]
async fn sign_in_form_with_a_foreign_or_expired_csrf_token_is_rejected() {
    let service = Service::start().await;
    let authorization = AuthorizationRequest::new(&service, "openid");
    let password = service.user(NOURA).password.clone();
    let fields = [("username", NOURA), ("password", password.as_str())];
    let mut browser = UserAgent::new(&service);
    let form = Form::find(&browser.get(&authorization.path()).await, "sign-in");

    let elsewhere = UserAgent::new(&service).submit(&form, &fields).await;
    assert_eq!(
        elsewhere.status,
        StatusCode::FORBIDDEN,
        "a browser without the CSRF cookie"
    );
    let other = authorization.clone().with("state", "another").path();
    let other = Form {
        action: other.replace("authorize", "sign-in"),
        ..form.clone()
    };
    assert_eq!(
        browser.submit(&other, &fields).await.status,
        StatusCode::FORBIDDEN,
        "another request"
    );
    let bare = Form {
        hidden: Vec::new(),
        ..form.clone()
    };
    assert_eq!(
        browser.submit(&bare, &fields).await.status,
        StatusCode::FORBIDDEN,
        "no token"
    );

    service.clock.advance(16 * 60);
    let late = browser.submit(&form, &fields).await;
    assert_eq!(late.status, StatusCode::FORBIDDEN);
    assert!(
        late.body.contains("open for too long"),
        "the page shows the reason: {}",
        late.body
    );
    let again = browser.submit(&Form::find(&late, "sign-in"), &fields).await;
    assert_eq!(
        Callback::from_redirect(&again).error(),
        None,
        "the new form can be submitted"
    );
    service.running.shutdown().await;
}

#[tokio::test]
async fn sign_in_page_shows_no_accounts_of_the_demo_seed() {
    let service = Service::start().await;
    let page = UserAgent::new(&service)
        .get(&AuthorizationRequest::new(&service, "openid").path())
        .await;
    for user in &service.ready.users {
        assert!(!page.body.contains(&user.username), "{}", page.body);
        assert!(!page.body.contains(&user.password), "{}", page.body);
    }
    service.running.shutdown().await;
}

#[tokio::test]
async fn login_hint_prefills_the_escaped_username() {
    let service = Service::start().await;
    let authorization = AuthorizationRequest::new(&service, "openid")
        .with("login_hint", "noura@alkhair.example\"><b>");
    let page = UserAgent::new(&service).get(&authorization.path()).await;
    assert!(
        page.body
            .contains("value=\"noura@alkhair.example&quot;&gt;&lt;b&gt;\""),
        "{}",
        page.body
    );
    service.running.shutdown().await;
}

#[tokio::test]
async fn unknown_path_returns_a_not_found_page() {
    let service = Service::start().await;
    let page = UserAgent::new(&service).get("/").await;
    assert_eq!(page.status, StatusCode::NOT_FOUND);
    assert!(
        page.body.contains("Nothing is at this address"),
        "{}",
        page.body
    );
    service.running.shutdown().await;
}
