//! One connection of a client: at most one request, its fault, and the response.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use axum::http::{HeaderMap, StatusCode};
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::TcpStream;

use super::fault::{ConnectionFault, Defect, Fault, Place};
use super::message::{Request, Response, offset};
use super::{Shared, http2};

/// Serves a connection of a client.
pub(super) async fn serve(shared: Arc<Shared>, stream: TcpStream) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let fault = shared.connection_fault();
    match fault {
        Some(ConnectionFault::Closed) => return Ok(()),
        Some(ConnectionFault::Reset) => return stream.set_zero_linger(),
        Some(ConnectionFault::Silent) => {
            return hold(&shared, stream).await;
        }
        Some(ConnectionFault::PlainText) => return refuse_handshake(stream).await,
        Some(ConnectionFault::GoAwayBefore) => {
            return http2::go_away_at_once(&shared, stream).await;
        }
        Some(end @ (ConnectionFault::GoAwayAfter | ConnectionFault::RefusedStream)) => {
            return http2::forward_without_answer(shared, stream, end).await;
        }
        Some(
            ConnectionFault::Refused
            | ConnectionFault::ExpiredCertificate
            | ConnectionFault::OtherName
            | ConnectionFault::UnknownAuthority,
        )
        | None => {}
    }
    match &shared.tls {
        Some(tls) => {
            let stream = tls.accept(stream, fault).await?;
            serve_request(shared, stream, |stream| {
                stream.get_ref().0.set_zero_linger()
            })
            .await
        }
        None => serve_request(shared, stream, TcpStream::set_zero_linger).await,
    }
}

/// Answers a TLS handshake in plain HTTP.
async fn refuse_handshake(mut stream: TcpStream) -> io::Result<()> {
    let mut hello = [0; 64];
    let _ = stream.read(&mut hello).await?;
    stream
        .write_all(b"HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n")
        .await?;
    close(stream).await
}

async fn serve_request<S: AsyncRead + AsyncWrite + Unpin>(
    shared: Arc<Shared>,
    mut stream: S,
    reset: impl Fn(&S) -> io::Result<()>,
) -> io::Result<()> {
    let Some(request) = Request::read(&mut stream).await? else {
        return Ok(());
    };
    let fault = shared.meet(&request);
    if matches!(fault, Some(Fault::DelayRequest)) {
        wait_until_cleared(&shared).await;
    }
    let is_alone = fault
        .as_ref()
        .is_some_and(|fault| !fault.reaches_the_server());
    let response = if is_alone {
        None
    } else {
        shared.forward(&request).await
    };
    shared.begin_fault_after(&request).await;
    let defect = match fault {
        None | Some(Fault::DelayRequest) => None,
        Some(Fault::DropRequest | Fault::DropResponse) => return close(stream).await,
        Some(Fault::ResetRequest | Fault::ResetResponse) => return reset(&stream),
        Some(Fault::HoldRequest | Fault::HoldResponse) => return hold(&shared, stream).await,
        Some(Fault::Respond {
            status,
            headers,
            body,
        }) => {
            let response = fixed(status, headers, body);
            return write(&shared, stream, &response, None).await;
        }
        Some(Fault::Deliver(defect)) => Some(defect),
    };
    match response {
        Some(response) => write(&shared, stream, &response, defect).await,
        // There is no server.
        None => close(stream).await,
    }
}

