//! Refresh tokens: rotation as the contract has it, races, scopes, lifetimes, revocation.

use crate::fixtures::{NOURA, Service};
use invoicing_contract::ready::ApplicationKind;
use reqwest::StatusCode;

const DAY: i64 = 24 * 60 * 60;

#[tokio::test]
async fn a_used_refresh_token_is_dead_and_its_successor_lives() {
    let service = Service::start().await;
    let first = service.sign_in(NOURA).await;
    let second = service.refresh(first.text("refresh_token")).await;
    assert_eq!(second.status, StatusCode::OK, "{}", second.body);
    assert_ne!(first.text("refresh_token"), second.text("refresh_token"));
    assert_ne!(first.text("access_token"), second.text("access_token"));
    assert_eq!(
        second.json.get("id_token"),
        None,
        "a refresh tells nothing new about the person"
    );

    service
        .refresh(first.text("refresh_token"))
        .await
        .is_oauth_error(400, "invalid_grant");
    for (answer, which) in [
        (&first, "the access token before"),
        (&second, "the new access token"),
    ] {
        assert_eq!(
            service.userinfo(answer.text("access_token")).await.status,
            StatusCode::OK,
            "{which}"
        );
    }
    let third = service.refresh(second.text("refresh_token")).await;
    assert_eq!(
        third.status,
        StatusCode::OK,
        "the successor survived the reuse: {}",
        third.body
    );
    service.running.shutdown().await;
}

#[tokio::test]
async fn of_fifty_refreshes_at_once_exactly_one_succeeds() {
    let service = Service::start().await;
    let tokens = service.sign_in(NOURA).await;
    let answers =
        crate::fixtures::at_once(50, || service.refresh(tokens.text("refresh_token"))).await;
    let (won, lost): (Vec<_>, Vec<_>) = answers
        .iter()
        .partition(|answer| answer.status == StatusCode::OK);
    assert_eq!(won.len(), 1, "exactly one");
    for answer in lost {
        answer.is_oauth_error(400, "invalid_grant");
    }
    let next = service.refresh(won[0].text("refresh_token")).await;
    assert_eq!(
        next.status,
        StatusCode::OK,
        "the winner's token works: {}",
        next.body
    );
    service.running.shutdown().await;
}

#[tokio::test]
async fn an_application_can_have_all_of_a_sign_in_revoked_when_a_used_token_comes_back() {
    let service = Service::start().await;
    service
        .change_application("invoice-desk", |application| {
            application.revoke_family_on_reuse = true;
        })
        .await;
    let first = service.sign_in(NOURA).await;
    let other = service.sign_in(NOURA).await;
    let second = service.refresh(first.text("refresh_token")).await;

    service
        .refresh(first.text("refresh_token"))
        .await
        .is_oauth_error(400, "invalid_grant");
    service
        .refresh(second.text("refresh_token"))
        .await
        .is_oauth_error(400, "invalid_grant");
    for answer in [&first, &second] {
        assert_eq!(
            service.userinfo(answer.text("access_token")).await.status,
            StatusCode::UNAUTHORIZED,
            "its access tokens are revoked too"
        );
    }
    assert_eq!(
        service.refresh(other.text("refresh_token")).await.status,
        StatusCode::OK,
        "another sign-in of the same person is not affected"
    );
    service.running.shutdown().await;
}

#[tokio::test]
async fn another_application_cannot_use_or_revoke_it() {
    let service = Service::start().await;
    let tokens = service.sign_in(NOURA).await;
    let web = service.application(ApplicationKind::Confidential);
    let web = [
        ("client_id", web.client_id.as_str()),
        ("client_secret", web.client_secret.as_deref().unwrap()),
    ];
    let token = tokens.text("refresh_token");
    let theirs = [
        &web[..],
        &[("grant_type", "refresh_token"), ("refresh_token", token)],
    ]
    .concat();
    service
        .token(&theirs)
        .await
        .is_oauth_error(400, "invalid_grant");
    let revoke = [&web[..], &[("token", token)]].concat();
    service
        .post("/oauth/v2/revoke", &revoke)
        .await
        .is_oauth_error(400, "unauthorized_client");
    assert_eq!(
        service.refresh(token).await.status,
        StatusCode::OK,
        "it still works for its own"
    );
    service.running.shutdown().await;
}

