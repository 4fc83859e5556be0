//! HTTP/2 connections that end before or after the server handled the request: with GOAWAY (RFC 9113, section 6.8), or with a stream that
//! is refused (section 8.7).

use std::io;
use std::sync::Arc;

use h2::Reason;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio_rustls::server::TlsStream;

use super::Shared;
use super::connection::close;
use super::fault::ConnectionFault;
use super::message::Request;

/// An empty SETTINGS frame.
const SETTINGS: [u8; 9] = [0, 0, 0, 4, 0, 0, 0, 0, 0];
/// A GOAWAY frame with last stream 0 and NO_ERROR.
const GO_AWAY: [u8; 17] = [0, 0, 8, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];

/// Says at once that no request of the connection was handled.
pub(super) async fn go_away_at_once(shared: &Shared, stream: TcpStream) -> io::Result<()> {
    let mut stream = accept(shared, stream, ConnectionFault::GoAwayBefore).await?;
    // The preface of the client and its first frames.
    let mut preface = [0; 24];
    stream.read_exact(&mut preface).await?;
    stream.write_all(&SETTINGS).await?;
    stream.write_all(&GO_AWAY).await?;
    close(stream).await
}

/// Lets the server handle one request, and ends the connection without its answer.
pub(super) async fn forward_without_answer(
    shared: Arc<Shared>,
    stream: TcpStream,
    end: ConnectionFault,
) -> io::Result<()> {
    let stream = accept(&shared, stream, end).await?;
    let mut connection = h2::server::handshake(stream)
        .await
        .map_err(io::Error::other)?;
    let Some(Ok((request, mut respond))) = connection.accept().await else {
        return Ok(());
    };
    let (parts, mut body) = request.into_parts();
    let reading = async {
        let mut bytes = Vec::new();
        while let Some(Ok(chunk)) = body.data().await {
            let _ = body.flow_control().release_capacity(chunk.len());
            bytes.extend_from_slice(&chunk);
        }
        bytes
    };
    // The frames of the body arrive only while the connection is polled.
    let body = tokio::select! {
        body = reading => body,
        _ = connection.accept() => return Ok(()),
    };
    let request = Request {
        method: parts.method,
        target: parts
            .uri
            .path_and_query()
            .map_or_else(|| "/".to_owned(), ToString::to_string),
        headers: parts.headers,
        body,
    };
    shared.record(&request);
    let _ = shared.forward(&request).await;
    if end == ConnectionFault::RefusedStream {
        respond.send_reset(Reason::REFUSED_STREAM);
        connection.graceful_shutdown();
    } else {
        connection.abrupt_shutdown(Reason::NO_ERROR);
    }
    while connection.accept().await.is_some() {}
    Ok(())
}

async fn accept(
    shared: &Shared,
    stream: TcpStream,
    fault: ConnectionFault,
) -> io::Result<TlsStream<TcpStream>> {
    let tls = shared.tls.as_ref().expect("HTTP/2 needs a proxy with TLS");
    tls.accept(stream, Some(fault)).await
}
