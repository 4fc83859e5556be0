//! Accepts connections, with TLS or without, bounds what each may take, and lets requests under way finish at the end.

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

/// Connections at once; more wait in the backlog.
const CONNECTIONS: usize = 4_096;
/// A client that has not sent its headers after this long is let go.
const HEADERS_WITHIN: Duration = Duration::from_secs(10);
/// How long requests under way may take when the service stops.
const LAST_REQUESTS: Duration = Duration::from_secs(10);
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

/// Serves HTTP/1.1 and HTTP/2 until `stop`; returns when the last request is done or took too long. Without `tls` HTTP/2 is
/// spoken with callers that begin with it, with `tls` they agree on it beforehand (ALPN).
pub async fn run(
    listener: TcpListener,
    router: Router,
    tls: Option<TlsAcceptor>,
    stop: CancellationToken,
) {
    let builder = Arc::new(builder());
    let graceful = GracefulShutdown::new();
    let places = Arc::new(Semaphore::new(CONNECTIONS));
    loop {
        let accepted = tokio::select! {
            () = stop.cancelled() => break,
            accepted = accept(&listener, &places) => accepted,
        };
        let Some((stream, peer, place)) = accepted else {
            continue;
        };
        let (builder, router, tls) = (builder.clone(), router.clone(), tls.clone());
        let watcher = graceful.watcher();
        let stop = stop.clone();
        tokio::spawn(async move {
            let _place = place;
            let Some(tls) = tls else {
                return connection(&builder, stream, peer, router, watcher).await;
            };
            let shaken = tokio::select! {
                () = stop.cancelled() => return,
                shaken = tokio::time::timeout(HEADERS_WITHIN, tls.accept(stream)) => shaken,
            };
            match shaken {
                Ok(Ok(stream)) => connection(&builder, stream, peer, router, watcher).await,
                Ok(Err(error)) => tracing::debug!(%error, "a TLS handshake failed"),
                Err(_) => tracing::debug!("a TLS handshake took too long"),
            }
        });
    }
    drop(listener);
    if tokio::time::timeout(LAST_REQUESTS, graceful.shutdown())
        .await
        .is_err()
    {
        tracing::warn!(
            "requests were cut off: they took longer than {} s to end",
            LAST_REQUESTS.as_secs()
        );
    }
}

/// Answers the requests of one connection until it ends.
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

async fn accept(listener: &TcpListener, places: &Arc<Semaphore>) -> Option<Accepted> {
    let place = places.clone().acquire_owned().await.ok()?;
    match listener.accept().await {
        Ok((stream, peer)) => {
            // Answers are small and whole: waiting to fill a packet only delays them.
            let _ = stream.set_nodelay(true);
            Some((stream, peer, place))
        }
        Err(error) => {
            // Out of file descriptors, mostly. Those in use come back; going on at once would only burn the processor.
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
        .header_read_timeout(HEADERS_WITHIN)
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
