//! Tests of sign-in throttling: per account and address, and per address over all accounts.

use crate::fixtures::user_agent::{AuthorizationRequest, Callback, Form, UserAgent};
use crate::fixtures::{NOURA, Response, Service};
use reqwest::StatusCode;

#[tokio::test]
async fn sixth_password_attempt_returns_429_for_that_account_only() {
    let service = Service::start().await;
    let authorization = AuthorizationRequest::new(&service, "openid");
    let mut browser = UserAgent::new(&service);
    let form = Form::find(&browser.get(&authorization.path()).await, "sign-in");
    let wrong = [("username", NOURA), ("password", "wrong")];
    for _ in 0..5 {
        assert_eq!(
            browser.submit(&form, &wrong).await.status,
            StatusCode::UNPROCESSABLE_ENTITY
        );
    }
    let password = service.user(NOURA).password.clone();
    let right = [("username", NOURA), ("password", password.as_str())];
    let slowed = browser.submit(&form, &right).await;
    assert_eq!(
        slowed.status,
        StatusCode::TOO_MANY_REQUESTS,
        "the correct password is throttled too"
    );
    assert!(slowed.body.contains("Too many tries"), "{}", slowed.body);
    let wait: i64 = slowed.header("retry-after").parse().unwrap();
    assert!((1..=5).contains(&wait), "{wait} s");

    let other = UserAgent::new(&service)
        .sign_in(&service, &authorization, crate::fixtures::SALEM)
        .await;
    assert_eq!(other.error(), None, "another account is not affected");
    service.clock.advance(wait);
    assert_eq!(
        Callback::from_redirect(&browser.submit(&form, &right).await).error(),
        None,
        "after the wait it works"
    );
    service.running.shutdown().await;
}

#[tokio::test]
async fn password_spraying_from_one_address_returns_429() {
    let service = Service::start().await;
    let authorization = AuthorizationRequest::new(&service, "openid");
    let mut browser = UserAgent::new(&service);
    let form = Form::find(&browser.get(&authorization.path()).await, "sign-in");
    for number in 0..50 {
        let username = format!("person-{number}@alkhair.example");
        let wrong = browser
            .submit(
                &form,
                &[("username", &username), ("password", "spring-2026")],
            )
            .await;
        assert_eq!(
            wrong.status,
            StatusCode::UNPROCESSABLE_ENTITY,
            "account {number}"
        );
    }
    let slowed = browser
        .submit(
            &form,
            &[("username", "one-more"), ("password", "spring-2026")],
        )
        .await;
    assert_eq!(slowed.status, StatusCode::TOO_MANY_REQUESTS);
    service.running.shutdown().await;
}

#[tokio::test]
async fn concurrent_password_attempts_are_each_counted() {
    let service = Service::start().await;
    let authorization = AuthorizationRequest::new(&service, "openid");
    let mut browser = UserAgent::new(&service);
    let form = Form::find(&browser.get(&authorization.path()).await, "sign-in");
    let cookies: Vec<_> = browser
        .cookies
        .iter()
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    let (page, cookies) = (form.hidden[0].1.clone(), cookies.join("; "));
    let responses = crate::fixtures::send_concurrently(30, || async {
        let fields = [
            ("page", page.as_str()),
            ("username", NOURA),
            ("password", "wrong"),
        ];
        let request = service
            .http
            .post(service.auth(&form.action))
            .header("cookie", &cookies)
            .form(&fields);
        Response::read(request.send().await.expect("the service responds")).await
    })
    .await;
    let looked_at = responses
        .iter()
        .filter(|response| response.status == StatusCode::UNPROCESSABLE_ENTITY)
        .count();
    assert_eq!(looked_at, 5, "only the unthrottled attempts are verified");
    service.running.shutdown().await;
}

#[tokio::test]
async fn successful_sign_ins_do_not_count_against_the_address_limit() {
    let service = Service::start().await;
    let authorization = AuthorizationRequest::new(&service, "openid");
    for _ in 0..8 {
        UserAgent::new(&service)
            .sign_in(&service, &authorization, NOURA)
            .await;
    }
    let mut browser = UserAgent::new(&service);
    let form = Form::find(&browser.get(&authorization.path()).await, "sign-in");
    for number in 0..50 {
        let username = format!("person-{number}@alkhair.example");
        let wrong = browser
            .submit(&form, &[("username", &username), ("password", "wrong")])
            .await;
        assert_eq!(
            wrong.status,
            StatusCode::UNPROCESSABLE_ENTITY,
            "attempt {number} after eight successes"
        );
    }
    service.running.shutdown().await;
}
