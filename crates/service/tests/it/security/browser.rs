//! What a browser brings along: case 21.

use reqwest::StatusCode;

use crate::fixtures::user_agent::{Attempt, Callback, Form, UserAgent, claims};
use crate::fixtures::{NOURA, SALEM, Service};

#[tokio::test]
async fn case_21_a_session_brought_along_is_not_taken() {
    let service = Service::start().await;
    let attempt = Attempt::new(&service, "openid");
    let mut attacker = UserAgent::new(&service);
    attacker.sign_in(&service, &attempt, SALEM).await;
    let planted = attacker.cookies.clone();

    // The victim's browser holds the attacker's cookies when the victim signs in with a name and a password.
    let mut victim = UserAgent::new(&service);
    victim.cookies = planted.clone();
    let again = attempt.clone().with("prompt", "login");
    let page = victim.get(&again.path()).await;
    assert_eq!(page.status, StatusCode::OK, "the password is asked for");
    let form = Form::of(&page, "sign-in");
    let password = &service.user(NOURA).password;
    let done = victim
        .submit(&form, &[("username", NOURA), ("password", password)])
        .await;
    let code = Callback::of(&done);
    let tokens = service.redeem(&again, &code).await;
    assert_eq!(tokens.status, StatusCode::OK, "{}", tokens.body);

    let changed = victim
        .cookies
        .iter()
        .any(|(name, value)| planted.get(name) != Some(value));
    assert!(changed, "signing in gives a cookie that nobody knew before");
    // Whatever the attacker's own cookies are still good for, they never stand for the victim.
    let silent = attempt.clone().with("prompt", "none");
    let callback = Callback::of(&attacker.get(&silent.path()).await);
    if callback.error().is_none() {
        let theirs = service.redeem(&silent, &callback).await;
        assert_ne!(
            claims(theirs.text("id_token"))["sub"],
            claims(tokens.text("id_token"))["sub"],
            "the attacker did not become the victim"
        );
    }
    // A cookie that was made up is nobody's.
    let mut made_up = UserAgent::new(&service);
    for name in planted.keys() {
        made_up.cookies.insert(name.clone(), "A".repeat(43));
    }
    let nobody = Callback::of(&made_up.get(&silent.path()).await);
    assert_eq!(nobody.error(), Some("login_required"));
    service.running.shutdown().await;
}
