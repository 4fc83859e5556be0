//! Two processes on one database.

use crate::fixtures::process::Process;
use crate::fixtures::user_agent::{Attempt, UserAgent};
use crate::fixtures::{NOURA, Site};
use reqwest::StatusCode;

#[tokio::test]
async fn of_fifty_refreshes_at_two_processes_exactly_one_succeeds() {
    let folder = tempfile::tempdir().unwrap();
    let one = Process::start(folder.path(), &[]).await;
    let other = Process::start(folder.path(), &[]).await;
    let tokens = one.site.sign_in(NOURA).await;
    let token = tokens.text("refresh_token");
    let at = |site| crate::fixtures::at_once(25, move || Site::refresh(site, token));
    let (here, there) = tokio::join!(at(&one.site), at(&other.site));
    let (won, lost): (Vec<_>, Vec<_>) = here
        .iter()
        .chain(&there)
        .partition(|answer| answer.status == StatusCode::OK);
    assert_eq!((won.len(), lost.len()), (1, 49));
    for answer in lost {
        answer.is_oauth_error(400, "invalid_grant");
    }
    for process in [&one, &other] {
        process
            .site
            .refresh(token)
            .await
            .is_oauth_error(400, "invalid_grant");
    }
    let next = other.site.refresh(won[0].text("refresh_token")).await;
    assert_eq!(next.status, StatusCode::OK, "the successor: {}", next.body);
    assert_eq!(
        one.site.userinfo(next.text("access_token")).await.status,
        StatusCode::OK,
        "what one gave out the other knows"
    );
}

#[tokio::test]
async fn a_code_is_redeemed_at_one_of_two_processes() {
    let folder = tempfile::tempdir().unwrap();
    let one = Process::start(folder.path(), &[]).await;
    let other = Process::start(folder.path(), &[]).await;
    let attempt = Attempt::new(&one.site, &one.site.desktop_scope());
    let callback = UserAgent::new(&one.site)
        .sign_in(&one.site, &attempt, NOURA)
        .await;
    let at = |site| {
        let (attempt, callback) = (&attempt, &callback);
        crate::fixtures::at_once(10, move || Site::redeem(site, attempt, callback))
    };
    let (here, there) = tokio::join!(at(&one.site), at(&other.site));
    let won = here
        .iter()
        .chain(&there)
        .filter(|answer| answer.status == StatusCode::OK)
        .count();
    assert!(won <= 1, "{won} got tokens");
}
