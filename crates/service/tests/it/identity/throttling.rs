//! Guessing is slowed down, for one account from one address and for many from one, and cannot be turned against anybody.

use crate::fixtures::user_agent::{Attempt, Callback, Form, UserAgent};
use crate::fixtures::{Answer, NOURA, Service};
use reqwest::StatusCode;

#[tokio::test]
async fn guessing_is_slowed_down_here_and_only_here() {
    let service = Service::start().await;
    let attempt = Attempt::new(&service, "openid");
    let mut browser = UserAgent::new(&service);
    let form = Form::of(&browser.get(&attempt.path()).await, "sign-in");
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
        "even the right password has to wait"
    );
    assert!(slowed.body.contains("Too many tries"), "{}", slowed.body);
    let wait: i64 = slowed.header("retry-after").parse().unwrap();
    assert!((1..=5).contains(&wait), "{wait} s");

    let other = UserAgent::new(&service)
        .sign_in(&service, &attempt, crate::fixtures::SALEM)
        .await;
    assert_eq!(other.error(), None, "another account is not affected");
    service.clock.forward(wait);
    assert_eq!(
        Callback::of(&browser.submit(&form, &right).await).error(),
        None,
        "after the wait it works"
    );
    service.running.shutdown().await;
}

#[tokio::test]
async fn trying_many_accounts_from_one_address_is_slowed_down_too() {
    let service = Service::start().await;
    let attempt = Attempt::new(&service, "openid");
    let mut browser = UserAgent::new(&service);
    let form = Form::of(&browser.get(&attempt.path()).await, "sign-in");
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
async fn many_guesses_at_once_are_counted_one_by_one() {
    let service = Service::start().await;
    let attempt = Attempt::new(&service, "openid");
    let mut browser = UserAgent::new(&service);
    let form = Form::of(&browser.get(&attempt.path()).await, "sign-in");
    let cookies: Vec<_> = browser
        .cookies
        .iter()
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    let (page, cookies) = (form.hidden[0].1.clone(), cookies.join("; "));
    let answers = crate::fixtures::at_once(30, || async {
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
        Answer::of(request.send().await.expect("the service answers")).await
    })
    .await;
    let looked_at = answers
        .iter()
        .filter(|answer| answer.status == StatusCode::UNPROCESSABLE_ENTITY)
        .count();
    assert_eq!(
        looked_at, 5,
        "no more passwords were looked at than are free"
    );
    service.running.shutdown().await;
}
