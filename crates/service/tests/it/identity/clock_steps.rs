//! Tests of sign-in and tokens while the wall clock is set back or forward.

use crate::fixtures::user_agent::{AuthorizationRequest, Callback, UserAgent};
use crate::fixtures::{CLOCK_STEPS, NOURA, Service};
use reqwest::StatusCode;

/// What a change of the password, or of the state of an account, writes.
const END_OF_EARLIER_SIGN_INS: &str = "UPDATE subjects SET epoch = epoch + 1";

#[tokio::test]
async fn sign_in_after_a_password_change_works_whatever_the_clock_did_meanwhile() {
    for step in CLOCK_STEPS {
        let service = Service::start().await;
        service.execute_sql(END_OF_EARLIER_SIGN_INS).await;
        service.clock.step_wall_clock(step);
        let tokens = service.sign_in(NOURA).await;
        let userinfo = service.userinfo(tokens.text("access_token")).await;
        assert_eq!(userinfo.status, StatusCode::OK, "{step} s");
        let refreshed = service.refresh(tokens.text("refresh_token")).await;
        assert_eq!(
            refreshed.status,
            StatusCode::OK,
            "{step} s: {}",
            refreshed.body
        );
        let userinfo = service.userinfo(refreshed.text("access_token")).await;
        assert_eq!(userinfo.status, StatusCode::OK, "{step} s, refreshed");
        let machine = service
            .machine_token(service.names.home_organization_scope())
            .await;
        let userinfo = service.userinfo(&machine).await;
        assert_eq!(userinfo.status, StatusCode::OK, "{step} s, machine user");
        service.running.shutdown().await;
    }
}

#[tokio::test]
async fn earlier_sign_in_ends_with_a_password_change_whatever_the_clock_did_meanwhile() {
    // Within an hour nothing of it expires.
    for step in [-3_600, 3_600] {
        let service = Service::start().await;
        // Another replica, with another clock, has issued the tokens.
        service.clock.step_wall_clock(step);
        let mut browser = UserAgent::new(&service);
        let authorization = AuthorizationRequest::new(&service, &service.desktop_scope());
        let callback = browser.sign_in(&service, &authorization, NOURA).await;
        let tokens = service.redeem(&authorization, &callback).await;
        let machine = service
            .machine_token(service.names.home_organization_scope())
            .await;
        service.clock.step_wall_clock(-step);
        for token in [tokens.text("access_token"), &machine] {
            let userinfo = service.userinfo(token).await;
            assert_eq!(userinfo.status, StatusCode::OK, "{step} s");
        }
        let silent = AuthorizationRequest::confidential(&service, "openid").with("prompt", "none");
        let code = Callback::from_redirect(&browser.get(&silent.path()).await);
        assert_eq!(code.error(), None, "{step} s");

        service.execute_sql(END_OF_EARLIER_SIGN_INS).await;
        for token in [tokens.text("access_token"), &machine] {
            let userinfo = service.userinfo(token).await;
            assert_eq!(userinfo.status, StatusCode::UNAUTHORIZED, "{step} s");
        }
        let refreshed = service.refresh(tokens.text("refresh_token")).await;
        assert_eq!(refreshed.text("error"), "invalid_grant", "{step} s");
        let redeemed = service.redeem(&silent, &code).await;
        assert_eq!(redeemed.text("error"), "invalid_grant", "{step} s");
        let callback = Callback::from_redirect(&browser.get(&silent.path()).await);
        assert_eq!(callback.error(), Some("login_required"), "{step} s");
        service.running.shutdown().await;
    }
}

#[tokio::test]
async fn code_is_not_redeemed_after_a_step_of_the_clock() {
    for step in CLOCK_STEPS {
        let service = Service::start().await;
        let authorization = AuthorizationRequest::new(&service, &service.desktop_scope());
        let callback = UserAgent::new(&service)
            .sign_in(&service, &authorization, NOURA)
            .await;
        service.clock.step_wall_clock(step);
        let refused = service.redeem(&authorization, &callback).await;
        assert_eq!(
            refused.status,
            StatusCode::BAD_REQUEST,
            "{step} s: {}",
            refused.body
        );
        assert_eq!(refused.text("error"), "invalid_grant");
        service.running.shutdown().await;
    }
}
