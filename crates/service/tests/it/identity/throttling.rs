//! Tests of sign-in throttling: per account and address, and per address over all accounts.

use crate::fixtures::user_agent::{AuthorizationRequest, Callback, Form, UserAgent};
use crate::fixtures::{NOURA, Response, Service, by_engine};
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
async fn wrong_password_is_told_and_counted_although_its_counter_cannot_be_stored() {
    let service = Service::start().await;
    let refuse = by_engine(
        "CREATE TRIGGER full BEFORE INSERT ON failed_attempts BEGIN SELECT RAISE(ABORT, 'no room'); END",
        "REVOKE INSERT ON failed_attempts FROM invoicing_application",
    );
    service.execute_sql(refuse).await;
    let authorization = AuthorizationRequest::new(&service, "openid");
    let mut browser = UserAgent::new(&service);
    let form = Form::find(&browser.get(&authorization.path()).await, "sign-in");
    let wrong = [("username", NOURA), ("password", "wrong")];
    let mut statuses = Vec::new();
    for _ in 0..6 {
        statuses.push(browser.submit(&form, &wrong).await.status);
    }
    let (told, delayed) = statuses.split_at(5);
    assert_eq!(told, [StatusCode::UNPROCESSABLE_ENTITY; 5]);
    assert_eq!(delayed, [StatusCode::TOO_MANY_REQUESTS]);
    service.running.shutdown().await;
}

