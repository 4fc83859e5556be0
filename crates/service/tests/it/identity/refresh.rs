//! Tests of refresh tokens: rotation, concurrent use, scopes, lifetimes, revocation.

use std::collections::BTreeSet;

use crate::fixtures::user_agent::{AuthorizationRequest, UserAgent};
use crate::fixtures::{NOURA, Service};
use invoicing_contract::ready::ApplicationKind;
use invoicing_storage::applications::ScopeKind;
use invoicing_storage::secret::{Bucket, TokenHash};
use reqwest::StatusCode;

const DAY: i64 = 24 * 60 * 60;

#[tokio::test]
async fn used_refresh_token_returns_invalid_grant_and_its_successor_works() {
    let service = Service::start().await;
    let first = service.sign_in(NOURA).await;
    let second = service.refresh(first.text("refresh_token")).await;
    assert_eq!(second.status, StatusCode::OK, "{}", second.body);
    assert_ne!(first.text("refresh_token"), second.text("refresh_token"));
    assert_ne!(first.text("access_token"), second.text("access_token"));
    assert_eq!(
        second.json.get("id_token"),
        None,
        "a refresh returns no id_token"
    );

    service
        .refresh(first.text("refresh_token"))
        .await
        .is_oauth_error(400, "invalid_grant");
    for (response, which) in [
        (&first, "the access token before"),
        (&second, "the new access token"),
    ] {
        assert_eq!(
            service.userinfo(response.text("access_token")).await.status,
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
async fn tokens_have_the_bucket_of_their_family_through_rotations_and_machine_tokens_have_any() {
    let service = Service::start().await;
    let bucket = |token: &str| Bucket::of(TokenHash::of(token).lookup_key());
    let authorization = AuthorizationRequest::new(&service, &service.desktop_scope());
    let callback = UserAgent::new(&service)
        .sign_in(&service, &authorization, NOURA)
        .await;
    let family = service.folder.count("SELECT id FROM families").await;
    let of_family = Bucket::of(family);
    assert_eq!(bucket(callback.get("code")), of_family);
    let mut tokens = service.redeem(&authorization, &callback).await;
    for rotation in 0..4 {
        for kind in ["access_token", "refresh_token"] {
            assert_eq!(bucket(tokens.text(kind)), of_family, "{kind}, {rotation}");
        }
        tokens = service.refresh(tokens.text("refresh_token")).await;
    }
    let mut of_machines = BTreeSet::new();
    for _ in 0..10 {
        of_machines.insert(bucket(&service.machine_token("").await));
    }
    assert!(of_machines.len() > 5, "{of_machines:?}");
    service.running.shutdown().await;
}

#[tokio::test]
async fn fifty_concurrent_refreshes_yield_exactly_one_success() {
    let service = Service::start().await;
    let tokens = service.sign_in(NOURA).await;
    let responses =
        crate::fixtures::send_concurrently(50, || service.refresh(tokens.text("refresh_token")))
            .await;
    let (won, lost): (Vec<_>, Vec<_>) = responses
        .iter()
        .partition(|response| response.status == StatusCode::OK);
    assert_eq!(won.len(), 1, "exactly one");
    for response in lost {
        response.is_oauth_error(400, "invalid_grant");
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
async fn refresh_token_reuse_revokes_the_family_if_the_client_opted_in() {
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
    for response in [&first, &second] {
        assert_eq!(
            service.userinfo(response.text("access_token")).await.status,
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
async fn refresh_token_of_another_client_cannot_be_used_or_revoked() {
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
        "it still works for its client"
    );
    service.running.shutdown().await;
}

#[tokio::test]
async fn refresh_may_narrow_but_not_widen_its_scope() {
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
    let refresh_with_scope = async |token: &str, scope: &str| {
        let form = form(token, scope);
        service
            .token(
                &form
                    .each_ref()
                    .map(|(name, value)| (name.as_str(), value.as_str())),
            )
            .await
    };
    let narrow = refresh_with_scope(tokens.text("refresh_token"), "openid").await;
    assert_eq!(narrow.status, StatusCode::OK, "{}", narrow.body);
    let userinfo = service.userinfo(narrow.text("access_token")).await;
    assert_eq!(userinfo.json.get("name"), None, "profile was left out");
    let full = refresh_with_scope(narrow.text("refresh_token"), &service.desktop_scope()).await;
    assert_eq!(
        full.status,
        StatusCode::OK,
        "the authorized scope can be requested again: {}",
        full.body
    );
    let foreign = service.names.audience_scope("1");
    refresh_with_scope(full.text("refresh_token"), &foreign)
        .await
        .is_oauth_error(400, "invalid_client");
    assert_eq!(
        service.refresh(full.text("refresh_token")).await.status,
        StatusCode::OK,
        "rejected refreshes do not consume the token"
    );
    service.running.shutdown().await;
}

#[tokio::test]
async fn scope_withdrawn_from_the_application_is_not_granted_by_a_refresh_until_it_is_given_back() {
    let service = Service::start().await;
    let first = service.sign_in(NOURA).await;
    service
        .change_application("invoice-desk", |application| {
            application
                .scopes
                .retain(|kind| *kind != ScopeKind::Profile);
        })
        .await;
    let second = service.refresh(first.text("refresh_token")).await;
    assert_eq!(second.status, StatusCode::OK, "{}", second.body);
    let without_profile: Vec<_> = first
        .text("scope")
        .split(' ')
        .filter(|scope| *scope != "profile")
        .collect();
    assert_eq!(second.text("scope"), without_profile.join(" "));
    let userinfo = service.userinfo(second.text("access_token")).await;
    assert_eq!(userinfo.json.get("name"), None, "{}", userinfo.body);

    service
        .change_application("invoice-desk", |application| {
            application.scopes.push(ScopeKind::Profile);
        })
        .await;
    let third = service.refresh(second.text("refresh_token")).await;
    assert_eq!(third.text("scope"), first.text("scope"));
    service.running.shutdown().await;
}

#[tokio::test]
async fn refresh_token_expires_after_30_idle_days_or_90_days_in_total() {
    let service = Service::start().await;
    let idle = service.sign_in(NOURA).await;
    let mut used = service.sign_in(NOURA).await;
    for _ in 0..3 {
        service.clock.advance(29 * DAY);
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
    service.clock.advance(4 * DAY);
    service
        .refresh(used.text("refresh_token"))
        .await
        .is_oauth_error(400, "invalid_grant");
    service.running.shutdown().await;
}

#[tokio::test]
async fn revoking_a_refresh_token_revokes_its_whole_family() {
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
    for response in [&first, &second] {
        assert_eq!(
            service.userinfo(response.text("access_token")).await.status,
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
        "revoking twice is no error"
    );
    let unknown = [("token", "unknown"), ("client_id", desktop.as_str())];
    assert_eq!(
        service.post("/oauth/v2/revoke", &unknown).await.status,
        StatusCode::OK,
        "revoking an unknown token is no error"
    );
    service.running.shutdown().await;
}

#[tokio::test]
async fn revoking_an_access_token_leaves_the_refresh_token_valid() {
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
async fn code_flow_without_offline_access_returns_no_refresh_token() {
    use crate::fixtures::user_agent::{AuthorizationRequest, UserAgent};
    let service = Service::start().await;
    let authorization = AuthorizationRequest::new(&service, "openid");
    let callback = UserAgent::new(&service)
        .sign_in(&service, &authorization, NOURA)
        .await;
    let response = service.redeem(&authorization, &callback).await;
    assert_eq!(
        response.json.get("refresh_token"),
        None,
        "{}",
        response.body
    );
    service.running.shutdown().await;
}