#[tokio::test]
async fn a_refresh_can_narrow_its_scopes_but_not_widen_them() {
    let service = Service::start().await;
    let tokens = service.sign_in(NOURA).await;
    let desktop = service
        .application(ApplicationKind::Public)
        .client_id
        .clone();
    let form = |token: &str, scope: &str| {
        [
            ("grant_type", "refresh_token"),
            ("client_id", &desktop),
            ("refresh_token", token),
            ("scope", scope),
        ]
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
    };
    let ask = async |token: &str, scope: &str| {
        let form = form(token, scope);
        service
            .token(
                &form
                    .each_ref()
                    .map(|(name, value)| (name.as_str(), value.as_str())),
            )
            .await
    };
    let narrow = ask(tokens.text("refresh_token"), "openid").await;
    assert_eq!(narrow.status, StatusCode::OK, "{}", narrow.body);
    let userinfo = service.userinfo(narrow.text("access_token")).await;
    assert_eq!(userinfo.json.get("name"), None, "profile was left out");
    let whole = ask(narrow.text("refresh_token"), &service.desktop_scope()).await;
    assert_eq!(
        whole.status,
        StatusCode::OK,
        "what was authorized stays authorized: {}",
        whole.body
    );
    let foreign = service.names.audience_scope("1");
    ask(whole.text("refresh_token"), &foreign)
        .await
        .is_oauth_error(400, "invalid_client");
    assert_eq!(
        service.refresh(whole.text("refresh_token")).await.status,
        StatusCode::OK,
        "refusals spend nothing"
    );
    service.running.shutdown().await;
}

#[tokio::test]
async fn it_ends_after_thirty_idle_days_and_after_ninety_in_any_case() {
    let service = Service::start().await;
    let idle = service.sign_in(NOURA).await;
    let mut used = service.sign_in(NOURA).await;
    for _ in 0..3 {
        service.clock.forward(29 * DAY);
        used = service.refresh(used.text("refresh_token")).await;
        assert_eq!(
            used.status,
            StatusCode::OK,
            "used every 29 days: {}",
            used.body
        );
    }
    service
        .refresh(idle.text("refresh_token"))
        .await
        .is_oauth_error(400, "invalid_grant");
    service.clock.forward(4 * DAY);
    service
        .refresh(used.text("refresh_token"))
        .await
        .is_oauth_error(400, "invalid_grant");
    service.running.shutdown().await;
}

#[tokio::test]
async fn giving_back_a_refresh_token_ends_everything_that_descends_from_the_sign_in() {
    let service = Service::start().await;
    let first = service.sign_in(NOURA).await;
    let second = service.refresh(first.text("refresh_token")).await;
    let desktop = service
        .application(ApplicationKind::Public)
        .client_id
        .clone();
    let form = [
        ("token", second.text("refresh_token")),
        ("client_id", desktop.as_str()),
    ];
    assert_eq!(
        service.post("/oauth/v2/revoke", &form).await.status,
        StatusCode::OK
    );
    for answer in [&first, &second] {
        assert_eq!(
            service.userinfo(answer.text("access_token")).await.status,
            StatusCode::UNAUTHORIZED
        );
    }
    service
        .refresh(second.text("refresh_token"))
        .await
        .is_oauth_error(400, "invalid_grant");
    assert_eq!(
        service.post("/oauth/v2/revoke", &form).await.status,
        StatusCode::OK,
        "twice is no error"
    );
    let unknown = [("token", "unknown"), ("client_id", desktop.as_str())];
    assert_eq!(
        service.post("/oauth/v2/revoke", &unknown).await.status,
        StatusCode::OK,
        "nor is an unknown token"
    );
    service.running.shutdown().await;
}

#[tokio::test]
async fn giving_back_an_access_token_leaves_the_rest() {
    let service = Service::start().await;
    let tokens = service.sign_in(NOURA).await;
    let desktop = service
        .application(ApplicationKind::Public)
        .client_id
        .clone();
    let form = [
        ("token", tokens.text("access_token")),
        ("client_id", desktop.as_str()),
    ];
    assert_eq!(
        service.post("/oauth/v2/revoke", &form).await.status,
        StatusCode::OK
    );
    assert_eq!(
        service.userinfo(tokens.text("access_token")).await.status,
        StatusCode::UNAUTHORIZED
    );
    assert_eq!(
        service.refresh(tokens.text("refresh_token")).await.status,
        StatusCode::OK
    );
    service.running.shutdown().await;
}

#[tokio::test]
async fn without_offline_access_there_is_nothing_to_refresh() {
    use crate::fixtures::user_agent::{Attempt, UserAgent};
    let service = Service::start().await;
    let attempt = Attempt::new(&service, "openid");
    let callback = UserAgent::new(&service)
        .sign_in(&service, &attempt, NOURA)
        .await;
    let answer = service.redeem(&attempt, &callback).await;
    assert_eq!(answer.json.get("refresh_token"), None, "{}", answer.body);
    service.running.shutdown().await;
}
