//! Security test of session fixation: case 21.

use reqwest::StatusCode;

use crate::fixtures::user_agent::{
    AuthorizationRequest, Callback, Form, UserAgent, unverified_claims,
};
use crate::fixtures::{NOURA, SALEM, Service};

#[tokio::test]
async fn case_21_session_fixation_is_prevented() {
    let service = Service::start().await;
    let authorization = AuthorizationRequest::confidential(&service, "openid");
    let mut attacker = UserAgent::new(&service);
    attacker.sign_in(&service, &authorization, SALEM).await;
    let planted = attacker.cookies.clone();

    // The victim signs in with a browser that holds the attacker's cookies.
    let mut victim = UserAgent::new(&service);
    victim.cookies = planted.clone();
    let again = authorization.clone().with("prompt", "login");
    let page = victim.get(&again.path()).await;
    assert_eq!(page.status, StatusCode::OK, "the sign-in page is shown");
    let form = Form::find(&page, "sign-in");
    let password = &service.user(NOURA).password;
    let done = victim
        .submit(&form, &[("username", NOURA), ("password", password)])
        .await;
    let code = Callback::from_redirect(&done);
    let tokens = service.redeem(&again, &code).await;
    assert_eq!(tokens.status, StatusCode::OK, "{}", tokens.body);

    let changed = victim
        .cookies
        .iter()
        .any(|(name, value)| planted.get(name) != Some(value));
    assert!(changed, "sign-in sets a new session cookie");
    // The attacker's cookies never authenticate the victim.
    let silent = authorization.clone().with("prompt", "none");
    let callback = Callback::from_redirect(&attacker.get(&silent.path()).await);
    if callback.error().is_none() {
        let theirs = service.redeem(&silent, &callback).await;
        assert_ne!(
            unverified_claims(theirs.text("id_token"))["sub"],
            unverified_claims(tokens.text("id_token"))["sub"],
            "the attacker has no session of the victim"
        );
    }
    // An invented cookie authenticates nobody.
    let mut made_up = UserAgent::new(&service);
    for name in planted.keys() {
        made_up.cookies.insert(name.clone(), "A".repeat(43));
    }
    let nobody = Callback::from_redirect(&made_up.get(&silent.path()).await);
    assert_eq!(nobody.error(), Some("login_required"));
    service.running.shutdown().await;
}