#[tokio::test]
async fn password_spraying_from_one_address_returns_429_and_successful_sign_ins_do_not_count() {
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
            .submit(
                &form,
                &[("username", &username), ("password", "spring-2026")],
            )
            .await;
        assert_eq!(
            wrong.status,
            StatusCode::UNPROCESSABLE_ENTITY,
            "account {number} after eight successes"
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

/// A service behind a proxy, so that a test chooses the addresses of its requests.
async fn start_behind_proxy() -> Service {
    Service::start_with(|config| invoicing_service::Config {
        proxies: vec!["127.0.0.1/32".parse().expect("a network")],
        ..config
    })
    .await
}

/// Tries wrong passwords for `username`, each from an address of its own; the number of them that were compared.
async fn attack_from_many_addresses(service: &Service, username: &str, attempts: usize) -> usize {
    let authorization = AuthorizationRequest::new(service, "openid");
    let mut compared = 0;
    for number in 0..attempts {
        let mut browser = UserAgent::new(service).with_address(&format!("198.51.100.{number}"));
        let form = Form::find(&browser.get(&authorization.path()).await, "sign-in");
        let wrong = [("username", username), ("password", "wrong")];
        let response = browser.submit(&form, &wrong).await;
        compared += usize::from(response.status == StatusCode::UNPROCESSABLE_ENTITY);
    }
    compared
}

#[tokio::test]
async fn attack_on_an_account_from_many_addresses_is_delayed_and_does_not_keep_a_known_browser_out()
{
    let service = start_behind_proxy().await;
    let authorization = AuthorizationRequest::new(&service, "openid").with("prompt", "login");
    let mut own = UserAgent::new(&service).with_address("192.0.2.1");
    own.sign_in(&service, &authorization, NOURA).await;

    assert_eq!(attack_from_many_addresses(&service, NOURA, 40).await, 30);
    let known = own.sign_in(&service, &authorization, NOURA).await;
    assert_eq!(known.error(), None, "the browser that she uses");

    let mut unknown = UserAgent::new(&service).with_address("192.0.2.2");
    let form = Form::find(&unknown.get(&authorization.path()).await, "sign-in");
    let password = service.user(NOURA).password.clone();
    let right = [("username", NOURA), ("password", password.as_str())];
    let delayed = unknown.submit(&form, &right).await;
    assert_eq!(delayed.status, StatusCode::TOO_MANY_REQUESTS);
    let wait: i64 = delayed.header("retry-after").parse().unwrap();
    assert!((1..=5).contains(&wait), "{wait} s");
    service.clock.advance(wait);
    let callback = Callback::from_redirect(&unknown.submit(&form, &right).await);
    assert_eq!(callback.error(), None, "another browser after the delay");
    service.running.shutdown().await;
}

#[tokio::test]
async fn device_cookie_of_another_account_or_of_an_attacker_admits_nobody() {
    let service = start_behind_proxy().await;
    let authorization = AuthorizationRequest::new(&service, "openid").with("prompt", "login");
    let mut attacker = UserAgent::new(&service).with_address("192.0.2.1");
    attacker
        .sign_in(&service, &authorization, crate::fixtures::SALEM)
        .await;
    attack_from_many_addresses(&service, NOURA, 30).await;
    let own = attacker.cookies["invoicing-device"].clone();
    let forged = format!("{}A", &own[..own.len() - 1]);
    for cookie in [own, forged] {
        attacker
            .cookies
            .insert("invoicing-device".to_owned(), cookie);
        let form = Form::find(&attacker.get(&authorization.path()).await, "sign-in");
        let guess = [("username", NOURA), ("password", "wrong")];
        let response = attacker.submit(&form, &guess).await;
        assert_eq!(response.status, StatusCode::TOO_MANY_REQUESTS);
    }
    service.running.shutdown().await;
}

#[tokio::test]
async fn sign_in_works_and_attempts_stay_counted_after_the_wall_clock_is_set() {
    for seconds in crate::fixtures::CLOCK_STEPS {
        let service = Service::start().await;
        let authorization = AuthorizationRequest::new(&service, "openid");
        let mut browser = UserAgent::new(&service);
        let wrong = [("username", NOURA), ("password", "wrong")];
        for _ in 0..4 {
            let form = Form::find(&browser.get(&authorization.path()).await, "sign-in");
            browser.submit(&form, &wrong).await;
        }
        service.clock.step_wall_clock(seconds);
        let callback = UserAgent::new(&service)
            .sign_in(&service, &authorization, NOURA)
            .await;
        assert_eq!(callback.error(), None, "{seconds} s");

        for _ in 0..5 {
            let form = Form::find(&browser.get(&authorization.path()).await, "sign-in");
            browser.submit(&form, &wrong).await;
        }
        service.clock.step_wall_clock(-seconds);
        let form = Form::find(&browser.get(&authorization.path()).await, "sign-in");
        let throttled = browser.submit(&form, &wrong).await;
        assert_eq!(
            throttled.status,
            StatusCode::TOO_MANY_REQUESTS,
            "{seconds} s"
        );
        let wait: i64 = throttled.header("retry-after").parse().unwrap();
        assert!((1..=5).contains(&wait), "{seconds} s: {wait} s");
        service.running.shutdown().await;
    }
}

#[tokio::test]
async fn throttled_attempts_on_existing_and_unknown_accounts_write_equally_many_events() {
    let service = start_behind_proxy().await;
    let authorization = AuthorizationRequest::new(&service, "openid");
    let mut written = Vec::new();
    for username in [NOURA, "nobody@alkhair.example", "nobody@elsewhere.example"] {
        let before = events(&service).await;
        let mut browser = UserAgent::new(&service).with_address("192.0.2.1");
        for _ in 0..10 {
            let form = Form::find(&browser.get(&authorization.path()).await, "sign-in");
            browser
                .submit(&form, &[("username", username), ("password", "wrong")])
                .await;
        }
        written.push(events(&service).await - before);
    }
    assert_eq!(written, [6, 6, 6], "five failures and one period of delays");
    service.running.shutdown().await;
}

async fn events(service: &Service) -> usize {
    let store = service.store().await;
    let query = invoicing_storage::audit::Query {
        size: 10_000,
        ..Default::default()
    };
    store.audit(&query).await.expect("storage responds").len()
}
