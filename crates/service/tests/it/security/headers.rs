//! Security tests of ambiguous forms and authorization headers: cases 15 and 17.

use invoicing_contract::ready::ApplicationKind;
use reqwest::{Method, StatusCode};

use crate::fixtures::{NOURA, Response, Service};

#[tokio::test]
async fn case_15_ambiguous_form_returns_invalid_request() {
    let service = Service::start().await;
    let machine = service.application(ApplicationKind::Machine).clone();
    let (id, secret) = (
        &*machine.client_id,
        machine.client_secret.as_deref().unwrap(),
    );
    let token = service.auth("/oauth/v2/token");
    let complete = format!("grant_type=client_credentials&client_id={id}&client_secret={secret}");
    let form = "application/x-www-form-urlencoded";
    let post = async |address: &str, content_type: &str, body: String| {
        let request = service
            .http
            .post(address)
            .header("content-type", content_type);
        Response::read(request.body(body).send().await.unwrap()).await
    };
    for twice in [
        "grant_type",
        "client_id",
        "client_secret",
        "scope",
        "colour",
    ] {
        let body = format!("{complete}&{twice}=a&{twice}=a");
        post(&token, form, body)
            .await
            .is_oauth_error(400, "invalid_request");
    }
    // A percent-encoded parameter name is the same name.
    let spelled = format!("{complete}&client%5Fid={id}");
    post(&token, form, spelled)
        .await
        .is_oauth_error(400, "invalid_request");
    for (case, address, content_type, body) in [
        (
            "in the address",
            format!("{token}?client_id={id}"),
            form,
            complete.clone(),
        ),
        (
            "all in the address",
            format!("{token}?{complete}"),
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
            complete.clone(),
        ),
        ("without a type", token.clone(), "", complete.clone()),
    ] {
        let response = post(&address, content_type, body).await;
        assert_eq!(
            response.json["error"], "invalid_request",
            "{case}: {}",
            response.body
        );
    }
    let two_ways = service
        .http
        .post(&token)
        .basic_auth(id, Some(secret))
        .header("content-type", form)
        .body(complete.clone());
    Response::read(two_ways.send().await.unwrap())
        .await
        .is_oauth_error(400, "invalid_request");
    for method in [Method::GET, Method::PUT, Method::DELETE] {
        let response = service
            .http
            .request(method.clone(), format!("{token}?{complete}"))
            .send()
            .await
            .unwrap();
        assert_eq!(
            response.status(),
            StatusCode::METHOD_NOT_ALLOWED,
            "{method}"
        );
    }
    assert_eq!(post(&token, form, complete).await.status, StatusCode::OK);
    service.running.shutdown().await;
}

#[tokio::test]
async fn case_17_several_bearer_tokens_are_rejected() {
    let service = Service::start().await;
    let tokens = service.sign_in(NOURA).await;
    let token = tokens.text("access_token");
    let userinfo = service.auth("/oidc/v1/userinfo");
    let send = async |method: Method, address: &str, authorizations: &[String], body: &str| {
        let mut request = service.http.request(method, address);
        for authorization in authorizations {
            request = request.header("authorization", authorization);
        }
        if !body.is_empty() {
            request = request
                .header("content-type", "application/x-www-form-urlencoded")
                .body(body.to_owned());
        }
        Response::read(request.send().await.unwrap()).await
    };
    for scheme in ["Bearer", "bearer", "BEARER"] {
        let header = [format!("{scheme} {token}")];
        for method in [Method::GET, Method::POST] {
            assert_eq!(
                send(method, &userinfo, &header, "").await.status,
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
        let response = send(method, address, &authorizations, body).await;
        assert!(
            matches!(response.status.as_u16(), 400 | 401),
            "{case}: {} {}",
            response.status,
            response.body
        );
        assert!(
            response.header("www-authenticate").starts_with("Bearer"),
            "{case}"
        );
        assert!(!response.body.contains(token), "{case}");
    }
    service.running.shutdown().await;
}

#[tokio::test]
async fn host_of_another_name_is_refused_by_a_local_environment() {
    let service = Service::start().await;
    let addresses = [
        service.auth("/.well-known/openid-configuration"),
        format!("{}/api/v1/simple/invoices/list", service.ready.base_url),
    ];
    for address in addresses {
        let send = async |host: &str| {
            let request = service.http.get(&address).header("host", host);
            request.send().await.unwrap().status()
        };
        for foreign in [
            "attacker.example",
            "attacker.example:8460",
            "127.0.0.1.attacker.example",
        ] {
            let status = send(foreign).await;
            assert_eq!(status, StatusCode::MISDIRECTED_REQUEST, "{foreign}");
        }
        let own = address.split('/').nth(2).unwrap();
        for own in [own, "localhost", "[::1]:8460"] {
            let status = send(own).await;
            assert_ne!(status, StatusCode::MISDIRECTED_REQUEST, "{own}");
        }
    }
    service.running.shutdown().await;
}
