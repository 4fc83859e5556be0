//! Security tests of connections: request smuggling, slow requests, HTTP/2 floods: cases 18 and 20.

use std::time::Duration;

use reqwest::StatusCode;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::fixtures::{Response, Service};

/// Sends `request` and reads until the service closes the connection.
async fn exchange(service: &Service, request: &[u8]) -> String {
    let mut connection = connect(service).await;
    connection
        .write_all(request)
        .await
        .expect("the service listens");
    let mut response = Vec::new();
    // A reset connection is as good as a closed one.
    let _ = connection.read_to_end(&mut response).await;
    String::from_utf8_lossy(&response).into_owned()
}

async fn connect(service: &Service) -> TcpStream {
    TcpStream::connect(service.running.identity)
        .await
        .expect("the service listens")
}

#[tokio::test]
async fn case_18_request_smuggling_is_rejected() {
    let service = Service::start().await;
    let hidden = "GET /.well-known/openid-configuration HTTP/1.1\r\nHost: localhost\r\n\r\n";
    let form = "Content-Type: application/x-www-form-urlencoded";
    for (case, head) in [
        (
            "Content-Length and Transfer-Encoding",
            format!(
                "POST /oauth/v2/token HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{form}\r\nContent-Length: {}\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                hidden.len() + 5
            ),
        ),
        (
            "a space before the colon of Transfer-Encoding",
            format!(
                "POST /oauth/v2/token HTTP/1.1\r\nHost: localhost\r\n{form}\r\nTransfer-Encoding : chunked\r\n\r\n0\r\n\r\n"
            ),
        ),
        (
            "a folded header",
            format!(
                "POST /oauth/v2/token HTTP/1.1\r\nHost: localhost\r\n{form}\r\nTransfer-Encoding:\r\n chunked\r\nContent-Length: 3\r\n\r\na=b"
            ),
        ),
        (
            "a non-numeric chunk length",
            format!(
                "POST /oauth/v2/token HTTP/1.1\r\nHost: localhost\r\n{form}\r\nTransfer-Encoding: chunked\r\n\r\n0x5\r\nhello\r\n0\r\n\r\n"
            ),
        ),
        (
            "a bare line feed",
            "GET / HTTP/1.1\nHost: localhost\nTransfer-Encoding: chunked\r\n\r\n".to_owned(),
        ),
    ] {
        let response = exchange(&service, format!("{head}{hidden}\0").as_bytes()).await;
        assert!(
            !response.contains("\"issuer\""),
            "{case}: the smuggled request was executed: {response}"
        );
    }
    let upgrade = "GET /oauth/v2/keys HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade, HTTP2-Settings, close\r\nUpgrade: h2c\r\n\
                   HTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n";
    let response = exchange(&service, upgrade.as_bytes()).await;
    assert!(
        response.starts_with("HTTP/1.1 200"),
        "no upgrade: {response}"
    );

    // Host headers are not trusted: addresses come from the configuration.
    let spoofed = service
        .http
        .get(service.auth("/.well-known/openid-configuration"))
        .header("host", "evil.example")
        .header("x-forwarded-host", "evil.example")
        .header("forwarded", "host=evil.example")
        .send()
        .await
        .unwrap();
    let body = Response::read(spoofed).await.body;
    assert!(!body.contains("evil.example"), "{body}");
    service.running.shutdown().await;
}

#[tokio::test]
async fn case_20_slow_requests_are_closed() {
    let service = Service::start().await;
    let starts = [
        "GET /oauth/v2/keys HTTP/1.1\r\nHost: localhost\r\nX-Slow: ",
        "POST /oauth/v2/token HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 100\r\n\r\na",
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
        let mut response = Vec::new();
        // The service closes the connection on its own.
        let _ = connection.read_to_end(&mut response).await;
        let response = String::from_utf8_lossy(&response);
        assert!(
            response.is_empty()
                || response.starts_with("HTTP/1.1 408")
                || response.starts_with("HTTP/1.1 400"),
            "{response}"
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
/// `GET http://x/` encoded with the static table of HPACK (RFC 7541, appendix A).
const GET: [u8; 6] = [0x82, 0x86, 0x84, 0x41, 0x01, b'x'];

#[tokio::test]
async fn case_20_http_2_floods_end_only_their_connection() {
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
        // A literal header field without indexing, in a header block that never ends.
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
        ("endless CONTINUATION frames", headers),
        ("a frame longer than allowed", too_long),
        ("a ping of the wrong length", odd_ping),
    ] {
        let connection = connect(&service).await;
        let (mut reads, mut writes) = connection.into_split();
        let sending = async {
            // The service closes the connection during the write, so an error is expected.
            let _ = writes.write_all(&[&begin[..], &flood].concat()).await;
        };
        let ended = async {
            let mut response = Vec::new();
            let _ = reads.read_to_end(&mut response).await;
        };
        tokio::join!(sending, ended);
        let other = service.http.get(service.auth("/oauth/v2/keys")).send();
        let other = tokio::time::timeout(Duration::from_secs(30), other).await;
        assert_eq!(
            other
                .expect("other connections are served")
                .unwrap()
                .status(),
            StatusCode::OK,
            "{case}"
        );
    }
    service.running.shutdown().await;
}
