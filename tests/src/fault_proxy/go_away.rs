//! HTTP/2 connections that end with GOAWAY (RFC 9113, section 6.8), before or after the server handled the request.

use std::io;
use std::sync::Arc;

use h2::Reason;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use super::Shared;
use super::connection::close;
use super::fault::ConnectionFault;
use super::message::Request;

/// An empty SETTINGS frame.
const SETTINGS: [u8; 9] = [0, 0, 0, 4, 0, 0, 0, 0, 0];
/// A GOAWAY frame with last stream 0 and NO_ERROR.
const GO_AWAY: [u8; 17] = [0, 0, 8, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];

/// Serves one connection, which must be TLS. `after`: the server handles the request first.
pub(super) async fn serve(shared: Arc<Shared>, stream: TcpStream, after: bool) -> io::Result<()> {
    let tls = shared.tls.as_ref().expect("GOAWAY needs a proxy with TLS");
    let fault = Some(ConnectionFault::GoAwayAfter);
    let mut stream = tls.accept(stream, fault).await?;
    if !after {
        // The preface of the client and its first frames.
        let mut preface = [0; 24];
        stream.read_exact(&mut preface).await?;
        stream.write_all(&SETTINGS).await?;
        stream.write_all(&GO_AWAY).await?;
        return close(stream).await;
    }
    let mut connection = h2::server::handshake(stream)
        .await
        .map_err(io::Error::other)?;
    let Some(Ok((request, _respond))) = connection.accept().await else {
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
    connection.abrupt_shutdown(Reason::NO_ERROR);
    while connection.accept().await.is_some() {}
    Ok(())
}
