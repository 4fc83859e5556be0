//! Tests of sign-in and tokens while the wall clock is set back or forward.

use crate::fixtures::gateway::execute_sql;
use crate::fixtures::user_agent::{AuthorizationRequest, UserAgent};
use crate::fixtures::{CLOCK_STEPS, NOURA, Service};
use invoicing_storage::Clock as _;
use reqwest::StatusCode;

#[tokio::test]
async fn sign_in_after_a_password_change_works_whatever_the_clock_did_meanwhile() {
    for step in CLOCK_STEPS {
        let service = Service::start().await;
        // What a change of the password, or of the state of an account, writes.
        let changed_at = service.clock.timestamp();
        let change = format!("UPDATE subjects SET valid_from = {changed_at}");
        execute_sql(&service, &change).await;
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
