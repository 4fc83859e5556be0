//! Messages of the proxy that injects faults: the places in a response where it breaks off, and requests that come in pieces.

use axum::http::{HeaderMap, HeaderValue, StatusCode};
use end_to_end::fault_proxy::Place;
use end_to_end::fault_proxy::message::{Request, Response, offset};

fn response() -> Response {
    let mut headers = HeaderMap::new();
    headers.insert("content-type", HeaderValue::from_static("application/json"));
    headers.insert("content-length", HeaderValue::from_static("999"));
    Response {
        status: StatusCode::OK,
        headers,
        body: b"{\"a\":1}".to_vec(),
    }
}

#[test]
fn places_are_in_the_order_of_their_bytes_and_each_is_another() {
    let response = response();
    let head = response.head(response.body.len());
    let places = [
        Place::StatusLine,
        Place::Headers,
        Place::EndOfHead,
        Place::BodyStart,
        Place::FirstByte,
        Place::Middle,
        Place::LastByte,
    ];
    let offsets = places.map(|place| offset(place, &head, &response.body));
    assert!(
        offsets.is_sorted_by(|one, other| one < other),
        "{offsets:?}"
    );
    assert!(head[..offsets[0]].starts_with(b"HTTP/1.1"));
    assert_eq!(&head[offsets[2]..], b"\r\n");
}

#[test]
fn length_of_the_head_is_the_announced_one() {
    let head = String::from_utf8(response().head(7)).expect("ASCII");
    let lengths: Vec<_> = head.matches("content-length").collect();
    assert_eq!(lengths.len(), 1, "{head}");
    assert!(head.contains("content-length: 7\r\n"), "{head}");
}

#[tokio::test]
async fn request_in_pieces_is_read_whole() {
    let (mut client, mut server) = tokio::io::duplex(3);
    let writing = tokio::spawn(async move {
        use tokio::io::AsyncWriteExt as _;
        let request = b"POST /a?b HTTP/1.1\r\nContent-Length: 4\r\n\r\nbody";
        client.write_all(request).await
    });
    let request = Request::read(&mut server)
        .await
        .expect("no error")
        .expect("a request");
    writing.await.expect("no panic").expect("written");
    assert_eq!(
        (request.line().as_str(), request.body.as_slice()),
        ("POST /a", b"body".as_slice())
    );
}
