//! What a caller may do changes at once, everywhere, whatever is kept in memory: case 24.

use reqwest::StatusCode;

use crate::common::process::Process;
use crate::common::{Answer, NOURA, Site};
use crate::gateway::sql_in;

async fn list(site: &Site, token: &str) -> StatusCode {
    let request = site
        .http
        .post(site.base("/api/v1/simple/invoices/list"))
        .bearer_auth(token)
        .header("content-type", "application/json")
        .body("{}");
    Answer::of(request.send().await.expect("an answer"))
        .await
        .status
}

#[tokio::test]
async fn case_24_what_was_taken_away_is_gone_at_once_at_every_process() {
    let folder = tempfile::tempdir().unwrap();
    let one = Process::start(folder.path(), &[]).await;
    let other = Process::start(folder.path(), &[]).await;
    let tokens = one.site.sign_in(NOURA).await;
    let token = tokens.text("access_token");
    // Both have seen it, and more than once, so that both could have kept it.
    for process in [&one, &other] {
        for _ in 0..3 {
            assert_eq!(list(&process.site, token).await, StatusCode::OK);
            assert_eq!(process.site.userinfo(token).await.status, StatusCode::OK);
        }
    }

    sql_in(folder.path(), "DELETE FROM grants WHERE subject IN (SELECT id FROM subjects WHERE username = 'noura@alkhair.example')").await;
    for process in [&one, &other] {
        assert_eq!(
            list(&process.site, token).await,
            StatusCode::FORBIDDEN,
            "the roles are gone"
        );
        assert_eq!(
            process.site.userinfo(token).await.status,
            StatusCode::OK,
            "the token still says who it is"
        );
    }

    // One process revokes it; the other must know with the next request.
    let second = one.site.sign_in(NOURA).await;
    let second = second.text("access_token");
    for process in [&one, &other] {
        assert_eq!(process.site.userinfo(second).await.status, StatusCode::OK);
    }
    let desktop = one
        .site
        .application(invoicing_contract::ready::ApplicationKind::Public)
        .client_id
        .clone();
    let revoked = one
        .site
        .post(
            "/oauth/v2/revoke",
            &[("token", second), ("client_id", &desktop)],
        )
        .await;
    assert_eq!(revoked.status, StatusCode::OK, "{}", revoked.body);
    for process in [&other, &one] {
        assert_eq!(
            process.site.userinfo(second).await.status,
            StatusCode::UNAUTHORIZED,
            "a revoked token"
        );
        assert_eq!(
            process.site.userinfo(token).await.status,
            StatusCode::OK,
            "another token of the same person"
        );
    }

    sql_in(
        folder.path(),
        "UPDATE subjects SET disabled_at = 1 WHERE username = 'noura@alkhair.example'",
    )
    .await;
    for process in [&one, &other] {
        assert_eq!(
            process.site.userinfo(token).await.status,
            StatusCode::UNAUTHORIZED,
            "a disabled account"
        );
        assert_eq!(list(&process.site, token).await, StatusCode::UNAUTHORIZED);
    }
}
