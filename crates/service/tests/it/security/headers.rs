//! Forms and headers that could be read in two ways: cases 15 and 17.

use invoicing_contract::ready::ApplicationKind;
use reqwest::{Method, StatusCode};

use crate::fixtures::{Answer, NOURA, Service};

#[tokio::test]
async fn case_15_a_form_can_be_read_in_one_way_only() {
    let service = Service::start().await;
    let machine = service.application(ApplicationKind::Machine).clone();
    let (id, secret) = (
        &*machine.client_id,
        machine.client_secret.as_deref().unwrap(),
    );
    let token = service.auth("/oauth/v2/token");
    let whole = format!("grant_type=client_credentials&client_id={id}&client_secret={secret}");
    let form = "application/x-www-form-urlencoded";
    let post = async |address: &str, content_type: &str, body: String| {
        let request = service
            .http
            .post(address)
            .header("content-type", content_type);
        Answer::of(request.body(body).send().await.unwrap()).await
    };
    for twice in [
        "grant_type",
        "client_id",
        "client_secret",
        "scope",
        "colour",
    ] {
        let body = format!("{whole}&{twice}=a&{twice}=a");
        post(&token, form, body)
            .await
            .is_oauth_error(400, "invalid_request");
    }
    // The same name in another spelling is the same name.
    let spelled = format!("{whole}&client%5Fid={id}");
    post(&token, form, spelled)
        .await
        .is_oauth_error(400, "invalid_request");
    for (case, address, content_type, body) in [
        (
            "in the address",
            format!("{token}?client_id={id}"),
            form,
            whole.clone(),
        ),
        (
            "all in the address",
            format!("{token}?{whole}"),
            form,
            String::new(),
        ),
        (
            "as JSON",
            token.clone(),
            "application/json",
            format!("{{\"client_id\":{id:?}}}"),
        ),
        (
            "as parts",
            token.clone(),
            "multipart/form-data; boundary=x",
            whole.clone(),
        ),
        ("without a type", token.clone(), "", whole.clone()),
    ] {
        let answer = post(&address, content_type, body).await;
        assert_eq!(
            answer.json["error"], "invalid_request",
            "{case}: {}",
            answer.body
        );
    }
    let two_ways = service
        .http
        .post(&token)
        .basic_auth(id, Some(secret))
        .header("content-type", form)
        .body(whole.clone());
    Answer::of(two_ways.send().await.unwrap())
        .await
        .is_oauth_error(400, "invalid_request");
    for method in [Method::GET, Method::PUT, Method::DELETE] {
        let answer = service
            .http
            .request(method.clone(), format!("{token}?{whole}"))
            .send()
            .await
            .unwrap();
        assert_eq!(answer.status(), StatusCode::METHOD_NOT_ALLOWED, "{method}");
    }
    assert_eq!(post(&token, form, whole).await.status, StatusCode::OK);
    service.running.shutdown().await;
}

#[tokio::test]
async fn case_17_one_bearer_token_in_one_place() {
    let service = Service::start().await;
    let tokens = service.sign_in(NOURA).await;
    let token = tokens.text("access_token");
    let userinfo = service.auth("/oidc/v1/userinfo");
    let ask = async |method: Method, address: &str, authorizations: &[String], body: &str| {
        let mut request = service.http.request(method, address);
        for authorization in authorizations {
            request = request.header("authorization", authorization);
        }
        if !body.is_empty() {
            request = request
                .header("content-type", "application/x-www-form-urlencoded")
                .body(body.to_owned());
        }
        Answer::of(request.send().await.unwrap()).await
    };
    for scheme in ["Bearer", "bearer", "BEARER"] {
        let header = [format!("{scheme} {token}")];
        for method in [Method::GET, Method::POST] {
            assert_eq!(
                ask(method, &userinfo, &header, "").await.status,
                StatusCode::OK,
                "{scheme}"
            );
        }
    }
    let good = format!("Bearer {token}");
    let in_body = format!("access_token={token}");
    let in_address = format!("{userinfo}?access_token={token}");
    for (case, method, address, authorizations, body) in [
        (
            "twice",
            Method::GET,
            &userinfo,
            vec![good.clone(), good.clone()],
            "",
        ),
        (
            "two of them",
            Method::GET,
            &userinfo,
            vec![good.clone(), "Basic eDp5".to_owned()],
            "",
        ),
        (
            "joined",
            Method::GET,
            &userinfo,
            vec![format!("{good}, {good}")],
            "",
        ),
        (
            "another scheme",
            Method::GET,
            &userinfo,
            vec![format!("Token {token}")],
            "",
        ),
        (
            "no scheme",
            Method::GET,
            &userinfo,
            vec![token.to_owned()],
            "",
        ),
        (
            "header and body",
            Method::POST,
            &userinfo,
            vec![good.clone()],
            &in_body,
        ),
        (
            "header and address",
            Method::GET,
            &in_address,
            vec![good],
            "",
        ),
        ("address only", Method::GET, &in_address, vec![], ""),
    ] {
        let answer = ask(method, address, &authorizations, body).await;
        assert!(
            matches!(answer.status.as_u16(), 400 | 401),
            "{case}: {} {}",
            answer.status,
            answer.body
        );
        assert!(
            answer.header("www-authenticate").starts_with("Bearer"),
            "{case}"
        );
        assert!(!answer.body.contains(token), "{case}");
    }
    service.running.shutdown().await;
}
