//! Bodies made to hurt: case 19.

use std::fmt::Write as _;

use reqwest::StatusCode;

use crate::fixtures::gateway::{Caller, DOCUMENTS, reason};
use crate::fixtures::{Answer, Service};

#[tokio::test]
async fn case_19_deep_wide_and_odd_json_is_refused_cheaply() {
    let service = Service::start().await;
    let caller = Caller::new(&service).await;
    let deep = format!("{}{}", "[".repeat(10_000), "]".repeat(10_000));
    let deep_object = format!("{}1{}", "{\"changes\":".repeat(10_000), "}".repeat(10_000));
    // Unknown names, each another one; nearly as many as fit into the largest body that is read.
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
        (
            "a million keys, which no body has room for",
            wide(1_000_000),
        ),
        ("as many keys as there is room for", wide(400_000)),
        ("a key twice", "{\"changes\":{},\"changes\":{}}".to_owned()),
        (
            "a number beyond all",
            invoice("\"lines\":[{\"quantity\":1e400}]"),
        ),
        ("half a character", invoice("\"note\":\"\\ud800\"")),
        ("half a character as a key", "{\"\\udfff\":1}".to_owned()),
        ("not a number", invoice("\"note\":NaN")),
        ("two bodies", "{}{}".to_owned()),
        ("a comment", "{/**/}".to_owned()),
        ("nothing", String::new()),
        ("a byte order mark", "\u{feff}{}".to_owned()),
    ] {
        let answer = caller.post_raw(DOCUMENTS, body).await;
        assert!(
            matches!(
                answer.status,
                StatusCode::BAD_REQUEST | StatusCode::PAYLOAD_TOO_LARGE
            ),
            "{case}: {} {:.200}",
            answer.status,
            answer.body
        );
        assert!(
            !reason(&answer.json).is_empty(),
            "{case}: a Status says why"
        );
    }
    let not_text = caller
        .post_raw(DOCUMENTS, vec![b'{', b'"', 0xFF, b'"', b':', b'1', b'}'])
        .await;
    assert_eq!(not_text.status, StatusCode::BAD_REQUEST, "not UTF-8");

    // Nothing is unpacked, so that a small body cannot become a large one.
    let bomb = service
        .http
        .post(service.base(DOCUMENTS))
        .bearer_auth(&caller.token)
        .header("content-type", "application/json")
        .header("content-encoding", "gzip")
        .body(vec![0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 0xED, 0xC1]);
    let bomb = Answer::of(bomb.send().await.unwrap()).await;
    assert!(bomb.status.is_client_error(), "{}", bomb.status);
    let healthy = service.http.get(service.base("/health/ready")).send().await;
    assert_eq!(healthy.unwrap().status(), StatusCode::OK);
    service.running.shutdown().await;
}
