//! Accepts connections, bounds what each may take, and lets requests under way finish at the end.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use hyper_util::server::graceful::GracefulShutdown;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;
use tower::ServiceExt as _;

use super::Peer;
use crate::start_error::StartError;

/// Connections at once; more wait in the backlog.
const CONNECTIONS: usize = 4_096;
/// A client that has not sent its headers after this long is let go.
const HEADERS_WITHIN: Duration = Duration::from_secs(10);
/// How long requests under way may take when the service stops.
const LAST_REQUESTS: Duration = Duration::from_secs(10);
const MAX_HEADER_BYTES: usize = 64 * 1024;

/// Binds `address`.
///
/// # Errors
/// [`StartError::PortInUse`] or [`StartError::NotBound`].
pub(crate) async fn bind(address: SocketAddr) -> Result<(TcpListener, SocketAddr), StartError> {
    let not_bound = |error: io::Error| {
        if error.kind() == io::ErrorKind::AddrInUse {
            return StartError::PortInUse { address };
        }
        StartError::NotBound {
            address,
            reason: error.to_string(),
        }
    };
    let listener = TcpListener::bind(address).await.map_err(not_bound)?;
    let bound = listener.local_addr().map_err(not_bound)?;
    Ok((listener, bound))
}

/// Serves HTTP/1.1 and HTTP/2 with prior knowledge until `stop`; returns when the last request is done or took too long.
pub(crate) async fn run(listener: TcpListener, router: Router, stop: CancellationToken) {
    let builder = builder();
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
        let router = router.clone();
        let service =
            hyper::service::service_fn(move |mut request: http::Request<hyper::body::Incoming>| {
                request.extensions_mut().insert(Peer(peer));
                router.clone().oneshot(request.map(Body::new))
            });
        let connection = graceful.watch(
            builder
                .serve_connection(TokioIo::new(stream), service)
                .into_owned(),
        );
        tokio::spawn(async move {
            if let Err(error) = connection.await {
                tracing::debug!(%error, "a connection ended early");
            }
            drop(place);
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

type Accepted = (
    tokio::net::TcpStream,
    SocketAddr,
    tokio::sync::OwnedSemaphorePermit,
);

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
