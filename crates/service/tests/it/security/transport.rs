//! What is done to connections instead of requests: cases 18 and 20.

use std::time::Duration;

use reqwest::StatusCode;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::fixtures::{Answer, Service};

/// What comes back until the service closes the connection.
async fn all(service: &Service, request: &[u8]) -> String {
    let mut connection = connect(service).await;
    connection
        .write_all(request)
        .await
        .expect("it is listening");
    let mut answer = Vec::new();
    // A connection that is cut says as much as one that is closed.
    let _ = connection.read_to_end(&mut answer).await;
    String::from_utf8_lossy(&answer).into_owned()
}

async fn connect(service: &Service) -> TcpStream {
    TcpStream::connect(service.running.identity)
        .await
        .expect("it is listening")
}

#[tokio::test]
async fn case_18_a_request_has_one_end_and_one_host() {
    let service = Service::start().await;
    let hidden = "GET /.well-known/openid-configuration HTTP/1.1\r\nHost: x\r\n\r\n";
    let form = "Content-Type: application/x-www-form-urlencoded";
    for (case, head) in [
        (
            "a length and chunks",
            format!(
                "POST /oauth/v2/token HTTP/1.1\r\nHost: x\r\nConnection: close\r\n{form}\r\nContent-Length: {}\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                hidden.len() + 5
            ),
        ),
        (
            "chunks spelled otherwise",
            format!(
                "POST /oauth/v2/token HTTP/1.1\r\nHost: x\r\n{form}\r\nTransfer-Encoding : chunked\r\n\r\n0\r\n\r\n"
            ),
        ),
        (
            "a folded header",
            format!(
                "POST /oauth/v2/token HTTP/1.1\r\nHost: x\r\n{form}\r\nTransfer-Encoding:\r\n chunked\r\nContent-Length: 3\r\n\r\na=b"
            ),
        ),
        (
            "a chunk whose length is no number",
            format!(
                "POST /oauth/v2/token HTTP/1.1\r\nHost: x\r\n{form}\r\nTransfer-Encoding: chunked\r\n\r\n0x5\r\nhello\r\n0\r\n\r\n"
            ),
        ),
        (
            "a bare line feed",
            "GET / HTTP/1.1\nHost: x\nTransfer-Encoding: chunked\r\n\r\n".to_owned(),
        ),
    ] {
        let answer = all(&service, format!("{head}{hidden}\0").as_bytes()).await;
        assert!(
            !answer.contains("\"issuer\""),
            "{case}: the hidden request was answered: {answer}"
        );
    }
    let upgrade = "GET /oauth/v2/keys HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, HTTP2-Settings, close\r\nUpgrade: h2c\r\n\
                   HTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n";
    let answer = all(&service, upgrade.as_bytes()).await;
    assert!(answer.starts_with("HTTP/1.1 200"), "no upgrade: {answer}");

    // What a caller claims to have called is believed nowhere: addresses come from the configuration.
    let spoofed = service
        .http
        .get(service.auth("/.well-known/openid-configuration"))
        .header("host", "evil.example")
        .header("x-forwarded-host", "evil.example")
        .header("forwarded", "host=evil.example")
        .send()
        .await
        .unwrap();
    let body = Answer::of(spoofed).await.body;
    assert!(!body.contains("evil.example"), "{body}");
    service.running.shutdown().await;
}

#[tokio::test]
async fn case_20_slow_headers_and_slow_bodies_are_let_go() {
    let service = Service::start().await;
    let starts = [
        "GET /oauth/v2/keys HTTP/1.1\r\nHost: x\r\nX-Slow: ",
        "POST /oauth/v2/token HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 100\r\n\r\na",
    ];
    let mut slow = Vec::new();
    for start in starts {
        for _ in 0..20 {
            let mut connection = connect(&service).await;
            connection.write_all(start.as_bytes()).await.unwrap();
            slow.push(connection);
        }
    }
    service.machine_token("").await;
    for mut connection in slow {
        let mut answer = Vec::new();
        // Nobody waits for ever: the end comes by itself.
        let _ = connection.read_to_end(&mut answer).await;
        let answer = String::from_utf8_lossy(&answer);
        assert!(
            answer.is_empty()
                || answer.starts_with("HTTP/1.1 408")
                || answer.starts_with("HTTP/1.1 400"),
            "{answer}"
        );
    }
    service.running.shutdown().await;
}

/// A frame of HTTP/2 (RFC 9113, 4.1).
fn frame(kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
    let length = u32::try_from(payload.len()).expect("a short frame");
    let mut frame = length.to_be_bytes()[1..].to_vec();
    frame.extend([kind, flags]);
    frame.extend(stream.to_be_bytes());
    frame.extend(payload);
    frame
}

const HEADERS: u8 = 1;
const RST_STREAM: u8 = 3;
const SETTINGS: u8 = 4;
const PING: u8 = 6;
const CONTINUATION: u8 = 9;
const END_STREAM: u8 = 1;
const END_HEADERS: u8 = 4;
/// GET / over http at authority x, by the static table of HPACK.
const GET: [u8; 6] = [0x82, 0x86, 0x84, 0x41, 0x01, b'x'];

#[tokio::test]
async fn case_20_floods_of_http_2_frames_end_their_connection_only() {
    let service = Service::start().await;
    let begin = [
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".to_vec(),
        frame(SETTINGS, 0, 0, &[]),
    ]
    .concat();
    let rapid_reset = |number: u32| {
        let stream = 2 * number + 1;
        let mut frames = frame(HEADERS, END_STREAM | END_HEADERS, stream, &GET);
        frames.extend(frame(RST_STREAM, 0, stream, &8_u32.to_be_bytes()));
        frames
    };
    let endless_headers = |number: u32| {
        // A literal header that is not indexed, in a block that never ends.
        let name = format!("x-{number:06}");
        let mut field = vec![0x00, u8::try_from(name.len()).expect("a short name")];
        field.extend(name.as_bytes());
        field.push(100);
        field.extend([b'v'; 100]);
        if number == 0 {
            frame(HEADERS, 0, 1, &[&GET[..], &field].concat())
        } else {
            frame(CONTINUATION, 0, 1, &field)
        }
    };
    let resets: Vec<u8> = (0..20_000).flat_map(rapid_reset).collect();
    let headers: Vec<u8> = (0..20_000).flat_map(endless_headers).collect();
    let too_long = [
        vec![0xFF, 0xFF, 0xFF, HEADERS, 0, 0, 0, 0, 1],
        vec![0; 1024],
    ]
    .concat();
    let odd_ping = frame(PING, 0, 0, &[0; 7]);
    for (case, flood) in [
        ("streams opened and reset", resets),
        ("headers without end", headers),
        ("a frame longer than allowed", too_long),
        ("a ping of the wrong length", odd_ping),
    ] {
        let connection = connect(&service).await;
        let (mut reads, mut writes) = connection.into_split();
        let sending = async {
            // It is cut off in the middle; that is the point.
            let _ = writes.write_all(&[&begin[..], &flood].concat()).await;
        };
        let ended = async {
            let mut answer = Vec::new();
            let _ = reads.read_to_end(&mut answer).await;
        };
        tokio::join!(sending, ended);
        let other = service.http.get(service.auth("/oauth/v2/keys")).send();
        let other = tokio::time::timeout(Duration::from_secs(30), other).await;
        assert_eq!(
            other.expect("others are served").unwrap().status(),
            StatusCode::OK,
            "{case}"
        );
    }
    service.running.shutdown().await;
}