fn fixed(status: u16, headers: Vec<(&'static str, String)>, body: String) -> Response {
    let mut map = HeaderMap::new();
    for (name, value) in headers {
        map.insert(name, value.parse().expect("a header"));
    }
    Response {
        status: StatusCode::from_u16(status).expect("a status"),
        headers: map,
        body: body.into_bytes(),
    }
}

/// Writes a response with its defect, and closes the connection.
async fn write(
    shared: &Shared,
    mut stream: impl AsyncRead + AsyncWrite + Unpin,
    response: &Response,
    defect: Option<Defect>,
) -> io::Result<()> {
    let mut response = response.clone();
    match &defect {
        Some(Defect::Delay(time)) => tokio::time::sleep(*time).await,
        Some(Defect::Replace {
            status,
            content_type,
            body,
        }) => {
            response.status = StatusCode::from_u16(*status).expect("a status");
            response.set_content_type(content_type);
            response.body = body.clone().into_bytes();
        }
        Some(Defect::Edit(edit)) => {
            let mut value = serde_json::from_slice(&response.body).expect("the response is JSON");
            edit(&mut value);
            response.body = value.to_string().into_bytes();
        }
        Some(Defect::ContentType(content_type)) => response.set_content_type(content_type),
        Some(Defect::Oversized(spaces)) => {
            response.body.resize(response.body.len() + spaces, b' ');
        }
        Some(
            Defect::Trickle
            | Defect::Cut(_)
            | Defect::Stall(_)
            | Defect::LengthTooLarge(_)
            | Defect::LengthTooSmall(_),
        )
        | None => {}
    }
    let length = response.body.len();
    let head = response.head(match &defect {
        Some(Defect::LengthTooLarge(bytes)) => length + bytes,
        Some(Defect::LengthTooSmall(bytes)) => length.saturating_sub(*bytes),
        Some(
            Defect::Delay(_)
            | Defect::Trickle
            | Defect::Cut(_)
            | Defect::Stall(_)
            | Defect::Replace { .. }
            | Defect::Edit(_)
            | Defect::ContentType(_)
            | Defect::Oversized(_),
        )
        | None => length,
    });
    let part = |place: Place| offset(place, &head, &response.body);
    let bytes = [head.as_slice(), response.body.as_slice()].concat();
    match defect {
        Some(Defect::Trickle) => {
            for byte in bytes {
                stream.write_all(&[byte]).await?;
                stream.flush().await?;
            }
        }
        Some(Defect::Cut(place)) => {
            stream.write_all(&bytes[..part(place)]).await?;
            // Without the end of a TLS session, as when a connection breaks.
            return stream.flush().await;
        }
        Some(Defect::Stall(place)) => {
            stream.write_all(&bytes[..part(place)]).await?;
            stream.flush().await?;
            return hold(shared, stream).await;
        }
        Some(
            Defect::Delay(_)
            | Defect::Replace { .. }
            | Defect::Edit(_)
            | Defect::ContentType(_)
            | Defect::LengthTooLarge(_)
            | Defect::LengthTooSmall(_)
            | Defect::Oversized(_),
        )
        | None => stream.write_all(&bytes).await?,
    }
    close(stream).await
}

/// Sends what is buffered and the end of the stream, and waits for that of the client, so that nothing is lost to a reset.
pub(super) async fn close(mut stream: impl AsyncRead + AsyncWrite + Unpin) -> io::Result<()> {
    stream.flush().await?;
    stream.shutdown().await?;
    let mut rest = [0; 1024];
    let closing = async { while matches!(stream.read(&mut rest).await, Ok(1..)) {} };
    // A client that never closes must not keep the task.
    let _ = tokio::time::timeout(Duration::from_secs(2), closing).await;
    Ok(())
}

/// Keeps the connection open until the client closes it or the faults are cleared.
pub(super) async fn hold(shared: &Shared, mut stream: impl AsyncRead + Unpin) -> io::Result<()> {
    let mut cleared = shared.cleared.subscribe();
    shared.count_held();
    let mut rest = [0; 1024];
    let closing = async { while matches!(stream.read(&mut rest).await, Ok(1..)) {} };
    tokio::select! {
        () = closing => {}
        _ = cleared.changed() => {}
    }
    Ok(())
}

/// Keeps a request from the server until the faults are cleared.
async fn wait_until_cleared(shared: &Shared) {
    let mut cleared = shared.cleared.subscribe();
    shared.count_held();
    // The sender is a field of `shared`.
    let _ = cleared.changed().await;
}
