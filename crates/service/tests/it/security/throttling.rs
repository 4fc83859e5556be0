//! Guessing and exhausting: cases 12 and 14.

use std::time::{Duration, Instant};

use invoicing_contract::ready::ApplicationKind;
use reqwest::StatusCode;

use crate::fixtures::user_agent::{Attempt, Form, UserAgent};
use crate::fixtures::{Answer, NOURA, SALEM, Service, at_once};

/// How long one sign-in with a wrong password takes, in a browser of its own.
async fn wrong(service: &Service, username: &str) -> Duration {
    let mut browser = UserAgent::new(service);
    let page = browser.get(&Attempt::new(service, "openid").path()).await;
    let form = Form::of(&page, "sign-in");
    #[expect(clippy::disallowed_methods, reason = "the time is what is tested")]
    let began = Instant::now();
    let answer = browser
        .submit(&form, &[("username", username), ("password", "wrong")])
        .await;
    let took = began.elapsed();
    assert_eq!(
        answer.status,
        StatusCode::UNPROCESSABLE_ENTITY,
        "{username}"
    );
    took
}

#[tokio::test]
async fn case_12_an_unknown_account_takes_as_long_as_a_wrong_password() {
    // The shortest take counts: what others do on the machine only ever adds. No account is tried so often that it is
    // slowed down, so that more takes need a service that knows of none. Without a hash for accounts that do not exist, no
    // number of takes would bring the two together.
    let (mut known, mut unknown) = (Duration::MAX, Duration::MAX);
    for _ in 0..4 {
        let service = Service::start().await;
        for take in 0..8 {
            known = known.min(wrong(&service, [NOURA, SALEM][take % 2]).await);
            unknown = unknown.min(wrong(&service, &format!("nobody-{take}@alkhair.example")).await);
            if take >= 2 && unknown * 3 > known * 2 && unknown * 2 < known * 3 {
                service.running.shutdown().await;
                return;
            }
        }
        service.running.shutdown().await;
    }
    panic!("unknown {unknown:?}, wrong {known:?}");
}

#[tokio::test]
async fn case_14_many_sign_ins_at_once_leave_the_rest_working() {
    // Each from an address of its own, so that nothing but the bounded queue holds them.
    let service = Service::start_with(|config| invoicing_service::Config {
        proxies: vec!["127.0.0.1".parse().expect("an address")],
        ..config
    })
    .await;
    let mut browser = UserAgent::new(&service);
    let page = browser.get(&Attempt::new(&service, "openid").path()).await;
    let form = Form::of(&page, "sign-in");
    let machine = service.application(ApplicationKind::Machine).clone();
    let cookies: Vec<_> = browser
        .cookies
        .iter()
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    let cookies = cookies.join("; ");
    let next = std::sync::atomic::AtomicU32::new(0);
    let flood = at_once(200, || {
        let number = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let mut fields = form.hidden.clone();
        fields.push((
            "username".to_owned(),
            format!("user-{number}@flood.example"),
        ));
        fields.push(("password".to_owned(), "wrong".to_owned()));
        let request = service
            .http
            .post(service.auth(&form.action))
            .header("cookie", &cookies)
            .header(
                "x-forwarded-for",
                format!("198.51.{}.{}", number / 200, number % 200),
            )
            .form(&fields);
        async move { Answer::of(request.send().await.expect("an answer")).await }
    });
    let others = async {
        let scope = service.audience_scope();
        let token = service.machine_token(&scope).await;
        let mut served = 0;
        for _ in 0..20 {
            assert_eq!(service.userinfo(&token).await.status, StatusCode::OK);
            let ready = service.http.get(service.base("/health/ready")).send();
            assert_eq!(ready.await.expect("an answer").status(), StatusCode::OK);
            served += 1;
        }
        served
    };
    let (answers, served) = tokio::join!(flood, others);
    assert_eq!(served, 20, "health and {} stay up", machine.client_id);
    let (refused, judged): (Vec<_>, Vec<_>) = answers.iter().partition(|answer| {
        answer.status == StatusCode::TOO_MANY_REQUESTS
            || answer.status == StatusCode::SERVICE_UNAVAILABLE
    });
    assert!(!refused.is_empty(), "the queue has an end");
    for answer in judged {
        assert_eq!(
            answer.status,
            StatusCode::UNPROCESSABLE_ENTITY,
            "{}",
            answer.body
        );
    }
    service.running.shutdown().await;
}
