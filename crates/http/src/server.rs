//! The listener: accepts connections with or without TLS, limits them, and drains requests at shutdown.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use hyper_util::server::graceful::{GracefulShutdown, Watcher};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio_rustls::TlsAcceptor;
use tokio_util::sync::CancellationToken;
use tower::ServiceExt as _;

use super::Peer;

/// Concurrent connections; more wait in the backlog of the socket.
const MAX_CONNECTIONS: usize = 4_096;
/// A connection whose TLS handshake or request headers take longer is closed.
const HEADER_TIMEOUT: Duration = Duration::from_secs(10);
/// How long requests in flight may take after the stop signal.
const DRAIN_TIMEOUT: Duration = Duration::from_secs(10);
const MAX_HEADER_BYTES: usize = 64 * 1024;

/// Why a listener cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum BindError {
    /// Another program has the address.
    #[error("another program listens on {address}")]
    PortInUse {
        /// The address that was asked for.
        address: SocketAddr,
        /// What the operating system said.
        source: io::Error,
    },
    /// The operating system refuses the address.
    #[error("{address} cannot be listened on: {source}")]
    NotBound {
        /// The address that was asked for.
        address: SocketAddr,
        /// What the operating system said.
        source: io::Error,
    },
}

/// Binds `address`.
///
/// # Errors
/// [`BindError::PortInUse`] or [`BindError::NotBound`].
pub async fn bind(address: SocketAddr) -> Result<(TcpListener, SocketAddr), BindError> {
    let not_bound = |error: io::Error| {
        if error.kind() == io::ErrorKind::AddrInUse {
            return BindError::PortInUse {
                address,
                source: error,
            };
        }
        BindError::NotBound {
            address,
            source: error,
        }
    };
    let listener = TcpListener::bind(address).await.map_err(not_bound)?;
    let bound = listener.local_addr().map_err(not_bound)?;
    Ok((listener, bound))
}

/// Serves HTTP/1.1 and HTTP/2 until `stop`, and returns when the requests in flight are done or the drain timeout is over.
/// With `tls` the protocol is negotiated by ALPN, without it HTTP/2 needs prior knowledge.
pub async fn run(
    listener: TcpListener,
    router: Router,
    tls: Option<TlsAcceptor>,
    stop: CancellationToken,
) {
    let builder = Arc::new(builder());
    let graceful = GracefulShutdown::new();
    let permits = Arc::new(Semaphore::new(MAX_CONNECTIONS));
    loop {
        let accepted = tokio::select! {
            () = stop.cancelled() => break,
            accepted = accept(&listener, &permits) => accepted,
        };
        let Some((stream, peer, permit)) = accepted else {
            continue;
        };
        let (builder, router, tls) = (builder.clone(), router.clone(), tls.clone());
        let watcher = graceful.watcher();
        let stop = stop.clone();
        tokio::spawn(async move {
            let _permit = permit;
            let Some(tls) = tls else {
                return connection(&builder, stream, peer, router, watcher).await;
            };
            let handshake = tokio::select! {
                () = stop.cancelled() => return,
                handshake = tokio::time::timeout(HEADER_TIMEOUT, tls.accept(stream)) => handshake,
            };
            match handshake {
                Ok(Ok(stream)) => connection(&builder, stream, peer, router, watcher).await,
                Ok(Err(error)) => tracing::debug!(%error, "a TLS handshake failed"),
                Err(_) => tracing::debug!("a TLS handshake took too long"),
            }
        });
    }
    drop(listener);
    if tokio::time::timeout(DRAIN_TIMEOUT, graceful.shutdown())
        .await
        .is_err()
    {
        tracing::warn!(
            "requests were cut off: they took longer than {} s to end",
            DRAIN_TIMEOUT.as_secs()
        );
    }
}

/// Serves the requests of one connection until it ends.
async fn connection(
    builder: &Builder<TokioExecutor>,
    stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
    peer: SocketAddr,
    router: Router,
    watcher: Watcher,
) {
    let service =
        hyper::service::service_fn(move |mut request: http::Request<hyper::body::Incoming>| {
            request.extensions_mut().insert(Peer(peer));
            router.clone().oneshot(request.map(Body::new))
        });
    let connection = builder
        .serve_connection(TokioIo::new(stream), service)
        .into_owned();
    if let Err(error) = watcher.watch(connection).await {
        tracing::debug!(%error, "a connection ended early");
    }
}

type Accepted = (TcpStream, SocketAddr, tokio::sync::OwnedSemaphorePermit);

async fn accept(listener: &TcpListener, permits: &Arc<Semaphore>) -> Option<Accepted> {
    let permit = permits.clone().acquire_owned().await.ok()?;
    match listener.accept().await {
        Ok((stream, peer)) => {
            // Responses are small and written at once, so delaying them to fill packets only adds latency.
            let _ = stream.set_nodelay(true);
            Some((stream, peer, permit))
        }
        Err(error) => {
            // Mostly the process is out of file descriptors. A pause avoids a busy loop until some are free.
            tracing::warn!(%error, "a connection could not be accepted");
            tokio::time::sleep(Duration::from_millis(50)).await;
            None
        }
    }
}

fn builder() -> Builder<TokioExecutor> {
    let mut builder = Builder::new(TokioExecutor::new());
    builder
        .http1()
        .timer(TokioTimer::new())
        .header_read_timeout(HEADER_TIMEOUT)
        .max_buf_size(MAX_HEADER_BYTES)
        .http2()
        .timer(TokioTimer::new())
        .max_concurrent_streams(200)
        .max_header_list_size(16 * 1024)
        .max_pending_accept_reset_streams(20)
        .keep_alive_interval(Duration::from_secs(20))
        .keep_alive_timeout(Duration::from_secs(20));
    builder
}
