//! Security test of hostile JSON bodies: case 19.

use std::fmt::Write as _;

use reqwest::StatusCode;

use crate::fixtures::gateway::{DOCUMENTS, GatewayClient, reason};
use crate::fixtures::{Response, Service};

#[tokio::test]
async fn case_19_hostile_json_is_rejected_at_low_cost() {
    let service = Service::start().await;
    let gateway = GatewayClient::new(&service).await;
    let deep = format!("{}{}", "[".repeat(10_000), "]".repeat(10_000));
    let deep_object = format!("{}1{}", "{\"changes\":".repeat(10_000), "}".repeat(10_000));
    // Distinct unknown names, nearly as many as the body limit allows.
    let wide = |keys| {
        let mut wide = String::from("{");
        for number in 0..keys {
            write!(wide, "\"{number:x}\":0,").expect("a String grows");
        }
        wide + "\"last\":0}"
    };
    let invoice =
        |fields: &str| format!("{{\"changes\":{{\"content\":{{\"invoice\":{{{fields}}}}}}}}}");
    for (case, body) in [
        ("deep lists", deep),
        ("deep objects", deep_object),
        ("more keys than the body limit allows", wide(1_000_000)),
        ("as many keys as the body limit allows", wide(400_000)),
        (
            "a duplicate key",
            "{\"changes\":{},\"changes\":{}}".to_owned(),
        ),
        (
            "a number out of range",
            invoice("\"lines\":[{\"quantity\":1e400}]"),
        ),
        ("a lone surrogate", invoice("\"note\":\"\\ud800\"")),
        ("a lone surrogate as a key", "{\"\\udfff\":1}".to_owned()),
        ("not a number", invoice("\"note\":NaN")),
        ("two bodies", "{}{}".to_owned()),
        ("a comment", "{/**/}".to_owned()),
        ("nothing", String::new()),
        ("a byte order mark", "\u{feff}{}".to_owned()),
    ] {
        let response = gateway.post_raw(DOCUMENTS, body).await;
        assert!(
            matches!(
                response.status,
                StatusCode::BAD_REQUEST | StatusCode::PAYLOAD_TOO_LARGE
            ),
            "{case}: {} {:.200}",
            response.status,
            response.body
        );
        assert!(
            !reason(&response.json).is_empty(),
            "{case}: the body is a Status"
        );
    }
    let not_text = gateway
        .post_raw(DOCUMENTS, vec![b'{', b'"', 0xFF, b'"', b':', b'1', b'}'])
        .await;
    assert_eq!(not_text.status, StatusCode::BAD_REQUEST, "not UTF-8");

    // Compressed bodies are not decoded, so a small body cannot expand.
    let bomb = service
        .http
        .post(service.base(DOCUMENTS))
        .bearer_auth(&gateway.token)
        .header("content-type", "application/json")
        .header("content-encoding", "gzip")
        .body(vec![0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 0xED, 0xC1]);
    let bomb = Response::read(bomb.send().await.unwrap()).await;
    assert!(bomb.status.is_client_error(), "{}", bomb.status);
    let healthy = service.http.get(service.base("/health/ready")).send().await;
    assert_eq!(healthy.unwrap().status(), StatusCode::OK);
    service.running.shutdown().await;
}
