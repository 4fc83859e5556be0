//! Security tests of account enumeration by timing and of password hash exhaustion: cases 12 and 14.

use std::time::{Duration, Instant};

use invoicing_contract::ready::ApplicationKind;
use reqwest::StatusCode;

use crate::fixtures::user_agent::{AuthorizationRequest, Form, UserAgent};
use crate::fixtures::{NOURA, Response, SALEM, Service, send_concurrently};

/// The duration of one sign-in with a wrong password in a new browser.
async fn failed_sign_in_duration(service: &Service, username: &str) -> Duration {
    let mut browser = UserAgent::new(service);
    let page = browser
        .get(&AuthorizationRequest::new(service, "openid").path())
        .await;
    let form = Form::find(&page, "sign-in");
    #[expect(clippy::disallowed_methods, reason = "the elapsed time is measured")]
    let began = Instant::now();
    let response = browser
        .submit(&form, &[("username", username), ("password", "wrong")])
        .await;
    let elapsed = began.elapsed();
    assert_eq!(
        response.status,
        StatusCode::UNPROCESSABLE_ENTITY,
        "{username}"
    );
    elapsed
}

#[tokio::test]
async fn case_12_unknown_account_and_wrong_password_take_equal_time() {
    // Compare minima, because other load on the machine only adds time. Eight attempts per service stay below the
    // throttling limit; more attempts need a new service. If no hash were computed for unknown accounts, the minima would
    // never converge.
    let (mut known, mut unknown) = (Duration::MAX, Duration::MAX);
    for _ in 0..4 {
        let service = Service::start().await;
        for attempt in 0..8 {
            known = known.min(failed_sign_in_duration(&service, [NOURA, SALEM][attempt % 2]).await);
            unknown = unknown.min(
                failed_sign_in_duration(&service, &format!("nobody-{attempt}@alkhair.example"))
                    .await,
            );
            if attempt >= 2 && unknown * 3 > known * 2 && unknown * 2 < known * 3 {
                service.running.shutdown().await;
                return;
            }
        }
        service.running.shutdown().await;
    }
    panic!("unknown {unknown:?}, wrong {known:?}");
}

#[tokio::test]
async fn case_14_concurrent_sign_ins_do_not_block_other_requests() {
    // Each request has its own client address, so that only the bounded queue limits them.
    let service = Service::start_with(|config| invoicing_service::Config {
        proxies: vec!["127.0.0.1/32".parse().expect("a network")],
        ..config
    })
    .await;
    let mut browser = UserAgent::new(&service);
    let page = browser
        .get(&AuthorizationRequest::new(&service, "openid").path())
        .await;
    let form = Form::find(&page, "sign-in");
    let machine = service.application(ApplicationKind::Machine).clone();
    let cookies: Vec<_> = browser
        .cookies
        .iter()
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    let cookies = cookies.join("; ");
    let next = std::sync::atomic::AtomicU32::new(0);
    let flood = send_concurrently(200, || {
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
        async move { Response::read(request.send().await.expect("a response")).await }
    });
    let others = async {
        let scope = service.audience_scope();
        let token = service.machine_token(&scope).await;
        let mut served = 0;
        for _ in 0..20 {
            assert_eq!(service.userinfo(&token).await.status, StatusCode::OK);
            let ready = service.http.get(service.base("/health/ready")).send();
            assert_eq!(ready.await.expect("a response").status(), StatusCode::OK);
            served += 1;
        }
        served
    };
    let (responses, served) = tokio::join!(flood, others);
    assert_eq!(served, 20, "health and {} are served", machine.client_id);
    let (refused, judged): (Vec<_>, Vec<_>) = responses.iter().partition(|response| {
        response.status == StatusCode::TOO_MANY_REQUESTS
            || response.status == StatusCode::SERVICE_UNAVAILABLE
    });
    assert!(!refused.is_empty(), "the queue is bounded");
    for response in judged {
        assert_eq!(
            response.status,
            StatusCode::UNPROCESSABLE_ENTITY,
            "{}",
            response.body
        );
    }
    service.running.shutdown().await;
}

#[tokio::test]
async fn case_14_flood_of_one_tenant_keeps_neither_known_browsers_nor_other_tenants_from_their_turn()
 {
    let service = Service::start_with(|config| invoicing_service::Config {
        proxies: vec!["127.0.0.1/32".parse().expect("a network")],
        ..config
    })
    .await;
    let authorization = AuthorizationRequest::new(&service, "openid").with("prompt", "login");
    let mut known = UserAgent::new(&service).with_address("192.0.2.1");
    known.sign_in(&service, &authorization, NOURA).await;
    let mut stranger = UserAgent::new(&service).with_address("192.0.2.2");
    let form = Form::find(&stranger.get(&authorization.path()).await, "sign-in");
    let cookies = stranger.cookies.clone();
    let cookies: Vec<_> = cookies
        .iter()
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    let (page, cookies) = (form.hidden[0].1.clone(), cookies.join("; "));
    let next = std::sync::atomic::AtomicU32::new(0);
    let flooded = tokio::sync::Semaphore::new(0);
    let flood = send_concurrently(300, || {
        let number = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let fields = [
            ("page".to_owned(), page.clone()),
            (
                "username".to_owned(),
                format!("user-{number}@alkhair.example"),
            ),
            ("password".to_owned(), "wrong".to_owned()),
        ];
        let address = format!("198.51.{}.{}", number / 200, number % 200);
        let request = service
            .http
            .post(service.auth(&form.action))
            .header("cookie", &cookies)
            .header("x-forwarded-for", address)
            .form(&fields);
        let flooded = &flooded;
        async move {
            let response = Response::read(request.send().await.expect("a response")).await;
            if response.status == StatusCode::SERVICE_UNAVAILABLE {
                flooded.add_permits(1);
            }
            response
        }
    });
    let others = async {
        // The queue is full when the first is refused.
        let _full = flooded.acquire().await.expect("the semaphore is open");
        let wrong = [
            ("username", "someone@elsewhere.example"),
            ("password", "wrong"),
        ];
        let (known, stranger) = tokio::join!(
            known.sign_in(&service, &authorization, NOURA),
            stranger.submit(&form, &wrong)
        );
        assert_eq!(known.error(), None, "a browser that the account knows");
        assert_eq!(
            stranger.status,
            StatusCode::UNPROCESSABLE_ENTITY,
            "a username of another domain is compared: {}",
            stranger.body
        );
    };
    let (responses, ()) = tokio::join!(flood, others);
    let refused = responses
        .iter()
        .find(|response| response.status == StatusCode::SERVICE_UNAVAILABLE);
    let refused = refused.expect("the queue is bounded");
    assert_eq!(refused.header("retry-after"), "5");
    service.running.shutdown().await;
}
